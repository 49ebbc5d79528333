// Positions that nobody gave, where an equation has no value at 0: the nearest admissible ones in
// the metric of the kinetic energy, against their closed form.
// SPDX-License-Identifier: MIT
#include "../support/motion.h"
#include "support/cases.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Motion begin(const char* kinetic, const char* constraint, const char* start) {
    char text[400];
    snprintf(text, sizeof text,
             "model m\ncoordinate x, y : line\nkinetic %s\nconstraint c: %s\n%s\nrun t = 0..0\n",
             kinetic, constraint, start);
    Motion motion = motion_of(text, NULL);
    assert_non_null(motion.t);
    return motion;
}

static void near(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-10)) fail_msg("%.17g is not %.17g", value, expected);
}

// a x^2 + 1/x^2 is least where a x^4 = 1.
static void a_hyperbola_is_met_at_its_vertex(void) {
    Motion m = begin("(x'^2 + y'^2)/2", "y = 1/x", "");
    near(fabs(motion_final(&m, "x")), 1.0);
    near(motion_final(&m, "y"), motion_final(&m, "x"));
    char* text = lia_output_summary(m.t, NULL);
    assert_non_null(strstr(text, "start: at the guess an equation has no value"));
    lia_free(text);
    motion_clear(&m);
    m = begin("(4*x'^2 + y'^2)/2", "y = 1/x", "");
    near(fabs(motion_final(&m, "x")), sqrt(0.5));
    near(motion_final(&m, "y"), 1.0 / motion_final(&m, "x"));
    motion_clear(&m);
    m = begin("(x'^2 + y'^2)/2", "y = 1/x", "start x ~ -0.1");  // a guess chooses the branch
    assert_true(motion_final(&m, "x") < 0.0);
    motion_clear(&m);
}

// Of the branches of 1/x + 1/y = 4 the nearest goes through (1/2, 1/2); x + log(x)/x = 0 on y =
// log(x).
static void other_poles_are_left_too(void) {
    Motion m = begin("(x'^2 + y'^2)/2", "1/x + 1/y = 4", "");
    near(motion_final(&m, "x"), 0.5);
    near(motion_final(&m, "y"), 0.5);
    motion_clear(&m);
    m = begin("(x'^2 + y'^2)/2", "y = log(x)", "");
    double x = motion_final(&m, "x");
    near(x + log(x) / x, 0.0);
    near(motion_final(&m, "y"), log(x));
    motion_clear(&m);
}

// Next to a pole an equation is missed as before, and only its slope has grown: that is no
// solution.
static void poles_are_no_solutions(void) {
    static const char* const equations[][2] = {
        {"2/x^3 + 2.2/y + 0.7*x", "3.4"},   {"0.8/x + 2/(x*y)", "4.8"},
        {"0.7/x + 1.1/y", "1.7"},           {"2*log(x) + 1.3/y", "2"},
        {"1.5/sqrt(x^2 + y^2) - 2/y", "1"}, {"exp(1/x)*0.7 + y", "2.5"}};
    for (size_t i = 0; i < sizeof equations / sizeof *equations; i++) {
        char text[200];
        snprintf(text, sizeof text, "%s = %s\nobserve left = %s", equations[i][0], equations[i][1],
                 equations[i][0]);
        Motion m = begin("(x'^2 + 2*y'^2)/2", text, "");
        assert_non_null(m.t);
        near(motion_final(&m, "left"), strtod(equations[i][1], NULL));
        motion_clear(&m);
    }
}

// At t = 0 the angle has no inertia but rounding: what is said of it must not hide the other
// equations.
static void an_inertia_next_to_none_hides_nothing(void) {
    Motion m = motion_of("coordinate z, b, y : line\ncoordinate a : circle\n"
                         "kinetic z'^2/2 + b'^2/2 + ((a*atan(b))')^2/2\n"
                         "operator o1: b = -0.3*sin(2*t)\noperator o2: y' = cos(t)\n"
                         "operator o3: a = 0.5*sin(2*t) + 0.25 + y + z*b\n"
                         "start z = 0.11, y = 0, z' = -0.44\nrun t = 0..1, samples 2\n",
                         NULL);
    assert_non_null(m.t);
    near(motion_value(&m, 0, "b'"), -0.6);
    near(motion_value(&m, 0, "y'"), 1.0);
    near(motion_value(&m, 0, "a"), 0.25);
    near(motion_value(&m, 0, "a'"), 1.0 + 1.0 - 0.11 * 0.6);
    motion_clear(&m);
}

// A platform on six telescopic legs of two bodies each; the guess lays the arms of all crosses
// along each other, where their equations have no slope. The legs stand where the platform on six
// plain distances has them.
static void a_platform_is_put_together_from_a_guess_without_slope(void) {
#define HEXAPOD                                                                                    \
    "let a[k = 1..6] = 2*pi*((k - 1) - if(k > 3, 3, 0))/3, s[k = 1..6] = if(k > 3, 1, -1)\n"       \
    "let B[k = 1..6] = [cos(a[k] + 0.2*s[k]), sin(a[k] + 0.2*s[k]), 0]\n"                          \
    "let P[k = 1..6] = [cos(a[k] + 0.9*s[k]), sin(a[k] + 0.9*s[k]), 0]/2\n"                        \
    "body plate: mass 5, inertia [0.3, 0.3, 0.5], free\n"
    Motion legs = motion_of(
        HEXAPOD
        "body low[k = 1..6]: mass 0.3, inertia [0.02, 0.02, 0.001], free\n"
        "body up[k = 1..6]: mass 0.3, inertia [0.02, 0.02, 0.001], free\n"
        "joint foot[k = 1..6]: universal(ground at B[k] axis [-sin(a[k]), cos(a[k]), 0],\n"
        "  low[k] at [0, 0, -0.4] axis [1, 0, 0])\n"
        "joint tube[k = 1..6]: prismatic(low[k] axis [0, 0, 1], up[k] axis [0, 0, 1])\n"
        "joint head[k = 1..6]: spherical(plate at P[k], up[k] at [0, 0, 0.4])\n"
        "operator motor[k = 1..6]: dot(axis(low[k], [0, 0, 1]), up[k].position -\n"
        "  low[k].position) = 0.6 + 0.05*sin(k)\n"
        "start plate.position ~ [0, 0, 1.2], low[k = 1..6].position ~ B[k]*0.7 + [0, 0, 0.4],\n"
        "  up[k = 1..6].position ~ B[k]*0.5 + [0, 0, 0.8],\n"
        "  low[k = 1..6].attitude ~ rotz(a[k] + pi/2), up[k = 1..6].attitude ~ rotz(a[k] + pi/2)\n"
        "run t = 0..0\n",
        NULL);
    Motion plain = motion_of(HEXAPOD "operator motor[k = 1..6]: norm(point(plate, P[k]) - B[k]) = "
                                     "1.4 + 0.05*sin(k)\n"
                                     "start plate.position ~ [0, 0, 1.2]\nrun t = 0..0\n",
                             NULL);
    assert_non_null(legs.t);
    assert_non_null(plain.t);
    static const char* const names[] = {"plate.position.x", "plate.position.y", "plate.position.z",
                                        "plate.attitude.w", "plate.attitude.x", "plate.attitude.z"};
    for (int i = 0; i < 6; i++) {
        near(motion_final(&legs, names[i]), motion_final(&plain, names[i]));
    }
    motion_clear(&legs);
    motion_clear(&plain);
}

// From wherever the guesses are, axes come to be along each other, half way from both.
static void axes_that_are_guessed_against_each_other_are_turned(void) {
    static const double guesses[] = {1.58, 1.7, 2.8, 3.1, -1.58, -2.0, -3.0};
    for (size_t i = 0; i < sizeof guesses / sizeof guesses[0]; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "coordinate a, b : circle\n"
                 "body A: mass 1, inertia [1, 1, 1], position [0, 0, 0], attitude rotx(a)\n"
                 "body B: mass 1, inertia [1, 1, 1], position [0, 0, 0], attitude rotx(b)\n"
                 "joint j: cylindrical(A axis [0, 0, 1], B axis [0, 0, 1])\n"
                 "start a ~ 0, b ~ %g\nrun t = 0..0\n",
                 guesses[i]);
        Motion m = motion_of(text, NULL);
        assert_non_null(m.t);
        near(motion_final(&m, "a"), guesses[i] / 2.0);
        near(motion_final(&m, "b"), guesses[i] / 2.0);
        motion_clear(&m);
    }
}

// The same in a chain of free bodies, too long for attitudes that are tried at random: half of it
// is guessed the wrong way around.
static void half_a_chain_is_turned_around(void) {
    Motion m = motion_of(
        "parameter N = 80, l = 0.1\nbody b[i = 1..N]: mass 1, inertia [1, 2, 3]*l^2, free\n"
        "joint top: revolute(ground axis [1, 0, 0], b[1] at [0, 0, l/2] axis [1, 0, 0])\n"
        "joint j[i = 2..N]: revolute(b[i-1] at [0, 0, -l/2] axis [1, 0, 0], b[i] at [0, 0, l/2] "
        "axis [1, 0, 0])\nstart b[i = 1..N].position ~ [0, 0, l/2 - i*l], "
        "b[i = 1..N].attitude ~ rotz(if(i > N/2, 3, 0))\n"
        "observe e = axis(b[N], [1, 0, 0])\nrun t = 0..0\n",
        NULL);
    assert_non_null(m.t);
    near(motion_final(&m, "e.x"), 1.0);
    motion_clear(&m);
}

// 80 crosses whose arms are guessed along each other: more equations than full arrays are good for.
static void a_chain_of_crosses_is_put_together_from_a_guess_without_slope(void) {
    Motion m = motion_of(
        "parameter N = 80, l = 0.1\nbody b[i = 1..N]: mass 1, inertia [1, 2, 3]*l^2, free\n"
        "joint top: universal(ground axis [1, 0, 0], b[1] at [0, 0, l/2] axis [1, 0, 0])\n"
        "joint j[i = 2..N]: universal(b[i-1] at [0, 0, -l/2] axis [0, 1, 0], b[i] at [0, 0, l/2] "
        "axis [0, 1, 0])\nstart b[i = 1..N].position ~ [0, 0, l/2 - i*l]\n"
        "observe c = dot(axis(b[N-1], [0, 1, 0]), axis(b[N], [0, 1, 0]))\n"
        "observe d = norm(point(b[N-1], [0, 0, -l/2]) - point(b[N], [0, 0, l/2]))\nrun t = 0..0\n",
        NULL);
    assert_non_null(m.t);
    assert_true(fabs(motion_final(&m, "c")) < 1e-12);
    assert_true(motion_final(&m, "d") < 1e-12);
    motion_clear(&m);
}

// Two rods of which only attitudes were guessed, as far from them as that is from the origin: the
// nearest start is found slowly, and is the same in metres and in kilometres. (A search over the
// three angles that are left, with the metric of each place in the place of that of the nearest,
// gives 2.8305 for the squares of the places.)
static void a_nearest_start_that_is_reached_slowly(void) {
    static const char* const units[] = {"1", "1000"};
    for (int k = 0; k < 2; k++) {
        char text[900];
        double s = k ? 1000.0 : 1.0, distance = 0.0;
        snprintf(text, sizeof text,
                 "parameter s = %s\nbody a: mass 1, inertia [0.1*s^2, 0.12*s^2, 0.2*s^2], free\n"
                 "body b: mass 2, inertia [0.1*s^2, 0.12*s^2, 0.2*s^2], free\n"
                 "joint j: universal(ground axis [1, 0, 0], a at [0, 0, s] axis [0, 1, 0])\n"
                 "joint k: revolute(a at [0, 0, -s] axis [0, 1, 0], b at [0.3*s, 0, s] axis [0, 1, "
                 "0])\n"
                 "start a.attitude ~ rotx(0.4)*roty(0.2), b.attitude ~ roty(0.8)\nrun t = 0..0\n",
                 units[k]);
        Motion m = motion_of(text, NULL);
        assert_int_equal(m.status, LIA_OK);
        const char* const places[] = {"a.position.x", "a.position.y", "a.position.z",
                                      "b.position.x", "b.position.y", "b.position.z"};
        for (int i = 0; i < 6; i++) {
            double x = motion_final(&m, places[i]) / s;
            distance += (i < 3 ? 1.0 : 2.0) * x * x;
        }
        if (!(fabs(distance - 2.83154536) < 1e-7)) fail_msg("%s: %.9g", units[k], distance);
        motion_clear(&m);
    }
}

// What was guessed of a spin is said where it came out otherwise, and not where it did not.
static void spins_are_told_beside_their_guesses(void) {
    Motion m = motion_of("coordinate R, Q : rotation\n"
                         "kinetic dot(Omega(R), Omega(R)) + dot(Omega(Q), Omega(Q))\n"
                         "operator aim: R*[0, 0, 1] = [sin(0.3*t), 0, cos(0.3*t)]\n"
                         "start omega(R) ~ [0, 0, 3], omega(Q) ~ [1, 2, 0]\nrun t = 0..0\n",
                         NULL);
    assert_int_equal(m.status, LIA_OK);
    char* text = lia_output_summary(m.t, NULL);
    assert_non_null(
        strstr(text, "start: omega(R) = [0, 0.3, 3], the nearest admissible to [0, 0, 3]\n"));
    assert_null(strstr(text, "omega(Q)"));
    lia_free(text);
    motion_clear(&m);
}

// A velocity is the nearest to 0 among those that go with what was given: the sentence says with
// what. A spin is one thing, and a momentum is given too: p(x) = x' + y'/2 with x' = 2 y' is 3 for
// x' = 2.4.
static void velocities_are_told_with_what_was_given(void) {
    static const char* const cases[][2] = {
        {"coordinate x : line\ncoordinate q : circle\nkinetic (x'^2 + q'^2)/2\n"
         "constraint c: x' + 0.5*q' = 0\nstart x' = 0.6\n",
         "start: q' = -1.2, the nearest admissible value to 0 with x' as given\n"},
        {"coordinate R : rotation\ncoordinate x : line\n"
         "kinetic dot(Omega(R), Omega(R)) + x'^2/2\nconstraint c: x' = omega(R).z\n"
         "start omega(R) = [1, 2, 3]\n",
         "start: x' = 3, the nearest admissible value to 0 with omega(R) as given\n"},
        {"coordinate x, y : line\nkinetic (x'^2 + y'^2 + x'*y')/2\nconstraint c: x' = 2*y'\n"
         "start p(x) = 3\n",
         "start: x' = 2.4, the nearest admissible value to 0 with p(x) as given\n"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char model[400];
        snprintf(model, sizeof model, "%srun t = 0..0\n", cases[k][0]);
        Motion m = motion_of(model, NULL);
        assert_int_equal(m.status, LIA_OK);
        LiaTextStyle wide = {.width = 120};
        char* text = lia_output_summary(m.t, &wide);
        assert_non_null(strstr(text, cases[k][1]));
        lia_free(text);
        motion_clear(&m);
    }
}

// A spin that an operator sets is no choice; one that it sets in part is.
static void a_spin_that_is_set_is_not_told(void) {
    for (int whole = 0; whole < 2; whole++) {
        char model[300];
        snprintf(model, sizeof model,
                 "coordinate R : rotation\nkinetic dot(Omega(R), Omega(R))\n"
                 "operator spin: omega(R)%s\nstart R = rotx(0.3)\nrun t = 0..0\n",
                 whole ? " = [0, 0, 1]" : ".z = 1");
        Motion m = motion_of(model, NULL);
        assert_int_equal(m.status, LIA_OK);
        char* text = lia_output_summary(m.t, NULL);
        assert_int_equal(strstr(text, "start: omega(R) = [0, 0, 1]") == NULL, whole);
        lia_free(text);
        motion_clear(&m);
    }
}

// An attitude that was not given is reported by the turn from its guess, not by four numbers; 0.3
// radians are 17.188734 degrees.
static void attitudes_are_told_by_their_turns(void) {
    static const struct {
        const char *guess, *said;
    } cases[] = {
        {"", "start: R is turned by 17.188734 degrees about [0, 1, 0] from the axes of"},
        {"start R ~ rotz(0.5)\n",
         "start: R is turned by 17.188734 degrees about [0, 1, 0] from its guess,"},
    };
    for (int k = 0; k < 2; k++) {
        char model[400];
        snprintf(model, sizeof model,
                 "coordinate R, S : rotation\n"
                 "kinetic dot(Omega(R), Omega(R)) + dot(Omega(S), Omega(S))\n"
                 "constraint aim: R*[0, 0, 1] = [sin(0.3), 0, cos(0.3)]\n%srun t = 0..0\n",
                 cases[k].guess);
        Motion m = motion_of(model, NULL);
        assert_int_equal(m.status, LIA_OK);
        char* text = lia_output_summary(m.t, NULL);
        if (!strstr(text, cases[k].said)) fail_msg("not said: %s\n%s", cases[k].said, text);
        assert_null(strstr(text, "start: R."));
        assert_null(strstr(text, "start: S"));
        lia_free(text);
        motion_clear(&m);
    }
}

// Axes that came to stand against each other are turned, and from there the way back to the guess
// leads off the equations unless it is gone in small steps. The same place is the nearest of those
// found from attitudes at random.
static void a_chain_comes_back_to_its_guess(void) {
    Motion m = motion_of(
        "body a: mass 2.747, inertia [0.388, 0.401, 0.31], free\n"
        "body b: mass 1.743, inertia [0.308, 0.308, 0], free\n"
        "body c: mass 2.205, inertia 0.216, free\n"
        "body d: mass 2.96, inertia [0.499, 0.355, 0.305], free\n"
        "joint j0: tip(ground at [-0.598, 0.041, -0.056], a at [0.34, 0.15, 0.374])\n"
        "joint j1: revolute(a at [0.208, -0.56, 0.522] axis [0, 0, 1], b at [0.489, 0.473, -0.064] "
        "axis [0, 0, 1])\n"
        "joint j2: cylindrical(b at [-0.482, 0.584, 0.281] axis [0, 1, 0], c at [-0.157, 0.037, "
        "-0.446] axis [1, 0, 0])\n"
        "joint j3: universal(c at [-0.376, 0.245, 0.525] axis [0, 1, 0], d at [-0.023, -0.463, "
        "-0.063] axis [0, 1, 0])\n"
        "let A = a.position - [-0.802, -0.36, 0.022], D = d.position - [-0.35, -0.62, 0.126]\n"
        "observe away = 2.747*dot(A, A) + 1.743*dot(b.position, b.position)\n"
        "    + 2.205*dot(c.position, c.position) + 2.96*dot(D, D)\n"
        "start a.position ~ [-0.802, -0.36, 0.022], a.attitude ~ rotx(-0.688)*rotz(-0.915)\n"
        "start b.attitude ~ rotx(-0.8)*rotz(-0.037), c.attitude ~ rotx(-0.685)*rotz(-0.565)\n"
        "start d.position ~ [-0.35, -0.62, 0.126]\nrun t = 0..0\n",
        NULL);
    near(motion_final(&m, "away"), 0.85871694269);
    motion_clear(&m);
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_hyperbola_is_met_at_its_vertex),
        TEST(other_poles_are_left_too),
        TEST(poles_are_no_solutions),
        TEST(a_platform_is_put_together_from_a_guess_without_slope),
        TEST(axes_that_are_guessed_against_each_other_are_turned),
        TEST(half_a_chain_is_turned_around),
        TEST(a_chain_of_crosses_is_put_together_from_a_guess_without_slope),
        TEST(an_inertia_next_to_none_hides_nothing),
        TEST(spins_are_told_beside_their_guesses),
        TEST(velocities_are_told_with_what_was_given),
        TEST(a_spin_that_is_set_is_not_told),
        TEST(attitudes_are_told_by_their_turns),
        TEST(a_nearest_start_that_is_reached_slowly),
        TEST(a_chain_comes_back_to_its_guess),
    };
    return TESTS_RUN(tests);
}
