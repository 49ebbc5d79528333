// Slips: what fingers write that are used to other languages. Each is an error with a code of its
// own kind; here is only the help line that says what it is called in this language.
// SPDX-License-Identifier: MIT
#pragma once
#include "lang/syntax/lexer.h"

typedef enum LiaSlipKind {
    LIA_SLIP_CHARACTER,
    LIA_SLIP_CALL,
    LIA_SLIP_NAME,
    LIA_SLIP_WORD,
    LIA_SLIP_MANIFOLD,
    LIA_SLIP_JOINT,
    LIA_SLIP_SHAPE
} LiaSlipKind;

/// What to write instead; NULL where nothing is known. The text need not be closed by a NUL.
const char* lia_slips_find(LiaSlipKind kind, const char* text, size_t length);

/// What a word right after the digits of a number was meant to be: a unit, or a factor.
const char* lia_slips_after_number(LiaContext* context, LiaSpan word);

/// What two tokens side by side were meant to be, as `**`, `//` or `sin x`: `last` was read,
/// `token` does not fit. NULL where nothing is known.
const char* lia_slips_between(LiaContext* context, LiaSpan last, const LiaToken* token);

/// What `token` was meant to be where something else was expected, as in `y[1:N]`, `mass = 2` or
/// `sin^2(x)`. NULL where nothing is known.
const char* lia_slips_expected(LiaContext* context, LiaSpan last, const LiaToken* token,
                               const char* expected);
/// The same where the statement ends before what was `expected`.
const char* lia_slips_at_end(const char* expected);

/// "theta" for "θ" and "θ" for "theta"; NULL where it is no such letter.
const char* lia_slips_greek(const char* name);

/// A name made of another one and a word for its derivative, as x_dot, xdot, x_ddot or dx: how many
/// bytes of `name` from *begin on are the other one, 0 if it is no such name; *primes how many
/// derivatives.
size_t lia_slips_rate(const char* name, size_t* begin, int* primes);
