// Where forces of operators that act through springs are decided by other derivatives than at the
// start.
//
// A rope that hangs straight hands the winch's force on at once in one direction; where it does
// not, in others. The motion goes on through such places: the same number of equations holds on
// both sides, only which derivative of which decides which force is not the same. A
// deeper derivative array (mechanics/degree/derivative_array.c) determines the forces on both sides
// of such a place. Where the number of equations changes the motion ends (E0414).
// SPDX-License-Identifier: MIT
#include "motion/singular/degree_change.h"
#include "base/numeric/thresholds.h"
#include "mechanics/degree/relative_degree.h"
#include "motion/run/step.h"
#include "motion/runner.h"
#include <string.h>

static void copy_state(const LiaWorkspace* from, LiaWorkspace* to) {
    lia_workspace_put(to, from->t, from->q, from->v);
    to->projection.fine = from->projection.fine;
    memcpy(to->work, from->work, from->system->line_count * sizeof(double));
    memcpy(to->phi_start, from->phi_start, (size_t)from->nc * sizeof(double));
    lia_workspace_take_sides(to, from);
}

LiaWorkspace* lia_degree_change_look(const LiaRunner* run) {
    enum { ORDER_MOST = 40 };
    int order = 2 * (int)run->system->n + 8;
    LiaWorkspace* w =
        lia_workspace_create(run->system, run->dynamics, order < ORDER_MOST ? order : ORDER_MOST);
    if (w) copy_state(run->w, w);
    return w;
}

bool lia_degree_change_take(LiaRunner* run, LiaRelativeDegree* degree) {
    int ahead = degree->ahead;
    LiaWorkspace* w =
        lia_workspace_create(run->system, run->dynamics, run->out->effort.order + ahead);
    LiaWorkspace* sampler = lia_workspace_create(run->system, run->dynamics, ahead + 2);
    bool ok = w && sampler && lia_relative_degree_attach(w, degree) &&
              lia_relative_degree_attach(sampler, degree);
    if (!ok) {
        lia_workspace_destroy(w);
        lia_workspace_destroy(sampler);
        lia_relative_degree_destroy(degree);
        return false;
    }
    copy_state(run->w, w);
    copy_state(run->sampler, sampler);
    lia_workspace_destroy(run->w);
    lia_workspace_destroy(run->sampler);
    lia_relative_degree_destroy(run->degree);
    run->w = w;
    run->checks.enclosure.jets = &w->jets;
    run->sampler = sampler;
    run->degree = degree;
    return true;
}

// How many independent equations the state satisfies as the forces are decided now.
static int count_equations(const LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    const LiaRelativeDegree* now = run->degree;
    if (now->derivative_array) return now->equations;
    int count = now->levels;
    for (int r = 0; r < w->nr; r++) {
        count += run->system->rows[w->dynamics->rows[w->active[r]]].geometric ? 2 : 1;
    }
    return count;
}

LiaRelativeDegree* lia_degree_change_find(LiaRunner* run) {
    const LiaRelativeDegree* now = run->degree;
    if (!now) return NULL;
    int equations = count_equations(run);
    LiaWorkspace* w = lia_degree_change_look(run);
    LiaRelativeDegree* degree =
        w ? lia_relative_degree_find_deepen(w, now->derivative_array ? now->ahead + 1 : 1) : NULL;
    lia_workspace_destroy(w);
    if (!degree || degree->equations == equations) return degree;
    lia_relative_degree_destroy(degree);
    return NULL;
}

// The state in run->w satisfies all that is hidden so, and has its forces?
static bool holds(const LiaRunner* run, const LiaRelativeDegree* degree) {
    double moved = 0.0;
    LiaWorkspace* w = lia_degree_change_look(run);
    bool held = w && lia_relative_degree_attach(w, degree) &&
                lia_relative_degree_project(w, 1, NULL, &moved);
    lia_workspace_destroy(w);
    return held && moved < LIA_RENEWED_MOVED;
}

bool lia_degree_change_renew(LiaRunner* run, LiaRelativeDegree* degree) {
    if (degree && holds(run, degree)) {
        return lia_degree_change_take(run, degree) && lia_step_arrive(run, NULL, NULL);
    }
    lia_relative_degree_destroy(degree);
    return false;
}
