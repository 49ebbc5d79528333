// What is said of a system does not depend on its coordinates: twenty systems, each in random ones
// (charts.h); systems with attitudes and directions seen from turned axes, and with Euler angles.
//
// test_charts [SEEDS]: in so many others each; 10 is the campaign of scripts/verify.d.
// SPDX-License-Identifier: MIT
#include "base/numeric/random.h"
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

// --- attitudes and directions ------------------------------------------------------------------

// R = A S B and u = A w with random turns A, B; x = X + c (R k).z. %1$s: A, %2$s: B, %3$s, %4$s:
// their inverses, %5$.17g: c.
typedef struct TurnedSystem {
    const char *name, *text;
} TurnedSystem;

#define ATTITUDE "coordinate S : rotation\nlet R = %1$s*S*%2$s\n"
#define PLACE    "coordinate X, y : line\nlet x = X + (%5$.17g)*(R*[0.3, 0.2, 0.4]).z\n"
#define BEGIN    "start S = %3$s*%4$s, omega(S) = %3$s*[1, 0.4, 0.3]"
#define UP       "symmetry up: omega(S) = %3$s*[0, 0, 1]\nsymmetry own: Omega(S) = %2$s*[0, 0, 1]\n"
#define UP_PLACE                                                                                   \
    "symmetry up: omega(S) = %3$s*[0, 0, 1]\nsymmetry own: Omega(S) = %2$s*[0, 0, 1], "            \
    "X' = (%5$.17g)*(R*cross([0.3, 0.2, 0.4], [0, 0, 1])).z\n"
#define NEAR_X                                                                                     \
    ", X = 0.7 - (%5$.17g)*0.4, X' = %6$.17g - (%5$.17g)*(1*0.2 - 0.4*0.3), y = 0.2, y' = "        \
    "%7$.17g\n"

static const TurnedSystem turned[] = {
    {"ball", ATTITUDE PLACE "body b: mass 1, inertia 0.4, position [x, y, 1], attitude R\n"
                            "constraint roll: velocity(b, [x, y, 0]) = 0\n" UP_PLACE BEGIN NEAR_X},
    {"Chaplygin's sphere", ATTITUDE PLACE
     "body b: mass 1, inertia [0.3, 0.4, 0.5], position [x, y, 1], attitude R\n"
     "constraint roll: velocity(b, [x, y, 0]) = 0\nsymmetry tx: X' = 1\n" UP_PLACE BEGIN NEAR_X},
    {"turntable",
     ATTITUDE PLACE "body b: mass 1, inertia 0.4, position [x, y, 1], attitude R\n"
                    "constraint roll: velocity(b, [x, y, 0]) = 0.7*[-y, x, 0]\n" UP_PLACE BEGIN
                    ", X = 0.7 - (%5$.17g)*0.4, y = 0.2, X' = 0.4 - 0.14 - (%5$.17g)*(1*0.2 - "
                    "0.4*0.3), y' = -1 + 0.49\n"},
    {"Suslov",
     ATTITUDE "let W = Omega(R)\nkinetic W.x^2 + 2*W.y^2 + 3*W.z^2 + W.x*W.z/3\n"
              "constraint s: W.z = 0\n" UP "start S = %3$s*%4$s, omega(S) = %3$s*[1, 0.4, 0]\n"},
    {"top", ATTITUDE "body b: mass 1, inertia [0.4, 0.4, 0.2], position R*[0, 0, 0.3], attitude R\n"
                     "gravity [0, 0, -9.81]\n" UP BEGIN "\n"},
    {"driven wheel", ATTITUDE "coordinate s : circle\nlet W = Omega(R)\n"
                              "kinetic (3*W.x^2 + 4*W.y^2 + 5*W.z^2)/2 + 0.1*(W.x + s')^2\n"
                              "operator o: s = sin(t)\n" UP BEGIN "\nrun t = 0..2\n"},
    {"aimed", ATTITUDE "coordinate X : line\nlet x = X + (%5$.17g)*(R*[0.3, 0.2, 0.4]).z\n"
                       "body b: mass 1, inertia [1, 2, 3], position [x, 0, 0], attitude R\n"
                       "operator aim: omega(R) = [0.1, 0.2, 0.3]\n"
                       "start S = %3$s*%4$s, omega(S) = %3$s*[0.1, 0.2, 0.3], "
                       "X = -(%5$.17g)*0.4, X' = (%5$.17g)*0.04\n"},
    {"spherical pendulum",
     "coordinate w : sphere\nlet u = %1$s*w\nkinetic dot(u', u')/2\npotential 9.81*u.z\n"
     "symmetry up: w' = cross(%3$s*[0, 0, 1], w)\nsymmetry side: w' = cross(%3$s*[1, 0, 0], w)\n"
     "start w = %3$s*[0.6, 0, 0.8], w' = %3$s*[0, 1, 0]\n"},
    {"area on a sphere",
     "coordinate w : sphere\nlet u = %1$s*w\ncoordinate s : line\nkinetic dot(u', u')/2 + s'^2\n"
     "constraint c: s' = u.x*u.y' - u.y*u.x'\nsymmetry up: w' = cross(%3$s*[0, 0, 1], w)\n"
     "start w = %3$s*[0.6, 0, 0.8], w' = %3$s*[0, 1, 0], s' = 0.6\n"},
    {"aimed direction",
     "coordinate w : sphere\nlet u = %1$s*w\ncoordinate r : line\n"
     "kinetic dot(u', u')*(2 + r^2)/2 + r'^2/2\n"
     "operator aim: u = [sin(0.4)*cos(t), sin(0.4)*sin(t), -cos(0.4)]\nstart r = 0.3, r' = 0.2, "
     "w = %3$s*[sin(0.4), 0, -cos(0.4)]\n"},
};

static void turn_text(uint64_t* state, bool none, char* to, char* back, size_t room) {
    double a = none ? 0.0 : lia_random_even(state), b = none ? 0.0 : 2.0 * lia_random_even(state);
    snprintf(to, room, "rotx(%.17g)*roty(%.17g)", a, b);
    snprintf(back, room, "roty(%.17g)*rotx(%.17g)", -b, -a);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-extra-args"
static Scene turned_scene(const TurnedSystem* system, uint64_t number) {
    static char text[4000];
    char A[100], B[100], A_back[100], B_back[100];
    uint64_t state = number * 91 + 7;
    turn_text(&state, number == 0, A, A_back, sizeof A);
    turn_text(&state, number == 0, B, B_back, sizeof B);
    double c = number == 0 ? 0.0 : 0.4 * lia_random_even(&state);
    snprintf(text, sizeof text, system->text, A, B, A_back, B_back, c, 0.4, -1.0);
    return scene_explain(system->name, text, &(LiaExplanationAsk){.at_start = true});
}
#pragma GCC diagnostic pop

static void turned_axes(uint64_t most) {
    for (size_t k = 0; k < sizeof turned / sizeof *turned; k++) {
        model = turned[k].name, seed = 0;
        Scene first = turned_scene(&turned[k], 0);
        for (seed = 1; seed <= most; seed++) {
            Scene other = turned_scene(&turned[k], seed);
            compare(&first, &other);
            scene_clear(&other);
        }
        scene_clear(&first);
    }
}

// The same with Euler angles (zxz) in place of the attitude; pairs of models.
#define EULER                                                                                      \
    "coordinate ps, th, ph : circle\n"                                                             \
    "let W = [ps'*sin(th)*sin(ph) + th'*cos(ph), ps'*sin(th)*cos(ph) - th'*sin(ph), ps'*cos(th) "  \
    "+ ph'], R = rotz(ps)*rotx(th)*rotz(ph)\n"
#define EULER_BEGIN "start ps = 0.3, th = 1, ph = 0.2, ps' = 0.4, th' = 0.3, ph' = %s"
#define QUATERNION  "coordinate S : rotation\nlet R = S, W = Omega(S)\n"
#define QUATERNION_BEGIN                                                                           \
    "start S = rotz(0.3)*rotx(1)*rotz(0.2), Omega(S) = [0.4*sin(1)*sin(0.2) + 0.3*cos(0.2), "      \
    "0.4*sin(1)*cos(0.2) - 0.3*sin(0.2), 0.4*cos(1) + (%s)]"

static const struct {
    const char *name, *body, *spin, *rest;
} pairs[] = {
    {"Suslov", "kinetic W.x^2 + 2*W.y^2 + 3*W.z^2 + W.x*W.z/3\nconstraint s: W.z = 0\n",
     "-0.4*cos(1)", ""},
    {"top", "kinetic (0.4*W.x^2 + 0.4*W.y^2 + 0.2*W.z^2)/2\npotential 3*(R*[0, 0, 1]).z\n", "2",
     ""},
    {"ball",
     "coordinate x, y : line\nlet w = R*W\nkinetic (x'^2 + y'^2)/2 + 0.2*dot(w, w)\n"
     "constraint roll: [x', y'] = [w.y, -w.x]\n",
     "2", ""},
    {"wheel",
     "coordinate s : circle\nkinetic (3*W.x^2 + 4*W.y^2 + 5*W.z^2)/2 + 0.1*(W.x + s')^2\n"
     "operator o: s = sin(t)\n",
     "0.5", "\nrun t = 0..2"},
};

static void euler_angles(void) {
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        char text[2][1500];
        Scene s[2];
        model = pairs[k].name, seed = 0;
        snprintf(text[0], sizeof text[0], EULER "%s" EULER_BEGIN "%s\n", pairs[k].body,
                 pairs[k].spin, pairs[k].rest);
        snprintf(text[1], sizeof text[1], QUATERNION "%s" QUATERNION_BEGIN "%s\n", pairs[k].body,
                 pairs[k].spin, pairs[k].rest);
        for (int e = 0; e < 2; e++)
            s[e] = scene_explain(model, text[e], &(LiaExplanationAsk){.at_start = true});
        compare(&s[0], &s[1]);
        check(s[0].e.classes.flag.bracket.poisson == s[1].e.classes.flag.bracket.poisson, "Poisson",
              0, 0);
        for (int e = 0; e < 2; e++) scene_clear(&s[e]);
    }
}

// --- other units --------------------------------------------------------------------------------

static double mass = 1.0;  // of the scene that is compared

static Scene in_masses(const char* from) {
    static char text[20000];
    if (chart_masses(from, mass, text, sizeof text) >= sizeof text) exit(1);
    return scene_explain(model, text, &(LiaExplanationAsk){.at_start = true});
}

static void compare_units(const Scene* a, const Scene* b) {
    same_classes(&a->e.classes, &b->e.classes);
    near("energy in units", b->e.fields.energy / mass, a->e.fields.energy);
    const LiaSearch *x = &a->e.classes.search, *y = &b->e.classes.search;
    check(x->second.count == y->second.count, "second type", y->second.count, x->second.count);
    check(x->first.count == y->first.count, "first type", y->first.count, x->first.count);
    check(x->constant.count == y->constant.count, "constant", y->constant.count, x->constant.count);
    check(x->moving.count == y->moving.count, "moving", y->moving.count, x->moving.count);
}

// Masses of atoms and of planets; lengths from micrometres to kilometres.
static void other_units(void) {
    static const double masses[] = {1e-26, 1e24}, lengths[] = {1e-6, 1e3};
    static char text[20000], scaled[20000];
    for (size_t k = 0; k < sizeof systems / sizeof *systems; k++) {
        model = systems[k].name, seed = 0, mass = 1.0;
        if (chart_text(&systems[k], 0, text, sizeof text) >= sizeof text) exit(1);
        Scene plain = in_masses(text);
        for (size_t u = 0; u < 4; u++) {
            const char* from = text;
            seed = 1000 + u, mass = u < 2 ? masses[u] : 1.0;
            if (u >= 2) {
                chart_lengths(&systems[k], lengths[u - 2], scaled, sizeof scaled);
                from = scaled;
            }
            Scene other = in_masses(from);
            compare_units(&plain, &other);
            scene_clear(&other);
        }
        scene_clear(&plain);
    }
    mass = 1.0;
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
    turned_axes(most);
    euler_angles();
    other_units();
    return cases_end();
}
