// Products.
//   (x y)[k] = sum_{j=0..k} x[j] y[k-j]
//
// 0 times what is too large for a number is 0: in the derivative of 1/cosh(x)^2 far away one factor
// has underflowed, the other overflows. Tapes use this file only for products that can (see
// emit.c); all others have a loop of their own.
// SPDX-License-Identifier: MIT
#include "expr/ops/convolution.h"
#include "expr/ops/op.h"
#include <math.h>

static double value(double x, double y, double z) {
    (void)z;
    return x == 0.0 || y == 0.0 ? 0.0 : x * y;
}
static LiaExpr partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)g, (void)node, (void)z;
    return arg == 0 ? y : x;
}
static bool is_zero(const double* x, int k) {
    for (int i = 0; i <= k; i++) {
        if (x[i] != 0.0) return false;
    }
    return true;
}
static void series(int k, const LiaJet* j) {
    double sum = lia_convolve(j->x, j->y, k, 0, k);
    j->out[k] = !isfinite(sum) && (is_zero(j->x, k) || is_zero(j->y, k)) ? 0.0 : sum;
}
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

LIA_OP_KIND(MUL, value, partial, series, tangent, image, LIA_GUARD_NONE, LIA_ALONE, NULL);
