// A sparse matrix put together entry by entry: what meets in one place is added up.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/numeric/elimination.h"

typedef struct LiaTriples {
    int *row, *column;
    double* value;
    int count, capacity;
    bool failed;  // memory was out
} LiaTriples;

void lia_coo_clear(LiaTriples* t);
void lia_coo_add(LiaTriples* t, int row, int column, double value);
/// The sum as a matrix by rows. Column and value of A are allocated anew (and the old ones freed);
/// its start has room for rows + 1. False if memory is out.
bool lia_coo_gather(const LiaTriples* t, int rows, int columns, LiaSparse* A);
