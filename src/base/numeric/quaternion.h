// Unit quaternions q = (w, u) and angular velocities omega in space axes:
//   (0, omega) = 2 q' q*,     q' = (0, omega) q / 2
// SPDX-License-Identifier: MIT
#pragma once

/// One component, `axis` = 1, 2, 3, of the angular velocity of q with the rate q'.
static inline double lia_quaternion_spin_about(const double* q, const double* rate, int axis) {
    int j = axis % 3 + 1, k = j % 3 + 1;
    return 2.0 * (q[0] * rate[axis] - rate[0] * q[axis] + q[j] * rate[k] - q[k] * rate[j]);
}

static inline void lia_quaternion_spin(const double* q, const double* rate, double* omega) {
    for (int axis = 1; axis <= 3; axis++) {
        omega[axis - 1] = lia_quaternion_spin_about(q, rate, axis);
    }
}

/// The rate of q with this angular velocity.
static inline void lia_quaternion_rate(const double* q, const double* omega, double* rate) {
    rate[0] = -0.5 * (omega[0] * q[1] + omega[1] * q[2] + omega[2] * q[3]);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        rate[i + 1] = 0.5 * (omega[i] * q[0] + omega[j] * q[k + 1] - omega[k] * q[j + 1]);
    }
}

/// q (0, n): twice the rate of q with the angular velocity n in body axes.
static inline void lia_quaternion_times(const double* q, const double* n, double* out) {
    out[0] = -q[1] * n[0] - q[2] * n[1] - q[3] * n[2];
    out[1] = q[0] * n[0] + q[2] * n[2] - q[3] * n[1];
    out[2] = q[0] * n[1] + q[3] * n[0] - q[1] * n[2];
    out[3] = q[0] * n[2] + q[1] * n[1] - q[2] * n[0];
}
