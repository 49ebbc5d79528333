// Phase space: Legendre both ways, the bracket's axioms, and the motion taken apart on random
// models.
//
//   quadratic L        D_Y = D_0 - X_K + H(Y), each part by itself, against the multiplier form
//   any L              D_Y = Y + X_R, R = <p_x, v_x> - L with v_x(p): differences of R
//   servos             Lambda#eta and Z in closed form for the stabiliser
//
// 1000 states of each of 20 quadratic models.
// SPDX-License-Identifier: MIT
#include "base/text/text.h"
#include "geometry/explanation.h"
#include "support/cases.h"
#include "support/motion.h"
#include "support/random.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(bool ok, const char* what, double got, double want) {
    if (!cases_count(ok)) printf("%s: %.17g, expected %.17g\n", what, got, want);
}

static void near(const char* what, double got, double want, double allowed) {
    check(fabs(got - want) <= allowed, what, got, want);
}

typedef struct Scene {
    Motion m;
    LiaGeometry* y;
    LiaPhaseSpace* space;
    size_t n;
} Scene;

static Scene scene_of(const char* text) {
    Scene s = {.m = {.diags = lia_diags_create()}};
    LiaStatus status = lia_model_parse("test.lia", text, strlen(text), NULL, s.m.diags, &s.m.model);
    if (status == LIA_OK) status = lia_system_build(s.m.model, NULL, s.m.diags, &s.m.system);
    if (status == LIA_OK) s.y = lia_geometry_create(s.m.system);
    if (s.y) s.space = lia_phase_space_create(s.y);
    if (s.space) {
        s.n = s.space->n;
    } else {
        char* said = lia_diags_text(s.m.diags);
        printf("%s\n%s\n", text, said ? said : "");
        lia_free(said);
        cases_count(false);
    }
    return s;
}

static void scene_clear(Scene* s) {
    lia_phase_space_destroy(s->space);
    lia_geometry_destroy(s->y);
    motion_clear(&s->m);
}

static void random_state(Random* r, size_t n, double* q, double* v) {
    for (size_t i = 0; i < n; i++) {
        q[i] = random_between(r, -1.5, 1.5);
        v[i] = random_between(r, -2.0, 2.0);
    }
}

// --- random models -----------------------------------------------------------------------------

// Something smooth of the coordinates, at most of size 1.
static const char* smooth(Random* r, int n, bool time, char* buffer) {
    int i = random_whole(r, 1, n), k = random_whole(r, 1, n);
    double c = random_between(r, 0.3, 1.7), d = random_between(r, -1.0, 1.0);
    switch (random_whole(r, 0, time ? 5 : 4)) {
    case 0:
        sprintf(buffer, "sin(%.2f*c%d + %.2f)", c, i, d);
        break;
    case 1:
        sprintf(buffer, "cos(c%d - %.2f*c%d)", i, c, k);
        break;
    case 2:
        sprintf(buffer, "c%d/(1 + c%d^2)", i, k == i ? i : k);
        break;
    case 3:
        sprintf(buffer, "exp(-c%d^2)*%.2f", i, d);
        break;
    case 4:
        sprintf(buffer, "%.2f", d);
        break;
    default:
        sprintf(buffer, "sin(t + %.2f*c%d)", c, i);
    }
    return buffer;
}

// T is a sum of squares in triangular form: positive definite whatever the positions are.
static char* random_model(Random* r, int* out_n) {
    LiaText text = {0};
    int n = random_whole(r, 2, 5), driven = random_whole(r, 1, n - 1);
    bool time = random_chance(r, 0.3), linear = random_chance(r, 0.4);
    char b[128];
    lia_text_add(&text, "coordinate c1");
    for (int i = 2; i <= n; i++) lia_text_add(&text, ", c%d", i);
    lia_text_add(&text, " : line\n");
    for (int i = 1; i <= n; i++) {
        lia_text_add(&text, "kinetic %.2f/2*((1.2 + 0.3*%s)*c%d'", random_between(r, 0.4, 2.0),
                     smooth(r, n, time, b), i);
        for (int k = i + 1; k <= n; k++)
            lia_text_add(&text, " + %s*c%d'", smooth(r, n, time, b), k);
        lia_text_add(&text, ")^2\n");
        if (linear) lia_text_add(&text, "lagrangian %s*c%d'\n", smooth(r, n, time, b), i);
    }
    lia_text_add(&text, "potential %s*c1^2 + %s\n", smooth(r, n, time, b), "sin(c2)*c1");
    if (random_chance(r, 0.3)) lia_text_add(&text, "force drag: -0.3*c1'*d(c1) + 0.2*c2*d(c2)\n");
    // the last ones are driven, by a law on S or by time
    for (int a = n - driven + 1; a <= n; a++) {
        if (random_chance(r, 0.5)) {
            lia_text_add(&text, "operator o%d: c%d' = 0.7*cos(c%d) + 0.3*c%d\n", a, a, n, a);
        } else {
            lia_text_add(&text, "operator o%d: c%d = 0.4*sin(%.2f*t)\n", a, a,
                         random_between(r, 0.5, 2.0));
        }
    }
    *out_n = n;
    return text.data;
}

static void decomposition_holds_on_random_quadratic_models(void) {
    Random r = {20260714};
    int states = 1000 / cases_every();
    double worst = 0.0, worst_lambda = 0.0;
    for (int model = 0; model < 20; model++) {
        int n;
        char* text = random_model(&r, &n);
        Scene s = scene_of(text);
        for (int k = 0; s.space && k < states; k++) {
            double q[8], v[8], t = random_between(&r, 0.0, 3.0);
            random_state(&r, s.n, q, v);
            LiaFields f;
            bool ok = lia_fields_make(s.space, NULL, t, q, v, &f) && f.split;
            check(ok, "split", 0, 1);
            if (ok) {
                check(f.defect <= 1e-11, text, f.defect, 0);
                check(f.lambda_defect <= 1e-11, "forces of the operators", f.lambda_defect, 0);
                worst = fmax(worst, f.defect), worst_lambda = fmax(worst_lambda, f.lambda_defect);
                double kinetic = 0.0;  // E = h0 + 1/2 Theta Y Y
                for (uint32_t a = 0; a < f.nb; a++) {
                    for (uint32_t b = 0; b < f.nb; b++) {
                        kinetic += 0.5 * f.Theta[a * f.nb + b] * f.Y[a] * f.Y[b];
                    }
                }
                near("E = h0 + K", f.energy, f.h0 + kinetic, 1e-12 * (1.0 + fabs(f.h0) + kinetic));
            }
            lia_fields_clear(&f);
        }
        scene_clear(&s);
        free(text);
    }
    printf("D_Y = D_0 - X_K + H(Y): worst %.1e; operator forces: worst %.1e\n", worst,
           worst_lambda);
}

// --- any Lagrangian ----------------------------------------------------------------------------

static const char* const not_quadratic[] = {
    // a relativistic particle on a rod that is turned
    "parameter m = 1.3, c = 4\n"
    "coordinate r, s : line\n"
    "lagrangian -m*c^2*sqrt(1 - (r'^2 + r^2*s'^2 + 0.3*r'*s')/c^2)\n"
    "potential r^2/2 + r*s\n"
    "operator turn: s' = 0.5 + sin(s)\n",
    "coordinate x, y, s : line\n"
    "lagrangian x'^2/2*(1 + y^2) + (x' + y' + s')^4/12 + y'^2 + x'*s'*cos(x) + sin(x)*y'\n"
    "potential x*y + cos(x - s)\n"
    "operator move: s = sin(t)\n",
    "coordinate x, s : line\n"
    "lagrangian cosh(x')*(2 + sin(s + x)) + s'^2*x'\n"
    "operator move: s' = cos(s)\n",
};

// R(x, p; s, Y) = <p_x, v_x> - L(v_x(p), Y): the canonical equations of R are D_Y - Y.
static double routhian(Scene* s, double t, const double* q, const double* p, const double* v0) {
    double v[8];
    memcpy(v, v0, s->n * sizeof *v);
    if (!lia_phase_space_velocities(s->space, t, q, p, (LiaUnknowns){s->space->x, s->space->nx}, v))
        return NAN;
    double now[8], R;
    lia_phase_space_momenta(s->space, t, q, v, now);
    R = -lia_value(&s->space->values, s->m.system->energy.lagrangian);
    for (uint32_t i = 0; i < s->space->nx; i++) R += p[s->space->x[i]] * v[s->space->x[i]];
    return R;
}

// Central differences of order six.
static double slope(Scene* s, double t, double* q, double* p, const double* v, double* x) {
    const double h = 2e-3, weight[3] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0}, at = *x;
    double sum = 0.0;
    for (int k = 1; k <= 3; k++) {
        *x = at + k * h;
        double up = routhian(s, t, q, p, v);
        *x = at - k * h;
        sum += weight[k - 1] * (up - routhian(s, t, q, p, v));
    }
    *x = at;
    return sum / h;
}

static void the_field_is_Y_and_X_R_for_any_lagrangian(void) {
    Random r = {5};
    for (size_t k = 0; k < sizeof not_quadratic / sizeof *not_quadratic; k++) {
        Scene s = scene_of(not_quadratic[k]);
        for (int state = 0; s.space && state < 20; state++) {
            double q[8], v[8], p[8], t = random_between(&r, 0.0, 2.0);
            random_state(&r, s.n, q, v);
            for (size_t i = 0; i < s.n; i++) v[i] *= 0.4;
            LiaFields f;
            bool ok = lia_fields_make(s.space, NULL, t, q, v, &f);
            check(ok && !f.split && f.field[LIA_FIELD_D_Y] && f.field[LIA_FIELD_D_0], "not split",
                  0, 1);
            if (ok) {
                check(f.defect <= 1e-11, "Y + X_R", f.defect, 0);
                memcpy(p, f.state.p, s.n * sizeof *p);
                memcpy(q, f.state.q, s.n * sizeof *q);
                double still[8] = {0};  // the base frozen: R is h0
                for (uint32_t j = 0; j < s.space->nx; j++)
                    still[s.space->x[j]] = f.state.v[s.space->x[j]];
                for (uint32_t j = 0; f.field[LIA_FIELD_D_0] && j < s.space->nx; j++) {
                    uint32_t i = s.space->x[j];
                    double x_rate = slope(&s, t, q, p, still, &p[i]);
                    double p_rate = -slope(&s, t, q, p, still, &q[i]);
                    near("x' = dh0/dp", f.field[LIA_FIELD_D_0][i], x_rate, 1e-9);
                    near("p' = -dh0/dx", f.field[LIA_FIELD_D_0][s.n + j], p_rate, 1e-9);
                }
                for (uint32_t j = 0; j < s.space->nx; j++) {
                    uint32_t i = s.space->x[j];
                    double x_rate = slope(&s, t, q, p, f.state.v, &p[i]);
                    double p_rate = -slope(&s, t, q, p, f.state.v, &q[i]);
                    near("x' = dR/dp", f.field[LIA_FIELD_D_Y][i], x_rate, 1e-9);
                    near("p' = -dR/dx", f.field[LIA_FIELD_D_Y][s.n + j], p_rate, 1e-9);
                }
            }
            lia_fields_clear(&f);
        }
        scene_clear(&s);
    }
}

static void legendre_goes_both_ways(void) {
    Random r = {9};
    for (int k = 0; k < 10; k++) {
        int n;
        char* made = k < 7 ? random_model(&r, &n) : NULL;
        Scene s = scene_of(made ? made : not_quadratic[k - 7]);
        for (int state = 0; s.space && state < 20; state++) {
            double q[8], v[8], p[8], back[8] = {0};
            uint32_t all[8];
            random_state(&r, s.n, q, v);
            for (uint32_t i = 0; i < s.n; i++) {
                all[i] = i;
                v[i] *= 0.3;
            }
            lia_phase_space_momenta(s.space, 0.4, q, v, p);
            // on V*M
            for (uint32_t i = 0; i < s.space->ns; i++) back[s.space->s[i]] = v[s.space->s[i]];
            check(lia_phase_space_velocities(s.space, 0.4, q, p,
                                             (LiaUnknowns){s.space->x, s.space->nx}, back),
                  "V*M", 0, 1);
            for (size_t i = 0; i < s.n; i++) near("v on V*M", back[i], v[i], 1e-12);
            if (!s.y->quadratic) {  // on T*M some of these L are not convex: only near the answer
                for (size_t i = 0; i < s.n; i++) back[i] = v[i] * 1.01;
            } else {
                memset(back, 0, sizeof back);
            }
            if (lia_phase_space_velocities(s.space, 0.4, q, p, (LiaUnknowns){all, (uint32_t)s.n},
                                           back)) {
                for (size_t i = 0; i < s.n; i++) near("v on T*M", back[i], v[i], 1e-10);
            }
        }
        scene_clear(&s);
        free(made);
    }
}

// --- the bracket -------------------------------------------------------------------------------

static LiaExpr random_function(Random* r, Scene* s) {
    LiaGraph* g = s->y->graph;
    LiaExpr none = {0}, sum = lia_graph_integer(g, 0);
    for (int k = 0; k < 3; k++) {
        LiaExpr f = lia_graph_integer(g, random_whole(r, 1, 5));
        for (size_t i = 0; i < s->n; i++) {
            LiaExpr q = s->m.system->q[i], p = s->y->p[i];
            int what = random_whole(r, 0, 5);
            bool fibre = !s->space->driven[i];
            if (what == 0) f = lia_graph_mul(g, f, lia_graph_apply(g, LIA_OP_SIN, q, none, none));
            if (what == 1) f = lia_graph_mul(g, f, lia_graph_add(g, q, lia_graph_integer(g, 2)));
            if (what == 2 && fibre) f = lia_graph_mul(g, f, lia_graph_mul(g, p, p));
            if (what == 3 && fibre)
                f = lia_graph_mul(
                    g, f, lia_graph_apply(g, LIA_OP_COS, lia_graph_mul(g, p, q), none, none));
        }
        sum = lia_graph_add(g, sum, f);
    }
    return sum;
}

static double value_at(Scene* s, LiaExpr f, const double* q, const double* p) {
    LiaValues values;
    LiaSymbols at = {.t = 0.3, .parameters = s->m.system->parameters, .q = q, .v = q, .p = p};
    lia_evaluate_init(&values, s->y->graph, &f, 1);
    lia_evaluate_run(&values, &at);
    double x = lia_value(&values, f);
    lia_evaluate_clear(&values);
    return x;
}

static void the_bracket_is_a_poisson_bracket(void) {
    Random r = {31};
    Scene s = scene_of("coordinate x, y, s, z : line\n"
                       "kinetic (x'^2 + y'^2 + s'^2 + z'^2)/2 + x'*s'\n"
                       "operator o: s = sin(t)\n");
    if (!s.space) return;
    LiaGraph* g = s.y->graph;
    for (int k = 0; k < 30; k++) {
        LiaExpr f = random_function(&r, &s), h = random_function(&r, &s),
                e = random_function(&r, &s);
        double q[8], p[8];
        random_state(&r, s.n, q, p);
        LiaExpr fh = lia_phase_space_bracket(s.space, f, h),
                hf = lia_phase_space_bracket(s.space, h, f);
        double x = value_at(&s, fh, q, p);
        near("{f,h} = -{h,f}", x, -value_at(&s, hf, q, p), 1e-12 * (1.0 + fabs(x)));
        // {f, h e} = {f, h} e + h {f, e}
        double left =
            value_at(&s, lia_phase_space_bracket(s.space, f, lia_graph_mul(g, h, e)), q, p);
        double fe = value_at(&s, lia_phase_space_bracket(s.space, f, e), q, p);
        double right = x * value_at(&s, e, q, p) + value_at(&s, h, q, p) * fe;
        near("Leibniz", left, right, 1e-11 * (1.0 + fabs(left) + fabs(x) + fabs(fe)) * 100.0);
        // Jacobi
        LiaExpr he = lia_phase_space_bracket(s.space, h, e),
                ef = lia_phase_space_bracket(s.space, e, f);
        double a = value_at(&s, lia_phase_space_bracket(s.space, f, he), q, p);
        double b = value_at(&s, lia_phase_space_bracket(s.space, h, ef), q, p);
        double c = value_at(&s, lia_phase_space_bracket(s.space, e, fh), q, p);
        near("Jacobi", a + b + c, 0.0, 1e-11 * (1.0 + fabs(a) + fabs(b) + fabs(c)));
        near("s is a Casimir",
             value_at(&s, lia_phase_space_bracket(s.space, s.m.system->q[2], f), q, p), 0.0, 0.0);
    }
    for (uint32_t i = 0; i < s.n; i++) {
        for (uint32_t k = 0; k < s.n; k++) {
            double q[8] = {0.1, 0.2, 0.3, 0.4}, p[8] = {0.5, 0.6, 0.7, 0.8};
            LiaExpr one = lia_phase_space_bracket(s.space, s.m.system->q[i], s.y->p[k]);
            near("{x_i, p_k}", value_at(&s, one, q, p), i == k && !s.space->driven[i] ? 1.0 : 0.0,
                 0.0);
        }
    }
    scene_clear(&s);
}

// --- formulas ----------------------------------------------------------------------------------

// The formulas shown give the numbers of the fields; D_0 is the field of h0 by the bracket.
static void formulas_agree_with_numbers(const char* text) {
    Scene s = scene_of(text);
    LiaClassification classes = {0};
    LiaFormulas f = {0};
    if (!s.space) return;
    check(lia_classification_make(s.y, 0.0, NULL, NULL, NULL, &classes) &&
              lia_formulas_make(s.space, &classes, 0.0, NULL, NULL, &f),
          "formulas", 0, 1);
    Random r = {3};
    for (int k = 0; k < 5; k++) {
        double q[8], v[8];
        LiaFields at;
        random_state(&r, s.n, q, v);
        bool ok = lia_fields_make(s.space, NULL, 0.7, q, v, &at) && at.split;
        check(ok, "split", 0, 1);
        LiaValues values;
        LiaExpr roots[256];
        size_t count = 0;
        uint32_t nx = s.space->nx, ns = s.space->ns;
        roots[count++] = f.h0, roots[count++] = f.hamiltonian, roots[count++] = f.K_Y;
        for (uint32_t i = 0; i < nx * ns; i++) roots[count++] = f.A[i];
        for (uint32_t i = 0; i < ns * ns; i++) roots[count++] = f.Theta[i];
        for (uint32_t i = 0; i < nx * ns * ns; i++) roots[count++] = f.F[i];
        for (uint32_t i = 0; i < ns; i++) roots[count++] = f.momentum[i];
        LiaExpr slopes[32];
        for (uint32_t j = 0; j < nx; j++) {  // {x, h0}, {p, h0}
            slopes[2 * j] = lia_phase_space_bracket(s.space, s.m.system->q[s.space->x[j]], f.h0);
            slopes[2 * j + 1] = lia_phase_space_bracket(s.space, s.y->p[s.space->x[j]], f.h0);
            roots[count++] = slopes[2 * j], roots[count++] = slopes[2 * j + 1];
        }
        ok = ok && lia_evaluate_init(&values, s.y->graph, roots, count);
        if (!ok) continue;
        LiaSymbols symbols = {.t = 0.7,
                              .parameters = s.m.system->parameters,
                              .q = at.state.q,
                              .v = at.state.v,
                              .p = at.state.p};
        lia_evaluate_run(&values, &symbols);
        double size = 1.0 + fabs(at.h0) + fabs(at.K_Y);
        if (f.h0.index) near("h0", lia_value(&values, f.h0), at.h0, 1e-11 * size);
        if (f.hamiltonian.index)
            near("H", lia_value(&values, f.hamiltonian), at.energy, 1e-11 * size);
        if (f.K_Y.index) near("K_Y", lia_value(&values, f.K_Y), at.K_Y, 1e-11 * size);
        for (uint32_t i = 0; i < nx * ns; i++) {
            if (f.A[i].index) near("A", lia_value(&values, f.A[i]), at.A[i], 1e-11);
        }
        for (uint32_t i = 0; i < ns * ns; i++) {
            if (f.Theta[i].index) near("Theta", lia_value(&values, f.Theta[i]), at.Theta[i], 1e-10);
        }
        for (uint32_t i = 0; i < nx * ns * ns; i++) {
            if (f.F[i].index) near("F", lia_value(&values, f.F[i]), at.F[i], 1e-10);
        }
        for (uint32_t a = 0; a < ns; a++) {
            if (f.momentum[a].index) {
                near("p_a", lia_value(&values, f.momentum[a]), at.state.p[s.space->s[a]],
                     1e-10 * size);
            }
        }
        for (uint32_t j = 0; f.h0.index && j < nx; j++) {
            near("{x, h0}", lia_value(&values, slopes[2 * j]),
                 at.field[LIA_FIELD_D_0][s.space->x[j]], 1e-10 * size);
            near("{p, h0}", lia_value(&values, slopes[2 * j + 1]), at.field[LIA_FIELD_D_0][s.n + j],
                 1e-10 * size);
        }
        lia_evaluate_clear(&values);
        lia_fields_clear(&at);
    }
    lia_formulas_clear(&f);
    lia_classification_clear(&classes);
    scene_clear(&s);
}

// --- servos ------------------------------------------------------------------------------------

static double row_of(const LiaFields* f, LiaFieldId field, uint32_t coordinate, bool momentum) {
    if (!momentum) return f->field[field][coordinate];
    for (uint32_t j = 0; j < f->nx; j++) {
        if (f->x[j] == coordinate) return f->field[field][f->n + j];
    }
    return NAN;
}

// Base alpha, Theta = A, Y = a theta' + b theta with theta' = (p2 - p3 sin(alpha))/I(alpha):
//   eta = A Y dY: theta' += A Y a/I, p(theta)' -= A Y b; perfect, so Z is zero along the fibre.
static void the_stabiliser_has_dazords_terms(void) {
    Scene s = scene_of("parameter A = 2, C = 1, I1 = 20, md2 = 3, k = 10, a = 1, b = 0.2\n"
                       "coordinate alpha, theta, phi : circle\n"
                       "let I = I1 + md2 + A*cos(alpha)^2\n"
                       "kinetic 1/2*(A*alpha'^2 + I*theta'^2 + C*(phi' + theta'*sin(alpha))^2)\n"
                       "potential -k*cos(theta)\n"
                       "operator servo: alpha' = a*theta' + b*theta\n");
    Random r = {12};
    for (int k = 0; s.space && k < 20; k++) {
        double q[3], v[3];
        random_state(&r, 3, q, v);
        v[0] = v[1] + 0.2 * q[1];
        LiaFields f;
        bool ok =
            lia_fields_make(s.space, NULL, 0.0, q, v, &f) && f.split && f.nb == 1 && f.base[0] == 0;
        check(ok, "base alpha", 0, 1);
        if (ok) {
            double I = 23.0 + 2.0 * cos(q[0]) * cos(q[0]), Y = v[0];
            near("Theta", f.Theta[0], 2.0, 1e-14);
            near("K_Y", f.K_Y, Y * Y, 1e-13 * (1.0 + Y * Y));
            near("eta of theta'", row_of(&f, LIA_FIELD_ETA, 1, false), 2.0 * Y / I, 1e-13);
            near("eta of p(theta)'", row_of(&f, LIA_FIELD_ETA, 1, true), -2.0 * Y * 0.2, 1e-13);
            near("-X_K of theta'", row_of(&f, LIA_FIELD_MINUS_X_K, 1, false), -2.0 * Y / I, 1e-13);
            near("-X_K of p(theta)'", row_of(&f, LIA_FIELD_MINUS_X_K, 1, true), 2.0 * Y * 0.2,
                 1e-13);
            near("Z of p(theta)'", row_of(&f, LIA_FIELD_Z, 1, true), 0.0, 0.0);
            near("Z of p(phi)'", row_of(&f, LIA_FIELD_Z, 2, true), 0.0, 0.0);
            near("motor torque", f.lambda[0].total, f.lambda[0].given, 1e-10);
            check(f.rows == 5, "V*M", f.rows, 5);
            near("sum", f.defect, 0.0, 1e-13);
        }
        lia_fields_clear(&f);
    }
    scene_clear(&s);
}

// Two discs: th2 follows th1. With the force on th2 and another base, Z is not zero along the
// fibre: the base th1 - th2 has the fibre's momentum p(th1) + p(th2), the base th1 has p(th2); with
// the base th2 it is zero.
static void discs_have_z(void) {
    static const char* const laws[] = {"operator follow: th1 - th2 = 0 by d(th2)\n",
                                       "operator follow: th1 = th2 by d(th2)\n",
                                       "operator follow: th2' = th1'\n"};
    for (int k = 0; k < 3; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "parameter A1 = 1, A2 = 2, k = 3\n"
                 "coordinate th1, th2 : line\n"
                 "kinetic A1/2*th1'^2 + A2/2*th2'^2\n"
                 "potential k/2*th1^2\n%s",
                 laws[k]);
        Scene s = scene_of(text);
        double q[2] = {0.7, 0.7}, v[2] = {0.4, 0.4};
        LiaFields f = {0};
        uint32_t rows[1] = {0};
        LiaFieldsBase base = {rows, 1, NULL, NULL};
        bool ok = s.space && lia_fields_make(s.space, &base, 0.0, q, v, &f) && f.split;
        check(ok, "discs", 0, 1);
        if (ok) {
            check(f.nb == 1, "base", f.nb, 1);
            double Z = f.field[LIA_FIELD_Z][2], p = k == 0 ? 1.2 : k == 1 ? 0.8 : 0.4;
            near("Z of the fibre", Z, k == 2 ? 0.0 : 2.0 * 3.0 * 0.7, 1e-14);
            near("momentum of the fibre", f.momentum[0], p, 1e-15);
            near("sum", f.defect, 0.0, 1e-15);
        }
        lia_fields_clear(&f);
        scene_clear(&s);
    }
}

// Servos on a metric that couples everything, imperfect ones and passive constraints next to them.
static void sums_hold_with_servos_and_constraints(void) {
    static const char* const laws[] = {
        "operator w: c' = 0.5*a' + sin(b)*b' + a\n",
        "operator w: c' = 0.3*a' + b by d(c) + 0.4*d(a)\n",
        "operator w: c = 0.4*a^2 + sin(b)\n",
        "operator w: c' = 0.2*b'\nconstraint k: a' = b*e' + 0.3\n",
        "operator w: c' = 0.2*b'\noperator z: e = sin(t)\n",
        "operator w: c' = 0.2*b' + e'\noperator z: e' = cos(e)*a\nconstraint k: a' = 0.3*b'\n",
    };
    Random r = {77};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "coordinate a, b, c, e : line\n"
                 "kinetic (2 + sin(b))/2*a'^2 + b'^2 + c'^2*(1.5 + a^2/4) + 1/2*e'^2 + "
                 "0.3*cos(c)*a'*c'\n"
                 "  + 0.2*a*b'*c' + 0.4*b'*e' + 0.1*sin(a)*c'*e'\n"
                 "lagrangian sin(a)*b' + b*c*c'\n"
                 "potential a^2/2 + b*c + cos(e)\n"
                 "force f: -0.2*a'*d(a) + b*d(c)\n%s",
                 laws[k]);
        Scene s = scene_of(text);
        LiaExplanation e = {0};
        for (int state = 0; s.space && state < 10; state++) {
            char at[128];
            LiaDiags* diags = lia_diags_create();
            snprintf(at, sizeof at, "t = %.3f, a = %.3f, b = %.3f, a' = %.3f", random_unit(&r),
                     random_between(&r, -1, 1), random_between(&r, -1, 1),
                     random_between(&r, -1, 1));
            bool ok = lia_explanation_make(s.m.system, &(LiaExplanationAsk){.at = at}, diags, &e) ==
                          LIA_OK &&
                      e.fields.split;
            check(ok, laws[k], 0, 1);
            if (ok) {
                check(e.fields.defect <= 1e-12, laws[k], e.fields.defect, 0);
                check(e.fields.lambda_defect <= 1e-11, "force", e.fields.lambda_defect, 0);
            }
            lia_explanation_clear(&e);
            lia_diags_destroy(diags);
        }
        scene_clear(&s);
    }
}

// --- rotations ---------------------------------------------------------------------------------

// A body with two driven wheels, free to turn: with I the moments of inertia, wheels included, and
// J_a those of the wheels,
//   D_0: omega = I^-1 Pi,   H(Y): omega = -A Y = -J_a/I_a Y_a e_a (body axes),   X_K = 0,
// and the angular momentum in space axes is constant along each part. Theta_a = J_a - J_a^2/I_a,
// and the curvature in body axes is F_12 = -A_1 x A_2.
static void rotations_are_taken_apart(void) {
    Random r = {77};
    Scene s = scene_of("coordinate R : rotation\ncoordinate s1, s2 : circle\n"
                       "let w = Omega(R)\n"
                       "kinetic (3*w.x^2 + 4*w.y^2 + 5*w.z^2)/2 + 0.1*w.x*s1' + 0.2*w.y*s2'\n"
                       "kinetic (0.1*s1'^2 + 0.2*s2'^2)/2\n"
                       "operator first: s1 = sin(2*t)\noperator second: s2 = 3*cos(t)\n");
    const double I[3] = {3, 4, 5}, J[2] = {0.1, 0.2};
    for (int state = 0; s.space && state < 20; state++) {
        double q[8] = {0}, v[8] = {0}, W[3], t = random_between(&r, 0.0, 2.0), size = 0.0;
        for (int i = 0; i < 4; i++) q[i] = random_between(&r, -1.0, 1.0), size += q[i] * q[i];
        for (int i = 0; i < 4; i++) q[i] /= sqrt(size);
        for (int i = 0; i < 3; i++) W[i] = random_between(&r, -1.0, 1.0);
        // q' = q (0, W)/2, W in body axes
        v[0] = -(q[1] * W[0] + q[2] * W[1] + q[3] * W[2]) / 2.0;
        for (int i = 1; i <= 3; i++) {
            int j = i % 3 + 1, k = j % 3 + 1;
            v[i] = (q[0] * W[i - 1] + q[j] * W[k - 1] - q[k] * W[j - 1]) / 2.0;
        }
        LiaFields f;
        bool ok = lia_fields_make(s.space, NULL, t, q, v, &f) && f.split;
        check(ok, "a rotation is split", ok, 1);
        if (ok) {
            check(f.defect <= 1e-13, "sum of the parts", f.defect, 0);
            check(f.lambda_defect <= 1e-12, "forces of the wheels", f.lambda_defect, 0);
            double omega[3], moment[3], Y[2] = {2.0 * cos(2.0 * t), -3.0 * sin(t)};
            for (int part = 0; part < 3; part++) {
                const LiaFieldId id[] = {LIA_FIELD_D_0, LIA_FIELD_MINUS_X_K, LIA_FIELD_H_Y};
                lia_attitude_fields_turn(&f, 0, f.field[id[part]], omega, moment);
                for (int i = 0; i < 3; i++) near("p(R) is constant", moment[i], 0.0, 1e-13);
                for (int i = 0; i < 3;
                     i++) {  // column i of the matrix of q: the body's axis in space
                    int j = (i + 1) % 3, k = (i + 2) % 3;
                    double axis[3];
                    axis[i] = 1.0 - 2.0 * (q[1 + j] * q[1 + j] + q[1 + k] * q[1 + k]);
                    axis[j] = 2.0 * (q[1 + i] * q[1 + j] + q[0] * q[1 + k]);
                    axis[k] = 2.0 * (q[1 + i] * q[1 + k] - q[0] * q[1 + j]);
                    double body = axis[0] * omega[0] + axis[1] * omega[1] + axis[2] * omega[2];
                    double lift = i < 2 ? J[i] / I[i] * Y[i] : 0.0;
                    double wanted = part == 0 ? W[i] + lift : part == 1 ? 0.0 : -lift;
                    near("omega of a part, in body axes", body, wanted, 1e-13);
                }
            }
            for (int a = 0; a < 2; a++) {
                near("Theta", f.Theta[a * 2 + a], J[a] - J[a] * J[a] / I[a], 1e-14);
            }
        }
        lia_fields_clear(&f);
    }
    scene_clear(&s);
}

int main(void) {
    decomposition_holds_on_random_quadratic_models();
    the_field_is_Y_and_X_R_for_any_lagrangian();
    legendre_goes_both_ways();
    rotations_are_taken_apart();
    the_bracket_is_a_poisson_bracket();
    formulas_agree_with_numbers("parameter m = 1.3, l = 0.9, mp = 0.4, g = 9.81\n"
                                "coordinate theta, s1, s2 : line\n"
                                "let bob = [s1 + l*sin(theta), s2 - l*cos(theta)]\n"
                                "kinetic m/2*dot(bob', bob') + mp/2*(s1'^2 + s2'^2)\n"
                                "potential m*g*bob.y + mp*g*s2\n"
                                "operator a: s1' = 1 + s2^2/3\n"
                                "operator b: s2' = sin(s1) - 1/2\n");
    formulas_agree_with_numbers("coordinate x, y, s : line\n"
                                "kinetic (1 + y^2)/2*x'^2 + x'*y'*sin(x)/3 + y'^2 + s'^2*(1 + x^2) "
                                "+ x'*s' + cos(y)/2*y'*s'\n"
                                "lagrangian y*x' - x*s' + sin(x)*y'\n"
                                "potential x*y*s\n"
                                "operator a: s = sin(t)\n");
    the_stabiliser_has_dazords_terms();
    discs_have_z();
    sums_hold_with_servos_and_constraints();
    return cases_end();
}
