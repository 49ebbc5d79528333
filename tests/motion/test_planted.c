// Wrong steps on purpose. Each must be found: the motion comes out right all the same (a shorter
// step was good enough), or the run ends with a reason, or it warns.
//
// By law: motion/check/defect.c: a coefficient that is changed in a step is found at its end
// By law: motion/check/energy_balance.c: a work that is changed in a step is found by the energy
// By law: motion/check/inner_residual.c: a position that is changed alone is found inside the step
// By law: motion/run/step_end.c: a step that was made longer is taken back and made shorter
// By law: motion/run/step_state.c: what a wrong step has done is undone
// By law: motion/run/step.c: a step is accepted only where all of its checks hold
// SPDX-License-Identifier: MIT
#include "mechanics/test_hooks.h"
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include "support/motion.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char* const models[] = {
    "model free\ncoordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential x^4/4 + x*y + y^2\n"
    "start x = 1, x' = 0.3, y = 0.2\nrun t = 0..6\n",
    "model bump\ncoordinate x, y : line\nkinetic (x'^2 + y'^2)/2\n"
    "potential 3*exp(-((x-2)/0.3)^2) + y^2/2\nstart x' = 1, y = 1\nrun t = 0..6\n",
    "model pendulum\ncoordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\n"
    "constraint rod: x^2 + y^2 = 1\nstart x = 1, y = 0\nrun t = 0..4\n",
    "model skate\ncoordinate x, y : line\ncoordinate a, s : circle\n"
    "kinetic (x'^2 + y'^2)/2 + a'^2/2 + (a' + s')^2/3\n"
    "constraint blade: x'*sin(a) - y'*cos(a) = 0\noperator twist: s = 0.8*sin(2*t)\n"
    "start x' = 1.5, a' = 0.2\nrun t = 0..6\n",
    "model driven\ncoordinate s, x : line\nkinetic s'^2/2 + x'^2/2\npotential 4*(x - s)^2/2\n"
    "dissipation 0.1*x'^2\noperator hand: s = (1 + tanh((t-2)/0.2))/2\nrun t = 0..6\n",
};
enum { MODELS = sizeof models / sizeof *models, NUMBERS = 8 };

typedef struct Ending {
    int status;
    bool warned;
    uint64_t steps;
    size_t count;
    double x[NUMBERS];
} Ending;

static Ending end_of(const char* text, LiaPlant plant) {
    Motion m = {.diags = lia_diags_create()};
    Ending e = {0};
    assert_int_equal(lia_model_parse("m.lia", text, strlen(text), NULL, m.diags, &m.model), LIA_OK);
    assert_int_equal(lia_system_build(m.model, &(LiaSystemOptions){0}, m.diags, &m.system), LIA_OK);
    const LiaTestHooks hooks = {.plant = plant};
    m.system->hooks = &hooks;
    LiaRunOptions options = {.samples = 2, .steps_most = 3000};
    m.status = lia_motion_run(m.system, &options, m.diags, &m.t);
    char* said = lia_diags_text(m.diags);
    assert_non_null(m.t);
    e.status = m.status;
    e.warned = strstr(said, "warning") != NULL;
    e.steps = m.t->effort.steps;
    for (uint32_t i = 0; i < m.system->n; i++) {
        char rate[32];
        const char* name = m.model->coordinates[i].name;
        snprintf(rate, sizeof rate, "%s'", name);
        e.x[e.count++] = motion_final(&m, name);
        e.x[e.count++] = motion_final(&m, rate);
    }
    lia_free(said);
    motion_clear(&m);
    return e;
}

static double apart(const Ending* a, const Ending* b) {
    double most = 0.0;
    for (size_t i = 0; i < a->count; i++)
        most = fmax(most, fabs(a->x[i] - b->x[i]) / (1.0 + fabs(a->x[i])));
    return most;
}

// What is wrong by more than this must not be silent: the tests of a step allow 1e-8 of the sizes,
// and the motion makes of that a hundred times as much.
static const double much = 1e-6;

static void every_wrong_step_is_found(void) {
    int planted = 0, silent = 0, bit = 0;
    static const double parts[] = {1e-3, -0.5, 3.0, 1e3};
    for (int m = 0; m < MODELS; m++) {
        Ending right = end_of(models[m], (LiaPlant){0});
        assert_int_equal(right.status, LIA_OK);
        for (int trial = 0; trial < 120; trial++) {
            LiaPlant plant = {.kind = (LiaPlantKind)(1 + trial % LIA_PLANT_LONG),
                              .step = (uint64_t)(trial * 7) % right.steps,
                              .coordinate = (uint32_t)(trial / 5) % (uint32_t)(right.count / 2),
                              .order = 1 + (trial * 3) % 14,
                              .part = parts[(trial / 4) % 4]};
            if (plant.kind == LIA_PLANT_LONG) plant.part = 1.5 + trial % 9;
            Ending wrong = end_of(models[m], plant);
            planted++;
            bit += wrong.steps != right.steps || wrong.status != LIA_OK;
            if (wrong.status == LIA_OK && !wrong.warned && apart(&right, &wrong) > much) {
                printf("model %d: kind %d at step %d, coordinate %u, order %d, part %g: off %.1e\n",
                       m, plant.kind, (int)plant.step, plant.coordinate, plant.order, plant.part,
                       apart(&right, &wrong));
                silent++;
            }
        }
    }
    printf("%d planted, %d changed the run\n", planted, bit);
    assert_true(bit > planted / 4);  // most do something
    assert_int_equal(silent, 0);
}

int main(void) {
    const TestCase tests[] = {TEST(every_wrong_step_is_found)};
    return TESTS_RUN(tests);
}
