// The second way with contacts. See way.h.
// SPDX-License-Identifier: MIT
#include "way.h"
#include "second/dop853.h"
#include "several.h"
#include "support/gauss.h"
#include <math.h>
#include <string.h>

enum { ROWS = 2 * WORLD_N + 2 * WORLD_CONTACTS + 2, INSIDE = 4, HALVINGS = 60 };
typedef enum Mode { OPEN, CLOSED, PLUS, MINUS, STICK, SLIDE } Mode;

static const double STEP = 0.004;   // steps: short relative to springs, drives and bounces
static const double MOMENT = 2e-4;  // how long a mode is followed before it is believed
static const double BELOW = 1e-10;  // a condition is broken from here on: above rounding and drift
static const double ROUNDING = 1e-9;  // velocities that are zero
static const double GRAZE = 1e-5;     // slower impacts are not judged
static const double SLOW = 0.03;      // nor slip in space that is slower: its direction turns fast
static const double FAR = 30.0;       // nor velocities beyond: its steps are too long for them

typedef struct Run {
    const World* w;
    Mode mode[WORLD_CONTACTS];
    double N[WORLD_CONTACTS], T[WORLD_CONTACTS];  // of the last evaluation
    double a[WORLD_N];
} Run;

// --- the system at a state ----------------------------------------------------------------------

static void gradient(const WorldContact* k, int n, const double* q, double* out) {
    for (int i = 0; i < n; i++) out[i] = k->a[i] + k->b[i] * q[i];
}

static double gap(const WorldContact* k, int n, const double* q) {
    double sum = k->c;
    for (int i = 0; i < n; i++) sum += k->a[i] * q[i] + k->b[i] * q[i] * q[i] / 2.0;
    return sum;
}

static double dot(int n, const double* x, const double* y) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static double slip(const WorldContact* k, int n, int d, const double* v) {
    return dot(n, k->s[d], v) + k->belt[d];
}

static double slip_size(const WorldContact* k, int n, const double* v) {
    return k->slips == 2 ? hypot(slip(k, n, 0, v), slip(k, n, 1, v)) : fabs(slip(k, n, 0, v));
}

static void mass(const World* w, const double* q, double A[ROWS][ROWS]) {
    for (int i = 0; i < w->n; i++) memcpy(A[i], w->M[i], (size_t)w->n * sizeof(double));
    if (w->n > 1) A[1][1] += w->wobble * sin(q[0]);
}

static void forces(const World* w, const double* q, const double* v, double* b) {
    for (int i = 0; i < w->n; i++) {
        b[i] = -w->weight[i] - w->stiffness[i] * (q[i] - w->rest[i]) - w->damping * v[i];
    }
    if (w->n > 1) {
        b[0] += 0.5 * w->wobble * cos(q[0]) * v[1] * v[1];
        b[1] -= w->wobble * cos(q[0]) * v[0] * v[1];
    }
}

// One more row: the equation `along`.a = value, kept by a force along `push`.
static int add_row(int n, int m, const double* along, const double* push, double value,
                   double A[ROWS][ROWS], double* b) {
    for (int i = 0; i < n; i++) A[m][i] = along[i], A[i][m] = -push[i];
    b[m] = value;
    return m + 1;
}

// The constraint and the operator; accelerations, or with impulses jumps of velocities.
static int add_bilateral(const World* w, double t, const double* q, const double* v, bool impulse,
                         int m, double A[ROWS][ROWS], double* b) {
    if (w->held) {
        double g[WORLD_N], curve = 0.0;
        for (int i = 0; i < w->n; i++) {
            g[i] = w->hold_a[i] + w->hold_b[i] * q[i];
            curve += w->hold_b[i] * v[i] * v[i];
        }
        m = add_row(w->n, m, g, g, impulse ? 0.0 : -curve, A, b);
    }
    if (w->driven) {
        double e[WORLD_N] = {0};
        e[w->n - 1] = 1.0;
        double rate = -w->amplitude * w->rate * w->rate * sin(w->rate * t + w->phase);
        m = add_row(w->n, m, e, e, impulse ? 0.0 : rate, A, b);
    }
    return m;
}

// What the force of a closed contact is along: its normal, and friction where it slides.
static void pushes(const WorldContact* k, int n, Mode mode, const double* g, const double* v,
                   double* out) {
    memcpy(out, g, (size_t)n * sizeof *out);
    double size = mode == SLIDE ? slip_size(k, n, v) : 1.0;
    for (int d = 0; d < k->slips; d++) {
        double direction = mode == PLUS ? 1.0 : mode == MINUS ? -1.0 : 0.0;
        if (mode == SLIDE) direction = slip(k, n, d, v) / size;
        for (int i = 0; i < n; i++) out[i] -= k->friction * direction * k->s[d][i];
    }
}

static bool accelerate(Run* r, double t, const double* q, const double* v) {
    const World* w = r->w;
    double A[ROWS][ROWS] = {{0}}, b[ROWS] = {0};
    int at[WORLD_CONTACTS];
    mass(w, q, A);
    forces(w, q, v, b);
    int m = add_bilateral(w, t, q, v, false, w->n, A, b);
    for (int i = 0; i < w->contacts; i++) {
        const WorldContact* k = &w->contact[i];
        double g[WORLD_N], push[WORLD_N], curve = 0.0;
        at[i] = m;
        if (r->mode[i] == OPEN) continue;
        gradient(k, w->n, q, g);
        pushes(k, w->n, r->mode[i], g, v, push);
        for (int j = 0; j < w->n; j++) curve += k->b[j] * v[j] * v[j];
        m = add_row(w->n, m, g, push, -curve, A, b);
        for (int d = 0; d < k->slips && r->mode[i] == STICK; d++) {
            m = add_row(w->n, m, k->s[d], k->s[d], 0.0, A, b);
        }
    }
    if (!gauss_solve_in_place(m, ROWS, *A, b, 1e-12)) return false;
    memcpy(r->a, b, sizeof r->a);
    for (int i = 0; i < w->contacts; i++) {
        bool stick = r->mode[i] == STICK;
        r->N[i] = r->mode[i] == OPEN ? 0.0 : b[at[i]];
        r->T[i] = !stick                     ? 0.0
                  : w->contact[i].slips == 2 ? hypot(b[at[i] + 1], b[at[i] + 2])
                                             : fabs(b[at[i] + 1]);
    }
    return true;
}

static bool rate(void* context, double t, const double* y, double* dy) {
    Run* r = context;
    int n = r->w->n;
    if (!accelerate(r, t, y, y + n)) return false;
    memcpy(dy, y + n, (size_t)n * sizeof *dy);
    memcpy(dy + n, r->a, (size_t)n * sizeof *dy);
    return true;
}

// --- conditions ---------------------------------------------------------------------------------

// How far the condition of a contact's mode holds: negative where it is broken. Of the last
// evaluation.
static double condition(const Run* r, int i, const double* q, const double* v) {
    const WorldContact* k = &r->w->contact[i];
    int n = r->w->n;
    switch (r->mode[i]) {
    case OPEN:
        return gap(k, n, q);
    case CLOSED:
        return r->N[i];
    case PLUS:
        return fmin(r->N[i], slip(k, n, 0, v));
    case MINUS:
        return fmin(r->N[i], -slip(k, n, 0, v));
    case STICK:
        return fmin(r->N[i], k->static_friction * r->N[i] - r->T[i]);
    case SLIDE:
        return fmin(r->N[i], slip_size(k, n, v) - SLOW);
    }
    return -1.0;
}

static double worst(Run* r, double t, const double* y, int* which) {
    double least = INFINITY;
    if (!accelerate(r, t, y, y + r->w->n)) return NAN;
    for (int i = 0; i < r->w->contacts; i++) {
        double c = condition(r, i, y, y + r->w->n);
        if (c < least) least = c, *which = i;
    }
    return least;
}

static bool step(Run* r, double t, const double* y, double h, double* next) {
    Dop853 p = {.n = 2 * (size_t)r->w->n, .context = r, .rate = rate};
    double k[2 * WORLD_N];
    return rate(r, t, y, k) && dop853_step(&p, t, y, k, h, next);
}

// --- which mode ---------------------------------------------------------------------------------

// Followed for a moment, does the mode keep its conditions?
static bool keeps(Run* r, double t, const double* y) {
    for (int part = 1; part <= 2; part++) {
        double next[2 * WORLD_N];
        int which = 0;
        if (!step(r, t, y, MOMENT * part / 2.0, next)) return false;
        if (!(worst(r, t + MOMENT * part / 2.0, next, &which) > 0.0)) return false;
    }
    return true;
}

// The modes that a contact may have from a state on; those before `count` come first in rank.
static int choices(const Run* r, int i, const double* y, bool slipped, Mode* out) {
    const WorldContact* k = &r->w->contact[i];
    int n = r->w->n, count = 0;
    double g[WORLD_N];
    out[count++] = OPEN;
    gradient(k, n, y, g);
    if (gap(k, n, y) > 1e-7 || dot(n, g, y + n) > ROUNDING) return count;
    if (k->slips == 0) {
        out[count++] = CLOSED;
    } else if (slip_size(k, n, y + n) > ROUNDING) {
        out[count++] = k->slips == 2 ? SLIDE : slip(k, n, 0, y + n) > 0.0 ? PLUS : MINUS;
    } else {
        if (!slipped) out[count++] = STICK;
        if (k->slips == 1) out[count++] = PLUS, out[count++] = MINUS;
    }
    return count;
}

// Try all; sticking is kept while its bound holds. False: none, or several.
static bool decide(Run* r, double t, const double* y, int slipped) {
    Mode list[WORLD_CONTACTS][4], best[WORLD_CONTACTS];
    int counts[WORLD_CONTACTS], all = 1, found = 0, stuck = 0;
    for (int i = 0; i < r->w->contacts; i++) {
        counts[i] = choices(r, i, y, i == slipped, list[i]);
        all *= counts[i];
    }
    for (int c = 0; c < all; c++) {
        int sticks = 0, rest = c;
        for (int i = 0; i < r->w->contacts; i++) {
            r->mode[i] = list[i][rest % counts[i]];
            rest /= counts[i];
            sticks += r->mode[i] == STICK;
        }
        if (!keeps(r, t, y) || sticks < stuck) continue;
        found = sticks > stuck ? 1 : found + 1;
        stuck = sticks;
        memcpy(best, r->mode, sizeof best);
    }
    memcpy(r->mode, best, sizeof best);
    return found == 1;
}

// --- impacts ------------------------------------------------------------------------------------

// Jumps of velocities by unit impulses along each of the given directions.
static bool responses(const World* w, const double* q, int count, double push[][WORLD_N],
                      double out[][WORLD_N]) {
    for (int k = 0; k < count; k++) {
        double A[ROWS][ROWS] = {{0}}, b[ROWS] = {0};
        mass(w, q, A);
        memcpy(b, push[k], (size_t)w->n * sizeof *b);
        int m = add_bilateral(w, 0.0, q, q, true, w->n, A, b);
        if (!gauss_solve_in_place(m, ROWS, *A, b, 1e-12)) return false;
        memcpy(out[k], b, (size_t)w->n * sizeof *b);
    }
    return true;
}

// Smooth contacts that touch: every set of those that push, until one satisfies all.
static bool smooth_impact(const World* w, const bool* touches, double* y) {
    double g[WORLD_CONTACTS][WORLD_N], d[WORLD_CONTACTS][WORLD_N], before[WORLD_CONTACTS];
    int n = w->n, found = 0;
    double after[WORLD_N];
    for (int i = 0; i < w->contacts; i++) {
        gradient(&w->contact[i], n, y, g[i]);
        before[i] = dot(n, g[i], y + n);
    }
    if (!responses(w, y, w->contacts, g, d)) return false;
    for (int set = 0; set < 1 << w->contacts; set++) {
        double A[ROWS][ROWS] = {{0}}, P[ROWS] = {0}, v[WORLD_N];
        bool good = true;
        for (int i = 0; i < w->contacts; i++) {
            bool in = set >> i & 1;
            good = good && (!in || touches[i]);
            for (int j = 0; j < w->contacts; j++) {
                A[i][j] = in && (set >> j & 1) ? dot(n, g[i], d[j]) : i == j ? 1.0 : 0.0;
            }
            P[i] = in ? -(1.0 + w->contact[i].restitution) * before[i] : 0.0;
        }
        if (!good || !gauss_solve_in_place(w->contacts, ROWS, *A, P, 1e-12)) continue;
        memcpy(v, y + n, sizeof v);
        for (int i = 0; i < w->contacts; i++) {
            for (int j = 0; j < n; j++) v[j] += P[i] * d[i][j];
            good = good && P[i] > -1e-12;
        }
        for (int i = 0; i < w->contacts; i++) {
            double left = dot(n, g[i], v) + w->contact[i].restitution * before[i];
            good = good && (!touches[i] || left > -1e-11);
        }
        if (!good) continue;
        double apart = 0.0;
        for (int j = 0; j < n && found; j++) apart = fmax(apart, fabs(v[j] - after[j]));
        found += !found || apart > 1e-9;  // the same velocities by other impulses are the same
        memcpy(after, v, sizeof after);
    }
    if (found == 1) memcpy(y + n, after, (size_t)n * sizeof *y);
    return found == 1;
}

typedef struct Plane {  // (gap', slip) and the work of the normal impulse, over the normal impulse
    double nn, nt, tn, tt, mu, e;
    double gap, slip, p, tangential, work, compressed;
} Plane;

// Smallest positive root of a x + b x^2/2 = c; INFINITY: none.
static double root_of(double a, double b, double c) {
    double D = a * a + 2.0 * b * c;
    if (b == 0.0) return a != 0.0 && c / a > 0.0 ? c / a : INFINITY;
    if (D < 0.0) return INFINITY;
    double x = (-a - sqrt(D)) / b, z = (-a + sqrt(D)) / b, least = INFINITY;
    if (x > 0.0) least = x;
    if (z > 0.0 && z < least) least = z;
    return least;
}

// Routh's process with Stronge's coefficient: pieces of constant friction.
static bool plane_impact(Plane* s) {
    bool back = false;
    for (int piece = 0; piece < 8; piece++) {
        double direction = fabs(s->slip) > 1e-13 ? (s->slip > 0.0 ? 1.0 : -1.0) : 0.0, tau;
        if (direction != 0.0) {
            tau = -s->mu * direction;
        } else if (fabs(s->tn) <= s->mu * s->tt) {
            tau = -s->tn / s->tt;
            s->slip = 0.0;
        } else {
            tau = s->tn > 0.0 ? -s->mu : s->mu;
        }
        double gap_rate = s->nn + tau * s->nt, slip_rate = s->tn + tau * s->tt, p = INFINITY;
        bool slip_ends = false, turns = false, ends = false;
        if (direction != 0.0 && s->slip * slip_rate < 0.0)
            p = -s->slip / slip_rate, slip_ends = true;
        if (!back && gap_rate > 0.0 && -s->gap / gap_rate < p) {
            p = -s->gap / gap_rate, slip_ends = false, turns = true;
        }
        if (back) {
            double end = root_of(s->gap, gap_rate, (1.0 - s->e * s->e) * s->compressed - s->work);
            if (s->e == 0.0) end = 0.0;
            if (end <= p) p = end, slip_ends = false, ends = true;
        }
        if (!isfinite(p)) return false;
        s->work += s->gap * p + gap_rate * p * p / 2.0;
        s->gap += gap_rate * p, s->slip += slip_rate * p;
        s->p += p, s->tangential += tau * p;
        if (slip_ends) s->slip = 0.0;
        if (turns) s->gap = 0.0, s->compressed = s->work, back = true;
        if (ends || (turns && s->e == 0.0)) return true;
    }
    return false;
}

// One step of Runge and Kutta over the normal impulse. False where slip nearly ends.
static bool space_step(double W[3][3], double mu, double h, double* u, double* P) {
    double stage[4][3], force[4][3];
    for (int s = 0; s < 4; s++) {
        double at[3], f = s == 3 ? h : h / 2.0;
        for (int i = 0; i < 3; i++) at[i] = u[i] + (s ? f * stage[s - 1][i] : 0.0);
        double size = hypot(at[1], at[2]);
        if (size < SLOW) return false;
        force[s][0] = 1.0, force[s][1] = -mu * at[1] / size, force[s][2] = -mu * at[2] / size;
        for (int i = 0; i < 3; i++) stage[s][i] = dot(3, W[i], force[s]);
    }
    for (int i = 0; i < 3; i++) {
        u[i] += h * (stage[0][i] + 2.0 * (stage[1][i] + stage[2][i]) + stage[3][i]) / 6.0;
        P[i] += h * (force[0][i] + 2.0 * (force[1][i] + force[2][i]) + force[3][i]) / 6.0;
    }
    return true;
}

// The same in space, without restitution: small steps until the gap does not close any more.
static bool space_impact(double W[3][3], double mu, double* u, double* P) {
    enum { STEPS = 20000 };
    double h = -u[0] / (W[0][0] * STEPS);
    for (int k = 0; k < 100 * STEPS && h > 0.0; k++) {
        double v[3] = {u[0], u[1], u[2]}, Q[3] = {P[0], P[1], P[2]};
        if (!space_step(W, mu, h, v, Q)) return false;
        if (v[0] >= 0.0) {  // the last one, as long as it takes
            h *= -u[0] / (v[0] - u[0]);
            for (int i = 0; i < 4; i++) {
                memcpy(v, u, sizeof v), memcpy(Q, P, sizeof Q);
                if (!space_step(W, mu, h, v, Q)) return false;
                h *= -u[0] / (v[0] - u[0]);
            }
            memcpy(u, v, sizeof v), memcpy(P, Q, sizeof Q);
            return true;
        }
        memcpy(u, v, sizeof v), memcpy(P, Q, sizeof Q);
    }
    return false;
}

// One contact alone.
static bool rough_impact(const World* w, int of, double* y) {
    const WorldContact* k = &w->contact[of];
    int n = w->n, rows = 1 + k->slips;
    double g[3][WORLD_N], d[3][WORLD_N], W[3][3], P[3] = {0}, u[3];
    gradient(k, n, y, g[0]);
    for (int i = 0; i < k->slips; i++) memcpy(g[1 + i], k->s[i], sizeof g[0]);
    if (!responses(w, y, rows, g, d)) return false;
    for (int i = 0; i < rows; i++) {
        u[i] = i ? slip(k, n, i - 1, y + n) : dot(n, g[0], y + n);
        for (int j = 0; j < rows; j++) W[i][j] = dot(n, g[i], d[j]);
    }
    if (k->slips == 1) {
        Plane s = {W[0][0], W[0][1], W[1][0], W[1][1], k->friction, k->restitution,
                   u[0],    u[1],    0.0,     0.0,     0.0,         0.0};
        if (!plane_impact(&s)) return false;
        P[0] = s.p, P[1] = s.tangential;
    } else if (!space_impact(W, k->friction, u, P)) {
        return false;
    }
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < n; j++) y[n + j] += P[i] * d[i][j];
    }
    return true;
}

// Several that touch, not all of them smooth.
static bool crash(const World* w, const bool* touches, double* y) {
    Several s = {0};
    double g[SEVERAL_ROWS][WORLD_N] = {{0}}, d[SEVERAL_ROWS][WORLD_N], P[SEVERAL_ROWS];
    int n = w->n;
    for (int i = 0; i < w->contacts; i++) {
        const WorldContact* k = &w->contact[i];
        if (!touches[i]) continue;
        if (k->slips > 1) return false;
        gradient(k, n, y, g[2 * s.count]);
        memcpy(g[2 * s.count + 1], k->s[0], sizeof g[0]);
        s.u[2 * s.count] = dot(n, g[2 * s.count], y + n);
        s.u[2 * s.count + 1] = slip(k, n, 0, y + n);
        s.mu[s.count] = k->friction, s.e[s.count++] = k->restitution;
    }
    if (!responses(w, y, 2 * s.count, g, d)) return false;
    for (int i = 0; i < 2 * s.count; i++) {
        for (int j = 0; j < 2 * s.count; j++) s.W[i][j] = dot(n, g[i], d[j]);
    }
    if (!several_impact(&s, P)) return false;
    for (int i = 0; i < 2 * s.count; i++) {
        for (int j = 0; j < n; j++) y[n + j] += P[i] * d[i][j];
    }
    return true;
}

static bool impact(const World* w, const bool* touches, int i, double* y, Way* way) {
    int count = 0;
    bool rough = false;
    for (int j = 0; j < w->contacts; j++) {
        count += touches[j];
        rough = rough || (touches[j] && w->contact[j].slips);
    }
    way->crashes += rough && count > 1;
    return !rough       ? smooth_impact(w, touches, y)
           : count == 1 ? rough_impact(w, i, y)
                        : crash(w, touches, y);
}

// --- the run ------------------------------------------------------------------------------------

static bool finish(Way* way, WayOutcome outcome) {
    way->outcome = outcome;
    return false;
}

// At y a condition of contact i is just broken. Velocities after it and the next modes, into r and
// y.
static bool pass(Run* r, Way* way, double t, double* y, int i) {
    const World* w = r->w;
    Mode before = r->mode[i];
    bool touches[WORLD_CONTACTS];
    int slipped = -1;
    for (int j = 0; j < w->contacts; j++) touches[j] = r->mode[j] != OPEN || j == i;
    if (before == OPEN) {
        double g[WORLD_N];
        gradient(&w->contact[i], w->n, y, g);
        if (dot(w->n, g, y + w->n) > -GRAZE) return finish(way, WAY_NEAR);
        if (!impact(w, touches, i, y, way)) return finish(way, WAY_UNDECIDED);
    } else if (before == SLIDE && slip_size(&w->contact[i], w->n, y + w->n) < 2.0 * SLOW) {
        return finish(way, WAY_NEAR);
    } else if (before == STICK) {
        slipped = r->N[i] > BELOW ? i : -1;
    }
    if (!decide(r, t, y, slipped)) return finish(way, WAY_UNDECIDED);
    WayKind kind = before == OPEN        ? WAY_IMPACT
                   : r->mode[i] == OPEN  ? WAY_RELEASE
                   : r->mode[i] == STICK ? WAY_STICK
                                         : WAY_SLIP;
    way->events[way->count++] = (WayEvent){t, i, kind};
    return way->count < WAY_EVENTS;
}

// The instant within h at which the worst condition passes zero, and the state there.
static double locate(Run* r, double t, const double* y, double h, double* at, int* which) {
    double low = 0.0, high = h;
    for (int k = 0; k < HALVINGS; k++) {
        double middle = 0.5 * (low + high), next[2 * WORLD_N];
        if (step(r, t, y, middle, next) && worst(r, t + middle, next, which) > 0.0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    step(r, t, y, high, at);
    worst(r, t + high, at, which);
    return high;
}

void way_run(const World* w, Way* way) {
    Run run = {.w = w};
    double y[2 * WORLD_N] = {0}, t = 0.0;
    memset(way, 0, sizeof *way);
    memcpy(y, w->q, (size_t)w->n * sizeof *y);
    memcpy(y + w->n, w->v, (size_t)w->n * sizeof *y);
    bool on = true;
    while (on && t < w->end) {
        double h = fmin(STEP, w->end - t), next[2 * WORLD_N];
        int which = 0;
        if (!step(&run, t, y, h, next)) {
            way->outcome = WAY_UNDECIDED;
            break;
        }
        bool broken = false;
        for (int k = 1; k <= INSIDE && !broken; k++) {
            double inside[2 * WORLD_N], part = h * k / INSIDE;
            step(&run, t, y, part, inside);
            broken = !(worst(&run, t + part, inside, &which) > -BELOW);
            if (broken) {
                double at[2 * WORLD_N];
                t += locate(&run, t, y, part, at, &which);
                memcpy(y, at, sizeof y);
                on = pass(&run, way, t, y, which);
            }
        }
        for (int i = 0; i < w->n && !broken; i++) {
            if (fabs(next[w->n + i]) > FAR) on = finish(way, WAY_NEAR);
        }
        if (broken || !on) continue;
        t = h < STEP ? w->end : t + h;
        memcpy(y, next, sizeof y);
    }
    way->t = t;
    memcpy(way->q, y, (size_t)w->n * sizeof *y);
    memcpy(way->v, y + w->n, (size_t)w->n * sizeof *y);
}
