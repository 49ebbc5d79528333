// Text that grows: the one string builder of the project.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdarg.h>
#include <stddef.h>

typedef struct LiaText {
    char* data;     // NUL-terminated once anything was added; NULL before
    size_t length;  // bytes without the NUL
    size_t capacity;
    int failed;  // memory was out: the text is cut
} LiaText;       // {0} is an empty text

void lia_text_add(LiaText* text, const char* format, ...) __attribute__((format(printf, 2, 3)));
void lia_text_add_bytes(LiaText* text, const char* bytes, size_t count);
/// A number so that it reads back as the same double (17 digits, C locale whatever the locale is).
void lia_text_add_number(LiaText* text, double x);
/// A number for people: `digits` significant digits, C locale.
void lia_text_add_short(LiaText* text, double x, int digits);
void lia_text_clear(LiaText* text);
