// What a motion keeps that nobody named, for the report of a run.
//
// Momenta with constant coefficients and moving energies (symmetry/search.h), and the functions
// that holonomic equations keep (integrability/flag.h): found at admissible states other than those
// of the motion, then confronted with it, sample by sample. What changes along it is not listed.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/system.h"
#include "motion/result/trajectory.h"
