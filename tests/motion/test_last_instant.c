// What happens at the last instant of a run has happened in the state at its end, whatever the
// steps; at the instant of a row in between it is to come. Numbers are closed forms.
//
// By law: motion/run/step_end.c: what happens at the end of a run is part of it
// By law: motion/result/held.c: what equations alone hold loses no digits to rounding in formulas
// SPDX-License-Identifier: MIT
#include "../support/motion.h"
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const struct Case {
    const char *text, *name;
    double before, after;
} cases[] = {
    // an impact
    {"coordinate z : line\nkinetic z'^2/2\npotential 9.81*z\ncontact floor: z >= 0 restitution "
     "0.5\n"
     "start z = 4.905\n",
     "z'", -9.81, 4.905},
    // a corner of a law, of a gap, of a force
    {"coordinate z, s : line\nkinetic (z'^2 + s'^2)/2\noperator o: s = 0.3*max(0, t - 1)\n", "s'",
     0, 0.3},
    {"coordinate x, z : line\nkinetic (x'^2 + z'^2)/2\npotential z\n"
     "contact c: z - max(0, x - 1) >= 0 restitution 0.5\nstart x' = 1\n",
     "z'", 0, 0.75},
    {"coordinate z : line\nkinetic z'^2/2\nforce f: 3*if(t < 1, 0, 1)*d(z)\nobserve a = z''\n", "a",
     0, 3},
    // a state that is set, a constraint that begins
    {"coordinate z : line\nkinetic z'^2/2\nevent e: t = 1 set z' = 2\n", "z'", 0, 2},
    {"coordinate z : line\nkinetic z'^2/2\nevent e: z = 1\nconstraint c: z' = 0 from e\nstart z' = "
     "1\n",
     "z'", 1, 0},
    // a slip that ends: with it the couple of the friction does
    {"coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\nforce w: -10*d(y)\n"
     "contact floor: y >= 0 slip x' friction 0.3\nobserve a = x''\nstart x' = 3\n",
     "a", -3, 0},
    {"coordinate x, y : line, a : circle\nkinetic (x'^2 + y'^2 + a'^2)/2\nforce P: 10*d(x) + "
     "10*d(y)\n"
     "constraint pin: [x, y] = [0, 0] slip a' friction 0.1\nobserve A = a''\n"
     "start a' = 1.4142135623730951\n",
     "A", -1.4142135623730951, 0},
};
static const char* const steps[] = {"", ", step at most 0.1", ", step at most 0.05",
                                    ", step at most 0.0333", ", step at most 0.003"};

// The row at t = 1 where the run ends there, and where it goes on.
static void the_state_at_the_end_is_after_it(void) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
            for (int end = 1; end <= 2; end++) {
                char text[1000];
                snprintf(text, sizeof text, "model m\n%srun t = 0..%d, samples %d%s\n",
                         cases[i].text, end, 2 * end + 1, steps[k]);
                Motion m = motion_of(text, &(MotionOptions){.quiet = 1});
                double row = motion_value(&m, 2, cases[i].name),
                       known = end == 1 ? cases[i].after : cases[i].before;
                double final = end == 1 ? motion_final(&m, cases[i].name) : row;
                bool right = fabs(row - known) < 1e-9 && fabs(final - row) < 1e-15;
                char* said = lia_diags_text(m.diags);
                bool quiet = !said || !strstr(said, "W04");
                if (m.status != LIA_OK || !right || !quiet)
                    fail_msg("case %zu%s, to %d: %.10g, at the end %.10g\n%s", i, steps[k], end,
                             row, final, said ? said : "");
                lia_free(said);
                motion_clear(&m);
            }
        }
    }
}

int main(void) {
    const TestCase tests[] = {TEST(the_state_at_the_end_is_after_it)};
    return TESTS_RUN(tests);
}
