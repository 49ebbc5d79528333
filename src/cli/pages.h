// Texts the program carries with it, so that help and examples are there wherever it is: docs/*.md and
// examples/*/*.lia, made into tables at build time by cmake/embed.cmake.
// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>

typedef struct LiaPage {
    const char* name;  // "language" of docs/language.md, "skater" of examples/skater/skater.lia
    const char* text;  // all of it
} LiaPage;

extern const LiaPage lia_pages[];
extern const size_t lia_pages_count;
extern const LiaPage lia_examples[];
extern const size_t lia_examples_count;
