// Two ways from a model to a motion must agree: tapes and jets (src/motion) against plain formulas,
// second derivatives and DOP853 (second.c). On random models, on every example, on every reference.
// SPDX-License-Identifier: MIT
#include "generator.h"
#include "lang/model.h"
#include "mechanics/build.h"
#include "mechanics/test_hooks.h"
#include "motion/result/trajectory.h"
#include "second.h"
#include "support/cases.h"
#include "support/motion.h"
#include "support/state.h"
#include <glob.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 5, COORDINATES_MOST = 64, ROWS_MOST = 64, LINES_MOST = 64 };

// The numbers are the same under the sanitizers; these look at fewer random models and at every fifth file, the release build at
// all.
#if defined(__SANITIZE_ADDRESS__)
enum { MODELS = 120, FEW = 40, EVERY = 5 };
#else
enum { MODELS = 500, FEW = 160, EVERY = 1 };
#endif

// How many random models: LIAISON_MODELS in the environment for long campaigns.
static uint64_t models(void) {
    const char* count = getenv("LIAISON_MODELS");
    return count ? strtoull(count, NULL, 10) : MODELS;
}

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
    return constraint >= first->constraints.count || first->constraints.list[constraint].unique;
}

// Columns of a rotation are its angular velocity in space axes, omega = 2 vec(q' q^-1).
static double velocity_of(const LiaColumn* column, const double* q, const double* v) {
    if (!column->part) return v[column->index];
    const double *a = q + column->index - column->part, *b = v + column->index - column->part;
    uint32_t i = column->part, m = i % 3 + 1, k = m % 3 + 1;
    return 2.0 * (a[0] * b[i] - b[0] * a[i] + a[m] * b[k] - a[k] * b[m]);
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
            differ(d, x, velocity_of(column, q, v), "velocity", column->name, t);
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
            if (lia_model_depends(model, o->term) & LIA_DEPENDS(REACTION)) {
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
    for (size_t i = 0; i < first->ledger.count; i++) {
        const LiaLedgerLine* line = &first->ledger.lines[i];
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
    state_of_row(first, model, 0, q, v);
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

static const MotionOptions as_usual = {
    .run = {.tolerance = 1e-14, .samples = SAMPLES, .steps_most = 20000}};
static const MotionOptions not_eliminated = {
    .no_eliminate = 1, .run = {.tolerance = 1e-14, .samples = SAMPLES, .steps_most = 20000}};

// A few in a hundred thousand random models lose their regularity on the way (J and Omega turn away from
// each other): a verdict, not a disagreement.
static bool lost_regularity(const Motion* m) {
    return m->status == LIA_FAILED && m->t && m->t->regularity < 1e-2;
}

// Both ways on one text. Returns what differs most; a text that does not run differs infinitely.
static Difference both_ways(const char* text, const MotionOptions* options, int* lost) {
    Difference d = {0};
    Motion m = motion_of(text, options);
    if (m.status == LIA_OK) {
        d = compare(m.t, m.model, 1e-13);
    } else if (lost && lost_regularity(&m)) {
        (*lost)++;
    } else {
        differ(&d, NAN, NAN, "first way", m.t ? lia_trajectory_reason(m.t) : "no start", 0.0);
    }
    motion_clear(&m);
    return d;
}

// Says what is wrong and goes on; `failures` counts. The first text is shown in full.
static void complain(const Difference* d, double most, const char* what, uint64_t seed,
                     const char* text, int* failures) {
    if (d->most <= most) return;
    printf("%s, seed %llu: off by %.2e: %s\n", what, (unsigned long long)seed, d->most, d->where);
    if ((*failures)++ == 0) printf("%s\n", text);
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
    if (lia_model_parse("test.lia", text, strlen(text), NULL, p.diags, &p.model) != LIA_OK) {
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

static void the_second_way_knows_closed_forms(void) {
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

static void the_second_way_keeps_its_ledger(void) {
    for (uint64_t seed = 1; seed <= FEW; seed++) {
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

// Six hinges in a ring, one equation too many: it follows from the others where the loop is closed. Stages of a step
// are open by the square of the step; all equations look independent there, and forces taken from that do work.
static void rows_that_follow_from_others_stay_so_off_the_constraints(void) {
    const double until = 4.0;
    Motion m = motion_of_file("examples/bricard/bricard.lia",
                              &(MotionOptions){.run = {.samples = 1, .until = &until}});
    assert_non_null(m.t);
    Second* second = second_create(m.model);
    double q[COORDINATES_MOST], v[COORDINATES_MOST], work[LINES_MOST] = {0};
    assert_true(second_start(second, 0.0, q, v));
    int rows = second_rows(second);
    near(second_rank(second, 0.0, q, v), (rows - 1.0) / rows, 1e-15);
    double open[COORDINATES_MOST];
    for (int i = 0; i < second_n(second); i++) open[i] = q[i] + 1e-3 * sin(3.0 * i + 1.0);
    near(second_rank(second, 0.0, open, v), 1.0, 1e-15);
    double before = second_energy(second, 0.0, q, v);
    assert_true(second_run(second, 0.0, until, 1e-13, q, v, work));
    for (int i = 0; i < second_lines(second); i++) near(work[i], 0.0, 1e-11);
    near(second_energy(second, until, q, v), before, 1e-11);
    second_destroy(second);
    motion_clear(&m);
}

// --- the two ways ------------------------------------------------------------------------------

static void the_ways_agree_on_random_models(void) {
    int failures = 0, lost = 0;
    int met[FEATURE_COUNT] = {0};
    for (uint64_t seed = 1; seed <= models(); seed++) {
        Generated g;
        generator_make(seed, &g);
        Difference d = both_ways(g.text, &as_usual, &lost);
        complain(&d, 1e-9, "eliminated", seed, g.text, &failures);
        if (generator_has(&g, FEATURE_DRIVEN_POSITION) || generator_has(&g, FEATURE_DRIVEN_RATE)) {
            d = both_ways(g.text, &not_eliminated, &lost);
            complain(&d, 1e-9, "not eliminated", seed, g.text, &failures);
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
        if ((uint64_t)met[f] * 25 < models()) fail_msg("only %d models with %s", met[f], names[f]);
    }
    assert_true((uint64_t)lost * 1000 <= models());
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
                near(m.t->final.values[c], q[column->index], 1e-11);
            if (column->kind == LIA_COLUMN_VELOCITY &&
                m.model->coordinates[column->index].group == 0)
                near(m.t->final.values[c], v[column->index], 1e-11);
        }
        second_destroy(second);
        motion_clear(&m);
    }
}

static void the_ways_find_the_same_start(void) {
    int failures = 0;
    for (uint64_t seed = 1; seed <= models(); seed++) {
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
                differ(&d, x, q[column->index], "start", column->name, g.t0);
            if (column->kind == LIA_COLUMN_VELOCITY)
                differ(&d, x, v[column->index], "start", column->name, g.t0);
        }
        complain(&d, 1e-10, "start", seed, g.text, &failures);
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
    Motion twin = motion_of(*text, &as_usual);
    if (twin.status != LIA_OK) {
        differ(&d, NAN, NAN, "twin", "does not run", g->t0);
        motion_clear(&twin);
        return d;
    }
    for (uint32_t i = 0; i < m->model->observes_count; i++) {
        const char* name = m->model->observes[i].name;
        if (moving && strncmp(name, "p_", 2) == 0) continue;
        for (size_t r = 0; r < lia_trajectory_rows(m->t); r++) {
            differ(&d, motion_value(m, r, name), motion_value(&twin, r, name), "observe", name,
                   lia_trajectory_value(m->t, r, 0));
        }
    }
    if (with_second && d.most <= 1e-9) d = compare(twin.t, twin.model, 1e-13);
    motion_clear(&twin);
    return d;
}

static void motions_do_not_depend_on_the_coordinates(void) {
    int failures = 0;
    for (uint64_t seed = 1; seed <= models(); seed++) {
        Generated g;
        generator_make(seed, &g);
        Motion m = motion_of(g.text, &as_usual);
        if (m.status == LIA_OK) {
            const char* text;
            Difference d = compare_twin(&m, &g, seed % 5 == 0, &text);
            complain(&d, 1e-9, "twin", seed, text, &failures);
        } else if (!lost_regularity(&m)) {
            failures++;
        }
        motion_clear(&m);
        generator_clear(&g);
    }
    assert_int_equal(failures, 0);
}

// Formulas that are not analytic everywhere: the first way stops at the place and goes on on the other
// side, the second one does not care. Branches not taken may be no numbers at all.
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
        Difference d = both_ways(texts[i], &as_usual, NULL);
        complain(&d, 1e-9, "branches", i, texts[i], &failures);
    }
    assert_int_equal(failures, 0);
}

// The second way here knows no contacts; tests/contacts has one that does, tests/begin_end one for what begins
// and ends. Nor does it know sampled controls and phase spaces, whose references are numbers of other formulations.
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
        Difference d = compare(m.t, m.model, 1e-13);
        // DOP853 measures an error by 1 + |x|: much for a stone of centimetres that rattles through thousands of steps. What
        // is its own falls with its tolerance; between 1e-12 and 1e-15 the two are 3e-7 .. 2e-10 apart there.
        for (double finer = 1e-14; d.most > 1e-9 && finer > 5e-16; finer /= 10.0) {
            d = compare(m.t, m.model, finer);
        }
        if (!(d.most <= 1e-9)) fail_msg("%s: off by %.2e: %s", name, d.most, d.where);
        motion_clear(&m);
    }
    globfree(&found);
}

static void the_ways_agree_on_every_example(void) { agree_on_files("examples/*/*.lia"); }

static void the_ways_agree_on_every_reference(void) { agree_on_files("tests/refs/*.lia"); }

// --- would a mistake be found? -----------------------------------------------------------------

// Terms of the residual that get a wrong sign on purpose: some where the series are solved
// (LiaTestHooks.flip), some in the formulas the tape is made of.
static const char* const terms[] = {"dp/dt",      "G",     "Omega^T mu", "psi'",  "phi''",
                                    "correction", "dL/dq", "Q",          "Omega", "p"};
enum { TERMS = sizeof terms / sizeof terms[0], FLIPS = 6, NO_TERM = -1 };

static void negate(LiaSystem* s, LiaExpr* list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) list[i] = lia_graph_neg(s->graph, list[i]);
}

static void put_wrong_sign(LiaSystem* s, int term) {
    static const LiaTestHooks flips[1 + FLIPS] = {
        {.flip = LIA_FLIP_NONE},    {.flip = LIA_FLIP_MOMENTUM},  {.flip = LIA_FLIP_G},
        {.flip = LIA_FLIP_OMEGA},   {.flip = LIA_FLIP_KINEMATIC}, {.flip = LIA_FLIP_GEOMETRIC},
        {.flip = LIA_FLIP_CORRECT},
    };
    if (term < FLIPS) {
        s->hooks = &flips[term + 1];  // NO_TERM: none
        return;
    }
    if (term == 6) negate(s, s->lagrange.dL_dq, s->n);
    if (term == 7) negate(s, s->lagrange.Q, s->n);
    if (term == 8) {
        for (uint32_t r = 0; r < s->row_count; r++) negate(s, s->rows[r].Omega, s->rows[r].entries);
    }
    if (term == 9) negate(s, s->lagrange.p, s->n);
    assert_ptr_equal(s->full, s->reduced);
    lia_dynamics_destroy(s->full);
    s->full = s->plain = s->reduced = lia_dynamics_create(s, true, NULL, NULL, 0);
    assert_non_null(s->full);
}

// Is it noticed on this model: by a run that fails, or by a motion that differs?
static bool noticed(const Generated* g, int term) {
    Motion m = {.diags = lia_diags_create()};
    size_t length = strlen(g->text);
    assert_int_equal(lia_model_parse("test.lia", g->text, length, NULL, m.diags, &m.model), LIA_OK);
    LiaSystemOptions options = {.no_eliminate = true};
    assert_int_equal(lia_system_build(m.model, &options, m.diags, &m.system), LIA_OK);
    put_wrong_sign(m.system, term);
    LiaRunOptions run = {.tolerance = 1e-10, .samples = 2, .steps_most = 100};
    m.status = lia_motion_run(m.system, &run, m.diags, &m.t);
    bool found = m.status != LIA_OK || compare(m.t, m.model, 1e-9).most > 1e-6;
    motion_clear(&m);
    return found;
}

static void a_wrong_sign_is_noticed(void) {
    for (int term = 0; term < TERMS; term++) {
        int found = 0;
        for (uint64_t seed = 1; seed <= 60 && found < 5; seed++) {
            Generated g;
            generator_make(seed, &g);
            if (term == 0) assert_false(noticed(&g, NO_TERM));
            found += noticed(&g, term);
            generator_clear(&g);
        }
        if (found < 5)
            fail_msg("a wrong sign of %s was noticed on %d models only", terms[term], found);
    }
}

// Top coefficients are corrected only where something looks at them again: all others are as good as none.
static void corrections_left_out_change_no_bit(void) {
    for (uint64_t seed = 1; seed <= FEW; seed++) {
        Generated g;
        generator_make(seed, &g);
        double* rows[2] = {NULL, NULL};
        size_t bytes[2] = {0, 0};
        for (int all = 0; all < 2; all++) {
            Motion m = {.diags = lia_diags_create()};
            assert_int_equal(
                lia_model_parse("test.lia", g.text, strlen(g.text), NULL, m.diags, &m.model),
                LIA_OK);
            LiaSystemOptions options = {.no_eliminate = seed % 2};
            assert_int_equal(lia_system_build(m.model, &options, m.diags, &m.system), LIA_OK);
            const LiaTestHooks hooks = {.correct_all = all};
            m.system->hooks = &hooks;
            LiaRunOptions run = {.tolerance = 1e-12, .samples = SAMPLES, .steps_most = 200};
            lia_motion_run(m.system, &run, m.diags, &m.t);
            assert_non_null(m.t);
            bytes[all] = m.t->rows.count * m.t->column_count * sizeof(double);
            rows[all] = malloc(bytes[all] + 1);
            memcpy(rows[all], m.t->rows.values, bytes[all]);
            motion_clear(&m);
        }
        if (bytes[0] != bytes[1] || memcmp(rows[0], rows[1], bytes[0]) != 0)
            fail_msg("random model %d moves otherwise:\n%s", (int)seed, g.text);
        free(rows[0]);
        free(rows[1]);
        generator_clear(&g);
    }
}

int main(void) {
    const TestCase tests[] = {
        TEST(the_second_way_knows_closed_forms),
        TEST(the_second_way_keeps_its_ledger),
        TEST(rows_that_follow_from_others_stay_so_off_the_constraints),
        TEST(the_ways_find_the_same_start),
        TEST(the_ways_start_driven_systems_alike),
        TEST(the_ways_agree_on_random_models),
        TEST(motions_do_not_depend_on_the_coordinates),
        TEST(the_ways_agree_where_formulas_have_branches),
        TEST(the_ways_agree_on_every_example),
        TEST(the_ways_agree_on_every_reference),
        TEST(a_wrong_sign_is_noticed),
        TEST(corrections_left_out_change_no_bit),
    };
    return TESTS_RUN(tests);
}
