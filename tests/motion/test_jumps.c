// Jumps of velocities at corners of an operator's law, against their closed form.
//
// By law: motion/events/corner.c: velocities jump by the impulse of the corner and by nothing else
// By law: motion/events/impulse.c: momenta change along the force directions alone
// By law: motion/events/jumps.c: jumps are recorded with the velocities before and after
// SPDX-License-Identifier: MIT
#include "../support/motion.h"
#include "mechanics/test_hooks.h"
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>

static void near(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-13 * (1.0 + fabs(expected)))) {
        fail_msg("%.17g is not %.17g", value, expected);
    }
}

static const LiaJumpVelocity* leap_of(const LiaJump* jump, const char* name) {
    for (size_t i = 0; i < jump->velocity_count; i++) {
        if (strcmp(jump->velocities[i].column->name, name) == 0) return &jump->velocities[i];
    }
    fail_msg("%s did not jump", name);
    return NULL;
}

static const LiaJumpImpulse* impulse_of(const LiaJump* jump, const char* name) {
    for (size_t i = 0; i < jump->impulse_count; i++) {
        if (strcmp(jump->impulses[i].name, name) == 0) return &jump->impulses[i];
    }
    fail_msg("%s took no part", name);
    return NULL;
}

// A cart s begins to move at once; x is carried by it, y is tied to x, z is free. With J = [s']:
//   m (J + d) = -nu,  n d = nu   so   d = -m J/(m + n),   nu = n d,   lambda = (M + m n/(m + n)) J,
// and the work of the impulse is lambda times the mean of s', the energy it leaves behind.
static const char cart[] = "model cart\n"
                           "parameter m = 2 in kg, n = 6 in kg, M = 3 in kg, k = 2 in m/s\n"
                           "coordinate x, y, z, s : line in m\n"
                           "kinetic M/2*s'^2 + m/2*(x' + s')^2 + n/2*y'^2 + m/2*z'^2\n"
                           "operator lift: s = if(t < 1, 0, k*(t - 1))\n"
                           "constraint tie: y - x = 0\n"
                           "start x = 0, y = 0, z = 0, z' = 5, s = 0\n"
                           "run t = 0..2\n";

static void an_operator_that_begins_at_once_pushes_what_is_tied(void) {
    for (int way = 0; way < 2; way++) {
        Motion motion = motion_of(cart, &(MotionOptions){.no_eliminate = way});
        assert_non_null(motion.t);
        assert_int_equal(motion.t->jumps.count, 1);
        const LiaJump* jump = &motion.t->jumps.list[0];
        near(jump->t, 1.0);
        assert_true(jump->unique);
        assert_int_equal(jump->velocity_count, 3);
        double m = 2, n = 6, M = 3, J = 2, d = -m * J / (m + n);
        near(leap_of(jump, "s'")->before, 0.0);
        near(leap_of(jump, "s'")->after, J);
        near(leap_of(jump, "x'")->after, d);
        near(leap_of(jump, "y'")->after, d);
        assert_int_equal(jump->impulse_count, 2);
        const LiaJumpImpulse* lift = impulse_of(jump, "lift");
        near(lift->values[0], (M + m * n / (m + n)) * J);
        near(lift->work, (M + m * n / (m + n)) * J * J / 2);
        near(impulse_of(jump, "tie")->values[0], n * d);
        near(impulse_of(jump, "tie")->work, 0.0);
        assert_true(lift->active && !impulse_of(jump, "tie")->active);
        assert_string_equal(lift->unit, "kg*m/s");
        assert_string_equal(impulse_of(jump, "tie")->unit, "kg*m/s");
        near(motion_final(&motion, "energy"), m * 25 / 2 + lift->work);
        motion_clear(&motion);
    }
}

static void every_corner_is_told_and_a_smooth_law_has_none(void) {
    Motion motion = motion_of("model teeth\ncoordinate x, s : line\nkinetic (x' + s')^2/2 + s'^2\n"
                              "operator a: s = abs(sin(t))\nrun t = 1..10\n",
                              NULL);
    assert_int_equal(motion.t->jumps.count, 3);
    for (int k = 0; k < 3; k++) {
        const LiaJump* jump = &motion.t->jumps.list[k];
        near(jump->t, (k + 1) * acos(-1.0));
        near(leap_of(jump, "s'")->before, -1.0);
        near(leap_of(jump, "s'")->after, 1.0);
        near(impulse_of(jump, "a")->values[0], 4.0);
        assert_null(impulse_of(jump, "a")->unit);
    }
    motion_clear(&motion);
    motion = motion_of("model smooth\ncoordinate x, s : line\nkinetic (x' + s')^2/2 + s'^2\n"
                       "operator a: s = max(0, t - 1)^2\nrun t = 0..2\n",
                       NULL);
    assert_int_equal(motion.t->jumps.count, 0);
    motion_clear(&motion);
}

// wrap comes back by a turn, and abs with it to its other side: a triangle wave has corners and no
// leaps.
static void a_value_that_leaps_takes_others_along(void) {
    for (int way = 0; way < 2; way++) {
        Motion motion =
            motion_of("model saw\ncoordinate x, s : line\nkinetic (x' + s')^2/2 + s'^2\n"
                      "operator a: s = abs(wrap(2*t))\nrun t = 1..6\n",
                      &(MotionOptions){.no_eliminate = way});
        assert_int_equal(motion.t->jumps.count, 3);
        for (int k = 0; k < 3; k++) {
            const LiaJump* jump = &motion.t->jumps.list[k];
            double rate = k % 2 ? -2.0 : 2.0;
            near(jump->t, (k + 1) * acos(-1.0) / 2);
            near(leap_of(jump, "s'")->before, rate);
            near(leap_of(jump, "s'")->after, -rate);
            near(impulse_of(jump, "a")->values[0], -4.0 * rate);
        }
        near(motion_final(&motion, "s"), 4 * acos(-1.0) - 12);
        near(motion_final(&motion, "work(a)"), 0.0);
        motion_clear(&motion);
    }
}

static void the_summary_and_the_json_tell_of_a_jump(void) {
    Motion motion = motion_of(cart, NULL);
    char* text = lia_output_summary(motion.t, NULL);
    assert_non_null(strstr(text, "jumps of velocities\n  t = 1: "));
    assert_non_null(strstr(text, "s' from 0 to 2 m/s"));
    assert_non_null(strstr(text, "'lift' 9 kg*m/s (work 9)"));
    lia_free(text);
    text = lia_output_json(motion.t);
    assert_non_null(strstr(text, "\"jumps\": [\n  {\"t\": 1, \"velocity\": {\"x'\": [0, -0.5]"));
    assert_non_null(strstr(text, "\"impulse\": {\"lift\": [9], \"tie\": [-3]}"));
    lia_free(text);
    motion_clear(&motion);
}

static void closes(const Motion* motion) {
    double balance = motion_final(motion, "balance");
    if (!(balance <= 1e-13)) fail_msg("the ledger leaves %g", balance);
}

// L is not quadratic: u = x' + s' with u^3 + u - s' the same on both sides of the corner.
static void momenta_go_on_where_the_lagrangian_is_not_quadratic(void) {
    for (int way = 0; way < 2; way++) {
        Motion motion =
            motion_of("model quartic\ncoordinate x, s : line\nkinetic (x' + s')^4/4 + x'^2/2\n"
                      "operator a: s = if(t < 1, t/2, 1/2 + 5/2*(t - 1))\nstart x' = 1\n"
                      "run t = 0..2\n",
                      &(MotionOptions){.no_eliminate = way});
        assert_int_equal(motion.t->jumps.count, 1);
        double p = 1.5 * 1.5 * 1.5 + 1.0, u = 1.5;
        for (int k = 0; k < 60; k++) u -= (u * u * u + u - 2.5 - p) / (3 * u * u + 1);
        const LiaJump* jump = &motion.t->jumps.list[0];
        near(leap_of(jump, "x'")->after, u - 2.5);
        near(impulse_of(jump, "a")->values[0], u * u * u - 1.5 * 1.5 * 1.5);
        // E = 3/4 u^4 + x'^2/2
        double before = 0.75 * 5.0625 + 0.5, after = 0.75 * pow(u, 4) + (u - 2.5) * (u - 2.5) / 2;
        near(impulse_of(jump, "a")->work, after - before);
        closes(&motion);
        motion_clear(&motion);
    }
}

// Two operators at one corner are one push: what is the same for both does the same work.
static void equal_operators_do_equal_work(void) {
    Motion motion = motion_of("model pair\ncoordinate x, a, b : line\n"
                              "kinetic (x' + a' + b')^4/4 + x'^2/2\n"
                              "operator A: a = max(0, t - 1)\noperator B: b = max(0, t - 1)\n"
                              "start x' = 1\nrun t = 0..2\n",
                              NULL);
    const LiaJump* jump = &motion.t->jumps.list[0];
    double change = motion_final(&motion, "energy") - 1.25;
    assert_true(change > 0.1);
    near(impulse_of(jump, "A")->work, change / 2);
    near(impulse_of(jump, "B")->work, change / 2);
    near(impulse_of(jump, "A")->values[0], impulse_of(jump, "B")->values[0]);
    closes(&motion);
    motion_clear(&motion);
}

// Through a spring k the force of the operator appears in derivative 4, so where the third
// derivative of x2 jumps by 6, x1' jumps by m 6/k. A mass that hangs on x1 keeps its momentum.
static void an_operator_that_acts_through_a_spring_pushes_at_a_corner(void) {
    Motion motion = motion_of("model through\nparameter m = 3, k = 2, n = 5\n"
                              "coordinate x1, x2, y : line\n"
                              "kinetic m/2*(x1'^2 + x2'^2) + n/2*(y' + x1')^2\n"
                              "potential k/2*(x1 - x2)^2\n"
                              "operator follow: x2 = max(0, t - 1)^3 by d(x1)\n"
                              "start y' = 4\nrun t = 0..2\n",
                              NULL);
    assert_int_equal(motion.t->jumps.count, 1);
    const LiaJump* jump = &motion.t->jumps.list[0];
    double m = 3, k = 2, J = m * 6 / k;
    assert_int_equal(jump->velocity_count, 2);
    near(leap_of(jump, "x1'")->after, J);
    near(leap_of(jump, "y'")->after, 4 - J);
    near(impulse_of(jump, "follow")->values[0], m * J);
    near(impulse_of(jump, "follow")->work, m * J * J / 2);
    near(motion_final(&motion, "x1"), 1 + m * 6 / k);
    near(motion_final(&motion, "x1'"), 3 + J);
    closes(&motion);
    motion_clear(&motion);
}

// Through two springs: derivative 6. Beside it an operator of the common kind, eliminated or not,
// with its corner at the same time. It carries the first mass: x1' + s' jumps by what is needed,
// 120.
static void corners_of_two_kinds_at_once(void) {
    for (int way = 0; way < 2; way++) {
        Motion motion = motion_of("model two\ncoordinate x1, x2, x3, s : line\n"
                                  "kinetic ((x1' + s')^2 + x2'^2 + x3'^2)/2 + s'^2\n"
                                  "potential ((x1 + s - x2)^2 + (x2 - x3)^2)/2\n"
                                  "operator follow: x3 = max(0, t - 1)^5 by d(x1)\n"
                                  "operator lift: s = 7*max(0, t - 1)\n"
                                  "run t = 0..2\n",
                                  &(MotionOptions){.no_eliminate = way});
        assert_int_equal(motion.t->jumps.count, 1);
        const LiaJump* jump = &motion.t->jumps.list[0];
        near(leap_of(jump, "x1'")->after, 120 - 7);
        near(leap_of(jump, "s'")->after, 7);
        near(impulse_of(jump, "follow")->values[0], 120);
        near(impulse_of(jump, "follow")->work, 120.0 * 113 / 2);
        near(impulse_of(jump, "lift")->values[0], 120 + 2 * 7);
        near(impulse_of(jump, "lift")->work, (120.0 + 2 * 7) * 7 / 2);
        closes(&motion);
        motion_clear(&motion);
    }
}

// The work of operator and constraint by a law that turns within eps, from t = 1 on; 0: at once.
static void works_of(double eps, double works[2]) {
    char text[800];
    snprintf(text, sizeof text,
             "model m\nparameter e = %.17g\ncoordinate x, y, z, s : line\n"
             "kinetic (x' + s')^4/4 + (x'^2 + y'^2 + z'^2)/2 + x'*y'*z'/5 + s'^2/2\n"
             "potential x^2/2 + (y - s)^2 + z^2\n"
             "constraint c: x + y*z + s = -0.2 force d(x) + 0.3*d(y)\n"
             "operator a: s = %s\n"
             "start x' = 0.3, y = 1, z = -0.2, y' = 0.4, s = 0\nrun t = 0..1.1\n",
             eps,
             eps > 0.0 ? "if(t < 1, 0, if(t < 1 + e, 0.75*(t - 1)^2/e, 1.5*(t - 1) - 0.75*e))"
                       : "1.5*max(0, t - 1)");
    Motion motion = motion_of(text, &(MotionOptions){.run = {.tolerance = 1e-14}});
    assert_int_equal(motion.status, LIA_OK);
    assert_int_equal(motion.t->jumps.count, eps > 0.0 ? 0 : 1);
    closes(&motion);
    works[0] = motion_final(&motion, "work(a)");
    works[1] = motion_final(&motion, "work(c)");
    motion_clear(&motion);
}

// With a Lagrangian that is not quadratic, a curved constraint and a force of its own: both works
// apart.
static void a_corner_is_the_limit_of_laws_that_turn_fast(void) {
    double corner[2], fast[2], faster[2];
    works_of(0.0, corner);
    works_of(2e-4, fast);
    works_of(1e-4, faster);
    for (int k = 0; k < 2; k++) {
        double limit = 2.0 * faster[k] - fast[k];
        if (!(fabs(limit - corner[k]) < 2e-6)) fail_msg("%.9g is not %.9g", corner[k], limit);
        assert_true(fabs(faster[k] - corner[k]) > 1e-5);
    }
}

// Nanometres and femtograms: a jump is what is large relative to the motion, not to 1.
static void small_systems_jump_too(void) {
    Motion motion = motion_of("model nano\nparameter m = 1e-15, k = 2e-13\n"
                              "coordinate x, y, s : line\n"
                              "kinetic m/2*(x' + s')^2 + m/2*y'^2 + m*s'^2\n"
                              "operator lift: s = k*max(0, t - 1)\nconstraint tie: y - x = 0\n"
                              "run t = 0..2\n",
                              NULL);
    assert_int_equal(motion.t->jumps.count, 1);
    const LiaJump* jump = &motion.t->jumps.list[0];
    near(leap_of(jump, "x'")->after / 1e-13, -1.0);
    near(impulse_of(jump, "lift")->values[0] / 5e-28, 1.0);
    near(impulse_of(jump, "lift")->work / 5e-41, 1.0);
    closes(&motion);
    motion_clear(&motion);
    motion = motion_of("model leap\ncoordinate x, y : line\nkinetic x'^2/2 + y'^2/2\n"
                       "constraint c: y = x + if(t < 1, 0, 1e-11)\nstart x = 1e-10, x' = 1e-10\n"
                       "run t = 0..2\n",
                       NULL);
    assert_string_equal(motion.t->reason.code, "E0409");
    near(motion_final(&motion, "y") / 2e-10, 1.0);
    motion_clear(&motion);
}

// A mass that changes at once: momenta go on, velocities and the energy do not, and time feeds it
// in.
static void a_mass_that_changes_at_once(void) {
    Motion motion = motion_of("model m\ncoordinate x, s : line\n"
                              "kinetic if(t < 1, 1, 4)*x'^2/2 + (x' + s')^2/2\n"
                              "operator a: s = max(0, t - 1)\nstart x' = 1\nrun t = 0..2\n",
                              NULL);
    const LiaJump* jump = &motion.t->jumps.list[0];
    near(leap_of(jump, "x'")->after, 0.2);  // 5 x' + 1 = 2
    near(impulse_of(jump, "a")->values[0], 0.2);
    closes(&motion);
    motion_clear(&motion);
}

// Held at rest all energies are rounding, and what they change by is no reason to doubt.
static void a_ledger_at_rest_is_not_doubted(void) {
    static const char* const mass[] = {"1", "1e-20"};
    for (int i = 0; i < 2; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "parameter m = %s\ncoordinate x, y, z : line\n"
                 "kinetic m*((x'^2 + y'^2 + z'^2)/2 + 0.3*x'*y')\n"
                 "potential m*(9.81*(x + 3*y) + (x - y)^2)\nconstraint a: x + y/3 = 0\n"
                 "constraint b: y/7 - x/3 = 0\nconstraint c: 0.3*x + 0.7*y + z = 0\n"
                 "run t = 0..1\n",
                 mass[i]);
        Motion m = motion_of(text, NULL);
        assert_int_equal(m.status, LIA_OK);
        char* said = lia_diags_text(m.diags);
        assert_string_equal(said, "");
        lia_free(said);
        motion_clear(&m);
    }
}

static Motion built(const char* text) {
    Motion m = {.diags = lia_diags_create()};
    assert_int_equal(lia_model_parse("m.lia", text, strlen(text), NULL, m.diags, &m.model), LIA_OK);
    assert_int_equal(lia_system_build(m.model, &(LiaSystemOptions){0}, m.diags, &m.system), LIA_OK);
    return m;
}

// A wrong sign on purpose: the motion is wrong, and the ledger tells.
static void a_ledger_that_does_not_close_is_a_warning(void) {
    static const char text[] = "model m\ncoordinate x : line\nkinetic x'^2/2\npotential x^4\n"
                               "start x = 1, x' = 1\nrun t = 0..3\n";
    for (int wrong = 0; wrong < 2; wrong++) {
        Motion m = built(text);
        const LiaTestHooks hooks = {.flip = wrong ? LIA_FLIP_G : LIA_FLIP_NONE};
        m.system->hooks = &hooks;
        LiaRunOptions options = {.steps_most = 3};
        m.status = lia_motion_run(m.system, &options, m.diags, &m.t);
        char* said = lia_diags_text(m.diags);
        if (wrong) {
            assert_non_null(strstr(said, "m.lia:3:9: warning W0412: the ledger does not close"));
        } else {
            assert_string_equal(said, "");
        }
        lia_free(said);
        motion_clear(&m);
    }
}

// Impulses that are too large on purpose: the ledger has their work, but they lose no energy.
static void an_impact_that_gives_energy_is_a_warning(void) {
    static const char text[] =
        "model m\ncoordinate y : line\nkinetic y'^2/2\npotential 9.81*y\n"
        "contact floor: y >= 0 restitution 0.5\nstart y = 1\nrun t = 0..0.6\n";
    for (int wrong = 0; wrong < 2; wrong++) {
        Motion m = built(text);
        const LiaTestHooks hooks = {
            .plant = {.kind = wrong ? LIA_PLANT_IMPULSE : LIA_PLANT_NONE, .part = 0.5}};
        m.system->hooks = &hooks;
        m.status = lia_motion_run(m.system, &(LiaRunOptions){0}, m.diags, &m.t);
        assert_int_equal(m.status, LIA_OK);
        char* said = lia_diags_text(m.diags);
        const char* where = strstr(said, "m.lia:5:9: warning W0445: the impact at t = 0.45");
        assert_true(wrong ? where != NULL : said[0] == '\0');
        lia_free(said);
        motion_clear(&m);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(an_operator_that_begins_at_once_pushes_what_is_tied),
        TEST(an_impact_that_gives_energy_is_a_warning),
        TEST(every_corner_is_told_and_a_smooth_law_has_none),
        TEST(a_value_that_leaps_takes_others_along),
        TEST(momenta_go_on_where_the_lagrangian_is_not_quadratic),
        TEST(equal_operators_do_equal_work),
        TEST(an_operator_that_acts_through_a_spring_pushes_at_a_corner),
        TEST(corners_of_two_kinds_at_once),
        TEST(a_corner_is_the_limit_of_laws_that_turn_fast),
        TEST(small_systems_jump_too),
        TEST(a_mass_that_changes_at_once),
        TEST(a_ledger_at_rest_is_not_doubted),
        TEST(a_ledger_that_does_not_close_is_a_warning),
        TEST(the_summary_and_the_json_tell_of_a_jump),
    };
    return TESTS_RUN(tests);
}
