// Formulas that are not analytic everywhere (abs, sign, min, if, hypot at 0, ...): a step ends where one
// of their guards has a root, and the next begins on the other side, or the run stops with a verdict.
//
// At a crossing momenta are continuous (the forces are bounded), so where a driven velocity jumps the
// free ones jump too:   K0 (dv, nu) = (p_before - p_after, -psi).
// SPDX-License-Identifier: MIT
#include "roots.h"
#include "runner.h"
#include <math.h>
#include <string.h>

static bool switches(LiaGuardRule rule) {
    return rule == LIA_GUARD_ARGUMENT || rule == LIA_GUARD_DIFFERENCE || rule == LIA_GUARD_CUT;
}

// The first root of guard g within h; *sign: 1, or -1 where it is the cut at -pi.
static bool first_root(LiaRunner* run, uint32_t g, double h, double* x, signed char* sign) {
    const LiaGuard* guard = &run->w->dynamics->tape->guards[g];
    LiaStep* step = &run->step;
    double* c = step->guard + (size_t)g * (size_t)step->stride;
    LiaRootFound root;
    if (guard->rule != LIA_GUARD_CUT) {
        *sign = 1;
        if (!lia_roots(c, step->order - 1, h, run->guard_at_root[g], &root, 1)) return false;
        *x = root.x;
        return root.direction != 0 || !switches(guard->rule);  // touches, goes back
    }
    const double pi = 3.14159265358979324;
    double value = c[0];
    bool found = false;
    for (int side = 1; side >= -1; side -= 2) {
        c[0] = value - side * pi;
        bool here = run->guard_at_root[g] && fabs(c[0]) < 1.0;
        // only a passage outwards is one: just behind the cut the angle comes from the other end
        if (lia_roots(c, step->order - 1, h, here, &root, 1) && root.direction == side * (h > 0 ? 1 : -1)) {
            found = true;
            h = *x = root.x;
            *sign = (signed char)side;
        }
    }
    c[0] = value;
    return found;
}

int lia_guards_first(LiaRunner* run, double h, double* x) {
    const LiaTape* tape = run->w->dynamics->tape;
    int first = -1;
    double root;
    signed char sign;
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        const LiaGuard* guard = &tape->guards[g];
        run->guard_crossing[g] = 0;
        if (!guard->vital && !switches(guard->rule)) continue;
        if (!first_root(run, g, first < 0 ? h : *x, &root, &sign)) continue;
        first = (int)g;
        *x = root;
    }
    if (first < 0) return first;
    // Others that have their root at the same instant (max(0, x) and its derivative) go over together.
    double near = 1e-11 * fabs(*x) + 1e-14 * (1.0 + fabs(run->step.t));
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        if (!switches(tape->guards[g].rule)) continue;
        double reach = *x + run->direction * near;
        if (first_root(run, g, reach, &root, &sign) && fabs(root - *x) <= near) {
            run->guard_crossing[g] = sign;
        }
    }
    return first;
}

// The sign of a series just after its beginning, in the direction of time: 0 if it vanishes.
static int sign_after(const double* c, int degree, double direction) {
    double power = 1.0;
    for (int k = 0; k <= degree; k++) {
        double x = c[k] * power;
        if (x != 0.0) return x > 0.0 ? 1 : -1;
        power *= direction;
    }
    return 0;
}

bool lia_guards_begin(LiaRunner* run) {
    const LiaTape* tape = run->w->dynamics->tape;
    bool changed = false;
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        const LiaGuard* guard = &tape->guards[g];
        const double* c = run->step.guard + (size_t)g * (size_t)run->step.stride;
        if (!switches(guard->rule) || guard->rule == LIA_GUARD_CUT || c[0] != 0.0) continue;
        run->guard_at_root[g] = true;
        int side = sign_after(c, run->step.order - 1, run->direction);
        if (side && side != run->w->jets.side[g]) {
            run->w->jets.side[g] = (signed char)side;
            changed = true;
        }
    }
    return changed;
}

bool lia_guards_cross(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    const LiaTape* tape = w->dynamics->tape;
    // momenta on this side
    lia_mechanics_load(w, 1);
    lia_mechanics_residuals(w);
    for (int i = 0; i < w->n; i++) w->p[i] = lia_jet_series(&w->jets, w->dynamics->p[i])[0];
    double size = 1.0;
    for (int i = 0; i < w->n; i++) size = fmax(size, fabs(w->p[i]));
    // the other side
    for (uint32_t k = 0; k < tape->guard_count; k++) {
        const LiaGuard* guard = &tape->guards[k];
        if (!run->guard_crossing[k]) continue;
        if (guard->rule == LIA_GUARD_CUT) {
            w->jets.side[k] = (signed char)-run->guard_crossing[k];
        } else {
            w->jets.side[k] = (signed char)-w->jets.side[k];
        }
        run->guard_at_root[k] = true;
    }
    lia_mechanics_load(w, 1);
    lia_mechanics_residuals(w);
    double jump = 0.0;
    for (int k = 0; k < w->nf; k++) {
        uint32_t i = w->dynamics->free[k];
        w->b[k] = w->p[i] - lia_jet_series(&w->jets, w->dynamics->p[i])[0];
        jump = fmax(jump, fabs(w->b[k]));
    }
    if (jump <= 1e-13 * size) return true;
    double* b = w->b;  // factor() leaves it alone
    if (!lia_mechanics_factor(w)) return false;
    for (int r = 0; r < w->nr; r++) b[w->nf + r] = -w->psi[w->active[r]];
    lia_lu_solve(&w->lu, b);
    for (int k = 0; k < w->nf; k++) w->v[w->dynamics->free[k]] += b[k];
    return true;
}

bool lia_guards_moves_on(const LiaRunner* run, int g) {
    const LiaGuard* guard = &run->w->dynamics->tape->guards[g];
    if (guard->rule == LIA_GUARD_CUT) return true;
    const double* c = run->step.guard + (size_t)g * (size_t)run->step.stride;
    double rate = c[1] * run->direction;
    double size = 0.0;
    for (int k = 1; k < run->step.order; k++) size = fmax(size, fabs(c[k]));
    if (fabs(rate) <= 1e-12 * size) return true;  // touches: the root search will tell
    return (rate > 0.0) == (run->step.side[g] > 0);
}
