// Parser for expressions: precedence climbing that writes postfix code.
//
// From loose to tight: or, and, not, comparison, + -, * /, unary minus, ^ (to the right), and the
// postfix marks ' [i] .x. Recursion is bounded by LIA_LIMIT_NESTING.
// SPDX-License-Identifier: MIT
#include "lang/syntax/parser.h"
#include "lang/syntax/slips.h"
#include <string.h>

enum { OR = 1, AND, NOT, COMPARISON, SUM, PRODUCT, SIGN, POWER };

LiaTokenKind lia_parser_kind(const LiaParser* p) {
    return p->failed || p->token.first ? LIA_TOKEN_END : p->token.kind;
}

LiaTokenKind lia_parser_kind_ahead(const LiaParser* p) {
    bool end = lia_parser_kind(p) == LIA_TOKEN_END || p->ahead.first;
    return end ? LIA_TOKEN_END : p->ahead.kind;
}

void lia_parser_advance(LiaParser* p) {
    p->last = p->token.span;
    p->token = p->ahead;
    p->ahead = lia_lexer_next(&p->lexer);
}

bool lia_parser_accept(LiaParser* p, LiaTokenKind kind) {
    if (lia_parser_kind(p) != kind) {
        return false;
    }
    lia_parser_advance(p);
    return true;
}

bool lia_parser_is_word(const LiaParser* p, const char* word) {
    return lia_parser_kind(p) == LIA_TOKEN_NAME &&
           lia_context_name_is(p->context, p->token.symbol, word);
}

bool lia_parser_accept_word(LiaParser* p, const char* word) {
    if (!lia_parser_is_word(p, word)) {
        return false;
    }
    lia_parser_advance(p);
    return true;
}

void lia_parser_fail_at(LiaParser* p, LiaSpan span, const char* code, const char* message,
                        const char* help) {
    if (!p->failed) {
        lia_diag_error(p->context->diags, span, code, "%s", message);
        if (help) {
            lia_diag_help(p->context->diags, "%s", help);
        }
    }
    p->failed = true;
}

// The token to come is the first of its line: an indented statement, perhaps.
static bool is_first_of_line(const LiaParser* p) {
    uint32_t at = p->token.span.begin;
    const char* text = p->context->source.text;
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) {
        at--;
    }
    return at > 0 && text[at - 1] == '\n';
}

void lia_parser_fail(LiaParser* p, const char* code, const char* expected) {
    if (p->failed) {
        return;
    }
    p->failed = true;
    LiaDiags* diags = p->context->diags;
    if (p->token.kind == LIA_TOKEN_BAD && !p->token.first) {
        return;  // the lexer has said it
    }
    if (p->token.first || p->token.kind == LIA_TOKEN_END) {
        LiaSpan end = {p->last.end, p->last.end};
        lia_diag_error(diags, end, code, "the statement ends here, expected %s", expected);
        const char* text = p->context->source.text;
        bool dot = p->last.end > 1 && text[p->last.end - 1] == '.' && text[p->last.end - 2] != '.';
        const char* slip = dot ? "a velocity is written x'" : lia_slips_at_end(expected);
        if (slip) lia_diag_help(diags, "%s", slip);
        return;
    }
    const char* found = lia_context_quote(p->context, p->token.span);
    lia_diag_error(diags, p->token.span, code, "found '%s', expected %s", found, expected);
    if (p->token.kind == LIA_TOKEN_NAME && is_first_of_line(p) &&
        lia_keywords_find(lia_context_name_text(p->context, p->token.symbol)) !=
            LIA_KEYWORD_COUNT) {
        lia_diag_help(diags, "a statement begins in column 1; a line that begins with white space "
                             "continues the one above");
        return;
    }
    bool name = strcmp(expected, "a name") == 0;
    const char* slip = name ? NULL : lia_slips_between(p->context, p->last, &p->token);
    bool operand = p->token.kind == LIA_TOKEN_NAME || p->token.kind == LIA_TOKEN_NUMBER ||
                   p->token.kind == LIA_TOKEN_OPEN;
    if (!slip) slip = lia_slips_expected(p->context, p->last, &p->token, expected);
    if (slip) {
        lia_diag_help(diags, "%s", slip);
    } else if (operand && (strstr(expected, "')'") || strstr(expected, "']'"))) {
        lia_diag_help(diags, "multiplication is written '*'");
    }
}

void lia_parser_fail_with(LiaParser* p, const char* code, const char* expected, const char* help) {
    bool said = p->failed || (p->token.kind == LIA_TOKEN_BAD && !p->token.first);
    lia_parser_fail(p, code, expected);
    if (!said) lia_diag_help(p->context->diags, "%s", help);
}

bool lia_parser_expect(LiaParser* p, LiaTokenKind kind, const char* what) {
    if (lia_parser_accept(p, kind)) {
        return true;
    }
    lia_parser_fail(p, "E0112", what);
    return false;
}

void lia_parser_finish(LiaParser* p) {
    LiaTokenKind kind = lia_parser_kind(p);
    if (kind == LIA_TOKEN_END) {
        return;
    }
    bool operand = kind == LIA_TOKEN_NAME || kind == LIA_TOKEN_NUMBER || kind == LIA_TOKEN_OPEN;
    bool same_line = !is_first_of_line(p);
    if (kind == LIA_TOKEN_CLOSE || kind == LIA_TOKEN_CLOSE_SQUARE) {
        lia_parser_fail_at(p, p->token.span, "E0113", "this bracket was not opened", NULL);
        return;
    }
    if (lia_parser_is_word(p, "in")) {
        lia_parser_fail_at(
            p, p->token.span, "E0173", "a unit cannot stand here",
            "units stand after 'in' in parameter, let, coordinate, control, observe, "
            "start and gravity");
        return;
    }
    if (lia_parser_is_word(p, "at") || lia_parser_is_word(p, "on") ||
        lia_parser_is_word(p, "axis") || lia_parser_is_word(p, "normal")) {
        lia_parser_fail(p, "E0114", "the end of the statement");
        lia_diag_help(p->context->diags,
                      "such a word stands after its body: 'force F: e on BODY at e', "
                      "'revolute(BODY at e axis e, BODY at e axis e)'; an operator acts "
                      "'by d(x)'");
        return;
    }
    bool missing = operand && same_line;
    lia_parser_fail(p, missing ? "E0114" : "E0112", "the end of the statement");
    if (missing && !lia_slips_between(p->context, p->last, &p->token) &&
        !lia_slips_expected(p->context, p->last, &p->token, "the end of the statement")) {
        lia_diag_help(p->context->diags, kind == LIA_TOKEN_NAME
                                             ? "multiplication is written '*', a list with ','"
                                             : "multiplication is written '*'");
    }
}

LiaSyntaxNode* lia_parser_emit(LiaParser* p, LiaNodeKind kind, LiaSpan span) {
    LiaSyntaxNode* node = LIA_ADD(p->context, p->syntax->nodes);
    node->kind = kind;
    node->span = span;
    return node;
}

static LiaSpan parse(LiaParser* p, int loosest);

bool lia_parser_enter(LiaParser* p) {
    if (++p->depth > LIA_LIMIT_NESTING && !p->failed) {
        p->failed = true;
        lia_diag_error(p->context->diags, p->token.span, "E0109",
                       "expressions nested deeper than the limit of %d", LIA_LIMIT_NESTING);
        lia_diag_help(p->context->diags, "give parts of it a name with 'let'");
    }
    return !p->failed;
}

void lia_parser_leave(LiaParser* p) { p->depth--; }

static void parse_name(LiaParser* p) {
    LiaToken name = p->token;
    lia_parser_advance(p);
    if (lia_parser_kind(p) == LIA_TOKEN_OPEN) {
        lia_call_syntax_read(p, name);
        return;
    }
    LiaSpan opened = p->token.span;
    if (lia_parser_accept(p, LIA_TOKEN_OPEN_SQUARE)) {
        uint32_t count = lia_call_syntax_list(p, LIA_TOKEN_CLOSE_SQUARE, opened, "',' or ']'");
        LiaSyntaxNode* node =
            lia_parser_emit(p, LIA_NODE_MEMBER, (LiaSpan){name.span.begin, p->last.end});
        node->symbol = name.symbol;
        node->count = count;
        return;
    }
    lia_parser_emit(p, LIA_NODE_NAME, name.span)->symbol = name.symbol;
}

static void parse_operand(LiaParser* p) {
    LiaToken token = p->token;
    switch (lia_parser_kind(p)) {
    case LIA_TOKEN_NUMBER:
        lia_parser_advance(p);
        lia_parser_emit(p, LIA_NODE_NUMBER, token.span)->symbol = p->syntax->numbers.count;
        *LIA_ADD(p->context, p->syntax->numbers) = token.number;
        break;
    case LIA_TOKEN_NAME:
        parse_name(p);
        break;
    case LIA_TOKEN_OPEN:
        lia_parser_advance(p);
        parse(p, OR);
        if (lia_parser_kind(p) == LIA_TOKEN_END && !p->failed) {
            lia_parser_fail_at(p, token.span, "E0113", "this bracket is not closed", NULL);
        }
        lia_parser_expect(p, LIA_TOKEN_CLOSE, "')'");
        break;
    case LIA_TOKEN_OPEN_SQUARE: {
        lia_parser_advance(p);
        uint32_t count = lia_call_syntax_list(p, LIA_TOKEN_CLOSE_SQUARE, token.span, "',' or ']'");
        lia_parser_emit(p, LIA_NODE_VECTOR, (LiaSpan){token.span.begin, p->last.end})->count =
            count;
        break;
    }
    default:
        lia_parser_fail(p, "E0112", "an expression");
        break;
    }
}

static LiaSpan parse_postfix(LiaParser* p) {
    uint32_t begin = p->token.span.begin;
    parse_operand(p);
    for (;;) {
        LiaSpan opened = p->token.span;
        if (lia_parser_accept(p, LIA_TOKEN_PRIME)) {
            lia_parser_emit(p, LIA_NODE_PRIME, (LiaSpan){begin, p->last.end});
        } else if (lia_parser_accept(p, LIA_TOKEN_OPEN_SQUARE)) {
            uint32_t count = lia_call_syntax_list(p, LIA_TOKEN_CLOSE_SQUARE, opened, "',' or ']'");
            lia_parser_emit(p, LIA_NODE_INDEX, (LiaSpan){begin, p->last.end})->count = count;
        } else if (lia_parser_accept(p, LIA_TOKEN_DOT)) {
            LiaSymbol field = p->token.symbol;
            if (lia_parser_expect(p, LIA_TOKEN_NAME, "a component: x, y or z")) {
                lia_parser_emit(p, LIA_NODE_FIELD, (LiaSpan){begin, p->last.end})->symbol = field;
            }
        } else {
            break;
        }
    }
    return (LiaSpan){begin, p->last.end};
}

static LiaSpan parse_prefix(LiaParser* p) {
    uint32_t begin = p->token.span.begin;
    if (!lia_parser_enter(p)) {
        lia_parser_leave(p);
        return p->last;
    }
    LiaTokenKind kind = lia_parser_kind(p);
    if (kind == LIA_TOKEN_MINUS || kind == LIA_TOKEN_PLUS) {
        lia_parser_advance(p);
        parse(p, SIGN);
        if (kind == LIA_TOKEN_MINUS) {
            lia_parser_emit(p, LIA_NODE_NEGATE, (LiaSpan){begin, p->last.end});
        }
    } else if (lia_parser_is_word(p, "not") && lia_parser_kind_ahead(p) != LIA_TOKEN_END) {
        lia_parser_advance(p);
        parse(p, NOT);
        lia_parser_emit(p, LIA_NODE_NOT, (LiaSpan){begin, p->last.end});
    } else {
        parse_postfix(p);
        if (lia_parser_accept(p, LIA_TOKEN_CARET)) {
            parse(p, SIGN);  // a^-b; and to the right: a^b^c = a^(b^c)
            lia_parser_emit(p, LIA_NODE_POWER, (LiaSpan){begin, p->last.end});
        }
    }
    lia_parser_leave(p);
    return (LiaSpan){begin, p->last.end};
}

typedef struct Infix {
    int precedence;
    LiaNodeKind node;
} Infix;

static Infix infix_of(const LiaParser* p) {
    switch (lia_parser_kind(p)) {
    case LIA_TOKEN_PLUS:
        return (Infix){SUM, LIA_NODE_ADD};
    case LIA_TOKEN_MINUS:
        return (Infix){SUM, LIA_NODE_SUBTRACT};
    case LIA_TOKEN_STAR:
        return (Infix){PRODUCT, LIA_NODE_MULTIPLY};
    case LIA_TOKEN_SLASH:
        return (Infix){PRODUCT, LIA_NODE_DIVIDE};
    case LIA_TOKEN_LESS:
        return (Infix){COMPARISON, LIA_NODE_LESS};
    case LIA_TOKEN_LESS_EQUAL:
        return (Infix){COMPARISON, LIA_NODE_LESS_EQUAL};
    case LIA_TOKEN_GREATER:
        return (Infix){COMPARISON, LIA_NODE_GREATER};
    case LIA_TOKEN_GREATER_EQUAL:
        return (Infix){COMPARISON, LIA_NODE_GREATER_EQUAL};
    case LIA_TOKEN_SAME:
    case LIA_TOKEN_DIFFERENT:
        return (Infix){COMPARISON, LIA_NODE_POISON};
    case LIA_TOKEN_NAME:
        if (lia_parser_is_word(p, "and")) {
            return (Infix){AND, LIA_NODE_AND};
        }
        if (lia_parser_is_word(p, "or")) {
            return (Infix){OR, LIA_NODE_OR};
        }
        return (Infix){0, LIA_NODE_POISON};
    default:
        return (Infix){0, LIA_NODE_POISON};
    }
}

// An expression whose operators bind at least as tight as `loosest`.
static LiaSpan parse(LiaParser* p, int loosest) {
    LiaSpan left = parse_prefix(p);
    bool compared = false;
    for (;;) {
        Infix infix = infix_of(p);
        if (infix.precedence == 0 || infix.precedence < loosest) {
            return left;
        }
        if (infix.node == LIA_NODE_POISON && p->depth == 0) {
            lia_parser_fail_at(p, p->token.span, "E0115", "an equation has a single '='",
                               "write 'left = right'");
            return left;
        }
        if (infix.node == LIA_NODE_POISON) {
            lia_parser_fail_at(p, p->token.span, "E0115",
                               "'==' and '!=' are not conditions: two real numbers are equal at "
                               "single instants only",
                               "write an inequality, as in if(abs(x) < 1e-9, a, b), or an 'event'");
            return left;
        }
        if (infix.precedence == COMPARISON && compared) {
            lia_parser_fail_at(p, p->token.span, "E0116", "a comparison of three",
                               "write 'a < b and b < c'");
            return left;
        }
        compared = infix.precedence == COMPARISON;
        lia_parser_advance(p);
        LiaSpan right = parse(p, infix.precedence + 1);
        left = lia_context_join_spans(left, right);
        lia_parser_emit(p, infix.node, left);
    }
}

LiaCode lia_parser_expression(LiaParser* p) {
    LiaCode code = {.begin = p->syntax->nodes.count};
    code.span = parse(p, OR);
    code.end = p->syntax->nodes.count;
    return code;
}

LiaCode lia_parser_bound(LiaParser* p) {
    LiaCode code = {.begin = p->syntax->nodes.count};
    code.span = parse(p, SUM);
    code.end = p->syntax->nodes.count;
    return code;
}

LiaCode lia_parser_zero(LiaParser* p, LiaSpan span) {
    LiaCode code = {.begin = p->syntax->nodes.count, .span = span};
    lia_parser_emit(p, LIA_NODE_NUMBER, span)->symbol = p->syntax->numbers.count;
    *LIA_ADD(p->context, p->syntax->numbers) = lia_number_whole(0);
    code.end = p->syntax->nodes.count;
    return code;
}
