// start p(x) = e: momenta given instead of velocities (the Legendre transformation at the start).
//
// The momenta are equations of the state there, p(x) - e = 0, besides those of the constraints. A
// system in which they are constraints finds the state by the rules of every start; the motion
// begins there in the system without them.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/quaternion.h"
#include "mechanics/start/start.h"
#include <stdlib.h>
#include <string.h>

// The model with p(x) = e as constraints at the end of the list; free `constraints`.
static bool add_equations(const LiaModel* model, LiaModel* own, LiaConstraint** constraints) {
    size_t count = model->constraints_count, more = model->phase.momenta_count;
    *constraints = lia_memory_zeros(count + more + 1, sizeof **constraints);
    if (!*constraints) return false;
    if (count) memcpy(*constraints, model->constraints, count * sizeof **constraints);
    memcpy(*constraints + count, model->phase.momenta, more * sizeof **constraints);
    *own = *model;
    own->constraints = *constraints;
    own->constraints_count = (uint32_t)(count + more);
    own->phase.momenta_count = 0;
    return true;
}

static LiaStatus find_there(const LiaModel* own, LiaDiags* diags, LiaStartState* start) {
    LiaSystem* system = NULL;
    LiaSystemOptions options = {.no_eliminate = true};
    LiaDiagsMark mark = lia_diag_mark(diags);
    LiaStatus status = lia_system_build(own, &options, diags, &system);
    if (status != LIA_OK) return status;
    lia_diag_reset(diags, mark);  // warnings of the model were said before
    start->state_alone = start->momenta = true;
    status = lia_start_find(system, diags, start);
    start->state_alone = start->momenta = false;
    lia_system_destroy(system);
    return status;
}

// What was found, as data of a state to begin from: of a rotation omega, after its w.
static void give(const LiaModel* m, const LiaStartState* found, double* q, double* v) {
    memcpy(q, found->q, m->coordinates_count * sizeof *q);
    memcpy(v, found->v, m->coordinates_count * sizeof *v);
    for (uint32_t g = 0; g < m->groups_count; g++) {
        uint32_t first = m->groups[g].first;
        if (m->groups[g].manifold != LIA_ROTATION) continue;
        lia_quaternion_spin(q + first, found->v + first, v + first + 1);
    }
}

LiaStatus lia_start_momenta_find(const LiaSystem* s, LiaDiags* diags, LiaStartState* start) {
    const LiaModel* m = s->model;
    LiaModel own;
    LiaConstraint* constraints = NULL;
    double* given = lia_memory_zeros(2 * (size_t)s->n + 1, sizeof *given);
    const LiaWorkspace* sides = start->sides;  // of another system than the one that looks
    start->sides = NULL;
    LiaStatus status =
        given && add_equations(m, &own, &constraints) ? find_there(&own, diags, start) : LIA_MEMORY;
    start->sides = sides;
    if (status == LIA_OK) {
        LiaStartState there = *start;
        there.choices = there.chosen = (LiaText){0};
        give(m, start, given, given + s->n);
        there.given_q = given;
        there.given_v = given + s->n;
        status = lia_start_find(s, diags, &there);
        start->regularity = there.regularity;
        start->singular = there.singular;
        start->degree = there.degree;
        start->shared = there.shared;
        lia_start_clear(&there);
    }
    free(constraints);
    free(given);
    return status;
}
