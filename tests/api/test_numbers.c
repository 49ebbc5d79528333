// States from numbers, motions as columns and at any time, and what is reported of them as structs.
//
// Tests: motion/result/dense_output.c, motion/result/findings.c, motion/result/state_values.c
// Tests: motion/result/trajectory.c
// SPDX-License-Identifier: MIT
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOP                                                                                        \
    "body b: mass 2, inertia [1, 2, 2.5], free\ngravity [0, 0, -9.81]\n"                           \
    "joint ball: spherical(ground, b at [0, 0.1, 0.4])\n"                                          \
    "start b.attitude = roty(-0.9), omega(b.attitude) = [1, 2, 3]\nrun t = 0..1, samples 11\n"

static void near(double x, double y, double error) {
    if (!(fabs(x - y) <= error)) fail_msg("%.17g is not %.17g", x, y);
}

// --- states -------------------------------------------------------------------------------------

// A run, its state in the middle as numbers, and on from there: the whole run.
static void a_state_from_numbers_goes_on(void) {
    Motion m = motion_of(TOP, &(MotionOptions){.run = {.keep_steps = true}});
    assert_non_null(m.t);
    double q[7], v[7], q1[7], v1[7];
    assert_int_equal(lia_trajectory_at(m.t, 0.4, q, v, NULL), LIA_OK);
    LiaState* s = NULL;
    assert_int_equal(lia_state_create(m.model, 0.4, q, v, &s), LIA_OK);
    assert_true(lia_state_time(s) == 0.4);
    assert_int_equal(lia_state_read(s, q1, v1), LIA_OK);
    for (int i = 0; i < 7; i++) near(q1[i], q[i], 0.0), near(v1[i], v[i], 1e-15);
    LiaRunOptions options = {.from = s, .samples = 7};
    LiaTrajectory* rest = NULL;
    assert_int_equal(lia_motion_run(m.system, &options, m.diags, &rest), LIA_OK);
    for (size_t k = 0; k < 15; k++) {
        near(lia_trajectory_value(rest, 6, k), lia_trajectory_value(m.t, 10, k), 1e-11);
    }
    lia_trajectory_destroy(rest);
    lia_state_destroy(s);
    motion_clear(&m);
}

// What is not given is found; what contradicts the constraints is refused.
static void numbers_that_are_missing_or_wrong(void) {
    static const char circle[] = "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"
                                 "constraint c: x^2 + y^2 = 1\nstart x = 1\nrun t = 0..1\n";
    Motion m = motion_of(circle, NULL);
    LiaState* s = NULL;
    LiaTrajectory* out = NULL;
    LiaDiags* diags = lia_diags_create();
    const double q[] = {0.6, NAN}, v[] = {NAN, 0.3};
    assert_int_equal(lia_state_create(m.model, NAN, q, v, &s), LIA_OK);
    LiaRunOptions options = {.from = s};
    assert_int_equal(lia_motion_run(m.system, &options, diags, &out), LIA_OK);
    near(fabs(lia_trajectory_value(out, 0, 2)), 0.8, 1e-12);
    near(lia_trajectory_value(out, 0, 1), 0.6, 0.0);
    near(lia_trajectory_value(out, 0, 4), 0.3, 0.0);
    lia_trajectory_destroy(out);
    assert_int_equal(lia_state_set(s, "y", 0.9), LIA_OK);
    assert_int_equal(lia_motion_run(m.system, &options, diags, &out), LIA_MODEL);
    assert_null(out);
    assert_true(lia_diags_errors(diags) > 0);
    lia_state_destroy(s);
    lia_diags_destroy(diags);
    motion_clear(&m);
}

static void names_and_indices_mean_the_same(void) {
    Motion m = motion_of(TOP, NULL);
    LiaState* s = lia_state_of(m.t);
    LiaMotionInfo run;
    assert_true(lia_trajectory_info(m.t, &run, sizeof run));
    double value = 0.0;
    for (size_t k = 0; k < lia_trajectory_columns(m.t); k++) {
        LiaColumnInfo c;
        assert_true(lia_trajectory_column_info(m.t, k, &c, sizeof c));
        bool is_state = c.kind == LIA_COLUMN_TIME || c.kind == LIA_COLUMN_POSITION ||
                        c.kind == LIA_COLUMN_VELOCITY;
        assert_true(lia_state_get(s, c.name, &value) == is_state);
        if (is_state) near(value, lia_trajectory_value(m.t, 10, k), 1e-12);
    }
    assert_int_equal(lia_state_set(s, "b.attitude'.y", 4.5), LIA_OK);
    size_t y = lia_model_find(m.model, LIA_THING_COORDINATE, "b.attitude.y");
    assert_true(lia_state_velocity(s, y) == 4.5);
    assert_int_equal(lia_state_set_velocity(s, y, 5.5), LIA_OK);
    assert_true(lia_state_get(s, "b.attitude'.y", &value) && value == 5.5);
    assert_int_equal(lia_state_set_position(s, y, 0.25), LIA_OK);
    assert_true(lia_state_get(s, "b.attitude.y", &value) && value == 0.25);
    assert_true(isnan(lia_state_velocity(s, y - 2)));  // w has none
    assert_int_equal(lia_state_set_velocity(s, y - 2, 1.0), LIA_ARGUMENT);
    assert_int_equal(lia_state_set(s, "b.attitude'.w", 1.0), LIA_ARGUMENT);
    assert_int_equal(lia_state_set(s, "b.attitude'", 1.0), LIA_ARGUMENT);
    assert_int_equal(lia_state_set(s, "t", 0.25), LIA_OK);
    assert_true(lia_state_time(s) == 0.25);
    // an angular velocity in part begins nothing
    assert_int_equal(lia_state_set(s, "b.attitude'.y", NAN), LIA_OK);
    LiaDiags* diags = lia_diags_create();
    LiaTrajectory* out = NULL;
    LiaRunOptions options = {.from = s};
    assert_int_equal(lia_motion_run(m.system, &options, diags, &out), LIA_MODEL);
    LiaMessageInfo said;
    assert_true(lia_diags_message(diags, 0, &said, sizeof said));
    assert_string_equal(said.code, "E0318");
    lia_diags_destroy(diags);
    lia_state_destroy(s);
    motion_clear(&m);
}

static void a_state_can_be_evaluated(void) {
    Motion m = motion_of(TOP, NULL);
    LiaState* s = lia_state_of(m.t);
    LiaEvaluator* at = NULL;
    assert_int_equal(lia_evaluator_create(m.system, &at), LIA_OK);
    assert_int_equal(lia_state_evaluate(s, at), LIA_OK);
    double mu[4], force;
    assert_int_equal(lia_evaluator_get(at, LIA_EVAL_MULTIPLIERS, mu, 4), LIA_OK);
    static const char* const names[] = {"force(ball)[1]", "force(ball)[2]", "force(ball)[3]"};
    for (int i = 0; i < 3; i++) {
        assert_true(lia_trajectory_final(m.t, names[i], &force));
        near(mu[i], force, 1e-10);
    }
    assert_int_equal(lia_state_set(s, "b.position.x", NAN), LIA_OK);
    assert_int_equal(lia_state_evaluate(s, at), LIA_ARGUMENT);
    lia_evaluator_destroy(at);
    lia_state_destroy(s);
    motion_clear(&m);
}

// --- any time -----------------------------------------------------------------------------------

// A pendulum pumped, forwards and backwards: at each sample the polynomials are the sample.
static void samples_lie_on_the_pieces(void) {
    static const char* const texts[] = {
        "coordinate theta : circle\ncoordinate r : line\nkinetic (r'^2 + r^2*theta'^2)/2\n"
        "potential -9.81*r*cos(theta)\noperator length: r = 2.5 + 0.15*sin(3.96*t)\n"
        "start theta = 0.2\nrun t = 0..20, samples 501\n",
        "coordinate theta : circle\nkinetic theta'^2/2\npotential -cos(theta)\nstart theta = 3\n"
        "run t = 0..-20, samples 501\n",
        // corners: pieces of all lengths
        "coordinate x : line\nkinetic x'^2/2\npotential abs(x) + abs(x - 0.3)\nstart x = 1\n"
        "run t = 0..20, samples 501\n",
        TOP};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        Motion m = motion_of(texts[k], &(MotionOptions){.run = {.keep_steps = true}});
        assert_non_null(m.t);
        size_t n = lia_model_count(m.model, LIA_THING_COORDINATE),
               lines = lia_system_lines(m.system);
        double q[8], v[8], work[8];
        assert_true(n <= 8 && lines <= 8);
        for (size_t row = 0; row < lia_trajectory_rows(m.t); row++) {
            double t = lia_trajectory_value(m.t, row, 0);
            assert_int_equal(lia_trajectory_at(m.t, t, q, v, work), LIA_OK);
            for (size_t i = 0; i < n; i++) {
                near(q[i], lia_trajectory_value(m.t, row, 1 + i), 1e-11);
                if (n < 7) near(v[i], lia_trajectory_value(m.t, row, 1 + n + i), 1e-11);
            }
            if (k == 0) {
                size_t stride, column = lia_trajectory_find(m.t, "work(length)");
                near(work[0], lia_trajectory_data(m.t, column, &stride)[row * stride], 1e-11);
            }
        }
        LiaMotionInfo run;
        assert_true(lia_trajectory_info(m.t, &run, sizeof run));
        double before = run.t0 - (run.t1 - run.t0) * 1e-3,
               after = run.t1 + (run.t1 - run.t0) * 1e-3;
        assert_int_equal(lia_trajectory_at(m.t, before, q, v, work), LIA_ARGUMENT);
        assert_int_equal(lia_trajectory_at(m.t, after, q, v, work), LIA_ARGUMENT);
        assert_int_equal(lia_trajectory_at(m.t, NAN, q, v, work), LIA_ARGUMENT);
        motion_clear(&m);
    }
}

// Between samples: the closed form, and velocities that jump.
static void between_samples_the_motion_is_exact(void) {
    Motion m = motion_of("coordinate x : line\nkinetic x'^2/2\npotential x^2/2\nstart x = 1\n"
                         "run t = 0..10, samples 2\n",
                         &(MotionOptions){.run = {.keep_steps = true}});
    for (int i = 0; i <= 1000; i++) {
        double t = 0.01 * i, q, v;
        assert_int_equal(lia_trajectory_at(m.t, t, &q, &v, NULL), LIA_OK);
        near(q, cos(t), 1e-12);
        near(v, -sin(t), 1e-12);
    }
    motion_clear(&m);
    m = motion_of("coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"
                  "operator drive: x = abs(t - 1)\nrun t = 0..2, samples 3\n",
                  &(MotionOptions){.run = {.keep_steps = true}});
    double q[2], v[2];
    assert_int_equal(lia_trajectory_at(m.t, nextafter(1.0, 0.0), q, v, NULL), LIA_OK);
    near(v[0], -1.0, 1e-12);
    assert_int_equal(lia_trajectory_at(m.t, 1.0, q, v, NULL), LIA_OK);
    near(v[0], 1.0, 1e-12);
    // the jump itself
    LiaJumpInfo jump;
    LiaJumpVelocityInfo velocity;
    LiaImpulseInfo impulse;
    assert_int_equal(lia_trajectory_jumps(m.t), 1);
    assert_true(lia_trajectory_jump(m.t, 0, &jump, sizeof jump));
    near(jump.t, 1.0, 1e-12);
    assert_true(jump.velocities == 1 && jump.impulses == 1 && jump.unique);
    assert_true(lia_trajectory_jump_velocity(m.t, 0, 0, &velocity, sizeof velocity));
    assert_string_equal(velocity.name, "x'");
    assert_int_equal(velocity.column, lia_trajectory_find(m.t, "x'"));
    near(velocity.after - velocity.before, 2.0, 1e-12);
    assert_true(lia_trajectory_impulse(m.t, 0, 0, &impulse, sizeof impulse));
    assert_true(impulse.constraint == 0 && impulse.active && impulse.count == 1);
    near(impulse.values[0], 2.0, 1e-12);
    near(impulse.work, 0.0, 1e-12);
    assert_false(lia_trajectory_jump_velocity(m.t, 0, 1, &velocity, sizeof velocity));
    assert_false(lia_trajectory_impulse(m.t, 1, 0, &impulse, sizeof impulse));
    motion_clear(&m);
}

// A run that goes on from a file knows its steps from there on.
static void a_run_that_was_resumed_begins_there(void) {
    char folder[] = "/tmp/liaison-numbers-XXXXXX", path[100];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/kept", folder);
    static const char text[] = "coordinate x : line\nkinetic x'^2/2\npotential x^2/2\n"
                               "start x = 1\nrun t = 0..50, samples 2\n";
    Motion first = motion_of(text, &(MotionOptions){.run = {.steps_most = 5, .checkpoint = path}});
    LiaMotionInfo part;
    assert_true(lia_trajectory_info(first.t, &part, sizeof part) && part.status == LIA_STOPPED);
    Motion m = motion_of(text, &(MotionOptions){.run = {.resume = path, .keep_steps = true}});
    assert_int_equal(m.status, LIA_OK);
    double q = 0.0;
    assert_int_equal(lia_trajectory_at(m.t, 0.5 * part.t, &q, NULL, NULL), LIA_ARGUMENT);
    assert_int_equal(lia_trajectory_at(m.t, part.t, &q, NULL, NULL), LIA_OK);
    near(q, cos(part.t), 1e-11);
    assert_int_equal(lia_trajectory_at(m.t, 50.0, &q, NULL, NULL), LIA_OK);
    near(q, cos(50.0), 1e-10);
    motion_clear(&first);
    motion_clear(&m);
    remove(path);
    remove(folder);
}

static void a_run_that_keeps_no_steps_has_none(void) {
    Motion m = motion_of(TOP, NULL);
    double q[7];
    assert_int_equal(lia_trajectory_at(m.t, 0.5, q, NULL, NULL), LIA_ARGUMENT);
    motion_clear(&m);
}

// --- what is reported ---------------------------------------------------------------------------

static void columns_are_blocks_of_numbers(void) {
    Motion m = motion_of(TOP, NULL);
    size_t rows = lia_trajectory_rows(m.t), stride = 0;
    assert_true(rows == 11 && lia_trajectory_width(m.t) > lia_trajectory_columns(m.t));
    for (size_t k = 0; k < lia_trajectory_width(m.t); k++) {
        double series[11];
        LiaColumnInfo info;
        assert_true(lia_trajectory_column_info(m.t, k, &info, sizeof info));
        assert_int_equal(lia_trajectory_series(m.t, k, series, rows), LIA_OK);
        const double* data = lia_trajectory_data(m.t, k, &stride);
        for (size_t i = 0; i < rows; i++) {
            assert_true(series[i] == data[i * stride]);
            if (info.csv) assert_true(series[i] == lia_trajectory_value(m.t, i, k));
        }
        if (info.csv) assert_int_equal(lia_trajectory_find(m.t, info.name), k);
        assert_true(info.csv == (k < lia_trajectory_columns(m.t)));
    }
    motion_clear(&m);
}

static void reports_say_what_the_json_says(void) {
    Motion m = motion_of("parameter g = 9.81\ncoordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"
                         "potential g*y\ndissipation 0.1*x'^2/2\nconstraint hill: hypot(x, y) = 1\n"
                         "event side: x = 0.3\nevent leaves: force(hill) = 0 falling stop\n"
                         "start x = 0, y = 1, x' = 0.5\nrun t = 0..1\n",
                         NULL);
    assert_int_equal(m.status, LIA_STOPPED);
    LiaMotionInfo run;
    LiaReasonInfo reason;
    LiaOccurrenceInfo event;
    LiaLedgerInfo line;
    LiaHeldInfo held;
    double value;
    assert_true(lia_trajectory_info(m.t, &run, sizeof run));
    assert_true(run.status == LIA_STOPPED && run.t < run.t1 && run.t1 == 1.0 && run.steps > 0);
    assert_true(lia_trajectory_final(m.t, "balance", &value) && value == run.balance);
    assert_true(lia_trajectory_reason_info(m.t, &reason, sizeof reason));
    assert_string_equal(reason.code, "event");
    assert_string_equal(reason.text, lia_trajectory_reason(m.t));
    assert_true(reason.t == run.t && reason.line == 8 && reason.spent == LIA_SPENT_NOTHING);
    assert_int_equal(lia_trajectory_events(m.t), 2);
    assert_true(lia_trajectory_event(m.t, 0, &event, sizeof event));
    assert_true(event.event == 0 && !event.stop && event.direction == 1 && event.state_count == 4);
    near(event.state[0], 0.3, 1e-12);
    assert_true(lia_trajectory_event(m.t, 1, &event, sizeof event));
    assert_true(event.event == 1 && event.stop && event.direction == -1 && event.t == run.t);
    assert_string_equal(event.name, "leaves");
    bool seen = false;
    double works = 0.0;
    for (size_t i = 0; i < lia_trajectory_ledger_lines(m.t); i++) {
        assert_true(lia_trajectory_ledger(m.t, i, &line, sizeof line));
        works += line.work;
        if (line.kind != LIA_LINE_DISSIPATION) continue;
        seen = true;
        assert_true(lia_trajectory_final(m.t, "work(dissipation)", &value) && value == line.work);
    }
    assert_true(seen);
    near(works, run.energy_end - run.energy_start, 1e-11);
    assert_true(lia_trajectory_constraint(m.t, 0, &held, sizeof held));
    assert_string_equal(held.name, "hill");
    assert_true(!held.active && held.equations == 1 && held.worst < 1e-10 && held.unique);
    assert_false(lia_trajectory_constraint(m.t, 1, &held, sizeof held));
    motion_clear(&m);
    m = motion_of("coordinate x : line\nkinetic x'^2/2\npotential x^2\nstart x = 1\n"
                  "run t = 0..1\n",
                  NULL);
    LiaConservedInfo kept;
    assert_int_equal(lia_trajectory_conserved_count(m.t), 1);
    assert_true(lia_trajectory_conserved(m.t, 0, &kept, sizeof kept));
    assert_string_equal(kept.name, "energy");
    near(kept.value, 1.0, 1e-12);
    assert_false(lia_trajectory_reason_info(m.t, &reason, sizeof reason));
    motion_clear(&m);
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_state_from_numbers_goes_on),        TEST(numbers_that_are_missing_or_wrong),
        TEST(names_and_indices_mean_the_same),     TEST(a_state_can_be_evaluated),
        TEST(samples_lie_on_the_pieces),           TEST(between_samples_the_motion_is_exact),
        TEST(a_run_that_was_resumed_begins_there), TEST(a_run_that_keeps_no_steps_has_none),
        TEST(columns_are_blocks_of_numbers),       TEST(reports_say_what_the_json_says),
    };
    return TESTS_RUN(tests);
}
