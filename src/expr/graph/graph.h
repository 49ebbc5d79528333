// Expression graph: every formula of a model, each distinct formula stored once.
//
// An LiaExpr is an index into the graph that made it; equal formulas have equal indices. Nodes are
// only added, never changed; the arguments of a node have smaller indices, so a loop over indices
// is an evaluation order. Numbers stay exact rationals as long as they fit. Local simplification
// happens at construction (0 + x, 2*(3*x), x - x, x*x, ...); nothing is ever expanded.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/text/text.h"
#include "expr/graph/number.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct LiaExpr {
    uint32_t index;
} LiaExpr;  // {0} is "no expression"

typedef enum LiaOp {
#define LIA_OP(id, name, arity)              LIA_OP_##id,
#define LIA_FUNCTION(id, name, arity, units) LIA_OP(id, name, arity)
#include "expr/graph/ops.def"
#undef LIA_OP
#undef LIA_FUNCTION
    LIA_OP_COUNT
} LiaOp;

typedef enum LiaSymbolKind {
    LIA_SYMBOL_TIME,
    LIA_SYMBOL_PARAMETER,
    LIA_SYMBOL_POSITION,      // q_i
    LIA_SYMBOL_VELOCITY,      // v_i = q_i'
    LIA_SYMBOL_ACCELERATION,  // a_i = q_i''
    LIA_SYMBOL_MULTIPLIER,    // mu_j
    LIA_SYMBOL_WORK,          // integral of a power from the start
    LIA_SYMBOL_MOMENTUM,      // p_i on phase space: never in a tape
    LIA_SYMBOL_DISPLACEMENT,  // w_i, a virtual displacement, or a place on a shape: never in a tape
    // Open: what a model names before its formula is known. Replaced before anything is computed.
    LIA_SYMBOL_CONTROL,   // a control of the model
    LIA_SYMBOL_QUANTITY,  // energy, momentum(NAME), ...: known when the mechanics is
    LIA_SYMBOL_REACTION,  // force(NAME), power(NAME), work(NAME): known along a motion
    LIA_SYMBOL_RATE,      // dE/dt along a motion; its number is the index of E
    LIA_SYMBOL_KINDS
} LiaSymbolKind;

// What a node depends on: one bit per LiaSymbolKind, the union over its symbols.
// Open symbols have the bits of what their formulas may depend on as well.
#define LIA_DEPENDS(kind) ((uint16_t)(1u << LIA_SYMBOL_##kind))
enum {
    LIA_DEPENDS_PLACE = LIA_DEPENDS(TIME) | LIA_DEPENDS(PARAMETER) | LIA_DEPENDS(POSITION) |
                        LIA_DEPENDS(CONTROL),  // a function of the configuration and t
    LIA_DEPENDS_OPEN =
        LIA_DEPENDS(CONTROL) | LIA_DEPENDS(QUANTITY) | LIA_DEPENDS(REACTION) | LIA_DEPENDS(RATE)
};
_Static_assert(LIA_SYMBOL_KINDS <= 16, "a bit for each kind of symbol");

typedef struct LiaNode {
    uint8_t op;           // LiaOp
    uint8_t symbol_kind;  // SYMBOL
    uint16_t depends;     // LIA_DEPENDS() bits
    uint32_t a, b, c;     // arguments; SYMBOL: a is its number; CONST: a is an index into numbers
} LiaNode;

typedef struct LiaGraph {
    LiaNode* nodes;  // nodes[0] is unused
    uint32_t count, capacity;
    LiaNumber* numbers;
    uint32_t number_count, number_capacity;
    uint32_t* table;  // hash of node -> index, open addressing
    uint32_t table_size;
    const char** names[LIA_SYMBOL_KINDS];  // names for printing, borrowed; see lia_graph_name()
    uint32_t name_count[LIA_SYMBOL_KINDS];
    struct {              // scratch of lia_below_roots()
        uint32_t* seen;   // per node: the last search that met it
        uint32_t* value;  // per node: for whoever searched
        uint32_t* list;
        uint32_t size, search;
    } below;
    bool failed;  // memory was out: formulas are not to be trusted
} LiaGraph;

/// Make an empty graph. Release with lia_graph_destroy(). NULL if memory is out.
LiaGraph* lia_graph_create(void);
/// A copy to which formulas can be added while the original stays as it is: what both hold has the
/// same indices. Names are borrowed from where the original had them. NULL if memory is out.
LiaGraph* lia_graph_copy(const LiaGraph* graph);
/// Release the graph and every LiaExpr it made. NULL is allowed.
void lia_graph_destroy(LiaGraph* graph);

LiaExpr lia_graph_integer(LiaGraph* g, int64_t n);
LiaExpr lia_graph_rational(LiaGraph* g, int64_t num, int64_t den);
LiaExpr lia_graph_real(LiaGraph* g, double x);  // exact when x is a small whole number
LiaExpr lia_graph_number(LiaGraph* g, LiaNumber n);
LiaExpr lia_graph_pi(LiaGraph* g);
LiaExpr lia_graph_symbol(LiaGraph* g, LiaSymbolKind kind, uint32_t number);
/// df/dt along a motion: 0, 1, a velocity, an acceleration, or the open symbol RATE.
LiaExpr lia_graph_rate(LiaGraph* g, LiaExpr x);
/// The name under which a symbol is printed. Borrowed; must outlive the graph.
void lia_graph_name(LiaGraph* g, LiaSymbolKind kind, uint32_t number, const char* name);

LiaExpr lia_graph_neg(LiaGraph* g, LiaExpr x);
LiaExpr lia_graph_add(LiaGraph* g, LiaExpr x, LiaExpr y);
LiaExpr lia_graph_sub(LiaGraph* g, LiaExpr x, LiaExpr y);
LiaExpr lia_graph_mul(LiaGraph* g, LiaExpr x, LiaExpr y);
LiaExpr lia_graph_div(LiaGraph* g, LiaExpr x, LiaExpr y);
/// x^y. An exponent that changes in time becomes exp(y*log(x)).
LiaExpr lia_graph_pow(LiaGraph* g, LiaExpr x, LiaExpr y);
/// Any operation of ops.def by its id; unused arguments are {0}.
LiaExpr lia_graph_apply(LiaGraph* g, LiaOp op, LiaExpr x, LiaExpr y, LiaExpr z);

static inline const LiaNode* lia_graph_node(const LiaGraph* g, LiaExpr x) {
    return &g->nodes[x.index];
}
/// The nodes below the roots, roots included, that depend on any of `bits`, in rising order: their
/// number, and *list (borrowed, until the next call). g->below.value of each is 0. Costs what they
/// are, whatever the size of the graph.
uint32_t lia_below_roots(LiaGraph* g, const LiaExpr* roots, size_t count, unsigned bits,
                         const uint32_t** list);
/// Did the last search meet this node?
static inline bool lia_graph_met(const LiaGraph* g, uint32_t node) {
    return node < g->below.size && g->below.seen[node] == g->below.search;
}
/// The number a constant formula is: true if x is a CONST node.
bool lia_graph_constant(const LiaGraph* g, LiaExpr x, LiaNumber* out);
bool lia_graph_is_zero(const LiaGraph* g, LiaExpr x);
/// Is x a symbol of this kind? Its number is the `a` of its node.
static inline bool lia_graph_is_symbol(const LiaGraph* g, LiaExpr x, LiaSymbolKind kind) {
    const LiaNode* n = lia_graph_node(g, x);
    return n->op == LIA_OP_SYMBOL && n->symbol_kind == kind;
}
static inline bool lia_expr_same(LiaExpr x, LiaExpr y) { return x.index == y.index; }

/// One operation on numbers: what values, folding and tests share.
double lia_op_value(LiaOp op, double x, double y, double z);
/// Number of arguments and printed name of an operation.
int lia_op_arity(LiaOp op);
const char* lia_op_name(LiaOp op);
