// if(condition, y, z) and the conditions. A condition is 1 or 0 and does not change along a step:
// x < y holds while x - y keeps to the negative side; `if` reads its condition at order 0.
// SPDX-License-Identifier: MIT
#include "expr/ops/op.h"

static double if_value(double x, double y, double z) { return x != 0.0 ? y : z; }
static double less_value(double x, double y, double z) {
    (void)z;
    return x < y ? 1.0 : 0.0;
}
static double less_equal_value(double x, double y, double z) {
    (void)z;
    return x <= y ? 1.0 : 0.0;
}
static double and_value(double x, double y, double z) {
    (void)z;
    return x != 0.0 && y != 0.0 ? 1.0 : 0.0;
}
static double or_value(double x, double y, double z) {
    (void)z;
    return x != 0.0 || y != 0.0 ? 1.0 : 0.0;
}
static double not_value(double x, double y, double z) {
    (void)y, (void)z;
    return x == 0.0 ? 1.0 : 0.0;
}

static LiaExpr if_partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)node, (void)y, (void)z;
    LiaExpr one = lia_graph_integer(g, 1), zero = lia_graph_integer(g, 0);
    if (arg == 0) return zero;
    return lia_graph_apply(g, LIA_OP_IF, x, arg == 1 ? one : zero, arg == 1 ? zero : one);
}
static LiaExpr no_partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)node, (void)x, (void)y, (void)z, (void)arg;
    return lia_graph_integer(g, 0);
}

static void if_series(int k, const LiaJet* j) { j->out[k] = j->x[0] != 0.0 ? j->y[k] : j->z[k]; }
static void if_tangent(const LiaJet* j, LiaSlope* s) {
    s->y = j->x[0] != 0.0 ? 1.0 : 0.0;
    s->z = 1.0 - s->y;
}
static void less_series(int k, const LiaJet* j) { j->out[k] = k == 0 && j->side < 0 ? 1.0 : 0.0; }
static void and_series(int k, const LiaJet* j) {
    j->out[k] = k == 0 ? and_value(j->x[0], j->y[0], 0.0) : 0.0;
}
static void or_series(int k, const LiaJet* j) {
    j->out[k] = k == 0 ? or_value(j->x[0], j->y[0], 0.0) : 0.0;
}
static void not_series(int k, const LiaJet* j) {
    j->out[k] = k == 0 ? not_value(j->x[0], 0.0, 0.0) : 0.0;
}
static void no_tangent(const LiaJet* j, LiaSlope* s) {
    (void)j;
    s->x = s->y = 0.0;
}

// The branch taken is the second argument here: who asks has put it there.
static LiaImage if_image(const LiaDomain* at) {
    return (LiaImage){.out = at->y, .slope_y = 1.0, .tame = true};
}
static LiaImage condition_image(const LiaDomain* at) {
    return (LiaImage){.out = {at->out0, at->out0}, .tame = true};
}

LIA_OP_KIND(IF, if_value, if_partial, if_series, if_tangent, if_image, LIA_GUARD_NONE, LIA_ALONE,
            NULL);
LIA_OP_KIND(LESS, less_value, no_partial, less_series, no_tangent, condition_image,
            LIA_GUARD_DIFFERENCE, LIA_ALONE, NULL);
LIA_OP_KIND(LESS_EQUAL, less_equal_value, no_partial, less_series, no_tangent, condition_image,
            LIA_GUARD_DIFFERENCE, LIA_ALONE, NULL);
LIA_OP_KIND(AND, and_value, no_partial, and_series, no_tangent, condition_image, LIA_GUARD_NONE,
            LIA_ALONE, NULL);
LIA_OP_KIND(OR, or_value, no_partial, or_series, no_tangent, condition_image, LIA_GUARD_NONE,
            LIA_ALONE, NULL);
LIA_OP_KIND(NOT, not_value, no_partial, not_series, no_tangent, condition_image, LIA_GUARD_NONE,
            LIA_ALONE, NULL);
