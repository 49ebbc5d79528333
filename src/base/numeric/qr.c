// Rows brought to lower trapezoidal form. See qr.h.
// SPDX-License-Identifier: MIT
#include "base/numeric/qr.h"
#include "base/watch.h"
#include <math.h>
#include <string.h>

enum { LONG = 150 };  // rows; from there on the watch is asked

static double length(const double* x, int from, int n) {
    double sum = 0.0;
    for (int k = from; k < n; k++) sum += x[k] * x[k];
    return sqrt(sum);
}

// x <- (1 - 2 u u^T / |u|^2) x beyond `from`, with u = (pivot, a[from + 1], ...) and |u|^2 = -2
// pivot a[from].
static void reflect(const double* a, double pivot, int from, int n, double* x) {
    double sum = pivot * x[from];
    for (int k = from + 1; k < n; k++) sum += a[k] * x[k];
    sum /= pivot * a[from];
    x[from] += sum * pivot;
    for (int k = from + 1; k < n; k++) x[k] += sum * a[k];
}

static void exchange(LiaRows* rows, int i, int k) {
    if (i == k) return;
    double* a = rows->A + (size_t)i * (size_t)rows->n;
    double* b = rows->A + (size_t)k * (size_t)rows->n;
    for (int c = 0; c < rows->n; c++) {
        double x = a[c];
        a[c] = b[c], b[c] = x;
    }
    int x = rows->order[i];
    rows->order[i] = rows->order[k], rows->order[k] = x;
}

int lia_qr_factor(LiaRows* rows, double cut, bool relative) {
    int m = rows->m, n = rows->n, r = m < n ? m : n;
    double first = 1.0;
    for (int i = 0; i < m; i++) rows->order[i] = i;
    for (rows->rank = 0; rows->rank < r; rows->rank++) {
        int j = rows->rank, best = j;
        if (r > LONG && lia_watch_asked()) break;
        double most = 0.0;
        for (int i = j; i < m; i++) {
            double size = length(rows->A + (size_t)i * (size_t)n, j, n);
            if (size > most) most = size, best = i;
        }
        if (j == 0 && relative) first = most;
        if (!(most > cut * first)) break;
        exchange(rows, j, best);
        double* a = rows->A + (size_t)j * (size_t)n;
        double head = a[j] > 0.0 ? -most : most;
        rows->pivot[j] = a[j] - head;
        a[j] = head;
        for (int i = j + 1; i < m; i++) {
            reflect(a, rows->pivot[j], j, n, rows->A + (size_t)i * (size_t)n);
        }
    }
    return rows->rank;
}

void lia_qr_in(const LiaRows* rows, double* x) {
    for (int j = 0; j < rows->rank; j++) {
        reflect(rows->A + (size_t)j * (size_t)rows->n, rows->pivot[j], j, rows->n, x);
    }
}

static void leave_out(const LiaRows* rows, double* x) {
    for (int j = rows->rank - 1; j >= 0; j--) {
        reflect(rows->A + (size_t)j * (size_t)rows->n, rows->pivot[j], j, rows->n, x);
    }
}

int lia_qr_kernel(const LiaRows* rows, double* basis) {
    int n = rows->n, count = n - rows->rank;
    for (int j = 0; j < count; j++) {
        double* x = basis + (size_t)j * (size_t)n;
        memset(x, 0, (size_t)n * sizeof *x);
        x[rows->rank + j] = 1.0;
        leave_out(rows, x);
    }
    return count;
}

// T z = b where T is square.
static void forward(const LiaRows* rows, const double* b, double* z) {
    for (int i = 0; i < rows->rank; i++) {
        const double* T = rows->A + (size_t)i * (size_t)rows->n;
        double sum = b[rows->order[i]];
        for (int k = 0; k < i; k++) sum -= T[k] * z[k];
        z[i] = sum / T[i];
    }
}

// T z = b in the sense of least squares, where T has more rows than columns: its columns are rows
// of full rank.
static void least_squares(const LiaRows* rows, double* b, double* z, double* work, int* index) {
    int m = rows->m, r = rows->rank;
    LiaRows turned = {
        .m = r, .n = m, .A = work, .pivot = work + (size_t)r * (size_t)m, .order = index};
    for (int k = 0; k < r; k++) {
        double* row = turned.A + (size_t)k * (size_t)m;
        for (int i = 0; i < m; i++) {
            row[rows->order[i]] = k <= i ? rows->A[(size_t)i * (size_t)rows->n + (size_t)k] : 0.0;
        }
    }
    int rank = lia_qr_factor(&turned, 0.0, false);
    memset(z, 0, (size_t)r * sizeof *z);
    lia_qr_in(&turned, b);
    for (int j = rank - 1; j >= 0; j--) {
        double sum = b[j];
        for (int i = j + 1; i < rank; i++) {
            sum -= turned.A[(size_t)i * (size_t)m + (size_t)j] * z[turned.order[i]];
        }
        z[turned.order[j]] = sum / turned.A[(size_t)j * (size_t)m + (size_t)j];
    }
}

void lia_qr_solve(const LiaRows* rows, double* b, double* x, double* work, int* index) {
    memset(x, 0, (size_t)rows->n * sizeof *x);
    if (rows->rank == rows->m)
        forward(rows, b, x);
    else
        least_squares(rows, b, x, work, index);
    leave_out(rows, x);
}

size_t lia_qr_work(int m, int n) {
    size_t M = (size_t)m, r = (size_t)(m < n ? m : n);
    return r * M + r + 1;
}

static void take_out(int n, const double* unit, double* x) {
    double sum = 0.0;
    for (int k = 0; k < n; k++) sum += unit[k] * x[k];
    for (int k = 0; sum != 0.0 && k < n; k++) x[k] -= sum * unit[k];
}

int lia_qr_basis(int m, int n, double* A, double cut) {
    size_t N = (size_t)n;
    double first = 0.0;
    int rank = 0;
    for (; rank < m && rank < n; rank++) {
        double *next = A + (size_t)rank * N, *best = next, most = 0.0;
        for (int i = rank; i < m; i++) {
            double size = length(A + (size_t)i * N, 0, n);
            if (size > most) most = size, best = A + (size_t)i * N;
        }
        if (rank == 0) first = most;
        if (!(most > cut * first)) break;
        for (int k = 0; k < n; k++) {
            double x = next[k];
            next[k] = best[k], best[k] = x;
        }
        for (int j = 0; j < rank; j++) take_out(n, A + (size_t)j * N, next);  // what rounding left
        double size = length(next, 0, n);
        for (int k = 0; k < n; k++) next[k] /= size;
        for (int i = rank + 1; i < m; i++) take_out(n, next, A + (size_t)i * N);
    }
    return rank;
}
