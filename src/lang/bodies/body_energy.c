// Energies of bodies, and the field of gravity.
//
//   T = m/2 v.v + 1/2 Omega.I Omega,  U = -m g.position           I about the centre of mass, body
//                                                                 axes
// SPDX-License-Identifier: MIT
#include "lang/bodies/rotation.h"
#include "lang/elaborate/elaborate.h"
#include <string.h>

// I Omega, in body axes
LiaValue lia_body_energy_spin(LiaElaboration* e, const LiaValue* inertia, const LiaValue* attitude,
                              LiaSpan span) {
    LiaWork* work = &e->work;
    LiaValue Omega = lia_rotation_omega(work, attitude, true, span);
    if (Omega.kind != LIA_VALUE_NUMBER || inertia->rows != 3 || inertia->cols != 1) {
        return lia_value_multiply(work, inertia, &Omega, span);
    }
    LiaValue parts[3];
    for (uint32_t i = 0; i < 3; i++) {
        LiaValue moment = lia_components_part(work, inertia, i);
        LiaValue rate = lia_components_part(work, &Omega, i);
        parts[i] = lia_value_multiply(work, &moment, &rate, span);
    }
    return lia_components_vector(work, parts, 3, span);
}

// 1/2 Omega.I Omega
static LiaValue turning_energy(LiaElaboration* e, const LiaValue* inertia, const LiaValue* attitude,
                               LiaSpan span) {
    LiaWork* work = &e->work;
    LiaValue Omega = lia_rotation_omega(work, attitude, true, span);
    LiaValue energy;
    if (lia_value_is_scalar(inertia)) {
        LiaValue square = lia_calls_dot(work, &Omega, &Omega, span);
        energy = lia_value_multiply(work, inertia, &square, span);
    } else {
        LiaValue momentum = lia_body_energy_spin(e, inertia, attitude, span);
        energy = lia_calls_dot(work, &Omega, &momentum, span);
    }
    LiaValue two = lia_value_literal(lia_number_whole(2), span);
    return lia_value_divide(work, &energy, &two, span);
}

static void add_energies(LiaElaboration* e, uint32_t body, const LiaValue* gravity) {
    LiaWork* work = &e->work;
    LiaSpan span = lia_body_declared_by(e, body)->head.span;
    if (!lia_body_check_complete(e, body)) {
        return;
    }
    LiaValue position = lia_body_part(e, body, LIA_CLAUSE_POSITION, span);
    if (lia_body_says(e, body, LIA_CLAUSE_ATTITUDE)) {
        lia_body_part(e, body, LIA_CLAUSE_ATTITUDE, span);  // for what is wrong with it
    }
    if (!lia_body_has_mass(e, body)) {
        return;
    }
    LiaValue mass = lia_body_part(e, body, LIA_CLAUSE_MASS, span);
    LiaValue velocity = lia_value_prime(work, &position, span);
    LiaValue square = lia_calls_dot(work, &velocity, &velocity, span);
    LiaValue energy = lia_value_multiply(work, &mass, &square, span);
    LiaValue two = lia_value_literal(lia_number_whole(2), span);
    energy = lia_value_divide(work, &energy, &two, span);
    if (lia_body_says(e, body, LIA_CLAUSE_INERTIA)) {
        LiaValue inertia = lia_body_part(e, body, LIA_CLAUSE_INERTIA, span);
        LiaValue attitude = lia_body_part(e, body, LIA_CLAUSE_ATTITUDE, span);
        if (inertia.kind == LIA_VALUE_POISON || attitude.kind == LIA_VALUE_POISON) {
            return;
        }
        LiaValue turning = turning_energy(e, &inertia, &attitude, span);
        energy = lia_value_add(work, &energy, &turning, 1, span);
    }
    if (energy.kind == LIA_VALUE_POISON) {
        return;
    }
    lia_dynamics_statements_add_energy(e, LIA_KINETIC, &energy, "the kinetic energy of this body",
                                       span);
    if (gravity->kind == LIA_VALUE_NUMBER) {
        LiaValue height = lia_calls_dot(work, gravity, &position, span);
        LiaValue weight = lia_value_multiply(work, &mass, &height, span);
        weight = lia_value_negate(work, &weight, span);
        if (weight.kind != LIA_VALUE_POISON) {
            lia_dynamics_statements_add_energy(e, LIA_POTENTIAL, &weight, "the weight of this body",
                                               span);
        }
    }
}

static const LiaSetting gravity_setting = {
    LIA_DEPENDS(POSITION) | LIA_DEPENDS(VELOCITY) | LIA_DEPENDS(ACCELERATION) |
        LIA_DEPENDS(REACTION) | LIA_DEPENDS(QUANTITY),
    "gravity", "E0188",
    "it is a vector of numbers, parameters and t; what depends on the place is a 'potential'"};

// The field in m/s^2, whatever the masses are measured in; POISON where there is none.
static LiaValue read_gravity(LiaElaboration* e, LiaSpan* given) {
    LiaValue gravity = lia_value_poison((LiaSpan){0, 0});
    *given = gravity.span;
    for (uint32_t i = 0; i < e->syntax->statements.count; i++) {
        const LiaStatement* statement = &e->syntax->statements.items[i];
        if (statement->keyword != LIA_KEYWORD_GRAVITY || statement->failed) {
            continue;
        }
        if (given->end > 0) {
            lia_diag_error(e->context->diags, statement->span, "E0117",
                           "a second 'gravity' in one model");
            continue;
        }
        *given = statement->span;
        const LiaPhrase* phrase = &statement->phrases[0];
        LiaValue value =
            lia_machine_run(e, phrase->right, &gravity_setting, e->machine.bindings.count);
        value = lia_definition_measure(e, value, &phrase->unit);
        bool known = value.kind != LIA_VALUE_POISON;
        if (!lia_body_need_vector(e, &value, "gravity")) {
            if (known)
                lia_diag_help(e->context->diags,
                              "write 'gravity [0, 0, -9.81]', or with 'in m/s^2'");
            continue;
        }
        lia_dynamics_statements_expect(e, &value, 0, 1, -2, "this gravity");
        gravity = lia_body_vector(e, &value);
        memset(e->draft.gravity.value, 0, sizeof e->draft.gravity.value);
        bool constant =
            lia_rotation_peek_numbers(&e->work, &gravity, e->draft.gravity.value);  // not with t
        for (uint32_t k = 0; constant && k < 3; k++) {
            e->draft.gravity.terms[k] = lia_value_at(&e->work, &gravity, k);
        }
        LiaMeasure metre, second;
        if (gravity.unit.state != LIA_UNIT_KNOWN && lia_unit_find_measure("m", &metre) &&
            lia_unit_find_measure("s", &second)) {
            LiaUnit squared = lia_unit_power(second.unit, 2, 1);
            gravity.unit = lia_unit_product(metre.unit, squared, -1);
        }
    }
    return gravity;
}

void lia_body_energy_all(LiaElaboration* e) {
    LiaSpan given;
    LiaValue gravity = read_gravity(e, &given);
    bool heavy = false;
    for (uint32_t i = 1; i < e->declarations.count; i++) {
        const LiaDeclaration d = e->declarations.items[i];
        if (d.keyword != LIA_KEYWORD_BODY) {
            continue;
        }
        heavy = heavy || d.poisoned;
        for (uint32_t k = 0; k < d.count && !lia_context_enough(e->context); k++) {
            heavy = heavy || lia_body_has_mass(e, d.first + k);
            add_energies(e, d.first + k, &gravity);
        }
    }
    heavy = heavy || lia_scope_failed(e, LIA_KEYWORD_BODY);
    if (given.end > 0 && !heavy && !e->syntax->refused) {
        lia_diag_error(e->context->diags, given, "E0188",
                       "gravity acts on bodies, and the model has no body with mass");
        lia_diag_help(e->context->diags, "write 'body NAME: mass e, position e', or a 'potential'");
    }
}
