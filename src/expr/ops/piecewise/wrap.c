// wrap(x): the angle x brought into (-pi, pi]; its derivative is that of x.
// SPDX-License-Identifier: MIT
#include "expr/ops/op.h"
#include <math.h>

static double value(double x, double y, double z) {
    (void)y, (void)z;
    double turn = 6.283185307179586476925;
    double w = remainder(x, turn);
    return w <= -turn / 2.0 ? w + turn : w;
}
static LiaExpr partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)node, (void)x, (void)y, (void)z, (void)arg;
    return lia_graph_integer(g, 1);
}
static void series(int k, const LiaJet* j) {
    j->out[k] = k == 0 ? value(j->x[0], 0.0, 0.0) : j->x[k];
}
static void tangent(const LiaJet* j, LiaSlope* s) {
    (void)j;
    s->x = 1.0;
}

static LiaImage image(const LiaDomain* at) {
    double shift = at->out0 - at->x0;
    return (LiaImage){.out = {at->x.low + shift, at->x.high + shift}, .slope_x = 1.0, .tame = true};
}

LIA_OP_KIND(WRAP, value, partial, series, tangent, image, LIA_GUARD_CUT, LIA_ALONE,
            "\\operatorname{wrap}");
