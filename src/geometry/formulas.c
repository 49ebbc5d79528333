// The mechanics as formulas. See formulas.h.
// SPDX-License-Identifier: MIT
#include "geometry/formulas.h"
#include "base/numeric/thresholds.h"
#include "expr/reading/simplify.h"
#include "geometry/evaluation.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_MOST = 3 };  // largest block of a matrix that is inverted as a formula

typedef struct Work {
    LiaPhaseSpace* space;
    LiaGeometry* y;
    const LiaSystem* s;
    const LiaClassification* classes;
    LiaGraph* g;
    LiaFormulas* out;
    size_t n;
    LiaExpr *b, U;  // L = 1/2 v g v + b v - U        (n)
} Work;

static LiaExpr* list(Work* k, size_t count) {
    return LIA_ARENA_NEW(k->out->arena, LiaExpr, count + 1);
}

static LiaExpr plus(Work* k, LiaExpr a, LiaExpr b) { return lia_graph_add(k->g, a, b); }
static LiaExpr minus(Work* k, LiaExpr a, LiaExpr b) { return lia_graph_sub(k->g, a, b); }
static LiaExpr times(Work* k, LiaExpr a, LiaExpr b) { return lia_graph_mul(k->g, a, b); }
static LiaExpr zero(Work* k) { return lia_graph_integer(k->g, 0); }
static LiaExpr half(Work* k, LiaExpr a) { return times(k, lia_graph_rational(k->g, 1, 2), a); }
static LiaExpr tidy(Work* k, LiaExpr a) { return lia_simplify(k->g, a); }

// {0} where it is too long to be read.
static LiaExpr readable(Work* k, LiaExpr a) {
    if (!a.index) return a;
    a = tidy(k, a);
    return lia_simplify_length(k->g, a) <= LIA_FORMULA_LENGTH ? a : (LiaExpr){0};
}

// f with all symbols of a kind put to zero, except those of `kept` (NULL: none is).
static LiaExpr without(Work* k, LiaExpr f, LiaSymbolKind kind, const bool* kept) {
    LiaExpr by[LIA_FORMULAS_SIZE];
    for (size_t i = 0; i < k->n; i++) by[i] = kept && kept[i] ? (LiaExpr){0} : zero(k);
    return lia_diff_substitute(k->g, f, kind, by, k->n);
}

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

// The inverse of the matrix of the `count` indices `which` of an n x n matrix, by blocks that do not
// couple. False where a block is too large or its determinant is zero.
static bool invert(Work* k, const LiaExpr* m, size_t stride, const uint32_t* which, size_t count,
                   LiaExpr* inverse) {
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
        size_t member[BLOCK_MOST];
        int size = 0;
        for (size_t i = first; i < count; i++) {
            if (block[i] != (int)first) continue;
            if (size == BLOCK_MOST) return false;
            member[size++] = i;
        }
        LiaExpr small[BLOCK_MOST * BLOCK_MOST];
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
        if (!lia_diff_gradient(k->g, s->p[i], s->v, n, out->M + i * n)) return false;
        for (size_t j = 0; j < n; j++) out->M[i * n + j] = tidy(k, out->M[i * n + j]);
        LiaExpr rate = lia_diff_rate(&k->y->rates, s->p[i]);
        if (!rate.index) return false;
        LiaExpr rest = minus(k, s->dL_dq[i], without(k, rate, LIA_SYMBOL_ACCELERATION, NULL));
        rest = plus(k, rest, s->Q[i]);
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
    if (!invert(k, out->M, n, all, n, inverse)) {
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

static bool make_connection(Work* k) {
    const LiaPhaseSpace* space = k->space;
    LiaFormulas* out = k->out;
    size_t n = k->n, nx = space->nx, ns = space->ns;
    LiaExpr* G = list(k, nx * nx);
    if (!G) return false;
    bool singular = out->singular;  // of T*M
    bool inverted = invert(k, out->M, n, space->x, nx, G);
    out->singular = singular;
    if (!inverted) return !k->g->failed;
    LiaExpr h0 = zero(k);
    for (size_t i = 0; i < nx; i++) {
        LiaExpr pi = minus(k, k->y->p[space->x[i]], k->b[space->x[i]]);
        for (size_t j = 0; j < nx; j++) {
            LiaExpr pj = minus(k, k->y->p[space->x[j]], k->b[space->x[j]]);
            h0 = plus(k, h0, times(k, G[i * nx + j], times(k, pi, pj)));
        }
    }
    out->h0 = readable(k, plus(k, half(k, h0), k->U));
    if (ns == 0) return !k->g->failed;
    out->A = list(k, nx * ns), out->Theta = list(k, ns * ns), out->momentum = list(k, ns);
    out->F = list(k, nx * ns * ns);
    if (!out->A || !out->Theta || !out->momentum || !out->F) return false;
    for (size_t a = 0; a < ns; a++) {
        for (size_t i = 0; i < nx; i++) {
            LiaExpr sum = zero(k);
            for (size_t j = 0; j < nx; j++) {
                sum = plus(k, sum, times(k, G[i * nx + j], out->M[space->x[j] * n + space->s[a]]));
            }
            out->A[i * ns + a] = tidy(k, sum);
        }
    }
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
    for (size_t i = 0; i < nx * ns; i++) out->A[i] = readable(k, out->A[i]);
    for (size_t i = 0; i < ns * ns; i++) out->Theta[i] = readable(k, out->Theta[i]);
    return !k->g->failed;
}

// --- forces ------------------------------------------------------------------------------------

// What a driven coordinate's row of d'Alembert's principle lacks:
//   lambda = dp/dt - dL/ds - Q_s - (forces of the other constraints)
static bool driven_forces(Work* k) {
    const LiaDynamics* d = k->s->reduced;
    LiaExpr* by = list(k, k->s->row_count);
    if (!by) return false;
    for (uint32_t e = 0; e < d->drive_count; e++) {
        uint32_t i = d->drives[e].coordinate, r = d->drive_row[e];
        by[r] = zero(k);
        LiaExpr rest =
            lia_diff_substitute(k->g, k->out->rest[i], LIA_SYMBOL_MULTIPLIER, by, k->s->row_count);
        LiaExpr f = lia_graph_neg(k->g, rest);
        by[r] = (LiaExpr){0};
        for (size_t j = 0; j < k->n; j++) {
            LiaExpr a = lia_graph_symbol(k->g, LIA_SYMBOL_ACCELERATION, (uint32_t)j);
            f = plus(k, f, times(k, k->out->M[i * k->n + j], a));
        }
        k->out->force[r] = readable(k, f);
    }
    return true;
}

// mu = -S^-1 (gamma + J M^-1 r), S = J M^-1 Omega^T, over the unknown coordinates.
static bool multipliers(Work* k) {
    const LiaSystem* s = k->s;
    const LiaDynamics* d = s->reduced;
    size_t n = k->n, nf = d->nf, nc = d->nc;
    if (nc == 0 || nc > BLOCK_MOST) return true;
    bool driven[LIA_FORMULAS_SIZE] = {false};
    uint32_t all[BLOCK_MOST] = {0};
    for (uint32_t e = 0; e < d->drive_count; e++) driven[d->drives[e].coordinate] = true;
    LiaExpr *inverse = list(k, nf * nf), *r = list(k, nf), *J = list(k, nc * n),
            *JM = list(k, nc * nf);
    LiaExpr *S = list(k, nc * nc), *T = list(k, nc * nc), *c = list(k, nc);
    bool singular = k->out->singular;
    if (!inverse || !r || !J || !JM || !S || !T || !c) return false;
    bool inverted = invert(k, k->out->M, n, d->free, nf, inverse);
    k->out->singular = singular;
    if (!inverted) return !k->g->failed;
    for (size_t i = 0; i < nf;
         i++) {  // forces without multipliers, and what driven accelerations do
        LiaExpr by[64] = {{0}};
        for (uint32_t e = 0; e < s->row_count && e < 64; e++) by[e] = zero(k);
        if (s->row_count > 64) return true;
        r[i] = lia_diff_substitute(k->g, k->out->rest[d->free[i]], LIA_SYMBOL_MULTIPLIER, by,
                                   s->row_count);
        for (uint32_t e = 0; e < d->drive_count; e++) {
            uint32_t q = d->drives[e].coordinate;
            LiaExpr a = lia_graph_symbol(k->g, LIA_SYMBOL_ACCELERATION, q);
            r[i] = minus(k, r[i], times(k, k->out->M[d->free[i] * n + q], a));
        }
        r[i] = tidy(k, r[i]);
    }
    for (size_t e = 0; e < nc; e++) {
        LiaExpr psi = k->y->psi[d->rows[e]];
        if (!lia_diff_gradient(k->g, psi, s->v, n, J + e * n)) return false;
        LiaExpr rate = lia_diff_rate(&k->y->rates, psi);
        if (!rate.index) return true;
        c[e] = without(k, rate, LIA_SYMBOL_ACCELERATION, driven);
        for (size_t i = 0; i < nf; i++) {
            LiaExpr sum = zero(k);
            for (size_t j = 0; j < nf; j++) {
                sum = plus(k, sum, times(k, J[e * n + d->free[j]], inverse[j * nf + i]));
            }
            JM[e * nf + i] = tidy(k, sum);
            c[e] = plus(k, c[e], times(k, JM[e * nf + i], r[i]));
        }
        c[e] = tidy(k, c[e]);
    }
    for (size_t e = 0; e < nc; e++) {
        all[e] = (uint32_t)e;
        for (size_t f = 0; f < nc; f++) {
            LiaExpr sum = zero(k);
            for (size_t i = 0; i < nf; i++) {
                sum = plus(k, sum,
                           times(k, JM[e * nf + i], lia_system_Omega(s, d->rows[f], d->free[i])));
            }
            S[e * nc + f] = tidy(k, sum);
        }
    }
    inverted = invert(k, S, nc, all, nc, T);
    k->out->singular = singular;
    if (!inverted) return !k->g->failed;
    for (size_t e = 0; e < nc; e++) {
        LiaExpr sum = zero(k);
        for (size_t f = 0; f < nc; f++) sum = minus(k, sum, times(k, T[e * nc + f], c[f]));
        k->out->force[d->rows[e]] = readable(k, sum);
    }
    return !k->g->failed;
}

// A formula is shown only if it gives the number that K0 gives.
static bool check_forces(Work* k, double t, const double* q, const double* v) {
    const LiaSystem* s = k->s;
    LiaEvaluation evaluation;
    LiaValues values = {0};
    bool ok = lia_evaluation_make(s, s->reduced, t, q, v, &evaluation) &&
              lia_evaluate_init(&values, k->g, k->out->force, s->row_count);
    if (ok) {
        const LiaWorkspace* w = evaluation.w;
        bool regular = evaluation.solved;
        LiaSymbols at = {
            .t = t, .parameters = s->parameters, .q = w->q, .v = w->v, .a = w->a, .mu = w->mu};
        if (regular) lia_evaluate_run(&values, &at);
        double size = 1.0;
        for (uint32_t r = 0; regular && r < s->row_count; r++) size = fmax(size, fabs(w->mu[r]));
        for (uint32_t r = 0; r < s->row_count; r++) {
            if (!k->out->force[r].index) continue;
            double x = regular ? lia_value(&values, k->out->force[r]) : NAN;
            if (!(fabs(x - w->mu[r]) <= LIA_FORMULA_AGREES * size)) k->out->force[r] = (LiaExpr){0};
        }
    }
    lia_evaluate_clear(&values);
    lia_evaluation_clear(&evaluation);
    return ok;
}

// --- Dazord's function -------------------------------------------------------------------------

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

// How well a coordinate stands for a function with the derivative f by it: 0 not at all; best is a plain number.
static int fitness(Work* k, LiaExpr f) {
    LiaNumber c;
    if (lia_graph_is_zero(k->g, f)) return 0;
    if (lia_graph_constant(k->g, f, &c)) return fabs(c.value) == 1.0 ? 4 : 3;
    return lia_graph_node(k->g, f)->depends & LIA_DEPENDS(POSITION) ? 1 : 2;
}

// The functions f_a on the left become coordinates, in place of as many others: df_a, and the momenta p(f_a) with the
// other coordinates kept, p_i = sum_a df_a/dq_i p(f_a) for those replaced. False where no formula is short enough.
static bool adapt(Work* k, const LiaRow* const* rows, int count, LiaExpr* F, LiaExpr* p) {
    uint32_t place[SUBMERSION_MOST];
    const LiaSystem* s = k->s;
    for (int a = 0; a < count; a++) {
        LiaExpr* row = F + (size_t)a * k->n;
        bool has_v = (lia_graph_node(k->g, rows[a]->left)->depends & LIA_DEPENDS(VELOCITY)) != 0;
        if (!lia_diff_gradient(k->g, rows[a]->left, has_v ? s->v : s->q, k->n, row)) return false;
        int best = 0;
        for (uint32_t i = 0; i < k->n; i++) {
            bool used = false;
            row[i] = tidy(k, row[i]);
            for (int b = 0; b < a; b++) used |= place[b] == i;
            int fit = used ? 0 : fitness(k, row[i]);
            if (fit > best) best = fit, place[a] = i;
        }
        if (best == 0) return false;
    }
    LiaExpr m[SUBMERSION_MOST * SUBMERSION_MOST], inverse[SUBMERSION_MOST * SUBMERSION_MOST];
    uint32_t all[SUBMERSION_MOST];
    for (int i = 0; i < count; i++) {
        all[i] = (uint32_t)i;
        for (int a = 0; a < count; a++) m[i * count + a] = F[(size_t)a * k->n + place[i]];
    }
    bool singular = k->out->singular;
    bool ok = invert(k, m, (size_t)count, all, (size_t)count, inverse);
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
    if (!F || !slope || !adapt(k, rows, count, F, p)) return none;
    for (int a = 0; a < count; a++) {
        if (!(lia_graph_node(k->g, Y[a])->depends & LIA_DEPENDS(VELOCITY))) continue;
        if (!k->out->velocity) return none;
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

static bool make_hamiltonian_functions(Work* k) {
    k->out->h = list(k, k->classes->constraint_count);
    if (!k->out->h) return false;
    for (uint32_t c = 0; c < k->classes->constraint_count; c++) {
        if (k->classes->constraints[c].hamiltonian == LIA_YES) k->out->h[c] = hamiltonian_of(k, c);
    }
    return true;
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
            k->b[i] = tidy(k, without(k, s->p[i], LIA_SYMBOL_VELOCITY, NULL));
        }
        k->U = tidy(k, lia_graph_neg(k->g, without(k, s->lagrangian, LIA_SYMBOL_VELOCITY, NULL)));
        if (!make_hamiltonian(k) || !make_connection(k)) return false;
    }
    if (!driven_forces(k) || !multipliers(k) || !make_hamiltonian_functions(k)) return false;
    if (q && !check_forces(k, t, q, v)) return false;
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
