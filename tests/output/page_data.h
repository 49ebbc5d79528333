// The data of a page, read back as a browser does.
// SPDX-License-Identifier: MIT
#pragma once
#include "../support/motion.h"
#include "base/text/json.h"

typedef struct Page {
    Motion motion;
    char* text;
    LiaArena* arena;
    LiaDiags* diags;
    const LiaJson* json;
    uint8_t* bytes;
} Page;

/// A model with a blade, an operator and a symmetry.
extern const char page_skater[];

/// Release with page_clear(), which clears the motion too.
Page page_of(const char* text);
Page page_of_motion(Motion motion);
void page_clear(Page* page);

/// Numbers and letters of base64. Release with free().
uint8_t* page_bytes(const char* base64, size_t length);
/// Value number i of a list; NULL if there are not so many.
const LiaJson* page_at(const LiaJson* list, size_t i);
size_t page_rows(const Page* page);
void page_column(const Page* page, size_t i, double* x);

/// Item number n of a kind in the scene; NULL if there are not so many.
const LiaJson* page_item(const Page* page, const char* kind, size_t n);
size_t page_count(const Page* page, const char* kind);
/// A channel of an item along the samples.
void page_channel(const Page* page, const LiaJson* of, const char* key, size_t i, double* x);
