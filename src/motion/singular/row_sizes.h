// What is left of each row of J after those before it. See row_sizes.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

typedef struct LiaRowSizes {
    int count;       // rows
    double* size;    // of each row, of what those before it leave of it          (count)
    double* whole;   // the rows themselves, in the order of elimination          (count)
    double* column;  // units of the columns of J                                 (nf)
    const int* row;  // the rows of J, the caller's                               (count)
    int* order;      // the rows in the order of elimination                      (count)
    int* number;     // where each stands in it                                   (count)
    int* start;      // the later rows that each in that order changes            (count + 1)
    int* later;      //                                                           (start[count])
    int* entry;      // entries of J in these rows: where each row's begin        (count + 1)
    double* value;   // and their values, in these units                          (entry[count])
    int* with;       // by columns: entries there, and the rows they stand in     (nf + 1)
    int *at, *of;    //                                                           (entry[count])
    double* A;       // J J^T in that order, then its factor, lower half     (count x count)
    void* block;
} LiaRowSizes;

/// For the rows `row` of J (count). Clear it all the same if memory is out: false.
bool lia_row_sizes_init(LiaRowSizes* s, const LiaWorkspace* w, const int* row, int count);
void lia_row_sizes_clear(LiaRowSizes* s);
/// The sizes in the state of w. After matrices().
void lia_row_sizes_find(LiaRowSizes* s, const LiaWorkspace* w);
