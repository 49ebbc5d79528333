// Contacts of two shapes: what sticks rolls as the joint does, what is smooth slides as it does,
// and what bounces keeps the ledger, whatever the shapes are and wherever they touch.
// SPDX-License-Identifier: MIT
#include "../support/motion.h"
#include "base/numeric/random.h"
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>

// The other body moves, from rest.
#define BALL                                                                                       \
    "body ball: mass 1, inertia 0.004, free\n"                                                     \
    "body other: position [0.4*t^2, 0, 0.3*t^2], attitude rotx(0.2 + 0.5*t^2)\n"                   \
    "gravity [1.1, -2.3, -9.81]\n"

static const char* const states[] = {"ball.position.x",  "ball.position.y",  "ball.position.z",
                                     "ball.position'.x", "ball.position'.y", "ball.position'.z",
                                     "ball.attitude'.x", "ball.attitude'.y", "ball.attitude'.z"};

// SHAPE on SHAPE, and where the ball is while it is pressed on.
static const struct {
    const char *first, *second, *start, *end;
} pairs[] = {
    {"sphere(ball, 0.1)", "plane(other)", "[0, 0, 0.1]", "0.5"},
    {"sphere(ball, 0.1)", "plane(other normal [0.2, 0.1, 1])", "[0, 0, 0.1*sqrt(1.05)]", "0.5"},
    {"plane(other)", "sphere(ball, 0.1)", "[0, 0, 0.1]", "0.5"},
    {"sphere(ball, 0.1)", "sphere(other, 2)", "[0, 0, 2.1]", "0.4"},
    {"sphere(other, 2)", "sphere(ball, 0.1)", "[0, 0, 2.1]", "0.4"},
    {"sphere(ball, 0.1)", "inside(sphere(other, 1))", "[0, 0, -0.9]", "2"},
    {"sphere(ball, 0.1)", "cylinder(other, 2 axis [1, 0, 0])", "[0, 0, 2.1]", "0.4"},
    {"sphere(ball, 0.1)", "inside(cylinder(other, 1 axis [1, 0, 0]))", "[0, 0, -0.9]", "2"},
    {"ellipsoid(ball, [0.1, 0.2, 0.1])", "plane(other)", "[0, 0, 0.1]", "0.2"},
    {"point(ball, [0, 0, -0.1])", "plane(other)", "[0, 0, 0.1]", "0.1"},
};
enum { PAIRS = sizeof pairs / sizeof *pairs, STATES = sizeof states / sizeof *states };

static Motion run(const char* statement, size_t i) {
    char text[1024];
    snprintf(text, sizeof text,
             BALL
             "%s\nstart ball.position = rotx(0.2)*%s, ball.attitude = rotx(0.2)\nrun t = 0..%s\n",
             statement, pairs[i].start, pairs[i].end);
    // an axis stands with the body
    char* axis = strstr(text, " axis [1, 0, 0]");
    if (axis) {
        char* body = strstr(text, "cylinder(other") + strlen("cylinder(other");
        size_t length = strlen(" axis [1, 0, 0]");
        memmove(body + length, body, (size_t)(axis - body));
        memcpy(body, " axis [1, 0, 0]", length);
    }
    return motion_of(text, &(MotionOptions){0});
}

static void a_contact_that_holds_is_the_joint(void) {
    for (size_t i = 0; i < PAIRS; i++) {
        for (int rough = 0; rough < 2; rough++) {
            char contact[256], joint[256];
            snprintf(contact, sizeof contact, "contact c: %s on %s%s", pairs[i].first,
                     pairs[i].second, rough ? " friction 20" : "");
            snprintf(joint, sizeof joint, "joint c: %s(%s, %s)", rough ? "rolling" : "touching",
                     pairs[i].first, pairs[i].second);
            Motion a = run(contact, i), b = run(joint, i);
            if (!a.t || !b.t || a.t->status != LIA_OK || b.t->status != LIA_OK)
                fail_msg("%s, %s: no motion", contact, joint);
            for (int k = 0; k < STATES; k++) {
                double x = motion_final(&a, states[k]), y = motion_final(&b, states[k]);
                if (!(fabs(x - y) < 1e-9 * (1.0 + fabs(y))))
                    fail_msg("%s: %s is %.15g, of the joint %.15g", contact, states[k], x, y);
            }
            motion_clear(&a);
            motion_clear(&b);
        }
    }
}

// A ball that slides and bounces: no energy is made, and the ledger closes.
static void the_ledger_closes(void) {
    for (size_t i = 0; i < PAIRS; i++) {
        char contact[256];
        snprintf(contact, sizeof contact,
                 "contact c: %s on %s restitution 0.5 friction 0.1\n"
                 "force wind: 3*sin(9*t)*d(ball.position.x) + 30*cos(7*t)*d(ball.position.z)",
                 pairs[i].first, pairs[i].second);
        Motion m = run(contact, i);
        if (!m.t || m.t->status != LIA_OK) fail_msg("%s: no motion", contact);
        if (!(m.t->ledger.balance < 1e-10))
            fail_msg("%s: balance %g", contact, m.t->ledger.balance);
        motion_clear(&m);
    }
}

// A box that falls on a corner, in several attitudes: what the fall gives is lost.
static void a_box_comes_to_rest(void) {
    static const double angles[][2] = {{0.4, 0.3}, {0.7, 0.2}, {-0.3, 0.1}};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "body k: mass 1, inertia [0.25/12, 0.2/12, 0.13/12], free\n"
                 "gravity [0, 0, -9.81]\n"
                 "contact floor: box(k, [0.2, 0.3, 0.4]) on plane(ground)\n"
                 "start k.position = [0, 0, 0.5], k.velocity = 0, k.omega = 0,\n"
                 "    k.attitude = rotx(%g)*roty(%g)\nrun t = 0..2\n",
                 angles[i][0], angles[i][1]);
        Motion m = motion_of(text, &(MotionOptions){0});
        assert_non_null(m.t);
        assert_int_equal(m.t->status, LIA_OK);
        assert_true(m.t->ledger.balance < 1e-10);
        double height = motion_final(&m, "k.position.z"), fall = 0.5 - height;
        bool rests =
            fabs(height - 0.2) < 1e-10 || fabs(height - 0.15) < 1e-10 || fabs(height - 0.1) < 1e-10;
        if (!rests) fail_msg("case %zu: it rests at %.15g", i, height);
        assert_float_equal(motion_final(&m, "k.position'.z"), 0.0, 1e-10);
        assert_int_equal(m.t->contacts.count, 1);
        double lost = m.t->contacts.works[0].impacts + m.t->contacts.works[0].between;
        double kinetic = motion_final(&m, "kinetic");
        assert_float_equal(lost, kinetic - 9.81 * fall, 1e-9);
        motion_clear(&m);
    }
}

// Boxes with friction and restitution, thrown at random: they come to rest on a face.
static void a_rough_box_comes_to_rest(void) {
    enum { BOXES = 6 };
    uint64_t seed = 5;
    for (int i = 0; i < BOXES; i++) {
        double x[8], mu = 0.1 + 0.9 * lia_random_generic(&seed);
        double e = i % 4 ? 0.7 * (2.0 * lia_random_generic(&seed) - 1.0) : 0.0;
        for (int k = 0; k < 8; k++) x[k] = lia_random_even(&seed);
        char text[640];
        snprintf(text, sizeof text,
                 "body k: mass 1, inertia [0.25/12, 0.2/12, 0.13/12], free\n"
                 "gravity [0, 0, -9.81]\n"
                 "contact floor: box(k, [0.2, 0.3, 0.4]) on plane(ground) restitution %.3f "
                 "friction %.3f\n"
                 "start k.position = [0, 0, 0.6], k.velocity = [%.3f, %.3f, %.3f],\n"
                 "    k.attitude = rotx(%.3f)*roty(%.3f),\n"
                 "    k.omega = [%.3f, %.3f, %.3f]\nrun t = 0..4\n",
                 e, mu, x[0], x[1], x[2], 3.0 * x[3], 3.0 * x[4], 3.0 * x[5], 3.0 * x[6],
                 3.0 * x[7]);
        Motion m = motion_of(text, &(MotionOptions){0});
        assert_non_null(m.t);
        if (m.t->status != LIA_OK) fail_msg("box %d: %s", i, text);
        if (!(m.t->ledger.balance < 1e-9)) fail_msg("box %d: balance %g", i, m.t->ledger.balance);
        double height = motion_final(&m, "k.position.z");
        bool rests =
            fabs(height - 0.2) < 1e-9 || fabs(height - 0.15) < 1e-9 || fabs(height - 0.1) < 1e-9;
        if (!rests) fail_msg("box %d: it rests at %.15g", i, height);
        assert_float_equal(motion_final(&m, "kinetic"), 0.0, 1e-12);
        assert_true(m.t->contacts.works[0].between <= 1e-12 &&
                    m.t->contacts.works[0].impacts <= 0.0);
        motion_clear(&m);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_contact_that_holds_is_the_joint),
        TEST(the_ledger_closes),
        TEST(a_box_comes_to_rest),
        TEST(a_rough_box_comes_to_rest),
    };
    return TESTS_RUN(tests);
}
