// The motion as a field on V*M, taken apart at one state.
//
//   D_Y = D_0 - X_K + H(Y) + Lambda#eta - Z  (+ Q, applied forces)
//
//   D_0         the field of h0, what the system would do with its base at rest
//   -X_K        K_Y = 1/2 Theta(Y, Y) + beta Y, the kinetic energy of the horizontal motion
//   H(Y)        the horizontal lift of the base's velocity Y by the kinetic connection A
//   Lambda#eta  where Y depends on the fibre (a servo): eta = (Theta Y + beta) dY
//   -Z          the constraint forces on the momenta
//
// The base are the driven coordinates s, and those a servo governs whose left side is a coordinate or
// its velocity. Each part is computed from the metric's derivatives alone, and their sum is compared with
// q' = v and p' = dp/dt along the accelerations that K0 gives. For a Lagrangian that is not quadratic in the
// velocities there is only D_Y = Y + X_R.
//
// Rows: q' of all coordinates, then p' of each x: n + nx of them.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/phase_space.h"
#include "mechanics/kkt/workspace.h"

typedef enum LiaFieldId {
    LIA_FIELD_D_Y,
    LIA_FIELD_D_0,
    LIA_FIELD_MINUS_X_K,
    LIA_FIELD_H_Y,
    LIA_FIELD_Z,
    LIA_FIELD_ETA,
    LIA_FIELD_Q,
    LIA_FIELD_COUNT
} LiaFieldId;

// The force of the operator on one base coordinate, term by term:
//   lambda = inertia + theta_uu + potential + shape_pp + theta_pu + gyro   (theory of active constraints)
//          + linear (terms of L linear in v, or with t) - applied - reactions (other constraints)
typedef struct LiaOperatorForce {
    uint32_t coordinate;
    double inertia, theta_uu, potential, shape_pp, theta_pu, gyro;
    double linear, applied, reactions;
    double total;
    double
        given;  // what the multiplier form says; NaN: this base coordinate has no force of its own
} LiaOperatorForce;

typedef struct LiaFields {
    LiaArena* arena;
    uint32_t n, nx, rows;
    const uint32_t* x;     // coordinates whose momenta stand in the rows from n on     (nx)
    double t, *q, *v, *p;  // the state; p of all coordinates                           (n)
    double* field[LIA_FIELD_COUNT];  // NULL: not available                                (rows)
    bool has_Q;                      // there are applied forces

    // below: only where `split`
    bool split;
    const char* why;  // NULL, or why it could not be split
    uint32_t nf, nb;
    uint32_t *fibre, *base;  // coordinates                                               (nf), (nb)
    double *A, *Theta, *F;   // (nf x nb), (nb x nb), (nf x nb x nb)
    double *Y, *beta;        // (nb)
    double h0, K_Y;          // K_Y with its linear part
    LiaOperatorForce* lambda;  // (nb)

    double energy;  // v dL/dv - L
    double defect;  // largest difference of the sum and the multiplier form, over the largest term
    double lambda_defect;  // the same of the operator forces
} LiaFields;

/// Take the motion apart at the state (t, q, v): driven coordinates are put on their laws first. False with
/// out->why where K0 is singular there; NULL why: memory is out. Release with lia_fields_clear().
bool lia_fields_make(LiaPhaseSpace* space, double t, const double* q, const double* v,
                     LiaFields* out);
/// One of the fields in the words of rotations: with the attitude whose four numbers begin at `first`, the angular
/// velocity it gives, and how it changes the angular momentum, both in space axes.
void lia_fields_turn(const LiaFields* fields, uint32_t first, const double* field, double omega[3],
                     double moment[3]);
void lia_fields_clear(LiaFields* fields);
