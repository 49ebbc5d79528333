// What rounding makes of the solution of K0 x = b. See forward_error.h.
// SPDX-License-Identifier: MIT
#include "mechanics/kkt/forward_error.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/coefficient.h"
#include "mechanics/kkt/independent.h"
#include "mechanics/kkt/saddle_sparse.h"
#include "mechanics/kkt/scaling.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool lia_forward_error_init(LiaForwardError* c, const LiaWorkspace* w) {
    size_t nf = (size_t)w->nf, N = nf + (size_t)w->nc;
    *c = (LiaForwardError){0};
    if (N > LIA_CERTAINTY_MOST) return true;
    double* x = c->block = lia_memory_zeros(2 * nf + 7 * N + 1, sizeof *x);
    if (!x) return false;
    c->a = x, x += nf;
    c->mu = x, x += N - nf;
    c->growth = x, x += N;
    c->q = x, x += nf;
    c->v = x;
    return true;
}

void lia_forward_error_clear(LiaForwardError* c) {
    free(c->block);
    *c = (LiaForwardError){0};
}

// --- sizes of what the equations add up ---------------------------------------------------------

static double row_size(LiaEntries row, const double* x, const uint32_t* coordinate) {
    double sum = 0.0;
    for (int k = 0; k < row.count; k++) {
        int i = lia_entry_column(&row, k);
        sum += fabs(row.value[k] * x[coordinate ? coordinate[i] : (uint32_t)i]);
    }
    return sum;
}

typedef struct Terms {   // by equation   (nf + nr)
    double *all, *unit;  // with the solution at hand; with unknowns of size 1
    double *q, *v;       // of positions and velocities, in the equations that hold them
    double* column;      // of the inverse
} Terms;

enum { TERMS = 5 };

// The size of a row by its unknowns, or by its formula where that adds up what is far larger:
// coordinates that are driven. The formula counts a term once for each operation on its way.
static double with_known(double unknowns, double formula) {
    return formula > LIA_ROW_CANCELS * unknowns ? formula : unknowns;
}

// `room`: for five numbers an equation.
static Terms find_terms(double* room, LiaWorkspace* w, const double* sizes) {
    const LiaDynamics* d = w->dynamics;
    int nf = w->nf, N = nf + w->nr;
    Terms t = {.all = room};
    t.unit = t.all + N, t.q = t.unit + N, t.v = t.q + N, t.column = t.v + N;
    const double* unit = w->saddle.measure;
    const double none[] = {0.0};
    for (int k = 0; k < nf; k++) {
        LiaEntries M = lia_workspace_M(w, k);
        t.all[k] = row_size(M, w->a, d->free) + (sizes ? sizes[k] : 0.0);
        t.unit[k] = row_size(M, unit, NULL);
        t.q[k] = t.v[k] = 0.0;
    }
    for (int r = 0; r < w->nr; r++) {
        LiaEntries J = lia_workspace_J(w, w->active[r]);
        LiaEntries Omega = lia_workspace_Omega(w, w->active[r]);
        const double* own = sizes ? sizes + nf + w->active[r] : none;
        size_t nc = sizes ? (size_t)w->nc : 0;
        double a = row_size(J, w->a, d->free) + fabs(w->gamma[w->active[r]]);
        t.all[nf + r] = with_known(a, own[0]);
        t.unit[nf + r] = row_size(J, unit, NULL);
        t.v[nf + r] = with_known(row_size(J, w->v, d->free), own[nc]);
        t.q[nf + r] = with_known(row_size(J, w->q, d->free), own[2 * nc]);
        for (int k = 0; k < Omega.count; k++)
            t.unit[lia_entry_column(&Omega, k)] += fabs(Omega.value[k]) * unit[nf + r];
    }
    return t;
}

void lia_forward_error_row(const LiaWorkspace* w, int i, double* x) {
    for (int k = 0; k < w->nf + w->nr; k++) x[k] = k == i;
    lia_saddle_sparse_solve_transposed(&w->saddle, x);
}

// By the columns of the inverse: what rounding of equation k makes of all unknowns.
static void add_columns(LiaForwardError* c, const LiaWorkspace* w, const Terms* t) {
    int nf = w->nf, N = nf + w->nr;
    memset(c->a, 0, (size_t)(nf + w->nc) * sizeof *c->a);
    memset(c->growth, 0, (size_t)N * sizeof *c->growth);
    memset(c->q, 0, 2 * (size_t)nf * sizeof *c->q);
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < N; i++) t->column[i] = i == k;
        lia_workspace_solve(w, t->column);
        for (int i = 0; i < N; i++) {
            double inverse = fabs(t->column[i]);
            c->a[i] += DBL_EPSILON * inverse * t->all[k];  // multipliers stand after accelerations
            c->growth[i] += inverse * t->unit[k];
            if (i >= nf) continue;
            c->q[i] += DBL_EPSILON * inverse * t->q[k];
            c->v[i] += DBL_EPSILON * inverse * t->v[k];
        }
    }
}

// The same by its rows, where K0 is kept by its entries: most of what leads to a row is 0.
static void add_rows(LiaForwardError* c, const LiaWorkspace* w, const Terms* t) {
    int nf = w->nf, N = nf + w->nr;
    for (int i = 0; i < N; i++) {
        double all = 0.0, unit = 0.0, q = 0.0, v = 0.0;
        lia_forward_error_row(w, i, t->column);
        for (int k = 0; k < N; k++) {
            double inverse = fabs(t->column[k]);
            all += inverse * t->all[k], unit += inverse * t->unit[k];
            q += inverse * t->q[k], v += inverse * t->v[k];
        }
        c->a[i] = DBL_EPSILON * all, c->growth[i] = unit;
        if (i < nf) c->q[i] = DBL_EPSILON * q, c->v[i] = DBL_EPSILON * v;
    }
    for (int i = N; i < nf + w->nc; i++) c->a[i] = 0.0;
}

bool lia_forward_error_look(LiaForwardError* c, LiaWorkspace* w, const double* sizes) {
    int N = w->nf + w->nr;
    if (!c->block || !w->forces.method->bounded || !(w->saddle.pivot > 0.0)) return false;
    lia_scaling_by_inertia(w);
    Terms t = find_terms(c->v + w->nf, w, sizes);
    if (w->saddle.method->full) {
        add_columns(c, w, &t);
    } else {
        add_rows(c, w, &t);
    }
    for (int i = 0; i < N; i++) c->growth[i] /= w->saddle.measure[i];
    return true;
}

// --- large systems ------------------------------------------------------------------------------

// Row i of K0^-1, into x: what rounding of all equations makes of unknown i.
static double row_times(const LiaWorkspace* w, int i, const double* terms, double* x) {
    int N = w->nf + w->nr;
    double sum = 0.0;
    lia_forward_error_row(w, i, x);
    for (int k = 0; k < N; k++) sum += fabs(x[k]) * terms[k];
    return sum;
}

// The row of D^-1 |K0^-1| T of the largest sum, D units, T terms: up along what a change of signs
// brings.
static int largest_row(const LiaWorkspace* w, const Terms* t, const double* unit, double* growth) {
    enum { ROUNDS = 5 };
    const double golden = 0.6180339887498949;
    int N = w->nf + w->nr, best = -1;
    double* x = t->column;
    // From numbers without a pattern: those of pairs that are alike would cancel.
    for (int i = 0; i < N; i++) x[i] = (fmod(golden * (i + 1), 1.0) - 0.5) / unit[i];
    lia_saddle_sparse_solve_transposed(&w->saddle, x);
    *growth = 0.0;
    for (int round = 0; round < ROUNDS && !lia_watch_asked(); round++) {
        for (int k = 0; k < N; k++) x[k] = x[k] < 0.0 ? -t->unit[k] : t->unit[k];
        lia_workspace_solve_with(w, x, false);  // signs and sizes are all that is wanted
        int next = 0;
        for (int i = 1; i < N; i++) {
            if (fabs(x[i]) / unit[i] > fabs(x[next]) / unit[next]) next = i;
        }
        double sum = row_times(w, next, t->unit, x) / unit[next];
        if (!(sum > *growth)) break;
        *growth = sum;
        best = next;
    }
    return best;
}

LiaLargestGrowth lia_forward_error_largest(LiaWorkspace* w, const double* sizes) {
    LiaLargestGrowth largest = {.unknown = -1};
    size_t N = (size_t)w->nf + (size_t)w->nr;
    if (w->saddle.method->full || !w->forces.method->bounded || !(w->saddle.pivot > 0.0))
        return largest;
    double* room = lia_memory_zeros(TERMS * N + 1, sizeof *room);
    if (!room) return largest;
    lia_scaling_by_inertia(w);
    Terms t = find_terms(room, w, sizes);
    largest.unknown = largest_row(w, &t, w->saddle.measure, &largest.growth);
    if (largest.unknown >= 0)
        largest.error = DBL_EPSILON * row_times(w, largest.unknown, t.all, t.column);
    free(room);
    return largest;
}

// --- rows that were left out --------------------------------------------------------------------

// A row in units of the kinetic energy, of length 1; 0 where it is none.
static void take_row(const LiaWorkspace* w, int c, const double* size, double* row) {
    LiaEntries J = lia_workspace_J(w, c);
    double sum = 0.0, entry = 0.0;
    for (int k = 0; k < J.count; k++) entry = lia_larger(entry, fabs(J.value[k]));
    double rounding = w->saddle.method->J_rounding(&w->saddle);
    bool none = lia_independent_none(w, c, entry, rounding);
    memset(row, 0, (size_t)w->nf * sizeof *row);
    for (int k = 0; k < J.count && !none; k++) {
        int i = lia_entry_column(&J, k);
        row[i] = J.value[k] / size[i];
        sum += row[i] * row[i];
    }
    for (int k = 0; k < w->nf && sum > 0.0; k++) row[k] /= sqrt(sum);
}

// Take what lies along the orthonormal rows out of x, twice for rounding. Returns what is left of
// its length.
static double leave(double* x, const double* rows, int count, int n) {
    double sum = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (int r = 0; r < count; r++) {
            const double* u = rows + (size_t)r * (size_t)n;
            double dot = 0.0;
            for (int k = 0; k < n; k++) dot += u[k] * x[k];
            for (int k = 0; k < n; k++) x[k] -= dot * u[k];
        }
    }
    for (int k = 0; k < n; k++) sum += x[k] * x[k];
    return sqrt(sum);
}

// The row among the first `count` that points the same way as x, of length 1; -1: none.
static int same_as(const LiaWorkspace* w, const double* x, const double* size, const int* rows,
                   int count, double* scratch) {
    for (int r = 0; r < count; r++) {
        double dot = 0.0;
        take_row(w, rows ? rows[r] : r, size, scratch);
        for (int k = 0; k < w->nf; k++) dot += scratch[k] * x[k];
        if (fabs(dot) > LIA_SAME_DIRECTION) return rows ? rows[r] : r;
    }
    return -1;
}

// Rows one after the other, each made orthogonal to those before; where it is said, the active ones
// only. Returns the least distance of one of them from those before.
static double span_of(const LiaWorkspace* w, const double* size, double* rows,
                      LiaNearRow* nearest) {
    int nf = w->nf, count = nearest ? w->nc : w->nr;
    double least = 1.0;
    double* scratch = rows + (size_t)nf * (size_t)count;
    for (int r = 0; r < count; r++) {
        double* u = rows + (size_t)r * (size_t)nf;
        int c = nearest ? r : w->active[r];
        take_row(w, c, size, u);
        double left = leave(u, rows, r, nf);
        if (nearest && left > 0.0 && left < nearest->distance) {
            take_row(w, c, size, scratch);
            int same = same_as(w, scratch, size, NULL, r, scratch + nf);
            *nearest = (LiaNearRow){left, c, same};
        }
        if (left > 0.0 && left < least) least = left;
        for (int k = 0; k < nf && left > 0.0; k++) u[k] /= left;
    }
    return least;
}

// Sizes of columns, room for all rows and two more. NULL where nothing can be said.
static double* room_for(const LiaWorkspace* w) {
    enum { UNKNOWNS_MOST = 600 };  // some tenths of a second
    if (w->nf + w->nc > UNKNOWNS_MOST || !w->forces.method->bounded || w->nc == 0 || w->nf == 0)
        return NULL;
    size_t nf = (size_t)w->nf, nc = (size_t)w->nc;
    double* size = lia_memory_zeros(nf * (nc + 3), sizeof *size);
    if (size) lia_independent_columns(w, size);
    return size;
}

LiaNearRow lia_forward_error_nearest(const LiaWorkspace* w) {
    LiaNearRow nearest = {1.0, -1, -1};
    double* size = room_for(w);
    if (size) span_of(w, size, size + w->nf, &nearest);
    free(size);
    return nearest;
}

LiaNearRow lia_forward_error_left_out(const LiaWorkspace* w) {
    LiaNearRow farthest = {0.0, -1, -1};
    double* size = w->nr < w->nc ? room_for(w) : NULL;
    if (!size) return farthest;
    int nf = w->nf;
    double *rows = size + nf, *x = rows + (size_t)nf * (size_t)w->nr;
    // What rounding makes of a row that follows, where those it follows from are near each other.
    double rounding = DBL_EPSILON * (double)w->nr / span_of(w, size, rows, NULL);
    for (int c = 0, r = 0; c < w->nc; c++) {
        if (r < w->nr && w->active[r] == c) {
            r++;
            continue;
        }
        take_row(w, c, size, x);
        double left = leave(x, rows, w->nr, nf);
        if (!(left > fmax(farthest.distance, rounding))) continue;
        take_row(w, c, size, x);
        farthest = (LiaNearRow){left, c, same_as(w, x, size, w->active, w->nr, x + nf)};
    }
    free(size);
    return farthest;
}

// Rows R of length 1 are L U, U orthonormal and L lower triangular; x is d U, up to what is left of
// it. Its coefficients c in terms of R have c L = d. Those smaller than what is left say nothing.
static void solve_parts(const double* L, double* d, int count) {
    for (int r = count - 1; r >= 0; r--) {
        double own = L[(size_t)r * (size_t)count + (size_t)r];
        d[r] = own > 0.0 ? d[r] / own : 0.0;
        for (int s = 0; s < r; s++) d[s] -= d[r] * L[(size_t)r * (size_t)count + (size_t)s];
    }
}

// x in terms of the orthonormal rows before it, into `along`; returns what is left of its length,
// by which x is divided.
static double split_row(double* x, const double* rows, int count, int n, double* along) {
    for (int r = 0; r < count; r++) {
        const double* u = rows + (size_t)r * (size_t)n;
        for (int k = 0; k < n; k++) along[r] += u[k] * x[k];
    }
    double left = leave(x, rows, count, n);
    if (!(left > 0.0)) left = 0.0;
    for (int k = 0; k < n; k++) x[k] = left > 0.0 ? x[k] / left : 0.0;
    return left;
}

bool lia_forward_error_parts(const LiaWorkspace* w, LiaNearRow near, bool left_out, bool* parts) {
    int nf = w->nf, count = left_out ? w->nr : near.row;
    double* size = near.row >= 0 ? room_for(w) : NULL;
    double* L = lia_memory_zeros(((size_t)count + 1) * ((size_t)count + 1), sizeof *L);
    bool known = size && L;
    for (int r = 0; known && r <= count; r++) {
        double* u = size + (size_t)nf * ((size_t)r + 1);
        int c = r == count ? near.row : left_out ? w->active[r] : r;
        double* along = L + (size_t)r * (size_t)count;  // the last one is d
        take_row(w, c, size, u);
        double left = split_row(u, size + nf, r, nf, along);
        if (r < count) along[r] = left;
    }
    if (known) solve_parts(L, L + (size_t)count * (size_t)count, count);
    for (int r = 0; known && r < count; r++) {
        int c = left_out ? w->active[r] : r;
        parts[c] = fabs(L[(size_t)count * (size_t)count + (size_t)r]) > near.distance;
    }
    free(size);
    free(L);
    return known;
}
