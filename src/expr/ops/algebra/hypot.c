// hypot(x, y) = sqrt(x^2 + y^2); the companion series is u = x^2 + y^2.
//   r[k] = (u[k] - sum_{j=1..k-1} r[j] r[k-j]) / (2 r[0])
// SPDX-License-Identifier: MIT
#include "expr/ops/convolution.h"
#include "expr/ops/op.h"
#include <math.h>

static double value(double x, double y, double z) {
    (void)z;
    return hypot(x, y);
}
static LiaExpr partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)z;
    return lia_graph_div(g, arg == 0 ? x : y, node);
}
static void series(int k, const LiaJet* j) {
    j->aux[k] = lia_convolve_square(j->x, k) + lia_convolve_square(j->y, k);
    if (k == 0) {
        j->out[0] = hypot(j->x[0], j->y[0]);
        return;
    }
    j->out[k] = (j->aux[k] - lia_convolve(j->out, j->out, k, 1, k - 1)) / (2.0 * j->out[0]);
}
static void tangent(const LiaJet* j, LiaSlope* s) {
    s->x = j->x[0] / j->out[0];
    s->y = j->y[0] / j->out[0];
    s->aux_x = 2.0 * j->x[0];
    s->aux_y = 2.0 * j->y[0];
}

// A point that turns about zero stays away from it: that is seen from x^2 + y^2.
static LiaImage image(const LiaDomain* at) {
    double low = hypot(lia_interval_least(at->x), lia_interval_least(at->y));
    double high = hypot(lia_interval_most(at->x), lia_interval_most(at->y));
    if (at->aux.low > low * low) low = sqrt(at->aux.low);
    return (LiaImage){.out = lia_interval_of(low, high),
                      .aux = lia_interval_of(low * low, high * high),
                      .slope_x = 1.0,
                      .slope_y = 1.0,
                      .tame = low * low >= LIA_OP_NEAR * at->out0 * at->out0};
}

LIA_OP_KIND(HYPOT, value, partial, series, tangent, image, LIA_GUARD_RESULT, LIA_WITH_COMPANION,
            NULL);
