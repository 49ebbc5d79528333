// Sums of products of Taylor coefficients, the inner loops of every recurrence.
//
// Latency, not arithmetic, is their cost, so each runs four accumulators; the order of summation is
// fixed, so results repeat bit for bit.
// SPDX-License-Identifier: MIT
#pragma once

/// sum over j = from..to of x[j] * y[k-j]
static inline double lia_convolve(const double* x, const double* y, int k, int from, int to) {
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    const double* u = x + from;
    const double* r = y + k - from;
    int n = to - from + 1;
    for (; n >= 4; n -= 4, u += 4, r -= 4) {
        s0 += u[0] * r[0];
        s1 += u[1] * r[-1];
        s2 += u[2] * r[-2];
        s3 += u[3] * r[-3];
    }
    if (n >= 2) {
        s0 += u[0] * r[0];
        s1 += u[1] * r[-1];
        n -= 2, u += 2, r -= 2;
    }
    if (n >= 1) s2 += u[0] * r[0];
    return (s0 + s1) + (s2 + s3);
}

/// sum over j = from..to of j * x[j] * y[k-j]
static inline double lia_convolve_rate(const double* x, const double* y, int k, int from, int to) {
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    int j = from;
    const double* r = y + k;
    for (; j + 3 <= to; j += 4) {
        double w = (double)j;
        s0 += w * x[j] * r[-j];
        s1 += (w + 1.0) * x[j + 1] * r[-j - 1];
        s2 += (w + 2.0) * x[j + 2] * r[-j - 2];
        s3 += (w + 3.0) * x[j + 3] * r[-j - 3];
    }
    for (; j <= to; j++) s0 += (double)j * x[j] * r[-j];
    return (s0 + s1) + (s2 + s3);
}

/// Coefficient k of x^2: half the products of a convolution.
static inline double lia_convolve_square(const double* x, int k) {
    double s0 = 0.0, s1 = 0.0;
    int j = 0, i = k;
    for (; j + 1 < i - 1; j += 2, i -= 2) {
        s0 += x[j] * x[i];
        s1 += x[j + 1] * x[i - 1];
    }
    for (; j < i; j++, i--) s0 += x[j] * x[i];
    double sum = 2.0 * (s0 + s1);
    return j == i ? sum + x[j] * x[j] : sum;
}
