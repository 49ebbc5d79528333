// Idle turns: what massless_spin.c and massless_spin_coupled.c share. Only they use this header.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/evaluate.h"
#include "mechanics/build.h"

typedef struct LiaMasslessSpin {  // of a body, about an axis without inertia
    const LiaBody* body;
    uint32_t first;  // coordinates w, x, y, z of the rotation
    double axis[3];  // in its body axes
    double inertia;  // lent to it
    LiaExpr attitude[9];
    bool idle;
    const char* with;  // "'b', 'c'": bodies that turn with it; NULL: none
} LiaMasslessSpin;

typedef struct LiaMasslessSpins {
    LiaSystem* s;
    LiaResolver* resolver;
    LiaMasslessSpin* turns;  // those of one rotation stand together
    uint32_t count;
    double *q, *v, *q_moved, *v_moved;  // a state, and the same one turned       (n)
    double* before;                     // energies, then equations
    uint64_t random;
    LiaValues values;  // of energies, equations, Omega, Q, p and dL/dq
} LiaMasslessSpins;

/// A state at random in z->q, z->v: directions and quaternions have length 1.
void lia_massless_spin_take_state(LiaMasslessSpins* z);
/// Values of all formulas at a state.
void lia_massless_spin_evaluate(LiaMasslessSpins* z, const double* q, const double* v);
/// Turn z->q_moved, z->v_moved by an angle and a rate taken at random.
void lia_massless_spin_move(LiaMasslessSpins* z, const LiaMasslessSpin* turn);
/// Has this number become another one?
bool lia_massless_spin_differ(double was, double is);

/// massless_spin_coupled.c: of turns that something sees, those that nothing sees if others go
/// along. After remember(). False if memory is out.
bool lia_massless_spin_coupled_find(LiaMasslessSpins* z);
