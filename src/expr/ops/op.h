// What the program knows of one elementary operation. Each file of ops/ fills one or two of these.
//
// Series: x[k] is the normalized Taylor coefficient x^(k)/k!. `series` gives coefficient k of the
// result (and of the auxiliary series, where a recurrence needs a companion: cos beside sin) from
// the coefficients 0..k of the arguments and 0..k-1 of its own. It is affine in the coefficients of
// order k of the arguments, with the partial derivatives at order 0 as factors; `tangent` gives
// these.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/numeric/interval.h"
#include "expr/graph/graph.h"

// Series of one instruction. `side` is where a formula that is not analytic everywhere stands now:
// +1 or -1, kept over a step (see guards in tape.h); 0 for analytic ones.
typedef struct LiaJet {
    const double *x, *y, *z;  // arguments
    double* out;              // result
    double* aux;              // companion, or NULL
    int side;
} LiaJet;

typedef struct LiaSlope {
    double x, y, z;       // d(out)/d(argument) at order 0
    double aux_x, aux_y;  // d(aux)/d(argument) at order 0
} LiaSlope;

// Where the formula is not analytic, a root of `guard` (an argument, a difference, the result).
typedef enum LiaGuardRule {
    LIA_GUARD_NONE,
    LIA_GUARD_ARGUMENT,    // x = 0: flip the side and go on (abs, sign)
    LIA_GUARD_DIFFERENCE,  // x - y = 0: flip and go on (min, max, <)
    LIA_GUARD_RESULT,      // result = 0: the run stops (hypot, sqrt)
    LIA_GUARD_COMPANION,   // companion = 0: the run stops (asin, acos)
    LIA_GUARD_POSITIVE,    // x = 0: the run stops (log, real powers)
    LIA_GUARD_CUT,         // the result jumps by 2 pi: go on (atan2, wrap)
} LiaGuardRule;

static inline bool lia_guard_stops(LiaGuardRule rule) {
    return rule == LIA_GUARD_RESULT || rule == LIA_GUARD_COMPANION || rule == LIA_GUARD_POSITIVE;
}

/// An angle next to its cut: `side` says on which side of zero it is to be taken.
static inline double lia_op_take_side(double angle, int side) {
    const double turn = 6.283185307179586;
    if (side > 0 && angle < -turn / 4.0) return angle + turn;
    if (side < 0 && angle > turn / 4.0) return angle - turn;
    return angle;
}

// An operation during a step: where its arguments are, and what that says of it.
typedef struct LiaDomain {
    LiaInterval x, y;     // the arguments
    LiaInterval aux;      // the companion, by its series
    double x0, y0, out0;  // arguments and result where the step begins
    int side;
} LiaDomain;

// `tame`: within the domain the result has no feature that its series at the beginning could not
// show (a pole, a kink, the end of a saturation, growth by many powers of ten). Then the last terms
// of the series say how good they are.
typedef struct LiaImage {
    LiaInterval out, aux;     // the result and its companion
    double slope_x, slope_y;  // the largest |derivative| of either by x and by y
    bool tame;
} LiaImage;

typedef enum LiaCompanion { LIA_ALONE, LIA_WITH_COMPANION } LiaCompanion;

typedef struct LiaOpKind {
    double (*value)(double x, double y, double z);
    LiaExpr (*partial)(LiaGraph* g, LiaExpr node, LiaExpr x, LiaExpr y, LiaExpr z, int arg);
    void (*series)(int k, const LiaJet* jet);
    void (*tangent)(const LiaJet* jet, LiaSlope* slope);
    LiaImage (*image)(const LiaDomain* at);
    const char* latex;  // "\\sin": written before a bracket; NULL: latex.c writes it by itself
    bool has_aux;
    LiaGuardRule guard;
} LiaOpKind;

// An argument that comes nearer to a singularity than this part of its distance where the step
// begins may meet a feature that the series there do not show.
#define LIA_OP_NEAR 0.1

/// Does x^power, smooth but for x = 0, show at x0 > 0 or x0 < 0 what it does within x?
static inline bool lia_op_far_from_zero(LiaInterval x, double x0, double power) {
    const double growth = 40.0;
    double least = lia_interval_least(x), most = lia_interval_most(x), begin = fabs(x0);
    if (!(least >= LIA_OP_NEAR * begin) || !(least > 0.0)) return false;
    return power <= 8.0 || power * fmax(log(most / begin), log(begin / least)) <= growth;
}

extern const LiaOpKind* const lia_op_kinds[LIA_OP_COUNT];

#define LIA_OP(id, name, arity)              extern const LiaOpKind lia_op_kind_##id;
#define LIA_FUNCTION(id, name, arity, units) LIA_OP(id, name, arity)
#include "expr/graph/ops.def"
#undef LIA_OP
#undef LIA_FUNCTION

// All of an operation: what is left out does not compile (a function's address is taken, so NULL
// does not either).
#define LIA_OP_KIND(id, value_, partial_, series_, tangent_, image_, guard_, companion_, latex_)   \
    const LiaOpKind lia_op_kind_##id = {.value = &(value_),                                        \
                                        .partial = &(partial_),                                    \
                                        .series = &(series_),                                      \
                                        .tangent = &(tangent_),                                    \
                                        .image = &(image_),                                        \
                                        .latex = (latex_),                                         \
                                        .has_aux = (companion_) == LIA_WITH_COMPANION,             \
                                        .guard = (guard_)}
