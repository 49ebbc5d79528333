// Equations that depend on each other: the motion is that of the independent ones, the forces are
// shared, and what is unique of them is said.
//
// By law: motion/singular/singular_start.c: a start in a flat position goes on along its velocity
// SPDX-License-Identifier: MIT
#include "agree.h"
#include "support/cases.h"
#include "support/motion.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void says(const Motion* m, const char* words, bool yes) {
    char* json = lia_output_json(m->t);
    if ((strstr(json, words) != NULL) != yes)
        fail_msg("'%s' %sin %s", words, yes ? "not " : "", json);
    lia_free(json);
}

// Two operators ask the same of one coordinate: each has half of the force, and of the work,
// whichever way.
static void two_operators_share_one_task(void) {
    for (int way = 0; way < 2; way++) {
        MotionOptions o = {.no_eliminate = way};
        Motion m = motion_of("model twice\ncoordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"
                             "potential x*y\noperator a: x = sin(t)\noperator b: x = sin(t)\n"
                             "run t = 0..2\n",
                             &o);
        assert_int_equal(m.status, LIA_OK);
        // y'' = -sin t from rest: y = sin t - t, and x'' + y = -t
        near(motion_final(&m, "force(a)"), -1.0, 1e-13);
        near(motion_final(&m, "force(b)"), -1.0, 1e-13);
        double work = -(2.0 * sin(2.0) + cos(2.0) - 1.0);
        near(motion_final(&m, "work(a)"), work / 2.0, 1e-13);
        near(motion_final(&m, "work(b)"), work / 2.0, 1e-13);
        says(&m, "\"unique\": {\"a\": false, \"b\": false}", true);
        says(&m, "\"force(a) + force(b)\": ", true);
        says(&m,
             "\"not_unique\": [\"force(a)\", \"force(b)\", \"power(a)\", \"power(b)\", "
             "\"work(a)\", \"work(b)\"]",
             true);
        motion_clear(&m);
    }
}

// s1 and s2 are driven alike, x is tied to both: every force is one of many, those of the operators
// too.
static void a_drive_may_be_shared_through_others(void) {
    double force[2][4];
    for (int way = 0; way < 2; way++) {
        MotionOptions o = {.no_eliminate = way};
        Motion m = motion_of("model tied\ncoordinate x, s1, s2 : line\nkinetic 3*x'^2/2\n"
                             "operator a: s1 = sin(t)\noperator b: s2 = sin(t)\n"
                             "constraint c: x = s1\nconstraint d: x = s2\nrun t = 0..2\n",
                             &o);
        assert_int_equal(m.status, LIA_OK);
        const char* names[] = {"force(a)", "force(b)", "force(c)", "force(d)"};
        for (int k = 0; k < 4; k++) force[way][k] = motion_final(&m, names[k]);
        says(&m, "\"unique\": {\"a\": false, \"b\": false, \"c\": false, \"d\": false}", true);
        near(force[way][2] + force[way][3], -3.0 * sin(2.0), 1e-12);
        near(force[way][0], force[way][2], 1e-12);  // what s1 gets it hands on
        motion_clear(&m);
    }
    for (int k = 0; k < 4; k++) near(force[0][k], force[1][k], 1e-12);
}

static double integral(const Motion* m, const char* name, size_t rows, double length) {
    double sum = 0.0, h = length / (double)(rows - 1);
    for (size_t i = 0; i < rows; i++) {
        double weight = i == 0 || i + 1 == rows ? 1.0 : i % 2 ? 4.0 : 2.0;
        sum += weight * motion_value(m, i, name);
    }
    return sum * h / 3.0;
}

// A turning rail written twice, the second time with a factor that changes: shares change with it,
// and works are still the integrals of powers.
static void works_are_integrals_of_shared_powers(void) {
    const char* rail = "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential y\n"
                       "start x = 1, y = 0, x' = 0.1\n"
                       "run t = 0..3, samples 3001\n"
                       "constraint a: x*sin(t) = y*cos(t)\n";
    char text[600];
    snprintf(text, sizeof text,
             "model two\n%sconstraint b: (2 + sin(3*t))*(x*sin(t) - y*cos(t)) = 0\n", rail);
    Motion two = motion_of(text, NULL);
    snprintf(text, sizeof text, "model one\n%s", rail);
    Motion one = motion_of(text, NULL);
    assert_int_equal(two.status, LIA_OK);
    near(motion_final(&two, "x"), motion_final(&one, "x"), 1e-10);
    double a = motion_final(&two, "work(a)"), b = motion_final(&two, "work(b)");
    near(a, integral(&two, "power(a)", 3001, 3.0), 1e-10);
    near(b, integral(&two, "power(b)", 3001, 3.0), 1e-10);
    near(a + b, motion_final(&one, "work(a)"), 1e-10);
    double factor = 2.0 + sin(9.0);
    near(motion_final(&two, "force(b)"), factor * motion_final(&two, "force(a)"), 1e-10);
    near(motion_final(&two, "balance"), 0.0, 1e-13);
    motion_clear(&two);
    motion_clear(&one);
}

// Four legs at the corners of a square: the load, its two moments and nothing else is decided.
static void a_table_has_a_leg_too_many(void) {
    Motion m = motion_of("model table\nparameter m = 2, J = 0.3, g = 9.81, a = 0.5\n"
                         "coordinate z, u, w : line\nkinetic m/2*z'^2 + J/2*(u'^2 + w'^2)\n"
                         "potential m*g*(z + 0.1*u)\n"
                         "constraint leg1: z + a*u + a*w = 0\nconstraint leg2: z - a*u + a*w = 0\n"
                         "constraint leg3: z - a*u - a*w = 0\nconstraint leg4: z + a*u - a*w = 0\n"
                         "run t = 0..1\n",
                         NULL);
    assert_int_equal(m.status, LIA_OK);
    double f[5] = {0};
    for (int k = 1; k <= 4; k++) {
        char name[32];
        snprintf(name, sizeof name, "force(leg%d)", k);
        f[k] = motion_final(&m, name);
    }
    near(f[1] + f[2] + f[3] + f[4], 2 * 9.81, 1e-12);
    near(0.5 * (f[1] - f[2] - f[3] + f[4]), 2 * 9.81 * 0.1, 1e-12);
    near(f[1] - f[2] + f[3] - f[4], 0.0, 1e-12);  // least norm
    says(&m, "\"force(leg1) - force(leg4)\": ", false);
    says(&m, "\"force(leg1) + force(leg4)\": ", true);
    says(&m, "\"force(leg2) - force(leg4)\": ", true);
    says(&m, "\"force(leg3) + force(leg4)\": ", true);
    motion_clear(&m);
}

// What stands beside a redundant pair keeps its own force.
static void a_force_of_its_own_stays_unique(void) {
    Motion m = motion_of("model beside\ncoordinate x, y, z : line\n"
                         "kinetic (x'^2 + y'^2 + z'^2)/2\npotential 9.81*(x + y + z)\n"
                         "constraint a: x = 0\nconstraint b: 2*x = 0\nconstraint c: z = 0\n"
                         "run t = 0..1\n",
                         NULL);
    assert_int_equal(m.status, LIA_OK);
    says(&m, "\"unique\": {\"a\": false, \"b\": false, \"c\": true}", true);
    says(&m, "\"combinations\": {\"force(a) + 2*force(b)\": 9.81", true);
    near(motion_final(&m, "force(c)"), 9.81, 1e-13);
    motion_clear(&m);
}

// Four bars, the ground one of them, with weights g on the two that hang from it.
static const char bars[] =
    "model bars\nparameter l = 1, d = 2, g = 0\ncoordinate a, b, c : circle\n"
    "let P = [l*cos(a), l*sin(a)]\nlet Q = [d + l*cos(c), l*sin(c)]\n"
    "let G = P + d/2*[cos(b), sin(b)]\n"
    "kinetic (a'^2 + c'^2)/6 + b'^2/3 + dot(G', G')\n"
    "potential g*(sin(a) + sin(c))\n"
    "constraint loop: P + d*[cos(b), sin(b)] - Q = 0\n";

// A parallelogram turns at a constant rate; where it is flat the rank of its loop is 1 of 2, and it
// goes on.
static void a_four_bar_passes_its_flat_position(void) {
    char text[800];
    const char* again[] = {"", "constraint again: dot(P - Q, P - Q) = d^2\n"};
    for (int k = 0; k < 2; k++) {
        snprintf(text, sizeof text, "%s%sstart a = 1, b = 0, c = 1, a' = 1\nrun t = 0..30\n", bars,
                 again[k]);
        Motion m = motion_of(text, NULL);
        assert_int_equal(m.status, LIA_OK);
        near(motion_final(&m, "a"), 31.0, 1e-10);  // the tolerance, in each of nine passages
        near(motion_final(&m, "b"), 0.0, 1e-12);
        near(motion_final(&m, "c"), 31.0, 1e-10);
        says(&m, k ? "\"loop\": false" : "\"loop\": true", true);
        motion_clear(&m);
    }
}

// Exactly in it two motions go on, as a parallelogram and crossed, c' = a' and c' = -3a'. A
// velocity says which; where it belongs to neither, or at rest under a weight, the two are
// reported.
static void a_start_in_a_flat_position(void) {
    char text[1000];
    const double tolerances[] = {1e-9, 1e-12, 1e-15};
    for (int k = 0; k < 3; k++) {
        MotionOptions o = {.run.tolerance = tolerances[k]};
        snprintf(text, sizeof text, "%sstart a = 0, b = 0, c = 0, a' = 1, c' = 1\nrun t = 0..10\n",
                 bars);
        Motion m = motion_of(text, &o);
        assert_int_equal(m.status, LIA_OK);
        near(motion_final(&m, "a"), 10.0, fmax(50.0 * tolerances[k], 1e-10));
        near(motion_final(&m, "c"), 10.0, fmax(50.0 * tolerances[k], 1e-10));
        motion_clear(&m);
        // Crossed, driven: an isosceles trapezoid, tan(a/2) tan(-c/2) = (d + l)/(d - l) = 3, whose
        // coupler stays symmetric.
        snprintf(text, sizeof text,
                 "%soperator motor: a = t\nstart b = 0, c = 0, b' = -2, c' = -3\nrun t = 0..1\n",
                 bars);
        m = motion_of(text, &o);
        assert_int_equal(m.status, LIA_OK);
        near(tan(motion_final(&m, "c") / 2.0), -3.0 * tan(0.5), fmax(50.0 * tolerances[k], 2e-10));
        motion_clear(&m);
    }
    const char* starts[] = {"start a = 0, b = 0, c = 0, a' = 1, c' = 0.5\nrun t = 0..1\n",
                            "parameter h = 1\npotential h*sin(a)\nstart a = 0\nrun t = 0..1\n"};
    for (int k = 0; k < 2; k++) {
        snprintf(text, sizeof text, "%s%s", bars, starts[k]);
        Motion m = motion_of(text, NULL);
        assert_int_equal(m.status, LIA_FAILED);
        const char* words = lia_trajectory_reason(m.t);
        says(&m, "\"E0412\"", true);
        assert_non_null(
            strstr(words, "along a' = 1, b' = 0, c' = 1 or along a' = 1, b' = -2, c' = -3"));
        assert_non_null(
            strstr(words, k ? "nothing decides between them" : "belong to none of them"));
        motion_clear(&m);
    }
    snprintf(text, sizeof text, "%soperator motor: a = t\nrun t = 0..1\n", bars);
    Motion m = motion_of(text, NULL);
    assert_int_equal(m.status, LIA_FAILED);
    assert_non_null(
        strstr(lia_trajectory_reason(m.t), "with b' = -2, c' = -3 or with b' = 0, c' = 1"));
    motion_clear(&m);
    // At rest, pulled by nothing, it stays.
    snprintf(text, sizeof text, "%srun t = 0..1\n", bars);
    m = motion_of(text, NULL);
    assert_int_equal(m.status, LIA_OK);
    near(motion_final(&m, "a"), 0.0, 0.0);
    motion_clear(&m);
}

// Samples in a singular configuration, or so near to it that the equations tell less than the
// series: the state goes on evenly, a' = 1 and the energy 4/3; forces are given where they are
// determined, along the bars, and said not to be elsewhere.
static void samples_in_a_flat_position(void) {
    const int samples[] = {5, 4001, 40001};
    for (int k = 0; k < 3; k++) {
        MotionOptions o = {.run.samples = samples[k]};
        Motion m = motion_of("model bars\nparameter l = 1, d = 2\ncoordinate a, b, c : circle\n"
                             "let P = [l*cos(a), l*sin(a)]\nlet Q = [d + l*cos(c), l*sin(c)]\n"
                             "let G = P + d/2*[cos(b), sin(b)]\n"
                             "kinetic (a'^2 + c'^2)/6 + b'^2/3 + dot(G', G')\n"
                             "constraint loop: P + d*[cos(b), sin(b)] - Q = 0\n"
                             "start a = -1, b = 0, c = -1, a' = 1\nrun t = 0..2\n",
                             &o);
        assert_int_equal(m.status, LIA_OK);
        size_t rows = lia_trajectory_rows(m.t), none = 0;
        assert_int_equal(rows, samples[k]);
        for (size_t r = 0; r < rows; r++) {
            double t = motion_value(&m, r, "t"), F = motion_value(&m, r, "force(loop)[1]");
            near(motion_value(&m, r, "a"), t - 1.0, 1e-11);
            near(motion_value(&m, r, "a'"), 1.0, 2e-11);
            near(motion_value(&m, r, "c'"), 1.0, 2e-11);
            near(motion_value(&m, r, "energy"), 4.0 / 3.0, 1e-11);
            none += isnan(F);
            if (!isnan(F)) near(F, -cos(t - 1.0), 1e-5);
            if (fabs(t - 1.0) > 0.01) assert_false(isnan(F));
        }
        assert_true(isnan(motion_value(&m, rows / 2, "force(loop)[1]")));
        char words[120], *said = lia_diags_text(m.diags);
        snprintf(words, sizeof words,
                 none > 1 ? " and at %zu more samples the forces" : "at t = 1 the forces",
                 none - 1);
        assert_non_null(strstr(said, "warning W0413: at t = "));
        assert_non_null(strstr(said, words));
        free(said);
        motion_clear(&m);
    }
}

// With weights on it the parallelogram is a pendulum, b = 0 and c = a: at any tolerance, through
// twenty-two singular configurations. A passage costs no more than the tolerance, and of rounding
// what grows in a series that ends a tenth of the way after the
// position: 1.1^order, order 32 at most.
static void a_four_bar_with_weights_is_a_pendulum(void) {
    Motion twin = motion_of("model twin\ncoordinate a : circle\nkinetic 4/3*a'^2\n"
                            "potential 2*9.81*sin(a)\nstart a = pi/2, a' = -0.5\nrun t = 0..30\n",
                            &(MotionOptions){.run.tolerance = 1e-15});
    const double tolerances[] = {1e-8, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15};
    const double rounding = 22.0 * pow(1.1, 32.0) * DBL_EPSILON;  // 1e-13
    for (size_t k = 0; k < sizeof tolerances / sizeof *tolerances; k++) {
        MotionOptions o = {.run.tolerance = tolerances[k]};
        Motion m = motion_of("model bars\nparameter l = 1, d = 2\ncoordinate a, b, c : circle\n"
                             "let P = [l*cos(a), l*sin(a)]\nlet Q = [d + l*cos(c), l*sin(c)]\n"
                             "let G = P + d/2*[cos(b), sin(b)]\n"
                             "kinetic (a'^2 + c'^2)/6 + b'^2/3 + dot(G', G')\n"
                             "potential 9.81*(sin(a) + sin(c))\n"
                             "constraint loop: P + d*[cos(b), sin(b)] - Q = 0\n"
                             "start a = pi/2, b = 0, c = pi/2, a' = -0.5\nrun t = 0..30\n",
                             &o);
        assert_int_equal(m.status, LIA_OK);
        // the pendulum begins near its upright position: what is lost first grows a thousandfold
        double within = fmax(2e4 * tolerances[k], 1e3 * rounding);
        near(motion_final(&m, "a"), motion_final(&twin, "a"), within);
        near(motion_final(&m, "a'"), motion_final(&twin, "a'"), within);
        near(motion_final(&m, "b"), 0.0, within);
        near(motion_final(&m, "c"), motion_final(&twin, "a"), within);
        near(motion_final(&m, "balance"), 0.0, fmax(10.0 * tolerances[k], rounding));
        motion_clear(&m);
    }
    motion_clear(&twin);
}

// One weight alone pulls, so the bars carry it to the other crank: 2 a'' = -cos(a). Their forces
// have a pole where the motion has none, and must not hide from the step how long the series of the
// motion reach.
static void forces_without_bound_do_not_hide_the_motion(void) {
    const double tolerances[] = {1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15};
    for (int k = 0; k < 6; k++) {
        Motion m = motion_of(
            "model carried\ncoordinate a, b, c : circle\nkinetic a'^2/2 + b'^2 + c'^2/2\n"
            "potential sin(a)\n"
            "constraint loop: cos(a) + 2*cos(b) - cos(c) - 2 = 0, sin(a) + 2*sin(b) - sin(c) = 0\n"
            "start a = 1, b = 0, c = 1, a' = 2\nrun t = 0..10\n",
            &(MotionOptions){.run = {.tolerance = tolerances[k]}});
        assert_non_null(m.t);
        near(motion_final(&m, "balance"), 0.0, fmax(5.0 * tolerances[k], 1e-13));
        motion_clear(&m);
    }
}

// Lengths 1, 2, 2 over 3: flat once in a turn, of a crank that is driven by nothing. The linkage
// goes through it on its own branch: the rocker's angle at the end is that of the triangle, with
// the sign that continues.
static void a_linkage_at_its_change_point_keeps_its_branch(void) {
    const double tolerances[] = {1e-9, 1e-11, 1e-13, 1e-15};
    for (int k = 0; k < 4; k++) {
        MotionOptions o = {.run.tolerance = tolerances[k]};
        Motion m = motion_of("model change\ncoordinate a, b, c : circle\n"
                             "let P = [cos(a), sin(a)]\nlet Q = [3 + 2*cos(c), 2*sin(c)]\n"
                             "kinetic (a'^2 + c'^2 + b'^2)/2\n"
                             "constraint loop: P + 2*[cos(b), sin(b)] - Q = 0\n"
                             "start a = 1, b ~ 0.5, c ~ 2, a' = 1\nrun t = 0..20\n",
                             &o);
        assert_int_equal(m.status, LIA_OK);
        near(motion_final(&m, "balance"), 0.0, 10.0 * fmax(tolerances[k], 1e-14));
        // 1/2 |v|^2 is kept, and the ratios of the velocities follow from the angles alone
        double a = motion_final(&m, "a"), b = motion_final(&m, "b"), c = motion_final(&m, "c");
        near(cos(a) + 2.0 * cos(b) - 3.0 - 2.0 * cos(c), 0.0, 1e-13);
        near(sin(a) + 2.0 * sin(b) - 2.0 * sin(c), 0.0, 1e-13);
        near(a, 19.85918251494, fmax(1e3 * tolerances[k], 1e-11));
        motion_clear(&m);
    }
}

// A ball rolls in a vertical cylinder: sin(theta) f = 0 and cos(theta) f = 0 say the same, and as
// it goes round each in turn says nothing. The one that says more is taken, so nothing is lost on
// the way.
static void equations_that_fade_take_turns(void) {
    const double tolerances[] = {1e-10, 1e-12};
    for (int k = 0; k < 2; k++) {
        MotionOptions o = {.run.tolerance = tolerances[k]};
        Motion m = motion_of_file("examples/cylinder/cylinder.lia", &o);
        assert_int_equal(m.status, LIA_OK);
        double W = 3.0 * sqrt(2.0 / 7.0), A = 5.0 / 7.0 * 9.81 / (W * W), t = 10.0;
        near(motion_final(&m, "theta"), 30.0, 10.0 * tolerances[k]);
        near(motion_final(&m, "z"), -A * (1.0 - cos(W * t)), 10.0 * tolerances[k]);
        near(motion_final(&m, "z'"), -A * W * sin(W * t), 10.0 * tolerances[k]);
        motion_clear(&m);
    }
}

// Frames of free bodies with a hinge too many. What is unique is reported in forces of joints
// alone, not in those that keep the lengths of quaternions: together they bear the weight. Shown is
// the least of all these forces, by full matrices (one frame) and by sparse ones (many).
static void forces_of_attitudes_are_not_counted(void) {
    const char* frames =
        "parameter N = %d\nbody a[i = 1..N]: mass 1, inertia [1, 1.1, 1.2], free\n"
        "body b[i = 1..N]: mass 1, inertia [1, 1.1, 1.2], free\ngravity [0, 0, -9.81]\n"
        "joint j[i = 1..N]: fixed(ground, a[i] at [0.3, 0.1, 0])\n"
        "joint k[i = 1..N]: revolute(a[i] at [1, 0, 0] axis [0, 1, 0], b[i] axis [0, 1, 0])\n"
        "joint l[i = 1..N]: revolute(ground at [0.9, 0.1, -0.7] axis [0, 1, 0], b[i] at [0.2, 0.2, "
        "-0.7] axis [0, 1, 0])\n"
        "observe F = reaction(j[1]) + reaction(l[1]), square = dot(force(j[N]), force(j[N])) + "
        "dot(force(k[N]), force(k[N])) + dot(force(l[N]), force(l[N]))\nrun t = 0..0.01\n";
    for (int N = 1; N <= 20; N += 19) {
        char text[1200];
        snprintf(text, sizeof text, frames, N);
        Motion m = motion_of(text, NULL);
        assert_int_equal(m.status, LIA_OK);
        near(motion_final(&m, "F.z"), 19.62, 1e-12);
        near(motion_final(&m, "square"), 223.207654117924,
             1e-9);  // statics by hand: 12 equations for 16 numbers
        if (N == 1) says(&m, "force(j[1])[3] + force(l[1])[3]", true);
        says(&m, "|a[1].attitude|", false);
        motion_clear(&m);
    }
}

// A differential gear of free bodies: of the six equations of its teeth two are left over by the
// hinges, in directions that turn with the cage. Those of the equations in space axes that say it
// best take turns.
static void teeth_of_a_gear_that_turns(void) {
    Motion m = run("body cage: mass 1, inertia 0.1, free\n"
                   "body left: mass 0.2, inertia [0.02, 0.01, 0.01], free\n"
                   "body right: mass 0.2, inertia [0.02, 0.01, 0.01], free\n"
                   "body planet: mass 0.1, inertia 0.002, free\n"
                   "joint c: revolute(ground axis [1, 0, 0], cage axis [1, 0, 0])\n"
                   "joint l: revolute(cage at [-0.05, 0, 0] axis [1, 0, 0], left axis [1, 0, 0])\n"
                   "joint r: revolute(cage at [0.05, 0, 0] axis [1, 0, 0], right axis [1, 0, 0])\n"
                   "joint p: revolute(cage at [0, 0.05, 0] axis [0, 1, 0], planet axis [0, 1, 0])\n"
                   "let L = point(cage, [-0.05, 0.05, 0]), R = point(cage, [0.05, 0.05, 0])\n"
                   "constraint gl: velocity(left, L) = velocity(planet, L)\n"
                   "constraint gr: velocity(right, R) = velocity(planet, R)\n"
                   "moment engine: [1, 0, 0] on cage\nmoment brake: [-0.3, 0, 0] on left\n"
                   "start left.omega = [1, 0, 0], right.omega = [0, 0, 0]\n"
                   "run t = 0..5\n");
    // mean and half difference of the wheels: 0.14225 s' = 0.7, 0.042 d' = -0.3
    double s = 0.5 + 5.0 * 0.7 / 0.14225, d = 0.5 - 5.0 * 0.3 / 0.042;
    near(motion_final(&m, "left.attitude'.x"), s + d, 3e-11);
    near(motion_final(&m, "right.attitude'.x"), s - d, 3e-11);
    near(motion_final(&m, "cage.attitude'.x"), s, 3e-11);
    near(motion_final(&m, "energy"), 0.14225 / 2.0 * s * s + 0.042 / 2.0 * d * d, 1e-9);
    motion_clear(&m);
}

int main(void) {
    const TestCase tests[] = {
        TEST(two_operators_share_one_task),
        TEST(a_drive_may_be_shared_through_others),
        TEST(works_are_integrals_of_shared_powers),
        TEST(a_table_has_a_leg_too_many),
        TEST(a_force_of_its_own_stays_unique),
        TEST(a_four_bar_passes_its_flat_position),
        TEST(a_start_in_a_flat_position),
        TEST(samples_in_a_flat_position),
        TEST(forces_without_bound_do_not_hide_the_motion),
        TEST(a_four_bar_with_weights_is_a_pendulum),
        TEST(a_linkage_at_its_change_point_keeps_its_branch),
        TEST(equations_that_fade_take_turns),
        TEST(forces_of_attitudes_are_not_counted),
        TEST(teeth_of_a_gear_that_turns),
    };
    return TESTS_RUN(tests);
}
