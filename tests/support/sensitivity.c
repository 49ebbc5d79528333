// How much a motion changes if its start does. See sensitivity.h.
// SPDX-License-Identifier: MIT
#include "sensitivity.h"
#include "lang/model.h"
#include "motion/result/trajectory.h"
#include "state.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIRECTIONS = 4 };
static const double change = 1e-9;

// The largest |x| of each position and velocity in the motion; members of a group share theirs.
static void sizes(const LiaTrajectory* motion, const LiaModel* model, double* work, double* most) {
    uint32_t n = model->coordinates_count;
    memset(most, 0, 2 * (size_t)n * sizeof *most);
    for (size_t r = 0; r < lia_trajectory_rows(motion); r++) {
        state_of_row(motion, model, r, work, work + n);
        for (uint32_t i = 0; i < 2 * n; i++) most[i] = fmax(most[i], fabs(work[i]));
    }
    for (uint32_t g = 0; g < model->groups_count; g++) {
        for (uint32_t level = 0; level < 2; level++) {
            double* x = most + level * n + model->groups[g].first;
            double whole = 0.0;
            for (uint32_t i = 0; i < model->groups[g].count; i++) whole = fmax(whole, x[i]);
            for (uint32_t i = 0; i < model->groups[g].count; i++) x[i] = whole;
        }
    }
}

// The start of the motion with each number changed up or down: guesses, so that it goes back on the
// constraints.
static void change_starts(LiaStart* starts, uint32_t n, const double* x, const double* size,
                          int direction) {
    uint32_t bits = 0x9E3779B9u * (uint32_t)(direction + 1);
    for (uint32_t i = 0; i < 2 * n; i++) {
        bits = bits * 1664525u + 1013904223u;
        double sign = bits >> 31 ? 1.0 : -1.0;
        starts[i] = (LiaStart){.coordinate = i % n,
                               .velocity = i >= n,
                               .guess = true,
                               .value = x[i] + sign * change * size[i]};
    }
}

static bool compare_motions(const LiaTrajectory* a, const LiaTrajectory* b, double* most) {
    if (!b || lia_trajectory_rows(a) != lia_trajectory_rows(b)) return false;
    for (size_t c = 0; c < lia_trajectory_columns(a); c++) {
        for (size_t r = 0; r < lia_trajectory_rows(a); r++) {
            double away = fabs(lia_trajectory_value(a, r, c) - lia_trajectory_value(b, r, c));
            most[c] = fmax(most[c], away / change);
        }
    }
    return true;
}

double* sensitivity_of(const LiaTrajectory* motion, LiaModel* model, const LiaSystem* system,
                       const LiaRunOptions* options) {
    uint32_t n = model->coordinates_count;
    double* x = calloc(4 * (size_t)n + 1, sizeof *x);
    double *size = x + 2 * n, *most = calloc(lia_trajectory_columns(motion) + 1, sizeof *most);
    LiaStart* starts = calloc(2 * (size_t)n + 1, sizeof *starts);
    LiaModel as_written = *model;
    sizes(motion, model, x, size);
    state_of_row(motion, model, 0, x, x + n);
    model->start.values = starts;
    model->start.values_count = 2 * n;
    model->start.spins_count = 0;
    bool good = true;
    for (int k = 0; good && k < DIRECTIONS; k++) {
        LiaDiags* diags = lia_diags_create();
        LiaTrajectory* other = NULL;
        change_starts(starts, n, x, size, k);
        lia_motion_run(system, options, diags, &other);
        good = compare_motions(motion, other, most);
        lia_trajectory_destroy(other);
        lia_diags_destroy(diags);
    }
    *model = as_written;
    free(starts);
    free(x);
    if (good) return most;
    free(most);
    return NULL;
}
