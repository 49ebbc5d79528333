// Arrows for pictures: who acts. See arrows.h and acts.h.
// SPDX-License-Identifier: MIT
#include "output/page/arrows/arrows.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "output/page/arrows/acts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ACTS_MOST = 64 };  // constraints, and as many applied forces

static LiaExpr zero(const LiaActs* a) { return lia_graph_integer(a->g, 0); }

// Is it nothing along the whole motion?
static bool is_nothing(const LiaActs* a, const LiaSceneItem* item) {
    for (int k = 0; k < 3; k++) {
        if (item->to[k].index) return false;
        for (size_t r = 0; item->to_given[k] && r < lia_scene_all_rows(a->scene); r++) {
            if (item->to_given[k][r] != 0.0) return false;
        }
    }
    return item->to_given[0] != NULL;
}

// An arrow of the same act on the same thing at the same place; NULL: none.
static LiaSceneItem* find_same(LiaActs* a, const char* kind, const LiaSceneItem* item) {
    for (uint32_t i = a->first; i < a->scene->count; i++) {
        LiaSceneItem* old = &a->scene->items[i];
        bool same = strcmp(old->kind, kind) == 0 && old->role && old->on == item->on &&
                    old->against == item->against && old->name == item->name;
        bool given = item->at_given[0] || old->at_given[0];
        if (same && !given && memcmp(old->at, item->at, sizeof old->at) == 0) return old;
    }
    return NULL;
}

bool lia_arrows_act_join(LiaActs* a, LiaSceneItem* old, const LiaSceneItem* new) {
    size_t rows = lia_scene_all_rows(a->scene);
    if (!old->to_given[0] != !new->to_given[0]) return false;
    for (int k = 0; k < 3; k++) {
        if (!old->to_given[0]) {
            old->to[k] = lia_graph_add(a->g, old->to[k], new->to[k]);
            continue;
        }
        double* sum = LIA_ARENA_NEW(a->scene->arena, double, rows + 1);
        if (!sum) {
            a->scene->failed = true;
            return false;
        }
        for (size_t r = 0; r < rows; r++) sum[r] = old->to_given[k][r] + new->to_given[k][r];
        old->to_given[k] = sum;
    }
    return true;
}

void lia_arrows_act_add(LiaActs* a, const char* kind, LiaSceneItem item) {
    if (is_nothing(a, &item)) return;
    LiaSceneItem* same = item.role ? find_same(a, kind, &item) : NULL;
    if (same && lia_arrows_act_join(a, same, &item)) return;
    item.kind = kind;
    *lia_scene_add(a->scene, kind, item.name) = item;
}

// --- an act

// Is Q more than rounding at some of the instants?
static bool is_something(LiaActs* a) {
    const LiaCarriers* c = &a->carriers;
    double rounding[LIA_ACTED_MOST];
    bool some = false;
    if (!lia_scene_values_rounding(a->scene, a->act.Q, c->n, rounding)) return false;
    for (size_t k = 0; k < c->instant_count * c->n; k++)
        some = some || fabs(a->act.q[k]) > rounding[k % c->n];
    return some;
}

// Q at the instants, 0 where it is not known; false where it is nothing.
bool lia_arrows_act_look(LiaActs* a) {
    const LiaCarriers* c = &a->carriers;
    LiaAct* act = &a->act;
    bool some = false;
    if (!lia_scene_values(a->scene, act->Q, c->n, c->instants, c->instant_count, act->q))
        return false;
    if (!is_something(a)) return false;
    for (size_t k = 0; k < c->instant_count; k++) {
        lia_carriers_flatten(c, c->instants[k], act->q + k * c->n, 1);
    }
    for (size_t k = 0; k < c->instant_count; k++) {
        double *q = act->q + k * c->n, sum = 0.0;
        for (uint32_t i = 0; i < c->n; i++) sum += fabs(q[i]);
        if (!isfinite(sum)) memset(q, 0, c->n * sizeof *q);  // where a run ends
        some = some || sum > 0.0;
    }
    return some;
}

// Some or all of what acts is on nothing that is drawn: say so, with the arrows of the act that
// there are.
static void add_lost(LiaActs* a) {
    LiaScene* scene = a->scene;
    if (!a->lost) return;
    for (uint32_t i = a->first; i < scene->count; i++) scene->items[i].part = true;
    if (scene->count == a->first) scene->unplaced[scene->unplaced_count++] = a->act.item.name;
    a->lost = false;
}

// A force between two places, of which the text may know only some numbers: along their line, if
// that does it.
static bool find_line(LiaActs* a, const LiaSpoken* spoken, LiaSketch* line) {
    if (spoken->count != 2) return false;
    for (int k = 0; k < 2; k++) {  // instruments stand where there is room, not at places
        if (a->scene->carriers[spoken->at[k] - 1].shown[0].index) return false;
    }
    *line = (LiaSketch){.parts = {{LIA_PART_LINE, spoken->at[0], spoken->at[1]}}, .count = 1};
    return lia_virtual_work_sketch_left(&a->carriers, line, a->act.q) <= LIA_WORK_EXACT;
}

// Coordinates that belong together: a number by itself, or those of a place, a direction, a
// rotation.
static uint32_t together(const LiaModel* m, uint32_t i) {
    uint32_t group = m->coordinates[i].group;
    return group ? m->groups[group - 1].count : 1;
}

// What acts on some coordinates alone, of all that acts; false where that is nothing.
static bool take_some(LiaActs* a, const LiaExpr* Q, uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < a->carriers.n; i++) {
        a->act.Q[i] = i >= first && i < first + count ? Q[i] : lia_graph_integer(a->g, 0);
    }
    return lia_arrows_act_look(a);
}

// What is no one arrow or two may be one for each coordinate. Without `draw` it is only asked
// whether that is so.
static bool is_apart(LiaActs* a, const LiaExpr* Q, bool draw) {
    uint32_t step;
    for (uint32_t i = 0; i < a->carriers.n; i += step) {
        LiaSketch sketch;
        step = together(a->m, i);
        if (!take_some(a, Q, i, step)) continue;
        lia_virtual_work_sketch_find(&a->carriers, a->act.q, &sketch);
        if (sketch.count != 1 || sketch.left > LIA_WORK_EXACT) return false;
        if (draw) lia_arrow_sketch_draw_sketch(a, &sketch);
    }
    return true;
}

static bool draw_apart(LiaActs* a) {
    size_t size = a->carriers.n * sizeof *a->act.Q;
    LiaExpr* Q = lia_memory_take(size + 1);
    if (!Q) {
        a->scene->failed = true;
        return false;
    }
    memcpy(Q, a->act.Q, size);
    bool apart = is_apart(a, Q, false) && is_apart(a, Q, true);
    memcpy(a->act.Q, Q, size);
    lia_arrows_act_look(a);
    free(Q);
    return apart;
}

// A normal force and its friction act at one place, though the text has two formulas for them.
static bool find_force(LiaActs* a, LiaSketch* sketch) {
    lia_virtual_work_sketch_find(&a->carriers, a->act.q, sketch);
    return sketch->count == 1 && sketch->left <= LIA_WORK_EXACT &&
           sketch->parts[0].kind == LIA_PART_FORCE;
}

static void add_act(LiaActs* a) {
    LiaSpoken spoken;
    LiaSketch sketch;
    if (!lia_arrows_act_look(a)) return;
    a->act.item.part = false;
    bool said = lia_spoken_find(&a->carriers, &a->act.speech, a->act.q, &spoken);
    if (said && a->act.item.contact && spoken.count > 1 && find_force(a, &sketch)) said = false;
    if (said && !find_line(a, &spoken, &sketch)) {
        lia_arrow_sketch_draw_spoken(a, &spoken);
        return;
    }
    if (!said) lia_virtual_work_sketch_find(&a->carriers, a->act.q, &sketch);
    bool exact = sketch.count > 0 && sketch.left <= LIA_WORK_EXACT;
    if (exact || !draw_apart(a)) lia_arrow_sketch_draw_sketch(a, &sketch);
}

void lia_arrows_act_draw_exact(LiaActs* a) {
    LiaSpoken spoken;
    LiaSketch sketch;
    if (!lia_arrows_act_look(a)) return;
    a->act.item.part = false;
    bool said = lia_spoken_find(&a->carriers, &a->act.speech, a->act.q, &spoken);
    if (said && !find_line(a, &spoken, &sketch)) {
        lia_arrow_sketch_draw_spoken(a, &spoken);
        return;
    }
    if (!said) lia_virtual_work_sketch_find(&a->carriers, a->act.q, &sketch);
    bool exact = sketch.count > 0 && sketch.left <= LIA_WORK_EXACT && !sketch.screw;
    if (exact) lia_arrow_sketch_draw_sketch(a, &sketch);
}

// Is all that acts now one force or couple, or forces at places that it speaks of? *wrench: by a
// force on a line alone.
static bool is_one(LiaActs* a, bool* wrench) {
    LiaSpoken spoken;
    LiaSketch sketch;
    *wrench = false;
    if (!lia_arrows_act_look(a)) return true;
    if (lia_spoken_find(&a->carriers, &a->act.speech, a->act.q, &spoken)) return true;
    lia_virtual_work_sketch_find(&a->carriers, a->act.q, &sketch);
    *wrench = sketch.parts[0].kind == LIA_PART_WRENCH;
    return sketch.count == 1 && sketch.left <= LIA_WORK_EXACT && !sketch.screw;
}

// --- who acts

static void say(LiaActs* a, LiaExpr of, LiaExpr weight) {
    LiaSpeech* s = &a->act.speech;
    if (s->count == LIA_SPOKEN_ROOTS || !of.index || !weight.index) return;
    s->of[s->count] = of;
    s->weight[s->count] = weight;
    s->rates[s->count++] = (lia_graph_node(a->g, of)->depends & LIA_DEPENDS(VELOCITY)) != 0;
}

static void say_form(LiaActs* a, const LiaForm* form, LiaExpr factor) {
    for (uint32_t p = 0; p < form->count; p++) {
        const LiaFormPart* part = &form->parts[p];
        LiaExpr weight = factor;
        if (part->coefficient.index) {
            LiaExpr coefficient = lia_resolve_term(a->scene->resolver, part->coefficient);
            weight = coefficient.index ? lia_graph_mul(a->g, factor, coefficient) : coefficient;
        }
        say(a, lia_resolve_term(a->scene->resolver, part->of), weight);
    }
}

// Q of some rows of a constraint, and what they say.
void lia_arrows_act_take_rows(LiaActs* a, uint32_t c, uint32_t first, uint32_t count) {
    const LiaSystem* s = a->scene->system;
    const LiaConstraint* constraint = &a->m->constraints[c];
    LiaAct* act = &a->act;
    act->speech.count = 0;
    for (uint32_t i = 0; i < s->n; i++) act->Q[i] = zero(a);
    for (uint32_t part = first; part < first + count; part++) {
        const LiaRow* row = &s->rows[s->first_row[c] + part];
        if (row->identical && !row->by_mode) continue;
        LiaExpr mu = lia_graph_symbol(a->g, LIA_SYMBOL_MULTIPLIER, s->first_row[c] + part);
        for (uint32_t e = 0; e < row->entries; e++) {
            LiaExpr* Q = &act->Q[row->coordinate[e]];
            *Q = lia_graph_add(a->g, *Q, lia_graph_mul(a->g, mu, row->Omega[e]));
        }
        if (constraint->rule == LIA_RULE_GIVEN) {
            if (part < constraint->form_count) say_form(a, &constraint->forms[part], mu);
        } else {
            say(a, constraint->active ? row->left : row->equation, mu);
        }
    }
}

static bool has_place(const LiaModel* m, uint32_t constraint) {
    for (uint32_t i = 0; i < m->pictures.places_count; i++) {
        const LiaPlace* place = &m->pictures.places[i];
        if (place->constraint == constraint && (place->forces || place->count == 3)) return true;
    }
    return false;
}

uint32_t lia_arrows_contact_of(const LiaSystem* s, uint32_t constraint, uint32_t equation) {
    uint32_t row = s->first_row[constraint] + equation;
    for (uint32_t k = 0; k < s->contact_count; k++) {
        const LiaContactFormulas* c = &s->contacts[k];
        if (row >= c->row && row < c->row + c->rows) return k + 1;
    }
    return 0;
}

LiaSceneItem lia_arrows_act_item(const LiaActs* a, uint32_t c) {
    const LiaConstraint* constraint = &a->m->constraints[c];
    return (LiaSceneItem){.name = constraint->name,
                          .contact = lia_arrows_contact_of(a->scene->system, c, 0),
                          .role = constraint->active ? "operator" : "constraint",
                          .driven = constraint->active,
                          .shared = !a->scene->trajectory->constraints.list[c].unique};
}

// Several equations are one arrow where they can be; not where each by itself is a plainer one.
static bool is_one_of_all(LiaActs* a, uint32_t c, uint32_t count) {
    bool wrench, plain = true;
    lia_arrows_act_take_rows(a, c, 0, count);
    if (count == 1) return true;
    if (!is_one(a, &wrench)) return false;
    for (uint32_t part = 0; wrench && plain && part < count; part++) {
        bool single;
        lia_arrows_act_take_rows(a, c, part, 1);
        plain = is_one(a, &single) && !single;
    }
    lia_arrows_act_take_rows(a, c, 0, count);
    return !(wrench && plain);
}

static void add_constraint(LiaActs* a, uint32_t c) {
    const LiaSystem* s = a->scene->system;
    const LiaConstraint* constraint = &a->m->constraints[c];
    if (constraint->internal) return;
    if (has_place(a->m, c) && constraint->rule != LIA_RULE_GIVEN) return;
    uint32_t count = s->first_row[c + 1] - s->first_row[c];
    a->first = a->scene->count;
    a->act.item = lia_arrows_act_item(a, c);
    a->act.constraint = 1 + c;
    if (is_one_of_all(a, c, count)) {
        add_act(a);
    } else {
        for (uint32_t part = 0; part < count; part++) {
            lia_arrows_act_take_rows(a, c, part, 1);
            add_act(a);
        }
    }
    add_lost(a);
}

static void add_applied(LiaActs* a, uint32_t f) {
    const LiaForce* force = &a->m->forces[f];
    if (force->vector[0].index) return;
    a->act.item = (LiaSceneItem){.name = force->name, .role = "applied"};
    a->act.constraint = 0;
    a->act.speech.count = 0;
    LiaExpr on = lia_arrow_given_on(a, force);
    say_form(a, &force->form, on);
    a->first = a->scene->count;
    if (lia_resolve_form(a->scene->resolver, &force->form, NULL, a->act.Q)) {
        for (uint32_t i = 0; i < a->scene->system->n; i++)
            a->act.Q[i] = lia_graph_mul(a->g, on, a->act.Q[i]);
        add_act(a);
    }
    add_lost(a);
}

// Make ready to look for places by virtual work.
static bool prepare(LiaActs* a) {
    LiaArena* arena = a->scene->arena;
    size_t n = a->scene->system->n;
    a->scene->unplaced = LIA_ARENA_NEW(arena, const char*, 2 * ACTS_MOST);
    a->act.q = LIA_ARENA_NEW(arena, double, LIA_INSTANTS* n + 1);
    LiaExpr* Q = LIA_ARENA_NEW(arena, LiaExpr, n + 1);
    if (!a->scene->unplaced || !a->act.q || !Q || !lia_carriers_find(&a->carriers, a->scene)) {
        a->scene->failed = true;
        return false;
    }
    a->act.Q = Q;
    return true;
}

void lia_arrows_add(LiaScene* scene) {
    const LiaModel* m = scene->system->model;
    bool wanted = !lia_arrow_given_are_drawn(m), small = scene->system->n <= LIA_ACTED_MOST;
    if (scene->rows == 0) return;
    LiaActs a = {.scene = scene, .g = scene->graph, .m = m};
    if (wanted && small && !prepare(&a)) return;
    for (uint32_t i = 0; i < m->pictures.places_count; i++)
        lia_arrow_given_take_place(&a, &m->pictures.places[i], wanted);
    for (uint32_t i = 0; wanted && i < m->forces_count; i++)
        lia_arrow_given_take_force(&a, &m->forces[i]);
    if (!a.act.Q) return;
    for (uint32_t c = 0; c < m->constraints_count && c < ACTS_MOST; c++) add_constraint(&a, c);
    for (uint32_t f = 0; f < m->forces_count && f < ACTS_MOST; f++) add_applied(&a, f);
    lia_arrow_springs_add(&a);
}
