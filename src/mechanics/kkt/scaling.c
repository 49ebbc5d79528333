// Units in which the entries of K0 = [M -Omega^T; J 0] are of size 1.
//
//   d_i = M_ii^(-1/2)                accelerations, and the rows of M
//   s_r = 1 / max_i |Omega_ri| d_i   multipliers
//   D K0 (D, S):  x = (D, S) x',  the first rows of b times D
//
// This is the metric of the kinetic energy, as far as a diagonal can be: whatever units a model is
// written in, the scaled matrix is the same. A coordinate without inertia is measured so that it
// weighs in its equations what the others do. All are powers of two: nothing is rounded.
//
// For starts the metric itself is wanted, and what in it is none: lia_scaling_inertia().
// SPDX-License-Identifier: MIT
#include "mechanics/kkt/scaling.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/workspace.h"
#include <math.h>

double lia_scaling_unit(double x, double exponent) {
    if (!(x > 0.0) || !isfinite(x)) return 1.0;
    double e = exponent * log2(x);
    return ldexp(1.0, (int)lround(fmax(-500.0, fmin(500.0, e))));
}

// Of coordinate i. The numbers of a rotation or a direction have one unit, though in the direction
// of its length there is no
// inertia: the largest of them counts. They are unknown together or not at all.
static double inertia_of(const LiaWorkspace* w, int i) {
    const LiaModel* model = w->system->model;
    const uint32_t* of = w->dynamics->free;
    uint32_t group = model->coordinates[of[i]].group;
    double most = lia_workspace_inertia(w, i);
    if (!group) return most;
    int first = i, end = i + 1;
    while (first > 0 && model->coordinates[of[first - 1]].group == group) first--;
    while (end < w->nf && model->coordinates[of[end]].group == group) end++;
    for (int k = first; k < end; k++) most = fmax(most, lia_workspace_inertia(w, k));
    return most;
}

static bool has_inertia(const LiaWorkspace* w, int i) { return inertia_of(w, i) > 0.0; }

// Largest entry of an active row of J on coordinates with inertia, in their units; 0: none.
static double weight_of(const LiaWorkspace* w, LiaEntries row) {
    double most = 0.0;
    for (int k = 0; k < row.count; k++) {
        int i = lia_entry_column(&row, k);
        if (has_inertia(w, i)) most = fmax(most, fabs(row.value[k]) * w->saddle.measure[i]);
    }
    return most;
}

static void measure_massless(LiaWorkspace* w) {
    for (int i = 0; i < w->nf; i++)
        w->saddle.measure[i] = has_inertia(w, i) ? w->saddle.measure[i] : INFINITY;
    for (int r = 0; r < w->nr; r++) {
        LiaEntries row = lia_workspace_J(w, w->active[r]);
        double weight = weight_of(w, row);
        for (int k = 0; weight > 0.0 && k < row.count; k++) {
            int i = lia_entry_column(&row, k);
            if (has_inertia(w, i) || row.value[k] == 0.0) continue;
            w->saddle.measure[i] =
                fmin(w->saddle.measure[i], lia_scaling_unit(weight / fabs(row.value[k]), 1.0));
        }
    }
    for (int i = 0; i < w->nf; i++)
        w->saddle.measure[i] = isfinite(w->saddle.measure[i]) ? w->saddle.measure[i] : 1.0;
}

void lia_scaling_by_inertia(LiaWorkspace* w) {
    for (int i = 0; i < w->nf; i++) {
        w->saddle.measure[i] = lia_scaling_unit(inertia_of(w, i), -0.5);
    }
    measure_massless(w);
    for (int r = 0; r < w->nr; r++) {
        LiaEntries Omega = lia_workspace_Omega(w, w->active[r]);
        double most = 0.0;
        for (int k = 0; k < Omega.count; k++) {
            most =
                fmax(most, fabs(Omega.value[k]) * w->saddle.measure[lia_entry_column(&Omega, k)]);
        }
        w->saddle.measure[w->nf + r] = lia_scaling_unit(most, -1.0);
    }
}

int lia_scaling_kind(const LiaModel* model, int coordinate) {
    LiaManifold manifold = model->coordinates[coordinate].manifold;
    return manifold == LIA_LINE || manifold == LIA_SPACE ? 0 : 1;
}

double lia_scaling_inertia(double own, int kind, const double heaviest[2]) {
    double most = fmax(heaviest[0], heaviest[1]);
    if (own == 0.0) return most > 0.0 && most < LIA_LIGHT_SYSTEM ? most : 1.0;
    // m r^2 next to m: metres are not radians; an inertia counts as zero among its like alone.
    // But a row that one of them makes 1e12 times as long as the others (the root of it) would hide
    // these: metric.c counts its rank so.
    double least = fmax(LIA_LEAST_INERTIA * heaviest[kind], LIA_LEAST_INERTIA_OF_ALL * most);
    return own > 0.0 && own < least ? least : own;
}
