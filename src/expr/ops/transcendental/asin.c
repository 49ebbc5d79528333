// Arc sine and arc cosine: y' = +-x'/r with the companion r = sqrt(1 - x^2).
//   r[k] = (-(x^2)[k] - sum_{j=1..k-1} r[j] r[k-j]) / (2 r[0])
//   y[k] = (+-x[k] - 1/k sum_{j=1..k-1} j y[j] r[k-j]) / r[0]
// Where x touches +-1 and goes back, as in asin(sin(t)), y has a corner that neither x nor its
// series shows: r as a series changes its sign there, so the guard is r.
// SPDX-License-Identifier: MIT
#include "expr/ops/convolution.h"
#include "expr/ops/op.h"
#include <math.h>

static double asin_value(double x, double y, double z) {
    (void)y, (void)z;
    return asin(x);
}
static double acos_value(double x, double y, double z) {
    (void)y, (void)z;
    return acos(x);
}
static LiaExpr asin_partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)node, (void)y, (void)z, (void)arg;
    LiaExpr one = lia_graph_integer(g, 1), none = {0};
    LiaExpr rest = lia_graph_sub(g, one, lia_graph_mul(g, x, x));
    return lia_graph_div(g, one, lia_graph_apply(g, LIA_OP_SQRT, rest, none, none));
}
static LiaExpr acos_partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    return lia_graph_neg(g, asin_partial(g, node, x, y, z, arg));
}
static void root_series(int k, const LiaJet* j) {
    if (k == 0) {
        j->aux[0] = sqrt((1.0 - j->x[0]) * (1.0 + j->x[0]));
        return;
    }
    double rest = lia_convolve_square(j->x, k) + lia_convolve(j->aux, j->aux, k, 1, k - 1);
    j->aux[k] = -rest / (2.0 * j->aux[0]);
}
static void asin_series(int k, const LiaJet* j) {
    root_series(k, j);
    if (k == 0) {
        j->out[0] = asin(j->x[0]);
        return;
    }
    j->out[k] = (j->x[k] - lia_convolve_rate(j->out, j->aux, k, 1, k - 1) / k) / j->aux[0];
}
static void acos_series(int k, const LiaJet* j) {
    root_series(k, j);
    if (k == 0) {
        j->out[0] = acos(j->x[0]);
        return;
    }
    j->out[k] = (-j->x[k] - lia_convolve_rate(j->out, j->aux, k, 1, k - 1) / k) / j->aux[0];
}
static void asin_tangent(const LiaJet* j, LiaSlope* s) {
    s->x = 1.0 / j->aux[0];
    s->aux_x = -j->x[0] / j->aux[0];
}
static void acos_tangent(const LiaJet* j, LiaSlope* s) {
    s->x = -1.0 / j->aux[0];
    s->aux_x = -j->x[0] / j->aux[0];
}

// 1 - |x|, the distance from the end of the domain, stays what it is up to a factor.
static LiaImage asin_image(const LiaDomain* at) {
    const double half = 1.57079632679489662;
    double most = lia_interval_most(at->x), rest = 1.0 - most;
    if (!(rest > 0.0))
        return (LiaImage){.out = {-half, half}, .aux = {0.0, 1.0}, .slope_x = INFINITY};
    return (LiaImage){.out = {asin(at->x.low), asin(at->x.high)},
                      .aux = {sqrt(rest * (1.0 + most)), 1.0},
                      .slope_x = 1.0 / sqrt(rest * (1.0 + most)),
                      .tame = rest >= LIA_OP_NEAR * (1.0 - fabs(at->x0))};
}
static LiaImage acos_image(const LiaDomain* at) {
    LiaImage of = asin_image(at);
    const double half = 1.57079632679489662;
    of.out = (LiaInterval){half - of.out.high, half - of.out.low};
    return of;
}

LIA_OP_KIND(ASIN, asin_value, asin_partial, asin_series, asin_tangent, asin_image,
            LIA_GUARD_COMPANION, LIA_WITH_COMPANION, "\\arcsin");
LIA_OP_KIND(ACOS, acos_value, acos_partial, acos_series, acos_tangent, acos_image,
            LIA_GUARD_COMPANION, LIA_WITH_COMPANION, "\\arccos");
