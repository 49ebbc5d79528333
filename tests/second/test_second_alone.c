// The second way by itself: closed forms, its ledger, rows that follow from others.
// SPDX-License-Identifier: MIT
#include "comparing.h"
#include <math.h>
#include <string.h>

typedef struct Plain {
    LiaDiags* diags;
    LiaModel* model;
    Second* second;
    double q[COORDINATES_MOST], v[COORDINATES_MOST], work[LINES_MOST], mu[ROWS_MOST];
} Plain;

// Read, start, run from the model's t0 to t1.
static Plain plain_run(const char* text) {
    Plain p = {.diags = lia_diags_create()};
    if (lia_model_parse("test.lia", text, strlen(text), NULL, p.diags, &p.model) != LIA_OK) {
        char* said = lia_diags_text(p.diags);
        fail_msg("%s", said);
    }
    p.second = second_create(p.model);
    assert_non_null(p.second);
    assert_true(second_start(p.second, p.model->run.t0, p.q, p.v));
    assert_true(second_run(p.second, p.model->run.t0, p.model->run.t1, 1e-13, p.q, p.v, p.work));
    assert_true(second_solve(p.second, p.model->run.t1, p.q, p.v, NULL, p.mu));
    return p;
}

static void plain_clear(Plain* p) {
    second_destroy(p->second);
    lia_model_destroy(p->model);
    lia_diags_destroy(p->diags);
}

static void the_second_way_knows_closed_forms(void) {
    // an oscillator
    Plain p = plain_run(
        "coordinate x : line\nkinetic x'^2/2\npotential 2*x^2\nstart x = 1\nrun t = 0..3\n");
    assert_float_equal(p.q[0], cos(6.0), 1e-11);
    assert_float_equal(p.v[0], -2.0 * sin(6.0), 1e-11);
    plain_clear(&p);

    // the second disc follows the first and does not pull at it
    p = plain_run("coordinate a, b : line\nkinetic a'^2/2 + b'^2\npotential 3/2*a^2\n"
                  "operator follow: a - b = 0 by d(b)\nstart a = 1\nrun t = 0..2\n");
    double w = sqrt(3.0);
    assert_float_equal(p.q[1], cos(2.0 * w), 1e-11);
    assert_float_equal(p.mu[0], -2.0 * w * w * cos(2.0 * w), 1e-10);
    assert_float_equal(p.work[0], 3.0 * sin(2.0 * w) * sin(2.0 * w), 1e-10);
    plain_clear(&p);

    // and does when the constraint is ideal
    p = plain_run("coordinate a, b : line\nkinetic a'^2/2 + b'^2\npotential 3/2*a^2\n"
                  "constraint glue: a - b = 0\nstart a = 1\nrun t = 0..2\n");
    assert_float_equal(p.q[1], cos(2.0), 1e-11);
    assert_float_equal(p.work[0], 0.0, 1e-12);
    plain_clear(&p);

    // a puck with Coulomb friction: v = 2 - nu g t
    p = plain_run("coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential 9.81*z\n"
                  "constraint floor: z = 0\n  force d(z) - 0.3*(x'*d(x) + y'*d(y))/hypot(x', y')\n"
                  "start x = 0, y = 0, x' = 2, y' = 0\nrun t = 0..0.5\n");
    assert_float_equal(p.v[0], 2.0 - 0.3 * 9.81 * 0.5, 1e-11);
    assert_float_equal(p.mu[0], 9.81, 1e-11);
    plain_clear(&p);

    // prescribed motion, backwards in time: the force is that of m s'' = F
    p = plain_run(
        "coordinate s : line\nkinetic 3/2*s'^2\noperator o: s = sin(2*t)\nrun t = 1..0.25\n");
    assert_float_equal(p.q[0], sin(0.5), 1e-12);
    assert_float_equal(p.mu[0], -12.0 * sin(0.5), 1e-10);
    plain_clear(&p);

    // Chetaev: a point of constant speed under gravity; x' = u tanh(g (t - c)/u)-like along y
    p = plain_run(
        "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential 2*y\n"
        "constraint speed: x'^2 + y'^2 = 1\n  force chetaev\nstart x = 0, y = 0, x' = 1, y' = 0\n"
        "run t = 0..1\n");
    assert_float_equal(p.v[1], -tanh(2.0), 1e-11);
    assert_float_equal(p.v[0], 1.0 / cosh(2.0), 1e-11);
    plain_clear(&p);

    // a skate on a plane: blade straight, turning evenly: a circle
    p = plain_run(
        "coordinate x, y : line\ncoordinate th : circle\nkinetic (x'^2 + y'^2 + 0.4*th'^2)/2\n"
        "constraint blade: x'*sin(th) - y'*cos(th) = 0\nstart x = 0, y = 0, th = 0, x' = 1, th' = "
        "2\n"
        "run t = 0..2\n");
    assert_float_equal(p.q[0], sin(4.0) / 2.0, 1e-11);
    assert_float_equal(p.q[1], (1.0 - cos(4.0)) / 2.0, 1e-11);
    plain_clear(&p);

    // relativistic: L = -sqrt(1 - x'^2) + x: p = t
    p = plain_run(
        "coordinate x : line\nlagrangian -sqrt(1 - x'^2) + x\nstart x = 0, x' = 0\nrun t = 0..2\n");
    assert_float_equal(p.v[0], 2.0 / sqrt(5.0), 1e-11);
    assert_float_equal(p.q[0], sqrt(5.0) - 1.0, 1e-11);
    plain_clear(&p);
}

static void the_second_way_keeps_its_ledger(void) {
    for (uint64_t seed = 1; seed <= FEW; seed++) {
        Generated g;
        generator_make(seed, &g);
        Plain p = plain_run(g.text);
        double q[COORDINATES_MOST], v[COORDINATES_MOST], sum = 0.0;
        assert_true(second_start(p.second, g.t0, q, v));
        double before = second_energy(p.second, g.t0, q, v),
               after = second_energy(p.second, g.t1, p.q, p.v);
        for (int i = 0; i < second_lines(p.second); i++) sum += p.work[i];
        if (!(fabs(after - before - sum) < 1e-10 * (1.0 + fabs(before) + fabs(after)))) {
            fail_msg("seed %d: %.3e\n%s", (int)seed, after - before - sum, g.text);
        }
        assert_true(second_residual(p.second, g.t1, p.q, p.v) < 1e-12);
        plain_clear(&p);
        generator_clear(&g);
    }
}

// Six hinges in a ring, one equation too many: it follows from the others where the loop is closed.
// Stages of a step are open by the square of the step; all equations look independent there, and
// forces taken from that do work.
static void rows_that_follow_from_others_stay_so_off_the_constraints(void) {
    const double until = 4.0;
    Motion m = motion_of_file("examples/bricard/bricard.lia",
                              &(MotionOptions){.run = {.samples = 1, .until = &until}});
    assert_non_null(m.t);
    Second* second = second_create(m.model);
    double q[COORDINATES_MOST], v[COORDINATES_MOST], work[LINES_MOST] = {0};
    assert_true(second_start(second, 0.0, q, v));
    int rows = second_rows(second);
    assert_float_equal(second_rank(second, 0.0, q, v), (rows - 1.0) / rows, 1e-15);
    double open[COORDINATES_MOST];
    for (int i = 0; i < second_n(second); i++) open[i] = q[i] + 1e-3 * sin(3.0 * i + 1.0);
    assert_float_equal(second_rank(second, 0.0, open, v), 1.0, 1e-15);
    double before = second_energy(second, 0.0, q, v);
    assert_true(second_run(second, 0.0, until, 1e-13, q, v, work));
    for (int i = 0; i < second_lines(second); i++) assert_float_equal(work[i], 0.0, 1e-11);
    assert_float_equal(second_energy(second, until, q, v), before, 1e-11);
    second_destroy(second);
    motion_clear(&m);
}

int main(void) {
    const TestCase tests[] = {
        TEST(the_second_way_knows_closed_forms),
        TEST(the_second_way_keeps_its_ledger),
        TEST(rows_that_follow_from_others_stay_so_off_the_constraints),
    };
    return TESTS_RUN(tests);
}
