// Steps over positions where equations lose their rank: a four-bar linkage in its flat position.
//
// There a row of J, or a combination of rows, is zero for an instant, and grows again: sigma ~ |t - t*|. The motion goes
// on, along the branch that its velocity says, and its series know nothing of the position. But every state near it
// is ill determined: what a step leaves of the equations is divided by sigma, and rounding grows along a series like
// (h / |t* - t|)^k. So a step must not end near such a position. It ends half way before it, or, where it reaches so
// far, a tenth of the way behind it, where 1.1^order still is a small number. It must reach so far: a step of 1.15 times
// what the tolerance allows, of order 26, would leave 40 times as much.
//
// sigma is seen in the volume that the active rows of J span, in units of sqrt(M), beside that at the begin of the step.
// SPDX-License-Identifier: MIT
#include "../base/golden.h"
#include "../base/memory.h"
#include "runner.h"
#include <math.h>
#include <stdlib.h>

static const double BEHIND = 1.1, BEFORE = 0.5;
static const double LATER = 0.55;   // rounding that grows looks like a series that ends there
static const double FLAT = 0.05;    // part of the volume below which a position is called flat
static const double AHEAD = 1.6;    // steps
static const double ASTRAY = 1e-4;  // residuals of a series that has left the motion
enum { LOOKS = 24, UNKNOWNS_MOST = 300 };

// Volume of the rows `active` of J, by orthogonalising them one after the other.
static double volume(const LiaWorkspace* w, const int* active, int count, double* rows) {
    int n = w->nf;
    double product = 1.0, *column = rows + (size_t)count * (size_t)n;
    lia_mechanics_columns(w, column);
    for (int r = 0; r < count; r++) {
        double* row = rows + (size_t)r * (size_t)n;
        for (int k = 0; k < n; k++) row[k] = w->J[active[r] * n + k] / column[k];
        for (int pass = 0; pass < 2; pass++) {  // once leaves rounding of the parts that go
            for (int j = 0; j < r; j++) {
                const double* u = rows + (size_t)j * (size_t)n;
                double dot = 0.0;
                for (int k = 0; k < n; k++) dot += u[k] * row[k];
                for (int k = 0; k < n; k++) row[k] -= dot * u[k];
            }
        }
        double size = 0.0;
        for (int k = 0; k < n; k++) size = hypot(size, row[k]);
        product *= size;
        for (int k = 0; k < n && size > 0.0; k++) row[k] /= size;
    }
    return product;
}

typedef struct Look {
    const LiaRunner* run;
    double* rows;
} Look;

// At the time x after the beginning of the step.
static double volume_at(void* context, double x) {
    const Look* look = context;
    const LiaRunner* run = look->run;
    LiaWorkspace* s = run->sampler;
    lia_step_at(&run->step, x, s);
    lia_mechanics_load(s, 1);
    lia_mechanics_residuals(s);
    lia_mechanics_matrices(s);
    return volume(s, run->active_old, run->nr_old, look->rows);
}

static bool has_geometric_row(const LiaRunner* run) {
    for (int r = 0; r < run->nr_old; r++) {
        if (run->w->equation[run->active_old[r]].geometric) return true;
    }
    return false;
}

LiaLeap lia_leap_find(const LiaRunner* run, double natural, double* h) {
    const LiaWorkspace* w = run->w;
    if (w->saddle || w->hidden || w->nf + w->nc > UNKNOWNS_MOST || !has_geometric_row(run))
        return LIA_LEAP_NONE;
    double* rows = lia_memory_take((((size_t)run->nr_old + 1) * (size_t)w->nf + 1) * sizeof *rows);
    if (!rows) return LIA_LEAP_NONE;
    Look look = {run, rows};
    double first = volume_at(&look, 0.0), least = first, at = 0.0;
    double d = AHEAD * natural / LOOKS;
    for (int k = 1; k <= LOOKS; k++) {
        double V = volume_at(&look, k * d);
        if (!(lia_mechanics_misses(run->sampler) < ASTRAY)) break;
        if (V < least) least = V, at = k * d;
    }
    bool found = at != 0.0 && first > 0.0;
    if (found) {
        at = lia_golden_least(volume_at, &look, at - d, at + d, 30);
        found = volume_at(&look, at) < FLAT * first;
    }
    free(rows);
    if (!found) return LIA_LEAP_NONE;
    // Half way before it the series converge well: where the step is short all the same, it is rounding that makes it so.
    bool over = fabs((run->approaching ? LATER : BEHIND) * at) <= fabs(natural);
    *h = over ? BEHIND * at : BEFORE * at;
    return over ? LIA_LEAP_OVER : LIA_LEAP_BEFORE;
}
