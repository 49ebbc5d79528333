// What every LiaTrajectory keeps to: columns that belong to the system, rows and events in the
// order of time, a reason wherever the run did not end as asked. Asserted where one leaves motion.
// SPDX-License-Identifier: MIT
#include "base/numeric/thresholds.h"
#include "mechanics/system.h"
#include "motion/result/trajectory.h"
#include <math.h>

static bool index_holds(const LiaTrajectory* out, const LiaColumn* c) {
    const LiaSystem* s = out->system;
    const LiaModel* m = out->model;
    switch (c->kind) {
    case LIA_COLUMN_TIME:
        return c->index == 0;
    case LIA_COLUMN_POSITION:
    case LIA_COLUMN_VELOCITY:
        return c->index < s->n;
    case LIA_COLUMN_OBSERVE:
        return c->index == c->slot && c->slot < lia_sample_curve(m, 0);
    case LIA_COLUMN_FORCE:
        return c->index < m->constraints_count && c->part < m->constraints[c->index].equation_count;
    case LIA_COLUMN_POWER:
        return c->index < s->line_count;
    case LIA_COLUMN_WORK:  // it knows the power of its line
        return c->index < s->line_count && c->slot < out->csv_count &&
               out->columns[c->slot].kind == LIA_COLUMN_POWER &&
               out->columns[c->slot].index == c->index;
    case LIA_COLUMN_PLOT:
        return c->index < m->pictures.plots_count && c->part <= m->pictures.plots[c->index].count &&
               c->slot >= lia_sample_curve(m, 0) && c->slot < s->observables.sample_count;
    case LIA_COLUMN_MOMENTUM:
        return c->index < m->symmetries_count && c->slot == LIA_SAMPLE_MOMENTA + c->index;
    }
    return false;
}

// Time first; what is not in the CSV comes after what is.
static bool columns_hold(const LiaTrajectory* out) {
    if (!out->columns || !out->final.values || !out->final.shared) return false;
    if (out->csv_count < 1 || out->csv_count > out->column_count) return false;
    for (size_t k = 0; k < out->column_count; k++) {
        const LiaColumn* c = &out->columns[k];
        bool hidden = c->kind == LIA_COLUMN_PLOT || c->kind == LIA_COLUMN_MOMENTUM ||
                      c->kind == LIA_COLUMN_WORK;
        if (!c->name || !c->key || !c->label || !index_holds(out, c)) return false;
        if ((k == 0) != (c->kind == LIA_COLUMN_TIME)) return false;
        if (hidden && k < out->csv_count) return false;
    }
    return true;
}

// x comes no later than y on the way from t0 to t1.
static bool in_order(const LiaTrajectory* out, double x, double y) {
    return out->t1 < out->t0 ? x >= y : x <= y;
}

static bool rows_hold(const LiaTrajectory* out) {
    if (out->rows.count > out->rows.capacity || (out->rows.count && !out->rows.values))
        return false;
    for (size_t i = 0; i < out->rows.count; i++) {
        double t = out->rows.values[i * out->column_count];
        double before = i ? out->rows.values[(i - 1) * out->column_count] : out->t0;
        if (!in_order(out, before, t)) return false;
    }
    return true;
}

static bool events_hold(const LiaTrajectory* out) {
    if (out->events.count > out->events.capacity || out->jumps.count > out->jumps.capacity)
        return false;
    for (size_t i = 0; i < out->events.count; i++) {
        const LiaEventRecord* e = &out->events.list[i];
        if (!e->name || e->direction < -1 || e->direction > 1) return false;
        if (i > 0 && !in_order(out, e[-1].t, e->t)) return false;
    }
    for (size_t i = 0; i < out->jumps.count; i++) {
        const LiaJump* j = &out->jumps.list[i];
        if (!j->velocities || !j->impulses) return false;
        if (i > 0 && !in_order(out, j[-1].t, j->t)) return false;
    }
    return true;
}

// A part of something: not known, or between 0 and 1.
static bool is_part(double x) { return isnan(x) || (x >= 0.0 && x <= 1.0); }

static bool reports_hold(const LiaTrajectory* out) {
    if (!out->ledger.lines || !out->constraints.list || !out->conserved.list) return false;
    if (out->constraints.count > out->model->constraints_count) return false;
    for (size_t l = 0; l < out->ledger.count; l++) {
        if (!out->ledger.lines[l].name) return false;
    }
    for (size_t c = 0; c < out->constraints.count; c++) {
        const LiaConstraintReport* of = &out->constraints.list[c];
        if (!of->name || of->residual < 0.0 || of->worst < 0.0 || !is_part(of->doubt)) return false;
    }
    return is_part(out->doubt);
}

static bool way_holds(const LiaTrajectory* out) {
    double span = out->t1 - out->t0, slack = LIA_CORNER_AHEAD * fabs(span);
    if (isnan(span) || !(fabs(out->t - out->t0) <= fabs(span) + slack)) return false;  // inf: open
    if (out->effort.order < LIA_ORDER_LEAST || out->effort.order > LIA_ORDER_MOST) return false;
    return out->effort.tolerance >= LIA_TOLERANCE_LEAST &&
           out->effort.tolerance <= LIA_TOLERANCE_MOST;
}

bool lia_trajectory_invariants_hold(const LiaTrajectory* out) {
    if (!out || !out->arena || !out->system || out->model != out->system->model) return false;
    bool done = out->status == LIA_OK;
    if (!done && out->status != LIA_STOPPED && out->status != LIA_FAILED) return false;
    if (done != !out->reason.code || done != !out->reason.text) return false;
    return way_holds(out) && columns_hold(out) && rows_hold(out) && events_hold(out) &&
           reports_hold(out);
}
