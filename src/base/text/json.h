// JSON, read strictly (RFC 8259): a tree of values in an arena, each with its place in the text.
//
// Nothing is forgiven (no comments, no trailing commas, no NaN), so that what is read is what was
// meant; the first mistake is a diagnostic that says what to write instead. Any bytes may be handed
// in.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/memory/arena.h"
#include "base/text/diag.h"

typedef enum LiaJsonKind {
    LIA_JSON_NULL,
    LIA_JSON_FALSE,
    LIA_JSON_TRUE,
    LIA_JSON_NUMBER,
    LIA_JSON_STRING,
    LIA_JSON_ARRAY,
    LIA_JSON_OBJECT,
} LiaJsonKind;

typedef struct LiaJsonText {  // UTF-8, escapes resolved
    const char* bytes;        // with a closing NUL; a \u0000 may stand inside
    size_t length;
} LiaJsonText;

typedef struct LiaJson {
    LiaJsonKind kind;
    LiaSpan span;                 // of the value
    LiaSpan key_span;             // of its name, in an object
    LiaJsonText key;              // {NULL, 0} in an array
    double number;                // NUMBER
    LiaJsonText text;             // STRING
    size_t count;                 // ARRAY, OBJECT: values in it
    const struct LiaJson* first;  // ARRAY, OBJECT: the first value in it
    const struct LiaJson* next;   // the next value beside this one
} LiaJson;

enum {
    LIA_JSON_NESTING = 100,  // brackets inside each other
    LIA_JSON_BYTES = 64 * 1024 * 1024,
};

/// Read a text, the one that lia_diag_source() was given. NULL with an error (E0310) where it is
/// not JSON, or where memory is out (then there is no error). The values live as long as the arena.
/// Names that stand twice in an object are both kept.
const LiaJson* lia_json_read(LiaArena* arena, const char* text, size_t length, LiaDiags* diags);
/// The first member of this name; NULL if there is none, or `object` is no object.
const LiaJson* lia_json_member(const LiaJson* object, const char* name);
