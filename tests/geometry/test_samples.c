// The states that verdicts are looked at: those that motions reach where the rank of the equations
// is less than around them.
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

#define SAME(got, want) check((int)(got) == (int)(want), #got, (double)(got))

static Scene plain(const char* name, const char* text) {
    model = name;
    return scene_explain(name, text, &(LiaExplanationAsk){0});
}

// --- ranks ---------------------------------------------------------------------------------------

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

int main(void) {
    a_rank_that_drops_on_the_leaf_of_the_start();
    a_driven_crank_with_no_state_around_it();
    return cases_end();
}
