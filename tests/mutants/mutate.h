// Mutants: model texts with mistakes of every kind, made from models that are right.
// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct Corpus {
    char** text;
    size_t count;
} Corpus;

/// All models of examples, tests/refs and tests/language, in the order of their paths. Aborts where
/// there are none.
Corpus corpus_read(void);
void corpus_clear(Corpus* corpus);
/// The mutant of this number: always the same. `length` may hold bytes of any kind. Release with
/// free().
char* mutant_make(const Corpus* corpus, uint64_t number, size_t* length);
