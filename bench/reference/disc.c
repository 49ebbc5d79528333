// A thin disc rolls without slipping: q = (x, y, psi, phi, th), the contact point, heading, lean,
// spin.
//   v  = centre's velocity = (x' + c phi' sp + s psi' cp, y' - c phi' cp + s psi' sp, -s phi')
//   L  = |v|^2 / 2 + Id/2 (phi'^2 + psi'^2 c^2) + Ip/2 (th' + psi' s)^2 - g c
//   x' = th' cp, y' = th' sp                              r = m = 1, Id = 1/4, Ip = 1/2
// with s, c of the lean phi and sp, cp of the heading psi.
// Data: phi, psi', th' at the start; all else 0 but x' = th'.
// SPDX-License-Identifier: MIT
#include "hand.h"
#include "lu.h"
#include "real.h"

static const Real Id = REAL(0.25), Ip = REAL(0.5), g = REAL(9.81);

// --- generic: state q, q' ----------------------------------------------------------------------

static void generic_start(const double* data, Real* y) {
    for (int i = 0; i < 10; i++) y[i] = 0;
    y[3] = data[0];
    y[5] = data[2];
    y[7] = data[1];
    y[9] = data[2];
}

// With vx = Ax q', vy = Ay q', vz = az phi', w = th' + psi' s = Aw q':
//   M = Ax Ax^T + Ay Ay^T + Ip Aw Aw^T + diag(0, 0, Id c^2, az^2 + Id, 0)
// and the rest of d/dt dL/dq' - dL/dq on the right, 7 unknowns (q'', mu).
static inline void generic(const double* data, Real t, const Real* y, Real* dy) {
    (void)data;
    (void)t;
    Real s = sin(y[3]), c = cos(y[3]), sp = sin(y[2]), cp = cos(y[2]);
    Real psi1 = y[7], phi1 = y[8], th1 = y[9];
    Real Ax[5] = {1, 0, s * cp, c * sp, 0}, Ay[5] = {0, 1, s * sp, -c * cp, 0};
    Real Aw[5] = {0, 0, s, 0, 1}, az = -s;
    Real K[49] = {0}, b[7];
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++)
            K[i * 7 + j] = Ax[i] * Ax[j] + Ay[i] * Ay[j] + Ip * Aw[i] * Aw[j];
    }
    K[2 * 7 + 2] += Id * c * c;
    K[3 * 7 + 3] += az * az + Id;

    // What remains of the accelerations of the centre and of w without q''.
    Real ax = -s * sp * (phi1 * phi1 + psi1 * psi1) + 2 * c * cp * phi1 * psi1;
    Real ay = s * cp * (phi1 * phi1 + psi1 * psi1) + 2 * c * sp * phi1 * psi1;
    Real aw = c * phi1 * psi1, w = th1 + psi1 * s;
    for (int i = 0; i < 5; i++) b[i] = -(Ax[i] * ax + Ay[i] * ay) - Ip * Aw[i] * aw;
    b[2] += 2 * Id * c * s * psi1 * phi1 - Ip * w * c * phi1;
    b[3] += -az * (-c * phi1 * phi1) - Id * c * s * psi1 * psi1 + Ip * w * c * psi1 + g * s;

    K[0 * 7 + 5] = K[5 * 7 + 0] = 1;
    K[4 * 7 + 5] = K[5 * 7 + 4] = -cp;
    K[1 * 7 + 6] = K[6 * 7 + 1] = 1;
    K[4 * 7 + 6] = K[6 * 7 + 4] = -sp;
    b[5] = -th1 * sp * psi1;
    b[6] = th1 * cp * psi1;
    lu_solve(7, K, b);
    for (int i = 0; i < 5; i++) {
        dy[i] = y[5 + i];
        dy[5 + i] = b[i];
    }
}

// --- reduced: state q, w1 = phi', w2 = th' + psi' s, w3 = psi' c --------------------------------

static void reduced_start(const double* data, Real* y) {
    for (int i = 0; i < 8; i++) y[i] = 0;
    Real phi = data[0], psi1 = data[1], th1 = data[2];
    y[3] = phi;
    y[6] = th1 + psi1 * sin(phi);
    y[7] = psi1 * cos(phi);
}

static inline void reduced(const double* data, Real t, const Real* y, Real* dy) {
    (void)data;
    (void)t;
    Real s = sin(y[3]), c = cos(y[3]), sp = sin(y[2]), cp = cos(y[2]);
    Real w1 = y[5], w2 = y[6], w3 = y[7];
    Real secant = 1 / c, tangent = s * secant;
    Real th1 = w2 - w3 * tangent;
    dy[0] = th1 * cp;
    dy[1] = th1 * sp;
    dy[2] = w3 * secant;
    dy[3] = w1;
    dy[4] = th1;
    dy[5] = ((Ip + 1) * w2 * w3 - Id * tangent * w3 * w3 + g * s) * (1 / (Id + 1));
    dy[6] = -(1 / (Ip + 1)) * w1 * w3;
    dy[7] = tangent * w1 * w3 - (Ip / Id) * w1 * w2;
}

#ifdef HAND_LONG
long double disc_energy_long(int n, const long double* y) {
    (void)n;
    Real s = sin(y[3]), c = cos(y[3]), sp = sin(y[2]), cp = cos(y[2]);
    Real psi1 = y[7], phi1 = y[8], w = y[9] + psi1 * s;
    Real vx = y[5] + c * phi1 * sp + s * psi1 * cp, vy = y[6] - c * phi1 * cp + s * psi1 * sp;
    Real vz = -s * phi1;
    return (vx * vx + vy * vy + vz * vz + Id * (phi1 * phi1 + psi1 * psi1 * c * c) + Ip * w * w) /
               2 +
           g * c;
}
#endif

#define DOP853_RUN   disc_generic
#define DOP853_DIM   10
#define DOP853_RHS   generic
#define DOP853_START generic_start
#include "dop853.h"

#define DOP853_RUN   disc_reduced
#define DOP853_DIM   8
#define DOP853_RHS   reduced
#define DOP853_START reduced_start
#include "dop853.h"
