// The contacts of a system as formulas: one for each point of a contact of the model, with its
// blocks of friction: slip, rolling, pivoting.
// SPDX-License-Identifier: MIT
#include "mechanics/build.h"

static LiaExpr term_or_zero(LiaSystem* s, LiaResolver* resolver, LiaExpr term) {
    return term.index ? lia_resolve_term(resolver, term) : s->zero;
}

// A block of friction after those that the contact has; none where nothing can slip: what turns
// in a plane does not pivot.
static void add_block(LiaSystem* s, LiaContactFormulas* c, LiaFrictionFormulas block) {
    static const char* const words[] = {"", ".rolling", ".pivoting"};
    bool moves = false;
    for (uint32_t i = 0; i < block.rows; i++)
        moves |= !lia_graph_is_zero(s->graph, s->rows[block.row + i].equation);
    if (!moves) return;
    block.name = c->name;
    if (block.kind != LIA_FRICTION_SLIP)
        block.name = lia_arena_printf(s->arena, "%s%s", c->name, words[block.kind]);
    c->block[c->blocks++] = block;
}

// The contact of one point, its row known.
static void add_contact(LiaSystem* s, LiaResolver* resolver, LiaContactFormulas c) {
    const LiaContactLaw* law = s->model->constraints[c.constraint].contact;
    LiaExpr friction = term_or_zero(s, resolver, law->friction), most = law->friction_static;
    LiaFrictionFormulas slip = {.row = c.row + 1, .rows = law->slips, .kinetic = friction};
    slip.most = most.index ? lia_resolve_term(resolver, most) : friction;
    LiaFrictionFormulas roll = {.kind = LIA_FRICTION_ROLLING, .rows = law->rolls};
    LiaFrictionFormulas pivot = {.kind = LIA_FRICTION_PIVOTING, .rows = law->pivots};
    roll.row = slip.row + slip.rows;
    roll.kinetic = roll.most = term_or_zero(s, resolver, law->rolling);
    pivot.row = roll.row + roll.rows;
    pivot.kinetic = pivot.most = term_or_zero(s, resolver, law->pivoting);
    if (law->slips) c.block[c.blocks++] = slip, c.block[0].name = c.name;
    if (law->rolls) add_block(s, &c, roll);
    if (law->pivots) add_block(s, &c, pivot);
    s->contacts[s->contact_count++] = c;
}

// Where the modes of blocks stand. False if memory is out.
static bool number_blocks(LiaSystem* s) {
    for (uint32_t k = 0; k < s->contact_count; k++) {
        LiaContactFormulas* c = &s->contacts[k];
        for (uint32_t b = 0; b < c->blocks; b++) {
            if (!c->block[b].name) return false;
        }
        if (c->blocks) c->block[0].place = k;
        for (uint32_t b = 1; b < c->blocks; b++)
            c->block[b].place = s->contact_count + s->mode.any->block_count++;
    }
    s->mode.now = LIA_ARENA_NEW(s->arena, LiaContactMode, (size_t)lia_system_mode_count(s) + 1);
    return s->mode.now != NULL;
}

bool lia_contact_list_make(LiaSystem* s, LiaResolver* resolver) {
    const LiaModel* m = s->model;
    uint32_t count = 0;
    for (uint32_t c = 0; c < m->constraints_count; c++)
        count += m->constraints[c].contact ? m->constraints[c].contact->points : 0;
    s->contacts = LIA_ARENA_NEW(s->arena, LiaContactFormulas, count + 1);
    if (!s->contacts) return false;
    for (uint32_t c = 0; c < m->constraints_count; c++) {
        const LiaContactLaw* law = m->constraints[c].contact;
        if (!law) continue;
        LiaContactFormulas contact = {.constraint = c,
                                      .row = s->first_row[c],
                                      .rows = lia_contact_law_rows(law),
                                      .restitution = term_or_zero(s, resolver, law->restitution)};
        for (; contact.point < law->points; contact.point++, contact.row += contact.rows) {
            contact.name = law->names ? law->names[contact.point] : m->constraints[c].name;
            add_contact(s, resolver, contact);
        }
    }
    return number_blocks(s);
}
