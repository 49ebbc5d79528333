// Arrows of a sketch: their numbers along the motion. See acts.h.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "output/page/arrows/acts.h"
#include "output/page/arrows/arrow_places.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 512 };  // samples at a time

// --- along the samples

double lia_arrow_sketch_rows(LiaActs* a, const LiaSketch* sketch, double* x) {
    const LiaCarriers* c = &a->carriers;
    size_t size = lia_carriers_twists_size(c), rows = lia_scene_all_rows(a->scene), samples[CHUNK];
    double* block = lia_memory_take((2 * LIA_PARTS_MOST * size + c->n) * CHUNK * sizeof *block);
    double* Q = block ? block + 2 * LIA_PARTS_MOST * size * CHUNK : NULL;
    double most = 0.0, left = 0.0;
    bool good = block != NULL;
    for (size_t from = 0; good && from < rows; from += CHUNK) {
        size_t count = rows - from < CHUNK ? rows - from : CHUNK;
        for (size_t k = 0; k < count; k++) samples[k] = from + k;
        good = lia_scene_values(a->scene, a->act.Q, c->n, samples, count, Q);
        for (int p = 0; good && p < 2 * sketch->count; p++) {
            const LiaPart* part = &sketch->parts[p / 2];
            good = lia_carriers_twists_at(c, p % 2 ? part->against : part->on, samples, count,
                                          block + (size_t)p * size * CHUNK);
        }
        for (size_t k = 0; good && k < count; k++) {
            const double* twists[2 * LIA_PARTS_MOST];
            double out[6 * LIA_PARTS_MOST], *q = Q + k * c->n;
            for (int p = 0; p < 2 * sketch->count; p++) {
                twists[p] = block + ((size_t)p * CHUNK + k) * size;
            }
            lia_carriers_flatten(c, from + k, q, 1);
            most = fmax(most, lia_virtual_work_sketch_length(c, q));
            left = fmax(left, lia_virtual_work_sketch_solve(c, sketch, twists, q, out));
            for (int i = 0; i < 6 * sketch->count; i++) x[(size_t)i * rows + from + k] = out[i];
        }
    }
    free(block);
    return !good ? -1.0 : most > 0.0 ? left / most : 0.0;
}

static void give(LiaSceneItem* item, const double* x, size_t rows) {
    for (size_t k = 0; k < 3; k++) item->to_given[k] = x + k * rows;
}

// The opposite of numbers of all samples.
static double* opposite(LiaActs* a, const double* x) {
    size_t count = 3 * lia_scene_all_rows(a->scene);
    double* minus = LIA_ARENA_NEW(a->scene->arena, double, count + 1);
    for (size_t i = 0; minus && i < count; i++) minus[i] = -x[i];
    if (!minus) a->scene->failed = true;
    return minus;
}

static const LiaExpr* place_of(const LiaActs* a, uint32_t carrier) {
    const LiaCarrier* c = &a->scene->carriers[carrier - 1];
    return c->shown[0].index ? c->shown : c->at;
}

// What an operator moves by coordinates that are driven is coloured as driven.
static void mark_driven(LiaActs* a, uint32_t carrier) {
    const LiaCarriers* c = &a->carriers;
    const LiaCarrier* on = &a->scene->carriers[carrier - 1];
    if (!a->act.item.driven) return;
    for (size_t k = 0; k < c->instant_count * c->n; k++) {
        if (a->act.q[k] != 0.0 && !a->scene->driven[k % c->n]) return;
    }
    for (uint32_t i = 0; i < a->scene->count; i++) {
        LiaSceneItem* item = &a->scene->items[i];
        bool same = memcmp(item->at, on->at, sizeof item->at) == 0 &&
                    memcmp(item->to, on->to, sizeof item->to) == 0 &&
                    memcmp(item->turn, on->turn, sizeof item->turn) == 0;
        if (same && !item->role) item->driven = true;
    }
}

// --- a part of a sketch

static void add_force(LiaActs* a, const LiaPart* part, const double* x) {
    LiaSceneItem item = a->act.item;
    item.on = part->on;
    memcpy(item.at, place_of(a, part->on), sizeof item.at);
    give(&item, x, lia_scene_all_rows(a->scene));
    lia_arrows_act_add(a, "force", item);
    double* minus = part->against ? opposite(a, x) : NULL;
    if (!minus) return;
    item.on = part->against;
    if (part->kind == LIA_PART_LINE) memcpy(item.at, place_of(a, part->against), sizeof item.at);
    give(&item, minus, lia_scene_all_rows(a->scene));
    lia_arrows_act_add(a, "force", item);
}

// Which coordinates are acted on, and does a carrier move with one of them?
static void find_acted(const LiaActs* a, bool* acts) {
    const LiaCarriers* c = &a->carriers;
    for (size_t k = 0; k < c->instant_count * c->n; k++) {
        acts[k % c->n] = acts[k % c->n] || a->act.q[k] != 0.0;
    }
}

static bool moves_with(const LiaActs* a, uint32_t carrier, const bool* acts) {
    for (uint32_t i = 0; i < a->carriers.n; i++) {
        if (acts[i] && lia_carriers_move(&a->carriers, carrier, i)) return true;
    }
    return false;
}

static void add_couple_on(LiaActs* a, LiaSceneItem item, uint32_t on, const double* x) {
    item.on = on;
    item.against = LIA_GROUND;
    memcpy(item.at, place_of(a, on), sizeof item.at);
    give(&item, x, lia_scene_all_rows(a->scene));
    lia_arrows_act_add(a, "couple", item);
}

// One arrow at the joint of both, on the one that it moves; where they have none, one on each.
static void add_couple(LiaActs* a, const LiaPart* part, const double* x) {
    const LiaCarriers* c = &a->carriers;
    bool acts[LIA_ACTED_MOST] = {false};
    LiaSceneItem item = a->act.item;
    uint32_t on = part->on, against = part->against,
             joint = lia_virtual_work_sketch_joint(c, on, against);
    double* minus = against ? opposite(a, x) : NULL;
    find_acted(a, acts);
    memcpy(item.at, place_of(a, joint ? joint : on), sizeof item.at);
    bool there = !minus || joint || lia_arrow_places_couple_pivot(c, on, against, acts, item.at);
    if (!there) {
        add_couple_on(a, item, on, x);
        add_couple_on(a, item, against, minus);
        return;
    }
    if (!minus && !joint) lia_arrow_places_couple_pivot(c, on, against, acts, item.at);
    bool other = minus && !moves_with(a, on, acts) && moves_with(a, against, acts);
    item.on = other ? against : on;
    item.against = other ? on : against;
    give(&item, other ? minus : x, lia_scene_all_rows(a->scene));
    lia_arrows_act_add(a, "couple", item);
    mark_driven(a, item.on);
}

static LiaWrench wrench_at_instants(const LiaActs* a, const LiaPart* part, const double* x) {
    const LiaCarriers* c = &a->carriers;
    size_t rows = lia_scene_all_rows(a->scene);
    LiaWrench w = {.on = part->on};
    for (size_t k = 0; k < c->instant_count; k++) {
        for (size_t j = 0; j < 3; j++) {
            w.F[k][j] = x[j * rows + c->instants[k]];
            w.C[k][j] = x[(3 + j) * rows + c->instants[k]];
        }
        w.strong = fmax(w.strong, hypot(hypot(w.F[k][0], w.F[k][1]), w.F[k][2]));
    }
    return w;
}

// Where the model says that it acts, if that is on the line; else a point of the picture there,
// *point: which carrier, 0 where the model says it.
static bool find_place(LiaActs* a, const LiaWrench* w, LiaExpr* at, uint32_t* point) {
    *point = 0;
    for (uint32_t i = 0; i < a->m->pictures.places_count; i++) {
        const LiaPlace* place = &a->m->pictures.places[i];
        if (place->constraint + 1 != a->act.constraint) continue;
        if (lia_scene_resolve(a->scene, place->at, at, 3) &&
            lia_arrow_places_wrench_meets(&a->carriers, w, at)) {
            return true;
        }
    }
    for (uint32_t p = 1; p <= a->scene->carrier_count; p++) {
        memcpy(at, place_of(a, p), 3 * sizeof *at);
        bool fixed = !a->carriers.turns[p] && lia_carriers_hold(&a->carriers, w->on, p);
        *point = p;
        if (fixed && lia_arrow_places_wrench_meets(&a->carriers, w, at)) return true;
    }
    return false;
}

// Is a place on the line of the force in all rows, not only at the instants? A row of samples is
// measured by the largest force, one of impacts by the largest impulse.
static bool is_on_line(LiaActs* a, const LiaPart* part, const double* x, const LiaExpr* at) {
    size_t rows = lia_scene_all_rows(a->scene), end[2] = {a->scene->rows, rows}, r = 0;
    LiaExpr formulas[6];
    memcpy(formulas, at, 3 * sizeof *at);
    memcpy(formulas + 3, place_of(a, part->on), 3 * sizeof *at);
    double* places = lia_memory_take((6 * rows + 1) * sizeof *places);
    size_t* samples = lia_memory_take((rows + 1) * sizeof *samples);
    bool good = places && samples;
    for (size_t k = 0; good && k < rows; k++) samples[k] = k;
    good = good && lia_scene_values(a->scene, formulas, 6, samples, rows, places);
    if (!good) a->scene->failed = true;
    for (int class = 0; good && class < 2; class ++) {
        double strong = 0.0, worst = 0.0;
        for (; r < end[class]; r++) {
            const double* p = places + 6 * r;
            double arm[3] = {p[0] - p[3], p[1] - p[4], p[2] - p[5]}, F[3], off = 0.0;
            for (size_t k = 0; k < 3; k++) F[k] = x[k * rows + r];
            for (size_t k = 0; k < 3; k++) {
                size_t u = (k + 1) % 3, w = (k + 2) % 3;
                off = hypot(off, arm[u] * F[w] - arm[w] * F[u] - x[(3 + k) * rows + r]);
            }
            strong = fmax(strong, hypot(hypot(F[0], F[1]), F[2]));
            worst = fmax(worst, off);
        }
        good = worst <= LIA_ARROW_MOMENT * strong * a->carriers.reach;
    }
    free(places);
    free(samples);
    return good;
}

// The place of a carrier in all rows, as places of an arrow.
static double* places_of(LiaActs* a, uint32_t carrier) {
    size_t rows = lia_scene_all_rows(a->scene);
    double *at = LIA_ARENA_NEW(a->scene->arena, double, 3 * rows + 1),
           *place = lia_memory_take((3 * rows + 1) * sizeof *place);
    size_t* samples = lia_memory_take((rows + 1) * sizeof *samples);
    bool good = at && place && samples;
    for (size_t r = 0; good && r < rows; r++) samples[r] = r;
    good = good && lia_scene_values(a->scene, place_of(a, carrier), 3, samples, rows, place);
    for (size_t r = 0; good && r < rows; r++) {
        for (size_t k = 0; k < 3; k++) at[k * rows + r] = place[3 * r + k];
    }
    if (!good) a->scene->failed = true;
    free(samples);
    free(place);
    return good ? at : NULL;
}

static void give_places(LiaSceneItem* item, const double* at, size_t rows) {
    for (size_t k = 0; k < 3; k++) item->at_given[k] = at + k * rows;
}

// The point of the line nearest to the carrier, sample by sample.
static bool give_foot(LiaActs* a, const LiaPart* part, const double* x, LiaSceneItem* item) {
    size_t rows = lia_scene_all_rows(a->scene);
    double* at = places_of(a, part->on);
    for (size_t r = 0; at && r < rows; r++) {
        double place[3], F[3], C[3], foot[3];
        for (size_t k = 0; k < 3; k++) {
            place[k] = at[k * rows + r];
            F[k] = x[k * rows + r];
            C[k] = x[(3 + k) * rows + r];
        }
        lia_arrow_places_wrench_foot(place, F, C, foot);
        for (size_t k = 0; k < 3; k++) at[k * rows + r] = foot[k];
    }
    if (at) give_places(item, at, rows);
    return at != NULL;
}

// Where a contact touches.
static bool give_contact(LiaActs* a, const LiaPart* part, const double* x, LiaSceneItem* item) {
    if (!item->contact) return false;
    double* at = places_of(a, part->on);
    if (!at || !lia_arrow_contact_place(a, part, x, at)) return false;
    give_places(item, at, lia_scene_all_rows(a->scene));
    return true;
}

// A sled is a mark as large as it is easy to see: a force next to it acts at the end of a beam.
static void add_beam(LiaActs* a, const LiaSceneItem* arrow) {
    const LiaExpr* from = place_of(a, arrow->on);
    bool sled = false;
    for (uint32_t i = 0; i < a->scene->count; i++) {
        const LiaSceneItem* item = &a->scene->items[i];
        bool here = memcmp(item->at, from, sizeof item->at) == 0;
        sled = sled || (here && strcmp(item->kind, "sled") == 0);
        if (strcmp(item->kind, "segment") == 0 && here &&
            memcmp(item->to, arrow->at, sizeof item->to) == 0) {
            return;
        }
    }
    if (!sled || memcmp(arrow->at, from, sizeof arrow->at) == 0) return;
    LiaSceneItem* beam = lia_scene_add(a->scene, "segment", NULL);
    memcpy(beam->at, from, sizeof beam->at);
    memcpy(beam->to, arrow->at, sizeof beam->to);
}

// The opposite force, with its moment about the other carrier: -F and -(C + r x F), in all rows.
static double* reaction(LiaActs* a, const LiaPart* part, const double* x) {
    size_t rows = lia_scene_all_rows(a->scene);
    double *out = LIA_ARENA_NEW(a->scene->arena, double, 6 * rows + 1),
           *on = places_of(a, part->on), *other = places_of(a, part->against);
    if (!out || !on || !other) {
        a->scene->failed = true;
        return NULL;
    }
    for (size_t i = 0; i < 3 * rows; i++) {
        size_t k = i / rows, r = i % rows, u = (k + 1) % 3 * rows + r, w = (k + 2) % 3 * rows + r;
        double moment = (on[u] - other[u]) * x[w] - (on[w] - other[w]) * x[u];
        out[i] = -x[i];
        out[3 * rows + i] = -(x[3 * rows + i] + moment);
    }
    return out;
}

// On the other carrier, at a point of the line that is fixed to it, or next to it: where a rope
// leaves a wheel.
static void add_reaction(LiaActs* a, const LiaPart* part, const double* x) {
    const LiaCarriers* c = &a->carriers;
    LiaPart other = {.kind = LIA_PART_WRENCH, .on = part->against};
    double* minus = reaction(a, part, x);
    if (!minus) return;
    LiaWrench w = wrench_at_instants(a, &other, minus);
    LiaSceneItem item = a->act.item;
    item.on = other.on;
    give(&item, minus, lia_scene_all_rows(a->scene));
    memcpy(item.at, place_of(a, other.on), sizeof item.at);
    bool there = (lia_arrow_places_wrench_fixed(c, &w, item.at) ||
                  lia_arrow_places_wrench_beside(c, &w, item.at)) &&
                 is_on_line(a, &other, minus, item.at);
    if (there || give_foot(a, &other, minus, &item)) lia_arrows_act_add(a, "force", item);
}

static void add_wrench(LiaActs* a, const LiaPart* part, const double* x) {
    const LiaCarriers* c = &a->carriers;
    size_t rows = lia_scene_all_rows(a->scene);
    uint32_t point;
    LiaWrench w = wrench_at_instants(a, part, x);
    LiaSceneItem item = a->act.item;
    item.on = part->on;
    item.against = part->against;
    give(&item, x, rows);
    memcpy(item.at, place_of(a, part->on), sizeof item.at);
    if (!lia_arrow_places_wrench_is_force(c, &w)) {
        LiaSceneItem couple = item;
        give(&couple, x + 3 * rows, rows);
        lia_arrows_act_add(a, "force", item);
        lia_arrows_act_add(a, "couple", couple);
        return;
    }
    LiaExpr other[3];
    LiaWrench about = part->against ? lia_arrow_places_wrench_about(c, &w, part->against) : w;
    if (give_contact(a, part, x, &item)) {
        lia_arrows_act_add(a, "force", item);
    } else if (find_place(a, &w, item.at, &point)) {
        bool both = part->against && point && !lia_carriers_hold(c, part->against, point);
        if (both) item.against = LIA_GROUND;
        lia_arrows_act_add(a, "force", item);
        if (both) add_reaction(a, part, x);
    } else if (part->against && lia_arrow_places_wrench_fixed(c, &w, item.at) &&
               lia_arrow_places_wrench_fixed(c, &about, other) &&
               is_on_line(a, part, x, item.at)) {  // a leg between the two
        item.against = LIA_GROUND;
        lia_arrows_act_add(a, "force", item);
        add_reaction(a, part, x);
    } else if (!part->against && lia_arrow_places_wrench_fixed(c, &w, item.at) &&
               is_on_line(a, part, x, item.at)) {
        add_beam(a, &item);
        lia_arrows_act_add(a, "force", item);
    } else if ((lia_arrow_places_wrench_beside(c, &w, item.at) &&
                is_on_line(a, part, x, item.at)) ||
               give_foot(a, part, x, &item)) {
        lia_arrows_act_add(a, "force", item);
    }
}

void lia_arrow_sketch_draw_spoken(LiaActs* a, const LiaSpoken* spoken) {
    for (uint32_t i = 0; i < spoken->count; i++) {
        LiaSceneItem item = a->act.item;
        item.on = spoken->at[i];
        memcpy(item.at, place_of(a, spoken->at[i]), sizeof item.at);
        memcpy(item.to, spoken->F[i], sizeof item.to);
        lia_arrows_act_add(a, "force", item);
    }
}

void lia_arrow_sketch_draw_sketch(LiaActs* a, const LiaSketch* sketch) {
    size_t rows = lia_scene_all_rows(a->scene);
    if (sketch->count == 0) {
        a->lost = true;
        return;
    }
    double* x = LIA_ARENA_NEW(a->scene->arena, double, 6 * (size_t)sketch->count * rows + 1);
    double left = x ? lia_arrow_sketch_rows(a, sketch, x) : -1.0;
    if (left < 0.0) {
        a->scene->failed = true;
        return;
    }
    a->act.item.part = left > LIA_WORK_EXACT;
    for (int p = 0; p < sketch->count; p++) {
        const LiaPart* part = &sketch->parts[p];
        const double* own = x + 6 * (size_t)p * rows;
        if (part->kind == LIA_PART_WRENCH) {
            add_wrench(a, part, own);
        } else if (part->kind == LIA_PART_COUPLE) {
            add_couple(a, part, own + 3 * rows);
        } else {
            add_force(a, part, own);
        }
    }
}
