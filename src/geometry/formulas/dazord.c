// Dazord's function h of a constraint: dh/dp_a = Y^a. See formulas_work.h.
// SPDX-License-Identifier: MIT
#include "geometry/formulas/formulas_work.h"
#include <math.h>

// Y of a row: the velocity that the function on the left is given, at a fixed time.
static LiaExpr base_velocity(Work* k, const LiaRow* row) {
    bool kinematic = (lia_graph_node(k->g, row->left)->depends & LIA_DEPENDS(VELOCITY)) != 0;
    if (!kinematic) {
        LiaExpr by_time;
        if (!lia_diff_gradient(k->g, row->left, &k->y->t, 1, &by_time)) return (LiaExpr){0};
        return minus(k, lia_diff_rate(&k->y->rates, row->right), by_time);
    }
    LiaExpr still = without(k, row->left, LIA_SYMBOL_VELOCITY, NULL);
    return minus(k, row->right, still);
}

enum { SUBMERSION_MOST = 6 };  // equations of a constraint for which h is looked for

// How well a coordinate stands for a function with the derivative f by it: 0 not at all; best is a
// plain number.
static int fitness(Work* k, LiaExpr f) {
    LiaNumber c;
    if (lia_graph_is_zero(k->g, f)) return 0;
    if (lia_graph_constant(k->g, f, &c)) return fabs(c.value) == 1.0 ? 4 : 3;
    return lia_graph_node(k->g, f)->depends & LIA_DEPENDS(POSITION) ? 1 : 2;
}

static bool gradients(Work* k, const LiaRow* const* rows, int count, LiaExpr* F) {
    const LiaSystem* s = k->s;
    for (int a = 0; a < count; a++) {
        LiaExpr* row = F + (size_t)a * k->n;
        bool has_v = (lia_graph_node(k->g, rows[a]->left)->depends & LIA_DEPENDS(VELOCITY)) != 0;
        if (!lia_diff_gradient(k->g, rows[a]->left, has_v ? s->v : s->q, k->n, row)) return false;
        for (uint32_t i = 0; i < k->n; i++) row[i] = tidy(k, row[i]);
    }
    return true;
}

// Are the functions three angular velocities omega(R), in space axes? Then their momenta are p(R).
static bool adapt_spin(Work* k, int count, const LiaExpr* F, LiaExpr* p) {
    const LiaModel* model = k->s->model;
    if (count != 3) return false;
    for (uint32_t c = 0; c < model->groups_count; c++) {
        const LiaGroup* group = &model->groups[c];
        bool same = group->manifold == LIA_ROTATION;
        for (uint32_t a = 0; same && a < 3; a++) {
            uint32_t x = a + 1, y = x % 3 + 1, z = y % 3 + 1;
            const uint32_t of[4] = {x, 0, z,
                                    y};  // of w, u_x, u_y, u_z turned so that a comes first
            const int sign[4] = {-2, 2, -2, 2};
            const uint32_t at[4] = {0, x, y, z};
            for (uint32_t i = 0; same && i < 4; i++) {
                LiaExpr want = tidy(
                    k, times(k, lia_graph_integer(k->g, sign[i]), k->s->q[group->first + of[i]]));
                same = lia_expr_same(want, F[a * k->n + group->first + at[i]]);
            }
            for (uint32_t i = 0; same && i < k->n; i++) {
                bool inside = i >= group->first && i < group->first + 4;
                same = inside || lia_graph_is_zero(k->g, F[a * k->n + i]);
            }
        }
        if (!same) continue;
        for (int a = 0; a < 3; a++) p[a] = k->y->spin[3 * c + (uint32_t)a];
        return true;
    }
    return false;
}

// The momenta of the functions along their horizontal lifts by the metric: p_a = ((F g^-1 F^T)^-1 F
// g^-1 p)_a.
static bool adapt_by_metric(Work* k, int count, const LiaExpr* F, LiaExpr* p) {
    LiaExpr w[SUBMERSION_MOST], K[SUBMERSION_MOST * SUBMERSION_MOST];
    LiaExpr inverse[SUBMERSION_MOST * SUBMERSION_MOST], *slope = list(k, k->n);
    uint32_t all[SUBMERSION_MOST];
    if (!k->out->velocity || !slope) return false;
    for (int a = 0; a < count; a++) {
        all[a] = (uint32_t)a;
        w[a] = zero(k);
        for (size_t i = 0; i < k->n; i++) {
            w[a] = plus(k, w[a], times(k, F[(size_t)a * k->n + i], k->out->velocity[i]));
        }
        w[a] = minus(k, w[a], without(k, w[a], LIA_SYMBOL_MOMENTUM, NULL));
        if (!lia_diff_gradient(k->g, w[a], k->y->p, k->n, slope)) return false;
        for (int b = 0; b < count; b++) {
            LiaExpr sum = zero(k);
            for (size_t i = 0; i < k->n; i++) {
                sum = plus(k, sum, times(k, slope[i], F[(size_t)b * k->n + i]));
            }
            K[a * count + b] = tidy(k, sum);
        }
    }
    bool singular = k->out->singular;
    bool ok = lia_formulas_invert(k, K, (size_t)count, all, (size_t)count, inverse);
    k->out->singular = singular;  // that word is about M
    for (int a = 0; ok && a < count; a++) {
        p[a] = zero(k);
        for (int b = 0; b < count; b++)
            p[a] = plus(k, p[a], times(k, inverse[a * count + b], w[b]));
        p[a] = tidy(k, p[a]);
    }
    return ok;
}

// The functions f_a on the left become coordinates, in place of as many others: the momenta p(f_a)
// with the other coordinates kept, p_i = sum_a df_a/dq_i p(f_a) for those replaced. Where such a
// derivative changes with the place it may vanish, and the metric's lift is taken instead. False
// where no formula is short enough.
static bool adapt(Work* k, int count, const LiaExpr* F, LiaExpr* p) {
    uint32_t place[SUBMERSION_MOST];
    int worst = 4;
    if (adapt_spin(k, count, F, p)) return true;
    for (int a = 0; a < count; a++) {
        const LiaExpr* row = F + (size_t)a * k->n;
        int best = 0;
        for (uint32_t i = 0; i < k->n; i++) {
            bool used = false;
            for (int b = 0; b < a; b++) used |= place[b] == i;
            int fit = used ? 0 : fitness(k, row[i]);
            if (fit > best) best = fit, place[a] = i;
        }
        if (best == 0) return false;
        if (best < worst) worst = best;
    }
    if (worst < 2) return adapt_by_metric(k, count, F, p);
    LiaExpr m[SUBMERSION_MOST * SUBMERSION_MOST], inverse[SUBMERSION_MOST * SUBMERSION_MOST];
    uint32_t all[SUBMERSION_MOST];
    for (int i = 0; i < count; i++) {
        all[i] = (uint32_t)i;
        for (int a = 0; a < count; a++) m[i * count + a] = F[(size_t)a * k->n + place[i]];
    }
    bool singular = k->out->singular;
    bool ok = lia_formulas_invert(k, m, (size_t)count, all, (size_t)count, inverse);
    k->out->singular = singular;  // that word is about M
    for (int a = 0; ok && a < count; a++) {
        p[a] = zero(k);
        for (int i = 0; i < count; i++) {
            p[a] = plus(k, p[a], times(k, inverse[a * count + i], k->y->p[place[i]]));
        }
    }
    return ok;
}

// h = p_a (Y^a - 1/2 dY^a/dp_b p_b), if Y is affine in the momenta: dY^a/dp_b along df_b.
static LiaExpr hamiltonian_of(Work* k, uint32_t c) {
    const LiaSystem* s = k->s;
    const LiaExpr none = {0};
    LiaExpr Y[SUBMERSION_MOST], p[SUBMERSION_MOST], h = zero(k), *F = NULL, *slope = NULL;
    const LiaRow* rows[SUBMERSION_MOST];
    int count = 0;
    bool still = true;
    for (uint32_t r = s->first_row[c]; r < s->first_row[c + 1]; r++) {
        if (s->rows[r].identical) continue;
        if (count == SUBMERSION_MOST) return none;
        rows[count] = &s->rows[r];
        Y[count] = tidy(k, base_velocity(k, &s->rows[r]));
        if (!Y[count].index) return none;
        still = still && lia_graph_is_zero(k->g, Y[count]);
        count++;
    }
    if (still) return h;
    F = list(k, (size_t)count * k->n), slope = list(k, k->n);
    if (!F || !slope || !gradients(k, rows, count, F) || !adapt(k, count, F, p)) return none;
    bool turned = !k->out->velocity && lia_attitude_velocity_put(k, count, Y);
    for (int a = 0; a < count; a++) {
        if (!(lia_graph_node(k->g, Y[a])->depends & LIA_DEPENDS(VELOCITY))) continue;
        if (!k->out->velocity || turned) return none;
        Y[a] =
            tidy(k, lia_diff_substitute(k->g, Y[a], LIA_SYMBOL_VELOCITY, k->out->velocity, k->n));
    }
    for (int a = 0; a < count; a++) {
        LiaExpr y = Y[a];
        if (!lia_diff_gradient(k->g, Y[a], k->y->p, k->n, slope)) return none;
        for (int b = 0; b < count; b++) {
            LiaExpr along = zero(k);
            for (size_t i = 0; i < k->n; i++) {
                along = plus(k, along, times(k, slope[i], F[(size_t)b * k->n + i]));
            }
            along = tidy(k, along);
            if (lia_graph_node(k->g, along)->depends & LIA_DEPENDS(MOMENTUM)) return none;
            y = minus(k, y, half(k, times(k, along, p[b])));
        }
        h = plus(k, h, times(k, p[a], tidy(k, y)));
    }
    return readable(k, h);
}

bool lia_dazord_functions(Work* k) {
    k->out->h = list(k, k->classes->constraint_count);
    if (!k->out->h) return false;
    for (uint32_t c = 0; c < k->classes->constraint_count; c++) {
        if (k->classes->constraints[c].hamiltonian == LIA_YES) k->out->h[c] = hamiltonian_of(k, c);
    }
    return true;
}
