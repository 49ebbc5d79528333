// A run and the same run with shorter steps: what they differ in is the error of the first, and
// where they part.
// SPDX-License-Identifier: MIT
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPRING   "coordinate x : line\nkinetic x'^2/2\npotential x^2/2\nstart x = 1\n"
#define PENDULUM "coordinate q : circle\nkinetic q'^2/2\npotential -cos(q)\nstart q = 2\n"
#define TWO                                                                                        \
    "coordinate a, b : circle\nlet r = [sin(a), -cos(a)]\nlet s = r + [sin(b), -cos(b)]\n"         \
    "kinetic (dot(r', r') + dot(s', s'))/2\npotential 9.81*(r.y + s.y)\nstart a = 2, b = 2.5\n"

typedef struct Checked {
    LiaDiags* diags;
    LiaModel* model;
    LiaSystem* system;
    LiaTrajectory* t;
    const LiaCheck* check;
    LiaStatus status;
} Checked;

static Checked check_with(const char* text, LiaRunOptions options) {
    Checked c = {.diags = lia_diags_create()};
    assert_int_equal(lia_model_parse("m", text, strlen(text), NULL, c.diags, &c.model), LIA_OK);
    assert_int_equal(lia_system_build(c.model, NULL, c.diags, &c.system), LIA_OK);
    c.status = lia_motion_check(c.system, &options, c.diags, &c.t);
    assert_non_null(c.t);
    c.check = c.t->check;
    assert_non_null(c.check);
    return c;
}

static Checked check(const char* text) { return check_with(text, (LiaRunOptions){0}); }

static void clear(Checked* c) {
    lia_trajectory_destroy(c->t);
    lia_system_destroy(c->system);
    lia_model_destroy(c->model);
    lia_diags_destroy(c->diags);
}

static bool warned(const Checked* c) {
    char* text = lia_diags_text(c->diags);
    bool found = text && strstr(text, "W0414");
    lia_free(text);
    return found;
}

static double final(const Checked* c, const char* name) {
    double x = NAN;
    assert_true(lia_trajectory_final(c->t, name, &x));
    return x;
}

static double difference(const Checked* c, const char* name) {
    double x = NAN;
    assert_true(lia_trajectory_difference(c->t, name, &x));
    return x;
}

// x = cos(t): the difference is what is missing to the closed form, at every tolerance.
static void the_difference_is_the_error(void) {
    for (int digits = 3; digits <= 9; digits++) {
        LiaRunOptions options = {.tolerance = pow(10.0, -digits)};
        Checked c = check_with(SPRING "run t = 0..30\n", options);
        double error = cos(30.0) - final(&c, "x"), found = difference(&c, "x");
        assert_true(fabs(found - error) <= 0.02 * fabs(error) + 1e-13);
        error = -sin(30.0) - final(&c, "x'");
        assert_true(fabs(difference(&c, "x'") - error) <= 0.02 * fabs(error) + 1e-13);
        assert_true(c.check->steps >= 3 * c.t->effort.steps / 2 &&
                    c.check->order != c.t->effort.order);
        bool much = c.check->largest > 1e-6;
        assert_int_equal(!isnan(lia_trajectory_parting(c.t)), much);
        assert_string_equal(lia_trajectory_check(c.t), much ? "differs" : "agrees");
        assert_int_equal(warned(&c), much);
        clear(&c);
    }
}

static void the_first_run_is_as_without(void) {
    Checked c = check(PENDULUM "run t = 0..20\n");
    Motion alone = motion_of(PENDULUM "run t = 0..20\n", NULL);
    assert_int_equal(c.t->effort.steps, alone.t->effort.steps);
    assert_int_equal(c.t->rows.count, alone.t->rows.count);
    size_t bytes = c.t->rows.count * c.t->column_count * sizeof(double);
    assert_memory_equal(c.t->rows.values, alone.t->rows.values, bytes);
    assert_false(warned(&c));
    assert_true(c.check->largest < 1e-10);
    assert_null(lia_trajectory_check(alone.t));
    motion_clear(&alone);
    clear(&c);
}

// x'' = x from x = 1, x' = -1: the motion is exp(-t), and what it misses of that grows like exp(t).
static void growth_has_the_rate_of_the_equation(void) {
    static const double rates[] = {0.5, 1.0, 3.0};
    for (size_t i = 0; i < 3; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "coordinate x : line\nkinetic x'^2/2\npotential -%g^2*x^2/2\n"
                 "start x = 1, x' = -%g\nrun t = 0..%g\n",
                 rates[i], rates[i], 33.0 / rates[i]);
        Checked c = check(text);
        assert_string_equal(lia_trajectory_check(c.t), "chaos");
        assert_true(fabs(c.check->rate / rates[i] - 1.0) < 0.15);
        assert_false(warned(&c));
        // 1e-6 of what it is at the end, which grew by exp(rate t) since then
        double size = fabs(final(&c, "x")), at = lia_trajectory_parting(c.t);
        assert_true(at > 0.0 && at < 33.0 / rates[i] && size > 0.0);
        clear(&c);
    }
}

static void chaos_says_from_when_on(void) {
    Checked c = check(TWO "run t = 0..40\n");
    assert_string_equal(lia_trajectory_check(c.t), "chaos");
    double at = lia_trajectory_parting(c.t);
    assert_true(at > 5.0 && at < 25.0);
    for (int k = 1; k < LIA_CHECK_SIZES; k++)
        assert_true(isnan(c.check->lost[k]) || c.check->lost[k] >= c.check->lost[k - 1]);
    assert_true(fabs(c.check->lost[2] - at) < 0.1);
    assert_false(warned(&c));
    // before that, a run with another tolerance is at the same place; long after it, elsewhere
    double before = c.check->lost[1], after = 40.0;
    MotionOptions finer = {.run.tolerance = 1e-15, .run.until = &before};
    MotionOptions usual = {.run.until = &before};
    Motion x = motion_of(TWO "run t = 0..1\n", &finer), y = motion_of(TWO "run t = 0..1\n", &usual);
    assert_true(fabs(motion_final(&x, "a") - motion_final(&y, "a")) < 1e-6);
    motion_clear(&x);
    finer.run.until = &after;
    x = motion_of(TWO "run t = 0..1\n", &finer);
    assert_true(fabs(motion_final(&x, "b'") - final(&c, "b'")) > 1e-3);
    motion_clear(&x);
    motion_clear(&y);
    clear(&c);
}

// Few samples of a long run do not show how two runs part: it is looked at more closely.
static void chaos_is_seen_with_few_samples(void) {
    Checked many = check(TWO "run t = 0..40\n");
    for (int i = 0; i < 3; i++) {
        static const uint32_t samples[] = {2, 5, 11};
        double until = i == 0 ? 300.0 : 40.0;
        LiaRunOptions options = {.samples = samples[i], .until = &until};
        Checked c = check_with(TWO "run t = 0..40\n", options);
        assert_string_equal(lia_trajectory_check(c.t), "chaos");
        assert_int_equal(c.t->rows.count, samples[i]);
        assert_true(fabs(lia_trajectory_parting(c.t) - lia_trajectory_parting(many.t)) < 3.0);
        assert_true(fabs(c.check->rate - many.check->rate) < 0.5 * many.check->rate);
        assert_false(warned(&c));
        clear(&c);
    }
    clear(&many);
}

// Errors of steps that add up grow like a power of t: that is no chaos, however long.
static void powers_are_no_chaos(void) {
    static const char orbit[] = "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"
                                "potential -1/hypot(x, y)\nstart x = 1, y' = 1.2\nrun t = 0..300\n";
    for (int digits = 2; digits <= 5; digits++) {
        LiaRunOptions options = {.tolerance = pow(10.0, -digits)};
        Checked c = check_with(PENDULUM "run t = 0..1000\n", options);
        assert_string_equal(lia_trajectory_check(c.t), "differs");
        assert_true(isnan(c.check->rate));
        assert_true(warned(&c));
        clear(&c);
    }
    Checked c = check(orbit);
    assert_string_equal(lia_trajectory_check(c.t), "agrees");
    assert_false(warned(&c));
    clear(&c);
}

static void events_stand_beside_each_other(void) {
    Checked c = check(SPRING "event down: x = 0 falling\nevent up: x = 0 rising\nrun t = 0..20\n");
    assert_int_equal(c.t->events.count, 6);
    assert_int_equal(c.check->events, 6);
    assert_int_equal(c.check->other_events, 6);
    for (size_t i = 0; i < 6; i++) assert_true(fabs(c.check->event[i]) < 1e-11);
    clear(&c);
    c = check(SPRING "event half: x = 0.5 falling stop\nrun t = 0..20\n");
    assert_int_equal(c.status, LIA_STOPPED);
    assert_true(fabs(c.check->end) < 1e-13 && fabs(difference(&c, "x'")) < 1e-13);
    assert_string_equal(lia_trajectory_check(c.t), "rounding");
    clear(&c);
    c = check(TWO "event top: cos(a) = 0\nrun t = 0..100\n");
    assert_true(c.check->events >= 2 && c.check->events < c.t->events.count);
    assert_false(isnan(c.check->event[0]));
    assert_true(isnan(c.check->event[c.check->events]));
    clear(&c);
}

static void runs_of_all_kinds(void) {
    Checked c = check(PENDULUM "run t = 20..0\n");  // backwards
    assert_string_equal(lia_trajectory_check(c.t), "agrees");
    clear(&c);
    c = check(TWO "run t = 0..-40\n");
    assert_string_equal(lia_trajectory_check(c.t), "chaos");
    assert_true(lia_trajectory_parting(c.t) < -5.0);
    clear(&c);
    c = check(PENDULUM "run t = 0..0\n");  // the start alone
    assert_string_equal(lia_trajectory_check(c.t), "rounding");
    assert_true(difference(&c, "q") == 0.0);
    clear(&c);
    c = check("coordinate x : line\nkinetic x'^2/2\nstart x' = 1\nrun t = 0..20\n");  // one step
    assert_string_equal(lia_trajectory_check(c.t), "rounding");
    assert_true(c.check->steps >= 2);
    clear(&c);
    // the same singularity ends both
    c = check("coordinate x : line\nkinetic x'^2/2\npotential log(x)\nstart x = 1\nrun t = 0..9\n");
    assert_int_equal(c.status, LIA_FAILED);
    assert_false(warned(&c));
    assert_true(fabs(c.check->end) < 1e-6);
    clear(&c);
}

// As near to a collision as this, coefficients of high order are near the end of all numbers: the
// second run passes it too.
static void a_near_miss_is_passed_twice(void) {
    Checked c = check("coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"
                      "potential -1/hypot(x, y)\nstart x = 1.999999, y' = 0.000707107134963\n"
                      "run t = 0..5, tolerance 1e-15\n");
    assert_int_equal(c.status, LIA_OK);
    assert_string_equal(c.check->status, "done");
    assert_false(warned(&c));
    clear(&c);
}

// What a budget ends is not checked; what is not ended is, in as many steps as it takes.
static void budgets_end_both(void) {
    Checked c = check_with(PENDULUM "run t = 0..20\n", (LiaRunOptions){.steps_most = 2});
    assert_int_equal(c.status, LIA_STOPPED);
    assert_string_equal(lia_trajectory_check(c.t), "unfinished");
    assert_true(isnan(difference(&c, "q")));
    assert_int_equal(c.check->steps, 0);
    clear(&c);
    c = check_with(PENDULUM "run t = 0..20\n", (LiaRunOptions){.steps_most = 1000});
    assert_string_equal(lia_trajectory_check(c.t), "agrees");
    clear(&c);
}

int main(void) {
    const TestCase tests[] = {
        TEST(the_difference_is_the_error),         TEST(the_first_run_is_as_without),
        TEST(growth_has_the_rate_of_the_equation), TEST(chaos_says_from_when_on),
        TEST(chaos_is_seen_with_few_samples),      TEST(powers_are_no_chaos),
        TEST(events_stand_beside_each_other),      TEST(runs_of_all_kinds),
        TEST(a_near_miss_is_passed_twice),         TEST(budgets_end_both),
    };
    return TESTS_RUN(tests);
}
