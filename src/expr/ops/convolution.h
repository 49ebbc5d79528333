// Sums of products of Taylor coefficients, the inner loops of every recurrence.
//
// Latency, not arithmetic, is their cost, so each runs four accumulators; the order of summation is
// fixed, so results repeat bit for bit.
//
// The series of a tape (jet.c) stand in memory with zeros before them: there the four accumulators
// are one vector, and what a last incomplete block of four reads too much is masked.
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

#define LIA_CONVOLVE_BEFORE 1  // numbers before each series: 0
#define LIA_CONVOLVE_BEYOND 4  // readable numbers after the last series, whatever they are

typedef double LiaFour __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long LiaFourMask __attribute__((vector_size(32), aligned(8), may_alias));

#if defined(__clang__)
#define LIA_REVERSED(v) __builtin_shufflevector(v, v, 3, 2, 1, 0)
#else
#define LIA_REVERSED(v) __builtin_shuffle(v, (LiaFourMask){3, 2, 1, 0})
#endif

// The first n of four are kept by the mask at [4 - n].
static const long long lia_first_of_four[8] = {-1, -1, -1, -1, 0, 0, 0, 0};

/// sum over j = 2..k-2 of x[j] * y[k-j]. The two orders at either end are left to the caller: they
/// have just been computed, one by one, and a load of four would wait until they have arrived in
/// memory.
static inline double lia_convolve_inner(const double* x, const double* y, int k) {
    LiaFour sum = {0.0, 0.0, 0.0, 0.0};
    const double *u = x + 2, *r = y + k - 5;
    int n = k - 3;
    for (; n >= 4; n -= 4, u += 4, r -= 4) {
        LiaFour back = *(const LiaFour*)r;
        sum += *(const LiaFour*)u * LIA_REVERSED(back);
    }
    if (n > 0) {
        LiaFour back = *(const LiaFour*)r;
        LiaFourMask kept =
            *(const LiaFourMask*)u & *(const LiaFourMask*)(lia_first_of_four + 4 - n);
        sum += (LiaFour)kept * LIA_REVERSED(back);
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// sum over j = 0..k of x[j] * y[k-j]
static inline double lia_convolve_all(const double* x, const double* y, int k) {
    if (k == 0) return x[0] * y[0];
    double ends = x[0] * y[k] + x[k] * y[0];
    if (k == 1) return ends;
    if (k == 2) return x[1] * y[1] + ends;
    return (lia_convolve_inner(x, y, k) + (x[1] * y[k - 1] + x[k - 1] * y[1])) + ends;
}

typedef struct LiaTwoSums {
    double y, z;
} LiaTwoSums;

/// sum over j = 1..k-1 of j * x[j] * y[k-j], and of j * x[j] * z[k-j]; `whole` is 0, 1, 2, ...
static inline LiaTwoSums lia_convolve_rates(const double* x, const double* whole, const double* y,
                                            const double* z, int k) {
    LiaTwoSums of = {0.0, 0.0};
    if (k < 2) return of;
    double first = x[1], last = whole[k - 1] * x[k - 1];
    of.y = first * y[k - 1];
    of.z = first * z[k - 1];
    if (k < 3) return of;
    of.y += last * y[1];
    of.z += last * z[1];
    LiaFour sum_y = {0.0, 0.0, 0.0, 0.0}, sum_z = sum_y;
    const double *u = x + 2, *w = whole + 2, *r = y + k - 5, *s = z + k - 5;
    int n = k - 3;
    for (; n >= 4; n -= 4, u += 4, w += 4, r -= 4, s -= 4) {
        LiaFour rate = *(const LiaFour*)w * *(const LiaFour*)u;
        LiaFour back_y = *(const LiaFour*)r, back_z = *(const LiaFour*)s;
        sum_y += rate * LIA_REVERSED(back_y);
        sum_z += rate * LIA_REVERSED(back_z);
    }
    if (n > 0) {
        LiaFourMask kept =
            *(const LiaFourMask*)u & *(const LiaFourMask*)(lia_first_of_four + 4 - n);
        LiaFour rate = *(const LiaFour*)w * (LiaFour)kept;
        LiaFour back_y = *(const LiaFour*)r, back_z = *(const LiaFour*)s;
        sum_y += rate * LIA_REVERSED(back_y);
        sum_z += rate * LIA_REVERSED(back_z);
    }
    of.y += (sum_y[0] + sum_y[1]) + (sum_y[2] + sum_y[3]);
    of.z += (sum_z[0] + sum_z[1]) + (sum_z[2] + sum_z[3]);
    return of;
}
