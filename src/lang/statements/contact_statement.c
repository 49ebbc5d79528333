// contact NAME: gap >= 0 [restitution e] [slip e friction e [static e]] [rolling e about e]
// [pivoting e about e], and of two shapes. A contact is a constraint that holds one way: its first
// equation is gap = 0, the others are slip = 0 and those of rolling and pivoting. Which of them
// hold is decided along the motion.
// SPDX-License-Identifier: MIT
#include "lang/bodies/contact/contact.h"
#include "lang/elaborate/elaborate.h"
#include <stdio.h>
#include <string.h>

enum {
    SLIPS_MOST = 2,  // directions in a tangent plane
    EQUATIONS_MOST = LIA_CONTACT_SPOTS * (1 + 2 * SLIPS_MOST + 1),
};

static const LiaSetting gap_setting = {
    LIA_DEPENDS(ACCELERATION) | LIA_DEPENDS(REACTION) | LIA_DEPENDS(VELOCITY),
    "the gap of a contact", "E0281",
    "a gap is a function of the configuration (and t), without velocities"};
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

static void* keep_copy(LiaElaboration* e, const void* items, size_t size) {
    void* copy = lia_context_keep(e->context, size);
    memcpy(copy, items, size);
    return copy;
}

// Units of the multiplier of the gap: of a force, where the gap is a length.
static void take_units(LiaElaboration* e, LiaConstraint* c, uint32_t slot, LiaUnit gap) {
    LiaUnit joule = lia_dynamics_statements_joule(e), force = lia_unit_product(joule, gap, -1);
    while (e->force_units.count < e->draft.constraints.count)
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

static void take_laws(LiaElaboration* e, const LiaStatement* s, uint32_t bindings,
                      LiaContactLaw* law) {
    law->restitution = lia_friction_clauses_law(e, s->contact.restitution, bindings,
                                                "a coefficient of restitution", 1.0);
    law->friction = lia_friction_clauses_law(e, s->contact.friction, bindings,
                                             "a coefficient of friction", 1e300);
    law->friction_static = lia_friction_clauses_law(e, s->contact.friction_static, bindings,
                                                    "a coefficient of friction", 1e300);
}

// gap, slip and angular velocities as formulas
static bool take_formulas(LiaElaboration* e, const LiaStatement* s, uint32_t bindings,
                          LiaContactLaw* law, LiaEquation* equations, LiaUnit* unit) {
    law->points = 1;
    return take_gap(e, &s->phrases[0], bindings, &equations[0], unit) &&
           (!is_said(s->contact.slip) ||
            lia_friction_clauses_contact(e, s->contact.slip, bindings, equations + 1,
                                         &law->slips)) &&
           lia_resistance_clauses_take(e, s, bindings, *unit, law, equations);
}

static LiaEquation vanishes(LiaElaboration* e, const LiaValue* value, LiaSpan span) {
    return (LiaEquation){.left = lia_value_at(&e->work, value, 0),
                         .right = lia_term_whole(&e->work.terms, 0, span),
                         .span = span};
}

typedef struct Forces {
    LiaValue *forces, *couples;
    uint32_t count;
} Forces;

// Force of a multiplier on the second body, and its couple about the place of the pair.
static void put_force(LiaElaboration* e, Forces* r, const LiaValue* along, LiaValue arm) {
    LiaValue force = lia_negative(e, *along);
    r->forces[r->count] = force;
    r->couples[r->count++] = lia_cross(e, arm, force);
}

// The couple of a multiplier on the second body.
static void put_couple(LiaElaboration* e, Forces* r, const LiaValue* along) {
    r->forces[r->count] = lia_minus(e, *along, *along);
    r->couples[r->count++] = lia_negative(e, *along);
}

// "floor.1", "floor.2" and so on
static const char* const* name_points(LiaElaboration* e, uint32_t id, uint32_t points) {
    if (points == 1) return NULL;
    const char* name = lia_scope_name(e, id);
    size_t size = strlen(name) + sizeof ".4294967295";
    const char** names = lia_context_keep(e->context, points * sizeof *names);
    for (uint32_t i = 0; i < points; i++) {
        char* text = lia_context_keep(e->context, size);
        snprintf(text, size, "%s.%u", name, i + 1);
        names[i] = text;
    }
    return names;
}

// Where they touch, each spot with the forces of its own multipliers: there they have no couples
// but those against rolling and pivoting, which are the last of them.
static void list_spots(LiaElaboration* e, uint32_t id, const LiaContact* c,
                       const LiaContactLaw* law, const LiaContactSpot* spots, const Forces* r) {
    bool opposite = !lia_body_says(e, c->B.body, LIA_CLAUSE_MASS);
    uint32_t count = lia_contact_law_rows(law), forces = 1 + law->slips;
    LiaValue* couples = lia_context_scratch(e->context, EQUATIONS_MOST * sizeof *couples);
    for (uint32_t i = 0; i < law->points; i++) {
        size_t first = (size_t)i * count;
        LiaReaction own = {.forces = r->forces + first, .count = count};
        for (uint32_t k = 0; k < count && count > forces; k++) {
            const LiaValue* from = r->couples + first + k;
            couples[k] = k < forces ? lia_minus(e, *from, *from) : *from;
            own.couples = couples;
        }
        uint32_t slot = e->members.items[id].slot;
        lia_body_list_place(e, slot, i * count, &spots[i].place, &own, opposite);
    }
}

// The equations of one spot, and the forces of their multipliers.
static bool take_spot(LiaElaboration* e, const LiaContact* c, const LiaContactLaw* law,
                      const LiaContactSpot* spot, LiaEquation* equations, Forces* r) {
    LiaValue arm = lia_minus(e, spot->place, c->place);
    LiaSpan span = spot->gap.span;
    const LiaValue* all[1 + 2 * SLIPS_MOST + 1] = {&spot->gap};
    uint32_t count = 1;
    for (uint32_t k = 0; k < law->slips; k++) all[count++] = &spot->slip[k];
    for (uint32_t k = 0; k < law->rolls; k++) all[count++] = &spot->roll[k];
    if (law->pivots) all[count++] = &spot->pivot;
    for (uint32_t k = 0; k < count; k++) {
        if (all[k]->kind != LIA_VALUE_NUMBER) return false;
        equations[r->count + k] = vanishes(e, all[k], span);
    }
    put_force(e, r, &c->normal, arm);
    for (uint32_t k = 0; k < law->slips; k++) put_force(e, r, &spot->tangent[k], arm);
    for (uint32_t k = 0; k < law->rolls; k++) put_couple(e, r, &spot->tangent[k]);
    if (law->pivots) put_couple(e, r, &c->normal);
    return true;
}

// Does one of the bodies turn, if turning is resisted?
static bool check_turn(LiaElaboration* e, const LiaStatement* s, const LiaContactLaw* law,
                       const LiaContactSpot* spot) {
    uint16_t has = 0;
    if (law->rolls + law->pivots == 0) return true;
    const LiaValue* turns[] = {&spot->roll[0], &spot->roll[1], &spot->pivot};
    for (int i = 0; i < 3; i++)
        has |= turns[i]->kind == LIA_VALUE_NUMBER ? lia_value_has(&e->work, turns[i]) : 0;
    if (has & LIA_DEPENDS(VELOCITY)) return true;
    LiaCode code = law->rolls ? s->contact.rolling : s->contact.pivoting;
    lia_diag_error(e->context->diags, code.span, "E0283",
                   "neither of these bodies turns: nothing rolls or pivots");
    return false;
}

// gap and slip of two shapes, and the forces of their multipliers
static bool take_shapes(LiaElaboration* e, uint32_t id, LiaContactLaw* law, LiaEquation* equations,
                        LiaUnit* unit) {
    const LiaStatement* s = e->declarations.items[e->members.items[id].declaration].statement;
    LiaSpan span = {s->joint->shapes[0].span.begin, s->joint->shapes[1].span.end};
    const LiaContact* c = lia_contact_of(e, id, span);
    LiaContactSpot spots[LIA_CONTACT_SPOTS];
    if (!c) return false;
    Forces r = {lia_context_scratch(e->context, EQUATIONS_MOST * sizeof *r.forces),
                lia_context_scratch(e->context, EQUATIONS_MOST * sizeof *r.couples), 0};
    law->slips = is_said(s->contact.friction) ? SLIPS_MOST : 0;
    law->rolls = is_said(s->contact.rolling) ? SLIPS_MOST : 0;
    law->pivots = is_said(s->contact.pivoting) ? 1 : 0;
    law->points = lia_contact_one_way_spots(e, c, lia_friction_clauses_rubs(s), spots);
    for (uint32_t i = 0; i < law->points; i++) {
        spots[i].gap.span = span;
        if (!take_spot(e, c, law, &spots[i], equations, &r)) return false;
    }
    if (!check_turn(e, s, law, &spots[0])) return false;
    if (law->rolls && law->points > 1) {
        lia_diag_error(e->context->diags, s->contact.rolling.span, "E0289",
                       "a box touches with eight corners: it does not roll");
        lia_diag_help(e->context->diags,
                      "leave 'rolling' out; 'pivoting' is that of each corner. What rolls on a box "
                      "rolls on a plane of it: 'sphere(BALL, r) on plane(BOX at [0, 0, c/2])'");
        return false;
    }
    *unit = spots[0].gap.unit;
    law->names = name_points(e, id, law->points);
    LiaReaction* reaction = LIA_ADD(e->context, e->draft.reactions);
    *reaction = (LiaReaction){r.forces, r.couples, r.count, c->place, c->A.body, c->B.body};
    e->members.items[id].reaction = e->draft.reactions.count;
    lia_surface_list(e, &c->A);
    lia_surface_list(e, &c->B);
    list_spots(e, id, c, law, spots, &r);
    return true;
}

void lia_contact_statement(LiaElaboration* e, uint32_t id, uint32_t bindings) {
    const LiaDeclaration d = e->declarations.items[e->members.items[id].declaration];
    const LiaStatement* s = d.statement;
    uint32_t slot = e->members.items[id].slot;
    size_t errors = lia_diags_errors(e->context->diags);
    LiaEquation equations[EQUATIONS_MOST];
    LiaUnit unit = lia_unit_unknown();
    LiaContactLaw law = {.restitution_span = s->contact.restitution.span,
                         .friction_span = s->contact.friction.span,
                         .static_span = s->contact.friction_static.span};
    if (!lia_friction_clauses_fit(e, s, s->joint != NULL) || !lia_resistance_clauses_fit(e, s))
        return;
    if (s->joint ? !take_shapes(e, id, &law, equations, &unit)
                 : !take_formulas(e, s, bindings, &law, equations, &unit))
        return;
    take_laws(e, s, bindings, &law);
    if (s->joint && !lia_resistance_clauses_lengths(e, s, bindings, unit, &law)) return;
    if (lia_diags_errors(e->context->diags) > errors) return;
    LiaConstraint* c = &e->draft.constraints.items[slot];
    take_units(e, c, slot, unit);
    c->contact = keep_copy(e, &law, sizeof law);
    c->equation_count = lia_contact_law_rows(&law) * law.points;
    c->equations = keep_copy(e, equations, c->equation_count * sizeof *equations);
    c->span = s->span;
    c->name_span = d.head->name_span;
}

// --- impact -------------------------------------------------------------------------------------

static const struct {
    const char* word;
    bool order;  // of several contacts; else where restitution ends
    int value;
} impact_words[] = {
    {"newton", false, LIA_RESTITUTION_NEWTON},
    {"poisson", false, LIA_RESTITUTION_POISSON},
    {"energetic", false, LIA_RESTITUTION_STRONGE},
    {"sequential", true, true},
    {"simultaneous", true, false},
};
enum { IMPACT_WORDS = sizeof impact_words / sizeof *impact_words };

static void take_impact_word(LiaElaboration* e, const LiaPhrase* phrase, bool* said) {
    LiaDiags* diags = e->context->diags;
    for (int i = 0; i < IMPACT_WORDS; i++) {
        if (!lia_context_name_is(e->context, phrase->head.symbol, impact_words[i].word)) continue;
        if (said[impact_words[i].order]) {
            lia_diag_error(diags, phrase->span, "E0118", "this is said twice");
            return;
        }
        said[impact_words[i].order] = true;
        LiaImpactRule* rule = &e->draft.run.impact;
        if (impact_words[i].order) rule->sequential = impact_words[i].value;
        if (!impact_words[i].order) rule->restitution = (LiaRestitution)impact_words[i].value;
        return;
    }
    lia_diag_error(diags, phrase->span, "E0290", "no law of impact is called '%s'",
                   lia_context_quote(e->context, phrase->span));
    lia_diag_help(diags, "there are 'newton', 'poisson' and 'energetic', and for several contacts "
                         "'sequential' and 'simultaneous'");
}

void lia_contact_statement_impact(LiaElaboration* e, const LiaStatement* statement) {
    bool said[2] = {false, false};
    if (e->draft.run.impact.said) {
        lia_diag_error(e->context->diags, statement->span, "E0117",
                       "a second 'impact' in one model");
        return;
    }
    e->draft.run.impact.said = true;
    for (uint32_t i = 0; i < statement->phrase_count; i++)
        take_impact_word(e, &statement->phrases[i], said);
}
