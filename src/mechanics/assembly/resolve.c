// Open symbols of a model worked out. See resolve.h.
// SPDX-License-Identifier: MIT
#include "mechanics/assembly/resolve.h"
#include "base/memory/memory.h"
#include <stdlib.h>

struct LiaResolver {
    LiaGraph* g;
    LiaRates* rates;
    const LiaModel* model;
    LiaQuantityFn quantity;
    void* context;

    LiaExpr* formula;     // of each node of the model             (nodes of the model)
    unsigned char* done;  // formula[i] is known, be it {0}        (nodes of the model)
    uint32_t* stack;      // nodes still to do
    size_t stack_capacity;
    LiaExpr* position;  // symbols of the coordinates              (coordinates)
    LiaExpr* velocity;  //                                         (coordinates)
    LiaExpr* slope;     // scratch of lia_resolve_form()           (coordinates)
};

LiaResolver* lia_resolve_create(LiaGraph* g, LiaRates* rates, const LiaModel* model,
                                LiaQuantityFn quantity, void* context) {
    LiaResolver* r = lia_memory_zeros(1, sizeof *r);
    if (!r) return NULL;
    size_t n = (size_t)model->coordinates_count + 1;
    *r = (LiaResolver){.g = g,
                       .rates = rates,
                       .model = model,
                       .quantity = quantity,
                       .context = context,
                       .stack_capacity = 64};
    r->formula = lia_memory_zeros(model->graph->count, sizeof *r->formula);
    r->done = lia_memory_zeros(model->graph->count, sizeof *r->done);
    r->stack = lia_memory_zeros(r->stack_capacity, sizeof *r->stack);
    r->position = lia_memory_zeros(n, sizeof *r->position);
    r->velocity = lia_memory_zeros(n, sizeof *r->velocity);
    r->slope = lia_memory_zeros(n, sizeof *r->slope);
    if (!r->formula || !r->done || !r->stack || !r->position || !r->velocity || !r->slope) {
        lia_resolve_destroy(r);
        return NULL;
    }
    r->done[0] = 1;
    for (uint32_t i = 0; i < model->coordinates_count; i++) {
        r->position[i] = lia_graph_symbol(g, LIA_SYMBOL_POSITION, i);
        r->velocity[i] = lia_graph_symbol(g, LIA_SYMBOL_VELOCITY, i);
        lia_graph_name(g, LIA_SYMBOL_POSITION, i, model->coordinates[i].name);
    }
    for (uint32_t i = 0; i < model->parameters_count; i++) {
        lia_graph_name(g, LIA_SYMBOL_PARAMETER, i, model->parameters[i].name);
    }
    return r;
}

void lia_resolve_destroy(LiaResolver* r) {
    if (!r) return;
    free(r->formula);
    free(r->done);
    free(r->stack);
    free(r->position);
    free(r->velocity);
    free(r->slope);
    free(r);
}

// --- formulas ----------------------------------------------------------------------------------

// What must be worked out before a node: its arguments, the law of a control, what a rate is of.
static int needs(const LiaResolver* r, const LiaNode* n, uint32_t need[3]) {
    need[0] = n->a, need[1] = n->b, need[2] = n->c;
    if (n->op != LIA_OP_SYMBOL) return lia_op_arity((LiaOp)n->op);
    if (n->symbol_kind == LIA_SYMBOL_CONTROL) need[0] = r->model->controls[n->a].term.index;
    return n->symbol_kind == LIA_SYMBOL_CONTROL || n->symbol_kind == LIA_SYMBOL_RATE;
}

static LiaExpr resolve_symbol(LiaResolver* r, const LiaNode* n, LiaExpr of) {
    switch ((LiaSymbolKind)n->symbol_kind) {
    case LIA_SYMBOL_CONTROL:
        return of;
    case LIA_SYMBOL_RATE: {
        // lang refuses (x'')' and force(..)'; should one come through, it is zero, not a crash.
        LiaExpr rate = lia_diff_rate(r->rates, of);
        return rate.index ? rate : lia_graph_integer(r->g, 0);
    }
    case LIA_SYMBOL_QUANTITY:
    case LIA_SYMBOL_REACTION:
        return r->quantity ? r->quantity(r->context, &r->model->quantities[n->a]) : (LiaExpr){0};
    default:
        return lia_graph_symbol(r->g, (LiaSymbolKind)n->symbol_kind, n->a);
    }
}

// One node whose needs are done.
static LiaExpr resolve_one(LiaResolver* r, const LiaNode* n, const uint32_t* need, int needed) {
    LiaExpr arg[3] = {{0}};
    for (int i = 0; i < needed; i++) {
        arg[i] = r->formula[need[i]];
        if (!arg[i].index) return arg[i];  // a quantity that is not available
    }
    switch ((LiaOp)n->op) {
    case LIA_OP_CONST:
        return lia_graph_number(r->g, r->model->graph->numbers[n->a]);
    case LIA_OP_PI:
        return lia_graph_pi(r->g);
    case LIA_OP_SYMBOL:
        return resolve_symbol(r, n, arg[0]);
    default:
        return lia_graph_apply(r->g, (LiaOp)n->op, arg[0], arg[1], arg[2]);
    }
}

static bool push(LiaResolver* r, size_t* height, uint32_t node) {
    if (*height == r->stack_capacity) {
        uint32_t* stack = lia_memory_resize(r->stack, r->stack_capacity * 2 * sizeof *stack);
        if (!stack) {
            r->g->failed = true;
            return false;
        }
        r->stack = stack;
        r->stack_capacity *= 2;
    }
    r->stack[(*height)++] = node;
    return true;
}

// Depth first with a stack of its own: formulas may be nested as deep as a model is long.
LiaExpr lia_resolve_term(LiaResolver* r, LiaExpr root) {
    size_t height = 0;
    if (!r->done[root.index] && !push(r, &height, root.index)) return lia_graph_integer(r->g, 0);
    while (height > 0) {
        if (r->g->failed) return lia_graph_integer(r->g, 0);
        uint32_t node = r->stack[height - 1], need[3];
        const LiaNode* n = &r->model->graph->nodes[node];
        int needed = r->done[node] ? 0 : needs(r, n, need);
        bool ready = true;
        for (int i = needed - 1; i >= 0; i--) {
            if (r->done[need[i]]) continue;
            ready = false;
            if (!push(r, &height, need[i])) return lia_graph_integer(r->g, 0);
        }
        if (!ready) continue;
        if (!r->done[node]) {
            r->formula[node] = resolve_one(r, n, need, needed);
            r->done[node] = 1;
        }
        height--;
    }
    return r->formula[root.index];
}

// --- one-forms ---------------------------------------------------------------------------------

// Coefficients of d(f) or virtual(e) by coordinate, into r->slope.
static bool resolve_part(LiaResolver* r, const LiaFormPart* part, LiaDiags* diags) {
    LiaGraph* g = r->g;
    size_t n = r->model->coordinates_count;
    LiaExpr f = lia_resolve_term(r, part->of);
    const uint16_t moving = LIA_DEPENDS(VELOCITY) | LIA_DEPENDS(ACCELERATION);
    if (!part->is_virtual && (lia_graph_node(g, f)->depends & moving)) {
        if (diags) {
            lia_diag_error(diags, part->span, "E0221",
                           "d(...) is the differential of a function of the configuration, but "
                           "there are velocities in it");
            lia_diag_help(diags, "for something affine in the velocities write 'virtual(...)'");
        }
        return false;
    }
    if (!lia_diff_gradient(g, f, part->is_virtual ? r->velocity : r->position, n, r->slope)) {
        return false;
    }
    for (size_t i = 0; part->is_virtual && i < n; i++) {
        if (!(lia_graph_node(g, r->slope[i])->depends & moving)) continue;
        if (diags) {
            lia_diag_error(diags, part->span, "E0222",
                           "virtual(...) wants something affine in the velocities, but this is "
                           "not so in %s'",
                           r->model->coordinates[i].name);
            lia_diag_help(diags, "write the form out: 'f*d(x) + g*d(y) + ...'");
        }
        return false;
    }
    return true;
}

bool lia_resolve_form(LiaResolver* r, const LiaForm* form, LiaDiags* diags, LiaExpr* out) {
    LiaGraph* g = r->g;
    size_t n = r->model->coordinates_count;
    LiaExpr zero = lia_graph_integer(g, 0);
    for (size_t i = 0; i < n; i++) out[i] = zero;
    bool right = true;
    for (uint32_t p = 0; p < form->count; p++) {
        const LiaFormPart* part = &form->parts[p];
        if (!resolve_part(r, part, diags)) {
            right = false;
            continue;
        }
        LiaExpr factor = part->coefficient.index ? lia_resolve_term(r, part->coefficient)
                                                 : lia_graph_integer(g, 1);
        if (!factor.index) factor = zero;
        for (size_t i = 0; i < n; i++) {
            if (lia_graph_is_zero(g, r->slope[i])) continue;
            out[i] = lia_graph_add(g, out[i], lia_graph_mul(g, factor, r->slope[i]));
        }
    }
    return right && !g->failed;
}
