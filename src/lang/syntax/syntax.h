// Syntax: what the parser makes of the text. Statements, and expressions as postfix code.
//
// An expression is a range of nodes in the order they are worked out (operands before operators),
// so the elaborator runs it on a stack of its own: no depth of the text overflows the C stack.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/number.h"
#include "lang/context.h"
#include "lang/value/unit.h"

typedef enum LiaKeyword {
#define LIA_KEYWORD(id, word) LIA_KEYWORD_##id,
#include "lang/syntax/keywords.def"
#undef LIA_KEYWORD
    LIA_KEYWORD_COUNT
} LiaKeyword;

typedef enum LiaNodeKind {
    LIA_NODE_POISON,  // an error was said here
    LIA_NODE_NUMBER,  // numbers[symbol]
    LIA_NODE_NAME,    // symbol
    LIA_NODE_MEMBER,  // symbol[count indices from the stack]
    LIA_NODE_INDEX,   // value[count indices]
    LIA_NODE_FIELD,   // value.symbol
    LIA_NODE_PRIME,   // value'
    LIA_NODE_NEGATE,
    LIA_NODE_ADD,
    LIA_NODE_SUBTRACT,
    LIA_NODE_MULTIPLY,
    LIA_NODE_DIVIDE,
    LIA_NODE_POWER,
    LIA_NODE_LESS,
    LIA_NODE_LESS_EQUAL,
    LIA_NODE_GREATER,
    LIA_NODE_GREATER_EQUAL,
    LIA_NODE_AND,
    LIA_NODE_OR,
    LIA_NODE_NOT,
    LIA_NODE_VECTOR,     // [count values]
    LIA_NODE_CALL,       // symbol(count values); jump 1: reaction(J at P)
    LIA_NODE_ALL,        // `all` in linear_momentum(all): every body with mass
    LIA_NODE_NAMED,      // symbol(other[count indices]): force(c[2]), p(x), momentum(S)
    LIA_NODE_JOINT,      // other[count indices] in symbol(J1, J2 on A): a joint
    LIA_NODE_SUM_BEGIN,  // low, high on the stack; symbol runs; past the sum at jump
    LIA_NODE_SUM_END,    // jump: first node of the body
    LIA_NODE_IF_THEN,    // condition on the stack; else part at jump
    LIA_NODE_IF_ELSE,    // after the if at jump
    LIA_NODE_IF_END,
} LiaNodeKind;

typedef struct LiaSyntaxNode {
    LiaNodeKind kind;
    LiaSymbol symbol;
    LiaSymbol other;
    LiaSymbol field;  // NAMED: p(b.position); CALL: euler(R, "zxz")
    uint32_t count;
    uint32_t jump;
    LiaSpan span;  // of the whole subexpression
} LiaSyntaxNode;

typedef struct LiaCode {  // nodes [begin, end); empty: nothing was written
    uint32_t begin, end;
    LiaSpan span;
} LiaCode;

// One index of NAME[...]: `i = 1..N`, or an expression (then `low` alone).
typedef struct LiaIndex {
    LiaSymbol symbol;  // 0: an expression
    LiaCode low, high;
    LiaSpan span;
} LiaIndex;

// A name as it is declared, or stands on the left in `start` and `symmetry`.
typedef struct LiaHead {
    LiaSymbol symbol;
    LiaIndex* indices;
    uint32_t index_count;
    int primes;
    LiaSymbol fields[LIA_LIMIT_FIELDS];  // b.position.x in `start` and `symmetry`
    uint32_t field_count;
    LiaSpan span;  // with its indices
    LiaSpan name_span;
} LiaHead;

typedef struct LiaUnitClause {
    bool given;
    bool wrong;  // an error was said
    LiaMeasure measure;
    const char* text;
    LiaSpan span;
} LiaUnitClause;

typedef enum LiaManifoldWord {
    LIA_WORD_LINE,
    LIA_WORD_CIRCLE,
    LIA_WORD_SPACE,
    LIA_WORD_SPHERE,
    LIA_WORD_ROTATION,
} LiaManifoldWord;

// What a body says of itself, one phrase each; the phrase of b.position declares that name.
typedef enum LiaClause {
    LIA_CLAUSE_NONE,
    LIA_CLAUSE_MASS,
    LIA_CLAUSE_INERTIA,
    LIA_CLAUSE_POSITION,
    LIA_CLAUSE_ATTITUDE,
} LiaClause;

typedef enum LiaTurning { LIA_TURNING_NONE, LIA_TURNING_SPACE, LIA_TURNING_BODY } LiaTurning;

// One entry of a statement's list: a definition, an equation, a start value, a curve.
typedef struct LiaPhrase {
    LiaHead head;
    LiaHead second;  // bracket {head, second} = right
    LiaCode left, right;
    bool guess;
    bool open;                 // a control without a law: 0 stands for it
    bool momentum;             // start p(x) = e
    LiaCode every;             // of a sampled control; empty: it is none
    bool phase;                // of a coordinate: written as `phase`
    LiaTurning turning;        // omega(R) = e, Omega(R) = e
    LiaClause clause;          // of a body
    LiaManifoldWord manifold;  // of a coordinate
    LiaUnitClause unit;
    LiaSpan span;
} LiaPhrase;

typedef enum LiaJointKind {
#define LIA_JOINT(id, word, sides, axis, direction, pitch) LIA_JOINT_##id,
#include "lang/bodies/joints/joints.def"
#undef LIA_JOINT
    LIA_JOINT_KINDS
} LiaJointKind;

enum { LIA_SIDE_AT, LIA_SIDE_AXIS, LIA_SIDE_DIRECTION, LIA_SIDE_WORDS };

typedef struct LiaSide {  // BODY at e axis e direction e
    LiaCode body;
    LiaCode clauses[LIA_SIDE_WORDS];  // empty: not said
    LiaSymbol function_word;          // surface NAME, curve NAME
    LiaSymbol function;               // 0: none
    LiaSpan function_span;
    LiaCode parameter;  // curve NAME(e); empty: not said
    LiaSpan span;
} LiaSide;

typedef enum LiaSurfaceKind {
#define LIA_SURFACE(id, word, clauses, argument, use) LIA_SURFACE_##id,
#include "lang/bodies/surfaces/surfaces.def"
#undef LIA_SURFACE
    LIA_SURFACE_KINDS
} LiaSurfaceKind;

typedef struct LiaSurfaceSyntax {  // sphere(BODY at e, r), inside(SHAPE)
    LiaSurfaceKind kind;
    bool hollow;
    LiaCode body, at, axis, attitude;  // empty: not said
    LiaCode arguments[2];
    uint32_t argument_count;
    LiaSymbol function;
    LiaSpan function_span;
    LiaSpan span;
} LiaSurfaceSyntax;

typedef struct LiaJointSyntax {
    LiaJointKind kind;
    LiaSpan kind_span;
    LiaSurfaceSyntax* shapes;  // two, of a joint of shapes; else NULL
    LiaSide* sides;
    uint32_t side_count;
    LiaCode pitch;
} LiaJointSyntax;

// from EVENT until EVENT; symbol 0: not said.
typedef struct LiaDurationSyntax {
    LiaHead from, until;
} LiaDurationSyntax;

// What stands after the equation of an event.
typedef struct LiaEventSyntax {
    int direction;
    bool stop;
    LiaPhrase* sets;  // set x' = e, y = e
    uint32_t set_count;
} LiaEventSyntax;

// What a contact says of its law, or a constraint of its friction; empty: not said.
typedef struct LiaContactSyntax {
    LiaCode restitution, slip, friction, friction_static;
    LiaCode rolling, rolling_about, pivoting, pivoting_about;
} LiaContactSyntax;

// What `run` says; empty: not said.
typedef struct LiaRunSyntax {
    LiaCode t0, t1, tolerance, samples, every, step_most;
} LiaRunSyntax;

typedef struct LiaStatement {
    LiaKeyword keyword;
    bool failed;   // did not parse; what is declared is kept so that its uses are not "unknown"
    LiaSpan span;  // the whole statement
    LiaHead head;  // NAME of named statements, model, function
    const char* title;
    LiaPhrase* phrases;
    uint32_t phrase_count;
    LiaSymbol* arguments;  // function
    uint32_t argument_count;
    LiaCode* forms;  // force w1, w2 | by w
    uint32_t form_count;
    bool rule_given, chetaev;
    LiaEventSyntax event;
    LiaDurationSyntax duration;   // of what may begin and end
    bool over;                    // plot x: ...
    bool is_free;                 // body
    bool moment;                  // force F: moment e on BODY
    LiaCode on, at;               // force F: e on BODY at e
    const LiaJointSyntax* joint;  // of a contact: its two shapes; NULL: its gap is a formula
    LiaContactSyntax contact;
    LiaRunSyntax run;
    struct LiaPicture* pictures;  // draw: see drawing.h
    uint32_t picture_count;
} LiaStatement;

typedef struct LiaSyntax {
    LIA_VECTOR(LiaSyntaxNode) nodes;
    LIA_VECTOR(LiaNumber) numbers;
    LIA_VECTOR(LiaStatement) statements;
    bool refused;  // something is not in this version: what follows from its absence is not said
} LiaSyntax;

/// Read the whole text. Errors are in the diagnostics; what could be read is in *syntax.
void lia_statements_read(LiaContext* context, LiaSyntax* syntax);
/// The statement keyword a word is; LIA_KEYWORD_COUNT if none.
LiaKeyword lia_keywords_find(const char* word);
const char* lia_keywords_word(LiaKeyword keyword);
const char* lia_joint_read_word(LiaJointKind kind);
