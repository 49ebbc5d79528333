// Keeping a workspace: see workspace.h. What is read back goes on as if nothing had happened, so
// that not only the state counts: K0 may be kept from a state a little before, pivots and
// independent rows are those that were chosen at some time, and a projection begins where the last
// one ended.
// SPDX-License-Identifier: MIT
#include "mechanics/kkt/independent.h"
#include "mechanics/kkt/saddle_sparse.h"
#include "mechanics/kkt/workspace.h"
#include <limits.h>

LIA_KEEP_ALL(LiaLu, 40);
LIA_KEEP_ALL(LiaSparseLu, 240);
LIA_KEEP_ALL(LiaSaddleEntries, 384);
LIA_KEEP_ALL(LiaSaddle, 232);
LIA_KEEP_ALL(LiaJets, 184);
LIA_KEEP_ALL(LiaForceState, 136);
LIA_KEEP_ALL(LiaWorkspace, 800);

static void keep_numbers(LiaWorkspace* w, LiaKeep* keep) {
    lia_keep_double(keep, &w->t);
    lia_keep_int(keep, &w->nr, 0, w->nc);
    lia_keep_bool(keep, &w->projection.fine);
    lia_keep_bool(keep, &w->saddle.measured);
    lia_keep_bool(keep, &w->saddle.by_null_space);
    lia_keep_bool(keep, &w->saddle.loses_digits);
    lia_keep_double(keep, &w->saddle.pivot);
    lia_keep_double(keep, &w->projection.blur);
    lia_keep_double(keep, &w->saddle.margin);
    lia_keep_double(keep, &w->saddle.pivot_chosen);
    lia_keep_double(keep, &w->saddle.size_chosen);
    w->saddle.size_known = false;  // it follows from the factors
    lia_keep_int(keep, &w->saddle.weakest, 0, w->nf + w->nc);
    lia_keep_int(keep, &w->contradiction, 0, w->nc);
    lia_keep_int(keep, &w->forces.early, 0, w->nc);
    lia_keep_double(keep, &w->forces.S_pivot);
    lia_keep_double(keep, &w->forces.S_noise);
    lia_keep_bool(keep, &w->forces.undecided);
    int stage = (int)w->stage;
    lia_keep_int(keep, &stage, LIA_WORKSPACE_EMPTY, LIA_WORKSPACE_ACCELERATED);
    w->stage = (LiaWorkspaceStage)stage;
}

// All arrays of the block: numbers, then active rows, marks.
static void keep_arrays(LiaWorkspace* w, LiaKeep* keep) {
    double* begin = w->block;
    size_t doubles = (size_t)((double*)(void*)w->active - begin);
    lia_keep_same(keep, doubles);
    lia_keep_doubles(keep, begin, doubles);
    lia_keep_rows(keep, w->active, w->nr, (size_t)w->nc);
    lia_keep_bools(keep, w->unique, w->system->row_count);
}

static void keep_weights(LiaWorkspace* w, LiaKeep* keep) {
    bool there = lia_keep_there(keep, w->saddle.weight != NULL);
    if (!there) return;
    if (!lia_independent_weigh(w)) lia_keep_refuse(keep);
    if (w->saddle.weight) lia_keep_doubles(keep, w->saddle.weight, (size_t)w->nc);
}

void lia_workspace_keep(LiaWorkspace* w, LiaKeep* keep) {
    lia_keep_same(keep, (size_t)w->jets.order);
    keep_numbers(w, keep);
    keep_arrays(w, keep);
    keep_weights(w, keep);
    lia_keep_same(keep, (size_t)w->forces.degree->count);
    w->forces.method->keep(w, keep);
    w->saddle.method->keep(&w->saddle, keep);
    lia_bind_keep_jets(&w->jets, keep);
}
