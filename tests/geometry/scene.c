// A model with its explanation. See scene.h.
// SPDX-License-Identifier: MIT
#include "scene.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Scene scene_explain(const char* name, const char* text, const LiaExplanationAsk* ask) {
    Scene s = {.diags = lia_diags_create()};
    LiaStatus status = lia_model_parse(name, text, strlen(text), NULL, s.diags, &s.model);
    if (status == LIA_OK) status = lia_system_build(s.model, NULL, s.diags, &s.system);
    if (status == LIA_OK) status = lia_explanation_make(s.system, ask, s.diags, &s.e);
    if (status != LIA_OK) {
        char* said = lia_diags_text(s.diags);
        printf("%s: %s\n%s\n", name, lia_status_text(status), said);
        lia_free(said);
        exit(1);
    }
    return s;
}

void scene_clear(Scene* s) {
    lia_explanation_clear(&s->e);
    lia_system_destroy(s->system);
    lia_model_destroy(s->model);
    lia_diags_destroy(s->diags);
}

const LiaConstraintClass* scene_constraint(const Scene* s, const char* name) {
    for (uint32_t i = 0; i < s->e.classes.constraint_count; i++) {
        if (strcmp(s->e.classes.constraints[i].name, name) == 0)
            return &s->e.classes.constraints[i];
    }
    printf("%s: no constraint '%s'\n", s->model->text.source.name, name);
    exit(1);
}
