// How the forces are decided, by one of three methods:
//
//   direct.c            K0 alone: each force appears in the accelerations of what it governs
//   relative_degree.c   operators that act through springs: their forces are in higher derivatives
//   derivative_array.c  several derivatives decide them at once
//
// A workspace begins with the first; lia_relative_degree_attach() chooses between the other two.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/file/keep.h"
#include "base/numeric/dense.h"
#include <stdbool.h>

struct LiaWorkspace;

// Operators whose force does not reach what they govern by inertia alone, only through springs and
// the like: their equations are differentiated further.
typedef struct LiaRelativeDegree {
    int count;
    int* row;               // of nc
    int* base;              // derivatives of an ordinary row: 2 geometric, 1 kinematic
    int* shift;             // how many more until the force appears
    int ahead;              // the largest shift
    int levels;             // equations of all derivatives: sum of base + shift
    bool derivative_array;  // S is singular: all shifts at once decide the forces
    int equations;          // then: how many the state satisfies, all others counted too
} LiaRelativeDegree;

typedef struct LiaForceMethod {
    bool by_order;     // each order of the series is one solve with K0
    bool rows_rest;    // rows that depend on others are left out; their forces are of minimum norm
    bool bounded;      // what rounding makes of a solution with K0 bounds that of the forces
    bool at_singular;  // K0 says where forces are lost: configurations in which it is singular are
                       // looked for, and passed
    bool impulses;     // of a jump of velocities are found
    /// How many forces act that nothing decides, as equations that depend on each other are fewer:
    /// their rank. 0: all are decided.
    int (*open_rank)(struct LiaWorkspace* w);
    /// What rounding in equations of what acts through stiff springs makes of the state.
    double (*hidden_blur)(const struct LiaWorkspace* w);
    /// After factor(): residuals of all levels, and what decides the forces. False: nothing does.
    /// Called by lia_relative_degree_residuals().
    bool (*decide)(struct LiaWorkspace* w);
    /// After factor(), stage 0 run: order 0 of accelerations and multipliers.
    void (*accelerate)(struct LiaWorkspace* w);
    /// Their order k, once the lower ones are known.
    void (*stage)(struct LiaWorkspace* w, int k);
    /// lia_project_state()
    bool (*project)(struct LiaWorkspace* w, int order, double* moved, double* energy);
    /// Which multipliers are one of many, into w->unique, where all are marked as unique.
    void (*mark_unique)(struct LiaWorkspace* w);
    /// Do the derivatives no longer decide the forces, or hardly?
    bool (*lost)(const struct LiaWorkspace* w);
    void (*keep)(struct LiaWorkspace* w, LiaKeep* keep);
} LiaForceMethod;

typedef struct LiaForceState {
    const LiaForceMethod* method;
    const LiaRelativeDegree* degree;  // borrowed; of no rows where K0 alone decides
    double* level;                    // residuals of all levels: equation, rate, ...   (levels)
    double* S;      // derivative of the shifted equations by their forces, factored    (count^2)
    double* trial;  // forces by which S is found, each one that matters                (count)
    LiaLu S_lu;
    int early;  // 1 + row of nc whose force appeared in a lower derivative than before; 0: none
    double S_pivot;                    // the smallest pivot of S, scaled
    double S_noise;                    // what rounding makes of it
    bool undecided;                    // the last residuals() left forces open
    struct LiaSlopes* slopes;          // of all levels: see relative_degree_project.c
    struct LiaDerivativeArray* array;  // of that method only
    void* block;
} LiaForceState;

extern const LiaForceMethod lia_direct, lia_relative_degree, lia_derivative_array;
extern const LiaRelativeDegree lia_direct_no_rows;
