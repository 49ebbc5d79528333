// Motions with contacts in other units of length, time and mass: the same events at the same times,
// the same states. Lengths and angles have no common unit, so nothing may compare them.
//
// By law: motion/contact/slip/slip_begin.c: what a slip from rest becomes has no unit of length
// By law: motion/contact/impact/impact_tail.c: nor have couples after the last of many impacts
// SPDX-License-Identifier: MIT
#include "../support/motion.h"
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define UNITS "parameter L = 1, T = 1, M = 1\n"

// Each with what is looked at in the end, in lengths.
static const struct Case {
    const char *text, *lengths[3];
} cases[] = {
    // a corner that sticks begins to slip, in space
    {UNITS
     "body b: mass M, inertia [0.02*M*L^2, 0.03*M*L^2, 0.025*M*L^2], free\n"
     "gravity [0, 0, -9.81*L/T^2]\n"
     "contact f: box(b, [0.4*L, 0.3*L, 0.2*L]) on plane(ground) restitution 0.3 friction 0.3\n"
     "start b.position = [0, 0, 0.6*L], b.attitude = rotx(0.5)*roty(0.4), b.velocity = [0.5*L/T, "
     "0, 0],\n"
     "    b.omega = [1/T, 2/T, 0]\nrun t = 0..0.76*T\n",
     {"b.position.x", "b.position.y", "b.position.z"}},
    // a ball bounces, slides, rolls and pivots, and stops
    {UNITS
     "body b: mass 2*M, inertia 0.008*M*L^2, free\ngravity [0, 0, -9.81*L/T^2]\n"
     "contact f: sphere(b, 0.1*L) on plane(ground) restitution 0.5 friction 0.2\n"
     "    rolling 0.001*L pivoting 0.002*L\n"
     "start b.position = [0, 0, 0.3*L], b.velocity = [L/T, 0.2*L/T, 0], b.attitude = rotz(0),\n"
     "    b.omega = [3/T, -10/T, 20/T]\nrun t = 0..12*T\n",
     {"b.position.x", "b.position.y", "b.position.z"}},
    // a slip of two components with an angle in it ends
    {UNITS "coordinate x, y, z : line\ncoordinate a : circle\n"
           "kinetic M/2*(x'^2 + y'^2 + z'^2) + 0.05*M*L^2*a'^2\n"
           "potential M*9.81*L/T^2*z + 1.5*M/T^2*y^2\n"
           "contact f: z >= 0 slip [x' + 0.2*L*a'*sin(a), y' - 0.2*L*a'*cos(a)] friction 0.3\n"
           "start z = 0, x' = 2*L/T, y = 0.5*L, a' = 3/T\nrun t = 0..3*T\n",
     {"x", "y", "z"}},
};

static const double units[][3] = {{1, 1, 1}, {1e-6, 1e-3, 1e-9}, {1e5, 10, 1e3}, {1, 1e-4, 1}};

static Motion run_in(const char* text, const double* unit) {
    const LiaDefine defines[] = {{"L", unit[0]}, {"T", unit[1]}, {"M", unit[2]}};
    return motion_of(text, &(MotionOptions){.defines = defines, .define_count = 3});
}

// The time of the last event of a kind, -1: there is none.
static double last_of(const LiaTrajectory* t, const char* name, LiaEventKind kind) {
    double last = -1.0;
    for (size_t i = 0; i < t->events.count; i++) {
        const LiaEventRecord* e = &t->events.list[i];
        if (e->kind == kind && strcmp(e->name, name) == 0) last = e->t;
    }
    return last;
}

static void motions_are_the_same_in_other_units(void) {
    static const char* const names[] = {"f", "f.6", "f.rolling", "f.pivoting"};
    static const LiaEventKind kinds[] = {LIA_EVENT_STICK, LIA_EVENT_SLIP, LIA_EVENT_ACCUMULATION};
    int events = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Motion first = run_in(cases[i].text, units[0]);
        assert_int_equal(first.status, LIA_OK);
        for (size_t u = 1; u < sizeof units / sizeof *units; u++) {
            Motion m = run_in(cases[i].text, units[u]);
            if (m.status != LIA_OK) fail_msg("case %zu does not end in units %zu", i, u);
            for (int k = 0; k < 3; k++) {
                double x = motion_final(&first, cases[i].lengths[k]);
                double y = motion_final(&m, cases[i].lengths[k]) / units[u][0];
                if (!(fabs(x - y) <= 1e-11))
                    fail_msg("case %zu, units %zu: %s %.17g, %.17g", i, u, cases[i].lengths[k], x,
                             y);
            }
            for (int k = 0; k < 12; k++) {
                double x = last_of(first.t, names[k / 3], kinds[k % 3]);
                double y = last_of(m.t, names[k / 3], kinds[k % 3]);
                if (x < 0.0 && y < 0.0) continue;
                if (!(fabs(x - y / units[u][1]) <= 1e-11))
                    fail_msg("case %zu, units %zu: %s at %.17g, %.17g", i, u, names[k / 3], x, y);
                events++;
            }
            motion_clear(&m);
        }
        motion_clear(&first);
    }
    assert_true(events >= 15);
}

int main(void) {
    const TestCase tests[] = {TEST(motions_are_the_same_in_other_units)};
    return TESTS_RUN(tests);
}
