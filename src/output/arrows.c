// Arrows for pictures. See arrows.h.
//
// F is found from as many coordinates as P moves in dimensions: with A = dP/dq, of which the columns p are kept,
//   F = A_p G^-1 Q_p,    G = A_p^T A_p       the shortest that gives Q_p
// and then looked at, at samples of the motion, whether the others agree.
// SPDX-License-Identifier: MIT
#include "arrows.h"
#include "../base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKS = 10, PLACES_MOST = 48, COORDINATES_MOST = 48, ACTS_MOST = 64 };

static const double SAME = 1e-7;  // what does not agree, of the whole
static const double THIN = 1e-6;  // a direction in which P does not move

typedef struct Place {
    LiaExpr at[3];
    LiaExpr* A;  // dP/dq                                       (3 x n)
    double where[LOOKS][3];
    double* a;        // A at the looks                              (LOOKS x 3 x n)
    LiaExpr turn[9];  // the attitude of what stands there; {0}: none
} Place;

typedef struct Act {  // what acts on the coordinates
    LiaSceneItem item;
    LiaExpr* Q;  // (n)
    double* q;   // Q at the looks                                            (LOOKS x n)
} Act;

typedef struct Arrows {
    LiaScene* scene;
    LiaGraph* g;
    const LiaModel* m;
    uint32_t n;
    size_t looks[LOOKS], look_count;
    Place* places;
    uint32_t count;
} Arrows;

static LiaExpr zero(const Arrows* a) { return lia_graph_integer(a->g, 0); }

static LiaExpr dot(Arrows* a, const LiaExpr* u, const LiaExpr* v, uint32_t count) {
    LiaExpr sum = zero(a);
    for (uint32_t i = 0; i < count; i++) {
        sum = lia_graph_add(a->g, sum, lia_graph_mul(a->g, u[i], v[i]));
    }
    return sum;
}

// --- places --------------------------------------------------------------------------------------

static bool is_known(const Arrows* a, const LiaExpr* at) {
    for (uint32_t i = 0; i < a->count; i++) {
        if (memcmp(a->places[i].at, at, sizeof a->places[i].at) == 0) return true;
    }
    return false;
}

static void add_place(Arrows* a, const LiaExpr* at, const LiaExpr* turn) {
    LiaArena* arena = a->scene->arena;
    if (a->count == PLACES_MOST || (!turn && is_known(a, at))) return;
    Place* place = &a->places[a->count];
    size_t size = 3 * (size_t)a->n;
    *place = (Place){.A = LIA_ARENA_NEW(arena, LiaExpr, size + 1),
                     .a = LIA_ARENA_NEW(arena, double, LOOKS* size + 1)};
    bool good = place->A && place->a;
    memcpy(place->at, at, sizeof place->at);
    if (turn) memcpy(place->turn, turn, sizeof place->turn);
    for (uint32_t k = 0; good && k < 3; k++) {
        good = lia_expr_gradient(a->g, at[k], a->scene->system->q, a->n, place->A + k * a->n);
    }
    good = good && lia_scene_values(a->scene, at, 3, a->looks, a->look_count, place->where[0]) &&
           lia_scene_values(a->scene, place->A, size, a->looks, a->look_count, place->a);
    for (size_t i = 0; good && i < a->look_count * size; i++) good = isfinite(place->a[i]);
    if (good) a->count++;
}

static bool is_vector_of_places(const LiaModel* m, const LiaLet* let) {
    bool moves = false;
    if (let->cols != 1 || (let->rows != 2 && let->rows != 3)) return false;
    for (int i = 0; i < let->rows; i++) {
        uint16_t has = m->terms[let->terms[i]].has;
        if (has & ~(LIA_HAS_T | LIA_HAS_Q | LIA_HAS_CONTROL)) return false;
        moves = moves || (has & LIA_HAS_Q);
    }
    return moves;
}

static int find_letter(const LiaModel* m, char letter, const char* rest) {
    for (uint32_t i = 0; i < m->coordinates_count; i++) {
        const LiaCoordinate* c = &m->coordinates[i];
        if (!c->group && !c->inner && c->name[0] == letter && strcmp(c->name + 1, rest) == 0) {
            return (int)i;
        }
    }
    return -1;
}

// x, y and perhaps z, with the same ending; space coordinates.
static void add_coordinates(Arrows* a) {
    const LiaExpr* q = a->scene->system->q;
    for (uint32_t i = 0; i < a->m->coordinates_count; i++) {
        const LiaCoordinate* c = &a->m->coordinates[i];
        if (c->group || c->manifold != LIA_LINE || c->name[0] != 'x') continue;
        int y = find_letter(a->m, 'y', c->name + 1), z = find_letter(a->m, 'z', c->name + 1);
        if (y < 0 && z < 0) continue;
        LiaExpr at[3] = {q[i], y >= 0 ? q[y] : zero(a), z >= 0 ? q[z] : zero(a)};
        add_place(a, at, NULL);
    }
    for (uint32_t i = 0; i < a->m->groups_count; i++) {
        if (a->m->groups[i].manifold == LIA_SPACE) add_place(a, q + a->m->groups[i].first, NULL);
    }
}

static void add_places(Arrows* a) {
    LiaExpr at[3], turn[9];
    for (uint32_t i = 0; i < a->m->bodies_count; i++) {
        const LiaBody* body = &a->m->bodies[i];
        if (!lia_scene_lower(a->scene, body->position, at, 3)) continue;
        bool turns = body->attitude[0] && lia_scene_lower(a->scene, body->attitude, turn, 9);
        add_place(a, at, turns ? turn : NULL);
    }
    add_coordinates(a);
    for (uint32_t i = 0; i < a->m->lets_count; i++) {
        const LiaLet* let = &a->m->lets[i];
        at[2] = zero(a);
        if (!is_vector_of_places(a->m, let)) continue;
        if (lia_scene_lower(a->scene, let->terms, at, (uint32_t)let->rows)) add_place(a, at, NULL);
    }
    for (uint32_t i = 0; i < a->scene->count; i++) {  // what is drawn stands somewhere
        const LiaSceneItem item = a->scene->items[i];
        bool place = strcmp(item.kind, "arrow") != 0 && strcmp(item.kind, "dial") != 0 &&
                     strcmp(item.kind, "slider") != 0 && strcmp(item.kind, "path") != 0;
        if (!place) continue;
        add_place(a, item.at, item.turn[0].index ? item.turn : NULL);
        if (item.to[0].index) add_place(a, item.to, NULL);
    }
}

// --- forces --------------------------------------------------------------------------------------

// Solve G x = b of up to three unknowns by Cramer's rule, as formulas.
static void solve(Arrows* a, int r, LiaExpr G[3][3], const LiaExpr* b, LiaExpr* x) {
    LiaGraph* g = a->g;
    for (int i = r; i < 3; i++) {
        for (int j = 0; j < 3; j++) G[i][j] = G[j][i] = lia_graph_integer(g, i == j);
    }
    LiaExpr cofactor[3][3], det = zero(a);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int p = (i + 1) % 3, q = (i + 2) % 3, u = (j + 1) % 3, v = (j + 2) % 3;
            cofactor[i][j] = lia_graph_sub(g, lia_graph_mul(g, G[p][u], G[q][v]),
                                           lia_graph_mul(g, G[p][v], G[q][u]));
        }
    }
    for (int j = 0; j < 3; j++) {
        det = lia_graph_add(g, det, lia_graph_mul(g, G[0][j], cofactor[0][j]));
    }
    for (int i = 0; i < r; i++) {
        LiaExpr sum = zero(a);
        for (int j = 0; j < r; j++) {
            sum = lia_graph_add(g, sum, lia_graph_mul(g, cofactor[j][i], b[j]));
        }
        x[i] = lia_graph_div(g, sum, det);
    }
}

// The coordinates that move P most, each across the ones before, at one look. Returns how many dimensions that is.
static int pivots_of(const Arrows* a, const double* A, uint32_t* pivots) {
    double found[3][3];
    int r = 0;
    for (; r < 3; r++) {
        double most = 0.0, best[3] = {0.0, 0.0, 0.0};
        for (uint32_t i = 0; i < a->n; i++) {
            if (a->m->coordinates[i].manifold == LIA_ROTATION || a->m->coordinates[i].inner)
                continue;
            double u[3] = {A[i], A[a->n + i], A[2 * a->n + i]}, length = 0.0;
            for (int k = 0; k < r; k++) {
                double along = u[0] * found[k][0] + u[1] * found[k][1] + u[2] * found[k][2];
                for (int j = 0; j < 3; j++) u[j] -= along * found[k][j];
            }
            length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
            if (length > most * (1.0 + 1e-9)) {
                most = length;
                pivots[r] = i;
                for (int j = 0; j < 3; j++) best[j] = u[j] / length;
            }
        }
        if (!(most > THIN)) break;
        memcpy(found[r], best, sizeof best);
    }
    return r;
}

// What the coordinates of rotations feel along their own length means nothing.
static void flatten(const Arrows* a, size_t look, double* x) {
    const LiaTrajectory* t = a->scene->trajectory;
    const double* row = lia_scene_row(a->scene, a->looks[look]);
    for (uint32_t i = 0; i < a->m->groups_count; i++) {
        const LiaGroup* group = &a->m->groups[i];
        double q[4] = {0.0}, along = 0.0;
        if (group->manifold != LIA_ROTATION && group->manifold != LIA_SPHERE) continue;
        for (size_t c = 0; c < t->column_count; c++) {
            const LiaColumn* column = &t->columns[c];
            bool own = column->kind == LIA_COLUMN_POSITION && column->index >= group->first &&
                       column->index < group->first + group->count;
            if (own) q[column->index - group->first] = row[c];
        }
        for (uint32_t k = 0; k < group->count; k++) along += q[k] * x[group->first + k];
        for (uint32_t k = 0; k < group->count; k++) x[group->first + k] -= along * q[k];
    }
}

// The force at a place as formulas; false where it is no force there.
static bool force_at(Arrows* a, const Act* act, const Place* place, LiaExpr* F, int* rank) {
    uint32_t pivots[3], n = a->n;
    size_t look = 0;
    double most = 0.0;
    for (size_t k = 0; k < a->look_count; k++) {  // where it is strongest
        double sum = 0.0;
        for (uint32_t i = 0; i < n; i++) sum += fabs(act->q[k * n + i]);
        if (sum > most) most = sum, look = k;
    }
    int r = pivots_of(a, place->a + look * 3 * n, pivots);
    if (r == 0 || (r == 1 && a->m->coordinates[pivots[0]].manifold != LIA_LINE)) return false;
    LiaExpr G[3][3], b[3], x[3], columns[3][3];
    for (int i = 0; i < r; i++) {
        for (uint32_t k = 0; k < 3; k++) columns[i][k] = place->A[k * n + pivots[i]];
        b[i] = act->Q[pivots[i]];
    }
    for (int i = 0; i < r; i++) {
        for (int j = 0; j < r; j++) G[i][j] = dot(a, columns[i], columns[j], 3);
    }
    solve(a, r, G, b, x);
    for (uint32_t k = 0; k < 3; k++) {
        F[k] = zero(a);
        for (int i = 0; i < r; i++) {
            F[k] = lia_graph_add(a->g, F[k], lia_graph_mul(a->g, columns[i][k], x[i]));
        }
    }
    double f[LOOKS][3], left[COORDINATES_MOST];
    if (!lia_scene_values(a->scene, F, 3, a->looks, a->look_count, f[0])) return false;
    for (size_t k = 0; k < a->look_count; k++) {
        const double *A = place->a + k * 3 * n, *Q = act->q + k * n;
        for (uint32_t i = 0; i < n; i++) {
            left[i] = Q[i] - (f[k][0] * A[i] + f[k][1] * A[n + i] + f[k][2] * A[2 * n + i]);
        }
        flatten(a, k, left);
        for (uint32_t i = 0; i < n; i++) {
            if (!(fabs(left[i]) <= SAME * most)) return false;
        }
    }
    *rank = r;
    return true;
}

static bool add_force(Arrows* a, const Act* act) {
    int best = 0;
    LiaSceneItem item = act->item;
    item.kind = "force";
    for (uint32_t i = 0; i < a->count; i++) {
        LiaExpr F[3];
        int rank = 0;
        if (!force_at(a, act, &a->places[i], F, &rank) || rank <= best) continue;
        best = rank;
        memcpy(item.to, F, sizeof F);
        memcpy(item.at, a->places[i].at, sizeof item.at);
    }
    if (best > 0) *lia_scene_add(a->scene, item.kind, item.name) = item;
    return best > 0;
}

// A force in the plane of x and y, and its moment about that place by the one angle that it turns: the force stands on its line,
//   r x F = M,    r = M [F_y, -F_x]/|F|^2
static bool add_line(Arrows* a, const Act* act, const bool* acts) {
    int x = find_letter(a->m, 'x', ""), y = find_letter(a->m, 'y', ""), angle = -1;
    for (uint32_t i = 0; i < a->n; i++) {
        if (!acts[i] || (int)i == x || (int)i == y) continue;
        // driven ones turn parts, not the whole
        if (a->m->coordinates[i].manifold != LIA_CIRCLE || a->scene->driven[i]) return false;
        if (angle >= 0) return false;
        angle = (int)i;
    }
    if (x < 0 || y < 0 || angle < 0 || a->m->bodies_count > 0) return false;
    LiaSceneItem item = act->item;
    LiaGraph* g = a->g;
    const LiaExpr* q = a->scene->system->q;
    LiaExpr F[3] = {act->Q[x], act->Q[y], zero(a)};
    LiaExpr by = lia_graph_div(g, act->Q[angle], dot(a, F, F, 2));
    item.kind = "force";
    item.at[0] = lia_graph_add(g, q[x], lia_graph_mul(g, by, F[1]));
    item.at[1] = lia_graph_sub(g, q[y], lia_graph_mul(g, by, F[0]));
    item.at[2] = zero(a);
    memcpy(item.to, F, sizeof F);
    *lia_scene_add(a->scene, item.kind, item.name) = item;
    return true;
}

// --- couples -------------------------------------------------------------------------------------

// The angular velocity that the rate 1 of a coordinate gives an attitude: the vector of dR/dq R^T.
static bool axis_of(Arrows* a, const LiaExpr* R, uint32_t i, LiaExpr* axis) {
    LiaExpr slope[9];
    bool turns = false;
    for (int k = 0; k < 9; k++) {
        slope[k] = lia_expr_diff(a->g, R[k], a->scene->system->q[i]);
        turns = turns || !lia_graph_is_zero(a->g, slope[k]);
    }
    for (int k = 0; k < 3; k++) {  // W[u][v] = slope_u . R_v;  axis_k = W[k+2][k+1]
        int u = (k + 2) % 3, v = (k + 1) % 3;
        axis[k] = dot(a, slope + 3 * u, R + 3 * v, 3);
    }
    return turns;
}

static bool moves_with(const Arrows* a, const Place* place, uint32_t i) {
    for (size_t k = 0; k < a->look_count; k++) {
        for (uint32_t j = 0; j < 3; j++) {
            if (fabs(place->a[(3 * k + j) * a->n + i]) > THIN) return true;
        }
    }
    return false;
}

static double apart(const Arrows* a, const Place* p, const Place* q) {
    double sum = 0.0;
    for (size_t k = 0; k < a->look_count; k++) {
        sum += hypot(hypot(p->where[k][0] - q->where[k][0], p->where[k][1] - q->where[k][1]),
                     p->where[k][2] - q->where[k][2]);
    }
    return sum;
}

// The place that stays when the coordinate turns, and the nearest to it that does not; NULL where there is none.
static const Place* hinge_of(const Arrows* a, uint32_t i, const Place** arm) {
    const Place* hinge = NULL;
    double least = INFINITY;
    *arm = NULL;
    for (uint32_t p = 0; p < a->count; p++) {
        if (moves_with(a, &a->places[p], i)) continue;
        for (uint32_t q = 0; q < a->count; q++) {
            if (!moves_with(a, &a->places[q], i)) continue;
            double away = apart(a, &a->places[p], &a->places[q]);
            if (away < least * (1.0 - 1e-9)) {
                least = away;
                hinge = &a->places[p];
                *arm = &a->places[q];
            }
        }
    }
    return hinge;
}

// How fast a rod turns with a coordinate: d x dd/dq/|d|^2 at the first look.
static bool rate_of(Arrows* a, const LiaSceneItem* rod, uint32_t i, double* rate) {
    LiaExpr formulas[6];
    double x[6];
    for (int k = 0; k < 3; k++) {
        formulas[k] = lia_graph_sub(a->g, rod->to[k], rod->at[k]);
        formulas[3 + k] = lia_expr_diff(a->g, formulas[k], a->scene->system->q[i]);
    }
    if (!lia_scene_values(a->scene, formulas, 6, a->looks, 1, x)) return false;
    double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    for (int k = 0; k < 3; k++) {
        int u = (k + 1) % 3, w = (k + 2) % 3;
        rate[k] = (x[u] * x[3 + w] - x[w] * x[3 + u]) / square;
    }
    return isfinite(rate[0] + rate[1] + rate[2]);
}

static const Place* place_at(const Arrows* a, const double* where) {
    for (uint32_t k = 0; k < a->count; k++) {
        const double* p = a->places[k].where[0];
        double size = 1e-12 + 1e-9 * (fabs(p[0]) + fabs(p[1]) + fabs(p[2]));
        if (fabs(p[0] - where[0]) + fabs(p[1] - where[1]) + fabs(p[2] - where[2]) <= size) {
            return &a->places[k];
        }
    }
    return NULL;
}

// The end that two rods have in common of which one turns faster by 1: the angle between them.
static const Place* joint_of(Arrows* a, uint32_t i) {
    enum { RODS = 24 };
    double ends[RODS][2][3], rates[RODS][3];
    int rods = 0;
    for (uint32_t k = 0; k < a->scene->count && rods < RODS; k++) {
        const LiaSceneItem item = a->scene->items[k];
        if (strcmp(item.kind, "segment") != 0 || !rate_of(a, &item, i, rates[rods])) continue;
        bool known = lia_scene_values(a->scene, item.at, 3, a->looks, 1, ends[rods][0]) &&
                     lia_scene_values(a->scene, item.to, 3, a->looks, 1, ends[rods][1]);
        rods += known;
    }
    for (int p = 0; p < rods * rods * 4; p++) {
        int r = p / 4 / rods, s = p / 4 % rods;
        const double *x = ends[r][p / 2 % 2], *y = ends[s][p % 2];
        double turn = hypot(hypot(rates[r][0] - rates[s][0], rates[r][1] - rates[s][1]),
                            rates[r][2] - rates[s][2]);
        double away = fabs(x[0] - y[0]) + fabs(x[1] - y[1]) + fabs(x[2] - y[2]);
        double size = 1e-12 + 1e-9 * (fabs(x[0]) + fabs(x[1]) + fabs(x[2]));
        if (r < s && fabs(turn - 1.0) < 1e-6 && away <= size) return place_at(a, x);
    }
    return NULL;
}

// a = (P - H) x dP/dq/|P - H|^2: about which axis P turns.
static void axis_of_arm(Arrows* a, const Place* hinge, const Place* arm, uint32_t i,
                        LiaExpr* axis) {
    LiaGraph* g = a->g;
    LiaExpr r[3], v[3];
    for (uint32_t k = 0; k < 3; k++) {
        r[k] = lia_graph_sub(g, arm->at[k], hinge->at[k]);
        v[k] = arm->A[k * a->n + i];
    }
    LiaExpr square = dot(a, r, r, 3);
    for (int k = 0; k < 3; k++) {
        int u = (k + 1) % 3, w = (k + 2) % 3;
        LiaExpr cross =
            lia_graph_sub(g, lia_graph_mul(g, r[u], v[w]), lia_graph_mul(g, r[w], v[u]));
        axis[k] = lia_graph_div(g, cross, square);
    }
}

static void add_couple(Arrows* a, const Act* act, uint32_t i) {
    LiaSceneItem item = act->item;
    LiaExpr axis[3];
    const Place *arm, *stand = NULL, *hinge = hinge_of(a, i, &arm);
    for (uint32_t k = 0; k < a->count && !stand; k++) {
        const Place* place = &a->places[k];
        if (place->turn[0].index && axis_of(a, place->turn, i, axis)) stand = place;
    }
    if (!stand && !hinge) return;
    if (!stand) axis_of_arm(a, hinge, arm, i, axis);
    const Place *between = joint_of(a, i),
                *at = stand && (!hinge || !moves_with(a, stand, i)) ? stand : hinge;
    at = between ? between : at;
    item.kind = "couple";
    memcpy(item.at, at->at, sizeof item.at);
    for (int k = 0; k < 3; k++) item.to[k] = lia_graph_mul(a->g, act->Q[i], axis[k]);
    *lia_scene_add(a->scene, item.kind, item.name) = item;
}

// --- who acts ------------------------------------------------------------------------------------

// An angle, or a number that turns something.
static bool is_angle(Arrows* a, uint32_t i) {
    if (a->m->coordinates[i].manifold == LIA_CIRCLE) return true;
    if (a->m->coordinates[i].manifold != LIA_LINE) return false;
    for (uint32_t k = 0; k < a->count; k++) {
        LiaExpr axis[3];
        if (a->places[k].turn[0].index && axis_of(a, a->places[k].turn, i, axis)) return true;
    }
    return false;
}

// The couple on a body whose attitude is a rotation of its own: with omega = W q', Q = W^T C and W W^T = 4,
//   C = 1/4 W Q,    omega = 2 (w v' - w' v + v x v')
static void add_body_couple(Arrows* a, const Act* act, const LiaGroup* group) {
    LiaGraph* g = a->g;
    const LiaExpr *q = a->scene->system->q + group->first, *Q = act->Q + group->first;
    const Place* at = NULL;
    for (uint32_t k = 0; k < a->count && !at; k++) {
        LiaExpr slope =
            a->places[k].turn[0].index ? lia_expr_diff(g, a->places[k].turn[1], q[0]) : zero(a);
        if (slope.index && !lia_graph_is_zero(g, slope)) at = &a->places[k];
    }
    if (!at) return;
    LiaSceneItem item = act->item;
    item.kind = "couple";
    memcpy(item.at, at->at, sizeof item.at);
    for (int k = 1; k <= 3; k++) {
        int u = k % 3 + 1, w = u % 3 + 1;
        LiaExpr sum = lia_graph_sub(g, lia_graph_mul(g, q[0], Q[k]), lia_graph_mul(g, q[k], Q[0]));
        sum = lia_graph_add(g, sum, lia_graph_mul(g, q[u], Q[w]));
        sum = lia_graph_sub(g, sum, lia_graph_mul(g, q[w], Q[u]));
        item.to[k - 1] = lia_graph_mul(g, lia_graph_rational(g, 1, 2), sum);
    }
    *lia_scene_add(a->scene, item.kind, item.name) = item;
}

static void add_couples(Arrows* a, const Act* act, const bool* acts) {
    for (uint32_t i = 0; i < a->n; i++) {
        if (acts[i] && a->m->coordinates[i].manifold != LIA_ROTATION) add_couple(a, act, i);
    }
    for (uint32_t k = 0; k < a->m->groups_count; k++) {
        const LiaGroup* group = &a->m->groups[k];
        bool any = false;
        for (uint32_t i = 0; i < group->count; i++) any = any || acts[group->first + i];
        if (any && group->manifold == LIA_ROTATION) add_body_couple(a, act, group);
    }
}

static void add_act(Arrows* a, Act* act) {
    bool acts[COORDINATES_MOST] = {false};
    int angles = 0, others = 0;
    if (!lia_scene_values(a->scene, act->Q, a->n, a->looks, a->look_count, act->q)) return;
    for (uint32_t i = 0; i < a->n; i++) {
        for (size_t k = 0; k < a->look_count; k++) {
            if (!isfinite(act->q[k * a->n + i])) return;
            acts[i] = acts[i] || fabs(act->q[k * a->n + i]) > 0.0;
        }
        bool turns = acts[i] && (a->m->coordinates[i].manifold == LIA_ROTATION || is_angle(a, i));
        angles += turns;
        others += acts[i] && !turns;
    }
    if (others > 0) {
        if (!add_force(a, act)) add_line(a, act, acts);
    } else if (angles == 1 || strcmp(act->item.role, "constraint") != 0) {
        // a tie between several angles is no couple on each of them
        add_couples(a, act, acts);
    }
}

static bool has_place(const LiaModel* m, uint32_t constraint) {
    for (uint32_t i = 0; i < m->places_count; i++) {
        const LiaPlace* place = &m->places[i];
        if (place->constraint == constraint && (place->forces || place->count == 3)) return true;
    }
    return false;
}

static void add_constraint(Arrows* a, Act* act, uint32_t c) {
    const LiaSystem* s = a->scene->system;
    const LiaConstraint* constraint = &a->m->constraints[c];
    if (constraint->internal) return;
    if (has_place(a->m, c) && constraint->rule != LIA_RULE_GIVEN) return;
    act->item = (LiaSceneItem){.name = constraint->name,
                               .constraint = 1 + c,
                               .role = constraint->active ? "operator" : "constraint",
                               .driven = constraint->active,
                               .shared = !a->scene->trajectory->constraints[c].unique};
    for (uint32_t i = 0; i < a->n; i++) act->Q[i] = zero(a);
    for (uint32_t r = s->first_row[c]; r < s->first_row[c + 1]; r++) {
        if (s->rows[r].identical) continue;
        LiaExpr mu = lia_graph_symbol(a->g, LIA_SYMBOL_MULTIPLIER, r);
        for (uint32_t e = 0; e < s->rows[r].entries; e++) {
            LiaExpr* Q = &act->Q[s->rows[r].coordinate[e]];
            *Q = lia_graph_add(a->g, *Q, lia_graph_mul(a->g, mu, s->rows[r].Omega[e]));
        }
    }
    add_act(a, act);
}

static void add_applied(Arrows* a, Act* act, uint32_t f) {
    const LiaForce* force = &a->m->forces[f];
    act->item = (LiaSceneItem){.name = force->name, .role = "applied"};
    if (force->vector[0]) return;
    if (lia_lower_form(a->scene->lowering, &force->form, NULL, act->Q)) add_act(a, act);
}

static void find_acts(Arrows* a) {
    LiaArena* arena = a->scene->arena;
    Act act = {.Q = LIA_ARENA_NEW(arena, LiaExpr, a->n + 1),
               .q = LIA_ARENA_NEW(arena, double, LOOKS*(size_t)a->n + 1)};
    a->places = lia_memory_zeros(PLACES_MOST + 1, sizeof *a->places);
    if (act.Q && act.q && a->places) {
        add_places(a);
        for (uint32_t c = 0; c < a->m->constraints_count && c < ACTS_MOST; c++) {
            add_constraint(a, &act, c);
        }
        for (uint32_t f = 0; f < a->m->forces_count && f < ACTS_MOST; f++) add_applied(a, &act, f);
    }
    free(a->places);
}

// --- what the model says -------------------------------------------------------------------------

static bool has_arrows(const LiaModel* m) {
    for (uint32_t i = 0; i < m->drawings_count; i++) {
        const LiaDrawing* d = &m->drawings[i];
        for (int k = 0; d->kind == LIA_DRAWING_ARROW && k < 3; k++) {
            if (d->end[k] && (m->terms[d->end[k]].has & LIA_HAS_FORCE)) return true;
        }
    }
    return false;
}

// The force at a place, or its couple: the sum of its multipliers times their directions.
static bool act_of_place(LiaScene* scene, const LiaPlace* place, const LiaTermId* directions,
                         LiaExpr* F) {
    const LiaSystem* s = scene->system;
    LiaGraph* g = scene->graph;
    for (uint32_t k = 0; k < 3; k++) F[k] = lia_graph_integer(g, 0);
    for (uint32_t i = 0; i < place->count; i++) {
        uint32_t row = s->first_row[place->constraint] + place->first + i;
        LiaExpr direction[3];
        if (s->rows[row].identical) continue;
        for (uint32_t k = 0; k < 3; k++) direction[k] = lia_graph_integer(g, k == i);
        if (directions && !lia_scene_lower(scene, directions + 3 * i, direction, 3)) return false;
        LiaExpr mu = lia_graph_symbol(g, LIA_SYMBOL_MULTIPLIER, row);
        for (uint32_t k = 0; k < 3; k++) {
            F[k] = lia_graph_add(g, F[k], lia_graph_mul(g, mu, direction[k]));
        }
    }
    return true;
}

static void take_places(LiaScene* scene, bool forces) {
    const LiaModel* m = scene->system->model;
    for (uint32_t i = 0; i < m->places_count; i++) {
        const LiaPlace* place = &m->places[i];
        const LiaConstraint* c = &m->constraints[place->constraint];
        LiaSceneItem item = {
            .kind = "contact", .name = c->name, .constraint = 1 + place->constraint};
        if (!lia_scene_lower(scene, place->at, item.at, 3)) continue;
        *lia_scene_add(scene, item.kind, item.name) = item;
        if (!forces || c->rule == LIA_RULE_GIVEN) continue;
        item.driven = c->active;
        item.role = c->active ? "operator" : "constraint";
        item.shared = !scene->trajectory->constraints[place->constraint].unique;
        item.kind = "force";
        if ((place->forces || place->count == 3) &&
            act_of_place(scene, place, place->forces, item.to)) {
            *lia_scene_add(scene, item.kind, item.name) = item;
        }
        item.kind = "couple";
        if (place->couples && act_of_place(scene, place, place->couples, item.to)) {
            *lia_scene_add(scene, item.kind, item.name) = item;
        }
    }
}

static void take_forces(LiaScene* scene) {
    const LiaModel* m = scene->system->model;
    for (uint32_t i = 0; i < m->forces_count; i++) {
        const LiaForce* f = &m->forces[i];
        LiaSceneItem item = {
            .kind = f->moment ? "couple" : "force", .name = f->name, .role = "applied"};
        if (!f->vector[0] || !lia_scene_lower(scene, f->vector, item.to, 3)) continue;
        if (lia_scene_lower(scene, f->at, item.at, 3)) {
            *lia_scene_add(scene, item.kind, item.name) = item;
        }
    }
}

void lia_arrows_add(LiaScene* scene) {
    const LiaModel* m = scene->system->model;
    Arrows a = {.scene = scene, .g = scene->graph, .m = m, .n = scene->system->n};
    bool wanted = !has_arrows(m);
    if (scene->rows == 0) return;
    take_places(scene, wanted);
    if (!wanted) return;
    take_forces(scene);
    if (a.n > COORDINATES_MOST) return;
    a.look_count = scene->rows < LOOKS ? scene->rows : LOOKS;
    for (size_t k = 0; k < a.look_count; k++) {
        a.looks[k] = a.look_count > 1 ? k * (scene->rows - 1) / (a.look_count - 1) : 0;
    }
    find_acts(&a);
}
