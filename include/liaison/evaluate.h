// The equations at a state, as numbers. Part of liaison.h.
//
//     M a + h = Q + Omega^T mu,     J a + gamma = 0
//
//     LiaEvaluator* at;
//     lia_evaluator_create(system, &at);
//     lia_evaluator_set(at, t, q, v);
//     lia_evaluator_get(at, LIA_EVAL_M, M, n * n);
//
// All n coordinates are counted, those that operators drive too: nothing is eliminated. All r rows
// are: lia_system_rows() of inventory.h. A rotation has the four numbers of its quaternion, and
// their rates as velocities.
//
// The state is taken as it is: nothing is projected, and what equations leave of it is in
// LIA_EVAL_PHI and LIA_EVAL_PSI. Formulas that have corners are on the side that their values at
// the state say.
//
// One evaluator for each thread; several may share a system.
// SPDX-License-Identifier: MIT
#include "liaison.h"  // includes this header in its place, whichever comes first
#ifndef LIA_EVALUATE_H
#define LIA_EVALUATE_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LiaEvaluator LiaEvaluator;

/// LIA_OK, LIA_MEMORY. The system is borrowed and must outlive it.
LiaStatus lia_evaluator_create(const LiaSystem* system, LiaEvaluator** out);
void lia_evaluator_destroy(LiaEvaluator* evaluator);

typedef enum LiaSolution {  // of the equations at a state
    LIA_SOLUTION_NOT_YET,   // no state was set
    LIA_SOLUTION_UNIQUE,    // one a and one mu
    LIA_SOLUTION_SHARED,    // one a; multipliers that are not unique are those of least norm
    // K0 is singular, and further derivatives of the operators' equations decide the forces
    LIA_SOLUTION_HIDDEN,
    // K0 is singular: of all a and mu that satisfy the equations those of least norm
    LIA_SOLUTION_OPEN,
    // K0 is singular and no a and mu satisfy them, or there are more than 2000: NAN, and so is what
    // is made of them
    LIA_SOLUTION_NONE,
    LIA_SOLUTION_UNDEFINED,  // a formula has no value there: the same
} LiaSolution;

/// Evaluate everything at a state: positions q and velocities v, n numbers each. LIA_OK where a is
/// unique; LIA_FAILED where it is not, as lia_evaluator_solution() says, and all else can be read;
/// LIA_ARGUMENT for numbers that are not finite; LIA_MEMORY, and then nothing can be read.
LiaStatus lia_evaluator_set(LiaEvaluator* evaluator, double t, const double* q, const double* v);
LiaSolution lia_evaluator_solution(const LiaEvaluator* evaluator);

typedef enum LiaEvaluated {  // numbers      in the order of
    LIA_EVAL_POSITIONS,      // n            coordinates: q as it was set
    LIA_EVAL_VELOCITIES,     // n            coordinates: v as it was set
    LIA_EVAL_ACCELERATIONS,  // n            coordinates: a
    LIA_EVAL_MULTIPLIERS,    // r            rows: mu, the forces of constraints and operators
    LIA_EVAL_UNIQUE_A,       // n            coordinates: 1 where a is unique, else 0
    LIA_EVAL_UNIQUE_MU,      // r            rows: 1 where mu is unique, else 0
    LIA_EVAL_M,              // n n          d2L/dv2, row by row; with what idle turns are lent
    LIA_EVAL_J,              // r n          row by row: dphi/dq, dpsi/dv
    LIA_EVAL_OMEGA,          // r n          row by row: directions of the forces
    LIA_EVAL_GAMMA,          // r            rows
    LIA_EVAL_H,              // n            coordinates: (dp/dq) v + dp/dt - dL/dq
    LIA_EVAL_Q,              // n            coordinates: applied forces and dissipation
    LIA_EVAL_P,              // n            coordinates: dL/dv
    LIA_EVAL_PHI,       // r            rows: geometric equations, left minus right; kinematic: 0
    LIA_EVAL_PSI,       // r            rows: kinematic equations; rates of geometric ones
    LIA_EVAL_ENERGIES,  // 3            energy, kinetic, potential; NAN where a model has no such
    LIA_EVAL_SYMMETRY_MOMENTA,  // symmetries   symmetries
    LIA_EVAL_POWERS,            // lines        lia_system_lines()
    LIA_EVAL_OBSERVABLES,       // observables  observables, in their units; work(NAME) in them is 0
    LIA_EVAL_EVENTS,            // events       left minus right; work(NAME) in them is 0
} LiaEvaluated;

/// How many numbers that is; 0 of NULL, and of what is none.
size_t lia_evaluator_size(const LiaEvaluator* evaluator, LiaEvaluated what);
/// Copy them into `out`, which has room for `count`. LIA_ARGUMENT if that is not
/// lia_evaluator_size(), or if no state was set. Large systems keep M, J and Omega by their
/// entries; here they are written out, zeros and all.
LiaStatus lia_evaluator_get(const LiaEvaluator* evaluator, LiaEvaluated what, double* out,
                            size_t count);

#ifdef __cplusplus
}
#endif

#endif
