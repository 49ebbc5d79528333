// Laws that every motion must obey: energy, convergence, reversal, change of coordinates, and clean
// stops where the motion ends.
// SPDX-License-Identifier: MIT
#include "agree.h"
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double number_after(const Motion* m, const char* key) {
    char* json = lia_output_json(m->t);
    const char* at = strstr(json, key);
    double x = at ? strtod(at + strlen(key), NULL) : NAN;
    lia_free(json);
    return x;
}

static bool chose(const Motion* m, const char* words) {
    char* text = lia_output_summary(m->t, &(LiaTextStyle){.width = 200});
    bool found = strstr(text, words) != NULL;
    lia_free(text);
    return found;
}

// A gyroscope in gimbals, the outer ring driven, the rotor at 300 rad/s: how it nods is slow, and
// would allow steps in which the rotor turns by eight radians. The reference is the one equation of
// the nodding alone, to 20 digits.
static void a_fast_spin_does_not_cost_the_slow_motion_its_digits(void) {
    const double tolerances[] = {1e-10, 1e-12, 1e-14}, within[] = {1e-10, 1e-12, 1e-12};
    for (int i = 0; i < 3; i++) {
        MotionOptions o = {.run.tolerance = tolerances[i]};
        Motion m =
            motion_of("coordinate a, b, c : circle\n"
                      "body outer: inertia [0.003, 0.002, 0.002], mass 0.3, position [0, 0, 0], "
                      "attitude rotz(a)\n"
                      "body inner: inertia [0.001, 0.0015, 0.001], mass 0.2, position [0, 0, 0], "
                      "attitude rotz(a)*rotx(b)\n"
                      "body rotor: inertia [0.002, 0.002, 0.004], mass 1, position [0, 0, 0], "
                      "attitude rotz(a)*rotx(b)*rotz(c)\n"
                      "operator turn: a' = 2*sin(t)\nstart b = 1, b' = 0, c' = 300\nrun t = 0..3\n",
                      &o);
        assert_int_equal(m.status, LIA_OK);
        near(motion_final(&m, "b"), -0.49626519379563037, within[i]);
        near(motion_final(&m, "b'"), -8.0428372085462256, 10.0 * within[i]);
        motion_clear(&m);
    }
}

// chain of N links: the energy is kept to 1e-13 of (max T + range of U).
static void the_chain_keeps_its_energy(void) {
    double sizes[] = {2, 10, 40};
    for (int i = 0; i < 3; i++) {
        LiaDefine n = {"N", sizes[i]};
        MotionOptions o = {
            .defines = &n, .define_count = 1, .run = {.tolerance = 1e-14, .samples = 201}};
        Motion m = motion_of_file("examples/chain/chain.lia", &o);
        assert_non_null(m.t);
        double first = motion_value(&m, 0, "energy"), away = 0, kinetic = 0, low = INFINITY,
               high = -INFINITY;
        for (size_t r = 0; r < lia_trajectory_rows(m.t); r++) {
            away = fmax(away, fabs(motion_value(&m, r, "energy") - first));
            kinetic = fmax(kinetic, motion_value(&m, r, "kinetic"));
            low = fmin(low, motion_value(&m, r, "potential"));
            high = fmax(high, motion_value(&m, r, "potential"));
        }
        if (away > 1e-13 * (kinetic + high - low)) {
            fail_msg("N = %g: energy off by %.2e of %.3g", sizes[i], away, kinetic + high - low);
        }
        motion_clear(&m);
    }
}

static const char* const pendulum = "model pendulum\n"
                                    "parameter m = 1.3, l = 0.7, g = 9.81\n"
                                    "coordinate theta : circle\n"
                                    "kinetic m/2*l^2*theta'^2\n"
                                    "potential -m*g*l*cos(theta)\n"
                                    "start theta = 2, theta' = 0\n"
                                    "run t = 0..10\n";

// One series of order p over many steps: the error falls like h^p. With the order held and the
// tolerance lowered by 100, steps shrink by 100^(1/p) and so the error by about 100.
static void the_error_follows_the_tolerance(void) {
    MotionOptions fine = {.run = {.tolerance = 1e-16, .order = 24, .samples = 2}};
    Motion exact = motion_of(pendulum, &fine);
    double errors[3], tolerances[3] = {1e-4, 1e-6, 1e-8};
    for (int i = 0; i < 3; i++) {
        MotionOptions o = {.run = {.tolerance = tolerances[i], .order = 8, .samples = 2}};
        Motion m = motion_of(pendulum, &o);
        errors[i] = fabs(motion_final(&m, "theta") - motion_final(&exact, "theta"));
        motion_clear(&m);
    }
    motion_clear(&exact);
    for (int i = 0; i < 2; i++) {
        double slope = log(errors[i] / errors[i + 1]) / log(100.0);
        if (slope < 0.7 || slope > 1.6)
            fail_msg("slope %g (errors %g %g)", slope, errors[i], errors[i + 1]);
    }
}

// There and back again: a driven system with a nonholonomic constraint, whose operator repeats his
// motion in reverse, comes back to where it was.
static void a_motion_run_backwards_returns(void) {
    Motion there = motion_of_file("examples/skater/skater.lia", NULL);
    assert_non_null(there.t);
    char text[4096];
    snprintf(text, sizeof text,
             "model back\n"
             "parameter m = 60, I1 = 1.8, I2 = 1.2\n"
             "coordinate x, y : line\n"
             "coordinate theta, s : circle\n"
             "kinetic m/2*(x'^2 + y'^2) + I1/2*theta'^2 + I2/2*(theta' + s')^2\n"
             "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"
             "operator twist: s = 0.8*sin(2*t)\n"
             "start x = %.17g, y = %.17g, theta = %.17g, x' = %.17g, y' = %.17g, theta' = %.17g\n"
             "run t = 10..0\n",
             motion_final(&there, "x"), motion_final(&there, "y"), motion_final(&there, "theta"),
             motion_final(&there, "x'"), motion_final(&there, "y'"),
             motion_final(&there, "theta'"));
    Motion back = motion_of(text, NULL);
    assert_non_null(back.t);
    near(motion_final(&back, "x"), 0.0, 1e-11);
    near(motion_final(&back, "y"), 0.0, 1e-11);
    near(motion_final(&back, "theta"), 0.0, 1e-11);
    near(motion_final(&back, "x'"), 1.5, 1e-11);
    near(motion_final(&back, "theta'"), 0.2, 1e-11);
    near(motion_final(&back, "t"), 0.0, 0.0);
    near(motion_final(&back, "work(twist)"), -motion_final(&there, "work(twist)"), 1e-11);
    motion_clear(&there);
    motion_clear(&back);
}

// The same pendulum as an angle and as a point on a circle; the rod's force is the tension.
static void a_change_of_coordinates_changes_nothing(void) {
    Motion angle = motion_of(pendulum, NULL);
    Motion point = motion_of("model point\n"
                             "parameter m = 1.3, l = 0.7, g = 9.81\n"
                             "coordinate x, y : line\n"
                             "kinetic m/2*(x'^2 + y'^2)\n"
                             "potential m*g*y\n"
                             "constraint rod: (x^2 + y^2)/2 = l^2/2\n"
                             "start x = l*sin(2), y = -l*cos(2), x' = 0\n"
                             "run t = 0..10\n",
                             NULL);
    assert_non_null(angle.t);
    assert_non_null(point.t);
    for (size_t r = 0; r < lia_trajectory_rows(angle.t); r += 50) {
        double theta = motion_value(&angle, r, "theta"), rate = motion_value(&angle, r, "theta'");
        near(motion_value(&point, r, "x"), 0.7 * sin(theta), 1e-10);
        near(motion_value(&point, r, "y"), -0.7 * cos(theta), 1e-10);
        // m l theta'^2 + m g cos(theta) = -mu l
        double tension = 1.3 * 0.7 * rate * rate + 1.3 * 9.81 * cos(theta);
        near(motion_value(&point, r, "force(rod)"), -tension / 0.7, 1e-8);
    }
    assert_true(motion_final(&point, "residual(rod)") < 1e-15);
    motion_clear(&angle);
    motion_clear(&point);
}

static void a_slip_that_stops_ends_the_run_there(void) {
    double until = 3.0;
    MotionOptions o = {.run = {.until = &until}};
    Motion m = motion_of_file("examples/puck/puck.lia", &o);
    assert_non_null(m.t);
    assert_int_equal(m.status, LIA_FAILED);
    near(motion_final(&m, "t"), 2.0 / (0.3 * 9.81), 1e-12);
    near(motion_final(&m, "x"), 4.0 / (2 * 0.3 * 9.81), 1e-12);
    near(motion_final(&m, "force(floor)"), 9.81, 1e-9);
    assert_non_null(strstr(lia_trajectory_reason(m.t), "'floor'"));
    motion_clear(&m);
}

// Bouncing between kinks: abs in the potential is integrated exactly across its corner.
// x'' = -sign(x) from x = 1: parabola arcs, quarter period sqrt(2), so x(4 sqrt 2) = 1 again.
static void a_corner_in_the_potential_is_crossed_exactly(void) {
    double period = 4.0 * sqrt(2.0);
    MotionOptions o = {.run = {.until = &period}};
    Motion m = motion_of(
        "model corner\ncoordinate x : line\nkinetic x'^2/2\npotential abs(x)\nstart x = 1\n", &o);
    assert_non_null(m.t);
    near(motion_final(&m, "x"), 1.0, 1e-13);
    near(motion_final(&m, "x'"), 0.0, 1e-13);
    motion_clear(&m);
}

// |x|^3: the series from the corner has gaps (every third coefficient), and the corner is crossed
// often.
static void series_with_gaps_are_not_mistaken_for_short_ones(void) {
    Motion m = motion_of(
        "model cubic\ncoordinate x : line\nkinetic x'^2/2\npotential abs(x)^3/3\nstart x = 1\n"
        "run t = 0..70\n",
        NULL);
    assert_non_null(m.t);
    near(motion_final(&m, "energy"), 1.0 / 3.0, 1e-11);
    motion_clear(&m);
    m = motion_of("model lacunary\ncoordinate x : line\nkinetic x'^2/2\npotential x^3/3\nstart x' "
                  "= 1\nrun t = 0..2\n",
                  NULL);
    near(motion_final(&m, "energy"), 0.5, 1e-12);
    motion_clear(&m);
}

static void a_position_may_not_leap(void) {
    for (int way = 0; way < 2; way++) {
        MotionOptions o = {.no_eliminate = way};
        Motion m = motion_of("model leap\ncoordinate x, s : line\nkinetic (x'^2 + (x' + s')^2)/2\n"
                             "operator a: s = if(t < 1, 0, 1)\nrun t = 0..2\n",
                             &o);
        assert_int_equal(m.status, LIA_FAILED);
        near(motion_final(&m, "t"), 1.0, 1e-15);
        assert_non_null(strstr(lia_trajectory_reason(m.t), "leaps"));
        motion_clear(&m);
    }
}

// An operator acts on x1, a spring ties x1 to x2, x2 follows a law: x1 = f + m2 f''/k, and the
// force is m1 x1'' + k (x1 - x2).
static void a_servo_through_a_spring_is_of_higher_degree(void) {
    for (int way = 0; way < 2; way++) {
        MotionOptions o = {.no_eliminate = way};
        Motion m = motion_of(
            "model through\nparameter m1 = 1.5, m2 = 0.8, k = 10\ncoordinate x1, x2 : line\n"
            "kinetic m1/2*x1'^2 + m2/2*x2'^2\npotential k/2*(x1 - x2)^2\n"
            "operator follow: x2 = 0.1*sin(t) by d(x1)\nrun t = 0..10\n",
            &o);
        assert_int_equal(m.status, LIA_OK);
        double s = sin(10.0), x1 = 0.1 * (1 - 0.08) * s;
        near(motion_final(&m, "x2"), 0.1 * s, 1e-13);
        near(motion_final(&m, "x1"), x1, 1e-13);
        near(motion_final(&m, "force(follow)"), -1.5 * x1 + 10 * (x1 - 0.1 * s), 1e-11);
        assert_true(motion_final(&m, "regularity") < 1e-12);
        motion_clear(&m);
    }
    Motion never = motion_of("model never\ncoordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"
                             "operator follow: y = sin(t) by d(x)\nrun t = 0..1\n",
                             NULL);
    assert_int_equal(never.status, LIA_FAILED);
    assert_non_null(strstr(lia_trajectory_reason(never.t), "'follow'"));
    motion_clear(&never);
}

// Masses of 1e6 on a spring of 3: the force is found to the same digits, in as few steps.
static void a_servo_does_not_mind_the_scale(void) {
    Motion m =
        motion_of("model heavy\nparameter m1 = 1e6, m2 = 1e6, k = 3\ncoordinate x1, x2 : line\n"
                  "kinetic m1/2*x1'^2 + m2/2*x2'^2\npotential k/2*(x1 - x2)^2\n"
                  "operator follow: x2 = 0.1*sin(t) by d(x1)\nrun t = 0..10\n",
                  NULL);
    assert_int_equal(m.status, LIA_OK);
    double s = 0.1 * sin(10.0), x1 = s * (1.0 - 1e6 / 3.0);
    near(motion_final(&m, "x2"), s, 1e-12);
    near(motion_final(&m, "x1") / x1, 1.0, 1e-12);
    near(motion_final(&m, "force(follow)") / (-1e6 * x1 + 3.0 * (x1 - s)), 1.0, 1e-11);
    assert_true(number_after(&m, "\"steps\": ") < 50);
    motion_clear(&m);
}

// A polynomial of degree 9 from rest to rest: x1 = f + m2 f''/k, force m1 x1'' + k (x1 - x2).
static void a_servo_follows_a_polynomial(void) {
    Motion m =
        motion_of("model rest\nparameter m1 = 1.5, m2 = 0.8, k = 10\ncoordinate x1, x2 : line\n"
                  "let s = t/2\nlet f = s^5*(126 - 420*s + 540*s^2 - 315*s^3 + 70*s^4)\n"
                  "kinetic m1/2*x1'^2 + m2/2*x2'^2\npotential k/2*(x1 - x2)^2\n"
                  "operator follow: x2 = f by d(x1)\n"
                  "observe e2 = x2 - f\nobserve e1 = x1 - f - m2*f''/k\n"
                  "observe e3 = force(follow) - (m1*(f'' + m2*f''''/k) + m2*f'')\n"
                  "run t = 0..2, samples 201\n",
                  NULL);
    assert_int_equal(m.status, LIA_OK);
    for (size_t i = 0; i <= 200; i++) {
        near(motion_value(&m, i, "e2"), 0.0, 1e-12);
        near(motion_value(&m, i, "e1"), 0.0, 1e-11);
        near(motion_value(&m, i, "e3"), 0.0, 1e-10);
    }
    motion_clear(&m);
}

// Beside an operator of the common kind, s = sin(t), which is coupled to x2 by inertia: x1 = f + (2
// f'' + s'')/k, already at the start, whether s is eliminated or not.
static void a_servo_through_a_spring_beside_another_operator(void) {
    for (int way = 0; way < 2; way++) {
        Motion m =
            motion_of("model beside\nparameter k = 5\ncoordinate x1, x2, s : line\n"
                      "kinetic (x1'^2 + x2'^2)/2 + (s' + x2')^2/2\n"
                      "potential k/2*(x1 - x2)^2\nlet f = cos(t)/4\n"
                      "operator drive: s = sin(t)\noperator follow: x2 = f by d(x1)\n"
                      "observe e = x1 - (f + (2*f'' - sin(t))/k)\nrun t = 0..5, samples 51\n",
                      &(MotionOptions){.no_eliminate = way, .run = {.tolerance = 1e-14}});
        assert_int_equal(m.status, LIA_OK);
        for (size_t i = 0; i <= 50; i++) near(motion_value(&m, i, "e"), 0.0, 1e-12);
        near(motion_final(&m, "balance"), 0.0, 1e-13);
        motion_clear(&m);
    }
}

// x2 = sin(t)^2 touches the corner of |x2| at the start and goes to its upper side: x1 = x2 + (x2''
// + 1)/k from the start on.
static void a_servo_starts_at_a_corner(void) {
    Motion m =
        motion_of("model touch\nparameter k = 5\ncoordinate x1, x2 : line\n"
                  "kinetic (x1'^2 + x2'^2)/2\npotential k/2*(x1 - x2)^2 + abs(x2)\n"
                  "operator follow: x2 = sin(t)^2 by d(x1)\n"
                  "observe e = x1 - sin(t)^2 - (2*cos(2*t) + 1)/k\nrun t = 0..3, samples 31\n",
                  NULL);
    assert_int_equal(m.status, LIA_OK);
    for (size_t i = 0; i <= 30; i++) near(motion_value(&m, i, "e"), 0.0, 1e-12);
    assert_int_equal(chose(&m, "start: x1 = 0.6, the nearest"), 1);
    near(motion_final(&m, "balance"), 0.0, 1e-13);
    motion_clear(&m);
}

// The tip of a rod that stands on a cart is led by the force on the cart. With the tip at rest, a
// uniform rod of length l turns about it: l/6 theta'' = -g/2 sin(theta). The rod that stands up
// sways, the one that hangs down runs away.
static void what_a_servo_leaves_free_may_run_away(void) {
    const char* text = "model tip\nparameter M = 2, m = 1, l = 1, g = %s9.81\ncoordinate x : line\n"
                       "coordinate theta : circle\nlet G = [x + l/2*sin(theta), l/2*cos(theta)]\n"
                       "kinetic M/2*x'^2 + m/2*dot(G', G') + m*l^2/24*theta'^2\npotential m*g*G.y\n"
                       "operator lead: x + l*sin(theta) = 0 by d(x)\n"
                       "start theta = 0\nrun t = 0..0.1\n";
    for (int way = 0; way < 2; way++) {
        char model[800];
        snprintf(model, sizeof model, text, way ? "-" : "");
        Motion m = motion_of(model, NULL);
        assert_int_equal(m.status, LIA_OK);
        near(number_after(&m, "\"remaining\": {\"states\": "), 2.0, 0.0);
        near(number_after(&m, "\"rate\": "), way ? sqrt(3.0 * 9.81) : 0.0, 1e-6);
        assert_int_equal(chose(&m, "is unstable: a small deviation grows like exp(5.425 t)"), way);
        motion_clear(&m);
    }
    // Through a spring, with a damper on what is left free: s^2 + 3 s + 2 = 0.
    Motion m = motion_of("model calm\ncoordinate x1, x2, x3 : line\n"
                         "kinetic (x1'^2 + x2'^2 + x3'^2)/2\n"
                         "potential 10/2*(x1 - x2)^2 + 2/2*(x3 - x2)^2\ndissipation 3/2*x3'^2\n"
                         "operator follow: x2 = 0.1*sin(t) by d(x1)\nrun t = 0..1\n",
                         NULL);
    assert_int_equal(m.status, LIA_OK);
    near(number_after(&m, "\"hidden\": {\"follow\": "), 2.0, 0.0);
    near(number_after(&m, "\"rate\": "), -1.0, 1e-6);
    assert_false(chose(&m, "unstable"));
    motion_clear(&m);
}

// Along a law that moves, the linearised motion is only that of the moment, and says nothing:
// neither that of a swing on a moving pivot, nor that of a pendulum which swings through 2 rad and
// whose neighbours stay near it.
static void what_a_moving_servo_leaves_free_is_not_judged(void) {
    const char* text = "model swing\nparameter L = 1, g = %s9.81*L\ncoordinate x : line\n"
                       "coordinate a : circle\nlet P = [x + L*sin(a), -L*cos(a)]\n"
                       "kinetic x'^2/2 + dot(P', P')/2\npotential g*P.y\n"
                       "operator lead: x = 0.3*L*sin(t) by d(x) + 0.1*L*d(a)\n"
                       "start a = 0.1, a' = 0.5\nrun t = 0..2\n";
    for (int k = 0; k < 2; k++) {
        char model[600];
        snprintf(model, sizeof model, text, k ? "-" : "");
        Motion m = motion_of(model, NULL);
        assert_int_equal(m.status, LIA_OK);
        assert_false(chose(&m, "unstable"));
        char* json = lia_output_json(m.t);
        assert_true(json && strstr(json, "\"rate\": null"));
        lia_free(json);
        motion_clear(&m);
    }
    double end[2];
    for (int k = 0; k < 2; k++) {
        char model[400];
        snprintf(model, sizeof model,
                 "model swings\ncoordinate th, d : circle\nkinetic (th'^2 + d'^2)/2\n"
                 "potential -9.81*cos(th)\noperator follow: d - th = 0 by d(d)\n"
                 "start th = %s\nrun t = 0..60\n",
                 k ? "2.000001" : "2");
        Motion m = motion_of(model, NULL);
        assert_int_equal(m.status, LIA_OK);
        assert_false(chose(&m, "unstable"));
        end[k] = motion_final(&m, "th");
        motion_clear(&m);
    }
    near(end[1] - end[0], 0.0, 1e-5);  // exp(2.02*60) would be 4e52 times as much
}

// Where an inertia is negative there is no angle between what is asked and what can be done: the
// number is not known, and that is said.
static void a_coupling_number_without_meaning_is_not_known(void) {
    Motion m = motion_of("model seesaw\ncoordinate x, y, z : line\n"
                         "kinetic (x'^2 - y'^2 + z'^2)/2\nconstraint a: x + 0.5*z = 0\n"
                         "operator b: z = sin(t) by d(z) + 0.1*d(x)\nrun t = 0..1\n",
                         NULL);
    assert_int_equal(m.status, LIA_OK);
    near(motion_final(&m, "x"), -0.5 * sin(1.0), 1e-12);
    char *summary = lia_output_summary(m.t, NULL), *json = lia_output_json(m.t);
    assert_non_null(strstr(summary, "regularity not known"));
    assert_non_null(strstr(json, "\"regularity\": null"));
    lia_free(summary);
    lia_free(json);
    motion_clear(&m);
}

// The level of an equation written as a rate is data: it does not drift in 5000 steps.
static void the_level_of_a_rate_is_kept(void) {
    Motion m = motion_of(
        "model level\ncoordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\n"
        "constraint rod: (x^2 + y^2)' = 0\nobserve l2 = x^2 + y^2\nstart x = 0.6, y = -0.9\n"
        "run t = 0..1000, samples 11\n",
        NULL);
    assert_int_equal(m.status, LIA_OK);
    near(motion_final(&m, "l2"), 0.6 * 0.6 + 0.9 * 0.9, 1e-14);
    motion_clear(&m);
}

static void a_force_that_is_not_decided_is_said(void) {
    Motion m = motion_of(
        "model undecided\ncoordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\n"
        "constraint a: y = x^2\nconstraint b: y = x^2 force d(x)\nstart x = 0.6\nrun t = 0..1\n",
        NULL);
    assert_int_equal(m.status, LIA_FAILED);
    assert_non_null(strstr(lia_trajectory_reason(m.t), "'b'"));
    motion_clear(&m);
}

// s' jumps at t = 1 from 0 to 1: p stays, so x' jumps by -A [s'] with A = B/G.
static void a_jump_of_the_operator_keeps_the_momentum(void) {
    for (int way = 0; way < 2; way++) {
        MotionOptions o = {.no_eliminate = way};
        Motion m = motion_of("model jump\n"
                             "parameter M = 3, m = 2\n"
                             "coordinate x, s : line\n"
                             "kinetic M/2*x'^2 + m/2*(x' + s')^2\n"
                             "operator push: s = if(t < 1, 0, t - 1)\n"
                             "start x = 0, x' = 0\n"
                             "run t = 0..2\n",
                             &o);
        assert_non_null(m.t);
        assert_int_equal(m.status, LIA_OK);
        near(motion_final(&m, "x'"), -2.0 / 5.0, 1e-14);
        near(motion_final(&m, "x"), -2.0 / 5.0, 1e-13);
        // the impulse Theta [s'] at the mean velocity 1/2: work Theta/2, Theta = M m/(M + m)
        near(motion_final(&m, "work(push)"), 0.6, 1e-13);
        near(motion_final(&m, "balance"), 0.0, 1e-14);
        motion_clear(&m);
    }
}

// Events: all zero crossings of a fast oscillation, to round-off, and a stop.
static void events_are_roots_none_skipped(void) {
    Motion m = motion_of("model swing\ncoordinate x : line\nkinetic x'^2/2\npotential 25/2*x^2\n"
                         "event down: x = 0 falling\nevent half: x = 1/2 rising stop\n"
                         "start x = 0.1, x' = 10\nrun t = 0..100\n",
                         NULL);
    assert_non_null(m.t);
    assert_int_equal(m.status, LIA_STOPPED);
    motion_clear(&m);
    m = motion_of("model swing\ncoordinate x : line\nkinetic x'^2/2\npotential 25/2*x^2\n"
                  "event turn: x' = 0\n"
                  "start x = 1\nrun t = 0..10\n",
                  NULL);
    char* json = lia_output_json(m.t);
    int count = 0;
    for (const char* c = json; (c = strstr(c, "\"turn\"")); c++) count++;
    assert_int_equal(count, 15);  // 5 t = k pi, k = 1..15
    lia_free(json);
    motion_clear(&m);
}

static void friction_by_sign_stops_with_a_verdict(void) {
    Motion m = motion_of("model brake\ncoordinate x : line\nkinetic x'^2/2\n"
                         "force drag: -sign(x')*d(x)\nstart x' = 2\nrun t = 0..5\n",
                         NULL);
    assert_non_null(m.t);
    assert_int_equal(m.status, LIA_FAILED);
    near(motion_final(&m, "t"), 2.0, 1e-12);
    near(motion_final(&m, "x"), 2.0, 1e-12);
    motion_clear(&m);
}

static void redundant_equations_are_no_error(void) {
    Motion m =
        motion_of("model twice\ncoordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\n"
                  "constraint rail: y = x^2\nconstraint again: 2*y = 2*x^2\n"
                  "start x = 1\nrun t = 0..2\n",
                  NULL);
    assert_non_null(m.t);
    assert_int_equal(m.status, LIA_OK);
    Motion once =
        motion_of("model once\ncoordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\n"
                  "constraint rail: y = x^2\nstart x = 1\nrun t = 0..2\n",
                  NULL);
    near(motion_final(&m, "x"), motion_final(&once, "x"), 1e-11);
    // least norm: the force is shared as 1 : 2 between rows in the ratio 1 : 2
    near(motion_final(&m, "force(rail)") * 5.0, motion_final(&once, "force(rail)"), 1e-9);
    near(motion_final(&m, "force(again)") * 5.0 / 2.0, motion_final(&once, "force(rail)"), 1e-9);
    motion_clear(&m);
    motion_clear(&once);
}

static int events_in(const Motion* m, const char* name) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"name\": \"%s\"", name);
    char* json = lia_output_json(m->t);
    int count = 0;
    for (const char* c = json; c && (c = strstr(c, quoted)); c++) count++;
    lia_free(json);
    return count;
}

// A free particle needs one step; what is watched on its way asks for more.
static void events_faster_than_the_motion_are_all_found(void) {
    Motion m = motion_of(
        "model a\ncoordinate x : line\nkinetic x'^2/2\nevent e: sin(5*t) = 0\nstart x' = 1\n"
        "run t = 0..10\n",
        NULL);
    assert_int_equal(events_in(&m, "e"), 15);
    motion_clear(&m);
    m = motion_of("model b\ncoordinate x : line\nkinetic x'^2/2\nevent e: cos(x) = 0\nstart x' = "
                  "5\nrun t = 0..10\n",
                  NULL);
    assert_int_equal(events_in(&m, "e"), 16);
    motion_clear(&m);
    m = motion_of("model c\ncoordinate s, x : line\nkinetic x'^2/2\noperator o: s = "
                  "sin(40*t)\nevent e: s = 0.5\n"
                  "start x' = 0.5\nrun t = 0..3\n",
                  NULL);
    assert_int_equal(events_in(&m, "e"), 39);
    motion_clear(&m);
}

static void a_rate_that_is_driven_sets_the_pace(void) {
    Motion m = motion_of("model rate\ncoordinate phi, x : line\nkinetic x'^2/2\noperator drive: "
                         "phi' = 1 + 0.5*sin(3*phi)\n"
                         "start x' = 1\nrun t = 0..10\n",
                         NULL);
    near(motion_final(&m, "phi"), 8.786934427791, 1e-11);
    motion_clear(&m);
    m = motion_of("model blow\ncoordinate s, x : line\nkinetic x'^2/2\noperator drive: s' = "
                  "s^2\nstart s = 1, x' = 1\n"
                  "run t = 0..10\n",
                  NULL);
    assert_int_equal(m.status, LIA_FAILED);
    near(motion_final(&m, "t"), 1.0, 1e-9);
    motion_clear(&m);
}

// (t-1)^2 (t-2) touches zero before it crosses it.
static void a_touching_root_hides_no_crossing(void) {
    Motion m = motion_of("model touch\ncoordinate x : line\nkinetic x'^2/2\n"
                         "force F: if((t-1)^2*(t-2) > 0, 1, 0)*d(x)\nrun t = 0..4\n",
                         NULL);
    near(motion_final(&m, "x"), 2.0, 1e-12);
    near(motion_final(&m, "x'"), 2.0, 1e-12);
    motion_clear(&m);
}

static void a_start_at_a_corner_goes_to_one_side(void) {
    double x[2];
    for (int way = 0; way < 2; way++) {
        MotionOptions o = {.no_eliminate = way};
        Motion m =
            motion_of("model corner\ncoordinate x, s : line\nkinetic (x'^2 + s'^2)/2 + x'*s'/2\n"
                      "operator d: s = max(0, sin(t))\nstart x' = 1\nrun t = 0..1\n",
                      &o);
        x[way] = motion_final(&m, "x");
        near(motion_value(&m, 0, "s'"), 1.0, 1e-15);
        near(motion_final(&m, "balance"), 0.0, 1e-13);
        motion_clear(&m);
    }
    near(x[0], x[1], 1e-13);
    near(x[0], 1.5 - 0.5 * sin(1.0), 1e-13);  // x' + s'/2 = 3/2
}

// s comes to 0 and is turned back there by its own law: abs(s) only touches.
static void a_guard_that_is_turned_back_does_not_chatter(void) {
    Motion m =
        motion_of("model turned\ncoordinate s, x : line\nkinetic (s'^2 + x'^2)/2\n"
                  "operator d: s = if(t < 1, t - 1, 1 - t)\npotential x*abs(s)\nrun t = 0..2\n",
                  NULL);
    assert_int_equal(m.status, LIA_OK);
    // x'' = -|t - 1|: x' = -1 at t = 2, x = -1
    near(motion_final(&m, "x'"), -1.0, 1e-12);
    near(motion_final(&m, "x"), -1.0, 1e-12);
    motion_clear(&m);
}

static void branches_not_taken_stop_nothing(void) {
    Motion m = motion_of(
        "model hertz\ncoordinate x : line\nkinetic x'^2/2\npotential if(x > 0, 10*x^2.5, 0)\n"
        "event touch: x = 0\nstart x = -1, x' = 1\nrun t = 0..5\n",
        NULL);
    assert_int_equal(m.status, LIA_OK);
    assert_int_equal(events_in(&m, "touch"), 2);
    near(motion_final(&m, "x'"), -1.0, 1e-9);
    motion_clear(&m);
}

int main(void) {
    const TestCase tests[] = {
        TEST(events_faster_than_the_motion_are_all_found),
        TEST(a_rate_that_is_driven_sets_the_pace),
        TEST(a_touching_root_hides_no_crossing),
        TEST(a_start_at_a_corner_goes_to_one_side),
        TEST(a_guard_that_is_turned_back_does_not_chatter),
        TEST(branches_not_taken_stop_nothing),
        TEST(a_fast_spin_does_not_cost_the_slow_motion_its_digits),
        TEST(the_chain_keeps_its_energy),
        TEST(the_error_follows_the_tolerance),
        TEST(a_motion_run_backwards_returns),
        TEST(a_change_of_coordinates_changes_nothing),
        TEST(a_slip_that_stops_ends_the_run_there),
        TEST(a_corner_in_the_potential_is_crossed_exactly),
        TEST(series_with_gaps_are_not_mistaken_for_short_ones),
        TEST(a_position_may_not_leap),
        TEST(a_servo_through_a_spring_is_of_higher_degree),
        TEST(a_servo_does_not_mind_the_scale),
        TEST(a_servo_follows_a_polynomial),
        TEST(a_servo_through_a_spring_beside_another_operator),
        TEST(a_servo_starts_at_a_corner),
        TEST(what_a_servo_leaves_free_may_run_away),
        TEST(what_a_moving_servo_leaves_free_is_not_judged),
        TEST(a_coupling_number_without_meaning_is_not_known),
        TEST(the_level_of_a_rate_is_kept),
        TEST(a_force_that_is_not_decided_is_said),
        TEST(a_jump_of_the_operator_keeps_the_momentum),
        TEST(events_are_roots_none_skipped),
        TEST(friction_by_sign_stops_with_a_verdict),
        TEST(redundant_equations_are_no_error),
    };
    return TESTS_RUN(tests);
}
