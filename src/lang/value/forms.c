// Forms: nodes for d(f), virtual(e), sums and multiples, and writing them out without recursion.
// SPDX-License-Identifier: MIT
#include "lang/value/forms.h"
#include <string.h>

static const LiaFormId zero = {0};

static LiaFormId add(LiaForms* forms, LiaTerms* terms, LiaFormNode node) {
    if (forms->nodes.count == 0) {
        (void)LIA_ADD(terms->context, forms->nodes);
    }
    lia_term_work(terms, 1);
    *LIA_ADD(terms->context, forms->nodes) = node;
    return (LiaFormId){forms->nodes.count - 1};
}

uint16_t lia_forms_has(const LiaForms* forms, LiaFormId form) {
    return form.index ? forms->nodes.items[form.index].has : 0;
}

LiaFormId lia_forms_of(LiaForms* forms, LiaTerms* terms, LiaExpr of, bool is_virtual,
                       LiaSpan span) {
    if (lia_term_has(terms, of) == 0) {
        return zero;  // of a constant
    }
    LiaFormNode node = {
        .of = of, .is_virtual = is_virtual, .has = lia_term_has(terms, of), .span = span};
    return add(forms, terms, node);
}

LiaFormId lia_forms_sum(LiaForms* forms, LiaTerms* terms, LiaFormId a, LiaFormId b, LiaSpan span) {
    if (!a.index || !b.index) {
        return a.index ? a : b;
    }
    uint16_t has = forms->nodes.items[a.index].has | forms->nodes.items[b.index].has;
    return add(forms, terms, (LiaFormNode){.a = a, .b = b, .has = has, .span = span});
}

LiaFormId lia_forms_scale(LiaForms* forms, LiaTerms* terms, LiaExpr coefficient, LiaFormId a,
                          LiaSpan span) {
    if (!a.index || lia_term_is(terms, coefficient, 0)) {
        return zero;
    }
    if (lia_term_is(terms, coefficient, 1)) {
        return a;
    }
    uint16_t has = forms->nodes.items[a.index].has | lia_term_has(terms, coefficient);
    LiaFormNode node = {.coefficient = coefficient, .a = a, .has = has, .span = span};
    return add(forms, terms, node);
}

typedef struct Pending {
    LiaFormId form;
    LiaExpr coefficient;
    LiaSpan span;  // of what made the coefficient
} Pending;

static bool encloses(LiaSpan a, LiaSpan b) { return a.begin <= b.begin && a.end >= b.end; }

LiaForm lia_forms_write(LiaForms* forms, LiaTerms* terms, LiaFormId form, LiaSpan span) {
    LiaContext* context = terms->context;
    LIA_VECTOR(Pending) pending = {0};
    LIA_VECTOR(LiaFormPart) parts = {0};
    *LIA_ADD(context, pending) = (Pending){form, lia_term_whole(terms, 1, span), {0, 0}};
    while (pending.count > 0) {
        Pending next = pending.items[--pending.count];
        if (!next.form.index) {
            continue;
        }
        const LiaFormNode node = forms->nodes.items[next.form.index];
        lia_term_work(terms, 1);
        if (node.of.index) {
            if (parts.count >= LIA_LIMIT_FORM) {
                lia_diag_error(context->diags, span, "E0192",
                               "a one-form of more than %d parts, the limit", LIA_LIMIT_FORM);
                lia_context_stop(context);
            }
            *LIA_ADD(context, parts) =
                (LiaFormPart){next.coefficient, node.of, node.is_virtual, node.span};
            continue;
        }
        LiaExpr coefficient = next.coefficient;
        LiaSpan of = next.span;
        if (node.coefficient.index) {
            LiaNumber number;  // a sign, or a factor of one: what is inside counts
            bool plain = lia_term_exact(terms, coefficient, &number);
            of = !plain && encloses(of, node.span) ? of : node.span;
            coefficient = lia_term_binary(terms, LIA_OP_MUL, coefficient, node.coefficient, of);
        }
        *LIA_ADD(context, pending) = (Pending){node.b, coefficient, of};
        *LIA_ADD(context, pending) = (Pending){node.a, coefficient, of};
    }
    LiaFormPart* kept = lia_context_keep(context, (parts.count + 1) * sizeof *kept);
    if (parts.count > 0) {
        memcpy(kept, parts.items, parts.count * sizeof *kept);
    }
    return (LiaForm){kept, parts.count, span};
}
