// The equations at a state. See evaluator.h.
//
// Where K0 is regular this is order 0 of a step. Where it is singular, operators may act through
// springs: then derivatives decide their forces (relative_degree.c). What is left is a matter of
// least
// squares: min_norm_solution.c.
// SPDX-License-Identifier: MIT
#include "mechanics/kkt/evaluator.h"
#include "base/memory/call.h"
#include "base/numeric/thresholds.h"
#include "mechanics/degree/relative_degree.h"
#include "mechanics/kkt/coefficient.h"
#include "mechanics/kkt/independent.h"
#include "mechanics/multipliers/min_norm_solution.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- making and releasing ----------------------------------------------------------------------

static bool init_values(LiaEvaluator* e) {
    const LiaSystem* s = e->system;
    LiaExpr* roots = lia_memory_zeros(2 * (size_t)s->n + 1, sizeof *roots);
    if (!roots) return false;
    memcpy(roots, s->lagrange.Q, s->n * sizeof *roots);
    memcpy(roots + s->n, s->lagrange.p, s->n * sizeof *roots);
    bool ok = lia_evaluate_init(&e->values, s->graph, roots, 2 * (size_t)s->n);
    free(roots);
    return ok;
}

static bool init_numbers(LiaEvaluator* e) {
    const LiaSystem* s = e->system;
    const LiaModel* m = s->model;
    size_t n = s->n, rows = s->row_count;
    e->lines = lia_system_lines(s);
    size_t doubles = s->observables.sample_count + 8 * n + 5 * rows + e->lines + m->events_count +
                     m->observes_count + m->symmetries_count;
    double* x = e->block = lia_memory_zeros(doubles + 1, sizeof *x);
    if (!x) return false;
    double** of_n[] = {&e->q, &e->v, &e->a, &e->unique_a, &e->h, &e->Q, &e->p, &e->left};
    double** of_rows[] = {&e->mu, &e->unique_mu, &e->gamma, &e->phi, &e->psi};
    e->samples = x, x += s->observables.sample_count;
    for (size_t i = 0; i < sizeof of_n / sizeof *of_n; i++) *of_n[i] = x, x += n;
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++) *of_rows[i] = x, x += rows;
    e->power = x, x += e->lines;
    e->event = x, x += m->events_count;
    e->observable = x, x += m->observes_count;
    e->momenta = x;
    return true;
}

LiaStatus lia_evaluator_create(const LiaSystem* system, LiaEvaluator** out) {
    if (out) *out = NULL;
    if (!system || !out) return LIA_ARGUMENT;
    LiaCall call = lia_call_begin(NULL);
    LiaEvaluator* e = lia_memory_zeros(1, sizeof *e);
    if (!e) return LIA_MEMORY;
    e->system = system;
    e->w = lia_workspace_create(system, system->plain, 1);
    bool same = system->full == system->plain;
    e->full = same ? e->w : lia_workspace_create(system, system->full, 1);
    bool ok = e->w && e->full && init_numbers(e) && init_values(e);
    if (ok && lia_call_end(&call) == LIA_OK) {
        *out = e;
        return LIA_OK;
    }
    lia_evaluator_destroy(e);
    return LIA_MEMORY;
}

void lia_evaluator_destroy(LiaEvaluator* e) {
    if (!e) return;
    if (e->full != e->w) lia_workspace_destroy(e->full);
    lia_workspace_destroy(e->w);
    lia_workspace_destroy(e->ahead);
    lia_relative_degree_destroy(e->degree);
    lia_evaluate_clear(&e->values);
    free(e->block);
    free(e);
}

// --- the state and what does not ask for accelerations -----------------------------------------

static void put_state(const LiaEvaluator* e, LiaWorkspace* w, double t, const double* work) {
    lia_workspace_put(w, t, e->q, e->v);
    for (uint32_t l = 0; l < e->system->line_count; l++) w->work[l] = work ? work[l] : 0.0;
    w->jets.decide = true;
    w->contradiction = 0;
    lia_workspace_take_phi_start(w);
}

// Rows that were chosen at the last state say nothing of this one.
static void forget_choice(LiaWorkspace* w) {
    for (w->nr = 0; w->nr < w->nc; w->nr++) w->active[w->nr] = w->nr;
    w->saddle.measured = false;
}

// phi, psi and gamma of all rows, from the workspace that has them all.
static void take_rows(LiaEvaluator* e) {
    const LiaWorkspace* w = e->full;
    for (int c = 0; c < w->nc; c++) {
        uint32_t row = w->dynamics->rows[c];
        e->phi[row] = w->phi[c];
        e->psi[row] = w->psi[c];
        e->gamma[row] = w->gamma[c];
    }
}

// With accelerations and multipliers at zero: h - Q is what is left of the equations.
static void take_forces(LiaEvaluator* e) {
    const LiaSystem* s = e->system;
    const LiaWorkspace* w = e->w;
    lia_evaluate_run(&e->values,
                     &(LiaSymbols){.t = w->t, .parameters = s->parameters, .q = e->q, .v = e->v});
    for (uint32_t i = 0; i < s->n; i++) {
        double left = lia_jet_coefficient(&w->jets, w->dynamics->p[i], 1) -
                      lia_jet_coefficient(&w->jets, w->dynamics->G_register[i], 0);
        e->Q[i] = lia_value(&e->values, s->lagrange.Q[i]);
        e->p[i] = lia_value(&e->values, s->lagrange.p[i]);
        e->h[i] = left + e->Q[i];
    }
}

static bool entries_finite(LiaEntries row) {
    for (int k = 0; k < row.count; k++) {
        if (!isfinite(row.value[k])) return false;
    }
    return true;
}

static bool equations_finite(const LiaEvaluator* e) {
    const LiaWorkspace* w = e->w;
    for (int i = 0; i < w->nf; i++) {
        if (!isfinite(e->h[i]) || !isfinite(e->Q[i]) || !entries_finite(lia_workspace_M(w, i)))
            return false;
    }
    for (int c = 0; c < w->nc; c++) {
        bool good = isfinite(w->gamma[c]) && entries_finite(lia_workspace_J(w, c)) &&
                    entries_finite(lia_workspace_Omega(w, c));
        if (!good) return false;
    }
    return true;
}

// --- accelerations and multipliers -------------------------------------------------------------

// Do these accelerations satisfy every equation, those in which something is hidden too?
static bool satisfy(const LiaWorkspace* w, const double* a) {
    for (int c = 0; c < w->nc; c++) {
        double sum = w->gamma[c], size = fabs(sum) + 1.0;
        LiaEntries J = lia_workspace_J(w, c);
        for (int k = 0; k < J.count; k++) {
            double x = J.value[k] * a[w->dynamics->free[lia_entry_column(&J, k)]];
            sum += x;
            size += fabs(x);
        }
        if (!(fabs(sum) <= LIA_EVALUATOR_SATISFIED * size)) return false;
    }
    return true;
}

// The state in a workspace that looks as far ahead as hidden equations ask for.
static bool try_ahead(const LiaEvaluator* e, const double* work) {
    LiaWorkspace* w = e->ahead;
    if (!w) return false;
    put_state(e, w, e->w->t, work);
    lia_workspace_update(w, w->jets.order);
    if (!lia_workspace_factor(w)) return false;
    if (!lia_relative_degree_residuals(w)) return false;
    lia_stage_accelerate(w);
    return satisfy(e->w, w->a);
}

// Derivatives that decide the forces at this state.
static bool find_hidden(LiaEvaluator* e, const double* work) {
    enum { ORDER_MOST = 40 };  // as a run looks
    int order = 2 * (int)e->system->n + 8;
    LiaRelativeDegreeLack lack;
    LiaWorkspace* far =
        lia_workspace_create(e->system, e->system->plain, order < ORDER_MOST ? order : ORDER_MOST);
    if (!far) return false;
    put_state(e, far, e->w->t, work);
    LiaRelativeDegree* degree = lia_relative_degree_find(far, &lack);
    lia_workspace_destroy(far);
    if (!degree) return false;
    LiaWorkspace* ahead = lia_workspace_create(e->system, e->system->plain, degree->ahead + 2);
    if (!ahead || !lia_relative_degree_attach(ahead, degree)) {
        lia_workspace_destroy(ahead);
        lia_relative_degree_destroy(degree);
        return false;
    }
    lia_workspace_destroy(e->ahead);
    lia_relative_degree_destroy(e->degree);
    e->ahead = ahead;
    e->degree = degree;
    return true;
}

static bool is_hidden(LiaEvaluator* e, const double* work) {
    if (!lia_relative_degree_find_has_operators(e->w)) return false;
    return try_ahead(e, work) || (find_hidden(e, work) && try_ahead(e, work));
}

// Fewer rows than equations: do the others follow, and are their forces among those of the first?
static bool rows_follow(const LiaWorkspace* w) {
    return w->nr == w->nc || (!w->contradiction && lia_independent_force_rank(w) <= w->nr);
}

static bool all_unique(const LiaWorkspace* w) {
    for (uint32_t r = 0; r < w->system->row_count; r++) {
        if (!w->unique[r]) return false;
    }
    return true;
}

// Back to where accelerations and multipliers are at zero.
static void begin_again(LiaWorkspace* w) {
    forget_choice(w);
    lia_workspace_update(w, 1);
    lia_workspace_stage0(w);
}

static double along(LiaEntries row, const double* x) {
    double sum = 0.0;
    for (int k = 0; k < row.count; k++) sum += row.value[k] * x[lia_entry_column(&row, k)];
    return sum;
}

static void add_times(LiaEntries row, double factor, double* x) {
    for (int k = 0; k < row.count; k++) x[lia_entry_column(&row, k)] += factor * row.value[k];
}

// Multipliers of least norm are those of the model's equations; what they leave of M a + h - Q =
// Omega^T mu belongs to equations that the program added, the lengths of quaternions. These have no
// coordinates in common: one sweep is enough, and more are for others. `left` is scratch (n).
static void complete_multipliers(LiaEvaluator* e, LiaWorkspace* w, double* left) {
    enum { SWEEPS_MOST = 100 };
    double size = 0.0, change = 0.0;
    for (int i = 0; i < w->nf; i++) {
        left[i] = along(lia_workspace_M(w, i), w->a) + e->h[i] - e->Q[i];
        size = fmax(size, fabs(left[i]));
    }
    for (int c = 0; c < w->nc; c++)
        add_times(lia_workspace_Omega(w, c), -w->mu[w->dynamics->rows[c]], left);
    for (int sweep = 0; sweep == 0 || (sweep < SWEEPS_MOST && change > DBL_EPSILON * size);
         sweep++) {
        change = 0.0;
        for (int c = 0; c < w->nc; c++) {
            if (lia_row_shown(w, c)) continue;
            LiaEntries row = lia_workspace_Omega(w, c);
            double square = 0.0;
            for (int k = 0; k < row.count; k++) square += row.value[k] * row.value[k];
            double more = square > 0.0 ? along(row, left) / square : 0.0;
            w->mu[w->dynamics->rows[c]] += more;
            add_times(row, -more, left);
            change = fmax(change, fabs(more) * sqrt(square));
        }
    }
}

// Returns the workspace that has them. NULL if memory is out.
static LiaWorkspace* solve(LiaEvaluator* e, bool regular, const double* work) {
    LiaWorkspace* w = e->w;
    for (uint32_t i = 0; i < e->system->n; i++) e->unique_a[i] = 1.0;
    e->solution = LIA_SOLUTION_UNDEFINED;
    if (!equations_finite(e)) {
        lia_workspace_sample_undetermined(w, e->samples);
        return w;
    }
    if (regular) {
        lia_stage_accelerate(w);
        if (rows_follow(w)) {
            lia_workspace_sample(w, e->samples);
            if (w->nr < w->nc) complete_multipliers(e, w, e->left);
            e->solution = all_unique(w) ? LIA_SOLUTION_UNIQUE : LIA_SOLUTION_SHARED;
            return w;
        }
    } else if (is_hidden(e, work)) {
        lia_workspace_sample(e->ahead, e->samples);
        e->solution = LIA_SOLUTION_HIDDEN;
        return e->ahead;
    }
    begin_again(w);
    LiaMinNormOutcome least = lia_min_norm_solution(w, e->unique_a);
    if (least == LIA_MIN_NORM_NO_MEMORY) return NULL;
    e->solution = least == LIA_MIN_NORM_FOUND ? LIA_SOLUTION_OPEN : LIA_SOLUTION_NONE;
    if (least == LIA_MIN_NORM_FOUND) {
        lia_workspace_read_samples(w, e->samples);
    } else {
        lia_workspace_sample_undetermined(w, e->samples);
    }
    return w;
}

static void take_results(LiaEvaluator* e, const LiaWorkspace* w) {
    const LiaSystem* s = e->system;
    const LiaModel* m = s->model;
    bool known = e->solution != LIA_SOLUTION_NONE && e->solution != LIA_SOLUTION_UNDEFINED;
    for (uint32_t i = 0; i < s->n; i++) {
        e->a[i] = known ? w->a[i] : NAN;
        if (!known) e->unique_a[i] = 0.0;
    }
    for (uint32_t r = 0; r < s->row_count; r++) {
        bool is_row = !s->rows[r].identical && !s->rows[r].follows;
        e->mu[r] = !is_row ? 0.0 : known ? w->mu[r] : NAN;
        e->unique_mu[r] = !is_row || (known && w->unique[r]) ? 1.0 : 0.0;
    }
    size_t at = 0;
    for (uint32_t l = 0; l < s->line_count; l++) {
        if (lia_system_line_internal(s, l)) continue;
        e->power[at++] = lia_jet_coefficient(&w->jets, w->dynamics->power[l], 0);
    }
    for (uint32_t i = 0; i < m->events_count; i++) {
        e->event[i] = lia_jet_coefficient(&w->jets, w->dynamics->event[i], 0);
    }
    const double* x = e->samples;
    e->energies[0] = x[LIA_SAMPLE_ENERGY];
    e->energies[1] = s->energy.has_kinetic ? x[LIA_SAMPLE_KINETIC] : NAN;
    e->energies[2] = s->energy.has_potential ? x[LIA_SAMPLE_POTENTIAL] : NAN;
    memcpy(e->momenta, x + LIA_SAMPLE_MOMENTA, m->symmetries_count * sizeof *x);
    x += lia_sample_observe(m, 0);
    for (uint32_t i = 0; i < m->observes_count; i++) e->observable[i] = x[i] * m->observes[i].scale;
}

static bool is_finite(const double* x, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(x[i])) return false;
    }
    return true;
}

// False if memory is out.
static bool evaluate(LiaEvaluator* e, double t, const double* work) {
    LiaWorkspace* w = e->w;
    put_state(e, w, t, work);
    forget_choice(w);
    bool regular = lia_workspace_factor(w);
    lia_stage_gamma(w);
    if (e->full != w) {
        put_state(e, e->full, t, work);
        lia_workspace_matrices(e->full);
        lia_stage_gamma(e->full);
    }
    take_rows(e);
    take_forces(e);
    LiaWorkspace* solved = solve(e, regular, work);
    if (solved) take_results(e, solved);
    return solved != NULL;
}

LiaStatus lia_evaluator_put(LiaEvaluator* e, double t, const double* q, const double* v,
                            const double* work) {
    size_t n = e->system->n;
    if (!isfinite(t) || !is_finite(q, n) || !is_finite(v, n)) return LIA_ARGUMENT;
    LiaCall call = lia_call_begin(NULL);
    memmove(e->q, q, n * sizeof *q);
    memmove(e->v, v, n * sizeof *v);
    bool made = evaluate(e, t, work);
    if (lia_call_end(&call) != LIA_OK || !made) {
        e->solution = LIA_SOLUTION_NOT_YET;
        return LIA_MEMORY;
    }
    return e->solution < LIA_SOLUTION_OPEN ? LIA_OK : LIA_FAILED;
}

LiaStatus lia_evaluator_set(LiaEvaluator* e, double t, const double* q, const double* v) {
    if (!e || ((!q || !v) && e->system->n > 0)) return LIA_ARGUMENT;
    return lia_evaluator_put(e, t, q, v, NULL);
}

LiaSolution lia_evaluator_solution(const LiaEvaluator* e) {
    return e ? e->solution : LIA_SOLUTION_NOT_YET;
}

// --- reading -----------------------------------------------------------------------------------

// Numbers that stand ready, and how many; NULL: none.
static const double* numbers(const LiaEvaluator* e, LiaEvaluated what, size_t* count) {
    const LiaModel* m = e->system->model;
    size_t n = e->system->n, rows = e->system->row_count;
    const struct {
        const double* x;
        size_t count;
    } table[] = {
        [LIA_EVAL_POSITIONS] = {e->q, n},
        [LIA_EVAL_VELOCITIES] = {e->v, n},
        [LIA_EVAL_ACCELERATIONS] = {e->a, n},
        [LIA_EVAL_MULTIPLIERS] = {e->mu, rows},
        [LIA_EVAL_UNIQUE_A] = {e->unique_a, n},
        [LIA_EVAL_UNIQUE_MU] = {e->unique_mu, rows},
        [LIA_EVAL_M] = {NULL, n * n},
        [LIA_EVAL_J] = {NULL, rows * n},
        [LIA_EVAL_OMEGA] = {NULL, rows * n},
        [LIA_EVAL_GAMMA] = {e->gamma, rows},
        [LIA_EVAL_H] = {e->h, n},
        [LIA_EVAL_Q] = {e->Q, n},
        [LIA_EVAL_P] = {e->p, n},
        [LIA_EVAL_PHI] = {e->phi, rows},
        [LIA_EVAL_PSI] = {e->psi, rows},
        [LIA_EVAL_ENERGIES] = {e->energies, 3},
        [LIA_EVAL_SYMMETRY_MOMENTA] = {e->momenta, m->symmetries_count},
        [LIA_EVAL_POWERS] = {e->power, e->lines},
        [LIA_EVAL_OBSERVABLES] = {e->observable, m->observes_count},
        [LIA_EVAL_EVENTS] = {e->event, m->events_count},
    };
    *count = 0;
    if ((unsigned)what >= sizeof table / sizeof *table) return NULL;
    *count = table[what].count;
    return table[what].x;
}

size_t lia_evaluator_size(const LiaEvaluator* e, LiaEvaluated what) {
    size_t count = 0;
    if (e) numbers(e, what, &count);
    return count;
}

static void write_row(LiaEntries row, double* out) {
    for (int k = 0; k < row.count; k++) out[lia_entry_column(&row, k)] = row.value[k];
}

static void write_matrix(const LiaEvaluator* e, LiaEvaluated what, double* out, size_t count) {
    const LiaWorkspace* w = e->full;
    size_t n = (size_t)w->n;
    memset(out, 0, count * sizeof *out);
    for (int i = 0; what == LIA_EVAL_M && i < w->nf; i++) {
        write_row(lia_workspace_M(w, i), out + (size_t)i * n);
    }
    for (int c = 0; what != LIA_EVAL_M && c < w->nc; c++) {
        LiaEntries row = what == LIA_EVAL_J ? lia_workspace_J(w, c) : lia_workspace_Omega(w, c);
        write_row(row, out + w->dynamics->rows[c] * n);
    }
}

LiaStatus lia_evaluator_get(const LiaEvaluator* e, LiaEvaluated what, double* out, size_t count) {
    if (!e || e->solution == LIA_SOLUTION_NOT_YET || (!out && count > 0)) return LIA_ARGUMENT;
    size_t size;
    const double* x = numbers(e, what, &size);
    if (count != size || (unsigned)what > LIA_EVAL_EVENTS) return LIA_ARGUMENT;
    if (count == 0) return LIA_OK;
    if (x) {
        memcpy(out, x, count * sizeof *out);
    } else {
        write_matrix(e, what, out, count);
    }
    return LIA_OK;
}
