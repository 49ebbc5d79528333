// Registers of a large tape: values that are used at once and never looked back at share a few of them.
//
// A sum or product that only goes into further sums of the same order needs no series. In a large system these are most
// registers, and writing each of them once for every order is what a step costs. They are put into registers that all
// windows use again and that stay in the cache. The others are numbered in the order in which they are written.
// SPDX-License-Identifier: MIT
#pragma once
#include "schedule.h"

/// After the sections are scheduled by these windows. False if memory is out.
bool lia_allocate_registers(LiaTape* tape, const LiaWindows* windows);
