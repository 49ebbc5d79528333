// Contacts of shapes, all kinds of them: what every pair of bodies in space keeps, normals, states
// to go on from, and what cannot be. (How they roll is in test_rolling.c.)
// SPDX-License-Identifier: MIT
#include "agree.h"
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define FLOOR   "plane(ground at [0, 0, 0] normal [0, 0, 1])"
#define GRAVITY "gravity [0, 0, -9.81]\n"

// --- all pairs

// Two free bodies of all pairs of shapes, by themselves in space: momentum, angular momentum and
// energy are kept, and force and couple of the joint balance the first body.
static const char* const solids[] = {"plane(%s at [0.1, 0, 0.2] normal [0, 0.1, 1])",
                                     "sphere(%s at [0.1, 0.05, 0], 0.5)",
                                     "ellipsoid(%s attitude rotx(0.3), [0.5, 0.6, 0.7])",
                                     "disk(%s axis [1, 0.2, 0], 0.5)",
                                     "cylinder(%s axis [0, 1, 0], 0.5)",
                                     "cone(%s at [0, -2, 0] axis [0, 1, 0], 0.4)",
                                     "point(%s, [0.1, 0.2, 0])",
                                     "surface(%s attitude rotz(0.2), f)",
                                     "support(%s, h)"};
static const char* const hollows[] = {"inside(sphere(%s, 2))",
                                      "inside(ellipsoid(%s, [2, 2.2, 2.4]))",
                                      "inside(cylinder(%s axis [0, 1, 0], 2))",
                                      "inside(cone(%s at [0, -6, 0] axis [0, 1, 0], 0.6))",
                                      "inside(surface(%s, F))",
                                      "inside(support(%s, H))"};
enum { SOLIDS = sizeof solids / sizeof *solids, HOLLOWS = sizeof hollows / sizeof *hollows };

// What has no contact, is no rolling, or has none in general position: two planes, points, disks, a
// plane in a hollow.
static bool is_pair(const char* a, const char* b, const char* kind) {
    bool sharp = (!strncmp(a, "point", 5) || !strncmp(a, "disk", 4)) &&
                 (!strncmp(b, "point", 5) || !strncmp(b, "disk", 4));
    bool hollow = !strncmp(b, "inside", 6), plane = !strncmp(a, "plane", 5);
    bool cylinder = !strncmp(a, "cylinder", 8), cone = !strncmp(a, "cone", 4);
    const char* other = hollow ? b + 7 : b;
    bool mixed =
        (cylinder && !strncmp(other, "cone", 4)) || (cone && !strncmp(other, "cylinder", 8));
    bool slides = mixed && strcmp(kind, "touching") != 0;
    return !sharp && !slides && !(plane && (hollow || !strncmp(b, "plane", 5)));
}

static void keeps_what_a_pair_keeps(const char* kind, const char* a, const char* b) {
    static const char* const kept[] = {"p.x", "p.y", "p.z", "L.x", "L.y", "L.z", "energy"};
    static const char* const zero[] = {"BF.x", "BF.y", "BF.z", "BC.x", "BC.y", "BC.z"};
    char text[2000], one[100], two[100];
    snprintf(one, sizeof one, a, "a");
    snprintf(two, sizeof two, b, "b");
    bool hollow = !strncmp(b, "inside", 6);
    snprintf(text, sizeof text,
             "function f(x, y, z) = x^2 + 2*y^2 + 2*z^2 - 1\n"
             "function F(x, y, z) = x^2/4 + y^2/5 + z^2/6 - 1\n"
             "function h(x, y, z) = 0.5 + 0.05*(x^2 + 2*y^2)\n"
             "function H(x, y, z) = 2 + 0.05*(x^2 + 2*y^2)\n"
             "body a: mass 1, inertia [1, 1.1, 1.2], free\n"
             "body b: mass 2, inertia [1, 1.2, 1.1], free\n"
             "joint j: %s(%s, %s)\n"
             "observe p = linear_momentum(all), L = angular_momentum([1, 2, 3], all)\n"
             "let M = a.attitude*diag(1, 1.1, 1.2)*Omega(a.attitude)\n"
             "observe BF = a.position'' + reaction(j)\n"
             "observe BC = M' + moment(j) + cross(place(j) - a.position, reaction(j))\n"
             "start a.position ~ %s, a.attitude = roty(0.2), b.position = [0, 0, 0]\n"
             "start a.velocity ~ [0.3, 0.2, 0.1], b.velocity ~ [0.1, -0.2, 0.1]\n"
             "start a.omega ~ [0.5, 0.4, 0.3], b.omega ~ [-0.3, 0.2, 0.1]\n"
             "run t = 0..1, tolerance 1e-13, samples 6\n",
             kind, one, two, hollow ? "[0.1, 0.2, 0.7]" : "[0.1, 0.2, 1.5]");
    Motion m = motion_of(text, NULL);
    if (!m.t || m.status != LIA_OK) fail_msg("%s(%s, %s) does not run", kind, one, two);
    for (size_t row = 0; row < 6; row++) {
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
            double drift = motion_value(&m, row, kept[i]) - motion_value(&m, 0, kept[i]);
            if (!(fabs(drift) < 1e-12))
                fail_msg("%s(%s, %s): %s drifts by %g", kind, one, two, kept[i], drift);
        }
        for (size_t i = 0; i < sizeof zero / sizeof *zero; i++) {
            double x = motion_value(&m, row, zero[i]);
            if (!(fabs(x) < 1e-12)) fail_msg("%s(%s, %s): %s is %g", kind, one, two, zero[i], x);
        }
    }
    motion_clear(&m);
}

static void all_pairs_keep_momenta_and_balance(void) {
    static const char* const kinds[] = {"touching", "rolling"};
    int count = 0;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < SOLIDS; i++) {
            for (int l = 0; l < SOLIDS + HOLLOWS; l++) {
                const char* other = l < SOLIDS ? solids[l] : hollows[l - SOLIDS];
                if (!is_pair(solids[i], other, kinds[k])) continue;
                if (count++ % cases_every() > 0) continue;
                keeps_what_a_pair_keeps(kinds[k], solids[i], other);
            }
        }
    }
    assert_true(count > 200);
}

// --- places and normals

// What a run leaves can be gone on from, inner coordinates included.
static void a_contact_goes_on_from_a_state(void) {
    const char* text = "body egg: mass 1.3, inertia [0.1, 0.2, 0.25], free\n" GRAVITY
                       "joint roll: rolling(ellipsoid(egg, [0.5, 0.4, 0.3]), inside(sphere(ground, "
                       "1)))\n"
                       "start egg.position ~ [0.1, 0.2, -0.6], egg.attitude = rotx(0.4)\n"
                       "start omega(egg.attitude) = [0.4, 1.3, 2]\nrun t = 0..3\n";
    double end = 1.5, last = 3.0;
    Motion whole = run(text);
    Motion half = motion_of(text, &(MotionOptions){.run = {.until = &end}});
    assert_int_equal(half.status, LIA_OK);
    char* json = lia_output_json(half.t);
    LiaState* from = NULL;
    assert_int_equal(lia_state_parse("half", json, strlen(json), half.model, half.diags, &from),
                     LIA_OK);
    assert_int_equal(lia_diags_count(half.diags), 0);
    LiaTrajectory* rest = NULL;
    assert_int_equal(lia_motion_run(half.system, &(LiaRunOptions){.until = &last, .from = from},
                                    half.diags, &rest),
                     LIA_OK);
    Motion on = {.t = rest};
    const char* const names[] = {"egg.position.x", "egg.position.y", "egg.attitude.w", NULL};
    for (int i = 0; names[i]; i++)
        near(motion_final(&on, names[i]), motion_final(&whole, names[i]), 1e-10);
    lia_trajectory_destroy(rest);
    lia_state_destroy(from);
    lia_free(json);
    motion_clear(&half);
    motion_clear(&whole);
}

// Every function of the language, differentiated: the normal of z = g(x, y) against differences of
// g.
static void normals_are_gradients(void) {
    const char* const heights[] = {
        "sin(x*y)",      "cos(x - 2*y)",    "tan(x/2 + y)",        "asin(x*y)",
        "acos(x - y)",   "atan(x/y)",       "atan2(x, y + 1)",     "sinh(x)*cosh(y)",
        "tanh(x + y^2)", "exp(-x^2 - y)",   "log(1 + x^2 + y)",    "sqrt(x + 3*y)",
        "abs(x - y)",    "min(x, y^2)",     "max(x, 2*y)",         "hypot(x, 2*y)",
        "x^3/y - y^2.5", "(1 + x)^(y + 1)", "if(x < y, x^2, y*x)", "-x/(1 + y^2)",
        "wrap(x + y)",   "x*sign(y)",       "3 - (x - y)*(x + y)"};
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++) {
        char text[1200];
        snprintf(text, sizeof text,
                 "parameter h = 1e-5\nfunction g(x, y) = %s\nfunction f(x, y, z) = z - g(x, y)\n"
                 "coordinate r : space\nbody p: mass 1, position r\n"
                 "joint j: touching(point(p, 0), surface(ground, f))\n"
                 "observe nx = -normal(j).x/normal(j).z, ny = -normal(j).y/normal(j).z\n"
                 "observe dx = (g(r.x + h, r.y) - g(r.x - h, r.y))/(2*h)\n"
                 "observe dy = (g(r.x, r.y + h) - g(r.x, r.y - h))/(2*h)\n"
                 "start r.x = 0.3, r.y = 0.4\nrun t = 0..0\n",
                 heights[i]);
        Motion m = run(text);
        double x = motion_final(&m, "nx"), y = motion_final(&m, "ny");
        if (!(fabs(x - motion_final(&m, "dx")) < 1e-8 && fabs(y - motion_final(&m, "dy")) < 1e-8))
            fail_msg("the gradient of %s is not %.12g, %.12g", heights[i], x, y);
        motion_clear(&m);
    }
}

// --- what cannot be

static void says(const char* text, const char* words) {
    Motion m = motion_of(text, &(MotionOptions){.quiet = 1});
    char* found = m.t ? lia_output_reason(m.t) : lia_diags_text(m.diags);
    if (!found || !strstr(found, words)) fail_msg("'%s' not in: %s", words, found ? found : "");
    lia_free(found);
    motion_clear(&m);
}

static void shapes_that_do_not_touch_are_told(void) {
    says("body a: mass 1, inertia 1, free\n"
         "joint j: rolling(sphere(a, 1), " FLOOR ")\n"
         "start a.position = [0, 0, 1.2]\nrun t = 0..1\n",
         "E0305: the shapes of 'j' do not touch at the start: they are apart by 0.2");
    says("body a: mass 1, inertia 1, free\n"
         "joint j: touching(sphere(a, 1), " FLOOR ")\n"
         "start a.position = [0, 0, 0.7]\nrun t = 0..1\n",
         "E0305: the shapes of 'j' do not touch at the start: they overlap by 0.3");
}

// Far away, without a zero, without a value.
static void a_place_that_is_not_found_is_told(void) {
    says("body a: mass 1, inertia 1, free\nbody b: mass 1, inertia 1, free\n"
         "joint c: rolling(ellipsoid(a, [1, 2, 3]), ellipsoid(b, [3, 1, 0.2]))\n"
         "start a.position = [0, 0, 0], b.position = [10, 0, 0]\nrun t = 0..3\n",
         "E0305: the shapes of 'c' do not touch");
    const char* const functions[] = {"x^2 + y^2 + z^2 + 1", "sqrt(x - 5) - z"};
    for (int i = 0; i < 2; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "function f(x, y, z) = %s\nbody a: mass 1, inertia 1, free\n"
                 "joint j: touching(sphere(a, 1), surface(ground, f))\n"
                 "start a.position ~ [0, 0, 2]\nrun t = 0..1\n",
                 functions[i]);
        says(text, "E0306: where the shapes of 'j' touch was not found");
    }
}

static void a_disk_that_falls_flat_is_told(void) {
    says("body a: mass 1, inertia [1/4, 1/4, 1/2], free\n" GRAVITY
         "joint j: rolling(disk(a, 1), " FLOOR ")\n"
         "start a.attitude = rotx(1)\nrun t = 0..5\n",
         "the place where the shapes of 'j' touch is lost");
}

// Velocities of a contact depend on each other on admissible positions alone: those of the start
// are so to the last digit.
static void a_start_is_admissible_to_the_last_digit(void) {
    Motion m = run("function f(x, y, z) = x^4 + y^4 + 2*z^4 + 0.3*x^2 - 0.05\n"
                   "body a: mass 2, inertia [[0.2, 0.01, 0.02], [0.01, 0.25, -0.03], [0.02, -0.03, "
                   "0.3]], free\n"
                   "joint j: pure_rolling(surface(a, f), inside(sphere(ground, 2)))\n"
                   "gravity [0.3, 0.2, -5]\n"
                   "start a.position ~ [0.2, 0.1, -0.9], a.attitude ~ rotx(0.8)*roty(0.3), "
                   "a.velocity ~ [0.3, -0.2, 0], a.omega ~ [0.5, 1, -0.7]\n"
                   "observe slips = norm(slip(j)), e = energy\nrun t = 0..0.6\n");
    near(motion_final(&m, "e"), motion_value(&m, 0, "e"), 1e-12);
    near(motion_final(&m, "slips"), 0.0, 1e-12);
    motion_clear(&m);
}

int main(void) {
    const TestCase tests[] = {
        TEST(all_pairs_keep_momenta_and_balance),
        TEST(a_contact_goes_on_from_a_state),
        TEST(normals_are_gradients),
        TEST(shapes_that_do_not_touch_are_told),
        TEST(a_place_that_is_not_found_is_told),
        TEST(a_disk_that_falls_flat_is_told),
        TEST(a_start_is_admissible_to_the_last_digit),
    };
    return TESTS_RUN(tests);
}
