// A parameter that is set after building gives what reading the model with -D gives, to the last
// bit; what cannot be is refused.
//
// Tests: mechanics/assembly/parameters.c
// SPDX-License-Identifier: MIT
#include "support/cases.h"
#include <liaison/liaison.h>
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Made {
    LiaDiags* diags;
    LiaModel* model;
    LiaSystem* system;
} Made;

static Made make(const char* text, const LiaDefine* define) {
    Made made = {.diags = lia_diags_create()};
    LiaStatus status = lia_model_parse(
        "test", text, strlen(text), &(LiaDefines){define, define ? 1 : 0}, made.diags, &made.model);
    if (status == LIA_OK) status = lia_system_build(made.model, NULL, made.diags, &made.system);
    if (status != LIA_OK) printf("%s\n", lia_diags_text(made.diags));
    assert_int_equal(status, LIA_OK);
    return made;
}

static void release(Made* made) {
    lia_system_destroy(made->system);
    lia_model_destroy(made->model);
    lia_diags_destroy(made->diags);
}

static LiaTrajectory* run(const LiaSystem* system, LiaDiags* diags) {
    LiaTrajectory* motion = NULL;
    assert_int_equal(lia_motion_run(system, NULL, diags, &motion), LIA_OK);
    return motion;
}

static void assert_same(const LiaTrajectory* a, const LiaTrajectory* b) {
    size_t rows = lia_trajectory_rows(a), columns = lia_trajectory_columns(a);
    assert_int_equal(rows, lia_trajectory_rows(b));
    assert_int_equal(columns, lia_trajectory_columns(b));
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < columns; c++) {
            double x = lia_trajectory_value(a, r, c), y = lia_trajectory_value(b, r, c);
            if (x != y && !(isnan(x) && isnan(y)))
                fail_msg("%s, row %zu: %.17g, %.17g", lia_trajectory_column(a, c), r, x, y);
        }
    }
}

// Set in a copy, in the system itself, and read anew.
static void set_is_read(const char* text, const char* name, const double* values, int count) {
    Made base = make(text, NULL);
    LiaSystem *copy = NULL, *own = NULL;
    LiaTrajectory* first = run(base.system, base.diags);
    assert_int_equal(lia_system_copy(base.system, &copy), LIA_OK);
    for (int i = 0; i < count; i++) {
        LiaDefine define = {name, values[i]};
        Made other = make(text, &define);
        LiaTrajectory* expected = run(other.system, other.diags);
        assert_int_equal(lia_system_set_parameter(copy, name, values[i], base.diags), LIA_OK);
        assert_int_equal(lia_system_copy(copy, &own), LIA_OK);  // of a copy
        LiaTrajectory *found = run(copy, base.diags), *again = run(own, base.diags);
        assert_same(expected, found);
        assert_same(expected, again);
        lia_trajectory_destroy(found);
        lia_trajectory_destroy(again);
        lia_trajectory_destroy(expected);
        lia_system_destroy(own);
        release(&other);
    }
    LiaTrajectory* still = run(base.system, base.diags);  // the original is what it was
    assert_same(first, still);
    lia_trajectory_destroy(first);
    lia_trajectory_destroy(still);
    lia_system_destroy(copy);
    assert_int_equal(lia_diags_count(base.diags), 0);
    release(&base);
}

static const char swing[] =
    "parameter m = 1, g = 9.81, w = 3.96, T = 2 + w/4, tilt = 10 in deg, half = tilt/2, k = 0\n"
    "coordinate theta : circle\ncoordinate r, z : line\n"
    "kinetic m/2*(r'^2 + r^2*theta'^2) + m/2*z'^2\npotential -m*g*r*cos(theta) + k/2*(z - r)^2\n"
    "operator length: r = 2.5 + 0.15*sin(w*t)\n"
    "force push: (k + 1)*0.3*d(z)\nobserve f = m*force(length)\n"
    "event low: theta = half\nstart theta = tilt, z' = half\nrun t = 0..T, samples 31\n";

static void the_same_as_reading(void) {
    set_is_read(swing, "w", (const double[]){3.5, 1.0, 0.0, 4.0}, 4);
    set_is_read(swing, "m", (const double[]){2.0, 1.0, 0.25}, 3);  // 1 is no work, but a factor
    set_is_read(swing, "k", (const double[]){40.0, 0.0, 1.0}, 3);  // what was 0 is there now
    set_is_read(swing, "tilt", (const double[]){20.0, 30.0, 90.0, 42.1, 45.7, 13.3},
                6);                                          // in degrees
    set_is_read(swing, "T", (const double[]){1.5, 3.0}, 2);  // made of w before
}

static const char ball[] =
    "parameter m = 1, r = 0.1, slope = 0.2, spin = 3\n"
    "body ball: mass m, inertia 2/5*m*r^2, free\ngravity [0, 0, -9.81*slope]\n"
    "joint roll: rolling(sphere(ball, r), plane(ground))\n"
    "start ball.position ~ [0, 0, r], omega(ball.attitude) = [0, spin, 0]\n"
    "run t = 0..1, samples 11\n";

static void bodies_and_shapes(void) {
    set_is_read(ball, "m", (const double[]){2.0, 0.5}, 2);
    set_is_read(ball, "r", (const double[]){0.2, 0.05}, 2);
    set_is_read(ball, "spin", (const double[]){0.0, -1.0}, 2);
    set_is_read(ball, "slope", (const double[]){0.0, 1.0}, 2);
}

// A constraint whose coefficient may be zero: the entry of J stays where it is.
static void entries_that_vanish(void) {
    const char* text = "parameter a = 0, b = 1\ncoordinate x, y, z : line\n"
                       "kinetic (x'^2 + y'^2 + z'^2)/2 + a*x'*y'/4\npotential 9.81*z + x^2\n"
                       "constraint c: z = a*x + b*y\nstart x = 1, y' = 1\nrun t = 0..1\n";
    set_is_read(text, "a", (const double[]){0.5, 0.0, 1.0}, 3);
    set_is_read(text, "b", (const double[]){0.0, 2.0}, 2);
}

static void refused(const char* text, const char* name, double value, const char* code) {
    Made base = make(text, NULL);
    LiaTrajectory* first = run(base.system, base.diags);
    LiaDiags* diags = lia_diags_create();
    assert_int_equal(lia_system_set_parameter(base.system, name, value, diags), LIA_MODEL);
    char* said = lia_diags_text(diags);
    if (!strstr(said, code)) fail_msg("%s: %s expected, not %s", name, code, said);
    lia_free(said);
    lia_diags_destroy(diags);
    LiaTrajectory* still = run(base.system, base.diags);
    assert_same(first, still);
    lia_trajectory_destroy(first);
    lia_trajectory_destroy(still);
    release(&base);
}

static void what_cannot_be(void) {
    const char* family = "parameter N = 3, n = 2, a = 1\ncoordinate x[i = 1..N] : line\n"
                         "kinetic sum(i = 1..N, x[i]'^2/2)\n"
                         "potential sum(i = 1..N, (x[i]^2 + 1)^n) + sqrt(a)*x[1]\n"
                         "start x[1] = 1\nrun t = 0..1\n";
    refused(family, "N", 4, "E0331");
    refused(family, "n", 3, "E0330");
    refused(family, "a", -1, "E0158");
    refused(family, "nn", 3, "E0128");
    refused(ball, "m", -1, "E0330");
    refused(ball, "r", 0, "E0330");
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Setting costs at most a tenth of reading and building.
static void it_costs_little(void) {
    double read = INFINITY, set = INFINITY;
    Made base = make(swing, NULL);
    for (int k = 0; k < 50; k++) {
        double begin = now();
        Made made = make(swing, &(LiaDefine){"w", 3.0 + 0.01 * k});
        read = fmin(read, now() - begin);
        release(&made);
        begin = now();
        assert_int_equal(lia_system_set_parameter(base.system, "w", 3.0 + 0.01 * k, base.diags),
                         LIA_OK);
        set = fmin(set, now() - begin);
    }
    printf("reading and building %.1f us, setting %.1f us\n", 1e6 * read, 1e6 * set);
    assert_true(set < 0.1 * read);
    release(&base);
}

int main(void) {
    const TestCase tests[] = {
        TEST(the_same_as_reading), TEST(bodies_and_shapes), TEST(entries_that_vanish),
        TEST(what_cannot_be),      TEST(it_costs_little),
    };
    return TESTS_RUN(tests);
}
