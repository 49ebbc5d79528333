// Work on a flag: what flag.c, brackets.c, holonomic_forms.c and leaf.c share. Only they use this
// header.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/integrability/flag.h"
#include "geometry/integrability/kernel_fields.h"

enum {
    LIA_FLAG_WORDS = 240,    // brackets that are not zero, at most
    LIA_FLAG_NODES = 120000  // that a flag adds to the graph, at most
};

typedef struct LiaFlagWord {
    LiaExpr* field;   //                                    (N)
    uint32_t length;  // how many fields it is made of
    uint32_t step;    // of the derived flag in which it appears, from 0
    double* value;    // by place, of size 1 or 0 in units  (places x N)
    double* noise;    // what rounding makes of it          (places)
} LiaFlagWord;

typedef struct LiaFlagWork {
    LiaKernelFields k;
    const LiaSystem* s;
    LiaFlag* out;
    LiaArena* arena;
    size_t N;
    uint32_t places;
    double* t;
    const double** q;  //                                   (places)
    double* unit;      // of each coordinate                (places x N)
    LiaFlagWord word[LIA_FLAG_WORDS];
    uint32_t words, fresh;  // fresh: words whose values are known
    uint32_t* memo;         // L_V of nodes
    uint32_t memo_room;
    double *rows, *noise, *size;
    uint32_t nodes;  // the graph has at the beginning of a flag
    bool full;       // no more words
    bool every;      // all words are kept
    bool leaves;     // are asked for
    bool dropped;    // a word that rounding hides
    bool hidden;     // rounding may hide a direction at the place looked at last
    bool doubt;      // rounding may hide a direction at the place of the largest rank
} LiaFlagWork;

/// [V, U] as a new word, unless it is zero. False if memory is out.
bool lia_brackets_add(LiaFlagWork* w, uint32_t v, uint32_t u, uint32_t step);
/// Defects and combinations of out. False if memory is out.
bool lia_holonomic_forms_find(LiaFlagWork* w);
/// leaf.c: the words span the last distribution around the start, the first sample. False if memory
/// is out.
bool lia_leaf_find(LiaFlagWork* w, const LiaSamples* samples, LiaLeaf* out);
