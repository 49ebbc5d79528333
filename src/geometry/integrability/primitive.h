// Functions whose differential is a given form, as formulas, where one is found.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/diff.h"

/// f with df = form, or a multiple of it: by one over one of its coefficients, or by an integrating
/// factor of one variable; form[i] is the coefficient of d(symbols[i]). {0} where none is found.
/// Sums, polynomials, and sines, cosines, exponentials and powers of linear arguments are
/// integrated; the result is checked by its derivatives, which must be equal to the form as
/// formulas.
LiaExpr lia_primitive_find(LiaGraph* graph, const LiaExpr* form, const LiaExpr* symbols,
                           size_t count);
