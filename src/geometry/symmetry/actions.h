// One-parameter actions in numbers: what of L, of the equations and of the forces the generators
// carry along.
//
//   xi(L)       = dL/dq xi + dL/dv xi'                              xi' = the rate of xi along a
//                                                                   motion
//   d<p,xi>/dt  = xi(L) + Q xi + mu (Omega xi)
//   equations   dpsi/dq xi + dpsi/dv xi'
//   forces      (Lie_xi Omega_r)_i = xi d(Omega_ri) + Omega_rk d(xi_k)/dq_i,
//               the part outside span Omega
//
// All of it is linear in xi: the same numbers judge one generator and find combinations of several.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/admissible.h"
#include "geometry/geometry.h"
#include "geometry/reactions.h"

typedef struct LiaSum {
    double value, size;  // of a sum, and of its terms: what its rounding is relative to
} LiaSum;

// What is computed, as formulas of the geometry's graph.
typedef struct LiaActionFormulas {
    LiaExpr* roots;
    LiaExpr *xi, *rate;        // generators and their rates                      (count x n)
    LiaExpr* slope;            // d(xi_k)/d(q_i)                                  (count x n x n)
    LiaExpr *psi_q, *psi_v;    // gradients of psi                                (m x n)
    LiaExpr *form_q, *form_v;  // gradients of <Omega_r, w>, last of <Q, w>       ((m + 1) x n)
    LiaExpr dL_dt;
} LiaActionFormulas;

typedef struct LiaActions {
    LiaGeometry* geometry;
    LiaAdmissible* z;
    size_t n, m, count;  // coordinates, rows, generators
    const uint32_t* row;
    bool carries;  // equations and forces are looked at
    LiaActionFormulas formulas;
    LiaValues values;
    double* size;  // what the rounding of each value is a part of, by node
    LiaReactions reactions;
    double *x, *x_rate;  // numbers of the generators                             (count x n)
    double *w, *q, *v;   // a displacement, a state anywhere                      (n)
    double* outside;     // one form after the other                              ((m + 1) x n)
    double* Omega;       // in the units of the coordinates                       (m x n)
    void* block;
    // at the state looked at last
    bool solved;                        // accelerations and forces are known
    LiaSum *change, *force, *reaction;  // xi(L), Q xi, mu (Omega xi)             (count)
    LiaSum* momentum;                   // <p, xi>                                (count)
    LiaSum* across;                     // Omega xi                               (count x m)
    LiaSum* states;                     // equations carried along                (count x m)
    LiaSum* forms;                      // forces carried along       (count x (m + 1) x n)
    LiaSum energy;                      // dE/dt
} LiaActions;

/// Generators xi (count x n), formulas of the geometry's graph. False if memory is out. Release
/// with lia_actions_clear() in any case.
bool lia_actions_init(LiaActions* k, LiaGeometry* geometry, LiaAdmissible* z, const LiaExpr* xi,
                      size_t count, bool carries);
void lia_actions_clear(LiaActions* k);
/// All numbers at an admissible state, of equations and forces only if `carries`. False if memory
/// is out.
bool lia_actions_look(LiaActions* k, const LiaSamples* samples, uint32_t sample, bool carries);
/// xi(L) alone, at a state that no constraint restricts, so far from the sample.
void lia_actions_look_anywhere(LiaActions* k, const LiaSamples* samples, uint32_t sample,
                               double radius);
