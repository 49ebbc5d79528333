// A short motion for verdicts. See followed.h.
// SPDX-License-Identifier: MIT
#include "geometry/followed.h"
#include "base/numeric/thresholds.h"
#include "motion/result/trajectory.h"
#include <liaison/state.h>

enum { STEPS_MOST = 400 };

bool lia_followed_make(const LiaSystem* s, double t, const double* q, const double* v,
                       double length, LiaFollowed* out) {
    *out = (LiaFollowed){.t0 = t, .t1 = t};
    LiaState* state = NULL;
    LiaDiags* own = lia_diags_create();
    LiaStatus status = own ? lia_state_create(s->model, t, q, v, &state) : LIA_MEMORY;
    double end = t + length;
    if (status == LIA_OK) {
        LiaRunOptions options = {.from = state,
                                 .until = &end,
                                 .keep_steps = true,
                                 .samples = 2,
                                 .steps_most = STEPS_MOST,
                                 .tolerance = LIA_FOLLOWED_TOLERANCE};
        status = lia_motion_run(s, &options, own, &out->motion);
    }
    if (out->motion) out->t1 = out->motion->t;
    lia_state_destroy(state);
    lia_diags_destroy(own);
    return status != LIA_MEMORY;
}

bool lia_followed_at(const LiaFollowed* f, double t, double* q, double* v) {
    return f->motion && lia_trajectory_at(f->motion, t, q, v, NULL) == LIA_OK;
}

void lia_followed_clear(LiaFollowed* f) {
    lia_trajectory_destroy(f->motion);
    *f = (LiaFollowed){0};
}
