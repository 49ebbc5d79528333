// How well K0 determines what is computed with it: what rounding makes of accelerations,
// multipliers, positions and velocities.
//
// Every number of K0 x = b is rounded, so x may be off, componentwise, by
//   e = eps |K0^-1| (|K0| |x| + sizes of the terms of b)           Oettli and Prager 1964, Arioli,
//                                                                  Demmel and Duff 1989
// This does not change with the units of equations and unknowns: a light part next to a heavy one
// loses nothing. Two equations that are nearly one do, and so does a mass matrix that hardly tells
// two motions apart.
//
// An unknown that happens to be 0 has no digits of its own. What the matrix alone makes of unknowns
// of size 1, in the units of scaling.c, says how large e is relative to the natural size of the
// unknown (Skeel 1979):
//   growth = |K0^-1| |K0| 1
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

enum { LIA_CERTAINTY_MOST = 200 };  // unknowns of K0 whose inverse is formed; beyond, see below

typedef struct LiaForwardError {
    double *a, *mu;  // errors of the accelerations (nf) and of the multipliers of active rows (nr)
    double* growth;  // by unknown: of what is rounding of its equations          (nf + nr)
    double *q, *v;   // errors of positions and velocities, by the equations      (nf)
    void* block;
} LiaForwardError;

/// Room for the largest K0 of w. False if memory is out. What is too large to be looked at needs
/// none.
bool lia_forward_error_init(LiaForwardError* c, const LiaWorkspace* w);
void lia_forward_error_clear(LiaForwardError* c);
/// After accelerate(). `sizes`: of what the forces are the sum of, by unknown coordinate, then of
/// what J a + gamma, the rate and the value of each row are the sum of (nf + 3 nc). False where
/// nothing can be said: the system is too large, or forces act through springs.
bool lia_forward_error_look(LiaForwardError* c, LiaWorkspace* w, const double* sizes);

/// Row i of K0^-1, into x (nf + nr), where K0 is kept by its entries.
void lia_forward_error_row(const LiaWorkspace* w, int i, double* x);

// Of a large system: the unknown that rounding of its equations grows most for.
typedef struct LiaLargestGrowth {
    int unknown;  // of nf + nr; -1: not known
    double growth, error;
} LiaLargestGrowth;

/// After accelerate(), where K0 is sparse: an estimate by Hager (1984) and Higham (1988), some ten
/// solutions. Without `sizes` (NULL) the growth only.
LiaLargestGrowth lia_forward_error_largest(LiaWorkspace* w, const double* sizes);

// A row of J that nearly follows from others.
typedef struct LiaNearRow {
    double distance;  // from their span, as a part of its size, in units of the kinetic energy
    int row;          // of nc; -1: none
    int same;         // one of them that is nearly the same; -1: none, it takes several
} LiaNearRow;

/// The row that is nearest to the span of those before it. -1: none, or there are too many.
LiaNearRow lia_forward_error_nearest(const LiaWorkspace* w);
/// Of the rows that were left out of K0 the one that is farthest from the span of the active ones.
LiaNearRow lia_forward_error_left_out(const LiaWorkspace* w);
/// The rows that `near` is nearly a sum of (nc flags): those of the rows before it or, of one that
/// was left out, of the active ones, without which it would be farther from the span of the others.
/// False where nothing can be said.
bool lia_forward_error_parts(const LiaWorkspace* w, LiaNearRow near, bool left_out, bool* parts);
