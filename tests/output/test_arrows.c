// Arrows of a picture do the work of what they stand for (picture.h): forces, constraints,
// contacts, springs.
// SPDX-License-Identifier: MIT
#include "picture.h"
#include "support/cases.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static void arrows_do_the_work_of_one_forms(void) {
    static const char* const names[] = {"cart",      "biped",      "three_rrr", "crank_slider",
                                        "whip",      "disc",       "pulley",    "gimbal",
                                        "trebuchet", "snakeboard", "bowl",      "stewart",
                                        "satellite", "turntable",  "springs"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Picture picture = picture_of(names[i]);
        printf("%s: %d arrows\n", names[i], picture_check_all(&picture.scene));
        picture_clear(&picture);
    }
}

// Contacts, by formulas and by shapes, with friction and without: at samples their arrows do the
// work of N d(gap) + T virtual(slip).
static void arrows_of_contacts_do_their_work(void) {
#define BODY "body b: mass 1, inertia [0.01, 0.02, 0.02], free\ngravity [0, 0, -9.81]\n"
#define LADDER                                                                                     \
    "coordinate x, y : line, ph : circle\nkinetic (x'^2 + y'^2)/2 + ph'^2/6\npotential 9.8*y\n"
    static const char* const texts[] = {
        "coordinate x, z : line\nkinetic (x'^2 + z'^2)/2\npotential 2*x^2 + 10*z\n"
        "contact belt: z >= 0 slip x' - 0.5 friction 0.2 static 0.3\nstart x' = 0.5\n"
        "run t = 0..6\n",
        LADDER "let A = [x - cos(ph), y + sin(ph)], B = [x + cos(ph), y - sin(ph)]\n"
               "contact wall: A.x >= 0 slip A'.y friction 0.1\n"
               "contact floor: B.y >= 0 slip B'.x friction 0.1\n"
               "event flat: ph = 0.1 falling stop\nstart ph = pi/4\nrun t = 0..2\n"
               "draw segment(A, B)\n",
        BODY "contact floor: sphere(b, 0.1) on plane(ground) friction 0.2 restitution 0.4\n"
             "start b.position = [0, 0, 0.3], b.velocity = [1, 0, 0], b.omega = [0, -30, 5]\n"
             "run t = 0..2\n",
        BODY "contact floor: box(b, [0.3, 0.2, 0.1]) on plane(ground)\n"
             "start b.position = [0, 0, 0.2], b.attitude = rotx(0.2)*roty(0.3)\nrun t = 0..0.2\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Picture picture = picture_of_text(texts[i]);
        printf("contacts %zu: %d arrows\n", i, picture_check_all(&picture.scene));
        picture_clear(&picture);
    }
}

// x, a, b: a cart on a spring, two rods with a torsion spring; weights have no arrows.
static double of_cart(const double* q) {
    return 20.0 * q[0] * q[0] + 1.5 * (q[2] - q[1]) * (q[2] - q[1]);
}

static double of_length(double x, double y, double k, double l) {
    return k / 2.0 * (hypot(x, y) - l) * (hypot(x, y) - l);
}

// Two points: one on a spring from the origin and one from another place, and one between them.
static double of_points(const double* q) {
    return of_length(q[0], q[1], 30.0, 0.5) + of_length(q[2] - 2.0, q[3] - 1.0, 20.0, 0.0) +
           of_length(q[2] - q[0], q[3] - q[1], 10.0, 0.3);
}

static double of_attraction(const double* q) { return -2.0 / hypot(q[2] - q[0], q[3] - q[1]); }

static void springs_have_arrows(void) {
#define POINTS "coordinate x, y, u, w : line\nkinetic (x'^2 + y'^2 + u'^2 + w'^2)/2\n"
    picture_check_role("coordinate x : line\ncoordinate a, b : circle\n"
                       "let P = [x + sin(a), -cos(a)], Q = P + [sin(b), -cos(b)]\n"
                       "kinetic x'^2/2 + dot(P', P')/2 + dot(Q', Q')/2\n"
                       "potential 9.81*P.y + 9.81*Q.y + 3*(b - a)^2/2 + 20*x^2\n"
                       "start a = 0.8, x = 0.3\nrun t = 0..3\n",
                       "potential", of_cart, 2);
    picture_check_role(POINTS "let A = [x, y], B = [u, w]\n"
                              "potential 15*(norm(A) - 0.5)^2 + 10*(dot(B - [2, 1], B - [2, 1]))\n"
                              "  + 5*(norm(B - A) - 0.3)^2 + 9.81*(A.y + B.y)\n"
                              "start x = 0.4, y = -0.2, u = 1.3, w = 0.2\nrun t = 0..3\n",
                       "potential", of_points, 4);
    picture_check_role(POINTS "let A = [x, y], B = [u, w]\npotential -2/norm(A - B)\n"
                              "start x = 1, u = -1, y' = 0.6, w' = -0.6\nrun t = 0..3\n",
                       "potential", of_attraction, 2);
}

// Weights are no springs, also those of bodies, whose attitudes are squares of quaternions.
static void weights_have_no_arrows(void) {
    static const char* const texts[] = {
        "coordinate a : circle\nkinetic a'^2/2\npotential -9.81*cos(a)\nstart a = 1\n"
        "run t = 0..1\n",
        "body b: mass 1, inertia [0.02, 0.02, 0.01], free\ngravity [0, 0, -9.81]\n"
        "joint j: spherical(b at [0, 0, -0.3], ground at [0, 0, 0])\n"
        "start b.attitude = rotx(1), b.omega = [0, 0, 1]\nrun t = 0..1\n",
    };
    for (int i = 0; i < 2; i++) {
        Picture p = picture_of_text(texts[i]);
        for (uint32_t k = 0; k < p.scene.count; k++) {
            const char* role = p.scene.items[k].role;
            assert_false(role && strcmp(role, "potential") == 0);
        }
        picture_clear(&p);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(arrows_do_the_work_of_one_forms),
        TEST(arrows_of_contacts_do_their_work),
        TEST(springs_have_arrows),
        TEST(weights_have_no_arrows),
    };
    return TESTS_RUN(tests);
}
