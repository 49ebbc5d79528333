// Pictures of motions, and what their arrows do. See picture.h.
// SPDX-License-Identifier: MIT
#include "picture.h"
#include "expr/graph/evaluate.h"
#include "support/cases.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 64, ROWS = 7 };
static const double STEP = 1e-5;   // of a variation; differences are then right to about 1e-9
static const double RIGHT = 2e-6;  // of a power, relative to the largest of its act

Picture picture_of(const char* name) {
    char path[128];
    Picture picture;
    snprintf(path, sizeof path, "tests/output/scenes/%s.lia", name);
    picture.motion = motion_of_file(path, NULL);
    assert_non_null(picture.motion.t);
    assert_int_equal(picture.motion.status, LIA_OK);
    assert_true(lia_scene_make(&picture.scene, picture.motion.t));
    return picture;
}

Picture picture_of_text(const char* text) {
    Picture picture = {.motion = motion_of(text, NULL)};
    assert_non_null(picture.motion.t);
    assert_true(lia_scene_make(&picture.scene, picture.motion.t));
    return picture;
}

void picture_clear(Picture* picture) {
    lia_scene_clear(&picture->scene);
    motion_clear(&picture->motion);
}

// --- what is drawn

static double channel(const LiaScene* scene, int at, double is, size_t row) {
    size_t own = scene->trajectory->column_count;
    if (at < 0) return is;
    return (size_t)at < own ? lia_scene_row(scene, row)[at] : scene->extra[(size_t)at - own][row];
}

static void place_of(const LiaScene* scene, const LiaSceneItem* item, size_t row, double* x) {
    for (int k = 0; k < 3; k++)
        x[k] = channel(scene, item->sampled.at_at[k], item->sampled.at_is[k], row);
}

static void value_of(const LiaScene* scene, const LiaSceneItem* item, size_t row, double* x) {
    for (int k = 0; k < 3; k++)
        x[k] = channel(scene, item->sampled.to_at[k], item->sampled.to_is[k], row);
}

static bool is_arrow(const LiaSceneItem* item) {
    return strcmp(item->kind, "force") == 0 || strcmp(item->kind, "couple") == 0;
}

// --- variations

typedef struct State {
    double q[MOST], v[MOST], mu[MOST];
    LiaSymbols at;
} State;

static void load(const LiaScene* scene, size_t row, State* s) {
    const LiaTrajectory* t = scene->trajectory;
    const double* x = lia_scene_row(scene, row);
    memset(s, 0, sizeof *s);
    s->at = (LiaSymbols){
        .t = x[0], .parameters = scene->system->parameters, .q = s->q, .v = s->v, .mu = s->mu};
    for (size_t k = 0; k < t->column_count; k++) {
        const LiaColumn* c = &t->columns[k];
        if (c->kind == LIA_COLUMN_POSITION) s->q[c->index] = x[k];
        if (c->kind == LIA_COLUMN_VELOCITY) s->v[c->index] = x[k];
        if (c->kind == LIA_COLUMN_FORCE) s->mu[scene->system->first_row[c->index] + c->part] = x[k];
    }
}

static const LiaGroup* unit_group(const LiaModel* m, uint32_t i) {
    uint32_t group = m->coordinates[i].group;
    if (!group) return NULL;
    LiaManifold manifold = m->groups[group - 1].manifold;
    return manifold == LIA_ROTATION || manifold == LIA_SPHERE ? &m->groups[group - 1] : NULL;
}

// The variation number i: one coordinate, and for numbers of unit length their projection.
static void variation(const LiaModel* m, const State* s, uint32_t i, double* delta) {
    const LiaGroup* group = unit_group(m, i);
    memset(delta, 0, MOST * sizeof *delta);
    delta[i] = 1.0;
    for (uint32_t k = 0; group && k < group->count; k++) {
        delta[group->first + k] -= s->q[group->first + k] * s->q[i];
    }
}

static void vary(const LiaModel* m, const State* s, const double* delta, double by, State* out) {
    *out = *s;
    out->at.q = out->q, out->at.v = out->v, out->at.mu = out->mu;
    for (uint32_t i = 0; i < m->coordinates_count; i++) out->q[i] += by * delta[i];
    for (uint32_t g = 0; g < m->groups_count; g++) {
        const LiaGroup* group = &m->groups[g];
        double length = 0.0;
        if (group->manifold != LIA_ROTATION && group->manifold != LIA_SPHERE) continue;
        for (uint32_t k = 0; k < group->count; k++) {
            length = hypot(length, out->q[group->first + k]);
        }
        for (uint32_t k = 0; k < group->count; k++) out->q[group->first + k] /= length;
    }
}

// Place (3), end (3) and attitude (9) of a carrier.
static void frame_of(const LiaScene* scene, const LiaCarrier* carrier, const State* s, double* x) {
    LiaExpr formulas[15];
    LiaValues values;
    memcpy(formulas, carrier->at, sizeof carrier->at);
    memcpy(formulas + 3, carrier->to, sizeof carrier->to);
    memcpy(formulas + 6, carrier->turn, sizeof carrier->turn);
    assert_true(lia_evaluate_init(&values, scene->graph, formulas, 15));
    lia_evaluate_run(&values, &s->at);
    for (int k = 0; k < 15; k++) x[k] = formulas[k].index ? lia_value(&values, formulas[k]) : 0.0;
    lia_evaluate_clear(&values);
}

void picture_cross(const double* a, const double* b, double* out) {
    for (int k = 0; k < 3; k++) {
        int u = (k + 1) % 3, w = (k + 2) % 3;
        out[k] = a[u] * b[w] - a[w] * b[u];
    }
}

// By how much the point of a carrier at P moves, and by what vector the carrier turns, for a
// variation.
static void moved(const LiaScene* scene, uint32_t carrier, const State* s, const double* delta,
                  const double* P, double* v, double* w) {
    double here[15], after[15], before[15], slope[15];
    State varied;
    for (int k = 0; k < 3; k++) v[k] = w[k] = 0.0;
    if (carrier == 0) return;
    const LiaCarrier* c = &scene->carriers[carrier - 1];
    frame_of(scene, c, s, here);
    vary(scene->system->model, s, delta, STEP, &varied);
    frame_of(scene, c, &varied, after);
    vary(scene->system->model, s, delta, -STEP, &varied);
    frame_of(scene, c, &varied, before);
    for (int k = 0; k < 15; k++) slope[k] = (after[k] - before[k]) / (2 * STEP);
    if (c->turn[0].index) {
        for (int k = 0; k < 3; k++) {
            const double *a = slope + 6 + 3 * ((k + 2) % 3), *b = here + 6 + 3 * ((k + 1) % 3);
            w[k] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        }
    } else if (c->to[0].index) {
        double d[3], turn[3], square = 0.0;
        for (int k = 0; k < 3; k++) {
            d[k] = here[3 + k] - here[k];
            turn[k] = slope[3 + k] - slope[k];
            square += d[k] * d[k];
        }
        picture_cross(d, turn, w);
        for (int k = 0; k < 3; k++) w[k] /= square;
    }
    double r[3] = {P[0] - here[0], P[1] - here[1], P[2] - here[2]}, around[3];
    picture_cross(w, r, around);
    for (int k = 0; k < 3; k++) v[k] = slope[k] + around[k];
}

// What acts on a point stands there.
static void check_place(const LiaScene* scene, const LiaSceneItem* item, const State* s,
                        const double* P) {
    const LiaCarrier* on = item->on ? &scene->carriers[item->on - 1] : NULL;
    double frame[15];
    assert_non_null(on);  // everything acts on something
    if (on->turn[0].index || on->to[0].index || on->shown[0].index) return;
    frame_of(scene, on, s, frame);
    for (int k = 0; k < 3; k++) assert_true(fabs(P[k] - frame[k]) <= 1e-9 * (1.0 + fabs(P[k])));
}

// The virtual power of an arrow.
static double power_of(const LiaScene* scene, const LiaSceneItem* item, size_t row, const State* s,
                       const double* delta) {
    double P[3], F[3], power = 0.0;
    place_of(scene, item, row, P);
    value_of(scene, item, row, F);
    check_place(scene, item, s, P);
    for (int side = 0; side < 2; side++) {
        double v[3], w[3];
        moved(scene, side ? item->against : item->on, s, delta, P, v, w);
        const double* by = strcmp(item->kind, "couple") == 0 ? w : v;
        power += (side ? -1.0 : 1.0) * (F[0] * by[0] + F[1] * by[1] + F[2] * by[2]);
    }
    return power;
}

// --- one-forms

typedef struct Act {
    const char* name;
    LiaExpr Q[MOST];
} Act;

static void act_of_constraint(LiaScene* scene, uint32_t c, Act* act) {
    const LiaSystem* s = scene->system;
    act->name = s->model->constraints[c].name;
    for (uint32_t i = 0; i < s->n; i++) act->Q[i] = lia_graph_integer(scene->graph, 0);
    for (uint32_t r = s->first_row[c]; r < s->first_row[c + 1]; r++) {
        LiaExpr mu = lia_graph_symbol(scene->graph, LIA_SYMBOL_MULTIPLIER, r);
        if (s->rows[r].identical && !s->rows[r].by_mode) continue;
        for (uint32_t i = 0; i < s->n; i++) {
            LiaExpr part = lia_graph_mul(scene->graph, mu, lia_system_Omega(s, r, i));
            act->Q[i] = lia_graph_add(scene->graph, act->Q[i], part);
        }
    }
}

static void act_of_force(LiaScene* scene, uint32_t f, Act* act) {
    const LiaForce* force = &scene->system->model->forces[f];
    act->name = force->name;
    assert_true(lia_resolve_form(scene->resolver, &force->form, NULL, act->Q));
}

static void values_of(const LiaScene* scene, const Act* act, const State* s, double* Q) {
    LiaValues values;
    assert_true(lia_evaluate_init(&values, scene->graph, act->Q, scene->system->n));
    lia_evaluate_run(&values, &s->at);
    for (uint32_t i = 0; i < scene->system->n; i++) Q[i] = lia_value(&values, act->Q[i]);
    lia_evaluate_clear(&values);
}

// The powers of the arrows of an act against those of its one-form, at some rows. Returns how many
// arrows there are.
static int check_act(LiaScene* scene, const Act* act) {
    const LiaModel* m = scene->system->model;
    double drawn[ROWS][MOST] = {{0}}, wanted[ROWS][MOST] = {{0}}, most = 0.0, worst = 0.0;
    int arrows = 0;
    for (uint32_t k = 0; k < scene->count; k++) {
        const LiaSceneItem* item = &scene->items[k];
        arrows += is_arrow(item) && strcmp(item->name, act->name) == 0;
    }
    for (size_t r = 0; r < ROWS; r++) {
        size_t row = (2 * r + 1) * (scene->rows - 1) / (2 * ROWS);
        State s;
        double Q[MOST], delta[MOST];
        load(scene, row, &s);
        values_of(scene, act, &s, Q);
        for (uint32_t i = 0; i < scene->system->n; i++) {
            variation(m, &s, i, delta);
            for (uint32_t k = 0; k < scene->system->n; k++) wanted[r][i] += Q[k] * delta[k];
            for (uint32_t k = 0; k < scene->count; k++) {
                const LiaSceneItem* item = &scene->items[k];
                if (!is_arrow(item) || strcmp(item->name, act->name) != 0) continue;
                drawn[r][i] += power_of(scene, item, row, &s, delta);
            }
            most = fmax(most, fabs(wanted[r][i]));
            worst = fmax(worst, fabs(wanted[r][i] - drawn[r][i]));
        }
    }
    if (arrows > 0 && worst > RIGHT * most) {
        printf("%s: %d arrows, off by %.1e of %.1e\n", act->name, arrows, worst, most);
    }
    if (arrows > 0) assert_true(worst <= RIGHT * most);
    return arrows;
}

// All that acts in a model has arrows that do its work. Returns how many arrows there are.
int picture_check_all(LiaScene* scene) {
    const LiaModel* m = scene->system->model;
    Act act;
    int arrows = 0;
    assert_true(scene->system->n <= MOST && scene->system->row_count <= MOST);
    for (uint32_t c = 0; c < m->constraints_count; c++) {
        if (m->constraints[c].internal) continue;
        act_of_constraint(scene, c, &act);
        int own = check_act(scene, &act);
        if (own == 0) printf("%s has no arrow\n", act.name);
        assert_true(own > 0);
        arrows += own;
    }
    for (uint32_t f = 0; f < m->forces_count; f++) {
        act_of_force(scene, f, &act);
        int own = check_act(scene, &act);
        assert_true(own > 0);
        arrows += own;
    }
    for (uint32_t k = 0; k < scene->count; k++) assert_false(scene->items[k].part);
    assert_int_equal(scene->unplaced_count, 0);
    return arrows;
}

const LiaSceneItem* picture_arrow(const LiaScene* scene, const char* kind, const char* name,
                                  int which) {
    for (uint32_t k = 0; k < scene->count; k++) {
        const LiaSceneItem* item = &scene->items[k];
        bool same = strcmp(item->kind, kind) == 0 && item->name && strcmp(item->name, name) == 0;
        if (same && which-- == 0) return item;
    }
    return NULL;
}

// All arrows of a role against the differential of a function of the state, by differences.
void picture_check_role(const char* text, const char* role, double (*energy)(const double* q),
                        int wanted) {
    Picture p = picture_of_text(text);
    LiaScene* scene = &p.scene;
    int arrows = 0;
    for (uint32_t k = 0; k < scene->count; k++) {
        const LiaSceneItem* item = &scene->items[k];
        arrows += item->role && strcmp(item->role, role) == 0;
    }
    assert_int_equal(arrows, wanted);
    for (size_t row = 5; row < scene->rows; row += scene->rows / 9) {
        State s, one, other;
        load(scene, row, &s);
        for (uint32_t i = 0; i < scene->system->n; i++) {
            double delta[MOST], drawn = 0.0;
            variation(scene->system->model, &s, i, delta);
            vary(scene->system->model, &s, delta, STEP, &one);
            vary(scene->system->model, &s, delta, -STEP, &other);
            double work = -(energy(one.q) - energy(other.q)) / (2.0 * STEP);
            for (uint32_t k = 0; k < scene->count; k++) {
                const LiaSceneItem* item = &scene->items[k];
                if (item->role && strcmp(item->role, role) == 0)
                    drawn += power_of(scene, item, row, &s, delta);
            }
            if (!(fabs(drawn - work) < 1e-6)) fail_msg("%s %u: %g, not %g", role, i, drawn, work);
        }
    }
    picture_clear(&p);
}

Seen picture_see(const Picture* p, const char* kind, const char* name, int which, size_t row) {
    const LiaSceneItem* item = picture_arrow(&p->scene, kind, name, which);
    Seen seen;
    assert_non_null(item);
    place_of(&p->scene, item, row, seen.at);
    value_of(&p->scene, item, row, seen.is);
    seen.size = hypot(hypot(seen.is[0], seen.is[1]), seen.is[2]);
    return seen;
}
