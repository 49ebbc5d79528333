// Parser for statements made of equations: constraint, operator, symmetry, event, start.
// SPDX-License-Identifier: MIT
#include "lang/syntax/parser.h"

static void say_inequality(LiaParser* p, const LiaStatement* statement, LiaSpan span) {
    if (statement->keyword == LIA_KEYWORD_EVENT) {
        lia_parser_fail_at(p, span, "E0168",
                           "an event is an instant, an inequality holds for a time",
                           "write where it begins: 'left = right rising', or 'falling'");
        return;
    }
    lia_parser_fail_at(p, span, "E0168",
                       "an inequality is not a constraint: it acts only while it is reached",
                       "write an equation that holds while it touches, and where that ends: "
                       "'event lift: force(c) = 0 stop'");
}

static void say_no_equation(LiaParser* p, const LiaStatement* statement) {
    const char* help = "write an equation: 'left = 0'";
    if (lia_parser_kind(p) == LIA_TOKEN_SAME) {
        lia_parser_expect(p, LIA_TOKEN_EQUAL, "'=' and the right side");
    } else if (statement->keyword == LIA_KEYWORD_OPERATOR) {
        help = "an operator says what holds: 'operator NAME: x = sin(t)'; a force that is given is "
               "'force NAME: F*d(x)'";
    } else if (statement->keyword == LIA_KEYWORD_EVENT) {
        help = "an event is one equation, without ',' before what follows: 'event NAME: left = "
               "right rising stop'";
    }
    lia_parser_fail_with(p, "E0112", "'=' and the right side", help);
}

// e = e, e = e
static void parse_equations(LiaParser* p, LiaStatement* statement) {
    LiaPhrases phrases = {0};
    do {
        LiaPhrase* phrase = LIA_ADD(p->context, phrases);
        phrase->left = lia_parser_expression(p);
        if (!p->failed && lia_parser_kind(p) != LIA_TOKEN_EQUAL && phrase->left.end > 0) {
            LiaNodeKind last = p->syntax->nodes.items[phrase->left.end - 1].kind;
            if (last >= LIA_NODE_LESS && last <= LIA_NODE_GREATER_EQUAL) {
                say_inequality(p, statement, phrase->left.span);
            }
        }
        if (lia_parser_kind(p) != LIA_TOKEN_EQUAL) say_no_equation(p, statement);
        lia_parser_accept(p, LIA_TOKEN_EQUAL);
        phrase->right = lia_parser_expression(p);
        phrase->span = (LiaSpan){phrase->left.span.begin, p->last.end};
        if (lia_parser_kind(p) == LIA_TOKEN_EQUAL) {
            lia_parser_fail_at(p, p->token.span, "E0112", "a second '=' in one equation",
                               "write two equations: 'a = b, b = c'");
        }
    } while (lia_parser_accept(p, LIA_TOKEN_COMMA));
    lia_statements_take(statement, &phrases);
}

typedef LIA_VECTOR(LiaCode) Codes;

static void parse_forms(LiaParser* p, LiaStatement* statement) {
    Codes forms = {0};
    do {
        LiaCode form = lia_parser_expression(p);
        *LIA_ADD(p->context, forms) = form;
    } while (lia_parser_accept(p, LIA_TOKEN_COMMA));
    statement->forms = forms.items;
    statement->form_count = forms.count;
    statement->rule_given = true;
}

// A clause of a law, `WORD e`. True if it stands here.
static bool parse_clause(LiaParser* p, const char* word, LiaCode* code) {
    if (!lia_parser_is_word(p, word)) return false;
    if (code->end > code->begin) {
        lia_parser_fail_at(p, p->token.span, "E0118", "this is said twice", NULL);
        return true;
    }
    lia_parser_advance(p);
    *code = lia_parser_bound(p);
    return true;
}

// [slip e] [friction e [static e]]
void lia_equations_friction(LiaParser* p, LiaStatement* statement) {
    while (!p->failed && (parse_clause(p, "slip", &statement->contact.slip) ||
                          parse_clause(p, "friction", &statement->contact.friction) ||
                          parse_clause(p, "static", &statement->contact.friction_static))) {
    }
    if (p->failed || !(lia_parser_is_word(p, "rolling") || lia_parser_is_word(p, "pivoting")))
        return;
    lia_parser_fail_at(p, p->token.span, "E0180",
                       "resistance against rolling and pivoting is one of contacts",
                       "write a 'contact', or make the angular velocity the slip: 'slip phi' "
                       "friction 0.001', a length");
    p->syntax->refused = true;
}

// constraint NAME: e = e, ... [force w, ... | force chetaev] [slip e friction e [static e]]
void lia_equations_constraint(LiaParser* p, LiaStatement* statement) {
    lia_clauses_name_colon(p, statement);
    parse_equations(p, statement);
    if (lia_parser_is_word(p, "by")) {
        lia_parser_fail_at(p, p->token.span, "E0118", "'by' belongs to an operator",
                           "write 'force' and the one-forms, or make it an 'operator'");
    }
    if (lia_parser_accept_word(p, "force")) {
        LiaTokenKind ahead = lia_parser_kind_ahead(p);
        bool alone = ahead == LIA_TOKEN_END || ahead == LIA_TOKEN_NAME;
        if (lia_parser_is_word(p, "chetaev") && alone) {
            lia_parser_advance(p);
            statement->rule_given = statement->chetaev = true;
        } else {
            parse_forms(p, statement);
        }
    }
    lia_equations_friction(p, statement);
}

// operator NAME: e = e, ... [by w, ...]
void lia_equations_operator(LiaParser* p, LiaStatement* statement) {
    lia_clauses_name_colon(p, statement);
    parse_equations(p, statement);
    if (lia_parser_is_word(p, "force")) {
        lia_parser_fail_at(p, p->token.span, "E0118", "'force' belongs to a constraint",
                           "write 'by' and the one-forms along which the operator acts");
    }
    if (lia_parser_accept_word(p, "by")) {
        parse_forms(p, statement);
    }
    lia_equations_friction(p, statement);  // refused in words
}

static void parse_gap(LiaParser* p, LiaPhrase* phrase) {
    phrase->left = lia_parser_bound(p);
    LiaTokenKind kind = lia_parser_kind(p);
    bool less = kind == LIA_TOKEN_LESS_EQUAL;
    if (kind == LIA_TOKEN_EQUAL) {
        lia_parser_fail_at(p, p->token.span, "E0280", "a contact holds one way: 'e >= 0'",
                           "what holds both ways is a 'constraint'");
    } else if (kind == LIA_TOKEN_GREATER || kind == LIA_TOKEN_LESS) {
        lia_parser_fail_at(p, p->token.span, "E0186",
                           "a gap may be zero: there the contact is closed",
                           kind == LIA_TOKEN_LESS ? "write '<='" : "write '>='");
    } else if (!less && kind != LIA_TOKEN_GREATER_EQUAL) {
        lia_parser_fail_with(p, "E0112", "'>=' and the right side",
                             "a contact is a gap that is never negative: 'contact floor: z >= 0'");
    }
    lia_parser_advance(p);
    phrase->right = lia_parser_bound(p);
    phrase->span = (LiaSpan){phrase->left.span.begin, p->last.end};
    if (!less) return;
    LiaCode left = phrase->left;
    phrase->left = phrase->right;
    phrase->right = left;
}

// Of `point(...)`, which may be a function too: after its brackets stands `on`.
static bool on_follows(const LiaParser* p) {
    const char* text = p->context->source.text;
    size_t length = p->context->source.length, i = p->token.span.end;
    int depth = 0;
    for (; i < length && text[i] != '\n'; i++) {
        depth += (text[i] == '(') - (text[i] == ')');
        if (depth == 0 && text[i] == ')') break;
    }
    for (i++; i < length && (text[i] == ' ' || text[i] == '\t');) i++;
    return i + 2 < length && text[i] == 'o' && text[i + 1] == 'n' &&
           (text[i + 2] == ' ' || text[i + 2] == '\t');
}

static bool begins_with_shape(const LiaParser* p) {
    static const char* const words[] = {
#define LIA_SURFACE(id, word, clauses, argument, use) #word,
#include "lang/bodies/surfaces/surfaces.def"
#undef LIA_SURFACE
        "inside"};
    if (lia_parser_kind_ahead(p) != LIA_TOKEN_OPEN) return false;
    if (lia_parser_is_word(p, "point")) return on_follows(p);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (lia_parser_is_word(p, words[i])) return true;
    }
    return false;
}

// SHAPE on SHAPE
static void parse_shapes(LiaParser* p, LiaStatement* statement) {
    LiaJointSyntax* pair = lia_context_scratch(p->context, sizeof *pair);
    LiaSurfaceSyntax* shapes = lia_context_scratch(p->context, 2 * sizeof *shapes);
    pair->kind = LIA_JOINT_TOUCHING;
    pair->kind_span = p->token.span;
    pair->shapes = shapes;
    pair->side_count = 2;
    lia_surface_read_statement(p, &shapes[0]);
    if (!p->failed && !lia_parser_accept_word(p, "on")) {
        lia_parser_fail_with(p, "E0287", "'on' and the second shape",
                             "a contact of shapes is 'sphere(BODY, r) on plane(BODY)'");
    }
    if (!p->failed) lia_surface_read_statement(p, &shapes[1]);
    statement->joint = pair;
}

// rolling e [about e], pivoting e [about e]
static bool parse_resistance(LiaParser* p, const char* word, LiaCode* length, LiaCode* about) {
    if (!parse_clause(p, word, length)) return false;
    if (!p->failed) parse_clause(p, "about", about);
    return true;
}

static void parse_law(LiaParser* p, LiaStatement* statement) {
    bool shapes = statement->joint != NULL;
    while (!p->failed) {
        if (shapes && lia_parser_is_word(p, "slip")) {
            lia_parser_fail_at(p, p->token.span, "E0287",
                               "the slip of two shapes is known: that of their material points",
                               "leave 'slip' out, 'friction' acts against it");
        }
        LiaContactSyntax* c = &statement->contact;
        if (p->failed ||
            !(parse_clause(p, "restitution", &c->restitution) ||
              parse_clause(p, "slip", &c->slip) || parse_clause(p, "friction", &c->friction) ||
              parse_clause(p, "static", &c->friction_static) ||
              parse_resistance(p, "rolling", &c->rolling, &c->rolling_about) ||
              parse_resistance(p, "pivoting", &c->pivoting, &c->pivoting_about)))
            break;
    }
    if (p->failed || lia_parser_kind(p) != LIA_TOKEN_NAME || lia_clauses_is_duration(p)) return;
    lia_parser_fail(
        p, "E0118",
        shapes ? "'restitution', 'friction', 'static', 'rolling', 'pivoting', 'from', 'until' or "
                 "the end"
               : "'restitution', 'slip', 'friction', 'static', 'rolling', 'pivoting', 'from', "
                 "'until' or the end");
}

// contact NAME: e >= e [restitution e] [slip e friction e [static e]]
//     [rolling e about e] [pivoting e about e]
// contact NAME: SHAPE on SHAPE [restitution e] [friction e [static e]] [rolling e] [pivoting e]
void lia_equations_contact(LiaParser* p, LiaStatement* statement) {
    LiaPhrases phrases = {0};
    lia_clauses_name_colon(p, statement);
    if (begins_with_shape(p)) {
        parse_shapes(p, statement);
    } else {
        LiaPhrase* phrase = LIA_ADD(p->context, phrases);
        parse_gap(p, phrase);
        lia_statements_take(statement, &phrases);
    }
    parse_law(p, statement);
}

// impact [newton | poisson | energetic] [sequential | simultaneous]
void lia_equations_impact(LiaParser* p, LiaStatement* statement) {
    LiaPhrases phrases = {0};
    while (lia_parser_kind(p) == LIA_TOKEN_NAME && !p->token.first) {
        LiaPhrase* phrase = LIA_ADD(p->context, phrases);
        phrase->head.symbol = p->token.symbol;
        phrase->span = phrase->head.span = p->token.span;
        lia_parser_advance(p);
    }
    if (phrases.count == 0) {
        lia_parser_fail_with(p, "E0112", "a law of impact",
                             "write 'impact newton', 'poisson' or 'energetic', and 'sequential' "
                             "or 'simultaneous'");
    }
    lia_statements_take(statement, &phrases);
}

// b.velocity is b.position', and b.omega is omega(b.attitude).
static void read_rates(const LiaParser* p, LiaPhrase* phrase) {
    LiaHead* head = &phrase->head;
    if (head->field_count == 0 || head->primes > 0 || phrase->turning) {
        return;
    }
    if (lia_context_name_is(p->context, head->fields[0], "velocity")) {
        head->fields[0] = lia_context_find_name(p->context, "position", 8);
        head->primes = 1;
    } else if (lia_context_name_is(p->context, head->fields[0], "omega")) {
        head->fields[0] = lia_context_find_name(p->context, "attitude", 8);
        phrase->turning = LIA_TURNING_SPACE;
    }
}

// x, x', r.x, b.position, b.velocity, omega(R), p(x)
static void parse_left(LiaParser* p, LiaPhrase* phrase, bool momenta, const char* what) {
    LiaSpan begin = p->token.span;
    bool call = lia_parser_kind_ahead(p) == LIA_TOKEN_OPEN;
    if (call && lia_parser_is_word(p, "omega")) {
        phrase->turning = LIA_TURNING_SPACE;
    } else if (call && lia_parser_is_word(p, "Omega")) {
        phrase->turning = LIA_TURNING_BODY;
    }
    phrase->momentum = call && momenta && lia_parser_is_word(p, "p");
    if (phrase->turning || phrase->momentum) {
        lia_parser_advance(p);
        lia_parser_advance(p);
    }
    phrase->head = lia_clauses_head(p, true, what);
    if (!phrase->momentum) read_rates(p, phrase);
    if (call && (phrase->turning || phrase->momentum)) {
        lia_parser_expect(p, LIA_TOKEN_CLOSE, phrase->momentum ? "')'" : "')' after the rotation");
        phrase->head.span = (LiaSpan){begin.begin, p->last.end};
    }
}

// x' = e, q[i = 1..N]' = e, omega(R) = e
void lia_equations_symmetry(LiaParser* p, LiaStatement* statement) {
    lia_clauses_name_colon(p, statement);
    LiaPhrases phrases = {0};
    do {
        LiaPhrase* phrase = LIA_ADD(p->context, phrases);
        parse_left(p, phrase, false, "the velocity of a coordinate, as in x' = e");
        LiaHead head = phrase->head;
        if (!p->failed && head.primes != 1 && !phrase->turning) {
            lia_parser_fail_at(p, head.span, "E0163",
                               "a symmetry says how coordinates move: x' = e",
                               "write a prime after the coordinate");
        }
        lia_parser_expect(p, LIA_TOKEN_EQUAL, "'='");
        phrase->right = lia_parser_expression(p);
        phrase->span = (LiaSpan){head.span.begin, p->last.end};
    } while (lia_parser_accept(p, LIA_TOKEN_COMMA));
    lia_statements_take(statement, &phrases);
}

// set x' = e, y = e, b.velocity = e, omega(R) = e
static void parse_sets(LiaParser* p, LiaStatement* statement) {
    LiaPhrases phrases = {0};
    do {
        LiaPhrase* phrase = LIA_ADD(p->context, phrases);
        parse_left(p, phrase, false, "a coordinate or a velocity");
        LiaHead head = phrase->head;
        lia_parser_expect(p, LIA_TOKEN_EQUAL, "'=' and the value");
        phrase->right = lia_parser_expression(p);
        phrase->span = (LiaSpan){head.span.begin, p->last.end};
    } while (lia_parser_accept(p, LIA_TOKEN_COMMA));
    statement->event.sets = phrases.items;
    statement->event.set_count = phrases.count;
}

// event NAME: e = e [rising | falling] [set x = e, ..] [stop]
void lia_equations_event(LiaParser* p, LiaStatement* statement) {
    lia_clauses_name_colon(p, statement);
    parse_equations(p, statement);
    if (statement->phrase_count > 1) {
        lia_parser_fail_at(p, statement->phrases[1].span, "E0112", "an event is a single equation",
                           "write another 'event'");
    }
    if (lia_parser_accept_word(p, "rising")) {
        statement->event.direction = 1;
    } else if (lia_parser_accept_word(p, "falling")) {
        statement->event.direction = -1;
    }
    if (lia_parser_accept_word(p, "set")) parse_sets(p, statement);
    statement->event.stop = lia_parser_accept_word(p, "stop");
    if (lia_parser_kind(p) == LIA_TOKEN_NAME) {
        lia_parser_fail(p, "E0118",
                        statement->event.stop        ? "the end of the statement: 'stop' comes last"
                        : statement->event.set_count ? "the end of the statement"
                        : statement->event.direction
                            ? "'set', 'stop' or the end of the statement"
                            : "'rising', 'falling', 'set', 'stop' or the end of the statement");
    }
}

// bracket {x, y} = e, {q[i = 1..N], p[i]} = e
void lia_equations_bracket(LiaParser* p, LiaStatement* statement) {
    LiaPhrases phrases = {0};
    const char* help = "the bracket of two phase variables is written 'bracket {x, y} = e'";
    do {
        LiaPhrase* phrase = LIA_ADD(p->context, phrases);
        LiaSpan begin = p->token.span;
        if (!lia_parser_accept(p, LIA_TOKEN_OPEN_BRACE)) {
            lia_parser_fail_with(p, "E0112", "'{' and two phase variables", help);
        }
        phrase->head = lia_clauses_head(p, true, "a phase variable");
        lia_parser_expect(p, LIA_TOKEN_COMMA, "',' and the second phase variable");
        LiaHead second = lia_clauses_head(p, true, "a phase variable");
        phrase = &phrases.items[phrases.count - 1];
        phrase->second = second;
        lia_parser_expect(p, LIA_TOKEN_CLOSE_BRACE, "'}'");
        phrase->head.span = (LiaSpan){begin.begin, p->last.end};
        lia_parser_expect(p, LIA_TOKEN_EQUAL, "'='");
        phrase->right = lia_parser_expression(p);
        phrase->span = (LiaSpan){begin.begin, p->last.end};
    } while (lia_parser_accept(p, LIA_TOKEN_COMMA));
    lia_statements_take(statement, &phrases);
}

// start x = e, x' = e, x ~ e, omega(R) = e, p(x) = e
void lia_equations_start(LiaParser* p, LiaStatement* statement) {
    LiaPhrases phrases = {0};
    do {
        LiaPhrase* phrase = LIA_ADD(p->context, phrases);
        parse_left(p, phrase, true, "a coordinate or a velocity");
        LiaHead head = phrase->head;
        if (head.symbol == 0) {
            phrases.count--;
            break;
        }
        phrase->guess = lia_parser_accept(p, LIA_TOKEN_TILDE);
        if (!p->failed && !phrase->guess && lia_parser_kind(p) == LIA_TOKEN_OPEN) {
            lia_parser_fail(p, "E0112", "'=' (or '~' for a guess)");
            lia_diag_help(p->context->diags,
                          "a start is the value at the beginning: 'start x = 1'");
        } else if (!phrase->guess) {
            lia_parser_expect(p, LIA_TOKEN_EQUAL, "'=' (or '~' for a guess)");
        }
        phrase->right = lia_parser_expression(p);
        phrase->unit = lia_clauses_unit(p);
        phrase->span = (LiaSpan){head.span.begin, p->last.end};
    } while (lia_parser_accept(p, LIA_TOKEN_COMMA));
    lia_statements_take(statement, &phrases);
}
