// The bracket of V*M, its generator and K_Y along the fibres; connection and curvature of attitudes
// in body axes: against numbers computed by hand and by other programs.
// SPDX-License-Identifier: MIT
#include "geometry/scene.h"
#include <math.h>
#include <stdio.h>

static int cases, bad;

static void near(const char* what, double x, double expected, double error) {
    cases++;
    if (fabs(x - expected) <= error) return;
    bad++;
    printf("%s: %.17g, not %.17g +- %g\n", what, x, expected, error);
}

static void holds(const char* what, bool good) {
    cases++;
    if (good) return;
    bad++;
    printf("%s: is not so\n", what);
}

static const char generic[] =
    "coordinate x1, x2, s1, s2 : line\n"
    "let g11 = 3 + x1^2 + s2^2, g12 = x2*s1/3, g13 = x1*x2/2 + s2, g14 = sin(x2)/2\n"
    "let g22 = 2 + cos(x1)/2, g23 = s1*x1/2, g24 = 1 + x1*x2/3, g33 = 4 + x2^2, g34 = s1*x2/3\n"
    "let g44 = 5 + x1^2*s2^2\n"
    "kinetic (g11*x1'^2 + g22*x2'^2 + g33*s1'^2 + g44*s2'^2)/2 + g12*x1'*x2' + g13*x1'*s1'\n"
    "kinetic g14*x1'*s2' + g23*x2'*s1' + g24*x2'*s2' + g34*s1'*s2'\n"
    "potential x1^2*s1 + cos(x2)*s2\n"
    "operator o: [s1', s2'] = [s2 - 1/3, s1*s2 + 1/2]\n"
    "start x1 = 0.3, x2 = -0.4, s1 = 0.2, s2 = 0.7\n";
static const char generic_at[] =
    "x1 = 0.3, x2 = -0.4, s1 = 0.2, s2 = 0.7, p(x1) = 0.5, p(x2) = -0.3";

static void check_bracket(const LiaVerticalPoisson* v, double within) {
    holds("the bracket is looked at", v->known && v->states == 4);
    near("D_Y keeps the bracket", v->keeps, 0.0, within);
    near("D_Y = Y + X_R", v->generator, 0.0, within);
    near("D_0 = X_h0", v->frozen, 0.0, within);
    near("H(Y)", v->lift, 0.0, within);
}

static void generic_metric(void) {
    Scene s = scene_explain("generic", generic, &(LiaExplanationAsk){.at = generic_at});
    const LiaVerticalPoisson* v = &s.e.vertical;
    check_bracket(v, 1e-12);
    holds("K_Y is not constant", !v->constant && v->dK);
    near("dK/dx1", v->dK[0], 0.0705039387320, 1e-12);
    // h0 - K_Y - p A Y with the numbers of the metric, A and Y known beforehand
    double A[2][2] = {{0.17887548, -0.05150605}, {0.014033361, 0.38690672}};
    double Y[2] = {0.7 - 1.0 / 3.0, 0.64}, p[2] = {0.5, -0.3}, R = 0.7153744 - 1.2255833;
    for (int j = 0; j < 2; j++) R -= p[j] * (A[j][0] * Y[0] + A[j][1] * Y[1]);
    near("R", v->R, R, 1e-6);
    // -[H_1, H_2] of the two lifts, by computer algebra
    static const double curved[4] = {-0.177712985326887302, -0.00375571933062785278,
                                     -0.0263035183488128014, 0.0150317914367044553};
    holds("the curvature is known", v->curvature != NULL);
    for (int i = 0; v->curvature && i < 4; i++)
        near("curvature of the dynamical connection", v->curvature[i], curved[i], 1e-12);
    scene_clear(&s);
}

// A bead on a hoop that turns about an axis 0.2 away from its centre.
static void bead_on_a_hoop(void) {
    Scene s = scene_explain("hoop",
                            "coordinate theta, s : circle\n"
                            "let d = 0.2 + sin(theta)\n"
                            "let r = [cos(s)*d, sin(s)*d, -cos(theta)]\n"
                            "kinetic 1.3/2*dot(r', r')\n"
                            "operator o: s' = 2\n"
                            "start theta = 0.7\n",
                            &(LiaExplanationAsk){.at_start = true});
    const LiaVerticalPoisson* v = &s.e.vertical;
    check_bracket(v, 1e-12);
    near("K_Y", s.e.fields.K_Y, 1.85302910896, 1e-11);
    holds("K_Y is not constant", !v->constant && v->dK);
    near("dK/dtheta", v->dK[0], 3.35760517275, 1e-11);
    scene_clear(&s);
}

// All joints of a cat are driven: K_Y is constant on the fibres.
static void cat(void) {
    Scene s = scene_explain("cat",
                            "coordinate theta, s1, s2 : circle\n"
                            "let a = theta + s1, b = theta + s2\n"
                            "let u = [cos(theta), sin(theta)] + [cos(a), sin(a)]\n"
                            "let w = 1.2*[cos(b), sin(b)] - [cos(theta), sin(theta)]\n"
                            "kinetic dot(u', u') + dot(w', w')/3 + theta'^2 + a'^2/5 + b'^2/7\n"
                            "operator o: s1' = 1 + s2, s2' = cos(s1)\n"
                            "start theta = 0.4, s1 = 0.3, s2 = -0.8, theta' = 0.6\n",
                            &(LiaExplanationAsk){.at_start = true});
    check_bracket(&s.e.vertical, 1e-12);
    holds("K_Y is constant", s.e.vertical.constant && s.e.vertical.dK);
    scene_clear(&s);
}

// The same hoop and the same cat with masses in other units: the same verdicts, R and dK in
// proportion.
static void units_of_mass(void) {
    static const double masses[] = {1e-15, 1e-6, 1e9};
    for (size_t i = 0; i < sizeof masses / sizeof *masses; i++) {
        double m = masses[i];
        char text[512];
        snprintf(text, sizeof text,
                 "coordinate theta, s : circle\n"
                 "let d = 0.2 + sin(theta), r = [cos(s)*d, sin(s)*d, -cos(theta)]\n"
                 "kinetic %g*1.3/2*dot(r', r')\npotential -%g*3*cos(theta)\n"
                 "operator o: s' = 2\nstart theta = 0.7, theta' = 0.4\n",
                 m, m);
        Scene s = scene_explain("hoop", text, &(LiaExplanationAsk){.at_start = true});
        check_bracket(&s.e.vertical, 1e-12);
        holds("K_Y is not constant", !s.e.vertical.constant && s.e.vertical.dK);
        near("dK/dtheta over m", s.e.vertical.dK[0] / m, 3.35760517275, 1e-10);
        scene_clear(&s);
        snprintf(
            text, sizeof text,
            "coordinate theta, s : circle\nkinetic %g*(theta'^2 + (theta' + s')^2*(2 + cos(s)))\n"
            "operator o: s' = 1 + s\nstart theta = 0.4, s = 0.3, theta' = 0.6\n",
            m);
        s = scene_explain("cat", text, &(LiaExplanationAsk){.at_start = true});
        check_bracket(&s.e.vertical, 1e-12);
        holds("K_Y is constant", s.e.vertical.constant && s.e.vertical.dK);
        scene_clear(&s);
    }
}

// Attitudes and directions in the fibre, bases that are functions, directions or attitudes.
static void of_any_kind(void) {
    static const struct {
        const char *name, *text;
        double K_Y;  // by hand; NAN: not
    } all[] = {
        {"satellite with wheels",
         "coordinate R : rotation\ncoordinate s1, s2 : circle\nlet W = Omega(R)\n"
         "kinetic (W.x^2 + 2*W.y^2 + 2.5*W.z^2)/2 + 0.05*(W.x + s1')^2 + 0.04*(W.y + s2')^2\n"
         "operator o: [s1, s2] = [3*cos(t), 3*sin(t)]\n"
         "start R = rotx(0.5), omega(R) = [0.1, 0.2, 0.3]\n",
         0.5 / (1 / 0.08 + 1 / 2.0) * 9.0},
        {"heavy body on a driven car",
         "coordinate R : rotation\ncoordinate s : line\n"
         "body b: mass 1.3, inertia [0.4, 0.7, 0.5], position [s, 0, 0] + R*[0, 0.2, 0.8], "
         "attitude R\ngravity [0, 0, -9.81]\noperator o: s = sin(t)\n"
         "start R = rotx(0.6)*rotz(0.3), omega(R) = [0.3, 0.2, 7]\n",
         NAN},
        {"swing, Cartesian",
         "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\n"
         "operator length: hypot(x, y) = 2.5 + 0.3*sin(2*t)\n"
         "start x = 0.5, y ~ -2.4, x' ~ 0.1\n",
         0.18},
        {"small swing",
         "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\n"
         "operator length: hypot(x, y) = 0.05 + 0.003*sin(2*t)\n"
         "start x = 0.035, y ~ -0.036, x' ~ 0.1\n",
         0.000018},
        {"direction and attitude",
         "coordinate u : sphere\ncoordinate r : line\ncoordinate R : rotation\n"
         "kinetic dot((r*u)', (r*u)')/2 + dot(omega(R), omega(R))/2\n"
         "kinetic dot(R*[0, 0.3, 1], (r*u)')^2/9\n"
         "operator aim: u = [sin(0.4)*cos(t), sin(0.4)*sin(t), -cos(0.4)]\n"
         "start u ~ [0.4, 0, -0.9], r = 1.2, R = rotx(0.4), omega(R) = [0.1, 0.2, 0.3], r' = 0.2\n",
         NAN},
        {"direction in the fibre",
         "coordinate u : sphere\ncoordinate r : line\nkinetic dot((r*u)', (r*u)')/2\n"
         "potential 9.81*r*u.z\noperator o: r = 1 + t/2\n"
         "start u = [0.6, 0, -0.8], u' = [0, 0.3, 0]\n",
         0.125},
        {"driven attitude",
         "coordinate R : rotation\ncoordinate x, y, z : line\nlet P = R*[x, y, z]\n"
         "kinetic dot(P', P')/2 + dot(omega(R), omega(R))\npotential x^2 + 2*y^2 + z\n"
         "operator aim: R = rotz(t)*rotx(0.3)\nstart x = 1, y' = 1, z = 0.5\n",
         1.0},
        {"driven spin",
         "coordinate R : rotation\ncoordinate x, y, z : line\nlet P = R*[x, y, z]\n"
         "kinetic dot(P', P')/2 + dot(omega(R), omega(R))\n"
         "operator aim: omega(R) = [0.1, 0.2, 1]\nstart x = 1, y' = 1, z = 0.5\n",
         1.05},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        Scene s = scene_explain(all[i].name, all[i].text, &(LiaExplanationAsk){.at_start = true});
        int before = bad;
        check_bracket(&s.e.vertical, 1e-10);
        if (!isnan(all[i].K_Y)) near("K_Y", s.e.fields.K_Y, all[i].K_Y, 1e-13);
        if (bad > before) printf("in %s: %s\n", all[i].name, s.e.vertical.why);
        scene_clear(&s);
    }
}

// What does not keep the bracket is not said to.
static void not_looked_at(void) {
    static const char* const models[] = {
        "coordinate x, y, s : line\nkinetic x'^2 + y'^2 + s'^2 + x*s'*y'\noperator o: s' = 1\n"
        "constraint c: x' = s*y'\n",
        "coordinate x, s : line\nkinetic x'^2 + s'^2 + x*s'*x'\noperator o: s' = x'\n",
        "coordinate x, s : line\nkinetic x'^2 + s'^2 + x*s'*x'\noperator o: s' = 1\n"
        "dissipation x'^2\n",
        "coordinate x, s : line\nkinetic x'^2 + s'^2\noperator o: s' = 1 by d(s) + d(x)\n"
        "potential s^2\n",
    };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        char text[512];
        snprintf(text, sizeof text, "%sstart x = 0.3, x' = 0.2, s = 0.4\n", models[i]);
        Scene s = scene_explain("not", text, &(LiaExplanationAsk){.at_start = true});
        holds("it is not known", !s.e.vertical.known);
        scene_clear(&s);
    }
}

// A in R^3 of a free satellite with wheels depends on nothing; turned, it is the same in body axes.
// %s: how it stands.
static void satellite(const char* stands) {
    char text[1024];
    snprintf(text, sizeof text,
             "coordinate R : rotation\n"
             "coordinate s1, s2 : circle\n"
             "let I = [[3, 0.2, -0.1], [0.2, 4, 0.15], [-0.1, 0.15, 5]], W = Omega(R)\n"
             "kinetic 1/2*dot(W, I*W) + 0.1*(W.x*s1' + s1'^2/2) + 0.12*(W.y*s2' + s2'^2/2)\n"
             "operator wheels: s1 = 3*cos(t), s2 = 3*sin(t)\n"
             "start R = %s\n",
             stands);
    static const double expected[3][3] = {{0.033470717834, -0.00170055205113, 0.000720430918214},
                                          {-0.00204066246136, 0.0301374682717, -0.000944937297379},
                                          {2.01050488804e-5, -3.01575733206e-5, -0.00100525244402}};
    Scene s = scene_explain("satellite", text, &(LiaExplanationAsk){.at_start = true});
    const LiaFields* f = &s.e.fields;
    for (int which = 0; which < 3; which++) {
        double x[3] = {NAN, NAN, NAN}, vector[6];
        lia_attitude_fields_curvature(f, 0, 1, vector);
        for (size_t i = 0; which < 2 && i < 6; i++) vector[i] = -f->N[(size_t)which * 6 + i];
        holds("it has body axes", lia_attitude_fields_body(f, s.e.system->model, 0, vector, x));
        for (int k = 0; k < 3; k++) near("A, F", x[k], expected[which][k], 2e-14);
    }
    scene_clear(&s);
}

// A body that a moving mass shifts and turns: in se(3) neither place nor attitude matters, and the
// curvature is
//   F_12 = d1 A_2 - d2 A_1 - [A_1, A_2],   [(u, v), (w, z)] = (u x w, u x z - w x v)
static void body_with_an_arm(const char* stands, double out[6], double A[2][6], double s1,
                             double s2) {
    char text[1024];
    snprintf(text, sizeof text,
             "coordinate r : space\ncoordinate R : rotation\ncoordinate s1, s2 : line\n"
             "let W = Omega(R), I = [[3, 0.2, -0.1], [0.2, 4, 0.15], [-0.1, 0.15, 5]]\n"
             "let c = [0.8 + s1, 0.3*s2, 0.5*s2^2 + 0.2*s1], z = r + R*c\n"
             "kinetic dot(r', r') + 1/2*dot(W, I*W) + 0.7/2*dot(z', z') + 0.2*(W.y*s2' + s2'^2)\n"
             "operator arm: s1' = 1, s2' = 1\n"
             "start %s, s1 = %.17g, s2 = %.17g\n",
             stands, s1, s2);
    Scene s = scene_explain("arm", text, &(LiaExplanationAsk){.at_start = true});
    const LiaFields* f = &s.e.fields;
    double vector[9];
    for (size_t a = 0; a < 2; a++) {
        for (size_t i = 0; i < 9; i++) vector[i] = -f->N[a * 9 + i];
        lia_attitude_fields_body(f, s.e.system->model, 1, vector, A[a]);
        lia_attitude_fields_body(f, s.e.system->model, 0, vector, A[a] + 3);
    }
    lia_attitude_fields_curvature(f, 0, 1, vector);
    lia_attitude_fields_body(f, s.e.system->model, 1, vector, out);
    lia_attitude_fields_body(f, s.e.system->model, 0, vector, out + 3);
    // it begins without momentum of the fibre: h0 is 0, and K_Y does not depend on where it is
    near("h0", f->h0, 0.0, 1e-14);
    near("D_Y = D_0 - X_K + H(Y)", f->defect, 0.0, 1e-13);
    holds("K_Y is constant", s.e.vertical.constant);
    scene_clear(&s);
}

static void cross(const double* a, const double* b, double sign, double* out) {
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] += sign * (a[i] * b[j] - a[j] * b[i]);
    }
}

static void in_se3(void) {
    double F[6] = {0}, G[6] = {0}, other[6], A[2][6] = {{0}}, B[2][6] = {{0}}, h = 1e-3;
    double sides[4][2][6] = {{{0}}}, bracket[6] = {0};
    body_with_an_arm("r = [0, 0, 0], R = rotz(0)", F, A, 0.3, -0.4);
    body_with_an_arm("r = [1, 2, -3], R = rotx(0.4)*rotz(1.7)", G, B, 0.3, -0.4);
    for (int side = 0; side < 4; side++) {
        double by = side % 2 ? -h : h;
        body_with_an_arm("r = [0, 0, 0], R = rotz(0)", other, sides[side],
                         0.3 + (side < 2 ? by : 0.0), -0.4 + (side < 2 ? 0.0 : by));
    }
    cross(A[0], A[1], 1.0, bracket);
    cross(A[0], A[1] + 3, 1.0, bracket + 3);
    cross(A[1], A[0] + 3, -1.0, bracket + 3);
    for (int k = 0; k < 6; k++) {
        near("A wherever it is", B[0][k], A[0][k], 1e-14);
        near("F wherever it is", G[k], F[k], 1e-13);
        double turn = (sides[0][1][k] - sides[1][1][k] - sides[2][0][k] + sides[3][0][k]) / (2 * h);
        near("F in se(3)", F[k], turn - bracket[k], 1e-6);
    }
    holds("it is curved", fabs(F[2]) > 1e-3 && fabs(F[4]) > 1e-4);
}

int main(void) {
    generic_metric();
    bead_on_a_hoop();
    cat();
    units_of_mass();
    of_any_kind();
    not_looked_at();
    satellite("rotz(0)");
    satellite("rotx(0.7)*rotz(-1.2)*roty(2)");
    in_se3();
    printf("%d passed, %d failed\n", cases - bad, bad);
    return bad > 0;
}
