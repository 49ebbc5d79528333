// Formulas as text. See print.h.
//
// Both ways of writing take a formula apart with a stack of their own, whose items are pieces of text and
// formulas still to be written: nothing recurses, however deep a formula is.
// SPDX-License-Identifier: MIT
#include "print.h"
#include "ops/op.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// How tightly a piece of text holds together, loosest first.
typedef enum Level {
    LEVEL_ANY,  // inside brackets, between commas
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_COMPARISON,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_MINUS,  // -x
    LEVEL_POWER,
    LEVEL_ATOM,
} Level;

// --- the stack of pieces -----------------------------------------------------------------------

typedef struct Piece {
    const char* text;  // or NULL, and then
    LiaExpr formula;   // or {0}, and then
    LiaNumber number;  // a number that is no node
    Level level;       // brackets if the formula holds together less than this
    bool leading;      // nothing stands to its left inside the same brackets: may begin with "-"
} Piece;

typedef struct Writer {
    const LiaGraph* g;
    LiaText* out;
    Piece* pieces;
    size_t count, capacity;
    bool failed;
} Writer;

static void push(Writer* w, Piece piece) {
    if (w->count == w->capacity) {
        size_t capacity = w->capacity ? w->capacity * 2 : 64;
        Piece* pieces = realloc(w->pieces, capacity * sizeof *pieces);
        if (!pieces) {
            w->failed = true;
            return;
        }
        w->pieces = pieces;
        w->capacity = capacity;
    }
    w->pieces[w->count++] = piece;
}

static Piece say(const char* text) { return (Piece){.text = text}; }

static Piece figure(LiaNumber number) { return (Piece){.number = number}; }

static Piece part(uint32_t index, Level level, bool leading) {
    return (Piece){.formula = {index}, .level = level, .leading = leading};
}

// Pieces are given in the order of reading.
static void push_all(Writer* w, const Piece* pieces, size_t count) {
    for (size_t i = count; i-- > 0;) push(w, pieces[i]);
}

#define PUSH(w, ...)                                                                               \
    do {                                                                                           \
        const Piece list_[] = {__VA_ARGS__};                                                       \
        push_all((w), list_, sizeof list_ / sizeof list_[0]);                                      \
    } while (0)

static void add(Writer* w, const char* text) { lia_text_add_bytes(w->out, text, strlen(text)); }

// --- numbers and names -------------------------------------------------------------------------

// The fewest digits that read back as the same double. Both conversions share the locale, whatever
// it is; what is written is in the C locale.
static void add_real(LiaText* out, double x) {
    if (!isfinite(x)) {
        const char* text = isnan(x) ? "0/0" : x < 0.0 ? "-1/0" : "1/0";
        lia_text_add_bytes(out, text, strlen(text));
        return;
    }
    int digits = 1;
    for (char buffer[64]; digits < 17; digits++) {
        snprintf(buffer, sizeof buffer, "%.*g", digits, x);
        if (strtod(buffer, NULL) == x) break;
    }
    lia_text_add_short(out, x, digits);
}

static void add_number(LiaText* out, LiaNumber n) {
    if (n.den == 1) {
        lia_text_add(out, "%lld", (long long)n.num);
    } else if (n.den > 1) {
        lia_text_add(out, "%lld/%lld", (long long)n.num, (long long)n.den);
    } else {
        add_real(out, n.value);
    }
}

static const char* symbol_name(const LiaGraph* g, LiaSymbolKind kind, uint32_t number) {
    return number < g->name_count[kind] ? g->names[kind][number] : NULL;
}

// The name to write and how many primes (or dots) it wants: a velocity goes by its position's name.
typedef struct Called {
    const char* name;
    int primes;
    char buffer[32];  // a name made up
} Called;

static void call_symbol(const LiaGraph* g, const LiaNode* n, Called* called) {
    static const char* const made_up[LIA_SYMBOL_KINDS] = {
        [LIA_SYMBOL_PARAMETER] = "c",   [LIA_SYMBOL_POSITION] = "q",
        [LIA_SYMBOL_VELOCITY] = "q",    [LIA_SYMBOL_ACCELERATION] = "q",
        [LIA_SYMBOL_MULTIPLIER] = "mu", [LIA_SYMBOL_WORK] = "work",
        [LIA_SYMBOL_MOMENTUM] = "p",    [LIA_SYMBOL_DISPLACEMENT] = "w"};
    LiaSymbolKind kind = (LiaSymbolKind)n->symbol_kind;
    called->primes = 0;
    called->name = symbol_name(g, kind, n->a);
    if (called->name) return;
    if (kind == LIA_SYMBOL_TIME) {
        called->name = "t";
        return;
    }
    called->primes = kind == LIA_SYMBOL_VELOCITY ? 1 : kind == LIA_SYMBOL_ACCELERATION ? 2 : 0;
    if (called->primes) called->name = symbol_name(g, LIA_SYMBOL_POSITION, n->a);
    if (called->name) return;
    snprintf(called->buffer, sizeof called->buffer, "%s[%u]", made_up[kind], (unsigned)n->a);
    called->name = called->buffer;
}

// --- what both ways of writing share -----------------------------------------------------------

static bool constant_at(const LiaGraph* g, uint32_t index, LiaNumber* out) {
    return lia_graph_constant(g, (LiaExpr){index}, out);
}

static bool is_one(const LiaGraph* g, uint32_t index) {
    LiaNumber n;
    return constant_at(g, index, &n) && n.value == 1.0;
}

static LiaNumber without_sign(LiaNumber n) {
    return (LiaNumber){fabs(n.value), n.num < 0 ? -n.num : n.num, n.den};
}

static LiaNumber whole(int64_t n) { return (LiaNumber){(double)n, n, 1}; }

// Does the text of f begin with a minus sign?
static bool begins_with_minus(const LiaGraph* g, LiaExpr f) {
    for (;;) {
        const LiaNode* n = &g->nodes[f.index];
        switch ((LiaOp)n->op) {
        case LIA_OP_NEG:
            return true;
        case LIA_OP_CONST:
            return g->numbers[n->a].value < 0.0;
        case LIA_OP_MUL:
        case LIA_OP_DIV:
            f.index = n->a;
            break;
        default:
            return false;
        }
    }
}

static Level level_of(const LiaGraph* g, LiaExpr f) {
    const LiaNode* n = &g->nodes[f.index];
    switch ((LiaOp)n->op) {
    case LIA_OP_CONST: {
        LiaNumber c = g->numbers[n->a];
        if (c.den > 1 || !isfinite(c.value)) return LEVEL_PRODUCT;  // 2/5 is written as a quotient
        return c.value < 0.0 ? LEVEL_MINUS : LEVEL_ATOM;
    }
    case LIA_OP_ADD:
    case LIA_OP_SUB:
        return LEVEL_SUM;
    case LIA_OP_MUL:
    case LIA_OP_DIV:
        return LEVEL_PRODUCT;
    case LIA_OP_NEG:
        return LEVEL_MINUS;
    case LIA_OP_POW:
        return LEVEL_POWER;
    case LIA_OP_LESS:
    case LIA_OP_LESS_EQUAL:
        return LEVEL_COMPARISON;
    case LIA_OP_NOT:
        return LEVEL_NOT;
    case LIA_OP_AND:
        return LEVEL_AND;
    case LIA_OP_OR:
        return LEVEL_OR;
    default:
        return LEVEL_ATOM;
    }
}

// Operators that stand between or before their arguments, and the levels these must have.
static void push_operator(Writer* w, const LiaNode* n, bool leading, const char* sign, Level left,
                          Level right) {
    PUSH(w, part(n->a, left, leading), say(sign), part(n->b, right, false));
}

static void push_sum(Writer* w, const LiaNode* n, bool leading) {
    LiaNumber c;
    if (n->op == LIA_OP_ADD && constant_at(w->g, n->b, &c) && c.value < 0.0) {  // u + (-3)
        PUSH(w, part(n->a, LEVEL_SUM, leading), say(" - "), figure(without_sign(c)));
        return;
    }
    bool plus = n->op == LIA_OP_ADD;
    push_operator(w, n, leading, plus ? " + " : " - ", LEVEL_SUM, plus ? LEVEL_SUM : LEVEL_PRODUCT);
}

// Factors of a product in the order one writes them: numbers, parameters, time, positions,
// velocities. The graph keeps them in the order in which they came up.
enum { FACTORS_MOST = 32 };

static int rank(const LiaGraph* g, uint32_t index) {
    int kind = 0;
    for (unsigned depends = g->nodes[index].depends; depends; depends >>= 1) kind++;
    // The bit of TIME comes before that of PARAMETER, but a reader expects m*t.
    return kind == 1 + LIA_SYMBOL_TIME ? 3 : kind == 1 + LIA_SYMBOL_PARAMETER ? 2 : 2 * kind;
}

// The factors of a tree of products, sorted; 0 if there are too many to bother.
static int gather_factors(const LiaGraph* g, const LiaNode* n, uint32_t* factors) {
    uint32_t waiting[FACTORS_MOST];
    int count = 0, open = 0;
    waiting[open++] = n->b;
    waiting[open++] = n->a;
    while (open > 0) {
        uint32_t x = waiting[--open];
        const LiaNode* m = &g->nodes[x];
        if (m->op == LIA_OP_MUL) {
            if (open + count + 2 > FACTORS_MOST) return 0;
            waiting[open++] = m->b;
            waiting[open++] = m->a;
            continue;
        }
        int at = count++;
        for (; at > 0 && rank(g, factors[at - 1]) > rank(g, x); at--) factors[at] = factors[at - 1];
        factors[at] = x;
    }
    return count;
}

// The two ways of writing, where they differ in words only; `other` writes what they do not share.
typedef struct Style {
    const char *open, *close, *pi, *less_equal, *both, *either;
    Level (*level)(const LiaGraph* g, LiaExpr f);
    void (*number)(LiaText* out, LiaNumber n);
    void (*symbol)(Writer* w, const Called* called);
    void (*other)(Writer* w, const LiaNode* n, bool leading);
} Style;

static void write_one(Writer* w, Piece piece, const Style* style) {
    const LiaGraph* g = w->g;
    LiaExpr f = piece.formula;
    const LiaNode* n = &g->nodes[f.index];
    if (style->level(g, f) < piece.level || (!piece.leading && begins_with_minus(g, f))) {
        PUSH(w, say(style->open), part(f.index, LEVEL_ANY, true), say(style->close));
        return;
    }
    switch ((LiaOp)n->op) {
    case LIA_OP_CONST:
        style->number(w->out, g->numbers[n->a]);
        return;
    case LIA_OP_PI:
        add(w, style->pi);
        return;
    case LIA_OP_SYMBOL: {
        Called called;
        call_symbol(g, n, &called);
        style->symbol(w, &called);
        return;
    }
    case LIA_OP_NEG:
        // -a*b reads (-a)*b, which is the same number: the argument may be a product.
        PUSH(w, say("-"), part(n->a, LEVEL_PRODUCT, false));
        return;
    case LIA_OP_ADD:
    case LIA_OP_SUB:
        push_sum(w, n, piece.leading);
        return;
    case LIA_OP_LESS:
        push_operator(w, n, true, " < ", LEVEL_SUM, LEVEL_SUM);
        return;
    case LIA_OP_LESS_EQUAL:
        push_operator(w, n, true, style->less_equal, LEVEL_SUM, LEVEL_SUM);
        return;
    case LIA_OP_AND:
        push_operator(w, n, true, style->both, LEVEL_AND, LEVEL_AND);
        return;
    case LIA_OP_OR:
        push_operator(w, n, true, style->either, LEVEL_OR, LEVEL_OR);
        return;
    default:
        style->other(w, n, piece.leading);
        return;
    }
}

// Runs until the stack is empty or the text is too long.
static void write_out(const LiaGraph* g, LiaExpr f, const Style* style, LiaText* out) {
    Writer writer = {.g = g, .out = out}, *w = &writer;
    size_t begin = out->length;
    if (!f.index) {
        add(w, "(none)");
        return;
    }
    push(w, part(f.index, LEVEL_ANY, true));
    while (w->count > 0 && !w->failed) {
        if (out->length - begin > LIA_PRINT_MOST) {
            add(w, "...");
            break;
        }
        Piece piece = w->pieces[--w->count];
        if (piece.text) {
            add(w, piece.text);
        } else if (piece.formula.index) {
            write_one(w, piece, style);
        } else {
            style->number(out, piece.number);
        }
    }
    free(w->pieces);
}

// --- the language ------------------------------------------------------------------------------

static void print_symbol(Writer* w, const Called* called) {
    add(w, called->name);
    for (int i = 0; i < called->primes; i++) add(w, "'");
}

static void print_other(Writer* w, const LiaNode* n, bool leading) {
    const LiaGraph* g = w->g;
    switch ((LiaOp)n->op) {
    case LIA_OP_MUL: {
        const LiaNode* right = &g->nodes[n->b];
        if (right->op == LIA_OP_DIV && is_one(g, right->a)) {  // c*(1/x) is c/x
            PUSH(w, part(n->a, LEVEL_PRODUCT, leading), say("/"),
                 part(right->b, LEVEL_MINUS, false));
            return;
        }
        uint32_t factors[FACTORS_MOST];
        int count = gather_factors(g, n, factors);
        for (int i = count; i-- > 0;) {
            push(w, part(factors[i], LEVEL_PRODUCT, leading && i == 0));
            if (i > 0) push(w, say("*"));
        }
        if (count == 0) push_operator(w, n, leading, "*", LEVEL_PRODUCT, LEVEL_PRODUCT);
        return;
    }
    case LIA_OP_DIV:
        push_operator(w, n, leading, "/", LEVEL_PRODUCT, LEVEL_MINUS);
        return;
    case LIA_OP_POW:
        push_operator(w, n, leading, "^", LEVEL_ATOM, LEVEL_ATOM);
        return;
    case LIA_OP_NOT:
        PUSH(w, say("not "), part(n->a, LEVEL_NOT, true));
        return;
    default:
        break;
    }
    const uint32_t args[3] = {n->a, n->b, n->c};
    push(w, say(")"));
    for (int i = lia_op_arity((LiaOp)n->op); i-- > 0;) {
        push(w, part(args[i], LEVEL_ANY, true));
        if (i > 0) push(w, say(", "));
    }
    PUSH(w, say(lia_op_name((LiaOp)n->op)), say("("));
}

void lia_expr_print(const LiaGraph* g, LiaExpr f, LiaText* out) {
    static const Style language = {.open = "(",
                                   .close = ")",
                                   .pi = "pi",
                                   .less_equal = " <= ",
                                   .both = " and ",
                                   .either = " or ",
                                   .level = level_of,
                                   .number = add_number,
                                   .symbol = print_symbol,
                                   .other = print_other};
    write_out(g, f, &language, out);
}

// --- LaTeX: names ------------------------------------------------------------------------------

static const struct {
    const char *name, *letter;
} greek[] = {
    {"alpha", "α"},    {"beta", "β"},       {"gamma", "γ"}, {"delta", "δ"},   {"epsilon", "ϵ"},
    {"zeta", "ζ"},     {"eta", "η"},        {"theta", "θ"}, {"iota", "ι"},    {"kappa", "κ"},
    {"lambda", "λ"},   {"mu", "μ"},         {"nu", "ν"},    {"xi", "ξ"},      {"pi", "π"},
    {"rho", "ρ"},      {"sigma", "σ"},      {"tau", "τ"},   {"upsilon", "υ"}, {"phi", "ϕ"},
    {"chi", "χ"},      {"psi", "ψ"},        {"omega", "ω"}, {"Gamma", "Γ"},   {"Delta", "Δ"},
    {"Theta", "Θ"},    {"Lambda", "Λ"},     {"Xi", "Ξ"},    {"Pi", "Π"},      {"Sigma", "Σ"},
    {"Upsilon", "Υ"},  {"Phi", "Φ"},        {"Psi", "Ψ"},   {"Omega", "Ω"},   {"varphi", "φ"},
    {"vartheta", "ϑ"}, {"varepsilon", "ε"},
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A word without digits at its end: one letter, a Greek letter, or \mathrm{word}.
static void latex_word(const char* word, size_t length, LiaText* out) {
    for (size_t i = 0; i < sizeof greek / sizeof greek[0]; i++) {
        if ((strlen(greek[i].name) == length && memcmp(greek[i].name, word, length) == 0) ||
            (strlen(greek[i].letter) == length && memcmp(greek[i].letter, word, length) == 0)) {
            lia_text_add(out, "\\%s", greek[i].name);
            return;
        }
    }
    size_t letters = 0;  // bytes that begin a character
    bool number = true;
    for (size_t i = 0; i < length; i++) {
        letters += ((unsigned char)word[i] & 0xc0) != 0x80;
        number = number && is_digit(word[i]);
    }
    bool plain = letters == 1 || number;
    if (!plain) lia_text_add(out, "\\mathrm{");
    lia_text_add_bytes(out, word, length);
    if (!plain) lia_text_add(out, "}");
}

// theta1 -> \theta_{1}; q[3] -> q_{3}; v_max -> v_{\mathrm{max}}; r.x -> r_{x}; a_b_2 -> a_{b,2}.
void lia_expr_latex_name(const char* name, int dots, LiaText* out) {
    size_t stem = 0;
    while (name[stem] && !strchr("_[.", name[stem])) stem++;
    size_t word = stem;
    while (word > 0 && is_digit(name[word - 1])) word--;
    if (word == 0) word = stem;
    if (dots > 0) lia_text_add(out, dots == 1 ? "\\dot{" : "\\ddot{");
    latex_word(name, word, out);
    if (dots > 0) lia_text_add(out, "}");

    const char* open = "_{";
    if (word < stem) {
        lia_text_add(out, "%s", open);
        lia_text_add_bytes(out, name + word, stem - word);
        open = ",";
    }
    for (const char* at = name + stem; *at;) {
        size_t length = strcspn(at, "_[].");
        if (length == 0) {
            at++;
            continue;
        }
        lia_text_add(out, "%s", open);
        open = ",";
        latex_word(at, length, out);
        at += length;
    }
    if (open[0] == ',') lia_text_add(out, "}");
}

// --- LaTeX: formulas ---------------------------------------------------------------------------

static void latex_real(LiaText* out, double x) {
    if (!isfinite(x)) {
        lia_text_add(out, isnan(x) ? "\\mathrm{nan}" : x < 0.0 ? "-\\infty" : "\\infty");
        return;
    }
    LiaText number = {0};
    add_real(&number, x);
    const char* e = number.data ? strchr(number.data, 'e') : NULL;
    if (e) {
        const char* power = e[1] == '+' ? e + 2 : e + 1;
        int exponent = atoi(power);
        lia_text_add_bytes(out, number.data, (size_t)(e - number.data));
        lia_text_add(out, " \\cdot 10^{%d}", exponent);
    } else if (number.data) {
        lia_text_add_bytes(out, number.data, number.length);
    }
    lia_text_clear(&number);
}

static void latex_number(LiaText* out, LiaNumber n) {
    if (n.den > 1) {
        long long num = (long long)(n.num < 0 ? -n.num : n.num);
        lia_text_add(out, "%s\\frac{%lld}{%lld}", n.num < 0 ? "-" : "", num, (long long)n.den);
    } else if (n.den == 1) {
        lia_text_add(out, "%lld", (long long)n.num);
    } else {
        latex_real(out, n.value);
    }
}

static Level latex_level(const LiaGraph* g, LiaExpr f) {
    const LiaNode* n = &g->nodes[f.index];
    if (n->op == LIA_OP_CONST) {
        LiaNumber c = g->numbers[n->a];
        if (c.value < 0.0) return LEVEL_MINUS;
        return c.den == 1 ? LEVEL_ATOM : LEVEL_PRODUCT;  // a fraction, 2 \cdot 10^{9}
    }
    return level_of(g, f);
}

// Two factors side by side want a dot between them where the second begins with a digit.
static bool begins_with_digit(const LiaGraph* g, LiaExpr f) {
    for (;;) {
        const LiaNode* n = &g->nodes[f.index];
        if (n->op == LIA_OP_CONST) return true;
        if (n->op != LIA_OP_MUL && n->op != LIA_OP_POW) return false;
        f.index = n->a;
    }
}

static void push_bracket(Writer* w, uint32_t index) {
    const LiaNode* n = &w->g->nodes[index];
    bool small = n->op == LIA_OP_SYMBOL || n->op == LIA_OP_PI;
    PUSH(w, say(small ? "(" : "\\left("), part(index, LEVEL_ANY, true),
         say(small ? ")" : "\\right)"));
}

// 2/5 * (a/b) = \frac{2 a}{5 b}
static void push_fraction(Writer* w, LiaNumber c, const LiaNode* quotient) {
    const LiaGraph* g = w->g;
    bool upper = c.num != 1 && c.num != -1, lower = c.den != 1, one = is_one(g, quotient->a);
    push(w, say("}"));
    push(w, part(quotient->b, lower ? LEVEL_PRODUCT : LEVEL_ANY, !lower));
    if (lower) {
        bool dot = begins_with_digit(g, (LiaExpr){quotient->b});
        PUSH(w, figure(whole(c.den)), say(dot ? " \\cdot " : " "));
    }
    push(w, say("}{"));
    if (!one) {
        bool dot = upper && begins_with_digit(g, (LiaExpr){quotient->a});
        push(w, part(quotient->a, upper ? LEVEL_PRODUCT : LEVEL_ANY, !upper));
        push(w, say(dot ? " \\cdot " : upper ? " " : ""));
    }
    if (upper || one) push(w, figure(whole(c.num < 0 ? -c.num : c.num)));
    push(w, say(c.num < 0 ? "-\\frac{" : "\\frac{"));
}

static void push_product(Writer* w, const LiaNode* n, bool leading) {
    const LiaGraph* g = w->g;
    LiaNumber c;
    if (constant_at(g, n->a, &c) && c.den >= 1 && g->nodes[n->b].op == LIA_OP_DIV) {
        push_fraction(w, c, &g->nodes[n->b]);
        return;
    }
    uint32_t factors[FACTORS_MOST];
    int count = gather_factors(g, n, factors);
    for (int i = count; i-- > 0;) {
        push(w, part(factors[i], LEVEL_PRODUCT, leading && i == 0));
        bool dot = begins_with_digit(g, (LiaExpr){factors[i]});
        if (i > 0) push(w, say(dot ? " \\cdot " : " "));
    }
    if (count == 0) push_operator(w, n, leading, " \\cdot ", LEVEL_PRODUCT, LEVEL_PRODUCT);
}

static void push_power(Writer* w, const LiaNode* n, bool leading) {
    const LiaGraph* g = w->g;
    const LiaNode* base = &g->nodes[n->a];
    const LiaOpKind* kind = lia_op_kinds[base->op];
    LiaNumber e;
    if (kind->latex && base->op != LIA_OP_PI && lia_op_arity((LiaOp)base->op) == 1 &&
        constant_at(g, n->b, &e) && e.den == 1 && e.num > 0) {  // \sin^{2}(x)
        push_bracket(w, base->a);
        PUSH(w, say(kind->latex), say("^{"), part(n->b, LEVEL_ANY, true), say("}"));
        return;
    }
    PUSH(w, part(n->a, LEVEL_ATOM, leading), say("^{"), part(n->b, LEVEL_ANY, true), say("}"));
}

static void push_function(Writer* w, const LiaNode* n) {
    const LiaOpKind* kind = lia_op_kinds[n->op];
    if (lia_op_arity((LiaOp)n->op) == 1) {
        push_bracket(w, n->a);
    } else {
        PUSH(w, say("\\left("), part(n->a, LEVEL_ANY, true), say(", "), part(n->b, LEVEL_ANY, true),
             say("\\right)"));
    }
    push(w, say(kind->latex ? kind->latex : lia_op_name((LiaOp)n->op)));
}

static void latex_symbol(Writer* w, const Called* called) {
    lia_expr_latex_name(called->name, called->primes, w->out);
}

static void latex_other(Writer* w, const LiaNode* n, bool leading) {
    switch ((LiaOp)n->op) {
    case LIA_OP_MUL:
        push_product(w, n, leading);
        return;
    case LIA_OP_DIV:
        PUSH(w, say("\\frac{"), part(n->a, LEVEL_ANY, true), say("}{"), part(n->b, LEVEL_ANY, true),
             say("}"));
        return;
    case LIA_OP_POW:
        push_power(w, n, leading);
        return;
    case LIA_OP_SQRT:
        PUSH(w, say("\\sqrt{"), part(n->a, LEVEL_ANY, true), say("}"));
        return;
    case LIA_OP_HYPOT:
        PUSH(w, say("\\sqrt{"), part(n->a, LEVEL_ATOM, false), say("^{2} + "),
             part(n->b, LEVEL_ATOM, false), say("^{2}}"));
        return;
    case LIA_OP_ABS:
        PUSH(w, say("\\left|"), part(n->a, LEVEL_ANY, true), say("\\right|"));
        return;
    case LIA_OP_IF:
        PUSH(w, say("\\begin{cases} "), part(n->b, LEVEL_ANY, true), say(" & \\text{if } "),
             part(n->a, LEVEL_ANY, true), say(" \\\\ "), part(n->c, LEVEL_ANY, true),
             say(" & \\text{otherwise} \\end{cases}"));
        return;
    case LIA_OP_NOT:
        PUSH(w, say("\\lnot "), part(n->a, LEVEL_ATOM, true));
        return;
    default:
        push_function(w, n);
        return;
    }
}

void lia_expr_latex(const LiaGraph* g, LiaExpr f, LiaText* out) {
    static const Style latex = {.open = "\\left(",
                                .close = "\\right)",
                                .pi = "\\pi",
                                .less_equal = " \\le ",
                                .both = " \\land ",
                                .either = " \\lor ",
                                .level = latex_level,
                                .number = latex_number,
                                .symbol = latex_symbol,
                                .other = latex_other};
    write_out(g, f, &latex, out);
}

// --- the list ----------------------------------------------------------------------------------

static bool is_leaf(const LiaNode* n) {
    return n->op == LIA_OP_CONST || n->op == LIA_OP_PI || n->op == LIA_OP_SYMBOL;
}

// An argument: a leaf is written itself, with brackets where it must hold together.
static void list_argument(const LiaGraph* g, uint32_t index, const uint32_t* number, bool infix,
                          LiaText* out) {
    const LiaNode* n = &g->nodes[index];
    if (!is_leaf(n)) {
        lia_text_add(out, "%%%u", (unsigned)number[index]);
        return;
    }
    bool brackets = infix && level_of(g, (LiaExpr){index}) < LEVEL_ATOM;
    if (brackets) lia_text_add(out, "(");
    lia_expr_print(g, (LiaExpr){index}, out);
    if (brackets) lia_text_add(out, ")");
}

static void list_node(const LiaGraph* g, const LiaNode* n, const uint32_t* number, LiaText* out) {
    const char* name = lia_op_name((LiaOp)n->op);
    const uint32_t args[3] = {n->a, n->b, n->c};
    bool word = (name[0] >= 'a' && name[0] <= 'z') && n->op != LIA_OP_AND && n->op != LIA_OP_OR &&
                n->op != LIA_OP_NOT;
    int arity = lia_op_arity((LiaOp)n->op);
    if (word) {
        lia_text_add(out, "%s(", name);
        for (int i = 0; i < arity; i++) {
            if (i > 0) lia_text_add(out, ", ");
            list_argument(g, args[i], number, false, out);
        }
        lia_text_add(out, ")");
    } else if (arity == 1) {
        lia_text_add(out, "%s%s", name, n->op == LIA_OP_NOT ? " " : "");
        list_argument(g, n->a, number, true, out);
    } else {
        bool tight = n->op == LIA_OP_MUL || n->op == LIA_OP_DIV || n->op == LIA_OP_POW;
        list_argument(g, n->a, number, true, out);
        const char* space = tight ? "" : " ";
        lia_text_add(out, "%s%s%s", space, name, space);
        list_argument(g, n->b, number, true, out);
    }
}

void lia_expr_list(const LiaGraph* g, const LiaExpr* roots, const char* const* names, size_t count,
                   LiaText* out) {
    uint32_t top = 0;
    for (size_t r = 0; r < count; r++) top = roots[r].index > top ? roots[r].index : top;
    uint32_t* number = calloc((size_t)top + 1, sizeof *number);  // 0: not needed, else its place
    if (!number) {
        out->failed = 1;
        return;
    }
    for (size_t r = 0; r < count; r++) number[roots[r].index] = 1;
    for (uint32_t i = top; i > 0; i--) {
        const LiaNode* n = &g->nodes[i];
        const uint32_t args[3] = {n->a, n->b, n->c};
        if (!number[i] || is_leaf(n)) continue;
        for (int arg = 0; arg < lia_op_arity((LiaOp)n->op); arg++) number[args[arg]] = 1;
    }
    uint32_t place = 0;
    for (uint32_t i = 1; i <= top; i++) {
        if (!number[i] || is_leaf(&g->nodes[i])) continue;
        number[i] = ++place;
        lia_text_add(out, "%%%u = ", (unsigned)place);
        list_node(g, &g->nodes[i], number, out);
        lia_text_add(out, "\n");
    }
    for (size_t r = 0; r < count; r++) {
        if (names && names[r]) {
            lia_text_add(out, "%s = ", names[r]);
        } else {
            lia_text_add(out, "#%zu = ", r);
        }
        if (roots[r].index) {
            list_argument(g, roots[r].index, number, false, out);
        } else {
            lia_text_add(out, "(none)");
        }
        lia_text_add(out, "\n");
    }
    free(number);
}
