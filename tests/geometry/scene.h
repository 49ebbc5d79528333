// A model with its explanation, as the tests of geometry look at it.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/explanation.h"

typedef struct Scene {
    LiaDiags* diags;
    LiaModel* model;
    LiaSystem* system;
    LiaExplanation e;
} Scene;

/// Read, built and explained; the program ends with what was said where that fails.
Scene scene_explain(const char* name, const char* text, const LiaExplanationAsk* ask);
void scene_clear(Scene* s);
/// The verdict about a constraint; the program ends where there is none of this name.
const LiaConstraintClass* scene_constraint(const Scene* s, const char* name);
