// Small dense linear algebra. See dense.h.
// SPDX-License-Identifier: MIT
#include "base/numeric/dense.h"
#include "base/numeric/thresholds.h"
#include "base/watch.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

// Up to this size `row` is the permutation itself, and the scales are in the factors; above, `row`
// are the exchanges one after the other.
enum { SMALL = 8, LONG = 150 };  // LONG: from there on the watch is asked

// 2^-e for x = m 2^e, m in [1/2, 1): from the bits, with the library for the ends of the range.
static double power_of_two(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint64_t exponent = bits >> 52;  // a set sign is past the range
    if (exponent >= 1 && exponent <= 2044) {
        bits = (2045 - exponent) << 52;
        memcpy(&x, &bits, sizeof x);
        return x;
    }
    if (!(x > 0.0) || !isfinite(x)) return 1.0;
    int e;
    frexp(x, &e);
    return ldexp(1.0, -e);
}

static inline __attribute__((always_inline)) void scale(LiaLu* lu, int n) {
    double* A = lu->A;
    for (int i = 0; i < n; i++) {
        double* row = A + (size_t)i * (size_t)n;
        double most = 0.0;
        for (int j = 0; j < n; j++) most = lia_larger(most, fabs(row[j]));
        lu->left[i] = power_of_two(most);
    }
    for (int j = 0; j < n; j++) lu->right[j] = 0.0;
    for (int i = 0; i < n; i++) {
        double* row = A + (size_t)i * (size_t)n;
        for (int j = 0; j < n; j++) {
            row[j] *= lu->left[i];
            lu->right[j] = lia_larger(lu->right[j], fabs(row[j]));
        }
    }
    for (int j = 0; j < n; j++) lu->right[j] = power_of_two(lu->right[j]);
    for (int i = 0; i < n; i++) {
        double* row = A + (size_t)i * (size_t)n;
        for (int j = 0; j < n; j++) row[j] *= lu->right[j];
    }
}

// The factors are kept by columns, with the inverse of each pivot in its place: then a solve is a
// sum of columns, in which no entry waits for the one before.
static void turn(LiaLu* lu) {
    size_t n = (size_t)lu->n;
    double* A = lu->A;
    for (size_t i = 0; i < n; i++) {
        A[i * n + i] = 1.0 / A[i * n + i];
        for (size_t j = 0; j < i; j++) {
            double x = A[i * n + j];
            A[i * n + j] = A[j * n + i];
            A[j * n + i] = x;
        }
    }
}

// Small: L D U with L and U of unit diagonal and the inverse of D, by columns, for the matrix as it
// was before the scaling (by powers of two, so nothing is rounded). A row of a solve is one
// product and one difference.
static inline __attribute__((always_inline)) void turn_small(LiaLu* lu, int n) {
    double* A = lu->A;
    for (int i = 0; i < n; i++) {
        double inverse = 1.0 / A[i * n + i];
        for (int j = 0; j < i; j++) A[i * n + j] *= lu->left[lu->row[j]] / lu->left[lu->row[i]];
        for (int j = i + 1; j < n; j++) A[i * n + j] *= inverse * (lu->right[i] / lu->right[j]);
        A[i * n + i] = inverse * lu->left[lu->row[i]] * lu->right[i];
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double x = A[i * n + j];
            A[i * n + j] = A[j * n + i];
            A[j * n + i] = x;
        }
    }
}

static inline __attribute__((always_inline)) double factor(LiaLu* lu, int n, int* weakest) {
    double* A = lu->A;
    scale(lu, n);
    double least = INFINITY;
    for (int k = 0; k < n; k++) lu->row[k] = k;
    for (int k = 0; k < n; k++) {
        if (n > LONG && lia_watch_asked()) return 0.0;
        int p = k;
        double most = fabs(A[k * n + k]);
        for (int i = k + 1; i < n; i++) {
            double size = fabs(A[i * n + k]);
            if (size > most || isnan(size)) {
                most = size;
                p = i;
            }
        }
        if (n > SMALL) lu->row[k] = p;
        if (!(most >= least)) {
            least = most;
            *weakest = k;
        }
        if (!(most > 0.0)) return 0.0;
        if (p != k) {
            if (n <= SMALL) {
                int r = lu->row[k];
                lu->row[k] = lu->row[p];
                lu->row[p] = r;
            }
            for (int j = 0; j < n; j++) {
                double x = A[k * n + j];
                A[k * n + j] = A[p * n + j];
                A[p * n + j] = x;
            }
        }
        double inverse = 1.0 / A[k * n + k];
        const double* pivot_row = A + (size_t)k * (size_t)n;
        for (int i = k + 1; i < n; i++) {
            double* row = A + (size_t)i * (size_t)n;
            if (row[k] == 0.0) continue;
            double f = row[k] * inverse;
            row[k] = f;
            for (int j = k + 1; j < n; j++) row[j] -= f * pivot_row[j];
        }
    }
    if (n <= SMALL) {
        turn_small(lu, n);
    } else {
        turn(lu);
    }
    return least;  // the scaled entries are of size 1
}

double lia_dense_lu_factor(LiaLu* lu, int* weakest) {
    int none;
    if (!weakest) weakest = &none;
    *weakest = 0;
    switch (lu->n) {
    case 0:
        return 1.0;
    case 1:
        return factor(lu, 1, weakest);
    case 2:
        return factor(lu, 2, weakest);
    case 3:
        return factor(lu, 3, weakest);
    case 4:
        return factor(lu, 4, weakest);
    case 5:
        return factor(lu, 5, weakest);
    case 6:
        return factor(lu, 6, weakest);
    case 7:
        return factor(lu, 7, weakest);
    case 8:
        return factor(lu, 8, weakest);
    default:
        return factor(lu, lu->n, weakest);
    }
}

// A small system: its size is a constant wherever this is inlined. With every loop unrolled all of
// it stays in registers; else each row would wait for the one before to come back from memory.
static inline __attribute__((always_inline)) void solve_small(const LiaLu* lu, int n,
                                                              double* restrict b) {
    const double* restrict A = lu->A;
    double x[SMALL];
#pragma GCC unroll 8
    for (int k = 0; k < n; k++) x[k] = b[lu->row[k]];
#pragma GCC unroll 8
    for (int j = 0; j < n; j++) {
#pragma GCC unroll 8
        for (int i = j + 1; i < n; i++) x[i] -= A[j * n + i] * x[j];
    }
#pragma GCC unroll 8
    for (int j = 0; j < n; j++) x[j] *= A[j * n + j];
#pragma GCC unroll 8
    for (int j = n - 1; j >= 0; j--) {
#pragma GCC unroll 8
        for (int i = 0; i < j; i++) x[i] -= A[j * n + i] * x[j];
    }
#pragma GCC unroll 8
    for (int i = 0; i < n; i++) b[i] = x[i];
}

void lia_dense_lu_solve(const LiaLu* lu, double* restrict b) {
    int n = lu->n;
    switch (n) {
    case 1:
        solve_small(lu, 1, b);
        return;
    case 2:
        solve_small(lu, 2, b);
        return;
    case 3:
        solve_small(lu, 3, b);
        return;
    case 4:
        solve_small(lu, 4, b);
        return;
    case 5:
        solve_small(lu, 5, b);
        return;
    case 6:
        solve_small(lu, 6, b);
        return;
    case 7:
        solve_small(lu, 7, b);
        return;
    case 8:
        solve_small(lu, 8, b);
        return;
    default:
        break;
    }
    for (int i = 0; i < n; i++) b[i] *= lu->left[i];
    for (int k = 0; k < n; k++) {
        int p = lu->row[k];
        if (p == k) continue;
        double x = b[p];
        b[p] = b[k];
        b[k] = x;
    }
    for (int j = 0; j < n; j++) {
        const double* restrict column = lu->A + (size_t)j * (size_t)n;
        double x = b[j];
        for (int i = j + 1; i < n; i++) b[i] -= column[i] * x;
    }
    for (int j = n - 1; j >= 0; j--) {
        const double* restrict column = lu->A + (size_t)j * (size_t)n;
        double x = b[j] *= column[j];
        for (int i = 0; i < j; i++) b[i] -= column[i] * x;
    }
    for (int i = 0; i < n; i++) b[i] *= lu->right[i];
}

double lia_dense_lu_size(const LiaLu* lu) {
    size_t n = (size_t)lu->n;
    double product = 1.0;
    int power = 0, e;
    for (size_t i = 0; i < n; i++) {
        product = frexp(product * lu->A[i * n + i], &e);
        power += e;
        if (n <= SMALL) continue;  // there the pivots are those of the matrix before the scaling
        product = frexp(product * lu->left[i] * lu->right[i], &e);
        power += e;
    }
    return -log2(fabs(product)) - power;
}

bool lia_dense_cholesky(int n, double* M) {
    for (int i = 0; i < n; i++) {
        if (i > LONG && lia_watch_asked()) return false;
        for (int j = 0; j <= i; j++) {
            double sum = M[i * n + j];
            for (int k = 0; k < j; k++) sum -= M[i * n + k] * M[j * n + k];
            if (i == j) {
                if (!(sum > LIA_CHOLESKY_PIVOT * fabs(M[i * n + i]))) return false;
                M[i * n + i] = sqrt(sum);
            } else {
                M[i * n + j] = sum / M[j * n + j];
            }
        }
        for (int j = i + 1; j < n; j++) M[i * n + j] = i < j ? M[i * n + j] : 0.0;
    }
    return true;
}

void lia_dense_forward(int n, const double* L, double* x) {
    for (int i = 0; i < n; i++) {
        double sum = x[i];
        for (int j = 0; j < i; j++) sum -= L[i * n + j] * x[j];
        x[i] = sum / L[i * n + i];
    }
}

void lia_dense_backward(int n, const double* L, double* x) {
    for (int i = n - 1; i >= 0; i--) {
        double sum = x[i];
        for (int j = i + 1; j < n; j++) sum -= L[j * n + i] * x[j];
        x[i] = sum / L[i * n + i];
    }
}

size_t lia_dense_svd_work(int m, int n) {
    size_t r = (size_t)(m < n ? m : n), l = (size_t)(m < n ? n : m);
    return l * r + r * r + r;
}

// One-sided Jacobi on the columns of B (long x short): rotations make them orthogonal.
static void jacobi(int l, int r, double* B, double* V) {
    for (int sweep = 0; sweep < 60; sweep++) {
        bool turned = false;
        for (int p = 0; p < r; p++) {
            if (r > LONG && lia_watch_asked()) return;
            for (int q = p + 1; q < r; q++) {
                double a = 0.0, b = 0.0, c = 0.0;
                for (int i = 0; i < l; i++) {
                    double x = B[i * r + p], y = B[i * r + q];
                    a += x * x;
                    b += y * y;
                    c += x * y;
                }
                if (fabs(c) <= LIA_JACOBI_ORTHOGONAL * l * sqrt(a * b) || c == 0.0) continue;
                turned = true;
                double zeta = (b - a) / (2.0 * c);
                double t = (zeta >= 0.0 ? 1.0 : -1.0) / (fabs(zeta) + sqrt(1.0 + zeta * zeta));
                double cs = 1.0 / sqrt(1.0 + t * t), sn = cs * t;
                for (int i = 0; i < l; i++) {
                    double x = B[i * r + p], y = B[i * r + q];
                    B[i * r + p] = cs * x - sn * y;
                    B[i * r + q] = sn * x + cs * y;
                }
                for (int i = 0; i < r; i++) {
                    double x = V[i * r + p], y = V[i * r + q];
                    V[i * r + p] = cs * x - sn * y;
                    V[i * r + q] = sn * x + cs * y;
                }
            }
        }
        if (!turned) return;
    }
}

void lia_dense_svd(int m, int n, const double* A, LiaSvd out) {
    double *s = out.s, *U = out.U, *V = out.V, *work = out.work;
    bool tall = m >= n;
    int l = tall ? m : n, r = tall ? n : m;
    double* B = work;                       // l x r: A or its transpose
    double* W = B + (size_t)l * (size_t)r;  // r x r: rotations
    for (int i = 0; i < l; i++) {
        for (int j = 0; j < r; j++) B[i * r + j] = tall ? A[i * n + j] : A[j * n + i];
    }
    memset(W, 0, (size_t)r * (size_t)r * sizeof *W);
    for (int j = 0; j < r; j++) W[j * r + j] = 1.0;
    jacobi(l, r, B, W);
    for (int j = 0; j < r; j++) {
        double sum = 0.0;
        for (int i = 0; i < l; i++) sum += B[i * r + j] * B[i * r + j];
        s[j] = sqrt(sum);
    }
    // falling order, by selection
    for (int j = 0; j < r; j++) {
        int best = j;
        for (int k = j + 1; k < r; k++) best = s[k] > s[best] ? k : best;
        if (best == j) continue;
        double x = s[j];
        s[j] = s[best];
        s[best] = x;
        for (int i = 0; i < l; i++) {
            x = B[i * r + j];
            B[i * r + j] = B[i * r + best];
            B[i * r + best] = x;
        }
        for (int i = 0; i < r; i++) {
            x = W[i * r + j];
            W[i * r + j] = W[i * r + best];
            W[i * r + best] = x;
        }
    }
    double* left = tall ? U : V;   // columns of B, made unit
    double* right = tall ? V : U;  // the rotations
    for (int j = 0; j < r; j++) {
        for (int i = 0; left && i < l; i++)
            left[i * r + j] = s[j] > 0.0 ? B[i * r + j] / s[j] : 0.0;
        for (int i = 0; right && i < r; i++) right[i * r + j] = W[i * r + j];
    }
}
