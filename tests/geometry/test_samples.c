// The states that verdicts are looked at: those that motions reach where the rank of the equations
// is less than around them; those on all sides of corners.
// SPDX-License-Identifier: MIT
#include "scene.h"
#include "support/cases.h"
#include <stdio.h>
#include <string.h>

static const char* model;

static void check(bool ok, const char* what, double got) {
    if (cases_count(ok)) return;
    printf("%s: %s is %.17g\n", model, what, got);
}

#define SAME(got, want) check((got) == (want), #got, (double)(got))

static Scene plain(const char* name, const char* text) {
    model = name;
    return scene_explain(name, text, &(LiaExplanationAsk){0});
}

// --- ranks --------------------------------------------------------------------------------------

// A pin on a crank, its place by rates, and on a ring that follows from them on the leaf of the
// start alone: elsewhere the crank is stuck. By the angle, L = c'^2 + 0.7 cos c - 0.3 sin c: no
// momentum is constant, though where the crank is stuck all are that have no force.
static void a_rank_that_drops_on_the_leaf_of_the_start(void) {
#define CRANK                                                                                      \
    "coordinate x, y : line\ncoordinate c : circle\nkinetic (x'^2 + y'^2 + c'^2)/2\n"              \
    "potential 0.7*y + 0.3*x\nsymmetry turn: c' = 1\n"
    static const char* text[3] = {
        CRANK "constraint rate: [x', y'] = [sin(c), -cos(c)]'\nconstraint ring: x^2 + y^2 = 1\n"
              "start x = 0, y = -1, c = 0, c' = 1\nrun t = 0..3\n",
        CRANK "constraint rate: [x', y'] = [sin(c), -cos(c)]'\n"
              "constraint ring: (x*x' + y*y')*2 = 0\n"
              "start x = 0, y = -1, c = 0, c' = 1\nrun t = 0..3\n",
        CRANK "constraint pin: [x, y] = [sin(c), -cos(c)]\n"
              "start x = 0, y = -1, c = 0, c' = 1\nrun t = 0..3\n",
    };
    for (int i = 0; i < 3; i++) {
        Scene s = plain("crank", text[i]);
        const LiaClassification* c = &s.e.classes;
        SAME(c->velocities, 1);
        SAME(c->symmetries[0].constant, false);
        SAME(c->search.constant.count, 0);
        SAME(c->search.moving.count, 0);
        SAME(c->search.second.count, 0);
        scene_clear(&s);
    }
}

// The same with a driven crank and a pendulum beside it: no state around the start is admissible.
static void a_driven_crank_with_no_state_around_it(void) {
    Scene s = plain("driven crank",
                    "coordinate x, y : line\ncoordinate c, s : circle\n"
                    "kinetic (x'^2 + y'^2 + c'^2 + s'^2)/2 + s'*c'*cos(s)/3\npotential cos(s)\n"
                    "constraint rate: [x', y'] = [sin(c), -cos(c)]'\n"
                    "constraint ring: x^2 + y^2 = 1\noperator o: c = t/2\n"
                    "symmetry turn: s' = 1\nstart x = 0, y = -1, s' = 1\nrun t = 0..3\n");
    const LiaClassification* c = &s.e.classes;
    check(c->samples > 1, "samples", c->samples);
    SAME(c->symmetries[0].lagrangian, LIA_INVARIANT_NOT);
    SAME(c->symmetries[0].constant, false);
    SAME(c->search.constant.count, 0);
    scene_clear(&s);
}

// --- corners ------------------------------------------------------------------------------------

// U = x y for x > 0, else 0: y' = 1 is no symmetry, from whichever side it is looked at, and
// however the corner is written.
static void a_potential_on_one_side(void) {
    static const char* const potential[3] = {"if(x > 0, x*y, 0)", "max(x, 0)*y",
                                             "(x + abs(x))*y/2"};
    static const double from[4] = {-20, -1, -0.2, 1};
    for (int i = 0; i < 12; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential %s\n"
                 "symmetry ty: y' = 1\nstart x = %g, y' = 1\nrun t = 0..3\n",
                 potential[i / 4], from[i % 4]);
        Scene s = plain("potential", text);
        const LiaClassification* c = &s.e.classes;
        SAME(c->corners.count, 1);
        SAME(c->corners.one_sided, 0);
        SAME(c->symmetries[0].lagrangian, LIA_INVARIANT_NOT);
        SAME(c->symmetries[0].constant, false);
        SAME(c->symmetries[0].constant_here, from[i % 4] < 0);
        SAME(c->search.first.count + c->search.second.count + c->search.constant.count, 0);
        scene_clear(&s);
    }
}

// A force that acts beyond x = 3 takes from the momentum of y, and leaves that of x.
static void a_force_beyond_a_line(void) {
    Scene s = plain("force", "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"
                             "force f: if(x > 3, -y', 0)*d(y)\nsymmetry ty: y' = 1\n"
                             "symmetry tx: x' = 1\nstart x = -1, x' = 1, y' = 1\nrun t = 0..1\n");
    const LiaClassification* c = &s.e.classes;
    SAME(c->symmetries[0].constant, false);
    SAME(c->symmetries[0].constant_here, true);
    SAME(c->symmetries[1].second_type, true);
    SAME(c->energy_conserved, false);
    scene_clear(&s);
}

// z' = max(y - 5, 0) x': holonomic below y = 5, and not above: not holonomic.
static void an_equation_that_is_holonomic_on_one_side(void) {
    static const double from[3] = {0, 4.9, 7};
    for (int i = 0; i < 3; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                 "constraint c: z' = max(y - 5, 0)*x'\nstart y = %g, y' = 1\nrun t = 0..3\n",
                 from[i]);
        Scene s = plain("equation", text);
        SAME(scene_constraint(&s, "c")->holonomic, LIA_NO);
        SAME(s.e.classes.flag.lie.rank[1], 3);
        SAME(s.e.classes.flag.start_lie.steps, from[i] < 5 ? 1 : 2);
        scene_clear(&s);
    }
}

// A corner of which no other side exists says so.
static void a_corner_with_one_side(void) {
    Scene s = plain("one side", "coordinate x : line\nkinetic x'^2/2\npotential abs(x^2 + 1)\n"
                                "start x = 1\nrun t = 0..3\n");
    SAME(s.e.classes.corners.count, 1);
    SAME(s.e.classes.corners.one_sided, 1);
    scene_clear(&s);
}

// --- gradients that vanish ----------------------------------------------------------------------

// The circle written so that its gradient vanishes on it is no constraint that acts; a component of
// a cross product that follows from the others is nothing of the kind.
static void an_equation_without_gradient_is_not_regular(void) {
    static const struct {
        const char* text;
        bool regular;
    } way[] = {
        {"(x^2 + y^2 - 1)^3 = 0", false},   {"(hypot(x, y) - 1)^2 = 0", false},
        {"x^2 + y^2 - 1 = 0", true},        {"hypot(x, y) = 1", true},
        {"1e-9*(x^2 + y^2 - 1) = 0", true},
    };
    for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\nconstraint c: %s\n"
                 "start x = 0.8, y = 0.6\nrun t = 0..3\n",
                 way[i].text);
        Scene s = plain(way[i].text, text);
        SAME(s.e.classes.regular, way[i].regular);
        SAME(s.e.classes.look.vanishing != NULL, !way[i].regular);
        SAME(s.e.classes.search.constant.count, 0);
        scene_clear(&s);
    }
    Scene s =
        plain("cross", "coordinate u[i = 1..3] : line\ncoordinate w[i = 1..3] : line\n"
                       "kinetic (u[1]'^2 + u[2]'^2 + u[3]'^2 + w[1]'^2 + w[2]'^2 + w[3]'^2)/2\n"
                       "constraint c: cross([u[1], u[2], u[3]], [w[1], w[2], w[3]]) = 0\n"
                       "start u[1] = 1, w[1] = 2, u[2] = 0, u[3] = 0, w[2] = 0, w[3] = 0\n"
                       "run t = 0..1\n");
    SAME(s.e.classes.look.vanishing != NULL, false);
    SAME(s.e.classes.regular, true);
    scene_clear(&s);
}

// --- units --------------------------------------------------------------------------------------

// A skate that is driven sideways: (3, 4) with time, whatever its velocity is in the units of the
// model.
static void the_growth_does_not_depend_on_units(void) {
    static const double c[5] = {1e-11, 1, 1e5, 1e9, 1e11};
    for (int i = 0; i < 5; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "parameter c = %g\ncoordinate x, y : line\ncoordinate th : circle\n"
                 "kinetic (x'^2 + y'^2 + c^2*th'^2)/2\n"
                 "constraint b: y'*cos(th) - x'*sin(th) = c\nstart th = 0.3\nrun t = 0..3\n",
                 c[i]);
        Scene s = plain("units", text);
        const LiaFlag* f = &s.e.classes.flag;
        SAME(f->known, true);
        SAME(f->lie.steps, 2);
        SAME(f->lie.rank[0], 3);
        SAME(f->lie.rank[1], 4);
        SAME(scene_constraint(&s, "b")->holonomic, LIA_NO);
        check(f->margin > 0.01, "margin", f->margin);
        scene_clear(&s);
    }
}

int main(void) {
    a_rank_that_drops_on_the_leaf_of_the_start();
    a_driven_crank_with_no_state_around_it();
    a_potential_on_one_side();
    a_force_beyond_a_line();
    an_equation_that_is_holonomic_on_one_side();
    a_corner_with_one_side();
    an_equation_without_gradient_is_not_regular();
    the_growth_does_not_depend_on_units();
    return cases_end();
}
