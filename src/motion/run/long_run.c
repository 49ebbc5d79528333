// Long runs: the error of a step has the same sign in every revolution, so that errors add up and
// the energy drifts.
//
// What is left out of a series is c h^(p+1), and c comes back with the motion. N steps of equal
// tolerance e drift by N e. Here each doubling of the number of steps takes a quarter of the
// tolerance,
//   e(N) = e (N0/N)^2,   sum e(N) <= 2 N0 e,
// so that the drift has a bound however long the run, and short runs have steps as long as ever. It
// ends where rounding is larger, or where steps would become too short: h is like e^(1/p).
// SPDX-License-Identifier: MIT
#include "motion/run/long_run.h"
#include "base/numeric/thresholds.h"
#include "motion/runner.h"
#include <math.h>

static const uint64_t begin = 1u << 10;  // N0

void lia_long_run(LiaRunner* run) {
    uint64_t steps = run->out->effort.steps;
    if (steps < begin || (steps & (steps - 1)) != 0) return;
    double whole = lia_step_size_tolerance(run->model, run->tolerance);
    double part = (double)(begin / 2) / (double)steps;
    double most =
        fmax(LIA_LONG_RUN_LEAST, whole * pow(LIA_LONG_RUN_SHORTER, run->out->effort.order));
    run->step_tolerance = fmin(whole, fmax(whole * part * part, most));
}
