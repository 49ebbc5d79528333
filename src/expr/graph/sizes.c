// What the rounding of a value is a part of: the sizes of all that was summed and multiplied to get
// it. See evaluate.h.
//
//   size(x) = |x|,   size(f(x, y)) = |f| + |df/dx| size(x) + |df/dy| size(y)
//
// so that 1 - cos(x) near x = 0 is of size 2, whatever its value.
// SPDX-License-Identifier: MIT
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "expr/ops/op.h"
#include <math.h>

static double symbol_size(const LiaNode* n, const LiaSymbols* at, double value) {
    const double* list = lia_symbols_of(at, (LiaSymbolKind)n->symbol_kind);
    return list ? list[n->a] : fabs(value);
}

// The slopes of an operation by its arguments, where it is smooth.
static LiaSlope slopes(LiaOp op, double x, double y, double z) {
    const LiaOpKind* kind = lia_op_kinds[op];
    double out = 0.0, aux = 0.0;
    LiaJet jet = {.x = &x, .y = &y, .z = &z, .out = &out, .aux = &aux, .side = 1};
    LiaSlope slope = {0};
    kind->series(0, &jet);
    kind->tangent(&jet, &slope);
    if (op == LIA_OP_COS || op == LIA_OP_COSH) slope.x = slope.aux_x;  // they share a tape's place
    return slope;
}

// What one of its arguments hands on as it is. Of two that differ by their rounding either may be
// the larger.
static double chosen(const LiaValues* v, const LiaNode* n, double result, const double* size) {
    double most = 0.0;
    const uint32_t arguments[3] = {n->a, n->b, n->c};
    for (int k = n->op == LIA_OP_IF; k < lia_op_arity((LiaOp)n->op); k++) {
        double off = fabs(v->value[arguments[k]] - result), own = size[arguments[k]];
        bool tied = n->op != LIA_OP_IF && off <= LIA_SIZES_TIED * own;
        if (off == 0.0 || tied) most = fmax(most, own);
    }
    return most;
}

static double part(double slope, double size) { return slope == 0.0 ? 0.0 : fabs(slope) * size; }

static double finite(double sum) { return isfinite(sum) ? sum : 0.0; }

static double by_slopes(const LiaValues* v, const LiaNode* n, const double* size) {
    LiaSlope s = slopes((LiaOp)n->op, v->value[n->a], v->value[n->b], v->value[n->c]);
    return finite(part(s.x, size[n->a]) + part(s.y, size[n->b]) + part(s.z, size[n->c]));
}

static double size_of(const LiaValues* v, const LiaNode* n, double result, const double* size) {
    switch ((LiaOp)n->op) {
    case LIA_OP_SIGN:
    case LIA_OP_LESS:
    case LIA_OP_LESS_EQUAL:
    case LIA_OP_AND:
    case LIA_OP_OR:
    case LIA_OP_NOT:
        return 0.0;
    case LIA_OP_ABS:
    case LIA_OP_WRAP:
        return size[n->a];
    // what most of a formula is made of, without the way over its series
    case LIA_OP_NEG:
        return finite(size[n->a]);
    case LIA_OP_ADD:
    case LIA_OP_SUB:
        return finite(size[n->a] + size[n->b]);
    case LIA_OP_MUL:
        return finite(part(v->value[n->b], size[n->a]) + part(v->value[n->a], size[n->b]));
    case LIA_OP_SIN:
        return finite(part(cos(v->value[n->a]), size[n->a]));
    case LIA_OP_COS:
        return finite(part(sin(v->value[n->a]), size[n->a]));
    case LIA_OP_POW: {
        double x = v->value[n->a], r = v->value[n->b];
        return r < 0.0 ? by_slopes(v, n, size) : finite(part(r * result / x, size[n->a]));
    }
    case LIA_OP_MIN:
    case LIA_OP_MAX:
    case LIA_OP_IF:
        return chosen(v, n, result, size);
    default:
        return by_slopes(v, n, size);
    }
}

void lia_sizes_run(const LiaValues* values, const LiaSymbols* at, double* size) {
    const LiaGraph* g = values->graph;
    size[0] = 0.0;
    for (uint32_t k = 0; k < values->count; k++) {
        uint32_t i = values->nodes[k];
        const LiaNode* n = &g->nodes[i];
        double result = values->value[i];
        if (n->op == LIA_OP_SYMBOL) {
            size[i] = symbol_size(n, at, result);
        } else {
            bool leaf = n->op == LIA_OP_CONST || n->op == LIA_OP_PI;
            size[i] = fabs(result) + (leaf ? 0.0 : size_of(values, n, result, size));
        }
    }
}
