// An explanation in three ways. Only output uses this header.
// SPDX-License-Identifier: MIT
#pragma once
#include "../geometry/explanation.h"

/// One of the numbers of a rotation or a direction, or of a contact's own: its equation is not the user's.
bool lia_explain_is_inner(const LiaExplanation* explanation, uint32_t coordinate);
/// For people.
void lia_explain_text(LiaExplanation* explanation, const LiaTextStyle* style, LiaText* out);
/// One JSON object.
void lia_explain_json(LiaExplanation* explanation, LiaText* out);
/// A LaTeX document that compiles.
void lia_explain_latex(LiaExplanation* explanation, LiaText* out);
