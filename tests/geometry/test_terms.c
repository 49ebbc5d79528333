// The 23 points of the theory page, term by term: D_0, -X_K, H(Y) and their sum, A, Theta, F, K,
// h0, and the six terms of the operator's force, to 1e-12 of the largest term of their row. The
// models are written as text; the numbers stand in term_tests.txt.
// SPDX-License-Identifier: MIT
#include "geometry/phase_space/fields.h"
#include "support/cases.h"
#include "support/motion.h"
#include <liaison/liaison.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const cat =
    "parameter m1 = 1, m2 = 1.5, m3 = 0.8, l1 = 1, l2 = 1.2, l3 = 0.9, mass = m1 + m2 + m3\n"
    "parameter J1 = m1*l1^2/12, J2 = m2*l2^2/12, J3 = m3*l3^2/12\n"
    "let e1 = [cos(theta + s1), sin(theta + s1)]\n"
    "let e2 = [cos(theta), sin(theta)]\n"
    "let e3 = [cos(theta + s2), sin(theta + s2)]\n"
    "let r1 = -l2/2*e2 - l1/2*e1\n"
    "let r3 = l2/2*e2 + l3/2*e3\n"
    "let c = (m1*r1 + m3*r3)/mass\n"
    "kinetic m1/2*dot(r1', r1') + m3/2*dot(r3', r3') - mass/2*dot(c', c')\n"
    "kinetic J1/2*(theta' + s1')^2 + J2/2*theta'^2 + J3/2*(theta' + s2')^2\n";

static const struct {
    const char *name, *text;
    bool cat;
} models[] = {
    {"moving_pivot_pendulum",
     "parameter m = 1.3, l = 0.9, mp = 0.4, g = 9.81\n"
     "coordinate theta, s1, s2 : line\n"
     "let bob = [s1 + l*sin(theta), s2 - l*cos(theta)]\n"
     "kinetic m/2*dot(bob', bob') + mp/2*(s1'^2 + s2'^2)\n"
     "potential m*g*bob.y + mp*g*s2\n"
     "operator a: s1' = 1 + s2^2/3\n"
     "operator b: s2' = sin(s1) - 1/2\n",
     false},
    {"swing_trunk_and_length",
     "parameter m1 = 5, m2 = 7, l1 = 2, J = 0.3, g = 9.81\n"
     "coordinate theta, s1, s2 : line\n"
     "let l2 = s2 + 1.5\n"
     "let P1 = l1*[sin(theta), -cos(theta)]\n"
     "let P2 = P1 + l2*[sin(theta + s1), -cos(theta + s1)]\n"
     "kinetic m1/2*dot(P1', P1') + m2/2*dot(P2', P2') + J/2*(theta' + s1')^2\n"
     "potential m1*g*P1.y + m2*g*P2.y\n"
     "operator a: s1' = s2 - 1/3\n"
     "operator b: s2' = cos(s1)\n",
     false},
    {"bead_rotating_breathing_hoop",
     "parameter m = 1.3, g = 9.81\n"
     "coordinate theta, s1, s2 : line\n"
     "let r = 1 + s2/4\n"
     "let X = [(0.2 + r*sin(theta))*cos(s1), (0.2 + r*sin(theta))*sin(s1), -r*cos(theta)]\n"
     "kinetic m/2*dot(X', X') + s1'^2 + s2'^2/2\n"
     "potential m*g*X.z\n"
     "operator a: s1' = 2 + sin(s2)\n"
     "operator b: s2' = -s1/2\n",
     false},
    {"cat3link_planar",
     "coordinate theta, s1, s2 : line\n"
     "operator a: s1' = cos(s2)\n"
     "operator b: s2' = s1 + 1/2\n",
     true},
    {"cat3link_passive_tail",
     "coordinate theta, s2, s1 : line\n"
     "potential 3/2*s2^2\n"
     "operator a: s1' = 1 + s1^2\n",
     true},
    {"generic_2x2",
     "coordinate x1, x2, s1, s2 : line\n"
     "kinetic (3 + x1^2 + s2^2)/2*x1'^2 + x2*s1/3*x1'*x2' + (x1*x2/2 + s2)*x1'*s1' + "
     "sin(x2)/2*x1'*s2'\n"
     "  + (2 + cos(x1)/2)/2*x2'^2 + s1*x1/2*x2'*s1' + (1 + x1*x2/3)*x2'*s2'\n"
     "  + (4 + x2^2)/2*s1'^2 + s1*x2/3*s1'*s2' + (5 + x1^2*s2^2)/2*s2'^2\n"
     "potential x1^2*s1 + cos(x2)*s2\n"
     "operator a: s1' = s2 - 1/3\n"
     "operator b: s2' = s1*s2 + 1/2\n",
     false},
};

typedef struct Point {
    char model[64];
    double x[4], s[4], p[4], Y[4], p_a[4], D0[16], XK[16], HY[16], DY[16], A[16], Theta[16], F[32];
    double K, h0, H, lambda[24], total[4];
    int nx, ns;
} Point;

static int numbers(const char* line, double* out, int most) {
    int count = 0;
    for (char* end; count < most; line = end, count++) {
        double x = strtod(line, &end);
        if (end == line) break;
        out[count] = x;
    }
    return count;
}

static void read_line(Point* p, const char* key, const char* rest) {
    const struct {
        const char* key;
        double* to;
        int most;
    } lists[] = {{"x", p->x, 4},
                 {"s", p->s, 4},
                 {"p", p->p, 4},
                 {"Y", p->Y, 4},
                 {"p_a", p->p_a, 4},
                 {"D0", p->D0, 16},
                 {"minus_XK", p->XK, 16},
                 {"HY", p->HY, 16},
                 {"DY", p->DY, 16},
                 {"A", p->A, 16},
                 {"Theta", p->Theta, 16},
                 {"F", p->F, 32},
                 {"K", &p->K, 1},
                 {"h0", &p->h0, 1},
                 {"H_full", &p->H, 1},
                 {"lambda", p->lambda, 24},
                 {"lambda_total", p->total, 4}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (strcmp(lists[i].key, key) != 0) continue;
        int count = numbers(rest, lists[i].to, lists[i].most);
        if (i == 0) p->nx = count;
        if (i == 1) p->ns = count;
    }
}

static void near(const Point* p, const char* what, double got, double want, double size) {
    if (cases_count(fabs(got - want) <= 1e-12 * size)) return;
    printf("%s at x = %g: %s is %.17g, expected %.17g (size %.3g)\n", p->model, p->x[0], what, got,
           want, size);
}

static double largest(double a, double b, double c, double d) {
    return fmax(fmax(fabs(a), fabs(b)), fmax(fabs(c), fabs(d)));
}

static void compare(const Point* p, const LiaFields* f) {
    int nx = p->nx, ns = p->ns, n = nx + ns;
    double all = 0.0;
    for (int r = 0; r < n + nx; r++)
        all = fmax(all, largest(p->D0[r], p->XK[r], p->HY[r], p->DY[r]));
    for (int r = 0; r < n + nx; r++) {  // the same order: x, s, then p
        double size = largest(p->D0[r], p->XK[r], p->HY[r], p->DY[r]);
        if (size == 0.0) size = all;  // a momentum that is constant: rounding of what cancels
        near(p, "D_0", f->field[LIA_FIELD_D_0][r], p->D0[r], size);
        near(p, "-X_K", f->field[LIA_FIELD_MINUS_X_K][r], p->XK[r], size);
        near(p, "H(Y)", f->field[LIA_FIELD_H_Y][r], p->HY[r], size);
        near(p, "D_Y", f->field[LIA_FIELD_D_Y][r], p->DY[r], size);
        near(p, "Z", f->field[LIA_FIELD_Z][r], 0.0, size);
        near(p, "eta", f->field[LIA_FIELD_ETA][r], 0.0, size);
    }
    double energy = fmax(fabs(p->h0), fabs(p->K));
    near(p, "K", f->K_Y, p->K, energy);
    near(p, "h0", f->h0, p->h0, energy);
    near(p, "H", f->energy, p->H, energy);
    for (int j = 0; j < nx * ns; j++) near(p, "A", f->A[j], p->A[j], 1.0);
    for (int j = 0; j < ns * ns; j++)
        near(p, "Theta", f->Theta[j], p->Theta[j], fmax(1.0, fabs(p->Theta[0])));
    for (int j = 0; j < nx * ns * ns; j++) near(p, "F", f->F[j], p->F[j], 1.0);
    for (int a = 0; a < ns; a++) {
        const LiaOperatorForce* o = &f->lambda[a];
        const double got[6] = {o->inertia,  o->theta_uu, o->potential,
                               o->shape_pp, o->theta_pu, o->gyro};
        double size = 0.0;
        for (int i = 0; i < 6; i++) size = fmax(size, fabs(p->lambda[6 * a + i]));
        for (int i = 0; i < 6; i++) near(p, "a term of lambda", got[i], p->lambda[6 * a + i], size);
        near(p, "lambda", o->total, p->total[a], size);
        near(p, "lambda by the multiplier", o->given, p->total[a], size);
        near(p, "p_a", f->state.p[nx + a], p->p_a[a], fmax(1.0, fabs(p->p_a[a])));
    }
    near(p, "the sum", f->defect, 0.0, 1.0);
}

static void one_point(const Point* p) {
    char text[4096] = "";
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        if (strcmp(models[i].name, p->model) == 0) {
            snprintf(text, sizeof text, "%s%s", models[i].text, models[i].cat ? cat : "");
        }
    }
    Motion m = motion_of(text, &(MotionOptions){.run = {.until = &(double){0.0}}});
    LiaGeometry* y = m.system ? lia_geometry_create(m.system) : NULL;
    LiaPhaseSpace* space = y ? lia_phase_space_create(y) : NULL;
    double q[8] = {0}, v[8] = {0}, momenta[8] = {0};
    LiaFields f = {0};
    bool ok = space && (int)space->nx == p->nx && (int)space->ns == p->ns;
    if (ok) {
        for (int i = 0; i < p->nx; i++) q[i] = p->x[i], momenta[i] = p->p[i];
        for (int a = 0; a < p->ns; a++) q[p->nx + a] = p->s[a], v[p->nx + a] = p->Y[a];
        ok = lia_phase_space_velocities(space, 0.0, q, momenta, (LiaUnknowns){space->x, space->nx},
                                        v) &&
             lia_fields_make(space, NULL, 0.0, q, v, &f) && f.split;
    }
    if (ok) {
        compare(p, &f);
    } else {
        cases_count(false);
        printf("%s: not computed\n", p->model);
    }
    lia_fields_clear(&f);
    lia_phase_space_destroy(space);
    lia_geometry_destroy(y);
    motion_clear(&m);
}

int main(void) {
    FILE* file = fopen(LIAISON_SOURCE_DIR "/tests/geometry/term_tests.txt", "r");
    static char line[4096];
    Point p = {0};
    int points = 0;
    while (file && fgets(line, sizeof line, file)) {
        if (line[0] == '#') continue;
        char key[32];
        int used = 0;
        if (sscanf(line, "%31s%n", key, &used) != 1) continue;
        if (strcmp(key, "point") == 0) {
            memset(&p, 0, sizeof p);
            sscanf(line + used, "%63s", p.model);
            continue;
        }
        read_line(&p, key, line + used);
        if (strcmp(key, "lambda_total") == 0) {  // the last line of a point
            one_point(&p);
            points++;
        }
    }
    if (file) fclose(file);
    if (points != 23) {
        cases_count(false);
        printf("%d points instead of 23\n", points);
    }
    return cases_end();
}
