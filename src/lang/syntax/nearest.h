// Nearest: the word a misspelt one was meant to be, by edit distance.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/text/diag.h"

enum { LIA_NEAREST_CASE = 1 };  // distance of words that differ in case alone

typedef struct LiaNearest {
    const char* wanted;
    const char* best;  // NULL: nothing is near
    int distance;
} LiaNearest;

LiaNearest lia_nearest_begin(const char* wanted);
/// Offer a candidate; kept when it is nearer than all before and near enough to be a slip.
void lia_nearest_offer(LiaNearest* nearest, const char* candidate);
/// Help for a name that there is not: "did you mean", or where nothing is near what else there is
/// (NULL: nothing is said).
void lia_nearest_say(const LiaNearest* nearest, LiaDiags* diags, const char* otherwise);
