// Runs that begin in a state of another: two halves are the whole, and a state is kept to the last
// bit.
//
// Tests: motion/result/state.c
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char rate[] = "model rate\n"
                           "coordinate s, x : line\n"
                           "kinetic 1/2*(1 + s^2)*x'^2 + s'^2/2 + x'*s'/5\n"
                           "potential x^2/2\n"
                           "operator o: s' = 1 + s^2/10\n"
                           "start s = 0.1, x = 1\n"
                           "run t = 0..4\n";
static const char pendulum[] = "model pendulum\n"
                               "coordinate x, y : line\n"
                               "kinetic 1/2*(x'^2 + y'^2)\n"
                               "potential 9.81*y\n"
                               "constraint rod: x^2 + y^2 = 1\n"
                               "start x = 0.6, y = -0.8\n"
                               "run t = 0..10\n";
// kept as phi = its value at the start
static const char level[] = "model level\n"
                            "coordinate x, y : line\n"
                            "kinetic 1/2*(x'^2 + y'^2)\n"
                            "potential 9.81*y\n"
                            "constraint rod: (x^2 + y^2)' = 0\n"
                            "start x = 0.6, y = -0.8, x' = 0.8, y' = 0.6\n"
                            "run t = 0..10\n";
// the force acts through a spring: hidden equations
static const char spring[] = "model spring\n"
                             "coordinate x1, x2 : line\n"
                             "kinetic 1/2*x1'^2 + x2'^2\n"
                             "potential 25*(x2 - x1)^2\n"
                             "operator follow: x2 = sin(t) by d(x1)\n"
                             "run t = 0..10\n";

static bool is_state_column(const char* name) {
    return !strchr(name, '(') && strcmp(name, "energy") != 0 && strcmp(name, "kinetic") != 0 &&
           strcmp(name, "potential") != 0 && strcmp(name, "t") != 0 && strcmp(name, "p") != 0;
}

// Run to the middle, take the state through its JSON, go on: that is the whole run.
static void check_halves(const Motion* m, double t0, double t1) {
    double middle = t0 + (t1 - t0) / 2;
    LiaTrajectory *whole = NULL, *half = NULL, *again = NULL, *rest = NULL;
    LiaRunOptions options = {.until = &t1, .samples = 11};
    assert_int_equal(lia_motion_run(m->system, &options, m->diags, &whole), LIA_OK);
    options.until = &middle;
    assert_int_equal(lia_motion_run(m->system, &options, m->diags, &half), LIA_OK);
    char* text = lia_output_json(half);
    LiaDiags* diags = lia_diags_create();
    LiaState* state = NULL;
    assert_int_equal(lia_state_parse("half.json", text, strlen(text), m->model, diags, &state),
                     LIA_OK);
    assert_int_equal(lia_diags_count(diags), 0);
    options.from = state;
    assert_int_equal(lia_motion_run(m->system, &options, m->diags, &again), LIA_OK);
    options.until = &t1;
    assert_int_equal(lia_motion_run(m->system, &options, m->diags, &rest), LIA_OK);
    for (size_t c = 0; c < lia_trajectory_columns(whole); c++) {
        const char* name = lia_trajectory_column(whole, c);
        if (!is_state_column(name)) continue;
        double x, y;
        assert_true(lia_trajectory_final(half, name, &x) && lia_trajectory_final(again, name, &y));
        assert_memory_equal(&x, &y, sizeof x);
        assert_true(lia_trajectory_final(whole, name, &x) && lia_trajectory_final(rest, name, &y));
        if (!(fabs(x - y) <= 1e-11 * (1.0 + fabs(x)))) {
            fail_msg("%s: %s is %.17g, in two halves %.17g", lia_model_name(m->model), name, x, y);
        }
    }
    assert_true(lia_trajectory_value(rest, 0, 0) == middle);
    lia_free(text);
    lia_state_destroy(state);
    lia_diags_destroy(diags);
    lia_trajectory_destroy(whole);
    lia_trajectory_destroy(half);
    lia_trajectory_destroy(again);
    lia_trajectory_destroy(rest);
}

static void two_halves_are_the_whole(void) {
    static const struct {
        const char *file, *text;
        double end;
    } models[] = {
        {"examples/skater/skater.lia", NULL, 10},
        {"examples/sperry/sperry.lia", NULL, 10},
        {"examples/edge/edge.lia", NULL, 10},
        {"examples/discs/discs.lia", NULL, 10},
        {"examples/chain/chain.lia", NULL, 1},
        {NULL, rate, 4},
        {NULL, pendulum, 10},
        {NULL, level, 10},
        {NULL, spring, 10},
    };
    const double start = 0.0;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        for (int way = 0; way < 2; way++) {
            MotionOptions options = {.no_eliminate = way, .run = {.until = &start}};
            Motion m = models[i].file ? motion_of_file(models[i].file, &options)
                                      : motion_of(models[i].text, &options);
            assert_non_null(m.t);
            check_halves(&m, 0.0, models[i].end);
            check_halves(&m, 0.0, -models[i].end / 4);
            motion_clear(&m);
        }
    }
}

// A spinning body: its angular velocity stands in the file, the rates of its quaternion are made
// from it.
static void rotations_go_on_up_to_rounding(void) {
    static const char body[] = "model body\n"
                               "coordinate g : rotation\n"
                               "body b: mass 1, inertia [1, 2, 3], position [0, 0, 0], attitude g\n"
                               "start omega(g) = [0.1, 2, 0.3]\n"
                               "run t = 0..4\n";
    const double two = 2.0;
    Motion half = motion_of(body, &(MotionOptions){.run = {.until = &two}}),
           whole = motion_of(body, NULL);
    assert_non_null(half.t);
    char* text = lia_output_json(half.t);
    LiaDiags* diags = lia_diags_create();
    LiaState* from = NULL;
    assert_int_equal(lia_state_parse("half.json", text, strlen(text), half.model, diags, &from),
                     LIA_OK);
    assert_int_equal(lia_diags_count(diags), 0);
    LiaTrajectory* rest = NULL;
    LiaRunOptions options = {.from = from};
    assert_int_equal(lia_motion_run(half.system, &options, half.diags, &rest), LIA_OK);
    static const char* const names[] = {"g.w", "g.x", "g.y", "g.z", "g'.x", "g'.y", "g'.z"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        double x;
        assert_true(lia_trajectory_final(rest, names[i], &x));
        assert_true(fabs(x - motion_final(&whole, names[i])) < 1e-11);
    }
    lia_free(text);
    lia_trajectory_destroy(rest);
    lia_state_destroy(from);
    lia_diags_destroy(diags);
    motion_clear(&half);
    motion_clear(&whole);
}

static void works_begin_again(void) {
    const double five = 5.0, ten = 10.0;
    Motion half =
        motion_of_file("examples/discs/discs.lia", &(MotionOptions){.run = {.until = &five}});
    Motion whole =
        motion_of_file("examples/discs/discs.lia", &(MotionOptions){.run = {.until = &ten}});
    LiaState* middle = lia_state_of(half.t);
    LiaTrajectory* rest = NULL;
    LiaRunOptions options = {.from = middle};
    assert_int_equal(lia_motion_run(half.system, &options, half.diags, &rest), LIA_OK);
    double work, balance;
    assert_true(lia_trajectory_final(rest, "work(follow)", &work));
    assert_true(lia_trajectory_final(rest, "balance", &balance));
    double sum = motion_final(&half, "work(follow)") + work;
    assert_true(fabs(sum - motion_final(&whole, "work(follow)")) < 1e-10);
    assert_true(balance < 1e-11);
    lia_trajectory_destroy(rest);
    lia_state_destroy(middle);
    motion_clear(&half);
    motion_clear(&whole);
}

// What is wrong in a file is reported; NULL: nothing is.
static void check_text(const char* text, const char* code, const char* says) {
    const double start = 0.0;
    Motion m = motion_of(pendulum, &(MotionOptions){.run = {.until = &start}});
    LiaDiags* diags = lia_diags_create();
    LiaState* state = NULL;
    LiaStatus status = lia_state_parse("s.json", text, strlen(text), m.model, diags, &state);
    char* told = lia_diags_text(diags);
    bool wrong = code && code[0] == 'E';
    assert_int_equal(status, wrong ? LIA_MODEL : LIA_OK);
    assert_int_equal(state == NULL, wrong);
    if (code ? !strstr(told, code) || !strstr(told, says) : *told != '\0')
        fail_msg("%s gave: %s", text, told);
    lia_free(told);
    lia_state_destroy(state);
    lia_diags_destroy(diags);
    motion_clear(&m);
}

static void files_are_read_strictly(void) {
    check_text("{\"state\": {\"x\": 0.6, \"y\": -0.8, \"x'\": 0, \"y'\": 0}, \"t\": 5}", NULL,
               NULL);
    check_text("{\"x\": 0.6, \"y\": -0.8, \"x'\": 0, \"y'\": 0}", NULL, NULL);
    check_text("{\"x\": 0.6, \"y\": -0.8, \"x'\": 0, \"y'\": 0, \"t\": 2}", NULL, NULL);
    check_text(
        "{\"t\": 1, \"state\": {\"y'\": 0, \"y\": -0.8, \"x'\": 0, \"x\": 0.6}, \"events\": [[]]}",
        NULL, NULL);
    check_text("{\"x\": 0.6, \"x'\": 0}", "W0315", "missing: y, y'");
    check_text("{\"x\": 0.6,", "E0310", "s.json:1:11");
    check_text("[]", "E0311", "an object of names and numbers");
    check_text("{}", "E0311", "not one position or velocity");
    check_text("{\"t\": 3}", "E0311", "not one position or velocity");
    check_text("{\"state\": [1, 2]}", "E0311", "s.json:1:11");
    check_text("{\"state\": {\"x\": 1, \"z\": 2}}", "E0312", "has no coordinate or velocity 'z'");
    check_text("{\"state\": {\"x\": 1, \"X'\": 2}}", "E0312", "did you mean 'x'");
    check_text("{\"x\": 1, \"x\\u0000\": 2}", "E0312", "'x?'");
    check_text("{\"x\": 1, \"y\": 1, \"x\": 1}", "E0313", "'x' is given twice");
    check_text("{\"state\": {\"x\": 1}, \"state\": {\"x\": 1}}", "E0313", "'state' is given twice");
    check_text("{\"state\": {\"x\": null}}", "E0314", "that motion had failed");
    check_text("{\"state\": {\"x\": \"1\"}}", "E0314", "'x' is not a number");
    check_text("{\"state\": {\"x\": 1}, \"t\": \"5\"}", "E0314", "'t' is not a number");
}

static void a_file_that_is_not_there_is_told(void) {
    const double start = 0.0;
    Motion m = motion_of(pendulum, &(MotionOptions){.run = {.until = &start}});
    LiaDiags* diags = lia_diags_create();
    LiaState* from = NULL;
    assert_int_equal(lia_state_load("/nowhere/s.json", m.model, diags, &from), LIA_FILE);
    char* told = lia_diags_text(diags);
    assert_non_null(strstr(told, "E0316"));
    lia_free(told);
    lia_diags_destroy(diags);
    motion_clear(&m);
}

// A run of the pendulum from a text; the diagnostics in *told, to be freed.
static LiaStatus run_from(const char* text, const double* until, char** told, double* y,
                          double* t0) {
    const double start = 0.0;
    Motion m = motion_of(pendulum, &(MotionOptions){.run = {.until = &start}});
    LiaDiags* diags = lia_diags_create();
    LiaState* from = NULL;
    assert_int_equal(lia_state_parse("s.json", text, strlen(text), m.model, diags, &from), LIA_OK);
    LiaTrajectory* motion = NULL;
    LiaRunOptions options = {.from = from, .until = until, .samples = 2};
    LiaStatus status = lia_motion_run(m.system, &options, m.diags, &motion);
    if (motion) {
        *y = lia_trajectory_value(motion, 0, 2);
        *t0 = lia_trajectory_value(motion, 0, 0);
    }
    *told = lia_diags_text(m.diags);
    lia_trajectory_destroy(motion);
    lia_state_destroy(from);
    lia_diags_destroy(diags);
    motion_clear(&m);
    return status;
}

static void small_contradictions_are_projected_and_large_ones_refused(void) {
    char* told;
    double y = NAN, t0 = NAN;
    const char* little = "{\"x\": 0.6, \"y\": -0.80000001, \"x'\": 0, \"y'\": 0, \"t\": 1}";
    assert_int_equal(run_from(little, NULL, &told, &y, &t0), LIA_OK);
    assert_true(fabs(y + 0.8) < 1e-7 && t0 == 1.0);
    lia_free(told);
    const char* much = "{\"x\": 0.6, \"y\": -0.81, \"x'\": 0, \"y'\": 0}";
    assert_int_equal(run_from(much, NULL, &told, &y, &t0), LIA_MODEL);
    assert_non_null(strstr(told, "E0301"));
    lia_free(told);
}

static void what_is_missing_is_found(void) {
    char* told;
    double y = NAN, t0 = NAN;
    // nearest admissible to the start of the model, which is below
    assert_int_equal(run_from("{\"x\": 0}", NULL, &told, &y, &t0), LIA_OK);
    assert_true(fabs(y + 1.0) < 1e-12 && t0 == 0.0);
    lia_free(told);
}

static void a_run_that_is_over_wants_an_end(void) {
    char* told;
    double y = NAN, t0 = NAN, until = 13.0;
    const char* late = "{\"state\": {\"x\": 0.6, \"y\": -0.8, \"x'\": 0, \"y'\": 0}, \"t\": 12}";
    assert_int_equal(run_from(late, NULL, &told, &y, &t0), LIA_MODEL);
    assert_non_null(strstr(told, "E0317"));
    assert_non_null(strstr(told, "--until T"));
    lia_free(told);
    assert_int_equal(run_from(late, &until, &told, &y, &t0), LIA_OK);
    assert_true(t0 == 12.0);
    lia_free(told);
}

static void the_state_of_another_model_is_refused(void) {
    Motion a = motion_of(pendulum, NULL), b = motion_of(level, NULL);
    LiaState* from = lia_state_of(a.t);
    LiaTrajectory* motion = NULL;
    LiaRunOptions options = {.from = from};
    assert_int_equal(lia_motion_run(b.system, &options, b.diags, &motion), LIA_ARGUMENT);
    assert_null(motion);
    lia_state_destroy(from);
    motion_clear(&a);
    motion_clear(&b);
}

// A state of another time does not say what was on by then, nor when a control looked.
static void what_a_state_does_not_say_is_told(void) {
    static const char line[] = "coordinate x : line\nkinetic x'^2/2\nevent e: t = 1\n";
    const struct {
        const char *text, *state, *says;
    } cases[] = {
        {"force f: d(x) from e\nrun t = 0..3\n", "{\"x\": 0, \"x'\": 1, \"t\": 2}",
         "'f' is off here"},
        {"force f: d(x) until e\nrun t = 0..3\n", "{\"x\": 0, \"x'\": 1, \"t\": 2}",
         "'f' is on here"},
        {"constraint c: x' = 1 from e\n", "{\"x\": 0, \"x'\": 1, \"t\": 2}", "'c' is off here"},
        {"constraint c: x' = 1 from e\nrun t = 2..3\n", "{\"x\": 0, \"x'\": 1, \"t\": 2}", NULL},
        {"constraint c: x' = 1 from e\nrun t = 2..3\n", "{\"x\": 0, \"x'\": 1}", NULL},
        {"constraint c: x' = 1\n", "{\"x\": 0, \"x'\": 1, \"t\": 2}", NULL},
        {"control u = -x every 0.1\nforce f: u*d(x)\n", "{\"x\": 0, \"x'\": 1, \"t\": 0.35}",
         "'u' takes a new value here and every 0.1"},
        {"control u = -x every 0.1\nforce f: u*d(x)\n", "{\"x\": 0, \"x'\": 1, \"t\": 0.3}", NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double start = 2.0, end = 3.0;
        char text[256];
        snprintf(text, sizeof text, "%s%s", line, cases[k].text);
        Motion m = motion_of(text, &(MotionOptions){.run = {.until = &start}});
        LiaState* from = NULL;
        const char* state = cases[k].state;
        assert_int_equal(lia_state_parse("s.json", state, strlen(state), m.model, m.diags, &from),
                         LIA_OK);
        LiaTrajectory* motion = NULL;
        LiaRunOptions options = {.from = from, .until = &end};
        assert_int_equal(lia_motion_run(m.system, &options, m.diags, &motion), LIA_OK);
        char* told = lia_diags_text(m.diags);
        const char* says = cases[k].says;
        if (says ? !strstr(told, "W0319") || !strstr(told, says) : *told != '\0')
            fail_msg("%s gave: %s", text, told);
        lia_free(told);
        lia_trajectory_destroy(motion);
        lia_state_destroy(from);
        motion_clear(&m);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(two_halves_are_the_whole),
        TEST(rotations_go_on_up_to_rounding),
        TEST(works_begin_again),
        TEST(files_are_read_strictly),
        TEST(a_file_that_is_not_there_is_told),
        TEST(small_contradictions_are_projected_and_large_ones_refused),
        TEST(what_is_missing_is_found),
        TEST(a_run_that_is_over_wants_an_end),
        TEST(the_state_of_another_model_is_refused),
        TEST(what_a_state_does_not_say_is_told),
    };
    return TESTS_RUN(tests);
}
