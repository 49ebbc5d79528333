// Writing a formula as a line of text, in one of several ways: the language (print.c), LaTeX
// (latex.c).
//
// A formula is taken apart with a stack of our own, whose items are pieces of text and formulas
// still to be written: nothing recurses, however deep a formula is. Only the files that write
// formulas use this header.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/reading/formula_text.h"

// How tightly a piece of text holds together, loosest first.
typedef enum LiaPrecedence {
    LIA_PRECEDENCE_ANY,  // inside brackets, between commas
    LIA_PRECEDENCE_OR,
    LIA_PRECEDENCE_AND,
    LIA_PRECEDENCE_NOT,
    LIA_PRECEDENCE_COMPARISON,
    LIA_PRECEDENCE_SUM,
    LIA_PRECEDENCE_PRODUCT,
    LIA_PRECEDENCE_MINUS,  // -x
    LIA_PRECEDENCE_POWER,
    LIA_PRECEDENCE_ATOM,
} LiaPrecedence;

typedef struct LiaPiece {
    const char* text;          // or NULL, and then
    LiaExpr formula;           // or {0}, and then
    LiaNumber number;          // a number that is no node
    LiaPrecedence precedence;  // brackets if the formula holds together less than this
    bool leading;  // nothing stands to its left inside the same brackets: may begin with "-"
} LiaPiece;

typedef struct LiaWriter {
    const LiaGraph* g;
    const char* const* names;  // by node: written for it; NULL: none
    LiaText* out;
    LiaPiece* pieces;
    size_t count, capacity;
    bool failed;
} LiaWriter;

// The name to write and how many primes (or dots) it wants: a velocity goes by its position's name.
typedef struct LiaCalled {
    const char* name;
    int primes;
    char buffer[32];  // a name made up
} LiaCalled;

// A way of writing; `other` writes what the ways do not share.
typedef struct LiaWriting {
    const char *open, *close, *pi, *less_equal, *both, *either;
    LiaPrecedence (*precedence)(const LiaGraph* g, LiaExpr f);
    void (*number)(LiaText* out, LiaNumber n);
    void (*symbol)(LiaWriter* w, const LiaCalled* called);
    void (*other)(LiaWriter* w, const LiaNode* n, bool leading);
} LiaWriting;

/// Write f. Stops with "..." where the text is too long. `names`, by node, or NULL: what is
/// written by its name.
void lia_writer_out(const LiaGraph* g, LiaExpr f, const char* const* names,
                    const LiaWriting* writing, LiaText* out);

// --- pieces

static inline LiaPiece lia_say(const char* text) { return (LiaPiece){.text = text}; }

static inline LiaPiece lia_figure(LiaNumber number) { return (LiaPiece){.number = number}; }

static inline LiaPiece lia_part(uint32_t index, LiaPrecedence precedence, bool leading) {
    return (LiaPiece){.formula = {index}, .precedence = precedence, .leading = leading};
}

/// What is pushed last is written first.
void lia_writer_push(LiaWriter* w, LiaPiece piece);
/// Pieces in the order of reading.
void lia_writer_push_all(LiaWriter* w, const LiaPiece* pieces, size_t count);

#define LIA_PUSH(w, ...)                                                                           \
    do {                                                                                           \
        const LiaPiece list_[] = {__VA_ARGS__};                                                    \
        lia_writer_push_all((w), list_, sizeof list_ / sizeof list_[0]);                           \
    } while (0)

/// At once.
void lia_writer_add(LiaWriter* w, const char* text);
/// The fewest digits that read back as the same double.
void lia_writer_real(LiaText* out, double x);
/// Operators that stand between their arguments, and the precedences these must have.
void lia_writer_operator(LiaWriter* w, const LiaNode* n, bool leading, const char* sign,
                         LiaPrecedence left, LiaPrecedence right);
/// A product, its factors in the order one writes them; times() says what stands before a factor,
/// `sign` what does where there are too many to look at each.
void lia_writer_product(LiaWriter* w, const LiaNode* n, bool leading, const char* sign,
                        const char* (*times)(const LiaGraph* g, LiaExpr factor));

// --- what one asks of a formula

LiaPrecedence lia_writer_precedence(const LiaGraph* g, LiaExpr f);
bool lia_writer_constant(const LiaGraph* g, uint32_t index, LiaNumber* out);
bool lia_writer_is_one(const LiaGraph* g, uint32_t index);
