// Contacts as seen from their own rows: Delassus' matrix W.
//
// Each contact has one row for its gap and rows for its slip, in one or several friction blocks. A
// block is a set of slip rows that share one bound, |T| <= mu N: the slip of a contact point (mu is
// a number), the rolling and the pivoting (mu is a length).
//
//     level of accelerations:   (gap'', slip') = W (N, T) + b
//     level of velocities:      (gap'+, slip+) = W (P, ..) + b,   b = (gap'-, slip-)
//
// All other constraints (bilateral, kinematic, driven) are already eliminated in W and b:
// W = J K^-1 Omega^T. W is symmetric for ideal constraints; with servos, driven rows and imperfect
// constraints it is not, and nothing here asks for it.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

enum {
    LIA_FRICTION_BLOCKS = 3,     // slip, rolling, pivoting
    LIA_FRICTION_DIMENSION = 2,  // slip rows of one block, at most
};

typedef struct LiaFrictionBlock {
    int row;             // its first row; the others follow
    int dimension;       // number of rows, 1 or 2
    double kinetic;      // |T| = kinetic * N against the slip while it slides
    double static_most;  // |T| <= static_most * N while it sticks; at least `kinetic`
} LiaFrictionBlock;

typedef struct LiaContactRows {
    int normal;          // row of the gap
    double restitution;  // 0..1
    int blocks;          // 0: without friction
    LiaFrictionBlock block[LIA_FRICTION_BLOCKS];
} LiaContactRows;

typedef struct LiaDelassus {
    int contacts;                   // k
    int rows;                       // of all contacts together
    const LiaContactRows* contact;  // k
    const double* W;                // rows x rows; column j: what multiplier j does to each row
    const double* b;                // free term, or the velocities before an impact  (rows)
    const double* slip;             // accelerations only: the slip now, 0 where it rests (rows)
    const double* noise;            // what is rounding in b; NULL: nothing               (rows)
    bool inside;                    // forces that are not unique keep off their bounds
} LiaDelassus;

/// Row j of contact c belongs to the gap or to a block: number of rows of one contact.
static inline int lia_delassus_rows(const LiaContactRows* c) {
    int rows = 1;
    for (int i = 0; i < c->blocks; i++) rows += c->block[i].dimension;
    return rows;
}
