// Projection onto the equations that are hidden in those of operators that act through springs, and
// all others: least change in units of the sizes of positions and velocities.
//
// Where forces are decided together (derivative_array.c) they are unknowns too, of all orders up to
// the depth, and the equations are the derivatives themselves: which combinations of them are free
// of forces need not be known on the way, where that is not yet what it is on the states that
// satisfy them. A change of a force counts little. The slopes of the levels by the state:
// level_slopes.c.
//
// This is the simplified Newton of Deuflhard (2004), not that of base/numeric/newton.h: slopes are
// kept from one projection to the next and found anew where steps contract too slowly or the number
// of equations changes, and what decides about a step is the length of the next one with the same
// slopes, since levels of different derivatives have no norm in common.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include "mechanics/degree/derivative_array.h"
#include "mechanics/degree/level_slopes.h"
#include "mechanics/degree/relative_degree.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double worst(const struct LiaSlopes* s) {
    double most = 0.0;
    for (int j = 0; j < s->m; j++) {
        if (!isfinite(s->f[j])) return INFINITY;
        most = lia_larger(most, fabs(s->f[j]) / s->size[j]);
    }
    return most;
}

// Number i of Newton's step from s->f with the slopes as they are.
static double step_of(const struct LiaSlopes* s, int i) {
    double sum = 0.0;
    for (int k = 0; k < s->m; k++) sum -= s->inverse[i * s->m + k] * s->f[k] / s->size[k];
    return sum;
}

// The whole step. Gives its size, in units of the sizes of the state; *of_forces: in units of
// theirs.
static double find_step(const LiaWorkspace* w, struct LiaSlopes* s, const bool* fixed,
                        double* of_forces) {
    double of_state = 0.0;
    *of_forces = 0.0;
    for (int i = 0; i < s->n; i++) {
        bool state = i < 2 * w->nf;
        s->step[i] = step_of(s, i);
        double* largest = state ? &of_state : of_forces;
        *largest = lia_larger(*largest, fabs(s->step[i]));
        if (state && fixed && fixed[i]) s->step[i] = 0.0;
    }
    return of_state;
}

// How long the next step would be with the same slopes, relative to the one that was taken: what
// counts is how far it is yet to go, in whatever units the equations are (Deuflhard 2004).
static double rest_of_way(const struct LiaSlopes* s) {
    double next = 0.0, taken = 0.0;
    for (int i = 0; i < s->n; i++) {
        double x = step_of(s, i);
        next += x * x;
        taken += s->step[i] * s->step[i];
    }
    return isfinite(next) ? sqrt(next / taken) : INFINITY;
}

static void move(LiaWorkspace* w, const struct LiaSlopes* s, double part) {
    for (int i = 0; i < s->n; i++)
        *lia_level_slopes_unknown(w, i) += part * s->step[i] * s->scale[i];
}

enum { STUCK_MOST = 3 };  // steps that came no nearer

// A step to where the equations are, as the slopes say, or where that leads away, a part of it.
// Gives its size; *m as lia_level_slopes_equations().
static double take_step(LiaWorkspace* w, struct LiaSlopes* s, int order, const bool* fixed, int* m,
                        int* stuck) {
    double of_forces, size = find_step(w, s, fixed, &of_forces), part = 1.0;
    move(w, s, 1.0);
    *m = lia_level_slopes_equations(w, order, s->f);
    size = fmax(size, LIA_FORCE_COUNTS * of_forces);
    if (!w->forces.array || size < LIA_STEP_NEAR) return size;
    while (part > LIA_STEP_PART_LEAST &&
           !(*m == s->m && rest_of_way(s) < 1.0 - LIA_STEP_GAIN * part)) {
        move(w, s, -0.5 * part);
        part *= 0.5;
        *m = lia_level_slopes_equations(w, order, s->f);
    }
    if (!(part > LIA_STEP_PART_LEAST)) ++*stuck;
    return size;
}

// Forces that belong to the state as it is, if there are such: after a step they are those that go
// on.
static int begin_with_forces(LiaWorkspace* w, struct LiaSlopes* s, int m, int order) {
    double *kept = s->step, most = 0.0, now = 0.0;
    int n = w->forces.array->n;
    memcpy(kept, w->forces.array->first, (size_t)n * sizeof *kept);
    for (int j = 0; j < m; j++) most = fmax(most, fabs(s->f[j]));
    bool found = lia_derivative_array_forces(w);
    if (found) m = lia_level_slopes_equations(w, order, s->f);
    for (int j = 0; found && j < m; j++)
        now = isfinite(s->f[j]) ? fmax(now, fabs(s->f[j])) : INFINITY;
    if (found && m >= 0 && now <= most) return m;
    memcpy(w->forces.array->first, kept, (size_t)n * sizeof *kept);
    return lia_level_slopes_equations(w, order, s->f);
}

// The size of positions and velocities in a state.
static void sizes_of(const LiaWorkspace* w, const double* state, double size[2]) {
    size[0] = size[1] = 1.0;
    for (int i = 0; i < 2 * w->nf; i++) {
        size[i >= w->nf] = fmax(size[i >= w->nf], fabs(state[i]));
    }
}

// How far the state is from where it was, in units of the sizes it had there.
static double distance(LiaWorkspace* w, const double* from) {
    double most = 0.0, size[2];
    sizes_of(w, from, size);
    for (int i = 0; i < 2 * w->nf; i++) {
        most = fmax(most, fabs(*lia_level_slopes_unknown(w, i) - from[i]) / size[i >= w->nf]);
    }
    return most;
}

bool lia_relative_degree_project_reach(LiaWorkspace* w, int order, const bool* fixed,
                                       double* moved) {
    order += w->forces.degree->ahead;
    if (order > w->jets.order) order = w->jets.order;
    if (!w->forces.slopes) w->forces.slopes = lia_level_slopes_make(w);
    struct LiaSlopes* s = w->forces.slopes;
    if (!s) return false;
    double total = 0.0, last = INFINITY;
    bool settled = false, fresh = false;
    int stuck = 0;
    for (int i = 0; i < 2 * w->nf; i++) s->from[i] = *lia_level_slopes_unknown(w, i);
    if (fixed) s->m = 0;
    int m = lia_level_slopes_equations(w, order, s->f);
    if (w->forces.array && m >= 0) m = begin_with_forces(w, s, m, order);
    for (int pass = 0; m >= 0 && pass < 40 && !settled && stuck < STUCK_MOST; pass++) {
        fresh = s->m != m || pass > 12 || (pass > 0 && last > LIA_SLOPES_ANEW);
        if (fresh) lia_level_slopes_find(w, s, m, order, fixed);
        if (lia_watch_asked()) break;
        if (worst(s) < LIA_LEVELS_HOLD) {
            settled = true;
            break;
        }
        double step = take_step(w, s, order, fixed, &m, &stuck);
        total += step;
        settled =
            step < LIA_PROJECTION_DONE ||
            (fresh && pass > 1 && step < LIA_PROJECTION_BLURRED && step > LIA_STEPS_STALL * last);
        if (!fresh && !settled && !(step < LIA_SLOPES_STILL_GOOD * last))
            s->m = 0;  // find them anew
        last = step;
    }
    settled = settled && m == s->m && worst(s) < LIA_LEVELS_MISSED;
    w->projection.blur = settled ? lia_level_slopes_blur(w, s, order) : 0.0;
    if (settled) {  // leave the workspace as residuals() wants it
        lia_workspace_update(w, order);
        settled = lia_workspace_factor(w);
    }
    if (fixed || !settled) s->m = 0;
    if (moved) *moved = w->forces.array ? distance(w, s->from) : total;
    return settled;
}

// A state near `kept`: nearer ones first.
static void draw_near(LiaWorkspace* w, const double* kept, const bool* fixed, int draw,
                      uint64_t* random) {
    double spread = draw < 6 ? 0.5 : 2.0, size[2];
    sizes_of(w, kept, size);
    for (int i = 0; i < 2 * w->nf; i++) {
        double x = lia_random_even(random);
        *lia_level_slopes_unknown(w, i) =
            kept[i] + (fixed && fixed[i] ? 0.0 : spread * size[i >= w->nf] * x);
    }
    memset(w->forces.array->first, 0, (size_t)w->forces.array->n * sizeof(double));
}

bool lia_relative_degree_project_seek(LiaWorkspace* w, const bool* fixed, double* moved) {
    enum { DRAWS = 12, NUMBERS_MOST = 60 };
    const double far = 3.0;  // from there one looks whether there is something nearer
    int n = 2 * w->nf;
    double least = INFINITY;
    bool arrived = lia_relative_degree_project_reach(w, 1, fixed, &least);
    if (moved) *moved = least;
    if (arrived && least < far) return true;
    if (!w->forces.array || !w->forces.slopes || n > NUMBERS_MOST) return arrived;
    double* kept = lia_memory_take((2 * (size_t)n + 1) * sizeof *kept);
    if (!kept) return false;
    double* found = kept + n;
    memcpy(kept, w->forces.slopes->from, (size_t)n * sizeof *kept);
    for (int i = 0; i < n; i++) found[i] = *lia_level_slopes_unknown(w, i);
    if (!arrived) least = INFINITY;
    uint64_t random = 0x9e3779b97f4a7c15u;
    for (int draw = 0; draw < DRAWS && !lia_watch_asked(); draw++) {
        draw_near(w, kept, fixed, draw, &random);
        if (!lia_relative_degree_project_reach(w, 1, fixed, NULL)) continue;
        double away = distance(w, kept);
        if (!(away < least)) continue;
        least = away;
        for (int i = 0; i < n; i++) found[i] = *lia_level_slopes_unknown(w, i);
    }
    for (int i = 0; i < n; i++)
        *lia_level_slopes_unknown(w, i) = isfinite(least) ? found[i] : kept[i];
    free(kept);
    if (moved) *moved = least;
    return isfinite(least) && lia_relative_degree_project_reach(w, 1, fixed, NULL);
}

// The square of the distance from a state, in units of the sizes it has there.
static double squared_distance(LiaWorkspace* w, const double* from) {
    double sum = 0.0, size[2];
    sizes_of(w, from, size);
    for (int i = 0; i < 2 * w->nf; i++) {
        double x = (*lia_level_slopes_unknown(w, i) - from[i]) / size[i >= w->nf];
        sum += x * x;
    }
    return sum;
}

// What is left of the way to `target` along the equations: that way less what they forbid of it, in
// s->step. Gives its size.
static double way_along(LiaWorkspace* w, struct LiaSlopes* s, const double* target,
                        const bool* fixed) {
    double most = 0.0;
    for (int i = 0; i < s->n; i++) {
        bool open = i < 2 * w->nf && !(fixed && fixed[i]);
        s->step[i] = open ? (target[i] - *lia_level_slopes_unknown(w, i)) / s->scale[i] : 0.0;
    }
    for (int k = 0; k < s->m; k++) {
        s->g[k] = 0.0;
        for (int i = 0; i < s->n; i++) s->g[k] += s->A[k * s->n + i] * s->step[i];
    }
    for (int i = 0; i < s->n; i++) {
        for (int k = 0; k < s->m; k++) s->step[i] -= s->inverse[i * s->m + k] * s->g[k];
        if (i < 2 * w->nf && fixed && fixed[i]) s->step[i] = 0.0;
        if (i < 2 * w->nf) most = fmax(most, fabs(s->step[i]));
    }
    return most;
}

bool lia_relative_degree_project_nearer(LiaWorkspace* w, const double* target, const bool* fixed) {
    enum { STEPS = 40 };
    struct LiaSlopes* s = w->forces.slopes;
    int order = w->forces.degree->ahead + 1;
    double *kept = lia_memory_take(((size_t)s->n + 1) * sizeof *kept), part = 1.0;
    if (!kept) return false;
    double now = squared_distance(w, target);
    for (int i = 0; i < STEPS && part > LIA_NEARER_PART_LEAST && !lia_watch_asked(); i++) {
        int m = lia_level_slopes_equations(w, order, s->f);
        if (m < 0) break;
        lia_level_slopes_find(w, s, m, order, fixed);
        if (way_along(w, s, target, fixed) < LIA_NEARER_ARRIVED) break;
        for (int k = 0; k < s->n; k++) kept[k] = *lia_level_slopes_unknown(w, k);
        move(w, s, part);
        double then = lia_relative_degree_project_reach(w, 1, fixed, NULL)
                          ? squared_distance(w, target)
                          : INFINITY;
        if (then < now) {
            now = then;
            part = fmin(1.0, 2.0 * part);
        } else {
            for (int k = 0; k < s->n; k++) *lia_level_slopes_unknown(w, k) = kept[k];
            part *= 0.25;
        }
    }
    free(kept);
    return lia_relative_degree_project_reach(w, 1, fixed, NULL);
}

bool lia_relative_degree_project(LiaWorkspace* w, int order, const bool* fixed, double* moved) {
    bool reached = lia_relative_degree_project_reach(w, order, fixed, moved);
    bool settled = reached && lia_relative_degree_residuals(w);
    if (!reached && w->forces.array) w->contradiction = 1 + w->forces.degree->row[0];
    if (!settled && w->forces.slopes) w->forces.slopes->m = 0;
    return settled;
}

int lia_relative_degree_project_rank(const LiaWorkspace* w) {
    return w->forces.slopes ? w->forces.slopes->rank : 0;
}
