// Units of results, and what of them shares an axis.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "output/plot/figure.h"
#include "page_data.h"
#include "sample.h"
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <string.h>

static const char* unit_of(const Page* page, const char* name) {
    const LiaJson* columns = lia_json_member(page->json, "columns");
    for (const LiaJson* c = columns->first; c; c = c->next) {
        if (strcmp(lia_json_member(c, "name")->text.bytes, name) != 0) continue;
        const LiaJson* unit = lia_json_member(c, "unit");
        return unit ? unit->text.bytes : "";
    }
    fail_msg("no column %s", name);
    return "";
}

static const char pendulum[] =
    "parameter m = 1 in kg, l = 2 in m, g = 9.81 in m/s^2, b = 0.1 in m\n"
    "coordinate x : line in m\ncoordinate a : circle\n"
    "let P = [x + l*sin(a), -l*cos(a)]\n"
    "kinetic m/2*x'^2 + m/2*dot(P', P')\npotential m*g*P.y\n"
    "operator pull: x = b*t^2\noperator turn: a = 0.2*t\n"
    "run t = 0..1\nplot t: x, a, a', energy, force(turn), force(pull), power(pull), m\n"
    "plot x: a, x'\n";

static void results_are_in_the_units_that_are_known(void) {
    Page page = page_of(pendulum);
    assert_string_equal(unit_of(&page, "x"), "m");
    assert_string_equal(unit_of(&page, "x'"), "m/s");
    assert_string_equal(unit_of(&page, "a"), "rad");
    assert_string_equal(unit_of(&page, "a'"), "rad/s");
    assert_string_equal(unit_of(&page, "energy"), "J");
    assert_string_equal(unit_of(&page, "force(pull)"), "N");
    assert_string_equal(unit_of(&page, "force(turn)"), "N*m");
    assert_string_equal(unit_of(&page, "power(pull)"), "W");
    assert_string_equal(unit_of(&page, "work(turn)"), "J");
    assert_string_equal(lia_json_member(page.json, "time")->text.bytes, "s");
    page_clear(&page);
}

// Without `in`, what is observed has the unit of its formula.
static void observed_formulas_have_their_units(void) {
    Page page = page_of("parameter m = 2 in kg, g = 9.81 in m/s^2, l = 1 in m, k = 3\n"
                        "coordinate x : line in m\ncoordinate a : circle\n"
                        "kinetic m/2*x'^2 + m/2*l^2*a'^2\npotential m*g*x\n"
                        "operator hold: x = 0.2*t\nlet r = [x, 2*x]\n"
                        "observe v = x', e = energy, p = m*x', F = force(hold), s = 3*x, w = a'\n"
                        "observe u = k*x, cm = x in cm, r2 = r, n = x/x\nrun t = 0..1\n");
    assert_string_equal(unit_of(&page, "v"), "m/s");
    assert_string_equal(unit_of(&page, "e"), "J");
    assert_string_equal(unit_of(&page, "p"), "kg*m/s");
    assert_string_equal(unit_of(&page, "F"), "N");
    assert_string_equal(unit_of(&page, "s"), "m");
    assert_string_equal(unit_of(&page, "w"), "rad/s");
    assert_string_equal(unit_of(&page, "u"), "");
    assert_string_equal(unit_of(&page, "cm"), "cm");
    assert_string_equal(unit_of(&page, "r2.y"), "m");
    assert_string_equal(unit_of(&page, "n"), "");
    page_clear(&page);
}

// The multipliers have one name, in the table and in plots; a vector with a name has its parts.
static void multipliers_have_one_name(void) {
    Page page = page_of("coordinate x, z : line\nkinetic (x'^2 + z'^2)/2\npotential 9.81*z\n"
                        "contact floor: z >= 0 slip x' friction 0.3\nobserve f = force(floor)\n"
                        "start x' = 1\nrun t = 0..1\nplot t: force(floor)\nplot t: f\n");
    static const char* const names[] = {"force(floor)[1]", "force(floor)[2]", "f.x", "f.y"};
    const LiaJson* columns = lia_json_member(page.json, "columns");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int found = 0;
        for (const LiaJson* c = columns->first; c; c = c->next) {
            const char* name = lia_json_member(c, "name")->text.bytes;
            found += strcmp(name, names[i]) == 0;
            assert_string_not_equal(name, "force(floor).x");
            assert_string_not_equal(name, "f[1]");
        }
        assert_true(found >= 1);
    }
    page_clear(&page);
}

static void nothing_is_said_of_units_nobody_gave(void) {
    Page page = page_of("coordinate x : line\ncoordinate a : circle\nkinetic x'^2 + a'^2\n"
                        "operator push: x = t\nstart a' = 1\nrun t = 0..1\n");
    assert_string_equal(unit_of(&page, "x"), "");
    assert_string_equal(unit_of(&page, "a"), "rad");
    assert_string_equal(unit_of(&page, "energy"), "");
    assert_string_equal(unit_of(&page, "force(push)"), "");
    assert_null(lia_json_member(page.json, "time")->text.bytes);
    page_clear(&page);
}

static bool same(const char* a, const char* b) { return a && b ? strcmp(a, b) == 0 : a == b; }

// Curves share a panel if, and only if, they have one unit; over another quantity as over the time.
static void a_panel_has_one_unit(void) {
    Motion motion = motion_of(pendulum, NULL);
    static const size_t panels[] = {8, 2};
    for (size_t p = 0; p < 2; p++) {
        LiaFigure figure;
        assert_true(lia_figure_make(&figure, motion.t, p));
        assert_int_equal(figure.group_count, panels[p]);
        for (size_t i = 0; i < figure.count; i++) {
            for (size_t k = 0; k < i; k++) {
                const LiaSeries *a = &figure.curves[i], *b = &figure.curves[k];
                assert_true((a->group == b->group) == same(a->unit, b->unit));
            }
        }
        lia_figure_clear(&figure);
    }
    motion_clear(&motion);
}

// A force of 1e-17 beside one of 10 is 0, and drawn as such; one of 1e-9 is small.
static void rounding_is_drawn_as_nothing(void) {
    static const double sizes[] = {1e-17, 1e-9};
    for (int i = 0; i < 2; i++) {
        const char* names[] = {"force(a)"};
        Sample* s = sample_curves(NULL, NULL, names, NULL, 1, 51);
        s->columns[0].kind = LIA_COLUMN_TIME;
        size_t own = s->motion.column_count;
        double* values = calloc(51 * (own + 2), sizeof *values);
        double final[8] = {0};
        for (size_t row = 0; row < 51; row++) {
            double* to = values + row * (own + 2);
            double x = sizes[i] * sin((double)row);
            memcpy(to, sample_row(s, row), own * sizeof *to);
            to[1] = to[own] = x;
            to[own + 1] = 10.0;
        }
        sample_column(s, LIA_COLUMN_FORCE, "force(a)", "a", NULL, 0, 0);
        sample_column(s, LIA_COLUMN_FORCE, "force(b)", "b", NULL, 1, 0);
        LiaTrajectory motion = s->motion;
        motion.columns = s->columns;
        motion.rows.values = values;
        memcpy(final, values + 50 * (own + 2), (own + 2) * sizeof *final);
        motion.final.values = final;
        LiaFigure figure;
        double low, high;
        assert_true(lia_figure_make(&figure, &motion, 0));
        lia_figure_group_range(&figure, 0, &low, &high);
        assert_true(i == 0 ? low == -10.0 && high == 10.0 : high < 1e-8);
        lia_figure_clear(&figure);
        free(values);
        sample_free(s);
    }
}

// What is observed without a unit may be of any size; only components of one vector are compared.
static void small_numbers_of_no_unit_are_no_rounding(void) {
    Motion motion = motion_of("coordinate x : line\nkinetic x'^2/2\nparameter tiny = 1e-20\n"
                              "observe small = tiny*x, large = x/tiny, v = [x, tiny*x]\n"
                              "start x' = 1\nrun t = 0..1\nplot t: small\nplot t: v.y\n",
                              NULL);
    static const double most[] = {1e-20, 1.0};
    for (size_t p = 0; p < 2; p++) {
        LiaFigure figure;
        double low, high;
        assert_true(lia_figure_make(&figure, motion.t, p));
        lia_figure_group_range(&figure, 0, &low, &high);
        assert_true(fabs(high - most[p]) < 1e-9 * most[p]);
        lia_figure_clear(&figure);
    }
    motion_clear(&motion);
}

// What has no like, a slide in metres among bodies without units, by what is known of its rounding.
static void rounding_without_its_like_is_drawn_as_nothing(void) {
    for (int moves = 0; moves < 2; moves++) {
        char text[600];
        snprintf(text, sizeof text,
                 "coordinate z : line in m\nbody sat: mass 100, inertia [10, 11, 15], free\n"
                 "body mass: mass 1, position point(sat, [0.5, 0, z])\npotential 2*z^2\n"
                 "start sat.attitude = rotx(0.2), Omega(sat.attitude) = [0, 0, 3], z = %s\n"
                 "run t = 0..3\nplot t: z\nplot t: 3*z\nplot sat.position.x, z\n",
                 moves ? "1e-9" : "0");
        Motion m = motion_of(text, NULL);
        LiaFigure figure;
        double low, high;
        assert_int_equal(m.status, LIA_OK);
        for (size_t plot = 0; plot < 3; plot++) {  // a coordinate, a formula, a path
            assert_true(lia_figure_make(&figure, m.t, plot));
            lia_figure_group_range(&figure, 0, &low, &high);
            assert_true(moves ? high > 0.0 && high < 1e-8 : low == -1.0 && high == 1.0);
            assert_true(moves ? figure.y_high > 0.0 : figure.y_low == 0.0 && figure.y_high == 0.0);
            lia_figure_clear(&figure);
        }
        motion_clear(&m);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(results_are_in_the_units_that_are_known),
        TEST(observed_formulas_have_their_units),
        TEST(multipliers_have_one_name),
        TEST(nothing_is_said_of_units_nobody_gave),
        TEST(a_panel_has_one_unit),
        TEST(rounding_is_drawn_as_nothing),
        TEST(rounding_without_its_like_is_drawn_as_nothing),
        TEST(small_numbers_of_no_unit_are_no_rounding),
    };
    return TESTS_RUN(tests);
}
