// libFuzzer: any bytes as a model: read, derived, and where it is small, run for a few steps, under
// a budget.
// SPDX-License-Identifier: MIT
#include "lang/model.h"
#include <liaison/liaison.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    lia_budget_set(&(LiaBudget){.seconds = 0.5, .bytes = 1000000000});
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    LiaSystem* system = NULL;
    LiaTrajectory* motion = NULL;
    if (lia_model_parse("fuzz.lia", (const char*)data, size, NULL, diags, &model) == LIA_OK &&
        model->graph->count < 2000 && model->coordinates_count < 12 &&
        lia_system_build(model, NULL, diags, &system) == LIA_OK) {
        LiaRunOptions options = {.steps_most = 20, .samples = 3};
        lia_motion_run(system, &options, diags, &motion);
        if (motion) lia_free(lia_output_json(motion));
    }
    lia_free(lia_diags_text(diags));
    lia_trajectory_destroy(motion);
    lia_system_destroy(system);
    lia_model_destroy(model);
    lia_diags_destroy(diags);
    return 0;
}
