// Random numbers that are the same in every run: splitmix64 (Steele, Lea & Flood 2014). A state may
// begin with any number, 0 too.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdint.h>

static inline uint64_t lia_random_bits(uint64_t* state) {
    uint64_t x = (*state += 0x9e3779b97f4a7c15u);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// Evenly from (-1, 1).
static inline double lia_random_even(uint64_t* state) {
    return (double)(lia_random_bits(state) >> 11) * 0x1p-52 - 1.0;
}

/// Evenly from (1/2, 1): a number that is far from 0 and of no special value.
static inline double lia_random_generic(uint64_t* state) {
    return 0.5 + (double)(lia_random_bits(state) >> 12) * 0x1p-53;
}
