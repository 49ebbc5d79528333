// Shapes that touch, roll and pivot: against closed forms, and against the same systems written by
// hand with as few coordinates as possible.
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

#define FLOOR   "plane(ground at [0, 0, 0] normal [0, 0, 1])"
#define GRAVITY "gravity [0, 0, -9.81]\n"

// Both models observe these names; their final values agree.
static void same(const char* one, const char* two, const char* const* names, double within) {
    Motion a = run(one), b = run(two);
    for (int i = 0; names[i]; i++) {
        double x = motion_final(&a, names[i]), y = motion_final(&b, names[i]);
        if (!(fabs(x - y) <= within))
            fail_msg("%s is %.17g and %.17g: not within %g", names[i], x, y, within);
    }
    near(motion_final(&a, "balance"), 0.0, 1e-12);
    motion_clear(&a);
    motion_clear(&b);
}

// --- closed forms

// s'' = g sin(beta) / (1 + I/(m r^2)), the normal force m g cos(beta).
static void a_cylinder_rolls_down(void) {
    Motion m = run(
        "parameter m = 2, r = 0.1, beta = 0.4, g = 9.81\n"
        "body c: mass m, inertia m*[r^2, r^2, r^2/2], free\n"
        "gravity [0, 0, -g]\n"
        "joint roll: rolling(cylinder(c, r, 0.5), plane(ground at [0, 0, 0] normal [-sin(beta), "
        "0, cos(beta)]))\n"
        "let down = [-cos(beta), 0, -sin(beta)]\n"
        "observe s = dot(c.position, down)\n"
        "start c.attitude = rotx(pi/2), c.position = r*[-sin(beta), 0, cos(beta)]\n"
        "start c.position' = 0.7*down\n"
        "run t = 0..2\n");
    double g = 9.81, beta = 0.4;
    near(motion_final(&m, "s"), 0.7 * 2.0 + g * sin(beta) / 1.5 * 2.0, 1e-12);
    double friction = 2.0 * g * sin(beta) / 3.0, normal = 2.0 * g * cos(beta);
    near(motion_final(&m, "force(roll)[1]"), friction * cos(beta) - normal * sin(beta), 1e-11);
    near(motion_final(&m, "force(roll)[3]"), friction * sin(beta) + normal * cos(beta), 1e-11);
    motion_clear(&m);
}

// The axis of a cone goes round its tip at a constant rate W; omega = -W cot(alpha) along the line
// it touches.
static void a_cone_rolls_round_its_tip(void) {
    Motion m = run("parameter m = 2, al = 0.5, h = 0.4, W = 1.3, R = h*tan(al)\n"
                   "let A = m*(3/20*R^2 + 3/80*h^2), C = 3/10*m*R^2\n"
                   "body c: mass m, inertia [A, A, C], free\n" GRAVITY
                   "joint roll: rolling(cone(c at [0, 0, -3/4*h], al), " FLOOR ")\n"
                   "start c.attitude = roty(pi/2 - al), c.position = 3/4*h*[cos(al), 0, sin(al)]\n"
                   "start omega(c.attitude) = [-W*cos(al)/sin(al), 0, 0]\n"
                   "run t = 0..10\n");
    double al = 0.5, far = 0.3, W = 1.3;
    near(motion_final(&m, "c.position.x"), far * cos(al) * cos(10.0 * W), 1e-11);
    near(motion_final(&m, "c.position.y"), far * cos(al) * sin(10.0 * W), 1e-11);
    near(motion_final(&m, "c.position.z"), far * sin(al), 1e-13);
    near(motion_final(&m, "c.attitude'.x"), -W / tan(al) * cos(10.0 * W), 1e-10);
    near(motion_final(&m, "c.attitude'.z"), 0.0, 1e-11);
    motion_clear(&m);
}

// Between a plate at rest and one that moves, a ball goes half as fast.
static void a_ball_rolls_between_two_plates(void) {
    Motion m =
        run("parameter r = 0.1\n"
            "body ball: mass 1, inertia 2/5*r^2, free\n"
            "body lid: position [0.3*t^2, -0.2*t, 2*r]\n"
            "joint below: rolling(sphere(ball, r), " FLOOR ")\n"
            "joint above: rolling(sphere(ball, r), plane(lid at [0, 0, 0] normal [0, 0, -1]))\n"
            "observe s = slip(above)\n"
            "start ball.position.x = 0, ball.position.y = 0\n"
            "run t = 0..3\n");
    near(motion_final(&m, "ball.position.x"), 0.15 * 9.0, 1e-12);
    near(motion_final(&m, "ball.position.y"), -0.3, 1e-12);
    near(motion_final(&m, "ball.attitude'.y"), 0.3 * 3.0 / 0.1, 1e-11);
    near(motion_final(&m, "s.x"), 0.0, 1e-13);
    // the two frictions together are m a, a half of that of the lid
    near(motion_final(&m, "force(below)[1]") + motion_final(&m, "force(above)[1]"), 0.3, 1e-12);
    motion_clear(&m);
}

// Two balls alone in space: momentum and angular momentum are kept.
static void a_ball_rolls_on_a_ball_in_space(void) {
    Motion m = run("body a: mass 2, inertia 0.3, free\nbody b: mass 1, inertia 0.1, free\n"
                   "joint roll: rolling(sphere(a, 0.5), sphere(b, 0.3))\n"
                   "observe L = 2*cross(a.position, a.velocity) + 0.3*a.omega + cross(b.position, "
                   "b.velocity) + 0.1*b.omega\n"
                   "observe p = 2*a.velocity + b.velocity\n"
                   "observe apart = norm(a.position - b.position)\n"
                   "start b.position = [0.8, 0, 0], a.position = [0, 0, 0]\n"
                   "start omega(a.attitude) = [1, 2, 3], b.position' = [0, 1, -2]\n"
                   "run t = 0..10, samples 2\n");
    const char* const kept[] = {"L.x", "L.y", "L.z", "p.x", "p.y", "p.z", "energy", NULL};
    for (int i = 0; kept[i]; i++)
        near(motion_final(&m, kept[i]), motion_value(&m, 0, kept[i]), 1e-12);
    near(motion_final(&m, "apart"), 0.8, 1e-14);
    motion_clear(&m);
}

// --- by hand

static const char* const places[] = {"P.x", "P.y", "P.z", NULL};
static const char* const places_and_turns[] = {"P.x", "P.y", "P.z", "w.x", "w.y", "w.z", NULL};

enum { TEXT_MOST = 1400 };
typedef const char* Shapes[2];  // what is put into a text, for each %s of it

static void put(char text[TEXT_MOST], const char* format, const Shapes shapes) {
    int length = snprintf(text, TEXT_MOST, format, shapes[0], shapes[1]);
    assert_true(length > 0 && length < TEXT_MOST);
}

// With any of these shapes the model moves as the one by hand, or as with the first of them if that
// is NULL.
static void same_for_all(const char* by_hand, const char* format, const Shapes* shapes, int count) {
    char first[TEXT_MOST], other[TEXT_MOST];
    put(first, format, shapes[0]);
    if (by_hand) same(first, by_hand, places_and_turns, 1e-10);
    for (int i = 1; i < count; i++) {
        put(other, format, shapes[i]);
        same(by_hand ? other : first, by_hand ? by_hand : other, places_and_turns, 1e-10);
    }
}

static void a_disk_rolls_as_by_hand(void) {
    same("parameter m = 1, r = 1\n"
         "body d: mass m, inertia [1/4, 1/4, 1/2], free\n" GRAVITY
         "joint roll: rolling(disk(d, r), " FLOOR ")\n"
         "observe P = place(roll)\nobserve w = d.omega\n"
         "start d.position = r*[0, -sin(0.2), cos(0.2)], d.attitude = rotx(0.2 - pi/2)\n"
         "start omega(d.attitude) = 3*[0, cos(0.2), sin(0.2)] + [0, 0, 0.3]\n"
         "run t = 0..10, tolerance 1e-14\n",
         "parameter m = 1, r = 1, I = 1/4, J = 1/2, g = 9.81\n"
         "coordinate x, y : line\ncoordinate psi, phi, th : circle\n"
         "let vx = x' + r*cos(phi)*phi'*sin(psi) + r*sin(phi)*psi'*cos(psi)\n"
         "let vy = y' - r*cos(phi)*phi'*cos(psi) + r*sin(phi)*psi'*sin(psi)\n"
         "let vz = -r*sin(phi)*phi'\n"
         "kinetic m/2*(vx^2 + vy^2 + vz^2) + I/2*(phi'^2 + psi'^2*cos(phi)^2) + J/2*(th' + "
         "psi'*sin(phi))^2\n"
         "potential m*g*r*cos(phi)\n"
         "constraint along: x' = r*th'*cos(psi)\nconstraint across: y' = r*th'*sin(psi)\n"
         "observe P = [x, y, 0]\n"
         "observe w = th'*[-cos(phi)*sin(psi), cos(phi)*cos(psi), sin(phi)] + [0, 0, psi'] + "
         "phi'*[cos(psi), sin(psi), 0]\n"
         "start x = 0, y = 0, psi = 0, phi = 0.2, th = 0, x' = 3, psi' = 0.3, phi' = 0, th' = 3\n"
         "run t = 0..10, tolerance 1e-14\n",
         places_and_turns, 1e-10);
}

// An ellipsoid slides on ice: its height is a function of its attitude, and that is all.
static void an_ellipsoid_slides_as_by_hand(void) {
    const char* const names[] = {"P.x", "P.y", "P.z", "w.x", "w.y", "w.z", "N", NULL};
    same("body egg: mass 1.3, inertia [0.1, 0.2, 0.25], free\n" GRAVITY
         "joint ice: touching(ellipsoid(egg, [0.5, 0.4, 0.3]), " FLOOR ")\n"
         "observe P = place(ice)\nobserve w = egg.omega\nobserve N = force(ice)\n"
         "start egg.position.x = 0, egg.position.y = 0, egg.attitude = rotx(0.4)\n"
         "start egg.position' ~ [0.3, 0.1, 0], omega(egg.attitude) = [0.4, 1.3, 2]\n"
         "run t = 0..4, tolerance 1e-14\n",
         "coordinate x, y : line\ncoordinate g : rotation\n"
         "let d = transpose(g)*[0, 0, 1], D = diag(0.25, 0.16, 0.09)*d, h = sqrt(dot(d, D))\n"
         "body egg: mass 1.3, inertia [0.1, 0.2, 0.25], position [x, y, h], attitude g\n" GRAVITY
         "observe P = [x, y, h] - g*D/h\nobserve w = egg.omega\n"
         "observe N = 1.3*(egg.velocity.z' + 9.81)\n"
         "start x' = 0.3, y' = 0.1, g = rotx(0.4), omega(g) = [0.4, 1.3, 2]\n"
         "run t = 0..4, tolerance 1e-14\n",
         names, 1e-10);
}

// A point inside of a hollow sphere is a spherical pendulum; a body without attitude may slide.
static void a_point_in_a_bowl_is_a_pendulum(void) {
    const char* by_hand = "coordinate r : space\nbody bob: mass 2, position r\n" GRAVITY
                          "constraint rod: norm(r) = 0.7\n"
                          "observe P = r\n"
                          "start r = 0.7*[sin(1), 0, -cos(1)], r' = [0, 1.3, 0]\n"
                          "run t = 0..5, tolerance 1e-14\n";
    same("coordinate r : space\nbody bob: mass 2, position r\n" GRAVITY
         "joint bowl: touching(point(bob, 0), inside(sphere(ground, 0.7)))\n"
         "observe P = place(bowl)\n"
         "start r = 0.7*[sin(1), 0, -cos(1)], r' = [0, 1.3, 0]\n"
         "run t = 0..5, tolerance 1e-14\n",
         by_hand, places, 1e-10);
    same("coordinate r : space\nbody bob: mass 2, position r\n" GRAVITY
         "function f(x, y, z) = x^2 + y^2 + z^2 - 0.49\n"
         "joint bowl: touching(point(bob, 0), inside(surface(ground, f)))\n"
         "observe P = r\n"
         "start r = 0.7*[sin(1), 0, -cos(1)], r' = [0, 1.3, 0]\n"
         "run t = 0..5, tolerance 1e-14\n",
         by_hand, places, 1e-10);
}

static void a_ball_in_a_bowl_rolls_as_by_hand(void) {
    const char* start =
        "start ball.position = 0.9*[sin(1), 0, -cos(1)], ball.position' ~ [0, 1, 0]\n"
        "start omega(ball.attitude) ~ [3, 1, 2]\n"
        "run t = 0..5, tolerance 1e-14\n";
    char one[700], two[700];
    snprintf(one, sizeof one,
             "body ball: mass 2, inertia 0.01, free\n" GRAVITY
             "joint bowl: rolling(inside(sphere(ground, 1)), sphere(ball, 0.1))\n"
             "observe P = ball.position\nobserve w = ball.omega\n%s",
             start);
    snprintf(two, sizeof two,
             "body ball: mass 2, inertia 0.01, free\n" GRAVITY
             "constraint bowl: norm(ball.position) = 0.9\n"
             "constraint rolling: velocity(ball, ball.position/0.9) = 0\n"
             "observe P = ball.position\nobserve w = ball.omega\n%s",
             start);
    same(one, two, places_and_turns, 1e-10);
}

// A roller in a pipe: one angle is enough.
static void a_roller_in_a_pipe_rolls_as_by_hand(void) {
    same("body c: mass 2, inertia [0.02, 0.02, 0.015], free\n" GRAVITY
         "joint roll: rolling(cylinder(c, 0.1, 1), inside(cylinder(ground axis [0, 1, 0], 0.5)))\n"
         "observe P = c.position\nobserve w = c.omega\n"
         "start c.position = 0.4*[sin(1), 0, -cos(1)], c.attitude = rotx(pi/2)\n"
         "run t = 0..5, tolerance 1e-14\n",
         "parameter m = 2, l = 0.4, r = 0.1, I = 0.015\ncoordinate th : circle\n"
         "kinetic m/2*l^2*th'^2 + I/2*(l/r*th')^2\npotential -m*9.81*l*cos(th)\n"
         "observe P = l*[sin(th), 0, -cos(th)]\nobserve w = [0, l/r*th', 0]\n"
         "start th = 1\nrun t = 0..5, tolerance 1e-14\n",
         places_and_turns, 1e-10);
}

// Without pivoting, the plate's turn about the normal goes over to the ball.
static void pure_rolling_takes_the_pivoting_away(void) {
    const char* common =
        "parameter m = 1.7, a = 0.3\ncoordinate phi : circle\nbody plate: attitude rotz(phi)\n"
        "body ball: mass m, inertia 2/5*m*a^2, free\n" GRAVITY
        "operator drive: phi' = 2 + 1.5*sin(0.7*t)\n"
        "observe P = ball.position\nobserve w = ball.omega\n"
        "start ball.position = [1, 0.5, a], ball.position'.x = 0.2, ball.position'.y = -0.3\n"
        "run t = 0..5, tolerance 1e-14\n";
    char one[900], two[900];
    snprintf(one, sizeof one,
             "joint roll: pure_rolling(sphere(ball, a), plane(plate at [0, 0, 0] normal [0, 0, "
             "1]))\nobserve turn = pivot(roll)\n%s",
             common);
    snprintf(two, sizeof two,
             "let Q = ball.position - [0, 0, a]\n"
             "constraint roll: velocity(ball, Q) = velocity(plate, Q), ball.omega.z = phi'\n"
             "observe turn = 0\n%s",
             common);
    same(one, two, places_and_turns, 1e-10);
    Motion m = run(one);
    near(motion_final(&m, "turn"), 0.0, 1e-13);
    motion_clear(&m);
}

// A body that pivots turns about the normal where it touches: a pendulum on a slope.
static void pivoting_is_a_hinge_along_the_normal(void) {
    const char* const names[] = {"P.x", "P.y", "P.z", "w.x", "w.z", NULL};
    same("parameter b = 0.6\nbody s: mass 2, inertia [0.1, 0.2, 0.25], free\n" GRAVITY
         "joint roll: pivoting(sphere(s at [0.2, 0, 0], 0.5), plane(ground at [0, 0, 0] normal "
         "[sin(b), 0, cos(b)]))\n"
         "observe P = s.position\nobserve w = s.omega\n"
         "start s.attitude = roty(b)*rotz(2), s.position = 0.5*[sin(b), 0, cos(b)] - "
         "roty(b)*rotz(2)*[0.2, 0, 0]\n"
         "run t = 0..5, tolerance 1e-14\n",
         "parameter b = 0.6\ncoordinate th : circle\n"
         "body s: mass 2, inertia [0.1, 0.2, 0.25], attitude roty(b)*rotz(th), position "
         "0.5*[sin(b), 0, cos(b)] - roty(b)*rotz(th)*[0.2, 0, 0]\n" GRAVITY
         "observe P = s.position\nobserve w = s.omega\n"
         "start th = 2\nrun t = 0..5, tolerance 1e-14\n",
         names, 1e-10);
}

// A support function and an equation say the same ellipsoid.
static void a_support_function_is_a_shape(void) {
    const char* text = "function h(x, y, z) = sqrt(0.25*x^2 + 0.16*y^2 + 0.09*z^2)\n"
                       "body egg: mass 1.3, inertia [0.1, 0.2, 0.25], free\n" GRAVITY
                       "joint roll: rolling(%s, " FLOOR ")\n"
                       "observe P = place(roll)\nobserve w = egg.omega\n"
                       "start egg.position.x = 0, egg.position.y = 0, egg.attitude = rotx(0.4)\n"
                       "start omega(egg.attitude) = [0.4, 1.3, 2]\n"
                       "run t = 0..4, tolerance 1e-14\n";
    const Shapes shapes[] = {
        {"ellipsoid(egg, [0.5, 0.4, 0.3])"},
        {"support(egg, h)"},
        // turned about: the axes in another order
        {"ellipsoid(egg attitude rotz(pi/2), [0.4, 0.5, 0.3])"},
    };
    same_for_all(NULL, text, shapes, 3);
}

// --- contacts without a closed form

// A ball in a bowl z = rho^2/2: by hand with the place where it touches as coordinates.
static void a_ball_in_a_paraboloid_rolls_as_by_hand(void) {
    const char* by_hand =
        "parameter a = 0.2\ncoordinate x, y : line\ncoordinate g : rotation\n"
        "let u = [x, y, (x^2 + y^2)/2], n = unit([-x, -y, 1])\n"
        "body ball: mass 1.4, inertia 0.03, position u + a*n, attitude g\n" GRAVITY
        "constraint rolling: velocity(ball, u) = 0\n"
        "observe P = u\nobserve w = ball.omega\n"
        "start x = 0.8, y = 0, g = rotz(0), omega(g) = [-4, 1, 3]\n"
        "run t = 0..3, tolerance 1e-14\n";
    const char* text = "parameter a = 0.2\n"
                       "function up(x, y, z) = z - (x^2 + y^2)/2\n"
                       "function down(x, y, z) = (x^2 + y^2)/2 - z\n"
                       "body ball: mass 1.4, inertia 0.03, free\n" GRAVITY
                       "joint bowl: rolling(sphere(ball, a), %s)\n"
                       "observe P = place(bowl)\nobserve w = ball.omega\n"
                       "start ball.position = [0.8, 0, 0.32] + a*unit([-0.8, 0, 1])\n"
                       "start ball.attitude = rotz(0), omega(ball.attitude) = [-4, 1, 3]\n"
                       "run t = 0..3, tolerance 1e-14\n";
    const Shapes shapes[] = {{"surface(ground, up)"}, {"inside(surface(ground, down))"}};
    same_for_all(by_hand, text, shapes, 2);
}

// On an ellipsoid, by hand with its normal as the coordinate.
static void a_ball_on_an_ellipsoid_rolls_as_by_hand(void) {
    const char* by_hand =
        "parameter r = 0.3\ncoordinate n : sphere\ncoordinate g : rotation\n"
        "let D = diag(1, 0.64, 0.36)*n, u = D/sqrt(dot(n, D))\n"
        "body ball: mass 1.4, inertia 0.03, position u + r*n, attitude g\n" GRAVITY
        "constraint rolling: velocity(ball, u) = 0\n"
        "observe P = u\nobserve w = ball.omega\n"
        "start n = unit([0.1, 0.2, 1]), g = rotz(0), omega(g) = [1, -0.4, 3]\n"
        "run t = 0..0.8, tolerance 1e-14\n";
    const char* text = "parameter r = 0.3\nlet n = unit([0.1, 0.2, 1]), D = diag(1, 0.64, 0.36)*n\n"
                       "function f(x, y, z) = x^2 + y^2/0.64 + z^2/0.36 - 1\n"
                       "body ball: mass 1.4, inertia 0.03, free\n" GRAVITY
                       "joint roll: rolling(sphere(ball, r), %s)\n"
                       "observe P = place(roll)\nobserve w = ball.omega\n"
                       "start ball.position = D/sqrt(dot(n, D)) + r*n\n"
                       "start ball.attitude = rotz(0), omega(ball.attitude) = [1, -0.4, 3]\n"
                       "run t = 0..0.8, tolerance 1e-14\n";
    const Shapes shapes[] = {{"ellipsoid(ground, [1, 0.8, 0.6])"}, {"surface(ground, f)"}};
    same_for_all(by_hand, text, shapes, 2);
}

// Two equal answers for one pair of bodies in space, whose momenta are kept.
static void ellipsoids_roll_on_each_other(void) {
    const char* text =
        "function f(x, y, z) = x^2/0.25 + y^2/0.16 + z^2/0.09 - 1\n"
        "function h(x, y, z) = sqrt(0.16*x^2 + 0.09*y^2 + 0.04*z^2)\n"
        "function k(x, y, z) = x^2/0.16 + y^2/0.09 + z^2/0.04 - 1\n"
        "body a: mass 2, inertia [0.1, 0.14, 0.16], free\n"
        "body b: mass 1, inertia [0.03, 0.04, 0.05], free\n"
        "joint roll: rolling(%s, %s)\n"
        "observe P = place(roll)\nobserve w = a.omega\n"
        "observe p = 2*a.velocity + b.velocity\n"
        "observe L = 2*cross(a.position, a.velocity) + a.attitude*[0.1*Omega(a.attitude).x, "
        "0.14*Omega(a.attitude).y, 0.16*Omega(a.attitude).z] + cross(b.position, b.velocity) + "
        "b.attitude*[0.03*Omega(b.attitude).x, 0.04*Omega(b.attitude).y, "
        "0.05*Omega(b.attitude).z]\n"
        "observe apart = dot(slip(roll), slip(roll))\n"
        "start a.position = [0, 0, 0], a.attitude = rotx(0.3), b.attitude = roty(0.4)*rotz(1)\n"
        "start b.position ~ [0.2, 0.3, 0.7], omega(a.attitude) = [1, 2, -1]\n"
        "run t = 0..3, tolerance 1e-14, samples 2\n";
    const Shapes shapes[] = {
        {"ellipsoid(a, [0.5, 0.4, 0.3])", "ellipsoid(b, [0.4, 0.3, 0.2])"},
        {"ellipsoid(a, [0.5, 0.4, 0.3])", "support(b, h)"},
        {"surface(a, f)", "ellipsoid(b, [0.4, 0.3, 0.2])"},
        {"surface(a, f)", "surface(b, k)"},
    };
    same_for_all(NULL, text, shapes, 4);
    char one[TEXT_MOST];
    put(one, text, shapes[0]);
    Motion m = run(one);
    const char* const kept[] = {"L.x", "L.y", "L.z", "p.x", "p.y", "p.z", "energy", NULL};
    for (int i = 0; kept[i]; i++)
        near(motion_final(&m, kept[i]), motion_value(&m, 0, kept[i]), 1e-12);
    near(motion_final(&m, "apart"), 0.0, 1e-24);
    motion_clear(&m);
}

// Balls that are written as ellipsoids are balls.
static void round_ellipsoids_are_spheres(void) {
    const char* text = "body a: mass 2, inertia 0.3, free\nbody b: mass 1, inertia 0.1, free\n"
                       "joint roll: rolling(%s, %s)\n"
                       "observe P = place(roll)\nobserve w = a.omega\n"
                       "start b.position = [0.8, 0, 0], a.position = [0, 0, 0]\n"
                       "start omega(a.attitude) = [1, 2, 3], omega(b.attitude) = [0, 1, 1]\n"
                       "start b.position' = 0\n"
                       "run t = 0..5, tolerance 1e-14\n";
    const Shapes shapes[] = {
        {"sphere(a, 0.5)", "sphere(b, 0.3)"},
        {"ellipsoid(a, [0.5, 0.5, 0.5])", "ellipsoid(b, [0.3, 0.3, 0.3])"},
        {"ellipsoid(a, [0.5, 0.5, 0.5])", "sphere(b, 0.3)"},
    };
    same_for_all(NULL, text, shapes, 3);
}

// An ellipsoid in a hollow sphere, which is also an ellipsoid and a surface.
static void an_ellipsoid_rolls_inside(void) {
    const char* text = "function f(x, y, z) = x^2 + y^2 + z^2 - 1\n"
                       "body egg: mass 1.3, inertia [0.1, 0.2, 0.25], free\n" GRAVITY
                       "joint roll: rolling(ellipsoid(egg, [0.5, 0.4, 0.3]), inside(%s))\n"
                       "observe P = place(roll)\nobserve w = egg.omega\n"
                       "observe far = dot(place(roll), place(roll))\n"
                       "start egg.position ~ [0.1, 0.2, -0.6], egg.attitude = rotx(0.4)\n"
                       "start omega(egg.attitude) = [0.4, 1.3, 2]\n"
                       "run t = 0..3, tolerance 1e-14\n";
    const Shapes shapes[] = {
        {"sphere(ground, 1)"}, {"ellipsoid(ground, [1, 1, 1])"}, {"surface(ground, f)"}};
    same_for_all(NULL, text, shapes, 3);
    char one[TEXT_MOST];
    put(one, text, shapes[0]);
    Motion m = run(one);
    near(motion_final(&m, "far"), 1.0, 1e-13);
    motion_clear(&m);
}

// On a plane an equation says the same as the ellipsoid, and a plane that is bent nowhere the same
// as a plane.
static void a_surface_rolls_on_a_plane(void) {
    const char* text = "function f(x, y, z) = x^2/0.25 + y^2/0.16 + z^2/0.09 - 1\n"
                       "function flat(x, y, z) = z\n"
                       "body egg: mass 1.3, inertia [0.1, 0.2, 0.25], free\n" GRAVITY
                       "joint roll: rolling(%s, %s)\n"
                       "observe P = place(roll)\nobserve w = egg.omega\n"
                       "start egg.position.x = 0, egg.position.y = 0, egg.attitude = rotx(0.4)\n"
                       "start omega(egg.attitude) = [0.4, 1.3, 2]\n"
                       "run t = 0..4, tolerance 1e-14\n";
    const Shapes shapes[] = {
        {"ellipsoid(egg, [0.5, 0.4, 0.3])", FLOOR},
        {"surface(egg, f)", FLOOR},
        {"ellipsoid(egg, [0.5, 0.4, 0.3])", "surface(ground, flat)"},
    };
    same_for_all(NULL, text, shapes, 3);
}

// A disk on a round hill; a surface that is a cylinder; a smooth contact of curved bodies. Energy
// is kept in each.
static void disks_and_pairs_of_surfaces_keep_the_energy(void) {
    const char* const texts[] = {
        "body d: mass 1, inertia [1/4, 1/4, 1/2], free\n" GRAVITY
        "joint roll: rolling(disk(d, 0.3), sphere(ground, 2))\n"
        "start d.position ~ [0, 0, 2.3], d.attitude = rotx(pi/2), omega(d.attitude) = [0, 3, 0.2]\n"
        "observe away = dot(place(roll), place(roll)) - 4\nrun t = 0..1\n",
        "function f(x, y, z) = y^2 + z^2 - 0.04\n"
        "body c: mass 1, inertia [0.02, 0.1, 0.1], free\n" GRAVITY
        "joint roll: rolling(surface(c, f), cylinder(ground axis [0.3, 1, 0], 0.5))\n"
        "start c.position ~ [0, 0, 0.8], omega(c.attitude) = [0, 1, 0.2]\n"
        "observe away = dot(slip(roll), slip(roll))\nrun t = 0..0.5\n",
        "body egg: mass 1.3, inertia [0.1, 0.2, 0.25], free\n" GRAVITY
        "joint slide: touching(ellipsoid(egg, [0.5, 0.4, 0.3]), inside(ellipsoid(ground, [2, 1.5, "
        "1])))\n"
        "start egg.position ~ [0.1, 0.2, -0.6], omega(egg.attitude) = [0.4, 1.3, 2]\n"
        "observe away = place(slide).x^2/4 + place(slide).y^2/2.25 + place(slide).z^2 - 1\n"
        "run t = 0..2\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Motion m = run(texts[i]);
        near(motion_final(&m, "away"), 0.0, 1e-12);
        near(motion_final(&m, "balance"), 0.0, 1e-12);
        near(motion_final(&m, "energy"), motion_value(&m, 0, "energy"), 1e-10);
        motion_clear(&m);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_cylinder_rolls_down),
        TEST(a_cone_rolls_round_its_tip),
        TEST(a_ball_rolls_between_two_plates),
        TEST(a_ball_rolls_on_a_ball_in_space),
        TEST(a_disk_rolls_as_by_hand),
        TEST(an_ellipsoid_slides_as_by_hand),
        TEST(a_point_in_a_bowl_is_a_pendulum),
        TEST(a_ball_in_a_bowl_rolls_as_by_hand),
        TEST(a_roller_in_a_pipe_rolls_as_by_hand),
        TEST(pure_rolling_takes_the_pivoting_away),
        TEST(pivoting_is_a_hinge_along_the_normal),
        TEST(a_support_function_is_a_shape),
        TEST(a_ball_in_a_paraboloid_rolls_as_by_hand),
        TEST(a_ball_on_an_ellipsoid_rolls_as_by_hand),
        TEST(ellipsoids_roll_on_each_other),
        TEST(round_ellipsoids_are_spheres),
        TEST(an_ellipsoid_rolls_inside),
        TEST(a_surface_rolls_on_a_plane),
        TEST(disks_and_pairs_of_surfaces_keep_the_energy),
    };
    return TESTS_RUN(tests);
}
