// libFuzzer: any bytes as a model text: read or refused with an error, and never harm. What a model
// does is fuzz_model's.
// SPDX-License-Identifier: MIT
#include <liaison/liaison.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    LiaStatus status = lia_model_parse("fuzz.lia", (const char*)data, size, NULL, diags, &model);
    if ((status == LIA_OK) != (model != NULL)) abort();
    if ((status == LIA_OK) != (lia_diags_errors(diags) == 0)) abort();
    lia_free(lia_diags_text(diags));
    lia_model_destroy(model);
    lia_diags_destroy(diags);
    return 0;
}
