// References: what a name stands for while code runs: an index or argument, a built-in quantity, a
// member of the model, or something that is known of a statement, as force(NAME).
// SPDX-License-Identifier: MIT
#include "lang/bodies/contact/contact.h"
#include "lang/elaborate/builtin.h"
#include "lang/elaborate/machine.h"
#include <string.h>

// --- what may stand where

// A value read from a name: is it allowed in this frame's setting?
static LiaValue allowed(LiaElaboration* e, LiaValue value) {
    const LiaSetting* setting = (&e->machine.frames.items[e->machine.frames.count - 1])->setting;
    if (setting->forbidden == 0 || value.kind == LIA_VALUE_POISON) {
        return value;
    }
    uint16_t bad = lia_value_has(&e->work, &value) & setting->forbidden;
    if (bad == 0) {
        return value;
    }
    LiaDiags* diags = e->context->diags;
    const char* text = lia_context_quote(e->context, value.span);
    if (setting->code) {
        lia_diag_error(diags, value.span, setting->code, "'%s' cannot stand in %s", text,
                       setting->where);
        lia_diag_help(diags, "%s", setting->sentence);
    } else if (bad & LIA_DEPENDS(REACTION)) {
        lia_diag_error(diags, value.span, "E0153", "'%s' cannot stand in %s", text, setting->where);
        lia_diag_help(diags, "force(), power() and work() stand in observe, event and plot only");
    } else if (bad & LIA_DEPENDS(QUANTITY)) {
        lia_diag_error(diags, value.span, "E0154", "'%s' cannot stand in %s: it is made of it",
                       text, setting->where);
    } else {
        lia_diag_error(diags, value.span, "E0152",
                       "'%s' has accelerations: they cannot stand in %s", text, setting->where);
        lia_diag_help(
            diags,
            "accelerations stand in observe, event and plot only; ask for the velocity (x' = a*t), "
            "or write a 'force'");
    }
    return lia_value_poison(value.span);
}

void lia_references_push_allowed(LiaElaboration* e, LiaValue value, LiaSpan span) {
    value.span = span;
    lia_machine_push(e, allowed(e, value));
}

// --- names

const LiaValue* lia_references_binding(const LiaElaboration* e, LiaSymbol symbol) {
    uint32_t from = e->machine.frames.items[e->machine.frames.count - 1].bindings;
    for (uint32_t i = e->machine.bindings.count; i > from; i--) {
        if (e->machine.bindings.items[i - 1].symbol == symbol) {
            return &e->machine.bindings.items[i - 1].value;
        }
    }
    return NULL;
}

bool lia_references_quantity(LiaElaboration* e, LiaSymbol symbol, LiaSpan span, LiaValue* out) {
    LiaTerms* terms = &e->work.terms;
    if (symbol == e->given.t) {
        *out = lia_value_scalar(lia_term_symbol(terms, LIA_SYMBOL_TIME, 0, span),
                                lia_unit_unknown(), span);
    } else if (symbol == e->given.pi) {
        *out = lia_value_scalar(lia_term_pi(terms, span), lia_unit_number(), span);
    } else if (symbol == e->given.energy || symbol == e->given.kinetic ||
               symbol == e->given.potential) {
        LiaQuantity quantity = symbol == e->given.energy    ? LIA_QUANTITY_ENERGY
                               : symbol == e->given.kinetic ? LIA_QUANTITY_KINETIC
                                                            : LIA_QUANTITY_POTENTIAL;
        LiaExpr term = lia_term_quantity(terms, (LiaQuantityNamed){.kind = quantity}, span);
        *out = lia_value_scalar(term, lia_dynamics_statements_joule(e), span);
    } else if (symbol == e->given.ground) {
        *out = lia_value_poison(span);
        out->kind = LIA_VALUE_BODY;
    } else {
        return false;
    }
    return true;
}

// Names of statements are not numbers.
static bool check_kind(LiaElaboration* e, LiaSymbol symbol, LiaSpan span) {
    const LiaDeclaration* d = &e->declarations.items[e->context->names.items[symbol].declaration];
    if (d->poisoned || lia_machine_is_definition(d->keyword) ||
        d->keyword == LIA_KEYWORD_COORDINATE || d->keyword == LIA_KEYWORD_BODY) {
        return true;
    }
    const char* name = lia_context_name_text(e->context, symbol);
    LiaDiags* diags = e->context->diags;
    lia_diag_error(diags, span, "E0125", "'%s' is %s, expected a number", name,
                   lia_declarations_words(d->keyword));
    switch (d->keyword) {
    case LIA_KEYWORD_FUNCTION:
        lia_diag_help(diags, "write %s(...)", name);
        break;
    case LIA_KEYWORD_JOINT:
        lia_diag_help(diags,
                      "write force(%s), power(%s) or work(%s); how it turns is said of its "
                      "bodies: 'transpose(A.attitude)*B.attitude = rotz(e)'",
                      name, name, name);
        break;
    case LIA_KEYWORD_CONSTRAINT:
    case LIA_KEYWORD_CONTACT:
    case LIA_KEYWORD_OPERATOR:
        lia_diag_help(diags, "write force(%s), power(%s) or work(%s)", name, name, name);
        break;
    case LIA_KEYWORD_FORCE:
    case LIA_KEYWORD_MOMENT:
        lia_diag_help(diags, "write power(%s) or work(%s)", name, name);
        break;
    case LIA_KEYWORD_SYMMETRY:
        lia_diag_help(diags, "write momentum(%s)", name);
        break;
    default:
        break;
    }
    return false;
}

bool lia_references_use(LiaElaboration* e, uint32_t id, LiaSpan span, LiaValue* out) {
    *out = lia_value_poison(span);
    if (id == 0) {
        return true;
    }
    LiaMember* member = &e->members.items[id];
    LiaKeyword keyword = e->declarations.items[member->declaration].keyword;
    if (member->state == LIA_WORKED_OUT) {
        *out = member->value;
        return true;
    }
    if (keyword == LIA_KEYWORD_BODY) {
        out->kind = LIA_VALUE_BODY;
        out->body = id;
        return true;
    }
    if (!lia_machine_is_definition(keyword)) {
        return true;
    }
    if (member->state == LIA_IN_PROGRESS) {
        lia_machine_say_circle(e, id, span);
        return true;
    }
    lia_machine_begin(e, id, span);
    return false;
}

bool lia_references_name(LiaElaboration* e, const LiaSyntaxNode* node) {
    const LiaValue* bound = lia_references_binding(e, node->symbol);
    LiaValue value;
    if (bound) {
        value = *bound;
    } else if (!lia_references_quantity(e, node->symbol, node->span, &value)) {
        uint32_t declared = e->context->names.items[node->symbol].declaration;
        if (declared != 0 && !check_kind(e, node->symbol, node->span)) {
            lia_machine_push(e, lia_value_poison(node->span));
            return true;
        }
        uint32_t id = lia_scope_member(e, node->symbol, NULL, 0, node->span);
        if (!lia_references_use(e, id, node->span, &value)) {
            return false;
        }
    }
    lia_references_push_allowed(e, value, node->span);
    return true;
}

// The whole numbers of `count` indices on the stack; false with an error said.
static bool read_indices(LiaElaboration* e, uint32_t count, int64_t* at) {
    if (count > LIA_LIMIT_INDICES) {
        return false;
    }
    for (uint32_t k = 0; k < count; k++) {
        const LiaValue* index = &e->machine.stack.items[e->machine.stack.count - count + k];
        if (!lia_value_whole(&e->work, index, "an index", &at[k])) {
            return false;
        }
    }
    return true;
}

void lia_references_replace(LiaElaboration* e, uint32_t count, LiaValue value, LiaSpan span) {
    e->machine.stack.count -= count;
    lia_references_push_allowed(e, value, span);
}

// NAME[i, j]: a member of a family, or a component of something.
bool lia_references_member(LiaElaboration* e, const LiaSyntaxNode* node) {
    uint32_t count = node->count;
    int64_t at[LIA_LIMIT_INDICES] = {0};
    const LiaValue* indices = e->machine.stack.items + e->machine.stack.count - count;
    const LiaValue* bound = lia_references_binding(e, node->symbol);
    LiaSpan name_span = {node->span.begin,
                         node->span.begin + e->context->names.items[node->symbol].length};
    uint32_t declared = e->context->names.items[node->symbol].declaration;
    LiaValue value = lia_value_poison(node->span);
    bool family = !bound && declared != 0 &&
                  e->declarations.items[declared].head->index_count > 0 &&
                  e->declarations.items[declared].keyword != LIA_KEYWORD_FUNCTION;
    if (family) {
        if (!check_kind(e, node->symbol, name_span) || !read_indices(e, count, at)) {
            lia_references_replace(e, count, value, node->span);
            return true;
        }
        uint32_t id = lia_scope_member(e, node->symbol, at, count, node->span);
        if (!lia_references_use(e, id, node->span, &value)) {
            return false;
        }
        lia_references_replace(e, count, value, node->span);
        return true;
    }
    if (bound) {
        value = *bound;
    } else if (!lia_references_quantity(e, node->symbol, name_span, &value)) {
        if (declared != 0 && !check_kind(e, node->symbol, name_span)) {
            lia_references_replace(e, count, value, node->span);
            return true;
        }
        uint32_t id = lia_scope_member(e, node->symbol, NULL, 0, name_span);
        if (!lia_references_use(e, id, name_span, &value)) {
            return false;
        }
    }
    value.span = name_span;
    if (lia_value_is_scalar(&value) && value.kind != LIA_VALUE_POISON) {
        lia_diag_error(e->context->diags, node->span, "E0143", "'%s' is not a family",
                       lia_context_name_text(e->context, node->symbol));
        value = lia_value_poison(node->span);
    }
    indices = e->machine.stack.items + e->machine.stack.count - count;
    value = lia_components_index(&e->work, &value, indices, count, node->span);
    lia_references_replace(e, count, value, node->span);
    return true;
}

// --- force(NAME), power(NAME), work(NAME), momentum(S), p(x)

static LiaValue force_of(LiaElaboration* e, const LiaMember* member, LiaSpan span) {
    const LiaConstraint* c = &e->draft.constraints.items[member->slot];
    uint32_t count =
        c->equation_count - (c->gap_follows ? 1 : 0);  // it stands last, and has no force
    if (count == 0) {
        return lia_value_poison(span);
    }
    LiaExpr* parts = lia_value_components(&e->work, count);
    for (uint32_t i = 0; i < count; i++) {
        LiaQuantityNamed force = {LIA_QUANTITY_FORCE, member->slot, i};
        parts[i] = lia_term_quantity(&e->work.terms, force, span);
    }
    bool known = member->slot < e->force_units.count;
    LiaUnit unit = known ? e->force_units.items[member->slot] : lia_unit_unknown();
    return lia_value_of(LIA_VALUE_NUMBER, count, 1, parts, unit, span);
}

static LiaValue wrong_kind(LiaElaboration* e, const LiaSyntaxNode* node, LiaKeyword keyword,
                           const char* expected) {
    const char* function = lia_context_name_text(e->context, node->symbol);
    lia_diag_error(e->context->diags, node->span, "E0125", "%s() takes the name of %s, '%s' is %s",
                   function, expected, lia_context_name_text(e->context, node->other),
                   lia_declarations_words(keyword));
    if (keyword == LIA_KEYWORD_FORCE && strcmp(function, "force") == 0) {
        lia_diag_help(e->context->diags,
                      "an applied force is what its formula says: observe that; "
                      "power(%s) and work(%s) are known",
                      lia_context_name_text(e->context, node->other),
                      lia_context_name_text(e->context, node->other));
    }
    return lia_value_poison(node->span);
}

// place(NAME), normal(NAME), slip(NAME), pivot(NAME) of a joint of shapes.
static LiaValue contact_quantity(LiaElaboration* e, const LiaSyntaxNode* node, uint32_t id,
                                 LiaBuiltinId function) {
    const LiaDeclaration* d = &e->declarations.items[e->members.items[id].declaration];
    bool known = d->keyword == LIA_KEYWORD_JOINT || d->keyword == LIA_KEYWORD_CONTACT;
    if (!known || !d->statement->joint || !d->statement->joint->shapes) {
        return wrong_kind(e, node, d->keyword, "a joint or contact of shapes, as 'rolling' is");
    }
    const LiaContact* contact = lia_contact_of(e, id, node->span);
    if (!contact) {
        return lia_value_poison(node->span);
    }
    if (contact->gap.kind != LIA_VALUE_NUMBER && function != LIA_CALL_NORMAL) {
        lia_diag_error(e->context->diags, node->span, "E0289",
                       "a box touches with eight corners: it has no one place where it touches");
        lia_diag_help(e->context->diags,
                      "write the corner that is meant as a contact of its own: 'point(BODY, u) on "
                      "plane(...)'");
        return lia_value_poison(node->span);
    }
    switch (function) {
    case LIA_CALL_PLACE:
        return contact->place;
    case LIA_CALL_NORMAL:
        return contact->normal;
    case LIA_CALL_SLIP:
        return contact->slip;
    default:
        return lia_dot(e, contact->turn, contact->normal);
    }
}

// Which quantity force(NAME), power(NAME), ... is. False: *wanted is what NAME should be.
static bool quantity_of(const LiaElaboration* e, const LiaMember* member, LiaBuiltinId function,
                        LiaQuantity* quantity, const char** wanted) {
    LiaKeyword keyword = e->declarations.items[member->declaration].keyword;
    bool constraint = keyword == LIA_KEYWORD_CONSTRAINT || keyword == LIA_KEYWORD_OPERATOR ||
                      keyword == LIA_KEYWORD_JOINT || keyword == LIA_KEYWORD_CONTACT;
    bool force = keyword == LIA_KEYWORD_FORCE || keyword == LIA_KEYWORD_MOMENT;
    switch (function) {
    case LIA_CALL_MOMENTUM:
        *wanted = "a symmetry";
        *quantity = LIA_QUANTITY_MOMENTUM;
        return keyword == LIA_KEYWORD_SYMMETRY;
    case LIA_CALL_FORCE:
        *wanted = "a constraint, a joint or an operator";
        *quantity = LIA_QUANTITY_FORCE;
        return constraint;
    case LIA_CALL_REACTION:
    case LIA_CALL_MOMENT:
        *wanted = "a joint, or a contact of shapes";
        *quantity = LIA_QUANTITY_FORCE;
        return keyword == LIA_KEYWORD_JOINT ||
               (keyword == LIA_KEYWORD_CONTACT &&
                e->declarations.items[member->declaration].statement->joint);
    default:
        *wanted = "a constraint, a joint, an operator or a force";
        if (function == LIA_CALL_POWER) {
            *quantity = force ? LIA_QUANTITY_FORCE_POWER : LIA_QUANTITY_POWER;
        } else {
            *quantity = force ? LIA_QUANTITY_FORCE_WORK : LIA_QUANTITY_WORK;
        }
        return constraint || force;
    }
}

static LiaValue named_quantity(LiaElaboration* e, const LiaSyntaxNode* node, uint32_t id) {
    const LiaMember* member = &e->members.items[id];
    LiaBuiltinId function = (LiaBuiltinId)lia_builtin_at((int)node->jump - 1)->id;
    if (function == LIA_CALL_PLACE || function == LIA_CALL_NORMAL || function == LIA_CALL_SLIP ||
        function == LIA_CALL_PIVOT) {
        return contact_quantity(e, node, id, function);
    }
    LiaQuantity quantity = LIA_QUANTITY_P;
    const char* wanted = NULL;
    if (!quantity_of(e, member, function, &quantity, &wanted)) {
        LiaKeyword keyword = e->declarations.items[member->declaration].keyword;
        return wrong_kind(e, node, keyword, wanted);
    }
    bool along_motion = quantity >= LIA_QUANTITY_FORCE;
    if (along_motion && !e->observing) {
        lia_diag_error(e->context->diags, node->span, "E0153",
                       "'%s' cannot stand in what the motion is made of",
                       lia_context_quote(e->context, node->span));
        lia_diag_help(
            e->context->diags,
            "force(), power(), work() and reaction() stand in observe, event and plot only; "
            "friction is said where it acts: 'constraint NAME: ... slip x' friction 0.3'");
        return lia_value_poison(node->span);
    }
    if (node->kind == LIA_NODE_JOINT) {
        return (LiaValue){.kind = LIA_VALUE_JOINT, .body = id, .span = node->span};
    }
    if (function == LIA_CALL_REACTION || function == LIA_CALL_MOMENT) {
        return lia_joint_reaction(e, id, function == LIA_CALL_MOMENT, node->span);
    }
    if (quantity == LIA_QUANTITY_FORCE) {
        return force_of(e, member, node->span);
    }
    LiaQuantityNamed named = {.kind = quantity, .index = member->slot};
    LiaExpr term = lia_term_quantity(&e->work.terms, named, node->span);
    LiaUnit unit =
        quantity == LIA_QUANTITY_MOMENTUM ? lia_unit_unknown() : lia_dynamics_statements_joule(e);
    bool power = quantity == LIA_QUANTITY_POWER || quantity == LIA_QUANTITY_FORCE_POWER;
    return lia_value_scalar(term, power ? lia_unit_per_second(unit) : unit, node->span);
}

// p(x), p(r), p(r.x), p(b.position)
static LiaValue momentum_of(LiaElaboration* e, const LiaSyntaxNode* node, const int64_t* at) {
    LiaSpan name_span = {node->span.begin,
                         node->span.begin + e->context->names.items[node->symbol].length};
    LiaHead head = {.symbol = node->other,
                    .fields = {node->field},
                    .field_count = node->field ? 1 : 0,
                    .index_count = node->count,
                    .name_span = name_span,
                    .span = node->span};
    const LiaDeclaration* d =
        &e->declarations.items[e->context->names.items[node->other].declaration];
    if (d->symbol && d->keyword != LIA_KEYWORD_COORDINATE && d->keyword != LIA_KEYWORD_BODY) {
        return d->poisoned ? lia_value_poison(node->span)
                           : wrong_kind(e, node, d->keyword, "a coordinate");
    }
    LiaTarget target = lia_group_target(e, &head, at, "p() takes a coordinate");
    if (target.member == 0) {
        return lia_value_poison(node->span);
    }
    if (e->draft.phase.is && !e->draft.phase.canonical) {
        lia_diag_error(e->context->diags, node->span, "E0362",
                       "a phase variable has no momentum of its own");
        return lia_value_poison(node->span);
    }
    return lia_group_momentum(e, &target, node->span);
}

void lia_references_named(LiaElaboration* e, const LiaSyntaxNode* node) {
    int64_t at[LIA_LIMIT_INDICES] = {0};
    LiaValue value = lia_value_poison(node->span);
    uint32_t id = 0;
    bool indices = read_indices(e, node->count, at);
    if (indices && lia_builtin_at((int)node->jump - 1)->id == LIA_CALL_P) {
        value = momentum_of(e, node, at);
    } else if (indices && node->field) {
        lia_diag_error(e->context->diags, node->span, "E0125",
                       "%s() takes the name of a statement, not a part of it",
                       lia_context_name_text(e->context, node->symbol));
    } else if (indices) {
        id = lia_scope_member(e, node->other, at, node->count, node->span);
    }
    if (id != 0) {
        value = named_quantity(e, node, id);
    }
    lia_references_replace(e, node->count, value, node->span);
}
