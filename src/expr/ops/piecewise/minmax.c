// Minimum and maximum. Along a step x - y keeps to one side of zero (+1: x > y).
// SPDX-License-Identifier: MIT
#include "expr/ops/op.h"
#include <math.h>

static double min_value(double x, double y, double z) {
    (void)z;
    return x < y ? x : y;
}
static double max_value(double x, double y, double z) {
    (void)z;
    return x > y ? x : y;
}
// d min/dx = if(x < y, 1, 0), d min/dy = if(x < y, 0, 1); max the other way round.
static LiaExpr choose(LiaGraph* g, LiaExpr x, LiaExpr y, bool when_less) {
    LiaExpr less = lia_graph_apply(g, LIA_OP_LESS, x, y, (LiaExpr){0});
    LiaExpr one = lia_graph_integer(g, 1), zero = lia_graph_integer(g, 0);
    return lia_graph_apply(g, LIA_OP_IF, less, when_less ? one : zero, when_less ? zero : one);
}
static LiaExpr min_partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)node, (void)z;
    return choose(g, x, y, arg == 0);
}
static LiaExpr max_partial(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg) {
    (void)node, (void)z;
    return choose(g, x, y, arg == 1);
}
static void min_series(int k, const LiaJet* j) { j->out[k] = j->side < 0 ? j->x[k] : j->y[k]; }
static void max_series(int k, const LiaJet* j) { j->out[k] = j->side < 0 ? j->y[k] : j->x[k]; }
static void min_tangent(const LiaJet* j, LiaSlope* s) {
    s->x = j->side < 0 ? 1.0 : 0.0;
    s->y = 1.0 - s->x;
}
static void max_tangent(const LiaJet* j, LiaSlope* s) {
    s->x = j->side < 0 ? 0.0 : 1.0;
    s->y = 1.0 - s->x;
}

// One of the two, and only its error, as long as the guard has no root.
static LiaImage choice_image(const LiaDomain* at, bool first) {
    return (LiaImage){.out = first ? at->x : at->y,
                      .slope_x = first ? 1.0 : 0.0,
                      .slope_y = first ? 0.0 : 1.0,
                      .tame = true};
}
static LiaImage min_image(const LiaDomain* at) { return choice_image(at, at->side < 0); }
static LiaImage max_image(const LiaDomain* at) { return choice_image(at, at->side >= 0); }

LIA_OP_KIND(MIN, min_value, min_partial, min_series, min_tangent, min_image, LIA_GUARD_DIFFERENCE,
            LIA_ALONE, "\\min");
LIA_OP_KIND(MAX, max_value, max_partial, max_series, max_tangent, max_image, LIA_GUARD_DIFFERENCE,
            LIA_ALONE, "\\max");
