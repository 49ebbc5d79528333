// LiaEvaluator: the equations at a state, for callers from outside. See include/liaison/evaluate.h.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/evaluate.h"
#include "mechanics/kkt/workspace.h"

struct LiaEvaluator {
    const LiaSystem* system;
    LiaWorkspace* w;     // nothing eliminated: accelerations and multipliers
    LiaWorkspace* full;  // every row of it: M, J, Omega; == w where no row follows from others
    // what decided the forces where K0 was singular, the last time; NULL: nothing yet
    LiaRelativeDegree* degree;
    LiaWorkspace* ahead;  // which looks so far; NULL: none yet
    LiaValues values;     // Q and p
    LiaSolution solution;
    size_t lines;  // of the ledger, shown
    double* samples;
    double *q, *v, *a, *unique_a, *h, *Q, *p;      // (n)
    double* left;                                  // scratch (n)
    double *mu, *unique_mu, *gamma, *phi, *psi;    // (rows)
    double *power, *event, *observable, *momenta;  // of each
    double energies[3];
    double* block;
};

/// lia_evaluator_set() with works since the start (lines of the system; NULL: 0), which observables
/// and events may ask for.
LiaStatus lia_evaluator_put(LiaEvaluator* e, double t, const double* q, const double* v,
                            const double* work);
