// Lemke's method. See lcp.h; uniqueness is in lcp_unique.c.
//
// The tableau is B^-1 (I, -M, -d, q) for the variables (w, z, z0): z0 is artificial, d its column
// of ones. At first w and z0 are basic with z0 just large enough; then the complement of what left
// enters, until z0 leaves (solved) or nothing limits what enters (a ray). Another column d leads
// along another path.
//
// Cottle, Pang, Stone, The Linear Complementarity Problem, sections 4.4 and 4.9.
// SPDX-License-Identifier: MIT
#include "base/numeric/lcp.h"
#include "base/numeric/dense.h"
#include "base/numeric/lcp_convex.h"
#include "base/numeric/lcp_unique.h"
#include "base/numeric/qr.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include <math.h>

enum {
    SWEEPS = 3,           // of scaling
    PIVOTS_PER_ROW = 50,  // usual are one or two
    PIVOTS_LEAST = 200,   // for small problems
    CORRECTIONS = 2,      // of the solution on its basis
};

typedef struct Tableau {
    int n, columns;
    double* t;      // n x columns: w, z, z0, right side
    double* left;   // scales of rows     (n)
    double* right;  // scales of columns  (n)
    double unit;    // scale of the right side
    int* basic;     // variable of each row: 0..n-1 w, n..2n-1 z, 2n z0
} Tableau;

size_t lia_lcp_work(int n) {
    size_t m = (size_t)n;
    size_t solve = m * (2 * m + 2) + m * m + 8 * m;
    size_t unique = 4 * m * m + (LIA_LCP_SHOWN + 16) * m + lia_qr_work(n, n);
    size_t minors = m <= LIA_LCP_ENUMERATED ? m * m * m : 0;
    return solve + unique + minors;
}

size_t lia_lcp_index(int n) { return 8 * (size_t)n; }

// The nearest power of two to 1/x: scaling by it changes no digit.
static double scale_of(double x) {
    if (!(x > 0.0)) return 1.0;
    int e;
    frexp(x, &e);
    return ldexp(1.0, 1 - e);
}

static bool all_finite(const double* x, int n) {
    for (int i = 0; i < n; i++) {
        if (!isfinite(x[i])) return false;
    }
    return true;
}

// Scales for rows and columns such that the largest entry of each is about 1.
static void find_scales(const LiaLcp* p, Tableau* t) {
    int n = p->n;
    for (int i = 0; i < n; i++) t->left[i] = t->right[i] = 1.0;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int i = 0; i < n; i++) {
            double most = 0.0;
            for (int j = 0; j < n; j++) most = fmax(most, fabs(p->M[i * n + j]) * t->right[j]);
            t->left[i] = scale_of(most);
        }
        for (int j = 0; j < n; j++) {
            double most = 0.0;
            for (int i = 0; i < n; i++) most = fmax(most, fabs(p->M[i * n + j]) * t->left[i]);
            t->right[j] = scale_of(most);
        }
    }
    double most = 0.0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(p->q[i]) * t->left[i]);
    t->unit = scale_of(most);
}

static void fill(const LiaLcp* p, Tableau* t) {
    int n = p->n;
    uint64_t seed = p->cover;
    for (int i = 0; i < n; i++) {
        double* row = t->t + i * t->columns;
        memset(row, 0, (size_t)n * sizeof *row);
        row[i] = 1.0;
        for (int j = 0; j < n; j++) {
            row[n + j] = -p->M[i * n + j] * t->left[i] * t->right[j];
        }
        row[2 * n] = p->cover ? -lia_random_generic(&seed) : -1.0;
        row[2 * n + 1] = p->q[i] * t->left[i] * t->unit;
        t->basic[i] = i;
    }
}

static void pivot(Tableau* t, int r, int column) {
    double* row = t->t + r * t->columns;
    double inverse = 1.0 / row[column];
    for (int j = 0; j < t->columns; j++) row[j] *= inverse;
    row[column] = 1.0;
    for (int i = 0; i < t->n; i++) {
        double* other = t->t + i * t->columns;
        double f = other[column];
        if (i == r || f == 0.0) continue;
        for (int j = 0; j < t->columns; j++) other[j] -= f * row[j];
        other[column] = 0.0;
    }
    t->basic[r] = column;
}

// Is row i, divided by its entry in the column, lexicographically smaller than row k? The right
// side comes first, then the columns of w, which are B^-1.
static bool comes_first(const Tableau* t, int column, int i, int k) {
    const double *x = t->t + i * t->columns, *y = t->t + k * t->columns;
    int right = 2 * t->n + 1;
    double a = fmax(x[right], 0.0) / x[column], b = fmax(y[right], 0.0) / y[column];
    if (fabs(a - b) > LIA_LCP_TIE * fmax(1.0, fmax(a, b))) return a < b;
    if (t->basic[i] == 2 * t->n) return true;  // z0 may leave: solved
    if (t->basic[k] == 2 * t->n) return false;
    for (int j = 0; j < t->n; j++) {
        a = x[j] / x[column];
        b = y[j] / y[column];
        if (fabs(a - b) > LIA_LCP_TIE * fmax(1.0, fmax(fabs(a), fabs(b)))) return a < b;
    }
    return false;
}

// The row whose variable reaches 0 first when that of the column grows; -1: none, a ray.
static int leaving_row(const Tableau* t, int column) {
    double most = 1.0;
    for (int i = 0; i < t->n; i++) most = fmax(most, fabs(t->t[i * t->columns + column]));
    int best = -1;
    for (int i = 0; i < t->n; i++) {
        if (t->t[i * t->columns + column] <= LIA_LCP_PIVOT * most) continue;
        if (best < 0 || comes_first(t, column, i, best)) best = i;
    }
    return best;
}

// At a ray: is z0 rounding? Then what is basic besides it is a solution, on the border of having
// one (dependent rows whose right sides are dependent too, but for rounding).
static bool is_solved(const Tableau* t) {
    for (int i = 0; i < t->n; i++) {
        if (t->basic[i] != 2 * t->n) continue;
        return t->t[i * t->columns + 2 * t->n + 1] <= LIA_LCP_TIE;
    }
    return true;
}

static LiaLcpStatus lemke(Tableau* t, int* pivots) {
    int n = t->n, artificial = 2 * n, right = 2 * n + 1;
    int first = -1;
    double least = 0.0;
    for (int i = 0; i < n; i++) {  // of equals the last: the smallest unit vector
        const double* at = t->t + i * t->columns;
        double x = -at[right] / at[artificial];  // z0 >= -x makes it positive
        if (at[right] < 0.0 && (first < 0 || x <= least)) first = i, least = x;
    }
    *pivots = 0;
    if (first < 0) return LIA_LCP_SOLVED;
    int budget = PIVOTS_LEAST + PIVOTS_PER_ROW * n;
    int row = first, enters = artificial;
    for (; *pivots < budget; ++*pivots) {
        int leaves = t->basic[row];
        pivot(t, row, enters);
        if (leaves == artificial) return LIA_LCP_SOLVED;
        enters = leaves < n ? leaves + n : leaves - n;
        row = leaving_row(t, enters);
        if (row < 0) return is_solved(t) ? LIA_LCP_SOLVED : LIA_LCP_RAY;
    }
    return LIA_LCP_BUDGET;
}

// z of the basis from the tableau, then once more from M itself: M_aa z_a = -q_a.
static void take_solution(LiaLcp* p, const Tableau* t, double* work, int* index) {
    int n = p->n, m = 0, *basis = index, *exchanges = index + n;
    memset(p->z, 0, (size_t)n * sizeof *p->z);
    for (int i = 0; i < n; i++) {
        int j = t->basic[i] - n;
        if (j < 0 || j >= n) continue;
        p->z[j] = t->t[i * t->columns + 2 * n + 1] * t->right[j] / t->unit;
        basis[m++] = j;
    }
    double *A = work, *x = A + n * n;
    LiaLu lu = {.n = m, .A = A, .row = exchanges, .left = x + n, .right = x + 2 * n};
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) A[i * m + j] = p->M[basis[i] * n + basis[j]];
    }
    if (m == 0 || !(lia_dense_lu_factor(&lu, NULL) > LIA_LCP_PIVOT)) return;
    for (int round = 0; round < CORRECTIONS; round++) {
        for (int i = 0; i < m; i++) {
            double sum = -p->q[basis[i]];
            for (int j = 0; j < m; j++) sum -= p->M[basis[i] * n + basis[j]] * p->z[basis[j]];
            x[i] = sum;
        }
        lia_dense_lu_solve(&lu, x);
        if (!all_finite(x, m)) return;
        for (int i = 0; i < m; i++) p->z[basis[i]] += x[i];
    }
}

void lia_lcp_certify(LiaLcp* p, const double* left) {
    int n = p->n;
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        p->z[i] = fmax(p->z[i], 0.0);
        most = fmax(most, fabs(p->q[i]) * left[i]);
    }
    p->residual = 0.0;
    for (int i = 0; i < n; i++) {
        const double* row = p->M + i * n;
        double sum = p->q[i], size = fabs(p->q[i]);
        for (int j = 0; j < n; j++) {
            sum += row[j] * p->z[j];
            size += fabs(row[j]) * p->z[j];
        }
        size = fmax(size, LIA_LCP_TERMS_LEAST * most / left[i]);
        p->w[i] = p->z[i] > 0.0 || sum <= LIA_LCP_TIE * size ? 0.0 : sum;
        double rest = fabs(sum - p->w[i]);
        if (rest > 0.0) p->residual = fmax(p->residual, rest / size);
    }
}

static LiaLcpStatus solve_lemke(LiaLcp* p, double* work, int* index) {
    int n = p->n;
    size_t m = (size_t)n;
    Tableau t = {.n = n, .columns = 2 * n + 2, .t = work, .basic = index};
    t.left = work + m * (2 * m + 2);
    t.right = t.left + n;
    find_scales(p, &t);
    fill(p, &t);
    LiaLcpStatus status = lemke(&t, &p->pivots);
    if (status != LIA_LCP_SOLVED) return status;
    take_solution(p, &t, t.right + n, index + n);
    lia_lcp_certify(p, t.left);
    return p->residual <= LIA_LCP_CERTIFICATE ? LIA_LCP_SOLVED : LIA_LCP_INEXACT;
}

LiaLcpStatus lia_lcp_solve(LiaLcp* p, double* work, int* index) {
    int n = p->n;
    p->pivots = 0;
    p->residual = INFINITY;
    memset(p->z, 0, (size_t)n * sizeof *p->z);
    memset(p->w, 0, (size_t)n * sizeof *p->w);
    if (!all_finite(p->M, n * n) || !all_finite(p->q, n)) return LIA_LCP_NOT_FINITE;
    LiaLcpStatus status = solve_lemke(p, work, index);
    if (status == LIA_LCP_SOLVED || !lia_lcp_convex_is(n, p->M, work)) return status;
    return lia_lcp_convex_solve(p, work, index);
}
