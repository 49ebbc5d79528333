// Values of formulas. See evaluate.h.
// SPDX-License-Identifier: MIT
#include "expr/graph/evaluate.h"
#include "base/memory/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool lia_evaluate_init(LiaValues* values, const LiaGraph* g, const LiaExpr* roots, size_t count) {
    *values = (LiaValues){.graph = g};
    uint32_t top = 0;
    for (size_t r = 0; r < count; r++) top = roots[r].index > top ? roots[r].index : top;
    values->size = top + 1;
    values->value = lia_memory_zeros(values->size, sizeof *values->value);
    unsigned char* needed = lia_memory_zeros(values->size, 1);
    if (!values->value || !needed) {
        free(needed);
        lia_evaluate_clear(values);
        return false;
    }
    uint32_t total = 0;
    for (size_t r = 0; r < count; r++) needed[roots[r].index] = 1;
    for (uint32_t i = top; i > 0; i--) {
        if (!needed[i]) continue;
        total++;
        const LiaNode* n = &g->nodes[i];
        const uint32_t args[3] = {n->a, n->b, n->c};
        for (int arg = 0; arg < lia_op_arity((LiaOp)n->op); arg++) needed[args[arg]] = 1;
    }
    values->nodes = lia_memory_take(((size_t)total + 1) * sizeof *values->nodes);
    for (uint32_t i = 1; values->nodes && i <= top; i++) {
        if (needed[i]) values->nodes[values->count++] = i;
    }
    free(needed);
    if (!values->nodes) {
        lia_evaluate_clear(values);
        return false;
    }
    return true;
}

void lia_evaluate_clear(LiaValues* values) {
    free(values->nodes);
    free(values->value);
    *values = (LiaValues){0};
}

static double symbol_value(const LiaNode* n, const LiaSymbols* at) {
    if (n->symbol_kind == LIA_SYMBOL_TIME) return at->t;
    const double* list = lia_symbols_of(at, (LiaSymbolKind)n->symbol_kind);
    return list ? list[n->a] : NAN;
}

double lia_evaluate_node(const LiaGraph* g, LiaExpr f, const double* value, const LiaSymbols* at) {
    const LiaNode* n = lia_graph_node(g, f);
    switch ((LiaOp)n->op) {
    case LIA_OP_CONST:
        return g->numbers[n->a].value;
    case LIA_OP_PI:
        return 3.14159265358979323846;
    case LIA_OP_SYMBOL:
        return symbol_value(n, at);
    default:
        return lia_op_value((LiaOp)n->op, value[n->a], value[n->b], value[n->c]);
    }
}

void lia_evaluate_run(LiaValues* values, const LiaSymbols* at) {
    for (uint32_t k = 0; k < values->count; k++) {
        uint32_t i = values->nodes[k];
        values->value[i] = lia_evaluate_node(values->graph, (LiaExpr){i}, values->value, at);
    }
}
