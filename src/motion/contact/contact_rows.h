// The rows of one contact as numbers: see contact_rows.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/contact/contacts.h"
#include "motion/runner.h"

// A row at a state: its velocity psi, J a + gamma its acceleration, Omega its force direction.
typedef struct LiaContactRow {
    double psi, gamma;
    double *J, *Omega;  // zeros where they come                              (n)
} LiaContactRow;

// Restitution and coefficients of friction at a state, as the model has them.
typedef struct LiaContactLaws {
    double restitution;
    double kinetic[LIA_CONTACT_BLOCKS], most[LIA_CONTACT_BLOCKS];  // by block
} LiaContactLaws;

// A block of friction of a contact.
typedef struct LiaContactBlock {
    uint32_t contact, block;
} LiaContactBlock;

typedef struct LiaContactRowFormulas LiaContactRowFormulas;

/// Nothing is made yet. NULL if memory is out.
LiaContactRowFormulas* lia_contact_rows_create(const LiaSystem* base);
/// NULL is allowed.
void lia_contact_rows_destroy(LiaContactRowFormulas* formulas);
/// Make the formulas of a contact where there are none. False if memory is out.
bool lia_contact_rows_make(LiaContactRowFormulas* formulas, uint32_t contact);
/// Is a formula of the contact one of several pieces, so that the state does not say which holds?
/// Then rows() is not to be asked.
bool lia_contact_rows_in_pieces(const LiaContactRowFormulas* formulas, uint32_t contact);
/// Has a contact, or any, a coefficient of friction that is not the same all along?
bool lia_contact_rows_varies(const LiaContactRowFormulas* formulas, uint32_t contact);
bool lia_contact_rows_vary(const LiaContactRowFormulas* formulas);
/// The laws of a contact at the state of w. False: it has no formulas yet.
bool lia_contact_rows_laws(LiaContactRowFormulas* formulas, uint32_t contact, const LiaWorkspace* w,
                           LiaContactLaws* laws);
/// The laws and the rows of a contact (lia_system_contact_rows) at the state of w.
void lia_contact_rows_find(LiaContactRowFormulas* formulas, uint32_t contact, const LiaWorkspace* w,
                           LiaContactLaws* laws, LiaContactRow* rows);
/// The speeds that the slip of a block is the difference of: those that its coordinates have met,
/// and that of what is driven. Where it is less than their rounding it is none. NAN: not known.
double lia_contact_rows_speed(LiaContactRowFormulas* formulas, const LiaContactBlock* of,
                              const LiaSpeeds* speeds);
/// How much the gap changes where all positions change by what they are relative to. NAN: not
/// known.
double lia_contact_rows_length(LiaContactRowFormulas* formulas, uint32_t contact,
                               const LiaRunner* run);
/// Which contacts have formulas, in the order in which they were made: a reader makes them.
void lia_contact_rows_keep(LiaContactRowFormulas* formulas, LiaKeep* keep);
