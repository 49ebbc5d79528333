// Contacts, and the modes of a system. A mode says of every contact whether it is open, closed,
// sticks or slides; in it the system is one with equations that hold both ways:
//
//   open        no row; the gap is watched
//   closed      row gap = 0, Omega = d(gap); the force N is watched
//   sticks      rows gap = 0, slip = 0; the bound static N - |T| is watched
//   slides      row gap = 0, Omega = d(gap) - friction e virtual(slip), e = slip/|slip|: an
//               imperfect constraint; N and the slip are watched, and T = -friction N e follows
//
// Rolling and pivoting are such blocks of friction too, with angular velocities for slips: each
// sticks or slides by itself, and what slides adds its part to Omega.
//
// Gaps that follow from others are no rows where one of them slides: carried.c.
//
// Columns, rows and lines of the ledger are the same in all modes: the force of a row that does not
// hold is 0. Where the slip has one component e is a sign, which does not change in a mode.
//
// What begins and ends is a matter of the mode as well. A constraint that is off has no rows, a
// force that is off is no part of Q: in the formulas of any mode (LiaAnyMode) a symbol stands for
// whether it acts, numbered as a multiplier after those of the rows.
// SPDX-License-Identifier: MIT
#include "mechanics/contact/contacts.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/build.h"
#include "mechanics/rough/rough.h"
#include <stdlib.h>
#include <string.h>

static LiaExpr multiplier(LiaSystem* s, uint32_t row) {
    return lia_graph_symbol(s->graph, LIA_SYMBOL_MULTIPLIER, row);
}

// --- watching ----------------------------------------------------------------------------------

static void watch(LiaSystem* s, LiaWatchKind kind, uint32_t contact, uint32_t block,
                  LiaExpr formula) {
    s->mode.watched[s->mode.watched_count++] = (LiaWatched){kind, contact, formula, false, block};
}

// The coefficient of what sticks. Without friction, friction 0, it is rounding: what rests there is
// held by nothing, and nothing is what its forces come to but for rounding.
static LiaExpr holding(LiaSystem* s, LiaExpr most) {
    LiaGraph* g = s->graph;
    LiaNumber number;
    LiaExpr none = {0};
    if (lia_graph_constant(g, most, &number) && number.value != 0.0) return most;
    LiaExpr least = lia_graph_real(g, LIA_STICK_ROUNDING);
    LiaExpr squares =
        lia_graph_add(g, lia_graph_mul(g, most, most), lia_graph_mul(g, least, least));
    return lia_graph_apply(g, LIA_OP_SQRT, squares, none, none);
}

// static N -+ T, or the difference of their squares.
static void watch_bound(LiaSystem* s, uint32_t k, uint32_t b) {
    const LiaFrictionFormulas* block = &s->contacts[k].block[b];
    LiaGraph* g = s->graph;
    LiaExpr most = lia_graph_mul(g, holding(s, block->most), multiplier(s, s->contacts[k].row));
    LiaExpr T = multiplier(s, block->row);
    if (block->rows == 1) {
        watch(s, LIA_WATCH_BOUND, k, b, lia_graph_sub(g, most, T));
        watch(s, LIA_WATCH_BOUND, k, b, lia_graph_add(g, most, T));
        return;
    }
    LiaExpr rest = lia_graph_mul(g, most, most);
    for (uint32_t i = 0; i < block->rows; i++) {
        T = multiplier(s, block->row + i);
        rest = lia_graph_sub(g, rest, lia_graph_mul(g, T, T));
    }
    watch(s, LIA_WATCH_BOUND, k, b, rest);
}

// A slip of two components by both.
static void watch_slip(LiaSystem* s, uint32_t k, uint32_t b) {
    const LiaFrictionFormulas* block = &s->contacts[k].block[b];
    for (uint32_t i = 0; i < block->rows; i++) {
        LiaExpr slip = s->rows[block->row + i].equation;
        if (s->mode.now[block->place] == LIA_MODE_BACKWARD) slip = lia_graph_neg(s->graph, slip);
        watch(s, LIA_WATCH_SLIP, k, b, slip);
    }
}

// What the modes of the contacts ask to be watched, into system->watched. False if memory is out.
static bool watch_modes(LiaSystem* s) {
    s->mode.watched = LIA_ARENA_NEW(s->arena, LiaWatched, lia_system_watched_most(s) + 1);
    s->mode.watched_count = 0;
    if (!s->mode.watched) return false;
    for (uint32_t k = 0; k < s->contact_count; k++) {
        const LiaContactFormulas* c = &s->contacts[k];
        if (!lia_system_contact_is_on(s, k)) continue;
        if (s->mode.now[k] == LIA_MODE_OPEN) {
            watch(s, LIA_WATCH_GAP, k, 0, s->rows[c->row].equation);
            continue;
        }
        watch(s, LIA_WATCH_NORMAL, k, 0, multiplier(s, c->row));
        for (uint32_t b = 0; b < c->blocks; b++) {
            LiaContactMode mode = s->mode.now[c->block[b].place];
            if (mode == LIA_MODE_STICK) watch_bound(s, k, b);
            if (mode > LIA_MODE_STICK) watch_slip(s, k, b);
        }
    }
    lia_rough_watch(s);
    return true;
}

// --- what begins and ends ----------------------------------------------------------------------

static void add_switch(LiaSystem* s, LiaSwitch added) {
    if (lia_model_begins_or_ends(added.duration))
        s->mode.any->switches[s->mode.any->switch_count++] = added;
}

// The forces that begin and end by themselves, and all others together.
static bool part_forces(LiaSystem* s, LiaResolver* resolver) {
    LiaGraph* g = s->graph;
    bool any = false;
    for (uint32_t k = 0; k < s->mode.any->switch_count; k++) any |= s->mode.any->switches[k].force;
    if (!any) return true;
    s->mode.any->Q_always = LIA_ARENA_NEW(s->arena, LiaExpr, s->n + 1);
    if (!s->mode.any->Q_always) return false;
    for (uint32_t k = 0; k < s->mode.any->switch_count; k++) {
        LiaSwitch* of = &s->mode.any->switches[k];
        if (!of->force) continue;
        of->Q = LIA_ARENA_NEW(s->arena, LiaExpr, s->n + 1);
        const LiaForm* form = &s->model->forces[of->index].form;
        if (!of->Q || !lia_resolve_form(resolver, form, NULL, of->Q)) return false;
    }
    return lia_energy_applied(s, resolver, s->mode.any->Q_always) && !g->failed;
}

static bool find_switches(LiaSystem* s, LiaResolver* resolver) {
    const LiaModel* m = s->model;
    size_t most = (size_t)m->constraints_count + m->forces_count;
    s->mode.any->switches = LIA_ARENA_NEW(s->arena, LiaSwitch, most + 1);
    if (!s->mode.any->switches) return false;
    for (uint32_t c = 0; c < m->constraints_count; c++) {
        const LiaConstraint* of = &m->constraints[c];
        add_switch(s, (LiaSwitch){.index = c, .name = of->name, .duration = of->duration});
    }
    for (uint32_t f = 0; f < m->forces_count; f++) {
        const LiaForce* of = &m->forces[f];
        add_switch(
            s, (LiaSwitch){.force = true, .index = f, .name = of->name, .duration = of->duration});
    }
    return part_forces(s, resolver);
}

static uint32_t switch_of(const LiaSystem* s, bool force, uint32_t index) {
    for (uint32_t k = 0; k < s->mode.any->switch_count; k++) {
        if (s->mode.any->switches[k].force == force && s->mode.any->switches[k].index == index)
            return 1 + k;
    }
    return 0;
}

// Stands for whether a statement is on, in the formulas of any mode.
static LiaExpr on_symbol(LiaSystem* s, uint32_t k) { return multiplier(s, s->row_count + k); }

LiaExpr lia_contacts_of_force(LiaSystem* s, uint32_t force, LiaExpr power) {
    uint32_t switched = switch_of(s, true, force);
    return switched ? lia_graph_mul(s->graph, on_symbol(s, switched - 1), power) : power;
}

bool lia_contacts_build(LiaSystem* s, LiaResolver* resolver) {
    s->mode.any = LIA_ARENA_NEW(s->arena, LiaAnyMode, 1);
    if (!s->mode.any || !find_switches(s, resolver)) return false;
    if (!lia_contact_list_make(s, resolver)) return false;
    for (uint32_t k = 0; k < s->contact_count; k++)
        s->contacts[k].switched = switch_of(s, false, s->contacts[k].constraint);
    for (uint32_t k = 0; k < s->mode.any->switch_count; k++) {
        bool on = s->mode.any->switches[k].duration.from == 0;
        s->mode.now[lia_system_switch_place(s, k)] = on ? LIA_MODE_CLOSED : LIA_MODE_OPEN;
    }
    for (uint32_t k = 0; k < s->rough_count; k++)
        s->mode.now[lia_system_rough_place(s, k)] = LIA_MODE_CLOSED;
    return watch_modes(s);
}

// --- a mode ------------------------------------------------------------------------------------

// The direction of a slip: a sign, or slip/|slip|. Its component along a row.
static LiaExpr direction(LiaSystem* s, const LiaFrictionFormulas* block, uint32_t row) {
    LiaGraph* g = s->graph;
    LiaContactMode mode = s->mode.now[block->place];
    if (mode == LIA_MODE_FORWARD) return lia_graph_integer(g, 1);
    if (mode == LIA_MODE_BACKWARD) return lia_graph_integer(g, -1);
    LiaExpr length = lia_graph_apply(g, LIA_OP_HYPOT, s->rows[block->row].equation,
                                     s->rows[block->row + 1].equation, (LiaExpr){0});
    return lia_graph_div(g, s->rows[row].equation, length);
}

// What the rows of a mode are made of, by closed contacts: of many most are open.
typedef struct ModeRows {
    LiaExpr* Omega;    // of the gaps                                     (count x n)
    bool* carried;     // contacts whose gap follows from others          (count)
    double* part;      // and how                                         (count x count)
    uint32_t* closed;  // which these are                                 (count)
    uint32_t count;
    LiaExpr* by;  // what multipliers of rows that do not hold are     (rows)
    void* block;
} ModeRows;

static bool make_room(const LiaSystem* s, ModeRows* x) {
    size_t n = s->n, k = 0;
    for (uint32_t c = 0; c < s->contact_count; c++) k += s->mode.now[c] != LIA_MODE_OPEN;
    x->block = lia_memory_zeros(k * k * sizeof(double) + (k * n + 1) * sizeof(LiaExpr) +
                                    k * sizeof(uint32_t) + k * sizeof(bool),
                                1);
    if (!x->block) return false;
    x->part = x->block;
    x->Omega = (LiaExpr*)(x->part + k * k);
    x->closed = (uint32_t*)(x->Omega + k * n + 1);
    x->carried = (bool*)(x->closed + k);
    for (uint32_t c = 0; c < s->contact_count; c++) {
        if (s->mode.now[c] != LIA_MODE_OPEN) x->closed[x->count++] = c;
    }
    return true;
}

// N of the i-th closed contact.
static LiaExpr normal_force(LiaSystem* s, const ModeRows* x, uint32_t i) {
    if (!x->carried[i]) return multiplier(s, s->contacts[x->closed[i]].row);
    LiaExpr sum = s->zero;
    for (uint32_t a = 0; a < x->count; a++) {
        double part = x->part[(size_t)i * x->count + a];
        if (part == 0.0) continue;
        LiaExpr term = lia_graph_mul(s->graph, lia_graph_real(s->graph, part),
                                     multiplier(s, s->contacts[x->closed[a]].row));
        sum = lia_graph_add(s->graph, sum, term);
    }
    return sum;
}

static void follow(LiaSystem* s, uint32_t row, LiaExpr formula) {
    s->mode.following[s->mode.following_count++] = (LiaFollowing){row, formula};
}

static bool block_slides(const LiaSystem* s, const LiaFrictionFormulas* block) {
    return s->mode.now[block->place] > LIA_MODE_STICK;
}

// What N of a contact pushes: d(gap), where it slides d(gap) - friction e virtual(slip); and
// T = -friction e N.
static void find_push(LiaSystem* s, const ModeRows* x, uint32_t k) {
    const LiaContactFormulas* c = &s->contacts[x->closed[k]];
    LiaExpr* Omega = x->Omega + (size_t)k * s->n;
    LiaGraph* g = s->graph;
    for (uint32_t i = 0; i < s->n; i++) Omega[i] = lia_system_Omega(s, c->row, i);
    if (x->carried[k]) follow(s, c->row, normal_force(s, x, k));
    for (uint32_t b = 0; b < c->blocks; b++) {
        const LiaFrictionFormulas* block = &c->block[b];
        for (uint32_t j = 0; j < block->rows && block_slides(s, block); j++) {
            const LiaRow* row = &s->rows[block->row + j];
            LiaExpr part = lia_graph_mul(g, block->kinetic, direction(s, block, block->row + j));
            for (uint32_t e = 0; e < row->entries; e++) {
                uint32_t i = row->coordinate[e];
                LiaExpr lever = lia_graph_mul(g, part, row->Omega[e]);
                Omega[i] = lia_graph_sub(g, Omega[i], lever);
            }
            LiaExpr T = lia_graph_neg(g, lia_graph_mul(g, part, normal_force(s, x, k)));
            follow(s, block->row + j, T);
        }
    }
}

// The row of a gap: its own push and those of the contacts that it carries.
static bool write_push(LiaSystem* s, const ModeRows* x, uint32_t k) {
    const LiaContactFormulas* of = &s->contacts[x->closed[k]];
    LiaExpr* Omega = x->Omega + (size_t)k * s->n;
    LiaRow* row = &s->rows[of->row];
    bool other = false;
    for (uint32_t b = 0; b < of->blocks; b++) other |= block_slides(s, &of->block[b]);
    for (uint32_t c = 0; c < x->count; c++) {
        double part = x->part[(size_t)c * x->count + k];
        if (!x->carried[c] || part == 0.0) continue;
        LiaExpr factor = lia_graph_real(s->graph, part);
        for (uint32_t i = 0; i < s->n; i++) {
            LiaExpr push = lia_graph_mul(s->graph, factor, x->Omega[(size_t)c * s->n + i]);
            Omega[i] = lia_graph_add(s->graph, Omega[i], push);
        }
        other = true;
    }
    if (!other) return true;
    row->coordinate = LIA_ARENA_NEW(s->arena, uint32_t, s->n + 1);
    row->Omega = LIA_ARENA_NEW(s->arena, LiaExpr, s->n + 1);
    if (!row->coordinate || !row->Omega) return false;
    row->entries = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        if (lia_graph_is_zero(s->graph, Omega[i])) continue;
        row->coordinate[row->entries] = i;
        row->Omega[row->entries++] = Omega[i];
    }
    row->ideal = row->workless = false;
    return true;
}

// What begins and ends: rows that are off, and the symbols of what is on.
static void set_switches(LiaSystem* s, LiaExpr* by) {
    for (uint32_t k = 0; k < s->mode.any->switch_count; k++) {
        const LiaSwitch* of = &s->mode.any->switches[k];
        bool on = lia_system_is_on(s, k);
        by[s->row_count + k] = on ? lia_graph_integer(s->graph, 1) : s->zero;
        if (on || of->force) continue;
        for (uint32_t r = s->first_row[of->index]; r < s->first_row[of->index + 1]; r++) {
            s->rows[r].identical = true;
            by[r] = s->zero;
        }
    }
}

static bool set_Q(LiaSystem* s) {
    if (!s->mode.any->Q_always) return true;
    s->lagrange.Q = LIA_ARENA_NEW(s->arena, LiaExpr, s->n + 1);
    if (!s->lagrange.Q) return false;
    for (uint32_t i = 0; i < s->n; i++) {
        s->lagrange.Q[i] = s->mode.any->Q_always[i];
        for (uint32_t k = 0; k < s->mode.any->switch_count; k++) {
            const LiaSwitch* of = &s->mode.any->switches[k];
            if (of->force && lia_system_is_on(s, k))
                s->lagrange.Q[i] = lia_graph_add(s->graph, s->lagrange.Q[i], of->Q[i]);
        }
    }
    return true;
}

// The rows of a block that sticks hold.
static void hold_block(LiaSystem* s, const ModeRows* x, const LiaContactFormulas* c, uint32_t b) {
    const LiaFrictionFormulas* block = &c->block[b];
    if (s->mode.now[block->place] != LIA_MODE_STICK) return;
    for (uint32_t r = block->row; r < block->row + block->rows; r++) {
        s->rows[r].identical = false;
        x->by[r] = (LiaExpr){0};
        if (s->rows[r].workless) s->rows[r].Omega_v = s->zero;
    }
}

// Which rows hold.
static void mark_rows(LiaSystem* s, const ModeRows* x) {
    for (uint32_t k = 0; k < s->contact_count; k++) {
        const LiaContactFormulas* c = &s->contacts[k];
        LiaContactMode mode = s->mode.now[k];
        s->rows[c->row].identical = mode == LIA_MODE_OPEN;
        if (mode == LIA_MODE_OPEN) x->by[c->row] = s->zero;
        for (uint32_t r = c->row + 1; r < c->row + c->rows; r++) {
            s->rows[r].identical = true;
            x->by[r] = s->zero;
        }
        for (uint32_t b = 0; b < c->blocks && mode != LIA_MODE_OPEN; b++) hold_block(s, x, c, b);
    }
    for (uint32_t k = 0; k < x->count; k++) {
        if (x->carried[k]) s->rows[s->contacts[x->closed[k]].row].identical = true;
    }
}

// Which rows hold, what they push, and by what the multipliers of the others are to be replaced.
static bool set_rows(LiaSystem* s, LiaExpr* by) {
    ModeRows x = {.by = by};
    bool good = make_room(s, &x) && lia_carried_find(s, x.closed, x.count, x.carried, x.part);
    if (good) mark_rows(s, &x);
    for (uint32_t k = 0; good && k < x.count; k++) find_push(s, &x, k);
    for (uint32_t k = 0; good && k < x.count; k++) {
        if (!x.carried[k]) good = write_push(s, &x, k);
    }
    set_switches(s, by);
    good = good && lia_rough_set(s, by);
    for (uint32_t i = 0; i < s->mode.following_count; i++)
        by[s->mode.following[i].row] = s->mode.following[i].formula;
    free(x.block);
    return good;
}

static LiaExpr* replace(LiaSystem* s, const LiaExpr* list, uint32_t count, const LiaExpr* by) {
    LiaExpr* out = LIA_ARENA_NEW(s->arena, LiaExpr, count + 1);
    for (uint32_t i = 0; out && i < count; i++)
        out[i] = lia_diff_substitute(s->graph, list[i], LIA_SYMBOL_MULTIPLIER, by,
                                     s->row_count + s->mode.any->switch_count);
    return out;
}

// Formulas that are made of multipliers, with those of this mode.
static bool set_formulas(LiaSystem* s, const LiaExpr* by) {
    for (uint32_t i = 0; i < s->mode.watched_count; i++) {
        LiaExpr* f = &s->mode.watched[i].formula;
        *f = lia_diff_substitute(s->graph, *f, LIA_SYMBOL_MULTIPLIER, by, s->row_count);
    }
    s->observables.samples = replace(s, s->observables.samples, s->observables.sample_count, by);
    s->observables.events = replace(s, s->observables.events, s->model->events_count, by);
    LiaPowerLine* lines = LIA_ARENA_NEW(s->arena, LiaPowerLine, s->line_count + 1);
    if (!s->observables.samples || !s->observables.events || !lines) return false;
    for (uint32_t l = 0; l < s->line_count; l++) {
        lines[l] = s->lines[l];
        bool contact = l < s->model->constraints_count &&
                       (s->model->constraints[l].contact || s->model->constraints[l].rough);
        bool part = s->lines[l].part;
        if (!contact && !part && s->mode.any->switch_count == 0) continue;
        LiaExpr power = contact ? lia_powers_of_constraint(s, l)
                        : part  ? lia_powers_of_friction(s, s->lines[l].index)
                                : s->lines[l].power;
        lines[l].power = lia_diff_substitute(s->graph, power, LIA_SYMBOL_MULTIPLIER, by,
                                             s->row_count + s->mode.any->switch_count);
    }
    s->lines = lines;
    return true;
}

// All but the dynamics, from the formulas of any mode.
static bool settle(LiaSystem* s) {
    const LiaAnyMode* any = s->mode.any;
    uint32_t slips = 0;
    for (uint32_t k = 0; k < s->contact_count; k++) slips += s->contacts[k].rows;
    LiaRow* rows = LIA_ARENA_NEW(s->arena, LiaRow, s->row_count + 1);
    s->mode.following = LIA_ARENA_NEW(s->arena, LiaFollowing, slips + s->rough_count + 1);
    LiaExpr* by =
        LIA_ARENA_NEW(s->arena, LiaExpr, (size_t)s->row_count + s->mode.any->switch_count + 1);
    if (!rows || !s->mode.following || !by) return false;
    memcpy(rows, any->rows, s->row_count * sizeof *rows);
    s->rows = rows;
    s->rubbing = NULL;
    s->observables.samples = any->samples;
    s->observables.events = any->events;
    s->lines = any->lines;
    return set_rows(s, by) && set_Q(s) && watch_modes(s) && set_formulas(s, by);
}

bool lia_contacts_settle(LiaSystem* s) {
    LiaAnyMode* any = s->mode.any;
    any->rows = s->rows;
    any->samples = s->observables.samples;
    any->events = s->observables.events;
    any->lines = s->lines;
    return s->mode.any->switch_count == 0 || settle(s);
}

LiaRow* lia_contacts_row(LiaSystem* s, uint32_t row) { return &s->mode.any->rows[row]; }

static bool make_mode(LiaSystem* s, bool eliminate) {
    return settle(s) && lia_system_dynamics(s, eliminate) && !s->graph->failed;
}

LiaSystem* lia_contacts_mode(const LiaSystem* base, const LiaContactMode* mode) {
    LiaSystem* s = lia_memory_take(sizeof *s);
    size_t count = lia_system_mode_count(base);
    if (!s) return NULL;
    *s = *base;
    s->mode.base = base;
    s->origin.own = NULL;
    s->full = s->plain = s->reduced = NULL;
    s->origin.choices = NULL;
    s->origin.choice_count = 0;
    s->mode.watched_count = s->mode.following_count = 0;
    s->rates = (LiaRates){0};
    s->arena = lia_arena_create();
    s->graph = lia_graph_copy(base->graph);
    s->mode.now = s->arena ? LIA_ARENA_NEW(s->arena, LiaContactMode, count + 1) : NULL;
    LiaPreferred* preferred = &s->mode.preferred;
    preferred->mu = s->arena ? LIA_ARENA_NEW(s->arena, double, s->row_count + 1) : NULL;
    preferred->slope = s->arena ? LIA_ARENA_NEW(s->arena, double, s->row_count + 1) : NULL;
    bool good = s->graph && s->mode.now && preferred->mu && preferred->slope;
    if (good) memcpy(s->mode.now, mode, count * sizeof *mode);
    if (good && make_mode(s, base->reduced != base->plain)) return s;
    lia_contacts_destroy_mode(s);
    return NULL;
}

void lia_contacts_destroy_mode(LiaSystem* s) {
    if (!s) return;
    if (s->reduced != s->plain) lia_dynamics_destroy(s->reduced);
    if (s->plain != s->full) lia_dynamics_destroy(s->plain);
    lia_dynamics_destroy(s->full);
    lia_graph_destroy(s->graph);
    lia_arena_destroy(s->arena);
    free(s);
}
