// Would the second way find a mistake in the first? Wrong signs that are put in on purpose.
// SPDX-License-Identifier: MIT
#include "comparing.h"
#include "mechanics/build.h"
#include "mechanics/test_hooks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Terms of the residual that get a wrong sign on purpose: some where the series are solved
// (LiaTestHooks.flip), some in the formulas the tape is made of.
static const char* const terms[] = {"dp/dt",      "G",     "Omega^T mu", "psi'",  "phi''",
                                    "correction", "dL/dq", "Q",          "Omega", "p"};
enum { TERMS = sizeof terms / sizeof terms[0], FLIPS = 6, NO_TERM = -1 };

static void negate(LiaSystem* s, LiaExpr* list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) list[i] = lia_graph_neg(s->graph, list[i]);
}

static void put_wrong_sign(LiaSystem* s, int term) {
    static const LiaTestHooks flips[1 + FLIPS] = {
        {.flip = LIA_FLIP_NONE},    {.flip = LIA_FLIP_MOMENTUM},  {.flip = LIA_FLIP_G},
        {.flip = LIA_FLIP_OMEGA},   {.flip = LIA_FLIP_KINEMATIC}, {.flip = LIA_FLIP_GEOMETRIC},
        {.flip = LIA_FLIP_CORRECT},
    };
    if (term < FLIPS) {
        s->hooks = &flips[term + 1];  // NO_TERM: none
        return;
    }
    if (term == 6) negate(s, s->lagrange.dL_dq, s->n);
    if (term == 7) negate(s, s->lagrange.Q, s->n);
    if (term == 8) {
        for (uint32_t r = 0; r < s->row_count; r++) negate(s, s->rows[r].Omega, s->rows[r].entries);
    }
    if (term == 9) negate(s, s->lagrange.p, s->n);
    assert_ptr_equal(s->full, s->reduced);
    lia_dynamics_destroy(s->full);
    s->full = s->plain = s->reduced = lia_dynamics_create(s, true, NULL, NULL, 0);
    assert_non_null(s->full);
}

// Is it noticed on this model: by a run that fails, or by a motion that differs?
static bool noticed(const Generated* g, int term) {
    Motion m = {.diags = lia_diags_create()};
    size_t length = strlen(g->text);
    assert_int_equal(lia_model_parse("test.lia", g->text, length, NULL, m.diags, &m.model), LIA_OK);
    LiaSystemOptions options = {.no_eliminate = true};
    assert_int_equal(lia_system_build(m.model, &options, m.diags, &m.system), LIA_OK);
    put_wrong_sign(m.system, term);
    LiaRunOptions run = {.tolerance = 1e-10, .samples = 2, .steps_most = 100};
    m.status = lia_motion_run(m.system, &run, m.diags, &m.t);
    bool found = m.status != LIA_OK || comparing_both(m.t, m.model, 1e-9).most > 1e-6;
    motion_clear(&m);
    return found;
}

static void a_wrong_sign_is_noticed(void) {
    for (int term = 0; term < TERMS; term++) {
        int found = 0;
        for (uint64_t seed = 1; seed <= 60 && found < 5; seed++) {
            Generated g;
            generator_make(seed, &g);
            if (term == 0) assert_false(noticed(&g, NO_TERM));
            found += noticed(&g, term);
            generator_clear(&g);
        }
        if (found < 5)
            fail_msg("a wrong sign of %s was noticed on %d models only", terms[term], found);
    }
}

// Top coefficients are corrected only where something looks at them again: all others are as good
// as none.
static void corrections_left_out_change_no_bit(void) {
    for (uint64_t seed = 1; seed <= FEW; seed++) {
        Generated g;
        generator_make(seed, &g);
        double* rows[2] = {NULL, NULL};
        size_t bytes[2] = {0, 0};
        for (int all = 0; all < 2; all++) {
            Motion m = {.diags = lia_diags_create()};
            assert_int_equal(
                lia_model_parse("test.lia", g.text, strlen(g.text), NULL, m.diags, &m.model),
                LIA_OK);
            LiaSystemOptions options = {.no_eliminate = seed % 2};
            assert_int_equal(lia_system_build(m.model, &options, m.diags, &m.system), LIA_OK);
            const LiaTestHooks hooks = {.correct_all = all};
            m.system->hooks = &hooks;
            LiaRunOptions run = {.tolerance = 1e-12, .samples = SAMPLES, .steps_most = 200};
            lia_motion_run(m.system, &run, m.diags, &m.t);
            assert_non_null(m.t);
            bytes[all] = m.t->rows.count * m.t->column_count * sizeof(double);
            rows[all] = malloc(bytes[all] + 1);
            memcpy(rows[all], m.t->rows.values, bytes[all]);
            motion_clear(&m);
        }
        if (bytes[0] != bytes[1] || memcmp(rows[0], rows[1], bytes[0]) != 0)
            fail_msg("random model %d moves otherwise:\n%s", (int)seed, g.text);
        free(rows[0]);
        free(rows[1]);
        generator_clear(&g);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_wrong_sign_is_noticed),
        TEST(corrections_left_out_change_no_bit),
    };
    return TESTS_RUN(tests);
}
