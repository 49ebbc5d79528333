// See lcp_unique.h.
//
// Solutions with the same w differ by d with M d = 0, d_i = 0 where w_i > 0. With an orthonormal
// basis N of these d and the projector P = N N^T, the one that is nearest to a point t solves a
// complementarity problem itself,
//     z = (I - P) z1 + P t + P s,   0 <= z, 0 <= s, complementary,
// whatever solution z1 one starts from. t = 0: the one of minimum norm.
// SPDX-License-Identifier: MIT
#include "base/numeric/lcp_unique.h"
#include "base/numeric/dense.h"
#include "base/numeric/lcp_convex.h"
#include "base/numeric/qr.h"
#include "base/numeric/thresholds.h"
#include <math.h>

// ---- kinds of matrices

// All principal minors: the first entry, those without it, those of its Schur complement.
static bool minors_are_positive(int n, const double* M, double* work) {
    if (n == 0) return true;
    if (!(M[0] > 0.0)) return false;
    double* A = work;
    int m = n - 1;
    for (int i = 0; i < m; i++) memcpy(A + i * m, M + (i + 1) * n + 1, (size_t)m * sizeof *A);
    if (!minors_are_positive(m, A, work + m * m)) return false;
    for (int i = 0; i < m; i++) {
        double f = M[(i + 1) * n] / M[0];
        for (int j = 0; j < m; j++) {
            double x = M[(i + 1) * n + j + 1], y = f * M[j + 1];
            A[i * m + j] = fabs(x - y) > LIA_LCP_MINOR * (fabs(x) + fabs(y)) ? x - y : 0.0;
        }
    }
    return minors_are_positive(m, A, work + m * m);
}

// Are all principal minors of the n x n matrix M positive? Then every q has one solution. 1 yes, 0
// no, -1 not decided (n is large and the symmetric part of M not definite).
static int is_P(int n, const double* M, double* work) {
    if (lia_lcp_convex_symmetric_part(n, M, work)) {
        bool diagonal = true;  // of 0 is not definite
        for (int i = 0; i < n; i++) diagonal = diagonal && M[i * n + i] > 0.0;
        if (diagonal && lia_dense_cholesky(n, work)) return 1;
    }
    for (int i = 0; i < n; i++) {
        if (!(M[i * n + i] > 0.0)) return 0;
    }
    if (n > LIA_LCP_ENUMERATED) return -1;
    return minors_are_positive(n, M, work);
}

// ---- solutions with the same w

// Projector onto {d: M d = 0, d_i = 0 where w_i > 0}; returns its rank.
static int same_w(const LiaLcp* p, double* P, double* work, int* index) {
    int n = p->n, m = 0, *free = index, *order = index + n;
    for (int i = 0; i < n; i++) {
        if (p->w[i] == 0.0) free[m++] = i;
    }
    double *A = work, *basis = A + n * n, *pivots = basis + n * n;
    for (int i = 0; i < n; i++) {
        double most = 0.0;
        for (int j = 0; j < m; j++) {
            A[i * m + j] = p->M[i * n + free[j]];
            most = fmax(most, fabs(A[i * m + j]));
        }
        for (int j = 0; j < m && most > 0.0; j++) A[i * m + j] /= most;
    }
    LiaRows rows = {.m = n, .n = m, .A = A, .pivot = pivots, .order = order};
    lia_qr_factor(&rows, LIA_LCP_RANK, true);
    int rank = lia_qr_kernel(&rows, basis);
    memset(P, 0, (size_t)n * (size_t)n * sizeof *P);
    for (int k = 0; k < rank; k++) {
        const double* d = basis + k * m;
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < m; j++) P[free[i] * n + free[j]] += d[i] * d[j];
        }
    }
    return rank;
}

// z <- the solution with the same w nearest to t; false where it was not found. `q`: n numbers, `s`
// n more.
static bool nearest(const LiaLcp* p, const double* P, const double* t, double* z, double* work,
                    int* index) {
    int n = p->n;
    double *q = work, *s = q + n;
    for (int i = 0; i < n; i++) {
        q[i] = p->z[i];
        for (int j = 0; j < n; j++) q[i] += P[i * n + j] * (t[j] - p->z[j]);
        if (p->w[i] > 0.0) q[i] = 0.0;
    }
    LiaLcp other = {.n = n, .M = P, .q = q, .z = s, .w = z};
    if (lia_lcp_solve(&other, s + n, index) != LIA_LCP_SOLVED) return false;
    for (int i = 0; i < n; i++) {  // w of that problem, where it is basic, from its terms
        double sum = q[i];
        for (int j = 0; j < n; j++) sum += P[i * n + j] * s[j];
        z[i] = s[i] > 0.0 ? 0.0 : fmax(sum, 0.0);
    }
    return true;
}

static double distance(int n, const double* x, const double* y) {
    double most = 0.0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i] - y[i]));
    return most;
}

static double largest(int n, const double* x) {
    double most = 0.0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

// Is z the only solution with its w? Else it becomes the one of minimum norm. The points c next to
// z have numbers that no kernel of a matrix of small numbers is orthogonal to.
static bool only_z(LiaLcp* p, double* work, int* index) {
    int n = p->n;
    double *P = work, *t = P + n * n, *z = t + n, *rest = z + n;
    if (same_w(p, P, rest, index) == 0) return true;
    double size = fmax(largest(n, p->z), DBL_MIN);
    bool only = true;
    for (int side = -1; side <= 1 && only; side += 2) {
        for (int i = 0; i < n; i++) {
            double c = size * (1.0 + 0.5 * sin(1.0 + 3.0 * i));
            t[i] = p->z[i] + (p->z[i] > 0.0 ? side * c : c);
        }
        if (!nearest(p, P, t, z, rest, index)) return false;
        only = distance(n, z, p->z) <= LIA_LCP_SAME * size;
    }
    if (only) return true;
    memset(t, 0, (size_t)n * sizeof *t);
    double before = p->residual;
    if (nearest(p, P, t, z, rest, index)) {
        for (int i = 0; i < n; i++) {
            t[i] = p->z[i];
            rest[i] = 1.0;
        }
        double* w = rest + n;
        memcpy(w, p->w, (size_t)n * sizeof *w);
        memcpy(p->z, z, (size_t)n * sizeof *z);
        lia_lcp_certify(p, rest);
        if (!(p->residual <= fmax(before, LIA_LCP_CERTIFICATE))) {  // keep the one that was
            memcpy(p->z, t, (size_t)n * sizeof *t);
            p->residual = before;
        }
        memcpy(p->w, w, (size_t)n * sizeof *w);
    }
    return false;
}

LiaLcpUnique lia_lcp_unique(LiaLcp* p, double* work, int* index) {
    int n = p->n;
    if (n == 0 || is_P(n, p->M, work) == 1) return LIA_LCP_UNIQUE;
    bool one_w = lia_lcp_convex_is(n, p->M, work);
    if (!one_w) {
        if (n > LIA_LCP_ENUMERATED) return LIA_LCP_OPEN;
        if (lia_lcp_unique_count(p, work, work + LIA_LCP_SHOWN * n, index) > 1) {
            return LIA_LCP_SEVERAL;
        }
    }
    return only_z(p, work, index) ? LIA_LCP_UNIQUE : LIA_LCP_W_UNIQUE;
}

// ---- enumeration

// The solution of M_aa z_a = -q_a; where that is singular, the one of minimum norm and least
// squares.
static void solve_basis(const LiaLcp* p, unsigned members, double* z, double* work, int* index) {
    int n = p->n, m = 0, *a = index, *order = index + n;
    double *A = work, *x = A + n * n, *b = x + n, *scales = b + n;
    for (int i = 0; i < n; i++) {
        z[i] = 0.0;
        if (members >> i & 1u) a[m++] = i;
    }
    if (m == 0) return;
    for (int i = 0; i < m; i++) {
        x[i] = -p->q[a[i]];
        for (int j = 0; j < m; j++) A[i * m + j] = p->M[a[i] * n + a[j]];
    }
    LiaLu lu = {.n = m, .A = A, .row = order, .left = scales, .right = scales + n};
    if (lia_dense_lu_factor(&lu, NULL) > LIA_LCP_PIVOT) {
        lia_dense_lu_solve(&lu, x);
    } else {
        double* space = scales + n;
        for (int i = 0; i < m; i++) {
            b[i] = -p->q[a[i]];
            for (int j = 0; j < m; j++) A[i * m + j] = p->M[a[i] * n + a[j]];
        }
        LiaRows rows = {.m = m, .n = m, .A = A, .pivot = scales, .order = order};
        lia_qr_factor(&rows, LIA_LCP_RANK, true);
        lia_qr_solve(&rows, b, x, space, order + n);
    }
    for (int i = 0; i < m; i++) z[a[i]] = x[i];
}

// Is z a solution (its zeros are outside the basis)? w gets M z + q.
static bool is_solution(const LiaLcp* p, unsigned members, double* z, double* w) {
    int n = p->n;
    double size_z = largest(n, z);
    for (int i = 0; i < n; i++) {
        if (!(z[i] >= -LIA_LCP_PIVOT * size_z)) return false;
        z[i] = fmax(z[i], 0.0);
    }
    for (int i = 0; i < n; i++) {
        double sum = p->q[i], size = fabs(p->q[i]);
        for (int j = 0; j < n; j++) {
            sum += p->M[i * n + j] * z[j];
            size += fabs(p->M[i * n + j]) * z[j];
        }
        if (sum < -LIA_LCP_PIVOT * size) return false;
        if ((members >> i & 1u) && sum > LIA_LCP_PIVOT * size) return false;
        w[i] = members >> i & 1u ? 0.0 : fmax(sum, 0.0);
    }
    return true;
}

int lia_lcp_unique_count(const LiaLcp* p, double* z, double* work, int* index) {
    int n = p->n, count = 0;
    if (n > LIA_LCP_ENUMERATED) return 0;
    double *w = work, *one = w + LIA_LCP_SHOWN * n, *its_w = one + n, *rest = its_w + n;
    for (unsigned members = 0; members < 1u << n && count < LIA_LCP_SHOWN; members++) {
        solve_basis(p, members, one, rest, index);
        if (!is_solution(p, members, one, its_w)) continue;
        bool known = false;
        for (int k = 0; k < count && !known; k++) {
            double size = fmax(largest(n, its_w), largest(n, p->q));
            known = distance(n, its_w, w + k * n) <= LIA_LCP_SAME * size;
        }
        if (known) continue;
        memcpy(w + count * n, its_w, (size_t)n * sizeof *w);
        memcpy(z + count * n, one, (size_t)n * sizeof *z);
        count++;
    }
    return count;
}
