// Texts the program carries with it, so that help and examples are there wherever it is: docs/*.md,
// examples/*/*.lia and examples/README.md, made into tables at build time by cmake/embed.cmake.
// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>

typedef struct LiaPage {
    const char* name;    // "language" of docs/language.md, "strike" of examples/bell/strike.lia
    const char* folder;  // "docs", "bell"
    const char* text;    // all of it
} LiaPage;

extern const LiaPage lia_pages[];
extern const size_t lia_pages_count;
extern const LiaPage lia_examples[];
extern const size_t lia_examples_count;
extern const LiaPage lia_gallery[];  // one: examples/README.md, which puts the examples in order
extern const size_t lia_gallery_count;
