// Contacts along a run: laws that hold whatever the model, and what is said where none can.
//
// By law: motion/contact/collide.c: no gap is negative after an impact, and none is approached
// By law: motion/contact/contact_record.c: every impact is recorded with its energy and its kind
// By law: motion/contact/contact_rows.c: gaps and slips of a contact are those of its formulas
// By law: motion/contact/contact_watch.c: no contact passes through without an event
// By law: motion/contact/contacts.c: closed contacts push, open ones have no force
// By law: motion/contact/contacts_start.c: what touches at the start has the mode of its forces
// By law: motion/contact/decide.c: a mode goes on whose series keep its conditions
// By law: motion/contact/modes.c: a mode that comes back is entered again, and its time is counted
// By law: motion/contact/response.c: an impulse on one contact moves all others as inertia says
// By law: motion/contact/switches.c: what begins and ends by events does so at their instants
//
// Tests: motion/contact/laws.c
// Tests: motion/contact/rough/rough_values.c
// SPDX-License-Identifier: MIT
#include "../support/motion.h"
#include "motion/contact/laws.h"
#include "motion/contact/rough/rough_values.h"
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include "support/runner.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#define PLANE "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"
#define ROD                                                                                        \
    "coordinate x, y : line, th : circle\nkinetic (x'^2 + y'^2)/2 + th'^2/6\n"                     \
    "potential 9.81*y\n"

static int count_events(const LiaTrajectory* t, LiaEventKind kind) {
    int count = 0;
    for (size_t i = 0; i < t->events.count; i++) count += t->events.list[i].kind == kind;
    return count;
}

static void what_cannot_be_decided_is_said(void) {
    static const struct {
        const char *code, *text;
    } cases[] = {
        {"E0286", PLANE "contact c: y >= 0 slip x'^2 friction 0.3\nrun t = 0..1\n"},
        {"E0430", PLANE "contact c: y >= 0\nstart y = -1\nrun t = 0..1\n"},
        {"E0431", PLANE "contact c: y >= 0\nstart y = 1, y' = 1\nrun t = 2..0\n"},
        {"E0403", PLANE "potential 9.81*y\ncontact c: y >= 0 slip x' friction log(x)\n"
                        "start x' = 1\nrun t = 0..1\n"},
        {"E0284", PLANE "potential 9.81*y\ncontact c: y >= 0 slip x' friction log(x)\n"
                        "start x = 0.5, x' = 1\nrun t = 0..1\n"},
        {"E0432",
         PLANE "contact a: y >= 0\ncontact b: -y - x^2 >= 0\nstart x' = 1\nrun t = 0..1\n"},
        {"E0433", "coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential -9.81*y\n"
                  "operator o: z - 2*y = 0 by d(y) + d(z)\n"
                  "contact c: y >= 0 slip x' friction 0.3\nstart x' = 1\nrun t = 0..1\n"},
        {"E0434", ROD "contact c: y - sin(th) >= 0 slip x' + sin(th)*th' friction 3\n"
                      "start th = 0.8, x' = -8, th' = 6\nrun t = 0..1\n"},
        {"E0436", PLANE "contact c: if(t < 1, y, y - 2) >= 0\nstart y = 1\nrun t = 0..2\n"},
        // driven back from both sides of a corner, from the start on or once it is caught there
        {"E0405", PLANE "force f: -2*sign(x')*d(x)\nrun t = 0..1\n"},
        {"E0405", PLANE "potential 9.81*y\nconstraint v: y = abs(x)/2\nrun t = 0..1\n"},
        {"E0405", PLANE "potential 9.81*y\ncontact v: y - abs(x)/2 >= 0\nrun t = 0..1\n"},
        // the same where the sides that gap and force take lie at right angles
        {"E0405", PLANE "potential 9.81*y\ncontact v: y - abs(x) >= 0\nrun t = 0..1\n"},
        {"E0405", PLANE "potential 9.81*y\ncontact v: y - abs(x) >= 0\nstart x = -1, y = 2, "
                        "x' = 0.3\nrun t = 0..3\n"},
        {"E0405", PLANE "potential 9.81*y\nconstraint v: y = abs(x)\nstart x = -1, y = 1, x' = 3\n"
                        "run t = 0..3\n"},
        {"E0432", PLANE "potential 9.81*y\ncontact v: y - abs(x)^1.5 >= 0\nstart x = -1, y = 2, "
                        "x' = 0.3\nrun t = 0..3\n"},
        {"E0405", PLANE "potential 9.81*y\ncontact v: y - max(x, -0.3*x) >= 0 restitution 0.5\n"
                        "start x = 1, y = 2\nrun t = 0..4\n"},
        {"E0405", PLANE "potential 9.81*y\ncontact v: y - abs(x)/2 >= 0\nstart x = 1, y = 2\n"
                        "run t = 0..4, step at most 0.05\n"},
        {"E0435", PLANE "operator o: y = 1 - t\ncontact c: y >= 0\nrun t = 0..2\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Motion m = motion_of(cases[i].text, &(MotionOptions){.quiet = 1});
        const char* reason = m.t ? m.t->reason.code : NULL;
        char* said = lia_diags_text(m.diags);
        bool found =
            (reason && strcmp(reason, cases[i].code) == 0) || (said && strstr(said, cases[i].code));
        if (!found) fail_msg("%s: %s %s", cases[i].code, reason ? reason : "-", said);
        lia_free(said);
        motion_clear(&m);
    }
}

// x'' = x until the coefficient x/g vanishes with x, where tanh(t) = 2/3.
// Beyond that friction would drive.
static void a_coefficient_of_friction_is_negative_on_the_way(void) {
    const char* text = PLANE "potential 9.81*y\ncontact c: y >= 0 slip x' friction x/9.81\n"
                             "start x = 2, x' = -3\nrun t = 0..%g\n";
    const double end = atanh(2.0 / 3.0);
    for (int k = 0; k < 2; k++) {
        char model[400];
        snprintf(model, sizeof model, text, k == 0 ? end - 1e-3 : end + 1.0);
        Motion m = motion_of(model, &(MotionOptions){.quiet = k == 1});
        assert_non_null(m.t);
        assert_int_equal(m.t->status == LIA_OK, k == 0);
        if (k == 1) assert_string_equal(m.t->reason.code, "E0284");
        motion_clear(&m);
    }
}

// A restitution that is 1 but for rounding is 1, and one that leaves 0..1 while nothing is struck
// is no matter.
static void a_restitution_is_looked_at_where_it_is_used(void) {
    static const char* const texts[] = {
        PLANE "potential 9.81*y\ncontact c: y >= 0 restitution sin(x)^2 + cos(x)^2\n"
              "start x = 1, y = 1, x' = 3\nrun t = 0..9\n",
        PLANE "potential 9.81*y\ncontact c: y >= 0 restitution max(0, 1 - 9*y)\n"
              "start x = 1, y = 1, x' = 3\nrun t = 0..9\n",
        PLANE "potential 9.81*y\ncontact c: y >= 0 restitution t\nstart x' = 3\nrun t = 0..9\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Motion m = motion_of(texts[i], NULL);
        assert_int_equal(m.t->status, LIA_OK);
        assert_int_equal(count_events(m.t, LIA_EVENT_IMPACT), i < 2 ? 10 : 0);
        motion_clear(&m);
    }
}

// The same seen from inside: right before the instant, wrong after it.
static void coefficients_are_looked_at_where_the_run_is(void) {
    static const char text[] = PLANE "potential 9.81*y\ncontact c: y >= 0 slip x' friction x/9.81\n"
                                     "start x = 2, x' = -3\nrun t = 0..2\n";
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    LiaRun* run = NULL;
    assert_int_equal(lia_model_parse("test", text, strlen(text), NULL, diags, &model), LIA_OK);
    assert_int_equal(lia_system_build(model, NULL, diags, &system), LIA_OK);
    assert_int_equal(lia_run_create(system, NULL, diags, &run), LIA_OK);
    LiaRunner* inside = runner_of(run);
    assert_false(lia_laws_any_wrong(inside));
    inside->w->q[0] = -0.5;
    assert_true(lia_laws_wrong(inside, 0));
    assert_string_equal(inside->out->reason.code, "E0284");
    lia_run_destroy(run);
    lia_system_destroy(system);
    lia_model_destroy(model);
    lia_diags_destroy(diags);
}

// Of what holds both ways: its slip, the speeds of it, its coefficients.
static void rough_constraints_are_known_as_numbers(void) {
    static const char text[] = PLANE "potential 9.81*y\nconstraint c: y = 0 slip 2*x' - 1 friction "
                                     "x/4 static x\nstart x = 2, x' = -3\nrun t = 0..1\n";
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    LiaRun* run = NULL;
    double slip;
    assert_int_equal(lia_model_parse("test", text, strlen(text), NULL, diags, &model), LIA_OK);
    assert_int_equal(lia_system_build(model, NULL, diags, &system), LIA_OK);
    assert_int_equal(lia_run_create(system, NULL, diags, &run), LIA_OK);
    LiaRunner* inside = runner_of(run);
    assert_true(lia_rough_values_vary(inside));
    lia_rough_values_slips(inside, &slip);
    assert_true(fabs(slip + 7.0) < 1e-12);
    assert_true(lia_rough_values_speed(inside, 0) >= 7.0);
    assert_true(lia_rough_values_laws(inside, 0).kinetic == 0.5);
    assert_true(lia_rough_values_laws(inside, 0).most == 2.0);
    inside->w->v[0] = 0.5;
    lia_rough_values_slips(inside, &slip);
    assert_true(slip == 0.0);
    lia_run_destroy(run);
    lia_system_destroy(system);
    lia_model_destroy(model);
    lia_diags_destroy(diags);
}

// Painleve's rod: m W = 1 + 3 cos(th) (cos(th) - mu sin(th)) > 0 for all th below mu = 4/3.
static void a_rod_slides_below_the_critical_coefficient(void) {
    for (int i = 1; i < 30; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 ROD "contact c: y - sin(th) >= 0 slip x' + sin(th)*th' friction 1.32\n"
                     "start th = %g, x' = -3, th' = 0\nrun t = 0..0.1\n",
                 0.05 * i);
        Motion m = motion_of(text, &(MotionOptions){0});
        assert_non_null(m.t);
        assert_int_equal(m.t->status, LIA_OK);
        assert_true(m.t->ledger.balance < 1e-12);
        motion_clear(&m);
    }
}

// Above it a rod that is pushed may jam: no force ends the sliding, an impact without approach
// does. By Routh's process, W_nn = 1 + 3 c^2, W_nt = -3 s c, W_tt = 1 + 3 s^2: the slip u ends with
// the normal impulse P1 = -u/(W_nt + mu W_tt), sticking brings the gap back with P2 = -P1 (W_nn +
// mu W_nt)/(W_nn - W_nt^2/W_tt).
static void a_rod_jams_above_the_critical_coefficient(void) {
    for (int i = 0; i < 10; i++) {
        double th = 1.0 + 0.02 * i, mu = 1.6, u = -3.0, s = sin(th), c = cos(th);
        double nn = 1.0 + 3.0 * c * c, nt = -3.0 * s * c, tt = 1.0 + 3.0 * s * s;
        double P1 = -u / (nt + mu * tt), P2 = -P1 * (nn + mu * nt) / (nn - nt * nt / tt);
        double P = P1 + P2, T = mu * P1 - nt / tt * P2;
        char text[512];
        snprintf(text, sizeof text,
                 ROD "contact c: y - sin(th) >= 0 slip x' + sin(th)*th' friction 1.6\n"
                     "start th = %.17g, x' = -3, th' = 0\nrun t = 0..1e-9\n",
                 th);
        Motion m = motion_of(text, &(MotionOptions){0});
        assert_non_null(m.t);
        assert_int_equal(m.t->status, LIA_OK);
        assert_true(nn + mu * nt < 0.0);
        assert_int_equal(count_events(m.t, LIA_EVENT_IMPACT), 1);
        const LiaEventRecord* event = m.t->events.list;
        assert_true(event->kind == LIA_EVENT_IMPACT && event->t == 0.0);
        assert_true(fabs(event->impulse[0] - P) < 1e-12 && fabs(event->impulse[1] - T) < 1e-12);
        assert_true(fabs(motion_final(&m, "x'") - (u + T)) < 1e-6);
        assert_true(fabs(motion_final(&m, "th'") - 3.0 * (s * T - c * P)) < 1e-6);
        assert_true(event->energy < 0.0 && m.t->ledger.balance < 1e-12);
        motion_clear(&m);
    }
}

// A ball thrown up so that it just reaches the ceiling: it is not struck, to rounding.
static void grazing_is_no_impact(void) {
    for (int i = 1; i < 20; i++) {
        double height = 0.1 * i * i, speed = sqrt(2.0 * 9.81 * height);
        char text[512];
        snprintf(text, sizeof text,
                 "coordinate z : line\nkinetic z'^2/2\npotential 9.81*z\n"
                 "contact ceiling: %.17g - z >= 0 restitution 0.5\nstart z = 0, z' = %.17g\n"
                 "run t = 0..%.17g\n",
                 height, speed, 1.5 * speed / 9.81);
        Motion m = motion_of(text, &(MotionOptions){0});
        assert_non_null(m.t);
        double t = 1.5 * speed / 9.81, z = speed * t - 9.81 / 2.0 * t * t;
        if (fabs(motion_final(&m, "z") - z) > 1e-7)
            fail_msg("height %g: z = %.17g, not %.17g", height, motion_final(&m, "z"), z);
        motion_clear(&m);
    }
}

// However loose the tolerance, a thin wall at high speed is not leapt over.
// A block is pushed by 2 t along a plane, sticks, and slides from t0 on, where the push is mu g,
// with x'' = 2 (t - t0). Soon after t0 something else strikes a wall: the slip is small then, and
// goes on.
static void a_slip_that_has_just_begun_goes_on(void) {
    static const char text[] = "parameter d = 1e-4, mu = 0.5\n"
                               "coordinate x, y, z, u : line\n"
                               "kinetic (x'^2 + y'^2 + z'^2 + u'^2)/2\n"
                               "potential 9.81*z\n"
                               "force push: 2*t*(0.6*d(x) + 0.8*d(y))\n"
                               "contact floor: z >= 0 slip [x', y'] friction mu\n"
                               "contact wall: u >= 0 restitution 1\n"
                               "start z = 0, u = 4.905/2 + d, u' = -1\n"
                               "run t = 0..3.4525\n";
    for (double d = 1e-2; d > 1e-11; d *= 1e-2) {
        const LiaDefine defines[] = {{"d", d}};
        Motion m = motion_of(text, &(MotionOptions){.defines = defines, .define_count = 1});
        LiaMotionInfo info = {0};
        assert_int_equal(m.status, LIA_OK);
        assert_true(lia_trajectory_info(m.t, &info, sizeof info));
        if (!(fabs(motion_final(&m, "x") - 0.2) <= 1e-11 && info.steps <= 80))
            fail_msg("d = %g: %.15g after %g steps", d, motion_final(&m, "x"), (double)info.steps);
        assert_float_equal(motion_final(&m, "y"), 0.8 / 3.0, 1e-11);
        assert_float_equal(motion_final(&m, "u"), 1.0 - d, 1e-12);
        motion_clear(&m);
    }
}

static void a_thin_wall_is_not_missed(void) {
    Motion m = motion_of("coordinate x : line\nkinetic x'^2/2\n"
                         "contact wall: abs(x - 1) - 1e-6 >= 0 restitution 1\n"
                         "start x = 0, x' = 1000\nrun t = 0..1, tolerance 1e-3\n",
                         &(MotionOptions){0});
    assert_non_null(m.t);
    assert_int_equal(count_events(m.t, LIA_EVENT_IMPACT), 1);
    assert_true(fabs(motion_final(&m, "x'") + 1000.0) < 1e-9);
    motion_clear(&m);
}

// Friction on what rests never feeds energy in; on a belt it does, and the ledger closes in both.
static void the_ledger_closes(void) {
    for (int belt = 0; belt < 2; belt++) {
        char text[512];
        snprintf(text, sizeof text,
                 PLANE "potential 9.81*y + 2*x^2\n"
                       "contact c: y >= 0 restitution 0.4 slip x' - %g friction 0.2 static 0.3\n"
                       "start x = 1, y = 0.5\nrun t = 0..12, samples 2001\n",
                 belt ? 0.7 : 0.0);
        Motion m = motion_of(text, &(MotionOptions){0});
        assert_non_null(m.t);
        assert_int_equal(m.t->status, LIA_OK);
        if (!(m.t->ledger.balance < 1e-12))
            fail_msg("belt %d: balance %g", belt, m.t->ledger.balance);
        assert_true(count_events(m.t, LIA_EVENT_STICK) > 0);
        double most = 0.0;
        for (size_t r = 0; r < m.t->rows.count; r++)
            most = fmax(most, motion_value(&m, r, "power(c)"));
        assert_true(belt ? most > 0.1 : most == 0.0);
        assert_true(m.t->contacts.works[0].impacts < 0.0);
        motion_clear(&m);
    }
}

// A ball rolls over the edge of a step: no impulse holds it there, and it falls in a parabola.
static void a_corner_of_a_gap_holds_nothing(void) {
    Motion m = motion_of(PLANE "potential 9.81*y\ncontact step: max(y, x - 1) >= 0\n"
                               "start x' = 0.5\nrun t = 0..2.5\n",
                         &(MotionOptions){0});
    assert_non_null(m.t);
    assert_int_equal(count_events(m.t, LIA_EVENT_RELEASE), 1);
    assert_int_equal(count_events(m.t, LIA_EVENT_IMPACT), 0);
    assert_true(fabs(motion_final(&m, "x") - 1.25) < 1e-12);
    assert_true(fabs(motion_final(&m, "y") + 9.81 / 2.0 * 0.25) < 1e-12);
    motion_clear(&m);
}

// A belt that starts at once pulls no harder than friction can.
static void a_belt_that_jerks_slips(void) {
    Motion m = motion_of(PLANE "potential 10*y\ncontact belt: y >= 0 slip x' - if(t < 1, 0, 2) "
                               "friction 0.4\nstart x = 0\nrun t = 0..3\n",
                         &(MotionOptions){0});
    assert_non_null(m.t);
    assert_int_equal(m.t->jumps.count, 0);
    // from t = 1 with acceleration 4 until it has the speed of the belt, at 1.5
    assert_true(fabs(motion_final(&m, "x") - 0.5 - 3.0) < 1e-12);
    assert_true(fabs(motion_final(&m, "work(belt)") - 2.0) < 1e-12);
    assert_true(m.t->ledger.balance < 1e-12);
    motion_clear(&m);
}

static const char stick_slip[] =
    PLANE "potential 10*y + 2*x^2\ncontact c: y >= 0 slip x' - 0.5 friction 0.2 static 0.3\n"
          "start x' = 0.5\nrun t = 0..20\n";

// A run that is saved in one mode and restored in another goes on with the same bits.
static void a_saved_run_keeps_its_mode(void) {
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    LiaRun* run = NULL;
    assert_int_equal(lia_model_parse("belt", stick_slip, strlen(stick_slip), NULL, diags, &model),
                     LIA_OK);
    assert_int_equal(lia_system_build(model, NULL, diags, &system), LIA_OK);
    assert_int_equal(lia_run_create(system, NULL, diags, &run), LIA_OK);
    const double saved[] = {1.0, 2.0, 4.0};  // sticks, slips, sticks again
    for (int i = 0; i < 3; i++) {
        char* bytes = NULL;
        size_t length = 0;
        double first[4], again[4];
        assert_int_equal(lia_run_advance(run, saved[i]), LIA_OK);
        assert_int_equal(lia_run_save(run, &bytes, &length), LIA_OK);
        assert_int_equal(lia_run_advance(run, saved[i] + 3.3), LIA_OK);
        assert_int_equal(lia_run_state(run, first, first + 2), LIA_OK);
        assert_int_equal(lia_run_restore(run, bytes, length), LIA_OK);
        assert_int_equal(lia_run_advance(run, saved[i] + 3.3), LIA_OK);
        assert_int_equal(lia_run_state(run, again, again + 2), LIA_OK);
        assert_memory_equal(first, again, sizeof first);
        assert_int_equal(lia_run_restore(run, bytes, length), LIA_OK);
        lia_free(bytes);
    }
    lia_run_destroy(run);
    lia_system_destroy(system);
    lia_model_destroy(model);
    lia_diags_destroy(diags);
}

// The caller sees the events in their order, and the state within the last step, which ended at
// one.
static void a_run_tells_its_events(void) {
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    LiaRun* run = NULL;
    lia_model_parse("belt", stick_slip, strlen(stick_slip), NULL, diags, &model);
    lia_system_build(model, NULL, diags, &system);
    assert_int_equal(lia_run_create(system, NULL, diags, &run), LIA_OK);
    LiaRunEvent event;
    double q[2], v[2];
    for (double t = 0.1; t < 1.55; t += 0.1) {
        assert_int_equal(lia_run_advance(run, t), LIA_OK);
        assert_int_equal(lia_run_state(run, q, v), LIA_OK);
        if (t < 1.5) assert_true(fabs(q[0] - 0.5 * t) < 1e-13 && fabs(v[0] - 0.5) < 1e-13);
    }
    assert_true(lia_run_event(run, &event));
    assert_string_equal(event.name, "c");
    assert_int_equal(event.kind, LIA_EVENT_SLIP);
    assert_true(fabs(event.t - 1.5) < 1e-13);
    lia_run_destroy(run);
    lia_system_destroy(system);
    lia_model_destroy(model);
    lia_diags_destroy(diags);
}

int main(void) {
    const TestCase tests[] = {
        TEST(what_cannot_be_decided_is_said),
        TEST(a_coefficient_of_friction_is_negative_on_the_way),
        TEST(a_restitution_is_looked_at_where_it_is_used),
        TEST(coefficients_are_looked_at_where_the_run_is),
        TEST(rough_constraints_are_known_as_numbers),
        TEST(a_rod_slides_below_the_critical_coefficient),
        TEST(a_rod_jams_above_the_critical_coefficient),
        TEST(grazing_is_no_impact),
        TEST(a_thin_wall_is_not_missed),
        TEST(a_slip_that_has_just_begun_goes_on),
        TEST(the_ledger_closes),
        TEST(a_corner_of_a_gap_holds_nothing),
        TEST(a_belt_that_jerks_slips),
        TEST(a_saved_run_keeps_its_mode),
        TEST(a_run_tells_its_events),
    };
    return TESTS_RUN(tests);
}
