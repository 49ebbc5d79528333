// Controls that a program sets while the motion runs: against closed forms, and against the same
// law written in the model.
//
// By law: motion/run/control.c: a law that a program sets is in force from its instant on
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

typedef struct Made {
    LiaDiags* diags;
    LiaModel* model;
    LiaSystem* system;
    LiaRun* run;
} Made;

static Made make(const char* text) {
    Made made = {.diags = lia_diags_create()};
    assert_int_equal(lia_model_parse("test", text, strlen(text), NULL, made.diags, &made.model),
                     LIA_OK);
    assert_int_equal(lia_system_build(made.model, NULL, made.diags, &made.system), LIA_OK);
    assert_int_equal(lia_run_create(made.system, NULL, made.diags, &made.run), LIA_OK);
    return made;
}

static void release(Made* made) {
    lia_run_destroy(made->run);
    lia_system_destroy(made->system);
    lia_model_destroy(made->model);
    lia_diags_destroy(made->diags);
}

// A force that is 2 for a second and -1 after: x = t^2, then 1 + 2 (t - 1) - (t - 1)^2/2.
static void a_force_held(void) {
    Made made = make("control u\ncoordinate x : line\nkinetic x'^2/2\nforce f: u*d(x)\n"
                     "start x = 0\nrun t = 0..3\n");
    double x, v, up = 2.0, down = -1.0;
    assert_int_equal(lia_run_control(made.run, "u", &up, 1, 1.0), LIA_OK);
    assert_int_equal(lia_run_advance(made.run, 0.5), LIA_OK);
    assert_int_equal(lia_run_state(made.run, &x, NULL), LIA_OK);
    assert_float_equal(x, 0.25, 1e-13);
    assert_int_equal(lia_run_control(made.run, "u", &down, 1, 3.0), LIA_ARGUMENT);  // in a step
    assert_int_equal(lia_run_advance(made.run, 2.0), LIA_CONTROL);
    assert_true(lia_run_time(made.run) == 1.0);
    assert_int_equal(lia_run_step(made.run), LIA_CONTROL);
    assert_int_equal(lia_run_control(made.run, "u", &down, 1, INFINITY), LIA_OK);
    assert_int_equal(lia_run_advance(made.run, 3.0), LIA_DONE);
    assert_int_equal(lia_run_state(made.run, &x, &v), LIA_OK);
    assert_float_equal(x, 3.0, 1e-12);
    assert_float_equal(v, 0.0, 1e-12);
    LiaTrajectory* motion = NULL;
    assert_int_equal(lia_run_trajectory(made.run, &motion), LIA_OK);
    double work = 0.0, balance = 1.0;
    assert_true(lia_trajectory_final(motion, "work(f)", &work));
    assert_true(lia_trajectory_final(motion, "balance", &balance));
    assert_float_equal(work, 0.0, 1e-12);
    assert_true(fabs(balance) < 1e-12);
    lia_trajectory_destroy(motion);
    release(&made);
}

// A cart that is driven along, with a mass m on a spring of it: its velocity jumps by an impulse,
// its position may not.
static const char cart[] = "parameter M = 3\ncontrol u\ncoordinate s, x : line\n"
                           "kinetic M/2*s'^2 + (x' + s')^2/2\npotential x^2/2\n"
                           "operator drive: s = u\nstart x = 0\nrun t = 0..2\n";

static void velocities_jump_positions_do_not(void) {
    Made made = make(cart);
    double q[2], v[2], leap[] = {0.5}, ramp[] = {0.0, 2.0};
    assert_int_equal(lia_run_control(made.run, "u", leap, 1, 1.0), LIA_MODEL);
    char* said = lia_diags_text(made.diags);
    assert_non_null(strstr(said, "E0333"));
    lia_free(said);
    assert_int_equal(lia_run_advance(made.run, 1.0), LIA_OK);
    assert_int_equal(lia_run_step(made.run), LIA_DONE);  // nothing moves
    release(&made);
    made = make(cart);
    assert_int_equal(lia_run_control(made.run, "u", ramp, 2, 1.0), LIA_OK);
    assert_int_equal(lia_run_state(made.run, q, v), LIA_OK);
    assert_float_equal(v[0], 2.0, 1e-12);   // s'
    assert_float_equal(v[1], -2.0, 1e-12);  // the mass stays where it is: x' + s' = 0
    assert_int_equal(lia_run_advance(made.run, 1.0), LIA_OK);
    assert_int_equal(lia_run_state(made.run, q, v), LIA_OK);
    assert_float_equal(q[0], 2.0, 1e-12);
    assert_float_equal(q[1], -2.0 * sin(1.0), 1e-11);  // x'' + s'' = -x
    double hold = 2.0;
    assert_int_equal(lia_run_control(made.run, "u", &hold, 1, INFINITY), LIA_OK);
    assert_int_equal(lia_run_state(made.run, q, v), LIA_OK);
    assert_float_equal(v[0], 0.0, 1e-12);
    assert_float_equal(v[1], 2.0 - 2.0 * cos(1.0), 1e-11);
    assert_int_equal(lia_run_advance(made.run, 2.0), LIA_DONE);
    LiaTrajectory* motion = NULL;
    assert_int_equal(lia_run_trajectory(made.run, &motion), LIA_OK);
    char* json = lia_output_json(motion);
    const char* jumps = strstr(json, "\"jumps\"");
    assert_non_null(jumps);
    assert_non_null(strstr(jumps, "\"drive\""));
    double balance = 1.0;
    assert_true(lia_trajectory_final(motion, "balance", &balance));
    assert_true(fabs(balance) < 1e-11);  // the works of the impulses are in the ledger
    lia_free(json);
    lia_trajectory_destroy(motion);
    release(&made);
}

// A block on a rough floor, pushed by a program: it sticks up to the bound of 3, slides, stops, and
// is lifted. A run that is saved where it slides goes on as this one does.
static void a_block_is_pushed(void) {
    Made made = make("control u, w\ncoordinate x, z : line\nkinetic (x'^2 + z'^2)/2\n"
                     "potential 10*z\nforce f: u*d(x) + w*d(z)\n"
                     "contact floor: z >= 0 slip x' friction 0.3\nstart z = 0\nrun t = 0..5\n");
    const double push[] = {2.0, 4.0, 0.0}, rest = 0.0, lift = 12.0;
    double q[2], v[2], p[2], w[2];
    for (int k = 0; k < 3; k++) {
        assert_int_equal(lia_run_control(made.run, "u", &push[k], 1, k + 1.0), LIA_OK);
        assert_int_equal(lia_run_advance(made.run, k + 1.0), LIA_OK);
        assert_int_equal(lia_run_state(made.run, q, v), LIA_OK);
        assert_float_equal(q[0], k == 0 ? 0.0 : k == 1 ? 0.5 : 0.5 + 1.0 / 6.0, 1e-12);
        assert_float_equal(v[0], k == 1 ? 1.0 : 0.0, 1e-12);
    }
    assert_int_equal(lia_run_control(made.run, "u", &rest, 1, INFINITY), LIA_OK);
    assert_int_equal(lia_run_control(made.run, "w", &lift, 1, 4.0), LIA_OK);
    char* saved = NULL;
    size_t length = 0;
    assert_int_equal(lia_run_save(made.run, &saved, &length), LIA_OK);
    assert_int_equal(lia_run_advance(made.run, 4.0), LIA_OK);
    assert_int_equal(lia_run_state(made.run, q, v), LIA_OK);
    assert_float_equal(q[1], 1.0, 1e-12);
    LiaRun* again = NULL;
    assert_int_equal(lia_run_create(made.system, NULL, made.diags, &again), LIA_OK);
    assert_int_equal(lia_run_restore(again, saved, length), LIA_OK);
    assert_int_equal(lia_run_advance(again, 4.0), LIA_OK);
    assert_int_equal(lia_run_state(again, p, w), LIA_OK);
    assert_true(memcmp(p, q, sizeof p) == 0 && memcmp(w, v, sizeof w) == 0);
    lia_run_destroy(again);
    lia_free(saved);
    release(&made);
}

// A table is jerked up with a block on it, which it strikes, and stops: the block flies and comes
// back. A table that leaps takes nothing along, and is refused: the motion goes on without it.
static void a_table_is_jerked(void) {
    Made made = make("control u, h\ncoordinate z, s : line\nkinetic (z'^2 + s'^2)/2\n"
                     "potential 10*z\noperator lift: s' = u\n"
                     "contact table: z - s - h >= 0 restitution 0.5\nstart z = 0, s = 0\n"
                     "run t = 0..2\n");
    const double up = 2.0, stop = 0.0, leap = 0.5;
    double q[2], v[2];
    assert_int_equal(lia_run_control(made.run, "h", &leap, 1, INFINITY), LIA_MODEL);
    assert_int_equal(lia_run_control(made.run, "u", &up, 1, 1.0), LIA_OK);
    assert_int_equal(lia_run_state(made.run, q, v), LIA_OK);
    assert_float_equal(v[0], 3.0, 1e-14);  // it gives back half; all flights are over at 0.4
    assert_int_equal(lia_run_advance(made.run, 1.0), LIA_OK);
    assert_int_equal(lia_run_control(made.run, "u", &stop, 1, INFINITY), LIA_OK);
    assert_int_equal(lia_run_advance(made.run, 1.5), LIA_OK);  // it fell at 1.4
    assert_int_equal(lia_run_state(made.run, q, v), LIA_OK);
    assert_float_equal(q[0], 2.0 + 0.1 - 5.0 * 0.01, 1e-12);
    assert_float_equal(v[0], 0.0, 1e-12);
    assert_int_equal(lia_run_advance(made.run, 2.0), LIA_DONE);
    LiaTrajectory* motion = NULL;
    double balance = 1.0;
    assert_int_equal(lia_run_trajectory(made.run, &motion), LIA_OK);
    assert_true(lia_trajectory_final(motion, "balance", &balance));
    assert_true(fabs(balance) < 1e-12);
    lia_trajectory_destroy(motion);
    release(&made);
}

// u = t^3 - t, set piece by piece, is the law written in the model; also through a constraint that
// is kept by projection.
static void pieces_of_a_law(void) {
    static const char open[] =
        "control u\ncoordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\n"
        "constraint rod: x^2 + (y - u)^2 = 1\nforce f: u'*d(x)\nstart x = 0.6, y ~ -0.8\n"
        "run t = 0..2\n";
    static const char written[] =
        "control u = t^3 - t\ncoordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\n"
        "constraint rod: x^2 + (y - u)^2 = 1\nforce f: u'*d(x)\nstart x = 0.6, y ~ -0.8\n"
        "run t = 0..2\n";
    Made made = make(open), other = make(written);
    double q[2], v[2], p[2], w[2];
    const double first[] = {0.0, -1.0, 0.0, 1.0};
    // from rest on: the start knows nothing of u', so that the velocity jumps to what it asks for
    assert_int_equal(lia_run_control(made.run, "u", first, 4, 0.25), LIA_OK);
    assert_int_equal(lia_run_state(made.run, q, v), LIA_OK);
    assert_int_equal(lia_run_state(other.run, p, w), LIA_OK);
    bool same = fabs(v[0] - w[0]) + fabs(v[1] - w[1]) < 1e-9;
    for (int k = 1; k < 8; k++) {
        double t = 0.25 * k;
        assert_int_equal(lia_run_advance(made.run, t), LIA_OK);
        const double c[] = {t * t * t - t, 3.0 * t * t - 1.0, 3.0 * t, 1.0};
        assert_int_equal(lia_run_control(made.run, "u", c, 4, t + 0.25), LIA_OK);
    }
    assert_int_equal(lia_run_advance(made.run, 2.0), LIA_DONE);
    assert_int_equal(lia_run_advance(other.run, 2.0), LIA_DONE);
    lia_run_state(made.run, q, v);
    lia_run_state(other.run, p, w);
    assert_true(same);
    for (int i = 0; i < 2; i++) {
        assert_float_equal(q[i], p[i], 1e-9);
        assert_float_equal(v[i], w[i], 1e-9);
    }
    release(&made);
    release(&other);
}

static void saved_with_its_laws(void) {
    Made made = make(cart);
    double ramp[] = {0.0, 2.0}, q[2], p[2];
    char* bytes;
    size_t length;
    assert_int_equal(lia_run_control(made.run, "u", ramp, 2, 1.0), LIA_OK);
    assert_int_equal(lia_run_step(made.run), LIA_OK);
    assert_int_equal(lia_run_save(made.run, &bytes, &length), LIA_OK);
    assert_int_equal(lia_run_advance(made.run, 1.0), LIA_OK);
    assert_int_equal(lia_run_state(made.run, q, NULL), LIA_OK);
    double back[] = {2.0, -1.0};
    assert_int_equal(lia_run_control(made.run, "u", back, 2, INFINITY), LIA_OK);
    assert_int_equal(lia_run_advance(made.run, 1.5), LIA_OK);
    assert_int_equal(lia_run_restore(made.run, bytes, length), LIA_OK);
    assert_int_equal(lia_run_advance(made.run, 1.7), LIA_CONTROL);
    assert_true(lia_run_time(made.run) == 1.0);
    assert_int_equal(lia_run_state(made.run, p, NULL), LIA_OK);
    assert_memory_equal(q, p, sizeof q);
    lia_free(bytes);
    release(&made);
}

static void wrong_arguments(void) {
    Made made = make(cart);
    double c[9] = {0.0}, wrong[] = {NAN, INFINITY};
    assert_int_equal(lia_run_control(made.run, NULL, c, 1, 1.0), LIA_ARGUMENT);
    assert_int_equal(lia_run_control(made.run, "v", c, 1, 1.0), LIA_ARGUMENT);
    assert_int_equal(lia_run_control(made.run, "u", NULL, 1, 1.0), LIA_ARGUMENT);
    assert_int_equal(lia_run_control(made.run, "u", c, 0, 1.0), LIA_ARGUMENT);
    assert_int_equal(lia_run_control(made.run, "u", c, 9, 1.0), LIA_ARGUMENT);
    assert_int_equal(lia_run_control(made.run, "u", c, 1, 0.0), LIA_ARGUMENT);
    assert_int_equal(lia_run_control(made.run, "u", c, 1, NAN), LIA_ARGUMENT);
    for (int i = 0; i < 2; i++)
        assert_int_equal(lia_run_control(made.run, "u", &wrong[i], 1, 1.0), LIA_ARGUMENT);
    LiaRun* run = NULL;
    LiaRunOptions options = {.checkpoint = "file"};
    assert_int_equal(lia_run_create(made.system, &options, made.diags, &run), LIA_ARGUMENT);
    assert_int_equal(lia_diags_count(made.diags), 0);
    release(&made);
}

static void without_a_program(void) {
    Made made = make(cart);
    LiaTrajectory* motion = NULL;
    assert_int_equal(lia_motion_run(made.system, NULL, made.diags, &motion), LIA_MODEL);
    char* said = lia_diags_text(made.diags);
    assert_non_null(strstr(said, "E0332"));
    lia_free(said);
    assert_int_equal(lia_system_set_parameter(made.system, "u", 0.25, made.diags), LIA_OK);
    assert_int_equal(lia_motion_run(made.system, NULL, made.diags, &motion), LIA_OK);
    double s = 0.0;
    assert_true(lia_trajectory_final(motion, "s", &s) && s == 0.25);
    lia_trajectory_destroy(motion);
    release(&made);
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_force_held),      TEST(velocities_jump_positions_do_not),
        TEST(a_block_is_pushed), TEST(a_table_is_jerked),
        TEST(pieces_of_a_law),   TEST(saved_with_its_laws),
        TEST(wrong_arguments),   TEST(without_a_program),
    };
    return TESTS_RUN(tests);
}
