// Branches of joints: the cosines between axes that are meant to be along each other, and their
// slopes.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/evaluate.h"
#include "mechanics/system.h"

// 1 on the branch that is meant, -1 on the other one. In a graph of its own: that of the system is
// finished.
typedef struct LiaCosines {
    const LiaSystem* system;
    uint32_t count;
    LiaExpr* formula;      // (count)
    uint32_t* start;       // slopes of a formula: start[k] .. start[k + 1] - 1   (count + 1)
    uint32_t* coordinate;  // rising
    LiaExpr* slope;
    LiaGraph* graph;
    LiaValues values;
} LiaCosines;

/// False if memory is out. Release with lia_branch_cosines_clear() in any case.
bool lia_branch_cosines_init(LiaCosines* cosines, const LiaSystem* system);
void lia_branch_cosines_clear(LiaCosines* cosines);
/// Values and slopes in a state: lia_cosines_value(), lia_cosines_slope().
void lia_branch_cosines_run(LiaCosines* cosines, const double* q, double t);
static inline double lia_cosines_value(const LiaCosines* cosines, uint32_t k) {
    return lia_value(&cosines->values, cosines->formula[k]);
}
static inline double lia_cosines_slope(const LiaCosines* cosines, uint32_t entry) {
    return lia_value(&cosines->values, cosines->slope[entry]);
}
