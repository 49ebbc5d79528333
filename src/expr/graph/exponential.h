// Quotients of exponentials that are numbers where the exponentials are none.
//
// exp(u)/(1 + exp(u)) is 1 for large u, while both of its parts overflow. Where numerator and
// divisor are linear in one exponential E = exp(u),
//   (a + b E)/(c + d E),      d and b/d without t, c likewise or a multiple of another exponential,
// the quotient is written so that only the divisor can overflow, and the quotient is 0 or a number
// then (ops/quotient.h):
//   a = 0:   b/(d + c exp(-u))
//   else:    b/d + (a - b c/d)/(c + d E), where both ends, a/c and b/d, are numbers of like size,
//            so that no digit is lost
// x/(c + d E)^k is (x/(c + d E))/(c + d E)^(k-1).
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/graph.h"

/// x/y so written, into *out; false where it is not of this kind.
bool lia_exponential_quotient(LiaGraph* g, LiaExpr x, LiaExpr y, LiaExpr* out);
