// Calls in expressions: lists of arguments, and the functions whose arguments are read in a way of
// their
// own: sum(), if(), force(NAME), euler(R, "zxz"), groups of bodies.
// SPDX-License-Identifier: MIT
#include "lang/elaborate/builtin.h"
#include "lang/syntax/parser.h"

uint32_t lia_call_syntax_list(LiaParser* p, LiaTokenKind close, LiaSpan opened, const char* what) {
    uint32_t count = 0;
    if (lia_parser_accept(p, close)) {
        return 0;
    }
    do {
        lia_parser_expression(p);
        count++;
    } while (lia_parser_accept(p, LIA_TOKEN_COMMA));
    if (!lia_parser_accept(p, close)) {
        if (lia_parser_kind(p) == LIA_TOKEN_END && !p->failed) {
            lia_parser_fail_at(p, opened, "E0113", "this bracket is not closed", NULL);
        }
        lia_parser_fail(p, "E0112", what);
    }
    return count;
}

// sum(i = 1..N, j = 1..M, e); after the opening bracket.
static void parse_sum(LiaParser* p, LiaSpan begin) {
    uint32_t first_sum = 0, sums = 0;
    while (lia_parser_kind(p) == LIA_TOKEN_NAME && lia_parser_kind_ahead(p) == LIA_TOKEN_EQUAL) {
        LiaToken index = p->token;
        lia_parser_advance(p);
        lia_parser_advance(p);
        lia_parser_bound(p);
        lia_parser_expect(p, LIA_TOKEN_RANGE, "'..' and the end of the range");
        lia_parser_bound(p);
        lia_parser_expect(p, LIA_TOKEN_COMMA, "',' and what is summed");
        LiaSyntaxNode* node = lia_parser_emit(p, LIA_NODE_SUM_BEGIN, index.span);
        node->symbol = index.symbol;
        node->count = first_sum;  // chain of the sums that are open, undone below
        first_sum = p->syntax->nodes.count;
        sums++;
    }
    if (sums == 0) {
        lia_parser_fail(p, "E0112", "the range, as in sum(i = 1..N, e)");
        return;
    }
    lia_parser_expression(p);
    lia_parser_expect(p, LIA_TOKEN_CLOSE, "')' that closes the sum");
    LiaSpan span = {begin.begin, p->last.end};
    while (first_sum != 0) {
        uint32_t at = first_sum - 1;
        lia_parser_emit(p, LIA_NODE_SUM_END, span)->jump = at + 1;
        LiaSyntaxNode* node = &p->syntax->nodes.items[at];
        first_sum = node->count;
        node->count = 0;
        node->jump = p->syntax->nodes.count;
    }
}

// if(c, a, b); after the opening bracket.
static void parse_if(LiaParser* p, LiaSpan begin) {
    lia_parser_expression(p);
    lia_parser_expect(p, LIA_TOKEN_COMMA, "',': if(condition, a, b)");
    uint32_t then_at = p->syntax->nodes.count;
    lia_parser_emit(p, LIA_NODE_IF_THEN, (LiaSpan){begin.begin, p->last.end});
    lia_parser_expression(p);
    lia_parser_expect(p, LIA_TOKEN_COMMA, "',': if(condition, a, b)");
    uint32_t else_at = p->syntax->nodes.count;
    lia_parser_emit(p, LIA_NODE_IF_ELSE, begin);
    p->syntax->nodes.items[then_at].jump = p->syntax->nodes.count;
    lia_parser_expression(p);
    lia_parser_expect(p, LIA_TOKEN_CLOSE, "')': if(condition, a, b)");
    LiaSpan span = {begin.begin, p->last.end};
    p->syntax->nodes.items[then_at].span = span;
    p->syntax->nodes.items[else_at].span = span;
    p->syntax->nodes.items[else_at].jump = p->syntax->nodes.count;
    lia_parser_emit(p, LIA_NODE_IF_END, span);
}

// One name of a statement, with its indices: what is emitted for it.
static LiaSyntaxNode* read_name(LiaParser* p, LiaToken function, uint32_t row, LiaNodeKind kind) {
    LiaToken name = p->token;
    if (!lia_parser_expect(p, LIA_TOKEN_NAME, "a name")) {
        return NULL;
    }
    uint32_t count = 0;
    LiaSpan opened = p->token.span;
    if (lia_parser_accept(p, LIA_TOKEN_OPEN_SQUARE)) {
        count = lia_call_syntax_list(p, LIA_TOKEN_CLOSE_SQUARE, opened, "',' or ']'");
    }
    LiaSymbol field = 0;
    if (lia_parser_accept(p, LIA_TOKEN_DOT)) {
        field = p->token.symbol;
        lia_parser_expect(p, LIA_TOKEN_NAME, "a component or a part of a body");
    }
    LiaSyntaxNode* node = lia_parser_emit(p, kind, (LiaSpan){name.span.begin, p->last.end});
    node->symbol = function.symbol;
    node->other = name.symbol;
    node->field = field;
    node->count = count;
    node->jump = row;
    if (name.span.begin > p->last.end) {
        p->failed = true;
    }
    return node;
}

static bool is_all(LiaParser* p) {
    LiaTokenKind ahead = lia_parser_kind_ahead(p);
    return lia_parser_is_word(p, "all") &&
           (ahead == LIA_TOKEN_COMMA || ahead == LIA_TOKEN_CLOSE || ahead == LIA_TOKEN_NAME);
}

static void read_all(LiaParser* p) {
    lia_parser_emit(p, LIA_NODE_ALL, p->token.span);
    lia_parser_advance(p);
}

// J1, J2 on A, B at P) of reaction() and moment(); the first joint is read, and `count` 1.
static void parse_efforts(LiaParser* p, LiaToken function, uint32_t row, uint32_t count) {
    while (lia_parser_accept(p, LIA_TOKEN_COMMA)) {
        read_name(p, function, row, LIA_NODE_JOINT);
        count++;
    }
    if (lia_parser_is_word(p, "on")) {
        do {
            lia_parser_advance(p);  // `on`, or a comma
            lia_parser_expression(p);
            count++;
        } while (!p->failed && lia_parser_kind(p) == LIA_TOKEN_COMMA);
    }
    bool at = lia_parser_is_word(p, "at");
    if (at) {
        lia_parser_advance(p);
        lia_parser_expression(p);
        count++;
    }
    lia_parser_expect(p, LIA_TOKEN_CLOSE, "',', 'on', 'at' or ')'");
    LiaSyntaxNode* node =
        lia_parser_emit(p, LIA_NODE_CALL, (LiaSpan){function.span.begin, p->last.end});
    node->symbol = function.symbol;
    node->other = row;
    node->count = count;
    node->jump = at;
}

// force(NAME), p(x[2]), reaction(J1, J2 on A); after the opening bracket.
static void parse_named(LiaParser* p, LiaToken function, uint32_t row) {
    LiaBuiltinId id = (LiaBuiltinId)lia_builtin_at((int)row - 1)->id;
    bool efforts = id == LIA_CALL_REACTION || id == LIA_CALL_MOMENT;
    if (efforts && is_all(p)) {
        read_all(p);
        parse_efforts(p, function, row, 1);
        return;
    }
    if (!read_name(p, function, row, LIA_NODE_NAMED)) {
        return;
    }
    uint32_t at = p->syntax->nodes.count - 1;
    bool more = lia_parser_kind(p) == LIA_TOKEN_COMMA || lia_parser_is_word(p, "on") ||
                lia_parser_is_word(p, "at");
    if (efforts && more) {
        p->syntax->nodes.items[at].kind = LIA_NODE_JOINT;
        parse_efforts(p, function, row, 1);
        return;
    }
    lia_parser_expect(p, LIA_TOKEN_CLOSE, "')' after the name");
    p->syntax->nodes.items[at].span = (LiaSpan){function.span.begin, p->last.end};
}

// euler(R, "zxz"); after the opening bracket.
static void parse_euler(LiaParser* p, LiaToken function, uint32_t row) {
    lia_parser_expression(p);
    bool angles = !p->failed && lia_parser_kind(p) != LIA_TOKEN_COMMA;
    lia_parser_expect(p, LIA_TOKEN_COMMA, "',' and the sequence of axes");
    angles = angles || (!p->failed && lia_parser_kind(p) != LIA_TOKEN_TEXT);
    LiaSpan text = p->token.span;
    lia_parser_expect(p, LIA_TOKEN_TEXT, "the sequence of axes, as in \"zxz\"");
    if (angles) {
        lia_diag_help(p->context->diags, "euler(R, \"zxz\") are the angles of a rotation; the "
                                         "rotation of angles is rotz(a)*rotx(b)*rotz(c)");
    }
    lia_parser_expect(p, LIA_TOKEN_CLOSE, "')'");
    if (p->failed) {
        return;
    }
    LiaSymbol sequence = lia_context_find_name(p->context, p->context->source.text + text.begin + 1,
                                               text.end - text.begin - 2);
    LiaSyntaxNode* node =
        lia_parser_emit(p, LIA_NODE_CALL, (LiaSpan){function.span.begin, p->last.end});
    node->symbol = function.symbol;
    node->other = row;
    node->field = sequence;
    node->count = 1;
}

// linear_momentum(A, B), angular_momentum(P, all); after the opening bracket.
static void parse_group(LiaParser* p, LiaToken function, uint32_t row, LiaSpan opened) {
    uint32_t count = 0;
    do {
        if (is_all(p)) {
            read_all(p);
        } else {
            lia_parser_expression(p);
        }
        count++;
    } while (lia_parser_accept(p, LIA_TOKEN_COMMA));
    if (lia_parser_kind(p) == LIA_TOKEN_END && !p->failed) {
        lia_parser_fail_at(p, opened, "E0113", "this bracket is not closed", NULL);
    }
    lia_parser_expect(p, LIA_TOKEN_CLOSE, "',' or ')'");
    LiaSyntaxNode* node =
        lia_parser_emit(p, LIA_NODE_CALL, (LiaSpan){function.span.begin, p->last.end});
    node->symbol = function.symbol;
    node->other = row;
    node->count = count;
}

void lia_call_syntax_read(LiaParser* p, LiaToken function) {
    LiaSpan opened = p->token.span;
    lia_parser_advance(p);
    const LiaBuiltin* builtin =
        lia_builtin_find(lia_context_name_text(p->context, function.symbol));
    uint32_t row = builtin ? (uint32_t)(builtin - lia_builtin_at(0)) + 1 : 0;
    if (builtin && builtin->kind == LIA_BUILTIN_SPECIAL) {
        if (builtin->id == LIA_CALL_EULER) {
            parse_euler(p, function, row);
        } else {
            builtin->id == LIA_CALL_SUM ? parse_sum(p, function.span) : parse_if(p, function.span);
        }
    } else if (builtin && builtin->kind == LIA_BUILTIN_NAMED) {
        parse_named(p, function, row);
    } else if (builtin && builtin->kind == LIA_BUILTIN_GROUP) {
        parse_group(p, function, row, opened);
    } else {
        uint32_t count = lia_call_syntax_list(p, LIA_TOKEN_CLOSE, opened, "',' or ')'");
        LiaSyntaxNode* node =
            lia_parser_emit(p, LIA_NODE_CALL, (LiaSpan){function.span.begin, p->last.end});
        node->symbol = function.symbol;
        node->other = row;
        node->count = count;
    }
}
