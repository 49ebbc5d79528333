// Which names a text mentions where, and where it defines them: so that a message about a formula
// finds the place that counts among several that wrote it.
// SPDX-License-Identifier: MIT
#include "lang/elaborate/elaborate.h"

typedef LIA_VECTOR(LiaMention) Mentions;

// Coordinates and parameters are symbols: their definitions write no formula of the motion.
static bool holds_formulas(LiaKeyword keyword) {
    return keyword != LIA_KEYWORD_COORDINATE && keyword != LIA_KEYWORD_PARAMETER;
}

static bool is_defined(const LiaElaboration* e, LiaSymbol symbol) {
    uint32_t id = symbol ? e->context->names.items[symbol].declaration : 0;
    return id != 0 && holds_formulas(e->declarations.items[id].keyword);
}

void lia_mention_list(LiaElaboration* e, LiaModel* model) {
    Mentions mentions = {0};
    for (uint32_t i = 1; i < e->declarations.count; i++) {
        const LiaDeclaration* d = &e->declarations.items[i];
        if (!holds_formulas(d->keyword)) continue;
        *LIA_ADD(e->context, mentions) = (LiaMention){d->statement->span, d->symbol, true};
    }
    for (uint32_t i = 0; i < e->syntax->nodes.count; i++) {
        const LiaSyntaxNode* node = &e->syntax->nodes.items[i];
        bool name = node->kind == LIA_NODE_NAME || node->kind == LIA_NODE_MEMBER ||
                    node->kind == LIA_NODE_CALL;
        if (!name || !is_defined(e, node->symbol)) continue;
        *LIA_ADD(e->context, mentions) = (LiaMention){node->span, node->symbol, false};
    }
    model->text.mentions =
        lia_context_keep_list(e->context, mentions.items, mentions.count, sizeof *mentions.items);
    model->text.mentions_count = mentions.count;
}
