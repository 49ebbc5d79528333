// A run as an object: however it is gone along, saved and restored, it is the motion of
// lia_motion_run(), to the last bit.
//
// Tests: motion/run/run.c
// SPDX-License-Identifier: MIT
#include "support/cases.h"
#include <liaison/liaison.h>
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A pendulum that is pulled up and down, with an event, a corner of the law, a constraint that is
// kept by projection.
static const char swing[] =
    "model swing\nparameter m = 1, g = 9.81\ncoordinate x, y : line\ncoordinate r : line\n"
    "kinetic m/2*(x'^2 + y'^2)\npotential m*g*y\n"
    "operator pull: r = 1 + 0.1*abs(sin(2*t))\nconstraint rod: x^2 + y^2 = r^2\n"
    "event low: x = 0\nstart x = 0.6, y ~ -0.8\nrun t = 0..6, samples 61\n";
static const char oscillator[] = "coordinate x : line\nkinetic x'^2/2\npotential x^2/2\n"
                                 "event far: x = 0.5 falling stop\nstart x' = 1\nrun t = 0..6\n";

typedef struct Made {
    LiaDiags* diags;
    LiaModel* model;
    LiaSystem* system;
} Made;

static Made make(const char* text) {
    Made made = {.diags = lia_diags_create()};
    assert_int_equal(lia_model_parse("test", text, strlen(text), NULL, made.diags, &made.model),
                     LIA_OK);
    assert_int_equal(lia_system_build(made.model, NULL, made.diags, &made.system), LIA_OK);
    return made;
}

static void release(Made* made) {
    lia_system_destroy(made->system);
    lia_model_destroy(made->model);
    lia_diags_destroy(made->diags);
}

// The JSON of a motion without the seconds it took.
static char* json_of(LiaTrajectory* motion) {
    char* text = lia_output_json(motion);
    assert_non_null(text);
    for (char* at = text; (at = strstr(at, "seconds\":")); at++) {
        for (char* c = at + strlen("seconds\":"); *c && *c != ',' && *c != '}' && *c != '\n'; c++)
            *c = '_';
    }
    return text;
}

// Numbers have other lengths in other runs: runs of '_' count as one.
static void assert_same(LiaTrajectory* a, LiaTrajectory* b) {
    char *x = json_of(a), *y = json_of(b);
    const char *p = x, *q = y;
    while (*p && *p == *q) {
        char c = *p++;
        q++;
        if (c != '_') continue;
        while (*p == '_') p++;
        while (*q == '_') q++;
    }
    assert_string_equal(p, q);
    lia_free(x);
    lia_free(y);
}

static LiaTrajectory* whole(const Made* made) {
    LiaTrajectory* motion = NULL;
    assert_int_equal(lia_motion_run(made->system, NULL, made->diags, &motion), LIA_OK);
    return motion;
}

static LiaRun* start(const Made* made, const LiaRunOptions* options) {
    LiaRun* run = NULL;
    assert_int_equal(lia_run_create(made->system, options, made->diags, &run), LIA_OK);
    return run;
}

static void steps_are_the_motion(void) {
    Made made = make(swing);
    LiaTrajectory *motion = whole(&made), *other = NULL;
    LiaRun* run = start(&made, NULL);
    LiaStatus status = LIA_OK;
    int steps = 0;
    while ((status = lia_run_step(run)) == LIA_OK) steps++;
    assert_int_equal(status, LIA_DONE);
    assert_int_equal(lia_run_step(run), LIA_DONE);
    assert_true(steps > 10);
    assert_true(lia_run_time(run) == 6.0);
    assert_int_equal(lia_run_trajectory(run, &other), LIA_OK);
    assert_same(motion, other);
    assert_int_equal(lia_run_step(run), LIA_ARGUMENT);
    assert_true(lia_run_time(run) == 6.0);
    lia_run_destroy(run);
    lia_trajectory_destroy(other);
    lia_trajectory_destroy(motion);
    release(&made);
}

static void advancing_does_not_change_it(void) {
    Made made = make(swing);
    LiaTrajectory *motion = whole(&made), *other = NULL;
    LiaRun* run = start(&made, NULL);
    double q[3], v[3], t = 0.0;
    assert_int_equal(lia_run_size(run), 3);
    for (size_t row = 1; row + 1 < lia_trajectory_rows(motion); row++) {
        t = lia_trajectory_value(motion, row, 0);
        assert_int_equal(lia_run_advance(run, t), LIA_OK);
        assert_true(lia_run_time(run) == t);
        assert_int_equal(lia_run_state(run, q, v), LIA_OK);
        for (size_t i = 0; i < 3; i++) {
            assert_float_equal(q[i], lia_trajectory_value(motion, row, 1 + i), 1e-11);
            assert_float_equal(v[i], lia_trajectory_value(motion, row, 4 + i), 1e-10);
        }
    }
    assert_int_equal(lia_run_advance(run, t - 1e-3), LIA_ARGUMENT);
    assert_int_equal(lia_run_advance(run, 7.0), LIA_DONE);
    assert_int_equal(lia_run_trajectory(run, &other), LIA_OK);
    assert_same(motion, other);
    lia_run_destroy(run);
    lia_trajectory_destroy(other);
    lia_trajectory_destroy(motion);
    release(&made);
}

// x = sin(t) falls through 1/2 at 5 pi/6; a step over it is not gone, and what was before it can be
// asked for.
static void events_as_they_come(void) {
    const double stop = 5.0 * acos(-1.0) / 6.0;
    Made made = make(oscillator);
    LiaRun* run = start(&made, NULL);
    LiaRunEvent event = {.name = "none"};
    double x, v;
    assert_int_equal(lia_run_advance(run, 2.0), LIA_OK);
    assert_false(lia_run_event(run, &event));
    assert_string_equal(event.name, "none");
    assert_int_equal(lia_run_state(run, &x, &v), LIA_OK);
    assert_float_equal(x, sin(2.0), 1e-11);
    assert_float_equal(v, cos(2.0), 1e-11);
    assert_int_equal(lia_run_advance(run, 6.0), LIA_STOPPED);
    assert_float_equal(lia_run_time(run), stop, 1e-11);
    assert_true(lia_run_event(run, &event));
    assert_string_equal(event.name, "far");
    assert_int_equal(event.index, 0);
    assert_int_equal(event.direction, -1);
    assert_true(event.stop);
    assert_float_equal(event.t, stop, 1e-11);
    assert_false(lia_run_event(run, &event));
    assert_int_equal(lia_run_step(run), LIA_STOPPED);
    assert_int_equal(lia_run_state_at(run, event.t - 1e-3, &x, NULL), LIA_OK);
    assert_float_equal(x, sin(stop - 1e-3), 1e-11);
    assert_int_equal(lia_run_state_at(run, event.t + 1e-3, &x, NULL), LIA_ARGUMENT);
    LiaTrajectory* motion = NULL;
    assert_int_equal(lia_run_trajectory(run, &motion), LIA_STOPPED);
    assert_string_equal(lia_trajectory_status(motion), "stopped");
    assert_int_equal(lia_run_state(run, &x, NULL), LIA_OK);
    lia_trajectory_destroy(motion);
    lia_run_destroy(run);
    release(&made);
}

static void saved_and_restored(void) {
    Made made = make(swing);
    LiaTrajectory *motion = whole(&made), *other = NULL;
    LiaRun *run = start(&made, NULL), *second = start(&made, NULL);
    char* bytes = NULL;
    size_t length = 0;
    double q[3], back[3];
    assert_int_equal(lia_run_advance(run, 2.345), LIA_OK);
    assert_int_equal(lia_run_state(run, q, NULL), LIA_OK);
    assert_int_equal(lia_run_save(run, &bytes, &length), LIA_OK);
    assert_int_equal(lia_run_advance(run, 5.0), LIA_OK);
    assert_int_equal(lia_run_restore(run, bytes, length), LIA_OK);
    assert_true(lia_run_time(run) == 2.345);
    assert_int_equal(lia_run_state(run, back, NULL), LIA_OK);
    assert_memory_equal(q, back, sizeof q);
    while (lia_run_step(run) == LIA_OK) continue;
    assert_int_equal(lia_run_trajectory(run, &other), LIA_OK);
    assert_same(motion, other);
    lia_trajectory_destroy(other);
    // into another run; what is damaged or not of it changes nothing
    bytes[length / 2] ^= 1;
    assert_int_equal(lia_run_restore(second, bytes, length), LIA_ARGUMENT);
    assert_int_equal(lia_run_restore(second, bytes, length - 1), LIA_ARGUMENT);
    assert_int_equal(lia_run_restore(second, bytes, 3), LIA_ARGUMENT);
    bytes[length / 2] ^= 1;
    assert_true(lia_run_time(second) == 0.0);
    assert_int_equal(lia_run_restore(second, bytes, length), LIA_OK);
    assert_int_equal(lia_run_advance(second, 100.0), LIA_DONE);
    assert_int_equal(lia_run_trajectory(second, &other), LIA_OK);
    assert_same(motion, other);
    lia_trajectory_destroy(other);
    lia_free(bytes);
    lia_run_destroy(run);
    lia_run_destroy(second);
    lia_trajectory_destroy(motion);
    release(&made);
}

static void a_run_without_an_end(void) {
    Made made = make("coordinate x : line\nkinetic x'^2/2\npotential x^2/2\nstart x' = 1\n");
    double never = INFINITY, x;
    LiaRunOptions options = {.until = &never};
    LiaTrajectory* motion = NULL;
    assert_int_equal(lia_motion_run(made.system, &options, made.diags, &motion), LIA_ARGUMENT);
    LiaRun* run = start(&made, &options);
    for (int k = 1; k <= 300; k++) {
        assert_int_equal(lia_run_advance(run, k), LIA_OK);
        assert_int_equal(lia_run_state(run, &x, NULL), LIA_OK);
        assert_float_equal(x, sin(k), 1e-9);
    }
    assert_int_equal(lia_run_trajectory(run, &motion), LIA_OK);
    assert_int_equal(lia_trajectory_rows(motion), 1);
    assert_string_equal(lia_trajectory_status(motion), "done");
    double t = 0.0;
    assert_true(lia_trajectory_final(motion, "t", &t));
    assert_true(t >= 300.0 && t < 310.0);
    lia_trajectory_destroy(motion);
    lia_run_destroy(run);
    // rows where they are asked for
    options.every = 0.5;
    run = start(&made, &options);
    assert_int_equal(lia_run_advance(run, 10.0), LIA_OK);
    assert_int_equal(lia_run_trajectory(run, &motion), LIA_OK);
    assert_true(lia_trajectory_rows(motion) >= 21);
    assert_true(lia_trajectory_value(motion, 7, 0) == 3.5);
    assert_float_equal(lia_trajectory_value(motion, 7, 1), sin(3.5), 1e-11);
    lia_trajectory_destroy(motion);
    lia_run_destroy(run);
    // nothing moves: one step is not the whole of time
    Made rest = make("coordinate x : line\nkinetic x'^2/2\n");
    run = start(&rest, &options);
    assert_int_equal(lia_run_step(run), LIA_OK);
    assert_true(isfinite(lia_run_time(run)) && lia_run_time(run) > 0.0);
    assert_int_equal(lia_run_advance(run, 1e3), LIA_OK);
    lia_run_destroy(run);
    release(&rest);
    release(&made);
}

static void ended_by_its_program(void) {
    Made made = make(swing);
    LiaRun* run = start(&made, NULL);
    LiaTrajectory* motion = NULL;
    assert_int_equal(lia_run_advance(run, 3.0), LIA_OK);
    assert_int_equal(lia_run_trajectory(run, &motion), LIA_STOPPED);
    assert_non_null(strstr(lia_trajectory_reason(motion), "its program ended it"));
    assert_true(lia_trajectory_rows(motion) >= 31 && lia_trajectory_rows(motion) < 61);
    LiaTrajectory* second = NULL;
    assert_int_equal(lia_run_trajectory(run, &second), LIA_ARGUMENT);
    lia_run_destroy(run);
    lia_trajectory_destroy(motion);
    release(&made);
}

// A motion that fails, at once or on the way, and a budget of steps.
static void that_cannot_go_on(void) {
    LiaTrajectory* motion = NULL;
    Made made = make("coordinate x : line\nkinetic x'^2/2\npotential -x^4\nstart x = 1\n"
                     "run t = 0..10\n");
    LiaRun* run = start(&made, NULL);
    assert_int_equal(lia_run_advance(run, 10.0), LIA_FAILED);
    assert_true(lia_run_time(run) < 10.0);
    char* bytes = (char*)&made;
    size_t length = 1;
    assert_int_equal(lia_run_save(run, &bytes, &length), LIA_ARGUMENT);
    assert_null(bytes);
    assert_int_equal(lia_run_trajectory(run, &motion), LIA_FAILED);
    lia_trajectory_destroy(motion);
    lia_run_destroy(run);
    LiaRunOptions options = {.steps_most = 2};
    run = start(&made, &options);
    assert_int_equal(lia_run_step(run), LIA_OK);
    assert_int_equal(lia_run_step(run), LIA_OK);
    assert_int_equal(lia_run_step(run), LIA_STOPPED);
    assert_int_equal(lia_run_trajectory(run, &motion), LIA_STOPPED);
    assert_int_equal(lia_trajectory_spent(motion), LIA_SPENT_STEPS);
    lia_trajectory_destroy(motion);
    lia_run_destroy(run);
    volatile int flag = 1;
    options = (LiaRunOptions){.interrupt = &flag};
    assert_int_equal(lia_run_create(made.system, &options, made.diags, &run), LIA_STOPPED);
    assert_null(run);
    flag = 0;
    run = start(&made, &options);
    assert_int_equal(lia_run_step(run), LIA_OK);
    flag = 1;
    assert_int_equal(lia_run_advance(run, 5.0), LIA_STOPPED);
    assert_int_equal(lia_run_trajectory(run, &motion), LIA_STOPPED);
    assert_int_equal(lia_trajectory_spent(motion), LIA_SPENT_INTERRUPT);
    lia_trajectory_destroy(motion);
    lia_run_destroy(run);
    release(&made);
}

int main(void) {
    const TestCase tests[] = {
        TEST(steps_are_the_motion), TEST(advancing_does_not_change_it), TEST(events_as_they_come),
        TEST(saved_and_restored),   TEST(a_run_without_an_end),         TEST(ended_by_its_program),
        TEST(that_cannot_go_on),
    };
    return TESTS_RUN(tests);
}
