// Which formula of the model's text has no value at a state: for verdicts that can then point at
// it.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/text/text.h"
#include "expr/graph/evaluate.h"
#include "lang/model.h"

/// What a part of the energy is called in messages.
const char* lia_domain_energy_word(LiaEnergyKind kind);

/// The text as written, in quotes, up to the end of its line and at most 60 bytes of it.
void lia_domain_quote(const LiaModel* model, LiaSpan span, LiaText* out);
/// Find the formula as written that has no finite value at (t, q, v) though what it is made of has
/// one: "'log(x)' in the potential is not a number: its argument is 0" is added to `what`, and
/// *span is its place. False: there is none, or memory is out.
bool lia_domain_left(const LiaModel* model, const LiaSymbols* at, LiaText* what, LiaSpan* span);
/// An angle that is not determined there: "'atan2(y, x)' in 'f' is no angle: both of its arguments
/// are 0", or Euler angles where only a sum of two of them is known.
bool lia_domain_angle(const LiaModel* model, const LiaSymbols* at, LiaText* what, LiaSpan* span);
/// As lia_domain_left() in the equations of one constraint or operator, for what the time alone
/// decides: "'0.1/t': it divides by zero".
bool lia_domain_law(const LiaModel* model, uint32_t constraint, const double* parameters, double t,
                    LiaText* what, LiaSpan* span);
/// Where a formula of the time alone has a pole, or comes to its end, at most `near` from t: "'1/(t
/// - 2)' in the law of 'm' divides by zero at t = 2".
bool lia_domain_pole(const LiaModel* model, const double* parameters, double t, double near,
                     LiaText* what, LiaSpan* span);
/// Where all formulas have values and their derivatives have not, being too large: "'exp(1000*x)'
/// in the potential is 1.4e+217, and its derivatives are too large for numbers".
bool lia_domain_overflows(const LiaModel* model, const LiaSymbols* at, LiaText* what,
                          LiaSpan* span);
