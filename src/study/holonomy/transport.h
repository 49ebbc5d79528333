// Parallel transport of the kinetic connection along the loop that operators go, and the curvature
// inside of it.
//
// The loop is s(t), the laws of the base, over the time of a run; how fast it is gone does not
// matter. The lift obeys x' = N_a(x, s) s'^a. It is followed by Gauss's collocation: where N does
// not depend on x that is Gauss's quadrature of the line integral, and it keeps unit lengths.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/numeric/gauss.h"
#include "geometry/connection/connection.h"

typedef struct LiaTransport {
    LiaConnection c;
    double t0, t1;
    const double* q0;  // where the lift begins; borrowed                        (n)
    int* law;          // rows of the workspace that drive the base              (base_count)
    bool* turns;       // rows of equations between rotations                     (base_count)
    size_t lawless;    // where lia_transport_law() fails: which of the base
    bool* driven;      // is a coordinate of the base                             (n)
    LiaGauss rule;
    double *Z, *f, *s, *ds;  // at the nodes: positions, rates, base and its rates
    double *q, *F;           // scratch                                            (n)
    void* block;
} LiaTransport;

typedef enum LiaLift {
    LIA_LIFT_DONE,
    LIA_LIFT_RUNS_AWAY,     // it leaves all bounds before the loop is closed
    LIA_LIFT_UNDETERMINED,  // at a place of the loop the connection has no value
    LIA_LIFT_CONTRADICTS,   // what the base does the other equations do not allow
    LIA_LIFT_STOPPED,       // by the budget
} LiaLift;

/// Base: `count` coordinates that laws of time drive or, where base[a] is UINT32_MAX, functions of
/// coordinates: of the row rows[a] of the system. False if memory is out. Release with
/// lia_transport_clear().
bool lia_transport_init(LiaTransport* x, const LiaSystem* system, const uint32_t* base,
                        const uint32_t* rows, size_t count);
void lia_transport_clear(LiaTransport* x);
/// Rows, their gradients and M at rest at a place, in the workspace.
void lia_transport_rest_at(LiaTransport* x, double t, const double* q);
/// The base and its rates at a time, functions relative to q0. False where they have no value, or
/// are no function of time alone.
bool lia_transport_law(LiaTransport* x, double t, double* s, double* ds);
/// The horizontal velocity at the place where lifts were found last: N ds. Equations between
/// rotations ask for a rate that depends on the place: it is taken from there, not from ds.
void lia_transport_lifted(const LiaTransport* x, const double* ds, double* v);
/// Does the row of a function of coordinates set it to a function of time alone?
bool lia_transport_separates(LiaTransport* x, size_t a);
/// Move q to where the base has the values s. Functions: q0 satisfies their rows at t0. False where
/// that does not succeed, and where attitudes are driven.
bool lia_transport_place(LiaTransport* x, const double* s, double* q);
/// At the place that the workspace stands at: do the equations that hold admit rest? Else there is
/// a drift besides the connection; `row` of the workspace (may be NULL).
bool lia_transport_rests(const LiaTransport* x, int* row);
/// Follow the lift from q0 to the end: positions there, and how much the last refinement changed
/// them, by coordinate. *end is where it ended.
LiaLift lia_transport_follow(LiaTransport* x, double* q1, double* error, double* end);
/// Over two coordinates: is the lift of a coordinate the same all along the fibre, and at all
/// times?
bool lia_transport_invariant(LiaTransport* x, uint32_t component);
/// Minus the integral of the curvature over what the loop goes round, by coordinate, with its
/// change by the last refinement. For two coordinates of the base, by so many panels round the loop
/// at most; twice as many take four times as long. False where it is not determined.
enum { LIA_AREA_PANELS = 32 };
bool lia_transport_area(LiaTransport* x, int panels, double* area, double* error);
/// The integral of dt over M_ii along the loop: what a momentum 1 of the coordinate i adds.
double lia_transport_slowness(LiaTransport* x, uint32_t i);
