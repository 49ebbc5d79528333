// Sheet: text that grows, for what the program makes itself. If memory is out that is said, and the
// text comes to nothing: never to a part of it. (A stream in memory, open_memstream(), drops what
// it has no room for and says nothing.)
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct LiaSheet {
    char* text;  // NUL-terminated once anything was added
    size_t size, room;
} LiaSheet;  // {0} is empty

void lia_sheet_print(LiaSheet* sheet, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
void lia_sheet_put(LiaSheet* sheet, const char* text);
void lia_sheet_bytes(LiaSheet* sheet, const char* bytes, size_t count);
void lia_sheet_char(LiaSheet* sheet, char c);
/// What was written, to be freed. NULL if memory was out, here or before.
char* lia_sheet_end(LiaSheet* sheet);
