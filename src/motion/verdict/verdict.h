// Why a motion ended early. See verdict.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// It failed; `code` is that of the error.
void lia_verdict(LiaRunner* run, const char* code, LiaSpan span, double t, const char* format, ...)
    __attribute__((format(printf, 5, 6)));
/// It was stopped; `code` is a word: by what.
void lia_verdict_stopped(LiaRunner* run, const char* code, LiaSpan span, double t,
                         const char* format, ...) __attribute__((format(printf, 5, 6)));
/// What is said of steps that come to nothing: "the steps become too small (3.1e-17)".
typedef struct LiaStepsText {
    char text[64];
} LiaStepsText;
LiaStepsText lia_verdict_steps(double h);
/// What to write instead, for the verdict given last.
void lia_verdict_help(LiaRunner* run, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
/// The constraint in whose equation or force directions a formula stands: its row, NULL if none.
const LiaRow* lia_verdict_row(const LiaSystem* system, LiaExpr node);
/// Where a formula stands: " in 'NAME'", " in the potential", ...; its place in the model text.
void lia_verdict_where(const LiaRunner* run, LiaExpr node, LiaText* text, LiaSpan* span);
void lia_verdict_guard(LiaRunner* run, int g, double t);
void lia_verdict_chatter(LiaRunner* run, int g);
/// A contact leaves its shape.
void lia_verdict_end(LiaRunner* run, const LiaEvent* end);
void lia_verdict_not_finite(LiaRunner* run);
/// A formula as written has no value at the state of the motion; false: all have one.
bool lia_verdict_domain(LiaRunner* run);

// verdict_singular.c: equations that K0 is singular by
void lia_verdict_singular(LiaRunner* run, LiaWorkspace* w);
/// Steps fail because a row that nearly follows from others was left out, and asks for something
/// else. False: there is none.
bool lia_verdict_singular_left_out(LiaRunner* run);
void lia_verdict_singular_contradiction(LiaRunner* run, LiaWorkspace* w);

// verdict_force.c: forces that are not decided
/// All operators that act through other forces: "'a', 'b'".
void lia_verdict_force_names(const LiaRunner* run, LiaText* names);
/// Equations follow from others, but with forces of their own: these have the rank `rank`.
void lia_verdict_force_undecided(LiaRunner* run, int rank);
/// Operators have fewer independent forces than equations.
void lia_verdict_force_fewer(LiaRunner* run, int equations, int forces);
/// Constraints answer their forces, so that these move less than is asked for.
void lia_verdict_force_held(LiaRunner* run, int equations, int forces);
/// All derivatives of the operators' equations leave forces open.
void lia_verdict_force_open(LiaRunner* run, int derivative);
/// No derivative of row c contains its force.
void lia_verdict_force_never(LiaRunner* run, int c);
/// The force of an operator that acts through springs appears in a lower derivative than it did.
void lia_verdict_force_early(LiaRunner* run);
/// What such an operator acts through loses its hold, for steps that become as short as h.
void lia_verdict_force_lost(LiaRunner* run, double h);

// verdict_jump.c: corners after which the motion cannot go on
/// The energy leaps where the formula `node` changes.
void lia_verdict_jump_wall(LiaRunner* run, LiaExpr node, double leap);
/// A row asks for a position that leaps.
void lia_verdict_jump_leap(LiaRunner* run, uint32_t row, double leap);
/// A constraint begins by an event where its left minus right is `miss`.
void lia_verdict_jump_begin(LiaRunner* run, uint32_t row, double miss);
/// A derivative of an operator's equation jumps that no impulse changes; c: a row of
/// run->corner.impulse.w.
void lia_verdict_jump_unreached(LiaRunner* run, int c, int derivative);
/// The state jumps, and forces are decided by several derivatives together.
void lia_verdict_jump_together(LiaRunner* run);
/// No velocities have the momenta that go on.
void lia_verdict_jump_no_velocities(LiaRunner* run);

// verdict_collapse.c: steps that become too short
void lia_verdict_collapse(LiaRunner* run, double h);
/// Steps are ever shorter, and the end is out of reach.
void lia_verdict_collapse_stall(LiaRunner* run);
/// They are as long as ever, and it is.
void lia_verdict_collapse_far(LiaRunner* run);
/// The motion asks for steps that are too short for the time, from the beginning.
void lia_verdict_collapse_coarse(LiaRunner* run, double h);
