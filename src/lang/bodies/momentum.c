// Momenta of groups of bodies, in space axes.
//   total_mass(A, B, ...)            m = sum m_i
//   center_of_mass(A, B, ...)        sum m_i r_i/m
//   linear_momentum(A, B, ...)       sum m_i v_i
//   angular_momentum(P, A, B, ...)   sum m_i (r_i - P) x v_i + R_i I_i Omega_i    about the place P
//   resultant(A, B, ...)             (sum m_i v_i)': of all efforts on these bodies from outside of
//                                    them
//   resultant_moment(P, A, B, ...)   their moment at P, which may move: sum m_i (r_i - P) x v_i' +
//                                    (R_i I_i Omega_i)'
// `all` stands for every body with mass.
// SPDX-License-Identifier: MIT
#include "lang/bodies/rotation.h"
#include "lang/elaborate/builtin.h"
#include "lang/elaborate/machine.h"

typedef LIA_VECTOR(uint32_t) Bodies;

// The bodies of the arguments; false with an error said.
static bool gather(LiaElaboration* e, const LiaValue* arguments, uint32_t count, const char* what,
                   Bodies* bodies) {
    bool good = true;
    for (uint32_t i = 0; i < count; i++) {
        const LiaValue* body = &arguments[i];
        if (body->kind != LIA_VALUE_BODY || body->body != LIA_EVERY_BODY) {
            if (lia_body_need(e, body, what)) {
                *LIA_ADD(e->context, *bodies) = body->body;
            } else {
                good = false;
            }
            continue;
        }
        for (uint32_t d = 1; d < e->declarations.count; d++) {
            if (e->declarations.items[d].keyword != LIA_KEYWORD_BODY) {
                continue;
            }
            good = lia_scope_expand(e, d) && good;
            for (uint32_t k = 0; k < e->declarations.items[d].count; k++) {
                uint32_t id = e->declarations.items[d].first + k;
                if (lia_body_says(e, id, LIA_CLAUSE_MASS)) {
                    *LIA_ADD(e->context, *bodies) = id;
                }
            }
        }
    }
    return good;
}

static bool check_twice(LiaElaboration* e, const Bodies* bodies, LiaSpan span) {
    enum { LOOKED_AT = 1000 };
    for (uint32_t i = 0; i < bodies->count && i < LOOKED_AT; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (bodies->items[i] == bodies->items[k]) {
                const char* name =
                    bodies->items[i] ? lia_scope_name(e, bodies->items[i]) : "ground";
                lia_diag_error(e->context->diags, span, "E0262", "'%s' is counted twice", name);
                return false;
            }
        }
    }
    return true;
}

typedef struct Sum {
    LiaValue total;
    bool any;
} Sum;

static void add(LiaElaboration* e, Sum* sum, const LiaValue* part, LiaSpan span) {
    sum->total = sum->any ? lia_value_add(&e->work, &sum->total, part, 1, span) : *part;
    sum->any = true;
}

typedef struct Share {  // of one body
    LiaValue value, mass;
} Share;

// What one body adds. False: a definition was begun.
static bool part_of(LiaElaboration* e, LiaBuiltinId function, uint32_t body, const LiaValue* about,
                    LiaSpan span, Share* share) {
    LiaWork* work = &e->work;
    LiaValue *out = &share->value, *mass = &share->mass;
    LiaValue position, inertia, attitude;
    if (!lia_body_use(e, body, LIA_CLAUSE_MASS, span, mass)) {
        return false;
    }
    *out = *mass;
    if (function == LIA_CALL_TOTAL_MASS || mass->kind != LIA_VALUE_NUMBER) {
        return true;
    }
    if (!lia_body_use(e, body, LIA_CLAUSE_POSITION, span, &position)) {
        return false;
    }
    if (function == LIA_CALL_CENTER_OF_MASS) {
        *out = lia_value_multiply(work, mass, &position, span);
        return true;
    }
    LiaValue velocity = lia_value_prime(work, &position, span);
    *out = lia_value_multiply(work, mass, &velocity, span);
    if (function == LIA_CALL_RESULTANT || function == LIA_CALL_RESULTANT_MOMENT) {
        *out = lia_value_prime(work, out, span);
    }
    if (function == LIA_CALL_LINEAR_MOMENTUM || function == LIA_CALL_RESULTANT) {
        return true;
    }
    LiaValue arm = lia_value_add(work, &position, about, -1, span);
    *out = lia_calls_cross(work, &arm, out, span);
    if (!lia_body_says(e, body, LIA_CLAUSE_INERTIA)) {
        return true;
    }
    if (!lia_body_use(e, body, LIA_CLAUSE_INERTIA, span, &inertia) ||
        !lia_body_use(e, body, LIA_CLAUSE_ATTITUDE, span, &attitude)) {
        return false;
    }
    LiaValue spin = lia_body_energy_spin(e, &inertia, &attitude, span);
    spin = lia_value_multiply(work, &attitude, &spin, span);
    if (function == LIA_CALL_RESULTANT_MOMENT) {
        spin = lia_value_prime(work, &spin, span);
    }
    *out = lia_value_add(work, out, &spin, 1, span);
    return true;
}

bool lia_momentum_call(LiaElaboration* e, const LiaSyntaxNode* node) {
    const LiaBuiltin* builtin = lia_builtin_at((int)node->other - 1);
    LiaBuiltinId function = (LiaBuiltinId)builtin->id;
    const LiaValue* arguments = e->machine.stack.items + e->machine.stack.count - node->count;
    LiaValue value = lia_value_poison(node->span), about = value;
    bool has_point = function == LIA_CALL_ANGULAR_MOMENTUM || function == LIA_CALL_RESULTANT_MOMENT;
    bool good = true;
    Bodies bodies = {0};
    if (node->count < (uint32_t)builtin->fewest) {
        lia_diag_error(e->context->diags, node->span, "E0127", "%s() takes %s, found %u argument%s",
                       builtin->name, has_point ? "a place and bodies" : "bodies", node->count,
                       node->count == 1 ? "" : "s");
        good = false;
    } else if (has_point) {
        about = arguments[0];
        good = lia_body_need_vector(e, &about,
                                    function == LIA_CALL_ANGULAR_MOMENTUM
                                        ? "the place angular_momentum() is about"
                                        : "the place resultant_moment() is at");
        about = good ? lia_body_vector(e, &about) : about;
    }
    const char* what = has_point ? "this function takes a place, then" : "this function takes";
    good = good && gather(e, arguments + has_point, node->count - has_point, what, &bodies) &&
           check_twice(e, &bodies, node->span);
    if (good && bodies.count == 0) {
        lia_diag_error(e->context->diags, node->span, "E0262", "the model has no body with mass");
        good = false;
    }
    Sum sum = {0}, masses = {0};
    for (uint32_t i = 0; good && i < bodies.count; i++) {
        Share share;
        if (!part_of(e, function, bodies.items[i], &about, node->span, &share)) {
            return false;
        }
        add(e, &sum, &share.value, node->span);
        add(e, &masses, &share.mass, node->span);
    }
    if (good) {
        value = function == LIA_CALL_CENTER_OF_MASS
                    ? lia_value_divide(&e->work, &sum.total, &masses.total, node->span)
                    : sum.total;
    }
    lia_references_replace(e, node->count, value, node->span);
    return true;
}
