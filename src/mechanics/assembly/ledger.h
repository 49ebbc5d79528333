// The lines of the energy ledger: who may feed energy into the system or take it out.
//   dE/dt = sum of powers,   E = v dL/dv - L
// SPDX-License-Identifier: MIT
#pragma once

#include <liaison/liaison.h>  // LiaLineKind
