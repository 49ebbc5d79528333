// Formulas in the syntax of the model language. See print.h.
// SPDX-License-Identifier: MIT
#include "expr/reading/formula_text.h"
#include "expr/reading/writer.h"

static void add_number(LiaText* out, LiaNumber n) {
    if (n.den == 1) {
        lia_text_add(out, "%lld", (long long)n.num);
    } else if (n.den > 1) {
        lia_text_add(out, "%lld/%lld", (long long)n.num, (long long)n.den);
    } else {
        lia_writer_real(out, n.value);
    }
}

static void print_symbol(LiaWriter* w, const LiaCalled* called) {
    lia_writer_add(w, called->name);
    for (int i = 0; i < called->primes; i++) lia_writer_add(w, "'");
}

static const char* times(const LiaGraph* g, LiaExpr factor) {
    (void)g, (void)factor;
    return "*";
}

static void print_other(LiaWriter* w, const LiaNode* n, bool leading) {
    const LiaGraph* g = w->g;
    switch ((LiaOp)n->op) {
    case LIA_OP_MUL: {
        const LiaNode* right = &g->nodes[n->b];
        if (right->op == LIA_OP_DIV && lia_writer_is_one(g, right->a)) {  // c*(1/x) is c/x
            LIA_PUSH(w, lia_part(n->a, LIA_PRECEDENCE_PRODUCT, leading), lia_say("/"),
                     lia_part(right->b, LIA_PRECEDENCE_MINUS, false));
            return;
        }
        lia_writer_product(w, n, leading, "*", times);
        return;
    }
    case LIA_OP_DIV:
        lia_writer_operator(w, n, leading, "/", LIA_PRECEDENCE_PRODUCT, LIA_PRECEDENCE_MINUS);
        return;
    case LIA_OP_POW:
        lia_writer_operator(w, n, leading, "^", LIA_PRECEDENCE_ATOM, LIA_PRECEDENCE_ATOM);
        return;
    case LIA_OP_NOT:
        LIA_PUSH(w, lia_say("not "), lia_part(n->a, LIA_PRECEDENCE_NOT, true));
        return;
    default:
        break;
    }
    const uint32_t args[3] = {n->a, n->b, n->c};
    lia_writer_push(w, lia_say(")"));
    for (int i = lia_op_arity((LiaOp)n->op); i-- > 0;) {
        lia_writer_push(w, lia_part(args[i], LIA_PRECEDENCE_ANY, true));
        if (i > 0) lia_writer_push(w, lia_say(", "));
    }
    LIA_PUSH(w, lia_say(lia_op_name((LiaOp)n->op)), lia_say("("));
}

void lia_formula_text_named(const LiaGraph* g, LiaExpr f, const char* const* names, LiaText* out) {
    static const LiaWriting language = {.open = "(",
                                        .close = ")",
                                        .pi = "pi",
                                        .less_equal = " <= ",
                                        .both = " and ",
                                        .either = " or ",
                                        .precedence = lia_writer_precedence,
                                        .number = add_number,
                                        .symbol = print_symbol,
                                        .other = print_other};
    lia_writer_out(g, f, names, &language, out);
}

void lia_formula_text(const LiaGraph* g, LiaExpr f, LiaText* out) {
    lia_formula_text_named(g, f, NULL, out);
}
