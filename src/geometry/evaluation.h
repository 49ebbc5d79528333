// Accelerations and multipliers at one state, also where an operator acts through springs and the
// like, so that its force appears in a later derivative of its equation only
// (mechanics/degree/relative_degree.c).
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

typedef struct LiaEvaluation {
    LiaWorkspace* w;            // a, mu and all that comes before them, if `solved`
    LiaRelativeDegree* degree;  // NULL: K0 is regular, or nothing helps
    bool solved;
} LiaEvaluation;

/// Evaluate. Driven coordinates are put on their laws (w->q, w->v). False if memory is out. Release
/// with lia_evaluation_clear().
bool lia_evaluation_make(const LiaSystem* system, const LiaDynamics* dynamics, double t,
                         const double* q, const double* v, LiaEvaluation* out);
void lia_evaluation_clear(LiaEvaluation* evaluation);
