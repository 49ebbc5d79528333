// Hamiltonian systems with constraint as data, (P, Lambda, H, D, W) (Marle): phase variables, their
// brackets, the Hamiltonian; the equations of D, and the directions W of the forces that keep them.
//
// The phase variables are coordinates without mass. What moves them is one internal constraint,
// the flow: x' = {x, H} + forces + W mu, worked out by mechanics (assembly/phase). mu is the rate
// of an inner coordinate, the impulse: one for each equation of D.
//
// A model with coordinates and a Hamiltonian, and no other energy, is one on T*Q: the momenta p(x)
// are phase variables together with the x, and {x, p(x)} = 1.
// SPDX-License-Identifier: MIT
#include "lang/elaborate/elaborate.h"
#include <stdio.h>
#include <string.h>

enum { MOVING = LIA_DEPENDS(VELOCITY) | LIA_DEPENDS(ACCELERATION) | LIA_DEPENDS(REACTION) };

static const char moving_sentence[] =
    "the rate of a phase variable follows from the brackets and the Hamiltonian";
static const LiaSetting hamiltonian_setting = {MOVING | LIA_DEPENDS(QUANTITY), "the Hamiltonian",
                                               "E0362", moving_sentence};
static const LiaSetting bracket_setting = {
    MOVING | LIA_DEPENDS(QUANTITY) | LIA_DEPENDS(TIME) | LIA_DEPENDS(CONTROL), "a bracket", "E0362",
    "a bracket is a function of the phase variables and of parameters"};
static const LiaSetting equation_setting = {MOVING, "a constraint on phase variables", "E0362",
                                            moving_sentence};
static const LiaSetting force_setting = {MOVING, "a force on phase variables", "E0362",
                                         moving_sentence};

const LiaSetting* lia_phase_statements_setting(LiaKeyword keyword) {
    return keyword == LIA_KEYWORD_HAMILTONIAN ? &hamiltonian_setting
           : keyword == LIA_KEYWORD_FORCE     ? &force_setting
                                              : &equation_setting;
}

static bool is_phase(const LiaStatement* statement) {
    return statement->keyword == LIA_KEYWORD_COORDINATE && statement->phrase_count > 0 &&
           statement->phrases[0].phase;
}

// Statements that speak of velocities.
static bool has_velocities(const LiaStatement* statement) {
    switch (statement->keyword) {
    case LIA_KEYWORD_LAGRANGIAN:
    case LIA_KEYWORD_KINETIC:
    case LIA_KEYWORD_POTENTIAL:
    case LIA_KEYWORD_DISSIPATION:
    case LIA_KEYWORD_MOMENT:
    case LIA_KEYWORD_BODY:
    case LIA_KEYWORD_GRAVITY:
    case LIA_KEYWORD_CONTACT:
    case LIA_KEYWORD_IMPACT:
    case LIA_KEYWORD_JOINT:
    case LIA_KEYWORD_SYMMETRY:
        return true;
    default:
        return false;
    }
}

static bool is_position(const LiaStatement* statement) {
    return statement->keyword == LIA_KEYWORD_COORDINATE && !is_phase(statement);
}

// What turns has no momentum of the kind {x, p(x)} = 1.
static void refuse_attitudes(LiaElaboration* e, const LiaStatement* statement) {
    for (uint32_t i = 0; i < statement->phrase_count; i++) {
        const LiaPhrase* phrase = &statement->phrases[i];
        if (phrase->manifold <= LIA_WORD_SPACE) continue;
        lia_diag_error(e->context->diags, phrase->span, "E0361",
                       "in a model with a Hamiltonian a coordinate is a number or a place");
        lia_diag_help(e->context->diags, "describe what turns by vectors: 'phase M : space' and "
                                         "their brackets, or by angles");
        return;
    }
}

static void refuse(LiaElaboration* e, const LiaStatement* statement) {
    const char* word = lia_keywords_word(statement->keyword);
    if (e->draft.phase.canonical && is_position(statement)) {
        refuse_attitudes(e, statement);
        return;
    }
    if (e->draft.phase.is && (is_position(statement) || has_velocities(statement))) {
        lia_diag_error(e->context->diags, statement->span, "E0360",
                       "'%s' cannot stand together with 'phase': a model has a Lagrangian or a "
                       "Hamiltonian, not both",
                       word);
        lia_diag_help(e->context->diags, "positions and momenta are phase variables alike: 'phase "
                                         "x, p' and 'bracket {x, p} = 1'");
    }
    bool hamiltonian =
        statement->keyword == LIA_KEYWORD_HAMILTONIAN || statement->keyword == LIA_KEYWORD_BRACKET;
    if (!e->draft.phase.is && hamiltonian) {
        lia_diag_error(e->context->diags, statement->span, "E0360",
                       "'%s' needs phase variables, and the model declares none", word);
        lia_diag_help(e->context->diags,
                      "declare them: 'phase x, p'; or 'coordinate x', with p(x) in the Hamiltonian "
                      "and no other energy");
    }
}

// Coordinates and a Hamiltonian, and nothing that speaks of velocities.
static bool is_canonical(const LiaSyntax* syntax) {
    bool positions = false, hamiltonian = false;
    for (uint32_t i = 0; i < syntax->statements.count; i++) {
        const LiaStatement* statement = &syntax->statements.items[i];
        if (is_phase(statement) || has_velocities(statement)) return false;
        positions |= is_position(statement);
        hamiltonian |= statement->keyword == LIA_KEYWORD_HAMILTONIAN;
    }
    return positions && hamiltonian;
}

void lia_phase_statements_begin(LiaElaboration* e) {
    const LiaSyntax* syntax = e->syntax;
    e->draft.phase.is = e->draft.phase.canonical = is_canonical(syntax);
    for (uint32_t i = 0; i < syntax->statements.count; i++) {
        e->draft.phase.is = e->draft.phase.is || is_phase(&syntax->statements.items[i]);
    }
    for (uint32_t i = 0; i < syntax->statements.count; i++) {
        refuse(e, &syntax->statements.items[i]);
    }
}

// x: p(x); r.x: p(r).x
static char* name_of_momentum(LiaElaboration* e, const LiaCoordinate* of) {
    size_t size = strlen(of->name) + 8, room = of->group ? strcspn(of->name, ".") : size;
    char* name = lia_context_keep(e->context, size);
    int length = room < size ? (int)room : (int)strlen(of->name);
    snprintf(name, size, "p(%.*s)%s", length, of->name, of->name + length);
    return name;
}

void lia_phase_statements_momenta(LiaElaboration* e) {
    uint32_t count = e->draft.phase.positions = e->draft.coordinates.count;
    for (uint32_t i = 0; e->draft.phase.canonical && i < count; i++) {
        LiaCoordinate* momentum = LIA_ADD(e->context, e->draft.coordinates);
        const LiaCoordinate* of = &e->draft.coordinates.items[i];
        momentum->name = name_of_momentum(e, of);
        momentum->manifold = LIA_LINE;
        momentum->span = of->span;
    }
}

// --- brackets

typedef struct Pair {
    const LiaPhrase* phrase;
    LiaTarget first;
} Pair;

static void say_shape(LiaElaboration* e, const LiaValue* value, const LiaTarget* a,
                      const LiaTarget* b) {
    bool matrix = a->count > 1 && b->count > 1;
    lia_diag_error(e->context->diags, value->span, "E0135", "{%s, %s} is %s, this is %s", a->name,
                   b->name, matrix ? "a matrix of 3 rows and 3 columns" : "a vector of 3 numbers",
                   lia_value_words(&e->work, value));
    lia_diag_help(e->context->diags, matrix
                                         ? "row i, column j is the bracket of component i of the "
                                           "first with component j of the second"
                                         : "number i is the bracket with component i");
}

static bool shape_fits(LiaElaboration* e, const LiaValue* value, const LiaTarget* a,
                       const LiaTarget* b) {
    if (value->kind == LIA_VALUE_POISON) return false;
    if (a->count == 1 && b->count == 1) {
        return lia_value_need_scalar(&e->work, value, "the bracket of two numbers");
    }
    uint32_t rows = a->count > 1 ? a->count : b->count;
    uint32_t cols = a->count > 1 && b->count > 1 ? b->count : 1;
    bool number = value->kind == LIA_VALUE_NUMBER;
    if (number && (lia_value_is_zero(value) || (value->rows == rows && value->cols == cols))) {
        return true;
    }
    say_shape(e, value, a, b);
    return false;
}

static const LiaBracket* find_bracket(const LiaElaboration* e, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < e->draft.phase.brackets.count; i++) {
        const LiaBracket* x = &e->draft.phase.brackets.items[i];
        if (x->first == a && x->second == b) return x;
    }
    return NULL;
}

static bool is_opposite(LiaElaboration* e, LiaExpr a, LiaExpr b, LiaSpan span) {
    LiaTerms* terms = &e->work.terms;
    LiaExpr zero = lia_term_whole(terms, 0, span);
    return lia_expr_same(lia_term_binary(terms, LIA_OP_SUB, zero, a, span), b) ||
           lia_expr_same(lia_term_binary(terms, LIA_OP_SUB, zero, b, span), a);
}

static void add_bracket(LiaElaboration* e, uint32_t a, uint32_t b, LiaExpr term, LiaSpan span) {
    const char *x = e->draft.coordinates.items[a].name, *y = e->draft.coordinates.items[b].name;
    const LiaGraph* g = e->work.terms.graph;
    if (a == b) {
        if (lia_graph_is_zero(g, term)) return;
        lia_diag_error(e->context->diags, span, "E0363",
                       "{%s, %s} is zero: a bracket is antisymmetric", x, y);
        return;
    }
    if (find_bracket(e, a, b)) {
        lia_diag_error(e->context->diags, span, "E0364", "{%s, %s} is given twice", x, y);
        return;
    }
    const LiaBracket* other = find_bracket(e, b, a);
    bool zero = other && lia_graph_is_zero(g, term) && lia_graph_is_zero(g, other->term);
    if (other && !zero && !is_opposite(e, term, other->term, span)) {
        lia_diag_error(e->context->diags, span, "E0363",
                       "{%s, %s} and {%s, %s} are given, and are not opposite as written", x, y, y,
                       x);
        lia_diag_help(e->context->diags, "a bracket is antisymmetric: give one of the two");
        return;
    }
    *LIA_ADD(e->context, e->draft.phase.brackets) = (LiaBracket){a, b, term, span, other != NULL};
}

static void take_second(LiaElaboration* e, void* of, const int64_t* at) {
    const Pair* pair = of;
    const LiaPhrase* phrase = pair->phrase;
    LiaTarget b = lia_group_target(e, &phrase->second, at, "a bracket is of phase variables");
    LiaValue value = lia_machine_run(e, phrase->right, &bracket_setting, 0);
    if (b.member == 0 || !shape_fits(e, &value, &pair->first, &b)) return;
    LiaTarget a = pair->first;
    bool zero = lia_value_is_zero(&value);
    for (uint32_t i = 0; i < a.count; i++) {
        for (uint32_t k = 0; k < b.count; k++) {
            LiaExpr term = lia_value_at(&e->work, &value, zero ? 0 : i * b.count + k);
            add_bracket(e, a.coordinate + i, b.coordinate + k, term, phrase->span);
        }
    }
}

static bool has_primes(LiaElaboration* e, const LiaHead* head) {
    if (head->primes == 0) return false;
    lia_diag_error(e->context->diags, head->span, "E0362",
                   "a bracket is of phase variables, not of their rates");
    return true;
}

static void take_first(LiaElaboration* e, void* of, const int64_t* at) {
    const LiaPhrase* phrase = of;
    Pair pair = {.phrase = phrase};
    pair.first = lia_group_target(e, &phrase->head, at, "a bracket is of phase variables");
    if (pair.first.member == 0) return;
    lia_scope_walk(e, &phrase->second, 0, take_second, &pair);
}

void lia_phase_statements_bracket(LiaElaboration* e, const LiaStatement* statement) {
    for (uint32_t i = 0; e->draft.phase.is && i < statement->phrase_count; i++) {
        LiaPhrase* phrase = &statement->phrases[i];
        if (has_primes(e, &phrase->head) || has_primes(e, &phrase->second)) continue;
        lia_scope_walk(e, &phrase->head, e->machine.bindings.count, take_first, phrase);
    }
}

// --- what moves the phase variables

// d(x) is the direction in which x' is changed. There is no metric: of other functions there is no
// such direction.
static bool are_directions(LiaElaboration* e, const LiaForm* form) {
    for (uint32_t i = 0; i < form->count; i++) {
        const LiaFormPart* part = &form->parts[i];
        if (!part->is_virtual &&
            lia_graph_is_symbol(e->work.terms.graph, part->of, LIA_SYMBOL_POSITION))
            continue;
        lia_diag_error(e->context->diags, part->span, "E0365",
                       "in a model of a phase space d(x) is the direction of a phase variable x, "
                       "and this is none");
        lia_diag_help(e->context->diags, "write the direction out: 'a*d(x) + b*d(y)' adds a to x' "
                                         "and b to y'");
        return false;
    }
    return true;
}

static char* name_of_impulse(LiaElaboration* e, const char* of, uint32_t part, bool several) {
    size_t size = strlen(of) + 32;
    char* name = lia_context_keep(e->context, size);
    if (several) {
        snprintf(name, size, "impulse(%s)[%u]", of, part + 1);
    } else {
        snprintf(name, size, "impulse(%s)", of);
    }
    return name;
}

static void add_impulses(LiaElaboration* e, uint32_t index) {
    LiaConstraint c = e->draft.constraints.items[index];
    if (c.internal) return;
    if (c.rule != LIA_RULE_GIVEN && c.equation_count > 0) {
        lia_diag_error(e->context->diags, c.span, "E0366",
                       "'%s' does not say in which directions its force acts", c.name);
        lia_diag_help(e->context->diags,
                      "a phase space does not decide it: write the directions after '%s', one for "
                      "each equation, as in d(x) - 2*d(y)",
                      c.active ? "by" : "force");
        return;
    }
    for (uint32_t k = 0; k < c.form_count; k++) {
        if (!are_directions(e, &c.forms[k])) return;
    }
    e->draft.constraints.items[index].impulse = 1 + e->draft.coordinates.count;
    for (uint32_t k = 0; k < c.equation_count; k++) {
        LiaCoordinate* impulse = LIA_ADD(e->context, e->draft.coordinates);
        impulse->inner = true;
        impulse->span = c.span;
        impulse->name = name_of_impulse(e, c.name, k, c.equation_count > 1);
    }
}

static void add_flow(LiaElaboration* e, uint32_t count) {
    LiaTerms* terms = &e->work.terms;
    LiaEquation* equations = lia_context_keep(e->context, (count + 1) * sizeof *equations);
    for (uint32_t i = 0; i < count; i++) {
        LiaSpan span = e->draft.coordinates.items[i].span;
        equations[i].left = lia_term_symbol(terms, LIA_SYMBOL_VELOCITY, i, span);
        equations[i].right = lia_term_whole(terms, 0, span);
        equations[i].span = span;
    }
    LiaConstraint* flow = LIA_ADD(e->context, e->draft.constraints);
    *flow = (LiaConstraint){.name = "flow", .active = true, .internal = true, .flow = true};
    flow->equations = equations;
    flow->equation_count = count;
    if (count > 0) flow->span = flow->name_span = e->draft.coordinates.items[0].span;
}

// {x, p(x)} = 1, unless something else is given.
static void add_canonical(LiaElaboration* e) {
    uint32_t count = e->draft.phase.positions;
    for (uint32_t i = 0; e->draft.phase.canonical && i < count; i++) {
        LiaSpan span = e->draft.coordinates.items[i].span;
        LiaExpr one = lia_term_whole(&e->work.terms, 1, span);
        add_bracket(e, i, count + i, one, span);
    }
}

void lia_phase_statements_end(LiaElaboration* e) {
    if (!e->draft.phase.is) return;
    add_canonical(e);
    uint32_t count = e->draft.coordinates.count;
    for (uint32_t f = 0; f < e->draft.forces.count; f++) {
        are_directions(e, &e->draft.forces.items[f].form);
    }
    for (uint32_t c = 0, all = e->draft.constraints.count; c < all; c++) add_impulses(e, c);
    add_flow(e, count);
}
