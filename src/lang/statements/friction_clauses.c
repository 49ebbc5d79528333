// slip e friction e [static e], of a contact and of what holds both ways (a rough constraint).
//
//   constraint rail: y = 0 slip x' friction 0.3 static 0.4
//   joint slide: prismatic(...) friction 0.1          its slip is the velocity along the axis
//   joint pin: revolute(...) friction 0.002           the angular velocity; friction is a length
//
// The slip stands as one more equation after those of the constraint: it holds while it sticks.
// SPDX-License-Identifier: MIT
#include "lang/bodies/joints/joint.h"
#include "lang/bodies/rotation.h"
#include <string.h>

static const LiaSetting slip_setting = {LIA_DEPENDS(ACCELERATION) | LIA_DEPENDS(REACTION), "a slip",
                                        NULL, NULL};
static const LiaSetting law_setting = {LIA_DEPENDS(ACCELERATION) | LIA_DEPENDS(REACTION) |
                                           LIA_DEPENDS(QUANTITY),
                                       "the law of a contact", NULL, NULL};

static bool is_said(LiaCode code) { return code.end > code.begin; }

// Is one of slip, friction and static said?
static bool said(const LiaStatement* s) {
    return is_said(s->contact.slip) || is_said(s->contact.friction) ||
           is_said(s->contact.friction_static);
}

bool lia_friction_clauses_rubs(const LiaStatement* s) {
    return is_said(s->contact.friction) || is_said(s->contact.rolling) ||
           is_said(s->contact.pivoting);
}

bool lia_friction_clauses_fit(LiaElaboration* e, const LiaStatement* s, bool slip_known) {
    LiaDiags* diags = e->context->diags;
    if (is_said(s->contact.friction) && !is_said(s->contact.slip) && !slip_known) {
        lia_diag_error(diags, s->contact.friction.span, "E0285",
                       "friction acts against a slip, and none is said");
        lia_diag_help(diags, "write 'slip x' friction 0.3', the velocity that it acts against");
        return false;
    }
    if (is_said(s->contact.slip) && !is_said(s->contact.friction)) {
        lia_diag_error(diags, s->contact.slip.span, "E0285",
                       "a slip is said, and no friction against it");
        lia_diag_help(diags, "write 'friction' and its coefficient, or leave 'slip' out");
        return false;
    }
    if (is_said(s->contact.friction_static) && !is_said(s->contact.friction)) {
        lia_diag_error(
            diags, s->contact.friction_static.span, "E0285",
            "'static' is the friction of what rests; it needs 'friction', that of what slides");
        return false;
    }
    return true;
}

LiaValue lia_friction_clauses_slip(LiaElaboration* e, LiaCode code, uint32_t bindings,
                                   const LiaSlipWords* words, LiaEquation* out) {
    LiaDiags* diags = e->context->diags;
    LiaValue slip = lia_machine_run(e, code, &slip_setting, bindings);
    if (slip.kind == LIA_VALUE_POISON) return slip;
    uint32_t parts = lia_value_count(&slip);
    if (slip.kind != LIA_VALUE_NUMBER || slip.cols != 1 || parts > words->most) {
        lia_diag_error(diags, code.span, "E0282", "%s is %s; '%s' is %s", words->what, words->shape,
                       lia_context_quote(e->context, code.span), lia_value_words(&e->work, &slip));
        if (words->instead) lia_diag_help(diags, "%s", words->instead);
        return lia_value_poison(code.span);
    }
    LiaExpr zero = lia_term_whole(&e->work.terms, 0, code.span);
    for (uint32_t i = 0; i < parts; i++) {
        LiaExpr term = lia_value_at(&e->work, &slip, i);
        if (!(lia_term_has(&e->work.terms, term) & LIA_DEPENDS(VELOCITY))) {
            lia_diag_error(diags, code.span, "E0283", "%s is %s", words->what, words->meaning);
            lia_diag_help(diags, "%s", words->help);
            return lia_value_poison(code.span);
        }
        out[i] = (LiaEquation){.left = term, .right = zero, .span = code.span};
    }
    return slip;
}

static const LiaSlipWords slip_of_contact = {
    .what = "a slip",
    .most = 2,
    .shape = "a number, or a vector of two along the surface",
    .meaning = "a velocity of one surface along the other",
    .help = "write how fast they move past each other: 'slip x' - v'"};

bool lia_friction_clauses_contact(LiaElaboration* e, LiaCode code, uint32_t bindings,
                                  LiaEquation* out, uint32_t* count) {
    LiaValue slip = lia_friction_clauses_slip(e, code, bindings, &slip_of_contact, out);
    *count = slip.kind == LIA_VALUE_POISON ? 0 : lia_value_count(&slip);
    return *count > 0;
}

LiaExpr lia_friction_clauses_law(LiaElaboration* e, LiaCode code, uint32_t bindings,
                                 const char* what, double most) {
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

// --- what holds both ways -----------------------------------------------------------------------

static const LiaRoughLaw* keep_law(LiaElaboration* e, const LiaStatement* s, uint32_t bindings,
                                   uint32_t normals, uint32_t slip) {
    static const char coefficient[] = "a coefficient of friction";
    LiaRoughLaw law = {.normals = normals, .slip = slip};
    law.friction = lia_friction_clauses_law(e, s->contact.friction, bindings, coefficient, 1e300);
    law.friction_static =
        lia_friction_clauses_law(e, s->contact.friction_static, bindings, coefficient, 1e300);
    LiaRoughLaw* copy = lia_context_keep(e->context, sizeof *copy);
    *copy = law;
    return copy;
}

bool lia_friction_clauses_constraint(LiaElaboration* e, const LiaStatement* s, uint32_t bindings,
                                     uint32_t normals, LiaEquation* slip, const LiaRoughLaw** out) {
    LiaDiags* diags = e->context->diags;
    size_t errors = lia_diags_errors(diags);
    LiaSlipWords words = slip_of_contact;
    words.most = 1;
    words.shape = "a number where a constraint holds both ways";
    words.instead = "as long as the force pushes, a slip of two components is one of a contact: "
                    "'contact NAME: e >= 0 slip [x', y'] friction e'";
    *out = NULL;
    if (!said(s)) return true;
    if (s->keyword != LIA_KEYWORD_CONSTRAINT || s->form_count > 0 || e->draft.phase.is) {
        lia_diag_error(
            diags, is_said(s->contact.friction) ? s->contact.friction.span : s->contact.slip.span,
            "E0291",
            e->draft.phase.is ? "friction acts where there are forces and velocities: not in a "
                                "phase space"
            : s->form_count > 0
                ? "friction is said, and so are the directions of the force: which of "
                  "them is the normal one is not known"
                : "an operator has no friction of its own");
        lia_diag_help(diags, "write 'constraint NAME: e = e slip e friction e'");
        return false;
    }
    if (!lia_friction_clauses_fit(e, s, false)) return false;
    LiaValue found = lia_friction_clauses_slip(e, s->contact.slip, bindings, &words, slip);
    if (found.kind == LIA_VALUE_POISON) return false;
    *out = keep_law(e, s, bindings, normals, normals);
    return lia_diags_errors(diags) == errors;
}

// The slip of a joint between bodies, and what its multiplier means: a force or a couple along n_A.
static bool add_joint_slip(LiaElaboration* e, LiaJoint* joint, uint32_t* normals) {
    LiaWork* work = &e->work;
    LiaSpan span = joint->span;
    LiaValue slip;
    if (joint->syntax->kind == LIA_JOINT_PRISMATIC) {
        LiaValue along = lia_calls_dot(work, &joint->A.n, &joint->d, span);
        slip = lia_value_prime(work, &along, span);
        *normals = 2;
        lia_joint_add(e, joint, &slip, &joint->A.n, NULL);
        return true;
    }
    if (joint->syntax->kind != LIA_JOINT_REVOLUTE) return false;
    LiaValue of_A = lia_rotation_omega(work, &joint->A.attitude, false, span);
    LiaValue of_B = lia_rotation_omega(work, &joint->B.attitude, false, span);
    LiaValue turn = lia_value_add(work, &of_B, &of_A, -1, span);
    slip = lia_calls_dot(work, &joint->A.n, &turn, span);
    *normals = 3;
    lia_joint_add(e, joint, &slip, NULL, &joint->A.n);
    return true;
}

bool lia_friction_clauses_joint(LiaElaboration* e, const LiaStatement* s, LiaJoint* joint,
                                uint32_t bindings, const LiaRoughLaw** out) {
    LiaDiags* diags = e->context->diags;
    size_t errors = lia_diags_errors(diags);
    uint32_t normals = 0, slip = joint->equations.count;
    *out = NULL;
    if (!said(s)) return true;
    if (is_said(s->contact.slip)) {
        lia_diag_error(diags, s->contact.slip.span, "E0292", "the slip of a joint is known");
        lia_diag_help(diags, "leave 'slip' out: that of a prismatic joint is the velocity along "
                             "its axis, of a revolute one the angular velocity");
        return false;
    }
    if (!lia_friction_clauses_fit(e, s, true)) return false;
    if (!add_joint_slip(e, joint, &normals)) {
        lia_diag_error(diags, s->contact.friction.span, "E0293",
                       "'%s' is no joint with friction: prismatic and revolute ones are",
                       joint->name);
        lia_diag_help(diags, joint->contact
                                 ? "shapes that slide are a contact: 'contact NAME: SHAPE on "
                                   "SHAPE friction e'"
                                 : "write a 'constraint' with 'slip e friction e'");
        return false;
    }
    *out = keep_law(e, s, bindings, normals, slip);
    return lia_diags_errors(diags) == errors && joint->equations.count > slip;
}
