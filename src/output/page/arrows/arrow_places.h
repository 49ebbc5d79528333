// Where an arrow stands: the line of a force on a body, the joint of a couple.
// SPDX-License-Identifier: MIT
#pragma once
#include "output/page/arrows/carriers.h"

// A force F and its moment C about the place of a carrier, at the instants.
typedef struct LiaWrench {
    uint32_t on;
    double F[LIA_INSTANTS][3], C[LIA_INSTANTS][3];
    double strong;  // the largest force
} LiaWrench;

/// F at P has the moment C at all instants: it is a force alone, near enough to be drawn.
bool lia_arrow_places_wrench_is_force(const LiaCarriers* carriers, const LiaWrench* wrench);
/// The moment about the place of another carrier.
LiaWrench lia_arrow_places_wrench_about(const LiaCarriers* carriers, const LiaWrench* wrench,
                                        uint32_t on);
/// Is the place on the line of the force, at all instants?
bool lia_arrow_places_wrench_meets(const LiaCarriers* carriers, const LiaWrench* wrench,
                                   const LiaExpr* at);
/// A place on the line of the force that is fixed to the carrier, as formulas. False where there is
/// none.
bool lia_arrow_places_wrench_fixed(const LiaCarriers* carriers, const LiaWrench* wrench,
                                   LiaExpr* at);
/// The same, at a constant vector from the place of the carrier: where a wheel touches the ground.
bool lia_arrow_places_wrench_beside(const LiaCarriers* carriers, const LiaWrench* wrench,
                                    LiaExpr* at);
/// The point of the line of F nearest to the place of the carrier, at one sample.
void lia_arrow_places_wrench_foot(const double* place, const double* F, const double* C,
                                  double* at);

/// The point of a body that stays, relative to `against`, when the coordinates move that are
/// marked. False: none.
bool lia_arrow_places_couple_pivot(const LiaCarriers* carriers, uint32_t on, uint32_t against,
                                   const bool* acts, LiaExpr* at);
