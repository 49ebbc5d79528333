// Laws of src/motion/contact/friction/complementarity.c: the conditions themselves, closed forms,
// brute force; and of friction/cone_polygon, which it begins with.
//
// Tests: motion/contact/friction/complementarity.c, motion/contact/friction/coupled.c
// SPDX-License-Identifier: MIT
#include "base/numeric/qr.h"
#include "contact/systems.h"
#include "motion/contact/friction/complementarity.h"
#include "motion/contact/friction/coupled.h"
#include "support/cases.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Answer {
    LiaComplementarity out;
    LiaContactVerdict verdict[MOST_CONTACTS];
    double lambda[MOST_ROWS], a[MOST_ROWS];
    LiaComplementarityStatus status;
} Answer;

static LiaComplementarityStatus solve(const System* s, Answer* x) {
    double* work = malloc(lia_complementarity_work(&s->d) * sizeof *work);
    int* index = malloc(lia_complementarity_index(&s->d) * sizeof *index);
    assert_non_null(work);
    assert_non_null(index);
    x->out = (LiaComplementarity){.lambda = x->lambda, .a = x->a, .verdict = x->verdict};
    x->status = lia_complementarity_solve(&s->d, &x->out, work, index);
    free(work);
    free(index);
    return x->status;
}

// All conditions as complementarity.h states them, from W and b, to `error`.
static void check_conditions(const System* s, const Answer* x, double error) {
    const LiaDelassus* d = &s->d;
    double size = 1.0;
    for (int i = 0; i < d->rows; i++) size = fmax(size, fabs(x->lambda[i]));
    error *= size;
    for (int i = 0; i < d->rows; i++) {
        double sum = d->b[i];
        for (int j = 0; j < d->rows; j++) sum += d->W[i * d->rows + j] * x->lambda[j];
        assert_true(fabs(sum - x->a[i]) < error);
    }
    for (int c = 0; c < d->contacts; c++) {
        const LiaContactRows* contact = d->contact + c;
        double N = x->lambda[contact->normal], gap = x->a[contact->normal];
        assert_true(N >= 0.0 && gap > -error && N * gap < error * size);
        for (int k = 0; k < contact->blocks; k++) {
            const LiaFrictionBlock* b = contact->block + k;
            const double *T = x->lambda + b->row, *slip = d->slip + b->row, *a = x->a + b->row;
            double speed = system_length(slip, b->dimension), t = system_length(T, b->dimension);
            if (speed == 0.0) {
                slip = a;
                speed = system_length(a, b->dimension);
                bool rests = speed < error;
                assert_true(t <= (rests ? b->static_most : b->kinetic) * N + error);
                if (rests) continue;
            }
            for (int i = 0; i < b->dimension; i++) {
                // slip' of rounding has no direction
                double want = -b->kinetic * N * slip[i] / speed;
                assert_true(fabs(T[i] - want) < error * (1.0 + 1.0 / speed));
            }
        }
    }
}

static void random_contacts_at_rest_satisfy_the_conditions(void) {
    Random r = {11};
    int states[3] = {0};
    for (int trial = 0; trial < 600; trial++) {
        System s;
        Answer x;
        int dim = trial % 3, k = random_whole(&r, 1, 5);
        double mu = random_between(&r, 0.1, 1.2);
        system_begin(&s, k, dim, mu, trial % 2 ? mu : 1.5 * mu);
        system_random(&s, &r, random_whole(&r, 3, s.d.rows + 3));
        solve(&s, &x);
        assert_int_not_equal(x.status, LIA_COMPLEMENTARITY_NONE);
        assert_int_not_equal(x.status, LIA_COMPLEMENTARITY_BUDGET);
        assert_true(x.out.residual <= 1e-12);
        check_conditions(&s, &x, 1e-9);
        for (int c = 0; c < k; c++) states[x.verdict[c].state]++;
    }
    for (int i = 0; i < 3; i++) assert_true(states[i] > 100);
}

static void random_sliding_contacts_satisfy_the_conditions_or_have_a_bad_coupling(void) {
    Random r = {12};
    int solved = 0, other = 0;
    for (int trial = 0; trial < 600; trial++) {
        System s;
        Answer x;
        int dim = 1 + trial % 2, k = random_whole(&r, 1, 4);
        double mu = random_between(&r, 0.1, 4.0);
        system_begin(&s, k, dim, mu, mu);
        system_random(&s, &r, s.d.rows + 2);
        for (int c = 0; c < k; c++) {
            if (random_chance(&r, 0.3)) continue;  // at rest
            for (int i = 0; i < dim; i++) s.slip[c * (1 + dim) + 1 + i] = random_between(&r, -1, 1);
        }
        solve(&s, &x);
        if (x.status == LIA_COMPLEMENTARITY_SOLVED) {
            check_conditions(&s, &x, 1e-9);
            assert_true(x.out.residual <= 1e-12);
            solved++;
        } else if (k == 1) {
            assert_int_equal(x.out.painleve, 0);
            assert_true(x.verdict[0].coupling <= 0.0);
            other++;
        }
    }
    assert_true(solved > 300 && other > 5);
}

// ---- one contact

static void incline(System* s, double angle, double kinetic, double static_most) {
    system_begin(s, 1, 2, kinetic, static_most);
    for (int i = 0; i < 3; i++) s->W[i * 4] = 1.0 / 0.7;
    s->b[0] = -9.81 * cos(angle);
    s->b[1] = 9.81 * sin(angle) * 0.6;
    s->b[2] = 9.81 * sin(angle) * 0.8;
}

static void a_block_on_an_incline_holds_up_to_the_static_angle(void) {
    System s;
    Answer x;
    for (int i = 1; i < 90; i++) {
        double a = i * atan(1.0) / 45.0;
        incline(&s, a, 0.3, 0.5);
        assert_int_equal(solve(&s, &x), LIA_COMPLEMENTARITY_SOLVED);
        assert_true(x.out.unique);
        assert_true(fabs(x.lambda[0] - 0.7 * 9.81 * cos(a)) < 1e-14);
        if (tan(a) < 0.5) {
            assert_int_equal(x.verdict[0].state, LIA_CONTACT_STICKS);
            assert_true(system_length(x.a, 3) < 1e-14);
        } else {
            double want = 9.81 * (sin(a) - 0.3 * cos(a));
            assert_int_equal(x.verdict[0].state, LIA_CONTACT_SLIDES);
            assert_true(fabs(x.a[1] - 0.6 * want) < 1e-14 && fabs(x.a[2] - 0.8 * want) < 1e-14);
            assert_true(fabs(x.verdict[0].direction[0][0] - 0.6) < 1e-14);
            assert_true(fabs(x.verdict[0].direction[0][1] - 0.8) < 1e-14);
        }
        assert_false(x.verdict[0].border);
    }
    incline(&s, atan(0.4), 0.4, 0.4);  // on the bound: the next order decides
    solve(&s, &x);
    assert_true(x.verdict[0].border);
    s.slip[1] = -1e-9;  // up the incline: friction pulls down
    solve(&s, &x);
    assert_int_equal(x.verdict[0].state, LIA_CONTACT_SLIDES);
    assert_true(fabs(x.a[1] - 9.81 * (sin(atan(0.4)) * 0.6 + 0.4 * cos(atan(0.4)))) < 1e-13);
}

static void what_is_pulled_off_opens(void) {
    System s;
    Answer x;
    incline(&s, 0.3, 0.3, 0.3);
    s.b[0] = 0.2;
    assert_int_equal(solve(&s, &x), LIA_COMPLEMENTARITY_SOLVED);
    assert_int_equal(x.verdict[0].state, LIA_CONTACT_OPENS);
    assert_true(x.lambda[0] == 0.0 && x.lambda[1] == 0.0 && x.a[1] == s.b[1]);
    s.b[0] = 0.0;
    solve(&s, &x);
    assert_int_equal(x.verdict[0].state, LIA_CONTACT_OPENS);
    assert_true(x.verdict[0].border);
}

// Uniform rod of half length 1 and mass 1 at the angle a, its lower end slides towards where it
// leans.
static void rod(System* s, double a, double mu, double gap) {
    system_begin(s, 1, 1, mu, mu);
    s->W[0] = 1.0 + 3.0 * cos(a) * cos(a);
    s->W[1] = s->W[2] = 3.0 * sin(a) * cos(a);
    s->W[3] = 1.0 + 3.0 * sin(a) * sin(a);
    s->b[0] = gap;
    s->slip[1] = 1.0;
}

static void the_rod_of_painleve_has_the_critical_coefficient_4_3(void) {
    System s;
    Answer x;
    for (int i = 1; i < 90; i++) {
        double a = i * atan(1.0) / 45.0;
        rod(&s, a, 1.333, -1.0);
        assert_int_equal(solve(&s, &x), LIA_COMPLEMENTARITY_SOLVED);
        assert_int_equal(x.out.painleve, -1);
        double S = 1.0 + 3.0 * cos(a) * (cos(a) - 1.333 * sin(a));
        assert_true(fabs(x.lambda[0] * S - 1.0) < 1e-14 / S);  // S is a difference
    }
    double a = atan(2.0);
    rod(&s, a, 1.334, -1.0);  // it would sink in, and pressing makes it worse
    assert_int_equal(solve(&s, &x), LIA_COMPLEMENTARITY_NONE);
    assert_int_equal(x.out.painleve, 0);
    rod(&s, a, 1.334, 1.0);  // it may open, or stay with N = -b/S
    assert_int_equal(solve(&s, &x), LIA_COMPLEMENTARITY_SEVERAL);
    assert_int_equal(x.out.painleve, 0);
    rod(&s, a, 4.0 / 3.0, -1.0);
    solve(&s, &x);
    assert_true(fabs(x.verdict[0].coupling) < 1e-15);
    assert_int_equal(x.out.painleve, 0);
}

// All solutions of one contact at rest in space, by trial of all directions.
static int by_trial(const System* s, double mu, double (*a)[3]) {
    int found = 0;
    const double *W = s->W, *b = s->b;
    if (b[0] >= 0.0) memcpy(a[found++], b, sizeof *a);
    double A[9], x[3] = {-b[0], -b[1], -b[2]}, left[3], right[3];
    int row[3];
    memcpy(A, W, sizeof A);
    LiaLu lu = {.n = 3, .A = A, .row = row, .left = left, .right = right};
    lia_dense_lu_factor(&lu, NULL);
    lia_dense_lu_solve(&lu, x);
    if (x[0] > 0.0 && hypot(x[1], x[2]) < mu * x[0]) memset(a[found++], 0, sizeof *a);
    double last = 0.0;
    for (int i = 0; i <= 20000; i++) {
        double f = i * 8.0 * atan(1.0) / 20000, c = cos(f), d = sin(f);
        double S = W[0] - mu * (W[1] * c + W[2] * d), N = -b[0] / S, t[2];
        for (int k = 0; k < 2; k++) {
            const double* w = W + 3 * (k + 1);
            t[k] = b[k + 1] + N * (w[0] - mu * (w[1] * c + w[2] * d));
        }
        double across = t[1] * c - t[0] * d, along = t[0] * c + t[1] * d;
        bool crossed = i > 0 && across * last < 0.0 && N > 0.0 && along > 0.0;
        if (crossed && fabs(across) + fabs(last) < 0.1) {
            a[found][0] = 0.0;
            a[found][1] = t[0];
            a[found++][2] = t[1];
        }
        last = across;
    }
    return found;
}

static void a_cone_in_space_is_that_of_all_directions(void) {
    Random r = {14};
    int slides = 0;
    for (int trial = 0; trial < 150; trial++) {
        System s;
        Answer x;
        double mu = random_between(&r, 0.1, 1.5), a[16][3], nearest = INFINITY;
        system_begin(&s, 1, 2, mu, mu);
        system_random(&s, &r, 5);
        assert_int_equal(solve(&s, &x), LIA_COMPLEMENTARITY_SOLVED);
        int found = by_trial(&s, mu, a);
        for (int k = 0; k < found; k++) {
            double apart = 0.0;
            for (int i = 0; i < 3; i++) apart = fmax(apart, fabs(a[k][i] - x.a[i]));
            nearest = fmin(nearest, apart);
        }
        assert_true(nearest < 5e-3);
        slides += x.verdict[0].state == LIA_CONTACT_SLIDES;
    }
    assert_true(slides > 20);
}

// ---- several contacts

// Feet at (r, -h) of a body of mass 1 on a floor that is inclined in x: rows n, x, y each.
static void feet(System* s, int k, double (*r)[2], double h, double incline) {
    double J[MOST_ROWS * 6], g = 9.81;
    double e[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, inertia[] = {0.4, 0.4, 0.4};
    double pull[6] = {g * sin(incline), 0.0, -g * cos(incline), 0, 0, 0};
    for (int i = 0; i < 3 * k; i++) {
        double at[3] = {r[i / 3][0], r[i / 3][1], -h};
        system_row(J + 6 * i, e[i % 3], at);
    }
    system_body(s, J, 1.0, inertia, pull);
}

// Three feet that slide in any directions: the normal forces are the barycentric coordinates of the
// foot of the centre of mass in the triangle of the points r + h u, u = -mu V/|V|.
static void three_rough_feet_share_the_weight_by_barycentric_coordinates(void) {
    Random r = {15};
    int inside = 0;
    for (int trial = 0; trial < 200; trial++) {
        System s;
        Answer x;
        double at[3][2], D[3][2], h = random_between(&r, 0.1, 1.0), mu = 0.4;
        system_begin(&s, 3, 2, mu, mu);
        for (int i = 0; i < 3; i++) {
            double f = i * 2.094 + random_between(&r, -0.5, 0.5), v = random_between(&r, 0, 6.28);
            at[i][0] = cos(f);
            at[i][1] = sin(f);
            s.slip[3 * i + 1] = 0.3 * cos(v);
            s.slip[3 * i + 2] = 0.3 * sin(v);
            D[i][0] = at[i][0] - h * mu * cos(v);
            D[i][1] = at[i][1] - h * mu * sin(v);
        }
        feet(&s, 3, at, h, 0.0);
        double N[3], sum = 0.0;
        for (int i = 0; i < 3; i++) {
            const double *p = D[(i + 1) % 3], *q = D[(i + 2) % 3];
            sum += N[i] = p[0] * q[1] - p[1] * q[0];
        }
        if (!(N[0] / sum > 0.01 && N[1] / sum > 0.01 && N[2] / sum > 0.01)) continue;
        assert_int_equal(solve(&s, &x), LIA_COMPLEMENTARITY_SOLVED);
        for (int i = 0; i < 3; i++) {
            assert_true(fabs(x.lambda[3 * i] - 9.81 * N[i] / sum) < 1e-12);
        }
        assert_true(x.out.unique);
        inside++;
    }
    assert_true(inside > 100);
}

static void a_box_on_four_corners_has_forces_of_minimum_norm(void) {
    double at[4][2] = {{1.0, 0.5}, {1.0, -0.5}, {-1.0, 0.5}, {-1.0, -0.5}};
    for (int i = 0; i < 8; i++) {
        System s;
        Answer x;
        double slope = 0.06 * i;  // friction holds up to 0.5; the upper feet carry until 0.73
        system_begin(&s, 4, 2, 0.6, 0.6);
        feet(&s, 4, at, 1.1, slope);
        assert_int_equal(solve(&s, &x), LIA_COMPLEMENTARITY_SOLVED);
        assert_false(x.out.unique);
        assert_true(x.out.residual <= 1e-12);
        check_conditions(&s, &x, 1e-11);
        for (int k = 0; k < 12; k++) assert_true(fabs(x.a[k]) < 1e-12);
        // minimum norm by hand: A lambda = -b of least norm, where that stays in the cones
        double A[144], b[12], want[12], pivot[12], work[400];
        int order[12], index[12];
        memcpy(A, s.W, sizeof A);
        for (int k = 0; k < 12; k++) b[k] = -s.b[k];
        LiaRows rows = {.m = 12, .n = 12, .A = A, .pivot = pivot, .order = order};
        assert_int_equal(lia_qr_factor(&rows, 1e-10, true), 6);
        assert_true(lia_qr_work(12, 12) <= 400);
        lia_qr_solve(&rows, b, want, work, index);
        bool inside = true;
        for (int c = 0; c < 4; c++) {
            inside = inside && hypot(want[3 * c + 1], want[3 * c + 2]) < 0.6 * want[3 * c];
        }
        double norm = system_length(x.lambda, 12), least = system_length(want, 12);
        assert_true(inside || i > 0);
        if (inside) {
            for (int k = 0; k < 12; k++) assert_true(fabs(x.lambda[k] - want[k]) < 1e-12);
        } else {
            assert_true(norm > least && norm < 1.2 * least);
        }
        // the next one without friction: a quarter each
        for (int c = 0; c < 4; c++) s.contact[c].block[0].kinetic = 0.0;
        for (int c = 0; c < 4; c++) s.contact[c].block[0].static_most = 0.0;
        feet(&s, 4, at, 1.1, 0.0);
        assert_int_equal(solve(&s, &x), LIA_COMPLEMENTARITY_SOLVED);
        assert_false(x.out.unique);
        for (int c = 0; c < 4; c++) assert_true(fabs(x.lambda[3 * c] - 9.81 / 4) < 1e-12);
    }
}

// The centre of mass above one edge: the other feet carry nothing, and nothing is left open.
static void a_box_about_to_tip_has_forces_that_are_unique_if_smooth(void) {
    double at[4][2] = {{0.0, 0.5}, {0.0, -0.5}, {-1.0, 0.5}, {-1.0, -0.5}};
    System s;
    Answer x;
    system_begin(&s, 4, 2, 0.0, 0.0);
    feet(&s, 4, at, 1.1, 0.0);
    assert_int_equal(solve(&s, &x), LIA_COMPLEMENTARITY_SOLVED);
    assert_true(x.out.unique);
    for (int c = 0; c < 4; c++) {
        assert_true(fabs(x.lambda[3 * c] - (c < 2 ? 9.81 / 2 : 0.0)) < 1e-12);
        assert_true(x.verdict[c].border == (c >= 2));
    }
}

// A uniform ladder at a smooth wall holds if mu >= 1/(2 tan a).
static void a_ladder_holds_if_the_floor_is_rough_enough(void) {
    for (int i = 10; i < 80; i++) {
        double a = i * atan(1.0) / 45.0, least = 0.5 / tan(a);
        for (int rough = 0; rough < 2; rough++) {
            System s;
            Answer x;
            system_begin(&s, 2, 1, least * (rough ? 1.01 : 0.99), 9.0);
            s.contact[0].block[0].static_most = s.contact[0].block[0].kinetic;
            s.contact[1].blocks = 0;
            s.d.rows = 3;
            double J[18] = {0}, inertia[] = {1.0, 1.0, 1.0 / 3.0}, g[6] = {0, -9.81};
            double foot[3] = {-cos(a), -sin(a)}, top[3] = {cos(a), sin(a)};
            system_row(J, (double[]){0, 1, 0}, foot);
            system_row(J + 6, (double[]){1, 0, 0}, foot);
            system_row(J + 12, (double[]){-1, 0, 0}, top);
            system_body(&s, J, 1.0, inertia, g);
            assert_int_equal(solve(&s, &x), LIA_COMPLEMENTARITY_SOLVED);
            check_conditions(&s, &x, 1e-11);
            assert_int_equal(x.verdict[0].state, rough ? LIA_CONTACT_STICKS : LIA_CONTACT_SLIDES);
            if (!rough) continue;
            assert_true(fabs(x.lambda[0] - 9.81) < 1e-12);
            assert_true(fabs(x.lambda[2] - 9.81 * least) < 1e-12 * (1.0 + least));
        }
    }
}

static void order_and_units_of_contacts_do_not_matter(void) {
    Random r = {16};
    for (int trial = 0; trial < 150; trial++) {
        System s, t;
        Answer x, y;
        int dim = trial % 3, k = 3, m = k * (1 + dim), order[] = {2, 0, 1}, row[MOST_ROWS];
        system_begin(&s, k, dim, 0.3, 0.3);
        system_random(&s, &r, m + 2);
        system_begin(&t, k, dim, 0.3, 0.3);
        double unit = exp(random_between(&r, -20, 20)), mass = exp(random_between(&r, -20, 20));
        for (int i = 0; i < m; i++) row[i] = order[i / (1 + dim)] * (1 + dim) + i % (1 + dim);
        for (int i = 0; i < m; i++) {
            t.b[i] = s.b[row[i]] * unit;
            for (int j = 0; j < m; j++) t.W[i * m + j] = s.W[row[i] * m + row[j]] / mass;
        }
        solve(&s, &x);
        solve(&t, &y);
        assert_int_equal(x.status, y.status);
        if (x.status != LIA_COMPLEMENTARITY_SOLVED) continue;
        double size = 1.0;
        for (int i = 0; i < m; i++) size = fmax(size, fabs(x.lambda[i]));
        for (int i = 0; i < m; i++) {
            assert_true(fabs(y.lambda[i] / unit / mass - x.lambda[row[i]]) < 1e-9 * size);
        }
        for (int c = 0; c < k; c++) {
            assert_int_equal(y.verdict[c].state, x.verdict[order[c]].state);
        }
    }
}

static void what_is_no_number_is_not_solved(void) {
    System s;
    Answer x;
    incline(&s, 0.1, 0.3, 0.3);
    s.b[1] = NAN;
    assert_int_equal(solve(&s, &x), LIA_COMPLEMENTARITY_BUDGET);
    incline(&s, 0.1, 0.3, 0.3);
    s.W[0] = INFINITY;
    assert_int_equal(solve(&s, &x), LIA_COMPLEMENTARITY_BUDGET);
}

// --- groups

enum { PARTS = 3 };

// The group is a part of the system, row by row: what W, b, slip and noise say of it.
static void check_group(const LiaDelassus* d, const LiaCoupled* g) {
    int seen[MOST_ROWS] = {0}, rows = 0;
    for (int c = 0; c < g->d.contacts; c++) {
        const LiaContactRows *x = g->contact + c, *y = d->contact + g->member[c];
        assert_true(c == 0 || g->member[c] > g->member[c - 1]);
        assert_int_equal(g->row[x->normal], y->normal);
        assert_true(x->restitution == y->restitution && x->blocks == y->blocks);
        for (int k = 0; k < x->blocks; k++) {
            assert_true(x->block[k].kinetic == y->block[k].kinetic);
            for (int i = 0; i < x->block[k].dimension; i++)
                assert_int_equal(g->row[x->block[k].row + i], y->block[k].row + i);
        }
        rows += lia_delassus_rows(x);
    }
    assert_int_equal(g->d.rows, rows);
    for (int i = 0; i < rows; i++) {
        int r = g->row[i];
        assert_true(!seen[r]++);
        assert_true(g->d.b[i] == d->b[r] && g->d.slip[i] == d->slip[r]);
        assert_true(g->d.noise[i] == d->noise[r]);
        for (int j = 0; j < rows; j++)
            assert_true(g->d.W[i * rows + j] == d->W[r * d->rows + g->row[j]]);
    }
}

// Contacts of three systems in random order: each is one group, though one contact of it is coupled
// with the next one only, and by one entry above or below the diagonal.
static void contacts_that_are_coupled_are_one_group(void) {
    Random random = {41};
    for (int trial = 0; trial < 50; trial++) {
        System s;
        int k = 8, part[8], seen[PARTS] = {0}, last[PARTS] = {-1, -1, -1};
        double noise[MOST_ROWS], work[1024];
        int index[64], groups = 0, contacts = 0;
        system_begin(&s, k, 2, 0.3, 0.4);
        for (int i = 0; i < s.d.rows; i++) {
            s.W[i * s.d.rows + i] = random_between(&random, 0.1, 10);
            s.b[i] = random_between(&random, -1, 1), s.slip[i] = random_between(&random, -1, 1);
            noise[i] = random_between(&random, 0, 1e-9);
        }
        s.d.noise = noise;
        for (int c = 0; c < k; c++) {
            s.contact[c].restitution = random_between(&random, 0, 1);
            part[c] = (int)random_between(&random, 0, PARTS * 0.999);
            int before = last[part[c]], row = 3 * c + trial % 3, column = 3 * before + c % 3;
            last[part[c]] = c;
            if (before < 0) continue;
            s.W[(c % 2 ? row : column) * s.d.rows + (c % 2 ? column : row)] = 0.01;
        }
        assert_true(lia_coupled_work(&s.d) <= 1024 && lia_coupled_index(&s.d) <= 64);
        LiaCoupled g;
        lia_coupled_begin(&s.d, &g, work, index);
        for (; lia_coupled_next(&s.d, &g); groups++) {
            check_group(&s.d, &g);
            int own = part[g.member[0]];
            assert_true(!seen[own]++);
            for (int i = 0; i < g.d.contacts; i++) assert_int_equal(part[g.member[i]], own);
            contacts += g.d.contacts;
        }
        assert_int_equal(contacts, k);
        assert_int_equal(groups, (last[0] >= 0) + (last[1] >= 0) + (last[2] >= 0));
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(contacts_that_are_coupled_are_one_group),
        TEST(random_contacts_at_rest_satisfy_the_conditions),
        TEST(random_sliding_contacts_satisfy_the_conditions_or_have_a_bad_coupling),
        TEST(a_block_on_an_incline_holds_up_to_the_static_angle),
        TEST(what_is_pulled_off_opens),
        TEST(the_rod_of_painleve_has_the_critical_coefficient_4_3),
        TEST(a_cone_in_space_is_that_of_all_directions),
        TEST(three_rough_feet_share_the_weight_by_barycentric_coordinates),
        TEST(a_box_on_four_corners_has_forces_of_minimum_norm),
        TEST(a_box_about_to_tip_has_forces_that_are_unique_if_smooth),
        TEST(a_ladder_holds_if_the_floor_is_rough_enough),
        TEST(order_and_units_of_contacts_do_not_matter),
        TEST(what_is_no_number_is_not_solved),
    };
    return TESTS_RUN(tests);
}
