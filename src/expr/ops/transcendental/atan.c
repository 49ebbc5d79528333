// Arc tangent of one and of two arguments.
//   atan(x):     companion w = 1 + x^2,     w y' = x'
//   atan2(x, y): companion w = x^2 + y^2,   w a' = y x' - x y'   (x is the sine side)
//   a[k] = (1/k sum_{j=1..k} j (y[k-j] x[j] - x[k-j] y[j])
//           - 1/k sum_{j=1..k-1} j a[j] w[k-j]) / w[0]
// The jump of atan2 by 2 pi is not in its derivative: along a motion the angle is continued.
// SPDX-License-Identifier: MIT
#include "expr/ops/convolution.h"
#include "expr/ops/op.h"
#include <math.h>

static double atan_value(double x, double y, double z) {
    (void)y, (void)z;
    return atan(x);
}
static LiaExpr atan_partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)node, (void)y, (void)z, (void)arg;
    LiaExpr one = lia_graph_integer(g, 1);
    return lia_graph_div(g, one, lia_graph_add(g, lia_graph_mul(g, x, x), one));
}
static void atan_series(int k, const LiaJet* j) {
    j->aux[k] = lia_convolve_square(j->x, k);
    if (k == 0) {
        j->aux[0] += 1.0;
        j->out[0] = atan(j->x[0]);
        return;
    }
    j->out[k] = (j->x[k] - lia_convolve_rate(j->out, j->aux, k, 1, k - 1) / k) / j->aux[0];
}
static void atan_tangent(const LiaJet* j, LiaSlope* s) {
    s->x = 1.0 / j->aux[0];
    s->aux_x = 2.0 * j->x[0];
}

static double atan2_value(double x, double y, double z) {
    (void)z;
    return atan2(x, y);
}
static LiaExpr atan2_partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)node, (void)z;
    LiaExpr w = lia_graph_add(g, lia_graph_mul(g, x, x), lia_graph_mul(g, y, y));
    return arg == 0 ? lia_graph_div(g, y, w) : lia_graph_neg(g, lia_graph_div(g, x, w));
}
static void atan2_series(int k, const LiaJet* j) {
    j->aux[k] = lia_convolve_square(j->x, k) + lia_convolve_square(j->y, k);
    if (k == 0) {
        j->out[0] = atan2(j->x[0], j->y[0]);
        return;
    }
    double turn = lia_convolve_rate(j->x, j->y, k, 1, k) - lia_convolve_rate(j->y, j->x, k, 1, k);
    double past = lia_convolve_rate(j->out, j->aux, k, 1, k - 1);
    j->out[k] = (turn - past) / (k * j->aux[0]);
}
static void atan2_tangent(const LiaJet* j, LiaSlope* s) {
    s->x = j->y[0] / j->aux[0];
    s->y = -j->x[0] / j->aux[0];
    s->aux_x = 2.0 * j->x[0];
    s->aux_y = 2.0 * j->y[0];
}

// Far from zero nearly constant; the step to the other side is as narrow as 1 is small relative to
// x.
static LiaImage atan_image(const LiaDomain* at) {
    double least = lia_interval_least(at->x), begin = hypot(1.0, at->x0);
    return (LiaImage){.out = {atan(at->x.low), atan(at->x.high)},
                      .slope_x = 1.0 / (1.0 + least * least),
                      .tame = hypot(1.0, least) >= LIA_OP_NEAR * begin};
}
static LiaImage atan2_image(const LiaDomain* at) {
    double least = hypot(lia_interval_least(at->x), lia_interval_least(at->y));
    double begin = at->x0 * at->x0 + at->y0 * at->y0;
    if (at->aux.low > least * least) least = sqrt(at->aux.low);
    const double turn = 6.283185307179586;
    return (LiaImage){.out = {at->out0 - turn, at->out0 + turn},
                      .slope_x = 1.0 / least,
                      .slope_y = 1.0 / least,
                      .tame = least * least >= LIA_OP_NEAR * begin};
}

LIA_OP_KIND(ATAN, atan_value, atan_partial, atan_series, atan_tangent, atan_image, LIA_GUARD_NONE,
            LIA_WITH_COMPANION, "\\arctan");
LIA_OP_KIND(ATAN2, atan2_value, atan2_partial, atan2_series, atan2_tangent, atan2_image,
            LIA_GUARD_CUT, LIA_WITH_COMPANION, "\\operatorname{atan2}");
