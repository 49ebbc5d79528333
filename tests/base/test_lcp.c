// Laws of src/base/numeric/lcp.c and lcp_unique.c: solutions against the enumeration of all bases.
// SPDX-License-Identifier: MIT
#include "base/numeric/lcp.h"
#include "base/numeric/lcp_convex.h"
#include "base/numeric/lcp_unique.h"
#include "support/cases.h"
#include "support/random.h"
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 24 };

typedef struct Problem {
    int n;
    double M[MOST * MOST], q[MOST], z[MOST], w[MOST];
    LiaLcp p;
    double* work;
    int* index;
} Problem;

static void open_problem(Problem* o, int n) {
    o->n = n;
    o->p = (LiaLcp){.n = n, .M = o->M, .q = o->q, .z = o->z, .w = o->w};
    // exactly as much as is asked for, so that the sanitizers see what is beyond
    o->work = malloc(lia_lcp_work(n) * sizeof(double));
    o->index = malloc(lia_lcp_index(n) * sizeof(int));
    assert_non_null(o->work);
    assert_non_null(o->index);
}

static void close_problem(Problem* o) {
    free(o->work);
    free(o->index);
}

static LiaLcpStatus solve(Problem* o) { return lia_lcp_solve(&o->p, o->work, o->index); }

// M = A A^T + skew, of a rank; q of numbers or, `inside`, in the range of A.
static void make(Random* r, Problem* o, int rank, double skew, int inside) {
    int n = o->n;
    double A[MOST * MOST], x[MOST];
    for (int i = 0; i < n * rank; i++) A[i] = random_between(r, -1, 1);
    for (int i = 0; i < rank; i++) x[i] = random_between(r, -1, 1);
    for (int i = 0; i < n; i++) {
        o->q[i] = inside ? 0.0 : random_between(r, -1, 1);
        for (int k = 0; k < rank && inside; k++) o->q[i] += A[i * rank + k] * x[k];
        for (int j = 0; j <= i; j++) {
            double s = 0.0, k = i == j ? 0.0 : skew * random_between(r, -1, 1);
            for (int l = 0; l < rank; l++) s += A[i * rank + l] * A[j * rank + l];
            o->M[i * n + j] = s + k;
            o->M[j * n + i] = s - k;
        }
    }
}

static void solutions_of_P_matrices_are_those_of_enumeration(void) {
    Random r = {1};
    for (int n = 1; n <= 9; n++) {
        for (int trial = 0; trial < 60; trial++) {
            Problem o;
            double z[LIA_LCP_SHOWN * MOST];
            open_problem(&o, n);
            make(&r, &o, n, trial % 3, 0);
            assert_int_equal(solve(&o), LIA_LCP_SOLVED);
            assert_true(o.p.residual <= 1e-12);
            for (int i = 0; i < n; i++) {
                double sum = o.q[i];
                for (int j = 0; j < n; j++) sum += o.M[i * n + j] * o.z[j];
                assert_true(o.z[i] >= 0.0 && o.w[i] >= 0.0 && o.z[i] * o.w[i] == 0.0);
                assert_true(fabs(sum - o.w[i]) < 1e-11 * (1.0 + fabs(o.z[i])));
            }
            assert_int_equal(lia_lcp_unique(&o.p, o.work, o.index), LIA_LCP_UNIQUE);
            assert_int_equal(lia_lcp_unique_count(&o.p, z, o.work, o.index), 1);
            double size = 1.0;
            for (int i = 0; i < n; i++) size = fmax(size, z[i]);
            for (int i = 0; i < n; i++) assert_true(fabs(o.z[i] - z[i]) < 1e-9 * size * size);
            close_problem(&o);
        }
    }
}

static void any_matrix_gives_a_solution_or_a_ray_and_enumeration_knows(void) {
    Random r = {2};
    int rays = 0, several = 0;
    for (int trial = 0; trial < 600; trial++) {
        Problem o;
        double z[LIA_LCP_SHOWN * MOST];
        int n = random_whole(&r, 1, 6), whole = trial % 2;
        open_problem(&o, n);
        for (int i = 0; i < n * n; i++) {
            o.M[i] = whole ? random_whole(&r, -2, 3) : random_between(&r, -1, 2);
        }
        for (int i = 0; i < n; i++) {
            o.q[i] = whole ? random_whole(&r, -2, 2) : random_between(&r, -1, 1);
        }
        LiaLcpStatus status = solve(&o);
        int count = lia_lcp_unique_count(&o.p, z, o.work, o.index);
        if (status == LIA_LCP_SOLVED) {
            assert_true(count >= 1);
            LiaLcpUnique unique = lia_lcp_unique(&o.p, o.work, o.index);
            assert_int_equal(unique == LIA_LCP_SEVERAL, count > 1);
            several += count > 1;
        } else {
            assert_int_equal(status, LIA_LCP_RAY);
            rays++;
        }
        close_problem(&o);
    }
    assert_true(rays > 50 && several > 50);
}

// Symmetric, semidefinite, q in the range: redundant contacts.
static void redundant_rows_have_one_w_and_z_of_minimum_norm(void) {
    Random r = {3};
    int redundant = 0;
    for (int trial = 0; trial < 200; trial++) {
        Problem o;
        int n = random_whole(&r, 2, 7), rank = random_whole(&r, 1, n - 1);
        open_problem(&o, n);
        make(&r, &o, rank, 0.0, 1);
        assert_int_equal(solve(&o), LIA_LCP_SOLVED);
        double w[MOST], first = 0.0, norm = 0.0;
        memcpy(w, o.w, sizeof w);
        for (int i = 0; i < n; i++) first += o.z[i] * o.z[i];
        LiaLcpUnique unique = lia_lcp_unique(&o.p, o.work, o.index);
        assert_true(unique == LIA_LCP_UNIQUE || unique == LIA_LCP_W_UNIQUE);
        assert_true(o.p.residual <= 1e-12);
        for (int i = 0; i < n; i++) norm += o.z[i] * o.z[i];
        assert_true(norm <= first * (1.0 + 1e-12));
        // no step of the gradient, projected onto what keeps w and the signs, is shorter: try
        // random other solutions
        for (int k = 0; k < 40 && unique == LIA_LCP_W_UNIQUE; k++) {
            Problem other;
            open_problem(&other, n);
            memcpy(other.M, o.M, sizeof o.M);
            for (int i = 0; i < n; i++) {  // weights by columns: another basic solution
                double c = exp(random_between(&r, -2, 2));
                for (int j = 0; j < n; j++) other.M[j * n + i] *= c;
                other.w[i] = c;
            }
            double c[MOST];
            memcpy(c, other.w, sizeof c);
            memcpy(other.q, o.q, sizeof o.q);
            if (solve(&other) == LIA_LCP_SOLVED) {
                double its = 0.0;
                for (int i = 0; i < n; i++) {
                    its += c[i] * other.z[i] * c[i] * other.z[i];
                    assert_true(fabs(other.w[i] - w[i]) < 1e-9);
                }
                assert_true(norm <= its * (1.0 + 1e-9));
            }
            close_problem(&other);
        }
        redundant += unique == LIA_LCP_W_UNIQUE;
        close_problem(&o);
    }
    assert_true(redundant > 50);
}

static void a_table_on_four_legs_shares_its_weight_evenly(void) {
    Problem o;
    open_problem(&o, 4);
    double x[] = {1, 1, -1, -1}, y[] = {1, -1, 1, -1};
    for (int i = 0; i < 4; i++) {
        o.q[i] = -9.81;
        for (int j = 0; j < 4; j++) o.M[i * 4 + j] = 1.0 + 3.0 * x[i] * x[j] + 3.0 * y[i] * y[j];
    }
    assert_int_equal(solve(&o), LIA_LCP_SOLVED);
    assert_int_equal(lia_lcp_unique(&o.p, o.work, o.index), LIA_LCP_W_UNIQUE);
    for (int i = 0; i < 4; i++) assert_true(fabs(o.z[i] - 9.81 / 4) < 1e-13);
    close_problem(&o);
}

static void what_has_no_solution_ends_in_a_ray(void) {
    Problem o;
    open_problem(&o, 2);
    memcpy(o.M, (double[]){1, -1, -1, 1}, 4 * sizeof(double));
    memcpy(o.q, (double[]){-1, -1}, 2 * sizeof(double));
    assert_int_equal(solve(&o), LIA_LCP_RAY);
    o.M[0] = NAN;
    assert_int_equal(solve(&o), LIA_LCP_NOT_FINITE);
    close_problem(&o);
}

// M = A A^T of lower rank, q = -M z with z > 0, so that w = 0: but for rounding there is a
// solution, with it there may be none.
static void dependent_rows_are_solved_though_rounding_makes_them_contradict(void) {
    Random r = {4};
    for (int trial = 0; trial < 400; trial++) {
        Problem o;
        int n = random_whole(&r, 3, 8);
        open_problem(&o, n);
        make(&r, &o, n - 1, 0.0, 0);
        // a kernel vector that is positive: forces that hold each other, whatever the velocity
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int j = 0; j < n - 1; j++) sum += o.M[i * n + j];
            o.M[i * n + n - 1] = -sum;
        }
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int i = 0; i < n - 1; i++) sum += o.M[i * n + j];
            o.M[(n - 1) * n + j] = -sum;
        }
        for (int i = 0; i < n; i++) o.q[i] = 0.0;
        for (int j = 0; j < n; j++) {
            double z = random_between(&r, 0.0, 1.0);
            for (int i = 0; i < n; i++) o.q[i] -= o.M[i * n + j] * z;
        }
        assert_int_equal(solve(&o), LIA_LCP_SOLVED);
        for (int i = 0; i < n; i++) assert_true(o.w[i] < 1e-12);
        close_problem(&o);
    }
}

// Of a convex problem w is the same by active sets as by Lemke's method, and where one has a
// solution so has the other. Contacts that hang together have dependent rows.
static void active_sets_and_Lemke_agree(void) {
    Random r = {11};
    int solved = 0, rays = 0;
    for (int trial = 0; trial < 600; trial++) {
        Problem o, a;
        int n = random_whole(&r, 2, MOST), rank = random_whole(&r, 1, n);
        open_problem(&o, n);
        open_problem(&a, n);
        make(&r, &o, rank, 0.0, trial % 3 > 0);
        memcpy(a.M, o.M, sizeof a.M);
        memcpy(a.q, o.q, sizeof a.q);
        LiaLcpStatus lemke = solve(&o);
        assert_true(lia_lcp_convex_is(n, a.M, a.work));
        LiaLcpStatus sets = lia_lcp_convex_solve(&a.p, a.work, a.index);
        assert_int_equal(lemke, sets);
        for (int i = 0; i < n && sets == LIA_LCP_SOLVED; i++)
            assert_true(fabs(a.w[i] - o.w[i]) <= 1e-9);
        if (sets == LIA_LCP_SOLVED) assert_true(a.p.residual <= 1e-12);
        solved += sets == LIA_LCP_SOLVED;
        rays += sets == LIA_LCP_RAY;
        close_problem(&o);
        close_problem(&a);
    }
    assert_true(solved > 300 && rays > 50);
}

static void two_solutions_are_counted(void) {
    Problem o;
    double z[LIA_LCP_SHOWN];
    open_problem(&o, 1);
    o.M[0] = -1.0;
    o.q[0] = 1.0;
    assert_int_equal(solve(&o), LIA_LCP_SOLVED);
    assert_int_equal(lia_lcp_unique_count(&o.p, z, o.work, o.index), 2);
    assert_int_equal(lia_lcp_unique(&o.p, o.work, o.index), LIA_LCP_SEVERAL);
    close_problem(&o);
}

// Units of rows and columns, the order of the rows, the size of the whole.
static void solutions_do_not_depend_on_units_and_order(void) {
    Random r = {5};
    for (int trial = 0; trial < 100; trial++) {
        Problem o, s;
        int n = random_whole(&r, 2, 20), order[MOST];
        open_problem(&o, n);
        open_problem(&s, n);
        make(&r, &o, n, 1.0, 0);
        assert_int_equal(solve(&o), LIA_LCP_SOLVED);
        double left[MOST], right[MOST], unit = exp(random_between(&r, -60, 60));
        for (int i = 0; i < n; i++) {
            order[i] = i;
            left[i] = exp(random_between(&r, -12, 12));
            right[i] = exp(random_between(&r, -12, 12));
        }
        for (int i = n - 1; i > 0; i--) {
            int j = random_whole(&r, 0, i), swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
        for (int i = 0; i < n; i++) {
            s.q[i] = o.q[order[i]] * left[i] * unit;
            for (int j = 0; j < n; j++) {
                s.M[i * n + j] = o.M[order[i] * n + order[j]] * left[i] * right[j];
            }
        }
        assert_int_equal(solve(&s), LIA_LCP_SOLVED);
        double size = 1.0;
        for (int i = 0; i < n; i++) size = fmax(size, o.z[i]);
        for (int i = 0; i < n; i++) {
            assert_true(fabs(s.z[i] * right[i] / unit - o.z[order[i]]) < 1e-9 * size * size);
        }
        close_problem(&o);
        close_problem(&s);
    }
}

// Ties in every ratio: a chain of equal rows, right sides of 0 and -1.
static void ties_do_not_make_it_cycle(void) {
    Random r = {7};
    for (int trial = 0; trial < 300; trial++) {
        Problem o;
        int n = random_whole(&r, 3, trial % 2 ? 8 : MOST);  // Murty's takes 2^n pivots
        open_problem(&o, n);
        for (int i = 0; i < n; i++) {
            o.q[i] = random_chance(&r, 0.5) ? -1.0 : 0.0;
            for (int j = 0; j < n; j++) {  // triangular: P
                o.M[i * n + j] = i == j ? 1.0 : j > i ? 0.0 : trial % 2 ? 2.0 : (i + j) % 2;
            }
        }
        assert_int_equal(solve(&o), LIA_LCP_SOLVED);
        close_problem(&o);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(solutions_of_P_matrices_are_those_of_enumeration),
        TEST(any_matrix_gives_a_solution_or_a_ray_and_enumeration_knows),
        TEST(redundant_rows_have_one_w_and_z_of_minimum_norm),
        TEST(a_table_on_four_legs_shares_its_weight_evenly),
        TEST(what_has_no_solution_ends_in_a_ray),
        TEST(dependent_rows_are_solved_though_rounding_makes_them_contradict),
        TEST(active_sets_and_Lemke_agree),
        TEST(two_solutions_are_counted),
        TEST(solutions_do_not_depend_on_units_and_order),
        TEST(ties_do_not_make_it_cycle),
    };
    return TESTS_RUN(tests);
}
