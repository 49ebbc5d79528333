// Slips that begin from rest: which of them, and where their way is looked for first. Modes that
// are tried: all places of what opens are open, and where there are too many nothing is tried.
//
// Tests: motion/contact/slip/slip_way.c, motion/contact/slip/slip_guess.c
// Tests: motion/contact/trials.c, motion/contact/slip/slip_end.c
// Tests: motion/contact/rough/rough_coupling.c
// SPDX-License-Identifier: MIT
#include "motion/contact/contact_run.h"
#include "motion/contact/rough/rough_coupling.h"
#include "motion/contact/slip/slip_way.h"
#include "motion/contact/trials.h"
#include "support/cases.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// One contact that touches, with a slip of two components; its mode and the verdict on it.
typedef struct Instant {
    LiaRunner run;
    LiaContacts contacts;
    LiaSystem system;
    LiaContactFormulas formulas;
    LiaInstant at;
    LiaContactRows rows;
    LiaContactVerdict verdict;
    LiaContactMode mode[2];  // of the contact, of its block
    uint32_t touching;
    double slip[3], a[2], v[2];
} Instant;

static void begin(Instant* x) {
    memset(x, 0, sizeof *x);
    x->run.contacts = &x->contacts;
    x->run.system = &x->system;
    x->contacts.base = &x->system;
    x->contacts.v = x->v;
    x->system.contacts = &x->formulas;
    x->formulas.blocks = 1;
    x->formulas.block[0].place = 1;
    x->rows.blocks = 1;
    x->rows.block[0] = (LiaFrictionBlock){.row = 1, .dimension = 2};
    x->at.response.at_rest = (LiaDelassus){.contacts = 1, .rows = 3, .contact = &x->rows};
    x->at.response.contact = &x->rows;
    x->at.response.touching = &x->touching;
    x->at.response.slip = x->slip;
    x->at.a = x->a;
    x->at.proposal.status = LIA_COMPLEMENTARITY_SOLVED;
    x->at.proposal.found.verdict = &x->verdict;
    x->verdict.block[0] = LIA_CONTACT_SLIDES;
    x->mode[0] = LIA_MODE_CLOSED;
    x->mode[1] = LIA_MODE_SLIDE;
}

// Where it slides in the mode and has no slip; slowly where it would still stick.
static void slips_begin_from_rest_alone(void) {
    Instant* x = malloc(sizeof *x);
    assert_non_null(x);
    begin(x);
    assert_true(lia_slip_way_block(&x->run, &x->at.response, x->mode, 0) == &x->rows.block[0]);
    assert_null(lia_slip_way_block(&x->run, &x->at.response, x->mode, 1));
    assert_true(lia_slip_way_needed(&x->run, &x->at, x->mode));
    assert_false(lia_slip_way_slowly(&x->run, &x->at, x->mode, 0));
    x->verdict.block[0] = LIA_CONTACT_STICKS;
    assert_true(lia_slip_way_slowly(&x->run, &x->at, x->mode, 0));
    x->at.proposal.status = LIA_COMPLEMENTARITY_SEVERAL;
    assert_false(lia_slip_way_slowly(&x->run, &x->at, x->mode, 0));
    for (int i = 1; i < 3; i++) {
        begin(x);
        x->slip[i] = -1e-300;  // it slides already
        assert_false(lia_slip_way_needed(&x->run, &x->at, x->mode));
        assert_false(lia_slip_way_slowly(&x->run, &x->at, x->mode, 0));
    }
    begin(x);
    x->mode[1] = LIA_MODE_STICK;
    assert_null(lia_slip_way_block(&x->run, &x->at.response, x->mode, 0));
    assert_false(lia_slip_way_needed(&x->run, &x->at, x->mode));
    free(x);
}

// The first guess has constant accelerations.
static void a_way_is_first_straight(void) {
    Instant* x = malloc(sizeof *x);
    double v[LIA_SLIP_POINTS * 2];
    assert_non_null(x);
    begin(x);
    x->v[0] = 3.0, x->a[0] = -2.0, x->a[1] = 0.5;
    LiaSlipWay way = {.run = &x->run, .at = &x->at, .mode = x->mode, .n = 2, .d = 0.1, .v = v};
    assert_int_equal(lia_slip_guess(&way), LIA_TRIAL_GOOD);
    for (int j = 0; j < LIA_SLIP_POINTS; j++) {
        double t = 0.1 * lia_slip_guess_points[j];
        assert_float_equal(v[2 * j], 3.0 - 2.0 * t, 1e-15);
        assert_float_equal(v[2 * j + 1], 0.5 * t, 1e-15);
    }
    free(x);
}

// The integral of Lagrange's polynomial of a point, over 0..1.
static long double weight(int j) {
    long double c[LIA_SLIP_POINTS + 1] = {1.0L}, sum = 0.0L;
    int degree = 0;
    for (int k = 0; k < LIA_SLIP_POINTS; k++) {
        if (k == j) continue;
        long double root = lia_slip_guess_points[k], by = 1.0L / (lia_slip_guess_points[j] - root);
        for (int i = ++degree; i >= 0; i--)
            c[i] = by * ((i > 0 ? c[i - 1] : 0.0L) - (i < degree ? root * c[i] : 0.0L));
    }
    for (int i = 0; i <= degree; i++) sum += c[i] / (i + 1);
    return sum;
}

// Radau: the last one is the end, and their formula is exact up to degree 2 s - 2, no further.
static void the_points_integrate_as_radau_says(void) {
    assert_true(lia_slip_guess_points[LIA_SLIP_POINTS - 1] == 1.0);
    for (int degree = 0; degree <= 2 * LIA_SLIP_POINTS - 1; degree++) {
        long double sum = 0.0L, exact = 1.0L / (degree + 1);
        for (int j = 0; j < LIA_SLIP_POINTS; j++)
            sum += weight(j) * powl(lia_slip_guess_points[j], degree);
        if (degree <= 2 * LIA_SLIP_POINTS - 2)
            assert_true(fabsl(sum - exact) < 1e-16L);
        else
            assert_true(fabsl(sum - exact) > 1e-7L);
    }
}

static void what_opens_is_open_everywhere(void) {
    LiaContactFormulas formulas[2] = {{.blocks = 1}, {.blocks = 2}};
    LiaContactMode mode[5] = {LIA_MODE_CLOSED, LIA_MODE_CLOSED, LIA_MODE_STICK, LIA_MODE_STICK,
                              LIA_MODE_SLIDE};
    formulas[0].block[0].place = 3;
    formulas[1].block[0].place = 2, formulas[1].block[1].place = 4;
    LiaSystem* system = calloc(1, sizeof *system);
    assert_non_null(system);
    system->contacts = formulas;
    lia_trials_set_open(system, 1, mode);
    const LiaContactMode wanted[5] = {LIA_MODE_CLOSED, LIA_MODE_OPEN, LIA_MODE_OPEN, LIA_MODE_STICK,
                                      LIA_MODE_OPEN};
    for (int i = 0; i < 5; i++) assert_int_equal(mode[i], wanted[i]);
    free(system);
}

// Nine contacts that touch without friction, each open or closed, are more than are tried.
static void too_many_modes_are_not_tried(void) {
    enum { CONTACTS = 9 };
    Instant* x = malloc(sizeof *x);
    LiaContactRows rows[CONTACTS] = {0};
    LiaContactVerdict verdict[CONTACTS] = {0};
    LiaContactMode mode[CONTACTS] = {0};
    assert_non_null(x);
    begin(x);
    x->at.response.at_rest = (LiaDelassus){.contacts = CONTACTS, .contact = rows};
    x->at.response.contact = rows;
    x->at.proposal.found.verdict = verdict;
    assert_int_equal(lia_trials_others(&x->run, &x->at, mode, true), LIA_TRIAL_WRONG);
    for (int i = 0; i < CONTACTS; i++) assert_int_equal(mode[i], 0);
    free(x);
}

// Without a slip in space none comes to an end, and nothing fires.
static void without_slips_none_ends(void) {
    Instant* x = malloc(sizeof *x);
    LiaWatched watched = {.kind = LIA_WATCH_GAP};
    LiaWorkspace* w = calloc(1, sizeof *w);
    bool fires = true;
    double when = 3.0, bend = 0.0;
    assert_true(x && w);
    begin(x);
    x->run.w = w;
    x->system.mode.watched = &watched;
    x->system.mode.watched_count = 1;
    x->contacts.fires = &fires;
    assert_false(lia_slip_end_straight(&x->run, &when, &bend));
    assert_true(isinf(when) && !fires);
    free(w);
    free(x);
}

// One normal force has a sign, which is watched: nothing is none. What has no friction has one
// motion.
static void one_normal_force_is_never_none(void) {
    Instant* x = malloc(sizeof *x);
    LiaRoughFormulas rough = {.normals = 1};
    LiaAnyMode any = {0};
    LiaContactMode mode = LIA_MODE_CLOSED;
    double none = 1.0;
    assert_non_null(x);
    begin(x);
    x->system.mode.any = &any;
    x->system.rough = &rough;
    x->system.rough_count = 1;
    x->system.mode.now = &mode;
    x->contacts.rounding.none = &none;
    assert_true(lia_rough_coupling_none(&x->run, 0) && none == 0.0);
    assert_true(lia_rough_coupling_one(&x->run));
    free(x);
}

int main(void) {
    const TestCase tests[] = {
        TEST(slips_begin_from_rest_alone),        TEST(a_way_is_first_straight),
        TEST(the_points_integrate_as_radau_says), TEST(what_opens_is_open_everywhere),
        TEST(too_many_modes_are_not_tried),       TEST(without_slips_none_ends),
        TEST(one_normal_force_is_never_none),
    };
    return TESTS_RUN(tests);
}
