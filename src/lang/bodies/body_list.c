// Bodies as a model lists them, for pictures: where they are, their mass and inertia, and where
// joints and constraints act on them.
// SPDX-License-Identifier: MIT
#include "lang/elaborate/elaborate.h"

void lia_body_list_terms(LiaElaboration* e, const LiaValue* value, LiaExpr* out, uint32_t count) {
    for (uint32_t i = 0; value->kind == LIA_VALUE_NUMBER && i < count; i++) {
        out[i] = lia_value_at(&e->work, value, i);
    }
}

// Three terms for each of `count` vectors.
static const LiaExpr* list_vectors(LiaElaboration* e, const LiaValue* vectors, uint32_t count,
                                   bool opposite) {
    LiaExpr* terms = lia_context_keep(e->context, (3 * (size_t)count + 1) * sizeof *terms);
    for (uint32_t i = 0; i < count; i++) {
        LiaValue vector = vectors[i];
        if (opposite && vector.kind == LIA_VALUE_NUMBER) {
            vector = lia_value_negate(&e->work, &vector, vector.span);
        }
        lia_body_list_terms(e, &vector, terms + 3 * (size_t)i, 3);
    }
    return terms;
}

static bool has_couples(LiaElaboration* e, const LiaReaction* reaction) {
    for (uint32_t i = 0; i < reaction->count; i++) {
        double numbers[3];
        const LiaValue* couple = &reaction->couples[i];
        bool known = lia_rotation_numbers(&e->work, couple, numbers);
        if (!known || numbers[0] != 0.0 || numbers[1] != 0.0 || numbers[2] != 0.0) {
            return true;
        }
    }
    return false;
}

void lia_body_list_place(LiaElaboration* e, uint32_t constraint, uint32_t first,
                         const LiaValue* place, const LiaReaction* reaction, bool opposite) {
    uint32_t count = reaction->count;
    LiaPlace listed = {.constraint = constraint,
                       .first = first,
                       .count = count,
                       .forces = list_vectors(e, reaction->forces, count, opposite)};
    if (reaction->couples && has_couples(e, reaction)) {
        listed.couples = list_vectors(e, reaction->couples, count, opposite);
    }
    lia_body_list_terms(e, place, listed.at, 3);
    *LIA_ADD(e->context, e->draft.places) = listed;
}

// A number or three moments become a matrix.
static void list_inertia(LiaElaboration* e, const LiaValue* value, LiaExpr* out) {
    uint32_t count = lia_value_count(value);
    if (count == 9) {
        lia_body_list_terms(e, value, out, 9);
        return;
    }
    for (uint32_t i = 0; value->kind == LIA_VALUE_NUMBER && i < 9; i++) {
        out[i] = i % 4 == 0 ? lia_value_at(&e->work, value, count == 3 ? i / 4 : 0)
                            : lia_term_whole(&e->work.terms, 0, value->span);
    }
}

static void list_body(LiaElaboration* e, uint32_t id) {
    LiaSpan span = lia_body_declared_by(e, id)->head.span;
    LiaValue body = {.kind = LIA_VALUE_BODY, .body = id, .span = span};
    LiaBody* listed = LIA_ADD(e->context, e->draft.bodies);
    uint32_t at = e->draft.bodies.count - 1;
    *listed = (LiaBody){
        .name = lia_scope_name(e, id), .free = lia_body_declared_by(e, id)->is_free, .span = span};
    LiaValue position = lia_body_position(e, &body), attitude = lia_body_attitude(e, &body);
    listed = &e->draft.bodies.items[at];
    lia_body_list_terms(e, &position, listed->position, 3);
    lia_body_list_terms(e, &attitude, listed->attitude, 9);
    if (lia_body_has_mass(e, id)) {
        LiaValue mass = lia_body_part(e, id, LIA_CLAUSE_MASS, span);
        lia_body_list_terms(e, &mass, &listed->mass, 1);
    }
    if (lia_body_says(e, id, LIA_CLAUSE_INERTIA)) {
        LiaValue inertia = lia_body_part(e, id, LIA_CLAUSE_INERTIA, span);
        list_inertia(e, &inertia, listed->inertia);
    }
}

void lia_body_list_all(LiaElaboration* e) {
    for (uint32_t i = 1; i < e->declarations.count; i++) {
        const LiaDeclaration d = e->declarations.items[i];
        for (uint32_t k = 0; d.keyword == LIA_KEYWORD_BODY && !d.poisoned && k < d.count; k++) {
            if (lia_diags_errors(e->context->diags) == 0) {
                list_body(e, d.first + k);
            }
        }
    }
}
