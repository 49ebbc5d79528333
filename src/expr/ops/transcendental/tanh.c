// Hyperbolic tangent y = tanh(x); the companion is w = 1 - y^2.
//   y' = w x':  y[k] = 1/k sum_{j=1..k} j x[j] w[k-j];   w[k] = -(y^2)[k]
// SPDX-License-Identifier: MIT
#include "expr/ops/convolution.h"
#include "expr/ops/op.h"
#include <math.h>

static double value(double x, double y, double z) {
    (void)y, (void)z;
    return tanh(x);
}
static LiaExpr partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)x, (void)y, (void)z, (void)arg;
    return lia_graph_sub(g, lia_graph_integer(g, 1), lia_graph_mul(g, node, node));
}
static void series(int k, const LiaJet* j) {
    if (k == 0) {
        j->out[0] = tanh(j->x[0]);
        j->aux[0] = 1.0 - j->out[0] * j->out[0];
        return;
    }
    j->out[k] = lia_convolve_rate(j->x, j->aux, k, 1, k) / k;
    j->aux[k] = -lia_convolve_square(j->out, k);
}
static void tangent(const LiaJet* j, LiaSlope* s) {
    s->x = j->aux[0];
    s->aux_x = -2.0 * j->out[0] * j->aux[0];
}

// Saturated, the series are those of a constant and know nothing of the rest.
static LiaImage image(const LiaDomain* at) {
    const double saturated = 20.0, visible = 15.0;
    double least = lia_interval_least(at->x), rest = 1.0 / cosh(least), begin = fabs(at->x0);
    return (LiaImage){.out = {tanh(at->x.low), tanh(at->x.high)},
                      .slope_x = rest * rest,
                      .tame = begin < visible || least >= fmin(saturated, begin - 1.0)};
}

LIA_OP_KIND(TANH, value, partial, series, tangent, image, LIA_GUARD_NONE, LIA_WITH_COMPANION,
            "\\tanh");
