// What errors are measured against: see scales.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

typedef struct LiaStep LiaStep;  // taylor.h: the series, taken from the workspace

// Sizes met so far: what an error is measured against. Of each family of coordinates, so that a
// large one does not spoil a small one: see family.c.
typedef struct LiaScales {
    double q[2], v[2];      // the largest by kind: lengths (line, space), angles (all others)
    double met_q[2];        // without what the start looked ahead for
    double *own_q, *own_v;  // of each coordinate                             (n); NULL: as its kind
    double *ahead_q, *ahead_v;  // what it is to come to in this step, having been at rest  (n)
    const uint32_t* family;     // the first coordinate of its family             (n)
    double* noise;              // acceleration by rounding of forces: noise.c    (n); NULL: none
    double energy;              // what works are measured against
    double met_energy;          // of that what moved or worked, nothing that was looked ahead for
    double ahead_energy;        // what they are to come to in this step, after rest
    double noise_power;         // by how much it changes powers in a second
    double span;                // length of the whole run
    bool begun;                 // the first series has been seen
    double tolerance;           // of which these are the roots, of the orders of v, q, works
    double part_v, part_q, part_work;
    double angle_most;  // how large terms of a sine may be for it
} LiaScales;

/// 0 for a coordinate measured as a length, 1 for one whose natural size is 1.
int lia_scales_kind(const LiaWorkspace* w, uint32_t coordinate);
static inline double lia_scale_q(const LiaScales* s, const LiaWorkspace* w, uint32_t i) {
    return s->own_q ? lia_larger(s->own_q[i], s->ahead_q[i]) : s->q[lia_scales_kind(w, i)];
}
static inline double lia_scale_v(const LiaScales* s, const LiaWorkspace* w, uint32_t i) {
    return s->own_v ? lia_larger(s->own_v[i], s->ahead_v[i]) : s->v[lia_scales_kind(w, i)];
}
static inline double lia_scale_energy(const LiaScales* s) {
    return lia_larger(s->energy, s->ahead_energy);
}
/// Bring the scales up to date with the series in w, which `step` has taken.
void lia_scales_measure(const LiaWorkspace* w, const LiaStep* step, LiaScales* scales);
