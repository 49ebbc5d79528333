// What a search for symmetries found, as text that people and programs read alike.
// SPDX-License-Identifier: MIT
#pragma once
#include "output/explain/explain.h"

/// Its momentum as a formula; {0} where that is too long to be read, as those of attitudes are.
LiaExpr lia_found_momentum(const LiaExplanation* explanation, const LiaFound* found);
/// All that was looked for and found as one JSON object; null where nothing was looked for.
void lia_found_json(const LiaExplanation* explanation, LiaText* out);
/// The momenta with coefficients that depend on the position; null where they are not known.
void lia_found_gauge_json(const LiaExplanation* explanation, LiaText* out);
/// The pseudo-Poisson tensor; null where it is not known.
void lia_found_bracket_json(const LiaExplanation* explanation, LiaText* out);
