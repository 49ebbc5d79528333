// Sine and cosine, each the other's companion: s = sin(x), c = cos(x).
//   s[k] =  1/k sum_{j=1..k} j x[j] c[k-j]
//   c[k] = -1/k sum_{j=1..k} j x[j] s[k-j]          (Jorba & Zou 2005)
// SPDX-License-Identifier: MIT
#include "expr/ops/convolution.h"
#include "expr/ops/op.h"
#include <math.h>

static double sin_value(double x, double y, double z) {
    (void)y, (void)z;
    return sin(x);
}
static double cos_value(double x, double y, double z) {
    (void)y, (void)z;
    return cos(x);
}
static LiaExpr sin_partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)node, (void)y, (void)z, (void)arg;
    return lia_graph_apply(g, LIA_OP_COS, x, (LiaExpr){0}, (LiaExpr){0});
}
static LiaExpr cos_partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)node, (void)y, (void)z, (void)arg;
    return lia_graph_neg(g, lia_graph_apply(g, LIA_OP_SIN, x, (LiaExpr){0}, (LiaExpr){0}));
}
// out is the sine, aux the cosine, for both operations: the tape keeps one pair per argument.
static void series(int k, const LiaJet* j) {
    if (k == 0) {
        j->out[0] = sin(j->x[0]);
        j->aux[0] = cos(j->x[0]);
        return;
    }
    double sum_s = 0.0, sum_c = 0.0;
    for (int i = 1; i <= k; i++) {
        double rate = i * j->x[i];
        sum_s += rate * j->aux[k - i];
        sum_c += rate * j->out[k - i];
    }
    j->out[k] = sum_s / k;
    j->aux[k] = -sum_c / k;
}
static void tangent(const LiaJet* j, LiaSlope* s) {
    s->x = j->aux[0];
    s->aux_x = -j->out[0];
}

// Of the pair: the result is the sine, the companion the cosine. Entire and bounded: nothing is
// hidden.
static LiaImage image(const LiaDomain* at) {
    (void)at;
    return (LiaImage){{-1.0, 1.0}, {-1.0, 1.0}, 1.0, 0.0, true};
}

LIA_OP_KIND(SIN, sin_value, sin_partial, series, tangent, image, LIA_GUARD_NONE, LIA_WITH_COMPANION,
            "\\sin");
LIA_OP_KIND(COS, cos_value, cos_partial, series, tangent, image, LIA_GUARD_NONE, LIA_WITH_COMPANION,
            "\\cos");
