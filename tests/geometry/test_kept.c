// What a run keeps though nobody named it: found, with its drift, and nothing that is not so.
// SPDX-License-Identifier: MIT
#include "liaison/liaison.h"
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char* model;

static void check(bool ok, const char* what, double got) {
    if (cases_count(ok)) return;
    printf("%s: %s is %.17g\n", model, what, got);
}

static Motion run(const char* name, const char* text) {
    char whole[2000];
    model = name;
    snprintf(whole, sizeof whole, "model m\n%s", text);
    Motion m = motion_of(whole, NULL);
    check(lia_kept_find(m.t) == LIA_OK, "status", 0);
    return m;
}

static const LiaConserved* find(const Motion* m, const char* name) {
    for (size_t i = 0; i < m->t->conserved.count; i++) {
        if (strcmp(m->t->conserved.list[i].name, name) == 0) return &m->t->conserved.list[i];
    }
    return NULL;
}

static void keeps(const Motion* m, const char* name, double value) {
    const LiaConserved* c = find(m, name);
    check(c != NULL, name, 0);
    if (!c) return;
    check(fabs(c->value - value) < 1e-11, name, c->value);
    check(c->drift < 1e-12, "drift", c->drift);
}

static void counts(const Motion* m, size_t want) {
    check(m->t->conserved.count == want, "how many", (double)m->t->conserved.count);
    if (m->t->conserved.count == want) return;
    for (size_t i = 0; i < m->t->conserved.count; i++)
        printf("  %s\n", m->t->conserved.list[i].name);
}

#define SPACE "coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\n"

static void found(void) {
    Motion m = run("turntable", "parameter m = 1, r = 0.1, W = 0.7\ncoordinate x, y : line\n"
                                "coordinate g : rotation\nbody ball: mass m, inertia 2/5*m*r^2, "
                                "position [x, y, r], attitude g\n"
                                "constraint rolling: velocity(ball, [x, y, 0]) = W*[-y, x, 0]\n"
                                "start x = 1, y = 0.2, x' = 0.2, y' = 0.3\nrun t = 0..10\n");
    keeps(&m, "energy + momentum(-0.7*(x' = -y, y' = x))", 0.12012 + 0.0 - 0.182);
    keeps(&m, "momentum(0.1*(x' = 1) + (omega(g) = [0, 1, 0]))", 0.0336);
    keeps(&m, "momentum(omega(g) = [0, 0, 1])", 0);
    counts(&m, 4);
    // twice is once
    check(lia_kept_find(m.t) == LIA_OK, "status", 0);
    counts(&m, 4);
    char* json = lia_output_json(m.t);
    check(json &&
              strstr(json, "\"energy + momentum(-0.7*(x' = -y, y' = x))\": {\"value\": -0.0618"),
          "JSON", 0);
    char* text = lia_output_summary(m.t, NULL);
    check(text && strstr(text, "momentum(omega(g) = [0, 0, 1])"), "summary", 0);
    lia_free(json);
    lia_free(text);
    motion_clear(&m);
    // named ones are not listed again
    m = run("cylinder",
            "parameter m = 1, r = 0.1, Rc = 0.5, I = 2/5*m*r^2\ncoordinate z : line\n"
            "coordinate theta : circle\ncoordinate g : rotation\n"
            "let n = [cos(theta), sin(theta), 0]\nbody ball: mass m, inertia I, position "
            "(Rc - r)*n + [0, 0, z], attitude g\ngravity [0, 0, -9.81]\n"
            "constraint rolling: velocity(ball, ball.position + r*n) = 0\n"
            "symmetry a: theta' = 1\nstart theta' = 3\nrun t = 0..2\n");
    keeps(&m, "momentum(a)", 0.48);
    keeps(&m, "momentum(omega(g) = [0, 0, 1])", -0.048);
    counts(&m, 3);
    motion_clear(&m);
    m = run("exact", SPACE "potential x^2 + y^2 + z^2\nconstraint c: y*x' + x*y' = z'\n"
                           "start x = 1, y = 0.3, z = 0.2, x' = 0.4\nrun t = 0..20\n");
    keeps(&m, "x*y - z", 0.1);
    counts(&m, 2);  // and the energy
    motion_clear(&m);
    m = run("hoop", "coordinate th, ph : circle\nkinetic (th'^2 + sin(th)^2*ph'^2)/2\n"
                    "potential -9.81*cos(th)\noperator turn: ph = 2*t\n"
                    "start th = 0.5, th' = 0.4\nrun t = 0..5\n");
    keeps(&m, "energy + momentum(-2*(ph' = 1))",
          0.08 - 2.0 * sin(0.5) * sin(0.5) - 9.81 * cos(0.5));
    counts(&m, 1);
    motion_clear(&m);
}

static void not_found(void) {
    Motion m = run("falsefirst", SPACE "lagrangian x*(z' - y*x')\nconstraint c: z' - y*x' = 0\n"
                                       "start x' = 1, y' = 0.3\nrun t = 0..3\n");
    counts(&m, 1);
    motion_clear(&m);
    // on a line of symmetry y' stays 0: that is this motion's, not the system's
    m = run("line of symmetry", "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"
                                "potential x^2 + x*y^2\nstart x = 1\nrun t = 0..3\n");
    counts(&m, 1);
    motion_clear(&m);
    // damped: nothing is kept
    m = run("damped", "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential x^2\n"
                      "dissipation y'^2\nstart x = 1, y' = 1\nrun t = 0..3\n");
    counts(&m, 0);
    motion_clear(&m);
    // an event takes the momentum away: what is kept elsewhere is not kept here
    m = run("a kick", "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential y\n"
                      "event kick: t = 1 set x' = 3\nstart x' = 1\nrun t = 0..3\n");
    check(find(&m, "momentum(x' = 1)") == NULL, "x'", 0);
    motion_clear(&m);
    check(lia_kept_find(NULL) == LIA_ARGUMENT, "no motion", 0);
}

int main(void) {
    found();
    not_found();
    return cases_end();
}
