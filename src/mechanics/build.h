// The steps of building a system, each in its own file. Only mechanics uses this header.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/assembly/resolve.h"
#include "mechanics/system.h"

/// rules.c: the model with other force rules, in the system's arena. NULL if memory is out.
const LiaModel* lia_rules_build(LiaSystem* system, const LiaModel* model,
                                const LiaSystemOptions* options, LiaDiags* diags);
/// energy.c: L, its gradient, energies, momenta of the symmetries; applied forces and dissipation.
bool lia_energy_build(LiaSystem* system, LiaResolver* resolver, LiaDiags* diags);
/// The applied forces of all times: without those that begin and end. False if memory is out.
bool lia_energy_applied(LiaSystem* system, LiaResolver* resolver, LiaExpr* Q);
/// generator.c: does a generator, xi of each coordinate ({0}: not moved), keep directions what they
/// are? A mistake is reported. False if memory is out.
bool lia_generator_build(LiaSystem* system, const LiaSymmetry* symmetry, const LiaExpr* xi,
                         LiaDiags* diags);
/// constraints.c: the rows with J left to the tape and Omega as formulas.
bool lia_constraints_build(LiaSystem* system, LiaResolver* resolver, LiaDiags* diags);
/// massless_spin.c: turns without inertia that nothing sees; P and lent.
bool lia_massless_spin_build(LiaSystem* system, LiaResolver* resolver);
/// rough.c: friction of what holds both ways. False if memory is out, or with an error said.
bool lia_rough_build(LiaSystem* system, LiaResolver* resolver, LiaDiags* diags);
/// contacts.c: the contacts and what is watched while all are open.
bool lia_contacts_build(LiaSystem* system, LiaResolver* resolver);
/// Their list, and room for modes. False if memory is out.
bool lia_contact_list_make(LiaSystem* system, LiaResolver* resolver);
/// carried.c: gaps of closed contacts of a mode with sliding that follow from others, d(gap_k) =
/// sum of part[k, a] d(gap_a) (count x count, zeros on entry). False if memory is out.
bool lia_carried_find(const LiaSystem* system, const uint32_t* closed, uint32_t count,
                      bool* carried, double* part);
/// A row in which nothing is decided by the mode.
LiaRow* lia_contacts_row(LiaSystem* system, uint32_t row);
/// The power of a force that acts: with a factor that the mode says, where it begins and ends.
LiaExpr lia_contacts_of_force(LiaSystem* system, uint32_t force, LiaExpr power);
/// The formulas of the mode a run begins in, from those of any mode. False if memory is out.
bool lia_contacts_settle(LiaSystem* system);
/// powers.c: the power of a constraint, by the rows and multipliers of the system.
LiaExpr lia_powers_of_constraint(LiaSystem* system, uint32_t constraint);
/// system.c: full, plain and reduced.
bool lia_system_dynamics(LiaSystem* system, bool eliminate);
/// branch.c: the signs of joints as formulas.
bool lia_branch_build(LiaSystem* system, LiaResolver* resolver);
/// start_contact.c: where to look for the places of contacts.
bool lia_start_contact_build(LiaSystem* system, LiaResolver* resolver);
/// powers.c: what friction of a contact or a rough constraint takes, in the mode of the system.
LiaExpr lia_powers_of_friction(LiaSystem* system, uint32_t constraint);
/// powers.c: the lines of the ledger.
bool lia_powers_build(LiaSystem* system, LiaResolver* resolver, LiaDiags* diags);
/// samples.c: events and what is computed at each sample.
bool lia_samples_build(LiaSystem* system, LiaResolver* resolver);
/// kinetic_check.c: warnings of kinetic energies that can hardly be meant. False if memory is out.
bool lia_kinetic_check_build(LiaSystem* system, LiaDiags* diags);
/// dissipation_check.c: a warning of a dissipation that is linear in a velocity. False if memory is
/// out.
bool lia_dissipation_check_build(LiaSystem* system, LiaResolver* resolver, LiaDiags* diags);
/// eliminate.c: which coordinates are driven; lists of drives and their rows, in an order in which
/// each law uses earlier ones only. Returns their number.
uint32_t lia_eliminate_build(LiaSystem* system, LiaDrive* drives, uint32_t* rows);
/// dynamics.c: lists, formulas and the tape of one way to run; `full`: with the rows that follow
/// from others. NULL if memory is out.
LiaDynamics* lia_dynamics_create(LiaSystem* system, bool full, const LiaDrive* drives,
                                 const uint32_t* drive_rows, uint32_t drive_count);
void lia_dynamics_destroy(LiaDynamics* dynamics);
/// A sentence for the summary: what the program chose.
void lia_system_choice(LiaSystem* system, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// parameters.c
/// Something was decided by the values of all parameters in these formulas. False if memory is out.
bool lia_parameters_pin(LiaSystem* s, const LiaExpr* roots, size_t count);
/// Tapes are made by the values of exponents.
bool lia_parameters_pin_exponents(LiaSystem* s);
/// What a copy of a system has of its own.
void lia_parameters_release_copy(LiaSystem* s);
