// Diagnostics: what is wrong in a model text, with its place.
//
// A span is a range of bytes of a source; a diagnostic has a stable code, a sentence in the words
// of mechanics and, where there is one, what to write instead (the help line). Library code never
// prints: it adds diagnostics to a list, which the caller renders.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/text/text.h"
#include <liaison/liaison.h>  // LiaSeverity
#include <stdbool.h>
#include <stdint.h>

typedef struct LiaSpan {
    uint32_t begin, end;  // bytes [begin, end) of the model text
} LiaSpan;

typedef struct LiaSource {
    const char* name;  // as shown in messages, usually the path
    const char* text;  // NUL-terminated
    size_t length;
} LiaSource;

typedef struct LiaDiag {
    LiaSeverity severity;
    const char* code;  // "E0213", static
    LiaSpan span;
    char* message;
    char* help;  // NULL: nothing to advise
} LiaDiag;

typedef struct LiaDiags LiaDiags;
typedef struct LiaDiagsMark {  // how much was said
    size_t count, errors, warnings;
} LiaDiagsMark;

enum { LIA_DIAGS_MOST = 100 };  // errors kept; what comes after is counted only

LiaDiags* lia_diags_create(void);
void lia_diags_destroy(LiaDiags* diags);
/// The text the spans speak of; name and text are copied.
void lia_diag_source(LiaDiags* diags, const char* name, const char* text, size_t length);

/// Add an error. The same code at the same span with the same message is kept once (families repeat
/// themselves). After LIA_DIAGS_MOST errors one closing diagnostic says so, the rest is counted.
void lia_diag_error(LiaDiags* diags, LiaSpan span, const char* code, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
void lia_diag_warning(LiaDiags* diags, LiaSpan span, const char* code, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
/// What to write instead, for the diagnostic added last.
void lia_diag_help(LiaDiags* diags, const char* format, ...) __attribute__((format(printf, 2, 3)));
/// What was said so far, and to take back what was said since; the source stays.
LiaDiagsMark lia_diag_mark(const LiaDiags* diags);
void lia_diag_reset(LiaDiags* diags, LiaDiagsMark mark);

size_t lia_diags_count(const LiaDiags* diags);
size_t lia_diags_errors(const LiaDiags* diags);
const LiaDiag* lia_diag_at(const LiaDiags* diags, size_t i);
/// Line and column, both from 1; the column counts characters, not bytes.
void lia_diag_line_column(const LiaDiags* diags, LiaSpan span, int* line, int* column);
/// The same in a text that is not that of diagnostics; it is read from its beginning.
void lia_diag_source_line_column(const LiaSource* source, LiaSpan span, int* line, int* column);
/// All diagnostics in the order of the text, as language.md shows them.
void lia_diag_render(const LiaDiags* diags, LiaText* out);
