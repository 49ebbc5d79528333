// Formulas and names in LaTeX's math mode. See print.h.
// SPDX-License-Identifier: MIT
#include "expr/ops/op.h"
#include "expr/reading/formula_text.h"
#include "expr/reading/writer.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- names -------------------------------------------------------------------------------------

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
void lia_formula_latex_name(const char* name, int dots, LiaText* out) {
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

// --- numbers -----------------------------------------------------------------------------------

static void latex_real(LiaText* out, double x) {
    if (!isfinite(x)) {
        lia_text_add(out, isnan(x) ? "\\mathrm{nan}" : x < 0.0 ? "-\\infty" : "\\infty");
        return;
    }
    LiaText number = {0};
    lia_writer_real(&number, x);
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

static LiaNumber whole(int64_t n) { return (LiaNumber){(double)n, n, 1}; }

// --- formulas ----------------------------------------------------------------------------------

static LiaPrecedence latex_precedence(const LiaGraph* g, LiaExpr f) {
    const LiaNode* n = &g->nodes[f.index];
    if (n->op == LIA_OP_CONST) {
        LiaNumber c = g->numbers[n->a];
        if (c.value < 0.0) return LIA_PRECEDENCE_MINUS;
        return c.den == 1 ? LIA_PRECEDENCE_ATOM
                          : LIA_PRECEDENCE_PRODUCT;  // a fraction, 2 \cdot 10^{9}
    }
    return lia_writer_precedence(g, f);
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

static const char* times(const LiaGraph* g, LiaExpr factor) {
    return begins_with_digit(g, factor) ? " \\cdot " : " ";
}

static void push_bracket(LiaWriter* w, uint32_t index) {
    const LiaNode* n = &w->g->nodes[index];
    bool small = n->op == LIA_OP_SYMBOL || n->op == LIA_OP_PI;
    LIA_PUSH(w, lia_say(small ? "(" : "\\left("), lia_part(index, LIA_PRECEDENCE_ANY, true),
             lia_say(small ? ")" : "\\right)"));
}

// 2/5 * (a/b) = \frac{2 a}{5 b}
static void push_fraction(LiaWriter* w, LiaNumber c, const LiaNode* quotient) {
    const LiaGraph* g = w->g;
    bool upper = c.num != 1 && c.num != -1, lower = c.den != 1,
         one = lia_writer_is_one(g, quotient->a);
    lia_writer_push(w, lia_say("}"));
    lia_writer_push(
        w, lia_part(quotient->b, lower ? LIA_PRECEDENCE_PRODUCT : LIA_PRECEDENCE_ANY, !lower));
    if (lower) {
        bool dot = begins_with_digit(g, (LiaExpr){quotient->b});
        LIA_PUSH(w, lia_figure(whole(c.den)), lia_say(dot ? " \\cdot " : " "));
    }
    lia_writer_push(w, lia_say("}{"));
    if (!one) {
        bool dot = upper && begins_with_digit(g, (LiaExpr){quotient->a});
        lia_writer_push(
            w, lia_part(quotient->a, upper ? LIA_PRECEDENCE_PRODUCT : LIA_PRECEDENCE_ANY, !upper));
        lia_writer_push(w, lia_say(dot ? " \\cdot " : upper ? " " : ""));
    }
    if (upper || one) lia_writer_push(w, lia_figure(whole(c.num < 0 ? -c.num : c.num)));
    lia_writer_push(w, lia_say(c.num < 0 ? "-\\frac{" : "\\frac{"));
}

static void push_product(LiaWriter* w, const LiaNode* n, bool leading) {
    const LiaGraph* g = w->g;
    LiaNumber c;
    if (lia_writer_constant(g, n->a, &c) && c.den >= 1 && g->nodes[n->b].op == LIA_OP_DIV) {
        push_fraction(w, c, &g->nodes[n->b]);
        return;
    }
    lia_writer_product(w, n, leading, " \\cdot ", times);
}

static void push_power(LiaWriter* w, const LiaNode* n, bool leading) {
    const LiaGraph* g = w->g;
    const LiaNode* base = &g->nodes[n->a];
    const LiaOpKind* kind = lia_op_kinds[base->op];
    LiaNumber e;
    if (kind->latex && base->op != LIA_OP_PI && lia_op_arity((LiaOp)base->op) == 1 &&
        lia_writer_constant(g, n->b, &e) && e.den == 1 && e.num > 0) {  // \sin^{2}(x)
        push_bracket(w, base->a);
        LIA_PUSH(w, lia_say(kind->latex), lia_say("^{"), lia_part(n->b, LIA_PRECEDENCE_ANY, true),
                 lia_say("}"));
        return;
    }
    LIA_PUSH(w, lia_part(n->a, LIA_PRECEDENCE_ATOM, leading), lia_say("^{"),
             lia_part(n->b, LIA_PRECEDENCE_ANY, true), lia_say("}"));
}

static void push_function(LiaWriter* w, const LiaNode* n) {
    const LiaOpKind* kind = lia_op_kinds[n->op];
    if (lia_op_arity((LiaOp)n->op) == 1) {
        push_bracket(w, n->a);
    } else {
        LIA_PUSH(w, lia_say("\\left("), lia_part(n->a, LIA_PRECEDENCE_ANY, true), lia_say(", "),
                 lia_part(n->b, LIA_PRECEDENCE_ANY, true), lia_say("\\right)"));
    }
    lia_writer_push(w, lia_say(kind->latex ? kind->latex : lia_op_name((LiaOp)n->op)));
}

static void latex_symbol(LiaWriter* w, const LiaCalled* called) {
    lia_formula_latex_name(called->name, called->primes, w->out);
}

static void latex_other(LiaWriter* w, const LiaNode* n, bool leading) {
    switch ((LiaOp)n->op) {
    case LIA_OP_MUL:
        push_product(w, n, leading);
        return;
    case LIA_OP_DIV:
        LIA_PUSH(w, lia_say("\\frac{"), lia_part(n->a, LIA_PRECEDENCE_ANY, true), lia_say("}{"),
                 lia_part(n->b, LIA_PRECEDENCE_ANY, true), lia_say("}"));
        return;
    case LIA_OP_POW:
        push_power(w, n, leading);
        return;
    case LIA_OP_SQRT:
        LIA_PUSH(w, lia_say("\\sqrt{"), lia_part(n->a, LIA_PRECEDENCE_ANY, true), lia_say("}"));
        return;
    case LIA_OP_HYPOT:
        LIA_PUSH(w, lia_say("\\sqrt{"), lia_part(n->a, LIA_PRECEDENCE_ATOM, false),
                 lia_say("^{2} + "), lia_part(n->b, LIA_PRECEDENCE_ATOM, false), lia_say("^{2}}"));
        return;
    case LIA_OP_ABS:
        LIA_PUSH(w, lia_say("\\left|"), lia_part(n->a, LIA_PRECEDENCE_ANY, true),
                 lia_say("\\right|"));
        return;
    case LIA_OP_IF:
        LIA_PUSH(w, lia_say("\\begin{cases} "), lia_part(n->b, LIA_PRECEDENCE_ANY, true),
                 lia_say(" & \\text{if } "), lia_part(n->a, LIA_PRECEDENCE_ANY, true),
                 lia_say(" \\\\ "), lia_part(n->c, LIA_PRECEDENCE_ANY, true),
                 lia_say(" & \\text{otherwise} \\end{cases}"));
        return;
    case LIA_OP_NOT:
        LIA_PUSH(w, lia_say("\\lnot "), lia_part(n->a, LIA_PRECEDENCE_ATOM, true));
        return;
    default:
        push_function(w, n);
        return;
    }
}

void lia_formula_latex(const LiaGraph* g, LiaExpr f, LiaText* out) {
    static const LiaWriting latex = {.open = "\\left(",
                                     .close = "\\right)",
                                     .pi = "\\pi",
                                     .less_equal = " \\le ",
                                     .both = " \\land ",
                                     .either = " \\lor ",
                                     .precedence = latex_precedence,
                                     .number = latex_number,
                                     .symbol = latex_symbol,
                                     .other = latex_other};
    lia_writer_out(g, f, NULL, &latex, out);
}
