// Formulas as text: in the syntax of the model language, as LaTeX, and as a list of assignments.
//
// The first two write a formula out as a tree, so what is shared comes again each time it is used:
// they stop at LIA_PRINT_MOST characters with "...". The list never repeats anything.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/graph.h"

enum { LIA_PRINT_MOST = 20000 };  // characters of one formula

/// The formula as one writes it in a model, with as few brackets as the language allows. Exact
/// numbers as fractions, others with the fewest digits that read back as the same double.
void lia_formula_text(const LiaGraph* g, LiaExpr f, LiaText* out);
/// The same, where names[node], if not NULL, is written instead of the formula of a node.
void lia_formula_text_named(const LiaGraph* g, LiaExpr f, const char* const* names, LiaText* out);

/// The formula in LaTeX's math mode: \theta, m_{1}, \dot{x}, \frac{a}{b}, cases.
void lia_formula_latex(const LiaGraph* g, LiaExpr f, LiaText* out);

/// A name of the model in LaTeX: theta1 -> \theta_{1}, q[3] -> q_{3}; `dots` puts 1 or 2 over it.
void lia_formula_latex_name(const char* name, int dots, LiaText* out);

/// Several formulas as straight-line assignments, one a line, each formula once:
///   %1 = sin(theta)
///   %2 = m*%1
///   energy = %2
/// names[i] is what stands before the last '='; names or names[i] NULL: "#0", "#1", ...
void lia_assignments_text(const LiaGraph* g, const LiaExpr* roots, const char* const* names,
                          size_t count, LiaText* out);
