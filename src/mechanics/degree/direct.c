// Forces that K0 alone decides: what other methods do with derivatives there is nothing to do for.
// The stages are in stage.c, the projection in project.c. See forces.h.
// SPDX-License-Identifier: MIT
#include "mechanics/kkt/project.h"
#include "mechanics/kkt/stage.h"

static bool decide(LiaWorkspace* w) {
    (void)w;
    return true;
}

static void mark_unique(LiaWorkspace* w) { (void)w; }

static bool lost(const LiaWorkspace* w) {
    (void)w;
    return false;
}

static void keep(LiaWorkspace* w, LiaKeep* keep) { (void)w, (void)keep; }

const LiaRelativeDegree lia_direct_no_rows = {0};

const LiaForceMethod lia_direct = {
    .direct = true,
    .impulses = true,
    .decide = decide,
    .accelerate = lia_stage_accelerate_direct,
    .stage = lia_stage_direct,
    .project = lia_project_direct,
    .mark_unique = mark_unique,
    .lost = lost,
    .keep = keep,
};
