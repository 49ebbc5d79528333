// Operators whose forces are decided only together, against closed forms that stand in the models.
// SPDX-License-Identifier: MIT
#include "../support/motion.h"
#include "motion/trajectory.h"
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

// Every `observe` named e1, e2, ... is an error: none at any sample may be larger than `most`.
static void errors_stay_below(const Motion* m, int count, double most) {
    assert_non_null(m->t);
    assert_int_equal(m->status, LIA_OK);
    for (size_t row = 0; row < 21; row++) {
        for (int k = 1; k <= count; k++) {
            char name[8];
            snprintf(name, sizeof name, "e%d", k);
            double e = motion_value(m, row, name);
            if (!(fabs(e) <= most)) fail_msg("%s is %g in row %zu", name, e, row);
        }
    }
}

static int says(const Motion* m, const char* words) {
    char* text = lia_output_summary(m->t, NULL);
    int found = strstr(text, words) != NULL;
    lia_free(text);
    return found;
}

// A crane leads its load by trolley and winch. Both forces reach the load by the rope alone, so the rope must stand along
// the acceleration that the law asks for: tan(theta) = -X''/(Z'' + g), and all else follows.
static const char crane[] =
    "model crane\n"
    "parameter m = %s, M = 2*m, I = m/2, g = 9.81\n"
    "coordinate s, r : line\ncoordinate theta : circle\n"
    "let load = [s + r*sin(theta), -r*cos(theta)]\n"
    "kinetic m/2*dot(load', load') + M/2*s'^2 + I/2*r'^2\npotential m*g*load.y\n"
    "control X = 0.5*sin(t), Z = -2 + 0.3*cos(1.3*t)\n"
    "operator lead: load = [X, Z] by d(s), d(r)\n"
    "let a = atan(-X''/(Z'' + g)), rope = -Z/cos(a), trolley = X - rope*sin(a)\n"
    "let pull = m*hypot(X'', Z'' + g)\n"
    "observe e1 = theta - a, e2 = r - rope, e3 = s - trolley, e4 = theta' - a'\n"
    "observe e5 = (force(lead)[1] - M*trolley'' + pull*sin(a))/m\n"
    "observe e6 = (force(lead)[2] - I*rope'' + pull)/m\n"
    "start r ~ 2\nrun t = %s..5, tolerance 1e-14, samples 21\n";

static void a_crane_leads_its_load(void** state) {
    (void)state;
    const char *masses[] = {"1", "2.5e4", "1"}, *begins[] = {"0", "0", "0.5"};
    for (int k = 0; k < 3; k++) {
        char model[1200];
        snprintf(model, sizeof model, crane, masses[k], begins[k]);
        Motion m = motion_of(model, NULL);
        errors_stay_below(&m, 6, 1e-11);
        assert_true(motion_final(&m, "balance") < 1e-12);
        assert_true(says(&m, "'lead' acts through other forces"));
        motion_clear(&m);
    }
}

// A law whose fourth derivative jumps makes a force jump; one whose third does makes the trolley jump: the rope stands along
// (X'', g), so theta' changes by -6/g, the load goes on, and s' changes by 6 r/g.
static void a_crane_passes_corners(void** state) {
    (void)state;
    for (int power = 3; power <= 4; power++) {
        char model[600];
        snprintf(model, sizeof model,
                 "model corner\ncoordinate s, r : line\ncoordinate a : circle\n"
                 "let load = [s + r*sin(a), -r*cos(a)]\n"
                 "kinetic dot(load', load')/2 + s'^2 + r'^2/4\npotential 9.81*load.y\n"
                 "operator lead: load = [max(0, t - 1)^%d, -2] by d(s), d(r)\n"
                 "observe e1 = load.x - max(0, t - 1)^%d, e2 = load.y + 2\n"
                 "start r ~ 2\nrun t = 0..1.5, samples 21\n",
                 power, power);
        Motion m = motion_of(model, NULL);
        errors_stay_below(&m, 2, 1e-12);
        assert_true(motion_final(&m, "balance") < 1e-12);
        assert_int_equal(m.t->jump_count, power == 3);
        if (power == 3) {
            const LiaJump* jump = &m.t->jumps[0];
            assert_true(fabs(jump->impulses[0].values[0] - 2.0 * 12.0 / 9.81) < 1e-11);
            assert_true(fabs(jump->impulses[0].work - 12.0 / 9.81 * 12.0 / 9.81) < 1e-11);
        }
        motion_clear(&m);
    }
}

// b moves x3 through a spring, but its equation has x1 in it, which a moves at once: x3 = g - f, x2 = x3 + m x3''/k.
static void a_force_that_is_in_the_way_is_looked_behind(void** state) {
    (void)state;
    Motion m = motion_of("model mixed\nparameter k = 5\ncoordinate x1, x2, x3 : line\n"
                         "kinetic (x1'^2 + x2'^2 + x3'^2)/2\npotential k/2*(x2 - x3)^2\n"
                         "control f = 0.2*sin(t), g = 0.1*cos(2*t)\n"
                         "operator a: x1 + x3/2 = f by d(x1)\noperator b: x1 + x3 = g by d(x2)\n"
                         "let y3 = 2*(g - f), y1 = g - y3, y2 = y3 + y3''/k\n"
                         "observe e1 = x1 - y1, e2 = x2 - y2, e3 = x3 - y3, e4 = x2' - y2'\n"
                         "observe e5 = force(a) - y1'', e6 = force(b) - y2'' - k*(y2 - y3)\n"
                         "run t = 0..5, samples 21\n",
                         NULL);
    errors_stay_below(&m, 6, 1e-11);
    assert_true(says(&m, "'b' acts through other forces"));
    motion_clear(&m);
}

// Two operators that ask the same through the same spring share the force of one.
static void operators_that_ask_the_same_share_a_force(void** state) {
    (void)state;
    Motion m = motion_of("model shared\nparameter k = 5\ncoordinate x1, x2 : line\n"
                         "kinetic (x1'^2 + x2'^2)/2\npotential k/2*(x1 - x2)^2\n"
                         "control f = 0.3*sin(t)\n"
                         "operator a: x2 = f by d(x1)\noperator b: 2*x2 = 2*f by d(x1)\n"
                         "let y1 = f + f''/k\n"
                         "observe e1 = x1 - y1, e2 = x2 - f\n"
                         "observe e3 = force(a) + force(b) - y1'' - k*(y1 - f)\n"
                         "run t = 0..5, samples 21\n",
                         NULL);
    errors_stay_below(&m, 3, 1e-11);
    assert_true(says(&m, "the forces of 'a', 'b' are not unique"));
    motion_clear(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crane_leads_its_load),
        cmocka_unit_test(a_crane_passes_corners),
        cmocka_unit_test(a_force_that_is_in_the_way_is_looked_behind),
        cmocka_unit_test(operators_that_ask_the_same_share_a_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
