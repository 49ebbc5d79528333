// A planar chain: n rods of length 1 with a point mass 1 at each end, hung up at one end, absolute
// angles.
//   sum_j (n - max(i, j)) (cos(th_i - th_j) th_j'' + sin(th_i - th_j) th_j'^2) = -g (n - i)
//   sin(th_i)
// for i, j = 0..n-1. State: angles, their rates. Data: the angle of all rods at the start, at rest.
// SPDX-License-Identifier: MIT
#include "hand.h"
#include "real.h"

static const Real g = REAL(9.81);

static inline __attribute__((always_inline)) void start(int n, const double* data, Real* y) {
    for (int i = 0; i < n; i++) {
        y[i] = data[0];
        y[n + i] = 0;
    }
}

// The mass matrix in full, its Cholesky factor row by row.
static inline __attribute__((always_inline)) void generic(int n, const Real* y, Real* dy, Real* L,
                                                          Real* work) {
    Real *s = work, *c = s + n, *w2 = c + n, *b = w2 + n, *inverse = b + n;
    for (int i = 0; i < n; i++) {
        s[i] = sin(y[i]);
        c[i] = cos(y[i]);
        w2[i] = y[n + i] * y[n + i];
    }
    for (int i = 0; i < n; i++) {
        Real sum = -g * (n - i) * s[i];
        for (int j = 0; j <= i; j++) L[i * n + j] = (Real)(n - i) * (c[i] * c[j] + s[i] * s[j]);
        for (int j = 0; j < n; j++) {
            sum -= (Real)(n - (i > j ? i : j)) * (s[i] * c[j] - c[i] * s[j]) * w2[j];
        }
        b[i] = sum;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            Real sum = L[i * n + j];
            for (int k = 0; k < j; k++) sum -= L[i * n + k] * L[j * n + k];
            L[i * n + j] = sum * inverse[j];
        }
        Real sum = L[i * n + i];
        for (int k = 0; k < i; k++) sum -= L[i * n + k] * L[i * n + k];
        inverse[i] = 1 / sqrt(sum);
        sum = b[i];
        for (int k = 0; k < i; k++) sum -= L[i * n + k] * b[k];
        b[i] = sum * inverse[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        b[i] *= inverse[i];
        for (int k = 0; k < i; k++) b[k] -= L[i * n + k] * b[i];
    }
    for (int i = 0; i < n; i++) {
        dy[i] = y[n + i];
        dy[n + i] = b[i];
    }
}

// Tensions T of the rods from the constancy of their lengths, a tridiagonal system:
//   2 T_i - cos(th_i - th_{i-1}) T_{i-1} - cos(th_{i+1} - th_i) T_{i+1} = th_i'^2
//   th_i'' = T_{i+1} sin(th_{i+1} - th_i) - T_{i-1} sin(th_i - th_{i-1})
// In the first row stands T_0 + g cos th_0, and th_0'' has - g sin th_0 as well.
static inline __attribute__((always_inline)) void reduced(int n, const Real* y, Real* dy,
                                                          Real* work) {
    Real *s = work, *c = s + n, *cosine = c + n, *sine = cosine + n, *T = sine + n, *u = T + n;
    for (int i = 0; i < n; i++) {
        s[i] = sin(y[i]);
        c[i] = cos(y[i]);
    }
    for (int i = 0; i + 1 < n; i++) {
        cosine[i] = c[i] * c[i + 1] + s[i] * s[i + 1];
        sine[i] = s[i + 1] * c[i] - c[i + 1] * s[i];
    }
    T[0] = y[n] * y[n] + g * c[0];
    u[0] = cosine[0];
    for (int i = 1; i < n; i++) {
        Real inverse = 1 / (2 - cosine[i - 1] * u[i - 1]);
        T[i] = (y[n + i] * y[n + i] + cosine[i - 1] * T[i - 1]) * inverse;
        u[i] = i + 1 < n ? cosine[i] * inverse : 0;
    }
    for (int i = n - 2; i >= 0; i--) T[i] += u[i] * T[i + 1];
    for (int i = 0; i < n; i++) {
        Real a = i == 0 ? -g * s[0] : -T[i - 1] * sine[i - 1];
        if (i + 1 < n) a += T[i + 1] * sine[i];
        dy[i] = y[n + i];
        dy[n + i] = a;
    }
}

#ifdef HAND_LONG
long double chain_energy_long(int n, const long double* y) {
    Real vx = 0, vy = 0, height = 0, energy = 0;
    for (int i = 0; i < n; i++) {
        Real s = sin(y[i]), c = cos(y[i]);
        vx += c * y[n + i];
        vy += s * y[n + i];
        height -= c;
        energy += (vx * vx + vy * vy) / 2 + g * height;
    }
    return energy;
}
#endif

#define CHAIN(n)                                                                                   \
    static void start_##n(const double* data, Real* y) { start(n, data, y); }                      \
    static void generic_##n(const double* data, Real t, const Real* y, Real* dy) {                 \
        (void)data;                                                                                \
        (void)t;                                                                                   \
        Real L[n * n], work[5 * n];                                                                \
        generic(n, y, dy, L, work);                                                                \
    }                                                                                              \
    static void reduced_##n(const double* data, Real t, const Real* y, Real* dy) {                 \
        (void)data;                                                                                \
        (void)t;                                                                                   \
        Real work[6 * n];                                                                          \
        reduced(n, y, dy, work);                                                                   \
    }
HAND_CHAINS(CHAIN)

#define DOP853_RUN   chain_2_generic
#define DOP853_DIM   4
#define DOP853_RHS   generic_2
#define DOP853_START start_2
#include "dop853.h"

#define DOP853_RUN   chain_2_reduced
#define DOP853_DIM   4
#define DOP853_RHS   reduced_2
#define DOP853_START start_2
#include "dop853.h"

#define DOP853_RUN   chain_5_generic
#define DOP853_DIM   10
#define DOP853_RHS   generic_5
#define DOP853_START start_5
#include "dop853.h"

#define DOP853_RUN   chain_5_reduced
#define DOP853_DIM   10
#define DOP853_RHS   reduced_5
#define DOP853_START start_5
#include "dop853.h"

#define DOP853_RUN   chain_10_generic
#define DOP853_DIM   20
#define DOP853_RHS   generic_10
#define DOP853_START start_10
#include "dop853.h"

#define DOP853_RUN   chain_10_reduced
#define DOP853_DIM   20
#define DOP853_RHS   reduced_10
#define DOP853_START start_10
#include "dop853.h"

#define DOP853_RUN   chain_20_generic
#define DOP853_DIM   40
#define DOP853_RHS   generic_20
#define DOP853_START start_20
#include "dop853.h"

#define DOP853_RUN   chain_20_reduced
#define DOP853_DIM   40
#define DOP853_RHS   reduced_20
#define DOP853_START start_20
#include "dop853.h"

#define DOP853_RUN   chain_40_generic
#define DOP853_DIM   80
#define DOP853_RHS   generic_40
#define DOP853_START start_40
#include "dop853.h"

#define DOP853_RUN   chain_40_reduced
#define DOP853_DIM   80
#define DOP853_RHS   reduced_40
#define DOP853_START start_40
#include "dop853.h"
