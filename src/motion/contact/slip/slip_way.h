// The way from rest to where slips of two components have directions: slip_begin.c goes it.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/contact/decide.h"

enum { LIA_SLIP_POINTS = 5 };  // of Radau

// M y = y, for velocities along the directions.
typedef struct LiaSlipEquations {
    double *M, *y, *scales;
    int* row;
} LiaSlipEquations;

// Formulas with sides on a way.
typedef struct LiaSlipGuards {
    double* value;      // at the points                           (LIA_SLIP_POINTS x guards)
    signed char* side;  // at the instant                          (guards)
} LiaSlipGuards;

typedef struct LiaSlipWay {
    LiaRunner* run;
    const LiaInstant* at;
    const LiaContactMode* mode;
    size_t n, lines;
    int p;       // directions of velocities that friction changes
    double d;    // time
    double end;  // of it: where the way ends
    bool slow;   // slips that have just begun are guessed as those that begin slowly
    double A[LIA_SLIP_POINTS][LIA_SLIP_POINTS];
    double polynomial[LIA_SLIP_POINTS]
                     [LIA_SLIP_POINTS + 1];  // of Lagrange, of each point, over 0..1
    double *q, *v, *a;      // at the points                             (LIA_SLIP_POINTS x n)
    double* power;          //                                           (LIA_SLIP_POINTS x lines)
    double* mu;             //                                           (LIA_SLIP_POINTS x rows)
    double* rest;           // of the equations for v                    (LIA_SLIP_POINTS x n)
    double *before, *step;  // v, and a step of it                   (LIA_SLIP_POINTS x n)
    double left;            // of them, the largest
    double slip[LIA_SLIP_POINTS];  // the least that begins
    double* U;                     // the directions, orthonormal               (p x n)
    double* unit;                  // of velocities: see slip_begin.c           (n)
    double* other;                 // accelerations with another velocity       (n)
    double* G;  // what they do to accelerations             (LIA_SLIP_POINTS x p x n)
    LiaSlipEquations equations;
    void* block;
    LiaSlipGuards guards;
} LiaSlipWay;

// On which sides of formulas a way was found.
typedef enum LiaSlipSides {
    LIA_SLIP_SIDES_RIGHT,
    LIA_SLIP_SIDES_CHANGED,  // they are others now: it is to be found again
    LIA_SLIP_SIDES_CORNER,   // there is a corner on the way, after the instant
} LiaSlipSides;

/// Block k % LIA_CONTACT_BLOCKS of contact k / LIA_CONTACT_BLOCKS of the response, if it slides
/// along two components in this mode; else NULL.
const LiaFrictionBlock* lia_slip_way_block(const LiaRunner* run, const LiaResponse* response,
                                           const LiaContactMode* mode, int k);
/// Does it slide so from rest on, and begin with the square of the time, since friction that sticks
/// has just reached its bound?
bool lia_slip_way_slowly(const LiaRunner* run, const LiaInstant* at, const LiaContactMode* mode,
                         int k);
/// The same on the way, or has it just begun?
bool lia_slip_way_slow(const LiaSlipWay* way, int k);
/// At the start, before the first sample: into the mode at the instant. Slips that begin are so
/// small that nothing moves by them, and have the direction in which they are pulled; those that
/// begin slowly stick. The way is gone after the sample (contacts->start.waits).
LiaTrial lia_slip_way_wait(LiaRunner* run, const LiaContactMode* mode, const LiaInstant* at);
/// The sides of the instant are kept, in the mode of the way. False if memory is out.
bool lia_slip_way_keep_sides(LiaSlipWay* way);
/// They are taken again: the way is not gone.
void lia_slip_way_restore_sides(const LiaSlipWay* way);
/// The values of formulas with sides at point j: those that run->w has.
void lia_slip_way_note_sides(const LiaSlipWay* way, int j);
/// Formulas that are zero at the instant take the side that they have on the way.
LiaSlipSides lia_slip_way_settle_sides(LiaSlipWay* way);
/// Radau's points, from 0 to 1.
extern const double lia_slip_guess_points[LIA_SLIP_POINTS];
/// The first velocities at the points.
LiaTrial lia_slip_guess(LiaSlipWay* way);
/// A short time into the mode, to where its slips have directions: `part` of the longest step. The
/// way, empty but for `slow`, is to be cleared in any case.
LiaTrial lia_slip_begin(LiaRunner* run, const LiaContactMode* mode, const LiaInstant* at,
                        double part, LiaSlipWay* way);
/// Where another gap closes on the way, it ends: that instant, into run->w. False: none does, or
/// memory is out.
bool lia_slip_way_cut(LiaSlipWay* way);
/// The state where it ends, into run->w.
void lia_slip_way_end(const LiaSlipWay* way);
/// The time since which a slip has grown that grows as it does, the least of all slips of two
/// components; INFINITY: there is none. Friction turns a young slip fast, which short steps would
/// have to follow: such slips begin as those from rest do.
double lia_slip_way_age(const LiaRunner* run, const LiaInstant* at, const LiaContactMode* mode);
/// The samples on the way, which is the one that was taken. False if memory is out.
bool lia_slip_way_sample(LiaSlipWay* way);
void lia_slip_way_clear(LiaSlipWay* way);
