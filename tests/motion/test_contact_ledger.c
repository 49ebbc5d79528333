// The ledger of contacts: what impacts and friction take, relative to bodies that move, is never
// negative; what these bodies and operators feed in is said apart; together they are the change of
// the energy.
// SPDX-License-Identifier: MIT
#include "../support/motion.h"
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <setjmp.h>

#define PLANE "coordinate x, z : line\nkinetic (x'^2 + z'^2)/2\npotential 10*z\n"

static Motion motion_for(const char* text, const MotionOptions* options) {
    Motion m = motion_of(text, options);
    assert_non_null(m.t);
    assert_int_equal(m.t->status, LIA_OK);
    return m;
}

static double feed_of(const Motion* m) {
    double sum = 0.0;
    for (size_t i = 0; i < m->t->contacts.feed_count; i++) sum += m->t->contacts.feeds[i].work;
    return sum;
}

static void near(double x, double y, double size) {
    if (!(fabs(x - y) <= 1e-12 * size)) fail_msg("%.17g and not %.17g", x, y);
}

// The line of a contact is what is lost and what is fed in; each impact loses.
static void check_sums(const Motion* m) {
    double size = fabs(m->t->ledger.start) + fabs(m->t->ledger.end) + 1.0;
    for (size_t i = 0; i < m->t->contacts.count; i++) {
        const LiaContactWorks* w = &m->t->contacts.works[i];
        char name[64];
        snprintf(name, sizeof name, "work(%s)", w->name);
        near(w->fed_impacts + w->fed - w->lost_impacts - w->friction, motion_final(m, name), size);
        assert_true(w->friction >= -1e-13 * size && w->lost_impacts >= -1e-13 * size);
    }
    for (size_t i = 0; i < m->t->events.count; i++)
        assert_true(m->t->events.list[i].lost >= -1e-13 * size);
    assert_true(m->t->ledger.balance < 1e-12);
}

// A wall that moves with 3 strikes a ball that rests: it leaves with 3 (1 + e); the wall feeds in
// 3 (3 (1 + e)), and (1 - e^2) 9/2 is lost. As a function of time and as a driven mass.
static void a_racket_feeds_in_and_loses(void) {
    static const char* const texts[] = {
        "coordinate x : line\nkinetic x'^2/2\n"
        "contact r: x - 3*t >= 0 restitution 0.5\nstart x = 3, x' = 0\nrun t = 0..2\n",
        "coordinate x, w : line\nkinetic x'^2/2 + 7*w'^2/2\noperator arm: w' = 3\n"
        "contact r: x - w >= 0 restitution 0.5\nstart x = 3, x' = 0, w = 0\nrun t = 0..2\n"};
    for (int driven = 0; driven < 2; driven++) {
        for (int full = 0; full < 2; full++) {
            Motion m = motion_for(texts[driven], &(MotionOptions){.no_eliminate = full == 1});
            const LiaContactWorks* w = &m.t->contacts.works[0];
            near(motion_final(&m, "x'"), 4.5, 1.0);
            near(w->lost_impacts, 0.75 * 4.5, 1.0);
            near(w->friction, 0.0, 1.0);
            near(w->fed_impacts, driven ? 0.0 : 13.5, 1.0);
            near(feed_of(&m), driven ? 13.5 : 0.0, 1.0);
            check_sums(&m);
            motion_clear(&m);
        }
    }
}

// A block is put on a belt of velocity V: it slides until it has that velocity. Friction takes
// m V^2/2, the belt feeds in m V^2, whatever the coefficient.
static void a_belt_feeds_twice_what_it_gives(void) {
    static const char* const texts[] = {
        PLANE "contact belt: z >= 0 slip x' - 2 friction 0.4\nstart z = 0\nrun t = 0..1\n",
        "coordinate x, z, b : line\nkinetic (x'^2 + z'^2 + b'^2)/2\npotential 10*z\n"
        "operator motor: b' = 2\ncontact belt: z >= 0 slip x' - b' friction 0.4\nstart z = 0\n"
        "run t = 0..1\n"};
    for (int driven = 0; driven < 2; driven++) {
        Motion m = motion_for(texts[driven], &(MotionOptions){0});
        const LiaContactWorks* w = &m.t->contacts.works[0];
        near(w->friction, 2.0, 1.0);
        near(w->fed, driven ? 0.0 : 4.0, 1.0);
        near(motion_final(&m, driven ? "work(motor)" : "work(belt)"), driven ? 4.0 : 2.0, 1.0);
        near(motion_final(&m, "x'"), 2.0, 1.0);
        check_sums(&m);
        motion_clear(&m);
    }
}

// A rail that rises and runs: friction of what holds both ways.
static void a_rail_that_moves_is_told_apart(void) {
    Motion m = motion_for(PLANE "constraint rail: z = t^2 slip x' - 2 friction 0.4\n"
                                "start x' = 5\nrun t = 0..0.5\n",
                          &(MotionOptions){0});
    const LiaContactWorks* w = &m.t->contacts.works[0];
    // N = 12, x' = 5 - 4.8 t: the slip is 3 - 4.8 t, friction takes 4.8 (1.5 - 0.6)
    near(w->friction, 4.8 * 0.9, 1.0);
    near(w->fed, 12.0 * 0.25 - 4.8 * 2.0 * 0.5, 1.0);
    check_sums(&m);
    motion_clear(&m);
}

// Belts and turntables that shake, in the plane and in space, with impacts, sliding and sticking.
static void losses_are_never_negative(void) {
    static const char* const texts[] = {
        PLANE "contact c: z - 0.05*sin(9*t) >= 0 restitution 0.5 slip x' - 2*cos(t) friction 0.3\n"
              "start z = 0.3\nrun t = 0..6, tolerance 1e-14\n",
        PLANE "contact c: z - 0.2*sin(3*t) >= 0 restitution 1\nstart z = 0.3\nrun t = 0..6, "
              "tolerance 1e-14\n",
        "body puck: mass 2, inertia 0.1, free\n"
        "body table: position [0, 0, 0.02*sin(3*t)], attitude rotz(1.5*t)\n"
        "gravity [0, 0, -9.81]\n"
        "contact c: sphere(puck, 0.1) on plane(table) restitution 0.4 friction 0.02\n"
        "start puck.position = [0.5, 0, 0.3], puck.attitude = rotz(0)\nrun t = 0..3, tolerance "
        "1e-14\n",
        "body box: mass 1, inertia [0.01, 0.02, 0.03], free\n"
        "body table: position [0.5*t, 0, 0.01*sin(5*t)], attitude rotz(0)\ngravity [0, 0, -9.81]\n"
        "contact c: box(box, [0.3, 0.2, 0.1]) on plane(table) friction 0.2\n"
        "start box.position = [0, 0, 0.05], box.attitude = rotz(0)\nrun t = 0..1, tolerance "
        "1e-14\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Motion m = motion_for(texts[i], &(MotionOptions){0});
        assert_true(fabs(m.t->contacts.works[0].fed_impacts) > 1e-3 ||
                    fabs(m.t->contacts.works[0].fed) > 1e-3);
        check_sums(&m);
        motion_clear(&m);
    }
}

// What the ledger leaves is a part of the energies that were met, not of what the first series
// looked ahead for: a block on a slope that shakes 35 times as fast as it runs.
static void the_balance_is_a_part_of_energies_met(void) {
    Motion m = motion_for(
        "coordinate x, z : line\nkinetic 0.4*(x'^2 + z'^2)\npotential 0.8*9.81*z\n"
        "let s = 0.01*sin(35*t), e = [cos(0.2), sin(0.2)], n = [-sin(0.2), cos(0.2)]\n"
        "contact slope: dot([x - s, z], n) >= 0 slip dot([x' - s', z'], e) friction 0.35 static "
        "0.45\n"
        "start x = 0, z = 0, x' = 0.35, z' = 0\nrun t = 0..2, samples 401, tolerance 1e-10\n",
        &(MotionOptions){0});
    double most = 0.0, low = 0.0, high = 0.0;
    for (size_t row = 0; row < 401; row++) {
        double U = motion_value(&m, row, "potential");
        most = fmax(most, motion_value(&m, row, "kinetic"));
        low = fmin(low, U);
        high = fmax(high, U);
    }
    double change = m.t->ledger.end - m.t->ledger.start;
    double gap = fabs(change - motion_final(&m, "work(slope)")), part = gap / (most + high - low);
    assert_int_equal(m.t->ledger.by, LIA_LEDGER_BY_ENERGIES);
    assert_true(gap > 1e-12);
    if (!(fabs(m.t->ledger.balance - part) < 0.1 * part))
        fail_msg("%g and not %g", m.t->ledger.balance, part);
    motion_clear(&m);
}

// An open contact has no power, but a work, which formulas read: 7.5 t = 6.
static void the_work_of_an_open_contact_is_read(void) {
    Motion m = motion_for("coordinate z : line\nkinetic z'^2/2\npotential 10*z\n"
                          "contact floor: z >= 0 restitution 0.5\nobserve lost = work(floor)\n"
                          "event late: work(floor)*t = -6\nstart z = 1, z' = 0\nrun t = 0..0.85\n",
                          NULL);
    const LiaEventRecord* last = &m.t->events.list[m.t->events.count - 1];
    assert_string_equal(last->name, "late");
    near(last->t, 0.8, 1.0);
    near(motion_final(&m, "lost"), -7.5, 1.0);
    near(motion_final(&m, "work(floor)"), -7.5, 1.0);
    motion_clear(&m);
}

int main(void) {
    const TestCase tests[] = {
        TEST(the_work_of_an_open_contact_is_read), TEST(a_racket_feeds_in_and_loses),
        TEST(a_belt_feeds_twice_what_it_gives),    TEST(a_rail_that_moves_is_told_apart),
        TEST(losses_are_never_negative),           TEST(the_balance_is_a_part_of_energies_met),
    };
    return TESTS_RUN(tests);
}
