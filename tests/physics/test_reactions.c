// What joints and prescribed motions carry: reactions are those of statics and of the textbooks,
// balance every body, and keep the momenta of bodies that are free together.
// SPDX-License-Identifier: MIT
#include "agree.h"
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define RUN "run t = 0..3, tolerance 1e-14, samples 31\n"

// --- of the textbooks

// A uniform rod swings in a hinge at its end: along the rod R_n = m g/2 (5 cos f - 3 cos f0),
// across it R_t = m g/4 sin f (released at rest at f0).
static void a_hinge_carries_what_the_textbook_says(void) {
    Motion m = motion_of(
        "parameter m = 3, l = 2, g = 9.81, f0 = 1.2\n"
        "body rod: mass m, inertia [m*l^2/12, m*l^2/12, 0], free\n"
        "gravity [0, 0, -g]\n"
        "joint hinge: revolute(ground axis [0, 1, 0], rod at [0, 0, l/2] axis [0, 1, 0])\n"
        "start rod.attitude = roty(f0)\n"
        "let along = axis(rod, [0, 0, 1]), across = axis(rod, [1, 0, 0])\n"
        "observe n = dot(reaction(hinge), along), t1 = dot(reaction(hinge), across)\n"
        "observe c = along.z, s = along.x, C = moment(hinge)\n" RUN,
        NULL);
    assert_non_null(m.t);
    for (size_t r = 0; r < lia_trajectory_rows(m.t); r++) {
        double c = motion_value(&m, r, "c"), s = motion_value(&m, r, "s");
        near_as(motion_value(&m, r, "n"), 3 * 9.81 / 2 * (5 * c - 3 * cos(1.2)), 1e-10, "along");
        near_as(motion_value(&m, r, "t1"), 3 * 9.81 / 4 * -s, 1e-10, "across");
        near_as(motion_value(&m, r, "C.x") + motion_value(&m, r, "C.z"), 0.0, 1e-10, "couple");
    }
    motion_clear(&m);
}

// A rod leans out from a vertical shaft that turns at a constant rate w: the shaft gives the couple
// m (l w)^2 sin(2b)/24 about the horizontal, and with gravity m g l/2 cos b more, when it is held
// at its end.
static void a_turning_shaft_carries_the_couple_of_a_leaning_rod(void) {
    double m = 2, l = 1.5, b = 0.6, w = 7, g = 9.81;
    Motion x = motion_of("parameter m = 2, l = 1.5, b = 0.6, w = 7\n"
                         "body rod: mass m, inertia [0, m*l^2/12, m*l^2/12], free\n"
                         "gravity [0, 0, -9.81]\n"
                         "body shaft: attitude rotz(w*t)\n"
                         "joint weld: fixed(shaft axis [0, 0, 1] direction [1, 0, 0],\n"
                         "  rod at [-l/2, 0, 0] axis [sin(b), 0, cos(b)] direction [1, 0, 0])\n"
                         "observe F = transpose(shaft.attitude)*reaction(weld)\n"
                         "observe C = transpose(shaft.attitude)*moment(weld), N = power(weld)\n"
                         "start rod.attitude ~ roty(-b)\n" RUN,
                         NULL);
    assert_non_null(x.t);
    for (size_t r = 0; r < lia_trajectory_rows(x.t); r++) {
        near_as(motion_value(&x, r, "F.x"), -m * l / 2 * cos(b) * w * w, 1e-10, "F.x");
        near_as(motion_value(&x, r, "F.z"), m * g, 1e-10, "F.z");
        // about the end: C = dL/dt - r x weight, the rod along (cos b, 0, sin b)
        near_as(motion_value(&x, r, "C.y"),
                -m * l * l / 3 * w * w * sin(b) * cos(b) - m * g * l / 2 * cos(b), 1e-10, "C.y");
        near_as(motion_value(&x, r, "C.x"), 0.0, 1e-10, "C.x");
        near_as(motion_value(&x, r, "C.z"), 0.0, 1e-10, "C.z");
        near_as(motion_value(&x, r, "N"), 0.0, 1e-8, "power");
    }
    motion_clear(&x);
}

// A load m goes down a screw of pitch p with the moment of inertia I: with k = p/(2 pi) the
// acceleration is m g k^2/(I + m k^2), the thread carries m g I/(I + m k^2).
static void a_screw_lets_its_load_down_slowly(void) {
    double k = 0.4 / (2 * 3.14159265358979323846), I = 0.3, m = 5, g = 9.81;
    double a = m * g * k * k / (I + m * k * k);
    Motion x =
        motion_of("body load: mass 5, inertia 0.3, free\n"
                  "gravity [0, 0, -9.81]\n"
                  "joint thread: screw(ground axis [0, 0, 1], load axis [0, 0, 1], pitch 0.4)\n"
                  "observe F = reaction(thread), C = moment(thread), z = load.position.z\n"
                  "run t = 0..9, tolerance 1e-14, samples 31\n",
                  NULL);
    assert_non_null(x.t);
    for (size_t r = 0; r < lia_trajectory_rows(x.t); r++) {
        double t = 9.0 * (double)r / 30.0;
        near_as(motion_value(&x, r, "z"), -a * t * t / 2, 1e-10, "z");  // many turns
        near_as(motion_value(&x, r, "F.z"), m * (g - a), 1e-10, "F.z");
        near_as(motion_value(&x, r, "C.z"), -I * a / k, 1e-10, "C.z");
    }
    assert_true(motion_value(&x, 30, "z") < -0.4 * 3);
    motion_clear(&x);
}

// The force on a body held by several joints is what its momentum needs.
static void reactions_of_all_kinds_add_up_to_the_change_of_momentum(void) {
    static const char* const kinds[] = {
        "revolute(ground at [0, 0, 1] axis [1, 2, 0], b at [0.3, 0, 0.1] axis [1, 0, 1])",
        "spherical(ground at [0, 0, 1], b at [0.3, 0, 0.1])",
        "tip(ground at [0, 0, 1], b at [0.3, 0, 0.1])",
        "cylindrical(ground at [0, 0, 1] axis [1, 2, 0], b at [0.3, 0, 0.1] axis [1, 0, 1])",
        "prismatic(ground at [0, 0, 1] axis [1, 2, 0], b at [0.3, 0, 0.1] axis [1, 0, 1])",
        "planar(ground at [0, 0, 1] axis [1, 2, 0], b at [0.3, 0, 0.1] axis [1, 0, 1])",
        "universal(ground at [0, 0, 1] axis [1, 2, 0], b at [0.3, 0, 0.1] axis [1, 0, 1])",
        "screw(ground at [0, 0, 1] axis [1, 2, 0], b at [0.3, 0, 0.1] axis [1, 0, 1], pitch -2)",
        "fixed(ground at [0, 0, 1] axis [1, 2, 0] direction [0, 0, 1], b at [0.3, 0, 0.1] axis [1, "
        "0, 1] "
        "direction [0, 1, 1])",
        "revolute(b at [0.3, 0, 0.1] axis [1, 0, 1], ground at [0, 0, 1] axis [1, 2, 0])",
        "planar(b at [0.3, 0, 0.1] axis [1, 0, 1], ground at [0, 0, 1] axis [1, 2, 0])",
        "screw(b at [0.3, 0, 0.1] axis [1, 0, 1], ground at [0, 0, 1] axis [1, 2, 0], pitch 3)",
        "cylindrical(b at [0.3, 0, 0.1] axis [1, 0, 1], ground at [0, 0, 1] axis [1, 2, 0])",
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        bool second = strstr(kinds[i], "(b") != NULL;
        char text[1400];
        snprintf(text, sizeof text,
                 "body b: mass 2, inertia [[1, 0.1, 0], [0.1, 1.5, 0.2], [0, 0.2, 1.2]], free\n"
                 "gravity [1, -2, -9.81]\n"
                 "moment m: [0.3, 0.1, -0.2]*sin(t) on b\n"
                 "force f: [0.5, 1, 0] on b at point(b, [0.2, 0.3, 0])\n"
                 "joint j: %s\n"
                 "start b.attitude ~ rotx(0.2)*roty(0.1), omega(b.attitude) ~ [1, 2, 3], "
                 "b.position ~ [1, 0.5, 1]\n"
                 "let P = %s\n"
                 "let s = %s\n"
                 "let h = b.attitude*(b.inertia*Omega(b.attitude))\n"
                 "observe F = s*reaction(j) - (2*b.position'' - 2*[1, -2, -9.81] - [0.5, 1, 0])\n"
                 "observe C = s*moment(j) + cross(P - b.position, s*reaction(j)) + [0.3, 0.1, "
                 "-0.2]*sin(t)\n"
                 "  + cross(axis(b, [0.2, 0.3, 0]), [0.5, 1, 0]) - h'\n"
                 "run t = 0..2, samples 11\n",
                 kinds[i], second ? "[0, 0, 1]" : "point(b, [0.3, 0, 0.1])", second ? "-1" : "1");
        Motion m = motion_of(text, NULL);
        if (!m.t || m.status != LIA_OK) fail_msg("%s does not run", kinds[i]);
        static const char* const names[] = {"F.x", "F.y", "F.z", "C.x", "C.y", "C.z"};
        for (size_t r = 0; r < lia_trajectory_rows(m.t); r++) {
            for (int n = 0; n < 6; n++) near_as(motion_value(&m, r, names[n]), 0.0, 1e-8, kinds[i]);
        }
        motion_clear(&m);
    }
}

// --- balances

static void a_prescribed_attitude_costs_the_moment_of_eulers_law(void) {
    all_zero(
        "let I = [[0.3, 0.05, 0.02], [0.05, 0.4, 0.03], [0.02, 0.03, 0.5]]\n"
        "body b: mass 2, inertia I, free\n"
        "gravity [0, 0, -9.81]\n"
        "joint h: spherical(ground, b at [0.1, 0.2, 0.5])\n"
        "operator aim: b.attitude = rotz(sin(t))*rotx(0.3*t)*roty(0.5*t^2)\n"
        "let L = b.attitude*I*Omega(b.attitude), arm = point(b, [0.1, 0.2, 0.5]) - b.position\n"
        "observe D = L' - force(aim) - cross(arm, reaction(h))\n"
        "observe F = 2*b.position'' - reaction(h) + [0, 0, 2*9.81]\n"
        "observe P = power(aim) - dot(force(aim), b.omega)\n" RUN,
        "D.x D.y D.z F.x F.y F.z P", 1e-11);
}

static void a_relative_spin_acts_on_both_bodies(void) {
    all_zero("coordinate R, S : rotation\n"
             "let W = Omega(R), V = Omega(S)\n"
             "kinetic 1/2*(W.x^2 + 2*W.y^2 + 2.5*W.z^2) + 1/2*(V.x^2 + 1.5*V.y^2 + 2*V.z^2)\n"
             "potential R[3,3] + dot(R*[1, 0, 0], S*[0, 1, 0])\n"
             "operator spin: omega(R) - omega(S) = [sin(t), 0.5, cos(2*t)]\n"
             "let K = R*diag(1, 2, 2.5)*W, L = S*diag(1, 1.5, 2)*V\n"
             "let turn = cross(R*[1, 0, 0], S*[0, 1, 0])\n"
             "observe C = omega(R) - omega(S) - [sin(t), 0.5, cos(2*t)]\n"
             "observe G = K' - force(spin) + cross(R*[0, 0, 1], [0, 0, 1]) + turn\n"
             "observe H = L' + force(spin) - turn\n"
             "start R = rotx(0.4), S = roty(0.3), omega(S) = [1, 2, 0.5]\n" RUN,
             "C.x C.y C.z G.x G.y G.z H.x H.y H.z", 1e-11);
}

// Hung from a table that moves as prescribed, with a joint said twice: the balance of the whole,
// and what a universal joint cannot carry.
static void what_hangs_from_a_moving_table_balances(void) {
    all_zero(
        "body table: position [sin(t), 0, 0.1*t], attitude rotz(t^2)*rotx(0.2*sin(t))\n"
        "body b: mass 2, inertia [0.3, 0.4, 0.5], free\n"
        "body c: mass 1, inertia [0.2, 0.1, 0.2], free\n"
        "gravity [0, 0, -9.81]\n"
        "joint u: universal(table at [0, 0.2, 0] axis [1, 0, 0], b at [0, 0, 0.5] axis [0, 1, 0])\n"
        "joint p: prismatic(b at [0, 0, -0.5] axis [0, 0, 1], c axis [0, 0, 1])\n"
        "joint q: cylindrical(b at [0, 0, -0.5] axis [0, 0, 1], c axis [0, 0, 1])\n"
        "force spring: -30*(c.position - point(b, [0, 0, -0.6])) on c\n"
        "force back: 30*(c.position - point(b, [0, 0, -0.6])) on b at c.position\n"
        "let B = b.attitude*diag(0.3, 0.4, 0.5)*Omega(b.attitude)\n"
        "let C = c.attitude*diag(0.2, 0.1, 0.2)*Omega(c.attitude)\n"
        "let up = [0, 0, 9.81], P = point(b, [0, 0, 0.5])\n"
        "observe F = 2*b.position'' + c.position'' + 3*up - reaction(u)\n"
        "observe M = B' + C' + 2*cross(b.position, b.position'' + up) + cross(c.position, "
        "c.position'' + up) - moment(u) - cross(P, reaction(u))\n"
        "observe n = dot(moment(u), axis(table, [1, 0, 0])), k = dot(moment(u), axis(b, [0, 1, "
        "0]))\n"
        "observe W = power(u) - dot(reaction(u), velocity(table, P)) - dot(moment(u), "
        "table.omega)\n"
        "start b.position ~ [0, 0, -0.5], c.position ~ [0, 0, -1.2]\n" RUN,
        "F.x F.y F.z M.x M.y M.z n k W", 1e-10);
}

// Free in space, momenta are kept whatever the joints, springs and motors between the bodies do.
static void momenta_of_a_free_group_are_kept(void) {
    Motion m = motion_of(
        "body a: mass 1, inertia [1, 2, 2.5], free\n"
        "body b: mass 2, inertia [[0.5, 0.1, 0], [0.1, 0.6, 0], [0, 0, 0.7]], free\n"
        "coordinate r : space\n"
        "body p: mass 3, position r\n"
        "body wall: position [t, 0, 0]\n"
        "joint j: universal(a at [0, 0, 0.5] axis [1, 0, 0], b at [0, 0.5, 0] axis [0, 1, 0])\n"
        "potential 5*norm(r - a.position)^2\n"
        "operator motor: dot(axis(a, [1, 0, 0]), b.omega - a.omega) = 2*cos(t)\n"
        "observe P = linear_momentum(all), L = angular_momentum([1, 2, 3], all), G = "
        "center_of_mass(a, b, p)\n"
        "observe D = center_of_mass(all)' - linear_momentum(all)/total_mass(all)\n"
        "observe S = angular_momentum(0, all) - angular_momentum(center_of_mass(all), all)\n"
        "  - cross(center_of_mass(all), linear_momentum(all)), M = total_mass(b, p)\n"
        "start omega(a.attitude) = [1, 2, 3], r = [1, 1, 1], r' = [1, 0.5, 0], a.position = "
        "0\n" RUN,
        NULL);
    assert_non_null(m.t);
    static const char* const kept[] = {"P.x", "P.y", "P.z", "L.x", "L.y", "L.z"};
    static const char* const zero[] = {"D.x", "D.y", "D.z", "S.x", "S.y", "S.z"};
    static const char* const path[] = {"G.x", "G.y", "G.z"};
    for (size_t r = 0; r < lia_trajectory_rows(m.t); r++) {
        double t = 3.0 * (double)r / 30.0;
        for (int i = 0; i < 6; i++) {
            near_as(motion_value(&m, r, kept[i]), motion_value(&m, 0, kept[i]), 1e-11, kept[i]);
            near_as(motion_value(&m, r, zero[i]), 0.0, 1e-12, zero[i]);
        }
        for (int i = 0; i < 3; i++) {
            near_as(motion_value(&m, r, path[i]),
                    motion_value(&m, 0, path[i]) + t * motion_value(&m, 0, kept[i]) / 6.0, 1e-11,
                    path[i]);
        }
        near_as(motion_value(&m, r, "M"), 5.0, 0.0, "M");
    }
    assert_true(fabs(motion_value(&m, 0, "L.z")) > 1.0 && fabs(motion_value(&m, 0, "P.x")) > 1.0);
    motion_clear(&m);
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_hinge_carries_what_the_textbook_says),
        TEST(a_turning_shaft_carries_the_couple_of_a_leaning_rod),
        TEST(a_screw_lets_its_load_down_slowly),
        TEST(reactions_of_all_kinds_add_up_to_the_change_of_momentum),
        TEST(a_prescribed_attitude_costs_the_moment_of_eulers_law),
        TEST(a_relative_spin_acts_on_both_bodies),
        TEST(what_hangs_from_a_moving_table_balances),
        TEST(momenta_of_a_free_group_are_kept),
    };
    return TESTS_RUN(tests);
}
