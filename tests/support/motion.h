// Running a model text in a test.
// SPDX-License-Identifier: MIT
#pragma once
#include <liaison/liaison.h>

typedef struct Motion {
    LiaDiags* diags;
    LiaModel* model;
    LiaSystem* system;
    LiaTrajectory* t;  // NULL: it did not run
    LiaStatus status;
} Motion;

typedef struct MotionOptions {
    int no_eliminate;
    int quiet;  // do not print diagnostics of a model that does not run
    const LiaDefine* defines;
    size_t define_count;
    LiaRunOptions run;
} MotionOptions;

/// Parse, build, run. Release with motion_clear().
Motion motion_of(const char* text, const MotionOptions* options);
/// The same from a file of the source tree, such as "examples/chain/chain.lia".
Motion motion_of_file(const char* path, const MotionOptions* options);
void motion_clear(Motion* motion);
/// The final value of a name; NAN if there is none.
double motion_final(const Motion* motion, const char* name);
/// Value of a named column in a row of the table.
double motion_value(const Motion* motion, size_t row, const char* name);
