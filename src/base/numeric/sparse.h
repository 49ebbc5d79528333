// LU of large sparse matrices, in a fixed order so that results repeat bit for bit.
//
// The pivots are chosen once (elimination.h). From then on a factorisation runs through a known
// pattern and allocates nothing, as long as the pivots stay good ones; where one has become small
// relative to its row, or all of its row small, they are chosen anew from the values at hand.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/file/keep.h"
#include "base/numeric/elimination.h"
#include "base/numeric/factors.h"

typedef struct LiaSparseLu {
    int n;
    double *left, *right;  // scales of rows and columns, powers of two  (n)
    LiaElimination order;  // its U holds steps once it is in use
    int* step_of;          // column -> step                             (n)
    double *L, *U;         // values by the pattern of `order`
    double* inverse;       // of the pivots                              (n)
    LiaFactors factors;    // all three as solve() runs through them
    double* x;             // one row, or one right side                 (n)
    double* rest;          // what a solution leaves                     (n)
    double* marked;        // the pivots at the last mark()              (n)
    int mark;              // `orderings` then. Made anew in each step: neither is kept
    double fresh;          // smallest pivot when the pivots were chosen; 0: not yet
    int orderings;         // how often they were chosen
    void* block;
} LiaSparseLu;

/// Make room for matrices of size n. False if memory is out.
bool lia_sparse_lu_init(LiaSparseLu* lu, int n);
void lia_sparse_lu_clear(LiaSparseLu* lu);
/// The pattern of A is no longer the one the pivots were chosen for; `n` is its size, at most that
/// of init.
void lia_sparse_lu_reset(LiaSparseLu* lu, int n);
/// Keep what later factorisations and solutions depend on; `most` is the n of init.
void lia_sparse_lu_keep(LiaSparseLu* lu, LiaKeep* keep, int most);
/// Factor A, n x n; its values are scaled in place. Returns the smallest pivot of the scaled matrix
/// (0: singular, or memory is out); `weakest` (may be NULL) gets its column.
double lia_sparse_lu_factor(LiaSparseLu* lu, LiaSparse* A, int* weakest);
/// Solve A x = b, or A^T x = b, in place; NAN where the last factorisation gave 0.
void lia_sparse_lu_solve(const LiaSparseLu* lu, double* b);
void lia_sparse_lu_solve_transposed(const LiaSparseLu* lu, double* b);
/// The same as solve(), and once more for what is left over: with pivots that are good enough, but
/// not the best, the solution is as exact as the matrix is. A as factor() has scaled it.
void lia_sparse_lu_refine(const LiaSparseLu* lu, const LiaSparse* A, double* b);
/// log2 |det A| of the matrix that was factored last, before it was scaled.
double lia_sparse_lu_size(const LiaSparseLu* lu);
/// Remember the pivots. fell(): is one of them now less than `part` of what it was? True as well
/// where they were chosen anew.
void lia_sparse_lu_mark(LiaSparseLu* lu);
bool lia_sparse_lu_fell(const LiaSparseLu* lu, double part);
