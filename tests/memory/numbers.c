// A program that asks the library for numbers, for tests/memory/numbers.sh: what it prints, or
// "memory is out" and exit 1.
// SPDX-License-Identifier: MIT
#include <liaison/liaison.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char* const texts[] = {
    // regular, with an operator
    "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential y\nconstraint c: x^2 + y^2 = 1\n"
    "operator o: x = sin(t)/2\nstart y = 1\nrun t = 0..0.3, samples 3\n",
    // equations that depend on each other
    "coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\npotential y\nconstraint a: y = 0\n"
    "constraint b: y = 0\nrun t = 0..0.3, samples 3\n",
    // through a spring
    "coordinate x1, x2 : line\nkinetic 1/2*x1'^2 + x2'^2\npotential 25*(x2 - x1)^2\n"
    "operator follow: x2 = sin(t) by d(x1)\nrun t = 0..0.3, samples 3\n",
};

static int out_of_memory(void) {
    fprintf(stderr, "memory is out\n");
    return 1;
}

// K0 is singular, and accelerations are open.
static LiaStatus open_state(LiaDiags* diags) {
    static const char text[] = "coordinate x, y : line\nkinetic (x' - y')^2/2\nrun t = 0..1\n";
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    LiaEvaluator* at = NULL;
    const double q[] = {1.0, 2.0}, v[] = {0.0, 0.0};
    LiaStatus status = lia_model_parse("open", text, strlen(text), NULL, diags, &model);
    if (status == LIA_OK) status = lia_system_build(model, NULL, diags, &system);
    if (status == LIA_OK) status = lia_evaluator_create(system, &at);
    if (status == LIA_OK) status = lia_evaluator_set(at, 0.0, q, v);
    if (status == LIA_FAILED) {
        printf("solution %d\n", (int)lia_evaluator_solution(at));
        status = LIA_OK;
    }
    lia_evaluator_destroy(at);
    lia_system_destroy(system);
    lia_model_destroy(model);
    return status;
}

static LiaStatus numbers_of(const char* text, LiaDiags* diags) {
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    LiaTrajectory* motion = NULL;
    LiaEvaluator* at = NULL;
    LiaState *state = NULL, *made = NULL;
    double q[2], v[2], mu[2] = {0};
    LiaRunOptions options = {.keep_steps = true};
    LiaStatus status = lia_model_parse("test", text, strlen(text), NULL, diags, &model);
    if (status == LIA_OK) status = lia_system_build(model, NULL, diags, &system);
    if (status == LIA_OK) status = lia_motion_run(system, &options, diags, &motion);
    if (status == LIA_OK) status = lia_evaluator_create(system, &at);
    if (status == LIA_OK) status = lia_trajectory_evaluate(motion, 0.2, at);
    if (status == LIA_OK) status = lia_trajectory_at(motion, 0.2, q, v, NULL);
    if (status == LIA_OK) status = lia_state_create(model, 0.2, q, v, &made);
    if (status == LIA_OK) status = lia_state_evaluate(made, at);
    if (status == LIA_OK) {
        status = lia_evaluator_get(at, LIA_EVAL_MULTIPLIERS, mu, lia_system_rows(system));
        state = lia_state_of(motion);
        if (!state) status = LIA_MEMORY;
    }
    if (status == LIA_OK) {
        printf("%.9g %.9g %.9g %.9g\n", q[0], v[0], mu[0], lia_state_position(state, 0));
    }
    lia_state_destroy(state);
    lia_state_destroy(made);
    lia_evaluator_destroy(at);
    lia_trajectory_destroy(motion);
    lia_system_destroy(system);
    lia_model_destroy(model);
    return status;
}

int main(void) {
    LiaDiags* diags = lia_diags_create();
    LiaInterrupt* interrupt = lia_interrupt_create();
    LiaStatus status = diags && interrupt ? LIA_OK : LIA_MEMORY;
    for (size_t k = 0; status == LIA_OK && k < sizeof texts / sizeof *texts; k++) {
        status = numbers_of(texts[k], diags);
    }
    if (status == LIA_OK) status = open_state(diags);
    lia_interrupt_destroy(interrupt);
    lia_diags_destroy(diags);
    if (status == LIA_MEMORY) return out_of_memory();
    if (status != LIA_OK) fprintf(stderr, "status %d\n", (int)status);
    return status == LIA_OK ? 0 : 2;
}
