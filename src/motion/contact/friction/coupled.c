// See coupled.h.
// SPDX-License-Identifier: MIT
#include "motion/contact/friction/coupled.h"
#include "base/numeric/thresholds.h"
#include <math.h>

static int row_of(const LiaContactRows* contact, int i) {
    if (i == 0) return contact->normal;
    i--;
    for (int k = 0; k < contact->blocks; k++) {
        if (i < contact->block[k].dimension) return contact->block[k].row + i;
        i -= contact->block[k].dimension;
    }
    return -1;
}

static bool are_coupled(const LiaDelassus* d, const LiaContactRows* x, const LiaContactRows* y) {
    int m = d->rows;
    for (int i = 0; i < lia_delassus_rows(x); i++) {
        for (int j = 0; j < lia_delassus_rows(y); j++) {
            int r = row_of(x, i), s = row_of(y, j);
            double size = sqrt(fabs(d->W[r * m + r] * d->W[s * m + s]));
            double most = fmax(fabs(d->W[r * m + s]), fabs(d->W[s * m + r]));
            if (most > LIA_IMPACT_COUPLED * size) return true;
        }
    }
    return false;
}

static void sort(int* x, int count) {
    for (int i = 1; i < count; i++) {
        for (int j = i; j > 0 && x[j] < x[j - 1]; j--) {
            int kept = x[j];
            x[j] = x[j - 1];
            x[j - 1] = kept;
        }
    }
}

// The contacts that are coupled with the first one that is in no group yet.
static int gather(const LiaDelassus* d, int* done, int* member) {
    int count = 0;
    for (int c = 0; c < d->contacts && count == 0; c++) {
        if (!done[c]) member[count++] = c;
    }
    for (int i = 0; i < count; i++) {
        done[member[i]] = 1;
        for (int c = 0; c < d->contacts; c++) {
            if (done[c] || !are_coupled(d, d->contact + member[i], d->contact + c)) continue;
            done[c] = 1;
            member[count++] = c;
        }
    }
    sort(member, count);
    return count;
}

// Its contacts are numbered anew, and their rows.
static void number_rows(const LiaDelassus* d, int count, LiaCoupled* g) {
    int rows = 0;
    for (int i = 0; i < count; i++) {
        LiaContactRows* contact = g->contact + i;
        *contact = d->contact[g->member[i]];
        g->row[rows] = contact->normal;
        contact->normal = rows++;
        for (int k = 0; k < contact->blocks; k++) {
            int first = contact->block[k].row;
            contact->block[k].row = rows;
            for (int j = 0; j < contact->block[k].dimension; j++) g->row[rows++] = first + j;
        }
    }
    g->d = *d;
    g->d.contacts = count, g->d.rows = rows, g->d.contact = g->contact;
    g->d.W = g->W, g->d.b = g->b;
    g->d.slip = d->slip ? g->slip : NULL;
    g->d.noise = d->noise ? g->noise : NULL;
}

static void fill(const LiaDelassus* d, LiaCoupled* g) {
    int m = d->rows, rows = g->d.rows;
    for (int i = 0; i < rows; i++) {
        int r = g->row[i];
        g->b[i] = d->b[r];
        if (d->slip) g->slip[i] = d->slip[r];
        if (d->noise) g->noise[i] = d->noise[r];
        for (int j = 0; j < rows; j++) g->W[i * rows + j] = d->W[r * m + g->row[j]];
    }
}

static size_t structs(size_t count) {
    return (count * sizeof(LiaContactRows) + sizeof(double) - 1) / sizeof(double);
}

size_t lia_coupled_work(const LiaDelassus* d) {
    size_t m = (size_t)d->rows;
    return m * m + 3 * m + structs((size_t)d->contacts);
}

size_t lia_coupled_index(const LiaDelassus* d) { return (size_t)d->rows + 2 * (size_t)d->contacts; }

void lia_coupled_begin(const LiaDelassus* d, LiaCoupled* g, double* work, int* index) {
    int m = d->rows;
    *g = (LiaCoupled){.W = work, .row = index, .member = index + m};
    g->b = work + m * m, g->slip = g->b + m, g->noise = g->slip + m;
    g->contact = (LiaContactRows*)(g->noise + m);
    g->done = g->member + d->contacts;
    for (int c = 0; c < d->contacts; c++) g->done[c] = 0;
}

bool lia_coupled_next(const LiaDelassus* d, LiaCoupled* g) {
    int count = gather(d, g->done, g->member);
    number_rows(d, count, g);
    fill(d, g);
    return count > 0;
}
