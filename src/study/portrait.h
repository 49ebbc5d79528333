// A phase portrait: motions of a system of one free degree of freedom from starts all over a box of
// the plane (q, q').
//
// The forces must not depend on t: then through each point of the plane goes one curve, and none
// cross.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/text/text.h"
#include "motion/result/trajectory.h"

typedef struct LiaBox {
    double x_low, x_high, y_low, y_high;
} LiaBox;

typedef struct LiaPortrait {
    // each begins at a point of the box; forwards and backwards (count)
    LiaTrajectory** motions;
    size_t count;
    bool cut;  // the time was over, or the user asked to stop, before all starts were looked at
} LiaPortrait;

/// Is there a portrait over this coordinate? Else the reason is added to `why`.
bool lia_portrait_possible(const LiaTrajectory* run, uint32_t coordinate, LiaText* why);
/// The coordinate that moves most with the one degree of freedom, at the start.
uint32_t lia_portrait_coordinate(const LiaTrajectory* run);
/// Make the motions, evenly spaced: a start that is near a curve that is there already, or the
/// run's own, is left out, and so is one from which there is no motion. `seconds` is how long this
/// may take, 0: as long as it takes; a motion that has begun is ended. False if memory is out.
/// Release with lia_portrait_clear().
bool lia_portrait_make(const LiaTrajectory* run, uint32_t coordinate, LiaBox box, double seconds,
                       LiaPortrait* out);
void lia_portrait_clear(LiaPortrait* portrait);
/// The columns of q and q' of a coordinate.
void lia_portrait_columns(const LiaTrajectory* run, uint32_t coordinate, size_t* q, size_t* v);
