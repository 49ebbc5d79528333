// Idle turns: a thin rod has no inertia about its axis, and where nothing in the model sees that
// turn, nothing says how it goes on. It goes on as it starts, at a constant rate: the turn is lent
// an inertia i that belongs to no energy,
//
//   d/dt p + i (d/dt Omega_n) c = G,   Omega_n = n . Omega = c(q) v
//
// of which along the turn nothing is left but d/dt Omega_n = 0, and across it nothing at all. With
// p + i Omega_n c in the place of p and G + i Omega_n dc/dt in that of G this is an equation like
// the others, P and lent of LiaSystem.
//
// A turn is idle if energies, equations and forces are the same after it, whatever its angle and
// its rate:
//   q -> q e,   q' -> (q' + q n b/2) e,   e = cos(a/2) + n sin(a/2)
// and forces have no part along it. That is looked at in states taken at random; one that has no
// value decides nothing, and a turn is idle only if it was seen to be. A joint that holds the rod
// there, a couple about its axis, a wheel that it carries make it another one; what then still goes
// on by itself is found in massless_spin_coupled.c.
// SPDX-License-Identifier: MIT
#include "mechanics/spin/massless_spin.h"
#include "base/memory/memory.h"
#include "base/numeric/eigen3.h"
#include "base/numeric/quaternion.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 6, ENOUGH = 3 };

static double next(LiaMasslessSpins* z) { return lia_random_even(&z->random); }

// --- which turns have no inertia

// The rotation that an attitude is made of, it alone and not the time; NULL where there is none.
static const LiaGroup* rotation_of(const LiaSystem* s, const LiaExpr attitude[9]) {
    enum { MOST = 512, STEPS = 4096 };
    uint32_t stack[MOST], height = 0, steps = 0, group = 0;
    for (int k = 0; k < 9; k++) stack[height++] = attitude[k].index;
    while (height > 0) {
        const LiaNode* n = &s->graph->nodes[stack[--height]];
        if (++steps > STEPS || height + 3 > MOST) return NULL;
        if (n->op == LIA_OP_SYMBOL && n->symbol_kind == LIA_SYMBOL_PARAMETER) continue;
        if (n->op == LIA_OP_SYMBOL) {
            if (n->symbol_kind != LIA_SYMBOL_POSITION) return NULL;
            uint32_t of = s->model->coordinates[n->a].group;
            if (of == 0 || (group && group != of)) return NULL;
            group = of;
            continue;
        }
        const uint32_t arguments[3] = {n->a, n->b, n->c};
        for (int a = 0; a < lia_op_arity((LiaOp)n->op); a++) stack[height++] = arguments[a];
    }
    const LiaGroup* found = group ? &s->model->groups[group - 1] : NULL;
    return found && found->manifold == LIA_ROTATION ? found : NULL;
}

// Body axes b as axes of the rotation: R^T A b, at some attitude.
static void turn_axis(const LiaValues* values, const double at[4], LiaMasslessSpin* turn) {
    double space[3] = {0.0}, half[4], turned[4];
    for (int k = 0; k < 9; k++)
        space[k / 3] += lia_value(values, turn->attitude[k]) * turn->axis[k % 3];
    const double inverse[4] = {at[0], -at[1], -at[2], -at[3]};
    lia_quaternion_times(inverse, space, half);  // then times q again
    lia_quaternion_times(half, at + 1, turned);
    for (int i = 0; i < 3; i++) turn->axis[i] = turned[i + 1] + half[i + 1] * at[0];
}

static bool turn_axes(LiaMasslessSpins* z) {
    static const double at[4] = {0.5, -0.1, 0.7, 0.5};  // of length 1
    LiaExpr* roots = lia_memory_zeros(9 * (size_t)z->count + 1, sizeof *roots);
    LiaValues values;
    if (!roots) return false;
    for (uint32_t t = 0; t < z->count; t++) {
        memcpy(roots + 9 * (size_t)t, z->turns[t].attitude, sizeof z->turns[t].attitude);
        memcpy(z->q + z->turns[t].first, at, sizeof at);
    }
    bool ok = lia_evaluate_init(&values, z->s->graph, roots, 9 * (size_t)z->count);
    free(roots);
    if (!ok) return false;
    lia_evaluate_run(&values, &(LiaSymbols){.t = 0.0, .parameters = z->s->parameters, .q = z->q});
    for (uint32_t t = 0; t < z->count; t++) turn_axis(&values, at, &z->turns[t]);
    lia_evaluate_clear(&values);
    return true;
}

static void add_turns(LiaMasslessSpins* z, const LiaBody* body, double I[3][3]) {
    double V[3][3], most = 0.0;
    lia_eigen3_axes(I, V);
    for (int i = 0; i < 3; i++) most = fmax(most, I[i][i]);
    LiaExpr attitude[9];
    const LiaGroup* group = NULL;
    for (int i = 0; i < 3; i++) {
        if (!(fabs(I[i][i]) <= LIA_MOMENT_NONE * most)) continue;
        for (int k = 0; k < 9 && !group; k++)
            attitude[k] = lia_resolve_term(z->resolver, body->attitude[k]);
        if (!group) group = rotation_of(z->s, attitude);
        if (!group) return;
        LiaMasslessSpin* turn = &z->turns[z->count++];
        *turn = (LiaMasslessSpin){.body = body, .first = group->first, .idle = true};
        turn->inertia = most > 0.0 ? most : 1.0;
        for (int k = 0; k < 3; k++) turn->axis[k] = V[k][i];
        memcpy(turn->attitude, attitude, sizeof attitude);
    }
}

// The turns of bodies about axes without inertia. All inertias are worked out in one go.
static bool find_turns(LiaMasslessSpins* z) {
    const LiaModel* m = z->s->model;
    LiaExpr* inertia = lia_memory_zeros(9 * (size_t)m->pictures.bodies_count + 1, sizeof *inertia);
    z->turns = lia_memory_zeros(3 * (size_t)m->pictures.bodies_count + 1, sizeof *z->turns);
    LiaValues values = {0};
    bool ok = inertia && z->turns;
    for (uint32_t b = 0; ok && b < m->pictures.bodies_count; b++) {
        bool rigid =
            m->pictures.bodies[b].inertia[0].index && m->pictures.bodies[b].attitude[0].index;
        for (int k = 0; rigid && k < 9; k++)
            inertia[9 * b + (size_t)k] =
                lia_resolve_term(z->resolver, m->pictures.bodies[b].inertia[k]);
    }
    ok = ok &&
         lia_evaluate_init(&values, z->s->graph, inertia, 9 * (size_t)m->pictures.bodies_count);
    if (ok) lia_evaluate_run(&values, &(LiaSymbols){.t = NAN, .parameters = z->s->parameters});
    for (uint32_t b = 0; ok && b < m->pictures.bodies_count; b++) {
        double I[3][3], sum = 0.0;
        if (!inertia[9 * b].index) continue;
        for (size_t k = 0; k < 9; k++)
            sum += I[k / 3][k % 3] = lia_value(&values, inertia[9 * b + k]);
        if (isfinite(sum)) add_turns(z, &m->pictures.bodies[b], I);
    }
    lia_evaluate_clear(&values);
    free(inertia);
    return ok && (z->count == 0 || turn_axes(z));
}

// --- who sees them

void lia_massless_spin_take_state(LiaMasslessSpins* z) {
    const LiaModel* m = z->s->model;
    for (uint32_t i = 0; i < z->s->n; i++) {
        z->q[i] = next(z);
        z->v[i] = next(z);
    }
    for (uint32_t g = 0; g < m->groups_count; g++) {
        const LiaGroup* group = &m->groups[g];
        if (group->manifold == LIA_SPACE) continue;
        double *q = z->q + group->first, *v = z->v + group->first, square = 0.0, along = 0.0;
        for (uint32_t k = 0; k < group->count; k++) square += q[k] * q[k];
        for (uint32_t k = 0; k < group->count; k++) along += (q[k] /= sqrt(square)) * v[k];
        for (uint32_t k = 0; k < group->count; k++) v[k] -= along * q[k];
    }
}

void lia_massless_spin_move(LiaMasslessSpins* z, const LiaMasslessSpin* turn) {
    double *q = z->q_moved + turn->first, *v = z->v_moved + turn->first, qn[4], vn[4];
    double a = 1.5 + next(z), b = next(z);
    lia_quaternion_times(q, turn->axis, qn);
    for (int k = 0; k < 4; k++) v[k] += b / 2.0 * qn[k];
    lia_quaternion_times(v, turn->axis, vn);
    for (int k = 0; k < 4; k++) {
        q[k] = cos(a / 2.0) * q[k] + sin(a / 2.0) * qn[k];
        v[k] = cos(a / 2.0) * v[k] + sin(a / 2.0) * vn[k];
    }
}

void lia_massless_spin_evaluate(LiaMasslessSpins* z, const double* q, const double* v) {
    lia_evaluate_run(&z->values,
                     &(LiaSymbols){.t = 0.37, .parameters = z->s->parameters, .q = q, .v = v});
}

// Energies, then equations.
static LiaExpr seen(const LiaSystem* s, uint32_t k) {
    uint32_t energies = s->model->energies_count;
    return k < energies ? s->energy.statements[k] : s->rows[k - energies].equation;
}

bool lia_massless_spin_differ(double was, double is) {
    return !(fabs(is - was) <= LIA_TURN_DIFFERS * fabs(was) + LIA_TURN_DIFFERS_ZERO);
}

// Do energies and equations change with the turns that still pass for idle, or with `only` one of
// them?
static bool changes(LiaMasslessSpins* z, const LiaMasslessSpin* only) {
    size_t size = z->s->n * sizeof *z->q;
    memcpy(z->q_moved, z->q, size);
    memcpy(z->v_moved, z->v, size);
    for (uint32_t k = 0; k < z->count; k++) {
        if (only ? only == &z->turns[k] : z->turns[k].idle) lia_massless_spin_move(z, &z->turns[k]);
    }
    lia_massless_spin_evaluate(z, z->q_moved, z->v_moved);
    for (uint32_t k = 0; k < z->s->model->energies_count + z->s->row_count; k++) {
        if (lia_massless_spin_differ(z->before[k], lia_value(&z->values, seen(z->s, k))))
            return true;
    }
    return false;
}

// sum of f_i y_i, y = q n: is it other than zero?
static void pull(const LiaMasslessSpins* z, LiaMasslessSpin* turn, const LiaExpr f[4],
                 const double y[4]) {
    double sum = 0.0, size = 0.0;
    for (int k = 0; k < 4; k++) {
        double part = f[k].index ? lia_value(&z->values, f[k]) * y[k] : 0.0;
        sum += part;
        size += fabs(part);
    }
    if (!(fabs(sum) <= LIA_TURN_PULLED * size)) turn->idle = false;
}

// Forces along the turns: applied ones, and those of constraints. `of` is by coordinate the turn
// there, counted from 1.
static void look_at_forces(LiaMasslessSpins* z, const uint32_t* of) {
    const LiaSystem* s = z->s;
    for (uint32_t t = 0; t < z->count; t++) {
        double y[4];
        lia_quaternion_times(z->q + z->turns[t].first, z->turns[t].axis, y);
        pull(z, &z->turns[t], s->lagrange.Q + z->turns[t].first, y);
    }
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaRow* row = &s->rows[r];
        for (uint32_t e = 0; e < row->entries;) {
            uint32_t t = of[row->coordinate[e]];
            LiaExpr f[4] = {{0}};
            for (; t && e < row->entries && of[row->coordinate[e]] == t; e++)
                f[row->coordinate[e] - z->turns[t - 1].first] = row->Omega[e];
            e += t == 0;
            uint32_t first = t ? z->turns[t - 1].first : 0;
            for (; t && t <= z->count && z->turns[t - 1].first == first; t++) {
                double y[4];
                lia_quaternion_times(z->q + first, z->turns[t - 1].axis, y);
                pull(z, &z->turns[t - 1], f, y);
            }
        }
    }
}

// Do equations and energies have values at z->q, z->v? They are in z->before then, and all
// formulas have theirs.
static bool remember(LiaMasslessSpins* z) {
    uint32_t count = z->s->model->energies_count + z->s->row_count;
    lia_massless_spin_evaluate(z, z->q, z->v);
    for (uint32_t k = 0; k < count; k++) {
        z->before[k] = lia_value(&z->values, seen(z->s, k));
        if (!isfinite(z->before[k])) return false;
    }
    return true;
}

// True if this state has values and was looked at.
static bool look(LiaMasslessSpins* z, const uint32_t* of) {
    lia_massless_spin_take_state(z);
    if (!remember(z)) return false;
    look_at_forces(z, of);
    if (!changes(z, NULL)) return true;
    for (uint32_t t = 0; t < z->count; t++) {
        if (z->turns[t].idle) z->turns[t].idle = !changes(z, &z->turns[t]);
    }
    return true;
}

static bool prepare(LiaMasslessSpins* z, uint32_t* of) {
    const LiaSystem* s = z->s;
    size_t count = s->model->energies_count + s->row_count + 3 * (size_t)s->n, entries = 0;
    for (uint32_t r = 0; r < s->row_count; r++) entries += s->rows[r].entries;
    LiaExpr* roots = lia_memory_zeros(count + entries + 1, sizeof *roots);
    z->before = lia_memory_zeros(count + 1, sizeof *z->before);
    if (!roots || !z->before) {
        free(roots);
        return false;
    }
    size_t k = 0;
    for (; k < s->model->energies_count + s->row_count; k++) roots[k] = seen(s, (uint32_t)k);
    for (uint32_t i = 0; i < s->n; i++) {
        roots[k++] = s->lagrange.Q[i];
        roots[k++] = s->lagrange.p[i];
        roots[k++] = s->lagrange.dL_dq[i];
    }
    for (uint32_t r = 0; r < s->row_count; r++) {
        for (uint32_t e = 0; e < s->rows[r].entries; e++) roots[k++] = s->rows[r].Omega[e];
    }
    for (uint32_t t = z->count; t-- > 0;) {
        for (uint32_t i = 0; i < 4; i++) of[z->turns[t].first + i] = t + 1;
    }
    bool ok = lia_evaluate_init(&z->values, s->graph, roots, k);
    free(roots);
    return ok;
}

// --- what they are lent

// c_i of Omega_n = c v:  2 n . Im(conj(q) v), which is linear in q; of v in the place of q it is
// dc/dt.
static void row_of(LiaGraph* g, const LiaExpr q[4], const double n[3], LiaExpr out[4]) {
    // y = q n
    static const int part[4][3][2] = {{{1, -1}, {2, -1}, {3, -1}},
                                      {{0, 1}, {3, -1}, {2, 1}},
                                      {{3, 1}, {0, 1}, {1, -1}},
                                      {{2, -1}, {1, 1}, {0, 1}}};
    for (int i = 0; i < 4; i++) {
        out[i] = lia_graph_integer(g, 0);
        for (int k = 0; k < 3; k++) {
            LiaExpr factor = lia_graph_real(g, 2.0 * part[i][k][1] * n[k]);
            out[i] = lia_graph_add(g, out[i], lia_graph_mul(g, factor, q[part[i][k][0]]));
        }
    }
}

static void lend(LiaSystem* s, const LiaMasslessSpin* turn) {
    LiaGraph* g = s->graph;
    LiaExpr c[4], c_rate[4], rate = lia_graph_integer(g, 0);
    row_of(g, s->q + turn->first, turn->axis, c);
    row_of(g, s->v + turn->first, turn->axis, c_rate);
    for (uint32_t k = 0; k < 4; k++)
        rate = lia_graph_add(g, rate, lia_graph_mul(g, c[k], s->v[turn->first + k]));
    rate = lia_graph_mul(g, lia_graph_real(g, turn->inertia), rate);
    for (uint32_t k = 0; k < 4; k++) {
        LiaExpr *P = &s->lagrange.P[turn->first + k], *lent = &s->lagrange.lent[turn->first + k];
        *P = lia_graph_add(g, *P, lia_graph_mul(g, rate, c[k]));
        *lent = lia_graph_add(g, *lent, lia_graph_mul(g, rate, c_rate[k]));
    }
}

// The first of the idle turns of a body: one, about an axis, or all.
static void say(LiaMasslessSpins* z, uint32_t t) {
    bool more =
        t + 1 < z->count && z->turns[t + 1].body == z->turns[t].body && z->turns[t + 1].idle;
    const char* name = z->turns[t].body->name;
    if (z->turns[t].with) {
        lia_system_choice(z->s,
                          "a turn of '%s' together with %s has no inertia, and nothing sees it: it "
                          "goes on as it starts",
                          name, z->turns[t].with);
        return;
    }
    if (more) {
        lia_system_choice(
            z->s, "'%s' has no inertia, and nothing sees how it turns: it goes on as it starts",
            name);
        return;
    }
    lia_system_choice(
        z->s,
        "the turn of '%s' about its axis has no inertia, and nothing sees it: it goes "
        "on as it starts",
        name);
}

static bool lend_all(LiaMasslessSpins* z) {
    LiaSystem* s = z->s;
    LiaExpr* P = LIA_ARENA_NEW(s->arena, LiaExpr, s->n + 1);
    s->lagrange.lent = LIA_ARENA_NEW(s->arena, LiaExpr, s->n + 1);
    if (!P || !s->lagrange.lent) return false;
    memcpy(P, s->lagrange.p, s->n * sizeof *P);
    s->lagrange.P = P;
    for (uint32_t i = 0; i < s->n; i++) s->lagrange.lent[i] = s->zero;
    for (uint32_t t = 0; t < z->count; t++) {
        const LiaMasslessSpin* turn = &z->turns[t];
        if (!turn->idle) continue;
        lend(s, turn);
        if (t == 0 || turn[-1].body != turn->body || !turn[-1].idle || turn->with) say(z, t);
    }
    return true;
}

// Those of one rotation stand together.
static int by_rotation(const void* a, const void* b) {
    const LiaMasslessSpin *x = a, *y = b;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return (x->body > y->body) - (x->body < y->body);
}

// Whether something sees a turn is looked at with the values of all parameters.
static bool pin_all(LiaMasslessSpins* z) {
    LiaSystem* s = z->s;
    for (uint32_t i = 0; i < s->model->parameters_count; i++) {
        LiaExpr symbol = lia_graph_symbol(s->graph, LIA_SYMBOL_PARAMETER, i);
        if (!lia_parameters_pin(s, &symbol, 1)) return false;
    }
    return true;
}

static bool decide(LiaMasslessSpins* z) {
    if (!pin_all(z)) return false;
    uint32_t* of = lia_memory_zeros(z->s->n + 1, sizeof *of);
    qsort(z->turns, z->count, sizeof *z->turns, by_rotation);
    bool ok = of && prepare(z, of);
    int looks = 0, idle = 0;
    for (int i = 0; ok && i < STATES && looks < ENOUGH; i++) looks += look(z, of);
    for (uint32_t t = 0; t < z->count; t++) {
        z->turns[t].idle &= looks == ENOUGH;
    }
    ok = ok && (looks < ENOUGH || lia_massless_spin_coupled_find(z));
    for (uint32_t t = 0; t < z->count; t++) idle += z->turns[t].idle;
    free(of);
    return ok && (idle == 0 || lend_all(z));
}

bool lia_massless_spin_build(LiaSystem* s, LiaResolver* resolver) {
    s->lagrange.P = s->lagrange.p;
    if (s->model->pictures.bodies_count == 0) return true;
    size_t n = s->n;
    double* block = lia_memory_zeros(4 * n + 1, sizeof *block);
    if (!block) return false;
    LiaMasslessSpins z = {.s = s, .resolver = resolver, .random = 1};
    z.q = block, z.v = block + n, z.q_moved = block + 2 * n, z.v_moved = block + 3 * n;
    bool ok = find_turns(&z) && (z.count == 0 || decide(&z));
    lia_evaluate_clear(&z.values);
    free(z.before);
    free(z.turns);
    free(block);
    return ok;
}
