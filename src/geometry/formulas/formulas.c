// The mechanics as formulas. See formulas.h.
// SPDX-License-Identifier: MIT
#include "geometry/formulas/formulas_work.h"
#include <assert.h>
#include <stdlib.h>

// --- inverses ----------------------------------------------------------------------------------

static LiaExpr determinant(Work* k, const LiaExpr* m, int size) {
    if (size == 1) return m[0];
    if (size == 2) return minus(k, times(k, m[0], m[3]), times(k, m[1], m[2]));
    LiaExpr sum = zero(k);
    for (int c = 0; c < 3; c++) {
        int a = (c + 1) % 3, b = (c + 2) % 3;
        LiaExpr minor = minus(k, times(k, m[3 + a], m[6 + b]), times(k, m[3 + b], m[6 + a]));
        sum = plus(k, sum, times(k, m[c], minor));
    }
    return sum;
}

// Entry (i, j) of the adjugate of a small matrix.
static LiaExpr adjugate(Work* k, const LiaExpr* m, int size, int i, int j) {
    if (size == 1) return lia_graph_integer(k->g, 1);
    LiaExpr rest[4];
    int count = 0;
    for (int r = 0; r < size; r++) {
        for (int c = 0; c < size; c++) {
            if (r != j && c != i) rest[count++] = m[r * size + c];
        }
    }
    LiaExpr d = determinant(k, rest, size - 1);
    return (i + j) % 2 ? lia_graph_neg(k->g, d) : d;
}

bool lia_formulas_invert(Work* k, const LiaExpr* m, size_t stride, const uint32_t* which,
                         size_t count, LiaExpr* inverse) {
    int block[LIA_FORMULAS_SIZE];
    for (size_t i = 0; i < count; i++) block[i] = (int)i;
    for (bool changed = true; changed;) {  // blocks grow together along entries that are not zero
        changed = false;
        for (size_t i = 0; i < count; i++) {
            for (size_t j = 0; j < count; j++) {
                bool apart = lia_graph_is_zero(k->g, m[which[i] * stride + which[j]]);
                if (apart || block[i] == block[j]) continue;
                int low = block[i] < block[j] ? block[i] : block[j];
                block[i] = block[j] = low;
                changed = true;
            }
        }
    }
    for (size_t i = 0; i < count * count; i++) inverse[i] = zero(k);
    for (size_t first = 0; first < count; first++) {
        if (block[first] != (int)first) continue;
        size_t member[LIA_FORMULAS_BLOCK];
        int size = 0;
        for (size_t i = first; i < count; i++) {
            if (block[i] != (int)first) continue;
            if (size == LIA_FORMULAS_BLOCK) return false;
            member[size++] = i;
        }
        LiaExpr small[LIA_FORMULAS_BLOCK * LIA_FORMULAS_BLOCK];
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                small[i * size + j] = m[which[member[i]] * stride + which[member[j]]];
            }
        }
        LiaExpr det = tidy(k, determinant(k, small, size));
        if (lia_graph_is_zero(k->g, det)) {
            k->out->singular = true;
            return false;
        }
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                LiaExpr entry = lia_graph_div(k->g, tidy(k, adjugate(k, small, size, i, j)), det);
                inverse[member[i] * count + member[j]] = tidy(k, entry);
            }
        }
    }
    return !k->g->failed;
}

// --- the equations -----------------------------------------------------------------------------

static bool make_equations(Work* k) {
    const LiaSystem* s = k->s;
    LiaFormulas* out = k->out;
    size_t n = k->n;
    out->M = list(k, n * n), out->rest = list(k, n), out->force = list(k, s->row_count);
    if (!out->M || !out->rest || !out->force) return false;
    for (size_t i = 0; i < n; i++) {
        if (!lia_diff_gradient(k->g, s->lagrange.p[i], s->v, n, out->M + i * n)) return false;
        for (size_t j = 0; j < n; j++) out->M[i * n + j] = tidy(k, out->M[i * n + j]);
        LiaExpr rate = lia_diff_rate(&k->y->rates, s->lagrange.p[i]);
        if (!rate.index) return false;
        LiaExpr rest =
            minus(k, s->lagrange.dL_dq[i], without(k, rate, LIA_SYMBOL_ACCELERATION, NULL));
        rest = plus(k, rest, s->lagrange.Q[i]);
        for (uint32_t r = 0; r < s->row_count; r++) {
            if (s->rows[r].identical || s->rows[r].follows) continue;
            LiaExpr mu = lia_graph_symbol(k->g, LIA_SYMBOL_MULTIPLIER, r);
            rest = plus(k, rest, times(k, mu, lia_system_Omega(s, r, i)));
        }
        out->rest[i] = tidy(k, rest);
    }
    return !k->g->failed;
}

// --- Hamiltonian and connection ----------------------------------------------------------------

static bool make_hamiltonian(Work* k) {
    LiaFormulas* out = k->out;
    size_t n = k->n;
    uint32_t all[LIA_FORMULAS_SIZE] = {0};
    LiaExpr* inverse = list(k, n * n);
    out->velocity = list(k, n);
    if (!inverse || !out->velocity) return false;
    for (uint32_t i = 0; i < n; i++) all[i] = i;
    if (!lia_formulas_invert(k, out->M, n, all, n, inverse)) {
        out->velocity = NULL;
        return !k->g->failed;
    }
    LiaExpr H = zero(k);
    for (size_t i = 0; i < n; i++) {
        LiaExpr v = zero(k);
        for (size_t j = 0; j < n; j++) {
            v = plus(k, v, times(k, inverse[i * n + j], minus(k, k->y->p[j], k->b[j])));
        }
        out->velocity[i] = tidy(k, v);
        H = plus(k, H, times(k, minus(k, k->y->p[i], k->b[i]), out->velocity[i]));
    }
    out->hamiltonian = readable(k, plus(k, half(k, H), k->U));
    return !k->g->failed;
}

// h_a f = df/ds_a - A^j_a df/dx_j
static LiaExpr horizontal(Work* k, size_t a, LiaExpr f) {
    const LiaPhaseSpace* space = k->space;
    LiaExpr slope[LIA_FORMULAS_SIZE];
    if (!lia_diff_gradient(k->g, f, k->s->q, k->n, slope)) return zero(k);
    LiaExpr sum = slope[space->s[a]];
    for (size_t j = 0; j < space->nx; j++) {
        sum = minus(k, sum, times(k, k->out->A[j * space->ns + a], slope[space->x[j]]));
    }
    return sum;
}

// h0 = 1/2 (p - b) G (p - b) + U, G the inverse metric of the fibre.
static LiaExpr energy_of_fibre(Work* k, const LiaExpr* G) {
    const LiaPhaseSpace* space = k->space;
    size_t nx = space->nx;
    LiaExpr h0 = zero(k);
    for (size_t i = 0; i < nx; i++) {
        LiaExpr pi = minus(k, k->y->p[space->x[i]], k->b[space->x[i]]);
        for (size_t j = 0; j < nx; j++) {
            LiaExpr pj = minus(k, k->y->p[space->x[j]], k->b[space->x[j]]);
            h0 = plus(k, h0, times(k, G[i * nx + j], times(k, pi, pj)));
        }
    }
    return readable(k, plus(k, half(k, h0), k->U));
}

// A = G M_xs
static void make_A(Work* k, const LiaExpr* G) {
    const LiaPhaseSpace* space = k->space;
    LiaFormulas* out = k->out;
    size_t nx = space->nx, ns = space->ns;
    for (size_t a = 0; a < ns; a++) {
        for (size_t i = 0; i < nx; i++) {
            LiaExpr sum = zero(k);
            for (size_t j = 0; j < nx; j++) {
                LiaExpr M = out->M[space->x[j] * k->n + space->s[a]];
                sum = plus(k, sum, times(k, G[i * nx + j], M));
            }
            out->A[i * ns + a] = tidy(k, sum);
        }
    }
}

// F_ac = H_a A_c - H_c A_a, the curvature.
static void make_curvature(Work* k) {
    LiaFormulas* out = k->out;
    size_t nx = k->space->nx, ns = k->space->ns;
    for (size_t j = 0; j < nx; j++) {
        for (size_t a = 0; a < ns; a++) {
            for (size_t c = 0; c < ns; c++) {
                LiaExpr one = horizontal(k, a, out->A[j * ns + c]);
                LiaExpr other = horizontal(k, c, out->A[j * ns + a]);
                out->F[(j * ns + a) * ns + c] =
                    a == c ? zero(k) : readable(k, minus(k, one, other));
            }
        }
    }
}

static bool make_connection(Work* k) {
    const LiaPhaseSpace* space = k->space;
    LiaFormulas* out = k->out;
    size_t n = k->n, nx = space->nx, ns = space->ns;
    LiaExpr* G = list(k, nx * nx);
    if (!G) return false;
    bool singular = out->singular;  // of T*M
    bool inverted = lia_formulas_invert(k, out->M, n, space->x, nx, G);
    out->singular = singular;
    if (!inverted) return !k->g->failed;
    out->h0 = energy_of_fibre(k, G);
    if (ns == 0) return !k->g->failed;
    out->A = list(k, nx * ns), out->Theta = list(k, ns * ns), out->momentum = list(k, ns);
    out->F = list(k, nx * ns * ns);
    if (!out->A || !out->Theta || !out->momentum || !out->F) return false;
    make_A(k, G);
    LiaExpr K = zero(k);
    for (size_t a = 0; a < ns; a++) {
        LiaExpr beta = k->b[space->s[a]], p = zero(k);
        for (size_t i = 0; i < nx; i++) {
            beta = minus(k, beta, times(k, k->b[space->x[i]], out->A[i * ns + a]));
            p = plus(k, p, times(k, out->A[i * ns + a], k->y->p[space->x[i]]));
        }
        for (size_t c = 0; c < ns; c++) {
            LiaExpr sum = out->M[space->s[a] * n + space->s[c]];
            for (size_t i = 0; i < nx; i++) {
                sum = minus(k, sum,
                            times(k, out->M[space->x[i] * n + space->s[a]], out->A[i * ns + c]));
            }
            out->Theta[a * ns + c] = tidy(k, sum);
            LiaExpr part = times(k, out->Theta[a * ns + c], k->s->v[space->s[c]]);
            p = plus(k, p, part);
            K = plus(k, K, half(k, times(k, part, k->s->v[space->s[a]])));
        }
        K = plus(k, K, times(k, beta, k->s->v[space->s[a]]));
        out->momentum[a] = readable(k, plus(k, p, beta));
    }
    out->K_Y = readable(k, K);
    make_curvature(k);
    for (size_t i = 0; i < nx * ns; i++) out->A[i] = readable(k, out->A[i]);
    for (size_t i = 0; i < ns * ns; i++) out->Theta[i] = readable(k, out->Theta[i]);
    return !k->g->failed;
}

// --- all of it ---------------------------------------------------------------------------------

static bool make(Work* k, double t, const double* q, const double* v) {
    const LiaSystem* s = k->s;
    k->out->available = s->n <= LIA_FORMULAS_SIZE;
    if (!k->out->available) {
        k->out->h = list(k, k->classes->constraint_count);
        k->out->force = list(k, s->row_count);
        return k->out->h && k->out->force;
    }
    k->b = list(k, k->n);
    if (!k->b || !make_equations(k)) return false;
    if (k->y->quadratic) {
        for (size_t i = 0; i < k->n; i++) {
            k->b[i] = tidy(k, without(k, s->lagrange.p[i], LIA_SYMBOL_VELOCITY, NULL));
        }
        k->U = tidy(
            k, lia_graph_neg(k->g, without(k, s->energy.lagrangian, LIA_SYMBOL_VELOCITY, NULL)));
        if (!make_hamiltonian(k) || !make_connection(k)) return false;
    }
    if (!lia_forces_driven(k) || !lia_forces_multipliers(k) || !lia_dazord_functions(k)) {
        return false;
    }
    if (q && !lia_forces_check(k, t, q, v)) return false;
    return !k->g->failed;
}

bool lia_formulas_make(LiaPhaseSpace* space, const LiaClassification* classes, double t,
                       const double* q, const double* v, LiaFormulas* out) {
    assert(space && classes);
    *out = (LiaFormulas){.arena = lia_arena_create()};
    if (!out->arena) return false;
    Work k = {.space = space,
              .y = space->geometry,
              .s = space->geometry->system,
              .classes = classes,
              .g = space->geometry->graph,
              .out = out,
              .n = space->n};
    return make(&k, t, q, v);
}

void lia_formulas_clear(LiaFormulas* f) {
    lia_arena_destroy(f->arena);
    *f = (LiaFormulas){0};
}
