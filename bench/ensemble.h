// Many skaters with different starts and phases, one after the other.
// SPDX-License-Identifier: MIT
#pragma once
#include "report.h"

/// Measure for about `seconds` and print trajectories per second at BENCH_ERROR. False: liaison
/// failed.
bool bench_ensemble(double seconds);
