// Slopes of levels by the state. See level_slopes.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/degree/derivative_array.h"
#include "mechanics/degree/relative_degree.h"

struct LiaSlopes {
    int m, n;         // equations; unknowns: the state, 2 nf, and forces
    int rank;         // of the rows
    double* scale;    // of each unknown                                             (n)
    double* size;     // of each equation's row                                    (m)
    double* inverse;  // pseudo-inverse of the rows, each divided by its size        (n x m)
    double *f, *g;    // equations at the state, and next to it                       (m)
    double* step;     //                                                             (n)
    double* from;     // the state before                                            (n)
    double *A, *B, *f_kept, *sv, *U, *V, *scratch;
};

/// Unknown number i: a position, a velocity or a force.
static inline double* lia_level_slopes_unknown(LiaWorkspace* w, int i) {
    int nf = w->nf;
    if (i >= 2 * nf) return &w->forces.array->first[i - 2 * nf];
    return i < nf ? &w->q[w->dynamics->free[i]] : &w->v[w->dynamics->free[i - nf]];
}

/// All equations of the state: position and velocity residuals of the rows of K0, levels of hidden
/// rows. -1 where K0 is singular.
int lia_level_slopes_equations(LiaWorkspace* w, int order, double* f);
/// Room for them, where w->forces are. NULL if memory is out.
struct LiaSlopes* lia_level_slopes_make(const LiaWorkspace* w);
/// Rounding in the equations is seen where the state is varied by rounding: what the slopes do not
/// say is noise, and what it makes of the state is as near as a projection comes. Springs that are
/// stiff make much of it.
double lia_level_slopes_blur(LiaWorkspace* w, struct LiaSlopes* s, int order);
/// At the state in w, where s->f are its m equations.
void lia_level_slopes_find(LiaWorkspace* w, struct LiaSlopes* s, int m, int order,
                           const bool* fixed);
