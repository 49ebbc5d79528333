// K0 = [M -Omega^T; J 0] by its entries: for systems so large that most of it is zero.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/numeric/sparse.h"
#include "mechanics/system.h"

typedef struct LiaSaddle {
    const LiaDynamics* dynamics;
    double* value;  // entries of M, then J, then Omega, by the patterns of the dynamics
    LiaSparse K0;   // of the active rows, scaled when factored
    int* from;      // entry of K0 -> entry of `value`
    int* active;    // rows for which the pattern of K0 was made          (nr)
    int nr;         // -1: not yet
    bool in_units;  // of the last factorisation
    int* next;      // scratch                                            (nf)
    LiaSparseLu lu;
    void* block;
} LiaSaddle;

/// NULL if memory is out.
LiaSaddle* lia_saddle_create(const LiaDynamics* dynamics);
void lia_saddle_destroy(LiaSaddle* saddle);
/// Keep what later factorisations and solutions depend on.
void lia_saddle_keep(LiaSaddle* saddle, LiaKeep* keep);
/// Assemble from `value` and factor; `sign` is that of Omega^T, `unit` the units of the unknowns (NULL: as they are), which
/// those of the first rows are too. As lia_sparse_lu_factor().
double lia_saddle_factor(LiaSaddle* saddle, const int* active, int nr, double sign,
                         const double* unit, int* weakest);
