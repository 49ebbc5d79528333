// Two ways from a model to a motion must agree: tapes and jets (src/motion) against plain formulas,
// second derivatives and DOP853 (second.c). On random models, on every example, on every reference.
// SPDX-License-Identifier: MIT
#include "generator.h"
#include "lang/model.h"
#include "mechanics/system.h"
#include "motion/trajectory.h"
#include "second.h"
#include "support/motion.h"
#include <glob.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MODELS = 500, SAMPLES = 5, COORDINATES_MOST = 64, ROWS_MOST = 64, LINES_MOST = 64 };

// --- comparing ---------------------------------------------------------------------------------

// The largest difference found, relative to 1 + the size of the number, and where.
typedef struct Difference {
    double most;
    char where[160];
} Difference;

static void differ(Difference* d, double first, double second, const char* what, const char* name,
                   double t) {
    double off = fabs(first - second) / (1.0 + fabs(second));
    if (!isfinite(first) || !isfinite(second)) off = INFINITY;
    if (off <= d->most) return;
    d->most = off;
    snprintf(d->where, sizeof d->where, "%s %s at t = %g: first %.15g, second %.15g", what, name, t,
             first, second);
}

// Reactions that are not unique: which multipliers the ways choose is their own affair.
static bool unique(const LiaTrajectory* first, uint32_t constraint) {
    return constraint >= first->constraint_count || first->constraints[constraint].unique;
}

static void compare_row(const LiaTrajectory* first, size_t r, Second* second, const LiaModel* model,
                        const double* q, const double* v, const double* work, Difference* d) {
    double t = lia_trajectory_value(first, r, 0), mu[ROWS_MOST];
    if (!second_solve(second, t, q, v, NULL, mu)) {
        differ(d, NAN, NAN, "K0", "singular", t);
        return;
    }
    for (size_t c = 0; c < first->csv_count; c++) {
        const LiaColumn* column = &first->columns[c];
        double x = lia_trajectory_value(first, r, c);
        switch (column->kind) {
        case LIA_COLUMN_POSITION:
            differ(d, x, q[column->index], "position", column->name, t);
            break;
        case LIA_COLUMN_VELOCITY:
            differ(d, x, v[column->index], "velocity", column->name, t);
            break;
        case LIA_COLUMN_FORCE: {
            int row = 0;
            for (uint32_t i = 0; i < column->index; i++)
                row += (int)model->constraints[i].equation_count;
            if (!unique(first, column->index)) break;
            differ(d, x, mu[row + (int)column->part], "force", column->name, t);
            break;
        }
        default:
            break;
        }
    }
    for (uint32_t i = 0; i < model->observes_count; i++) {
        const LiaObserve* o = &model->observes[i];
        for (size_t c = 0; c < first->csv_count; c++) {
            const LiaColumn* column = &first->columns[c];
            if (column->kind != LIA_COLUMN_OBSERVE || strcmp(column->name, o->name) != 0) continue;
            if (model->terms[o->term].has & LIA_HAS_FORCE) {
                bool all = true;
                for (uint32_t k = 0; k < model->constraints_count; k++)
                    all = all && unique(first, k);
                if (!all) continue;
            }
            double x = second_term(second, o->term, t, q, v, work) * o->scale;
            differ(d, lia_trajectory_value(first, r, c), x, "observe", o->name, t);
        }
    }
}

// What each one fed into the system.
static void compare_ledger(const LiaTrajectory* first, const LiaModel* model, const double* work,
                           Difference* d) {
    uint32_t constraint = 0, force = 0, constraints = model->constraints_count;
    for (size_t i = 0; i < first->ledger_count; i++) {
        const LiaLedgerLine* line = &first->ledger[i];
        uint32_t k;
        switch (line->kind) {
        case LIA_LINE_CONSTRAINT:
        case LIA_LINE_OPERATOR:
            k = constraint++;
            break;
        case LIA_LINE_FORCE:
            k = constraints + force++;
            break;
        case LIA_LINE_DISSIPATION:
            k = constraints + model->forces_count;
            break;
        case LIA_LINE_TIME:
            k = constraints + model->forces_count + 1;
            break;
        default:
            continue;
        }
        differ(d, line->work, work[k], "work", line->name, first->t);
    }
}

// Follow the first way's samples with the second way, from the first way's start.
static Difference compare(const LiaTrajectory* first, const LiaModel* model, double tolerance) {
    Difference d = {0};
    Second* second = second_create(model);
    int n = second_n(second);
    double q[COORDINATES_MOST] = {0}, v[COORDINATES_MOST] = {0}, work[LINES_MOST] = {0};
    if (n > COORDINATES_MOST || second_rows(second) > ROWS_MOST ||
        second_lines(second) > LINES_MOST) {
        differ(&d, NAN, NAN, "size", "too large", 0.0);
        second_destroy(second);
        return d;
    }
    for (size_t c = 0; c < first->csv_count; c++) {
        const LiaColumn* column = &first->columns[c];
        double x = lia_trajectory_value(first, 0, c);
        if (column->kind == LIA_COLUMN_POSITION) q[column->index] = x;
        if (column->kind == LIA_COLUMN_VELOCITY) v[column->index] = x;
    }
    double t = lia_trajectory_value(first, 0, 0);
    for (size_t r = 0; r < lia_trajectory_rows(first); r++) {
        double next = lia_trajectory_value(first, r, 0);
        if (next != t && !second_run(second, t, next, tolerance, q, v, work)) {
            differ(&d, NAN, NAN, "second way", "could not go on", t);
            break;
        }
        t = next;
        compare_row(first, r, second, model, q, v, work, &d);
    }
    if (t == first->t) compare_ledger(first, model, work, &d);
    second_destroy(second);
    return d;
}

static const MotionOptions as_usual = {.run = {.tolerance = 1e-14, .samples = SAMPLES}};
static const MotionOptions not_eliminated = {.no_eliminate = 1,
                                             .run = {.tolerance = 1e-14, .samples = SAMPLES}};

// Both ways on one text. Returns what differs most; a text that does not run differs infinitely.
static Difference both_ways(const char* text, const MotionOptions* options) {
    Difference d = {0};
    Motion m = motion_of(text, options);
    if (m.status == LIA_OK) {
        d = compare(m.t, m.model, 1e-13);
    } else {
        differ(&d, NAN, NAN, "first way", m.t ? lia_trajectory_reason(m.t) : "no start", 0.0);
    }
    motion_clear(&m);
    return d;
}

static void complain(const Difference* d, double most, const char* what, uint64_t seed,
                     const char* text) {
    if (d->most <= most) return;
    fail_msg("%s, seed %llu: off by %.2e: %s\n%s", what, (unsigned long long)seed, d->most,
             d->where, text);
}

// --- the second way by itself ------------------------------------------------------------------

typedef struct Plain {
    LiaDiags* diags;
    LiaModel* model;
    Second* second;
    double q[COORDINATES_MOST], v[COORDINATES_MOST], work[LINES_MOST], mu[ROWS_MOST];
} Plain;

// Read, start, run from the model's t0 to t1.
static Plain plain_run(const char* text) {
    Plain p = {.diags = lia_diags_create()};
    if (lia_model_parse("test.lia", text, strlen(text), NULL, 0, p.diags, &p.model) != LIA_OK) {
        char* said = lia_diags_text(p.diags);
        fail_msg("%s", said);
    }
    p.second = second_create(p.model);
    assert_non_null(p.second);
    assert_true(second_start(p.second, p.model->run.t0, p.q, p.v));
    assert_true(second_run(p.second, p.model->run.t0, p.model->run.t1, 1e-13, p.q, p.v, p.work));
    assert_true(second_solve(p.second, p.model->run.t1, p.q, p.v, NULL, p.mu));
    return p;
}

static void plain_clear(Plain* p) {
    second_destroy(p->second);
    lia_model_destroy(p->model);
    lia_diags_destroy(p->diags);
}

static void near(double x, double y, double most) {
    if (!(fabs(x - y) <= most)) fail_msg("%.15g is not %.15g: off by %.2e", x, y, x - y);
}

static void the_second_way_knows_closed_forms(void** state) {
    (void)state;
    // an oscillator
    Plain p = plain_run(
        "coordinate x : line\nkinetic x'^2/2\npotential 2*x^2\nstart x = 1\nrun t = 0..3\n");
    near(p.q[0], cos(6.0), 1e-11);
    near(p.v[0], -2.0 * sin(6.0), 1e-11);
    plain_clear(&p);

    // the second disc follows the first and does not pull at it
    p = plain_run("coordinate a, b : line\nkinetic a'^2/2 + b'^2\npotential 3/2*a^2\n"
                  "operator follow: a - b = 0 by d(b)\nstart a = 1\nrun t = 0..2\n");
    double w = sqrt(3.0);
    near(p.q[1], cos(2.0 * w), 1e-11);
    near(p.mu[0], -2.0 * w * w * cos(2.0 * w), 1e-10);
    near(p.work[0], 3.0 * sin(2.0 * w) * sin(2.0 * w), 1e-10);
    plain_clear(&p);

    // and does when the constraint is ideal
    p = plain_run("coordinate a, b : line\nkinetic a'^2/2 + b'^2\npotential 3/2*a^2\n"
                  "constraint glue: a - b = 0\nstart a = 1\nrun t = 0..2\n");
    near(p.q[1], cos(2.0), 1e-11);
    near(p.work[0], 0.0, 1e-12);
    plain_clear(&p);

    // a puck with Coulomb friction: v = 2 - nu g t
    p = plain_run("coordinate x, y, z : line\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential 9.81*z\n"
                  "constraint floor: z = 0\n  force d(z) - 0.3*(x'*d(x) + y'*d(y))/hypot(x', y')\n"
                  "start x = 0, y = 0, x' = 2, y' = 0\nrun t = 0..0.5\n");
    near(p.v[0], 2.0 - 0.3 * 9.81 * 0.5, 1e-11);
    near(p.mu[0], 9.81, 1e-11);
    plain_clear(&p);

    // prescribed motion, backwards in time: the force is that of m s'' = F
    p = plain_run(
        "coordinate s : line\nkinetic 3/2*s'^2\noperator o: s = sin(2*t)\nrun t = 1..0.25\n");
    near(p.q[0], sin(0.5), 1e-12);
    near(p.mu[0], -12.0 * sin(0.5), 1e-10);
    plain_clear(&p);

    // Chetaev: a point of constant speed under gravity; x' = u tanh(g (t - c)/u)-like along y
    p = plain_run(
        "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential 2*y\n"
        "constraint speed: x'^2 + y'^2 = 1\n  force chetaev\nstart x = 0, y = 0, x' = 1, y' = 0\n"
        "run t = 0..1\n");
    near(p.v[1], -tanh(2.0), 1e-11);
    near(p.v[0], 1.0 / cosh(2.0), 1e-11);
    plain_clear(&p);

    // a skate on a plane: blade straight, turning evenly: a circle
    p = plain_run(
        "coordinate x, y : line\ncoordinate th : circle\nkinetic (x'^2 + y'^2 + 0.4*th'^2)/2\n"
        "constraint blade: x'*sin(th) - y'*cos(th) = 0\nstart x = 0, y = 0, th = 0, x' = 1, th' = "
        "2\n"
        "run t = 0..2\n");
    near(p.q[0], sin(4.0) / 2.0, 1e-11);
    near(p.q[1], (1.0 - cos(4.0)) / 2.0, 1e-11);
    plain_clear(&p);

    // relativistic: L = -sqrt(1 - x'^2) + x: p = t
    p = plain_run(
        "coordinate x : line\nlagrangian -sqrt(1 - x'^2) + x\nstart x = 0, x' = 0\nrun t = 0..2\n");
    near(p.v[0], 2.0 / sqrt(5.0), 1e-11);
    near(p.q[0], sqrt(5.0) - 1.0, 1e-11);
    plain_clear(&p);
}

static void the_second_way_keeps_its_ledger(void** state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        Generated g;
        generator_make(seed, &g);
        Plain p = plain_run(g.text);
        double q[COORDINATES_MOST], v[COORDINATES_MOST], sum = 0.0;
        assert_true(second_start(p.second, g.t0, q, v));
        double before = second_energy(p.second, g.t0, q, v),
               after = second_energy(p.second, g.t1, p.q, p.v);
        for (int i = 0; i < second_lines(p.second); i++) sum += p.work[i];
        if (!(fabs(after - before - sum) < 1e-10 * (1.0 + fabs(before) + fabs(after)))) {
            fail_msg("seed %d: %.3e\n%s", (int)seed, after - before - sum, g.text);
        }
        assert_true(second_residual(p.second, g.t1, p.q, p.v) < 1e-12);
        plain_clear(&p);
        generator_clear(&g);
    }
}

// --- the two ways ------------------------------------------------------------------------------

static void the_ways_agree_on_random_models(void** state) {
    (void)state;
    int met[FEATURE_COUNT] = {0};
    for (uint64_t seed = 1; seed <= MODELS; seed++) {
        Generated g;
        generator_make(seed, &g);
        Difference d = both_ways(g.text, &as_usual);
        complain(&d, 1e-9, "eliminated", seed, g.text);
        if (generator_has(&g, FEATURE_DRIVEN_POSITION) || generator_has(&g, FEATURE_DRIVEN_RATE)) {
            d = both_ways(g.text, &not_eliminated);
            complain(&d, 1e-9, "not eliminated", seed, g.text);
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
        if (met[f] < 20) fail_msg("only %d models with %s", met[f], names[f]);
    }
}

static void the_ways_find_the_same_start(void** state) {
    (void)state;
    for (uint64_t seed = 1; seed <= MODELS; seed++) {
        Generated g;
        generator_make(seed, &g);
        MotionOptions options = {.run = {.until = &g.t0, .samples = 1}};
        Motion m = motion_of(g.text, &options);
        assert_non_null(m.t);
        Second* second = second_create(m.model);
        double q[COORDINATES_MOST], v[COORDINATES_MOST];
        assert_true(second_start(second, g.t0, q, v));
        Difference d = {0};
        for (size_t c = 0; c < m.t->csv_count; c++) {
            const LiaColumn* column = &m.t->columns[c];
            double x = m.t->final[c];
            if (column->kind == LIA_COLUMN_POSITION)
                differ(&d, x, q[column->index], "start", column->name, g.t0);
            if (column->kind == LIA_COLUMN_VELOCITY)
                differ(&d, x, v[column->index], "start", column->name, g.t0);
        }
        complain(&d, 1e-10, "start", seed, g.text);
        second_destroy(second);
        motion_clear(&m);
        generator_clear(&g);
    }
}

// The same model in other coordinates: what is observed is the same.
static void motions_do_not_depend_on_the_coordinates(void** state) {
    (void)state;
    for (uint64_t seed = 1; seed <= MODELS; seed++) {
        Generated g;
        generator_make(seed, &g);
        Motion m = motion_of(g.text, &as_usual);
        if (m.status != LIA_OK) fail_msg("seed %d does not run:\n%s", (int)seed, g.text);
        double q[COORDINATES_MOST] = {0}, v[COORDINATES_MOST] = {0};
        for (int i = 0; i < g.n; i++) {
            char name[64];
            snprintf(name, sizeof name, "%s'", g.names[i]);
            q[i] = motion_value(&m, 0, g.names[i]);
            v[i] = motion_value(&m, 0, name);
        }
        bool moving;
        const char* text = generator_twin(&g, seed, q, v, &moving);
        Motion twin = motion_of(text, &as_usual);
        if (twin.status != LIA_OK)
            fail_msg("the twin of seed %d does not run:\n%s", (int)seed, text);
        Difference d = {0};
        for (uint32_t i = 0; i < m.model->observes_count; i++) {
            const char* name = m.model->observes[i].name;
            if (moving && strncmp(name, "p_", 2) == 0) continue;
            for (size_t r = 0; r < lia_trajectory_rows(m.t); r++) {
                differ(&d, motion_value(&m, r, name), motion_value(&twin, r, name), "observe", name,
                       lia_trajectory_value(m.t, r, 0));
            }
        }
        complain(&d, 1e-9, "twin", seed, text);
        if (seed % 5 == 0) {
            d = compare(twin.t, twin.model, 1e-13);
            complain(&d, 1e-9, "both ways on the twin", seed, text);
        }
        motion_clear(&twin);
        motion_clear(&m);
        generator_clear(&g);
    }
}

static void agree_on_files(const char* pattern) {
    glob_t found;
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", LIAISON_SOURCE_DIR, pattern);
    assert_int_equal(glob(path, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char* name = found.gl_pathv[i] + strlen(LIAISON_SOURCE_DIR) + 1;
        // A chain of 10 links has a thousand second derivatives: 4 links do as well here.
        LiaDefine links = {"N", 4.0};
        MotionOptions options = {.run = {.tolerance = 1e-14, .samples = SAMPLES}};
        if (strstr(name, "chain")) options.defines = &links, options.define_count = 1;
        Motion m = motion_of_file(name, &options);
        if (m.status != LIA_OK) fail_msg("%s does not run", name);
        // The motion itself says how far two computations of it can agree.
        Difference d = compare(m.t, m.model, 1e-13), coarse = compare(m.t, m.model, 1e-11);
        if (!(d.most <= 1e-9) && !(d.most <= 0.05 * coarse.most && d.most < 1e-7)) {
            fail_msg("%s: off by %.2e: %s", name, d.most, d.where);
        }
        motion_clear(&m);
    }
    globfree(&found);
}

static void the_ways_agree_on_every_example(void** state) {
    (void)state;
    agree_on_files("examples/*/*.lia");
}

static void the_ways_agree_on_every_reference(void** state) {
    (void)state;
    agree_on_files("tests/refs/*.lia");
}

// --- would a mistake be found? -----------------------------------------------------------------

// A wrong sign in any one term of the residual, put in on purpose, is noticed.
static void a_wrong_sign_is_noticed(void** state) {
    (void)state;
    for (int flip = 1; flip < 7; flip++) {
        int noticed = 0, models = 0;
        for (uint64_t seed = 1; seed <= 60; seed++) {
            Generated g;
            generator_make(seed, &g);
            Motion m = {.diags = lia_diags_create()};
            assert_int_equal(
                lia_model_parse("test.lia", g.text, strlen(g.text), NULL, 0, m.diags, &m.model),
                LIA_OK);
            LiaSystemOptions options = {.no_eliminate = true};
            assert_int_equal(lia_system_build(m.model, &options, m.diags, &m.system), LIA_OK);
            m.system->flip = flip;
            LiaRunOptions run = {.tolerance = 1e-12, .samples = 2, .steps_most = 2000};
            m.status = lia_motion_run(m.system, &run, m.diags, &m.t);
            models++;
            if (m.status != LIA_OK) {
                noticed++;  // it did not even run
            } else {
                Difference d = compare(m.t, m.model, 1e-11);
                noticed += d.most > 1e-6;
            }
            motion_clear(&m);
            generator_clear(&g);
        }
        if (noticed < 5) fail_msg("flip %d: noticed on %d models of %d", flip, noticed, models);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_second_way_knows_closed_forms),
        cmocka_unit_test(the_second_way_keeps_its_ledger),
        cmocka_unit_test(the_ways_find_the_same_start),
        cmocka_unit_test(the_ways_agree_on_random_models),
        cmocka_unit_test(motions_do_not_depend_on_the_coordinates),
        cmocka_unit_test(the_ways_agree_on_every_example),
        cmocka_unit_test(the_ways_agree_on_every_reference),
        cmocka_unit_test(a_wrong_sign_is_noticed),
    };
    return cmocka_run_group_tests_name("second", tests, NULL, NULL);
}
