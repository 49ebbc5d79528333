// Multipliers of rows that depend on each other are not unique: mu is determined up to {nu : Omega^T nu = 0}.
// Reported are those of least norm; unique are the combinations c mu with c in the span of Omega's columns.
//
// At one state, with the singular value decomposition of Omega: mu - N N^T mu, N orthonormal. As series, for the
// works: a row that is not active is C times the active ones, Omega_D = C Omega_A, so that N = (-C^T; 1) and
//
//   mu_A + C^T z,  -z    with   (1 + C C^T) z = -C mu_A         (mu_D = 0 before)
//
// SPDX-License-Identifier: MIT
#include "workspace.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Left singular vectors of Omega that belong to singular values above rounding: U is nc x r, *rank of them count.
// One block, to be freed; NULL if memory is out.
static double* left_vectors(const LiaWorkspace* w, double** U, int* stride, int* rank) {
    int nf = w->nf, nc = w->nc, r = nc < nf ? nc : nf;
    size_t m = (size_t)nc, n = (size_t)nf, R = (size_t)r;
    double* block = calloc(m * n + R + m * R + lia_svd_work(nc, nf) + 1, sizeof *block);
    if (!block) return NULL;
    double *A = block, *s = A + m * n;
    *U = s + R;
    for (int c = 0; c < nc; c++) {
        LiaEntries row = lia_mechanics_Omega(w, c);
        for (int k = 0; k < row.count; k++) A[c * nf + lia_entry_column(&row, k)] = row.value[k];
    }
    if (r > 0) lia_svd(nc, nf, A, s, *U, NULL, *U + m * R);
    *stride = r;
    *rank = 0;
    while (*rank < r && s[*rank] > 1e-11 * s[0]) ++*rank;
    return block;
}

void lia_mechanics_least_norm(LiaWorkspace* w) {
    if (w->saddle && lia_least_norm_sparse(w)) return;
    int nc = w->nc, stride, rank;
    double *U, *block = left_vectors(w, &U, &stride, &rank);
    double* part = calloc((size_t)nc + 1, sizeof *part);
    for (int c = 0; block && part && c < nc; c++) {
        double kept = 0.0;
        for (int j = 0; j < rank; j++) {
            double dot = 0.0;
            for (int e = 0; e < nc; e++) dot += U[e * stride + j] * w->mu[w->dynamics->rows[e]];
            part[c] += U[c * stride + j] * dot;
            kept += U[c * stride + j] * U[c * stride + j];
        }
        w->unique[w->dynamics->rows[c]] = fabs(kept - 1.0) < 1e-9;
    }
    for (int c = 0; block && part && c < nc; c++) w->mu[w->dynamics->rows[c]] = part[c];
    free(part);
    free(block);
}

// --- which combinations are unique --------------------------------------------------------------

// Reduced row echelon form of the m x n matrix B; returns the rank.
static int reduce(int m, int n, double* B) {
    int rank = 0;
    for (int col = 0; col < n && rank < m; col++) {
        int best = rank;
        for (int i = rank; i < m; i++) {
            if (fabs(B[i * n + col]) > fabs(B[best * n + col])) best = i;
        }
        double pivot = B[best * n + col];
        if (fabs(pivot) < 1e-9) continue;
        for (int k = 0; k < n; k++) {
            double x = B[best * n + k] / pivot;
            B[best * n + k] = B[rank * n + k];
            B[rank * n + k] = x;
        }
        for (int i = 0; i < m; i++) {
            double factor = B[i * n + col];
            if (i == rank || factor == 0.0) continue;
            for (int k = 0; k < n; k++) B[i * n + k] -= factor * B[rank * n + k];
        }
        rank++;
    }
    for (int i = 0; i < m * n; i++) {
        double whole = round(B[i]);
        if (fabs(B[i] - whole) < 1e-9) B[i] = whole;
    }
    return rank;
}

int lia_mechanics_combinations(const LiaWorkspace* w, double* basis) {
    enum { READABLE = 120 };  // of more than so many rows nobody wants the combinations
    if (w->nc > READABLE) return 0;
    int nc = w->nc, stride, rank;
    double *U, *block = left_vectors(w, &U, &stride, &rank);
    if (!block) return 0;
    for (int j = 0; j < rank; j++) {
        for (int c = 0; c < nc; c++) {
            bool alone = w->unique[w->dynamics->rows[c]];  // its unit vector is in the span
            basis[j * nc + c] = alone ? 0.0 : U[c * stride + j];
        }
    }
    free(block);
    return reduce(rank, nc, basis);
}

// --- the same as series, for powers and works ---------------------------------------------------

typedef struct Share {
    const LiaWorkspace* w;
    int na, nd, nf, orders;
    int* dependent;  // rows that are not active                      (nd)
    double *C,
        *z;  // series, order by order                        (orders x nd x na), (orders x nd)
    double *R, *S, *T;  // a row of Omega (nf); C C^T of one order (nd x nd); a right side (nc)
    LiaLu rows, dual;   // Omega_A Omega_A^T, 1 + C C^T of order 0
    void* block;
} Share;

static double* lu_room(LiaLu* lu, int n, double* x, int** rows) {
    *lu = (LiaLu){.n = n, .A = x, .left = x + n * n, .right = x + n * n + n, .row = *rows};
    *rows += n;
    return x + n * n + 2 * n;
}

static bool share_init(Share* s, const LiaWorkspace* w, int orders) {
    *s = (Share){.w = w, .na = w->nr, .nd = w->nc - w->nr, .nf = w->nf, .orders = orders};
    size_t a = (size_t)s->na, d = (size_t)s->nd, n = (size_t)s->nf, o = (size_t)orders;
    size_t doubles = o * d * a + o * d + n + d * d + a + d + a * a + 2 * a + d * d + 2 * d;
    s->block = calloc(doubles * sizeof(double) + (a + 2 * d + 1) * sizeof(int), 1);
    if (!s->block) return false;
    double* x = s->block;
    s->C = x, x += o * d * a;
    s->z = x, x += o * d;
    s->R = x, x += n;
    s->S = x, x += d * d;
    s->T = x, x += a + d;
    int* rows = (int*)((double*)s->block + doubles);
    x = lu_room(&s->rows, s->na, x, &rows);
    lu_room(&s->dual, s->nd, x, &rows);
    s->dependent = rows;
    for (int c = 0, r = 0, k = 0; c < w->nc; c++) {
        if (r < w->nr && w->active[r] == c) {
            r++;
        } else {
            s->dependent[k++] = c;
        }
    }
    return true;
}

static double omega(const Share* s, int c, int i, int order) {
    uint32_t reg = lia_pattern_Omega(s->w->dynamics, c, i);
    return reg ? lia_jet_series(&s->w->jets, reg)[order] : 0.0;
}

static double* C_of(const Share* s, int order) {
    return s->C + (size_t)order * (size_t)s->nd * (size_t)s->na;
}

// C[k] Omega_A[0] = Omega_D[k] - sum_j C[k-j] Omega_A[j], row by row through Omega_A Omega_A^T.
static void find_C(Share* s, int k) {
    int na = s->na, nf = s->nf;
    for (int d = 0; d < s->nd; d++) {
        for (int i = 0; i < nf; i++) {
            double sum = omega(s, s->dependent[d], i, k);
            for (int j = 1; j <= k; j++) {
                const double* C = C_of(s, k - j) + (size_t)d * (size_t)na;
                for (int a = 0; a < na; a++) sum -= C[a] * omega(s, s->w->active[a], i, j);
            }
            s->R[i] = sum;
        }
        double* C = C_of(s, k) + (size_t)d * (size_t)na;
        for (int a = 0; a < na; a++) {
            C[a] = 0.0;
            for (int i = 0; i < nf; i++) C[a] += omega(s, s->w->active[a], i, 0) * s->R[i];
        }
        lia_lu_solve(&s->rows, C);
    }
}

// (C C^T)[k] into S.
static void square_C(Share* s, int k) {
    for (int d = 0; d < s->nd; d++) {
        for (int e = 0; e < s->nd; e++) {
            double sum = 0.0;
            for (int j = 0; j <= k; j++) {
                const double *x = C_of(s, j) + (size_t)d * (size_t)s->na,
                             *y = C_of(s, k - j) + (size_t)e * (size_t)s->na;
                for (int a = 0; a < s->na; a++) sum += x[a] * y[a];
            }
            s->S[d * s->nd + e] = sum;
        }
    }
}

static double* multiplier(const Share* s, int c) {
    const LiaDynamics* d = s->w->dynamics;
    return lia_jet_series(&s->w->jets, d->tape->multiplier[d->rows[c]]);
}

// z[k]: (1 + C C^T)[0] z[k] = -(C mu_A)[k] - sum_{j > 0} (C C^T)[j] z[k-j]
static void find_z(Share* s, int k) {
    double* z = s->z + (size_t)k * (size_t)s->nd;
    for (int d = 0; d < s->nd; d++) {
        z[d] = 0.0;
        for (int j = 0; j <= k; j++) {
            const double* C = C_of(s, j) + (size_t)d * (size_t)s->na;
            for (int a = 0; a < s->na; a++) z[d] -= C[a] * multiplier(s, s->w->active[a])[k - j];
        }
    }
    for (int j = 1; j <= k; j++) {
        const double* y = s->z + (size_t)(k - j) * (size_t)s->nd;
        square_C(s, j);
        for (int d = 0; d < s->nd; d++) {
            for (int e = 0; e < s->nd; e++) z[d] -= s->S[d * s->nd + e] * y[e];
        }
    }
    lia_lu_solve(&s->dual, z);
}

static bool factor(Share* s) {
    for (int a = 0; a < s->na; a++) {
        for (int b = 0; b < s->na; b++) {
            double sum = 0.0;
            for (int i = 0; i < s->nf; i++) {
                sum += omega(s, s->w->active[a], i, 0) * omega(s, s->w->active[b], i, 0);
            }
            s->rows.A[a * s->na + b] = sum;
        }
    }
    if (s->na > 0 && !(lia_lu_factor(&s->rows, NULL) > 1e-14)) return false;
    find_C(s, 0);
    square_C(s, 0);
    for (int i = 0; i < s->nd * s->nd; i++) s->dual.A[i] = s->S[i];
    for (int d = 0; d < s->nd; d++) s->dual.A[d * s->nd + d] += 1.0;
    return lia_lu_factor(&s->dual, NULL) > 0.0;
}

// Does a row do work, or may an event ask for a force? If not, only the values at samples matter.
static bool works(const LiaWorkspace* w) {
    if (w->system->model->events_count) return true;
    for (int c = 0; c < w->nc; c++) {
        if (!w->system->rows[w->dynamics->rows[c]].workless) return true;
    }
    return false;
}

void lia_mechanics_share(LiaWorkspace* w, int orders) {
    Share s;
    if (w->hidden || w->nr == w->nc || !works(w)) return;
    if (share_init(&s, w, orders) && factor(&s)) {
        for (int k = 0; k < orders; k++) {
            if (k > 0) find_C(&s, k);
            find_z(&s, k);
        }
        for (int k = 0; k < orders; k++) {
            for (int a = 0; a < s.na; a++) {
                double* mu = multiplier(&s, w->active[a]);
                for (int j = 0; j <= k; j++) {
                    for (int d = 0; d < s.nd; d++) {
                        mu[k] += C_of(&s, j)[d * s.na + a] * s.z[(k - j) * s.nd + d];
                    }
                }
            }
            for (int d = 0; d < s.nd; d++) {
                multiplier(&s, s.dependent[d])[k] = -s.z[k * s.nd + d];
            }
        }
    }
    free(s.block);
}
