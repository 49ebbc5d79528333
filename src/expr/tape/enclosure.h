// Where the formulas of a tape are during a step, and how far their series are from them.
//
// The series of f(u) at the beginning of a step show what f does nearby. A bump that is still far
// away is not in them: its coefficients underflow, or are too small to matter, and no choice of the
// step by the last terms can see it. But where u is during the step is known from its polynomial,
// and so is what f can be there.
//
// Two looks. The first, at each operation that is not a sum or a product of few factors: does its
// series converge over the step, and is it `tame` there (ops/op.h)? Then the last terms of the
// series can be relied upon. The second, only where some operation fails the first: intervals of
// all registers, and bounds of |series - formula|, which say whether what is not known matters.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/tape/jet.h"

typedef struct LiaEnclosure {
    const LiaJets* jets;  // borrowed: the series, to `top`
    int top;
    double h;                   // of the last look
    const LiaInstr** suspects;  // operations to look at; `settled`: those that passed the last look
    bool* settled;
    uint32_t suspect_count;
    bool watched_settle;   // those of the last look that are watched all settled
    bool entire;           // they are all sines and cosines
    LiaInterval* range;    // of the formula, by register                       (register_count)
    double* error;         // largest |series - formula|                        (register_count)
    uint32_t* suspect_of;  // by register of the result: 1 + index; 0: none   (register_count)
    double* power;         // |h|^k
    double* ratio;         // binomial(j, k) / binomial(top, k), for k <= j <= top
    void* block;
} LiaEnclosure;

/// False if memory is out. `order`: of the steps.
bool lia_enclosure_init(LiaEnclosure* e, const LiaJets* jets, int order);
void lia_enclosure_clear(LiaEnclosure* e);
/// The first look, after the series were made: is every one of them what its formula says over h?
/// Of those that are watched only, e->watched_settle tells. Not looked at are operations
/// that are singular at a root of register `ending` (0: none), where the step ends.
bool lia_enclosure_settles(LiaEnclosure* e, double h, uint32_t ending);
/// The second look: `range` and `error` of every register of the sections that have series.
void lia_enclosure_spread(LiaEnclosure* e);
