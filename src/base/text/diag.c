// Diagnostics: the list, the places in the text, and the rendering with the underlined line.
//
// Files may be 64 MB in one line and hold a hundred mistakes. Every 64 KiB of the text a checkpoint
// keeps the line and character counts so far, so finding a place looks at 64 KiB at most; the line
// shown is cut to a window around the span.
// SPDX-License-Identifier: MIT
#include "base/text/diag.h"
#include "base/facts.h"
#include "base/memory/memory.h"
#include "base/text/plain.h"
#include "base/text/utf8.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHECKPOINT = 1 << 16,  // bytes between checkpoints
    WINDOW = 120,          // characters of a line that are shown
    LEAD = 40,             // of these before the span, where the line is cut
    TAB = 4,               // a tab moves to the next multiple of this
};

typedef struct Checkpoint {
    size_t lines;       // line feeds before it
    size_t line_begin;  // where its line begins
    size_t chars;       // characters from the beginning of its line to it
} Checkpoint;

struct LiaDiags {
    LiaDiag* items;
    size_t count, capacity;
    size_t errors, warnings;
    bool last_dropped;  // lia_diag_help() speaks of a diagnostic that was not kept
    char* name;
    char* text;
    size_t length;
    Checkpoint* checkpoints;
    size_t checkpoint_count;
};

LiaDiags* lia_diags_create(void) { return lia_memory_zeros(1, sizeof(LiaDiags)); }

static void drop_source(LiaDiags* diags) {
    free(diags->name);
    free(diags->text);
    free(diags->checkpoints);
    diags->name = NULL;
    diags->text = NULL;
    diags->checkpoints = NULL;
    diags->length = diags->checkpoint_count = 0;
}

void lia_diags_destroy(LiaDiags* diags) {
    if (!diags) {
        return;
    }
    for (size_t i = 0; i < diags->count; i++) {
        free(diags->items[i].message);
        free(diags->items[i].help);
    }
    free(diags->items);
    drop_source(diags);
    free(diags);
}

static bool starts_character(char c) { return ((unsigned char)c & 0xC0) != 0x80; }

// A leading byte order mark is not a character of the first line.
static size_t mark_length(const char* text, size_t length) {
    return length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

void lia_diag_source(LiaDiags* diags, const char* name, const char* text, size_t length) {
    drop_source(diags);
    LiaText shown = {0};
    lia_plain_add(&shown, name, strlen(name), LIA_PLAIN_WORD);
    size_t checkpoint_count = length / CHECKPOINT + 1;
    diags->name = shown.data;
    diags->text = lia_memory_take(length + 1);
    diags->checkpoints = lia_memory_zeros(checkpoint_count, sizeof(Checkpoint));
    if (shown.failed || !diags->text || !diags->checkpoints) {
        drop_source(diags);
        return;
    }
    if (length > 0) {
        memcpy(diags->text, text, length);
    }
    diags->text[length] = '\0';
    diags->length = length;
    diags->checkpoint_count = checkpoint_count;

    size_t lines = 0, line_begin = mark_length(diags->text, diags->length), chars = 0;
    for (size_t k = 0; k < checkpoint_count; k++) {
        size_t begin = k * CHECKPOINT;
        diags->checkpoints[k] = (Checkpoint){lines, line_begin, chars};
        size_t end = length - begin < CHECKPOINT ? length : begin + CHECKPOINT;
        for (size_t i = begin < line_begin ? line_begin : begin; i < end; i++) {
            if (diags->text[i] == '\n') {
                lines++;
                line_begin = i + 1;
                chars = 0;
            } else {
                chars += starts_character(diags->text[i]);
            }
        }
    }
}

// Line and column (from 1) and the first byte of the line that holds byte `at`.
static size_t locate(const LiaDiags* diags, size_t at, int* line, int* column) {
    *line = *column = 1;
    if (!diags->text) {
        return 0;
    }
    if (at > diags->length) {
        at = diags->length;
    }
    Checkpoint c = diags->checkpoints[at / CHECKPOINT];
    size_t i = at / CHECKPOINT * CHECKPOINT;
    for (i = i < c.line_begin ? c.line_begin : i; i < at; i++) {
        if (diags->text[i] == '\n') {
            c.lines++;
            c.line_begin = i + 1;
            c.chars = 0;
        } else {
            c.chars += starts_character(diags->text[i]);
        }
    }
    *line = (int)c.lines + 1;
    *column = (int)c.chars + 1;
    return c.line_begin;
}

void lia_diag_line_column(const LiaDiags* diags, LiaSpan span, int* line, int* column) {
    locate(diags, span.begin, line, column);
}

void lia_diag_source_line_column(const LiaSource* source, LiaSpan span, int* line, int* column) {
    *line = *column = 1;
    size_t end = span.begin < source->length ? span.begin : source->length;
    for (size_t i = mark_length(source->text, source->length); i < end; i++) {
        bool feed = source->text[i] == '\n';
        *line += feed;
        *column = feed ? 1 : *column + starts_character(source->text[i]);
    }
}

bool lia_diags_message(const LiaDiags* diags, size_t i, LiaMessageInfo* info, size_t size) {
    if (!diags || i >= diags->count) return false;
    const LiaDiag* d = &diags->items[i];
    LiaMessageInfo known = {.code = d->code,
                            .severity = d->severity,
                            .message = d->message,
                            .help = d->help,
                            .file = diags->name};
    bool placed = diags->text && d->span.begin < UINT32_MAX && d->span.end > 0;
    if (placed) {
        locate(diags, d->span.begin, &known.line, &known.column);
        for (size_t k = d->span.begin; k < d->span.end && k < diags->length; k++) {
            known.length += starts_character(diags->text[k]);
        }
    }
    return lia_facts_give(&known, sizeof known, info, size);
}

static char* format_text(const char* format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0) lia_memory_fail();  // printf wants memory for long numbers
    char* text = length < 0 ? NULL : lia_memory_take((size_t)length + 1);
    LiaText shown = {0};
    if (text) {
        vsnprintf(text, (size_t)length + 1, format, again);
        lia_plain_add(&shown, text, (size_t)length, LIA_PLAIN_LINES);
        free(text);
    }
    va_end(again);
    if (shown.failed) lia_text_clear(&shown);
    return shown.data;
}

static bool keep(LiaDiags* diags, LiaDiag diag) {
    if (diags->count == diags->capacity) {
        size_t capacity = diags->capacity ? diags->capacity * 2 : 16;
        LiaDiag* items = lia_memory_resize(diags->items, capacity * sizeof *items);
        if (!items) {
            return false;
        }
        diags->items = items;
        diags->capacity = capacity;
    }
    diags->items[diags->count++] = diag;
    return true;
}

static bool is_known(const LiaDiags* diags, const LiaDiag* diag) {
    for (size_t i = 0; i < diags->count; i++) {
        const LiaDiag* other = &diags->items[i];
        if (other->span.begin == diag->span.begin && other->span.end == diag->span.end &&
            strcmp(other->code, diag->code) == 0 && strcmp(other->message, diag->message) == 0) {
            return true;
        }
    }
    return false;
}

static void close_list(LiaDiags* diags, LiaSeverity severity, const char* sentence) {
    char* message = lia_memory_take(strlen(sentence) + 1);
    if (!message) {
        return;
    }
    strcpy(message, sentence);
    // Behind all others: the place is the end of all texts.
    LiaDiag diag = {severity,
                    severity == LIA_ERROR ? "E0100" : "W0100",
                    {UINT32_MAX, UINT32_MAX},
                    message,
                    NULL};
    if (!keep(diags, diag)) {
        free(message);
    }
}

static void add(LiaDiags* diags, LiaSeverity severity, LiaSpan span, const char* code,
                const char* format, va_list arguments) {
    size_t* counter = severity == LIA_ERROR ? &diags->errors : &diags->warnings;
    diags->last_dropped = true;
    if (*counter >= LIA_DIAGS_MOST) {
        if ((*counter)++ == LIA_DIAGS_MOST) {
            close_list(diags, severity,
                       severity == LIA_ERROR ? "there are more errors; the limit is 100 shown"
                                             : "there are more warnings; the limit is 100 shown");
        }
        return;
    }
    LiaDiag diag = {severity, code, span, format_text(format, arguments), NULL};
    if (!diag.message) {
        (*counter)++;  // no memory for the words, but the error counts
        return;
    }
    if (is_known(diags, &diag)) {
        free(diag.message);
        return;
    }
    (*counter)++;
    if (!keep(diags, diag)) {
        free(diag.message);
        return;
    }
    diags->last_dropped = false;
}

void lia_diag_error(LiaDiags* diags, LiaSpan span, const char* code, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(diags, LIA_ERROR, span, code, format, arguments);
    va_end(arguments);
}

void lia_diag_warning(LiaDiags* diags, LiaSpan span, const char* code, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(diags, LIA_WARNING, span, code, format, arguments);
    va_end(arguments);
}

void lia_diag_help(LiaDiags* diags, const char* format, ...) {
    if (diags->last_dropped || diags->count == 0) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    LiaDiag* last = &diags->items[diags->count - 1];
    free(last->help);
    last->help = format_text(format, arguments);
    va_end(arguments);
}

LiaDiagsMark lia_diag_mark(const LiaDiags* diags) {
    return (LiaDiagsMark){diags->count, diags->errors, diags->warnings};
}

void lia_diag_reset(LiaDiags* diags, LiaDiagsMark mark) {
    while (diags->count > mark.count) {
        LiaDiag* last = &diags->items[--diags->count];
        free(last->message);
        free(last->help);
    }
    diags->errors = mark.errors;
    diags->warnings = mark.warnings;
    diags->last_dropped = true;
}

size_t lia_diags_count(const LiaDiags* diags) { return diags ? diags->count : 0; }

size_t lia_diags_errors(const LiaDiags* diags) { return diags ? diags->errors : 0; }

const LiaDiag* lia_diag_at(const LiaDiags* diags, size_t i) {
    return i < diags->count ? &diags->items[i] : NULL;
}

// Columns a character takes on a terminal.
static int width_of(uint32_t c) {
    if (c >= 0x300 && c <= 0x36F) {
        return 0;
    }
    bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
                (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
                (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
                (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
    return wide ? 2 : 1;
}

static void add_repeated(LiaText* text, char c, int count) {
    for (int i = 0; i < count; i++) {
        lia_text_add_bytes(text, &c, 1);
    }
}

// The line with the span underlined: `line` gets what is shown, `marks` the ^~~~ below it.
static void draw_line(const LiaDiags* diags, size_t line_begin, LiaSpan span, LiaText* line,
                      LiaText* marks) {
    const char* text = diags->text;
    size_t at = line_begin;
    // Cut far away from the span: walk back from it to LEAD characters before it.
    size_t back = span.begin, walked = 0;
    while (back > line_begin && walked < WINDOW / 2 + LEAD / 2) {
        back--;
        walked += starts_character(text[back]);
    }
    if (back > line_begin) {
        for (at = span.begin, walked = 0; walked < LEAD && at > line_begin;) {
            at--;
            walked += starts_character(text[at]);
        }
        lia_text_add_bytes(line, "...", 3);
        add_repeated(marks, ' ', 3);
    }
    bool marked = false;
    int column = 0, shown = 0;
    while (at < diags->length && text[at] != '\n') {
        if (text[at] == '\r' && (at + 1 == diags->length || text[at + 1] == '\n')) {
            break;
        }
        if (shown >= WINDOW) {
            lia_text_add_bytes(line, "...", 3);
            break;
        }
        size_t size = 1;
        uint32_t c = lia_utf8_decode(text + at, diags->length - at, &size);
        int width = c == '\t' ? TAB - column % TAB : width_of(c);
        if (c == '\t') {
            add_repeated(line, ' ', width);
        } else {
            size_t before = line->length;
            lia_plain_add(line, text + at, size, LIA_PLAIN_WORD);
            if (!lia_plain_is_seen(c)) width = (int)(line->length - before);
        }
        bool inside = at >= span.begin && (at < span.end || at == span.begin);
        if (inside && width > 0) {
            add_repeated(marks, marked ? '~' : '^', 1);
            add_repeated(marks, '~', width - 1);
            marked = true;
        } else if (at < span.begin) {
            add_repeated(marks, ' ', width);
        }
        column += width;
        shown++;
        at += size;
    }
    if (!marked) {  // at the end of the line
        add_repeated(marks, '^', 1);
    }
    while (line->length > 0 && line->data[line->length - 1] == ' ') {
        line->data[--line->length] = '\0';
    }
}

static void render_one(const LiaDiags* diags, const LiaDiag* diag, LiaText* out) {
    static const char* const words[] = {"error", "warning", "note"};
    const char* name = diags->name ? diags->name : "model";
    // Bytes [0, 0) is no place: the command line, or the file as a whole.
    bool placed = diags->text && diag->span.begin < UINT32_MAX && diag->span.end > 0;
    if (!placed) {
        lia_text_add(out, "%s: %s %s: %s\n", name, words[diag->severity], diag->code,
                     diag->message);
        if (diag->help) {
            lia_text_add(out, "  = %s\n", diag->help);
        }
        return;
    }
    int line_number = 1, column = 1;
    LiaSpan span = diag->span;
    if (span.begin > diags->length) {
        span.begin = (uint32_t)diags->length;
    }
    size_t line_begin = locate(diags, span.begin, &line_number, &column);
    lia_text_add(out, "%s:%d:%d: %s %s: %s\n", name, line_number, column, words[diag->severity],
                 diag->code, diag->message);
    LiaText line = {0}, marks = {0};
    draw_line(diags, line_begin, span, &line, &marks);
    char digits[16];
    int width = snprintf(digits, sizeof digits, "%d", line_number);
    lia_text_add(out, "  %s |%s%s\n", digits, line.length ? " " : "", line.length ? line.data : "");
    lia_text_add(out, "  %*s | %s\n", width, "", marks.length ? marks.data : "^");
    if (diag->help) {
        lia_text_add(out, "  %*s = %s\n", width, "", diag->help);
    }
    lia_text_clear(&line);
    lia_text_clear(&marks);
}

typedef struct Order {
    uint32_t begin;
    size_t index;
} Order;

static int compare_order(const void* a, const void* b) {
    const Order *x = a, *y = b;
    if (x->begin != y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    return x->index < y->index ? -1 : x->index > y->index;
}

void lia_diag_render(const LiaDiags* diags, LiaText* out) {
    Order* order = lia_memory_take((diags->count + 1) * sizeof *order);
    if (!order) {
        out->failed = 1;
        return;
    }
    for (size_t i = 0; i < diags->count; i++) {
        order[i] = (Order){diags->items[i].span.begin, i};
    }
    qsort(order, diags->count, sizeof *order, compare_order);
    for (size_t i = 0; i < diags->count; i++) {
        render_one(diags, &diags->items[order[i].index], out);
    }
    free(order);
}
