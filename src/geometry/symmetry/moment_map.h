// The momenta of a model's symmetries as one vector J in the dual of a Lie algebra (Marle 2003,
// 3.2).
//
//   [xi_A, xi_B] = c_AB^C xi_C,      <J, xi_A> = <p, xi_A>,      {J_A, J_B} = -c_AB^C J_C
//
// Generators that leave L unchanged everywhere are taken together. Where their brackets are
// combinations of them with constant coefficients, J is equivariant, as the moment map of lifts to
// T*M always is.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/geometry.h"

typedef struct LiaMomentMap {
    uint32_t count;      // generators; 0: fewer than two
    uint32_t* symmetry;  // of the model                                  (count)
    uint32_t dimension;  // of their span: one may be a combination of others
    bool closed;         // under brackets
    double* c;           // then: c_AB^C, (A * count + B) * count + C     (count^3)
    double* J;           // at the start; NULL: none was found            (count)
} LiaMomentMap;
