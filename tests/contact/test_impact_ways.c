// The ways of an impact, file by file: Routh's process against Runge and Kutta in small steps, and
// against closed forms where all pieces are straight; Newton's law of several contacts; phases;
// sequences; and impacts undone.
//
// Tests: motion/contact/impact/routh.c, motion/contact/impact/routh_curve.c
// Tests: motion/contact/impact/impact_single.c, motion/contact/impact/impact_newton.c
// Tests: motion/contact/impact/impact_phases.c, motion/contact/impact/impact_sequence.c
// Tests: motion/contact/impact/impact_past.c, motion/contact/impact/impact.c
// SPDX-License-Identifier: MIT
#include "contact/systems.h"
#include "motion/contact/impact/impact.h"
#include "motion/contact/impact/routh.h"
#include "support/cases.h"

typedef struct Answer {
    LiaImpact out;
    double P[MOST_ROWS], u[MOST_ROWS], work[MOST_CONTACTS];
    unsigned phases[MOST_CONTACTS];
} Answer;

// As lia_impact_solve() leaves it before it begins.
static void begin(const System* s, Answer* x) {
    memset(x, 0, sizeof *x);
    x->out =
        (LiaImpact){.P = x->P, .u = x->u, .work = x->work, .phases = x->phases, .reduced = 1.0};
    x->out.contact = -1;
    memcpy(x->u, s->b, (size_t)s->d.rows * sizeof(double));
}

// --- one contact

// Slides all the way: u_n grows by k = W_nn - mu W_nt for each p.
static void sliding_in_the_plane_is_straight(void) {
    for (int law = LIA_RESTITUTION_NEWTON; law <= LIA_RESTITUTION_STRONGE; law++) {
        LiaRouth r = {.dimension = 1, .W = {{2, 0.5}, {0.5, 1}}, .mu = 0.2, .e = 0.6};
        r.law = (LiaRestitution)law;
        r.u[0] = -1.0, r.u[1] = 5.0;
        assert_int_equal(lia_routh_solve(&r), LIA_IMPACT_SOLVED);
        // straight and sliding: the three coefficients are one
        double k = 2 - 0.2 * 0.5, p = 1.6 / k;
        assert_float_equal(r.u[0], 0.6, 1e-14);
        assert_float_equal(r.P[0], p, 1e-14);
        assert_float_equal(r.P[1], -0.2 * p, 1e-14);
        assert_float_equal(r.u[1], 5 + (0.5 - 0.2) * p, 1e-14);
        assert_true(r.phases & LIA_IMPACT_SLID && !(r.phases & LIA_IMPACT_STUCK));
        double gained = 0.5 * (r.P[0] * (-1.0 + r.u[0]) + r.P[1] * (5.0 + r.u[1]));
        assert_float_equal(r.work, gained, 1e-14);
    }
}

// The slip ends during compression, then it sticks: the bound is wide.
static void a_slip_that_ends_sticks_where_the_bound_is_wide(void) {
    LiaRouth r = {.dimension = 1, .W = {{1, 0.2}, {0.2, 1}}, .mu = 0.5, .e = 0.0};
    r.law = LIA_RESTITUTION_POISSON;
    r.u[0] = -1.0, r.u[1] = 0.1;
    assert_int_equal(lia_routh_solve(&r), LIA_IMPACT_SOLVED);
    // until p1 it slides: 0.1 = (0.5 - 0.2) p1; then T = -0.2 dp, u_n' = 1 - 0.04
    double p1 = 0.1 / 0.3, u1 = -1 + (1 - 0.5 * 0.2) * p1, p2 = -u1 / 0.96;
    assert_float_equal(r.P[0], p1 + p2, 1e-14);
    assert_float_equal(r.P[1], -0.5 * p1 - 0.2 * p2, 1e-14);
    assert_float_equal(r.u[0], 0.0, 1e-15);
    assert_float_equal(r.u[1], 0.0, 1e-15);
    assert_true(r.phases & LIA_IMPACT_STUCK);
}

static void slope(const LiaRouth* r, const double* u, double* du, double* tau) {
    double speed = hypot(u[1], u[2]);
    tau[0] = 1.0, tau[1] = -r->mu * u[1] / speed, tau[2] = -r->mu * u[2] / speed;
    for (int i = 0; i < 3; i++) {
        du[i] = 0.0;
        for (int k = 0; k < 3; k++) du[i] += r->W[i][k] * tau[k];
    }
}

// du/dp = W (1, tau) by Runge and Kutta, until u_n is 0: the end of compression.
static void compress_by_steps(const LiaRouth* r, double* u, double* P) {
    const double h = 2e-5;
    while (u[0] < 0.0) {
        double k[4][3], tau[4][3], at[3];
        for (int stage = 0; stage < 4; stage++) {
            double part = stage == 0 ? 0.0 : stage == 3 ? h : h / 2;
            for (int i = 0; i < 3; i++) at[i] = u[i] + (stage ? part * k[stage - 1][i] : 0.0);
            slope(r, at, k[stage], tau[stage]);
        }
        double step = h, rate = (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0]) / 6;
        if (u[0] + h * rate > 0.0) step = -u[0] / rate;
        for (int i = 0; i < 3; i++) {
            u[i] += step * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]) / 6;
            P[i] += step * (tau[0][i] + 2 * tau[1][i] + 2 * tau[2][i] + tau[3][i]) / 6;
        }
        if (step < h) return;
    }
}

static void a_curved_slip_is_that_of_small_steps(void) {
    Random random = {3};
    for (int trial = 0; trial < 8; trial++) {
        LiaRouth r = {.dimension = 2, .mu = 0.3, .e = 0.0, .law = LIA_RESTITUTION_POISSON, NULL};
        double A[9], u[3], P[3] = {0};
        for (int i = 0; i < 9; i++) A[i] = random_between(&random, -0.4, 0.4) + (i % 4 == 0);
        for (int i = 0; i < 9; i++) {
            for (int k = 0; k < 3; k++) r.W[i / 3][i % 3] += A[i / 3 * 3 + k] * A[i % 3 * 3 + k];
        }
        r.u[0] = -0.5, r.u[1] = 1.5, r.u[2] = random_between(&random, -1.0, 1.0);
        memcpy(u, r.u, sizeof u);
        LiaRouthState state = {.u = {u[0], u[1], u[2]}};
        unsigned phases = 0;
        assert_int_equal(lia_routh_curve_follow(&r, &state, &phases), LIA_ROUTH_TURNED);
        assert_true(phases & LIA_IMPACT_SLID);
        compress_by_steps(&r, u, P);
        for (int i = 0; i < 3; i++) {
            assert_float_equal(state.u[i], u[i], 1e-9);
            assert_float_equal(state.P[i], P[i], 1e-9);
        }
        assert_int_equal(lia_routh_solve(&r), LIA_IMPACT_SOLVED);
        for (int i = 0; i < 3; i++) assert_float_equal(r.u[i], u[i], 1e-9);
    }
}

// What is left of restitution, by the three laws.
static void restitution_ends_where_its_law_says(void) {
    LiaRouthState s = {.u = {0.3}, .P = {2.0}, .normal_work = -0.4, .compression_work = -1.0};
    s.compression_P = 1.2, s.aim = 0.5;
    LiaRouth r = {.e = 0.5};
    r.law = LIA_RESTITUTION_NEWTON;
    assert_float_equal(lia_routh_left(&r, &s), 0.3 - 0.5, 1e-16);
    r.law = LIA_RESTITUTION_POISSON;
    assert_float_equal(lia_routh_left(&r, &s), 2.0 - 1.5 * 1.2, 1e-15);
    r.law = LIA_RESTITUTION_STRONGE;
    assert_float_equal(lia_routh_left(&r, &s), -0.4 + 0.75, 1e-16);
}

// Of several contacts one alone: the others are pushed along and have no impulse.
static void one_contact_pushes_the_others_along(void) {
    System s;
    Answer x;
    Random random = {8};
    system_begin(&s, 3, 1, 0.3, 0.3);
    system_random(&s, &random, 8);
    s.contact[1].restitution = 0.5;
    s.b[2] = -1.0, s.b[3] = 4.0;
    begin(&s, &x);
    int member[3] = {0, 1, 2};
    LiaImpactGroup g = {&s.d, member, 3, LIA_RESTITUTION_POISSON, NULL};
    assert_int_equal(lia_impact_single_solve(&g, 1, false, &x.out), LIA_IMPACT_SOLVED);
    for (int i = 0; i < 6; i++) {
        double u = s.b[i];
        for (int j = 0; j < 6; j++) u += s.W[i * 6 + j] * x.P[j];
        assert_float_equal(x.u[i], u, 1e-12);
        if (i != 2 && i != 3) assert_true(x.P[i] == 0.0);
    }
    assert_true(x.P[2] > 0.0 && fabs(x.P[3]) <= 0.3 * x.P[2] * (1 + 1e-12));
    assert_int_equal(x.out.impacts, 1);
}

// --- several

// 0 <= P, 0 <= u+ + e u-, complementary; and the work is that of the impulses.
static void newtons_law_of_several_contacts_is_complementary(void) {
    Random random = {6};
    int separate = 0, together = 0, reduced = 0;
    for (int trial = 0; trial < 200; trial++) {
        System s;
        Answer x;
        int k = 2 + trial % 3, member[4] = {0, 1, 2, 3}, index[64];
        system_begin(&s, k, 0, 0.0, 0.0);
        system_random(&s, &random, k + 2);
        for (int c = 0; c < k; c++) s.contact[c].restitution = random_between(&random, 0, 1);
        begin(&s, &x);
        LiaImpactGroup g = {&s.d, member, k, LIA_RESTITUTION_NEWTON, NULL};
        double* work = malloc(lia_impact_newton_work(k) * sizeof *work);
        assert_int_equal(lia_impact_newton_solve(&g, &x.out, work, index), LIA_IMPACT_SOLVED);
        free(work);
        double gained = 0.0;
        for (int c = 0; c < k; c++) {
            double before = s.b[c] < 0.0 ? s.b[c] : 0.0, u = s.b[c];
            for (int j = 0; j < k; j++) u += s.W[c * k + j] * x.P[j];
            double rest = u + x.out.reduced * s.contact[c].restitution * before;
            assert_true(x.P[c] >= 0.0 && rest > -1e-11);
            gained += 0.5 * x.P[c] * (s.b[c] + u);
            assert_true(x.P[c] * rest < 1e-10 * (1 + x.P[c]));
            separate += x.P[c] == 0.0, together += x.P[c] > 0.0;
        }
        assert_true(gained < 1e-9);  // all coefficients are reduced until nothing is
        reduced += x.out.reduced < 1.0;
    }
    assert_true(separate > 50 && together > 50 && reduced > 5);
}

// Without restitution the phases are one: what is compressed rests, and Coulomb's law holds between
// impulse and velocity at the end.
static void phases_without_restitution_end_at_rest(void) {
    Random random = {12};
    int seen = 0;
    for (int trial = 0; trial < 60; trial++) {
        System s;
        Answer x;
        int member[2] = {0, 1};
        system_begin(&s, 2, 1, 0.4, 0.4);
        system_random(&s, &random, 6);
        s.b[0] = -fabs(s.b[0]), s.b[2] = -fabs(s.b[2]);
        begin(&s, &x);
        LiaImpactGroup g = {&s.d, member, 2, LIA_RESTITUTION_POISSON, NULL};
        double* work = malloc(lia_impact_phases_work(&s.d) * sizeof *work);
        int* index = malloc(lia_impact_index(&s.d) * sizeof *index);
        LiaImpactStatus status = lia_impact_phases_solve(&g, &x.out, work, index);
        free(work);
        free(index);
        if (status != LIA_IMPACT_SOLVED) continue;
        seen++;
        for (int c = 0; c < 2; c++) {
            double u = s.b[2 * c], slip = s.b[2 * c + 1], N = x.P[2 * c], T = x.P[2 * c + 1];
            for (int j = 0; j < 4; j++) {
                u += s.W[2 * c * 4 + j] * x.P[j];
                slip += s.W[(2 * c + 1) * 4 + j] * x.P[j];
            }
            assert_true(N >= 0.0 && u > -1e-11 && N * u < 1e-10);
            assert_true(fabs(T) <= 0.4 * N + 1e-11);
            if (fabs(slip) > 1e-9) assert_float_equal(T, -0.4 * N * (slip > 0 ? 1 : -1), 1e-9);
        }
    }
    assert_true(seen > 40);
}

// Newton's cradle, e = 1: the last ball takes all of the velocity of the first, one impact after
// the other; all at once they do not.
static void a_sequence_hands_the_velocity_on(void) {
    System s;
    Answer x;
    int member[2] = {0, 1};
    system_begin(&s, 2, 0, 0.0, 0.0);  // gaps x2 - x1 and x3 - x2 of three equal balls
    s.W[0] = s.W[3] = 2.0, s.W[1] = s.W[2] = -1.0;
    s.contact[0].restitution = s.contact[1].restitution = 1.0;
    s.b[0] = -1.0;
    begin(&s, &x);
    LiaImpactGroup g = {&s.d, member, 2, LIA_RESTITUTION_NEWTON, NULL};
    assert_int_equal(lia_impact_sequence_solve(&g, -1, &x.out), LIA_IMPACT_SOLVED);
    assert_int_equal(x.out.impacts, 2);
    assert_float_equal(x.P[0], 1.0, 1e-14);
    assert_float_equal(x.P[1], 1.0, 1e-14);
    assert_float_equal(x.u[0], 0.0, 1e-14);  // the first two rest
    assert_float_equal(x.u[1], 1.0, 1e-14);
}

// --- undone

static void an_impact_without_friction_is_undone(void) {
    Random random = {31};
    int undone = 0;
    for (int trial = 0; trial < 120; trial++) {
        System s;
        Answer x, back;
        int k = 1 + trial % 2;
        double after[MOST_ROWS], before[MOST_ROWS], first[MOST_ROWS];
        system_begin(&s, k, 0, 0.0, 0.0);
        system_random(&s, &random, k + 2);
        for (int c = 0; c < k; c++) {
            s.contact[c].restitution = random_between(&random, 0.2, 1.0);
            s.b[c] = -fabs(s.b[c]) - 0.05;
        }
        memcpy(first, s.b, sizeof first);
        double* work = malloc(lia_impact_work(&s.d) * sizeof *work);
        int* index = malloc(lia_impact_index(&s.d) * sizeof *index);
        begin(&s, &x);
        LiaImpactOptions options = {0};
        assert_int_equal(lia_impact_solve(&s.d, &options, &x.out, work, index), LIA_IMPACT_SOLVED);
        bool all =
            true;  // what had no impulse, or was thrown off by another, has no past of its own
        for (int c = 0; c < k; c++) {
            double wanted = -s.contact[c].restitution * first[c];
            all = all && x.P[c] > 0.0 && fabs(x.u[c] - wanted) < 1e-12;
        }
        memcpy(after, x.u, sizeof after);
        memcpy(s.b, after, sizeof after);
        begin(&s, &back);
        LiaImpactPast past = {before, work, index};
        LiaImpactStatus status = lia_impact_past_solve(&s.d, &options, &back.out, &past);
        if (all) {
            assert_int_equal(status, LIA_IMPACT_SOLVED);
            for (int c = 0; c < k; c++) {
                assert_float_equal(before[c], first[c], 1e-9);
                assert_float_equal(back.P[c], x.P[c], 1e-9);
            }
            undone++;
        }
        free(work);
        free(index);
    }
    assert_true(undone > 50);
    System s;  // without restitution many velocities lead to the same ones
    Answer x;
    double before[1], work[400];
    int index[100];
    system_begin(&s, 1, 0, 0.0, 0.0);
    s.W[0] = 1.0, s.b[0] = 0.7;
    begin(&s, &x);
    LiaImpactPast past = {before, work, index};
    assert_true(lia_impact_work(&s.d) <= 400);
    assert_int_equal(lia_impact_past_solve(&s.d, &(LiaImpactOptions){0}, &x.out, &past),
                     LIA_IMPACT_NO_SOLUTION);
}

int main(void) {
    const TestCase tests[] = {
        TEST(sliding_in_the_plane_is_straight),
        TEST(a_slip_that_ends_sticks_where_the_bound_is_wide),
        TEST(a_curved_slip_is_that_of_small_steps),
        TEST(restitution_ends_where_its_law_says),
        TEST(one_contact_pushes_the_others_along),
        TEST(newtons_law_of_several_contacts_is_complementary),
        TEST(phases_without_restitution_end_at_rest),
        TEST(a_sequence_hands_the_velocity_on),
        TEST(an_impact_without_friction_is_undone),
    };
    return TESTS_RUN(tests);
}
