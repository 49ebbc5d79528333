// Which coordinates equations alone determine at the end of a run, and what they are off by there:
// the rows leave phi or psi, and J d = phi, or psi, of least norm. A coordinate that takes part in
// no motion of the kernel of J is held: a box that has come to rest on its corners has no other
// velocities.
// SPDX-License-Identifier: MIT
#include "motion/result/held.h"
#include "base/memory/memory.h"
#include "base/numeric/qr.h"
#include "base/numeric/thresholds.h"
#include <math.h>
#include <stdlib.h>

enum { UNKNOWNS_MOST = 200 };  // of K0, whose rows are full here

// Room for the rows J of K0 by unknown velocities, in units of those that were met.
typedef struct Held {
    LiaRows rows;
    double *off, *x, *kernel, *work;
    int* index;
    void* block;
} Held;

static bool held_init(Held* h, int nf, int nr) {
    size_t n = (size_t)nf, m = (size_t)nr;
    size_t doubles = m * n + n + m + n + n * n + lia_qr_work(nr, nf) + 1;
    *h = (Held){.block = lia_memory_zeros(doubles * sizeof(double) + 2 * m * sizeof(int), 1)};
    if (!h->block) return false;
    double* A = h->block;
    h->off = A + m * n;
    h->x = h->off + m;
    h->kernel = h->x + n;
    h->rows = (LiaRows){.m = nr, .n = nf, .A = A, .pivot = h->kernel + n * n};
    h->work = h->rows.pivot + n;
    h->rows.order = (int*)(h->work + lia_qr_work(nr, nf) + 1);
    h->index = h->rows.order + m;
    return true;
}

static double unit_of(const LiaRunner* run, uint32_t i, bool velocities) {
    return velocities ? lia_scale_v(&run->scales, run->w, i) : lia_scale_q(&run->scales, run->w, i);
}

// The rows of positions, or of velocities, and what they are off by. The unit of what never moved
// may be 1e-300: a row is made as large as 1.
static void take_rows(const LiaRunner* run, bool velocities, Held* h) {
    const LiaWorkspace* w = run->w;
    h->rows.m = 0;
    for (int r = 0; r < w->nr; r++) {
        int c = w->active[r];
        if (!velocities && !w->series.equation[c].geometric) continue;
        double* row = h->rows.A + (size_t)h->rows.m * (size_t)w->nf;
        LiaEntries J = lia_workspace_J(w, c);
        double most = 0.0;
        for (int e = 0; e < J.count; e++) {
            int k = lia_entry_column(&J, e);
            row[k] = J.value[e] * unit_of(run, w->dynamics->free[k], velocities);
            most = fmax(most, fabs(row[k]));
        }
        for (int e = 0; e < J.count && most > 0.0; e++) row[lia_entry_column(&J, e)] /= most;
        double miss = velocities ? w->psi[c] : w->phi[c];
        h->off[h->rows.m++] = most > 0.0 ? miss / most : miss;
    }
}

bool lia_held_find(const LiaRunner* run, bool velocities, double* off) {
    const LiaWorkspace* w = run->w;
    const int nf = w->nf;
    Held h;
    for (int i = 0; i < w->n; i++) off[i] = -1.0;
    if (w->nr == 0 || nf + w->nr > UNKNOWNS_MOST) return true;
    if (!held_init(&h, nf, w->nr)) return false;
    take_rows(run, velocities, &h);
    lia_qr_factor(&h.rows, LIA_HELD_RANK, true);
    int open = lia_qr_kernel(&h.rows, h.kernel);
    lia_qr_solve(&h.rows, h.off, h.x, h.work, h.index);
    for (int k = 0; k < nf; k++) {
        uint32_t i = w->dynamics->free[k];
        double left = 0.0, by = fabs(h.x[k]) * unit_of(run, i, velocities);
        for (int j = 0; j < open; j++) left = fmax(left, fabs(h.kernel[j * nf + k]));
        if (left <= LIA_HELD_RANK && isfinite(by)) off[i] = by;
    }
    free(h.block);
    return true;
}
