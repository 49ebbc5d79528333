// Stages: the residual of d'Alembert's principle made zero order by order. See workspace.h.
//
// At stage k the unknowns are a[k] = (k+1) v[k+1] and mu[k]; with both at zero
//   r[k] = (k+1) p[k+1] - G[k]
//   c[k] = (k+1) psi[k+1]  (kinematic),   (k+1)(k+2) phi[k+2]  (geometric)
// and K0 (a[k], mu[k]) = -(r[k], c[k]), the same matrix at every order.
// SPDX-License-Identifier: MIT
#include "base/numeric/thresholds.h"
#include "mechanics/degree/relative_degree.h"
#include "mechanics/kkt/coefficient.h"
#include "mechanics/kkt/independent.h"
#include "mechanics/kkt/rubbing.h"
#include "mechanics/kkt/stage_pipeline.h"
#include "mechanics/multipliers/min_norm.h"
#include "mechanics/test_hooks.h"
#include <assert.h>
#include <math.h>

// --- what is left of the equations --------------------------------------------------------------

// c[k], with the unknowns of stage k at zero.
static inline __attribute__((always_inline)) double equation_rate(const LiaWorkspace* w, int c,
                                                                  int k, bool large) {
    const struct LiaRowSeries* row = &w->series.equation[c];
    double rate = row->geometric ? (k + 1) * (k + 2) * *coefficient(w, row->e, k + 2, large)
                                 : (k + 1) * *coefficient(w, row->e, k + 1, large);
    LiaFlip wrong = row->geometric ? LIA_FLIP_GEOMETRIC : LIA_FLIP_KINEMATIC;
    return lia_test_hooks(w->system).flip == wrong ? -rate : rate;
}

// -r[k] of an unknown coordinate, likewise.
static inline __attribute__((always_inline)) double balance_rest(const LiaWorkspace* w, int i,
                                                                 int k, bool large) {
    LiaFlip flip = lia_test_hooks(w->system).flip;
    double momentum = flip == LIA_FLIP_MOMENTUM ? -(k + 1.0) : k + 1.0;
    double G = flip == LIA_FLIP_G ? -1.0 : 1.0;
    const struct LiaBalance* x = &w->series.balance[i];
    return G * *coefficient(w, x->G, k, large) - momentum * *coefficient(w, x->p, k + 1, large);
}

static inline __attribute__((always_inline)) void find_rest(LiaWorkspace* w, int k, bool large) {
    double* b = w->b;
    for (int i = 0; i < w->nf; i++) b[i] = balance_rest(w, i, k, large);
    for (int r = 0; r < w->nr; r++) b[w->nf + r] = -equation_rate(w, w->active[r], k, large);
}

// K0 once more; refined stages make up for their digits.
static void solve(const LiaWorkspace* w, int k) {
    bool careful = k >= w->series.refined && k < CAREFUL;
    if (w->saddle.measured) {
        lia_workspace_solve_with(w, w->b, careful);
    } else {
        w->saddle.method->solve(&w->saddle, w->b, careful);
    }
}

// What the unknowns of stage k as they stand leave of the equations, and K0 once: the solution in
// w->b.
static inline __attribute__((always_inline)) void solve_rest(LiaWorkspace* w, int k) {
    if (w->jets.tape->room) {
        find_rest(w, k, true);
    } else {
        find_rest(w, k, false);
    }
    solve(w, k);
}

// --- the unknowns into their series -------------------------------------------------------------

static inline double* multiplier(const LiaWorkspace* w, int c, int k) {
    return w->jets.s + w->series.equation[c].mu + k;
}

// From a[k] to v[k+1] and q[k+2].
typedef struct Scale {
    double to_v, to_q, per_v, per_q;
    bool divides, corrects_q;
} Scale;

static Scale scale_of(const LiaWorkspace* w, int k) {
    double to_v = k + 1.0, to_q = (k + 1.0) * (k + 2.0);
    // 1/3, rounded once and for all, would lean to one side in every step of a long run: the first
    // orders are divided.
    return (Scale){.to_v = to_v,
                   .to_q = to_q,
                   .per_v = 1.0 / to_v,
                   .per_q = 1.0 / to_q,
                   .divides = k < CAREFUL,
                   .corrects_q = lia_jet_corrects_q(&w->jets)};
}

// The solution for one unknown of stage k into its series, and into its changes.
static inline __attribute__((always_inline)) void put(const LiaWorkspace* w, const Scale* z, int i,
                                                      int k, bool large) {
    const struct LiaUnknown* x = &w->series.unknown[i];
    double a = w->b[i], v = z->divides ? a / z->to_v : a * z->per_v,
           q = z->divides ? a / z->to_q : a * z->per_q;
    *coefficient(w, x->a, k, large) = a;
    *coefficient(w, x->v, k + 1, large) = w->jets.change_v[x->change_v] = v;
    *coefficient(w, x->q, k + 2, large) = q;
    if (z->corrects_q) w->jets.change_q[x->change_q] = q;
    *coefficient(w, x->v, k + 2, large) = 0.0;
    *coefficient(w, x->q, k + 3, large) = 0.0;
}

static inline __attribute__((always_inline)) void put_all(const LiaWorkspace* w, int k,
                                                          bool large) {
    Scale z = scale_of(w, k);
    for (int i = 0; i < w->nf; i++) put(w, &z, i, k, large);
}

static inline void put_multiplier(const LiaWorkspace* w, int r, int k) {
    double* mu = multiplier(w, w->active[r], k);
    mu[0] = w->b[w->nf + r];
    mu[1] = 0.0;
}

// The unknowns of stage k, in w->b, into the series; what is made of them is corrected.
static inline __attribute__((always_inline)) void take_solution(LiaWorkspace* w, int k) {
    if (w->jets.tape->room)
        put_all(w, k, true);
    else
        put_all(w, k, false);
    for (int r = 0; r < w->nr; r++) put_multiplier(w, r, k);
    if (lia_test_hooks(w->system).flip != LIA_FLIP_CORRECT) lia_jet_slopes_correct(&w->jets, k);
}

// What was known of the multipliers of friction is a part of them: stage 0 was run with it.
static void add_known(LiaWorkspace* w) {
    for (int r = 0; r < w->nr; r++) {
        uint32_t row = w->dynamics->rows[w->active[r]];
        if (w->system->rows[row].slope) w->b[w->nf + r] += *multiplier(w, w->active[r], 0);
    }
}

// Residuals of stage k; solve; the unknowns into the series, corrected; those of the next are 0.
static inline __attribute__((always_inline)) void solve_stage(LiaWorkspace* w, int k) {
    solve_rest(w, k);
    if (k == 0 && lia_rubbing_is(w)) add_known(w);
    take_solution(w, k);
}

void lia_stage_solve(LiaWorkspace* w, int k) { solve_stage(w, k); }

// The same for a solution that is added to what is there.
static void add(const LiaWorkspace* w, const Scale* z, int i, int k) {
    const struct LiaUnknown* x = &w->series.unknown[i];
    bool large = w->jets.tape->room;
    double* in_a = coefficient(w, x->a, k, large);
    double* in_v = coefficient(w, x->v, k + 1, large);
    double* in_q = coefficient(w, x->q, k + 2, large);
    double a = *in_a + w->b[i], v = a / z->to_v, q = a / z->to_q;
    w->jets.change_v[x->change_v] = v - *in_v;
    if (z->corrects_q) w->jets.change_q[x->change_q] = q - *in_q;
    *in_a = w->b[i] = a;
    *in_v = v;
    *in_q = q;
}

static void add_multiplier(const LiaWorkspace* w, int r, int k) {
    double* b = &w->b[w->nf + r];
    *b = *multiplier(w, w->active[r], k) += *b;
}

static void add_solution(LiaWorkspace* w, int k) {
    Scale z = scale_of(w, k);
    for (int i = 0; i < w->nf; i++) add(w, &z, i, k);
    for (int r = 0; r < w->nr; r++) add_multiplier(w, r, k);
    if (lia_test_hooks(w->system).flip != LIA_FLIP_CORRECT) lia_jet_slopes_correct(&w->jets, k);
}

// K0 and its factors are rounded once for all orders of a step: an error that leans to one side.
// Run the stage again with the unknowns in place, and solve for what they leave, rounded anew.
static void refine(LiaWorkspace* w, int k) {
    lia_jet_stage(&w->jets, k);
    solve_rest(w, k);
    add_solution(w, k);
}

// Where a pivot is small, what is rounded in the elimination is more than what is rounded in K0
// itself (of two equations that are nearly one the factors hold the square of what they differ by):
// the solution is refined too.
static int refinements(const LiaWorkspace* w, int k) {
    if (w->nr > 0 && w->saddle.pivot < LIA_REFINED_PIVOT)
        return w->saddle.pivot < LIA_REFINED_TWICE_PIVOT ? 2 : 1;
    return k < w->series.refined;
}

void lia_stage_begin(LiaWorkspace* w, int k) {
    bool large = w->jets.tape->room;
    for (int i = 0; i < w->nf; i++) {
        *coefficient(w, w->series.unknown[i].q, k + 2, large) = 0.0;
        *coefficient(w, w->series.unknown[i].v, k + 1, large) = 0.0;
    }
    for (int c = 0; c < w->nc; c++) {
        if (lia_relative_degree_is(w, c)) continue;
        *multiplier(w, c, k) = 0.0;
    }
    lia_jet_stage(&w->jets, k);
}

// --- what comes of a stage ----------------------------------------------------------------------

// Forces of eliminated operators: what is missing in the rows of the driven coordinates,
//   lambda[k] = (k+1) p[k+1] - G[k].
static void react(LiaWorkspace* w, int k) {
    const LiaDynamics* d = w->dynamics;
    lia_jet_reaction(&w->jets, k);
    for (uint32_t m = 0; m < d->drive_count; m++) {
        uint32_t i = d->drives[m].coordinate;
        double dp = (k + 1) * lia_jet_coefficient(&w->jets, d->p[i], k + 1);
        series(w, d->tape->multiplier[d->drive_row[m]])[k] =
            dp - lia_jet_coefficient(&w->jets, d->G_register[i], k);
    }
}

// The powers and their integrals, orders `from` to `to`: no unknown waits for them. An event may:
// its order k needs that of a work, which needs order k - 1 of the power.
static void integrate_powers(LiaWorkspace* w, int from, int to) {
    const LiaDynamics* d = w->dynamics;
    int at_once = d->tape->sections.post_of_works ? 1 : to - from + 1;
    for (int first = from; first <= to; first += at_once) {
        int last = first + at_once - 1;
        lia_jet_post(&w->jets, first, last);
        for (const uint32_t* l = d->live.lines; l < d->live.lines + d->live.line_count; l++) {
            double* work = series(w, d->tape->work[*l]);
            const double* power = series(w, d->power[*l]);
            for (int k = first; k <= last; k++) work[k + 1] = power[k] / (k + 1);
        }
    }
}

void lia_stage_gamma(LiaWorkspace* w) {
    assert(w->stage >= LIA_WORKSPACE_RESIDUALS);
    for (int c = 0; c < w->nc; c++)
        w->gamma[c] = equation_rate(w, c, 0, w->jets.tape->room != NULL);
}

// Multipliers that follow from others: friction of what slides.
static void take_following(LiaWorkspace* w) {
    const LiaSystem* s = w->system;
    for (uint32_t i = 0; i < s->mode.following_count; i++) {
        w->mu[s->mode.following[i].row] =
            lia_jet_coefficient(&w->jets, w->dynamics->following[i], 0);
    }
}

// Forces of eliminated operators, powers, and what order 0 has given.
static void finish_stage0(LiaWorkspace* w) {
    const LiaDynamics* d = w->dynamics;
    react(w, 0);
    integrate_powers(w, 0, 0);
    for (int i = 0; i < w->n; i++) {
        w->a[i] = lia_jet_coefficient(&w->jets, d->tape->acceleration[i], 0);
        w->p[i] = lia_jet_coefficient(&w->jets, d->p[i], 0);
    }
    for (const uint32_t* r = d->live.rows; r < d->live.rows + d->live.row_count; r++) {
        w->mu[*r] = series(w, d->tape->multiplier[*r])[0];
        w->unique[*r] = true;
    }
    take_following(w);
    w->forces.method->mark_unique(w);
    w->stage = LIA_WORKSPACE_ACCELERATED;
}

// J a + gamma of a row, and the sum of the sizes of its terms.
static double row_rest(const LiaWorkspace* w, int c, double* size) {
    double sum = w->gamma[c];
    LiaEntries J = lia_workspace_J(w, c);
    *size = fabs(sum);
    for (int k = 0; k < J.count; k++) {
        double x = J.value[k] * w->b[lia_entry_column(&J, k)];
        sum += x;
        *size += fabs(x);
    }
    return fabs(sum);
}

// A row that is not active follows from the active ones: J a + gamma = 0 holds for it too. Where it
// does not, the rank has grown since the rows were chosen, or the equations contradict each other.
static int row_left_out(const LiaWorkspace* w) {
    for (int c = 0; c < w->nc; c++) {
        double size, rest = row_rest(w, c, &size);
        if (rest > LIA_ROW_LEFT_OUT * (1.0 + size)) return 1 + c;
    }
    return 0;
}

// The largest size that a row could have with the accelerations there are, each as large as the
// largest by the inertias: what is at rest in one coordinate has the rounding of the others.
static double row_reach(const LiaWorkspace* w, int c) {
    double most = 0.0, sum = 0.0;
    for (int i = 0; i < w->nf; i++)
        most = lia_larger(most, fabs(lia_workspace_inertia(w, i)) * w->b[i] * w->b[i]);
    LiaEntries J = lia_workspace_J(w, c);
    for (int k = 0; k < J.count; k++) {
        double inertia = fabs(lia_workspace_inertia(w, lia_entry_column(&J, k)));
        if (inertia > 0.0) sum += fabs(J.value[k]) * sqrt(most / inertia);
    }
    return sum;
}

// Do the accelerations satisfy the active rows as well as rounding lets them?
static bool rows_solved(const LiaWorkspace* w) {
    double part = lia_larger(LIA_ROW_SOLVED_LEAST, LIA_ROW_SOLVED * w->saddle.pivot);
    for (int r = 0; r < w->nr; r++) {
        double size, rest = row_rest(w, w->active[r], &size);
        if (rest > part * size && rest > part * row_reach(w, w->active[r])) return false;
    }
    return true;
}

static void solve_order0(LiaWorkspace* w) {
    lia_stage_solve(w, 0);
    for (int pass = refinements(w, 0); pass > 0; pass--) refine(w, 0);
}

static void solve_order0_again(LiaWorkspace* w) {
    lia_workspace_update(w, w->jets.order);
    lia_workspace_stage0(w);
    solve_order0(w);
}

void lia_stage_accelerate_direct(LiaWorkspace* w) {
    solve_order0(w);
    if (lia_rubbing_is(w)) lia_rubbing_settle(w, solve_order0);
    if (!rows_solved(w) && lia_workspace_factor_careful(w)) solve_order0_again(w);
    if (w->nr == w->nc || !row_left_out(w)) return;
    // Start this order again with a finer choice of rows.
    if (lia_independent_select(w, LIA_DEPENDENT_ROWS_FINE, w->nc)) {
        w->saddle.pivot = lia_workspace_factor_active(w);
        solve_order0_again(w);
    }
    w->contradiction = row_left_out(w);
    // A row that says something of its own says it at the next state too.
    if (!w->contradiction) w->saddle.margin = LIA_DEPENDENT_ROWS_FINE;
}

void lia_stage_accelerate(LiaWorkspace* w) {
    assert(w->stage == LIA_WORKSPACE_FACTORED);
    lia_stage_gamma(w);
    w->forces.method->accelerate(w);
    finish_stage0(w);
}

// Values need no order but 0.
void lia_stage_given(LiaWorkspace* w, const double* a, const double* mu) {
    const LiaDynamics* d = w->dynamics;
    const bool large = w->jets.tape->room != NULL;
    assert(w->stage >= LIA_WORKSPACE_RESIDUALS);
    for (int k = 0; k < w->nf; k++) *coefficient(w, w->series.unknown[k].a, 0, large) = a[k];
    for (const uint32_t* r = d->live.rows; r < d->live.rows + d->live.row_count; r++) {
        series(w, d->tape->multiplier[*r])[0] = w->mu[*r] = mu[*r];
        w->unique[*r] = true;
    }
    lia_jet_values(&w->jets);
    lia_jet_reaction(&w->jets, 0);
    lia_jet_post(&w->jets, 0, 0);
    const uint32_t* offset = w->jets.offset;
    for (int i = 0; i < w->n; i++) {
        w->a[i] = *coefficient(w, offset[d->tape->acceleration[i]], 0, large);
        w->p[i] = *coefficient(w, offset[d->p[i]], 0, large);
    }
    take_following(w);
    w->contradiction = 0;
    w->stage = LIA_WORKSPACE_ACCELERATED;
}

// Those of rows that are not active too, which share() has set in the step before.
static void forget_multipliers(LiaWorkspace* w, int k) {
    for (int c = 0; c < w->nc; c++) *multiplier(w, c, k) = 0.0;
}

void lia_stage_undetermined(LiaWorkspace* w) {
    assert(w->stage >= LIA_WORKSPACE_RESIDUALS);
    for (int i = 0; i < w->nf + w->nc; i++) w->b[i] = NAN;
    take_solution(w, 0);
    for (int c = 0; c < w->nc; c++) *multiplier(w, c, 0) = NAN;
    finish_stage0(w);
}

void lia_stage_rest(LiaWorkspace* w, double* b) {
    bool large = w->jets.tape->room != NULL;
    for (int i = 0; i < w->nf; i++) b[i] = balance_rest(w, i, 0, large);
    for (int c = 0; c < w->nc; c++) b[w->nf + c] = -equation_rate(w, c, 0, large);
}

void lia_stage_take(LiaWorkspace* w) {
    take_solution(w, 0);
    finish_stage0(w);
}

// --- large systems: from stage to stage window by window ----------------------------------------

// The solution of stage k on its way into the series, while stage `next` begins.
typedef struct Passing {
    const LiaWorkspace* w;
    Scale scale;
    int k, next;
    bool added;
} Passing;

static void before(void* data, uint32_t window) {
    const Passing* p = data;
    const LiaWorkspace* w = p->w;
    const LiaByWindow *x = &w->series.pipeline->unknowns, *mu = &w->series.pipeline->multipliers;
    int first = window ? x->end[window - 1] : 0, first_mu = window ? mu->end[window - 1] : 0;
    if (p->added) {
        for (int i = first; i < x->end[window]; i++) add(w, &p->scale, x->list[i], p->k);
        for (int r = first_mu; r < mu->end[window]; r++) add_multiplier(w, mu->list[r], p->k);
    } else {
        for (int i = first; i < x->end[window]; i++) put(w, &p->scale, x->list[i], p->k, true);
        for (int r = first_mu; r < mu->end[window]; r++) put_multiplier(w, mu->list[r], p->k);
    }
}

static void after(void* data, uint32_t window) {
    const Passing* p = data;
    const LiaWorkspace* w = p->w;
    const LiaByWindow *x = &w->series.pipeline->balances, *c = &w->series.pipeline->equations;
    int first = window ? x->end[window - 1] : 0, first_row = window ? c->end[window - 1] : 0;
    for (int i = first; i < x->end[window]; i++)
        w->series.rest[x->list[i]] = balance_rest(w, x->list[i], p->next, true);
    for (int r = first_row; r < c->end[window]; r++)
        w->series.rest[w->nf + c->list[r]] = -equation_rate(w, c->list[r], p->next, true);
}

// The solution of stage k, in w->b, is put into the series (or added), stage `next` is run and
// solved.
static void go_on(LiaWorkspace* w, int k, int next, bool added) {
    Passing p = {w, scale_of(w, k), k, next, added};
    lia_jet_onward(&w->jets, k, next, before, after, &p);
    double* b = w->b;
    w->b = w->series.rest;
    w->series.rest = b;
    solve(w, next);
}

// Does nothing but the next stage wait for the solution of a stage, and are all rows active, in
// their order?
static bool can_go_on(const LiaWorkspace* w) {
    const LiaTape* tape = w->dynamics->tape;
    if (!w->series.pipeline || tape->drive_count || tape->sections.reaction.count ||
        !w->forces.method->by_order || w->nr != w->nc || w->jets.correct_all ||
        lia_test_hooks(w->system).flip == LIA_FLIP_CORRECT)
        return false;
    for (int r = 0; r < w->nr; r++) {
        if (w->active[r] != r) return false;
    }
    return true;
}

static void series_by_windows(LiaWorkspace* w, int order) {
    lia_jet_stage(&w->jets, 1);
    solve_rest(w, 1);
    for (int k = 1; k < order; k++) {
        bool refined = refinements(w, k) > 0;
        if (refined) go_on(w, k, k, false);
        if (k + 1 < order) {
            go_on(w, k, k + 1, refined);
        } else if (refined) {
            add_solution(w, k);
        } else {
            take_solution(w, k);
        }
    }
}

void lia_stage_direct(LiaWorkspace* w, int k) {
    if (w->nr < w->nc) forget_multipliers(w, k);
    lia_jet_stage(&w->jets, k);
    solve_stage(w, k);
    for (int pass = refinements(w, k); pass > 0; pass--) refine(w, k);
}

void lia_stage_series(LiaWorkspace* w, int order) {
    assert(w->stage == LIA_WORKSPACE_ACCELERATED && order <= w->jets.order);
    if (order > 1 && can_go_on(w)) {
        series_by_windows(w, order);
        integrate_powers(w, 1, order - 1);
        return;
    }
    enum { FEW = 1000 };  // formulas, which take no longer than looks at whether the run is to end
    const int pause = w->dynamics->tape->register_count > FEW ? 4 : order;
    const bool reacts = w->dynamics->drive_count || w->jets.sections->reaction.count;
    for (int k = 1, look = pause; k < order; k++) {
        if (k == look && lia_watch_asked()) break;
        if (k == look) look += pause;
        w->forces.method->stage(w, k);
        if (reacts) react(w, k);
    }
    if (w->nr < w->nc) {
        lia_min_norm_series(w, order);
        integrate_powers(w, 0, 0);
    }
    integrate_powers(w, 1, order - 1);
}
