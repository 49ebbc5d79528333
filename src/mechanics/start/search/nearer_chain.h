// Places where equations of one unknown after another hold. See nearer_chain.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/start/search/nearer_descent.h"

/// Calls `search` with x put at each of these places that may be nearer than N->least, as far as a
/// part of the evaluations goes; all coordinates that no link puts are at N->best.
void lia_nearer_chain_each(LiaNearer* N, void (*search)(LiaNearer* N));
