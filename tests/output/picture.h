// Pictures of motions, and the work that their arrows do: for every variation of the coordinates,
// the virtual power of the forces and couples that are drawn, where they are drawn, is that of the
// one-form. Variations of places and attitudes are differences of the formulas of the carriers: no
// derivative of the program is used.
// SPDX-License-Identifier: MIT
#pragma once
#include "../support/motion.h"
#include "output/page/scene.h"

typedef struct Picture {
    Motion motion;
    LiaScene scene;
} Picture;

// An arrow at a row: its place and its value.
typedef struct Seen {
    double at[3], is[3], size;
} Seen;

/// Of a model of tests/output/scenes, or of a text. Release with picture_clear().
Picture picture_of(const char* name);
Picture picture_of_text(const char* text);
void picture_clear(Picture* picture);
/// All that acts in the model has arrows that do its work. Returns how many arrows there are.
int picture_check_all(LiaScene* scene);
/// All arrows of a role, `wanted` in number, against the differential of a function of the state.
void picture_check_role(const char* text, const char* role, double (*energy)(const double* q),
                        int wanted);
/// The arrow number `which` of this kind ("force", "couple") and name. NULL: there is none.
const LiaSceneItem* picture_arrow(const LiaScene* scene, const char* kind, const char* name,
                                  int which);
/// Its place and value at a row. Fails the case where there is none.
Seen picture_see(const Picture* p, const char* kind, const char* name, int which, size_t row);
void picture_cross(const double* a, const double* b, double* out);
