// Tangent y = tan(x); the companion is w = 1 + y^2.
//   y' = w x':  y[k] = 1/k sum_{j=1..k} j x[j] w[k-j];   w[k] = (y^2)[k]
// SPDX-License-Identifier: MIT
#include "expr/ops/convolution.h"
#include "expr/ops/op.h"
#include <math.h>

static double value(double x, double y, double z) {
    (void)y, (void)z;
    return tan(x);
}
static LiaExpr partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)x, (void)y, (void)z, (void)arg;
    return lia_graph_add(g, lia_graph_mul(g, node, node), lia_graph_integer(g, 1));
}
static void series(int k, const LiaJet* j) {
    if (k == 0) {
        j->out[0] = tan(j->x[0]);
        j->aux[0] = 1.0 + j->out[0] * j->out[0];
        return;
    }
    j->out[k] = lia_convolve_rate(j->x, j->aux, k, 1, k) / k;
    j->aux[k] = lia_convolve_square(j->out, k);
}
static void tangent(const LiaJet* j, LiaSlope* s) {
    s->x = j->aux[0];
    s->aux_x = 2.0 * j->out[0] * j->aux[0];
}

// Smooth between two poles, and the series see the nearer one from where the step begins.
static LiaImage image(const LiaDomain* at) {
    const double pi = 3.14159265358979324;
    double branch = floor(at->x0 / pi + 0.5) * pi, left = branch - pi / 2.0,
           right = branch + pi / 2.0;
    if (!(at->x.low > left && at->x.high < right))
        return (LiaImage){.out = lia_interval_all(), .slope_x = INFINITY};
    double to_left = (at->x.low - left) / (at->x0 - left);
    double to_right = (right - at->x.high) / (right - at->x0);
    LiaInterval out = lia_interval_of(tan(at->x.low), tan(at->x.high));
    double most = lia_interval_most(out);
    return (LiaImage){.out = out,
                      .slope_x = 1.0 + most * most,
                      .tame = to_left >= LIA_OP_NEAR && to_right >= LIA_OP_NEAR};
}

LIA_OP_KIND(TAN, value, partial, series, tangent, image, LIA_GUARD_NONE, LIA_WITH_COMPANION,
            "\\tan");
