// The cone problem with polygons for discs, as a linear complementarity problem (Stewart, Trinkle):
// T = sum of beta_j d_j over the corners d_j,
//
//     0 <= N       a_n                          >= 0
//     0 <= beta_j  d_j . a_t + sigma            >= 0
//     0 <= sigma   mu (N + offset) - sum beta_j >= 0
//
// A block of one row has the corners 1 and -1 and is exact. For W semidefinite the matrix is
// copositive, and Lemke's method finds a solution wherever forces exist at all.
// SPDX-License-Identifier: MIT
#include "base/numeric/lcp.h"
#include "motion/contact/friction/cone.h"
#include <math.h>
#include <string.h>

static int corners(const LiaFrictionBlock* block) {
    return block->dimension == 1 ? 2 : LIA_CONE_CORNERS;
}

// Number of variables; `mu` NULL: with all blocks, also those without friction.
static int size_of(int contacts, const LiaContactRows* contact, const double* mu) {
    int n = 0;
    for (int c = 0; c < contacts; c++) {
        n++;
        for (int k = 0; k < contact[c].blocks; k++) {
            if (mu && !(mu[c * LIA_FRICTION_BLOCKS + k] > 0.0)) continue;
            n += corners(contact[c].block + k) + 1;
        }
    }
    return n;
}

size_t lia_cone_polygon_work(const LiaDelassus* d) {
    int n = size_of(d->contacts, d->contact, NULL);
    return (size_t)n * (size_t)n + 5 * (size_t)n + lia_lcp_work(n);
}

size_t lia_cone_polygon_index(const LiaDelassus* d) {
    int n = size_of(d->contacts, d->contact, NULL);
    return (size_t)n + lia_lcp_index(n);
}

// A variable of the problem: along `row` with the direction (d[0], d[1]) of the rows from there; a
// sigma has no row.
typedef struct Variables {
    int n;
    int* row;     // first row; -1: sigma
    double* dir;  // n x 2
} Variables;

// Corner j of a polygon: evenly around, or near the middle and opposite to it.
static void corner(const LiaConeScaled* s, int block, int j, double* d) {
    double turn = 8.0 * atan(1.0), part = (double)j / LIA_CONE_CORNERS;
    double off = part <= 0.5 ? part : part - 1.0;  // -1/2 .. 1/2
    bool back = s->spread[block] < 1.0 && fabs(off) > 0.3;
    double angle = s->middle[block] + turn * (back ? off : off * s->spread[block]);
    d[0] = cos(angle);
    d[1] = sin(angle);
}

static void list(const LiaConeScaled* s, Variables* v) {
    v->n = 0;
    for (int c = 0; c < s->contacts; c++) {
        const LiaContactRows* contact = s->contact + c;
        v->row[v->n++] = contact->normal;
        for (int k = 0; k < contact->blocks; k++) {
            const LiaFrictionBlock* block = contact->block + k;
            if (!(s->mu[c * LIA_FRICTION_BLOCKS + k] > 0.0)) continue;
            for (int j = 0; j < corners(block); j++, v->n++) {
                double* d = v->dir + 2 * v->n;
                v->row[v->n] = block->row;
                d[0] = j == 0 ? 1.0 : -1.0;
                d[1] = 0.0;
                if (block->dimension == 2) corner(s, c * LIA_FRICTION_BLOCKS + k, j, d);
            }
            v->row[v->n++] = -1;
        }
    }
}

// d_i . W d_j
static double couple(const LiaConeScaled* s, int row, const double* d, int column,
                     const double* e) {
    double sum = 0.0;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            if (d[i] == 0.0 || e[j] == 0.0) continue;
            sum += d[i] * s->W[(row + i) * s->rows + column + j] * e[j];
        }
    }
    return sum;
}

static void assemble(const LiaConeScaled* s, const Variables* v, double* M, double* q) {
    int n = v->n, at = 0;
    memset(M, 0, (size_t)n * (size_t)n * sizeof *M);
    for (int c = 0; c < s->contacts; c++) {  // the rows of sigma and its columns
        const LiaContactRows* contact = s->contact + c;
        int normal = at++;
        v->dir[2 * normal] = 1.0;
        v->dir[2 * normal + 1] = 0.0;
        for (int k = 0; k < contact->blocks; k++) {
            int first = at, sigma = at + corners(contact->block + k);
            double mu = s->mu[c * LIA_FRICTION_BLOCKS + k];
            if (!(mu > 0.0)) continue;
            for (int j = first; j < sigma; j++) {
                M[j * n + sigma] = 1.0;
                M[sigma * n + j] = -1.0;
            }
            M[sigma * n + normal] = mu;
            q[sigma] = mu * s->offset[c];
            at = sigma + 1;
        }
    }
    for (int i = 0; i < n; i++) {
        if (v->row[i] < 0) continue;
        const double* d = v->dir + 2 * i;
        q[i] = d[0] * s->b[v->row[i]];
        if (d[1] != 0.0) q[i] += d[1] * s->b[v->row[i] + 1];
        for (int j = 0; j < n; j++) {
            if (v->row[j] < 0) continue;
            M[i * n + j] = couple(s, v->row[i], d, v->row[j], v->dir + 2 * j);
        }
    }
}

LiaLcpStatus lia_cone_polygon_solve(LiaConeScaled* s, uint64_t cover, double* work, int* index) {
    int n = size_of(s->contacts, s->contact, s->mu);
    Variables v = {.row = index, .dir = work};
    double *M = work + 2 * n, *q = M + n * n, *z = q + n, *w = z + n;
    list(s, &v);
    assemble(s, &v, M, q);
    LiaLcp p = {.n = n, .M = M, .q = q, .z = z, .w = w, .cover = cover};
    LiaLcpStatus status = lia_lcp_solve(&p, w + n, index + n);
    if (status != LIA_LCP_SOLVED && status != LIA_LCP_INEXACT) return status;
    memset(s->x, 0, (size_t)s->rows * sizeof *s->x);
    for (int i = 0; i < n; i++) {
        if (v.row[i] < 0) continue;
        s->x[v.row[i]] += v.dir[2 * i] * z[i];
        if (v.dir[2 * i + 1] != 0.0) s->x[v.row[i] + 1] += v.dir[2 * i + 1] * z[i];
    }
    return LIA_LCP_SOLVED;
}
