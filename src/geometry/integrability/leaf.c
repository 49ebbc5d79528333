// Leaves by quadrature. See leaf.h.
//
// E is spanned by words of the flag, at a position the rows of B: B_x^T c = x', y' = B_y^T c. The
// way is gone by Gauss's collocation, in panels that are halved until nothing changes any more.
// SPDX-License-Identifier: MIT
#include "geometry/integrability/leaf.h"
#include "base/memory/memory.h"
#include "base/numeric/dense.h"
#include "base/numeric/gauss.h"
#include "base/numeric/thresholds.h"
#include "geometry/followed.h"
#include "geometry/integrability/flag_work.h"
#include "geometry/span.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    STAGES = LIA_GAUSS_STAGES,
    POSITIONS = 16,   // of the motion
    ITERATIONS = 60,  // of a panel
    PANELS_LEAST = 1,
    PANELS_MOST = 256,
    WORK_MOST = 20000000  // nodes of formulas that are evaluated: long ones are given up early
};

typedef struct Quadrature {
    LiaFlagWork* w;
    LiaGauss rule;
    LiaValues values;
    LiaLu lu;
    size_t N, rank, rest;   // coordinates with time; dimension of E, and its codimension
    uint32_t *x, *y;        // which coordinates                               (rank), (rest)
    double *from, *to;      // positions with time last                        (N)
    double *at, *B, *c;     // a place of the way, E there          (N), (rank x N), (rank)
    double *Y, *f, *begin;  // y at the nodes, their rates, at the beginning of a panel
    uint64_t work;          // nodes evaluated so far
    double *moved, *back;   // sum of |dy| on the way; y at its end            (rest)
    void* block;
} Quadrature;

// --- the coordinates ----------------------------------------------------------------------------

// Of the rows of A the largest entry over coordinates that are free; entries of nearly the same
// size: the last one, which is most often the one that an equation is solved for.
static bool choose_entry(const Quadrature* z, int rows, const double* A, const bool* taken,
                         int* row, uint32_t* column) {
    double most = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (int r = 0; r < rows; r++) {
            for (uint32_t i = 0; i < z->w->k.n; i++) {
                double size = fabs(A[(size_t)r * z->N + i]);
                if (taken[i]) continue;
                if (pass == 0) most = fmax(most, size);
                if (pass == 1 && size >= 0.5 * most) *row = r, *column = i;
            }
        }
    }
    return most > LIA_SPAN_CUT;
}

static void eliminate(const Quadrature* z, int rows, double* A, int row, uint32_t column) {
    const double* pivot = A + (size_t)row * z->N;
    for (int r = 0; r < rows; r++) {
        double *other = A + (size_t)r * z->N, part = other[column] / pivot[column];
        for (size_t i = 0; r != row && i < z->N; i++) other[i] -= part * pivot[i];
        if (r != row) other[column] = 0.0;
    }
}

// Pivots of the geometric equations first, then of all forms that vanish on E: these are the y that
// are shown.
static bool choose_coordinates(Quadrature* z, const double* geometric, int geometric_rows,
                               uint32_t* shown) {
    size_t N = z->N;
    bool* taken = lia_memory_zeros(N + 1, sizeof *taken);
    double* A = lia_memory_zeros((2 * N + (size_t)geometric_rows + 2) * N + 1, sizeof *A);
    bool ok = taken && A, found = ok;
    uint32_t count = 0, column = 0;
    *shown = 0;
    for (int pass = 0; ok && pass < 2; pass++) {
        int rows = geometric_rows, row = 0;
        if (pass == 0) memcpy(A, geometric, (size_t)rows * N * sizeof *A);
        if (pass == 1) rows = lia_span_kernel((int)z->rank, (int)N, z->B, A);
        ok = rows >= 0;
        for (uint32_t k = 0; ok && pass == 1 && k < count; k++) {  // the geometric ones are known
            double most = 0.0;
            for (int r = 0; r < rows; r++) {
                double size = fabs(A[(size_t)r * N + z->y[k]]);
                if (size > most) most = size, row = r;
            }
            if (!(most > LIA_SPAN_CUT)) found = false;
            if (!found) break;
            eliminate(z, rows, A, row, z->y[k]);
            memset(A + (size_t)row * N, 0, N * sizeof *A);
        }
        while (ok && found && count < z->rest && choose_entry(z, rows, A, taken, &row, &column)) {
            eliminate(z, rows, A, row, column);
            memset(A + (size_t)row * N, 0, N * sizeof *A);
            taken[column] = true;
            z->y[count++] = column;
            if (pass == 1) ++*shown;
        }
    }
    found = found && ok && count == z->rest;
    uint32_t across = 0;
    for (uint32_t i = 0; found && i < N; i++) {
        if (!taken[i]) z->x[across++] = i;
    }
    free(taken);
    free(A);
    if (!found) *shown = 0;
    return ok;
}

// --- the way ------------------------------------------------------------------------------------

static bool evaluate(Quadrature* z, const double* at) {
    const LiaFlagWork* w = z->w;
    z->work += z->values.count;
    if (z->work > WORK_MOST) return false;
    LiaSymbols symbols = {.t = at[w->k.n], .parameters = w->s->parameters, .q = at};
    lia_evaluate_run(&z->values, &symbols);
    for (size_t r = 0; r < z->rank; r++) {
        for (size_t i = 0; i < z->N; i++) {
            z->B[r * z->N + i] = lia_value(&z->values, w->word[r].field[i]);
            if (!isfinite(z->B[r * z->N + i])) return false;
        }
    }
    return true;
}

// y' on the way at the place `at`, x' as from `from` to `to`.
static bool rates_of(Quadrature* z, double* rate) {
    if (!evaluate(z, z->at)) return false;
    for (size_t i = 0; i < z->rank; i++) {
        for (size_t r = 0; r < z->rank; r++) z->lu.A[i * z->rank + r] = z->B[r * z->N + z->x[i]];
        z->c[i] = z->to[z->x[i]] - z->from[z->x[i]];
    }
    if (z->rank > 0) {
        if (!(lia_dense_lu_factor(&z->lu, NULL) > LIA_SPAN_CUT)) return false;
        lia_dense_lu_solve(&z->lu, z->c);
    }
    for (size_t b = 0; b < z->rest; b++) {
        rate[b] = 0.0;
        for (size_t r = 0; r < z->rank; r++) rate[b] += z->c[r] * z->B[r * z->N + z->y[b]];
        if (!isfinite(rate[b])) return false;
    }
    return true;
}

static void stand(Quadrature* z, double s, const double* y) {
    for (size_t i = 0; i < z->rank; i++) {
        double a = z->from[z->x[i]], b = z->to[z->x[i]];
        z->at[z->x[i]] = a + s * (b - a);
    }
    for (size_t b = 0; b < z->rest; b++) z->at[z->y[b]] = y[b];
}

// One panel from s over h; y goes along. False where it does not converge.
static bool panel(Quadrature* z, double s, double h, double* y) {
    size_t rest = z->rest;
    for (size_t i = 0; i < STAGES; i++) memcpy(z->Y + i * rest, y, rest * sizeof *y);
    for (int k = 0; k < ITERATIONS; k++) {
        double most = 0.0;
        for (size_t i = 0; i < STAGES; i++) {
            stand(z, s + h * z->rule.node[i], z->Y + i * rest);
            if (!rates_of(z, z->f + i * rest)) return false;
        }
        for (size_t e = 0; e < STAGES * rest; e++) {
            double moved = 0.0, size = fabs(y[e % rest]);
            for (size_t j = 0; j < STAGES; j++) {
                double part =
                    z->rule.collocation[e / rest * STAGES + j] * z->f[j * rest + e % rest];
                moved += h * part, size += fabs(h * part);
            }
            double next = y[e % rest] + moved, change = fabs(next - z->Y[e]);
            if (change > 0.0) most = fmax(most, change / (DBL_EPSILON * size));
            z->Y[e] = next;
        }
        if (!(most <= LIA_TRANSPORT_CLOSE)) continue;
        for (size_t b = 0; b < rest; b++) {
            double moved = 0.0;
            for (size_t j = 0; j < STAGES; j++) moved += z->rule.weight[j] * z->f[j * rest + b];
            y[b] += h * moved;
            z->moved[b] += fabs(h * moved);
        }
        return true;
    }
    return false;
}

// y where the leaf of `from` meets x = x0. False where the way does not get there.
static bool walk(Quadrature* z, double* y) {
    size_t rest = z->rest;
    double* last = z->begin;
    bool any = false;
    for (int panels = PANELS_LEAST; panels <= PANELS_MOST; panels *= 2) {
        bool good = true, same = any;
        memset(z->moved, 0, rest * sizeof *z->moved);
        for (size_t b = 0; b < rest; b++) y[b] = z->from[z->y[b]];
        for (int k = 0; good && k < panels; k++)
            good = panel(z, (double)k / panels, 1.0 / panels, y);
        for (size_t b = 0; good && b < rest; b++) {
            double size = fabs(y[b]) + z->moved[b];
            same = same && fabs(y[b] - last[b]) <= LIA_LEAF_REFINED * size;
            last[b] = y[b];
        }
        if (good && same) return true;
        if (z->work > WORK_MOST) return false;
        any = good;
    }
    return false;
}

// --- all of it ----------------------------------------------------------------------------------

static bool make_room(Quadrature* z, LiaFlagWork* w) {
    size_t N = z->N = w->N, n = w->k.n, rank = z->rank = w->fresh, rest = z->rest = N - rank;
    size_t doubles = 3 * (n + 1) + rank * N + 4 * rank + rank * rank + (2 * STAGES + 3) * rest;
    z->w = w;
    lia_gauss_make(&z->rule);
    z->block = lia_memory_zeros(doubles * sizeof(double) + (rank + N + 1) * sizeof(uint32_t), 1);
    LiaExpr* roots = lia_memory_zeros(rank * N + 1, sizeof *roots);
    bool ok = z->block && roots;
    for (size_t r = 0; ok && r < rank; r++)
        memcpy(roots + r * N, w->word[r].field, N * sizeof *roots);
    ok = ok && lia_evaluate_init(&z->values, w->k.graph, roots, rank * N);
    free(roots);
    if (!ok) return false;
    double* p = z->block;
    z->from = p, p += n + 1;
    z->to = p, p += n + 1;
    z->at = p, p += n + 1;
    z->B = p, p += rank * N;
    z->c = p, p += rank;
    z->lu =
        (LiaLu){.n = (int)rank, .A = p, .left = p + rank * rank, .right = p + rank * rank + rank};
    p += rank * rank + 3 * rank;  // a number has room for the index of a row
    z->lu.row = (int*)(p - rank);
    z->Y = p, p += STAGES * rest;
    z->f = p, p += STAGES * rest;
    z->begin = p, p += rest;
    z->moved = p, p += rest;
    z->back = p, p += rest;
    z->x = (uint32_t*)p;
    z->y = z->x + rank;
    return true;
}

// Gradients of the geometric equations at the start.
static bool geometric_rows(const LiaFlagWork* w, const double* at, double* rows, int* count) {
    const LiaKernelFields* k = &w->k;
    LiaValues values;
    *count = 0;
    if (!lia_evaluate_init(&values, k->graph, k->A, (size_t)k->all * k->N)) return false;
    LiaSymbols symbols = {.t = at[k->n], .parameters = w->s->parameters, .q = at};
    lia_evaluate_run(&values, &symbols);
    for (uint32_t r = 0; r < k->all; r++) {
        const LiaRow* row = &w->s->rows[k->every[r]];
        if (!row->geometric || row->integrated) continue;
        for (uint32_t i = 0; i < k->N; i++)
            rows[(size_t)*count * k->N + i] = lia_value(&values, k->A[r * k->N + i]);
        ++*count;
    }
    lia_evaluate_clear(&values);
    return true;
}

// From the position at the time t.
static void look_back(Quadrature* z, const LiaFollowed* motion, double t, LiaLeaf* out) {
    size_t n = z->w->k.n, hidden = z->rest - out->count;
    if (!lia_followed_at(motion, t, z->from, NULL)) return;
    z->from[n] = t;
    memcpy(z->at, z->from, (n + 1) * sizeof *z->at);
    if (!walk(z, z->back)) return;
    for (uint32_t b = 0; b < out->count; b++) {
        double size = fabs(out->value[b]) + z->moved[hidden + b];
        double change = fabs(z->back[hidden + b] - out->value[b]);
        if (change > 0.0) out->drift = fmax(out->drift, change / size);
        out->back[b] = z->back[hidden + b];
    }
    out->positions++;
    out->t = t;
}

bool lia_leaf_find(LiaFlagWork* w, const LiaSamples* samples, LiaLeaf* out) {
    Quadrature z = {0};
    LiaFollowed motion = {0};
    const LiaRunStatement* run = &w->s->model->run;
    double length = run->given && run->t1 != run->t0 ? run->t1 - run->t0 : 1.0;
    size_t n = w->k.n;
    uint32_t shown = 0;
    int geometric = 0;
    double* rows = lia_memory_zeros((size_t)w->k.all * w->k.N + 1, sizeof *rows);
    bool ok = rows && make_room(&z, w);
    if (ok) {
        memcpy(z.to, samples->q, n * sizeof *z.to);
        z.to[n] = samples->t[0];
        ok = geometric_rows(w, z.to, rows, &geometric);
    }
    if (ok && evaluate(&z, z.to)) ok = choose_coordinates(&z, rows, geometric, &shown);
    free(rows);
    if (ok && shown > 0) {
        out->coordinate = LIA_ARENA_NEW(w->arena, uint32_t, shown + 1);
        out->value = LIA_ARENA_NEW(w->arena, double, 2 * shown + 1);
        ok = out->coordinate && out->value &&
             lia_followed_make(w->s, samples->t[0], samples->q, samples->v, length, &motion);
    }
    if (ok && shown > 0) {
        out->count = shown;
        out->back = out->value + shown;
        for (uint32_t b = 0; b < shown; b++) {
            out->coordinate[b] = z.y[z.rest - shown + b];
            out->value[b] = z.to[out->coordinate[b]];
        }
        for (int k = 1; motion.motion && k <= POSITIONS && z.work <= WORK_MOST; k++) {
            look_back(&z, &motion, motion.t0 + (motion.t1 - motion.t0) * k / POSITIONS, out);
        }
        out->known = out->positions > 0;
    }
    lia_followed_clear(&motion);
    if (z.values.graph) lia_evaluate_clear(&z.values);
    free(z.block);
    return ok;
}
