// Which forces and couples do the work of a one-form: arrows whose virtual power is that of Q for
// every coordinate,
//   sum F.dP/dq_i + C.w_i = Q_i,    w_i the angular velocity by coordinate i
//
// Of all sets of arrows that do it the one is taken that a mechanician would draw: the fewest, on
// what moves with the fewest other coordinates, couples for angles and forces for lengths.
// SPDX-License-Identifier: MIT
#pragma once
#include "output/page/arrows/carriers.h"

enum { LIA_PARTS_MOST = 3 };

typedef enum LiaPartKind {
    LIA_PART_FORCE,   // F at the place of `on`, and -F there on `against`, a body
    LIA_PART_COUPLE,  // C on `on`, and -C on `against`
    LIA_PART_LINE,    // F on `on`, and -F on `against`, along the line between their places
    LIA_PART_WRENCH,  // F and C on `on` at its place, and the opposite there on `against`
} LiaPartKind;

typedef struct LiaPart {
    LiaPartKind kind;
    uint32_t on, against;  // carriers
} LiaPart;

typedef struct LiaSketch {
    LiaPart parts[LIA_PARTS_MOST];
    int count;
    bool screw;   // its force and couple are no force alone
    double left;  // how much of Q, at most, the arrows do not give; a part of the largest Q
} LiaSketch;

/// The arrows for Q at the instants (instant_count x n, flat); none where nothing that is drawn
/// moves with it. `left` above LIA_WORK_EXACT says that they are only a part of it.
void lia_virtual_work_sketch_find(const LiaCarriers* carriers, const double* Q, LiaSketch* sketch);
/// How much of Q at the instants a sketch leaves at most, as a part of the largest Q.
double lia_virtual_work_sketch_left(const LiaCarriers* carriers, const LiaSketch* sketch,
                                    const double* Q);
/// F and C of each part, six numbers each, at one sample. `twists`: of on and against of each part.
/// Returns the length of what is left of Q.
double lia_virtual_work_sketch_solve(const LiaCarriers* carriers, const LiaSketch* sketch,
                                     const double* const* twists, const double* Q, double* x);
/// The length of Q in the scale of the coordinates.
double lia_virtual_work_sketch_length(const LiaCarriers* carriers, const double* Q);
/// The carrier whose place is fixed to both, of several the nearest to `on`; 0: none.
uint32_t lia_virtual_work_sketch_joint(const LiaCarriers* carriers, uint32_t on, uint32_t against);
