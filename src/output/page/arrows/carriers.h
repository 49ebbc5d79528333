// Carriers: what a force can act on. A point of the picture, a rod, a body; and how each of them
// moves with each coordinate.
//
// The twist of a carrier by a coordinate is the velocity of its place and its angular velocity when
// that coordinate has the rate 1 and the others rest. A point has no angular velocity; that of a
// rod has no part along it.
// SPDX-License-Identifier: MIT
#pragma once
#include "output/page/scene.h"

enum {
    LIA_INSTANTS_EVEN = 10,   // samples of the motion at which carriers are compared, evenly spaced
    LIA_INSTANTS = 20,        // and at which contacts act
    LIA_CARRIERS_MOST = 192,  // of one picture
    LIA_ACTED_MOST = 64,      // coordinates; larger systems have no arrows that are looked for
    LIA_GROUND = 0,           // a carrier that does not move; others count from 1
};

typedef struct LiaCarriers {
    LiaScene* scene;
    uint32_t n;  // coordinates
    size_t instants[LIA_INSTANTS], instant_count;
    LiaExpr* formulas[LIA_CARRIERS_MOST + 1];  // of places, attitudes and their slopes
    double*
        twists[LIA_CARRIERS_MOST + 1];  // at the instants: lia_carriers_twists_size() numbers each
    bool turns[LIA_CARRIERS_MOST + 1];  // has an angular velocity
    uint64_t goes[LIA_CARRIERS_MOST + 1];   // coordinates that move its place, a bit each
    uint64_t spins[LIA_CARRIERS_MOST + 1];  // that turn it
    double reach;                           // how far the places are from one another
    double* scale;  // by coordinate: one over the length that its rate 1 moves something      (n)
} LiaCarriers;

/// Find the carriers of a scene, into scene->carriers. False if memory is out.
bool lia_carriers_find(LiaCarriers* carriers, LiaScene* scene);
/// Numbers of one carrier at one sample: its place (3), then by coordinate its velocity (3) and
/// angular velocity (3).
size_t lia_carriers_twists_size(const LiaCarriers* carriers);
/// These numbers at some samples. False if memory is out.
bool lia_carriers_twists_at(const LiaCarriers* carriers, uint32_t carrier, const size_t* samples,
                            size_t count, double* out);
/// The numbers at instant k; of the ground all are 0.
const double* lia_carriers_twists_instant(const LiaCarriers* carriers, uint32_t carrier, size_t k);
/// The velocity of the point of a carrier that is at P, by coordinate i.
void lia_carriers_twist_velocity(const double* twists, uint32_t i, const double* P, double* v);
/// What coordinates of unit length feel along their own direction means nothing: take it off.
/// x[stride * i] is that of coordinate i.
void lia_carriers_flatten(const LiaCarriers* carriers, size_t sample, double* x, size_t stride);
/// Is the place of `point` fixed to `carrier`, at all instants?
bool lia_carriers_hold(const LiaCarriers* carriers, uint32_t carrier, uint32_t point);
/// Does the carrier move with coordinate i?
bool lia_carriers_move(const LiaCarriers* carriers, uint32_t carrier, uint32_t i);
