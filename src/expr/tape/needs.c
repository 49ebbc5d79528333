// What the nodes of a tape depend on (their class), and how far ahead and in which section they are
// needed. See tape.h.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "expr/tape/builder.h"
#include <stdlib.h>
#include <string.h>

static uint32_t argument(const LiaNode* n, int arg) {
    return arg == 0 ? n->a : arg == 1 ? n->b : n->c;
}

static bool driven(const LiaTapeBuilder* b, uint32_t coordinate) {
    for (uint32_t d = 0; d < b->spec->drive_count; d++) {
        if (b->spec->drives[d].coordinate == coordinate) return true;
    }
    return false;
}

static LiaClass symbol_class(const LiaNode* n, const uint8_t* is_driven) {
    switch ((LiaSymbolKind)n->symbol_kind) {
    case LIA_SYMBOL_TIME:
        return LIA_CLASS_T;
    case LIA_SYMBOL_PARAMETER:
        return LIA_CLASS_C;
    case LIA_SYMBOL_POSITION:
        return is_driven[n->a] ? LIA_CLASS_T : LIA_CLASS_Q;
    case LIA_SYMBOL_VELOCITY:
        return is_driven[n->a] ? LIA_CLASS_T : LIA_CLASS_V;
    case LIA_SYMBOL_ACCELERATION:
        return is_driven[n->a] ? LIA_CLASS_T : LIA_CLASS_A;
    case LIA_SYMBOL_MULTIPLIER:
        return LIA_CLASS_F;
    default:
        return LIA_CLASS_A;
    }
}

bool lia_needs_classify(LiaTapeBuilder* b) {
    uint32_t count = b->spec->coordinate_count;
    uint8_t* is_driven = lia_memory_zeros(count + 1, 1);
    if (!is_driven) return false;
    for (uint32_t i = 0; i < count; i++) is_driven[i] = driven(b, i);
    for (uint32_t i = 1; i < b->g->count; i++) {
        const LiaNode* n = &b->g->nodes[i];
        uint8_t class = LIA_CLASS_C;
        if (n->op == LIA_OP_SYMBOL) {
            class = (uint8_t)symbol_class(n, is_driven);
        } else {
            for (int arg = 0; arg < lia_op_arity((LiaOp)n->op); arg++) {
                uint8_t c = b->class[argument(n, arg)];
                if (c > class) class = c;
            }
        }
        b->class[i] = class;
    }
    free(is_driven);
    return true;
}

// sin(x) and cos(x) run as one instruction wherever both are met.
bool lia_needs_find_partners(LiaTapeBuilder* b) {
    uint32_t* seen = lia_memory_zeros((size_t)b->g->count * 4, sizeof *seen);
    if (!seen) return false;
    for (uint32_t i = 1; i < b->g->count; i++) {
        const LiaNode* n = &b->g->nodes[i];
        if (!lia_emit_is_paired(n->op)) continue;
        uint32_t kind = n->op == LIA_OP_SIN    ? 0
                        : n->op == LIA_OP_COS  ? 1
                        : n->op == LIA_OP_SINH ? 2
                                               : 3;
        seen[(size_t)n->a * 4 + kind] = i;
        uint32_t mate = seen[(size_t)n->a * 4 + (kind ^ 1)];
        if (mate) {
            b->partner[i] = mate;
            b->partner[mate] = i;
        }
    }
    free(seen);
    return true;
}

void lia_needs_find_large(LiaTapeBuilder* b) {
    for (uint32_t i = 1; i < b->g->count; i++) {
        const LiaNode* n = &b->g->nodes[i];
        switch ((LiaOp)n->op) {
        case LIA_OP_EXP:
        case LIA_OP_SINH:
        case LIA_OP_COSH:
            b->large[i] = b->class[i] != LIA_CLASS_C;
            break;
        case LIA_OP_LOG:
        case LIA_OP_SIN:
        case LIA_OP_COS:
        case LIA_OP_TANH:
        case LIA_OP_ATAN:
        case LIA_OP_ATAN2:
            break;  // bounded, or nearly so
        default:
            for (int arg = 0; arg < lia_op_arity((LiaOp)n->op); arg++)
                b->large[i] |= b->large[argument(n, arg)];
        }
    }
}

void lia_needs_spread(LiaTapeBuilder* b) {
    for (uint32_t r = 0; r < b->spec->root_count; r++) {
        int8_t* need = &b->need[b->spec->roots[r].expr.index];
        if (*need < b->spec->roots[r].offset) *need = (int8_t)b->spec->roots[r].offset;
    }
    for (uint32_t i = b->g->count - 1; i > 0; i--) {
        if (b->need[i] < 0) continue;
        const LiaNode* n = &b->g->nodes[i];
        for (int arg = 0; arg < lia_op_arity((LiaOp)n->op); arg++) {
            int8_t* need = &b->need[argument(n, arg)];
            if (*need < b->need[i]) *need = b->need[i];
        }
    }
}

// Mark all nodes below the roots.
void lia_needs_mark(LiaTapeBuilder* b, const LiaExpr* roots, uint32_t count) {
    memset(b->wanted, 0, b->g->count);
    uint32_t top = 0;
    for (uint32_t r = 0; r < count; r++) {
        b->wanted[roots[r].index] = 1;
        if (roots[r].index > top) top = roots[r].index;
    }
    for (uint32_t i = top; i > 0; i--) {
        if (!b->wanted[i]) continue;
        const LiaNode* n = &b->g->nodes[i];
        for (int arg = 0; arg < lia_op_arity((LiaOp)n->op); arg++) b->wanted[argument(n, arg)] = 1;
    }
}

// Formulas of multipliers in main are first run with mu[k] = 0. Where a later order looks back at
// coefficient k (mu/y at its own, sin(mu) and (mu + 1)*y at that of the argument), it must be
// computed again when mu[k] is known. Sums, scaled ones and mu*y itself are never looked back at.
void lia_needs_mark_histories(LiaTapeBuilder* b) {
    for (uint32_t i = b->g->count - 1; i > 0; i--) {
        const LiaNode* n = &b->g->nodes[i];
        if (b->class[i] != LIA_CLASS_F || b->need[i] < 0 || n->op == LIA_OP_SYMBOL) continue;
        bool own = false, arguments = false;
        switch ((LiaOp)n->op) {
        case LIA_OP_ADD:
        case LIA_OP_SUB:
        case LIA_OP_NEG:
            break;
        case LIA_OP_MUL:
            arguments = !lia_emit_is_constant(b, n->a) && !lia_emit_is_constant(b, n->b);
            break;
        case LIA_OP_DIV:
            own = !lia_emit_is_constant(b, n->b);
            break;
        default:
            own = true;
        }
        if (own) b->wanted[i] = 1;
        if (!arguments && !b->wanted[i]) continue;
        for (int arg = 0; arg < lia_op_arity((LiaOp)n->op); arg++) b->wanted[argument(n, arg)] = 1;
    }
}
