// Wrong arguments to every function of the public header: LIA_ARGUMENT or the value the header
// says, nothing said, no harm.
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

static const char text[] = "parameter m = 1\ncoordinate x, y : line\nkinetic m/2*(x'^2 + y'^2)\n"
                           "potential 9.81*m*y\nconstraint c: x^2 + y^2 = 1\nstart x = 1\n"
                           "run t = 0..1, samples 11\nplot x\n";

typedef struct Made {
    LiaDiags* diags;
    LiaModel* model;
    LiaSystem* system;
    LiaTrajectory* motion;
    LiaComparison* comparison;
    LiaState* state;
} Made;

static Made* shared;

static int make(void) {
    Made* made = calloc(1, sizeof *made);
    assert_non_null(made);
    made->diags = lia_diags_create();
    LiaRunOptions options = {.samples = 5};
    assert_int_equal(lia_model_parse("test", text, strlen(text), NULL, made->diags, &made->model),
                     LIA_OK);
    assert_int_equal(lia_system_build(made->model, NULL, made->diags, &made->system), LIA_OK);
    assert_int_equal(lia_motion_run(made->system, NULL, made->diags, &made->motion), LIA_OK);
    assert_int_equal(lia_compare(made->system, made->system, &options, made->diags, made->diags,
                                 &made->comparison),
                     LIA_OK);
    made->state = lia_state_of(made->motion);
    assert_non_null(made->state);
    assert_int_equal(lia_diags_count(made->diags), 0);
    shared = made;
    return 0;
}

static int release(void) {
    Made* made = shared;
    lia_state_destroy(made->state);
    lia_comparison_destroy(made->comparison);
    lia_trajectory_destroy(made->motion);
    lia_system_destroy(made->system);
    lia_model_destroy(made->model);
    lia_diags_destroy(made->diags);
    free(made);
    return 0;
}

#define REFUSED(call) assert_int_equal((call), LIA_ARGUMENT)
#define ANYTHING      ((void*)&anything)  // what *out is before: it must be NULL after
static int anything;

static void the_budget(void) {
    static const double wrong[] = {-1.0, -INFINITY, NAN};
    for (size_t i = 0; i < 3; i++) REFUSED(lia_budget_set(&(LiaBudget){.seconds = wrong[i]}));
    REFUSED(lia_budget_set(&(LiaBudget){.more = {1}}));
    assert_int_equal(lia_budget_set(&(LiaBudget){.seconds = INFINITY}), LIA_OK);
    assert_int_equal(lia_budget_spent(), LIA_SPENT_NOTHING);
    assert_int_equal(lia_budget_set(NULL), LIA_OK);
}

static void texts_and_diagnostics(void) {
    Made* made = shared;
    char shown[32] = "x";
    assert_non_null(lia_status_text((LiaStatus)-1));
    assert_non_null(lia_status_text((LiaStatus)1000));
    lia_free(NULL);
    assert_null(lia_plain_text(NULL, true));
    assert_null(lia_plain_some(NULL, true, shown, sizeof shown));
    assert_null(lia_plain_some("a", true, NULL, 32));
    assert_null(lia_plain_some("a", true, shown, 0));
    assert_non_null(lia_plain_some("a", true, shown, 1));
    lia_diags_destroy(NULL);
    assert_int_equal(lia_diags_count(NULL), 0);
    assert_int_equal(lia_diags_errors(NULL), 0);
    assert_null(lia_diags_text(NULL));
    LiaMessageInfo message;
    assert_false(lia_diags_message(NULL, 0, &message, sizeof message));
    assert_false(lia_diags_message(made->diags, 0, &message, sizeof message));
    assert_non_null(lia_version());
    assert_int_equal(lia_diags_count(made->diags), 0);
}

static void reading(void) {
    Made* made = shared;
    LiaDiags* d = made->diags;
    size_t n = strlen(text);
    LiaModel* out = ANYTHING;
    REFUSED(lia_model_read(NULL, NULL, d, &out));
    assert_null(out);
    REFUSED(lia_model_read("no such file", &(LiaDefines){NULL, 1}, d, &out));
    REFUSED(lia_model_read("no such file", NULL, NULL, &out));
    REFUSED(lia_model_read("no such file", NULL, d, NULL));
    out = ANYTHING;
    REFUSED(lia_model_parse(NULL, text, n, NULL, d, &out));
    assert_null(out);
    REFUSED(lia_model_parse("test", NULL, n, NULL, d, &out));
    REFUSED(lia_model_parse("test", text, n, &(LiaDefines){NULL, 1}, d, &out));
    REFUSED(lia_model_parse("test", text, n, NULL, NULL, &out));
    REFUSED(lia_model_parse("test", text, n, NULL, d, NULL));
    const LiaDefine wrong[] = {{NULL, 1.0}, {"m", NAN}, {"m", INFINITY}, {"m", -INFINITY}};
    for (size_t i = 0; i < 4; i++) {
        out = ANYTHING;
        REFUSED(lia_model_parse("test", text, n, &(LiaDefines){&wrong[i], 1}, d, &out));
        assert_null(out);
        REFUSED(lia_model_read("no such file", &(LiaDefines){&wrong[i], 1}, d, &out));
    }
    assert_int_equal(lia_diags_count(d), 0);
    LiaDiags* own = lia_diags_create();
    assert_int_equal(lia_model_parse("empty", NULL, 0, NULL, own, &out), LIA_MODEL);
    assert_null(out);
    lia_diags_destroy(own);
    lia_model_destroy(NULL);
    assert_null(lia_model_name(NULL));
}

static void building(void) {
    Made* made = shared;
    LiaSystem* out = ANYTHING;
    REFUSED(lia_system_build(NULL, NULL, made->diags, &out));
    assert_null(out);
    REFUSED(lia_system_build(made->model, NULL, NULL, &out));
    REFUSED(lia_system_build(made->model, NULL, made->diags, NULL));
    const LiaRuleChange wrong[] = {
        {NULL, LIA_FORCES_IDEAL}, {"c", (LiaForces)3}, {"c", (LiaForces)-1}};
    for (size_t i = 0; i < 3; i++) {
        LiaSystemOptions options = {.rules = &wrong[i], .rule_count = 1};
        REFUSED(lia_system_build(made->model, &options, made->diags, &out));
    }
    LiaSystemOptions later = {.more = {[LIA_MORE - 1] = 1}};
    REFUSED(lia_system_build(made->model, &later, made->diags, &out));
    LiaSystemOptions none = {.rule_count = 1};
    REFUSED(lia_system_build(made->model, &none, made->diags, &out));
    assert_null(out);
    assert_int_equal(lia_diags_count(made->diags), 0);
    lia_system_destroy(NULL);
}

static void parameters(void) {
    Made* made = shared;
    LiaSystem *copy = ANYTHING, *system = NULL;
    double value = 7.0;
    REFUSED(lia_system_copy(NULL, &copy));
    assert_null(copy);
    REFUSED(lia_system_copy(made->system, NULL));
    assert_int_equal(lia_system_copy(made->system, &system), LIA_OK);
    REFUSED(lia_system_set_parameter(NULL, "m", 1.0, made->diags));
    REFUSED(lia_system_set_parameter(system, NULL, 1.0, made->diags));
    REFUSED(lia_system_set_parameter(system, "m", 1.0, NULL));
    static const double wrong[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < 3; i++)
        REFUSED(lia_system_set_parameter(system, "m", wrong[i], made->diags));
    assert_false(lia_system_parameter(NULL, "m", &value));
    assert_false(lia_system_parameter(system, NULL, &value));
    assert_false(lia_system_parameter(system, "m", NULL));
    assert_false(lia_system_parameter(system, "mm", &value));
    assert_true(value == 7.0);
    assert_int_equal(lia_system_set_parameter(system, "m", 3.0, made->diags), LIA_OK);
    assert_true(lia_system_parameter(system, "m", &value) && value == 3.0);
    assert_true(lia_system_parameter(made->system, "m", &value) && value == 1.0);
    assert_int_equal(lia_diags_count(made->diags), 0);
    lia_system_destroy(system);
}

static void states(void) {
    Made* made = shared;
    LiaState* out = ANYTHING;
    REFUSED(lia_state_load(NULL, made->model, made->diags, &out));
    assert_null(out);
    REFUSED(lia_state_load("no such file", NULL, made->diags, &out));
    REFUSED(lia_state_load("no such file", made->model, NULL, &out));
    REFUSED(lia_state_load("no such file", made->model, made->diags, NULL));
    out = ANYTHING;
    REFUSED(lia_state_parse(NULL, "{}", 2, made->model, made->diags, &out));
    assert_null(out);
    REFUSED(lia_state_parse("test", NULL, 2, made->model, made->diags, &out));
    REFUSED(lia_state_parse("test", "{}", 2, NULL, made->diags, &out));
    REFUSED(lia_state_parse("test", "{}", 2, made->model, NULL, &out));
    REFUSED(lia_state_parse("test", "{}", 2, made->model, made->diags, NULL));
    assert_int_equal(lia_diags_count(made->diags), 0);
    LiaDiags* own = lia_diags_create();
    assert_int_equal(lia_state_parse("empty", NULL, 0, made->model, own, &out), LIA_MODEL);
    lia_diags_destroy(own);
    assert_null(lia_state_of(NULL));
    lia_state_destroy(NULL);
}

// Options that no run can have.
static size_t wrong_options(LiaRunOptions* out) {
    static const double ends[] = {NAN, INFINITY, -INFINITY};
    static const double sizes[] = {NAN, -1.0, -1e-300, INFINITY, -INFINITY};
    static const int orders[] = {1, -1, 61, INT32_MAX, INT32_MIN};
    size_t count = 0;
    for (size_t i = 0; i < 3; i++) out[count++] = (LiaRunOptions){.until = &ends[i]};
    for (size_t i = 0; i < 5; i++) {
        out[count++] = (LiaRunOptions){.tolerance = sizes[i]};
        out[count++] = (LiaRunOptions){.every = sizes[i]};
        out[count++] = (LiaRunOptions){.step_most = sizes[i]};
        out[count++] = (LiaRunOptions){.step_part = sizes[i]};
        out[count++] = (LiaRunOptions){.checkpoint_every = sizes[i]};
        out[count++] = (LiaRunOptions){.order = orders[i]};
    }
    out[count++] = (LiaRunOptions){.more = {1}};  // of a later version
    return count;
}

static void running(void) {
    Made* made = shared;
    LiaTrajectory* out = ANYTHING;
    REFUSED(lia_motion_run(NULL, NULL, made->diags, &out));
    assert_null(out);
    REFUSED(lia_motion_run(made->system, NULL, NULL, &out));
    REFUSED(lia_motion_run(made->system, NULL, made->diags, NULL));
    LiaRunOptions wrong[64];
    size_t count = wrong_options(wrong);
    for (size_t i = 0; i < count; i++) {
        out = ANYTHING;
        REFUSED(lia_motion_run(made->system, &wrong[i], made->diags, &out));
        assert_null(out);
    }
    assert_int_equal(lia_diags_count(made->diags), 0);
    lia_trajectory_destroy(NULL);
}

static void runs_as_objects(void) {
    Made* made = shared;
    LiaRun* run = ANYTHING;
    REFUSED(lia_run_create(NULL, NULL, made->diags, &run));
    assert_null(run);
    REFUSED(lia_run_create(made->system, NULL, NULL, &run));
    REFUSED(lia_run_create(made->system, NULL, made->diags, NULL));
    LiaRunOptions wrong[64];
    size_t count = wrong_options(wrong);
    for (size_t i = 0; i < count; i++) {
        if (wrong[i].until && isinf(*wrong[i].until)) continue;  // a run without an end
        run = ANYTHING;
        REFUSED(lia_run_create(made->system, &wrong[i], made->diags, &run));
        assert_null(run);
    }
    LiaTrajectory* motion = ANYTHING;
    LiaRunEvent event = {.index = 7};
    char* bytes = ANYTHING;
    size_t length = 7;
    double x[2];
    assert_int_equal(lia_run_create(made->system, NULL, made->diags, &run), LIA_OK);
    REFUSED(lia_run_step(NULL));
    REFUSED(lia_run_advance(NULL, 1.0));
    const double times[] = {NAN, INFINITY, -INFINITY, -1.0};
    for (size_t i = 0; i < 4; i++) {
        REFUSED(lia_run_advance(run, times[i]));
        REFUSED(lia_run_state_at(run, times[i], x, x));
    }
    REFUSED(lia_run_state_at(run, 0.5, x, x));
    REFUSED(lia_run_state_at(NULL, 0.0, x, x));
    REFUSED(lia_run_state(NULL, x, x));
    assert_int_equal(lia_run_state(run, NULL, NULL), LIA_OK);
    assert_true(isnan(lia_run_time(NULL)));
    assert_int_equal(lia_run_size(NULL), 0);
    assert_false(lia_run_event(NULL, &event));
    assert_false(lia_run_event(run, NULL));
    assert_int_equal(event.index, 7);
    REFUSED(lia_run_save(NULL, &bytes, &length));
    assert_true(!bytes && length == 0);
    REFUSED(lia_run_save(run, NULL, &length));
    REFUSED(lia_run_save(run, &bytes, NULL));
    REFUSED(lia_run_restore(NULL, "", 0));
    REFUSED(lia_run_restore(run, NULL, 0));
    REFUSED(lia_run_restore(run, "", 0));
    double law[9] = {0.0};
    REFUSED(lia_run_control(NULL, "u", law, 1, 1.0));
    REFUSED(lia_run_control(run, "u", law, 1, 1.0));  // there are none
    REFUSED(lia_run_trajectory(NULL, &motion));
    assert_null(motion);
    REFUSED(lia_run_trajectory(run, NULL));
    assert_int_equal(lia_diags_count(made->diags), 0);
    lia_run_destroy(run);
    lia_run_destroy(NULL);
}

static void checking(void) {
    Made* made = shared;
    LiaTrajectory* out = ANYTHING;
    REFUSED(lia_motion_check(NULL, NULL, made->diags, &out));
    assert_null(out);
    REFUSED(lia_motion_check(made->system, NULL, NULL, &out));
    REFUSED(lia_motion_check(made->system, NULL, made->diags, NULL));
    REFUSED(lia_kept_find(NULL));
    LiaRunOptions wrong[64];
    size_t count = wrong_options(wrong);
    for (size_t i = 0; i < count; i++) {
        out = ANYTHING;
        REFUSED(lia_motion_check(made->system, &wrong[i], made->diags, &out));
        assert_null(out);
    }
    assert_int_equal(lia_diags_count(made->diags), 0);
    double value = 7.0;
    assert_null(lia_trajectory_check(NULL));
    assert_null(lia_trajectory_check(made->motion));
    assert_true(isnan(lia_trajectory_parting(NULL)));
    assert_true(isnan(lia_trajectory_parting(made->motion)));
    assert_false(lia_trajectory_difference(NULL, "x", &value));
    assert_false(lia_trajectory_difference(made->motion, "x", &value));
    assert_int_equal(lia_motion_check(made->system, NULL, made->diags, &out), LIA_OK);
    assert_non_null(lia_trajectory_check(out));
    assert_false(lia_trajectory_difference(out, "nothing", &value));
    assert_false(lia_trajectory_difference(out, NULL, &value));
    assert_false(lia_trajectory_difference(out, "x", NULL));
    assert_true(value == 7.0);
    assert_true(lia_trajectory_difference(out, "energy", &value));
    assert_true(fabs(value) < 1e-9);
    lia_trajectory_destroy(out);
}

static void a_state_of_another_model(void) {
    Made* made = shared;
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    LiaTrajectory* out = ANYTHING;
    LiaDiags* diags = lia_diags_create();
    assert_int_equal(lia_model_parse("other", text, strlen(text), NULL, diags, &model), LIA_OK);
    assert_int_equal(lia_system_build(model, NULL, diags, &system), LIA_OK);
    LiaRunOptions options = {.from = made->state};
    REFUSED(lia_motion_run(system, &options, diags, &out));
    assert_null(out);
    lia_system_destroy(system);
    lia_model_destroy(model);
    lia_diags_destroy(diags);
}

// Options at the ends of their ranges are no mistakes.
static void options_that_are_far_out(void) {
    Made* made = shared;
    static const LiaRunOptions right[] = {{.tolerance = 1e-300, .steps_most = 20},
                                          {.tolerance = 1e300},
                                          {.tolerance = 5e-324, .steps_most = 20},
                                          {.every = 1e300},
                                          {.order = 2, .tolerance = 1e-2, .steps_most = 20},
                                          {.order = 60, .steps_most = 20},
                                          {.samples = 1},
                                          {.samples = 2},
                                          {.steps_most = 1},
                                          {.steps_most = UINT64_MAX}};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        LiaTrajectory* out = NULL;
        LiaStatus status = lia_motion_run(made->system, &right[i], made->diags, &out);
        assert_true(status == LIA_OK || status == LIA_STOPPED);
        assert_non_null(out);
        lia_trajectory_destroy(out);
    }
    LiaDiags* diags = lia_diags_create();  // too many rows: said, though these are not the model's
    LiaTrajectory* out = ANYTHING;
    LiaRunOptions many = {.samples = UINT32_MAX};
    assert_int_equal(lia_motion_run(made->system, &many, diags, &out), LIA_MODEL);
    assert_null(out);
    assert_int_equal(lia_diags_errors(diags), 1);
    char* said = lia_diags_text(diags);
    assert_non_null(said);
    lia_free(said);
    lia_diags_destroy(diags);
}

static void trajectories(void) {
    Made* made = shared;
    const LiaTrajectory* m = made->motion;
    size_t rows = lia_trajectory_rows(m), columns = lia_trajectory_columns(m);
    double value = 7.0;
    assert_true(rows == 11 && columns > 0);
    assert_int_equal(lia_trajectory_rows(NULL), 0);
    assert_int_equal(lia_trajectory_columns(NULL), 0);
    assert_null(lia_trajectory_column(NULL, 0));
    assert_null(lia_trajectory_column(m, columns));
    assert_null(lia_trajectory_column(m, SIZE_MAX));
    assert_true(isnan(lia_trajectory_value(NULL, 0, 0)));
    assert_true(isnan(lia_trajectory_value(m, rows, 0)));
    assert_true(isnan(lia_trajectory_value(m, 0, columns)));
    assert_true(isnan(lia_trajectory_value(m, SIZE_MAX, SIZE_MAX)));
    assert_false(isnan(lia_trajectory_value(m, rows - 1, columns - 1)));
    assert_false(lia_trajectory_final(NULL, "x", &value));
    assert_false(lia_trajectory_final(m, NULL, &value));
    assert_false(lia_trajectory_final(m, "x", NULL));
    assert_false(lia_trajectory_final(m, "", &value));
    assert_false(lia_trajectory_final(m, "work(", &value));
    assert_true(value == 7.0);
    assert_null(lia_trajectory_status(NULL));
    assert_null(lia_trajectory_reason(NULL));
    assert_int_equal(lia_trajectory_spent(NULL), LIA_SPENT_NOTHING);
}

static void holonomies(void) {
    Made* made = shared;
    const LiaSystem* s = made->system;
    LiaHolonomy* out = ANYTHING;
    LiaDiags* d = made->diags;
    REFUSED(lia_holonomy(NULL, NULL, d, &out));
    assert_null(out);
    REFUSED(lia_holonomy(s, NULL, NULL, &out));
    REFUSED(lia_holonomy(s, NULL, d, NULL));
    const double nowhere = NAN;
    const LiaHolonomyOptions wrong[] = {
        {.until = &nowhere}, {.tolerance = -1.0}, {.tolerance = NAN}, {.more = {1}}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        REFUSED(lia_holonomy(s, &wrong[i], d, &out));
    }
    assert_int_equal(lia_diags_count(d), 0);
    lia_holonomy_destroy(NULL);
    assert_int_equal(lia_holonomy_count(NULL), 0);
    assert_null(lia_holonomy_at(NULL, 0));
    assert_null(lia_holonomy_turn(NULL, 0));
    assert_null(lia_holonomy_move(NULL));
    assert_true(isnan(lia_holonomy_lift_end(NULL)));
    assert_true(isnan(lia_holonomy_share(NULL)));
    assert_null(lia_output_holonomy(NULL, NULL));
    assert_null(lia_output_holonomy_json(NULL));
    const LiaReduceOptions by = {.by = "x"}, unknown = {.by = "x", .more = {1}};
    assert_null(lia_reduce(NULL, &by, d));
    assert_null(lia_reduce(s, NULL, d));
    assert_null(lia_reduce(s, &(LiaReduceOptions){0}, d));
    assert_null(lia_reduce(s, &unknown, d));
    assert_null(lia_reduce(s, &by, NULL));
    assert_int_equal(lia_diags_count(d), 0);
}

static void comparisons(void) {
    Made* made = shared;
    const LiaSystem* s = made->system;
    LiaComparison* out = ANYTHING;
    LiaDiags* d = made->diags;
    REFUSED(lia_compare(NULL, s, NULL, d, d, &out));
    assert_null(out);
    REFUSED(lia_compare(s, NULL, NULL, d, d, &out));
    REFUSED(lia_compare(s, s, NULL, NULL, d, &out));
    REFUSED(lia_compare(s, s, NULL, d, NULL, &out));
    REFUSED(lia_compare(s, s, NULL, d, d, NULL));
    LiaRunOptions wrong[64];
    size_t count = wrong_options(wrong);
    wrong[count++] = (LiaRunOptions){.from = made->state};
    for (size_t i = 0; i < count; i++) REFUSED(lia_compare(s, s, &wrong[i], d, d, &out));
    assert_int_equal(lia_diags_count(d), 0);
    lia_comparison_destroy(NULL);
    const LiaComparison* c = made->comparison;
    assert_int_equal(lia_comparison_count(NULL), 0);
    assert_null(lia_comparison_at(NULL, 0));
    assert_null(lia_comparison_at(c, lia_comparison_count(c)));
    assert_null(lia_comparison_at(c, SIZE_MAX));
    assert_null(lia_comparison_find(NULL, "x"));
    assert_null(lia_comparison_find(c, NULL));
    assert_null(lia_comparison_find(c, "nothing"));
    assert_null(lia_comparison_part(NULL));
    assert_null(lia_comparison_part(c));
    assert_null(lia_comparison_motion(NULL, 0));
    assert_null(lia_comparison_motion(c, 2));
    assert_null(lia_comparison_motion(c, -1));
    assert_non_null(lia_comparison_motion(c, 1));
}

static void files(void) {
    Made* made = shared;
    const char* const reads[] = {"a", NULL};
    size_t count = 7;
    char* paths = ANYTHING;
    REFUSED(lia_output_possible(NULL, NULL, 0));
    REFUSED(lia_output_possible("out.csv", NULL, 1));
    REFUSED(lia_output_possible("out.csv", reads, 2));
    REFUSED(lia_output_csv(NULL, "out.csv"));
    REFUSED(lia_output_csv(made->motion, NULL));
    REFUSED(lia_output_svg(NULL, "out", &count, &paths));
    assert_int_equal(count, 0);
    assert_null(paths);
    count = 7, paths = ANYTHING;
    REFUSED(lia_output_svg(made->motion, NULL, &count, &paths));
    assert_int_equal(count, 0);
    assert_null(paths);
    count = 7, paths = ANYTHING;
    REFUSED(lia_output_files(NULL, "out.csv", "out", &count, &paths));
    assert_int_equal(count, 0);
    assert_null(paths);
    assert_int_equal(lia_output_files(made->motion, NULL, NULL, NULL, NULL), LIA_OK);
    char* why = ANYTHING;
    REFUSED(lia_output_picture(NULL, LIA_PICTURE_PORTRAIT, NULL, "out.svg", &why));
    assert_null(why);
    REFUSED(lia_output_picture(made->motion, LIA_PICTURE_PORTRAIT, NULL, NULL, NULL));
    REFUSED(lia_output_picture(made->motion, (LiaPictureKind)3, NULL, "out.svg", NULL));
    REFUSED(lia_output_picture(made->motion, (LiaPictureKind)-1, NULL, "out.svg", NULL));
    REFUSED(lia_output_picture(made->motion, LIA_PICTURE_DISTRIBUTION, "no,such", "out.svg", &why));
    assert_non_null(why);
    lia_free(why);
    REFUSED(lia_output_page(NULL, "page", 4, "out.html"));
    REFUSED(lia_output_page(made->motion, NULL, 4, "out.html"));
    REFUSED(lia_output_page(made->motion, "page", 4, NULL));
    assert_int_equal(lia_output_page(made->motion, "page", 4, "out.html"), LIA_FILE);
}

static void results(void) {
    Made* made = shared;
    static const int widths[] = {-5, INT32_MIN, 1, 3, 100000};
    assert_null(lia_output_json(NULL));
    assert_null(lia_output_summary(NULL, NULL));
    assert_null(lia_output_reason(NULL));
    assert_null(lia_output_page_data(NULL));
    assert_null(lia_output_compare(NULL, NULL));
    assert_null(lia_output_compare_json(NULL));
    for (size_t i = 0; i < 5; i++) {
        LiaTextStyle style = {.width = widths[i], .pictures = true};
        char* summary = lia_output_summary(made->motion, &style);
        char* both = lia_output_compare(made->comparison, &style);
        assert_true(summary && both);
        lia_free(summary);
        lia_free(both);
    }
    char* plain = lia_output_summary(made->motion, NULL);
    char* both = lia_output_compare(made->comparison, NULL);
    assert_true(plain && both);
    lia_free(plain);
    lia_free(both);
}

static void explaining(void) {
    Made* made = shared;
    static const int widths[] = {-5, INT32_MIN, 1, 100000};
    assert_null(lia_explain(NULL, NULL, made->diags));
    assert_null(lia_explain(made->system, NULL, NULL));
    LiaExplainOptions wrong = {.format = (LiaExplainFormat)3};
    assert_null(lia_explain(made->system, &wrong, made->diags));
    wrong.format = (LiaExplainFormat)-1;
    assert_null(lia_explain(made->system, &wrong, made->diags));
    wrong = (LiaExplainOptions){.more = {1}};
    assert_null(lia_explain(made->system, &wrong, made->diags));
    assert_int_equal(lia_diags_count(made->diags), 0);
    for (size_t i = 0; i < 4; i++) {
        LiaExplainOptions options = {.style = {.width = widths[i]}};
        char* said = lia_explain(made->system, &options, made->diags);
        assert_non_null(said);
        lia_free(said);
    }
    static const char* const at[] = {"x = nan", "=", "x = 1e999", "t", "x = 1, x = 2", ",,,"};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        LiaDiags* own = lia_diags_create();
        LiaExplainOptions options = {.at = at[i]};
        assert_null(lia_explain(made->system, &options, own));
        assert_true(lia_diags_errors(own) > 0);
        lia_diags_destroy(own);
    }
    assert_null(lia_dump(NULL, made->system, "lang"));
    assert_null(lia_dump(made->model, made->system, NULL));
    assert_null(lia_dump(made->model, made->system, "nothing"));
    assert_null(lia_dump(made->model, NULL, "tape"));
    char* lang = lia_dump(made->model, NULL, "lang");
    assert_non_null(lang);
    lia_free(lang);
}

// A flag that is set from the beginning, and time that is up: nothing is reached, and the next
// budget is a new one.
static void spent_before_it_began(void) {
    Made* made = shared;
    volatile int flag = 1;
    LiaModel* model = ANYTHING;
    LiaSystem* system = ANYTHING;
    LiaTrajectory* motion = ANYTHING;
    LiaRunOptions options = {.interrupt = &flag};
    assert_int_equal(lia_motion_run(made->system, &options, made->diags, &motion), LIA_STOPPED);
    assert_null(motion);
    assert_int_equal(lia_budget_spent(), LIA_SPENT_NOTHING);  // it was the run's own flag
    for (int by_time = 0; by_time < 2; by_time++) {
        LiaBudget budget = {.interrupt = &flag};
        if (by_time) budget = (LiaBudget){.seconds = 1e-9};
        assert_int_equal(lia_budget_set(&budget), LIA_OK);
        assert_int_equal(lia_motion_run(made->system, NULL, made->diags, &motion), LIA_STOPPED);
        assert_null(motion);
        assert_int_equal(lia_budget_spent(), by_time ? LIA_SPENT_TIME : LIA_SPENT_INTERRUPT);
        assert_int_equal(lia_model_parse("t", text, strlen(text), NULL, made->diags, &model),
                         LIA_STOPPED);
        assert_int_equal(lia_system_build(made->model, NULL, made->diags, &system), LIA_STOPPED);
        assert_true(!model && !system);
        assert_null(lia_explain(made->system, NULL, made->diags));
        assert_int_equal(lia_diags_count(made->diags), 0);
        char* json = lia_output_json(made->motion);  // what was reached can be written
        assert_non_null(json);
        lia_free(json);
        model = ANYTHING, system = ANYTHING, motion = ANYTHING;
    }
    assert_int_equal(lia_budget_set(NULL), LIA_OK);
    assert_int_equal(lia_motion_run(made->system, NULL, made->diags, &motion), LIA_OK);
    lia_trajectory_destroy(motion);
}

// How many functions a header declares; all of them stand in the text.
static int functions_of(const char* path, const char* here) {
    char* header = file_text(path);
    assert_non_null(header);
    int count = 0;
    for (const char* line = header; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (!isalpha((unsigned char)*line)) continue;
        const char* at = strstr(line, "lia_");
        const char *end = strchr(line, '\n'), *open = strchr(line, '(');
        if (!at || !end || !open || at > end || open > end || at > open) continue;
        char name[100];
        snprintf(name, sizeof name, "%.*s", (int)(open + 1 - at), at);
        if (!strstr(here, name)) fail_msg("%s...) is not tried", name);
        count++;
    }
    free(header);
    return count;
}

// A function of a header that does not stand here is not tested.
static void every_function_is_here(void) {
    char* here = file_text("tests/api/test_arguments.c");
    assert_non_null(here);
    assert_true(functions_of("include/liaison/liaison.h", here) > 45);
    assert_true(functions_of("include/liaison/run.h", here) > 10);
    assert_true(functions_of("include/liaison/parameters.h", here) == 3);
    free(here);
}

int main(void) {
    const TestCase tests[] = {
        TEST(the_budget),
        TEST(texts_and_diagnostics),
        TEST(reading),
        TEST(building),
        TEST(parameters),
        TEST(states),
        TEST(running),
        TEST(runs_as_objects),
        TEST(checking),
        TEST(a_state_of_another_model),
        TEST(options_that_are_far_out),
        TEST(trajectories),
        TEST(holonomies),
        TEST(comparisons),
        TEST(files),
        TEST(results),
        TEST(explaining),
        TEST(spent_before_it_began),
        TEST(every_function_is_here),
    };
    return TESTS_RUN_WITHIN(tests, make, release);
}
