// Parser: what the readers of statements need of the expression parser, and the state they share.
// SPDX-License-Identifier: MIT
#pragma once
#include "lang/syntax/lexer.h"
#include "lang/syntax/syntax.h"

typedef struct LiaParser {
    LiaContext* context;
    LiaSyntax* syntax;
    LiaLexer lexer;
    LiaToken token, ahead;
    LiaSpan last;  // the token read last
    bool failed;   // of this statement: an error was said, all that follows reads as its end
    int depth;
} LiaParser;

/// The kind of the token to come; END where the statement ends or failed.
LiaTokenKind lia_parser_kind(const LiaParser* p);
LiaTokenKind lia_parser_kind_ahead(const LiaParser* p);
void lia_parser_advance(LiaParser* p);
bool lia_parser_accept(LiaParser* p, LiaTokenKind kind);
/// Read that token or fail: "expected `what`, found ...".
bool lia_parser_expect(LiaParser* p, LiaTokenKind kind, const char* what);
/// The token to come is this word.
bool lia_parser_is_word(const LiaParser* p, const char* word);
bool lia_parser_accept_word(LiaParser* p, const char* word);
/// Say what is wrong at the token to come and give the statement up.
void lia_parser_fail(LiaParser* p, const char* code, const char* expected);
/// The same, and what to write instead.
void lia_parser_fail_with(LiaParser* p, const char* code, const char* expected, const char* help);
void lia_parser_fail_at(LiaParser* p, LiaSpan span, const char* code, const char* message,
                        const char* help);
/// The statement must end here.
void lia_parser_finish(LiaParser* p);

/// One deeper; false where that is over LIA_LIMIT_NESTING. Leave in any case.
bool lia_parser_enter(LiaParser* p);
void lia_parser_leave(LiaParser* p);

LiaCode lia_parser_expression(LiaParser* p);
/// An expression without comparisons, as in 1..N.
LiaCode lia_parser_bound(LiaParser* p);
/// The number 0, as if it were written there.
LiaCode lia_parser_zero(LiaParser* p, LiaSpan span);
/// A node of postfix code, the next one.
LiaSyntaxNode* lia_parser_emit(LiaParser* p, LiaNodeKind kind, LiaSpan span);
/// `e, e ... close`, after the opening bracket; how many (call_syntax.c).
uint32_t lia_call_syntax_list(LiaParser* p, LiaTokenKind close, LiaSpan opened, const char* what);
/// The call of a function whose name was read; the token to come opens the bracket.
void lia_call_syntax_read(LiaParser* p, LiaToken function);
/// NAME or NAME[...]; with `primes` also NAME'.
LiaHead lia_clauses_head(LiaParser* p, bool primes, const char* what);
/// NAME: at the beginning of a statement.
void lia_clauses_name_colon(LiaParser* p, LiaStatement* statement);
/// Optional `from EVENT`, `until EVENT`, in any order.
void lia_clauses_duration(LiaParser* p, LiaStatement* statement);
/// Does one of them stand here?
bool lia_clauses_is_duration(const LiaParser* p);
/// An optional `in UNIT`.
LiaUnitClause lia_clauses_unit(LiaParser* p);

typedef LIA_VECTOR(LiaPhrase) LiaPhrases;
/// The phrases that were read are those of the statement.
void lia_statements_take(LiaStatement* statement, const LiaPhrases* phrases);

/// What follows the keyword of a statement made of equations (equations.c).
void lia_equations_constraint(LiaParser* p, LiaStatement* statement);
void lia_equations_operator(LiaParser* p, LiaStatement* statement);
void lia_equations_bracket(LiaParser* p, LiaStatement* statement);
void lia_equations_contact(LiaParser* p, LiaStatement* statement);
/// [slip e] [friction e [static e]]
void lia_equations_friction(LiaParser* p, LiaStatement* statement);
void lia_equations_impact(LiaParser* p, LiaStatement* statement);
void lia_equations_symmetry(LiaParser* p, LiaStatement* statement);
void lia_equations_event(LiaParser* p, LiaStatement* statement);
void lia_equations_start(LiaParser* p, LiaStatement* statement);
/// What stands after `body` (body_statement.c).
void lia_body_statement_read(LiaParser* p, LiaStatement* statement);
/// KIND(side, side) of a joint (joints/joint_read.c).
void lia_joint_read_statement(LiaParser* p, LiaStatement* statement);
/// A shape of a body (surfaces/surface_read.c).
void lia_surface_read_statement(LiaParser* p, LiaSurfaceSyntax* surface);
/// To the end of the statement (recovery.c).
void lia_recovery_skip(LiaParser* p);
/// Names in text that was skipped, from `begin` on, may be declared there: that they are
/// unknown elsewhere is no mistake of its own.
void lia_recovery_lose_names(LiaParser* p, uint32_t begin);
/// Say that no statement begins with this word, with the nearest there is.
void lia_recovery_unknown_keyword(LiaParser* p, const LiaToken* word);
