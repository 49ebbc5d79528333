// Laws and forces whose exponentials overflow along the run while their quotients are numbers.
// SPDX-License-Identifier: MIT
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static void assert_near(const Motion* m, const char* name, double want) {
    double got = motion_final(m, name);
    if (!(fabs(got - want) <= 1e-10 * (1.0 + fabs(want))))
        fail_msg("%s = %.17g, expected %.17g", name, got, want);
}

static void logistic_laws_run_on(void) {
    for (int plain = 0; plain < 2; plain++) {
        Motion m = motion_of("parameter K = 3, r = 10, P = 0.5\n"
                             "coordinate s, p, c, d : line\n"
                             "kinetic (s'^2 + p'^2 + c'^2 + d'^2)/2\n"
                             "operator step: s = exp(10*(t-5))/(1+exp(10*(t-5)))\n"
                             "operator grow: p = K*exp(r*t)/(K + P*(exp(r*t) - 1))\n"
                             "operator turn: c = (exp(10*(t-100)) - exp(-10*(t-100)))"
                             "/(exp(10*(t-100)) + exp(-10*(t-100)))\n"
                             "force push: exp(20*(t-40))/(1+exp(20*(t-40)))^2*d(d)\n"
                             "observe half = exp(10*(t-200))/(1+exp(10*(t-200)))\n"
                             "start d = 0, d' = 0\nrun t = 0..200\n",
                             &(MotionOptions){.no_eliminate = plain});
        assert_int_equal(m.status, LIA_OK);
        assert_near(&m, "s", 1.0);
        assert_near(&m, "p", 6.0);
        assert_near(&m, "c", 1.0);
        assert_near(&m, "d'", 0.05);  // the integral of the bell
        assert_near(&m, "d", 8.0);
        assert_near(&m, "half", 0.5);
        assert_true(m.t->ledger.balance < 1e-9);
        motion_clear(&m);
    }
}

// What is too large in a Hamiltonian is said to stand there.
static void a_hamiltonian_that_overflows_is_named(void) {
    Motion m = motion_of("phase M : space\n"
                         "bracket {M, M} = [[0, -M.z, M.y], [M.z, 0, -M.x], [-M.y, M.x, 0]]\n"
                         "hamiltonian dot(M, M)/2 + M.x*M.y\n"
                         "start M = [-9007199254740993, 1, 0]\nrun t = 0..40\n",
                         &(MotionOptions){.quiet = true});
    assert_int_equal(m.status, LIA_FAILED);
    assert_non_null(strstr(m.t->reason.text, "in the Hamiltonian"));
    motion_clear(&m);
}

// Where no constraint is to blame, a rate that is too large is said by the first step.
static void a_phase_space_without_constraints_says_what_is_too_large(void) {
    Motion m = motion_of("phase x, p\nbracket {x, p} = 1\nhamiltonian p^2/2 + exp(x)\n"
                         "start x = 700, p = 1\nrun t = 0..4\n",
                         &(MotionOptions){.quiet = true});
    assert_int_equal(m.status, LIA_FAILED);
    assert_non_null(strstr(m.t->reason.text, "'exp(x)' in the Hamiltonian"));
    motion_clear(&m);
}

int main(void) {
    const TestCase tests[] = {
        TEST(logistic_laws_run_on),
        TEST(a_hamiltonian_that_overflows_is_named),
        TEST(a_phase_space_without_constraints_says_what_is_too_large),
    };
    return TESTS_RUN(tests);
}
