// The skater of the benchmarks: a blade that turns, a torso that is made to twist by s(t).
//   m = 1, I1 = 0.8, I2 = 0.2,  s = 0.8 sin(2 t + phase)
//   m x'' = mu sin(th), m y'' = -mu cos(th), (I1 + I2) th'' = -I2 s'',  x' sin(th) - y' cos(th) = 0
// State: x y th x' y' th'. Data: th at the start, speed along the blade, phase; th' = 0.1.
// SPDX-License-Identifier: MIT
#include "hand.h"
#include "lu.h"
#include "real.h"

static const Real m = 1, I1 = REAL(0.8), I2 = REAL(0.2), amplitude = REAL(0.8), rate = 2;

static void start(const double* data, Real* y) {
    Real th = data[0], speed = data[1];
    y[0] = y[1] = 0;
    y[2] = th;
    y[3] = speed * cos(th);
    y[4] = speed * sin(th);
    y[5] = REAL(0.1);
}

static inline Real twist_acceleration(const double* data, Real t) {
    return -amplitude * rate * rate * sin(rate * t + (Real)data[2]);
}

// [M J^T; J 0] (a, mu) = (Q, -J' v), four unknowns.
static inline void generic(const double* data, Real t, const Real* y, Real* dy) {
    Real s = sin(y[2]), c = cos(y[2]);
    Real K[16] = {m, 0, 0, s, 0, m, 0, -c, 0, 0, I1 + I2, 0, s, -c, 0, 0};
    Real b[4] = {0, 0, -I2 * twist_acceleration(data, t), -(y[3] * c + y[4] * s) * y[5]};
    lu_solve(4, K, b);
    for (int i = 0; i < 3; i++) {
        dy[i] = y[3 + i];
        dy[3 + i] = b[i];
    }
}

// The blade turns the velocity, no more: v'' = v_along th' (-sin, cos).
static inline void reduced(const double* data, Real t, const Real* y, Real* dy) {
    Real s = sin(y[2]), c = cos(y[2]);
    Real turning = (y[3] * c + y[4] * s) * y[5];
    for (int i = 0; i < 3; i++) dy[i] = y[3 + i];
    dy[3] = -turning * s;
    dy[4] = turning * c;
    dy[5] = -I2 / (I1 + I2) * twist_acceleration(data, t);
}

#define DOP853_RUN   skater_generic
#define DOP853_DIM   6
#define DOP853_RHS   generic
#define DOP853_START start
#include "dop853.h"

#define DOP853_RUN   skater_reduced
#define DOP853_DIM   6
#define DOP853_RHS   reduced
#define DOP853_START start
#include "dop853.h"
