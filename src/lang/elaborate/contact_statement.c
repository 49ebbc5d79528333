// contact NAME: gap >= 0 [restitution e] [slip e friction e [static e]]. A contact is a constraint
// that holds one way: its first equation is gap = 0, the others are slip = 0. Which of them hold is
// decided along the motion.
// SPDX-License-Identifier: MIT
#include "lang/elaborate/elaborate.h"
#include <string.h>

enum { SLIPS_MOST = 2 };  // directions in a tangent plane

static const LiaSetting gap_setting = {
    LIA_DEPENDS(ACCELERATION) | LIA_DEPENDS(REACTION) | LIA_DEPENDS(VELOCITY),
    "the gap of a contact", "E0281",
    "a gap is a function of the configuration (and t), without velocities"};
static const LiaSetting slip_setting = {LIA_DEPENDS(ACCELERATION) | LIA_DEPENDS(REACTION),
                                        "the slip of a contact", NULL, NULL};
static const LiaSetting law_setting = {LIA_DEPENDS(ACCELERATION) | LIA_DEPENDS(REACTION) |
                                           LIA_DEPENDS(QUANTITY),
                                       "the law of a contact", NULL, NULL};

static bool is_said(LiaCode code) { return code.end > code.begin; }

static LiaUnit gap_unit(const LiaValue* left, const LiaValue* right) {
    return left->unit.state == LIA_UNIT_UNKNOWN ? right->unit : left->unit;
}

// left - right of `left >= right`.
static bool take_gap(LiaElaboration* e, const LiaPhrase* phrase, uint32_t bindings,
                     LiaEquation* out, LiaUnit* unit) {
    LiaValue left = lia_machine_run(e, phrase->left, &gap_setting, bindings);
    LiaValue right = lia_machine_run(e, phrase->right, &gap_setting, bindings);
    bool good = lia_value_need_scalar(&e->work, &left, "the gap of a contact");
    good = lia_value_need_scalar(&e->work, &right, "the gap of a contact") && good;
    if (!good) return false;
    LiaUnit common;
    if (!lia_unit_sum(left.unit, right.unit, &common)) {
        lia_value_say_units(&e->work, &left, &right);
        return false;
    }
    *unit = gap_unit(&left, &right);
    uint16_t has = lia_value_has(&e->work, &left) | lia_value_has(&e->work, &right);
    *out = (LiaEquation){.left = lia_value_at(&e->work, &left, 0),
                         .right = lia_value_at(&e->work, &right, 0),
                         .span = phrase->span};
    if (has & LIA_DEPENDS(POSITION)) return true;
    lia_diag_error(e->context->diags, phrase->span, "E0167",
                   "this gap holds no coordinate: nothing that moves closes it");
    return false;
}

// The components of `slip e`, each a velocity.
static bool take_slip(LiaElaboration* e, LiaCode code, uint32_t bindings, LiaEquation* out,
                      uint32_t* count) {
    LiaDiags* diags = e->context->diags;
    LiaValue slip = lia_machine_run(e, code, &slip_setting, bindings);
    if (slip.kind == LIA_VALUE_POISON) return false;
    uint32_t parts = lia_value_count(&slip);
    if (slip.kind != LIA_VALUE_NUMBER || slip.cols != 1 || parts > SLIPS_MOST) {
        lia_diag_error(diags, code.span, "E0282",
                       "a slip is a number, or a vector of two along the surface; '%s' is %s",
                       lia_context_quote(e->context, code.span), lia_value_words(&e->work, &slip));
        return false;
    }
    LiaExpr zero = lia_term_whole(&e->work.terms, 0, code.span);
    for (uint32_t i = 0; i < parts; i++) {
        LiaExpr term = lia_value_at(&e->work, &slip, i);
        if (!(lia_term_has(&e->work.terms, term) & LIA_DEPENDS(VELOCITY))) {
            lia_diag_error(diags, code.span, "E0283",
                           "a slip is a velocity of one surface along the other");
            lia_diag_help(diags, "write how fast they move past each other: 'slip x' - v'");
            return false;
        }
        out[i] = (LiaEquation){.left = term, .right = zero, .span = code.span};
    }
    *count = parts;
    return true;
}

// A number of the law: 0 where it is not said. Constants outside of their range are errors.
static LiaExpr take_law(LiaElaboration* e, LiaCode code, uint32_t bindings, const char* what,
                        double most) {
    if (!is_said(code)) return (LiaExpr){0};
    LiaValue value = lia_machine_run(e, code, &law_setting, bindings);
    if (!lia_value_need_scalar(&e->work, &value, what)) return (LiaExpr){0};
    double x = 0.0;
    if (lia_value_peek(&e->work, &value, &x) && !(x >= 0.0 && x <= most)) {
        lia_diag_error(e->context->diags, code.span, "E0284", "%s is %.6g: it is %s", what, x,
                       most == 1.0 ? "a number from 0 to 1" : "never negative");
    }
    return lia_value_at(&e->work, &value, 0);
}

// friction and slip belong together.
static bool clauses_fit(LiaElaboration* e, const LiaStatement* s) {
    LiaDiags* diags = e->context->diags;
    if (is_said(s->friction) && !is_said(s->slip)) {
        lia_diag_error(diags, s->friction.span, "E0285",
                       "friction acts against a slip, and none is said");
        lia_diag_help(diags, "write 'slip x' friction 0.3', the velocity that it acts against");
        return false;
    }
    if (is_said(s->slip) && !is_said(s->friction)) {
        lia_diag_error(diags, s->slip.span, "E0285", "a slip is said, and no friction against it");
        lia_diag_help(diags, "write 'friction' and its coefficient, or leave 'slip' out");
        return false;
    }
    if (is_said(s->friction_static) && !is_said(s->friction)) {
        lia_diag_error(diags, s->friction_static.span, "E0285",
                       "'static' is the friction of what rests, beside 'friction' of what slides");
        return false;
    }
    return true;
}

static void* keep_copy(LiaElaboration* e, const void* items, size_t size) {
    void* copy = lia_context_keep(e->context, size);
    memcpy(copy, items, size);
    return copy;
}

// Units of the multiplier of the gap: of a force, where the gap is a length.
static void take_units(LiaElaboration* e, LiaConstraint* c, uint32_t slot, LiaUnit gap) {
    LiaUnit joule = lia_dynamics_statements_joule(e), force = lia_unit_product(joule, gap, -1);
    while (e->force_units.count < e->constraints.count)
        *LIA_ADD(e->context, e->force_units) = lia_unit_unknown();
    e->force_units.items[slot] = force;
    LiaUnit impulse = lia_unit_product(joule, lia_unit_per_second(gap), -1);
    if (force.state == LIA_UNIT_KNOWN) {
        const char* text = lia_unit_name(e->context, force, false);
        c->force_unit = keep_copy(e, text, strlen(text) + 1);
    }
    if (impulse.state == LIA_UNIT_KNOWN) {
        const char* text = lia_unit_text(e->context, impulse);
        c->impulse_unit = keep_copy(e, text, strlen(text) + 1);
    }
}

void lia_contact_statement(LiaElaboration* e, uint32_t id, uint32_t bindings) {
    const LiaDeclaration d = e->declarations.items[e->members.items[id].declaration];
    const LiaStatement* s = d.statement;
    uint32_t slot = e->members.items[id].slot;
    size_t errors = lia_diags_errors(e->context->diags);
    LiaEquation equations[1 + SLIPS_MOST];
    LiaUnit unit = lia_unit_unknown();
    LiaContactLaw law = {.restitution_span = s->restitution.span,
                         .friction_span = s->friction.span,
                         .static_span = s->friction_static.span};
    if (!clauses_fit(e, s) || !take_gap(e, &s->phrases[0], bindings, &equations[0], &unit)) return;
    if (is_said(s->slip) && !take_slip(e, s->slip, bindings, equations + 1, &law.slips)) return;
    law.restitution = take_law(e, s->restitution, bindings, "a coefficient of restitution", 1.0);
    law.friction = take_law(e, s->friction, bindings, "a coefficient of friction", 1e300);
    law.friction_static =
        take_law(e, s->friction_static, bindings, "a coefficient of friction", 1e300);
    if (lia_diags_errors(e->context->diags) > errors) return;
    LiaConstraint* c = &e->constraints.items[slot];
    take_units(e, c, slot, unit);
    c->contact = keep_copy(e, &law, sizeof law);
    c->equation_count = 1 + law.slips;
    c->equations = keep_copy(e, equations, c->equation_count * sizeof *equations);
    c->span = s->span;
    c->name_span = d.head->name_span;
}
