// The modes of contacts along a run, and the forces at its samples: each is that of the mode it is
// in.
// SPDX-License-Identifier: MIT
#include "../support/motion.h"
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>

#define PLANE "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential 10*y"
#define BALL                                                                                       \
    "body b: mass 1, inertia 0.004, free\ngravity [0, 0, -9.81]\n"                                 \
    "contact c: sphere(b, 0.1) on plane(ground) friction 0.2"
#define LADDER                                                                                     \
    "coordinate x, y : line, ph : circle\nkinetic (x'^2 + y'^2)/2 + ph'^2/6\n"                     \
    "potential 9.81*y\ncontact c: x - cos(ph) >= 0\ncontact floor: y - sin(ph) >= 0\n"             \
    "event flat: ph = 0 falling stop\nstart ph = pi/3\nrun t = 0..2\n"

// Each with the friction of its contact c.
static const struct Case {
    const char* text;
    double friction;
} cases[] = {
    {PLANE " + 2*x^2\ncontact c: y >= 0 slip x' - 0.5 friction 0.2 static 0.3\n"
           "start x' = 0.5\nrun t = 0..20\n",
     0.2},
    {BALL "\nstart b.position = [0, 0, 0.1], b.velocity = [1, 0.3, 0], b.omega = [5, -40, 3]\n"
          "run t = 0..2\n",
     0.2},
    {BALL " restitution 0.6\nstart b.position = [0, 0, 0.5], b.velocity = [1, 0, 0]\n"
          "run t = 0..3\n",
     0.2},
    {LADDER, 0.0},
    {PLANE "\ncontact c: y >= 0 restitution 0.5\nstart y = 1\nrun t = 0..3\n", 0.0},
    // down a slope, over its end, and onto the floor
    {PLANE "\ncontact c: y + min(x, 2)/2 >= 0 slip x' friction 0.1\n"
           "contact floor: y + 3 >= 0\nstart x = 0, y = 0\nrun t = 0..2\n",
     0.1},
};

static const LiaContactCourse* course_of(const LiaTrajectory* t, const char* name) {
    for (size_t i = 0; i < t->contacts.course_count; i++) {
        if (strcmp(t->contacts.courses[i].name, name) == 0) return &t->contacts.courses[i];
    }
    return NULL;
}

// The mode at a time, NULL next to a change: there rounding decides.
static const char* mode_at(const LiaContactCourse* course, double t) {
    const char* word = "open";
    for (size_t k = 0; course && k < course->count; k++) {
        if (k > 0 && fabs(course->changes[k].t - t) < 1e-9) return NULL;
        if (course->changes[k].t <= t) word = course->changes[k].word;
    }
    return word;
}

// Forces of the contact c at a sample: normal, and the size of the friction.
static void forces_at(const LiaTrajectory* t, size_t row, double* normal, double* friction) {
    const double* x = t->rows.values + row * t->column_count;
    *normal = *friction = 0.0;
    for (size_t k = 0; k < t->csv_count; k++) {
        const LiaColumn* column = &t->columns[k];
        if (column->kind != LIA_COLUMN_FORCE || strcmp(column->key, "c") != 0) continue;
        if (column->part == 0) *normal = x[k];
        if (column->part > 0) *friction = hypot(*friction, x[k]);
    }
}

static void forces_at_samples_are_those_of_the_mode(void) {
    int open = 0, slides = 0, holds = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Motion m = motion_of(cases[i].text, &(MotionOptions){0});
        assert_non_null(m.t);
        const LiaContactCourse* course = course_of(m.t, "c");
        for (size_t row = 0; row < m.t->rows.count; row++) {
            double normal, friction, t = m.t->rows.values[row * m.t->column_count];
            const char* mode = mode_at(course, t);
            forces_at(m.t, row, &normal, &friction);
            if (!mode) continue;
            if (strcmp(mode, "open") == 0) {
                open++;
                if (normal != 0.0 || friction != 0.0) fail_msg("case %zu t = %g: open", i, t);
            } else if (strcmp(mode, "slides") == 0) {
                slides++;
                if (!(fabs(friction - cases[i].friction * normal) <= 1e-13 * normal))
                    fail_msg("case %zu, t = %g: %.17g of %.17g", i, t, friction, normal);
            } else {
                holds++;
                assert_true(normal > -1e-12);
            }
        }
        motion_clear(&m);
    }
    assert_true(open > 500 && slides > 500 && holds > 500);
}

// Of one contact the intervals of a mode add up to the time that is reported for it; all together
// are the run.
static void intervals_add_up(void) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Motion m = motion_of(cases[i].text, &(MotionOptions){0});
        const LiaTrajectory* t = m.t;
        const char* const words[] = {"open", "closed", "sticks", "slides"};
        double whole = 0.0;
        const LiaContactCourse* course = course_of(t, "c");
        assert_non_null(course);
        assert_true(course->changes[0].t == t->t0);
        for (int w = 0; w < 4; w++) {
            double sum = 0.0, reported = 0.0;
            char told[32];
            snprintf(told, sizeof told, "c %s", words[w]);
            for (size_t k = 0; k < course->count; k++) {
                double end = k + 1 < course->count ? course->changes[k + 1].t : t->t;
                assert_true(end >= course->changes[k].t);
                if (strcmp(course->changes[k].word, words[w]) == 0)
                    sum += end - course->changes[k].t;
            }
            for (size_t k = 0; k < t->contacts.mode_count; k++) {
                if (strncmp(t->contacts.modes[k].text, told, strlen(told)) == 0)
                    reported += t->contacts.modes[k].time;
            }
            if (!(fabs(sum - reported) <= 1e-12)) fail_msg("case %zu: %s", i, told);
            whole += sum;
        }
        assert_true(fabs(whole - (t->t - t->t0)) <= 1e-12);
        motion_clear(&m);
    }
}

static LiaTrajectory* run_to_end(LiaSystem* system, LiaDiags* diags, double saved) {
    LiaRun* run = NULL;
    LiaTrajectory* out = NULL;
    assert_int_equal(lia_run_create(system, NULL, diags, &run), LIA_OK);
    if (saved > 0.0) {  // there and back
        char* bytes = NULL;
        size_t length = 0;
        assert_int_equal(lia_run_advance(run, saved), LIA_OK);
        assert_int_equal(lia_run_save(run, &bytes, &length), LIA_OK);
        assert_int_equal(lia_run_advance(run, saved + 3.3), LIA_OK);
        assert_int_equal(lia_run_restore(run, bytes, length), LIA_OK);
        lia_free(bytes);
    }
    assert_int_equal(lia_run_advance(run, 20.0), LIA_DONE);
    assert_int_equal(lia_run_trajectory(run, &out), LIA_OK);
    lia_run_destroy(run);
    return out;
}

static void a_saved_run_keeps_its_course(void) {
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    const char* text = cases[0].text;
    assert_int_equal(lia_model_parse("belt", text, strlen(text), NULL, diags, &model), LIA_OK);
    assert_int_equal(lia_system_build(model, NULL, diags, &system), LIA_OK);
    LiaTrajectory *one = run_to_end(system, diags, 0.0), *two = run_to_end(system, diags, 6.0);
    assert_int_equal(one->contacts.course_count, 1);
    assert_int_equal(two->contacts.course_count, 1);
    assert_int_equal(one->contacts.courses[0].count, 12);
    assert_int_equal(two->contacts.courses[0].count, 12);
    for (size_t k = 0; k < 12; k++) {
        assert_true(one->contacts.courses[0].changes[k].t == two->contacts.courses[0].changes[k].t);
        assert_string_equal(one->contacts.courses[0].changes[k].word,
                            two->contacts.courses[0].changes[k].word);
    }
    lia_trajectory_destroy(one);
    lia_trajectory_destroy(two);
    lia_system_destroy(system);
    lia_model_destroy(model);
    lia_diags_destroy(diags);
}

int main(void) {
    const TestCase tests[] = {
        TEST(forces_at_samples_are_those_of_the_mode),
        TEST(intervals_add_up),
        TEST(a_saved_run_keeps_its_course),
    };
    return TESTS_RUN(tests);
}
