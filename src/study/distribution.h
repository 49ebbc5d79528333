// The constraint distribution along a motion, seen in a plane of two coordinates.
//
// At a point of the motion the constraints (not the operators) leave the velocities ker J. Their
// shadow on the plane (x, y) is a point, a line or all of the plane; in the space (x, y, z) of
// three coordinates it may be a plane, and the planes along a path turn as they cannot where the
// constraints can be integrated.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"
#include "motion/result/trajectory.h"

typedef struct LiaDistribution {
    const LiaTrajectory* trajectory;  // borrowed
    LiaWorkspace* w;                  // full dynamics
    uint32_t x, y;                    // coordinates of the plane
    int m;                            // rows of constraints
    int* row;                         // which                                  (m)
    double *J, *kernel;               // their gradients; what they leave       (m x n), (n x n)
    size_t sample;                    // where that is known, + 1
    int dimension;                    // of the kernel there; -1: it has no value
    void* block;
} LiaDistribution;

/// False if memory is out. Release with lia_distribution_clear().
bool lia_distribution_init(LiaDistribution* d, const LiaTrajectory* trajectory, uint32_t x,
                           uint32_t y);
void lia_distribution_clear(LiaDistribution* d);
/// Dimension of the shadow in the space (x, y, z) at a sample, -1 where it has no value. Where it
/// is 2, `basis` are two vectors of length 1, at right angles to each other and to what the
/// constraints forbid.
int lia_distribution_in_space(LiaDistribution* d, size_t row, uint32_t z, double basis[2][3]);
/// Dimension of the shadow at a sample: 0, 1, 2; -1 where it has no value. Where it is 1,
/// `direction` is of length 1.
int lia_distribution_at(LiaDistribution* d, size_t row, double direction[2]);
