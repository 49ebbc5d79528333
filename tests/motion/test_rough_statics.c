// What stands by friction, and what begins to move: stacks of bricks, a table, a ladder against a
// rough wall, an arch of three discs. Their contacts are redundant, so that the forces are not
// unique; whether they stand is decided by statics all the same, and so is how they begin to move.
// SPDX-License-Identifier: MIT
#include "../support/motion.h"
#include "support/cases.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static const double g = 9.81;

static Motion run(const char* text, const LiaDefine* defines, size_t count) {
    Motion m = motion_of(text, &(MotionOptions){.defines = defines, .define_count = count});
    assert_int_equal(m.status, LIA_OK);
    return m;
}

static double final_of(const Motion* m, const char* what, int i) {
    char name[16];
    snprintf(name, sizeof name, what, i);
    return motion_final(m, name);
}

// --- bricks -------------------------------------------------------------------------------------

static const char stack[] =
    "parameter n = 3, w = 0.3, h = 0.1, g = 9.81, mu = 0.5, F = 0, tilt = 0\n"
    "coordinate x[i = 1..n], y[i = 1..n], a[i = 1..n] : line\n"
    "kinetic sum(i = 1..n, x[i]'^2 + y[i]'^2 + (w^2 + h^2)/12*a[i]'^2)/2\n"
    "potential g*sum(i = 1..n, y[i]*cos(tilt) + x[i]*sin(tilt))\n"
    "force push: F*d(x[n])\n"
    "let cx[i = 1..n, s = 1..2] = x[i] + (2*s - 3)*w/2*cos(a[i]) + h/2*sin(a[i])\n"
    "let cy[i = 1..n, s = 1..2] = y[i] + (2*s - 3)*w/2*sin(a[i]) - h/2*cos(a[i])\n"
    "let lx[i = 2..n, s = 1..2] = cos(a[i-1])*(cx[i,s] - x[i-1]) + sin(a[i-1])*(cy[i,s] - "
    "y[i-1])\n"
    "let ly[i = 2..n, s = 1..2] = -sin(a[i-1])*(cx[i,s] - x[i-1]) + cos(a[i-1])*(cy[i,s] - "
    "y[i-1])\n"
    "contact floor[s = 1..2]: cy[1,s] >= 0 slip cx[1,s]' friction mu\n"
    "contact lies[i = 2..n, s = 1..2]: ly[i,s] >= h/2 slip lx[i,s]' friction mu\n"
    "start x[i = 1..n] = 0, y[i = 1..n] = (i - 1/2)*h, a[i = 1..n] = 0\n"
    "run t = 0..0.3\n";

// n bricks, the uppermost pushed with F, on a floor that is tilted: the lowest one and the
// uppermost one have these accelerations.
static void check_stack(int n, double F, double tilt, double lowest, double uppermost) {
    const double t = 0.3, error = 1e-13;
    const LiaDefine defines[] = {{"n", n}, {"F", F}, {"tilt", tilt}};
    Motion m = run(stack, defines, sizeof defines / sizeof *defines);
    double first = final_of(&m, "x[%d]", 1), last = final_of(&m, "x[%d]", n);
    if (!(fabs(first - 0.5 * lowest * t * t) <= error &&
          fabs(last - 0.5 * uppermost * t * t) <= error))
        fail_msg("%d bricks, F = %g, tilt %g: at %.15g and %.15g", n, F, tilt, first, last);
    for (int i = 1; i <= n; i++) {
        assert_true(fabs(final_of(&m, "y[%d]", i) - (i - 0.5) * 0.1) <= error);
        assert_true(fabs(final_of(&m, "a[%d]", i)) <= error);
    }
    motion_clear(&m);
}

// The friction between any two bricks is on its bound while the stack slides as a whole.
static void a_stack_of_bricks_slides_where_friction_ends(void) {
    const double mu = 0.5, limit = atan(mu);
    for (int n = 2; n <= 5; n += cases_every() > 1 ? 3 : 1) {
        check_stack(n, 0.999 * mu * g, 0.0, 0.0, 0.0);
        check_stack(n, 1.01 * mu * g, 0.0, 0.0, 0.01 * mu * g);
        check_stack(n, 0.0, limit - 1e-6, 0.0, 0.0);
        double tilt = limit + 0.01, a = -g * (sin(tilt) - mu * cos(tilt));
        check_stack(n, 0.0, tilt, a, a);
    }
}

// --- a table ------------------------------------------------------------------------------------

static void a_table_of_four_legs_slides_where_friction_ends(void) {
    static const char table[] = "parameter mu = 0.4, F = 0, at = 0.5\n"
                                "body k: mass 1, inertia [0.25/12, 0.2/12, 0.13/12], free\n"
                                "gravity [0, 0, -9.81]\n"
                                "force push: [F*cos(at), F*sin(at), 0] on k at k.position - [0, 0, "
                                "0.1]\n"
                                "contact floor: box(k, [0.4, 0.3, 0.2]) on plane(ground) friction "
                                "mu\n"
                                "start k.position = [0, 0, 0.1], k.velocity = 0, k.omega = 0,\n"
                                "    k.attitude = rotz(0.3)\n"
                                "run t = 0..0.3\n";
    const double mu = 0.4, t = 0.3;
    for (int i = 0; i < 2; i++) {
        double F = (i == 0 ? 0.999 : 1.02) * mu * g, a = i == 0 ? 0.0 : F - mu * g;
        const LiaDefine defines[] = {{"F", F}};
        Motion m = run(table, defines, 1);
        assert_float_equal(motion_final(&m, "k.position.x"), 0.5 * a * t * t * cos(0.5), 1e-11);
        assert_float_equal(motion_final(&m, "k.position.y"), 0.5 * a * t * t * sin(0.5), 1e-11);
        assert_float_equal(motion_final(&m, "k.position.z"), 0.1, 1e-12);
        motion_clear(&m);
    }
}

// --- a ladder -----------------------------------------------------------------------------------

// It stands where tan(th) >= (1 - mu1 mu2)/(2 mu1).
static void a_ladder_falls_where_statics_says(void) {
    static const char ladder[] =
        "parameter L = 2, th = 0.9, g = 9.81, mu1 = 0.4, mu2 = 0.3\n"
        "coordinate x, y, a : line\n"
        "kinetic (x'^2 + y'^2 + L^2/12*a'^2)/2\n"
        "potential g*y\n"
        "contact floor: y - L/2*sin(a) >= 0 slip x' + L/2*sin(a)*a' friction mu1\n"
        "contact wall: -(x + L/2*cos(a)) >= 0 slip y' + L/2*cos(a)*a' friction mu2\n"
        "start x = -L/2*cos(th), y = L/2*sin(th), a = th\n"
        "run t = 0..0.1\n";
    static const double mu[][2] = {{0.4, 0.3}, {0.3, 0.0}, {0.2, 1.0}, {0.7, 0.5}};
    for (size_t i = 0; i < sizeof mu / sizeof *mu; i++) {
        double limit = atan((1.0 - mu[i][0] * mu[i][1]) / (2.0 * mu[i][0]));
        for (int side = -1; side <= 1; side += 2) {
            double th = limit + side * 1e-4;
            const LiaDefine defines[] = {{"th", th}, {"mu1", mu[i][0]}, {"mu2", mu[i][1]}};
            Motion m = run(ladder, defines, 3);
            double turned = motion_final(&m, "a") - th;
            if (!(side > 0 ? fabs(turned) <= 1e-13 : turned < -1e-8))
                fail_msg("mu %g, %g at %g: turned by %g", mu[i][0], mu[i][1], th, turned);
            motion_clear(&m);
        }
    }
}

// --- three discs --------------------------------------------------------------------------------

// One lies on two that touch each other. T/N is tan 15 degrees between the discs and tan(15)/3 on
// the floor, at least; the two press each other as much as friction allows, or not at all.
static void an_arch_of_three_discs_stands_where_statics_says(void) {
    static const char arch[] =
        "parameter r = 0.1, g = 9.81, mp = 0.3, mf = 0.3\n"
        "coordinate x[i = 1..3], y[i = 1..3], a[i = 1..3] : line\n"
        "kinetic sum(i = 1..3, x[i]'^2 + y[i]'^2 + r^2/2*a[i]'^2)/2\n"
        "potential g*sum(i = 1..3, y[i])\n"
        "let gap[i = 1..3, j = i+1..3] = hypot(x[i] - x[j], y[i] - y[j])\n"
        "contact floor[i = 1..3]: y[i] >= r slip x[i]' + r*a[i]' friction mf\n"
        "contact pair[i = 1..3, j = i+1..3]: gap[i,j] >= 2*r slip ((x[i] - x[j])*(y[i]' - y[j]')\n"
        "  - (y[i] - y[j])*(x[i]' - x[j]'))/gap[i,j] - r*(a[i]' + a[j]') friction mp\n"
        "start x[1] = -r, x[2] = r, x[3] = 0, y[1] = r, y[2] = r, y[3] = r + sqrt(3)*r\n"
        "run t = 0..0.05\n";
    const double discs = tan(atan(1.0) / 3.0), floor = discs / 3.0;
    const double mu[][2] = {{discs, 0.3}, {0.5, floor}, {discs, floor}};
    for (size_t i = 0; i < sizeof mu / sizeof *mu; i++) {
        for (int side = -1; side <= 1; side += 2) {
            double part = 1.0 + side * 1e-4;
            const LiaDefine defines[] = {{"mp", part * mu[i][0]}, {"mf", part * mu[i][1]}};
            Motion m = run(arch, defines, 2);
            double sunk = 0.1 + sqrt(3.0) * 0.1 - final_of(&m, "y[%d]", 3);
            if (!(side > 0 ? fabs(sunk) <= 1e-13 : sunk > 1e-8))
                fail_msg("mu %g, %g: sunk by %g", part * mu[i][0], part * mu[i][1], sunk);
            motion_clear(&m);
        }
    }
}

// --- a load that goes ---------------------------------------------------------------------------

// Discs in a row between a wall and a load F with friction mu F, which falls to zero at t = 1: so
// do all forces between them, at once, and what they can be is less and less. Then the load pulls,
// and the last disc rolls away with x'' = -2/3 (1 - mu) F.
static void a_load_on_a_row_of_discs_goes_to_zero(void) {
    static const char row[] =
        "parameter r = 0.1, g = 9.81, mu = 0.8, c = 1, n = 3\n"
        "coordinate x[i = 1..n], y[i = 1..n], a[i = 1..n] : line\n"
        "kinetic sum(i = 1..n, x[i]'^2 + y[i]'^2 + r^2/2*a[i]'^2)/2\n"
        "potential g*sum(i = 1..n, y[i])\n"
        "let F = c*((1 - t) + (1 - t)^2/2)\n"
        "force load: -F*d(x[n]) - mu*F*d(y[n]) - r*mu*F*d(a[n])\n"
        "let gap[i = 1..n-1] = hypot(x[i+1] - x[i], y[i+1] - y[i])\n"
        "contact wall: x[1] >= r slip y[1]' - r*a[1]' friction mu\n"
        "contact floor[i = 1..n]: y[i] >= r slip x[i]' + r*a[i]' friction mu\n"
        "contact pair[i = 1..n-1]: gap[i] >= 2*r slip ((x[i] - x[i+1])*(y[i]' - y[i+1]')\n"
        "  - (y[i] - y[i+1])*(x[i]' - x[i+1]'))/gap[i] - r*(a[i]' + a[i+1]') friction mu\n"
        "start x[i = 1..n] = (2*i - 1)*r, y[i = 1..n] = r\n"
        "run t = 0..1.5\n";
    static const double mu[] = {0.3, 0.8}, loads[] = {1.0, 1e-3, 1e-6};
    for (int i = 0; i < 6; i++) {
        double c = loads[i / 2];
        const LiaDefine defines[] = {{"mu", mu[i % 2]}, {"c", c}};
        Motion m = run(row, defines, 2);
        double rolled = 2.0 / 3.0 * (1.0 - mu[i % 2]) * c * (0.125 / 6.0 - 0.0625 / 24.0);
        double found = final_of(&m, "x[%d]", 3) - 0.5;
        LiaMotionInfo info = {0};
        assert_true(lia_trajectory_info(m.t, &info, sizeof info));
        if (!(fabs(found - rolled) <= 1e-8 * c + 1e-13 && info.steps <= 30))
            fail_msg("mu %g, load %g: rolled %.15g, not %.15g; %g steps", mu[i % 2], c, found,
                     rolled, (double)info.steps);
        for (int k = 1; k <= 2; k++)
            assert_true(fabs(final_of(&m, "x[%d]", k) - (2 * k - 1) * 0.1) <= 1e-13);
        motion_clear(&m);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_stack_of_bricks_slides_where_friction_ends),
        TEST(a_table_of_four_legs_slides_where_friction_ends),
        TEST(a_ladder_falls_where_statics_says),
        TEST(an_arch_of_three_discs_stands_where_statics_says),
        TEST(a_load_on_a_row_of_discs_goes_to_zero),
    };
    return TESTS_RUN(tests);
}
