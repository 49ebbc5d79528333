// Forces of operators that are decided only by several derivatives of their equations at once: see
// derivative_array.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

typedef struct LiaDerivativeArray {
    int count, depth, n;  // operators' rows; K; unknowns, count (K + 1)
    int kinematic;        // 1: some equation is one of velocities
    int rank;             // of G
    int left;             // columns of N
    bool frozen;          // residuals() takes forces and N as found before: the state is varied
    double there;         // accelerations when trial forces were chosen; 0: not yet
    double* x;            // forces of orders k .. k + K                         (n)
    double* first;        // those of order 0 as found last                      (n)
    double* r;            // what they leave of the equations                    (n)
    double* unit;         // forces that matter, of each order                   (n)
    double* G;            // dr/dx                                               (n x n)
    double* noise;        // what rounding makes of it                           (n x n)
    double* T;            // rows of G taken out of each other                   (n x n)
    double* scaled;       // T G, rows and columns of size 1                     (n x n)
    double *row_scale, *column_scale;
    double *s, *U, *V;  // scaled = U diag(s) V^T                              (n), (n x n)
    double* N;          // N^T r is the same for all forces                    (n x left)
    double* push;       // accelerations by mu[0]                              (nf x count)
    double *plain, *step, *rounding, *blur, *work;
} LiaDerivativeArray;

/// NULL if memory is out. Released with free().
LiaDerivativeArray* lia_derivative_array_create(const LiaRelativeDegree* degree, int nf);
/// After factor(): the forces that satisfy the equations best, into `first`. False if they are not
/// finite.
bool lia_derivative_array_forces(LiaWorkspace* w);
/// After factor(): w->forces.level. False if the forces are not decided.
bool lia_derivative_array_residuals(LiaWorkspace* w);
/// After factor(): the equations and their derivatives up to the depth, with the forces `first`.
/// Returns how many.
int lia_derivative_array_rows(LiaWorkspace* w, double* f);
/// G at these forces.
void lia_derivative_array_slopes(LiaWorkspace* w);
