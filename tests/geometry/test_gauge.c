// Momenta with coefficients that depend on the position, against the equations of the literature:
// the ball on a surface of revolution (Routh, Hermans), the ball in a cylinder, the skater, the
// rolling disk (Appell, Korteweg).
// SPDX-License-Identifier: MIT
#include "base/numeric/quaternion.h"
#include "scene.h"
#include "support/cases.h"
#include "support/file.h"
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

static Scene scene_of(const char* name, const char* text) {
    model = name;
    return scene_explain(name, text, &(LiaExplanationAsk){0});
}

// --- the ball on a surface of revolution -----------------------------------------------------

static const double radius = 0.1, kappa = 2.5;

// d(W, omega_n)/dr of the centre on z = r^2/2, W = r theta'.
static void slope(double r, const double* y, double* out) {
    double turn = 1.0 / (1.0 + r * r);  // of the angle of the slope
    out[0] = -y[0] / r - radius * turn / (1.0 + kappa) * y[1];
    out[1] = (turn - 1.0) * y[0] / radius;
}

static void integrate(double from, double to, double* y) {
    enum { STEPS = 4000 };
    double h = (to - from) / STEPS;
    for (int i = 0; i < STEPS; i++) {
        double r = from + i * h, k[4][2], at[2];
        slope(r, y, k[0]);
        for (int j = 0; j < 2; j++) at[j] = y[j] + h / 2 * k[0][j];
        slope(r + h / 2, at, k[1]);
        for (int j = 0; j < 2; j++) at[j] = y[j] + h / 2 * k[1][j];
        slope(r + h / 2, at, k[2]);
        for (int j = 0; j < 2; j++) at[j] = y[j] + h * k[2][j];
        slope(r + h, at, k[3]);
        for (int j = 0; j < 2; j++) y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    }
}

// The momentum of the field Z at q = (r, theta, attitude) of a ball with (W, omega_n), m = 1.
static double momentum(const double* q, const double* Z, const double* y) {
    double r = q[0], c = cos(q[1]), s = sin(q[1]), length = sqrt(1 + r * r), spin[3];
    double n[3] = {-r * c / length, -r * s / length, 1 / length}, v[3] = {-s * y[0], c * y[0], 0};
    double I = radius * radius / kappa, sum = y[0] * r * Z[1];
    lia_quaternion_spin(q + 2, Z + 2, spin);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double omega = y[1] * n[i] + (n[j] * v[k] - n[k] * v[j]) / radius;
        sum += I * omega * spin[i];
    }
    return sum;
}

static void ball_on_a_paraboloid(void) {
    double one[2] = {1, 0}, two[2] = {0, 1}, both[2] = {0.3, 0.7071067812};
    model = "the equations themselves";
    integrate(1, 0.5, one), integrate(1, 0.5, two), integrate(1, 0.5, both);
    check(fabs(one[0] - 2.01579957360677) < 1e-12, "W of (1, 0)", one[0]);
    check(fabs(one[1] - 2.35620310741875) < 1e-12, "omega_n of (1, 0)", one[1]);
    check(fabs(two[0] - 0.0134640177566786) < 1e-12, "W of (0, 1)", two[0]);
    check(fabs(two[1] - 1.00789978680339) < 1e-12, "omega_n of (0, 1)", two[1]);
    check(fabs(both[0] - 0.614260370339796) < 1e-10, "W", both[0]);
    check(fabs(both[1] - 1.41955370623078) < 1e-10, "omega_n", both[1]);
    Scene s = scene_of(
        "ball on a paraboloid",
        "parameter m = 1, a = 0.1, I = m*a^2/(5/2)\ncoordinate r : line\ncoordinate th : circle\n"
        "coordinate R : rotation\nlet e = [cos(th), sin(th), 0]\n"
        "let n = ([0, 0, 1] - r*e)/sqrt(1 + r^2)\n"
        "body ball: mass m, inertia I, position r*e + [0, 0, r^2/2], attitude R\n"
        "gravity [0, 0, -9.81]\nconstraint rolling: r' = dot(a*cross(omega(R), n), e),\n"
        "  r*th' = dot(a*cross(omega(R), n), [-sin(th), cos(th), 0])\n"
        "start r = 1, th = 0.3, th' = 0.3, omega(R) ~ [0, 0, 2]\nrun t = 0..2\n");
    const LiaGauge* g = &s.e.classes.gauge;
    SAME(g->known, true);
    SAME(g->shape, 1);
    SAME(g->count, 2);
    SAME(g->beyond, 2);
    SAME(g->points, LIA_GAUGE_POINTS);
    check(g->drift < 1e-12, "drift along the motion", g->drift);
    check(g->along > 0.1, "the time of the motion", g->along);
    const double start[2][2] = {{1, 0}, {0, 1}};
    for (uint32_t i = 0; i < g->points; i++) {
        const double* q = g->q + (size_t)i * 6;
        for (int k = 0; k < 2; k++) {
            double y[2] = {start[k][0], start[k][1]};
            integrate(1, q[0], y);
            for (uint32_t m = 0; m < g->count; m++) {
                const double from[6] = {1, 0.3, 1, 0, 0, 0};
                double want = momentum(from, g->Z + (size_t)m * 6, start[k]);
                double got = momentum(q, g->Z_s + ((size_t)i * 2 + m) * 6, y);
                // of terms of size 1
                check(fabs(got - want) < 1e-12, "momentum", got - want);
            }
        }
    }
    check(fabs(g->q[2 * 6] - 1.0) > 0.1, "how far the shape went", g->q[2 * 6]);
    scene_clear(&s);
}

// omega_n - (theta'/r) z beyond the momentum of the second type: they span the same as what was
// found.
static void ball_in_a_cylinder(void) {
    Scene s = scene_of(
        "ball in a cylinder",
        "parameter m = 1, r = 0.1, Rc = 0.5, I = 2/5*m*r^2\ncoordinate z : line\n"
        "coordinate theta : circle\ncoordinate g : rotation\nlet n = [cos(theta), sin(theta), 0]\n"
        "body ball: mass m, inertia I, position (Rc - r)*n + [0, 0, z], attitude g\n"
        "gravity [0, 0, -9.81]\nconstraint rolling: velocity(ball, ball.position + r*n) = 0\n"
        "start z = 0.2, theta' = 3, z' = 0.4\n");
    const LiaGauge* g = &s.e.classes.gauge;
    SAME(g->count, 2);
    SAME(g->beyond, 1);
    check(g->drift < 1e-12, "drift", g->drift);
    // at each z a momentum is A theta' + B omega_n; theta' and omega_n - theta' z/r are what is
    // kept, so B is constant and A + B z/r is, with the inertia of both
    for (uint32_t m = 0; m < g->count; m++) {
        double kept[2] = {0};
        for (uint32_t i = 0; i < g->points; i++) {
            const double *q = g->q + (size_t)i * 6, *Z = g->Z_s + ((size_t)i * 2 + m) * 6;
            double spin[3], I = 0.004, rho = 0.4, a = 0.1;
            lia_quaternion_spin(q + 2, Z + 2, spin);
            // theta' = 1, z' = 0: the spin is about the vertical, -(R - r)/r
            double A = rho * rho * Z[1] - I * rho / a * spin[2];
            double B = I * (cos(q[1]) * spin[0] + sin(q[1]) * spin[1]);
            double now[2] = {B, A + B * q[0] / a};
            for (int k = 0; k < 2; k++) {
                if (i == 0) kept[k] = now[k];
                check(fabs(now[k] - kept[k]) < 1e-13, k ? "A + B z/r" : "B", now[k] - kept[k]);
            }
        }
    }
    scene_clear(&s);
}

// No shape: the momentum along the blade and the spin.
static void skater(void) {
    Scene s = scene_of("skater", "parameter m = 60, I = 3\ncoordinate x, y : line\n"
                                 "coordinate theta : circle\n"
                                 "kinetic m/2*(x'^2 + y'^2) + I/2*theta'^2\n"
                                 "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"
                                 "start theta = 0.5, x' = 2, theta' = 0.3\n");
    const LiaGauge* g = &s.e.classes.gauge;
    SAME(g->shape, 0);
    SAME(g->count, 2);
    SAME(g->beyond, 1);
    bool along = false;
    for (uint32_t m = 0; m < g->count; m++) {
        const double* Z = g->Z + (size_t)m * 3;
        double across = Z[0] * sin(0.5) - Z[1] * cos(0.5);
        check(fabs(across) < 1e-13, "across the blade", across);
        along |= fabs(Z[0]) > 0.1;
    }
    SAME(along, true);
    check(g->drift < 1e-13, "drift", g->drift);
    scene_clear(&s);
}

// The rolling disk has two; a rattleback has none, and neither has a skater off its centre.
static void others(void) {
    char* text = file_text("examples/disk/disk.lia");
    Scene s = scene_of("disk", text);
    SAME(s.e.classes.gauge.count, 2);
    SAME(s.e.classes.gauge.beyond, 2);
    check(s.e.classes.gauge.drift < 1e-10, "drift", s.e.classes.gauge.drift);
    scene_clear(&s);
    lia_free(text);
    s = scene_of("sleigh",
                 "parameter m = 1, I = 0.3, d = 0.2\ncoordinate x, y : line\n"
                 "coordinate th : circle\n"
                 "kinetic m/2*((x' - d*sin(th)*th')^2 + (y' + d*cos(th)*th')^2) + "
                 "I/2*th'^2\n"
                 "constraint blade: x'*sin(th) - y'*cos(th) = 0\nstart x' = 1, th' = 0.4\n");
    SAME(s.e.classes.gauge.known, true);
    SAME(s.e.classes.gauge.count, 0);
    scene_clear(&s);
}

#define BALL_AT(place, attitude)                                                                   \
    "parameter m = 1, a = 0.1\nbody ball: mass m, inertia 2/5*m*a^2, position " place              \
    ", attitude " attitude "\ngravity [0, 0, -9.81]\n"
#define XY   "coordinate x, y : line\nlet n = [-x, -y, 1]/sqrt(1 + x^2 + y^2)\n"
#define FREE "parameter a = 0.1\nbody ball: mass 1, inertia 2/5*a^2, free\ngravity [0, 0, -9.81]\n"

// The same ball on the same kind of surface, written in other ways: two momenta each time. On a
// bowl that turns they have a function of the shape next to them.
static const struct {
    const char *name, *text;
    bool affine;
} ways[] = {
    {"in Cartesian coordinates, on an equation",
     "coordinate c : space\ncoordinate R : rotation\n" BALL_AT(
         "c", "R") "let n = [-c.x, -c.y, 1]/sqrt(1 + c.x^2 + c.y^2)\n"
                   "constraint on: c.z = (c.x^2 + c.y^2)/2\nconstraint roll: velocity(ball, c - "
                   "a*n) = 0\n"
                   "start c = [1, 0, 0.5], c' ~ [0, 0.3, 0], omega(R) ~ [0, 0, 2]\n",
     false},
    {"as a graph",
     XY "coordinate R : rotation\n" BALL_AT(
         "[x, y, (x^2 + y^2)/2]", "R") "constraint roll: velocity(ball, ball.position - a*n) = 0\n"
                                       "start x = 1, y' ~ 0.3, omega(R) ~ [0, 0, 2]\n",
     false},
    {"with Euler angles",
     XY "coordinate al, be, ga : circle\n" BALL_AT(
         "[x, y, (x^2 + y^2)/2]",
         "rotz(al)*roty(be)*rotz(ga)") "constraint roll: velocity(ball, ball.position - a*n) = 0\n"
                                       "start x = 1, be = 1, y' ~ 0.3, al' ~ 2\n",
     false},
    {"by shapes, a surface with an equation",
     FREE "function bowl(x, y, z) = (x^2 + y^2)/2 - z\n"
          "joint roll: rolling(sphere(ball, a), inside(surface(ground, bowl)))\n"
          "start ball.position ~ [1, 0, 0.7], ball.position' ~ [0, 0.5, 0]\n",
     false},
    {"by shapes, an ellipsoid",
     FREE "joint roll: rolling(sphere(ball, a), inside(ellipsoid(ground, [1, 1, 1.5])))\n"
          "start ball.position ~ [0.5, 0, -1], ball.position' ~ [0, 0.5, 0]\n",
     false},
    {"on a bowl that turns",
     XY "coordinate R : rotation\n" BALL_AT(
         "[x, y, (x^2 + y^2)/2]",
         "R") "let P = ball.position - a*n\n"
              "constraint roll: velocity(ball, P) = 0.7*cross([0, 0, 1], P)\n"
              "start x = 1, y' ~ 0.3, omega(R) ~ [0, 0, 2]\n",
     true},
};

static void in_every_way(void) {
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        Scene s = scene_of(ways[k].name, ways[k].text);
        const LiaGauge* g = &s.e.classes.gauge;
        SAME(g->known, true);
        SAME(g->shape, 1);
        SAME(g->count, 2);
        SAME(g->beyond, 2);
        SAME(g->affine, ways[k].affine);
        SAME(g->points, LIA_GAUGE_POINTS);
        check(g->drift < 1e-12, "drift along the motion", g->drift);
        check(g->along > 0.02, "the time of the motion", g->along);
        double f = 0.0;
        for (uint32_t i = 0; i < g->points * g->count; i++) f = fmax(f, fabs(g->f_s[i]));
        check(ways[k].affine ? f > 1e-4 : f == 0.0, "the function of the shape", f);
        scene_clear(&s);
    }
}

int main(void) {
    ball_on_a_paraboloid();
    in_every_way();
    ball_in_a_cylinder();
    skater();
    others();
    return cases_end();
}
