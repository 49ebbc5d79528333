// See cone.h: scaling, semismooth Newton steps on the projections of Alart and Curnier,
// certificate.
// SPDX-License-Identifier: MIT
#include "motion/contact/friction/cone.h"
#include "base/numeric/lcp.h"
#include "base/numeric/newton.h"
#include "base/numeric/qr.h"
#include "base/numeric/thresholds.h"
#include <math.h>
#include <string.h>

enum {
    STEPS = 40,    // of Newton's method, from one guess
    HALVINGS = 8,  // of one step
    GUESSES = 24,  // polygons, each finer than the one before
    NARROWER = 4,  // a polygon's corners come nearer to each other by this factor
    STAGNANT = 3,  // steps without progress, then it ends
    SWEEPS = 400,  // over all contacts
    PATHS = 12,    // of Lemke's method, where its first one leads nowhere
};

size_t lia_cone_work(const LiaDelassus* d) {
    size_t m = (size_t)d->rows, k = (size_t)d->contacts;
    size_t own = m * m + 6 * m + (3 * LIA_FRICTION_BLOCKS + 1) * k;
    size_t newton = m * m + 6 * m + lia_qr_work(d->rows, d->rows);
    size_t most = lia_cone_polygon_work(d), modes = lia_cone_modes_work(d->rows);
    size_t least = lia_cone_norm_work(d);
    if (newton > most) most = newton;
    if (modes > most) most = modes;
    if (least > most) most = least;
    return own + most;
}

size_t lia_cone_index(const LiaDelassus* d) {
    size_t polygon = lia_cone_polygon_index(d), own = 8 * (size_t)d->rows;
    size_t planes = lia_cone_planes_index(d);
    if (planes > own) own = planes;
    return polygon > own ? polygon : own;
}

// ---- units

static double power_of_two(double x) {
    int e;
    if (!(x > 0.0) || !isfinite(x)) return 1.0;
    frexp(x, &e);
    return ldexp(1.0, e - 1);
}

// The size of a row of W, such that scaled by its root the diagonal is about 1.
static double row_size(const LiaDelassus* d, int row, int count) {
    double most = 0.0;
    for (int i = row; i < row + count; i++) most = fmax(most, fabs(d->W[i * d->rows + i]));
    for (int i = row; i < row + count && most == 0.0; i++) {
        for (int j = 0; j < d->rows; j++) most = fmax(most, fabs(d->W[i * d->rows + j]));
    }
    return most > 0.0 ? most : 1.0;
}

static void find_scales(const LiaDelassus* d, double* scale) {
    for (int c = 0; c < d->contacts; c++) {
        const LiaContactRows* contact = d->contact + c;
        scale[contact->normal] = power_of_two(1.0 / sqrt(row_size(d, contact->normal, 1)));
        for (int k = 0; k < contact->blocks; k++) {  // one scale, so that discs stay discs
            const LiaFrictionBlock* block = contact->block + k;
            double s = power_of_two(1.0 / sqrt(row_size(d, block->row, block->dimension)));
            for (int i = 0; i < block->dimension; i++) scale[block->row + i] = s;
        }
    }
}

static void fill(LiaConeScaled* s, const LiaCone* cone) {
    const LiaDelassus* d = cone->d;
    int m = d->rows;
    find_scales(d, s->scale);
    double most = 0.0;
    for (int i = 0; i < m; i++) {
        s->b[i] = d->noise && fabs(d->b[i]) <= d->noise[i] ? 0.0 : d->b[i] * s->scale[i];
        most = fmax(most, fabs(s->b[i]));
        for (int j = 0; j < m; j++) s->W[i * m + j] = d->W[i * m + j] * s->scale[i] * s->scale[j];
    }
    for (int c = 0; c < d->contacts && cone->offset; c++) {
        most = fmax(most, fabs(cone->offset[c]) / s->scale[d->contact[c].normal]);
    }
    s->unit = 1.0 / power_of_two(most);
    for (int i = 0; i < m; i++) {
        s->b[i] *= s->unit;
        s->blur[i] = cone->blur ? cone->blur[i] * s->scale[i] * s->unit : 0.0;
    }
    for (int c = 0; c < d->contacts; c++) {
        const LiaContactRows* contact = d->contact + c;
        double normal = s->scale[contact->normal];
        s->offset[c] = cone->offset ? cone->offset[c] / normal * s->unit : 0.0;
        for (int k = 0; k < contact->blocks; k++) {
            int i = c * LIA_FRICTION_BLOCKS + k;
            s->mu[i] = cone->mu[i] * normal / s->scale[contact->block[k].row];
        }
    }
}

void lia_cone_respond(const LiaConeScaled* s, const double* x, double* y) {
    for (int i = 0; i < s->rows; i++) {
        double sum = s->b[i];
        for (int j = 0; j < s->rows; j++) sum += s->W[i * s->rows + j] * x[j];
        y[i] = sum;
    }
}

// ---- the projections

// The slope of a projection: 1/W_ii, in scaled units about 1.
static double step_of(const LiaConeScaled* s, int row, int count) {
    double most = 0.0;
    for (int i = row; i < row + count; i++) most = fmax(most, s->W[i * s->rows + i]);
    return most > 0.0 ? 1.0 / most : 1.0;
}

static double length(const double* x, int n) { return n == 1 ? fabs(x[0]) : hypot(x[0], x[1]); }

// Where the projections are taken, and what they give: row by row F = x - (its projection of
// x - step y), and its derivative by x, unless J is NULL.
typedef struct Point {
    const double *x, *y;
    double *F, *J;
} Point;

// Row of J: on_x dx + on_y dy of the same row.
static void set_row(const LiaConeScaled* s, double* J, int row, double on_x, double on_y) {
    int m = s->rows;
    if (!J) return;
    for (int j = 0; j < m; j++) J[row * m + j] = on_y == 0.0 ? 0.0 : on_y * s->W[row * m + j];
    J[row * m + row] += on_x;
}

static double normal_part(const LiaConeScaled* s, int n, const Point* at) {
    double step = step_of(s, n, 1), pushed = at->x[n] - step * at->y[n];
    bool closed = pushed > 0.0;
    at->F[n] = closed ? step * at->y[n] : at->x[n];
    set_row(s, at->J, n, closed ? 0.0 : 1.0, closed ? step : 0.0);
    return fmax(pushed, 0.0);
}

// J of T - R e, e = v/|v|, v = T - step y, R = mu (p + offset), p = max(0, N - step_n y_n); after v
// come R and p.
static void slide_part(const LiaConeScaled* s, const LiaFrictionBlock* block, int n, double mu,
                       const double* v, double* J) {
    int m = s->rows, t = block->row, dim = block->dimension;
    double size = length(v, dim), step = step_of(s, t, dim), normal_step = step_of(s, n, 1);
    double radius = v[2], e[2] = {v[0] / size, dim > 1 ? v[1] / size : 0.0};
    bool closed = v[3] > 0.0;
    for (int i = 0; i < dim; i++) {
        double* row = J + (t + i) * m;
        memset(row, 0, (size_t)m * sizeof *row);
        row[t + i] = 1.0;
        for (int k = 0; k < dim && dim > 1; k++) {  // the direction turns
            double P = radius / size * ((i == k) - e[i] * e[k]);
            row[t + k] -= P;
            for (int j = 0; j < m; j++) row[j] += P * step * s->W[(t + k) * m + j];
        }
        if (!closed) continue;
        row[n] -= mu * e[i];  // the radius changes
        for (int j = 0; j < m; j++) row[j] += mu * e[i] * normal_step * s->W[n * m + j];
    }
}

static void block_part(const LiaConeScaled* s, int c, int k, double pushed, const Point* at) {
    const LiaFrictionBlock* block = s->contact[c].block + k;
    int t = block->row, dim = block->dimension;
    double mu = s->mu[c * LIA_FRICTION_BLOCKS + k], radius = mu * (pushed + s->offset[c]);
    double step = step_of(s, t, dim), v[4] = {0.0, 0.0, radius, pushed};
    for (int i = 0; i < dim; i++) v[i] = at->x[t + i] - step * at->y[t + i];
    double size = length(v, dim);
    bool sticks = size <= radius && radius > 0.0;
    if (sticks || radius <= 0.0) {
        for (int i = t; i < t + dim; i++) {
            at->F[i] = sticks ? step * at->y[i] : at->x[i];
            set_row(s, at->J, i, sticks ? 0.0 : 1.0, sticks ? step : 0.0);
        }
        return;
    }
    for (int i = 0; i < dim; i++) at->F[t + i] = at->x[t + i] - radius * v[i] / size;
    if (at->J) slide_part(s, block, s->contact[c].normal, mu, v, at->J);
}

static void project(const LiaConeScaled* s, const Point* at) {
    for (int c = 0; c < s->contacts; c++) {
        double pushed = normal_part(s, s->contact[c].normal, at);
        for (int k = 0; k < s->contact[c].blocks; k++) block_part(s, c, k, pushed, at);
    }
}

// ---- the certificate

double lia_cone_residual(const LiaConeScaled* s, const double* x, const double* y) {
    double worst = 0.0;
    for (int c = 0; c < s->contacts; c++) {
        const LiaContactRows* contact = s->contact + c;
        for (int k = -1; k < contact->blocks; k++) {
            int row = k < 0 ? contact->normal : contact->block[k].row;
            int dim = k < 0 ? 1 : contact->block[k].dimension;
            double size = LIA_LCP_TERMS_LEAST, F[2 + 1] = {0.0};
            for (int i = row; i < row + dim; i++) {
                size = fmax(size, fabs(s->b[i]));
                size = fmax(size, LIA_CONE_BLUR / LIA_LCP_CERTIFICATE * s->blur[i]);
                for (int j = 0; j < s->rows; j++) {
                    size = fmax(size, fabs(s->W[i * s->rows + j] * x[j]));
                }
            }
            double radius = 0.0, step = step_of(s, row, dim);
            if (k < 0) {
                F[0] = x[row] - fmax(x[row] - step * y[row], 0.0);
            } else {
                radius = s->mu[c * LIA_FRICTION_BLOCKS + k];
                radius *= fmax(x[contact->normal], 0.0) + s->offset[c];
                double v[2] = {0.0};
                for (int i = 0; i < dim; i++) v[i] = x[row + i] - step * y[row + i];
                double full = length(v, dim), f = full > radius ? radius / full : 1.0;
                for (int i = 0; i < dim; i++) F[i] = x[row + i] - f * v[i];
            }
            worst = fmax(worst, length(F, dim) / (step * size));
            if (!isfinite(x[row]) || !isfinite(y[row])) return INFINITY;
        }
    }
    return worst;
}

// ---- Newton's method

static double norm(const double* F, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += F[i] * F[i];
    return sqrt(sum);
}

typedef struct Space {
    LiaConeScaled* s;
    double *J, *F, *dx, *x, *y, *best, *pivot, *qr;
    int* index;
    double least;  // residual, of `best`
    int idle;      // steps without progress
} Space;

// s->x + t dx with the t of 1, 1/2, .. that first makes F smaller; the shortest if none does.
// Gives t.
static double advance(const Space* w, double before) {
    LiaConeScaled* s = w->s;
    int m = s->rows;
    double t = 1.0;
    for (int i = 0; i < HALVINGS; i++, t *= 0.5) {
        for (int j = 0; j < m; j++) w->x[j] = s->x[j] + t * w->dx[j];
        lia_cone_respond(s, w->x, w->y);
        project(s, &(Point){.x = w->x, .y = w->y, .F = w->F});
        if (norm(w->F, m) < before) break;
    }
    memcpy(s->x, w->x, (size_t)m * sizeof *s->x);
    return t;
}

static double residual_of(void* of) {
    Space* w = of;
    LiaConeScaled* s = w->s;
    lia_cone_respond(s, s->x, s->y);
    double residual = lia_cone_residual(s, s->x, s->y);
    w->idle = residual < 0.5 * w->least ? 0 : w->idle + (w->least <= LIA_LCP_CERTIFICATE);
    if (residual < w->least) {
        w->least = residual;
        memcpy(w->best, s->x, (size_t)s->rows * sizeof *s->x);
    }
    return residual;
}

// A step of the semismooth equations; NAN where there is none, or it has come to an end.
static double step_on(void* of, double damping) {
    Space* w = of;
    LiaConeScaled* s = w->s;
    int m = s->rows;
    (void)damping;
    if (w->idle >= STAGNANT || w->least <= DBL_EPSILON) return NAN;
    project(s, &(Point){.x = s->x, .y = s->y, .F = w->F, .J = w->J});
    double before = norm(w->F, m);
    if (!isfinite(before)) return NAN;
    for (int i = 0; i < m; i++) w->F[i] = -w->F[i];
    LiaRows rows = {.m = m, .n = m, .A = w->J, .pivot = w->pivot, .order = w->index};
    lia_qr_factor(&rows, LIA_LCP_RANK, true);
    lia_qr_solve(&rows, w->F, w->dx, w->qr, w->index + m);
    double t = advance(w, before);
    return t * norm(w->dx, m);
}

// From s->x; the best x met stays there. Returns its residual.
static double newton(LiaConeScaled* s, double* work, int* index) {
    int m = s->rows;
    Space w = {.s = s, .J = work, .F = work + m * m, .index = index, .least = INFINITY};
    w.dx = w.F + m, w.x = w.dx + m, w.y = w.x + m, w.best = w.y + m, w.pivot = w.best + m;
    w.qr = w.pivot + m;
    LiaNewton steps = {
        .of = &w, .residual = residual_of, .step = step_on, .rules = {.passes = STEPS}};
    lia_newton_run(&steps, residual_of(&w));
    memcpy(s->x, w.best, (size_t)m * sizeof *s->x);
    lia_cone_respond(s, s->x, s->y);
    return w.least;
}

// Signs and discs made exact, where that is a matter of rounding.
static double polish(LiaConeScaled* s) {
    for (int c = 0; c < s->contacts; c++) {
        const LiaContactRows* contact = s->contact + c;
        double* N = s->x + contact->normal;
        if (*N <= LIA_LCP_TIE * LIA_LCP_TERMS_LEAST) *N = 0.0;
        for (int k = 0; k < contact->blocks; k++) {
            const LiaFrictionBlock* block = contact->block + k;
            double* T = s->x + block->row;
            double radius = s->mu[c * LIA_FRICTION_BLOCKS + k] * (*N + s->offset[c]);
            double size = length(T, block->dimension);
            for (int i = 0; i < block->dimension && size > radius; i++) T[i] *= radius / size;
        }
    }
    lia_cone_respond(s, s->x, s->y);
    return lia_cone_residual(s, s->x, s->y);
}

// ---- the whole

static bool has_discs(const LiaConeScaled* s) {
    for (int c = 0; c < s->contacts; c++) {
        for (int k = 0; k < s->contact[c].blocks; k++) {
            bool flat = s->contact[c].block[k].dimension == 1;
            if (!flat && s->mu[c * LIA_FRICTION_BLOCKS + k] > 0.0) return true;
        }
    }
    return false;
}

// The corners of the polygons come together where T is now; not yet where it is far from where it
// was before.
static void aim(LiaConeScaled* s) {
    for (int c = 0; c < s->contacts; c++) {
        for (int k = 0; k < s->contact[c].blocks; k++) {
            const LiaFrictionBlock* block = s->contact[c].block + k;
            const double* T = s->x + block->row;
            if (block->dimension < 2 || (T[0] == 0.0 && T[1] == 0.0)) continue;
            int i = c * LIA_FRICTION_BLOCKS + k;
            double angle = atan2(T[1], T[0]), turn = 8.0 * atan(1.0);
            double moved = fabs(remainder(angle - s->middle[i], turn));
            if (moved <= turn * s->spread[i] / NARROWER) s->spread[i] /= NARROWER;
            s->middle[i] = angle;
        }
    }
}

// Every contact in turn takes what its own rows ask for, as Gauss and Seidel do.
static void sweep_once(LiaConeScaled* s) {
    int m = s->rows;
    for (int c = 0; c < s->contacts; c++) {
        const LiaContactRows* contact = s->contact + c;
        for (int k = -1; k < contact->blocks; k++) {
            int row = k < 0 ? contact->normal : contact->block[k].row;
            int dim = k < 0 ? 1 : contact->block[k].dimension;
            double step = step_of(s, row, dim), v[2] = {0.0};
            for (int i = 0; i < dim; i++) v[i] = s->x[row + i] - step * s->y[row + i];
            double most = k < 0 ? INFINITY : s->mu[c * LIA_FRICTION_BLOCKS + k];
            if (k < 0) v[0] = fmax(v[0], 0.0);
            if (k >= 0) most *= fmax(s->x[contact->normal], 0.0) + s->offset[c];
            double size = length(v, dim), by = size > most ? most / size : 1.0;
            for (int i = 0; i < dim; i++) {
                double change = by * v[i] - s->x[row + i];
                s->x[row + i] += change;
                for (int j = 0; j < m; j++) s->y[j] += s->W[j * m + row + i] * change;
            }
        }
    }
}

// Where polygons are no good guess: sweeps lead near any solution, if slowly.
static double search_by_sweeps(LiaConeScaled* s, double* work, int* index) {
    memset(s->x, 0, (size_t)s->rows * sizeof *s->x);
    lia_cone_respond(s, s->x, s->y);
    for (int i = 0; i < SWEEPS; i++) sweep_once(s);
    double residual = newton(s, work, index);
    return residual <= LIA_LCP_CERTIFICATE ? polish(s) : residual;
}

// Other paths of Lemke's method. *rays: all of them end in rays.
static double search_by_paths(LiaConeScaled* s, bool* rays, double* work, int* index) {
    size_t blocks = (size_t)s->contacts * LIA_FRICTION_BLOCKS;
    for (size_t i = 0; i < blocks; i++) s->spread[i] = 1.0;
    for (uint64_t path = 1; path <= PATHS; path++) {
        LiaLcpStatus status = lia_cone_polygon_solve(s, path, work, index);
        *rays = *rays && status == LIA_LCP_RAY;
        if (status != LIA_LCP_SOLVED) continue;
        double residual = newton(s, work, index);
        if (residual <= LIA_LCP_CERTIFICATE) residual = polish(s);
        if (residual <= LIA_LCP_CERTIFICATE) return residual;
    }
    return INFINITY;
}

static double search(LiaConeScaled* s, bool* rays, double* work, int* index) {
    int guesses = has_discs(s) ? GUESSES : 1;
    double residual = INFINITY;
    size_t blocks = (size_t)s->contacts * LIA_FRICTION_BLOCKS;
    memset(s->middle, 0, blocks * sizeof *s->middle);
    for (size_t i = 0; i < blocks; i++) s->spread[i] = 1.0;
    for (int i = 0; i < guesses; i++) {
        LiaLcpStatus status = lia_cone_polygon_solve(s, 0, work, index);
        bool found = status == LIA_LCP_SOLVED;
        *rays = i == 0 && status == LIA_LCP_RAY;
        if (!found && i > 0) break;
        if (!found) memset(s->x, 0, (size_t)s->rows * sizeof *s->x);
        if (found) aim(s);
        residual = newton(s, work, index);
        double polished = residual <= LIA_LCP_CERTIFICATE ? polish(s) : INFINITY;
        if (polished <= LIA_LCP_CERTIFICATE) return polished;
        if (!found) break;
    }
    residual = search_by_sweeps(s, work, index);
    if (residual <= LIA_LCP_CERTIFICATE) return residual;
    return search_by_paths(s, rays, work, index);
}

static LiaConeStatus decide(LiaConeScaled* s, const LiaCone* cone, double* residual, double* work,
                            int* index) {
    bool rays = false;
    *residual = search(s, &rays, work, index);
    bool found = *residual <= LIA_LCP_CERTIFICATE;
    if (cone->any) return found ? LIA_CONE_SOLVED : LIA_CONE_NOT_FOUND;
    LiaConeModes asked = {.take = cone->several, .needs = !found};
    int count = lia_cone_modes_count(s, asked, work, index);
    bool chosen = cone->several != LIA_CONE_TAKE_ANY && count > 1;
    if ((!found && count > 0) || chosen) {
        lia_cone_respond(s, s->x, s->y);
        *residual = newton(s, work, index);
        if (*residual <= LIA_LCP_CERTIFICATE) *residual = polish(s);
        bool good = *residual <= LIA_LCP_CERTIFICATE;
        if (found && !good) *residual = search(s, &rays, work, index);  // as it was
        found = found || good;
    }
    if (!found) return count == 0 || (count < 0 && rays) ? LIA_CONE_NONE : LIA_CONE_NOT_FOUND;
    return count > 1 ? LIA_CONE_SEVERAL : LIA_CONE_SOLVED;
}

// The solution next to a guess.
static LiaConeStatus follow(LiaConeScaled* s, const LiaCone* cone, double* residual, double* work,
                            int* index) {
    for (int i = 0; i < s->rows; i++) s->x[i] = cone->lambda[i] / s->scale[i] * s->unit;
    lia_cone_respond(s, s->x, s->y);
    *residual = newton(s, work, index);
    if (*residual <= LIA_LCP_CERTIFICATE) *residual = polish(s);
    return *residual <= LIA_LCP_CERTIFICATE ? LIA_CONE_SOLVED : LIA_CONE_NOT_FOUND;
}

LiaConeStatus lia_cone_solve(LiaCone* cone, double* work, int* index) {
    const LiaDelassus* d = cone->d;
    int m = d->rows, k = d->contacts;
    LiaConeScaled s = {.contacts = k, .rows = m, .contact = d->contact, .W = work};
    s.b = s.W + m * m, s.scale = s.b + m, s.x = s.scale + m, s.y = s.x + m;
    s.blur = s.y + m, s.offset = s.blur + m, s.mu = s.offset + k,
    s.middle = s.mu + LIA_FRICTION_BLOCKS * k;
    s.spread = s.middle + LIA_FRICTION_BLOCKS * k;
    double* rest = s.spread + LIA_FRICTION_BLOCKS * k;
    cone->unique = true;
    cone->residual = INFINITY;
    for (int i = 0; i < m; i++) {
        cone->a[i] = 0.0;
        if (!cone->guess) cone->lambda[i] = 0.0;
    }
    for (int i = 0; i < m * m; i++) {
        if (!isfinite(d->W[i])) return LIA_CONE_NOT_FOUND;
    }
    for (int i = 0; i < m; i++) {
        if (!isfinite(d->b[i])) return LIA_CONE_NOT_FOUND;
    }
    fill(&s, cone);
    LiaConeStatus status = cone->guess ? follow(&s, cone, &cone->residual, rest, index)
                                       : decide(&s, cone, &cone->residual, rest, index);
    bool found = status == LIA_CONE_SOLVED || status == LIA_CONE_SEVERAL;
    if (found && !cone->any) {
        cone->unique = lia_cone_norm_least(&s, cone->inside, &cone->residual, rest, index);
    }
    for (int i = 0; i < m; i++) {
        cone->lambda[i] = s.x[i] * s.scale[i] / s.unit;
        cone->a[i] = s.y[i] / (s.scale[i] * s.unit);
    }
    return status;
}
