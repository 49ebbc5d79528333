// Random models as model text, from a seed: what both ways are compared on.
//
// Every model is regular and starts consistently by construction: the kinetic energy is a sum of
// squares in triangular form, each equation has a pivot coordinate that stands in it with the
// factor 1 while the others stand with small ones, and the constants of equations are computed from
// the start.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/memory/arena.h"
#include "base/text/text.h"
#include <stdbool.h>
#include <stdint.h>

enum { GENERATOR_MOST = 6 };  // coordinates

// What a model has in it.
#define GENERATOR_FEATURES(X)                                                                      \
    X(VECTOR)                                                                                      \
    X(NONQUADRATIC)                                                                                \
    X(GYROSCOPIC)                                                                                  \
    X(TIME)                                                                                        \
    X(CONTROL)                                                                                     \
    X(LET)                                                                                         \
    X(FUNCTION)                                                                                    \
    X(FAMILY)                                                                                      \
    X(MASSLESS)                                                                                    \
    X(FORCE)                                                                                       \
    X(DISSIPATION)                                                                                 \
    X(GEOMETRIC)                                                                                   \
    X(RHEONOMIC)                                                                                   \
    X(LINEAR)                                                                                      \
    X(AFFINE)                                                                                      \
    X(NONLINEAR)                                                                                   \
    X(CHETAEV)                                                                                     \
    X(GIVEN)                                                                                       \
    X(TWO_EQUATIONS)                                                                               \
    X(DRIVEN_POSITION)                                                                             \
    X(DRIVEN_RATE)                                                                                 \
    X(SERVO)                                                                                       \
    X(BY)                                                                                          \
    X(MIXED)                                                                                       \
    X(GUESS)                                                                                       \
    X(NEAREST)                                                                                     \
    X(BACKWARDS)

enum {
#define X(name) FEATURE_##name,
    GENERATOR_FEATURES(X)
#undef X
        FEATURE_COUNT
};

typedef struct Generated {
    LiaArena* arena;
    uint64_t seed;
    int n;
    const char* names[GENERATOR_MOST];
    const char* coordinates;  // the coordinate statements
    const char* body;         // everything else but start and run
    const char* run;
    const char* text;  // the whole model
    double t0, t1;
    uint32_t features;  // bits 1 << FEATURE_
} Generated;

void generator_make(uint64_t seed, Generated* out);
void generator_clear(Generated* generated);
static inline bool generator_has(const Generated* m, int feature) {
    return m->features >> feature & 1;
}

/// The same model in other coordinates w1, w2, ...: each old coordinate is a `let` of the new ones,
/// and the rest of the text stays letter by letter. It starts where the old one does, at (q, v).
/// The motion of at1, at2, ... (both models observe the old coordinates) and of all forces must be
/// the same; powers too, unless the new coordinates move along (*moving): then the work of a force
/// is another one. The text lives as long as `generated`.
const char* generator_twin(const Generated* generated, uint64_t seed, const double* q,
                           const double* v, bool* moving);
