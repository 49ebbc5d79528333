// Jets: running a tape order by order. The memory is one block per workspace; running allocates nothing.
// SPDX-License-Identifier: MIT
#pragma once
#include "tape.h"

#define LIA_JET_LANES      8  // columns of K0 found in one pass of the slopes
#define LIA_JET_ORDER_MOST 60

// Where the coefficients of a register stand, in numbers from LiaJets.s: a series, one after the other; or, with
// this bit, in layers, one for each order, in which all such registers stand side by side (allocate.h).
#define LIA_PLACE_LAYERED 0x80000000u

// An instruction and the places of its registers, without the bit.
typedef struct LiaBound {
    uint32_t out, x, y;  // y of a sine: its cosine
} LiaBound;

// A block of them, all of one code; see LiaBlock.
typedef struct LiaBoundBlock {
    const LiaBound *begin, *end;
    const LiaInstr* instrs;
    uint8_t code, offset, layered;
} LiaBoundBlock;

// An instruction through which changes run, and the registers they belong to.
typedef struct LiaBoundChange {
    LiaBound at;
    uint32_t out, x, y;
} LiaBoundChange;

// How far from its place coefficient k of a register stands.
typedef struct LiaOrder {
    size_t series, layer;
} LiaOrder;

typedef struct LiaJets {
    const LiaTape* tape;      // borrowed
    int order;                // highest stage is order - 1: v to `order`, q to `order` + 1
    int top;                  // highest coefficient kept
    size_t layered_count;     // registers in layers
    double* s;                // coefficients; see ops/convolution.h for what is between the series
    uint32_t* place;          // of each register                          (register_count)
    LiaBound* bound;          // the instructions of all sections          (tape->instr_count)
    LiaBoundBlock* blocks;    // their blocks                              (tape->block_count)
    LiaBoundChange* changes;  // those of slopes and corrections, from slope_v on
    double* change_v;         // changes of the top coefficients by velocities   (register_count)
    double* change_q;         // and by positions
    double* lanes_v;          // probes, LIA_JET_LANES per register
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

static inline LiaOrder lia_jet_order(const LiaJets* jets, int k) {
    return (LiaOrder){(size_t)k, (size_t)k * jets->layered_count};
}
static inline double* lia_jet_at(const LiaJets* jets, uint32_t place, const LiaOrder* order) {
    if (place & LIA_PLACE_LAYERED) return jets->s + (place & ~LIA_PLACE_LAYERED) + order->layer;
    return jets->s + place + order->series;
}
/// All coefficients of a register that has a series.
static inline double* lia_jet_series(const LiaJets* jets, uint32_t reg) {
    return jets->s + jets->place[reg];
}
/// Coefficient k of any register.
static inline double lia_jet_coefficient(const LiaJets* jets, uint32_t reg, int k) {
    uint32_t place = jets->place[reg];
    if (!jets->layered_count) return jets->s[place + (uint32_t)k];
    LiaOrder order = lia_jet_order(jets, k);
    return *lia_jet_at(jets, place, &order);
}

/// Coefficients 0 to `top` of any register, one after the other: where they stand, or in `room`.
static inline const double* lia_jet_read(const LiaJets* jets, uint32_t reg, int top, double* room) {
    uint32_t place = jets->place[reg];
    if (!(place & LIA_PLACE_LAYERED)) return jets->s + place;
    const double* from = jets->s + (place & ~LIA_PLACE_LAYERED);
    for (int k = 0; k <= top; k++) room[k] = from[(size_t)k * jets->layered_count];
    return room;
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
/// The unknowns of stage k are known now: the caller has put them into v[k+1], q[k+2], and as changes into
/// change_v, change_q. Add their part to the registers that were computed without them and are looked at again.
void lia_jet_correct(LiaJets* jets, int k);
/// Section aside at order k, which main has run.
void lia_jet_aside(LiaJets* jets, int k);
void lia_jet_reaction(LiaJets* jets, int k);
/// Orders `from` to `to` of section post; nothing in the other sections waits for it.
void lia_jet_post(LiaJets* jets, int from, int to);
/// Sections aside and sample at order 0.
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
