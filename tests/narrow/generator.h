// Random models with narrow features as model text, from a seed.
//
// A world (a point, a chain, a cart with pendulums, a skate, ...) runs along; a carrier is a
// quantity of it of which it is known from where to where it goes: a coordinate, an angle, a
// velocity, a distance, t. A shape (Gauss, Lorentz, a pole, ...) is a function of a carrier, narrow
// against that way; a place is where the shape stands in the model: in the potential, in the law of
// an operator, in an event, ... Amplitudes are such that the shape matters and the motion goes on.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/memory/arena.h"
#include "base/text/text.h"
#include "support/random.h"
#include <stdbool.h>
#include <stdint.h>

#define NARROW_SHAPES(X)                                                                           \
    X(GAUSS, "Gauss")                                                                              \
    X(SECH, "sech^2")                                                                              \
    X(LORENTZ, "Lorentz")                                                                          \
    X(LORENTZ_POWER, "Lorentz^p")                                                                  \
    X(TANH, "tanh")                                                                                \
    X(LOGISTIC, "logistic")                                                                        \
    X(ATAN, "atan")                                                                                \
    X(SQRT, "sqrt step")                                                                           \
    X(LOG, "log step")                                                                             \
    X(PRODUCT, "product")                                                                          \
    X(SUM, "sum")                                                                                  \
    X(NESTED, "nested")                                                                            \
    X(TRAIN, "train")                                                                              \
    X(WALL, "wall") /* from here on: energies only */                                              \
    X(LENNARD_JONES, "Lennard-J")                                                                  \
    X(YUKAWA, "Yukawa")                                                                            \
    X(MORSE, "Morse")                                                                              \
    X(POLE, "pole")

#define NARROW_PLACES(X)                                                                           \
    X(POTENTIAL, "potential")                                                                      \
    X(ANGLE, "angle")                                                                              \
    X(DISTANCE, "distance")                                                                        \
    X(PUSH, "push(t)")                                                                             \
    X(FIELD, "field(x)")                                                                           \
    X(VELOCITY, "velocity")                                                                        \
    X(DAMPING, "damping")                                                                          \
    X(MASS, "mass")                                                                                \
    X(MAGNET, "magnet")                                                                            \
    X(OPERATOR, "operator")                                                                        \
    X(SERVO, "servo")                                                                              \
    X(CURVE, "curve")                                                                              \
    X(KINEMATIC, "kinematic")                                                                      \
    X(CONTROL, "control")                                                                          \
    X(EVENT, "event")                                                                              \
    X(OBSERVE, "observe")

#define X(name, word) SHAPE_##name,
typedef enum Shape { NARROW_SHAPES(X) SHAPE_COUNT } Shape;
#undef X
#define X(name, word) PLACE_##name,
typedef enum Place { NARROW_PLACES(X) PLACE_COUNT } Place;
#undef X

const char* narrow_shape_name(Shape shape);
const char* narrow_place_name(Place place);

typedef struct Narrow {
    LiaArena* arena;
    const char* text;
    Shape shape;   // of the first feature
    Place place;   // where it stands
    double width;  // relative to the way of its carrier
    bool several;  // there is another one, of another width
    double time;   // of the run
} Narrow;

void narrow_make(uint64_t seed, Narrow* out);
void narrow_clear(Narrow* narrow);

// --- the parts ---------------------------------------------------------------------------------

typedef struct Carrier {
    const char* name;   // "x", "hypot(x2 - x1, y2 - y1)", "t"
    double from, to;    // its way
    const char* moved;  // the coordinate that a force on it acts on
} Carrier;

typedef struct World {
    LiaArena* arena;
    Random* r;
    LiaText coordinates, body, start;
    double t0, t1, speed;
    double begin;                    // velocity at the start: 0, the speed, or minus that
    bool backwards;                  // from t1 to t0
    const char* partner;             // a second coordinate with inertia; NULL: none
    Carrier place, angle, distance;  // name NULL: there is none
    bool steerable;                  // th may be given a rate
} World;

/// A world that suits a place. The texts are released by the caller.
void world_make(World* world, Place place);

/// A function of the carrier of height about 1. *localized: it is 0 (or nearly) far away, else a
/// step; *sign: it may be negative. `width` is absolute, `centre` where it is.
const char* shape_bounded(World* world, Shape shape, const Carrier* carrier, double centre,
                          double width, bool* localized, bool* negative);
/// A potential of the energy scale `energy`, repulsive poles and walls included.
const char* shape_energy(World* world, Shape shape, const Carrier* carrier, double centre,
                         double width, double energy);
