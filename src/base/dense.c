// Small dense linear algebra. See dense.h.
// SPDX-License-Identifier: MIT
#include "dense.h"
#include <math.h>
#include <string.h>

static double power_of_two(double x) {
    if (!(x > 0.0) || !isfinite(x)) return 1.0;
    int e;
    frexp(x, &e);
    return ldexp(1.0, -e);
}

double lia_lu_factor(LiaLu* lu, int* weakest) {
    int n = lu->n;
    double* A = lu->A;
    if (weakest) *weakest = 0;
    if (n == 0) return 1.0;
    for (int i = 0; i < n; i++) {
        double most = 0.0;
        for (int j = 0; j < n; j++) most = fmax(most, fabs(A[i * n + j]));
        lu->left[i] = power_of_two(most);
        for (int j = 0; j < n; j++) A[i * n + j] *= lu->left[i];
    }
    for (int j = 0; j < n; j++) {
        double most = 0.0;
        for (int i = 0; i < n; i++) most = fmax(most, fabs(A[i * n + j]));
        lu->right[j] = power_of_two(most);
        for (int i = 0; i < n; i++) A[i * n + j] *= lu->right[j];
    }
    double least = INFINITY;
    for (int k = 0; k < n; k++) {
        int p = k;
        double most = fabs(A[k * n + k]);
        for (int i = k + 1; i < n; i++) {
            double size = fabs(A[i * n + k]);
            if (size > most || isnan(size)) {
                most = size;
                p = i;
            }
        }
        lu->row[k] = p;
        if (!(most >= least)) {
            least = most;
            if (weakest) *weakest = k;
        }
        if (!(most > 0.0)) return 0.0;
        if (p != k) {
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
    return least;  // the scaled entries are of size 1
}

void lia_lu_solve(const LiaLu* lu, double* b) {
    int n = lu->n;
    const double* A = lu->A;
    for (int i = 0; i < n; i++) b[i] *= lu->left[i];
    for (int k = 0; k < n; k++) {
        int p = lu->row[k];
        double x = b[p];
        b[p] = b[k];
        b[k] = x;
    }
    for (int i = 1; i < n; i++) {
        const double* row = A + (size_t)i * (size_t)n;
        double s0 = 0.0, s1 = 0.0;
        int j = 0;
        for (; j + 1 < i; j += 2) {
            s0 += row[j] * b[j];
            s1 += row[j + 1] * b[j + 1];
        }
        if (j < i) s0 += row[j] * b[j];
        b[i] -= s0 + s1;
    }
    for (int i = n - 1; i >= 0; i--) {
        const double* row = A + (size_t)i * (size_t)n;
        double s0 = 0.0, s1 = 0.0;
        int j = i + 1;
        for (; j + 1 < n; j += 2) {
            s0 += row[j] * b[j];
            s1 += row[j + 1] * b[j + 1];
        }
        if (j < n) s0 += row[j] * b[j];
        b[i] = (b[i] - (s0 + s1)) / row[i];
    }
    for (int i = 0; i < n; i++) b[i] *= lu->right[i];
}

bool lia_cholesky(int n, double* M) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = M[i * n + j];
            for (int k = 0; k < j; k++) sum -= M[i * n + k] * M[j * n + k];
            if (i == j) {
                if (!(sum > 1e-13 * fabs(M[i * n + i]))) return false;
                M[i * n + i] = sqrt(sum);
            } else {
                M[i * n + j] = sum / M[j * n + j];
            }
        }
        for (int j = i + 1; j < n; j++) M[i * n + j] = i < j ? M[i * n + j] : 0.0;
    }
    return true;
}

void lia_forward(int n, const double* L, double* x) {
    for (int i = 0; i < n; i++) {
        double sum = x[i];
        for (int j = 0; j < i; j++) sum -= L[i * n + j] * x[j];
        x[i] = sum / L[i * n + i];
    }
}

void lia_backward(int n, const double* L, double* x) {
    for (int i = n - 1; i >= 0; i--) {
        double sum = x[i];
        for (int j = i + 1; j < n; j++) sum -= L[j * n + i] * x[j];
        x[i] = sum / L[i * n + i];
    }
}

size_t lia_svd_work(int m, int n) {
    size_t r = (size_t)(m < n ? m : n), l = (size_t)(m < n ? n : m);
    return l * r + r * r + r;
}

// One-sided Jacobi on the columns of B (long x short): rotations make them orthogonal.
static void jacobi(int l, int r, double* B, double* V) {
    for (int sweep = 0; sweep < 60; sweep++) {
        bool turned = false;
        for (int p = 0; p < r; p++) {
            for (int q = p + 1; q < r; q++) {
                double a = 0.0, b = 0.0, c = 0.0;
                for (int i = 0; i < l; i++) {
                    double x = B[i * r + p], y = B[i * r + q];
                    a += x * x;
                    b += y * y;
                    c += x * y;
                }
                if (fabs(c) <= 1e-16 * sqrt(a * b) || c == 0.0) continue;
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

void lia_svd(int m, int n, const double* A, double* s, double* U, double* V, double* work) {
    bool tall = m >= n;
    int l = tall ? m : n, r = tall ? n : m;
    double* B = work;                            // l x r: A or its transpose
    double* W = B + (size_t)l * (size_t)r;       // r x r: rotations
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
        for (int i = 0; left && i < l; i++) left[i * r + j] = s[j] > 0.0 ? B[i * r + j] / s[j] : 0.0;
        for (int i = 0; right && i < r; i++) right[i * r + j] = W[i * r + j];
    }
}
