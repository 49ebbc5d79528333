// Laws of rotations and bodies: no attitude is singular, what must be kept is kept, and the same
// system written in other ways moves in the same way.
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

// R R^T - 1 of the matrix whose entries are observed as A[i,j].
static double defect(const Motion* m, size_t row) {
    double A[3][3], worst = 0.0;
    for (int i = 0; i < 9; i++) {
        char name[32];
        snprintf(name, sizeof name, "A[%d,%d]", i / 3 + 1, i % 3 + 1);
        A[i / 3][i % 3] = motion_value(m, row, name);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double sum = i == j ? -1.0 : 0.0;
            for (int k = 0; k < 3; k++) sum += A[i][k] * A[j][k];
            worst = fmax(worst, fabs(sum));
        }
    }
    return worst;
}

#if defined(__SANITIZE_ADDRESS__)
enum { REVOLUTIONS = 3000 };
#else
enum { REVOLUTIONS = 100000 };
#endif

// 1000 rad/s, 10^5 revolutions: the attitude stays orthogonal to 1e-14, the energy what it was to
// 1e-11, whatever the body and with no more than the usual tolerance.
static void a_fast_body_stays_rigid(void) {
    const struct {
        const char *inertia, *rate, *tolerance;
        int part;  // of the revolutions
    } bodies[] = {
        {"[1, 1.2, 1.9]", "[30, 20, 1000]", "1e-14", 1},
        {"[1, 1.2, 1.9]", "[30, 20, 1000]", "1e-12", 3},
        {"[1, 1, 2]", "[300, 20, 900]", "1e-12", 3},  // a top: roundings that agree would add up
        {"[1, 2, 3]", "[1, 2, 1000]", "1e-12", 3},    // attitudes that come again would, too
    };
    for (size_t k = 0; k < sizeof bodies / sizeof bodies[0]; k++) {
        char text[400];
        int revolutions = REVOLUTIONS / bodies[k].part;
        snprintf(text, sizeof text,
                 "body b: mass 1, inertia %s, free\nobserve A = b.attitude\n"
                 "start Omega(b.attitude) = %s\nrun t = 0..%.9f, tolerance %s, samples 101\n",
                 bodies[k].inertia, bodies[k].rate, revolutions * 6.283185307e-3,
                 bodies[k].tolerance);
        Motion m = motion_of(text, NULL);
        assert_non_null(m.t);
        double first = motion_value(&m, 0, "energy"), most = 1e-11 / bodies[k].part;
        for (size_t r = 0; r < lia_trajectory_rows(m.t); r++) {
            near(defect(&m, r), 0.0, 1e-14);
            near(motion_value(&m, r, "energy") / first, 1.0, most);
        }
        motion_clear(&m);
    }
}

// Turned about its middle axis a body flips over and over (Landau and Lifshitz, section 37): with
// h^2 > 2 T I2 the rate about it is a sine amplitude of period 4 K(k)/s.
static void a_tennis_racket_flips_in_the_known_time(void) {
    const double I[3] = {1.0, 2.0, 3.0}, W[3] = {0.01, 2.0, 0.02};
    double twice = 0.0, square = 0.0;
    for (int i = 0; i < 3; i++) {
        twice += I[i] * W[i] * W[i];
        square += I[i] * I[i] * W[i] * W[i];
    }
    double s = sqrt((I[2] - I[1]) * (square - twice * I[0]) / (I[0] * I[1] * I[2]));
    double modulus =
        (I[1] - I[0]) * (twice * I[2] - square) / ((I[2] - I[1]) * (square - twice * I[0]));
    assert_true(square > twice * I[1] && modulus < 1.0);
    double a = 1.0, g = sqrt(1.0 - modulus);
    for (int i = 0; i < 30; i++) {
        double mean = (a + g) / 2.0;
        g = sqrt(a * g);
        a = mean;
    }
    double K = 3.14159265358979323846 / (2.0 * a);
    char text[512];
    snprintf(text, sizeof text,
             "parameter T = %.17g\n"
             "body racket: mass 1, inertia [1, 2, 3], free\n"
             "observe W = Omega(racket.attitude), h = p(racket.attitude)\n"
             "start Omega(racket.attitude) = [0.01, 2, 0.02]\n"
             "run t = 0..T/2, tolerance 1e-15, samples 21\n",
             4.0 * K / s);
    Motion m = motion_of(text, NULL);
    assert_non_null(m.t);
    // half a period later the middle rate is reversed, and one of the others with it
    near(motion_final(&m, "W.y"), -2.0, 1e-11);
    near(motion_final(&m, "W.z"), 0.02, 1e-9);
    near(motion_final(&m, "W.x"), -0.01, 1e-9);
    for (size_t r = 0; r < lia_trajectory_rows(m.t); r++) {  // kept in space axes
        near(motion_value(&m, r, "h.x"), 0.01, 1e-12);
        near(motion_value(&m, r, "h.y"), 4.0, 1e-12);
        near(motion_value(&m, r, "h.z"), 0.06, 1e-12);
    }
    motion_clear(&m);
}

// R = rotz(psi) rotx(theta) rotz(phi): the top in Euler angles, and as a rotation.
static void a_top_moves_the_same_in_euler_angles(void) {
    Motion angles =
        motion_of("coordinate psi, theta, phi : circle\n"
                  "let A = rotz(psi)*rotx(theta)*rotz(phi)\n"
                  "let W = Omega(A)\n"
                  "kinetic 1/2*(1.3*W.x^2 + 1.1*W.y^2 + 0.6*W.z^2)\n"
                  "potential 2*cos(theta) + 0.1*A[3,1]\n"
                  "observe A11 = A[1,1], A23 = A[2,3], A31 = A[3,1], w = omega(A)\n"
                  "start psi = 0.3, theta = 0.8, phi = -0.4, psi' = 0.5, theta' = 0.2, phi' = 3\n"
                  "run t = 0..10, tolerance 1e-15\n",
                  NULL);
    Motion turned = motion_of("coordinate A : rotation\n"
                              "let W = Omega(A)\n"
                              "kinetic 1/2*(1.3*W.x^2 + 1.1*W.y^2 + 0.6*W.z^2)\n"
                              "potential 2*A[3,3] + 0.1*A[3,1]\n"
                              "observe A11 = A[1,1], A23 = A[2,3], A31 = A[3,1], w = omega(A)\n"
                              "observe angles = euler(A, \"zxz\")\n"
                              "start A = rotz(0.3)*rotx(0.8)*rotz(-0.4)\n"
                              "start omega(A) = 0.5*[0, 0, 1] + 0.2*(rotz(0.3)*[1, 0, 0])\n"
                              "  + 3*(rotz(0.3)*rotx(0.8)*[0, 0, 1])\n"
                              "run t = 0..10, tolerance 1e-15\n",
                              NULL);
    assert_non_null(angles.t);
    assert_non_null(turned.t);
    const char* names[] = {"A11", "A23", "A31", "w.x", "w.y", "w.z", "energy"};
    for (int i = 0; i < 7; i++) {
        near(motion_final(&turned, names[i]), motion_final(&angles, names[i]), 1e-10);
    }
    near(motion_final(&turned, "angles.y"), motion_final(&angles, "theta"), 1e-10);
    motion_clear(&angles);
    motion_clear(&turned);
}

// A compound pendulum in the plane, and as a free body in space that is held at a point.
static void a_pendulum_is_a_free_body_held_at_a_point(void) {
    Motion plane = motion_of("coordinate a : circle\n"
                             "kinetic 1/2*(0.3 + 2*0.5^2)*a'^2\n"
                             "potential -2*9.81*0.5*cos(a)\n"
                             "start a = 1, a' = 0.5\n"
                             "run t = 0..5, tolerance 1e-15\n",
                             NULL);
    Motion space = motion_of("body b: mass 2, inertia [0.3, 0.2, 0.4], free\n"
                             "gravity [0, 0, -9.81]\n"
                             "constraint held: point(b, [0, 0, 0.5]) = 0\n"
                             "observe a = atan2(-axis(b, [0, 0, 1]).y, axis(b, [0, 0, 1]).z)\n"
                             "start b.attitude = rotx(1), omega(b.attitude) = [0.5, 0, 0]\n"
                             "run t = 0..5, tolerance 1e-15\n",
                             NULL);
    assert_non_null(plane.t);
    assert_non_null(space.t);
    near(motion_final(&space, "a"), motion_final(&plane, "a"), 1e-10);
    near(motion_final(&space, "b.attitude'.x"), motion_final(&plane, "a'"), 1e-10);
    near(motion_final(&space, "b.position.z"), -0.5 * cos(motion_final(&plane, "a")), 1e-10);
    motion_clear(&plane);
    motion_clear(&space);
}

// A spherical pendulum on a sphere, and in angles.
static void a_unit_vector_is_a_direction(void) {
    Motion sphere = motion_of("coordinate u : sphere\n"
                              "kinetic 1/2*dot(u', u')\n"
                              "potential 9.81*u.z\n"
                              "symmetry turn: u' = cross([0, 0, 1], u)\n"
                              "observe Lz = momentum(turn)\n"
                              "start u = [sin(1), 0, -cos(1)], u' = [0, 0.7, 0]\n"
                              "run t = 0..10, tolerance 1e-15\n",
                              NULL);
    Motion angles = motion_of("coordinate a, b : circle\n"
                              "kinetic 1/2*(a'^2 + sin(a)^2*b'^2)\n"
                              "potential -9.81*cos(a)\n"
                              "observe x = sin(a)*cos(b), y = sin(a)*sin(b), z = -cos(a)\n"
                              "start a = 1, b' = 0.7/sin(1)\n"
                              "run t = 0..10, tolerance 1e-15\n",
                              NULL);
    assert_non_null(sphere.t);
    assert_non_null(angles.t);
    near(motion_final(&sphere, "u.x"), motion_final(&angles, "x"), 1e-10);
    near(motion_final(&sphere, "u.y"), motion_final(&angles, "y"), 1e-10);
    near(motion_final(&sphere, "u.z"), motion_final(&angles, "z"), 1e-10);
    near(motion_final(&sphere, "Lz"), 0.7 * sin(1.0), 1e-12);
    motion_clear(&sphere);
    motion_clear(&angles);
}

// An operator prescribes an attitude: his three moments are those of Euler's equations,
// h' with h = R I R^T omega, and his work is the energy gained.
static void an_operator_aims_a_body(void) {
    Motion m = motion_of("body b: mass 1, inertia [1, 2, 2.5], free\n"
                         "let A = rotz(0.4*t^2)*rotx(0.3*sin(t))\n"
                         "let h = A*(diag(1, 2, 2.5)*Omega(A))\n"
                         "operator aim: b.attitude = A\n"
                         "observe moment = h', gain = 1/2*dot(omega(A), h)\n"
                         "observe miss = b.attitude - A\n"
                         "start b.attitude = rotz(0)\n"
                         "run t = 0..4, tolerance 1e-14\n",
                         NULL);
    assert_non_null(m.t);
    near(motion_final(&m, "force(aim)[1]"), motion_final(&m, "moment.x"), 1e-9);
    near(motion_final(&m, "force(aim)[2]"), motion_final(&m, "moment.y"), 1e-9);
    near(motion_final(&m, "force(aim)[3]"), motion_final(&m, "moment.z"), 1e-9);
    near(motion_final(&m, "work(aim)"), motion_final(&m, "gain") - 1.0 / 2.0 * 0.3 * 0.3, 1e-10);
    near(motion_final(&m, "miss[1,2]"), 0.0, 1e-12);
    near(motion_final(&m, "miss[2,3]"), 0.0, 1e-12);
    motion_clear(&m);
}

// omega(R) = e as an operator: a turn at a constant rate.
static void an_operator_spins_a_body(void) {
    Motion m = motion_of("coordinate R : rotation\n"
                         "kinetic dot(omega(R), omega(R))/2\n"
                         "operator spin: omega(R) = [0, 0, 2]\n"
                         "observe A = R - rotz(2*t)*rotx(0.5)\n"
                         "start R = rotx(0.5)\n"
                         "run t = 0..3, tolerance 1e-14\n",
                         NULL);
    assert_non_null(m.t);
    near(motion_final(&m, "A[1,1]"), 0.0, 1e-12);
    near(motion_final(&m, "A[2,3]"), 0.0, 1e-12);
    near(motion_final(&m, "force(spin)[3]"), 0.0, 1e-11);
    motion_clear(&m);
}

// A constant moment turns a ball by M t^2/2 I; a force beside the centre pushes and turns.
static void forces_and_moments_act_on_bodies(void) {
    Motion m = motion_of("body b: mass 2, inertia 0.5, free\n"
                         "force push: [3, 0, 0] on b at b.position + [0, 0.2, 0]\n"
                         "force twist: moment [0, 0, 0.7] on b\n"
                         "moment more: [0, 0.1, 0] on b\n"
                         "observe A = b.attitude\n"
                         "run t = 0..1, tolerance 1e-14\n",
                         NULL);
    assert_non_null(m.t);
    near(motion_final(&m, "b.position.x"), 3.0 / 2.0 / 2.0, 1e-12);
    near(motion_final(&m, "b.attitude'.z"), (0.7 - 0.6) / 0.5, 1e-12);
    near(motion_final(&m, "b.attitude'.y"), 0.2, 1e-12);
    near(motion_final(&m, "energy"),
         motion_final(&m, "work(push)") + motion_final(&m, "work(twist)") +
             motion_final(&m, "work(more)"),
         1e-12);
    near(motion_final(&m, "b.attitude.w"), cos(sqrt(0.1 * 0.1 + 0.1 * 0.1) / 2.0), 1e-12);
    motion_clear(&m);
}

// Two bodies held together by R1 = R2 and a common point turn as one.
static void two_bodies_as_one(void) {
    Motion one = motion_of("body b: mass 3, inertia [1, 2, 2.5], free\n"
                           "start Omega(b.attitude) = [1, 0.5, 2]\n"
                           "run t = 0..4, tolerance 1e-14\n",
                           NULL);
    Motion two = motion_of("body b: mass 1, inertia [0.4, 0.9, 1], free\n"
                           "body c: mass 2, inertia [0.6, 1.1, 1.5], free\n"
                           "constraint glue: b.attitude = c.attitude, b.position = c.position\n"
                           "start Omega(b.attitude) = [1, 0.5, 2]\n"
                           "start b.attitude = rotz(0), c.attitude = rotz(0)\n"
                           "run t = 0..4, tolerance 1e-14\n",
                           NULL);
    assert_non_null(one.t);
    assert_non_null(two.t);
    const char* names[] = {"b.attitude.w", "b.attitude.x", "b.attitude.y", "b.attitude.z",
                           "energy"};
    for (int i = 0; i < 5; i++) {
        near(motion_final(&two, names[i]), motion_final(&one, names[i]), 1e-10);
    }
    near(motion_final(&two, "c.attitude.x"), motion_final(&one, "b.attitude.x"), 1e-10);
    motion_clear(&one);
    motion_clear(&two);
}

// What is carried along with products, transposes and quaternions is the angular velocity of the
// matrix.
static void angular_velocities_are_carried_along(void) {
    Motion m = motion_of(
        "coordinate R : rotation\n"
        "coordinate a : circle\n"
        "kinetic dot(omega(R), omega(R))/2 + a'^2/2\n"
        "let A = transpose(R*roty(a)*rotx(2))*quaternion(cos(t), sin(a), 0.3, t)*R\n"
        // the same matrix, of which nothing is known
        "let B = [[A[1,1], A[1,2], A[1,3]], [A[2,1], A[2,2], A[2,3]], [A[3,1], A[3,2], A[3,3]]]\n"
        "observe space = omega(A) - omega(B), body = Omega(A) - Omega(B)\n"
        "observe turned = omega(A) - A*Omega(A)\n"
        "start R = rotx(1)*rotz(2), omega(R) = [1, 2, 3], a = 0.4, a' = 1.5\n"
        "run t = 0..1\n",
        NULL);
    assert_non_null(m.t);
    const char* names[] = {"space.x", "space.y",  "space.z",  "body.x",  "body.y",
                           "body.z",  "turned.x", "turned.y", "turned.z"};
    for (int i = 0; i < 9; i++) near(motion_final(&m, names[i]), 0.0, 1e-12);
    motion_clear(&m);
}

// The angles of all twelve sequences give the matrix back.
static void euler_angles_give_the_matrix_back(void) {
    const char* sequences[] = {"xyx", "xzx", "yxy", "yzy", "zxz", "zyz",
                               "xyz", "xzy", "yxz", "yzx", "zxy", "zyx"};
    for (int i = 0; i < 12; i++) {
        const char* s = sequences[i];
        char text[1024];
        snprintf(text, sizeof text,
                 "coordinate x : line\nkinetic x'^2\n"
                 "let A = rotx(0.4)*roty(-2.1)*rotz(0.9)*rotx(1.3)\n"
                 "let e = euler(A, \"%s\")\n"
                 "let B = rot%c(e.x)*rot%c(e.y)*rot%c(e.z) - A\n"
                 "observe miss = norm(B[1]) + norm(B[2]) + norm(B[3])\n"
                 "run t = 0..0\n",
                 s, s[0], s[1], s[2]);
        Motion m = motion_of(text, NULL);
        assert_non_null(m.t);
        near(motion_final(&m, "miss"), 0.0, 1e-14);
        motion_clear(&m);
    }
}

// They do so too where only the sum or the difference of two angles counts, and when the motion
// leaves such an attitude or passes it.
static void euler_angles_give_singular_attitudes_back(void) {
    const char* sequences[] = {"xyx", "xzx", "yxy", "yzy", "zxz", "zyz",
                               "xyz", "xzy", "yxz", "yzx", "zxy", "zyx"};
    const char* second[] = {"0", "pi", "pi/2", "-pi/2"};
    for (int i = 0; i < 24; i++) {
        const char* s = sequences[i / 2];
        bool proper = s[0] == s[2];
        char text[1024];
        snprintf(text, sizeof text,
                 "coordinate R : rotation\nkinetic dot(omega(R), omega(R))\n"
                 "let e = euler(R, \"%s\")\n"
                 "let B = rot%c(e.x)*rot%c(e.y)*rot%c(e.z) - R\n"
                 "observe miss = norm(B[1]) + norm(B[2]) + norm(B[3]), angle = e\n"
                 "start R = rot%c(0.3)*rot%c(%s)*rot%c(0.9), omega(R) = [1, 2, 3]\n"
                 "run t = 0..7, samples 8\n",
                 s, s[0], s[1], s[2], s[0], s[1], second[i % 2 + (proper ? 0 : 2)], s[2]);
        Motion m = motion_of(text, NULL);
        assert_non_null(m.t);
        for (size_t row = 0; row < 8; row++) {
            double b = motion_value(&m, row, "angle.y");
            near(motion_value(&m, row, "miss"), 0.0, 1e-11);
            assert_true(fabs(motion_value(&m, row, "angle.x")) <= 3.1415926535897936);
            assert_true(proper ? b >= 0.0 && b <= 3.1415926535897936
                               : fabs(b) <= 1.5707963267948968);
        }
        near(motion_value(&m, 0, "angle.z"), 0.0, 1e-12);
        motion_clear(&m);
    }
}

// Between two rotations an equation is three, between other matrices nine.
static void equations_of_rotations_are_three(void) {
    static const struct {
        const char* equation;
        int count;
    } cases[] = {
        {"R = Q*rotz(a)", 3},
        {"transpose(R)*Q = rotz(1)", 3},
        {"R = diag(1, 1, 1)", 3},
        {"R = quaternion(w, 0, 0, 0)", 3},
        {"R = B", 3},
        {"R - Q = 0", 9},
        {"R = A", 9},
        {"R' = Q'", 9},
        {"R = 1*Q", 9},
        {"R = if(a < 9, Q, R)", 9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "parameter w = 2\ncoordinate R, Q : rotation, a : circle\n"
                 "kinetic dot(omega(R), omega(R)) + dot(omega(Q), omega(Q)) + a'^2\n"
                 "let A = [[cos(a), -sin(a), 0], [sin(a), cos(a), 0], [0, 0, 1]], B = Q*rotz(a)\n"
                 "constraint c: %s\nrun t = 0..0\n",
                 cases[i].equation);
        Motion m = motion_of(text, NULL);
        assert_non_null(m.t);
        assert_true(isfinite(motion_final(&m, "force(c)[3]")));
        assert_int_equal(isfinite(motion_final(&m, "force(c)[9]")), cases[i].count == 9);
        assert_int_equal(isfinite(motion_final(&m, "force(c)[4]")), cases[i].count == 9);
        motion_clear(&m);
    }
}

// What is not given starts nearest to it in the metric of the kinetic energy, whatever the
// attitude.
static void the_nearest_start_is_that_of_the_inertia(void) {
    Motion m = motion_of("coordinate R : rotation\n"
                         "let W = Omega(R)\n"
                         "kinetic 1/2*(W.x^2 + 2*W.y^2 + 3*W.z^2)\n"
                         "constraint c: W.x + W.y + W.z = 1\n"
                         "observe W_body = W\n"
                         "start R = rotx(0.7)*rotz(0.4)\n"
                         "run t = 0..0\n",
                         NULL);
    assert_non_null(m.t);
    near(motion_final(&m, "W_body.x"), 6.0 / 11.0, 1e-13);
    near(motion_final(&m, "W_body.y"), 3.0 / 11.0, 1e-13);
    near(motion_final(&m, "W_body.z"), 2.0 / 11.0, 1e-13);
    motion_clear(&m);
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_fast_body_stays_rigid),
        TEST(a_tennis_racket_flips_in_the_known_time),
        TEST(a_top_moves_the_same_in_euler_angles),
        TEST(a_pendulum_is_a_free_body_held_at_a_point),
        TEST(a_unit_vector_is_a_direction),
        TEST(an_operator_aims_a_body),
        TEST(an_operator_spins_a_body),
        TEST(forces_and_moments_act_on_bodies),
        TEST(two_bodies_as_one),
        TEST(angular_velocities_are_carried_along),
        TEST(euler_angles_give_the_matrix_back),
        TEST(euler_angles_give_singular_attitudes_back),
        TEST(equations_of_rotations_are_three),
        TEST(the_nearest_start_is_that_of_the_inertia),
    };
    return TESTS_RUN(tests);
}
