// Values of formulas of a scene at the samples of a motion, and what is rounding in them at its
// end: the sizes of all that they add up (expr/graph/sizes.c), from the sizes of the state and of
// the multipliers that motion/result/rounding.c knows.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/quaternion.h"
#include "base/numeric/thresholds.h"
#include "output/page/scene.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct States {
    double *q, *v, *mu, *work;
    LiaSymbols at;
} States;

static bool states_init(States* states, const LiaSystem* s) {
    size_t lines = s->line_count, rows = s->row_count, n = s->n;
    double* block = lia_memory_zeros(2 * n + rows + lines + 1, sizeof *block);
    if (!block) return false;
    *states = (States){.q = block, .v = block + n, .mu = block + 2 * n};
    states->work = states->mu + rows;
    states->at = (LiaSymbols){.parameters = s->parameters,
                              .q = states->q,
                              .v = states->v,
                              .mu = states->mu,
                              .work = states->work};
    return true;
}

static void states_load(States* states, const LiaScene* scene, size_t row) {
    const LiaTrajectory* t = scene->trajectory;
    const LiaSystem* s = scene->system;
    const double* x = lia_scene_row(scene, row);
    states->at.t = x[0];
    for (size_t k = 0; k < t->column_count; k++) {
        const LiaColumn* c = &t->columns[k];
        if (c->kind == LIA_COLUMN_POSITION) states->q[c->index] = x[k];
        if (c->kind == LIA_COLUMN_VELOCITY) states->v[c->index] = x[k];
        if (c->kind == LIA_COLUMN_FORCE) states->mu[s->first_row[c->index] + c->part] = x[k];
        if (c->kind == LIA_COLUMN_WORK) states->work[c->index] = x[k];
    }
    for (uint32_t i = 0; i < s->model->groups_count; i++) {
        const LiaGroup* group = &s->model->groups[i];
        if (group->manifold == LIA_ROTATION) {
            double omega[3];
            memcpy(omega, states->v + group->first + 1, sizeof omega);
            lia_quaternion_rate(states->q + group->first, omega, states->v + group->first);
        }
    }
}

bool lia_scene_values(LiaScene* scene, const LiaExpr* formulas, size_t count, const size_t* samples,
                      size_t sample_count, double* out) {
    States states;
    LiaValues values;
    if (!states_init(&states, scene->system)) {
        scene->failed = true;
        return false;
    }
    if (!lia_evaluate_init(&values, scene->graph, formulas, count)) {
        free(states.q);
        scene->failed = true;
        return false;
    }
    for (size_t k = 0; k < sample_count; k++) {
        states_load(&states, scene, samples[k]);
        lia_evaluate_run(&values, &states.at);
        for (size_t i = 0; i < count; i++) {
            out[k * count + i] = formulas[i].index ? lia_value(&values, formulas[i]) : NAN;
        }
    }
    lia_evaluate_clear(&values);
    free(states.q);
    return true;
}

// --- rounding

// The sizes of what the symbols stand for at the end, of which a rounding is a part.
static void sizes_load(States* sizes, const LiaScene* scene) {
    const LiaTrajectory* t = scene->trajectory;
    const LiaSystem* s = scene->system;
    for (size_t k = 0; k < t->column_count; k++) {
        const LiaColumn* c = &t->columns[k];
        double size = t->final.rounding[k] / LIA_SUMMARY_ROUNDING;
        if (c->kind == LIA_COLUMN_POSITION) sizes->q[c->index] = size;
        if (c->kind == LIA_COLUMN_VELOCITY) sizes->v[c->index] = size;
        if (c->kind == LIA_COLUMN_FORCE) sizes->mu[s->first_row[c->index] + c->part] = size;
        if (c->kind == LIA_COLUMN_WORK) sizes->work[c->index] = size;
    }
    for (uint32_t i = 0; i < s->model->groups_count; i++) {
        const LiaGroup* group = &s->model->groups[i];
        double* v = sizes->v + group->first;
        double spin = group->manifold == LIA_ROTATION ? v[1] + v[2] + v[3] : 0.0;
        for (uint32_t k = 0; k < 4 && spin > 0.0; k++) v[k] = spin / 2.0;  // q' = omega q/2
    }
}

bool lia_scene_values_rounding(LiaScene* scene, const LiaExpr* formulas, size_t count,
                               double* out) {
    States states = {0}, sizes = {0};
    LiaValues values = {0};
    for (size_t i = 0; i < count; i++) out[i] = 0.0;
    if (!scene->trajectory->final.rounding || scene->rows == 0) return true;
    double* size = NULL;
    bool good = states_init(&states, scene->system) && states_init(&sizes, scene->system) &&
                lia_evaluate_init(&values, scene->graph, formulas, count) &&
                (size = lia_memory_zeros(values.size + 1, sizeof *size)) != NULL;
    if (good) {
        states_load(&states, scene, scene->rows - 1);
        sizes_load(&sizes, scene);
        lia_evaluate_run(&values, &states.at);
        LiaSymbols at = {.q = sizes.q, .v = sizes.v, .mu = sizes.mu, .work = sizes.work};
        lia_sizes_run(&values, &at, size);
    }
    for (size_t i = 0; good && i < count; i++) {
        double most = formulas[i].index ? size[formulas[i].index] : 0.0;
        out[i] = isfinite(most) ? LIA_SUMMARY_ROUNDING * most : 0.0;
    }
    free(size);
    lia_evaluate_clear(&values);
    free(states.q);
    free(sizes.q);
    scene->failed |= !good;
    return good;
}
