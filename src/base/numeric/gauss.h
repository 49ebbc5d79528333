// Gauss's quadrature with ten nodes, and the collocation that belongs to it: order 20.
// SPDX-License-Identifier: MIT
#pragma once

enum { LIA_GAUSS_STAGES = 10 };

typedef struct LiaGauss {
    double node[LIA_GAUSS_STAGES], weight[LIA_GAUSS_STAGES];  // on 0..1
    double collocation[LIA_GAUSS_STAGES * LIA_GAUSS_STAGES];  // integrals from 0 to a node
} LiaGauss;

void lia_gauss_make(LiaGauss* rule);
