// Forces that K0 alone decides: what other methods do with derivatives there is nothing to do for.
// The stages are in stage.c, the projection in project.c. See forces.h.
// SPDX-License-Identifier: MIT
#include "mechanics/kkt/independent.h"
#include "mechanics/kkt/project.h"
#include "mechanics/kkt/stage.h"

static bool decide(LiaWorkspace* w) {
    (void)w;
    return true;
}

static int open_rank(LiaWorkspace* w) {
    if (w->nr >= w->nc) return 0;
    int rank = lia_independent_force_rank(w);
    return rank > w->nr ? rank : 0;
}

static double hidden_blur(const LiaWorkspace* w) {
    (void)w;
    return 0.0;
}

static void mark_unique(LiaWorkspace* w) { (void)w; }

static bool lost(const LiaWorkspace* w) {
    (void)w;
    return false;
}

static void keep(LiaWorkspace* w, LiaKeep* keep) { (void)w, (void)keep; }

const LiaRelativeDegree lia_direct_no_rows = {0};

const LiaForceMethod lia_direct = {
    .by_order = true,
    .rows_rest = true,
    .bounded = true,
    .at_singular = true,
    .impulses = true,
    .open_rank = open_rank,
    .hidden_blur = hidden_blur,
    .decide = decide,
    .accelerate = lia_stage_accelerate_direct,
    .stage = lia_stage_direct,
    .project = lia_project_direct,
    .mark_unique = mark_unique,
    .lost = lost,
    .keep = keep,
};
