// What d'Alembert's principle says of an acceleration and of forces that came from elsewhere:
//   defect = dp/dt - G
// SPDX-License-Identifier: MIT
#include "mechanics/kkt/coefficient.h"
#include "mechanics/test_hooks.h"
#include <assert.h>
#include <math.h>

void lia_dalembert_residual(LiaWorkspace* w, const double* a, const double* mu, double* defect,
                            double* size) {
    const bool large = w->jets.tape->room != NULL;
    assert(w->stage >= LIA_WORKSPACE_RESIDUALS);
    w->stage = LIA_WORKSPACE_RESIDUALS;  // the unknowns are not at zero any more
    for (int k = 0; k < w->nf; k++) {
        const struct LiaUnknown* x = &w->series.unknown[k];
        *coefficient(w, x->a, 0, large) = a[k];
        *coefficient(w, x->v, 1, large) = a[k];
        *coefficient(w, x->q, 2, large) = 0.5 * a[k];
    }
    for (int c = 0; c < w->nc; c++) w->jets.s[w->series.equation[c].mu] = mu[w->dynamics->rows[c]];
    lia_jet_stage(&w->jets, 0);
    for (int k = 0; k < w->nf; k++) {
        const struct LiaBalance* x = &w->series.balance[k];
        double rate = *coefficient(w, x->p, 1, large), G = *coefficient(w, x->G, 0, large);
        if (lia_test_hooks(w->system).flip == LIA_FLIP_MOMENTUM) rate = -rate;
        if (lia_test_hooks(w->system).flip == LIA_FLIP_G) G = -G;
        defect[k] = rate - G;
        size[k] = fabs(rate) + fabs(G);
    }
}
