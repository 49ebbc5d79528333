// The coupling number of large systems, without ever making rows orthonormal.
//
// The smallest cosine between the spans of J and Omega is 1 over the norm of the projection Q along
// one to the other. In the metric G, which is M, or M + J^T W J where M is singular (regularity.c),
// x = Q u is what K0 gives for J x = J u, and its adjoint what K0^T gives:
//   G x = Omega^T mu,  J x = J u:       K0   (x, mu)  = (-J^T W J u, J u)   (0 above where G is M)
//   G x = J^T mu,  Omega x = Omega u:   K0^T (x, nu)  = (0, -Omega u)
// so one sparse elimination of K0 is enough, and Lanczos' recurrence for the largest eigenvalue of
// Q* Q: what it loses of orthogonality on the way makes copies of eigenvalues, no larger ones. Rows
// of J, and rows of Omega, that depend on each other are left out, each by themselves: the spans
// count.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/coo.h"
#include "base/numeric/random.h"
#include "base/numeric/sparse.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/independent.h"
#include "mechanics/kkt/scaling.h"
#include "mechanics/kkt/workspace.h"
#include "mechanics/multipliers/min_norm.h"
#include "mechanics/regularity/regularity.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Coupling {
    const LiaWorkspace* w;
    int n, rank;
    bool M_regular;
    double* unit;    // of the unknowns: inertias of size 1                   (n)
    double* W;       // weights of rows where M is singular                   (nc)
    double* size;    // largest entry of each row of J, then of Omega         (2 nc)
    int *J, *Omega;  // rows that are independent                             (nc) (nc)
    LiaTriples sum;
    LiaSparse K;  // what is factored
    LiaSparseLu lu;
    double *b, *row;  // right side and solution; J u of all rows              (n + nc) (nc)
    double *v, *last, *Gv, *y;  // of the recurrence                                     (n)
} Coupling;

typedef LiaEntries RowOf(const LiaWorkspace* w, int c);

// --- ideal rows ---------------------------------------------------------------------------------

// Entry by entry, in columns that rise.
static bool is_ideal_row(const LiaWorkspace* w, int c) {
    LiaEntries J = lia_workspace_J(w, c), Omega = lia_workspace_Omega(w, c);
    double size = 0.0;
    int e = 0;
    for (int k = 0; k < J.count; k++) size = fmax(size, fabs(J.value[k]));
    for (int k = 0; k < J.count || e < Omega.count;) {
        int j = k < J.count ? lia_entry_column(&J, k) : w->nf;
        int o = e < Omega.count ? lia_entry_column(&Omega, e) : w->nf;
        double x = j <= o ? J.value[k] : 0.0, y = o <= j ? Omega.value[e] : 0.0;
        if (!(fabs(x - y) <= LIA_IDEAL_ROW * size)) return false;
        k += j <= o;
        e += o <= j;
    }
    return true;
}

bool lia_regularity_sparse_is_ideal(const LiaWorkspace* w) {
    for (int c = 0; c < w->nc; c++) {
        if (!is_ideal_row(w, c)) return false;
    }
    return true;
}

// --- matrices in units --------------------------------------------------------------------------

static double dot(int n, const double* x, const double* y) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

// A row times x, and y + s times a row; x and y in units.
static double product(const Coupling* z, LiaEntries row, const double* x) {
    double sum = 0.0;
    for (int k = 0; k < row.count; k++) {
        int i = lia_entry_column(&row, k);
        sum += row.value[k] * z->unit[i] * x[i];
    }
    return sum;
}

static void add_multiple(const Coupling* z, LiaEntries row, double s, double* y) {
    for (int k = 0; k < row.count; k++) {
        int i = lia_entry_column(&row, k);
        y[i] += s * row.value[k] * z->unit[i];
    }
}

// y = G x
static void metric(const Coupling* z, const double* x, double* y) {
    for (int i = 0; i < z->n; i++) y[i] = z->unit[i] * product(z, lia_workspace_M(z->w, i), x);
    for (int c = 0; !z->M_regular && c < z->w->nc; c++) {
        LiaEntries J = lia_workspace_J(z->w, c);
        add_multiple(z, J, z->W[c] * product(z, J, x), y);
    }
}

// Largest entries of the rows; 0 for a row that is nothing but rounding relative to the others.
static void measure_rows(const Coupling* z, RowOf* row_of, double* size) {
    double most = 0.0;
    for (int c = 0; c < z->w->nc; c++) {
        LiaEntries row = row_of(z->w, c);
        double entry = 0.0;
        size[c] = 0.0;
        for (int k = 0; k < row.count; k++) {
            entry = fmax(entry, fabs(row.value[k]));
            size[c] = fmax(size[c], fabs(row.value[k]) * z->unit[lia_entry_column(&row, k)]);
        }
        z->row[c] = entry;
        most = fmax(most, entry);
    }
    double rounding = lia_independent_rounding(&most, 1, 1);
    for (int c = 0; c < z->w->nc; c++) size[c] = z->row[c] > rounding ? size[c] : 0.0;
}

// A row into row `at` of the sum, or into its column `at`.
static void add_row(Coupling* z, LiaEntries row, double scale, int at, bool as_column) {
    for (int k = 0; k < row.count; k++) {
        int i = lia_entry_column(&row, k);
        double x = scale * row.value[k] * z->unit[i];
        if (x != 0.0) lia_coo_add(&z->sum, as_column ? i : at, as_column ? at : i, x);
    }
}

static void add_M(Coupling* z) {
    z->sum.count = 0;
    for (int i = 0; i < z->n; i++) {
        lia_coo_add(&z->sum, i, i, 0.0);
        add_row(z, lia_workspace_M(z->w, i), z->unit[i], i, false);
    }
}

// Which rows are independent, into `chosen`, rising. Returns how many; -1: memory is out.
static int select_rows(Coupling* z, RowOf* row_of, const double* size, int* chosen) {
    int nc = z->w->nc, count = 0;
    z->sum.count = 0;
    for (int c = 0; c < nc; c++) {
        if (size[c] > 0.0) add_row(z, row_of(z->w, c), 1.0 / size[c], c, false);
    }
    LiaElimination e = {0};
    bool* taken = lia_memory_zeros((size_t)nc, sizeof *taken);
    bool ok = taken && lia_coo_gather(&z->sum, nc, z->n, &z->K) &&
              lia_elimination_run(&z->K, LIA_REGULARITY_RANK, LIA_ROWS_BY_SIZE, &e);
    for (int k = 0; ok && k < e.rank; k++) taken[e.row[k]] = true;
    for (int c = 0; ok && c < nc; c++) {
        if (taken[c]) chosen[count++] = c;
    }
    lia_elimination_clear(&e);
    free(taken);
    return ok ? count : -1;
}

static double factor(Coupling* z, int size) {
    if (!lia_coo_gather(&z->sum, size, size, &z->K)) return NAN;
    lia_sparse_lu_reset(&z->lu, size);
    return lia_sparse_lu_factor(&z->lu, &z->K, NULL);
}

static bool M_is_regular(Coupling* z) {
    for (int i = 0; i < z->n; i++) {
        if (!(lia_workspace_inertia(z->w, i) > 0.0)) return false;
    }
    add_M(z);
    return factor(z, z->n) > LIA_M_REGULAR;
}

// Is there inertia in all directions but the lengths of attitudes and directions?
static bool only_lengths_without(Coupling* z) {
    int count = 0;
    add_M(z);
    for (int c = 0; c < z->w->nc; c++) {
        if (!lia_regularity_is_length(z->w, c)) continue;
        add_row(z, lia_workspace_J(z->w, c), -1.0 / z->size[c], z->n + count, true);
        add_row(z, lia_workspace_J(z->w, c), 1.0 / z->size[c], z->n + count++, false);
    }
    return count > 0 && factor(z, z->n + count) > LIA_M_REGULAR;
}

// [M -A^T; J 0] with the rows of A (Omega, or J itself) that were chosen. Returns its smallest
// pivot.
static double factor_saddle(Coupling* z, RowOf* row_of, const int* rows, const double* size) {
    add_M(z);
    for (int r = 0; r < z->rank; r++) {
        int c = z->J[r], o = rows[r];
        add_row(z, row_of(z->w, o), -1.0 / size[o], z->n + r, true);
        add_row(z, lia_workspace_J(z->w, c), 1.0 / z->size[c], z->n + r, false);
    }
    return factor(z, z->n + z->rank);
}

// --- the projection -----------------------------------------------------------------------------

// x = Q u
static void project(const Coupling* z, const double* u, double* x) {
    memset(z->b, 0, (size_t)z->n * sizeof *z->b);
    for (int c = 0; c < z->w->nc; c++) {
        LiaEntries J = lia_workspace_J(z->w, c);
        z->row[c] = product(z, J, u);
        if (!z->M_regular) add_multiple(z, J, -z->W[c] * z->row[c], z->b);
    }
    for (int r = 0; r < z->rank; r++) z->b[z->n + r] = z->row[z->J[r]] / z->size[z->J[r]];
    lia_sparse_lu_refine(&z->lu, &z->K, z->b);
    memcpy(x, z->b, (size_t)z->n * sizeof *x);
}

// x = Q* u
static void project_back(const Coupling* z, const double* u, double* x) {
    const double* size = z->size + z->w->nc;
    memset(z->b, 0, (size_t)z->n * sizeof *z->b);
    for (int r = 0; r < z->rank; r++) {
        int o = z->Omega[r];
        z->b[z->n + r] = -product(z, lia_workspace_Omega(z->w, o), u) / size[o];
    }
    lia_sparse_lu_solve_transposed(&z->lu, z->b);
    memcpy(x, z->b, (size_t)z->n * sizeof *x);
}

// --- Lanczos ------------------------------------------------------------------------------------

enum { STEPS = 400 };

// The largest eigenvalue of the symmetric matrix with `alpha` on its diagonal and `beta` next to
// it; it is at least `low`.
static double largest(int k, const double* alpha, const double* beta, double low) {
    double high = low;
    for (int i = 0; i < k; i++) {
        double beside = (i > 0 ? beta[i - 1] : 0.0) + (i < k - 1 ? beta[i] : 0.0);
        high = fmax(high, alpha[i] + beside);
    }
    for (int turn = 0; turn < 80 && high - low > LIA_BISECTION_WIDTH * high; turn++) {
        double x = 0.5 * (low + high), d = alpha[0] - x;
        bool above = d > 0.0;
        for (int i = 1; i < k && !above; i++) {
            d = alpha[i] - x - (d != 0.0 ? beta[i - 1] * beta[i - 1] / d : INFINITY);
            above = d > 0.0;
        }
        if (above) {
            low = x;
        } else {
            high = x;
        }
    }
    return low;
}

// v to length 1, and Gv = G v. Its length; NAN where the metric is none.
static double normalise(const Coupling* z) {
    metric(z, z->v, z->Gv);
    double square = dot(z->n, z->v, z->Gv), length = sqrt(square);
    for (int i = 0; i < z->n && length > 0.0; i++) z->v[i] /= length, z->Gv[i] /= length;
    return length;
}

// |Q|^2; NAN where it is not known.
static double norm_squared(Coupling* z) {
    double alpha[STEPS], beta[STEPS], lambda = 0.0;
    uint64_t seed = 1;
    int still = 0;
    for (int i = 0; i < z->n; i++) z->y[i] = lia_random_generic(&seed) - 0.75;
    project_back(z, z->y, z->v);
    if (!(normalise(z) > 0.0)) return NAN;
    memset(z->last, 0, (size_t)z->n * sizeof *z->last);
    for (int k = 0; k < STEPS; k++) {
        project(z, z->v, z->y);
        project_back(z, z->y, z->y);
        alpha[k] = dot(z->n, z->Gv, z->y);
        for (int i = 0; i < z->n; i++) {
            double next = z->y[i] - alpha[k] * z->v[i] - (k > 0 ? beta[k - 1] * z->last[i] : 0.0);
            z->last[i] = z->v[i];
            z->v[i] = next;
        }
        double before = lambda;
        lambda = largest(k + 1, alpha, beta, lambda);
        still = lambda - before <= LIA_LANCZOS_STILL * lambda ? still + 1 : 0;
        beta[k] = normalise(z);
        if (beta[k] <= LIA_LANCZOS_CLOSED * lambda || still == 4) return lambda;
        if (!(beta[k] > 0.0)) {  // what is left may be rounding of either sign
            metric(z, z->v, z->Gv);
            bool rounding = fabs(dot(z->n, z->v, z->Gv)) <= LIA_LANCZOS_SQUARE * lambda * lambda;
            return rounding ? lambda : NAN;
        }
    }
    return NAN;
}

// --- the number ---------------------------------------------------------------------------------

static double find(Coupling* z) {
    const LiaWorkspace* w = z->w;
    lia_independent_columns(w, z->unit);
    for (int i = 0; i < z->n; i++) z->unit[i] = lia_scaling_unit(z->unit[i], -1.0);
    double* size_Omega = z->size + w->nc;
    measure_rows(z, lia_workspace_J, z->size);
    measure_rows(z, lia_workspace_Omega, size_Omega);
    z->rank = select_rows(z, lia_workspace_J, z->size, z->J);
    int rank_Omega = select_rows(z, lia_workspace_Omega, size_Omega, z->Omega);
    if (z->rank < 0 || rank_Omega < 0) return NAN;
    if (z->rank != rank_Omega) return 0.0;
    if (z->rank == 0) return 1.0;
    z->M_regular = M_is_regular(z);
    if (!z->M_regular && !lia_regularity_row_weights(w, z->W)) return NAN;
    bool lengths = !z->M_regular && only_lengths_without(z);
    for (int c = 0; lengths && c < w->nc; c++) {
        if (!lia_regularity_is_length(w, c)) z->W[c] = 0.0;
    }
    if (!(factor_saddle(z, lia_workspace_Omega, z->Omega, size_Omega) > LIA_SINGULAR_PIVOT)) {
        // no coupling; or no inertia where no equation is either: then the number has no meaning
        bool has_metric = factor_saddle(z, lia_workspace_J, z->J, z->size) > LIA_SINGULAR_PIVOT;
        return has_metric ? 0.0 : NAN;
    }
    double number = 1.0 / sqrt(norm_squared(z));
    return number > 1.0 - LIA_COUPLING_ONE_SPARSE ? 1.0 : number;
}

double lia_regularity_sparse(const LiaWorkspace* w) {
    Coupling z = {.w = w, .n = w->nf};
    size_t n = (size_t)w->nf, m = (size_t)w->nc;
    double* block = lia_memory_zeros(6 * n + 5 * m + 1, sizeof *block);
    z.J = lia_memory_zeros(2 * m + 1, sizeof *z.J);
    z.K.start = lia_memory_zeros(n + m + 2, sizeof *z.K.start);
    double number = NAN;
    if (block && z.J && z.K.start && lia_sparse_lu_init(&z.lu, (int)(n + m))) {
        z.Omega = z.J + m;
        z.unit = block;
        z.v = z.unit + n, z.last = z.v + n, z.Gv = z.last + n, z.y = z.Gv + n;
        z.b = z.y + n;
        z.row = z.b + n + m;
        z.size = z.row + m;
        z.W = z.size + 2 * m;
        number = find(&z);
    }
    lia_sparse_lu_clear(&z.lu);
    lia_coo_clear(&z.sum);
    free(z.K.start);
    free(z.K.column);
    free(z.K.value);
    free(z.J);
    free(block);
    return number;
}
