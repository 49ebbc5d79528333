// What the files of the fields share. Only they use this header.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/evaluation.h"
#include "geometry/phase_space/fields.h"

typedef struct LiaFieldsWork {
    LiaPhaseSpace* space;
    const LiaSystem* s;
    LiaFields* out;
    LiaEvaluation evaluation;  // of the reduced dynamics at the state
    LiaWorkspace* w;           // its workspace
    LiaExpr* p_rate;           // dp/dt                                                 (n)
    LiaValues values;          // of p_rate, Q, Omega, the energy
    size_t n, nf, nb;
    double *g, *G;  // metric; that of the fibre, Z^T g Z, factored
    LiaLu lu;
    double *b, *U_q;              // p and dL/dq at v = 0                                  (n)
    double *v_v, *v_h, *up, *ub;  // v_v, v_h, G^-1 p and G^-1 b as vectors of VM          (n)
    double *slope, *still, *low;  // scratch                                               (n)
    double* X_beta;               // the part of -X_K that is linear in Y: of beta Y      (rows)
    double* column;               // scratch of solutions with G                            (nf)
} LiaFieldsWork;

// fields.c
double* lia_fields_numbers(LiaFieldsWork* k, size_t count);
/// Q(a, w) into `out`: the derivatives of g(a, w) at constant components in the frame; d(b w)/dq,
/// the part that is linear in v, is taken away.
void lia_fields_metric_slope(LiaFieldsWork* k, const double* a, const double* w, double* out);
/// The derivatives of <b, w>, likewise.
void lia_fields_linear_slope(LiaFieldsWork* k, const double* w, double* out);
double lia_fields_dot(size_t n, const double* a, const double* b);
/// out += factor times the force of a row of the system.
void lia_fields_add_force(const LiaFieldsWork* k, uint32_t row, double factor, double* out);
bool lia_fields_is_base(const LiaFieldsWork* k, uint32_t row);

// servo.c: X_K and eta where Y depends on the fibre. False if (H) does not hold, or memory is out
bool lia_servo_fill(LiaFieldsWork* k);
// pulled_back.c: X_s*H and Y_W, and dTheta along the fibre. False if memory is out
bool lia_pulled_back_fill(LiaFieldsWork* k);
// frozen.c: D_0 and h0 where L is not quadratic; none where no velocities are found. False if
// memory is out
bool lia_frozen_fill(LiaFieldsWork* k);
// operator_force.c: curvature, the terms of the forces. False if memory is out
bool lia_operator_force_fill(LiaFieldsWork* k);
