// Formulas of numbers and parameters alone that have no value: asin(2), sqrt(a - 2) where a is 1.
// No motion can mend them, so they are found before there is one. A branch of `if` counts where its
// condition is constant and takes it: another may never be taken.
// SPDX-License-Identifier: MIT
#include "lang/elaborate/elaborate.h"
#include <math.h>

typedef struct Search {
    const LiaTerms* terms;
    bool* wanted;  // by node: something that moves or is observed is made of it
} Search;

static void want(Search* s, LiaExpr term) { s->wanted[term.index] = true; }

static void want_form(Search* s, const LiaForm* form) {
    for (uint32_t i = 0; i < form->count; i++) {
        want(s, form->parts[i].coefficient);
        want(s, form->parts[i].of);
    }
}

static void want_arguments(Search* s, const LiaNode* n) {
    LiaExpr a = {n->a}, b = {n->b}, c = {n->c};
    switch (lia_op_arity((LiaOp)n->op)) {
    case 0:
        if (n->op == LIA_OP_SYMBOL && n->symbol_kind == LIA_SYMBOL_RATE) want(s, a);
        return;
    case 3:
        want(s, a);
        if (lia_term_has(s->terms, a) == 0) want(s, s->terms->constants[a.index] != 0.0 ? b : c);
        return;
    default:
        want(s, a), want(s, b);
    }
}

static void want_all(Search* s, const LiaElaboration* e) {
    for (uint32_t i = 0; i < e->draft.controls.count; i++) {
        want(s, e->draft.controls.items[i].term);
        want(s, e->draft.controls.items[i].law);
    }
    for (uint32_t i = 0; i < e->draft.energies.count; i++) want(s, e->draft.energies.items[i].term);
    for (uint32_t i = 0; i < e->draft.dissipations.count; i++)
        want(s, e->draft.dissipations.items[i].term);
    for (uint32_t i = 0; i < e->draft.forces.count; i++)
        want_form(s, &e->draft.forces.items[i].form);
    for (uint32_t i = 0; i < e->draft.constraints.count; i++) {
        const LiaConstraint* constraint = &e->draft.constraints.items[i];
        for (uint32_t k = 0; k < constraint->equation_count; k++) {
            want(s, constraint->equations[k].left);
            want(s, constraint->equations[k].right);
        }
        for (uint32_t k = 0; k < constraint->form_count; k++) want_form(s, &constraint->forms[k]);
        if (constraint->rough) {
            want(s, constraint->rough->friction);
            want(s, constraint->rough->friction_static);
        }
        const LiaContactLaw* contact = constraint->contact;
        if (!contact) continue;
        want(s, contact->restitution);
        want(s, contact->friction);
        want(s, contact->friction_static);
        want(s, contact->rolling);
        want(s, contact->pivoting);
    }
    for (uint32_t i = 0; i < e->draft.events.count; i++) {
        const LiaEvent* event = &e->draft.events.items[i];
        for (uint32_t k = 0; k < event->set_count; k++) want(s, event->sets[k].term);
    }
    for (uint32_t i = 0; i < e->draft.observes.count; i++) want(s, e->draft.observes.items[i].term);
    // arguments stand before what is made of them
    for (uint32_t i = s->terms->graph->count; i-- > 1;) {
        if (s->wanted[i]) want_arguments(s, &s->terms->graph->nodes[i]);
    }
}

static bool is_finite(const Search* s, LiaExpr term) {
    return lia_term_has(s->terms, term) != 0 || isfinite(s->terms->constants[term.index]);
}

static void say(LiaElaboration* e, const LiaWritten* written) {
    LiaDiags* diags = e->context->diags;
    LiaSpan span = written->span;
    const LiaNode* n = lia_graph_node(e->work.terms.graph, written->node);
    double a = e->work.terms.constants[n->a], b = e->work.terms.constants[n->b];
    const char* quote = lia_context_quote(e->context, span);
    if (lia_context_said(e->context, span, "E0158")) return;  // another member of a family
    if (n->op == LIA_OP_DIV) {
        lia_diag_error(diags, span, "E0158", "'%s' divides by zero", quote);
    } else if (n->op == LIA_OP_POW) {
        lia_diag_error(diags, span, "E0158",
                       "'%s' is not a finite number: it is %.6g to the power of %.6g", quote, a, b);
    } else if (lia_op_arity((LiaOp)n->op) == 1) {
        lia_diag_error(diags, span, "E0158", "'%s' is not a finite number: its argument is %.6g",
                       quote, a);
    } else {
        lia_diag_error(diags, span, "E0158", "'%s' is not a finite number", quote);
    }
}

// Has it no value though all it is made of has one?
static bool has_no_value(const Search* s, LiaExpr term) {
    const LiaNode* n = lia_graph_node(s->terms->graph, term);
    int arity = lia_op_arity((LiaOp)n->op);
    if (n->op == LIA_OP_IF) return false;
    if (arity > 0 && !is_finite(s, (LiaExpr){n->a})) return false;
    if (arity > 1 && !is_finite(s, (LiaExpr){n->b})) return false;
    bool by_zero = n->op == LIA_OP_DIV && lia_term_has(s->terms, (LiaExpr){n->b}) == 0 &&
                   s->terms->constants[n->b] == 0.0;
    return by_zero || !is_finite(s, term);
}

void lia_constants_check(LiaElaboration* e) {
    Search s = {.terms = &e->work.terms};
    s.wanted = lia_context_scratch(e->context, (size_t)s.terms->graph->count + 1);
    want_all(&s, e);
    for (uint32_t i = 0; i < s.terms->written_count; i++) {
        const LiaWritten* written = &s.terms->written[i];
        if (s.wanted[written->node.index] && has_no_value(&s, written->node)) say(e, written);
    }
}
