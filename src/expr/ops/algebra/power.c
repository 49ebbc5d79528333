// Powers w = x^r with an exponent r that is constant in time.
//   x w' = r x' w:  w[k] = 1/(k x[0]) sum_{j=1..k} (r j - (k - j)) x[j] w[k-j]
// Whole exponents are written as products by the tape, so that x = 0 is nothing special.
// SPDX-License-Identifier: MIT
#include "base/numeric/thresholds.h"
#include "expr/ops/algebra/quotient.h"
#include "expr/ops/op.h"
#include <math.h>

static double value(double x, double y, double z) {
    (void)z;
    return pow(x, y);
}
static LiaExpr partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)z;
    if (arg == 0) {
        LiaExpr less = lia_graph_sub(g, y, lia_graph_integer(g, 1));
        return lia_graph_mul(g, y, lia_graph_pow(g, x, less));
    }
    LiaExpr none = {0};
    return lia_graph_mul(g, node, lia_graph_apply(g, LIA_OP_LOG, x, none, none));
}
static void series(int k, const LiaJet* j) {
    double r = j->y[0];
    if (k == 0) {
        j->out[0] = pow(j->x[0], r);
        if (r < 0.0 && fabs(j->out[0]) < LIA_POWER_VANISHES && fabs(j->x[0]) >= LIA_QUOTIENT_LARGE)
            j->out[0] = 0.0;
        return;
    }
    if (lia_quotient_vanishes(j->out[0], j->x[0])) {
        j->out[k] = 0.0;
        return;
    }
    double sum = 0.0;
    for (int i = 1; i <= k; i++) sum += (r * i - (k - i)) * j->x[i] * j->out[k - i];
    j->out[k] = sum / (k * j->x[0]);
}
static void tangent(const LiaJet* j, LiaSlope* s) { s->x = j->y[0] * j->out[0] / j->x[0]; }

static LiaImage image(const LiaDomain* at) {
    double r = at->y0;
    if (!(at->x.low > 0.0) && (r < 0.0 || at->x.low < 0.0)) {
        bool from_zero = at->x.low == 0.0;
        return (LiaImage){.out = from_zero ? (LiaInterval){0.0, INFINITY} : lia_interval_all(),
                          .slope_x = INFINITY};
    }
    double a = pow(at->x.low, r), b = pow(at->x.high, r);
    double slope = fmax(fabs(r * pow(at->x.low, r - 1.0)), fabs(r * pow(at->x.high, r - 1.0)));
    return (LiaImage){.out = lia_interval_of(fmin(a, b), fmax(a, b)),
                      .slope_x = slope,
                      .tame = lia_op_far_from_zero(at->x, at->x0, fabs(r))};
}

LIA_OP_KIND(POW, value, partial, series, tangent, image, LIA_GUARD_POSITIVE, LIA_ALONE, NULL);
