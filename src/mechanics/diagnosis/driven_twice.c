// One coordinate, or one formula, on the left of two equations of operators, or with its velocity
// on the left of the other.
// SPDX-License-Identifier: MIT
#include "mechanics/diagnosis/driven_twice.h"

// The coordinate that stands alone on the left, or its velocity; UINT32_MAX: something else does.
static uint32_t coordinate_of(const LiaSystem* s, const LiaRow* row) {
    const LiaNode* node = lia_graph_node(s->graph, row->left);
    bool state = node->op == LIA_OP_SYMBOL && (node->symbol_kind == LIA_SYMBOL_POSITION ||
                                               node->symbol_kind == LIA_SYMBOL_VELOCITY);
    return state ? node->a : UINT32_MAX;
}

static bool same(const LiaSystem* s, const LiaRow* a, const LiaRow* b) {
    uint32_t x = coordinate_of(s, a);
    return lia_expr_same(a->left, b->left) || (x != UINT32_MAX && x == coordinate_of(s, b));
}

static bool is_asked(const LiaSystem* s, const LiaRow* row) {
    return s->model->constraints[row->constraint].active && !row->identical && !row->turn;
}

static void say(const LiaSystem* s, const LiaRow* a, const LiaRow* b, LiaText* text) {
    const LiaModel* m = s->model;
    uint32_t x = coordinate_of(s, a);
    const char *first = m->constraints[a->constraint].name,
               *second = m->constraints[b->constraint].name;
    if (x != UINT32_MAX) {
        lia_text_add(text, "'%s' is driven twice, ", m->coordinates[x].name);
    } else {
        lia_text_add(text, "the same is asked for twice, ");
    }
    if (a->constraint == b->constraint) {
        lia_text_add(text, "both times by '%s': leave one of its equations out", first);
    } else {
        lia_text_add(text, "by '%s' and '%s': leave one of them out", first, second);
    }
}

bool lia_driven_twice_find(const LiaSystem* s, LiaText* text) {
    enum { LOOKED = 2000 };  // rows: each is compared with each
    uint32_t rows = s->row_count < LOOKED ? s->row_count : LOOKED;
    for (uint32_t a = 0; a < rows; a++) {
        if (!is_asked(s, &s->rows[a])) continue;
        for (uint32_t b = a + 1; b < rows; b++) {
            if (!is_asked(s, &s->rows[b]) || !same(s, &s->rows[a], &s->rows[b])) continue;
            say(s, &s->rows[a], &s->rows[b], text);
            return true;
        }
    }
    return false;
}
