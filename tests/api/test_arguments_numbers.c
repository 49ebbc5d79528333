// Wrong arguments to the functions that give numbers and facts: as in test_arguments.c, for the
// headers beside liaison.h.
// SPDX-License-Identifier: MIT
#include "support/cases.h"
#include "support/file.h"
#include <ctype.h>
#include <liaison/liaison.h>
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "parameter m = 1\ncoordinate x, y : line\ncoordinate R : rotation\n"
    "kinetic m/2*(x'^2 + y'^2) + dot(omega(R), omega(R))/2\nforce f: d(x)\n"
    "constraint c: x^2 + y^2 = 1\nsymmetry s: x' = 1\nobserve o = x\nevent e: x = 0.5\n"
    "start x = 1, y' = 1\nrun t = 0..1, samples 11\n";
enum { N = 6 };  // coordinates

typedef struct Made {
    LiaDiags* diags;
    LiaModel *model, *other;
    LiaSystem *system, *stranger;
    LiaTrajectory* motion;
    LiaState* state;
    LiaEvaluator *fresh, *at, *strange;
} Made;

static Made* shared;

static void build(Made* made, LiaModel** model, LiaSystem** system) {
    assert_int_equal(lia_model_parse("test", text, strlen(text), NULL, made->diags, model), LIA_OK);
    assert_int_equal(lia_system_build(*model, NULL, made->diags, system), LIA_OK);
}

static int make(void) {
    Made* made = calloc(1, sizeof *made);
    assert_non_null(made);
    made->diags = lia_diags_create();
    build(made, &made->model, &made->system);
    build(made, &made->other, &made->stranger);
    LiaRunOptions options = {.keep_steps = true};
    assert_int_equal(lia_motion_run(made->system, &options, made->diags, &made->motion), LIA_OK);
    made->state = lia_state_of(made->motion);
    assert_int_equal(lia_evaluator_create(made->system, &made->fresh), LIA_OK);
    assert_int_equal(lia_evaluator_create(made->system, &made->at), LIA_OK);
    assert_int_equal(lia_evaluator_create(made->stranger, &made->strange), LIA_OK);
    assert_int_equal(lia_trajectory_evaluate(made->motion, 0.5, made->at), LIA_OK);
    shared = made;
    return 0;
}

static int release(void) {
    Made* made = shared;
    lia_evaluator_destroy(made->fresh);
    lia_evaluator_destroy(made->at);
    lia_evaluator_destroy(made->strange);
    lia_state_destroy(made->state);
    lia_trajectory_destroy(made->motion);
    lia_system_destroy(made->system);
    lia_system_destroy(made->stranger);
    lia_model_destroy(made->model);
    lia_model_destroy(made->other);
    lia_diags_destroy(made->diags);
    free(made);
    return 0;
}

#define REFUSED(call) assert_int_equal((call), LIA_ARGUMENT)
#define ANYTHING      ((void*)&anything)  // what *out is before: it must be NULL after
static int anything;

static void interrupts(void) {
    lia_interrupt_destroy(NULL);
    lia_interrupt_raise(NULL);
    lia_interrupt_clear(NULL);
    assert_false(lia_interrupt_raised(NULL));
    assert_null(lia_interrupt_flag(NULL));
    LiaInterrupt* i = lia_interrupt_create();
    assert_non_null(i);
    assert_false(lia_interrupt_raised(i));
    lia_interrupt_raise(i);
    assert_true(lia_interrupt_raised(i) && *lia_interrupt_flag(i));
    lia_interrupt_clear(i);
    assert_false(lia_interrupt_raised(i));
    lia_interrupt_destroy(i);
}

// f(NULL, ...), an index out of range, no struct, no size: false, and nothing is filled in.
#define NO_FACTS(f, of, type, last)                                                                \
    do {                                                                                           \
        type info, before;                                                                         \
        memset(&info, 5, sizeof info);                                                             \
        memset(&before, 5, sizeof before);                                                         \
        assert_false(f(NULL, 0, &info, sizeof info));                                              \
        assert_false(f(of, last, &info, sizeof info));                                             \
        assert_false(f(of, SIZE_MAX, &info, sizeof info));                                         \
        assert_false(f(of, 0, NULL, sizeof info));                                                 \
        assert_false(f(of, 0, &info, 0));                                                          \
        assert_memory_equal(&info, &before, sizeof info);                                          \
    } while (0)

static void inventories(void) {
    Made* made = shared;
    const LiaModel* m = made->model;
    const LiaSystem* s = made->system;
    assert_int_equal(lia_model_count(NULL, LIA_THING_COORDINATE), 0);
    assert_int_equal(lia_model_count(m, (LiaThing)-1), 0);
    assert_int_equal(lia_model_count(m, (LiaThing)100), 0);
    assert_null(lia_model_name_of(NULL, LIA_THING_COORDINATE, 0));
    assert_null(lia_model_name_of(m, (LiaThing)100, 0));
    assert_null(lia_model_name_of(m, LIA_THING_COORDINATE, SIZE_MAX));
    assert_int_equal(lia_model_find(NULL, LIA_THING_COORDINATE, "x"), LIA_NOWHERE);
    assert_int_equal(lia_model_find(m, LIA_THING_COORDINATE, NULL), LIA_NOWHERE);
    assert_int_equal(lia_model_find(m, (LiaThing)100, "x"), LIA_NOWHERE);
    NO_FACTS(lia_model_coordinate, m, LiaCoordinateInfo, N);
    NO_FACTS(lia_model_parameter, m, LiaParameterInfo, 1);
    NO_FACTS(lia_model_constraint, m, LiaConstraintInfo, 1);
    NO_FACTS(lia_model_observable, m, LiaObservableInfo, 1);
    NO_FACTS(lia_model_event, m, LiaEventInfo, 1);
    assert_null(lia_system_model(NULL));
    assert_int_equal(lia_system_rows(NULL), 0);
    assert_int_equal(lia_system_rows(s), 2);
    NO_FACTS(lia_system_row, s, LiaRowInfo, 2);
    size_t first = 7, count = 7;
    assert_false(lia_system_rows_of(NULL, 0, &first, &count));
    assert_false(lia_system_rows_of(s, 1, &first, &count));
    assert_false(lia_system_rows_of(s, 0, NULL, &count));
    assert_false(lia_system_rows_of(s, 0, &first, NULL));
    assert_true(first == 7 && count == 7);
    assert_false(lia_system_driven(NULL, 0, &first));
    assert_false(lia_system_driven(s, SIZE_MAX, &first));
    assert_int_equal(lia_system_lines(NULL), 0);
    NO_FACTS(lia_system_line, s, LiaLineInfo, lia_system_lines(s));
}

static void evaluators(void) {
    Made* made = shared;
    LiaEvaluator *out = ANYTHING, *e = made->fresh;
    REFUSED(lia_evaluator_create(NULL, &out));
    assert_null(out);
    REFUSED(lia_evaluator_create(made->system, NULL));
    lia_evaluator_destroy(NULL);
    double q[N] = {1.0, 0.0, 1.0}, v[N] = {0}, a[N * N];
    REFUSED(lia_evaluator_set(NULL, 0.0, q, v));
    REFUSED(lia_evaluator_set(e, 0.0, NULL, v));
    REFUSED(lia_evaluator_set(e, 0.0, q, NULL));
    REFUSED(lia_evaluator_set(e, NAN, q, v));
    REFUSED(lia_evaluator_set(e, INFINITY, q, v));
    v[1] = NAN;
    REFUSED(lia_evaluator_set(e, 0.0, q, v));
    q[5] = -INFINITY;
    v[1] = 0.0;
    REFUSED(lia_evaluator_set(e, 0.0, q, v));
    assert_int_equal(lia_evaluator_solution(NULL), LIA_SOLUTION_NOT_YET);
    assert_int_equal(lia_evaluator_solution(e), LIA_SOLUTION_NOT_YET);
    REFUSED(lia_evaluator_get(e, LIA_EVAL_ACCELERATIONS, a, N));
    e = made->at;
    assert_int_equal(lia_evaluator_size(NULL, LIA_EVAL_M), 0);
    assert_int_equal(lia_evaluator_size(e, (LiaEvaluated)-1), 0);
    assert_int_equal(lia_evaluator_size(e, (LiaEvaluated)100), 0);
    assert_int_equal(lia_evaluator_size(e, LIA_EVAL_M), N * N);
    REFUSED(lia_evaluator_get(NULL, LIA_EVAL_M, a, N * N));
    REFUSED(lia_evaluator_get(e, LIA_EVAL_M, NULL, N * N));
    REFUSED(lia_evaluator_get(e, LIA_EVAL_M, a, N * N - 1));
    REFUSED(lia_evaluator_get(e, LIA_EVAL_M, a, 0));
    REFUSED(lia_evaluator_get(e, (LiaEvaluated)100, a, 0));
    REFUSED(lia_evaluator_get(e, (LiaEvaluated)-1, a, 0));
    assert_int_equal(lia_evaluator_get(e, LIA_EVAL_M, a, N * N), LIA_OK);
    // a wrong state leaves the last one
    REFUSED(lia_evaluator_set(e, 0.0, q, v));
    assert_int_equal(lia_evaluator_get(e, LIA_EVAL_POSITIONS, a, N), LIA_OK);
    assert_true(isfinite(a[5]));
}

static void states(void) {
    Made* made = shared;
    LiaState* out = ANYTHING;
    LiaState* s = made->state;
    double q[N] = {1.0, 0.0, 1.0}, v[N] = {0}, value = 7.0;
    REFUSED(lia_state_create(NULL, 0.0, q, v, &out));
    assert_null(out);
    REFUSED(lia_state_create(made->model, 0.0, q, v, NULL));
    REFUSED(lia_state_create(made->model, INFINITY, q, v, &out));
    q[0] = INFINITY;
    REFUSED(lia_state_create(made->model, 0.0, q, v, &out));
    q[0] = 1.0;
    v[4] = NAN;  // of the rotation, in part
    REFUSED(lia_state_create(made->model, 0.0, q, v, &out));
    v[4] = 0.0;
    q[2] = NAN;  // and without its attitude
    REFUSED(lia_state_create(made->model, 0.0, q, v, &out));
    REFUSED(lia_state_create(made->model, 0.0, NULL, v, &out));
    assert_null(out);
    assert_int_equal(lia_state_create(made->model, NAN, NULL, NULL, &out), LIA_OK);
    assert_true(isnan(lia_state_time(out)) && isnan(lia_state_position(out, 0)));
    lia_state_destroy(out);
    assert_true(isnan(lia_state_time(NULL)));
    REFUSED(lia_state_set_time(NULL, 0.0));
    REFUSED(lia_state_set_time(s, -INFINITY));
    REFUSED(lia_state_read(NULL, q, v));
    assert_int_equal(lia_state_read(s, NULL, NULL), LIA_OK);
    assert_false(lia_state_get(NULL, "x", &value));
    assert_false(lia_state_get(s, NULL, &value));
    assert_false(lia_state_get(s, "x", NULL));
    assert_false(lia_state_get(s, "nobody", &value));
    assert_false(lia_state_get(s, "", &value));
    assert_true(value == 7.0);
    REFUSED(lia_state_set(NULL, "x", 1.0));
    REFUSED(lia_state_set(s, NULL, 1.0));
    REFUSED(lia_state_set(s, "nobody", 1.0));
    REFUSED(lia_state_set(s, "x", INFINITY));
    assert_true(isnan(lia_state_position(NULL, 0)) && isnan(lia_state_position(s, N)));
    assert_true(isnan(lia_state_velocity(NULL, 0)) && isnan(lia_state_velocity(s, SIZE_MAX)));
    REFUSED(lia_state_set_position(NULL, 0, 1.0));
    REFUSED(lia_state_set_position(s, N, 1.0));
    REFUSED(lia_state_set_position(s, 0, INFINITY));
    REFUSED(lia_state_set_velocity(NULL, 0, 1.0));
    REFUSED(lia_state_set_velocity(s, N, 1.0));
    REFUSED(lia_state_set_velocity(s, 0, -INFINITY));
    REFUSED(lia_state_evaluate(NULL, made->at));
    REFUSED(lia_state_evaluate(s, NULL));
    REFUSED(lia_state_evaluate(s, made->strange));
}

static void numbers_of_motions(void) {
    Made* made = shared;
    const LiaTrajectory* m = made->motion;
    double q[N], series[11];
    size_t stride = 7, width = lia_trajectory_width(m);
    assert_int_equal(lia_trajectory_width(NULL), 0);
    NO_FACTS(lia_trajectory_column_info, m, LiaColumnInfo, width);
    assert_int_equal(lia_trajectory_find(NULL, "x"), LIA_NOWHERE);
    assert_int_equal(lia_trajectory_find(m, NULL), LIA_NOWHERE);
    assert_int_equal(lia_trajectory_find(m, "nobody"), LIA_NOWHERE);
    REFUSED(lia_trajectory_series(NULL, 0, series, 11));
    REFUSED(lia_trajectory_series(m, width, series, 11));
    REFUSED(lia_trajectory_series(m, LIA_NOWHERE, series, 11));
    REFUSED(lia_trajectory_series(m, 0, series, 10));
    REFUSED(lia_trajectory_series(m, 0, NULL, 11));
    assert_null(lia_trajectory_data(NULL, 0, &stride));
    assert_null(lia_trajectory_data(m, width, &stride));
    assert_null(lia_trajectory_data(m, 0, NULL));
    assert_int_equal(stride, 7);
    REFUSED(lia_trajectory_at(NULL, 0.5, q, NULL, NULL));
    REFUSED(lia_trajectory_at(m, NAN, q, NULL, NULL));
    REFUSED(lia_trajectory_at(m, 1.5, q, NULL, NULL));
    assert_int_equal(lia_trajectory_at(m, 0.5, NULL, NULL, NULL), LIA_OK);
    REFUSED(lia_trajectory_evaluate(NULL, 0.5, made->at));
    REFUSED(lia_trajectory_evaluate(m, 0.5, NULL));
    REFUSED(lia_trajectory_evaluate(m, INFINITY, made->at));
    REFUSED(lia_trajectory_evaluate(m, 0.5, made->strange));
}

static void facts_of_motions(void) {
    Made* made = shared;
    const LiaTrajectory* m = made->motion;
    LiaMotionInfo run;
    LiaReasonInfo reason;
    assert_false(lia_trajectory_info(NULL, &run, sizeof run));
    assert_false(lia_trajectory_info(m, NULL, sizeof run));
    assert_false(lia_trajectory_info(m, &run, 0));
    assert_false(lia_trajectory_reason_info(NULL, &reason, sizeof reason));
    assert_false(lia_trajectory_reason_info(m, &reason, sizeof reason));
    assert_string_equal(lia_event_kind_text(LIA_EVENT_IMPACT), "impact");
    assert_non_null(lia_event_kind_text((LiaEventKind)99));
    assert_int_equal(lia_trajectory_events(NULL), 0);
    NO_FACTS(lia_trajectory_event, m, LiaOccurrenceInfo, lia_trajectory_events(m));
    assert_int_equal(lia_trajectory_jumps(NULL), 0);
    NO_FACTS(lia_trajectory_jump, m, LiaJumpInfo, 0);
    LiaJumpVelocityInfo velocity;
    LiaImpulseInfo impulse;
    assert_false(lia_trajectory_jump_velocity(NULL, 0, 0, &velocity, sizeof velocity));
    assert_false(lia_trajectory_jump_velocity(m, 0, 0, &velocity, sizeof velocity));
    assert_false(lia_trajectory_impulse(NULL, 0, 0, &impulse, sizeof impulse));
    assert_false(lia_trajectory_impulse(m, 0, 0, &impulse, sizeof impulse));
    assert_int_equal(lia_trajectory_ledger_lines(NULL), 0);
    NO_FACTS(lia_trajectory_ledger, m, LiaLedgerInfo, lia_trajectory_ledger_lines(m));
    NO_FACTS(lia_trajectory_constraint, m, LiaHeldInfo, 1);
    assert_int_equal(lia_trajectory_conserved_count(NULL), 0);
    NO_FACTS(lia_trajectory_conserved, m, LiaConservedInfo, lia_trajectory_conserved_count(m));
}

// A function of these headers that does not stand here is not tested.
static void every_function_is_here(void) {
    static const char* const headers[] = {"interrupt", "inventory", "evaluate", "state",
                                          "trajectory"};
    char* here = file_text("tests/api/test_arguments_numbers.c");
    assert_non_null(here);
    int count = 0;
    for (size_t k = 0; k < sizeof headers / sizeof *headers; k++) {
        char path[100], name[100];
        snprintf(path, sizeof path, "include/liaison/%s.h", headers[k]);
        char* header = file_text(path);
        assert_non_null(header);
        for (const char* line = header; line && *line; line = strchr(line, '\n')) {
            line += *line == '\n';
            if (!isalpha((unsigned char)*line)) continue;
            const char* at = strstr(line, "lia_");
            const char *end = strchr(line, '\n'), *open = strchr(line, '(');
            if (!at || !end || !open || at > end || open > end || at > open) continue;
            snprintf(name, sizeof name, "%.*s", (int)(open - at), at);
            if (!strstr(here, name)) fail_msg("%s(...) is not tried", name);
            count++;
        }
        free(header);
    }
    assert_true(count > 45);
    free(here);
}

int main(void) {
    const TestCase tests[] = {
        TEST(interrupts),
        TEST(inventories),
        TEST(evaluators),
        TEST(states),
        TEST(numbers_of_motions),
        TEST(facts_of_motions),
        TEST(every_function_is_here),
    };
    return TESTS_RUN_WITHIN(tests, make, release);
}
