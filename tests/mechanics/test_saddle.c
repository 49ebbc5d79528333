// K0 and what is solved with it: both methods against Gauss (kkt/saddle_dense, kkt/saddle_sparse),
// independent rows against rows that were made dependent (kkt/independent_dense,
// kkt/independent_sparse), projections move momenta along the force directions alone (kkt/project),
// friction by the length of two forces against a closed form (kkt/rubbing), and in windows every
// unknown and every equation has one place (kkt/stage_pipeline).
//
// Tests: mechanics/kkt/saddle_dense.c, mechanics/kkt/saddle_sparse.c, mechanics/kkt/project.c
// Tests: mechanics/kkt/independent_dense.c, mechanics/kkt/independent_sparse.c
// Tests: mechanics/kkt/rubbing.c, mechanics/kkt/stage_pipeline.c
// SPDX-License-Identifier: MIT
#include "mechanics/contact/contacts.h"
#include "mechanics/kkt/independent.h"
#include "mechanics/kkt/project.h"
#include "mechanics/kkt/rubbing.h"
#include "mechanics/kkt/saddle_sparse.h"
#include "mechanics/kkt/scaling.h"
#include "mechanics/kkt/stage.h"
#include "mechanics/kkt/stage_pipeline.h"
#include "mechanics/test_hooks.h"
#include "support/built.h"
#include "support/cases.h"
#include "support/gauss.h"
#include "support/random.h"
#include <float.h>

static const LiaTestHooks dense = {.algebra = LIA_ALGEBRA_DENSE};
static const LiaTestHooks sparse = {.algebra = LIA_ALGEBRA_SPARSE};

// Forces that are not along the gradients of what they keep.
static const char servo[] = "coordinate x, y, z, s : line\n"
                            "kinetic x'^2 + y'^2/2 + x'*y'/3 + 2*z'^2 + s'^2/2 + z'*s'/5\n"
                            "potential x^2*y + z*s\n"
                            "constraint c: z = x*y force d(z) - y*d(x) - 0.5*x*d(y)\n"
                            "operator o: s + x^2 = 1 + t by d(s)\n";

// K0 = [M -Omega^T; J 0], as full array of 6 x 6.
static void K0_of(const LiaWorkspace* w, double* K) {
    double M[16], J[8], Omega[8];
    built_dense(w, lia_workspace_M, 4, M);
    built_dense(w, lia_workspace_J, 2, J);
    built_dense(w, lia_workspace_Omega, 2, Omega);
    memset(K, 0, 36 * sizeof *K);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++) K[i * 6 + k] = M[i * 4 + k];
        for (int c = 0; c < 2; c++) {
            K[i * 6 + 4 + c] = -Omega[c * 4 + i];
            K[(4 + c) * 6 + i] = J[c * 4 + i];
        }
    }
}

// By the rule of permutations, one row after the other.
static double determinant(int n, const double* A) {
    if (n == 1) return A[0];
    double sum = 0.0, minor[25];
    for (int k = 0; k < n; k++) {
        for (int i = 1; i < n; i++) {
            for (int j = 0, at = 0; j < n; j++) {
                if (j != k) minor[(i - 1) * (n - 1) + at++] = A[i * n + j];
            }
        }
        sum += (k % 2 ? -1.0 : 1.0) * A[k] * determinant(n - 1, minor);
    }
    return sum;
}

static void both_methods_solve_with_the_same_matrix(void) {
    double blocks[2][36];
    for (int way = 0; way < 2; way++) {
        Built b = built_of(servo, 1, way ? &sparse : &dense);
        LiaWorkspace* w = b.w;
        assert_ptr_equal(w->saddle.method, way ? &lia_saddle_sparse : &lia_saddle_dense);
        built_accelerate(w, 1);
        assert_int_equal(w->nr, 2);
        K0_of(w, blocks[way]);
        assert_float_equal(exp2(lia_workspace_size(w)), fabs(determinant(6, blocks[way])), 1e-11);
        Random random = {3};
        for (int trial = 0; trial < 10; trial++) {
            double rhs[6], x[6], wanted[6], transposed[36];
            for (int i = 0; i < 6; i++) x[i] = rhs[i] = random_between(&random, -1.0, 1.0);
            assert_true(gauss_solve(6, blocks[way], rhs, wanted));
            lia_workspace_solve_with(w, x, trial % 2);
            for (int i = 0; i < 6; i++) assert_float_equal(x[i], wanted[i], 1e-12);
            if (!way || w->saddle.measured) continue;
            for (int i = 0; i < 36; i++) transposed[i] = blocks[way][i % 6 * 6 + i / 6];
            memcpy(x, rhs, sizeof x);
            assert_true(gauss_solve(6, transposed, rhs, wanted));
            lia_saddle_sparse_solve_transposed(&w->saddle, x);
            for (int i = 0; i < 6; i++) assert_float_equal(x[i], wanted[i], 1e-12);
        }
        built_clear(&b);
    }
    assert_memory_equal(blocks[0], blocks[1], sizeof blocks[0]);
}

// The order of the null-space method gives the same solutions.
static void the_null_space_order_solves_the_same(void) {
    for (int way = 0; way < 2; way++) {
        Built b = built_of(servo, 1, way ? &sparse : &dense);
        LiaWorkspace* w = b.w;
        built_accelerate(w, 1);
        double K[36], rhs[6] = {1, -2, 3, 0.5, -0.25, 4}, x[6], wanted[6];
        K0_of(w, K);
        assert_true(gauss_solve(6, K, rhs, wanted));
        lia_scaling_by_inertia(w);
        w->saddle.measured = true;
        assert_true(w->saddle.method->factor_null_space(&w->saddle, w->active, 2, -1.0) > 0.0);
        assert_true(w->saddle.by_null_space);
        memcpy(x, rhs, sizeof x);
        lia_workspace_solve(w, x);
        for (int i = 0; i < 6; i++) assert_float_equal(x[i], wanted[i], 1e-12);
        built_clear(&b);
    }
}

// Eight rows in the span of three that were drawn: three are taken, and they span all.
static void as_many_rows_as_there_are_independent_ones(void) {
    char text[2000];
    Random random = {17};
    for (int trial = 0; trial < 6; trial++) {
        double base[3][5], J[40];
        int at = snprintf(text, sizeof text,
                          "coordinate a, b, c, d, e : line\n"
                          "kinetic a'^2/2 + 1e4*b'^2 + c'^2/2 + 1e-3*d'^2 + e'^2\n");
        for (int k = 0; k < 15; k++) base[k / 5][k % 5] = random_between(&random, -1.0, 1.0);
        for (int r = 0; r < 8; r++) {
            double part[3], row[5] = {0};
            for (int k = 0; k < 3; k++) part[k] = random_between(&random, -2.0, 2.0);
            if (r < 2) part[2] = 0.0, part[1] = 0.0;  // the first two say the same
            for (int k = 0; k < 15; k++) row[k % 5] += part[k / 5] * base[k / 5][k % 5];
            at += snprintf(text + at, sizeof text - (size_t)at,
                           "constraint r%d: (%.17g)*a' + (%.17g)*b' + (%.17g)*c' + (%.17g)*d' + "
                           "(%.17g)*e' = 0\n",
                           r, row[0], row[1], row[2], row[3], row[4]);
        }
        for (int way = 0; way < 2; way++) {
            Built b = built_of(text, 1, way ? &sparse : &dense);
            LiaWorkspace* w = b.w;
            lia_workspace_load(w, 1);
            lia_workspace_residuals(w);
            lia_workspace_matrices(w);
            double weight[8], size[5], scratch[64];
            bool taken[8] = {false};
            for (int c = 0; c < 8; c++) weight[c] = 1.0;
            lia_independent_columns(w, size);
            LiaRowChoice choice = {lia_workspace_J, weight, size, scratch, 1e-9, 8};
            size_t room = way ? lia_independent_sparse_scratch(w->dynamics)
                              : lia_independent_dense_scratch(w->dynamics);
            assert_true(room <= 64);
            bool (*take)(const LiaWorkspace*, const LiaRowChoice*, bool*) =
                way ? lia_independent_sparse_take : lia_independent_dense_take;
            assert_true(take(w, &choice, taken));
            int rows[3], count = 0;
            for (int c = 0; c < 8; c++) {
                if (taken[c] && count < 3) rows[count] = c;
                count += taken[c];
            }
            assert_int_equal(count, 3);
            assert_false(taken[0] && taken[1]);
            built_dense(w, lia_workspace_J, 8, J);
            for (int c = 0; c < 8; c++) {  // each row is a combination of those taken
                double G[9], rhs[3], part[3];
                for (int i = 0; i < 9; i++) {
                    G[i] = 0.0;
                    for (int k = 0; k < 5; k++)
                        G[i] += J[rows[i / 3] * 5 + k] * J[rows[i % 3] * 5 + k];
                }
                for (int i = 0; i < 3; i++) {
                    rhs[i] = 0.0;
                    for (int k = 0; k < 5; k++) rhs[i] += J[rows[i] * 5 + k] * J[c * 5 + k];
                }
                assert_true(gauss_solve(3, G, rhs, part));
                for (int k = 0; k < 5; k++) {
                    double sum = J[c * 5 + k];
                    for (int i = 0; i < 3; i++) sum -= part[i] * J[rows[i] * 5 + k];
                    assert_float_equal(sum, 0.0, 1e-9);
                }
            }
            choice.rank_most = 2;
            memset(taken, 0, sizeof taken);
            assert_true(take(w, &choice, taken));
            count = 0;
            for (int c = 0; c < 8; c++) count += taken[c];
            assert_int_equal(count, 2);
            built_clear(&b);
        }
    }
}

// --- projections

// On the equations, the momentum changed along Omega alone, and the energy fed in is v M dv.
static void a_projection_moves_momenta_along_the_forces(void) {
    for (int way = 0; way < 2; way++) {
        Built b = built_of("coordinate x, y, z : line\n"
                           "kinetic x'^2 + y'^2/2 + x'*y'/3 + 2*z'^2\n"
                           "constraint c: z = 2*x - y force d(z) + d(x)\n",
                           1, way ? &sparse : &dense);
        LiaWorkspace* w = b.w;
        double q[3] = {0.3, 0.5, 0.4}, v[3] = {0.7, 0.4, -1.0}, M[9], moved, energy;
        memcpy(w->q, q, sizeof q);
        memcpy(w->v, v, sizeof v);
        bool (*project)(LiaWorkspace*, int, double*, double*) =
            way ? lia_project_state : lia_project_direct;
        assert_true(project(w, 1, &moved, &energy));
        assert_true(moved > 0.01);
        built_dense(w, lia_workspace_M, 3, M);
        double p[2][3], change[2][3];
        for (int level = 0; level < 2; level++) {
            const double* x = level ? w->v : w->q;
            assert_float_equal(x[2], 2 * x[0] - x[1], 1e-14);
            for (int i = 0; i < 3; i++) change[level][i] = x[i] - (level ? v : q)[i];
            gauss_times(3, 3, M, false, change[level], p[level]);
            assert_true(fabs(p[level][2]) > 0.05);  // along d(z) + d(x)
            assert_float_equal(p[level][0], p[level][2], 1e-14);
            assert_float_equal(p[level][1], 0.0, 1e-14);
        }
        double fed = 0.0;
        for (int i = 0; i < 3; i++) fed += w->v[i] * p[1][i];
        assert_float_equal(energy, fed, 1e-13);
        built_clear(&b);
    }
}

static void residuals_are_scaled_by_row_and_state(void) {
    Built b = built_of(servo, 1, &dense);
    LiaWorkspace* w = b.w;
    built_accelerate(w, 1);
    double most = lia_project_scaled_residuals(w), wanted = 0.0, J[8];
    double q = 1.0 + 0.9, v = 1.0 + 0.7;  // largest of the state
    built_dense(w, lia_workspace_J, 2, J);
    for (int c = 0; c < 2; c++) {
        double size = 0.0;
        for (int k = 0; k < 4; k++) size += fabs(J[c * 4 + k]);
        double miss = fmax(fabs(w->phi[c]) / q, fabs(w->psi[c]) / v) / size;
        assert_float_equal(w->projection.miss[c], miss, 1e-15);
        wanted = fmax(wanted, miss);
    }
    assert_true(most == wanted && most > 1e-3);
    built_clear(&b);
}

// By the factors of a state nearby: onto the equations where it starts near them, and refused where
// it does not.
static void factors_from_nearby_are_good_near_the_equations(void) {
    Built b = built_of(servo, 1, &dense), other = built_of(servo, 1, &dense);
    LiaWorkspace *w = b.w, *near = other.w;
    double row[2];
    assert_true(lia_project_state(near, 1, NULL, NULL));
    lia_project_row_sizes(near, row);
    memcpy(w->q, near->q, 4 * sizeof(double));
    memcpy(w->v, near->v, 4 * sizeof(double));
    w->q[0] += 1e-11, w->v[1] -= 1e-11;
    assert_true(lia_project_nearby(w, near, row));
    for (int c = 0; c < 2; c++) {
        assert_float_equal(w->phi[c], 0.0, 1e-14);
        assert_float_equal(w->psi[c], 0.0, 1e-14);
    }
    assert_true(fabs(w->q[0] - near->q[0]) < 1e-8);
    w->q[0] += 0.1;
    assert_false(lia_project_nearby(w, near, row));
    built_clear(&b);
    built_clear(&other);
}

// --- friction of a pin

static void solve_order0(LiaWorkspace* w) { lia_stage_solve(w, 0); }

// x and y are held, th turns, and inertia couples them: N = (c, d) th'' - F, I th'' = -f |N|, a
// quadratic equation for th''. From whatever N the steps begin.
static void friction_of_a_pin_is_that_of_the_length_of_its_force(void) {
    const double c = 0.6, d = -0.3, I = 2.0, f = 0.4, Fx = 5.0, Fy = 3.0;
    Built b = built_of("coordinate x, y : line, th : circle\n"
                       "kinetic x'^2/2 + y'^2/2 + th'^2 + 0.6*x'*th' - 0.3*y'*th'\n"
                       "force F: 5*d(x) + 3*d(y)\n"
                       "constraint pin: [x, y] = [0, 0] slip th' friction 0.4\n",
                       0, NULL);
    LiaContactMode mode[1] = {LIA_MODE_FORWARD};
    assert_int_equal(lia_system_mode_count(b.system), 1);
    LiaSystem* slides = lia_contacts_mode(b.system, mode);
    assert_non_null(slides);
    LiaWorkspace* w = lia_workspace_create(slides, slides->full, 2);
    assert_non_null(w);
    assert_true(lia_rubbing_is(w));
    // (I a)^2 = f^2 ((c a - Fx)^2 + (d a - Fy)^2), a < 0
    double A = I * I - f * f * (c * c + d * d), B = 2 * f * f * (c * Fx + d * Fy);
    double C = -f * f * (Fx * Fx + Fy * Fy), a = (-B - sqrt(B * B - 4 * A * C)) / (2 * A);
    assert_true(a < 0.0);
    const double from[4][2] = {{0, 0}, {1, -1}, {-5, -3}, {300, 0.01}};
    for (int trial = 0; trial < 4; trial++) {
        w->q[0] = w->q[1] = w->v[0] = w->v[1] = 0.0;
        w->q[2] = 0.2, w->v[2] = 1.0;
        w->mu[0] = from[trial][0], w->mu[1] = from[trial][1];
        lia_workspace_load(w, 2);
        lia_workspace_residuals(w);
        assert_true(lia_workspace_factor(w));
        if (trial == 0) {
            assert_true(w->mu[0] != 0.0);  // any direction in place of none
        }
        lia_rubbing_begin(w);
        const double* N = lia_jet_series(&w->jets, w->dynamics->tape->multiplier[0]);
        assert_true(N[0] == w->mu[0]);
        lia_stage_begin(w, 0);
        lia_rubbing_begin(w);
        solve_order0(w);
        lia_rubbing_settle(w, solve_order0);
        assert_float_equal(w->mu[0], c * a - Fx, 1e-12);
        assert_float_equal(w->mu[1], d * a - Fy, 1e-12);
        lia_workspace_load(w, 2);
        lia_workspace_residuals(w);
        assert_true(lia_workspace_factor(w));
        lia_stage_accelerate(w);
        assert_float_equal(w->a[2], a, 1e-13);
        assert_float_equal(w->a[0], 0.0, 1e-14);
    }
    lia_workspace_destroy(w);
    lia_contacts_destroy_mode(slides);
    built_clear(&b);
}

// --- windows

static void one_place_for_each(const LiaByWindow* by, int count, uint32_t windows) {
    assert_int_equal(by->end[windows - 1], count);
    bool seen[6000] = {false};
    assert_true(count <= 6000);
    for (uint32_t i = 0; i < windows; i++) {
        int from = i ? by->end[i - 1] : 0;
        assert_true(from <= by->end[i]);
        for (int k = from; k < by->end[i]; k++) {
            assert_false(seen[by->list[k]]);
            seen[by->list[k]] = true;
        }
    }
    for (int i = 0; i < count; i++) assert_true(seen[i]);
}

// And what is complete after a window is written by none after it.
static void windows_give_every_unknown_and_equation_one_place(void) {
    Built b = built_of("parameter N = 2000\ncoordinate q[i = 1..N], r[i = 1..N] : line\n"
                       "kinetic sum(i = 1..N, (1 + q[i]^2)*q[i]'^2/2 + (2 + r[i]^2)*r[i]'^2)\n"
                       "potential sum(i = 1..N, (1 + i/N)*q[i]^2/2 + q[i]^3)\n"
                       "constraint c[i = 1..N]: q[i]' = r[i]'*(1 + q[i]^2)\n",
                       0, NULL);
    const LiaDynamics* d = b.system->full;
    const LiaTape* tape = d->tape;
    LiaStagePipeline* p = lia_stage_pipeline_create(d);
    assert_non_null(p);
    uint32_t windows = tape->window_count;
    assert_true(windows > 1);
    one_place_for_each(&p->unknowns, (int)d->nf, windows);
    one_place_for_each(&p->balances, (int)d->nf, windows);
    one_place_for_each(&p->multipliers, (int)d->nc, windows);
    one_place_for_each(&p->equations, (int)d->nc, windows);
    int seen = 0;
    for (uint32_t i = 0; i + 1 < windows; i++) {
        const LiaBlock* from = tape->sections.main.blocks + tape->windows[i + 1].block;
        const LiaBlock* end = tape->sections.main.blocks + tape->windows[windows].block;
        for (int k = i ? p->balances.end[i - 1] : 0; k < p->balances.end[i]; k++) {
            uint32_t x = d->free[p->balances.list[k]];
            if (seen++ > 100) continue;
            for (uint32_t in = from->begin; in < end[-1].end; in++) {
                const LiaInstr* later = &tape->sections.main.instrs[in];
                assert_true(later->out != d->p[x] && later->out != d->G_register[x]);
            }
        }
    }
    assert_true(seen > 20);
    lia_stage_pipeline_destroy(p);
    built_clear(&b);
    b = built_of("coordinate x : line\nkinetic x'^2/2\n", 0, NULL);
    assert_null(lia_stage_pipeline_create(b.system->full));  // a small tape has no windows
    built_clear(&b);
}

int main(void) {
    const TestCase tests[] = {
        TEST(both_methods_solve_with_the_same_matrix),
        TEST(the_null_space_order_solves_the_same),
        TEST(as_many_rows_as_there_are_independent_ones),
        TEST(a_projection_moves_momenta_along_the_forces),
        TEST(residuals_are_scaled_by_row_and_state),
        TEST(factors_from_nearby_are_good_near_the_equations),
        TEST(friction_of_a_pin_is_that_of_the_length_of_its_force),
        TEST(windows_give_every_unknown_and_equation_one_place),
    };
    return TESTS_RUN(tests);
}
