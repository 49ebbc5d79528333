// A start moves nothing that need not move: driven positions are set, the coordinates that
// equations connect with one that does not hold go to the nearest admissible place in their own
// block of the metric, and all others stay to the bit.
// SPDX-License-Identifier: MIT
#include "../support/motion.h"
#include "../support/random.h"
#include "support/cases.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Motion begin(const char* text) {
    Motion m = motion_of(text, NULL);
    assert_non_null(m.t);
    return m;
}

static void near(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-12)) fail_msg("%.17g is not %.17g", value, expected);
}

// To the last bit.
static void is(const Motion* m, const char* name, double expected) {
    double value = motion_final(m, name);
    if (value != expected) fail_msg("%s is %.17g, not %.17g", name, value, expected);
}

static void says(const Motion* m, const char* words, bool wanted) {
    char* text = lia_output_summary(m->t, NULL);
    if ((strstr(text, words) != NULL) != wanted)
        fail_msg("'%s' %s in\n%s", words, wanted ? "is not" : "is", text);
    lia_free(text);
}

// --- what need not move -------------------------------------------------------------------------

static void a_pendulum_hangs_from_a_driven_cart(void) {
    Motion m = begin("model cart\nparameter l = 1, g = 9.81\ncoordinate x : line\n"
                     "coordinate th : circle\n"
                     "kinetic x'^2/2 + ((x' + l*th'*cos(th))^2 + (l*th'*sin(th))^2)/2\n"
                     "potential -g*l*cos(th)\noperator motor: x = 0.5\nrun t = 0..0\n");
    is(&m, "x", 0.5);
    is(&m, "th", 0.0);
    is(&m, "th'", 0.0);
    says(&m, "start:", false);
    motion_clear(&m);
}

// The velocities are the nearest ones to rest, as ever: without momentum where it can be so.
static void a_roller_racer_begins_where_it_is(void) {
    Motion m = begin(
        "model racer\nparameter a = 0.5, b = 0.3, m = 1, M = 0.3\ncoordinate x, y : line\n"
        "coordinate th, al : circle\n"
        "kinetic m*(x'^2 + y'^2)/2 + 0.05*th'^2 + M*((x' + a*sin(th)*th')^2\n"
        "  + (y' - a*cos(th)*th')^2)/2 + 0.01*(th' + al')^2 + 0.1*x'*al'\n"
        "constraint rear: cos(th)*y' - sin(th)*x' = 0\n"
        "constraint front: cos(th+al)*y' - sin(th+al)*x' - a*cos(al)*th' - b*(th' + al') = 0\n"
        "operator steer: al = 0.3 + 0.4*sin(2*t)\nrun t = 0..0\n");
    is(&m, "x", 0.0);
    is(&m, "y", 0.0);
    is(&m, "th", 0.0);
    is(&m, "al", 0.3);
    near(motion_final(&m, "al'"), 0.8);
    double along = motion_final(&m, "x'"), turn = motion_final(&m, "th'");
    near(-sin(0.3) * along - 0.5 * cos(0.3) * turn - 0.3 * (turn + 0.8), 0.0);
    motion_clear(&m);
}

// A load that only inertia couples to the bar stays. Of the two assemblies the nearer one is taken,
// in the block of the coupler and the rocker: th2^2 + th3^2/2 here.
static void a_driven_crank_moves_its_four_bar_alone(void) {
    const double a = 1.0, b = 3.0, c = 2.5, d = 3.2, crank = 0.6;
    Motion m = begin("model bar\nparameter a = 1, b = 3, c = 2.5, d = 3.2\n"
                     "coordinate th1, th2, th3 : circle\ncoordinate s : line\n"
                     "kinetic th1'^2/2 + th2'^2 + th3'^2/2 + 0.3*th1'*th2' + s'^2/2 + 0.2*s'*th1'\n"
                     "  + 0.4*s'*th3'\n"
                     "constraint across: a*cos(th1) + b*cos(th2) = d + c*cos(th3)\n"
                     "constraint up: a*sin(th1) + b*sin(th2) = c*sin(th3)\n"
                     "operator crank: th1 = 0.6 + t\nrun t = 0..0\n");
    is(&m, "th1", 0.6);
    is(&m, "s", 0.0);
    // from the end of the crank to the pivot of the rocker
    double x = d - a * cos(crank), y = -a * sin(crank), length = hypot(x, y), best = INFINITY;
    double nearest[2] = {0.0, 0.0},
           half = acos((b * b + length * length - c * c) / (2 * b * length));
    for (int side = -1; side <= 1; side += 2) {
        double th2 = atan2(y, x) + side * half;
        double th3 = atan2(b * sin(th2) - y, b * cos(th2) - x), far = th2 * th2 + th3 * th3 / 2.0;
        if (far < best) nearest[0] = th2, nearest[1] = th3, best = far;
    }
    near(motion_final(&m, "th2"), nearest[0]);
    near(motion_final(&m, "th3"), nearest[1]);
    motion_clear(&m);
}

static const char* const PLATE =
    "model plate\ncoordinate h, s : line\ncoordinate R : rotation\n"
    "body plate: mass 3, inertia 1, position [0, 0, h], attitude diag(1, 1, 1)\n"
    "body ball: mass 1, inertia [0.01, 0.02, 0.015], free\n"
    "body other: mass 1, inertia 1, free\n"
    "kinetic s'^2/2 + 0.3*s'*h' + 0.1*s'*ball.velocity.z + dot(omega(R), omega(R))\n"
    "gravity [0, 0, -9.81]\n%s"
    "operator lift: h = 0.5 + 0.1*sin(t)\nstart ball.position ~ [0.3, -0.2, %s]\nrun t = 0..0\n";

// In touch it is carried up, and goes nowhere else; free it stays where it is.
static void a_body_on_a_driven_plate_goes_up_with_it(void) {
    static const char* const still[] = {"ball.position.x",
                                        "ball.position.y",
                                        "ball.attitude.w",
                                        "ball.attitude.x",
                                        "ball.attitude.y",
                                        "ball.attitude.z",
                                        "s",
                                        "other.position.z",
                                        "R.w"};
    static const double where[] = {0.3, -0.2, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    static const char* const joints[] = {
        "", "joint on: touching(sphere(ball, 0.25), plane(plate))\n",
        "joint on: rolling(sphere(ball, 0.25), plane(plate))\n",
        "joint on: touching(ellipsoid(ball, [0.5, 0.5, 0.25]), plane(plate))\n"};
    for (int k = 0; k < 8; k++) {
        char text[900];
        const char* guess = k < 4 ? "0.25" : "0.75";  // in touch with the plate as it was; as it is
        snprintf(text, sizeof text, PLATE, joints[k % 4], guess);
        Motion m = begin(text);
        is(&m, "h", 0.5);
        for (int i = 0; i < 9; i++) is(&m, still[i], where[i]);
        double up = k == 0 ? 0.25 : 0.75;
        if (k % 4 == 0 || k > 4) is(&m, "ball.position.z", up);
        near(motion_final(&m, "ball.position.z"), up);
        motion_clear(&m);
    }
}

// --- what is driven -----------------------------------------------------------------------------

// A coordinate alone on the left is set from what it depends on, in whatever order the laws stand;
// else one that is left open.
static void driven_positions_are_set_first(void) {
    Motion m = begin("model m\ncoordinate a, b, c, d, e : line\n"
                     "kinetic (a' + b')^2 + (b' + c')^2 + (c' + d')^2 + (d' + e')^2 + e'^2\n"
                     "operator third: c = b + 0.25\noperator second: b = 2*a + 0.5\n"
                     "operator fourth: 2*d - e = 0.5\nstart e = 3\nrun t = 0..0\n");
    is(&m, "a", 0.0);
    is(&m, "b", 0.5);
    is(&m, "c", 0.75);
    is(&m, "d", 1.75);
    is(&m, "e", 3.0);
    says(&m, "start: b = 0.5, where 'second' puts it\n", true);
    says(&m, "start: d = 1.75, where 'fourth' puts it\n", true);
    says(&m, "nearest", false);
    motion_clear(&m);
    // Neither is alone: the nearest of both, in their block of the metric (1, 3), and c does not
    // count.
    m = begin("model m\ncoordinate a, b, c : line\nkinetic a'^2/2 + 3*b'^2/2 + 5*(c' - a')^2\n"
              "  - 5*a'^2\noperator servo: b - a = 0.5\nrun t = 0..0\n");
    near(motion_final(&m, "a"), -0.375);
    near(motion_final(&m, "b"), 0.125);
    is(&m, "c", 0.0);
    motion_clear(&m);
}

// Of the two solutions of an equation that is not of the first degree the nearest is taken.
static void the_square_of_a_driven_position(void) {
    Motion m = begin("model m\ncoordinate x : line\ncoordinate th : circle\n"
                     "kinetic x'^2 + x'*th'*cos(th) + th'^2\noperator m: x^2 + x = 0.75\n"
                     "start x ~ -0.9\nrun t = 0..0\n");
    near(motion_final(&m, "x"), -1.5);
    is(&m, "th", 0.0);
    motion_clear(&m);
}

static void a_rotation_is_driven(void) {
    static const char* const laws[] = {"R = rotx(0.5)*rotz(0.25)", "R*R = rotx(0.5)*rotz(0.25)*R",
                                       "R*rotz(-0.25) = rotx(0.5)", "rotx(-0.5)*R = rotz(0.25)"};
    const double c[2] = {cos(0.25), cos(0.125)}, s[2] = {sin(0.25), sin(0.125)};
    for (int k = 0; k < 4; k++) {
        char text[500];
        snprintf(text, sizeof text,
                 "model m\ncoordinate R, Q : rotation\ncoordinate x : line\n"
                 "kinetic dot(omega(R), omega(R)) + dot(omega(Q), omega(R)) +\n"
                 "  dot(omega(Q), omega(Q)) + x'^2 + x'*omega(R).x\n"
                 "operator aim: %s\nrun t = 0..0\n",
                 laws[k]);
        Motion m = begin(text);
        near(motion_final(&m, "R.w"), c[0] * c[1]);
        near(motion_final(&m, "R.x"), s[0] * c[1]);
        near(motion_final(&m, "R.y"), -s[0] * s[1]);
        near(motion_final(&m, "R.z"), c[0] * s[1]);
        is(&m, "x", 0.0);
        is(&m, "Q.w", 1.0);
        is(&m, "Q.x", 0.0);
        motion_clear(&m);
    }
}

// Laws that turn in a circle, contradict each other or have no value are left to the search, and to
// its messages.
static void laws_that_cannot_be_set(void) {
    Motion m = begin("model m\ncoordinate x, y, z : line\nkinetic x'^2 + y'^2 + z'^2 + x'*z'\n"
                     "operator a: x = y + 1\noperator b: y = 2*x - 4\nrun t = 0..0\n");
    near(motion_final(&m, "x"), 3.0);
    near(motion_final(&m, "y"), 2.0);
    is(&m, "z", 0.0);
    motion_clear(&m);
    m = motion_of("model m\ncoordinate x : line\nkinetic x'^2\noperator a: x = 0.5\n"
                  "operator b: x = 0.7\nrun t = 0..0\n",
                  &(MotionOptions){.quiet = 1});
    assert_null(m.t);
    char* said = lia_diags_text(m.diags);
    assert_non_null(strstr(said, "E0301"));
    lia_free(said);
    motion_clear(&m);
    m = motion_of("model m\ncoordinate x : line\nkinetic x'^2\noperator a: x = 0.5\n"
                  "start x = 0.4\nrun t = 0..0\n",
                  &(MotionOptions){.quiet = 1});
    assert_null(m.t);
    motion_clear(&m);
}

// Where all stays, th = 0, no velocity satisfies sin(th) y' = 1, and a force along sin(th) d(y) has
// no hold. So all positions move together, to the least of (x, th) M (x, th) with x = 1/2: there M
// (x - x0), with M at th, is along x alone.
static void all_move_where_no_motion_could_begin(void) {
    static const char* const asked[] = {"constraint k: sin(th)*y' = 1",
                                        "operator k: y' = 1 by sin(th)*d(y)"};
    for (int k = 0; k < 2; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "model m\ncoordinate x, y : line\ncoordinate th : circle\n"
                 "kinetic x'^2 + x'*th'*cos(th) + th'^2 + y'^2\noperator motor: x = 0.5\n%s\n"
                 "run t = 0..0\n",
                 asked[k]);
        Motion m = begin(text);
        double th = motion_final(&m, "th");
        is(&m, "x", 0.5);
        assert_true(th < -0.1);
        near(0.5 * cos(th) + 2.0 * th, 0.0);
        near(motion_final(&m, "y'"), k == 0 ? 1.0 / sin(th) : 1.0);
        says(&m, "start: th = ", true);
        motion_clear(&m);
    }
    // Nowhere is there such a velocity: that is said once.
    Motion m = motion_of("model m\ncoordinate x, y : line\nkinetic x'^2 + y'^2 + x'*y'/2\n"
                         "operator motor: x = 0.5\nconstraint k: y' = 1\nconstraint l: y' = 2\n"
                         "run t = 0..0\n",
                         &(MotionOptions){.quiet = 1});
    assert_null(m.t);
    char* said = lia_diags_text(m.diags);
    const char* first = strstr(said, "the start contradicts 'k'");
    assert_non_null(first);
    assert_null(strstr(first + 1, "the start contradicts 'k'"));
    lia_free(said);
    motion_clear(&m);
}

// --- large systems ------------------------------------------------------------------------------

// On a cart that an equation holds at 1/2: pendulums that stay, and pairs that an equation
// connects. Two by two they go to (1, 2)/25, which is nearest to 0 for a + 2 b = 1/5, whatever the
// cart does.
static void sets_do_not_know_of_each_other(void) {
    static const int sizes[] = {2, 6, 150};  // the last is sparse
    for (int k = 0; k < 3; k++) {
        char text[700];
        snprintf(text, sizeof text,
                 "model m\nparameter N = %d\ncoordinate x : line\n"
                 "coordinate th[i = 1..N], a[i = 1..N], b[i = 1..N] : circle\n"
                 "kinetic x'^2 + sum(i = 1..N, (x' + th[i]')^2 + (x' + a[i]')^2 + (x' + b[i]')^2)\n"
                 "constraint held: x = 0.5\n"
                 "constraint pair[i = 1..N]: a[i] + 2*b[i] = 0.2\nrun t = 0..0\n",
                 sizes[k]);
        Motion m = begin(text);
        near(motion_final(&m, "x"), 0.5);
        for (int i = 1; i <= sizes[k]; i++) {
            char name[16];
            snprintf(name, sizeof name, "th[%d]", i);
            is(&m, name, 0.0);
            snprintf(name, sizeof name, "a[%d]", i);
            near(motion_final(&m, name), 0.04);
            snprintf(name, sizeof name, "b[%d]", i);
            near(motion_final(&m, name), 0.08);
        }
        motion_clear(&m);
    }
}

// --- random systems -----------------------------------------------------------------------------

enum { N = 9, ROWS = 12 };

typedef struct Problem {
    int n, m;
    double M[N][N], A[ROWS][N], b[ROWS];  // linear equations A x = b
    double guess[N], law[N];
    bool given[N], driven[N];
    bool circle[N];  // x^2 + next^2 = r^2, which holds at the guess
    char text[6000];
    size_t length;
} Problem;

static void say(Problem* p, const char* format, ...) {
    va_list list;
    va_start(list, format);
    int count = vsnprintf(p->text + p->length, sizeof p->text - p->length, format, list);
    va_end(list);
    p->length += (size_t)count;
    assert_true(p->length < sizeof p->text);
}

static void say_kinetic(Problem* p, Random* r) {
    double L[N][N] = {{0.0}};
    for (int i = 0; i < p->n; i++) {
        for (int k = 0; k <= i; k++)
            L[i][k] = i == k ? random_between(r, 0.6, 1.5) : random_between(r, -0.6, 0.6);
    }
    say(p, "kinetic 0");
    for (int i = 0; i < p->n; i++) {
        for (int k = 0; k < p->n; k++) {
            p->M[i][k] = 0.0;
            for (int j = 0; j < p->n; j++) p->M[i][k] += L[i][j] * L[k][j];
            say(p, " + %.17g*x%d'*x%d'/2", p->M[i][k], i, k);
        }
    }
    say(p, "\n");
}

// Two or three coordinates; it holds at the guess, or does not. Numbers are quarters, so that it
// does to the bit.
static void say_equation(Problem* p, Random* r, bool holds) {
    double* A = p->A[p->m];
    int terms = random_whole(r, 2, 3);
    p->b[p->m] = holds ? 0.0 : 0.3;
    say(p, "constraint c%d: 0", p->m);
    for (int k = 0; k < p->n; k++) A[k] = 0.0;
    for (int k = 0; k < terms; k++) {
        int i = random_whole(r, 0, p->n - 1);
        if (A[i] == 0.0) A[i] = random_chance(r, 0.5) ? 1.0 : -2.0;
    }
    for (int i = 0; i < p->n; i++) {
        if (A[i] != 0.0) say(p, " + (%g)*x%d", A[i], i);
        p->b[p->m] += A[i] * p->guess[i];
    }
    say(p, " = %.17g\n", p->b[p->m++]);
}

static void make(Problem* p, Random* r) {
    memset(p, 0, sizeof *p);
    p->n = random_whole(r, 3, N);
    say(p, "model m\n");
    for (int i = 0; i < p->n; i++) {
        say(p, "coordinate x%d : %s\n", i, random_chance(r, 0.5) ? "line" : "circle");
        p->guess[i] = random_whole(r, -4, 4) / 4.0;
        p->law[i] = random_whole(r, -400, 400) / 100.0;
    }
    say_kinetic(p, r);
    for (int i = 0; i < p->n; i++) {
        p->driven[i] = i == 0 || random_chance(r, 0.2);
        if (p->driven[i]) say(p, "operator o%d: x%d = %.17g + t\n", i, i, p->law[i]);
    }
    for (int i = 0; i + 1 < p->n; i++) {
        if (!random_chance(r, 0.15) || p->driven[i] || p->driven[i + 1]) continue;
        p->circle[i] = p->guess[i] != 0.0 && p->guess[i + 1] != 0.0;
        if (p->circle[i])
            say(p, "constraint r%d: x%d^2 + x%d^2 = %.17g\n", i, i, i + 1,
                p->guess[i] * p->guess[i] + p->guess[i + 1] * p->guess[i + 1]);
    }
    for (int k = random_whole(r, 0, p->n / 2); k > 0; k--)
        say_equation(p, r, random_chance(r, 0.6));
    say(p, "start ");
    for (int i = 0; i < p->n; i++) {
        p->given[i] = !p->driven[i] && random_chance(r, 0.15);
        say(p, "%sx%d %c %.17g", i ? ", " : "", i, p->given[i] ? '=' : '~', p->guess[i]);
    }
    say(p, "\nrun t = 0..0\n");
}

static bool is_open(const Problem* p, int i) { return !p->given[i] && !p->driven[i]; }

// set[i]: the least number of a coordinate that equations connect with i. moves[]: one of its set's
// equations does not hold. curved[]: a circle is among them.
static void connect(const Problem* p, int* set, bool* moves, bool* curved) {
    for (int i = 0; i < p->n; i++) set[i] = i, moves[i] = curved[i] = false;
    for (int pass = 0; pass < p->n; pass++) {
        for (int i = 0; i < p->n; i++) {
            for (int k = 0; k < p->n; k++) {
                bool one = is_open(p, i) && is_open(p, k), tied = false;
                for (int c = 0; c < p->m; c++) tied |= p->A[c][i] != 0.0 && p->A[c][k] != 0.0;
                tied |= k == i + 1 && p->circle[i];
                if (one && tied) set[i] = set[k] = set[i] < set[k] ? set[i] : set[k];
            }
        }
    }
    for (int c = 0; c < p->m; c++) {
        double left = -p->b[c];
        for (int i = 0; i < p->n; i++)
            left += p->A[c][i] * (p->driven[i] ? p->law[i] : p->guess[i]);
        for (int i = 0; i < p->n; i++) moves[set[i]] |= p->A[c][i] != 0.0 && fabs(left) > 1e-9;
    }
    for (int i = 0; i + 1 < p->n; i++) {
        if (p->circle[i]) curved[set[i]] = curved[set[i + 1]] = true;
    }
}

// Where x is the nearest: M (x - guess), in the block of a set, is along the gradients of its
// equations. So what is left of it when their directions are taken off is nothing.
static double left_over(const Problem* p, const int* set, int of, const double* x) {
    double Q[ROWS + 1][N], size = 0.0;
    for (int c = 0; c <= p->m; c++) {
        double* q = Q[c];
        for (int i = 0; i < p->n; i++) {
            bool in = set[i] == of && is_open(p, i);
            q[i] = in && c < p->m ? p->A[c][i] : 0.0;
            for (int k = 0; in && c == p->m && k < p->n; k++)
                q[i] += set[k] == of && is_open(p, k) ? p->M[i][k] * (x[k] - p->guess[k]) : 0.0;
        }
        for (int pass = 0; pass < 2; pass++) {
            for (int d = 0; d < c; d++) {
                double along = 0.0;
                for (int i = 0; i < p->n; i++) along += Q[d][i] * q[i];
                for (int i = 0; i < p->n; i++) q[i] -= along * Q[d][i];
            }
        }
        size = 0.0;
        for (int i = 0; i < p->n; i++) size += q[i] * q[i];
        size = sqrt(size);
        for (int i = 0; i < p->n && c < p->m; i++) q[i] = size > 1e-9 ? q[i] / size : 0.0;
    }
    return size;
}

static void values_of(const Problem* p, const Motion* m, double* x) {
    for (int i = 0; i < p->n; i++) {
        char name[16];
        snprintf(name, sizeof name, "x%d", i);
        x[i] = motion_final(m, name);
    }
}

// How many coordinates stay, and how many sets were seen to be nearest.
static void judge(const Problem* p, const Motion* m, int* stay, int* nearest) {
    int set[N];
    bool moves[N], curved[N];
    double x[N];
    values_of(p, m, x);
    connect(p, set, moves, curved);
    for (int i = 0; i < p->n; i++) {
        bool stays = is_open(p, i) && !moves[set[i]];
        if (p->driven[i] && x[i] != p->law[i])
            fail_msg("x%d is not as driven\n%s", i, strstr(p->text, "operator"));
        if (stays && x[i] != p->guess[i])
            fail_msg("x%d moved to %.17g\n%s", i, x[i], strstr(p->text, "operator"));
        *stay += stays;
    }
    for (int i = 0; i < p->n; i++) {
        if (set[i] != i || !moves[i] || curved[i]) continue;
        double left = left_over(p, set, i, x);
        if (!(left < 1e-10))
            fail_msg("x%d and its set miss by %g\n%s", i, left, strstr(p->text, "operator"));
        ++*nearest;
    }
}

static void random_driven_systems(void) {
    static Problem p;
    int stay = 0, nearest = 0, started = 0;
    for (unsigned seed = 1; started < 200 && seed < 1000; seed++) {
        Random r = {0x9e3779b97f4a7c15u * seed + 7};
        make(&p, &r);
        Motion m = motion_of(p.text, &(MotionOptions){.quiet = 1});
        if (m.t)
            judge(&p, &m, &stay, &nearest);  // others: laws and equations contradict each other
        started += m.t != NULL;
        motion_clear(&m);
    }
    printf("%d systems: %d coordinates stay, %d sets are nearest\n", started, stay, nearest);
    assert_int_equal(started, 200);
    assert_true(stay > 200 && nearest > 50);
}

// --- what is said -------------------------------------------------------------------------------

static void few_values_are_said_and_many_are_counted(void) {
    for (int n = 6; n <= 7; n++) {
        char text[400];
        snprintf(text, sizeof text,
                 "model m\nparameter N = %d\ncoordinate x[i = 1..N] : line\n"
                 "kinetic sum(i = 1..N, x[i]'^2)\nconstraint c[i = 1..N]: x[i] = 0.5*i\n"
                 "run t = 0..0\n",
                 n);
        Motion m = begin(text);
        says(&m, "start: x[1] = 0.5, the nearest admissible value to 0", n == 6);
        says(&m, "start: x[6] = 3, the nearest admissible value to 0", n == 6);
        says(&m, "start: 7 values", n == 7);
        char* json = lia_output_json(m.t);
        assert_non_null(strstr(json, "\"start\": [\n"
                                     "  \"start: x[1] = 0.5, the nearest admissible value to 0\""));
        assert_true((strstr(json, "x[7] = 3.5, the nearest") != NULL) == (n == 7));
        lia_free(json);
        motion_clear(&m);
    }
}

// A position that an operator sees relative to others is put where that asks: it is said. What a
// law alone says is no surprise.
static void moved_positions_are_said(void) {
    Motion m = begin("model m\ncoordinate a, b, k : circle\ncoordinate s, x : line\n"
                     "kinetic a'^2 + b'^2 + k'^2 + s'^2 + x'^2\n"
                     "operator hip: b - a = 0.3*sin(t)\noperator knee: k = b - 0.1\n"
                     "operator drive: s = 0.5 + t\nstart a = 0.05\nrun t = 0..0\n");
    says(&m, "start: b = 0.05, where 'hip' puts it\n", true);
    says(&m, "start: k = -0.05, where 'knee' puts it\n", true);
    says(&m, "start: s =", false);
    says(&m, "start: x =", false);
    motion_clear(&m);
    // nor is a velocity, also where nothing is eliminated: something ends
    m = begin("model m\ncoordinate s, x, y : line\ncoordinate R : rotation\n"
              "kinetic s'^2 + x'^2 + y'^2 + dot(Omega(R), Omega(R))\noperator drive: s = sin(t)\n"
              "operator belt: x' = 2\noperator aim: R = rotz(t)\nconstraint c: y' = s' until e\n"
              "event e: t = 1\nrun t = 0..0\n");
    says(&m, "start: s'", false);
    says(&m, "start: x'", false);
    says(&m, "start: omega", false);
    says(&m, "start: y' = 1, the nearest admissible value to 0\n", true);
    motion_clear(&m);
    m = begin("model m\ncoordinate R : rotation\nbody c: mass 1, inertia 1, free\n"
              "kinetic dot(omega(R), omega(R))\noperator aim: R = rotz(t + 1)\n"
              "operator turn: c.attitude = R*rotz(0.5)\nrun t = 0..0\n");
    says(&m, "start: c.attitude is turned by 85.94", true);
    says(&m, "of space, where 'turn' puts it\n", true);
    says(&m, "start: R is", false);
    motion_clear(&m);
}

// 0.1 + 0.2 is not 0.3: x and y differ from their guesses by rounding, if at all.
static void rounding_is_no_choice(void) {
    Motion m = begin("model m\nparameter a = 0.1, b = 0.2, c = 0.3\ncoordinate x, y : line\n"
                     "kinetic x'^2 + y'^2 + 0.3*x'*y'\nconstraint e: x + sin(y) + a + b = c\n"
                     "constraint f: (x + 3)^2/7 + y = 9/7\nrun t = 0..0\n");
    says(&m, "start:", false);
    char* json = lia_output_json(m.t);
    assert_null(strstr(json, "\"start\""));
    lia_free(json);
    motion_clear(&m);
    m = motion_of_file("examples/bicycle/bicycle.lia", NULL);
    assert_non_null(m.t);
    says(&m, "start: pitch", false);
    motion_clear(&m);
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_pendulum_hangs_from_a_driven_cart),
        TEST(a_roller_racer_begins_where_it_is),
        TEST(a_driven_crank_moves_its_four_bar_alone),
        TEST(a_body_on_a_driven_plate_goes_up_with_it),
        TEST(driven_positions_are_set_first),
        TEST(the_square_of_a_driven_position),
        TEST(a_rotation_is_driven),
        TEST(laws_that_cannot_be_set),
        TEST(all_move_where_no_motion_could_begin),
        TEST(sets_do_not_know_of_each_other),
        TEST(random_driven_systems),
        TEST(few_values_are_said_and_many_are_counted),
        TEST(moved_positions_are_said),
        TEST(rounding_is_no_choice),
    };
    return TESTS_RUN(tests);
}
