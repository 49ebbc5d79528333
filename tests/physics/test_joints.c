// Joints: systems of free bodies held by joints move as they do in coordinates that need no joints;
// loops close, and start on the branch that is meant.
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

// --- the same system with joints and in coordinates of its own

// A motor in the elbow, between two free bodies: by the turn of the one against the other, by its
// rate, and in angles.
static void a_motor_between_bodies_acts_on_both(void) {
#define ELBOW(motor)                                                                               \
    "parameter l = 1\nbody upper: mass 2, inertia [0.2, 0.2, 0.01], free\n"                        \
    "body lower: mass 2, inertia [0.2, 0.2, 0.01], free\n"                                         \
    "joint shoulder: revolute(ground axis [0, 1, 0], upper at [0, 0, l/2] axis [0, 1, 0])\n"       \
    "joint elbow: revolute(upper at [0, 0, -l/2] axis [0, 1, 0], lower at [0, 0, l/2] axis [0, "   \
    "1, "                                                                                          \
    "0])\ngravity [0, 0, -9.81]\n" motor "start upper.position ~ [0, 0, -l/2], lower.position ~ "  \
    "[0, 0, -1.5*l], upper.attitude = rotz(0)\n"                                                   \
    "observe P = lower.position, W = work(motor)\n" RUN
    static const char angles[] =
        "parameter l = 1\ncoordinate a, b : circle\n"
        "body upper: mass 2, inertia [0.2, 0.2, 0.01], position roty(a)*[0, 0, -l/2], attitude "
        "roty(a)\n"
        "body lower: mass 2, inertia [0.2, 0.2, 0.01], attitude roty(a + b),\n"
        "  position roty(a)*[0, 0, -l] + roty(a + b)*[0, 0, -l/2]\n"
        "gravity [0, 0, -9.81]\noperator motor: b = 0.5*sin(2*t)\nstart a = 0\n"
        "observe P = lower.position, W = work(motor), M = force(motor)\n" RUN;
    same_motion(ELBOW("operator motor: transpose(upper.attitude)*lower.attitude = "
                      "roty(0.5*sin(2*t))\nobserve M = force(motor)[2]\n"),
                angles, "P.x P.z W M", 1e-10);
    same_motion(ELBOW("operator motor: dot(axis(upper, [0, 1, 0]), lower.omega - upper.omega) = "
                      "cos(2*t)\nobserve M = force(motor)\n"),
                angles, "P.x P.z W M", 1e-10);
}

static void a_driven_arm_moves_as_its_two_angles_do(void) {
    same_motion(
        "parameter l = 1, m = 2\n"
        "body upper: mass m, inertia [0.2, 0.2, 0.01], free\n"
        "body lower: mass m, inertia [0.2, 0.2, 0.01], free\n"
        "joint shoulder: revolute(ground at [0, 0, 0] axis [0, 1, 0], upper at [0, 0, l/2] axis "
        "[0, 1, 0])\n"
        "joint elbow: revolute(upper at [0, 0, -l/2] axis [0, 1, 0], lower at [0, 0, l/2] axis [0, "
        "1, 0])\n"
        "gravity [0, 0, -9.81]\n"
        "operator motor: upper.attitude = roty(0.5*sin(2*t))\n"
        "start upper.position = [0, 0, -l/2], lower.attitude = roty(-0.4), omega(lower.attitude) "
        "= [0, 0.7, 0]\n"
        "observe P = lower.position, V = lower.velocity, E = energy, N = power(motor)\n" RUN,
        "parameter l = 1, m = 2\n"
        "coordinate a, b : circle\n"
        "function down(x) = -l/2*[sin(x), 0, cos(x)]\n"
        "body upper: mass m, inertia [0.2, 0.2, 0.01], position down(a), attitude roty(a)\n"
        "body lower: mass m, inertia [0.2, 0.2, 0.01], position 2*down(a) + down(b), attitude "
        "roty(b)\n"
        "gravity [0, 0, -9.81]\n"
        "operator motor: a = 0.5*sin(2*t)\n"
        "start b = -0.4, b' = 0.7\n"
        "observe P = lower.position, V = lower.velocity, E = energy, N = power(motor)\n" RUN,
        "P.x P.y P.z V.x V.y V.z E N", 1e-10);
}

static void a_double_pendulum_in_space_moves_as_in_angles(void) {
    same_motion(
        "body a: mass 1, inertia [0.3, 0.2, 0.1], free\n"
        "body b: mass 2, inertia [0.1, 0.3, 0.25], free\n"
        "gravity [0, 0, -9.81]\n"
        "joint top: universal(ground axis [1, 0, 0], a at [0, 0, 0.5] axis [0, 1, 0])\n"
        "joint mid: spherical(a at [0, 0.1, -0.5], b at [0.2, 0, 0.4])\n"
        "start a.attitude = rotx(0.5)*roty(0.8), Omega(a.attitude) = [1*cos(0.8), 2, 1*sin(0.8)],\n"
        "  b.attitude = rotz(0.3), Omega(b.attitude) = [0.5, -1, 2]\n"
        "observe P = b.position, W = b.omega, E = energy, F = reaction(mid)\n" RUN,
        "coordinate x, y : circle\n"
        "coordinate R : rotation\n"
        "let A = rotx(x)*roty(y)\n"
        "body a: mass 1, inertia [0.3, 0.2, 0.1], position A*[0, 0, -0.5], attitude A\n"
        "let hook = point(a, [0, 0.1, -0.5])\n"
        "body b: mass 2, inertia [0.1, 0.3, 0.25], position hook - R*[0.2, 0, 0.4], attitude R\n"
        "gravity [0, 0, -9.81]\n"
        "start x = 0.5, y = 0.8, x' = 1, y' = 2, R = rotz(0.3), Omega(R) = [0.5, -1, 2]\n"
        "observe P = b.position, W = b.omega, E = energy, F = 2*(b.position'' + [0, 0, "
        "9.81])\n" RUN,
        "P.x P.y P.z W.x W.y W.z E F.x F.y F.z", 1e-10);
}

static void a_four_bar_in_space_moves_as_in_the_plane(void) {
    same_motion(
        "body crank: mass 1, inertia [0.01, 0.1, 0.1], free\n"
        "body rod: mass 2, inertia [0.01, 0.8, 0.8], free\n"
        "body rocker: mass 1.5, inertia [0.01, 0.5, 0.5], free\n"
        "gravity [0, 0, -9.81]\n"
        "joint o1: revolute(ground axis [0, 1, 0], crank at [-0.5, 0, 0] axis [0, 1, 0])\n"
        "joint o2: revolute(crank at [0.5, 0, 0] axis [0, 1, 0], rod at [-1, 0, 0] axis [0, 1, "
        "0])\n"
        "joint o3: revolute(rod at [1, 0, 0] axis [0, 1, 0], rocker at [0.75, 0, 0] axis [0, 1, "
        "0])\n"
        "joint o4: revolute(ground at [2, 0, 0] axis [0, 3, 0], rocker at [-0.75, 0, 0] axis [0, "
        "1, "
        "0])\n"
        "start crank.attitude = roty(-0.8), omega(crank.attitude) = [0, 3, 0],\n"
        "  rod.attitude ~ roty(-0.5), rocker.attitude ~ roty(-1.5), rod.position ~ [1.5, 0, 1.2],\n"
        "  rocker.position ~ [2, 0, 0.7]\n"
        "observe P = rod.position, V = rod.velocity, Fx = reaction(o3).x, Fz = "
        "reaction(o3).z\n" RUN,
        "coordinate a, b, c : circle\n"
        "function dir(x) = [cos(x), 0, -sin(x)]\n"
        "body crank: mass 1, inertia [0.01, 0.1, 0.1], position 0.5*dir(a), attitude roty(a)\n"
        "body rod: mass 2, inertia [0.01, 0.8, 0.8], position dir(a) + dir(b), attitude roty(b)\n"
        "body rocker: mass 1.5, inertia [0.01, 0.5, 0.5], position [2, 0, 0] + 0.75*dir(c), "
        "attitude "
        "roty(c)\n"
        "gravity [0, 0, -9.81]\n"
        "constraint loop: dir(a).x + 2*dir(b).x = 2 + 1.5*dir(c).x, dir(a).z + 2*dir(b).z = "
        "1.5*dir(c).z\n"
        "start a = -0.8, a' = 3, b ~ -0.5, c ~ -1.5\n"
        "observe P = rod.position, V = rod.velocity, Fx = -force(loop)[1], Fz = "
        "-force(loop)[2]\n" RUN,
        "P.x P.y P.z V.x V.y V.z Fx Fz", 1e-10);
}

static void a_gyroscope_in_a_gimbal_moves_as_in_euler_angles(void) {
    same_motion(
        "body outer: mass 1, inertia [0.3, 0.25, 0.2], free\n"
        "body inner: mass 1, inertia [0.1, 0.12, 0.15], free\n"
        "body rotor: mass 2, inertia [0.2, 0.2, 0.35], free\n"
        "gravity [0, 0, -9.81]\n"
        "joint z: revolute(ground axis [0, 0, 1], outer axis [0, 0, 1])\n"
        "joint x: revolute(outer axis [2, 0, 0], inner axis [1, 0, 0])\n"
        "joint s: revolute(inner at [0, 0, 0.1] axis [0, 0, 1], rotor axis [0, 0, 1])\n"
        "start outer.attitude = rotz(0.2), inner.attitude = rotz(0.2)*rotx(1), rotor.attitude = "
        "rotz(0.2)*rotx(1),\n"
        "  omega(outer.attitude) = [0, 0, 0.5], omega(inner.attitude) = [0, 0, 0.5], "
        "Omega(rotor.attitude) = "
        "[0, 0.5*sin(1), 0.5*cos(1) + 20]\n"
        "observe P = rotor.position, n = axis(rotor, [1, 0, 0]), E = energy, C = moment(s)\n" RUN,
        "coordinate a, b, c : circle\n"
        "body outer: mass 1, inertia [0.3, 0.25, 0.2], position 0, attitude rotz(a)\n"
        "body inner: mass 1, inertia [0.1, 0.12, 0.15], position 0, attitude rotz(a)*rotx(b)\n"
        "let R = rotz(a)*rotx(b)*rotz(c)\n"
        "let L = R*diag(0.2, 0.2, 0.35)*Omega(R)\n"
        "body rotor: mass 2, inertia [0.2, 0.2, 0.35], position point(inner, [0, 0, 0.1]), "
        "attitude R\n"
        "gravity [0, 0, -9.81]\n"
        "start a = 0.2, b = 1, a' = 0.5, c' = 20\n"
        "observe P = rotor.position, n = axis(rotor, [1, 0, 0]), E = energy, C = L'\n" RUN,
        "P.x P.y P.z n.x n.y n.z E C.x C.y C.z", 1e-10);
}

static void a_nut_on_a_sliding_screw_moves_as_in_one_line(void) {
    same_motion(
        "body cart: mass 3, inertia [1, 1, 1], free\n"
        "body nut: mass 1, inertia [0.2, 0.2, 0.4], free\n"
        "gravity [0, 0, -9.81]\n"
        "joint rail: prismatic(ground axis [1, 0, 0.5], cart axis [1, 0, 0.5])\n"
        "joint thread: screw(cart at [0, 0, 0.5] axis [0, 0, 1], nut axis [0, 0, 1], pitch 0.7)\n"
        "force spring: -20*cart.position on cart\n"
        "start cart.position = [0.4, 0, 0.2], cart.position.x' = 0, nut.attitude = rotz(1), "
        "omega(nut.attitude) = [0, 0, 30],\n"
        "  nut.position ~ [0.4, 0, 0.8]\n"
        "observe P = cart.position, N = nut.position, E = kinetic\n" RUN,
        "parameter p = 0.7\n"
        "coordinate s : line\n"
        "coordinate a : circle\n"
        "let r = s*unit([1, 0, 0.5])\n"
        "body cart: mass 3, inertia [1, 1, 1], position r, attitude rotz(0)\n"
        "body nut: mass 1, inertia [0.2, 0.2, 0.4], position r + [0, 0, 0.5 + p*a/(2*pi)], "
        "attitude rotz(a)\n"
        "gravity [0, 0, -9.81]\n"
        "force spring: -20*cart.position on cart\n"
        "start s = hypot(0.4, 0.2), a = 1, a' = 30\n"
        "observe P = cart.position, N = nut.position, E = kinetic\n" RUN,
        "P.x P.y P.z N.x N.y N.z E", 1e-10);
}

static void a_plate_on_a_slope_with_a_rod_in_it_moves_as_in_coordinates(void) {
    same_motion(
        "body a: mass 1, inertia [0.3, 0.2, 0.1], free\n"
        "body b: mass 2, inertia [0.1, 0.3, 0.25], free\n"
        "gravity [0, 1, -9.81]\n"
        "joint ice: planar(ground axis [0, 0, 1], a at [0, 0, -0.2] axis [0, 0, 1])\n"
        "joint rod: cylindrical(a at [0.1, 0, 0] axis [1, 0, 0], b at [0, 0, 0.3] axis [1, 0, 0])\n"
        "start a.position = [0, 0, 0.2], a.position.x' = 0.3, a.position.y' = 0, omega(a.attitude) "
        "= [0, 0, 2],\n"
        "  b.attitude = rotx(0.4), Omega(b.attitude) = [1.5, 2*sin(0.4), 2*cos(0.4)],\n"
        "  b.position = [0.6, 0, 0.2] - rotx(0.4)*[0, 0, 0.3], b.position.x' = 0.5 - "
        "2*0.3*sin(0.4)\n"
        "observe P = a.position, Q = b.position, E = kinetic\n" RUN,
        "coordinate x, y, s : line\n"
        "coordinate f, g : circle\n"
        "let A = rotz(f), B = rotz(f)*rotx(g)\n"
        "body a: mass 1, inertia [0.3, 0.2, 0.1], position [x, y, 0.2], attitude A\n"
        "body b: mass 2, inertia [0.1, 0.3, 0.25], position point(a, [0.1 + s, 0, 0]) - B*[0, 0, "
        "0.3], "
        "attitude B\n"
        "gravity [0, 1, -9.81]\n"
        "start g = 0.4, s = 0.5, f' = 2, g' = 1.5, x' = 0.3, y' = 0, s' = 0.2\n"
        "observe P = a.position, Q = b.position, E = kinetic\n" RUN,
        "P.x P.y P.z Q.x Q.y Q.z E", 1e-10);
}

static void a_bead_on_a_turning_hoop_moves_as_its_angle_does(void) {
    same_motion("coordinate r : space\n"
                "body bead: mass 2, position r\n"
                "body hoop: attitude rotz(2*t), position [0.1*t, 0, 0]\n"
                "function ring(x, y, z) = [x^2 + z^2 - 1, y*(2 + x)]\n"
                "joint wire: on_curve(bead, hoop at [0, 0, 0.5] curve ring)\n"
                "gravity [0, 0, -9.81]\n"
                "observe P = r, F = -reaction(wire), E = energy\n"
                "start r = [0.6, 0, 1.3], r.z' = 1\n" RUN,
                "coordinate a : circle\n"
                "let r = [0.1*t, 0, 0.5] + rotz(2*t)*[sin(a), 0, cos(a)]\n"
                "body bead: mass 2, position r\n"
                "gravity [0, 0, -9.81]\n"
                "observe P = r, F = 2*(r'' + [0, 0, 9.81]), E = dot(r', r') + 2*9.81*r.z\n"
                "start a = asin(0.6), a' = -1/0.6\n" RUN,
                "P.x P.y P.z F.x F.y F.z E", 1e-10);
}

// A tip of one free body on a helix of another one: with a parameter of the joint's own, with one
// of the model's, and with the parameter and the attitude as coordinates.
#define HELIX                                                                                      \
    "function helix(s) = [0.5*cos(s), 0.4*sin(s), 0.1*s]\n"                                        \
    "gravity [0, 1, -9.81]\n"                                                                      \
    "body spool: mass 3, inertia [0.3, 0.35, 0.2], free\n"
#define HELIX_START                                                                                \
    "start spool.position = [0, 0, 0.2], spool.attitude = rotx(0.3), spool.velocity = [0.1, 0, "   \
    "2], spool.omega = [0.3, 1, 2]"
#define HELIX_TIP "body tip: mass 1, inertia [0.1, 0.12, 0.06], free\n"

static void a_tip_on_a_helix_moves_as_its_parameter_does(void) {
    const char* own = HELIX HELIX_TIP
        "joint groove: on_curve(tip at [0.1, 0, 0.3], spool at [0, 0, "
        "-0.2] curve helix)\n" HELIX_START ", tip.attitude = roty(0.4), tip.omega = [0, 2, 1],\n"
        "  tip.position ~ [-0.5, 0.1, 0]\n"
        "let u = transpose(spool.attitude)*(point(tip, [0.1, 0, 0.3]) - "
        "point(spool, [0, 0, -0.2]))\n"
        "observe s = 10*u.z, rate = (10*u.z)'\n"
        "observe P = tip.position, W = tip.omega, Q = spool.position, E = energy, "
        "F = reaction(groove)\n" RUN;
    Motion m = motion_of(own, NULL);
    assert_non_null(m.t);
    double s = motion_value(&m, 0, "s"), rate = motion_value(&m, 0, "rate");
    motion_clear(&m);
    assert_true(s > 2.0 && s < 4.0);
    char named[1400], twin[1400], say[200];
    snprintf(say, sizeof say, ", s = %.17g, s' = %.17g\n", s, rate);
    snprintf(named, sizeof named, "%s%s%s%s%s%s%s", HELIX, HELIX_TIP,
             "coordinate s : line\njoint groove: tip(tip at [0.1, 0, 0.3], spool at [0, 0, -0.2] "
             "curve helix(s))\n",
             HELIX_START ", tip.attitude = roty(0.4), tip.omega = [0, 2, 1]", say,
             "observe P = tip.position, W = tip.omega, Q = spool.position, E = energy, F = "
             "reaction(groove)\n",
             RUN);
    same_motion(own, named, "P.x P.y P.z W.x W.y W.z Q.x Q.y Q.z E F.x F.y F.z", 1e-11);
    snprintf(twin, sizeof twin, "%s%s%s%s%s%s", HELIX,
             "coordinate s : line\ncoordinate R : rotation\n"
             "body tip: mass 1, inertia [0.1, 0.12, 0.06], position point(spool, [0, 0, -0.2] + "
             "helix(s)) - R*[0.1, 0, 0.3], attitude R\n",
             HELIX_START ", R = roty(0.4), omega(R) = [0, 2, 1]", say,
             "observe P = tip.position, W = tip.omega, Q = spool.position, E = energy, F = -("
             "tip.position'' - [0, 1, -9.81])\n",
             RUN);
    same_motion(own, twin, "P.x P.y P.z W.x W.y W.z Q.x Q.y Q.z E F.x F.y F.z", 1e-10);
}

static void a_bead_on_a_driven_wire_moves_as_its_parameter_does(void) {
    const char head[] = "function wire(s) = [s, 0, s^2]\n"
                        "body frame: attitude rotz(2*t), position [0, 0, 0.1*sin(3*t)]\n"
                        "gravity [0, 0, -9.81]\n";
    char joined[700], twin[700];
    snprintf(joined, sizeof joined, "%s%s%s", head,
             "coordinate r : space\nbody bead: mass 2, position r\n"
             "joint rod: on_curve(bead, frame curve wire)\n"
             "start r ~ [0.5, 0, 0.25], r' ~ [0, 1, 0]\n"
             "observe P = bead.position, V = bead.velocity, N = power(rod)\n",
             RUN);
    Motion m = motion_of(joined, NULL);
    assert_non_null(m.t);
    double s = motion_value(&m, 0, "P.x"), rate = motion_value(&m, 0, "V.x");
    motion_clear(&m);
    snprintf(twin, sizeof twin, "%s%s%.17g, s' = %.17g\n%s%s", head,
             "coordinate s : line\nbody bead: mass 2, position point(frame, wire(s))\nstart s = ",
             s, rate,
             "observe P = bead.position, V = bead.velocity, N = dot(2*(bead.position'' + [0, 0, "
             "9.81]), velocity(frame, bead.position))\n",
             RUN);
    same_motion(joined, twin, "P.x P.y P.z V.x V.y V.z N", 1e-10);
}

static void a_tip_on_a_plane_moves_as_with_a_coordinate_less(void) {
    same_motion("body top: mass 1, inertia [0.2, 0.3, 0.1], free\n"
                "body floor: attitude rotx(0.2)\n"
                "function flat(x, y, z) = z\n"
                "joint tip: on_surface(top at [0, 0.1, -0.3], floor at [0, 0, 0.1] surface flat)\n"
                "gravity [0, 0, -9.81]\n"
                "observe P = top.position, W = top.omega, N = norm(reaction(tip)), E = energy\n"
                "start top.attitude = rotx(0.2)*roty(0.3), Omega(top.attitude) = [1, 2, 30], "
                "top.position.x = 0, "
                "top.position.y = 0,\n  top.position.x' = 0.1, top.position.y' = 0\n" RUN,
                "coordinate x, y : line\n"
                "coordinate R : rotation\n"
                "body floor: attitude rotx(0.2)\n"
                "let foot = R*[0, 0.1, -0.3]\n"
                "let n = floor.attitude*[0, 0, 1]\n"
                "let z = (0.1 - dot(n, foot) - n.x*x - n.y*y)/n.z\n"
                "body top: mass 1, inertia [0.2, 0.3, 0.1], position [x, y, z], attitude R\n"
                "gravity [0, 0, -9.81]\n"
                "observe P = top.position, W = top.omega, N = norm(top.position'' + [0, 0, 9.81]), "
                "E = energy\n"
                "start R = rotx(0.2)*roty(0.3), Omega(R) = [1, 2, 30], x = 0, y = 0, x' = 0.1, y' "
                "= 0\n" RUN,
                "P.x P.y P.z W.x W.y W.z N E", 1e-10);
}

// --- loops, starts, branches

// Bricard's trihedral loop: cosines of neighbouring hinge angles satisfy c1 + c2 + c1 c2 = 0.
static void bricards_loop_moves_and_closes(void) {
    Motion m = motion_of_file("examples/bricard/bricard.lia", NULL);
    assert_non_null(m.t);
    assert_int_equal(m.status, LIA_OK);
    size_t rows = lia_trajectory_rows(m.t);
    double least = 1.0, most = -1.0;
    for (size_t r = 0; r < rows; r++) {
        near_as(motion_value(&m, r, "closure"), 0.0, 1e-12, "closure");
        near_as(motion_value(&m, r, "energy"), motion_value(&m, 0, "energy"), 1e-11, "energy");
        least = fmin(least, motion_value(&m, r, "c1"));
        most = fmax(most, motion_value(&m, r, "c1"));
    }
    assert_true(most - least > 0.3);
    motion_clear(&m);
}

// Bodies whose coordinates satisfy the joint already: its equations hold identically, its forces
// are zero.
static void a_joint_that_coordinates_satisfy_changes_nothing(void) {
#define CRANK                                                                                      \
    "coordinate a : circle\n"                                                                      \
    "body crank: mass 1, inertia [0.1, 0.2, 0.3], position [sin(a), 0, cos(a)], attitude "         \
    "roty(a)\n"                                                                                    \
    "gravity [0, 0, -9.81]\nstart a = 1\nobserve P = crank.position\n" RUN
    same_motion(CRANK
                "joint j: revolute(ground axis [0, 1, 0], crank at [0, 0, -1] axis [0, 1, 0])\n",
                CRANK, "P.x P.z energy", 1e-11);
    same_motion(
        CRANK "parameter b = 0.3\n"
              "joint j: planar(ground axis [0, cos(b)^2, 0], crank at [0, 0, -1] axis [0, 1, 0])\n",
        CRANK, "P.x P.z energy", 1e-11);
}

// start b.velocity = e is b.position' = e, start b.omega = e is omega(b.attitude) = e.
static void bodies_start_as_their_velocities_say(void) {
#define TUMBLE "body b: mass 1, inertia [1, 2, 2.5], free\ngravity [0, 0, -1]\n" RUN
    same_motion(
        TUMBLE "start b.velocity = [1, 2, 3], b.omega = [0.5, 0, 4], b.attitude = rotx(1)\n",
        TUMBLE
        "start b.position' = [1, 2, 3], omega(b.attitude) = [0.5, 0, 4], b.attitude = rotx(1)\n",
        "b.position.x b.position.y b.position.z b.attitude.w b.attitude.x b.attitude'.y", 0.0);
    Motion m = motion_of(TUMBLE "start b.velocity.y = 7\n", NULL);
    assert_non_null(m.t);
    near_as(motion_value(&m, 30, "b.position.y"), 21.0, 1e-12, "y");
    motion_clear(&m);
}

// Two ways lead to an assembly of this loop, and to two of them: the nearer one is taken (the
// squares of what the bodies are moved by add up to 27.74 in one and 33.46 in the other).
static void a_loop_is_put_together_in_the_nearer_assembly(void) {
    Motion m = motion_of(
        "body b[i = 0..3]: mass 1, inertia [0.2, 0.3, 0.4], free\n"
        "joint j0: revolute(ground at [0.2, 0.18, 0] axis [0, 0.08, 1], b[0] at [0.97, 0, 0] "
        "axis [0, 0, 1])\n"
        "joint j1: revolute(b[0] at [0.98, 0.68, 0] axis [0, -0.09, 1], b[1] at [-0.18, 0, 0] "
        "axis [0, 0, 1])\n"
        "joint j2: revolute(b[1] at [0.05, -0.91, 0] axis [0, -0.78, 1], b[2] at [0.99, 0, 0] "
        "axis [0, 0, 1])\n"
        "joint j3: revolute(b[2] at [-0.74, 0.87, 0] axis [0, 0.36, 1], b[3] at [0.83, 0, 0] "
        "axis [0, 0, 1])\n"
        "joint l: spherical(b[3] at [-0.21, -0.08, 0], ground at [0.83, -0.99, 0.34])\n"
        "start b[0].position ~ [-2.85, -0.44, 0.97], b[1].position ~ [1.92, -0.21, 0.72]\n"
        "start b[2].position ~ [-2.61, -2.16, -0.94]\n"
        "let d[0] = b[0].position - [-2.85, -0.44, 0.97]\n"
        "let d[1] = b[1].position - [1.92, -0.21, 0.72]\n"
        "let d[2] = b[2].position - [-2.61, -2.16, -0.94]\n"
        "let d[3] = b[3].position\n"
        "observe away = sum(i = 0..3, dot(d[i], d[i]))\nrun t = 0..1e-9\n",
        NULL);
    assert_non_null(m.t);
    assert_true(motion_value(&m, 0, "away") < 28.0);
    motion_clear(&m);
}

// Axes that are at right angles, or opposite, where the bodies begin: the branch that is meant is
// found.
static void joints_find_their_branch(void) {
    static const char* const kinds[] = {"revolute", "cylindrical", "planar", "prismatic", "screw"};
    static const char* const axes[] = {"[1, 0, 0]", "[0, -1, -1]", "[0, 1, -1]", "[1, -0.5, 0]"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        for (size_t k = 0; k < sizeof axes / sizeof *axes; k++) {
            bool decided = i < 3;  // the others ask for directions where the axes are opposite
            if (!decided && k == 1) continue;
            char text[900];
            snprintf(
                text, sizeof text,
                "body a: mass 2, inertia [0.3, 0.4, 0.5], free\n"
                "body b: mass 1, inertia [0.2, 0.1, 0.2], free\n"
                "joint j: %s(a at [0.1, 0, 0] axis [0, 1, 1], b at [0, 0.1, 0] axis %s%s)\n"
                "let n = axis(a, unit([0, 1, 1])), p = axis(b, unit(%s))\n"
                "observe d = dot(n, p) - 1, P = (linear_momentum(all))', L = "
                "(angular_momentum([0, 1, 0], all))', E = energy'\n"
                "start a.omega ~ [1, 2, 3], b.omega ~ [3, -1, 2], a.velocity ~ [1, 0, 0]\n" RUN,
                kinds[i], axes[k], i == 4 ? ", pitch 0.3" : "", axes[k]);
            all_zero(text, "d P.x P.y P.z L.x L.y L.z E", 1e-11);
        }
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_motor_between_bodies_acts_on_both),
        TEST(a_driven_arm_moves_as_its_two_angles_do),
        TEST(a_double_pendulum_in_space_moves_as_in_angles),
        TEST(a_four_bar_in_space_moves_as_in_the_plane),
        TEST(a_gyroscope_in_a_gimbal_moves_as_in_euler_angles),
        TEST(a_nut_on_a_sliding_screw_moves_as_in_one_line),
        TEST(a_plate_on_a_slope_with_a_rod_in_it_moves_as_in_coordinates),
        TEST(a_bead_on_a_turning_hoop_moves_as_its_angle_does),
        TEST(a_tip_on_a_helix_moves_as_its_parameter_does),
        TEST(a_bead_on_a_driven_wire_moves_as_its_parameter_does),
        TEST(a_tip_on_a_plane_moves_as_with_a_coordinate_less),
        TEST(bricards_loop_moves_and_closes),
        TEST(bodies_start_as_their_velocities_say),
        TEST(a_loop_is_put_together_in_the_nearer_assembly),
        TEST(joints_find_their_branch),
        TEST(a_joint_that_coordinates_satisfy_changes_nothing),
    };
    return TESTS_RUN(tests);
}
