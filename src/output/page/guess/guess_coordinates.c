// Coordinates with no place of their own: carts, headings, attitudes, dials and sliders.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "output/page/guess/guess.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- carts

// The one coordinate, a line, of which a place is; -1: another number of them.
static int line_of(LiaGuess* guess, const LiaExpr* at) {
    bool* seen = lia_memory_zeros(guess->s->n + 1, sizeof *seen);
    int found = -1, count = 0;
    if (!seen) return -1;
    lia_guess_depends(guess, at, 3, seen);
    for (uint32_t i = 0; i < guess->s->n; i++) {
        const LiaCoordinate* c = &guess->m->coordinates[i];
        if (!seen[i]) continue;
        count++;
        found = !c->group && c->manifold == LIA_LINE ? (int)i : -1;
    }
    free(seen);
    return count == 1 ? found : -1;
}

// How a coordinate moves a place: the same unit vector e at all instants?
static bool direction_of(LiaGuess* guess, const LiaExpr* at, uint32_t i, double* e) {
    LiaExpr d[3];
    double x[3 * (LIA_GUESS_INSTANTS + 1)];
    for (int k = 0; k < 3; k++) d[k] = lia_diff(guess->g, at[k], guess->s->q[i]);
    if (!lia_scene_values(guess->scene, d, 3, guess->instants, guess->instant_count, x))
        return false;
    for (size_t n = 0; n < guess->instant_count; n++) {
        double* u = x + 3 * n;
        double length = hypot(hypot(u[0], u[1]), u[2]);
        if (!(length > 0.0)) return false;
        for (int k = 0; k < 3; k++) {
            u[k] /= length;
            if (n == 0) e[k] = u[k];
            if (!(fabs(u[k] - e[k]) <= LIA_GUESS_STRAIGHT)) return false;
        }
    }
    // there and back are the same
    bool back = e[0] < 0.0 || (e[0] == 0.0 && (e[1] < 0.0 || (e[1] == 0.0 && e[2] < 0.0)));
    for (int k = 0; k < 3 && back; k++) e[k] = -e[k];
    return true;
}

// x turned into e, about z or y where e is in such a plane.
static void turn_x_to(LiaGuess* guess, const double* e, LiaExpr* turn) {
    double f[3] = {-e[1], e[0], 0.0}, length = hypot(e[0], e[1]);
    if (length > 0.0) {
        f[0] /= length;
        f[1] /= length;
    } else {
        f[1] = 1.0;
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        const double row[3] = {e[i], f[i], e[j] * f[k] - e[k] * f[j]};
        for (int c = 0; c < 3; c++) turn[3 * i + c] = lia_graph_real(guess->g, row[c]);
    }
}

bool lia_guess_coordinates_cart(LiaGuess* guess, LiaSceneItem* item, const LiaExpr* at) {
    int line = line_of(guess, at);
    double e[3];
    if (line < 0 || !direction_of(guess, at, (uint32_t)line, e)) return false;
    item->kind = "cart";
    item->trail = false;
    if (e[0] < 1.0) turn_x_to(guess, e, item->turn);
    return true;
}

static bool has_cart(LiaGuess* guess, uint32_t i) {
    for (uint32_t k = 0; k < guess->count; k++) {
        if (guess->points[k].shown && line_of(guess, guess->points[k].at) == (int)i) return true;
    }
    return false;
}

// The place of a coordinate along which points are moved: that of the first one, with all others 0.
static bool place_of(LiaGuess* guess, uint32_t i, LiaExpr* at) {
    double e[3];
    LiaExpr* by = lia_memory_zeros(guess->s->n + 1, sizeof *by);
    bool found = false;
    for (uint32_t k = 0; by && k < guess->s->n; k++) {
        by[k] = k == i ? guess->s->q[k] : lia_guess_zero(guess);
    }
    for (uint32_t k = 0; by && k < guess->count && !found; k++) {
        const LiaGuessPoint* point = &guess->points[k];
        if (!point->shown || point->still || !direction_of(guess, point->at, i, e)) continue;
        found = true;
        for (int c = 0; c < 3; c++) {
            at[c] =
                lia_diff_substitute(guess->g, point->at[c], LIA_SYMBOL_POSITION, by, guess->s->n);
            found = found && at[c].index;
        }
    }
    free(by);
    return found;
}

void lia_guess_coordinates_carts(LiaGuess* guess) {
    for (uint32_t i = 0; i < guess->s->n; i++) {
        const LiaCoordinate* c = &guess->m->coordinates[i];
        LiaExpr at[3];
        bool single = guess->fast[i] && !c->group && !c->inner && c->manifold == LIA_LINE;
        if (!single || guess->count == 0 || has_cart(guess, i)) continue;
        bool plain = false;  // x of a point x, y
        for (uint32_t k = 0; k < guess->count; k++) {
            const LiaGuessPoint* point = &guess->points[k];
            for (int a = 0; a < 3; a++) {
                plain = plain ||
                        (point->mass && point->shown && point->at[a].index == guess->s->q[i].index);
            }
        }
        if (plain) continue;
        int letter = c->name[0] - 'x';
        if (!place_of(guess, i, at)) {
            if (letter < 0 || letter > 2) continue;
            for (int a = 0; a < 3; a++)
                at[a] = a == letter ? guess->s->q[i] : lia_guess_zero(guess);
        }
        LiaSceneItem item = {.name = c->name};
        if (!lia_guess_coordinates_cart(guess, &item, at)) continue;
        LiaGuessPoint* point = lia_guess_point(guess, c->name, at);
        if (!point || point->drawn) continue;
        point->shown = point->mass = point->drawn = true;
        memcpy(item.at, at, sizeof item.at);
        item.driven = lia_scene_is_driven(guess->scene, at, 3);
        *lia_scene_add(guess->scene, item.kind, item.name) = item;
    }
}

// --- headings and attitudes

// What the drawn items depend on.
static bool* find_seen(LiaGuess* guess) {
    bool* seen = lia_memory_zeros(guess->s->n + 1, sizeof *seen);
    for (uint32_t i = 0; seen && i < guess->scene->count; i++) {
        const LiaSceneItem item = guess->scene->items[i];
        const LiaExpr* lists[] = {item.at, item.to, item.turn};
        const size_t counts[] = {3, 3, 9};
        for (int l = 0; l < 3; l++) {
            if (lists[l][0].index) lia_guess_depends(guess, lists[l], counts[l], seen);
        }
    }
    return seen;
}

// rotz(angle) as nine formulas.
static void turn_by(LiaGuess* guess, LiaExpr angle, LiaExpr* turn) {
    LiaExpr none = {0};
    LiaExpr c = lia_graph_apply(guess->g, LIA_OP_COS, angle, none, none);
    LiaExpr s = lia_graph_apply(guess->g, LIA_OP_SIN, angle, none, none);
    const LiaExpr rotz[9] = {c,
                             lia_graph_neg(guess->g, s),
                             lia_guess_zero(guess),
                             s,
                             c,
                             lia_guess_zero(guess),
                             lia_guess_zero(guess),
                             lia_guess_zero(guess),
                             lia_graph_integer(guess->g, 1)};
    memcpy(turn, rotz, sizeof rotz);
}

// Does the momentum of angle i know the rate of angle j? Then j is measured from i.
static bool is_relative(const LiaGuess* guess, uint32_t i, uint32_t j) {
    const LiaSystem* s = guess->s;
    LiaExpr coupling = lia_diff(guess->g, s->lagrange.p[i], s->v[j]);
    return !lia_graph_is_zero(guess->g, coupling);
}

static bool is_angle(const LiaGuess* guess, uint32_t i) {
    const LiaCoordinate* c = &guess->m->coordinates[i];
    return !c->group && !c->inner && c->manifold == LIA_CIRCLE;
}

bool lia_guess_coordinates_heading(LiaGuess* guess, const LiaExpr* at) {
    for (uint32_t i = 0; i < guess->s->n; i++) {
        if (!is_angle(guess, i) || guess->scene->driven[i]) continue;
        LiaSceneItem* sled = lia_scene_add(guess->scene, "sled", guess->m->coordinates[i].name);
        memcpy(sled->at, at, sizeof sled->at);
        turn_by(guess, guess->s->q[i], sled->turn);
        sled->trail = true;
        return true;
    }
    return false;
}

// Angles that turn nothing that is seen are bars on the one point of the plane, against the first
// free angle where they are measured from it.
static void add_bars(LiaGuess* guess, const LiaExpr* at, bool* seen) {
    int heading = -1;
    for (uint32_t i = 0; i < guess->s->n && heading < 0; i++) {
        if (is_angle(guess, i) && !guess->scene->driven[i]) heading = (int)i;
    }
    for (uint32_t i = 0; i < guess->s->n; i++) {
        if (seen[i] || !is_angle(guess, i)) continue;
        LiaExpr angle = guess->s->q[i];
        if (heading >= 0 && heading != (int)i && is_relative(guess, (uint32_t)heading, i)) {
            angle = lia_graph_add(guess->g, guess->s->q[heading], angle);
        }
        LiaSceneItem* bar = lia_scene_add(guess->scene, "bar", guess->m->coordinates[i].name);
        memcpy(bar->at, at, sizeof bar->at);
        turn_by(guess, angle, bar->turn);
        bar->driven = guess->scene->driven[i];
        seen[i] = true;
    }
}

// R = 1 + 2 w [v] + 2 [v]^2 of a unit quaternion.
static void rotation_of(LiaGuess* guess, const LiaExpr* q, LiaExpr* turn) {
    LiaGraph* g = guess->g;
    LiaExpr two = lia_graph_integer(g, 2), one = lia_graph_integer(g, 1);
    LiaExpr ww[4][4];
    for (int a = 0; a < 4; a++) {
        for (int b = 0; b < 4; b++) {
            ww[a][b] = lia_graph_mul(g, two, lia_graph_mul(g, q[a], q[b]));
        }
    }
    for (int a = 1; a <= 3; a++) {
        int b = a % 3 + 1, c = b % 3 + 1;
        turn[4 * (a - 1)] = lia_graph_sub(g, one, lia_graph_add(g, ww[b][b], ww[c][c]));
        turn[3 * (a - 1) + b - 1] = lia_graph_sub(g, ww[a][b], ww[0][c]);
        turn[3 * (b - 1) + a - 1] = lia_graph_add(g, ww[a][b], ww[0][c]);
    }
}

// Bodies are drawn, if not always by what turns.
static void see_bodies(LiaGuess* guess, bool* seen) {
    for (uint32_t i = 0; seen && i < guess->m->pictures.bodies_count; i++) {
        const LiaBody* body = &guess->m->pictures.bodies[i];
        LiaExpr turn[9];
        if (body->attitude[0].index && lia_scene_resolve(guess->scene, body->attitude, turn, 9)) {
            lia_guess_depends(guess, turn, 9, seen);
        }
    }
}

void lia_guess_coordinates_groups(LiaGuess* guess) {
    bool* seen = find_seen(guess);
    see_bodies(guess, seen);
    for (uint32_t i = 0; seen && i < guess->m->groups_count; i++) {
        const LiaGroup* group = &guess->m->groups[i];
        const LiaExpr* q = guess->s->q + group->first;
        if (seen[group->first]) continue;
        bool turns = group->manifold == LIA_ROTATION;
        LiaSceneItem* item = lia_scene_add(guess->scene, turns ? "box" : "point", group->name);
        item->driven = guess->scene->driven[group->first];
        item->trail = !turns;
        for (int k = 0; k < 3; k++) item->at[k] = turns ? lia_guess_zero(guess) : q[k];
        if (turns) {
            rotation_of(guess, q, item->turn);
            lia_guess_bodies_size(guess, item, 1.0, 0.7, 0.4);
        } else if (group->manifold == LIA_SPHERE) {  // at the end of a rod
            LiaSceneItem* rod = lia_scene_add(guess->scene, "segment", NULL);
            for (int k = 0; k < 3; k++) rod->at[k] = lia_guess_zero(guess);
            memcpy(rod->to, q, sizeof rod->to);
        }
    }
    free(seen);
}

// --- dials and sliders

// Is the potential lower at 0 than half a turn away? Then 0 hangs down.
static bool hangs(LiaGuess* guess, uint32_t i) {
    const LiaSystem* s = guess->s;
    if (!s->energy.has_potential) return false;
    LiaExpr* by = lia_memory_zeros(s->n + 1, sizeof *by);
    if (!by) return false;
    LiaExpr at[2];
    double values[2] = {0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        by[i] = k == 0 ? lia_guess_zero(guess) : lia_graph_pi(guess->g);
        at[k] = lia_diff_substitute(guess->g, s->energy.potential, LIA_SYMBOL_POSITION, by, s->n);
    }
    free(by);
    bool known = at[0].index && at[1].index &&
                 lia_scene_values(guess->scene, at, 2, guess->instants, 1, values);
    return known && values[0] < values[1];
}

static void add_instrument(LiaGuess* guess, uint32_t i, bool dial, int place) {
    bool down = dial && hangs(guess, i);
    LiaSceneItem* item =
        lia_scene_add(guess->scene, dial ? "dial" : "slider", guess->m->coordinates[i].name);
    item->at[0] = lia_graph_integer(guess->g, dial ? place : 0);
    item->at[1] = lia_graph_integer(guess->g, dial ? 0 : -place);
    item->at[2] = lia_guess_zero(guess);
    item->size[0] = lia_graph_real(guess->g, down ? -1.57079632679489661923 : 0.0);
    item->value = guess->s->q[i];
    item->driven = guess->scene->driven[i];
}

// Has it no share in the kinetic energy?
static bool is_idle(const LiaGuess* guess, uint32_t i) {
    return lia_graph_is_zero(guess->g, guess->s->lagrange.p[i]);
}

void lia_guess_coordinates_instruments(LiaGuess* guess) {
    enum { MOST = 24 };
    bool* seen = find_seen(guess);
    if (!seen) {
        guess->scene->failed = true;
        return;
    }
    for (uint32_t i = 0; i < guess->s->n; i++) seen[i] = seen[i] || guess->merged[i];
    if (guess->lone > 0) add_bars(guess, guess->points[guess->lone - 1].at, seen);
    bool alone = guess->scene->count == 0;
    enum { BELOW = 3 };  // of a row of dials, in sliders
    int dials = 0, sliders = 0, under = 0;
    for (uint32_t i = 0; i < guess->s->n; i++) {
        const LiaCoordinate* c = &guess->m->coordinates[i];
        if (!seen[i] && !c->group && !c->inner && c->manifold == LIA_CIRCLE) under = BELOW;
    }
    for (uint32_t i = 0; i < guess->s->n && dials + sliders < MOST; i++) {
        const LiaCoordinate* c = &guess->m->coordinates[i];
        if (seen[i] || c->group || c->inner || (!alone && is_idle(guess, i))) continue;
        bool dial = c->manifold == LIA_CIRCLE;
        add_instrument(guess, i, dial, dial ? dials++ : under + sliders++);
    }
    free(seen);
}
