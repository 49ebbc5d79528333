// Symmetries that nobody named: combinations of the second type, constant momenta and moving
// energies that are known from the literature, found; and none found where there is none.
// SPDX-License-Identifier: MIT
#include "scene.h"
#include "support/cases.h"
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

static Scene scene_of(const char* name, const char* text) {
    model = name;
    Scene s = scene_explain(name, text, &(LiaExplanationAsk){0});
    SAME(s.e.classes.search.known, true);
    return s;
}

// The coefficient of a candidate in a relation.
static double coefficient(const Scene* s, const LiaFound* f, const char* name) {
    const LiaCandidates* of = &s->e.classes.search.candidates;
    for (uint32_t a = 0; a < of->count; a++) {
        if (strcmp(of->name[a], name) == 0) return f->c[a];
    }
    printf("%s: no candidate '%s'\n", model, name);
    exit(1);
}

// Is a relation with these coefficients, up to a factor, among those found? Up to three names.
static const LiaFound* holds(const Scene* s, const LiaFoundList* list, int count,
                             const char* const* name, const double* c) {
    for (uint32_t i = 0; i < list->count; i++) {
        const LiaFound* f = &list->found[i];
        double factor = coefficient(s, f, name[0]) / c[0];
        bool same = factor != 0.0;
        int terms = 0;
        for (uint32_t a = 0; a < s->e.classes.search.candidates.count; a++) terms += f->c[a] != 0.0;
        for (int k = 0; same && k < count; k++) {
            same = fabs(coefficient(s, f, name[k]) - factor * c[k]) < 1e-11 * fabs(factor);
        }
        if (same && terms == count) return f;
    }
    return NULL;
}

#define HOLDS(scene, list, count, names, numbers)                                                  \
    holds(scene, &(scene)->e.classes.search.list, count, (const char* const[])names,               \
          (const double[])numbers)
#define LIST(...)                                                                                  \
    { __VA_ARGS__ }

#define CYLINDER                                                                                   \
    "parameter m = 1, r = 0.1, Rc = 0.5, I = 2/5*m*r^2\ncoordinate z : line\n"                     \
    "coordinate theta : circle\ncoordinate g : rotation\nlet n = [cos(theta), sin(theta), 0]\n"    \
    "body ball: mass m, inertia I, position (Rc - r)*n + [0, 0, z], attitude g\n"                  \
    "gravity [0, 0, -9.81]\nconstraint rolling: velocity(ball, ball.position + r*n) = 0\n"

// Two generators that are of neither type: the combination of the second type is (-r/(R - r), 1).
static void ball_in_a_cylinder(void) {
    static const char* const both[] = {CYLINDER
                                       "symmetry a: theta' = 1\nsymmetry b: omega(g) = [0, 0, 1]\n"
                                       "start theta' = 3\n",
                                       CYLINDER "start theta' = 3\n"};
    static const char* const names[2][2] = {{"a", "b"}, {"theta' = 1", "omega(g) = [0, 0, 1]"}};
    for (int k = 0; k < 2; k++) {
        Scene s = scene_of(k ? "cylinder, nothing named" : "cylinder", both[k]);
        const LiaSearch* found = &s.e.classes.search;
        SAME(found->second.count, 1);
        const LiaFound* f = HOLDS(&s, second, 2, LIST(names[k][0], names[k][1]), LIST(-0.25, 1.0));
        check(f != NULL, "the combination of the second type", 0);
        check(f && fabs(f->value + 0.168) < 1e-14, "J", f ? f->value : NAN);
        check(f && !f->first_type, "first type", 0);
        check(HOLDS(&s, constant, 1, LIST(names[k][0]), LIST(1.0)) != NULL, "p_theta", 0);
        SAME(found->constant.count, 1);
        // theta turned with the ball, and the ball in itself
        SAME(found->first.count, 4);
        check(HOLDS(&s, first, 2, LIST(names[k][0], names[k][1]), LIST(1.0, 1.0)) != NULL, "around",
              0);
        SAME(found->orbit, 4);
        SAME(found->quotient, 4);
        check(found->second.margin > 1e-3, "margin", found->second.margin);
        SAME(found->moving.count, 0);
        scene_clear(&s);
    }
}

#define TURNTABLE                                                                                  \
    "parameter m = 1, r = 0.1, W = 0.7\ncoordinate x, y : line\ncoordinate g : rotation\n"         \
    "body ball: mass m, inertia 2/5*m*r^2, position [x, y, r], attitude g\n"                       \
    "constraint rolling: velocity(ball, [x, y, 0]) = W*[-y, x, 0]\n"                               \
    "start x = 1, y = 0.2, x' = 0.2, y' = 0.3\nrun t = 0..10\n"

// E - W L is constant, and the three momenta about the point of contact.
static void ball_on_a_turntable(void) {
    Scene s = scene_of("turntable", "model turntable\n" TURNTABLE);
    const LiaFound* f = HOLDS(&s, moving, 1, LIST("x' = -y, y' = x"), LIST(-1.0));
    check(f != NULL, "the moving energy", 0);
    double want = f ? coefficient(&s, f, "x' = -y, y' = x") : NAN;
    check(fabs(want + 0.7) < 1e-13, "its coefficient", want);
    SAME(s.e.classes.search.moving.count, 1);
    SAME(s.e.classes.search.second.count, 3);
    check(HOLDS(&s, second, 1, LIST("omega(g) = [0, 0, 1]"), LIST(1.0)) != NULL, "spin", 0);
    double value = f ? f->value : NAN;
    scene_clear(&s);
    Motion m =
        motion_of("model turntable\nobserve moving = energy - W*m*(x*y' - y*x')\n" TURNTABLE, NULL);
    double end = motion_final(&m, "moving");
    check(fabs(end - value) < 1e-12, "the moving energy at the end", end - value);
    motion_clear(&m);
}

// With the translations, the turn and the spin named, only the spin is of the second type by
// itself.
static void turntable_with_names(void) {
    Scene s = scene_of("turntable, named",
                       TURNTABLE "symmetry turn: x' = -y, y' = x, omega(g) = [0, 0, 1]\n"
                                 "symmetry spin: omega(g) = [0, 0, 1]\n"
                                 "symmetry tx: x' = 1\nsymmetry ty: y' = 1\n");
    check(HOLDS(&s, second, 1, LIST("spin"), LIST(1.0)) != NULL, "spin", 0);
    for (uint32_t i = 0; i < s.e.classes.symmetry_count; i++) {
        SAME(s.e.classes.symmetries[i].second_type, i == 1);
    }
    scene_clear(&s);
}

// L that is invariant on C alone is of no type, and the momentum is not constant.
static void a_false_symmetry(void) {
    Scene s = scene_of("falsefirst", "coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                                     "lagrangian x*(z' - y*x')\nconstraint c: z' - y*x' = 0\n"
                                     "symmetry tx: x' = 1\nstart x' = 1, y' = 0.3\nrun t = 0..3\n");
    check(HOLDS(&s, first, 1, LIST("tx"), LIST(1.0)) == NULL, "tx of the first type", 0);
    check(HOLDS(&s, second, 1, LIST("tx"), LIST(1.0)) == NULL, "tx of the second type", 0);
    SAME(s.e.classes.search.second.count, 0);
    SAME(s.e.classes.search.constant.count, 0);
    // z is cyclic and carried along
    check(HOLDS(&s, first, 1, LIST("z' = 1"), LIST(1.0)) != NULL, "z' = 1", 0);
    scene_clear(&s);
}

// A bead on a hoop that is driven: the integral of Jacobi and Painleve.
static void a_driven_hoop(void) {
    Scene s = scene_of("hoop", "coordinate th, ph : circle\nkinetic (th'^2 + sin(th)^2*ph'^2)/2\n"
                               "potential -9.81*cos(th)\noperator turn: ph = 2*t\n"
                               "start th = 0.5, th' = 0.4\nrun t = 0..5\n");
    const LiaFound* f = HOLDS(&s, moving, 1, LIST("ph' = 1"), LIST(-1.0));
    check(f && fabs(coefficient(&s, f, "ph' = 1") + 2.0) < 1e-13, "the coefficient", 0);
    double sine = sin(0.5), want = 0.08 - 2.0 * sine * sine - 9.81 * cos(0.5);
    check(f && fabs(f->value - want) < 1e-13, "Jacobi's integral", f ? f->value : NAN);
    SAME(s.e.classes.search.second.count, 0);
    scene_clear(&s);
}

// Where nothing is kept but the energy, nothing is found.
static void nothing_there(void) {
    Scene s = scene_of("double pendulum",
                       "coordinate a, b : circle\nkinetic a'^2 + b'^2/2 + a'*b'*cos(a - b)\n"
                       "potential -19.62*cos(a) - 9.81*cos(b)\nstart a = 1, b = 0.4\n");
    const LiaSearch* found = &s.e.classes.search;
    SAME(found->first.count + found->second.count + found->constant.count + found->moving.count, 0);
    check(found->constant.margin > 1e-3, "margin", found->constant.margin);
    scene_clear(&s);
    s = scene_of("two bodies",
                 "parameter m = 2, M = 3, k = 7\ncoordinate a, b : space\n"
                 "kinetic m/2*dot(a', a') + M/2*dot(b', b')\npotential k/2*dot(a - b, a - b)\n"
                 "start a = [1, 0, 0], b' = [0, 1, 0.3]\n");
    found = &s.e.classes.search;
    // three momenta and three angular momenta of the whole, all of both types
    SAME(found->second.count, 6);
    SAME(found->first.count, 6);
    for (uint32_t i = 0; i < found->second.count; i++)
        SAME(found->second.found[i].first_type, true);
    check(HOLDS(&s, second, 2, LIST("a' = [0, 1, 0]", "b' = [0, 1, 0]"), LIST(1.0, 1.0)) != NULL,
          "momentum along y", 0);
    check(HOLDS(&s, second, 2, LIST("a' = cross([0, 0, 1], a)", "b' = cross([0, 0, 1], b)"),
                LIST(1.0, 1.0)) != NULL,
          "angular momentum about z", 0);
    scene_clear(&s);
}

// Quotients and defects of a symmetry by itself.
static void verdicts_in_numbers(void) {
    Scene s = scene_of("skater", "parameter m = 60, I = 3\ncoordinate x, y : line\n"
                                 "coordinate theta : circle\n"
                                 "kinetic m/2*(x'^2 + y'^2) + I/2*theta'^2\n"
                                 "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"
                                 "symmetry tx: x' = 1\nsymmetry turn: theta' = 1\n"
                                 "start x' = 2, theta' = 0.3\n");
    const LiaSymmetryClass* k = s.e.classes.symmetries;
    SAME(k[0].first_type, true);
    SAME(k[0].quotient, 4);  // of 5
    SAME(k[1].first_type, false);
    check(k[1].states_defect > 0.1 && k[1].states_defect <= 1.0, "states", k[1].states_defect);
    check(k[0].across_defect > 0.01 && k[0].across_defect <= 1.0, "across", k[0].across_defect);
    SAME(k[1].second_type, true);
    check(k[1].across_defect == 0.0, "across of the turn", k[1].across_defect);
    SAME(s.e.classes.search.orbit, 3);  // the group of the plane
    SAME(s.e.classes.search.quotient, 2);
    scene_clear(&s);
}

// SO(3) and SE(2) with their constants; J of a point in the plane by hand.
static void moment_maps(void) {
    Scene s = scene_explain("point",
                            "coordinate x, y : line\nkinetic 3*(x'^2 + y'^2)/2\n"
                            "symmetry tx: x' = 1\nsymmetry ty: y' = 2\n"
                            "symmetry turn: x' = -y, y' = x\nsymmetry both: x' = 1, y' = 1\n"
                            "symmetry none: x' = x\nstart x = 1, y = 2, x' = 0.5, y' = -1\n",
                            &(LiaExplanationAsk){.at_start = true});
    const LiaMomentMap* m = &s.e.classes.moment_map;
    const double J[4] = {1.5, -6.0, -6.0, -1.5};
    check(m->count == 4 && m->dimension == 3 && m->closed, "SE(2)", m->dimension);
    for (int i = 0; m->J && i < 4; i++) check(fabs(m->J[i] - J[i]) < 1e-14, "J", m->J[i]);
    // [turn, tx] = -ty/2, [turn, both] = tx - ty/2; a combination of dependent ones may be another
    double c[2] = {0.0, 0.0};
    for (int C = 0; C < 4; C++) {  // [turn, tx] in x and y
        double of = m->c[(2 * 4 + 0) * 4 + C];
        c[0] += of * (C == 0 || C == 3 ? 1.0 : C == 2 ? -2.0 : 0.0);
        c[1] += of * (C == 1 ? 2.0 : C == 3 ? 1.0 : C == 2 ? 1.0 : 0.0);
    }
    check(fabs(c[0]) < 1e-12 && fabs(c[1] + 1.0) < 1e-12, "[turn, tx]", c[1]);
    scene_clear(&s);
    s = scene_explain(
        "top",
        "coordinate R : rotation\nlet W = Omega(R)\nkinetic W.x^2 + 2*W.y^2 + 3*W.z^2\n"
        "symmetry r[i = 1..3]: omega(R) = [if(i < 2, 1, 0), if(i < 2, 0, if(i < 3, 1, "
        "0)), if(i < 3, 0, 1)]\nstart omega(R) = [1, 2, 3]\n",
        &(LiaExplanationAsk){.at_start = true});
    m = &s.e.classes.moment_map;
    check(m->count == 3 && m->dimension == 3 && m->closed, "SO(3)", m->dimension);
    for (int A = 0; A < 3; A++) {
        int B = (A + 1) % 3, C = (A + 2) % 3;
        for (int E = 0; E < 3; E++)
            check(m->c[(A * 3 + B) * 3 + E] == (E == C ? -1.0 : 0.0), "constants", A);
        check(fabs(m->J[A] - (double[]){2.0, 8.0, 18.0}[A]) < 1e-13, "J", m->J[A]);
    }
    scene_clear(&s);
    s = scene_explain("two turns",
                      "coordinate r : space\nkinetic dot(r', r')\n"
                      "symmetry a: r' = cross([1, 0, 0], r)\nsymmetry b: r' = cross([0, 1, 0], r)\n"
                      "start r = [1, 2, 3]\n",
                      &(LiaExplanationAsk){.at_start = true});
    check(s.e.classes.moment_map.count == 2 && !s.e.classes.moment_map.closed, "no group", 0.0);
    scene_clear(&s);
}

int main(void) {
    moment_maps();
    ball_in_a_cylinder();
    ball_on_a_turntable();
    turntable_with_names();
    a_false_symmetry();
    a_driven_hoop();
    nothing_there();
    verdicts_in_numbers();
    return cases_end();
}
