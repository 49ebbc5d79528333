// Operators whose forces are decided only together, against closed forms that stand in the models.
// SPDX-License-Identifier: MIT
#include "../support/motion.h"
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>

// Every `observe` named e1, e2, ... is an error: none at any sample may be larger than `most`.
static void errors_stay_below(const Motion* m, int count, double most) {
    assert_non_null(m->t);
    assert_int_equal(m->status, LIA_OK);
    for (size_t row = 0; row < 21; row++) {
        for (int k = 1; k <= count; k++) {
            char name[16];
            snprintf(name, sizeof name, "e%d", k);
            double e = motion_value(m, row, name);
            if (!(fabs(e) <= most)) fail_msg("%s is %g in row %zu", name, e, row);
        }
    }
}

static int says(const Motion* m, const char* words) {
    char* text = lia_output_summary(m->t, NULL);
    int found = strstr(text, words) != NULL;
    lia_free(text);
    return found;
}

// A crane leads its load by trolley and winch. Both forces reach the load by the rope alone, so the
// rope must stand along the acceleration that the law asks for: tan(theta) = -X''/(Z'' + g), and
// all else follows.
static const char crane[] =
    "model crane\n"
    "parameter m = %s, M = 2*m, I = m/2, g = 9.81\n"
    "coordinate s, r : line\ncoordinate theta : circle\n"
    "let load = [s + r*sin(theta), -r*cos(theta)]\n"
    "kinetic m/2*dot(load', load') + M/2*s'^2 + I/2*r'^2\npotential m*g*load.y\n"
    "control X = 0.5*sin(t), Z = -2 + 0.3*cos(1.3*t)\n"
    "operator lead: load = [X, Z] by d(s), d(r)\n"
    "let a = atan(-X''/(Z'' + g)), rope = -Z/cos(a), trolley = X - rope*sin(a)\n"
    "let pull = m*hypot(X'', Z'' + g)\n"
    "observe e1 = theta - a, e2 = r - rope, e3 = s - trolley, e4 = theta' - a'\n"
    "observe e5 = (force(lead)[1] - M*trolley'' + pull*sin(a))/m\n"
    "observe e6 = (force(lead)[2] - I*rope'' + pull)/m\n"
    "start r ~ 2\nrun t = %s..5, tolerance 1e-14, samples 21\n";

static void a_crane_leads_its_load(void) {
    const char *masses[] = {"1", "2.5e4", "1"}, *begins[] = {"0", "0", "0.5"};
    for (int k = 0; k < 3; k++) {
        char model[1200];
        snprintf(model, sizeof model, crane, masses[k], begins[k]);
        Motion m = motion_of(model, NULL);
        errors_stay_below(&m, 6, 1e-11);
        assert_true(motion_final(&m, "balance") < 1e-12);
        assert_true(says(&m, "'lead' acts through other forces"));
        motion_clear(&m);
    }
}

// A law whose fourth derivative jumps makes a force jump; one whose third does makes the trolley
// jump: the rope stands along (X'', g), so theta' changes by -6/g, the load goes on, and s' changes
// by 6 r/g.
static void a_crane_passes_corners(void) {
    for (int power = 3; power <= 4; power++) {
        char model[600];
        snprintf(model, sizeof model,
                 "model corner\ncoordinate s, r : line\ncoordinate a : circle\n"
                 "let load = [s + r*sin(a), -r*cos(a)]\n"
                 "kinetic dot(load', load')/2 + s'^2 + r'^2/4\npotential 9.81*load.y\n"
                 "operator lead: load = [max(0, t - 1)^%d, -2] by d(s), d(r)\n"
                 "observe e1 = load.x - max(0, t - 1)^%d, e2 = load.y + 2\n"
                 "start r ~ 2\nrun t = 0..1.5, samples 21\n",
                 power, power);
        Motion m = motion_of(model, NULL);
        errors_stay_below(&m, 2, 1e-12);
        assert_true(motion_final(&m, "balance") < 1e-12);
        assert_int_equal(m.t->jumps.count, power == 3);
        if (power == 3) {
            const LiaJump* jump = &m.t->jumps.list[0];
            assert_true(fabs(jump->impulses[0].values[0] - 2.0 * 12.0 / 9.81) < 1e-11);
            assert_true(fabs(jump->impulses[0].work - 12.0 / 9.81 * 12.0 / 9.81) < 1e-11);
        }
        motion_clear(&m);
    }
}

// b moves x3 through a spring, but its equation has x1 in it, which a moves at once: x3 = g - f, x2
// = x3 + m x3''/k.
static void a_force_that_is_in_the_way_is_looked_behind(void) {
    Motion m = motion_of("model mixed\nparameter k = 5\ncoordinate x1, x2, x3 : line\n"
                         "kinetic (x1'^2 + x2'^2 + x3'^2)/2\npotential k/2*(x2 - x3)^2\n"
                         "control f = 0.2*sin(t), g = 0.1*cos(2*t)\n"
                         "operator a: x1 + x3/2 = f by d(x1)\noperator b: x1 + x3 = g by d(x2)\n"
                         "let y3 = 2*(g - f), y1 = g - y3, y2 = y3 + y3''/k\n"
                         "observe e1 = x1 - y1, e2 = x2 - y2, e3 = x3 - y3, e4 = x2' - y2'\n"
                         "observe e5 = force(a) - y1'', e6 = force(b) - y2'' - k*(y2 - y3)\n"
                         "run t = 0..5, samples 21\n",
                         NULL);
    errors_stay_below(&m, 6, 1e-11);
    assert_true(says(&m, "'b' acts through other forces"));
    motion_clear(&m);
}

// Two operators that ask the same through the same spring share the force of one.
static void operators_that_ask_the_same_share_a_force(void) {
    Motion m = motion_of("model shared\nparameter k = 5\ncoordinate x1, x2 : line\n"
                         "kinetic (x1'^2 + x2'^2)/2\npotential k/2*(x1 - x2)^2\n"
                         "control f = 0.3*sin(t)\n"
                         "operator a: x2 = f by d(x1)\noperator b: 2*x2 = 2*f by d(x1)\n"
                         "let y1 = f + f''/k\n"
                         "observe e1 = x1 - y1, e2 = x2 - f\n"
                         "observe e3 = force(a) + force(b) - y1'' - k*(y1 - f)\n"
                         "run t = 0..5, samples 21\n",
                         NULL);
    errors_stay_below(&m, 3, 1e-11);
    assert_true(says(&m, "the forces of 'a', 'b' are not unique"));
    motion_clear(&m);
}

// Trolley and winch act through springs of their own: the pull along the rope answers in the fourth
// derivative of the load, its direction in the sixth. The springs carry what trolley and rope need,
// and the motors what the springs and their own masses need.
static const char crane_on_springs[] =
    "model crane\n"
    "parameter m = %s, M = 2*m, I = m/2, N = m/4, D = m/3, k = %s*m, c = 1.5*k, g = 9.81\n"
    "coordinate u, s, w, r : line\ncoordinate theta : circle\n"
    "let load = [s + r*sin(theta), -r*cos(theta)]\n"
    "kinetic m/2*dot(load', load') + M/2*s'^2 + I/2*r'^2 + N/2*u'^2 + D/2*w'^2\n"
    "potential m*g*load.y + k/2*(u - s)^2 + c/2*(w - r)^2\n"
    "control X = 0.5*sin(t), Z = -2 + 0.3*cos(1.3*t)\n"
    "operator lead: %s by d(u), d(w)\n"
    "let a = atan(-X''/(Z'' + g)), rope = -Z/cos(a), trolley = X - rope*sin(a)\n"
    "let pull = m*hypot(X'', Z'' + g)\n"
    "let F = M*trolley'' - pull*sin(a), T = I*rope'' - pull\n"
    "let motor = trolley + F/k, drum = rope + T/c\n"
    "observe e1 = theta - a, e2 = r - rope, e3 = s - trolley, e4 = theta' - a'\n"
    "observe e5 = u - motor, e6 = w - drum, e7 = u' - motor', e8 = w' - drum'\n"
    "observe e9 = (force(lead)[1] - N*motor'' - F)/m, e10 = (force(lead)[2] - D*drum'' - T)/m\n"
    "start %s\nrun t = %s, tolerance 1e-14, samples 21\n";

static void a_crane_leads_its_load_through_two_springs(void) {
    const char* place = "load = [X, Z]";
    const struct {
        const char *mass, *stiffness, *law, *start, *times, *derivatives;
        // stiff springs make more of rounding: their force is k times what lengths are known to
        double most;
    } cases[] = {{"1", "40", place, "r ~ 2", "0..5", "6th", 1e-11},
                 {"2.5e4", "40", place, "r ~ 2", "0..5", "6th", 1e-11},
                 {"1e-3", "3", place, "r ~ 2", "0.5..5", "6th", 1e-11},
                 {"1", "40", place, "r ~ 2, w ~ 2", "5..0", "6th", 1e-11},  // a rope under pressure
                 {"1", "40", "load' = [X', Z']", "s = 0, r = 1.7", "0..5", "5th", 1e-11},
                 {"1", "4e3", place, "r ~ 2", "0..5", "6th", 1e-9}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char model[1400];
        snprintf(model, sizeof model, crane_on_springs, cases[k].mass, cases[k].stiffness,
                 cases[k].law, cases[k].start, cases[k].times);
        Motion m = motion_of(model, NULL);
        errors_stay_below(&m, 10, cases[k].most);
        assert_true(motion_final(&m, "balance") < 1e-10);
        assert_true(says(&m, "forces are decided only together"));
        assert_true(says(&m, cases[k].derivatives));
        assert_true(m.t->effort.steps < 40);
        motion_clear(&m);
    }
}

// With the winch alone on a spring the trolley moves the load at once where the rope stands askew,
// and through the rope's turning where it hangs straight: at t = 0 and t = pi. The motion does not
// mind.
static void a_rope_passes_where_it_hangs_straight(void) {
    const char* begins[] = {"0", "0.1", "0.5", "3"};
    for (int k = 0; k < 4; k++) {
        char model[1400];
        snprintf(model, sizeof model,
                 "model winch\nparameter M = 2, I = 1/2, D = 1/3, c = 60, g = 9.81\n"
                 "coordinate s, w, r : line\ncoordinate theta : circle\n"
                 "let load = [s + r*sin(theta), -r*cos(theta)]\n"
                 "kinetic dot(load', load')/2 + M/2*s'^2 + I/2*r'^2 + D/2*w'^2\n"
                 "potential g*load.y + c/2*(w - r)^2\n"
                 "control X = 0.5*sin(t), Z = -2 + 0.3*cos(1.3*t)\n"
                 "operator lead: load = [X, Z] by d(s), d(w)\n"
                 "let a = atan(-X''/(Z'' + g)), rope = -Z/cos(a), trolley = X - rope*sin(a)\n"
                 "let pull = hypot(X'', Z'' + g), T = I*rope'' - pull, drum = rope + T/c\n"
                 "observe e1 = theta - a, e2 = r - rope, e3 = s - trolley, e4 = theta' - a'\n"
                 "observe e5 = w - drum, e6 = w' - drum'\n"
                 "observe e7 = force(lead)[1] - M*trolley'' + pull*sin(a)\n"
                 "observe e8 = force(lead)[2] - D*drum'' - T\n"
                 "start r ~ 2\nrun t = %s..5, tolerance 1e-14, samples 21\n",
                 begins[k]);
        Motion m = motion_of(model, NULL);
        errors_stay_below(&m, 8, 1e-10);
        assert_true(motion_final(&m, "balance") < 1e-11);
        motion_clear(&m);
    }
}

// A craft with a thrust along its axis and a couple is led by its centre: no derivative contains
// the couple while there is no thrust, and there is always one. Its axis stands along the
// acceleration asked for. With a couple that pushes sideways too (eps) it is the centre of
// oscillation that is led so.
static void a_craft_leans_into_its_acceleration(void) {
    const char* sideways[] = {"0", "0.4"};
    for (int k = 0; k < 2; k++) {
        char model[1400];
        snprintf(model, sizeof model,
                 "model craft\nparameter m = 1.2, J = 0.3, g = 9.81, eps = %s\n"
                 "coordinate x, z : line\ncoordinate a : circle\n"
                 "kinetic m/2*(x'^2 + z'^2) + J/2*a'^2\npotential m*g*z\nlet l = J*eps/m\n"
                 "control X = 0.5*sin(t), Z = 0.3*cos(1.3*t)\n"
                 "operator lead: [x - l*sin(a), z + l*cos(a)] = [X, Z] by\n"
                 "    -sin(a)*d(x) + cos(a)*d(z), d(a) + eps*(cos(a)*d(x) + sin(a)*d(z))\n"
                 "let A = atan(-X''/(Z'' + g)), x0 = X + l*sin(A), z0 = Z - l*cos(A)\n"
                 "observe e1 = x - x0, e2 = z - z0, e3 = a - A, e4 = a' - A'\n"
                 "observe e5 = force(lead)[1] - m*(-x0''*sin(A) + (z0'' + g)*cos(A))\n"
                 "observe e6 = force(lead)[2] - J*A''\n"
                 "run t = 0..5, tolerance 1e-14, samples 21\n",
                 sideways[k]);
        Motion m = motion_of(model, NULL);
        errors_stay_below(&m, 6, 1e-12);
        assert_true(motion_final(&m, "balance") < 1e-12);
        assert_true(says(&m, "derivatives up to the 4th"));
        motion_clear(&m);
    }
}

// The tip of an arm is led by motors that turn both its joints through springs.
static void an_arm_with_flexible_joints_leads_its_tip(void) {
    Motion m = motion_of(
        "model arm\nparameter m1 = 1, m2 = 0.7, l1 = 1, l2 = 0.8, g = 9.81, B = 0.05, k = 300\n"
        "coordinate q1, q2, b1, b2 : line\n"
        "let p1 = [l1*cos(q1), l1*sin(q1)], p2 = p1 + [l2*cos(q1 + q2), l2*sin(q1 + q2)]\n"
        "kinetic m1/2*dot(p1', p1') + m2/2*dot(p2', p2') + B/2*(b1'^2 + b2'^2)\n"
        "potential m1*g*p1.y + m2*g*p2.y + k/2*((b1 - q1)^2 + (b2 - q2)^2)\n"
        "control X = 1 + 0.2*sin(t), Y = 0.5 + 0.2*cos(1.5*t)\n"
        "operator lead: p2 = [X, Y] by d(b1), d(b2)\n"
        "let Q2 = acos((X^2 + Y^2 - l1^2 - l2^2)/(2*l1*l2))\n"
        "let Q1 = atan2(Y, X) - atan2(l2*sin(Q2), l1 + l2*cos(Q2))\n"
        "let P = [l1*cos(Q1), l1*sin(Q1)]\n"
        // P: the moments of what the masses need, about elbow and shoulder
        "let f2 = [m2*X'', m2*(Y'' + g)], f1 = [m1*P.x'', m1*(P.y'' + g)]\n"
        "let M2 = (X - P.x)*f2.y - (Y - P.y)*f2.x\n"
        "let M1 = X*f2.y - Y*f2.x + P.x*f1.y - P.y*f1.x, B1 = Q1 + M1/k, B2 = Q2 + M2/k\n"
        "observe e1 = q1 - Q1, e2 = q2 - Q2, e3 = b1 - B1, e4 = b2 - B2\n"
        "observe e5 = b1' - B1', e6 = b2' - B2'\n"
        "observe e7 = force(lead)[1] - B*B1'' - M1, e8 = force(lead)[2] - B*B2'' - M2\n"
        "start q2 ~ 1, b2 ~ 1\nrun t = 0..5, tolerance 1e-14, samples 21\n",
        NULL);
    errors_stay_below(&m, 8, 1e-11);
    assert_true(motion_final(&m, "balance") < 1e-12);
    motion_clear(&m);
}

// A skate is led along a closed curve by a push along its blade and a couple: it stands along the
// curve, all the way around.
static void a_skate_is_led_along_a_curve(void) {
    Motion m = motion_of("model skate\nparameter m = 1.3, J = 0.4\ncoordinate x, y, a : line\n"
                         "kinetic m/2*(x'^2 + y'^2) + J/2*a'^2\n"
                         "constraint blade: x'*sin(a) - y'*cos(a) = 0\n"
                         "control X = 2*sin(t), Y = 0.3*sin(2*t) + 2*cos(t)\n"
                         "operator lead: [x, y] = [X, Y] by cos(a)*d(x) + sin(a)*d(y), d(a)\n"
                         "let V = hypot(X', Y'), turn = (X'*Y'' - Y'*X'')/V^2\n"
                         "observe e1 = x - X, e2 = y - Y, e3 = cos(a) - X'/V, e4 = sin(a) - Y'/V\n"
                         "observe e5 = a' - turn, e6 = force(lead)[1] - m*V'\n"
                         "observe e7 = force(lead)[2] - J*turn', e8 = force(blade) + m*V*turn\n"
                         "run t = 0..7, tolerance 1e-14, samples 21\n",
                         NULL);
    errors_stay_below(&m, 8, 1e-11);
    assert_true(motion_final(&m, "balance") < 1e-12);
    motion_clear(&m);
}

// A car is led by the axle of its trailer: the trailer stands along the curve, the hitch is ahead
// of it, and the car along the hitch's curve. The couple needs the fourth derivative of the place;
// the push feeds the energy of the rest.
static void a_car_is_led_by_its_trailer(void) {
    Motion m =
        motion_of("model car\nparameter m = 1.3, J = 0.4, n = 0.8, I = 0.2, l = 0.7\n"
                  "coordinate x, y, b, a : line\nlet car = [x + l*cos(b), y + l*sin(b)]\n"
                  "kinetic n/2*(x'^2 + y'^2) + I/2*b'^2 + m/2*dot(car', car') + J/2*a'^2\n"
                  "constraint back: x'*sin(b) - y'*cos(b) = 0\n"
                  "constraint front: car.x'*sin(a) - car.y'*cos(a) = 0\n"
                  "control X = 2*t + 0.3*sin(t), Y = 0.5*cos(t)\n"
                  "operator lead: [x, y] = [X, Y] by cos(a)*d(car.x) + sin(a)*d(car.y), d(a)\n"
                  "let B = atan2(Y', X'), P = [X + l*cos(B), Y + l*sin(B)], A = atan2(P.y', P.x')\n"
                  "let T = n/2*(X'^2 + Y'^2) + I/2*B'^2 + m/2*dot(P', P')\n"
                  "observe e1 = x - X, e2 = y - Y, e3 = b - B, e4 = a - A, e5 = a' - A'\n"
                  "observe e6 = force(lead)[1]*norm(P') - T', e7 = force(lead)[2] - J*A''\n"
                  "run t = 0..5, tolerance 1e-14, samples 21\n",
                  NULL);
    errors_stay_below(&m, 7, 1e-11);
    assert_true(motion_final(&m, "balance") < 1e-12);
    assert_true(says(&m, "its own appears in derivative 4 only"));
    motion_clear(&m);
}

// Four propellers carry a craft in space: one thrust along its axis, three couples. Its axis stands
// along the acceleration.
static void a_craft_in_space_leans_into_its_acceleration(void) {
    Motion m = motion_of(
        "model craft\nparameter m = 1.1, g = 9.81\n"
        "body c: mass m, inertia [0.02, 0.03, 0.04], free\npotential m*g*c.position.z\n"
        "control X = 0.5*sin(t), Y = 0.4*cos(0.7*t), Z = 0.3*cos(1.3*t)\n"
        "let up = c.attitude*[0, 0, 1], ahead = c.attitude*[1, 0, 0], left = c.attitude*[0, 1, 0]\n"
        "operator lead: c.position = [X, Y, Z] by dot(up, d(c.position)),\n"
        "    dot(ahead, virtual(c.omega)), dot(left, virtual(c.omega))\n"
        "operator yaw: ahead.y = 0 by dot(up, virtual(c.omega))\n"
        "let T = hypot(X'', Y'', Z'' + g), k = [X'', Y'', Z'' + g]/T\n"
        "let i = [k.z, 0, -k.x]/hypot(k.x, k.z), j = cross(k, i)\n"  // across the axis, without y
        "let p = dot(j', k), q = dot(k', i), r = dot(i', j)\n"       // they turn: Euler's equations
        "observe e1 = c.position.x - X, e2 = c.position.y - Y, e3 = c.position.z - Z\n"
        "observe e4 = up.x - k.x, e5 = up.y - k.y, e6 = ahead.x - i.x\n"
        "observe e7 = force(lead)[1] - m*T, e8 = force(lead)[2] - 0.02*p' - 0.01*q*r\n"
        "observe e9 = force(lead)[3] - 0.03*q' + 0.02*p*r, e10 = force(yaw) - 0.04*r' - 0.01*p*q\n"
        "run t = 0..5, tolerance 1e-14, samples 21\n",
        NULL);
    errors_stay_below(&m, 10, 1e-11);
    assert_true(motion_final(&m, "balance") < 1e-12);
    motion_clear(&m);
}

// A damper in the rope's hinge pushes the load across the rope: the direction is no longer decided
// at once, and one number of the state is left to the motion. What is asked holds, the ledger
// closes, and the load moves by the forces that it feels.
static void a_crane_with_a_damper_in_its_hinge(void) {
    Motion m = motion_of("model damped\ncoordinate u, s, w, r : line\ncoordinate theta : circle\n"
                         "let load = [s + r*sin(theta), -r*cos(theta)]\n"
                         "kinetic dot(load', load')/2 + s'^2 + r'^2/4 + u'^2/8 + w'^2/6\n"
                         "potential 9.81*load.y + 20*(u - s)^2 + 30*(w - r)^2\n"
                         "dissipation 0.3*(s'^2 + w'^2 + theta'^2)\n"
                         "control X = 0.5*sin(t), Z = -2 + 0.3*cos(1.3*t)\n"
                         "operator lead: load = [X, Z] by d(u), d(w)\n"
                         "observe e1 = load.x - X, e2 = load.y - Z\n"
                         "observe e3 = X''*cos(theta) + (Z'' + 9.81)*sin(theta) + 0.6*theta'/r\n"
                         "observe e4 = force(lead)[1] - u''/4 - 40*(u - s)\n"
                         "observe e5 = force(lead)[2] - w''/3 - 60*(w - r) - 0.6*w'\n"
                         "start r ~ 2\nrun t = 0..5, tolerance 1e-14, samples 21\n",
                         NULL);
    errors_stay_below(&m, 5, 1e-11);
    assert_true(motion_final(&m, "balance") < 1e-12);
    assert_true(says(&m, "derivatives up to the 5th"));
    motion_clear(&m);
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_crane_leads_its_load),
        TEST(a_crane_passes_corners),
        TEST(a_force_that_is_in_the_way_is_looked_behind),
        TEST(operators_that_ask_the_same_share_a_force),
        TEST(a_crane_leads_its_load_through_two_springs),
        TEST(a_crane_with_a_damper_in_its_hinge),
        TEST(a_rope_passes_where_it_hangs_straight),
        TEST(a_craft_leans_into_its_acceleration),
        TEST(an_arm_with_flexible_joints_leads_its_tip),
        TEST(a_skate_is_led_along_a_curve),
        TEST(a_car_is_led_by_its_trailer),
        TEST(a_craft_in_space_leans_into_its_acceleration),
    };
    return TESTS_RUN(tests);
}
