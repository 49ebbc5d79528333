// What is said of a system must not depend on how it is written, and must not be more than is
// known: one model for each verdict that is easy to get wrong, with the numbers computed by hand or
// in many digits elsewhere.
// SPDX-License-Identifier: MIT
#include "expr/reading/formula_text.h"
#include "motion/result/trajectory.h"
#include "scene.h"
#include "support/cases.h"
#include "support/file.h"
#include "support/motion.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* model;

static void check(bool ok, const char* what, double got) {
    if (cases_count(ok)) return;
    printf("%s: %s is %.17g\n", model, what, got);
}

#define SAME(got, want) check((got) == (want), #got, (double)(got))

static void near(const char* what, double got, double want, double within) {
    check(fabs(got - want) <= within, what, got);
}

static Scene scene_of(const char* name, const char* text, const LiaExplanationAsk* ask) {
    model = name;
    return scene_explain(name, text, ask);
}

static Scene plain(const char* name, const char* text) {
    return scene_of(name, text, &(LiaExplanationAsk){0});
}

static void shows(const Scene* s, LiaExpr f, const char* want) {
    LiaText text = {0};
    if (f.index) lia_formula_text(s->e.geometry->graph, f, &text);
    bool same = text.data && strcmp(text.data, want) == 0;
    if (!same) printf("%s\n", text.data ? text.data : "(none)");
    check(same, want, 0);
    lia_text_clear(&text);
}

// --- symmetries ---------------------------------------------------------------------------------

// L + x (z' - y x') is invariant on C and yet depends on x through the momenta: a magnetic field.
static void a_lagrangian_invariant_on_admissible_states_only(void) {
    Scene s = plain("falsefirst",
                    "coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                    "lagrangian x*(z' - y*x')\nconstraint c: z' - y*x' = 0\nsymmetry tx: x' = 1\n"
                    "start x = 0, y = 0, x' = 1, y' = 0.3\nrun t = 0..3\n");
    const LiaSymmetryClass* k = s.e.classes.symmetries;
    SAME(k->lagrangian, LIA_INVARIANT_ADMISSIBLE);
    SAME(k->first_type, false);
    SAME(k->second_type, false);
    SAME(k->constant, false);
    check(k->lagrangian_defect > 0.1, "lagrangian_defect", k->lagrangian_defect);
    scene_clear(&s);
    // the motions show it: they are not carried along
    static const double from[2] = {0, 2}, x[2] = {1.2779, -0.3214}, y[2] = {-1.4251, 0.1327};
    for (int i = 0; i < 2; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "model m\ncoordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                 "lagrangian x*(z' - y*x')\nconstraint c: z' - y*x' = 0\n"
                 "start x = %g, y = 0, x' = 1, y' = 0.3\nrun t = 0..3\n",
                 from[i]);
        Motion m = motion_of(text, NULL);
        near("x(3) - x(0)", motion_final(&m, "x") - from[i], x[i], 1e-4);
        near("y(3)", motion_final(&m, "y"), y[i], 1e-4);
        motion_clear(&m);
    }
}

// The momentum along the blade is constant, though L is not invariant: the weaker condition.
static void a_momentum_that_is_constant_without_a_type(void) {
    Scene s = plain("skater along",
                    "parameter m = 60, I = 3\ncoordinate x, y : line\ncoordinate theta : circle\n"
                    "kinetic m/2*(x'^2 + y'^2) + I/2*theta'^2\n"
                    "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"
                    "symmetry along: x' = cos(theta), y' = sin(theta)\n"
                    "symmetry turn: theta' = 1\nstart x' = 2\n");
    const LiaSymmetryClass* k = s.e.classes.symmetries;
    SAME(k[0].lagrangian, LIA_INVARIANT_ADMISSIBLE);
    SAME(k[0].first_type, false);
    SAME(k[0].second_type, false);
    SAME(k[0].forces_across, true);
    SAME(k[0].constant, true);
    SAME(k[1].lagrangian, LIA_INVARIANT_EVERYWHERE);
    SAME(k[1].second_type, true);
    SAME(k[1].first_type, false);
    scene_clear(&s);
}

// --- stability ----------------------------------------------------------------------------------

static void stability_is_said_of_steady_motions_only(void) {
    // a pendulum swings through 2 rad, a motor leads a disc after it
    Scene s = plain("swings", "coordinate th, d : circle\nkinetic (th'^2 + d'^2)/2\n"
                              "potential -9.81*cos(th)\noperator follow: d - th = 0 by d(d)\n"
                              "start th = 2\nrun t = 0..60\n");
    SAME(s.e.classes.servo.steady, LIA_STEADY_NOT);
    check(isnan(s.e.classes.servo.rate), "rate", s.e.classes.servo.rate);
    SAME(s.e.classes.servo.remaining, 2);
    scene_clear(&s);
    // the same hanging down, and standing up
    s = plain("hangs", "coordinate th, d : circle\nkinetic (th'^2 + d'^2)/2\n"
                       "potential -9.81*cos(th)\noperator follow: d - th = 0 by d(d)\n");
    SAME(s.e.classes.servo.steady, LIA_STEADY_EQUILIBRIUM);
    near("rate", s.e.classes.servo.rate, 0.0, 0.0);
    scene_clear(&s);
    s = plain("stands", "coordinate th, d : circle\nkinetic (th'^2 + d'^2)/2\n"
                        "potential 9.81*cos(th)\noperator follow: d - th = 0 by d(d)\n");
    SAME(s.e.classes.servo.steady, LIA_STEADY_EQUILIBRIUM);
    near("rate", s.e.classes.servo.rate, sqrt(9.81), 1e-6);
    scene_clear(&s);
    // it stands on a cart that rolls on: a steady motion
    s = plain("rolls on", "coordinate th, d : circle\ncoordinate x : line\n"
                          "kinetic (th'^2 + d'^2 + x'^2)/2\npotential 9.81*cos(th)\n"
                          "operator follow: d - th = 0 by d(d)\nstart x' = 3\n");
    SAME(s.e.classes.servo.steady, LIA_STEADY_MOTION);
    near("rate", s.e.classes.servo.rate, sqrt(9.81), 1e-6);
    scene_clear(&s);
    // with a law of time, but linear: x3'' = -3 x3' - 2 x3 + ...
    s = plain("calm", "coordinate x1, x2, x3 : line\nkinetic (x1'^2 + x2'^2 + x3'^2)/2\n"
                      "potential 10/2*(x1 - x2)^2 + 2/2*(x3 - x2)^2\ndissipation 3/2*x3'^2\n"
                      "operator follow: x2 = 0.1*sin(t) by d(x1)\nrun t = 0..1\n");
    SAME(s.e.classes.servo.steady, LIA_STEADY_LINEAR);
    near("rate", s.e.classes.servo.rate, -1.0, 1e-6);
    scene_clear(&s);
    // a satellite with a telescope that is led by a moment on both: a turn of the start turns all
    s = plain("telescope",
              "coordinate R, T : rotation\nbody s: mass 1, inertia [3, 4, 5], position [0, 0, 0], "
              "attitude R\n"
              "body e: mass 1, inertia [1, 1.2, 1.4], position [0, 0, 0], attitude T\n"
              "operator aim: T = rotz(0.3*t)*rotx(0.5*sin(t)) by virtual(omega(T) - omega(R))\n"
              "start omega(R) = [0.1, 0.02, 0.05]\nrun t = 0..1\n");
    SAME(s.e.classes.servo.steady, LIA_STEADY_NOT);
    check(isnan(s.e.classes.servo.rate), "rate", s.e.classes.servo.rate);
    scene_clear(&s);
}

// --- dimensions ---------------------------------------------------------------------------------

static void dimensions(const Scene* s, unsigned M, unsigned S, unsigned VstarM, unsigned lives) {
    const LiaClassification* c = &s->e.classes;
    SAME(c->dimensions.M, M);
    SAME(c->dimensions.S, S);
    SAME(c->dimensions.VstarM, VstarM);
    SAME(c->dimensions.lives - c->hidden, lives);
}

static void directions_and_attitudes_have_their_dimension(void) {
    Scene s =
        plain("direction", "coordinate u : sphere\ncoordinate r : line\n"
                           "kinetic dot(u', u')*(2 + r^2)/2 + r'^2/2\n"
                           "operator aim: u = [sin(0.4)*cos(t), sin(0.4)*sin(t), -cos(0.4)]\n");
    dimensions(&s, 3, 2, 4, 4);
    SAME(scene_constraint(&s, "aim")->force, LIA_FORCE_IDEAL);
    scene_clear(&s);
    static const char* const laws[] = {"R = rotz(t)", "omega(R) = [0.1, 0.2, 0.3]"};
    for (int k = 0; k < 2; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "coordinate R : rotation\ncoordinate x : line\nbody b: mass 1, inertia [1, 2, 3], "
                 "position [x, 0, 0], attitude R\noperator aim: %s\n",
                 laws[k]);
        s = plain(laws[k], text);
        dimensions(&s, 4, 3, 5, 5);
        SAME(scene_constraint(&s, "aim")->force, LIA_FORCE_IDEAL);
        SAME(scene_constraint(&s, "aim")->perfect, LIA_YES);
        SAME(scene_constraint(&s, "aim")->hamiltonian, LIA_YES);
        SAME(s.e.classes.servo.remaining, -1);  // no servo
        if (k == 1) shows(&s, s.e.formulas.h[0], "1/10*p(R).x + 1/5*p(R).y + 3/10*p(R).z");
        scene_clear(&s);
    }
}

static void the_motion_lives_where_constraints_let_it(void) {
    char* text = file_text("examples/skater/skater.lia");
    Scene s = plain("skater", text);
    dimensions(&s, 4, 1, 7, 6);
    scene_clear(&s);
    free(text);
    text = file_text("examples/edge/edge.lia");
    s = plain("edge", text);
    dimensions(&s, 3, 1, 6, 5);
    SAME(s.e.classes.dimensions.leaves, 1);
    SAME(s.e.classes.dimensions.W, 2);
    SAME(s.e.classes.dimensions.D, 5);
    scene_clear(&s);
    free(text);
    s = plain("double pendulum",
              "body a: mass 1, inertia 1, free\nbody b: mass 1, inertia 1, free\n"
              "joint h: revolute(ground axis [0, 1, 0], a at [0, 0, 1] axis [0, 1, 0])\n"
              "joint k: revolute(a at [0, 0, -1] axis [0, 1, 0], b at [0, 0, 1] axis [0, 1, 0])\n"
              "start a.position = [0, 0, -1], b.position = [0, 0, -3]\n");
    dimensions(&s, 12, 0, 24, 4);
    scene_clear(&s);
    // x2 is led through a spring: two more equations are hidden, and nothing is left
    s = plain("through a spring", "coordinate x1, x2 : line\nkinetic (x1'^2 + x2'^2)/2\n"
                                  "potential (x1 - x2)^2\noperator o: x2 = sin(t) by d(x1)\n");
    SAME(s.e.classes.positions + s.e.classes.velocities - s.e.classes.hidden, 0);
    SAME(s.e.classes.hidden, 2);
    SAME(s.e.classes.servo.remaining, 0);
    scene_clear(&s);
}

// --- the base -----------------------------------------------------------------------------------

static double row_of(const LiaFields* f, LiaFieldId id, const char* name, const LiaModel* m) {
    for (uint32_t i = 0; i < f->n; i++) {
        if (strcmp(m->coordinates[i].name, name) == 0) return f->field[id][i];
    }
    return NAN;
}

// r' = 0.594, p_theta = 0.3, theta = 0.2, r = 2.5, written three ways.
static void a_swing_is_a_swing(void) {
    const double x = 2.5 * sin(0.2), y = -2.5 * cos(0.2), w = 0.3 / 6.25;
    char at[300];
    snprintf(at, sizeof at, "x = %.17g, y = %.17g, x' = %.17g, y' = %.17g", x, y,
             0.594 * sin(0.2) - w * y, -0.594 * cos(0.2) + w * x);
    Scene s = scene_of("swing in x, y",
                       "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\n"
                       "operator length: hypot(x, y) = 2.5 + 0.594*t\nstart x = 0.5, y = -2.4\n",
                       &(LiaExplanationAsk){.at = at});
    dimensions(&s, 2, 1, 3, 3);
    const LiaFields* f = &s.e.fields;
    SAME(f->split, true);
    near("Theta", f->Theta[0], 1.0, 1e-15);
    near("K_Y", f->K_Y, 0.176418, 1e-15);
    near("D_0 of x'", row_of(f, LIA_FIELD_D_0, "x", s.model), 0.117607989, 1e-9);
    near("D_0 of y'", row_of(f, LIA_FIELD_D_0, "y", s.model), 0.023840320, 1e-9);
    near("H(Y) of x'", row_of(f, LIA_FIELD_H_Y, "x", s.model), 0.118009583, 1e-9);
    near("H(Y) of y'", row_of(f, LIA_FIELD_H_Y, "y", s.model), -0.582159547, 1e-9);
    near("sum", f->defect, 0.0, 1e-14);
    near("force", f->lambda[0].total, f->lambda[0].given, 1e-13);
    // 1/2 Theta Y^2 does not depend on the place: X_K = 0
    near("-X_K", f->field[LIA_FIELD_MINUS_X_K][2], 0.0, 1e-14);
    double force = f->lambda[0].total;
    shows(&s, s.e.formulas.h[0], "297/500*(x*p(x) + y*p(y))/hypot(x, y)");
    scene_clear(&s);
    static const char* const ends[] = {"", " by d(r)"};
    for (int k = 0; k < 2; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "coordinate theta : circle\ncoordinate r : line\n"
                 "let P = [r*sin(theta), -r*cos(theta)]\nkinetic dot(P', P')/2\n"
                 "potential 9.81*P.y\noperator length: r = 2.5 + 0.594*t%s\n",
                 ends[k]);
        s = scene_of("swing in theta, r", text,
                     &(LiaExplanationAsk){.at = "theta = 0.2, p(theta) = 0.3"});
        dimensions(&s, 2, 1, 3, 3);
        f = &s.e.fields;
        near("K_Y", f->K_Y, 0.176418, 1e-15);
        near("A", f->A[0], 0.0, 0.0);
        near("force", f->lambda[0].total, force, 1e-13);
        shows(&s, s.e.formulas.h[0], "297/500*p(r)");
        SAME(scene_constraint(&s, "length")->eliminated, true);
        scene_clear(&s);
    }
}

// Dazord 7.1 a: V*M = (th1, th2, p), p = p1 + p2, H0 = p^2/(2 (A1 + A2)) + k th1^2/2.
static void discs_have_a_base_that_is_no_coordinate(void) {
    Scene s = scene_of("discs",
                       "parameter A1 = 1, A2 = 2, k = 3\ncoordinate th1, th2 : line\n"
                       "kinetic A1/2*th1'^2 + A2/2*th2'^2\npotential k/2*th1^2\n"
                       "operator follow: th1 - th2 = 0 by d(th2)\n",
                       &(LiaExplanationAsk){.at = "th1 = 1, th2 = 1, th1' = 0.2, th2' = 0.2"});
    dimensions(&s, 2, 1, 3, 3);
    const LiaFields* f = &s.e.fields;
    static const double D_0[3] = {0.2, 0.2, -3.0}, Z[3] = {0, 0, 6.0};
    for (int i = 0; i < 3; i++) {
        near("D_0", f->field[LIA_FIELD_D_0][i], D_0[i], 1e-15);
        near("Z", f->field[LIA_FIELD_Z][i], Z[i], 1e-14);
    }
    near("p", f->momentum[0], 0.6, 1e-15);
    near("H0", f->h0, 0.36 / 6 + 1.5, 1e-15);
    scene_clear(&s);
}

// An imperfect servo: mu = 5.872633313, its force along the horizontal lift mu (0.3 - 0.7 A_y).
static void the_force_of_an_imperfect_servo(void) {
    Scene s =
        scene_of("semi",
                 "coordinate x, y, z : line\n"
                 "kinetic (x'^2*(2+z^2) + y'^2*(3+sin(x)) + z'^2*(4+y^2) + 2*x'*y'*z/3 + x'*z'*y + "
                 "y'*z'*cos(x))/2\npotential x^2*z + y*z\n"
                 "operator o: z' = sin(x) + y/2 by 0.7*d(y) + 0.3*d(z)\n"
                 "start x = 0.4, y = -0.3, z = 0.2\n",
                 &(LiaExplanationAsk){.at = "x = 0.4, y = -0.3, z = 0.2, p(x) = 0.5, p(y) = 0.9"});
    const LiaFields* f = &s.e.fields;
    near("total", f->lambda[0].total, 1.196928903, 1e-9);
    near("given", f->lambda[0].given, f->lambda[0].total, 1e-13);
    near("Z of p(y)", f->field[LIA_FIELD_Z][4], -0.7 * 5.872633313, 1e-8);
    near("sum", f->defect, 0.0, 1e-14);
    scene_clear(&s);
}

// Dazord 7.3 b: the ball that rolls, with its place as the base. Z = 0, x' = (a/I) pi x e3.
static void a_ball_that_rolls(void) {
    static const char* const text =
        "parameter m = 0.17, a = 0.028575, I = 2/5*m*a^2\ncoordinate x, y, z : line\n%s"
        "constraint roll: [x', y', z'] = a*cross(%s, [0, 0, 1])\n"
        "start z = a, %s\n";
    char whole[800];
    snprintf(whole, sizeof whole, text,
             "coordinate R : rotation\nbody b: mass m, inertia I, position [x, y, z], attitude R\n",
             "omega(R)", "omega(R) = [20, -30, 15]");
    Scene s =
        scene_of("ball, rotation", whole, &(LiaExplanationAsk){.at_start = true, .base = "roll"});
    dimensions(&s, 6, 3, 9, 9);
    SAME(scene_constraint(&s, "roll")->hamiltonian, LIA_YES);
    SAME(scene_constraint(&s, "roll")->perfect, LIA_NO);
    SAME(scene_constraint(&s, "roll")->H, LIA_YES);
    const LiaFields* f = &s.e.fields;
    double omega[3], moment[3], spin[3];
    lia_attitude_fields_turn(f, 3, f->field[LIA_FIELD_Z], omega, moment);
    for (int i = 0; i < 3; i++) near("Z of p(R)", moment[i], 0.0, 1e-16);
    near("x'", f->field[LIA_FIELD_D_Y][0], -30 * 0.028575, 1e-14);
    near("sum", f->defect, 0.0, 1e-14);
    // half the products of omega and p(R) are the kinetic energy of the turn
    double I = 0.4 * 0.17 * 0.028575 * 0.028575;
    lia_attitude_fields_momentum(f, 3, spin);
    near("p(R).x", spin[0], I * 20, 1e-17);
    near("p(R).y", spin[1], -I * 30, 1e-17);
    near("p(R).z", spin[2], I * 15, 1e-17);
    scene_clear(&s);
    // Euler angles, zxz: the same verdicts
    snprintf(whole, sizeof whole, text,
             "coordinate ps, th, ph : circle\n"
             "let w = [ph'*sin(th)*sin(ps) + th'*cos(ps), -ph'*sin(th)*cos(ps) + th'*sin(ps), "
             "ps' + ph'*cos(th)]\nkinetic m/2*(x'^2 + y'^2 + z'^2) + I/2*dot(w, w)\n",
             "w", "th = 1, ps = 0.3, th' = 2, ps' = 1, ph' = 3");
    s = scene_of("ball, Euler angles", whole, &(LiaExplanationAsk){.base = "roll"});
    dimensions(&s, 6, 3, 9, 9);
    SAME(scene_constraint(&s, "roll")->hamiltonian, LIA_YES);
    SAME(scene_constraint(&s, "roll")->perfect, LIA_NO);
    SAME(scene_constraint(&s, "roll")->H, LIA_YES);
    scene_clear(&s);
}

// --- one system, energy -------------------------------------------------------------------------

static void punctuation_changes_nothing(void) {
    static const char* const laws[] = {"operator o: [q1', q2'] = [q2', q3]\n",
                                       "operator o1: q1' = q2'\noperator o2: q2' = q3\n"};
    for (int k = 0; k < 2; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "coordinate q1, q2, q3 : line\nkinetic (q1'^2 + q2'^2 + q3'^2)/2\n%s", laws[k]);
        Scene s = plain(laws[k], text);
        SAME(s.e.classes.one.hamiltonian, LIA_NO);
        SAME(s.e.classes.one.perfect, LIA_YES);
        for (uint32_t c = 0; c < s.e.classes.constraint_count; c++) {
            SAME(s.e.classes.constraints[c].hamiltonian, LIA_NO);
        }
        dimensions(&s, 3, 2, 4, 4);
        scene_clear(&s);
    }
    static const struct {
        const char* law;
        LiaDazordWord word;
    } words[] = {{"q1 + q2 = 0", LIA_DAZORD_HOLONOMIC},
                 {"q1' = cos(q1) + t", LIA_DAZORD_ALMOST},
                 {"q1' = cos(q2)", LIA_DAZORD_SEMI},
                 {"q1' = cos(q2)*q3'", LIA_DAZORD_LINEAR},
                 {"q1' = q3' + 1", LIA_DAZORD_GENERAL}};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        char text[300];
        snprintf(
            text, sizeof text,
            "coordinate q1, q2, q3 : line\nkinetic (q1'^2 + q2'^2 + q3'^2)/2\noperator o: %s\n",
            words[k].law);
        Scene s = plain(words[k].law, text);
        SAME(s.e.classes.one.word, words[k].word);
        scene_clear(&s);
    }
}

// The curvature of the track as a coordinate without mass: its operator has no force.
static void a_force_that_vanishes_feeds_nothing(void) {
    static const char text[] =
        "model edge\nparameter m = 2, I = 0.6\ncoordinate x, y : line\n"
        "coordinate theta : circle\ncoordinate kappa : line\n"
        "kinetic m/2*(x'^2 + y'^2) + I/2*theta'^2\n"
        "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"
        "constraint track: theta' = kappa*(x'*cos(theta) + y'*sin(theta))\n"
        "operator steer: kappa' = 0.3*cos(kappa)\n"
        "start kappa = 0.4, theta = 0.1, x' = 1.25*cos(0.1), y' = 1.25*sin(0.1)\nrun t = 0..10\n";
    Scene s = plain("edge, a coordinate", text);
    SAME(s.e.classes.energy_conserved, true);
    check(strstr(s.e.classes.energy_law, "'steer' is zero") != NULL, s.e.classes.energy_law, 0);
    scene_clear(&s);
    Motion m = motion_of(text, NULL);
    near("x", motion_final(&m, "x"), 0.385700047873, 1e-11);
    near("y", motion_final(&m, "y"), 0.937301941094, 1e-11);
    near("theta", motion_final(&m, "theta"), 12.4275679998, 1e-9);
    near("kappa", motion_final(&m, "kappa"), 1.50481146731, 1e-10);
    near("energy", m.t->ledger.end, 1.6375, 1e-12);
    motion_clear(&m);
    // friction takes, and an equation without admissible state is not called linear
    s = plain("cloth", "coordinate x, z : line\nkinetic (x'^2 + z'^2)/2\npotential 9.81*z\n"
                       "constraint cloth: z = 0 force d(z) - 0.3*x'/abs(x')*d(x)\nstart x' = 1\n");
    check(strstr(s.e.classes.energy_law, "'cloth' takes from it") != NULL, s.e.classes.energy_law,
          0);
    scene_clear(&s);
    // drag takes, a push feeds, whatever its sign at the samples
    Scene drag = scene_explain("drag",
                               "coordinate x, y : line\nkinetic x'^2 + y'^2\n"
                               "force drag: -0.2*x'*hypot(x', y')*d(x)\n"
                               "force push: -3*d(y)\nstart x' = 1, y' = 2\n",
                               &(LiaExplanationAsk){0});
    const char* law = drag.e.classes.energy_law;
    check(strstr(law, "'drag' takes from it") && strstr(law, "'push' feeds it"), law, 0.0);
    scene_clear(&drag);
}

// A rotating frame: the energy is h0 + 1/2 Theta(Y, Y), not h0 + K_Y, where L has terms linear in
// v.
static void the_energy_with_linear_terms(void) {
    Scene s =
        scene_of("terre",
                 "parameter m = 1.3, w = 0.7, c = 0.2\ncoordinate x, y, z : line\n"
                 "let V = [x' - w*y, y' + w*x, z']\nkinetic m/2*dot(V, V) + x*y'*z'/4\n"
                 "potential x^2 + y*z\ndissipation c/2*(x'^2 + y'^2 + z'^2)\n"
                 "operator o: z' = sin(x) + y/2\n",
                 &(LiaExplanationAsk){.at = "x = 0.4, y = -0.3, z = 0.2, p(x) = 0.5, p(y) = 0.9"});
    const LiaFields* f = &s.e.fields;
    near("h0 + K_Y", f->h0 + f->K_Y, 0.1810269, 1e-7);
    near("E", f->energy, 0.1877306, 1e-7);
    near("h0 + Theta/2", f->h0 + 0.5 * f->Theta[0] * f->Y[0] * f->Y[0], f->energy, 1e-14);
    near("A(y)", f->A[1], 1.0 / 13, 1e-15);
    near("sum", f->defect, 0.0, 1e-14);
    scene_clear(&s);
}

// E0350: --base names statements.
static void a_base_that_is_no_statement(void) {
    LiaDiags* diags = lia_diags_create();
    LiaModel* m = NULL;
    LiaSystem* system = NULL;
    LiaExplanation e;
    static const char text[] = "coordinate x, y : line\nkinetic x'^2 + y'^2\noperator o: x = t\n";
    model = "base";
    LiaStatus status = lia_model_parse("base", text, strlen(text), NULL, diags, &m);
    SAME(status, LIA_OK);
    status = lia_system_build(m, NULL, diags, &system);
    SAME(status, LIA_OK);
    status = lia_explanation_make(system, &(LiaExplanationAsk){.base = "o, x"}, diags, &e);
    SAME(status, LIA_MODEL);
    char* said = lia_diags_text(diags);
    check(said && strstr(said, "E0350") && strstr(said, "'x'"), "E0350", 0);
    lia_free(said);
    lia_explanation_clear(&e);
    lia_system_destroy(system);
    lia_model_destroy(m);
    lia_diags_destroy(diags);
}

int main(void) {
    a_lagrangian_invariant_on_admissible_states_only();
    a_momentum_that_is_constant_without_a_type();
    stability_is_said_of_steady_motions_only();
    directions_and_attitudes_have_their_dimension();
    the_motion_lives_where_constraints_let_it();
    a_swing_is_a_swing();
    discs_have_a_base_that_is_no_coordinate();
    the_force_of_an_imperfect_servo();
    a_ball_that_rolls();
    punctuation_changes_nothing();
    a_force_that_vanishes_feeds_nothing();
    the_energy_with_linear_terms();
    a_base_that_is_no_statement();
    return cases_end();
}
