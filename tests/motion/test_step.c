// One step by itself: its polynomials are those of the motion (run/taylor), it is as long as its
// last terms allow (run/step_size), and errors are measured alike where coordinates are tied and
// apart where they are not (run/family).
//
// Tests: motion/run/family.c, motion/run/scales.c, motion/run/step_size.c, motion/run/taylor.c
// SPDX-License-Identifier: MIT
#include "mechanics/kkt/stage.h"
#include "motion/run/step_size.h"
#include "motion/run/taylor.h"
#include "support/cases.h"
#include <stdlib.h>

typedef struct Built {
    LiaDiags* diags;
    LiaModel* model;
    LiaSystem* system;
    LiaWorkspace* w;
} Built;

static Built build(const char* text, int order) {
    Built b = {.diags = lia_diags_create()};
    assert_int_equal(lia_model_parse("m", text, strlen(text), NULL, b.diags, &b.model), LIA_OK);
    assert_int_equal(lia_system_build(b.model, NULL, b.diags, &b.system), LIA_OK);
    b.w = lia_workspace_create(b.system, b.system->full, order);
    assert_non_null(b.w);
    return b;
}

static void clear(Built* b) {
    lia_workspace_destroy(b->w);
    lia_system_destroy(b->system);
    lia_model_destroy(b->model);
    lia_diags_destroy(b->diags);
}

static void make_series(LiaWorkspace* w, int order) {
    lia_workspace_load(w, order);
    lia_workspace_residuals(w);
    assert_true(lia_workspace_factor(w));
    lia_stage_accelerate(w);
    lia_stage_series(w, order);
}

static const char oscillator[] = "parameter k = 4\ncoordinate x : line\nkinetic x'^2/2\n"
                                 "potential k/2*x^2\n";

static void polynomials_are_the_motion(void) {
    enum { ORDER = 24 };
    Built b = build(oscillator, ORDER);
    LiaWorkspace* w = b.w;
    LiaStep step = {0};
    assert_true(lia_taylor_init(&step, b.system, b.system->full, ORDER));
    w->t = 5.0, w->q[0] = 0.3, w->v[0] = -0.8;
    make_series(w, ORDER);
    lia_taylor_take(&step, w);
    assert_float_equal(step.t, 5.0, 0.0);
    for (double h = -0.8; h <= 0.8; h += 0.1) {  // the workspace is free: states are put into it
        double x = 0.3 * cos(2 * h) - 0.4 * sin(2 * h), v = -0.6 * sin(2 * h) - 0.8 * cos(2 * h);
        lia_taylor_at(&step, h, w);
        assert_float_equal(w->q[0], x, 1e-15);
        assert_float_equal(w->v[0], v, 1e-14);
        assert_float_equal(w->t, 5.0 + h, 1e-15);
        LiaPowers power;
        lia_taylor_powers(&power, &step, h);
        lia_taylor_at_powers(&step, &power, w);
        assert_float_equal(w->q[0], x, 1e-15);
        const double* c = lia_step_series(&step, step.q, 0);
        assert_float_equal(lia_step_change(c, ORDER, h), x - 0.3, 1e-15);
    }
    lia_taylor_clear(&step);
    clear(&b);
}

// The coefficients of x'' = -4 x are 2^k/k! times sizes up to 1: a step h has a last term of
// tolerance where (2 h)^k/k! = tolerance, and no units change it.
static void a_step_is_as_long_as_its_last_terms_allow(void) {
    enum { ORDER = 20 };
    static const double units[] = {1.0, 1e-9, 1e12};
    for (double tolerance = 1e-6; tolerance >= 1e-14; tolerance *= 1e-4) {
        for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
            Built b = build(oscillator, ORDER);
            LiaWorkspace* w = b.w;
            LiaStep step = {0};
            assert_true(lia_taylor_init(&step, b.system, b.system->full, ORDER));
            w->q[0] = 0.5 * units[u], w->v[0] = units[u];
            make_series(w, ORDER);
            lia_taylor_take(&step, w);
            LiaScales scales = {.span = 10.0};
            lia_scales_measure(w, &step, &scales);
            double h = lia_step_size(w, &step, tolerance, &scales);
            double exact = pow(tolerance * tgamma(ORDER + 1.0), 1.0 / ORDER) / 2.0;
            assert_true(h > 0.5 * exact && h < 1.3 * exact);
            lia_taylor_clear(&step);
            clear(&b);
        }
    }
}

static void families_are_what_is_tied(void) {
    static const struct {
        const char* more;
        bool same[3];  // x with y, y with z, x with a
    } cases[] = {
        {"", {false, false, false}},
        {"potential x*y\n", {true, false, false}},
        {"force f: z'*d(y)\n", {false, true, false}},
        {"constraint c: x + z = 0\n", {false, false, false}},
        {"constraint c: x + y = 0\nforce f: a*d(x)\n",
         {true, false, false}},  // an angle is no length
        {"potential x*y*z\n", {true, true, false}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "coordinate x, y, z : line\ncoordinate a : circle\n"
                 "kinetic x'^2/2 + y'^2/2 + z'^2/2 + a'^2/2\n%s",
                 cases[i].more);
        Built b = build(text, 1);
        uint32_t family[4];
        assert_true(lia_family_find(b.w, family));
        assert_true((family[0] == family[1]) == cases[i].same[0]);
        assert_true((family[1] == family[2]) == cases[i].same[1]);
        assert_true((family[0] == family[3]) == cases[i].same[2]);
        clear(&b);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(polynomials_are_the_motion),
        TEST(a_step_is_as_long_as_its_last_terms_allow),
        TEST(families_are_what_is_tied),
    };
    return TESTS_RUN(tests);
}
