// Hash-consing: equal formulas are one node. A node is found by hashing, or added.
// SPDX-License-Identifier: MIT
#include "expr/graph/intern.h"
#include "base/memory/memory.h"
#include "base/watch.h"
#include "expr/graph/graph.h"
#include <stdlib.h>
#include <string.h>

static uint32_t hash_node(const LiaGraph* g, const LiaNode* n) {
    uint64_t h = n->op * 0x9e3779b97f4a7c15u + n->symbol_kind;
    if (n->op == LIA_OP_CONST) {
        uint64_t bits;
        memcpy(&bits, &g->numbers[n->a].value, sizeof bits);
        h = (h ^ bits) * 0xbf58476d1ce4e5b9u;
    } else {
        h = (h ^ n->a) * 0xbf58476d1ce4e5b9u;
        h = (h ^ (h >> 29) ^ n->b) * 0x94d049bb133111ebu;
        h = (h ^ (h >> 31) ^ n->c) * 0x9e3779b97f4a7c15u;
    }
    return (uint32_t)(h ^ (h >> 32));
}

static bool same_node(const LiaGraph* g, const LiaNode* x, const LiaNode* y) {
    if (x->op != y->op || x->symbol_kind != y->symbol_kind) return false;
    if (x->op == LIA_OP_CONST) {
        const LiaNumber *p = &g->numbers[x->a], *q = &g->numbers[y->a];
        return memcmp(&p->value, &q->value, sizeof p->value) == 0 && p->num == q->num &&
               p->den == q->den;
    }
    return x->a == y->a && x->b == y->b && x->c == y->c;
}

static bool grow_table(LiaGraph* g) {
    uint32_t size = g->table_size * 2;
    uint32_t* table = lia_memory_zeros(size, sizeof *table);
    if (!table) return false;
    for (uint32_t i = 1; i < g->count; i++) {
        uint32_t slot = hash_node(g, &g->nodes[i]) & (size - 1);
        while (table[slot]) slot = (slot + 1) & (size - 1);
        table[slot] = i;
    }
    free(g->table);
    g->table = table;
    g->table_size = size;
    return true;
}

LiaExpr lia_intern_node(LiaGraph* g, LiaNode node) {
    uint32_t mask = g->table_size - 1;
    uint32_t slot = hash_node(g, &node) & mask;
    for (; g->table[slot]; slot = (slot + 1) & mask) {
        if (same_node(g, &g->nodes[g->table[slot]], &node)) return (LiaExpr){g->table[slot]};
    }
    if (g->count % 256 == 0 && lia_watch_asked()) {
        g->failed = true;
        return (LiaExpr){1};
    }
    if (g->count == g->capacity) {
        LiaNode* nodes = lia_memory_resize(g->nodes, (size_t)g->capacity * 2 * sizeof *nodes);
        if (!nodes) {
            g->failed = true;
            return (LiaExpr){1};
        }
        g->nodes = nodes;
        g->capacity *= 2;
    }
    uint32_t index = g->count++;
    g->nodes[index] = node;
    g->table[slot] = index;
    if (g->count > g->table_size / 2 && !grow_table(g)) {
        g->failed = true;
        g->table[slot] = 0;
        g->count--;
        return (LiaExpr){1};
    }
    return (LiaExpr){index};
}

LiaExpr lia_intern_op(LiaGraph* g, LiaOp op, LiaExpr x, LiaExpr y, LiaExpr z) {
    LiaNode node = {.op = (uint8_t)op, .a = x.index, .b = y.index, .c = z.index};
    node.depends = (uint16_t)(g->nodes[x.index].depends | g->nodes[y.index].depends |
                              g->nodes[z.index].depends);
    return lia_intern_node(g, node);
}
