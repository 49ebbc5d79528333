// Groups: coordinates of more than one number. A place in space is three, a unit vector three and a
// rotation four (a unit quaternion w, x, y, z), the last two with their length as an internal
// constraint. So no attitude is singular, and the rest of the program sees plain coordinates only.
// SPDX-License-Identifier: MIT
#include "lang/bodies/rotation.h"
#include "lang/elaborate/elaborate.h"
#include <stdio.h>
#include <string.h>

LiaManifold lia_group_manifold(LiaManifoldWord word) {
    switch (word) {
    case LIA_WORD_CIRCLE:
        return LIA_CIRCLE;
    case LIA_WORD_SPACE:
        return LIA_SPACE;
    case LIA_WORD_SPHERE:
        return LIA_SPHERE;
    case LIA_WORD_ROTATION:
        return LIA_ROTATION;
    default:
        return LIA_LINE;
    }
}

static const char* joined(LiaElaboration* e, const char* format, const char* name, char letter) {
    size_t size = strlen(name) + 8;
    char* text = lia_context_keep(e->context, size);
    snprintf(text, size, format, name, letter);
    return text;
}

static const char* letters_of(LiaManifold manifold) {
    return manifold == LIA_ROTATION ? "wxyz" : "xyz";
}

void lia_group_enter(LiaElaboration* e, uint32_t id) {
    const LiaDeclaration d = e->declarations.items[e->members.items[id].declaration];
    const LiaUnitClause* unit = &d.phrase->unit;
    const char* name = lia_scope_name(e, id);
    LiaSpan span = d.head->name_span;
    LiaManifold manifold = lia_group_manifold(d.phrase->manifold);
    uint32_t count = manifold == LIA_ROTATION ? 4 : 3;
    uint32_t first = e->draft.coordinates.count;
    LiaGroup* group = LIA_ADD(e->context, e->draft.groups);
    *group = (LiaGroup){.name = name, .manifold = manifold, .first = first, .count = count};
    group->unit = unit->given && !unit->wrong ? unit->text : NULL;
    group->span = span;
    LiaExpr* parts = lia_value_components(&e->work, count);
    for (uint32_t i = 0; i < count; i++) {
        LiaCoordinate* coordinate = LIA_ADD(e->context, e->draft.coordinates);
        coordinate->name = joined(e, "%s.%c", name, letters_of(manifold)[i]);
        coordinate->manifold = manifold;
        coordinate->group = e->draft.groups.count;
        bool pole = manifold == LIA_ROTATION ? i == 0 : manifold == LIA_SPHERE && i == 2;
        coordinate->rest = pole ? 1.0 : 0.0;
        coordinate->unit = group->unit;
        coordinate->span = span;
        parts[i] = lia_term_symbol(&e->work.terms, LIA_SYMBOL_POSITION, first + i, span);
    }
    LiaMember* member = &e->members.items[id];
    member->slot = first;
    member->group = e->draft.groups.count;
    if (manifold == LIA_ROTATION) {
        member->value = lia_rotation_of(&e->work, parts, false, span);
    } else {
        LiaUnit of = manifold == LIA_SPACE ? lia_definition_unit(unit, false) : lia_unit_number();
        member->value = lia_value_of(LIA_VALUE_NUMBER, 3, 1, parts, of, span);
    }
}

// b.position as a symbol, where b is a body; else 0.
static LiaSymbol find_part(LiaElaboration* e, LiaSymbol body, LiaSymbol field) {
    const LiaName* name = &e->context->names.items[body];
    if (e->declarations.items[name->declaration].keyword != LIA_KEYWORD_BODY ||
        name->declaration == 0) {
        return 0;
    }
    const char* part = lia_context_name_text(e->context, field);
    size_t size = name->length + strlen(part) + 2;
    char* text = lia_context_scratch(e->context, size);
    snprintf(text, size, "%s.%s", name->text, part);
    return lia_context_find_name(e->context, text, size - 1);
}

// The fields after a name: one that belongs to a body makes another name, the rest are components.
static LiaSymbol resolve_body(LiaElaboration* e, const LiaHead* head, uint32_t* used) {
    *used = 0;
    if (head->field_count == 0) {
        return head->symbol;
    }
    LiaSymbol part = find_part(e, head->symbol, head->fields[0]);
    if (part == 0) {
        return head->symbol;
    }
    *used = 1;
    return part;
}

static bool take_component(LiaElaboration* e, const LiaHead* head, LiaSymbol field,
                           LiaTarget* target) {
    LiaDiags* diags = e->context->diags;
    const char* word = lia_context_name_text(e->context, field);
    const char* found = strlen(word) == 1 ? strchr("xyz", word[0]) : NULL;
    if (target->count == 4) {
        lia_diag_error(diags, head->span, "E0134",
                       "'%s' is a rotation: it is not given by components", target->name);
        lia_diag_help(diags,
                      "give all of it: '%s = rotz(e)', 'omega(%s) = [x, y, z]', or guess it with "
                      "'~': the nearest admissible one is taken",
                      target->name, target->name);
        return false;
    }
    if (target->count != 3 || !found) {
        lia_diag_error(diags, head->span, "E0134", "'%s' has no component '.%s'", target->name,
                       word);
        return false;
    }
    target->coordinate += (uint32_t)(found - strchr("xyz", 'x'));
    return true;
}

LiaTarget lia_group_target(LiaElaboration* e, const LiaHead* head, const int64_t* at,
                           const char* only) {
    LiaTarget target = {0};
    LiaDiags* diags = e->context->diags;
    uint32_t used = 0;
    LiaSymbol symbol = resolve_body(e, head, &used);
    if (used && e->context->names.items[symbol].declaration == 0) {
        const char* part = lia_context_name_text(e->context, head->fields[0]);
        if (!e->declarations.items[e->context->names.items[head->symbol].declaration].poisoned) {
            lia_diag_error(diags, head->span, "E0163", "'%s' has no coordinate '%s'",
                           lia_context_name_text(e->context, head->symbol), part);
            lia_diag_help(diags, "a free body has the coordinates .position and .attitude");
        }
        return target;
    }
    uint32_t id = lia_scope_member(e, symbol, at, head->index_count, head->span);
    if (id == 0) {
        return target;
    }
    const LiaMember member = e->members.items[id];
    LiaKeyword keyword = e->declarations.items[member.declaration].keyword;
    target.name = lia_scope_name(e, id);
    if (keyword != LIA_KEYWORD_COORDINATE) {
        lia_diag_error(diags, head->span, "E0163", "'%s' is %s: %s", target.name,
                       lia_declarations_words(keyword), only);
        if (keyword == LIA_KEYWORD_BODY) {
            lia_diag_help(diags, "a free body has the coordinates %s.position and %s.attitude",
                          target.name, target.name);
        }
        return target;
    }
    target.coordinate = member.slot;
    target.group = member.group;
    target.count = member.group ? e->draft.groups.items[member.group - 1].count : 1;
    target.manifold = e->draft.coordinates.items[member.slot].manifold;
    for (; used < head->field_count; used++) {
        if (!take_component(e, head, head->fields[used], &target)) {
            return (LiaTarget){0};
        }
        target.count = 1;
        target.name = e->draft.coordinates.items[target.coordinate].name;
    }
    target.member = id;
    return target;
}

bool lia_group_check_turning(LiaElaboration* e, const LiaPhrase* phrase, const LiaTarget* target) {
    bool rotation = target->count == 4;
    if (rotation == (phrase->turning != LIA_TURNING_NONE)) {
        return true;
    }
    LiaDiags* diags = e->context->diags;
    if (rotation) {
        lia_diag_error(diags, phrase->head.span, "E0163",
                       "the rate of a rotation is said by its angular velocity");
        lia_diag_help(diags, "write 'omega(%s) = [x, y, z]' (space axes), or Omega (body axes)",
                      target->name);
    } else {
        lia_diag_error(diags, phrase->head.span, "E0174", "omega() needs a rotation, '%s' is none",
                       target->name);
        lia_diag_help(diags, "write '%s' = ...'", target->name);
    }
    return false;
}

// q' = (0, e) q/2, so p omega = p_q q' gives p = (w p_u - p_w u + u x p_u)/2.
static void angular_momentum(LiaElaboration* e, const LiaTarget* target, const LiaExpr* p,
                             LiaExpr* out, LiaSpan span) {
    LiaTerms* terms = &e->work.terms;
    LiaExpr q[4], two = lia_term_whole(terms, 2, span);
    for (uint32_t i = 0; i < 4; i++) {
        q[i] = lia_term_symbol(terms, LIA_SYMBOL_POSITION, target->coordinate + i, span);
    }
    for (uint32_t i = 1; i <= 3; i++) {
        uint32_t j = i % 3 + 1, k = j % 3 + 1;
        const LiaExpr pairs[4][2] = {{q[0], p[i]}, {p[0], q[i]}, {q[j], p[k]}, {q[k], p[j]}};
        LiaExpr sum = lia_term_whole(terms, 0, span);
        for (int n = 0; n < 4; n++) {
            LiaExpr product = lia_term_binary(terms, LIA_OP_MUL, pairs[n][0], pairs[n][1], span);
            sum = lia_term_binary(terms, n % 2 ? LIA_OP_SUB : LIA_OP_ADD, sum, product, span);
        }
        out[i - 1] = lia_term_binary(terms, LIA_OP_DIV, sum, two, span);
    }
}

// dL/dv: an energy over a velocity. Angular momentum where it turns.
static LiaUnit momentum_unit(const LiaElaboration* e, const LiaTarget* target) {
    LiaUnit joule = lia_dynamics_statements_joule(e);
    LiaUnit of =
        target->count == 4 ? lia_unit_number() : e->members.items[target->member].value.unit;
    return lia_unit_product(joule, lia_unit_per_second(of), -1);
}

LiaValue lia_group_momentum(LiaElaboration* e, const LiaTarget* target, LiaSpan span) {
    LiaExpr p[4];
    for (uint32_t i = 0; i < target->count; i++) {
        uint32_t of = target->coordinate + i;
        LiaQuantityNamed momentum = {.kind = LIA_QUANTITY_P, .index = of};
        p[i] = e->draft.phase.canonical ? lia_term_symbol(&e->work.terms, LIA_SYMBOL_POSITION,
                                                          e->draft.phase.positions + of, span)
                                        : lia_term_quantity(&e->work.terms, momentum, span);
    }
    if (target->count == 1) {
        return lia_value_scalar(p[0], momentum_unit(e, target), span);
    }
    LiaExpr* parts = lia_value_components(&e->work, 3);
    if (target->count == 4) {
        angular_momentum(e, target, p, parts, span);
    } else {
        memcpy(parts, p, 3 * sizeof *parts);
    }
    return lia_value_of(LIA_VALUE_NUMBER, 3, 1, parts, momentum_unit(e, target), span);
}

// (|q|^2 - 1)/2 = 0: the gradient has length 1.
static LiaExpr length_term(LiaElaboration* e, const LiaGroup* group) {
    LiaTerms* terms = &e->work.terms;
    LiaExpr two = lia_term_whole(terms, 2, group->span);
    LiaExpr sum = lia_term_whole(terms, -1, group->span);
    for (uint32_t i = 0; i < group->count; i++) {
        LiaExpr q = lia_term_symbol(terms, LIA_SYMBOL_POSITION, group->first + i, group->span);
        LiaExpr square = lia_term_binary(terms, LIA_OP_POW, q, two, group->span);
        sum = lia_term_binary(terms, LIA_OP_ADD, sum, square, group->span);
    }
    return lia_term_binary(terms, LIA_OP_DIV, sum, two, group->span);
}

void lia_group_constraints(LiaElaboration* e) {
    for (uint32_t g = 0; g < e->draft.groups.count; g++) {
        const LiaGroup group = e->draft.groups.items[g];
        if (group.manifold == LIA_SPACE) {
            continue;
        }
        LiaEquation* equation = lia_context_keep(e->context, sizeof *equation);
        equation->left = length_term(e, &group);
        equation->right = lia_term_whole(&e->work.terms, 0, group.span);
        equation->span = group.span;
        LiaConstraint* constraint = LIA_ADD(e->context, e->draft.constraints);
        constraint->name = joined(e, "|%s%c", group.name, '|');
        constraint->internal = true;
        constraint->equations = equation;
        constraint->equation_count = 1;
        constraint->span = constraint->name_span = group.span;
    }
}

void lia_group_check_starts(LiaElaboration* e) {
    if (!e->started && !e->draft.run.given) {
        return;  // nothing is to be run
    }
    if (lia_scope_failed(e, LIA_KEYWORD_START)) {
        return;  // it may stand there
    }
    for (uint32_t g = 0; g < e->draft.groups.count; g++) {
        const LiaGroup* group = &e->draft.groups.items[g];
        bool given = false;
        for (uint32_t i = 0; e->started && i < 3; i++) {
            given = given || (e->started[group->first + i] & 1);
        }
        if (group->manifold == LIA_SPHERE && !given) {
            lia_diag_error(e->context->diags, group->span, "E0176",
                           "'%s' is on a sphere, and 'start' does not say where", group->name);
            lia_diag_help(e->context->diags,
                          "write 'start %s = [0, 0, 1]', or '%s ~ ...' for a guess", group->name,
                          group->name);
        }
    }
}
