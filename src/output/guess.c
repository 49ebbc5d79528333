// Shapes for a model that draws nothing: what a mechanician would sketch from its formulas.
//
//   shapes               what joints of shapes say a body looks like
//   bodies               by their inertia: the ball, disk, rod or box of the same mass and moments
//   outside bodies       a plate, where they move
//   definitions          vectors of positions whose velocities are used: points
//   coordinates          x, y (z) a point, with a heading where there is an angle; places, directions, rotations
//   whatever is left     an angle is a dial, a number a slider
//
// Rods stand between points whose distance stays the same; so a chain looks like a chain.
// SPDX-License-Identifier: MIT
#include "../base/memory.h"
#include "../base/symmetric.h"
#include "scene.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKS = 24, POINTS_MOST = 400, PAIRS_MOST = 40 };

typedef struct Point {
    const char* name;
    LiaExpr at[3];
    bool still;                  // does not move
    bool joined;                 // at the end of a rod
    double where[LOOKS + 1][3];  // at some samples
} Point;

typedef struct Guess {
    LiaScene* scene;
    LiaGraph* g;
    const LiaModel* m;
    size_t looks[LOOKS + 1];
    size_t look_count;
    Point* points;
    uint32_t count;
} Guess;

static LiaExpr zero(const Guess* guess) { return lia_graph_integer(guess->g, 0); }

static Point* add_point(Guess* guess, const char* name, const LiaExpr* at) {
    if (guess->count == POINTS_MOST) return NULL;
    Point* point = &guess->points[guess->count];
    *point = (Point){.name = name};
    memcpy(point->at, at, sizeof point->at);
    double values[3 * (LOOKS + 1)];
    if (!lia_scene_values(guess->scene, at, 3, guess->looks, guess->look_count, values))
        return NULL;
    point->still = true;
    for (size_t k = 0; k < guess->look_count; k++) {
        for (int i = 0; i < 3; i++) {
            point->where[k][i] = values[3 * k + (size_t)i];
            double moved = fabs(point->where[k][i] - point->where[0][i]);
            point->still = point->still && moved <= 1e-9 * fabs(point->where[0][i]) + 1e-12;
            if (!isfinite(point->where[k][i])) return NULL;
        }
    }
    guess->count++;
    return point;
}

static double distance(const double* a, const double* b) {
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

// Is the distance of two points the same at all looks, and not zero? b NULL: from the origin.
static bool is_rigid(const Guess* guess, const Point* a, const Point* b) {
    static const double origin[3] = {0.0, 0.0, 0.0};
    if (a->still && (!b || b->still)) return false;
    double first = distance(a->where[0], b ? b->where[0] : origin);
    for (size_t k = 1; k < guess->look_count; k++) {
        double now = distance(a->where[k], b ? b->where[k] : origin);
        if (!(fabs(now - first) <= 1e-6 * first)) return false;
    }
    return first > 0.0 && guess->look_count > 2;
}

static void add_rod(Guess* guess, Point* a, Point* b) {
    LiaSceneItem* rod = lia_scene_add(guess->scene, "segment", NULL);
    for (int i = 0; i < 3; i++) rod->at[i] = b ? b->at[i] : zero(guess);
    memcpy(rod->to, a->at, sizeof rod->to);
    rod->driven = lia_scene_is_driven(guess->scene, rod->at, 3) !=
                  lia_scene_is_driven(guess->scene, a->at, 3);
    a->joined = true;
    if (b) b->joined = true;
}

// Each point to the ones before it, the nearest in the list first; two rods hold a point in the plane.
static void add_rods(Guess* guess) {
    bool all = guess->count <= PAIRS_MOST;
    for (uint32_t i = 0; i < guess->count; i++) {
        Point* point = &guess->points[i];
        int rods = 0;
        for (uint32_t j = i; j-- > 0 && (all || i - j <= 2) && rods < 3;) {
            if (is_rigid(guess, point, &guess->points[j])) {
                add_rod(guess, point, &guess->points[j]);
                rods++;
            }
        }
        if (rods == 0 && is_rigid(guess, point, NULL)) add_rod(guess, point, NULL);
    }
}

static void draw_points(Guess* guess, uint32_t from) {
    for (uint32_t i = from; i < guess->count; i++) {
        const Point* point = &guess->points[i];
        LiaSceneItem* item =
            lia_scene_add(guess->scene, point->still ? "anchor" : "point", point->name);
        memcpy(item->at, point->at, sizeof item->at);
        item->driven = lia_scene_is_driven(guess->scene, item->at, 3);
        item->trail = !point->still;
    }
}

// --- bodies

static void set_size(Guess* guess, LiaSceneItem* item, double a, double b, double c) {
    const double sizes[3] = {a, b, c};
    for (int i = 0; i < 3; i++) item->size[i] = lia_graph_real(guess->g, sizes[i]);
}

// attitude * V: the axes in which the inertia is diagonal.
static void turn_to(Guess* guess, LiaSceneItem* item, const LiaExpr* attitude, double V[3][3]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            LiaExpr sum = zero(guess);
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
static void shape_of(Guess* guess, LiaSceneItem* item, const LiaExpr* attitude, double m,
                     double A[3][3]) {
    double V[3][3], I[3], most = 0.0;
    lia_symmetric_axes(A, V);
    for (int i = 0; i < 3; i++) {
        I[i] = A[i][i];
        most = fmax(most, I[i]);
    }
    double near = 1e-6 * most;
    for (int axis = 0; axis < 3; axis++) {  // is it symmetric about one of its axes?
        double a = I[(axis + 1) % 3], b = I[(axis + 2) % 3];
        if (fabs(a - b) > near) continue;
        if (fabs(I[axis] - a) <= near) {
            item->kind = "sphere";
            set_size(guess, item, sqrt(2.5 * a / m), 1.0, 1.0);
        } else if (fabs(I[axis] - 2.0 * a) <= near) {
            to_third(V, I, axis);
            item->kind = "disk";
            set_size(guess, item, 2.0 * sqrt(a / m), 1.0, 1.0);
        } else if (I[axis] <= near) {
            to_third(V, I, axis);
            item->kind = "rod";
            set_size(guess, item, sqrt(12.0 * a / m), 1.0, 1.0);
        } else if (a > 0.5 * I[axis]) {
            to_third(V, I, axis);
            item->kind = "cylinder";
            set_size(guess, item, sqrt(2.0 * I[2] / m), sqrt(12.0 * (a - 0.5 * I[2]) / m), 1.0);
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
    set_size(guess, item, edge[0], edge[1], edge[2]);
    turn_to(guess, item, attitude, V);
}

static bool is_moving(Guess* guess, const LiaExpr* formulas, size_t count) {
    double values[9 * (LOOKS + 1)];
    if (!lia_scene_values(guess->scene, formulas, count, guess->looks, guess->look_count, values)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 1; k < guess->look_count; k++) {
            if (fabs(values[k * count + i] - values[i]) > 1e-9) return true;
        }
    }
    return false;
}

static void add_outside(Guess* guess, const LiaBody* body, const LiaExpr* at, const LiaExpr* turn) {
    bool turns = body->attitude[0] != 0;
    if (!is_moving(guess, at, 3) && !(turns && is_moving(guess, turn, 9))) return;
    LiaSceneItem* item = lia_scene_add(guess->scene, "plate", body->name);
    memcpy(item->at, at, sizeof item->at);
    if (turns) memcpy(item->turn, turn, sizeof item->turn);
    item->driven = true;
}

static const LiaShape* shape_of_body(const Guess* guess, const char* body) {
    for (uint32_t i = 0; i < guess->m->shapes_count; i++) {
        const char* name = guess->m->shapes[i].body;
        bool plane = strcmp(guess->m->shapes[i].word, "plane") == 0;
        if (name && !plane && strcmp(name, body) == 0) return &guess->m->shapes[i];
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

static void add_shape(Guess* guess, const LiaShape* shape) {
    if (!is_plain(shape->word)) return;
    LiaSceneItem item = {.kind = shape->word, .name = shape->body};
    LiaExpr attitude[9], axis[3];
    double n[3] = {0.0, 0.0, 1.0}, V[3][3];
    if (!lia_scene_lower(guess->scene, shape->centre, item.at, 3)) return;
    lia_scene_lower(guess->scene, shape->size, item.size, 3);
    bool turns = shape->attitude[0] && lia_scene_lower(guess->scene, shape->attitude, attitude, 9);
    for (int i = 0; i < 9 && !turns; i++) attitude[i] = lia_graph_integer(guess->g, i % 4 == 0);
    bool along = shape->axis[0] && lia_scene_lower(guess->scene, shape->axis, axis, 3) &&
                 lia_scene_values(guess->scene, axis, 3, guess->looks, 1, n);
    if (along || turns) {
        lia_scene_axis_to(n, V);
        for (int i = 0; i < 9 && !along; i++) V[i / 3][i % 3] = i % 4 == 0;
        turn_to(guess, &item, attitude, V);
    }
    item.open = shape->hollow;
    item.trail = is_moving(guess, item.at, 3);
    item.driven = lia_scene_is_driven(guess->scene, item.at, 3) ||
                  (turns && lia_scene_is_driven(guess->scene, attitude, 9));
    for (uint32_t i = 0; i < guess->scene->count; i++) {  // the same shape in another joint
        if (is_same_item(&guess->scene->items[i], &item)) return;
    }
    *lia_scene_add(guess->scene, item.kind, item.name) = item;
}

static void add_body(Guess* guess, const LiaBody* body) {
    LiaExpr at[3], turn[9], numbers[10];
    double values[10] = {0};
    if (!lia_scene_lower(guess->scene, body->position, at, 3)) return;
    bool turns = body->attitude[0] && lia_scene_lower(guess->scene, body->attitude, turn, 9);
    if (!body->mass) {
        if (!shape_of_body(guess, body->name)) add_outside(guess, body, at, turn);
        return;
    }
    Point* point = add_point(guess, body->name, at);
    if (shape_of_body(guess, body->name)) return;  // drawn as it is
    lia_scene_lower(guess->scene, &body->mass, numbers, 1);
    bool solid = turns && body->inertia[0] &&
                 lia_scene_lower(guess->scene, body->inertia, numbers + 1, 9) &&
                 lia_scene_values(guess->scene, numbers, 10, guess->looks, 1, values);
    LiaSceneItem* item = lia_scene_add(guess->scene, "point", body->name);
    memcpy(item->at, at, sizeof item->at);
    item->trail = point && !point->still;
    item->driven = lia_scene_is_driven(guess->scene, at, 3) ||
                   (turns && lia_scene_is_driven(guess->scene, turn, 9));
    if (solid && values[0] > 0.0 && values[1] + values[5] + values[9] > 0.0) {
        double A[3][3];
        for (int i = 0; i < 9; i++) A[i / 3][i % 3] = values[1 + i];
        shape_of(guess, item, turn, values[0], A);
    }
}

// From each body to the places where constraints hold it.
static void link_places(Guess* guess) {
    uint32_t bodies = guess->count;
    for (uint32_t i = 0; i < guess->m->places_count && guess->count < POINTS_MOST; i++) {
        LiaExpr at[3];
        if (!lia_scene_lower(guess->scene, guess->m->places[i].at, at, 3)) continue;
        Point* place = add_point(guess, NULL, at);
        for (uint32_t k = 0; place && k < bodies; k++) {
            if (is_rigid(guess, &guess->points[k], place)) {
                LiaSceneItem* link = lia_scene_add(guess->scene, "link", NULL);
                memcpy(link->at, guess->points[k].at, sizeof link->at);
                memcpy(link->to, place->at, sizeof link->to);
            }
        }
    }
}

static void guess_bodies(Guess* guess) {
    for (uint32_t i = 0; i < guess->m->bodies_count; i++) add_body(guess, &guess->m->bodies[i]);
    for (uint32_t i = 0; i < guess->m->shapes_count; i++) add_shape(guess, &guess->m->shapes[i]);
    bool points = true;  // points alone: rods between them
    for (uint32_t i = 0; i < guess->m->bodies_count; i++) {
        points = points && (!guess->m->bodies[i].mass || !guess->m->bodies[i].inertia[0]);
    }
    if (points) add_rods(guess);
    link_places(guess);
}

// --- definitions

static bool is_number(const LiaTerm* term) { return term->has == 0; }

// A vector of positions, and somebody asks for its velocity.
static bool is_place(const LiaModel* m, const LiaLet* let, const bool* primed, bool strict) {
    bool moves = false, good = let->cols == 1 && (let->rows == 2 || let->rows == 3);
    for (int i = 0; good && i < let->rows; i++) {
        const LiaTerm* term = &m->terms[let->terms[i]];
        bool known = is_number(term) || term->op == LIA_TERM_COORDINATE || primed[let->terms[i]];
        good = !(term->has & ~(LIA_HAS_T | LIA_HAS_Q | LIA_HAS_CONTROL)) && (known || !strict);
        moves = moves || (term->has & LIA_HAS_Q);
    }
    return good && moves;
}

static bool same_family(const char* a, const char* b) {
    size_t n = strcspn(a, "["), k = strcspn(b, "[");
    return n == k && a[n] == '[' && strncmp(a, b, n) == 0;
}

// A constant of a family whose other members are places: what a chain hangs on.
static bool is_anchor(const LiaModel* m, const LiaLet* let, const bool* primed) {
    if (let->cols != 1 || (let->rows != 2 && let->rows != 3) || !strchr(let->name, '['))
        return false;
    for (int i = 0; i < let->rows; i++) {
        if (!is_number(&m->terms[let->terms[i]])) return false;
    }
    for (uint32_t k = 0; k < m->lets_count; k++) {
        if (same_family(m->lets[k].name, let->name) && is_place(m, &m->lets[k], primed, true)) {
            return true;
        }
    }
    return false;
}

static bool is_direction(const Guess* guess, const Point* point) {
    static const double origin[3] = {0.0, 0.0, 0.0};
    for (size_t k = 0; k < guess->look_count; k++) {
        if (fabs(distance(point->where[k], origin) - 1.0) > 1e-9) return false;
    }
    return true;
}

static void guess_lets(Guess* guess, const bool* primed, bool strict) {
    const LiaModel* m = guess->m;
    for (uint32_t i = 0; i < m->lets_count && guess->count < POINTS_MOST; i++) {
        const LiaLet* let = &m->lets[i];
        LiaExpr at[3] = {{0}, {0}, zero(guess)};
        if (!is_place(m, let, primed, strict) && !(strict && is_anchor(m, let, primed))) continue;
        if (!lia_scene_lower(guess->scene, let->terms, at, (uint32_t)let->rows)) continue;
        Point* point = add_point(guess, let->name, at);
        if (point && !strict && is_direction(guess, point)) guess->count--;
    }
    if (guess->count == 0) return;
    add_rods(guess);
    if (guess->count == 1 && !guess->points[0].joined) {  // a length that somebody changes
        bool round = true;
        for (uint32_t i = 0; i < m->coordinates_count; i++) {
            const char* name = m->coordinates[i].name;
            round = round && strcmp(name, "x") != 0 && strcmp(name, "y") != 0;
        }
        if (round) add_rod(guess, &guess->points[0], NULL);
    }
    draw_points(guess, 0);
}

// --- coordinates

static int find_line(const LiaModel* m, char letter, const char* rest) {
    for (uint32_t i = 0; i < m->coordinates_count; i++) {
        const LiaCoordinate* c = &m->coordinates[i];
        if (!c->group && c->manifold == LIA_LINE && c->name[0] == letter &&
            strcmp(c->name + 1, rest) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static bool is_rest(const char* rest) { return strspn(rest, "0123456789[],_") == strlen(rest); }

// rotz(angle) as nine formulas.
static void turn_by(Guess* guess, LiaExpr angle, LiaExpr* turn) {
    LiaExpr none = {0};
    LiaExpr c = lia_graph_apply(guess->g, LIA_OP_COS, angle, none, none);
    LiaExpr s = lia_graph_apply(guess->g, LIA_OP_SIN, angle, none, none);
    const LiaExpr rotz[9] = {
        c,           lia_graph_neg(guess->g, s),    zero(guess), s, c, zero(guess), zero(guess),
        zero(guess), lia_graph_integer(guess->g, 1)};
    memcpy(turn, rotz, sizeof rotz);
}

// Does the momentum of angle i know the rate of angle j? Then j is measured from i.
static bool is_relative(const Guess* guess, uint32_t i, uint32_t j) {
    const LiaSystem* s = guess->scene->system;
    LiaExpr coupling = lia_expr_diff(guess->g, s->p[i], s->v[j]);
    return !lia_graph_is_zero(guess->g, coupling);
}

// A point of the plane with angles: the first free one is its heading, the others are bars on it.
static bool add_headings(Guess* guess, const LiaExpr* at, bool* used) {
    const LiaSystem* s = guess->scene->system;
    int heading = -1;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < s->n; i++) {
            const LiaCoordinate* c = &guess->m->coordinates[i];
            if (used[i] || c->group || c->manifold != LIA_CIRCLE) continue;
            if (pass == 0 && heading < 0 && !guess->scene->driven[i]) {
                LiaSceneItem* sled = lia_scene_add(guess->scene, "sled", c->name);
                memcpy(sled->at, at, sizeof sled->at);
                turn_by(guess, s->q[i], sled->turn);
                sled->trail = true;
                heading = (int)i;
                used[i] = true;
            } else if (pass == 1) {
                LiaExpr angle = s->q[i];
                if (heading >= 0 && is_relative(guess, (uint32_t)heading, i)) {
                    angle = lia_graph_add(guess->g, s->q[heading], angle);
                }
                LiaSceneItem* bar = lia_scene_add(guess->scene, "bar", c->name);
                memcpy(bar->at, at, sizeof bar->at);
                turn_by(guess, angle, bar->turn);
                bar->driven = guess->scene->driven[i];
                used[i] = true;
            }
        }
    }
    return heading >= 0;
}

// x, y: a point of the plane; x, y, z: of space.
static void guess_plain(Guess* guess, bool* used) {
    const LiaModel* m = guess->m;
    const LiaSystem* s = guess->scene->system;
    for (uint32_t i = 0; i < m->coordinates_count && guess->count < POINTS_MOST; i++) {
        const LiaCoordinate* c = &m->coordinates[i];
        if (c->group || c->manifold != LIA_LINE || c->name[0] != 'x' || !is_rest(c->name + 1)) {
            continue;
        }
        int y = find_line(m, 'y', c->name + 1), z = find_line(m, 'z', c->name + 1);
        if (y < 0 && z < 0) continue;
        LiaExpr at[3] = {s->q[i], y >= 0 ? s->q[y] : zero(guess), z >= 0 ? s->q[z] : zero(guess)};
        used[i] = true;
        if (y >= 0) used[y] = true;
        if (z >= 0) used[z] = true;
        add_point(guess, strlen(c->name) > 1 ? c->name + 1 : NULL, at);
    }
}

static void guess_groups(Guess* guess, bool* used) {
    const LiaModel* m = guess->m;
    const LiaSystem* s = guess->scene->system;
    for (uint32_t i = 0; i < m->groups_count; i++) {
        const LiaGroup* group = &m->groups[i];
        const LiaExpr* q = s->q + group->first;
        for (uint32_t k = 0; k < group->count; k++) used[group->first + k] = true;
        if (group->manifold != LIA_ROTATION) {
            add_point(guess, group->name, q);
            continue;
        }
        LiaGraph* g = guess->g;
        LiaExpr two = lia_graph_integer(g, 2), one = lia_graph_integer(g, 1);
        LiaExpr ww[4][4];
        for (int a = 0; a < 4; a++) {
            for (int b = 0; b < 4; b++) {
                ww[a][b] = lia_graph_mul(g, two, lia_graph_mul(g, q[a], q[b]));
            }
        }
        LiaSceneItem* item = lia_scene_add(guess->scene, "box", group->name);
        for (int k = 0; k < 3; k++) item->at[k] = zero(guess);
        for (int a = 1; a <= 3; a++) {  // R = 1 + 2 w [v] + 2 [v]^2
            int b = a % 3 + 1, c = b % 3 + 1;
            item->turn[4 * (a - 1)] = lia_graph_sub(g, one, lia_graph_add(g, ww[b][b], ww[c][c]));
            item->turn[3 * (a - 1) + b - 1] = lia_graph_sub(g, ww[a][b], ww[0][c]);
            item->turn[3 * (b - 1) + a - 1] = lia_graph_add(g, ww[a][b], ww[0][c]);
        }
        set_size(guess, item, 1.0, 0.7, 0.4);
        item->driven = guess->scene->driven[group->first];
    }
}

// Is the potential lower at 0 than half a turn away? Then 0 hangs down.
static bool hangs(Guess* guess, uint32_t i) {
    const LiaSystem* s = guess->scene->system;
    if (!s->has_potential) return false;
    LiaExpr* by = lia_memory_zeros(s->n + 1, sizeof *by);
    if (!by) return false;
    LiaExpr at[2];
    double values[2] = {0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        by[i] = k == 0 ? zero(guess) : lia_graph_pi(guess->g);
        at[k] = lia_expr_substitute(guess->g, s->potential, LIA_SYMBOL_POSITION, by, s->n);
    }
    free(by);
    bool known = at[0].index && at[1].index &&
                 lia_scene_values(guess->scene, at, 2, guess->looks, 1, values);
    return known && values[0] < values[1];
}

// Nothing of this is in a place: an angle is a dial, a number a slider.
static void guess_instruments(Guess* guess, const bool* used) {
    enum { MOST = 24 };
    const LiaSystem* s = guess->scene->system;
    int dials = 0, sliders = 0;
    for (uint32_t i = 0; i < s->n && dials + sliders < MOST; i++) {
        const LiaCoordinate* c = &guess->m->coordinates[i];
        if (used[i] || c->group) continue;
        bool dial = c->manifold == LIA_CIRCLE;
        bool down = dial && hangs(guess, i);
        LiaSceneItem* item = lia_scene_add(guess->scene, dial ? "dial" : "slider", c->name);
        item->at[0] = lia_graph_integer(guess->g, dial ? dials++ : 0);
        item->at[1] = lia_graph_integer(guess->g, dial ? 0 : -(sliders++));
        item->at[2] = zero(guess);
        item->size[0] = lia_graph_real(guess->g, down ? -1.57079632679489661923 : 0.0);
        item->value = s->q[i];
        item->driven = guess->scene->driven[i];
    }
}

static void guess_coordinates(Guess* guess) {
    bool* used = lia_memory_zeros(guess->m->coordinates_count + 1, sizeof *used);
    if (!used) {
        guess->scene->failed = true;
        return;
    }
    guess_plain(guess, used);
    bool single = guess->count == 1 && guess->m->groups_count == 0;
    bool headed = single && add_headings(guess, guess->points[0].at, used);
    guess_groups(guess, used);
    add_rods(guess);
    draw_points(guess, headed ? 1 : 0);
    if (guess->scene->count == 0) guess_instruments(guess, used);
    free(used);
}

void lia_scene_guess(LiaScene* scene) {
    const LiaModel* m = scene->system->model;
    Guess guess = {.scene = scene, .g = scene->graph, .m = m};
    if (scene->rows == 0) return;
    guess.look_count = scene->rows < LOOKS ? scene->rows : LOOKS;
    for (size_t k = 0; k < guess.look_count; k++) {
        guess.looks[k] = guess.look_count > 1 ? k * (scene->rows - 1) / (guess.look_count - 1) : 0;
    }
    bool* primed = lia_memory_zeros(m->terms_count + 1, sizeof *primed);
    guess.points = lia_memory_take((POINTS_MOST + 1) * sizeof *guess.points);
    if (!primed || !guess.points) {
        scene->failed = true;
    } else {
        for (uint32_t i = 1; i < m->terms_count; i++) {
            if (m->terms[i].op == LIA_TERM_PRIME) primed[m->terms[i].a] = true;
        }
        if (m->bodies_count > 0) guess_bodies(&guess);
        if (scene->count == 0) guess_lets(&guess, primed, true);
        if (scene->count == 0) guess_lets(&guess, primed, false);
        if (scene->count == 0) guess_coordinates(&guess);
    }
    free(primed);
    free(guess.points);
}
