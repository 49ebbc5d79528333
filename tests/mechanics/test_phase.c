// Models of a phase space: the flow is Lambda dH and keeps H, Casimir functions commute with
// everything, Jacobi's identity is B . curl B = 0 in three variables, and the coupling number of
// one equation is what cancels of dphi W.
//
// Tests: mechanics/assembly/phase.c, mechanics/assembly/casimir.c, mechanics/assembly/jacobi.c
// Tests: mechanics/regularity/regularity_phase.c
// SPDX-License-Identifier: MIT
#include "expr/graph/evaluate.h"
#include "mechanics/assembly/phase.h"
#include "mechanics/build.h"
#include "mechanics/regularity/regularity.h"
#include "support/built.h"
#include "support/cases.h"
#include "support/random.h"

static const char top[] = "parameter I1 = 1, I2 = 2, I3 = 3.5\nphase M, g : space\n"
                          "bracket {M.x, M.y} = -M.z, {M.y, M.z} = -M.x, {M.z, M.x} = -M.y\n"
                          "bracket {M.x, g.y} = -g.z, {M.y, g.z} = -g.x, {M.z, g.x} = -g.y\n"
                          "bracket {M.y, g.x} = g.z, {M.z, g.y} = g.x, {M.x, g.z} = g.y\n"
                          "hamiltonian M.x^2/(2*I1) + M.y^2/(2*I2) + M.z^2/(2*I3) + 0.7*g.z\n"
                          "start M.x = 1, M.y = 0.2, M.z = 2, g.z = 1\n";

static void values_of(const LiaSystem* s, const LiaExpr* f, int count, const double* q,
                      double* out) {
    LiaValues values;
    assert_true(lia_evaluate_init(&values, s->graph, f, (size_t)count));
    double v[8] = {0};
    lia_evaluate_run(&values, &(LiaSymbols){.parameters = s->parameters, .q = q, .v = v});
    for (int i = 0; i < count; i++) out[i] = lia_value(&values, f[i]);
    lia_evaluate_clear(&values);
}

static void draw(Random* random, double* q, int n) {
    for (int i = 0; i < n; i++) q[i] = random_between(random, -2.0, 2.0);
}

// Euler and Poisson: M' = M x M/I + g x (0, 0, 0.7), g' = g x M/I.
static void the_flow_of_a_heavy_top_is_that_of_euler_and_poisson(void) {
    Built b = built_of(top, 0, NULL);
    LiaSystem* s = b.system;
    assert_int_equal(lia_phase_variables(s), 6);
    LiaExpr rate = lia_phase_rate_of_H(s, s->phase.flow);
    Random random = {2};
    for (int trial = 0; trial < 10; trial++) {
        double q[6], flow[6], dH;
        draw(&random, q, 6);
        values_of(s, s->phase.flow, 6, q, flow);
        const double w[3] = {q[0], q[1] / 2, q[2] / 3.5}, *M = q, *g = q + 3;
        const double wanted[6] = {M[1] * w[2] - M[2] * w[1] + 0.7 * g[1],
                                  M[2] * w[0] - M[0] * w[2] - 0.7 * g[0],
                                  M[0] * w[1] - M[1] * w[0],
                                  g[1] * w[2] - g[2] * w[1],
                                  g[2] * w[0] - g[0] * w[2],
                                  g[0] * w[1] - g[1] * w[0]};
        for (int i = 0; i < 6; i++) assert_float_equal(flow[i], wanted[i], 1e-14);
        values_of(s, &rate, 1, q, &dH);
        assert_float_equal(dH, 0.0, 1e-14);
        LiaExpr along[6];  // dH along a direction
        for (int i = 0; i < 6; i++) along[i] = lia_graph_integer(s->graph, i == 1 ? 3 : i == 5);
        LiaExpr one = lia_phase_rate_of_H(s, along);
        values_of(s, &one, 1, q, &dH);
        assert_float_equal(dH, 3 * w[1] + 0.7, 1e-14);
    }
    built_clear(&b);
}

static void samples_stay_around_the_start(void) {
    Built b = built_of(top, 0, NULL);
    uint64_t random = 1;
    double q[6], before[6] = {0};
    const double start[6] = {1, 0.2, 2, 0, 0, 1};
    for (int trial = 0; trial < 20; trial++) {
        lia_phase_sample(b.system, q, &random);
        for (int i = 0; i < 6; i++)
            assert_true(fabs(q[i] - start[i]) <= 0.5 * (1 + fabs(start[i])) && q[i] != before[i]);
        memcpy(before, q, sizeof q);
    }
    built_clear(&b);
}

static void casimir_again(LiaSystem* s) {
    LiaResolver* resolver = lia_resolve_create(s->graph, &s->rates, s->model, NULL, NULL);
    assert_true(lia_casimir_build(s, resolver));
    lia_resolve_destroy(resolver);
}

// |g|^2 and M . g, or what is a combination of them: kept by every flow of these brackets. Looked
// at by differences along Lambda dx_i, which are the columns of the bracket.
static void casimir_functions_commute_with_everything(void) {
    Built b = built_of(top, 0, NULL);
    LiaSystem* s = b.system;
    casimir_again(s);
    assert_int_equal(s->model->symmetries_count, 2);
    Random random = {9};
    for (int trial = 0; trial < 5; trial++) {
        double q[6], gradient[2][6];
        draw(&random, q, 6);
        for (int i = 0; i < 6; i++) {
            double side[2][2], kept = q[i];
            const double e = 1e-4;
            for (int k = 0; k < 2; k++) {
                q[i] = kept + (k ? e : -e);
                values_of(s, s->observables.momenta, 2, q, side[k]);
            }
            q[i] = kept;
            for (int c = 0; c < 2; c++) gradient[c][i] = (side[1][c] - side[0][c]) / (2 * e);
        }
        const double *M = q, *g = q + 3;
        for (int c = 0; c < 2; c++) {
            const double *a = gradient[c], *d = gradient[c] + 3;  // M x a + g x d = 0, g x a = 0
            for (int i = 0; i < 3; i++) {
                int j = (i + 1) % 3, k = (i + 2) % 3;
                assert_float_equal(M[j] * a[k] - M[k] * a[j] + g[j] * d[k] - g[k] * d[j], 0, 1e-9);
                assert_float_equal(g[j] * a[k] - g[k] * a[j], 0, 1e-9);
            }
        }
        double cross = 0.0;  // and they are two: not along each other
        for (int i = 0; i < 6; i++) {
            for (int k = 0; k < i; k++) {
                double area = gradient[0][i] * gradient[1][k] - gradient[0][k] * gradient[1][i];
                cross += area * area;
            }
        }
        assert_true(cross > 1e-3);
    }
    built_clear(&b);
    b = built_of("phase x, p\nbracket {x, p} = 1\nhamiltonian p^2/2\n", 0, NULL);
    casimir_again(b.system);
    assert_int_equal(b.system->model->symmetries_count, 0);  // a symplectic one has none
    built_clear(&b);
}

// B = ({y, z}, {z, x}, {x, y}): the identity is B . curl B = 0.
static void the_identity_of_jacobi_is_judged_by_its_terms(void) {
    const struct {
        const char* brackets;
        bool holds;
    } cases[] = {
        {"{y, z} = x, {z, x} = y, {x, y} = z", true},
        {"{y, z} = x*y*z*x, {z, x} = x*y*z*y, {x, y} = x*y*z*z", true},  // f B, B a gradient
        {"{y, z} = sin(x)*exp(y), {z, x} = -cos(x)*exp(y), {x, y} = 0", true},
        {"{y, z} = z, {z, x} = 0, {x, y} = y", false},  // B . curl B = z
        {"{y, z} = x, {z, x} = y, {x, y} = 1.001*z + 0.5*x*y", false},
        {"{y, z} = y*1e-9, {z, x} = -x*1e-9, {x, y} = 1e-9", false},  // small units do not hide it
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "phase x, y, z\nbracket %s\nhamiltonian x^2 + y^2/2 + z^2/3\n"
                 "start x = 1, y = 0.5, z = 2\n",
                 cases[k].brackets);
        Built b = built_of(text, 0, NULL);
        LiaDiags* diags = lia_diags_create();
        assert_true(lia_jacobi_check(b.system, diags));
        char* said = lia_diags_text(diags);
        if ((said && strstr(said, "W0360")) == cases[k].holds)
            fail_msg("%s: %g, %s", cases[k].brackets, b.system->phase.jacobi, said);
        if (cases[k].holds) assert_true(b.system->phase.jacobi < 1e-12);
        if (!cases[k].holds) assert_true(b.system->phase.jacobi > 1e-3);
        lia_free(said);
        lia_diags_destroy(diags);
        built_clear(&b);
    }
}

// |a + 2 b| over |a| + |2 b|, whatever the units of x and p are.
static void the_coupling_number_of_one_equation_is_what_does_not_cancel(void) {
    const double parts[][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -0.4}, {2, -0.999}, {-3, 0.2}};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        double a = parts[k][0], c = parts[k][1], wanted = fabs(a + 2 * c) / (fabs(a) + fabs(2 * c));
        for (double unit = 1e-6; unit < 1e7; unit *= 1e6) {
            char text[300];
            snprintf(text, sizeof text,
                     "phase x, p\nbracket {x, p} = %g\nhamiltonian p^2/2 + x^2\n"
                     "constraint c: x*%g + 2*p = 0 force (%g)*d(x) + (%g)*d(p)\nstart x = 0\n",
                     1 / unit, unit, a / unit, c);
            Built b = built_of(text, 1, NULL);
            lia_workspace_load(b.w, 1);
            lia_workspace_residuals(b.w);
            lia_workspace_factor(b.w);
            assert_float_equal(lia_regularity_phase(b.w), wanted, 1e-12);
            assert_int_equal(lia_phase_variables(b.system), 2);
            assert_int_equal(b.system->n, 3);  // and the impulse of c
            built_clear(&b);
        }
    }
    Built b = built_of("phase x, p\nbracket {x, p} = 1\nhamiltonian p^2/2\n", 1, NULL);
    built_accelerate(b.w, 1);
    assert_true(lia_regularity_phase(b.w) == 1.0);  // nothing is asked for
    built_clear(&b);
}

// {x, p} = 1: the direction of a force has the power dH(W), and a direction that is zero is
// refused.
static void a_direction_has_the_power_of_what_it_does_to_H(void) {
    Built b = built_of("phase x, p\nbracket {x, p} = 1\nhamiltonian p^2/2 + x^4\n"
                       "constraint c: p = 0 force x*d(p) + 2*d(x)\n",
                       0, NULL);
    LiaSystem* s = b.system;
    LiaResolver* resolver = lia_resolve_create(s->graph, &s->rates, s->model, NULL, NULL);
    LiaExpr Omega[3];
    LiaRow row = s->rows[0];
    assert_true(lia_phase_direction(s, resolver, &row, Omega, b.diags));
    double q[3] = {0.6, -1.5, 0}, power;
    values_of(s, &row.Omega_v, 1, q, &power);
    assert_float_equal(power, 0.6 * -1.5 + 2 * 4 * 0.216, 1e-15);
    for (int i = 0; i < 3; i++)  // it acts on its own impulse alone
        assert_true(lia_graph_is_zero(s->graph, Omega[i]) == (i < 2));
    lia_resolve_destroy(resolver);
    built_clear(&b);
}

int main(void) {
    const TestCase tests[] = {
        TEST(the_flow_of_a_heavy_top_is_that_of_euler_and_poisson),
        TEST(samples_stay_around_the_start),
        TEST(casimir_functions_commute_with_everything),
        TEST(the_identity_of_jacobi_is_judged_by_its_terms),
        TEST(the_coupling_number_of_one_equation_is_what_does_not_cancel),
        TEST(a_direction_has_the_power_of_what_it_does_to_H),
    };
    return TESTS_RUN(tests);
}
