// Candidates for symmetries. See candidates.h.
// SPDX-License-Identifier: MIT
#include "geometry/symmetry/candidates.h"
#include "base/numeric/thresholds.h"
#include "geometry/free_state.h"
#include "geometry/symmetry/lifts.h"
#include <math.h>
#include <string.h>

enum { PLACES = 6 };

typedef struct List {
    LiaGeometry* y;
    LiaArena* arena;
    LiaCandidates* out;
    size_t n, length;     // coordinates; numbers of one generator at all places
    double *q, *v, t;     // places                                       (PLACES x n), (n)
    const double* start;  // around it                                    (n)
    double* basis;        // orthonormal, of what was taken               (MOST x length)
    double* row;          // one generator                                (length)
    LiaExpr *next, zero;  // the generator that is being made             (n)
    LiaText name;
} List;

// --- one generator -----------------------------------------------------------------------------

static void begin(List* k) {
    for (size_t i = 0; i < k->n; i++) k->next[i] = k->zero;
    lia_text_clear(&k->name);
}

// The numbers of the generator at all places, of length 1; false where it is zero or has no value.
static bool numbers_of(List* k) {
    LiaValues values;
    double size = 0.0;
    if (!lia_evaluate_init(&values, k->y->graph, k->next, k->n)) return false;
    for (size_t place = 0; place < PLACES; place++) {
        LiaSymbols at = {.t = k->t + (double)place,
                         .parameters = k->y->system->parameters,
                         .q = k->q + place * k->n};
        lia_evaluate_run(&values, &at);
        for (size_t i = 0; i < k->n; i++) {
            double x = lia_value(&values, k->next[i]);
            k->row[place * k->n + i] = isfinite(x) ? x : 0.0;
            size = hypot(size, isfinite(x) ? x : 0.0);
        }
    }
    lia_evaluate_clear(&values);
    for (size_t e = 0; size > 0.0 && e < k->length; e++) k->row[e] /= size;
    return size > 0.0;
}

// What is left of it besides those that were taken; twice, for the sake of rounding.
static double take_away(List* k) {
    double left = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t b = 0; b < k->out->count; b++) {
            const double* base = k->basis + b * k->length;
            double dot = 0.0;
            for (size_t e = 0; e < k->length; e++) dot += base[e] * k->row[e];
            for (size_t e = 0; e < k->length; e++) k->row[e] -= dot * base[e];
        }
    }
    for (size_t e = 0; e < k->length; e++) left = hypot(left, k->row[e]);
    return left;
}

// Take the generator that was made, unless it follows from others.
static bool take(List* k) {
    LiaCandidates* out = k->out;
    if (k->name.failed || k->y->graph->failed) return false;
    if (!lia_lifts_feet(k->y, k->t, k->start, k->next)) return false;
    if (!numbers_of(k)) return true;
    double left = take_away(k);
    if (!(left > LIA_SPAN_CUT)) return true;
    if (out->count == LIA_CANDIDATES_MOST) {
        out->more = true;
        return true;
    }
    double* base = k->basis + out->count * k->length;
    for (size_t e = 0; e < k->length; e++) base[e] = k->row[e] / left;
    memcpy(out->xi + out->count * k->n, k->next, k->n * sizeof *k->next);
    out->name[out->count] =
        lia_arena_text(k->arena, k->name.data ? k->name.data : "", k->name.length);
    return out->name[out->count++] != NULL;
}

// --- what moves --------------------------------------------------------------------------------

static const char* const axes[3] = {"[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"};

// u' = e x u.
static void turn_vector(List* k, const LiaGroup* group, int axis) {
    const LiaExpr* q = k->y->system->q + group->first;
    int j = (axis + 1) % 3, l = (axis + 2) % 3;
    k->next[group->first + (uint32_t)l] = q[j];
    k->next[group->first + (uint32_t)j] = lia_graph_neg(k->y->graph, q[l]);
}

// q' = (0, e) q/2, or q (0, e)/2 about an axis of the body.
static void turn_attitude(List* k, const LiaGroup* group, int axis, bool in_body) {
    LiaGraph* g = k->y->graph;
    const LiaExpr* q = k->y->system->q + group->first;
    LiaExpr* to = k->next + group->first;
    LiaExpr half = lia_graph_rational(g, 1, 2), less = lia_graph_rational(g, -1, 2);
    int i = axis + 1, j = (axis + 1) % 3 + 1, l = (axis + 2) % 3 + 1;
    to[0] = lia_graph_mul(g, less, q[i]);
    to[i] = lia_graph_mul(g, half, q[0]);
    to[l] = lia_graph_mul(g, in_body ? less : half, q[j]);
    to[j] = lia_graph_mul(g, in_body ? half : less, q[l]);
}

static bool shift_coordinates(List* k) {
    const LiaModel* model = k->y->system->model;
    for (uint32_t i = 0; i < k->n; i++) {
        const LiaCoordinate* c = &model->coordinates[i];
        if (c->group || c->inner) continue;
        begin(k);
        k->next[i] = lia_graph_integer(k->y->graph, 1);
        lia_text_add(&k->name, "%s' = 1", c->name);
        if (!take(k)) return false;
    }
    return true;
}

static bool turn_lines(List* k) {
    const LiaSystem* s = k->y->system;
    uint32_t line[LIA_CANDIDATES_LINES], count = 0;
    for (uint32_t i = 0; i < k->n && count <= LIA_CANDIDATES_LINES; i++) {
        const LiaCoordinate* c = &s->model->coordinates[i];
        if (c->group || c->inner || c->manifold != LIA_LINE) continue;
        if (count < LIA_CANDIDATES_LINES) line[count] = i;
        count++;
    }
    if (count > LIA_CANDIDATES_LINES) return true;  // too many pairs
    for (uint32_t a = 0; a < count; a++) {
        for (uint32_t b = a + 1; b < count; b++) {
            uint32_t i = line[a], j = line[b];
            const char *x = s->model->coordinates[i].name, *y = s->model->coordinates[j].name;
            begin(k);
            k->next[i] = lia_graph_neg(k->y->graph, s->q[j]);
            k->next[j] = s->q[i];
            lia_text_add(&k->name, "%s' = -%s, %s' = %s", x, y, y, x);
            if (!take(k)) return false;
        }
    }
    return true;
}

static bool move_group(List* k, const LiaGroup* group) {
    for (int axis = 0; axis < 3 && group->manifold == LIA_SPACE; axis++) {
        begin(k);
        k->next[group->first + (uint32_t)axis] = lia_graph_integer(k->y->graph, 1);
        lia_text_add(&k->name, "%s' = %s", group->name, axes[axis]);
        if (!take(k)) return false;
    }
    for (int axis = 0; axis < 3 && group->manifold != LIA_ROTATION; axis++) {
        begin(k);
        turn_vector(k, group, axis);
        lia_text_add(&k->name, "%s' = cross(%s, %s)", group->name, axes[axis], group->name);
        if (!take(k)) return false;
    }
    for (int axis = 0; axis < 6 && group->manifold == LIA_ROTATION; axis++) {
        begin(k);
        turn_attitude(k, group, axis % 3, axis >= 3);
        lia_text_add(&k->name, "%s(%s) = %s", axis < 3 ? "omega" : "Omega", group->name,
                     axes[axis % 3]);
        if (!take(k)) return false;
    }
    return true;
}

// Bodies whose attitude is written with three coordinates.
static bool turn_bodies(List* k) {
    const LiaModel* model = k->y->system->model;
    for (uint32_t b = 0; b < model->pictures.bodies_count; b++) {
        for (int axis = 0; axis < 6; axis++) {
            bool found;
            begin(k);
            if (!lia_lifts_turn(k->y, b, axis % 3, axis >= 3, k->next, &found)) return false;
            if (!found) break;
            lia_text_add(&k->name, "%s(%s.attitude) = %s", axis < 3 ? "omega" : "Omega",
                         model->pictures.bodies[b].name, axes[axis % 3]);
            if (!take(k)) return false;
        }
    }
    return true;
}

// Bodies turned about their centre of mass, where coordinates of its place are of another point.
static bool turn_about_centres(List* k) {
    const LiaModel* model = k->y->system->model;
    LiaSymbols at = {.t = k->t, .parameters = k->y->system->parameters, .q = k->start};
    for (uint32_t b = 0; b < model->pictures.bodies_count; b++) {
        uint32_t rotation = lia_lifts_rotation(k->y, b);
        for (int axis = 0; axis < 6; axis++) {
            bool found = rotation != UINT32_MAX, in_body = axis >= 3;
            begin(k);
            if (found) turn_attitude(k, &model->groups[rotation], axis % 3, in_body);
            if (!found && !lia_lifts_turn(k->y, b, axis % 3, in_body, k->next, &found))
                return false;
            if (found && !lia_lifts_move_place(k->y, at, b, -1, k->next, &found)) return false;
            if (!found) continue;
            const char* name = model->pictures.bodies[b].name;
            lia_text_add(&k->name, "%s(%s.attitude) = %s, %s.position' = 0",
                         in_body ? "Omega" : "omega", name, axes[axis % 3], name);
            if (!take(k)) return false;
        }
    }
    return true;
}

// Bodies shifted, where their places are not coordinates.
static bool shift_bodies(List* k) {
    const LiaModel* model = k->y->system->model;
    LiaSymbols at = {.t = k->t, .parameters = k->y->system->parameters, .q = k->start};
    for (uint32_t b = 0; b < model->pictures.bodies_count; b++) {
        for (int axis = 0; axis < 3; axis++) {
            bool found;
            begin(k);
            if (!lia_lifts_move_place(k->y, at, b, axis, k->next, &found)) return false;
            if (!found) continue;
            lia_text_add(&k->name, "%s.position' = %s", model->pictures.bodies[b].name, axes[axis]);
            if (!take(k)) return false;
        }
    }
    return true;
}

// Generators of each part by itself: if all of them are there, those of the whole follow from them.
static bool parts_fit(const List* k) {
    const LiaModel* model = k->y->system->model;
    uint32_t count = k->out->count;
    for (uint32_t i = 0; i < k->n; i++) {
        count += !model->coordinates[i].group && !model->coordinates[i].inner;
    }
    for (uint32_t c = 0; c < model->groups_count; c++) {
        count += model->groups[c].manifold == LIA_SPHERE ? 3 : 6;
    }
    return count <= LIA_CANDIDATES_MOST;
}

// All places shifted; all places, directions and attitudes turned about an axis through the origin.
static bool move_whole(List* k) {
    const LiaModel* model = k->y->system->model;
    uint32_t places = 0;
    for (uint32_t c = 0; c < model->groups_count; c++)
        places += model->groups[c].manifold == LIA_SPACE;
    for (int move = 0; move < 6; move++) {
        bool turns = move >= 3;
        int axis = move % 3;
        if ((turns ? model->groups_count : places) < 2) continue;
        begin(k);
        for (uint32_t c = 0; c < model->groups_count; c++) {
            const LiaGroup* group = &model->groups[c];
            if (!turns && group->manifold == LIA_SPACE)
                k->next[group->first + (uint32_t)axis] = lia_graph_integer(k->y->graph, 1);
            if (turns && group->manifold == LIA_ROTATION) turn_attitude(k, group, axis, false);
            if (turns && group->manifold != LIA_ROTATION) turn_vector(k, group, axis);
        }
        lia_text_add(&k->name, turns ? "all turned about %c" : "all shifted along %c", "xyz"[axis]);
        if (!take(k)) return false;
    }
    return true;
}

static bool take_turns(List* k, const LiaTurns* turns) {
    for (uint32_t i = 0; i < turns->count; i++) {
        begin(k);
        memcpy(k->next, turns->xi + i * k->n, k->n * sizeof *k->next);
        lia_text_add(&k->name, "%s", turns->name[i]);
        if (!take(k)) return false;
    }
    return true;
}

// --- all of them -------------------------------------------------------------------------------

static bool take_declared(List* k) {
    const LiaModel* model = k->y->system->model;
    for (uint32_t s = 0; s < model->symmetries_count; s++) {
        begin(k);
        if (!lia_geometry_generator(k->y, s, k->next)) return false;
        lia_text_add(&k->name, "%s", model->symmetries[s].name);
        if (!take(k)) return false;
    }
    k->out->declared = k->out->count;
    return true;
}

static bool list_room(List* k) {
    size_t most = LIA_CANDIDATES_MOST;
    k->length = PLACES * k->n;
    k->q = LIA_ARENA_NEW(k->arena, double, k->length + 1);
    k->v = LIA_ARENA_NEW(k->arena, double, k->n + 1);
    k->row = LIA_ARENA_NEW(k->arena, double, k->length + 1);
    k->basis = LIA_ARENA_NEW(k->arena, double, most * k->length + 1);
    k->next = LIA_ARENA_NEW(k->arena, LiaExpr, k->n + 1);
    k->out->xi = LIA_ARENA_NEW(k->arena, LiaExpr, most * k->n + 1);
    k->out->name = LIA_ARENA_NEW(k->arena, const char*, most + 1);
    return k->q && k->v && k->row && k->basis && k->next && k->out->xi && k->out->name;
}

bool lia_candidates_make(LiaGeometry* y, LiaArena* arena, LiaAround around, const LiaTurns* turns,
                         LiaCandidates* out) {
    *out = (LiaCandidates){0};
    List k = {.y = y, .arena = arena, .out = out, .n = y->system->n, .t = around.t0};
    const double* q = k.start = around.q;
    k.zero = lia_graph_integer(y->graph, 0);
    if (!list_room(&k)) return false;
    for (uint32_t place = 0; place < PLACES; place++) {
        memcpy(k.q + place * k.n, q, k.n * sizeof *q);
        memcpy(k.v, around.v, k.n * sizeof *around.v);
        lia_free_state_make(y->system, place + 1, 1.0, k.q + place * k.n, k.v);
    }
    const LiaModel* model = y->system->model;
    bool ok = take_declared(&k) && (parts_fit(&k) || move_whole(&k)) && shift_coordinates(&k);
    for (uint32_t c = 0; ok && c < model->groups_count; c++) ok = move_group(&k, &model->groups[c]);
    ok = ok && turn_lines(&k) && turn_bodies(&k) && shift_bodies(&k) && turn_about_centres(&k) &&
         take_turns(&k, turns);
    lia_text_clear(&k.name);
    return ok;
}
