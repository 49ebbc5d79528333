// The search for a start, part by part. Shortest steps against M^-1 J^T (J M^-1 J^T)^-1 by Gauss;
// places on an ellipse against all of its places; what one equation says of one coordinate is put
// there; only what is connected with what does not hold moves.
//
// Tests: mechanics/start/search/search.c, mechanics/start/search/metric.c
// Tests: mechanics/start/search/min_norm_step.c, mechanics/start/search/descent.c
// Tests: mechanics/start/search/downhill.c, mechanics/start/search/connected.c
// Tests: mechanics/start/search/nearer.c, mechanics/start/search/nearer_descent.c
// Tests: mechanics/start/search/nearer_chain.c
// Tests: mechanics/start/start_driven.c
// SPDX-License-Identifier: MIT
#include "mechanics/start/search/min_norm_step.h"
#include "mechanics/start/search/nearer_chain.h"
#include "mechanics/start/search/nearer_descent.h"
#include "mechanics/start/search/search.h"
#include "mechanics/test_hooks.h"
#include "support/built.h"
#include "support/cases.h"
#include "support/gauss.h"
#include "support/random.h"

typedef struct Scene {
    Built b;
    LiaSearch z;
} Scene;

// Positions at their guesses.
static Scene scene_of(const char* text, const double* guess) {
    Scene s = {.b = built_of(text, 0, NULL)};
    assert_true(lia_search_init(&s.z, s.b.system));
    size_t size = (size_t)s.z.n * sizeof *guess;
    memcpy(s.z.w->q, guess, size);
    memcpy(s.z.target[0], guess, size);
    return s;
}

static void scene_clear(Scene* s) {
    lia_search_clear(&s->z);
    built_clear(&s->b);
}

// The coordinates and equations of a search, as lia_search_find() chooses them, all positions free.
static void all_move(LiaSearch* z) {
    z->level = 0;
    z->x = z->w->q;
    z->u = z->m = 0;
    for (int i = 0; i < z->n; i++) z->unknown[z->u++] = i;
    for (int c = 0; c < z->nc; c++) z->row[z->m++] = c;
    z->kept.missed = INFINITY;
    lia_search_evaluate(z);
}

// --- steps

static const char net[] = "coordinate a, b, c, d : line\n"
                          "kinetic 3*a'^2/2 + b'^2 + a'*b'/2 + 2*c'^2 + c'*d'/3 + d'^2/2\n"
                          "constraint one: a*b + c = 1\nconstraint two: b - c*d^2 = 0.5\n";

// y = M^-1 J^T (J M^-1 J^T)^-1 rhs.
static void shortest_by_gauss(const LiaWorkspace* w, const double* rhs, double* y) {
    double M[16], J[8], X[8], A[4], l[2];
    built_dense(w, lia_workspace_M, 4, M);
    built_dense(w, lia_workspace_J, 2, J);
    for (int c = 0; c < 2; c++) assert_true(gauss_solve(4, M, J + c * 4, X + c * 4));
    for (int c = 0; c < 4; c++) {
        A[c] = 0.0;
        for (int i = 0; i < 4; i++) A[c] += J[c / 2 * 4 + i] * X[c % 2 * 4 + i];
    }
    assert_true(gauss_solve(2, A, rhs, l));
    for (int i = 0; i < 4; i++) y[i] = l[0] * X[i] + l[1] * X[4 + i];
}

static void the_shortest_step_is_that_of_the_kinetic_metric(void) {
    const double guess[4] = {0.4, 1.1, -0.3, 0.8}, rhs[2] = {0.7, -0.2};
    double wanted[4];
    Scene s = scene_of(net, guess);
    LiaSearch* z = &s.z;
    all_move(z);
    shortest_by_gauss(z->w, rhs, wanted);
    memcpy(z->rhs, rhs, sizeof rhs);
    lia_metric_shortest(z);
    for (int i = 0; i < 4; i++) assert_float_equal(z->y[i], wanted[i], 1e-13);
    // A = L L^T = M, and distances are measured by it
    double A[16], M[16], square = 0.0;
    lia_metric_take(z, A);
    built_dense(z->w, lia_workspace_M, 4, M);
    for (int i = 0; i < 16; i++) assert_float_equal(A[i], M[i], 1e-15);
    for (int i = 0; i < 4; i++) z->x[i] += wanted[i];
    for (int i = 0; i < 16; i++) square += wanted[i / 4] * M[i] * wanted[i % 4];
    assert_float_equal(lia_metric_distance(z), square, 1e-13);
    scene_clear(&s);
}

// By sparse elimination the same, also where an equation is said twice.
static void the_sparse_step_is_the_same(void) {
    const LiaTestHooks sparse = {.algebra = LIA_ALGEBRA_SPARSE};
    const double guess[4] = {0.4, 1.1, -0.3, 0.8}, rhs[3] = {0.7, -0.2, 1.4};
    const double weight[4] = {1, 1, 1, 1};
    const int unknown[4] = {0, 1, 2, 3}, row[3] = {0, 1, 2};
    for (int twice = 0; twice < 2; twice++) {
        char text[500];
        snprintf(text, sizeof text, "%s%s", net, twice ? "constraint more: 2*a*b + 2*c = 2\n" : "");
        Built b = built_of(text, 1, &sparse);
        LiaWorkspace* w = b.w;
        double wanted[4], y[4];
        memcpy(w->q, guess, sizeof guess);
        lia_workspace_load(w, 1);
        lia_workspace_residuals(w);
        lia_workspace_matrices(w);
        shortest_by_gauss(w, rhs, wanted);
        LiaMinNormStep step;
        assert_true(lia_min_norm_step_init(&step, w,
                                           (LiaMinNormAsked){unknown, 4, row, 2 + twice, weight}));
        assert_true(lia_min_norm_step_find(&step, w, rhs, y));
        for (int i = 0; i < 4; i++) assert_float_equal(y[i], wanted[i], 1e-12);
        lia_min_norm_step_clear(&step);
        built_clear(&b);
    }
}

// --- measures

// By |J_k| times the size of coordinate k, at least 1, of those that the row depends on.
static void what_a_row_misses_is_measured_by_row_and_state(void) {
    const double guess[4] = {0.4, 3.0, -0.3, 0.8};
    Scene s = scene_of(net, guess);
    LiaSearch* z = &s.z;
    all_move(z);
    double one = 0.4 * 3.0 - 0.3 - 1.0, size = 3.0 + 0.4 + 1.0;
    assert_true(lia_search_row_counts(z, 0, 0) && lia_search_row_has_value(z, 0));
    assert_float_equal(lia_search_row_size(z, 0), size, 1e-14);
    assert_float_equal(lia_search_residual(z, 0, 0), one, 1e-14);
    assert_float_equal(lia_search_missed(z, 0, 0), fabs(one) / (3.0 + 0.4 * 3.0 + 1.0), 1e-14);
    assert_float_equal(lia_search_worst(z, 0),
                       fmax(lia_search_missed(z, 0, 0), lia_search_missed(z, 1, 0)), 0.0);
    assert_true(lia_nearer_descent_worst(z) == lia_search_worst(z, 0));
    assert_true(lia_search_moved(z) == 0.0);
    z->x[1] += 0.6;
    assert_float_equal(lia_search_moved(z), 0.6 / 3.6, 1e-14);
    z->given[0][2] = true;
    assert_true(lia_search_moves(z, 1) && !lia_search_moves(z, 2));
    z->apart = true;
    for (int i = 0; i < 4; i++) z->part[i] = i == 3 ? -1 : i / 2;
    assert_true(lia_search_coupled(z, 0, 1) && !lia_search_coupled(z, 1, 2));
    assert_false(lia_search_moves(z, 3));
    assert_false(lia_search_astray(z));  // no joint has a wrong side
    z->apart = false;
    scene_clear(&s);
}

// --- the nearest place

// On x^2/4 + y^2 = 1, in the metric 2 dx^2 + 6 dy^2 (twice T): all places, one by one.
static const char ellipse[] = "coordinate x, y : line\nkinetic x'^2 + 3*y'^2\n"
                              "constraint c: x^2/4 + y^2 = 1\n";

static double nearest_of_all(const double* guess) {
    double least = INFINITY;
    for (int k = 0; k < 200000; k++) {
        double a = k * (2 * acos(-1.0) / 200000), x = 2 * cos(a), y = sin(a);
        least = fmin(least, 2 * pow(x - guess[0], 2) + 6 * pow(y - guess[1], 2));
    }
    return least;
}

static double square_from(const LiaSearch* z, const double* guess) {
    return 2 * pow(z->w->q[0] - guess[0], 2) + 6 * pow(z->w->q[1] - guess[1], 2);
}

static void the_start_is_the_nearest_place_of_an_ellipse(void) {
    const double guesses[][2] = {{3, 1}, {0.4, 2.5}, {-1.1, 0.2}, {0.3, -0.1}, {-5, -7}};
    for (int k = 0; k < 5; k++) {
        Scene s = scene_of(ellipse, guesses[k]);
        LiaSearch* z = &s.z;
        double left = lia_search_find(z, 0, false);
        assert_true(left < 1e-14);
        left = lia_search_nearer(z, 0, left);
        assert_true(left < 1e-14);
        double least = nearest_of_all(guesses[k]), square = square_from(z, guesses[k]);
        assert_float_equal(square, least, 1e-8 * (1 + least));
        assert_float_equal(lia_metric_distance(z), square, 1e-12 * (1 + square));
        scene_clear(&s);
    }
}

// From the far side of the ellipse: steps along it come as near as it lets them.
static void steps_along_the_equations_come_nearer(void) {
    const double guess[2] = {3, 1};
    Scene s = scene_of(ellipse, guess);
    LiaSearch* z = &s.z;
    all_move(z);
    z->w->q[0] = 2 * cos(2.0), z->w->q[1] = sin(2.0);
    lia_search_evaluate(z);
    bool nearest;
    double before = square_from(z, guess), left = lia_descent_come_nearer(z, 0.0, &nearest);
    assert_true(nearest && left < 1e-13);
    assert_true(square_from(z, guess) < before);
    assert_float_equal(square_from(z, guess), nearest_of_all(guess), 1e-6);
    // the same by the descents of nearer.c
    LiaNearer N = {0};
    assert_true(lia_nearer_descent_init(&N, z));
    N.least = INFINITY;
    z->w->q[0] = -1.0, z->w->q[1] = 2.0;
    lia_nearer_descent_evaluate(&N);
    assert_true(lia_nearer_descent_onto(&N, 0.5));
    assert_true(lia_search_worst(z, 0) < 1e-8);
    N.least = 0.0;
    assert_true(lia_nearer_descent_along(&N));
    assert_float_equal(square_from(z, guess), nearest_of_all(guess), 1e-6);
    const double step[2] = {0.3, -0.4}, there[2] = {0.25, 0.5};
    lia_metric_take(z, NULL);
    assert_float_equal(lia_nearer_descent_length(&N, step), sqrt(2 * 0.09 + 6 * 0.16), 1e-14);
    lia_nearer_descent_put(&N, there);
    assert_memory_equal(z->w->q, there, sizeof there);
    lia_nearer_descent_clear(&N);
    scene_clear(&s);
}

// Two circles: Newton goes to one, the other is nearer, or the only one far away.
static void searches_around_find_what_is_nearer(void) {
    const double guess[2] = {0.1, 0.0};
    Scene s = scene_of("coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"
                       "constraint c: ((x - 4)^2 + y^2 - 9)*((x + 1)^2 + y^2 - 0.25) = 0\n",
                       guess);
    LiaSearch* z = &s.z;
    all_move(z);
    z->w->q[0] = 7.0, z->w->q[1] = 0.0;  // on the first circle, at its far end
    lia_search_evaluate(z);
    double left = lia_nearer_around(z);
    assert_true(left < 1e-10);
    assert_float_equal(z->w->q[0], -0.5, 1e-7);  // 0.6 away; the first circle is 0.9 away
    assert_float_equal(z->w->q[1], 0.0, 1e-7);
    scene_clear(&s);
    const double far[2] = {0, 0};
    s = scene_of("coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"
                 "constraint c: (x - 40)^2 + y^2 = 1\n",
                 far);
    all_move(&s.z);
    left = lia_nearer_far(&s.z);
    assert_true(left < 1e-10);
    assert_float_equal(hypot(s.z.w->q[0] - 40, s.z.w->q[1]), 1.0, 1e-9);
    scene_clear(&s);
}

// cos(x) = 1/2 has four solutions within 8 of 0, and each of them says one y; z is free. The
// nearest to the guess come first.
enum { CHAIN = 8 };
static double chain_met[CHAIN][3];
static int chain_count;

static void meet(LiaNearer* N) {
    assert_true(chain_count < CHAIN);
    memcpy(chain_met[chain_count++], N->z->x, sizeof *chain_met);
}

static void a_chain_of_equations_has_all_its_places_looked_at(void) {
    const double guess[3] = {0.3, 0, 0.7};
    Scene s = scene_of("coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                       "constraint chain: x^3 + 50*y = 3\nconstraint first: cos(x) = 0.5\n",
                       guess);
    LiaSearch* z = &s.z;
    all_move(z);
    LiaNearer N = {0};
    assert_true(lia_nearer_descent_init(&N, z));
    for (int i = 0; i < 3; i++) N.L0[4 * i] = 1.0;
    N.least = 49.0;  // x from -6.7 to 7.3
    memcpy(N.best, guess, sizeof guess);
    chain_count = 0;
    lia_nearer_chain_each(&N, meet);
    const double third = acos(0.5), x[4] = {third, -third, 6.0 * third - third, -5.0 * third};
    assert_int_equal(chain_count, 4);
    for (int k = 0; k < 4; k++) {
        assert_float_equal(chain_met[k][0], x[k], 1e-7);
        assert_float_equal(chain_met[k][1], (3.0 - x[k] * x[k] * x[k]) / 50.0, 1e-6);
        assert_true(chain_met[k][2] == 0.7);
    }
    lia_nearer_descent_clear(&N);
    scene_clear(&s);
}

// --- steps onto the equations

static void newton_steps_arrive_and_say_where_they_do_not(void) {
    const double guess[2] = {1.5, 0.3};
    Scene s = scene_of(ellipse, guess);
    double left;
    all_move(&s.z);
    assert_true(lia_descent(&s.z, true, &left) && left < 1e-14);
    assert_float_equal(pow(s.z.w->q[0], 2) / 4 + pow(s.z.w->q[1], 2), 1.0, 1e-14);
    scene_clear(&s);
    s = scene_of("coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\nconstraint c: x^2 + y^2 = -1\n",
                 guess);
    all_move(&s.z);
    assert_false(lia_descent(&s.z, true, &left));
    scene_clear(&s);
}

static void one_equation_of_one_coordinate_is_put(void) {
    const double guess[3] = {0.2, 0.3, 0.4};
    Scene s = scene_of("coordinate x, y, z : line\nkinetic x'^2 + y'^2 + z'^2\n"
                       "constraint a: 2*x = 3\nconstraint b: x*y = 6\n",
                       guess);
    LiaSearch* z = &s.z;
    all_move(z);
    lia_descent_put_single(z);
    assert_float_equal(z->w->q[0], 1.5, 1e-15);
    assert_true(z->w->q[1] == 0.3 && z->w->q[2] == 0.4);
    scene_clear(&s);
}

static bool any(const LiaSearch* z) {
    (void)z;
    return true;
}

// Where the curve is flat Newton's steps lead far out; downhill there is the root.
static void downhill_leads_where_newton_runs_away(void) {
    const double guess[1] = {3};
    Scene s =
        scene_of("coordinate x : line\nkinetic x'^2\nconstraint d: x/sqrt(1 + x^2) = 0.5\n", guess);
    all_move(&s.z);
    double left;
    assert_false(lia_descent(&s.z, true, &left));
    s.z.w->q[0] = 3;
    lia_search_evaluate(&s.z);
    left = lia_downhill_run(&s.z, false, any);
    assert_true(left < 1e-12);
    assert_float_equal(s.z.w->q[0], 1 / sqrt(3.0), 1e-12);
    scene_clear(&s);
    const double near[2] = {0.4, 0.7};
    s = scene_of("coordinate x, y : line\nkinetic x'^2 + y'^2\n"
                 "constraint a: exp(3*x) + y = 4\nconstraint b: x - y^3 = -3\n",
                 near);
    all_move(&s.z);
    left = lia_downhill_run(&s.z, false, any);
    assert_true(left < 1e-12);
    assert_float_equal(exp(3 * s.z.w->q[0]) + s.z.w->q[1], 4.0, 1e-12);
    assert_float_equal(s.z.w->q[0] - pow(s.z.w->q[1], 3), -3.0, 1e-12);
    scene_clear(&s);
}

// --- what moves

static void only_what_is_connected_with_what_does_not_hold_moves(void) {
    const double guess[6] = {1, 2, 0.5, 0.25, 7, 8};
    Scene s = scene_of("coordinate a, b, c, d, e, f : line\n"
                       "kinetic a'^2 + b'^2 + c'^2 + d'^2 + e'^2 + f'^2 + a'*e'/9\n"
                       "constraint wrong: a + b = 4\nconstraint right: c = 2*d\n"
                       "constraint also: f = 9\n",
                       guess);
    LiaSearch* z = &s.z;
    bool mendable;
    assert_true(lia_connected_find(z, &mendable) && mendable);
    const int wanted[6] = {0, 0, -1, -1, -1, 1};
    for (int i = 0; i < 6; i++) assert_int_equal(z->part[i], wanted[i]);
    z->given[0][5] = true;  // nothing mends 'also' then
    assert_true(lia_connected_find(z, &mendable) && !mendable);
    z->given[0][5] = false;
    // what differs from its guess by rounding comes back where the equations allow it
    assert_true(lia_connected_find(z, &mendable));
    z->w->q[0] = 1.0 + 1e-16, z->w->q[1] = 3.0, z->w->q[5] = 9.0;
    z->target[0][1] = 3.0 * (1 + 1e-16);
    lia_search_evaluate(z);
    assert_true(lia_connected_put_back(z));
    assert_true(z->w->q[0] == 1.0 && z->w->q[1] == 3.0 && z->w->q[5] == 9.0);
    scene_clear(&s);
}

static void driven_positions_are_set_and_become_their_guesses(void) {
    const double guess[4] = {0.1, 0.2, 0.3, 0.4};
    Scene s = scene_of("coordinate x, y, z, u : line\nkinetic x'^2 + y'^2 + z'^2 + u'^2\n"
                       "operator a: x = 2 + sin(t)\noperator b: y - x = 1\nconstraint c: z = u\n",
                       guess);
    LiaSearch* z = &s.z;
    z->w->t = 0.5;
    assert_true(lia_start_driven_set(z));
    double x = 2 + sin(0.5);
    assert_float_equal(z->w->q[0], x, 1e-15);
    assert_float_equal(z->w->q[1], x + 1, 1e-14);
    assert_true(z->w->q[2] == 0.3 && z->w->q[3] == 0.4);
    for (int i = 0; i < 4; i++) {
        assert_true(z->driven.asked[i] == guess[i]);
        assert_true(z->target[0][i] == z->w->q[i]);
    }
    assert_true(z->driven.set[0] && !z->driven.set[2]);
    scene_clear(&s);
}

int main(void) {
    const TestCase tests[] = {
        TEST(the_shortest_step_is_that_of_the_kinetic_metric),
        TEST(the_sparse_step_is_the_same),
        TEST(what_a_row_misses_is_measured_by_row_and_state),
        TEST(the_start_is_the_nearest_place_of_an_ellipse),
        TEST(steps_along_the_equations_come_nearer),
        TEST(searches_around_find_what_is_nearer),
        TEST(a_chain_of_equations_has_all_its_places_looked_at),
        TEST(newton_steps_arrive_and_say_where_they_do_not),
        TEST(one_equation_of_one_coordinate_is_put),
        TEST(downhill_leads_where_newton_runs_away),
        TEST(only_what_is_connected_with_what_does_not_hold_moves),
        TEST(driven_positions_are_set_and_become_their_guesses),
    };
    return TESTS_RUN(tests);
}
