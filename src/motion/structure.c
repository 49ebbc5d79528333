// Where forces of operators that act through springs are decided by other derivatives than at the start.
//
// A rope that hangs straight hands the winch's force on at once in one direction; where it does not, in others. The motion goes on
// through such places: the same number of equations holds on both sides, only which derivative of which decides which force
// is not the same. So the forces are found from more derivatives together (mechanics/together.c), and these do not mind. Where the
// number of equations changes it is another matter: what may be asked is not the same behind (E0414).
// SPDX-License-Identifier: MIT
#include "runner.h"
#include <string.h>

static void copy_state(const LiaWorkspace* from, LiaWorkspace* to) {
    size_t n = (size_t)from->n * sizeof(double);
    to->t = from->t;
    to->fine = from->fine;
    memcpy(to->q, from->q, n);
    memcpy(to->v, from->v, n);
    memcpy(to->work, from->work, from->system->line_count * sizeof(double));
    memcpy(to->level0, from->level0, (size_t)from->nc * sizeof(double));
    lia_mechanics_take_sides(to, from);
}

LiaWorkspace* lia_structure_look(const LiaRunner* run) {
    enum { ORDER_MOST = 40 };
    int order = 2 * (int)run->system->n + 8;
    LiaWorkspace* w =
        lia_workspace_create(run->system, run->dynamics, order < ORDER_MOST ? order : ORDER_MOST);
    if (w) copy_state(run->w, w);
    return w;
}

bool lia_structure_take(LiaRunner* run, LiaHidden* hidden) {
    int ahead = hidden->ahead;
    LiaWorkspace* w = lia_workspace_create(run->system, run->dynamics, run->out->order + ahead);
    LiaWorkspace* sampler = lia_workspace_create(run->system, run->dynamics, ahead + 2);
    bool ok = w && sampler && lia_hidden_attach(w, hidden) && lia_hidden_attach(sampler, hidden);
    if (!ok) {
        lia_workspace_destroy(w);
        lia_workspace_destroy(sampler);
        lia_hidden_destroy(hidden);
        return false;
    }
    copy_state(run->w, w);
    copy_state(run->sampler, sampler);
    lia_workspace_destroy(run->w);
    lia_workspace_destroy(run->sampler);
    lia_hidden_destroy(run->hidden);
    run->w = w;
    run->enclosure.jets = &w->jets;
    run->sampler = sampler;
    run->hidden = hidden;
    return true;
}

// How many independent equations the state satisfies as the forces are decided now.
static int count_equations(const LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    const LiaHidden* now = run->hidden;
    if (now->together) return now->equations;
    int count = now->levels;
    for (int r = 0; r < w->nr; r++) {
        count += run->system->rows[w->dynamics->rows[w->active[r]]].geometric ? 2 : 1;
    }
    return count;
}

LiaHidden* lia_structure_find(LiaRunner* run) {
    const LiaHidden* now = run->hidden;
    if (!now) return NULL;
    int equations = count_equations(run);
    LiaWorkspace* w = lia_structure_look(run);
    LiaHidden* hidden = w ? lia_hidden_deepen(w, now->together ? now->ahead + 1 : 1) : NULL;
    lia_workspace_destroy(w);
    if (!hidden || hidden->equations == equations) return hidden;
    lia_hidden_destroy(hidden);
    return NULL;
}

// The state in run->w satisfies all that is hidden so, and has its forces?
static bool holds(const LiaRunner* run, const LiaHidden* hidden) {
    double moved = 0.0;
    LiaWorkspace* w = lia_structure_look(run);
    bool held = w && lia_hidden_attach(w, hidden) && lia_hidden_project(w, 1, NULL, &moved);
    lia_workspace_destroy(w);
    return held && moved < 1e-9;
}

bool lia_structure_renew(LiaRunner* run, LiaHidden* hidden) {
    if (hidden && holds(run, hidden)) {
        return lia_structure_take(run, hidden) && lia_step_arrive(run, NULL, NULL);
    }
    lia_hidden_destroy(hidden);
    return false;
}
