// Jumps of velocities, at corners of the laws that drive a motion: who jumped, by which impulses of
// operators and constraints, and what work these did. How they are found: impulse.c.
// SPDX-License-Identifier: MIT
#include "motion/events/jumps.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "motion/result/record.h"
#include "motion/runner.h"
#include <math.h>
#include <string.h>

LiaJump* lia_jumps_add(LiaTrajectory* out) {
    if (out->jumps.count == out->jumps.capacity) {
        size_t capacity = out->jumps.capacity ? out->jumps.capacity * 2 : 16;
        LiaJump* jumps = lia_memory_resize(out->jumps.list, capacity * sizeof *jumps);
        if (!jumps) return NULL;
        out->jumps.list = jumps;
        out->jumps.capacity = capacity;
    }
    return &out->jumps.list[out->jumps.count++];
}

// Those velocities that are not the same on both sides; before, after: by the columns of the state.
static bool list_velocities(const LiaTrajectory* out, const double* before, const double* after,
                            LiaJump* jump) {
    double speed = 0.0;
    const size_t end = lia_record_state_end(out);
    for (int pass = 0; pass < 3; pass++) {  // how fast, how many, which
        size_t at = 0, count = 0;
        for (size_t k = 0; k < end; k++) {
            const LiaColumn* c = &out->columns[k];
            bool moves = c->kind == LIA_COLUMN_VELOCITY;
            if (!moves && c->kind != LIA_COLUMN_POSITION) continue;
            double x = before[at], y = after[at];
            at++;
            if (!moves) continue;
            if (pass == 0) speed = fmax(speed, fmax(fabs(x), fabs(y)));
            if (pass == 0 || fabs(y - x) <= LIA_JUMP_VELOCITY * speed) continue;
            if (pass == 2) jump->velocities[count] = (LiaJumpVelocity){c, x, y};
            count++;
        }
        if (pass != 1) continue;
        jump->velocity_count = count;
        jump->velocities = LIA_ARENA_NEW(out->arena, LiaJumpVelocity, count + 1);
        if (!jump->velocities) return false;
    }
    return true;
}

LiaJumpImpulse lia_jumps_impulse(const LiaConstraint* constraint) {
    return (LiaJumpImpulse){
        .name = constraint->name,
        .unit = constraint->impulse_unit,
        .active = constraint->active,
        .count = constraint->equation_count - (constraint->gap_follows ? 1 : 0),
    };
}

// The first row from r on of a constraint that takes part; row_count: none.
static uint32_t next_part(const LiaRunner* run, uint32_t r, const double* impulse, double size) {
    const LiaSystem* s = run->system;
    for (; r < s->row_count; r++) {
        if (!(fabs(impulse[r]) > LIA_JUMP_IMPULSE * size)) continue;
        if (!run->model->constraints[s->rows[r].constraint].internal) break;
    }
    return r;
}

// The constraints and operators that take part: of many only these are kept.
static bool list_impulses(const LiaRunner* run, const double* impulse, const double* work,
                          LiaJump* jump) {
    const LiaModel* m = run->model;
    const LiaSystem* s = run->system;
    LiaArena* arena = run->out->arena;
    double size = 0.0;
    size_t count = 0;
    for (uint32_t r = 0; r < s->row_count; r++) size = fmax(size, fabs(impulse[r]));
    for (uint32_t r = 0; (r = next_part(run, r, impulse, size)) < s->row_count;
         r = s->first_row[s->rows[r].constraint + 1])
        count++;
    jump->impulses = LIA_ARENA_NEW(arena, LiaJumpImpulse, count + 1);
    if (!jump->impulses) return false;
    for (uint32_t r = 0; (r = next_part(run, r, impulse, size)) < s->row_count;
         r = s->first_row[s->rows[r].constraint + 1]) {
        uint32_t c = s->rows[r].constraint;
        LiaJumpImpulse* x = &jump->impulses[jump->impulse_count++];
        size_t values = m->constraints[c].equation_count;
        double* own = LIA_ARENA_NEW(arena, double, values + 1);
        if (!own) return false;
        memcpy(own, impulse + s->first_row[c], values * sizeof *own);
        *x = lia_jumps_impulse(&m->constraints[c]);
        x->values = own;
        x->work = work[c];
    }
    return true;
}

bool lia_jumps_record(LiaRunner* run, const double* before, const double* after,
                      const double* impulse, const double* work, bool unique) {
    LiaJump jump = {.t = run->w->t, .unique = unique};
    if (!before || !after || !list_velocities(run->out, before, after, &jump) ||
        !list_impulses(run, impulse, work, &jump)) {
        return false;
    }
    LiaJump* place = lia_jumps_add(run->out);
    if (place) *place = jump;
    return place != NULL;
}
