// The formulas of the second way at a state, node by node.
// SPDX-License-Identifier: MIT
#include "parts.h"
#include <math.h>
#include <stdlib.h>

// exp(u), as far as its fourth power is a number: in 1/cosh(u)^2 and its derivatives infinities
// would meet. What is smaller than 1e-65 or as large matters nowhere.
static double bounded(double u) { return fmin(fmax(u, -150.0), 150.0); }

static double apply(LiaOp op, double x, double y, double z) {
    switch (op) {
    case LIA_OP_NEG:
        return -x;
    case LIA_OP_ADD:
        return x + y;
    case LIA_OP_SUB:
        return x - y;
    case LIA_OP_MUL:
        return x * y;
    case LIA_OP_DIV:
        return x / y;
    case LIA_OP_POW:
        return y == 2.0 ? x * x : pow(x, y);
    case LIA_OP_SQRT:
        return sqrt(x);
    case LIA_OP_EXP:
        return exp(bounded(x));
    case LIA_OP_LOG:
        return log(x);
    case LIA_OP_SIN:
        return sin(x);
    case LIA_OP_COS:
        return cos(x);
    case LIA_OP_TAN:
        return tan(x);
    case LIA_OP_ASIN:
        return asin(x);
    case LIA_OP_ACOS:
        return acos(x);
    case LIA_OP_ATAN:
        return atan(x);
    case LIA_OP_ATAN2:
        return atan2(x, y);
    case LIA_OP_SINH:
        return sinh(bounded(x));
    case LIA_OP_COSH:
        return cosh(bounded(x));
    case LIA_OP_TANH:
        return tanh(x);
    case LIA_OP_ABS:
        return fabs(x);
    case LIA_OP_SIGN:
        return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0;
    case LIA_OP_MIN:
        return x < y ? x : y;
    case LIA_OP_MAX:
        return x > y ? x : y;
    case LIA_OP_HYPOT:
        return hypot(x, y);
    case LIA_OP_WRAP:
        return atan2(sin(x), cos(x));
    case LIA_OP_IF:
        return x != 0.0 ? y : z;
    case LIA_OP_LESS:
        return x < y;
    case LIA_OP_LESS_EQUAL:
        return x <= y;
    case LIA_OP_AND:
        return x != 0.0 && y != 0.0;
    case LIA_OP_OR:
        return x != 0.0 || y != 0.0;
    case LIA_OP_NOT:
        return x == 0.0;
    default:
        return NAN;
    }
}

static double symbol_value(const Second* s, const LiaNode* n) {
    switch ((LiaSymbolKind)n->symbol_kind) {
    case LIA_SYMBOL_TIME:
        return s->t_now;
    case LIA_SYMBOL_PARAMETER:
        return s->model->parameters[n->a].value;
    case LIA_SYMBOL_POSITION:
        return s->q_now[n->a];
    case LIA_SYMBOL_VELOCITY:
        return s->v_now[n->a];
    case LIA_SYMBOL_ACCELERATION:
        return s->a_now ? s->a_now[n->a] : NAN;
    case LIA_SYMBOL_MULTIPLIER:
        return s->mu_now ? s->mu_now[n->a] : NAN;
    case LIA_SYMBOL_WORK:
        return s->work_now ? s->work_now[n->a] : NAN;
    default:
        return NAN;
    }
}

static void evaluate_node(Second* s, uint32_t i) {
    const LiaNode* n = &s->g->nodes[i];
    if (n->op == LIA_OP_CONST) {
        s->value[i] = s->g->numbers[n->a].value;
    } else if (n->op == LIA_OP_PI) {
        s->value[i] = acos(-1.0);
    } else if (n->op == LIA_OP_SYMBOL) {
        s->value[i] = symbol_value(s, n);
    } else {
        s->value[i] = apply((LiaOp)n->op, s->value[n->a], s->value[n->b], s->value[n->c]);
    }
}

static void reserve_values(Second* s) {
    if (s->g->count <= s->value_capacity) return;
    s->value_capacity = s->g->count + 256;
    s->value = realloc(s->value, s->value_capacity * sizeof *s->value);
    s->value[0] = 0.0;
}

void second_mark_below(const LiaGraph* g, bool* needed, uint32_t top) {
    for (uint32_t i = top; i > 0; i--) {
        const LiaNode* n = &g->nodes[i];
        const uint32_t args[3] = {n->a, n->b, n->c};
        if (!needed[i]) continue;
        for (int k = 0; k < lia_op_arity((LiaOp)n->op); k++) needed[args[k]] = true;
    }
}

void second_set(Second* s, double t, const double* q, const double* v) {
    s->t_now = t;
    s->q_now = q;
    s->v_now = v;
    s->a_now = s->mu_now = s->work_now = NULL;
}

void second_evaluate_all(Second* s) {
    reserve_values(s);
    for (uint32_t i = 0; i < s->order_count; i++) evaluate_node(s, s->order[i]);
}

void second_evaluate_late(Second* s) {
    const uint16_t late = LIA_DEPENDS(MULTIPLIER) | LIA_DEPENDS(ACCELERATION) | LIA_DEPENDS(WORK);
    for (uint32_t i = 0; i < s->order_count; i++) {
        if (s->g->nodes[s->order[i]].depends & late) evaluate_node(s, s->order[i]);
    }
}

// One formula, whatever it is.
double second_evaluate(Second* s, LiaExpr f) {
    if (!f.index) return NAN;
    reserve_values(s);
    bool* needed = calloc((size_t)f.index + 1, sizeof *needed);
    needed[f.index] = true;
    second_mark_below(s->g, needed, f.index);
    for (uint32_t i = 1; i <= f.index; i++) {
        if (needed[i]) evaluate_node(s, i);
    }
    free(needed);
    return s->value[f.index];
}
