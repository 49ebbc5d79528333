// body NAME: mass e, inertia e, position e, attitude e | free.
//
// Each part is a name of its own, b.position, declared like any other.
// SPDX-License-Identifier: MIT
#include "lang/syntax/nearest.h"
#include "lang/syntax/parser.h"
#include <stdio.h>
#include <string.h>

static const char* const clauses[] = {"", "mass", "inertia", "position", "attitude", "free"};

// b.position as one name: it is declared like any other, and no name of the user's has a dot.
static LiaSymbol name_of_part(LiaParser* p, LiaSymbol body, const char* part) {
    const char* name = lia_context_name_text(p->context, body);
    size_t size = strlen(name) + strlen(part) + 2;
    char* text = lia_context_scratch(p->context, size);
    snprintf(text, size, "%s.%s", name, part);
    return lia_context_find_name(p->context, text, size - 1);
}

static LiaPhrase* find_clause(const LiaPhrases* phrases, int clause) {
    for (uint32_t i = 0; i < phrases->count; i++) {
        if ((int)phrases->items[i].clause == clause) {
            return &phrases->items[i];
        }
    }
    return NULL;
}

static void parse_clause(LiaParser* p, LiaStatement* statement, LiaPhrases* phrases) {
    enum { FREE = 5, COUNT };
    LiaToken word = p->token;
    if (!lia_parser_expect(p, LIA_TOKEN_NAME, "mass, inertia, position, attitude or free")) {
        return;
    }
    const char* name = lia_context_name_text(p->context, word.symbol);
    LiaNearest nearest = lia_nearest_begin(name);
    int clause = 1;
    while (clause < COUNT && strcmp(clauses[clause], name) != 0) {
        lia_nearest_offer(&nearest, clauses[clause++]);
    }
    if (clause == COUNT) {
        p->failed = true;
        lia_diag_error(p->context->diags, word.span, "E0183", "a body has no '%s'", name);
        lia_nearest_say(&nearest, p->context->diags,
                        "it has mass, inertia, position and attitude, or is free");
        return;
    }
    if (find_clause(phrases, clause) || (clause == FREE && statement->is_free)) {
        lia_parser_fail_at(p, word.span, "E0182", "this is said twice of one body", NULL);
        return;
    }
    if (clause == FREE) {
        statement->is_free = true;
        return;
    }
    LiaPhrase* phrase = LIA_ADD(p->context, *phrases);
    phrase->clause = (LiaClause)clause;
    phrase->head = statement->head;
    phrase->head.symbol = name_of_part(p, statement->head.symbol, name);
    phrase->right = lia_parser_expression(p);
    phrase->unit = lia_clauses_unit(p);
    phrase->span = (LiaSpan){word.span.begin, p->last.end};
}

void lia_body_statement_read(LiaParser* p, LiaStatement* statement) {
    lia_clauses_name_colon(p, statement);
    if (p->failed) {
        return;
    }
    LiaPhrases phrases = {0};
    do {
        parse_clause(p, statement, &phrases);
    } while (lia_parser_accept(p, LIA_TOKEN_COMMA));
    const LiaPhrase* placed = find_clause(&phrases, LIA_CLAUSE_POSITION);
    placed = placed ? placed : find_clause(&phrases, LIA_CLAUSE_ATTITUDE);
    if (statement->is_free && placed) {
        lia_parser_fail_at(p, placed->span, "E0182",
                           "a free body has coordinates of its own for position and attitude",
                           "leave out 'free', or the position and the attitude");
    }
    for (int i = 0; statement->is_free && i < 2 && !p->failed; i++) {
        LiaPhrase* phrase = LIA_ADD(p->context, phrases);
        phrase->head = statement->head;
        phrase->head.symbol =
            name_of_part(p, statement->head.symbol, i == 0 ? "position" : "attitude");
        phrase->clause = i == 0 ? LIA_CLAUSE_POSITION : LIA_CLAUSE_ATTITUDE;
        phrase->manifold = i == 0 ? LIA_WORD_SPACE : LIA_WORD_ROTATION;
        phrase->unit = (LiaUnitClause){.measure = lia_unit_no_measure()};
        phrase->span = statement->head.span;
    }
    lia_statements_take(statement, &phrases);
}
