// Large systems: sparse elimination of K0 and tapes in windows, against other coordinates, dense
// algebra and energy.
// SPDX-License-Identifier: MIT
#include "mechanics/kkt/workspace.h"
#include "mechanics/test_hooks.h"
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Rods in space, each a free body, hung from each other: a plane curve at rest.
static const char bodies[] =
    "model bodies\n"
    "parameter N = 40, l = 0.1, m = 1, g = 9.81, bend = 0.05\n"
    "body b[i = 1..N]: mass m, inertia [m*l^2/12, m*l^2/12, m*l^2/50], free\n"
    "gravity [0, 0, -g]\n"
    "let a[0] = [0, 0, 0]\n"
    "let a[i = 1..N] = a[i-1] + l*[sin(bend*i), 0, -cos(bend*i)]\n"
    "constraint pin: point(b[1], [0, 0, l/2]) = [0, 0, 0]\n"
    "constraint link[i = 2..N]: point(b[i-1], [0, 0, -l/2]) = point(b[i], [0, 0, l/2])\n"
    "start b[i = 1..N].position = a[i-1] + l/2*[sin(bend*i), 0, -cos(bend*i)]\n"
    "start b[i = 1..N].attitude = roty(-bend*i)\n"
    "observe last = b[N].position.x\n"
    "run t = 0..0.3\n";

// The same rods by their angles.
static const char angles[] = "model angles\n"
                             "parameter N = 40, l = 0.1, m = 1, g = 9.81, bend = 0.05\n"
                             "coordinate q[i = 1..N] : circle\n"
                             "let r[0] = [0, 0]\n"
                             "let r[i = 1..N] = r[i-1] + l*[sin(q[i]), -cos(q[i])]\n"
                             "let c[i = 1..N] = r[i-1] + l/2*[sin(q[i]), -cos(q[i])]\n"
                             "kinetic sum(i = 1..N, m/2*dot(c[i]', c[i]') + m*l^2/24*q[i]'^2)\n"
                             "potential sum(i = 1..N, m*g*c[i].y)\n"
                             "start q[i = 1..N] = bend*i\n"
                             "observe last = c[N].x\n"
                             "run t = 0..0.3\n";

static const char net[] =
    "model net\n"
    "parameter N = 6, l = 0.1, m = 1, g = 9.81\n"
    "coordinate x[i = 1..N, j = 1..N], y[i = 1..N, j = 1..N], z[i = 1..N, j = 1..N] : line\n"
    "let p[i = 1..N, j = 1..N] = [x[i,j], y[i,j], z[i,j]]\n"
    "kinetic sum(i = 1..N, j = 1..N, m/2*dot(p[i,j]', p[i,j]'))\n"
    "potential sum(i = 1..N, j = 1..N, m*g*z[i,j])\n"
    "constraint along[i = 2..N, j = 1..N]: dot(p[i,j] - p[i-1,j], p[i,j] - p[i-1,j]) = l^2\n"
    "constraint across[i = 1..N, j = 2..N]: dot(p[i,j] - p[i,j-1], p[i,j] - p[i,j-1]) = l^2\n"
    "start x[i = 1..N, j = 1..N] = l*i, y[i = 1..N, j = 1..N] = l*j\n"
    "start z[i = 1..N, j = 1..N] = 0, z[i = 1..N, j = 1..N]' = cos(0.3*i)*sin(0.2*j + 0.1*i)\n"
    "run t = 0..0.2\n";

static Motion run(const char* text, double N) {
    LiaDefine size = {"N", N};
    MotionOptions options = {.defines = &size, .define_count = N > 0.0, .run = {.samples = 3}};
    Motion m = motion_of(text, &options);
    assert_non_null(m.t);
    assert_string_equal(lia_trajectory_status(m.t), "done");
    return m;
}

static void bodies_move_as_their_angles_do(void) {
    Motion a = run(bodies, 0), b = run(angles, 0);
    assert_true(a.system->full->sparse);
    assert_false(b.system->full->sparse);  // M is full
    assert_true(fabs(motion_final(&a, "last") - motion_final(&b, "last")) < 1e-11);
    assert_true(fabs(motion_final(&a, "energy") - motion_final(&b, "energy")) < 1e-9);
    motion_clear(&a);
    motion_clear(&b);
}

static void a_long_chain_keeps_its_energy(void) {
    Motion m = run(bodies, 200);
    assert_true(m.t->ledger.balance < 1e-14);
    assert_true(m.t->regularity == 1.0);
    for (size_t c = 0; c < m.t->constraints.count; c++) {
        assert_true(m.t->constraints.list[c].worst < 1e-13);
        assert_true(m.t->constraints.list[c].unique);
    }
    motion_clear(&m);
}

// Windows of main that have blocks of their own.
static uint32_t kinds_of_windows(const Motion* m) {
    LiaWorkspace* w = lia_workspace_create(m->system, m->system->full, 4);
    assert_non_null(w);
    uint32_t kinds = 0;
    for (uint32_t i = 0; i < w->jets.tape->window_count; i++) {
        kinds += i == 0 || w->jets.windows[i].begin != w->jets.windows[i - 1].begin;
    }
    lia_workspace_destroy(w);
    return kinds;
}

// Bodies that are alike share their instructions; the same bodies, each with a mass of its own that
// happens to be that of the others, cannot. Both move alike to the last bit.
static void bodies_that_are_alike_share_their_instructions(void) {
    char own[2048];
    const char *mass = "mass m,", *at = strstr(bodies, mass);
    assert_non_null(at);
    snprintf(own, sizeof own, "%.*smass m + none*i,%sparameter none = 0\n", (int)(at - bodies),
             bodies, at + strlen(mass));
    Motion a = run(bodies, 320), b = run(own, 320);
    assert_true(a.system->full->tape->window_count > 6);
    assert_true(kinds_of_windows(&a) <= 4);
    assert_int_equal(kinds_of_windows(&b), b.system->full->tape->window_count);
    for (size_t c = 0; c < lia_trajectory_columns(a.t); c++) {
        for (size_t r = 0; r < lia_trajectory_rows(a.t); r++) {
            double x = lia_trajectory_value(a.t, r, c), y = lia_trajectory_value(b.t, r, c);
            assert_memory_equal(&x, &y, sizeof x);
        }
    }
    motion_clear(&a);
    motion_clear(&b);
}

// Alone, the chain goes from stage to stage window by window. Beside it a cart that is held, whose
// force is asked for at each
// order: then all of a stage is finished before the next. Both ways are the same to the last bit.
static void a_held_cart_beside_the_chain_changes_nothing(void) {
    char held[2048];
    snprintf(held, sizeof held,
             "%scoordinate c : line\nkinetic m/2*c'^2\noperator hold: c = 0\nstart c = 0\n",
             bodies);
    Motion a = run(bodies, 80), b = run(held, 80);
    assert_true(a.system->reduced->tape->window_count > 1);
    assert_true(b.system->reduced->tape->window_count > 1);
    assert_int_equal(b.system->reduced->drive_count, 1);
    static const char* const names[] = {"last", "energy"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        double x = motion_final(&a, names[i]), y = motion_final(&b, names[i]);
        assert_memory_equal(&x, &y, sizeof x);
    }
    motion_clear(&a);
    motion_clear(&b);
}

// Full matrices on request: the way small systems go.
static LiaTrajectory* again(Motion* m, LiaAlgebra algebra) {
    static const LiaTestHooks algebras[] = {{.algebra = LIA_ALGEBRA_BEST},
                                            {.algebra = LIA_ALGEBRA_DENSE},
                                            {.algebra = LIA_ALGEBRA_SPARSE}};
    LiaTrajectory* t = NULL;
    LiaRunOptions options = {.samples = 3};
    m->system->hooks = &algebras[algebra];
    lia_motion_run(m->system, &options, m->diags, &t);
    assert_non_null(t);
    return t;
}

static void ways_agree(const char* text, int N) {
    Motion m = run(text, N);
    assert_true(m.system->full->sparse);
    LiaTrajectory* dense = again(&m, LIA_ALGEBRA_DENSE);
    for (size_t c = 0; c < lia_trajectory_columns(dense); c++) {
        for (size_t r = 0; r < lia_trajectory_rows(dense); r++) {
            double x = lia_trajectory_value(dense, r, c), y = lia_trajectory_value(m.t, r, c);
            if (fabs(x - y) <= 1e-11 * (1.0 + fabs(x))) continue;
            fail_msg("%s: %.17g dense, %.17g sparse", lia_trajectory_column(dense, c), x, y);
        }
    }
    lia_trajectory_destroy(dense);
    motion_clear(&m);
}

static void dense_and_sparse_agree(void) {
    ways_agree(bodies, 10);
    ways_agree(net, 6);
}

// The second mass of a long chain is led by a force on the first: equations of degree 4 among many
// unknowns.
static void a_long_chain_is_led_through_a_spring(void) {
    static const char led[] = "model led\nparameter N = 3\ncoordinate x[i = 1..N] : line\n"
                              "kinetic sum(i = 1..N, x[i]'^2/2)\n"
                              "potential sum(i = 2..N, (x[i] - x[i-1])^2/2) + (x[2] - x[1])^4\n"
                              "operator lead: x[2] = sin(t)/10 by d(x[1])\n"
                              "observe last = x[N]\nrun t = 0..3\n";
    ways_agree(led, 120);
    Motion m = run(led, 400);
    assert_int_equal(m.status, LIA_OK);
    assert_true(m.t->ledger.balance < 1e-13);
    assert_true(m.t->constraints.list[0].worst < 1e-13 && m.t->constraints.list[0].degree == 2);
    motion_clear(&m);
}

// Each link said twice, once in other words: half of the rows depend on the others, and their
// forces are shared.
static void redundant_equations_change_no_motion(void) {
    char text[4096];
    snprintf(text, sizeof text,
             "%sconstraint twice[i = 2..N]: 2*point(b[i-1], [0, 0, -l/2]) - "
             "2*point(b[i], [0, 0, l/2]) = 0\n",
             bodies);
    Motion plain = run(bodies, 30), twice = run(text, 30);
    assert_true(twice.system->full->sparse);
    assert_true(fabs(motion_final(&plain, "last") - motion_final(&twice, "last")) < 1e-11);
    // least norm: link gets mu/5, twice gets 2 mu/5
    double whole = motion_final(&plain, "force(link[15])[3]"),
           part = motion_final(&twice, "force(link[15])[3]"),
           other = motion_final(&twice, "force(twice[15])[3]");
    assert_true(fabs(part - whole / 5.0) < 1e-8 * (1.0 + fabs(whole)));
    assert_true(fabs(other - 2.0 * whole / 5.0) < 1e-8 * (1.0 + fabs(whole)));
    for (size_t c = 0; c < twice.t->constraints.count; c++) {
        const LiaConstraintReport* r = &twice.t->constraints.list[c];
        assert_int_equal(r->unique, strcmp(r->name, "pin") == 0);
    }
    motion_clear(&plain);
    motion_clear(&twice);
}

// Nothing but guesses: the nearest admissible start is found by sparse elimination too. The way
// there is far and curved.
static const char rope[] = "model rope\n"
                           "parameter N = 40, l = 0.1\n"
                           "coordinate x[i = 1..N], y[i = 1..N] : line\n"
                           "let p[0] = [0, 0]\n"
                           "let p[i = 1..N] = [x[i], y[i]]\n"
                           "kinetic sum(i = 1..N, 1/2*dot(p[i]', p[i]'))\n"
                           "potential sum(i = 1..N, 9.81*y[i])\n"
                           "constraint link[i = 1..N]: dot(p[i] - p[i-1], p[i] - p[i-1]) = l^2\n"
                           "start x[i = 1..N] ~ 0.101*i, y[i = 1..N] ~ 0.01*sin(i)\n"
                           "start x[i = 1..N]' ~ 0.1*i, y[i = 1..N]' ~ 1\n"
                           "run t = 0..0.01\n";

static void dense_and_sparse_starts_agree(void) {
    Motion sparse = run(rope, 40);
    assert_true(sparse.system->full->sparse);
    LiaTrajectory* dense = again(&sparse, LIA_ALGEBRA_DENSE);
    for (size_t c = 0; c < lia_trajectory_columns(dense); c++) {
        double x = lia_trajectory_value(dense, 0, c), y = lia_trajectory_value(sparse.t, 0, c);
        if (fabs(x - y) <= 1e-12 * (1.0 + fabs(x))) continue;
        fail_msg("%s: %.17g dense, %.17g sparse", lia_trajectory_column(dense, c), x, y);
    }
    lia_trajectory_destroy(dense);
    motion_clear(&sparse);
}

// Nearest: the way from the guess is a sum of gradients of the links. All ways from one end of the
// rope to a link then add up to something along that link.
static void a_start_is_the_nearest(void) {
    enum { N = 100 };
    Motion m = run(rope, N);
    double sum[2] = {0.0, 0.0}, p[N + 1][2] = {{0.0, 0.0}};
    for (int i = 1; i <= N; i++) {
        char name[16];
        snprintf(name, sizeof name, "x[%d]", i);
        p[i][0] = motion_value(&m, 0, name);
        name[0] = 'y';
        p[i][1] = motion_value(&m, 0, name);
    }
    for (int i = N; i >= 1; i--) {
        sum[0] += p[i][0] - 0.101 * i;
        sum[1] += p[i][1] - 0.01 * sin(i);
        double along[2] = {p[i][0] - p[i - 1][0], p[i][1] - p[i - 1][1]};
        double off = (sum[0] * along[1] - sum[1] * along[0]) / hypot(along[0], along[1]);
        if (!(fabs(off) < 1e-11)) fail_msg("link %d: off by %.2e", i, off);
    }
    motion_clear(&m);
}

// The force on the trolley has no hold on the end of a rope that hangs straight: that is said,
// however long the rope is, and no hidden equation is looked for.
static void a_straight_rope_carries_no_force_across(void) {
    static const int lengths[] = {1, 2, 3, 4, 8, 20, 40};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        char text[900];
        snprintf(text, sizeof text,
                 "parameter N = %d, l = 1, m = 1, g = 9.81, M = 5\n"
                 "coordinate s : line\n"
                 "coordinate x[i = 1..N], z[i = 1..N] : line\n"
                 "let X[0] = s, Z[0] = 0\n"
                 "let X[i = 1..N] = x[i], Z[i = 1..N] = z[i]\n"
                 "kinetic M/2*s'^2 + sum(i = 1..N, m/2*(x[i]'^2 + z[i]'^2))\n"
                 "potential sum(i = 1..N, m*g*z[i])\n"
                 "constraint rod[i = 1..N]: (X[i] - X[i-1])^2 + (Z[i] - Z[i-1])^2 = l^2\n"
                 "operator hold: x[N] = 0.1*sin(t) by d(s)\n"
                 "start s ~ 0, x[i = 1..N] ~ 0, z[i = 1..N] ~ -i*l\n"
                 "run t = 0..0.1\n",
                 lengths[i]);
        Motion m = motion_of(text, &(MotionOptions){.quiet = 1});
        assert_non_null(m.t);
        char* found = lia_output_reason(m.t);
        if (!strstr(found, "E0401: at t = 0 the force of 'hold' moves s, and what 'hold' asks for"))
            fail_msg("N = %d: %s", lengths[i], found);
        lia_free(found);
        motion_clear(&m);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(bodies_move_as_their_angles_do),
        TEST(a_long_chain_keeps_its_energy),
        TEST(bodies_that_are_alike_share_their_instructions),
        TEST(a_held_cart_beside_the_chain_changes_nothing),
        TEST(dense_and_sparse_agree),
        TEST(a_long_chain_is_led_through_a_spring),
        TEST(redundant_equations_change_no_motion),
        TEST(dense_and_sparse_starts_agree),
        TEST(a_start_is_the_nearest),
        TEST(a_straight_rope_carries_no_force_across),
    };
    return TESTS_RUN(tests);
}
