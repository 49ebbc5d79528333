// Gaps that follow from others, seen from Delassus' matrix: the row of a carried contact k is
// sum of part_ka times the rows of others (mechanics/contact/carried.c). Where contacts slide,
// their forces are N_k = sum of part_ka N_a, as in the mode that is proposed so; that leaves a
// problem without k. Its solution is one of the whole problem if N_k >= 0 and gap_k'' >= 0.
// SPDX-License-Identifier: MIT
#include "base/numeric/dense.h"
#include "base/numeric/thresholds.h"
#include "motion/contact/friction/complementarity.h"
#include "motion/contact/friction/cone.h"
#include <math.h>
#include <string.h>

// What is left without the carried contacts.
typedef struct Rest {
    LiaDelassus d;
    double *W, *b, *noise, *mu, *lambda, *a;
    LiaContactRows* contact;
    double *part, *lu, *x, *work;     // part: (contacts x contacts)
    int *of, *row_of, *kept, *index;  // contact and row of the whole; kept contacts
    bool any;                         // contact is carried
} Rest;

static size_t structs(size_t count) {
    return (count * sizeof(LiaContactRows) + sizeof(double) - 1) / sizeof(double);
}

size_t lia_redundant_work(const LiaDelassus* d) {
    size_t m = (size_t)d->rows, k = (size_t)d->contacts;
    return m * m + 4 * m + LIA_FRICTION_BLOCKS * k + structs(k) + 2 * k * k + 3 * k +
           lia_cone_work(d);
}

size_t lia_redundant_index(const LiaDelassus* d) {
    return (size_t)d->rows + 3 * (size_t)d->contacts + lia_cone_index(d);
}

static void make_room(const LiaDelassus* d, Rest* r, double* work, int* index) {
    int m = d->rows, k = d->contacts;
    r->W = work, work += m * m;
    r->b = work, work += m;
    r->noise = work, work += m;
    r->lambda = work, work += m;
    r->a = work, work += m;
    r->mu = work, work += LIA_FRICTION_BLOCKS * k;
    r->contact = (LiaContactRows*)work, work += structs((size_t)k);
    r->part = work, work += k * k;
    r->lu = work, work += k * k;
    r->x = work, work += 3 * k;
    r->work = work;
    r->row_of = index, index += m;
    r->of = index, index += k;
    r->kept = index, index += 2 * k;
    r->index = index;
}

static bool slides(const LiaDelassus* d, const LiaContactRows* contact) {
    for (int k = 0; k < contact->blocks; k++) {
        const LiaFrictionBlock* block = contact->block + k;
        for (int i = 0; i < block->dimension && d->slip; i++) {
            if (d->slip[block->row + i] != 0.0) return true;
        }
    }
    return false;
}

// Has it blocks that rest? Their bounds are made of its N: it is not carried.
static bool rests(const LiaDelassus* d, const LiaContactRows* contact) {
    for (int k = 0; k < contact->blocks; k++) {
        const LiaFrictionBlock* block = contact->block + k;
        double speed = 0.0;
        for (int i = 0; i < block->dimension && d->slip; i++)
            speed = fmax(speed, fabs(d->slip[block->row + i]));
        if (speed == 0.0 && block->static_most > 0.0) return true;
    }
    return false;
}

// Is the row of contact c made of those of the kept ones? Then their parts.
static bool is_made(const LiaDelassus* d, Rest* r, int kept, int c) {
    int m = d->rows, n = d->contact[c].normal;
    double* part = r->part + c * d->contacts;
    memset(part, 0, (size_t)d->contacts * sizeof *part);
    if (kept == 0) return false;
    for (int i = 0; i < kept; i++) {
        int row = d->contact[r->kept[i]].normal;
        r->x[i] = d->W[row * m + n];
        for (int j = 0; j < kept; j++)
            r->lu[i * kept + j] = d->W[row * m + d->contact[r->kept[j]].normal];
    }
    double* scales = r->x + d->contacts;
    LiaLu lu = {.n = kept, .A = r->lu, .row = r->kept + d->contacts, .left = scales};
    lu.right = scales + d->contacts;
    if (!(lia_dense_lu_factor(&lu, NULL) > LIA_LCP_PIVOT)) return false;
    lia_dense_lu_solve(&lu, r->x);
    for (int i = 0; i < m; i++) {  // the columns of all rows
        double sum = d->W[i * m + n], size = fabs(sum);
        for (int j = 0; j < kept; j++) {
            double term = d->W[i * m + d->contact[r->kept[j]].normal] * r->x[j];
            sum -= term;
            size += fabs(term);
        }
        size = fmax(size, sqrt(fabs(d->W[i * m + i] * d->W[n * m + n])));
        if (!(fabs(sum) <= LIA_REDUNDANT * size)) return false;
    }
    for (int j = 0; j < kept; j++) part[r->kept[j]] = r->x[j];
    return true;
}

// Which contacts are carried, into r->of: -1; the others are numbered.
static bool find_carried(const LiaDelassus* d, Rest* r) {
    int kept = 0, count = 0;
    bool any = false;
    for (int c = 0; c < d->contacts; c++) any |= slides(d, d->contact + c);
    if (!any) return false;
    any = false;
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < d->contacts; c++) {
            if (rests(d, d->contact + c) != (pass == 0)) continue;
            r->of[c] = pass == 1 && is_made(d, r, kept, c) ? -1 : 0;
            any |= r->of[c] < 0;
            if (r->of[c] == 0) r->kept[kept++] = c;
        }
    }
    for (int c = 0; c < d->contacts; c++) {
        if (r->of[c] == 0) r->of[c] = count++;
    }
    r->d.contacts = count;
    return any;
}

// The rows of the kept contacts, in the order of the whole.
static void number_rows(const LiaDelassus* d, Rest* r) {
    int at = 0;
    for (int i = 0; i < d->rows; i++) r->row_of[i] = -1;
    for (int c = 0; c < d->contacts; c++) {
        if (r->of[c] < 0) continue;
        LiaContactRows* contact = r->contact + r->of[c];
        *contact = d->contact[c];
        r->row_of[contact->normal] = at;
        contact->normal = at++;
        for (int k = 0; k < contact->blocks; k++) {
            int row = contact->block[k].row;
            contact->block[k].row = at;
            for (int i = 0; i < contact->block[k].dimension; i++) r->row_of[row + i] = at++;
        }
    }
    r->d.rows = at;
}

// W of the kept contacts: the columns of their N with what they carry. `W` has the columns of
// sliding.
static void fill(const LiaDelassus* d, Rest* r, const double* mu) {
    int m = d->rows, n = r->d.rows;
    for (int i = 0; i < m; i++) {
        if (r->row_of[i] < 0) continue;
        r->b[r->row_of[i]] = d->b[i];
        if (d->noise) r->noise[r->row_of[i]] = d->noise[i];
        for (int j = 0; j < m; j++) {
            if (r->row_of[j] >= 0) r->W[r->row_of[i] * n + r->row_of[j]] = d->W[i * m + j];
        }
    }
    for (int c = 0; c < d->contacts; c++) {
        for (int k = 0; r->of[c] >= 0 && k < LIA_FRICTION_BLOCKS; k++)
            r->mu[r->of[c] * LIA_FRICTION_BLOCKS + k] = mu[c * LIA_FRICTION_BLOCKS + k];
        for (int a = 0; r->of[c] < 0 && a < d->contacts; a++) {
            double part = r->part[c * d->contacts + a];
            if (part == 0.0) continue;
            int column = r->row_of[d->contact[a].normal];
            for (int i = 0; i < m; i++) {
                if (r->row_of[i] < 0) continue;
                r->W[r->row_of[i] * n + column] += part * d->W[i * m + d->contact[c].normal];
            }
        }
    }
    r->d.contact = r->contact;
    r->d.W = r->W;
    r->d.b = r->b;
    r->d.noise = d->noise ? r->noise : NULL;
    r->d.slip = NULL;
}

// lambda and a of the whole. False where a carried contact pulls or its gap closes.
static bool take(const LiaDelassus* d, const Rest* r, const double* zero, LiaCone* whole) {
    int m = d->rows;
    double most = 0.0;
    for (int i = 0; i < m; i++) {
        whole->lambda[i] = r->row_of[i] < 0 ? 0.0 : r->lambda[r->row_of[i]];
        most = fmax(most, fabs(whole->lambda[i]));
    }
    bool good = true;
    for (int c = 0; c < d->contacts; c++) {
        if (r->of[c] >= 0) continue;
        double N = 0.0;
        for (int a = 0; a < d->contacts; a++)
            N += r->part[c * d->contacts + a] * whole->lambda[d->contact[a].normal];
        good &= N >= -LIA_CONTACT_ZERO * most;
        whole->lambda[d->contact[c].normal] = fmax(N, 0.0);
    }
    for (int i = 0; i < m; i++) {
        whole->a[i] = d->b[i];
        for (int j = 0; j < m; j++) whole->a[i] += d->W[i * m + j] * whole->lambda[j];
    }
    for (int c = 0; c < d->contacts; c++) {
        int n = d->contact[c].normal;
        if (r->of[c] >= 0) continue;
        good &= whole->a[n] >= -zero[n];
        good &= whole->lambda[n] <= 0.0 || fabs(whole->a[n]) <= zero[n];
        if (fabs(whole->a[n]) <= zero[n]) whole->a[n] = 0.0;
    }
    return good;
}

bool lia_redundant_solve(const LiaDelassus* whole, LiaCone* cone, const double* zero, double* work,
                         int* index) {
    const LiaDelassus* d = cone->d;
    Rest r = {0};
    make_room(d, &r, work, index);
    if (!find_carried(whole, &r)) return false;
    cone->unique = false;
    number_rows(d, &r);
    fill(d, &r, cone->mu);
    LiaCone rest = {.d = &r.d, .mu = r.mu, .lambda = r.lambda, .a = r.a};
    rest.inside = cone->inside;
    LiaConeStatus status = lia_cone_solve(&rest, r.work, r.index);
    cone->residual = rest.residual;
    return status == LIA_CONE_SOLVED && take(d, &r, zero, cone);
}
