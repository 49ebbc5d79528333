// Derivatives of terms by other terms, for the surfaces and support functions a model gives: the normal
// of f(x, y, z) = 0 is needed as terms, long before expr knows derivatives.
// SPDX-License-Identifier: MIT
#pragma once
#include "lang/value/term.h"

/// df/dx[i] for variables x: terms of their own (lia_term_same) made before f. False where f holds a time derivative of one of them.
bool lia_gradient_of_term(LiaTerms* terms, LiaTermId f, const LiaTermId* x, uint32_t count,
                          LiaTermId* out, LiaSpan span);
