// Where the text wrote a formula. See model.h.
//
// Equal formulas are one node, whoever wrote them. For a message about a part of the model counts
// the place within the text of that part, or else within a definition that it mentions, or that
// such a definition mentions.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "lang/model.h"
#include <stdlib.h>

enum { REACHED_MOST = 1000 };  // definitions that are looked through

typedef struct Reach {
    const LiaModel* model;
    LiaSpan* spans;  // texts that are reached, nearest first
    uint32_t count;
    bool* names;  // that are reached
} Reach;

static bool is_within(LiaSpan span, LiaSpan part) {
    return span.begin >= part.begin && span.end <= part.end;
}

static void reach_name(Reach* r, uint32_t name) {
    if (r->names[name]) return;
    r->names[name] = true;
    for (uint32_t i = 0; i < r->model->text.mentions_count && r->count < REACHED_MOST; i++) {
        const LiaMention* m = &r->model->text.mentions[i];
        if (m->defined && m->name == name) r->spans[r->count++] = m->span;
    }
}

// The place that wrote a formula within a text that is reached; NULL: none.
static const LiaWritten* find_reached(Reach* r, LiaExpr formula) {
    const LiaModel* m = r->model;
    for (uint32_t at = 0; at < r->count; at++) {
        for (uint32_t i = 0; i < m->text.written_count; i++) {
            bool same = lia_expr_same(m->text.written[i].node, formula);
            if (same && is_within(m->text.written[i].span, r->spans[at]))
                return &m->text.written[i];
        }
        for (uint32_t i = 0; i < m->text.mentions_count; i++) {
            const LiaMention* mention = &m->text.mentions[i];
            if (!mention->defined && is_within(mention->span, r->spans[at]))
                reach_name(r, mention->name);
        }
    }
    return NULL;
}

const LiaWritten* lia_written_find(const LiaModel* model, LiaExpr formula, LiaSpan part) {
    const LiaWritten* first = NULL;
    uint32_t places = 0, names = 1;
    for (uint32_t i = 0; i < model->text.written_count; i++) {
        if (!lia_expr_same(model->text.written[i].node, formula)) continue;
        if (places++ == 0) first = &model->text.written[i];
    }
    if (places < 2) return first;
    for (uint32_t i = 0; i < model->text.mentions_count; i++) {
        if (model->text.mentions[i].name >= names) names = model->text.mentions[i].name + 1;
    }
    Reach reach = {.model = model,
                   .spans = lia_memory_zeros(REACHED_MOST + 1, sizeof *reach.spans),
                   .names = lia_memory_zeros(names, sizeof *reach.names)};
    const LiaWritten* found = NULL;
    if (reach.spans && reach.names) {
        reach.spans[reach.count++] = part;
        found = find_reached(&reach, formula);
    }
    free(reach.spans);
    free(reach.names);
    return found ? found : first;
}
