// The mechanics in numbers: K0 and the residual, order by order. See workspace.h and expr/tape.h.
//
// At stage k the unknowns are a[k] = (k+1) v[k+1] and mu[k]; with both at zero
//   r[k] = (k+1) p[k+1] - G[k]
//   c[k] = (k+1) psi[k+1]  (kinematic),   (k+1)(k+2) phi[k+2]  (geometric)
// and K0 (a[k], mu[k]) = -(r[k], c[k]), the same matrix at every order.
// SPDX-License-Identifier: MIT
#include "workspace.h"
#include "together.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Tests put a wrong sign into one term, to see that the second way notices.
enum { FLIP_NONE, FLIP_MOMENTUM, FLIP_G, FLIP_OMEGA, FLIP_KINEMATIC, FLIP_GEOMETRIC, FLIP_CORRECT };

// Orders whose last digits matter: later terms of a series are too small.
enum { CAREFUL = 8 };

static LiaWorkspace* create(const LiaSystem* s, const LiaDynamics* d, int order, bool sparse) {
    LiaWorkspace* w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->system = s;
    w->dynamics = d;
    size_t n = s->n, nf = d->nf, nc = d->nc, N = nf + nc, lines = s->line_count,
           rows = s->row_count;
    w->n = (int)n, w->nf = (int)nf, w->nc = (int)nc;
    size_t full = sparse ? 0 : nf * nf + 2 * nc * nf + N * N;
    size_t doubles = 4 * n + lines + 5 * nc + full + 2 * rows + 4 * N;
    w->block = calloc(doubles * sizeof(double) + (N + nc + 1) * sizeof(int) + rows + 1, 1);
    w->unknown = calloc(nf + 1, sizeof *w->unknown);
    w->balance = calloc(nf + 1, sizeof *w->balance);
    w->equation = calloc(nc + 1, sizeof *w->equation);
    w->window_end = calloc(d->tape->window_count + 1, sizeof *w->window_end);
    if (sparse) w->saddle = lia_saddle_create(d);
    if (!w->block || !w->unknown || !w->balance || !w->equation || !w->window_end ||
        (sparse && !w->saddle) || !lia_jet_init(&w->jets, d->tape, order)) {
        lia_workspace_destroy(w);
        return NULL;
    }
    w->jets.correct_all = s->correct_all;
    for (size_t i = 0; i < n; i++) {
        if (s->model->coordinates[i].manifold == LIA_ROTATION) w->refined = CAREFUL;
    }
    double* x = w->block;
    w->q = x, x += n;
    w->v = x, x += n;
    w->p = x, x += n;
    w->a = x, x += n;
    w->work = x, x += lines;
    w->phi = x, x += nc;
    w->level0 = x, x += nc;
    w->psi = x, x += nc;
    w->miss = x, x += nc;
    w->gamma = x, x += nc;
    if (!sparse) {
        w->M = x, x += nf * nf;
        w->J = x, x += nc * nf;
        w->Omega = x, x += nc * nf;
        w->K0 = x, x += N * N;
    }
    w->mu = x, x += rows;
    w->other = x, x += rows;
    w->b = x, x += N;
    w->measure = x, x += N;
    w->lu = (LiaLu){.n = (int)N, .A = w->K0, .left = x, .right = x + N, .row = (int*)(x + 2 * N)};
    w->active = w->lu.row + N;
    w->unique = (bool*)(w->active + nc);
    const uint32_t* place = w->jets.place;
    for (size_t k = 0; k < nf; k++) {
        uint32_t i = d->free[k];
        w->unknown[k] = (struct LiaUnknown){.q = place[d->tape->position[i]],
                                            .v = place[d->tape->velocity[i]],
                                            .a = place[d->tape->acceleration[i]],
                                            .change_q = d->tape->position[i],
                                            .change_v = d->tape->velocity[i]};
        w->balance[k] = (struct LiaBalance){place[d->p[i]], place[d->G_register[i]]};
    }
    for (size_t c = 0; c < nc; c++) {
        w->equation[c] = (struct LiaRowSeries){.e = place[d->equation[c]],
                                               .mu = place[d->tape->multiplier[d->rows[c]]],
                                               .geometric = s->rows[d->rows[c]].geometric};
    }
    for (uint32_t i = 0, k = 0; i < d->tape->window_count; i++) {
        while (k < nf && d->free[k] < d->tape->windows[i].coordinate) k++;
        w->window_end[i] = (int)k;
    }
    for (w->nr = 0; w->nr < w->nc; w->nr++) w->active[w->nr] = w->nr;
    for (size_t r = 0; r < rows; r++) w->unique[r] = true;
    return w;
}

LiaWorkspace* lia_workspace_create(const LiaSystem* s, const LiaDynamics* d, int order) {
    return create(s, d, order, s->algebra ? s->algebra == 2 : d->sparse);
}

LiaWorkspace* lia_workspace_create_dense(const LiaSystem* s, const LiaDynamics* d, int order) {
    return create(s, d, order, false);
}

void lia_workspace_destroy(LiaWorkspace* w) {
    if (!w) return;
    lia_saddle_destroy(w->saddle);
    lia_jet_clear(&w->jets);
    free(w->hidden_block);
    lia_hidden_forget(w);
    free(w->together);
    free(w->unknown);
    free(w->balance);
    free(w->equation);
    free(w->window_end);
    free(w->weight);
    free(w->block);
    free(w);
}

static double* series(const LiaWorkspace* w, uint32_t reg) { return lia_jet_series(&w->jets, reg); }

// Coefficient k of the register at a place. `large` false: all have series.
static inline __attribute__((always_inline)) double* coefficient(const LiaWorkspace* w,
                                                                 uint32_t place, int k,
                                                                 bool large) {
    if (!large) return w->jets.s + place + k;
    LiaOrder order = lia_jet_order(&w->jets, k);
    return lia_jet_at(&w->jets, place, &order);
}

static inline __attribute__((always_inline)) void load_unknowns(LiaWorkspace* w, bool large) {
    const struct LiaUnknown* x = w->unknown;
    for (int k = 0; k < w->nf; k++) {
        double q = w->q[w->dynamics->free[k]], v = w->v[w->dynamics->free[k]];
        *coefficient(w, x[k].q, 0, large) = q;
        *coefficient(w, x[k].q, 1, large) = *coefficient(w, x[k].v, 0, large) = v;
        *coefficient(w, x[k].q, 2, large) = *coefficient(w, x[k].v, 1, large) = 0.0;
    }
}

void lia_mechanics_load(LiaWorkspace* w, int order) {
    const LiaDynamics* d = w->dynamics;
    const LiaTape* tape = d->tape;
    for (uint32_t k = 0; k < d->drive_count; k++) {
        uint32_t i = d->drives[k].coordinate;
        if (d->drives[k].rate) series(w, tape->position[i])[0] = w->q[i];
    }
    lia_jet_drive(&w->jets, w->t, order);
    for (uint32_t k = 0; k < d->drive_count; k++) {
        uint32_t i = d->drives[k].coordinate;
        w->q[i] = series(w, tape->position[i])[0];
        w->v[i] = series(w, tape->velocity[i])[0];
    }
    if (w->jets.tape->room) {
        load_unknowns(w, true);
    } else {
        load_unknowns(w, false);
    }
    for (uint32_t l = 0; l < w->system->line_count; l++) series(w, tape->work[l])[0] = w->work[l];
}

void lia_mechanics_residuals(LiaWorkspace* w) {
    const LiaDynamics* d = w->dynamics;
    lia_jet_prologue(&w->jets);
    for (uint32_t c = 0; c < d->nc; c++) {
        double e = lia_jet_coefficient(&w->jets, d->equation[c], 0);
        bool geometric = w->system->rows[d->rows[c]].geometric;
        uint32_t kept = d->position[c];
        w->phi[c] = geometric ? e - w->level0[c] : kept ? series(w, kept)[0] : 0.0;
        w->psi[c] = geometric ? lia_jet_coefficient(&w->jets, d->equation[c], 1) : e;
    }
}

void lia_mechanics_look(LiaWorkspace* w, double ahead) {
    if (w->dynamics->tape->guard_count == 0) return;
    double t = w->t;
    w->jets.decide = true;
    w->t += ahead;
    for (int i = 0; i < w->n; i++) w->q[i] += ahead * w->v[i];
    lia_mechanics_load(w, 1);
    lia_mechanics_residuals(w);
    lia_mechanics_stage0(w);
    lia_jet_post(&w->jets, 0, 0);
    w->t = t;
    for (int i = 0; i < w->n; i++) w->q[i] -= ahead * w->v[i];
    w->jets.decide = false;
}

void lia_mechanics_take_sides(LiaWorkspace* w, const LiaWorkspace* from) {
    const LiaTape *to_tape = w->dynamics->tape, *tape = from->dynamics->tape;
    w->jets.decide = false;
    for (uint32_t g = 0; g < to_tape->guard_count; g++) {
        const LiaGuard* guard = &to_tape->guards[g];
        for (uint32_t k = 0; k < tape->guard_count; k++) {
            if (tape->guards[k].node.index == guard->node.index &&
                tape->guards[k].rule == guard->rule) {
                w->jets.side[g] = from->jets.side[k];
            }
        }
    }
}

void lia_mechanics_levels(LiaWorkspace* w) {
    for (int c = 0; c < w->nc; c++) w->level0[c] = 0.0;
    lia_mechanics_load(w, 1);
    lia_mechanics_residuals(w);
    for (int c = 0; c < w->nc; c++) {
        if (!w->system->rows[w->dynamics->rows[c]].levelled) continue;
        w->level0[c] = w->phi[c];
        w->phi[c] = 0.0;
    }
}

static LiaEntries row_of(const LiaPattern* p, const double* values, int row) {
    int at = p->start[row];
    return (LiaEntries){p->start[row + 1] - at, p->column + at, values + at};
}

static LiaEntries full_row(const LiaWorkspace* w, const double* A, int row) {
    return (LiaEntries){w->nf, NULL, A + (size_t)row * (size_t)w->nf};
}

LiaEntries lia_mechanics_M(const LiaWorkspace* w, int i) {
    if (!w->saddle) return full_row(w, w->M, i);
    return row_of(&w->dynamics->M, w->saddle->value, i);
}

LiaEntries lia_mechanics_J(const LiaWorkspace* w, int c) {
    const LiaDynamics* d = w->dynamics;
    if (!w->saddle) return full_row(w, w->J, c);
    return row_of(&d->J, w->saddle->value + d->M.start[d->nf], c);
}

LiaEntries lia_mechanics_Omega(const LiaWorkspace* w, int c) {
    const LiaDynamics* d = w->dynamics;
    if (!w->saddle) return full_row(w, w->Omega, c);
    return row_of(&d->Omega, w->saddle->value + d->M.start[d->nf] + d->J.start[d->nc], c);
}

double lia_mechanics_inertia(const LiaWorkspace* w, int i) {
    LiaEntries row = lia_mechanics_M(w, i);
    if (!row.column) return row.value[i];
    for (int k = 0; k < row.count; k++) {
        if (row.column[k] == i) return row.value[k];
    }
    return 0.0;
}

// Read M and J from the lanes of one pass.
static void take_columns(LiaWorkspace* w, const LiaProbes* p, uint32_t pass) {
    const LiaRead *r = p->reads + p->read_start[pass], *end = p->reads + p->read_start[pass + 1];
    if (w->saddle) {
        for (; r < end; r++) {
            w->saddle->value[r->entry] = lia_jet_lane(&w->jets, r->reg, (int)r->lane);
        }
    } else {  // J stands behind M
        const size_t* place = w->dynamics->place;
        for (; r < end; r++) {
            w->M[place[r->entry]] = lia_jet_lane(&w->jets, r->reg, (int)r->lane);
        }
    }
}

// M and J column by column, several columns in one lane and several lanes in one pass.
static void probe(LiaWorkspace* w) {
    for (int by_q = 0; by_q < 2; by_q++) {
        const LiaProbes* p = by_q ? &w->dynamics->probe_q : &w->dynamics->probe_v;
        for (uint32_t pass = 0; pass < p->passes; pass++) {
            uint32_t from = p->seed_start[pass], count = p->seed_start[pass + 1] - from;
            if (by_q) {
                lia_jet_probe_q(&w->jets, p->coordinate + from, p->lane + from, count);
            } else {
                lia_jet_probe_v(&w->jets, p->coordinate + from, p->lane + from, count);
            }
            take_columns(w, p, pass);
        }
    }
}

void lia_mechanics_stage0(LiaWorkspace* w) {
    for (uint32_t r = 0; r < w->system->row_count; r++) {
        series(w, w->dynamics->tape->multiplier[r])[0] = 0.0;
    }
    lia_jet_stage(&w->jets, 0);
}

// K0 of the active rows; where w->measured is set, with rows and columns in the units of w->measure.
static double factor_once(LiaWorkspace* w) {
    size_t nf = (size_t)w->nf, nr = (size_t)w->nr, N = nf + nr;
    double sign = w->system->flip == FLIP_OMEGA ? 1.0 : -1.0;
    const double* unit = w->measured ? w->measure : NULL;
    if (w->saddle) return lia_saddle_factor(w->saddle, w->active, w->nr, sign, unit, &w->weakest);
    for (size_t i = 0; i < nf; i++) {
        memcpy(w->K0 + i * N, w->M + i * nf, nf * sizeof(double));
        for (size_t a = 0; a < nr; a++) {
            w->K0[i * N + nf + a] = sign * w->Omega[(size_t)w->active[a] * nf + i];
        }
    }
    for (size_t a = 0; a < nr; a++) {
        memcpy(w->K0 + (nf + a) * N, w->J + (size_t)w->active[a] * nf, nf * sizeof(double));
        for (size_t e = 0; e < nr; e++) w->K0[(nf + a) * N + nf + e] = 0.0;
    }
    for (size_t i = 0; unit && i < N; i++) {
        double left = i < nf ? unit[i] : 1.0;
        for (size_t k = 0; k < N; k++) w->K0[i * N + k] *= left * unit[k];
    }
    w->lu.n = (int)N;
    return lia_lu_factor(&w->lu, &w->weakest);
}

// Below this a pivot is looked at twice: do the rows depend on each other?
static const double suspicious = 1e-7, singular = 1e-14;

// A small pivot may be a matter of units: in kilograms and metres the inertia of a grain of dust is nothing beside the 1 of a
// constraint. Where coordinates are measured by their own inertia and the pivot is larger, that is kept.
static double factor_active(LiaWorkspace* w) {
    if (w->saddle && w->measured) {  // an order of elimination was found for these units
        lia_measure_by_inertia(w);
        double pivot = factor_once(w);
        if (pivot > suspicious) return pivot;
    }
    w->measured = false;
    double plain = factor_once(w);
    if (plain > suspicious || w->nr == 0 || !isfinite(plain)) return plain;
    lia_measure_by_inertia(w);
    w->measured = true;
    double pivot = factor_once(w);
    if (pivot > 10.0 * plain) return pivot;
    w->measured = false;
    return factor_once(w);
}

// `careful`: to the last digit, where the pivots are not the best.
static void solve(const LiaWorkspace* w, double* b, bool careful) {
    for (int i = 0; w->measured && i < w->nf; i++) b[i] *= w->measure[i];
    if (!w->saddle) {
        lia_lu_solve(&w->lu, b);
    } else if (careful) {
        lia_sparse_lu_refine(&w->saddle->lu, &w->saddle->K0, b);
    } else {
        lia_sparse_lu_solve(&w->saddle->lu, b);
    }
    for (int i = 0; w->measured && i < w->nf + w->nr; i++) b[i] *= w->measure[i];
}

void lia_mechanics_solve(const LiaWorkspace* w, double* b) { solve(w, b, true); }

double lia_mechanics_size(const LiaWorkspace* w) {
    if (w->saddle) return NAN;
    double size = lia_lu_size(&w->lu);
    for (int i = 0; w->measured && i < w->nf + w->nr; i++) {
        size -= (i < w->nf ? 2.0 : 1.0) * log2(w->measure[i]);
    }
    return size;
}

void lia_mechanics_matrices(LiaWorkspace* w) {
    const LiaDynamics* d = w->dynamics;
    lia_mechanics_stage0(w);
    lia_jet_aside(&w->jets, 0);
    probe(w);
    double* sparse = w->saddle ? w->saddle->value + d->M.start[d->nf] + d->J.start[d->nc] : NULL;
    for (uint32_t c = 0; c < d->nc; c++) {
        for (int e = d->Omega.start[c]; e < d->Omega.start[c + 1]; e++) {
            double x = lia_jet_coefficient(&w->jets, d->Omega_register[e], 0);
            if (sparse) {
                sparse[e] = x;
            } else {
                w->Omega[c * d->nf + (uint32_t)d->Omega.column[e]] = x;
            }
        }
    }
}

bool lia_mechanics_factor(LiaWorkspace* w) {
    int nc = w->nc;
    lia_mechanics_matrices(w);
    w->contradiction = 0;
    w->pivot = factor_active(w);
    // The rows chosen were the best ones then: a pivot or a determinant that has shrunk since asks whether others are better
    // now. (A row that turns into the span of the others takes the square of its distance from them out of the determinant,
    // long before its pivot is the smallest.)
    bool faded = w->nr < w->nc && !w->hidden &&
                 (w->pivot < 0.05 * w->pivot_chosen ||
                  lia_mechanics_size(w) < w->size_chosen - 1.5 || lia_mechanics_faded(w));
    bool dependent = !(w->pivot > suspicious);
    // Off the admissible states all rows look independent: others are taken for rows that faded, not more.
    int most = dependent ? (int)nc : w->nr;
    if ((dependent || faded) && nc > 0) {
        if (lia_mechanics_select(w, 1e-10, most)) w->pivot = factor_active(w);
        w->pivot_chosen = w->pivot;
        w->size_chosen = lia_mechanics_size(w);
    }
    return w->pivot > singular && isfinite(w->pivot);
}

// A row that is not active follows from the active ones: J a + gamma = 0 holds for it too. Where it
// does not, the rank has grown since the rows were chosen, or the equations contradict each other.
static int row_left_out(const LiaWorkspace* w) {
    for (int c = 0; c < w->nc; c++) {
        double sum = w->gamma[c], size = fabs(sum);
        LiaEntries J = lia_mechanics_J(w, c);
        for (int k = 0; k < J.count; k++) {
            double x = J.value[k] * w->b[lia_entry_column(&J, k)];
            sum += x;
            size += fabs(x);
        }
        if (fabs(sum) > 1e-8 * (1.0 + size)) return 1 + c;
    }
    return 0;
}

// c[k], with the unknowns of stage k at zero.
static inline __attribute__((always_inline)) double equation_rate(const LiaWorkspace* w, int c,
                                                                  int k, bool large) {
    const struct LiaRowSeries* row = &w->equation[c];
    double rate = row->geometric ? (k + 1) * (k + 2) * *coefficient(w, row->e, k + 2, large)
                                 : (k + 1) * *coefficient(w, row->e, k + 1, large);
    return w->system->flip == (row->geometric ? FLIP_GEOMETRIC : FLIP_KINEMATIC) ? -rate : rate;
}

static inline __attribute__((always_inline)) void find_rest(LiaWorkspace* w, int k, bool large) {
    int flip = w->system->flip, nf = w->nf, nr = w->nr;
    double momentum = flip == FLIP_MOMENTUM ? -(k + 1.0) : k + 1.0;
    double G = flip == FLIP_G ? -1.0 : 1.0;
    const struct LiaBalance* x = w->balance;
    double* b = w->b;
    for (int i = 0; i < nf; i++) {
        b[i] = G * *coefficient(w, x[i].G, k, large) -
               momentum * *coefficient(w, x[i].p, k + 1, large);
    }
    for (int r = 0; r < nr; r++) b[nf + r] = -equation_rate(w, w->active[r], k, large);
}

static __attribute__((noinline)) void find_rest_of_large(LiaWorkspace* w, int k) {
    find_rest(w, k, true);
}

// What the unknowns of stage k as they stand leave of the equations, and K0 once: the solution in w->b.
static void solve_rest(LiaWorkspace* w, int k) {
    if (w->jets.tape->room) {
        find_rest_of_large(w, k);
    } else {
        find_rest(w, k, false);
    }
    // refined stages make up for their digits
    solve(w, w->b, k >= w->refined && k < CAREFUL);
}

static inline double* multiplier(const LiaWorkspace* w, int c, int k) {
    return w->jets.s + w->equation[c].mu + k;
}

// The solution of stage k into the series of the unknowns from <= i < to, and into their changes.
static inline __attribute__((always_inline)) void put(const LiaWorkspace* w, int k, int from,
                                                      int to, bool large) {
    const struct LiaUnknown* x = w->unknown;
    const double* b = w->b;
    double *change_v = w->jets.change_v, *change_q = w->jets.change_q;
    bool corrects_q = lia_jet_corrects_q(&w->jets);
    double to_v = k + 1.0, to_q = (k + 1.0) * (k + 2.0), per_v = 1.0 / to_v, per_q = 1.0 / to_q;
    for (int i = from; i < to; i++) {
        // 1/3, rounded once and for all, would lean to one side in every step of a long run: the first orders are divided.
        double a = b[i], v = k < CAREFUL ? a / to_v : a * per_v,
               q = k < CAREFUL ? a / to_q : a * per_q;
        *coefficient(w, x[i].a, k, large) = a;
        *coefficient(w, x[i].v, k + 1, large) = change_v[x[i].change_v] = v;
        *coefficient(w, x[i].q, k + 2, large) = q;
        if (corrects_q) change_q[x[i].change_q] = q;
        *coefficient(w, x[i].v, k + 2, large) = 0.0;
        *coefficient(w, x[i].q, k + 3, large) = 0.0;
    }
}

static __attribute__((noinline)) void put_in_large(const LiaWorkspace* w, int k, int from, int to) {
    put(w, k, from, to, true);
}

static void put_multipliers(const LiaWorkspace* w, int k) {
    for (int r = 0; r < w->nr; r++) {
        double* mu = multiplier(w, w->active[r], k);
        mu[0] = w->b[w->nf + r];
        mu[1] = 0.0;
    }
}

// The unknowns of stage k, in w->b, into the series; what is made of them is corrected.
static void take_solution(LiaWorkspace* w, int k) {
    if (w->jets.tape->room) {
        put_in_large(w, k, 0, w->nf);
    } else {
        put(w, k, 0, w->nf, false);
    }
    put_multipliers(w, k);
    if (w->system->flip != FLIP_CORRECT) lia_jet_correct(&w->jets, k);
}

// Residuals of stage k, solve, put the unknowns into the series and correct; those of the next stage are
// zero then.
void lia_stage_solve(LiaWorkspace* w, int k) {
    solve_rest(w, k);
    take_solution(w, k);
}

// The same for a solution that is added to what is there.
static void add(const LiaWorkspace* w, int k, int from, int to) {
    const struct LiaUnknown* x = w->unknown;
    double* b = w->b;
    double *change_v = w->jets.change_v, *change_q = w->jets.change_q;
    bool corrects_q = lia_jet_corrects_q(&w->jets);
    bool large = w->jets.tape->room;
    double to_v = k + 1.0, to_q = (k + 1.0) * (k + 2.0);
    for (int i = from; i < to; i++) {
        double* in_a = coefficient(w, x[i].a, k, large);
        double* in_v = coefficient(w, x[i].v, k + 1, large);
        double* in_q = coefficient(w, x[i].q, k + 2, large);
        double a = *in_a + b[i], v = a / to_v, q = a / to_q;
        change_v[x[i].change_v] = v - *in_v;
        if (corrects_q) change_q[x[i].change_q] = q - *in_q;
        *in_a = b[i] = a;
        *in_v = v;
        *in_q = q;
    }
}

static void add_multipliers(const LiaWorkspace* w, int k) {
    double* b = w->b + w->nf;
    for (int r = 0; r < w->nr; r++) b[r] = *multiplier(w, w->active[r], k) += b[r];
}

// K0 and its factors are rounded once for all orders of a step: an error that leans to one side. Run the stage again with
// the unknowns in place, and solve for what they leave; that is rounded anew each time.
static void refine(LiaWorkspace* w, int k) {
    lia_jet_stage(&w->jets, k);
    solve_rest(w, k);
    add(w, k, 0, w->nf);
    add_multipliers(w, k);
    if (w->system->flip != FLIP_CORRECT) lia_jet_correct(&w->jets, k);
}

void lia_stage_begin(LiaWorkspace* w, int k) {
    bool large = w->jets.tape->room;
    for (int i = 0; i < w->nf; i++) {
        *coefficient(w, w->unknown[i].q, k + 2, large) = 0.0;
        *coefficient(w, w->unknown[i].v, k + 1, large) = 0.0;
    }
    for (int c = 0; c < w->nc; c++) {
        if (w->hidden && lia_hidden_is(w, c)) continue;
        *multiplier(w, c, k) = 0.0;
    }
    lia_jet_stage(&w->jets, k);
}

// Forces of eliminated operators: what is missing in the rows of the driven coordinates,
//   lambda[k] = (k+1) p[k+1] - G[k].
void lia_stage_react(LiaWorkspace* w, int k) {
    const LiaDynamics* d = w->dynamics;
    lia_jet_reaction(&w->jets, k);
    for (uint32_t m = 0; m < d->drive_count; m++) {
        uint32_t i = d->drives[m].coordinate;
        double dp = (k + 1) * lia_jet_coefficient(&w->jets, d->p[i], k + 1);
        series(w, d->tape->multiplier[d->drive_row[m]])[k] =
            dp - lia_jet_coefficient(&w->jets, d->G_register[i], k);
    }
}

// The powers and their integrals, orders `from` to `to`: no unknown waits for them.
static void integrate_powers(LiaWorkspace* w, int from, int to) {
    const LiaDynamics* d = w->dynamics;
    lia_jet_post(&w->jets, from, to);
    for (uint32_t l = 0; l < w->system->line_count; l++) {
        double* work = series(w, d->tape->work[l]);
        const double* power = series(w, d->power[l]);
        for (int k = from; k <= to; k++) work[k + 1] = power[k] / (k + 1);
    }
}

void lia_mechanics_gamma(LiaWorkspace* w) {
    for (int c = 0; c < w->nc; c++)
        w->gamma[c] = equation_rate(w, c, 0, w->jets.tape->room != NULL);
}

// Forces of eliminated operators, powers, and what order 0 has given.
static void finish_stage0(LiaWorkspace* w) {
    const LiaDynamics* d = w->dynamics;
    lia_stage_react(w, 0);
    integrate_powers(w, 0, 0);
    for (int i = 0; i < w->n; i++) {
        w->a[i] = lia_jet_coefficient(&w->jets, d->tape->acceleration[i], 0);
        w->p[i] = lia_jet_coefficient(&w->jets, d->p[i], 0);
    }
    for (uint32_t r = 0; r < w->system->row_count; r++) {
        w->mu[r] = series(w, d->tape->multiplier[r])[0];
        w->unique[r] = true;
    }
    for (int i = 0; w->together && i < w->hidden->count; i++) {
        w->unique[d->rows[w->hidden->row[i]]] = !lia_together_open(w, i);
    }
}

void lia_mechanics_accelerate(LiaWorkspace* w) {
    lia_mechanics_gamma(w);
    if (w->hidden) {
        lia_hidden_stage(w, 0);
    } else {
        lia_stage_solve(w, 0);
        if (w->refined) refine(w, 0);
    }
    if (!w->hidden && w->nr < w->nc && row_left_out(w)) {
        // Start this order again with a finer choice of rows.
        if (lia_mechanics_select(w, 1e-13, w->nc)) {
            w->pivot = factor_active(w);
            lia_mechanics_load(w, w->jets.order);
            lia_mechanics_residuals(w);
            lia_mechanics_stage0(w);
            lia_stage_solve(w, 0);
        }
        w->contradiction = row_left_out(w);
    }
    finish_stage0(w);
}

// Those of rows that are not active too, which share() has set in the step before.
static void forget_multipliers(LiaWorkspace* w, int k) {
    for (int c = 0; c < w->nc; c++) *multiplier(w, c, k) = 0.0;
}

// --- large systems: from stage to stage window by window -----------------------------------------

// A solution on its way into the series.
typedef struct Passing {
    const LiaWorkspace* w;
    int k;
    bool added;
} Passing;

static void pass(void* data, uint32_t window) {
    const Passing* p = data;
    const int* end = p->w->window_end + window;
    int from = window ? end[-1] : 0;
    if (p->added) {
        add(p->w, p->k, from, *end);
    } else {
        put_in_large(p->w, p->k, from, *end);
    }
}

// The solution of stage k, in w->b, is put into the series (or added), and stage `next` is run.
static void go_on(LiaWorkspace* w, int k, int next, bool added) {
    Passing p = {w, k, added};
    if (added) {
        add_multipliers(w, k);
    } else {
        put_multipliers(w, k);
    }
    lia_jet_onward(&w->jets, k, next, pass, &p);
}

// Does nothing but the next stage wait for the solution of a stage?
static bool can_go_on(const LiaWorkspace* w) {
    const LiaTape* tape = w->dynamics->tape;
    return tape->window_count && !tape->drive_count && !tape->reaction.count && !w->hidden &&
           w->nr == w->nc && !w->jets.correct_all && w->system->flip != FLIP_CORRECT;
}

static void series_by_windows(LiaWorkspace* w, int order) {
    lia_jet_stage(&w->jets, 1);
    for (int k = 1; k < order; k++) {
        bool added = k < w->refined, last = k + 1 == order;
        solve_rest(w, k);
        if (added) {
            go_on(w, k, k, false);
            solve_rest(w, k);
        }
        if (!last) go_on(w, k, k + 1, added);
        if (last && added) {
            add(w, k, 0, w->nf);
            add_multipliers(w, k);
            lia_jet_correct(&w->jets, k);
        } else if (last) {
            take_solution(w, k);
        }
    }
}

void lia_mechanics_series(LiaWorkspace* w, int order) {
    if (order > 1 && can_go_on(w)) {
        series_by_windows(w, order);
        integrate_powers(w, 1, order - 1);
        return;
    }
    for (int k = 1; k < order; k++) {
        if (w->hidden) {
            lia_hidden_stage(w, k);
        } else {
            if (w->nr < w->nc) forget_multipliers(w, k);
            lia_jet_stage(&w->jets, k);
            lia_stage_solve(w, k);
            if (k < w->refined) refine(w, k);
        }
        lia_stage_react(w, k);
    }
    if (w->nr < w->nc) {
        lia_mechanics_share(w, order);
        integrate_powers(w, 0, 0);
    }
    integrate_powers(w, 1, order - 1);
}

bool lia_mechanics_evaluate(LiaWorkspace* w) {
    lia_mechanics_load(w, 1);
    lia_mechanics_residuals(w);
    if (!lia_mechanics_factor(w)) return false;
    lia_mechanics_accelerate(w);
    return true;
}

// The multipliers in w->mu become those of the formulas.
static void take_multipliers(LiaWorkspace* w) {
    for (int c = 0; c < w->nc; c++) {
        uint32_t row = w->dynamics->rows[c];
        series(w, w->dynamics->tape->multiplier[row])[0] = w->mu[row];
    }
    lia_jet_post(&w->jets, 0, 0);
}

static void sample(LiaWorkspace* w, double* values) {
    lia_jet_sample(&w->jets);
    for (uint32_t i = 0; i < w->system->sample_count; i++) {
        uint32_t reg = lia_tape_register(w->dynamics->tape, w->system->samples[i]);
        values[i] = lia_jet_coefficient(&w->jets, reg, 0);
    }
}

void lia_mechanics_sample(LiaWorkspace* w, double* values) {
    if (w->nr + (w->hidden ? w->hidden->count : 0) < w->nc) {
        lia_mechanics_least_norm(w);
        take_multipliers(w);
    }
    sample(w, values);
}

void lia_mechanics_sample_undetermined(LiaWorkspace* w, double* values) {
    lia_mechanics_load(w, w->jets.order);
    lia_mechanics_residuals(w);
    lia_mechanics_stage0(w);
    for (int i = 0; i < w->nf + w->nc; i++) w->b[i] = NAN;
    take_solution(w, 0);
    for (int c = 0; c < w->nc; c++) *multiplier(w, c, 0) = NAN;
    finish_stage0(w);
    sample(w, values);
}

void lia_mechanics_exchange(LiaWorkspace* w, double* values) {
    for (int c = 0; c < w->nc; c++) {
        uint32_t row = w->dynamics->rows[c];
        double mu = w->mu[row];
        w->mu[row] = w->other[row];
        w->other[row] = mu;
    }
    take_multipliers(w);
    sample(w, values);
}
