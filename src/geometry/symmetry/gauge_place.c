// Gauge momenta at one position. See gauge_place.h.
// SPDX-License-Identifier: MIT
#include "geometry/symmetry/gauge_place.h"
#include "base/numeric/qr.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include "geometry/span.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SPARE = 8, PLACES = 3 };  // velocities beyond those that are needed; places for brackets

// x of least norm with the least |A x - b|, A (m x n); b and A are used up. Row r is brought to
// size 1 by scale[r], what its terms are; without that all rows by the largest entry.
static void solve_least(LiaGaugePlace* k, int m, int n, double* A, double* b, const double* scale) {
    double* x = k->room.solution;
    double most = 0.0;
    for (int e = 0; !scale && e < m * n; e++) most = fmax(most, fabs(A[e]));
    for (int r = 0; r < m; r++) {
        double size = scale ? scale[r] : most;
        for (int i = 0; i < n; i++) A[r * n + i] = size > 0.0 ? A[r * n + i] / size : 0.0;
        b[r] = size > 0.0 ? b[r] / size : 0.0;
    }
    LiaRows rows = {.m = m, .n = n, .A = A, .pivot = k->room.work, .order = k->room.index};
    lia_qr_factor(&rows, LIA_SPAN_CUT, false);
    lia_qr_solve(&rows, b, x, k->room.work + n + m, k->room.index + m);
}

// --- formulas and room -------------------------------------------------------------------------

static bool take_formulas(LiaGaugePlace* k) {
    LiaActions* a = k->actions;
    const LiaSystem* s = a->geometry->system;
    size_t n = k->n, c = a->count, count = 0;
    LiaExpr* roots = LIA_ARENA_NEW(k->arena, LiaExpr, c * n + c * n * n + k->m * n + 1);
    LiaExpr* both = LIA_ARENA_NEW(k->arena, LiaExpr, 2 * n + 1);
    if (!roots || !both) return false;
    for (size_t e = 0; e < c * n; e++) roots[count++] = a->formulas.xi[e];
    for (size_t e = 0; e < c * n * n; e++) roots[count++] = a->formulas.slope[e];
    for (size_t e = 0; e < k->m * n; e++) roots[count++] = a->formulas.form_q[e];
    for (size_t i = 0; i < n; i++) {
        both[i] = s->lagrange.p[i], both[n + i] = s->lagrange.Q[i];
        k->has_Q |= !lia_graph_is_zero(a->geometry->graph, s->lagrange.Q[i]);
    }
    return lia_evaluate_init(&k->fields, a->geometry->graph, roots, count) &&
           lia_evaluate_init(&k->forces, a->geometry->graph, both, 2 * n);
}

// Numbers from the arena; k->failed if memory is out.
static double* numbers(LiaGaugePlace* k, size_t count) {
    double* x = LIA_ARENA_NEW(k->arena, double, count + 1);
    k->failed |= !x;
    return x;
}

bool lia_gauge_place_init(LiaGaugePlace* k, LiaActions* actions, LiaArena* arena,
                          const LiaFoundList* first, double t, bool affine) {
    size_t n = actions->n, m = actions->m, F = first->count + affine;
    *k = (LiaGaugePlace){.actions = actions, .arena = arena, .n = n, .m = m, .F = F, .t = t};
    k->affine = affine;
    k->V = 3 * F + SPARE;
    size_t rows = 2 * m + k->V, columns = 2 * F, places = PLACES * n;
    size_t tall = rows + places + F + n, wide = columns + n + 2;  // of any linear equations here
    k->structure = numbers(k, F * F * F);
    k->q = numbers(k, n), k->h = numbers(k, n);
    k->zeta = numbers(k, F * n), k->slope = numbers(k, F * n * n), k->turn = numbers(k, F * m);
    k->v = numbers(k, k->V * n), k->p = numbers(k, k->V * n), k->part = numbers(k, k->V * (F + 1));
    k->system = numbers(k, rows * columns), k->sizes = numbers(k, rows * columns);
    k->scale = numbers(k, rows), k->room.solution = numbers(k, wide);
    k->room.rhs = numbers(k, tall), k->room.own = numbers(k, 5 * F + 1);
    k->room.least = numbers(k, 2 * tall * wide);
    k->frame.A = numbers(k, n * (F + 1)), k->frame.pivot = numbers(k, n + F + 1);
    k->room.work = numbers(k, 2 * (tall + wide) + lia_qr_work((int)tall, (int)wide) + wide * wide);
    k->of = LIA_ARENA_NEW(arena, const double*, F + 1);
    k->frame.order = LIA_ARENA_NEW(arena, int, n + 1);
    k->room.index = LIA_ARENA_NEW(arena, int, 2 * tall + 1);
    if (k->failed || !k->of || !k->frame.order || !k->room.index) return false;
    double* nothing = numbers(k, actions->count);
    if (k->failed) return false;
    for (size_t f = 0; f < F; f++) k->of[f] = f < first->count ? first->found[f].c : nothing;
    return take_formulas(k);
}

void lia_gauge_place_clear(LiaGaugePlace* k) {
    lia_evaluate_clear(&k->fields);
    lia_evaluate_clear(&k->forces);
}

// --- fields ------------------------------------------------------------------------------------

static LiaSymbols symbols(const LiaGaugePlace* k, const double* v, const double* w) {
    return (LiaSymbols){.t = k->t,
                        .parameters = k->actions->geometry->system->parameters,
                        .q = k->q,
                        .v = v,
                        .w = w};
}

static void fields_of(LiaGaugePlace* k) {
    const LiaActions* a = k->actions;
    size_t n = k->n;
    LiaSymbols at = symbols(k, NULL, k->h);
    lia_evaluate_run(&k->fields, &at);
    memset(k->zeta, 0, k->F * n * sizeof *k->zeta);
    memset(k->slope, 0, k->F * n * n * sizeof *k->slope);
    for (size_t f = 0; f < k->F; f++) {
        for (size_t c = 0; c < a->count; c++) {
            double part = k->of[f][c];
            if (part == 0.0) continue;
            for (size_t i = 0; i < n; i++)
                k->zeta[f * n + i] += part * lia_value(&k->fields, a->formulas.xi[c * n + i]);
            for (size_t e = 0; e < n * n; e++) {
                LiaExpr slope = a->formulas.slope[c * n * n + e];
                if (slope.index) k->slope[f * n * n + e] += part * lia_value(&k->fields, slope);
            }
        }
    }
}

// D(zeta_f) along u.
static double along(const LiaGaugePlace* k, size_t f, size_t i, const double* u) {
    const double* slope = k->slope + (f * k->n + i) * k->n;
    double sum = 0.0;
    for (size_t e = 0; e < k->n; e++) sum += slope[e] * u[e];
    return sum;
}

static const LiaWorkspace* workspace(const LiaGaugePlace* k) { return k->actions->z->w; }

static bool geometric(const LiaGaugePlace* k, size_t r) {
    return k->actions->geometry->system->rows[k->actions->row[r]].geometric;
}

// Rows that follow from others do so at admissible positions only; inside a step they would
// contradict them.
static bool follows(const LiaGaugePlace* k, size_t r) {
    return k->actions->geometry->system->rows[k->actions->row[r]].follows;
}

// The direction across the orbits: in ker J of geometric equations, M-orthogonal to the orbits, of
// length 1.
static bool direction_of(LiaGaugePlace* k, const double* ahead) {
    size_t n = k->n, rows = 0;
    const LiaWorkspace* w = workspace(k);
    double* A = k->room.least;
    for (size_t r = 0; r < k->m; r++) {
        if (!geometric(k, r)) continue;
        memcpy(A + rows++ * n, w->saddle.J + r * n, n * sizeof *A);
    }
    for (size_t f = 0; f < k->F; f++, rows++) {
        for (size_t i = 0; i < n; i++) {
            double sum = 0.0;
            for (size_t e = 0; e < n; e++) sum += w->saddle.M[i * n + e] * k->zeta[f * n + e];
            A[rows * n + i] = sum;
        }
    }
    double* basis = A + rows * n;
    int count = lia_span_kernel((int)rows, (int)n, A, basis);
    if (count != 0 && count != 1) return false;
    k->has_shape = count == 1;
    double square = 0.0, forward = 0.0;
    for (size_t i = 0; i < n; i++) {
        for (size_t e = 0; e < n && k->has_shape; e++) {
            square += basis[i] * w->saddle.M[i * n + e] * basis[e];
            forward += basis[i] * w->saddle.M[i * n + e] * ahead[e];
        }
    }
    if (k->has_shape && !(square > 0.0)) return false;
    for (size_t i = 0; i < n; i++) {
        k->h[i] = k->has_shape ? basis[i] / copysign(sqrt(square), forward) : 0.0;
    }
    return true;
}

// D_h Omega on each generator.
static void turns_of(LiaGaugePlace* k) {
    const LiaActions* a = k->actions;
    for (size_t f = 0; f < k->F; f++) {
        LiaSymbols at = symbols(k, NULL, k->zeta + f * k->n);
        lia_evaluate_run(&k->fields, &at);
        for (size_t r = 0; r < k->m; r++) {
            double sum = 0.0;
            for (size_t e = 0; e < k->n; e++)
                sum += lia_value(&k->fields, a->formulas.form_q[r * k->n + e]) * k->h[e];
            k->turn[f * k->m + r] = sum;
        }
    }
}

// zeta and h as columns, factored once for all velocities.
static void frame_of(LiaGaugePlace* k) {
    size_t n = k->n, columns = k->F + 1;
    k->frame.m = (int)n, k->frame.n = (int)columns;
    for (size_t i = 0; i < n; i++) {
        for (size_t f = 0; f < k->F; f++) k->frame.A[i * columns + f] = k->zeta[f * n + i];
        k->frame.A[i * columns + k->F] = k->h[i];
    }
    lia_qr_factor(&k->frame, LIA_SPAN_CUT, true);
}

// u = u^B zeta_B + sigma h: F numbers, then sigma.
static void divide(LiaGaugePlace* k, const double* u, double* part) {
    memcpy(k->room.rhs, u, k->n * sizeof *u);
    lia_qr_solve(&k->frame, k->room.rhs, part, k->room.work, k->room.index);
}

// Admissible velocities: one, and combinations at random of the directions that all rows admit,
// with their momenta.
static bool velocities_of(LiaGaugePlace* k) {
    size_t n = k->n;
    const LiaWorkspace* w = workspace(k);
    double *A = k->room.least, *basis = A + k->m * n, *rest = basis + n * n, *start = rest + k->m;
    double *p0 = start + n, *copy = p0 + n;
    memcpy(A, w->saddle.J, k->m * n * sizeof *A);
    for (size_t e = 0; e < k->m * n; e++) A[e] = follows(k, e / n) ? 0.0 : A[e];
    int count = lia_span_kernel((int)k->m, (int)n, A, basis);
    if (count < 0) return false;
    memcpy(copy, A, k->m * n * sizeof *A);
    for (size_t r = 0; r < k->m; r++)
        rest[r] = follows(k, r) ? 0.0 : -w->psi[r];  // the workspace is at rest
    solve_least(k, (int)k->m, (int)n, copy, rest, NULL);
    memcpy(start, k->room.solution, n * sizeof *start);
    memset(k->v, 0, n * sizeof *k->v);
    LiaSymbols at = symbols(k, k->v, NULL);
    lia_evaluate_run(&k->forces, &at);
    for (size_t i = 0; i < n; i++)
        p0[i] = lia_value(&k->forces, k->actions->geometry->system->lagrange.p[i]);
    uint64_t seed = 7;
    for (size_t j = 0; j < k->V; j++) {
        double *v = k->v + j * n, *p = k->p + j * n;
        memcpy(v, start, n * sizeof *v);
        for (int b = 0; b < count; b++) {
            double x = lia_random_even(&seed);
            for (size_t i = 0; i < n; i++) v[i] += x * basis[(size_t)b * n + i];
        }
        for (size_t i = 0; i < n; i++) {
            p[i] = p0[i];
            for (size_t e = 0; e < n; e++) p[i] += w->saddle.M[i * n + e] * v[e];
        }
    }
    frame_of(k);
    for (size_t j = 0; j < k->V; j++) divide(k, k->v + j * n, k->part + j * (k->F + 1));
    return true;
}

// --- conditions --------------------------------------------------------------------------------

static void put(LiaGaugePlace* k, size_t row, size_t column, double x, double size) {
    k->system[row * 2 * k->F + column] = x;
    k->sizes[row * 2 * k->F + column] = size;
}

// Omega Z = 0, row r: and its rate along the shape, row m + r.
static void condition_of_force(LiaGaugePlace* k, size_t r) {
    const LiaWorkspace* w = workspace(k);
    for (size_t f = 0; f < k->F; f++) {
        double flat = 0.0, flat_size = 0.0, turned = k->turn[f * k->m + r], size = fabs(turned);
        for (size_t i = 0; i < k->n; i++) {
            double Omega = w->saddle.Omega[r * k->n + i], a = Omega * k->zeta[f * k->n + i];
            double b = k->has_shape ? Omega * along(k, f, i, k->h) : 0.0;
            flat += a, flat_size += fabs(a);
            turned += b, size += fabs(b);
        }
        put(k, r, f, flat, flat_size);
        put(k, r, k->F + f, 0.0, 0.0);
        put(k, k->m + r, f, k->has_shape ? turned : 0.0, size);
        put(k, k->m + r, k->F + f, k->has_shape ? flat : 0.0, flat_size);
    }
}

// The rate of the momentum at velocity j, row 2 m + j. Brackets are combinations of the generators.
static void condition_of_rate(LiaGaugePlace* k, size_t j) {
    const LiaSystem* s = k->actions->geometry->system;
    const double *p = k->p + j * k->n, *part = k->part + j * (k->F + 1);
    size_t n = k->n, F = k->F, row = 2 * k->m + j;
    double *momentum = k->room.own, *size = momentum + F;
    LiaSymbols at = symbols(k, k->v + j * n, NULL);
    if (k->has_Q) lia_evaluate_run(&k->forces, &at);
    for (size_t f = 0; f < F; f++) {
        momentum[f] = size[f] = 0.0;
        for (size_t i = 0; i < n; i++) {
            momentum[f] += p[i] * k->zeta[f * n + i];
            size[f] += fabs(p[i] * k->zeta[f * n + i]);
        }
    }
    if (k->affine) momentum[F - 1] = size[F - 1] = 1.0;
    for (size_t A = 0; A < F; A++) {
        double sum = 0.0, all = 0.0;
        for (size_t i = 0; k->has_Q && i < n; i++) {
            double force = lia_value(&k->forces, s->lagrange.Q[i]) * k->zeta[A * n + i];
            sum += force, all += fabs(force);
        }
        for (size_t e = 0; e < F * F; e++) {  // e is (B, C)
            double f = part[e / F] * k->structure[(e / F * F + A) * F + e % F];
            sum += f * momentum[e % F], all += fabs(f) * size[e % F];
        }
        put(k, row, A, sum, all);
        put(k, row, F + A, part[F] * momentum[A], fabs(part[F]) * size[A]);
    }
}

static void conditions(LiaGaugePlace* k) {
    for (size_t r = 0; r < k->m; r++) {
        if (!follows(k, r)) condition_of_force(k, r);
    }
    for (size_t j = 0; j < k->V; j++) condition_of_rate(k, j);
    for (size_t r = 0; r < 2 * k->m + k->V; r++) {
        k->scale[r] = 0.0;
        for (size_t f = 0; f < 2 * k->F; f++)
            k->scale[r] = fmax(k->scale[r], k->sizes[r * 2 * k->F + f]);
    }
}

bool lia_gauge_place_look(LiaGaugePlace* k, const double* q, const double* ahead) {
    LiaWorkspace* w = k->actions->z->w;
    size_t n = k->n;
    memmove(k->q, q, n * sizeof *q);
    w->t = k->t;
    memcpy(w->q, k->q, n * sizeof *q);
    memset(w->v, 0, n * sizeof *w->v);
    lia_workspace_update(w, 1);
    lia_workspace_matrices(w);
    fields_of(k);
    for (size_t e = 0; e < k->F * n; e++) {
        if (!isfinite(k->zeta[e])) return false;
    }
    if (!direction_of(k, ahead)) return false;
    turns_of(k);
    if (!velocities_of(k)) return false;
    conditions(k);
    return true;
}

void lia_gauge_place_field(const LiaGaugePlace* k, const double* z, double* Z) {
    memset(Z, 0, k->n * sizeof *Z);
    for (size_t f = 0; f < k->F; f++) {
        for (size_t i = 0; i < k->n; i++) Z[i] += z[f] * k->zeta[f * k->n + i];
    }
}

int lia_gauge_place_admitted(LiaGaugePlace* k, double* z) {
    size_t F = k->F, rows = 2 * k->m + k->V, columns = k->has_shape ? 2 * F : F;
    double* basis = k->room.work;
    for (size_t r = 0; r < rows; r++) {  // terms that cancel are rounding
        for (size_t f = 0; f < columns; f++) {
            double x = k->system[r * 2 * F + f];
            bool rounding = fabs(x) <= LIA_RELATION_EXACT * k->scale[r];
            k->room.least[r * columns + f] = rounding ? 0.0 : x;
        }
    }
    int count = lia_span_kernel((int)rows, (int)columns, k->room.least, basis), kept = 0;
    for (int b = 0; b < count; b++) {  // those with a z of their own
        memcpy(z + (size_t)kept * F, basis + (size_t)b * columns, F * sizeof *z);
        double size = 0.0;
        for (size_t f = 0; f < F; f++) size = hypot(size, z[(size_t)kept * F + f]);
        if (size > LIA_SPAN_CUT && lia_span_rank(kept + 1, (int)F, z) == kept + 1) kept++;
    }
    return count < 0 ? count : kept;
}

// What is left of the conditions with z and dz, of the size of their terms.
static double left_of(const LiaGaugePlace* k, const double* z, const double* dz) {
    size_t F = k->F;
    double most = 0.0, largest = 0.0;
    // so that LIA_RELATION_EXACT of what the terms could be is rounding where LIA_GAUGE_CONSTANT of
    // them is
    const double least = LIA_RELATION_EXACT / LIA_GAUGE_CONSTANT;
    for (size_t f = 0; f < F; f++) largest = fmax(largest, fabs(z[f]));
    for (size_t r = 0; r < 2 * k->m + k->V; r++) {
        const double *row = k->system + r * 2 * F, *sizes = k->sizes + r * 2 * F;
        double sum = 0.0, size = least * k->scale[r] * largest;
        for (size_t f = 0; f < F; f++) {
            sum += row[f] * z[f] + row[F + f] * dz[f];
            size += sizes[f] * fabs(z[f]) + sizes[F + f] * fabs(dz[f]);
        }
        if (size > 0.0) most = fmax(most, fabs(sum) / size);
    }
    return most;
}

// z without the part that Omega Z = 0 does not admit: inside a step there is some, and the
// equations contradict each other.
static void project(LiaGaugePlace* k, const double* z, double* out) {
    size_t F = k->F;
    for (size_t r = 0; r < k->m; r++) {
        k->room.rhs[r] = 0.0;
        for (size_t f = 0; f < F; f++) {
            k->room.least[r * F + f] = k->system[r * 2 * F + f];
            k->room.rhs[r] += k->room.least[r * F + f] * z[f];
        }
    }
    solve_least(k, (int)k->m, (int)F, k->room.least, k->room.rhs, k->scale);
    for (size_t f = 0; f < F; f++) out[f] = z[f] - k->room.solution[f];
}

// The rate along the shape.
static void along_shape(LiaGaugePlace* k, const double* z, double* dz) {
    size_t F = k->F, rows = k->m + k->V;
    for (size_t r = 0; r < rows; r++) {
        const double* row = k->system + (k->m + r) * 2 * F;
        k->room.rhs[r] = 0.0;
        for (size_t f = 0; f < F; f++) {
            k->room.rhs[r] -= row[f] * z[f];
            k->room.least[r * F + f] = row[F + f];
        }
    }
    solve_least(k, (int)rows, (int)F, k->room.least, k->room.rhs, k->scale + k->m);
    memcpy(dz, k->room.solution, F * sizeof *dz);
}

void lia_gauge_place_rate(LiaGaugePlace* k, const double* u, const double* z, double* rate,
                          double* left) {
    size_t F = k->F;
    double *part = k->room.own + 2 * F, *dz = part + F + 1, *kept = dz + F;
    divide(k, u, part);
    for (size_t C = 0; C < F; C++) {  // the group turns z
        rate[C] = 0.0;
        for (size_t B = 0; B < F; B++) {
            for (size_t A = 0; A < F; A++)
                rate[C] += part[B] * z[A] * k->structure[(B * F + A) * F + C];
        }
    }
    memset(dz, 0, F * sizeof *dz);
    if (k->has_shape) {
        project(k, z, kept);
        along_shape(k, kept, dz);
    }
    *left = fmax(*left, left_of(k, z, dz));
    for (size_t f = 0; f < F; f++) rate[f] += part[F] * dz[f];
}

// --- the group ---------------------------------------------------------------------------------

bool lia_gauge_place_close(LiaGaugePlace* k, const LiaSamples* places, double* left) {
    size_t n = k->n, F = k->F, count = places->count < PLACES ? places->count : PLACES;
    double* zeta =
        k->room.least + PLACES * n * F;  // of all places; before it those that are solved
    double* bracket = LIA_ARENA_NEW(k->arena, double, F* F* PLACES* n + 1);
    double terms = 0.0;  // the largest that brackets are made of
    if (!bracket) return false;
    for (size_t at = 0; at < count; at++) {
        memcpy(k->q, places->q + at * n, n * sizeof *k->q);
        fields_of(k);
        for (size_t i = 0; i < n; i++) {
            for (size_t f = 0; f < F; f++) zeta[(at * n + i) * F + f] = k->zeta[f * n + i];
            for (size_t B = 0; B < F; B++) {
                for (size_t A = 0; A < F; A++) {
                    double a = along(k, B, i, k->zeta + A * n), b = along(k, A, i, k->zeta + B * n);
                    bracket[(B * F + A) * PLACES * n + at * n + i] = a - b;
                    terms = fmax(terms, fabs(a) + fabs(b));
                }
            }
        }
    }
    for (size_t pair = 0; pair < F * F; pair++) {
        double *f = k->structure + pair * F, most = 0.0, miss = 0.0;
        memcpy(k->room.least, zeta, count * n * F * sizeof *zeta);
        memcpy(k->room.rhs, bracket + pair * PLACES * n, count * n * sizeof *bracket);
        solve_least(k, (int)(count * n), (int)F, k->room.least, k->room.rhs, NULL);
        memcpy(f, k->room.solution, F * sizeof *f);
        for (size_t e = 0; e < count * n; e++) {
            double sum = bracket[pair * PLACES * n + e];
            most = fmax(most, fabs(sum));
            for (size_t C = 0; C < F; C++) sum -= f[C] * zeta[e * F + C];
            miss = fmax(miss, fabs(sum));
        }
        // brackets that are zero have no size of their own
        most = fmax(most, LIA_IDENTITY_LEAST / LIA_IDENTITY * terms);
        if (most > 0.0) *left = fmax(*left, miss / most);
    }
    return true;
}
