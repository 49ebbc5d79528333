// A frame adapted to a base. See frame.h.
// SPDX-License-Identifier: MIT
#include "geometry/phase_space/frame.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SECOND_MOST = 8000000 };  // numbers of second derivatives above which there is no frame

typedef struct Work {
    LiaGeometry* y;
    const LiaSystem* s;
    LiaFrame* f;
    LiaArena* arena;
    size_t n;
    double t;
    const double* q;
    uint32_t count;              // rows asked for
    LiaExpr* left;               // d(left)                             (count x n)
    LiaExpr* second;             // gradient by q of <d(left), w>       (count x n)
    double* rows;                // their numbers                       (count x n)
    double* basis;               // orthonormal, for choosing           ((count + groups) x n)
    uint32_t *chosen, *unit;     // rows, groups                (count), (groups)
    const bool *length, *pivot;  // those of LiaFieldsBase
} Work;

static double dot(size_t n, const double* a, const double* b) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static bool find_derivatives(Work* k, const uint32_t* rows) {
    LiaGraph* g = k->y->graph;
    size_t n = k->n;
    k->left = LIA_ARENA_NEW(k->arena, LiaExpr, 2 * k->count * n + 1);
    k->rows = LIA_ARENA_NEW(k->arena, double, k->count* n + 1);
    if (!k->left || !k->rows) return false;
    k->second = k->left + k->count * n;
    for (uint32_t a = 0; a < k->count; a++) {
        LiaExpr left = k->s->rows[rows[a]].left, *form = k->left + a * n;
        bool has_v = (lia_graph_node(g, left)->depends & LIA_DEPENDS(VELOCITY)) != 0;
        if (!lia_diff_gradient(g, left, has_v ? k->s->v : k->s->q, n, form) ||
            !lia_diff_pullback(g, (LiaWeightedSum){form, k->y->w, n}, k->s->q, n,
                               k->second + a * n)) {
            return false;
        }
    }
    return !g->failed;
}

static bool is_unit(const LiaGroup* group) {
    return group->manifold == LIA_ROTATION || group->manifold == LIA_SPHERE;
}

static bool touches(const Work* k, const LiaGroup* group) {
    for (uint32_t a = 0; a < k->count; a++) {
        for (uint32_t i = 0; i < group->count; i++) {
            if (k->rows[a * k->n + group->first + i] != 0.0) return true;
        }
    }
    return false;
}

// What of `row` is independent of the rows kept so far, as the next one of the basis. Returns how
// much, in parts of it.
static double add_to_basis(Work* k, uint32_t kept, const double* row) {
    double *x = k->basis + kept * k->n, size = sqrt(dot(k->n, row, row));
    if (!(size > 0.0)) return 0.0;
    for (size_t i = 0; i < k->n; i++) x[i] = row[i] / size;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t b = 0; b < kept; b++) {
            double along = dot(k->n, x, k->basis + b * k->n);
            for (size_t i = 0; i < k->n; i++) x[i] -= along * k->basis[b * k->n + i];
        }
    }
    double left = sqrt(dot(k->n, x, x));
    for (size_t i = 0; i < k->n && left > 0.0; i++) x[i] /= left;
    return left;
}

// Lengths that the functions depend on come first; then, of the functions, those independent of
// each other.
static bool choose_rows(Work* k, const uint32_t* rows) {
    const LiaModel* model = k->s->model;
    LiaFrame* f = k->f;
    size_t n = k->n, most = k->count + model->groups_count;
    k->basis = LIA_ARENA_NEW(k->arena, double, (most + 1) * n + 1);
    f->F = LIA_ARENA_NEW(k->arena, double, (most + 1) * n + 1);
    f->row = LIA_ARENA_NEW(k->arena, uint32_t, k->count + 1);
    k->chosen = LIA_ARENA_NEW(k->arena, uint32_t, k->count + 1);
    k->unit = LIA_ARENA_NEW(k->arena, uint32_t, model->groups_count + 1);
    double* u = LIA_ARENA_NEW(k->arena, double, n + 1);
    if (!k->basis || !f->F || !f->row || !k->chosen || !k->unit || !u) return false;
    for (uint32_t c = 0; c < model->groups_count; c++) {
        const LiaGroup* group = &model->groups[c];
        bool counts = (k->length && k->length[c]) || touches(k, group);
        if (!is_unit(group) || !counts) continue;
        memset(u, 0, n * sizeof *u);
        memcpy(u + group->first, k->q + group->first, group->count * sizeof *u);
        if (add_to_basis(k, f->nl, u) > LIA_SPAN_CUT) k->unit[f->nl++] = c;
    }
    for (uint32_t a = 0; a < k->count; a++) {
        if (!(add_to_basis(k, f->nl + f->nb, k->rows + a * n) > LIA_SPAN_CUT)) continue;
        memcpy(f->F + f->nb * n, k->rows + a * n, n * sizeof *u);
        f->row[f->nb] = rows[a];
        k->chosen[f->nb++] = a;
    }
    for (uint32_t l = 0; l < f->nl; l++) {
        const LiaGroup* group = &model->groups[k->unit[l]];
        memcpy(f->F + (f->nb + l) * n + group->first, k->q + group->first,
               group->count * sizeof *u);
    }
    return true;
}

// T[b][i][m] = d F_b,m / d q_i; for a length it is the unit matrix.
static bool take_second(Work* k, LiaValues* values, LiaSymbols* at) {
    LiaFrame* f = k->f;
    size_t n = k->n, rows = f->nb + f->nl;
    f->bent = f->nl > 0;
    for (uint32_t b = 0; b < f->nb; b++) {
        for (size_t i = 0; i < n; i++) {
            f->bent |= !lia_graph_is_zero(k->y->graph, k->second[k->chosen[b] * n + i]);
        }
    }
    if (!f->bent) return true;
    if (rows * n * n > SECOND_MOST) {
        f->why = "the functions of the base have too many second derivatives";
        return false;
    }
    f->T = LIA_ARENA_NEW(k->arena, double, rows* n* n + 1);
    double* unit = LIA_ARENA_NEW(k->arena, double, n + 1);
    if (!f->T || !unit) return false;
    at->w = unit;
    for (size_t m = 0; m < n; m++) {
        unit[m] = 1.0;
        lia_evaluate_run(values, at);
        unit[m] = 0.0;
        for (uint32_t b = 0; b < f->nb; b++) {
            for (size_t i = 0; i < n; i++) {
                f->T[(b * n + i) * n + m] = lia_value(values, k->second[k->chosen[b] * n + i]);
            }
        }
    }
    for (uint32_t l = 0; l < f->nl; l++) {
        const LiaGroup* group = &k->s->model->groups[k->unit[l]];
        for (uint32_t i = 0; i < group->count; i++) {
            size_t x = group->first + i;
            f->T[((f->nb + l) * n + x) * n + x] = 1.0;
        }
    }
    return true;
}

// Pivots by complete pivoting on the rows F, scaled to size 1; what the functions are themselves
// comes first.
static bool choose_pivots(Work* k) {
    LiaFrame* f = k->f;
    size_t n = k->n, rows = f->nb + f->nl;
    double* A = LIA_ARENA_NEW(k->arena, double, rows* n + 1);
    bool *used = LIA_ARENA_NEW(k->arena, bool, rows + 1),
         *taken = LIA_ARENA_NEW(k->arena, bool, n + 1);
    f->pivot = LIA_ARENA_NEW(k->arena, uint32_t, rows + 1);
    f->fibre = LIA_ARENA_NEW(k->arena, uint32_t, n + 1);
    if (!A || !used || !taken || !f->pivot || !f->fibre) return false;
    for (size_t r = 0; r < rows; r++) {
        double size = sqrt(dot(n, f->F + r * n, f->F + r * n));
        for (size_t i = 0; i < n; i++) A[r * n + i] = f->F[r * n + i] / size;
    }
    for (size_t step = 0; step < rows; step++) {
        size_t row = 0, column = 0;
        double most = 0.0;
        for (size_t r = 0; r < rows; r++) {
            for (size_t i = 0; !used[r] && i < n; i++) {
                if (taken[i] || (k->pivot && !k->pivot[i])) continue;
                if (!(fabs(A[r * n + i]) > most)) continue;
                most = fabs(A[r * n + i]);
                row = r, column = i;
            }
        }
        if (!(most > LIA_SPAN_CUT)) {
            f->why = "the functions of the base depend on each other here";
            return false;
        }
        used[row] = taken[column] = true;
        f->pivot[step] = (uint32_t)column;
        for (size_t r = 0; r < rows; r++) {
            double part = used[r] ? 0.0 : A[r * n + column] / A[row * n + column];
            for (size_t i = 0; i < n; i++) A[r * n + i] -= part * A[row * n + i];
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!taken[i]) f->fibre[f->nf++] = i;
    }
    return true;
}

static bool make_vertical(Work* k) {
    LiaFrame* f = k->f;
    size_t n = k->n, rows = f->nb + f->nl;
    double* scales = LIA_ARENA_NEW(k->arena, double, 2 * rows + 1);
    double* B = LIA_ARENA_NEW(k->arena, double, 2 * rows * rows + 1);
    int* exchanges = LIA_ARENA_NEW(k->arena, int, 2 * rows + 1);
    f->P = LIA_ARENA_NEW(k->arena, double, f->nf* rows + 1);
    f->work = LIA_ARENA_NEW(k->arena, double, n + rows + 1);
    if (!scales || !B || !exchanges || !f->P || !f->work) return false;
    double *forward = B + rows * rows, *x = f->work;
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < rows; c++) {
            double entry = f->F[r * n + f->pivot[c]];
            forward[r * rows + c] = entry;
            B[c * rows + r] = entry;
        }
    }
    LiaLu lu = {(int)rows, forward, exchanges + rows, scales, scales + rows};
    if (rows > 0) lia_dense_lu_factor(&lu, NULL);
    for (size_t j = 0; j < f->nf; j++) {
        for (size_t r = 0; r < rows; r++) x[r] = -f->F[r * n + f->fibre[j]];
        if (rows > 0) lia_dense_lu_solve(&lu, x);
        for (size_t r = 0; r < rows; r++) f->P[j * rows + r] = x[r];
    }
    double* more = LIA_ARENA_NEW(k->arena, double, 2 * rows + 1);
    if (!more) return false;
    f->B = (LiaLu){(int)rows, B, exchanges, more, more + rows};
    if (rows > 0) lia_dense_lu_factor(&f->B, NULL);
    return true;
}

// --- left sides that are no velocities of functions ---------------------------------------------
//
// Angular velocity, or the velocity in moving axes, is no derivative of anything, but its forms
// theta may span the differentials of functions f, df_b = g_bc theta_c. With g = 1 at the place f
// has the second derivatives
//   S_b(w, .) = T_b(w, .) + gamma_bc(w) theta_c,      gamma = dg
// which must be symmetric. For N_c with theta_b(N_c) = delta_bc, and D_b = d(theta_b), that is so
// with
//   gamma_bc(w) = -D_b(w, N_c) + 1/2 theta_d(w) D_b(N_d, N_c)
// if D_b vanishes on pairs of vertical vectors; what is left open is a choice of coordinates on the
// base.

typedef struct Bent {
    double *N, *DN, *both;  // dual vectors; D_b(e_i, N_c); D_b(N_d, N_c)   (rows x n) ...
} Bent;

static bool is_symmetric(size_t n, const double* T) {
    for (size_t i = 0; i < n; i++) {
        for (size_t m = 0; m < i; m++) {
            double x = T[i * n + m], y = T[m * n + i];
            if (fabs(x - y) > LIA_IDENTITY * (fabs(x) + fabs(y))) return false;
        }
    }
    return true;
}

static bool find_duals(Work* k, Bent* x) {
    LiaFrame* f = k->f;
    size_t n = k->n, rows = f->nb + f->nl;
    x->N = LIA_ARENA_NEW(k->arena, double, 2 * rows * n + rows * rows + 1);
    if (!x->N) return false;
    x->DN = x->N + rows * n, x->both = x->DN + rows * n;
    for (size_t p = 0; p < rows; p++) {
        double* y = f->work;
        memset(y, 0, rows * sizeof *y);
        y[p] = 1.0;
        lia_dense_lu_solve(&f->B, y);
        for (size_t c = 0; c < rows; c++) x->N[c * n + f->pivot[p]] = y[c];
    }
    return true;
}

// Is D_b zero on pairs of vertical vectors?
static bool is_closed(const Work* k, const double* T, double* Z, double* by) {
    const LiaFrame* f = k->f;
    size_t n = k->n;
    for (size_t j = 0; j < f->nf; j++) {
        memset(Z, 0, n * sizeof *Z);
        lia_frame_add(f, j, 1.0, Z);
        double size = 0.0;
        for (size_t i = 0; i < n; i++) {
            by[i] = 0.0;
            for (size_t m = 0; m < n; m++) {
                by[i] += (T[i * n + m] - T[m * n + i]) * Z[m];
                size += fabs(T[i * n + m] * Z[m]) + fabs(T[m * n + i] * Z[m]);
            }
        }
        for (size_t e = 0; e < f->nf; e++) {
            if (fabs(lia_frame_along(f, e, by)) > LIA_IDENTITY * size) return false;
        }
    }
    return true;
}

static void add_factor(const Work* k, const Bent* x, double* T) {
    const LiaFrame* f = k->f;
    size_t n = k->n, rows = f->nb + f->nl;
    for (size_t c = 0; c < rows; c++) {
        double* D = x->DN + c * n;
        for (size_t i = 0; i < n; i++) {
            D[i] = 0.0;
            for (size_t m = 0; m < n; m++) D[i] += (T[i * n + m] - T[m * n + i]) * x->N[c * n + m];
        }
        for (size_t d = 0; d < rows; d++) x->both[d * rows + c] = dot(n, x->N + d * n, D);
    }
    for (size_t c = 0; c < rows; c++) {
        for (size_t i = 0; i < n; i++) {
            double gamma = -x->DN[c * n + i];
            for (size_t d = 0; d < rows; d++)
                gamma += 0.5 * f->F[d * n + i] * x->both[d * rows + c];
            for (size_t m = 0; m < n; m++) T[i * n + m] += gamma * f->F[c * n + m];
        }
    }
}

static bool make_symmetric(Work* k) {
    LiaFrame* f = k->f;
    size_t n = k->n;
    Bent x = {0};
    double* Z = LIA_ARENA_NEW(k->arena, double, 2 * n + 1);
    if (!Z) return false;
    for (uint32_t b = 0; f->bent && b < f->nb; b++) {
        double* T = f->T + b * n * n;
        if (!is_symmetric(n, T)) {
            if (!x.N && !find_duals(k, &x)) return false;
            if (!is_closed(k, T, Z, Z + n)) {
                f->why = "left sides are not the velocities of functions";
                return false;
            }
            add_factor(k, &x, T);
        }
        for (size_t i = 0; i < n; i++) {
            for (size_t m = 0; m < i; m++) {
                double mean = 0.5 * (T[i * n + m] + T[m * n + i]);
                T[i * n + m] = T[m * n + i] = mean;
            }
        }
    }
    return true;
}

bool lia_frame_make(LiaGeometry* y, LiaFieldsBase base, double t, const double* q, LiaArena* arena,
                    LiaFrame* f) {
    const uint32_t* rows = base.row;
    uint32_t count = base.count;
    const LiaSystem* s = y->system;
    *f = (LiaFrame){.n = s->n};
    Work k = {.y = y, .s = s, .f = f, .arena = arena, .n = s->n, .t = t, .q = q, .count = count};
    k.length = base.length, k.pivot = base.pivot;
    LiaValues values = {0};
    double* zero = LIA_ARENA_NEW(arena, double, s->n + 1);
    LiaSymbols at = {.t = t, .parameters = s->parameters, .q = q, .v = zero, .w = zero};
    bool ok = zero && find_derivatives(&k, rows) &&
              lia_evaluate_init(&values, y->graph, k.left, 2 * count * k.n);
    if (ok) {
        lia_evaluate_run(&values, &at);
        for (size_t i = 0; i < count * k.n; i++) k.rows[i] = lia_value(&values, k.left[i]);
        ok = choose_rows(&k, rows) && take_second(&k, &values, &at) && choose_pivots(&k) &&
             make_vertical(&k) && make_symmetric(&k);
    }
    lia_evaluate_clear(&values);
    return ok;
}

double lia_frame_along(const LiaFrame* f, size_t j, const double* a) {
    size_t rows = f->nb + f->nl;
    double sum = a[f->fibre[j]];
    for (size_t r = 0; r < rows; r++) sum += f->P[j * rows + r] * a[f->pivot[r]];
    return sum;
}

void lia_frame_add(const LiaFrame* f, size_t j, double factor, double* out) {
    size_t rows = f->nb + f->nl;
    out[f->fibre[j]] += factor;
    for (size_t r = 0; r < rows; r++) out[f->pivot[r]] += factor * f->P[j * rows + r];
}

// E(c, a) = -B^-1 (T c a) in the pivots, so <p, E(e_i, a)> = -y^T T[i] a with B^T y = p of the
// pivots.
void lia_frame_bend(const LiaFrame* f, const double* p, const double* a, double* out) {
    size_t n = f->n, rows = f->nb + f->nl;
    if (!f->bent || rows == 0) return;
    double* y = f->work;
    for (size_t r = 0; r < rows; r++) y[r] = p[f->pivot[r]];
    lia_dense_lu_solve(&f->B, y);
    for (size_t r = 0; r < rows; r++) {
        if (y[r] == 0.0) continue;
        for (size_t i = 0; i < n; i++) out[i] -= y[r] * dot(n, f->T + (r * n + i) * n, a);
    }
}

double lia_frame_second(const LiaFrame* f, uint32_t b, const double* c, const double* a) {
    size_t n = f->n;
    double sum = 0.0;
    assert(b < f->nb + f->nl);
    for (size_t i = 0; f->bent && i < n; i++) {
        if (c[i] != 0.0) sum += c[i] * dot(n, f->T + (b * n + i) * n, a);
    }
    return sum;
}
