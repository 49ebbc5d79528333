// Can contacts press each other as much as they like?
//
// Normal forces N >= 0, not all zero, that move nothing at any contact: W_nn N = 0. Two plates that
// hold a block between them have such forces, four corners of a box on a table have not: there the
// sum of N is given. Then no law says how much N is, nor what friction can hold.
//
// With W_nn symmetric and never negative there are such N just where no z >= 0 has W_nn z >= 1: the
// linear complementarity problem w = W_nn z - 1 has no solution, or by rounding an endless one.
// SPDX-License-Identifier: MIT
#include "motion/contact/friction/self_stress.h"
#include "base/memory/memory.h"
#include "base/numeric/lcp.h"
#include "base/numeric/thresholds.h"
#include <math.h>
#include <stdlib.h>

typedef struct Normals {
    int n;
    double *M, *q, *z, *w, *work;
    int *index, *row;
} Normals;

static bool make(Normals* s, int k) {
    size_t n = (size_t)k;
    *s = (Normals){.M = lia_memory_zeros(n * n + 3 * n + lia_lcp_work(k), sizeof(double)),
                   .index = lia_memory_zeros(lia_lcp_index(k) + n, sizeof(int))};
    if (!s->M || !s->index) return false;
    s->q = s->M + n * n;
    s->z = s->q + n;
    s->w = s->z + n;
    s->work = s->w + n;
    s->row = s->index + lia_lcp_index(k);
    return true;
}

// The normals of contacts that are closed, each in units in which its own entry is 1.
static void fill(Normals* s, const LiaDelassus* d, const LiaContactVerdict* verdict) {
    for (int k = 0; k < d->contacts; k++) {
        int row = d->contact[k].normal;
        bool moves = d->W[(size_t)row * (size_t)d->rows + (size_t)row] > 0.0;
        if (verdict[k].state != LIA_CONTACT_OPENS && moves) s->row[s->n++] = row;
    }
    for (int i = 0; i < s->n; i++) {
        size_t at = (size_t)s->row[i], rows = (size_t)d->rows;
        for (int j = 0; j < s->n; j++) {
            size_t to = (size_t)s->row[j];
            s->M[i * s->n + j] =
                d->W[at * rows + to] / sqrt(d->W[at * rows + at] * d->W[to * rows + to]);
        }
        s->q[i] = -1.0;
    }
}

static bool holds(const LiaDelassus* d, const LiaContactVerdict* verdict) {
    for (int k = 0; k < d->contacts; k++) {
        for (int b = 0; verdict[k].state != LIA_CONTACT_OPENS && b < d->contact[k].blocks; b++)
            if (verdict[k].block[b] == LIA_CONTACT_STICKS) return true;
    }
    return false;
}

int lia_self_stress(const LiaDelassus* d, const LiaContactVerdict* verdict) {
    if (d->contacts < 2 || !holds(d, verdict)) return 0;
    Normals s;
    bool room = make(&s, d->contacts), endless = false;
    if (room) fill(&s, d, verdict);
    if (room && s.n > 1) {
        LiaLcp p = {.n = s.n, .M = s.M, .q = s.q, .z = s.z, .w = s.w};
        endless = lia_lcp_solve(&p, s.work, s.index) == LIA_LCP_RAY;
        for (int i = 0; i < s.n; i++) endless = endless || s.z[i] > LIA_CONTACT_ENDLESS;
    }
    free(s.M);
    free(s.index);
    return room ? endless : -1;
}
