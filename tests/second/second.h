// The second way: from a LiaModel to a motion as plainly as can be, to compare the first way with.
//
//   M a + h = Q + Omega^T mu,   J a + gamma = 0
//   M = d2L/dv2,  h = d2L/dvdq v + d2L/dvdt - dL/dq,  gamma = what is left of phi'' or psi'
//
// Everything is a formula made with lia_diff() and evaluated node by node; K0 is assembled from
// second derivatives with all equations in it (nothing is eliminated), solved densely with full
// pivoting, integrated with DOP853 and projected after each step. No tape, no jets, no rates.
// It shares with the first way: lang, the graph and its derivative.
// SPDX-License-Identifier: MIT
#pragma once
#include "lang/model.h"
#include <stdbool.h>

typedef struct Second Second;

/// NULL if the model cannot be put into formulas. The model is borrowed.
Second* second_create(const LiaModel* model);
void second_destroy(Second* second);

/// Number of coordinates, of scalar equations, and of lines of the ledger: constraints and
/// operators in the order written, forces, dissipation, explicit time.
int second_n(const Second* second);
int second_rows(const Second* second);
int second_lines(const Second* second);

/// A start as language.md says, by a solver of its own: values given are kept, driven ones are set,
/// those that have to move are the nearest to their guesses (or 0). False if there is none.
bool second_start(Second* second, double t, double* q, double* v);

/// Accelerations (n) and multipliers (rows) at a state; either may be NULL. False where K0 is
/// singular beyond rows that follow from others.
bool second_solve(Second* second, double t, const double* q, const double* v, double* a,
                  double* mu);

typedef struct SecondWatch {
    // 1 is a good one; 0.5, with steps half as long as errors allow, is a judge of it; 0: nothing
    double fraction;
    double longest;  // besides, no step is longer; 0: none is bound so
    int steps_most;  // of one second_run(), where it gives up; 0: 200,000
} SecondWatch;
/// Steps from now on that cannot leap: no argument of a function moves by more than `fraction`
/// times about 1/2 in one. Events are looked for too. In the beginning only errors bound the steps.
void second_watch(Second* second, SecondWatch watch);
/// What was found since: events in the order of time, and their number (it may exceed
/// SECOND_EVENTS_MOST).
enum { SECOND_EVENTS_MOST = 1000 };
typedef struct SecondEvent {
    uint32_t event;
    double t;
    int direction;
} SecondEvent;
const SecondEvent* second_found(const Second* second, uint32_t* count);
/// Steps made, and the largest |q|, |v|, |work| met at their ends (n, n, lines).
uint64_t second_steps(const Second* second);
const double* second_sizes(const Second* second);

/// From t0 to t1 in place, to the tolerance (1e-13 is a good one). `work` (lines) is added to: what
/// each line of the ledger has fed into the system; may be NULL.
bool second_run(Second* second, double t0, double t1, double tolerance, double* q, double* v,
                double* work);

/// What is left of the equations: phi and phi' of geometric, psi of kinematic ones; the largest.
double second_residual(Second* second, double t, const double* q, const double* v);
/// v dL/dv - L.
double second_energy(Second* second, double t, const double* q, const double* v);
/// Any term of the model at a state: observe, let. NaN where something in it is not known here.
double second_term(Second* second, LiaExpr term, double t, const double* q, const double* v,
                   const double* work);
/// 1 if every row of J and of Omega could be used, less if rows are redundant: rank of K0 - n, over
/// the number of rows.
double second_rank(Second* second, double t, const double* q, const double* v);
