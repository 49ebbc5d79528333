// Lowering: the terms of a LiaModel as formulas of the graph.
//
// Coordinate i becomes the symbol POSITION i, its velocity VELOCITY i, parameter i the symbol
// PARAMETER i (a symbol to the end: sweeps and fits need no rebuild); a control is replaced by its
// formula. Total derivatives E', d(f) and virtual(e), which lang only marks, are worked out here.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/diff.h"
#include "lang/model.h"

typedef struct LiaLowering LiaLowering;  // one per model: memo term -> formula

/// Called for LIA_TERM_QUANTITY terms (energy, force(NAME), ...): the formula, or {0} if it is not
/// available here.
typedef LiaExpr (*LiaQuantityFn)(void* context, const LiaTerm* term);

/// Start lowering a model into `g`, and give the graph the names of its symbols (velocities are
/// printed as the name of their position and a prime). Everything is borrowed and must outlive the
/// lowering; the model, whose names are used, must outlive the graph. `quantity` may be NULL.
/// NULL if memory is out.
LiaLowering* lia_lower_create(LiaGraph* g, LiaRates* rates, const LiaModel* model,
                              LiaQuantityFn quantity, void* context);
/// NULL is allowed.
void lia_lower_destroy(LiaLowering* lowering);

/// The formula of a term; {0} for the term 0 and where a quantity in it is not available.
LiaExpr lia_lower_term(LiaLowering* lowering, LiaTermId term);

/// Components of a one-form by coordinate: out[i], as many as the model has coordinates, 0 where
/// absent. d(f) wants f without velocities (E0221), virtual(e) wants e affine in them (E0222):
/// otherwise a diagnostic is added and false returned. `diags` may be NULL.
bool lia_lower_form(LiaLowering* lowering, const LiaForm* form, LiaDiags* diags, LiaExpr* out);
