// The kinetic connection over driven coordinates, wherever they are: also off the laws of their
// operators.
//
// The lift N_a of a velocity of the base is, of all velocities that the constraints allow and that
// move the base by e_a, the one of least kinetic energy:  N_a = e_a - A_a.  Without constraints
// this is the A of fields.h. Its curvature
//   F^j_ab = N_a(A^j_b) - N_b(A^j_a) = -[N_a, N_b]^j
// says what a small loop of the base leaves behind: minus F times its area. What other operators
// drive is held. The base may also be functions of coordinates, the left sides of equations of
// operators: e_a then moves the one function and no other.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

typedef struct LiaConnection {
    LiaWorkspace* w;     // full dynamics: every equation is a row
    uint32_t* base;      // driven coordinates a, b, ...; UINT32_MAX: a function  (base_count)
    uint32_t* function;  // of driven functions: the row of the system       (base_count)
    int* over;           // rows of the workspace that drive the base; -1: none   (base_count)
    size_t base_count;
    int n, m;   // coordinates; rows that hold besides those that drive the base
    int* row;   // these rows                                          (m)
    int* kept;  // those of them that lifts look at: see choose()      (keeps)
    int keeps;
    bool chosen;        // keeps and free_count are known
    bool* follows;      // of the base: moves as the constraints and the others of the base say
    size_t free_count;  // of the base: those that do not follow
    double *J, *K;      // their gradients; a basis of what they allow           (m x n), (n x n)
    double *S, *lu;     // the equations of the lifts; scratch
    double *N, *moved;  // lifts here and nearby                       (base_count x n)
    double* place;      // positions                                    (n)
    void* block;
} LiaConnection;

/// False if memory is out. Release with lia_connection_clear().
bool lia_connection_init(LiaConnection* c, const LiaSystem* system, uint32_t a, uint32_t b);
/// The same, where base[a] is UINT32_MAX over the left side of the row rows[a] of the
/// system.
bool lia_connection_init_rows(LiaConnection* c, const LiaSystem* system, const uint32_t* base,
                              const uint32_t* rows, size_t count);
void lia_connection_clear(LiaConnection* c);
/// The row that drives a coordinate: an operator whose left side it is, or its velocity.
/// UINT32_MAX: none.
uint32_t lia_connection_driver(const LiaSystem* system, uint32_t coordinate);
/// Which rows say all, where some follow from others; lifts then go by these alone, also nearby,
/// where the others need not follow. How many there are is found at the first q, which satisfies
/// the equations; other places that do, but for rounding, may choose others. Without it: all of
/// them.
bool lia_connection_choose(LiaConnection* c, double t, const double* q);
/// N_a, N_b, ... at positions q, one a row (base_count x n), 0 of what follows. False where they
/// are not determined.
bool lia_connection_lifts(LiaConnection* c, double t, const double* q, double* N);
/// What a velocity v (n) moves a of the base by, at the positions looked at last.
double lia_connection_moves(const LiaConnection* c, size_t a, const double* v);
/// F_ab by coordinate, 0 for the base's (n). Over two coordinates. False where it is not
/// determined.
bool lia_connection_curvature(LiaConnection* c, double t, const double* q, double* F);
/// The same by differences of order twelve, whose step is given: a small part of how far the base
/// goes.
bool lia_connection_curvature_fine(LiaConnection* c, double t, const double* q, double step,
                                   double* F);
