// The coupling number of large systems, whose rows are ideal but for a few.
//
// The rows I that are the same in J and in Omega are in both spans, so the angle between the spans is that between what is left
// of the other rows J_s and Omega_s across I. In the metric G^-1 the parts of x and y across I have the product
//   <x, y> = x u,    [G I^T; I 0] (u, lambda) = (y, 0)
// so one sparse elimination gives the products A of the J_s, B of the Omega_s and C between them, and the number is the smallest
// singular value of A^(-1/2) C B^(-1/2). G is M, or M + J^T J where M is singular, as for small systems; of J^T J the rows I do
// not matter.
// SPDX-License-Identifier: MIT
#include "../base/triples.h"
#include "workspace.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OTHER_MOST = 200 };  // rows that are not ideal

typedef struct Coupling {
    const LiaWorkspace* w;
    int n, common, other;
    int *I, *S;  // rows of w: ideal and independent; the others         (nc) (nc)
    LiaTriples sum;
    LiaSparse K;
    LiaSparseLu lu;
    bool lu_made;
    double *u, *products, *svd;
    void* block;
} Coupling;

// Entry by entry, in columns that rise.
static bool is_ideal_row(const LiaWorkspace* w, int c) {
    LiaEntries J = lia_mechanics_J(w, c), Omega = lia_mechanics_Omega(w, c);
    double size = 0.0;
    int e = 0;
    for (int k = 0; k < J.count; k++) size = fmax(size, fabs(J.value[k]));
    for (int k = 0; k < J.count || e < Omega.count;) {
        int j = k < J.count ? lia_entry_column(&J, k) : w->nf;
        int o = e < Omega.count ? lia_entry_column(&Omega, e) : w->nf;
        double x = j <= o ? J.value[k] : 0.0, y = o <= j ? Omega.value[e] : 0.0;
        if (!(fabs(x - y) <= 1e-14 * size)) return false;
        k += j <= o;
        e += o <= j;
    }
    return true;
}

bool lia_mechanics_is_ideal(const LiaWorkspace* w) {
    for (int c = 0; c < w->nc; c++) {
        if (!is_ideal_row(w, c)) return false;
    }
    return true;
}

static void add_row(Coupling* z, int row, LiaEntries entries, double scale) {
    for (int k = 0; k < entries.count; k++) {
        if (entries.value[k] != 0.0)
            lia_triples_add(&z->sum, row, lia_entry_column(&entries, k), scale * entries.value[k]);
    }
}

// Of the ideal rows those that are independent.
static bool select_common(Coupling* z) {
    const LiaWorkspace* w = z->w;
    z->sum.count = 0;
    for (int c = 0; c < z->common; c++) {
        LiaEntries J = lia_mechanics_J(w, z->I[c]);
        double size = 0.0;
        for (int k = 0; k < J.count; k++) size = fmax(size, fabs(J.value[k]));
        if (size > 0.0) add_row(z, c, J, 1.0 / size);
    }
    LiaElimination e = {0};
    bool ok =
        lia_triples_gather(&z->sum, z->common, z->n, &z->K) && lia_eliminate(&z->K, 1e-11, 0.5, &e);
    bool* taken = calloc((size_t)z->common + 1, sizeof *taken);
    int count = 0;
    for (int k = 0; ok && taken && k < e.rank; k++) taken[e.row[k]] = true;
    for (int c = 0; ok && taken && c < z->common; c++) {
        if (taken[c]) z->I[count++] = z->I[c];
    }
    z->common = count;
    ok = ok && taken;
    free(taken);
    lia_elimination_clear(&e);
    return ok;
}

static bool M_is_regular(Coupling* z) {
    z->sum.count = 0;
    for (int i = 0; i < z->n; i++) {
        lia_triples_add(&z->sum, i, i, 0.0);
        add_row(z, i, lia_mechanics_M(z->w, i), 1.0);
        if (!(lia_mechanics_inertia(z->w, i) > 0.0)) return false;
    }
    if (!lia_triples_gather(&z->sum, z->n, z->n, &z->K)) return false;
    lia_sparse_lu_reset(&z->lu, z->n);
    return lia_sparse_lu_factor(&z->lu, &z->K, NULL) > 1e-13;
}

// [G I^T; I 0]
static bool factor(Coupling* z) {
    const LiaWorkspace* w = z->w;
    bool regular = M_is_regular(z);
    z->sum.count = 0;
    for (int i = 0; i < z->n; i++) {
        lia_triples_add(&z->sum, i, i, 0.0);
        add_row(z, i, lia_mechanics_M(w, i), 1.0);
    }
    for (int s = 0; !regular && s < z->other; s++) {
        LiaEntries J = lia_mechanics_J(w, z->S[s]);
        for (int k = 0; k < J.count; k++) {
            if (J.value[k] != 0.0) add_row(z, lia_entry_column(&J, k), J, J.value[k]);
        }
    }
    for (int c = 0; c < z->common; c++) {
        LiaEntries J = lia_mechanics_J(w, z->I[c]);
        add_row(z, z->n + c, J, 1.0);
        for (int k = 0; k < J.count; k++)
            lia_triples_add(&z->sum, lia_entry_column(&J, k), z->n + c, J.value[k]);
    }
    int N = z->n + z->common;
    if (!lia_triples_gather(&z->sum, N, N, &z->K)) return false;
    lia_sparse_lu_reset(&z->lu, N);
    return lia_sparse_lu_factor(&z->lu, &z->K, NULL) > 1e-14;
}

static double product(LiaEntries x, const double* u) {
    double sum = 0.0;
    for (int k = 0; k < x.count; k++) sum += x.value[k] * u[lia_entry_column(&x, k)];
    return sum;
}

static void across(Coupling* z, LiaEntries y) {
    memset(z->u, 0, (size_t)(z->n + z->common) * sizeof *z->u);
    for (int k = 0; k < y.count; k++) z->u[lia_entry_column(&y, k)] = y.value[k];
    lia_sparse_lu_solve(&z->lu, z->u);
}

// The smallest singular value of A^(-1/2) C B^(-1/2); all p x p, A and B with 1 on their diagonals.
static double smallest(Coupling* z, double* A, double* B, double* C) {
    int p = z->other;
    bool a = lia_cholesky(p, A), b = lia_cholesky(p, B);
    if (!a || !b) return a == b ? NAN : 0.0;
    for (int i = 0; i < p; i++) lia_forward(p, B, C + (size_t)i * (size_t)p);  // C L_B^-T
    double* T = z->svd;
    for (int i = 0; i < p; i++) {
        for (int k = 0; k < p; k++) T[i * p + k] = C[k * p + i];
    }
    for (int i = 0; i < p; i++) lia_forward(p, A, T + (size_t)i * (size_t)p);
    double* s = T + (size_t)p * (size_t)p;
    lia_svd(p, p, T, s, NULL, NULL, s + p);
    double number = s[p - 1];
    return number > 1.0 - 1e-14 ? 1.0 : number;
}

static double find(Coupling* z) {
    const LiaWorkspace* w = z->w;
    size_t p = (size_t)z->other;
    double *A = z->products, *B = A + p * p, *C = B + p * p, *a = C + p * p, *b = a + p;
    for (size_t k = 0; k < p; k++) {
        across(z, lia_mechanics_J(w, z->S[k]));
        for (size_t i = 0; i < p; i++) A[i * p + k] = product(lia_mechanics_J(w, z->S[i]), z->u);
        across(z, lia_mechanics_Omega(w, z->S[k]));
        for (size_t i = 0; i < p; i++) {
            B[i * p + k] = product(lia_mechanics_Omega(w, z->S[i]), z->u);
            C[i * p + k] = product(lia_mechanics_J(w, z->S[i]), z->u);
        }
    }
    for (size_t i = 0; i < p; i++) {
        a[i] = sqrt(A[i * p + i]);
        b[i] = sqrt(B[i * p + i]);
        if (!(a[i] > 0.0) || !(b[i] > 0.0)) return NAN;
    }
    for (size_t i = 0; i < p; i++) {
        for (size_t k = 0; k < p; k++) {
            A[i * p + k] /= a[i] * a[k];
            B[i * p + k] /= b[i] * b[k];
            C[i * p + k] /= a[i] * b[k];
        }
    }
    return smallest(z, A, B, C);
}

double lia_mechanics_regularity_sparse(const LiaWorkspace* w) {
    Coupling z = {.w = w, .n = w->nf};
    size_t n = (size_t)w->nf, m = (size_t)w->nc;
    z.I = calloc(2 * m + 1, sizeof *z.I);
    if (!z.I) return NAN;
    z.S = z.I + m;
    for (int c = 0; c < w->nc; c++) {
        if (is_ideal_row(w, c)) {
            z.I[z.common++] = c;
        } else {
            z.S[z.other++] = c;
        }
    }
    double number = z.other == 0 ? 1.0 : NAN;
    if (z.other > 0 && z.other <= OTHER_MOST) {
        size_t p = (size_t)z.other, work = p * p + p + lia_svd_work(z.other, z.other);
        z.block = calloc((n + m + 3 * p * p + 2 * p + work) * sizeof(double), 1);
        z.K.start = calloc(n + m + 2, sizeof *z.K.start);
        z.lu_made = lia_sparse_lu_init(&z.lu, (int)(n + m));
        if (z.block && z.K.start && z.lu_made) {
            z.u = z.block;
            z.products = z.u + n + m;
            z.svd = z.products + 3 * p * p + 2 * p;
            if (select_common(&z) && factor(&z)) number = find(&z);
        }
        lia_sparse_lu_clear(&z.lu);
    }
    lia_triples_clear(&z.sum);
    free(z.K.start);
    free(z.K.column);
    free(z.K.value);
    free(z.block);
    free(z.I);
    return number;
}
