// Keeping numbers: one walk over what is kept, which writes it or reads it back.
//
// Who has something to keep has one function that names all of it; called with a LiaKeep that
// writes it gives the bytes, called with one that reads it takes them. So what is written and what
// is read cannot differ. Bytes are as they are in memory: they are read back by the same build.
// Everything read is checked against the bounds it must have, so that no text makes an index that
// is out of range: the first thing that is wrong is remembered, and from then on nothing is
// changed.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/text/text.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A struct all fields of which somebody keeps, by its size: one field more, and this must be
/// looked at again, together with the function after it. (Of the usual 64-bit machines; the others
/// have the same fields.)
#define LIA_KEEP_ALL(type, size)                                                                   \
    _Static_assert(sizeof(void*) != 8 || sizeof(type) == (size),                                   \
                   #type " has other fields than before: keep them, then set its size here")

typedef struct LiaKeep {
    LiaText* out;    // writing; NULL: reading
    const char* at;  // what is left to read
    size_t left;
    bool wrong;  // what was read cannot be
} LiaKeep;

static inline bool lia_keep_reads(const LiaKeep* keep) { return !keep->out; }
/// May what was read be gone on with?
static inline bool lia_keep_good(const LiaKeep* keep) { return !keep->wrong; }
/// Say that it may not.
static inline void lia_keep_refuse(LiaKeep* keep) { keep->wrong = true; }

void lia_keep_doubles(LiaKeep* keep, double* x, size_t count);
/// Whole numbers between bounds, both included.
void lia_keep_ints(LiaKeep* keep, int* x, size_t count, int least, int most);
/// Rows of a matrix in use: the first `used` of `count` numbers from 0 to count - 1, each larger
/// than the one before.
void lia_keep_rows(LiaKeep* keep, int* x, int used, size_t count);
void lia_keep_sizes(LiaKeep* keep, size_t* x, size_t count, size_t most);
void lia_keep_counts(LiaKeep* keep, uint64_t* x, size_t count);
void lia_keep_bools(LiaKeep* keep, bool* x, size_t count);
/// Sides of guards: any bytes.
void lia_keep_signs(LiaKeep* keep, signed char* x, size_t count);

static inline void lia_keep_double(LiaKeep* keep, double* x) { lia_keep_doubles(keep, x, 1); }
static inline void lia_keep_int(LiaKeep* keep, int* x, int least, int most) {
    lia_keep_ints(keep, x, 1, least, most);
}
static inline void lia_keep_bool(LiaKeep* keep, bool* x) { lia_keep_bools(keep, x, 1); }
/// A number that the reader knows already: another one is wrong.
void lia_keep_same(LiaKeep* keep, size_t x);
/// Is something there? Of the writer's side it is `there`; on the reader's that of the text.
bool lia_keep_there(LiaKeep* keep, bool there);
/// A length of a list that the reader makes room for: at most `most`, and no more than the text has
/// bytes for, of `size` each.
size_t lia_keep_length(LiaKeep* keep, size_t length, size_t most, size_t size);
