// Products.
//   (x y)[k] = sum_{j=0..k} x[j] y[k-j]
// SPDX-License-Identifier: MIT
#include "convolution.h"
#include "op.h"

static double value(double x, double y, double z) {
    (void)z;
    return x * y;
}
static LiaExpr partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)g, (void)node, (void)z;
    return arg == 0 ? y : x;
}
static void series(int k, const LiaJet* j) { j->out[k] = lia_convolve(j->x, j->y, k, 0, k); }
static void tangent(const LiaJet* j, LiaSlope* s) {
    s->x = j->y[0];
    s->y = j->x[0];
}

static LiaImage image(const LiaDomain* at) {
    return (LiaImage){.out = lia_interval_mul(at->x, at->y),
                      .slope_x = lia_interval_most(at->y),
                      .slope_y = lia_interval_most(at->x),
                      .tame = true};
}

const LiaOpKind lia_op_kind_MUL = {
    .value = value, .partial = partial, .series = series, .tangent = tangent, .image = image};
