// Arrows of a picture do the work of what they stand for: for every variation of the coordinates,
// the virtual power of the forces and couples that are drawn, where they are drawn, is that of the
// one-form. Variations of places and attitudes are differences of the formulas of the carriers: no
// derivative of the program is used.
// SPDX-License-Identifier: MIT
#include <stddef.h>
#include <stdint.h>

#include "../support/motion.h"
#include "expr/graph/evaluate.h"
#include "output/page/scene.h"
#include "support/cases.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, ROWS = 7 };
static const double STEP = 1e-5;   // of a variation; differences are then right to about 1e-9
static const double RIGHT = 2e-6;  // of a power, relative to the largest of its act

typedef struct Picture {
    Motion motion;
    LiaScene scene;
} Picture;

static Picture picture_of(const char* name) {
    char path[128];
    Picture picture;
    snprintf(path, sizeof path, "tests/output/scenes/%s.lia", name);
    picture.motion = motion_of_file(path, NULL);
    assert_non_null(picture.motion.t);
    assert_int_equal(picture.motion.status, LIA_OK);
    assert_true(lia_scene_make(&picture.scene, picture.motion.t));
    return picture;
}

static Picture picture_of_text(const char* text) {
    Picture picture = {.motion = motion_of(text, NULL)};
    assert_non_null(picture.motion.t);
    assert_true(lia_scene_make(&picture.scene, picture.motion.t));
    return picture;
}

static void picture_clear(Picture* picture) {
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

static void cross(const double* a, const double* b, double* out) {
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
        cross(d, turn, w);
        for (int k = 0; k < 3; k++) w[k] /= square;
    }
    double r[3] = {P[0] - here[0], P[1] - here[1], P[2] - here[2]}, around[3];
    cross(w, r, around);
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
static int check_all(LiaScene* scene) {
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

static const LiaSceneItem* arrow_of(const LiaScene* scene, const char* kind, const char* name,
                                    int which) {
    for (uint32_t k = 0; k < scene->count; k++) {
        const LiaSceneItem* item = &scene->items[k];
        bool same = strcmp(item->kind, kind) == 0 && item->name && strcmp(item->name, name) == 0;
        if (same && which-- == 0) return item;
    }
    return NULL;
}

static void arrows_do_the_work_of_one_forms(void) {
    static const char* const names[] = {"cart",      "biped",      "three_rrr", "crank_slider",
                                        "whip",      "disc",       "pulley",    "gimbal",
                                        "trebuchet", "snakeboard", "bowl",      "stewart",
                                        "satellite", "turntable",  "springs"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Picture picture = picture_of(names[i]);
        printf("%s: %d arrows\n", names[i], check_all(&picture.scene));
        picture_clear(&picture);
    }
}

// Contacts, by formulas and by shapes, with friction and without: at samples their arrows do the
// work of N d(gap) + T virtual(slip).
static void arrows_of_contacts_do_their_work(void) {
#define BODY "body b: mass 1, inertia [0.01, 0.02, 0.02], free\ngravity [0, 0, -9.81]\n"
#define LADDER                                                                                     \
    "coordinate x, y : line, ph : circle\nkinetic (x'^2 + y'^2)/2 + ph'^2/6\npotential 9.8*y\n"
    static const char* const texts[] = {
        "coordinate x, z : line\nkinetic (x'^2 + z'^2)/2\npotential 2*x^2 + 10*z\n"
        "contact belt: z >= 0 slip x' - 0.5 friction 0.2 static 0.3\nstart x' = 0.5\n"
        "run t = 0..6\n",
        LADDER "let A = [x - cos(ph), y + sin(ph)], B = [x + cos(ph), y - sin(ph)]\n"
               "contact wall: A.x >= 0 slip A'.y friction 0.1\n"
               "contact floor: B.y >= 0 slip B'.x friction 0.1\n"
               "event flat: ph = 0.1 falling stop\nstart ph = pi/4\nrun t = 0..2\n"
               "draw segment(A, B)\n",
        BODY "contact floor: sphere(b, 0.1) on plane(ground) friction 0.2 restitution 0.4\n"
             "start b.position = [0, 0, 0.3], b.velocity = [1, 0, 0], b.omega = [0, -30, 5]\n"
             "run t = 0..2\n",
        BODY "contact floor: box(b, [0.3, 0.2, 0.1]) on plane(ground)\n"
             "start b.position = [0, 0, 0.2], b.attitude = rotx(0.2)*roty(0.3)\nrun t = 0..0.2\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Picture picture = picture_of_text(texts[i]);
        printf("contacts %zu: %d arrows\n", i, check_all(&picture.scene));
        picture_clear(&picture);
    }
}

// All arrows of a role against the differential of a function of the state, by differences.
static void check_role(const char* text, const char* role, double (*energy)(const double* q),
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

// x, a, b: a cart on a spring, two rods with a torsion spring; weights have no arrows.
static double of_cart(const double* q) {
    return 20.0 * q[0] * q[0] + 1.5 * (q[2] - q[1]) * (q[2] - q[1]);
}

static double of_length(double x, double y, double k, double l) {
    return k / 2.0 * (hypot(x, y) - l) * (hypot(x, y) - l);
}

// Two points: one on a spring from the origin and one from another place, and one between them.
static double of_points(const double* q) {
    return of_length(q[0], q[1], 30.0, 0.5) + of_length(q[2] - 2.0, q[3] - 1.0, 20.0, 0.0) +
           of_length(q[2] - q[0], q[3] - q[1], 10.0, 0.3);
}

static double of_attraction(const double* q) { return -2.0 / hypot(q[2] - q[0], q[3] - q[1]); }

static void springs_have_arrows(void) {
#define POINTS "coordinate x, y, u, w : line\nkinetic (x'^2 + y'^2 + u'^2 + w'^2)/2\n"
    check_role("coordinate x : line\ncoordinate a, b : circle\n"
               "let P = [x + sin(a), -cos(a)], Q = P + [sin(b), -cos(b)]\n"
               "kinetic x'^2/2 + dot(P', P')/2 + dot(Q', Q')/2\n"
               "potential 9.81*P.y + 9.81*Q.y + 3*(b - a)^2/2 + 20*x^2\n"
               "start a = 0.8, x = 0.3\nrun t = 0..3\n",
               "potential", of_cart, 2);
    check_role(POINTS "let A = [x, y], B = [u, w]\n"
                      "potential 15*(norm(A) - 0.5)^2 + 10*(dot(B - [2, 1], B - [2, 1]))\n"
                      "  + 5*(norm(B - A) - 0.3)^2 + 9.81*(A.y + B.y)\n"
                      "start x = 0.4, y = -0.2, u = 1.3, w = 0.2\nrun t = 0..3\n",
               "potential", of_points, 4);
    check_role(POINTS "let A = [x, y], B = [u, w]\npotential -2/norm(A - B)\n"
                      "start x = 1, u = -1, y' = 0.6, w' = -0.6\nrun t = 0..3\n",
               "potential", of_attraction, 2);
}

// Weights are no springs, also those of bodies, whose attitudes are squares of quaternions.
static void weights_have_no_arrows(void) {
    static const char* const texts[] = {
        "coordinate a : circle\nkinetic a'^2/2\npotential -9.81*cos(a)\nstart a = 1\n"
        "run t = 0..1\n",
        "body b: mass 1, inertia [0.02, 0.02, 0.01], free\ngravity [0, 0, -9.81]\n"
        "joint j: spherical(b at [0, 0, -0.3], ground at [0, 0, 0])\n"
        "start b.attitude = rotx(1), b.omega = [0, 0, 1]\nrun t = 0..1\n",
    };
    for (int i = 0; i < 2; i++) {
        Picture p = picture_of_text(texts[i]);
        for (uint32_t k = 0; k < p.scene.count; k++) {
            const char* role = p.scene.items[k].role;
            assert_false(role && strcmp(role, "potential") == 0);
        }
        picture_clear(&p);
    }
}

// An arrow at a row: its place and its value.
typedef struct Seen {
    double at[3], is[3], size;
} Seen;

static Seen see(const Picture* p, const char* kind, const char* name, int which, size_t row) {
    const LiaSceneItem* item = arrow_of(&p->scene, kind, name, which);
    Seen seen;
    assert_non_null(item);
    place_of(&p->scene, item, row, seen.at);
    value_of(&p->scene, item, row, seen.is);
    seen.size = hypot(hypot(seen.is[0], seen.is[1]), seen.is[2]);
    return seen;
}

static void assert_near(const double* x, double a, double b, double c, double most) {
    const double y[3] = {a, b, c};
    for (int k = 0; k < 3; k++) assert_true(fabs(x[k] - y[k]) <= most);
}

static double value(const Picture* p, size_t row, const char* name) {
    return motion_value(&p->motion, row, name);
}

// The motor of a cart: at the cart, horizontally, and not at what hangs on it. A couple between two
// pendulums: where they meet.
static void a_motor_acts_on_its_cart(void) {
    Picture p = picture_of("cart");
    for (size_t row = 0; row < p.scene.rows; row += 100) {
        Seen motor = see(&p, "force", "motor", 0, row), brake = see(&p, "couple", "brake", 0, row);
        double x = value(&p, row, "x"), a = value(&p, row, "a");
        assert_near(motor.at, x, 0, 0, 1e-12);
        assert_near(motor.is, value(&p, row, "force(motor)"), 0, 0, 1e-9);
        assert_near(brake.at, x + 0.6 * sin(a), -0.6 * cos(a), 0, 1e-9);
        assert_true(fabs(fabs(brake.is[2]) - fabs(value(&p, row, "force(brake)"))) < 1e-9);
    }
    assert_null(arrow_of(&p.scene, "force", "motor", 1));
    for (uint32_t k = 0; k < p.scene.count;
         k++) {  // the bobs are not driven, whatever moves the cart
        const LiaSceneItem* item = &p.scene.items[k];
        bool bob = item->name && (strcmp(item->name, "first") == 0);
        if (bob) assert_false(item->driven);
        if (item->name && strcmp(item->name, "cart") == 0) assert_true(item->driven);
    }
    picture_clear(&p);
}

// The same where the kinetic energy is multiplied out, and a couple of the pendulum at its pivot.
static void a_motor_acts_on_a_cart_of_a_textbook(void) {
    Picture p = picture_of_text(
        "parameter M = 2, m = 1, l = 0.7, g = 9.81\ncoordinate x : line\ncoordinate a : circle\n"
        "kinetic (M + m)*x'^2/2 + m*l*cos(a)*x'*a' + m*l^2*a'^2/2\npotential -m*g*l*cos(a)\n"
        "operator motor: x = 0.3*sin(3*t)\nforce hand: 0.4*cos(t)*d(a)\nrun t = 0..4\n");
    for (size_t row = 0; row < p.scene.rows; row += 100) {
        Seen motor = see(&p, "force", "motor", 0, row), hand = see(&p, "couple", "hand", 0, row);
        double x = value(&p, row, "x");
        assert_near(motor.at, x, 0, 0, 1e-12);
        assert_near(motor.is, value(&p, row, "force(motor)"), 0, 0, 1e-9);
        assert_near(hand.at, x, 0, 0, 1e-9);
        assert_near(hand.is, 0, 0, 0.4 * cos(value(&p, row, "t")), 1e-9);
    }
    assert_null(arrow_of(&p.scene, "force", "motor", 1));
    picture_clear(&p);
}

// Couples of cranks stand at their pivots, whether these are drawn or not.
static void couples_stand_at_pivots(void) {
    Picture p = picture_of("three_rrr");
    const double pi = acos(-1.0);
    for (int i = 1; i <= 3; i++) {
        char name[32], force[40];
        snprintf(name, sizeof name, "motor[%d]", i);
        snprintf(force, sizeof force, "force(motor[%d])", i);
        Seen motor = see(&p, "couple", name, 0, 200);
        assert_near(motor.at, cos(2 * pi * i / 3), sin(2 * pi * i / 3), 0, 1e-12);
        assert_near(motor.is, 0, 0, value(&p, 200, force), 1e-9);
    }
    picture_clear(&p);
    p = picture_of("satellite");  // a wheel, on its hull
    Seen motor = see(&p, "couple", "z_motor", 0, 300);
    const double q[4] = {value(&p, 300, "hull.attitude.w"), value(&p, 300, "hull.attitude.x"),
                         value(&p, 300, "hull.attitude.y"), value(&p, 300, "hull.attitude.z")};
    const double axis[3] = {2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]),
                            1 - 2 * (q[1] * q[1] + q[2] * q[2])};
    double mu = value(&p, 300, "force(z_motor)");
    assert_near(motor.is, mu * axis[0], mu * axis[1], mu * axis[2], 1e-9);
    assert_near(motor.at, value(&p, 300, "hull.position.x") + 0.3 * axis[0],
                value(&p, 300, "hull.position.y") + 0.3 * axis[1],
                value(&p, 300, "hull.position.z") + 0.3 * axis[2], 1e-9);
    picture_clear(&p);
}

// What acts between two points are two arrows along their line, one the opposite of the other.
static void forces_between_points_are_pairs(void) {
    static const char* const models[] = {"springs", "crank_slider", "trebuchet", "three_rrr"};
    static const char* const names[] = {"actuator", "rod", "winch", "coupler[2]"};
    for (int i = 0; i < 4; i++) {
        Picture p = picture_of(models[i]);
        for (size_t row = 10; row < p.scene.rows; row += 150) {
            Seen a = see(&p, "force", names[i], 0, row), b = see(&p, "force", names[i], 1, row);
            double d[3] = {a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2]}, moment[3];
            cross(d, a.is, moment);
            assert_near(b.is, -a.is[0], -a.is[1], -a.is[2], 1e-9 * a.size);
            assert_near(moment, 0, 0, 0, 1e-8 * a.size);
            assert_true(hypot(d[0], d[1]) > 0.1);
        }
        assert_null(arrow_of(&p.scene, "force", names[i], 2));
        picture_clear(&p);
    }
}

// A mass that slides in a body is pushed along its way, R*[0, 0, 1], and the body back there; not
// along the line to the body's centre, which nearly stands across it.
static void slides_in_bodies_are_pushed_along_their_way(void) {
    Picture p = picture_of_text("parameter b = 0.5\ncoordinate z : line\n"
                                "body sat: mass 100, inertia [10, 11, 15], free\n"
                                "body mass: mass 1, position point(sat, [b, 0, z])\n"
                                "operator slide: z = 0.05*sin(3*t)\n"
                                "start sat.attitude = rotx(0.2), omega(sat.attitude) = [0, 0, 3]\n"
                                "run t = 0..3\n");
    for (size_t row = 30; row < p.scene.rows; row += 150) {
        double w = value(&p, row, "sat.attitude.w"), x = value(&p, row, "sat.attitude.x"),
               y = value(&p, row, "sat.attitude.y"), v = value(&p, row, "sat.attitude.z"),
               z = value(&p, row, "z"), F = value(&p, row, "force(slide)");
        double e[3] = {1 - 2 * (y * y + v * v), 2 * (x * y + w * v), 2 * (x * v - w * y)},
               k[3] = {2 * (x * v + w * y), 2 * (y * v - w * x), 1 - 2 * (x * x + y * y)};
        double P[3] = {value(&p, row, "sat.position.x"), value(&p, row, "sat.position.y"),
                       value(&p, row, "sat.position.z")};
        for (int i = 0; i < 3; i++) P[i] += 0.5 * e[i] + z * k[i];
        Seen a = see(&p, "force", "slide", 0, row), b = see(&p, "force", "slide", 1, row);
        assert_near(a.is, F * k[0], F * k[1], F * k[2], 1e-9 * fabs(F) + 1e-12);
        assert_near(b.is, -F * k[0], -F * k[1], -F * k[2], 1e-9 * fabs(F) + 1e-12);
        assert_near(a.at, P[0], P[1], P[2], 1e-9);
        assert_near(b.at, P[0], P[1], P[2], 1e-9);
    }
    picture_clear(&p);
}

// Wheels hold where they touch, also where the model has no word of that place.
static void wheels_hold_where_they_touch(void) {
    Picture p = picture_of("snakeboard");
    for (size_t row = 100; row < p.scene.rows; row += 150) {
        double x = value(&p, row, "x"), y = value(&p, row, "y"), theta = value(&p, row, "theta"),
               angle = theta + value(&p, row, "phi"), mu = value(&p, row, "force(front)");
        Seen front = see(&p, "force", "front", 0, row);
        assert_near(front.at, x + 0.5 * cos(theta), y + 0.5 * sin(theta), 0, 1e-6);
        assert_near(front.is, -mu * sin(angle), mu * cos(angle), 0, 1e-9);
    }
    picture_clear(&p);
    p = picture_of_text("parameter r = 0.4\ncoordinate x : line in m\ncoordinate a : circle\n"
                        "body wheel: mass 2, inertia [0.08, 0.08, 0.16], position [x, r, 0], "
                        "attitude rotz(-a)\nconstraint rolls: x' = r*a'\nforce push: 3*d(x)\n"
                        "run t = 0..2\n");
    check_all(&p.scene);
    Seen rolls = see(&p, "force", "rolls", 0, 500);
    assert_near(rolls.at, value(&p, 500, "x"), 0, 0, 1e-9);
    assert_near(rolls.is, value(&p, 500, "force(rolls)"), 0, 0, 1e-9);
    picture_clear(&p);
}

// Two gears hold each other at their teeth: opposite forces there, across the line of their
// centres.
static void gears_hold_at_their_teeth(void) {
    Picture p = picture_of_text(
        "coordinate a, b : circle\n"
        "body small: mass 1, inertia [1, 1, 2], position [0, 0, 0], attitude rotz(a)\n"
        "body large: mass 1, inertia [1, 1, 2], position [3, 0, 0], attitude rotz(b)\n"
        "constraint teeth: a' + 2*b' = 0\noperator motor: a' = sin(t)\n"
        "run t = 0..3\n");
    check_all(&p.scene);
    Seen teeth = see(&p, "force", "teeth", 0, 400);
    assert_near(teeth.at, 1, 0, 0, 1e-9);
    assert_true(fabs(teeth.is[0]) < 1e-9 && fabs(fabs(teeth.is[1]) - teeth.size) < 1e-9);
    assert_true(fabs(teeth.size - fabs(value(&p, 400, "force(teeth)"))) < 1e-9);
    picture_clear(&p);
}

// A rope holds a weight and, with the opposite force on the same line, the wheel that it leaves.
static void ropes_hold_wheels_too(void) {
    Picture p = picture_of("pulley");
    for (size_t row = 100; row < p.scene.rows; row += 200) {
        Seen weight = see(&p, "force", "grip", 0, row), wheel = see(&p, "force", "grip", 1, row);
        double grip = value(&p, row, "force(grip)");
        assert_true(fabs(grip) > 0.1);
        assert_near(weight.at, 0.2, value(&p, row, "y2"), 0, 1e-9);
        assert_near(weight.is, 0, grip, 0, 1e-9);
        assert_near(wheel.at, 0.2, 0, 0, 1e-9);
        assert_near(wheel.is, 0, -grip, 0, 1e-9);
    }
    assert_null(arrow_of(&p.scene, "force", "grip", 2));
    picture_clear(&p);
}

// Contacts given by formulas act where surfaces touch, also while all is at rest and any place on
// the line of the force would do: a disc on the floor, at a wall, and another disc on both.
static void contacts_act_where_surfaces_touch(void) {
#define BETWEEN "hypot(x[1] - x[2], y[1] - y[2])"
    Picture p = picture_of_text(
        "parameter r = 0.1\ncoordinate x[i = 1..2], y[i = 1..2], a[i = 1..2] : line\n"
        "kinetic sum(i = 1..2, x[i]'^2 + y[i]'^2 + r^2/2*a[i]'^2)/2\n"
        "potential 9.81*(y[1] + y[2])\n"
        "contact wall: x[2] >= r slip y[2]' - r*a[2]' friction 0.5\n"
        "contact stop: x[1] <= 0.35 - r slip y[1]' + r*a[1]' friction 0.5\n"
        "contact floor: y[1] >= r slip x[1]' + r*a[1]' friction 0.5\n"
        "contact pair: " BETWEEN " >= 2*r friction 0.5\n  slip ((x[1] - x[2])*(y[1]' - y[2]')"
        " - (y[1] - y[2])*(x[1]' - x[2]'))/" BETWEEN " - r*(a[1]' + a[2]')\n"
        "start x[1] = 0.25, y[1] = 0.12, x[2] = 0.11, y[2] = 0.4\nrun t = 0..4\n"
        "draw disc[i = 1..2]: disk(r) at [x[i], y[i]] attitude a[i]\n");
    size_t row = p.scene.rows - 1;
    double x1 = value(&p, row, "x[1]"), y1 = value(&p, row, "y[1]");
    double x2 = value(&p, row, "x[2]"), y2 = value(&p, row, "y[2]");
    assert_true(hypot(x1 - x2, y1 - y2) < 0.2 + 1e-9);
    check_all(&p.scene);
    Seen pair = see(&p, "force", "pair", 0, row), wall = see(&p, "force", "wall", 0, row);
    Seen floor = see(&p, "force", "floor", 0, row);
    assert_true(pair.size > 1 && wall.size > 0.1 && floor.size > 1);
    assert_near(pair.at, (x1 + x2) / 2, (y1 + y2) / 2, 0, 1e-9);
    assert_near(wall.at, 0, y2, 0, 1e-9);
    assert_near(floor.at, x1, 0, 0, 1e-9);
    picture_clear(&p);
}

// What acts on many coordinates is shown on each of them, where it is no one force.
static void what_acts_on_many_is_shown_on_each(void) {
    Picture p = picture_of_text("parameter N = 9\ncoordinate q[i = 1..N] : circle\nlet a[0] = 0\n"
                                "let a[i = 1..N] = a[i-1] + q[i]\nlet r[0] = [0, 0]\n"
                                "let r[i = 1..N] = r[i-1] + [sin(a[i]), -cos(a[i])]/N\n"
                                "kinetic sum(i = 1..N, dot(r[i]', r[i]')/2)\n"
                                "potential sum(i = 1..N, 9.81*r[i].y)\n"
                                "force odd: d(q[2]) + 2*d(q[5]) - d(q[8])*q[3] + d(q[9])\n"
                                "start q[1] = 0.5, q[3] = 0.1\nrun t = 0..0.5\n");
    assert_int_equal(check_all(&p.scene), 4);
    picture_clear(&p);
}

// An operator that asks for a place and an angle: one force, one couple.
static void arrows_at_one_place_are_one(void) {
    Picture p = picture_of_text("coordinate x, y : line\ncoordinate a : circle\n"
                                "body box: mass 1, inertia [1, 1, 2], position [x, y, 0], "
                                "attitude rotz(a)\n"
                                "operator lead: [x, y, a] = [sin(t), t^2, cos(t)]\nrun t = 0..1\n");
    assert_int_equal(check_all(&p.scene), 2);
    Seen lead = see(&p, "force", "lead", 0, 400);
    assert_near(lead.is, value(&p, 400, "force(lead)[1]"), value(&p, 400, "force(lead)[2]"), 0,
                1e-9);
    picture_clear(&p);
}

// What has no place is shown by instruments, and so are the forces on it.
static void instruments_have_arrows_too(void) {
    Picture p = picture_of_text("coordinate a, b : circle\ncoordinate u : line\n"
                                "kinetic a'^2 + b'^2 + u'^2\noperator turn: b = sin(t)\n"
                                "operator push: u = sin(2*t)\nrun t = 0..1\n");
    check_all(&p.scene);
    Seen turn = see(&p, "couple", "turn", 0, 300), push = see(&p, "force", "push", 0, 300);
    assert_near(turn.at, 2.2, 0, 0, 1e-12);
    assert_near(turn.is, 0, 0, value(&p, 300, "force(turn)"), 1e-9);
    assert_near(push.is, value(&p, 300, "force(push)"), 0, 0, 1e-9);
    picture_clear(&p);
}

// Where only a part of what acts can be shown, or nothing, that is said.
static void what_cannot_be_shown_is_said(void) {
    Picture p = picture_of_text("coordinate x, y, u : line\nkinetic (x'^2 + y'^2 + u'^2)/2\n"
                                "operator both: x + u/2 = sin(t)\noperator hidden: u = 1 - cos(t)\n"
                                "run t = 0..1\ndraw sphere(0.1) at [x, y]\n");
    const LiaSceneItem* both = arrow_of(&p.scene, "force", "both", 0);
    assert_non_null(both);
    assert_true(both->part);
    assert_near(see(&p, "force", "both", 0, 500).is, value(&p, 500, "force(both)"), 0, 0, 1e-9);
    assert_int_equal(p.scene.unplaced_count, 1);
    assert_string_equal(p.scene.unplaced[0], "hidden");
    picture_clear(&p);
}

int main(void) {
    const TestCase tests[] = {
        TEST(arrows_do_the_work_of_one_forms),
        TEST(arrows_of_contacts_do_their_work),
        TEST(springs_have_arrows),
        TEST(weights_have_no_arrows),
        TEST(a_motor_acts_on_its_cart),
        TEST(a_motor_acts_on_a_cart_of_a_textbook),
        TEST(couples_stand_at_pivots),
        TEST(forces_between_points_are_pairs),
        TEST(slides_in_bodies_are_pushed_along_their_way),
        TEST(wheels_hold_where_they_touch),
        TEST(gears_hold_at_their_teeth),
        TEST(ropes_hold_wheels_too),
        TEST(contacts_act_where_surfaces_touch),
        TEST(what_acts_on_many_is_shown_on_each),
        TEST(arrows_at_one_place_are_one),
        TEST(instruments_have_arrows_too),
        TEST(what_cannot_be_shown_is_said),
    };
    return TESTS_RUN(tests);
}
