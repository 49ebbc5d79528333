// Jumps of velocities at corners of an operator's law, against their closed form.
// SPDX-License-Identifier: MIT
#include "../support/motion.h"
#include "motion/trajectory.h"
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

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

static void an_operator_that_begins_at_once_pushes_what_is_tied(void** state) {
    (void)state;
    for (int way = 0; way < 2; way++) {
        Motion motion = motion_of(cart, &(MotionOptions){.no_eliminate = way});
        assert_non_null(motion.t);
        assert_int_equal(motion.t->jump_count, 1);
        const LiaJump* jump = &motion.t->jumps[0];
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

static void every_corner_is_told_and_a_smooth_law_has_none(void** state) {
    (void)state;
    Motion motion = motion_of("model teeth\ncoordinate x, s : line\nkinetic (x' + s')^2/2 + s'^2\n"
                              "operator a: s = abs(sin(t))\nrun t = 1..10\n",
                              NULL);
    assert_int_equal(motion.t->jump_count, 3);
    for (int k = 0; k < 3; k++) {
        const LiaJump* jump = &motion.t->jumps[k];
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
    assert_int_equal(motion.t->jump_count, 0);
    motion_clear(&motion);
}

// wrap comes back by a turn, and abs with it to its other side: a triangle wave has corners and no leaps.
static void a_value_that_leaps_takes_others_along(void** state) {
    (void)state;
    for (int way = 0; way < 2; way++) {
        Motion motion =
            motion_of("model saw\ncoordinate x, s : line\nkinetic (x' + s')^2/2 + s'^2\n"
                      "operator a: s = abs(wrap(2*t))\nrun t = 1..6\n",
                      &(MotionOptions){.no_eliminate = way});
        assert_int_equal(motion.t->jump_count, 3);
        for (int k = 0; k < 3; k++) {
            const LiaJump* jump = &motion.t->jumps[k];
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

static void the_summary_and_the_json_tell_of_a_jump(void** state) {
    (void)state;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_operator_that_begins_at_once_pushes_what_is_tied),
        cmocka_unit_test(every_corner_is_told_and_a_smooth_law_has_none),
        cmocka_unit_test(a_value_that_leaps_takes_others_along),
        cmocka_unit_test(the_summary_and_the_json_tell_of_a_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
