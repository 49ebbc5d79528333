// A tape being built: what its parts (needs, instructions, sections) share.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/tape/tape.h"

typedef struct LiaTapeBuilder {
    const LiaTapeSpec* spec;
    const LiaGraph* g;
    LiaTape* tape;
    uint32_t register_capacity;
    uint8_t* class;     // per node
    int8_t* need;       // per node: offset in main, -1 where not needed
    uint8_t* again;     // per node: computed again after the solve
    uint32_t* partner;  // SIN(x) <-> COS(x), SINH(x) <-> COSH(x); 0: none
    uint8_t* large;     // per node: may be too large for a number, or what is nothing next to such
    uint8_t* wanted;    // per node, scratch: stands below the roots at hand
    LiaSection* section;  // where instructions go now
} LiaTapeBuilder;

static inline uint32_t lia_emit_register_of(const LiaTapeBuilder* b, uint32_t node) {
    return b->tape->register_of[node];
}

static inline bool lia_emit_is_constant(const LiaTapeBuilder* b, uint32_t node) {
    return b->class[node] == LIA_CLASS_C;
}

/// Operations that run as pairs on one argument.
static inline bool lia_emit_is_paired(uint8_t op) {
    return op == LIA_OP_SIN || op == LIA_OP_COS || op == LIA_OP_SINH || op == LIA_OP_COSH;
}

// emit.c: registers and instructions
/// A register of its own; 0 and tape->failed where memory is out.
uint32_t lia_emit_register(LiaTapeBuilder* b);
void lia_emit_push(LiaTapeBuilder* b, LiaSection* section, LiaInstr instr);
/// The instructions of node `i` into b->section; its arguments have registers. Computing again
/// writes the same register.
void lia_emit_node(LiaTapeBuilder* b, uint32_t i);

// needs.c: what nodes depend on, and who needs them
/// Class of every node. False if memory is out.
bool lia_needs_classify(LiaTapeBuilder* b);
/// Which nodes may be too large for a number: b->large.
void lia_needs_find_large(LiaTapeBuilder* b);
/// sin(x) and cos(x) run as one instruction wherever both are met. False if memory is out.
bool lia_needs_find_partners(LiaTapeBuilder* b);
/// Offsets of the roots, and from them of all below.
void lia_needs_spread(LiaTapeBuilder* b);
/// Mark all nodes below the roots: b->wanted.
void lia_needs_mark(LiaTapeBuilder* b, const LiaExpr* roots, uint32_t count);
/// Mark also what must be computed again after the solve because a later order looks back at it.
void lia_needs_mark_histories(LiaTapeBuilder* b);
