// Surfaces for pictures. See surface.h.
//
// What is seen of an open surface is round about the places where it is touched: a cylinder along the vertical, or
// what of it is within a box. A closed one is sought in larger and larger boxes until all of their sides are outside.
// SPDX-License-Identifier: MIT
#include "output/page/surface.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "output/page/packed.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    GRID = 30,
    BITS = 13,
    LOOKS = 60,
    PLACES_MOST = 600,
    SIDE = 9,
    TRIES = 7,
    ROUND = 48,
    HALF = 24,
    COORDINATES_MOST = 300,
};

typedef struct Frame {
    LiaExpr centre[3], attitude[9];  // of the shape; {0} attitude: does not turn
    bool turns;
} Frame;

typedef struct Function {
    LiaScene* scene;
    LiaValues values;
    LiaExpr formula[3];
    int count;
} Function;

typedef struct Region {
    double low[3], high[3];
    bool closed;
    int axis;                  // of the cylinder that cuts it; -1: none
    double middle[3], radius;  // of that cylinder
} Region;

// --- functions of a place ------------------------------------------------------------------------

static bool function_init(Function* f, LiaScene* scene, const LiaExpr* formulas, int count) {
    *f = (Function){.scene = scene, .count = count};
    memcpy(f->formula, formulas, (size_t)count * sizeof *formulas);
    return lia_evaluate_init(&f->values, scene->graph, formulas, (size_t)count);
}

static void function_at(Function* f, const double* u, double* out) {
    LiaSymbols at = {.parameters = f->scene->system->parameters, .w = u};
    lia_evaluate_run(&f->values, &at);
    for (int i = 0; i < f->count; i++) out[i] = lia_value(&f->values, f->formula[i]);
}

static double level_at(Function* f, double x, double y, double z) {
    const double u[3] = {x, y, z};
    double value = NAN;
    function_at(f, u, &value);
    return value;
}

// --- where it is touched -------------------------------------------------------------------------

typedef struct Places {
    double u[PLACES_MOST][3];  // in the axes of the shape
    size_t count;
} Places;

static void turn_back(const double* A, const double* centre, const double* P, double* u) {
    for (int i = 0; i < 3; i++) {
        u[i] = 0.0;
        for (int k = 0; k < 3; k++) u[i] += A[3 * k + i] * (P[k] - centre[k]);
    }
}

// Places of constraints along the motion, seen from the shape.
static void take_places(LiaScene* scene, const Frame* frame, const LiaExpr* at, Places* out) {
    LiaExpr wanted[15];
    double values[15 * LOOKS];
    size_t rows[LOOKS], looks = scene->rows < LOOKS ? scene->rows : LOOKS;
    memcpy(wanted, at, 3 * sizeof *at);
    memcpy(wanted + 3, frame->centre, sizeof frame->centre);
    for (int i = 0; i < 9; i++) {
        wanted[6 + i] =
            frame->turns ? frame->attitude[i] : lia_graph_integer(scene->graph, i % 4 == 0);
    }
    for (size_t k = 0; k < looks; k++)
        rows[k] = looks > 1 ? k * (scene->rows - 1) / (looks - 1) : 0;
    if (!lia_scene_values(scene, wanted, 15, rows, looks, values)) return;
    for (size_t k = 0; k < looks && out->count < PLACES_MOST; k++) {
        const double* x = values + 15 * k;
        double* u = out->u[out->count];
        turn_back(x + 6, x + 3, x, u);
        if (isfinite(u[0] + u[1] + u[2])) out->count++;
    }
}

static void take_all_places(LiaScene* scene, const Frame* frame, Places* out) {
    const LiaModel* m = scene->system->model;
    for (uint32_t i = 0; i < m->places_count; i++) {
        LiaExpr at[3];
        if (lia_scene_lower(scene, m->places[i].at, at, 3)) take_places(scene, frame, at, out);
    }
}

// Those on the surface: |f| against what f is around it.
static void keep_on(Function* f, Places* places) {
    double size = 0.0;
    size_t kept = 0;
    for (size_t i = 0; i < places->count; i++) {
        const double* u = places->u[i];
        double reach = 0.1 * (fabs(u[0]) + fabs(u[1]) + fabs(u[2]));
        for (int k = 0; k < 3; k++) {
            double v[3] = {u[0], u[1], u[2]};
            v[k] += reach;
            size = fmax(size, fabs(level_at(f, v[0], v[1], v[2])));
        }
    }
    for (size_t i = 0; i < places->count; i++) {
        const double* u = places->u[i];
        if (!(fabs(level_at(f, u[0], u[1], u[2])) <= LIA_SURFACE_ON * size)) continue;
        memmove(places->u[kept++], u, sizeof places->u[i]);
    }
    places->count = kept;
}

// --- how much of it is seen ----------------------------------------------------------------------

static bool is_outside(Function* f, const Region* r) {
    for (int face = 0; face < 6; face++) {
        int k = face / 2, a = (k + 1) % 3, b = (k + 2) % 3;
        for (int i = 0; i < SIDE * SIDE; i++) {
            double u[3];
            u[k] = face % 2 ? r->high[k] : r->low[k];
            u[a] = r->low[a] + (r->high[a] - r->low[a]) * (i % SIDE) / (SIDE - 1);
            u[b] = r->low[b] + (r->high[b] - r->low[b]) * (i / SIDE) / (SIDE - 1);
            if (!(level_at(f, u[0], u[1], u[2]) > 0.0)) return false;
        }
    }
    return true;
}

static Region region_of(Function* f, const Places* places, int vertical) {
    Region r = {.axis = vertical};
    double size = 0.0, far = 0.0;
    for (int k = 0; k < 3; k++) {
        r.low[k] = INFINITY, r.high[k] = -INFINITY;
        for (size_t i = 0; i < places->count; i++) {
            r.low[k] = fmin(r.low[k], places->u[i][k]);
            r.high[k] = fmax(r.high[k], places->u[i][k]);
            far = fmax(far, fabs(places->u[i][k]));
        }
        r.middle[k] = 0.5 * (r.low[k] + r.high[k]);
        size = fmax(size, r.high[k] - r.low[k]);
    }
    size = size > LIA_SURFACE_REGION * far ? size : far > 0.0 ? far : 1.0;
    Region box = r;
    double half = 0.08 * size;
    for (int i = 0; i < TRIES; i++, half *= 1.7) {
        for (int k = 0; k < 3; k++) box.low[k] = r.low[k] - half, box.high[k] = r.high[k] + half;
        if (!is_outside(f, &box)) continue;
        box.closed = true;
        box.axis = -1;
        return box;
    }
    for (size_t i = 0; i < places->count; i++) {
        int a = (vertical + 1) % 3, b = (vertical + 2) % 3;
        double away = vertical < 0
                          ? 0.0
                          : hypot(places->u[i][a] - r.middle[a], places->u[i][b] - r.middle[b]);
        r.radius = fmax(r.radius, away);
    }
    r.radius = 1.12 * r.radius + 0.12 * size;
    for (int k = 0; k < 3; k++) {
        bool across = vertical >= 0 && k != vertical;
        double low = across ? r.middle[k] - r.radius : r.low[k] - 0.2 * size;
        double high = across ? r.middle[k] + r.radius : r.high[k] + 0.12 * size;
        r.low[k] = low, r.high[k] = high;
    }
    return r;
}

// --- as JSON -------------------------------------------------------------------------------------

static void add_list(LiaText* out, const char* key, const double* x, int count) {
    lia_text_add(out, "\"%s\": [", key);
    for (int i = 0; i < count; i++) {
        lia_text_add(out, i > 0 ? ", " : "");
        lia_text_add_number(out, x[i]);
    }
    lia_text_add(out, "]");
}

static bool add_packed(LiaText* out, const char* key, const double* x, size_t count) {
    LiaPacked packed = {0};
    if (!lia_packed_make(&packed, x, count, 1, BITS)) return false;
    lia_text_add(out, ", \"%s\": {", key);
    lia_packed_describe(out, &packed);
    lia_text_add(out, ", \"data\": \"");
    lia_packed_base64(out, packed.bytes, packed.size);
    lia_text_add(out, "\"}");
    lia_packed_clear(&packed);
    return true;
}

static bool keep_text(LiaScene* scene, LiaSceneItem* item, LiaText* text) {
    char* kept = text->failed ? NULL : LIA_ARENA_NEW(scene->arena, char, text->length + 1);
    if (kept) memcpy(kept, text->data, text->length + 1);
    item->surface = kept;
    lia_text_clear(text);
    return kept != NULL;
}

// Far from the surface the numbers do not matter: they are cut where a cell with a change of sign has none beyond.
static void clamp(double* f, const int* n) {
    double most = 0.0;
    int stride[3] = {1, n[0], n[0] * n[1]};
    for (int i = 0; i < n[0] * n[1] * n[2]; i++) {
        int at[3] = {i % n[0], i / n[0] % n[1], i / (n[0] * n[1])};
        for (int k = 0; k < 3; k++) {
            if (at[k] + 1 >= n[k]) continue;
            double a = f[i], b = f[i + stride[k]];
            if ((a < 0.0) != (b < 0.0)) most = fmax(most, fmax(fabs(a), fabs(b)));
        }
    }
    for (int i = 0; most > 0.0 && i < n[0] * n[1] * n[2]; i++) {
        if (isfinite(f[i])) f[i] = fmin(fmax(f[i], -2.0 * most), 2.0 * most);
    }
}

static bool add_grid(Function* f, const Region* r, LiaSceneItem* item) {
    int n[3];
    double longest = 0.0;
    for (int k = 0; k < 3; k++) longest = fmax(longest, r->high[k] - r->low[k]);
    for (int k = 0; k < 3; k++) {
        int cells = (int)ceil(GRID * (r->high[k] - r->low[k]) / longest);
        n[k] = 1 + (cells < 10 ? 10 : cells);
    }
    size_t count = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    double* values = lia_memory_take(count * sizeof *values);
    if (!values) return false;
    for (size_t i = 0; i < count; i++) {
        size_t at[3] = {i % (size_t)n[0], i / (size_t)n[0] % (size_t)n[1],
                        i / (size_t)(n[0] * n[1])};
        double u[3];
        for (int k = 0; k < 3; k++) {
            u[k] = r->low[k] + (r->high[k] - r->low[k]) * (double)at[k] / (n[k] - 1);
        }
        values[i] = level_at(f, u[0], u[1], u[2]);
    }
    clamp(values, n);
    LiaText text = {0};
    lia_text_add(&text, "{\"nodes\": [%d, %d, %d], ", n[0], n[1], n[2]);
    add_list(&text, "low", r->low, 3);
    lia_text_add(&text, ", ");
    add_list(&text, "high", r->high, 3);
    if (r->axis >= 0) {
        lia_text_add(&text, ", \"axis\": %d, \"radius\": ", r->axis);
        lia_text_add_number(&text, r->radius);
        lia_text_add(&text, ", ");
        add_list(&text, "middle", r->middle, 3);
    }
    bool good = add_packed(&text, "f", values, count);
    lia_text_add(&text, "}");
    free(values);
    if (good) return keep_text(f->scene, item, &text);
    lia_text_clear(&text);
    return false;
}

// Points of a convex surface over its normals: round about the axis, from one pole to the other.
static bool add_points(Function* f, LiaSceneItem* item) {
    enum { COUNT = (ROUND + 1) * (HALF + 1) };
    double points[3][COUNT], most = 0.0;
    for (int i = 0; i < COUNT; i++) {
        double turn = 2.0 * 3.14159265358979323846 * (i % (ROUND + 1)) / ROUND;
        double down = 3.14159265358979323846 * (i / (ROUND + 1)) / HALF;
        // where a support function is not smooth at the poles, a little beside them
        down = fmin(fmax(down, LIA_SURFACE_POLE), 3.14159265358979323846 - LIA_SURFACE_POLE);
        const double d[3] = {cos(turn) * sin(down), sin(turn) * sin(down), cos(down)};
        double p[3];
        function_at(f, d, p);
        for (int k = 0; k < 3; k++) {
            points[k][i] = p[k];
            most = fmax(most, fabs(p[k]));
        }
    }
    LiaText text = {0};
    lia_text_add(&text, "{\"round\": %d, \"half\": %d, \"reach\": ", ROUND, HALF);
    lia_text_add_number(&text, most);
    bool good = add_packed(&text, "x", points[0], COUNT) &&
                add_packed(&text, "y", points[1], COUNT) &&
                add_packed(&text, "z", points[2], COUNT);
    lia_text_add(&text, "}");
    if (good) return keep_text(f->scene, item, &text);
    lia_text_clear(&text);
    return false;
}

// --- shapes of joints ----------------------------------------------------------------------------

static bool frame_of(LiaScene* scene, const LiaShape* shape, Frame* frame) {
    frame->turns =
        shape->attitude[0] && lia_scene_lower(scene, shape->attitude, frame->attitude, 9);
    if (frame->turns && !shape->body) {  // ground: turned once and for all, or not at all
        double A[9];
        size_t first = 0;
        bool turned = false;
        if (!lia_scene_values(scene, frame->attitude, 9, &first, 1, A)) return false;
        for (int i = 0; i < 9; i++)
            turned = turned || fabs(A[i] - (i % 4 == 0)) > LIA_SURFACE_TURNED;
        frame->turns = turned;
    }
    return lia_scene_lower(scene, shape->centre, frame->centre, 3);
}

// Is it the plane of a body that somebody moves, in a model that draws? Then it draws that too.
static bool is_plate(const LiaScene* scene, const LiaShape* shape) {
    const LiaModel* m = scene->system->model;
    for (uint32_t i = 0; !scene->guessed && shape->body && i < m->bodies_count; i++) {
        if (strcmp(m->bodies[i].name, shape->body) == 0) return m->bodies[i].mass == 0;
    }
    return false;
}

static LiaSceneItem item_of(LiaScene* scene, const LiaShape* shape, const Frame* frame,
                            const char* kind) {
    LiaSceneItem item = {.kind = kind, .name = shape->body};
    memcpy(item.at, frame->centre, sizeof item.at);
    if (frame->turns) memcpy(item.turn, frame->attitude, sizeof item.turn);
    item.driven =
        lia_scene_is_driven(scene, item.at, 3) || lia_scene_is_driven(scene, item.turn, 9);
    item.open = shape->hollow || !shape->body;
    return item;
}

// The axis along which gravity acts, for shapes that do not turn.
static int vertical_of(const LiaModel* m) {
    int k = 2;
    for (int i = 0; i < 3; i++) k = fabs(m->gravity[i]) > fabs(m->gravity[k]) ? i : k;
    return k;
}

static void add_level(LiaScene* scene, const LiaShape* shape, const Frame* frame) {
    Function f;
    LiaExpr formula;
    Places* places = lia_memory_zeros(1, sizeof *places);
    if (!lia_scene_lower(scene, shape->function, &formula, 1) || !places) {
        scene->failed = scene->failed || !places;
        free(places);
        return;
    }
    take_all_places(scene, frame, places);
    if (function_init(&f, scene, &formula, 1)) {
        keep_on(&f, places);
        if (places->count > 0) {
            LiaSceneItem item = item_of(scene, shape, frame, "surface");
            Region r = region_of(&f, places, frame->turns ? -1 : vertical_of(scene->system->model));
            item.open = item.open || !r.closed;
            if (add_grid(&f, &r, &item)) *lia_scene_add(scene, item.kind, item.name) = item;
        }
        lia_evaluate_clear(&f.values);
    }
    free(places);
}

static void add_support(LiaScene* scene, const LiaShape* shape, const Frame* frame) {
    Function f;
    LiaExpr formula[3];
    if (!lia_scene_lower(scene, shape->function, formula, 3)) return;
    if (!function_init(&f, scene, formula, 3)) return;
    LiaSceneItem item = item_of(scene, shape, frame, "surface");
    item.trail = shape->body != NULL;
    if (add_points(&f, &item)) *lia_scene_add(scene, item.kind, item.name) = item;
    lia_evaluate_clear(&f.values);
}

// attitude (or 1) with z turned into the axis n of the shape.
static void turn_axis(LiaScene* scene, const Frame* frame, const double* n, LiaSceneItem* item) {
    double V[3][3];
    lia_scene_axis_to(n, V);
    for (int i = 0; i < 9; i++) {
        LiaExpr sum = lia_graph_real(scene->graph, V[i / 3][i % 3]);
        if (frame->turns) {
            sum = lia_graph_integer(scene->graph, 0);
            for (int k = 0; k < 3; k++) {
                LiaExpr part = lia_graph_real(scene->graph, V[k][i % 3]);
                part = lia_graph_mul(scene->graph, frame->attitude[3 * (i / 3) + k], part);
                sum = lia_graph_add(scene->graph, sum, part);
            }
        }
        item->turn[i] = sum;
    }
}

// Move a plane to the middle of where it is touched, and make it as large; one that turns stays where its axis is.
static void cover(LiaScene* scene, const Frame* frame, const double* n, const Places* places,
                  LiaSceneItem* item) {
    double low[3] = {0}, high[3] = {0}, middle[3], reach = 0.0;
    size_t on = 0;
    for (size_t i = 0; i < places->count; i++) {
        const double* u = places->u[i];
        double z = u[0] * n[0] + u[1] * n[1] + u[2] * n[2];
        if (fabs(z) > LIA_SURFACE_ON * (1.0 + fabs(u[0]) + fabs(u[1]) + fabs(u[2]))) continue;
        for (int k = 0; k < 3; k++) {
            low[k] = on ? fmin(low[k], u[k]) : u[k];
            high[k] = on ? fmax(high[k], u[k]) : u[k];
        }
        on++;
    }
    const uint32_t* list = NULL;
    unsigned bits = LIA_DEPENDS(POSITION) | LIA_DEPENDS(TIME);
    bool turning =
        frame->turns && lia_graph_below(scene->graph, frame->attitude, 9, bits, &list) > 0;
    for (int k = 0; k < 3; k++) {
        middle[k] = on && !turning ? 0.5 * (low[k] + high[k]) : 0.0;
        double far = fmax(high[k] - middle[k], middle[k] - low[k]);
        reach = on ? hypot(reach, far) : 1.0;
    }
    for (int k = 0; k < 3; k++) {
        LiaExpr x = lia_graph_real(scene->graph, middle[k]);
        for (int i = 0; i < 3; i++) {
            LiaExpr part = frame->turns ? lia_graph_mul(scene->graph, frame->attitude[3 * i + k], x)
                           : i == k     ? x
                                        : lia_graph_integer(scene->graph, 0);
            item->at[i] = lia_graph_add(scene->graph, item->at[i], part);
        }
    }
    item->size[0] = lia_graph_real(scene->graph, reach > 0.0 ? 1.3 * reach : 1.0);
}

// A plane or a cone, as far as it is touched.
static void add_open(LiaScene* scene, const LiaShape* shape, const Frame* frame) {
    LiaExpr axis[3], angle;
    double n[3];
    size_t first = 0;
    bool cone = strcmp(shape->word, "cone") == 0;
    bool known = lia_scene_lower(scene, shape->axis, axis, 3) &&
                 lia_scene_values(scene, axis, 3, &first, 1, n);
    if (!known || (cone && !lia_scene_lower(scene, shape->size, &angle, 1))) return;
    // the floor that is there anyway
    if (!cone && is_plate(scene, shape)) return;
    if (!cone && !shape->body &&
        fabs(n[vertical_of(scene->system->model)]) > 1.0 - LIA_SURFACE_FLOOR)
        return;
    Places* places = lia_memory_zeros(1, sizeof *places);
    if (!places) {
        scene->failed = true;
        return;
    }
    take_all_places(scene, frame, places);
    LiaSceneItem item = item_of(scene, shape, frame, shape->word);
    turn_axis(scene, frame, n, &item);
    item.open = true;
    if (cone) {
        double along = 0.0;
        for (size_t i = 0; i < places->count; i++) {
            const double* u = places->u[i];
            along = fmax(along, fabs(u[0] * n[0] + u[1] * n[1] + u[2] * n[2]));
        }
        item.size[0] = angle;
        item.size[1] = lia_graph_real(scene->graph, along > 0.0 ? 1.15 * along : 1.0);
    } else {
        cover(scene, frame, n, places, &item);
    }
    *lia_scene_add(scene, item.kind, item.name) = item;
    free(places);
}

// --- constraints on a point ----------------------------------------------------------------------

// Which groups of coordinates a formula has: touched[g] is raised for each. True where it is of all three numbers of one place,
// *group, and of nothing else that changes.
static bool is_of_place(const LiaScene* scene, LiaExpr f, int* touched, uint32_t* group) {
    const LiaModel* m = scene->system->model;
    unsigned char* wanted = lia_memory_zeros(f.index + 1, 1);
    bool good = wanted != NULL, seen[3] = {false, false, false};
    *group = 0;
    if (wanted) wanted[f.index] = 1;
    for (uint32_t i = f.index; wanted && i > 0; i--) {
        if (!wanted[i]) continue;
        const LiaNode* node = &scene->graph->nodes[i];
        if (node->op == LIA_OP_SYMBOL) {
            uint32_t own =
                node->symbol_kind == LIA_SYMBOL_POSITION ? m->coordinates[node->a].group : 0;
            if (own) touched[own - 1]++;
            good = good &&
                   (own ? *group == 0 || *group == own : node->symbol_kind == LIA_SYMBOL_PARAMETER);
            if (own) *group = own;
            if (own && good && node->a - m->groups[own - 1].first < 3) {
                seen[node->a - m->groups[own - 1].first] = true;
            }
            continue;
        }
        const uint32_t args[3] = {node->a, node->b, node->c};
        for (int k = 0; k < lia_op_arity((LiaOp)node->op); k++) wanted[args[k]] = 1;
    }
    free(wanted);
    return good && seen[0] && seen[1] && seen[2] && m->groups[*group - 1].manifold == LIA_SPACE;
}

// The residual of a row with the place of a point as argument.
static LiaExpr residual(LiaScene* scene, const LiaRow* row, uint32_t first) {
    const LiaSystem* s = scene->system;
    LiaExpr* by = lia_memory_zeros(s->n + 1, sizeof *by);
    if (!by) return (LiaExpr){0};
    for (uint32_t k = 0; k < 3; k++) {
        by[first + k] = lia_graph_symbol(scene->graph, LIA_SYMBOL_DISPLACEMENT, k);
    }
    LiaExpr f = lia_diff_substitute(scene->graph, row->equation, LIA_SYMBOL_POSITION, by, s->n);
    free(by);
    return f;
}

static void add_point_surface(LiaScene* scene, const LiaRow* row, uint32_t first) {
    Frame frame = {.turns = false};
    LiaExpr formula = residual(scene, row, first);
    Function f;
    Places* places = lia_memory_zeros(1, sizeof *places);
    for (int k = 0; k < 3; k++) frame.centre[k] = lia_graph_integer(scene->graph, 0);
    if (places && formula.index && function_init(&f, scene, &formula, 1)) {
        take_places(scene, &frame, scene->system->q + first, places);
        if (places->count > 0) {
            LiaSceneItem item = {.kind = "surface",
                                 .name = scene->system->model->constraints[row->constraint].name,
                                 .open = true};
            memcpy(item.at, frame.centre, sizeof item.at);
            Region r = region_of(&f, places, vertical_of(scene->system->model));
            if (!r.closed) {  // the sign is the constraint's own: outside may be below zero
                formula = lia_graph_neg(scene->graph, formula);
                lia_evaluate_clear(&f.values);
                if (function_init(&f, scene, &formula, 1)) {
                    r = region_of(&f, places, vertical_of(scene->system->model));
                }
            }
            if (add_grid(&f, &r, &item)) *lia_scene_add(scene, item.kind, item.name) = item;
        }
        lia_evaluate_clear(&f.values);
    }
    free(places);
}

// A place that one equation keeps on a surface, and that no other knows of: two would keep it on a curve, and a rod to
// another place is no surface.
static void add_constraints(LiaScene* scene) {
    const LiaSystem* s = scene->system;
    const LiaModel* m = s->model;
    if (s->n > COORDINATES_MOST || m->groups_count == 0) return;
    int* touched = lia_memory_zeros(2 * (size_t)m->groups_count, sizeof *touched);
    const LiaRow** only = lia_memory_zeros(m->groups_count, sizeof *only);
    if (!touched || !only) scene->failed = true;
    int* here = touched ? touched + m->groups_count : NULL;
    for (uint32_t r = 0; touched && only && r < s->row_count; r++) {
        const LiaRow* row = &s->rows[r];
        const LiaConstraint* c = &m->constraints[row->constraint];
        uint32_t group;
        if (!row->geometric || row->identical || c->internal) continue;
        memset(here, 0, m->groups_count * sizeof *here);
        bool of_place = is_of_place(scene, row->equation, here, &group);
        for (uint32_t g = 0; g < m->groups_count; g++) touched[g] += here[g] > 0;
        if (of_place && !c->active && !c->gap) only[group - 1] = row;
    }
    for (uint32_t g = 0; touched && only && g < m->groups_count; g++) {
        if (touched[g] == 1 && only[g]) add_point_surface(scene, only[g], m->groups[g].first);
    }
    free(touched);
    free(only);
}

void lia_surface_add(LiaScene* scene) {
    const LiaModel* m = scene->system->model;
    if (scene->rows == 0) return;
    for (uint32_t i = 0; i < m->shapes_count; i++) {
        const LiaShape* shape = &m->shapes[i];
        Frame frame;
        if (!frame_of(scene, shape, &frame)) continue;
        bool seen = scene->guessed || !shape->body;  // what a body looks like `draw` has said
        if (strcmp(shape->word, "surface") == 0 && seen) add_level(scene, shape, &frame);
        if (strcmp(shape->word, "support") == 0 && seen) add_support(scene, shape, &frame);
        if (strcmp(shape->word, "plane") == 0 || strcmp(shape->word, "cone") == 0) {
            if (seen) add_open(scene, shape, &frame);
        }
    }
    add_constraints(scene);
}
