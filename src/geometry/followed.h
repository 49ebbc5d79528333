// The motion from a state, over a short time: what is said to be constant is looked at along it.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/system.h"
#include <liaison/trajectory.h>

typedef struct LiaFollowed {
    LiaTrajectory* motion;  // with its steps; NULL: there is none
    double t0, t1;          // from here to here; where it ended early, to there
} LiaFollowed;

/// From (t, q, v), n numbers each, over `length`. Where the motion cannot begin, `motion` is NULL.
/// False if memory is out. Release with lia_followed_clear() in any case.
bool lia_followed_make(const LiaSystem* system, double t, const double* q, const double* v,
                       double length, LiaFollowed* out);
/// The state at a time of it; v may be NULL. False outside.
bool lia_followed_at(const LiaFollowed* followed, double t, double* q, double* v);
void lia_followed_clear(LiaFollowed* followed);
