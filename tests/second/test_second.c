// Two ways from a model to a motion must agree: tapes and jets (src/motion) against plain formulas,
// second derivatives and DOP853 (second.c). On random models, on every example, on every reference.
// SPDX-License-Identifier: MIT
#include "comparing.h"
#include "mechanics/build.h"
#include "support/state.h"
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void the_ways_agree_on_random_models(void) {
    int failures = 0, lost = 0;
    int met[FEATURE_COUNT] = {0};
    for (uint64_t seed = 1; seed <= comparing_models(); seed++) {
        Generated g;
        generator_make(seed, &g);
        Difference d = comparing_run(g.text, &comparing_as_usual, &lost);
        comparing_complain(&d, 1e-9, "eliminated", seed, g.text, &failures);
        if (generator_has(&g, FEATURE_DRIVEN_POSITION) || generator_has(&g, FEATURE_DRIVEN_RATE)) {
            d = comparing_run(g.text, &comparing_not_eliminated, &lost);
            comparing_complain(&d, 1e-9, "not eliminated", seed, g.text, &failures);
        }
        for (int f = 0; f < FEATURE_COUNT; f++) met[f] += generator_has(&g, f);
        generator_clear(&g);
    }
    static const char* const names[] = {
#define X(name) #name,
        GENERATOR_FEATURES(X)
#undef X
    };
    for (int f = 0; f < FEATURE_COUNT; f++) {
        if ((uint64_t)met[f] * 25 < comparing_models())
            fail_msg("only %d models with %s", met[f], names[f]);
    }
    assert_true((uint64_t)lost * 1000 <= comparing_models());
    assert_int_equal(failures, 0);
}

// Driven systems without a word about their start, and some that are held by passive equations.
static void the_ways_start_driven_systems_alike(void) {
    static const char* const texts[] = {
        "coordinate x : line\ncoordinate th : circle\n"
        "kinetic x'^2 + x'*th'*cos(th) + th'^2/2\noperator motor: x = 0.5 + t\nrun t = 0..0\n",
        "coordinate a, b, c, s : line\nkinetic (a' + b')^2 + (b' - c')^2 + c'^2 + (s' + a')^2\n"
        "operator o: b = 2*a + 0.5\noperator p: 2*c - s = 0.25\nstart s = 1\nrun t = 0..0\n",
        "coordinate th1, th2, th3 : circle\ncoordinate s : line\n"
        "kinetic th1'^2/2 + th2'^2 + th3'^2/2 + 0.3*th1'*th2' + s'^2/2 + 0.2*s'*th1' + "
        "0.4*s'*th3'\n"
        "constraint x: cos(th1) + 3*cos(th2) = 3.2 + 2.5*cos(th3)\n"
        "constraint y: sin(th1) + 3*sin(th2) = 2.5*sin(th3)\n"
        "operator crank: th1 = 0.6 + t\nstart th2 ~ 0.7, th3 ~ 1.6\nrun t = 0..0\n",
        "coordinate x : line\ncoordinate a, b, c : circle\n"
        "kinetic x'^2 + (x' + a')^2 + (x' + b')^2 + (x' + c')^2\nconstraint held: x = 0.5\n"
        "constraint pair: sin(a) + 2*b = 0.2\nrun t = 0..0\n",
        "coordinate x, y : line\ncoordinate th, al : circle\n"
        "kinetic (x'^2 + y'^2)/2 + 0.1*th'^2 + (x' + sin(th)*th')^2 + 0.1*(th' + al')^2 + "
        "x'*al'/9\n"
        "constraint rear: cos(th)*y' - sin(th)*x' = 0\noperator steer: al = 0.3 + sin(2*t)\n"
        "run t = 0..0\n",
        "coordinate R : rotation\ncoordinate x, y : line\n"
        "kinetic dot(omega(R), omega(R)) + x'^2 + y'^2 + x'*omega(R).z/2\n"
        "constraint c: (R*[1, 0, 0]).y = x - 0.1\noperator o: y = 0.3\nrun t = 0..0\n"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        Motion m = motion_of(texts[k], NULL);
        assert_non_null(m.t);
        Second* second = second_create(m.model);
        double q[COORDINATES_MOST], v[COORDINATES_MOST];
        assert_true(second_start(second, 0.0, q, v));
        for (size_t c = 0; c < m.t->csv_count; c++) {
            const LiaColumn* column = &m.t->columns[c];
            if (column->kind == LIA_COLUMN_POSITION)
                assert_float_equal(m.t->final.values[c], q[column->index], 1e-11);
            if (column->kind == LIA_COLUMN_VELOCITY &&
                m.model->coordinates[column->index].group == 0)
                assert_float_equal(m.t->final.values[c], v[column->index], 1e-11);
        }
        second_destroy(second);
        motion_clear(&m);
    }
}

static void the_ways_find_the_same_start(void) {
    int failures = 0;
    for (uint64_t seed = 1; seed <= comparing_models(); seed++) {
        Generated g;
        generator_make(seed, &g);
        MotionOptions options = {.run = {.until = &g.t0, .samples = 1}};
        Motion m = motion_of(g.text, &options);
        if (!m.t) fail_msg("seed %d has no start:\n%s", (int)seed, g.text);
        Second* second = second_create(m.model);
        double q[COORDINATES_MOST], v[COORDINATES_MOST];
        assert_true(second_start(second, g.t0, q, v));
        Difference d = {0};
        for (size_t c = 0; c < m.t->csv_count; c++) {
            const LiaColumn* column = &m.t->columns[c];
            double x = m.t->final.values[c];
            if (column->kind == LIA_COLUMN_POSITION)
                comparing_differ(&d, x, q[column->index], "start", column->name, g.t0);
            if (column->kind == LIA_COLUMN_VELOCITY)
                comparing_differ(&d, x, v[column->index], "start", column->name, g.t0);
        }
        comparing_complain(&d, 1e-10, "start", seed, g.text, &failures);
        second_destroy(second);
        motion_clear(&m);
        generator_clear(&g);
    }
    assert_int_equal(failures, 0);
}

// The same model in other coordinates: what is observed is the same.
static Difference compare_twin(const Motion* m, const Generated* g, bool with_second,
                               const char** text) {
    Difference d = {0};
    double q[COORDINATES_MOST] = {0}, v[COORDINATES_MOST] = {0};
    for (int i = 0; i < g->n; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s'", g->names[i]);
        q[i] = motion_value(m, 0, g->names[i]);
        v[i] = motion_value(m, 0, name);
    }
    bool moving;
    *text = generator_twin(g, g->seed, q, v, &moving);
    Motion twin = motion_of(*text, &comparing_as_usual);
    if (twin.status != LIA_OK) {
        comparing_differ(&d, NAN, NAN, "twin", "does not run", g->t0);
        motion_clear(&twin);
        return d;
    }
    for (uint32_t i = 0; i < m->model->observes_count; i++) {
        const char* name = m->model->observes[i].name;
        if (moving && strncmp(name, "p_", 2) == 0) continue;
        for (size_t r = 0; r < lia_trajectory_rows(m->t); r++) {
            comparing_differ(&d, motion_value(m, r, name), motion_value(&twin, r, name), "observe",
                             name, lia_trajectory_value(m->t, r, 0));
        }
    }
    if (with_second && d.most <= 1e-9) d = comparing_both(twin.t, twin.model, 1e-13);
    motion_clear(&twin);
    return d;
}

static void motions_do_not_depend_on_the_coordinates(void) {
    int failures = 0;
    for (uint64_t seed = 1; seed <= comparing_models(); seed++) {
        Generated g;
        generator_make(seed, &g);
        Motion m = motion_of(g.text, &comparing_as_usual);
        if (m.status == LIA_OK) {
            const char* text;
            Difference d = compare_twin(&m, &g, seed % 5 == 0, &text);
            comparing_complain(&d, 1e-9, "twin", seed, text, &failures);
        } else if (!comparing_lost_regularity(&m)) {
            failures++;
        }
        motion_clear(&m);
        generator_clear(&g);
    }
    assert_int_equal(failures, 0);
}

// Formulas that are not analytic everywhere: the first way stops at the place and goes on on the
// other side, the second one does not care. Branches not taken may be no numbers at all.
static void the_ways_agree_where_formulas_have_branches(void) {
    static const char* const texts[] = {
        "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential 2*abs(x) + x*y + y^2\n"
        "start x = 0.3, y = 0.1, x' = 1\nrun t = 0..2\n",
        "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2 + if(x > 0, x^2, 0)*y'^2\n"
        "potential max(x, y)^2 + min(x, 2*y)\nconstraint c: if(y > 0, y^2, 0)*x' + y' = 0.4\n"
        "start x = 0.3, y = -0.1, x' = 1\nrun t = 0..1\n",
        "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential x^2 + y^2\n"
        "force f: -0.3*sign(x')*d(x) - 0.2*abs(y')*y'*d(y)\n"
        "start x = 1, y = 0.5, x' = 0.1, y' = -1\nrun t = 0..1\n",
        "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential 1/hypot(x, y) + (x^2 + y^2)/2\n"
        "force f: 0.1*wrap(atan2(y, x))*d(y)\n"
        "start x = 1, y = 0.2, x' = -0.2, y' = 0.9\nrun t = 0..2\n",
        "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential x^2\n"
        "constraint c: y = if(t < 0.6, t^2, 0.36 + 1.2*(t - 0.6)) + 0.1*x\n"
        "  force d(y) - 0.1*d(x)/(2 + x)\nstart x = 1\nrun t = 0..1\n",
        "coordinate x, y : line\nkinetic x'^2/2 + y'^2/2 + if(y > 0, y^1.5, 0)*x'^2\n"
        "potential if(x > 0, x^2.5, 0) + y\nconstraint c: if(y > 0, sqrt(y), 0)*y' + x' = 0.4\n"
        "start x = -0.5, y = -0.5, y' = 0.3\nrun t = 0..0.5\n",
    };
    int failures = 0;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        Difference d = comparing_run(texts[i], &comparing_as_usual, NULL);
        comparing_complain(&d, 1e-9, "branches", i, texts[i], &failures);
    }
    assert_int_equal(failures, 0);
}

// The second way here knows no contacts; tests/contacts has one that does, tests/begin_end one for
// what begins and ends. Nor does it know sampled controls and phase spaces, whose references are
// numbers of other formulations.
static bool has_contacts(const LiaModel* model) {
    bool found = false;
    for (uint32_t i = 0; i < model->controls_count; i++) {
        found = found || model->controls[i].law.index;
    }
    for (uint32_t i = 0; i < model->events_count; i++) {
        found = found || model->events[i].switches || model->events[i].set_count > 0;
    }
    for (uint32_t i = 0; i < model->constraints_count; i++) {
        found = found || model->constraints[i].contact || model->constraints[i].rough ||
                model->constraints[i].flow;
    }
    return found;
}

static void agree_on_files(const char* pattern) {
    glob_t found;
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", LIAISON_SOURCE_DIR, pattern);
    assert_int_equal(glob(path, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i += EVERY) {
        const char* name = found.gl_pathv[i] + strlen(LIAISON_SOURCE_DIR) + 1;
        // A chain of 10 links has a thousand second derivatives: 4 links do as well here.
        LiaDefine links = {"N", 4.0};
        MotionOptions options = {
            .run = {.tolerance = 1e-14, .samples = SAMPLES, .steps_most = 20000}};
        if (strstr(name, "chain")) options.defines = &links, options.define_count = 1;
        Motion m = motion_of_file(name, &options);
        if (m.status != LIA_OK && m.status != LIA_STOPPED) fail_msg("%s does not run", name);
        if (has_contacts(m.model)) {
            motion_clear(&m);
            continue;
        }
        Difference d = comparing_both(m.t, m.model, 1e-13);
        // DOP853 measures an error by 1 + |x|: much for a stone of centimetres that rattles through
        // thousands of steps. What is its own falls with its tolerance; between 1e-12 and 1e-15 the
        // two are 3e-7 .. 2e-10 apart there.
        for (double finer = 1e-14; d.most > 1e-9 && finer > 5e-16; finer /= 10.0) {
            d = comparing_both(m.t, m.model, finer);
        }
        if (!(d.most <= 1e-9)) fail_msg("%s: off by %.2e: %s", name, d.most, d.where);
        motion_clear(&m);
    }
    globfree(&found);
}

static void the_ways_agree_on_every_example(void) { agree_on_files("examples/*/*.lia"); }

static void the_ways_agree_on_every_reference(void) { agree_on_files("tests/refs/*.lia"); }

int main(void) {
    const TestCase tests[] = {
        TEST(the_ways_find_the_same_start),
        TEST(the_ways_start_driven_systems_alike),
        TEST(the_ways_agree_on_random_models),
        TEST(motions_do_not_depend_on_the_coordinates),
        TEST(the_ways_agree_where_formulas_have_branches),
        TEST(the_ways_agree_on_every_example),
        TEST(the_ways_agree_on_every_reference),
    };
    return TESTS_RUN(tests);
}
