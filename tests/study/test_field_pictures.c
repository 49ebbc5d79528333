// Field pictures: the numbers behind them are right, and the files are well-formed.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/connection/connection.h"
#include "geometry/geometry.h"
#include "geometry/phase_space/fields.h"
#include "study/curvature.h"
#include "study/distribution.h"
#include "study/instant.h"
#include "study/portrait.h"
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static uint32_t coordinate(const Motion* m, const char* name) {
    for (uint32_t i = 0; i < m->t->model->coordinates_count; i++) {
        if (strcmp(m->t->model->coordinates[i].name, name) == 0) return i;
    }
    fail_msg("no coordinate %s", name);
    return 0;
}

// --- distribution ------------------------------------------------------------------------------

static void strokes_of_a_blade_are_along_the_blade(void) {
    Motion m = motion_of_file("examples/skater/skater.lia", NULL);
    LiaDistribution d;
    assert_true(lia_distribution_init(&d, m.t, coordinate(&m, "x"), coordinate(&m, "y")));
    double turned = 0.0;
    for (size_t row = 0; row < m.t->rows.count; row += 50) {
        double direction[2], theta = motion_value(&m, row, "theta");
        assert_int_equal(lia_distribution_at(&d, row, direction), 1);
        assert_true(fabs(direction[0] * sin(theta) - direction[1] * cos(theta)) < 1e-12);
        assert_true(fabs(hypot(direction[0], direction[1]) - 1.0) < 1e-14);
        turned = fmax(turned, fabs(theta));
    }
    assert_true(turned > 1.0);
    lia_distribution_clear(&d);
    // In (x, theta) the blade leaves everything.
    assert_true(lia_distribution_init(&d, m.t, coordinate(&m, "x"), coordinate(&m, "theta")));
    double direction[2];
    assert_int_equal(lia_distribution_at(&d, 0, direction), 2);
    lia_distribution_clear(&d);
    motion_clear(&m);
}

static void a_bead_on_a_moving_line_is_left_the_direction_of_the_line(void) {
    // y' = x' + t: the velocity is not along the stroke, what may be added to it is.
    Motion m = motion_of("coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                         "constraint slope: y' = 2*x' + t\nstart x' = 1\nrun t = 0..2\n",
                         NULL);
    LiaDistribution d;
    double direction[2];
    assert_true(lia_distribution_init(&d, m.t, coordinate(&m, "x"), coordinate(&m, "y")));
    assert_int_equal(lia_distribution_at(&d, 700, direction), 1);
    assert_true(fabs(direction[1] - 2.0 * direction[0]) < 1e-13);
    lia_distribution_clear(&d);
    assert_true(lia_distribution_init(&d, m.t, coordinate(&m, "x"), coordinate(&m, "z")));
    assert_int_equal(lia_distribution_at(&d, 700, direction), 2);
    lia_distribution_clear(&d);
    motion_clear(&m);
}

static void what_is_pinned_has_no_direction(void) {
    Motion m = motion_of("coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                         "constraint a: x = 1\nconstraint b: y = z^2\nconstraint c: z = 2\n"
                         "run t = 0..1\n",
                         NULL);
    LiaDistribution d;
    double direction[2];
    assert_true(lia_distribution_init(&d, m.t, coordinate(&m, "x"), coordinate(&m, "y")));
    assert_int_equal(lia_distribution_at(&d, 0, direction), 0);
    lia_distribution_clear(&d);
    motion_clear(&m);
}

// --- curvature ---------------------------------------------------------------------------------

// Two wheels on a disc whose inertia depends on s1: (J + s1^2) (theta' + ...)
//   T = 1/2 theta'^2 (1 + s1^2) + theta' s2' s1 + s1'^2 + s2'^2
//   A_1 = 0, A_2 = s1/(1 + s1^2), F_12 = (1 - s1^2)/(1 + s1^2)^2.
static void the_curvature_is_that_of_the_closed_form(void) {
    Motion m = motion_of("coordinate theta, s1, s2 : circle\n"
                         "kinetic (1 + s1^2)*theta'^2/2 + s1*theta'*s2' + s1'^2 + s2'^2\n"
                         "operator a: s1 = cos(t)\noperator b: s2 = sin(t)\nrun t = 0..1\n",
                         NULL);
    LiaConnection c;
    assert_true(lia_connection_init(&c, m.system, 1, 2));
    for (int k = -4; k <= 4; k++) {
        double s1 = 0.45 * k, q[3] = {0.3, s1, 0.1 * k}, N[6], F[3];
        assert_true(lia_connection_lifts(&c, 0.0, q, N));
        assert_true(fabs(N[0]) < 1e-14 && fabs(N[3] + s1 / (1 + s1 * s1)) < 1e-14);
        assert_true(lia_connection_curvature(&c, 0.0, q, F));
        assert_true(fabs(F[0] - (1 - s1 * s1) / pow(1 + s1 * s1, 2)) < 1e-9);
        assert_true(F[1] == 0.0 && F[2] == 0.0);
    }
    lia_connection_clear(&c);
    motion_clear(&m);
}

// The same connection by the other way: fields.c, from derivatives of the metric.
static void the_curvature_of_the_cat_is_that_of_the_fields(void) {
    Motion m = motion_of_file("examples/cat/cat.lia", NULL);
    LiaGeometry* geometry = lia_geometry_create(m.system);
    LiaPhaseSpace* space = lia_phase_space_create(geometry);
    LiaConnection c;
    assert_true(lia_connection_init(&c, m.system, coordinate(&m, "s1"), coordinate(&m, "s2")));
    for (size_t row = 0; row < m.t->rows.count; row += 125) {
        double t, q[5], v[5], F[5];
        lia_instant_load(m.t, row, &t, q, v);
        LiaFields f = {0};
        assert_true(lia_fields_make(space, NULL, t, q, v, &f));
        assert_true(f.split && f.nb == 2 && f.F != NULL);
        assert_true(lia_connection_curvature(&c, t, q, F));
        for (uint32_t i = 0; i < f.nf; i++) {
            assert_true(fabs(F[f.x[i]] - f.F[i * 4 + 1]) < 1e-9);
        }
        lia_fields_clear(&f);
    }
    lia_connection_clear(&c);
    lia_phase_space_destroy(space);
    lia_geometry_destroy(geometry);
    motion_clear(&m);
}

// What the cat has turned by is minus the integral of F over the disc that the operators go round:
// Gauss in the radius, equal steps in the angle.
static void the_curvature_inside_the_loop_is_what_the_cat_turns_by(void) {
    static const double node[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                  0.9602898564975363};
    static const double weight[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                    0.1012285362903763};
    Motion m = motion_of_file("examples/cat/cat.lia", NULL);
    uint32_t s1 = coordinate(&m, "s1"), s2 = coordinate(&m, "s2");
    uint32_t theta = lia_curvature_component(m.t, s1, s2);
    assert_int_equal(theta, coordinate(&m, "theta"));
    LiaConnection c;
    assert_true(lia_connection_init(&c, m.system, s1, s2));
    double t, q[5], v[5], F[5], sum = 0.0;
    lia_instant_load(m.t, 0, &t, q, v);
    for (int i = 0; i < 8; i++) {
        double r = 0.35 * (1.0 + (i < 4 ? -node[i] : node[i - 4])), w = 0.35 * weight[i % 4];
        for (int k = 0; k < 32; k++) {
            q[s1] = 0.5 + r * cos(2 * PI * k / 32);
            q[s2] = -0.4 + r * sin(2 * PI * k / 32);
            assert_true(lia_connection_curvature(&c, t, q, F));
            sum += w * r * 2 * PI / 32 * F[theta];
        }
    }
    assert_true(fabs(sum + motion_final(&m, "theta")) < 1e-9);
    LiaCurvature map = {.a = s1, .b = s2, .component = theta};
    assert_true(fabs(lia_curvature_inside(m.t, &map) - motion_final(&m, "theta")) < 1e-13);
    map.component = coordinate(&m, "x");  // its connection depends on theta: no integral says it
    assert_true(isnan(lia_curvature_inside(m.t, &map)));
    lia_connection_clear(&c);
    motion_clear(&m);
}

// A wheel on an edge: the blade's velocity is driven through what the constraint allows. x' = s1
// s2', so the lifts are (0; 1, 0) and (s1; 0, 1), and F = -1: a loop of area 1 moves x by 1.
static void constraints_have_a_part_in_the_connection(void) {
    Motion m = motion_of("coordinate x, s1, s2 : line\nkinetic (x'^2 + s1'^2 + s2'^2)/2\n"
                         "constraint gear: x' = s1*s2'\n"
                         "operator a: s1 = cos(t)\noperator b: s2 = sin(t)\n"
                         "start x = 0\nrun t = 0..2*pi\n",
                         NULL);
    LiaConnection c;
    double q[3] = {0.2, 0.7, -0.4}, F[3];
    assert_true(lia_connection_init(&c, m.system, 1, 2));
    assert_true(lia_connection_curvature(&c, 0.0, q, F));
    assert_true(fabs(F[0] + 1.0) < 1e-10);
    assert_true(fabs(motion_final(&m, "x") - PI) < 1e-10);
    lia_connection_clear(&c);
    motion_clear(&m);
}

// --- portrait ----------------------------------------------------------------------------------

static const char pendulum[] = "coordinate theta : circle\nkinetic theta'^2/2\n"
                               "potential -9.81*cos(theta)\nstart theta = 1.2\nrun t = 0..3\n";

static void the_curves_of_a_portrait_keep_the_energy(void) {
    Motion m = motion_of(pendulum, NULL);
    LiaBox box = {-4, 4, -8, 8};
    LiaPortrait p;
    assert_true(lia_portrait_make(m.t, 0, box, 0.0, &p));
    assert_true(p.count > 20);
    size_t q, v;
    lia_portrait_columns(m.t, 0, &q, &v);
    for (size_t i = 0; i < p.count; i++) {
        const LiaTrajectory* motion = p.motions[i];
        const double* first = motion->rows.values;
        double energy = first[v] * first[v] / 2 - 9.81 * cos(first[q]);
        assert_true(first[q] > box.x_low && first[q] < box.x_high && fabs(first[v]) < 8.0);
        assert_true(motion->rows.count > 700);
        for (size_t row = 0; row < motion->rows.count; row += 50) {
            const double* x = motion->rows.values + row * motion->column_count;
            assert_true(fabs(x[v] * x[v] / 2 - 9.81 * cos(x[q]) - energy) < 1e-7);
        }
    }
    lia_portrait_clear(&p);
    motion_clear(&m);
}

// The same pendulum as a point on a circle, seen over its angle: starts far from the run's are
// found all the same.
static void starts_of_a_portrait_are_found_under_constraints(void) {
    Motion m = motion_of("coordinate x, y : line\ncoordinate theta : circle\n"
                         "kinetic (x'^2 + y'^2)/2\npotential 9.81*y\n"
                         "constraint a: x = sin(theta)\nconstraint b: y = -cos(theta)\n"
                         "start theta = 1.2, theta' = 0\nrun t = 0..3\n",
                         NULL);
    LiaBox box = {-4, 4, -8, 8};
    LiaPortrait p;
    size_t q, v, far = 0;
    LiaText why = {0};
    assert_true(lia_portrait_possible(m.t, 2, &why));
    assert_true(lia_portrait_make(m.t, 2, box, 0.0, &p));
    lia_portrait_columns(m.t, 2, &q, &v);
    for (size_t i = 0; i < p.count; i++) {
        const LiaTrajectory* motion = p.motions[i];
        const double *first = motion->rows.values,
                     *last = first + (motion->rows.count - 1) * motion->column_count;
        double energy = first[v] * first[v] / 2 - 9.81 * cos(first[q]);
        assert_true(fabs(last[v] * last[v] / 2 - 9.81 * cos(last[q]) - energy) < 1e-7);
        far += fabs(first[q]) > 2.0;
    }
    assert_true(far > 5);
    lia_portrait_clear(&p);
    motion_clear(&m);
}

static void a_picture_that_is_none_says_why(void) {
    static const struct {
        const char* model;
        LiaPictureKind kind;
        const char *names, *says;
    } cases[] = {
        {pendulum, LIA_PICTURE_DISTRIBUTION, "theta,theta", "two coordinates"},
        {pendulum, LIA_PICTURE_DISTRIBUTION, NULL, "no plot line"},
        {pendulum, LIA_PICTURE_DISTRIBUTION, "theta", "two coordinates"},
        {pendulum, LIA_PICTURE_DISTRIBUTION, "theta,,", "no coordinate ''"},
        {pendulum, LIA_PICTURE_PORTRAIT, "phi", "no coordinate 'phi'"},
        {pendulum, LIA_PICTURE_PORTRAIT, "theta,theta", "one coordinate"},
        {pendulum, LIA_PICTURE_CURVATURE, "theta,theta", "not one twice"},
        {pendulum, LIA_PICTURE_CURVATURE, "theta,theta,theta,theta", "too many"},
        {pendulum, LIA_PICTURE_CURVATURE, NULL, "operators drive"},
        {"coordinate x, y : line\nkinetic x'^2 + y'^2\nrun t = 0..1\n", LIA_PICTURE_PORTRAIT, "x",
         "here there are 2"},
        {"coordinate x, y : line\nkinetic x'^2 + y'^2\nrun t = 0..1\n", LIA_PICTURE_DISTRIBUTION,
         "x,y", "no constraints"},
        {"coordinate x, y : line\nkinetic x'^2 + y'^2\nrun t = 0..1\n", LIA_PICTURE_CURVATURE,
         "x, y", "no operator drives 'x'"},
        {"coordinate x : line\nkinetic x'^2\npotential x^2*t\nrun t = 0..1\n", LIA_PICTURE_PORTRAIT,
         "x", "depend on t"},
        {"coordinate x, y : line\nkinetic x'^2 + y'^2\nconstraint c: y' = x\nrun t = 0..1\n",
         LIA_PICTURE_PORTRAIT, "x", "'c' is about velocities"},
        {"coordinate x, a, b : line\nkinetic x'^2 + a'^2 + b'^2\noperator A: a = t\noperator B: b "
         "= t^2\n"
         "run t = 0..1\n",
         LIA_PICTURE_CURVATURE, "a,b", "flat"},
        {"coordinate x, y, a, b : line\nkinetic x'^2 + y'^2 + a'^2 + b'^2\nconstraint tie: x = a*b "
         "+ y\n"
         "operator A: a = t\noperator B: b = t^2\nrun t = 0..1\n",
         LIA_PICTURE_CURVATURE, "a,b", "'tie' ties positions"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Motion m = motion_of(cases[i].model, NULL);
        char* why = NULL;
        LiaStatus status =
            lia_output_picture(m.t, cases[i].kind, cases[i].names, "/dev/null", &why);
        assert_int_equal(status, LIA_ARGUMENT);
        if (!why || !strstr(why, cases[i].says)) {
            fail_msg("case %zu: '%s' does not say '%s'", i, why ? why : "", cases[i].says);
        }
        lia_free(why);
        motion_clear(&m);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(strokes_of_a_blade_are_along_the_blade),
        TEST(a_bead_on_a_moving_line_is_left_the_direction_of_the_line),
        TEST(what_is_pinned_has_no_direction),
        TEST(the_curvature_is_that_of_the_closed_form),
        TEST(the_curvature_of_the_cat_is_that_of_the_fields),
        TEST(the_curvature_inside_the_loop_is_what_the_cat_turns_by),
        TEST(constraints_have_a_part_in_the_connection),
        TEST(the_curves_of_a_portrait_keep_the_energy),
        TEST(starts_of_a_portrait_are_found_under_constraints),
        TEST(a_picture_that_is_none_says_why),
    };
    return TESTS_RUN(tests);
}
