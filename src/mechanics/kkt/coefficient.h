// Coefficients of the series in a workspace, and what else the stages of kkt share.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/stage.h"

// Tests put a wrong sign into one term, to see that the second way notices.

// Orders whose last digits matter: later terms of a series are too small.
enum { CAREFUL = 8 };

static inline double* series(const LiaWorkspace* w, uint32_t reg) {
    return lia_jet_series(&w->jets, reg);
}

// Coefficient k of the register at an offset. `large` false: all have series.
static inline __attribute__((always_inline)) double* coefficient(const LiaWorkspace* w,
                                                                 uint32_t offset, int k,
                                                                 bool large) {
    if (!large) return w->jets.s + offset + k;
    LiaOrder order = lia_jet_order(&w->jets, k);
    return lia_jet_at(&w->jets, offset, &order);
}
