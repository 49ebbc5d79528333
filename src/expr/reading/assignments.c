// Formulas as a list of assignments, each formula once. See print.h.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "expr/reading/writer.h"
#include <stdlib.h>

static bool is_leaf(const LiaNode* n) {
    return n->op == LIA_OP_CONST || n->op == LIA_OP_PI || n->op == LIA_OP_SYMBOL;
}

// An argument: a leaf is written itself, with brackets where it must hold together.
static void list_argument(const LiaGraph* g, uint32_t index, const uint32_t* number, bool infix,
                          LiaText* out) {
    const LiaNode* n = &g->nodes[index];
    if (!is_leaf(n)) {
        lia_text_add(out, "%%%u", (unsigned)number[index]);
        return;
    }
    bool brackets = infix && lia_writer_precedence(g, (LiaExpr){index}) < LIA_PRECEDENCE_ATOM;
    if (brackets) lia_text_add(out, "(");
    lia_formula_text(g, (LiaExpr){index}, out);
    if (brackets) lia_text_add(out, ")");
}

static void list_node(const LiaGraph* g, const LiaNode* n, const uint32_t* number, LiaText* out) {
    const char* name = lia_op_name((LiaOp)n->op);
    const uint32_t args[3] = {n->a, n->b, n->c};
    bool word = (name[0] >= 'a' && name[0] <= 'z') && n->op != LIA_OP_AND && n->op != LIA_OP_OR &&
                n->op != LIA_OP_NOT;
    int arity = lia_op_arity((LiaOp)n->op);
    if (word) {
        lia_text_add(out, "%s(", name);
        for (int i = 0; i < arity; i++) {
            if (i > 0) lia_text_add(out, ", ");
            list_argument(g, args[i], number, false, out);
        }
        lia_text_add(out, ")");
    } else if (arity == 1) {
        lia_text_add(out, "%s%s", name, n->op == LIA_OP_NOT ? " " : "");
        list_argument(g, n->a, number, true, out);
    } else {
        bool tight = n->op == LIA_OP_MUL || n->op == LIA_OP_DIV || n->op == LIA_OP_POW;
        list_argument(g, n->a, number, true, out);
        const char* space = tight ? "" : " ";
        lia_text_add(out, "%s%s%s", space, name, space);
        list_argument(g, n->b, number, true, out);
    }
}

void lia_assignments_text(const LiaGraph* g, const LiaExpr* roots, const char* const* names,
                          size_t count, LiaText* out) {
    uint32_t top = 0;
    for (size_t r = 0; r < count; r++) top = roots[r].index > top ? roots[r].index : top;
    uint32_t* number =
        lia_memory_zeros((size_t)top + 1, sizeof *number);  // 0: not needed, else its place
    if (!number) {
        out->failed = 1;
        return;
    }
    for (size_t r = 0; r < count; r++) number[roots[r].index] = 1;
    for (uint32_t i = top; i > 0; i--) {
        const LiaNode* n = &g->nodes[i];
        const uint32_t args[3] = {n->a, n->b, n->c};
        if (!number[i] || is_leaf(n)) continue;
        for (int arg = 0; arg < lia_op_arity((LiaOp)n->op); arg++) number[args[arg]] = 1;
    }
    uint32_t place = 0;
    for (uint32_t i = 1; i <= top; i++) {
        if (!number[i] || is_leaf(&g->nodes[i])) continue;
        number[i] = ++place;
        lia_text_add(out, "%%%u = ", (unsigned)place);
        list_node(g, &g->nodes[i], number, out);
        lia_text_add(out, "\n");
    }
    for (size_t r = 0; r < count; r++) {
        if (names && names[r]) {
            lia_text_add(out, "%s = ", names[r]);
        } else {
            lia_text_add(out, "#%zu = ", r);
        }
        if (roots[r].index) {
            list_argument(g, roots[r].index, number, false, out);
        } else {
            lia_text_add(out, "(none)");
        }
        lia_text_add(out, "\n");
    }
    free(number);
}
