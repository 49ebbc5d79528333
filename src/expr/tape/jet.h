// Jets: running a tape order by order. The memory is one block per workspace; running allocates
// nothing.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/file/keep.h"
#include "expr/tape/parts.h"

#define LIA_JET_LANES      8  // columns of K0 found in one pass of the slopes
#define LIA_JET_ORDER_MOST 60

// Where the coefficients of a register stand, in numbers from LiaJets.s, and above LIA_OFFSET_BITS
// how:
//   0  a series, one after the other;
//   1  in layers, one for each order, in which all such registers stand side by side;
//   2  the same, but only the value and the newest orders are kept. See allocate.h.
enum { LIA_OFFSET_BITS = 30, LIA_BRIEF_ORDERS = 4 };
#define LIA_OFFSET_LAYER ((uint32_t)1 << LIA_OFFSET_BITS)
#define LIA_OFFSET_BRIEF ((uint32_t)2 << LIA_OFFSET_BITS)
#define LIA_OFFSET_MASK  (LIA_OFFSET_LAYER - 1)

// An instruction and the offsets of its registers, without the bit.
typedef struct LiaBound {
    uint32_t out, x, y;  // y of a sine: its cosine
} LiaBound;

// A block of them, all of one code; see LiaBlock.
typedef struct LiaBoundBlock {
    const LiaBound *begin, *end;
    const LiaInstr* instrs;
    uint8_t code, offset, out, x, y;
} LiaBoundBlock;

// An instruction through which changes run, and the registers they belong to.
typedef struct LiaBoundChange {
    LiaBound at;
    uint32_t out, x, y;
} LiaBoundChange;

// Blocks of corrections.
typedef struct LiaBoundCorrections {
    const LiaBlock *begin, *end;
    const LiaBoundChange* first;  // of the section
    const LiaInstr* instrs;
} LiaBoundCorrections;

// A window of section main. Windows that are equal but for where they begin share their
// blocks: the offsets in them count from `series`, `layer` and `brief`, the registers of changes
// from `reg`.
typedef struct LiaBoundWindow {
    const LiaBoundBlock *begin, *end;
    LiaBoundCorrections of_v, of_q;
    size_t series, layer, brief, reg;
} LiaBoundWindow;

// How far from its offset coefficient k of a register stands, in a series, in layers, brief.
typedef struct LiaOrder {
    size_t from[3];
} LiaOrder;

typedef struct LiaJets {
    const LiaTape* tape;          // borrowed
    const LiaSections* sections;  // that run: those of the tape, or `own`
    LiaSections* own;             // without products with 1: settle.h; NULL: those of the tape
    uint32_t* same;               // then: the register whose series each has
    int order;                    // highest stage is order - 1: v to `order`, q to `order` + 1
    int top;                      // highest coefficient kept
    size_t layer_count;           // registers in layers
    size_t brief_count;           // brief ones
    double* s;                // coefficients; see ops/convolution.h for what is between the series
    uint32_t* offset;         // of each register                          (register_count)
    LiaBound* bound;          // the instructions of all sections          (instructions)
    LiaBoundBlock* blocks;    // their blocks                              (blocks)
    LiaBoundWindow* windows;  // of main, in a large tape                  (tape->window_count)
    LiaBoundChange* changes;  // those of slopes and corrections, from slope_v on
    double* change_v;         // changes of the top coefficients by velocities   (register_count)
    double* change_q;         // and by positions
    double* lanes_v;          // probes, LIA_JET_LANES per register
    double* lanes_q;
    double* lanes;          // of the last probe: one of the two
    signed char* side;      // per guard
    const LiaAwake* awake;  // which parts of section post run; NULL: all
    unsigned char* live;    // scratch of lia_jet_live()                (register_count)
    bool decide;            // sides are chosen by the values met, not kept
    bool correct_all;       // top coefficients are read from outside: none may be left uncorrected
    int driven;             // orders to which lia_jet_drive() has been at this time
    void* block;
} LiaJets;

/// Codes that a window may share with others: those that need nothing but their offsets.
static inline bool lia_jet_is_plain(uint8_t code) {
    return code == LIA_CODE_ADD || code == LIA_CODE_SUB || code == LIA_CODE_NEG ||
           code == LIA_CODE_MUL || code == LIA_CODE_SCALE || code == LIA_CODE_SQUARE ||
           code == LIA_CODE_DIVIDE;
}
/// `settled`: the parameters stay as they are. False if memory is out.
bool lia_bind_jets(LiaJets* jets, const LiaTape* tape, int order, bool settled);
void lia_bind_clear_jets(LiaJets* jets);
/// Keep all coefficients, and the sides of guards.
void lia_bind_keep_jets(LiaJets* jets, LiaKeep* keep);

static inline LiaOrder lia_jet_order(const LiaJets* jets, int k) {
    size_t brief = k == 0 ? 0 : 1 + (size_t)k % LIA_BRIEF_ORDERS;
    return (LiaOrder){{(size_t)k, (size_t)k * jets->layer_count, brief * jets->brief_count}};
}
static inline double* lia_jet_at(const LiaJets* jets, uint32_t offset, const LiaOrder* order) {
    return jets->s + (offset & LIA_OFFSET_MASK) + order->from[offset >> LIA_OFFSET_BITS];
}
/// All coefficients of a register that has a series.
static inline double* lia_jet_series(const LiaJets* jets, uint32_t reg) {
    return jets->s + jets->offset[reg];
}
/// Coefficient k of any register; of a brief one 0, or one of the last it was run for.
static inline double lia_jet_coefficient(const LiaJets* jets, uint32_t reg, int k) {
    uint32_t offset = jets->offset[reg];
    if (!jets->tape->room) return jets->s[offset + (uint32_t)k];
    LiaOrder order = lia_jet_order(jets, k);
    return *lia_jet_at(jets, offset, &order);
}

/// Coefficients 0 to `top` of a register that is not brief, one after the other: where they stand,
/// or in `room`.
static inline const double* lia_jet_read(const LiaJets* jets, uint32_t reg, int top, double* room) {
    uint32_t offset = jets->offset[reg];
    if (!(offset & LIA_OFFSET_LAYER)) return jets->s + offset;
    const double* from = jets->s + (offset & LIA_OFFSET_MASK);
    for (int k = 0; k <= top; k++) room[k] = from[(size_t)k * jets->layer_count];
    return room;
}

/// Which guards matter now: those of formulas in branches of `if` that are not taken do not. After
/// order 0 has been run.
void lia_jet_live(const LiaJets* jets, bool* guards);
/// Load time and the driven coordinates' values (those with a rate law), run the laws and all that
/// depends on time alone, for all orders up to `top` + 2.
void lia_jet_drive(LiaJets* jets, double t, int top);
/// Orders below the first stage: 0 for registers needed one ahead, 0 and 1 for two ahead. q[0],
/// q[1], v[0] are set.
void lia_jet_prologue(LiaJets* jets);
/// Stage k of section main: every register at order k + offset.
void lia_jet_stage(LiaJets* jets, int k);
/// After prologue(), with all of order 0 in place: the values that it left out. No stage was run.
void lia_jet_values(LiaJets* jets);
/// The unknowns of stage k are known now: the caller has put them into v[k+1], q[k+2], and as
/// changes into change_v, change_q. Add their part to the registers that were computed without them
/// and are looked at again.
void lia_jet_slopes_correct(LiaJets* jets, int k);
/// The same for one window.
void lia_jet_slopes_correct_window(const LiaJets* jets, const LiaBoundWindow* w, int k);
/// In a tape with windows: correct(k) and then stage(next), window by window, so that what a window
/// needs comes from memory once. `before` and `after` are called around each: the unknowns that it
/// is the first to read must be in place then, and what it writes is there afterwards.
void lia_jet_onward(LiaJets* jets, int k, int next, void (*before)(void* data, uint32_t window),
                    void (*after)(void* data, uint32_t window), void* data);
/// Does it look at change_q?
static inline bool lia_jet_corrects_q(const LiaJets* jets) {
    return (jets->correct_all ? &jets->sections->slope_q : &jets->sections->correct_q)->count > 0;
}
/// Section aside at order k, which main has run.
void lia_jet_aside(LiaJets* jets, int k);
void lia_jet_reaction(LiaJets* jets, int k);
/// Orders `from` to `to` of section post; nothing in the other sections waits for it.
void lia_jet_post(LiaJets* jets, int from, int to);
/// The same of one part of it, which may rest.
void lia_jet_part(LiaJets* jets, uint32_t part, int from, int to);
/// Sections aside and sample at order 0.
void lia_jet_sample(LiaJets* jets);
/// Derivatives at order 0 of class V registers by the velocities of `count` coordinates, each in
/// its lane; those that share a lane are summed. Result in lanes[reg * LIA_JET_LANES + lane].
void lia_jet_slopes_probe_v(LiaJets* jets, const uint32_t* coordinates, const uint8_t* lane,
                            uint32_t count);
/// The same for class Q registers (offset 2) by positions.
void lia_jet_slopes_probe_q(LiaJets* jets, const uint32_t* coordinates, const uint8_t* lane,
                            uint32_t count);
static inline double lia_jet_lane(const LiaJets* jets, uint32_t reg, int lane) {
    if (jets->same) reg = jets->same[reg];
    return jets->lanes[(size_t)reg * LIA_JET_LANES + (size_t)lane];
}
