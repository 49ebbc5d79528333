// Hyperbolic sine and cosine, each the other's companion: s = sinh(x), c = cosh(x).
//   s[k] =  1/k sum_{j=1..k} j x[j] c[k-j]
//   c[k] =  1/k sum_{j=1..k} j x[j] s[k-j]
// SPDX-License-Identifier: MIT
#include "expr/ops/convolution.h"
#include "expr/ops/op.h"
#include <math.h>

static double sinh_value(double x, double y, double z) {
    (void)y, (void)z;
    return sinh(x);
}
static double cosh_value(double x, double y, double z) {
    (void)y, (void)z;
    return cosh(x);
}
static LiaExpr sinh_partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)node, (void)y, (void)z, (void)arg;
    return lia_graph_apply(g, LIA_OP_COSH, x, (LiaExpr){0}, (LiaExpr){0});
}
static LiaExpr cosh_partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)node, (void)y, (void)z, (void)arg;
    return lia_graph_apply(g, LIA_OP_SINH, x, (LiaExpr){0}, (LiaExpr){0});
}
// out is sinh, aux is cosh, for both operations: the tape keeps one pair per argument.
static void series(int k, const LiaJet* j) {
    if (k == 0) {
        j->out[0] = sinh(j->x[0]);
        j->aux[0] = cosh(j->x[0]);
        return;
    }
    double sum_s = 0.0, sum_c = 0.0;
    for (int i = 1; i <= k; i++) {
        double rate = i * j->x[i];
        sum_s += rate * j->aux[k - i];
        sum_c += rate * j->out[k - i];
    }
    j->out[k] = sum_s / k;
    j->aux[k] = sum_c / k;
}
static void tangent(const LiaJet* j, LiaSlope* s) {
    s->x = j->aux[0];
    s->aux_x = j->out[0];
}

// Of the pair: the result is the sine, the companion the cosine.
static LiaImage image(const LiaDomain* at) {
    const double growth = 40.0;
    double most = lia_interval_most(at->x), high = cosh(most);
    return (LiaImage){.out = {sinh(at->x.low), sinh(at->x.high)},
                      .aux = {cosh(lia_interval_least(at->x)), high},
                      .slope_x = high,
                      .tame = most - fabs(at->x0) <= growth};
}

LIA_OP_KIND(SINH, sinh_value, sinh_partial, series, tangent, image, LIA_GUARD_NONE,
            LIA_WITH_COMPANION, "\\sinh");
LIA_OP_KIND(COSH, cosh_value, cosh_partial, series, tangent, image, LIA_GUARD_NONE,
            LIA_WITH_COMPANION, "\\cosh");
