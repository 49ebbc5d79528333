// A sparse matrix put together entry by entry. See coo.h.
// SPDX-License-Identifier: MIT
#include "base/numeric/coo.h"
#include "base/memory/memory.h"
#include <stdlib.h>
#include <string.h>

void lia_coo_clear(LiaTriples* t) {
    free(t->row);
    free(t->column);
    free(t->value);
    memset(t, 0, sizeof *t);
}

void lia_coo_add(LiaTriples* t, int row, int column, double value) {
    if (t->count == t->capacity) {
        int capacity = 2 * t->capacity + 64;
        size_t size = (size_t)capacity;
        int* rows = lia_memory_resize(t->row, size * sizeof *rows);
        if (rows) t->row = rows;
        int* columns = lia_memory_resize(t->column, size * sizeof *columns);
        if (columns) t->column = columns;
        double* values = lia_memory_resize(t->value, size * sizeof *values);
        if (values) t->value = values;
        if (!rows || !columns || !values) {
            t->failed = true;
            return;
        }
        t->capacity = capacity;
    }
    t->row[t->count] = row;
    t->column[t->count] = column;
    t->value[t->count++] = value;
}

// Sorted by rows, then what meets in a row is added up.
bool lia_coo_gather(const LiaTriples* t, int rows, int columns, LiaSparse* A) {
    size_t entries = (size_t)t->count + 1;
    free(A->column);
    free(A->value);
    A->column = lia_memory_take(entries * sizeof *A->column);
    A->value = lia_memory_take(entries * sizeof *A->value);
    int* next = lia_memory_zeros((size_t)rows + 2, sizeof *next);
    int* seen = lia_memory_zeros((size_t)columns + 1, sizeof *seen);
    bool ok = A->column && A->value && next && seen && !t->failed;
    A->rows = rows, A->columns = columns;
    for (int e = 0; ok && e < t->count; e++) next[t->row[e] + 2]++;
    for (int r = 0; ok && r < rows; r++) next[r + 2] += next[r + 1];
    for (int e = 0; ok && e < t->count; e++) {
        int at = next[t->row[e] + 1]++;
        A->column[at] = t->column[e];
        A->value[at] = t->value[e];
    }
    int used = 0;
    for (int r = 0; ok && r < rows; r++) {
        int first = used;
        for (int e = next[r]; e < next[r + 1]; e++) {
            int c = A->column[e];
            double x = A->value[e];
            if (seen[c] > first) {
                A->value[seen[c] - 1] += x;
                continue;
            }
            A->column[used] = c;
            A->value[used++] = x;
            seen[c] = used;
        }
        A->start[r] = first;
        A->start[r + 1] = used;
    }
    free(next);
    free(seen);
    return ok;
}
