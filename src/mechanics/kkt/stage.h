// Stages: the series order by order. See stage.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

/// J a + gamma = 0 of all rows, into w->gamma, after matrices() or factor().
void lia_stage_gamma(LiaWorkspace* w);
/// Order 0: after load, residuals, factor.
void lia_stage_accelerate(LiaWorkspace* w);
/// In place of factor() and accelerate(), after load() and residuals(): order 0 with accelerations
/// (nf) and multipliers (rows, those of eliminated operators too) that came from elsewhere.
void lia_stage_given(LiaWorkspace* w, const double* a, const double* mu);
/// Stages 1 .. order-1 after accelerate: v to `order`, q to `order` + 1, mu and powers to order -
/// 1.
void lia_stage_series(LiaWorkspace* w, int order);
/// After load() and residuals(): dp/dt - G of the unknown coordinates with these accelerations (nf)
/// and multipliers (rows), and the sizes of the two.
void lia_dalembert_residual(LiaWorkspace* w, const double* a, const double* mu, double* defect,
                            double* size);

// --- parts of a stage, for the methods of degree/forces.h

/// Stage k with the unknowns at zero; multipliers of the rows of w->forces are left as they are.
void lia_stage_begin(LiaWorkspace* w, int k);
/// Solve for a[k], mu[k] of the active rows and correct the series.
void lia_stage_solve(LiaWorkspace* w, int k);
/// Stage 0 where accelerations and multipliers are not decided: they are NAN.
void lia_stage_undetermined(LiaWorkspace* w);
/// What stage 0, run with the unknowns at zero, leaves of the equations: K0 (a, mu) = b
/// of all rows (nf + nc).
void lia_stage_rest(LiaWorkspace* w, double* b);
/// Accelerations and multipliers of the active rows, in w->b, as after accelerate().
void lia_stage_take(LiaWorkspace* w);
/// Order 0, and order k, where K0 alone decides the forces: see degree/forces.h.
void lia_stage_accelerate_direct(LiaWorkspace* w);
void lia_stage_direct(LiaWorkspace* w, int k);
