// The mechanics in numbers: the state, M, J, Omega and K0; order by order it goes on in stage.c.
// See workspace.h.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/degree/relative_degree.h"
#include "mechanics/kkt/coefficient.h"
#include "mechanics/kkt/independent.h"
#include "mechanics/kkt/rubbing.h"
#include "mechanics/kkt/scaling.h"
#include "mechanics/kkt/stage_pipeline.h"
#include "mechanics/multipliers/min_norm.h"
#include "mechanics/test_hooks.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Where the series of the unknowns, the balances and the equations are.
static void place_series(LiaWorkspace* w) {
    const LiaDynamics* d = w->dynamics;
    const uint32_t* offset = w->jets.offset;
    for (uint32_t k = 0; k < d->nf; k++) {
        uint32_t i = d->free[k];
        w->series.unknown[k] = (struct LiaUnknown){.q = offset[d->tape->position[i]],
                                                   .v = offset[d->tape->velocity[i]],
                                                   .a = offset[d->tape->acceleration[i]],
                                                   .change_q = d->tape->position[i],
                                                   .change_v = d->tape->velocity[i]};
        w->series.balance[k] = (struct LiaBalance){offset[d->p[i]], offset[d->G_register[i]]};
    }
    for (uint32_t c = 0; c < d->nc; c++) {
        w->series.equation[c] =
            (struct LiaRowSeries){.e = offset[d->equation[c]],
                                  .mu = offset[d->tape->multiplier[d->rows[c]]],
                                  .geometric = w->system->rows[d->rows[c]].geometric};
    }
}

// May products with parameters that are 1 be left out? Not where controls change them; and it pays
// where many orders are run.
static bool is_settled(const LiaSystem* s, int order) {
    return order > 2 && s->model->controls_count == 0;
}

static LiaWorkspace* create(const LiaSystem* s, const LiaDynamics* d, int order,
                            const LiaSaddleMethod* method) {
    LiaWorkspace* w = lia_memory_zeros(1, sizeof *w);
    if (!w) return NULL;
    w->system = s;
    w->dynamics = d;
    size_t n = s->n, nf = d->nf, nc = d->nc, N = nf + nc, lines = s->line_count,
           rows = s->row_count;
    w->n = (int)n, w->nf = (int)nf, w->nc = (int)nc;
    size_t doubles = 4 * n + lines + 5 * nc + 2 * rows + 3 * N;
    w->block = lia_memory_zeros(doubles * sizeof(double) + (nc + 1) * sizeof(int) + rows + 1, 1);
    w->series.unknown = lia_memory_zeros(nf + 1, sizeof *w->series.unknown);
    w->series.balance = lia_memory_zeros(nf + 1, sizeof *w->series.balance);
    w->series.equation = lia_memory_zeros(nc + 1, sizeof *w->series.equation);
    w->saddle = (LiaSaddle){.method = method, .dynamics = d, .margin = LIA_DEPENDENT_ROWS};
    if (!w->block || !w->series.unknown || !w->series.balance || !w->series.equation ||
        !method->create(&w->saddle) ||
        !lia_bind_jets(&w->jets, d->tape, order, is_settled(s, order))) {
        lia_workspace_destroy(w);
        return NULL;
    }
    w->jets.correct_all = lia_test_hooks(s).correct_all;
    w->forces = (LiaForceState){.method = &lia_direct, .degree = &lia_direct_no_rows};
    w->series.pipeline = lia_stage_pipeline_create(d);
    for (size_t i = 0; i < n; i++) {
        if (s->model->coordinates[i].manifold == LIA_ROTATION) w->series.refined = CAREFUL;
    }
    double* x = w->block;
    w->q = x, x += n;
    w->v = x, x += n;
    w->p = x, x += n;
    w->a = x, x += n;
    w->work = x, x += lines;
    w->phi = x, x += nc;
    w->phi_start = x, x += nc;
    w->psi = x, x += nc;
    w->projection.miss = x, x += nc;
    w->gamma = x, x += nc;
    w->mu = x, x += rows;
    w->other = x, x += rows;
    w->b = x, x += N;
    w->series.rest = x, x += N;
    w->saddle.measure = x, x += N;
    w->active = (int*)x;
    w->unique = (bool*)(w->active + nc);
    place_series(w);
    for (w->nr = 0; w->nr < w->nc; w->nr++) w->active[w->nr] = w->nr;
    for (size_t r = 0; r < rows; r++) w->unique[r] = true;
    return w;
}

LiaWorkspace* lia_workspace_create(const LiaSystem* s, const LiaDynamics* d, int order) {
    assert(s && (d == s->full || d == s->plain || d == s->reduced) && order >= 1);
    LiaAlgebra algebra = lia_test_hooks(s).algebra;
    bool sparse = algebra ? algebra == LIA_ALGEBRA_SPARSE : d->sparse;
    return create(s, d, order, sparse ? &lia_saddle_sparse : &lia_saddle_dense);
}

LiaWorkspace* lia_workspace_create_dense(const LiaSystem* s, const LiaDynamics* d, int order) {
    assert(s && (d == s->full || d == s->plain || d == s->reduced) && order >= 1);
    return create(s, d, order, &lia_saddle_dense);
}

void lia_workspace_destroy(LiaWorkspace* w) {
    if (!w) return;
    w->saddle.method->destroy(&w->saddle);
    lia_bind_clear_jets(&w->jets);
    lia_relative_degree_forget(w);
    free(w->series.unknown);
    free(w->series.balance);
    free(w->series.equation);
    lia_stage_pipeline_destroy(w->series.pipeline);
    free(w->saddle.weight);
    free(w->block);
    free(w);
}

static inline __attribute__((always_inline)) void load_unknowns(LiaWorkspace* w, bool large) {
    const struct LiaUnknown* x = w->series.unknown;
    for (int k = 0; k < w->nf; k++) {
        double q = w->q[w->dynamics->free[k]], v = w->v[w->dynamics->free[k]];
        *coefficient(w, x[k].q, 0, large) = q;
        *coefficient(w, x[k].q, 1, large) = *coefficient(w, x[k].v, 0, large) = v;
        *coefficient(w, x[k].q, 2, large) = *coefficient(w, x[k].v, 1, large) = 0.0;
    }
}

void lia_workspace_put(LiaWorkspace* w, double t, const double* q, const double* v) {
    w->t = t;
    memcpy(w->q, q, (size_t)w->n * sizeof *q);
    memcpy(w->v, v, (size_t)w->n * sizeof *v);
}

void lia_workspace_load(LiaWorkspace* w, int order) {
    assert(order >= 0 && order <= w->jets.order);
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
    for (uint32_t k = 0; k < d->live.line_count; k++) {
        uint32_t l = d->live.lines[k];
        series(w, tape->work[l])[0] = w->work[l];
    }
    w->stage = LIA_WORKSPACE_LOADED;
}

void lia_workspace_residuals(LiaWorkspace* w) {
    const LiaDynamics* d = w->dynamics;
    assert(w->stage >= LIA_WORKSPACE_LOADED);
    lia_jet_prologue(&w->jets);
    for (uint32_t c = 0; c < d->nc; c++) {
        double e = lia_jet_coefficient(&w->jets, d->equation[c], 0);
        bool geometric = w->system->rows[d->rows[c]].geometric;
        uint32_t kept = d->position[c];
        w->phi[c] = geometric ? e - w->phi_start[c] : kept ? series(w, kept)[0] : 0.0;
        w->psi[c] = geometric ? lia_jet_coefficient(&w->jets, d->equation[c], 1) : e;
    }
    w->stage = LIA_WORKSPACE_RESIDUALS;
}

void lia_workspace_update(LiaWorkspace* w, int order) {
    lia_workspace_load(w, order);
    lia_workspace_residuals(w);
}

void lia_workspace_inspect(LiaWorkspace* w, double ahead) {
    if (w->dynamics->tape->guard_count == 0) return;
    double t = w->t, *q = w->p;  // there are no momenta after this
    memcpy(q, w->q, (size_t)w->n * sizeof *q);
    w->jets.decide = true;
    w->t += ahead;
    for (int i = 0; i < w->n; i++) w->q[i] += ahead * w->v[i];
    lia_workspace_update(w, 1);
    lia_workspace_stage0(w);
    lia_jet_reaction(&w->jets, 0);  // forces on driven coordinates have guards too
    lia_jet_post(&w->jets, 0, 0);
    for (uint32_t g = 0; g < w->dynamics->tape->guard_count; g++) {
        const LiaGuard* guard = &w->dynamics->tape->guards[g];
        if (guard->rule != LIA_GUARD_CUT) continue;  // an angle that has just come round
        double angle = lia_jet_series(&w->jets, guard->reg)[0];
        w->jets.side[g] = angle > 1.0 ? 1 : angle < -1.0 ? -1 : 0;
    }
    w->t = t;
    // to the bit, and not back along velocities: those that are driven may leap here
    memcpy(w->q, q, (size_t)w->n * sizeof *q);
    w->jets.decide = false;
    w->stage = LIA_WORKSPACE_EMPTY;  // the series are those of the look ahead
}

void lia_workspace_take_sides(LiaWorkspace* w, const LiaWorkspace* from) {
    const LiaTape *to_tape = w->dynamics->tape, *tape = from->dynamics->tape;
    w->jets.decide = false;
    if (to_tape == tape) {
        memcpy(w->jets.side, from->jets.side, tape->guard_count);
        return;
    }
    uint32_t next = 0;  // guards of two tapes mostly stand in one order: the search begins there
    for (uint32_t g = 0; g < to_tape->guard_count; g++) {
        const LiaGuard* guard = &to_tape->guards[g];
        for (uint32_t tried = 0; tried < tape->guard_count; tried++) {
            uint32_t k =
                next + tried < tape->guard_count ? next + tried : next + tried - tape->guard_count;
            if (!lia_guard_same(&tape->guards[k], guard)) continue;
            w->jets.side[g] = from->jets.side[k];
            next = k + 1 < tape->guard_count ? k + 1 : 0;
            break;
        }
    }
}

void lia_workspace_take_phi_start(LiaWorkspace* w) {
    for (int c = 0; c < w->nc; c++) w->phi_start[c] = 0.0;
    lia_workspace_update(w, 1);
    for (int c = 0; c < w->nc; c++) {
        if (!w->system->rows[w->dynamics->rows[c]].integrated) continue;
        w->phi_start[c] = w->phi[c];
        w->phi[c] = 0.0;
    }
}

LiaEntries lia_workspace_M(const LiaWorkspace* w, int i) {
    assert(i >= 0 && i < w->nf);
    return w->saddle.method->M(&w->saddle, i);
}

LiaEntries lia_workspace_J(const LiaWorkspace* w, int c) {
    assert(c >= 0 && c < w->nc);
    return w->saddle.method->J(&w->saddle, c);
}

LiaEntries lia_workspace_Omega(const LiaWorkspace* w, int c) {
    assert(c >= 0 && c < w->nc);
    return w->saddle.method->Omega(&w->saddle, c);
}

double lia_workspace_inertia(const LiaWorkspace* w, int i) {
    if (w->saddle.method->full) return w->saddle.M[(size_t)i * ((size_t)w->nf + 1)];
    LiaEntries row = lia_workspace_M(w, i);
    for (int k = 0; k < row.count; k++) {
        if (row.column[k] == i) return row.value[k];
    }
    return 0.0;
}

// M and J column by column, several columns in one lane and several lanes in one pass.
static void probe(LiaWorkspace* w) {
    for (int by_q = 0; by_q < 2; by_q++) {
        const LiaProbes* p = by_q ? &w->dynamics->probe_q : &w->dynamics->probe_v;
        for (uint32_t pass = 0; pass < p->passes; pass++) {
            if (pass % 8 == 7 && lia_watch_asked()) return;
            uint32_t from = p->seed_start[pass], count = p->seed_start[pass + 1] - from;
            if (by_q) {
                lia_jet_slopes_probe_q(&w->jets, p->coordinate + from, p->lane + from, count);
            } else {
                lia_jet_slopes_probe_v(&w->jets, p->coordinate + from, p->lane + from, count);
            }
            w->saddle.method->take_columns(&w->saddle, &w->jets, p, pass);
        }
    }
}

// Is there a K0 to solve with, of this state or one just before?
static bool is_regular(const LiaWorkspace* w) {
    return w->saddle.pivot > LIA_SINGULAR_PIVOT && isfinite(w->saddle.pivot);
}

void lia_workspace_stage0(LiaWorkspace* w) {
    assert(w->stage >= LIA_WORKSPACE_RESIDUALS);
    const LiaLive* live = &w->dynamics->live;
    for (uint32_t k = 0; k < live->row_count; k++)
        series(w, w->dynamics->tape->multiplier[live->rows[k]])[0] = 0.0;
    if (lia_rubbing_is(w)) lia_rubbing_begin(w);
    lia_jet_stage(&w->jets, 0);
    w->stage = is_regular(w) ? LIA_WORKSPACE_FACTORED : LIA_WORKSPACE_RESIDUALS;
}

// K0 of the active rows; where saddle.measured is set, with rows and columns in the units of
// saddle.measure.
static double factor_once(LiaWorkspace* w) {
    double sign = lia_test_hooks(w->system).flip == LIA_FLIP_OMEGA ? 1.0 : -1.0;
    w->saddle.size_known = false;
    return w->saddle.method->factor(&w->saddle, w->active, w->nr, sign);
}

// A small pivot may be a matter of units: in kilograms and metres the inertia of a grain of dust is
// nothing relative to the 1 of a constraint. Where coordinates are measured by their own inertia
// and the pivot is larger, that is kept.
static double factor_in_units(LiaWorkspace* w) {
    w->saddle.measured = false;
    double plain = factor_once(w);
    if (plain > LIA_SUSPICIOUS_PIVOT || w->nr == 0 || !isfinite(plain)) return plain;
    lia_scaling_by_inertia(w);
    w->saddle.measured = true;
    double pivot = factor_once(w);
    if (pivot > LIA_PIVOT_IN_UNITS * plain) return pivot;
    w->saddle.measured = false;
    return factor_once(w);
}

// Or it is the square of what rows differ by: in the order of the null-space method it is not
// squared.
static double factor_null_space(LiaWorkspace* w) {
    double sign = lia_test_hooks(w->system).flip == LIA_FLIP_OMEGA ? 1.0 : -1.0;
    lia_scaling_by_inertia(w);
    w->saddle.measured = true;
    w->saddle.size_known = false;
    return w->saddle.method->factor_null_space(&w->saddle, w->active, w->nr, sign);
}

// Is that order affordable, and are there rows at all?
static bool has_null_space(const LiaWorkspace* w) {
    return w->nr > 0 && w->nf + w->nr <= w->saddle.method->null_space_most;
}

double lia_workspace_factor_active(LiaWorkspace* w) {
    const LiaSaddleMethod* method = w->saddle.method;
    if (w->saddle.loses_digits && has_null_space(w)) {
        double pivot = factor_null_space(w);
        if (pivot > LIA_SINGULAR_PIVOT) return pivot;
    }
    if (method->keeps_units && w->saddle.measured) {
        lia_scaling_by_inertia(w);
        double pivot = factor_once(w);
        if (pivot > LIA_SUSPICIOUS_PIVOT) return pivot;
    }
    double pivot = factor_in_units(w);
    // By its entries K0 is kept where it is large: there the other order is much dearer.
    double small = method->full ? LIA_REFINED_PIVOT : LIA_SUSPICIOUS_PIVOT;
    if (!(pivot <= small) || !has_null_space(w)) return pivot;
    double unsquared = factor_null_space(w);
    return unsquared > LIA_PIVOT_UNSQUARED * pivot ? unsquared : factor_in_units(w);
}

bool lia_workspace_factor_careful(LiaWorkspace* w) {
    if (!w->saddle.method->full || w->saddle.loses_digits) return false;
    w->saddle.loses_digits = true;
    if (!w->saddle.by_null_space) w->saddle.pivot = lia_workspace_factor_active(w);
    return w->saddle.by_null_space;
}

void lia_workspace_solve_with(const LiaWorkspace* w, double* b, bool careful) {
    for (int i = 0; w->saddle.measured && i < w->nf; i++) b[i] *= w->saddle.measure[i];
    w->saddle.method->solve(&w->saddle, b, careful);
    for (int i = 0; w->saddle.measured && i < w->nf + w->nr; i++) b[i] *= w->saddle.measure[i];
}

void lia_workspace_solve(const LiaWorkspace* w, double* b) {
    assert(w->stage >= LIA_WORKSPACE_RESIDUALS);
    lia_workspace_solve_with(w, b, true);
}

double lia_workspace_size(LiaWorkspace* w) {
    if (w->saddle.size_known) return w->saddle.size;
    double size = w->saddle.method->log2_determinant(&w->saddle);
    for (int i = 0; w->saddle.measured && i < w->nf + w->nr; i++) {
        size -= (i < w->nf ? 2.0 : 1.0) * log2(w->saddle.measure[i]);
    }
    w->saddle.size_known = true;
    return w->saddle.size = size;
}

void lia_workspace_matrices(LiaWorkspace* w) {
    lia_workspace_stage0(w);
    w->stage = LIA_WORKSPACE_RESIDUALS;  // K0 is not made of these M and J yet
    lia_jet_aside(&w->jets, 0);
    probe(w);
    w->saddle.method->take_Omega(&w->saddle, &w->jets);
}

bool lia_workspace_factor(LiaWorkspace* w) {
    int nc = w->nc;
    lia_workspace_matrices(w);
    w->contradiction = 0;
    w->saddle.pivot = lia_workspace_factor_active(w);
    // The rows chosen were the best ones then: a pivot or a determinant that has shrunk since asks
    // whether others are better now. (A row that turns into the span of the others takes the square
    // of its distance from them out of the determinant, long before its pivot is the smallest.)
    bool faded = w->nr < w->nc && w->forces.method->rows_rest &&
                 (w->saddle.pivot < LIA_PIVOT_FADED * w->saddle.pivot_chosen ||
                  (w->saddle.method->full &&
                   lia_workspace_size(w) < w->saddle.size_chosen - LIA_DETERMINANT_FADED) ||
                  lia_independent_faded(w));
    bool dependent = !(w->saddle.pivot > LIA_SUSPICIOUS_PIVOT);
    // Off the admissible states all rows look independent: others are taken for rows that faded,
    // not more.
    int most = dependent ? (int)nc : w->nr;
    if ((dependent || faded) && nc > 0) {
        if (lia_independent_select(w, w->saddle.margin, most))
            w->saddle.pivot = lia_workspace_factor_active(w);
        w->saddle.pivot_chosen = w->saddle.pivot;
        w->saddle.size_chosen = lia_workspace_size(w);
    }
    assert(w->nr >= 0 && w->nr <= nc);
    if (is_regular(w)) w->stage = LIA_WORKSPACE_FACTORED;
    return is_regular(w);
}

bool lia_workspace_decide(LiaWorkspace* w) {
    return lia_workspace_factor(w) && lia_relative_degree_residuals(w);
}

bool lia_workspace_evaluate(LiaWorkspace* w) {
    lia_workspace_update(w, 1);
    if (!lia_workspace_factor(w)) return false;
    lia_stage_accelerate(w);
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

// Where a run ended because K0 is singular, the multipliers are those of the state before.
void lia_workspace_read_samples(LiaWorkspace* w, double* values) {
    assert(w->stage >= LIA_WORKSPACE_RESIDUALS);
    lia_jet_sample(&w->jets);
    for (uint32_t i = 0; i < w->system->observables.sample_count; i++) {
        uint32_t reg = lia_tape_register(w->dynamics->tape, w->system->observables.samples[i]);
        values[i] = lia_jet_coefficient(&w->jets, reg, 0);
    }
}

void lia_workspace_sample(LiaWorkspace* w, double* values) {
    if (w->nr + w->forces.degree->count < w->nc) {
        lia_min_norm_multipliers(w);
        take_multipliers(w);
    }
    lia_workspace_read_samples(w, values);
}

void lia_workspace_sample_undetermined(LiaWorkspace* w, double* values) {
    lia_workspace_update(w, w->jets.order);
    lia_workspace_stage0(w);
    lia_stage_undetermined(w);
    lia_workspace_read_samples(w, values);
}

void lia_workspace_exchange(LiaWorkspace* w, double* values) {
    for (int c = 0; c < w->nc; c++) {
        uint32_t row = w->dynamics->rows[c];
        double mu = w->mu[row];
        w->mu[row] = w->other[row];
        w->other[row] = mu;
    }
    take_multipliers(w);
    lia_workspace_read_samples(w, values);
}

double lia_workspace_twice_energy(const LiaWorkspace* w) {
    const LiaSystem* s = w->system;
    double twice = 0.0;
    for (int i = 0; !s->phase.flow && i < w->n; i++) twice += w->v[i] * w->p[i];
    if (!s->phase.flow) return twice;
    // the multiplier of x' = ... is dH/dx; the flow is the last constraint
    uint32_t flow = s->first_row[s->model->constraints_count - 1];
    for (uint32_t row = flow; row < s->row_count; row++) {
        double term = fabs(w->q[row - flow] * w->mu[row]);
        if (isfinite(term)) twice += term;
    }
    return twice;
}
