// Forces at samples come from the polynomials of the steps: they must be those of the equations at
// the sample, in the middle of long steps, next to corners, and where a force is zero but for
// rounding.
//
// By law: motion/result/sample_forces.c: K0 is factored for few samples inside of steps
// SPDX-License-Identifier: MIT
#include "support/cases.h"
#include "support/motion.h"
#include "support/runner.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static Motion sampled(const char* file, uint64_t samples) {
    MotionOptions options = {.run = {.samples = samples}};
    Motion motion = motion_of_file(file, &options);
    assert_non_null(motion.t);
    assert_int_equal(lia_trajectory_rows(motion.t), samples);
    return motion;
}

// m = 1: the blade turns the velocity u with theta', so its force is u theta'. The twist turns the
// torso, whose inertia is I2.
static void forces_of_the_skater_are_those_of_newton(void) {
    Motion m = sampled("bench/models/skater.lia", 1001);
    double worst_force = 0.0, worst_power = 0.0, momentum = 0.0;
    for (size_t row = 0; row < 1001; row++) {
        double theta = motion_value(&m, row, "theta"), turn = motion_value(&m, row, "theta'");
        double u =
            motion_value(&m, row, "x'") * cos(theta) + motion_value(&m, row, "y'") * sin(theta);
        // the force along (sin theta, -cos theta)
        double blade = motion_value(&m, row, "force(blade)");
        worst_force = fmax(worst_force, fabs(blade + u * turn));
        // theta'' = -I2 s''/(I1 + I2), s = 0.8 sin(2 t): the torso gets I2 (theta'' + s'')
        double t = motion_value(&m, row, "t"), s2 = -3.2 * sin(2.0 * t);
        double twist = 0.2 * (s2 - 0.2 * s2), rate = 1.6 * cos(2.0 * t);
        worst_force = fmax(worst_force, fabs(motion_value(&m, row, "force(twist)") - twist));
        worst_power = fmax(worst_power, fabs(motion_value(&m, row, "power(twist)") - twist * rate));
        momentum = fmax(momentum, fabs(motion_value(&m, row, "power(blade)")));
    }
    printf("forces %.2g, powers %.2g, of the blade %.2g\n", worst_force, worst_power, momentum);
    assert_true(worst_force < 1e-13);
    assert_true(worst_power < 1e-13);
    assert_true(momentum == 0.0);
    motion_clear(&m);
}

// A pendulum by its rod: 2 lambda l = m (v^2/l + g cos), at samples next to the beginning and the
// end of steps alike.
static void a_rod_pulls_with_weight_and_centrifugal_force(void) {
    MotionOptions options = {.run = {.samples = 4001}};
    Motion m = motion_of("model rod\n"
                         "parameter m = 2, l = 1.5, g = 9.81\n"
                         "coordinate x, y : line\n"
                         "kinetic m/2*(x'^2 + y'^2)\n"
                         "potential m*g*y\n"
                         "constraint rod: x^2 + y^2 = l^2\n"
                         "start x = 1.5, y = 0, x' = 0, y' = 0\n"
                         "run t = 0..10\n",
                         &options);
    assert_non_null(m.t);
    double worst = 0.0;
    for (size_t row = 0; row < 4001; row++) {
        double vx = motion_value(&m, row, "x'"), vy = motion_value(&m, row, "y'");
        double pull =
            2.0 * (vx * vx + vy * vy) / 1.5 - 2.0 * 9.81 * motion_value(&m, row, "y") / 1.5;
        worst = fmax(worst, fabs(-2.0 * 1.5 * motion_value(&m, row, "force(rod)") - pull));
    }
    printf("rod %.2g\n", worst);
    assert_true(worst < 60.0 * 2e-13);
    motion_clear(&m);
}

// Against K0 at the sample itself: bodies that roll, joints some of whose forces are zero by
// symmetry, operators.
static void compare_with_equations(const char* file, double allowed) {
    enum { SAMPLES = 301, MOST = 400 };
    MotionOptions options = {.run = {.samples = SAMPLES, .keep_steps = true}};
    Motion m = motion_of_file(file, &options);
    assert_non_null(m.t);
    LiaEvaluator* at = NULL;
    assert_int_equal(lia_evaluator_create(m.system, &at), LIA_OK);
    double mu[MOST], worst = 0.0, size = 0.0;
    size_t rows = lia_evaluator_size(at, LIA_EVAL_MULTIPLIERS), compared = 0;
    assert_true(rows <= MOST);
    for (size_t k = 0; k < lia_trajectory_rows(m.t); k++) {
        double t = lia_trajectory_value(m.t, k, 0);
        if (lia_trajectory_evaluate(m.t, t, at) != LIA_OK) continue;  // beyond the last step
        assert_int_equal(lia_evaluator_get(at, LIA_EVAL_MULTIPLIERS, mu, rows), LIA_OK);
        for (size_t r = 0; r < rows; r++) {
            LiaRowInfo info;
            assert_true(lia_system_row(m.system, r, &info, sizeof info));
            double force = motion_value(&m, k, info.name);
            if (isnan(force)) continue;
            worst = fmax(worst, fabs(force - mu[r]));
            size = fmax(size, fabs(mu[r]));
            compared++;
        }
    }
    printf("%s %.2g of %.2g\n", file, worst, size);
    assert_true(compared > SAMPLES / 2 && worst <= allowed * size);
    lia_evaluator_destroy(at);
    motion_clear(&m);
}

static void forces_are_those_of_the_equations_at_the_sample(void) {
    static const char* files[] = {"examples/bicycle/bicycle.lia", "examples/disk/disk.lia",
                                  "examples/fixed/fixed.lia", "examples/sperry/sperry.lia",
                                  "examples/bricard/bricard.lia"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        compare_with_equations(files[i], 2e-12);
}

// K0 is factored at the ends of steps; for the samples inside, in few of them.
static void few_samples_inside_of_steps_factor(void) {
    Motion m = sampled("bench/models/skater.lia", 1001);
    LiaRunOptions options = {.samples = 1001};
    LiaRun* run = NULL;
    assert_int_equal(lia_run_create(m.system, &options, m.diags, &run), LIA_OK);
    LiaRunner* inside = runner_of(run);
    uint64_t steps = 0, factored = 0, samples = 0;
    for (LiaStatus status = LIA_OK; status == LIA_OK; steps++) {
        uint64_t before = inside->samples.next;
        inside->sampler->saddle.pivot = -1.0;  // what factoring sets
        status = lia_run_step(run);
        samples += inside->samples.next - before;
        factored += inside->sampler->saddle.pivot != -1.0;
    }
    printf("%llu samples in %llu steps, %llu of them with K0 factored\n",
           (unsigned long long)samples, (unsigned long long)steps, (unsigned long long)factored);
    assert_true(samples >= 990 && samples > 5 * steps && factored * 4 <= steps);
    lia_run_destroy(run);
    motion_clear(&m);
}

int main(void) {
    const TestCase tests[] = {
        TEST(few_samples_inside_of_steps_factor),
        TEST(forces_of_the_skater_are_those_of_newton),
        TEST(a_rod_pulls_with_weight_and_centrifugal_force),
        TEST(forces_are_those_of_the_equations_at_the_sample),
    };
    return TESTS_RUN(tests);
}
