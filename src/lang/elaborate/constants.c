// Formulas of numbers and parameters alone that have no value: asin(2), sqrt(a - 2) where a is 1. No motion can mend them, so
// they are found before there is one. A branch of `if` counts where its condition is constant and takes it: another
// may never be taken.
// SPDX-License-Identifier: MIT
#include "lang/elaborate/elaborate.h"
#include <math.h>

typedef struct Search {
    const LiaTerms* terms;
    bool* wanted;  // by term: something that moves or is observed is made of it
} Search;

static void want(Search* s, LiaTermId id) { s->wanted[id] = true; }

static void want_form(Search* s, const LiaForm* form) {
    for (uint32_t i = 0; i < form->count; i++) {
        want(s, form->parts[i].coefficient);
        want(s, form->parts[i].of);
    }
}

static void want_all(Search* s, const LiaElaboration* e) {
    for (uint32_t i = 0; i < e->controls.count; i++) want(s, e->controls.items[i].term);
    for (uint32_t i = 0; i < e->energies.count; i++) want(s, e->energies.items[i].term);
    for (uint32_t i = 0; i < e->dissipations.count; i++) want(s, e->dissipations.items[i].term);
    for (uint32_t i = 0; i < e->forces.count; i++) want_form(s, &e->forces.items[i].form);
    for (uint32_t i = 0; i < e->constraints.count; i++) {
        const LiaConstraint* constraint = &e->constraints.items[i];
        for (uint32_t k = 0; k < constraint->equation_count; k++) {
            want(s, constraint->equations[k].left);
            want(s, constraint->equations[k].right);
        }
        for (uint32_t k = 0; k < constraint->form_count; k++) want_form(s, &constraint->forms[k]);
    }
    for (uint32_t i = 0; i < e->observes.count; i++) want(s, e->observes.items[i].term);
    // arguments stand before what is made of them
    for (LiaTermId id = s->terms->count; id-- > 1;) {
        const LiaTerm* term = &s->terms->items[id];
        if (!s->wanted[id] || term->op < LIA_TERM_NEG) continue;
        if (term->op != LIA_TERM_IF) {
            want(s, term->a), want(s, term->b), want(s, term->c);
            continue;
        }
        want(s, term->a);
        if (s->terms->items[term->a].has == 0) {
            want(s, s->terms->constants[term->a] != 0.0 ? term->b : term->c);
        }
    }
}

static bool is_finite(const Search* s, LiaTermId id) {
    return id == 0 || s->terms->items[id].has != 0 || isfinite(s->terms->constants[id]);
}

static void say(LiaElaboration* e, const LiaTerm* term) {
    LiaDiags* diags = e->context->diags;
    double a = e->work.terms.constants[term->a], b = e->work.terms.constants[term->b];
    const char* quote = lia_context_quote(e->context, term->span);
    if (lia_context_said(e->context, term->span, "E0158")) return;  // another member of a family
    if (term->op == LIA_TERM_DIV) {
        lia_diag_error(diags, term->span, "E0158", "'%s' divides by zero", quote);
    } else if (term->op == LIA_TERM_POW) {
        lia_diag_error(diags, term->span, "E0158",
                       "'%s' is not a finite number: it is %.6g to the power of %.6g", quote, a, b);
    } else if (term->op == LIA_TERM_CALL && !term->b) {
        lia_diag_error(diags, term->span, "E0158",
                       "'%s' is not a finite number: its argument is %.6g", quote, a);
    } else {
        lia_diag_error(diags, term->span, "E0158", "'%s' is not a finite number", quote);
    }
}

// Has it no value though all it is made of has one?
static bool has_no_value(const Search* s, LiaTermId id) {
    const LiaTerm* term = &s->terms->items[id];
    if (term->op == LIA_TERM_NUMBER) return !is_finite(s, id);  // 1e308*1e308, folded
    if (term->op < LIA_TERM_NEG || term->op == LIA_TERM_IF) return false;
    if (!is_finite(s, term->a) || !is_finite(s, term->b) || !is_finite(s, term->c)) return false;
    bool by_zero = term->op == LIA_TERM_DIV && s->terms->items[term->b].has == 0 &&
                   s->terms->constants[term->b] == 0.0;
    return by_zero || !is_finite(s, id);
}

void lia_constants_check(LiaElaboration* e) {
    Search s = {.terms = &e->work.terms};
    s.wanted = lia_context_scratch(e->context, (size_t)s.terms->count + 1);
    want_all(&s, e);
    for (LiaTermId id = 1; id < s.terms->count; id++) {
        if (s.wanted[id] && has_no_value(&s, id)) say(e, &s.terms->items[id]);
    }
}
