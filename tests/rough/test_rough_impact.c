// Impacts that a rough constraint bears: random masses and directions, against Routh's process
// by hand, in pieces of constant friction.
//
// By law: motion/contact/rough/rough_impact.c: a blow is that of the process by hand
// By law: motion/contact/rough/rough_modes.c: after it the rail sticks or slides by its slip
// SPDX-License-Identifier: MIT
#include "../support/cases.h"
#include "../support/gauss.h"
#include "../support/motion.h"
#include "../support/random.h"
#include "motion/result/trajectory.h"

enum { N = 3 };

typedef struct Blow {
    double M[N][N], a[N], s[N], g[N], mu, e, v[N], gap;
} Blow;

static double dot(const double* x, const double* y) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static void make(uint64_t seed, Blow* x) {
    Random random = {seed * 31 + 7}, *r = &random;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++) x->M[i][j] = x->M[j][i] = random_between(r, -0.4, 0.4);
        x->M[i][i] = random_between(r, 1.0, 2.5);
        x->a[i] = random_between(r, -1.0, 1.0);
        x->s[i] = random_between(r, -1.0, 1.0);
        x->g[i] = random_between(r, -1.0, 1.0);
        x->v[i] = random_between(r, -1.0, 1.0);
    }
    x->a[0] += x->a[0] > 0.0 ? 1.0 : -1.0;
    x->v[0] = -(x->a[1] * x->v[1] + x->a[2] * x->v[2]) / x->a[0];
    x->mu = random_between(r, 0.05, 0.6);
    x->e = random_chance(r, 0.5) ? 0.0 : random_between(r, 0.1, 0.9);
    if (dot(x->g, x->v) > 0.0) {
        for (int i = 0; i < N; i++) x->g[i] = -x->g[i];
    }
    x->gap = -0.3 * dot(x->g, x->v);
}

// Velocities v, impulses P of the rail, T of its friction, Q of the contact, and the work of T. No
// forces act, so that what slides before the blow has the velocities of the start.
typedef struct After {
    double v[N], P, T, Q, work;
} After;

// Rates over Q: of the velocities, of P and T. `part`: T by P where it slides; else it sticks.
static bool rates(const Blow* x, bool sticks, double part, double* dv, double* P, double* T) {
    double A[6][6] = {{0}}, b[6] = {0};
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) A[i][j] = x->M[i][j];
        A[i][3] = -(x->a[i] + part * x->s[i]);
        A[i][4] = -x->s[i];
        A[3][i] = x->a[i];
        A[4][i] = x->s[i];
        b[i] = x->g[i];
    }
    if (!gauss_solve_in_place(sticks ? 5 : 4, 6, *A, b, 1e-9)) return false;
    memcpy(dv, b, N * sizeof *dv);
    *P = b[3], *T = sticks ? b[4] : part * b[3];
    return true;
}

// The modes from here on; only one keeps its conditions, or it is not judged.
static int choose(const Blow* x, double slip, double* dv, double* P, double* T) {
    int found = 0;
    for (int mode = 0; mode < 5; mode++) {  // sticks; slides to either side, P of either sign
        double way = mode < 3 ? 1.0 : -1.0, sign = mode % 2 ? 1.0 : -1.0, d[N], p, f;
        if (!rates(x, mode == 0, mode == 0 ? 0.0 : -way * sign * x->mu, d, &p, &f)) continue;
        bool so = mode == 0     ? slip == 0.0 && fabs(f) <= x->mu * fabs(p)
                  : slip != 0.0 ? way * slip > 0.0 && sign * p >= 0.0
                                : way * dot(x->s, d) > 0.0 && sign * p >= 0.0;
        if (!so) continue;
        found++;
        memcpy(dv, d, sizeof d);
        *P = p, *T = f;
    }
    return found;
}

// The normal velocity u and its works, of compression and of restitution, over q more of Q.
typedef struct Normal {
    double u, compression, restitution;
} Normal;

static void advance(Normal* n, double rate, double q) {
    double after = n->u + rate * q, part = n->u < 0.0 && after > 0.0 ? -n->u / rate : 0.0;
    if (n->u < 0.0 && after <= 0.0) part = q;
    n->compression += part * (n->u + 0.5 * rate * part);
    double u = n->u + rate * part;
    n->restitution += (q - part) * 0.5 * (u + after);
    n->u = after;
}

// Q until the work of restitution is e^2 times that of compression, at this rate.
static double until_end(const Normal* n, double rate, double e) {
    if (!(rate > 0.0)) return INFINITY;
    double q = n->u < 0.0 ? -n->u / rate : 0.0, u = fmax(n->u, 0.0);
    Normal turned = *n;
    advance(&turned, rate, q);
    double left = -e * e * turned.compression - turned.restitution;
    return left < 0.0 ? 0.0 : q + (sqrt(u * u + 2.0 * rate * left) - u) / rate;
}

// Routh's process over Q, with Stronge's restitution. Gives the number of pieces; 0: none or
// several.
static int process(const Blow* x, After* y) {
    double slip = dot(x->s, x->v);
    Normal n = {.u = dot(x->g, x->v)};
    *y = (After){0};
    memcpy(y->v, x->v, sizeof y->v);
    for (int piece = 1; piece <= 2; piece++) {
        double dv[N] = {0}, P = 0.0, T = 0.0;
        if (choose(x, slip, dv, &P, &T) != 1) return 0;
        double rate = dot(x->g, dv), turn = dot(x->s, dv), q = until_end(&n, rate, x->e);
        double ends = slip * turn < 0.0 ? -slip / turn : INFINITY;
        bool last = q <= ends;
        if (!last) q = ends;
        if (!isfinite(q) || (piece == 2 && !last)) return 0;
        advance(&n, rate, q);
        y->work += T * q * (slip + 0.5 * turn * q);
        for (int i = 0; i < N; i++) y->v[i] += q * dv[i];
        y->P += P * q, y->T += T * q, y->Q += q;
        slip = 0.0;
        if (last) return piece;
    }
    return 0;
}

static double energy(const Blow* x, const double* v) {
    double sum = 0.0;
    for (int i = 0; i < N; i++) sum += 0.5 * v[i] * dot(x->M[i], v);
    return sum;
}

static void write(const Blow* x, char* text, size_t size) {
    int at = snprintf(text, size, "coordinate x1, x2, x3 : line\nkinetic 0");
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            at += snprintf(text + at, size - (size_t)at, " + (%.17g)*x%d'*x%d'", x->M[i][j] / 2.0,
                           i + 1, j + 1);
    }
    snprintf(text + at, size - (size_t)at,
             "\nconstraint rail: (%.17g)*x1 + (%.17g)*x2 + (%.17g)*x3 = 0\n"
             "  slip (%.17g)*x1' + (%.17g)*x2' + (%.17g)*x3' friction %.17g\n"
             "contact hit: %.17g + (%.17g)*x1 + (%.17g)*x2 + (%.17g)*x3 >= 0 restitution %.17g\n"
             "start x1 = 0, x2 = 0, x3 = 0, x1' = %.17g, x2' = %.17g, x3' = %.17g\n"
             "run t = 0..0.31, samples 2\n",
             x->a[0], x->a[1], x->a[2], x->s[0], x->s[1], x->s[2], x->mu, x->gap, x->g[0], x->g[1],
             x->g[2], x->e, x->v[0], x->v[1], x->v[2]);
}

static const LiaJumpImpulse* impulse_of(const LiaJump* jump, const char* name) {
    for (size_t i = 0; i < jump->impulse_count; i++) {
        if (strcmp(jump->impulses[i].name, name) == 0) return &jump->impulses[i];
    }
    return NULL;
}

static bool agrees(const Blow* x, const After* y, const LiaJump* jump) {
    const LiaJumpImpulse *rail = impulse_of(jump, "rail"), *hit = impulse_of(jump, "hit");
    if (!rail || !hit) return false;
    double near = 1e-10 * (1.0 + fabs(y->P) + fabs(y->Q));  // impulses are large where W is small
    bool ok = fabs(rail->values[0] - y->P) < near && fabs(hit->values[0] - y->Q) < near;
    ok = ok && fabs(rail->values[rail->count - 1] - y->T) < near;
    double all = energy(x, y->v) - energy(x, x->v);
    return ok && all <= near && fabs(rail->work - y->work) < near &&
           fabs(rail->work + hit->work - all) < near && rail->work <= near;
}

int main(void) {
    int pieces[3] = {0};
    for (uint64_t seed = 1; seed <= 200; seed += (uint64_t)cases_every()) {
        Blow x;
        After y;
        char text[2048];
        make(seed, &x);
        int found = process(&x, &y);
        pieces[found]++;
        if (found == 0) continue;
        write(&x, text, sizeof text);
        Motion m = motion_of(text, &(MotionOptions){.quiet = 1});
        char* said = lia_diags_text(m.diags);
        bool warned = said && strstr(said, "W0440");
        bool ok = m.t && m.t->jumps.count == 1 && !warned && agrees(&x, &y, &m.t->jumps.list[0]);
        if (!cases_count(ok)) {
            printf("# seed %llu, %d pieces%s: %zu jumps\n%s%s\n", (unsigned long long)seed, found,
                   warned ? ", W0440" : "", m.t ? m.t->jumps.count : 0, said ? said : "", text);
        }
        lia_free(said);
        motion_clear(&m);
    }
    printf("# %d in one piece, %d in two, %d not judged\n", pieces[1], pieces[2], pieces[0]);
    return cases_end();
}
