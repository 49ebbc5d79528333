// One damped Newton. See newton.h.
// SPDX-License-Identifier: MIT
#include "base/numeric/newton.h"
#include "base/watch.h"
#include <math.h>

// Is it over after this pass? With *end.
static bool is_over(const LiaNewton* n, const LiaNewtonResult* at, int pass, double last,
                    LiaNewtonEnd* end) {
    const LiaNewtonRules* r = &n->rules;
    double step = at->step, size = n->size ? n->size(n->of) : 1.0;
    bool blurred = pass >= r->blurred_from && step <= r->blurred * size && step > r->falls * last;
    bool arrived = at->residual < r->found || (pass >= r->still_from && step <= r->still * size) ||
                   (step <= r->small * size && at->residual < r->held);
    *end = blurred ? LIA_NEWTON_BLURRED : LIA_NEWTON_ARRIVED;
    return blurred || arrived;
}

LiaNewtonResult lia_newton_run(const LiaNewton* n, double residual) {
    const LiaNewtonRules* r = &n->rules;
    const double more = 10.0, less = 0.1;  // damping after a step that was taken back, or kept
    LiaNewtonResult at = {LIA_NEWTON_TIRED, residual, INFINITY};
    double damping = r->damping, last = INFINITY;
    if (!isfinite(residual)) at.end = LIA_NEWTON_LOST;
    for (int pass = 0; at.end == LIA_NEWTON_TIRED && pass < r->passes; pass++) {
        if (r->watched && lia_watch_asked()) break;
        at.step = n->step(n->of, damping);
        double now = n->residual(n->of);
        if (damping > 0.0 && !(now < at.residual)) {
            n->back(n->of);
            damping *= more;
            if (damping > r->damping_most || !isfinite(at.step)) at.end = LIA_NEWTON_LOST;
            continue;
        }
        damping = damping > 0.0 ? fmax(less * damping, r->damping_least) : 0.0;
        at.residual = now;
        LiaNewtonEnd end;
        if (!isfinite(now) || !isfinite(at.step)) {
            at.end = LIA_NEWTON_LOST;
        } else if (is_over(n, &at, pass, last, &end)) {
            at.end = end;
        }
        last = at.step;
    }
    return at;
}
