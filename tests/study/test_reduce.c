// Systems divided by groups of the first type: the quotient is read and run, and what the group
// moves is carried along. Both must be the full motion. Translations, an angle, SE(2), SO(3) from
// either side, SE(3); with constraints and friction.
// SPDX-License-Identifier: MIT
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include <liaison/liaison.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(bool ok, const char* model, const char* what, double got) {
    if (cases_count(ok)) return;
    printf("%s: %s: %.17g\n", model, what, got);
}

typedef struct Motion {
    LiaDiags* diags;
    LiaModel* model;
    LiaSystem* system;
    LiaTrajectory* run;
} Motion;

static bool build(const char* name, const char* text, Motion* m) {
    m->diags = lia_diags_create();
    LiaStatus status = lia_model_parse(name, text, strlen(text), NULL, m->diags, &m->model);
    if (status == LIA_OK) status = lia_system_build(m->model, NULL, m->diags, &m->system);
    return status == LIA_OK;
}

static void clear(Motion* m) {
    lia_trajectory_destroy(m->run);
    lia_system_destroy(m->system);
    lia_model_destroy(m->model);
    lia_diags_destroy(m->diags);
}

static void complain(const char* name, const Motion* m) {
    char* said = lia_diags_text(m->diags);
    check(false, name, said ? said : "", 0.0);
    lia_free(said);
}

static double final_value(const Motion* m, const char* name) {
    for (size_t k = 0; k < m->run->column_count; k++) {
        if (strcmp(m->run->columns[k].name, name) == 0) return m->run->final.values[k];
    }
    return NAN;
}

// The distance of the two points of `pair`, or of `body` from the origin. What is fixed on the
// slice is as it starts.
static double distance(const Motion* m, const char* const* names, const double* start, int count) {
    double x[4], sum = 0.0;
    for (int i = 0; i < count; i++) {
        x[i] = final_value(m, names[i]);
        if (isnan(x[i])) x[i] = start[i];
    }
    if (count == 4) return hypot(x[0] - x[1], x[2] - x[3]);
    for (int i = 0; i < count; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

static void same_shape(const char* name, const Motion* full, const Motion* quotient) {
    static const char* const points[] = {"x1", "x2", "y1", "y2"};
    static const char* const place[] = {"b.position.x", "b.position.y", "b.position.z"};
    static const char* const there[] = {"b_position_x", "b_position_y", "b_position_z"};
    bool two = strncmp(name, "pair", 4) == 0;
    const double* start = two ? (const double[]){1, -1, 0.1, 0} : (const double[]){0.1, 0.2, 0.3};
    double a = distance(full, two ? points : place, start, two ? 4 : 3);
    double b = distance(quotient, two ? points : there, start, two ? 4 : 3);
    check(fabs(a - b) <= 1e-12, name, "a distance", a - b);
}

// `names`: of the full motion and of the quotient, in pairs, which must agree; NULL ends them.
static void same(const char* name, const char* text, const char* by, bool reconstruct,
                 const char* const* names, double within) {
    Motion full = {0}, quotient = {0};
    char* reduced = NULL;
    if (build(name, text, &full)) {
        LiaReduceOptions options = {.by = by, .reconstruct = reconstruct};
        reduced = lia_reduce(full.system, &options, full.diags);
    }
    if (!reduced) {
        complain(name, &full);
    } else if (!build(name, reduced, &quotient)) {
        complain(name, &quotient);
        printf("%s\n", reduced);
    } else {
        lia_motion_run(full.system, NULL, full.diags, &full.run);
        lia_motion_run(quotient.system, NULL, quotient.diags, &quotient.run);
        check(lia_diags_count(quotient.diags) == 0, name, "diagnostics",
              (double)lia_diags_count(quotient.diags));
        for (int i = 0; names[i]; i += 2) {
            double a = final_value(&full, names[i]), b = final_value(&quotient, names[i + 1]);
            check(fabs(a - b) <= within, name, names[i], a - b);
        }
        if (!names[0]) same_shape(name, &full, &quotient);
        double energy = final_value(&quotient, "energy") - final_value(&full, "energy");
        check(fabs(energy) <= 10.0 * within, name, "energy", energy);
    }
    lia_free(reduced);
    clear(&full);
    clear(&quotient);
}

static const char ball[] =
    "model ball\nparameter m = 1, r = 0.1, Rc = 0.5, I = 2/5*m*r^2\ncoordinate z : line\n"
    "coordinate theta : circle\ncoordinate g : rotation\nlet n = [cos(theta), sin(theta), 0]\n"
    "body ball: mass m, inertia I, position (Rc - r)*n + [0, 0, z], attitude g\n"
    "gravity [0, 0, -9.81]\nconstraint rolling: velocity(ball, ball.position + r*n) = 0\n"
    "symmetry around: theta' = 1, omega(g) = [0, 0, 1]\n"
    "symmetry spin[i = 1..3]: omega(g) = g*[if(i < 2, 1, 0), if(i < 2, 0, if(i < 3, 1, 0)), "
    "if(i < 3, 0, 1)]\n"
    "start z = 0, theta = 0.3, theta' = 3, z' = 0\nrun t = 0..10, tolerance 1e-15\n";

static const char sleigh[] =
    "model sleigh\nparameter m = 1, J = 0.4, a = 0.3\ncoordinate x, y : line\n"
    "coordinate th : circle\n"
    "kinetic m/2*((x' - a*th'*sin(th))^2 + (y' + a*th'*cos(th))^2) + J/2*th'^2\n"
    "constraint blade: y'*cos(th) - x'*sin(th) = 0\nforce drag: -0.1*th'*d(th)\n"
    "symmetry tx: x' = 1\nsymmetry ty: y' = 1\nsymmetry turn: th' = 1, x' = -y, y' = x\n"
    "start x = 0.3, y = -0.2, th = 0.4, th' = 1, x' = 0.2\nrun t = 0..5, tolerance 1e-15\n";

#define AXES "let e1 = [1, 0, 0], e2 = [0, 1, 0], e3 = [0, 0, 1]\n"

static const char body[] =
    "model body\nbody b: mass 2, inertia [1, 2, 3], free\n" AXES
    "symmetry x1: b.position' = e1\nsymmetry x2: b.position' = e2\nsymmetry x3: b.position' = e3\n"
    "symmetry r1: b.position' = cross(e1, b.position), omega(b.attitude) = e1\n"
    "symmetry r2: b.position' = cross(e2, b.position), omega(b.attitude) = e2\n"
    "symmetry r3: b.position' = cross(e3, b.position), omega(b.attitude) = e3\n"
    "start b.position = [0.1, 0.2, 0.3], b.position' = [1, 0, 0.5], b.attitude = rotx(0.3),\n"
    "  omega(b.attitude) = [0.3, 2, 0.5]\nrun t = 0..5, tolerance 1e-15\n";

static const char pair[] =
    "model pair\ncoordinate x1, y1, x2, y2 : line\n"
    "kinetic (x1'^2 + y1'^2)/2 + 3/2*(x2'^2 + y2'^2)\n"
    "potential -1/hypot(x1 - x2, y1 - y2)\nsymmetry tx: x1' = 1, x2' = 1\n"
    "symmetry ty: y1' = 1, y2' = 1\n"
    "symmetry turn: x1' = -y1, y1' = x1, x2' = -y2, y2' = x2\n"
    "start x1 = 1, y1 = 0.1, x2 = -1, y1' = 0.4, x2' = 0.1\nrun t = 0..5, tolerance 1e-15\n";

static const char top[] =
    "model top\nparameter I1 = 1, I3 = 0.5, mgl = 2\ncoordinate phi, th, psi : circle\n"
    "kinetic I1/2*(th'^2 + phi'^2*sin(th)^2) + I3/2*(psi' + phi'*cos(th))^2\n"
    "potential mgl*cos(th)\ndissipation 0.01*th'^2\nsymmetry around: phi' = 1\n"
    "symmetry spin: psi' = 1\nstart th = 0.5, psi' = 6, phi' = 0.2\nrun t = 0..5, tolerance "
    "1e-15\n";

static const char heavy[] =
    "model heavy\ncoordinate phi, th, psi : circle\n"
    "body b: mass 1.3, inertia [0.4, 0.7, 0.5], position rotz(phi)*rotx(th)*[0, 0, 0.8], attitude "
    "rotz(phi)*rotx(th)*rotz(psi)\ngravity [0, 0, -9.81]\n"
    "symmetry around: phi' = 1\nstart th = 0.6, phi = 0.2, psi' = 7, phi' = 0.5\n"
    "run t = 0..3, tolerance 1e-15\n";

static const char rotors[] =
    "model rotors\ncoordinate R : rotation\ncoordinate a, b : circle\n" AXES
    "let W = Omega(R)\nkinetic (3*W.x^2 + 4*W.y^2 + 5*W.z^2 + W.x*W.y)/2 + (W.x + a')^2/4 + (W.y + "
    "b')^2/3\npotential cos(a)/5\nsymmetry r1: omega(R) = e1\nsymmetry r2: omega(R) = e2\n"
    "symmetry r3: omega(R) = e3\nstart R = rotx(0.4), a = 0.3, a' = 2, b' = -1, omega(R) = [0.3, "
    "1, 0.2]\nrun t = 0..5, tolerance 1e-15\n";

// Kirchhoff's body: added masses along its axes.
static const char fluid[] =
    "model fluid\ncoordinate p : space\ncoordinate R : rotation\n" AXES
    "let u = transpose(R)*p', W = Omega(R)\n"
    "kinetic (2*u.x^2 + 3*u.y^2 + 1.5*u.z^2)/2 + (W.x^2 + 2*W.y^2 + 1.4*W.z^2)/2 + u.x*W.y/5\n"
    "symmetry x1: p' = e1\nsymmetry x2: p' = e2\nsymmetry x3: p' = e3\n"
    "symmetry r1: p' = cross(e1, p), omega(R) = e1\nsymmetry r2: p' = cross(e2, p), omega(R) = "
    "e2\nsymmetry r3: p' = cross(e3, p), omega(R) = e3\n"
    "start p = [0.2, 0.1, 0], p' = [1, 0.3, 0.2], R = rotz(0.5), omega(R) = [0.4, 1, 0.3]\n"
    "run t = 0..3, tolerance 1e-15\n";

static const char rolls[] =
    "model rolls\ncoordinate x, y : line\ncoordinate R : rotation\n"
    "let W = Omega(R)\nkinetic (x'^2 + y'^2)/2 + (W.x^2 + 1.5*W.y^2 + 2*W.z^2)/5\n"
    "constraint roll: [x', y'] = [omega(R).y, -omega(R).x]\nsymmetry tx: x' = 1\n"
    "symmetry ty: y' = 1\nstart x = 0.3, omega(R) = [0.4, 1, 0.7]\n"
    "run t = 0..3, tolerance 1e-15\n";

// Magnetic terms, a metric that couples, and an operator that drives: only q1 is cyclic.
static const char magnetic[] =
    "model magnetic\ncoordinate q1, q2, s : line\n"
    "lagrangian (2 + q2^2)*q1'^2/2 + q2'^2/2 + s'^2 + q1'*q2'*cos(q2)/2 + q2^2*q1' - q2^2*(1 + "
    "s^2)\n"
    "operator drive: s = sin(t)/2\nsymmetry along: q1' = 1\n"
    "start q1 = 0.2, q1' = 0.3, q2 = 0.5, s' = 0.5\nrun t = 0..5, tolerance 1e-15\n";

// Directions: a spherical pendulum, a load on a crane's trolley, a dumb-bell round a centre.
static const char sphere[] =
    "model sphere\nparameter m = 1.3, l = 0.9\ncoordinate u : sphere\n"
    "kinetic m*l^2/2*dot(u', u')\npotential m*9.81*l*u.z\n"
    "symmetry turn: u' = cross([0, 0, 1], u)\nstart u = [0.6, 0, -0.8], u' = [0, 0.7, 0]\n"
    "run t = 0..3, tolerance 1e-15\n";

static const char crane[] =
    "model crane\ncoordinate s : line\ncoordinate n : sphere\nlet P = [s, 0, 0] + 2*n\n"
    "kinetic 10*s'^2 + 1.5*dot(P', P')\npotential 29.43*P.z\nforce drag: -0.4*s'*d(s)\n"
    "symmetry along: s' = 1\nstart n = unit([0.2, 0.1, -1]), s' = 0.3, n' ~ [0, 0.4, 0]\n"
    "run t = 0..3, tolerance 1e-15\n";

static const char bell[] =
    "model bell\ncoordinate c : space\ncoordinate u : sphere\n" AXES
    "let P = c + 0.3*u, Q = c - 0.6*u\nkinetic dot(P', P') + dot(Q', Q')/2\n"
    "potential -2/norm(P) - 1/norm(Q)\nsymmetry r1: c' = cross(e1, c), u' = cross(e1, u)\n"
    "symmetry r2: c' = cross(e2, c), u' = cross(e2, u)\n"
    "symmetry r3: c' = cross(e3, c), u' = cross(e3, u)\n"
    "start c = [2, 0.1, 0], c' = [0, 0.6, 0.1], u = [0, 0.6, 0.8], u' = [0.5, 0.04, -0.03]\n"
    "run t = 0..2, tolerance 1e-15\n";

// Steered wheels without inertia: what an operator says of them stands in their place.
static const char board[] =
    "model board\ncoordinate x, y : line\ncoordinate th, ps, f, h : circle\n"
    "kinetic 3*(x'^2 + y'^2) + 0.01*th'^2 + 0.08*(th' + ps')^2\n"
    "constraint front: -x'*sin(th + f) + y'*cos(th + f) + 0.2*th'*cos(f) = 0\n"
    "constraint back: -x'*sin(th + h) + y'*cos(th + h) - 0.2*th'*cos(h) = 0\n"
    "operator rotor: ps = 0.7*sin(t)\noperator one: f = 0.3*cos(t)\n"
    "operator two: h = -0.3*cos(t)\nsymmetry tx: x' = 1\nsymmetry ty: y' = 1\n"
    "symmetry turn: th' = 1, x' = -y, y' = x\nrun t = 0..6, tolerance 1e-15\n";

// The distance |c| of the dumb-bell and the tilt of its axis against c, which SO(3) leaves.
static void bell_by_turns(void) {
    Motion full = {0}, quotient = {0};
    char* reduced = NULL;
    if (build("bell", bell, &full))
        reduced = lia_reduce(
            full.system, &(LiaReduceOptions){.by = "r1,r2,r3", .reconstruct = true}, full.diags);
    if (!reduced || !build("bell", reduced, &quotient)) {
        complain("bell", reduced ? &quotient : &full);
    } else {
        check(lia_diags_count(quotient.diags) == 0, "bell", "diagnostics", 0.0);
        double c[2][3], u[2][3], with[2] = {0.0, 0.0}, square[2] = {0.0, 0.0};
        lia_motion_run(full.system, NULL, full.diags, &full.run);
        lia_motion_run(quotient.system, NULL, quotient.diags, &quotient.run);
        for (int e = 0; e < 2; e++) {
            for (int i = 0; i < 3; i++) {
                char name[2][8];
                snprintf(name[0], sizeof name[0], "c%c%c", e ? '_' : '.', "xyz"[i]);
                snprintf(name[1], sizeof name[1], "u%c%c", e ? '_' : '.', "xyz"[i]);
                c[e][i] = final_value(e ? &quotient : &full, name[0]);
                u[e][i] = final_value(e ? &quotient : &full, name[1]);
                if (isnan(c[e][i])) c[e][i] = (double[]){2.0, 0.1, 0.0}[i];  // it stays
                with[e] += c[e][i] * u[e][i], square[e] += c[e][i] * c[e][i];
            }
        }
        check(fabs(square[0] - square[1]) <= 1e-12, "bell", "|c|^2", square[1] - square[0]);
        check(fabs(with[0] - with[1]) <= 1e-12, "bell", "c u", with[1] - with[0]);
        static const char* const moved[] = {"c.x", "moved_c_x", "c.y", "moved_c_y",
                                            "c.z", "moved_c_z", "u.x", "moved_u_x",
                                            "u.y", "moved_u_y", "u.z", "moved_u_z"};
        for (int i = 0; i < 12; i += 2) {
            double miss = final_value(&quotient, moved[i + 1]) - final_value(&full, moved[i]);
            check(fabs(miss) <= 1e-12, "bell", moved[i], miss);
        }
    }
    lia_free(reduced);
    clear(&full);
    clear(&quotient);
}

// z(t) of the ball against its closed form at all samples: the full motion, the quotient, and the
// quotient written by hand as (P, Lambda, H, D, W).
static void z_of(const char* name, const char* text) {
    Motion m = {0};
    if (!build(name, text, &m)) {
        complain(name, &m);
        clear(&m);
        return;
    }
    lia_motion_run(m.system, NULL, m.diags, &m.run);
    size_t z = lia_trajectory_find(m.run, "z"), rows = lia_trajectory_rows(m.run);
    double worst = rows > 100 ? 0.0 : INFINITY, square = 2.0 / 7.0 * 9.0;
    for (size_t i = 0; i < rows; i++) {
        double t = lia_trajectory_value(m.run, i, 0), at = lia_trajectory_value(m.run, i, z);
        double want = -5.0 / 7.0 * 9.81 / square * (1.0 - cos(t * sqrt(square)));
        worst = fmax(worst, fabs(at - want));
    }
    check(worst <= 1e-12, name, "z(t)", worst);
    clear(&m);
}

static void ball_along_its_closed_form(void) {
    Motion full = {0};
    z_of("full", ball);
    z_of("by hand",
         "parameter m = 1, r = 0.1, Rc = 0.5, I = 2/5*m*r^2\nphase z, pz, pt\nphase M : space\n"
         "bracket {z, pz} = 1, {pt, M} = [-M.y, M.x, 0],\n"
         "  {M, M} = [[0, M.z, -M.y], [-M.z, 0, M.x], [M.y, -M.x, 0]]\n"
         "hamiltonian m*9.81*z + pz^2/(2*m) + pt^2/(2*m*(Rc - r)^2) + dot(M, M)/(2*I)\n"
         "constraint around: pt/(m*(Rc - r)) + r/I*M.z = 0 force (Rc - r)*d(pt) + r*d(M.z)\n"
         "constraint along: pz/m = r/I*M.y force d(pz) - r*d(M.y)\n"
         "start z = 0, pz = 0, pt = 0.48\nrun t = 0..10, tolerance 1e-15\n");
    if (build("ball", ball, &full)) {
        char* text = lia_reduce(full.system, &(LiaReduceOptions){.by = "spin,around"}, full.diags);
        z_of("reduced", text ? text : "");
        lia_free(text);
    }
    clear(&full);
}

// An attitude that is turned about one axis, or about one of space and one of the body: the cosine
// of the tilt, which both leave, in the full motion and in the quotient.
static double tilt_of(const Motion* m, const char* of) {
    double q[4];
    for (int i = 0; i < 4; i++) {
        char name[20];
        snprintf(name, sizeof name, "R%s%c", of, "wxyz"[i]);
        q[i] = final_value(m, name);
    }
    return q[0] * q[0] + q[3] * q[3] - q[1] * q[1] - q[2] * q[2];
}

static void tilts(const char* name, const char* text, const char* by, size_t casimirs) {
    Motion full = {0}, quotient = {0};
    char* reduced = NULL;
    if (build(name, text, &full))
        reduced = lia_reduce(full.system, &(LiaReduceOptions){.by = by}, full.diags);
    if (!reduced || !build(name, reduced, &quotient)) {
        complain(name, reduced ? &quotient : &full);
    } else {
        lia_motion_run(full.system, NULL, full.diags, &full.run);
        lia_motion_run(quotient.system, NULL, quotient.diags, &quotient.run);
        double tilt = tilt_of(&full, "."), energy = final_value(&full, "energy");
        check(lia_diags_count(quotient.diags) == 0, name, "diagnostics", 0.0);
        check(fabs(tilt_of(&quotient, "_") - tilt) <= 1e-12, name, "tilt", tilt);
        check(fabs(final_value(&quotient, "energy") - energy) <= 1e-11, name, "energy", energy);
        check(quotient.run->conserved.count >= 1 + casimirs, name, "Casimir functions",
              (double)quotient.run->conserved.count);
    }
    lia_free(reduced);
    clear(&full);
    clear(&quotient);
}

#define TOP(inertia)                                                                               \
    "coordinate R : rotation\nbody b: mass 1.3, inertia " inertia                                  \
    ", position R*[0, 0, 0.8], attitude R\ngravity [0, 0, -9.81]\n"                                \
    "symmetry around: omega(R) = [0, 0, 1]\nsymmetry spin: omega(R) = R*[0, 0, 1]\n"               \
    "start R = rotx(0.6), omega(R) = [0.3, 0.2, 7]\nrun t = 0..2, tolerance 1e-15\n"

static void turns_about_one_axis(void) {
    tilts("top about the vertical", TOP("[0.4, 0.7, 0.5]"), "around", 3);
    tilts("symmetric top, both", TOP("[0.4, 0.4, 0.5]"), "around,spin", 1);
    tilts("rolling ball by SE(2)",
          "coordinate x, y : line\ncoordinate R : rotation\nlet W = Omega(R)\n"
          "kinetic (x'^2 + y'^2)/2 + (W.x^2 + 1.5*W.y^2 + 2*W.z^2)/5\n"
          "constraint roll: [x', y'] = [omega(R).y, -omega(R).x]\nsymmetry tx: x' = 1\n"
          "symmetry ty: y' = 1\nsymmetry turn: x' = -y, y' = x, omega(R) = [0, 0, 1]\n"
          "start x = 0.3, R = rotx(0.4), omega(R) = [0.4, 1, 0.7]\nrun t = 0..2, tolerance 1e-15\n",
          "tx,ty,turn", 0);
}

// What the group moves by matrices: attitudes turned in part, plane coordinates that are mixed.
static void carried_along(void) {
    static const char* const attitude[] = {
        "R.w", "moved_R_w", "R.x", "moved_R_x", "R.y", "moved_R_y", "R.z", "moved_R_z", NULL};
    same("asymmetric top, its attitude", TOP("[0.4, 0.7, 0.5]"), "around", true, attitude, 1e-12);
    same("symmetric top, its attitude", TOP("[0.4, 0.4, 0.5]"), "around,spin", true, attitude,
         1e-12);
    same("rolling ball by SE(2), all of it",
         "coordinate x, y : line\ncoordinate R : rotation\nlet W = Omega(R)\n"
         "kinetic (x'^2 + y'^2)/2 + (W.x^2 + 1.5*W.y^2 + 2*W.z^2)/5\n"
         "constraint roll: [x', y'] = [omega(R).y, -omega(R).x]\nsymmetry tx: x' = 1\n"
         "symmetry ty: y' = 1\nsymmetry turn: x' = -y, y' = x, omega(R) = [0, 0, 1]\n"
         "start x = 0.3, R = rotx(0.4), omega(R) = [0.4, 1, 0.7]\nrun t = 0..2, tolerance 1e-15\n",
         "tx,ty,turn", true,
         (const char* const[]){"x", "moved_x", "y", "moved_y", "R.w", "moved_R_w", "R.x",
                               "moved_R_x", "R.y", "moved_R_y", "R.z", "moved_R_z", NULL},
         1e-12);
    same(
        "two points by a turn",
        "coordinate x, y, u, v : line\nkinetic (x'^2 + y'^2)/2 + u'^2 + v'^2\n"
        "potential (x - u)^2 + (y - v)^2\n"
        "symmetry turn: x' = -y, y' = x, u' = -v, v' = u\n"
        "start x = 1, u = -1, y' = 0.4, v' = 0.2, v = 0.3\nrun t = 0..1, tolerance 1e-15\n",
        "turn", true,
        (const char* const[]){"x", "moved_x", "y", "moved_y", "u", "moved_u", "v", "moved_v", NULL},
        1e-12);
    same("bell by S1, its directions", bell, "r3", true,
         (const char* const[]){"c.x", "moved_c_x", "c.y", "moved_c_y", "c.z", "c_z", "u.x",
                               "moved_u_x", "u.y", "moved_u_y", "u.z", "moved_u_z", NULL},
         1e-12);
}

static void motions(void) {
    static const char* const all[] = {"z",   "z",   "theta", "theta", "g.w", "g_w", "g.x",
                                      "g_x", "g.y", "g_y",   "g.z",   "g_z", NULL};
    same("ball by SO(3) x S1", ball, "spin,around", false, (const char* const[]){"z", "z", NULL},
         1e-12);
    same("ball, with its orbit", ball, "spin,around", true, all, 2e-10);
    same("ball by S1", ball, "around", true,
         (const char* const[]){"z", "z", "theta", "theta", NULL}, 1e-9);
    same("spherical pendulum", sphere, "turn", false, (const char* const[]){"u.z", "u_z", NULL},
         1e-12);
    same("crane", crane, "along", true,
         (const char* const[]){"n.x", "n_x", "n.y", "n_y", "n.z", "n_z", "s", "s", NULL}, 1e-12);
    same("bell by S1", bell, "r3", false, (const char* const[]){"c.z", "c_z", "u.z", "u_z", NULL},
         1e-12);
    bell_by_turns();
    same("snakeboard by SE(2)", board, "tx,ty,turn", true,
         (const char* const[]){"x", "x", "y", "y", "th", "th", "ps", "ps", NULL}, 1e-12);
    same("sleigh by SE(2)", sleigh, "tx,ty,turn", true,
         (const char* const[]){"x", "x", "y", "y", "th", "th", NULL}, 1e-12);
    same("sleigh by R2", sleigh, "tx, ty", true,
         (const char* const[]){"x", "x", "y", "y", "th", "th", NULL}, 1e-12);
    same("body by SE(3)", body, "x1,x2,x3,r1,r2,r3", true,
         (const char* const[]){"b.position.x", "b_position_x", "b.position.z", "b_position_z",
                               "b.attitude.w", "b_attitude_w", "b.attitude.x", "b_attitude_x",
                               "b.attitude.y", "b_attitude_y", "b.attitude.z", "b_attitude_z",
                               NULL},
         1e-12);
    same("body by SO(3)", body, "r1,r2,r3", true, (const char* const[]){NULL}, 1e-12);
    same("pair by SE(2)", pair, "tx,ty,turn", false, (const char* const[]){NULL}, 1e-12);
    same("pair by a turn", pair, "turn", false, (const char* const[]){NULL}, 1e-12);
    same("top", top, "around,spin", true,
         (const char* const[]){"th", "th", "phi", "phi", "psi", "psi", NULL}, 1e-12);
    same("heavy top about the vertical", heavy, "around", true,
         (const char* const[]){"phi", "phi", "th", "th", "psi", "psi", NULL}, 1e-12);
    same("satellite with rotors by SO(3)", rotors, "r1,r2,r3", true,
         (const char* const[]){"a", "a", "b", "b", "R.w", "R_w", "R.x", "R_x", "R.y", "R_y", "R.z",
                               "R_z", NULL},
         1e-12);
    same("body in a fluid by SE(3)", fluid, "x1,x2,x3,r1,r2,r3", true,
         (const char* const[]){"p.x", "p_x", "p.y", "p_y", "p.z", "p_z", "R.w", "R_w", "R.x", "R_x",
                               "R.y", "R_y", "R.z", "R_z", NULL},
         1e-12);
    same("rolling ball by R2", rolls, "tx,ty", true,
         (const char* const[]){"x", "x", "y", "y", "R.w", "R_w", "R.z", "R_z", NULL}, 1e-12);
    same("magnetic", magnetic, "along", true,
         (const char* const[]){"q1", "q1", "q2", "q2", "s", "s", NULL}, 1e-12);
}

static void refused(const char* name, const char* text, const char* by, const char* code) {
    Motion m = {0};
    char* reduced =
        build(name, text, &m) ? lia_reduce(m.system, &(LiaReduceOptions){.by = by}, m.diags) : NULL;
    bool found = false;
    for (size_t i = 0; i < lia_diags_count(m.diags); i++) {
        found = found || strcmp(lia_diag_at(m.diags, i)->code, code) == 0;
    }
    check(!reduced && found, name, code, 0.0);
    lia_free(reduced);
    clear(&m);
}

static void refusals(void) {
    refused("no such symmetry", top, "nobody", "E0369");
    refused("twice", top, "spin,spin", "E0369");
    refused("not of the first type",
            "coordinate x : line\nkinetic x'^2\npotential x^2\nsymmetry s: x' = 1\n", "s", "E0370");
    refused("a fixed point",
            "coordinate x, y : line\nkinetic x'^2 + y'^2\nsymmetry s: x' = -y, y' = x\n", "s",
            "E0371");
    refused("no group", body, "r1,r2", "E0372");
    refused(
        "without inertia",
        "coordinate x, y : line\nkinetic x'^2\nconstraint c: y = x\nsymmetry s: x' = 1, y' = 1\n",
        "s", "E0373");
    refused("what acts by an event",
            "coordinate x, y : line\nkinetic x'^2 + y'^2\nevent e: x = 2\n"
            "force f: -x'*d(x) from e\nsymmetry s: y' = 1\n",
            "s", "E0373");
}

static void arguments(void) {
    Motion m = {0};
    check(build("top", top, &m), "top", "builds", 0.0);
    LiaReduceOptions options = {.by = "spin"};
    check(!lia_reduce(NULL, &options, m.diags), "arguments", "no system", 0.0);
    check(!lia_reduce(m.system, NULL, m.diags), "arguments", "no options", 0.0);
    check(!lia_reduce(m.system, &(LiaReduceOptions){0}, m.diags), "arguments", "no names", 0.0);
    check(!lia_reduce(m.system, &options, NULL), "arguments", "no diagnostics", 0.0);
    clear(&m);
}

int main(void) {
    ball_along_its_closed_form();
    turns_about_one_axis();
    carried_along();
    motions();
    refusals();
    arguments();
    return cases_end();
}
