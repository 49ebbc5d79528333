// Absolute value and sign. Along a step the argument keeps to one side of zero:
//   abs(x)[k] = side x[k],   sign(x) = side
// SPDX-License-Identifier: MIT
#include "expr/ops/op.h"
#include <math.h>

static double abs_value(double x, double y, double z) {
    (void)y, (void)z;
    return fabs(x);
}
static double sign_value(double x, double y, double z) {
    (void)y, (void)z;
    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x;
}
static LiaExpr abs_partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)node, (void)y, (void)z, (void)arg;
    return lia_graph_apply(g, LIA_OP_SIGN, x, (LiaExpr){0}, (LiaExpr){0});
}
static LiaExpr sign_partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)node, (void)x, (void)y, (void)z, (void)arg;
    return lia_graph_integer(g, 0);
}
static void abs_series(int k, const LiaJet* j) { j->out[k] = j->side * j->x[k]; }
static void sign_series(int k, const LiaJet* j) { j->out[k] = k == 0 ? j->side : 0.0; }
static void abs_tangent(const LiaJet* j, LiaSlope* s) { s->x = j->side; }
static void sign_tangent(const LiaJet* j, LiaSlope* s) {
    (void)j;
    s->x = 0.0;
}

static LiaImage abs_image(const LiaDomain* at) {
    LiaInterval out = at->side < 0 ? lia_interval_neg(at->x) : at->x;
    return (LiaImage){.out = out, .slope_x = 1.0, .tame = true};
}
static LiaImage sign_image(const LiaDomain* at) {
    return (LiaImage){.out = {at->side, at->side}, .tame = true};
}

LIA_OP_KIND(ABS, abs_value, abs_partial, abs_series, abs_tangent, abs_image, LIA_GUARD_ARGUMENT,
            LIA_ALONE, NULL);
LIA_OP_KIND(SIGN, sign_value, sign_partial, sign_series, sign_tangent, sign_image,
            LIA_GUARD_ARGUMENT, LIA_ALONE, "\\operatorname{sign}");
