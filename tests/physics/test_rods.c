// Thin rods: no inertia about the axis. Where nothing sees that turn it goes on as it starts, and
// the rod moves as a direction does, which knows of no such turn; where something sees it, it is no
// idle one.
//
// By law: mechanics/spin/massless_spin_coupled.c: rods welded along one line turn as one
// By law: mechanics/spin/spin_groups.c: a chain of rods turns as its joints see it
// SPDX-License-Identifier: MIT
#include "agree.h"
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define RUN "run t = 0..2, tolerance 1e-14, samples 21\n"

static int says(const char* text, const char* what) {
    Motion m = motion_of(text, NULL);
    assert_non_null(m.t);
    assert_int_equal(m.status, LIA_OK);
    char* summary = lia_output_summary(m.t, NULL);
    int found = strstr(summary, what) != NULL;
    lia_free(summary);
    motion_clear(&m);
    return found;
}

#define DIRECTION                                                                                  \
    "parameter m = 2, l = 1.5\ncoordinate u : sphere\nbody rod: mass m, position -l/2*u\n"         \
    "kinetic m*l^2/24*dot(u', u')\ngravity [0, 0, -9.81]\n"                                        \
    "start u = rotx(1)*[0, 0, 1], u' = cross([0.5, 1, -0.3], rotx(1)*[0, 0, 1])\n"                 \
    "observe n = u, F = m*(rod.velocity' + [0, 0, 9.81]), P = rod.position, E = energy\n" RUN

// On a ball joint; the angular velocity that is given has a part about the axis, and keeps it.
static void a_rod_on_a_ball_joint_moves_as_a_direction(void) {
    static const char rod[] =
        "parameter m = 2, l = 1.5\nbody rod: mass m, inertia [m*l^2/12, m*l^2/12, 0], free\n"
        "joint top: spherical(ground, rod at [0, 0, l/2])\ngravity [0, 0, -9.81]\n"
        "start rod.attitude = rotx(1), rod.omega = [0.5, 1, -0.3]\n"
        "observe n = axis(rod, [0, 0, 1]), F = reaction(top), P = rod.position, E = energy\n"
        "observe spin = Omega(rod.attitude).z\n" RUN;
    same_motion(rod, DIRECTION, "n.x n.y n.z F.x F.y F.z P.x P.y P.z E", 2e-11);
    Motion m = motion_of(rod, NULL);
    double given = -sin(1.0) * 1.0 - 0.3 * cos(1.0);
    for (size_t r = 0; r < 21; r++) near_as(motion_value(&m, r, "spin"), given, 1e-12, "spin");
    motion_clear(&m);
    assert_true(says(rod, "the turn of 'rod' about its axis has no inertia"));
}

// In a rotation of one's own, lying along another axis of it.
static void a_rod_in_a_rotation_of_ones_own_moves_as_a_direction(void) {
    same_motion("parameter m = 2, l = 1.5\ncoordinate R : rotation\n"
                "body rod: mass m, inertia [0, m*l^2/12, m*l^2/12], position -l/2*(R*[0, 0, 1]),\n"
                "  attitude R*roty(-pi/2)\ngravity [0, 0, -9.81]\n"
                "start R = rotx(1), omega(R) = [0.5, 1, -0.3]\n"
                "observe n = R*[0, 0, 1], P = rod.position, E = energy\n" RUN,
                DIRECTION, "n.x n.y n.z P.x P.y P.z E", 2e-11);
}

// A chain of rods, long enough for sparse algebra.
static void a_chain_of_rods_moves_as_a_chain_of_directions(void) {
    same_motion("parameter N = 12, m = 1, l = 0.2\n"
                "body b[i = 1..N]: mass m, inertia [m*l^2/12, m*l^2/12, 0], free\n"
                "joint top: spherical(ground, b[1] at [0, 0, l/2])\n"
                "joint j[i = 2..N]: spherical(b[i-1] at [0, 0, -l/2], b[i] at [0, 0, l/2])\n"
                "gravity [0, 0, -9.81]\n"
                "start b[i = 1..N].attitude = rotx(0.1*i)*roty(0.2), omega(b[i = 1..N].attitude) = "
                "[0, 0, 0]\n"
                "observe P = b[N].position, E = energy, F = reaction(top)\n"
                "run t = 0..1, tolerance 1e-14, samples 21\n",
                "parameter N = 12, m = 1, l = 0.2\ncoordinate u[i = 1..N] : sphere\n"
                "let e[0] = [0, 0, 0]\nlet e[i = 1..N] = e[i-1] - l*u[i]\n"
                "body b[i = 1..N]: mass m, position e[i-1] - l/2*u[i]\n"
                "kinetic sum(i = 1..N, m*l^2/24*dot(u[i]', u[i]'))\ngravity [0, 0, -9.81]\n"
                "start u[i = 1..N] = rotx(0.1*i)*roty(0.2)*[0, 0, 1], u[i = 1..N]' = [0, 0, 0]\n"
                "observe P = b[N].position, E = energy\n"
                "observe F = linear_momentum(all)' + [0, 0, 9.81*N*m]\n"
                "run t = 0..1, tolerance 1e-14, samples 21\n",
                "P.x P.y P.z E F.x F.y F.z", 1e-10);
}

// A universal joint holds the turn: it is none that nothing sees, and the rod moves as with its two
// angles.
static void a_rod_that_is_held_is_lent_nothing(void) {
    static const char held[] =
        "parameter m = 2, l = 1.5\nbody rod: mass m, inertia [m*l^2/12, m*l^2/12, 0], free\n"
        "joint top: universal(ground axis [1, 0, 0], rod at [0, 0, l/2] axis [0, 1, 0])\n"
        "gravity [0, 0, -9.81]\nstart rod.attitude = rotx(1)*roty(0.4), rod.omega ~ [0.5, 1, 0]\n"
        "observe P = rod.position, w = rod.omega\n" RUN;
    assert_false(says(held, "has no inertia"));
    Motion m = motion_of(held, NULL);
    double w[3];
    for (int i = 0; i < 3; i++) w[i] = motion_value(&m, 0, (const char*[]){"w.x", "w.y", "w.z"}[i]);
    motion_clear(&m);
    char angles[600];  // omega = (a', b' cos a, b' sin a)
    snprintf(angles, sizeof angles,
             "parameter m = 2, l = 1.5\ncoordinate a, b : circle\nlet R = rotx(a)*roty(b)\n"
             "body rod: mass m, inertia [m*l^2/12, m*l^2/12, 0], position R*[0, 0, -l/2], "
             "attitude R\ngravity [0, 0, -9.81]\nstart a = 1, b = 0.4, a' = %.17g, b' = %.17g\n"
             "observe P = rod.position, w = rod.omega\n" RUN,
             w[0], w[1] / cos(1.0));
    same_motion(held, angles, "P.x P.y P.z w.x w.y w.z", 2e-11);
}

// A couple about the axis, a weight next to it, a drag on the turn: no inertia is there to answer.
static void a_turn_that_something_pulls_at_is_not_idle(void) {
    static const char* const pulls[] = {
        "moment M: axis(rod, [0, 0, 1]) on rod\n",
        "force F: [1, 0, 0] on rod at point(rod, [0, 0.1, 0])\n",
        "moment M: -0.1*rod.omega on rod\n",
        "potential point(rod, [0.2, 0, 0]).x\n",
    };
    for (size_t i = 0; i < sizeof pulls / sizeof pulls[0]; i++) {
        char text[400];
        snprintf(
            text, sizeof text,
            "body rod: mass 1, inertia [1, 1, 0], free\n%sstart rod.attitude = rotx(1)*rotz(1), "
            "rod.omega = [1, 2, 3]\nrun t = 0..1\n",
            pulls[i]);
        Motion m = motion_of(text, &(MotionOptions){.quiet = 1});
        assert_int_equal(m.status, LIA_FAILED);
        char* said = lia_output_reason(m.t);
        if (!strstr(said, "E0401")) fail_msg("%s: no E0401: %s", pulls[i], said);
        lia_free(said);
        motion_clear(&m);
    }
}

// A point that was written as a free body: no inertia at all.
static void a_body_without_inertia_flies_as_a_point(void) {
    Motion m = motion_of("body b: mass 2, inertia 0, free\ngravity [0, 0, -9.81]\n"
                         "start b.velocity = [1, 0, 3], b.omega = [1, 2, 3]\nrun t = 0..2\n",
                         NULL);
    assert_int_equal(m.status, LIA_OK);
    near_as(motion_final(&m, "b.position.z"), 6.0 - 9.81 * 2.0, 1e-12, "height");
    near_as(motion_final(&m, "b.attitude'.z"), 3.0, 1e-12, "omega");
    motion_clear(&m);
}

// Rods in a row on one line, the first on a ball joint, held together by what `joints` says.
#define ROW(N, joints)                                                                             \
    "parameter N = " #N ", m = 2, l = 1.5\n"                                                       \
    "body b[i = 1..N]: mass m/N, inertia [m*l^2/12/N^3, m*l^2/12/N^3, 0], free\n"                  \
    "gravity [0, 0, -9.81]\njoint top: spherical(ground, b[1] at [0, 0, l/2/N])\n" joints          \
    "start b[i = 1..N].attitude ~ rotx(1), b[i = 1..N].position ~ rotx(1)*[0, 0, l/2/N - i*l/N]\n" \
    "start b[1].omega = [0.5, 1, -0.3]\n"                                                          \
    "observe n = axis(b[N], [0, 0, 1]), F = reaction(top), E = energy\n"                           \
    "observe spin = Omega(b[1].attitude).z, last = Omega(b[N].attitude).z\n" RUN
#define ALONG " at [0, 0, -l/2/N] axis [0, 0, 1], "
#define INTO  " at [0, 0, l/2/N] axis [0, 0, 1])\n"

// Rods on one line that are welded, or turn in each other on that line, have turns that nothing
// sees, and move as one rod.
static void rods_on_one_line_move_as_one(void) {
    static const char* const rows[] = {
        ROW(2, "joint j: fixed(b[1] at [0, 0, -l/2/N], b[2] at [0, 0, l/2/N])\n"),
        ROW(5, "joint j[i = 2..N]: fixed(b[i-1] at [0, 0, -l/2/N], b[i] at [0, 0, l/2/N])\n"),
        ROW(2, "joint j: revolute(b[1]" ALONG "b[2]" INTO),
        ROW(3, "joint j: revolute(b[1]" ALONG "b[2]" INTO
               "joint k: fixed(b[2] at [0, 0, -l/2/N], b[3] at [0, 0, l/2/N])\n"),
    };
    double given = -sin(1.0) * 1.0 - 0.3 * cos(1.0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        same_motion(rows[i], DIRECTION, "n.x n.y n.z F.x F.y F.z E", 2e-11);
        Motion m = motion_of(rows[i], NULL);
        for (size_t r = 0; r < 21; r++) {
            near_as(motion_value(&m, r, "spin"), given, 1e-11, "spin");
            near_as(motion_value(&m, r, "last"), i < 2 ? given : 0.0, 1e-11, "spin of the last");
        }
        motion_clear(&m);
    }
    assert_true(says(rows[0], "a turn of 'b[1]' together with 'b[2]' has no inertia"));
    assert_true(says(rows[2], "the turn of 'b[2]' about its axis has no inertia"));
}

// A cross passes on a turn in a ratio that changes, but no moment: there is no inertia to be moved.
// So it is a ball joint.
static void a_cross_between_loose_rods_is_a_ball_joint(void) {
    same_motion(ROW(2, "joint j: universal(b[1] at [0, 0, -l/4] axis [1, 0, 0], b[2] at [0, 0, "
                       "l/4] axis [0, 1, 0])\n"),
                ROW(2, "joint j: spherical(b[1] at [0, 0, -l/4], b[2] at [0, 0, l/4])\n"),
                "n.x n.y n.z F.x F.y F.z E", 2e-11);
}

// Rods side by side, or at an angle, carry each other around: that is an inertia.
static void rods_that_carry_others_are_lent_nothing(void) {
    assert_false(
        says(ROW(2, "joint j: fixed(b[1] at [0, 0.001, 0], b[2] at [0, 0, 0])\n"), "no inertia"));
    // the second lies along its x axis, and is welded across the first
    assert_false(says("body a: mass 1, inertia [1, 1, 0], free\nbody b: mass 1, inertia [0, 1, 1], "
                      "free\njoint top: spherical(ground, a at [0, 0, 1])\n"
                      "joint j: fixed(a at [0, 0, -1], b at [1, 0, 0])\ngravity [0, 0, -9.81]\n"
                      "start a.attitude = rotx(1)\nrun t = 0..0.1\n",
                      "no inertia"));
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_rod_on_a_ball_joint_moves_as_a_direction),
        TEST(a_rod_in_a_rotation_of_ones_own_moves_as_a_direction),
        TEST(a_chain_of_rods_moves_as_a_chain_of_directions),
        TEST(a_rod_that_is_held_is_lent_nothing),
        TEST(a_turn_that_something_pulls_at_is_not_idle),
        TEST(rods_on_one_line_move_as_one),
        TEST(a_cross_between_loose_rods_is_a_ball_joint),
        TEST(rods_that_carry_others_are_lent_nothing),
        TEST(a_body_without_inertia_flies_as_a_point),
    };
    return TESTS_RUN(tests);
}
