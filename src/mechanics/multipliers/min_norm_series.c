// Multipliers of least norm as series, for powers and works: rows that depend on each other share
// their forces.
//
// With A = [W Omega_C; Omega_C^T 0] and what is to be taken away from mu in x = (nu, y)
// (multiplier_nullspace.h), all of them series,
//
//   A[0] x[k] = (W mu[k], 0) - sum_{j=1..k} A[j] x[k-j]
//
// The rank of Omega does not change along the motion, so the columns C are independent and span the
// others at all orders. One factorisation, one solution for each order; where Omega is sparse all
// is linear in its entries.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "mechanics/multipliers/min_norm.h"
#include "mechanics/multipliers/multiplier_nullspace.h"
#include <stdlib.h>

typedef struct Entry {  // of Omega_C, at least one of whose higher coefficients is not zero
    int row, column, top;
    double* series;  // (orders)
} Entry;

typedef struct Share {
    const LiaWorkspace* w;
    LiaMultiplierNullspace least;
    int orders, count;
    Entry* entries;  // (count)
    double* x;       // (nu, y), each a series of its own   (nc + rank) x orders
    void* block;
} Share;

static double* multiplier(const LiaWorkspace* w, int c) {
    const LiaDynamics* d = w->dynamics;
    return lia_jet_series(&w->jets, d->tape->multiplier[d->rows[c]]);
}

// The series of the entries of Omega_C, those that change.
static void read_entries(Share* s, double* series) {
    const LiaDynamics* d = s->w->dynamics;
    for (int c = 0; c < s->w->nc; c++) {
        for (int e = d->Omega.start[c]; e < d->Omega.start[c + 1]; e++) {
            Entry entry = {.row = c, .column = s->least.column_of[d->Omega.column[e]]};
            if (entry.column < 0) continue;
            entry.series = series;
            for (int k = 1; k < s->orders; k++) {
                series[k] = lia_jet_coefficient(&s->w->jets, d->Omega_register[e], k);
                if (series[k] != 0.0) entry.top = k;
            }
            if (entry.top == 0) continue;
            s->entries[s->count++] = entry;
            series += s->orders;
        }
    }
}

static bool share_init(Share* s, LiaWorkspace* w, int orders) {
    *s = (Share){.w = w, .orders = orders};
    // The force directions of the active rows are independent: else K0 would be singular.
    if (!lia_multiplier_nullspace_init(&s->least, w, w->nr) || s->least.rank < w->nr) return false;
    size_t entries = (size_t)w->dynamics->Omega.start[w->nc], o = (size_t)orders,
           N = (size_t)w->nc + (size_t)s->least.rank;
    s->block =
        lia_memory_zeros(entries * sizeof(Entry) + (entries * o + N * o + 1) * sizeof(double), 1);
    if (!s->block) return false;
    double* doubles = s->block;
    s->x = doubles;
    s->entries = (Entry*)(doubles + N * o + entries * o);
    for (int k = 1; k < orders; k++) lia_jet_aside(&w->jets, k);
    read_entries(s, doubles + N * o);
    return true;
}

static void share_clear(Share* s) {
    lia_multiplier_nullspace_clear(&s->least);
    free(s->block);
}

// sum_{j=1..k} omega[j] x[k-j]
static double known(const Entry* entry, const double* x, int k) {
    double sum = 0.0;
    for (int j = 1; j <= k && j <= entry->top; j++) sum += entry->series[j] * x[k - j];
    return sum;
}

static void find_order(Share* s, int k) {
    int nc = s->least.nc, N = nc + s->least.rank;
    size_t o = (size_t)s->orders;
    double* b = s->least.b;
    for (int c = 0; c < nc; c++) {
        b[c] = lia_row_shown(s->w, c) ? multiplier(s->w, c)[k] : 0.0;
        b[c] -= lia_min_norm_preferred(s->w, c, k);
    }
    for (int j = nc; j < N; j++) b[j] = 0.0;
    for (int e = 0; e < s->count; e++) {
        const Entry* entry = &s->entries[e];
        size_t row = (size_t)entry->row, column = (size_t)(nc + entry->column);
        b[row] -= known(entry, s->x + column * o, k);
        b[column] -= known(entry, s->x + row * o, k);
    }
    lia_sparse_lu_refine(&s->least.lu, &s->least.A, b);
    for (int i = 0; i < N; i++) s->x[(size_t)i * o + (size_t)k] = b[i];
}

// Does a row do work, or may an event or a contact ask for a force? If not, only the values at
// samples matter.
static bool works(const LiaWorkspace* w) {
    const LiaModel* m = w->system->model;
    if (w->system->mode.watched_count > 0) return true;
    for (uint32_t e = 0; e < m->events_count; e++) {
        if (!m->events[e].leaves) return true;
    }
    for (int c = 0; c < w->nc; c++) {
        if (!w->system->rows[w->dynamics->rows[c]].workless) return true;
    }
    return false;
}

void lia_min_norm_series(LiaWorkspace* w, int orders) {
    Share s;
    if (!w->forces.method->rows_rest || w->nr == w->nc || !works(w)) return;
    if (share_init(&s, w, orders)) {
        for (int k = 0; k < orders; k++) find_order(&s, k);
        for (int c = 0; c < w->nc; c++) {
            for (int k = 0; k < orders; k++)
                multiplier(w, c)[k] -= s.x[(size_t)c * (size_t)orders + (size_t)k];
        }
    }
    share_clear(&s);
}
