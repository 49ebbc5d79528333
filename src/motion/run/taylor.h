// The Taylor integrator: one step of the motion as polynomials in time.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"
#include "motion/run/step_size.h"

// The polynomials of the step at hand: copies, so that the workspace is free for the next state.
typedef struct LiaStep {
    int order;          // q to order + 1, v and works to order, the rest to order - 1
    int stride;         // a multiple of 4; beyond its degree a series is 0
    double t;           // where the step begins
    double h;           // how far the polynomials are to be used
    double *q, *v;      // (n x stride)
    double* mu;         // of live rows; 0 of others                      (rows x stride)
    double* work;       // of live lines; 0 of others                     (lines x stride)
    double* works;      // of all lines, where the step begins            (lines)
    LiaLive live;       // which these are: of the mode in which the polynomials were made
    double* guard;      // (guards x stride)
    double* event;      // (events x stride)
    double* watched;    // what the mode of the contacts watches (watched x stride)
    signed char* side;  // guards' sides along this step
    double* at;         // room for q, v, mu and works at one time
    void* block;
} LiaStep;

bool lia_taylor_init(LiaStep* step, const LiaSystem* system, const LiaDynamics* dynamics,
                     int order);
/// The same for the polynomials of the motion alone: lia_taylor_copy().
bool lia_taylor_init_motion(LiaStep* step, const LiaSystem* system, int order);
void lia_taylor_clear(LiaStep* step);
/// Positions, velocities, multipliers and works of another step, which may be one of another mode.
void lia_taylor_copy(LiaStep* step, const LiaStep* from, const LiaSystem* system);
/// These rows and lines are live from now on; the series of others are 0.
void lia_taylor_hold(LiaStep* step, const LiaLive* live);
void lia_taylor_keep(LiaStep* step, LiaKeep* keep, const LiaSystem* system,
                     const LiaDynamics* dynamics);
/// Copy the series out of the workspace, which holds them to step->order.
void lia_taylor_take(LiaStep* step, const LiaWorkspace* w);
/// The velocities become straight but for their second terms, times `bend`: terms beyond are left
/// out of all series.
void lia_taylor_straighten(LiaStep* step, const LiaSystem* system, double bend);
/// One of the series of step->q, v, work, guard or event.
static inline const double* lia_step_series(const LiaStep* step, const double* all, uint32_t i) {
    return all + (size_t)i * (size_t)step->stride;
}
// Powers of x, for polynomials as sums of terms: these are side by side, where Horner's rule has
// each wait for the next.
typedef struct LiaPowers {
    double of[LIA_JET_ORDER_MOST + 8];    // x^k, up to the stride of the step
    double rate[LIA_JET_ORDER_MOST + 8];  // k x^(k-1)
} LiaPowers;
void lia_taylor_powers(LiaPowers* power, const LiaStep* step, double x);
/// A series with powers or rates: four terms side by side, from the smallest on; what stands beyond
/// its degree is 0.
static inline double lia_step_sum(const LiaStep* step, const double* c, const double* power) {
    LiaFour sum = {0.0}, x, y;
    for (int k = step->stride - 4; k >= 0; k -= 4) {
        memcpy(&x, c + k, sizeof x);
        memcpy(&y, power + k, sizeof y);
        sum += x * y;
    }
    return sum[0] + (sum[1] + (sum[2] + sum[3]));
}
// Numbers of two fours, the second counted from 4 on.
#if defined(__clang__)
#define LIA_OF_TWO(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define LIA_OF_TWO(a, b, ...) __builtin_shuffle(a, b, (LiaFourBits){__VA_ARGS__})
#endif

// out[0] = a[0] + (a[1] + (a[2] + a[3])), and so of the others: turned, then added. By address: how
// vectors are passed depends on the machine that is compiled for.
static inline void lia_step_add_lanes(const LiaFour* a, const LiaFour* b, const LiaFour* d,
                                      const LiaFour* e, double* out) {
    LiaFour ab = LIA_OF_TWO(*a, *b, 0, 4, 2, 6), ab_odd = LIA_OF_TWO(*a, *b, 1, 5, 3, 7);
    LiaFour de = LIA_OF_TWO(*d, *e, 0, 4, 2, 6), de_odd = LIA_OF_TWO(*d, *e, 1, 5, 3, 7);
    LiaFour sum = LIA_OF_TWO(ab, de, 2, 3, 6, 7) + LIA_OF_TWO(ab_odd, de_odd, 2, 3, 6, 7);
    sum = LIA_OF_TWO(ab_odd, de_odd, 0, 1, 4, 5) + sum;
    sum = LIA_OF_TWO(ab, de, 0, 1, 4, 5) + sum;
    memcpy(out, &sum, sizeof sum);
}
/// `count` series that stand one after the other, four at once, which share the powers: the same
/// bits.
static inline void lia_step_sums(const LiaStep* step, const double* c, uint32_t count,
                                 const double* power, double* out) {
    const size_t stride = (size_t)step->stride;
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4, c += 4 * stride) {
        LiaFour a = {0.0}, b = a, d = a, e = a, x, y;
        for (size_t k = stride; k > 0;) {
            k -= 4;
            memcpy(&y, power + k, sizeof y);
            memcpy(&x, c + k, sizeof x), a += x * y;
            memcpy(&x, c + stride + k, sizeof x), b += x * y;
            memcpy(&x, c + 2 * stride + k, sizeof x), d += x * y;
            memcpy(&x, c + 3 * stride + k, sizeof x), e += x * y;
        }
        lia_step_add_lanes(&a, &b, &d, &e, out + i);
    }
    for (; i < count; i++, c += stride) out[i] = lia_step_sum(step, c, power);
}
/// State at time t + x of the step into w (t, q, v, work, sides); not projected.
void lia_taylor_at(const LiaStep* step, double x, LiaWorkspace* w);
/// The same by the powers of x, for many states: rounded as well, but not to the same bits. Then
/// the multipliers there stand in lia_step_multipliers().
void lia_taylor_at_powers(const LiaStep* step, const LiaPowers* power, LiaWorkspace* w);
static inline const double* lia_step_multipliers(const LiaStep* step, const LiaWorkspace* w) {
    return step->at + 2 * (size_t)w->n;
}
/// The sides of guards there alone.
void lia_taylor_sides(const LiaStep* step, double x, LiaWorkspace* w);

static inline double lia_step_value(const double* c, int degree, double x) {
    double sum = c[degree];
    for (int k = degree - 1; k >= 0; k--) sum = sum * x + c[k];
    return sum;
}
/// The same without the coefficient of order 0: the change over x.
static inline double lia_step_change(const double* c, int degree, double x) {
    double sum = c[degree];
    for (int k = degree - 1; k >= 1; k--) sum = sum * x + c[k];
    return sum * x;
}
