// Is a state one at which the linearised motion says something of the motion? It does where its
// matrix is the same all along: at an equilibrium, on a steady motion, and where the equations are
// linear with constant coefficients. At any other state the eigenvalues of the frozen equations say
// nothing.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

typedef enum LiaSteady {
    LIA_STEADY_NOT,          // none of these, or not known
    LIA_STEADY_EQUILIBRIUM,  // nothing moves, and nothing depends on time
    LIA_STEADY_MOTION,       // constant velocities of coordinates that nothing depends on
    LIA_STEADY_LINEAR,       // linear with constant coefficients, whatever the state
} LiaSteady;

/// At the state in w, after lia_stage_accelerate().
LiaSteady lia_steady_find(const LiaWorkspace* w);
