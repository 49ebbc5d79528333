// Square root r = sqrt(x).
//   r^2 = x:  r[k] = (x[k] - sum_{j=1..k-1} r[j] r[k-j]) / (2 r[0])
// Where a sum of squares passes through zero, r as a series changes its sign there: the guard is r.
// SPDX-License-Identifier: MIT
#include "expr/ops/convolution.h"
#include "expr/ops/op.h"
#include <math.h>

static double value(double x, double y, double z) {
    (void)y, (void)z;
    return sqrt(x);
}
static LiaExpr partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)x, (void)y, (void)z, (void)arg;
    return lia_graph_div(g, lia_graph_rational(g, 1, 2), node);
}
static void series(int k, const LiaJet* j) {
    if (k == 0) {
        j->out[0] = sqrt(j->x[0]);
        return;
    }
    j->out[k] = (j->x[k] - lia_convolve(j->out, j->out, k, 1, k - 1)) / (2.0 * j->out[0]);
}
static void tangent(const LiaJet* j, LiaSlope* s) { s->x = 0.5 / j->out[0]; }

static LiaImage image(const LiaDomain* at) {
    double low = at->x.low > 0.0 ? sqrt(at->x.low) : 0.0;
    double high = at->x.high > 0.0 ? sqrt(at->x.high) : 0.0;
    return (LiaImage){
        .out = {low, high}, .slope_x = 0.5 / low, .tame = lia_op_far_from_zero(at->x, at->x0, 1.0)};
}

LIA_OP_KIND(SQRT, value, partial, series, tangent, image, LIA_GUARD_RESULT, LIA_ALONE, NULL);
