// A point of A on a surface or a curve of B, given by a function of x, y, z: places in body axes of
// B, from its point.
//   on_surface   f(u) = 0             u = R_B^T (P_A - P_B)       leaves a point 2, a tip 5
//   on_curve     f(u) = 0, g(u) = 0   the function gives [f, g]   leaves a point 1, a body 4
// A curve with a parameter, a function of one number, stands in curve_joint.c.
// The force on A is along the gradient, at P_A; that on B is the opposite, at the same place.
// SPDX-License-Identifier: MIT
#include "lang/bodies/joints/joint.h"
#include <string.h>

static bool is_said(LiaCode code) { return code.begin != code.end; }

// The function of the second side; NULL with an error said.
static const LiaStatement* function_of(LiaElaboration* e, const LiaJoint* joint, const char* word) {
    LiaDiags* diags = e->context->diags;
    const LiaSide* side = &joint->syntax->sides[1];
    if (side->function == 0 || joint->syntax->sides[0].function != 0 ||
        !lia_context_name_is(e->context, side->function_word, word)) {
        lia_diag_error(diags, side->span, "E0263", "the second side of '%s' says 'BODY %s NAME'",
                       joint->name, word);
        lia_diag_help(diags, "NAME is a 'function' of x, y, z in body axes that is zero there%s",
                      strcmp(word, "curve") == 0 ? ", or one of a parameter" : "");
        return NULL;
    }
    const char* name = lia_context_name_text(e->context, side->function);
    uint32_t id = e->context->names.items[side->function].declaration;
    if (id == 0) {
        lia_unknown_name_say(e, side->function, side->function_span, true);
        return NULL;
    }
    const LiaDeclaration* d = &e->declarations.items[id];
    if (d->poisoned) {
        return NULL;
    }
    bool function = d->keyword == LIA_KEYWORD_FUNCTION;
    bool curve = strcmp(word, "curve") == 0;
    uint32_t wanted = is_said(side->parameter) ? 1 : 3;
    uint32_t count = function ? d->statement->argument_count : 0;
    if (is_said(side->parameter) && !curve) {
        lia_diag_error(diags, side->function_span, "E0263", "a surface is named, not called");
        lia_diag_help(diags, "write 'surface %s'", name);
        return NULL;
    }
    if (count != wanted && !(curve && count == 1)) {
        lia_diag_error(diags, side->function_span, "E0263",
                       "a %s needs a function of %s; '%s' is %s", word,
                       wanted == 1 ? "its parameter" : "x, y, z", name,
                       function ? "one of other arguments" : lia_declarations_words(d->keyword));
        lia_diag_help(diags, "write 'function %s(%s) = ...'%s", name, wanted == 1 ? "s" : "x, y, z",
                      curve && wanted == 3 ? ", or 'function f(s) = [x, y, z]' of a parameter"
                                           : "");
        return NULL;
    }
    return d->statement;
}

// R_B^T v
static LiaValue turned_back(LiaElaboration* e, const LiaJoint* joint, const LiaValue* v) {
    LiaExpr* parts = lia_value_components(&e->work, 3);
    for (uint32_t i = 0; i < 3; i++) {
        parts[i] = lia_term_whole(&e->work.terms, 0, joint->span);
        for (uint32_t k = 0; k < 3; k++) {
            LiaExpr a = lia_value_at(&e->work, &joint->B.attitude, 3 * k + i);
            LiaExpr product = lia_term_binary(&e->work.terms, LIA_OP_MUL, a,
                                              lia_value_at(&e->work, v, k), joint->span);
            parts[i] = lia_term_binary(&e->work.terms, LIA_OP_ADD, parts[i], product, joint->span);
        }
    }
    return lia_value_of(LIA_VALUE_NUMBER, 3, 1, parts, v->unit, joint->span);
}

// phi is a function of the symbols x, y, z; u is the place.
static void add_implicit(LiaElaboration* e, LiaJoint* joint, LiaValue phi, const LiaExpr* u) {
    LiaWork* work = &e->work;
    LiaTerms* terms = &work->terms;
    LiaExpr f = lia_value_at(work, &phi, 0);
    LiaExpr* slopes = lia_value_components(work, 3);
    lia_term_gradient(terms, f, slopes, joint->span);
    for (int i = 0; i < 3; i++) slopes[i] = lia_term_replace(terms, slopes[i], u, joint->span);
    phi = lia_value_scalar(lia_term_replace(terms, f, u, joint->span), phi.unit, phi.span);
    LiaValue gradient =
        lia_value_of(LIA_VALUE_NUMBER, 3, 1, slopes, lia_unit_unknown(), joint->span);
    LiaValue F = lia_value_multiply(work, &joint->B.attitude, &gradient, joint->span);
    F = lia_value_negate(work, &F, joint->span);
    lia_joint_add(e, joint, &phi, &F, NULL);
}

// `count` equations of the function.
static void implicit(LiaElaboration* e, LiaJoint* joint, const char* word, uint32_t count) {
    LiaWork* work = &e->work;
    LiaDiags* diags = e->context->diags;
    LiaSpan span = joint->syntax->sides[1].function_span;
    const LiaStatement* function = function_of(e, joint, word);
    if (!function) {
        return;
    }
    if (joint->B.attitude.kind != LIA_VALUE_NUMBER) {
        lia_diag_error(diags, joint->B.span, "E0255",
                       "'%s' is a point: it has no attitude for a %s",
                       lia_context_quote(e->context, joint->B.span), word);
        return;
    }
    if (function->argument_count == 1) {
        lia_joint_along_curve(e, joint, function);
        return;
    }
    LiaValue away = lia_value_negate(work, &joint->d, joint->span);
    LiaValue u = turned_back(e, joint, &away);
    uint32_t bindings = e->machine.bindings.count;
    for (uint32_t i = 0; i < 3; i++) {
        LiaExpr x = lia_term_symbol(&work->terms, LIA_SYMBOL_DISPLACEMENT, i, joint->span);
        lia_machine_bind(e, function->arguments[i], lia_value_scalar(x, u.unit, span));
    }
    LiaValue value =
        lia_machine_run(e, function->phrases[0].right, &lia_machine_free_setting, bindings);
    e->machine.bindings.count = bindings;
    if (value.kind == LIA_VALUE_POISON) {
        return;
    }
    if (value.kind != LIA_VALUE_NUMBER || lia_value_count(&value) != count) {
        lia_diag_error(diags, span, "E0263", "the function of a %s gives %s, this one %s", word,
                       count == 1 ? "one number" : "two numbers, [f, g]",
                       lia_value_words(work, &value));
        return;
    }
    const uint16_t moving = LIA_DEPENDS(VELOCITY) | LIA_DEPENDS(ACCELERATION) | LIA_DEPENDS(RATE) |
                            LIA_DEPENDS(QUANTITY) | LIA_DEPENDS(REACTION);
    if (lia_value_has(work, &value) & moving) {
        lia_diag_error(diags, span, "E0263", "the function of a %s has a velocity or a force in it",
                       word);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        add_implicit(e, joint, count == 1 ? value : lia_components_part(work, &value, i), u.many);
    }
}

void lia_joint_on_surface(LiaElaboration* e, LiaJoint* joint) { implicit(e, joint, "surface", 1); }

void lia_joint_on_curve(LiaElaboration* e, LiaJoint* joint) { implicit(e, joint, "curve", 2); }
