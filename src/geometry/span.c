// Spans of rows. See span.h.
// SPDX-License-Identifier: MIT
#include "geometry/span.h"
#include "base/memory/memory.h"
#include "base/numeric/dense.h"
#include "base/numeric/elimination.h"
#include "base/numeric/qr.h"
#include "base/numeric/thresholds.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Rows of size 1, factored; *rows is in one block, to be freed by its A.
static bool decompose(int m, int n, const double* A, double cut, LiaRows* rows) {
    size_t M = (size_t)m, N = (size_t)n;
    double* block = lia_memory_take((M * N + N + 1) * sizeof *block + M * sizeof(int));
    if (!block) return false;
    *rows = (LiaRows){.m = m, .n = n, .A = block, .pivot = block + M * N};
    rows->order = (int*)(rows->pivot + N + 1);
    for (size_t i = 0; i < M; i++) {
        double size = 0.0;
        for (size_t k = 0; k < N; k++) size = fmax(size, fabs(A[i * N + k]));
        for (size_t k = 0; k < N; k++) block[i * N + k] = size > 0.0 ? A[i * N + k] / size : 0.0;
    }
    lia_qr_factor(rows, cut, false);
    return true;
}

// The rank of long rows, most of whose entries are zero.
static int sparse_rank(int m, int n, const double* A) {
    size_t M = (size_t)m, N = (size_t)n, count = 0;
    for (size_t i = 0; i < M * N; i++) count += A[i] != 0.0;
    LiaSparse S = {.rows = m, .columns = n};
    S.start = lia_memory_take((M + 1) * sizeof *S.start);
    S.column = lia_memory_take((count + 1) * sizeof *S.column);
    S.value = lia_memory_take((count + 1) * sizeof *S.value);
    LiaElimination e = {0};
    int rank = -1;
    if (S.start && S.column && S.value) {
        int used = 0;
        for (size_t i = 0; i < M; i++) {
            double size = 0.0;
            S.start[i] = used;
            for (size_t k = 0; k < N; k++) size = fmax(size, fabs(A[i * N + k]));
            for (size_t k = 0; k < N; k++) {
                if (A[i * N + k] == 0.0) continue;
                S.column[used] = (int)k;
                S.value[used++] = A[i * N + k] / size;
            }
        }
        S.start[m] = used;
        if (lia_elimination_run(&S, LIA_SPAN_CUT, 0.5, &e)) rank = e.rank;
        lia_elimination_clear(&e);
    }
    free(S.start);
    free(S.column);
    free(S.value);
    return rank;
}

int lia_span_rank(int m, int n, const double* A) {
    assert(m >= 0 && n >= 0 && (A || m == 0 || n == 0));
    if (n > LIA_SPAN_SMALL) return sparse_rank(m, n, A);
    LiaRows Q;
    if (!decompose(m, n, A, LIA_SPAN_CUT, &Q)) return -1;
    free(Q.A);
    return Q.rank;
}

int lia_span_choose(int m, int n, const double* A, double cut, int* chosen) {
    assert(m >= 0 && n >= 0 && (A || m == 0 || n == 0));
    LiaRows Q;
    if (!decompose(m, n, A, cut, &Q)) return -1;
    memcpy(chosen, Q.order, (size_t)Q.rank * sizeof *chosen);
    free(Q.A);
    return Q.rank;
}

int lia_span_kernel(int m, int n, const double* A, double* basis) {
    assert(m >= 0 && n >= 0 && (A || m == 0 || n == 0));
    LiaRows Q;
    if (!decompose(m, n, A, LIA_SPAN_CUT, &Q)) return -1;
    int count = lia_qr_kernel(&Q, basis);
    free(Q.A);
    return count;
}

bool lia_span_same(int m, const double* A, int k, const double* B, int n) {
    size_t N = (size_t)n, P = (size_t)m, Q = (size_t)k;
    double* both = lia_memory_take(((P + Q) * N + 1) * sizeof *both);
    if (!both) return false;
    memcpy(both, A, P * N * sizeof *both);
    memcpy(both + P * N, B, Q * N * sizeof *both);
    int rank = lia_span_rank(m + k, n, both);
    bool same = rank >= 0 && rank == lia_span_rank(m, n, A) && rank == lia_span_rank(k, n, B);
    free(both);
    return same;
}

bool lia_span_outside(int m, const double* A, int n, int count, double* X) {
    assert(m >= 0 && n >= 0 && count >= 0);
    LiaRows Q;
    if (!decompose(m, n, A, LIA_SPAN_CUT, &Q)) return false;
    for (int r = 0; r < count; r++) {
        double* x = X + (size_t)r * (size_t)n;
        lia_qr_in(&Q, x);
        for (int i = 0; i < Q.rank; i++) x[i] = 0.0;
    }
    free(Q.A);
    return true;
}

typedef struct Room {  // for singular values
    double *rows, *s, *work;
} Room;

// Rows of A L^-T of size 1, then an orthonormal basis of their span in the columns of V; its rank.
static int orthonormal(int m, int n, const double* A, const double* L, Room room, double* V) {
    for (int c = 0; c < m; c++) {
        double* row = room.rows + (size_t)c * (size_t)n;
        memcpy(row, A + (size_t)c * (size_t)n, (size_t)n * sizeof *row);
        lia_dense_forward(n, L, row);
        double size = 0.0;
        for (int i = 0; i < n; i++) size = fmax(size, fabs(row[i]));
        for (int i = 0; i < n && size > 0.0; i++) row[i] /= size;
    }
    int r = m < n ? m : n, rank = 0;
    lia_dense_svd(m, n, room.rows, (LiaSvd){.s = room.s, .V = V, .work = room.work});
    while (rank < r && room.s[rank] > LIA_SPAN_SINGULAR * room.s[0]) rank++;
    return rank;
}

double lia_span_coupling(int n, const double* M, int k, const double* J, const double* F) {
    int r = k < n ? k : n;
    if (r == 0) return 1.0;
    size_t N = (size_t)n, K = (size_t)k, R = (size_t)r;
    double* block = lia_memory_zeros(N * N + K * N + 2 * N * R + R * R + R +
                                         lia_dense_svd_work(k > n ? k : n, n),
                                     sizeof *block);
    if (!block) return NAN;
    double *L = block, *rows = L + N * N, *VJ = rows + K * N, *VF = VJ + N * R;
    double *product = VF + N * R, *s = product + R * R, *work = s + R;
    memcpy(L, M, N * N * sizeof *L);
    bool definite = lia_dense_cholesky(n, L);
    if (!definite) {
        memcpy(L, M, N * N * sizeof *L);
        double most = 0.0;  // rows weigh what the largest inertia does
        for (int i = 0; i < n; i++) most = fmax(most, fabs(M[i * n + i]));
        for (int c = 0; c < k; c++) {
            double size = 0.0;
            for (int i = 0; i < n; i++) size = fmax(size, fabs(J[c * n + i]));
            double weight = size > 0.0 ? (most > 0.0 ? most : 1.0) / size / size : 0.0;
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) L[i * n + j] += weight * J[c * n + i] * J[c * n + j];
            }
        }
        definite = lia_dense_cholesky(n, L);
    }
    double number = definite ? 0.0 : NAN;
    if (definite) {
        int a = orthonormal(k, n, J, L, (Room){rows, s, work}, VJ);
        int b = orthonormal(k, n, F, L, (Room){rows, s, work}, VF);
        if (a == b && a > 0) {
            for (int i = 0; i < a; i++) {
                for (int j = 0; j < a; j++) {
                    double sum = 0.0;
                    for (int x = 0; x < n; x++) sum += VJ[x * r + i] * VF[x * r + j];
                    product[i * a + j] = sum;
                }
            }
            lia_dense_svd(a, a, product, (LiaSvd){.s = s, .work = work});
            number = s[a - 1];
        }
    }
    free(block);
    return number;
}
