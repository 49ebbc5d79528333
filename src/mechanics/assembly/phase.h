// A model of a phase space: what moves its variables, x' = {x, H} + forces + W mu, as formulas.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/assembly/resolve.h"
#include "mechanics/system.h"

/// The flow of every coordinate, into system->flow; nothing where the model has a Lagrangian. False
/// if memory is out.
bool lia_phase_build(LiaSystem* system, LiaResolver* resolver, LiaDiags* diags);
/// The rate of H along a direction, which has so much of each phase variable (n).
LiaExpr lia_phase_rate_of_H(LiaSystem* system, const LiaExpr* direction);
/// The force direction of a row of a constraint, its impulse alone, into Omega (n), and what the
/// force is multiplied by in the power: dH(W), into row->Omega_v. False where its direction is zero
/// (said), or memory is out.
bool lia_phase_direction(LiaSystem* system, LiaResolver* resolver, LiaRow* row, LiaExpr* Omega,
                         LiaDiags* diags);
/// How many coordinates are phase variables; they come first, impulses after them.
uint32_t lia_phase_variables(const LiaSystem* system);
/// A place around the start, away from it by about its size.
void lia_phase_sample(const LiaSystem* system, double* q, uint64_t* random);
/// casimir.c: Casimir functions, in the places of momenta. False if memory is out.
bool lia_casimir_build(LiaSystem* system, LiaResolver* resolver);
/// jacobi.c: a warning where Jacobi's identity fails, with the triple and by how much. False if
/// memory is out.
bool lia_jacobi_check(LiaSystem* system, LiaDiags* diags);
