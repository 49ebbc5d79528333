// A corner: the end of a step where a formula changes its side. Positions go on, momenta go on but
// for impulses, and the energy goes on but for what these impulses and the passing of time feed in.
// Where that cannot be, the run ends in the state it had on this side, with a verdict.
// SPDX-License-Identifier: MIT
#include "motion/events/corner.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/stage.h"
#include "motion/contact/contact_run.h"
#include "motion/events/guards.h"
#include "motion/events/jumps.h"
#include "motion/result/record.h"
#include "motion/run/control.h"
#include "motion/runner.h"
#include "motion/verdict/verdict.h"
#include <math.h>
#include <string.h>

// The energy of the state in w, residuals() done.
double lia_corner_energy(const LiaRunner* run, LiaWorkspace* w) {
    lia_workspace_stage0(w);
    lia_jet_post(&w->jets, 0, 0);
    lia_jet_sample(&w->jets);
    return lia_jet_coefficient(&w->jets,
                               lia_tape_register(w->dynamics->tape, run->system->energy.total), 0);
}

// To the other side: of guards, of a change of a control's law, of a beginning of statements.
// Twice: back again. False if memory is out.
static bool change_sides(LiaRunner* run) {
    if (lia_switches_begin(run)) return lia_switches_change(run);
    if (run->controls && run->controls->changing) {
        lia_control_switch(run);
    } else {
        lia_guards_flip(run);
    }
    return true;
}

// The motion ends here, in the state it had on this side.
static void go_back(LiaRunner* run) {
    change_sides(run);
    LiaWorkspace* w = run->w;
    lia_workspace_put(w, w->t, run->corner.q, run->corner.v);
    lia_workspace_update(w, w->jets.order);
    if (lia_workspace_decide(w)) lia_stage_accelerate(w);
}

// Velocities are accounted for, and yet the energy may leap: with time it is fed in (the line
// `time`), in space it is a wall that no force describes.
static bool energy_goes_on(LiaRunner* run, double before, double fed, double after) {
    LiaWorkspace* w = run->w;
    const LiaSystem* s = run->system;
    const LiaTape* tape = w->dynamics->tape;
    double leap = after - before - fed, size = run->scales.energy + fabs(before) + fabs(after);
    if (!(fabs(leap) > LIA_ENERGY_LEAP * size + run->corner.late.energy)) return true;
    bool by_time = true;
    LiaExpr culprit = {0};
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        if (!run->watch.crossing[g]) continue;
        culprit = tape->guards[g].node;
        unsigned depends = lia_graph_node(s->graph, culprit)->depends;
        if (depends & (LIA_DEPENDS(POSITION) | LIA_DEPENDS(VELOCITY))) by_time = false;
    }
    for (uint32_t l = 0; by_time && l < s->line_count; l++) {
        if (s->lines[l].kind != LIA_LINE_TIME) continue;
        w->work[l] += leap;
        return true;
    }
    lia_verdict_jump_wall(run, culprit, leap);
    go_back(run);
    return false;
}

static bool cut_crossed(const LiaRunner* run) {
    const LiaTape* tape = run->w->dynamics->tape;
    for (uint32_t g = 0; g < tape->guard_count; g++) {
        if (run->watch.crossing[g] && tape->guards[g].rule == LIA_GUARD_CUT) return true;
    }
    return false;
}

static bool refuse_leap(LiaRunner* run, uint32_t row, double leap) {
    uint32_t constraint = run->system->rows[row].constraint;
    if (lia_switches_begin(run) && lia_switches_begins(run, constraint)) {
        lia_verdict_jump_begin(run, row, -leap);
    } else {
        lia_verdict_jump_leap(run, row, leap);
    }
    go_back(run);
    return false;
}

// What is large relative to the positions as they are: nanometres leap too.
static double leap_of(const LiaRunner* run, uint32_t coordinate, double reach) {
    double own = fmin(reach, run->scales.q[lia_scales_kind(run->w, coordinate)]);
    return fmax(LIA_LEAP * own, LIA_LEAP_ROUNDING * reach);
}

// Positions a little later than the corner, where formulas may still be what they are before it.
// Returns the time.
static double look_behind(LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    double ahead = run->direction * LIA_CORNER_AHEAD * fmax(run->course.longest, fabs(run->step.h));
    for (int i = 0; i < w->n; i++) run->samples.q[i] = run->corner.q[i] + ahead * run->corner.v[i];
    return w->t + ahead;
}

// What row c asks of positions; of an equation between rotations, by which angle one is to be
// turned (rad).
static double asked_by(LiaRunner* run, int c) {
    const LiaSystem* s = run->system;
    uint32_t turn = s->rows[run->dynamics->rows[c]].turn;
    if (!turn) return -run->w->phi[c];
    double t = look_behind(run);
    return lia_branch_turned(s, turn, run->samples.q, t);
}

// The row that asks for half a turn, of which its residual hardly tells; -1: none does.
static int half_turn(LiaRunner* run) {
    const LiaSystem* s = run->system;
    bool any = false;
    for (uint32_t i = 0; i < s->branches.sign_count; i++) any |= s->branches.signs[i].turn;
    if (!any) return -1;
    double t = look_behind(run);
    int wrong = lia_branch_is_wrong(s, run->samples.q, t);
    if (wrong <= 0 || !s->branches.signs[wrong - 1].turn) return -1;
    for (int c = 0; c < run->w->nc; c++) {
        if (s->rows[run->dynamics->rows[c]].turn == (uint32_t)wrong) return c;
    }
    return -1;
}

// A corner is found at an instant that is rounded, and as good as the series.
static double instant_off(const LiaRunner* run) {
    double rounding = LIA_INSTANT_TIME * lia_time_size(run, run->w->t);
    return rounding + LIA_CORNER_LATE * run->tolerance * fabs(run->step.h);
}

// A velocity may jump, a position may not.
static bool positions_go_on(LiaRunner* run, double reach) {
    LiaWorkspace* w = run->w;
    const LiaDynamics* d = w->dynamics;
    for (uint32_t k = 0; k < d->drive_count; k++) {
        uint32_t i = d->drives[k].coordinate;
        double leap = w->q[i] - run->corner.q[i];
        // a ramp is as far off as the corner's instant is
        double rate = fabs(w->v[i]) + fabs(run->corner.v[i]);
        double late = instant_off(run) * rate;
        if (fabs(leap) > leap_of(run, i, reach) + late)
            return refuse_leap(run, d->drive_row[k], leap);
    }
    for (int c = 0; c < w->nc; c++) {
        if (fabs(w->phi[c]) > LIA_LEAP * reach && run->system->rows[d->rows[c]].integrated &&
            cut_crossed(run)) {
            w->phi_start[c] += w->phi[c];  // an angle came back by a turn: so does what is kept
            run->sampler->phi_start[c] = w->phi_start[c];
            w->phi[c] = 0.0;
        }
        if (!(fabs(w->phi[c]) <= LIA_LEAP * reach))
            return refuse_leap(run, d->rows[c], asked_by(run, c));
    }
    int c = half_turn(run);
    return c < 0 || refuse_leap(run, d->rows[c], asked_by(run, c));
}

// Of each kind, lengths and angles: the largest of |x| now, and of what was met.
static void sizes(const LiaWorkspace* w, const double* x, const double met[2], double size[2]) {
    for (int kind = 0; kind < 2; kind++) size[kind] = met[kind];
    for (int i = 0; i < w->n; i++) {
        int kind = lia_scales_kind(w, (uint32_t)i);
        size[kind] = fmax(size[kind], fabs(x[i]));
    }
}

// What is asked for on the other side of a corner is looked at as much later as its instant may be
// off, too: a law that begins smoothly, at rest, has changed by as little as this, and there is no
// other size to measure by.
static void look_later(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    const LiaDynamics* d = w->dynamics;
    LiaLate* late = &run->corner.late;
    double t = w->t, later = t + run->direction * instant_off(run);
    for (int pass = 0; pass < 2; pass++) {  // first later, then where the corner is
        lia_workspace_put(w, pass == 0 ? later : t, run->corner.q, run->corner.v);
        lia_workspace_update(w, 1);
        for (int i = 0; i < w->n; i++) {
            double p = lia_jet_coefficient(&w->jets, d->p[i], 0);
            late->v[i] = pass == 0 ? w->v[i] : fabs(late->v[i] - w->v[i]);
            late->p[i] = pass == 0 ? p : fabs(late->p[i] - p);
        }
        for (int c = 0; c < w->nc; c++) {
            late->phi[c] = pass == 0 ? w->phi[c] : fabs(late->phi[c] - w->phi[c]);
            late->psi[c] = pass == 0 ? w->psi[c] : fabs(late->psi[c] - w->psi[c]);
        }
        double energy = lia_corner_energy(run, w);
        late->energy = pass == 0 ? energy : fabs(late->energy - energy);
    }
}

// Do velocities go on as well, all equations kept, on the sides that run->w has now? In doubt no:
// the impulse will tell.
static bool velocities_go_on(const LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    const LiaDynamics* d = w->dynamics;
    double size = 0.0, speed[2];
    if (!w->forces.method->by_order) return false;
    sizes(w, run->corner.v, run->scales.v, speed);
    for (int i = 0; i < w->n; i++) size = fmax(size, fabs(run->corner.p[i]));
    for (int k = 0; k < w->nf; k++) {
        uint32_t i = d->free[k];
        double jump = run->corner.p[i] - lia_jet_coefficient(&w->jets, d->p[i], 0);
        if (fabs(jump) > LIA_MOMENTUM_GOES_ON * size + run->corner.late.p[i]) return false;
    }
    for (uint32_t k = 0; k < d->drive_count; k++) {
        uint32_t i = d->drives[k].coordinate;
        double jump = w->v[i] - run->corner.v[i];
        double least = LIA_JUMP_VELOCITY * speed[lia_scales_kind(w, i)];
        if (fabs(jump) > least + run->corner.late.v[i]) return false;
    }
    for (int c = 0; c < w->nc; c++) {
        double least = LIA_JUMP_VELOCITY * fmin(speed[0], speed[1]);
        if (fabs(w->psi[c]) > least + run->corner.late.psi[c]) return false;
    }
    return true;
}

// Take the jump that was found: the ledger, the record, the velocities. False if memory is out.
static bool take_jump(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    const LiaImpulse* x = &run->corner.impulse;
    const LiaModel* m = run->model;
    size_t n = (size_t)w->n * sizeof(double);
    LiaArena* arena = run->out->arena;
    double* impulse = LIA_ARENA_NEW(arena, double, run->system->row_count + 1);
    double* work = LIA_ARENA_NEW(arena, double, m->constraints_count + 1);
    if (!impulse || !work) return false;
    for (int c = 0; c < x->w->nc; c++) impulse[x->w->dynamics->rows[c]] = x->nu[c];
    for (uint32_t c = 0; c < m->constraints_count; c++) {
        work[c] = x->work[c];
        w->work[c] += work[c];
    }
    memcpy(w->v, run->corner.v, n);
    const double* before = lia_record_state(run, w);
    memcpy(w->v, x->w->v, n);
    const double* after = lia_record_state(run, w);
    return lia_jumps_record(run, before, after, impulse, work, x->unique);
}

// The lowest derivative of a hidden equation that jumps and that no impulse can change: the row and
// its derivative; the number of all levels where none does.
static int unreached(const LiaWorkspace* w, int* derivative) {
    const LiaRelativeDegree* degree = w->forces.degree;
    double most = 0.0;
    for (int i = 0; i < degree->levels; i++) most = fmax(most, fabs(w->forces.level[i]));
    int at = 0, row = degree->row[0];
    *derivative = degree->levels;
    for (int h = 0; h < degree->count; h++) {
        int top = degree->base[h] + degree->shift[h];
        for (int j = 0; j + 1 < top && j < *derivative; j++) {
            if (!(fabs(w->forces.level[at + j]) > LIA_UNREACHED * most)) continue;
            *derivative = j;
            row = degree->row[h];
        }
        at += top;
    }
    return row;
}

static bool jump(LiaRunner* run, double energy) {
    LiaWorkspace* w = run->w;
    LiaImpulse* x = &run->corner.impulse;
    LiaImpulseFound found = lia_impulse_find(x, w, run->corner.q, run->corner.v, run->corner.p);
    if (found == LIA_IMPULSE_NONE) {
        int derivative = 0, row = x->degree ? unreached(x->w, &derivative) : -1;
        if (row >= 0 && derivative < x->degree->levels) {
            lia_verdict_jump_unreached(run, row, derivative);
        } else {
            lia_verdict_jump_no_velocities(run);
        }
        go_back(run);
    }
    if (found != LIA_IMPULSE_FOUND) return false;
    if (!energy_goes_on(run, energy, x->total, lia_corner_energy(run, x->w))) return false;
    double speed[2];
    sizes(w, run->corner.v, run->scales.v, speed);
    sizes(w, x->w->v, speed, speed);
    for (int i = 0; i < w->n; i++) {
        double jump = x->w->v[i] - run->corner.v[i];
        if (fabs(jump) > LIA_JUMP_VELOCITY * speed[lia_scales_kind(w, (uint32_t)i)])
            return take_jump(run);
    }
    return true;
}

bool lia_corner_cross(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    lia_workspace_update(w, 1);
    double energy = lia_corner_energy(run, w), reach = 1.0;
    for (int i = 0; i < w->n; i++) {
        run->corner.p[i] = lia_jet_coefficient(&w->jets, w->dynamics->p[i], 0);
        run->corner.q[i] = w->q[i];
        run->corner.v[i] = w->v[i];
        reach = fmax(reach, fabs(w->q[i]));
    }
    if (!change_sides(run)) return false;
    w = run->w;
    lia_workspace_update(w, 1);
    lia_guards_flip_along(run);
    look_later(run);
    if (!positions_go_on(run, reach)) return false;
    if (w->forces.method->impulses && !velocities_go_on(run)) return jump(run, energy);
    return energy_goes_on(run, energy, 0.0, lia_corner_energy(run, w));
}

// The impulse was for nothing: what was recorded of it goes.
static void forget_jump(LiaRunner* run) {
    LiaTrajectory* out = run->out;
    if (out->jumps.count == run->old.jumps) return;
    out->jumps.count = run->old.jumps;
    for (uint32_t c = 0; c < run->model->constraints_count; c++) {
        run->w->work[c] -= run->corner.impulse.work[c];
    }
}

// The row that asks most of the positions before the corner; by how much into *leap.
static uint32_t leaping_row(LiaRunner* run, double* leap) {
    LiaWorkspace* w = run->w;
    int row = 0;
    memcpy(w->q, run->corner.q, (size_t)w->n * sizeof(double));
    lia_workspace_update(w, 1);
    for (int c = 0; c < w->nc; c++) {
        if (!(fabs(w->phi[c]) <= fabs(w->phi[row]))) row = c;
    }
    *leap = w->nc > 0 ? asked_by(run, row) : 0.0;
    return w->nc > 0 ? w->dynamics->rows[row] : 0;
}

// How far the projection moves for what the rows ask a little later.
static double moved_late(const LiaRunner* run) {
    const LiaWorkspace* w = run->w;
    double most = 0.0;
    for (int c = 0; c < w->nc; c++) {
        LiaEntries J = lia_workspace_J(w, c);
        double entry = 0.0;
        for (int e = 0; e < J.count; e++) entry = fmax(entry, fabs(J.value[e]));
        if (entry > 0.0) most = fmax(most, run->corner.late.phi[c] / entry);
    }
    return most;
}

// All that the projection moved is what no force can do.
bool lia_corner_leapt(LiaRunner* run) {
    LiaWorkspace* w = run->w;
    if (w->nc == 0) return false;
    const LiaForceMethod* method = w->forces.method;
    const LiaWorkspace* x = method->by_order || !method->impulses ? NULL : run->corner.impulse.w;
    const double* expected = !method->impulses ? run->corner.v : x ? x->v : NULL;
    double q[2], v[2];
    sizes(w, w->q, run->scales.q, q);
    sizes(w, w->v, run->scales.v, v);
    double least = moved_late(run) + (expected ? LIA_CORNER_MOVED_LEAST : 0.0);
    bool leapt = false;
    for (int i = 0; i < w->n; i++) {
        int kind = lia_scales_kind(w, (uint32_t)i);
        leapt |= fabs(w->q[i] - run->corner.q[i]) > LIA_CORNER_MOVED * q[kind] + least ||
                 (expected && fabs(w->v[i] - expected[i]) >
                                  LIA_CORNER_MOVED * v[kind] + LIA_CORNER_MOVED_LEAST);
    }
    if (!leapt) return false;
    if (!method->impulses) {
        lia_verdict_jump_together(run);
        go_back(run);
        return true;
    }
    forget_jump(run);
    if (x) {
        int derivative, row = unreached(x, &derivative);
        lia_verdict_jump_unreached(run, row, derivative);
        go_back(run);
    } else {
        double leap;
        uint32_t row = leaping_row(run, &leap);
        refuse_leap(run, row, leap);
    }
    return true;
}
