// Symmetries: whether the Lagrangian, the admissible states and the forces are carried along, and what follows
// for the momentum. See prose.h.
// SPDX-License-Identifier: MIT
#include "output/explain/prose.h"

static void add_lagrangian(const LiaSymmetryClass* s, LiaText* line) {
    switch (s->lagrangian) {
    case LIA_INVARIANT_EVERYWHERE:
        lia_text_add(line, "the Lagrangian is invariant; ");
        return;
    case LIA_INVARIANT_ADMISSIBLE:
        lia_text_add(line, "the Lagrangian is invariant on admissible states only (elsewhere "
                           "xi(L) was up to ");
        break;
    case LIA_INVARIANT_NOT:
        lia_text_add(line, "the Lagrangian is not invariant (xi(L) was up to ");
    }
    lia_text_add_short(line, s->lagrangian_defect, 3);
    lia_text_add(line, "); ");
}

static void add_first_type(const LiaSymmetryClass* s, LiaText* line) {
    if (s->first_type) {
        lia_text_add(line, "first type: the constraints are carried along, the system reduces; ");
        return;
    }
    lia_text_add(line, "not of the first type");
    if (s->lagrangian == LIA_INVARIANT_EVERYWHERE) {
        lia_text_add(line, s->states_carried ? " (the forces are not carried along)"
                                             : " (the admissible states are not carried along)");
    }
    lia_text_add(line, "; ");
}

static void add_momentum(const LiaSymmetryClass* s, LiaText* line) {
    if (s->second_type) {
        lia_text_add(line, "second type: no force acts along it, the momentum is constant");
    } else if (s->constant && s->forces_across) {
        lia_text_add(line, "not of the second type, and yet the momentum is constant: on "
                           "admissible states xi(L) = 0 and no force acts along it");
    } else if (s->constant) {
        lia_text_add(line, "not of the second type, and yet the momentum was found constant");
    } else {
        lia_text_add(line, "the momentum is not constant (its rate was up to ");
        lia_text_add_short(line, s->defect, 3);
        lia_text_add(line, " on the samples)");
    }
}

void lia_prose_symmetries(LiaProse* page) {
    const LiaClassification* c = &page->e->classes;
    if (c->symmetry_count == 0) return;
    lia_prose_section(page, "symmetries");
    for (uint32_t i = 0; i < c->symmetry_count && i < LIA_PROSE_LINES; i++) {
        const LiaSymmetryClass* s = &c->symmetries[i];
        LiaText line = {0}, name = {0};
        lia_text_add(&name, "momentum(%s)", s->name);
        lia_prose_define_text(page, &name, s->momentum);
        if (c->samples == 0) {
            lia_text_add(&line, "nothing is decided, since no admissible state was found");
        } else {
            add_lagrangian(s, &line);
            add_first_type(s, &line);
            add_momentum(s, &line);
        }
        lia_prose_say(page, 4, &line);
    }
}
