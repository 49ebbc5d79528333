// Constant coefficients c for which sums over generators vanish: c_1 f_1 + c_2 f_2 + ... = 0 at
// every state.
//
// Each state gives rows. A row is brought to the size of its terms and put into a triangular matrix
// by Givens rotations; the null space of that is found by its singular values, each column in the
// size of its own terms. So a singular value is what is left of terms of size 1: rounding where
// there is a relation, far more where there is none.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/memory/arena.h"
#include "geometry/symmetry/actions.h"

typedef struct LiaRelations {
    size_t count;          // coefficients
    double* R;             // triangular                                      (count x count)
    double *size, *scale;  // of the columns: squares summed up; units        (count)
    double* row;           //                                                 (count)
    size_t rows;           // that were added
    LiaArena* arena;
    // after lia_relations_solve()
    uint32_t found;
    double* c;      // reduced: each has a coefficient 1 where the others have 0   (found x count)
    double margin;  // the smallest singular value of those that are no relations; 1: none is
} LiaRelations;

/// `scale` says in which size a generator counts (count). Memory from the arena; false if it is
/// out.
bool lia_relations_init(LiaRelations* k, LiaArena* arena, size_t count, const double* scale);
/// One row: sums[0], sums[stride], ... of each generator. Terms smaller than `least` are rounding.
void lia_relations_add(LiaRelations* k, const LiaSum* sums, size_t stride);
/// The relations. False if memory is out.
bool lia_relations_solve(LiaRelations* k);
/// What is left of the row with coefficients c, of 1, the size of its terms.
double lia_relations_left(const double* c, size_t count, const LiaSum* sums, size_t stride);
