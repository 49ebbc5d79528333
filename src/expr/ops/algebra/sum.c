// Sums, differences and the change of sign.
//   (x + y)[k] = x[k] + y[k]
// SPDX-License-Identifier: MIT
#include "expr/ops/op.h"

static double add_value(double x, double y, double z) {
    (void)z;
    return x + y;
}
static double sub_value(double x, double y, double z) {
    (void)z;
    return x - y;
}
static double neg_value(double x, double y, double z) {
    (void)y, (void)z;
    return -x;
}
static LiaExpr add_partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)node, (void)x, (void)y, (void)z, (void)arg;
    return lia_graph_integer(g, 1);
}
static LiaExpr sub_partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)node, (void)x, (void)y, (void)z;
    return lia_graph_integer(g, arg == 0 ? 1 : -1);
}
static LiaExpr neg_partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)node, (void)x, (void)y, (void)z, (void)arg;
    return lia_graph_integer(g, -1);
}
static void add_series(int k, const LiaJet* j) { j->out[k] = j->x[k] + j->y[k]; }
static void sub_series(int k, const LiaJet* j) { j->out[k] = j->x[k] - j->y[k]; }
static void neg_series(int k, const LiaJet* j) { j->out[k] = -j->x[k]; }
static void add_tangent(const LiaJet* j, LiaSlope* s) {
    (void)j;
    s->x = s->y = 1.0;
}
static void sub_tangent(const LiaJet* j, LiaSlope* s) {
    (void)j;
    s->x = 1.0;
    s->y = -1.0;
}
static void neg_tangent(const LiaJet* j, LiaSlope* s) {
    (void)j;
    s->x = -1.0;
}

static LiaImage add_image(const LiaDomain* at) {
    return (LiaImage){
        .out = lia_interval_add(at->x, at->y), .slope_x = 1.0, .slope_y = 1.0, .tame = true};
}
static LiaImage sub_image(const LiaDomain* at) {
    return (LiaImage){
        .out = lia_interval_sub(at->x, at->y), .slope_x = 1.0, .slope_y = 1.0, .tame = true};
}
static LiaImage neg_image(const LiaDomain* at) {
    return (LiaImage){.out = lia_interval_neg(at->x), .slope_x = 1.0, .tame = true};
}

LIA_OP_KIND(ADD, add_value, add_partial, add_series, add_tangent, add_image, LIA_GUARD_NONE,
            LIA_ALONE, NULL);
LIA_OP_KIND(SUB, sub_value, sub_partial, sub_series, sub_tangent, sub_image, LIA_GUARD_NONE,
            LIA_ALONE, NULL);
LIA_OP_KIND(NEG, neg_value, neg_partial, neg_series, neg_tangent, neg_image, LIA_GUARD_NONE,
            LIA_ALONE, NULL);
