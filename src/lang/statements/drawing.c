// Drawings: what the page shows of a motion.
//
//   draw [NAME:] SHAPE(e, ...) [on BODY] [at e] [attitude e] [color NAME], ...
//
// Places are vectors of three numbers, or of two in the plane; an attitude is a rotation, or in the
// plane an angle. With `on BODY` both are in the axes of the body. Everything may change along the
// motion.
// SPDX-License-Identifier: MIT
#include "lang/statements/drawing.h"
#include "base/numeric/thresholds.h"
#include "lang/bodies/rotation.h"
#include "lang/syntax/nearest.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Shape {
    const char* word;
    uint32_t fewest, most;
    const char* usage;
} Shape;

static const Shape shapes[] = {
#define LIA_DRAWING(id, word, fewest, most, usage) {word, fewest, most, usage},
#include "lang/statements/drawing.def"
#undef LIA_DRAWING
};

static const char* const colors[] = {"red",    "orange", "yellow", "green", "teal",  "blue",
                                     "purple", "pink",   "brown",  "gray",  "black", "white"};

static bool is_empty(LiaCode code) { return code.begin == code.end; }

// --- reading

static void parse_shape(LiaParser* p, LiaPicture* picture) {
    LiaToken word = p->token;
    picture->span = word.span;
    if (!lia_parser_expect(p, LIA_TOKEN_NAME, "a shape, as in sphere(0.1)")) {
        return;
    }
    const char* name = lia_context_name_text(p->context, word.symbol);
    LiaNearest nearest = lia_nearest_begin(name);
    int kind = 0;
    while (kind < LIA_DRAWING_COUNT && strcmp(shapes[kind].word, name) != 0) {
        lia_nearest_offer(&nearest, shapes[kind++].word);
    }
    if (kind == LIA_DRAWING_COUNT) {
        p->failed = true;
        lia_diag_error(p->context->diags, word.span, "E0196", "there is no shape '%s' to draw",
                       name);
        lia_nearest_say(&nearest, p->context->diags,
                        "there are sphere, box, cylinder, disk, segment, arrow and path");
        return;
    }
    picture->kind = (LiaDrawingKind)kind;
    uint32_t count = 0;
    if (lia_parser_expect(p, LIA_TOKEN_OPEN, shapes[kind].usage) &&
        !lia_parser_accept(p, LIA_TOKEN_CLOSE)) {
        do {
            LiaCode argument = lia_parser_expression(p);
            if (count < 2) {
                picture->arguments[count] = argument;
            }
            count++;
        } while (lia_parser_accept(p, LIA_TOKEN_COMMA));
        lia_parser_expect(p, LIA_TOKEN_CLOSE, "')'");
    }
    picture->span.end = p->last.end;
    picture->argument_count = count;
    if (!p->failed && (count < shapes[kind].fewest || count > shapes[kind].most)) {
        p->failed = true;
        lia_diag_error(p->context->diags, picture->span, "E0197",
                       "%s takes %u argument%s, found %u", shapes[kind].word, shapes[kind].most,
                       shapes[kind].most == 1 ? "" : "s", count);
        lia_diag_help(p->context->diags, "write %s", shapes[kind].usage);
    }
}

static void parse_color(LiaParser* p, LiaPicture* picture) {
    LiaToken word = p->token;
    if (!lia_parser_expect(p, LIA_TOKEN_NAME, "the name of a colour")) {
        return;
    }
    const char* name = lia_context_name_text(p->context, word.symbol);
    LiaNearest nearest = lia_nearest_begin(name);
    for (size_t i = 0; i < sizeof colors / sizeof *colors; i++) {
        lia_nearest_offer(&nearest, colors[i]);
        if (strcmp(colors[i], name) == 0 || (strcmp(name, "grey") == 0 && i == 9)) {
            picture->color = colors[i];
            return;
        }
    }
    p->failed = true;
    lia_diag_error(p->context->diags, word.span, "E0198", "there is no colour '%s'", name);
    lia_nearest_say(&nearest, p->context->diags,
                    "there are red, orange, yellow, green, teal, blue, purple, pink, brown, gray, "
                    "black and white");
}

static void parse_clauses(LiaParser* p, LiaPicture* picture) {
    while (!p->failed && lia_parser_kind(p) == LIA_TOKEN_NAME) {
        LiaSpan word = p->token.span;
        bool color = lia_parser_is_word(p, "color") || lia_parser_is_word(p, "colour");
        LiaCode* clause = lia_parser_is_word(p, "on")         ? &picture->on
                          : lia_parser_is_word(p, "at")       ? &picture->at
                          : lia_parser_is_word(p, "attitude") ? &picture->attitude
                                                              : NULL;
        if (!color && !clause) {
            lia_parser_fail(p, "E0118",
                            "'on', 'at', 'attitude', 'color' or the end of the statement");
            return;
        }
        if (color ? picture->color != NULL : !is_empty(*clause)) {
            lia_parser_fail_at(p, word, "E0118", "this is said twice of one drawing", NULL);
            return;
        }
        lia_parser_advance(p);
        if (color) {
            parse_color(p, picture);
        } else {
            *clause = lia_parser_expression(p);
        }
    }
    bool placed = picture->kind == LIA_DRAWING_SEGMENT || picture->kind == LIA_DRAWING_ARROW ||
                  picture->kind == LIA_DRAWING_PATH;
    LiaCode where = !is_empty(picture->at)         ? picture->at
                    : !is_empty(picture->attitude) ? picture->attitude
                                                   : picture->on;
    if (!p->failed && placed && !is_empty(where)) {
        p->failed = true;
        lia_diag_error(p->context->diags, where.span, "E0197",
                       "a %s stands where its arguments say: it has no 'on', 'at' or 'attitude'",
                       shapes[picture->kind].word);
        lia_diag_help(p->context->diags, "write places: %s; point(BODY, u) is one of a body",
                      shapes[picture->kind].usage);
    }
}

void lia_drawing_parse(LiaParser* p, LiaStatement* statement) {
    LIA_VECTOR(LiaPicture) pictures = {0};
    LiaTokenKind ahead = lia_parser_kind_ahead(p);
    if (lia_parser_kind(p) == LIA_TOKEN_NAME &&
        (ahead == LIA_TOKEN_COLON || ahead == LIA_TOKEN_OPEN_SQUARE)) {
        statement->head = lia_clauses_head(p, false, "a name");
        lia_parser_expect(p, LIA_TOKEN_COLON, "':' after the name");
    }
    do {
        LiaPicture* picture = LIA_ADD(p->context, pictures);
        parse_shape(p, picture);
        if (!p->failed) {
            parse_clauses(p, picture);
        }
    } while (lia_parser_accept(p, LIA_TOKEN_COMMA));
    statement->pictures = pictures.items;
    statement->picture_count = pictures.count;
}

// --- what it means

static const LiaSetting setting = {LIA_DEPENDS(ACCELERATION), "a drawing", "E0197",
                                   "a drawing is made of positions, velocities, forces and t, "
                                   "not of accelerations"};

// Three terms of a vector of 3 or of 2; false with an error said.
static bool take_place(LiaElaboration* e, const LiaValue* value, LiaExpr* out) {
    LiaValue vector = *value;
    if (vector.kind == LIA_VALUE_BODY) {
        vector = lia_body_position(e, value);
    }
    if (vector.kind == LIA_VALUE_POISON) {
        return false;
    }
    bool zero = lia_value_is_zero(&vector);
    bool fits = vector.kind == LIA_VALUE_NUMBER && vector.cols == 1 &&
                (vector.rows == 3 || vector.rows == 2);
    if (!zero && !fits) {
        if (!lia_context_said(e->context, value->span, "E0197")) {
            lia_diag_error(e->context->diags, value->span, "E0197",
                           "a place is a vector of 3 numbers, or of 2 in the plane; '%s' is %s",
                           lia_context_quote(e->context, value->span),
                           lia_value_words(&e->work, &vector));
        }
        return false;
    }
    for (uint32_t i = 0; i < 3; i++) {
        out[i] = fits && i < vector.rows ? lia_value_at(&e->work, &vector, i)
                                         : lia_term_whole(&e->work.terms, 0, value->span);
    }
    return true;
}

// A rotation, or an angle in the plane; false with an error said.
static bool take_attitude(LiaElaboration* e, const LiaValue* value, LiaExpr* out) {
    if (value->kind == LIA_VALUE_POISON) {
        return false;
    }
    LiaTerms* terms = &e->work.terms;
    if (value->kind == LIA_VALUE_NUMBER && lia_value_is_scalar(value)) {
        LiaExpr angle = lia_value_at(&e->work, value, 0);
        LiaExpr c = lia_term_call(terms, LIA_OP_COS, angle, value->span);
        LiaExpr s = lia_term_call(terms, LIA_OP_SIN, angle, value->span);
        LiaExpr zero = lia_term_whole(terms, 0, value->span);
        LiaExpr one = lia_term_whole(terms, 1, value->span);
        LiaExpr minus = lia_term_negate(terms, s, value->span);
        const LiaExpr rotz[9] = {c, minus, zero, s, c, zero, zero, zero, one};
        memcpy(out, rotz, sizeof rotz);
        return true;
    }
    if (value->kind != LIA_VALUE_NUMBER || value->rows != 3 || value->cols != 3) {
        if (!lia_context_said(e->context, value->span, "E0197")) {
            lia_diag_error(e->context->diags, value->span, "E0197",
                           "an attitude is a rotation, or an angle in the plane; '%s' is %s",
                           lia_context_quote(e->context, value->span),
                           lia_value_words(&e->work, value));
        }
        return false;
    }
    double A[9];
    if (lia_rotation_numbers(&e->work, value, A) &&
        !(lia_rotation_defect(A) <= LIA_ROTATION_DEFECT)) {
        lia_rotation_say_none(&e->work, value, A);
        return false;
    }
    for (uint32_t i = 0; i < 9; i++) {
        out[i] = lia_value_at(&e->work, value, i);
    }
    return true;
}

// A length that is positive where it is constant; false with an error said.
static bool take_length(LiaElaboration* e, const LiaValue* value, uint32_t i, LiaExpr* out) {
    double length = 1.0;
    LiaValue part = lia_value_is_scalar(value) ? *value : lia_components_part(&e->work, value, i);
    lia_value_decide(&e->work, &part, LIA_DECISION_SIGN);
    if (lia_value_peek(&e->work, &part, &length) && !(length > 0.0 && isfinite(length))) {
        if (!lia_context_said(e->context, value->span, "E0197")) {
            lia_diag_error(e->context->diags, value->span, "E0197",
                           "a size is a positive number, '%s' is %.6g",
                           lia_context_quote(e->context, value->span), length);
        }
        return false;
    }
    *out = lia_value_at(&e->work, &part, 0);
    return true;
}

// Radius, height; three edges of a box.
static bool take_sizes(LiaElaboration* e, const LiaPicture* picture, const LiaValue* values,
                       LiaExpr* out) {
    if (picture->kind != LIA_DRAWING_BOX) {
        for (uint32_t i = 0; i < picture->argument_count; i++) {
            if (!lia_value_need_scalar(&e->work, &values[i], "a size") ||
                !take_length(e, &values[i], 0, &out[i])) {
                return false;
            }
        }
        return true;
    }
    const LiaValue* edges = &values[0];
    if (edges->kind == LIA_VALUE_POISON) {
        return false;
    }
    if (edges->kind != LIA_VALUE_NUMBER || edges->cols != 1 || edges->rows != 3) {
        if (!lia_context_said(e->context, edges->span, "E0197")) {
            lia_diag_error(e->context->diags, edges->span, "E0197",
                           "the edges of a box are a vector of 3 lengths, '%s' is %s",
                           lia_context_quote(e->context, edges->span),
                           lia_value_words(&e->work, edges));
        }
        return false;
    }
    return take_length(e, edges, 0, &out[0]) && take_length(e, edges, 1, &out[1]) &&
           take_length(e, edges, 2, &out[2]);
}

// The place and the attitude of a body; a point does not turn.
static bool take_body(LiaElaboration* e, const LiaPicture* picture, uint32_t bindings,
                      LiaValue* position, LiaValue* attitude) {
    LiaValue body = lia_machine_run(e, picture->on, &setting, bindings);
    if (body.kind != LIA_VALUE_BODY && body.kind != LIA_VALUE_POISON &&
        !lia_context_said(e->context, body.span, "E0125")) {
        lia_diag_error(e->context->diags, body.span, "E0125",
                       "'on' takes a body, '%s' is %s; a place stands after 'at'",
                       lia_context_quote(e->context, body.span), lia_value_words(&e->work, &body));
    }
    if (body.kind != LIA_VALUE_BODY) {
        return false;
    }
    *position = lia_body_position(e, &body);
    *attitude = lia_body_attitude(e, &body);
    return position->kind == LIA_VALUE_NUMBER;
}

// Terms as a vector or a matrix again.
static LiaValue value_of(LiaElaboration* e, const LiaExpr* terms, uint32_t cols, LiaSpan span) {
    LiaExpr* parts = lia_value_components(&e->work, 3 * cols);
    memcpy(parts, terms, 3 * cols * sizeof *parts);
    return lia_value_of(LIA_VALUE_NUMBER, 3, cols, parts, lia_unit_unknown(), span);
}

static void put(LiaElaboration* e, const LiaValue* value, LiaExpr* out) {
    for (uint32_t i = 0; value->kind == LIA_VALUE_NUMBER && i < lia_value_count(value); i++) {
        out[i] = lia_value_at(&e->work, value, i);
    }
}

// Where a solid is: after `on` a body, `at` and `attitude` are in its axes.
static bool take_pose(LiaElaboration* e, const LiaPicture* picture, uint32_t bindings,
                      LiaDrawing* drawing) {
    LiaWork* work = &e->work;
    LiaSpan span = picture->span;
    LiaValue position = lia_value_poison(span), turned = position;
    bool on = !is_empty(picture->on);
    if (on && !take_body(e, picture, bindings, &position, &turned)) {
        return false;
    }
    LiaValue at = lia_value_literal(lia_number_whole(0), span);
    if (!is_empty(picture->at)) {
        at = lia_machine_run(e, picture->at, &setting, bindings);
    }
    if (!take_place(e, &at, drawing->place)) {
        return false;
    }
    if (!is_empty(picture->attitude)) {
        LiaValue attitude = lia_machine_run(e, picture->attitude, &setting, bindings);
        if (!take_attitude(e, &attitude, drawing->attitude)) {
            return false;
        }
    }
    if (!on) {
        return true;
    }
    LiaValue place = value_of(e, drawing->place, 1, span);
    bool turns = turned.kind == LIA_VALUE_NUMBER;
    place = turns ? lia_value_multiply(work, &turned, &place, span) : place;
    place.unit = position.unit;
    place = lia_value_add(work, &position, &place, 1, span);
    put(e, &place, drawing->place);
    if (turns && drawing->attitude[0].index) {
        LiaValue attitude = value_of(e, drawing->attitude, 3, span);
        turned = lia_value_multiply(work, &turned, &attitude, span);
    }
    put(e, &turned, drawing->attitude);
    return true;
}

static void take_picture(LiaElaboration* e, const LiaPicture* picture, const char* name,
                         uint32_t bindings) {
    LiaDrawing drawing = {
        .kind = picture->kind, .name = name, .color = picture->color, .span = picture->span};
    LiaValue values[2] = {lia_value_poison(picture->span), lia_value_poison(picture->span)};
    for (uint32_t i = 0; i < picture->argument_count; i++) {
        values[i] = lia_machine_run(e, picture->arguments[i], &setting, bindings);
    }
    bool good = true;
    switch (picture->kind) {
    case LIA_DRAWING_SEGMENT:
    case LIA_DRAWING_ARROW:
        good = take_place(e, &values[0], drawing.place);
        good = take_place(e, &values[1], drawing.end) && good;
        break;
    case LIA_DRAWING_PATH:
        good = take_place(e, &values[0], drawing.place);
        break;
    default:
        good = take_sizes(e, picture, values, drawing.size);
        good = take_pose(e, picture, bindings, &drawing) && good;
    }
    if (good) {
        *LIA_ADD(e->context, e->draft.drawings) = drawing;
    }
}

// "wheel[2]"; NULL where the statement has no name.
static const char* name_of(LiaElaboration* e, const LiaHead* head, const int64_t* at) {
    if (head->symbol == 0) {
        return NULL;
    }
    const char* name = lia_context_name_text(e->context, head->symbol);
    size_t size = strlen(name) + 24 * (size_t)head->index_count + 2;
    char* kept = lia_context_keep(e->context, size);
    int length = snprintf(kept, size, "%s", name);
    for (uint32_t i = 0; i < head->index_count; i++) {
        length += snprintf(kept + length, size - (size_t)length, "%s%lld", i == 0 ? "[" : ",",
                           (long long)at[i]);
    }
    snprintf(kept + length, size - (size_t)length, head->index_count > 0 ? "]" : "");
    return kept;
}

static void take_member(LiaElaboration* e, void* of, const int64_t* at) {
    const LiaStatement* statement = of;
    uint32_t bindings = e->machine.bindings.count - statement->head.index_count;
    const char* name = name_of(e, &statement->head, at);
    for (uint32_t i = 0; i < statement->picture_count; i++) {
        if (!lia_context_enough(e->context)) {
            take_picture(e, &statement->pictures[i], name, bindings);
        }
    }
}

void lia_drawing_take(LiaElaboration* e, const LiaStatement* statement) {
    LiaStatement copy = *statement;
    lia_scope_walk(e, &statement->head, e->machine.bindings.count, take_member, &copy);
}
