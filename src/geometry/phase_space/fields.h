// The motion as a field on V*M, taken apart at one state.
//
//   D_Y = D_0 - X_K + H(Y) + Lambda#eta - Z  (+ Q, applied forces)
//
//   D_0         the field of h0, what the system would do with its base frozen
//   -X_K        K_Y = 1/2 Theta(Y, Y) + beta Y, the kinetic energy of the horizontal motion
//   H(Y)        the horizontal lift of the base's velocity Y by the kinetic connection
//   Lambda#eta  where Y depends on the fibre (a servo): eta = (Theta Y + beta) dY
//   -Z          the constraint forces on the momenta of the fibre
//
// The same as D_Y = X_s*H + Y_W - Z (+ Q), Dazord's theorem 4.1: s*H = h0 + 1/2 Theta(Y, Y) is the
// energy as a function on V*M, and Y_W the lift of Y by the connection of s*lambda, the momenta of
// the base as functions on V*M (pulled_back.c).
//
// The base are the functions f on the left of given statements (base.h): coordinates or any
// functions, directions and attitudes. Each part is computed from the metric's derivatives in the
// frame of f (frame.h), and their sum is compared with q' = v and p' = dp/dt along the
// accelerations that K0 gives. For a Lagrangian that is not quadratic in the velocities there is
// only D_Y = Y + X_R.
//
// Rows: q' of all coordinates, then <p, Z_j>' of each coordinate x_j of the fibre: n + nf of them.
// <p, Z_j> is the momentum of x_j while f is kept; p(x_j) itself where the base is made of
// coordinates.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/phase_space/frame.h"
#include "geometry/phase_space/phase_space.h"
#include "mechanics/kkt/workspace.h"

typedef enum LiaFieldId {
    LIA_FIELD_D_Y,
    LIA_FIELD_D_0,
    LIA_FIELD_MINUS_X_K,
    LIA_FIELD_H_Y,
    LIA_FIELD_Z,
    LIA_FIELD_ETA,
    LIA_FIELD_Q,
    LIA_FIELD_PARTS,  // those before are D_Y and its parts
    LIA_FIELD_X_SH = LIA_FIELD_PARTS,
    LIA_FIELD_Y_W,
    LIA_FIELD_COUNT
} LiaFieldId;

// The force of the base's statements along the horizontal lift of one function, term by term:
//   lambda = inertia + theta_uu + potential + shape_pp + theta_pu + gyro   (active constraints)
//          + linear (terms of L linear in v, or with t) - applied - reactions (other constraints)
typedef struct LiaOperatorForce {
    double inertia, theta_uu, potential, shape_pp, theta_pu, gyro;
    double linear, applied, reactions;
    double total;
    double given;  // what the multiplier form says: mu <Omega, N>
} LiaOperatorForce;

typedef struct LiaFieldsState {
    double t, *q, *v, *p;  // p of all coordinates                                      (n)
} LiaFieldsState;

typedef struct LiaFields {
    LiaArena* arena;
    uint32_t n, nx, rows;
    const uint32_t* x;  // coordinates whose momenta stand in the rows from n on     (nx)
    LiaFieldsState state;
    double* momentum;  // <p, Z_j> of the rows from n on                            (nx)
    double* field[LIA_FIELD_COUNT];  // NULL: not available                                (rows)
    bool has_Q;                      // there are applied forces

    // below: only where `split`
    bool split;
    const char* why;  // NULL, or why it could not be split
    LiaFrame frame;
    uint32_t nf, nb;
    uint32_t* base;          // the coordinate each function is; UINT32_MAX: none            (nb)
    const char** base_name;  // that coordinate, or the statement                           (nb)
    double *A, *Theta, *F;   // (nf x nb), (nb x nb), (nf x nb x nb)
    double* Theta_x;         // dTheta along the fibre                             (nb x nb x nx)
    double* N;         // horizontal lifts, one a row                                  (nb x n)
    double *Y, *beta;  // (nb)
    double h0, K_Y;    // K_Y with its linear part
    LiaOperatorForce* lambda;  // (nb)

    double energy;  // v dL/dv - L
    double defect;  // largest difference of the sum and the multiplier form, over the largest term
    double lambda_defect;  // the same of the operator forces
} LiaFields;

/// Take the motion apart at the state (t, q, v): driven coordinates are put on their laws first.
/// `base` NULL: the operators that have a coordinate or its velocity on their left. False with
/// out->why where K0 is singular there; NULL why: memory is out. Release with lia_fields_clear().
bool lia_fields_make(LiaPhaseSpace* space, const LiaFieldsBase* base, double t, const double* q,
                     const double* v, LiaFields* out);
/// Are all four numbers of the attitude that begins at `first` of the fibre, and do they stand for
/// themselves?
bool lia_attitude_fields_known(const LiaFields* fields, uint32_t first);
/// One of the fields in the words of rotations: with the attitude whose four numbers begin at
/// `first`, the angular velocity it gives, and how it changes the angular momentum, both in space
/// axes.
void lia_attitude_fields_turn(const LiaFields* fields, uint32_t first, const double* field,
                              double omega[3], double moment[3]);
/// The angular momentum p(R) in space axes.
void lia_attitude_fields_momentum(const LiaFields* fields, uint32_t first, double spin[3]);
/// A vector as the group number `group` of the model sees it in body axes: of an attitude the
/// angular velocity, an element of so(3); of a place the velocity, which with it makes one of
/// se(3), where the fibre has one attitude. False: the group is driven, or has no body axes.
bool lia_attitude_fields_body(const LiaFields* fields, const LiaModel* model, uint32_t group,
                              const double* vector, double out[3]);
/// F_ab as a vector, vertical.                                                              (n)
void lia_attitude_fields_curvature(const LiaFields* fields, uint32_t a, uint32_t b, double* vector);
void lia_fields_clear(LiaFields* fields);
