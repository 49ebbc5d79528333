// Branches of joints: equations such as u . n = 0, w . n = 0 hold for an axis n along the other and
// for one opposite to it. The bodies are on one of these branches for ever, so it is decided at the
// start. Equations between rotations are on one branch alone, but next to half a turn rounding is
// all that says so.
// SPDX-License-Identifier: MIT
#include "mechanics/start/branch.h"
#include "base/memory/memory.h"
#include "mechanics/build.h"
#include "mechanics/start/start.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool add_sign(LiaSystem* s, LiaResolver* resolver, uint32_t constraint, LiaExpr term,
                     bool turn) {
    LiaExpr formula = lia_resolve_term(resolver, term);
    s->branches.signs[s->branches.sign_count++] = (LiaBranchSign){constraint, formula, turn};
    return formula.index != 0;
}

bool lia_branch_build(LiaSystem* s, LiaResolver* resolver) {
    const LiaModel* m = s->model;
    size_t count = s->row_count;
    for (uint32_t c = 0; c < m->constraints_count; c++) {
        count += m->constraints[c].joint ? m->constraints[c].joint->sign_count : 0;
    }
    s->branches.signs = LIA_ARENA_NEW(s->arena, LiaBranchSign, count + 1);
    if (!s->branches.signs) return false;
    bool ok = true;
    for (uint32_t c = 0; c < m->constraints_count; c++) {
        const LiaConstraint* of = &m->constraints[c];
        for (uint32_t k = 0; of->joint && k < of->joint->sign_count; k++)
            ok = ok && add_sign(s, resolver, c, of->joint->signs[k], false);
        for (uint32_t k = 0; k < of->equation_count; k++) {
            LiaExpr trace = of->equations[k].turn;
            bool next = trace.index && (k == 0 || !lia_expr_same(of->equations[k - 1].turn, trace));
            if (next) ok = ok && add_sign(s, resolver, c, trace, true);
            if (trace.index) s->rows[s->first_row[c] + k].turn = s->branches.sign_count;
        }
    }
    return ok;
}

bool lia_branch_find(const LiaSystem* s, const double* q, double t, bool* wrong) {
    if (s->branches.sign_count == 0) return true;
    LiaExpr* formulas = lia_memory_take(s->branches.sign_count * sizeof *formulas);
    LiaValues values = {0};
    for (uint32_t i = 0; formulas && i < s->branches.sign_count; i++)
        formulas[i] = s->branches.signs[i].formula;
    if (!formulas || !lia_evaluate_init(&values, s->graph, formulas, s->branches.sign_count)) {
        free(formulas);
        return false;
    }
    lia_evaluate_run(&values, &(LiaSymbols){.t = t, .parameters = s->parameters, .q = q});
    for (uint32_t i = 0; i < s->branches.sign_count; i++) {
        double least = s->branches.signs[i].turn ? 2.0 : 0.0;  // 60 degrees
        bool off = lia_system_is_off(s, s->branches.signs[i].constraint);
        wrong[i] = !off && !(lia_value(&values, formulas[i]) > least);
    }
    lia_evaluate_clear(&values);
    free(formulas);
    return true;
}

int lia_branch_is_wrong(const LiaSystem* s, const double* q, double t) {
    if (s->branches.sign_count == 0) return 0;
    bool* wrong = lia_memory_zeros(s->branches.sign_count, sizeof *wrong);
    int first = -1;
    if (wrong && lia_branch_find(s, q, t, wrong)) {
        first = 0;
        for (uint32_t i = 0; i < s->branches.sign_count && !first; i++)
            first = wrong[i] ? 1 + (int)i : 0;
    }
    free(wrong);
    return first;
}

double lia_branch_turned(const LiaSystem* s, uint32_t sign, const double* q, double t) {
    LiaExpr formula = s->branches.signs[sign - 1].formula;
    LiaValues values = {0};
    double trace = NAN;
    if (lia_evaluate_init(&values, s->graph, &formula, 1)) {
        lia_evaluate_run(&values, &(LiaSymbols){.t = t, .parameters = s->parameters, .q = q});
        trace = lia_value(&values, formula);
    }
    lia_evaluate_clear(&values);
    return acos(fmin(1.0, fmax(-1.0, (trace - 1.0) / 2.0)));
}

void lia_branch_say(const LiaSystem* s, int sign, LiaDiags* diags) {
    const LiaConstraint* c = &s->model->constraints[s->branches.signs[sign - 1].constraint];
    lia_diag_error(diags, c->span, "E0261",
                   "at the start the axes of '%s' are opposite to each other, not along each other",
                   c->name);
    lia_diag_help(
        diags, "turn one of the axes around, or say in 'start' how '%s' is turned, with '=' or '~'",
        c->joint->bodies[1]);
}

// --- their slopes -------------------------------------------------------------------------------

// Formula k and its gradient; `gradient` has room for all coordinates.
static bool add_cosine(LiaCosines* c, LiaResolver* resolver, LiaExpr term, LiaExpr* gradient) {
    uint32_t n = c->system->n, at = c->start[c->count];
    LiaExpr formula = lia_resolve_term(resolver, term);
    memset(gradient, 0, n * sizeof *gradient);
    if (!formula.index || !lia_diff_gradient_of(c->graph, formula, LIA_SYMBOL_POSITION, gradient))
        return false;
    uint32_t entries = at;
    for (uint32_t i = 0; i < n; i++) entries += gradient[i].index != 0;
    uint32_t* coordinate = lia_memory_resize(c->coordinate, (entries + 1) * sizeof *coordinate);
    if (coordinate) c->coordinate = coordinate;
    LiaExpr* slope = lia_memory_resize(c->slope, (entries + 1) * sizeof *slope);
    if (slope) c->slope = slope;
    if (!coordinate || !slope) return false;
    for (uint32_t i = 0; i < n; i++) {
        if (!gradient[i].index) continue;
        coordinate[at] = i;
        slope[at++] = gradient[i];
    }
    c->formula[c->count++] = formula;
    c->start[c->count] = at;
    return true;
}

static bool add_cosines(LiaCosines* c, LiaResolver* resolver) {
    const LiaModel* m = c->system->model;
    LiaExpr* gradient = lia_memory_zeros((size_t)c->system->n + 1, sizeof *gradient);
    bool ok = gradient != NULL;
    for (uint32_t k = 0; k < m->constraints_count; k++) {
        const LiaJointFacts* joint = m->constraints[k].joint;
        for (uint32_t i = 0; ok && joint && i < joint->sign_count; i++)
            ok = add_cosine(c, resolver, joint->signs[i], gradient);
    }
    free(gradient);
    return ok;
}

static bool prepare(LiaCosines* c) {
    size_t count = (size_t)c->count + c->start[c->count];
    LiaExpr* roots = lia_memory_zeros(count + 1, sizeof *roots);
    if (!roots) return false;
    if (c->count > 0) memcpy(roots, c->formula, c->count * sizeof *roots);
    if (c->slope) memcpy(roots + c->count, c->slope, c->start[c->count] * sizeof *roots);
    bool ok = lia_evaluate_init(&c->values, c->graph, roots, count);
    free(roots);
    return ok;
}

bool lia_branch_cosines_init(LiaCosines* c, const LiaSystem* system) {
    *c = (LiaCosines){.system = system, .graph = lia_graph_create()};
    c->formula = lia_memory_zeros((size_t)system->branches.sign_count + 1, sizeof *c->formula);
    c->start = lia_memory_zeros((size_t)system->branches.sign_count + 2, sizeof *c->start);
    if (!c->graph || !c->formula || !c->start) return false;
    LiaRates rates;
    lia_diff_rates_init(&rates, c->graph);
    LiaResolver* resolver = lia_resolve_create(c->graph, &rates, system->model, NULL, NULL);
    bool ok = resolver && add_cosines(c, resolver);
    lia_resolve_destroy(resolver);
    lia_diff_rates_clear(&rates);
    return ok && prepare(c);
}

void lia_branch_cosines_clear(LiaCosines* c) {
    lia_evaluate_clear(&c->values);
    lia_graph_destroy(c->graph);
    free(c->formula);
    free(c->start);
    free(c->coordinate);
    free(c->slope);
    memset(c, 0, sizeof *c);
}

void lia_branch_cosines_run(LiaCosines* c, const double* q, double t) {
    lia_evaluate_run(&c->values,
                     &(LiaSymbols){.t = t, .parameters = c->system->parameters, .q = q});
}
