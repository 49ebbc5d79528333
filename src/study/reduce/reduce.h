// A system divided by a group of symmetries of the first type (Marle 2003, Prop. 4), as a model of
// a phase space.
//
// The quotient is described on a slice: the group moves every state to one where some coordinates,
// as many as the group has dimensions, are what they are at the start. Functions on the slice are
// the invariant functions. Their differentials vanish along the group, so brackets of them are
// those of T*Q with
//   d^z = dz - {z, J_A} (a^-1)_BA dy_B,      a_AB = dy_B(xi_A),
// y the coordinates that are fixed, J_A = <p, xi_A>: no orbit is ever integrated. Where the group
// turns an attitude about one or two axes alone, y is a linear function of its quaternion, zero at
// the start and growing along the generator; the quaternion stays a variable. So does a direction
// u, which has the angular momentum M = u x p, M u = 0.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/explanation.h"

// One velocity: of a coordinate, or a component of the angular velocity of a rotation or a
// direction in space axes. Symbols of a component are those of the quaternion's x, y, z, or of the
// direction's.
typedef struct LiaReduceSlot {
    uint32_t coordinate;
    uint32_t rotation;  // 1 + group; 0: a coordinate of its own
    int axis;           // of a rotation: 0, 1, 2
    bool fixed;         // on the slice
    const char* name;   // of the coordinate as the text writes it
    const char* momentum;
} LiaReduceSlot;

typedef struct LiaReduce {
    LiaExplanation* e;
    const LiaSystem* s;
    const LiaModel* m;
    LiaGraph* g;
    LiaArena* arena;
    LiaDiags* diags;
    uint32_t* symmetry;  // generators                                           (count)
    uint32_t count;
    LiaReduceSlot* slots;
    uint32_t n;
    uint32_t* fixed;    // slots that are fixed; UINT32_MAX: a function          (count)
    LiaExpr* across;    // dy_B by slot                                          (count x n)
    LiaExpr* xi;        // generators by slot, at any place                      (count x n)
    LiaExpr* position;  // of each coordinate on the slice; {0}: itself          (coordinates)
    LiaExpr* rate;      // of each coordinate by the velocities of slots         (coordinates)
    // on the slice
    LiaExpr *v, *p;  // symbols                                               (n)
    LiaExpr* V;      // velocities by momenta                                 (n)
    LiaExpr H;
    LiaExpr* inverse;   // a^-1, row B, column A                                 (count x count)
    LiaExpr* lift;      // {z, J_A} of kept variables: positions, then momenta   (2 n x count)
    double* structure;  // constants of the group, [A, B] = c_AB^C xi_C          (count^3)
    bool commutes;
} LiaReduce;

/// The value of a formula at the start.
double lia_reduce_value(const LiaReduce* x, LiaExpr f);
/// On the slice, with velocities of slots.
LiaExpr lia_reduce_at_slice(const LiaReduce* x, LiaExpr f);
/// The same with velocities by momenta.
LiaExpr lia_reduce_in_momenta(const LiaReduce* x, LiaExpr f);
/// A one-form by slot, from its components by coordinate (n of the system); at any place.
void lia_reduce_by_slot(const LiaReduce* x, const LiaExpr* by_coordinate, LiaExpr* out);
/// q' = (0, omega) q/2: row a, column j of the matrix.
LiaExpr lia_reduce_turning(const LiaReduce* x, const LiaReduceSlot* slot, int a, int j);
/// reduce_slice.c: the coordinates, and functions of attitudes and directions, that tell the states
/// of an orbit apart.
LiaStatus lia_reduce_slice_choose(LiaReduce* x);
/// Is it of a direction (sphere)?
bool lia_reduce_is_direction(const LiaReduce* x, const LiaReduceSlot* slot);
/// reduce_group.c: the constants of the group. LIA_OK, LIA_MODEL where the generators make none,
/// LIA_MEMORY.
LiaStatus lia_reduce_group_find(LiaReduce* x);
/// reduce_formulas.c: V, H, a^-1, lifts. LIA_OK, LIA_MODEL (said), LIA_MEMORY.
LiaStatus lia_reduce_formulas_make(LiaReduce* x);
/// The bracket of two kept variables: slot a's position (or momentum) with slot b's.
LiaExpr lia_reduce_formulas_bracket(const LiaReduce* x, uint32_t a, bool a_momentum, uint32_t b,
                                    bool b_momentum);
/// reduce_text.c: the model of the quotient.
bool lia_reduce_text_write(const LiaReduce* x, bool reconstruct, LiaText* out);
