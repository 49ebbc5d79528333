// LiaHolonomy: what a loop of the operators leaves behind. The border between study and output.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/result/trajectory.h"
#include "study/holonomy/transport.h"

struct LiaHolonomy {
    LiaModel* own_model;  // with a loop of its own: the model in which operators go it; else NULL
    LiaSystem* own_system;
    const LiaSystem* system;  // the one that goes the loop
    double t0, t1;
    uint32_t* base;      // driven coordinates; UINT32_MAX: a function           (base_count)
    uint32_t* base_row;  // the rows that drive them                             (base_count)
    size_t base_count;
    LiaHolonomyPart* parts;  // of the fibre                                       (count)
    uint32_t* fibre;         // its coordinates                                    (count)
    size_t count;
    LiaHolonomyTurn* turns;  // of attitudes in the fibre, by the line             (turn_count)
    size_t turn_count;
    bool moves;
    LiaHolonomyMove move;  // of the whole, if `moves`
    LiaLift lift;
    double lift_end;
    const char* no_area;      // why there is no area integral at all; NULL: there is, of some
    const char* no_momentum;  // why nothing is known by the momentum equation; NULL: it is
    double share;             // see lia_holonomy_share()
    LiaTrajectory* motion;    // that begins without momentum; NULL: there is none
    LiaTrajectory* moved;     // with the momentum of the start; NULL: it has none, or not known
    bool momentum;            // the start of the model has one
    double p;                 // of a fibre of one coordinate; NAN: not known
    LiaText why;              // why a motion could not begin
    void* block;
};

/// The name of a part of the base, or its formula.
void lia_holonomy_base_name(const LiaHolonomy* h, size_t a, LiaText* out);
