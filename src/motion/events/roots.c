// Roots on an interval by Bernstein coefficients: where they have no change of sign there is no root,
// where they have one there is exactly one (Descartes), and else the interval is halved.
// SPDX-License-Identifier: MIT
#include "motion/events/roots.h"
#include "base/numeric/thresholds.h"
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct Piece {
    double from, width;  // in units of h
    bool root_at_from;   // its left end is itself a root, met when the interval was halved there
    int direction;       // of that root, by x / h
    double b[LIA_ROOTS_DEGREE + 1];
} Piece;

static int sign_changes(const double* b, int n) {
    int changes = 0, last = 0;
    for (int i = 0; i <= n; i++) {
        int s = b[i] > 0.0 ? 1 : b[i] < 0.0 ? -1 : 0;
        if (s && last && s != last) changes++;
        if (s) last = s;
    }
    return changes;
}

static int first_sign(const double* b, int n) {
    for (int i = 0; i <= n; i++) {
        if (b[i] != 0.0) return b[i] > 0.0 ? 1 : -1;
    }
    return 0;
}

static int last_sign(const double* b, int n) {
    for (int i = n; i >= 0; i--) {
        if (b[i] != 0.0) return b[i] > 0.0 ? 1 : -1;
    }
    return 0;
}

// Power basis on [0,1] -> Bernstein basis: b[j] = sum_{i<=j} C(j,i)/C(n,i) a[i].
static void to_bernstein(const double* a, int n, double* b) {
    for (int j = 0; j <= n; j++) {
        double sum = 0.0, ratio = 1.0;  // C(j,i)/C(n,i)
        for (int i = 0; i <= j; i++) {
            sum += ratio * a[i];
            ratio *= (double)(j - i) / (double)(n - i > 0 ? n - i : 1);
        }
        b[j] = sum;
    }
}

// de Casteljau at the middle: left half stays in p, right half goes to q.
static void halve(Piece* p, Piece* q, int n) {
    q->b[n] = p->b[n];
    for (int r = 1; r <= n; r++) {
        for (int i = n; i >= r; i--) p->b[i] = 0.5 * (p->b[i - 1] + p->b[i]);
        q->b[n - r] = p->b[n];
    }
    // the loop leaves the left half's coefficients in p->b[0..n]
    p->width *= 0.5;
    q->width = p->width;
    q->from = p->from + p->width;
}

static double horner(const double* a, int n, double x) {
    double sum = a[n];
    for (int k = n - 1; k >= 0; k--) sum = sum * x + a[k];
    return sum;
}

// The one root in [lo, hi], ends of opposite sign: bisection made fast by secants (Illinois).
static double refine(const double* a, int n, double lo, double hi) {
    double f_lo = horner(a, n, lo), f_hi = horner(a, n, hi);
    if (f_lo == 0.0) return lo;
    if (f_hi == 0.0) return hi;
    if ((f_lo > 0.0) == (f_hi > 0.0)) return fabs(f_lo) < fabs(f_hi) ? lo : hi;
    for (int pass = 0; pass < 200; pass++) {
        double x = pass % 3 == 2 ? 0.5 * (lo + hi) : hi - f_hi * (hi - lo) / (f_hi - f_lo);
        if (!(x > lo && x < hi)) x = 0.5 * (lo + hi);
        if (x <= lo || x >= hi) break;
        double f = horner(a, n, x);
        if (f == 0.0) return x;
        if ((f > 0.0) == (f_lo > 0.0)) {
            lo = x, f_lo = f;
            f_hi *= pass % 3 == 2 ? 1.0 : 0.5;
        } else {
            hi = x, f_hi = f;
            f_lo *= pass % 3 == 2 ? 1.0 : 0.5;
        }
        if (hi - lo < LIA_ROOT_INTERVAL * (1.0 + fabs(hi))) break;
    }
    return 0.5 * (lo + hi);
}

// The polynomial on [0, 1] in units of h, and the roots found in it, from left to right.
typedef struct Search {
    double a[LIA_ROOTS_DEGREE + 1];
    int n;        // its degree
    double size;  // its largest coefficient
    double h;
    LiaRootFound* roots;
    int found, most;
} Search;

// False if it has no root, or nothing to look at.
static bool take_polynomial(Search* z, const double* c, int degree, bool at_root) {
    double power = 1.0, *a = z->a;
    for (int k = 0; k <= degree; k++) {
        a[k] = c[k] == 0.0 ? 0.0 : c[k] * power;  // a power beyond the range of numbers is no root
        power *= z->h;
        if (!isfinite(a[k])) return false;
        z->size = fmax(z->size, fabs(a[k]));
    }
    if (z->size == 0.0) return false;
    z->n = degree;
    if (at_root || a[0] == 0.0) {  // divide by x
        memmove(a, a + 1, (size_t)z->n * sizeof *a);
        z->n--;
    }
    while (z->n > 0 && a[z->n] == 0.0) z->n--;
    return z->n > 0;
}

// A root at x; `rise` is the sign behind it by x / h, 0 where it only touches.
static void add_root(Search* z, double x, int rise) {
    z->roots[z->found++] = (LiaRootFound){x * z->h, z->h > 0.0 ? rise : -rise};
}

// Several roots closer than can be told apart, or a touching one: one root without direction, unless the values here are
// clearly away from zero.
static void add_cluster(Search* z, const Piece* p) {
    double least = INFINITY;
    for (int i = 0; i <= z->n; i++) least = fmin(least, fabs(p->b[i]));
    if (!(least <= LIA_ROOT_CLUSTER * z->size)) return;
    int s0 = p->b[0] > 0.0 ? 1 : -1, s1 = p->b[z->n] > 0.0 ? 1 : -1;
    add_root(z, p->from + 0.5 * p->width, s0 == s1 ? 0 : s1);
}

// The roots of a piece with one change of sign or none. False if it has more.
static bool finish_piece(Search* z, const Piece* p) {
    int changes = sign_changes(p->b, z->n), last = last_sign(p->b, z->n);
    bool ends_at_root = p->b[z->n] == 0.0 && p->from + p->width == 1.0;
    if (changes > 1) return false;
    if (changes == 1) {
        double x = refine(z->a, z->n, p->from, p->from + p->width);
        if (x > 0.0) add_root(z, x, last > 0 ? 1 : -1);
    }
    if (ends_at_root && z->found < z->most) add_root(z, 1.0, -last);
    return true;
}

static void find_roots(Search* z) {
    enum { DEPTH = 50 };
    Piece stack[DEPTH + 2];
    int top = 1;
    stack[0].from = 0.0;
    stack[0].width = 1.0;
    stack[0].root_at_from = false;
    to_bernstein(z->a, z->n, stack[0].b);
    while (top > 0 && z->found < z->most) {
        Piece* p = &stack[top - 1];
        if (p->root_at_from) {
            p->root_at_from = false;
            add_root(z, p->from, p->direction);
            continue;
        }
        if (finish_piece(z, p)) {
            top--;
            continue;
        }
        if (top > DEPTH || p->width < LIA_ROOT_WIDTH) {
            add_cluster(z, p);
            top--;
            continue;
        }
        // Left half is looked at first: put the right one below it.
        Piece right;
        halve(p, &right, z->n);
        right.root_at_from = right.b[0] == 0.0;
        int before = last_sign(p->b, z->n), after = first_sign(right.b, z->n);
        right.direction = before == after ? 0 : after;
        stack[top] = *p;
        *p = right;
        top++;
    }
}

// Two crossings closer than rounding can tell apart are one root that touches.
static void join_pairs(Search* z) {
    LiaRootFound* roots = z->roots;
    int kept = 0;
    for (int i = 0; i < z->found; i++) {
        bool pair = i + 1 < z->found && roots[i].direction &&
                    roots[i].direction == -roots[i + 1].direction &&
                    fabs(roots[i + 1].x - roots[i].x) < LIA_ROOT_PAIR_APART * fabs(z->h) &&
                    fabs(horner(z->a, z->n, (roots[i].x + roots[i + 1].x) / (2.0 * z->h))) <
                        LIA_ROOT_PAIR_VALUE * z->size;
        roots[kept] = roots[i];
        if (pair) {
            roots[kept].x = 0.5 * (roots[i].x + roots[i + 1].x);
            roots[kept].direction = 0;
            i++;
        }
        kept++;
    }
    z->found = kept;
}

int lia_roots(const double* c, int degree, double h, int at_root, LiaRootFound* roots, int most) {
    assert(degree >= 0 && most >= 0);
    Search z = {.h = h, .roots = roots, .most = most};
    if (degree > LIA_ROOTS_DEGREE) degree = LIA_ROOTS_DEGREE;
    if (!take_polynomial(&z, c, degree, at_root != 0)) return 0;
    find_roots(&z);
    join_pairs(&z);
    return z.found;
}
