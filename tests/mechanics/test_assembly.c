// From a model to formulas, each step by itself: a system is made step by step as
// lia_system_build() does, and after each step a law holds of what it made. Values are taken by the
// interpreter of the graph, derivatives by differences.
//
// Tests: mechanics/assembly/energy.c, mechanics/assembly/constraints.c
// Tests: mechanics/assembly/generator.c, mechanics/assembly/powers.c, mechanics/assembly/samples.c
// Tests: mechanics/assembly/rules.c, mechanics/assembly/system_dump.c, mechanics/system.c
// SPDX-License-Identifier: MIT
#include "expr/graph/evaluate.h"
#include "mechanics/assembly/phase.h"
#include "mechanics/build.h"
#include "mechanics/kkt/stage.h"
#include "support/built.h"
#include "support/cases.h"
#include <stdlib.h>

// A system with its symbols and nothing else.
typedef struct Bare {
    LiaDiags* diags;
    LiaModel* model;
    LiaSystem* s;
    LiaResolver* resolver;
} Bare;

static LiaExpr quantity(void* context, const LiaQuantityNamed* of) {
    LiaSystem* s = context;
    return lia_system_quantity(s, s->graph, of);
}

static Bare bare_of(const char* text) {
    Bare b = {.diags = lia_diags_create()};
    LiaStatus status = lia_model_parse("test.lia", text, strlen(text), NULL, b.diags, &b.model);
    if (status != LIA_OK) fail_msg("%s", built_said(b.diags));
    LiaSystem* s = b.s = calloc(1, sizeof *s);
    s->model = b.model;
    s->n = b.model->coordinates_count;
    s->arena = lia_arena_create();
    s->graph = lia_graph_create();
    lia_diff_rates_init(&s->rates, s->graph);
    b.resolver = lia_resolve_create(s->graph, &s->rates, b.model, quantity, s);
    s->q = LIA_ARENA_NEW(s->arena, LiaExpr, s->n + 1);
    s->v = LIA_ARENA_NEW(s->arena, LiaExpr, s->n + 1);
    s->parameters = LIA_ARENA_NEW(s->arena, double, b.model->parameters_count + 1);
    for (uint32_t i = 0; i < s->n; i++) {
        s->q[i] = lia_graph_symbol(s->graph, LIA_SYMBOL_POSITION, i);
        s->v[i] = lia_graph_symbol(s->graph, LIA_SYMBOL_VELOCITY, i);
    }
    for (uint32_t i = 0; i < b.model->parameters_count; i++)
        s->parameters[i] = b.model->parameters[i].value;
    return b;
}

static void bare_clear(Bare* b) {
    lia_resolve_destroy(b->resolver);
    lia_diff_rates_clear(&b->s->rates);
    lia_graph_destroy(b->s->graph);
    lia_arena_destroy(b->s->arena);
    free(b->s);
    lia_model_destroy(b->model);
    lia_diags_destroy(b->diags);
}

static bool said(const LiaDiags* diags, const char* code) {
    char* text = lia_diags_text(diags);
    bool there = text && strstr(text, code);
    lia_free(text);
    return there;
}

// --- values

typedef struct At {
    double t, q[4], v[4], mu[4], a[4];
} At;

static double value(const LiaSystem* s, LiaExpr f, const At* at) {
    LiaValues values;
    assert_true(lia_evaluate_init(&values, s->graph, &f, 1));
    lia_evaluate_run(&values, &(LiaSymbols){.t = at->t,
                                            .parameters = s->parameters,
                                            .q = at->q,
                                            .v = at->v,
                                            .mu = at->mu,
                                            .a = at->a});
    double x = lia_value(&values, f);
    lia_evaluate_clear(&values);
    return x;
}

// By a number of the state, central differences; `x` points into `at`.
static double slope(const LiaSystem* s, LiaExpr f, At* at, double* x) {
    const double e = 1e-5, kept = *x;
    *x = kept + e;
    double above = value(s, f, at);
    *x = kept - e;
    double below = value(s, f, at);
    *x = kept;
    return (above - below) / (2 * e);
}

static const At here = {
    .t = 0.4, .q = {0.3, -0.7, 0.5}, .v = {1.1, -0.4, 0.8}, .mu = {2.0, -3.0, 0.5}};

static const char machine[] = "parameter m = 2, B = 0.4\n"
                              "coordinate x, y, z : line\n"
                              "lagrangian m/2*(1 + z^2)*x'^2 + B*(x*y' - y*x') + t*z'\n"
                              "kinetic y'^2/2 + z'^2 + x'*y'*sin(z)/3\n"
                              "potential 3*x^2 + x*y*cos(t)\n"
                              "dissipation 0.1*y'^2 + x'^2*z'^2/4\n"
                              "force push: sin(t)*d(x) - x*d(z)\n"
                              "event half: t = 0.5\n"
                              "force late: y*d(y) from half\n"
                              "constraint c: z = x*y\n"
                              "constraint roll: x' = z*y' force d(x)\n"
                              "operator o: y + x^2 = 0.1 + sin(t)\n"
                              "symmetry turn: x' = -y, y' = x\n"
                              "observe one = x*y', two = force(c)\n";

// --- L

static void momenta_and_forces_are_derivatives_of_the_energies(void) {
    Bare b = bare_of(machine);
    LiaSystem* s = b.s;
    assert_true(lia_energy_build(s, b.resolver, b.diags));
    At at = here;
    double E = -value(s, s->energy.lagrangian, &at), p[3];
    for (int i = 0; i < 3; i++) {
        p[i] = value(s, s->lagrange.p[i], &at);
        assert_float_equal(slope(s, s->energy.lagrangian, &at, &at.v[i]), p[i], 1e-8);
        assert_float_equal(slope(s, s->energy.lagrangian, &at, &at.q[i]),
                           value(s, s->lagrange.dL_dq[i], &at), 1e-8);
        E += at.v[i] * p[i];
    }
    assert_float_equal(value(s, s->energy.total, &at), E, 1e-14);
    // of the generator (-y, x)
    assert_float_equal(value(s, s->observables.momenta[0], &at), -at.q[1] * p[0] + at.q[0] * p[1],
                       1e-14);
    const double x = at.q[0], y = at.q[1], xv = at.v[0], yv = at.v[1], zv = at.v[2];
    double Q[3] = {sin(at.t) - xv * zv * zv / 2, -0.2 * yv + y, -x - xv * xv * zv / 2};
    LiaExpr always[3];
    assert_true(lia_energy_applied(s, b.resolver, always));
    for (int i = 0; i < 3; i++) {
        assert_float_equal(value(s, s->lagrange.Q[i], &at), Q[i], 1e-14);
        assert_float_equal(value(s, always[i], &at), Q[i] - (i == 1 ? y : 0.0), 1e-14);
    }
    bare_clear(&b);
}

// A direction that is turned stays one; one that is pushed does not.
static void a_generator_keeps_directions_on_the_sphere(void) {
    for (int wrong = 0; wrong < 2; wrong++) {
        Bare b = bare_of("coordinate n : sphere, x : line\nkinetic dot(n', n')/2 + x'^2/2\n"
                         "symmetry turn: n' = cross([0, 0, 1], n), x' = 1\n");
        LiaSystem* s = b.s;
        LiaExpr xi[4] = {lia_graph_neg(s->graph, s->q[1]), s->q[0], lia_graph_integer(s->graph, 0),
                         lia_graph_integer(s->graph, 1)};
        if (wrong) xi[2] = s->q[3];  // n.z' = x
        assert_int_equal(b.model->groups[0].first, 0);
        assert_true(lia_generator_build(s, &b.model->symmetries[0], xi, b.diags));
        assert_int_equal(lia_diags_errors(b.diags), wrong);
        assert_true(said(b.diags, "E0223") == (wrong != 0));
        bare_clear(&b);
    }
}

// --- rows

static void rows_have_the_directions_that_their_rules_say(void) {
    Bare b = bare_of(machine);
    LiaSystem* s = b.s;
    assert_true(lia_energy_build(s, b.resolver, b.diags));
    assert_true(lia_constraints_build(s, b.resolver, b.diags));
    assert_int_equal(s->row_count, 3);
    At at = here;
    const LiaRow *c = &s->rows[0], *roll = &s->rows[1], *o = &s->rows[2];
    assert_true(c->geometric && c->linear && c->ideal && c->workless);
    assert_true(!roll->geometric && roll->linear && !roll->ideal && !roll->workless);
    assert_true(o->geometric && !o->workless);
    // nothing said: the gradient of the equation
    for (uint32_t e = 0; e < c->entries; e++) {
        double wanted = slope(s, c->equation, &at, &at.q[c->coordinate[e]]);
        assert_float_equal(value(s, c->Omega[e], &at), wanted, 1e-9);
    }
    assert_int_equal(c->entries, 3);
    // given: d(x) alone
    assert_int_equal(roll->entries, 1);
    assert_int_equal(roll->coordinate[0], 0);
    assert_true(value(s, roll->Omega[0], &at) == 1.0);
    assert_float_equal(value(s, roll->Omega_v, &at), at.v[0], 0.0);
    // an operator: that of its left side
    assert_int_equal(o->entries, 2);
    for (uint32_t e = 0; e < 2; e++) {
        double wanted = slope(s, o->left, &at, &at.q[o->coordinate[e]]);
        assert_float_equal(value(s, o->Omega[e], &at), wanted, 1e-9);
    }
    assert_float_equal(value(s, o->equation, &at), at.q[1] + at.q[0] * at.q[0] - 0.1 - sin(at.t),
                       1e-15);
    bare_clear(&b);
}

static void a_nonlinear_equation_without_a_rule_is_refused(void) {
    Bare b = bare_of("coordinate x, y : line\nkinetic x'^2/2 + y'^2/2\n"
                     "constraint c: x'^2 + y'^2 = 1\n");
    assert_true(lia_energy_build(b.s, b.resolver, b.diags));
    lia_constraints_build(b.s, b.resolver, b.diags);
    assert_true(lia_diags_errors(b.diags) == 1);
    bare_clear(&b);
}

// --- powers

// dE/dt = sum of powers, with the accelerations of the motion: E as a function of (q, v, t) along
// it.
static void the_powers_are_the_rate_of_the_energy(void) {
    Built b = built_of("parameter m = 2, B = 0.4\n"
                       "coordinate x, y, z : line\n"
                       "lagrangian m/2*(1 + z^2)*x'^2 + B*(x*y' - y*x') + t*x*z'\n"
                       "kinetic y'^2/2 + z'^2 + x'*y'*sin(z)/3\n"
                       "potential 3*x^2 + x*y*cos(t)\n"
                       "dissipation 0.1*y'^2 + x'^2*z'^2/4\n"
                       "force push: sin(t)*d(x) - x*d(z)\n"
                       "constraint c: z = x*y\n"
                       "operator o: y + x^2 = 0.1 + sin(t)\n",
                       1, NULL);
    LiaSystem* s = b.system;
    LiaWorkspace* w = b.w;
    w->t = 0.4;
    built_accelerate(w, 1);
    At at = {.t = w->t};
    for (int i = 0; i < 3; i++) at.q[i] = w->q[i], at.v[i] = w->v[i], at.a[i] = w->a[i];
    for (uint32_t r = 0; r < s->row_count; r++) at.mu[r] = w->mu[r];
    double rate = slope(s, s->energy.total, &at, &at.t), sum = 0.0, most = 0.0;
    for (int i = 0; i < 3; i++) {
        rate += slope(s, s->energy.total, &at, &at.q[i]) * w->v[i];
        rate += slope(s, s->energy.total, &at, &at.v[i]) * w->a[i];
    }
    assert_int_equal(s->line_count, 5);  // c, o, push, dissipation, time
    for (uint32_t l = 0; l < s->line_count; l++) {
        double power = value(s, s->lines[l].power, &at);
        most = fmax(most, fabs(power));
        sum += power;
    }
    // the state of this test is off the constraint: c works by what its equation misses
    double missed = w->mu[0] * (w->v[2] - w->v[0] * w->q[1] - w->q[0] * w->v[1]);
    assert_true(most > 0.1);
    assert_float_equal(sum + missed, rate, 1e-7 * most);
    // of one constraint: mu times Omega v; none of one that is ideal and at rest
    LiaExpr P = lia_powers_of_constraint(s, 1);
    assert_float_equal(value(s, P, &at), w->mu[1] * (w->v[1] + 2 * w->q[0] * w->v[0]), 1e-12);
    assert_true(lia_graph_is_zero(s->graph, lia_powers_of_constraint(s, 0)));
    assert_true(lia_graph_is_zero(s->graph, lia_powers_of_friction(s, 1)));  // it has none
    built_clear(&b);
}

static void the_ledger_has_a_line_for_each_who_may_feed_in(void) {
    Bare b = bare_of(machine);
    LiaSystem* s = b.s;
    bool ok = lia_energy_build(s, b.resolver, b.diags) &&
              lia_constraints_build(s, b.resolver, b.diags) &&
              lia_rough_build(s, b.resolver, b.diags) && lia_contacts_build(s, b.resolver) &&
              lia_powers_build(s, b.resolver, b.diags);
    assert_true(ok);
    const char* names[] = {"c", "roll", "o", "push", "late", "dissipation", "time"};
    assert_int_equal(s->line_count, 7);
    for (uint32_t l = 0; l < 7; l++) assert_string_equal(s->lines[l].name, names[l]);
    At at = here;
    assert_float_equal(value(s, s->lines[3].power, &at), sin(at.t) * at.v[0] - at.q[0] * at.v[2],
                       1e-15);
    assert_float_equal(value(s, s->lines[6].power, &at),
                       -slope(s, s->energy.lagrangian, &at, &at.t), 1e-9);
    // D of degree 2 and of degree 4: -v dD/dv
    double D2 = 0.1 * at.v[1] * at.v[1], D4 = pow(at.v[0] * at.v[2], 2) / 4;
    assert_float_equal(value(s, s->lines[5].power, &at), -2 * D2 - 4 * D4, 1e-15);
    // what is computed at samples has its places
    assert_true(lia_samples_build(s, b.resolver));
    const LiaModel* m = s->model;
    assert_int_equal(s->observables.sample_count, lia_sample_curve(m, 0));
    const LiaExpr* samples = s->observables.samples;
    assert_true(lia_expr_same(samples[LIA_SAMPLE_ENERGY], s->energy.total));
    assert_true(lia_expr_same(samples[LIA_SAMPLE_MOMENTA], s->observables.momenta[0]));
    assert_float_equal(value(s, samples[lia_sample_observe(m, 0)], &at), at.q[0] * at.v[1], 0.0);
    assert_float_equal(value(s, samples[lia_sample_observe(m, 1)], &at), at.mu[0], 0.0);
    assert_float_equal(value(s, s->observables.events[0], &at), at.t - 0.5, 1e-16);
    bare_clear(&b);
}

// --- rules

// Other rules for the constraints named; all else, and the model itself, stays.
static void rules_change_the_forces_and_nothing_else(void) {
    Bare b = bare_of(machine);
    const int before[3] = {b.model->constraints[0].rule, b.model->constraints[1].rule,
                           b.model->constraints[2].rule};
    LiaRuleChange rules[] = {{"roll", LIA_FORCES_IDEAL}, {"o", LIA_FORCES_CHETAEV}};
    LiaSystemOptions options = {.rules = rules, .rule_count = 2};
    const LiaModel* own = lia_rules_build(b.s, b.model, &options, b.diags);
    assert_non_null(own);
    assert_int_equal(lia_diags_errors(b.diags), 0);
    assert_int_equal(own->constraints[0].rule, before[0]);
    assert_int_equal(own->constraints[1].rule, LIA_RULE_DEFAULT);
    assert_int_equal(own->constraints[2].rule, LIA_RULE_CHETAEV);
    assert_ptr_equal(own->coordinates, b.model->coordinates);
    for (int c = 0; c < 3; c++) assert_int_equal(b.model->constraints[c].rule, before[c]);
    assert_string_equal(b.s->origin.variant, "roll=ideal, o=chetaev");
    assert_int_equal(b.s->origin.choice_count, 2);
    bare_clear(&b);
}

static void rules_that_cannot_be_are_said(void) {
    const struct {
        LiaRuleChange rule;
        const char *code, *help;
    } wrong[] = {{{"rol", LIA_FORCES_IDEAL}, "E0231", "did you mean 'roll'?"},
                 {{"c", LIA_FORCES_GIVEN}, "E0232", "write them: 'force d(x), ...'"},
                 {{"o", LIA_FORCES_GIVEN}, "E0232", "write them: 'by d(x), ...'"}};
    for (int k = 0; k < 3; k++) {
        Bare b = bare_of(machine);
        LiaSystemOptions options = {.rules = &wrong[k].rule, .rule_count = 1};
        lia_rules_build(b.s, b.model, &options, b.diags);
        assert_true(said(b.diags, wrong[k].code) && said(b.diags, wrong[k].help));
        assert_null(b.s->origin.variant);
        bare_clear(&b);
    }
}

// By the whole way: an operator that is ideal acts along the gradient of left minus right.
static void an_ideal_operator_acts_along_its_whole_gradient(void) {
    Bare b = bare_of("coordinate x, y : line\nkinetic x'^2/2 + y'^2/2\noperator o: y = x^2\n");
    LiaRuleChange rule = {"o", LIA_FORCES_IDEAL};
    LiaSystemOptions options = {.rules = &rule, .rule_count = 1};
    At at = here;
    for (int ideal = 0; ideal < 2; ideal++) {
        LiaSystem* s = NULL;
        assert_int_equal(lia_system_build(b.model, ideal ? &options : NULL, b.diags, &s), LIA_OK);
        assert_int_equal(s->rows[0].entries, 1 + ideal);
        if (ideal) assert_float_equal(value(s, s->rows[0].Omega[0], &at), -2 * at.q[0], 1e-15);
        lia_system_destroy(s);
    }
    bare_clear(&b);
}

// --- the system

static void a_dump_names_every_row_at_every_border(void) {
    Built b = built_of(machine, 0, NULL);
    const char* stages[] = {"expr", "mechanics", "tape"};
    for (int k = 0; k < 3; k++) {
        LiaText out = {0};
        assert_true(lia_system_dump(b.system, stages[k], &out));
        assert_non_null(strstr(out.data, "roll"));
        assert_non_null(strstr(out.data, "c"));
        if (k == 1) {
            char K0[80];
            const LiaDynamics* d = b.system->reduced;
            snprintf(K0, sizeof K0, "K0: %u x %u (%u accelerations, %u multipliers)", d->nf + d->nc,
                     d->nf + d->nc, d->nf, d->nc);
            assert_non_null(strstr(out.data, K0));
            assert_non_null(strstr(out.data, "constraint c: geometric, does no work\n"));
            assert_non_null(
                strstr(out.data, "constraint roll: kinematic, force directions given\n"));
            assert_non_null(strstr(out.data, "operator o: geometric\n"));
        }
        if (k == 0) assert_non_null(strstr(out.data, "Omega(roll, x) = 1\n"));
        lia_text_clear(&out);
    }
    LiaText out = {0};
    assert_false(lia_system_dump(b.system, "nothing", &out));
    assert_true(out.length == 0);
    built_clear(&b);
}

static void quantities_are_the_formulas_of_the_system(void) {
    Built b = built_of(machine, 0, NULL);
    LiaSystem* s = b.system;
    const struct {
        LiaQuantityNamed of;
        LiaExpr formula;
    } all[] = {
        {{.kind = LIA_QUANTITY_ENERGY}, s->energy.total},
        {{.kind = LIA_QUANTITY_KINETIC}, s->energy.kinetic},
        {{.kind = LIA_QUANTITY_POTENTIAL}, s->energy.potential},
        {{.kind = LIA_QUANTITY_P, .index = 2}, s->lagrange.p[2]},
        {{.kind = LIA_QUANTITY_MOMENTUM}, s->observables.momenta[0]},
        {{.kind = LIA_QUANTITY_FORCE, .index = 2},
         lia_graph_symbol(s->graph, LIA_SYMBOL_MULTIPLIER, 2)},
        {{.kind = LIA_QUANTITY_POWER, .index = 1}, s->lines[1].power},
        {{.kind = LIA_QUANTITY_FORCE_POWER, .index = 0}, s->lines[3].power},
        {{.kind = LIA_QUANTITY_WORK, .index = 1}, lia_graph_symbol(s->graph, LIA_SYMBOL_WORK, 1)},
        {{.kind = LIA_QUANTITY_FORCE_WORK}, lia_graph_symbol(s->graph, LIA_SYMBOL_WORK, 3)},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        assert_true(lia_expr_same(lia_system_quantity(s, s->graph, &all[k].of), all[k].formula));
    for (int k = 0; k < 100; k++) lia_system_choice(s, "choice %d", k);
    assert_true(s->origin.choice_count == 64);  // a summary is no novel
    built_clear(&b);
}

int main(void) {
    const TestCase tests[] = {
        TEST(momenta_and_forces_are_derivatives_of_the_energies),
        TEST(a_generator_keeps_directions_on_the_sphere),
        TEST(rows_have_the_directions_that_their_rules_say),
        TEST(a_nonlinear_equation_without_a_rule_is_refused),
        TEST(the_powers_are_the_rate_of_the_energy),
        TEST(the_ledger_has_a_line_for_each_who_may_feed_in),
        TEST(rules_change_the_forces_and_nothing_else),
        TEST(rules_that_cannot_be_are_said),
        TEST(an_ideal_operator_acts_along_its_whole_gradient),
        TEST(a_dump_names_every_row_at_every_border),
        TEST(quantities_are_the_formulas_of_the_system),
    };
    return TESTS_RUN(tests);
}
