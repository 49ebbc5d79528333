// All there is to say about a system, gathered: what output writes as text, LaTeX or JSON.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/classification.h"
#include "geometry/fields.h"
#include "geometry/formulas.h"

typedef struct LiaExplanation {
    const LiaSystem* system;  // borrowed
    LiaGeometry* geometry;
    LiaPhaseSpace* space;
    LiaClassification classes;
    LiaFormulas formulas;
    bool has_start;    // the model's start is admissible (or was made so)
    bool has_state;    // a state was asked for: `fields` says what the motion is there
    double t, *q, *v;  // the state asked for, else the start, else zero          (n)
    LiaFields fields;
    LiaText choices;  // what the program chose, a sentence a line
} LiaExplanation;

/// Explain a system; with `at_start` or `at` (a text, see state_text.h; may be NULL) also the motion at a state.
/// `look`: on how many further states regularity is asked. LIA_MODEL with diagnostics where that state cannot be; LIA_MEMORY. Release with
/// lia_explanation_clear() in any case.
LiaStatus lia_explanation_make(const LiaSystem* system, bool at_start, const char* at,
                               uint32_t look, LiaDiags* diags, LiaExplanation* out);
void lia_explanation_clear(LiaExplanation* explanation);
