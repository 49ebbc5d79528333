// All there is to say about a system, gathered: what output writes as text, LaTeX or JSON.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/classification/classification.h"
#include "geometry/formulas/formulas.h"
#include "geometry/phase_space/fields.h"
#include "geometry/phase_space/poisson.h"
#include "geometry/phase_space/vertical_poisson.h"

typedef struct LiaExplanation {
    const LiaSystem* system;  // borrowed, or `own`
    LiaSystem* own;           // a copy, where controls are sampled: with their values at the start
    LiaGeometry* geometry;
    LiaPhaseSpace* space;
    LiaClassification classes;
    LiaFormulas formulas;
    bool has_start;    // the model's start is admissible (or was made so)
    bool has_state;    // a state was asked for: `fields` says what the motion is there
    double t, *q, *v;  // the state asked for, else the start, else zero          (n)
    LiaFields fields;
    LiaVerticalPoisson vertical;  // the bracket of V*M and these fields
    LiaPoisson poisson;           // of a model of a phase space, of which there is nothing else
    LiaText choices;              // what the program chose, a sentence a line
} LiaExplanation;

typedef struct LiaExplanationAsk {
    bool at_start;     // also the motion at the start
    const char* at;    // or at a state as text (state_text.h); NULL: nowhere
    const char* base;  // names of the statements whose left sides are the base; NULL: the operators
    uint32_t look;     // on how many further states regularity is asked
} LiaExplanationAsk;

/// Explain a system. LIA_MODEL with diagnostics where the state cannot be or a name is not known;
/// LIA_MEMORY. Release with lia_explanation_clear() in any case.
LiaStatus lia_explanation_make(const LiaSystem* system, const LiaExplanationAsk* ask,
                               LiaDiags* diags, LiaExplanation* out);
void lia_explanation_clear(LiaExplanation* explanation);
