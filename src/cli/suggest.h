// "Did you mean": the word of a list that is nearest to a misspelt one.
// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>

typedef struct LiaSuggestion {
    const char* wanted;
    const char* best;  // NULL: nothing is near
    size_t distance;
} LiaSuggestion;

/// Offer a candidate; the nearest so far is kept if it is near enough to be a slip.
void lia_suggest_offer(LiaSuggestion* suggestion, const char* candidate);
