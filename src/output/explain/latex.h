// An explanation as a LaTeX document, section by section.
// SPDX-License-Identifier: MIT
#pragma once
#include "explain.h"

enum { LIA_LATEX_LINES = 60, LIA_LATEX_DIGITS = 8 };  // of one kind, at most; of a number

typedef struct LiaLatex {
    LiaText* out;
    LiaExplanation* e;
    LiaGraph* g;
    const LiaModel* model;
} LiaLatex;

// latex_math.c
/// LaTeX as it is.
void lia_latex_say(LiaLatex* page, const char* text);
/// Text of the user's, whatever stands in it.
void lia_latex_plain(LiaLatex* page, const char* text);
/// \dots where it is too long to be read.
void lia_latex_formula(LiaLatex* page, LiaExpr f);
/// The coefficient of a term, without its symbol; `instead` where it is too long.
void lia_latex_coefficient(LiaLatex* page, LiaExpr f, bool first, const char* instead);
/// With one dot for the velocity, two for the acceleration.
void lia_latex_coordinate(LiaLatex* page, uint32_t coordinate, int dots);
/// The name of a place, direction or rotation.
void lia_latex_group(LiaLatex* page, const LiaGroup* group);
/// "\item $left = f$"
void lia_latex_define(LiaLatex* page, const char* left, LiaExpr f);
void lia_latex_number(LiaLatex* page, double x, int digits);

// the sections
void lia_latex_constraints(LiaLatex* page);  // latex_constraints.c
void lia_latex_hamiltonian(LiaLatex* page);  // latex_formulas.c
void lia_latex_motion(LiaLatex* page);
void lia_latex_forces(LiaLatex* page);
void lia_latex_state(LiaLatex* page);  // latex_state.c
