// One way to run a system: entries of M and J that are not in the patterns are zero by differences,
// columns of one pass share no row, laws of driven coordinates stand in an order in which each uses
// earlier ones alone, and what is eliminated has the motion it has as a row.
//
// Tests: mechanics/dynamics/pattern.c, mechanics/dynamics/eliminate.c
// Tests: mechanics/dynamics/dynamics.c
// SPDX-License-Identifier: MIT
#include "expr/graph/evaluate.h"
#include "mechanics/build.h"
#include "mechanics/kkt/stage.h"
#include "support/built.h"
#include "support/cases.h"
#include <stdlib.h>

static const char chain[] = "parameter N = 9\ncoordinate x[i = 1..N] : line\n"
                            "kinetic sum(i = 1..N, (1 + x[i]^2)*x[i]'^2/2)\n"
                            "kinetic sum(i = 1..N-1, x[i]'*x[i+1]'*sin(x[i])/5)\n"
                            "constraint a: x[1]*x[2] = 0.15\n"
                            "constraint b: x[3]' = x[4]*x[9]'\n"
                            "operator c: x[8] + x[5] = 1 by x[7]*d(x[6])\n";

static bool in_pattern(const LiaPattern* p, int row, int column) {
    for (int e = p->start[row]; e < p->start[row + 1]; e++) {
        if (p->column[e] == column) return true;
    }
    return false;
}

// The derivative of f by q or v number i, by differences.
static double slope(const LiaSystem* s, LiaExpr f, double* q, double* v, double* x) {
    LiaValues values;
    double f_at[2], kept = *x;
    assert_true(lia_evaluate_init(&values, s->graph, &f, 1));
    for (int side = 0; side < 2; side++) {
        *x = kept + (side ? 1e-5 : -1e-5);
        lia_evaluate_run(&values, &(LiaSymbols){.parameters = s->parameters, .q = q, .v = v});
        f_at[side] = lia_value(&values, f);
    }
    *x = kept;
    lia_evaluate_clear(&values);
    return (f_at[1] - f_at[0]) / 2e-5;
}

static void entries_outside_the_patterns_are_zero(void) {
    Built b = built_of(chain, 1, NULL);
    LiaSystem* s = b.system;
    LiaDynamics* d = lia_dynamics_create(s, true, NULL, NULL, 0);
    assert_non_null(d);
    assert_true(d->full && d->nf == 9 && d->nc == 3);
    double q[9], v[9];
    int inside = 0;
    for (int i = 0; i < 9; i++) q[i] = 0.3 + 0.1 * i, v[i] = 1.0 - 0.2 * i;
    for (int i = 0; i < 9; i++) {
        for (int k = 0; k < 9; k++) {
            double M = slope(s, s->lagrange.p[i], q, v, &v[k]);
            if (!in_pattern(&d->M, i, k)) assert_float_equal(M, 0.0, 1e-9);
            inside += in_pattern(&d->M, i, k);
        }
    }
    assert_int_equal(inside, 9 + 2 * 8);  // of a chain three a row
    for (int c = 0; c < 3; c++) {
        const LiaRow* row = &s->rows[d->rows[c]];
        inside = 0;
        for (int k = 0; k < 9; k++) {
            double J = slope(s, row->equation, q, v, row->geometric ? &q[k] : &v[k]);
            assert_true(in_pattern(&d->J, c, k) == (fabs(J) > 1e-9));
            inside += in_pattern(&d->Omega, c, k);
        }
        assert_int_equal(inside, c == 2 ? 1 : 2);
    }
    assert_true(in_pattern(&d->Omega, 2, 5));
    lia_dynamics_destroy(d);
    built_clear(&b);
}

// Made again, the patterns are the same; and in one lane of a pass no two columns have a row in
// common: what is read is then of one column.
static void columns_of_one_lane_share_no_row(void) {
    Built b = built_of(chain, 0, NULL);
    LiaSystem* s = b.system;
    LiaDynamics* d = lia_dynamics_create(s, true, NULL, NULL, 0);
    assert_non_null(d);
    int entries = d->M.start[9], first = d->M.column[5];
    lia_pattern_clear(d);
    assert_true(lia_pattern_make(s, d));
    assert_true(d->M.start[9] == entries && d->M.column[5] == first);
    const LiaProbes* p = &d->probe_v;
    assert_true(p->passes > 0);
    int pairs = 0;
    for (uint32_t pass = 0; pass < p->passes; pass++) {
        for (uint32_t i = p->seed_start[pass]; i < p->seed_start[pass + 1]; i++) {
            for (uint32_t k = p->seed_start[pass]; k < i; k++) {
                if (p->lane[i] != p->lane[k]) continue;
                for (int row = 0; row < 9; row++)
                    assert_false(in_pattern(&d->M, row, (int)p->coordinate[i]) &&
                                 in_pattern(&d->M, row, (int)p->coordinate[k]));
                pairs++;
            }
        }
    }
    assert_true(pairs > 3);
    lia_dynamics_destroy(d);
    built_clear(&b);
}

// Of a long chain as many passes as of a short one.
static void passes_do_not_grow_with_a_chain(void) {
    uint32_t passes[2];
    for (int k = 0; k < 2; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "parameter N = %d\ncoordinate x[i = 1..N] : line\n"
                 "kinetic sum(i = 1..N, x[i]'^2/2)\n"
                 "kinetic sum(i = 1..N-1, x[i]'*x[i+1]'*sin(x[i])/5)\n",
                 k ? 200 : 20);
        Built b = built_of(text, 0, NULL);
        passes[k] = b.system->full->probe_v.passes;
        built_clear(&b);
    }
    assert_int_equal(passes[0], passes[1]);
}

// --- driven coordinates

static uint32_t driven_in(const char* text, const char** names, bool* rates) {
    Built b = built_of(text, 0, NULL);
    LiaSystem* s = b.system;
    LiaDrive drives[8];
    uint32_t rows[8], count = lia_eliminate_build(s, drives, rows);
    assert_true(count <= 8);
    static char kept[8][16];
    for (uint32_t k = 0; k < count; k++) {
        snprintf(kept[k], sizeof kept[k], "%s", s->model->coordinates[drives[k].coordinate].name);
        names[k] = kept[k];
        rates[k] = drives[k].rate;
    }
    built_clear(&b);
    return count;
}

#define BODY "coordinate a, b, c, d, x : line\nkinetic (a'^2 + b'^2 + c'^2 + d'^2 + x'^2)/2\n"

static void laws_come_after_those_they_use(void) {
    const char* names[8];
    bool rates[8];
    // a uses b, b uses c, c is known
    assert_int_equal(driven_in(BODY "operator p: a = b + 1\noperator q: b = 2*c\n"
                                    "operator r: c = sin(t)\noperator s: d' = a*b\n",
                               names, rates),
                     4);
    const char* wanted[4] = {"c", "b", "a", "d"};
    for (int k = 0; k < 4; k++) assert_string_equal(names[k], wanted[k]);
    assert_true(rates[3] && !rates[0]);
}

static void what_is_not_known_beforehand_is_not_driven(void) {
    const char* names[8];
    bool rates[8];
    // x is free; a and b turn in a circle; c twice, once with another force
    assert_int_equal(driven_in(BODY "operator p: a = b + 1\noperator q: b = 2*a\n"
                                    "operator r: c = x\noperator s: d = t\n",
                               names, rates),
                     1);
    assert_string_equal(names[0], "d");
    assert_int_equal(driven_in(BODY "operator p: a = t by d(b)\noperator q: b' = sin(t)*b'\n"
                                    "operator r: 2*c = t\n",
                               names, rates),
                     0);
    assert_int_equal(driven_in(BODY "operator p: a = t by d(a)\n", names, rates), 1);
    assert_int_equal(driven_in(BODY "operator p: a = t\noperator q: a = t\n", names, rates), 1);
}

// Accelerations and forces are the same, driven or as a row.
static void elimination_changes_no_motion(void) {
    Built b = built_of("coordinate s, x, y : line\n"
                       "kinetic (1 + x^2)*s'^2/2 + x'^2 + y'^2/2 + s'*x'*y/3\npotential x*y + s*x\n"
                       "operator drive: s = sin(t)\nconstraint c: y = x^2\n",
                       0, NULL);
    const LiaSystem* s = b.system;
    assert_int_equal(s->reduced->drive_count, 1);
    double a[2][3], mu[2];
    for (int way = 0; way < 2; way++) {
        LiaWorkspace* w = lia_workspace_create(s, way ? s->reduced : s->full, 1);
        assert_non_null(w);
        w->t = 0.4;
        w->q[0] = sin(0.4), w->v[0] = cos(0.4);
        w->q[1] = 0.7, w->v[1] = -0.3, w->q[2] = 0.49, w->v[2] = -0.42;
        built_accelerate(w, 1);
        memcpy(a[way], w->a, sizeof a[way]);
        mu[way] = w->mu[1];
        lia_workspace_destroy(w);
    }
    for (int i = 0; i < 3; i++) assert_float_equal(a[0][i], a[1][i], 1e-13);
    assert_float_equal(a[0][0], -sin(0.4), 1e-14);
    assert_float_equal(mu[0], mu[1], 1e-13);
    built_clear(&b);
}

int main(void) {
    const TestCase tests[] = {
        TEST(entries_outside_the_patterns_are_zero),
        TEST(columns_of_one_lane_share_no_row),
        TEST(passes_do_not_grow_with_a_chain),
        TEST(laws_come_after_those_they_use),
        TEST(what_is_not_known_beforehand_is_not_driven),
        TEST(elimination_changes_no_motion),
    };
    return TESTS_RUN(tests);
}
