// Friction by the length of several normal forces, T = -friction e |N| (mechanics/rough/rough.c),
// at order 0. K0 has the slope of that force by N, at the N that are known: those of the state
// before.
//
//   K0(N) (a, N') = rest   ->   N', once more with K0(N'), until N' is N
//
// These are Newton's steps, since |N| is homogeneous. Higher orders need K0(N) alone: they are
// linear in the coefficients of mu.
// SPDX-License-Identifier: MIT
#include "mechanics/kkt/rubbing.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/coefficient.h"
#include <math.h>

// The normal forces of one rough constraint are not known yet, or zero: any direction is as good.
// They are small, so that forces are not rounding of them.
static void guess(LiaWorkspace* w, const LiaRoughFormulas* of) {
    double sum = 0.0;
    for (uint32_t r = of->row; r < of->row + of->rows; r++) {
        if (w->system->rows[r].slope) sum += w->mu[r] * w->mu[r];
    }
    if (sum > 0.0 && isfinite(sum)) return;
    for (uint32_t r = of->row; r < of->row + of->rows; r++) {
        if (w->system->rows[r].slope) w->mu[r] = LIA_RUBBING_GUESS;
    }
}

void lia_rubbing_begin(LiaWorkspace* w) {
    const LiaSystem* s = w->system;
    for (uint32_t k = 0; k < s->rough_count; k++) guess(w, &s->rough[k]);
    for (uint32_t r = 0; r < s->row_count; r++) {
        if (s->rows[r].slope) series(w, w->dynamics->tape->multiplier[r])[0] = w->mu[r];
    }
}

static void none(LiaWorkspace* w, const LiaRoughFormulas* of) {
    for (uint32_t r = of->row; r < of->row + of->rows; r++) {
        if (w->system->rows[r].slope)
            series(w, w->dynamics->tape->multiplier[r])[0] = w->mu[r] = 0.0;
    }
}

// How far the normal forces that were found are from those in K0, relative to them; they are
// those of the next one.
static double take(LiaWorkspace* w) {
    const LiaSystem* s = w->system;
    double most = 0.0;
    for (uint32_t k = 0; k < s->rough_count; k++) {
        const LiaRoughFormulas* of = &s->rough[k];
        double size = 0.0, change = 0.0;
        for (uint32_t r = of->row; r < of->row + of->rows; r++) {
            if (!s->rows[r].slope) continue;
            double N = series(w, w->dynamics->tape->multiplier[r])[0];
            change = hypot(change, N - w->mu[r]);
            size = isfinite(N) ? hypot(size, N) : NAN;
            w->mu[r] = N;
        }
        if (size < LIA_RUBBING_GUESS) none(w, of), size = 0.0;  // what rounding left of a guess
        double part = size != 0.0 ? change / size : 0.0;        // no force: no friction
        if (!(part <= most)) most = part;
    }
    return most;
}

// The length of all normal forces in w->mu.
static double size_of(const LiaWorkspace* w) {
    double size = 0.0;
    for (uint32_t r = 0; r < w->system->row_count; r++) {
        if (w->system->rows[r].slope) size = hypot(size, w->mu[r]);
    }
    return size;
}

void lia_rubbing_settle(LiaWorkspace* w, void (*solve)(LiaWorkspace* w)) {
    enum { PASSES_MOST = 60 };
    double before = INFINITY, size = size_of(w), change = take(w);
    for (int pass = 0; pass < PASSES_MOST && change > LIA_RUBBING_SETTLED; pass++) {
        bool rounding = change < LIA_RUBBING_ROUNDING && !(change < before);
        before = change;
        if (rounding) return;
        lia_workspace_update(w, w->jets.order);
        if (!lia_workspace_factor(w)) break;
        solve(w);
        change = take(w);
    }
    // where they vanish, what is left of those before is rounding, and so is its direction
    if (change <= LIA_RUBBING_ROUNDING || size_of(w) <= LIA_RUBBING_VANISHES * size) return;
    for (int r = 0; r < w->nr; r++)  // no forces were found: nothing is to be made of the last ones
        series(w, w->dynamics->tape->multiplier[w->dynamics->rows[w->active[r]]])[0] = NAN;
}
