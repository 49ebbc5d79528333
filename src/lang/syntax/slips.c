// Slips: the table of habits in slips.def, and those that are no single word.
// SPDX-License-Identifier: MIT
#include "lang/syntax/slips.h"
#include "lang/elaborate/builtin.h"
#include "lang/value/unit.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct Slip {
    LiaSlipKind kind;
    const char *text, *help;
} Slip;

static const Slip slips[] = {
#define LIA_SLIP(kind, text, help) {LIA_SLIP_##kind, text, help},
#include "lang/syntax/slips.def"
#undef LIA_SLIP
};

const char* lia_slips_find(LiaSlipKind kind, const char* text, size_t length) {
    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++) {
        if (slips[i].kind == kind && strlen(slips[i].text) == length &&
            (memcmp(slips[i].text, text, length) == 0 ||
             (kind == LIA_SLIP_CALL && strncasecmp(slips[i].text, text, length) == 0))) {
            return slips[i].help;
        }
    }
    return NULL;
}

const char* lia_slips_after_number(LiaContext* context, LiaSpan word) {
    LiaMeasure measure;
    if (!lia_unit_find_measure(lia_context_quote(context, word), &measure)) {
        return "multiplication is written '*'";
    }
    return "a unit stands after 'in', as in 30 in deg; multiplication is written '*'";
}

// "write sin(x)" for `sin x`: the name of a function, and after it what could be its argument.
static const char* say_brackets(LiaContext* context, LiaSpan last, const LiaToken* token) {
    bool operand = token->kind == LIA_TOKEN_NAME || token->kind == LIA_TOKEN_NUMBER;
    const char* function = lia_context_quote(context, last);
    if (!operand || !lia_builtin_find(function)) {
        return NULL;
    }
    if (strcmp(function, "if") == 0) return "write if(condition, a, b)";
    const char* argument = lia_context_quote(context, token->span);
    size_t size = strlen(function) + strlen(argument) + 64;
    char* help = lia_context_scratch(context, size);
    snprintf(help, size, "a function has its arguments in brackets: %s(%s)", function, argument);
    return help;
}

// `control u = every 0.1`: nothing stands before the word, so it is read as a name.
static const char* say_every(LiaContext* context, LiaSpan last, const LiaToken* token) {
    bool time = token->kind == LIA_TOKEN_NUMBER || token->kind == LIA_TOKEN_NAME;
    if (!time || strcmp(lia_context_quote(context, last), "every") != 0) return NULL;
    uint32_t end = last.begin;
    while (end > 0 && context->source.text[end - 1] == ' ') end--;
    if (end == 0 || context->source.text[end - 1] != '=') return NULL;
    return "what a control is set to stands before 'every': 'control NAME = e every T'";
}

const char* lia_slips_between(LiaContext* context, LiaSpan last, const LiaToken* token) {
    uint32_t at = token->span.begin;
    if (at == 0 || token->first) {
        return NULL;
    }
    char before = context->source.text[at - 1], c = context->source.text[at];
    if (c == '*' && before == '*') {
        return "a power is written '^'";
    }
    char after = context->source.text[at + 1];
    bool comment = c == '/' && (after == '/' || after == '*');
    if (comment || ((c == '/' || c == '*') && before == '/')) {
        return "a comment begins with '#'";
    }
    if ((c == '^' || c == '*' || c == '/') && before == '.') {
        return "leave out the point; a velocity is written x'";
    }
    if (token->kind == LIA_TOKEN_SAME) {
        return "write a single '='";
    }
    const char* every = say_every(context, last, token);
    return every ? every : say_brackets(context, last, token);
}

// The name that ends before `end`: where it begins.
static uint32_t name_before(const LiaContext* context, uint32_t end) {
    const char* text = context->source.text;
    while (end > 0 && (isalnum((unsigned char)text[end - 1]) || text[end - 1] == '_')) end--;
    return end;
}

// The word before the one that ends at `end`; "" where another mark stands between them.
static LiaSpan word_before(const LiaContext* context, LiaSpan word) {
    const char* text = context->source.text;
    uint32_t end = word.begin;
    while (end > 0 && text[end - 1] == ' ') end--;
    return (LiaSpan){name_before(context, end), end};
}

static bool is_word(LiaContext* context, LiaSpan word, const char* what) {
    return word.end > word.begin && strcmp(lia_context_quote(context, word), what) == 0;
}

// "give it a name" of a statement that needs one, where none stands after its keyword.
static const char* say_nameless(LiaContext* context, LiaSpan last) {
    static const char* const named[] = {"force",   "moment",   "joint", "constraint",
                                        "contact", "operator", "event", "symmetry"};
    const char* word = lia_context_quote(context, last);
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        if (strcmp(word, named[i]) != 0) continue;
        char* help = lia_context_scratch(context, 120);
        snprintf(help, 120, "give it a name, then ':' and what it says: '%s NAME: ...'", word);
        return help;
    }
    return NULL;
}

// Coefficients by the letters that books give them.
static const char* say_coefficient(LiaContext* context, const LiaToken* token) {
    const char* name = lia_context_name_text(context, token->symbol);
    if (strncmp(name, "mu", 2) == 0 || strcmp(name, "μ") == 0 || strcmp(name, "µ") == 0)
        return "a coefficient of friction is written 'friction 0.3'";
    if (strcmp(name, "e") == 0 || strcmp(name, "eps") == 0 || strcmp(name, "bounce") == 0)
        return "a coefficient of restitution is written 'restitution 0.5'";
    return NULL;
}

// What begins and ends does so by an event, which has a name.
static const char* say_event(LiaContext* context, LiaSpan last) {
    LiaSpan before = word_before(context, last);
    bool from = is_word(context, last, "from") || is_word(context, before, "from");
    if (!from && !is_word(context, last, "until") && !is_word(context, before, "until")) {
        return NULL;
    }
    return from ? "write when it happens: 'event begins: t = 2', then 'from begins'"
                : "write when it happens: 'event ends: t = 2', then 'until ends'";
}

// Before a bracket that does not fit: sin^2(x), np.cos(x).
static const char* say_call(LiaContext* context, LiaSpan last) {
    const char* text = context->source.text;
    char before = last.begin > 0 ? text[last.begin - 1] : ' ';
    const char* word = lia_context_quote(context, last);
    if (before == '.' && lia_builtin_find(word)) return "functions have no prefix: cos(x), sqrt(x)";
    if (before != '^') return NULL;
    LiaSpan function = {name_before(context, last.begin - 1), last.begin - 1};
    if (function.begin == function.end || !lia_builtin_find(lia_context_quote(context, function))) {
        return NULL;
    }
    return "the power of a function stands after its brackets: sin(x)^2";
}

// A name that does not fit: a unit, dx, the argument of `lambda`.
static const char* say_name(LiaContext* context, LiaSpan last, const LiaToken* token) {
    const char* name = lia_context_name_text(context, token->symbol);
    LiaMeasure measure;
    if (strcmp(lia_context_quote(context, last), "lambda") == 0) {
        return "write 'function NAME(x) = expression'";
    }
    if (strcmp(name, "if") == 0) return "write if(condition, a, b)";
    if (strcmp(name, "from") == 0 && strcmp(lia_context_quote(context, last), "t") == 0) {
        return "write 'run t = 0..10'";
    }
    if (strcmp(name, "by") == 0) return "'by' belongs to an operator; a force is F*d(x)";
    if (strcmp(name, "every") == 0) {
        return "what follows in 'run' stands after ',': 'run t = 0..10, every 0.01'";
    }
    if (strcmp(name, "step") == 0 || strcmp(name, "samples") == 0) {
        return "what follows in 'run' stands after ',': 'run t = 0..10, step at most 0.01'";
    }
    if (strcmp(name, "in") == 0) {
        return "a unit stands at the end of a definition, 'parameter a = 30 in deg', and the name "
               "a here";
    }
    if (strcmp(name, "vs") == 0 || strcmp(name, "over") == 0) return "curves over t are 't: x, y'";
    if (name[0] == 'd' && strlen(name) == 2 && name[1] >= 'a') {
        return "a one-form is written d(x), and multiplied with '*'";
    }
    if (strcmp(name, "deg") == 0) {
        return "degrees stand after 'in', at the end of a definition or start: 'start a = 60 in "
               "deg'; in a formula write 60*pi/180";
    }
    if (is_word(context, word_before(context, last), "every")) {
        return "this time is a number in seconds, or a parameter: 'parameter T = 10 in ms' and "
               "'every T'";
    }
    if (lia_unit_find_measure(name, &measure)) {
        return "a unit stands after 'in', as in 2 in kg; multiplication is written '*'";
    }
    return NULL;
}

const char* lia_slips_expected(LiaContext* context, LiaSpan last, const LiaToken* token,
                               const char* expected) {
    const char* text = context->source.text;
    bool operand = strcmp(expected, "an expression") == 0, square = strstr(expected, "']'");
    bool end = strcmp(expected, "the end of the statement") == 0;
    switch (token->kind) {
    case LIA_TOKEN_EQUAL:
        if (strstr(expected, "if(condition"))
            return "two real numbers are equal at single instants only: write '<', '<=', '>' or "
                   "'>='";
        return operand ? "leave out the '='" : end ? say_event(context, last) : NULL;
    case LIA_TOKEN_PLUS:
    case LIA_TOKEN_MINUS:
        if (strstr(expected, "'=' and the value")) return "write all of it: x' = x' + 2";
        if (!end || !is_word(context, word_before(context, last), "in")) return NULL;
        return "a value has one unit, at its end: 'parameter a = 2 in m, b = 3 in cm, c = a + b'";
    case LIA_TOKEN_COLON:
    case LIA_TOKEN_RANGE:
        if (operand) return "an energy has no name: leave out the ':'";
        if (strcmp(expected, "']'") == 0) return "an index has a name and a range: 'y[i = 1..N]'";
        if (!square) return NULL;
        return "members are named one by one, 'y[1]', and added up with 'sum(i = 1..N, y[i])'; "
               "only a declaration has a range, 'y[i = 1..N]'";
    case LIA_TOKEN_COMMA:
        if (strcmp(expected, "')'") != 0) return NULL;
        return "a vector is written [a, b]; a plot has no brackets: 'plot x, y', 'plot t: x'";
    case LIA_TOKEN_NUMBER:
        if (strcmp(expected, "the name of an event") == 0) return say_event(context, last);
        if (strcmp(expected, "a name") != 0) return NULL;
        return text[token->span.begin - 1] == ',' ? "a decimal number has a point: 1.5"
                                                  : say_nameless(context, last);
    case LIA_TOKEN_OPEN:
        if (strstr(expected, "a manifold"))
            return "it depends on the time by itself: leave out '(t)'";
        return say_call(context, last);
    case LIA_TOKEN_OPEN_SQUARE:
        return strcmp(expected, "a name") == 0 ? say_nameless(context, last) : NULL;
    case LIA_TOKEN_NAME:
        if (strstr(expected, "'friction'")) return say_coefficient(context, token);
        if (strstr(expected, "a manifold")) return "names are separated by ',': 'x, y : line'";
        return say_name(context, last, token);
    default:
        return NULL;
    }
}

const char* lia_slips_at_end(const char* expected) {
    if (strstr(expected, "a manifold"))
        return "a length is 'NAME : line in m', an angle 'NAME : circle'";
    if (strstr(expected, "name of a colour"))
        return "there are red, orange, yellow, green, teal, blue, purple, pink, brown, gray, black "
               "and white";
    return NULL;
}

const char* lia_slips_greek(const char* name) {
    static const char* const letters[][2] = {
        {"α", "alpha"},  {"β", "beta"},  {"γ", "gamma"}, {"δ", "delta"}, {"ε", "epsilon"},
        {"ζ", "zeta"},   {"η", "eta"},   {"θ", "theta"}, {"ϑ", "theta"}, {"κ", "kappa"},
        {"λ", "lambda"}, {"μ", "mu"},    {"ν", "nu"},    {"ξ", "xi"},    {"ρ", "rho"},
        {"σ", "sigma"},  {"τ", "tau"},   {"φ", "phi"},   {"ϕ", "phi"},   {"χ", "chi"},
        {"ψ", "psi"},    {"ω", "omega"},
    };
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        if (strcmp(name, letters[i][0]) == 0) return letters[i][1];
        if (strcmp(name, letters[i][1]) == 0) return letters[i][0];
    }
    return NULL;
}

size_t lia_slips_rate(const char* name, size_t* begin, int* primes) {
    static const struct {
        const char *before, *after;
        int primes;
    } ways[] = {
        // longer ones first
        {"", "_double_dot", 2}, {"", "_dotdot", 2}, {"", "dotdot", 2}, {"", "_ddot", 2},
        {"", "ddot", 2},        {"", "_dot", 1},    {"", "dot", 1},    {"", "_prime", 1},
        {"d", "_dt", 1},        {"d", "dt", 1},     {"dot_", "", 1},   {"d", "", 1},
    };
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        size_t n = strlen(ways[i].before), m = strlen(ways[i].after);
        if (length > n + m && strncmp(name, ways[i].before, n) == 0 &&
            strcmp(name + length - m, ways[i].after) == 0) {
            *begin = n;
            *primes = ways[i].primes;
            return length - n - m;
        }
    }
    return 0;
}
