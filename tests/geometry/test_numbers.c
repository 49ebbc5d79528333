// Theorems of the papers against numbers computed elsewhere: brackets on D with terms of L linear
// in the velocities, what operators can bring about, Dazord's theorem 4.1, functions h, words that
// do not depend on how a system is divided into statements.
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

static void check(bool ok, const char* what, double got) {
    if (cases_count(ok)) return;
    printf("%s: %s is %.17g\n", model, what, got);
}

#define SAME(got, want) check((got) == (want), #got, (double)(got))

static void near(const char* what, double got, double want, double within) {
    check(fabs(got - want) <= within, what, got);
}

static void is(const char* got, const char* want) {
    bool same = got && strcmp(got, want) == 0;
    if (!same) printf("%s\n", got ? got : "(none)");
    check(same, want, 0);
}

static Scene scene_of(const char* name, const char* text, const LiaExplanationAsk* ask) {
    model = name;
    return scene_explain(name, text, ask);
}

static Scene plain(const char* name, const char* text) {
    return scene_of(name, text, &(LiaExplanationAsk){0});
}

// --- the bracket on D --------------------------------------------------------------------------

// {P1, P2} = -<p, [X1, X2]> = p_z, and p_z = z' + x = y P1/(1 + y^2) + x on D.
static void brackets_with_linear_terms(void) {
    Scene s =
        plain("a magnetic field on C", "coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                                       "lagrangian x*(z' - y*x')\nconstraint c: z' - y*x' = 0\n"
                                       "start x = 0.3, y = 0.5, x' = 1, y' = 0.3\n");
    const LiaPseudoPoisson* b = &s.e.classes.flag.bracket;
    is(b->bracket[0], "(y/(y^2 + 1))*P1 + (x)");
    near("constant", b->constant[0], 0.3, 1e-15);
    near("part", b->part[0], 0.4, 1e-15);
    SAME(b->poisson, false);
    scene_clear(&s);
    // a sleigh with a rotor that is driven: {P1, P2} = m a th', P2 = (I + J + m a^2) th' + J s'
    s = plain("a rotor", "parameter m = 1, I = 0.4, a = 0.2, J = 0.1\ncoordinate x, y : line\n"
                         "coordinate th, s : circle\n"
                         "kinetic m/2*((x' - a*sin(th)*th')^2 + (y' + a*cos(th)*th')^2) + "
                         "I/2*th'^2 + J/2*(th' + s')^2\n"
                         "constraint blade: -sin(th)*x' + cos(th)*y' = 0\noperator rotor: s = t\n"
                         "start x' = 1, th = 0.3, th' = 0.7\n");
    b = &s.e.classes.flag.bracket;
    double P2 = 0.54 * 0.7 + 0.1, sum = b->part[1] * P2 + b->constant[0];
    near("{P1, P2}", sum, 0.2 * 0.7, 1e-15);
    is(b->bracket[0], "(m*a/(I + J + m*a^2))*P2 + (-J*m*a/(I + J + m*a^2))");
    scene_clear(&s);
}

// Attitudes and directions: Poisson exactly where all is holonomic.
static void brackets_of_attitudes(void) {
    static const struct {
        const char *name, *text;
        bool poisson;
    } all[] = {
        {"Suslov",
         "coordinate R : rotation\nlet W = Omega(R)\nkinetic W.x^2 + 2*W.y^2 + 3*W.z^2 + W.x*W.z\n"
         "constraint s: W.z = 0\nstart Omega(R) = [1, 0.5, 0]\n",
         false},
        {"ball",
         "coordinate x, y : line\ncoordinate R : rotation\n"
         "body b: mass 1, inertia 0.4, position [x, y, 1], attitude R\n"
         "constraint roll: [x', y'] = [omega(R).y, -omega(R).x]\nstart omega(R) = [1, 2, 3]\n",
         false},
        {"a turn that is no turn",
         "coordinate x : line\ncoordinate R : rotation\n"
         "body b: mass 1, inertia [1, 2, 3], position [x, 0, 0], attitude R\n"
         "constraint c: (1 + x^2)*x' = 0\nstart omega(R) = [1, 2, 3]\n",
         true},
        {"a direction",
         "coordinate u : sphere\ncoordinate s : line\nkinetic dot(u', u')/2 + s'^2\n"
         "constraint c: u.x*u.y' - u.y*u.x' = s'\nstart u = [0.6, 0, 0.8], u' = [0, 1, 0]\n",
         false},
        {"a direction, exact",
         "coordinate u : sphere\ncoordinate s : line\nkinetic dot(u', u')/2 + s'^2\n"
         "constraint c: u.z' + u.x' = s'\nstart u = [0.6, 0, 0.8], u' = [0, 1, 0]\n",
         true},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        Scene s = plain(all[k].name, all[k].text);
        const LiaFlag* f = &s.e.classes.flag;
        SAME(f->bracket.known, true);
        SAME(f->bracket.poisson, all[k].poisson);
        SAME(f->integrable == f->kinematic, all[k].poisson);
        SAME(f->bracket.motion, true);
        check(all[k].poisson || f->bracket.largest > 0.1, "largest", f->bracket.largest);
        scene_clear(&s);
    }
}

// --- what operators can bring about ------------------------------------------------------------

static void grows(const LiaGrowth* growth, const char* want) {
    char text[100] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < growth->steps; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u", i ? " " : "",
                                 growth->rank[i]);
    is(text, want);
}

static void driftless_parts(void) {
    // three links on skates: the joints alone decide, (2, 3, 5)
    Scene s =
        plain("snake",
              "coordinate x, y : line\ncoordinate th, a1, a2 : circle\n"
              "kinetic x'^2 + y'^2 + 0.1*(th'^2 + (th' - a1')^2 + (th' + a2')^2)\n"
              "constraint c0: -sin(th)*x' + cos(th)*y' = 0\n"
              "constraint c1: -sin(th - a1)*x' + cos(th - a1)*y' - cos(a1)*th' - (th' - a1') = 0\n"
              "constraint c2: -sin(th + a2)*x' + cos(th + a2)*y' + cos(a2)*th' + (th' + a2') = 0\n"
              "operator j: a1 = 0.5 + 0.3*cos(t), a2 = 0.4 + 0.3*sin(t)\nrun t = 0..6\n");
    const LiaDriftless* d = &s.e.classes.flag.driftless;
    SAME(d->known, true);
    grows(&d->growth, "2 3 5");
    SAME(d->space, 5);
    SAME(d->integrable, 0);
    SAME(d->rank, s.e.classes.dimensions.base_rank);
    grows(&s.e.classes.flag.lie, "1");
    scene_clear(&s);
    s = plain("turntable", "coordinate x, y : line\ncoordinate g : rotation\n"
                           "body ball: mass 1, inertia 0.004, position [x, y, 0.1], attitude g\n"
                           "constraint rolling: velocity(ball, [x, y, 0]) = 0.7*[-y, x, 0]\n"
                           "start x = 1, y = 0.2\n");
    d = &s.e.classes.flag.driftless;
    SAME(d->known && d->affine && !d->operators, true);
    grows(&d->growth, "3 5");
    scene_clear(&s);
    // what the operator moves stays in leaves: y - x^2 is kept whatever s does
    s = plain("leaves", "coordinate x, y, s : line\nkinetic x'^2 + y'^2 + s'^2\n"
                        "constraint c: y' = 2*x*x'\nconstraint k: x' = s*s'\noperator o: s = t\n");
    d = &s.e.classes.flag.driftless;
    grows(&d->growth, "1");
    SAME(d->integrable, 2);
    scene_clear(&s);
    // no operator, nothing affine: the flag itself says it
    s = plain("contact", "coordinate x, y, z : line\nkinetic x'^2 + y'^2 + z'^2\n"
                         "constraint c: z' = y*x'\n");
    SAME(s.e.classes.flag.driftless.known, false);
    scene_clear(&s);
}

// A rolling joint has equations that follow from the geometric one: they keep nothing of their own.
static void equations_that_follow(void) {
    Scene s = plain("disk", "body d: mass 1, inertia [0.02, 0.02, 0.04], free\n"
                            "joint roll: rolling(disk(d, 0.3), plane(ground))\n"
                            "gravity [0, 0, -9.81]\nstart d.attitude = rotx(1.2), "
                            "d.position = [0, 0, 0.3*sin(1.2)], d.omega ~ [0, 0, 3]\n");
    grows(&s.e.classes.flag.lie, "3 4 5");
    SAME(s.e.classes.flag.combinations, 0);
    SAME(s.e.classes.flag.integrable, 0);
    scene_clear(&s);
}

// --- Dazord ------------------------------------------------------------------------------------

// E on V*M by differences: X_s*H = (dE/dp, -dE/dx).
static double energy_at(const char* text, const char* const* names, const double* x) {
    char at[300];
    size_t used = 0;
    for (int i = 0; names[i]; i++)
        used += (size_t)snprintf(at + used, sizeof at - used, "%s%s = %.17g", i ? ", " : "",
                                 names[i], x[i]);
    Scene s = scene_of(model, text, &(LiaExplanationAsk){.at = at});
    double energy = s.e.fields.energy;
    scene_clear(&s);
    return energy;
}

static double slope(const char* text, const char* const* names, const double* x, int of) {
    static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
    double sum = 0.0, h = 1e-2, moved[8];
    for (int side = -3; side <= 3; side++) {
        if (side == 0) continue;
        for (int i = 0; names[i]; i++) moved[i] = x[i] + (i == of ? side * h : 0.0);
        sum += (side > 0 ? weight[side - 1] : -weight[-side - 1]) * energy_at(text, names, moved);
    }
    return sum / h;
}

static void theorem_4_1(void) {
    static const struct {
        const char *name, *text, *names[6];
        double x[5];
    } all[] = {
        {"semi",
         "coordinate x, y, z : line\n"
         "kinetic (x'^2*(2 + z^2) + y'^2*(3 + sin(x)) + z'^2*(4 + y^2) + 2*x'*y'*z/3 + x'*z'*y + "
         "y'*z'*cos(x))/2\npotential x^2*z + y*z\noperator o: z' = sin(x) + y/2 + x'/3\n",
         {"x", "y", "z", "p(x)", "p(y)"},
         {0.4, -0.3, 0.2, 0.5, 0.9}},
        {"terre",
         "parameter m = 1.3, w = 0.7\ncoordinate x, y, z : line\n"
         "let V = [x' - w*y, y' + w*x, z' + x*y/3]\nkinetic m/2*dot(V, V) + x*y'*z'/4\n"
         "potential x^2 + y*z\noperator o: z' = sin(x) + y/2 + y'/4\n",
         {"x", "y", "z", "p(x)", "p(y)"},
         {0.4, -0.3, 0.2, 0.5, 0.9}},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        char at[200];
        snprintf(at, sizeof at, "x = 0.4, y = -0.3, z = 0.2, p(x) = 0.5, p(y) = 0.9");
        Scene s = scene_of(all[k].name, all[k].text, &(LiaExplanationAsk){.at = at});
        const LiaFields* f = &s.e.fields;
        const double *X = f->field[LIA_FIELD_X_SH], *Y = f->field[LIA_FIELD_Y_W];
        SAME(f->split, true);
        for (int j = 0; j < 2; j++) {
            double dp = slope(all[k].text, all[k].names, all[k].x, 3 + j);
            double dx = slope(all[k].text, all[k].names, all[k].x, j);
            near("dE/dp", X[j], dp, 1e-9);
            near("-dE/dx", X[3 + j], -dx, 1e-9);
        }
        near("z' of X_s*H", X[2], 0.0, 0.0);
        near("z' of Y_W", Y[2], f->field[LIA_FIELD_D_Y][2], 1e-15);
        for (int r = 0; r < 5; r++) {
            double sum = X[r] + Y[r] - f->field[LIA_FIELD_Z][r];
            near("X_s*H + Y_W - Z", sum, f->field[LIA_FIELD_D_Y][r], 1e-14);
        }
        scene_clear(&s);
    }
}

static void sperry(void) {
    char* text = file_text("examples/sperry/sperry.lia");
    Scene s = scene_of("sperry", text, &(LiaExplanationAsk){.at_start = true});
    const LiaFields* f = &s.e.fields;
    near("s*H", f->h0 + f->K_Y, 440.20093, 5e-6);
    near("E", f->energy, f->h0 + f->K_Y, 1e-12);
    // dY/dp(theta) = a/(I1 + md2 + A), dY/dtheta = b: with Theta Y they are X_K
    near("theta' of X_s*H", f->field[LIA_FIELD_X_SH][1], 0.0032, 1e-16);
    near("theta' of Y_W", f->field[LIA_FIELD_Y_W][1], -0.0032, 1e-16);
    SAME(s.e.vertical.constant, false);
    SAME(s.e.vertical.riemannian, true);  // Theta = A, a number
    scene_clear(&s);
    free(text);
    // 7.3 b: h = (a/I)(p_x pi_y - p_y pi_x)
    s = plain("ball", "parameter m = 0.17, a = 0.028575, I = 2/5*m*a^2\ncoordinate x, y, z : line\n"
                      "coordinate R : rotation\nbody b: mass m, inertia I, position [x, y, z], "
                      "attitude R\nconstraint roll: [x', y', z'] = a*cross(omega(R), [0, 0, 1])\n"
                      "start z = a, omega(R) = [20, -30, 15]\n");
    LiaText h = {0};
    if (s.e.formulas.h[0].index) lia_formula_text(s.e.geometry->graph, s.e.formulas.h[0], &h);
    is(h.data, "a/I*(p(x)*p(R).y - p(y)*p(R).x)");
    lia_text_clear(&h);
    SAME(s.e.classes.one.word, LIA_DAZORD_LINEAR);
    scene_clear(&s);
    // a body whose inertia is not the same about all axes has no such formula
    s = plain("body", "coordinate x, y, z : line\ncoordinate R : rotation\n"
                      "body b: mass 1, inertia [1, 2, 3], position [x, y, z], attitude R\n"
                      "constraint roll: [x', y', z'] = cross(omega(R), [0, 0, 1])\n");
    SAME(s.e.formulas.h[0].index, 0);
    SAME(scene_constraint(&s, "roll")->hamiltonian, LIA_YES);
    scene_clear(&s);
}

// Theta along the fibres: G(x, s) dx^2 + ds^2 is Riemannian, a bead on a hoop is not.
static void riemannian(void) {
    Scene s = scene_of("G(x, s)",
                       "coordinate x, s : line\nkinetic (2 + sin(x*s))*x'^2 + s'^2\n"
                       "operator o: s' = 1 + x\nstart x = 0.3, s = 0.7\n",
                       &(LiaExplanationAsk){.at_start = true});
    SAME(s.e.vertical.riemannian, true);
    SAME(s.e.vertical.constant, false);  // Y depends on x
    scene_clear(&s);
    s = scene_of("hoop",
                 "coordinate theta, s : circle\nkinetic theta'^2 + sin(theta)^2*s'^2\n"
                 "operator o: s' = 2\nstart theta = 0.7\n",
                 &(LiaExplanationAsk){.at_start = true});
    SAME(s.e.vertical.riemannian, false);
    near("|dTheta/dx|/|Theta|", s.e.vertical.bent > 1.0, 1, 0);
    scene_clear(&s);
}

// L = -sqrt(1 - x'^2 - (1 + x^2) s'^2): frozen, x' = p/sqrt(1 + p^2), p' = 0, h0 = sqrt(1 + p^2).
// The whole: D_Y by p' = dL/dx at the state.
static void hyper_regular(void) {
    Scene s = scene_of("not quadratic",
                       "coordinate x, s : line\nlagrangian -sqrt(1 - x'^2 - (1 + x^2)*s'^2)\n"
                       "operator o: s = 0.3*t\nstart x = 0.4, x' = 0.5\n",
                       &(LiaExplanationAsk){.at_start = true});
    const LiaFields* f = &s.e.fields;
    double root = sqrt(1 - 0.25 - 1.16 * 0.09), p = 0.5 / root;
    SAME(f->split, false);
    SAME(f->field[LIA_FIELD_D_0] != NULL, true);
    near("p", f->momentum[0], p, 1e-15);
    near("x' of D_Y", f->field[LIA_FIELD_D_Y][0], 0.5, 0);
    near("p' of D_Y", f->field[LIA_FIELD_D_Y][2], 0.4 * 0.09 / root, 1e-14);
    near("x' of D_0", f->field[LIA_FIELD_D_0][0], p / sqrt(1 + p * p), 1e-14);
    near("s' of D_0", f->field[LIA_FIELD_D_0][1], 0, 0);
    near("p' of D_0", f->field[LIA_FIELD_D_0][2], 0, 1e-15);
    near("h0", f->h0, sqrt(1 + p * p), 1e-14);
    scene_clear(&s);
}

// 000 and 7.3 b, all of it: D_Y = ((a/I) pi x e3, omega, 0) with the place as the base.
static void rolling_by_its_base(void) {
    Scene s =
        scene_of("ball over its place",
                 "parameter m = 0.17, a = 0.028575, I = 2/5*m*a^2\ncoordinate x, y, z : line\n"
                 "coordinate R : rotation\nbody b: mass m, inertia I, position [x, y, z], "
                 "attitude R\nconstraint roll: [x', y', z'] = a*cross(omega(R), [0, 0, 1])\n"
                 "start z = a, omega(R) = [20, -30, 15]\n",
                 &(LiaExplanationAsk){.at_start = true, .base = "roll"});
    const LiaFields* f = &s.e.fields;
    static const double v[3] = {-30 * 0.028575, -20 * 0.028575, 0}, w[3] = {20, -30, 15};
    double omega[3], moment[3];
    lia_attitude_fields_turn(f, 3, f->field[LIA_FIELD_D_Y], omega, moment);
    for (int i = 0; i < 3; i++) {
        near("x'", f->field[LIA_FIELD_D_Y][i], v[i], 1e-14);
        near("omega", omega[i], w[i], 1e-13);
        near("pi'", moment[i], 0, 1e-15);
    }
    scene_clear(&s);
}

// Of turn, spin and translations of the ball on a turntable and all their combinations only the
// spin is of the second type: every other one found has a turn of the ball about a level axis in
// it.
static void only_the_spin(void) {
    Scene s =
        plain("turntable",
              "parameter m = 1, r = 0.1, W = 0.7\ncoordinate x, y : line\n"
              "coordinate g : rotation\nbody ball: mass m, inertia 2/5*m*r^2, position [x, y, r], "
              "attitude g\nconstraint rolling: velocity(ball, [x, y, 0]) = W*[-y, x, 0]\n"
              "symmetry turn: x' = -y, y' = x, omega(g) = [0, 0, 1]\n"
              "symmetry spin: omega(g) = [0, 0, 1]\nsymmetry tx: x' = 1\nsymmetry ty: y' = 1\n"
              "start x = 1, y = 0.2, x' = 0.2, y' = 0.3\n");
    const LiaSearch* search = &s.e.classes.search;
    int named = 0;
    for (uint32_t i = 0; i < search->second.count; i++) {
        const double* c = search->second.found[i].c;
        bool own = true;
        for (uint32_t a = search->candidates.declared; a < search->candidates.count; a++)
            own &= c[a] == 0.0;
        if (!own) continue;
        named++;
        check(c[1] != 0.0 && c[0] == 0.0 && c[2] == 0.0 && c[3] == 0.0, "the spin alone", c[1]);
    }
    SAME(named, 1);
    SAME(search->second.count, 3);
    scene_clear(&s);
}

// A ball in a bowl, its centre on z = r^2/2, from r = 1 to r = 0.5: W = r theta' and the spin about
// the normal obey linear equations along r (Routh, Hermans), integrated with 30 digits elsewhere.
static void ball_in_a_bowl(void) {
    model = "bowl";
    Motion m = motion_of(
        "model bowl\nparameter m = 1, a = 0.1, I = m*a^2/(5/2)\ncoordinate r : line\n"
        "coordinate th : circle\ncoordinate R : rotation\nlet e = [cos(th), sin(th), 0]\n"
        "let n = ([0, 0, 1] - r*e)/sqrt(1 + r^2)\nbody ball: mass m, inertia I, position r*e + "
        "[0, 0, r^2/2], attitude R\ngravity [0, 0, -9.81]\n"
        "constraint rolling: r' = dot(a*cross(omega(R), n), e),\n"
        "  r*th' = dot(a*cross(omega(R), n), [-sin(th), cos(th), 0])\n"
        "observe W = r*th', spin = dot(omega(R), n)\nevent half: r = 0.5 falling stop\n"
        "start r = 1, th' = 0.3, r' = -0.1, omega(R) ~ [0, 0, 1]\nrun t = 0..5\n",
        NULL);
    near("r", motion_final(&m, "r"), 0.5, 1e-13);
    near("W", motion_final(&m, "W"), 0.614260370339795918, 1e-12);
    near("spin", motion_final(&m, "spin"), 1.4195537062307762, 1e-12);
    motion_clear(&m);
}

// A body turned about a fixed axis by an operator: its moment does no work, whichever coordinates
// the attitude has, and what it sets depends on the base alone.
static void turned_by_an_operator(void) {
    static const char* const ways[] = {
        "coordinate R : rotation\nbody b: mass 1, inertia [1, 2, 3], position [x, 0, 0], attitude "
        "R\n"
        "operator aim: R = rotz(t)*rotx(1)\n",
        "coordinate ps, th, ph : circle\nlet R = rotz(ps)*rotx(th)*rotz(ph)\n"
        "body b: mass 1, inertia [1, 2, 3], position [x, 0, 0], attitude R\n"
        "operator aim: ps = t, th = 1, ph = 0\n"};
    for (int k = 0; k < 2; k++) {
        char text[400];
        snprintf(text, sizeof text, "coordinate x : line\n%sstart x' = 0.3\n", ways[k]);
        Scene s = plain(ways[k], text);
        SAME(s.e.classes.energy_conserved, true);
        SAME(s.e.classes.one.word, LIA_DAZORD_ALMOST);
        SAME(s.e.classes.dimensions.S, 3);
        SAME(s.e.classes.dimensions.VstarM, 5);
        scene_clear(&s);
    }
    Scene s =
        plain("a moment that works",
              "coordinate R : rotation\nbody b: mass 1, inertia [1, 2, 3], position [0, 0, 0], "
              "attitude R\noperator aim: R = rotz(sin(t))*rotx(1)\nrun t = 0..2\n");
    SAME(s.e.classes.energy_conserved, false);
    scene_clear(&s);
}

// Ideal or not, and what servos leave: the same for one statement and for two.
static void statements_together(void) {
    static const char* const laws[] = {"operator o: [q1', q2'] = [q2', q3]\n",
                                       "operator o1: q1' = q2'\noperator o2: q2' = q3\n"};
    for (int k = 0; k < 2; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "coordinate q1, q2, q3 : line\nkinetic (q1'^2 + q2'^2 + q3'^2)/2\n%s", laws[k]);
        Scene s = plain(laws[k], text);
        SAME(s.e.classes.ideal_together, true);
        SAME(s.e.classes.servo.remaining, -1);
        SAME(s.e.classes.flag.bracket.known, true);
        SAME(s.e.classes.flag.bracket.count, 1);
        scene_clear(&s);
    }
    Scene s = plain("a servo", "coordinate a, b : line\nkinetic a'^2 + b'^2 + a'*b'\n"
                               "operator lead: b - a = 0 by d(b)\n");
    SAME(s.e.classes.ideal_together, false);
    SAME(s.e.classes.servo.remaining, 2);
    SAME(s.e.classes.flag.bracket.known, false);
    scene_clear(&s);
}

int main(void) {
    brackets_with_linear_terms();
    brackets_of_attitudes();
    driftless_parts();
    equations_that_follow();
    theorem_4_1();
    sperry();
    riemannian();
    hyper_regular();
    rolling_by_its_base();
    only_the_spin();
    ball_in_a_bowl();
    turned_by_an_operator();
    statements_together();
    return cases_end();
}
