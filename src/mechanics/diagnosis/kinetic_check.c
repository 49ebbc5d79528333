// Kinetic energies that can hardly be meant: linear in a velocity, without one, or negative.
//
//   dT/dq_i other than zero, q_i has no inertia        x stands where x' was meant
//   dT/dv_i other than zero and without velocities     T is linear in v_i: the square was forgotten
//   d2T/dv_i2 < 0                                      T falls as v_i grows: the sign is wrong
//   of several velocities together                     kinetic_sign.c
//
// A kinetic energy is not negative anywhere, so that any state will do to look at: the one that
// `start` gives.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "expr/graph/evaluate.h"
#include "mechanics/build.h"
#include "mechanics/diagnosis/kinetic_sign.h"
#include <math.h>
#include <stdlib.h>

// The first statement `kinetic` in which velocity i stands.
static LiaSpan place_of(const LiaSystem* s, uint32_t i) {
    const LiaModel* m = s->model;
    for (uint32_t e = 0; e < m->energies_count; e++) {
        if (m->energies[e].kind != LIA_KINETIC) continue;
        LiaExpr d = lia_diff(s->graph, s->energy.statements[e], s->v[i]);
        if (!lia_graph_is_zero(s->graph, d)) return m->energies[e].span;
    }
    return m->coordinates[i].span;
}

static void say_linear(const LiaSystem* s, uint32_t i, LiaDiags* diags) {
    const char* x = s->model->coordinates[i].name;
    lia_diag_warning(diags, place_of(s, i), "W0224", "the kinetic energy is linear in %s'", x);
    lia_diag_help(diags,
                  "a kinetic energy has squares: %s'^2; what is linear in velocities, as of a "
                  "magnetic field, is a 'lagrangian'",
                  x);
}

static void say_negative(const LiaSystem* s, uint32_t i, double mass, LiaDiags* diags) {
    const char* x = s->model->coordinates[i].name;
    lia_diag_warning(diags, place_of(s, i), "W0225",
                     "the kinetic energy is negative for a motion of %s alone: its inertia is %.6g",
                     x, mass);
    lia_diag_help(diags, "turn the sign: L is kinetic minus potential by itself");
}

// Positions as the model gives or guesses them, else where they rest; velocities 0.
static void take_start(const LiaSystem* s, double* q) {
    const LiaModel* m = s->model;
    for (uint32_t i = 0; i < s->n; i++) q[i] = m->coordinates[i].rest;
    for (uint32_t k = m->start.values_count; k > 0; k--) {
        const LiaStart* start = &m->start.values[k - 1];
        if (!start->velocity) q[start->coordinate] = start->value;
    }
}

// `doubted`: something was said already.
static bool doubt_negative(const LiaSystem* s, const LiaExpr* p, bool doubted, LiaDiags* diags) {
    size_t n = s->n;
    LiaExpr* mass = lia_memory_zeros(n + 1, sizeof *mass);
    double* q = lia_memory_zeros(2 * n + 1, sizeof *q);
    LiaValues values;
    bool good = mass && q;
    for (size_t i = 0; good && i < n; i++) mass[i] = lia_diff(s->graph, p[i], s->v[i]);
    good = good && lia_evaluate_init(&values, s->graph, mass, n);
    if (good) {
        take_start(s, q);
        LiaSymbols at = {.parameters = s->parameters, .q = q, .v = q + n};
        if (s->model->run.given) at.t = s->model->run.t0;
        lia_evaluate_run(&values, &at);
        for (uint32_t i = 0; i < n; i++) {
            double x = lia_value(&values, mass[i]);
            if (!isfinite(x) || !(x < 0.0)) continue;
            say_negative(s, i, x, diags);
            doubted = true;
        }
        if (!doubted) lia_kinetic_sign_check(s, at.t, q, diags);
        lia_evaluate_clear(&values);
    }
    free(mass);
    free(q);
    return good;
}

static bool depends(const LiaSystem* s, LiaExpr e, LiaExpr x) {
    return !lia_graph_is_zero(s->graph, lia_diff(s->graph, e, x));
}

// Coordinate i has no inertia, and no equation speaks of it: it cannot move by itself.
static bool is_lost(const LiaSystem* s, uint32_t i) {
    if (depends(s, s->energy.lagrangian, s->v[i])) return false;
    for (uint32_t r = 0; r < s->row_count; r++) {
        LiaExpr e = s->rows[r].equation;
        if (depends(s, e, s->q[i]) || depends(s, e, s->v[i])) return false;
    }
    return true;
}

// The first `kinetic` that has the place of a coordinate in it which is lost.
static bool doubt_primes(const LiaSystem* s, LiaDiags* diags) {
    const LiaModel* m = s->model;
    for (uint32_t e = 0; e < m->energies_count; e++) {
        if (m->energies[e].kind != LIA_KINETIC) continue;
        for (uint32_t i = 0; i < s->n; i++) {
            const char* x = m->coordinates[i].name;
            if (m->coordinates[i].group) continue;
            if (!depends(s, s->energy.statements[e], s->q[i]) || !is_lost(s, i)) continue;
            lia_diag_warning(diags, m->energies[e].span, "W0224",
                             "the kinetic energy has %s in it, and not its velocity", x);
            lia_diag_help(diags, "a velocity is written %s'", x);
            return true;
        }
    }
    return false;
}

bool lia_kinetic_check_build(LiaSystem* s, LiaDiags* diags) {
    enum { LOOKED = 100 };  // coordinates: of more, second derivatives would take long
    if (lia_graph_is_zero(s->graph, s->energy.kinetic)) return true;
    LiaExpr* p = lia_memory_zeros((size_t)s->n + 1, sizeof *p);
    bool good = p && lia_diff_gradient(s->graph, s->energy.kinetic, s->v, s->n, p), doubted = false;
    for (uint32_t i = 0; good && i < s->n; i++) {
        bool moves = lia_graph_node(s->graph, p[i])->depends & LIA_DEPENDS(VELOCITY);
        if (moves || lia_graph_is_zero(s->graph, p[i])) continue;
        say_linear(s, i, diags);
        doubted = true;
    }
    doubted = doubted || (good && s->n <= LOOKED && doubt_primes(s, diags));
    if (good && s->n <= LOOKED) good = doubt_negative(s, p, doubted, diags);
    free(p);
    return good;
}
