// Positions in which equations lose their rank for an instant: a four-bar linkage that lies flat.
//
// With y J = 0, a combination y phi of the equations begins with its second derivative, and the
// velocities v = Z c of the kernel of J can go on only where
//
//   c B_y c = 0,   B_y = Z^T (y phi)'' Z       for all y
//
// In a linkage this is two lines that cross: two motions go on, and the velocity says which. A
// start in such a position is no state to begin at, since the forces have a pole there, but the
// motion passes it: the state a short time tau later is looked for whose series lead back to the
// start. At rest nothing decides; neither does a velocity that belongs to none of them.
// SPDX-License-Identifier: MIT
#include "motion/singular/singular_start.h"
#include "base/memory/memory.h"
#include "base/numeric/qr.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/project.h"
#include "mechanics/kkt/stage.h"
#include "motion/run/step.h"
#include "motion/runner.h"
#include "motion/verdict/verdict.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWNS_MOST = 300 };

typedef struct Flat {
    LiaRunner* run;
    int n, m, rank;
    int d, k;                // dimensions of the kernel of J and of {y : y J = 0}
    double *Z, *Y;           // their orthonormal bases                (d x n), (k x m)
    double* B;               // B_y of each y                          (k x d x d)
    double *J, *plus, *low;  // J there, and to both sides of it       (m x n)
    double most;             // largest entry of all B_y relative to that of J
    void* block;
} Flat;

// J at the state of the run moved by e z.
static void jacobian(const Flat* f, const double* z, double e, double* J) {
    const LiaWorkspace* w = f->run->w;
    LiaWorkspace* s = f->run->sampler;
    lia_workspace_put(s, w->t, w->q, w->v);
    for (int i = 0; z && i < f->n; i++) s->q[w->dynamics->free[i]] += e * z[i];
    lia_workspace_update(s, 1);
    lia_workspace_matrices(s);
    memcpy(J, s->saddle.J, (size_t)f->m * (size_t)f->n * sizeof(double));
}

// The basis of what is orthogonal to the m rows of A (n numbers each): its dimension, -1 if memory
// is out.
static int complement(int m, int n, const double* A, double cut, double* basis) {
    size_t r = (size_t)(m < n ? m : n), entries = (size_t)m * (size_t)n;
    double* block = lia_memory_take((entries + r + 1) * sizeof(double) + (size_t)m * sizeof(int));
    if (!block) return -1;
    memcpy(block, A, entries * sizeof *block);
    LiaRows Q = {.m = m,
                 .n = n,
                 .A = block,
                 .pivot = block + entries,
                 .order = (int*)(block + entries + r + 1)};
    lia_qr_factor(&Q, cut, true);
    int count = lia_qr_kernel(&Q, basis);
    free(block);
    return count;
}

// B_y(i, j) = y ((J(q + e z_i) - J(q - e z_i)) / 2e) z_j
static void bend(Flat* f) {
    const double e = LIA_SINGULAR_DIFFERENCE;
    double size = 0.0;
    for (int c = 0; c < f->m * f->n; c++) size = fmax(size, fabs(f->J[c]));
    for (int i = 0; i < f->d; i++) {
        const double* z = f->Z + (size_t)i * (size_t)f->n;
        jacobian(f, z, e, f->plus);
        jacobian(f, z, -e, f->low);
        for (int y = 0; y < f->k; y++) {
            for (int j = 0; j < f->d; j++) {
                double sum = 0.0;
                for (int c = 0; c < f->m; c++) {
                    const double *up = f->plus + (size_t)c * (size_t)f->n,
                                 *down = f->low + (size_t)c * (size_t)f->n;
                    double part = 0.0;
                    for (int l = 0; l < f->n; l++) part += (up[l] - down[l]) * f->Z[j * f->n + l];
                    sum += f->Y[y * f->m + c] * part / (2.0 * e);
                }
                f->B[(y * f->d + i) * f->d + j] = sum;
                f->most = fmax(f->most, fabs(sum) / (size > 0.0 ? size : 1.0));
            }
        }
    }
}

// Is this a singular configuration? `cut`: rows that are smaller than that, relative to the
// others, count as zero.
static bool find(Flat* f, LiaRunner* run, double cut) {
    const LiaWorkspace* w = run->w;
    *f = (Flat){.run = run, .n = w->nf, .m = w->nc};
    size_t n = (size_t)f->n, m = (size_t)f->m;
    if (!w->saddle.method->full || !w->forces.method->at_singular || f->m == 0 ||
        f->n + f->m > UNKNOWNS_MOST)
        return false;
    f->block = lia_memory_zeros(n * n + m * m + 4 * m * n + m * n * n + 1, sizeof(double));
    if (!f->block) return false;
    f->Z = f->block, f->Y = f->Z + n * n, f->J = f->Y + m * m;
    f->plus = f->J + m * n, f->low = f->plus + m * n, f->B = f->low + m * n;
    double* T = f->B + m * n * n;
    jacobian(f, NULL, 0.0, f->J);
    for (size_t c = 0; c < m; c++) {
        for (size_t i = 0; i < n; i++) T[i * m + c] = f->J[c * n + i];
    }
    f->d = complement(f->m, f->n, f->J, cut, f->Z);
    f->k = complement(f->n, f->m, T, cut, f->Y);
    f->rank = f->n - f->d;
    if (f->d <= 0 || f->k <= 0) return false;
    for (int y = 0; y < f->k; y++) {  // kinematic equations have no second derivatives to ask
        for (int c = 0; c < f->m; c++) {
            if (fabs(f->Y[y * f->m + c]) > LIA_SINGULAR_TAKES_PART &&
                !w->series.equation[c].geometric)
                return false;
        }
    }
    bend(f);
    return f->most > LIA_SINGULAR_BEND;
}

static void clear(Flat* f) { free(f->block); }

// Does a motion along x, free coordinates of it, leave the position: is x B_y other than zero?
static bool leaves(const Flat* f, const double* x) {
    const uint32_t* at = f->run->w->dynamics->free;
    double most = 0.0, size = 0.0;
    for (int i = 0; i < f->n; i++) size = fmax(size, fabs(x[at[i]]));
    for (int y = 0; y < f->k; y++) {
        for (int j = 0; j < f->d; j++) {
            double sum = 0.0;
            for (int i = 0; i < f->d; i++) {
                double c = 0.0;
                for (int l = 0; l < f->n; l++) c += f->Z[i * f->n + l] * x[at[l]];
                sum += c * f->B[(y * f->d + i) * f->d + j];
            }
            most = fmax(most, fabs(sum));
        }
    }
    return most > LIA_SINGULAR_LEAVES * size;
}

// --- which motions go on -----------------------------------------------------------------------

// y gamma at the velocity of the run plus e z: what the second derivatives leave.
static double asked(const Flat* f, int y, const double* z, double e) {
    const LiaWorkspace* w = f->run->w;
    LiaWorkspace* s = f->run->sampler;
    lia_workspace_put(s, w->t, w->q, w->v);
    for (int i = 0; i < f->n; i++) s->v[w->dynamics->free[i]] += e * z[i];
    lia_workspace_update(s, 1);
    lia_workspace_matrices(s);
    lia_stage_gamma(s);
    double sum = 0.0;
    for (int c = 0; c < f->m; c++) sum += f->Y[y * f->m + c] * s->gamma[c];
    return sum;
}

// Roots of a x^2 + b x + c.
static int roots(double a, double b, double c, double* x) {
    double size = fmax(fabs(a), fmax(fabs(b), fabs(c))), d = b * b - 4.0 * a * c;
    if (!(size > 0.0) || d < -LIA_SINGULAR_COEFFICIENT * size * size) return 0;
    double root = d > 0.0 ? sqrt(d) : 0.0, q = -0.5 * (b + (b < 0.0 ? -root : root));
    int count = 0;
    if (fabs(a) > LIA_SINGULAR_COEFFICIENT * size) x[count++] = q / a;
    if (fabs(q) > LIA_SINGULAR_COEFFICIENT * size) x[count++] = c / q;
    if (count == 2 && fabs(x[0] - x[1]) <= LIA_SINGULAR_SAME_ROOT * (fabs(x[0]) + fabs(x[1])))
        count = 1;
    return count;
}

static int boldest(const Flat* f) {  // the y that bends most
    int best = 0;
    double most = -1.0;
    for (int y = 0; y < f->k; y++) {
        for (int i = 0; i < f->d * f->d; i++) {
            double x = fabs(f->B[y * f->d * f->d + i]);
            if (x > most) most = x, best = y;
        }
    }
    return best;
}

// a' = 1, b' = 0, c' = 1; the first number of a direction is 1.
static void add_velocities(const Flat* f, const double* x, bool direction, LiaText* out) {
    const LiaModel* model = f->run->model;
    double size = 0.0, scale = 1.0;
    for (int i = 0; i < f->n; i++) size = fmax(size, fabs(x[i]));
    for (int i = f->n; direction && i > 0; i--) {
        if (fabs(x[i - 1]) > LIA_SINGULAR_LEADING * size) scale = x[i - 1];
    }
    for (int i = 0, told = 0; i < f->n; i++) {
        const LiaCoordinate* q = &model->coordinates[f->run->w->dynamics->free[i]];
        double v = fabs(x[i]) > LIA_SINGULAR_SHOWN * size ? x[i] / scale : 0.0;
        if (q->inner || told == 12) continue;
        lia_text_add(out, "%s%s' = ", told++ ? ", " : "", q->name);
        lia_text_add_short(out, v, 6);
    }
}

// Where the kernel is a plane, or a line together with a velocity that time prescribes, there are
// at most two.
static int add_motions(const Flat* f, LiaText* out) {
    int y = boldest(f), count = 0;
    const double* B = f->B + (size_t)y * (size_t)f->d * (size_t)f->d;
    double x[2], *v = lia_memory_zeros((size_t)f->n + 1, sizeof *v);
    bool moved = false;  // by time: the velocities are not a space
    const LiaWorkspace* w = f->run->w;
    for (int c = 0; c < w->nc; c++) {
        moved |= w->system->rows[w->dynamics->rows[c]].Omega &&
                 (lia_graph_node(w->system->graph, w->system->rows[w->dynamics->rows[c]].equation)
                      ->depends &
                  LIA_DEPENDS(TIME)) != 0;
    }
    moved |= w->dynamics->drive_count > 0;
    if (v && f->d == 2 && !moved) {
        // c = (1, x), or (0, 1) where that is a root
        count = roots(B[3], B[1] + B[2], B[0], x);
        bool upright =
            fabs(B[3]) <= LIA_SINGULAR_COEFFICIENT * (fabs(B[0]) + fabs(B[1]) + fabs(B[2]));
        for (int r = 0; r < count + upright && r < 2; r++) {
            double c0 = r < count ? 1.0 : 0.0, c1 = r < count ? x[r] : 1.0;
            for (int i = 0; i < f->n; i++) v[i] = c0 * f->Z[i] + c1 * f->Z[f->n + i];
            lia_text_add(out, r ? " or along " : ", along ");
            add_velocities(f, v, true, out);
        }
        count += upright;
    } else if (v && f->d == 1) {
        double s = 1.0;
        for (int i = 0; i < w->n; i++) s = fmax(s, fabs(w->v[i]));
        double low = asked(f, y, f->Z, -s), here = asked(f, y, f->Z, 0.0),
               high = asked(f, y, f->Z, s);
        count = roots((low + high - 2.0 * here) / (2.0 * s * s), (high - low) / (2.0 * s), here, x);
        for (int r = 0; r < count; r++) {
            for (int i = 0; i < f->n; i++) v[i] = w->v[w->dynamics->free[i]] + x[r] * f->Z[i];
            lia_text_add(out, r ? " or with " : ", with ");
            add_velocities(f, v, false, out);
        }
    }
    free(v);
    return count;
}

static const char* words(LiaSingularStartWhy why, int count) {
    switch (why) {
    case LIA_SINGULAR_START_VELOCITY:
        return count == 1 ? ", and the velocities of the start do not belong to it"
                          : ", and the velocities of the start belong to none of them";
    case LIA_SINGULAR_START_REST:
    case LIA_SINGULAR_START_COLLAPSE:
        return ", and nothing decides between them";
    case LIA_SINGULAR_START_LOST:
        return ", and this one could not be followed through it";
    }
    return "";
}

static void tell(const Flat* f, LiaSingularStartWhy why) {
    LiaRunner* run = f->run;
    const LiaWorkspace* w = run->w;
    LiaText names = {0}, motions = {0};
    LiaSpan span = {0, 0};
    uint32_t last = UINT32_MAX;
    for (int c = 0; c < f->m; c++) {
        const LiaRow* row = &run->system->rows[w->dynamics->rows[c]];
        bool lost = false;
        for (int y = 0; y < f->k; y++) lost |= fabs(f->Y[y * f->m + c]) > LIA_SINGULAR_NAMED;
        bool shown = !run->model->constraints[row->constraint].internal;
        if (!lost || !shown || row->constraint == last) continue;
        if (!names.length) span = row->span;
        last = row->constraint;
        lia_text_add(&names, "%s'%s'", names.length ? ", " : "",
                     run->model->constraints[last].name);
    }
    int count = add_motions(f, &motions);
    lia_verdict(run, "E0412", span, w->t,
                "at t = %.10g the equations of %s lose their rank in this position (%d of %d): "
                "%s%s%s",
                w->t, names.data ? names.data : "the constraints", f->rank, f->m,
                count == 1 ? "a motion goes on from here" : "several motions go on from here",
                motions.data ? motions.data : "", words(why, count));
    lia_verdict_help(run, why == LIA_SINGULAR_START_COLLAPSE || why == LIA_SINGULAR_START_LOST
                              ? "end the run before that time, or change the lengths so that the "
                                "position is not reached"
                              : "give the velocities of one of these motions in 'start', or begin "
                                "next to the position");
    lia_text_clear(&names);
    lia_text_clear(&motions);
}

bool lia_singular_start_verdict(LiaRunner* run, double cut, LiaSingularStartWhy why) {
    Flat f;
    bool singular = find(&f, run, cut);
    if (singular) tell(&f, why);
    clear(&f);
    return singular;
}

// --- beginning in one --------------------------------------------------------------------------

static double time_scale(const LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    double q[2] = {0.0, 1.0}, rate = 0.0;  // an angle's size is a radian
    for (int i = 0; i < w->n; i++) {
        int kind = lia_scales_kind(w, (uint32_t)i);
        q[kind] = fmax(q[kind], fabs(w->q[i]));
    }
    for (int i = 0; i < w->n; i++) {
        double size = q[lia_scales_kind(w, (uint32_t)i)];
        if (size > 0.0) rate = fmax(rate, fabs(w->v[i]) / size);
    }
    return rate > 0.0 ? 1.0 / rate : 0.0;
}

// The state of w so that its series lead to (q, v) at -tau: by as much as they miss, again and
// again. Returns what is left, relative.
static double aim(LiaRunner* run, const double* q, const double* v, double tau) {
    LiaWorkspace *w = run->w, *s = run->sampler;
    double before = INFINITY, speed = 0.0, size = 0.0;
    for (int i = 0; i < w->n; i++) {
        speed = fmax(speed, fabs(v[i]));
        size = fmax(size, fabs(q[i]));
    }
    size = fmax(size, speed * fabs(tau));
    for (int pass = 0; pass < 60; pass++) {
        for (w->nr = 0; w->nr < w->nc; w->nr++) w->active[w->nr] = w->nr;
        if (!lia_project_state(w, run->out->effort.order, NULL, NULL)) return INFINITY;
        lia_stage_accelerate(w);
        if (w->contradiction) return INFINITY;
        lia_stage_series(w, run->out->effort.order);
        lia_taylor_take(&run->step, w);
        lia_taylor_at(&run->step, -tau, s);
        double miss = 0.0;
        for (int i = 0; i < w->n; i++) {
            miss = fmax(miss, fmax(fabs(q[i] - s->q[i]) / size, fabs(v[i] - s->v[i]) / speed));
        }
        if (!isfinite(miss)) return INFINITY;
        if (miss < LIA_SINGULAR_AIM_EXACT || (miss < LIA_SINGULAR_AIM && miss > 0.5 * before))
            return miss;
        before = miss;
        for (int i = 0; i < w->n; i++) {
            w->q[i] += q[i] - s->q[i];
            w->v[i] += v[i] - s->v[i];
        }
    }
    return before;
}

// False: no such state was found.
static bool begin_behind(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    size_t n = (size_t)w->n, bytes = n * sizeof(double);
    double* kept = lia_memory_take((2 * n + 1) * sizeof *kept);
    double t0 = w->t, tau = run->direction * 0.1 * time_scale(run);
    if (!kept || tau == 0.0) {
        free(kept);
        return false;
    }
    memcpy(kept, w->q, bytes);
    memcpy(kept + n, w->v, bytes);
    double left = INFINITY, span = run->span;
    if (span > 0.0) tau = run->direction * fmin(fabs(tau), 0.5 * span);
    for (int pass = 0; pass < 12 && !(left < LIA_SINGULAR_AIM); pass++) {
        w->t = t0 + tau;
        for (size_t i = 0; i < n; i++) w->q[i] = kept[i] + tau * kept[n + i];
        memcpy(w->v, kept + n, bytes);
        left = aim(run, kept, kept + n, tau);
        if (left < LIA_SINGULAR_AIM) {  // do the series reach back as far as that?
            LiaScales scales = run->scales;
            scales.own_q = scales.own_v = scales.noise = NULL;
            lia_scales_measure(w, &run->step, &scales);
            double h = lia_step_size(w, &run->step, run->step_tolerance, &scales);
            if (!(fabs(tau) <= 1.5 * h)) left = INFINITY;  // rounding makes it look shorter
        }
        if (!(left < LIA_SINGULAR_AIM)) tau *= 0.5;
    }
    if (left < LIA_SINGULAR_AIM) {
        memset(w->work, 0, run->system->line_count * sizeof *w->work);
        for (uint32_t k = 0; k < run->step.live.line_count; k++) {
            uint32_t l = run->step.live.lines[k];
            const double* work = lia_step_series(&run->step, run->step.work, l);
            w->work[l] = -lia_step_change(work, run->step.order, -tau);
        }
        run->step.h = tau;
    } else {
        w->t = t0;
        memcpy(w->q, kept, bytes);
        memcpy(w->v, kept + n, bytes);
    }
    free(kept);
    return left < LIA_SINGULAR_AIM;
}

LiaSingularStart lia_singular_start_begin(LiaRunner* run) {
    Flat f;
    LiaSingularStart result = LIA_SINGULAR_START_NOT;
    if (find(&f, run, LIA_SINGULAR_CUT_START)) {
        const LiaWorkspace* w = run->w;
        if (leaves(&f, w->v)) {
            result = begin_behind(run) ? LIA_SINGULAR_START_PASSED : LIA_SINGULAR_START_ENDED;
            if (result == LIA_SINGULAR_START_ENDED) tell(&f, LIA_SINGULAR_START_VELOCITY);
        } else if (leaves(&f, w->a)) {  // at rest, and pulled out of it
            tell(&f, LIA_SINGULAR_START_REST);
            result = LIA_SINGULAR_START_ENDED;
        }
    }
    clear(&f);
    return result;
}
