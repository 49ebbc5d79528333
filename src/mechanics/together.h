// Forces of operators that are decided only by several derivatives of their equations at once: see together.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "workspace.h"

typedef enum LiaTogetherMode {
    LIA_TOGETHER_SOLVED,      // residuals() finds the forces that satisfy the equations best
    LIA_TOGETHER_LINEARISED,  // it takes those there are, for a Newton step of forces and state
    LIA_TOGETHER_FROZEN,      // it also keeps N: the state is varied
} LiaTogetherMode;

struct LiaTogether {
    int count, depth, n;  // operators' rows; K; unknowns, count (K + 1)
    int rank;             // of G
    int left;             // columns of N
    bool tried;           // trial forces were chosen
    LiaTogetherMode mode;
    double* x;      // forces of orders k .. k + K                         (n)
    double* first;  // those of order 0 as found last                        (n)
    double* r;      // what they leave of the equations                    (n)
    double* G;      // dr/dx, scaled                                       (n x n)
    double* noise;  // what rounding makes of a row of G                   (n)
    double *row_scale, *column_scale;
    double *s, *U, *V;  // G = U diag(s) V^T                                   (n), (n x n)
    double* N;          // N^T r is the same for all forces                    (n x left)
    double* push;       // accelerations by mu[0]                              (nf x count)
    double* R;          // dr/d(state)                                         (n x 2 nf)
    double *plain, *step, *varied, *T, *work;
};

/// NULL if memory is out. Released with free().
LiaTogether* lia_together_create(int count, int depth, int nf);
/// Stage k, the forces found from K + 1 derivatives.
void lia_together_stage(LiaWorkspace* w, int k);
/// After factor(): w->level. False if the forces are not decided.
bool lia_together_residuals(LiaWorkspace* w);
/// In a Newton step: take down what varying the i-th number of the state by d has changed, and let the forces follow
/// where the state has moved.
void lia_together_note(LiaWorkspace* w, int i, double d);
void lia_together_follow(LiaWorkspace* w, const double* moved);
/// Is the force of the i-th operator one of many?
bool lia_together_open(const LiaWorkspace* w, int i);
