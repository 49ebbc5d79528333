// Statements: one reader per keyword.
// SPDX-License-Identifier: MIT
#include "lang/elaborate/builtin.h"
#include "lang/statements/drawing.h"
#include "lang/syntax/nearest.h"
#include "lang/syntax/parser.h"
#include "lang/syntax/slips.h"
#include "lang/value/unit.h"
#include <string.h>

void lia_statements_take(LiaStatement* statement, const LiaPhrases* phrases) {
    statement->phrases = phrases->items;
    statement->phrase_count = phrases->count;
}

static bool declares(LiaKeyword keyword) {
    return keyword == LIA_KEYWORD_COORDINATE || keyword == LIA_KEYWORD_PHASE ||
           keyword == LIA_KEYWORD_PARAMETER || keyword == LIA_KEYWORD_LET ||
           keyword == LIA_KEYWORD_CONTROL || keyword == LIA_KEYWORD_OBSERVE ||
           keyword == LIA_KEYWORD_BODY;
}

// model NAME "title"
static void parse_model(LiaParser* p, LiaStatement* statement) {
    statement->head = lia_clauses_head(p, false, "the name of the model");
    if (statement->head.index_count > 0) {
        lia_parser_fail_at(p, statement->head.span, "E0112", "a model is not a family", NULL);
    }
    LiaSpan title = p->token.span;
    if (lia_parser_accept(p, LIA_TOKEN_TEXT)) {
        size_t length = title.end - title.begin - 2;
        char* copy = lia_context_keep(p->context, length + 1);
        memcpy(copy, p->context->source.text + title.begin + 1, length);
        statement->title = copy;
    } else if (lia_parser_kind(p) != LIA_TOKEN_END) {
        lia_parser_fail_with(p, "E0114", "the end of the statement",
                             "a title stands in quotes: 'model NAME \"title\"'");
    }
}

// control NAME = e [in unit] every e
static void parse_every(LiaParser* p, LiaPhrase* phrase) {
    if (!lia_parser_accept_word(p, "every")) return;
    phrase->every = lia_parser_bound(p);
    if (phrase->unit.given) return;
    phrase->unit = lia_clauses_unit(p);
    bool time = phrase->unit.given && !phrase->unit.wrong &&
                lia_unit_is_plain(lia_unit_per_second(phrase->unit.measure.unit));
    if (!time) return;
    lia_parser_fail_at(p, phrase->unit.span, "E0114",
                       "the time after 'every' has no unit of its own",
                       "this time is a number in seconds, or a parameter: 'parameter T = 10 in ms' "
                       "and 'every T'; the unit of the control stands before 'every'");
}

// NAME = e in unit, NAME = e ...: parameter, let, control, observe
static void parse_definitions(LiaParser* p, LiaStatement* statement) {
    LiaPhrases phrases = {0};
    do {
        LiaHead head = lia_clauses_head(p, false, "a name");
        if (head.symbol == 0) {
            break;
        }
        LiaPhrase* phrase = LIA_ADD(p->context, phrases);
        phrase->head = head;
        if (lia_parser_kind(p) == LIA_TOKEN_PRIME) {
            lia_parser_fail_at(p, p->token.span, "E0112", "a derivative cannot be defined",
                               "define the quantity itself, or use 'constraint' or 'operator'");
        }
        if (lia_parser_kind(p) == LIA_TOKEN_COLON) {
            lia_parser_fail_at(p, p->token.span, "E0112", "found ':', expected '='",
                               "a definition is written 'NAME = expression'");
        }
        LiaTokenKind next = lia_parser_kind(p);
        phrase->open =
            statement->keyword == LIA_KEYWORD_CONTROL &&
            (next == LIA_TOKEN_COMMA || next == LIA_TOKEN_END || lia_parser_is_word(p, "in"));
        if (next == LIA_TOKEN_SAME) lia_parser_fail(p, "E0112", "'='");
        if (next != LIA_TOKEN_EQUAL && !phrase->open) {
            lia_parser_fail_with(p, "E0112", "'='", "give it a name: 'NAME = expression'");
        }
        lia_parser_accept(p, LIA_TOKEN_EQUAL);
        phrase->right = phrase->open ? lia_parser_zero(p, head.span) : lia_parser_expression(p);
        phrase->unit = lia_clauses_unit(p);
        if (statement->keyword == LIA_KEYWORD_CONTROL && !phrase->open) parse_every(p, phrase);
        phrase->span = (LiaSpan){head.span.begin, p->last.end};
    } while (lia_parser_accept(p, LIA_TOKEN_COMMA));
    lia_statements_take(statement, &phrases);
}

// function NAME(a, b) = e
static void parse_function(LiaParser* p, LiaStatement* statement) {
    statement->head = lia_clauses_head(p, false, "the name of the function");
    LIA_VECTOR(LiaSymbol) arguments = {0};
    lia_parser_expect(p, LIA_TOKEN_OPEN, "'(' and the arguments");
    if (!lia_parser_accept(p, LIA_TOKEN_CLOSE)) {
        do {
            LiaToken name = p->token;
            if (!lia_parser_expect(p, LIA_TOKEN_NAME, "the name of an argument")) {
                break;
            }
            for (uint32_t i = 0; i < arguments.count; i++) {
                if (arguments.items[i] == name.symbol) {
                    lia_parser_fail_at(p, name.span, "E0121", "two arguments of the same name",
                                       NULL);
                }
            }
            if (lia_builtin_is_quantity(lia_context_name_text(p->context, name.symbol))) {
                lia_parser_fail_at(p, name.span, "E0122", "this argument hides a built-in quantity",
                                   "choose another name");
            }
            *LIA_ADD(p->context, arguments) = name.symbol;
        } while (lia_parser_accept(p, LIA_TOKEN_COMMA));
        lia_parser_expect(p, LIA_TOKEN_CLOSE, "')'");
    }
    lia_parser_expect(p, LIA_TOKEN_EQUAL, "'='");
    statement->arguments = arguments.items;
    statement->argument_count = arguments.count;
    LiaPhrases phrases = {0};
    LiaPhrase* phrase = LIA_ADD(p->context, phrases);
    phrase->right = lia_parser_expression(p);
    lia_statements_take(statement, &phrases);
}

static const char* const manifolds[] = {"line", "circle", "space", "sphere", "rotation"};

// The manifold and the unit of all names that stand before them.
static void take_manifold(LiaParser* p, LiaStatement* statement, LiaManifoldWord word) {
    LiaUnitClause unit = lia_clauses_unit(p);
    for (uint32_t k = 0; k < statement->phrase_count; k++) {
        statement->phrases[k].unit = unit;
        statement->phrases[k].manifold = word;
    }
}

// NAME, NAME
static void parse_names(LiaParser* p, LiaStatement* statement, bool phase) {
    LiaPhrases phrases = {0};
    do {
        LiaHead head = lia_clauses_head(p, false, "the name of a coordinate");
        if (head.symbol != 0) {
            LiaPhrase* phrase = LIA_ADD(p->context, phrases);
            phrase->head = head;
            phrase->phase = phase;
            phrase->span = head.span;
        }
    } while (lia_parser_accept(p, LIA_TOKEN_COMMA));
    lia_statements_take(statement, &phrases);
}

static void say_manifold(LiaParser* p, LiaSpan span, const char* name, const char* nearest) {
    p->failed = true;
    lia_diag_error(p->context->diags, span, "E0118", "there is no manifold '%s'", name);
    lia_diag_help(p->context->diags, "%s%s%s", nearest ? "did you mean '" : "write ",
                  nearest ? nearest : "'line', 'circle', 'space', 'sphere' or 'rotation",
                  nearest ? "'?" : "'");
    const char* slip = lia_slips_find(LIA_SLIP_MANIFOLD, name, strlen(name));
    if (slip) lia_diag_help(p->context->diags, "%s", slip);
}

// : manifold; false with an error said
static bool parse_manifold(LiaParser* p, bool phase, LiaManifoldWord* out) {
    lia_parser_expect(p, LIA_TOKEN_COLON,
                      "':' and a manifold: line, circle, space, sphere or rotation");
    LiaToken word = p->token;
    if (!lia_parser_expect(p, LIA_TOKEN_NAME,
                           "a manifold: line, circle, space, sphere or rotation")) {
        return false;
    }
    const char* name = lia_context_name_text(p->context, word.symbol);
    LiaNearest nearest = lia_nearest_begin(name);
    size_t i = 0;
    while (i < 5 && strcmp(manifolds[i], name) != 0) {
        lia_nearest_offer(&nearest, manifolds[i++]);
    }
    *out = (LiaManifoldWord)i;
    if (i == 5) {
        say_manifold(p, word.span, name, nearest.best);
    } else if (phase && i > LIA_WORD_SPACE) {
        lia_parser_fail_at(p, word.span, "E0361", "a phase variable is a number or a vector",
                           "write ': line', ': circle' or ': space'; what turns is described by "
                           "the vectors it turns");
    }
    return !p->failed;
}

// NAME, NAME : manifold in unit [, NAME ... : manifold in unit]; one statement for each manifold.
// Phase variables are coordinates to all that comes after; their manifold may be left out.
static void parse_coordinates(LiaParser* p, LiaStatement* statement) {
    bool phase = statement->keyword == LIA_KEYWORD_PHASE, more = true;
    statement->keyword = LIA_KEYWORD_COORDINATE;
    while (more) {
        LiaManifoldWord word = LIA_WORD_LINE;
        parse_names(p, statement, phase);
        bool left_out = phase && lia_parser_kind(p) != LIA_TOKEN_COLON;
        if (!left_out && !parse_manifold(p, phase, &word)) return;
        take_manifold(p, statement, word);
        more = lia_parser_accept(p, LIA_TOKEN_COMMA);
        if (more) {
            LiaStatement next = {.keyword = LIA_KEYWORD_COORDINATE, .span = statement->span};
            statement = LIA_ADD(p->context, p->syntax->statements);
            *statement = next;
        }
    }
}

// gravity e
static void parse_gravity(LiaParser* p, LiaStatement* statement) {
    LiaPhrases phrases = {0};
    LiaPhrase* phrase = LIA_ADD(p->context, phrases);
    phrase->right = lia_parser_expression(p);
    phrase->unit = lia_clauses_unit(p);
    phrase->span = phrase->right.span;
    lia_statements_take(statement, &phrases);
}

// lagrangian e, kinetic e, potential e, dissipation e
static void parse_energy(LiaParser* p, LiaStatement* statement) {
    LiaPhrases phrases = {0};
    LiaPhrase* phrase = LIA_ADD(p->context, phrases);
    phrase->right = lia_parser_expression(p);
    phrase->span = phrase->right.span;
    lia_statements_take(statement, &phrases);
    if (lia_parser_kind(p) == LIA_TOKEN_EQUAL || lia_parser_kind(p) == LIA_TOKEN_COLON) {
        lia_parser_fail_at(p, p->token.span, "E0112", "an energy has no name",
                           "write the expression alone, as in 'kinetic m/2*x'^2'");
    }
}

// ... on BODY [at e]; after the force or moment.
static void parse_on(LiaParser* p, LiaStatement* statement) {
    statement->on = lia_parser_expression(p);
    if (lia_parser_is_word(p, "at") && statement->moment) {
        lia_parser_fail_at(p, p->token.span, "E0118", "a moment acts on the whole body",
                           "leave 'at' out, or make it a force");
    }
    if (lia_parser_accept_word(p, "at")) {
        statement->at = lia_parser_expression(p);
    }
}

// The word `moment` before what it is, not a name of the user's.
static bool is_moment(const LiaParser* p) {
    LiaTokenKind ahead = lia_parser_kind_ahead(p);
    bool name = ahead == LIA_TOKEN_NAME && !lia_context_name_is(p->context, p->ahead.symbol, "on");
    return lia_parser_is_word(p, "moment") &&
           (name || ahead == LIA_TOKEN_NUMBER || ahead == LIA_TOKEN_OPEN_SQUARE);
}

// force NAME: one-form | [moment] e on BODY [at e];  moment NAME: e on BODY
static void parse_force(LiaParser* p, LiaStatement* statement) {
    lia_clauses_name_colon(p, statement);
    statement->moment = statement->keyword == LIA_KEYWORD_MOMENT;
    if (is_moment(p)) {
        statement->moment = true;
        lia_parser_advance(p);
    }
    LiaPhrases phrases = {0};
    LiaPhrase* phrase = LIA_ADD(p->context, phrases);
    phrase->right = lia_parser_expression(p);
    phrase->span = phrase->right.span;
    lia_statements_take(statement, &phrases);
    if (lia_parser_accept_word(p, "on")) {
        parse_on(p, statement);
    } else if (statement->moment) {
        lia_parser_fail_with(p, "E0112", "'on' and the body the moment acts on",
                             "a moment is a vector on a body: 'moment NAME: [0, 0, 3] on BODY'; a "
                             "torque on an angle is a force: 'force NAME: 3*d(angle)'");
    }
}

static bool is_empty(LiaCode code) { return code.begin == code.end; }

static void parse_run_clause(LiaParser* p, LiaCode* clause, LiaSpan word) {
    if (!is_empty(*clause)) {
        lia_parser_fail_at(p, word, "E0118", "this is said twice in one 'run'", NULL);
    }
    *clause = lia_parser_expression(p);
}

// step at most e
static void parse_step_most(LiaParser* p, LiaCode* clause, LiaSpan word) {
    if (!lia_parser_accept_word(p, "at") || !lia_parser_accept_word(p, "most")) {
        lia_parser_fail(p, "E0118", "'step at most' and a time");
        return;
    }
    parse_run_clause(p, clause, word);
}

// run t = a..b, tolerance e, samples n, every e, step at most e
static void parse_run(LiaParser* p, LiaStatement* statement) {
    do {
        LiaSpan word = p->token.span;
        if (lia_parser_accept_word(p, "t")) {
            lia_parser_expect(p, LIA_TOKEN_EQUAL, "'='");
            parse_run_clause(p, &statement->run.t0, word);
            lia_parser_expect(p, LIA_TOKEN_RANGE, "'..' and the end: t = 0..10");
            statement->run.t1 = lia_parser_expression(p);
        } else if (lia_parser_accept_word(p, "tolerance")) {
            parse_run_clause(p, &statement->run.tolerance, word);
        } else if (lia_parser_accept_word(p, "samples")) {
            parse_run_clause(p, &statement->run.samples, word);
        } else if (lia_parser_accept_word(p, "every")) {
            parse_run_clause(p, &statement->run.every, word);
        } else if (lia_parser_accept_word(p, "step")) {
            parse_step_most(p, &statement->run.step_most, word);
        } else {
            lia_parser_fail_with(p, "E0118",
                                 "'t = a..b', 'tolerance', 'samples', 'every' or 'step at most'",
                                 "write 'run t = 0..10', then perhaps ', every 0.01' for samples, "
                                 "', step at most 0.01' for steps");
            break;
        }
    } while (lia_parser_accept(p, LIA_TOKEN_COMMA));
}

// plot x, y | plot t: a, b
static void parse_plot(LiaParser* p, LiaStatement* statement) {
    LiaPhrases phrases = {0};
    do {
        LiaPhrase* phrase = LIA_ADD(p->context, phrases);
        phrase->right = lia_parser_expression(p);
        phrase->span = phrase->right.span;
        if (phrases.count == 1 && lia_parser_accept(p, LIA_TOKEN_COLON)) {
            statement->over = true;
            phrase = LIA_ADD(p->context, phrases);
            phrase->right = lia_parser_expression(p);
            phrase->span = phrase->right.span;
        }
    } while (lia_parser_accept(p, LIA_TOKEN_COMMA));
    lia_statements_take(statement, &phrases);
}

static void parse_joint(LiaParser* p, LiaStatement* statement) {
    lia_clauses_name_colon(p, statement);
    if (!p->failed) lia_joint_read_statement(p, statement);
    lia_equations_friction(p, statement);
}

typedef void (*Reader)(LiaParser* p, LiaStatement* statement);

static const Reader readers[LIA_KEYWORD_COUNT] = {
    [LIA_KEYWORD_MODEL] = parse_model,
    [LIA_KEYWORD_PARAMETER] = parse_definitions,
    [LIA_KEYWORD_LET] = parse_definitions,
    [LIA_KEYWORD_CONTROL] = parse_definitions,
    [LIA_KEYWORD_OBSERVE] = parse_definitions,
    [LIA_KEYWORD_FUNCTION] = parse_function,
    [LIA_KEYWORD_COORDINATE] = parse_coordinates,
    [LIA_KEYWORD_PHASE] = parse_coordinates,
    [LIA_KEYWORD_LAGRANGIAN] = parse_energy,
    [LIA_KEYWORD_KINETIC] = parse_energy,
    [LIA_KEYWORD_POTENTIAL] = parse_energy,
    [LIA_KEYWORD_HAMILTONIAN] = parse_energy,
    [LIA_KEYWORD_DISSIPATION] = parse_energy,
    [LIA_KEYWORD_FORCE] = parse_force,
    [LIA_KEYWORD_MOMENT] = parse_force,
    [LIA_KEYWORD_BODY] = lia_body_statement_read,
    [LIA_KEYWORD_JOINT] = parse_joint,
    [LIA_KEYWORD_GRAVITY] = parse_gravity,
    [LIA_KEYWORD_BRACKET] = lia_equations_bracket,
    [LIA_KEYWORD_CONSTRAINT] = lia_equations_constraint,
    [LIA_KEYWORD_OPERATOR] = lia_equations_operator,
    [LIA_KEYWORD_CONTACT] = lia_equations_contact,
    [LIA_KEYWORD_IMPACT] = lia_equations_impact,
    [LIA_KEYWORD_SYMMETRY] = lia_equations_symmetry,
    [LIA_KEYWORD_EVENT] = lia_equations_event,
    [LIA_KEYWORD_START] = lia_equations_start,
    [LIA_KEYWORD_RUN] = parse_run,
    [LIA_KEYWORD_PLOT] = parse_plot,
    [LIA_KEYWORD_DRAW] = lia_drawing_parse,
};

// What takes `from EVENT` and `until EVENT`.
static bool may_begin(LiaKeyword keyword) {
    return keyword == LIA_KEYWORD_CONSTRAINT || keyword == LIA_KEYWORD_OPERATOR ||
           keyword == LIA_KEYWORD_JOINT || keyword == LIA_KEYWORD_CONTACT ||
           keyword == LIA_KEYWORD_FORCE || keyword == LIA_KEYWORD_MOMENT;
}

static void parse_by_keyword(LiaParser* p, LiaStatement* statement) {
    Reader reader = readers[statement->keyword];
    if (reader) reader(p, statement);
    if (may_begin(statement->keyword)) lia_clauses_duration(p, statement);
    lia_parser_finish(p);
}

// Read the statement that begins at the token to come (statements.c).
static void read_statement(LiaParser* p) {
    LiaToken word = p->token;
    p->failed = false;
    p->depth = 0;
    p->last = word.span;
    p->context->at = word.span;
    LiaKeyword keyword = word.kind == LIA_TOKEN_NAME
                             ? lia_keywords_find(lia_context_name_text(p->context, word.symbol))
                             : LIA_KEYWORD_COUNT;
    lia_parser_advance(p);
    if (keyword == LIA_KEYWORD_COUNT) {
        lia_recovery_unknown_keyword(p, &word);
        p->syntax->refused = true;
        uint32_t begin = p->token.span.begin;
        bool more = !p->token.first && p->token.kind != LIA_TOKEN_END;
        lia_recovery_skip(p);
        if (more) {
            lia_recovery_lose_names(p, begin);
        }
        return;
    }
    uint32_t first = p->syntax->statements.count;
    LiaStatement begun = {.keyword = keyword, .span = word.span};
    *LIA_ADD(p->context, p->syntax->statements) = begun;
    // The parse functions fill a copy: parse_coordinates() may add statements and move the list.
    LiaStatement statement = begun;
    if (keyword == LIA_KEYWORD_COORDINATE || keyword == LIA_KEYWORD_PHASE) {
        parse_by_keyword(p, &p->syntax->statements.items[first]);
        statement = p->syntax->statements.items[first];
    } else {
        parse_by_keyword(p, &statement);
    }
    statement.failed = statement.failed || p->failed;
    statement.span.end = p->last.end;
    p->syntax->statements.items[first] = statement;
    for (uint32_t i = first; i < p->syntax->statements.count; i++) {
        p->syntax->statements.items[i].failed |= statement.failed;
        p->syntax->statements.items[i].span.end = p->last.end;
    }
    uint32_t begin = p->token.span.begin;
    bool more = !p->token.first && p->token.kind != LIA_TOKEN_END;
    lia_recovery_skip(p);
    if (more && statement.failed && declares(keyword)) {
        lia_recovery_lose_names(p, begin);
    }
}

void lia_statements_read(LiaContext* context, LiaSyntax* syntax) {
    if (!lia_lexer_check(context)) {
        syntax->refused = true;
        return;
    }
    LiaParser p = {.context = context, .syntax = syntax, .lexer = lia_lexer_begin(context)};
    p.ahead = lia_lexer_next(&p.lexer);
    lia_parser_advance(&p);
    if (!p.token.first && p.token.kind != LIA_TOKEN_END) {
        if (p.token.kind != LIA_TOKEN_BAD) {
            lia_diag_error(context->diags, p.token.span, "E0111",
                           "the first statement does not begin in column 1");
            lia_diag_help(context->diags,
                          "a line that begins with white space continues the one above");
        }
        syntax->refused = true;
        lia_recovery_skip(&p);
    }
    while (p.token.kind != LIA_TOKEN_END && !lia_context_enough(context)) {
        read_statement(&p);
    }
}
