// The motion along a loop by the connection and the momentum equation.
//
// S(q) are the velocities that all equations admit and that leave the base where it is; N the
// lifts, orthogonal to it. With fields Z_i that span S and the momenta p_i = <dL/dv, Z_i>
//
//   q'   = N_a s'^a + Z_i w^i,            G w = p - <b, Z>,   G_ij = Z_i M Z_j
//   p_i' = <dL/dq + Q, Z_i> + <dL/dv, Z_i'>
//
// the reactions of ideal equations drop out. Without constraints these are the equations of x and p
// on V*M; where constraints have the symmetry of a group, it is the momentum equation of Bloch,
// Krishnaprasad, Marsden and Murray, and N their nonholonomic connection. It is first order, and
// shares with the motion no more than the formulas of the model.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/evaluate.h"
#include "study/holonomy/transport.h"

typedef struct LiaMomentumEquation {
    LiaTransport* x;
    LiaValues values;        // of dL/dv, dL/dq and Q
    size_t n, k;             // coordinates; dimension of S
    double* field;           // Z_i at the beginning of the panel               (k x n)
    double *Z, *K, *J;       // Z_i here; an orthonormal basis of S; all rows
    double *G, *w;           // (k x k), (k)
    double *v, *b, *lifted;  // velocity; dL/dv at rest; N s'                   (n)
    double *Y, *f;           // (q, p) and their rates at the nodes             (stages x (n + k))
    double *y, *z;           // (q, p), and scratch                             (n + n)
    void* block;
    const char* why;  // there is none
} LiaMomentumEquation;

/// Follow it from q0, without momentum at first: where it ends and by how much the last refinement
/// changed that, by coordinate. `why` (not NULL then): it is not known. LIA_MEMORY, LIA_STOPPED.
LiaStatus lia_momentum_equation_follow(LiaTransport* x, double* q1, double* error,
                                       const char** why);
