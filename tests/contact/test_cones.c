// Coulomb's cones, file by file: closed forms of one contact, polygons against discs, all modes
// counted by hand, forces that accelerations do not decide, the nearest ones within the cones, and
// those far inside of them.
//
// Tests: motion/contact/friction/cone.c, motion/contact/friction/cone_polygon.c
// Tests: motion/contact/friction/cone_modes.c, motion/contact/friction/cone_norm.c
// Tests: motion/contact/friction/cone_planes.c, motion/contact/friction/redundant.c
// Tests: motion/contact/friction/cone_centre.c, motion/contact/friction/self_stress.c
// SPDX-License-Identifier: MIT
#include "contact/systems.h"
#include "motion/contact/friction/complementarity.h"
#include "motion/contact/friction/cone.h"
#include "motion/contact/friction/self_stress.h"
#include "support/cases.h"

typedef struct Answer {
    LiaCone cone;
    double lambda[MOST_ROWS], a[MOST_ROWS], mu[MOST_CONTACTS * LIA_FRICTION_BLOCKS];
    LiaConeStatus status;
} Answer;

static LiaConeStatus solve(const System* s, Answer* x) {
    double* work = malloc(lia_cone_work(&s->d) * sizeof *work);
    int* index = malloc(lia_cone_index(&s->d) * sizeof *index);
    memset(x->mu, 0, sizeof x->mu);
    for (int c = 0; c < s->d.contacts; c++)
        x->mu[c * LIA_FRICTION_BLOCKS] = s->contact[c].block[0].kinetic;
    x->cone = (LiaCone){.d = &s->d, .mu = x->mu, .lambda = x->lambda, .a = x->a};
    x->status = lia_cone_solve(&x->cone, work, index);
    free(work);
    free(index);
    return x->status;
}

// A problem whose units are those of the scaled one: W has a diagonal of 1.
typedef struct Scaled {
    LiaConeScaled s;
    double mu[MOST_CONTACTS * LIA_FRICTION_BLOCKS], offset[MOST_CONTACTS], scale[MOST_ROWS];
    double x[MOST_ROWS], y[MOST_ROWS], blur[MOST_ROWS];
    double middle[MOST_CONTACTS * LIA_FRICTION_BLOCKS], spread[MOST_CONTACTS * LIA_FRICTION_BLOCKS];
} Scaled;

static void scale(System* s, Scaled* z) {
    memset(z, 0, sizeof *z);
    z->s = (LiaConeScaled){.contacts = s->d.contacts,
                           .rows = s->d.rows,
                           .contact = s->contact,
                           .W = s->W,
                           .b = s->b,
                           .mu = z->mu,
                           .offset = z->offset,
                           .scale = z->scale,
                           .unit = 1.0,
                           .x = z->x,
                           .y = z->y,
                           .blur = z->blur,
                           .middle = z->middle,
                           .spread = z->spread};
    for (int i = 0; i < s->d.rows; i++) z->scale[i] = 1.0;
    for (int c = 0; c < s->d.contacts; c++) {
        z->mu[c * LIA_FRICTION_BLOCKS] = s->contact[c].block[0].kinetic;
        z->spread[c * LIA_FRICTION_BLOCKS] = 1.0;
    }
}

// --- one contact

// m = 1: N = g, and a push F across sticks up to mu g, beyond it slides with F - mu g.
static void a_block_that_is_pushed_sticks_or_slides(void) {
    for (int dim = 1; dim <= 2; dim++) {
        for (double F = 0.1; F < 1.2; F += 0.2) {
            System s;
            Answer x;
            double angle = 0.7 * F, e[2] = {dim == 1 ? 1.0 : cos(angle), sin(angle)};
            system_begin(&s, 1, dim, 0.5, 0.5);
            for (int i = 0; i <= dim; i++) s.W[i * (dim + 2)] = 1.0;
            s.b[0] = -1.0;
            for (int i = 0; i < dim; i++) s.b[1 + i] = F * e[i];
            assert_int_equal(solve(&s, &x), LIA_CONE_SOLVED);
            assert_true(x.cone.unique && x.cone.residual < 1e-12);
            assert_float_equal(x.lambda[0], 1.0, 1e-13);
            for (int i = 0; i < dim; i++) {
                assert_float_equal(x.lambda[1 + i], -fmin(F, 0.5) * e[i], 1e-12);
                assert_float_equal(x.a[1 + i], fmax(F - 0.5, 0.0) * e[i], 1e-12);
            }
        }
    }
}

static void a_block_that_is_lifted_opens(void) {
    System s;
    Answer x;
    system_begin(&s, 1, 1, 0.5, 0.5);
    s.W[0] = s.W[3] = 1.0;
    s.b[0] = 0.3, s.b[1] = 2.0;
    assert_int_equal(solve(&s, &x), LIA_CONE_SOLVED);
    assert_true(x.lambda[0] == 0.0 && x.lambda[1] == 0.0);
    assert_float_equal(x.a[0], 0.3, 0.0);
}

// y = W x + b; the residual is 0 at the solution and grows with every wrong number.
static void the_residual_knows_a_wrong_solution(void) {
    System s;
    Scaled z;
    system_begin(&s, 1, 1, 0.5, 0.5);
    s.W[0] = s.W[3] = 1.0, s.W[1] = s.W[2] = 0.2;
    s.b[0] = -1.0, s.b[1] = 0.9;
    scale(&s, &z);
    // slides: N (1 - 0.2 mu) = 1
    double N = 1 / 0.9, right[2] = {N, -0.5 * N}, y[2];
    lia_cone_respond(&z.s, right, y);
    assert_float_equal(y[0], 0.0, 1e-15);
    assert_float_equal(y[1], 0.9 + 0.2 * N - 0.5 * N, 1e-15);
    assert_true(lia_cone_residual(&z.s, right, y) < 1e-15);
    for (int i = 0; i < 2; i++) {
        for (int side = -1; side <= 1; side += 2) {
            double wrong[2] = {right[0], right[1]};
            wrong[i] += side * 1e-3;
            lia_cone_respond(&z.s, wrong, y);
            assert_true(lia_cone_residual(&z.s, wrong, y) > 1e-5);
        }
    }
}

// --- polygons

// Of blocks of one row they are exact; of discs the force is within the disc and not far inside.
static void polygons_are_exact_in_the_plane_and_near_in_space(void) {
    Random r = {4};
    int compared = 0;
    for (int trial = 0; trial < 200; trial++) {
        System s;
        Scaled z;
        Answer x;
        int dim = 1 + trial % 2;
        system_begin(&s, 1 + trial % 3, dim, 0.4, 0.4);
        system_random(&s, &r, s.d.rows + 2);
        if (solve(&s, &x) != LIA_CONE_SOLVED || !x.cone.unique) continue;
        scale(&s, &z);
        double* work = malloc(lia_cone_polygon_work(&s.d) * sizeof *work);
        int* index = malloc(lia_cone_polygon_index(&s.d) * sizeof *index);
        assert_int_equal(lia_cone_polygon_solve(&z.s, 0, work, index), LIA_LCP_SOLVED);
        for (int i = 0; dim == 1 && i < s.d.rows; i++)
            assert_float_equal(z.x[i], x.lambda[i], 1e-9 * (1 + fabs(x.lambda[i])));
        for (int c = 0; c < s.d.contacts; c++) {
            double N = z.x[s.contact[c].normal], *T = z.x + s.contact[c].block[0].row;
            assert_true(N >= 0.0 && system_length(T, dim) <= 0.4 * N + 1e-12);
        }
        compared += dim == 1;
        free(work);
        free(index);
    }
    assert_true(compared > 40);
}

// --- all modes

// W = [1 c; c 1], b = (0.1, 1): open; stuck where mu is large enough; sliding where 1 - mu c < 0.
static void all_modes_of_one_contact_are_counted(void) {
    for (double mu = 0.2; mu < 2.6; mu += 0.4) {
        const double c = 0.9;
        System s;
        Scaled z;
        double work[400];
        int index[64], wanted = 1;
        system_begin(&s, 1, 1, mu, mu);
        s.W[0] = s.W[3] = 1.0, s.W[1] = s.W[2] = c;
        s.b[0] = 0.1, s.b[1] = 1.0;
        scale(&s, &z);
        double N = (c - 0.1) / (1 - c * c), T = -(1 - 0.1 * c) / (1 - c * c);
        wanted += fabs(T) <= mu * N;
        double slides = -0.1 / (1 - mu * c);
        wanted += slides > 0.0 && 1.0 + (c - mu) * slides > 0.0;
        assert_true(lia_cone_modes_work(2) <= 400);
        int count = lia_cone_modes_count(&z.s, (LiaConeModes){LIA_CONE_TAKE_LEAST_CONSTRAINT, true},
                                         work, index);
        if (count != wanted) fail_msg("mu = %g: %d, not %d", mu, count, wanted);
        // the least constraint is none at all
        assert_true(z.x[0] == 0.0 && z.x[1] == 0.0);
    }
    System s;  // discs are not counted
    Scaled z;
    double work[400];
    int index[64];
    system_begin(&s, 1, 2, 0.5, 0.5);
    for (int i = 0; i < 3; i++) s.W[i * 4] = 1.0;
    scale(&s, &z);
    const LiaConeModes any = {LIA_CONE_TAKE_ANY, true};
    assert_int_equal(lia_cone_modes_count(&z.s, any, work, index), -1);
}

// --- forces that are not unique

// Four corners of a square table, gaps z + px*p + py*r: forces +-(1, -1, 1, -1) do nothing.
static void table(System* s) {
    const double J[4][3] = {{1, 1, 1}, {1, -1, 1}, {1, -1, -1}, {1, 1, -1}};
    system_begin(s, 4, 0, 0.0, 0.0);
    for (int i = 0; i < 16; i++) {
        s->W[i] = 0.0;
        for (int k = 0; k < 3; k++) s->W[i] += J[i / 4][k] * J[i % 4][k] / 3.0;
    }
}

static void forces_of_a_table_are_those_of_least_norm(void) {
    System s;
    Scaled z;
    table(&s);
    for (int i = 0; i < 4; i++) s.b[i] = -1.0;
    scale(&s, &z);
    // m = 3: weight 3, on two legs across from each other; or in equal parts
    const double two[4] = {1.5, 0, 1.5, 0};
    memcpy(z.x, two, sizeof two);
    lia_cone_respond(&z.s, z.x, z.y);
    for (int i = 0; i < 4; i++) assert_float_equal(z.y[i], 0.0, 1e-15);
    double* work = malloc(lia_cone_norm_work(&s.d) * sizeof *work);
    int* index = malloc((lia_cone_index(&s.d) + 64) * sizeof *index);
    double residual = 0.0;
    assert_false(lia_cone_norm_least(&z.s, false, &residual, work, index));
    for (int i = 0; i < 4; i++) assert_float_equal(z.x[i], 0.75, 1e-13);
    assert_true(residual < 1e-13);
    // of three legs there is nothing to choose
    System three;
    system_begin(&three, 3, 0, 0.0, 0.0);
    for (int i = 0; i < 9; i++) three.W[i] = s.W[i / 3 * 4 + i % 3];
    for (int i = 0; i < 3; i++) three.b[i] = -1.0;
    scale(&three, &z);
    const double only[3] = {1.5, 0, 1.5};
    memcpy(z.x, only, sizeof only);
    lia_cone_respond(&z.s, z.x, z.y);
    assert_true(lia_cone_norm_least(&z.s, false, &residual, work, index));
    for (int i = 0; i < 3; i++) assert_true(z.x[i] == only[i]);
    free(work);
    free(index);
}

// Along (1, -1, 1, -1) t: -0.5 + t >= 0 and 1 - t >= 0, the nearest is t = 0.5.
static void the_nearest_forces_do_not_pull(void) {
    System s;
    Scaled z;
    double P[16], *work, lambda[4] = {-0.5, 1, 1, 1}, none[4] = {-2, 1, 1, 1};
    const double kernel[4] = {0.5, -0.5, 0.5, -0.5}, wanted[4] = {0, 0.5, 1.5, 0.5};
    table(&s);
    scale(&s, &z);
    for (int i = 0; i < 16; i++) P[i] = kernel[i / 4] * kernel[i % 4];
    work = malloc(lia_cone_planes_work(&s.d) * sizeof *work);
    int* index = malloc((lia_cone_planes_index(&s.d) + 1) * sizeof *index);
    assert_true(lia_cone_planes_nearest(&z.s, P, lambda, work, index));
    for (int i = 0; i < 4; i++) assert_float_equal(lambda[i], wanted[i], 1e-12);
    assert_false(lia_cone_planes_nearest(&z.s, P, none, work, index));
    free(work);
    free(index);
}

// Along the same line from (-0.5, 1, 1, 1), of size 1, the least of
//     2 t^2 - log(t - 0.5) - 2 log(1 - t) - log(1 + t);
// from (-2, 1, 1, 1) some force pulls everywhere.
static void forces_inside_of_the_cones_keep_off_every_bound(void) {
    System s;
    Scaled z;
    double P[16], lambda[4] = {-0.5, 1, 1, 1}, none[4] = {-2, 1, 1, 1};
    const double kernel[4] = {0.5, -0.5, 0.5, -0.5};
    table(&s);
    scale(&s, &z);
    for (int i = 0; i < 16; i++) P[i] = kernel[i / 4] * kernel[i % 4];
    double* work = malloc(lia_cone_centre_work(&s.d) * sizeof *work);
    int index[4];
    assert_true(lia_cone_centre_find(&z.s, P, lambda, work, index));
    double t = lambda[0] + 0.5;
    assert_true(t > 0.5 && t < 1.0);
    assert_float_equal(4 * t - 1 / (t - 0.5) + 2 / (1 - t) - 1 / (1 + t), 0.0, 1e-9);
    assert_float_equal(lambda[1], 1 - t, 1e-14);
    assert_float_equal(lambda[2], 1 + t, 1e-14);
    assert_float_equal(lambda[3], 1 - t, 1e-14);
    assert_false(lia_cone_centre_find(&z.s, P, none, work, index));
    assert_true(none[0] == -2.0 && none[1] == 1.0);
    free(work);
}

// --- sliding feet

// The feet of a box that slides, at x = +-1, y = +-1, its centre h above them: friction tips it,
// and the forces lie on a plane over the feet, N = m g/4 (1 + ..) with the moment of friction about
// the centre balanced: sum of x N = mu h sum of N.
static void sliding_feet_share_as_equal_springs(void) {
    const double mu = 0.3, h = 0.8, foot[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    System s;
    double J[8 * 6], free_[6] = {0, 0, -1, 0, 0, 0}, inertia[3] = {0.5, 0.7, 0.9};
    system_begin(&s, 4, 1, mu, mu);
    for (int k = 0; k < 4; k++) {
        const double at[3] = {foot[k][0], foot[k][1], -h}, up[3] = {0, 0, 1}, along[3] = {1, 0, 0};
        system_row(J + 12 * k, up, at);
        system_row(J + 12 * k + 6, along, at);
        s.slip[2 * k + 1] = 1.0;
    }
    system_body(&s, J, 2.0, inertia, free_);
    LiaContactVerdict verdict[4];
    double lambda[8], a[8];
    LiaComplementarity out = {.lambda = lambda, .a = a, .verdict = verdict};
    double* work = malloc(lia_complementarity_work(&s.d) * sizeof *work);
    int* index = malloc(lia_complementarity_index(&s.d) * sizeof *index);
    assert_int_equal(lia_complementarity_solve(&s.d, &out, work, index),
                     LIA_COMPLEMENTARITY_SOLVED);
    double weight = 0.0, moment = 0.0;
    for (int k = 0; k < 4; k++) {
        weight += lambda[2 * k];
        moment += foot[k][0] * lambda[2 * k];
        assert_float_equal(lambda[2 * k + 1], -mu * lambda[2 * k], 1e-12);
        assert_float_equal(a[2 * k], 0.0, 1e-12);
    }
    assert_float_equal(weight, 2.0, 1e-12);
    assert_float_equal(moment, mu * h * weight, 1e-12);  // the front feet are pressed
    assert_float_equal(lambda[0] - lambda[2] + lambda[4] - lambda[6], 0.0, 1e-12);
    assert_false(out.unique);
    free(work);
    free(index);
    // directly: the problem with the columns of sliding, against the one without
    double W[64], zero[8] = {0};
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 4; k++) {
            W[i * 8 + 2 * k] = s.W[i * 8 + 2 * k] - mu * s.W[i * 8 + 2 * k + 1];
            W[i * 8 + 2 * k + 1] = s.W[i * 8 + 2 * k + 1];
        }
    }
    LiaDelassus slides = s.d;
    double none[4 * LIA_FRICTION_BLOCKS] = {0};
    slides.W = W;
    LiaCone cone = {.d = &slides, .mu = none, .lambda = lambda, .a = a, .unique = true};
    memset(lambda, 0, sizeof lambda);
    work = malloc(lia_redundant_work(&s.d) * sizeof *work);
    index = malloc(lia_redundant_index(&s.d) * sizeof *index);
    for (int i = 0; i < 8; i++) zero[i] = 1e-12;
    assert_true(lia_redundant_solve(&s.d, &cone, zero, work, index));
    assert_float_equal(lambda[0] - lambda[2] + lambda[4] - lambda[6], 0.0, 1e-12);
    assert_float_equal(lambda[0] + lambda[2] + lambda[4] + lambda[6], 2.0, 1e-12);
    free(work);
    free(index);
}

// Normals of contacts of a body in the plane: where, and along what. Are some in balance?
static int in_balance(const double (*normal)[4], int k, double friction, const int* opens) {
    System s;
    system_begin(&s, k, 1, friction, friction);
    LiaContactVerdict verdict[MOST_CONTACTS] = {0};
    double J[MOST_ROWS][3];
    for (int c = 0; c < k; c++) {
        const double *n = normal[c], t[2] = {-n[3], n[2]};
        for (int i = 0; i < 2; i++) {
            const double* e = i ? t : n + 2;
            double row[3] = {e[0], e[1], n[0] * e[1] - n[1] * e[0]};
            memcpy(J[2 * c + i], row, sizeof row);
        }
        verdict[c].state = opens && opens[c] ? LIA_CONTACT_OPENS : LIA_CONTACT_STICKS;
        verdict[c].block[0] = verdict[c].state;
    }
    for (int i = 0; i < 2 * k; i++) {
        for (int j = 0; j < 2 * k; j++)
            s.W[i * 2 * k + j] =
                J[i][0] * J[j][0] / 7 + J[i][1] * J[j][1] / 7 + J[i][2] * J[j][2] / 0.3;
    }
    return lia_self_stress(&s.d, verdict);
}

// What presses a body from all sides can do so with any force; what bears its weight cannot.
static void contacts_that_press_each_other(void) {
    const double c = cos(0.7), d = sin(0.7);
    const double plates[3][4] = {{0, -1, 0, 1}, {0, 1, 0, -1}, {1, 0, -1, 0}};
    const double askew[2][4] = {{0, -1, 0, 1}, {0.1, 1, 0, -1}};
    const double corners[3][4] = {{-1, 0, 0, 1}, {1, 0, 0, 1}, {0.3, 0, 0, 1}};
    const double round[3][4] = {{0, -1, 0, 1}, {c, d, -c, -d}, {-c, d, c, -d}};
    const double wedge[2][4] = {{c, -d, -c, d}, {-c, -d, c, d}};
    assert_int_equal(in_balance(plates, 3, 0.3, NULL), 1);
    assert_int_equal(in_balance(plates, 3, 0.3, (int[]){0, 1, 0}), 0);
    assert_int_equal(in_balance(askew, 2, 0.3, NULL), 0);  // they turn it
    assert_int_equal(in_balance(corners, 3, 0.3, NULL), 0);
    assert_int_equal(in_balance(round, 3, 0.3, NULL), 1);
    assert_int_equal(in_balance(wedge, 2, 0.3, NULL), 0);
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_block_that_is_pushed_sticks_or_slides),
        TEST(a_block_that_is_lifted_opens),
        TEST(the_residual_knows_a_wrong_solution),
        TEST(polygons_are_exact_in_the_plane_and_near_in_space),
        TEST(all_modes_of_one_contact_are_counted),
        TEST(forces_of_a_table_are_those_of_least_norm),
        TEST(the_nearest_forces_do_not_pull),
        TEST(forces_inside_of_the_cones_keep_off_every_bound),
        TEST(sliding_feet_share_as_equal_springs),
        TEST(contacts_that_press_each_other),
    };
    return TESTS_RUN(tests);
}
