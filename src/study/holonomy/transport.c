// Parallel transport along the loop of the operators. See transport.h.
// SPDX-License-Identifier: MIT
#include "study/holonomy/transport.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "base/watch.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    STAGES = LIA_GAUSS_STAGES,
    ITERATIONS = 60,     // of a panel; each gains a digit or more where the panel is short enough
    PANELS_LEAST = 8,    // of the first refinement
    PANELS_MOST = 2048,  // of the last
    SHORTER_MOST = 500,  // panels beyond those asked for: a lift that needs more runs away
    AREA_LEAST = 4,      // panels round the loop; a fourth of them from its middle to it
};

// --- the loop -----------------------------------------------------------------------------------

bool lia_transport_init(LiaTransport* x, const LiaSystem* s, const uint32_t* base,
                        const uint32_t* rows, size_t count) {
    memset(x, 0, sizeof *x);
    if (!lia_connection_init_rows(&x->c, s, base, rows, count)) return false;
    size_t n = (size_t)x->c.n, doubles = 2 * STAGES * n + 2 * STAGES * count + 2 * n;
    x->block =
        lia_memory_zeros(doubles * sizeof(double) + (count + 1) * sizeof(int) + n + count, 1);
    if (!x->block) {
        lia_transport_clear(x);
        return false;
    }
    double* y = x->block;
    x->Z = y, y += STAGES * n;
    x->f = y, y += STAGES * n;
    x->s = y, y += STAGES * count;
    x->ds = y, y += STAGES * count;
    x->q = y, y += n;
    x->F = y, y += n;
    x->law = (int*)y;
    x->driven = (bool*)(x->law + count + 1);
    x->turns = x->driven + n;
    for (size_t a = 0; a < count; a++) {
        int over = x->c.over[a];
        const LiaRow* row = over < 0 ? NULL : &s->rows[x->c.w->dynamics->rows[over]];
        x->law[a] = row && row->geometric && !row->integrated ? over : -1;
        x->turns[a] = row && row->turn;
        if (base[a] != UINT32_MAX) x->driven[base[a]] = true;
    }
    lia_gauss_make(&x->rule);
    return true;
}

void lia_transport_clear(LiaTransport* x) {
    lia_connection_clear(&x->c);
    free(x->block);
    memset(x, 0, sizeof *x);
}

void lia_transport_rest_at(LiaTransport* x, double t, const double* q) {
    LiaWorkspace* w = x->c.w;
    w->t = t;
    memcpy(w->q, q, (size_t)x->c.n * sizeof(double));
    memset(w->v, 0, (size_t)x->c.n * sizeof(double));
    lia_workspace_update(w, 1);
    lia_workspace_matrices(w);
}

// The row is s - f(t): its residual at rest gives f, and the rate of that f'. Of a function of
// coordinates the residual at q0 gives how far it goes from there.
bool lia_transport_law(LiaTransport* x, double t, double* s, double* ds) {
    LiaWorkspace* w = x->c.w;
    size_t n = (size_t)x->c.n;
    lia_transport_rest_at(x, t, x->q0);
    for (size_t a = 0; a < x->c.base_count; a++) {
        uint32_t driven = x->c.base[a];
        x->lawless = a;
        if (x->law[a] < 0) return false;
        const double* J = w->saddle.J + (size_t)x->law[a] * n;
        for (size_t i = 0; driven != UINT32_MAX && i < n; i++) {
            if (J[i] != (i == driven ? 1.0 : 0.0)) return false;
        }
        s[a] = (driven != UINT32_MAX ? x->q0[driven] : 0.0) - w->phi[x->law[a]];
        ds[a] = -w->psi[x->law[a]];
        if (!isfinite(s[a]) || !isfinite(ds[a])) return false;
    }
    return true;
}

// f(q) - g(t) has no mixed derivative: the rate of a system at rest is -g' wherever it rests.
bool lia_transport_separates(LiaTransport* x, size_t a) {
    enum { LOOKS = 6 };
    size_t n = (size_t)x->c.n;
    if (x->law[a] < 0) return false;
    if (x->turns[a]) return true;  // that of the driven rotation is a function of time
    for (int k = 0; k < LOOKS; k++) {
        double t = x->t0 + (x->t1 - x->t0) * (k + 0.37) / LOOKS;
        lia_transport_rest_at(x, t, x->q0);
        double here = x->c.w->psi[x->law[a]];
        for (size_t i = 0; i < n; i++)
            x->q[i] = x->q0[i] + 0.3 * sin(k + 3.0 * (double)i + 1.0) * (1.0 + fabs(x->q0[i]));
        lia_transport_rest_at(x, t, x->q);
        double there = x->c.w->psi[x->law[a]];
        if (!(fabs(there - here) <= LIA_LOOP_SEPARATES * (1.0 + fabs(here)))) return false;
    }
    return true;
}

static void set_base(const LiaTransport* x, const double* s, double* q) {
    for (size_t a = 0; a < x->c.base_count; a++) {
        if (x->c.base[a] != UINT32_MAX) q[x->c.base[a]] = s[a];
    }
}

// Functions are brought to their values by Newton's method, along the lifts.
bool lia_transport_place(LiaTransport* x, const double* s, double* q) {
    enum { STEPS = 12 };
    size_t n = (size_t)x->c.n, base = x->c.base_count;
    set_base(x, s, q);
    bool any = false;
    for (size_t a = 0; a < base; a++) {
        any = any || x->c.base[a] == UINT32_MAX;
        if (x->turns[a]) return false;  // rotations do not add up
    }
    for (int k = 0; any && k < STEPS; k++) {
        double missed = 0.0;
        if (!lia_connection_lifts(&x->c, x->t0, q, x->c.N)) return false;
        for (size_t a = 0; a < base; a++) {
            if (x->c.base[a] != UINT32_MAX) continue;
            double miss = s[a] - x->c.w->phi[x->law[a]];
            missed = fmax(missed, fabs(miss));
            for (size_t i = 0; i < n; i++) q[i] += miss * x->c.N[a * n + i];
        }
        if (missed <= LIA_LOOP_PLACED) return true;
    }
    return !any;
}

// Rates at rest are sums of zeros: no rounding.
bool lia_transport_rests(const LiaTransport* x, int* row) {
    for (int k = 0; k < x->c.m; k++) {
        if (x->c.w->psi[x->c.row[k]] == 0.0) continue;
        if (row) *row = x->c.row[k];
        return false;
    }
    return true;
}

static double rate_of(const LiaTransport* x, size_t a, const double* ds) {
    return x->turns[a] ? -x->c.w->psi[x->law[a]] : ds[a];
}

// How far equations between positions are from holding at a place of a lift.
static double missed_at(LiaTransport* x, double t, const double* q) {
    const LiaWorkspace* w = x->c.w;
    double most = 0.0;
    lia_transport_rest_at(x, t, q);
    for (int r = 0; r < w->nc; r++) {
        const LiaRow* row = &w->system->rows[w->dynamics->rows[r]];
        if (row->geometric && !row->integrated) most = fmax(most, fabs(w->phi[r]));
    }
    return most;
}

void lia_transport_lifted(const LiaTransport* x, const double* ds, double* v) {
    size_t n = (size_t)x->c.n;
    for (size_t i = 0; i < n; i++) v[i] = 0.0;
    for (size_t a = 0; a < x->c.base_count; a++) {
        double rate = rate_of(x, a, ds);
        for (size_t i = 0; i < n; i++) v[i] += x->c.N[a * n + i] * rate;
    }
}

// --- the lift -----------------------------------------------------------------------------------

// Rates of all coordinates at node i, positions in Z.
static bool rates_at(LiaTransport* x, double t, size_t i) {
    size_t n = (size_t)x->c.n, base = x->c.base_count;
    double *Z = x->Z + i * n, *f = x->f + i * n;
    if (!lia_connection_lifts(&x->c, t, Z, x->c.N) || !lia_transport_rests(x, NULL)) return false;
    lia_transport_lifted(x, x->ds + i * base, f);
    for (size_t k = 0; k < n; k++) {
        if (!isfinite(f[k])) return false;
    }
    return true;
}

// How far any coordinate goes in a panel: rates are sums of what moves all of them, and of one that
// stands still rounding of the others is left.
static double farthest(const LiaTransport* x, double h) {
    size_t n = (size_t)x->c.n;
    double most = 0.0;
    for (size_t j = 0; j < STAGES * n; j++) most = fmax(most, fabs(h * x->f[j]));
    return most;
}

// New positions at the nodes from the rates there. How far they moved, in roundings.
static double improve(LiaTransport* x, const double* q, double h) {
    size_t n = (size_t)x->c.n;
    double most = 0.0, far = farthest(x, h);
    for (size_t i = 0; i < STAGES; i++) {
        for (size_t k = 0; k < n; k++) {
            if (x->driven[k]) continue;
            double moved = 0.0, size = 0.0;
            for (size_t j = 0; j < STAGES; j++) {
                double part = h * x->rule.collocation[i * STAGES + j] * x->f[j * n + k];
                moved += part, size += fabs(part);
            }
            double next = q[k] + moved, change = fabs(next - x->Z[i * n + k]);
            double unit = DBL_EPSILON * (fabs(q[k]) + size + far);
            if (change > 0.0) most = fmax(most, unit > 0.0 ? change / unit : INFINITY);
            x->Z[i * n + k] = next;
        }
    }
    return most;
}

// One panel: q from t to t + h. The base is no unknown, and is set on its law.
static LiaLift step(LiaTransport* x, double t, double h, double* q) {
    size_t n = (size_t)x->c.n, base = x->c.base_count;
    if (!lia_connection_choose(&x->c, t, q)) return LIA_LIFT_UNDETERMINED;
    for (size_t i = 0; i < STAGES; i++) {
        double there = t + h * x->rule.node[i];
        if (!lia_transport_law(x, there, x->s + i * base, x->ds + i * base))
            return LIA_LIFT_UNDETERMINED;
        memcpy(x->Z + i * n, q, n * sizeof(double));
        set_base(x, x->s + i * base, x->Z + i * n);
    }
    bool close = false;
    for (int k = 0; k < ITERATIONS && !close; k++) {
        for (size_t i = 0; i < STAGES; i++) {
            if (!rates_at(x, t + h * x->rule.node[i], i)) {
                return k == 0 ? LIA_LIFT_UNDETERMINED : LIA_LIFT_RUNS_AWAY;
            }
        }
        close = improve(x, q, h) <= LIA_TRANSPORT_CLOSE;
    }
    if (!close) return LIA_LIFT_RUNS_AWAY;
    for (size_t k = 0; k < n; k++) {
        double moved = 0.0;
        for (size_t j = 0; j < STAGES; j++) moved += x->rule.weight[j] * x->f[j * n + k];
        q[k] += h * moved;
    }
    return LIA_LIFT_DONE;
}

// The whole loop in so many panels; one that does not converge is halved.
static LiaLift follow(LiaTransport* x, int panels, double* q, double* end, double* missed) {
    size_t n = (size_t)x->c.n;
    double span = x->t1 - x->t0;
    int steps = 0;
    *missed = 0.0;
    memcpy(q, x->q0, n * sizeof(double));
    for (int p = 0; p < panels; p++) {
        double from = x->t0 + span * p / panels, to = x->t0 + span * (p + 1) / panels, t = from;
        double h = to - from;
        while (fabs(to - t) > LIA_TRANSPORT_SHORTEST * fabs(span)) {
            *end = t;
            if (lia_watch_asked()) return LIA_LIFT_STOPPED;
            if (fabs(h) > fabs(to - t)) h = to - t;
            if (x->c.free_count < x->c.base_count) *missed = fmax(*missed, missed_at(x, t, q));
            if (steps++ > panels + SHORTER_MOST) return LIA_LIFT_RUNS_AWAY;
            LiaLift lift = step(x, t, h, q);
            if (lift == LIA_LIFT_DONE) {
                t += h, h *= 2.0;
                continue;
            }
            h /= 2.0;
            if (fabs(h) < LIA_TRANSPORT_SHORTEST * fabs(span)) return lift;
        }
    }
    *end = x->t1;
    double* s = x->s;
    if (!lia_transport_law(x, x->t1, s, x->ds)) return LIA_LIFT_UNDETERMINED;
    set_base(x, s, q);
    return LIA_LIFT_DONE;
}

LiaLift lia_transport_follow(LiaTransport* x, double* q1, double* error, double* end) {
    size_t n = (size_t)x->c.n;
    double missed = 0.0, far = 1.0;
    for (size_t i = 0; i < n; i++) {
        q1[i] = error[i] = NAN;
        far = fmax(far, fabs(x->q0[i]));
    }
    for (int panels = PANELS_LEAST; panels <= PANELS_MOST; panels *= 2) {
        LiaLift lift = follow(x, panels, x->q, end, &missed);
        if (lift != LIA_LIFT_DONE) return lift;
        bool good = panels > PANELS_LEAST;
        for (size_t i = 0; i < n; i++) {
            error[i] = fabs(x->q[i] - q1[i]);
            good = good && error[i] <= LIA_TRANSPORT_REFINED * (1.0 + fabs(x->q[i]));
            q1[i] = x->q[i];
        }
        if (good) break;
    }
    return missed > LIA_LIFT_MISSES * far ? LIA_LIFT_CONTRADICTS : LIA_LIFT_DONE;
}

// --- the area -----------------------------------------------------------------------------------

// Does the lift change with a coordinate of the fibre, or with time? Then there is no integral of
// its curvature: the order of small loops matters.
bool lia_transport_invariant(LiaTransport* x, uint32_t component) {
    enum { LOOKS = 5 };
    size_t n = (size_t)x->c.n;
    double *here = x->Z, *there = x->f, *q = x->q;
    for (int k = 0; k < LOOKS; k++) {
        double t = x->t0 + (x->t1 - x->t0) * (k + 0.5) / LOOKS, most = 0.0;
        if (!lia_transport_law(x, t, x->s, x->ds)) return false;
        memcpy(q, x->q0, n * sizeof *q);
        if (!lia_transport_place(x, x->s, q)) return false;
        if (!lia_connection_lifts(&x->c, t, q, here)) return false;
        for (size_t i = 0, moved = 0; i < n; i++) {
            bool fibre = !x->driven[i] && !x->c.w->system->model->coordinates[i].inner;
            if (fibre) q[i] += sin(k + 3.0 * (double)moved++ + 1.0);
        }
        if (!lia_transport_place(x, x->s, q)) return false;
        if (!lia_connection_lifts(&x->c, x->t0, q, there)) return false;
        for (size_t i = 0; i < 2 * n; i++) most = fmax(most, fabs(here[i]));
        for (size_t a = 0; a < 2; a++) {
            double d = fabs(here[a * n + component] - there[a * n + component]);
            if (!(d <= LIA_HOLONOMY_INVARIANT * most)) return false;
        }
    }
    return true;
}

// The middle of the loop, and how far it goes from there.
static bool find_middle(LiaTransport* x, double middle[2], double* extent) {
    double s[2], ds[2];
    middle[0] = middle[1] = *extent = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < PANELS_LEAST * STAGES; k++) {
            double t = x->t0 + (x->t1 - x->t0) * k / (PANELS_LEAST * STAGES);
            if (!lia_transport_law(x, t, s, ds)) return false;
            for (int a = 0; a < 2; a++) {
                if (pass == 0) middle[a] += s[a] / (PANELS_LEAST * STAGES);
                if (pass == 1) *extent = fmax(*extent, fabs(s[a] - middle[a]));
            }
        }
    }
    return true;
}

// Over s = middle + r (loop(t) - middle):  F r (loop - middle) x loop' dr dt.
static bool area_by(LiaTransport* x, const double middle[2], double h, int panels, double* area) {
    size_t n = (size_t)x->c.n;
    int across = panels / AREA_LEAST;
    memset(area, 0, n * sizeof(double));
    for (int k = 0; k < panels * STAGES; k++) {
        double s[2], ds[2], wide = (x->t1 - x->t0) / panels;
        double t = x->t0 + wide * (k / STAGES + x->rule.node[k % STAGES]);
        if (lia_watch_asked() || !lia_transport_law(x, t, s, ds)) return false;
        double d[2] = {s[0] - middle[0], s[1] - middle[1]};
        double cross = (d[0] * ds[1] - d[1] * ds[0]) * wide * x->rule.weight[k % STAGES];
        for (int j = 0; j < across * STAGES; j++) {
            double r = (j / STAGES + x->rule.node[j % STAGES]) / across;
            memcpy(x->q, x->q0, n * sizeof(double));
            double inside[2] = {middle[0] + r * d[0], middle[1] + r * d[1]};
            if (!lia_transport_place(x, inside, x->q)) return false;
            if (!lia_connection_curvature_fine(&x->c, x->t0, x->q, h, x->F)) return false;
            double w = cross * r * x->rule.weight[j % STAGES] / across;
            for (size_t i = 0; i < n; i++) area[i] -= w * x->F[i];
        }
    }
    return true;
}

// By more and more panels, while they help. 1: it has settled, 0: it has not, -1: it is not
// determined.
static int refine(LiaTransport* x, const double middle[2], double step, int most_panels,
                  double* area, double* error) {
    size_t n = (size_t)x->c.n;
    double *next = x->Z, before = INFINITY;  // free here
    for (int panels = AREA_LEAST; panels <= most_panels; panels *= 2) {
        if (!area_by(x, middle, step, panels, next)) return -1;
        bool good = panels > AREA_LEAST;
        double most = 0.0;
        for (size_t i = 0; i < n; i++) {
            error[i] = panels > AREA_LEAST ? fabs(next[i] - area[i]) : INFINITY;
            most = fmax(most, error[i] / (1.0 + fabs(next[i])));
            good = good && error[i] <= LIA_AREA_REFINED * (1.0 + fabs(next[i]));
            area[i] = next[i];
        }
        if (good) return 1;
        if (panels > 2 * AREA_LEAST && !(most < before)) return most <= LIA_AREA_ROUNDING;
        before = most;
    }
    return 0;
}

bool lia_transport_area(LiaTransport* x, int panels, double* area, double* error) {
    double middle[2], extent;
    size_t n = (size_t)x->c.n;
    if (x->c.base_count != 2 || x->c.free_count != 2 || !find_middle(x, middle, &extent))
        return false;
    if (extent == 0.0) {  // a loop that stays where it is
        memset(area, 0, n * sizeof(double));
        memset(error, 0, n * sizeof(double));
        return true;
    }
    // Differences that reach too far round a place are no better for more panels; those that reach
    // less far have more rounding.
    double *best = x->f, *best_error = x->f + n, least = INFINITY;  // free here
    for (double step = LIA_CURVATURE_STEP * extent; step > LIA_CURVATURE_LEAST * extent;
         step *= LIA_CURVATURE_FINER) {
        int refined = refine(x, middle, step, panels, area, error);
        if (refined != 0) return refined > 0;
        double most = 0.0;
        for (size_t i = 0; i < n; i++) most = fmax(most, error[i] / (1.0 + fabs(area[i])));
        if (!(most < least)) break;
        least = most;
        memcpy(best, area, n * sizeof *best);
        memcpy(best_error, error, n * sizeof *best);
    }
    memcpy(area, best, n * sizeof *best);
    memcpy(error, best_error, n * sizeof *best);
    return isfinite(least);
}

double lia_transport_slowness(LiaTransport* x, uint32_t i) {
    size_t n = (size_t)x->c.n;
    double sum = 0.0, wide = (x->t1 - x->t0) / (PANELS_LEAST * PANELS_LEAST);
    for (int k = 0; k < PANELS_LEAST * PANELS_LEAST * STAGES; k++) {
        double t = x->t0 + wide * (k / STAGES + x->rule.node[k % STAGES]);
        if (!lia_transport_law(x, t, x->s, x->ds)) return NAN;
        memcpy(x->q, x->q0, n * sizeof(double));
        set_base(x, x->s, x->q);
        if (!lia_connection_lifts(&x->c, t, x->q, x->c.N)) return NAN;
        sum += wide * x->rule.weight[k % STAGES] / x->c.w->saddle.M[i * n + i];
    }
    return sum;
}
