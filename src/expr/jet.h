// Jets: running a tape order by order. The memory is one block per workspace; running allocates nothing.
// SPDX-License-Identifier: MIT
#pragma once
#include "tape.h"

#define LIA_JET_LANES      8  // columns of K0 found in one pass of the slopes
#define LIA_JET_ORDER_MOST 60

// An instruction and the series it works on. Before each series stand the changes of its top coefficient.
typedef struct LiaBound {
    double *out, *aux;
    const double *x, *y;
} LiaBound;
enum { LIA_JET_CHANGE_V = -2, LIA_JET_CHANGE_Q = -3 };

// A block of them, all of one code.
typedef struct LiaBoundBlock {
    const LiaBound *begin, *end;
    const LiaInstr* instrs;
    uint8_t code, offset;
} LiaBoundBlock;

typedef struct LiaJets {
    const LiaTape* tape;  // borrowed
    int order;            // highest stage is order - 1: v to `order`, q to `order` + 1
    int stride;           // doubles per register
    int top;              // highest coefficient kept
    double* s;        // series: s[r * stride + k]; see ops/convolution.h for what is between them
    LiaBound* bound;  // the instructions of all sections       (tape->instr_count)
    LiaBoundBlock* blocks;  // their blocks                         (tape->block_count)
    double* lanes_v;        // probes, LIA_JET_LANES per register
    double* lanes_q;
    double* lanes;        // of the last probe: one of the two
    signed char* side;    // per guard
    unsigned char* live;  // scratch of lia_jet_live()                (register_count)
    bool decide;          // sides are chosen by the values met, not kept
    bool correct_all;     // top coefficients are read from outside: none may be left uncorrected
    int driven;           // orders to which lia_jet_drive() has been at this time
    void* block;
} LiaJets;

bool lia_jet_init(LiaJets* jets, const LiaTape* tape, int order);
void lia_jet_clear(LiaJets* jets);

static inline double* lia_jet_series(const LiaJets* jets, uint32_t reg) {
    return jets->s + (size_t)reg * (size_t)jets->stride;
}

/// Which guards matter now: those of formulas in branches of `if` that are not taken do not. After order 0
/// has been run.
void lia_jet_live(const LiaJets* jets, bool* guards);
/// Load time and the driven coordinates' values (those with a rate law), run the laws and all that
/// depends on time alone, for all orders up to `top` + 2.
void lia_jet_drive(LiaJets* jets, double t, int top);
/// Orders below the first stage: 0 for registers needed one ahead, 0 and 1 for two ahead. q[0], q[1], v[0] are set.
void lia_jet_prologue(LiaJets* jets);
/// Stage k of section main: every register at order k + offset.
void lia_jet_stage(LiaJets* jets, int k);
/// The unknowns of stage k are known now: the caller has put them into v[k+1], q[k+2], and as changes before
/// these series. Add their part to the registers that were computed without them and are looked at again.
void lia_jet_correct(LiaJets* jets, int k);
void lia_jet_reaction(LiaJets* jets, int k);
/// Orders `from` to `to` of section post; nothing in the other sections waits for it.
void lia_jet_post(LiaJets* jets, int from, int to);
/// Section sample at order 0.
void lia_jet_sample(LiaJets* jets);
/// Derivatives at order 0 of class V registers by the velocities of `count` coordinates, each in its lane; those that
/// share a lane are summed. Result in lanes[reg * LIA_JET_LANES + lane].
void lia_jet_probe_v(LiaJets* jets, const uint32_t* coordinates, const uint8_t* lane,
                     uint32_t count);
/// The same for class Q registers (offset 2) by positions.
void lia_jet_probe_q(LiaJets* jets, const uint32_t* coordinates, const uint8_t* lane,
                     uint32_t count);
static inline double lia_jet_lane(const LiaJets* jets, uint32_t reg, int lane) {
    return jets->lanes[(size_t)reg * LIA_JET_LANES + (size_t)lane];
}
