// Whipple's bicycle (examples/bicycle): its full equations, differentiated about upright steady
// motion, are the linear ones of Meijaard, Papadopoulos, Ruina and Schwab (Proc. R. Soc. A 463,
// 2007); far from upright its accelerations are those of Basu-Mandal, Chatterjee and Papadopoulos
// (same volume, Table 1).
//
//   M q'' + v C1 q' + (g K0 + v^2 K2) q = f,     q = (lean, steer)
// SPDX-License-Identifier: MIT
#include "agree.h"
#include "support/cases.h"
#include "support/motion.h"
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The published matrices. K(v) = g K0 + v^2 K2.
static const double g = 9.81;
typedef struct Matrix {
    double e[2][2];
} Matrix;
static const Matrix M = {{{80.81722, 2.319413322087091}, {2.319413322087091, 0.2978418819968555}}};
static const Matrix C1 = {{{0, 33.86641391492494}, {-0.8503564145697844, 1.685403973975597}}};
static const Matrix K0 = {
    {{-80.95, -2.599516852498716}, {-2.599516852498716, -0.8032948845861769}}};
static const Matrix K2 = {{{0, 76.59734589573222}, {0, 2.65431523794604}}};
static const double weave_speed = 4.292382536341104, capsize_speed = 6.02426201538836;

// The text of the example up to its start, with other lines after it. Release with free().
static char* with_start(const char* lines) {
    FILE* f = fopen(LIAISON_SOURCE_DIR "/examples/bicycle/bicycle.lia", "rb");
    assert_non_null(f);
    char* text = calloc(1, 1 << 16);
    assert_non_null(text);
    size_t got = fread(text, 1, (1 << 15), f);
    fclose(f);
    text[got] = 0;
    char* start = strstr(text, "\nstart ");
    assert_non_null(start);
    snprintf(start + 1, 1 << 15, "%s", lines);
    return text;
}

// Lean and steer, their rates, the torques on them, the speed: where the field is wanted.
typedef struct Place {
    double at[6], v;
} Place;

static void accelerations(const char* text, const Place* p, double a[2]) {
    static const char* const names[6] = {"e1", "e2", "e3", "e4", "T1", "T2"};
    LiaDefine defines[7];
    for (int i = 0; i < 6; i++) defines[i] = (LiaDefine){.name = names[i], .value = p->at[i]};
    defines[6] = (LiaDefine){.name = "v0", .value = p->v};
    Motion m = motion_of(text, &(MotionOptions){.defines = defines, .define_count = 7});
    assert_non_null(m.t);
    a[0] = motion_final(&m, "a.x");
    a[1] = motion_final(&m, "a.y");
    motion_clear(&m);
}

// d(q'')/d(at[i]) by central differences of order 8.
static void derivative(const char* text, double v, int i, double h, double out[2]) {
    static const double weight[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    out[0] = out[1] = 0.0;
    for (int k = 1; k <= 4; k++) {
        double up[2], down[2];
        Place p = {.v = v};
        p.at[i] = k * h;
        accelerations(text, &p, up);
        p.at[i] = -k * h;
        accelerations(text, &p, down);
        for (int j = 0; j < 2; j++) out[j] += weight[k - 1] * (up[j] - down[j]) / h;
    }
}

// q'' = A q + B q' + W f about v.
typedef struct Linear {
    Matrix A, B, W;
} Linear;

static Linear linearised(double v) {
    char* text = with_start("parameter e1 = 0, e2 = 0, e3 = 0, e4 = 0, T1 = 0, T2 = 0\n"
                            "force roll: T1*d(lean)\n"
                            "force turn: T2*d(steer)\n"
                            "observe a = [lean'', steer'']\n"
                            "start x = 0, y = 0, yaw = 0, lean = e1, steer = e2\n"
                            "start lean' = e3, steer' = e4, turnR' = v0/rR\n"
                            "run t = 0..0\n");
    Linear l;
    for (int i = 0; i < 2; i++) {
        double column[3][2];
        derivative(text, v, i, 0.02, column[0]);
        derivative(text, v, i + 2, 0.02, column[1]);
        derivative(text, v, i + 4, 1.0, column[2]);
        for (int j = 0; j < 2; j++) {
            l.A.e[j][i] = column[0][j];
            l.B.e[j][i] = column[1][j];
            l.W.e[j][i] = column[2][j];
        }
    }
    free(text);
    return l;
}

static Matrix multiply(Matrix a, Matrix b) {
    Matrix out;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            out.e[i][j] = a.e[i][0] * b.e[0][j] + a.e[i][1] * b.e[1][j];
        }
    }
    return out;
}

static double determinant(Matrix a) { return a.e[0][0] * a.e[1][1] - a.e[0][1] * a.e[1][0]; }

static Matrix inverse(Matrix a) {
    double det = determinant(a);
    return (Matrix){{{a.e[1][1] / det, -a.e[0][1] / det}, {-a.e[1][0] / det, a.e[0][0] / det}}};
}

// a A + b B
static Matrix combine(double a, Matrix A, double b, Matrix B) {
    Matrix out;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) out.e[i][j] = a * A.e[i][j] + b * B.e[i][j];
    }
    return out;
}

// The published equations in the same form.
static Linear published(double v) {
    Matrix W = inverse(M);
    return (Linear){.A = multiply(W, combine(-g, K0, -v * v, K2)),
                    .B = multiply(W, combine(-v, C1, 0, C1)),
                    .W = W};
}

// Roots of det(x^2 - x B - A) = 0 by simultaneous iteration (Durand and Kerner), by real part, then
// by imaginary part.
static int by_place(const void* a, const void* b) {
    double complex x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    double d = creal(x) - creal(y);
    if (fabs(d) < 1e-6) d = cimag(x) - cimag(y);
    return d < 0 ? -1 : d > 0;
}

static void eigenvalues(const Linear* l, double complex x[4]) {
    Matrix A = l->A, B = l->B, both = combine(1, A, 1, B);
    double c[4] = {
        determinant(A),
        determinant(both) - determinant(A) - determinant(B),
        determinant(B) - A.e[0][0] - A.e[1][1],
        -B.e[0][0] - B.e[1][1],
    };
    for (int i = 0; i < 4; i++) x[i] = 5.0 * cpow(0.4 + 0.9 * I, i);
    for (int pass = 0; pass < 500; pass++) {
        for (int i = 0; i < 4; i++) {
            double complex value = (((x[i] + c[3]) * x[i] + c[2]) * x[i] + c[1]) * x[i] + c[0];
            for (int k = 0; k < 4; k++) {
                if (k != i) value /= x[i] - x[k];
            }
            x[i] -= value;
        }
    }
    qsort(x, 4, sizeof x[0], by_place);
}

static const double speeds[] = {3.5, 5, 7};

static void its_linear_matrices_are_the_published_ones(void) {
    for (int s = 0; s < 3; s++) {
        double v = speeds[s];
        Linear l = linearised(v);
        Matrix mass = inverse(l.W), damping = multiply(mass, l.B), stiffness = multiply(mass, l.A);
        Matrix K = combine(g, K0, v * v, K2);
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                near_as(mass.e[i][j], M.e[i][j], 1e-9 * fabs(M.e[i][j]), "M");
                near_as(-damping.e[i][j] / v, C1.e[i][j], 1e-9 * (1 + fabs(C1.e[i][j])), "C1");
                near_as(-stiffness.e[i][j], K.e[i][j], 1e-9 * fabs(K.e[i][j]), "K");
            }
        }
    }
}

static void its_eigenvalues_are_those_of_the_published_matrices(void) {
    for (int s = 0; s < 3; s++) {
        double complex x[4], y[4];
        Linear full = linearised(speeds[s]), known = published(speeds[s]);
        eigenvalues(&full, x);
        eigenvalues(&known, y);
        for (int i = 0; i < 4; i++) {
            near_as(creal(x[i]), creal(y[i]), 1e-8 * cabs(y[i]), "real part");
            near_as(cimag(x[i]), cimag(y[i]), 1e-8 * cabs(y[i]), "imaginary part");
        }
    }
    double complex x[4];
    Linear at5 = linearised(5);
    eigenvalues(&at5, x);
    near_as(creal(x[0]), -14.0783896927982, 1e-8, "castering at 5 m/s");
    near_as(creal(x[1]), -0.775341882195842, 1e-8, "weave at 5 m/s");
    near_as(cimag(x[2]), 4.46486771378823, 1e-8, "weave at 5 m/s");
    near_as(creal(x[3]), -0.322866429004087, 1e-8, "capsize at 5 m/s");
}

// Between these two speeds it balances itself.
static void it_becomes_stable_at_the_weave_speed_and_falls_over_beyond_the_capsize_speed(void) {
    double complex x[4];
    Linear weave = linearised(weave_speed), capsize = linearised(capsize_speed);
    eigenvalues(&weave, x);
    near_as(creal(x[2]), 0.0, 1e-8, "weave");
    near_as(creal(x[3]), 0.0, 1e-8, "weave");
    assert_true(cimag(x[3]) > 1.0);
    eigenvalues(&capsize, x);
    near_as(cabs(x[3]), 0.0, 1e-8, "capsize");
    for (int side = -1; side <= 1; side += 2) {
        weave = linearised(weave_speed + 0.1 * side);
        capsize = linearised(capsize_speed + 0.1 * side);
        eigenvalues(&weave, x);
        assert_true(creal(x[3]) * side < 0);
        eigenvalues(&capsize, x);
        assert_true(creal(x[3]) * side > 0);
    }
}

// Leaning by 36 degrees with the handlebar turned: all the nonlinear terms at once.
static void far_from_upright_its_accelerations_are_the_published_ones(void) {
    static const struct {
        const char* name;
        double value;
    } known[] = {
        {"pitch", 3.1257073014894 - 3.14159265358979323846},
        {"yaw'", 0.7830033527065},
        {"pitch'", -0.0119185528069},
        {"turnF'", 8.0133620584155},
        {"a[1]", 7.8555281128244},
        {"a[2]", 4.6198904039403},
        {"a[3]", 0.8353281706379},
        {"a[4]", 0.1205543897884},
        {"a[5]", 1.8472554144217},
        {"a[6]", 2.4548072904550},
    };
    char* text = with_start("observe a = [lean'', steer'', yaw'', pitch'', turnR'', turnF'']\n"
                            "start x = 0, y = 0, yaw = 0, lean = pi/2 - 0.9501292851472\n"
                            "start steer = -0.2311385135743, turnR = 0, turnF = 0\n"
                            "start lean' = -0.6068425835418, steer' = -0.4859824687093\n"
                            "start turnR' = 8.9129896614890\n"
                            "run t = 0..0\n");
    Motion m = motion_of(text, NULL);
    assert_non_null(m.t);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        near_as(motion_final(&m, known[i].name), known[i].value, 1e-12, known[i].name);
    }
    motion_clear(&m);
    free(text);
}

// Rolling as a vector equation: the third component follows from the others, in the rear wheel as
// nothing but rounding.
static void rolling_may_be_one_vector_equation(void) {
    const char* start = "start x = 0, y = 0, yaw = 0, lean = 0.1, steer = 0, turnR = 0, turnF = 0\n"
                        "start lean' = 0.3, steer' = 0, turnR' = 15\n"
                        "run t = 0..3, tolerance 1e-14\n";
    char* plain = with_start(start);
    char* vector = with_start(start);
    char* begin = strstr(vector, "constraint rollR:");
    const char* end = strstr(vector, "\n\nstart ");
    if (!end) end = strstr(vector, "\nstart ");
    assert_non_null(begin);
    assert_non_null(end);
    char rest[1024];
    snprintf(rest, sizeof rest, "constraint rollR: slipR = 0\nconstraint rollF: slipF = 0%s", end);
    strcpy(begin, rest);
    Motion a = motion_of(plain, NULL), b = motion_of(vector, NULL);
    assert_non_null(a.t);
    assert_non_null(b.t);
    const char* names[] = {"x", "y", "yaw", "lean", "steer", "turnR", "lean'", "steer'", "turnF'"};
    for (int i = 0; i < 9; i++) {
        near_as(motion_final(&b, names[i]), motion_final(&a, names[i]), 1e-11, names[i]);
    }
    near_as(motion_final(&b, "regularity"), 1.0, 1e-12, "ideal constraints");
    motion_clear(&a);
    motion_clear(&b);
    free(plain);
    free(vector);
}

// The same bicycle as four free bodies: hinges at the hubs and in the head, wheels that touch and
// roll.
static const char free_bodies[] =
    "parameter w = 1.02, c = 0.08, tilt = pi/10, rR = 0.3, rF = 0.35\n"
    "let ey = [0, 1, 0], ez = [0, 0, 1], es = [-sin(tilt), 0, cos(tilt)]\n"
    "body wheelR: mass 2, inertia [0.0603, 0.12, 0.0603], free\n"
    "body frame: mass 85, inertia [[9.2, 0, -2.4], [0, 11, 0], [-2.4, 0, 2.8]], free\n"
    "body fork: mass 4, free,\n"
    "  inertia [[0.05892, 0, 0.00756], [0, 0.06, 0], [0.00756, 0, 0.00708]]\n"
    "body wheelF: mass 3, inertia [0.1405, 0.28, 0.1405], free\n"
    "gravity [0, 0, -9.81]\n"
    "constraint hubR: wheelR.position = point(frame, [-0.3, 0, rR - 0.9]),\n"
    "  axis(wheelR, ey) = axis(frame, ey)\n"
    "constraint head: axis(frame, es) = axis(fork, es),\n"
    "  point(frame, [w + c - 0.3, 0, -0.9]) = point(fork, [w + c - 0.9, 0, -0.7])\n"
    "constraint hubF: wheelF.position = point(fork, [w - 0.9, 0, rF - 0.7]),\n"
    "  axis(wheelF, ey) = axis(fork, ey)\n"
    "let axleR = axis(wheelR, ey), axleF = axis(wheelF, ey)\n"
    "let touchR = wheelR.position + rR*unit(axleR.z*axleR - ez)\n"
    "let touchF = wheelF.position + rF*unit(axleF.z*axleF - ez)\n"
    "constraint touching: touchR.z = 0, touchF.z = 0\n"
    "constraint rolling: velocity(wheelR, touchR) = 0, velocity(wheelF, touchF) = 0\n"
    "let leaning = asin(axleR.z)\n"
    "let steering = asin((roty(tilt)*transpose(frame.attitude)*axleF).x)\n"
    "observe x = touchR.x, y = touchR.y, yaw = atan2(-axleR.x, axleR.y)\n"
    "observe lean = leaning, steer = steering\n"
    "start wheelR.position = [0, 0, rR], wheelR.attitude = rotz(0)\n"
    "start frame.position = [0.3, 0, 0.9], frame.attitude = rotz(0)\n"
    "start fork.position = [0.9, 0, 0.7], fork.attitude = rotz(0)\n"
    "start wheelF.position = [w, 0, rF], wheelF.attitude = rotz(0)\n"
    "run t = 0..10, tolerance 1e-14\n";

static void moves_like(const char* example, const char* more, const char* const* names) {
    MotionOptions options = {.run = {.tolerance = 1e-14}};
    char text[8192];
    snprintf(text, sizeof text, "%s%s", free_bodies, more);
    Motion a = motion_of_file(example, &options), b = motion_of(text, NULL);
    assert_non_null(a.t);
    assert_non_null(b.t);
    for (; *names; names++) {
        near_as(motion_final(&b, *names), motion_final(&a, *names), 1e-9, *names);
    }
    motion_clear(&a);
    motion_clear(&b);
}

static void four_free_bodies_with_hinges_move_in_the_same_way(void) {
    const char* const names[] = {"x", "y", "yaw", "lean", "steer", "energy", NULL};
    moves_like("examples/bicycle/bicycle.lia",
               "start omega(frame.attitude) = [0.1, 0, 0], omega(fork.attitude) = [0.1, 0, 0]\n"
               "start omega(wheelR.attitude) = [0.1, 5/rR, 0]\n",
               names);
    const char* const driven[] = {"x",
                                  "y",
                                  "yaw",
                                  "lean",
                                  "steer",
                                  "energy",
                                  "power(handlebar)",
                                  "power(pedals)",
                                  "work(handlebar)",
                                  "work(pedals)",
                                  NULL};
    moves_like("examples/rider/rider.lia",
               "operator handlebar: steering = 2*leaning + 0.2*sin(t)\n"
               "operator pedals: dot(wheelR.omega - frame.omega, axleR) = (3.5 + t/10)/rR\n"
               "start omega(frame.attitude) = [0, 0, -0.2*c*cos(tilt)/w]\n",
               driven);
}

// Steering driven by so little that the linear equation of the lean, which has a closed form, is
// exact.
static void a_little_steering_leans_it_by_the_closed_form(void) {
    char* text = with_start("parameter e = 2e-6\n"
                            "operator handlebar: steer = e*sin(2*t)\n"
                            "operator pedals: turnR' = v0/rR\n"
                            "observe phi = lean*0.02/e, rate = lean'*0.02/e\n"
                            "start x = 0, y = 0, yaw = 0, lean = 0, turnR = 0, turnF = 0\n"
                            "start lean' = 0\n"
                            "run t = 0..1, tolerance 1e-15\n");
    Motion m = motion_of(text, NULL);
    assert_non_null(m.t);
    near_as(motion_final(&m, "phi"), -0.287953870053418, 1e-8, "lean");
    near_as(motion_final(&m, "rate"), -1.03178740560732, 1e-8, "rate of lean");
    motion_clear(&m);
    free(text);
}

// The unicycle as two free bodies with a hinge: the wheel's lowest point touches and rolls, the
// torque acts between the bodies.
static void a_unicycle_is_two_free_bodies_with_a_hinge(void) {
    static const char text[] =
        "parameter r = 0.25, h = 0.8, g = 9.81, v0 = 4\n"
        "let ey = [0, 1, 0], ez = [0, 0, 1]\n"
        "body wheel: mass 3, inertia [0.1, 0.2, 0.1], free\n"
        "body rider: mass 60, inertia [6, 6, 1.5], free\n"
        "gravity [0, 0, -g]\n"
        "joint axle: revolute(wheel at [0, 0, 0] axis [0, 1, 0], rider at [0, 0, -h] axis [0, 1, "
        "0])\n"
        "let a = axis(wheel, ey), up = unit(ez - a.z*a), post = axis(rider, ez)\n"
        "let touch = wheel.position - r*up\n"
        "constraint touching: touch.z = 0\n"
        "constraint rolling: velocity(wheel, touch) = 0\n"
        "let tilt = atan2(dot(cross(up, post), a), dot(up, post))\n"
        "operator pedals: tilt = 0.1*sin(2*t) by virtual(dot(rider.omega - wheel.omega, a))\n"
        "let side = asin(a.z), way = atan2(-a.x, a.y)\n"
        "operator hips: way' = -5*(side - 0.1*sin(t)) - 1.2*side'\n"
        "observe x = touch.x, y = touch.y, lean = side, yaw = way, pitch = tilt\n"
        "parameter l0 = 0.02\n"
        "start wheel.position = [0, -r*sin(l0), r*cos(l0)], wheel.attitude = rotx(l0)\n"
        "start rider.attitude = rotx(l0), rider.position = [0, -(r + h)*sin(l0), (r + h)*cos(l0)]\n"
        "start omega(wheel.attitude) = rotx(l0)*[0, v0/r, 0] + [0, 0, -0.1]\n"
        "run t = 0..10, tolerance 1e-14\n";
    MotionOptions options = {.run = {.tolerance = 1e-14}};
    Motion a = motion_of_file("examples/unicycle/unicycle.lia", &options);
    Motion b = motion_of(text, NULL);
    assert_non_null(a.t);
    assert_non_null(b.t);
    const char* const names[] = {"x",     "y",      "yaw",           "lean",
                                 "pitch", "energy", "power(pedals)", "power(hips)"};
    for (int i = 0; i < 8; i++) {
        near_as(motion_final(&b, names[i]), motion_final(&a, names[i]), 1e-8, names[i]);
    }
    motion_clear(&a);
    motion_clear(&b);
}

int main(void) {
    const TestCase tests[] = {
        TEST(its_linear_matrices_are_the_published_ones),
        TEST(its_eigenvalues_are_those_of_the_published_matrices),
        TEST(it_becomes_stable_at_the_weave_speed_and_falls_over_beyond_the_capsize_speed),
        TEST(far_from_upright_its_accelerations_are_the_published_ones),
        TEST(rolling_may_be_one_vector_equation),
        TEST(four_free_bodies_with_hinges_move_in_the_same_way),
        TEST(a_little_steering_leans_it_by_the_closed_form),
        TEST(a_unicycle_is_two_free_bodies_with_a_hinge),
    };
    return TESTS_RUN(tests);
}
