// Screw: on a common axis B goes on by the pitch p, a length, with every turn; 1 parameter. It is
// right-handed where p > 0.
//   u_A . d = 0,  w_A . d = 0,  u_A . n_B = 0,  w_A . n_B = 0
//   p/(2 pi) wrap(theta - phi) = 0,  phi = 2 pi x/p,  x = n_A . d
// with theta the angle of u_B from u_A: c = cos theta = u_A . u_B, s = sin theta = w_A . u_B, so
// that theta - phi is the angle of (c cos phi + s sin phi, s cos phi - c sin phi). Written so,
// there is no angle that has to be counted over turns: where the screw stands says how it is
// turned. On admissible states, with A held:
//   F = -n_A,   C = p/(2 pi) (cos phi u_B x w_A - sin phi u_B x u_A)
// SPDX-License-Identifier: MIT
#include "lang/bodies/joints/joint.h"

static LiaValue call(LiaElaboration* e, LiaOp function, const LiaValue* a) {
    LiaExpr term = lia_value_at(&e->work, a, 0);
    term = lia_term_call(&e->work.terms, function, term, a->span);
    return lia_value_scalar(term, lia_unit_number(), a->span);
}

// a p + sign b q
static LiaValue combine(LiaElaboration* e, const LiaValue* a, const LiaValue* p, int sign,
                        const LiaValue* b, const LiaValue* q) {
    LiaValue x = lia_value_multiply(&e->work, a, p, a->span);
    LiaValue y = lia_value_multiply(&e->work, b, q, a->span);
    return lia_value_add(&e->work, &x, &y, sign, a->span);
}

void lia_joint_screw(LiaElaboration* e, LiaJoint* joint) {
    LiaWork* work = &e->work;
    LiaSpan span = joint->span;
    lia_joint_cylindrical(e, joint);
    LiaExpr two_pi =
        lia_term_binary(&work->terms, LIA_OP_MUL, lia_term_whole(&work->terms, 2, span),
                        lia_term_pi(&work->terms, span), span);
    LiaValue turn = lia_value_scalar(two_pi, lia_unit_number(), span);
    LiaValue lead = lia_value_divide(work, &joint->pitch, &turn, span);  // p/(2 pi)
    LiaValue x = lia_calls_dot(work, &joint->A.n, &joint->d, span);
    LiaValue phi = lia_value_divide(work, &x, &lead, span);
    if (phi.kind != LIA_VALUE_NUMBER) {
        return;
    }
    LiaValue cosine = call(e, LIA_OP_COS, &phi), sine = call(e, LIA_OP_SIN, &phi);
    LiaValue c = lia_calls_dot(work, &joint->A.u, &joint->B.u, span);
    LiaValue s = lia_calls_dot(work, &joint->A.w, &joint->B.u, span);
    LiaValue miss = combine(e, &s, &cosine, -1, &c, &sine);
    LiaValue meet = combine(e, &c, &cosine, 1, &s, &sine);
    LiaExpr angle = lia_term_binary(&work->terms, LIA_OP_ATAN2, lia_value_at(work, &miss, 0),
                                    lia_value_at(work, &meet, 0), span);
    LiaValue off = lia_value_scalar(angle, lia_unit_number(), span);
    LiaValue equation = lia_value_multiply(work, &lead, &off, span);
    LiaValue F = lia_value_negate(work, &joint->A.n, span);
    LiaValue across_w = lia_calls_cross(work, &joint->B.u, &joint->A.w, span);
    LiaValue across_u = lia_calls_cross(work, &joint->B.u, &joint->A.u, span);
    LiaValue C = combine(e, &cosine, &across_w, -1, &sine, &across_u);
    C = lia_value_multiply(work, &lead, &C, span);
    lia_joint_add(e, joint, &equation, &F, &C);
}
