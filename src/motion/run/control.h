// Controls whose laws come from outside. See control.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/file/keep.h"
#include "mechanics/kkt/workspace.h"
#include "mechanics/start/start.h"
#include "mechanics/system.h"

typedef struct LiaRunner LiaRunner;

// Controls without a law, which a program sets, and sampled ones: control.c.
typedef struct LiaControls {
    LiaSystem* system;  // the run's own: its parameters change
    bool outside;       // a program sets those without a law
    double* until;      // by control of the model: how long its law is known    (controls)
    uint64_t* samples;  // of sampled ones, so far                               (controls)
    uint32_t first;     // of the parameters that are to be exchanged
    double values[LIA_CONTROL_PARAMETERS];  // and what with
    bool changing;                          // the corner that is crossed is a change of such a law
    bool changed;                           // the other values are those in force
    uint64_t laws;                          // how often they changed
} LiaControls;

/// The controls of a run: sampled ones, and, `outside`, those that a program sets. False if memory
/// is out.
bool lia_control_create(LiaRunner* run, bool outside);
void lia_control_destroy(LiaRunner* run);
/// Says so, and gives true, where a control has neither a law nor a value.
bool lia_control_lacks(const LiaRunner* run);
/// Has a model controls that a program sets; or `sampled` ones?
bool lia_control_has(const LiaModel* model, bool sampled);
/// Sampled controls go forward in time, and not more often than there can be steps: false with an
/// error.
bool lia_control_possible(const LiaRunner* run);
/// Sampled controls are computed from the start, which may depend on them in turn. LIA_OK,
/// LIA_MODEL, LIA_MEMORY.
LiaStatus lia_control_start(LiaRunner* run, LiaStartState* start);
/// Sampled controls whose time has come get their values. False where the motion ends.
bool lia_control_sample(LiaRunner* run);
/// To the other law of the control that changes. Twice: back again.
void lia_control_switch(LiaRunner* run);
/// Does the run wait for the next law of a control?
bool lia_control_due(const LiaRunner* run);
/// All laws, for a run that is restored; so many bytes.
void lia_control_keep(LiaRunner* run, LiaKeep* keep);
size_t lia_control_bytes(const LiaRunner* run);
/// The law of a control from now on, between two steps. LIA_ARGUMENT where there is no such
/// control; LIA_MODEL with an error where the motion cannot go on with it: then all is as it was.
LiaStatus lia_control_set(LiaRunner* run, const char* name, const double* coefficients,
                          size_t count, double until);
