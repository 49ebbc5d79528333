// The Poisson structure of V*M over coordinates that operators drive, looked at in numbers.
//
//   {x_i, p_j} = delta_ij, all other brackets 0: the driven coordinates are Casimirs, the leaves
//   are T*M_s
//   D_Y = Y + X_R,   R = h0 - K_Y - <p, A Y>
//
// D_Y keeps the bracket, D_0 is the field of h0, H(Y) keeps it too, vanishes on p = 0 and moves M
// by the horizontal lift (Marle 1990, sections 4 and 5). All of it is compared with the fields of
// fields.h: derivatives are differences of order twelve, at the state and at others around it.
//
// The lifts H_a of the base's directions have [H_a, H_b] = -X_f, f = <p, F_ab>: the curvature of
// the dynamical connection is the field of that function, x' = F_ab, p' = -p dF_ab/dx.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/phase_space/fields.h"

typedef struct LiaVerticalPoisson {
    bool known;
    const char* why;    // not; NULL: there is no base
    uint32_t states;    // looked at
    double R;           // the generator, at the state
    double keeps;       // what D_Y changes of the bracket, relative to the largest derivative
    double generator;   // D_Y less Y + X_R
    double frozen;      // D_0 less the field of h0
    double* curvature;  // of the dynamical connection at the state: x', p' for each a < b; NULL:
                        // the base has one dimension, or many       (pairs x 2 nx)
    double lift;        // what H(Y) changes of the bracket, has on p = 0, differs from the lift by
    // also where `why` is said, at the state alone then
    bool constant;     // K_Y is, along the fibres
    uint32_t nx;       // fibre
    const double* dK;  // dK_Y/dx at the state, by row of the fields; NULL: not known (nx)
    double worst;      // the largest |dK_Y/dx| at any state, over the inertia of the base
    bool riemannian;   // Theta is, along the fibres: the fibration is Riemannian
    double bent;       // the largest |dTheta/dx| at any state, of |Theta|
} LiaVerticalPoisson;

/// At the state of `fields`, which are split; memory of their arena. False if memory is out.
bool lia_vertical_poisson_look(LiaPhaseSpace* space, const LiaFieldsBase* base,
                               const LiaFields* fields, LiaVerticalPoisson* out);
