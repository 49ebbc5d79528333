// Motions along a loop: without momentum at the start, and with that of the model.
// SPDX-License-Identifier: MIT
#include "study/holonomy/holonomy_motion.h"
#include "base/numeric/thresholds.h"
#include "study/holonomy/holonomy.h"
#include <math.h>
#include <string.h>

// The horizontal velocity at a place of the loop, and M in the workspace. False: not determined.
static bool lift_at(LiaHolonomyWork* w, double t, const double* q, double* v) {
    if (!lia_transport_law(&w->x, t, w->s, w->ds)) return false;
    if (!lia_connection_choose(&w->x.c, t, q)) return false;
    if (!lia_connection_lifts(&w->x.c, t, q, w->x.c.N)) return false;
    lia_transport_lifted(&w->x, w->ds, v);
    return true;
}

// The same where the loop begins, which may be at a corner of its law: on the side to which it
// goes.
static bool lift_at_begin(LiaHolonomyWork* w, double* v) {
    LiaWorkspace* at = w->x.c.w;
    double t = w->h->t0, span = w->h->t1 - t;
    lia_transport_rest_at(&w->x, t, w->q0);
    lia_workspace_inspect(at, LIA_START_AHEAD * span);
    bool good = lift_at(w, t, w->q0, v);
    at->jets.decide = true;
    return good;
}

static double energy_of(const LiaHolonomyWork* w, const double* v) {
    double sum = 0.0;
    for (size_t i = 0; i < w->n; i++) {
        for (size_t j = 0; j < w->n; j++)
            sum += v[i] * w->x.c.w->saddle.M[i * w->n + j] * v[j] / 2.0;
    }
    return sum;
}

static LiaStatus run_from(LiaHolonomyWork* w, const double* v, LiaTrajectory** motion) {
    LiaHolonomy* h = w->h;
    const LiaModel* model = h->system->model;
    LiaState* state = NULL;
    LiaDiags* own = lia_diags_create();
    double tolerance = w->options->tolerance;
    LiaStatus status = own ? lia_state_create(model, h->t0, w->q0, v, &state) : LIA_MEMORY;
    if (status == LIA_OK) {
        LiaRunOptions options = {.from = state,
                                 .until = &h->t1,
                                 .keep_steps = true,
                                 .samples = 2,
                                 .tolerance = tolerance > 0.0 ? tolerance : LIA_HOLONOMY_TOLERANCE};
        status = lia_motion_run(h->system, &options, own, motion);
    }
    if (status == LIA_MODEL) {
        char* text = lia_diags_text(own);
        lia_text_add(&h->why, "%s", text ? text : "");
        lia_free(text);
    }
    lia_state_destroy(state);
    lia_diags_destroy(own);
    bool stopped = *motion && lia_trajectory_spent(*motion) != LIA_SPENT_NOTHING;
    if (stopped) return LIA_STOPPED;
    return status == LIA_MEMORY || (status == LIA_STOPPED && !*motion) ? status : LIA_OK;
}

// How much of the energy of the motion is momentum's; by the way its end, by coordinate.
static bool measure(LiaHolonomyWork* w, const LiaTrajectory* motion, double* end, double* share) {
    enum { LOOKS = 64 };
    double *q = w->scratch, *v = w->scratch + w->n, *lifted = w->x.Z;
    *share = 0.0;
    for (int k = 0; k <= LOOKS; k++) {
        double t = w->h->t0 + (w->h->t1 - w->h->t0) * k / LOOKS;
        if (lia_trajectory_at(motion, t, q, v, NULL) != LIA_OK) return false;
        if (!lift_at(w, t, q, lifted)) continue;
        double all = energy_of(w, v);
        for (size_t i = 0; i < w->n; i++) v[i] -= lifted[i];
        if (all > 0.0) *share = fmax(*share, energy_of(w, v) / all);
    }
    memcpy(end, q, w->n * sizeof *end);
    return motion->status == LIA_OK;
}

bool lia_holonomy_motion_momentum(LiaHolonomyWork* w, const double* own_lift) {
    LiaHolonomy* h = w->h;
    double all = energy_of(w, w->v0);
    for (size_t i = 0; i < w->n; i++) w->scratch[i] = w->v0[i] - own_lift[i];
    h->momentum = energy_of(w, w->scratch) > LIA_HOLONOMY_AT_REST * all;
    const double* M = w->x.c.w->saddle.M;
    uint32_t i = h->fibre[0];
    bool one = h->count == 1 && w->x.c.m == 0;
    if (one && h->momentum) h->p = M[i * w->n + i] * w->scratch[i];
    return h->momentum;
}

LiaStatus lia_holonomy_motion_find(LiaHolonomyWork* w) {
    LiaHolonomy* h = w->h;
    double* end = w->q1;  // the line has been read from it
    if (!lift_at_begin(w, w->still)) return LIA_OK;
    LiaStatus status = run_from(w, w->still, &h->motion);
    if (status != LIA_OK) return status;
    if (h->motion && measure(w, h->motion, end, &h->share)) {
        for (size_t i = 0; i < h->count; i++)
            h->parts[i].dynamics = end[h->fibre[i]] - w->q0[h->fibre[i]];
    } else {
        h->share = NAN;
    }
    if (!h->momentum || (h->own_model && isnan(h->p))) return LIA_OK;
    uint32_t one = h->fibre[0];
    if (!lift_at_begin(w, w->moved)) return LIA_OK;
    if (!isnan(h->p)) {
        w->moved[one] += h->p / w->x.c.w->saddle.M[one * w->n + one];
        h->parts[0].dynamic = h->p * lia_transport_slowness(&w->x, one);
    } else {
        memcpy(w->moved, w->v0, w->n * sizeof *w->moved);
    }
    status = run_from(w, w->moved, &h->moved);
    double share;
    if (status != LIA_OK || !h->moved || !measure(w, h->moved, end, &share)) return status;
    for (size_t i = 0; i < h->count; i++) h->parts[i].total = end[h->fibre[i]] - w->q0[h->fibre[i]];
    return LIA_OK;
}
