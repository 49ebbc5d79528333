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

const LiaOpKind lia_op_kind_IF = {.value = if_value,
                                  .partial = if_partial,
                                  .series = if_series,
                                  .tangent = if_tangent,
                                  .image = if_image};
const LiaOpKind lia_op_kind_LESS = {.value = less_value,
                                    .partial = no_partial,
                                    .series = less_series,
                                    .tangent = no_tangent,
                                    .image = condition_image,
                                    .guard = LIA_GUARD_DIFFERENCE};
const LiaOpKind lia_op_kind_LESS_EQUAL = {.value = less_equal_value,
                                          .partial = no_partial,
                                          .series = less_series,
                                          .tangent = no_tangent,
                                          .image = condition_image,
                                          .guard = LIA_GUARD_DIFFERENCE};
const LiaOpKind lia_op_kind_AND = {.value = and_value,
                                   .partial = no_partial,
                                   .series = and_series,
                                   .tangent = no_tangent,
                                   .image = condition_image};
const LiaOpKind lia_op_kind_OR = {.value = or_value,
                                  .partial = no_partial,
                                  .series = or_series,
                                  .tangent = no_tangent,
                                  .image = condition_image};
const LiaOpKind lia_op_kind_NOT = {.value = not_value,
                                   .partial = no_partial,
                                   .series = not_series,
                                   .tangent = no_tangent,
                                   .image = condition_image};
