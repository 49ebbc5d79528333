// Closed contacts at rest or sliding: who opens, who sticks, who slides, decided by
// complementarity.
//
// All contacts of the LiaDelassus are closed, gap = 0 and gap' = 0. Level of accelerations:
//     a = W lambda + b,   0 <= N,  0 <= gap'',  N gap'' = 0
// and for each friction block
//     slip != 0:  T = -kinetic N slip/|slip|
//     slip  = 0:  slip' = 0 and |T| <= static N,
//                 or slip' != 0 and T = -kinetic N slip'/|slip'|: it begins to slide, direction
// slip'. In the plane this is a linear complementarity problem; in space a problem with cones,
// solved by semismooth Newton steps from the solution with polyhedral cones.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/contact/friction/delassus.h"
#include <stdbool.h>
#include <stddef.h>

typedef enum LiaContactState {
    LIA_CONTACT_OPENS,   // N = 0
    LIA_CONTACT_STICKS,  // a block: slip' = 0; a contact: closed, no block slides
    LIA_CONTACT_SLIDES,  // a block slides or begins to
} LiaContactState;

typedef struct LiaContactVerdict {
    LiaContactState state;
    LiaContactState block[LIA_FRICTION_BLOCKS];
    double direction[LIA_FRICTION_BLOCKS][LIA_FRICTION_DIMENSION];  // of sliding, length 1
    bool border;  // N = 0 and gap'' = 0, or |T| on its bound and slip' = 0: the next order decides
    bool light;   // N = 0 and gap'' = 0
    bool bound[LIA_FRICTION_BLOCKS];  // by block: whether it sticks is for the next order to decide
    double coupling;  // n.W.(n - mu t) of a sliding contact relative to its terms; 1 if none slides
} LiaContactVerdict;

typedef enum LiaComplementarityStatus {
    LIA_COMPLEMENTARITY_SOLVED,
    LIA_COMPLEMENTARITY_NONE,     // no accelerations satisfy the conditions
    LIA_COMPLEMENTARITY_SEVERAL,  // several do, as sliding presses a contact together (Painleve)
    LIA_COMPLEMENTARITY_BUDGET,   // no solution was found
} LiaComplementarityStatus;

typedef struct LiaComplementarity {
    double* lambda;              // N and T by rows                        (rows)
    double* a;                   // gap'' and slip' by rows                (rows)
    LiaContactVerdict* verdict;  // (k)
    double residual;             // of all conditions, relative to their terms: the certificate
    bool unique;                 // false: accelerations unique, lambda not; minimum norm is given
    bool chosen;                 // of several accelerations, those of the least constraint (Gauss)
    int painleve;                // contact whose coupling is not positive, the least one; where
                                 // there is no solution, one that slides; -1: none
} LiaComplementarity;

/// redundant.c: the forces of minimum norm of sliding contacts whose gaps follow from others, into
/// `cone` (the problem with the columns of sliding; `whole`: without). `zero`: what is 0 in a row.
/// False: there is no such gap and cone->unique stays, or no such solution and it is false.
struct LiaCone;
bool lia_redundant_solve(const LiaDelassus* whole, struct LiaCone* cone, const double* zero,
                         double* work, int* index);
size_t lia_redundant_work(const LiaDelassus* d);
size_t lia_redundant_index(const LiaDelassus* d);

/// Work space: so many doubles and ints.
size_t lia_complementarity_work(const LiaDelassus* d);
size_t lia_complementarity_index(const LiaDelassus* d);

/// The arrays of `out` are lent by the caller.
LiaComplementarityStatus lia_complementarity_solve(const LiaDelassus* d, LiaComplementarity* out,
                                                   double* work, int* index);
