// Surfaces for pictures. See surface.h.
// SPDX-License-Identifier: MIT
#include "output/page/surface.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "output/page/surface_numbers.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    COORDINATES_MOST = 300,  // of a system whose constraints are looked at
    TRAVEL_INSTANTS = 32,    // samples at which the way of a plane is looked at
};

static const double BEYOND = 1.3;  // a plane reaches farther than what moves on it, by this factor

// --- shapes of joints ---------------------------------------------------------------------------

static bool frame_of(LiaScene* scene, const LiaShape* shape, LiaSurfaceFrame* frame) {
    frame->turns =
        shape->attitude[0].index && lia_scene_resolve(scene, shape->attitude, frame->attitude, 9);
    if (frame->turns && !shape->body) {  // ground: turned once and for all, or not at all
        double A[9];
        size_t first = 0;
        bool turned = false;
        if (!lia_scene_values(scene, frame->attitude, 9, &first, 1, A)) return false;
        for (int i = 0; i < 9; i++)
            turned = turned || fabs(A[i] - (i % 4 == 0)) > LIA_SURFACE_TURNED;
        frame->turns = turned;
    }
    return lia_scene_resolve(scene, shape->centre, frame->centre, 3);
}

// Is it of a body that somebody moves?
static bool is_outside(const LiaScene* scene, const LiaShape* shape) {
    const LiaModel* m = scene->system->model;
    for (uint32_t i = 0; shape->body && i < m->pictures.bodies_count; i++) {
        if (strcmp(m->pictures.bodies[i].name, shape->body) == 0)
            return m->pictures.bodies[i].mass.index == 0;
    }
    return false;
}

static bool depends(LiaScene* scene, const LiaExpr* formulas, size_t count) {
    const uint32_t* list = NULL;
    unsigned bits = LIA_DEPENDS(POSITION) | LIA_DEPENDS(TIME);
    return lia_below_roots(scene->graph, formulas, count, bits, &list) > 0;
}

static LiaSceneItem item_of(LiaScene* scene, const LiaShape* shape, const LiaSurfaceFrame* frame,
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
    for (int i = 0; i < 3; i++)
        k = fabs(m->pictures.gravity.value[i]) > fabs(m->pictures.gravity.value[k]) ? i : k;
    return k;
}

static void add_implicit(LiaScene* scene, const LiaShape* shape, const LiaSurfaceFrame* frame) {
    LiaSurfaceFunction f;
    LiaExpr formula;
    LiaSurfacePlaces* places = lia_memory_zeros(1, sizeof *places);
    if (!lia_scene_resolve(scene, shape->function, &formula, 1) || !places) {
        scene->failed = scene->failed || !places;
        free(places);
        return;
    }
    lia_surface_seen_take_all(scene, frame, places);
    if (lia_surface_seen_function(&f, scene, &formula, 1)) {
        lia_surface_seen_keep_on(&f, places);
        if (places->count > 0) {
            LiaSceneItem item = item_of(scene, shape, frame, "surface");
            LiaSurfaceRegion r = lia_surface_seen_region(
                &f, places, frame->turns ? -1 : vertical_of(scene->system->model));
            item.open = item.open || !r.closed;
            if (lia_surface_numbers_grid(&f, &r, &item))
                *lia_scene_add(scene, item.kind, item.name) = item;
        }
        lia_evaluate_clear(&f.values);
    }
    free(places);
}

static void add_support(LiaScene* scene, const LiaShape* shape, const LiaSurfaceFrame* frame) {
    LiaSurfaceFunction f;
    LiaExpr formula[3];
    if (!lia_scene_resolve(scene, shape->function, formula, 3)) return;
    if (!lia_surface_seen_function(&f, scene, formula, 3)) return;
    LiaSceneItem item = item_of(scene, shape, frame, "surface");
    item.trail = shape->body != NULL;
    if (lia_surface_numbers_points(&f, &item)) *lia_scene_add(scene, item.kind, item.name) = item;
    lia_evaluate_clear(&f.values);
}

// attitude (or 1) with z turned into the axis n of the shape.
static void turn_axis(LiaScene* scene, const LiaSurfaceFrame* frame, const double* n,
                      LiaSceneItem* item) {
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

// Move a plane to the middle of where it is touched, and make it as large; one that turns stays
// where its axis is.
static void cover(LiaScene* scene, const LiaSurfaceFrame* frame, const double* n,
                  const LiaSurfacePlaces* places, LiaSceneItem* item) {
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
    bool turning = frame->turns && depends(scene, frame->attitude, 9);
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
    item->size[0] = lia_graph_real(scene->graph, reach > 0.0 ? BEYOND * reach : 1.0);
}

// Does a plane without turning go farther than it is wide? Then what is on it leaves its picture.
static bool goes_away(LiaScene* scene, const LiaSurfaceFrame* frame, const LiaSceneItem* item) {
    double x[4 * TRAVEL_INSTANTS], low[3], high[3], way = 0.0;
    size_t rows[TRAVEL_INSTANTS];
    LiaExpr wanted[4] = {frame->centre[0], frame->centre[1], frame->centre[2], item->size[0]};
    if (frame->turns && depends(scene, frame->attitude, 9)) return false;
    for (size_t k = 0; k < TRAVEL_INSTANTS; k++)
        rows[k] = k * (scene->rows - 1) / (TRAVEL_INSTANTS - 1);
    if (!lia_scene_values(scene, wanted, 4, rows, TRAVEL_INSTANTS, x)) return false;
    for (size_t k = 0; k < 3; k++) {
        low[k] = high[k] = x[k];
        for (size_t i = 1; i < TRAVEL_INSTANTS; i++) {
            low[k] = fmin(low[k], x[4 * i + k]);
            high[k] = fmax(high[k], x[4 * i + k]);
        }
        way = hypot(way, high[k] - low[k]);
    }
    return way > 2.0 * x[3];
}

// A belt: its picture is as large as the motion and stays under it, `item->slide` says where its
// mark is.
static void cover_belt(LiaScene* scene, const LiaSurfaceFrame* frame, const double* n,
                       LiaSceneItem* item) {
    LiaGraph* g = scene->graph;
    LiaSurfaceFrame space = {.turns = false};
    double low[3], high[3], middle[3], N[3], A[9], reach = 0.0;
    size_t first = 0;
    if (frame->turns && !lia_scene_values(scene, frame->attitude, 9, &first, 1, A)) return;
    for (int k = 0; k < 3; k++) {
        const double* a = A + 3 * k;
        N[k] = frame->turns ? a[0] * n[0] + a[1] * n[1] + a[2] * n[2] : n[k];
        space.centre[k] = lia_graph_integer(g, 0);
    }
    LiaSurfacePlaces* places = lia_memory_zeros(1, sizeof *places);
    if (!places) scene->failed = true;
    if (places) lia_surface_seen_take_all(scene, &space, places);
    bool some = places && places->count > 0;
    for (size_t i = 0; some && i < places->count; i++) {
        for (int k = 0; k < 3; k++) {
            low[k] = i ? fmin(low[k], places->u[i][k]) : places->u[i][k];
            high[k] = i ? fmax(high[k], places->u[i][k]) : places->u[i][k];
        }
    }
    free(places);
    if (!some) return;
    LiaExpr along = lia_graph_integer(g, 0);
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5 * (low[k] + high[k]);
        reach = hypot(reach, 0.5 * (high[k] - low[k]));
        item->slide[k] = lia_graph_sub(g, frame->centre[k], lia_graph_real(g, middle[k]));
        LiaExpr part = lia_graph_mul(g, lia_graph_real(g, N[k]), item->slide[k]);
        along = lia_graph_add(g, along, part);
    }
    for (int k = 0; k < 3; k++) {  // with the plane along its normal
        LiaExpr part = lia_graph_mul(g, lia_graph_real(g, N[k]), along);
        item->at[k] = lia_graph_add(g, lia_graph_real(g, middle[k]), part);
        item->slide[k] = lia_graph_sub(g, item->slide[k], part);
    }
    item->size[0] = lia_graph_real(g, reach > 0.0 ? BEYOND * reach : 1.0);
}

// A plane or a cone, as far as it is touched.
static void add_open(LiaScene* scene, const LiaShape* shape, const LiaSurfaceFrame* frame) {
    LiaExpr axis[3], angle;
    double n[3];
    size_t first = 0;
    bool cone = strcmp(shape->word, "cone") == 0;
    bool known = lia_scene_resolve(scene, shape->axis, axis, 3) &&
                 lia_scene_values(scene, axis, 3, &first, 1, n);
    if (!known || (cone && !lia_scene_resolve(scene, shape->size, &angle, 1))) return;
    // the floor that is there anyway
    bool outside = is_outside(scene, shape);
    if (!cone && outside && !scene->guessed) return;  // such a model draws that too
    if (!cone && !shape->body &&
        fabs(n[vertical_of(scene->system->model)]) > 1.0 - LIA_SURFACE_FLOOR)
        return;
    LiaSurfacePlaces* places = lia_memory_zeros(1, sizeof *places);
    if (!places) {
        scene->failed = true;
        return;
    }
    lia_surface_seen_take_all(scene, frame, places);
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
        if (outside && goes_away(scene, frame, &item)) cover_belt(scene, frame, n, &item);
    }
    *lia_scene_add(scene, item.kind, item.name) = item;
    free(places);
}

// --- constraints on a point ---------------------------------------------------------------------

// Which groups of coordinates a formula has: touched[g] is raised for each. True where it is of all
// three numbers of one place, *group, and of nothing else that changes.
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
    LiaSurfaceFrame frame = {.turns = false};
    LiaExpr formula = residual(scene, row, first);
    LiaSurfaceFunction f;
    LiaSurfacePlaces* places = lia_memory_zeros(1, sizeof *places);
    for (int k = 0; k < 3; k++) frame.centre[k] = lia_graph_integer(scene->graph, 0);
    if (places && formula.index && lia_surface_seen_function(&f, scene, &formula, 1)) {
        lia_surface_seen_take(scene, &frame, scene->system->q + first, places);
        if (places->count > 0) {
            LiaSceneItem item = {.kind = "surface",
                                 .name = scene->system->model->constraints[row->constraint].name,
                                 .open = true};
            memcpy(item.at, frame.centre, sizeof item.at);
            LiaSurfaceRegion r =
                lia_surface_seen_region(&f, places, vertical_of(scene->system->model));
            if (!r.closed) {  // the sign is the constraint's own: outside may be below zero
                formula = lia_graph_neg(scene->graph, formula);
                lia_evaluate_clear(&f.values);
                if (lia_surface_seen_function(&f, scene, &formula, 1)) {
                    r = lia_surface_seen_region(&f, places, vertical_of(scene->system->model));
                }
            }
            if (lia_surface_numbers_grid(&f, &r, &item))
                *lia_scene_add(scene, item.kind, item.name) = item;
        }
        lia_evaluate_clear(&f.values);
    }
    free(places);
}

// A place that one equation keeps on a surface, and that no other knows of: two would keep it on a
// curve, and a rod to another place is no surface.
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
    for (uint32_t i = 0; i < m->pictures.shapes_count; i++) {
        const LiaShape* shape = &m->pictures.shapes[i];
        LiaSurfaceFrame frame;
        if (!frame_of(scene, shape, &frame)) continue;
        bool seen = scene->guessed || !shape->body;  // what a body looks like `draw` has said
        if (strcmp(shape->word, "surface") == 0 && seen) add_implicit(scene, shape, &frame);
        if (strcmp(shape->word, "support") == 0 && seen) add_support(scene, shape, &frame);
        if (strcmp(shape->word, "plane") == 0 || strcmp(shape->word, "cone") == 0) {
            if (seen) add_open(scene, shape, &frame);
        }
    }
    add_constraints(scene);
}
