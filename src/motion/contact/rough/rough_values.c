// Slips and coefficients of rough constraints (mechanics/rough/rough.c) as numbers, where the
// series of a step do not say them: a mode that lets one slide has no row of its slip.
// SPDX-License-Identifier: MIT
#include "motion/contact/rough/rough_values.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "motion/run/step.h"
#include <math.h>
#include <stdlib.h>

typedef struct LiaRoughValues {
    LiaValues values;
    double* ahead;  // positions an instant later     (n)
    bool vary;      // some coefficient is not the same all along
} LiaRoughValues;

static bool is_fixed(const LiaSystem* s, LiaExpr law) {
    return (lia_graph_node(s->graph, law)->depends & ~LIA_DEPENDS(PARAMETER)) == 0;
}

LiaRoughValues* lia_rough_values_create(const LiaSystem* s) {
    LiaRoughValues* x = lia_memory_zeros(1, sizeof *x);
    size_t count = 0;
    for (uint32_t k = 0; k < s->rough_count; k++) count += 3 + s->rows[s->rough[k].slip].entries;
    LiaExpr* wanted = lia_memory_take((count + 1) * sizeof *wanted);
    if (x) x->ahead = lia_memory_zeros((size_t)s->n + 1, sizeof *x->ahead);
    count = 0;
    for (uint32_t k = 0; x && wanted && k < s->rough_count; k++) {
        const LiaRoughFormulas* of = &s->rough[k];
        const LiaRow* row = &s->rows[of->slip];
        x->vary |= !is_fixed(s, of->friction) || !is_fixed(s, of->friction_static);
        wanted[count++] = of->friction;
        wanted[count++] = of->friction_static;
        wanted[count++] = row->equation;
        for (uint32_t e = 0; e < row->entries; e++) wanted[count++] = row->Omega[e];
    }
    bool good = x && x->ahead && wanted && lia_evaluate_init(&x->values, s->graph, wanted, count);
    free(wanted);
    if (good) return x;
    lia_rough_values_destroy(x);
    return NULL;
}

void lia_rough_values_destroy(LiaRoughValues* x) {
    if (!x) return;
    lia_evaluate_clear(&x->values);
    free(x->ahead);
    free(x);
}

static void evaluate(const LiaRunner* run, double t, const double* q) {
    const LiaSystem* s = run->contacts->base;
    LiaSymbols at = {.t = t, .parameters = s->parameters, .q = q, .v = run->w->v};
    lia_evaluate_run(&run->contacts->rough.values->values, &at);
}

// Of the values: a slip, and the size of the terms that it is the sum of.
static double slip_of(const LiaSpeeds* speeds, uint32_t k, bool own, double* size) {
    const LiaContacts* c = speeds->run->contacts;
    const LiaValues* values = &c->rough.values->values;
    const LiaRow* row = &c->base->rows[c->base->rough[k].slip];
    double slip = lia_value(values, row->equation), moved = 0.0;
    *size = 0.0;
    for (uint32_t e = 0; e < row->entries; e++) {
        uint32_t i = row->coordinate[e];
        double J = lia_value(values, row->Omega[e]), v = speeds->w->v[i];
        moved += J * v;
        *size += fabs(J) * ((own ? fabs(v) : 0.0) + lia_response_speed(speeds, i));
    }
    *size += fabs(slip - moved);
    return slip;
}

void lia_rough_values_slips(const LiaRunner* run, double* slips) {
    const LiaContacts* c = run->contacts;
    const LiaWorkspace* w = run->w;
    double* ahead = c->rough.values->ahead;
    // an instant ahead: a law that leaps here has its value after it
    double instant = run->direction * LIA_INSTANT_TIME * lia_time_size(run, w->t);
    for (uint32_t i = 0; i < c->base->n; i++) ahead[i] = w->q[i] + instant * w->v[i];
    evaluate(run, w->t + instant, ahead);
    LiaSpeeds speeds = lia_response_speeds(run, w);
    for (uint32_t k = 0; k < c->base->rough_count; k++) {
        double size, slip = slip_of(&speeds, k, true, &size);
        slips[k] = fabs(slip) <= LIA_CONTACT_ROUNDING * size ? 0.0 : slip;
    }
}

double lia_rough_values_speed(const LiaRunner* run, uint32_t k) {
    double size;
    evaluate(run, run->w->t, run->w->q);
    LiaSpeeds speeds = lia_response_speeds(run, run->w);
    slip_of(&speeds, k, false, &size);
    return size;
}

bool lia_rough_values_vary(const LiaRunner* run) { return run->contacts->rough.values->vary; }

LiaRoughLaws lia_rough_values_laws(const LiaRunner* run, uint32_t k) {
    const LiaContacts* c = run->contacts;
    const LiaValues* values = &c->rough.values->values;
    evaluate(run, run->w->t, run->w->q);
    return (LiaRoughLaws){.kinetic = lia_value(values, c->base->rough[k].friction),
                          .most = lia_value(values, c->base->rough[k].friction_static)};
}
