// The summary shows as 0 what is rounding of what it was summed of, and nothing else.
//
// Tests: motion/result/held.c
// By law: motion/result/rounding.c: what is shown as 0 is rounding of what it was summed of
// SPDX-License-Identifier: MIT
#include "motion/result/held.h"
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include "support/motion.h"
#include "support/runner.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static size_t column(const Motion* m, const char* name) {
    for (size_t k = 0; k < m->t->csv_count; k++) {
        if (strcmp(m->t->columns[k].name, name) == 0) return k;
    }
    fail_msg("no column %s", name);
    return 0;
}

// Is the number in this column shown as 0?
static bool vanishes(const Motion* m, const char* name) {
    size_t k = column(m, name);
    assert_non_null(m->t->final.rounding);
    return fabs(m->t->final.values[k]) <= m->t->final.rounding[k];
}

static const LiaLedgerLine* line(const Motion* m, const char* name) {
    for (size_t l = 0; l < m->t->ledger.count; l++) {
        if (strcmp(m->t->ledger.lines[l].name, name) == 0) return &m->t->ledger.lines[l];
    }
    fail_msg("no line %s", name);
    return NULL;
}

// A pendulum in x and y, its rod a constraint that need not know that it does no work; half a turn
// of a wheel that stands then.
static void sums_that_cancel_are_rounding(void) {
    for (int tiny = 0; tiny < 2; tiny++) {
        char text[600];
        snprintf(text, sizeof text,
                 "parameter m = %s, l = %s\ncoordinate x, y : line\ncoordinate s : circle\n"
                 "kinetic m/2*(x'^2 + y'^2) + m*l^2*s'^2/2\npotential m*9.81*y\n"
                 "constraint rod: x^2 + y^2 = l^2 force x*d(x) + y*d(y)\n"
                 "operator wheel: s = sin(pi*t)\n"
                 "start x = 0.6*l, y = -0.8*l, x' = 0\n"
                 "observe off = sqrt(x^2 + y^2) - l, angle = x/l, sum = (x + l) - x - l\n"
                 "run t = 0..%s\n",
                 tiny ? "1e-26" : "2", tiny ? "1e-9" : "1", tiny ? "0.5" : "0.5");
        Motion m = motion_of(text, NULL);
        assert_int_equal(m.status, LIA_OK);
        assert_true(vanishes(&m, "off"));
        assert_true(vanishes(&m, "s'"));
        assert_true(vanishes(&m, "power(rod)"));
        assert_true(vanishes(&m, "power(wheel)"));
        assert_true(fabs(line(&m, "rod")->work) <= line(&m, "rod")->work_rounding);
        assert_false(vanishes(&m, "angle"));
        assert_false(vanishes(&m, "x"));
        assert_false(vanishes(&m, "x'"));
        assert_false(vanishes(&m, "force(rod)"));
        assert_false(vanishes(&m, "force(wheel)"));
        assert_false(fabs(line(&m, "wheel")->work) <= line(&m, "wheel")->work_rounding);
        char* summary = lia_output_summary(m.t, NULL);
        assert_null(strstr(summary, "  off         -"));
        lia_free(summary);
        motion_clear(&m);
    }
}

// A force that holds pulls which are in balance, and one that is there only because of another
// coordinate's.
static void forces_of_pulls_in_balance_are_rounding(void) {
    Motion m = motion_of("parameter p = 0.1, r = 0.2, s = 0.3\n"
                         "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"
                         "force one: p*d(x) - 3e-20*d(y)\nforce two: r*d(x)\n"
                         "force three: -s*d(x)\nconstraint a: x = 1\nconstraint b: y = 1\n"
                         "run t = 0..1\n",
                         NULL);
    assert_int_equal(m.status, LIA_OK);
    assert_true(motion_final(&m, "force(a)") != 0.0);
    assert_true(vanishes(&m, "force(a)"));
    assert_false(vanishes(&m, "force(b)"));
    assert_true(fabs(motion_final(&m, "force(b)") / 3e-20 - 1.0) < 1e-12);
    motion_clear(&m);
}

// What is small relative to others it has nothing to do with is there all the same. What has died
// out is not: of x' = exp(-60) = 8.8e-27 no digit is known after steps that may miss 1e-12.
static void small_numbers_are_shown(void) {
    Motion m = motion_of("coordinate x, z : line\nkinetic x'^2/2 + 5e-27*z'^2\n"
                         "force drag: -3*x'*d(x)\noperator hand: z = 1e-9*t^2\n"
                         "start x' = 1\nobserve decayed = exp(-20*t)*x'\nrun t = 0..20\n",
                         NULL);
    assert_int_equal(m.status, LIA_OK);
    static const char* const names[] = {"force(hand)", "power(hand)", "z", "z'", "x"};
    static const char* const died[] = {"x'", "decayed", "power(drag)"};
    for (size_t i = 0; i < sizeof died / sizeof died[0]; i++) assert_true(vanishes(&m, died[i]));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (vanishes(&m, names[i])) fail_msg("%s would be shown as 0", names[i]);
        assert_true(motion_final(&m, names[i]) != 0.0);
    }
    assert_true(fabs(line(&m, "hand")->work) > line(&m, "hand")->work_rounding);
    motion_clear(&m);
}

// Works of impulses are differences of energies; what projections moved is not listed then.
static void works_of_elastic_impacts_are_rounding(void) {
    for (int elastic = 0; elastic < 2; elastic++) {
        char text[400];
        snprintf(text, sizeof text,
                 "parameter l = 1\ncoordinate x, y, s : line\nkinetic (x'^2 + y'^2 + s'^2)/2\n"
                 "potential 9.81*y\nconstraint rod: x^2 + y^2 = l^2\n"
                 "contact wall: s - x >= 0 restitution %s\n"
                 "start x = -0.6, y ~ -1, s = 0.1\nrun t = 0..1\n",
                 elastic ? "1" : "0.999999");
        Motion m = motion_of(text, NULL);
        assert_int_equal(m.status, LIA_OK);
        assert_true(m.t->jumps.count > 0);
        const LiaLedgerLine* wall = line(&m, "wall");
        assert_true((fabs(wall->work) <= wall->work_rounding) == (elastic == 1));
        char* said = lia_output_summary(m.t, NULL);
        const LiaLedgerLine* last = &m.t->ledger.lines[m.t->ledger.count - 1];
        bool moved = last->kind == LIA_LINE_PROJECTION && fabs(last->work) > m.t->ledger.rounding;
        assert_true((strstr(said, "projection") != NULL) == moved);
        lia_free(said);
        motion_clear(&m);
    }
}

// What equations alone determine: the end of a rod in its guide; a box on four corners that stick,
// after a slide that makes all its velocities rounding of others. What they leave open decays, and
// is shown as long as it is more than steps may miss.
static void what_equations_hold_is_known(void) {
    Motion m = motion_of_file("examples/crank/crank.lia", NULL);
    assert_int_equal(m.status, LIA_OK);
    assert_true(motion_final(&m, "y'") != 0.0 && vanishes(&m, "y") && vanishes(&m, "y'"));
    assert_false(vanishes(&m, "x") || vanishes(&m, "x'") || vanishes(&m, "a'"));
    motion_clear(&m);
    m = motion_of_file("examples/tumbling_box/tumbling_box.lia", NULL);
    assert_int_equal(m.status, LIA_OK);
    assert_true(vanishes(&m, "box.position'.x") && vanishes(&m, "box.position'.y"));
    assert_true(vanishes(&m, "box.attitude'.z") && vanishes(&m, "kinetic"));
    assert_false(vanishes(&m, "box.position.x") || vanishes(&m, "box.position.z"));
    motion_clear(&m);
    m = motion_of("coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\ndissipation (x'^2 + y'^2)/2\n"
                  "constraint way: y = x\nstart x = 0, x' = 1\nrun t = 0..20\n",
                  NULL);
    assert_false(vanishes(&m, "x'") || vanishes(&m, "y'"));
    assert_float_equal(motion_final(&m, "y'") * exp(20.0), 1.0, 1e-4);
    motion_clear(&m);
}

// A narrow push against what is held moves nothing, and costs no more steps than it has features.
static void a_push_against_what_is_held_moves_nothing(void) {
    Motion m = motion_of("coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\nconstraint held: x = 0\n"
                         "force push: exp(-((t - 5)/0.01)^2)*d(x)\nstart y' = 1\n"
                         "run t = 0..10, every 0.005\n",
                         NULL);
    assert_int_equal(m.status, LIA_OK);
    assert_int_equal(lia_diags_count(m.diags), 0);  // nothing is doubtful
    assert_true(m.t->effort.steps < 1000);
    for (size_t r = 0; r < m.t->rows.count; r++) {
        double t = motion_value(&m, r, "t"), push = exp(-pow((t - 5.0) / 0.01, 2.0));
        assert_float_equal(motion_value(&m, r, "force(held)"), -push, 1e-12);
    }
    assert_true(vanishes(&m, "x") && vanishes(&m, "x'"));
    motion_clear(&m);
}

// Of three coordinates on a line through a moving guide two are held, by less than rounding; at the
// level of positions one of them, the other by its rate alone.
static void equations_hold_what_they_leave_no_freedom(void) {
    const char* text = "model m\ncoordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                       "constraint guide: y = 1\nconstraint wheel: z' + y' = 0\n"
                       "start x' = 2, y = 1, z = 3\nrun t = 0..1\n";
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    LiaRun* run = NULL;
    double off[3];
    assert_int_equal(lia_model_parse("test", text, strlen(text), NULL, diags, &model), LIA_OK);
    assert_int_equal(lia_system_build(model, NULL, diags, &system), LIA_OK);
    assert_int_equal(lia_run_create(system, NULL, diags, &run), LIA_OK);
    const LiaRunner* inside = runner_of(run);
    while (lia_run_step(run) == LIA_OK) {
        assert_true(lia_held_find(inside, true, off));
        assert_true(off[0] == -1.0 && off[1] >= 0.0 && off[2] >= 0.0);
        assert_true(off[1] < 1e-15 && off[2] < 1e-15);
        assert_true(lia_held_find(inside, false, off));
        assert_true(off[0] == -1.0 && off[1] >= 0.0 && off[1] < 1e-15 && off[2] == -1.0);
    }
    lia_run_destroy(run);
    lia_system_destroy(system);
    lia_model_destroy(model);
    lia_diags_destroy(diags);
}

// A slide in a body that spins about an axis along the slide: what moves it is rounding of forces
// that cancel, and the bodies have no unit to be compared by. A velocity that is more is shown.
static void what_rounding_of_accelerations_moves_is_shown_as_zero(void) {
    for (int moves = 0; moves < 2; moves++) {
        char text[400];
        snprintf(text, sizeof text,
                 "coordinate z : line in m\nbody sat: mass 100, inertia [10, 11, 15], free\n"
                 "body mass: mass 1, position point(sat, [0.5, 0, z])\npotential 2*z^2\n"
                 "start sat.attitude = rotx(0.2), Omega(sat.attitude) = [0, 0, 3], z' = %s\n"
                 "run t = 0..3\n",
                 moves ? "1e-11" : "0");
        Motion m = motion_of(text, NULL);
        assert_int_equal(m.status, LIA_OK);
        assert_int_equal(vanishes(&m, "z'"), !moves);
        motion_clear(&m);
    }
}

// x' = exp(-t): a step may miss a part of what it was, so that of exp(-25) = 1.389e-11 two digits
// are known, and of exp(-50) = 1.9e-22 none. What was never larger is shown.
static void what_has_died_away_is_shown_as_zero(void) {
    for (int late = 0; late < 2; late++) {
        char text[300];
        snprintf(text, sizeof text,
                 "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\ndissipation x'^2/2\n"
                 "start x' = 1, y' = 1e-20\nrun t = 0..%d\n",
                 late ? 50 : 25);
        Motion m = motion_of(text, NULL);
        assert_int_equal(m.status, LIA_OK);
        assert_int_equal(vanishes(&m, "x'"), late);
        assert_false(vanishes(&m, "x"));
        assert_false(vanishes(&m, "y'"));
        char* summary = lia_output_summary(m.t, NULL);
        assert_non_null(strstr(summary, late ? "  1         0\n" : "  1         1.4e-11\n"));
        assert_non_null(strstr(summary, " 1e-20\n"));
        lia_free(summary);
        motion_clear(&m);
    }
}

// Momenta whose terms cancel: th' = -(s1' + s2')/4 keeps a momentum of 0.
static void what_is_kept_at_zero_is_shown_as_zero(void) {
    Motion m = motion_of("coordinate th, s1, s2 : circle\n"
                         "kinetic th'^2/20 + (th' + s1')^2/40 + (th' + s2')^2/40\n"
                         "operator a: s1 = 0.5*cos(t)\noperator b: s2 = 0.5*sin(t)\n"
                         "symmetry turn: th' = 1\nrun t = 0..6.283185307179586\n",
                         NULL);
    assert_int_equal(m.status, LIA_OK);
    char* summary = lia_output_summary(m.t, NULL);
    assert_non_null(strstr(summary, "  momentum(turn)  0  within"));
    lia_free(summary);
    motion_clear(&m);
}

// The friction at both ends of a rod that lies still: the forces are not unique, and those of least
// norm are 0.
static void shared_forces_have_no_digits_of_rounding(void) {
    Motion m = motion_of("parameter l = 1\ncoordinate x, y : line\ncoordinate a : circle\n"
                         "let A = [x - l/2*cos(a), y - l/2*sin(a)]\n"
                         "let B = [x + l/2*cos(a), y + l/2*sin(a)]\n"
                         "kinetic (x'^2 + y'^2)/2 + l^2/24*a'^2\npotential 9.81*y\n"
                         "contact left: A.y >= 0 slip A.x' friction 0.3 restitution 0.4\n"
                         "contact right: B.y >= 0 slip B.x' friction 0.3 restitution 0.4\n"
                         "start y = 0.8, a = 0.6, x' = 1, a' = 2\nrun t = 0..2\n",
                         NULL);
    assert_int_equal(m.status, LIA_OK);
    assert_true(vanishes(&m, "force(left)[2]") && vanishes(&m, "force(right)[2]"));
    assert_true(fabs(motion_final(&m, "force(left)[1]") / 4.905 - 1.0) < 1e-12);
    assert_false(vanishes(&m, "force(left)[1]") || vanishes(&m, "force(right)[1]"));
    motion_clear(&m);
}

int main(void) {
    const TestCase tests[] = {
        TEST(sums_that_cancel_are_rounding),
        TEST(forces_of_pulls_in_balance_are_rounding),
        TEST(small_numbers_are_shown),
        TEST(works_of_elastic_impacts_are_rounding),
        TEST(what_equations_hold_is_known),
        TEST(a_push_against_what_is_held_moves_nothing),
        TEST(equations_hold_what_they_leave_no_freedom),
        TEST(what_rounding_of_accelerations_moves_is_shown_as_zero),
        TEST(what_has_died_away_is_shown_as_zero),
        TEST(what_is_kept_at_zero_is_shown_as_zero),
        TEST(shared_forces_have_no_digits_of_rounding),
    };
    return TESTS_RUN(tests);
}
