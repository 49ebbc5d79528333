// Mutants. See mutate.h.
//
// One to six changes each: bytes that are other, new or gone; a word of any model in the place of
// another; numbers of all sizes; lines that change places, come twice, are lost, or come from
// another model.
// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700  // nftw
#include "mutate.h"
#include "support/file.h"
#include "support/random.h"
#include <ctype.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 12000, ROOM = 64000 };  // bytes of a model that is taken; of a mutant

static char* paths[4000];
static size_t path_count;

static int note_path(const char* path, const struct stat* info, int kind, struct FTW* place) {
    (void)place;
    size_t length = strlen(path);
    bool model = kind == FTW_F && length > 4 && strcmp(path + length - 4, ".lia") == 0;
    if (model && info->st_size < LARGEST && path_count < sizeof paths / sizeof *paths) {
        paths[path_count++] = strdup(path);
    }
    return 0;
}

static int by_name(const void* a, const void* b) {
    return strcmp(*(char* const*)a, *(char* const*)b);
}

Corpus corpus_read(void) {
    static const char* const folders[] = {"/examples", "/tests/refs", "/tests/language"};
    path_count = 0;
    for (int i = 0; i < 3; i++) {
        char folder[4096];
        snprintf(folder, sizeof folder, "%s%s", LIAISON_SOURCE_DIR, folders[i]);
        nftw(folder, note_path, 16, FTW_PHYS);
    }
    qsort(paths, path_count, sizeof *paths, by_name);
    Corpus corpus = {.text = calloc(path_count + 1, sizeof *corpus.text)};
    if (!corpus.text || path_count == 0) abort();
    for (size_t i = 0; i < path_count; i++) {
        char* text = file_text(paths[i]);
        if (text) corpus.text[corpus.count++] = text;
        free(paths[i]);
    }
    return corpus;
}

void corpus_clear(Corpus* corpus) {
    for (size_t i = 0; i < corpus->count; i++) free(corpus->text[i]);
    free(corpus->text);
}

static size_t below(Random* chance, size_t n) { return n ? (size_t)(random_bits(chance) % n) : 0; }

// --- changes ------------------------------------------------------------------------------------

typedef struct Text {
    char* data;
    size_t length;
} Text;

typedef struct Piece {
    size_t begin, end;
} Piece;

static void replace(Text* t, Piece old, const char* by, size_t length) {
    size_t after = t->length - old.end;
    if (old.begin + length + after > ROOM) return;
    memmove(t->data + old.begin + length, t->data + old.end, after);
    memcpy(t->data + old.begin, by, length);
    t->length = old.begin + length + after;
}

// The word, number or mark at a place drawn from a text.
static Piece word(Random* chance, const char* text, size_t length) {
    size_t at = below(chance, length), begin = at, end = at;
    while (begin < length && isspace((unsigned char)text[begin])) begin++;
    end = begin;
    bool name = end < length && (isalnum((unsigned char)text[end]) || text[end] == '_');
    while (name && begin > 0 && (isalnum((unsigned char)text[begin - 1]) || text[begin - 1] == '_'))
        begin--;
    while (name && end < length &&
           (isalnum((unsigned char)text[end]) || text[end] == '_' || text[end] == '.'))
        end++;
    if (!name && end < length) end++;
    return (Piece){begin, end};
}

static Piece line(Random* chance, const char* text, size_t length) {
    size_t begin = below(chance, length), end;
    while (begin > 0 && text[begin - 1] != '\n') begin--;
    for (end = begin; end < length && text[end] != '\n';) end++;
    return (Piece){begin, end + (end < length)};
}

static Piece number(Random* chance, const char* text, size_t length) {
    size_t from = below(chance, length);
    for (size_t k = 0; k < length; k++) {
        size_t begin = (from + k) % length, end = begin;
        while (end < length && (isdigit((unsigned char)text[end]) || text[end] == '.')) end++;
        if (end > begin && (begin == 0 || !isalnum((unsigned char)text[begin - 1])))
            return (Piece){begin, end};
    }
    return (Piece){from, from};
}

static void change_number(Random* chance, Text* t) {
    static const char* const numbers[] = {
        "0",     "1",       "-1",     "2",     "1e-9",   "1e9",
        "1e300", "1e-300",  "5e-324", "1e308", "1e-320", "9007199254740993",
        "0.1",   "3.14159", "1e16",   "0.5",   "100",    "1000",
        "1e5",   "(1/0)",   "(0/0)",  "1/3",   "-0.0",   "1e999"};
    const char* by = numbers[below(chance, sizeof numbers / sizeof *numbers)];
    replace(t, number(chance, t->data, t->length), by, strlen(by));
}

static void change_byte(Random* chance, Text* t) {
    size_t at = below(chance, t->length);
    char byte = (char)random_bits(chance);
    size_t old = below(chance, 3);  // new, other, gone with some more
    Piece piece = {at, old == 0 ? at : old == 1 ? at + 1 : at + 1 + below(chance, 20)};
    if (piece.end > t->length) piece.end = t->length;
    replace(t, piece, &byte, old < 2);
}

static void change_word(Random* chance, const Corpus* corpus, Text* t) {
    static const char* const words[] = {
        "(",          ")",          "'",       "''",        "[",    "]",     "..",      ",",
        ":",          "=",          "~",       "+",         "*",    "/",     "^",       "-",
        "sin",        "sqrt",       "abs",     "exp",       "log",  "d",     "virtual", "sum",
        "if",         "t",          "norm",    "by",        "free", "force", "circle",  "sphere",
        "rotation",   "space",      "line",    "model",     "run",  "stop",  "start",   "operator",
        "constraint", "coordinate", "kinetic", "potential", "\n"};
    const char* other = corpus->text[below(chance, corpus->count)];
    if (below(chance, 2)) other = t->data;
    size_t length = other == t->data ? t->length : strlen(other);
    Piece by = word(chance, other, length);
    char copy[300];
    size_t size = by.end - by.begin < sizeof copy ? by.end - by.begin : sizeof copy;
    memcpy(copy, other + by.begin, size);
    if (below(chance, 3) == 0) {
        const char* known = words[below(chance, sizeof words / sizeof *words)];
        size = strlen(known);
        memcpy(copy, known, size);
    }
    Piece old = word(chance, t->data, t->length);
    if (below(chance, 3) == 0) old.end = old.begin;
    replace(t, old, copy, size);
}

static void change_line(Random* chance, const Corpus* corpus, Text* t) {
    Piece a = line(chance, t->data, t->length), b = line(chance, t->data, t->length);
    const char* other = corpus->text[below(chance, corpus->count)];
    char copy[LARGEST];
    size_t size;
    switch (below(chance, 4)) {
    case 0:  // lost
        replace(t, a, "", 0);
        break;
    case 1:  // in another place as well
        size = a.end - a.begin < sizeof copy ? a.end - a.begin : sizeof copy;
        memcpy(copy, t->data + a.begin, size);
        replace(t, (Piece){b.begin, b.begin}, copy, size);
        break;
    case 2:  // in the place of another
        size = a.end - a.begin < sizeof copy ? a.end - a.begin : sizeof copy;
        memcpy(copy, t->data + a.begin, size);
        replace(t, b, copy, size);
        break;
    default: {  // from another model
        Piece foreign = line(chance, other, strlen(other));
        replace(t, (Piece){b.begin, b.begin}, other + foreign.begin, foreign.end - foreign.begin);
    }
    }
}

char* mutant_make(const Corpus* corpus, uint64_t seed, size_t* length) {
    Random chance = {seed * 0x2545F4914F6CDD1Du + 1};
    const char* from = corpus->text[below(&chance, corpus->count)];
    Text t = {malloc(ROOM + 1), strlen(from)};
    if (!t.data) abort();
    memcpy(t.data, from, t.length);
    size_t changes = 1 + below(&chance, 3) * below(&chance, 3);
    for (size_t i = 0; i < changes && t.length > 0; i++) {
        switch (below(&chance, 8)) {
        case 0:
            change_byte(&chance, &t);
            break;
        case 1:
        case 2:
            change_line(&chance, corpus, &t);
            break;
        case 3:
        case 4:
        case 5:
            change_number(&chance, &t);
            break;
        default:
            change_word(&chance, corpus, &t);
        }
    }
    *length = t.length;
    return t.data;
}
