// Contacts along a run: modes, what is watched, impacts. See the files of this room.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

/// The contacts of a run, and its start once more with those closed that touch. LIA_OK, LIA_MODEL,
/// LIA_MEMORY.
LiaStatus lia_contacts_start(LiaRunner* run, LiaStartState* start);
/// The first mode. LIA_OK, LIA_MODEL, LIA_MEMORY.
LiaStatus lia_contacts_start_mode(LiaRunner* run);
/// Can contacts act together with the operators that act through springs now?
bool lia_contacts_start_possible(const LiaRunner* run);
/// Impacts at the very start, after its first sample. False where the motion ends.
bool lia_contacts_start_strike(LiaRunner* run);
void lia_modes_destroy(LiaRunner* run);
/// How far a step of at most h may lead, its series made: the contacts that can close in it are
/// watched.
double lia_contacts_cover(LiaRunner* run, double h);
/// Where the mode ends within the step; false: it does not. *x: where.
bool lia_contact_watch_first(LiaRunner* run, double h, double* x);
/// How far a step may lead, up to h: not over a place where a slip turns.
double lia_contact_watch_limit(const LiaRunner* run, double h);
/// Does a slip of two components vanish so soon that the way there is straight? *x: when; *bend:
/// what the second terms of velocities are to be multiplied by, to stand for all further ones.
bool lia_slip_end_straight(LiaRunner* run, double* x, double* bend);
/// The speeds that the slip i is made of, of which it is rounding or not.
double lia_slip_end_speed(const LiaRunner* run, uint32_t i);
/// What of a slip that is watched is none: as a projection or a root leaves it.
double lia_slip_end_nothing(const LiaRunner* run, uint32_t i);
struct LiaRootFound;
enum { LIA_SLIP_ROOTS = 8 };
/// The first roots of a polynomial; where it has none, those that it has but for `floor`. How many.
int lia_slip_end_roots(const double* c, int degree, double h, double floor,
                       struct LiaRootFound* roots);
/// Where a polynomial has this root; where it only touches zero, which rounding blurs, the lowest
/// place.
double lia_slip_end_where(const double* c, int degree, const struct LiaRootFound* root);
/// Does a slip of one component come to zero within h and would go back, but for that? It is zero
/// there, and may stick. *x: when, before it passes zero.
bool lia_slip_end_touches(const LiaRunner* run, uint32_t i, double h, double* x);
/// Is one of what ends the mode a gap?
bool lia_contact_watch_closes(const LiaRunner* run);
/// Does the mode end where the step begins? A gap that leapt is said, and false.
bool lia_contact_watch_overdue(LiaRunner* run);
/// Is a gap below zero at h, where the step is to end, though it was not found to close? It is
/// said.
bool lia_gaps_astray(LiaRunner* run, double h);
/// Does a slip of two components vanish where the step has ended?
bool lia_contact_watch_slip_ends(const LiaRunner* run);
/// Is a contact closed?
bool lia_contacts_closed(const LiaRunner* run);
/// Does one touch, closed or without a force? What changes a force then may close it.
bool lia_gaps_touch(const LiaRunner* run);
/// Was a corner crossed, and the step begins there? True once.
bool lia_contacts_crossed(LiaRunner* run);
/// Over the corner at the end of the step that was taken, in a mode with closed contacts; back to
/// the state and the mode before it where the motion cannot go on.
LiaOutcome lia_contacts_cross(LiaRunner* run);
/// Where a step begins a formula went to another side, after the mode was found.
void lia_contact_watch_settled(LiaRunner* run);
/// A step was taken: nothing that is watched vanishes where the next one begins.
void lia_contact_watch_passed(LiaRunner* run);
/// At the end of the step that was taken: impacts, and the mode that goes on.
LiaOutcome lia_contacts_happen(LiaRunner* run);
/// At the end of the step that was taken, where events fired by which statements begin or end, or
/// states are set (run->watch.event_fires): first these, then contacts. False where the motion
/// ends.
bool lia_switches_happen(LiaRunner* run);
/// Do such events fire there?
bool lia_switches_due(const LiaRunner* run);
/// Is the corner that is crossed the beginning of statements?
bool lia_switches_begin(const LiaRunner* run);
/// To the mode in which they are on, or back. False if memory is out.
bool lia_switches_change(LiaRunner* run);
/// Did this constraint just begin? Then a verdict may say so.
bool lia_switches_begins(const LiaRunner* run, uint32_t constraint);
/// Which modes were visited, and the one the run is in: a reader goes over to it.
void lia_contacts_keep(LiaRunner* run, LiaKeep* keep);
/// Time in the mode that holds, up to now.
void lia_contact_record_all(LiaRunner* run);
