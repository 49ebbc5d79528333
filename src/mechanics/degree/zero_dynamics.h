// The zero dynamics: what operators leave free. See zero_dynamics.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

/// How many numbers of the state all equations leave free, and the rate at which a small deviation
/// grows there, exp(rate t), by the motion linearised at the state in w (0: no faster than a power
/// of t). -1 where that cannot be found. It says something of the motion only where degree/steady.h
/// says so. Leaves the workspace as after accelerate().
int lia_zero_dynamics(LiaWorkspace* w, double* rate);
