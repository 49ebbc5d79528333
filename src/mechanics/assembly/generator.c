// Generators of symmetries: how fast each coordinate is moved. A direction that is moved must stay
// one: the generator of a unit vector u is at right angles to it, dot(u, xi) = 0 wherever u is.
// That is looked at in a few places.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "mechanics/build.h"
#include "mechanics/kkt/workspace.h"
#include "mechanics/multipliers/min_norm.h"
#include <math.h>
#include <stdlib.h>

enum { PLACES = 4 };

// A state at random, directions and attitudes of unit length.
static void draw(const LiaModel* model, uint32_t n, uint64_t* seed, double* q) {
    for (uint32_t i = 0; i < n; i++) q[i] = 4.0 * lia_random_generic(seed) - 3.0;
    for (uint32_t g = 0; g < model->groups_count; g++) {
        const LiaGroup* group = &model->groups[g];
        if (group->manifold == LIA_SPACE) continue;
        double sum = 0.0;
        for (uint32_t i = 0; i < group->count; i++)
            sum += q[group->first + i] * q[group->first + i];
        for (uint32_t i = 0; i < group->count; i++) q[group->first + i] /= sqrt(sum);
    }
}

static bool stays(const double* q, const double* xi) {
    double along = 0.0, size = 0.0;
    for (int i = 0; i < 3; i++) along += q[i] * xi[i], size += fabs(xi[i]);
    return !(fabs(along) > LIA_GENERATOR_ALONG * size);  // where it has no value nothing is said
}

// Does the generator xi of `n` coordinates keep this direction one?
static bool keeps(const LiaSystem* s, const LiaGroup* group, const LiaExpr* xi, double* q,
                  bool* failed) {
    LiaValues values;
    if (!lia_evaluate_init(&values, s->graph, xi + group->first, 3)) {
        *failed = true;
        return true;
    }
    bool good = true;
    uint64_t seed = 1;
    for (int k = 0; good && k < PLACES; k++) {
        draw(s->model, s->n, &seed, q);
        lia_evaluate_run(&values, &(LiaSymbols){.t = 0.3 * k, .parameters = s->parameters, .q = q});
        double rate[3];
        for (uint32_t i = 0; i < 3; i++)
            rate[i] = xi[group->first + i].index ? lia_value(&values, xi[group->first + i]) : 0.0;
        good = stays(q + group->first, rate);
    }
    lia_evaluate_clear(&values);
    return good;
}

bool lia_generator_build(LiaSystem* s, const LiaSymmetry* symmetry, const LiaExpr* xi,
                         LiaDiags* diags) {
    bool failed = false;
    double* q = NULL;
    for (uint32_t g = 0; g < s->model->groups_count && !failed; g++) {
        const LiaGroup* group = &s->model->groups[g];
        bool moved = false;
        for (uint32_t i = 0; i < group->count; i++) moved |= xi[group->first + i].index != 0;
        if (group->manifold != LIA_SPHERE || !moved) continue;
        if (!q) q = lia_memory_zeros(s->n + 1, sizeof *q);
        failed = !q || !lia_parameters_pin(s, xi + group->first, 3);
        if (failed || keeps(s, group, xi, q, &failed)) continue;
        lia_diag_error(diags, symmetry->span, "E0223",
                       "the symmetry '%s' moves '%s' off the sphere: dot(%s, %s') is not 0",
                       symmetry->name, group->name, group->name, group->name);
        lia_diag_help(diags, "a direction turns: write %s' = cross(e, %s)", group->name,
                      group->name);
    }
    free(q);
    return !failed;
}
