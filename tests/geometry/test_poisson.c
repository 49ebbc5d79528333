// Models of a phase space: ranks, Casimir functions, the Jacobi identity, what moves H, rates at a
// state; momenta given at the start. Numbers by hand, or those of the ball in a cylinder (Marle,
// 4.4 and 4.6).
// SPDX-License-Identifier: MIT
#include "expr/reading/formula_text.h"
#include "geometry/explanation.h"
#include "mechanics/start/start.h"
#include "support/cases.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(bool ok, const char* model, const char* what, double got) {
    if (cases_count(ok)) return;
    printf("%s: %s is %.17g\n", model, what, got);
}

#define SAME(model, got, want) check((got) == (want), model, #got, (double)(got))

static void near(const char* model, const char* what, double got, double want, double within) {
    check(fabs(got - want) <= within, model, what, got);
}

typedef struct Scene {
    LiaDiags* diags;
    LiaModel* model;
    LiaSystem* system;
    LiaExplanation e;
    LiaStatus status;
} Scene;

static Scene scene_of(const char* text, const LiaExplanationAsk* ask) {
    Scene s = {.diags = lia_diags_create()};
    s.status = lia_model_parse("test.lia", text, strlen(text), NULL, s.diags, &s.model);
    if (s.status == LIA_OK) s.status = lia_system_build(s.model, NULL, s.diags, &s.system);
    if (s.status == LIA_OK) s.status = lia_explanation_make(s.system, ask, s.diags, &s.e);
    return s;
}

static void clear(Scene* s) {
    lia_explanation_clear(&s->e);
    lia_system_destroy(s->system);
    lia_model_destroy(s->model);
    lia_diags_destroy(s->diags);
}

static bool said(const Scene* s, const char* code, const char* words) {
    for (size_t i = 0; i < lia_diags_count(s->diags); i++) {
        const LiaDiag* d = lia_diag_at(s->diags, i);
        if (strcmp(d->code, code) == 0 && strstr(d->message, words)) return true;
    }
    return false;
}

static bool has_casimir(const Scene* s, const char* formula) {
    bool found = false;
    for (uint32_t k = 0; k < s->system->model->symmetries_count; k++) {
        LiaText text = {0};
        lia_formula_text(s->system->graph, s->system->observables.momenta[k], &text);
        found = found || (text.data && strcmp(text.data, formula) == 0);
        lia_text_clear(&text);
    }
    return found;
}

static const LiaExplanationAsk start = {.at_start = true};

#define BALL                                                                                       \
    "parameter m = 1, r = 0.1, R = 0.5, I = 0.004, g = 9.81\n"                                     \
    "phase z, p_z, p_t\nphase M : space\n"                                                         \
    "bracket {z, p_z} = 1, {p_t, M} = [-M.y, M.x, 0]\n"                                            \
    "bracket {M.x, M.y} = M.z, {M.y, M.z} = M.x, {M.z, M.x} = M.y\n"                               \
    "hamiltonian p_z^2/(2*m) + p_t^2/(2*m*(R - r)^2) + dot(M, M)/(2*I) + m*g*z\n"                  \
    "constraint roll: p_t/(m*(R - r)) + r/I*M.z = 0, p_z/m = r/I*M.y\n"                            \
    "  force (R - r)*d(p_t) + r*d(M.z), d(p_z) - r*d(M.y)\n"                                       \
    "start z = 0, p_z = 0.3, p_t = 0.48, M.x = 0.02\n"

static void the_ball(void) {
    Scene s = scene_of(BALL, &start);
    const LiaPoisson* p = &s.e.poisson;
    SAME("ball", s.status, LIA_OK);
    SAME("ball", p->variables, 6);
    SAME("ball", p->equations, 2);
    SAME("ball", p->rank, 4);
    SAME("ball", p->conserved, true);
    SAME("ball", has_casimir(&s, "p_t + M.z"), true);
    near("ball", "jacobi", s.system->phase.jacobi, 0.0, 1e-14);
    const double rates[] = {0.3, -7.43571428571428571, 0, 0.036, -0.297428571428571429, 0};
    for (int i = 0; i < 6; i++) near("ball", "rate", p->rate[i], rates[i], 1e-13);
    near("ball", "M.y", s.e.q[4], 0.012, 1e-16);
    near("ball", "M.z", s.e.q[5], -0.048, 1e-16);
    near("ball", "coupling", p->regularity, 1.0, 1e-12);
    // p_z' = A + B M_x with the force as a formula, M_x' = C p_z (Marle, 4.6); B C = -(frequency)^2
    LiaGraph* g = s.e.geometry->graph;
    SAME("ball", p->force[0].index != 0 && p->force[1].index != 0, true);
    LiaExpr along = p->force[1], slope = lia_diff(g, along, s.system->q[3]);
    double q[8] = {0.0, 0.0, 0.48, 0.0, 0.0, -0.048};
    LiaSymbols at = {.q = q, .parameters = s.system->parameters};
    LiaExpr both[2] = {along, slope};
    LiaValues values;
    if (lia_evaluate_init(&values, g, both, 2)) {
        lia_evaluate_run(&values, &at);
        near("ball", "A", lia_value(&values, along) - 9.81, -7.00714285714285714, 1e-13);
        near("ball", "B", lia_value(&values, slope), -21.4285714285714286, 1e-12);
        near("ball", "-BC", -0.12 * lia_value(&values, slope), 1.60356745 * 1.60356745, 1e-8);
    }
    lia_evaluate_clear(&values);
    clear(&s);
}

#define HAT                                                                                        \
    "phase M, G : space\n"                                                                         \
    "function hat(v) = [[0, -v.z, v.y], [v.z, 0, -v.x], [-v.y, v.x, 0]]\n"

static void the_top(void) {
    Scene s = scene_of(HAT "bracket {M, M} = hat(M), {M, G} = hat(G)\n"
                           "hamiltonian dot(M, M)/2 + G.z\nstart M = [1, 2, 3], G = [0, 1, 1]\n",
                       &start);
    SAME("top", s.status, LIA_OK);
    SAME("top", s.e.poisson.rank, 4);
    SAME("top", s.system->model->symmetries_count, 2);
    SAME("top", has_casimir(&s, "M.x*G.x + M.y*G.y + M.z*G.z"), true);
    SAME("top", has_casimir(&s, "G.x^2 + G.y^2 + G.z^2"), true);
    SAME("top", said(&s, "W0360", ""), false);
    clear(&s);
}

// The other sign of {M, G} is no Poisson bracket.
static void wrong_sign(void) {
    Scene s = scene_of(HAT "bracket {M, M} = hat(M), {M, G} = -hat(G)\n"
                           "hamiltonian dot(M, M)/2 + G.z\nstart M = [1, 2, 3], G = [0, 1, 1]\n",
                       &start);
    SAME("wrong sign", s.status, LIA_OK);
    SAME("wrong sign", said(&s, "W0360", "the Jacobi identity fails for M."), true);
    check(s.system->phase.jacobi > 0.1, "wrong sign", "jacobi", s.system->phase.jacobi);
    clear(&s);
}

// {x, y} = z, {y, z} = x, {z, x} = x y: what is left of the identity is {y, x y} = -y z.
static void size_of_failure(void) {
    Scene s = scene_of("phase x, y, z\nbracket {x, y} = z, {y, z} = x, {z, x} = y*x\n"
                       "hamiltonian x\n",
                       &start);
    const LiaDiag* d = lia_diag_at(s.diags, 0);
    double defect = 0.0, part = 0.0, x = 0.0, y = 0.0, z = 0.0;
    const char* by = d ? strstr(d->message, "by ") : NULL;
    int read = by ? sscanf(by, "by %lf (%lf of its terms) at x = %lf, y = %lf, z = %lf", &defect,
                           &part, &x, &y, &z)
                  : 0;
    SAME("failure", read, 5);
    near("failure", "the defect", defect, -y * z, 2e-2 * fabs(defect));
    clear(&s);
}

static void who_feeds(void) {
    Scene s = scene_of("phase x, p\nbracket {x, p} = 1\nhamiltonian p^2/2 + x^2/2\n"
                       "force drag: -0.1*p*d(p)\nforce turn: p*d(x) - x*d(p)\nstart x = 1, p = 1\n",
                       &start);
    const LiaPoisson* p = &s.e.poisson;
    SAME("feeds", p->conserved, false);
    SAME("feeds", p->feeds[s.model->constraints_count], true);
    SAME("feeds", p->feeds[s.model->constraints_count + 1], false);
    clear(&s);
}

static void refusals(void) {
    Scene s = scene_of("phase x, y\nbracket {x, y} = 1\nhamiltonian y\n"
                       "constraint c: x = 1 force d(y)\n",
                       &start);
    SAME("powerless", s.status, LIA_MODEL);
    SAME("powerless", said(&s, "E0367", "cannot keep it"), true);
    clear(&s);
    s = scene_of("phase x, y\nbracket {x, y} = 1\nhamiltonian x^2\n",
                 &(LiaExplanationAsk){.base = "c"});
    SAME("base", s.status, LIA_MODEL);
    SAME("base", said(&s, "E0368", "has no base"), true);
    clear(&s);
}

// The velocities that momenta given at the start have.
static void momenta(const char* name, const char* text, const double* v, double within) {
    Scene s = scene_of(text, &start);
    SAME(name, s.status, LIA_OK);
    for (uint32_t i = 0; s.status == LIA_OK && i < s.system->n; i++) {
        if (!isnan(v[i])) near(name, "a velocity", s.e.v[i], v[i], within);
    }
    clear(&s);
}

static void given_momenta(void) {
    momenta("swing",
            "coordinate theta : circle, r : line\nkinetic (r^2*theta'^2 + r'^2)/2\n"
            "start theta = 0.2, r = 2.5, p(theta) = 0.3, r' = 0.1\n",
            (double[]){0.048, 0.1}, 1e-15);
    // p = v/sqrt(1 - v^2)
    momenta("relativistic", "coordinate x : line\nlagrangian -sqrt(1 - x'^2)\nstart p(x) = 0.5\n",
            (double[]){0.44721359549995794}, 1e-14);
    // rolls: x' = r omega, p(x) = m x' is given, the angle follows
    momenta("rolls",
            "coordinate x, a : line\nkinetic x'^2/2*3 + a'^2/2*2\nconstraint c: x' = 0.5*a'\n"
            "start p(x) = 6\n",
            (double[]){2, 4}, 1e-14);
    // coupled: p(x) = 2 x' + y', p(y) = x' + 3 y'
    momenta("coupled",
            "coordinate x, y : line\nkinetic x'^2 + x'*y' + 3/2*y'^2\n"
            "start p(x) = 1, p(y) = -2\n",
            (double[]){1, -1}, 1e-14);
    // I omega = p in body axes: omega = (1, 1, 1) for p = (1, 2, 3)
    Scene s = scene_of("body b: mass 2, inertia [1, 2, 3], free\n"
                       "start p(b.attitude) = [1, 2, 3], p(b.position) = [2, 4, 6]\n",
                       &start);
    SAME("body", s.status, LIA_OK);
    const double v[] = {1, 2, 3, 0, 0.5, 0.5, 0.5};
    for (int i = 0; s.status == LIA_OK && i < 7; i++) near("body", "v", s.e.v[i], v[i], 1e-14);
    clear(&s);
    s = scene_of("coordinate x, a : line\nkinetic x'^2 + a'^2\nconstraint c: x' = a'\n"
                 "start p(x) = 6, p(a) = 2\n",
                 &start);
    SAME("contradiction", s.status, LIA_MODEL);
    SAME("contradiction", said(&s, "E0301", "p(x)") || said(&s, "E0301", "p(a)"), true);
    clear(&s);
}

int main(void) {
    the_ball();
    the_top();
    wrong_sign();
    size_of_failure();
    who_feeds();
    refusals();
    given_momenta();
    return cases_end();
}
