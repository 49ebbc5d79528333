// One state evaluated. See evaluation.h.
// SPDX-License-Identifier: MIT
#include "geometry/evaluation.h"
#include "base/numeric/thresholds.h"
#include "mechanics/degree/relative_degree.h"
#include "mechanics/kkt/independent.h"
#include "mechanics/kkt/stage.h"
#include "mechanics/regularity/regularity.h"
#include <assert.h>
#include <string.h>

static LiaWorkspace* workspace_at(const LiaSystem* s, const LiaDynamics* d, int order, double t,
                                  const double* q, const double* v) {
    LiaWorkspace* w = lia_workspace_create_dense(s, d, order);
    if (!w) return NULL;
    lia_workspace_put(w, t, q, v);
    return w;
}

bool lia_evaluation_make(const LiaSystem* s, const LiaDynamics* d, double t, const double* q,
                         const double* v, LiaEvaluation* out) {
    assert(d == s->full || d == s->plain || d == s->reduced);
    assert(s->n == 0 || (q && v));
    *out = (LiaEvaluation){.w = workspace_at(s, d, 1, t, q, v)};
    if (!out->w) return false;
    out->solved = lia_workspace_evaluate(out->w);
    if (!lia_relative_degree_find_has_operators(out->w)) return true;
    // where K0 is singular up to rounding, the coupling number tells
    bool doubtful = out->solved && d == s->full && !(out->w->saddle.pivot > LIA_START_FIRM);
    if (doubtful && lia_regularity(out->w) < LIA_COUPLING_NONE) out->solved = false;
    bool solved = out->solved, dependent = solved && out->w->nr < out->w->nc;
    if (dependent && (out->w->contradiction || lia_independent_force_rank(out->w) > out->w->nr)) {
        out->solved = false;
    }
    if (out->solved) return true;
    enum { ORDER_MOST = 40 };
    int order = 2 * (int)s->n + 8 < ORDER_MOST ? 2 * (int)s->n + 8 : ORDER_MOST;
    LiaRelativeDegreeLack lack;
    LiaWorkspace* w = workspace_at(s, d, order, t, out->w->q, out->w->v);
    if (!w) return false;
    out->degree = lia_relative_degree_find(w, &lack);
    if (!out->degree) {
        out->solved = solved;
        lia_workspace_destroy(w);
        return true;
    }
    lia_workspace_destroy(out->w);
    out->w = w;
    out->solved = w->stage >= LIA_WORKSPACE_FACTORED;  // no: K0 is singular without operators too
    if (out->solved) lia_stage_accelerate(w);
    return true;
}

void lia_evaluation_clear(LiaEvaluation* e) {
    lia_workspace_destroy(e->w);
    lia_relative_degree_destroy(e->degree);
    *e = (LiaEvaluation){0};
}
