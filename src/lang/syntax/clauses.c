// Parser for what stands around expressions: names with their indices, the colon after
// a name, and units after `in`.
// SPDX-License-Identifier: MIT
#include "lang/syntax/parser.h"
#include <string.h>

static void parse_index(LiaParser* p, LiaIndex* index) {
    index->span = p->token.span;
    if (lia_parser_kind(p) == LIA_TOKEN_NAME && lia_parser_kind_ahead(p) == LIA_TOKEN_EQUAL) {
        index->symbol = p->token.symbol;
        lia_parser_advance(p);
        lia_parser_advance(p);
        index->low = lia_parser_bound(p);
        lia_parser_expect(p, LIA_TOKEN_RANGE, "'..' and the end of the range");
        index->high = lia_parser_bound(p);
    } else {
        index->low = lia_parser_bound(p);
    }
    index->span.end = p->last.end;
}

LiaHead lia_clauses_head(LiaParser* p, bool primes, const char* what) {
    LiaHead head = {.symbol = p->token.symbol, .span = p->token.span, .name_span = p->token.span};
    if (!lia_parser_expect(p, LIA_TOKEN_NAME, what)) {
        head.symbol = 0;
        return head;
    }
    LiaSpan opened = p->token.span;
    if (lia_parser_accept(p, LIA_TOKEN_OPEN_SQUARE)) {
        LIA_VECTOR(LiaIndex) indices = {0};
        do {
            parse_index(p, LIA_ADD(p->context, indices));
        } while (lia_parser_accept(p, LIA_TOKEN_COMMA));
        if (lia_parser_kind(p) == LIA_TOKEN_END) {
            lia_parser_fail_at(p, opened, "E0113", "this bracket is not closed", NULL);
        }
        lia_parser_expect(p, LIA_TOKEN_CLOSE_SQUARE, "']'");
        if (indices.count > LIA_LIMIT_INDICES && !p->failed) {
            p->failed = true;
            lia_diag_error(p->context->diags, opened, "E0142",
                           "a family of %u indices; the limit is %d", indices.count,
                           LIA_LIMIT_INDICES);
        }
        head.indices = indices.items;
        head.index_count = indices.count;
        head.span.end = p->last.end;
    }
    for (bool more = primes; more;) {
        more = false;
        if (lia_parser_accept(p, LIA_TOKEN_PRIME)) {
            head.primes++;
            more = true;
        } else if (lia_parser_accept(p, LIA_TOKEN_DOT)) {
            LiaSymbol field = p->token.symbol;
            more = lia_parser_expect(p, LIA_TOKEN_NAME, "a component or a part of a body");
            if (more && head.field_count == LIA_LIMIT_FIELDS) {
                lia_parser_fail_at(p, p->last, "E0134", "a name with more than two fields",
                                   "write b.position.x at most");
            } else if (more) {
                head.fields[head.field_count++] = field;
            }
        }
        head.span.end = p->last.end;
    }
    return head;
}

void lia_clauses_name_colon(LiaParser* p, LiaStatement* statement) {
    statement->head = lia_clauses_head(p, false, "a name");
    if (!p->failed && statement->head.symbol != 0 && lia_parser_kind(p) != LIA_TOKEN_COLON) {
        lia_parser_fail(p, "E0112", "':' after the name");
        lia_diag_help(p->context->diags,
                      "give it a name, then ':' and what it says: '%s NAME: ...'",
                      lia_keywords_word(statement->keyword));
        p->context->names.items[statement->head.symbol].lost = true;
        statement->head = (LiaHead){0};  // perhaps no name: 'operator x = 1'
        return;
    }
    lia_parser_accept(p, LIA_TOKEN_COLON);
}

bool lia_clauses_is_duration(const LiaParser* p) {
    return lia_parser_is_word(p, "from") || lia_parser_is_word(p, "until");
}

void lia_clauses_duration(LiaParser* p, LiaStatement* statement) {
    while (!p->failed && lia_clauses_is_duration(p)) {
        LiaDurationSyntax* d = &statement->duration;
        LiaHead* event = lia_parser_is_word(p, "from") ? &d->from : &d->until;
        if (event->symbol) {
            lia_parser_fail_at(p, p->token.span, "E0118", "this is said twice", NULL);
            return;
        }
        lia_parser_advance(p);
        *event = lia_clauses_head(p, false, "the name of an event");
    }
}

static LiaMeasure parse_units(LiaParser* p, bool* wrong);

// A whole number or (a/b), with sign: the power of a unit.
static bool parse_unit_power(LiaParser* p, int64_t* num, int64_t* den) {
    bool bracket = lia_parser_accept(p, LIA_TOKEN_OPEN);
    bool minus = lia_parser_accept(p, LIA_TOKEN_MINUS);
    LiaNumber power = p->token.number;
    if (!lia_parser_expect(p, LIA_TOKEN_NUMBER, "the power of the unit, a number")) {
        return false;
    }
    if (bracket && lia_parser_accept(p, LIA_TOKEN_SLASH)) {
        LiaNumber divisor = p->token.number;
        if (!lia_parser_expect(p, LIA_TOKEN_NUMBER, "a number")) {
            return false;
        }
        if (divisor.value == 0.0) {
            lia_parser_fail_at(p, p->last, "E0173", "a power of a unit cannot be x/0", NULL);
            return false;
        }
        power = lia_number_divide(power, divisor);
    }
    if (bracket) {
        lia_parser_expect(p, LIA_TOKEN_CLOSE, "')'");
    }
    if (power.den == 0) {
        lia_parser_fail_at(p, p->last, "E0173", "the power of a unit must be a fraction", NULL);
        return false;
    }
    *num = minus ? -power.num : power.num;
    *den = power.den;
    return true;
}

// "did you mean"; of "s2" it is a power.
static void say_nearest_unit(LiaParser* p, const char* name) {
    LiaDiags* diags = p->context->diags;
    const char* nearest = lia_unit_nearest_measure(name);
    size_t length = strlen(name);
    char last = name[length - 1], base[16] = "";
    LiaMeasure measure;
    if (length > 1 && length <= sizeof base) memcpy(base, name, length - 1);
    if (last >= '2' && last <= '9' && lia_unit_find_measure(base, &measure)) {
        lia_diag_help(diags, "did you mean '%s^%c'?", base, last);
    } else if (nearest) {
        lia_diag_help(diags, "did you mean '%s'?", nearest);
    }
}

static LiaMeasure parse_unit_factor(LiaParser* p, bool* wrong) {
    LiaMeasure measure = lia_unit_no_measure();
    LiaToken token = p->token;
    if (lia_parser_accept(p, LIA_TOKEN_NAME)) {
        const char* name = lia_context_name_text(p->context, token.symbol);
        if (!lia_unit_find_measure(name, &measure)) {
            lia_diag_error(p->context->diags, token.span, "E0170", "there is no unit '%s'", name);
            say_nearest_unit(p, name);
            *wrong = true;
        }
    } else if (lia_parser_accept(p, LIA_TOKEN_NUMBER)) {
        if (!lia_number_equals(token.number, 1)) {
            lia_diag_error(p->context->diags, token.span, "E0173",
                           "a unit is made of unit names, not of numbers");
            *wrong = true;
        }
    } else if (lia_parser_accept(p, LIA_TOKEN_OPEN)) {
        if (lia_parser_enter(p)) {
            measure = parse_units(p, wrong);
        }
        lia_parser_leave(p);
        lia_parser_expect(p, LIA_TOKEN_CLOSE, "')'");
    } else {
        lia_parser_fail(p, "E0173", "a unit such as kg, m/s or kg*m^2");
    }
    int64_t num = 1, den = 1;
    if (lia_parser_accept(p, LIA_TOKEN_CARET) && parse_unit_power(p, &num, &den)) {
        if (!lia_unit_measure_power(measure, num, den, &measure)) {
            lia_parser_fail_at(p, token.span, "E0173", "this power of a unit is out of range",
                               NULL);
        }
    }
    return measure;
}

static LiaMeasure parse_units(LiaParser* p, bool* wrong) {
    LiaMeasure measure = parse_unit_factor(p, wrong);
    for (;;) {
        int sign = lia_parser_accept(p, LIA_TOKEN_STAR)    ? 1
                   : lia_parser_accept(p, LIA_TOKEN_SLASH) ? -1
                                                           : 0;
        if (sign == 0) {
            return measure;
        }
        measure = lia_unit_measure_product(measure, parse_unit_factor(p, wrong), sign);
    }
}

LiaUnitClause lia_clauses_unit(LiaParser* p) {
    LiaUnitClause clause = {.measure = lia_unit_no_measure()};
    if (!lia_parser_is_word(p, "in")) {
        return clause;
    }
    lia_parser_advance(p);
    clause.given = true;
    clause.span = p->token.span;
    clause.measure = parse_units(p, &clause.wrong);
    clause.span.end = p->last.end;
    clause.wrong = clause.wrong || p->failed || clause.measure.unit.state == LIA_UNIT_UNKNOWN ||
                   !(clause.measure.value > 0.0);
    if (lia_parser_kind(p) == LIA_TOKEN_NAME) {
        LiaMeasure other;
        if (!p->failed &&
            lia_unit_find_measure(lia_context_name_text(p->context, p->token.symbol), &other)) {
            const char* left = lia_context_quote(p->context, clause.span);
            const char* right = lia_context_quote(p->context, p->token.span);
            lia_parser_fail_at(p, p->token.span, "E0173", "two units side by side", NULL);
            lia_diag_help(p->context->diags, "write '%s*%s' with a '*'", left, right);
        }
    }
    if (!p->failed) {
        // As written, without white space; comments cannot stand inside a line.
        const char* text = p->context->source.text;
        char* copy = lia_context_keep(p->context, clause.span.end - clause.span.begin + 1);
        size_t n = 0;
        for (uint32_t i = clause.span.begin; i < clause.span.end; i++) {
            if ((unsigned char)text[i] > ' ') {
                copy[n++] = text[i];
            }
        }
        clause.text = copy;
    }
    return clause;
}
