// Forms: nodes for d(f), virtual(e), sums and multiples, and writing them out without recursion.
// SPDX-License-Identifier: MIT
#include "lang/value/forms.h"
#include <string.h>

static LiaFormId add(LiaForms* forms, LiaTerms* terms, LiaFormNode node) {
    if (forms->nodes.count == 0) {
        (void)LIA_ADD(terms->context, forms->nodes);
    }
    lia_term_work(terms, 1);
    *LIA_ADD(terms->context, forms->nodes) = node;
    return forms->nodes.count - 1;
}

uint16_t lia_forms_has(const LiaForms* forms, LiaFormId form) {
    return form ? forms->nodes.items[form].has : 0;
}

LiaFormId lia_forms_of(LiaForms* forms, LiaTerms* terms, LiaTermId of, bool is_virtual,
                       LiaSpan span) {
    if (terms->items[of].has == 0) {
        return 0;  // of a constant
    }
    LiaFormNode node = {
        .of = of, .is_virtual = is_virtual, .has = terms->items[of].has, .span = span};
    return add(forms, terms, node);
}

LiaFormId lia_forms_sum(LiaForms* forms, LiaTerms* terms, LiaFormId a, LiaFormId b, LiaSpan span) {
    if (a == 0 || b == 0) {
        return a ? a : b;
    }
    uint16_t has = forms->nodes.items[a].has | forms->nodes.items[b].has;
    return add(forms, terms, (LiaFormNode){.a = a, .b = b, .has = has, .span = span});
}

LiaFormId lia_forms_scale(LiaForms* forms, LiaTerms* terms, LiaTermId coefficient, LiaFormId a,
                          LiaSpan span) {
    if (a == 0 || lia_term_is(terms, coefficient, 0)) {
        return 0;
    }
    if (lia_term_is(terms, coefficient, 1)) {
        return a;
    }
    uint16_t has = forms->nodes.items[a].has | terms->items[coefficient].has;
    LiaFormNode node = {.coefficient = coefficient, .a = a, .has = has, .span = span};
    return add(forms, terms, node);
}

typedef struct Todo {
    LiaFormId form;
    LiaTermId coefficient;
} Todo;

LiaForm lia_forms_write(LiaForms* forms, LiaTerms* terms, LiaFormId form, LiaSpan span) {
    LiaContext* context = terms->context;
    LIA_VECTOR(Todo) todo = {0};
    LIA_VECTOR(LiaFormPart) parts = {0};
    *LIA_ADD(context, todo) = (Todo){form, lia_term_whole(terms, 1, span)};
    while (todo.count > 0) {
        Todo next = todo.items[--todo.count];
        if (next.form == 0) {
            continue;
        }
        const LiaFormNode node = forms->nodes.items[next.form];
        lia_term_work(terms, 1);
        if (node.of) {
            if (parts.count >= LIA_LIMIT_FORM) {
                lia_diag_error(context->diags, span, "E0192",
                               "a one-form of more than %d parts, the limit", LIA_LIMIT_FORM);
                lia_context_stop(context);
            }
            *LIA_ADD(context, parts) =
                (LiaFormPart){next.coefficient, node.of, node.is_virtual, node.span};
            continue;
        }
        LiaTermId coefficient = next.coefficient;
        if (node.coefficient) {
            coefficient =
                lia_term_binary(terms, LIA_TERM_MUL, coefficient, node.coefficient, node.span);
        }
        *LIA_ADD(context, todo) = (Todo){node.b, coefficient};
        *LIA_ADD(context, todo) = (Todo){node.a, coefficient};
    }
    LiaFormPart* kept = lia_context_keep(context, (parts.count + 1) * sizeof *kept);
    if (parts.count > 0) {
        memcpy(kept, parts.items, parts.count * sizeof *kept);
    }
    return (LiaForm){kept, parts.count, span};
}
