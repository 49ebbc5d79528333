// Random systems with contacts, as numbers and as a model text.
//
// At most four coordinates, a mass matrix that depends on one of them, gravity, springs, damping;
// where it is so wanted one constraint and one operator. Either up to three smooth contacts, or one
// rough one, in the plane or in space. Gaps are quadratic, slips linear. From the seed WORLD_ROUGH
// on there are two or three contacts, most of them rough, in the plane, and up to six coordinates.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WORLD_N = 6, WORLD_CONTACTS = 3, WORLD_TEXT = 16384, WORLD_ROUGH = 1000000 };

typedef struct WorldContact {
    double c, a[WORLD_N], b[WORLD_N];  // gap = c + a.q + b.q^2/2
    double restitution;
    int slips;                      // 0: smooth; 1: in the plane; 2: in space
    double s[2][WORLD_N], belt[2];  // slip = s.v + belt
    double friction, static_friction;
} WorldContact;

typedef struct World {
    int n;
    double M[WORLD_N][WORLD_N];
    double wobble;  // kinetic energy has wobble sin(q1) q2'^2 / 2 more; n >= 2
    double weight[WORLD_N], stiffness[WORLD_N], rest[WORLD_N], damping;
    int contacts;
    WorldContact contact[WORLD_CONTACTS];
    bool held;  // constraint: hold_c + hold_a.q + hold_b.q^2/2 = 0
    double hold_c, hold_a[WORLD_N], hold_b[WORLD_N];
    bool driven;  // operator: the last coordinate is middle + amplitude sin(rate t + phase)
    double middle, amplitude, rate, phase;
    double q[WORLD_N], v[WORLD_N];
    double end;
} World;

/// The same for the same seed, on every machine.
void world_make(uint64_t seed, World* w);
/// The model text, up to w->end. False if it has no room.
bool world_text(const World* w, char* text, size_t size);
