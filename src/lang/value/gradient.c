// Gradient of a term, backwards: the adjoint of a term goes to its arguments.
//
//   f = g(a, b):   a_bar += f_bar dg/da,   b_bar += f_bar dg/db
//
// Only terms between the first variable and f can depend on the variables, so the work is a loop
// over these.
// SPDX-License-Identifier: MIT
#include "lang/value/gradient.h"

typedef struct Sweep {
    LiaTerms* terms;
    LiaTermId first;     // terms before it do not depend on the variables
    bool* depends;       // by term - first
    LiaTermId* adjoint;  // 0: none yet
    LiaSpan span;
} Sweep;

static LiaTermId binary(Sweep* s, LiaTermOp op, LiaTermId a, LiaTermId b) {
    return lia_term_binary(s->terms, op, a, b, s->span);
}

static LiaTermId times(Sweep* s, LiaTermId a, LiaTermId b) { return binary(s, LIA_TERM_MUL, a, b); }

static LiaTermId over(Sweep* s, LiaTermId a, LiaTermId b) { return binary(s, LIA_TERM_DIV, a, b); }

static LiaTermId negative(Sweep* s, LiaTermId a) { return lia_term_negate(s->terms, a, s->span); }

static LiaTermId whole(Sweep* s, int64_t n) { return lia_term_whole(s->terms, n, s->span); }

static LiaTermId square(Sweep* s, LiaTermId a) { return binary(s, LIA_TERM_POW, a, whole(s, 2)); }

static LiaTermId call(Sweep* s, LiaFunction function, LiaTermId a) {
    return lia_term_call(s->terms, function, a, 0, s->span);
}

static bool is_moved(const Sweep* s, LiaTermId a) {
    return a >= s->first && s->depends[a - s->first];
}

static void give(Sweep* s, LiaTermId to, LiaTermId amount) {
    if (to < s->first || !s->depends[to - s->first]) {
        return;
    }
    LiaTermId* place = &s->adjoint[to - s->first];
    *place = *place ? binary(s, LIA_TERM_ADD, *place, amount) : amount;
}

// 1 + sign a^2
static LiaTermId one_and_square(Sweep* s, LiaTermId a, int sign) {
    return binary(s, sign > 0 ? LIA_TERM_ADD : LIA_TERM_SUB, whole(s, 1), square(s, a));
}

// The derivative of a function of one argument; `f` is the call itself.
static LiaTermId slope(Sweep* s, LiaFunction function, LiaTermId f, LiaTermId a) {
    switch (function) {
    case LIA_FUNCTION_SIN:
        return call(s, LIA_FUNCTION_COS, a);
    case LIA_FUNCTION_COS:
        return negative(s, call(s, LIA_FUNCTION_SIN, a));
    case LIA_FUNCTION_TAN:
        return one_and_square(s, f, 1);
    case LIA_FUNCTION_ASIN:
        return over(s, whole(s, 1), call(s, LIA_FUNCTION_SQRT, one_and_square(s, a, -1)));
    case LIA_FUNCTION_ACOS:
        return over(s, whole(s, -1), call(s, LIA_FUNCTION_SQRT, one_and_square(s, a, -1)));
    case LIA_FUNCTION_ATAN:
        return over(s, whole(s, 1), one_and_square(s, a, 1));
    case LIA_FUNCTION_SINH:
        return call(s, LIA_FUNCTION_COSH, a);
    case LIA_FUNCTION_COSH:
        return call(s, LIA_FUNCTION_SINH, a);
    case LIA_FUNCTION_TANH:
        return one_and_square(s, f, -1);
    case LIA_FUNCTION_EXP:
        return f;
    case LIA_FUNCTION_LOG:
        return over(s, whole(s, 1), a);
    case LIA_FUNCTION_SQRT:
        return over(s, whole(s, 1), times(s, whole(s, 2), f));
    case LIA_FUNCTION_ABS:
        return call(s, LIA_FUNCTION_SIGN, a);
    case LIA_FUNCTION_SIGN:
        return whole(s, 0);
    default:  // wrap
        return whole(s, 1);
    }
}

static void give_call(Sweep* s, LiaTermId f, const LiaTerm* term, LiaTermId bar) {
    LiaTermId a = term->a, b = term->b;
    LiaFunction function = (LiaFunction)term->function;
    if (function == LIA_FUNCTION_ATAN2) {
        LiaTermId length = binary(s, LIA_TERM_ADD, square(s, a), square(s, b));
        give(s, a, over(s, times(s, bar, b), length));
        give(s, b, negative(s, over(s, times(s, bar, a), length)));
    } else if (function == LIA_FUNCTION_HYPOT) {
        give(s, a, over(s, times(s, bar, a), f));
        give(s, b, over(s, times(s, bar, b), f));
    } else if (function == LIA_FUNCTION_MIN || function == LIA_FUNCTION_MAX) {
        bool least = function == LIA_FUNCTION_MIN;
        LiaTermId first = binary(s, LIA_TERM_LESS, least ? a : b, least ? b : a);
        give(s, a, lia_term_if(s->terms, first, bar, whole(s, 0), s->span));
        give(s, b, lia_term_if(s->terms, first, whole(s, 0), bar, s->span));
    } else {
        give(s, a, times(s, bar, slope(s, function, f, a)));
    }
}

// a^b: b a^(b-1), and log(a) a^b where the exponent moves.
static void give_power(Sweep* s, LiaTermId f, const LiaTerm* term, LiaTermId bar) {
    LiaTermId a = term->a, b = term->b;
    if (is_moved(s, a)) {
        LiaTermId less = binary(s, LIA_TERM_SUB, b, whole(s, 1));
        give(s, a, times(s, bar, times(s, b, binary(s, LIA_TERM_POW, a, less))));
    }
    if (is_moved(s, b)) {
        give(s, b, times(s, bar, times(s, f, call(s, LIA_FUNCTION_LOG, a))));
    }
}

static bool give_arguments(Sweep* s, LiaTermId f, LiaTermId bar) {
    const LiaTerm term = s->terms->items[f];
    switch ((LiaTermOp)term.op) {
    case LIA_TERM_NEG:
        give(s, term.a, negative(s, bar));
        return true;
    case LIA_TERM_ADD:
        give(s, term.a, bar);
        give(s, term.b, bar);
        return true;
    case LIA_TERM_SUB:
        give(s, term.a, bar);
        give(s, term.b, negative(s, bar));
        return true;
    case LIA_TERM_MUL:
        give(s, term.a, times(s, bar, term.b));
        give(s, term.b, times(s, bar, term.a));
        return true;
    case LIA_TERM_DIV:
        give(s, term.a, over(s, bar, term.b));
        if (is_moved(s, term.b)) {
            give(s, term.b, negative(s, over(s, times(s, bar, f), term.b)));
        }
        return true;
    case LIA_TERM_POW:
        give_power(s, f, &term, bar);
        return true;
    case LIA_TERM_CALL:
        give_call(s, f, &term, bar);
        return true;
    case LIA_TERM_IF:
        give(s, term.b, lia_term_if(s->terms, term.a, bar, whole(s, 0), s->span));
        give(s, term.c, lia_term_if(s->terms, term.a, whole(s, 0), bar, s->span));
        return true;
    default:
        return false;  // a time derivative
    }
}

bool lia_gradient_of_term(LiaTerms* terms, LiaTermId f, const LiaTermId* x, uint32_t count,
                          LiaTermId* out, LiaSpan span) {
    Sweep s = {.terms = terms, .first = f + 1, .span = span};
    for (uint32_t i = 0; i < count; i++) {
        s.first = x[i] < s.first ? x[i] : s.first;
        out[i] = lia_term_whole(terms, 0, span);
    }
    if (s.first > f) {
        return true;
    }
    size_t size = f - s.first + 1;
    s.depends = lia_context_scratch(terms->context, size * sizeof *s.depends);
    s.adjoint = lia_context_scratch(terms->context, size * sizeof *s.adjoint);
    for (uint32_t i = 0; i < count; i++) {
        if (x[i] <= f) {
            s.depends[x[i] - s.first] = true;
        }
    }
    for (LiaTermId id = s.first; id <= f; id++) {
        const LiaTerm* term = &terms->items[id];
        LiaTermId of[] = {term->a, term->b, term->c};
        for (int k = 0; k < 3; k++) {
            s.depends[id - s.first] |= of[k] >= s.first && of[k] < id && is_moved(&s, of[k]);
        }
    }
    lia_term_work(terms, size);
    if (!is_moved(&s, f)) {
        return true;
    }
    s.adjoint[f - s.first] = whole(&s, 1);
    for (LiaTermId id = f; id >= s.first; id--) {
        LiaTermId bar = s.adjoint[id - s.first];
        bool variable = false;
        for (uint32_t i = 0; i < count; i++) {
            if (x[i] == id) {
                variable = true;
                out[i] = bar ? bar : out[i];
            }
        }
        if (bar && !variable && !give_arguments(&s, id, bar)) {
            return false;
        }
    }
    return true;
}
