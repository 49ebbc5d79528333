// Exponential e = exp(x).
//   e' = x' e:  e[k] = 1/k sum_{j=1..k} j x[j] e[k-j]
// SPDX-License-Identifier: MIT
#include "expr/ops/convolution.h"
#include "expr/ops/op.h"
#include <math.h>

static double value(double x, double y, double z) {
    (void)y, (void)z;
    return exp(x);
}
static LiaExpr partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)g, (void)x, (void)y, (void)z, (void)arg;
    return node;
}
static void series(int k, const LiaJet* j) {
    j->out[k] = k == 0 ? exp(j->x[0]) : lia_convolve_rate(j->x, j->out, k, 1, k) / k;
}
static void tangent(const LiaJet* j, LiaSlope* s) { s->x = j->out[0]; }

// From nothing at all (it underflows) the series cannot show what is to come.
static LiaImage image(const LiaDomain* at) {
    const double none = -700.0, growth = 40.0;
    LiaInterval out = {exp(at->x.low), exp(at->x.high)};
    return (LiaImage){.out = out,
                      .slope_x = out.high,
                      .tame =
                          at->x.high <= none || (at->x0 > none && at->x.high - at->x0 <= growth)};
}

LIA_OP_KIND(EXP, value, partial, series, tangent, image, LIA_GUARD_NONE, LIA_ALONE, "\\exp");
