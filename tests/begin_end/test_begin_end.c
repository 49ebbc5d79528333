// Statements that begin and end by events, states that events set, sampled controls: closed forms,
// laws that hold whatever the model, and what is said where the motion cannot go on.
// SPDX-License-Identifier: MIT
#include "../support/motion.h"
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include <liaison/run.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#define PLANE "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"

static void near(double x, double y, double within) {
    if (!(fabs(x - y) <= within)) fail_msg("%.17g, expected %.17g", x, y);
}

static Motion run(const char* text) {
    Motion m = motion_of(text, &(MotionOptions){0});
    assert_non_null(m.t);
    if (m.status != LIA_OK) fail_msg("%s: %s", m.t->reason.code, m.t->reason.text);
    assert_true(m.t->ledger.balance < 1e-12);
    return m;
}

static const LiaEventRecord* find(const Motion* m, LiaEventKind kind, const char* name) {
    for (size_t i = 0; i < m->t->events.count; i++) {
        const LiaEventRecord* e = &m->t->events.list[i];
        if (e->kind == kind && strcmp(e->name, name) == 0) return e;
    }
    fail_msg("no event of '%s'", name);
    return NULL;
}

// A ball falls to the floor, and where it strikes the wind ends, a rope that holds it lets go, and
// another contact begins: first what ends, then what begins, then the impact.
static void a_contact_and_an_event_at_one_instant(void) {
    Motion m = run(PLANE "potential 10*y\nevent hit: y = 0 falling\n"
                         "force wind: 3*d(x) until hit\nconstraint rope: x = 0 until hit\n"
                         "contact floor: y >= 0 restitution 0.5\n"
                         "contact wall: 1 - x >= 0 restitution 1 from hit\n"
                         "event kick: y + x/7 = 0 falling set x' = 4\n"
                         "start y = 0.8, x' = 0\nrun t = 0..0.7\n");
    // it falls for 0.4 s, goes up with 2, and is kicked: the wall is struck at 0.65
    find(&m, LIA_EVENT_END, "wind");
    find(&m, LIA_EVENT_END, "rope");
    find(&m, LIA_EVENT_BEGIN, "wall");
    near(find(&m, LIA_EVENT_IMPACT, "floor")->t, 0.4, 1e-14);
    near(find(&m, LIA_EVENT_IMPACT, "wall")->t, 0.65, 1e-14);
    near(motion_final(&m, "x"), 0.8, 1e-13);
    near(motion_final(&m, "x'"), -4.0, 1e-13);
    near(motion_final(&m, "y"), 2.0 * 0.3 - 5.0 * 0.09, 1e-13);
    motion_clear(&m);
}

static void what_cannot_be_is_said(void) {
    static const struct {
        const char *code, *text;
    } cases[] = {
        {"E0186", PLANE "contact c: y > 0\n"},
        {"E0186", PLANE "contact c: y < 5\n"},
        {"E0200", PLANE "constraint c: x = y until d\nconstraint d: y = 0\n"},
        {"E0200", PLANE "constraint c: x = y from k\ncontact k: y >= 0\n"},
        {"E0201", PLANE "event e[i = 1..2]: t = i\nconstraint c: x = y until e[i = 1..2]\n"},
        {"E0202", PLANE "event e: t = 1\nconstraint c: x = y from e until e\n"},
        {"E0203", "coordinate r : space\nbody b: mass 1, position r\n"
                  "function hoop(s) = [cos(s), sin(s), 0]\nevent cut: t = 1\n"
                  "joint c: on_curve(b, ground curve hoop) until cut\n"},
        {"E0204", PLANE "control u = -x every 0\nforce F: u*d(x)\n"},
        {"E0205", PLANE "event e: t = 1 set x'' = 2\n"},
        {"E0205", "coordinate R : rotation\nbody b: mass 1, inertia 1, position [0, 0, 0], "
                  "attitude R\nevent e: t = 1 set R = rotz(1)\n"},
        {"E0206", PLANE "event e: t = 1 set x' = 1, x' = 2\n"},
        {"E0200", PLANE "constraint c: x = y until nobody\n"},
        {"E0207", "phase x, p\nbracket {x, p} = 1\nhamiltonian p^2/2\nevent e: t = 1\n"
                  "force F: d(p) from e\n"},
        {"E0440", PLANE "event e: t = 1\nconstraint c: x = y from e\nstart y = 5\nrun t = 0..2\n"},
        {"E0440", PLANE "event e: t = 1\ncontact c: y >= 0 from e\nstart y = -1\nrun t = 0..2\n"},
        {"E0441", PLANE "constraint c: x = y\nevent e: t = 1 set x' = 3\nrun t = 0..2\n"},
        {"E0441", PLANE "constraint c: x = y\nevent e: t = 1 set x = 3\nrun t = 0..2\n"},
        {"E0441",
         PLANE "contact c: y >= 0\nevent e: t = 1 set y = -3\nstart y = 1\nrun t = 0..2\n"},
        {"E0442", PLANE "event e: t = 0.5\nconstraint c: x = y until e\nrun t = 1..0\n"},
        {"E0442", PLANE "control u = -x every 0.1\nforce F: u*d(x)\nrun t = 1..0\n"},
        {"E0443", PLANE "event e: t = 1 set x = sqrt(-1 - x)\nstart x = 1\nrun t = 0..2\n"},
        {"E0444", PLANE "control u = sqrt(0.5 - t) every 0.1\nforce F: u*d(x)\nrun t = 0..2\n"},
        {"E0444", PLANE "control u = 1/x every 0.1\nforce F: u*d(x)\nrun t = 0..2\n"},
        {"E0445", PLANE "control u = -2*x' every 0.1\noperator o: x' = u + 1\nrun t = 0..2\n"},
        {"E0401", PLANE "coordinate s : line\npotential (x - s)^2\nevent e: t = 1\n"
                        "operator o: s = t until e\nrun t = 0..2\n"},
        {"E0409", PLANE "control u = t every 0.1\noperator o: x = u\nrun t = 0..2\n"},
        {"E0304", PLANE "control u = t every 1e-20\nforce F: u*d(x)\nrun t = 0..2\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Motion m = motion_of(cases[i].text, &(MotionOptions){.quiet = 1});
        const char* reason = m.t ? m.t->reason.code : NULL;
        char* said = lia_diags_text(m.diags);
        bool found =
            (reason && strcmp(reason, cases[i].code) == 0) || (said && strstr(said, cases[i].code));
        if (!found) fail_msg("%s: %s %s", cases[i].code, reason ? reason : "-", said ? said : "");
        lia_free(said);
        motion_clear(&m);
    }
}

// x' = v meets y at rest: one velocity m1 v/(m1 + m2), the loss m1 m2/(m1 + m2) v^2/2.
static void a_pick_up_is_perfectly_plastic(void) {
    for (int i = 0; i < 20; i++) {
        double m1 = 0.3 + 0.7 * i, m2 = 4.1 - 0.2 * i, v = 1.0 + 0.1 * i, mass = m1 + m2;
        char text[600];
        snprintf(text, sizeof text,
                 "coordinate x, y : line\nkinetic %.17g/2*x'^2 + %.17g/2*y'^2\n"
                 "event meet: x = y\nconstraint grip: x = y from meet until drop\n"
                 "event drop: t = 2\nstart x' = %.17g, y = 1\nrun t = 0..3\n",
                 m1, m2, v);
        Motion m = run(text);
        near(motion_final(&m, "x'"), m1 * v / mass, 1e-14 * v);
        near(motion_final(&m, "y'"), m1 * v / mass, 1e-14 * v);
        near(motion_final(&m, "work(grip)"), -0.5 * m1 * m2 / mass * v * v, 1e-13 * mass * v * v);
        const LiaEventRecord* begin = find(&m, LIA_EVENT_BEGIN, "grip");
        near(begin->t, 1.0 / v, 1e-15);
        near(begin->energy, -0.5 * m1 * m2 / mass * v * v, 1e-13 * mass * v * v);
        near(begin->impulse[0], -m1 * m2 / mass * v, 1e-13 * mass * v);
        near(find(&m, LIA_EVENT_END, "grip")->t, 2.0, 1e-15);
        motion_clear(&m);
    }
}

// A clutch: J1 J2/(J1 + J2) (w1 - w2)^2/2 is lost, the moment of momentum stays.
static void a_clutch_loses_what_it_must(void) {
    Motion m = run("coordinate a, b : circle\nkinetic a'^2 + 1.5*b'^2\nevent press: t = 1\n"
                   "event lift: t = 2\nconstraint clutch: a' = b' from press until lift\n"
                   "force drive: 3*d(a) from lift\nstart a' = 10, b' = 1\nrun t = 0..3\n");
    near(motion_final(&m, "a'"), 4.6 + 1.5, 1e-13);
    near(motion_final(&m, "b'"), 4.6, 1e-13);
    near(motion_final(&m, "a"), 10.0 + 4.6 + 4.6 + 0.75, 1e-12);
    near(motion_final(&m, "work(clutch)"), -0.5 * 1.2 * 81.0, 1e-12);
    near(motion_final(&m, "work(drive)"), 3.0 * (4.6 + 0.75), 1e-12);
    motion_clear(&m);
}

// What is off has no force and no power; its work stays.
static void off_is_nothing(void) {
    Motion m = run(PLANE "potential 2*y\nforce push: (1 + x^2)*d(x) from e1 until e2\n"
                         "operator lift: y' = t^2 from e1 until e2\nevent e1: t = 1\n"
                         "observe w1 = work(push), w2 = work(lift)\n"
                         "event e2: t = 2\nstart x' = 1\nrun t = 0..3, every 0.125\n");
    double work[2] = {0.0};
    for (size_t row = 0; row < m.t->rows.count; row++) {
        double t = motion_value(&m, row, "t");
        bool on = t > 1.0 && t <= 2.0;
        assert_true((motion_value(&m, row, "power(push)") != 0.0) == on);
        assert_true((motion_value(&m, row, "force(lift)") != 0.0) == on);
        assert_true((motion_value(&m, row, "power(lift)") != 0.0) == on);
        if (t == 2.0) work[0] = motion_value(&m, row, "w1");
        if (t == 2.0) work[1] = motion_value(&m, row, "w2");
        if (t > 2.0) near(motion_value(&m, row, "w1"), work[0], 1e-14);
        if (t > 2.0) near(motion_value(&m, row, "w2"), work[1], 1e-14);
    }
    motion_clear(&m);
}

// A sling: a pendulum until it is cut, then a parabola, then the ground.
static void a_sling_lets_go(void) {
    Motion m = run(PLANE "potential 9.81*y\nconstraint rope: x^2 + y^2 = 1 until cut\n"
                         "event cut: x = 0.6 rising\ncontact field: y + 3 >= 0 slip x' friction 9\n"
                         "start x = 0, y = -1, x' = 6\nrun t = 0..3\n");
    const LiaEventRecord* cut = find(&m, LIA_EVENT_END, "rope");
    double speed = sqrt(36.0 - 2.0 * 9.81 * 0.2), vx = 0.8 * speed, vy = 0.6 * speed;
    near(cut->state[2], vx, 1e-12);
    near(cut->state[3], vy, 1e-12);
    double fall = (vy + sqrt(vy * vy + 2.0 * 9.81 * (3.0 - 0.8))) / 9.81;
    near(find(&m, LIA_EVENT_IMPACT, "field")->t - cut->t, fall, 1e-12);
    near(motion_final(&m, "x"), 0.6 + vx * fall, 1e-11);
    near(motion_final(&m, "y"), -3.0, 1e-14);
    motion_clear(&m);
}

// One operator hands a coordinate without mass to another; nothing is undetermined between them.
static void what_has_no_mass_is_handed_over(void) {
    Motion m =
        run(PLANE "coordinate s : line\npotential (x - s)^2/2\nevent e: t = 1\n"
                  "operator a: s = t until e\noperator b: s = 2*t - 1 from e\nrun t = 0..2\n");
    double x = 1.0 - sin(1.0), v = 1.0 - cos(1.0);  // x'' = s - x
    double u = x - 1.0, c = v - 2.0;                // x - s
    near(motion_final(&m, "x"), 3.0 + u * cos(1.0) + c * sin(1.0), 1e-13);
    motion_clear(&m);
}

// A closed contact takes part in the impulse of what begins, and gives nothing back.
static void contacts_take_part(void) {
    Motion m = run("coordinate z, h : line\nkinetic z'^2/2 + h'^2\npotential 9.81*z\n"
                   "contact deck: z >= 0 restitution 0.8\nconstraint grip: z = h from meet\n"
                   "event meet: h - z = 0 falling\nstart z = 0, h = 1, h' = -2\nrun t = 0..2\n");
    near(motion_final(&m, "z"), 0.0, 1e-14);
    near(motion_final(&m, "h'"), 0.0, 1e-14);
    near(motion_final(&m, "work(deck)") + motion_final(&m, "work(grip)"), -4.0, 1e-13);
    motion_clear(&m);
}

// A joint that is cut: free bodies go on with what they have.
static void a_joint_ends(void) {
    Motion m = run("body a: mass 1, inertia [0.1, 0.2, 0.3], free\n"
                   "body b: mass 2, inertia [0.3, 0.2, 0.1], free\n"
                   "joint pin: spherical(a at [1, 0, 0], b at [-1, 0, 0]) until cut\n"
                   "event cut: t = 1\nobserve p = linear_momentum(all)\n"
                   "observe s = angular_momentum([0, 0, 0], all)\n"
                   "start a.position = [0, 0, 0], a.velocity = [0, 1, 0], "
                   "b.position ~ [2, 0, 0], omega(a.attitude) = [0.3, 0.2, 1]\n"
                   "run t = 0..2, samples 21\n");
    static const char* const kept[] = {"p.x", "p.y", "p.z", "s.x", "s.y", "s.z", "energy"};
    for (size_t row = 0; row < m.t->rows.count; row++) {
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
            near(motion_value(&m, row, kept[i]), motion_value(&m, 0, kept[i]), 1e-12);
    }
    near(motion_final(&m, "work(pin)"), 0.0, 1e-13);
    motion_clear(&m);
}

// What is set has the values that were asked for, and the energy has its line.
static void states_are_set(void) {
    Motion m = run(PLANE "potential 2*x^2\nevent kick: x = 0 falling set x' = x' - 1, y = 2*t\n"
                         "start x = 1, y' = 1\nrun t = 0..2\n");
    double pi = 3.14159265358979323846, t = pi / 4.0;
    near(motion_final(&m, "x"), -1.5 * sin(2.0 * (2.0 - t)), 1e-13);
    near(motion_final(&m, "y"), 2.0 * t + 2.0 - t, 1e-13);
    near(motion_final(&m, "work(kick)"), 2.5, 1e-13);
    near(find(&m, LIA_EVENT_USER, "kick")->energy, 2.5, 1e-13);
    motion_clear(&m);
}

// x'' = u, held between samples: x and v by the discrete map, to rounding.
static void a_sampled_control_is_held(void) {
    Motion m = run("coordinate x : line\nkinetic x'^2/2\ncontrol u = -3*x - 2*x' + t every 0.1\n"
                   "force motor: u*d(x)\nstart x = 1, x' = -0.5\nrun t = 0..3, every 0.1\n");
    double x = 1.0, v = -0.5, T = 0.1;
    for (int k = 0; k < 30; k++) {
        double u = -3.0 * x - 2.0 * v + k * T;
        near(motion_value(&m, (size_t)k + 1, "u"), u, 1e-12);
        x += T * v + 0.5 * T * T * u;
        v += T * u;
        near(motion_value(&m, (size_t)k + 1, "x"), x, 1e-12);
        near(motion_value(&m, (size_t)k + 1, "x'"), v, 1e-12);
    }
    motion_clear(&m);
}

// Saved in the middle and restored, it goes on to the last bit.
static void it_goes_on_after_a_save(void) {
    static const char text[] =
        PLANE "potential 9.81*y\nconstraint rope: x^2 + y^2 = 1 until cut\nevent cut: t = 0.5\n"
              "constraint wall: x' = 0 from late\nevent late: t = 1.2\nevent kick: t = 1.5 set "
              "y' = 1\ncontrol u = -x every 0.15\nforce F: u*d(x) until late\n"
              "contact field: y + 3 >= 0 restitution 0.5\nstart x = 0, y = -1, x' = 4\n"
              "run t = 0..4\n";
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    assert_int_equal(lia_model_parse("save", text, strlen(text), NULL, diags, &model), LIA_OK);
    assert_int_equal(lia_system_build(model, NULL, diags, &system), LIA_OK);
    for (double at = 0.2; at < 3.9; at += 0.37) {
        double q[2][2], v[2][2];
        LiaRun* runs[2] = {NULL, NULL};
        char* bytes = NULL;
        size_t length = 0;
        for (int i = 0; i < 2; i++)
            assert_int_equal(lia_run_create(system, NULL, diags, &runs[i]), LIA_OK);
        lia_run_advance(runs[0], at);
        assert_int_equal(lia_run_save(runs[0], &bytes, &length), LIA_OK);
        assert_int_equal(lia_run_restore(runs[1], bytes, length), LIA_OK);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(lia_run_advance(runs[i], 4.0), LIA_DONE);
            lia_run_state(runs[i], q[i], v[i]);
            lia_run_destroy(runs[i]);
        }
        assert_memory_equal(q[0], q[1], sizeof q[0]);
        assert_memory_equal(v[0], v[1], sizeof v[0]);
        lia_free(bytes);
    }
    lia_system_destroy(system);
    lia_model_destroy(model);
    lia_diags_destroy(diags);
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_contact_and_an_event_at_one_instant),
        TEST(what_cannot_be_is_said),
        TEST(a_pick_up_is_perfectly_plastic),
        TEST(a_clutch_loses_what_it_must),
        TEST(off_is_nothing),
        TEST(a_sling_lets_go),
        TEST(what_has_no_mass_is_handed_over),
        TEST(contacts_take_part),
        TEST(a_joint_ends),
        TEST(states_are_set),
        TEST(a_sampled_control_is_held),
        TEST(it_goes_on_after_a_save),
    };
    return TESTS_RUN(tests);
}
