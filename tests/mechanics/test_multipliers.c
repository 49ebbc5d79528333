// Multipliers where rows depend on each other. Whatever is added to them of what the forces do not
// show is taken away again: the forces stay, and what is left is orthogonal to it. As series the
// same holds at every order; and where K0 itself is singular the shortest solution is orthogonal to
// its kernel.
//
// Tests: mechanics/multipliers/min_norm.c, mechanics/multipliers/min_norm_sparse.c
// Tests: mechanics/multipliers/min_norm_series.c, mechanics/multipliers/multiplier_nullspace.c
// Tests: mechanics/multipliers/min_norm_solution.c
// SPDX-License-Identifier: MIT
#include "mechanics/kkt/stage.h"
#include "mechanics/multipliers/min_norm.h"
#include "mechanics/multipliers/min_norm_solution.h"
#include "mechanics/multipliers/multiplier_nullspace.h"
#include "mechanics/test_hooks.h"
#include "support/built.h"
#include "support/cases.h"
#include "support/gauss.h"
#include "support/random.h"

static const LiaTestHooks dense = {.algebra = LIA_ALGEBRA_DENSE};
static const LiaTestHooks sparse = {.algebra = LIA_ALGEBRA_SPARSE};

// Row c is a + 2 b, and row e is -3 d: the forces do not show (1, 2, -1, 0, 0) nor (0, 0, 0, 3, 1).
static const char five[] = "coordinate x, y, z, s : line\n"
                           "kinetic 2*x'^2 + y'^2 + z'^2/3 + s'^2\n"
                           "force pull: 6*d(x) + d(y) - 2*d(z) + d(s)\n"
                           "constraint a: x + y = 0.8\n"
                           "constraint b: y - z = -0.2\n"
                           "constraint c: x + 3*y - 2*z = 0.4\n"
                           "constraint d: s = 0.9\n"
                           "constraint e: -3*s = -2.7\n";
static const double unseen[2][5] = {{1, 2, -1, 0, 0}, {0, 0, 0, 3, 1}};

static void prepare(LiaWorkspace* w) {
    for (int i = 0; i < 4; i++) w->v[i] = 0.0;
    built_accelerate(w, 1);
    assert_int_equal(w->nc, 5);
    assert_int_equal(w->nr, 3);
}

// The same forces, nothing left along the unseen ones, and so the same whatever was added.
static void least_norm_forgets_what_forces_do_not_show(void) {
    Random random = {5};
    for (int way = 0; way < 3; way++) {
        Built b = built_of(five, 1, way ? &sparse : &dense);
        LiaWorkspace* w = b.w;
        prepare(w);
        double Omega[20], force[4], after[4], first[5];
        built_dense(w, lia_workspace_Omega, 5, Omega);
        gauss_times(5, 4, Omega, true, w->mu, force);
        assert_true(fabs(force[0]) > 1.0);
        for (int trial = 0; trial < 4; trial++) {
            for (int k = 0; k < 2; k++) {
                double part = trial ? random_between(&random, -50.0, 50.0) : 0.0;
                for (int c = 0; c < 5; c++) w->mu[c] += part * unseen[k][c];
            }
            if (way == 2) {
                assert_true(lia_min_norm_sparse(w));
            } else {
                lia_min_norm_multipliers(w);
            }
            gauss_times(5, 4, Omega, true, w->mu, after);
            for (int i = 0; i < 4; i++) assert_float_equal(after[i], force[i], 1e-12);
            for (int k = 0; k < 2; k++) {
                double along = 0.0;
                for (int c = 0; c < 5; c++) along += unseen[k][c] * w->mu[c];
                assert_float_equal(along, 0.0, 1e-12);
            }
            if (trial == 0) memcpy(first, w->mu, sizeof first);
            for (int c = 0; c < 5; c++) assert_float_equal(w->mu[c], first[c], 1e-12);
        }
        // others with the same forces, which differ where a multiplier is not unique: everywhere
        gauss_times(5, 4, Omega, true, w->other, after);
        for (int i = 0; i < 4; i++) assert_float_equal(after[i], force[i], 1e-10);
        for (int c = 0; c < 5; c++) {
            assert_false(w->unique[c]);
            assert_true(fabs(w->other[c] - w->mu[c]) > 1e-3);
        }
        built_clear(&b);
    }
}

// Where contacts prefer multipliers, those nearest to them: mu - preferred is orthogonal.
static void preferred_multipliers_are_the_nearest(void) {
    double mu[5] = {1.0, -2.0, 5.0, 0.5, 3.0}, slope[5] = {2.0, 0.0, -1.0, 4.0, 0.5};
    const double later = 0.25;
    for (int way = 0; way < 2; way++) {
        Built b = built_of(five, 1, way ? &sparse : &dense);
        prepare(b.w);
        b.system->mode.preferred =
            (LiaPreferred){.mu = mu, .slope = slope, .since = b.w->t - later};
        lia_min_norm_multipliers(b.w);
        b.system->mode.preferred = (LiaPreferred){0};
        for (int k = 0; k < 2; k++) {
            double along = 0.0;
            for (int c = 0; c < 5; c++)
                along += unseen[k][c] * (b.w->mu[c] - mu[c] - slope[c] * later);
            assert_float_equal(along, 0.0, 1e-12);
        }
        built_clear(&b);
    }
}

// Combinations that are unique are orthogonal to both unseen directions: a space of 5 - 2, in
// reduced form.
static void unique_combinations_are_those_forces_show(void) {
    Built b = built_of(five, 1, &dense);
    prepare(b.w);
    lia_min_norm_multipliers(b.w);
    double basis[25];
    int count = lia_min_norm_combinations(b.w, basis);
    assert_int_equal(count, 3);
    for (int j = 0; j < count; j++) {
        for (int k = 0; k < 2; k++) {
            double along = 0.0;
            for (int c = 0; c < 5; c++) along += basis[j * 5 + c] * unseen[k][c];
            assert_float_equal(along, 0.0, 1e-12);
        }
        for (int i = 0; i < count; i++)
            assert_float_equal(basis[j * 5 + (i == 2 ? 3 : i)], i == j, 0);
    }
    built_clear(&b);
}

// The matrix [W Omega_C; Omega_C^T 0] splits mu into a part that the forces do not show and one
// orthogonal to all of these.
static void the_null_space_takes_the_unseen_part_of_any_multipliers(void) {
    Built b = built_of(five, 1, &dense);
    prepare(b.w);
    LiaMultiplierNullspace z;
    assert_true(lia_multiplier_nullspace_init(&z, b.w, b.w->nf));
    assert_int_equal(z.rank, 3);
    Random random = {11};
    double Omega[20], mu[5], force[4];
    built_dense(b.w, lia_workspace_Omega, 5, Omega);
    for (int trial = 0; trial < 20; trial++) {
        for (int c = 0; c < 5; c++) z.b[c] = mu[c] = random_between(&random, -1.0, 1.0);
        for (int k = 5; k < 5 + z.rank; k++) z.b[k] = 0.0;
        lia_sparse_lu_solve(&z.lu, z.b);
        gauss_times(5, 4, Omega, true, z.b, force);
        for (int i = 0; i < 4; i++) assert_float_equal(force[i], 0.0, 1e-13);
        for (int k = 0; k < 2; k++) {
            double along = 0.0;
            for (int c = 0; c < 5; c++) along += unseen[k][c] * (mu[c] - z.b[c]);
            assert_float_equal(along, 0.0, 1e-13);
        }
    }
    lia_multiplier_nullspace_clear(&z);
    // fewer columns than there are: not all of the forces are seen
    assert_true(lia_multiplier_nullspace_init(&z, b.w, 2));
    assert_int_equal(z.rank, 2);
    lia_multiplier_nullspace_clear(&z);
    built_clear(&b);
}

// Operators, which do work: b is f(t) a. What the forces do not show is (f, -1) at every instant,
// so that any g(t) (f, -1), as a series, is taken away, and what is left is orthogonal to it in
// time.
static void series_forget_what_forces_do_not_show_at_every_order(void) {
    enum { ORDER = 10 };
    Built b = built_of("coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential x*y + y^2\n"
                       "operator a: x + y = 0.8 + t\n"
                       "operator b: (2 + sin(3*t))*(x + y - 0.8 - t) = 0\n",
                       ORDER, &dense);
    LiaWorkspace* w = b.w;
    const LiaTape* tape = w->dynamics->tape;
    w->v[0] = 0.7, w->v[1] = 0.3;
    built_accelerate(w, ORDER);
    assert_int_equal(w->nr, 1);
    lia_stage_series(w, ORDER);
    double* mu[2] = {lia_jet_series(&w->jets, tape->multiplier[0]),
                     lia_jet_series(&w->jets, tape->multiplier[1])};
    double f[ORDER] = {0}, kept[2][ORDER];
    for (int k = 0, factorial = 1; k < ORDER; k++) {  // 2 + sin(3 t)
        factorial *= k > 1 ? k : 1;
        f[k] = (k == 0 ? 2.0 : 0.0) +
               (k % 2 ? (k % 4 == 1 ? 1.0 : -1.0) * pow(3.0, k) / factorial : 0.0);
    }
    for (int k = 0; k < ORDER; k++) {
        for (int c = 0; c < 2; c++) kept[c][k] = mu[c][k];
        double along = 0.0;  // (f mu_a - mu_b), order k
        for (int j = 0; j <= k; j++) along += f[j] * mu[0][k - j];
        assert_float_equal(along, mu[1][k], 1e-11 * (1.0 + fabs(mu[1][k])));
    }
    for (int k = 0; k < ORDER; k++) {  // g = 4 - t + t^2
        const double g[3] = {4.0, -1.0, 1.0};
        for (int j = 0; j < 3 && j <= k; j++) mu[0][k] += g[j] * f[k - j];
        if (k < 3) mu[1][k] -= g[k];
    }
    // planted: now they are not orthogonal
    assert_true(fabs(f[0] * mu[0][0] - mu[1][0]) > 1.0);
    lia_min_norm_series(w, ORDER);
    // (f, 1) and (f, -1): what is of least norm is along (1, f)
    for (int k = 0; k < ORDER; k++) {
        double along = 0.0;
        for (int j = 0; j <= k; j++) along += f[j] * mu[0][k - j];
        assert_float_equal(along, mu[1][k], 1e-10 * (1.0 + fabs(mu[1][k])));
        for (int c = 0; c < 2; c++)
            assert_float_equal(mu[c][k], kept[c][k], 1e-10 * (1.0 + fabs(kept[c][k])));
    }
    built_clear(&b);
}

static LiaMinNormOutcome least_solution(LiaWorkspace* w, double* unique_a) {
    for (int i = 0; i < w->n; i++) unique_a[i] = 1.0, w->v[i] = 0.0;
    for (uint32_t r = 0; r < w->system->row_count; r++) w->unique[r] = true;
    lia_workspace_load(w, 1);
    lia_workspace_residuals(w);
    lia_workspace_matrices(w);
    w->nr = w->nc;
    for (int c = 0; c < w->nc; c++) w->active[c] = c;
    lia_stage_gamma(w);
    lia_workspace_stage0(w);
    return lia_min_norm_solution(w, unique_a);
}

// M = u u^T + v v^T of four coordinates: rank 2. The accelerations solve M a = Q and are in the
// span of u and v.
static void accelerations_of_least_norm_where_inertia_is_singular(void) {
    Built b = built_of("coordinate x, y, z, s : line\n"
                       "kinetic (x' + 2*y' - z')^2/2 + (y' + 3*s')^2/2\n"
                       "force f: 5*(d(x) + 2*d(y) - d(z)) - 7*(d(y) + 3*d(s))\n",
                       1, &dense);
    const double u[4] = {1, 2, -1, 0}, v[4] = {0, 1, 0, 3};
    double unique[4], product[2] = {0, 0};
    assert_int_equal(least_solution(b.w, unique), LIA_MIN_NORM_FOUND);
    // a = alpha u + beta v with u.a = 5, v.a = -7
    double A[4] = {6, 2, 2, 10}, rhs[2] = {5, -7}, part[2];
    assert_true(gauss_solve(2, A, rhs, part));
    for (int i = 0; i < 4; i++) {
        assert_float_equal(b.w->a[i], part[0] * u[i] + part[1] * v[i], 1e-13);
        product[0] += u[i] * b.w->a[i], product[1] += v[i] * b.w->a[i];
        assert_true(unique[i] == 0.0);
    }
    assert_float_equal(product[0], 5.0, 1e-13);
    assert_float_equal(product[1], -7.0, 1e-13);
    built_clear(&b);
}

// z is held by two equations that are one, x moves by itself: x'' is unique, the multipliers are
// not and share the force by the squares of their rows.
static void what_is_unique_is_said_to_be(void) {
    Built b = built_of("coordinate x, z : line\nkinetic x'^2 + z'^2/2\n"
                       "force f: 3*d(x) + 5*d(z)\nconstraint a: z = 0.5\nconstraint b: 2*z = 1\n",
                       1, &dense);
    double unique[2];
    assert_int_equal(least_solution(b.w, unique), LIA_MIN_NORM_FOUND);
    assert_float_equal(b.w->a[0], 1.5, 1e-14);
    assert_float_equal(b.w->a[1], 0.0, 1e-14);
    assert_float_equal(b.w->mu[0], -1.0, 1e-13);
    assert_float_equal(b.w->mu[1], -2.0, 1e-13);
    assert_true(unique[0] == 1.0 && unique[1] == 1.0);
    assert_false(b.w->unique[0] || b.w->unique[1]);
    built_clear(&b);
}

static void a_force_that_nothing_balances_is_a_contradiction(void) {
    Built b = built_of("coordinate x, y : line\nkinetic x'^2/2\nforce f: d(x) + d(y)\n", 1, &dense);
    double unique[2];
    assert_int_equal(least_solution(b.w, unique), LIA_MIN_NORM_CONTRADICTION);
    built_clear(&b);
}

int main(void) {
    const TestCase tests[] = {
        TEST(least_norm_forgets_what_forces_do_not_show),
        TEST(preferred_multipliers_are_the_nearest),
        TEST(unique_combinations_are_those_forces_show),
        TEST(the_null_space_takes_the_unseen_part_of_any_multipliers),
        TEST(series_forget_what_forces_do_not_show_at_every_order),
        TEST(accelerations_of_least_norm_where_inertia_is_singular),
        TEST(what_is_unique_is_said_to_be),
        TEST(a_force_that_nothing_balances_is_a_contradiction),
    };
    return TESTS_RUN(tests);
}
