// The units of a model are nobody's business: lengths by L, times by T, masses by M, from atoms to
// galaxies, give the same motion, the same events, the same verdict. What is compared is observed
// without dimension.
// SPDX-License-Identifier: MIT
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Case {
    const char* name;
    const char* text;
    double longest;  // L beyond this is not tried; 0: any
} Case;

#define UNITS "parameter L = 1, T = 1, M = 1\n"

static const Case cases[] = {
    {.name = "corners and events",
     .text = UNITS "coordinate x, y : line\n"
                   "kinetic M/2*(x'^2 + y'^2)\n"
                   "potential M*L^2/T^2*(4*abs(x/L - 0.3) + 8*(y/L)^2 + max(y/L, 0.1))\n"
                   "event a: x = 0.1*L\n"
                   "event b: y'*T/L = 0.2\n"
                   "start x = L, y' = 0.5*L/T\n"
                   "observe o1 = x/L, o2 = y/L, o3 = x'*T/L, o4 = y'*T/L\n"
                   "run t = 0..3*T\n"},
    {.name = "a pendulum pulled by a driven spring",
     .text = UNITS "coordinate x, y, s : line\n"
                   "kinetic M/2*(x'^2 + y'^2)\n"
                   "potential M*9*L/T^2*y + 3*M/T^2*(x - s)^2\n"
                   "constraint rod: x^2 + y^2 = L^2\n"
                   "operator drive: s = 0.2*L*sin(3*t/T)\n"
                   "event a: x = 0\n"
                   "start x = L\n"
                   "observe o1 = x/L, o2 = y/L, o3 = x'*T/L, o4 = force(rod)*T^2/M\n"
                   "run t = 0..3*T\n"},
    {.name = "a leap",
     .text = UNITS "coordinate x, s : line\n"
                   "kinetic M/2*(x'^2 + s'^2)\n"
                   "potential 3*M/T^2*(x - s)^2\n"
                   "operator drive: s = if(t < T, 0, 0.1*L)\n"
                   "start x = L\n"
                   "observe o1 = x/L, o2 = s/L, o3 = x'*T/L, o4 = energy*T^2/(M*L^2)\n"
                   "run t = 0..3*T\n"},
    {.name = "a servo",
     .text = UNITS "coordinate x, y : line\n"
                   "kinetic M/2*(x'^2 + 2*y'^2 + x'*y')\n"
                   "potential M/T^2*(x^2 + 2*(x - y)^2)\n"
                   "dissipation 0.1*M/T*(x' - y')^2\n"
                   "operator servo: x' = -2*y/T by d(y) + 0.3*d(x)\n"
                   "start x = L\n"
                   "observe o1 = x/L, o2 = y/L, o3 = y'*T/L, o4 = force(servo)*T^2/(M*L)\n"
                   "run t = 0..3*T\n"},
    {.name = "a driven velocity that jumps",
     .text = UNITS "coordinate x, s : line\n"
                   "kinetic M/2*(x'^2 + s'^2 + x'*s')\n"
                   "potential 3*M/T^2*(x - s)^2\n"
                   "operator drive: s = abs(t - T)*0.3*L/T\n"
                   "start x = L\n"
                   "observe o1 = x/L, o2 = s/L, o3 = x'*T/L, o4 = energy*T^2/(M*L^2)\n"
                   "run t = 0..3*T\n"},
    {.name = "a wall",
     .text = UNITS "coordinate x : line\n"
                   "kinetic M/2*x'^2\n"
                   "potential M*L^2/T^2*if(x < 0.5*L, 0, 3)\n"
                   "start x' = L/T\n"
                   "observe o1 = x/L, o2 = x'*T/L, o3 = energy*T^2/(M*L^2)\n"
                   "run t = 0..3*T\n"},
    {.name = "friction that sticks",
     .text = UNITS "coordinate x, y : line\n"
                   "kinetic M/2*(x'^2 + y'^2)\n"
                   "potential M*9*L/T^2*y\n"
                   "constraint floor: y = 0 force d(y) - 0.3*sign(x')*d(x)\n"
                   "start x' = L/T\n"
                   "observe o1 = x/L, o2 = x'*T/L, o3 = force(floor)*T^2/(M*L)\n"
                   "run t = 0..3*T\n"},
    {.name = "a body on a ball joint",
     .text = UNITS "body b: mass M, inertia [M*L^2, 2*M*L^2, 2.5*M*L^2], free\n"
                   "joint j: spherical(ground at [0, 0, 0], b at [0, 0, L])\n"
                   "gravity [0, 0, -9*L/T^2]\n"
                   "start b.attitude = rotx(1), omega(b.attitude) = [1/T, 2/T, 0]\n"
                   "observe o1 = b.position.x/L, o2 = b.position.z/L, o3 = b.omega.y*T, o4 = "
                   "force(j)[3]*T^2/(M*L)\n"
                   "run t = 0..2*T\n"},
    {.name = "rods in a row, each a body, by sparse elimination",
     .text = UNITS
     "parameter N = 12\n"
     "body b[i = 1..N]: mass M, inertia M*L^2/12, free\n"
     "joint j[1]: spherical(ground at [0, 0, 0], b[1] at [0, 0, L/2])\n"
     "joint j[i = 2..N]: spherical(b[i-1] at [0, 0, -L/2], b[i] at [0, 0, L/2])\n"
     "gravity [0, 0, -9*L/T^2]\n"
     "start b[i = 1..N].position ~ [0, 0, L/2 - i*L], omega(b[1].attitude) = [0, 1/T, 0]\n"
     "observe o1 = b[1].position.x/L, o2 = b[N].position.x/L, o3 = b[N].omega.y*T, o4 = "
     "force(j[1])[3]*T^2/(M*L)\n"
     "run t = 0..T\n",
     .longest = 1e12},  // m r^2 beside m: beyond this no inertia but rounding
};

static const double units[][3] = {
    {1e-3, 1e-3, 1e-3},  {1e-4, 1e-2, 1e-6}, {1e-6, 1e-3, 1e-9}, {1e-6, 1e-6, 1e-12},
    {1e-9, 1e-9, 1e-20}, {1, 1, 1e-27},      {1, 1e-13, 1},      {1e-10, 1e-13, 1e-27},
    {1e6, 1, 1},         {1, 1e6, 1},        {1e11, 3e7, 2e30},  {1e16, 1e13, 1e30},
    {1e20, 1e16, 1e40},
};

static const char* const names[] = {"o1", "o2", "o3", "o4"};
static Motion run(const char* text, double L, double T, double M) {
    LiaDefine defines[3] = {{"L", L}, {"T", T}, {"M", M}};
    MotionOptions options = {.quiet = 1, .defines = defines, .define_count = 3};
    return motion_of(text, &options);
}

static bool same(const Motion* a, const Motion* b, double T) {
    if (!a->t || !b->t || a->status != b->status) return false;
    if (a->t->events.count != b->t->events.count) return false;
    double late = motion_final(b, "t") / T - motion_final(a, "t");
    if (!(fabs(late) < 1e-9) || !(motion_final(b, "balance") < 1e-9)) return false;
    for (int i = 0; i < 4; i++) {
        double x = motion_final(a, names[i]), y = motion_final(b, names[i]);
        if (!isnan(x) && !(fabs(x - y) < 1e-9 * (1.0 + fabs(x)))) return false;
    }
    return true;
}

// Residuals are parts of the sizes met: neither larger nor smaller in other units, but for
// rounding. The coupling number is known in all of them.
static bool same_residuals(const Motion* a, const Motion* b) {
    for (size_t i = 0; a->t && b->t && i < a->t->constraints.count; i++) {
        double x = a->t->constraints.list[i].worst, y = b->t->constraints.list[i].worst;
        bool alike = x > 5e-17 ? y > 1e-3 * x : true;
        if (!(x <= 5e-15 && y <= 5e-15 && alike)) {
            printf("residual of '%s': %.2e, %.2e\n", a->t->constraints.list[i].name, x, y);
            return false;
        }
    }
    return !a->t || !b->t || isnan(a->t->regularity) == isnan(b->t->regularity);
}

int main(void) {
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        Motion one = run(cases[c].text, 1.0, 1.0, 1.0);
        for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
            const double* by = units[u];
            if (cases[c].longest > 0.0 && by[0] > cases[c].longest) continue;
            Motion other = run(cases[c].text, by[0], by[1], by[2]);
            bool ok = same(&one, &other, by[1]) && same_residuals(&one, &other);
            if (!cases_count(ok)) {
                printf("%s, L = %g, T = %g, M = %g: %s\n", cases[c].name, by[0], by[1], by[2],
                       other.t ? lia_trajectory_status(other.t) : "does not run");
                for (int i = 0; i < 4; i++) {
                    printf("  %s  %.15g  %.15g\n", names[i], motion_final(&one, names[i]),
                           motion_final(&other, names[i]));
                }
            }
            motion_clear(&other);
        }
        motion_clear(&one);
    }
    return cases_end();
}
