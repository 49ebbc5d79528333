// Long runs and times of any size: the energy does not drift, or the run says how it grows.
// SPDX-License-Identifier: MIT
#include "agree.h"
#include "support/motion.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

// Steps of one tolerance drift in proportion to their number: after 30,000 s the energies would be off by 4e-11, 2e-9, 2e-10.
static void the_energy_does_not_drift(void** state) {
    (void)state;
    const char* const models[] = {oscillator, pendulum, planet};
    const double within[] = {8e-12, 1.3e-10, 1.2e-11};
    const double until = 30000.0;
    for (int i = 0; i < 3; i++) {
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
static void a_drift_is_said(void** state) {
    (void)state;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_energy_does_not_drift),
        cmocka_unit_test(a_drift_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
