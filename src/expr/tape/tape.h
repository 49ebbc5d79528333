// Tape: formulas compiled to straight-line code over registers, run as values or as jets.
//
// A register is a Taylor series in time: s[r][k] is the normalized coefficient of order k. The same
// tape gives plain values (order 0) and, order by order, the series of the residual of d'Alembert's
// principle (see motion/run/taylor.c). Registers are sorted by what they depend on, because that
// decides when their coefficients can be known:
//
//   class  depends on                        runs
//   C      parameters only                   once, order 0
//   T      time and driven coordinates       first, all orders at once      (section drive)
//   Q      free positions                    stage k computes order k + offset (section main)
//   V      free velocities                   likewise, offset 0 or 1
//   F      multipliers                       order k; again in post, when mu[k] is known
//   A      accelerations, works              post and sample only
//
// The offset of a register is how far ahead its users need it: at stage k the momenta p are needed
// to order k + 1, geometric constraints phi to order k + 2. There the unknowns a[k] enter,
// affinely: stage k runs with the unknowns at zero, and when they are found
// lia_jet_slopes_correct() adds their part through the derivatives of order 0, wherever a later
// order looks back at it: sums do not, products do.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/graph.h"
#include "expr/ops/op.h"

typedef enum LiaCode {
    LIA_CODE_ADD,
    LIA_CODE_SUB,
    LIA_CODE_NEG,
    LIA_CODE_MUL,
    LIA_CODE_SCALE,  // x is constant in time
    LIA_CODE_SQUARE,
    LIA_CODE_DIV,
    LIA_CODE_DIVIDE,  // y is constant in time
    LIA_CODE_SINCOS,
    LIA_CODE_CALL,  // any other operation, through ops/
} LiaCode;

typedef enum LiaClass {
    LIA_CLASS_C,
    LIA_CLASS_T,
    LIA_CLASS_Q,
    LIA_CLASS_V,
    LIA_CLASS_F,
    LIA_CLASS_A,
} LiaClass;

typedef struct LiaInstr {
    uint8_t code;                // LiaCode
    uint8_t op;                  // LiaOp, for CALL
    uint8_t offset;              // at stage k this computes order k + offset
    uint8_t class;               // LiaClass
    uint32_t out, aux, x, y, z;  // registers; register 0 is always zero
    uint32_t guard;              // 1 + index into guards; 0: analytic
} LiaInstr;

// A place where a formula is not analytic: a root of register `reg` (of reg - pi and reg + pi for a
// cut).
typedef struct LiaGuard {
    uint32_t reg;
    LiaGuardRule rule;
    LiaExpr node;   // the formula it belongs to, for messages
    bool vital;     // the motion depends on it; else only an event or a power does
    uint32_t x, y;  // the nodes of its arguments
} LiaGuard;

/// Are guards of two tapes on one side, always? A formula and its derivative, abs(x) and sign(x),
/// have the same arguments and are different nodes; one tape may have the first alone.
static inline bool lia_guard_same(const LiaGuard* a, const LiaGuard* b) {
    bool sides = a->rule == LIA_GUARD_ARGUMENT || a->rule == LIA_GUARD_DIFFERENCE;
    return a->rule == b->rule &&
           (a->node.index == b->node.index || (sides && a->x == b->x && a->y == b->y));
}

// Where the coefficients of a register stand; in a tape that is not large all have series. See
// allocate.h.
typedef enum LiaRoom {
    LIA_ROOM_SERIES,
    LIA_ROOM_LAYER,
    LIA_ROOM_BRIEF,
    LIA_ROOM_POOL,  // brief, for one window after the other
    // a series that belongs to no window: constants, and what depends on time alone
    LIA_ROOM_FIXED,
} LiaRoom;
enum { LIA_ROOMS = LIA_ROOM_FIXED + 1 };

// Neighbours of one code and one offset: decided once, run in a tight loop. See schedule.h.
typedef struct LiaBlock {
    uint8_t code;  // LiaCode
    uint8_t offset;
    uint8_t out, x, y;    // LiaRoom of its registers
    uint32_t begin, end;  // instructions [begin, end)
} LiaBlock;

typedef struct LiaSection {
    LiaInstr* instrs;
    uint32_t count, capacity;
    LiaBlock* blocks;
    uint32_t block_count;
    uint32_t first, first_block;  // instructions and blocks of the tape before this section
} LiaSection;

// A part of section main that is run through for itself: from where its blocks are, those of its
// corrections, and the registers that came with it.
typedef struct LiaWindow {
    uint32_t block, correct_v, correct_q, reg;
} LiaWindow;

// A coordinate that is driven: q_i = law(t, driven q), or q_i' = law(t, driven q) if `rate`.
typedef struct LiaDrive {
    uint32_t coordinate;
    LiaExpr law;
    bool rate;
} LiaDrive;

typedef struct LiaRoot {
    LiaExpr expr;
    int offset;
    bool read_after;  // its coefficients are read when the unknowns of their order are known, too
    // how it is read: a series as a whole, in layers by the order, brief at once or at order 0
    uint8_t room;
    // no later order needs it: its value is read at order 0, the others when all are known
    bool aside;
} LiaRoot;

typedef struct LiaTapeSpec {
    const LiaGraph* graph;
    const double* parameters;
    uint32_t coordinate_count, multiplier_count, work_count;
    const LiaDrive* drives;  // in an order in which each uses earlier ones only
    uint32_t drive_count;
    const LiaRoot* roots;  // section main
    uint32_t root_count;
    bool run_once;             // no stage is run again after a later one has been
    const LiaExpr* reactions;  // section reaction: after the solve, before `post`
    uint32_t reaction_count;
    const LiaExpr* posts;  // section post: series wanted once a[k], mu[k] are known
    uint32_t post_count;
    uint32_t watched_first, watched_count;  // of the posts: those that are only watched
    const LiaExpr* samples;                 // section sample: values at order 0
    uint32_t sample_count;
} LiaTapeSpec;

// The instructions of a tape, in the order in which they are run.
typedef struct LiaSections {
    LiaSection law;    // laws of the drives, all orders first
    LiaSection drive;  // other registers of class T
    LiaSection main;
    LiaSection slope_v;    // the instructions of main that depend on v at their top order
    LiaSection slope_q;    // the instructions of main that depend on q at their top order
    LiaSection correct_v;  // of slope_v, those whose top coefficient is ever looked at again
    LiaSection correct_q;  // of slope_q, likewise
    LiaSection aside;      // roots that no later order needs, and what only they need
    LiaSection reaction;
    LiaSection post;
    LiaSection sample;
    bool post_of_works;  // some instruction of post needs the series of a work
} LiaSections;

typedef struct LiaTape {
    uint32_t register_count;
    uint32_t instr_count, block_count;  // of all sections
    double* constants;      // value of each register of class C (register_count), 0 elsewhere
    bool* watched;          // by register: the motion does not depend on it, only what is watched
    uint8_t* room;          // LiaRoom of each register; NULL: all have series
    uint32_t* register_of;  // by node index
    uint32_t node_count;

    uint32_t time;       // register of t
    uint32_t* position;  // registers of q_i, v_i, a_i, mu_j, W_l; 0 where not used
    uint32_t* velocity;
    uint32_t* acceleration;
    uint32_t* multiplier;
    uint32_t* work;
    uint32_t coordinate_count, multiplier_count, work_count;

    LiaDrive* drives;
    uint32_t* drive_register;  // of each law
    uint32_t drive_count;

    LiaSections sections;
    bool ahead;  // some instruction of main has offset 2

    LiaWindow* windows;  // of main, where the tape is large; one more stands for the end
    uint32_t window_count;

    uint32_t* wanted;  // registers of all roots whose series are wanted
    uint32_t wanted_count;

    LiaGuard* guards;
    uint32_t guard_count, guard_capacity;
    bool cuts;  // some guard is a cut: LIA_GUARD_CUT
    bool failed;
} LiaTape;

/// Compile. NULL if memory is out.
LiaTape* lia_tape_create(const LiaTapeSpec* spec);
void lia_tape_destroy(LiaTape* tape);
/// The sections, all of them, one after the other.
enum { LIA_SECTIONS = 11 };
const LiaSection* lia_tape_section(const LiaSections* of, int i);
/// Register of a formula that was a root of some section.
static inline uint32_t lia_tape_register(const LiaTape* tape, LiaExpr e) {
    return e.index < tape->node_count ? tape->register_of[e.index] : 0;
}
/// Readable listing: `liaison dump --stage=tape`.
void lia_listing_tape(const LiaTape* tape, LiaText* out);
