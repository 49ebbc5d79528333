// Characters of a model text: which characters are letters, what to write instead.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A letter: may begin a name.
bool lia_characters_is_letter(uint32_t c);
/// A letter, a digit, `_` or a subscript digit: may go on in a name.
bool lia_characters_goes_on(uint32_t c);
/// What to write instead of a character that is often pasted in ("-" for a long minus), or NULL.
const char* lia_characters_instead(uint32_t c);
