// Writing a formula as a line of text. See writer.h.
// SPDX-License-Identifier: MIT
#include "expr/reading/writer.h"
#include "base/memory/memory.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- the stack of pieces -----------------------------------------------------------------------

void lia_writer_push(LiaWriter* w, LiaPiece piece) {
    if (w->count == w->capacity) {
        size_t capacity = w->capacity ? w->capacity * 2 : 64;
        LiaPiece* pieces = lia_memory_resize(w->pieces, capacity * sizeof *pieces);
        if (!pieces) {
            w->failed = true;
            return;
        }
        w->pieces = pieces;
        w->capacity = capacity;
    }
    w->pieces[w->count++] = piece;
}

void lia_writer_push_all(LiaWriter* w, const LiaPiece* pieces, size_t count) {
    for (size_t i = count; i-- > 0;) lia_writer_push(w, pieces[i]);
}

void lia_writer_add(LiaWriter* w, const char* text) {
    lia_text_add_bytes(w->out, text, strlen(text));
}

// --- numbers and names -------------------------------------------------------------------------

// Both conversions share the locale, whatever it is; what is written is in the C locale.
void lia_writer_real(LiaText* out, double x) {
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

static const char* symbol_name(const LiaGraph* g, LiaSymbolKind kind, uint32_t number) {
    return number < g->name_count[kind] ? g->names[kind][number] : NULL;
}

static void call_symbol(const LiaGraph* g, const LiaNode* n, LiaCalled* called) {
    static const char* const made_up[LIA_SYMBOL_KINDS] = {
        [LIA_SYMBOL_PARAMETER] = "c",   [LIA_SYMBOL_POSITION] = "q",
        [LIA_SYMBOL_VELOCITY] = "q",    [LIA_SYMBOL_ACCELERATION] = "q",
        [LIA_SYMBOL_MULTIPLIER] = "mu", [LIA_SYMBOL_WORK] = "work",
        [LIA_SYMBOL_MOMENTUM] = "p",    [LIA_SYMBOL_DISPLACEMENT] = "w",
        [LIA_SYMBOL_CONTROL] = "u",     [LIA_SYMBOL_QUANTITY] = "quantity",
        [LIA_SYMBOL_REACTION] = "force"};
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

// --- what one asks of a formula ----------------------------------------------------------------

bool lia_writer_constant(const LiaGraph* g, uint32_t index, LiaNumber* out) {
    return lia_graph_constant(g, (LiaExpr){index}, out);
}

bool lia_writer_is_one(const LiaGraph* g, uint32_t index) {
    LiaNumber n;
    return lia_writer_constant(g, index, &n) && n.value == 1.0;
}

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

LiaPrecedence lia_writer_precedence(const LiaGraph* g, LiaExpr f) {
    const LiaNode* n = &g->nodes[f.index];
    switch ((LiaOp)n->op) {
    case LIA_OP_CONST: {
        LiaNumber c = g->numbers[n->a];
        if (c.den > 1 || !isfinite(c.value))
            return LIA_PRECEDENCE_PRODUCT;  // 2/5 is written as a quotient
        return c.value < 0.0 ? LIA_PRECEDENCE_MINUS : LIA_PRECEDENCE_ATOM;
    }
    case LIA_OP_ADD:
    case LIA_OP_SUB:
        return LIA_PRECEDENCE_SUM;
    case LIA_OP_MUL:
    case LIA_OP_DIV:
        return LIA_PRECEDENCE_PRODUCT;
    case LIA_OP_NEG:
        return LIA_PRECEDENCE_MINUS;
    case LIA_OP_POW:
        return LIA_PRECEDENCE_POWER;
    case LIA_OP_LESS:
    case LIA_OP_LESS_EQUAL:
        return LIA_PRECEDENCE_COMPARISON;
    case LIA_OP_NOT:
        return LIA_PRECEDENCE_NOT;
    case LIA_OP_AND:
        return LIA_PRECEDENCE_AND;
    case LIA_OP_OR:
        return LIA_PRECEDENCE_OR;
    default:
        return LIA_PRECEDENCE_ATOM;
    }
}

// --- sums and products -------------------------------------------------------------------------

void lia_writer_operator(LiaWriter* w, const LiaNode* n, bool leading, const char* sign,
                         LiaPrecedence left, LiaPrecedence right) {
    LIA_PUSH(w, lia_part(n->a, left, leading), lia_say(sign), lia_part(n->b, right, false));
}

static LiaNumber without_sign(LiaNumber n) {
    return (LiaNumber){fabs(n.value), n.num < 0 ? -n.num : n.num, n.den};
}

static void push_sum(LiaWriter* w, const LiaNode* n, bool leading) {
    LiaNumber c;
    if (n->op == LIA_OP_ADD && lia_writer_constant(w->g, n->b, &c) && c.value < 0.0) {  // u + (-3)
        LIA_PUSH(w, lia_part(n->a, LIA_PRECEDENCE_SUM, leading), lia_say(" - "),
                 lia_figure(without_sign(c)));
        return;
    }
    bool plus = n->op == LIA_OP_ADD;
    lia_writer_operator(w, n, leading, plus ? " + " : " - ", LIA_PRECEDENCE_SUM,
                        plus ? LIA_PRECEDENCE_SUM : LIA_PRECEDENCE_PRODUCT);
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

void lia_writer_product(LiaWriter* w, const LiaNode* n, bool leading, const char* sign,
                        const char* (*times)(const LiaGraph* g, LiaExpr factor)) {
    uint32_t factors[FACTORS_MOST];
    int count = gather_factors(w->g, n, factors);
    for (int i = count; i-- > 0;) {
        lia_writer_push(w, lia_part(factors[i], LIA_PRECEDENCE_PRODUCT, leading && i == 0));
        if (i > 0) lia_writer_push(w, lia_say(times(w->g, (LiaExpr){factors[i]})));
    }
    if (count == 0)
        lia_writer_operator(w, n, leading, sign, LIA_PRECEDENCE_PRODUCT, LIA_PRECEDENCE_PRODUCT);
}

// --- formulas ----------------------------------------------------------------------------------

static void write_one(LiaWriter* w, LiaPiece piece, const LiaWriting* writing) {
    const LiaGraph* g = w->g;
    LiaExpr f = piece.formula;
    const LiaNode* n = &g->nodes[f.index];
    if (w->names && w->names[f.index]) {
        lia_writer_add(w, w->names[f.index]);
        return;
    }
    if (writing->precedence(g, f) < piece.precedence ||
        (!piece.leading && begins_with_minus(g, f))) {
        LIA_PUSH(w, lia_say(writing->open), lia_part(f.index, LIA_PRECEDENCE_ANY, true),
                 lia_say(writing->close));
        return;
    }
    switch ((LiaOp)n->op) {
    case LIA_OP_CONST:
        writing->number(w->out, g->numbers[n->a]);
        return;
    case LIA_OP_PI:
        lia_writer_add(w, writing->pi);
        return;
    case LIA_OP_SYMBOL: {
        LiaCalled called;
        if (n->symbol_kind == LIA_SYMBOL_RATE) {
            LIA_PUSH(w, lia_part(n->a, LIA_PRECEDENCE_ATOM, false), lia_say("'"));
            return;
        }
        call_symbol(g, n, &called);
        writing->symbol(w, &called);
        return;
    }
    case LIA_OP_NEG:
        // -a*b reads (-a)*b, which is the same number: the argument may be a product.
        LIA_PUSH(w, lia_say("-"), lia_part(n->a, LIA_PRECEDENCE_PRODUCT, false));
        return;
    case LIA_OP_ADD:
    case LIA_OP_SUB:
        push_sum(w, n, piece.leading);
        return;
    case LIA_OP_LESS:
        lia_writer_operator(w, n, true, " < ", LIA_PRECEDENCE_SUM, LIA_PRECEDENCE_SUM);
        return;
    case LIA_OP_LESS_EQUAL:
        lia_writer_operator(w, n, true, writing->less_equal, LIA_PRECEDENCE_SUM,
                            LIA_PRECEDENCE_SUM);
        return;
    case LIA_OP_AND:
        lia_writer_operator(w, n, true, writing->both, LIA_PRECEDENCE_AND, LIA_PRECEDENCE_AND);
        return;
    case LIA_OP_OR:
        lia_writer_operator(w, n, true, writing->either, LIA_PRECEDENCE_OR, LIA_PRECEDENCE_OR);
        return;
    default:
        writing->other(w, n, piece.leading);
        return;
    }
}

void lia_writer_out(const LiaGraph* g, LiaExpr f, const char* const* names,
                    const LiaWriting* writing, LiaText* out) {
    LiaWriter writer = {.g = g, .names = names, .out = out}, *w = &writer;
    size_t begin = out->length;
    if (!f.index) {
        lia_writer_add(w, "(none)");
        return;
    }
    lia_writer_push(w, lia_part(f.index, LIA_PRECEDENCE_ANY, true));
    while (w->count > 0 && !w->failed && !out->failed) {  // a text that failed grows no more
        if (out->length - begin > LIA_PRINT_MOST) {
            lia_writer_add(w, "...");
            break;
        }
        LiaPiece piece = w->pieces[--w->count];
        if (piece.text) {
            lia_writer_add(w, piece.text);
        } else if (piece.formula.index) {
            write_one(w, piece, writing);
        } else {
            writing->number(out, piece.number);
        }
    }
    free(w->pieces);
}
