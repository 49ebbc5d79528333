// Formulas that are not analytic everywhere (abs, sign, min, if, hypot at 0, ...): a step ends where one
// of their guards has a root, and the next begins on the other side, or the run stops with a verdict.
//
// At a crossing momenta are continuous but for impulses of constraints and operators, so where a driven
// velocity jumps the free ones jump too:   K0 (dv, nu) = (p_before - p_after, -psi).
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
        LiaRootFound roots[32];
        int count = lia_roots(c, step->order - 1, h, run->guard_at_root[g], roots, 32);
        for (int k = 0; k < count; k++) {
            if (roots[k].direction == 0 && switches(guard->rule)) continue;  // touches, goes back
            *x = roots[k].x;
            return true;
        }
        return false;
    }
    const double pi = 3.14159265358979324;
    double value = c[0];
    bool found = false;
    for (int side = 1; side >= -1; side -= 2) {
        c[0] = value - side * pi;
        bool here = run->guard_at_root[g] && fabs(c[0]) < 1.0;
        // only a passage outwards is one: just behind the cut the angle comes from the other end
        if (lia_roots(c, step->order - 1, h, here, &root, 1) &&
            root.direction == side * (h > 0 ? 1 : -1)) {
            found = true;
            h = *x = root.x;
            *sign = (signed char)side;
        }
    }
    c[0] = value;
    return found;
}

static bool watched(const LiaRunner* run, uint32_t g) {
    const LiaGuard* guard = &run->w->dynamics->tape->guards[g];
    // Sides are kept everywhere, so that they are right when a branch is taken again.
    return switches(guard->rule) || (guard->vital && run->guard_live[g]);
}

int lia_guards_first(LiaRunner* run, double h, double* x) {
    const LiaTape* tape = run->w->dynamics->tape;
    int first = -1;
    double root;
    signed char sign;
    lia_jet_live(&run->w->jets, run->guard_live);
    // A formula like x^1.5 for x > 0 is not analytic at the corner itself: steps shrink towards it without
    // ever reaching it. Where the root is all but reached, the step goes there.
    double close = 1e-10 * run->longest;
    double span = fmax(fabs(h), close);
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        run->guard_crossing[g] = 0;
        if (!watched(run, g)) continue;
        double reach = run->direction * (first >= 0                       ? fabs(*x)
                                         : switches(tape->guards[g].rule) ? span
                                                                          : fabs(h));
        if (!first_root(run, g, reach, &root, &sign)) continue;
        first = (int)g;
        *x = root;
    }
    if (first < 0) return first;
    // Others that have their root at the same instant (max(0, x) and its derivative) go over together; where
    // one of them switches, that decides whether a singular one still matters.
    double near = 1e-11 * fabs(*x) + 1e-14 * lia_time_size(run, run->step.t);
    double reach = *x + run->direction * near;
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        if (!switches(tape->guards[g].rule)) continue;
        if (first_root(run, g, reach, &root, &sign) && fabs(root - *x) <= near) {
            run->guard_crossing[g] = sign;
            if (!switches(tape->guards[first].rule)) first = (int)g;
        }
    }
    return first;
}

// The step at which the last terms of a polynomial are still small (1e-11 of its size): beyond that its roots
// mean nothing.
static double trusted(const double* c, int degree, double h) {
    double size = fmax(fabs(c[0]), fmax(fabs(c[1] * h), fabs(c[2] * h * h)));
    if (!(size > 0.0)) return INFINITY;
    for (int k = degree - 1; k <= degree; k++) {
        if (c[k] != 0.0) h = fmin(h, pow(1e-11 * size / fabs(c[k]), 1.0 / k));
    }
    return h;
}

double lia_guards_reach(const LiaRunner* run, double h) {
    const LiaStep* step = &run->step;
    const LiaTape* tape = run->w->dynamics->tape;
    double reach = fabs(h);
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        if (!watched(run, g)) continue;
        reach = fmin(
            reach, trusted(step->guard + (size_t)g * (size_t)step->stride, step->order - 1, reach));
    }
    for (uint32_t e = 0; e < run->model->events_count; e++) {
        reach = fmin(
            reach, trusted(step->event + (size_t)e * (size_t)step->stride, step->order - 1, reach));
    }
    return run->direction * reach;
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

// guard_crossing of one that has no root at the corner
static const signed char taken_along = 2;

// To the other side of all that cross, and back.
static void flip(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    const LiaTape* tape = w->dynamics->tape;
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        if (!run->guard_crossing[g]) continue;
        signed char from =
            tape->guards[g].rule == LIA_GUARD_CUT ? run->guard_crossing[g] : w->jets.side[g];
        w->jets.side[g] = (signed char)(w->jets.side[g] == -from ? from : -from);
        run->guard_at_root[g] = run->guard_crossing[g] != taken_along;
    }
}

// A value that leaps may take others along: abs(wrap(t)) goes to its other side where wrap comes back by a turn.
// They cross as well. The state in w, load() and residuals() done behind the corner.
static void flip_along(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    const LiaTape* tape = w->dynamics->tape;
    bool again = true;
    for (uint32_t pass = 0; again && pass < tape->guard_count; pass++) {
        again = false;
        for (uint32_t g = 0; g < tape->guard_count; g++) {
            LiaGuardRule rule = tape->guards[g].rule;
            if (run->guard_crossing[g] || !switches(rule) || rule == LIA_GUARD_CUT) continue;
            double before = run->step.guard[(size_t)g * (size_t)run->step.stride];
            double x = lia_jet_series(&w->jets, tape->guards[g].reg)[0];
            bool other_side = x * w->jets.side[g] < 0.0 && fabs(x) > 1e-9 * fabs(before);
            if (!other_side) continue;
            run->guard_crossing[g] = taken_along;
            w->jets.side[g] = (signed char)-w->jets.side[g];
            again = true;
        }
        if (again) {
            lia_mechanics_load(w, 1);
            lia_mechanics_residuals(w);
        }
    }
}

// Powers of constraints and operators at the state in w with the impulses in the place of forces: half of
// it from before and half from after the jump is the work done by them (exact for a quadratic Lagrangian).
static void impulse_work(LiaRunner* run, const double* impulses, const double* lambda,
                         double* work) {
    LiaWorkspace* w = run->w;
    const LiaDynamics* d = w->dynamics;
    lia_mechanics_load(w, 1);
    lia_mechanics_residuals(w);
    lia_mechanics_stage0(w);
    for (int r = 0; r < w->nr; r++) {
        lia_jet_series(&w->jets, d->tape->multiplier[d->rows[w->active[r]]])[0] = impulses[r];
    }
    for (uint32_t k = 0; k < d->drive_count; k++) {
        lia_jet_series(&w->jets, d->tape->multiplier[d->drive_row[k]])[0] = lambda[k];
    }
    lia_jet_reaction(&w->jets, 0);
    lia_jet_post(&w->jets, 0, 0);
    for (uint32_t l = 0; l < run->model->constraints_count; l++) {
        double half = 0.5 * lia_jet_series(&w->jets, d->power[l])[0];
        w->work[l] += half;
        work[l] += half;
    }
}

// Impulse of each eliminated operator: the change of its momentum less what the rows of K0 gave to it.
static void drive_impulses(LiaRunner* run, const double* impulses, const double* p_after,
                           double* lambda) {
    LiaWorkspace* w = run->w;
    const LiaDynamics* d = w->dynamics;
    for (int pass = 0; pass < 2;
         pass++) {  // G with the impulses, then without: their part in its row
        lia_mechanics_stage0(w);
        for (int r = 0; r < w->nr && pass == 0; r++) {
            lia_jet_series(&w->jets, d->tape->multiplier[d->rows[w->active[r]]])[0] = impulses[r];
        }
        lia_jet_reaction(&w->jets, 0);
        for (uint32_t k = 0; k < d->drive_count; k++) {
            uint32_t i = d->drives[k].coordinate;
            double G = lia_jet_coefficient(&w->jets, d->G_register[i], 0);
            lambda[k] = pass == 0 ? p_after[i] - run->p_before[i] - G : lambda[k] + G;
        }
    }
}

// The energy of the state in w, residuals() done.
static double energy_at(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    lia_mechanics_stage0(w);
    lia_jet_post(&w->jets, 0, 0);
    lia_jet_sample(&w->jets);
    return lia_jet_series(&w->jets, lia_tape_register(w->dynamics->tape, run->system->energy))[0];
}

// Velocities go on, and yet the energy may leap: with time it is fed in (the line `time`), in space it is a wall
// that no force describes.
static bool energy_goes_on(LiaRunner* run, double leap) {
    LiaWorkspace* w = run->w;
    const LiaSystem* s = run->system;
    const LiaTape* tape = w->dynamics->tape;
    if (!(fabs(leap) > 1e-9 * (run->scales.energy + fabs(leap)))) return true;
    bool by_time = true;
    LiaExpr culprit = {0};
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        if (!run->guard_crossing[g]) continue;
        culprit = tape->guards[g].node;
        unsigned depends = lia_graph_node(s->graph, culprit)->depends;
        if (depends & (LIA_DEPENDS(POSITION) | LIA_DEPENDS(VELOCITY))) by_time = false;
    }
    for (uint32_t l = 0; by_time && l < s->line_count; l++) {
        if (s->lines[l].kind != LIA_LINE_TIME) continue;
        w->work[l] += leap;
        return true;
    }
    lia_verdict_wall(run, culprit, leap);
    return false;
}

static bool cut_crossed(const LiaRunner* run) {
    const LiaTape* tape = run->w->dynamics->tape;
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        if (run->guard_crossing[g] && tape->guards[g].rule == LIA_GUARD_CUT) return true;
    }
    return false;
}

// The motion ends here, in the state it had on this side.
static void go_back(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    flip(run);
    memcpy(w->q, run->q_jump, (size_t)w->n * sizeof(double));
    memcpy(w->v, run->v_jump, (size_t)w->n * sizeof(double));
    lia_mechanics_load(w, 1);
    lia_mechanics_residuals(w);
    if (lia_mechanics_factor(w)) lia_mechanics_accelerate(w);
}

static bool refuse_leap(LiaRunner* run, uint32_t row, double leap) {
    go_back(run);
    lia_verdict_leap(run, row, leap);
    return false;
}

bool lia_guards_cross(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    const LiaDynamics* d = w->dynamics;
    lia_mechanics_load(w, 1);
    lia_mechanics_residuals(w);
    double energy = energy_at(run), size = 0.0, speed = 0.0, reach = 1.0;
    for (int i = 0; i < w->n; i++) {
        run->p_before[i] = lia_jet_coefficient(&w->jets, d->p[i], 0);
        run->q_jump[i] = w->q[i];
        run->v_jump[i] = w->v[i];
        size = fmax(size, fabs(run->p_before[i]));
        speed = fmax(speed, fabs(w->v[i]));
        reach = fmax(reach, fabs(w->q[i]));
    }
    flip(run);
    lia_mechanics_load(w, 1);
    lia_mechanics_residuals(w);
    flip_along(run);
    // A velocity may jump, a position may not.
    for (uint32_t k = 0; k < d->drive_count; k++) {
        uint32_t i = d->drives[k].coordinate;
        double own = fmin(reach, run->scales.q[lia_step_kind(w, i)]);  // nanometres leap too
        if (fabs(w->q[i] - run->q_jump[i]) > fmax(1e-9 * own, 1e-15 * reach)) {
            return refuse_leap(run, d->drive_row[k], w->q[i] - run->q_jump[i]);
        }
    }
    double jump = 0.0, psi = 0.0;
    for (int c = 0; c < w->nc; c++) {
        if (fabs(w->phi[c]) > 1e-9 * reach && run->system->rows[d->rows[c]].levelled &&
            cut_crossed(run)) {
            w->level0[c] += w->phi[c];  // an angle came back by a turn: so does the level
            run->sampler->level0[c] = w->level0[c];
            w->phi[c] = 0.0;
        }
        if (fabs(w->phi[c]) > 1e-9 * reach) {
            return refuse_leap(run, d->rows[c], -w->phi[c]);
        }
        psi = fmax(psi, fabs(w->psi[c]));
    }
    for (int k = 0; k < w->nf; k++) {
        uint32_t i = d->free[k];
        w->b[k] = run->p_before[i] - lia_jet_coefficient(&w->jets, d->p[i], 0);
        jump = fmax(jump, fabs(w->b[k]));
    }
    for (uint32_t k = 0; k < d->drive_count; k++) {
        uint32_t i = d->drives[k].coordinate;
        if (fabs(w->v[i] - run->v_jump[i]) > 1e-11 * (1.0 + speed)) jump = INFINITY;
    }
    if (w->hidden) return true;
    if (jump <= 1e-12 * (1.0 + size) && psi <= 1e-11 * (1.0 + speed)) {
        bool goes_on = energy_goes_on(run, energy_at(run) - energy);
        if (!goes_on) go_back(run);
        return goes_on;
    }
    if (!lia_mechanics_factor(w)) return false;  // it leaves w->b alone
    for (int r = 0; r < w->nr; r++) w->b[w->nf + r] = -w->psi[w->active[r]];
    lia_mechanics_solve(w, w->b);
    for (int k = 0; k < w->nf; k++) w->v[d->free[k]] += w->b[k];
    // The ledger: impulses nu = w->b[nf ...] of the rows, and of the eliminated operators.
    double* impulses = w->b + w->nf;
    double* lambda = run->lambda;
    lia_mechanics_load(w, 1);
    lia_mechanics_residuals(w);
    double* p_after = run->q_jump;  // not needed any more
    for (int i = 0; i < w->n; i++) p_after[i] = lia_jet_coefficient(&w->jets, d->p[i], 0);
    drive_impulses(run, impulses, p_after, lambda);
    double* work = LIA_ARENA_NEW(run->out->arena, double, run->model->constraints_count + 1);
    if (!work) return false;
    const double* after = lia_record_state(run, w);
    impulse_work(run, impulses, lambda, work);
    // and from before the jump
    flip(run);
    for (int i = 0; i < w->n; i++) {
        double v = w->v[i];
        w->v[i] = run->v_jump[i];
        run->v_jump[i] = v;
    }
    const double* before = lia_record_state(run, w);
    impulse_work(run, impulses, lambda, work);
    flip(run);
    memcpy(w->v, run->v_jump, (size_t)w->n * sizeof(double));
    return lia_jumps_record(run, before, after, impulses, lambda, work);
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
