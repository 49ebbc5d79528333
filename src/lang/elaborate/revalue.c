// Other values of parameters in a model that was read: what is made of them follows, and what was
// decided by them is looked at again.
//
// Formulas keep their parameters as symbols, so that nothing is read again. Numbers that the
// language took out of them (start values, the times of the run) are worked out anew; where a
// decision would come out otherwise (a mass becomes negative, an axis another one, a body thin) it
// is another model, and is refused.
// SPDX-License-Identifier: MIT
#include "base/numeric/eigen3.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "lang/model.h"
#include <math.h>

// Arguments stand before what is made of them, and the symbol of a parameter after its definition.
static void work_out(LiaModel* own, double* values) {
    const LiaGraph* g = own->graph;
    const LiaSymbols at = {.t = NAN};
    LiaParameter* parameters = (LiaParameter*)own->parameters;
    values[0] = 0.0;
    for (uint32_t i = 1; i < g->count; i++) {
        const LiaNode* n = &g->nodes[i];
        values[i] = NAN;
        if (n->depends & (uint16_t)~LIA_DEPENDS(PARAMETER)) continue;
        if (n->op == LIA_OP_SYMBOL) {
            LiaParameter* p = &parameters[n->a];
            if (p->term.index) p->value = values[p->term.index];
            values[i] = p->value;
        } else {
            values[i] = lia_evaluate_node(g, (LiaExpr){i}, values, &at);
        }
    }
}

static bool refuse(LiaDiags* diags, LiaSpan span, const char* what) {
    lia_diag_error(diags, span, "E0330", "with this value %s: that is another model", what);
    lia_diag_help(diags, "read it anew with the value (-D)");
    return false;
}

// Principal moments, each of which is zero or not, in the order of their size.
static int thin_axes(const double* x, uint32_t count, bool* possible) {
    double A[3][3], size = 0.0, sum = 0.0, most = 0.0, least = INFINITY;
    int thin = 0;
    for (uint32_t i = 0; i < 9; i++) {
        uint32_t row = i / 3, column = i % 3;
        double other = row != column ? 0.0 : x[count == 3 ? row : 0];
        A[row][column] = count == 9 ? x[i] : other;
        size = fmax(size, fabs(A[row][column]));
    }
    lia_eigen3_axes(A, NULL);
    for (int i = 0; i < 3; i++) {
        sum += A[i][i];
        most = fmax(most, A[i][i]);
        least = fmin(least, A[i][i]);
    }
    for (int i = 0; i < 3; i++) thin += fabs(A[i][i]) <= LIA_MOMENT_NONE * most;
    *possible = isfinite(size) && least >= -LIA_INERTIA_NEGATIVE * size &&
                most <= (sum - most) + LIA_INERTIA_TRIANGLE * size;
    return thin;
}

static bool same_inertia(const LiaDecision* d, const double* values) {
    double x[9];
    bool changed = false, possible;
    for (uint32_t i = 0; i < d->count; i++) {
        x[i] = values[d->terms[i].index];
        changed = changed || x[i] != d->values[i];
    }
    if (!changed) return true;
    return thin_axes(d->values, d->count, &possible) == 0 && possible &&
           thin_axes(x, d->count, &possible) == 0 && possible;
}

static int sign_of(double x) { return (x > 0.0) - (x < 0.0); }

static bool decided_alike(const LiaModel* own, const double* values, LiaDiags* diags) {
    for (uint32_t i = 0; i < own->decisions_count; i++) {
        const LiaDecision* d = &own->decisions[i];
        double was = d->values[0], is = values[d->terms[0].index];
        if (d->kind == LIA_DECISION_INERTIA) {
            if (!same_inertia(d, values)) return refuse(diags, d->span, "this inertia is other");
            continue;
        }
        if (d->kind == LIA_DECISION_SIGN) {
            if (isnan(is) || sign_of(was) != sign_of(is))
                return refuse(diags, d->span, "this has another sign");
            continue;
        }
        for (uint32_t k = 0; k < d->count; k++) {
            if (!(values[d->terms[k].index] == d->values[k]))
                return refuse(diags, d->span,
                              "this is other, and the form of the model hangs on it");
        }
    }
    return true;
}

static bool all_finite(const LiaModel* own, LiaDiags* diags) {
    for (uint32_t i = 0; i < own->parameters_count; i++) {
        const LiaParameter* p = &own->parameters[i];
        if (isfinite(p->value)) continue;
        lia_diag_error(diags, p->span, "E0158", "the value of '%s' is not a finite number",
                       p->name);
        return false;
    }
    return true;
}

// The numbers of a start that are made of parameters.
static bool take_starts(LiaModel* own, const double* values, LiaDiags* diags) {
    LiaStart* starts = (LiaStart*)own->start.values;
    LiaSpin* spins = (LiaSpin*)own->start.spins;
    bool finite = true;
    LiaSpan span = {0, 0};
    for (uint32_t i = 0; i < own->start.values_count && finite; i++) {
        // unit vectors and attitudes are decided by their values: they are what they were
        LiaNumber number;
        bool turned = own->coordinates[starts[i].coordinate].manifold >= LIA_SPHERE;
        bool plain = lia_graph_constant(own->graph, starts[i].term, &number);
        if (plain || (turned && !starts[i].velocity)) continue;
        starts[i].value = values[starts[i].term.index];
        finite = isfinite(starts[i].value) != 0;
        span = starts[i].span;
    }
    for (uint32_t i = 0; i < own->start.spins_count && finite; i++) {
        for (int k = 0; k < 3; k++) {
            if (!spins[i].term[k].index) continue;
            spins[i].value[k] = values[spins[i].term[k].index];
            finite = finite && isfinite(spins[i].value[k]);
        }
        span = spins[i].span;
    }
    if (!finite) lia_diag_error(diags, span, "E0158", "a start value is not a finite number");
    return finite;
}

static void take_number(double* x, LiaExpr term, const double* values) {
    if (term.index) *x = values[term.index];
}

static bool take_run(LiaModel* own, const double* values, LiaDiags* diags) {
    LiaRunStatement* run = &own->run;
    take_number(&run->t0, run->t0_term, values);
    take_number(&run->t1, run->t1_term, values);
    take_number(&run->tolerance, run->tolerance_term, values);
    take_number(&run->every, run->every_term, values);
    take_number(&run->step_most, run->step_most_term, values);
    for (int i = 0; i < 3; i++)
        take_number(&own->pictures.gravity.value[i], own->pictures.gravity.terms[i], values);
    bool good = isfinite(run->t0) && isfinite(run->t1);
    good = good && (!run->tolerance_term.index || (run->tolerance > 0.0 && run->tolerance < 1.0));
    good = good && (!run->every_term.index || (run->every > 0.0 && isfinite(run->every)));
    good =
        good && (!run->step_most_term.index || (run->step_most > 0.0 && isfinite(run->step_most)));
    if (!good)
        lia_diag_error(diags, run->span, "E0166", "with this value 'run' says what cannot be");
    return good;
}

bool lia_revalue(LiaModel* own, double* values, LiaDiags* diags) {
    work_out(own, values);
    return all_finite(own, diags) && decided_alike(own, values, diags) &&
           take_starts(own, values, diags) && take_run(own, values, diags);
}
