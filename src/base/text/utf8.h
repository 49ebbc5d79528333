// UTF-8: one character of a text.
// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { LIA_UTF8_MOST = 4 };  // bytes of one character

/// The character at text[0..left), of which there is one byte at least; its bytes in *size. Returns
/// UINT32_MAX (and *size = 1) where the bytes are not UTF-8: overlong, surrogate, cut, out of
/// range. It reads no further than the first byte that does not belong to the character: of a text
/// that ends with NUL `left` may be LIA_UTF8_MOST anywhere.
uint32_t lia_utf8_decode(const char* text, size_t left, size_t* size);
