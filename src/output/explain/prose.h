// An explanation for people: a page of lines, section by section.
// SPDX-License-Identifier: MIT
#pragma once
#include "output/explain/explain.h"
#include "output/text/ink.h"

enum { LIA_PROSE_LINES = 24 };  // of one kind, at most

typedef struct LiaProse {
    LiaText* out;
    LiaExplanation* e;
    LiaTextStyle style;
} LiaProse;

// prose.c: the page
void lia_prose_section(LiaProse* page, const char* name);
/// Add a line, broken at spaces where it is too long, and clear it.
void lia_prose_say(LiaProse* page, int indent, LiaText* line);
void lia_prose_formula(const LiaProse* page, LiaText* line, LiaExpr f);
/// The coefficient of a term: " + 2*m*", " - (a + b)*", without its symbol.
void lia_prose_coefficient(const LiaProse* page, LiaText* line, LiaExpr f, bool first);
/// "name = formula"
void lia_prose_define(LiaProse* page, const char* name, LiaExpr f);
/// The same with a name that is cleared.
void lia_prose_define_text(LiaProse* page, LiaText* name, LiaExpr f);
/// Of a coordinate.
const char* lia_prose_name(const LiaProse* page, uint32_t coordinate);
const char* lia_prose_plural(uint32_t count);
const char* lia_prose_ink(const LiaProse* page, const char* code);

// its sections
void lia_prose_poisson(LiaProse* page);               // prose_poisson.c
void lia_prose_constraints(LiaProse* page);           // prose_constraints.c
void lia_prose_flag(LiaProse* page);                  // prose_flag.c
void lia_prose_symmetries(LiaProse* page);            // prose_symmetries.c
void lia_prose_formulas_hamiltonian(LiaProse* page);  // prose_formulas.c
void lia_prose_formulas_motion(LiaProse* page);
void lia_prose_formulas_forces(LiaProse* page);
void lia_prose_state(LiaProse* page);  // prose_state.c
