// Arrows whose place the model gives: joints, contacts, forces on bodies. See acts.h.
// SPDX-License-Identifier: MIT
#include "base/numeric/thresholds.h"
#include "output/page/arrows/acts.h"
#include "output/page/arrows/instants.h"
#include <math.h>
#include <string.h>

static LiaExpr zero(const LiaActs* a) { return lia_graph_integer(a->g, 0); }

bool lia_arrow_given_are_drawn(const LiaModel* m) {
    for (uint32_t i = 0; i < m->pictures.drawings_count; i++) {
        const LiaDrawing* d = &m->pictures.drawings[i];
        for (int k = 0; d->kind == LIA_DRAWING_ARROW && k < 3; k++) {
            if (lia_model_depends(m, d->end[k]) & LIA_DEPENDS(REACTION)) return true;
        }
    }
    return false;
}

// The force at a place, or its couple: the sum of its multipliers times their directions.
static bool act_of_place(LiaScene* scene, const LiaPlace* place, const LiaExpr* directions,
                         LiaExpr* F) {
    const LiaSystem* s = scene->system;
    LiaGraph* g = scene->graph;
    for (uint32_t k = 0; k < 3; k++) F[k] = lia_graph_integer(g, 0);
    for (uint32_t i = 0; i < place->count; i++) {
        uint32_t row = s->first_row[place->constraint] + place->first + i;
        LiaExpr direction[3];
        if (s->rows[row].identical && !s->rows[row].by_mode) continue;
        for (uint32_t k = 0; k < 3; k++) direction[k] = lia_graph_integer(g, k == i);
        if (directions && !lia_scene_resolve(scene, directions + 3 * i, direction, 3)) return false;
        LiaExpr mu = lia_graph_symbol(g, LIA_SYMBOL_MULTIPLIER, row);
        for (uint32_t k = 0; k < 3; k++) {
            F[k] = lia_graph_add(g, F[k], lia_graph_mul(g, mu, direction[k]));
        }
    }
    return true;
}

// Does the arrow, at `x` its place, force and couple at the instants, do the work of Q on these
// carriers?
static bool works_on(const LiaActs* a, double x[LIA_INSTANTS][9], uint32_t on, uint32_t against) {
    const LiaCarriers* c = &a->carriers;
    double most = 0.0, left = 0.0;
    for (size_t k = 0; k < c->instant_count; k++) {
        const double *one = lia_carriers_twists_instant(c, on, k),
                     *other = lia_carriers_twists_instant(c, against, k);
        double rest[LIA_ACTED_MOST];
        const double* q = a->act.q + k * c->n;
        for (uint32_t i = 0; i < c->n; i++) {
            double v[3], w[3];
            lia_carriers_twist_velocity(one, i, x[k], v);
            lia_carriers_twist_velocity(other, i, x[k], w);
            rest[i] = q[i];
            for (size_t j = 0; j < 3; j++) {
                double turn = one[6 + 6 * i + j] - other[6 + 6 * i + j];
                rest[i] -= x[k][3 + j] * (v[j] - w[j]) + x[k][6 + j] * turn;
            }
        }
        most = fmax(most, lia_virtual_work_sketch_length(c, q));
        left = fmax(left, lia_virtual_work_sketch_length(c, rest));
    }
    return most > 0.0 && left <= LIA_ARROW_PLACED * most;
}

// Find out on which carriers arrows act that the model has placed: those that do the work of Q.
static void attach(LiaActs* a, const LiaExpr* at, const LiaExpr* F, const LiaExpr* C,
                   LiaSceneItem* item) {
    const LiaCarriers* c = &a->carriers;
    LiaExpr formulas[9];
    double x[LIA_INSTANTS][9];
    for (int k = 0; k < 3; k++) {
        formulas[k] = at[k];
        formulas[3 + k] = F ? F[k] : zero(a);
        formulas[6 + k] = C ? C[k] : zero(a);
    }
    if (!lia_arrows_act_look(a) ||
        !lia_scene_values(a->scene, formulas, 9, c->instants, c->instant_count, x[0])) {
        return;
    }
    for (uint32_t on = 1; on <= a->scene->carrier_count; on++) {
        for (uint32_t against = 0; against <= a->scene->carrier_count; against++) {
            if (on == against || !works_on(a, x, on, against)) continue;
            item->on = on;
            item->against = against;
            return;
        }
    }
}

// Does a contact touch or strike at some time? Most corners of a box never do.
static bool acts(const LiaScene* scene, uint32_t contact) {
    size_t column = lia_instants_normal_column(scene, contact);
    for (size_t r = 0; column && r < lia_scene_all_rows(scene); r++) {
        if (fabs(lia_scene_row(scene, r)[column]) > 0.0) return true;  // not where it is not known
    }
    return false;
}

void lia_arrow_given_take_place(LiaActs* a, const LiaPlace* place, bool forces) {
    LiaScene* scene = a->scene;
    const LiaConstraint* c = &a->m->constraints[place->constraint];
    LiaExpr at[3], F[3], C[3];
    uint32_t contact = lia_arrows_contact_of(a->scene->system, place->constraint, place->first);
    LiaSceneItem item = {.name = c->name, .contact = contact};
    if (contact && !acts(scene, contact - 1)) return;
    if (!lia_scene_resolve(scene, place->at, at, 3)) return;
    memcpy(item.at, at, sizeof at);
    a->first = a->scene->count;
    lia_arrows_act_add(a, "contact", item);
    if (!forces || c->rule == LIA_RULE_GIVEN) return;
    bool force =
        (place->forces || place->count == 3) && act_of_place(scene, place, place->forces, F);
    bool couple = place->couples && act_of_place(scene, place, place->couples, C);
    item = lia_arrows_act_item(a, place->constraint);
    item.contact = contact;
    memcpy(item.at, at, sizeof at);
    if (a->act.Q) {
        lia_arrows_act_take_rows(a, place->constraint, place->first, place->count);
        attach(a, at, force ? F : NULL, couple ? C : NULL, &item);
    }
    if (force) {
        memcpy(item.to, F, sizeof F);
        lia_arrows_act_add(a, "force", item);
    }
    if (couple) {
        memcpy(item.to, C, sizeof C);
        lia_arrows_act_add(a, "couple", item);
    }
}

// (1 + sign(t - at))/2
static LiaExpr after(LiaGraph* g, double at) {
    LiaExpr t = lia_graph_symbol(g, LIA_SYMBOL_TIME, 0);
    LiaExpr late = lia_graph_sub(g, t, lia_graph_number(g, lia_number_double(at)));
    LiaExpr sign = lia_graph_apply(g, LIA_OP_SIGN, late, (LiaExpr){0}, (LiaExpr){0});
    LiaExpr both = lia_graph_add(g, lia_graph_integer(g, 1), sign);
    return lia_graph_div(g, both, lia_graph_integer(g, 2));
}

LiaExpr lia_arrow_given_on(LiaActs* a, const LiaForce* f) {
    const LiaTrajectory* motion = a->scene->trajectory;
    LiaExpr on = lia_graph_integer(a->g, f->duration.from ? 0 : 1);
    for (size_t i = 0; i < motion->events.count; i++) {
        const LiaEventRecord* event = &motion->events.list[i];
        bool begins = event->kind == LIA_EVENT_BEGIN;
        if ((!begins && event->kind != LIA_EVENT_END) || event->name != f->name) continue;
        LiaExpr change = after(a->g, event->t);
        on = begins ? lia_graph_add(a->g, on, change) : lia_graph_sub(a->g, on, change);
    }
    return on;
}

void lia_arrow_given_take_force(LiaActs* a, const LiaForce* f) {
    LiaSceneItem item = {.name = f->name, .role = "applied"};
    a->first = a->scene->count;
    if (!f->vector[0].index || !lia_scene_resolve(a->scene, f->vector, item.to, 3) ||
        !lia_scene_resolve(a->scene, f->at, item.at, 3)) {
        return;
    }
    LiaExpr on = lia_arrow_given_on(a, f);
    for (int k = 0; k < 3; k++) item.to[k] = lia_graph_mul(a->g, on, item.to[k]);
    if (a->act.Q && lia_resolve_form(a->scene->resolver, &f->form, NULL, a->act.Q)) {
        attach(a, item.at, f->moment ? NULL : item.to, f->moment ? item.to : NULL, &item);
    }
    lia_arrows_act_add(a, f->moment ? "couple" : "force", item);
}
