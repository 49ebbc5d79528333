// Bodies: by the shapes that joints say they have, else by their inertia; outside bodies by what
// touches them.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/eigen3.h"
#include "base/numeric/thresholds.h"
#include "output/page/guess/guess.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void lia_guess_bodies_size(LiaGuess* guess, LiaSceneItem* item, double a, double b, double c) {
    const double sizes[3] = {a, b, c};
    for (int i = 0; i < 3; i++) item->size[i] = lia_graph_real(guess->g, sizes[i]);
}

// attitude * V: the axes in which the inertia is diagonal.
static void turn_to(LiaGuess* guess, LiaSceneItem* item, const LiaExpr* attitude, double V[3][3]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            LiaExpr sum = lia_guess_zero(guess);
            for (int k = 0; k < 3; k++) {
                LiaExpr part = lia_graph_real(guess->g, V[k][j]);
                sum = lia_graph_add(guess->g, sum,
                                    lia_graph_mul(guess->g, attitude[3 * i + k], part));
            }
            item->turn[3 * i + j] = sum;
        }
    }
}

// Bring column `axis` of V and of the moments to the third place, keeping V a rotation.
static void to_third(double V[3][3], double* I, int axis) {
    for (; axis != 2; axis = (axis + 1) % 3) {
        for (int k = 0; k < 3; k++) {
            double last = V[k][2];
            V[k][2] = V[k][1];
            V[k][1] = V[k][0];
            V[k][0] = last;
        }
        double last = I[2];
        I[2] = I[1];
        I[1] = I[0];
        I[0] = last;
    }
}

// The ball, disk, rod or box of that mass and these moments.
//   ball  I = 2/5 m r^2     disk  I1 = I2 = m r^2/4 = I3/2     rod  I1 = I2 = m l^2/12, I3 = 0
//   box   I1 = m (b^2 + c^2)/12, ...
static void shape_of(LiaGuess* guess, LiaSceneItem* item, const LiaExpr* attitude, double m,
                     double A[3][3]) {
    double V[3][3], I[3], most = 0.0;
    lia_eigen3_axes(A, V);
    for (int i = 0; i < 3; i++) {
        I[i] = A[i][i];
        most = fmax(most, I[i]);
    }
    double near = LIA_GUESS_INERTIA * most;
    for (int axis = 0; axis < 3; axis++) {  // is it symmetric about one of its axes?
        double a = I[(axis + 1) % 3], b = I[(axis + 2) % 3];
        if (fabs(a - b) > near) continue;
        if (fabs(I[axis] - a) <= near) {
            item->kind = "sphere";
            lia_guess_bodies_size(guess, item, sqrt(2.5 * a / m), 1.0, 1.0);
        } else if (fabs(I[axis] - 2.0 * a) <= near) {
            to_third(V, I, axis);
            item->kind = "disk";
            lia_guess_bodies_size(guess, item, 2.0 * sqrt(a / m), 1.0, 1.0);
        } else if (I[axis] <= near) {
            to_third(V, I, axis);
            item->kind = "rod";
            lia_guess_bodies_size(guess, item, sqrt(12.0 * a / m), 1.0, 1.0);
        } else if (a > 0.5 * I[axis]) {
            to_third(V, I, axis);
            item->kind = "cylinder";
            lia_guess_bodies_size(guess, item, sqrt(2.0 * I[2] / m),
                                  sqrt(12.0 * (a - 0.5 * I[2]) / m), 1.0);
        } else {
            continue;
        }
        turn_to(guess, item, attitude, V);
        return;
    }
    double edge[3];
    for (int i = 0; i < 3; i++) {
        double square = 6.0 * (I[(i + 1) % 3] + I[(i + 2) % 3] - I[i]) / m;
        edge[i] = sqrt(fmax(square, 0.004 * 6.0 * most / m));
    }
    item->kind = "box";
    lia_guess_bodies_size(guess, item, edge[0], edge[1], edge[2]);
    turn_to(guess, item, attitude, V);
}

static const LiaShape* shape_of_body(const LiaGuess* guess, const char* body) {
    for (uint32_t i = 0; i < guess->m->pictures.shapes_count; i++) {
        const char* name = guess->m->pictures.shapes[i].body;
        bool plane = strcmp(guess->m->pictures.shapes[i].word, "plane") == 0;
        if (name && !plane && strcmp(name, body) == 0) return &guess->m->pictures.shapes[i];
    }
    return NULL;
}

// Those that are drawn as they are; the others are in surface.c.
static bool is_plain(const char* word) {
    static const char* const words[] = {"sphere", "disk", "cylinder", "ellipsoid", "box"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i], word) == 0) return true;
    }
    return false;
}

static bool is_same_item(const LiaSceneItem* a, const LiaSceneItem* b) {
    return a->kind == b->kind && a->name == b->name && memcmp(a->at, b->at, sizeof a->at) == 0 &&
           memcmp(a->size, b->size, sizeof a->size) == 0 &&
           memcmp(a->turn, b->turn, sizeof a->turn) == 0;
}

static void add_shape(LiaGuess* guess, const LiaShape* shape) {
    if (!is_plain(shape->word)) return;
    LiaSceneItem item = {.kind = shape->word, .name = shape->body};
    LiaExpr attitude[9], axis[3];
    double n[3] = {0.0, 0.0, 1.0}, V[3][3];
    if (!lia_scene_resolve(guess->scene, shape->centre, item.at, 3)) return;
    lia_scene_resolve(guess->scene, shape->size, item.size, 3);
    bool turns =
        shape->attitude[0].index && lia_scene_resolve(guess->scene, shape->attitude, attitude, 9);
    for (int i = 0; i < 9 && !turns; i++) attitude[i] = lia_graph_integer(guess->g, i % 4 == 0);
    bool along = shape->axis[0].index && lia_scene_resolve(guess->scene, shape->axis, axis, 3) &&
                 lia_scene_values(guess->scene, axis, 3, guess->instants, 1, n);
    if (along || turns) {
        lia_scene_axis_to(n, V);
        for (int i = 0; i < 9 && !along; i++) V[i / 3][i % 3] = i % 4 == 0;
        turn_to(guess, &item, attitude, V);
    }
    item.open = shape->hollow;
    item.trail = lia_guess_moves(guess, item.at, 3);
    item.driven = lia_scene_is_driven(guess->scene, item.at, 3) ||
                  (turns && lia_scene_is_driven(guess->scene, attitude, 9));
    for (uint32_t i = 0; i < guess->scene->count; i++) {  // the same shape in another joint
        if (is_same_item(&guess->scene->items[i], &item)) return;
    }
    *lia_scene_add(guess->scene, item.kind, item.name) = item;
}

// --- outside bodies

static bool depends_on_time(LiaGuess* guess, const LiaExpr* formulas, size_t count) {
    const uint32_t* list = NULL;
    return lia_below_roots(guess->g, formulas, count, LIA_DEPENDS(TIME), &list) > 0;
}

// Does an equation know of the body: of a coordinate that moves it?
static bool knows(LiaGuess* guess, uint32_t constraint, const bool* moves) {
    const LiaSystem* s = guess->s;
    unsigned bits = LIA_DEPENDS(POSITION) | LIA_DEPENDS(VELOCITY);
    for (uint32_t r = s->first_row[constraint]; r < s->first_row[constraint + 1]; r++) {
        const uint32_t* list = NULL;
        uint32_t count = lia_below_roots(guess->g, &s->rows[r].equation, 1, bits, &list);
        for (uint32_t i = 0; i < count; i++) {
            const LiaNode* node = &guess->g->nodes[list[i]];
            if (node->op == LIA_OP_SYMBOL && moves[node->a]) return true;
        }
    }
    return false;
}

// A place P that goes about in the plane z = *height of the body.
static bool is_on_plane(LiaGuess* guess, const LiaExpr* at, const LiaExpr* turn,
                        const LiaExpr* place, double* height) {
    LiaExpr all[15];
    double x[15 * (LIA_GUESS_INSTANTS + 1)], low[3] = {0}, high[3] = {0};
    memcpy(all, at, 3 * sizeof *all);
    memcpy(all + 3, turn, 9 * sizeof *all);
    if (!lia_scene_resolve(guess->scene, place, all + 12, 3) ||
        !lia_scene_values(guess->scene, all, 15, guess->instants, guess->instant_count, x)) {
        return false;
    }
    for (size_t k = 0; k < guess->instant_count; k++) {
        const double* row = x + 15 * k;
        for (int j = 0; j < 3; j++) {
            double u = 0.0;
            for (int i = 0; i < 3; i++) u += row[3 + 3 * i + j] * (row[12 + i] - row[i]);
            low[j] = k ? fmin(low[j], u) : u;
            high[j] = k ? fmax(high[j], u) : u;
        }
    }
    double way = hypot(high[0] - low[0], high[1] - low[1]);
    *height = 0.5 * (low[2] + high[2]);
    return way > 0.0 && high[2] - low[2] <= LIA_GUESS_LEVEL * way;
}

// Is something rolling or sliding on a plane of it? Joints say of which bodies they are; this is
// for velocities that are set equal.
static bool is_trodden(LiaGuess* guess, const LiaExpr* at, const LiaExpr* turn, double* height) {
    bool found = false, *moves = lia_memory_zeros(guess->s->n + 1, sizeof *moves);
    if (!moves) return false;
    LiaExpr all[12];
    memcpy(all, at, 3 * sizeof *all);
    memcpy(all + 3, turn, 9 * sizeof *all);
    lia_guess_depends(guess, all, 12, moves);
    bool timed = depends_on_time(guess, all, 12);
    for (uint32_t i = 0; i < guess->m->pictures.places_count && !found; i++) {
        const LiaPlace* place = &guess->m->pictures.places[i];
        // a steady turn, w x r, has no time in it
        bool known = !guess->m->constraints[place->constraint].joint &&
                     (timed || knows(guess, place->constraint, moves));
        found = known && is_on_plane(guess, at, turn, place->at, height);
    }
    free(moves);
    return found;
}

// Planes of joints are drawn by surface.c. What is known to be a plane by what goes on it is one;
// the rest is small.
static void add_outside(LiaGuess* guess, const LiaBody* body, const LiaExpr* at,
                        const LiaExpr* turn) {
    bool turns = body->attitude[0].index != 0, plane = false;
    for (uint32_t i = 0; i < guess->m->pictures.shapes_count; i++) {
        const char* name = guess->m->pictures.shapes[i].body;
        plane = plane || (name && strcmp(name, body->name) == 0);
    }
    if (plane || (!lia_guess_moves(guess, at, 3) && !(turns && lia_guess_moves(guess, turn, 9)))) {
        return;
    }
    double height = 0.0;
    LiaExpr attitude[9];
    for (int i = 0; i < 9; i++) {
        attitude[i] = turns ? turn[i] : lia_graph_integer(guess->g, i % 4 == 0);
    }
    bool plate = is_trodden(guess, at, attitude, &height);
    LiaSceneItem* item = lia_scene_add(guess->scene, plate ? "plate" : "marker", body->name);
    LiaExpr up = lia_graph_real(guess->g, height);
    for (int i = 0; i < 3; i++) {
        LiaExpr shift = lia_graph_mul(guess->g, attitude[3 * i + 2], up);
        item->at[i] = plate ? lia_graph_add(guess->g, at[i], shift) : at[i];
    }
    if (turns) memcpy(item->turn, turn, sizeof item->turn);
    item->driven = true;
}

// --- all of them

static const LiaBody* body_of(const LiaGuess* guess, uint32_t i, LiaExpr* at) {
    const LiaBody* body = &guess->m->pictures.bodies[i];
    return lia_scene_resolve(guess->scene, body->position, at, 3) ? body : NULL;
}

void lia_guess_bodies(LiaGuess* guess) {
    for (uint32_t i = 0; i < guess->m->pictures.bodies_count; i++) {
        LiaExpr at[3];
        const LiaBody* body = body_of(guess, i, at);
        LiaGuessPoint* point = body ? lia_guess_point(guess, body->name, at) : NULL;
        if (!point) continue;
        point->shown = point->drawn = true;
        if (body->attitude[0].index && !point->turn[0].index) {
            lia_scene_resolve(guess->scene, body->attitude, point->turn, 9);
        }
        point->mass = point->mass || body->mass.index;
    }
}

static const double SHORT = 0.4, LONG = 2.6;  // of the radius of a ball: an arm as long as a rod's

// The sine of the turn from A to B times its axis.
static double turn_between(const double* A, const double* B, double* w) {
    double R[3][3] = {{0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++) R[i][j] += B[3 * i + k] * A[3 * j + k];
        }
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        w[i] = 0.5 * (R[k][j] - R[j][k]);
    }
    return hypot(hypot(w[0], w[1]), w[2]);
}

// Does it turn, and about an axis that stays?
static bool is_plane(LiaGuess* guess, const LiaExpr* turn) {
    double A[9 * (LIA_GUESS_INSTANTS + 1)], w[3], axis[3] = {0}, most = 0.0;
    if (!lia_scene_values(guess->scene, turn, 9, guess->instants, guess->instant_count, A))
        return false;
    for (size_t k = 1; k < guess->instant_count; k++) {
        double size = turn_between(A, A + 9 * k, w);
        if (!(size > most)) continue;
        most = size;
        for (int i = 0; i < 3; i++) axis[i] = w[i] / size;
    }
    for (size_t k = 1; k < guess->instant_count; k++) {
        double size = turn_between(A, A + 9 * k, w);
        double along = fabs(w[0] * axis[0] + w[1] * axis[1] + w[2] * axis[2]);
        if (!(size - along <= LIA_GUESS_STEADY)) return false;
    }
    return most > LIA_GUESS_STEADY;
}

// A body with one number for its moments is a ball, or a part of a plane machine that reaches from
// joint to joint.
static bool is_arm(LiaGuess* guess, const LiaExpr* at, const LiaExpr* turn, double radius) {
    double x[3];
    if (!is_plane(guess, turn)) return false;
    if (!lia_scene_values(guess->scene, at, 3, guess->instants, 1, x)) return false;
    for (uint32_t i = 0; i < guess->scene->count; i++) {
        const LiaSceneItem item = guess->scene->items[i];
        bool rod = strcmp(item.kind, "segment") == 0 || strcmp(item.kind, "link") == 0;
        double a[3], b[3];
        if (!rod || !lia_scene_values(guess->scene, item.at, 3, guess->instants, 1, a) ||
            !lia_scene_values(guess->scene, item.to, 3, guess->instants, 1, b)) {
            continue;
        }
        double length = lia_guess_distance(a, b);
        bool ends =
            fmin(lia_guess_distance(a, x), lia_guess_distance(b, x)) <= LIA_GUESS_PLACE * length;
        if (ends && length > SHORT * radius && length < LONG * radius) return true;
    }
    return false;
}

// A disk around another body with the same centre is a ring, which has the same moments: I1 = m
// r^2/2 = I3/2.
static bool is_around(LiaGuess* guess, const LiaBody* body, const LiaExpr* at, double radius) {
    for (uint32_t i = 0; i < guess->m->pictures.bodies_count; i++) {
        const LiaBody* other = &guess->m->pictures.bodies[i];
        LiaExpr all[7];
        double x[7];
        if (other == body || !other->mass.index || !other->inertia[0].index) continue;
        memcpy(all, at, 3 * sizeof *all);
        const LiaExpr trace[3] = {other->inertia[0], other->inertia[4], other->inertia[8]};
        LiaExpr mass;
        bool known = lia_scene_resolve(guess->scene, other->position, all + 3, 3) &&
                     lia_scene_resolve(guess->scene, &other->mass, &mass, 1);
        LiaExpr sum = lia_guess_zero(guess), part;
        for (int k = 0; known && k < 3; k++) {
            known = lia_scene_resolve(guess->scene, &trace[k], &part, 1);
            sum = lia_graph_add(guess->g, sum, part);
        }
        if (!known) continue;
        all[6] = lia_graph_div(guess->g, sum, mass);
        known = lia_scene_values(guess->scene, all, 7, guess->instants, 1, x);
        bool same = known && lia_guess_distance(x, x + 3) <= LIA_GUESS_PLACE * radius;
        // of a disk or ring the trace is 2 I3
        if (same && x[6] < 2.0 * radius * radius) return true;
    }
    return false;
}

static void draw_body(LiaGuess* guess, const LiaBody* body, const LiaExpr* at) {
    LiaExpr turn[9], numbers[10];
    double values[10] = {0};
    bool turns =
        body->attitude[0].index && lia_scene_resolve(guess->scene, body->attitude, turn, 9);
    if (!body->mass.index) {
        if (!shape_of_body(guess, body->name)) add_outside(guess, body, at, turn);
        return;
    }
    if (shape_of_body(guess, body->name)) return;  // drawn as it is
    lia_scene_resolve(guess->scene, &body->mass, numbers, 1);
    bool solid = turns && body->inertia[0].index &&
                 lia_scene_resolve(guess->scene, body->inertia, numbers + 1, 9) &&
                 lia_scene_values(guess->scene, numbers, 10, guess->instants, 1, values);
    LiaSceneItem item = {.kind = "point", .name = body->name};
    memcpy(item.at, at, sizeof item.at);
    item.trail = lia_guess_moves(guess, at, 3);
    item.driven = lia_scene_is_driven(guess->scene, at, 3) ||
                  (turns && lia_scene_is_driven(guess->scene, turn, 9));
    if (solid && values[0] > 0.0 && values[1] + values[5] + values[9] > 0.0) {
        double A[3][3];
        for (int i = 0; i < 9; i++) A[i / 3][i % 3] = values[1 + i];
        LiaSceneItem shape = item;
        shape_of(guess, &shape, turn, values[0], A);
        bool ball = strcmp(shape.kind, "sphere") == 0;
        double radius = sqrt(2.5 * values[1] / values[0]);
        if (!ball || !is_arm(guess, at, turn, radius)) item = shape;
        double wide = sqrt(0.5 * (values[1] + values[5] + values[9]) / values[0]);
        if (strcmp(item.kind, "disk") == 0 && is_around(guess, body, at, wide)) {
            item.kind = "ring";
            lia_guess_bodies_size(guess, &item, wide, 1.0, 1.0);
        }
    } else if (!turns) {
        lia_guess_coordinates_cart(guess, &item, at);
    }
    *lia_scene_add(guess->scene, item.kind, item.name) = item;
}

// From each body to the places where constraints hold it.
static void link_places(LiaGuess* guess) {
    uint32_t bodies = 0;
    while (bodies < guess->count && guess->points[bodies].drawn) bodies++;
    for (uint32_t i = 0; i < guess->m->pictures.places_count; i++) {
        LiaExpr at[3];
        const LiaConstraint* c = &guess->m->constraints[guess->m->pictures.places[i].constraint];
        bool shapes = c->gap > 0 || c->contact;
        if (shapes || !lia_scene_resolve(guess->scene, guess->m->pictures.places[i].at, at, 3))
            continue;
        const LiaGuessPoint* place = lia_guess_point(guess, NULL, at);
        for (uint32_t k = 0; place && k < bodies; k++) {
            if (&guess->points[k] == place ||
                !lia_guess_rigid_is_rigid(guess, &guess->points[k], place)) {
                continue;
            }
            LiaSceneItem* link = lia_scene_add(guess->scene, "link", NULL);
            memcpy(link->at, guess->points[k].at, sizeof link->at);
            memcpy(link->to, place->at, sizeof link->to);
            link->driven = lia_scene_is_driven(guess->scene, link->at, 3) &&
                           lia_scene_is_driven(guess->scene, link->to, 3);
        }
    }
}

void lia_guess_bodies_draw(LiaGuess* guess) {
    link_places(guess);
    for (uint32_t i = 0; i < guess->m->pictures.bodies_count; i++) {
        LiaExpr at[3];
        const LiaBody* body = body_of(guess, i, at);
        if (body) draw_body(guess, body, at);
    }
    for (uint32_t i = 0; i < guess->m->pictures.shapes_count; i++)
        add_shape(guess, &guess->m->pictures.shapes[i]);
}
