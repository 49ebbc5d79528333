// Counting joints: parameters left and equations of each kind, as in the course; loops by rank.
// SPDX-License-Identifier: MIT
#include "geometry/explanation.h"
#include "support/cases.h"
#include "support/motion.h"
#include <stdio.h>
#include <string.h>

static void check(const char* what, const char* name, int got, int want) {
    if (cases_count(got == want)) return;
    printf("%s: %s is %d, not %d\n", what, name, got, want);
}

typedef struct Count {
    int l, c, configurations, states;   // of the whole
    int equations, alone, independent;  // of the last joint
    int parameters, velocities;
    int workless, conserved;  // no joint does work; nothing does
} Count;

static Count count_of(const char* text) {
    Count count = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    LiaExplanation e;
    LiaStatus status = lia_model_parse("count", text, strlen(text), NULL, diags, &model);
    if (status == LIA_OK) status = lia_system_build(model, NULL, diags, &system);
    if (status == LIA_OK) {
        status = lia_explanation_make(system, &(LiaExplanationAsk){0}, diags, &e);
        const LiaClassification* c = &e.classes;
        if (status == LIA_OK && c->l_at_start == c->l) {
            uint32_t last = 0;
            for (uint32_t i = 0; i < model->constraints_count; i++) {
                if (model->constraints[i].joint) last = i;
            }
            const LiaConstraintClass* joint = &c->constraints[last];
            count = (Count){.l = (int)c->l,
                            .c = (int)c->c,
                            .configurations = (int)(c->dimensions.M - c->l),
                            .states = (int)c->dimensions.C,
                            .equations = (int)joint->equations,
                            .alone = (int)joint->alone,
                            .independent = (int)joint->independent,
                            .workless = true,
                            .conserved = c->energy_conserved};
            for (uint32_t i = 0; i < model->constraints_count; i++) {
                if (!c->constraints[i].workless) count.workless = false;
            }
            if (model->constraints[last].joint) {
                count.parameters = (int)(model->constraints[last].joint->freedom -
                                         model->constraints[last].joint->taken);
                count.velocities = (int)model->constraints[last].joint->velocities;
            }
        }
        lia_explanation_clear(&e);
    }
    if (status != LIA_OK) {
        char* said = lia_diags_text(diags);
        printf("%s\n%s\n", text, said);
        lia_free(said);
    }
    lia_system_destroy(system);
    lia_model_destroy(model);
    lia_diags_destroy(diags);
    return count;
}

// Two free bodies: 12 parameters, and the joint takes its equations.
static void pair(const char* joint, int parameters) {
    char text[600];
    snprintf(
        text, sizeof text,
        "body a: mass 1, inertia [1, 1.1, 1.2], free\nbody b: mass 2, inertia [1, 1.1, 1.3], free\n"
        "function sheet(x, y, z) = z - x^2 - y\nfunction wire(x, y, z) = [z - x^2, y - "
        "x]\nfunction "
        "bow(s) = [s, s^2, 1]\n"
        "joint j: %s\nstart a.attitude = rotx(0.3)*rotz(0.2), b.position ~ [0.3, 0.2, 0.1]\nrun t "
        "= 0..1\n",
        joint);
    Count c = count_of(text);
    int equations = 6 - parameters;
    check(joint, "equations", c.equations, equations);
    check(joint, "parameters", c.parameters, parameters);
    check(joint, "independent", c.independent, equations);
    check(joint, "alone", c.alone, equations);
    check(joint, "l", c.l, equations);
    check(joint, "configurations", c.configurations, 12 - equations);
    check(joint, "states", c.states, 24 - 2 * equations);
}

// A pair that rolls: what it leaves of the positions, and of the velocities, by rank too.
static void rolls(const char* joint, int parameters, int velocities) {
    char text[600];
    snprintf(text, sizeof text,
             "body a: mass 1, inertia [1, 1.1, 1.2], free\n"
             "body b: mass 2, inertia [1, 1.1, 1.3], free\njoint j: %s\n"
             "start a.attitude = rotx(0.3)*rotz(0.2), b.position ~ [0.3, 0.2, 0.1]\n"
             "run t = 0..1\n",
             joint);
    Count c = count_of(text);
    check(joint, "parameters", c.parameters, parameters);
    check(joint, "velocities", c.velocities, velocities);
    check(joint, "6 - alone", 6 - c.alone, velocities);
    check(joint, "configurations", c.configurations, 6 + parameters);
    check(joint, "states", c.states, 12 + parameters + velocities);
}

int main(void) {
    rolls("rolling(sphere(a, 0.3), plane(b normal [0, 0, 1]))", 5, 3);
    rolls("pure_rolling(ellipsoid(a, [0.3, 0.2, 0.4]), plane(b normal [0, 0, 1]))", 5, 2);
    rolls("pivoting(sphere(a, 0.3), sphere(b, 0.2))", 5, 1);
    rolls("rolling(cylinder(a, 0.3), plane(b normal [0, 0, 1]))", 4, 1);
    rolls("rolling(cylinder(a, 0.3), cylinder(b, 0.4))", 3, 1);
    rolls("rolling(cone(a, 0.3), cone(b, 0.4))", 2, 1);
    rolls("touching(sphere(a, 0.3), sphere(b, 0.2))", 5, 5);

    pair("fixed(a at [1, 0, 0], b at [0, 1, 0])", 0);
    pair("revolute(a at [1, 0, 0] axis [0, 1, 1], b at [0, 1, 0] axis [1, 0, 0])", 1);
    pair("prismatic(a at [1, 0, 0] axis [0, 1, 1], b at [0, 1, 0] axis [1, 0, 0])", 1);
    pair("screw(a at [1, 0, 0] axis [0, 1, 1], b at [0, 1, 0] axis [1, 0, 0], pitch 0.2)", 1);
    pair("cylindrical(a at [1, 0, 0] axis [0, 1, 1], b at [0, 1, 0] axis [1, 0, 0])", 2);
    pair("universal(a at [1, 0, 0] axis [0, 1, 1], b at [0, 1, 0] axis [1, 0, 0])", 2);
    pair("spherical(a at [1, 0, 0], b at [0, 1, 0])", 3);
    pair("tip(a at [1, 0, 0], b at [0, 1, 0])", 3);
    pair("planar(a at [1, 0, 0] axis [0, 1, 1], b at [0, 1, 0] axis [1, 0, 0])", 3);

    pair("on_surface(a at [1, 0, 0], b at [0, 1, 0] surface sheet)", 5);
    pair("tip(a at [1, 0, 0], b at [0, 1, 0] surface sheet)", 5);
    pair("on_curve(a at [1, 0, 0], b at [0, 1, 0] curve wire)", 4);

    pair("on_curve(a at [1, 0, 0], b at [0, 1, 0] curve bow)", 4);
    pair("tip(a at [1, 0, 0], b at [0, 1, 0] curve bow)", 4);

    pair("touching(cylinder(a, 0.3), cylinder(b, 0.4))", 3);
    pair("touching(cone(a, 0.3), cone(b, 0.4))", 3);
    pair("touching(cylinder(a, 0.3), cone(b, 0.4))", 3);
    pair("touching(cone(a, 0.3), plane(b normal [0, 0, 1]))", 4);

    // a plane loop: the last hinge adds 2 of its 5 equations
    Count loop = count_of(
        "body a: mass 1, inertia 1, free\nbody b: mass 1, inertia 1, free\n"
        "joint o: revolute(ground axis [0, 1, 0], a at [0, 0, 0.5] axis [0, 1, 0])\n"
        "joint p: revolute(a at [0, 0, -0.5] axis [0, 1, 0], b at [0, 0, 0.5] axis [0, 1, 0])\n"
        "joint q: planar(ground axis [0, 1, 0], b axis [0, 1, 0])\nrun t = 0..1\n");
    check("plane chain", "independent", loop.independent, 0);
    check("plane chain", "alone", loop.alone, 3);
    check("plane chain", "configurations", loop.configurations, 2);

    // Three like cranks under one beam move together; put together in other ways they are stiff.
    // What counts is the way they start in.
    Count cranks =
        count_of("body crank[i = 1..3]: mass 1, inertia [0.1, 0.1, 0.01], free\n"
                 "body beam: mass 2, inertia [0.01, 0.6, 0.6], free\ngravity [0, 0, -9.81]\n"
                 "joint foot[i = 1..3]: revolute(ground at [i - 2, 0, 0] axis [0, 1, 0], crank[i] "
                 "at [0, 0, -0.5] axis [0, 1, 0])\n"
                 "joint head[i = 1..3]: revolute(crank[i] at [0, 0, 0.5] axis [0, 1, 0], beam at "
                 "[i - 2, 0, 0] axis [0, 1, 0])\n"
                 "start crank[i = 1..3].attitude = roty(0.5)\nrun t = 0..5\n");
    check("three cranks", "l", cranks.l, 23);
    check("three cranks", "configurations", cranks.configurations, 1);
    check("three cranks", "states", cranks.states, 2);
    check("three cranks", "workless", cranks.workless, true);
    check("three cranks", "energy conserved", cranks.conserved, true);

    // Nothing can move: what little velocities rounding leaves do no work.
    Count frame = count_of(
        "body a: mass 1, inertia [1, 1.1, 1.2], free\nbody b: mass 1, inertia [1, 1.1, 1.2], free\n"
        "gravity [0, 0, -9.81]\njoint j: fixed(ground, a at [0.3, 0.1, 0])\n"
        "joint k: revolute(a at [1, 0, 0] axis [0, 1, 0], b axis [0, 1, 0])\n"
        "joint l: revolute(ground at [0.9, 0.1, -0.7] axis [0, 1, 0], b at [0.2, 0.2, -0.7] axis "
        "[0, 1, 0])\n"
        "run t = 0..1\n");
    check("frame", "l", frame.l, 12);
    check("frame", "states", frame.states, 0);
    check("frame", "workless", frame.workless, true);
    check("frame", "energy conserved", frame.conserved, true);

    // A belt that runs does work, slow as it may be; one without a load has no force.
    Count belt = count_of("coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential x^2\n"
                          "constraint belt: x - y = 1e-12*t\nrun t = 0..1\n");
    check("belt", "energy conserved", belt.conserved, false);
    belt = count_of("coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"
                    "constraint belt: x - y = 1e-6*t\nrun t = 0..1\n");
    check("belt", "energy conserved", belt.conserved, true);

    // a kinematic equation beside a joint: 12k - 2l - c
    Count knife =
        count_of("body b: mass 1, inertia 1, free\n"
                 "joint ice: planar(ground axis [0, 0, 1], b axis [0, 0, 1])\n"
                 "constraint blade: dot(b.velocity, axis(b, [0, 1, 0])) = 0\nrun t = 0..1\n");
    check("knife", "l", knife.l, 3);
    check("knife", "c", knife.c, 1);
    check("knife", "configurations", knife.configurations, 3);
    check("knife", "states", knife.states, 5);

    // a point in a joint has three parameters
    Count bob = count_of(
        "coordinate r : space\nbody p: mass 1, position r\nbody b: mass 1, inertia 1, free\n"
        "joint j: spherical(b at [0, 0, 1], p)\nrun t = 0..1\n");
    Count bead =
        count_of("coordinate r : space\nbody p: mass 1, position r\nfunction f(x, y, z) = z - x^2\n"
                 "joint j: on_surface(p, ground surface f)\nrun t = 0..1\n");
    check("bead", "parameters", bead.parameters, 2);
    check("bead", "configurations", bead.configurations, 2);
    check("bob", "parameters", bob.parameters, 0);
    check("bob", "configurations", bob.configurations, 6);
    return cases_end();
}
