// Controls whose laws come from outside. See control.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/file/keep.h"
#include "mechanics/kkt/workspace.h"
#include "mechanics/system.h"

typedef struct LiaRunner LiaRunner;

// Controls without a law, which a program sets: control.c.
typedef struct LiaControls {
    LiaSystem* system;  // the run's own: its parameters change
    double* until;      // by control of the model: how long its law is known    (controls)
    uint32_t first;     // of the parameters that are to be exchanged
    double values[LIA_CONTROL_PARAMETERS];  // and what with
    bool changing;                          // the corner that is crossed is a change of such a law
    bool changed;                           // the other values are those in force
} LiaControls;

/// The controls of a run in which a program sets them. False if memory is out.
bool lia_control_create(LiaRunner* run);
void lia_control_destroy(LiaRunner* run);
/// Says so, and gives true, where a control has neither a law nor a value.
bool lia_control_lacks(const LiaRunner* run);
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
