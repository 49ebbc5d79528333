// See lcp_convex.h. The method of active sets.
//
// z is positive in a set of independent columns, where w = 0; one index enters after the other,
// that of the most negative w. While it grows, the others follow so that their w stays 0. It has
// entered where its own w is 0, or where another z becomes 0, which leaves the set. A column that
// depends on those of the set has no w of its own to become 0: it takes the place of one that
// leaves; if none does, the minimum is at infinity and there is no solution. The sum decreases all
// the way; where it does not (z that are 0 in the set), Bland's rule keeps the method from going in
// circles.
//
// Lawson, Hanson, Solving Least Squares Problems, chapter 23; Gill, Murray, Wright, Practical
// Optimization, section 5.3.
// SPDX-License-Identifier: MIT
#include "base/numeric/lcp_convex.h"
#include "base/numeric/dense.h"
#include "base/numeric/thresholds.h"
#include <math.h>
#include <string.h>

enum {
    STEPS_PER_ROW = 50,  // usual are one or two
    STEPS_LEAST = 200,   // for small problems
    CORRECTIONS = 2,     // of the solution on its set
};

// In units in which the diagonal of M is 1.
typedef struct Active {
    int n, count;
    const double* M;  // scaled                               (n x n)
    const double* q;  // scaled                               (n)
    double* z;        // scaled                               (n)
    double* w;        // M z + q                              (n)
    double* size;     // the terms of w                       (n)
    double* L;        // Cholesky factor of M on the set      (n x n)
    double* d;        // how the set follows what enters      (n)
    int* set;         //                                      (n)
    bool bland;
} Active;

// ---- the kind of matrix

static bool is_symmetric(int n, const double* M) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double x = M[i * n + j], y = M[j * n + i];
            if (fabs(x - y) > LIA_LCP_MINOR * (fabs(M[i * n + i]) + fabs(M[j * n + j])))
                return false;
        }
    }
    return true;
}

bool lia_lcp_convex_symmetric_part(int n, const double* M, double* S) {
    for (int i = 0; i < n; i++) {
        if (M[i * n + i] < 0.0) return false;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double d = sqrt(M[i * n + i]) * sqrt(M[j * n + j]);
            double s = 0.5 * (M[i * n + j] + M[j * n + i]);
            if (d == 0.0 && s != 0.0) return false;
            S[i * n + j] = d == 0.0 ? 0.0 : s / d;
        }
    }
    return true;
}

bool lia_lcp_convex_is(int n, const double* M, double* S) {
    if (!is_symmetric(n, M) || !lia_lcp_convex_symmetric_part(n, M, S)) return false;
    for (int i = 0; i < n; i++) S[i * n + i] += LIA_LCP_MINOR;
    return lia_dense_cholesky(n, S);
}

// ---- the set

// The factor of M on the set.
static bool factor(Active* a) {
    int m = a->count;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) a->L[i * m + j] = a->M[a->set[i] * a->n + a->set[j]];
    }
    return lia_dense_cholesky(m, a->L);
}

static void solve(const Active* a, double* x) {
    lia_dense_forward(a->count, a->L, x);
    lia_dense_backward(a->count, a->L, x);
}

static double row_times(const Active* a, int i, double* size) {
    double sum = a->q[i];
    *size = fabs(sum);
    for (int j = 0; j < a->n; j++) {
        double term = a->M[i * a->n + j] * a->z[j];
        sum += term;
        *size += fabs(term);
    }
    return sum;
}

// z of the set once more from M and q themselves; false where one would be negative.
static bool refine(Active* a) {
    int m = a->count;
    for (int round = 0; round < CORRECTIONS; round++) {
        for (int i = 0; i < m; i++) a->d[i] = -row_times(a, a->set[i], &a->size[a->set[i]]);
        solve(a, a->d);
        for (int i = 0; i < m; i++) a->z[a->set[i]] = fmax(a->z[a->set[i]] + a->d[i], 0.0);
    }
    return true;
}

static void leave(Active* a, int index) {
    a->z[a->set[index]] = 0.0;
    memmove(a->set + index, a->set + index + 1, (size_t)(a->count - index - 1) * sizeof *a->set);
    a->count--;
}

// ---- what enters

// The index outside the set whose w is most negative, relative to its terms; -1: none is.
static int entering(Active* a) {
    double most = 0.0, worst = -LIA_LCP_TIE;
    int best = -1;
    for (int i = 0; i < a->n; i++) most = fmax(most, fabs(a->q[i]));
    for (int i = 0; i < a->n; i++) {
        bool inside = false;
        for (int k = 0; k < a->count; k++) inside = inside || a->set[k] == i;
        if (inside) continue;
        a->w[i] = row_times(a, i, &a->size[i]);
        a->size[i] = fmax(a->size[i], LIA_LCP_TERMS_LEAST * most);
        if (!(a->w[i] < worst * a->size[i])) continue;
        best = i;
        if (a->bland) return best;
        worst = a->w[i] / a->size[i];
    }
    return best;
}

// The index in the set whose z becomes 0 first when i grows, and how far i grows until then.
static int blocking(const Active* a, double* way) {
    int best = -1;
    *way = INFINITY;
    for (int k = 0; k < a->count; k++) {
        if (!(a->d[k] < -LIA_LCP_PIVOT)) continue;
        double x = a->z[a->set[k]] / -a->d[k];
        bool first = x < *way || (x == *way && a->bland && a->set[k] < a->set[best]);
        if (first) *way = x, best = k;
    }
    return best;
}

// Index i enters the set. *moved: it has come further than rounding.
static LiaLcpStatus enter(Active* a, int i, bool* moved) {
    int n = a->n;
    *moved = false;
    for (;;) {
        if (!factor(a)) return LIA_LCP_INEXACT;
        double own = 1.0, way, size;
        for (int k = 0; k < a->count; k++) a->d[k] = -a->M[a->set[k] * n + i];
        solve(a, a->d);
        for (int k = 0; k < a->count; k++) own += a->M[i * n + a->set[k]] * a->d[k];
        double goal = own > LIA_LCP_RANK ? fmax(-row_times(a, i, &size) / own, 0.0) : INFINITY;
        int index = blocking(a, &way);
        if (index < 0 && goal == INFINITY) return LIA_LCP_RAY;
        double step = fmin(way, goal);
        for (int k = 0; k < a->count; k++)
            a->z[a->set[k]] = fmax(a->z[a->set[k]] + step * a->d[k], 0.0);
        *moved = *moved || step > LIA_LCP_PIVOT * a->z[i];
        a->z[i] += step;
        if (goal <= way) break;
        leave(a, index);
    }
    a->set[a->count++] = i;
    return factor(a) && refine(a) ? LIA_LCP_SOLVED : LIA_LCP_INEXACT;
}

static LiaLcpStatus minimize(Active* a, int* steps) {
    int budget = STEPS_LEAST + STEPS_PER_ROW * a->n, still = 0;
    for (*steps = 0; *steps < budget; ++*steps) {
        bool moved;
        int i = entering(a);
        if (i < 0) return LIA_LCP_SOLVED;
        LiaLcpStatus status = enter(a, i, &moved);
        if (status != LIA_LCP_SOLVED) return status;
        still = moved ? 0 : still + 1;
        a->bland = still > a->n;
    }
    return LIA_LCP_BUDGET;
}

LiaLcpStatus lia_lcp_convex_solve(LiaLcp* p, double* work, int* index) {
    int n = p->n;
    double *M = work, *L = M + n * n, *q = L + n * n, *scale = q + n;
    Active a = {.n = n, .M = M, .q = q, .L = L, .set = index};
    a.z = scale + n;
    a.w = a.z + n;
    a.size = a.w + n;
    a.d = a.size + n;
    for (int i = 0; i < n; i++) {
        double root = sqrt(p->M[i * n + i]);
        scale[i] = root > 0.0 ? 1.0 / root : 1.0;
        q[i] = p->q[i] * scale[i];
        a.z[i] = 0.0;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            M[i * n + j] = 0.5 * (p->M[i * n + j] + p->M[j * n + i]) * scale[i] * scale[j];
        if (p->M[i * n + i] == 0.0 && p->q[i] < 0.0) return LIA_LCP_RAY;
    }
    LiaLcpStatus status = minimize(&a, &p->pivots);
    for (int i = 0; i < n; i++) p->z[i] = a.z[i] * scale[i];
    if (status != LIA_LCP_SOLVED) return status;
    lia_lcp_certify(p, scale);
    return p->residual <= LIA_LCP_CERTIFICATE ? LIA_LCP_SOLVED : LIA_LCP_INEXACT;
}
