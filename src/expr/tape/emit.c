// Instructions of a tape: registers, guards, and what one node of the graph becomes.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "expr/tape/builder.h"
#include <math.h>
#include <string.h>

// --- registers, instructions, guards -----------------------------------------------------------

uint32_t lia_emit_register(LiaTapeBuilder* b) {
    LiaTape* tape = b->tape;
    if (tape->register_count == b->register_capacity) {
        uint32_t capacity = b->register_capacity ? b->register_capacity * 2 : 256;
        double* constants = lia_memory_resize(tape->constants, capacity * sizeof *constants);
        if (!constants) {
            tape->failed = true;
            return 0;
        }
        memset(constants + b->register_capacity, 0,
               (capacity - b->register_capacity) * sizeof *constants);
        tape->constants = constants;
        b->register_capacity = capacity;
    }
    return tape->register_count++;
}

void lia_emit_push(LiaTapeBuilder* b, LiaSection* section, LiaInstr instr) {
    if (section->count == section->capacity) {
        uint32_t capacity = section->capacity ? section->capacity * 2 : 64;
        LiaInstr* instrs = lia_memory_resize(section->instrs, capacity * sizeof *instrs);
        if (!instrs) {
            b->tape->failed = true;
            return;
        }
        section->instrs = instrs;
        section->capacity = capacity;
    }
    section->instrs[section->count++] = instr;
}

static uint32_t new_guard(LiaTapeBuilder* b, LiaGuardRule rule, uint32_t reg, uint32_t node) {
    LiaTape* tape = b->tape;
    if (tape->guard_count == tape->guard_capacity) {
        uint32_t capacity = tape->guard_capacity ? tape->guard_capacity * 2 : 8;
        LiaGuard* guards = lia_memory_resize(tape->guards, capacity * sizeof *guards);
        if (!guards) {
            tape->failed = true;
            return 0;
        }
        tape->guards = guards;
        tape->guard_capacity = capacity;
    }
    bool vital = b->section != &tape->sections.post;
    tape->cuts |= rule == LIA_GUARD_CUT;
    tape->guards[tape->guard_count++] =
        (LiaGuard){.reg = reg,
                   .rule = rule,
                   .node = {node},
                   .vital = vital,
                   .x = b->g->nodes[node].a,
                   .y = rule == LIA_GUARD_DIFFERENCE ? b->g->nodes[node].b : 0};
    return tape->guard_count;  // 1 + index
}

// --- one node ----------------------------------------------------------------------------------

// Beyond 2^53 all numbers are whole, and even: no exponent is meant so.
static const double exponent_most = 0x1p53;

// Whole powers as products: out = x^n, n >= 2.
static void emit_whole_power(LiaTapeBuilder* b, LiaInstr like, uint32_t out, uint32_t x,
                             int64_t n) {
    uint32_t square = x, result = 0;
    for (;;) {
        if (n & 1) {
            if (result) {
                LiaInstr mul = like;
                mul.code = LIA_CODE_MUL;
                mul.out = n == 1 ? out : lia_emit_register(b);
                mul.x = result, mul.y = square;
                lia_emit_push(b, b->section, mul);
                result = mul.out;
            } else {
                result = square;
            }
        }
        n >>= 1;
        if (n == 0) return;
        LiaInstr sq = like;
        sq.code = LIA_CODE_SQUARE;
        sq.out = n == 1 && !result ? out : lia_emit_register(b);
        sq.x = square, sq.y = 0;
        lia_emit_push(b, b->section, sq);
        square = sq.out;
    }
}

static void emit_power(LiaTapeBuilder* b, LiaInstr in, uint32_t node, double exponent) {
    double size = fabs(exponent);
    if (size == 0.0) {  // a parameter that happens to be 0: the constant 1
        uint32_t one = lia_emit_register(b);
        b->tape->constants[one] = 1.0;
        in.code = LIA_CODE_ADD, in.x = one, in.y = 0;
        lia_emit_push(b, b->section, in);
        return;
    }
    if (size != floor(size) || size > exponent_most) {
        in.code = LIA_CODE_CALL;
        if (b->section != &b->tape->sections.sample) {
            in.guard = new_guard(b, LIA_GUARD_POSITIVE, in.x, node);
        }
        lia_emit_push(b, b->section, in);
        return;
    }
    uint32_t up = in.x;  // x^|n|
    if (size > 1.0) {
        up = exponent > 0.0 ? in.out : lia_emit_register(b);
        emit_whole_power(b, in, up, in.x, (int64_t)size);
    }
    if (exponent < 0.0) {
        uint32_t one = lia_emit_register(b);
        b->tape->constants[one] = 1.0;
        in.code = LIA_CODE_DIV, in.x = one, in.y = up;
        lia_emit_push(b, b->section, in);
    } else if (size == 1.0) {  // a parameter that happens to be 1
        in.code = LIA_CODE_ADD, in.y = 0;
        lia_emit_push(b, b->section, in);
    }
}

static void emit_call(LiaTapeBuilder* b, LiaInstr in, uint32_t node) {
    const LiaOpKind* kind = lia_op_kinds[in.op];
    in.code = LIA_CODE_CALL;
    bool sampled = b->section == &b->tape->sections.sample;  // plain values: no guard needed
    if (kind->has_aux) in.aux = lia_emit_register(b);
    if (kind->guard != LIA_GUARD_NONE && !sampled) {
        uint32_t watched = in.x;
        if (kind->guard == LIA_GUARD_RESULT || kind->guard == LIA_GUARD_CUT) watched = in.out;
        if (kind->guard == LIA_GUARD_COMPANION) watched = in.aux;
        if (kind->guard == LIA_GUARD_DIFFERENCE) {
            LiaInstr sub = in;
            sub.code = LIA_CODE_SUB;
            sub.out = watched = lia_emit_register(b);
            sub.aux = sub.z = 0;
            lia_emit_push(b, b->section, sub);
        }
        in.guard = new_guard(b, kind->guard, watched, node);
    }
    lia_emit_push(b, b->section, in);
}

static bool is_number(const LiaTapeBuilder* b, uint32_t node) {
    return b->g->nodes[node].depends == 0;
}

// Emit node `i`; its arguments have registers. Computing again writes the same register.
// One pair for sin and cos of the same argument: out is the sine, aux the cosine.
static void emit_pair(LiaTapeBuilder* b, LiaInstr in, uint32_t i) {
    LiaTape* tape = b->tape;
    LiaOp op = (LiaOp)b->g->nodes[i].op;
    bool first = op == LIA_OP_SIN || op == LIA_OP_SINH;
    uint32_t mate = b->partner[i], p = lia_emit_register(b), q = lia_emit_register(b);
    in.out = p, in.aux = q;
    tape->register_of[i] = first ? p : q;
    if (mate) {
        tape->register_of[mate] = first ? q : p;
        if (b->section == &tape->sections.main && b->need[mate] > (int)in.offset) {
            in.offset = (uint8_t)b->need[mate];
        }
    }
    in.code = op == LIA_OP_SIN || op == LIA_OP_COS ? LIA_CODE_SINCOS : LIA_CODE_CALL;
    lia_emit_push(b, b->section, in);
}

void lia_emit_node(LiaTapeBuilder* b, uint32_t i) {
    LiaTape* tape = b->tape;
    const LiaNode* n = &b->g->nodes[i];
    LiaInstr in = {.op = n->op, .class = b->class[i]};
    if (b->section == &tape->sections.main) in.offset = (uint8_t)(b->need[i] < 0 ? 0 : b->need[i]);
    in.x = lia_emit_register_of(b, n->a), in.y = lia_emit_register_of(b, n->b),
    in.z = lia_emit_register_of(b, n->c);
    if (lia_emit_is_paired(n->op)) {
        emit_pair(b, in, i);
        return;
    }
    // A factor that comes out as 1 is no work, unless it is a parameter, which may change.
    if (n->op == LIA_OP_MUL) {
        bool left = is_number(b, n->a) && tape->constants[in.x] == 1.0;
        bool right = is_number(b, n->b) && tape->constants[in.y] == 1.0;
        if (left || right) {
            tape->register_of[i] = left ? in.y : in.x;
            return;
        }
    }
    if (!tape->register_of[i]) tape->register_of[i] = lia_emit_register(b);
    in.out = tape->register_of[i];
    switch ((LiaOp)n->op) {
    case LIA_OP_ADD:
        in.code = LIA_CODE_ADD;
        break;
    case LIA_OP_SUB:
        in.code = LIA_CODE_SUB;
        break;
    case LIA_OP_NEG:
        in.code = LIA_CODE_NEG;
        break;
    case LIA_OP_MUL:
        in.code = LIA_CODE_MUL;
        if (lia_emit_is_constant(b, n->b)) {
            uint32_t other = in.x;
            in.x = in.y, in.y = other;
            in.code = LIA_CODE_SCALE;
        } else if (lia_emit_is_constant(b, n->a)) {
            in.code = LIA_CODE_SCALE;
        } else if (b->large[n->a] || b->large[n->b]) {
            in.code = LIA_CODE_CALL;  // ops/product.c
        }
        break;
    case LIA_OP_DIV:
        in.code = lia_emit_is_constant(b, n->b) ? LIA_CODE_DIVIDE : LIA_CODE_DIV;
        break;
    case LIA_OP_POW:
        emit_power(b, in, i, tape->constants[in.y]);
        return;
    default:
        emit_call(b, in, i);
        return;
    }
    lia_emit_push(b, b->section, in);
}
