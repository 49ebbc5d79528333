// K0 by its entries: what the sparse method keeps. See saddle.h.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/numeric/sparse.h"
#include "mechanics/kkt/saddle.h"

typedef struct LiaSaddleEntries {
    const LiaDynamics* dynamics;
    double* value;  // entries of M, then J, then Omega, by the patterns of the dynamics
    LiaSparse K0;   // of the active rows, scaled when factored
    int* from;      // entry of K0 -> entry of `value`
    int* active;    // rows for which the pattern of K0 was made          (nr)
    int nr;         // -1: not yet
    bool in_units;  // of the last factorisation
    int* next;      // scratch                                            (nf)
    LiaSparseLu lu;
    LiaNullSpace null_space;  // K0 as a full array, once its rows nearly depended on each other
    void* full;
    void* block;
} LiaSaddleEntries;

/// K0^T x = b in place.
void lia_saddle_sparse_solve_transposed(const LiaSaddle* saddle, double* b);
