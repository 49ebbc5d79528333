// Branches of joints: equations such as u . n = 0, w . n = 0 hold for an axis n along the other and for one opposite
// to it. The bodies are on one of these branches for ever, so it is decided at the start.
// SPDX-License-Identifier: MIT
#include "../expr/value.h"
#include "build.h"
#include "start.h"
#include <stdlib.h>

bool lia_build_signs(LiaSystem* s, LiaLowering* lowering) {
    const LiaModel* m = s->model;
    uint32_t count = 0;
    for (uint32_t c = 0; c < m->constraints_count; c++) {
        count += m->constraints[c].joint ? m->constraints[c].joint->sign_count : 0;
    }
    s->signs = LIA_ARENA_NEW(s->arena, LiaBranchSign, count + 1);
    if (!s->signs) return false;
    for (uint32_t c = 0; c < m->constraints_count; c++) {
        const LiaJointFacts* joint = m->constraints[c].joint;
        for (uint32_t k = 0; joint && k < joint->sign_count; k++) {
            LiaExpr formula = lia_lower_term(lowering, joint->signs[k]);
            if (!formula.index) return false;
            s->signs[s->sign_count++] = (LiaBranchSign){c, formula};
        }
    }
    return true;
}

int lia_mechanics_wrong_branch(const LiaSystem* s, const double* q, double t) {
    if (s->sign_count == 0) return 0;
    LiaExpr* formulas = malloc(s->sign_count * sizeof *formulas);
    LiaValues values = {0};
    for (uint32_t i = 0; formulas && i < s->sign_count; i++) formulas[i] = s->signs[i].formula;
    if (!formulas || !lia_values_init(&values, s->graph, formulas, s->sign_count)) {
        free(formulas);
        return -1;
    }
    lia_values_run(&values, &(LiaSymbols){.t = t, .parameters = s->parameters, .q = q});
    int wrong = 0;
    for (uint32_t i = 0; i < s->sign_count && !wrong; i++) {
        if (!(lia_value(&values, formulas[i]) > 0.0)) wrong = 1 + (int)i;
    }
    lia_values_clear(&values);
    free(formulas);
    return wrong;
}

void lia_mechanics_say_branch(const LiaSystem* s, int sign, LiaDiags* diags) {
    const LiaConstraint* c = &s->model->constraints[s->signs[sign - 1].constraint];
    lia_diag_error(diags, c->span, "E0261",
                   "at the start the axes of '%s' are opposite to each other, not along each other",
                   c->name);
    lia_diag_help(
        diags, "turn one of the axes around, or say in 'start' how '%s' is turned, with '=' or '~'",
        c->joint->bodies[1]);
}
