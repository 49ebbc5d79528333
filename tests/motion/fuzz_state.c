// A state from any bytes: read, or refused with an error, and never harm.
// SPDX-License-Identifier: MIT
#include <liaison/liaison.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const char text[] = "model m\n"
                               "coordinate x, y, q[i = 1..3] : line\n"
                               "kinetic x'^2 + y'^2 + sum(i = 1..3, q[i]'^2)\n"
                               "constraint c: x^2 + y^2 = 1\n"
                               "start x = 1\n"
                               "run t = 0..1, samples 3\n";
    static LiaModel* model;
    static LiaSystem* system;
    if (!system) {
        LiaDiags* diags = lia_diags_create();
        if (lia_model_parse("m.lia", text, strlen(text), NULL, diags, &model) != LIA_OK ||
            lia_system_build(model, NULL, diags, &system) != LIA_OK) {
            abort();
        }
        lia_diags_destroy(diags);
    }
    LiaDiags *diags = lia_diags_create(), *run_diags = lia_diags_create();
    LiaState* state = NULL;
    LiaStatus status = lia_state_parse("s.json", (const char*)data, size, model, diags, &state);
    if ((status == LIA_OK) != (lia_diags_errors(diags) == 0)) abort();
    if (status == LIA_OK) {
        const double until = 1.0;
        LiaTrajectory* motion = NULL;
        LiaRunOptions options = {.from = state, .until = &until, .samples = 3, .steps_most = 20};
        lia_motion_run(system, &options, run_diags, &motion);
        lia_trajectory_destroy(motion);
    }
    char* told = lia_diags_text(diags);
    lia_free(told);
    lia_state_destroy(state);
    lia_diags_destroy(diags);
    lia_diags_destroy(run_diags);
    return 0;
}
