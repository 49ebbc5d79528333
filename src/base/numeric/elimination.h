// Sparse elimination: which pivots in which order, chosen for little fill and bounded growth.
//
// Gaussian elimination on a matrix kept by rows. The pivot of a step is an entry that is not small
// in its row (threshold) and whose row and column are short (Markowitz: (r - 1)(c - 1) entries may
// fill in). It needs neither symmetry nor a diagonal, and rows that depend on those before become
// zero on the way: so one routine orders saddle matrices and finds independent rows. Ties are
// broken by position: results repeat bit for bit.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// A matrix by rows: row i has the entries start[i] .. start[i + 1] - 1, each column at most once.
typedef struct LiaSparse {
    int rows, columns;
    int* start;     // (rows + 1)
    int* column;    // (start[rows])
    double* value;  // (start[rows])
} LiaSparse;

/// Pivots and the pattern of the factors. Step k has the pivot (row[k], column[k]).
typedef struct LiaElimination {
    int rank;         // number of pivots
    int* row;         // (rank)
    int* column;      // (rank)
    size_t* L_start;  // earlier steps that change row[k], rising    (rank + 1)
    int* L;
    size_t* U_start;  // columns of row[k] besides the pivot          (rank + 1)
    int* U;
    double flops;  // multiplications of one factorisation
    void* block;
} LiaElimination;

/// Eliminate. Entries of A count as nonzero whatever their value; A should be scaled to entries of
/// size 1. A row is given up as dependent when all that is left of it is at most `margin`. Rows of
/// which little is left wait while there are others, those above `part` times the largest of the
/// waiting have their turn first: near 1 the rows are chosen for their size, small values leave
/// more choice for little fill. False if memory is out.
bool lia_elimination_run(const LiaSparse* A, double margin, double part, LiaElimination* out);
void lia_elimination_clear(LiaElimination* e);
/// Room for a pattern of so many pivots and entries. False if memory is out.
bool lia_elimination_room(LiaElimination* e, size_t rank, size_t L, size_t U);
