// What is said of a system does not depend on its coordinates: twenty systems, each in random ones
// (charts.h).
//
// test_charts [SEEDS]: in so many others each; 10 is the campaign of scripts/verify.d.
// SPDX-License-Identifier: MIT
#include "charts.h"
#include "scene.h"
#include "support/cases.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FREE3 "kinetic (x'^2 + y'^2 + z'^2)/2\n"
#define FREE4 "kinetic (x'^2 + y'^2 + z'^2 + w'^2)/2\n"

static const ChartedSystem systems[] = {
    {"contact",
     "x y z",
     FREE3 "constraint c: z' = y*x'",
     {"1, 0, 0", "0, 0, 1"},
     "0.2, 0.4, 0.1",
     "1, 0.3, 0.4",
     NULL},
    {"exact",
     "x y z",
     FREE3 "constraint c: y*x' + x*y' = z'",
     {"0, 0, 1"},
     "0.5, 0.7, 0.1",
     "1, 0.3, 0.85",
     NULL},
    {"Engel",
     "x y z w",
     FREE4 "constraint a: y' = z*x'\nconstraint b: z' = w*x'",
     {"0, 1, 0, 0"},
     "0.1, 0.2, 0.3, 0.4",
     "1, 0.3, 0.4, 0.2",
     NULL},
    {"combination",
     "x y z w",
     FREE4 "constraint a: z' - y*x' + w' = 0\nconstraint b: z' - y*x' - w' = 0",
     {"1, 0, 0, 0", "0, 0, 1, 0"},
     "0.1, 0.5, 0.3, 0.4",
     "1, 0.3, 0.5, 0",
     NULL},
    {"skater",
     "x y th*",
     "kinetic 3*(x'^2 + y'^2) + th'^2\nconstraint blade: x'*sin(th) - y'*cos(th) = 0",
     {"1, 0, 0", "cos(th), sin(th), 0", "0, 0, 1", "-y, x, 1"},
     "0.2, 0.3, 0",
     "2, 0, 0.3",
     NULL},
    {"sleigh",
     "x y th*",
     "kinetic ((x' - sin(th)*th'/5)^2 + (y' + cos(th)*th'/5)^2 + th'^2/3)/2\n"
     "constraint blade: x'*sin(th) - y'*cos(th) = 0",
     {"0, 1, 0", "0, 0, 1", "-y, x, 1"},
     "0.2, 0.3, 0",
     "1, 0, 0.4",
     NULL},
    {"rolling disk",
     "x y th* ph*",
     "kinetic x'^2 + y'^2 + th'^2/3 + ph'^2/2\nconstraint roll: x' = ph'*cos(th), y' = ph'*sin(th)",
     {"0, 0, 0, 1", "0, 0, 1, 0", "-y, x, 1, 0"},
     "0.1, 0.2, 0, 0.3",
     "1.5, 0, 0.4, 1.5",
     NULL},
    {"car",
     "x y th* ph*",
     "kinetic (x'^2 + y'^2 + th'^2 + ph'^2)/2\nconstraint rear: x'*sin(th) - y'*cos(th) = 0\n"
     "constraint front: x'*sin(th + ph) - y'*cos(th + ph) - th'*cos(ph) = 0",
     {"1, 0, 0, 0", "-y, x, 1, 0"},
     "0.1, 0.2, 0, 0",
     "1, 0, 0, 0.3",
     NULL},
    {"swing",
     "th* r",
     "kinetic (r'^2 + r^2*th'^2)/2\npotential -9.81*r*cos(th)\n"
     "operator length: r = 2 + 0.3*sin(t)",
     {NULL},
     "0.4, 2",
     "0.2, 0.3",
     "run t = 0..3"},
    {"double pendulum",
     "a* b*",
     "kinetic a'^2 + b'^2/2 + a'*b'*cos(a - b)\npotential -19.62*cos(a) - 9.81*cos(b)",
     {"1, 1"},
     "1, 0.4",
     "0.3, 0.1",
     NULL},
    {"falsefirst",
     "x y z",
     FREE3 "lagrangian x*(z' - y*x')\nconstraint c: z' - y*x' = 0",
     {"1, 0, 0"},
     "0.2, 0.4, 0.1",
     "1, 0.3, 0.4",
     NULL},
    {"Kepler",
     "x y",
     "kinetic (x'^2 + y'^2)/2\npotential -1/hypot(x, y)",
     {"-y, x", "1, 0"},
     "1, 0.2",
     "0.1, 0.9",
     NULL},
    {"hoop",
     "th* ph*",
     "kinetic (th'^2 + (0.3 + sin(th)^2)*ph'^2)/2\npotential -9.81*cos(th)\n"
     "operator turn: ph = 2*t",
     {"0, 1"},
     "0.5, 0",
     "0.4, 2",
     "run t = 0..2"},
    {"affine",
     "x y z",
     FREE3 "constraint c: x' = y + 1",
     {"1, 0, 0", "0, 0, 1"},
     "0.1, 0.2, 0.3",
     "1.2, 0.5, 0.4",
     NULL},
    {"magnetic",
     "x y z",
     FREE3 "lagrangian x*y' - z*x'/3",
     {"0, 1, 0", "0, 0, 1"},
     "0.1, 0.2, 0.3",
     "0.5, 0.4, 0.3",
     NULL},
    {"parabola",
     "x y",
     "kinetic (x'^2 + y'^2)/2\npotential 9.81*y\nconstraint wire: y = x^2",
     {NULL},
     "0.5, 0.25",
     "0.4, 0.4",
     NULL},
    {"oscillator",
     "x y",
     "kinetic (x'^2 + 2*y'^2)/2\npotential x^2 + x*y + y^2\ndissipation (x'^2 + y'^2)/5",
     {"1, -1"},
     "0.5, 0.2",
     "0.1, 0.3",
     NULL},
    {"given speed",
     "x y",
     "kinetic x'^2 + y'^2\npotential x\nconstraint speed: hypot(x', y') = 1 force chetaev",
     {"0, 1"},
     "0.1, 0.2",
     "0.6, 0.8",
     NULL},
    {"servo",
     "a* b*",
     "kinetic (a'^2 + 2*b'^2)/2\npotential 3*a^2/2\n"
     "operator lead: b - a = 0 by d(b)",
     {"1, 1"},
     "0.4, 0.4",
     "0.2, 0.2",
     NULL},
    {"blade on a slope",
     "x y th*",
     "kinetic (x'^2 + y'^2)/2 + th'^2/6\npotential 2*x\nconstraint blade: x'*sin(th) = y'*cos(th)",
     {"0, 1, 0", "0, 0, 1"},
     "0.1, 0.2, 0",
     "1, 0, 0.5",
     NULL},
};

static const char* model;
static uint64_t seed;

static void check(bool ok, const char* what, double got, double want) {
    if (cases_count(ok)) return;
    printf("%s, coordinates %llu: %s is %.17g, not %.17g\n", model, (unsigned long long)seed, what,
           got, want);
}

#define SAME(field) check(a->field == b->field, #field, (double)b->field, (double)a->field)

static void near(const char* what, double got, double want) {
    bool both = isnan(got) && isnan(want);
    check(both || fabs(got - want) <= 1e-10 * fmax(1.0, fabs(want)), what, got, want);
}

static void same_growth(const char* what, const LiaGrowth* a, const LiaGrowth* b) {
    check(a->steps == b->steps && a->ended == b->ended, what, b->steps, a->steps);
    for (uint32_t i = 0; i < a->steps && i < b->steps; i++)
        check(a->rank[i] == b->rank[i], what, b->rank[i], a->rank[i]);
}

static void same_constraint(const LiaConstraintClass* a, const LiaConstraintClass* b) {
    SAME(active), SAME(geometric), SAME(linearity), SAME(force), SAME(equations), SAME(independent);
    SAME(alone), SAME(holonomic), SAME(submersion), SAME(perfect), SAME(H0), SAME(H);
    SAME(workless), SAME(unique), SAME(degree);
}

static void same_symmetry(const LiaSymmetryClass* a, const LiaSymmetryClass* b) {
    SAME(lagrangian), SAME(states_carried), SAME(forces_carried), SAME(forces_across);
    SAME(first_type), SAME(second_type), SAME(constant), SAME(quotient);
}

static void same_classes(const LiaClassification* a, const LiaClassification* b) {
    SAME(dimensions.M), SAME(dimensions.S), SAME(dimensions.C), SAME(dimensions.D),
        SAME(dimensions.W), SAME(dimensions.VstarM), SAME(dimensions.lives),
        SAME(dimensions.base_rank);
    SAME(positions), SAME(velocities), SAME(hidden), SAME(l), SAME(c), SAME(regular);
    SAME(energy_conserved), SAME(servo.remaining);
    if (a->servo.steady != LIA_STEADY_LINEAR)
        SAME(servo.steady);  // linear are equations in one chart
    near("regularity", b->regularity, a->regularity);
    SAME(flag.known), SAME(flag.rank), SAME(flag.integrable), SAME(flag.kinematic);
    SAME(flag.space), SAME(flag.time);
    same_growth("growth vector", &a->flag.lie, &b->flag.lie);
    same_growth("derived flag", &a->flag.derived, &b->flag.derived);
    same_growth("growth at the start", &a->flag.start_lie, &b->flag.start_lie);
    for (uint32_t i = 0; i < a->constraint_count; i++)
        same_constraint(&a->constraints[i], &b->constraints[i]);
    for (uint32_t i = 0; i < a->symmetry_count; i++)
        same_symmetry(&a->symmetries[i], &b->symmetries[i]);
}

// The momentum of declared symmetry k at the start.
static double momentum(const Scene* s, uint32_t k) {
    const LiaExplanation* e = &s->e;
    LiaValues values;
    LiaExpr f = e->classes.symmetries[k].momentum;
    if (!lia_evaluate_init(&values, e->geometry->graph, &f, 1)) exit(1);
    LiaSymbols at = {.t = e->t, .parameters = s->system->parameters, .q = e->q, .v = e->v};
    lia_evaluate_run(&values, &at);
    double value = lia_value(&values, f);
    lia_evaluate_clear(&values);
    return value;
}

static void compare(const Scene* a, const Scene* b) {
    same_classes(&a->e.classes, &b->e.classes);
    near("h0", b->e.fields.h0, a->e.fields.h0);
    near("K_Y", b->e.fields.K_Y, a->e.fields.K_Y);
    near("energy", b->e.fields.energy, a->e.fields.energy);
    for (uint32_t k = 0; k < a->e.classes.symmetry_count; k++)
        near("momentum", momentum(b, k), momentum(a, k));
}

int main(int argc, char** argv) {
    uint64_t most = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    for (size_t k = 0; k < sizeof systems / sizeof *systems; k++) {
        static char text[20000];
        const LiaExplanationAsk ask = {.at_start = true};
        model = systems[k].name, seed = 0;
        if (chart_text(&systems[k], 0, text, sizeof text) >= sizeof text) return 1;
        Scene plain = scene_explain(model, text, &ask);
        for (seed = 1; seed <= most; seed++) {
            if (chart_text(&systems[k], seed, text, sizeof text) >= sizeof text) return 1;
            Scene other = scene_explain(model, text, &ask);
            compare(&plain, &other);
            scene_clear(&other);
        }
        scene_clear(&plain);
    }
    return cases_end();
}
