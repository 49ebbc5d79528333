// A start where K0 is singular. Either that is so here alone: the operator has no hold in these
// positions, and the run cannot begin; or everywhere, because an operator acts through springs:
// then the state must satisfy further, hidden equations (relative_degree.c), and the nearest state
// that does is taken.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include "mechanics/degree/relative_degree.h"
#include "mechanics/start/search/search.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Looked at where positions and velocities are drawn elsewhere, near first.
bool lia_start_singular_here_alone(LiaSearch* z) {
    size_t size = (size_t)z->n * sizeof(double);
    double* kept = lia_memory_take(4 * size + 1);
    bool alone = false;
    if (!kept) return false;
    memcpy(kept, z->w->q, size);
    memcpy(kept + z->n, z->target[0], size);
    memcpy(kept + 2 * z->n, z->w->v, size);
    memcpy(kept + 3 * z->n, z->target[1], size);
    double scale = 1.0, speed = 1.0;
    for (int i = 0; i < z->n; i++) {
        scale = fmax(scale, fabs(kept[i]));
        speed = fmax(speed, fabs(kept[2 * z->n + i]));
    }
    uint64_t random = 88172645463325252u;
    for (int trial = 0; trial < 4 && !alone; trial++) {
        for (int i = 0; i < z->n; i++) {
            double part = 0.5 * lia_random_even(&random);
            z->target[0][i] = z->w->q[i] = kept[i] + (trial < 2 ? 0.5 : 2.0 * scale) * part;
            part = 0.5 * lia_random_even(&random);
            z->target[1][i] = z->w->v[i] = kept[2 * z->n + i] + 2.0 * speed * part;
        }
        double left = fmax(lia_search_find(z, 0, true), lia_search_find(z, 1, true));
        alone = left < LIA_START_ADMISSIBLE && lia_workspace_factor(z->w) &&
                z->w->saddle.pivot > LIA_START_FIRM;
    }
    memcpy(z->w->q, kept, size);
    memcpy(z->target[0], kept + z->n, size);
    memcpy(z->w->v, kept + 2 * z->n, size);
    memcpy(z->target[1], kept + 3 * z->n, size);
    lia_search_evaluate(z);
    free(kept);
    return alone;
}

// The lowest derivative of each equation that the state in w misses.
static void say_hidden(const LiaSearch* z, LiaWorkspace* w, const LiaRelativeDegree* degree,
                       LiaDiags* diags) {
    lia_workspace_update(w, w->jets.order);
    bool known =
        lia_workspace_factor(w) && lia_relative_degree_residuals(w) && !degree->derivative_array;
    const double* level = w->forces.level;
    for (int h = 0; h < degree->count; h++) {
        const LiaRow* r = &z->s->rows[w->dynamics->rows[degree->row[h]]];
        int derivative = degree->base[h] + degree->shift[h], missed = 0;
        while (missed < derivative && !(fabs(level[missed]) > LIA_START_MISSED)) missed++;
        double by = known && missed < derivative ? level[missed] : 0.0;
        level += derivative;
        if (!degree->shift[h] || (known && by == 0.0)) continue;
        const char* name = z->s->model->constraints[r->constraint].name;
        if (known) {
            lia_diag_error(diags, r->span, "E0302",
                           "the start contradicts a hidden equation of '%s': derivative %d of left "
                           "minus right is %.6g, not 0 (its force appears only in derivative %d)",
                           name, missed, by, derivative);
        } else {
            lia_diag_error(diags, r->span, "E0302",
                           "the start contradicts a hidden equation of '%s': its force appears "
                           "only in derivative %d, so the state must satisfy the first %d",
                           name, derivative, derivative);
        }
    }
}

// Not even with all values free.
static void say_not_found(const LiaSearch* z, const LiaWorkspace* w,
                          const LiaRelativeDegree* degree, LiaDiags* diags) {
    int h = 0;
    while (h + 1 < degree->count && !degree->shift[h]) h++;
    const LiaRow* r = &z->s->rows[w->dynamics->rows[degree->row[h]]];
    int derivative = degree->base[h] + degree->shift[h];
    lia_diag_error(diags, r->span, "E0302",
                   "no start was found that satisfies the hidden equations of '%s': its force "
                   "appears only in derivative %d, so the state must satisfy the first %d",
                   z->s->model->constraints[r->constraint].name, derivative, derivative);
    lia_diag_help(diags, "guess values nearer to it, with '~', also of velocities; or do the "
                         "operators contradict each other?");
}

// No state satisfies all that the operators ask, as far as their forces have no part in it.
static void say_no_state(const LiaSearch* z, const LiaWorkspace* w, int derivative,
                         LiaDiags* diags) {
    LiaText names = {0};
    LiaSpan span = {0, 0};
    uint32_t said = UINT32_MAX;
    for (int c = 0; c < w->nc; c++) {
        const LiaRow* row = &z->s->rows[w->dynamics->rows[c]];
        const LiaConstraint* of = &z->s->model->constraints[row->constraint];
        if (!of->active || row->constraint == said) continue;
        if (!names.length) span = row->span;
        lia_text_add(&names, "%s'%s'", names.length ? ", " : "", of->name);
        said = row->constraint;
    }
    lia_diag_error(
        diags, span, "E0302",
        "no start was found: of the equations of %s and their derivatives up to the "
        "%d%s there are combinations in which no force appears, so that the state itself "
        "must satisfy them, and none near the one given does",
        names.data ? names.data : "operators", derivative,
        derivative == 2   ? "nd"
        : derivative == 3 ? "rd"
                          : "th");
    lia_diag_help(diags, "do the operators contradict each other? Or guess values nearer to a "
                         "start, with '~', also of velocities");
    lia_text_clear(&names);
}

static bool move_start(LiaWorkspace* w, LiaRelativeDegree* degree, const bool* given,
                       double* moved) {
    if (degree->derivative_array) return lia_relative_degree_find_climb(w, degree, given, moved);
    return lia_relative_degree_project(w, 1, given, moved);
}

// Project the start, with what is given kept; else say which equations it contradicts, and the
// nearest that does not. Where there is none, *lost is set and nothing is said.
static LiaStatus project(LiaSearch* z, LiaWorkspace* w, LiaRelativeDegree* degree,
                         const bool* given, LiaDiags* diags, LiaText* choices) {
    double moved = 0.0;
    if (move_start(w, degree, given, NULL)) {
        lia_workspace_put(z->w, z->w->t, w->q, w->v);
        return LIA_OK;
    }
    lia_workspace_put(w, w->t, z->w->q, z->w->v);
    bool found = move_start(w, degree, NULL, &moved);
    if (found && moved < LIA_START_ROUNDING) {
        lia_text_add(choices,
                     "start: the given state missed hidden equations by %.1e (rounding); it was "
                     "projected\n",
                     moved);
        lia_workspace_put(z->w, z->w->t, w->q, w->v);
        return LIA_OK;
    }
    lia_workspace_put(w, w->t, z->w->q, z->w->v);
    if (!found) return LIA_FAILED;
    say_hidden(z, w, degree, diags);
    if (move_start(w, degree, NULL, NULL)) {
        lia_workspace_put(z->w, z->w->t, w->q, w->v);
        LiaText text = {0};
        lia_start_text_describe(z, &text);
        lia_diag_help(diags, "nearest admissible start: %s", text.data ? text.data : "");
        lia_text_clear(&text);
    }
    return LIA_MODEL;
}

// A workspace in the state of z that looks far enough ahead. NULL if memory is out.
static LiaWorkspace* far_sighted(const LiaSearch* z) {
    int order = 2 * z->n + 8 < 40 ? 2 * z->n + 8 : 40;
    LiaWorkspace* w = lia_workspace_create(z->s, z->s->full, order);
    if (!w) return NULL;
    w->t = z->w->t;
    lia_workspace_put(w, w->t, z->w->q, z->w->v);
    lia_workspace_take_sides(w, z->w);
    lia_workspace_take_phi_start(w);
    return w;
}

bool lia_start_singular_move(LiaSearch* z) {
    lia_search_evaluate(z);
    if (lia_workspace_factor(z->w)) return true;
    LiaRelativeDegreeLack lack;
    LiaWorkspace* w = far_sighted(z);
    LiaRelativeDegree* degree = w ? lia_relative_degree_find(w, &lack) : NULL;
    bool moved = !degree || degree->ahead == 0 || move_start(w, degree, NULL, NULL);
    if (degree && moved) lia_workspace_put(z->w, z->w->t, w->q, w->v);
    lia_workspace_destroy(w);
    lia_relative_degree_destroy(degree);
    return moved;
}

// The same; where equations one by one lead nowhere, with their derivatives together.
static LiaStatus project_either_way(LiaSearch* z, LiaWorkspace* w, LiaRelativeDegree** degree,
                                    const bool* given, LiaDiags* diags, LiaText* choices) {
    LiaStatus status = project(z, w, *degree, given, diags, choices);
    if (status != LIA_FAILED) return status;
    LiaRelativeDegree* deeper =
        (*degree)->derivative_array ? NULL : lia_relative_degree_find_deepen(w, 1);
    if (deeper) {
        lia_relative_degree_destroy(*degree);
        *degree = deeper;
        status = project(z, w, deeper, given, diags, choices);
    }
    if (status != LIA_FAILED) return status;
    say_not_found(z, w, *degree, diags);
    return LIA_MODEL;
}

// *first: row of the system, the first that has hidden equations.
static LiaStatus project_once(LiaSearch* z, LiaDiags* diags, LiaText* choices, uint32_t* first) {
    int n = z->n;
    LiaStatus status = LIA_OK;
    LiaRelativeDegreeLack lack;
    LiaRelativeDegree* degree = NULL;
    LiaWorkspace* w = far_sighted(z);
    bool* given = lia_memory_zeros(2 * (size_t)n + 1, sizeof *given);  // positions, velocities
    if (!w || !given) {
        status = LIA_MEMORY;
    } else {
        memcpy(given, z->given[0], (size_t)n * sizeof *given);
        memcpy(given + n, z->given[1], (size_t)n * sizeof *given);
        degree = lia_relative_degree_find(
            w, &lack);  // if something else is lacking, the run will say what
        if (!degree && lack.kind == LIA_LACK_STATE && !lia_workspace_factor(z->w)) {
            say_no_state(z, w, lack.derivative, diags);
            status = LIA_MODEL;
        }
        if (degree && degree->ahead > 0) {
            for (int h = degree->count - 1; h >= 0; h--) {
                if (degree->shift[h]) *first = w->dynamics->rows[degree->row[h]];
            }
            status = project_either_way(z, w, &degree, given, diags, choices);
        }
    }
    lia_workspace_destroy(w);
    lia_relative_degree_destroy(degree);
    free(given);
    return status;
}

static void say_no_side(const LiaSearch* z, uint32_t row, LiaDiags* diags) {
    const LiaRow* r = &z->s->rows[row];
    lia_diag_error(diags, r->span, "E0302",
                   "no start was found near the one given: with the hidden equations of '%s' as "
                   "they are on one side of a corner the state comes out on the other side",
                   z->s->model->constraints[r->constraint].name);
    lia_diag_help(diags, "give or guess positions on one side of it, with '=' or '~'");
}

// Does the state in z->w go to other sides than these? Where it rests at a corner, up to rounding,
// it is on both: there `side` is kept.
static bool goes_elsewhere(LiaSearch* z, double ahead, const signed char* side) {
    LiaWorkspace* w = z->w;
    const LiaTape* tape = w->dynamics->tape;
    double size = 1.0;
    bool elsewhere = false;
    lia_workspace_inspect(w, ahead);
    for (int i = 0; i < z->n; i++) size = fmax(size, fabs(w->q[i]));
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        if (w->jets.side[g] == side[g]) continue;
        if (fabs(lia_jet_series(&w->jets, tape->guards[g].reg)[0]) > LIA_GUARD_AT_CORNER * size) {
            elsewhere = true;
        } else {
            w->jets.side[g] = side[g];
        }
    }
    return elsewhere;
}

// On the other side of a corner the equations are others, and lead elsewhere: until the state is on
// the side that was taken.
LiaStatus lia_start_singular_project(LiaSearch* z, LiaDiags* diags, const LiaStartState* start,
                                     LiaText* choices) {
    enum { ROUNDS = 6 };
    size_t size = (size_t)z->n * sizeof(double), guards = z->w->dynamics->tape->guard_count;
    double* kept = lia_memory_take(2 * size + guards + 1);
    if (!kept) return LIA_MEMORY;
    signed char* side = (signed char*)(kept + 2 * z->n);
    memcpy(kept, z->w->q, size);
    memcpy(kept + z->n, z->w->v, size);
    LiaStatus status = LIA_OK;
    uint32_t first = 0;
    for (int round = 0; status == LIA_OK; round++) {
        memcpy(side, z->w->jets.side, guards);
        status = project_once(z, diags, choices, &first);
        if (status != LIA_OK || start->sides) break;
        if (!goes_elsewhere(z, start->ahead, side)) break;
        if (round == ROUNDS) {
            say_no_side(z, first, diags);
            status = LIA_MODEL;
            break;
        }
        memcpy(z->w->q, kept, size);
        memcpy(z->w->v, kept + z->n, size);
    }
    free(kept);
    return status;
}
