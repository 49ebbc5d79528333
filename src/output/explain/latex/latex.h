// An explanation as a LaTeX document, section by section.
// SPDX-License-Identifier: MIT
#pragma once
#include "output/explain/explain.h"

enum { LIA_LATEX_LINES = 60, LIA_LATEX_DIGITS = 8 };  // of one kind, at most; of a number

typedef struct LiaLatex {
    LiaText* out;
    LiaExplanation* e;
    LiaGraph* g;
    const LiaModel* model;
} LiaLatex;

// latex_math.c
/// LaTeX as it is.
void lia_latex_math_say(LiaLatex* page, const char* text);
/// Text of the user's, whatever stands in it.
void lia_latex_math_plain(LiaLatex* page, const char* text);
/// \dots where it is too long to be read.
void lia_latex_math_formula(LiaLatex* page, LiaExpr f);
/// The coefficient of a term, without its symbol; `instead` where it is too long.
void lia_latex_math_coefficient(LiaLatex* page, LiaExpr f, bool first, const char* instead);
/// With one dot for the velocity, two for the acceleration.
void lia_latex_math_coordinate(LiaLatex* page, uint32_t coordinate, int dots);
/// The name of a place, direction or rotation.
void lia_latex_math_group(LiaLatex* page, const LiaGroup* group);
/// "\item $left = f$"
void lia_latex_math_define(LiaLatex* page, const char* left, LiaExpr f);
void lia_latex_math_number(LiaLatex* page, double x, int digits);

// the sections
void lia_latex_poisson(LiaLatex* page);      // latex_poisson.c
void lia_latex_constraints(LiaLatex* page);  // latex_constraints.c
void lia_latex_flag(LiaLatex* page);         // latex_flag.c
void lia_latex_flag_found(LiaLatex* page);
void lia_latex_formulas_hamiltonian(LiaLatex* page);  // latex_formulas.c
void lia_latex_formulas_motion(LiaLatex* page);
void lia_latex_formulas_forces(LiaLatex* page);
void lia_latex_state(LiaLatex* page);  // latex_state.c
