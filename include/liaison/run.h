// A run as an object: it goes step by step, and its program looks at it, saves it, restores it in
// between.
//
//     LiaRun* run;
//     if (lia_run_create(system, NULL, diags, &run) == LIA_OK) {
//         while (lia_run_advance(run, lia_run_time(run) + 0.01) == LIA_OK) {
//             lia_run_state(run, q, v);
//             ...
//         }
//         lia_run_trajectory(run, &motion);
//     }
//     lia_run_destroy(run);
//
// How a run is gone along does not change it: its steps are those of lia_motion_run(), to the last
// bit. One run belongs to one thread at a time.
// SPDX-License-Identifier: MIT
#pragma once
#include "liaison.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LiaRun LiaRun;

/// A run at its start; `options` may be NULL. *options->until may be INFINITY or -INFINITY here: a
/// run without an end, whose trajectory has a row for its start, for each `every`, and its last
/// state. The system, the diagnostics and what the options point to (but for `until`) must outlive
/// the run. LIA_OK; LIA_MODEL, LIA_FILE, LIA_STOPPED, LIA_MEMORY as lia_motion_run() where there is
/// no motion. A start from which the motion cannot go on gives a run, whose first step says so.
LiaStatus lia_run_create(const LiaSystem* system, const LiaRunOptions* options, LiaDiags* diags,
                         LiaRun** out);
void lia_run_destroy(LiaRun* run);

/// One step, as long as the motion allows; where lia_run_advance() has left the run inside of a
/// step, to the end of that. LIA_OK: it can go on. LIA_DONE: it is at its end. LIA_STOPPED: an
/// event, an interruption or a budget has ended it. LIA_FAILED: it cannot go on. From then on the
/// answer is the same. LIA_MEMORY: memory was out in the middle of a step; the run can be restored
/// or destroyed.
LiaStatus lia_run_step(LiaRun* run);
/// Steps until the run has reached t: lia_run_time() is t then, which as a rule is inside of the
/// last step, and LIA_OK is given; LIA_CONTROL where the law of a control ends before t. Where the
/// run ends before t or there, the status is that of lia_run_step(), and the time is that of the
/// end. LIA_ARGUMENT for an earlier t.
LiaStatus lia_run_advance(LiaRun* run, double t);

enum { LIA_CONTROL_TERMS = 8 };  // coefficients that a control can have

/// The law of a control that the model leaves open (`control u`) from now on, which must be the end
/// of a step:
///     u(t) = c[0] + c[1] (t - now) + c[2] (t - now)^2 + ...
/// with `count` coefficients, at most LIA_CONTROL_TERMS.
/// A step ends at `until`; there the next one is to be given, or the run gives LIA_CONTROL.
/// INFINITY: until another is given. Before the first, u is what lia_system_set_parameter() or -D
/// said, or 0. Velocities that jump with it do so by impulses, which stand in the trajectory.
/// LIA_MODEL with an error where a position would jump, or where no impulses can do it: then the
/// run is as it was. LIA_ARGUMENT also where the model has no such control, or the run is inside of
/// a step or over.
LiaStatus lia_run_control(LiaRun* run, const char* name, const double* coefficients, size_t count,
                          double until);

/// Where the run is. NAN for NULL.
double lia_run_time(const LiaRun* run);
/// How many coordinates there are: the numbers of all manifolds, in the order of the model; those
/// which the program adds by itself last.
size_t lia_run_size(const LiaRun* run);
/// Positions and velocities now, lia_run_size() numbers each; either may be NULL.
LiaStatus lia_run_state(const LiaRun* run, double* q, double* v);
/// The same at any t from the beginning of the last step to its end, by its polynomials: they
/// satisfy the constraints up to the tolerance of the run, at its end to rounding. LIA_ARGUMENT for
/// any other t.
LiaStatus lia_run_state_at(const LiaRun* run, double t, double* q, double* v);

typedef struct LiaRunEvent {
    const char* name;  // of the event, the contact or the statement; lives as long as the model
    size_t index;      // among the events of the model; SIZE_MAX: it is none of them
    double t;
    int direction;          // 1: rising, -1: falling, 0: touching
    bool stop;              // it ends the run
    uint8_t kind;           // LiaEventKind
    const double* impulse;  // of a contact, or of what begins; lives as long as the run. NULL: none
    size_t impulse_count;
    double energy;                // that the impulse fed in, or what the event set
    uint64_t more[LIA_MORE - 3];  // 0
} LiaRunEvent;

/// The next event that happened up to lia_run_time() and was not given yet. False if there is none;
/// then *event is as it was.
bool lia_run_event(LiaRun* run, LiaRunEvent* event);

/// The run as it is now, in bytes; release with lia_free(). It must be able to go on, or be done:
/// else LIA_ARGUMENT.
LiaStatus lia_run_save(LiaRun* run, char** bytes, size_t* length);
/// Back to what was saved, of this run or another one of the same build, model and options: it goes
/// on to the last bit as that one did. LIA_ARGUMENT for other bytes; then the run is as it was.
LiaStatus lia_run_restore(LiaRun* run, const char* bytes, size_t length);

/// Finish: what lia_motion_run() gives, up to the end of the last step. The status is that of the
/// motion: LIA_OK where it is done or has no end, LIA_STOPPED also where it could have gone on. The
/// trajectory needs the system, no longer the run; of the run only its time and its state can be
/// asked for from now on.
LiaStatus lia_run_trajectory(LiaRun* run, LiaTrajectory** out);

#ifdef __cplusplus
}
#endif
