// A model text, its system, and a workspace. See built.h.
// SPDX-License-Identifier: MIT
#include "support/built.h"
#include "mechanics/kkt/stage.h"
#include "support/cases.h"
#include <string.h>

Built built_of(const char* text, int order, const struct LiaTestHooks* hooks) {
    Built b = {.diags = lia_diags_create()};
    LiaStatus status = lia_model_parse("test.lia", text, strlen(text), NULL, b.diags, &b.model);
    if (status == LIA_OK) status = lia_system_build(b.model, NULL, b.diags, &b.system);
    if (status != LIA_OK) fail_msg("%s", built_said(b.diags));
    if (order == 0) return b;
    b.system->hooks = hooks;
    b.w = lia_workspace_create(b.system, b.system->full, order);
    b.system->hooks = NULL;
    assert_non_null(b.w);
    for (int i = 0; i < b.w->n; i++) {
        b.w->q[i] = 0.3 + 0.2 * i;
        b.w->v[i] = 0.7 - 0.3 * i;
    }
    return b;
}

void built_clear(Built* b) {
    lia_workspace_destroy(b->w);
    lia_system_destroy(b->system);
    lia_model_destroy(b->model);
    lia_diags_destroy(b->diags);
    *b = (Built){0};
}

void built_accelerate(LiaWorkspace* w, int order) {
    lia_workspace_load(w, order);
    lia_workspace_residuals(w);
    assert_true(lia_workspace_factor(w));
    lia_stage_accelerate(w);
}

void built_dense(const LiaWorkspace* w, LiaEntries (*row)(const LiaWorkspace*, int), int rows,
                 double* out) {
    memset(out, 0, (size_t)rows * (size_t)w->nf * sizeof *out);
    for (int c = 0; c < rows; c++) {
        LiaEntries e = row(w, c);
        for (int k = 0; k < e.count; k++) out[c * w->nf + lia_entry_column(&e, k)] = e.value[k];
    }
}

char* built_said(const LiaDiags* diags) { return lia_diags_text(diags); }
