// Geometric equations whose gradient vanishes where they hold, as that of (x^2 + y^2 - 1)^3 = 0:
// they exclude no velocity there, and no force of theirs acts, so what they mean for a motion is
// not in them. One that follows from the others, a component of a cross product, does no harm.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/diff.h"
#include "geometry/classification/judge.h"
#include <math.h>
#include <stdlib.h>

enum { STATES = 3 };

static bool vanishes(const LiaValues* values, const double* size, const LiaExpr* gradient,
                     size_t n) {
    for (size_t i = 0; i < n; i++) {
        double x = lia_value(values, gradient[i]);
        if (!(fabs(x) <= LIA_IDENTITY * size[gradient[i].index])) return false;
    }
    return true;
}

// Does it hold at states that all other equations admit?
static bool follows(LiaJudge* j, int r) {
    LiaAdmissible* z = &j->z;
    bool holds = true;
    for (uint64_t seed = 1; holds && seed <= STATES; seed++) {
        z->w->t = j->samples.t[0];
        z->without = 1 + r;
        bool found = lia_admissible_sample(z, seed, 1.0, j->samples.q, j->samples.v);
        z->without = 0;
        holds = !found || lia_admissible_residual(z, 0, NULL) < LIA_ADMISSIBLE;
    }
    return holds;
}

bool lia_vanishing_find(LiaJudge* j) {
    const LiaSystem* s = j->system;
    LiaGraph* g = j->geometry->graph;
    size_t n = s->n, m = (size_t)j->m;
    LiaValues values;
    if (!j->has_start || m == 0) return true;
    LiaExpr* gradient = lia_memory_zeros(m * n + 1, sizeof *gradient);
    bool ok = gradient != NULL;
    for (size_t r = 0; ok && r < m; r++)
        ok = lia_diff_gradient(g, j->geometry->psi[j->row[r]], s->v, n, gradient + r * n);
    if (!ok || !lia_evaluate_init(&values, g, gradient, m * n)) {
        free(gradient);
        return false;
    }
    double* size = LIA_ARENA_NEW(j->out->arena, double, values.size + 1);
    if (size) {
        LiaSymbols at = {.t = j->samples.t[0],
                         .parameters = s->parameters,
                         .q = j->samples.q,
                         .v = j->samples.v};
        lia_evaluate_run(&values, &at);
        lia_sizes_run(&values, &(LiaSymbols){0}, size);
    }
    for (size_t r = 0; size && r < m && !j->out->look.vanishing; r++) {
        const LiaRow* row = &s->rows[j->row[r]];
        const LiaConstraint* constraint = &s->model->constraints[row->constraint];
        if (!row->geometric || row->identical || row->by_mode || row->follows ||
            constraint->internal)
            continue;
        if (vanishes(&values, size, gradient + r * n, n) && !follows(j, (int)r))
            j->out->look.vanishing = constraint->name;
    }
    lia_evaluate_clear(&values);
    free(gradient);
    return size != NULL;
}
