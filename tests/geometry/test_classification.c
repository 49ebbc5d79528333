// What the models of the theory page are: each verdict as the page's table has it.
// SPDX-License-Identifier: MIT
#include "expr/reading/formula_text.h"
#include "scene.h"
#include "support/cases.h"
#include "support/file.h"
#include "support/motion.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* model;

static void check(bool ok, const char* name, const char* what, double got) {
    if (cases_count(ok)) return;
    printf("%s: %s: %s is %g\n", model, name, what, got);
}

#define SAME(name, got, want) check((got) == (want), name, #got, (double)(got))
#define NEAR(name, got, want) check(fabs((got) - (want)) <= 1e-12, name, #got, got)

static Scene scene_of(const char* name, const char* text, bool at_start) {
    model = name;
    return scene_explain(name, text, &(LiaExplanationAsk){.at_start = at_start});
}

static Scene scene_of_file(const char* path) {
    char* text = file_text(path);
    Scene s = scene_of(path, text ? text : "", false);
    free(text);
    return s;
}

static void dimensions(const Scene* s, unsigned M, unsigned S, unsigned C, unsigned W,
                       unsigned VstarM, unsigned positions, unsigned velocities) {
    const LiaClassification* c = &s->e.classes;
    SAME("", c->dimensions.M, M);
    SAME("", c->dimensions.S, S);
    SAME("", c->dimensions.C, C);
    SAME("", c->dimensions.D, C);
    SAME("", c->dimensions.W, W);
    SAME("", c->dimensions.VstarM, VstarM);
    SAME("", c->positions, positions);
    SAME("", c->velocities, velocities);
}

typedef struct Expected {
    const char* name;
    bool geometric;
    LiaLinearity linearity;
    LiaForceSpace force;
    LiaVerdict holonomic, perfect, hamiltonian;
    bool active, workless;
    unsigned equations, independent;
} Expected;

static void is(const Scene* s, Expected x) {
    const LiaConstraintClass* c = scene_constraint(s, x.name);
    SAME(x.name, c->geometric, x.geometric);
    SAME(x.name, c->linearity, x.linearity);
    SAME(x.name, c->force, x.force);
    SAME(x.name, c->holonomic, x.holonomic);
    SAME(x.name, c->perfect, x.perfect);
    SAME(x.name, c->hamiltonian, x.hamiltonian);
    SAME(x.name, c->active, x.active);
    SAME(x.name, c->workless, x.workless);
    SAME(x.name, c->equations, x.equations);
    SAME(x.name, c->independent, x.independent);
}

static void shows(const Scene* s, const char* name, LiaExpr f, const char* want) {
    LiaText text = {0};
    if (f.index) lia_formula_text(s->e.geometry->graph, f, &text);
    bool same = text.data ? strcmp(text.data, want) == 0 : *want == 0;
    if (!same) printf("%s\n", text.data ? text.data : "(none)");
    check(same, name, want, 0);
    lia_text_clear(&text);
}

static void skater(void) {
    Scene s = scene_of_file("examples/skater/skater.lia");
    dimensions(&s, 4, 1, 7, 1, 7, 3, 2);
    is(&s, (Expected){"blade", false, LIA_LINEAR, LIA_FORCE_IDEAL, LIA_NO, LIA_UNKNOWN, LIA_UNKNOWN,
                      false, true, 1, 1});
    is(&s, (Expected){"twist", true, LIA_AFFINE, LIA_FORCE_IDEAL, LIA_YES, LIA_YES, LIA_YES, true,
                      false, 1, 1});
    SAME("twist", scene_constraint(&s, "twist")->eliminated, true);
    SAME("", s.e.classes.regular, true);
    NEAR("", s.e.classes.regularity, 1.0);
    SAME("", s.e.classes.energy_conserved, false);
    check(strstr(s.e.classes.energy_law, "power(twist)") != NULL, "", s.e.classes.energy_law, 0);
    const LiaSymmetryClass* turn = &s.e.classes.symmetries[0];
    SAME("turn", turn->lagrangian, LIA_INVARIANT_EVERYWHERE);
    SAME("turn", turn->first_type, false);
    SAME("turn", turn->second_type, true);
    SAME("turn", turn->constant, true);
    NEAR("turn", turn->defect, 0.0);
    shows(&s, "A", s.e.formulas.A[2], "I2/(I1 + I2)");
    shows(&s, "force(blade)", s.e.formulas.force[0], "-m*(cos(theta)*x' + sin(theta)*y')*theta'");
    shows(&s, "force(twist)", s.e.formulas.force[1], "I2*(theta'' + s'')");
    scene_clear(&s);
}

static void edge(void) {
    Scene s = scene_of_file("examples/edge/edge.lia");
    // a control moves the leaves C_s: C is their union, S the values of the control, W the forces
    // of both
    dimensions(&s, 3, 1, 5, 2, 6, 3, 1);
    is(&s, (Expected){"blade", false, LIA_LINEAR, LIA_FORCE_IDEAL, LIA_NO, LIA_UNKNOWN, LIA_UNKNOWN,
                      false, true, 1, 1});
    is(&s, (Expected){"track", false, LIA_LINEAR, LIA_FORCE_IDEAL, LIA_NO, LIA_NO, LIA_YES, true,
                      true, 1, 1});
    SAME("", s.e.classes.energy_conserved, true);  // linear leaves: whatever the operator does
    scene_clear(&s);
}

static void discs(void) {
    static const char* const head = "parameter A1 = 1, A2 = 2, k = 3\n"
                                    "coordinate th1, th2 : line\n"
                                    "kinetic A1/2*th1'^2 + A2/2*th2'^2\n"
                                    "potential k/2*th1^2\n"
                                    "start th1 = 1\n";
    char text[512];
    snprintf(text, sizeof text, "%soperator follow: th1 - th2 = 0 by d(th2)\n", head);
    Scene s = scene_of("discs by positions", text, false);
    dimensions(&s, 2, 1, 4, 0, 3, 1, 1);
    is(&s, (Expected){"follow", true, LIA_LINEAR, LIA_FORCE_GIVEN, LIA_YES, LIA_NO, LIA_YES, true,
                      false, 1, 1});
    shows(&s, "h", s.e.formulas.h[0], "0");
    SAME("", s.e.classes.energy_conserved, false);
    check(fabs(s.e.classes.regularity - sqrt(1.0 / 3.0)) < 1e-12, "", "regularity",
          s.e.classes.regularity);
    scene_clear(&s);

    snprintf(text, sizeof text, "%soperator follow: th2' = th1'\n", head);
    s = scene_of("discs by velocities", text, false);
    is(&s, (Expected){"follow", false, LIA_LINEAR, LIA_FORCE_GIVEN, LIA_YES, LIA_YES, LIA_YES, true,
                      false, 1, 1});
    shows(&s, "h", s.e.formulas.h[0], "p(th1)*p(th2)/A1");
    shows(&s, "force(follow)", s.e.formulas.force[0], "-k*A2*th1/A1");
    scene_clear(&s);

    snprintf(text, sizeof text, "%sconstraint follow: th1 - th2 = 0\n", head);
    s = scene_of("discs, the ideal twin", text, false);
    dimensions(&s, 2, 0, 2, 1, 4, 1, 1);
    is(&s, (Expected){"follow", true, LIA_LINEAR, LIA_FORCE_IDEAL, LIA_YES, LIA_YES, LIA_YES, false,
                      true, 1, 1});
    SAME("", s.e.classes.energy_conserved, true);
    scene_clear(&s);
}

static void sperry(void) {
    Scene s = scene_of_file("examples/sperry/sperry.lia");
    dimensions(&s, 3, 1, 6, 0, 5, 3, 2);
    is(&s, (Expected){"servo", false, LIA_AFFINE, LIA_FORCE_GIVEN, LIA_NO, LIA_YES, LIA_YES, true,
                      false, 1, 1});
    SAME("servo", scene_constraint(&s, "servo")->H0, LIA_YES);
    SAME("servo", scene_constraint(&s, "servo")->H, LIA_YES);
    scene_clear(&s);
    // without b the law integrates to alpha = a theta
    s = scene_of("sperry without b",
                 "coordinate alpha, theta : circle\n"
                 "kinetic alpha'^2 + theta'^2\n"
                 "operator servo: alpha' = 2*theta'\n",
                 false);
    is(&s, (Expected){"servo", false, LIA_LINEAR, LIA_FORCE_GIVEN, LIA_YES, LIA_YES, LIA_YES, true,
                      false, 1, 1});
    scene_clear(&s);
}

static void puck(void) {
    Scene s = scene_of_file("examples/puck/puck.lia");
    dimensions(&s, 3, 0, 4, 1, 6, 2, 2);
    is(&s, (Expected){"floor", true, LIA_LINEAR, LIA_FORCE_GIVEN, LIA_YES, LIA_NO, LIA_YES, false,
                      false, 1, 1});
    SAME("", s.e.classes.energy_conserved, false);
    scene_clear(&s);
    s = scene_of("frictionless",
                 "coordinate x, z : line\nkinetic x'^2 + z'^2\nconstraint floor: z = 0\n", false);
    is(&s, (Expected){"floor", true, LIA_LINEAR, LIA_FORCE_IDEAL, LIA_YES, LIA_YES, LIA_YES, false,
                      true, 1, 1});
    scene_clear(&s);
}

static void appell(void) {
    Scene s = scene_of_file("tests/refs/appell_full.lia");
    dimensions(&s, 5, 0, 7, 3, 10, 5, 2);
    is(&s, (Expected){"side", false, LIA_LINEAR, LIA_FORCE_IDEAL, LIA_NO, LIA_UNKNOWN, LIA_UNKNOWN,
                      false, true, 1, 1});
    is(&s, (Expected){"thread", false, LIA_LINEAR, LIA_FORCE_IDEAL, LIA_YES, LIA_NO, LIA_YES, false,
                      true, 1, 1});
    SAME("", s.e.classes.energy_conserved, true);
    scene_clear(&s);
    s = scene_of_file("tests/refs/appell_chetaev.lia");
    is(&s, (Expected){"thread", false, LIA_NONLINEAR, LIA_FORCE_CHETAEV, LIA_UNKNOWN, LIA_NO,
                      LIA_YES, false, true, 1, 1});  // homogeneous of degree 1: no work
    SAME("", s.e.classes.energy_conserved, true);
    scene_clear(&s);
    s = scene_of_file("tests/refs/speed_controlled_particle.lia");
    is(&s, (Expected){"speed", false, LIA_NONLINEAR, LIA_FORCE_CHETAEV, LIA_UNKNOWN, LIA_UNKNOWN,
                      LIA_UNKNOWN, true, false, 1, 1});
    SAME("", s.e.classes.energy_conserved, false);
    scene_clear(&s);
}

// [M]-ideal and [D]-perfect disagree: rolling in the plane, written with x' on the left.
static void rolling(void) {
    Scene s = scene_of("rolling",
                       "coordinate x, y : line\ncoordinate th, ph : circle\n"
                       "kinetic x'^2 + y'^2 + th'^2 + ph'^2\n"
                       "constraint roll: x' = ph'*cos(th), y' = ph'*sin(th)\n"
                       "symmetry along: x' = 1\n"
                       "symmetry turn: th' = 1, x' = -y, y' = x\n"
                       "symmetry steer: th' = 1\n",
                       false);
    dimensions(&s, 4, 0, 6, 2, 8, 4, 2);
    is(&s, (Expected){"roll", false, LIA_LINEAR, LIA_FORCE_IDEAL, LIA_NO, LIA_NO, LIA_YES, false,
                      true, 2, 2});
    const LiaSymmetryClass* k = s.e.classes.symmetries;
    SAME("along", k[0].lagrangian,
         LIA_INVARIANT_EVERYWHERE);  // carried along, and yet not conserved
    SAME("along", k[0].first_type, true);
    SAME("along", k[0].second_type, false);
    SAME("along", k[0].constant, false);
    check(k[0].defect > 0.0, "along", "defect", k[0].defect);
    SAME("turn", k[1].first_type, true);
    SAME("turn", k[1].second_type, false);
    SAME("steer", k[2].first_type, false);
    SAME("steer", k[2].second_type, true);
    SAME("steer", k[2].constant, true);
    scene_clear(&s);
}

// A rotation counts as three dimensions; the unit length of its quaternion is nobody's constraint.
static void cylinder(void) {
    Scene s = scene_of("cylinder",
                       "parameter m = 1, r = 0.1, Rc = 0.5, I = 2/5*m*r^2\n"
                       "coordinate z : line\ncoordinate theta : circle\ncoordinate g : rotation\n"
                       "let n = [cos(theta), sin(theta), 0]\n"
                       "body ball: mass m, inertia I, position (Rc - r)*n + [0, 0, z], attitude g\n"
                       "gravity [0, 0, -9.81]\n"
                       "constraint rolling: velocity(ball, ball.position + r*n) = 0\n"
                       "symmetry roll: theta' = -r/(Rc - r), omega(g) = [0, 0, 1]\n"
                       "symmetry around: theta' = 1, omega(g) = [0, 0, 1]\n"
                       "symmetry spin: omega(g) = g*[0, 0, 1]\n"
                       "start z = 0, theta = 0, theta' = 3, z' = 0\n",
                       true);
    dimensions(&s, 5, 0, 8, 2, 10, 5, 3);
    is(&s, (Expected){"rolling", false, LIA_LINEAR, LIA_FORCE_IDEAL, LIA_NO, LIA_UNKNOWN,
                      LIA_UNKNOWN, false, true, 3, 2});
    SAME("", s.e.classes.energy_conserved, true);
    const LiaSymmetryClass* k = s.e.classes.symmetries;
    SAME("roll", k[0].second_type, true);
    SAME("roll", k[0].first_type, false);
    SAME("around", k[1].first_type, true);
    SAME("around", k[1].second_type, false);
    SAME("around", k[1].constant, true);  // p_theta and M_z are constant by themselves
    SAME("spin", k[2].first_type, true);
    SAME("spin", k[2].constant, false);
    SAME("", s.e.fields.split, true);
    check(s.e.fields.defect < 1e-13, "", "defect", s.e.fields.defect);
    scene_clear(&s);
}

static void others(void) {
    // a doubled equation adds nothing
    Scene s = scene_of("doubled",
                       "coordinate x, y, z : line\nkinetic x'^2 + y'^2 + z'^2\n"
                       "constraint one: x + y = 0\nconstraint two: 2*x = -2*y\nconstraint three: z "
                       "= 0, x + y = 0\n",
                       false);
    dimensions(&s, 3, 0, 2, 2, 6, 1, 1);
    SAME("one", scene_constraint(&s, "one")->independent, 1);
    SAME("two", scene_constraint(&s, "two")->independent, 0);
    SAME("three", scene_constraint(&s, "three")->independent, 1);
    SAME("three", scene_constraint(&s, "three")->equations, 2);
    scene_clear(&s);

    // zdot = y xdot: the contact form; and an integrable one of the same look
    s = scene_of("contact form",
                 "coordinate x, y, z : line\nkinetic x'^2 + y'^2 + z'^2\n"
                 "constraint c: z' = y*x'\n",
                 false);
    SAME("c", scene_constraint(&s, "c")->holonomic, LIA_NO);
    scene_clear(&s);
    s = scene_of("integrable",
                 "coordinate x, y, z : line\nkinetic x'^2 + y'^2 + z'^2\n"
                 "constraint c: y*z' = z*x'*y - z*y'\n",
                 false);
    SAME("c", scene_constraint(&s, "c")->holonomic, LIA_YES);
    SAME("c", scene_constraint(&s, "c")->submersion, LIA_YES);  // y z' alone: a multiple of dz
    scene_clear(&s);

    // affine, passive: it does work
    s = scene_of("affine",
                 "coordinate x, y : line\nkinetic x'^2 + y'^2\nconstraint belt: x' = 0.5*y + 1\n",
                 false);
    is(&s, (Expected){"belt", false, LIA_AFFINE, LIA_FORCE_IDEAL, LIA_NO, LIA_YES, LIA_YES, false,
                      false, 1, 1});
    SAME("", s.e.classes.energy_conserved, false);
    scene_clear(&s);

    // an operator that cannot act: no inertia joins the two
    s = scene_of("uncoupled",
                 "coordinate x, y : line\nkinetic x'^2 + y'^2\noperator o: x = sin(t) by d(y)\n",
                 false);
    SAME("", s.e.classes.regular, false);
    check(s.e.classes.regularity < 1e-12, "", "regularity", s.e.classes.regularity);
    scene_clear(&s);

    // two equations whose Y has no common h: dY1/dp2 != dY2/dp1
    s = scene_of("not hamiltonian",
                 "coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                 "operator o: x' = 0.5*y', y' = z'\n",
                 false);
    SAME("o", scene_constraint(&s, "o")->hamiltonian, LIA_NO);
    scene_clear(&s);

    // dissipation and time
    s = scene_of(
        "lossy",
        "coordinate x : line\nkinetic x'^2*(1 + 0.1*sin(t))\ndissipation x'^2\nforce f: 1*d(x)\n",
        false);
    SAME("", s.e.classes.energy_conserved, false);
    check(strstr(s.e.classes.energy_law, "dissipation") &&
              strstr(s.e.classes.energy_law, " - dL/dt") &&
              strstr(s.e.classes.energy_law, "power(f)"),
          "", s.e.classes.energy_law, 0);
    scene_clear(&s);

    // a level that is data
    s = scene_of("integrated",
                 "coordinate x, y : line\nkinetic x'^2 + y'^2\nconstraint c: (x^2 + y)' = 0\n",
                 false);
    dimensions(&s, 2, 0, 3, 1, 4, 2, 1);
    is(&s, (Expected){"c", false, LIA_LINEAR, LIA_FORCE_IDEAL, LIA_YES, LIA_YES, LIA_YES, false,
                      true, 1, 1});
    scene_clear(&s);

    // nothing at all
    s = scene_of("free", "coordinate x : line\nkinetic x'^2\n", true);
    dimensions(&s, 1, 0, 2, 0, 2, 1, 1);
    SAME("", s.e.classes.energy_conserved, true);
    SAME("", s.e.fields.split, true);
    scene_clear(&s);
}

int main(void) {
    skater();
    edge();
    discs();
    sperry();
    puck();
    appell();
    rolling();
    cylinder();
    others();
    return cases_end();
}
