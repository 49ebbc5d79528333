// Many contacts, of which most are far: none is missed. Hard discs in a box have closed forms
// between their collisions, so that a second simulation by hand must find the same collisions in
// the same order.
//
// Tests: motion/contact/near.c, motion/contact/gaps.c
// SPDX-License-Identifier: MIT
#include "../support/motion.h"
#include "motion/contact/contacts.h"
#include "motion/contact/near.h"
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include "support/runner.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>

enum { SIDE = 6, DISCS = SIDE * SIDE };

#define BALLS                                                                                      \
    "parameter A = 6, r = 0.1, s = 0.5\n"                                                          \
    "coordinate x[i = 1..A, j = 1..A], y[i = 1..A, j = 1..A] : line\n"                             \
    "kinetic sum(i = 1..A, sum(j = 1..A, (x[i,j]'^2 + y[i,j]'^2)/2))\n"                            \
    "contact left[i = 1..A, j = 1..A]: x[i,j] >= r restitution e\n"                                \
    "contact right[i = 1..A, j = 1..A]: x[i,j] <= A*s - r restitution e\n"                         \
    "contact low[i = 1..A, j = 1..A]: y[i,j] >= r restitution e\n"                                 \
    "contact high[i = 1..A, j = 1..A]: y[i,j] <= A*s - r restitution e\n"                          \
    "contact beside[i = 1..A, j = 1..A, k = j+1..A]:\n"                                            \
    "  hypot(x[i,j] - x[i,k], y[i,j] - y[i,k]) >= 2*r restitution e\n"                             \
    "contact pair[i = 1..A, j = 1..A, k = i+1..A, l = 1..A]:\n"                                    \
    "  hypot(x[i,j] - x[k,l], y[i,j] - y[k,l]) >= 2*r restitution e\n"                             \
    "start x[i = 1..A, j = 1..A] = s*(i - 1/2), y[i = 1..A, j = 1..A] = s*(j - 1/2)\n"             \
    "start x[i = 1..A, j = 1..A]' = sin(7*i + 11*j^2), y[i = 1..A, j = 1..A]' = cos(5*i^2 + "      \
    "3*j)\n"

// --- the same by hand ---------------------------------------------------------------------------

typedef struct Disc {
    double x, y, u, v;
} Disc;

typedef struct Hit {
    double t;
    int a, b;  // b < 0: the wall -b
} Hit;

static const double radius = 0.1, space = 0.5;

static void begin(Disc* d) {
    for (int i = 1; i <= SIDE; i++) {
        for (int j = 1; j <= SIDE; j++)
            d[(i - 1) * SIDE + j - 1] =
                (Disc){space * (i - 0.5), space * (j - 0.5), sin(7.0 * i + 11.0 * j * j),
                       cos(5.0 * i * i + 3.0 * j)};
    }
}

// When two discs meet, from now; INFINITY: never.
static double meets(const Disc* a, const Disc* b) {
    double x = b->x - a->x, y = b->y - a->y, u = b->u - a->u, v = b->v - a->v;
    double closing = x * u + y * v, speed = u * u + v * v;
    double rest = x * x + y * y - 4.0 * radius * radius, under = closing * closing - speed * rest;
    if (!(closing < 0.0) || !(under > 0.0)) return INFINITY;
    return fmax(rest / (sqrt(under) - closing), 0.0);
}

// When a disc reaches a wall: 1 left, 2 right, 3 low, 4 high.
static double reaches(const Disc* d, int wall) {
    double far = SIDE * space - radius, v = wall <= 2 ? d->u : d->v, x = wall <= 2 ? d->x : d->y;
    double to = wall % 2 ? radius : far;
    return (wall % 2 ? v < 0.0 : v > 0.0) ? (to - x) / v : INFINITY;
}

static Hit next_hit(const Disc* d) {
    Hit first = {INFINITY, 0, 0};
    for (int a = 0; a < DISCS; a++) {
        for (int wall = 1; wall <= 4; wall++) {
            double t = reaches(&d[a], wall);
            if (t < first.t) first = (Hit){t, a, -wall};
        }
        for (int b = a + 1; b < DISCS; b++) {
            double t = meets(&d[a], &d[b]);
            if (t < first.t) first = (Hit){t, a, b};
        }
    }
    return first;
}

static void strike(Disc* d, const Hit* hit) {
    for (int i = 0; i < DISCS; i++) {
        d[i].x += hit->t * d[i].u;
        d[i].y += hit->t * d[i].v;
    }
    Disc* a = &d[hit->a];
    if (hit->b < 0) {
        if (hit->b >= -2) a->u = -a->u;
        if (hit->b < -2) a->v = -a->v;
        return;
    }
    Disc* b = &d[hit->b];
    double x = (b->x - a->x) / (2.0 * radius), y = (b->y - a->y) / (2.0 * radius);
    double along = (b->u - a->u) * x + (b->v - a->v) * y;
    a->u += along * x, a->v += along * y;
    b->u -= along * x, b->v -= along * y;
}

static void name_of(const Hit* hit, char* out, size_t size) {
    static const char* const walls[] = {"", "left", "right", "low", "high"};
    int i = hit->a / SIDE + 1, j = hit->a % SIDE + 1, k = hit->b / SIDE + 1, l = hit->b % SIDE + 1;
    if (hit->b < 0) {
        snprintf(out, size, "%s[%d,%d]", walls[-hit->b], i, j);
    } else if (i == k) {
        snprintf(out, size, "beside[%d,%d,%d]", i, j, l);
    } else {
        snprintf(out, size, "pair[%d,%d,%d,%d]", i, j, k, l);
    }
}

// --- tests --------------------------------------------------------------------------------------

static void discs_meet_as_by_hand(void) {
    Motion motion = motion_of("model m\nparameter e = 1\n" BALLS "run t = 0..1, samples 2\n",
                              &(MotionOptions){0});
    const LiaTrajectory* t = motion.t;
    assert_non_null(t);
    Disc discs[DISCS];
    double now = 0.0;
    size_t hits = 0;
    begin(discs);
    for (size_t i = 0; i < t->events.count; i++) {
        if (t->events.list[i].kind != LIA_EVENT_IMPACT) continue;
        Hit hit = next_hit(discs);
        char name[64];
        strike(discs, &hit);
        now += hit.t;
        name_of(&hit, name, sizeof name);
        assert_string_equal(t->events.list[i].name, name);
        // collisions multiply errors: some ten times each that a disc takes part in
        assert_true(fabs(t->events.list[i].t - now) <= 1e-9);
        hits++;
    }
    assert_true(now + next_hit(discs).t > 1.0);
    assert_true(hits > 50);
    motion_clear(&motion);
}

// A fast disc between many pins: the first in its way sends it back, however loose the tolerance.
static void no_pin_is_leapt_over(void) {
    Motion motion =
        motion_of("model m\ncoordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"
                  "contact pin[i = 1..100]: hypot(x - i, y - (100 - i)/100) >= 1e-3 restitution 1\n"
                  "start x' = 1e5\nrun t = 0..0.001, samples 2, tolerance 1e-4\n",
                  &(MotionOptions){0});
    const LiaTrajectory* t = motion.t;
    assert_non_null(t);
    assert_int_equal(t->events.count, 1);
    assert_string_equal(t->events.list[0].name, "pin[100]");
    assert_true(fabs(t->events.list[0].t - 99.999e-5) <= 1e-14);
    motion_clear(&motion);
}

// Of most contacts it is known in every step that they stay open; they do.
static void most_contacts_are_far_and_none_of_these_closes(void) {
    const char* text = "model m\nparameter e = 1\n" BALLS "run t = 0..0.2, samples 2\n";
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    LiaRun* run = NULL;
    assert_int_equal(lia_model_parse("test", text, strlen(text), NULL, diags, &model), LIA_OK);
    assert_int_equal(lia_system_build(model, NULL, diags, &system), LIA_OK);
    assert_int_equal(lia_run_create(system, NULL, diags, &run), LIA_OK);
    assert_true(lia_near_pays(system));
    const LiaRunner* inside = runner_of(run);
    uint64_t far = 0, all = 0;
    while (lia_run_step(run) == LIA_OK) {
        LiaGaps gaps;
        assert_true(lia_gaps_find(inside, &gaps));
        for (uint32_t k = 0; k < system->contact_count; k++, all++) {
            if (!lia_near_far(inside, k)) continue;
            assert_true(gaps.value[k] > 0.0);
            far++;
        }
        lia_gaps_clear(&gaps);
    }
    printf("%.1f %% of the contacts are far\n", 100.0 * (double)far / (double)all);
    assert_true(far * 4 > all * 3);
    lia_run_destroy(run);
    lia_system_destroy(system);
    lia_model_destroy(model);
    lia_diags_destroy(diags);
}

// A state that an event sets is anywhere: at the wall, from which all were far.
static void a_state_that_is_set_at_a_wall_strikes_it(void) {
    Motion motion = motion_of("coordinate x[i = 1..70] : line\nkinetic sum(i = 1..70, x[i]'^2)/2\n"
                              "contact wall[i = 1..70]: x[i] <= 10 restitution 1\n"
                              "event jump: t = 1 set x[1] = 10, x[1]' = 1\n"
                              "event inside: t = 1.5 set x[2] = 9.75, x[2]' = 1\n"
                              "start x[i = 1..70] = 0, x[i = 1..70]' = 0.001*i\nrun t = 0..2\n",
                              NULL);
    assert_non_null(motion.t);
    assert_int_equal(motion.t->status, LIA_OK);
    assert_float_equal(motion_final(&motion, "x[1]"), 9.0, 1e-12);
    assert_float_equal(motion_final(&motion, "x[2]"), 9.75, 1e-12);
    assert_float_equal(motion_final(&motion, "x[2]'"), -1.0, 1e-12);
    motion_clear(&motion);
}

int main(void) {
    const TestCase tests[] = {
        TEST(most_contacts_are_far_and_none_of_these_closes),
        TEST(discs_meet_as_by_hand),
        TEST(no_pin_is_leapt_over),
        TEST(a_state_that_is_set_at_a_wall_strikes_it),
    };
    return TESTS_RUN(tests);
}
