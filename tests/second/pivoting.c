// Elimination with full pivoting. See pivoting.h.
// SPDX-License-Identifier: MIT
#include "pivoting.h"
#include <math.h>
#include <string.h>

// Pivots of rows of size one: what is smaller is rounding of entries that cancel.
static const double least_pivot = 1e-11;

typedef struct Equations {
    int n;
    double *A, *b;
    int row[PIVOTING_MOST], column[PIVOTING_MOST];  // where each stood
} Equations;

// Rows of one size. False if something is no number.
static bool equations_begin(Equations* e, int n, double* A, double* b) {
    if (n > PIVOTING_MOST) return false;
    e->n = n;
    e->A = A;
    e->b = b;
    for (int i = 0; i < n; i++) {
        double size = 0.0;
        for (int j = 0; j < n; j++) size = fmax(size, fabs(A[i * n + j]));
        if (!isfinite(size) || !isfinite(b[i])) return false;
        for (int j = 0; j < n && size > 0.0; j++) A[i * n + j] /= size;
        if (size > 0.0) b[i] /= size;
        e->row[i] = e->column[i] = i;
    }
    return true;
}

static void exchange(double* x, double* y) {
    double kept = *x;
    *x = *y;
    *y = kept;
}

static void exchange_index(int* x, int* y) {
    int kept = *x;
    *x = *y;
    *y = kept;
}

// Row i and column j come to place k.
static void bring(Equations* e, int k, int i, int j) {
    int n = e->n;
    for (int c = 0; c < n; c++) exchange(&e->A[i * n + c], &e->A[k * n + c]);
    for (int r = 0; r < n; r++) exchange(&e->A[r * n + j], &e->A[r * n + k]);
    exchange(&e->b[i], &e->b[k]);
    exchange_index(&e->row[i], &e->row[k]);
    exchange_index(&e->column[j], &e->column[k]);
}

// Eliminate among the first `most` rows and columns, the largest entry first, until all are below
// `cut`.
static int eliminate(Equations* e, int most, double cut) {
    int n = e->n;
    double *A = e->A, *b = e->b;
    for (int k = 0; k < most; k++) {
        int pi = k, pj = k;
        for (int i = k; i < most; i++) {
            for (int j = k; j < most; j++) {
                if (fabs(A[i * n + j]) > fabs(A[pi * n + pj])) pi = i, pj = j;
            }
        }
        if (fabs(A[pi * n + pj]) < cut) return k;
        bring(e, k, pi, pj);
        for (int i = k + 1; i < most; i++) {
            double factor = A[i * n + k] / A[k * n + k];
            for (int j = k; j < most; j++) A[i * n + j] -= factor * A[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    return most;
}

static void substitute_back(Equations* e, int rank) {
    int n = e->n;
    double x[PIVOTING_MOST] = {0};
    for (int i = rank - 1; i >= 0; i--) {
        double sum = e->b[i];
        for (int j = i + 1; j < rank; j++) sum -= e->A[i * n + j] * x[e->column[j]];
        x[e->column[i]] = sum / e->A[i * n + i];
    }
    memcpy(e->b, x, (size_t)n * sizeof *x);
}

int pivoting_solve(int n, double* A, double* b, bool tolerant, PivotingChoice* choice) {
    Equations e;
    if (!equations_begin(&e, n, A, b)) return -1;
    double size = 0.0;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(b[i]));
    int rank = eliminate(&e, n, least_pivot);
    for (int i = rank; i < n && !tolerant; i++) {
        if (fabs(b[i]) > 1e-8 * (1.0 + size)) return -1;
    }
    substitute_back(&e, rank);
    if (choice) {
        choice->rank = rank;
        memcpy(choice->row, e.row, (size_t)n * sizeof *e.row);
        memcpy(choice->column, e.column, (size_t)n * sizeof *e.column);
    }
    return rank;
}

int pivoting_solve_chosen(int n, double* A, double* b, const PivotingChoice* choice) {
    Equations e;
    if (!equations_begin(&e, n, A, b)) return -1;
    for (int k = 0; k < choice->rank; k++) {
        int i = k, j = k;
        while (e.row[i] != choice->row[k]) i++;
        while (e.column[j] != choice->column[k]) j++;
        bring(&e, k, i, j);
    }
    if (eliminate(&e, choice->rank, 0.01 * least_pivot) < choice->rank) return -1;
    substitute_back(&e, choice->rank);
    return choice->rank;
}
