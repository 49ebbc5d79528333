// What operators leave free, and whether it runs away: the zero dynamics of a servo.
//
// x = (q, v) moves by x' = X(x, t) on the states that all equations admit, hidden ones too, F(x, t)
// = 0. With the columns of B a basis of ker dF, a small deviation x + B y moves by y' = A y, A =
// B^T DX B, and grows like exp(rate t) where
//
//   rate = lim log |exp(A t)| / t,      the largest real part of the eigenvalues of A,
//
// found by squaring: exp(A h), exp(2 A h), exp(4 A h), ... No eigenvalue is needed, and blocks that
// are not diagonal (free motion: growth like t) cost only log(t)/t.
//
// What is zero is decided relative to A, so A must not depend on the unit of time: velocities are
// measured by lengths and a pace, the rate at which positions and velocities weigh alike in A. For
// x'' = k x that is sqrt(|k|), whatever the velocity is.
// SPDX-License-Identifier: MIT
#include "mechanics/degree/zero_dynamics.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/degree/derivative_array.h"
#include "mechanics/degree/relative_degree.h"
#include "mechanics/kkt/scaling.h"
#include "mechanics/kkt/stage.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double* coordinate(LiaWorkspace* w, int i) {
    return i < w->nf ? &w->q[w->dynamics->free[i]] : &w->v[w->dynamics->free[i - w->nf]];
}

// F and X at the state in w: F (m), X (2 nf). Returns m, -1 where there is no motion.
static int evaluate(LiaWorkspace* w, double* F, double* X) {
    int m = 0, order = w->forces.degree->ahead + 1;
    lia_workspace_update(w, order);
    if (!lia_workspace_factor(w)) return -1;
    for (int r = 0; r < w->nr; r++) {
        int c = w->active[r];
        if (w->system->rows[w->dynamics->rows[c]].geometric) F[m++] = w->phi[c];
        F[m++] = w->psi[c];
    }
    if (!lia_relative_degree_residuals(w)) return -1;
    for (int i = 0; i < w->forces.degree->levels; i++) F[m++] = w->forces.level[i];
    lia_stage_accelerate(w);
    for (int i = 0; i < w->nf; i++) {
        X[i] = w->v[w->dynamics->free[i]];
        X[w->nf + i] = w->a[w->dynamics->free[i]];
        if (!isfinite(X[w->nf + i])) return -1;
    }
    return m;
}

// C = A B, all n x n.
static void multiply(int n, const double* A, const double* B, double* C) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            double sum = 0.0;
            for (int j = 0; j < n; j++) sum += A[i * n + j] * B[j * n + k];
            C[i * n + k] = sum;
        }
    }
}

static double largest(const double* x, int count) {
    double most = 0.0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    return most;
}

// The largest real part of the eigenvalues of A (n x n); `work` has 3 n n doubles.
static double growth(int n, const double* A, double* work) {
    int size = n * n;
    double *E = work, *P = E + size, *T = P + size, most = largest(A, size) * n;
    if (!(most > 0.0)) return 0.0;
    double h = 0.5 / most, factor = 1.0;
    for (int i = 0; i < size; i++) E[i] = P[i] = i % (n + 1) ? 0.0 : 1.0;
    for (int k = 1; k < 20; k++) {  // exp(A h), |A h| <= 1/2
        multiply(n, A, P, T);
        memcpy(P, T, (size_t)size * sizeof *P);
        factor *= h / k;
        for (int i = 0; i < size; i++) E[i] += factor * P[i];
    }
    double log_size = 0.0, time = h;  // exp(A time) = exp(log_size) E
    for (int k = 0; k < 40; k++) {
        double norm = largest(E, size);
        if (!(norm > 0.0)) return -INFINITY;
        for (int i = 0; i < size; i++) E[i] /= norm;
        log_size += log(norm);
        multiply(n, E, E, T);
        memcpy(E, T, (size_t)size * sizeof *E);
        log_size *= 2.0;
        time *= 2.0;
    }
    return (log_size + log(largest(E, size))) / time;
}

typedef struct Remaining {
    LiaWorkspace* w;
    int n, m;                       // 2 nf; equations
    double scale_q[2], scale_v[2];  // of lengths; of angles and the like
    double radius;                  // at which masses turn, sqrt(I/m); 0: nothing turns
    double pace;                    // velocities are measured in scale_q times this
    double *F, *G;                  // equations here and there                       (most)
    double *X, *Y;                  // the field there and on the other side          (n)
    double *dF, *s,
        *V;  // derivatives by x / metric, and their kernel    (max(most, n) x n), (n), (n x n)
    double *A, *noise,
        *work;  // (n x n), what another step changes in it, (3 n n, or the svd's)
    void* block;
} Remaining;

// Of A, taken apart: the largest entries of rates of positions by velocities, of rates of
// velocities by positions, and of the rest.
typedef struct Sizes {
    double up, down, own;
} Sizes;

static bool remaining_init(Remaining* z, LiaWorkspace* w) {
    int n = 2 * w->nf, most = 2 * w->nc + w->forces.degree->levels;
    int rows = most > n ? most : n;
    *z = (Remaining){.w = w, .n = n};
    size_t N = (size_t)n, M = (size_t)rows, work = lia_dense_svd_work(rows, n) + 3 * N * N;
    z->block = lia_memory_zeros(2 * M + 2 * N + M * N + N + 3 * N * N + work + 1, sizeof(double));
    if (!z->block) return false;
    z->F = z->block;
    z->G = z->F + M;
    z->X = z->G + M;
    z->Y = z->X + N;
    z->dF = z->Y + N;
    z->s = z->dF + M * N;
    z->V = z->s + N;
    z->A = z->V + N * N;
    z->noise = z->A + N * N;
    z->work = z->noise + N * N;
    return true;
}

static int kind_of(const Remaining* z, int i) {
    const LiaWorkspace* w = z->w;
    return lia_scaling_kind(w->system->model, (int)w->dynamics->free[i % w->nf]);
}

// How large the state is, of which differences are a part. What is tiny at this pace may be
// rounding.
static double scale_of(const Remaining* z, int i) {
    int kind = kind_of(z, i);
    double q = z->scale_q[kind], v = z->scale_v[kind];
    return i < z->w->nf ? fmax(q, LIA_STATE_TINY * v / z->pace)
                        : fmax(v, LIA_STATE_TINY * q * z->pace);
}

static double metric_of(const Remaining* z, int i) {
    return z->scale_q[kind_of(z, i)] * (i < z->w->nf ? 1.0 : z->pace);
}

// After matrices: the largest of each kind, so that no unit matters.
static void measure(Remaining* z) {
    LiaWorkspace* w = z->w;
    double inertia[2] = {0.0, 0.0};
    for (int i = 0; i < w->nf; i++) {
        int kind = kind_of(z, i);
        z->scale_q[kind] = fmax(z->scale_q[kind], fabs(*coordinate(w, i)));
        z->scale_v[kind] = fmax(z->scale_v[kind], fabs(*coordinate(w, w->nf + i)));
        inertia[kind] = fmax(inertia[kind], lia_workspace_inertia(w, i));
    }
    if (inertia[0] > 0.0) z->radius = sqrt(inertia[1] / inertia[0]);
    if (!(z->scale_q[0] > 0.0)) z->scale_q[0] = z->radius;
    for (int kind = 0; kind < 2; kind++) {
        if (!(z->scale_q[kind] > 0.0)) z->scale_q[kind] = 1.0;
        if (!(z->scale_v[kind] > 0.0)) z->scale_v[kind] = z->scale_q[kind];
    }
    z->pace = 1.0;  // to begin with
}

// How far to go along b: no coordinate by more than this part of its scale.
static double step_along(const Remaining* z, const double* b, int stride, double part) {
    double most = 0.0;
    for (int i = 0; i < z->n; i++) {
        most = fmax(most, fabs(b[i * stride]) * metric_of(z, i) / scale_of(z, i));
    }
    return part / most;
}

// Evaluate at x + d metric b into F and X; the state comes back to the last bit.
static bool there(Remaining* z, const double* b, int stride, double d, double* F, double* X) {
    LiaWorkspace* w = z->w;
    if (w->forces.array) w->forces.array->frozen = true;
    double* kept = z->work;
    for (int i = 0; i < z->n; i++) {
        kept[i] = *coordinate(w, i);
        *coordinate(w, i) += d * metric_of(z, i) * b[i * stride];
    }
    int m = evaluate(w, F, X);
    for (int i = 0; i < z->n; i++) *coordinate(w, i) = kept[i];
    if (w->forces.array) w->forces.array->frozen = false;
    return m == z->m;
}

// The columns of V from `rank` on span what the equations leave free. Returns their number, -1 on
// failure.
static int find_kernel(Remaining* z) {
    int n = z->n, rows = z->m > n ? z->m : n;
    double* unit = z->A;
    for (int i = 0; i < n; i++) {
        memset(unit, 0, (size_t)n * sizeof *unit);
        unit[i] = 1.0;
        double d = step_along(z, unit, 1, LIA_VARIED_APART);
        if (!there(z, unit, 1, d, z->F, z->X) || !there(z, unit, 1, -d, z->G, z->Y)) return -1;
        for (int j = 0; j < z->m; j++) z->dF[j * n + i] = (z->F[j] - z->G[j]) / d;
    }
    for (int j = 0; j < z->m; j++) {  // rows of size 1
        double most = largest(z->dF + (size_t)j * (size_t)n, n);
        for (int i = 0; i < n && most > 0.0; i++) z->dF[j * n + i] /= most;
    }
    for (int j = z->m * n; j < rows * n; j++) z->dF[j] = 0.0;
    lia_dense_svd(rows, n, z->dF, (LiaSvd){.s = z->s, .V = z->V, .work = z->work});
    int rank = 0;
    while (rank < n && z->s[rank] > LIA_KERNEL_RANK * z->s[0]) rank++;
    return n - rank;
}

// The motion on the last `left` columns of V, by differences over this part of the state.
static bool linearise(Remaining* z, int left, double part, double* A) {
    int n = z->n;
    const double* B = z->V + n - left;
    for (int k = 0; k < left; k++) {
        double d = step_along(z, B + k, n, part);
        if (!there(z, B + k, n, d, z->F, z->X) || !there(z, B + k, n, -d, z->F, z->Y)) {
            return false;
        }
        for (int j = 0; j < left; j++) {
            double sum = 0.0;
            for (int i = 0; i < n; i++) {
                sum += B[i * n + j] * (z->X[i] - z->Y[i]) / metric_of(z, i);
            }
            A[j * left + k] = sum / (2.0 * d);
        }
    }
    return true;
}

// The sizes of B A B^T.
static Sizes sizes_of(const Remaining* z, int left, const double* A) {
    int n = z->n, nf = z->w->nf;
    const double* B = z->V + n - left;
    Sizes s = {0};
    double* row = z->work;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < left; k++) {
            row[k] = 0.0;
            for (int j = 0; j < left; j++) row[k] += B[i * n + j] * A[j * left + k];
        }
        for (int c = 0; c < n; c++) {
            double sum = 0.0;
            for (int k = 0; k < left; k++) sum += row[k] * B[c * n + k];
            double* most = (i < nf) == (c < nf) ? &s.own : i < nf ? &s.up : &s.down;
            *most = fmax(*most, fabs(sum));
        }
    }
    return s;
}

// By which factor another pace makes A smaller, 1 where none does by much: then up and down are as
// large as each other, or no larger than the rest.
static double better_pace(Sizes size) {
    enum { APART = 4 };
    double least = fmax(sqrt(size.up * size.down), size.own);
    if (size.up > APART * least) return least / size.up;
    if (size.down > APART * least) return size.down / least;
    return 1.0;
}

// The rate below which A says nothing; *factor is that of a pace at which it says more, 1 where
// none is known.
static double blurred(const Remaining* z, int left, double* factor) {
    enum { KNOWN = 10 };
    Sizes size = sizes_of(z, left, z->A), noise = sizes_of(z, left, z->noise);
    double least = fmax(sqrt(size.up * size.down), size.own), none = noise.own;
    none = fmax(none, fmax(sqrt(size.up * noise.down), sqrt(size.down * noise.up)));
    *factor = least > KNOWN * none ? better_pace(size) : 1.0;
    return fmax(none, LIA_RATE_NONE * largest(z->A, left * left));
}

int lia_zero_dynamics(LiaWorkspace* w, double* rate) {
    enum { PACES_MOST = 4 };
    Remaining z;
    *rate = NAN;
    if (!remaining_init(&z, w)) return -1;
    int left = -1;
    z.m = evaluate(w, z.F, z.X);
    bool ok = z.m >= 0;
    if (ok) measure(&z);
    double none = 0.0, factor = 1.0;
    for (int k = 0; ok && k < PACES_MOST && (k == 0 || factor != 1.0); k++) {
        z.pace *= factor;
        left = find_kernel(&z);
        ok = left >= 0 && linearise(&z, left, LIA_VARIED_APART, z.A) &&
             linearise(&z, left, 3.0 * LIA_VARIED_APART, z.noise);
        for (int i = 0; ok && i < left * left; i++) z.noise[i] -= z.A[i];
        if (ok) none = blurred(&z, left, &factor);
    }
    if (ok) {
        *rate = left ? growth(left, z.A, z.work) : 0.0;
        if (fabs(*rate) < none) *rate = 0.0;  // what differences cannot tell from zero is zero
    }
    evaluate(w, z.F, z.X);  // leave the workspace as it was
    free(z.block);
    return ok ? left : -1;
}
