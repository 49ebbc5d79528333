// The data of a page: they are JSON, the numbers are those of the motion, and so are field
// pictures; no word of a model ends the script.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "motion/result/trajectory.h"
#include "page_data.h"
#include "support/cases.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void columns_are_those_of_the_motion(void) {
    Page page = page_of(page_skater);
    const LiaTrajectory* t = page.motion.t;
    size_t rows = page_rows(&page);
    assert_int_equal(rows, lia_trajectory_rows(t));
    double* x = calloc(rows + 1, sizeof *x);
    for (size_t c = 1; c < lia_trajectory_columns(t); c++) {
        const LiaJson* column = page_at(lia_json_member(page.json, "columns"), c);
        assert_string_equal(lia_json_member(column, "name")->text.bytes,
                            lia_trajectory_column(t, c));
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < rows; i++) {
            low = fmin(low, lia_trajectory_value(t, i, c));
            high = fmax(high, lia_trajectory_value(t, i, c));
        }
        page_column(&page, c, x);
        for (size_t i = 0; i < rows; i++) {
            double error = fabs(x[i] - lia_trajectory_value(t, i, c));
            assert_true(error <= (high - low) * 4e-8 + 1e-15 * fabs(high));
        }
    }
    free(x);
    page_clear(&page);
}

static void runs_of_every_kind_have_a_page(void) {
    static const char* const models[] = {
        "coordinate x : line\nkinetic x'^2\n",                              // its start alone
        "coordinate x : line\nkinetic x'^2\nstart x' = 1\nrun t = 3..0\n",  // backwards
        "coordinate x : line\nkinetic x'^2\npotential -x^3\nstart x = 1\nrun t = "
        "0..100\n",  // ends early
        "coordinate x : line\nkinetic x'^2\nobserve l = log(x - 1)\nstart x' = 1\nrun "
        "t = 0..2\nplot t: l\n",
        "coordinate x : line\nkinetic x'^2\nstart x' = 1\nevent e: x = 1 stop\nrun t = "
        "0..2\nplot x, x'\n",
        "coordinate u : sphere\nkinetic dot(u', u')/2\nstart u = [1, 0, 0], u' = [0, "
        "1, 0]\nrun t = 0..2\n",
        "coordinate R : rotation\nkinetic dot(Omega(R), Omega(R))/2\nstart omega(R) = "
        "[1, 2, 3]\nrun t = 0..9\n",
        "coordinate r : space\nkinetic dot(r', r')/2\nstart r' = [1, 2, 3]\nrun t = "
        "0..2\n",
        "coordinate x, y : line\nlet r = [x, y]\nkinetic dot(r', r')/2\nstart x' = "
        "1\nrun t = 0..2, samples 2\n",
        "coordinate x : line\nkinetic x'^2\nobserve w = work(f)\nforce f: d(x)\ndraw "
        "sphere(1) at [x, work(f)]\nrun t = 0..1\n",
    };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        Page page = page_of(models[i]);
        assert_non_null(lia_json_member(page.json, "scene"));
        assert_true(page_rows(&page) > 0);
        page_clear(&page);
    }
}

static void nothing_of_a_model_ends_the_script(void) {
    Motion motion = motion_of("# </script><!-- <script> é \xe2\x80\xa8\n"
                              "model m \"</script><b>\"\n"
                              "coordinate x : line\nkinetic x'^2\nrun t = 0..1\n",
                              NULL);
    char path[] = "page-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    static const char template[] = "<html><!--liaison:data--></html>";
    assert_int_equal(lia_output_page(motion.t, template, sizeof template - 1, path), LIA_OK);
    FILE* in = fopen(path, "rb");
    static char text[1 << 16];
    text[fread(text, 1, sizeof text - 1, in)] = 0;
    fclose(in);
    unlink(path);
    const char* begin = strstr(text, "<script type=\"application/json\" id=\"data\">");
    assert_non_null(begin);
    const char* end = strstr(begin, "</script>");
    assert_non_null(end);
    assert_string_equal(end, "</script></html>");
    assert_null(strstr(begin, "<!--"));
    assert_int_equal(lia_output_page(motion.t, "<html></html>", 13, path), LIA_FILE);
    assert_int_equal(
        lia_output_page(motion.t, template, sizeof template - 1, "nowhere/at/all.html"), LIA_FILE);
    motion_clear(&motion);
}

// A field picture of the page; NULL if there is none of that kind.
static const LiaJson* field(const Page* page, const char* kind) {
    for (const LiaJson* f = lia_json_member(page->json, "fields")->first; f; f = f->next) {
        if (strcmp(lia_json_member(f, "kind")->text.bytes, kind) == 0) return f;
    }
    return NULL;
}

// The planes that a blade leaves in (x, y, theta): spanned by where it points and by turning.
// Rounding is said by the program: a slide in metres on a satellite without units, which has no
// like; its spring has no arrow. What is small and moves is no rounding.
static void rounding_is_said_and_has_no_arrow(void) {
    static const char* const places[] = {"0", "1e-9"};
    for (size_t moves = 0; moves < 2; moves++) {
        char text[600];
        snprintf(text, sizeof text,
                 "coordinate z : line in m\nbody sat: mass 100, inertia [10, 11, 15], free\n"
                 "body mass: mass 1, position point(sat, [0.5, 0, z])\npotential 2*z^2\n"
                 "start sat.attitude = rotx(0.2), Omega(sat.attitude) = [0, 0, 3], z = %s\n"
                 "run t = 0..3\nplot t: 3*z\n",
                 places[moves]);
        Page page = page_of(text);
        const LiaTrajectory* t = page.motion.t;
        size_t rows = page_rows(&page), looked = 0;
        for (size_t c = 1; c < t->column_count; c++) {
            const char* name = t->columns[c].name;
            if (strcmp(name, "z") != 0 && strcmp(name, "3*z") != 0) continue;
            const LiaJson* zero =
                lia_json_member(page_at(lia_json_member(page.json, "columns"), c), "zero");
            double most = 0.0;
            for (size_t r = 0; r < rows; r++)
                most = fmax(most, fabs(t->rows.values[r * t->column_count + c]));
            assert_true(most > 0.0);
            assert_int_equal(zero && most <= zero->number, moves == 0);
            looked++;
        }
        assert_int_equal(looked, 2);
        assert_int_equal(page_count(&page, "force") > 0, moves == 1);
        page_clear(&page);
    }
}

static void a_skater_has_the_planes_of_its_blade(void) {
    Page page = page_of(page_skater);
    const LiaJson* f = field(&page, "distribution");
    assert_non_null(f);
    const LiaTrajectory* t = page.motion.t;
    size_t z = (size_t)lia_json_member(f, "z")->number, count = 0;
    assert_string_equal(lia_trajectory_column(t, z), "theta");
    const LiaJson* number = lia_json_member(f, "planes")->first;
    while (number) {
        double plane[7];
        for (int i = 0; i < 7; i++, number = number->next) {
            assert_non_null(number);
            plane[i] = number->number;
        }
        double theta = lia_trajectory_value(t, (size_t)plane[0], z);
        for (int k = 0; k < 2; k++) {
            const double* u = plane + 1 + 3 * k;
            assert_true(fabs(u[0] * sin(theta) - u[1] * cos(theta)) < 2e-6);
            assert_true(fabs(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] - 1.0) < 1e-5);
        }
        count++;
    }
    assert_in_range(count, 20, 200);
    assert_null(field(&page, "portrait"));
    assert_null(field(&page, "curvature"));
    page_clear(&page);
}

// Curves of a pendulum are lines of equal energy.
static void a_pendulum_has_its_portrait(void) {
    Page page = page_of("coordinate theta : circle\nkinetic theta'^2/2\n"
                        "potential -9.81*cos(theta)\nstart theta = 1.2\nrun t = 0..3\n");
    const LiaJson* f = field(&page, "portrait");
    assert_non_null(f);
    double box[4];
    for (size_t i = 0; i < 4; i++) box[i] = page_at(lia_json_member(f, "box"), i)->number;
    size_t curves = 0;
    for (const LiaJson* curve = lia_json_member(f, "curves")->first; curve; curve = curve->next) {
        double first = NAN;
        for (const LiaJson* x = curve->first; x; x = x->next->next) {
            double q = box[0] + (box[1] - box[0]) * x->number / 4095;
            double v = box[2] + (box[3] - box[2]) * x->next->number / 4095;
            double energy = v * v / 2 - 9.81 * cos(q);
            first = isnan(first) ? energy : first;
            assert_true(fabs(energy - first) < 0.05);  // a step of 4095 and a third of a pixel
        }
        curves++;
    }
    assert_true(curves > 20);
    page_clear(&page);
}

// One body on another with two driven angles: F of theta over (a, b) is that of the closed form.
static void two_driven_coordinates_have_their_curvature(void) {
    // theta' + a b' = 0: a loop leaves minus its area, F = 1
    Page page = page_of("coordinate theta : circle\ncoordinate a, b : line\n"
                        "kinetic (theta' + a*b')^2/2 + (a'^2 + b'^2)/2\n"
                        "operator A: a = cos(t)\noperator B: b = sin(t)\n"
                        "start theta' = -1\nrun t = 0..6\n");
    const LiaJson* f = field(&page, "curvature");
    assert_non_null(f);
    assert_string_equal(lia_json_member(f, "of")->text.bytes, "theta");
    assert_true(fabs(fabs(lia_json_member(f, "low")->number) - 1.0) < 1e-6);
    assert_true(fabs(lia_json_member(f, "low")->number - lia_json_member(f, "high")->number) <
                1e-6);
    page_clear(&page);
}

int main(void) {
    const TestCase tests[] = {
        TEST(columns_are_those_of_the_motion),
        TEST(runs_of_every_kind_have_a_page),
        TEST(nothing_of_a_model_ends_the_script),
        TEST(rounding_is_said_and_has_no_arrow),
        TEST(a_skater_has_the_planes_of_its_blade),
        TEST(a_pendulum_has_its_portrait),
        TEST(two_driven_coordinates_have_their_curvature),
    };
    return TESTS_RUN(tests);
}
