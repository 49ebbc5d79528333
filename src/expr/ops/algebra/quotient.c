// Quotients: q = x/y.
//   q[k] = (x[k] - sum_{j=0..k-1} q[j] y[k-j]) / y[0]
//
// Where y is so large that its derivatives are no numbers any more, and q next to nothing, q is 0:
// lia_quotient_vanishes().
// SPDX-License-Identifier: MIT
#include "expr/ops/algebra/quotient.h"
#include "expr/ops/convolution.h"
#include "expr/ops/op.h"

static double value(double x, double y, double z) {
    (void)z;
    return lia_quotient(x, y);
}
static LiaExpr partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)x, (void)z;
    if (arg == 0) return lia_graph_div(g, lia_graph_integer(g, 1), y);
    return lia_graph_neg(g, lia_graph_div(g, node, y));
}
static void series(int k, const LiaJet* j) {
    if (k == 0) {
        j->out[0] = lia_quotient(j->x[0], j->y[0]);
    } else if (lia_quotient_vanishes(j->out[0], j->y[0])) {
        j->out[k] = 0.0;
    } else {
        j->out[k] = (j->x[k] - lia_convolve(j->out, j->y, k, 0, k - 1)) / j->y[0];
    }
}
static void tangent(const LiaJet* j, LiaSlope* s) {
    s->x = 1.0 / j->y[0];
    s->y = -j->out[0] / j->y[0];
}

static LiaImage image(const LiaDomain* at) {
    double least = lia_interval_least(at->y);
    LiaInterval out = lia_interval_div(at->x, at->y);
    return (LiaImage){.out = out,
                      .slope_x = 1.0 / least,
                      .slope_y = lia_interval_most(out) / least,
                      .tame = lia_op_far_from_zero(at->y, at->y0, 1.0)};
}

LIA_OP_KIND(DIV, value, partial, series, tangent, image, LIA_GUARD_NONE, LIA_ALONE, NULL);
