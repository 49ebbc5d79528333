// The table of operations: ops.def gives the rows, the files beside this one what is in them.
// SPDX-License-Identifier: MIT
#include "expr/ops/op.h"

const LiaOpKind lia_op_kind_CONST = {0};
const LiaOpKind lia_op_kind_PI = {.latex = "\\pi"};
const LiaOpKind lia_op_kind_SYMBOL = {0};

const LiaOpKind* const lia_op_kinds[LIA_OP_COUNT] = {
#define LIA_OP(id, name, arity)              &lia_op_kind_##id,
#define LIA_FUNCTION(id, name, arity, units) LIA_OP(id, name, arity)
#include "expr/graph/ops.def"
#undef LIA_OP
#undef LIA_FUNCTION
};

static const char* const names[LIA_OP_COUNT] = {
#define LIA_OP(id, name, arity)              name,
#define LIA_FUNCTION(id, name, arity, units) LIA_OP(id, name, arity)
#include "expr/graph/ops.def"
#undef LIA_OP
#undef LIA_FUNCTION
};

static const int arities[LIA_OP_COUNT] = {
#define LIA_OP(id, name, arity)              arity,
#define LIA_FUNCTION(id, name, arity, units) LIA_OP(id, name, arity)
#include "expr/graph/ops.def"
#undef LIA_OP
#undef LIA_FUNCTION
};

int lia_op_arity(LiaOp op) { return arities[op]; }

const char* lia_op_name(LiaOp op) { return names[op]; }

double lia_op_value(LiaOp op, double x, double y, double z) {
    return lia_op_kinds[op]->value(x, y, z);
}
