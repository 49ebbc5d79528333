// Where Newton steps lead nowhere: downhill in the squares of the residuals, with steps that are
// shortened until they go down (Levenberg 1944, Marquardt 1963),
//
//   dx = -B^T y,   (B B^T + lambda 1) y = W r,   B = W J,   W makes the rows of B of length 1
//
// found as [1 B^T; B -lambda] (dx, y) = (0, -W r) by sparse elimination, from places around the
// guess, near ones first. A guess may be one where an equation has no slope, such as arms of a
// cross that lie along each other; and far away the equations are not what they look like from
// here.
//
// Where Newton steps lead to axes that stand against each other, 1 - cosine of the angle between
// them is one residual more: u . n = 0, w . n = 0 and it are least in one place alone, the one that
// is meant.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/coo.h"
#include "base/numeric/random.h"
#include "base/numeric/sparse.h"
#include "base/numeric/thresholds.h"
#include "mechanics/start/branch.h"
#include "mechanics/start/search/search.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 200, PLACES = 7 };

typedef struct Downhill {
    LiaSearch* z;
    int m, u;            // residuals, cosines at their end; unknown coordinates
    LiaCosines cosines;  // none unless axes came to stand against each other
    LiaTriples sum;      // [1 B^T; B -lambda]
    LiaSparse A;
    LiaSparseLu lu;
    double* b;       // (dx, y)                                             u + m
    double* W;       // m
    double* length;  // of rows of J                                      m
    double* here;    // x before the step                                   n
    double* best;    // of all places                                       n
    int* column;     // of each coordinate among the unknown, -1: given     n
    double lambda;
    int left;  // how many steps may still be gone
} Downhill;

// --- residuals and their slopes

static double residual(const Downhill* d, int c) {
    if (c < d->z->m) return lia_search_residual(d->z, d->z->row[c], 0);
    return lia_cosines_value(&d->cosines, (uint32_t)(c - d->z->m)) - 1.0;
}

// Residuals, weighed as at the last place that was looked at closely.
static double squares(const Downhill* d) {
    double sum = 0.0;
    for (int c = 0; c < d->m; c++) {
        double r = d->W[c] * residual(d, c);
        sum += r * r;
    }
    return sum;
}

static void evaluate(Downhill* d) {
    lia_search_evaluate(d->z);
    if (d->cosines.count > 0) lia_branch_cosines_run(&d->cosines, d->z->x, d->z->w->t);
}

// The slopes of residual c that can be other than zero: each is handed to `take`.
static void each_slope(Downhill* d, int c, void (*take)(Downhill* d, int c, int i, double slope)) {
    const LiaSearch* z = d->z;
    if (c >= z->m) {
        const LiaCosines* of = &d->cosines;
        uint32_t k = (uint32_t)(c - z->m);
        for (uint32_t e = of->start[k]; e < of->start[k + 1]; e++) {
            int i = d->column[of->coordinate[e]];
            if (i >= 0) take(d, c, i, lia_cosines_slope(of, e));
        }
        return;
    }
    const LiaPattern* pattern = &z->w->dynamics->J;
    LiaEntries J = lia_workspace_J(z->w, z->row[c]);
    int from = pattern->start[z->row[c]], to = pattern->start[z->row[c] + 1];
    for (int e = from; e < to; e++) {
        int k = pattern->column[e], i = d->column[k];
        if (i >= 0) take(d, c, i, J.value[J.column ? e - from : k]);
    }
}

static void add_square(Downhill* d, int c, int i, double slope) {
    (void)i;
    d->W[c] += slope * slope;
}

// Equations of axes are of size 1: products of unit vectors.
static bool of_axes(const LiaSearch* z, int c) {
    const LiaRow* row = &z->s->rows[z->w->dynamics->rows[z->row[c]]];
    const LiaJointFacts* joint = z->s->model->constraints[row->constraint].joint;
    return joint && joint->sign_count > 0;
}

// Rows that fade on the way gain no weight where axes are to be turned: it would hold them half
// way, where u . n has no slope.
static void weigh(Downhill* d) {
    bool upright = d->m > d->z->m;
    double most = 0.0;
    for (int c = 0; c < d->z->m; c++) {
        double before = !upright ? 0.0 : of_axes(d->z, c) ? 1.0 : d->length[c];
        d->W[c] = 0.0;
        each_slope(d, c, add_square);
        d->length[c] = fmax(before, sqrt(d->W[c]));
        most = fmax(most, d->length[c]);
    }
    for (int c = 0; c < d->z->m; c++)
        d->W[c] =
            1.0 / fmax(d->length[c],
                       (upright ? LIA_DOWNHILL_ROW_LEAST_UPRIGHT : LIA_DOWNHILL_ROW_LEAST) * most);
    for (int c = d->z->m; c < d->m; c++) d->W[c] = 1.0;
}

// --- steps

static void add_slope(Downhill* d, int c, int i, double slope) {
    lia_coo_add(&d->sum, d->u + c, i, d->W[c] * slope);
    lia_coo_add(&d->sum, i, d->u + c, d->W[c] * slope);
}

// x <- x + dx for the lambda there is. False where that cannot be worked out.
static bool try_step(Downhill* d) {
    LiaSearch* z = d->z;
    d->sum.count = 0;
    for (int i = 0; i < d->u; i++) lia_coo_add(&d->sum, i, i, 1.0);
    for (int c = 0; c < d->m; c++) {
        each_slope(d, c, add_slope);
        lia_coo_add(&d->sum, d->u + c, d->u + c, -d->lambda);
    }
    if (!lia_coo_gather(&d->sum, d->u + d->m, d->u + d->m, &d->A)) return false;
    if (!(lia_sparse_lu_factor(&d->lu, &d->A, NULL) > 0.0)) return false;
    for (int i = 0; i < d->u; i++) d->b[i] = 0.0;
    for (int c = 0; c < d->m; c++) d->b[d->u + c] = -d->W[c] * residual(d, c);
    lia_sparse_lu_refine(&d->lu, &d->A, d->b);
    for (int i = 0; i < d->u; i++) z->x[z->unknown[i]] += d->b[i];
    return true;
}

// From where x is, down to where the residuals are least.
static void descend(Downhill* d) {
    LiaSearch* z = d->z;
    size_t size = (size_t)z->n * sizeof *z->x;
    int still = 0;
    d->lambda = LIA_DOWNHILL_DAMPING;
    for (int c = 0; c < d->m; c++) d->length[c] = 0.0;
    for (int step = 0; step < STEPS && still < 8 && d->lambda < LIA_DOWNHILL_STUCK && d->left > 0 &&
                       !lia_watch_asked();
         step++) {
        weigh(d);
        double before = squares(d);
        if (!(lia_search_worst(z, 0) > LIA_DOWNHILL_FOUND) && !(before > 1.0)) return;
        memcpy(d->here, z->x, size);
        bool down = try_step(d);
        evaluate(d);
        double after = squares(d);
        down = down && after < before;
        still = down && after > LIA_DOWNHILL_STILL * before ? still + 1 : 0;
        d->lambda *= down ? 0.2 : 6.0;
        d->left--;
        if (down) continue;
        memcpy(z->x, d->here, size);
        evaluate(d);
    }
}

// --- places

static bool downhill_init(Downhill* d, LiaSearch* z, bool upright) {
    *d = (Downhill){.z = z, .m = z->m, .u = z->u};
    if (upright && !lia_branch_cosines_init(&d->cosines, z->s)) return false;
    d->m += (int)d->cosines.count;
    size_t m = (size_t)d->m, u = (size_t)d->u, n = (size_t)z->n;
    d->b = lia_memory_zeros(u + 3 * m + 2 * n + 1, sizeof *d->b);
    d->column = lia_memory_take((n + 1) * sizeof *d->column);
    d->A.start = lia_memory_zeros(u + m + 1, sizeof *d->A.start);
    if (!d->b || !d->column || !d->A.start || !lia_sparse_lu_init(&d->lu, d->u + d->m))
        return false;
    d->W = d->b + u + m;
    d->length = d->W + m;
    d->here = d->length + m, d->best = d->here + n;
    for (size_t i = 0; i < n; i++) d->column[i] = -1;
    for (int i = 0; i < d->u; i++) d->column[z->unknown[i]] = i;
    // Large systems get fewer steps: a start that cannot be found should not take minutes.
    d->left = (int)fmin(STEPS * PLACES, fmax(100.0, 2e6 / (double)(u + m)));
    return true;
}

static void downhill_clear(Downhill* d) {
    lia_branch_cosines_clear(&d->cosines);
    lia_coo_clear(&d->sum);
    lia_sparse_lu_clear(&d->lu);
    free(d->A.start);
    free(d->A.column);
    free(d->A.value);
    free(d->b);
    free(d->column);
}

// A place around the guess: the further away, the more were tried.
static void take_place(Downhill* d, int place, uint64_t* random) {
    static const double away[PLACES] = {0.0, 0.03, 0.03, 0.1, 0.1, 0.3, 0.3};
    LiaSearch* z = d->z;
    for (int i = 0; i < z->u; i++) {
        int k = z->unknown[i];
        double by = z->s->model->coordinates[k].inner ? 0.0 : away[place] * lia_random_even(random);
        z->x[k] = z->target[0][k] + by;
    }
    evaluate(d);
}

double lia_downhill_run(LiaSearch* z, bool upright, bool (*good)(const LiaSearch* z)) {
    double best = INFINITY, left;
    uint64_t random = 1;
    Downhill d;
    bool ok = downhill_init(&d, z, upright), nearest, arrived = false;
    for (int place = 0; ok && place < PLACES && !arrived && d.left > 0 && !lia_watch_asked();
         place++) {
        take_place(&d, place, &random);
        descend(&d);
        left = lia_search_worst(z, 0);
        arrived = left < LIA_START_CLOSE && lia_descent(z, true, &left) && good(z);
        if (arrived && !z->free_all) left = lia_descent_come_nearer(z, left, &nearest);
        if (!arrived && !(left < best)) continue;
        best = left;
        memcpy(d.best, z->x, (size_t)z->n * sizeof *z->x);
    }
    if (isfinite(best)) {
        memcpy(z->x, d.best, (size_t)z->n * sizeof *z->x);
        lia_search_evaluate(z);
    }
    downhill_clear(&d);
    return best;
}
