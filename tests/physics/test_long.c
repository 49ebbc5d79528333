// Long runs and times of any size: the energy does not drift, or the run says how it grows.
//
// By law: motion/run/long_run.c: a run whose end is far away says so
// SPDX-License-Identifier: MIT
#include "agree.h"
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char oscillator[] = "coordinate x : line\nkinetic x'^2/2\npotential x^2/2\n"
                                 "start x = 1, x' = 0\nrun t = 0..12566\n";
static const char pendulum[] = "coordinate a : circle\nkinetic a'^2/2\npotential -cos(a)\n"
                               "start a = 2, a' = 0\nrun t = 0..12566\n";
static const char planet[] = "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"
                             "potential -1/sqrt(x^2 + y^2)\nsymmetry turn: x' = -y, y' = x\n"
                             "start x = 1, y = 0, x' = 0, y' = 1.1\nrun t = 0..12566\n";

static double number_after(const Motion* m, const char* key) {
    char* json = lia_output_json(m->t);
    const char* at = strstr(json, key);
    double x = at ? strtod(at + strlen(key), NULL) : NAN;
    lia_free(json);
    return x;
}

static bool says(const Motion* m, const char* words) {
    char* text = lia_output_summary(m->t, &(LiaTextStyle){.width = 200});
    bool found = strstr(text, words) != NULL;
    lia_free(text);
    return found;
}

// Steps of one tolerance drift in proportion to their number: after 30,000 s the energies would be
// off by 4e-11, 2e-9, 2e-10.
static void the_energy_does_not_drift(void) {
    const char* const models[] = {oscillator, pendulum, planet};
    const double within[] = {8e-12, 1.3e-10, 1.2e-11};
    const double until = 30000.0;
    for (int i = 0; i < 3; i += cases_every()) {
        Motion m = motion_of(models[i], &(MotionOptions){.run.until = &until});
        assert_int_equal(m.status, LIA_OK);
        double first = motion_value(&m, 0, "energy"), off = 0.0;
        for (size_t r = 0; r < lia_trajectory_rows(m.t); r++)
            off = fmax(off, fabs(motion_value(&m, r, "energy") - first));
        if (!(off < within[i])) fail_msg("model %d: energy off by %g", i, off);
        assert_true(number_after(&m, "\"balance_growth\": ") == 0.0);
        assert_true(!says(&m, "grows"));
        motion_clear(&m);
    }
}

// At a loose tolerance: errors add up, and it is said how.
static void a_drift_is_said(void) {
    const double until = 60000.0;
    MotionOptions o = {.run = {.tolerance = 1e-4, .until = &until}};
    Motion m = motion_of(oscillator, &o);
    assert_int_equal(m.status, LIA_OK);
    double growth = number_after(&m, "\"balance_growth\": ");
    size_t rows = lia_trajectory_rows(m.t);
    double scale = 1.0, half = motion_value(&m, rows / 2, "energy");  // max T + range of U
    double drift = (motion_value(&m, rows - 1, "energy") - half) / scale / (until / 2.0);
    if (!(fabs(growth / drift - 1.0) < 0.2)) fail_msg("grows by %g, said %g", drift, growth);
    assert_true(says(&m, ", grows by "));
    motion_clear(&m);
}

static bool warned(const Motion* m, const char* code) {
    char* text = lia_diags_text(m->diags);
    bool found = text && strstr(text, code) != NULL;
    lia_free(text);
    return found;
}

// At t = 1e12 numbers are 1e-4 apart: steps end at such numbers, and the motion is that of ten
// seconds.
static void a_late_start_changes_nothing(void) {
    Motion m = motion_of("coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential x^2/2\n"
                         "force f: sin(t)*d(y)\nstart x = 1, x' = 0, y = 0, y' = 0\n"
                         "run t = 1e12..1e12 + 10\n",
                         &(MotionOptions){0});
    assert_int_equal(m.status, LIA_OK);
    near(motion_final(&m, "x"), cos(10.0), 1e-11);
    near(motion_final(&m, "y'"), cos(1e12) - cos(1e12 + 10.0), 1e-11);
    near(motion_final(&m, "y"), 10.0 * cos(1e12) - sin(1e12 + 10.0) + sin(1e12), 1e-10);
    motion_clear(&m);
}

// Forces are none, or cancel: one step, however far.
static void a_free_motion_goes_any_way(void) {
    Motion m = motion_of("coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential y^2/2\n"
                         "start x = 0, x' = 0.5, y = 0, y' = 0\nrun t = 0..1e300\n",
                         &(MotionOptions){0});
    assert_int_equal(m.status, LIA_OK);
    near(motion_final(&m, "x") / 1e300, 0.5, 1e-15);
    motion_clear(&m);
}

static void ends_with(const char* text, const char* words) {
    Motion m = motion_of(text, &(MotionOptions){.quiet = 1});
    assert_non_null(m.t);
    char* json = lia_output_json(m.t);
    if (!strstr(json, words)) fail_msg("%s expected of\n%s\nsaid:\n%s", words, text, json);
    lia_free(json);
    motion_clear(&m);
}

static void a_run_that_cannot_end_says_why(void) {
    ends_with("coordinate x : line\nkinetic x'^2/2\npotential 1e8*x^2/2\nstart x = 1\n"
              "run t = 1e12..1e12 + 10\n",
              "E0416");
    ends_with("coordinate x : line\nkinetic x'^2/2\npotential x^2/2\nstart x = 1\n"
              "run t = 0..1e30\n",
              "the end of the run is out of reach: the motion of 'x' asks for steps of");
}

// A hard spring that hardly vibrates, a damper in which everything creeps; not a fast vibration,
// nor a planet.
static void what_is_stiff_is_said(void) {
    static const struct {
        const char* text;
        bool stiff;
    } cases[] = {
        {"coordinate x : line\nkinetic x'^2/2\npotential 1e12*(x - sin(t))^2/2\n"
         "start x = 0, x' = 1\nrun t = 0..0.2\n",
         true},
        {"coordinate x : line\nkinetic x'^2/2\npotential x^2/2\ndissipation 1e8*x'^2/2\n"
         "start x = 1, x' = 0\nrun t = 0..0.003\n",
         true},
        {"coordinate x : line\nkinetic x'^2/2\npotential 1e12*x^2/2\nstart x = 1\nrun t = 0..0.1\n",
         false},
        {planet, false},
        {pendulum, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Motion m = motion_of(cases[i].text, &(MotionOptions){0});
        assert_int_equal(m.status, LIA_OK);
        if (warned(&m, "W0415") != cases[i].stiff) fail_msg("W0415 and\n%s", cases[i].text);
        motion_clear(&m);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(the_energy_does_not_drift),      TEST(a_drift_is_said),
        TEST(a_late_start_changes_nothing),   TEST(a_free_motion_goes_any_way),
        TEST(a_run_that_cannot_end_says_why), TEST(what_is_stiff_is_said),
    };
    return TESTS_RUN(tests);
}
