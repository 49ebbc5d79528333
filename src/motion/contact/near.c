// Which of many contacts are near. N balls have N^2/2 pairs, and most of them are far apart: their
// gaps need no series and no roots.
//
// Every coordinate has a box around its place, and so has time. The range of a gap over the boxes
// of its coordinates is found by intervals. Where it is positive the contact is far: its gap has no
// root as long as all of them are in their boxes. Each step is looked at before it is made: a
// coordinate whose polynomial may lead out of its box gets a new one, and the contacts of that
// coordinate are looked at anew. So no contact is missed: a gap is either watched by its series or
// proved positive. A step costs the coordinates and the contacts that are near; a new box the
// contacts of one coordinate.
//
// Boxes are as large as the coordinates move in a time, the horizon, beyond which no step leads. It
// becomes shorter where too many contacts are near, fewer where steps end long before it, and
// longer where it alone ends the steps.
// SPDX-License-Identifier: MIT
#include "motion/contact/near.h"
#include "base/memory/memory.h"
#include "base/numeric/rising.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/ranges.h"
#include "motion/contact/contacts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CONTACTS_MANY = 64,       // fewer are cheaper watched than looked at
    NEAR_PER_COORDINATE = 4,  // near contacts, beyond which the horizon becomes shorter
    NEAR_FEW = 1,             // and beyond which it does so where steps are shorter by far
    STEPS_AHEAD = 4,          // so many of them it is long then, at least
    HALVINGS_MOST = 24,       // of the horizon in one step
    PATIENCE = 8,             // steps that the horizon ended, after which it becomes longer
};

typedef struct Lists {
    uint32_t* first;  // of each                                                (count + 1)
    uint32_t* item;
} Lists;

struct LiaNear {
    const LiaSystem* base;
    size_t n;
    LiaInterval* box;  // of each coordinate, then of time                   (n + 1)
    double horizon;    // 0: none yet
    double t;          // where the last step began
    double stride;     // of the last steps the longest, or a little less
    uint32_t in_vain;  // near contacts that a shorter horizon did not make fewer
    uint32_t ended;    // steps that the horizon ended, one after the other
    uint32_t near_count;
    bool* far;    // by contact
    bool* never;  // it is near, whatever the boxes
    bool* due;    // is to be looked at again
    uint32_t* due_list;
    uint32_t due_count;
    Lists nodes;         // of the gap of each contact, in their order
    Lists users;         // contacts of each coordinate, and of time
    LiaInterval* range;  // by node: scratch
    double* value;       // the same, twice
};

bool lia_near_pays(const LiaSystem* base) { return base->contact_count >= CONTACTS_MANY; }

// --- making -------------------------------------------------------------------------------------

// The coordinate a node is, n for time; UINT32_MAX: another.
static uint32_t coordinate_of(const LiaNear* near, uint32_t node) {
    const LiaNode* n = &near->base->graph->nodes[node];
    if (n->op != LIA_OP_SYMBOL) return UINT32_MAX;
    if (n->symbol_kind == LIA_SYMBOL_TIME) return (uint32_t)near->n;
    return n->symbol_kind == LIA_SYMBOL_POSITION ? n->a : UINT32_MAX;
}

// Is it a number of a control, which may be another one from some instant on?
static bool is_of_control(const LiaNear* near, uint32_t node) {
    const LiaModel* m = near->base->model;
    const LiaNode* n = &near->base->graph->nodes[node];
    if (n->op != LIA_OP_SYMBOL || n->symbol_kind != LIA_SYMBOL_PARAMETER) return false;
    for (uint32_t c = 0; c < m->controls_count; c++) {
        uint32_t open = m->controls[c].open;
        if (open && n->a >= open - 1 && n->a < open - 1 + LIA_CONTROL_PARAMETERS) return true;
    }
    return false;
}

// The nodes below a gap, into list; `met`: the contact that met a node last, from 1.
static uint32_t list_nodes(const LiaNear* near, uint32_t contact, uint32_t* met, uint32_t* list) {
    const LiaSystem* s = near->base;
    uint32_t count = 0;
    uint32_t root = s->rows[s->contacts[contact].row].equation.index;
    met[root] = contact + 1;
    list[count++] = root;
    for (uint32_t i = 0; i < count; i++) {
        const LiaNode* n = &s->graph->nodes[list[i]];
        const uint32_t arguments[3] = {n->a, n->b, n->c};
        for (int a = 0; a < lia_op_arity((LiaOp)n->op); a++) {
            if (met[arguments[a]] == contact + 1) continue;
            met[arguments[a]] = contact + 1;
            list[count++] = arguments[a];
        }
    }
    qsort(list, count, sizeof *list, lia_rising);
    return count;
}

// Counts what the lists have, or, where they have room, fills them.
static void fill_lists(LiaNear* near, uint32_t* met, uint32_t* list) {
    uint32_t at = 0;
    for (uint32_t k = 0; k < near->base->contact_count; k++) {
        uint32_t count = list_nodes(near, k, met, list);
        if (near->nodes.item) memcpy(near->nodes.item + at, list, count * sizeof *list);
        near->nodes.first[k] = at;
        at += count;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t c = coordinate_of(near, list[i]);
            near->never[k] |= is_of_control(near, list[i]);
            if (c == UINT32_MAX) continue;
            if (near->users.item) near->users.item[near->users.first[c]] = k;
            near->users.first[c]++;
        }
    }
    near->nodes.first[near->base->contact_count] = at;
}

// From how many each has to where the first of each stands.
static uint32_t sum_up(uint32_t* first, size_t count) {
    uint32_t sum = 0;
    for (size_t i = 0; i <= count; i++) {
        uint32_t own = first[i];
        first[i] = sum;
        sum += own;
    }
    return sum;
}

static bool make_lists(LiaNear* near) {
    size_t nodes = near->base->graph->count, contacts = near->base->contact_count, n = near->n;
    uint32_t* met = lia_memory_zeros(2 * nodes + 1, sizeof *met);
    near->nodes.first = lia_memory_zeros(contacts + 1, sizeof(uint32_t));
    near->users.first = lia_memory_zeros(n + 2, sizeof(uint32_t));
    if (met && near->nodes.first && near->users.first) {
        fill_lists(near, met, met + nodes);
        uint32_t users = sum_up(near->users.first, n + 1);
        near->nodes.item = lia_memory_take((near->nodes.first[contacts] + 1) * sizeof(uint32_t));
        near->users.item = lia_memory_take(((size_t)users + 1) * sizeof(uint32_t));
        memset(met, 0, nodes * sizeof *met);
    }
    bool good = near->nodes.item && near->users.item;
    if (good) {
        fill_lists(near, met, met + nodes);
        // each now stands where the next one begins
        memmove(near->users.first + 1, near->users.first, (n + 1) * sizeof(uint32_t));
        near->users.first[0] = 0;
    }
    free(met);
    return good;
}

LiaNear* lia_near_create(const LiaSystem* base) {
    LiaNear* near = lia_memory_zeros(1, sizeof *near);
    if (!near) return NULL;
    size_t contacts = (size_t)base->contact_count + 1;
    near->base = base;
    near->n = base->n;
    near->box = lia_memory_zeros(near->n + 2, sizeof *near->box);
    near->far = lia_memory_zeros(contacts, sizeof *near->far);
    near->never = lia_memory_zeros(contacts, sizeof *near->never);
    near->due = lia_memory_zeros(contacts, sizeof *near->due);
    near->due_list = lia_memory_zeros(contacts, sizeof *near->due_list);
    near->range = lia_memory_zeros((size_t)base->graph->count + 1, sizeof *near->range);
    near->value = lia_memory_zeros(2 * (size_t)base->graph->count + 2, sizeof *near->value);
    near->near_count = base->contact_count;
    if (near->box && near->far && near->never && near->due && near->due_list && near->range &&
        near->value && make_lists(near))
        return near;
    lia_near_destroy(near);
    return NULL;
}

void lia_near_destroy(LiaNear* near) {
    if (!near) return;
    free(near->box);
    free(near->far);
    free(near->never);
    free(near->due);
    free(near->due_list);
    free(near->range);
    free(near->value);
    free(near->nodes.first);
    free(near->nodes.item);
    free(near->users.first);
    free(near->users.item);
    free(near);
}

LiaValues lia_near_gap(const LiaNear* near, uint32_t contact, double** size) {
    uint32_t first = near->nodes.first[contact], nodes = near->base->graph->count;
    *size = near->value + nodes + 1;
    return (LiaValues){.graph = near->base->graph,
                       .nodes = near->nodes.item + first,
                       .count = near->nodes.first[contact + 1] - first,
                       .value = near->value,
                       .size = nodes};
}

// --- parts of the tape --------------------------------------------------------------------------

static LiaModeRoom* room_now(const LiaRunner* run) {
    return run->contacts->rooms[run->contacts->now];
}

static void set_series(const LiaStep* step, double* to, uint32_t i, const double* from) {
    double* c = to + (size_t)i * (size_t)step->stride;
    memset(c, 0, (size_t)step->stride * sizeof *c);
    if (from) memcpy(c, from, (size_t)step->order * sizeof *c);
    if (!from) c[0] = 1.0;  // positive, and without roots
}

// The polynomials of a watched formula, and of the guards below it: as the tape has them, or at
// rest.
static void take_part(LiaRunner* run, const LiaAwake* awake, uint32_t i, bool rests) {
    const LiaJets* jets = &run->w->jets;
    LiaStep* step = &run->step;
    double room[LIA_JET_ORDER_MOST + 2];
    uint32_t reg = run->dynamics->watched[i];
    set_series(step, step->watched, i,
               rests ? NULL : lia_jet_read(jets, reg, step->order - 1, room));
    for (uint32_t k = awake->parts.first[i]; k < awake->parts.first[i + 1]; k++) {
        const LiaInstr* in = &awake->post->instrs[awake->parts.instr[k]];
        if (!in->guard || (rests && !lia_parts_rests(awake, in->out))) continue;
        reg = jets->tape->guards[in->guard - 1].reg;
        set_series(step, step->guard, in->guard - 1,
                   rests ? NULL : lia_jet_read(jets, reg, step->order - 1, room));
    }
}

// `made`: the series of the step are there, and those of what wakes are needed too.
static void set_part(LiaRunner* run, LiaAwake* awake, uint32_t i, bool made) {
    const LiaWatched* of = &run->system->mode.watched[i];
    bool rests = of->kind == LIA_WATCH_GAP && run->contacts->near->far[of->contact];
    bool news = rests ? lia_parts_rest(awake, i) : lia_parts_wake(awake, i);
    if (!news) return;
    run->contacts->vanish[i] = 0;
    if (!rests && !made) return;
    if (!rests) lia_jet_part(&run->w->jets, i, 0, run->step.order - 1);
    take_part(run, awake, i, rests);
}

static void attach(LiaWorkspace* w, const LiaDynamics* d, const LiaAwake* awake) {
    if (w && w->dynamics == d) w->jets.awake = awake;
}

// All that runs this tape.
static void attach_all(LiaRunner* run, const LiaAwake* awake) {
    const LiaDynamics* d = run->dynamics;
    attach(run->w, d, awake);
    attach(run->sampler, d, awake);
    attach(run->full, d, awake);
    attach(room_now(run)->probe, d, awake);
    attach(room_now(run)->open_impulse.w, d, awake);
}

// The parts of the mode the run is in; NULL if memory is out.
static LiaAwake* parts_of(LiaRunner* run, bool made) {
    LiaModeRoom* room = room_now(run);
    if (room->awake) {
        attach_all(run, room->awake);
        return room->awake;
    }
    const LiaDynamics* d = run->dynamics;
    const LiaSystem* s = run->system;
    LiaAwake* awake = lia_memory_zeros(1, sizeof *awake);
    uint32_t* gap_at = lia_memory_zeros((size_t)s->contact_count + 1, sizeof *gap_at);
    if (!awake || !gap_at || !lia_parts_make(awake, d->tape, d->watched, s->mode.watched_count)) {
        free(awake);
        free(gap_at);
        return NULL;
    }
    room->awake = awake;
    room->gap_at = gap_at;
    attach_all(run, awake);
    for (uint32_t i = 0; i < s->mode.watched_count; i++) {
        if (s->mode.watched[i].kind == LIA_WATCH_GAP) gap_at[s->mode.watched[i].contact] = i + 1;
        set_part(run, awake, i, made);
    }
    return awake;
}

void lia_near_enter(LiaRunner* run) {
    if (!run->contacts->near || !(run->contacts->near->horizon > 0.0)) return;
    LiaAwake* awake = parts_of(run, false);
    for (uint32_t i = 0; awake && i < run->system->mode.watched_count; i++)
        set_part(run, awake, i, false);
}

void lia_near_forget(LiaRunner* run) {
    LiaNear* near = run->contacts->near;
    if (!near) return;
    for (size_t i = 0; i <= near->n; i++) near->box[i] = (LiaInterval){NAN, NAN};
    memset(near->far, 0, near->base->contact_count * sizeof *near->far);
    near->near_count = near->base->contact_count;
    lia_near_enter(run);
}

// --- looking ------------------------------------------------------------------------------------

static bool looks_far(LiaNear* near, uint32_t contact) {
    const LiaSystem* s = near->base;
    LiaBox box = {.t = near->box[near->n], .q = near->box, .parameters = s->parameters};
    if (near->never[contact]) return false;
    for (uint32_t i = near->nodes.first[contact]; i < near->nodes.first[contact + 1]; i++) {
        LiaExpr node = {near->nodes.item[i]};
        near->range[node.index] = lia_ranges_node(s->graph, node, near->range, &box);
    }
    LiaInterval gap = near->range[s->rows[s->contacts[contact].row].equation.index];
    return gap.low > LIA_NEAR_POSITIVE * lia_interval_most(gap);
}

// The contacts of a coordinate, or of time, are to be looked at.
static void mark_due(LiaNear* near, size_t coordinate) {
    for (uint32_t i = near->users.first[coordinate]; i < near->users.first[coordinate + 1]; i++) {
        uint32_t k = near->users.item[i];
        if (near->due[k]) continue;
        near->due[k] = true;
        near->due_list[near->due_count++] = k;
    }
}

// Those whose verdict has changed are left in the list.
static void look(LiaNear* near) {
    uint32_t changed = 0;
    for (uint32_t i = 0; i < near->due_count; i++) {
        uint32_t k = near->due_list[i];
        bool far = looks_far(near, k);
        near->due[k] = false;
        if (far == near->far[k]) continue;
        near->far[k] = far;
        near->near_count += far ? UINT32_MAX : 1;  // one less, or one more
        near->due_list[changed++] = k;
    }
    near->due_count = changed;
}

// --- boxes --------------------------------------------------------------------------------------

// How far coordinate i can be from its place within h.
static double way(const LiaStep* step, uint32_t i, double h) {
    const double* c = lia_step_series(step, step->q, i);
    double sum = 0.0, power = h;
    for (int k = 1; k <= step->order + 1; k++, power *= h) {
        if (c[k] != 0.0) sum += fabs(c[k]) * power;
    }
    return sum;
}

static bool holds(LiaInterval box, double x, double way) {
    return x - way >= box.low && x + way <= box.high;
}

// A box that lasts for two horizons, and for a projection that moves the state.
static LiaInterval box_around(const LiaRunner* run, uint32_t i, double horizon) {
    double x = lia_step_series(&run->step, run->step.q, i)[0];
    double half = 2.0 * way(&run->step, i, horizon) +
                  horizon * lia_scale_v(&run->scales, run->w, i) + LIA_NEAR_BOX * fabs(x);
    return isfinite(half) ? (LiaInterval){x - half, x + half} : lia_interval_all();
}

// Boxes that hold the step, and a verdict on each contact. `anew`: all of them.
static void cover(LiaRunner* run, double h, bool anew) {
    LiaNear* near = run->contacts->near;
    const double margin = 1.0 + LIA_NEAR_BOX;
    for (uint32_t i = 0; i < near->n; i++) {
        double x = lia_step_series(&run->step, run->step.q, i)[0];
        double room = margin * way(&run->step, i, h) + LIA_NEAR_BOX * fabs(x);
        if (!anew && holds(near->box[i], x, room)) continue;
        near->box[i] = box_around(run, i, near->horizon);
        mark_due(near, i);
    }
    LiaInterval* time = &near->box[near->n];
    double t = run->step.t, instant = LIA_NEAR_BOX * lia_time_size(run, t);
    if (anew || !(t - instant >= time->low && t + margin * h + instant <= time->high)) {
        *time = (LiaInterval){t - 2.0 * instant, t + 2.0 * (near->horizon + 2.0 * instant)};
        mark_due(near, near->n);
    }
}

// Would a shorter horizon pay? Where steps end long before it, events end them: few contacts are
// near enough for these.
static bool too_many(const LiaNear* near) {
    bool ample = near->stride > 0.0 && near->horizon > 2.0 * STEPS_AHEAD * near->stride;
    uint32_t most = (ample ? NEAR_FEW : NEAR_PER_COORDINATE) * (uint32_t)near->n;
    return near->near_count > most && near->near_count > 2 * near->in_vain;
}

// A step begins at t, the last one is over. How long that was.
static double note_stride(LiaNear* near, double t) {
    double last = fabs(t - near->t);
    near->stride = fmax(last, LIA_NEAR_STRIDE * near->stride);
    near->t = t;
    return last;
}

// Is it the horizon alone that ends steps of this length? Series that would lead beyond it do not
// say so: an event, or a bound of the steps, ends them long before. `last`: the last step.
static bool horizon_ends(const LiaNear* near, double h, double last) {
    return h >= near->horizon && last >= 0.5 * near->horizon;
}

// Contacts whose verdict has changed: their parts of the tape.
static void set_due(LiaRunner* run) {
    LiaNear* near = run->contacts->near;
    LiaAwake* awake = room_now(run)->awake;
    for (uint32_t i = 0; awake && i < near->due_count; i++) {
        uint32_t at = room_now(run)->gap_at[near->due_list[i]];
        if (at) set_part(run, awake, at - 1, true);
    }
    near->due_count = 0;
}

static void look_anew(LiaRunner* run, double h) {
    cover(run, h, true);
    look(run->contacts->near);
    set_due(run);
}

// A shorter horizon, until few enough contacts are near. Where that does not help, the last one
// that left a quarter of them out.
static double shorten(LiaRunner* run, double h) {
    LiaNear* near = run->contacts->near;
    double helped = near->horizon;
    uint32_t before = near->near_count;
    for (int k = 0; k < HALVINGS_MOST && too_many(near); k++) {
        near->horizon *= 0.5;
        look_anew(run, fmin(h, near->horizon));
        if (near->near_count > before - before / 4) continue;
        helped = near->horizon;
        before = near->near_count;
    }
    if (too_many(near)) {
        near->horizon = helped;
        look_anew(run, fmin(h, helped));
        near->in_vain = near->near_count;
    }
    return fmin(h, near->horizon);
}

double lia_near_cover(LiaRunner* run, double length) {
    LiaNear* near = run->contacts->near;
    double h = fabs(length);
    if (!near || !(h > 0.0)) return length;
    bool first = !(near->horizon > 0.0);
    if (first) near->horizon = fmin(h, run->span), near->t = run->step.t;
    double last = note_stride(near, run->step.t);
    if (!parts_of(run, true)) return length;  // all are watched
    near->ended = horizon_ends(near, h, last) ? near->ended + 1 : 0;
    if (near->ended >= PATIENCE && near->near_count < NEAR_PER_COORDINATE * (uint32_t)near->n) {
        near->horizon *= 2.0;
        near->ended = 0;
    }
    h = fmin(h, near->horizon);
    cover(run, h, first);
    look(near);
    set_due(run);
    h = shorten(run, h);
    return run->direction * h;
}

bool lia_near_far(const LiaRunner* run, uint32_t contact) {
    return run->contacts->near && run->contacts->near->far[contact];
}

uint32_t lia_near_next(const LiaRunner* run, uint32_t contact) {
    const LiaNear* near = run->contacts->near;
    const uint32_t count = run->system->contact_count;
    if (!near || contact >= count) return contact;
    const bool* found = memchr(near->far + contact, false, count - contact);
    return found ? (uint32_t)(found - near->far) : count;
}

// --- a checkpoint -------------------------------------------------------------------------------

void lia_near_keep(LiaRunner* run, LiaKeep* keep) {
    LiaNear* near = run->contacts->near;
    if (!near) return;
    for (size_t i = 0; i <= near->n; i++) {
        lia_keep_double(keep, &near->box[i].low);
        lia_keep_double(keep, &near->box[i].high);
    }
    lia_keep_double(keep, &near->horizon);
    lia_keep_double(keep, &near->t);
    lia_keep_double(keep, &near->stride);
    uint64_t counts[2] = {near->in_vain, near->ended};
    lia_keep_counts(keep, counts, 2);
    if (!lia_keep_reads(keep) || !(near->horizon > 0.0)) return;
    near->in_vain = (uint32_t)counts[0];
    near->ended = (uint32_t)counts[1];
    for (size_t i = 0; i <= near->n; i++) mark_due(near, i);
    look(near);
    near->due_count = 0;
}
