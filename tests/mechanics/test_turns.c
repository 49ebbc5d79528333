// Equations between rotations: both sides are the same matrix, never half a turn from each other.
// SPDX-License-Identifier: MIT
#include "../support/motion.h"
#include "../support/random.h"
#include "support/cases.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The sum of the squares of left - right, observed as `away`.
#define AWAY                                                                                       \
    "let D = A - B\nobserve away = dot(D*[1, 0, 0], D*[1, 0, 0]) + dot(D*[0, 1, 0], D*[0, 1, 0]) " \
    "+ dot(D*[0, 0, 1], D*[0, 0, 1])\n"

static void same(const char* text) {
    Motion m = motion_of(text, NULL);
    if (!m.t) fail_msg("did not run:\n%s", text);
    for (size_t r = 0; r < lia_trajectory_rows(m.t); r++) {
        double away = motion_value(&m, r, "away");
        if (!(away < 1e-20)) fail_msg("left - right is %g in row %zu of\n%s", away, r, text);
    }
    motion_clear(&m);
}

static void refused(const char* text, const char* code, const char* words) {
    Motion m = motion_of(text, &(MotionOptions){.quiet = 1});
    char* said = m.t ? lia_output_reason(m.t) : lia_diags_text(m.diags);
    if (!said || !strstr(said, code) || !strstr(said, words))
        fail_msg("no %s with '%s':\n%s\n%s", code, words, text, said ? said : "");
    lia_free(said);
    motion_clear(&m);
}

// An angle is found whichever the other angle is, on a line too, and so is an attitude.
static void every_angle_is_found(void) {
    static const char* const sides[][2] = {{"rotz(a)", "rotz(p)"},
                                           {"roty(p)", "transpose(roty(-a))"},
                                           {"R", "rotx(p)"},
                                           {"R*rotx(p)", "quaternion(0.6, 0, 0.8, 0)"}};
    for (int k = 0; k < 8 * 63; k += cases_every()) {
        const char* const* of = sides[k % 4];
        char text[800];
        snprintf(text, sizeof text,
                 "model m\nparameter p = %g\ncoordinate a : %s\ncoordinate R : rotation\n"
                 "kinetic a'^2 + dot(omega(R), omega(R))\nconstraint c: %s = %s\n"
                 "let A = %s, B = %s\n" AWAY "run t = 0..0\n",
                 0.1 * (k / 8 - 31), k % 8 < 4 ? "line" : "circle", of[0], of[1], of[0], of[1]);
        same(text);
    }
}

// One of the turns that a rotation is made of.
static int add_turn(Random* r, char* out, size_t room, bool attitudes) {
    char axis = "xyz"[random_whole(r, 0, 2)];
    switch (random_whole(r, 0, attitudes ? 3 : 2)) {
    case 0:
        return snprintf(out, room, "rot%c(%.3f)", axis, random_between(r, -3.2, 3.2));
    case 1:
        return snprintf(out, room, "transpose(rot%c(a[%d]))", axis, random_whole(r, 1, 3));
    case 2:
        return snprintf(out, room, "rot%c(a[%d])", axis, random_whole(r, 1, 3));
    default:
        return snprintf(out, room, random_chance(r, 0.5) ? "Q" : "transpose(Q)");
    }
}

static void add_rotation(Random* r, char* out, size_t room, bool attitudes) {
    int count = random_whole(r, 1, 3);
    for (int k = 0; k < count; k++) {
        int length = snprintf(out, room, "%s", k ? "*" : "");
        out += length, room -= (size_t)length;
        length = add_turn(r, out, room, attitudes);
        out += length, room -= (size_t)length;
    }
}

// Products of attitudes and angles, open, guessed and given, at the start and along a motion.
static void any_rotations_are_made_equal(void) {
    Random r = {20261117};
    const char* many = getenv("LIAISON_CAMPAIGN");
    int count = 100 * (many ? atoi(many) : 1);
    for (int k = 0; k < count; k += cases_every()) {
        char text[1600], left[200] = "R", right[200], start[300] = "";
        if (random_chance(&r, 0.5)) {
            memcpy(left, "R*", 3);
            add_rotation(&r, left + 2, sizeof left - 2, false);
        }
        add_rotation(&r, right, sizeof right, true);
        if (random_chance(&r, 0.7)) {
            snprintf(start, sizeof start,
                     "start R ~ rotx(%.3f)*rotz(%.3f), Q %c roty(%.3f), a[1] %c %.3f\n"
                     "start a[2]' = %.3f, omega(Q) ~ [%.3f, 1, 0]\n",
                     random_between(&r, -3, 3), random_between(&r, -3, 3), "=~"[k % 2],
                     random_between(&r, -3, 3), "=~"[k / 2 % 2], random_between(&r, -4, 4),
                     random_between(&r, -2, 2), random_between(&r, -2, 2));
        }
        snprintf(
            text, sizeof text,
            "model m\ncoordinate a[i = 1..3] : circle\ncoordinate R, Q : rotation\n"
            "kinetic sum(i = 1..3, a[i]'^2) + dot(omega(R), omega(R)) + dot(omega(Q), omega(Q))\n"
            "constraint c: %s = %s\nlet A = %s, B = %s\n%s" AWAY "run t = 0..%d, samples 5\n",
            left, right, left, right, start, k % 4 == 0 ? 3 : 0);
        same(text);
    }
}

// An operator turns it round and round, through every angle, from an open start.
static void an_operator_aims_from_anywhere(void) {
    for (int k = -6; k <= 6; k++) {
        char text[600];
        snprintf(
            text, sizeof text,
            "model m\ncoordinate R : rotation\nkinetic dot(omega(R), omega(R))\n"
            "operator aim: R = rotz(%g + t)*rotx(0.2)\nlet A = R, B = rotz(%g + t)*rotx(0.2)\n" AWAY
            "run t = 0..10, samples 11\n",
            0.5 * k, 0.5 * k);
        same(text);
    }
}

// What is given half a turn wrong is refused, and an attitude that leaps by half a turn is as well.
static void half_a_turn_is_no_rounding(void) {
#define TWO                                                                                        \
    "model m\ncoordinate R, Q : rotation\nkinetic dot(omega(R), omega(R)) + dot(omega(Q), "        \
    "omega(Q))\n"
    const char* what = "turned by 180 degrees relative to each other";
    refused(TWO "constraint c: R = Q\nstart R = rotz(pi), Q = rotz(0)\nrun t = 0..1\n", "E0301",
            what);
    refused(TWO
            "constraint c: R = Q\nstart R = quaternion(0, 1, 0, 0), Q = rotz(0)\nrun t = 0..1\n",
            "E0301", what);
    refused(TWO "constraint c: R = Q*rotz(2)\nstart R = rotz(2 + pi), Q = rotz(0)\nrun t = 0..1\n",
            "E0301", what);
    refused(TWO "constraint c: R = Q\nstart R = rotz(2), Q = rotz(1.5)\nrun t = 0..1\n", "E0301",
            "turned by 28.6479 degrees");
    refused("model m\ncoordinate a : line\nkinetic a'^2\nconstraint c: rotz(a) = rotz(2)\n"
            "start a = 2 - pi\nrun t = 0..1\n",
            "E0301", what);
    refused(TWO "operator o: R = rotz(if(t < 1, t, t + pi))\nrun t = 0..2\n", "E0409",
            "at t = 1 'o' asks for a position that leaps by 3.14");
    refused(TWO "operator o: R = rotz(if(t < 1, t, t + 2))\nrun t = 0..2\n", "E0409",
            "at t = 1 'o' asks for a position that leaps by 2:");
}

int main(void) {
    const TestCase tests[] = {
        TEST(every_angle_is_found),
        TEST(any_rotations_are_made_equal),
        TEST(an_operator_aims_from_anywhere),
        TEST(half_a_turn_is_no_rounding),
    };
    return TESTS_RUN(tests);
}
