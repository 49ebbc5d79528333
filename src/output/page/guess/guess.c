// Shapes for a model that draws nothing. See guess.h.
// SPDX-License-Identifier: MIT
#include "output/page/guess/guess.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAIRS_MOST = 40,  // points; of more only those next to each other in the list are looked at
    RODS_MOST = 3,    // of a point to earlier ones: as many hold it in space
    ROD_ROOM = 5 * LIA_GUESS_POINTS
};

double lia_guess_distance(const double* a, const double* b) {
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

// --- points

static bool is_same(const LiaGuess* guess, const LiaGuessPoint* a, const LiaGuessPoint* b) {
    static const double origin[3] = {0.0, 0.0, 0.0};
    double size = 0.0, apart = 0.0;
    for (size_t k = 0; k < guess->instant_count; k++) {
        size = fmax(size, lia_guess_distance(a->where[k], origin));
        apart = fmax(apart, lia_guess_distance(a->where[k], b->where[k]));
    }
    return apart <= LIA_GUESS_SAME * size + LIA_GUESS_NONE;
}

static bool find_where(LiaGuess* guess, LiaGuessPoint* point) {
    double x[3 * (LIA_GUESS_INSTANTS + 1)], moved = 0.0, size = 0.0;
    if (!lia_scene_values(guess->scene, point->at, 3, guess->instants, guess->instant_count, x)) {
        return false;
    }
    for (size_t k = 0; k < guess->instant_count; k++) {
        for (int i = 0; i < 3; i++) {
            point->where[k][i] = x[3 * k + (size_t)i];
            if (!isfinite(point->where[k][i])) return false;
            moved = fmax(moved, fabs(point->where[k][i] - point->where[0][i]));
            size = fmax(size, fabs(point->where[k][i]));
        }
    }
    point->still = moved <= LIA_GUESS_SAME * size + LIA_GUESS_NONE;
    return true;
}

LiaGuessPoint* lia_guess_point(LiaGuess* guess, const char* name, const LiaExpr* at) {
    if (guess->count == LIA_GUESS_POINTS) return NULL;
    LiaGuessPoint* point = &guess->points[guess->count];
    *point = (LiaGuessPoint){.name = name};
    memcpy(point->at, at, sizeof point->at);
    if (!find_where(guess, point)) return NULL;
    for (uint32_t i = 0; i < guess->count; i++) {
        LiaGuessPoint* old = &guess->points[i];
        if (!is_same(guess, old, point)) continue;
        if (!old->name) old->name = name;
        lia_guess_depends(guess, at, 3, guess->merged);
        return old;
    }
    guess->count++;
    return point;
}

void lia_guess_depends(LiaGuess* guess, const LiaExpr* formulas, size_t count, bool* seen) {
    const uint32_t* list = NULL;
    uint32_t found = lia_below_roots(guess->g, formulas, count, LIA_DEPENDS(POSITION), &list);
    for (uint32_t i = 0; i < found; i++) {
        const LiaNode* node = &guess->g->nodes[list[i]];
        if (node->op == LIA_OP_SYMBOL && node->symbol_kind == LIA_SYMBOL_POSITION) {
            seen[node->a] = true;
        }
    }
}

bool lia_guess_moves(LiaGuess* guess, const LiaExpr* formulas, size_t count) {
    double x[9 * (LIA_GUESS_INSTANTS + 1)];
    if (!lia_scene_values(guess->scene, formulas, count, guess->instants, guess->instant_count,
                          x)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 1; k < guess->instant_count; k++) {
            if (fabs(x[k * count + i] - x[i]) > LIA_GUESS_SAME) return true;
        }
    }
    return false;
}

// --- rods

static bool has_rod(const LiaGuess* guess, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < guess->rod_count; i++) {
        const LiaGuessRod* rod = &guess->rods[i];
        if ((rod->a == a && rod->b == b) || (rod->a == b && rod->b == a)) return true;
    }
    return false;
}

static void add_rod(LiaGuess* guess, LiaGuessRod rod) {
    if (guess->rod_count == ROD_ROOM || has_rod(guess, rod.a, rod.b)) return;
    guess->rods[guess->rod_count++] = rod;
    guess->points[rod.a].rods++;
    guess->points[rod.b].rods++;
}

void lia_guess_rod(LiaGuess* guess, uint32_t a, uint32_t b) {
    add_rod(guess, (LiaGuessRod){.a = a, .b = b});
}

void lia_guess_span(LiaGuess* guess, uint32_t a, uint32_t b, bool spring) {
    add_rod(guess, (LiaGuessRod){.a = a, .b = b, .thin = true, .spring = spring});
}

// Are both fixed to one body that is seen as it is?
static bool is_on_body(const LiaGuess* guess, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < guess->count; i++) {
        if (guess->points[i].drawn && has_rod(guess, a, i) && has_rod(guess, b, i)) return true;
    }
    return false;
}

// Does a third point stand on the way? Then two shorter rods do.
static bool is_divided(const LiaGuess* guess, uint32_t a, uint32_t b) {
    const double *p = guess->points[a].where[0], *q = guess->points[b].where[0];
    double length = lia_guess_distance(p, q);
    for (uint32_t i = 0; i < guess->count; i++) {
        const double* r = guess->points[i].where[0];
        if (i == a || i == b || !guess->points[i].shown) continue;
        double way = lia_guess_distance(p, r) + lia_guess_distance(r, q);
        if (way - length <= LIA_GUESS_SAME * length && has_rod(guess, a, i) && has_rod(guess, i, b))
            return true;
    }
    return false;
}

// Each point to the ones before it, the nearest in the list first.
static void add_rods(LiaGuess* guess) {
    bool all = guess->count <= PAIRS_MOST;
    for (uint32_t i = 0; i < guess->count; i++) {
        LiaGuessPoint* point = &guess->points[i];
        int rods = 0;
        for (uint32_t j = i; j-- > 0 && (all || i - j <= 2) && rods < RODS_MOST;) {
            LiaGuessPoint* other = &guess->points[j];
            // solid bodies are linked to their joints, not to each other
            if (!point->shown || !other->shown || (point->drawn && other->drawn)) continue;
            if (has_rod(guess, i, j)) {
                rods++;
            } else if (lia_guess_rigid_is_rigid(guess, point, other) && !is_divided(guess, i, j) &&
                       !is_on_body(guess, i, j)) {
                lia_guess_rod(guess, i, j);
                rods++;
            }
        }
        // on a sphere about the origin
        if (point->shown && !point->drawn && point->rods == 0 &&
            lia_guess_rigid_is_rigid(guess, point, NULL)) {
            LiaExpr zero[3] = {lia_guess_zero(guess), lia_guess_zero(guess), lia_guess_zero(guess)};
            LiaGuessPoint* origin = lia_guess_point(guess, NULL, zero);
            if (!origin) continue;
            origin->shown = true;
            lia_guess_rod(guess, i, (uint32_t)(origin - guess->points));
        }
    }
}

// --- items

static bool is_led(const LiaGuess* guess, const LiaGuessPoint* point) {
    return point->still || lia_scene_is_driven(guess->scene, point->at, 3);
}

static const char* kind_of(const LiaGuessRod* rod) {
    return rod->spring ? "spring" : rod->thin ? "span" : "segment";
}

static void draw_rods(LiaGuess* guess) {
    for (uint32_t i = 0; i < guess->rod_count; i++) {
        const LiaGuessPoint* a = &guess->points[guess->rods[i].a];
        const LiaGuessPoint* b = &guess->points[guess->rods[i].b];
        LiaSceneItem* rod = lia_scene_add(guess->scene, kind_of(&guess->rods[i]), NULL);
        memcpy(rod->at, b->at, sizeof rod->at);
        memcpy(rod->to, a->at, sizeof rod->to);
        rod->driven = is_led(guess, a) && is_led(guess, b);
    }
}

static void draw_points(LiaGuess* guess) {
    for (uint32_t i = 0; i < guess->count; i++) {
        const LiaGuessPoint* point = &guess->points[i];
        if (!point->shown || point->drawn) continue;
        LiaSceneItem item = {.kind = point->mass ? "point" : "joint", .name = point->name};
        memcpy(item.at, point->at, sizeof item.at);
        item.driven = !point->still && is_led(guess, point);
        item.trail = !point->still && point->mass;
        if (point->still) {
            item.kind = "anchor";
        } else if (point->rods > 0) {
            lia_guess_coordinates_cart(guess, &item, point->at);
        }
        *lia_scene_add(guess->scene, item.kind, item.name) = item;
    }
}

static bool is_any_shown(const LiaGuess* guess) {
    for (uint32_t i = 0; i < guess->count; i++) {
        if (guess->points[i].shown) return true;
    }
    return false;
}

// No place has kinetic energy: the ones with a name that move are all there is.
static void show_named(LiaGuess* guess) {
    for (uint32_t i = 0; i < guess->count; i++) {
        LiaGuessPoint* point = &guess->points[i];
        point->shown = point->mass = !point->still;
    }
}

// Points of masses and what carries them.
static void guess_points(LiaGuess* guess) {
    lia_guess_masses(guess);
    if (!is_any_shown(guess)) lia_guess_expanded(guess);
    if (!is_any_shown(guess)) lia_guess_polar(guess);
    if (!is_any_shown(guess)) show_named(guess);
    if (!is_any_shown(guess)) lia_guess_masses_plain(guess, true);
    lia_guess_spans(guess);
    lia_guess_pivots_carry(guess);
    lia_guess_coordinates_carts(guess);
    add_rods(guess);
    // one point of the plane by itself has a heading
    bool headed = guess->lone > 0 && guess->rod_count == 0 &&
                  lia_guess_coordinates_heading(guess, guess->points[guess->lone - 1].at);
    if (headed) guess->points[guess->lone - 1].drawn = true;
    draw_rods(guess);
    draw_points(guess);
}

void lia_guess_scene(LiaScene* scene) {
    LiaGuess guess = {
        .scene = scene, .g = scene->graph, .m = scene->system->model, .s = scene->system};
    if (scene->rows == 0) return;
    guess.instant_count = scene->rows < LIA_GUESS_INSTANTS ? scene->rows : LIA_GUESS_INSTANTS;
    for (size_t k = 0; k < guess.instant_count; k++) {
        guess.instants[k] =
            guess.instant_count > 1 ? k * (scene->rows - 1) / (guess.instant_count - 1) : 0;
    }
    guess.points = lia_memory_take((LIA_GUESS_POINTS + 1) * sizeof *guess.points);
    guess.rods = lia_memory_take(ROD_ROOM * sizeof *guess.rods);
    guess.fast = lia_memory_zeros(2 * (size_t)guess.s->n + 1, sizeof *guess.fast);
    guess.merged = guess.fast ? guess.fast + guess.s->n : NULL;
    if (!guess.points || !guess.rods || !guess.fast) {
        scene->failed = true;
    } else {
        lia_guess_bodies(&guess);
        guess_points(&guess);
        lia_guess_bodies_draw(&guess);
        lia_guess_coordinates_groups(&guess);
        lia_guess_coordinates_instruments(&guess);
    }
    lia_guess_rigid_clear(&guess);
    free(guess.points);
    free(guess.rods);
    free(guess.fast);
}
