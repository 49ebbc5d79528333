// K0 by its entries. See saddle.h.
// SPDX-License-Identifier: MIT
#include "mechanics/kkt/saddle.h"
#include "base/memory/memory.h"
#include <stdlib.h>
#include <string.h>

LiaSaddle* lia_saddle_create(const LiaDynamics* d) {
    LiaSaddle* s = lia_memory_zeros(1, sizeof *s);
    if (!s) return NULL;
    size_t nf = d->nf, nc = d->nc, N = nf + nc;
    size_t entries = (size_t)d->M.start[nf] + (size_t)d->J.start[nc] + (size_t)d->Omega.start[nc];
    s->dynamics = d;
    s->nr = -1;
    s->block =
        lia_memory_zeros(2 * entries * sizeof(double) + (2 * entries + N + 1 + N) * sizeof(int), 1);
    if (!s->block || !lia_sparse_lu_init(&s->lu, (int)N)) {
        lia_saddle_destroy(s);
        return NULL;
    }
    s->value = s->block;
    s->K0.value = s->value + entries;
    s->K0.column = (int*)(s->K0.value + entries);
    s->from = s->K0.column + entries;
    s->K0.start = s->from + entries;
    s->active = s->K0.start + N + 1;
    s->next = s->active + nc;
    return s;
}

void lia_saddle_destroy(LiaSaddle* s) {
    if (!s) return;
    lia_sparse_lu_clear(&s->lu);
    free(s->block);
    free(s);
}

static void put(LiaSaddle* s, int at, int column, int from) {
    s->K0.column[at] = column;
    s->from[at] = from;
}

// The rows of M, each with room for its part of Omega^T; then the active rows of J.
static void make_pattern(LiaSaddle* s) {
    const LiaDynamics* d = s->dynamics;
    int nf = (int)d->nf, nc = (int)d->nc, at = 0;
    int J = d->M.start[nf], Omega = J + d->J.start[nc];
    int* next = s->next;
    memset(next, 0, (size_t)nf * sizeof *next);
    for (int r = 0; r < s->nr; r++) {
        int c = s->active[r];
        for (int e = d->Omega.start[c]; e < d->Omega.start[c + 1]; e++) next[d->Omega.column[e]]++;
    }
    for (int k = 0; k < nf; k++) {
        s->K0.start[k] = at;
        for (int e = d->M.start[k]; e < d->M.start[k + 1]; e++) put(s, at++, d->M.column[e], e);
        int room = next[k];
        next[k] = at;
        at += room;
    }
    for (int r = 0; r < s->nr; r++) {
        int c = s->active[r];
        s->K0.start[nf + r] = at;
        for (int e = d->Omega.start[c]; e < d->Omega.start[c + 1]; e++) {
            put(s, next[d->Omega.column[e]]++, nf + r, Omega + e);
        }
        for (int e = d->J.start[c]; e < d->J.start[c + 1]; e++) {
            put(s, at++, d->J.column[e], J + e);
        }
    }
    s->K0.start[nf + s->nr] = at;
    s->K0.rows = s->K0.columns = nf + s->nr;
}

double lia_saddle_factor(LiaSaddle* s, const int* active, int nr, double sign, const double* unit,
                         int* weakest) {
    const LiaDynamics* d = s->dynamics;
    size_t bytes = (size_t)nr * sizeof *active;
    bool others = s->nr != nr || memcmp(s->active, active, bytes) != 0;
    if (others) {
        s->nr = nr;
        memcpy(s->active, active, bytes);
        make_pattern(s);
    }
    if (others || s->in_units != (unit != NULL)) lia_sparse_lu_reset(&s->lu, s->K0.rows);
    s->in_units = unit != NULL;
    int Omega = d->M.start[d->nf] + d->J.start[d->nc];
    for (int e = 0; e < s->K0.start[s->K0.rows]; e++) {
        double x = s->value[s->from[e]];
        s->K0.value[e] = s->from[e] >= Omega ? sign * x : x;
    }
    for (int i = 0; unit && i < s->K0.rows; i++) {
        double left = i < (int)d->nf ? unit[i] : 1.0;
        for (int e = s->K0.start[i]; e < s->K0.start[i + 1]; e++) {
            s->K0.value[e] *= left * unit[s->K0.column[e]];
        }
    }
    return lia_sparse_lu_factor(&s->lu, &s->K0, weakest);
}

void lia_saddle_keep(LiaSaddle* s, LiaKeep* keep) {
    const LiaDynamics* d = s->dynamics;
    size_t nf = d->nf, nc = d->nc;
    size_t entries = (size_t)d->M.start[nf] + (size_t)d->J.start[nc] + (size_t)d->Omega.start[nc];
    lia_keep_int(keep, &s->nr, -1, (int)nc);
    lia_keep_bool(keep, &s->in_units);
    lia_keep_doubles(keep, s->value, 2 * entries);  // and those of K0
    lia_keep_rows(keep, s->active, s->nr, nc);
    if (lia_keep_reads(keep) && lia_keep_good(keep) && s->nr >= 0) make_pattern(s);
    lia_sparse_lu_keep(&s->lu, keep, (int)(nf + nc));
    bool fits = s->nr < 0 ? s->lu.fresh == 0.0 : s->lu.n == (int)nf + s->nr;
    if (!fits) lia_keep_refuse(keep);
}
