// Operators that ask for more than coordinates can give.
//
// Two equations with the same left side, or a coordinate and its velocity on the left: seen at a
// glance. Else by the coordinates that stand in them: each equation is to have one of its own, a
// matching. From an equation that gets none, alternating paths lead to all that compete with it:
// one equation more than there are coordinates in them (Dulmage and Mendelsohn 1958).
// SPDX-License-Identifier: MIT
#include "mechanics/diagnosis/driven_twice.h"
#include "base/memory/memory.h"
#include <stdlib.h>

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

// An equation that an operator asks for all the time.
static bool is_asked(const LiaSystem* s, const LiaRow* row) {
    const LiaConstraint* c = &s->model->constraints[row->constraint];
    return c->active && !row->identical && !lia_model_begins_or_ends(c->duration);
}

static void say_pair(const LiaSystem* s, const LiaRow* a, const LiaRow* b, LiaText* text) {
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

static const LiaRow* find_pair(const LiaSystem* s, LiaText* text) {
    enum { LOOKED = 2000 };  // rows: each is compared with each
    uint32_t rows = s->row_count < LOOKED ? s->row_count : LOOKED;
    for (uint32_t a = 0; a < rows; a++) {
        if (!is_asked(s, &s->rows[a]) || s->rows[a].turn) continue;
        for (uint32_t b = a + 1; b < rows; b++) {
            if (!is_asked(s, &s->rows[b]) || s->rows[b].turn) continue;
            if (!same(s, &s->rows[a], &s->rows[b])) continue;
            say_pair(s, &s->rows[a], &s->rows[b], text);
            return &s->rows[b];
        }
    }
    return NULL;
}

// --- more equations than coordinates ------------------------------------------------------------

typedef struct Matching {
    const LiaSystem* s;
    int* row_of;     // the row that a column is given to, -1: none     (n)
    int* from;       // the row from which a column was reached, -1: none yet (n)
    uint32_t* rows;  // those reached, in order                         (nc)
    int* columns;    // likewise                                        (n)
    uint32_t row_count, column_count;
} Matching;

// An attitude is three numbers: its fourth is left out.
static bool counts(const LiaSystem* s, int column) {
    const LiaCoordinate* c = &s->model->coordinates[column];
    return c->manifold != LIA_ROTATION || !c->group ||
           (int)s->model->groups[c->group - 1].first != column;
}

// Gives a column to row c, by moving others. False: none is left for it, and `rows` and `columns`
// are those that compete.
static bool give_column(Matching* m, uint32_t c) {
    const LiaPattern* J = &m->s->full->J;
    m->row_count = m->column_count = 0;
    for (uint32_t i = 0; i < m->s->n; i++) m->from[i] = -1;
    m->rows[m->row_count++] = c;
    for (uint32_t k = 0; k < m->row_count; k++) {
        uint32_t row = m->rows[k];
        for (int e = J->start[row]; e < J->start[row + 1]; e++) {
            int i = J->column[e];
            if (m->from[i] >= 0 || !counts(m->s, i)) continue;
            m->from[i] = (int)row;
            m->columns[m->column_count++] = i;
            if (m->row_of[i] >= 0) {
                m->rows[m->row_count++] = (uint32_t)m->row_of[i];
                continue;
            }
            while (i >= 0) {  // back along the path
                int giver = m->from[i], next = -1;
                for (uint32_t n = 0; n < m->column_count; n++) {
                    if (m->row_of[m->columns[n]] == giver) next = m->columns[n];
                }
                m->row_of[i] = giver;
                i = next;
            }
            return true;
        }
    }
    return false;
}

enum { NAMED = 6 };  // the others are not listed

static void add_operators(const LiaSystem* s, const Matching* m, LiaText* text) {
    uint32_t told = 0;
    for (uint32_t c = 0; c < s->model->constraints_count; c++) {
        bool in = false;
        for (uint32_t k = 0; k < m->row_count; k++) {
            in |= s->rows[s->full->rows[m->rows[k]]].constraint == c;
        }
        if (!in || told++ >= NAMED) continue;
        lia_text_add(text, "%s'%s'", told > 1 ? ", " : "", s->model->constraints[c].name);
    }
    if (told > NAMED) lia_text_add(text, ", ...");
}

static void add_coordinates(const LiaSystem* s, const Matching* m, LiaText* text) {
    uint32_t told = 0, last = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t group = s->model->coordinates[i].group;
        if (m->from[i] < 0 || (group && group == last)) continue;
        last = group;
        if (told++ >= NAMED) continue;
        lia_text_add(text, "%s%s", told > 1 ? ", " : "",
                     group ? s->model->groups[group - 1].name : s->model->coordinates[i].name);
    }
    if (told > NAMED) lia_text_add(text, ", ...");
}

static void say_crowd(const LiaSystem* s, const Matching* m, LiaText* text) {
    lia_text_add(text, "%u equations of the operators ", m->row_count);
    add_operators(s, m, text);
    lia_text_add(text, " are on %u coordinate%s, ", m->column_count,
                 m->column_count == 1 ? "" : "s");
    add_coordinates(s, m, text);
    lia_text_add(text, ": leave one of them out");
}

static const LiaRow* find_crowd(const LiaSystem* s, LiaText* text) {
    enum { LOOKED = 2000 };  // rows: the search of each may go over all others
    size_t n = s->n, nc = s->full->nc;
    const LiaRow* found = NULL;
    Matching m = {.s = s};
    if (s->model->phase.is) return NULL;  // rows of phase variables are no equations of velocities
    int* block = lia_memory_zeros(3 * n + nc + 1, sizeof *block);
    if (!block) return NULL;
    m.row_of = block, m.from = block + n, m.columns = block + 2 * n;
    m.rows = (uint32_t*)(block + 3 * n);
    for (size_t i = 0; i < n; i++) m.row_of[i] = -1;
    for (uint32_t c = 0; c < nc && c < LOOKED && !found; c++) {
        const LiaRow* row = &s->rows[s->full->rows[c]];
        if (!is_asked(s, row) || give_column(&m, c) || m.column_count == 0) continue;
        say_crowd(s, &m, text);
        found = row;
    }
    free(block);
    return found;
}

static const LiaRow* find(const LiaSystem* s, LiaText* text) {
    const LiaRow* row = find_pair(s, text);
    return row ? row : find_crowd(s, text);
}

bool lia_driven_twice_find(const LiaSystem* s, LiaText* text) { return find(s, text) != NULL; }

void lia_driven_twice_warn(const LiaSystem* s, LiaDiags* diags) {
    LiaText text = {0};
    const LiaRow* row = find(s, &text);
    if (row && text.data) {
        lia_diag_warning(diags, row->span, "W0450", "%s", text.data);
        lia_diag_help(diags, "where they agree their forces are not unique: those of least norm "
                             "are given");
    }
    lia_text_clear(&text);
}
