// Registers of a large tape: which need a series, and which are given away again at once.
//
// A sum or product that only goes into further sums of the same order needs no series. In a large
// system these are most registers, and to go through their series order by order is what a step
// costs. So a register is
//   a series   where something looks back at its lower orders,
//   layered    where all its orders are read, but one by one: a position that stands in sums, which
//              the step copies.
//              Those of one order stand side by side (jet.h);
//   brief      where only its newest coefficients are read, or its value: by a sum that runs fewer
//              orders ahead, in another
//              window, by the solve of its stage, by a sample;
//   pooled     where it is read in its own window at its own order: brief, and used again by every
//              window.
// They are numbered window by window, as main meets them.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/tape/schedule.h"

/// Choose: sets tape->room. Before the sections are scheduled, for that keeps those of one kind
/// together. `outside`: the room each register needs for those who read it from outside,
/// LIA_ROOM_POOL: none do; `once`: no stage is run again after a later one. False if memory is out.
bool lia_allocate_choose(LiaTape* tape, const LiaWindows* windows, const uint8_t* outside,
                         bool once);
/// Number the registers anew, once the sections are scheduled by these windows. False if memory is
/// out.
bool lia_allocate_registers(LiaTape* tape, const LiaWindows* windows);
