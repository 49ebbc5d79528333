// Resistance against rolling and pivoting, with slip friction: random systems with one contact
// against a second way. There the equations are solved densely at every stage, DOP853 steps, events
// by bisection; at an event all modes are followed for a moment, and the one that keeps its
// conditions is taken.
//
//   test_turning               the seeds of `make test`
//   test_turning --seeds A..B  others
// SPDX-License-Identifier: MIT
#include "../second/dop853.h"
#include "../support/cases.h"
#include "../support/gauss.h"
#include "../support/motion.h"
#include "../support/random.h"
#include "motion/result/trajectory.h"
#include <stdarg.h>
#include <stdlib.h>

enum { MOST = 6, BLOCKS = 3, EVENTS = 8, ROWS = 2 * MOST, HALVINGS = 60 };
typedef enum Mode { STICK, PLUS, MINUS, SLIDE } Mode;

static const double STEP = 0.005, MOMENT = 2e-4, SLOW = 0.05, AGREES = 1e-8;

typedef struct Block {
    const char* word;
    int rows;  // 0: not there
    double s[2][MOST], belt[2];
    double kinetic, most;
} Block;

typedef struct System {
    int n;
    double M[MOST][MOST], wobble, weight[MOST], stiffness[MOST];
    double a[MOST], b[MOST], c;  // gap = c + a.q + b.q^2/2
    Block block[BLOCKS];
    double q[MOST], v[MOST], end;
    Mode mode[BLOCKS];
    double N, T[BLOCKS], accelerations[MOST];  // of the last evaluation
} System;

// --- the system ---------------------------------------------------------------------------------

static void make_block(Random* r, System* s, Block* k, const char* word, int rows) {
    *k = (Block){.word = word, .rows = rows};
    for (int d = 0; d < rows; d++) {
        for (int i = 0; i < s->n; i++) k->s[d][i] = random_signed(r, 0.1, 1.0);
        k->belt[d] = random_chance(r, 0.3) ? random_signed(r, 0.1, 0.8) : 0.0;
    }
    k->kinetic = random_between(r, 0.02, 0.2);
    k->most = k->kinetic;
    if (strcmp(word, "slip") == 0 && random_chance(r, 0.5)) k->most *= random_between(r, 1.05, 1.6);
}

static void make(uint64_t seed, System* s) {
    Random random = {seed * 77 + 5}, *r = &random;
    *s = (System){.n = random_whole(r, 3, MOST), .end = 3.0};
    int room = s->n - 1, rows[BLOCKS] = {random_whole(r, 0, 2), random_whole(r, 0, 2), 0};
    rows[2] = rows[1] == 0 || random_chance(r, 0.5);
    while (rows[0] + rows[1] + rows[2] > room) rows[random_whole(r, 0, 1)] = 1, room++;
    for (int i = 0; i < s->n; i++) {
        for (int j = 0; j < i; j++) s->M[i][j] = s->M[j][i] = random_between(r, -0.3, 0.3);
        s->M[i][i] = random_between(r, 1.2, 2.5);
        s->stiffness[i] = random_chance(r, 0.5) ? random_between(r, 0.2, 4.0) : 0.0;
        s->q[i] = random_between(r, -0.5, 0.5);
        s->v[i] = random_between(r, -1.0, 1.0);
        s->a[i] = random_signed(r, 0.2, 1.0);
        s->b[i] = random_chance(r, 0.5) ? random_between(r, -0.2, 0.2) : 0.0;
    }
    s->wobble = random_chance(r, 0.5) ? random_between(r, 0.1, 0.4) : 0.0;
    double rate = 0.0, strength = random_between(r, 4.0, 9.81);
    for (int i = 0; i < s->n; i++) {
        s->c -= s->a[i] * s->q[i] + s->b[i] * s->q[i] * s->q[i] / 2.0;
        if (i > 0) rate += (s->a[i] + s->b[i] * s->q[i]) * s->v[i];
        s->weight[i] = strength * s->a[i] + random_between(r, -1.0, 1.0);
    }
    s->v[0] = -rate / (s->a[0] + s->b[0] * s->q[0]);  // it begins closed
    static const char* const words[] = {"slip", "rolling", "pivoting"};
    for (int k = 0; k < BLOCKS; k++) make_block(r, s, &s->block[k], words[k], rows[k]);
}

// --- the equations ------------------------------------------------------------------------------

static double slip(const System* s, int k, int d, const double* v) {
    double sum = s->block[k].belt[d];
    for (int i = 0; i < s->n; i++) sum += s->block[k].s[d][i] * v[i];
    return sum;
}

static double speed(const System* s, int k, const double* v) {
    double x = s->block[k].rows > 0 ? slip(s, k, 0, v) : 0.0;
    return s->block[k].rows > 1 ? hypot(x, slip(s, k, 1, v)) : fabs(x);
}

// The column of N: the gap, and what slides.
static void push(const System* s, const double* v, double* out) {
    for (int k = 0; k < BLOCKS; k++) {
        const Block* of = &s->block[k];
        for (int d = 0; d < of->rows && s->mode[k] != STICK; d++) {
            double e = s->mode[k] == SLIDE  ? slip(s, k, d, v) / speed(s, k, v)
                       : s->mode[k] == PLUS ? 1.0
                                            : -1.0;
            for (int i = 0; i < s->n; i++) out[i] -= of->kinetic * e * of->s[d][i];
        }
    }
}

static int add_row(int n, int m, const double* along, const double* by, double A[ROWS][ROWS]) {
    for (int i = 0; i < n; i++) A[m][i] = along[i], A[i][m] = -by[i];
    return m + 1;
}

static bool accelerate(System* s, const double* q, const double* v) {
    double A[ROWS][ROWS] = {{0}}, b[ROWS] = {0}, g[MOST], by[MOST], curve = 0.0;
    int n = s->n, at[BLOCKS];
    for (int i = 0; i < n; i++) {
        memcpy(A[i], s->M[i], (size_t)n * sizeof(double));
        b[i] = -s->weight[i] - s->stiffness[i] * q[i];
        g[i] = by[i] = s->a[i] + s->b[i] * q[i];
        curve += s->b[i] * v[i] * v[i];
    }
    A[1][1] += s->wobble * sin(q[0]);
    b[0] += 0.5 * s->wobble * cos(q[0]) * v[1] * v[1];
    b[1] -= s->wobble * cos(q[0]) * v[0] * v[1];
    push(s, v, by);
    int m = add_row(n, n, g, by, A);
    b[n] = -curve;
    for (int k = 0; k < BLOCKS; k++) {
        at[k] = m;
        for (int d = 0; d < s->block[k].rows && s->mode[k] == STICK; d++)
            m = add_row(n, m, s->block[k].s[d], s->block[k].s[d], A);
    }
    if (!gauss_solve_in_place(m, ROWS, *A, b, 1e-12)) return false;
    memcpy(s->accelerations, b, (size_t)n * sizeof(double));
    s->N = b[n];
    for (int k = 0; k < BLOCKS; k++) {
        bool sticks = s->mode[k] == STICK && s->block[k].rows > 0;
        s->T[k] = !sticks                ? 0.0
                  : s->block[k].rows > 1 ? hypot(b[at[k]], b[at[k] + 1])
                                         : fabs(b[at[k]]);
    }
    return true;
}

static bool rate(void* context, double t, const double* y, double* dy) {
    System* s = context;
    (void)t;
    if (!accelerate(s, y, y + s->n)) return false;
    memcpy(dy, y + s->n, (size_t)s->n * sizeof *dy);
    memcpy(dy + s->n, s->accelerations, (size_t)s->n * sizeof *dy);
    return true;
}

// How far the mode of a block is from its end.
static double left(const System* s, int k, const double* v) {
    const Block* of = &s->block[k];
    if (of->rows == 0) return INFINITY;
    if (s->mode[k] == STICK) return of->most * s->N - s->T[k];
    if (s->mode[k] == SLIDE) return speed(s, k, v) - SLOW;
    return s->mode[k] == PLUS ? slip(s, k, 0, v) : -slip(s, k, 0, v);
}

// The least of all; *which: the block, -1: N.
static double worst(System* s, const double* y, int* which) {
    if (!accelerate(s, y, y + s->n)) return NAN;
    double least = s->N;
    *which = -1;
    for (int k = 0; k < BLOCKS; k++) {
        double x = left(s, k, y + s->n);
        if (x < least) least = x, *which = k;
    }
    return least;
}

static bool step(System* s, const double* y, double h, double* next) {
    Dop853 p = {.n = 2 * (size_t)s->n, .context = s, .rate = rate};
    double k[2 * MOST];
    return rate(s, 0.0, y, k) && dop853_step(&p, 0.0, y, k, h, next);
}

// --- modes --------------------------------------------------------------------------------------

static bool keeps(System* s, const double* y) {
    for (int part = 1; part <= 2; part++) {
        double next[2 * MOST];
        int which;
        if (!step(s, y, MOMENT * part / 2.0, next)) return false;
        if (!(worst(s, next, &which) > 0.0)) return false;
    }
    return true;
}

// All modes of blocks at rest; `loose`: that one has just come off. False: none, or several, or a
// slip of two components begins.
static bool decide(System* s, const double* y, int loose) {
    Mode best[BLOCKS] = {STICK, STICK, STICK};
    int counts[BLOCKS], all = 1, found = 0, stuck = -1;
    for (int k = 0; k < BLOCKS; k++) {
        bool rests = s->block[k].rows > 0 && speed(s, k, y + s->n) <= 1e-9;
        counts[k] = !rests ? 1 : s->block[k].rows > 1 ? 1 : 3;
        if (rests && s->block[k].rows > 1 && k == loose) return false;
        all *= counts[k];
    }
    for (int c = 0; c < all; c++) {
        int sticks = 0, rest = c;
        for (int k = 0; k < BLOCKS; k++) {
            int option = rest % counts[k];
            rest /= counts[k];
            double x = speed(s, k, y + s->n);
            s->mode[k] = counts[k] > 1                          ? (Mode)option
                         : s->block[k].rows == 0 || !(x > 1e-9) ? STICK
                         : s->block[k].rows > 1                 ? SLIDE
                         : slip(s, k, 0, y + s->n) > 0.0        ? PLUS
                                                                : MINUS;
            sticks += s->mode[k] == STICK;
        }
        if (loose >= 0 && s->mode[loose] == STICK) continue;
        if (!keeps(s, y) || sticks < stuck) continue;
        found = sticks > stuck ? 1 : found + 1;
        stuck = sticks;
        memcpy(best, s->mode, sizeof best);
    }
    memcpy(s->mode, best, sizeof best);
    return found == 1;
}

// To s->end, which is earlier where nothing more can be judged. The number of events; -1: it cannot
// be judged at all.
static int second_way(System* s, double* y) {
    double t = 0.0;
    int events = 0, which;
    if (!decide(s, y, -1)) return -1;
    while (t < s->end) {
        double h = fmin(STEP, s->end - t), next[2 * MOST];
        if (!step(s, y, h, next)) return -1;
        if (worst(s, next, &which) > -1e-11) {
            t += h;
            memcpy(y, next, sizeof next);
            continue;
        }
        double low = 0.0, high = h;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = 0.5 * (low + high);
            bool good = step(s, y, middle, next) && worst(s, next, &which) > 0.0;
            *(good ? &low : &high) = middle;
        }
        step(s, y, high, next);
        worst(s, next, &which);
        bool blind = which < 0 || s->mode[which] == SLIDE || events >= EVENTS;
        Mode before[BLOCKS];
        memcpy(before, s->mode, sizeof before);
        if (blind || !decide(s, next, before[which] == STICK ? which : -1)) {
            memcpy(s->mode, before, sizeof before);
            step(s, y, 0.5 * low, next);
            memcpy(y, next, sizeof next);
            s->end = t + 0.5 * low;
            return events;
        }
        memcpy(y, next, sizeof next);
        t += high;
        for (int k = 0; k < BLOCKS; k++) events += s->mode[k] != before[k];
    }
    return events;
}

// --- the program --------------------------------------------------------------------------------

typedef struct Text {
    char text[16384];
    size_t length;
} Text;

__attribute__((format(printf, 2, 3))) static void add(Text* out, const char* format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsnprintf(out->text + out->length, sizeof out->text - out->length, format, list);
    va_end(list);
    out->length += n > 0 ? (size_t)n : 0;
}

static void add_slip(Text* out, const System* s, int k, int d, double unit) {
    add(out, "(%.17g", s->block[k].belt[d] * unit);
    for (int i = 0; i < s->n; i++) add(out, " + (%.17g)*x%d'", s->block[k].s[d][i], i + 1);
    add(out, ")");
}

static void add_vector(Text* out, const System* s, int k, double unit) {
    add(out, s->block[k].rows > 1 ? "[" : "");
    for (int d = 0; d < s->block[k].rows; d++) {
        add(out, "%s", d > 0 ? ", " : "");
        add_slip(out, s, k, d, unit);
    }
    add(out, s->block[k].rows > 1 ? "]" : "");
}

// The model in lengths 1/unit times as long.
static void write(const System* s, double unit, Text* out) {
    *out = (Text){0};
    add(out, "model turning\ncoordinate ");
    for (int i = 0; i < s->n; i++) add(out, "%sx%d", i ? ", " : "", i + 1);
    add(out, " : line\nkinetic 0");
    for (int i = 0; i < s->n; i++) {
        for (int j = 0; j < s->n; j++)
            add(out, " + (%.17g)*x%d'*x%d'", s->M[i][j] / 2.0, i + 1, j + 1);
    }
    add(out, " + %.17g*sin(x1/%.17g)*x2'^2\npotential 0", s->wobble / 2.0, unit);
    for (int i = 0; i < s->n; i++)
        add(out, " + (%.17g)*x%d + %.17g*x%d^2", s->weight[i] * unit, i + 1, s->stiffness[i] / 2.0,
            i + 1);
    add(out, "\ncontact c: %.17g", s->c * unit);
    for (int i = 0; i < s->n; i++)
        add(out, " + (%.17g)*x%d + (%.17g)*x%d^2", s->a[i], i + 1, s->b[i] / 2.0 / unit, i + 1);
    add(out, " >= 0");
    for (int k = 0; k < BLOCKS; k++) {
        const Block* of = &s->block[k];
        if (of->rows == 0) continue;
        add(out, k == 0 ? " slip " : " %s %.17g about ", of->word, of->kinetic);
        add_vector(out, s, k, unit);
        if (k == 0) add(out, " friction %.17g static %.17g", of->kinetic, of->most);
    }
    add(out, "\nobserve ");
    int row = 2;
    for (int k = 0; k < BLOCKS; k++) {
        add(out, "%sp%d = 0", k > 0 ? ", " : "", k);
        for (int d = 0; d < s->block[k].rows; d++) {
            add(out, " + force(c)[%d]*", row++);
            add_slip(out, s, k, d, unit);
        }
    }
    add(out, "\nstart ");
    for (int i = 0; i < s->n; i++)
        add(out, "%sx%d = %.17g, x%d' = %.17g", i ? ", " : "", i + 1, s->q[i] * unit, i + 1,
            s->v[i] * unit);
    add(out, "\nrun t = 0..%.17g\n", s->end);
}

// The power of each friction relative to what moves, at all samples: never positive.
static bool takes_energy(const Motion* m, double unit) {
    for (size_t row = 0; row < m->t->rows.count; row++) {
        for (int k = 0; k < BLOCKS; k++) {
            char name[16];
            snprintf(name, sizeof name, "p%d", k);
            if (!(motion_value(m, row, name) <= 1e-11 * unit * unit)) return false;
        }
    }
    return true;
}

static void compare(const System* s, const double* y, int events, double unit, uint64_t seed) {
    static Text text;
    write(s, unit, &text);
    Motion m = motion_of(text.text, &(MotionOptions){0});
    bool ok = m.t && m.t->status == LIA_OK && m.t->ledger.balance < 1e-10;
    double off = 0.0;
    for (int i = 0; ok && i < 2 * s->n; i++) {
        char name[16];
        snprintf(name, sizeof name, "x%d%s", i % s->n + 1, i < s->n ? "" : "'");
        off = fmax(off, fabs(motion_final(&m, name) / unit - y[i]) / (1.0 + fabs(y[i])));
    }
    // more velocities than freedoms: some follow from others, and which of them sticks is a matter
    // of words
    bool shared = 1 + s->block[0].rows + s->block[1].rows + s->block[2].rows > s->n;
    ok = ok && off <= AGREES && (shared || (int)m.t->events.count == events);
    ok = ok && takes_energy(&m, unit);
    if (!cases_count(ok))
        printf("# seed %llu, unit %g: off by %.2g, events %d and %d, ledger %.2g\n%s",
               (unsigned long long)seed, unit, off, m.t ? (int)m.t->events.count : -1, events,
               m.t ? m.t->ledger.balance : NAN, text.text);
    motion_clear(&m);
}

int main(int count, char** arguments) {
    unsigned long long first = 1, last = 60;
    int judged = 0, met = 0;
    if (count == 3 && sscanf(arguments[2], "%llu..%llu", &first, &last) != 2) return 2;
    for (uint64_t seed = first; seed <= last; seed += (uint64_t)cases_every()) {
        System s;
        double y[2 * MOST] = {0};
        make(seed, &s);
        memcpy(y, s.q, (size_t)s.n * sizeof *y);
        memcpy(y + s.n, s.v, (size_t)s.n * sizeof *y);
        int events = second_way(&s, y);
        if (events < 0 || s.end < 0.02) continue;
        judged++;
        met += events;
        compare(&s, y, events, 1.0, seed);
        compare(&s, y, events, 1000.0, seed);
    }
    printf("# %d systems, %d events\n", judged, met);
    return cases_end();
}
