// LiaComparison: two motions side by side, and where they part. The border between study and
// output.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/result/trajectory.h"

struct LiaComparison {
    LiaTrajectory* motion[2];  // owned
    LiaArena* arena;
    // what tells them apart: the models' names, their files, the changed rules
    const char* label[2];
    double t0, t;                // where both begin; how far both got
    LiaDifference* differences;  // of all that has the same name in both, in the order of the first
    LiaColumnKind* kinds;        // of each difference
    const LiaColumn** columns;   // of each difference, in the first motion
    size_t count;
    size_t first;    // which part of the state is the first to differ; `count`: none
    size_t largest;  // which part differs most of its scale; `count`: there is no state in common
    double* times;   // common samples                                               (samples)
    double* apart;   // largest difference of the state there, in parts of the scale (samples)
    size_t samples;
    const char** alone[2];  // names of the states and constraints that only one of them has
    size_t alone_count[2];
};

/// Compare motion[0] with motion[1], which are there; all but the labels. False if memory is out.
bool lia_compare_fill(LiaComparison* comparison);
/// Is a difference of one of these kinds?
bool lia_compare_is_of(const LiaComparison* c, size_t i, LiaColumnKind kind, LiaColumnKind or_kind);
/// The ledger line of that name in a motion, NULL where it has none; its work, NAN of NULL.
const LiaLedgerLine* lia_compare_line(const LiaTrajectory* motion, const char* name);
double lia_compare_work(const LiaLedgerLine* line);
