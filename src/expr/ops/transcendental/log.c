// Natural logarithm l = log(x).
//   x l' = x':  l[k] = (x[k] - 1/k sum_{j=1..k-1} j l[j] x[k-j]) / x[0]
// SPDX-License-Identifier: MIT
#include "expr/ops/convolution.h"
#include "expr/ops/op.h"
#include <math.h>

static double value(double x, double y, double z) {
    (void)y, (void)z;
    return log(x);
}
static LiaExpr partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)node, (void)y, (void)z, (void)arg;
    return lia_graph_div(g, lia_graph_integer(g, 1), x);
}
static void series(int k, const LiaJet* j) {
    if (k == 0) {
        j->out[0] = log(j->x[0]);
        return;
    }
    j->out[k] = (j->x[k] - lia_convolve_rate(j->out, j->x, k, 1, k - 1) / k) / j->x[0];
}
static void tangent(const LiaJet* j, LiaSlope* s) { s->x = 1.0 / j->x[0]; }

static LiaImage image(const LiaDomain* at) {
    if (!(at->x.low > 0.0)) {
        double high = at->x.high > 0.0 ? log(at->x.high) : INFINITY;
        return (LiaImage){.out = {-INFINITY, high}, .slope_x = INFINITY};
    }
    return (LiaImage){.out = {log(at->x.low), log(at->x.high)},
                      .slope_x = 1.0 / at->x.low,
                      .tame = lia_op_far_from_zero(at->x, at->x0, 1.0)};
}

LIA_OP_KIND(LOG, value, partial, series, tangent, image, LIA_GUARD_POSITIVE, LIA_ALONE, "\\ln");
