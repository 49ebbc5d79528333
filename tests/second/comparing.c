// Two ways from a model to a motion, compared sample by sample: states, forces, powers, works.
// SPDX-License-Identifier: MIT
#include "comparing.h"
#include "support/state.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

uint64_t comparing_models(void) {
    const char* count = getenv("LIAISON_MODELS");
    return count ? strtoull(count, NULL, 10) : MODELS;
}

void comparing_differ(Difference* d, double first, double second, const char* what,
                      const char* name, double t) {
    double off = fabs(first - second) / (1.0 + fabs(second));
    if (!isfinite(first) || !isfinite(second)) off = INFINITY;
    if (off <= d->most) return;
    d->most = off;
    snprintf(d->where, sizeof d->where, "%s %s at t = %g: first %.15g, second %.15g", what, name, t,
             first, second);
}

// Reactions that are not unique: which multipliers the ways choose is their own affair.
static bool unique(const LiaTrajectory* first, uint32_t constraint) {
    return constraint >= first->constraints.count || first->constraints.list[constraint].unique;
}

// Columns of a rotation are its angular velocity in space axes, omega = 2 vec(q' q^-1).
static double velocity_of(const LiaColumn* column, const double* q, const double* v) {
    if (!column->part) return v[column->index];
    const double *a = q + column->index - column->part, *b = v + column->index - column->part;
    uint32_t i = column->part, m = i % 3 + 1, k = m % 3 + 1;
    return 2.0 * (a[0] * b[i] - b[0] * a[i] + a[m] * b[k] - a[k] * b[m]);
}

static void compare_row(const LiaTrajectory* first, size_t r, Second* second, const LiaModel* model,
                        const double* q, const double* v, const double* work, Difference* d) {
    double t = lia_trajectory_value(first, r, 0), mu[ROWS_MOST];
    if (!second_solve(second, t, q, v, NULL, mu)) {
        comparing_differ(d, NAN, NAN, "K0", "singular", t);
        return;
    }
    for (size_t c = 0; c < first->csv_count; c++) {
        const LiaColumn* column = &first->columns[c];
        double x = lia_trajectory_value(first, r, c);
        switch (column->kind) {
        case LIA_COLUMN_POSITION:
            comparing_differ(d, x, q[column->index], "position", column->name, t);
            break;
        case LIA_COLUMN_VELOCITY:
            comparing_differ(d, x, velocity_of(column, q, v), "velocity", column->name, t);
            break;
        case LIA_COLUMN_FORCE: {
            int row = 0;
            for (uint32_t i = 0; i < column->index; i++)
                row += (int)model->constraints[i].equation_count;
            if (!unique(first, column->index)) break;
            comparing_differ(d, x, mu[row + (int)column->part], "force", column->name, t);
            break;
        }
        default:
            break;
        }
    }
    for (uint32_t i = 0; i < model->observes_count; i++) {
        const LiaObserve* o = &model->observes[i];
        for (size_t c = 0; c < first->csv_count; c++) {
            const LiaColumn* column = &first->columns[c];
            if (column->kind != LIA_COLUMN_OBSERVE || strcmp(column->name, o->name) != 0) continue;
            if (lia_model_depends(model, o->term) & LIA_DEPENDS(REACTION)) {
                bool all = true;
                for (uint32_t k = 0; k < model->constraints_count; k++)
                    all = all && unique(first, k);
                if (!all) continue;
            }
            double x = second_term(second, o->term, t, q, v, work) * o->scale;
            comparing_differ(d, lia_trajectory_value(first, r, c), x, "observe", o->name, t);
        }
    }
}

// What each one fed into the system.
static void compare_ledger(const LiaTrajectory* first, const LiaModel* model, const double* work,
                           Difference* d) {
    uint32_t constraint = 0, force = 0, constraints = model->constraints_count;
    for (size_t i = 0; i < first->ledger.count; i++) {
        const LiaLedgerLine* line = &first->ledger.lines[i];
        uint32_t k;
        switch (line->kind) {
        case LIA_LINE_CONSTRAINT:
        case LIA_LINE_OPERATOR:
            k = constraint++;
            break;
        case LIA_LINE_FORCE:
            k = constraints + force++;
            break;
        case LIA_LINE_DISSIPATION:
            k = constraints + model->forces_count;
            break;
        case LIA_LINE_TIME:
            k = constraints + model->forces_count + 1;
            break;
        default:
            continue;
        }
        comparing_differ(d, line->work, work[k], "work", line->name, first->t);
    }
}

Difference comparing_both(const LiaTrajectory* first, const LiaModel* model, double tolerance) {
    Difference d = {0};
    Second* second = second_create(model);
    int n = second_n(second);
    double q[COORDINATES_MOST] = {0}, v[COORDINATES_MOST] = {0}, work[LINES_MOST] = {0};
    if (n > COORDINATES_MOST || second_rows(second) > ROWS_MOST ||
        second_lines(second) > LINES_MOST) {
        comparing_differ(&d, NAN, NAN, "size", "too large", 0.0);
        second_destroy(second);
        return d;
    }
    state_of_row(first, model, 0, q, v);
    double t = lia_trajectory_value(first, 0, 0);
    for (size_t r = 0; r < lia_trajectory_rows(first); r++) {
        double next = lia_trajectory_value(first, r, 0);
        if (next != t && !second_run(second, t, next, tolerance, q, v, work)) {
            comparing_differ(&d, NAN, NAN, "second way", "could not go on", t);
            break;
        }
        t = next;
        compare_row(first, r, second, model, q, v, work, &d);
    }
    if (t == first->t) compare_ledger(first, model, work, &d);
    second_destroy(second);
    return d;
}

const MotionOptions comparing_as_usual = {
    .run = {.tolerance = 1e-14, .samples = SAMPLES, .steps_most = 20000}};
const MotionOptions comparing_not_eliminated = {
    .no_eliminate = 1, .run = {.tolerance = 1e-14, .samples = SAMPLES, .steps_most = 20000}};

bool comparing_lost_regularity(const Motion* m) {
    return m->status == LIA_FAILED && m->t && m->t->regularity < 1e-2;
}

Difference comparing_run(const char* text, const MotionOptions* options, int* lost) {
    Difference d = {0};
    Motion m = motion_of(text, options);
    if (m.status == LIA_OK) {
        d = comparing_both(m.t, m.model, 1e-13);
    } else if (lost && comparing_lost_regularity(&m)) {
        (*lost)++;
    } else {
        comparing_differ(&d, NAN, NAN, "first way", m.t ? lia_trajectory_reason(m.t) : "no start",
                         0.0);
    }
    motion_clear(&m);
    return d;
}

void comparing_complain(const Difference* d, double most, const char* what, uint64_t seed,
                        const char* text, int* failures) {
    if (d->most <= most) return;
    printf("%s, seed %llu: off by %.2e: %s\n", what, (unsigned long long)seed, d->most, d->where);
    if ((*failures)++ == 0) printf("%s\n", text);
}
