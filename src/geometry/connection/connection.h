// The kinetic connection over two driven coordinates, wherever they are: also off the laws of their operators.
//
// The lift N_a of a velocity of the base is, of all velocities that the constraints allow and that move the base by e_a, the
// one of least kinetic energy:  N_a = e_a - A_a.  Without constraints this is the A of fields.h. Its curvature
//   F^j_ab = N_a(A^j_b) - N_b(A^j_a) = -[N_a, N_b]^j
// says what a small loop of the base leaves behind: minus F times its area. What other operators drive is held.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

typedef struct LiaConnection {
    LiaWorkspace* w;   // full dynamics: every equation is a row
    uint32_t base[2];  // the driven coordinates a and b
    int n, m;          // coordinates; rows that hold beside those that drive the base
    int* row;          // these rows                                          (m)
    double *J, *K;     // their gradients; a basis of what they allow           (m x n), (n x n)
    double *S, *lu;    // the equations of the lifts; scratch
    double *N, *moved,
        *place;  // lifts here and nearby; positions             (2 x n), (2 x n), (n)
    void* block;
} LiaConnection;

/// False if memory is out. Release with lia_connection_clear().
bool lia_connection_init(LiaConnection* c, const LiaSystem* system, uint32_t a, uint32_t b);
void lia_connection_clear(LiaConnection* c);
/// The row that drives a coordinate: an operator whose left side it is, or its velocity. UINT32_MAX: none.
uint32_t lia_connection_driver(const LiaSystem* system, uint32_t coordinate);
/// N_a and N_b at positions q, one a row (2 x n). False where they are not determined.
bool lia_connection_lifts(LiaConnection* c, double t, const double* q, double* N);
/// F_ab by coordinate, 0 for the base's (n). False where it is not determined.
bool lia_connection_curvature(LiaConnection* c, double t, const double* q, double* F);
