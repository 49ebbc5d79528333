// A start that satisfies the constraints: what is given and guessed, the nearest admissible state
// to it (search.h), and whether a motion can begin there. See start.h.
// SPDX-License-Identifier: MIT
#include "mechanics/start/start.h"
#include "base/memory/memory.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include "mechanics/degree/relative_degree.h"
#include "mechanics/kkt/independent.h"
#include "mechanics/kkt/stage.h"
#include "mechanics/multipliers/min_norm.h"
#include "mechanics/regularity/regularity.h"
#include "mechanics/start/search/search.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- what is asked for --------------------------------------------------------------------------

// Backwards, so that the first statement about a coordinate counts.
static void take_starts(LiaSearch* z) {
    const LiaModel* m = z->s->model;
    for (uint32_t k = m->start.values_count; k > 0; k--) {
        const LiaStart* s = &m->start.values[k - 1];
        int level = s->velocity ? 1 : 0;
        double* x = level == 0 ? z->w->q : z->w->v;
        z->given[level][s->coordinate] = !s->guess;
        if (level == 0) z->guessed[s->coordinate] = s->guess;
        z->target[level][s->coordinate] = x[s->coordinate] = s->value;
    }
}

// A state to begin from; what the model says are guesses then.
static void take_given(LiaSearch* z, const LiaStartState* start) {
    for (int level = 0; level < 2; level++) {
        double* x = level == 0 ? z->w->q : z->w->v;
        const double* from = level == 0 ? start->given_q : start->given_v;
        for (int i = 0; from && i < z->n; i++) {
            bool turns = z->s->model->coordinates[i].manifold == LIA_ROTATION;
            z->given[level][i] = !isnan(from[i]) && !(level == 1 && turns);  // see start_spins.c
            if (z->given[level][i]) z->target[level][i] = x[i] = from[i];
        }
    }
}

// Inner coordinates begin where the shapes touch or are nearest, unless a state to begin in has
// them.
static void place_feet(LiaSearch* z) {
    const LiaModel* m = z->s->model;
    bool given = m->contact_points_count > 0;
    for (int i = 0; i < z->n; i++) given = given && (!m->coordinates[i].inner || z->given[0][i]);
    if (m->contact_points_count == 0 || given) return;
    lia_start_contact_find(z->s, z->w);
    for (int i = 0; i < z->n; i++) {
        if (!m->coordinates[i].inner) continue;
        z->target[0][i] = z->w->q[i];
        z->given[0][i] = z->given[1][i] = false;
    }
}

// --- the nearest admissible state ---------------------------------------------------------------

// Attitudes that are open, drawn at random into the targets. False if none is open.
static bool draw_attitudes(LiaSearch* z, uint64_t* random) {
    const LiaModel* m = z->s->model;
    bool any = false;
    for (uint32_t k = 0; k < m->groups_count; k++) {
        uint32_t first = m->groups[k].first;
        double size = 0.0, x[4];
        if (m->groups[k].manifold != LIA_ROTATION || !lia_search_moves(z, (int)first)) continue;
        for (int i = 0; i < 4; i++) {
            x[i] = lia_random_even(random);
            size += x[i] * x[i];
        }
        for (int i = 0; i < 4 && size > 0.0; i++)
            z->target[0][first + (uint32_t)i] = x[i] / sqrt(size);
        any = true;
    }
    return any;
}

enum { TRIED_MOST = 500 };  // coordinates

// The bodies of a joint came to stand against each other, as near as they did the other way (axes
// at right angles at first), or no start was found: from other attitudes the branch that is meant
// is reached, and of several such starts the nearest is taken.
static void try_other_branches(LiaSearch* z) {
    size_t size = (size_t)z->n * sizeof(double);
    double *kept = lia_memory_take(3 * size + 1), least = INFINITY;
    if (!kept) return;
    double *found = kept + z->n, *target = found + z->n, *q = z->w->q;
    memcpy(kept, q, size);
    memcpy(target, z->target[0], size);
    uint64_t random = 0x9e3779b97f4a7c15u;
    for (int trial = 0; trial < 8 && draw_attitudes(z, &random); trial++) {
        for (int i = 0; i < z->u; i++) q[z->unknown[i]] = z->target[0][z->unknown[i]];
        double residual = lia_search_find(z, 0, false);
        for (int pass = 0; pass < 2; pass++) {  // then back towards what was asked for
            if (!(residual < LIA_START_FOUND) || lia_search_astray(z)) break;
            double distance = 0.0;
            for (int i = 0; i < z->n; i++) distance += (q[i] - target[i]) * (q[i] - target[i]);
            if (distance < least) {
                least = distance;
                memcpy(found, q, size);
            }
            memcpy(z->target[0], target, size);
            residual = lia_search_find(z, 0, false);
        }
        memcpy(z->target[0], target, size);
    }
    memcpy(z->target[0], target, size);
    memcpy(q, isfinite(least) ? found : kept, size);
    lia_search_evaluate(z);
    free(kept);
}

// Do sides of an equation between rotations stand half a turn from each other, where numbers hardly
// tell?
static bool half_a_turn_wrong(const LiaSearch* z) {
    int wrong = lia_branch_is_wrong(z->s, z->w->q, z->w->t);
    return wrong > 0 && z->s->branches.signs[wrong - 1].turn;
}

// Which sides of corners the state is on, and goes to.
static void take_sides(LiaSearch* z, const LiaStartState* start) {
    if (start->sides) {
        lia_workspace_take_sides(z->w, start->sides);
    } else {
        lia_workspace_inspect(z->w, start->ahead);
    }
}

// The worst scaled residual left.
static double search_level(LiaSearch* z, int level) {
    double residual = lia_search_find(z, level, false);
    if (level == 0 && z->n <= TRIED_MOST &&
        (!(residual < LIA_START_CLOSE) || lia_search_astray(z))) {
        try_other_branches(z);
        residual = half_a_turn_wrong(z) ? INFINITY : lia_search_worst(z, 0);
    }
    if (!(residual < LIA_START_CLOSE)) residual = lia_search_further(z, level, residual);
    bool found = residual < LIA_START_FOUND && (level == 1 || !lia_search_astray(z));
    return found ? lia_search_nearer(z, level, residual) : residual;
}

// Driven positions are set, and what equations connect with one that does not hold moves; the rest
// stays: `stays`, of each position. False if that leads to no admissible positions, or memory is
// out (*memory).
static bool find_connected(LiaSearch* z, const LiaStartState* start, bool* stays, bool* memory) {
    bool mendable;
    take_sides(z, start);
    *memory = !lia_start_driven_set(z);
    if (*memory) return false;
    place_feet(z);
    take_sides(z, start);
    *memory = !lia_connected_find(z, &mendable);
    if (*memory || !mendable) return false;
    for (int i = 0; i < z->n; i++)
        stays[i] = z->part[i] < 0 && z->driven.by[i] < 0 && !z->given[0][i];
    z->apart = true;
    bool found = search_level(z, 0) < LIA_START_FOUND && !lia_search_astray(z);
    z->apart = false;
    if (found) *memory = !lia_connected_put_back(z);
    return found && !*memory;
}

// All positions that are not given move together, from the guesses as they are.
static double find_together(LiaSearch* z, const LiaStartState* start, const double* guesses) {
    memcpy(z->w->q, guesses, (size_t)z->n * sizeof *guesses);
    memcpy(z->target[0], guesses, (size_t)z->n * sizeof *guesses);
    for (int i = 0; i < z->n; i++) z->driven.by[i] = -1;
    z->nowhere = false;
    place_feet(z);
    take_sides(z, start);
    return search_level(z, 0);
}

// Admissible positions were found as all moved together: those that no equation connects need not
// have. They go back, and the others to their nearest place from there. `residual`: what was left.
static double leave_alone(LiaSearch* z, const bool* stays, double residual) {
    size_t size = (size_t)z->n * sizeof(double);
    double *kept = lia_memory_take(size + 1), *q = z->w->q, left = INFINITY;
    bool moved = false;
    if (!kept) return residual;
    memcpy(kept, q, size);
    for (int i = 0; i < z->n; i++) {
        moved |= stays[i] && q[i] != z->target[0][i];
        if (stays[i]) q[i] = z->target[0][i];
    }
    if (moved) lia_search_evaluate(z);
    if (moved && lia_search_worst(z, 0) < LIA_START_FOUND) {
        z->apart = true;
        left = search_level(z, 0);
        z->apart = false;
    }
    bool good = left < LIA_START_FOUND && !lia_search_astray(z);
    if (moved && !good) {
        memcpy(q, kept, size);
        lia_search_evaluate(z);
    }
    free(kept);
    return good ? left : residual;
}

// The worst scaled residual left; infinite if memory is out.
static double find_positions(LiaSearch* z, const LiaStartState* start, bool* memory) {
    size_t n = (size_t)z->n;
    double* guesses = lia_memory_zeros(n + 1, sizeof *guesses + sizeof(bool));
    *memory = !guesses;
    if (!guesses) return INFINITY;
    bool* stays = (bool*)(guesses + n);
    memcpy(guesses, z->target[0], n * sizeof *guesses);
    bool tried = !z->as_one;
    z->as_one = z->as_one || !find_connected(z, start, stays, memory);
    double residual = INFINITY;
    if (!*memory) residual = z->as_one ? find_together(z, start, guesses) : lia_search_worst(z, 0);
    if (tried && z->as_one && residual < LIA_START_FOUND && !lia_search_astray(z))
        residual = leave_alone(z, stays, residual);
    free(guesses);
    return residual;
}

double lia_start_positions(const LiaSystem* system, double t, const bool* given, double* q,
                           const double* v) {
    LiaSearch z;
    LiaStartState start = {.t = t, .ahead = LIA_START_AHEAD};
    size_t n = system->n;
    double residual = INFINITY;
    bool memory = false;
    if (lia_search_init(&z, system)) {
        lia_workspace_put(z.w, t, q, v);
        memcpy(z.target[0], q, n * sizeof *q);
        memcpy(z.given[0], given, n * sizeof *given);
        for (size_t i = 0; i < n; i++) z.guessed[i] = !given[i];
        residual = find_positions(&z, &start, &memory);
        if (residual < LIA_START_FOUND) memcpy(q, z.w->q, n * sizeof *q);
    }
    lia_search_clear(&z);
    return memory ? INFINITY : residual;
}

// Spins are taken before: they need the attitudes.
static double find_velocities(LiaSearch* z, const LiaStartState* start) {
    lia_start_spins_take(z, start->given_v);
    take_sides(z, start);
    return search_level(z, 1);
}

// What is small relative to 1 may be large relative to the state: in a system of micrometres half a
// micrometre is no rounding.
static bool moved_much(const LiaSearch* z, int level, const double* x) {
    double size = 0.0, most = 0.0;
    for (int i = 0; i < z->n; i++) {
        size = fmax(size, fabs(z->target[level][i]));
        most = fmax(most, fabs(x[i] - z->target[level][i]));
    }
    return most > LIA_START_MOVED_MUCH * size;
}

// What is given misses the equations by rounding only? Then it is projected; else the state stays
// as it was.
static bool project_rounding(LiaSearch* z, int level, double residual, LiaText* choices) {
    double* x = level == 0 ? z->w->q : z->w->v;
    if (!(residual < LIA_START_ROUNDING)) return false;
    memcpy(z->target[level], x, (size_t)z->n * sizeof(double));
    if (!(lia_search_find(z, level, true) < LIA_START_FOUND)) return false;
    if (moved_much(z, level, x)) {
        memcpy(x, z->target[level], (size_t)z->n * sizeof(double));
        return false;
    }
    lia_text_add(choices,
                 "start: the given %s missed the constraints by %.1e "
                 "(rounding); they were projected\n",
                 level ? "velocities" : "positions", residual);
    return true;
}

static bool project_quietly(LiaSearch* z, LiaStartState* start) {
    LiaDiags* quiet = lia_diags_create();
    bool done = quiet && lia_start_singular_project(z, quiet, start, &start->choices) == LIA_OK;
    lia_diags_destroy(quiet);
    lia_search_evaluate(z);
    return done && lia_search_worst(z, 0) < LIA_START_FOUND &&
           lia_search_worst(z, 1) < LIA_START_FOUND;
}

// No velocities at these positions satisfy what operators and constraints ask, but others may: the
// skate does not stand along the curve. True if a state was found that satisfies all that is hidden
// in the equations, from what was asked for or from here.
static bool turn_into_it(LiaSearch* z, LiaStartState* start) {
    size_t n = (size_t)z->n;
    if (!lia_relative_degree_find_has_operators(z->w)) return false;
    double* kept = lia_memory_take((2 * n + 1) * sizeof *kept);
    if (!kept) return false;
    memcpy(kept, z->w->q, n * sizeof *kept);
    memcpy(kept + n, z->w->v, n * sizeof *kept);
    lia_workspace_put(z->w, z->w->t, z->target[0], z->target[1]);
    bool found = project_quietly(z, start);
    if (!found) {
        lia_workspace_put(z->w, z->w->t, kept, kept + n);
        found = project_quietly(z, start);
    }
    if (!found) lia_workspace_put(z->w, z->w->t, kept, kept + n);
    start->degree = found;
    free(kept);
    return found;
}

static LiaStatus find_state(LiaSearch* z, LiaDiags* diags, LiaStartState* start) {
    bool memory = false;
    for (int level = 0; level < 2; level++) {
        double residual =
            level == 0 ? find_positions(z, start, &memory) : find_velocities(z, start);
        if (memory) return LIA_MEMORY;
        if (residual < LIA_START_FOUND || project_rounding(z, level, residual, &start->choices))
            continue;
        if (level == 1 && turn_into_it(z, start)) continue;
        lia_search_evaluate(z);
        if (level == 1 && z->s->phase.flow) {
            if (lia_start_text_powerless(z, diags)) return LIA_MODEL;
            continue;  // no constraint is to blame: the first step says what is too large
        }
        const double* x = level == 0 ? z->w->q : z->w->v;
        memcpy(z->target[level], x, (size_t)z->n * sizeof(double));
        lia_start_text_contradiction(z, level, diags);
        return LIA_MODEL;
    }
    return LIA_OK;
}

// --- whether a motion can begin there -----------------------------------------------------------

// The axes of joints stand along each other, and no contact is beyond the end of its shape?
static LiaStatus check_places(const LiaSearch* z, LiaDiags* diags) {
    int wrong = lia_branch_is_wrong(z->s, z->w->q, z->w->t);
    if (wrong > 0) lia_branch_say(z->s, wrong, diags);
    if (wrong) return wrong > 0 ? LIA_MODEL : LIA_MEMORY;
    bool memory = false;
    if (lia_start_ends_inside(z->s, z->w->q, z->w->t, diags, &memory)) return LIA_OK;
    return memory ? LIA_MEMORY : LIA_MODEL;
}

// Can the forces do what is asked of them? Where K0 is singular up to rounding, the coupling number
// tells.
static bool can_act(LiaSearch* z) {
    if (!lia_workspace_factor(z->w)) return false;
    return z->w->saddle.pivot > LIA_START_FIRM || !(lia_regularity(z->w) < LIA_COUPLING_NONE);
}

// Does something of what operators ask follow from other equations as far as velocities go, and not
// beyond? A skate that is led along a curve cannot but turn into it.
static bool asks_more(LiaSearch* z) {
    LiaWorkspace* w = z->w;
    if (w->nr == w->nc || !lia_relative_degree_find_has_operators(w)) return false;
    if (lia_independent_force_rank(w) > w->nr) return true;
    lia_stage_accelerate(w);
    bool more = w->contradiction != 0;
    lia_search_evaluate(z);
    return more;
}

static LiaStatus check_regular(LiaSearch* z, LiaDiags* diags, LiaStartState* start) {
    lia_search_evaluate(z);
    if (start->degree) return LIA_OK;
    bool acts = can_act(z), more = acts && asks_more(z);
    if (acts && !more) return LIA_OK;
    start->singular = !more && lia_start_singular_here_alone(z);
    start->degree = !start->singular;
    return start->singular ? LIA_OK : lia_start_singular_project(z, diags, start, &start->choices);
}

// Where other equations ask what an eliminated operator asks, its force is one of many.
static bool drives_share(const LiaSearch* z) {
    const LiaDynamics* reduced = z->s->reduced;
    if (reduced == z->s->plain || z->w->nr == z->w->nc) return false;
    lia_min_norm_multipliers(z->w);
    for (uint32_t k = 0; k < reduced->drive_count; k++) {
        if (!z->w->unique[reduced->drive_row[k]]) return true;
    }
    return false;
}

// What there is to know of the state that was found.
static void give_state(LiaSearch* z, LiaStartState* start) {
    lia_start_choices_note(z, &start->choices, &start->chosen);
    lia_search_evaluate(z);
    lia_workspace_factor(z->w);
    start->regularity = lia_regularity(z->w);
    start->shared = drives_share(z);
}

void lia_start_clear(LiaStartState* start) {
    lia_text_clear(&start->choices);
    lia_text_clear(&start->chosen);
}

// From what is given and guessed. `together`: all positions that are not given move; else those
// that have to, and where that leads to no admissible positions, all of them (*together).
static LiaStatus find_start(const LiaSystem* s, LiaDiags* diags, LiaStartState* start,
                            bool* as_one) {
    LiaSearch z;
    if (!lia_search_init(&z, s)) {
        lia_search_clear(&z);
        return LIA_MEMORY;
    }
    start->degree = start->singular = false;
    z.w->t = start->t;
    for (int i = 0; i < z.n; i++) z.target[0][i] = z.w->q[i] = s->model->coordinates[i].rest;
    take_starts(&z);
    take_given(&z, start);
    z.as_one = *as_one;
    LiaStatus status = find_state(&z, diags, start);
    if (status == LIA_OK) status = check_places(&z, diags);
    if (status == LIA_OK && !start->state_alone) status = check_regular(&z, diags, start);
    if (status == LIA_OK) give_state(&z, start);
    memcpy(start->q, z.w->q, (size_t)z.n * sizeof(double));
    memcpy(start->v, z.w->v, (size_t)z.n * sizeof(double));
    *as_one = z.as_one;
    lia_search_clear(&z);
    return status;
}

static bool begins(LiaStatus status, const LiaStartState* start) {
    return status == LIA_OK && !start->singular;
}

// Where everything stays no motion can begin: no velocities are admissible there, or an operator
// has no hold. It may where all positions move together. `start` is as find_start() left it, with
// `status`; if that helps, it is the other one.
static LiaStatus find_other_start(const LiaSystem* s, LiaDiags* diags, LiaStartState* start,
                                  LiaStatus status, const LiaText* said) {
    size_t n = s->n;
    double* state = lia_memory_take((2 * n + 1) * sizeof *state);
    if (!state) return LIA_MEMORY;
    LiaStartState other = *start;
    LiaDiagsMark mark = lia_diag_mark(diags);
    bool as_one = true;
    other.q = state, other.v = state + n;
    other.choices = other.chosen = (LiaText){0};
    if (said->data) lia_text_add(&other.choices, "%s", said->data);
    LiaStatus now = find_start(s, diags, &other, &as_one);
    lia_diag_reset(diags, mark);
    if (now == LIA_MEMORY || begins(now, &other)) {
        status = now;
        memcpy(start->q, other.q, n * sizeof *state);
        memcpy(start->v, other.v, n * sizeof *state);
        other.q = start->q, other.v = start->v;
        LiaStartState before = *start;
        *start = other;
        other = before;
    }
    lia_start_clear(&other);
    free(state);
    return status;
}

LiaStatus lia_start_find(const LiaSystem* s, LiaDiags* diags, LiaStartState* start) {
    bool state = start->given_q || start->given_v;
    if (s->model->phase.momenta_count > 0 && !state) {
        return lia_start_momenta_find(s, diags, start);
    }
    LiaText said = {0};  // before this
    if (start->choices.data) lia_text_add(&said, "%s", start->choices.data);
    LiaDiagsMark mark = lia_diag_mark(diags);
    bool as_one = false;
    LiaStatus status = find_start(s, diags, start, &as_one);
    if (!begins(status, start) && !as_one && status != LIA_MEMORY) {
        status = find_other_start(s, diags, start, status, &said);
        if (begins(status, start)) lia_diag_reset(diags, mark);
    }
    lia_text_clear(&said);
    return status;
}
