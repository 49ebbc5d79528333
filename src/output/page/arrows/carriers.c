// What a force can act on. See carriers.h.
// SPDX-License-Identifier: MIT
#include "output/page/arrows/carriers.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "output/page/arrows/instants.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t lia_carriers_twists_size(const LiaCarriers* c) { return 3 + 6 * (size_t)c->n; }

const double* lia_carriers_twists_instant(const LiaCarriers* c, uint32_t carrier, size_t k) {
    return c->twists[carrier] + k * lia_carriers_twists_size(c);
}

void lia_carriers_twist_velocity(const double* twists, uint32_t i, const double* P, double* v) {
    const double *own = twists + 3 + 6 * (size_t)i, *w = own + 3;
    double r[3] = {P[0] - twists[0], P[1] - twists[1], P[2] - twists[2]};
    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        v[k] = own[k] + w[a] * r[b] - w[b] * r[a];
    }
}

void lia_carriers_flatten(const LiaCarriers* c, size_t sample, double* x, size_t stride) {
    const LiaTrajectory* t = c->scene->trajectory;
    const LiaModel* m = c->scene->system->model;
    const double* row = lia_scene_row(c->scene, sample);
    for (uint32_t i = 0; i < m->groups_count; i++) {
        const LiaGroup* group = &m->groups[i];
        double q[4] = {0.0}, along = 0.0;
        if (group->manifold != LIA_ROTATION && group->manifold != LIA_SPHERE) continue;
        for (size_t k = 0; k < t->column_count; k++) {
            const LiaColumn* column = &t->columns[k];
            bool own = column->kind == LIA_COLUMN_POSITION && column->index >= group->first &&
                       column->index < group->first + group->count;
            if (own) q[column->index - group->first] = row[k];
        }
        for (uint32_t k = 0; k < group->count; k++) along += q[k] * x[stride * (group->first + k)];
        for (uint32_t k = 0; k < group->count; k++) x[stride * (group->first + k)] -= along * q[k];
    }
}

// --- formulas and their numbers

static bool is_rod(const LiaCarrier* carrier) { return carrier->to[0].index != 0; }
static bool is_body(const LiaCarrier* carrier) { return carrier->turn[0].index != 0; }

// at, its slopes; then the attitude, or the direction of a rod, and its slopes: (1 + n) numbers for
// each formula.
static size_t formula_count(const LiaCarriers* c, const LiaCarrier* carrier) {
    size_t turning = is_body(carrier) ? 9 : is_rod(carrier) ? 3 : 0;
    return (3 + turning) * (1 + (size_t)c->n);
}

static bool make_formulas(LiaCarriers* c, uint32_t index) {
    LiaScene* scene = c->scene;
    const LiaCarrier* carrier = &scene->carriers[index - 1];
    size_t count = formula_count(c, carrier), width = 1 + (size_t)c->n;
    LiaExpr* formulas = LIA_ARENA_NEW(scene->arena, LiaExpr, count + 1);
    if (!formulas) return false;
    for (size_t k = 0; k < count / width; k++) {
        LiaExpr f = k < 3 ? carrier->at[k]
                    : is_body(carrier)
                        ? carrier->turn[k - 3]
                        : lia_graph_sub(scene->graph, carrier->to[k - 3], carrier->at[k - 3]);
        formulas[k * width] = f;
        if (!lia_diff_gradient(scene->graph, f, scene->system->q, c->n, formulas + k * width + 1)) {
            return false;
        }
    }
    c->formulas[index] = formulas;
    c->turns[index] = is_body(carrier) || is_rod(carrier);
    return true;
}

// The angular velocity of an attitude R with the slope S: the vector of S R^T.
static void angular_velocity(const double* R, const double* S, double* w) {
    for (int k = 0; k < 3; k++) {
        const double *s = S + 3 * ((k + 2) % 3), *r = R + 3 * ((k + 1) % 3);
        w[k] = s[0] * r[0] + s[1] * r[1] + s[2] * r[2];
    }
}

// Of a rod along d with the slope s: d x s/|d|^2.
static void rod_velocity(const double* d, const double* s, double* w) {
    double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        w[k] = (d[a] * s[b] - d[b] * s[a]) / square;
    }
}

// From values of the formulas of one sample to place and twists.
static void twists_of(const LiaCarriers* c, const LiaCarrier* carrier, size_t sample,
                      const double* x, double* out) {
    size_t width = 1 + (size_t)c->n;
    double own[9], slope[9];
    int extra = is_body(carrier) ? 9 : is_rod(carrier) ? 3 : 0;
    for (int k = 0; k < 3; k++) out[k] = x[(size_t)k * width];
    for (int k = 0; k < extra; k++) own[k] = x[(3 + (size_t)k) * width];
    for (uint32_t i = 0; i < c->n; i++) {
        double* twist = out + 3 + 6 * (size_t)i;
        for (int k = 0; k < 3; k++) twist[k] = x[(size_t)k * width + 1 + i];
        for (int k = 0; k < 3; k++) twist[3 + k] = 0.0;
        for (int k = 0; k < extra; k++) slope[k] = x[(3 + (size_t)k) * width + 1 + i];
        if (is_body(carrier)) {
            angular_velocity(own, slope, twist + 3);
        } else if (is_rod(carrier)) {
            rod_velocity(own, slope, twist + 3);
        }
    }
    for (size_t k = 0; k < 6; k++) lia_carriers_flatten(c, sample, out + 3 + k, 6);
}

bool lia_carriers_twists_at(const LiaCarriers* c, uint32_t index, const size_t* samples,
                            size_t count, double* out) {
    size_t size = lia_carriers_twists_size(c);
    if (index == LIA_GROUND) {
        memset(out, 0, count * size * sizeof *out);
        return true;
    }
    const LiaCarrier* carrier = &c->scene->carriers[index - 1];
    size_t formulas = formula_count(c, carrier);
    double* x = lia_memory_take((count * formulas + 1) * sizeof *x);
    bool good = x && lia_scene_values(c->scene, c->formulas[index], formulas, samples, count, x);
    for (size_t k = 0; good && k < count; k++) {
        twists_of(c, carrier, samples[k], x + k * formulas, out + k * size);
    }
    free(x);
    return good;
}

// --- what is fixed to what

bool lia_carriers_move(const LiaCarriers* c, uint32_t carrier, uint32_t i) {
    return ((c->goes[carrier] | c->spins[carrier]) >> i & 1) != 0;
}

static void find_movers(LiaCarriers* c, uint32_t carrier) {
    c->goes[carrier] = c->spins[carrier] = 0;
    for (size_t k = 0; k < c->instant_count; k++) {
        const double* twist = lia_carriers_twists_instant(c, carrier, k) + 3;
        for (uint32_t i = 0; i < c->n; i++, twist += 6) {
            for (int j = 0; j < 6; j++) {
                double length = fabs(twist[j]) * (j < 3 ? 1.0 : c->reach);
                if (!(length * c->scale[i] > LIA_CARRIER_STILL)) continue;
                *(j < 3 ? &c->goes[carrier] : &c->spins[carrier]) |= (uint64_t)1 << i;
            }
        }
    }
}

bool lia_carriers_hold(const LiaCarriers* c, uint32_t carrier, uint32_t point) {
    for (size_t k = 0; k < c->instant_count; k++) {
        const double *body = lia_carriers_twists_instant(c, carrier, k),
                     *p = lia_carriers_twists_instant(c, point, k);
        for (uint32_t i = 0; i < c->n; i++) {
            double v[3];
            lia_carriers_twist_velocity(body, i, p, v);
            for (int j = 0; j < 3; j++) {
                if (!(fabs(v[j] - p[3 + 6 * i + (uint32_t)j]) * c->scale[i] <= LIA_CARRIER_SAME))
                    return false;
            }
        }
    }
    return true;
}

// A segment that keeps its length.
static bool is_stiff(const LiaCarriers* c, const LiaCarrier* rod, double* length) {
    double x[LIA_INSTANTS][6];
    LiaExpr ends[6];
    memcpy(ends, rod->at, sizeof rod->at);
    memcpy(ends + 3, rod->to, sizeof rod->to);
    if (!lia_scene_values(c->scene, ends, 6, c->instants, c->instant_count, x[0])) return false;
    for (size_t k = 0; k < c->instant_count; k++) {
        double now = hypot(hypot(x[k][3] - x[k][0], x[k][4] - x[k][1]), x[k][5] - x[k][2]);
        if (k == 0) *length = now;
        if (!(now > 0.0 && fabs(now - *length) <= LIA_CARRIER_SAME * *length)) return false;
    }
    return true;
}

// --- where they come from

// One that is there already takes the name of the new one.
static bool is_known(const LiaCarriers* c, const LiaCarrier* new) {
    for (uint32_t i = 0; i < c->scene->carrier_count; i++) {
        LiaCarrier* old = &c->scene->carriers[i];
        bool same = memcmp(old->at, new->at, sizeof new->at) == 0 &&
                    memcmp(old->to, new->to, sizeof new->to) == 0;
        if (!same || memcmp(old->turn, new->turn, sizeof new->turn) != 0) continue;
        if (!old->name) old->name = new->name;
        return true;
    }
    return false;
}

static void add(LiaCarriers* c, LiaCarrier carrier) {
    LiaScene* scene = c->scene;
    double length;
    bool room = scene->carrier_count < LIA_CARRIERS_MOST;
    if (!room || is_known(c, &carrier) || (is_rod(&carrier) && !is_stiff(c, &carrier, &length))) {
        return;
    }
    uint32_t index = scene->carrier_count + 1;
    size_t size = lia_carriers_twists_size(c);
    scene->carriers[index - 1] = carrier;
    c->twists[index] = LIA_ARENA_NEW(scene->arena, double, c->instant_count* size + 1);
    bool good = c->twists[index] && make_formulas(c, index) &&
                lia_carriers_twists_at(c, index, c->instants, c->instant_count, c->twists[index]);
    if (!c->twists[index]) scene->failed = true;
    for (size_t i = 0; good && i < c->instant_count * size; i++)
        good = isfinite(c->twists[index][i]);
    if (good) scene->carrier_count++;
}

static void add_point(LiaCarriers* c, const char* name, const LiaExpr* at, bool drawn) {
    LiaCarrier carrier = {.name = name, .drawn = drawn};
    memcpy(carrier.at, at, sizeof carrier.at);
    add(c, carrier);
}

// rotz(angle) as nine formulas.
static void turn_by(LiaGraph* g, LiaExpr angle, LiaExpr* turn) {
    LiaExpr none = {0}, zero = lia_graph_integer(g, 0);
    LiaExpr cosine = lia_graph_apply(g, LIA_OP_COS, angle, none, none);
    LiaExpr sine = lia_graph_apply(g, LIA_OP_SIN, angle, none, none);
    const LiaExpr rotz[9] = {cosine, lia_graph_neg(g, sine), zero, sine, cosine, zero, zero,
                             zero,   lia_graph_integer(g, 1)};
    memcpy(turn, rotz, sizeof rotz);
}

// How far a number goes from 0 along the motion.
static double farthest(const LiaCarriers* c, LiaExpr value) {
    size_t rows = c->scene->rows;
    size_t* samples = lia_memory_take((rows + 1) * sizeof *samples);
    double *x = lia_memory_take((rows + 1) * sizeof *x), most = 0.0;
    for (size_t r = 0; samples && r < rows; r++) samples[r] = r;
    if (samples && x && lia_scene_values(c->scene, &value, 1, samples, rows, x)) {
        for (size_t r = 0; r < rows; r++) most = fmax(most, fabs(x[r]));
    } else {
        c->scene->failed = true;
    }
    free(samples);
    free(x);
    return most > 0.0 ? most : 1.0;
}

// A dial turns, and the bead of a slider goes along: forces act on them as on what they show. The
// places are those of the page (objects.js).
static void add_instrument(LiaCarriers* c, const LiaSceneItem* item) {
    LiaGraph* g = c->scene->graph;
    bool dial = strcmp(item->kind, "dial") == 0;
    LiaCarrier carrier = {.name = item->name, .drawn = true};
    for (int k = 0; k < 3; k++) carrier.at[k] = lia_graph_integer(g, 0);
    if (dial) {
        carrier.at[0] = lia_graph_mul(g, lia_graph_rational(g, 11, 5), item->at[0]);
        turn_by(g, item->value, carrier.turn);
    } else {
        LiaExpr bead = lia_graph_real(g, 1.5 / farthest(c, item->value));
        carrier.at[0] = item->value;
        carrier.at[1] = lia_graph_mul(g, lia_graph_rational(g, 31, 50), item->at[1]);
        memcpy(carrier.shown, carrier.at, sizeof carrier.at);
        carrier.shown[0] = lia_graph_mul(g, bead, item->value);
    }
    add(c, carrier);
}

// Beside other things instruments have no place in the picture.
static bool are_all_instruments(const LiaScene* scene) {
    bool all = true;
    for (uint32_t i = 0; i < scene->count; i++) all = all && scene->items[i].value.index;
    return all;
}

static void add_item(LiaCarriers* c, const LiaSceneItem* item) {
    static const char* const placeless[] = {"arrow", "path", "contact", "force", "couple"};
    for (size_t i = 0; i < sizeof placeless / sizeof *placeless; i++) {
        if (strcmp(item->kind, placeless[i]) == 0) return;
    }
    if (item->value.index) {
        if (are_all_instruments(c->scene)) add_instrument(c, item);
        return;
    }
    LiaCarrier carrier = {.name = item->name, .drawn = true};
    memcpy(carrier.at, item->at, sizeof carrier.at);
    if (item->turn[0].index) memcpy(carrier.turn, item->turn, sizeof carrier.turn);
    if (item->to[0].index) memcpy(carrier.to, item->to, sizeof carrier.to);
    if (item->to[0].index) add_point(c, NULL, item->at, true);
    if (item->to[0].index) add_point(c, NULL, item->to, true);
    add(c, carrier);
}

static void add_body(LiaCarriers* c, const LiaBody* body) {
    LiaCarrier carrier = {.name = body->name, .drawn = true};
    if (!lia_scene_resolve(c->scene, body->position, carrier.at, 3)) return;
    if (body->attitude[0].index && !lia_scene_resolve(c->scene, body->attitude, carrier.turn, 9)) {
        memset(carrier.turn, 0, sizeof carrier.turn);
    }
    add(c, carrier);
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
static void add_coordinates(LiaCarriers* c) {
    const LiaModel* m = c->scene->system->model;
    const LiaExpr *q = c->scene->system->q, zero = lia_graph_integer(c->scene->graph, 0);
    for (uint32_t i = 0; i < m->coordinates_count; i++) {
        const LiaCoordinate* x = &m->coordinates[i];
        if (x->group || x->manifold != LIA_LINE || x->name[0] != 'x') continue;
        int y = find_letter(m, 'y', x->name + 1), z = find_letter(m, 'z', x->name + 1);
        if (y < 0 && z < 0) continue;
        const LiaExpr at[3] = {q[i], y >= 0 ? q[y] : zero, z >= 0 ? q[z] : zero};
        add_point(c, NULL, at, false);
    }
    for (uint32_t i = 0; i < m->groups_count; i++) {
        if (m->groups[i].manifold == LIA_SPACE) add_point(c, NULL, q + m->groups[i].first, false);
    }
}

// Two or three numbers that are positions and change with a coordinate.
static bool is_place(const LiaModel* m, const LiaLet* let) {
    bool moves = false;
    if (let->cols != 1 || (let->rows != 2 && let->rows != 3)) return false;
    for (int i = 0; i < let->rows; i++) {
        uint16_t has = lia_model_depends(m, let->terms[i]);
        if (has & ~LIA_DEPENDS_PLACE) return false;
        moves = moves || (has & LIA_DEPENDS(POSITION));
    }
    return moves;
}

// Directions are no places: they keep the length 1.
static bool is_direction(const LiaCarriers* c, const LiaExpr* at) {
    double x[LIA_INSTANTS][3];
    if (!lia_scene_values(c->scene, at, 3, c->instants, c->instant_count, x[0])) return true;
    for (size_t k = 0; k < c->instant_count; k++) {
        if (!(fabs(hypot(hypot(x[k][0], x[k][1]), x[k][2]) - 1.0) <= LIA_CARRIER_SAME))
            return false;
    }
    return true;
}

static void add_lets(LiaCarriers* c) {
    const LiaModel* m = c->scene->system->model;
    for (uint32_t i = 0; i < m->lets_count; i++) {
        LiaExpr at[3] = {{0}, {0}, lia_graph_integer(c->scene->graph, 0)};
        if (!is_place(m, &m->lets[i])) continue;
        if (!lia_scene_resolve(c->scene, m->lets[i].terms, at, (uint32_t)m->lets[i].rows)) continue;
        if (!is_direction(c, at)) add_point(c, m->lets[i].name, at, false);
    }
}

// --- arms that are not drawn

static bool turns_at_one(const LiaCarriers* c, uint32_t carrier, uint32_t i) {
    for (size_t k = 0; k < c->instant_count; k++) {
        const double* w = lia_carriers_twists_instant(c, carrier, k) + 6 + 6 * (size_t)i;
        if (!(fabs(hypot(hypot(w[0], w[1]), w[2]) - 1.0) <= LIA_CARRIER_SAME)) return false;
    }
    return c->turns[carrier];
}

// A point that an angle alone turns at the rate 1 goes round the pivot P + d2P/da2.
static bool arm_of(LiaCarriers* c, uint32_t point, uint32_t angle, LiaCarrier* arm) {
    const LiaExpr *at = c->scene->carriers[point - 1].at, a = c->scene->system->q[angle];
    LiaGraph* g = c->scene->graph;
    bool moves = false;
    *arm = (LiaCarrier){.drawn = false};
    for (int k = 0; k < 3; k++) {
        LiaExpr bend = lia_diff(g, lia_diff(g, at[k], a), a);
        moves = moves || !lia_graph_is_zero(g, bend);
        arm->at[k] = lia_graph_add(g, at[k], bend);
        arm->to[k] = at[k];
    }
    return moves;
}

static bool stays(const LiaCarriers* c, const LiaCarrier* arm, uint32_t angle) {
    double x[LIA_INSTANTS][3];
    LiaExpr slopes[3];
    for (int k = 0; k < 3; k++) {
        slopes[k] = lia_diff(c->scene->graph, arm->at[k], c->scene->system->q[angle]);
    }
    if (!lia_scene_values(c->scene, slopes, 3, c->instants, c->instant_count, x[0])) return false;
    for (size_t k = 0; k < c->instant_count; k++) {
        for (int j = 0; j < 3; j++) {
            if (!(fabs(x[k][j]) * c->scale[angle] <= LIA_CARRIER_SAME)) return false;
        }
    }
    return true;
}

// Angles that turn nothing that is drawn: the arm from the pivot to the point that moves with the
// fewest others.
static void add_arms(LiaCarriers* c) {
    const LiaModel* m = c->scene->system->model;
    for (uint32_t i = 0; i < c->n; i++) {
        bool turned = m->coordinates[i].manifold != LIA_CIRCLE;
        uint32_t best = 0, fewest = UINT32_MAX;
        for (uint32_t p = 1; p <= c->scene->carrier_count && !turned; p++) {
            uint32_t others = 0;
            turned = turns_at_one(c, p, i);
            if (turned || c->turns[p] || !lia_carriers_move(c, p, i)) continue;
            for (uint32_t k = 0; k < c->n; k++) others += lia_carriers_move(c, p, k);
            if (others < fewest) fewest = others, best = p;
        }
        LiaCarrier arm;
        if (turned || !best || !arm_of(c, best, i, &arm) || !stays(c, &arm, i)) continue;
        add_point(c, NULL, arm.at, false);
        add(c, arm);
    }
}

static void find_reach(LiaCarriers* c) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    c->reach = 0.0;
    for (uint32_t i = 1; i <= c->scene->carrier_count; i++) {
        for (size_t k = 0; k < c->instant_count; k++) {
            const double* at = lia_carriers_twists_instant(c, i, k);
            for (int j = 0; j < 3; j++) {
                low[j] = fmin(low[j], at[j]);
                high[j] = fmax(high[j], at[j]);
                c->reach = fmax(c->reach, high[j] - low[j]);
            }
        }
    }
    if (!(c->reach > 0.0)) c->reach = 1.0;
    for (uint32_t i = 0; i < c->n; i++) {
        double most = 0.0;
        for (uint32_t j = 1; j <= c->scene->carrier_count; j++) {
            for (size_t k = 0; k < c->instant_count; k++) {
                const double* twist = lia_carriers_twists_instant(c, j, k) + 3 + 6 * (size_t)i;
                for (int u = 0; u < 6; u++) {
                    most = fmax(most, fabs(twist[u]) * (u < 3 ? 1.0 : c->reach));
                }
            }
        }
        c->scale[i] = most > 0.0 ? 1.0 / most : 1.0;
    }
    for (uint32_t i = 1; i <= c->scene->carrier_count; i++) find_movers(c, i);
}

bool lia_carriers_find(LiaCarriers* c, LiaScene* scene) {
    const LiaModel* m = scene->system->model;
    *c = (LiaCarriers){.scene = scene, .n = scene->system->n};
    lia_instants_choose(c);
    scene->carriers = LIA_ARENA_NEW(scene->arena, LiaCarrier, LIA_CARRIERS_MOST);
    c->scale = LIA_ARENA_NEW(scene->arena, double, c->n + 1);
    c->twists[LIA_GROUND] =
        LIA_ARENA_NEW(scene->arena, double, c->instant_count* lia_carriers_twists_size(c) + 1);
    if (!scene->carriers || !c->scale || !c->twists[LIA_GROUND]) return false;
    for (uint32_t i = 0; i < scene->count; i++) add_item(c, &scene->items[i]);
    for (uint32_t i = 0; i < m->pictures.bodies_count; i++) add_body(c, &m->pictures.bodies[i]);
    add_lets(c);
    add_coordinates(c);
    find_reach(c);
    add_arms(c);
    find_reach(c);
    return !scene->failed && !scene->graph->failed;
}
