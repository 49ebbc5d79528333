// Where the arrows of a picture are, and that there are no others: known places and values.
// SPDX-License-Identifier: MIT
#include "picture.h"
#include "support/cases.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static void assert_near(const double* x, double a, double b, double c, double most) {
    const double y[3] = {a, b, c};
    for (int k = 0; k < 3; k++) assert_true(fabs(x[k] - y[k]) <= most);
}

static double value(const Picture* p, size_t row, const char* name) {
    return motion_value(&p->motion, row, name);
}

// The motor of a cart: at the cart, horizontally, and not at what hangs on it. A couple between two
// pendulums: where they meet.
static void a_motor_acts_on_its_cart(void) {
    Picture p = picture_of("cart");
    for (size_t row = 0; row < p.scene.rows; row += 100) {
        Seen motor = picture_see(&p, "force", "motor", 0, row),
             brake = picture_see(&p, "couple", "brake", 0, row);
        double x = value(&p, row, "x"), a = value(&p, row, "a");
        assert_near(motor.at, x, 0, 0, 1e-12);
        assert_near(motor.is, value(&p, row, "force(motor)"), 0, 0, 1e-9);
        assert_near(brake.at, x + 0.6 * sin(a), -0.6 * cos(a), 0, 1e-9);
        assert_true(fabs(fabs(brake.is[2]) - fabs(value(&p, row, "force(brake)"))) < 1e-9);
    }
    assert_null(picture_arrow(&p.scene, "force", "motor", 1));
    for (uint32_t k = 0; k < p.scene.count;
         k++) {  // the bobs are not driven, whatever moves the cart
        const LiaSceneItem* item = &p.scene.items[k];
        bool bob = item->name && (strcmp(item->name, "first") == 0);
        if (bob) assert_false(item->driven);
        if (item->name && strcmp(item->name, "cart") == 0) assert_true(item->driven);
    }
    picture_clear(&p);
}

// The same where the kinetic energy is multiplied out, and a couple of the pendulum at its pivot.
static void a_motor_acts_on_a_cart_of_a_textbook(void) {
    Picture p = picture_of_text(
        "parameter M = 2, m = 1, l = 0.7, g = 9.81\ncoordinate x : line\ncoordinate a : circle\n"
        "kinetic (M + m)*x'^2/2 + m*l*cos(a)*x'*a' + m*l^2*a'^2/2\npotential -m*g*l*cos(a)\n"
        "operator motor: x = 0.3*sin(3*t)\nforce hand: 0.4*cos(t)*d(a)\nrun t = 0..4\n");
    for (size_t row = 0; row < p.scene.rows; row += 100) {
        Seen motor = picture_see(&p, "force", "motor", 0, row),
             hand = picture_see(&p, "couple", "hand", 0, row);
        double x = value(&p, row, "x");
        assert_near(motor.at, x, 0, 0, 1e-12);
        assert_near(motor.is, value(&p, row, "force(motor)"), 0, 0, 1e-9);
        assert_near(hand.at, x, 0, 0, 1e-9);
        assert_near(hand.is, 0, 0, 0.4 * cos(value(&p, row, "t")), 1e-9);
    }
    assert_null(picture_arrow(&p.scene, "force", "motor", 1));
    picture_clear(&p);
}

// Couples of cranks stand at their pivots, whether these are drawn or not.
static void couples_stand_at_pivots(void) {
    Picture p = picture_of("three_rrr");
    const double pi = acos(-1.0);
    for (int i = 1; i <= 3; i++) {
        char name[32], force[40];
        snprintf(name, sizeof name, "motor[%d]", i);
        snprintf(force, sizeof force, "force(motor[%d])", i);
        Seen motor = picture_see(&p, "couple", name, 0, 200);
        assert_near(motor.at, cos(2 * pi * i / 3), sin(2 * pi * i / 3), 0, 1e-12);
        assert_near(motor.is, 0, 0, value(&p, 200, force), 1e-9);
    }
    picture_clear(&p);
    p = picture_of("satellite");  // a wheel, on its hull
    Seen motor = picture_see(&p, "couple", "z_motor", 0, 300);
    const double q[4] = {value(&p, 300, "hull.attitude.w"), value(&p, 300, "hull.attitude.x"),
                         value(&p, 300, "hull.attitude.y"), value(&p, 300, "hull.attitude.z")};
    const double axis[3] = {2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]),
                            1 - 2 * (q[1] * q[1] + q[2] * q[2])};
    double mu = value(&p, 300, "force(z_motor)");
    assert_near(motor.is, mu * axis[0], mu * axis[1], mu * axis[2], 1e-9);
    assert_near(motor.at, value(&p, 300, "hull.position.x") + 0.3 * axis[0],
                value(&p, 300, "hull.position.y") + 0.3 * axis[1],
                value(&p, 300, "hull.position.z") + 0.3 * axis[2], 1e-9);
    picture_clear(&p);
}

// What acts between two points are two arrows along their line, one the opposite of the other.
static void forces_between_points_are_pairs(void) {
    static const char* const models[] = {"springs", "crank_slider", "trebuchet", "three_rrr"};
    static const char* const names[] = {"actuator", "rod", "winch", "coupler[2]"};
    for (int i = 0; i < 4; i++) {
        Picture p = picture_of(models[i]);
        for (size_t row = 10; row < p.scene.rows; row += 150) {
            Seen a = picture_see(&p, "force", names[i], 0, row),
                 b = picture_see(&p, "force", names[i], 1, row);
            double d[3] = {a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2]}, moment[3];
            picture_cross(d, a.is, moment);
            assert_near(b.is, -a.is[0], -a.is[1], -a.is[2], 1e-9 * a.size);
            assert_near(moment, 0, 0, 0, 1e-8 * a.size);
            assert_true(hypot(d[0], d[1]) > 0.1);
        }
        assert_null(picture_arrow(&p.scene, "force", names[i], 2));
        picture_clear(&p);
    }
}

// A mass that slides in a body is pushed along its way, R*[0, 0, 1], and the body back there; not
// along the line to the body's centre, which nearly stands across it.
static void slides_in_bodies_are_pushed_along_their_way(void) {
    Picture p = picture_of_text("parameter b = 0.5\ncoordinate z : line\n"
                                "body sat: mass 100, inertia [10, 11, 15], free\n"
                                "body mass: mass 1, position point(sat, [b, 0, z])\n"
                                "operator slide: z = 0.05*sin(3*t)\n"
                                "start sat.attitude = rotx(0.2), omega(sat.attitude) = [0, 0, 3]\n"
                                "run t = 0..3\n");
    for (size_t row = 30; row < p.scene.rows; row += 150) {
        double w = value(&p, row, "sat.attitude.w"), x = value(&p, row, "sat.attitude.x"),
               y = value(&p, row, "sat.attitude.y"), v = value(&p, row, "sat.attitude.z"),
               z = value(&p, row, "z"), F = value(&p, row, "force(slide)");
        double e[3] = {1 - 2 * (y * y + v * v), 2 * (x * y + w * v), 2 * (x * v - w * y)},
               k[3] = {2 * (x * v + w * y), 2 * (y * v - w * x), 1 - 2 * (x * x + y * y)};
        double P[3] = {value(&p, row, "sat.position.x"), value(&p, row, "sat.position.y"),
                       value(&p, row, "sat.position.z")};
        for (int i = 0; i < 3; i++) P[i] += 0.5 * e[i] + z * k[i];
        Seen a = picture_see(&p, "force", "slide", 0, row),
             b = picture_see(&p, "force", "slide", 1, row);
        assert_near(a.is, F * k[0], F * k[1], F * k[2], 1e-9 * fabs(F) + 1e-12);
        assert_near(b.is, -F * k[0], -F * k[1], -F * k[2], 1e-9 * fabs(F) + 1e-12);
        assert_near(a.at, P[0], P[1], P[2], 1e-9);
        assert_near(b.at, P[0], P[1], P[2], 1e-9);
    }
    picture_clear(&p);
}

// Wheels hold where they touch, also where the model has no word of that place.
static void wheels_hold_where_they_touch(void) {
    Picture p = picture_of("snakeboard");
    for (size_t row = 100; row < p.scene.rows; row += 150) {
        double x = value(&p, row, "x"), y = value(&p, row, "y"), theta = value(&p, row, "theta"),
               angle = theta + value(&p, row, "phi"), mu = value(&p, row, "force(front)");
        Seen front = picture_see(&p, "force", "front", 0, row);
        assert_near(front.at, x + 0.5 * cos(theta), y + 0.5 * sin(theta), 0, 1e-6);
        assert_near(front.is, -mu * sin(angle), mu * cos(angle), 0, 1e-9);
    }
    picture_clear(&p);
    p = picture_of_text("parameter r = 0.4\ncoordinate x : line in m\ncoordinate a : circle\n"
                        "body wheel: mass 2, inertia [0.08, 0.08, 0.16], position [x, r, 0], "
                        "attitude rotz(-a)\nconstraint rolls: x' = r*a'\nforce push: 3*d(x)\n"
                        "run t = 0..2\n");
    picture_check_all(&p.scene);
    Seen rolls = picture_see(&p, "force", "rolls", 0, 500);
    assert_near(rolls.at, value(&p, 500, "x"), 0, 0, 1e-9);
    assert_near(rolls.is, value(&p, 500, "force(rolls)"), 0, 0, 1e-9);
    picture_clear(&p);
}

// Two gears hold each other at their teeth: opposite forces there, across the line of their
// centres.
static void gears_hold_at_their_teeth(void) {
    Picture p = picture_of_text(
        "coordinate a, b : circle\n"
        "body small: mass 1, inertia [1, 1, 2], position [0, 0, 0], attitude rotz(a)\n"
        "body large: mass 1, inertia [1, 1, 2], position [3, 0, 0], attitude rotz(b)\n"
        "constraint teeth: a' + 2*b' = 0\noperator motor: a' = sin(t)\n"
        "run t = 0..3\n");
    picture_check_all(&p.scene);
    Seen teeth = picture_see(&p, "force", "teeth", 0, 400);
    assert_near(teeth.at, 1, 0, 0, 1e-9);
    assert_true(fabs(teeth.is[0]) < 1e-9 && fabs(fabs(teeth.is[1]) - teeth.size) < 1e-9);
    assert_true(fabs(teeth.size - fabs(value(&p, 400, "force(teeth)"))) < 1e-9);
    picture_clear(&p);
}

// A rope holds a weight and, with the opposite force on the same line, the wheel that it leaves.
static void ropes_hold_wheels_too(void) {
    Picture p = picture_of("pulley");
    for (size_t row = 100; row < p.scene.rows; row += 200) {
        Seen weight = picture_see(&p, "force", "grip", 0, row),
             wheel = picture_see(&p, "force", "grip", 1, row);
        double grip = value(&p, row, "force(grip)");
        assert_true(fabs(grip) > 0.1);
        assert_near(weight.at, 0.2, value(&p, row, "y2"), 0, 1e-9);
        assert_near(weight.is, 0, grip, 0, 1e-9);
        assert_near(wheel.at, 0.2, 0, 0, 1e-9);
        assert_near(wheel.is, 0, -grip, 0, 1e-9);
    }
    assert_null(picture_arrow(&p.scene, "force", "grip", 2));
    picture_clear(&p);
}

// Contacts given by formulas act where surfaces touch, also while all is at rest and any place on
// the line of the force would do: a disc on the floor, at a wall, and another disc on both.
static void contacts_act_where_surfaces_touch(void) {
#define BETWEEN "hypot(x[1] - x[2], y[1] - y[2])"
    Picture p = picture_of_text(
        "parameter r = 0.1\ncoordinate x[i = 1..2], y[i = 1..2], a[i = 1..2] : line\n"
        "kinetic sum(i = 1..2, x[i]'^2 + y[i]'^2 + r^2/2*a[i]'^2)/2\n"
        "potential 9.81*(y[1] + y[2])\n"
        "contact wall: x[2] >= r slip y[2]' - r*a[2]' friction 0.5\n"
        "contact stop: x[1] <= 0.35 - r slip y[1]' + r*a[1]' friction 0.5\n"
        "contact floor: y[1] >= r slip x[1]' + r*a[1]' friction 0.5\n"
        "contact pair: " BETWEEN " >= 2*r friction 0.5\n  slip ((x[1] - x[2])*(y[1]' - y[2]')"
        " - (y[1] - y[2])*(x[1]' - x[2]'))/" BETWEEN " - r*(a[1]' + a[2]')\n"
        "start x[1] = 0.25, y[1] = 0.12, x[2] = 0.11, y[2] = 0.4\nrun t = 0..4\n"
        "draw disc[i = 1..2]: disk(r) at [x[i], y[i]] attitude a[i]\n");
    size_t row = p.scene.rows - 1;
    double x1 = value(&p, row, "x[1]"), y1 = value(&p, row, "y[1]");
    double x2 = value(&p, row, "x[2]"), y2 = value(&p, row, "y[2]");
    assert_true(hypot(x1 - x2, y1 - y2) < 0.2 + 1e-9);
    picture_check_all(&p.scene);
    Seen pair = picture_see(&p, "force", "pair", 0, row),
         wall = picture_see(&p, "force", "wall", 0, row);
    Seen floor = picture_see(&p, "force", "floor", 0, row);
    assert_true(pair.size > 1 && wall.size > 0.1 && floor.size > 1);
    assert_near(pair.at, (x1 + x2) / 2, (y1 + y2) / 2, 0, 1e-9);
    assert_near(wall.at, 0, y2, 0, 1e-9);
    assert_near(floor.at, x1, 0, 0, 1e-9);
    picture_clear(&p);
}

// What acts on many coordinates is shown on each of them, where it is no one force.
static void what_acts_on_many_is_shown_on_each(void) {
    Picture p = picture_of_text("parameter N = 9\ncoordinate q[i = 1..N] : circle\nlet a[0] = 0\n"
                                "let a[i = 1..N] = a[i-1] + q[i]\nlet r[0] = [0, 0]\n"
                                "let r[i = 1..N] = r[i-1] + [sin(a[i]), -cos(a[i])]/N\n"
                                "kinetic sum(i = 1..N, dot(r[i]', r[i]')/2)\n"
                                "potential sum(i = 1..N, 9.81*r[i].y)\n"
                                "force odd: d(q[2]) + 2*d(q[5]) - d(q[8])*q[3] + d(q[9])\n"
                                "start q[1] = 0.5, q[3] = 0.1\nrun t = 0..0.5\n");
    assert_int_equal(picture_check_all(&p.scene), 4);
    picture_clear(&p);
}

// An operator that asks for a place and an angle: one force, one couple.
static void arrows_at_one_place_are_one(void) {
    Picture p = picture_of_text("coordinate x, y : line\ncoordinate a : circle\n"
                                "body box: mass 1, inertia [1, 1, 2], position [x, y, 0], "
                                "attitude rotz(a)\n"
                                "operator lead: [x, y, a] = [sin(t), t^2, cos(t)]\nrun t = 0..1\n");
    assert_int_equal(picture_check_all(&p.scene), 2);
    Seen lead = picture_see(&p, "force", "lead", 0, 400);
    assert_near(lead.is, value(&p, 400, "force(lead)[1]"), value(&p, 400, "force(lead)[2]"), 0,
                1e-9);
    picture_clear(&p);
}

// What has no place is shown by instruments, and so are the forces on it.
static void instruments_have_arrows_too(void) {
    Picture p = picture_of_text("coordinate a, b : circle\ncoordinate u : line\n"
                                "kinetic a'^2 + b'^2 + u'^2\noperator turn: b = sin(t)\n"
                                "operator push: u = sin(2*t)\nrun t = 0..1\n");
    picture_check_all(&p.scene);
    Seen turn = picture_see(&p, "couple", "turn", 0, 300),
         push = picture_see(&p, "force", "push", 0, 300);
    assert_near(turn.at, 2.2, 0, 0, 1e-12);
    assert_near(turn.is, 0, 0, value(&p, 300, "force(turn)"), 1e-9);
    assert_near(push.is, value(&p, 300, "force(push)"), 0, 0, 1e-9);
    picture_clear(&p);
}

// Where only a part of what acts can be shown, or nothing, that is said.
static void what_cannot_be_shown_is_said(void) {
    Picture p = picture_of_text("coordinate x, y, u : line\nkinetic (x'^2 + y'^2 + u'^2)/2\n"
                                "operator both: x + u/2 = sin(t)\noperator hidden: u = 1 - cos(t)\n"
                                "run t = 0..1\ndraw sphere(0.1) at [x, y]\n");
    const LiaSceneItem* both = picture_arrow(&p.scene, "force", "both", 0);
    assert_non_null(both);
    assert_true(both->part);
    assert_near(picture_see(&p, "force", "both", 0, 500).is, value(&p, 500, "force(both)"), 0, 0,
                1e-9);
    assert_int_equal(p.scene.unplaced_count, 1);
    assert_string_equal(p.scene.unplaced[0], "hidden");
    picture_clear(&p);
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_motor_acts_on_its_cart),
        TEST(a_motor_acts_on_a_cart_of_a_textbook),
        TEST(couples_stand_at_pivots),
        TEST(forces_between_points_are_pairs),
        TEST(slides_in_bodies_are_pushed_along_their_way),
        TEST(wheels_hold_where_they_touch),
        TEST(gears_hold_at_their_teeth),
        TEST(ropes_hold_wheels_too),
        TEST(contacts_act_where_surfaces_touch),
        TEST(what_acts_on_many_is_shown_on_each),
        TEST(arrows_at_one_place_are_one),
        TEST(instruments_have_arrows_too),
        TEST(what_cannot_be_shown_is_said),
    };
    return TESTS_RUN(tests);
}
