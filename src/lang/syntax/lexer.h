// Lexer: the text of a model as a row of tokens, one at a time.
//
// A token knows whether it stands in column 1: there a statement begins, and the one above ends.
// Comments, blank lines and line ends are not tokens.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/number.h"
#include "lang/context.h"

typedef enum LiaTokenKind {
    LIA_TOKEN_END,  // of the text; the parser also reads it where a statement ends
    LIA_TOKEN_BAD,  // what is wrong has been said
    LIA_TOKEN_NAME,
    LIA_TOKEN_NUMBER,
    LIA_TOKEN_TEXT,  // "..."
    LIA_TOKEN_PLUS,
    LIA_TOKEN_MINUS,
    LIA_TOKEN_STAR,
    LIA_TOKEN_SLASH,
    LIA_TOKEN_CARET,
    LIA_TOKEN_PRIME,
    LIA_TOKEN_OPEN,
    LIA_TOKEN_CLOSE,
    LIA_TOKEN_OPEN_SQUARE,
    LIA_TOKEN_CLOSE_SQUARE,
    LIA_TOKEN_OPEN_BRACE,  // in `bracket` alone
    LIA_TOKEN_CLOSE_BRACE,
    LIA_TOKEN_COMMA,
    LIA_TOKEN_COLON,
    LIA_TOKEN_DOT,
    LIA_TOKEN_RANGE,  // ..
    LIA_TOKEN_TILDE,
    LIA_TOKEN_EQUAL,
    LIA_TOKEN_SAME,       // == (an error that says what to do)
    LIA_TOKEN_DIFFERENT,  // !=
    LIA_TOKEN_LESS,
    LIA_TOKEN_LESS_EQUAL,
    LIA_TOKEN_GREATER,
    LIA_TOKEN_GREATER_EQUAL,
} LiaTokenKind;

typedef struct LiaToken {
    LiaTokenKind kind;
    bool first;  // in column 1
    LiaSpan span;
    LiaSymbol symbol;  // NAME
    LiaNumber number;  // NUMBER
} LiaToken;

typedef struct LiaLexer {
    LiaContext* context;
    uint32_t at, length;
    bool braces;  // the statement is a `bracket`: { and } are marks of it
} LiaLexer;

/// Check the bytes of the text (UTF-8, no NUL, line ends). False: no use in reading on.
bool lia_lexer_check(LiaContext* context);
LiaLexer lia_lexer_begin(LiaContext* context);
LiaToken lia_lexer_next(LiaLexer* lexer);
/// Go to the next line that begins a statement, without looking at what lies between.
void lia_lexer_skip(LiaLexer* lexer);
