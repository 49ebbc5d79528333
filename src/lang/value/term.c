// Terms: formulas in the graph of the model, the text they were written by, the values of
// constant ones.
// SPDX-License-Identifier: MIT
#include "lang/value/term.h"
#include "base/memory/memory.h"
#include "base/watch.h"
#include "expr/graph/diff.h"
#include "expr/graph/evaluate.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const LiaExpr none = {0};

// What is not in the memory of the context.
static void count_bytes(LiaTerms* terms) {
    const LiaGraph* g = terms->graph;
    size_t bytes = g->capacity * sizeof *g->nodes + g->table_size * sizeof *g->table +
                   g->number_capacity * sizeof *g->numbers +
                   terms->capacity * sizeof *terms->constants +
                   terms->written_capacity * sizeof *terms->written;
    if (bytes > terms->held) lia_context_hold(terms->context, bytes - terms->held);
    terms->held = bytes;
}

static void reserve(LiaTerms* terms, uint32_t count) {
    if (count <= terms->capacity) return;
    uint32_t capacity = terms->graph->capacity > count ? terms->graph->capacity : count;
    double* constants = lia_memory_resize(terms->constants, capacity * sizeof *constants);
    if (!constants) lia_context_out_of_memory(terms->context);
    terms->constants = constants;
    terms->capacity = capacity;
    count_bytes(terms);
}

void lia_term_begin(LiaTerms* terms, LiaContext* context) {
    *terms = (LiaTerms){.context = context, .graph = lia_graph_create()};
    if (!terms->graph) lia_context_out_of_memory(context);
    reserve(terms, terms->graph->count);
    terms->constants[0] = 0.0;  // what an operation of fewer arguments gets for the rest
    terms->valued = 1;
}

void lia_term_clear(LiaTerms* terms) {
    lia_graph_destroy(terms->graph);
    free(terms->constants);
    free(terms->written);
    terms->graph = NULL;
    terms->constants = NULL;
    terms->written = NULL;
}

void lia_term_work(LiaTerms* terms, uint64_t steps) {
    if (lia_watch_asked_often()) lia_context_stop(terms->context);
    terms->steps += steps;
    if (terms->steps > LIA_LIMIT_STEPS) {
        lia_diag_error(terms->context->diags, terms->context->at, "E0191",
                       "spelling the model out takes more than %d operations, the limit",
                       LIA_LIMIT_STEPS);
        lia_context_stop(terms->context);
    }
}

static void add_written(LiaTerms* terms, LiaWritten item) {
    if (terms->written_count == terms->written_capacity) {
        uint32_t capacity = terms->written_capacity ? 2 * terms->written_capacity : 256;
        LiaWritten* written = lia_memory_resize(terms->written, capacity * sizeof *written);
        if (!written) lia_context_out_of_memory(terms->context);
        terms->written = written;
        terms->written_capacity = capacity;
        count_bytes(terms);
    }
    terms->written[terms->written_count++] = item;
}

// What the graph made of an operation: its value, its place, and those of all that it needed and
// is new.
static LiaExpr take(LiaTerms* terms, LiaExpr term, LiaOp op, LiaSpan span) {
    const LiaGraph* g = terms->graph;
    if (g->failed && lia_watch_asked()) lia_context_stop(terms->context);
    if (g->failed) lia_context_out_of_memory(terms->context);
    uint32_t first = terms->valued;
    lia_term_work(terms, 1 + (g->count - first));
    if (g->count > LIA_LIMIT_TERMS || terms->written_count > LIA_LIMIT_TERMS) {
        lia_diag_error(terms->context->diags, terms->context->at, "E0190",
                       "the model has more than %d terms, the limit", LIA_LIMIT_TERMS);
        lia_context_stop(terms->context);
    }
    reserve(terms, g->count);
    const LiaSymbols at = {.t = NAN, .parameters = terms->parameters.items};
    bool formula = op != LIA_OP_CONST && op != LIA_OP_PI && op != LIA_OP_SYMBOL;
    for (; terms->valued < g->count; terms->valued++) {
        LiaExpr x = {terms->valued};
        terms->constants[x.index] =
            lia_term_has(terms, x) ? NAN : lia_evaluate_node(g, x, terms->constants, &at);
        bool leaf = lia_op_arity((LiaOp)lia_graph_node(g, x)->op) == 0;
        if (x.index != term.index && !leaf) add_written(terms, (LiaWritten){x, op, span});
    }
    bool old = term.index < first;
    if (formula && (!old || lia_op_arity((LiaOp)lia_graph_node(g, term)->op) > 0)) {
        add_written(terms, (LiaWritten){term, op, span});
    }
    return term;
}

LiaExpr lia_term_number(LiaTerms* terms, LiaNumber number, LiaSpan span) {
    return take(terms, lia_graph_number(terms->graph, number), LIA_OP_CONST, span);
}

LiaExpr lia_term_whole(LiaTerms* terms, int64_t n, LiaSpan span) {
    return lia_term_number(terms, lia_number_whole(n), span);
}

LiaExpr lia_term_pi(LiaTerms* terms, LiaSpan span) {
    return take(terms, lia_graph_pi(terms->graph), LIA_OP_PI, span);
}

LiaExpr lia_term_symbol(LiaTerms* terms, LiaSymbolKind kind, uint32_t index, LiaSpan span) {
    return take(terms, lia_graph_symbol(terms->graph, kind, index), LIA_OP_SYMBOL, span);
}

LiaExpr lia_term_parameter(LiaTerms* terms, uint32_t index, double value, LiaSpan span) {
    while (terms->parameters.count <= index) *LIA_ADD(terms->context, terms->parameters) = NAN;
    terms->parameters.items[index] = value;
    return lia_term_symbol(terms, LIA_SYMBOL_PARAMETER, index, span);
}

LiaExpr lia_term_quantity(LiaTerms* terms, LiaQuantityNamed quantity, LiaSpan span) {
    bool along = quantity.kind >= LIA_QUANTITY_FORCE;
    *LIA_ADD(terms->context, terms->quantities) = quantity;
    return lia_term_symbol(terms, along ? LIA_SYMBOL_REACTION : LIA_SYMBOL_QUANTITY,
                           terms->quantities.count - 1, span);
}

bool lia_term_exact(const LiaTerms* terms, LiaExpr a, LiaNumber* out) {
    return lia_graph_constant(terms->graph, a, out);
}

bool lia_term_is(const LiaTerms* terms, LiaExpr a, int64_t n) {
    LiaNumber number;
    return lia_term_exact(terms, a, &number) && lia_number_equals(number, n);
}

LiaExpr lia_term_apply(LiaTerms* terms, LiaOp op, LiaExpr a, LiaExpr b, LiaExpr c, LiaSpan span) {
    terms->seen |= lia_term_has(terms, a) | lia_term_has(terms, b) | lia_term_has(terms, c);
    return take(terms, lia_graph_apply(terms->graph, op, a, b, c), op, span);
}

LiaExpr lia_term_negate(LiaTerms* terms, LiaExpr a, LiaSpan span) {
    return lia_term_apply(terms, LIA_OP_NEG, a, none, none, span);
}

LiaExpr lia_term_binary(LiaTerms* terms, LiaOp op, LiaExpr a, LiaExpr b, LiaSpan span) {
    return lia_term_apply(terms, op, a, b, none, span);
}

LiaExpr lia_term_call(LiaTerms* terms, LiaOp op, LiaExpr a, LiaSpan span) {
    return lia_term_apply(terms, op, a, none, none, span);
}

LiaExpr lia_term_prime(LiaTerms* terms, LiaExpr a, LiaSpan span) {
    if (lia_term_has(terms, a) & (LIA_DEPENDS(ACCELERATION) | LIA_DEPENDS(REACTION))) return none;
    return take(terms, lia_graph_rate(terms->graph, a), LIA_OP_SYMBOL, span);
}

void lia_term_gradient(LiaTerms* terms, LiaExpr f, LiaExpr out[3], LiaSpan span) {
    for (int i = 0; i < 3; i++) out[i] = lia_graph_integer(terms->graph, 0);
    lia_diff_gradient_of(terms->graph, f, LIA_SYMBOL_DISPLACEMENT, out);
    for (int i = 0; i < 3; i++) take(terms, out[i], LIA_OP_MUL, span);
}

LiaExpr lia_term_replace(LiaTerms* terms, LiaExpr f, const LiaExpr x[3], LiaSpan span) {
    LiaExpr by = lia_diff_substitute(terms->graph, f, LIA_SYMBOL_DISPLACEMENT, x, 3);
    return take(terms, by, LIA_OP_MUL, span);
}

// Visit the parameters of a small constant. False if it is not constant, or not small.
static bool visit_parameters(LiaTerms* terms, LiaExpr a, bool mark) {
    enum { MOST = 64 };
    uint32_t pending[MOST];
    int count = 0, visited = 0;
    if (lia_term_has(terms, a)) return false;
    pending[count++] = a.index;
    while (count > 0) {
        const LiaNode* n = &terms->graph->nodes[pending[--count]];
        if (++visited > MOST || count + 3 > MOST) return false;
        const uint32_t of[] = {n->a, n->b, n->c};
        for (int k = 0; k < lia_op_arity((LiaOp)n->op); k++) pending[count++] = of[k];
        if (n->op != LIA_OP_SYMBOL) continue;
        while (terms->structural.count <= n->a) {
            *LIA_ADD(terms->context, terms->structural) = false;
        }
        if (mark) {
            terms->structural.items[n->a] = true;
        } else if (!terms->structural.items[n->a]) {
            return false;
        }
    }
    return true;
}

void lia_term_decide(LiaTerms* terms, LiaDecisionKind kind, const LiaExpr* of, uint32_t count,
                     LiaSpan span) {
    bool numbers = true;
    for (uint32_t i = 0; i < count; i++) {
        numbers = numbers && !lia_graph_node(terms->graph, of[i])->depends;
        if (lia_term_has(terms, of[i])) return;
    }
    if (numbers) return;
    LiaExpr* kept = lia_context_keep(terms->context, count * sizeof *kept);
    double* values = lia_context_keep(terms->context, count * sizeof *values);
    memcpy(kept, of, count * sizeof *kept);
    for (uint32_t i = 0; i < count; i++) values[i] = terms->constants[of[i].index];
    *LIA_ADD(terms->context, terms->decisions) = (LiaDecision){kind, count, kept, values, span};
}

void lia_term_mark_structural(LiaTerms* terms, LiaExpr a) { visit_parameters(terms, a, true); }

bool lia_term_is_structural(LiaTerms* terms, LiaExpr a) {
    return visit_parameters(terms, a, false);
}
