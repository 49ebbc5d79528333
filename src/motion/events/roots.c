// Roots on an interval by Bernstein coefficients: where they have no change of sign there is no
// root, where they have one there is exactly one (Descartes), and else the interval is halved.
// SPDX-License-Identifier: MIT
#include "motion/events/roots.h"
#include "base/numeric/dense.h"
#include "base/numeric/thresholds.h"
#include "expr/ops/convolution.h"
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

enum { ROOM = LIA_ROOTS_DEGREE + 1 + 4 };  // sums are made four at a time, some beyond the end

// The next row of a triangle of sums, from place r to n.
static inline __attribute__((always_inline)) void add_neighbours(const double* above, double* row,
                                                                 int r, int n, double part) {
    const double* end = above + n;
    for (above += r, row += r; above <= end; above += 4, row += 4) {
        LiaFour here, before;  // copied: they may stand anywhere
        memcpy(&here, above, sizeof here);
        memcpy(&before, above - 1, sizeof before);
        here = part * (here + before);
        memcpy(row, &here, sizeof here);
    }
}

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

// Power basis on [0,1] -> Bernstein basis: b[j] = sum over i <= j of C(j,i) u[i], u[i] =
// a[i]/C(n,i). By the rows of Pascal's triangle: after r of them b[r] is done, and what follows
// needs b[r] and on.
static void to_bernstein(const double* a, int n, double* b) {
    double rows[2][ROOM] = {0}, *above = rows[0], *row = rows[1];
    double part = 1.0;  // 1/C(n,i)
    for (int i = 0; i <= n; i++) {
        above[i] = part * a[i];
        part *= (double)(i + 1) / (double)(n - i > 0 ? n - i : 1);
    }
    b[0] = above[0];
    for (int r = 1; r <= n; r++) {
        add_neighbours(above, row, r, n, 1.0);
        b[r] = row[r];
        double* done = above;
        above = row;
        row = done;
    }
}

// de Casteljau at the middle: left half stays in p, right half goes to q.
static void halve(Piece* p, Piece* q, int n) {
    double rows[2][ROOM] = {0}, *above = rows[0], *row = rows[1];
    memcpy(above, p->b, ((size_t)n + 1) * sizeof *above);
    q->b[n] = p->b[n];
    for (int r = 1; r <= n; r++) {
        add_neighbours(above, row, r, n, 0.5);
        p->b[r] = row[r];
        q->b[n - r] = row[n];
        double* done = above;
        above = row;
        row = done;
    }
    p->width *= 0.5;
    q->width = p->width;
    q->from = p->from + p->width;
}

static double horner(const double* a, int n, double x) {
    double sum = a[n];
    for (int k = n - 1; k >= 0; k--) sum = sum * x + a[k];
    return sum;
}

// The one root inside (lo, hi), by the signs just inside of the ends: bisection. For ends that are
// roots themselves, or whose values are rounding.
static double bisect(const double* a, int n, double lo, double hi, int sign_lo) {
    for (int pass = 0; pass < 200; pass++) {
        double x = 0.5 * (lo + hi);
        if (x <= lo || x >= hi) break;
        double f = horner(a, n, x);
        if (f == 0.0) return x;
        if ((f > 0.0) == (sign_lo > 0)) {
            lo = x;
        } else {
            hi = x;
        }
    }
    return 0.5 * (lo + hi);
}

// The one root inside (lo, hi), `sign_lo` just after lo and the other sign just before hi:
// bisection made fast by secants (Illinois). An end may be a root of its own: it is not the one
// looked for.
static double refine(const double* a, int n, double lo, double hi, int sign_lo) {
    double f_lo = horner(a, n, lo), f_hi = horner(a, n, hi);
    if (!(f_lo * sign_lo > 0.0) || !(f_hi * sign_lo < 0.0)) return bisect(a, n, lo, hi, sign_lo);
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
        if (hi - lo < LIA_ROOT_INTERVAL * hi) break;
    }
    return 0.5 * (lo + hi);
}

// The polynomial on [0, 1] in units of h, and the roots found in it, from left to right.
typedef struct Search {
    double a[LIA_ROOTS_DEGREE + 1];
    int n;        // its degree
    double size;  // its largest coefficient
    double h;
    double sum;    // of the sizes of its coefficients
    double floor;  // rounding of the formula itself, see LiaRootsKnown
    bool divided;  // by x: the beginning is a root
    bool series;   // terms beyond its degree are left out
    LiaRootFound* roots;
    int found, most;
} Search;

// False if it has no root, or nothing to look at.
static bool take_polynomial(Search* z, const double* c, int degree, bool at_root) {
    double power = 1.0, size = 0.0, sum = 0.0, *a = z->a;
    for (int k = 0; k <= degree; k++) {
        a[k] = c[k] == 0.0 ? 0.0 : c[k] * power;  // a power beyond the range of numbers is no root
        power *= z->h;
        size = lia_larger(size, fabs(a[k]));
        sum += fabs(a[k]);
    }
    for (int k = 0; !isfinite(sum) && k <= degree; k++) {
        if (!isfinite(a[k])) return false;
    }
    z->size = size, z->sum = sum;
    if (!(z->size > LIA_ROOTS_LEAST)) return false;
    z->n = degree;
    if (at_root || a[0] == 0.0) {  // divide by x: what is left out of the value is rounding
        z->divided = true;
        z->floor = lia_larger(z->floor, fabs(a[0]));
        memmove(a, a + 1, (size_t)z->n * sizeof *a);
        z->n--;
    }
    z->series = z->series && z->n > 0 && (a[z->n] != 0.0 || a[z->n - 1] != 0.0);
    while (z->n > 0 && a[z->n] == 0.0) z->n--;
    return z->n > 0;
}

// A root at x; `rise` is the sign after it by x / h, 0 where it only touches.
static void add_root(Search* z, double x, int rise) {
    z->roots[z->found++] = (LiaRootFound){x * z->h, z->h > 0.0 ? rise : -rise, x * z->h, x * z->h};
}

// What rounding may make of the polynomial at x: of the sum of its terms.
static double rounding_at(const Search* z, double x) {
    double sum = fabs(z->a[z->n]), floor = z->floor;
    for (int k = z->n - 1; k >= 0; k--) sum = sum * x + fabs(z->a[k]);
    if (z->divided && floor > 0.0) floor /= x;
    return LIA_ROOT_ROUNDING * sum + floor + LIA_ROOTS_LEAST;
}

// What the terms that it leaves out may add: as much as its last two.
static double left_out_at(const Search* z, double x) {
    if (!z->series) return 0.0;
    double last = fabs(z->a[z->n]), before = fabs(z->a[z->n - 1]);
    return (last * x + before) * lia_roots_power(x, z->n - 1);
}

// The sign at x, 0 where the value is rounding or `left_out`. Rounding is nowhere more than that of
// all terms at the end: beyond it the sizes at x need not be summed.
static int sign_beyond(const Search* z, double x, double left_out) {
    double f = horner(z->a, z->n, x), size = fabs(f);
    if (!z->divided && size > LIA_ROOT_ROUNDING * z->sum + z->floor + LIA_ROOTS_LEAST + left_out)
        return f > 0.0 ? 1 : -1;
    return size <= rounding_at(z, x) + left_out ? 0 : f > 0.0 ? 1 : -1;
}

// The sign at x, 0 where the value is rounding.
static int sign_at(const Search* z, double x) { return sign_beyond(z, x, 0.0); }

// The same, 0 where the terms that are left out might change it.
static int certain_sign(const Search* z, double x) { return sign_beyond(z, x, left_out_at(z, x)); }

static double least_size(const double* b, int n) {
    double least = INFINITY;
    for (int i = 0; i <= n; i++) least = fabs(b[i]) < least ? fabs(b[i]) : least;
    return least;
}

// Several roots closer than can be told apart, or a touching one: one root without direction,
// unless the values here are clearly away from zero.
static void add_cluster(Search* z, const Piece* p) {
    if (!(least_size(p->b, z->n) <= LIA_ROOT_CLUSTER * z->size)) return;
    int s0 = p->b[0] > 0.0 ? 1 : -1, s1 = p->b[z->n] > 0.0 ? 1 : -1;
    LiaRootFound* root = &z->roots[z->found];
    add_root(z, p->from + 0.5 * p->width, s0 == s1 ? 0 : s1);
    root->from = p->from * z->h, root->to = (p->from + p->width) * z->h;
}

// The polynomial has one sign on a piece. Where does it come within its rounding of zero, seen from
// the left, or from the right? -1: nowhere. `halvings`: how many may still be made.
static double comes_near(const Search* z, const Piece* piece, bool from_right, int* halvings) {
    double ends[2] = {piece->from, piece->from + piece->width}, most = 0.0;
    double doubt = rounding_at(z, ends[1]) + left_out_at(z, ends[1]);
    if (!(least_size(piece->b, z->n) <= doubt)) return -1.0;
    for (int i = 0; i <= z->n; i++) most = fmax(most, fabs(piece->b[i]));
    if (most <= doubt || --*halvings < 0) return piece->from + 0.5 * piece->width;
    if (piece->width < LIA_ROOT_WIDTH) {
        double end = ends[from_right], other = ends[!from_right];
        return !certain_sign(z, end) ? end : !certain_sign(z, other) ? other : -1.0;
    }
    Piece halves[2] = {*piece};
    halve(&halves[0], &halves[1], z->n);
    double x = comes_near(z, &halves[from_right], from_right, halvings);
    return x >= 0.0 ? x : comes_near(z, &halves[!from_right], from_right, halvings);
}

// A root that touches, from the first place at which the polynomial comes near to the last: between
// them rounding may lead it in and out of its doubt any number of times.
static void add_touching(Search* z, const Piece* p) {
    enum { HALVINGS = 200 };
    int left = HALVINGS, right = HALVINGS;
    double from = comes_near(z, p, false, &left), to = comes_near(z, p, true, &right);
    if (!(from > 0.0)) return;
    LiaRootFound* root = &z->roots[z->found];
    to = fmax(from, to);
    add_root(z, 0.5 * (from + to), 0);
    root->from = from * z->h, root->to = to * z->h;
}

// Is all of a piece rounding? After a root where the step begins the formula's own says nothing:
// there it is small.
static bool is_rounding(const Search* z, const Piece* p) {
    double end = p->from + p->width, doubt = rounding_at(z, end) + left_out_at(z, end);
    if (z->divided) doubt -= z->floor / end;
    for (int i = 0; i <= z->n; i++) {
        if (!(fabs(p->b[i]) <= doubt)) return false;
    }
    return true;
}

// Does the polynomial pass zero at x? Where all is rounding, changes of sign mean nothing.
static bool passes(const Search* z, double x) {
    double before = fmax(x - LIA_ROOT_BESIDE, 0.5 * x), after = fmin(x + LIA_ROOT_BESIDE, 1.0);
    return sign_at(z, before) * sign_at(z, after) < 0;
}

// The roots of a piece with one change of sign or none. False if it has more.
static bool finish_piece(Search* z, const Piece* p) {
    int changes = sign_changes(p->b, z->n), last = last_sign(p->b, z->n);
    bool ends_at_root = p->b[z->n] == 0.0 && p->from + p->width == 1.0;
    if (changes > 0 && is_rounding(z, p)) {
        add_cluster(z, p);
        return true;
    }
    if (changes > 1) return false;
    if (changes == 0 && !z->divided && !ends_at_root &&
        least_size(p->b, z->n) <= LIA_ROOT_ROUNDING * z->sum + z->floor + left_out_at(z, 1.0)) {
        add_touching(z, p);
    }
    if (changes == 1) {
        double x = refine(z->a, z->n, p->from, p->from + p->width, -last);
        if (p->width >= LIA_ROOT_WIDTH && !passes(z, x)) return false;
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

// The sign of the polynomial next to x, towards `end`, where it is more than rounding; 0 where
// there is no such place. *at: where.
static int sign_beside(const Search* z, double x, double end, double* at) {
    for (double away = LIA_ROOT_AWAY; away < 2.0; away *= 2.0) {
        *at = end > x ? fmin(x + away, end) : fmax(x - away, end);
        int sign = certain_sign(z, *at);
        if (sign || *at == end) return sign;
    }
    return 0;
}

// Is all between two roots rounding?
static bool blurred(const Search* z, double from, double to) {
    for (int k = 1; k <= 3; k++) {
        if (certain_sign(z, from + 0.25 * k * (to - from))) return false;
    }
    return true;
}

// Rounding blurs where a root of multiplicity m is; the derivative of order m - 1 has a simple root
// there. So it is the root of the highest derivative, of even order where the polynomial passes
// zero and of odd order where it touches, that passes zero in the blur.
static double sharpen(const Search* z, double x, double from, double to, bool passes) {
    Search d = *z;
    d.sum = INFINITY;  // that of a derivative is another
    for (int order = 1; order < z->n; order++) {
        for (int k = 1; k <= d.n; k++) d.a[k - 1] = k * d.a[k];
        d.n--;
        if ((order % 2 == 0) != passes) continue;
        int sign = certain_sign(&d, from);
        if (!sign || certain_sign(&d, to) != -sign) break;
        x = bisect(d.a, d.n, from, to, sign);
    }
    return x;
}

// Is the sign known at a distance from a root at which its place is as sharp as it has to be? What
// is left out may move it by more than rounding.
static bool is_sharp(const Search* z, double x) {
    double beside = LIA_ROOT_SHARP * x, apart = LIA_ROOT_KNOWN * x;
    return sign_at(z, x + beside) * sign_at(z, x - beside) < 0 &&
           (!z->series || certain_sign(z, x + apart) * certain_sign(z, x - apart) < 0);
}

// One root for those from `first` to `last`, which lie in one blur: whether the polynomial passes
// zero there is seen outside of it. So a triple root passes, and a double one touches. How many
// there are then: 1, 0 where one that touches is no root, or all where that is not seen.
static int join(Search* z, const LiaRootFound* first, const LiaRootFound* last, double limits[2],
                LiaRootFound* joined) {
    const double h = z->h, beside = LIA_ROOT_BESIDE;
    double x = (first->x + last->x) / (2.0 * h), low = x, high = x;
    bool touches = first == last && first->direction == 0;
    bool multiple = last > first || first->from != first->to || !certain_sign(z, x + beside) ||
                    !certain_sign(z, fmax(0.0, x - beside));
    *joined = *first;
    if (!multiple && !touches && is_sharp(z, x)) return 1;
    int from = sign_beside(z, first->from / h, limits[0], &low);
    int to = sign_beside(z, last->to / h, limits[1], &high);
    if (touches && !from) return 0;  // it begins in the blur
    if (!from || !to) {
        joined->from = fmin(low, x) * h, joined->to = fmax(high, x) * h;
        return (int)(last - first) + 1;
    }
    int rise = from == to ? 0 : to;
    if (touches) low = fmax(0.0, fmin(low, x - beside)), high = fmax(high, x + beside);
    if (multiple) x = sharpen(z, x, low, high, rise != 0);
    if (rise && is_sharp(z, x)) low = high = x;
    *joined = (LiaRootFound){x * h, h > 0.0 ? rise : -rise, low * h, high * h};
    return 1;
}

// Is the first term larger than all others together, with rounding and what is left out? Then no
// piece has a root: every Bernstein coefficient is nearer to the first term than that. The common
// case, without the coefficients.
static bool stays_away(const Search* z) {
    if (z->divided) return false;
    double first = fabs(z->a[0]), others = z->sum - first;
    return first - others > 2.0 * LIA_ROOT_ROUNDING * z->sum + z->floor + left_out_at(z, 1.0);
}

// A multiple root is an interval in which all is rounding, with any number of changes of sign in
// it. It is one root.
static void join_multiple(Search* z) {
    LiaRootFound* roots = z->roots;
    int kept = 0;
    for (int i = 0; i < z->found;) {
        int last = i;
        while (last + 1 < z->found && blurred(z, roots[last].x / z->h, roots[last + 1].x / z->h))
            last++;
        double before = kept > 0 ? 0.5 * (roots[kept - 1].x + roots[i].x) / z->h : 0.0;
        double after = last + 1 < z->found ? 0.5 * (roots[last].x + roots[last + 1].x) / z->h : 1.0;
        LiaRootFound joined;
        int count = join(z, &roots[i], &roots[last], (double[2]){before, after}, &joined);
        if (count == 1) roots[kept++] = joined;
        for (int k = 0; k < count && count > 1; k++, kept++) {
            roots[kept] = roots[i + k];
            roots[kept].from = joined.from, roots[kept].to = joined.to;
        }
        i = last + 1;
    }
    z->found = kept;
}

int lia_roots_search(const double* c, int degree, double h, const LiaRootsKnown* known,
                     LiaRootFound* roots, int most) {
    assert(degree >= 0 && most >= 0);
    Search z;  // its coefficients are set by take_polynomial()
    z.h = h, z.roots = roots, z.found = 0, z.most = most;
    z.floor = known->floor, z.series = known->series, z.divided = false;
    if (degree > LIA_ROOTS_DEGREE) degree = LIA_ROOTS_DEGREE;
    if (!take_polynomial(&z, c, degree, known->at_root) || stays_away(&z)) return 0;
    find_roots(&z);
    join_multiple(&z);
    return z.found;
}

int lia_roots(const double* c, int degree, double h, int at_root, LiaRootFound* roots, int most) {
    return lia_roots_search(c, degree, h, &(LiaRootsKnown){.at_root = at_root != 0}, roots, most);
}

double lia_roots_doubt(const double* c, int degree, double x) {
    double sum = fabs(c[degree]), last = fabs(c[degree] * x) + fabs(c[degree - 1]);
    for (int k = degree - 1; k >= 0; k--) sum = sum * fabs(x) + fabs(c[k]);
    return LIA_ROOT_ROUNDING * sum +
           (last > 0.0 ? last * lia_roots_power(fabs(x), degree - 1) : 0.0);
}

bool lia_roots_dips(const double* c, int degree, double h, const LiaRootFound* roots, int k,
                    int count) {
    double end = k + 1 < count ? roots[k + 1].x : h, size = 0.0, power = 1.0, least = 0.0;
    for (int j = 0; j <= degree; j++, power *= h) size = fmax(size, fabs(c[j] * power));
    for (int part = 1; part <= 2; part++) {
        double x = roots[k].x + 0.5 * part * (end - roots[k].x), value = 0.0;
        for (int j = degree; j >= 0; j--) value = value * x + c[j];
        least = fmin(least, value);
    }
    return least >= -LIA_ROOT_DIP * size;
}
