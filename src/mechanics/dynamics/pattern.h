// Which entries of M, J and Omega can be other than zero: known from the formulas before anything
// runs.
//
// Columns that share no row are found together: one lane of a pass over the slopes gives all of
// them. For a chain of bodies the number of passes does not depend on its length.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct LiaPattern {  // by rows, columns rising
    int rows, columns;
    int* start;   // (rows + 1)
    int* column;  // (start[rows])
} LiaPattern;

typedef struct LiaRead {  // an entry of M or J is found in a lane of a register
    uint32_t reg, lane;
    uint32_t entry;  // of M; those of J follow
} LiaRead;

typedef struct LiaProbes {  // passes over slope_v, or slope_q
    uint32_t passes;
    uint32_t* coordinate;               // moved in its lane, pass after pass
    uint8_t* lane;                      // of each of them
    uint32_t *seed_start, *read_start;  // (passes + 1)
    LiaRead* reads;
    void* block;
} LiaProbes;

struct LiaSystem;
struct LiaDynamics;
/// Fill d->M, J, Omega, Omega_register, probe_v, probe_q, entry_at and sparse. False if memory is
/// out.
bool lia_pattern_make(const struct LiaSystem* s, struct LiaDynamics* d);
void lia_pattern_clear(struct LiaDynamics* d);
