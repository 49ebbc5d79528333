// Stall: steps that become ever shorter may never come to the end of the run, and each of them is
// good.
//
// The run is looked at whenever the number of its steps has doubled, and the way it has gone since
// the look before, d, is compared with the one before that, r = d / d_before. Steps of equal length
// double it, r = 2. Where a wheel turns like 1/(t* - t), steps are like (t* - t)^2 and r = 1/2:
// there is a limit. Where it turns like exp(t), r = 1, and the end is so many doublings away.
// (Steps that shrink like t* - t itself, as before most singularities, are few: the last one is too
// short long before the first look.)
//
// Many steps, five looks in a row that found no gain, and the end out of reach for sixteen more,
// which would be days: then no more is to be expected. What grows a hundredfold and stops growing
// is not hit by that.
//
// And where steps stay as long as they are, but the end would take 1e12 of them, months or years:
// no more either.
// SPDX-License-Identifier: MIT
#include "motion/run/stall.h"
#include "base/numeric/thresholds.h"
#include <math.h>
#include <stdbool.h>

static const uint64_t first = 1u << 14, enough = 1u << 20;
enum { DOUBLINGS = 16 };

LiaStallVerdict lia_stall_look(LiaStall* stall, uint64_t steps, double t, double left) {
    if (stall->next == 0) stall->next = first;
    if (steps < stall->next) return LIA_STALL_NONE;
    stall->next *= 2;
    for (int k = LIA_STALL_LOOKS - 1; k > 0; k--) stall->t[k] = stall->t[k - 1];
    stall->t[0] = t;
    if (++stall->looks < LIA_STALL_LOOKS || steps < enough) return LIA_STALL_NONE;
    double r = 0.0;
    bool gains = false, even = true;
    for (int k = 0; k + 2 < LIA_STALL_LOOKS; k++) {
        double gone = fabs(stall->t[k] - stall->t[k + 1]),
               before = fabs(stall->t[k + 1] - stall->t[k + 2]);
        gains = gains || !(gone <= LIA_STALL_NO_GAIN * before);
        even = even && gone > 1.5 * before;
        r = fmax(r, gone / before);
    }
    double gone = fabs(stall->t[0] - stall->t[1]), reached = 0.0;
    if (gains && !even) return LIA_STALL_NONE;
    int doublings = gains ? (int)ceil(log2(LIA_STEPS_POSSIBLE / (double)steps)) : DOUBLINGS;
    for (int k = 0; k < doublings; k++) reached += gone *= r;
    if (!(reached < fabs(left))) return LIA_STALL_NONE;
    if (gains) return LIA_STALL_FAR;
    return r < LIA_STALL_LIMIT ? LIA_STALL_BEFORE_END : LIA_STALL_NEVER;
}
