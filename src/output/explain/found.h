// What a search for symmetries found, as text that people and programs read alike.
// SPDX-License-Identifier: MIT
#pragma once
#include "output/explain/explain.h"

/// The symmetries of the model as one group: its constants, J at the start; null: fewer than two.
void lia_found_moment_map_json(const LiaExplanation* explanation, LiaText* out);
/// Its momentum as a formula; {0} where that is too long to be read, as those of attitudes are.
LiaExpr lia_found_momentum(const LiaExplanation* explanation, const LiaFound* found);
/// All that was looked for and found as one JSON object; null where nothing was looked for.
void lia_found_json(const LiaExplanation* explanation, LiaText* out);
/// The momenta with coefficients that depend on the position; null where they are not known.
void lia_found_gauge_json(const LiaExplanation* explanation, LiaText* out);
/// The pseudo-Poisson tensor; null where it is not known.
void lia_found_bracket_json(const LiaExplanation* explanation, LiaText* out);
