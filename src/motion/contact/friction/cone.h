// Coulomb's cone problem: normal and tangential multipliers of contacts that do not slide yet.
//
//     a = W lambda + b
//     0 <= N,  0 <= a_n,  N a_n = 0
//     |T| <= R,  R = mu (N + offset);  a_t != 0:  T = -R a_t/|a_t|
//
// Accelerations: a is (gap'', slip'), all slips are 0. Impacts: a is (gap', slip) after a phase.
// Blocks of one row make it a linear complementarity problem. Blocks of two rows are discs:
// polygons give a guess, semismooth Newton steps the solution.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/numeric/lcp.h"
#include "motion/contact/friction/delassus.h"
#include <stdbool.h>
#include <stddef.h>

typedef enum LiaConeStatus {
    LIA_CONE_SOLVED,
    LIA_CONE_NONE,       // there is no solution; with many contacts: all paths of Lemke end in rays
    LIA_CONE_SEVERAL,    // there are solutions with different a; one of them is given
    LIA_CONE_NOT_FOUND,  // none was found
} LiaConeStatus;

// One of several solutions.
typedef enum LiaConeTake {
    LIA_CONE_TAKE_ANY,
    LIA_CONE_TAKE_LEAST_ENERGY,      // velocities: that which loses the most
    LIA_CONE_TAKE_LEAST_CONSTRAINT,  // accelerations: the nearest to those without contacts (Gauss)
} LiaConeTake;

typedef struct LiaCone {
    const LiaDelassus* d;
    const double* mu;      // bounds of the blocks: contacts x LIA_FRICTION_BLOCKS
    const double* offset;  // what the bounds count in addition to N; NULL: nothing (contacts)
    const double* blur;    // rounding of b, which rows that follow from others do not share;
                           // NULL: nothing                                     (rows)
    bool inside;           // multipliers that are not unique keep off their bounds, in place of
                           // minimum norm
    LiaConeTake several;   // which of several solutions
    bool any;              // any solution will do: they are not counted, the norm is not minimum
    bool guess;       // lambda is one, and the solution next to it is the one that is asked for
    double* lambda;   // (rows)
    double* a;        // (rows)
    double residual;  // of all conditions, relative to the terms of their rows
    bool unique;      // false: a unique, lambda not; lambda is of minimum norm
} LiaCone;

/// Work space: so many doubles and ints.
size_t lia_cone_work(const LiaDelassus* d);
size_t lia_cone_index(const LiaDelassus* d);

LiaConeStatus lia_cone_solve(LiaCone* cone, double* work, int* index);

// ---- what its files share

/// The same problem in units in which W has a diagonal of 1 and b is at most 1.
typedef struct LiaConeScaled {
    int contacts, rows;
    const LiaContactRows* contact;
    double* W;       // rows x rows
    double* b;       // rows
    double* mu;      // contacts x LIA_FRICTION_BLOCKS
    double* offset;  // contacts
    double* scale;   // lambda = scale x / unit, a = y / (scale unit)  (rows)
    double unit;
    double *x, *y;   // lambda and a in these units                    (rows)
    double* blur;    // rounding of b                                  (rows)
    double* middle;  // angle about which the corners of a polygon are, per block as mu
    double* spread;  // how near to each other they are; 1: evenly around
} LiaConeScaled;

/// y = W x + b.
void lia_cone_respond(const LiaConeScaled* s, const double* x, double* y);
/// The residual of x, y = W x + b.
double lia_cone_residual(const LiaConeScaled* s, const double* x, const double* y);

enum { LIA_CONE_CORNERS = 8 };  // of a polygon instead of a disc
/// x of the problem with polygons, by Lemke's method along one of many paths, `cover`.
LiaLcpStatus lia_cone_polygon_solve(LiaConeScaled* s, uint64_t cover, double* work, int* index);
size_t lia_cone_polygon_work(const LiaDelassus* d);
size_t lia_cone_polygon_index(const LiaDelassus* d);

/// What is asked of the solutions.
typedef struct LiaConeModes {
    LiaConeTake take;
    bool needs;  // one is needed, also where there are many modes
} LiaConeModes;
/// Number of solutions with different y, by trial of all modes (open, stick, slide to either side);
/// s->x gets one of them if there are several and it is said which, or if one is needed. -1: too
/// many modes, or discs.
int lia_cone_modes_count(LiaConeScaled* s, LiaConeModes asked, double* work, int* index);
size_t lia_cone_modes_work(int rows);

/// Is s->x the only one for its s->y? Else it becomes that for which lambda has minimum norm within
/// the cones, or one `inside` of them; s->y and *residual are those of it, and false is returned.
bool lia_cone_norm_least(LiaConeScaled* s, bool inside, double* residual, double* work, int* index);
size_t lia_cone_norm_work(const LiaDelassus* d);

/// lambda <- a point off all bounds, of lambda + range P. False: there is none, or none was found.
bool lia_cone_centre_find(const LiaConeScaled* s, const double* P, double* lambda, double* work,
                          int* index);
size_t lia_cone_centre_work(const LiaDelassus* d);

/// lambda <- the nearest point to it within the cones, of lambda + range P. P (rows x rows):
/// projector onto the multipliers that do nothing. False: there is none, or none was found.
bool lia_cone_planes_nearest(const LiaConeScaled* s, const double* P, double* lambda, double* work,
                             int* index);
size_t lia_cone_planes_work(const LiaDelassus* d);
size_t lia_cone_planes_index(const LiaDelassus* d);
