// The constraint distribution along a motion, seen in a plane of two coordinates.
//
// At a point of the motion the constraints (not the operators) leave the velocities ker J. Their shadow on the
// plane (x, y) is a point, a line or all of the plane.
// SPDX-License-Identifier: MIT
#pragma once
#include "../mechanics/workspace.h"
#include "../motion/trajectory.h"

typedef struct LiaDistribution {
    const LiaTrajectory* trajectory;  // borrowed
    LiaWorkspace* w;                  // full dynamics
    uint32_t x, y;                    // coordinates of the plane
    int m;                            // rows of constraints
    int* row;                         // which                                  (m)
    double *J, *kernel;               // their gradients; what they leave       (m x n), (n x n)
    void* block;
} LiaDistribution;

/// False if memory is out. Release with lia_distribution_clear().
bool lia_distribution_init(LiaDistribution* d, const LiaTrajectory* trajectory, uint32_t x,
                           uint32_t y);
void lia_distribution_clear(LiaDistribution* d);
/// Dimension of the shadow at a sample: 0, 1, 2; -1 where it has no value. Where it is 1, `direction` is of length 1.
int lia_distribution_at(LiaDistribution* d, size_t row, double direction[2]);
