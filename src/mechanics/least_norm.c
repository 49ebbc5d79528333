// Multipliers of rows that depend on each other are not unique: mu is determined up to {nu : Omega^T nu = 0}.
// Reported are those of least norm; unique are the combinations c mu with c in the span of Omega's columns.
//
// Multipliers of equations that the program added itself (the lengths of quaternions) are not counted: W is 0 for
// them and 1 for all others, and the norm is mu W mu.
//
// At one state: the rows of Omega that count, less what the others span, and a basis of their columns;
// mu - N N^T mu, N orthonormal. As series, for the works: a row that is not active is C times the active ones,
// Omega_D = C Omega_A, so that N = (-C^T; 1) and
//
//   mu_A + C^T z,  -z    with   (W_D + C W_A C^T) z = -C W_A mu_A         (mu_D = 0 before)
//
// SPDX-License-Identifier: MIT
#include "../base/orthogonal.h"
#include "workspace.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double dot(const double* x, const double* y, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

// Rows of A that count are made orthogonal to those that do not, and these become 0.
static void leave_out_internal(const LiaWorkspace* w, double* A) {
    int n = w->nf;
    for (int c = 0; c < w->nc; c++) {
        double* row = A + (size_t)c * (size_t)n;
        double square = lia_row_shown(w, c) ? 0.0 : dot(row, row, n);
        for (int e = 0; square > 0.0 && e < w->nc; e++) {
            double* other = A + (size_t)e * (size_t)n;
            if (e == c || (e < c && !lia_row_shown(w, e))) continue;
            double part = dot(other, row, n) / square;
            for (int i = 0; part != 0.0 && i < n; i++) other[i] -= part * row[i];
        }
    }
    for (int c = 0; c < w->nc; c++) {
        if (!lia_row_shown(w, c)) memset(A + (size_t)c * (size_t)n, 0, (size_t)n * sizeof *A);
    }
}

// An orthonormal basis of the span of Omega's columns, *rank rows of nc; to be freed. NULL if memory is out.
static double* basis_of(const LiaWorkspace* w, int* rank) {
    size_t m = (size_t)w->nc, n = (size_t)w->nf;
    double* U = calloc(2 * m * n + 1, sizeof *U);
    if (!U) return NULL;
    double* A = U + m * n;
    for (int c = 0; c < w->nc; c++) {
        LiaEntries row = lia_mechanics_Omega(w, c);
        for (int k = 0; k < row.count; k++) A[c * w->nf + lia_entry_column(&row, k)] = row.value[k];
    }
    leave_out_internal(w, A);
    for (size_t c = 0; c < m; c++) {
        for (size_t i = 0; i < n; i++) U[i * m + c] = A[c * n + i];
    }
    *rank = lia_rows_basis(w->nf, w->nc, U, 1e-11);
    return U;
}

double lia_mechanics_any(uint64_t* seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return 0.5 + (double)(*seed >> 12) / 9007199254740992.0;
}

// The part of x in the span of the rows of U.
static void part_in(const double* U, int rank, int nc, const double* x, double* part) {
    for (int j = 0; j < rank; j++) {
        const double* u = U + (size_t)j * (size_t)nc;
        double along = dot(u, x, nc);
        for (int c = 0; c < nc; c++) part[c] += u[c] * along;
    }
}

void lia_mechanics_least_norm(LiaWorkspace* w) {
    if (w->saddle && lia_least_norm_sparse(w)) return;
    int nc = w->nc, rank;
    const uint32_t* rows = w->dynamics->rows;
    double* U = basis_of(w, &rank);
    double* part = calloc(5 * (size_t)nc + 1, sizeof *part);
    double *kept = part + nc, *mu = kept + nc, *any = mu + nc, *any_part = any + nc;
    uint64_t seed = 1;
    for (int c = 0; part && c < nc; c++) {
        mu[c] = w->mu[rows[c]];
        any[c] = lia_row_shown(w, c) ? lia_mechanics_any(&seed) : 0.0;
    }
    for (int j = 0; U && part && j < rank; j++) {
        for (int c = 0; c < nc; c++) kept[c] += U[j * nc + c] * U[j * nc + c];
    }
    if (U && part) {
        part_in(U, rank, nc, mu, part);
        part_in(U, rank, nc, any, any_part);
    }
    double size = 0.0;
    for (int c = 0; U && part && c < nc; c++) {
        w->unique[rows[c]] = !lia_row_shown(w, c) || fabs(kept[c] - 1.0) < 1e-9;
        if (lia_row_shown(w, c)) w->mu[rows[c]] = part[c];
        size = fmax(size, fabs(w->mu[rows[c]]));
    }
    for (int c = 0; U && part && c < nc; c++) {
        double change = w->unique[rows[c]] ? 0.0 : any[c] - any_part[c];
        w->other[rows[c]] = w->mu[rows[c]] + (size > 0.0 ? size : 1.0) * change;
    }
    free(part);
    free(U);
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
    int nc = w->nc, rank;
    double* U = basis_of(w, &rank);
    if (!U) return 0;
    for (int j = 0; j < rank; j++) {
        for (int c = 0; c < nc; c++) {
            bool alone = w->unique[w->dynamics->rows[c]];  // its unit vector is in the span
            basis[j * nc + c] = alone ? 0.0 : U[j * nc + c];
        }
    }
    free(U);
    return reduce(rank, nc, basis);
}

// --- the same as series, for powers and works ---------------------------------------------------

typedef struct Share {
    const LiaWorkspace* w;
    int na, nd, nf, orders;
    int* dependent;  // rows that are not active                      (nd)
    double *C,
        *z;  // series, order by order                        (orders x nd x na), (orders x nd)
    double *R, *S;     // a row of Omega (nf); C W_A C^T of one order (nd x nd)
    double* weight;    // W_A                                           (na)
    LiaLu rows, dual;  // Omega_A Omega_A^T, W_D + C W_A C^T of order 0
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
    size_t doubles = o * d * a + o * d + n + d * d + a + a * a + 2 * a + d * d + 2 * d;
    s->block = calloc(doubles * sizeof(double) + (a + 2 * d + 1) * sizeof(int), 1);
    if (!s->block) return false;
    double* x = s->block;
    s->C = x, x += o * d * a;
    s->z = x, x += o * d;
    s->R = x, x += n;
    s->S = x, x += d * d;
    s->weight = x, x += a;
    int* rows = (int*)((double*)s->block + doubles);
    x = lu_room(&s->rows, s->na, x, &rows);
    lu_room(&s->dual, s->nd, x, &rows);
    s->dependent = rows;
    for (int c = 0, r = 0, k = 0; c < w->nc; c++) {
        if (r < w->nr && w->active[r] == c) {
            s->weight[r++] = lia_row_shown(w, c) ? 1.0 : 0.0;
        } else {
            s->dependent[k++] = c;
        }
    }
    return true;
}

static double omega(const Share* s, int c, int i, int order) {
    uint32_t reg = lia_pattern_Omega(s->w->dynamics, c, i);
    return reg ? lia_jet_coefficient(&s->w->jets, reg, order) : 0.0;
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

// (C W_A C^T)[k] into S.
static void square_C(Share* s, int k) {
    for (int d = 0; d < s->nd; d++) {
        for (int e = 0; e < s->nd; e++) {
            double sum = 0.0;
            for (int j = 0; j <= k; j++) {
                const double *x = C_of(s, j) + (size_t)d * (size_t)s->na,
                             *y = C_of(s, k - j) + (size_t)e * (size_t)s->na;
                for (int a = 0; a < s->na; a++) sum += s->weight[a] * x[a] * y[a];
            }
            s->S[d * s->nd + e] = sum;
        }
    }
}

static double* multiplier(const Share* s, int c) {
    const LiaDynamics* d = s->w->dynamics;
    return lia_jet_series(&s->w->jets, d->tape->multiplier[d->rows[c]]);
}

// z[k]: (W_D + C W_A C^T)[0] z[k] = -(C W_A mu_A)[k] - sum_{j > 0} (C W_A C^T)[j] z[k-j]
static void find_z(Share* s, int k) {
    double* z = s->z + (size_t)k * (size_t)s->nd;
    for (int d = 0; d < s->nd; d++) {
        z[d] = 0.0;
        for (int j = 0; j <= k; j++) {
            const double* C = C_of(s, j) + (size_t)d * (size_t)s->na;
            for (int a = 0; a < s->na; a++) {
                z[d] -= s->weight[a] * C[a] * multiplier(s, s->w->active[a])[k - j];
            }
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
    for (int d = 0; d < s->nd; d++) {
        s->dual.A[d * s->nd + d] += lia_row_shown(s->w, s->dependent[d]) ? 1.0 : 0.0;
    }
    return lia_lu_factor(&s->dual, NULL) > 0.0;
}

// Does a row do work, or may an event ask for a force? If not, only the values at samples matter.
static bool works(const LiaWorkspace* w) {
    const LiaModel* m = w->system->model;
    for (uint32_t e = 0; e < m->events_count; e++) {
        if (!m->events[e].leaves) return true;
    }
    for (int c = 0; c < w->nc; c++) {
        if (!w->system->rows[w->dynamics->rows[c]].workless) return true;
    }
    return false;
}

void lia_mechanics_share(LiaWorkspace* w, int orders) {
    Share s;
    if (w->hidden || w->nr == w->nc || !works(w)) return;
    if (share_init(&s, w, orders) && factor(&s)) {
        for (int k = 1; k < orders; k++) lia_jet_aside(&w->jets, k);
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
