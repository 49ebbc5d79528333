// Terms of a model as formulas. See lower.h.
// SPDX-License-Identifier: MIT
#include "mechanics/assembly/lower.h"
#include "base/memory/memory.h"
#include <stdlib.h>

struct LiaLowering {
    LiaGraph* g;
    LiaRates* rates;
    const LiaModel* model;
    LiaQuantityFn quantity;
    void* context;

    LiaExpr* formula;     // of each term                        (terms)
    unsigned char* done;  // formula[i] is known, be it {0}      (terms)
    LiaTermId* stack;     // terms still to do
    size_t stack_capacity;
    LiaExpr* position;  // symbols of the coordinates            (coordinates)
    LiaExpr* velocity;  //                                       (coordinates)
    LiaExpr* slope;     // scratch of lia_lower_form()           (coordinates)
};

static const LiaOp function_ops[LIA_FUNCTION_COUNT] = {
#define LIA_FUNCTION(id, name, arity) [LIA_FUNCTION_##id] = LIA_OP_##id,
#include "lang/value/functions.def"
#undef LIA_FUNCTION
};

static void give_names(LiaGraph* g, const LiaModel* model) {
    for (uint32_t i = 0; i < model->parameters_count; i++) {
        lia_graph_name(g, LIA_SYMBOL_PARAMETER, i, model->parameters[i].name);
    }
    for (uint32_t i = 0; i < model->coordinates_count; i++) {
        lia_graph_name(g, LIA_SYMBOL_POSITION, i, model->coordinates[i].name);
    }
}

LiaLowering* lia_lower_create(LiaGraph* g, LiaRates* rates, const LiaModel* model,
                              LiaQuantityFn quantity, void* context) {
    LiaLowering* l = lia_memory_zeros(1, sizeof *l);
    if (!l) return NULL;
    size_t terms = (size_t)model->terms_count + 1, n = (size_t)model->coordinates_count + 1;
    *l = (LiaLowering){.g = g,
                       .rates = rates,
                       .model = model,
                       .quantity = quantity,
                       .context = context,
                       .stack_capacity = 64};
    l->formula = lia_memory_zeros(terms, sizeof *l->formula);
    l->done = lia_memory_zeros(terms, sizeof *l->done);
    l->stack = lia_memory_zeros(l->stack_capacity, sizeof *l->stack);
    l->position = lia_memory_zeros(n, sizeof *l->position);
    l->velocity = lia_memory_zeros(n, sizeof *l->velocity);
    l->slope = lia_memory_zeros(n, sizeof *l->slope);
    if (!l->formula || !l->done || !l->stack || !l->position || !l->velocity || !l->slope) {
        lia_lower_destroy(l);
        return NULL;
    }
    for (uint32_t i = 0; i < model->coordinates_count; i++) {
        l->position[i] = lia_graph_symbol(g, LIA_SYMBOL_POSITION, i);
        l->velocity[i] = lia_graph_symbol(g, LIA_SYMBOL_VELOCITY, i);
    }
    give_names(g, model);
    l->done[0] = 1;
    return l;
}

void lia_lower_destroy(LiaLowering* l) {
    if (!l) return;
    free(l->formula);
    free(l->done);
    free(l->stack);
    free(l->position);
    free(l->velocity);
    free(l->slope);
    free(l);
}

// --- terms -------------------------------------------------------------------------------------

// What must be lowered before a term: its arguments, for a control its definition.
static int needs(const LiaModel* model, const LiaTerm* term, LiaTermId need[3]) {
    if (term->op == LIA_TERM_CONTROL) {
        need[0] = model->controls[term->index].term;
        return 1;
    }
    if (term->op < LIA_TERM_NEG) return 0;
    need[0] = term->a;
    need[1] = term->b;
    need[2] = term->c;
    return 3;
}

static LiaExpr lower_number(LiaGraph* g, const LiaTerm* term) {
    return term->den ? lia_graph_rational(g, term->num, term->den)
                     : lia_graph_real(g, term->number);
}

// One term whose needs are done.
static LiaExpr lower_one(LiaLowering* l, const LiaTerm* term) {
    LiaGraph* g = l->g;
    const LiaExpr none = {0};
    LiaTermId need[3] = {0};
    LiaExpr arg[3] = {{0}};
    int needed = needs(l->model, term, need);
    for (int i = 0; i < needed; i++) {
        arg[i] = l->formula[need[i]];
        if (need[i] && !arg[i].index) return none;  // a quantity that is not available
    }
    switch ((LiaTermOp)term->op) {
    case LIA_TERM_NONE:
        return none;
    case LIA_TERM_NUMBER:
        return lower_number(g, term);
    case LIA_TERM_PI:
        return lia_graph_pi(g);
    case LIA_TERM_TIME:
        return lia_graph_symbol(g, LIA_SYMBOL_TIME, 0);
    case LIA_TERM_PARAMETER:
        return lia_graph_symbol(g, LIA_SYMBOL_PARAMETER, term->index);
    case LIA_TERM_COORDINATE:
        return l->position[term->index];
    case LIA_TERM_VELOCITY:
        return l->velocity[term->index];
    case LIA_TERM_ACCELERATION:
        return lia_graph_symbol(g, LIA_SYMBOL_ACCELERATION, term->index);
    case LIA_TERM_CONTROL:
        return arg[0];
    case LIA_TERM_ARGUMENT:
        return lia_graph_symbol(g, LIA_SYMBOL_DISPLACEMENT, term->index);
    case LIA_TERM_QUANTITY:
        return l->quantity ? l->quantity(l->context, term) : none;
    case LIA_TERM_NEG:
        return lia_graph_neg(g, arg[0]);
    case LIA_TERM_ADD:
        return lia_graph_add(g, arg[0], arg[1]);
    case LIA_TERM_SUB:
        return lia_graph_sub(g, arg[0], arg[1]);
    case LIA_TERM_MUL:
        return lia_graph_mul(g, arg[0], arg[1]);
    case LIA_TERM_DIV:
        return lia_graph_div(g, arg[0], arg[1]);
    case LIA_TERM_POW:
        return lia_graph_pow(g, arg[0], arg[1]);
    case LIA_TERM_CALL:
        return lia_graph_apply(g, function_ops[term->function], arg[0], arg[1], none);
    case LIA_TERM_IF:
        return lia_graph_apply(g, LIA_OP_IF, arg[0], arg[1], arg[2]);
    case LIA_TERM_LESS:
        return lia_graph_apply(g, LIA_OP_LESS, arg[0], arg[1], none);
    case LIA_TERM_LESS_EQUAL:
        return lia_graph_apply(g, LIA_OP_LESS_EQUAL, arg[0], arg[1], none);
    case LIA_TERM_AND:
        return lia_graph_apply(g, LIA_OP_AND, arg[0], arg[1], none);
    case LIA_TERM_OR:
        return lia_graph_apply(g, LIA_OP_OR, arg[0], arg[1], none);
    case LIA_TERM_NOT:
        return lia_graph_apply(g, LIA_OP_NOT, arg[0], none, none);
    case LIA_TERM_PRIME: {
        // lang refuses (x'')' and force(..)'; should one come through, it is zero, not a crash.
        LiaExpr rate = lia_diff_rate(l->rates, arg[0]);
        return rate.index ? rate : lia_graph_integer(g, 0);
    }
    }
    return none;
}

static bool push(LiaLowering* l, size_t* height, LiaTermId term) {
    if (*height == l->stack_capacity) {
        LiaTermId* stack = lia_memory_resize(l->stack, l->stack_capacity * 2 * sizeof *stack);
        if (!stack) {
            l->g->failed = true;
            return false;
        }
        l->stack = stack;
        l->stack_capacity *= 2;
    }
    l->stack[(*height)++] = term;
    return true;
}

// Depth first with a stack of its own: terms may be nested as deep as a model is long.
LiaExpr lia_lower_term(LiaLowering* l, LiaTermId root) {
    size_t height = 0;
    if (!l->done[root] && !push(l, &height, root)) return lia_graph_integer(l->g, 0);
    while (height > 0) {
        if (l->g->failed) return lia_graph_integer(l->g, 0);
        LiaTermId id = l->stack[height - 1];
        const LiaTerm* term = &l->model->terms[id];
        LiaTermId need[3] = {0};
        int needed = l->done[id] ? 0 : needs(l->model, term, need);
        bool ready = true;
        for (int i = needed - 1; i >= 0; i--) {
            if (l->done[need[i]]) continue;
            ready = false;
            if (!push(l, &height, need[i])) return lia_graph_integer(l->g, 0);
        }
        if (!ready) continue;
        if (!l->done[id]) {
            l->formula[id] = lower_one(l, term);
            l->done[id] = 1;
        }
        height--;
    }
    return l->formula[root];
}

// --- one-forms ---------------------------------------------------------------------------------

// Coefficients of d(f) or virtual(e) by coordinate, into l->slope.
static bool lower_part(LiaLowering* l, const LiaFormPart* part, LiaDiags* diags) {
    LiaGraph* g = l->g;
    size_t n = l->model->coordinates_count;
    LiaExpr f = lia_lower_term(l, part->of);
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
    if (!lia_diff_gradient(g, f, part->is_virtual ? l->velocity : l->position, n, l->slope)) {
        return false;
    }
    for (size_t i = 0; part->is_virtual && i < n; i++) {
        if (!(lia_graph_node(g, l->slope[i])->depends & moving)) continue;
        if (diags) {
            lia_diag_error(diags, part->span, "E0222",
                           "virtual(...) wants something affine in the velocities, but this is "
                           "not so in %s'",
                           l->model->coordinates[i].name);
            lia_diag_help(diags, "write the form out: 'f*d(x) + g*d(y) + ...'");
        }
        return false;
    }
    return true;
}

bool lia_lower_form(LiaLowering* l, const LiaForm* form, LiaDiags* diags, LiaExpr* out) {
    LiaGraph* g = l->g;
    size_t n = l->model->coordinates_count;
    LiaExpr zero = lia_graph_integer(g, 0);
    for (size_t i = 0; i < n; i++) out[i] = zero;
    bool right = true;
    for (uint32_t p = 0; p < form->count; p++) {
        const LiaFormPart* part = &form->parts[p];
        if (!lower_part(l, part, diags)) {
            right = false;
            continue;
        }
        LiaExpr factor =
            part->coefficient ? lia_lower_term(l, part->coefficient) : lia_graph_integer(g, 1);
        if (!factor.index) factor = zero;
        for (size_t i = 0; i < n; i++) {
            if (lia_graph_is_zero(g, l->slope[i])) continue;
            out[i] = lia_graph_add(g, out[i], lia_graph_mul(g, factor, l->slope[i]));
        }
    }
    return right && !g->failed;
}
