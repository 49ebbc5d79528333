// Which formula of the model's text has no value at a state: for verdicts that can then point at it.
// SPDX-License-Identifier: MIT
#pragma once
#include "../base/text.h"
#include "../lang/model.h"

/// Find the formula as written that has no finite value at (t, q, v) though what it is made of has one: "'log(x)'
/// in the potential is not a number: its argument is 0" is added to `what`, and *span is its place. False: there
/// is none, or memory is out.
bool lia_domain_left(const LiaModel* model, const double* parameters, double t, const double* q,
                     const double* v, LiaText* what, LiaSpan* span);
/// Where all formulas have values and their derivatives have not, being too large: "'exp(1000*x)' in the potential is
/// 1.4e+217, and its derivatives are too large for numbers".
bool lia_domain_overflows(const LiaModel* model, const double* parameters, double t,
                          const double* q, const double* v, LiaText* what, LiaSpan* span);
