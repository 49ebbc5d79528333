// Efforts of several joints together, as a torsor: resultant and moment at a place.
//   reaction(J1, J2 on A, B)         force of the joints on the part of the system that A and B are
//   moment(J1, J2 on A, B at P)      moment of these forces and couples at the place P
// A joint acts on its second body with its reaction and on the first with the opposite: between two
// bodies of the part it adds nothing. Without `on` the joints act on their second bodies. `all`
// stands for every joint that holds the part.
// SPDX-License-Identifier: MIT
#include "lang/bodies/rotation.h"
#include "lang/elaborate/builtin.h"
#include "lang/elaborate/machine.h"

typedef struct Efforts {
    LiaElaboration* e;
    const LiaSyntaxNode* node;
    const LiaValue* arguments;
    uint32_t joints, bodies;  // how many of the arguments
    const LiaValue* place;    // NULL: not said
    bool moment, all;
    LiaValue sum;
} Efforts;

static bool wrong(const Efforts* x, LiaSpan span, const char* what, const char* help) {
    lia_diag_error(x->e->context->diags, span, "E0374", "%s", what);
    if (help) lia_diag_help(x->e->context->diags, "%s", help);
    return false;
}

static bool holds_body(const Efforts* x, uint32_t body) {
    for (uint32_t i = 0; i < x->bodies; i++) {
        if (x->arguments[x->joints + i].body == body) return true;
    }
    return false;
}

// What the joint `id` adds. False with an error said.
static bool add_joint(Efforts* x, uint32_t id, LiaSpan span) {
    LiaElaboration* e = x->e;
    uint32_t number = e->members.items[id].reaction;
    if (number == 0) {  // it is wrong, and that was said
        x->sum = lia_value_poison(span);
        return true;
    }
    const LiaReaction r = e->draft.reactions.items[number - 1];
    bool on_A = x->bodies > 0 && holds_body(x, r.A);
    bool on_B = x->bodies == 0 || holds_body(x, r.B);
    if (!on_A && !on_B && !x->all) {
        lia_diag_error(e->context->diags, span, "E0375",
                       "'%s' holds no body that stands after 'on'", lia_scope_name(e, id));
        return false;
    }
    if (on_A == on_B) return true;
    LiaValue part = lia_joint_reaction(e, id, false, span);
    if (x->moment) {
        LiaValue couple = lia_joint_reaction(e, id, true, span);
        LiaValue arm = r.place;
        part.unit = lia_unit_unknown();
        if (x->place) {
            LiaValue at = lia_body_vector(e, x->place);
            arm = lia_value_add(&e->work, &arm, &at, -1, span);
            arm.unit = lia_unit_unknown();
            part = lia_calls_cross(&e->work, &arm, &part, span);
            part = lia_value_add(&e->work, &part, &couple, 1, span);
        } else {
            part = couple;
        }
    }
    x->sum = lia_value_add(&e->work, &x->sum, &part, on_B ? 1 : -1, span);
    return true;
}

// Every joint and contact of shapes.
static bool add_all(Efforts* x, LiaSpan span) {
    LiaElaboration* e = x->e;
    for (uint32_t d = 1; d < e->declarations.count; d++) {
        LiaKeyword keyword = e->declarations.items[d].keyword;
        if (keyword != LIA_KEYWORD_JOINT && keyword != LIA_KEYWORD_CONTACT) continue;
        if (!e->declarations.items[d].statement->joint) continue;  // no bodies: a gap as a formula
        if (!lia_scope_expand(e, d)) return false;
        for (uint32_t k = 0; k < e->declarations.items[d].count; k++) {
            if (!add_joint(x, e->declarations.items[d].first + k, span)) return false;
        }
    }
    return true;
}

// The arguments by their kinds: joints or `all`, bodies, a place.
static bool sort_arguments(Efforts* x) {
    uint32_t count = x->node->count, i = 0;
    const LiaValue* a = x->arguments;
    for (uint32_t k = 0; k < count; k++) {
        if (a[k].kind == LIA_VALUE_POISON) return false;
    }
    x->all = a[0].kind == LIA_VALUE_BODY && a[0].body == LIA_EVERY_BODY;
    if (x->all) x->joints = ++i;
    while (i < count && a[i].kind == LIA_VALUE_JOINT) x->joints = ++i;
    if (x->node->jump) x->place = &a[--count];  // at P
    for (; i < count; i++, x->bodies++) {
        if (!lia_body_need(x->e, &a[i], "after 'on' stands")) return false;
    }
    if (x->all && x->bodies == 0)
        return wrong(x, x->node->span, "all joints: on which bodies?", "write (all on A, B)");
    if (x->place && !lia_body_need_vector(x->e, x->place, "the place of a moment")) return false;
    if (x->place && !x->moment)
        return wrong(x, x->place->span, "a resultant is the same at all places",
                     "moment(J at P) has a place");
    if (!x->place && x->moment && (x->joints > 1 || x->all))
        return wrong(x, x->node->span, "moments of several joints have a sum at one place only",
                     "write moment(J1, J2 at P)");
    return true;
}

void lia_effort_call(LiaElaboration* e, const LiaSyntaxNode* node) {
    Efforts x = {.e = e, .node = node};
    x.arguments = e->machine.stack.items + e->machine.stack.count - node->count;
    x.moment = lia_builtin_at((int)node->other - 1)->id == LIA_CALL_MOMENT;
    LiaValue zero = lia_value_literal(lia_number_whole(0), node->span);
    x.sum = lia_body_vector(e, &zero);
    bool good = sort_arguments(&x) && (!x.all || add_all(&x, node->span));
    for (uint32_t i = 0; good && !x.all && i < x.joints; i++)
        good = add_joint(&x, x.arguments[i].body, x.arguments[i].span);
    if (good && x.all && !e->observing) {
        lia_diag_error(e->context->diags, node->span, "E0153",
                       "'%s' cannot stand in what the motion is made of",
                       lia_context_quote(e->context, node->span));
        good = false;
    }
    lia_references_replace(e, node->count, good ? x.sum : lia_value_poison(node->span), node->span);
}
