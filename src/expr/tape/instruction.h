// One instruction of a tape at one order, for jet.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/ops/algebra/quotient.h"
#include "expr/ops/convolution.h"
#include "expr/tape/jet.h"
#include <math.h>

// On which side a formula that is not analytic everywhere stands, from the values met.
static inline int side_of(LiaGuardRule rule, const LiaInstr* in, double x, double y) {
    switch (rule) {
    case LIA_GUARD_ARGUMENT:
        return x < 0.0 ? -1 : 1;
    case LIA_GUARD_DIFFERENCE:
        if (in->op == LIA_OP_LESS_EQUAL) return x <= y ? -1 : 1;
        return x < y ? -1 : 1;
    default:
        return 0;
    }
}

static inline void call(const LiaJets* jets, const LiaInstr* in, int k) {
    const LiaOpKind* kind = lia_op_kinds[in->op];
    LiaJet jet = {.x = lia_jet_series(jets, in->x),
                  .y = lia_jet_series(jets, in->y),
                  .z = lia_jet_series(jets, in->z),
                  .out = lia_jet_series(jets, in->out),
                  .aux = lia_jet_series(jets, in->aux)};
    if (in->guard) {
        signed char* side = &jets->side[in->guard - 1];
        if (k == 0 && jets->decide)
            *side = (signed char)side_of(kind->guard, in, jet.x[0], jet.y[0]);
        jet.side = *side;
    } else if (kind->guard != LIA_GUARD_NONE) {
        jet.side = side_of(kind->guard, in, jet.x[0], jet.y[0]);
    }
    kind->series(k, &jet);
    if (k == 0 && kind->guard == LIA_GUARD_CUT) jet.out[0] = lia_op_take_side(jet.out[0], jet.side);
}

// Whole numbers as doubles: a load, where a conversion would stand in the way of every product.
// Twice the highest order: hidden equations look as far ahead.
#define FOUR(F, k)    F(k), F((k) + 1), F((k) + 2), F((k) + 3)
#define SIXTEEN(F, k) FOUR(F, k), FOUR(F, (k) + 4), FOUR(F, (k) + 8), FOUR(F, (k) + 12)
#define ALL(F)                                                                                     \
    SIXTEEN(F, 0), SIXTEEN(F, 16), SIXTEEN(F, 32), SIXTEEN(F, 48), SIXTEEN(F, 64), SIXTEEN(F, 80), \
        SIXTEEN(F, 96), SIXTEEN(F, 112)
#define WHOLE(k) (double)(k)
static const double whole[2 * LIA_JET_ORDER_MOST + 8] = {ALL(WHOLE)};

// The formulas of ops/sincos.c, both sums at once; what is new at order k comes last.
static inline void run_sincos(double* s, const LiaBound* in, int k) {
    const double* x = s + in->x;
    double *sine = s + in->out, *cosine = s + in->y;
    if (k == 0) {
        const double angle = x[0];  // of both: the compiler makes one call of them
        sine[0] = sin(angle);
        cosine[0] = cos(angle);
        return;
    }
    LiaTwoSums rates = lia_convolve_rates(x, whole, cosine, sine, k);
    // The last digits of the first terms matter: 1/3 would lean to one side. Later a division only
    // costs time.
    double per = 1.0 / whole[k];
    double ds = k < 8 ? rates.y / whole[k] : rates.y * per;
    double dc = k < 8 ? rates.z / whole[k] : rates.z * per;
    sine[k] = ds + x[k] * cosine[0];
    cosine[k] = -(dc + x[k] * sine[0]);
}

// (x[k] - sum over j < k of out[j] y[k-j]) / y[0]
static inline void run_quotient(double* s, const LiaBound* in, int k) {
    const double *x = s + in->x, *y = s + in->y;
    double* out = s + in->out;
    if (k == 0) {
        out[0] = lia_quotient(x[0], y[0]);
        return;
    }
    if (lia_quotient_vanishes(out[0], y[0])) {
        out[k] = 0.0;
        return;
    }
    double sum = out[0] * y[k];
    if (k > 1) sum += out[k - 1] * y[1];
    if (k > 2) sum += out[1] * y[k - 1] + lia_convolve_inner(out, y, k);
    out[k] = (x[k] - sum) / y[0];
}
