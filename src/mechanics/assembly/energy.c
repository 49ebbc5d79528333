// The Lagrangian and what follows from it alone: p = dL/dv, dL/dq, the energy E = v p - L, the
// momenta of the symmetries; and the applied forces Q = sum of one-forms - dD/dv.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "mechanics/build.h"
#include <stdlib.h>

static bool lower_lagrangian(LiaSystem* s, LiaResolver* resolver) {
    LiaGraph* g = s->graph;
    LiaExpr zero = lia_graph_integer(g, 0);
    s->energy.lagrangian = s->energy.kinetic = s->energy.potential = zero;
    LiaExpr kinetic = zero, potential = zero, lagrangian = zero;
    bool split =
        true;  // no 'lagrangian': T and U are given as such, one of them perhaps as nothing
    s->energy.statements = LIA_ARENA_NEW(s->arena, LiaExpr, s->model->energies_count + 1);
    if (!s->energy.statements) return false;
    for (uint32_t e = 0; e < s->model->energies_count; e++) {
        const LiaEnergy* energy = &s->model->energies[e];
        LiaExpr f = lia_resolve_term(resolver, energy->term);
        if (!f.index) return false;
        s->energy.statements[e] = f;
        switch (energy->kind) {
        case LIA_KINETIC:
            kinetic = lia_graph_add(g, kinetic, f);
            s->energy.has_kinetic = true;
            break;
        case LIA_POTENTIAL:
            potential = lia_graph_add(g, potential, f);
            s->energy.has_potential = true;
            break;
        case LIA_LAGRANGIAN:
            lagrangian = lia_graph_add(g, lagrangian, f);
            split = false;
            break;
        case LIA_HAMILTONIAN:  // no velocities in it: H is the energy of -H
            lagrangian = lia_graph_sub(g, lagrangian, f);
            split = false;
            break;
        }
    }
    s->energy.has_kinetic |= split;
    s->energy.has_potential |= split;
    s->energy.kinetic = kinetic;
    s->energy.potential = potential;
    s->energy.lagrangian = lia_graph_add(g, lagrangian, lia_graph_sub(g, kinetic, potential));
    return true;
}

// p, dL/dq in one reverse sweep over q and v together.
static bool differentiate(LiaSystem* s) {
    LiaGraph* g = s->graph;
    uint32_t n = s->n;
    LiaExpr* symbols = lia_memory_zeros(4 * (size_t)n + 1, sizeof *symbols);
    s->lagrange.p = LIA_ARENA_NEW(s->arena, LiaExpr, n + 1);
    s->lagrange.dL_dq = LIA_ARENA_NEW(s->arena, LiaExpr, n + 1);
    if (!symbols || !s->lagrange.p || !s->lagrange.dL_dq) {
        free(symbols);
        return false;
    }
    LiaExpr* gradient = symbols + 2 * n;
    for (uint32_t i = 0; i < n; i++) {
        symbols[i] = s->q[i];
        symbols[n + i] = s->v[i];
    }
    bool ok = lia_diff_gradient(g, s->energy.lagrangian, symbols, 2 * (size_t)n, gradient);
    LiaExpr energy = lia_graph_integer(g, 0);
    for (uint32_t i = 0; ok && i < n; i++) {
        s->lagrange.dL_dq[i] = gradient[i];
        s->lagrange.p[i] = gradient[n + i];
        energy = lia_graph_add(g, energy, lia_graph_mul(g, s->v[i], s->lagrange.p[i]));
    }
    s->energy.total = lia_graph_sub(g, energy, s->energy.lagrangian);
    free(symbols);
    return ok;
}

// Forces and dissipation into Q; `always`: without the forces that begin and end.
static bool add_forces(LiaSystem* s, LiaResolver* resolver, LiaDiags* diags, bool always,
                       LiaExpr* Q) {
    LiaGraph* g = s->graph;
    LiaExpr* w = lia_memory_zeros(s->n + 1, sizeof *w);
    if (!w) return false;
    for (uint32_t i = 0; i < s->n; i++) Q[i] = lia_graph_integer(g, 0);
    if (s->model->phase.is) {  // forces stand in the flow: see phase.c
        for (uint32_t i = 0; i < s->n; i++) {
            if (s->model->coordinates[i].inner) Q[i] = lia_graph_neg(g, s->v[i]);
        }
        free(w);
        return true;
    }
    for (uint32_t f = 0; f < s->model->forces_count; f++) {
        const LiaForce* force = &s->model->forces[f];
        if (always && lia_model_begins_or_ends(force->duration)) continue;
        if (!lia_resolve_form(resolver, &force->form, diags, w)) continue;
        for (uint32_t i = 0; i < s->n; i++) {
            if (!lia_graph_is_zero(g, w[i])) Q[i] = lia_graph_add(g, Q[i], w[i]);
        }
    }
    for (uint32_t d = 0; d < s->model->dissipations_count; d++) {
        LiaExpr D = lia_resolve_term(resolver, s->model->dissipations[d].term);
        if (!D.index || !lia_diff_gradient(g, D, s->v, s->n, w)) continue;
        for (uint32_t i = 0; i < s->n; i++) Q[i] = lia_graph_sub(g, Q[i], w[i]);
    }
    free(w);
    return true;
}

bool lia_energy_applied(LiaSystem* s, LiaResolver* resolver, LiaExpr* Q) {
    return add_forces(s, resolver, NULL, true, Q);
}

static bool apply_forces(LiaSystem* s, LiaResolver* resolver, LiaDiags* diags) {
    s->lagrange.Q = LIA_ARENA_NEW(s->arena, LiaExpr, s->n + 1);
    return s->lagrange.Q && add_forces(s, resolver, diags, false, s->lagrange.Q);
}

// The momentum of a symmetry is p xi, with xi its generator.
static bool make_momentum(LiaSystem* s, LiaResolver* resolver, const LiaSymmetry* symmetry,
                          LiaDiags* diags, LiaExpr* momentum) {
    LiaGraph* g = s->graph;
    LiaExpr* xi = lia_memory_zeros(s->n + 1, sizeof *xi);
    bool good = xi != NULL;
    *momentum = lia_graph_integer(g, 0);
    for (uint32_t j = 0; good && j < symmetry->count; j++) {
        uint32_t i = symmetry->parts[j].coordinate;
        xi[i] = lia_resolve_term(resolver, symmetry->parts[j].term);
        good = xi[i].index != 0;
        if (good)
            *momentum = lia_graph_add(g, *momentum, lia_graph_mul(g, s->lagrange.p[i], xi[i]));
    }
    good = good && lia_generator_build(s, symmetry, xi, diags);
    free(xi);
    return good;
}

static bool make_momenta(LiaSystem* s, LiaResolver* resolver, LiaDiags* diags) {
    uint32_t count = s->model->symmetries_count;
    LiaExpr* momenta = LIA_ARENA_NEW(s->arena, LiaExpr, count + 1);
    if (!momenta) return false;
    for (uint32_t k = 0; k < count; k++) {
        if (!make_momentum(s, resolver, &s->model->symmetries[k], diags, &momenta[k])) return false;
    }
    s->observables.momenta = momenta;
    return true;
}

bool lia_energy_build(LiaSystem* s, LiaResolver* resolver, LiaDiags* diags) {
    return lower_lagrangian(s, resolver) && differentiate(s) && make_momenta(s, resolver, diags) &&
           apply_forces(s, resolver, diags);
}
