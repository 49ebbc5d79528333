// Idle turns: what idle.c and idle_together.c share. Only they use this header.
// SPDX-License-Identifier: MIT
#pragma once
#include "../expr/value.h"
#include "build.h"

typedef struct LiaTurn {  // of a body, about an axis without inertia
    const LiaBody* body;
    uint32_t first;  // coordinates w, x, y, z of the rotation
    double axis[3];  // in its body axes
    double inertia;  // lent to it
    LiaExpr attitude[9];
    bool idle;
    const char* with;  // "'b', 'c'": bodies that turn with it; NULL: none
} LiaTurn;

typedef struct LiaTurns {
    LiaSystem* s;
    LiaLowering* lowering;
    LiaTurn* turns;  // those of one rotation stand together
    uint32_t count;
    double *q, *v, *q_moved, *v_moved;  // a state, and the same one turned       (n)
    double* before;                     // energies, then equations
    uint64_t random;
    LiaValues values;  // of energies, equations, Omega, Q, p and dL/dq
} LiaTurns;

/// q n for a vector n, as quaternions.
void lia_turn_times(const double q[4], const double n[3], double out[4]);
/// A state at random in z->q, z->v: directions and quaternions have length 1.
void lia_turns_take_state(LiaTurns* z);
/// Values of all formulas at a state.
void lia_turns_evaluate(LiaTurns* z, const double* q, const double* v);
/// Do equations and energies have values at z->q, z->v? They are in z->before then, and all formulas have theirs.
bool lia_turns_remember(LiaTurns* z);
/// Turn z->q_moved, z->v_moved by an angle and a rate taken at random.
void lia_turns_move(LiaTurns* z, const LiaTurn* turn);
/// Has this number become another one?
bool lia_turns_differ(double was, double is);

/// idle_together.c: of turns that something sees, those that nothing sees if others go along. After remember(). False if
/// memory is out.
bool lia_turns_together(LiaTurns* z);
