// Reading joints: KIND(side, side, clause ...), by the table joints.def.
//   a side of BODIES   BODY [at e] [surface NAME | curve NAME | curve NAME(e)] [axis e]
//                      [direction e]
//   a side of SHAPES   a shape, ../surfaces/surface_read.c
// SPDX-License-Identifier: MIT
#include "lang/syntax/nearest.h"
#include "lang/syntax/parser.h"
#include "lang/syntax/slips.h"
#include <string.h>

enum Sides { BODIES, SHAPES };
enum Use { NO, MAY, MUST };

static const struct {
    const char* word;
    enum Sides sides;
    enum Use axis;
} kinds[] = {
#define LIA_JOINT(id, word, sides, axis, direction, pitch) {#word, sides, axis},
#include "lang/bodies/joints/joints.def"
#undef LIA_JOINT
};

const char* lia_joint_read_word(LiaJointKind kind) { return kinds[kind].word; }

static const char* const words[LIA_SIDE_WORDS] = {"at", "axis", "direction"};

static void say_unknown_kind(LiaParser* p, LiaSpan span, const char* name) {
    LiaDiags* diags = p->context->diags;
    p->failed = true;
    lia_diag_error(diags, span, "E0250", "there is no joint '%s'", name);
    LiaNearest nearest = lia_nearest_begin(name);
    for (int i = 0; i < LIA_JOINT_KINDS; i++) {
        lia_nearest_offer(&nearest, kinds[i].word);
    }
    const char* slip = lia_slips_find(LIA_SLIP_JOINT, name, strlen(name));
    static const char all[] = "there are "
#define LIA_JOINT(id, word, sides, axis, direction, pitch) #word " "
#include "lang/bodies/joints/joints.def"
#undef LIA_JOINT
        ;
    if (slip) nearest.best = NULL;
    lia_nearest_say(&nearest, diags, slip ? slip : all);
}

// surface NAME, curve NAME, curve NAME(e)
static void read_function(LiaParser* p, LiaSide* side) {
    if (side->function != 0) {
        lia_parser_fail_at(p, p->token.span, "E0118", "this is said twice of one side", NULL);
    }
    side->function_word = p->token.symbol;
    lia_parser_advance(p);
    side->function = p->token.symbol;
    side->function_span = p->token.span;
    lia_parser_expect(p, LIA_TOKEN_NAME, "the name of a function");
    if (lia_parser_accept(p, LIA_TOKEN_OPEN)) {
        side->parameter = lia_parser_expression(p);
        lia_parser_expect(p, LIA_TOKEN_CLOSE, "')'");
        side->function_span.end = p->last.end;
    }
    LiaTokenKind next = lia_parser_kind(p);
    if (!p->failed && next != LIA_TOKEN_COMMA && next != LIA_TOKEN_CLOSE &&
        next != LIA_TOKEN_NAME && next != LIA_TOKEN_END) {
        lia_parser_fail(p, "E0112", "',' or ')'");
        lia_diag_help(p->context->diags, "a surface or curve is the name of a function: 'function "
                                         "f(x, y, z) = ...', and 'surface f'");
    }
}

static void read_side(LiaParser* p, LiaSide* side) {
    side->span = p->token.span;
    side->body = lia_parser_expression(p);
    while (lia_parser_kind(p) == LIA_TOKEN_NAME) {
        const char* name = lia_context_name_text(p->context, p->token.symbol);
        int word = 0;
        while (word < LIA_SIDE_WORDS && strcmp(words[word], name) != 0) {
            word++;
        }
        if (strcmp(name, "surface") == 0 || strcmp(name, "curve") == 0) {
            read_function(p, side);
            continue;
        }
        if (word == LIA_SIDE_WORDS) {
            lia_parser_fail(p, "E0118", "'at', 'axis', 'direction', ',' or ')'");
            break;
        }
        if (side->clauses[word].end > side->clauses[word].begin) {
            lia_parser_fail_at(p, p->token.span, "E0118", "this is said twice of one side", NULL);
        }
        lia_parser_advance(p);
        side->clauses[word] = lia_parser_expression(p);
    }
    side->span.end = p->last.end;
}

// A word `pitch` after the two sides, that is not a body of that name.
static bool is_pitch(const LiaParser* p, uint32_t sides) {
    LiaTokenKind next = lia_parser_kind_ahead(p);
    return sides == 2 && next != LIA_TOKEN_COMMA && next != LIA_TOKEN_CLOSE;
}

// How a kind is written.
static void say_usage(LiaParser* p, LiaJointKind kind) {
    const char* form =
        kinds[kind].sides == SHAPES    ? "write '%s(SHAPE, SHAPE)', as in 'sphere(BODY, r)'"
        : kind == LIA_JOINT_ON_SURFACE ? "write '%s(BODY at e, BODY surface NAME)'"
        : kind == LIA_JOINT_ON_CURVE   ? "write '%s(BODY at e, BODY curve NAME)'"
        : kind == LIA_JOINT_SCREW      ? "write '%s(BODY at e axis e, BODY at e axis e, pitch e)'"
        : kinds[kind].axis == MUST     ? "write '%s(BODY at e axis e, BODY at e axis e)'"
                                       : "write '%s(BODY at e, BODY at e)'";
    lia_diag_help(p->context->diags, form, kinds[kind].word);
}

// joint NAME: KIND(side, side, pitch e); after the ':'.
void lia_joint_read_statement(LiaParser* p, LiaStatement* statement) {
    LiaToken word = p->token;
    if (!lia_parser_expect(p, LIA_TOKEN_NAME, "a kind of joint, as in revolute(...)")) {
        return;
    }
    const char* name = lia_context_name_text(p->context, word.symbol);
    int kind = 0;
    while (kind < LIA_JOINT_KINDS && strcmp(kinds[kind].word, name) != 0) {
        kind++;
    }
    if (kind == LIA_JOINT_KINDS) {
        say_unknown_kind(p, word.span, name);
        return;
    }
    LiaJointSyntax* joint = lia_context_scratch(p->context, sizeof *joint);
    joint->kind = (LiaJointKind)kind;
    joint->kind_span = word.span;
    statement->joint = joint;
    LiaSpan opened = p->token.span;
    lia_parser_expect(p, LIA_TOKEN_OPEN, "'(' and the two sides of the joint");
    LIA_VECTOR(LiaSide) sides = {0};
    LIA_VECTOR(LiaSurfaceSyntax) shapes = {0};
    bool of_shapes = kinds[kind].sides == SHAPES;
    do {
        if (of_shapes) {
            lia_surface_read_statement(p, LIA_ADD(p->context, shapes));
        } else if (is_pitch(p, sides.count) && lia_parser_accept_word(p, "pitch")) {
            joint->pitch = lia_parser_expression(p);
        } else {
            read_side(p, LIA_ADD(p->context, sides));
        }
    } while (lia_parser_accept(p, LIA_TOKEN_COMMA));
    if (lia_parser_kind(p) == LIA_TOKEN_END && !p->failed) {
        lia_parser_fail_at(p, opened, "E0113", "this bracket is not closed", NULL);
    }
    lia_parser_expect(p, LIA_TOKEN_CLOSE, "',' or ')'");
    joint->sides = sides.items;
    joint->shapes = shapes.items;
    joint->side_count = of_shapes ? shapes.count : sides.count;
    if (!p->failed && joint->side_count != 2) {
        p->failed = true;
        lia_diag_error(p->context->diags, (LiaSpan){word.span.begin, p->last.end}, "E0251",
                       "a joint has two sides, this one has %u", joint->side_count);
        say_usage(p, joint->kind);
    }
}
