// The template of pages, made from the folder web when the program is built.
// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>

extern const char lia_page_template[];
extern const size_t lia_page_length;   // 0: it could not be made ...
extern const char lia_page_missing[];  // ... and this is why
