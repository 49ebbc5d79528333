// The text of a quotient while it is written: its variables, and pieces of text with formulas
// between them, so that formulas that are used again can be given names first.
// SPDX-License-Identifier: MIT
#pragma once
#include "study/reduce/reduce.h"

// A variable of the quotient: a momentum, or a position, which moves with the velocities of up to
// three slots.
typedef struct LiaReduceVariable {
    const char* name;
    const char* manifold;  // NULL: a component of a vector that was declared before
    bool momentum;
    uint32_t slot[3];
    LiaExpr factor[3];
    int terms;
    double start;
} LiaReduceVariable;

// "before FORMULA after" once the names of shared formulas are known.
typedef struct LiaReducePiece {
    const char* text;
    LiaExpr formula;  // {0}: none
    bool factor;      // before a '*': a sum stands in brackets
} LiaReducePiece;

typedef struct LiaReduceCarry LiaReduceCarry;

typedef struct LiaReducePage {
    const LiaReduce* x;
    LiaText* out;
    LiaReduceVariable* variables;
    uint32_t count;
    LiaReducePiece* pieces;
    uint32_t piece_count, piece_capacity;
    LiaReduceCarry* carry;  // what the group moves, by matrices; NULL: not so
    bool carried;           // the force that moves it has begun
    bool failed;
} LiaReducePage;

/// Text, then a formula ({0}: none); `factor`: it stands before a '*'.
void lia_reduce_text_put(LiaReducePage* page, const char* text, LiaExpr formula, bool factor);
void lia_reduce_text_say(LiaReducePage* page, const char* text);
/// The name of a symbol.
const char* lia_reduce_text_name(const LiaReduce* x, LiaSymbolKind kind, uint32_t number);

// reduce_orbit.c: what the group moves
/// Do the coordinates of the orbit move by themselves?
bool lia_reduce_orbit_is_closed(const LiaReduce* x);
void lia_reduce_orbit_declare(LiaReducePage* page);
void lia_reduce_orbit_move(LiaReducePage* page);
void lia_reduce_orbit_start(LiaReducePage* page);

// reduce_carry.c: the same by matrices
/// Are the generators affine? Then the rest can be called.
bool lia_reduce_carry_find(LiaReducePage* page);
void lia_reduce_carry_declare(LiaReducePage* page);
/// How the matrices move, and the coordinates they carry along, as `observe moved_NAME`.
void lia_reduce_carry_move(LiaReducePage* page);
void lia_reduce_carry_start(LiaReducePage* page);
