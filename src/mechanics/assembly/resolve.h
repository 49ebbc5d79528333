// Formulas of a model in a graph of one's own, with what the model names before its formula is
// known worked out: controls are replaced by their laws, quantities such as energy or force(NAME)
// by their formulas, E' by its derivative, d(f) and virtual(e) by their coefficients. Parameters
// stay symbols to the end: sweeps and fits need no rebuild.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/diff.h"
#include "lang/model.h"

typedef struct LiaResolver LiaResolver;  // one per model and graph

/// Called for quantities (energy, force(NAME), ...): the formula, or {0} if it is not available
/// here.
typedef LiaExpr (*LiaQuantityFn)(void* context, const LiaQuantityNamed* quantity);

/// Start to take formulas of a model into `g`, and give it the names of their symbols. Everything
/// is borrowed and must outlive the resolver; the model, whose names are used, must outlive the
/// graph. `quantity` may be NULL. NULL if memory is out.
LiaResolver* lia_resolve_create(LiaGraph* g, LiaRates* rates, const LiaModel* model,
                                LiaQuantityFn quantity, void* context);
/// NULL is allowed.
void lia_resolve_destroy(LiaResolver* resolver);

/// A formula of the model in `g`, without open symbols; {0} for {0} and where a quantity in it is
/// not available.
LiaExpr lia_resolve_term(LiaResolver* resolver, LiaExpr term);

/// Components of a one-form by coordinate: out[i], as many as the model has coordinates, 0 where
/// absent. d(f) wants f without velocities (E0221), virtual(e) wants e affine in them (E0222):
/// otherwise a diagnostic is added and false returned. `diags` may be NULL.
bool lia_resolve_form(LiaResolver* resolver, const LiaForm* form, LiaDiags* diags, LiaExpr* out);
