// Friction of rough constraints in the impacts of contacts: see rough_impact.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/contact/contacts.h"

typedef struct LiaRoughImpact {
    uint32_t count;       // of rough constraints
    int trial, trials;    // combinations of their modes
    double* slip;         // before                                              (count)
    double* J;            // of the slips                                        (count x n)
    double* coefficient;  // of friction                                         (count)
    void* block;
} LiaRoughImpact;

/// Slips and coefficients at the state of run->w. False if memory is out; clear it in any case.
bool lia_rough_impact_begin(const LiaRunner* run, LiaRoughImpact* x);
void lia_rough_impact_clear(LiaRoughImpact* x);
/// All modes once more, by the slips of now.
void lia_rough_impact_again(const LiaRunner* run, LiaRoughImpact* x);
/// The next modes in which they may bear the impact, into begins.open. False: there are no more.
bool lia_rough_impact_next(LiaRunner* run, LiaRoughImpact* x);
/// How the contacts that touch in `r` answer impulses in these modes. FOUND, or there are none.
LiaResponseFound lia_rough_impact_response(LiaRunner* run, const LiaRoughImpact* x,
                                           const LiaResponse* r, LiaResponse* out);
/// Do the impulses that were found keep Coulomb's law in these modes?
bool lia_rough_impact_holds(LiaRunner* run, const LiaRoughImpact* x);
/// Of one contact: the impulse of its gap at which the first slip ends in these modes, and which;
/// INFINITY: none does.
double lia_rough_impact_ends(const LiaRunner* run, const LiaRoughImpact* x, const LiaResponse* r,
                             uint32_t* which);
/// The impulses that were found are those up to there: the slips after.
void lia_rough_impact_pass(LiaRunner* run, LiaRoughImpact* x, uint32_t ended);
/// The impulses of friction, to those of all rows.
void lia_rough_impact_friction(LiaRunner* run, const LiaRoughImpact* x, double* impulse);
