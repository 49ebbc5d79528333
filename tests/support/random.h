// Random numbers for tests: the same on every machine for the same seed (splitmix64).
// SPDX-License-Identifier: MIT
#pragma once
#include <stdint.h>

typedef struct Random {
    uint64_t state;
} Random;

static inline uint64_t random_bits(Random* r) {
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/// Even in [0, 1).
static inline double random_unit(Random* r) { return (double)(random_bits(r) >> 11) * 0x1p-53; }

/// Even in [low, high).
static inline double random_between(Random* r, double low, double high) {
    return low + (high - low) * random_unit(r);
}

/// A whole number of low..high, both included.
static inline int random_whole(Random* r, int low, int high) {
    return low + (int)(random_bits(r) % (uint64_t)(high - low + 1));
}

/// True with the chance p.
static inline int random_chance(Random* r, double p) { return random_unit(r) < p; }

/// Of either sign, its size even in [least, most).
static inline double random_signed(Random* r, double least, double most) {
    double x = random_between(r, least, most);
    return random_chance(r, 0.5) ? x : -x;
}
