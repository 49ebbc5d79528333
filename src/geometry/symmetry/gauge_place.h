// Momenta with coefficients that depend on the position, at one position: what they must satisfy
// there.
//
// The generators zeta_A of a group of the first type, Z = z^A zeta_A a field that the group carries
// into itself, Omega Z = 0. Its momentum is constant if for all admissible v = v^B zeta_B + sigma h
//
//   Q Z + z^A v^B <p, D(zeta_B) zeta_A - D(zeta_A) zeta_B> + sigma <p, zeta_A> dz^A = 0
//
// h is the direction across the orbits of the group (at right angles in the kinetic metric, of
// length 1), the shape, and dz the rate of z along it, which also keeps Omega Z = 0. So z solves a
// linear equation along the shape (Hermans; Bates, Graumann and MacDonnell call the momentum a
// gauge momentum). Without a shape z is constant but for the group. Where equations are affine, as
// on a bowl that turns, <p, Z> + f is constant with a function f along the shape: one more field,
// which moves nothing and has the momentum 1.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/numeric/qr.h"
#include "geometry/symmetry/actions.h"
#include "geometry/symmetry/search.h"

// Room for linear equations.
typedef struct LiaGaugeRoom {
    double *rhs, *least, *own, *solution;
    double* work;
    int* index;
} LiaGaugeRoom;

typedef struct LiaGaugePlace {
    LiaActions* actions;
    LiaArena* arena;
    size_t n, m, F;         // coordinates, rows, generators of the group and f
    bool affine;            // the last of them is f
    size_t V;               // admissible velocities that stand for all
    const double** of;      // coefficients of each generator, by candidate             (F)
    LiaValues fields;       // xi, their slopes, gradients of <Omega, w>
    LiaValues forces;       // Q, where there is any
    bool has_Q, has_shape;  // the positions have one dimension beyond the orbits
    double* structure;      // [zeta_B, zeta_A] = sum of structure[B][A][C] zeta_C       (F x F x F)
    double t;
    // at the position of the last look
    double *q, *zeta, *slope;  //                                          (n), (F x n), (F x n x n)
    double *turn, *h;        // D_h Omega on each generator (F x m); the direction of the shape (n)
    double *v, *p, *part;    // velocities, momenta (V x n); v^B and sigma      (V x (F + 1))
    double *system, *sizes;  // conditions on (z, dz), and the sizes of terms   ((2 m + V) x 2 F)
    double* scale;           // of each condition: the largest of its sizes         (2 m + V)
    LiaRows frame;           // zeta and h
    LiaGaugeRoom room;
    bool failed;  // memory is out
} LiaGaugePlace;

/// The group is that of `first`, and `affine` says whether f counts. False if memory is out.
/// Release with lia_gauge_place_clear() in any case.
bool lia_gauge_place_init(LiaGaugePlace* k, LiaActions* actions, LiaArena* arena,
                          const LiaFoundList* first, double t, bool affine);
void lia_gauge_place_clear(LiaGaugePlace* k);
/// All of the above at q; h is along `ahead` (n), or as it comes where that is zero. False where
/// something has no value.
bool lia_gauge_place_look(LiaGaugePlace* k, const double* q, const double* ahead);
/// After look(): how many z (F each) satisfy the conditions with some dz, into z. -1 if memory is
/// out.
int lia_gauge_place_admitted(LiaGaugePlace* k, double* z);
/// After look(): the rate of z along the velocity u (n), and what is left of the conditions, of 1.
void lia_gauge_place_rate(LiaGaugePlace* k, const double* u, const double* z, double* rate,
                          double* left);
/// The structure constants of the group, and what brackets leave of it, of 1. False if memory is
/// out.
bool lia_gauge_place_close(LiaGaugePlace* k, const LiaSamples* places, double* left);
/// Z = z^A zeta_A.
void lia_gauge_place_field(const LiaGaugePlace* k, const double* z, double* Z);
