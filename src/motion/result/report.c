// What is said of a run besides its table: ledger, residuals, coupling number, what is conserved.
// SPDX-License-Identifier: MIT
#include "motion/result/report.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/reading/formula_text.h"
#include "mechanics/kkt/project.h"
#include "mechanics/multipliers/min_norm.h"
#include "motion/check/digits.h"
#include "motion/check/friction_check.h"
#include "motion/check/trend.h"
#include "motion/contact/contact_run.h"
#include "motion/result/rounding.h"
#include "motion/run/stiff.h"
#include "motion/runner.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of a momentum, the energy, the ledger: relative to `scale`, where it grows beyond the tolerance.
static double find_growth(const LiaRunner* run, size_t quantity, double scale) {
    return run->direction * lia_trend_rate(run->met.trend, quantity, run->tolerance * scale) /
           scale;
}

// Forces F that hold each other leave a rounding e F, which moves the mass they act on by e F h^2/m
// in a step; F does work along it, over the run e F^2 h t/m. Relative to that the energy of a
// system that is held at rest is nothing, though it be all there is.
static double held_energy(const LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    double span = fabs(w->t - run->out->t0), most = 0.0;
    for (int c = 0; c < w->nc; c++) {
        LiaEntries Omega = lia_workspace_Omega(w, c);
        for (int k = 0; k < Omega.count; k++) {
            double mass = fabs(lia_workspace_inertia(w, lia_entry_column(&Omega, k)));
            double push = Omega.value[k] * w->mu[w->dynamics->rows[c]];
            if (mass > 0.0) most = fmax(most, push * push / mass * run->course.longest * span);
        }
    }
    return LIA_LEDGER_HELD * most;
}

// What the balance, and the drift of the energy, are parts of.
static double energy_scale(const LiaRunner* run, LiaLedgerBy* by) {
    const LiaScales* s = &run->scales;
    double scale = run->met.kinetic_most + (run->met.potential_most - run->met.potential_least);
    *by = LIA_LEDGER_BY_ENERGIES;
    if (s->met_energy > LIA_LEDGER_BY_WORK * scale) {
        *by = LIA_LEDGER_BY_LARGEST_WORK;
        scale = s->met_energy;
    }
    if (scale < LIA_LEDGER_AT_REST * s->energy) {
        *by = LIA_LEDGER_BY_REST;
        scale = s->energy;
    }
    return scale;
}

static bool make_ledger(LiaRunner* run) {
    const LiaSystem* s = run->system;
    LiaTrajectory* out = run->out;
    out->ledger.lines = LIA_ARENA_NEW(out->arena, LiaLedgerLine, s->line_count + 2);
    if (!out->ledger.lines) return false;
    double sum = 0.0, low = 0.0;
    size_t column = 0;
    for (uint32_t l = 0; l < s->line_count; l++) {
        if (lia_system_line_internal(s, l)) continue;
        LiaLedgerLine* line = &out->ledger.lines[out->ledger.count++];
        // the columns of powers stand in the order of the lines
        while (column < out->csv_count &&
               (out->columns[column].kind != LIA_COLUMN_POWER || out->columns[column].index < l)) {
            column++;
        }
        if (column < out->csv_count && out->columns[column].index == l)
            line->power = out->final.values[column];
        line->kind = s->lines[l].kind;
        line->line = l;
        line->name = s->lines[l].name;
        line->workless = lia_system_workless(s, l);
        line->work = run->w->work[l];
        low += run->low.work[l];
        sum += line->work;
    }
    if (run->met.projected != 0.0) {
        out->ledger.lines[out->ledger.count++] = (LiaLedgerLine){.kind = LIA_LINE_PROJECTION,
                                                                 .line = LIA_NOWHERE,
                                                                 .name = "projection",
                                                                 .work = run->met.projected};
        sum += run->met.projected;
    }
    double scale = energy_scale(run, &out->ledger.by);
    double gap = out->ledger.end - out->ledger.start - sum - low;
    if (!(scale > 0.0)) scale = 1.0;
    if (scale <= held_energy(run)) return true;  // held at rest: all of it is rounding
    out->ledger.balance = gap == 0.0 ? 0.0 : fabs(gap) / scale;
    out->ledger.growth = find_growth(run, run->model->symmetries_count + 1, scale);
    return true;
}

// Energy that nobody fed in: something is wrong with the motion, the model or the program. What
// rounding of the energies and the tolerance make is no reason to doubt.
static void doubt_ledger(LiaRunner* run) {
    const LiaTrajectory* out = run->out;
    double change = out->ledger.end - out->ledger.start, worked = 0.0;
    double size = fmax(fabs(out->ledger.start), fabs(out->ledger.end));
    for (size_t l = 0; l < out->ledger.count; l++) {
        worked += out->ledger.lines[l].work;
        size = fmax(size, fabs(out->ledger.lines[l].work));
    }
    if (out->status == LIA_FAILED ||
        !(out->ledger.balance > fmax(LIA_LEDGER_DOUBT, LIA_LEDGER_TOLERANCES * run->tolerance)) ||
        !(fabs(change - worked) > LIA_LEDGER_ROUNDING * size) ||
        !(fabs(change - worked) > held_energy(run))) {
        return;
    }
    lia_diag_warning(run->diags, run->model->energies[0].span, "W0412",
                     "the ledger does not close: all works together are %.10g, the energy changed "
                     "by %.10g",
                     worked, change);
    lia_diag_help(run->diags, "the motion is not to be trusted; try a smaller --tolerance");
}

// A Rayleigh function is never negative: its force cannot feed energy in.
static void doubt_dissipation(LiaRunner* run) {
    double scale = run->met.kinetic_most + (run->met.potential_most - run->met.potential_least);
    for (uint32_t l = 0; l < run->system->line_count; l++) {
        double fed = run->w->work[l] * run->direction;
        if (run->system->lines[l].kind != LIA_LINE_DISSIPATION ||
            !(fed > LIA_DISSIPATION_FEEDS * scale))
            continue;
        lia_diag_warning(run->diags, run->model->dissipations[0].span, "W0411",
                         "the dissipation feeds energy in (%.3g): D must not be negative", fed);
        lia_diag_help(run->diags, "the force is -dD/dv; one that drives is a 'force'");
    }
}

double lia_report_row_size(const LiaWorkspace* w, int c, const double* size) {
    LiaEntries J = lia_workspace_J(w, c);
    double sum = 0.0;
    for (int k = 0; k < J.count; k++) {
        sum += fabs(J.value[k]) * size[w->dynamics->free[lia_entry_column(&J, k)]];
    }
    return sum;
}

// By the sizes that coordinates have had, or have now: a law that rests at first, t^5, has had
// none.
static double size_with_state(const LiaWorkspace* w, int c, const double* size, const double* x) {
    LiaEntries J = lia_workspace_J(w, c);
    double sum = 0.0;
    for (int k = 0; k < J.count; k++) {
        uint32_t i = w->dynamics->free[lia_entry_column(&J, k)];
        sum += fabs(J.value[k]) * lia_larger(size[i], fabs(x[i]));
    }
    return sum;
}

// What the rows are measured by, into run->met.row_q and row_v.
static void measure_rows(const LiaRunner* run, const LiaWorkspace* w) {
    const LiaScales* scales = &run->scales;
    double most_q = 0.0, most_v = 0.0, span = fabs(scales->span);
    for (int c = 0; c < w->nc; c++) {
        most_q = fmax(most_q, size_with_state(w, c, scales->own_q, w->q));
        most_v = fmax(most_v, size_with_state(w, c, scales->own_v, w->v));
    }
    for (int c = 0; c < w->nc; c++) {
        // What rounding of the forces would do in the whole run is rest: what is held at 0 has no
        // other size.
        double noise = lia_report_row_size(w, c, scales->noise) * span;
        double q = size_with_state(w, c, scales->own_q, w->q) + noise * span;
        double v = size_with_state(w, c, scales->own_v, w->v) + noise;
        // a row that is zero but for rounding is scaled by the largest row
        run->met.row_q[c] = q > LIA_ROW_NONE * most_q ? q : most_q;
        run->met.row_v[c] = v > LIA_ROW_NONE * most_v ? v : most_v;
    }
}

double lia_report_misses(const LiaRunner* run, LiaWorkspace* w) {
    if (!run->scales.begun) return lia_project_scaled_residuals(w);
    measure_rows(run, w);
    return lia_report_misses_again(run, w);
}

double lia_report_misses_again(const LiaRunner* run, LiaWorkspace* w) {
    double most = 0.0;
    for (int c = 0; c < w->nc; c++) {
        double of_phi = w->phi[c] == 0.0 ? 0.0 : fabs(w->phi[c]) / run->met.row_q[c];
        double of_psi = w->psi[c] == 0.0 ? 0.0 : fabs(w->psi[c]) / run->met.row_v[c];
        w->projection.miss[c] = lia_larger(of_phi, of_psi);
        if (!(w->projection.miss[c] <= most)) most = w->projection.miss[c];
    }
    return most;
}

// Samples in a position where equations lose their rank.
static void tell_undetermined(const LiaRunner* run) {
    char others[60] = "";
    if (run->samples.undetermined == 0) return;
    if (run->samples.undetermined > 1) {
        snprintf(others, sizeof others, " and at %zu more samples", run->samples.undetermined - 1);
    }
    lia_diag_warning(run->diags, run->samples.undetermined_span, "W0413",
                     "at t = %.10g%s the forces are not determined: the equations lose their rank "
                     "there, and the motion only passes",
                     run->samples.undetermined_time, others);
    lia_diag_help(run->diags, "positions and velocities of these rows are those of the series, "
                              "what is made of forces is nan");
}

static bool make_constraints(LiaRunner* run) {
    const LiaSystem* s = run->system;
    const LiaModel* m = run->model;
    LiaTrajectory* out = run->out;
    LiaWorkspace* w = run->w;
    out->constraints.list =
        LIA_ARENA_NEW(out->arena, LiaConstraintReport, m->constraints_count + 1);
    LiaConstraintReport** of =
        LIA_ARENA_NEW(out->arena, LiaConstraintReport*, m->constraints_count + 1);
    if (!out->constraints.list || !of) return false;
    for (uint32_t c = 0; c < m->constraints_count; c++) {
        if (m->constraints[c].internal) continue;
        LiaConstraintReport* r = &out->constraints.list[out->constraints.count++];
        r->constraint = c;
        r->name = m->constraints[c].name;
        r->active = m->constraints[c].active;
        r->contact = m->constraints[c].contact != NULL;
        r->equations = m->constraints[c].equation_count;
        r->unique = true;
        of[c] = r;
    }
    for (uint32_t k = 0; k < w->dynamics->drive_count; k++) {
        LiaConstraintReport* r = of[s->rows[w->dynamics->drive_row[k]].constraint];
        if (r) r->eliminated = true;
    }
    lia_report_misses(run, w);
    for (int k = 0; k < w->nc; k++) {
        LiaConstraintReport* r = of[s->rows[w->dynamics->rows[k]].constraint];
        if (!r) continue;
        r->residual = fmax(r->residual, w->projection.miss[k]);
        if (run->samples.shared[w->dynamics->rows[k]]) r->unique = false;
    }
    const LiaRelativeDegree* degree = w->forces.degree;
    for (int k = 0; k < degree->count; k++) {
        LiaConstraintReport* r = of[s->rows[w->dynamics->rows[degree->row[k]]].constraint];
        if (r && degree->shift[k] > (int)r->degree) {
            r->degree = (uint32_t)degree->shift[k];
        }
    }
    for (uint32_t c = 0; c < m->constraints_count; c++) {
        if (of[c]) of[c]->worst = fmax(of[c]->residual, run->met.worst[c]);
    }
    return true;
}

// 2*force(a) - force(b)[1]
static void add_term(LiaText* text, double factor, const char* name) {
    if (text->length) {
        lia_text_add(text, factor < 0.0 ? " - " : " + ");
    } else if (factor < 0.0) {
        lia_text_add(text, "-");
    }
    if (fabs(factor) != 1.0) {
        lia_text_add_short(text, fabs(factor), 6);
        lia_text_add(text, "*");
    }
    lia_text_add(text, "%s", name);
}

// Which combinations of the multipliers that are not unique are so all the same.
static bool make_combinations(LiaRunner* run) {
    LiaTrajectory* out = run->out;
    const LiaSystem* s = run->system;
    const LiaWorkspace* w = run->w;
    bool shared = false;
    for (int c = 0; c < w->nc; c++) shared |= !w->unique[w->dynamics->rows[c]];
    if (!shared) return true;
    size_t nc = (size_t)w->nc;
    double* basis = lia_memory_zeros(nc * nc + 1, sizeof *basis);
    if (!basis) return false;
    int count = lia_min_norm_combinations(w, basis);
    double most = 0.0;
    for (size_t c = 0; c < nc; c++) most = fmax(most, fabs(w->mu[w->dynamics->rows[c]]));
    out->constraints.combinations = LIA_ARENA_NEW(out->arena, LiaCombination, nc + 1);
    for (int k = 0; out->constraints.combinations && k < count; k++) {
        LiaText text = {0};
        double value = 0.0;
        bool named = false;
        for (size_t c = 0; c < nc; c++) {
            double factor = basis[(size_t)k * nc + c];
            uint32_t row = w->dynamics->rows[c];
            if (factor == 0.0) continue;
            named |= !run->model->constraints[s->rows[row].constraint].internal;
            add_term(&text, factor, s->graph->names[LIA_SYMBOL_MULTIPLIER][row]);
            value += factor * w->mu[row];
        }
        if (fabs(value) < LIA_COMBINATION_ROUNDING * most) value = 0.0;  // rounding of the forces
        if (named && text.data) {
            out->constraints.combinations[out->constraints.combination_count++] =
                (LiaCombination){lia_arena_text(out->arena, text.data, text.length), value};
        }
        lia_text_clear(&text);
    }
    free(basis);
    return out->constraints.combinations != NULL;
}

// Of a phase space the Casimir function itself.
static const char* kept_name(LiaRunner* run, uint32_t k) {
    LiaArena* arena = run->out->arena;
    if (!run->model->phase.is)
        return lia_arena_printf(arena, "momentum(%s)", run->model->symmetries[k].name);
    LiaText text = {0};
    lia_formula_text(run->system->graph, run->system->observables.momenta[k], &text);
    const char* name = lia_arena_text(arena, text.data ? text.data : "", text.length);
    lia_text_clear(&text);
    return name;
}

static bool make_conserved(LiaRunner* run) {
    const LiaModel* m = run->model;
    LiaTrajectory* out = run->out;
    uint32_t count = m->symmetries_count;
    out->conserved.list = LIA_ARENA_NEW(out->arena, LiaConserved, count + 2);
    if (!out->conserved.list) return false;
    if (isnan(run->met.momentum_first[count])) return true;  // nothing was ever computed
    double energies = energy_scale(run, &(LiaLedgerBy){0});
    for (uint32_t i = 0; i <= count; i++) {
        uint32_t k = i == 0 ? count : i - 1;  // the energy first
        double scale = k == count ? energies : fmax(run->met.momentum_size[k], LIA_MOMENTUM_LEAST);
        if (k < count && run->met.momentum_size[k] < LIA_MOMENTUM_NONE) scale = 1.0;
        if (!(scale > 0.0)) scale = 1.0;
        double drift = run->met.momentum_away[k] / scale;
        double allowed = fmax(LIA_DRIFT_TOLERANCES * run->tolerance, LIA_DRIFT_LEAST);
        if (!(drift <= fmin(allowed, LIA_DRIFT_MOST))) continue;
        out->conserved.list[out->conserved.count++] = (LiaConserved){
            .name = k == count ? "energy" : kept_name(run, k),
            .value = run->samples.values[k == count ? LIA_SAMPLE_ENERGY : LIA_SAMPLE_MOMENTA + k],
            .drift = drift,
            .rounding = fmax(LIA_SUMMARY_ROUNDING, drift) * scale,
            .growth = find_growth(run, k, scale)};
    }
    return true;
}

// In pictures a curve that is not unique is called so.
static bool make_labels(LiaTrajectory* out) {
    for (size_t k = 0; k < out->column_count; k++) {
        LiaColumn* c = &out->columns[k];
        if (c->shared) c->label = lia_arena_printf(out->arena, "%s (not unique)", c->name);
        if (!c->label) return false;
    }
    return true;
}

bool lia_report_make(LiaRunner* run) {
    LiaTrajectory* out = run->out;
    lia_contact_record_all(run);
    out->regularity = run->met.regularity_least;
    out->ledger.end = run->samples.values[LIA_SAMPLE_ENERGY];
    doubt_dissipation(run);
    lia_friction_check_motion(run);
    tell_undetermined(run);
    lia_stiff_tell(run);
    if (!make_ledger(run)) return false;
    doubt_ledger(run);
    if (!make_constraints(run)) return false;
    lia_digits_make(run);
    return make_combinations(run) && make_conserved(run) && make_labels(out) &&
           lia_rounding_make(run);
}
