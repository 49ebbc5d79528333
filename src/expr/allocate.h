// Registers of a large tape: which need a series, and which are given away again at once.
//
// A sum or product that only goes into further sums of the same order needs no series. In a large system these are most
// registers, and to go through their series order by order is what a step costs. So a register is
//   a series   where something looks back at its lower orders,
//   layered    where it is read order by order only: by sums, in another window or fewer orders ahead, by the solve of its
//              stage, or by the step that copies it. Those of one order stand side by side (jet.h);
//   pooled     where it is read in its own window at its own order: layered, and used again by every window.
// Series are numbered in the order in which they are written.
// SPDX-License-Identifier: MIT
#pragma once
#include "schedule.h"

// Who reads a register beside the sections.
enum { LIA_OUTSIDE_NOBODY, LIA_OUTSIDE_LAYERED, LIA_OUTSIDE_SERIES };

/// Choose: sets tape->layered. Before the sections are scheduled, for that keeps those of one kind together. `outside`: per
/// register; `once`: no stage is run again after a later one. False if memory is out.
bool lia_allocate_choose(LiaTape* tape, const LiaWindows* windows, const uint8_t* outside,
                         bool once);
/// Number the registers anew, once the sections are scheduled by these windows. False if memory is out.
bool lia_allocate_registers(LiaTape* tape, const LiaWindows* windows);
