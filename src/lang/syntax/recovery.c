// Recovery: where a line makes no sense, its statement is given up and no more. The next one begins
// at the next column 1.
// SPDX-License-Identifier: MIT
#include "base/text/utf8.h"
#include "lang/syntax/characters.h"
#include "lang/syntax/nearest.h"
#include "lang/syntax/parser.h"
#include "lang/syntax/slips.h"
#include <string.h>

void lia_recovery_skip(LiaParser* p) {
    if (p->token.first || p->token.kind == LIA_TOKEN_END) {
        return;
    }
    lia_parser_advance(p);
    if (!p->token.first && p->token.kind != LIA_TOKEN_END) {
        LiaSpan last = p->token.span;
        if (!p->ahead.first && p->ahead.kind != LIA_TOKEN_END) {
            lia_lexer_skip(&p->lexer);
            p->ahead = lia_lexer_next(&p->lexer);
        }
        lia_parser_advance(p);
        p->last = last;
    }
}

void lia_recovery_lose_names(LiaParser* p, uint32_t begin) {
    const char* text = p->context->source.text;
    uint32_t end =
        p->token.kind == LIA_TOKEN_END ? (uint32_t)p->context->source.length : p->token.span.begin;
    bool comment = false;
    for (uint32_t at = begin; at < end;) {
        size_t size, length = 0;
        uint32_t c = lia_utf8_decode(text + at, end - at, &size);
        comment = c == '#' || (comment && c != '\n');
        bool name = !comment && lia_characters_is_letter(c);
        while (lia_characters_goes_on(c) && at + length < end) {
            length += size;
            c = lia_utf8_decode(text + at + length, end - at - length, &size);
        }
        if (name) {
            LiaSymbol symbol = lia_context_find_name(p->context, text + at, length);
            p->context->names.items[symbol].lost = true;
        }
        at += (uint32_t)(length > 0 ? length : size);
    }
}

void lia_recovery_unknown_keyword(LiaParser* p, const LiaToken* word) {
    LiaDiags* diags = p->context->diags;
    if (word->kind == LIA_TOKEN_BAD) {
        return;
    }
    if (word->kind != LIA_TOKEN_NAME) {
        lia_diag_error(diags, word->span, "E0110",
                       "'%s' in column 1, expected a keyword such as 'coordinate'",
                       lia_context_quote(p->context, word->span));
        char c = p->context->source.text[word->span.begin];
        bool comment = (c == '/' || c == '-') && (p->token.span.begin == word->span.end);
        lia_diag_help(diags, "%s",
                      comment ? "a comment begins with '#'"
                              : "a line that continues the one above begins with white space");
        return;
    }
    const char* name = lia_context_name_text(p->context, word->symbol);
    lia_diag_error(diags, word->span, "E0110", "there is no statement '%s'", name);
    LiaNearest nearest = lia_nearest_begin(name);
    for (int i = 0; i < LIA_KEYWORD_COUNT; i++) {
        lia_nearest_offer(&nearest, lia_keywords_word((LiaKeyword)i));
    }
    const char* slip = lia_slips_find(LIA_SLIP_WORD, name, strlen(name));
    if (!slip && !nearest.best && lia_parser_kind(p) == LIA_TOKEN_EQUAL) {
        lia_diag_help(diags, "a number is 'parameter %s = ...', a formula 'let %s = ...'", name,
                      name);
    } else if (slip) {
        lia_diag_help(diags, "%s", slip);
    } else if (nearest.best) {
        lia_diag_help(diags, "did you mean '%s'?", nearest.best);
    } else {
        lia_diag_help(diags, "a statement begins in column 1 with a keyword; a line that continues "
                             "the one above begins with white space");
    }
}
