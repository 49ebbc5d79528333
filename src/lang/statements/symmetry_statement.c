// symmetry NAME: x' = e, ...: the generator of a symmetry, by coordinate.
// SPDX-License-Identifier: MIT
#include "lang/bodies/rotation.h"
#include "lang/elaborate/elaborate.h"
#include <string.h>

static const LiaSetting symmetry_setting = {
    LIA_DEPENDS(ACCELERATION) | LIA_DEPENDS(REACTION) | LIA_DEPENDS(QUANTITY) |
        LIA_DEPENDS(VELOCITY),
    "a symmetry", "E0159",
    "the generator of a symmetry is a function of the configuration (and t)"};

typedef struct Generator {
    const LiaPhrase* phrase;
    LIA_VECTOR(LiaSymmetryPart) parts;
    uint32_t bindings;  // of the family the symmetry belongs to
} Generator;

static void add_generator(LiaElaboration* e, void* of, const int64_t* at) {
    Generator* generator = of;
    const LiaPhrase* phrase = generator->phrase;
    const LiaHead* head = &phrase->head;
    LiaDiags* diags = e->context->diags;
    LiaTarget target = lia_group_target(e, head, at, "only coordinates are moved");
    LiaValue value = lia_machine_run(e, phrase->right, &symmetry_setting, generator->bindings);
    if (target.member == 0 || value.kind == LIA_VALUE_POISON) {
        return;
    }
    for (uint32_t i = 0; i < generator->parts.count && generator->parts.count < 1000; i++) {
        uint32_t moved = generator->parts.items[i].coordinate;
        if (moved >= target.coordinate && moved < target.coordinate + target.count) {
            lia_diag_error(diags, head->span, "E0164", "'%s'' is given twice", target.name);
            return;
        }
    }
    if (!lia_group_check_turning(e, phrase, &target)) {
        return;
    }
    LiaExpr rates[4] = {0};
    if (target.count == 1) {
        if (!lia_value_need_scalar(&e->work, &value, "the generator of a symmetry")) {
            return;
        }
        rates[0] = lia_value_at(&e->work, &value, 0);
    } else if (lia_body_need_vector(e, &value, "the generator of a symmetry")) {
        LiaExpr q[4];
        for (uint32_t i = 0; i < target.count; i++) {
            q[i] = lia_term_symbol(&e->work.terms, LIA_SYMBOL_POSITION, target.coordinate + i,
                                   phrase->span);
        }
        for (uint32_t i = 0; i < 3; i++) {
            rates[i] = lia_value_at(&e->work, &value, i);
        }
        if (phrase->turning) {
            LiaExpr spin[3] = {rates[0], rates[1], rates[2]};
            lia_rotation_rate(&e->work, q, spin, phrase->turning == LIA_TURNING_BODY, rates,
                              phrase->span);
        }
    } else {
        return;
    }
    for (uint32_t i = 0; i < target.count; i++) {
        *LIA_ADD(e->context, generator->parts) = (LiaSymmetryPart){target.coordinate + i, rates[i]};
    }
}

void lia_symmetry_statement(LiaElaboration* e, uint32_t id, uint32_t bindings) {
    const LiaStatement* statement =
        e->declarations.items[e->members.items[id].declaration].statement;
    Generator generator = {.bindings = bindings};
    for (uint32_t i = 0; i < statement->phrase_count; i++) {
        generator.phrase = &statement->phrases[i];
        lia_scope_walk(e, &generator.phrase->head, bindings, add_generator, &generator);
    }
    LiaSymmetry* symmetry = &e->draft.symmetries.items[e->members.items[id].slot];
    symmetry->parts = lia_context_keep_list(e->context, generator.parts.items,
                                            generator.parts.count, sizeof *generator.parts.items);
    symmetry->count = generator.parts.count;
    symmetry->span = statement->span;
}
