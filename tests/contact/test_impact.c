// Laws of src/motion/contact/impact/impact.c: energies, closed forms of one and several contacts;
// by its ways impact/impact_newton, impact/impact_phases, impact/impact_sequence and
// impact/impact_single, the last by impact/routh and impact/routh_curve.
// SPDX-License-Identifier: MIT
#include "contact/systems.h"
#include "motion/contact/impact/impact.h"
#include "support/cases.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Answer {
    LiaImpact out;
    double P[MOST_ROWS], u[MOST_ROWS], work[MOST_CONTACTS];
    unsigned phases[MOST_CONTACTS];
    LiaImpactStatus status;
} Answer;

static LiaImpactStatus solve(const System* s, LiaImpactOptions options, Answer* x) {
    double* work = malloc(lia_impact_work(&s->d) * sizeof *work);
    int* index = malloc(lia_impact_index(&s->d) * sizeof *index);
    assert_non_null(work);
    assert_non_null(index);
    x->out = (LiaImpact){.P = x->P, .u = x->u, .work = x->work, .phases = x->phases};
    x->status = lia_impact_solve(&s->d, &options, &x->out, work, index);
    free(work);
    free(index);
    return x->status;
}

static double energy_gained(const System* s, const Answer* x) {
    double sum = 0.0;
    for (int i = 0; i < s->d.rows; i++) sum += 0.5 * x->P[i] * (s->b[i] + x->u[i]);
    return sum;
}

static double size_of(const System* s, const Answer* x) {
    double sum = 1e-300;
    for (int i = 0; i < s->d.rows; i++) sum += fabs(x->P[i]) * (fabs(s->b[i]) + fabs(x->u[i]));
    return sum;
}

static void restitutions(System* s, Random* r, double low, double high) {
    for (int c = 0; c < s->d.contacts; c++)
        s->contact[c].restitution = random_between(r, low, high);
}

// u+ = W P + u-; no contact approaches; Coulomb's bound; no energy is gained, and what is lost is
// the work.
static void check_laws(const System* s, const Answer* x) {
    const LiaDelassus* d = &s->d;
    double most = 0.0;
    for (int i = 0; i < d->rows; i++) {
        double sum = d->b[i], size = fabs(d->b[i]);
        for (int j = 0; j < d->rows; j++) {
            sum += d->W[i * d->rows + j] * x->P[j];
            size += fabs(d->W[i * d->rows + j] * x->P[j]);
        }
        most = fmax(most, size);
        assert_true(fabs(sum - x->u[i]) <= 1e-11 * most);
    }
    for (int c = 0; c < d->contacts; c++) {
        const LiaContactRows* contact = d->contact + c;
        assert_true(x->P[contact->normal] >= 0.0);
        assert_true(x->u[contact->normal] >= -1e-11 * most);
        for (int k = 0; k < contact->blocks; k++) {
            const LiaFrictionBlock* b = contact->block + k;
            double T = system_length(x->P + b->row, b->dimension);
            assert_true(T <= b->kinetic * x->P[contact->normal] * (1.0 + 1e-9) + 1e-12);
        }
    }
    double size = size_of(s, x);
    assert_true(fabs(energy_gained(s, x) + x->out.lost) <= 1e-11 * size);
    assert_true(x->out.lost >= -1e-12 * size);
}

static void random_impacts_keep_the_laws(void) {
    Random r = {21};
    int laws[LIA_IMPACT_LAW_CHOSEN + 1] = {0}, reduced = 0;
    for (int trial = 0; trial < 1500; trial++) {
        System s;
        Answer x;
        int dim = trial % 3, k = random_whole(&r, 1, 4);
        system_begin(&s, k, dim, random_between(&r, 0.05, 1.2), 2.0);
        system_random(&s, &r, random_whole(&r, 3, s.d.rows + 3));
        restitutions(&s, &r, 0.0, 1.0);
        solve(&s, (LiaImpactOptions){.sequential = trial % 5 == 4}, &x);
        laws[x.out.law]++;
        reduced += x.out.reduced < 1.0;
        // contacts that wedge a body between them take long, one after another
        if (x.out.law == LIA_IMPACT_LAW_SEQUENCE && x.status == LIA_IMPACT_BUDGET) continue;
        assert_true(x.status == LIA_IMPACT_SOLVED || x.status == LIA_IMPACT_SEVERAL);
        check_laws(&s, &x);
    }
    for (int i = 0; i < LIA_IMPACT_LAW_CHOSEN; i++) assert_true(laws[i] > 50);
    assert_true(reduced > 0);
}

// Newton's coefficient for several contacts with friction would gain energy now and then.
static void newton_for_several_contacts_with_friction_is_reduced_to_no_gain(void) {
    Random r = {22};
    int reduced = 0;
    for (int trial = 0; trial < 200; trial++) {
        System s;
        Answer x;
        int dim = 1 + trial % 2, k = random_whole(&r, 2, 3);
        system_begin(&s, k, dim, random_between(&r, 0.3, 1.5), 2.0);
        system_random(&s, &r, s.d.rows + 1);
        restitutions(&s, &r, 0.7, 1.0);
        solve(&s, (LiaImpactOptions){.restitution = LIA_RESTITUTION_NEWTON}, &x);
        if (x.out.law != LIA_IMPACT_LAW_PHASES) continue;
        assert_true(x.status == LIA_IMPACT_SOLVED || x.status == LIA_IMPACT_SEVERAL);
        check_laws(&s, &x);
        reduced += x.out.reduced < 1.0;
    }
    assert_true(reduced > 5);
}

// ---- without friction

static void a_ball_on_the_floor_comes_back_with_e(void) {
    System s;
    Answer x;
    system_begin(&s, 1, 0, 0.0, 0.0);
    s.W[0] = 1.0 / 0.3;
    s.b[0] = -2.0;
    s.contact[0].restitution = 0.7;
    assert_int_equal(solve(&s, (LiaImpactOptions){0}, &x), LIA_IMPACT_SOLVED);
    assert_int_equal(x.out.law, LIA_IMPACT_LAW_NEWTON);
    assert_true(x.u[0] == 1.4);
    assert_true(fabs(x.P[0] - 0.3 * 3.4) < 1e-15);
    assert_true(fabs(x.out.lost - 0.5 * 0.3 * (4.0 - 1.96)) < 1e-15);
    s.b[0] = 0.0;  // grazing is no impact
    assert_int_equal(solve(&s, (LiaImpactOptions){0}, &x), LIA_IMPACT_SOLVED);
    assert_int_equal(x.out.law, LIA_IMPACT_LAW_NONE);
    assert_true(x.P[0] == 0.0);
    double noise = 1e-15;  // nor is rounding
    s.b[0] = -1e-16;
    s.d.noise = &noise;
    solve(&s, (LiaImpactOptions){0}, &x);
    assert_int_equal(x.out.law, LIA_IMPACT_LAW_NONE);
}

// Balls of mass 1 in a row that touch, the first comes with velocity 1: gaps i between i and i + 1.
static void cradle(System* s, int balls) {
    int k = balls - 1;
    system_begin(s, k, 0, 0.0, 0.0);
    for (int i = 0; i < k; i++) {
        s->contact[i].restitution = 1.0;
        for (int j = 0; j < k; j++) s->W[i * k + j] = i == j ? 2.0 : abs(i - j) == 1 ? -1.0 : 0.0;
    }
    s->b[0] = -1.0;
}

static void a_cradle_depends_on_the_law(void) {
    System s;
    Answer x;
    cradle(&s, 3);  // at once: velocities -1/3, 2/3, 2/3
    assert_int_equal(solve(&s, (LiaImpactOptions){0}, &x), LIA_IMPACT_SOLVED);
    assert_int_equal(x.out.law, LIA_IMPACT_LAW_NEWTON);
    assert_true(fabs(x.P[0] - 4.0 / 3.0) < 1e-15 && fabs(x.P[1] - 2.0 / 3.0) < 1e-15);
    assert_true(fabs(x.out.lost) < 1e-15 && x.out.reduced == 1.0);
    for (int balls = 2; balls <= 8; balls++) {  // one after another: only the last one leaves
        cradle(&s, balls);
        assert_int_equal(solve(&s, (LiaImpactOptions){.sequential = true}, &x), LIA_IMPACT_SOLVED);
        assert_int_equal(x.out.law, LIA_IMPACT_LAW_SEQUENCE);
        assert_int_equal(x.out.impacts, balls - 1);
        for (int i = 0; i < balls - 1; i++) {
            assert_true(fabs(x.P[i] - 1.0) < 1e-14);
            assert_true(fabs(x.u[i] - (i == balls - 2 ? 1.0 : 0.0)) < 1e-14);
        }
    }
}

static void a_ball_between_two_walls_cannot_leave_both(void) {
    System s;
    Answer x;
    system_begin(&s, 2, 0, 0.0, 0.0);
    memcpy(s.W, (double[]){1, -1, -1, 1}, 4 * sizeof(double));
    s.b[0] = -1.0;
    s.b[1] = 1.0;
    s.contact[0].restitution = s.contact[1].restitution = 0.5;
    assert_int_equal(solve(&s, (LiaImpactOptions){0}, &x), LIA_IMPACT_SOLVED);
    assert_true(x.out.reduced == 0.0);
    assert_true(x.u[0] == 0.0 && x.u[1] == 0.0);
    assert_true(fabs(x.out.lost - 0.5) < 1e-12);
}

// ---- one contact with friction

// Contact point at (x, y) from the centre of mass of a plane body of mass 1 and radius of gyration
// k.
static void plane_body(System* s, double x, double y, double k2, double mu, double e) {
    system_begin(s, 1, 1, mu, mu);
    s->contact[0].restitution = e;
    s->W[0] = 1.0 + x * x / k2;
    s->W[1] = s->W[2] = -x * y / k2;
    s->W[3] = 1.0 + y * y / k2;
}

static void a_ball_with_spin_slides_or_rolls_off(void) {
    // uniform ball of radius 1: W_tt = 7/2; P = (1 + e) v; it slides on if the slip is more than
    // mu P 7/2
    System s;
    Answer x;
    double P = 1.6 * 2.0, mu = 0.2;
    for (int side = -1; side <= 1; side += 2) {
        for (int slow = 0; slow < 2; slow++) {
            plane_body(&s, 0.0, 1.0, 0.4, mu, 0.6);
            s.b[0] = -2.0;
            s.b[1] = side * mu * P * 3.5 * (slow ? 0.8 : 1.25);
            assert_int_equal(solve(&s, (LiaImpactOptions){0}, &x), LIA_IMPACT_SOLVED);
            assert_int_equal(x.out.law, LIA_IMPACT_LAW_ROUTH);
            assert_int_equal(x.out.restitution, LIA_RESTITUTION_STRONGE);
            assert_true(fabs(x.u[0] - 1.2) < 1e-14 && fabs(x.P[0] - P) < 1e-14);
            double T = -side * mu * P * (slow ? 0.8 : 1.0);
            assert_true(fabs(x.P[1] - T) < 1e-14);
            assert_int_equal(!(x.phases[0] & LIA_IMPACT_STUCK), !slow);
            check_laws(&s, &x);
        }
    }
}

// Slides to the left until p1, then to the right: Newton's coefficient with friction gains energy
// (Kane, Levinson), Stronge's does not.
static void newton_with_friction_can_gain_energy_and_stronge_cannot(void) {
    System s;
    Answer x;
    double mu = 0.3;
    plane_body(&s, 1.0, 2.0, 1.0 / 3.0, mu, 0.9);
    s.b[0] = -1.0;
    s.b[1] = 0.2;
    double nn = s.W[0], nt = s.W[1], tt = s.W[3];
    // slope of the slip before it is 0: nt - mu tt < 0, after it: nt + mu tt < 0, so it reverses
    assert_true(nt + mu * tt < 0.0);
    double p1 = -s.b[1] / (nt - mu * tt), u1 = s.b[0] + (nn - mu * nt) * p1;
    assert_true(u1 < 0.0);
    double p = p1 + (0.9 - u1) / (nn + mu * nt);
    solve(&s, (LiaImpactOptions){.restitution = LIA_RESTITUTION_NEWTON}, &x);
    assert_int_equal(x.status, LIA_IMPACT_SOLVED);
    assert_true(fabs(x.P[0] - p) < 1e-14 && fabs(x.u[0] - 0.9) < 1e-14);
    assert_true(x.phases[0] & LIA_IMPACT_REVERSED);
    // Poisson: p = (1 + e) p of compression
    double compression = p1 - u1 / (nn + mu * nt);
    solve(&s, (LiaImpactOptions){.restitution = LIA_RESTITUTION_POISSON}, &x);
    assert_true(fabs(x.P[0] - 1.9 * compression) < 1e-14);
    assert_true(x.out.lost >= 0.0);
    // Stronge: u_n^2 after compression = e^2 2 (nn + mu nt) |work of compression|
    double work = 0.5 * p1 * (s.b[0] + u1) + 0.5 * (compression - p1) * u1;
    solve(&s, (LiaImpactOptions){.restitution = LIA_RESTITUTION_STRONGE}, &x);
    assert_true(fabs(x.u[0] - 0.9 * sqrt(-2.0 * (nn + mu * nt) * work)) < 1e-14);
    assert_true(x.out.lost >= 0.0);
    // with more slip to reverse Newton's law makes energy
    s.contact[0].restitution = 1.0;
    s.b[1] = 1.75;
    solve(&s, (LiaImpactOptions){.restitution = LIA_RESTITUTION_NEWTON}, &x);
    assert_true(x.out.lost < -0.03);
    solve(&s, (LiaImpactOptions){.restitution = LIA_RESTITUTION_STRONGE}, &x);
    assert_true(x.out.lost >= 0.0);
}

// All e go the same way and end at different places of it. So the work of restitution is the
// integral of gap' by P over e, and with Stronge's law it is as e^2.
static void work_of_stronge_in_restitution_is_as_e_squared(void) {
    enum { PARTS = 200 };
    Random r = {5};
    for (int trial = 0; trial < 30; trial++) {
        System s;
        Answer x;
        system_begin(&s, 1, 1 + trial % 2, random_between(&r, 0.05, 1.5), 2.0);
        system_random(&s, &r, 6);
        s.b[0] = -fabs(s.b[0]);
        double work = 0.0, half = 0.0, u = 0.0, P = 0.0;
        for (int i = 0; i <= PARTS; i++) {
            s.contact[0].restitution = (double)i / PARTS;
            assert_int_equal(solve(&s, (LiaImpactOptions){0}, &x), LIA_IMPACT_SOLVED);
            check_laws(&s, &x);
            if (i == 0) assert_true(fabs(x.u[0]) < 1e-13);
            if (i > 0) assert_true(x.u[0] > u || x.P[0] > P);
            if (i > 0) work += 0.5 * (x.u[0] + u) * (x.P[0] - P);
            if (2 * i == PARTS) half = work;
            u = x.u[0];
            P = x.P[0];
        }
        assert_true(fabs(half / work - 0.25) < 1e-4);
    }
}

// ---- in space

// The same process by classical Runge-Kutta steps in p, until compression ends; no zero slip.
static bool by_small_steps(const System* s, double mu, double* u, double* p) {
    enum { STEPS = 20000 };
    double h = 4.0 * fabs(s->b[0]) / s->W[0] / STEPS;
    memcpy(u, s->b, 3 * sizeof *u);
    for (*p = 0.0; u[0] < 0.0; *p += h) {
        double k[4][3], v[3], c[] = {0.0, 0.5, 0.5, 1.0};
        if (hypot(u[1], u[2]) < 0.05) return false;
        if (*p > 100 * STEPS * h) return false;
        for (int j = 0; j < 4; j++) {
            for (int i = 0; i < 3; i++) v[i] = u[i] + (j > 0 ? c[j] * h * k[j - 1][i] : 0.0);
            double speed = hypot(v[1], v[2]);
            for (int i = 0; i < 3; i++) {
                const double* W = s->W + 3 * i;
                k[j][i] = W[0] - mu * (W[1] * v[1] + W[2] * v[2]) / speed;
            }
        }
        for (int i = 0; i < 3; i++) {
            u[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
        }
    }
    double last = u[0] / (s->W[0] - mu * (s->W[1] * u[1] + s->W[2] * u[2]) / hypot(u[1], u[2]));
    *p -= last;  // back to u_n = 0, along the tangent
    return true;
}

static void the_hodograph_is_that_of_small_steps(void) {
    Random r = {8};
    int compared = 0;
    for (int trial = 0; trial < 60; trial++) {
        System s;
        Answer x;
        double mu = random_between(&r, 0.1, 1.0), u[3], p;
        system_begin(&s, 1, 2, mu, mu);
        system_random(&s, &r, 5);
        s.b[0] = -fabs(s.b[0]);
        assert_int_equal(solve(&s, (LiaImpactOptions){0}, &x), LIA_IMPACT_SOLVED);
        if (!by_small_steps(&s, mu, u, &p)) continue;
        assert_true(fabs(x.P[0] - p) < 1e-7 * p);
        compared++;
    }
    assert_true(compared > 20);
}

// Work is a sum along the curve; with W symmetric it is also P.(u- + u+)/2, and both to 1e-13.
static void the_hodograph_is_integrated_to_rounding(void) {
    Random r = {9};
    for (int trial = 0; trial < 500; trial++) {
        System s;
        Answer x;
        system_begin(&s, 1, 2, random_between(&r, 0.05, 3.0), 3.0);
        system_random(&s, &r, random_whole(&r, 3, 7));
        s.b[0] = -fabs(s.b[0]);
        s.contact[0].restitution = random_between(&r, 0.0, 1.0);
        assert_int_equal(solve(&s, (LiaImpactOptions){0}, &x), LIA_IMPACT_SOLVED);
        assert_true(fabs(energy_gained(&s, &x) + x.out.lost) <= 1e-13 * size_of(&s, &x));
    }
}

static void turned_axes_of_slip_give_the_turned_impulse(void) {
    Random r = {10};
    for (int trial = 0; trial < 200; trial++) {
        System s, t;
        Answer x, y;
        double mu = random_between(&r, 0.05, 2.0), angle = random_between(&r, -4, 4);
        system_begin(&s, 1, 2, mu, mu);
        system_random(&s, &r, random_whole(&r, 3, 6));
        s.b[0] = -fabs(s.b[0]);
        s.contact[0].restitution = random_between(&r, 0.0, 1.0);
        double R[9] = {1, 0, 0, 0, cos(angle), -sin(angle), 0, sin(angle), cos(angle)};
        t = s;
        t.d.W = t.W, t.d.b = t.b, t.d.contact = t.contact;
        for (int i = 0; i < 3; i++) {
            t.b[i] = 0.0;
            for (int k = 0; k < 3; k++) t.b[i] += R[3 * i + k] * s.b[k];
            for (int j = 0; j < 3; j++) {
                t.W[3 * i + j] = 0.0;
                for (int k = 0; k < 9; k++) {
                    t.W[3 * i + j] += R[3 * i + k / 3] * s.W[k] * R[3 * j + k % 3];
                }
            }
        }
        solve(&s, (LiaImpactOptions){0}, &x);
        solve(&t, (LiaImpactOptions){0}, &y);
        assert_int_equal(x.status, y.status);
        double size = fabs(x.P[0]) * (1.0 + mu);
        for (int i = 0; i < 3; i++) {
            double want = 0.0;
            for (int k = 0; k < 3; k++) want += R[3 * i + k] * x.P[k];
            assert_true(fabs(y.P[i] - want) < 1e-10 * size);
        }
    }
}

// ---- wedging

// A uniform rod of half length 1 whose end slides on the floor at the angle a: W_nn - mu W_nt is
// (1 + 3 cos a (cos a - mu sin a))/m.
static void rod(System* s, double a, double mu) {
    plane_body(s, -cos(a), -sin(a), 1.0 / 3.0, mu, 0.0);
    for (int i = 1; i <= 2; i++) s->W[i] = -s->W[i];  // the rod leans towards its slip
}

static void sliding_that_wedges_is_an_impact_without_approach(void) {
    System s;
    Answer x;
    double a = atan(2.0), mu = 1.5, v = 0.8;
    rod(&s, a, mu);
    double k = s.W[0] - mu * s.W[1];
    assert_true(fabs(k - (1.0 + 3.0 * cos(a) * (cos(a) - mu * sin(a)))) < 1e-15 && k < 0.0);
    s.b[1] = v;
    solve(&s, (LiaImpactOptions){0}, &x);
    assert_int_equal(x.out.law, LIA_IMPACT_LAW_NONE);
    assert_int_equal(solve(&s, (LiaImpactOptions){.jam = true}, &x), LIA_IMPACT_SOLVED);
    assert_int_equal(x.out.law, LIA_IMPACT_LAW_ROUTH);
    assert_true(x.phases[0] & LIA_IMPACT_WEDGED && x.phases[0] & LIA_IMPACT_STUCK);
    // it stops at p1 and sticks: in the end gap' = slip = 0
    double det = s.W[0] * s.W[3] - s.W[1] * s.W[2];
    assert_true(fabs(x.P[0] - s.W[1] * v / det) < 1e-14);
    assert_true(fabs(x.P[1] + s.W[0] * v / det) < 1e-14);
    assert_true(fabs(x.u[0]) < 1e-15 && fabs(x.u[1]) < 1e-15);
    check_laws(&s, &x);
    rod(&s, a, 1.3);  // below 4/3 nothing wedges
    s.b[1] = v;
    solve(&s, (LiaImpactOptions){.jam = true}, &x);
    assert_int_equal(x.out.law, LIA_IMPACT_LAW_NONE);
}

// W is not symmetric: something drives the slip, and friction presses for ever.
static void compression_that_never_ends_has_no_solution(void) {
    for (int dim = 1; dim <= 2; dim++) {
        System s;
        Answer x;
        system_begin(&s, 1, dim, 0.5, 0.5);
        int m = s.d.rows;
        for (int i = 0; i < m; i++) s.W[i * m + i] = 1.0;
        s.W[1] = 4.0;  // gap' by T: with T = -mu P, gap' falls
        s.W[m] = 1.0;  // slip by P: grows
        s.b[0] = -1.0;
        s.b[1] = 1.0;
        assert_int_equal(solve(&s, (LiaImpactOptions){0}, &x), LIA_IMPACT_NO_SOLUTION);
        assert_int_equal(x.out.contact, 0);
    }
}

// ---- several contacts with friction

static void impacts_that_are_not_coupled_are_impacts_of_their_own(void) {
    Random r = {12};
    for (int trial = 0; trial < 50; trial++) {
        System one[2], both;
        Answer x[2], y;
        system_begin(&both, 2, 2, 0.4, 0.4);
        for (int i = 0; i < 2; i++) {
            system_begin(one + i, 1, 2, 0.4, 0.4);
            system_random(one + i, &r, 5);
            one[i].b[0] = -fabs(one[i].b[0]);
            one[i].contact[0].restitution = both.contact[i].restitution = 0.6;
            for (int j = 0; j < 9; j++) {
                both.W[(3 * i + j / 3) * 6 + 3 * i + j % 3] = one[i].W[j];
            }
            memcpy(both.b + 3 * i, one[i].b, 3 * sizeof(double));
            solve(one + i, (LiaImpactOptions){0}, x + i);
        }
        solve(&both, (LiaImpactOptions){0}, &y);
        assert_int_equal(y.out.law, LIA_IMPACT_LAW_ROUTH);
        for (int i = 0; i < 6; i++) assert_true(y.P[i] == x[i / 3].P[i % 3]);
    }
}

static void order_and_units_of_contacts_do_not_matter(void) {
    Random r = {13};
    for (int trial = 0; trial < 150; trial++) {
        System s, t;
        Answer x, y;
        int dim = trial % 3, k = 3, m = k * (1 + dim), order[] = {2, 0, 1};
        system_begin(&s, k, dim, 0.5, 0.5);
        system_random(&s, &r, m + 2);
        restitutions(&s, &r, 0.0, 0.8);
        system_begin(&t, k, dim, 0.5, 0.5);
        double unit = exp(random_between(&r, -20, 20)), mass = exp(random_between(&r, -20, 20));
        int row[MOST_ROWS];
        for (int i = 0; i < m; i++) row[i] = order[i / (1 + dim)] * (1 + dim) + i % (1 + dim);
        for (int i = 0; i < m; i++) {
            t.b[i] = s.b[row[i]] * unit;
            for (int j = 0; j < m; j++) t.W[i * m + j] = s.W[row[i] * m + row[j]] / mass;
        }
        for (int c = 0; c < k; c++) t.contact[c].restitution = s.contact[order[c]].restitution;
        LiaImpactOptions options = {.sequential = trial % 2};
        solve(&s, options, &x);
        solve(&t, options, &y);
        assert_int_equal(x.status, y.status);
        double size = 1.0;
        for (int i = 0; i < m; i++) size = fmax(size, fabs(x.P[i]));
        for (int i = 0; i < m; i++) {
            assert_true(fabs(y.P[i] / unit / mass - x.P[row[i]]) < 1e-8 * size);
        }
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(random_impacts_keep_the_laws),
        TEST(newton_for_several_contacts_with_friction_is_reduced_to_no_gain),
        TEST(a_ball_on_the_floor_comes_back_with_e),
        TEST(a_cradle_depends_on_the_law),
        TEST(a_ball_between_two_walls_cannot_leave_both),
        TEST(a_ball_with_spin_slides_or_rolls_off),
        TEST(newton_with_friction_can_gain_energy_and_stronge_cannot),
        TEST(work_of_stronge_in_restitution_is_as_e_squared),
        TEST(the_hodograph_is_that_of_small_steps),
        TEST(the_hodograph_is_integrated_to_rounding),
        TEST(turned_axes_of_slip_give_the_turned_impulse),
        TEST(sliding_that_wedges_is_an_impact_without_approach),
        TEST(compression_that_never_ends_has_no_solution),
        TEST(impacts_that_are_not_coupled_are_impacts_of_their_own),
        TEST(order_and_units_of_contacts_do_not_matter),
    };
    return TESTS_RUN(tests);
}
