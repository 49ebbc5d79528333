// Slips: the table of habits in slips.def, and those that are no single word.
// SPDX-License-Identifier: MIT
#include "slips.h"
#include "builtins.h"
#include <stdio.h>
#include <string.h>

typedef struct Slip {
    LiaSlipKind kind;
    const char *text, *help;
} Slip;

static const Slip slips[] = {
#define LIA_SLIP(kind, text, help) {LIA_SLIP_##kind, text, help},
#include "slips.def"
#undef LIA_SLIP
};

const char* lia_slip_find(LiaSlipKind kind, const char* text, size_t length) {
    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++) {
        if (slips[i].kind == kind && strlen(slips[i].text) == length &&
            memcmp(slips[i].text, text, length) == 0) {
            return slips[i].help;
        }
    }
    return NULL;
}

// "write sin(x)" for `sin x`: the name of a function, and behind it what could be its argument.
static const char* say_brackets(LiaContext* context, LiaSpan last, const LiaToken* token) {
    bool operand = token->kind == LIA_TOKEN_NAME || token->kind == LIA_TOKEN_NUMBER;
    const char* function = lia_context_quote(context, last);
    if (!operand || !lia_builtin_find(function)) {
        return NULL;
    }
    const char* argument = lia_context_quote(context, token->span);
    size_t size = strlen(function) + strlen(argument) + 64;
    char* help = lia_context_scratch(context, size);
    snprintf(help, size, "a function has its arguments in brackets: %s(%s)", function, argument);
    return help;
}

const char* lia_slip_between(LiaContext* context, LiaSpan last, const LiaToken* token) {
    uint32_t at = token->span.begin;
    if (at == 0 || token->first) {
        return NULL;
    }
    char before = context->source.text[at - 1], c = context->source.text[at];
    if (c == '*' && before == '*') {
        return "a power is written '^'";
    }
    if ((c == '/' || c == '*') && before == '/') {
        return "a comment begins with '#'";
    }
    if ((c == '^' || c == '*' || c == '/') && before == '.') {
        return "leave out the point; a velocity is written x'";
    }
    if (token->kind == LIA_TOKEN_SAME) {
        return "write a single '='";
    }
    return say_brackets(context, last, token);
}

size_t lia_slip_rate(const char* name, size_t* begin, int* primes) {
    static const struct {
        const char *before, *behind;
        int primes;
    } ways[] = {
        // longer ones first
        {"", "_double_dot", 2}, {"", "_dotdot", 2}, {"", "dotdot", 2}, {"", "_ddot", 2},
        {"", "ddot", 2},        {"", "_dot", 1},    {"", "dot", 1},    {"", "_prime", 1},
        {"d", "_dt", 1},        {"d", "dt", 1},     {"dot_", "", 1},   {"d", "", 1},
    };
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        size_t n = strlen(ways[i].before), m = strlen(ways[i].behind);
        if (length > n + m && strncmp(name, ways[i].before, n) == 0 &&
            strcmp(name + length - m, ways[i].behind) == 0) {
            *begin = n;
            *primes = ways[i].primes;
            return length - n - m;
        }
    }
    return 0;
}
