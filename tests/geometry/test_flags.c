// Growth vectors, derived flags and integrals against what is known of the distributions of the
// books.
// SPDX-License-Identifier: MIT
#include "expr/reading/formula_text.h"
#include "scene.h"
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(bool ok, const char* name, const char* what) {
    if (cases_count(ok)) return;
    printf("%s: %s\n", name, what);
}

static Scene scene_of(const char* name, const char* text) {
    return scene_explain(name, text, &(LiaExplanationAsk){0});
}

static void text_of(const LiaGrowth* growth, char* out, size_t room) {
    size_t used = 0;
    for (uint32_t i = 0; i < growth->steps; i++) {
        used += (size_t)snprintf(out + used, room - used, "%s%u", i ? " " : "", growth->rank[i]);
    }
    if (!growth->ended) snprintf(out + used, room - used, " ...");
}

static void grows(const char* name, const char* what, const LiaGrowth* growth, const char* want) {
    char got[100] = "";
    text_of(growth, got, sizeof got);
    if (strcmp(got, want) != 0) printf("%s: %s is (%s), not (%s)\n", name, what, got, want);
    check(strcmp(got, want) == 0, name, what);
}

typedef struct Case {
    const char *name, *text, *lie, *derived;
    uint32_t integrable;
    const char* integral;  // NULL: none is expected; "": one without a formula
    bool time;
} Case;

#define SPACE  "coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
#define SPACE4 "coordinate x, y, z, w : line\nkinetic (x'^2 + y'^2 + z'^2 + w'^2)/2\n"

static const Case cases[] = {
    {"contact", SPACE "constraint c: z' = y*x'\n", "2 3", "2 3", 0, NULL, false},
    {"exact", SPACE "constraint c: y*x' + x*y' = z'\n", "2", "2", 1, "x*y - z", false},
    {"a factor", SPACE "constraint c: y*z' = z*x'*y - z*y'\n", "2", "2", 1,
     "x - 1/2*log(y^2) - 1/2*log(z^2)", false},
    {"a factor of one variable", SPACE "constraint c: z' = z*cos(x)*x' + sin(y)*exp(sin(x))*y'\n",
     "2", "2", 1, "cos(y) + z/exp(sin(x))", false},
    {"no formula", SPACE "constraint c: z' = exp(x^2)*x' + y*y'\n", "2", "2", 1, "", false},
    {"sines", SPACE "constraint c: z' = cos(x + 2*y)*(x' + 2*y')\n", "2", "2", 1,
     "z - sin(x + 2*y)", false},
    {"Engel", SPACE4 "constraint a: y' = z*x'\nconstraint b: z' = w*x'\n", "2 3 4", "2 3 4", 0,
     NULL, false},
    {"a combination", SPACE4 "constraint a: z' - y*x' + w' = 0\nconstraint b: z' - y*x' - w' = 0\n",
     "2 3", "2 3", 1, "2*w", false},
    {"a part", SPACE4 "constraint a: z' = y*x'\nconstraint b: w' = x*x'\n", "2 3", "2 3", 1,
     "w - 1/2*x^2", false},
    {"affine", "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\nconstraint c: x' = y + 1\n", "2 3",
     "2 3", 0, NULL, true},
    {"driven", "coordinate x, y : line\nkinetic x'^2 + y'^2\noperator o: x' = sin(t) + 2*y*y'\n",
     "2", "2", 1, "x + cos(t) - y^2", true},
    {"geometric beside", SPACE4 "constraint g: w = x^2\nconstraint c: z' = y*x'\n", "2 3", "2 3", 0,
     NULL, false},
    {"rolling disk",
     "coordinate x, y : line\ncoordinate th, ph : circle\nkinetic x'^2 + y'^2 + th'^2 + ph'^2\n"
     "constraint roll: x' = ph'*cos(th), y' = ph'*sin(th)\n",
     "2 3 4", "2 3 4", 0, NULL, false},
    {"rolling sphere",
     "coordinate x, y : line\ncoordinate R : rotation\n"
     "body b: mass 1, inertia 0.4, position [x, y, 1], attitude R\n"
     "constraint roll: [x', y'] = [omega(R).y, -omega(R).x]\n",
     "3 5", "3 5", 0, NULL, false},
    {"rolling sphere that does not pivot",
     "coordinate x, y : line\ncoordinate R : rotation\n"
     "body b: mass 1, inertia 0.4, position [x, y, 1], attitude R\n"
     "constraint roll: [x', y'] = [omega(R).y, -omega(R).x]\n"
     "constraint pivot: omega(R).z = 0\n",
     "2 3 5", "2 3 5", 0, NULL, false},
    {"car",
     "coordinate x, y : line\ncoordinate th, ph : circle\n"
     "kinetic (x'^2 + y'^2 + th'^2 + ph'^2)/2\n"
     "constraint rear: x'*sin(th) - y'*cos(th) = 0\n"
     "constraint front: x'*sin(th + ph) - y'*cos(th + ph) - th'*cos(ph) = 0\nstart ph = 0.3\n",
     "2 3 4", "2 3 4", 0, NULL, false},
    {"no direction left", "coordinate x : line\nkinetic x'^2\nconstraint a: x*x' + x' = 0\n", "0",
     "0", 1, "x + 1/2*x^2", false},
};

static void known_distributions(void) {
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const Case* c = &cases[k];
        Scene s = scene_of(c->name, c->text);
        const LiaFlag* f = &s.e.classes.flag;
        check(f->known, c->name, f->why ? f->why : "not known");
        grows(c->name, "growth vector", &f->lie, c->lie);
        grows(c->name, "derived flag", &f->derived, c->derived);
        check(f->integrable == c->integrable, c->name, "integrable part");
        check(f->time == c->time, c->name, "time");
        check(f->combinations == (c->integral ? 1u : 0u), c->name, "combinations");
        if (c->integral && f->combinations == 1) {
            LiaText text = {0};
            if (f->integral[0].index) lia_formula_text(s.e.geometry->graph, f->integral[0], &text);
            bool same = text.data ? strcmp(text.data, c->integral) == 0 : c->integral[0] == 0;
            check(same, c->name, text.data ? text.data : "no formula");
            lia_text_clear(&text);
        }
        check(c->integrable || f->margin > 1e-3, c->name, "margin");
        // the bracket on D is Poisson exactly where all is holonomic: two ways to the same verdict
        if (f->bracket.known && !f->time) {
            check(f->bracket.poisson == (f->integrable == f->kinematic), c->name, "Poisson");
        }
        scene_clear(&s);
    }
}

// --- leaves by quadrature -----------------------------------------------------------------------

// Functions without a formula, kept along a motion: found again from its positions by another way.
static const struct {
    const char *name, *text;
    uint32_t count;
    const char* coordinate;  // the last of them
    double value;
} leaves[] = {
    {"a closed form",
     SPACE "potential x^2 + y + z^2/2\nconstraint c: z' = exp(x^2)*x' + y*y'\n"
           "start x = 0.2, y = 0.1, z = 0.4, x' = 0.3, y' = 0.5\nrun t = 0..3\n",
     1, "z", 0.4},
    {"a factor",
     SPACE "potential x^2 + y + z^2/2\nconstraint c: z' = exp(x^2)*z*x' + y*z*y'\n"
           "start x = 0.2, y = 0.1, z = 1, x' = 0.3, y' = 0.5\nrun t = 0..3\n",
     1, "z", 1.0},
    {"two variables",
     "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential y^2/2 + x\n"
     "constraint c: y' = (sin(x*y) + 2)*x'\nstart x = 0.3, y = 0.2, x' = 0.4\nrun t = 0..2\n",
     1, "x", 0.3},
    {"one of two, the coefficients depend on the position",
     SPACE4 "potential x^2 + y + z^2/2 + w^2\n"
            "constraint a: (z' - y*x')*cos(x) + (w' - x*exp(x*w)*x') = 0\n"
            "constraint b: (z' - y*x')*(2 + x^2) - y*(w' - x*exp(x*w)*x') = 0\n"
            "start x = 0.2, y = 0.1, z = 1, w = 0.3, x' = 0.3, y' = 0.5\nrun t = 0..1.5\n",
     1, "w", 0.3},
    {"both of two",
     SPACE4 "potential x^2 + y^2 + z^2/2 + w^2\n"
            "let f = z' - exp(x^2*y)*(2*x*y*x' + x^2*y'), g = w' - w*sin(x*z)*(z*x' + x*z')\n"
            "constraint a: f*cos(x) + g = 0\nconstraint b: f*(2 + x^2) - y*g = 0\n"
            "start x = 0.2, y = 0.1, z = 1, w = 0.3, x' = 0.3, y' = 0.5\nrun t = 0..3\n",
     2, "z", 1.0},
    {"time, and an operator",
     SPACE "potential y^2 + z\noperator o: x = sin(t)\n"
           "constraint c: z' = z*exp(-t^2) + z*x' + exp(-y^2)*z*y'\n"
           "start z = 1.5, y = 0.1, y' = 0.5, x' = 1\nrun t = 0..2\n",
     1, "z", 1.5},
    {"a geometric equation beside it",
     SPACE4 "potential x^2 + y^2\nconstraint g: w = x^2 + y\nconstraint c: z' = exp(w^2)*z*w'\n"
            "start x = 0.2, y = 0.3, w = 0.34, z = 0.7, x' = 1\nrun t = 0..2\n",
     1, "z", 0.7},
    {"an attitude",
     "coordinate s : line\ncoordinate R : rotation\n"
     "body b: mass 1, inertia [1, 2, 3], position [0, 0, s], attitude R\nlet n = R*[0, 0, 1]\n"
     "constraint c: s' = s*exp(n.z^2)*n.z'\n"
     "start s = 0.8, omega(R) = [0.5, 0.3, 1]\nrun t = 0..1\n",
     1, "s", 0.8},
};

static void leaves_by_quadrature(void) {
    for (size_t k = 0; k < sizeof leaves / sizeof *leaves; k++) {
        const char* name = leaves[k].name;
        Scene s = scene_of(name, leaves[k].text);
        const LiaFlag* f = &s.e.classes.flag;
        const LiaLeaf* leaf = &f->leaf;
        check(f->known && !f->proved, name, "is not proved by a formula");
        check(leaf->known && leaf->count == leaves[k].count, name, "functions");
        if (leaf->known) {
            uint32_t last = leaf->count - 1;
            const char* own = s.e.system->model->coordinates[leaf->coordinate[last]].name;
            if (strcmp(own, leaves[k].coordinate) != 0) printf("%s: %s\n", name, own);
            check(strcmp(own, leaves[k].coordinate) == 0, name, "coordinate");
            check(leaf->value[last] == leaves[k].value, name, "value");
            check(leaf->positions >= 12, name, "positions");
            if (!(leaf->drift < 1e-14)) printf("%s: drift %g\n", name, leaf->drift);
            check(leaf->drift < 1e-14, name, "drift");
            check(leaf->back[last] != 0.0 && leaf->t > 0.5, name, "how far");
        }
        scene_clear(&s);
    }
    Scene s = scene_of("nothing is kept", SPACE "constraint c: z' = y*x'\nstart x' = 1\n");
    check(!s.e.classes.flag.leaf.known, "nothing is kept", "leaf");
    scene_clear(&s);
    s = scene_of("a formula", SPACE "constraint c: y*x' + x*y' = z'\nstart x' = 1, y = 1\n");
    check(s.e.classes.flag.proved, "a formula", "is the proof");
    scene_clear(&s);
}

// A car with n trailers, hitched at the middle of the axles.
static void trailers(int n, const char* start, char* text, size_t room) {
    size_t used = (size_t)snprintf(text, room, "coordinate x, y : line\ncoordinate t0");
    for (int i = 1; i <= n; i++) {
        used += (size_t)snprintf(text + used, room - used, ", t%d", i);
    }
    used += (size_t)snprintf(text + used, room - used, " : circle\nkinetic x'^2 + y'^2");
    for (int i = 0; i <= n; i++) {
        used += (size_t)snprintf(text + used, room - used, " + t%d'^2", i);
    }
    for (int i = 0; i <= n; i++) {
        used += (size_t)snprintf(text + used, room - used,
                                 "\nconstraint c%d: x'*sin(t%d) - y'*cos(t%d)", i, i, i);
        for (int j = 1; j <= i; j++) {
            used += (size_t)snprintf(text + used, room - used, " + t%d'*cos(t%d - t%d)", j, i, j);
        }
        used += (size_t)snprintf(text + used, room - used, " = 0");
    }
    snprintf(text + used, room - used, "\nstart %s\n", start);
}

static void trailers_grow_one_by_one(void) {
    static const char* const growth[] = {"2 3 4", "2 3 4 5", "2 3 4 5 6", "2 3 4 5 6 7",
                                         "2 3 4 5 6 7 8"};
    for (int n = 1; n <= 5; n++) {
        char text[3000];
        trailers(n, "t0 = 0.1, t1 = 0.35", text, sizeof text);
        Scene s = scene_of("trailers", text);
        grows("trailers", "growth vector", &s.e.classes.flag.lie, growth[n - 1]);
        if (n <= 3) grows("trailers", "derived flag", &s.e.classes.flag.derived, growth[n - 1]);
        scene_clear(&s);
    }
}

// The first trailer across the car: the Lie flag stalls for a step, the derived flag does not see
// it.
static void the_jackknife(void) {
    char text[3000];
    trailers(2, "t0 = pi/2, t1 = 0, t2 = 0", text, sizeof text);
    Scene s = scene_of("jackknife", text);
    const LiaFlag* f = &s.e.classes.flag;
    grows("jackknife", "growth vector", &f->lie, "2 3 4 5");
    check(f->has_start, "jackknife", "start");
    grows("jackknife", "growth vector at the start", &f->start_lie, "2 3 4 4 5");
    grows("jackknife", "derived flag at the start", &f->start_derived, "2 3 4 5");
    scene_clear(&s);
}

// One form of two that is closed on the distribution, and yet has no integral: the derived system
// decides.
static void closed_is_not_enough(void) {
    Scene s = scene_of("closed on D", "coordinate x, y, u, v : line\n"
                                      "kinetic x'^2 + y'^2 + u'^2 + v'^2\n"
                                      "constraint a: y' = u*x'\nconstraint b: u' = v*x'\n");
    for (uint32_t c = 0; c < s.e.classes.constraint_count; c++) {
        check(s.e.classes.constraints[c].holonomic == LIA_NO, "closed on D", "holonomic");
    }
    scene_clear(&s);
}

// What is said to be kept is kept.
static void integrals_are_kept(void) {
    Motion m = motion_of("model kept\ncoordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                         "potential x^2 + y^2 + z^2\nconstraint c: y*x' + x*y' = z'\n"
                         "observe f = x*y - z\nstart x = 1, y = 0.3, z = 0.2, x' = 0.4\n"
                         "run t = 0..20\n",
                         NULL);
    check(fabs(motion_final(&m, "f") - 0.1) < 1e-13, "kept", "x*y - z");
    motion_clear(&m);
}

// Far from everything no direction is seen: that is not a rank.
static void out_of_range(void) {
    Scene s = scene_of("far", "body ball: mass 1, inertia 0.004, free\n"
                              "joint roll: rolling(sphere(ball, 0.1), inside(cone(ground, pi/4)))\n"
                              "start ball.position = [1e16, 0, 1], ball.position' = [0, 2, 0]\n");
    check(!s.e.classes.flag.known, "far", "known");
    check(s.e.classes.flag.why != NULL, "far", "no reason");
    scene_clear(&s);
}

// --- the bracket on D --------------------------------------------------------------------------

static bool near(double got, double want) { return fabs(got - want) < 1e-14; }

static void brackets_of_known_systems(void) {
    const char* name = "z' = y x'";
    Scene s = scene_of(name, SPACE "constraint c: z' = y*x'\nstart y = 0.5, x' = 1, y' = 0.3\n");
    const LiaPseudoPoisson* b = &s.e.classes.flag.bracket;
    check(b->known && b->count == 2 && b->pairs == 1, name, "two fields");
    check(strcmp(b->field[0], "x' = 1, z' = y") == 0, name, b->field[0]);
    check(strcmp(b->field[1], "y' = 1") == 0, name, b->field[1]);
    check(strcmp(b->bracket[0], "(y/(y^2 + 1))*P1") == 0, name, b->bracket[0]);
    check(near(b->part[0], 0.4) && near(b->part[1], 0), name, "coefficients");
    check(near(b->jacobiator[0], 0.4) && near(b->jacobiator[1], 0), name, "Jacobiator x, y");
    check(near(b->jacobiator[2], -0.8), name, "Jacobiator z");
    check(!b->poisson && b->motion, name, "verdicts");
    scene_clear(&s);
    name = "skater";
    s = scene_of(name,
                 "coordinate x, y : line\ncoordinate th : circle\n"
                 "kinetic 30*(x'^2 + y'^2) + 3/2*th'^2\n"
                 "constraint blade: x'*sin(th) - y'*cos(th) = 0\nstart th = 0.4, th' = 0.3\n");
    b = &s.e.classes.flag.bracket;
    check(b->known && strcmp(b->field[0], "x' = cos(th), y' = sin(th)") == 0, name, "field");
    check(b->known && strcmp(b->bracket[0], "0") == 0, name, "bracket");
    check(near(b->jacobiator[0], sin(0.4)), name, "Jacobiator x");
    check(near(b->jacobiator[1], -cos(0.4)) && near(b->jacobiator[2], 0), name, "Jacobiator y");
    check(!b->poisson && b->motion, name, "verdicts");
    scene_clear(&s);
    name = "z' = c";
    s = scene_of(name, SPACE "constraint c: z' = 0.7\nstart x' = 1, y' = 0.3\n");
    b = &s.e.classes.flag.bracket;
    check(b->known && b->poisson && !b->motion, name, "verdicts");
    check(near(b->missing[0], 0) && near(b->missing[1], 0) && near(b->missing[2], 0.7), name,
          "the missing term");
    scene_clear(&s);
    // affine: what counts is the linear part, dx, which is holonomic though x' = y is not
    name = "x' = y";
    s = scene_of(name, SPACE "constraint c: x' = y\nstart y = 0.6, y' = 0.3\n");
    b = &s.e.classes.flag.bracket;
    check(b->known && b->poisson && !b->motion, name, "verdicts");
    check(s.e.classes.flag.integrable == 0, name, "not holonomic");
    check(near(b->missing[0], 0.6) && near(b->missing[1], 0), name, "the missing term");
    scene_clear(&s);
    // p has the part of the velocity that the equation asks for: <p, [X_1, X_2]> has a constant
    name = "z' = y x' + 0.7 x";
    s = scene_of(name, SPACE "constraint c: z' = y*x' + 0.7*x\nstart x = 0.4, y = 1, y' = 0.3\n");
    b = &s.e.classes.flag.bracket;
    check(b->known && !b->poisson && !b->motion, name, "verdicts");
    check(near(fabs(b->part[0]) + fabs(b->part[1]), 0.5), name, "coefficients");
    check(near(fabs(b->constant[0]), 0.14), name, "the constant");
    check(near(b->missing[0], -0.14) && near(b->missing[2], 0.14), name, "the missing term");
    scene_clear(&s);
    name = "holonomic";
    s = scene_of(name, SPACE "constraint c: y*x' + x*y' = z'\nstart x = 0.5, y = 0.7, x' = 1\n");
    b = &s.e.classes.flag.bracket;
    check(b->known && b->poisson && b->motion, name, "verdicts");
    for (int i = 0; i < 3; i++) check(near(b->jacobiator[i], 0), name, "Jacobiator");
    scene_clear(&s);
}

int main(void) {
    brackets_of_known_systems();
    known_distributions();
    leaves_by_quadrature();
    out_of_range();
    trailers_grow_one_by_one();
    the_jackknife();
    closed_is_not_enough();
    integrals_are_kept();
    return cases_end();
}
