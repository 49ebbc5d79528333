// Reading shapes: WORD(BODY clauses, arguments), by the table surfaces.def; inside(SHAPE).
// SPDX-License-Identifier: MIT
#include "lang/bodies/surfaces/surface.h"
#include "lang/syntax/nearest.h"
#include "lang/syntax/parser.h"
#include "lang/syntax/slips.h"
#include <string.h>

enum Argument { NONE, NUMBER, NUMBERS, VECTOR, PLACE, FUNCTION };

static const struct {
    const char* word;
    const char* clauses;
    enum Argument argument;
    const char* use;
} kinds[] = {
#define LIA_SURFACE(id, word, clauses, argument, use) {#word, clauses, argument, use},
#include "lang/bodies/surfaces/surfaces.def"
#undef LIA_SURFACE
};

const char* lia_surface_read_word(LiaSurfaceKind kind) { return kinds[kind].word; }

// LIA_SURFACE_KINDS where there is none.
static LiaSurfaceKind find(const char* word) {
    int kind = 0;
    while (kind < LIA_SURFACE_KINDS && strcmp(kinds[kind].word, word) != 0) {
        kind++;
    }
    return (LiaSurfaceKind)kind;
}

static void say_unknown(LiaParser* p, LiaSpan span, const char* name) {
    LiaDiags* diags = p->context->diags;
    p->failed = true;
    lia_diag_error(diags, span, "E0270", "there is no shape '%s'", name);
    LiaNearest nearest = lia_nearest_begin(name);
    for (int i = 0; i < LIA_SURFACE_KINDS; i++) {
        lia_nearest_offer(&nearest, kinds[i].word);
    }
    const char* slip = lia_slips_find(LIA_SLIP_SHAPE, name, strlen(name));
    static const char all[] = "there are "
#define LIA_SURFACE(id, word, clauses, argument, use) #word " "
#include "lang/bodies/surfaces/surfaces.def"
#undef LIA_SURFACE
                              "and inside(SHAPE)";
    if (nearest.best) nearest.best = slip ? NULL : kinds[find(nearest.best)].use;
    lia_nearest_say(&nearest, diags, slip ? slip : all);
}

// at e, axis e, normal e, attitude e: what this shape has of them.
static LiaCode* clause_of(LiaSurfaceSyntax* s, const char* word) {
    static const char letters[] = "AXNT";
    static const char* const words[] = {"at", "axis", "normal", "attitude"};
    LiaCode* const places[] = {&s->at, &s->axis, &s->axis, &s->attitude};
    for (int i = 0; i < 4; i++) {
        if (strcmp(words[i], word) == 0 && strchr(kinds[s->kind].clauses, letters[i])) {
            return places[i];
        }
    }
    return NULL;
}

static void read_clauses(LiaParser* p, LiaSurfaceSyntax* s) {
    while (lia_parser_kind(p) == LIA_TOKEN_NAME) {
        LiaCode* clause = clause_of(s, lia_context_name_text(p->context, p->token.symbol));
        if (!clause) {
            lia_parser_fail_at(p, p->token.span, "E0271", "this shape does not say that",
                               kinds[s->kind].use);
            return;
        }
        if (clause->end > clause->begin) {
            lia_parser_fail_at(p, p->token.span, "E0271", "this is said twice of one shape", NULL);
            return;
        }
        lia_parser_advance(p);
        *clause = lia_parser_expression(p);
    }
}

static void read_argument(LiaParser* p, LiaSurfaceSyntax* s) {
    if (kinds[s->kind].argument == FUNCTION) {
        s->function = p->token.symbol;
        s->function_span = p->token.span;
        lia_parser_expect(p, LIA_TOKEN_NAME, "the name of a function of x, y, z");
        s->argument_count++;
        return;
    }
    LiaCode code = lia_parser_expression(p);
    if (s->argument_count < 2) {
        s->arguments[s->argument_count] = code;
    }
    s->argument_count++;
}

static bool check_count(const LiaSurfaceSyntax* s) {
    switch (kinds[s->kind].argument) {
    case NONE:
        return s->argument_count == 0;
    case NUMBERS:
        return s->argument_count == 1 || s->argument_count == 2;
    default:
        return s->argument_count == 1;
    }
}

void lia_surface_read_statement(LiaParser* p, LiaSurfaceSyntax* s) {
    LiaToken word = p->token;
    if (!lia_parser_enter(p) ||
        !lia_parser_expect(p, LIA_TOKEN_NAME, "a shape, as in sphere(BODY, r)")) {
        lia_parser_leave(p);
        return;
    }
    const char* name = lia_context_name_text(p->context, word.symbol);
    LiaSpan opened = p->token.span;
    if (strcmp(name, "inside") == 0) {
        lia_parser_expect(p, LIA_TOKEN_OPEN, "'(' and the shape that is hollow");
        lia_surface_read_statement(p, s);
        if (s->hollow && !p->failed) {
            lia_parser_fail_at(p, word.span, "E0118", "a shape is hollow or not",
                               "write 'inside(SHAPE)' once");
        }
        s->hollow = true;
        lia_parser_expect(p, LIA_TOKEN_CLOSE, "')'");
        s->span = (LiaSpan){word.span.begin, p->last.end};
        lia_parser_leave(p);
        return;
    }
    s->kind = find(name);
    if (s->kind == LIA_SURFACE_KINDS) {
        say_unknown(p, word.span, name);
        lia_parser_leave(p);
        return;
    }
    lia_parser_expect(p, LIA_TOKEN_OPEN, "'(' and the body");
    s->body = lia_parser_expression(p);
    read_clauses(p, s);
    while (lia_parser_accept(p, LIA_TOKEN_COMMA)) {
        read_argument(p, s);
    }
    if (lia_parser_kind(p) == LIA_TOKEN_END && !p->failed) {
        lia_parser_fail_at(p, opened, "E0113", "this bracket is not closed", NULL);
    }
    lia_parser_expect(p, LIA_TOKEN_CLOSE, "',' or ')'");
    s->span = (LiaSpan){word.span.begin, p->last.end};
    if (!p->failed && !check_count(s)) {
        p->failed = true;
        lia_diag_error(p->context->diags, s->span, "E0271",
                       "a %s is not given by %u argument%s after its body", name, s->argument_count,
                       s->argument_count == 1 ? "" : "s");
        lia_diag_help(p->context->diags, "write '%s'", kinds[s->kind].use);
    }
    lia_parser_leave(p);
}
