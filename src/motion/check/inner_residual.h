// The polynomials of a step against the equations at points inside it. See inner_residual.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

typedef struct LiaRunner LiaRunner;

// Points inside a step: see inner_residual.c.
typedef struct LiaInnerResidual {
    double *a, *defect, *size, *held;  // by unknown coordinate           (n)
    double *q, *v;                     // the state, by the polynomials   (n)
    double* mu;                        // by row of the system            (rows)
    double *row_q, *row_v;             // sizes of the rows of K0         (nc)
    double most_q, most_v;             // the largest of them
    double *scale_q, *scale_v;         // what is measured by             (n)
    double last;                       // length of the last step
    uint64_t looked;                   // points looked at
} LiaInnerResidual;

/// Do the polynomials of the step satisfy the equations at points inside it, up to h? After
/// arriving at its end.
bool lia_inner_residual_good(LiaRunner* run, double h, double allowed);
