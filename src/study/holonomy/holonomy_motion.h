// Holonomy: what holonomy.c and holonomy_motion.c share. Only they use this header.
// SPDX-License-Identifier: MIT
#pragma once
#include "study/holonomy/holonomy.h"

typedef struct LiaHolonomyWork {
    LiaHolonomy* h;
    const LiaHolonomyOptions* options;
    LiaDiags* diags;
    LiaTransport x;
    size_t n;
    double *q0, *v0;        // the start of the model, the base on the loop                 (n)
    double *q1, *error;     // the end of the lift                                          (n)
    double *still, *moved;  // rates at the start: without momentum, with that of the model  (n)
    double *s, *ds;         // of the base
    double* scratch;        //                                                               (2 n)
    void* block;
} LiaHolonomyWork;

/// Has the start momentum, `own_lift` being the horizontal velocity there? It is measured, where
/// the fibre is one coordinate.
bool lia_holonomy_motion_momentum(LiaHolonomyWork* w, const double* own_lift);
/// What the motions leave behind, with and without momentum.
LiaStatus lia_holonomy_motion_find(LiaHolonomyWork* w);
