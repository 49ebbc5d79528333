// A start that is being looked for is given up when somebody asks for the end: searches that take
// long ask whether they are to go on.
// SPDX-License-Identifier: MIT
#include "liaison/liaison.h"
#include "support/cases.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

static double computed(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The shortest time of some runs, each with a budget (0: none).
static double time_of(const LiaSystem* system, double budget, LiaStatus* status) {
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        LiaDiags* diags = lia_diags_create();
        LiaTrajectory* motion = NULL;
        double begun = computed();
        lia_budget_set(&(LiaBudget){.seconds = budget});
        *status = lia_motion_run(system, &(LiaRunOptions){.samples = 2}, diags, &motion);
        lia_budget_set(NULL);
        least = fmin(least, computed() - begun);
        lia_trajectory_destroy(motion);
        lia_diags_destroy(diags);
    }
    return least;
}

// A run that is all start, which is given a part of the time that it takes, takes little more than
// that.
static void gives_up(const char* text) {
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    LiaStatus status;
    assert_int_equal(lia_model_parse("test.lia", text, strlen(text), NULL, diags, &model), LIA_OK);
    assert_int_equal(lia_system_build(model, NULL, diags, &system), LIA_OK);
    double whole = time_of(system, 0.0, &status), part = time_of(system, 0.3 * whole, &status);
    if (!(part < 0.7 * whole)) fail_msg("%.4g s of %.4g s\n%s", part, whole, text);
    assert_int_equal(status, LIA_STOPPED);
    lia_system_destroy(system);
    lia_model_destroy(model);
    lia_diags_destroy(diags);
}

static void nearer_starts_are_not_looked_for_any_more(void) {
    gives_up("coordinate x, y, z : line\nkinetic x'^2 + y'^2 + z'^2\n"
             "constraint a: sin(3*x) + cos(2*y*z) + 0.3*x*z = 0.4, sin(x*y) + z^2 = 2\n"
             "start x ~ 3, y ~ 2, z ~ 0.3\nrun t = 0..0\n");
}

int main(void) {
    const TestCase tests[] = {
        TEST(nearer_starts_are_not_looked_for_any_more),
    };
    return TESTS_RUN(tests);
}
