// Definitions: parameters, lets, controls, coordinates and observed quantities enter the model.
// SPDX-License-Identifier: MIT
#include "lang/elaborate/elaborate.h"
#include "lang/syntax/nearest.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const LiaSetting parameter_setting = {UINT16_MAX, "a parameter", "E0150",
                                             "a parameter is made of numbers and other parameters"};
static const LiaSetting control_setting = {LIA_DEPENDS(POSITION) | LIA_DEPENDS(VELOCITY) |
                                               LIA_DEPENDS(ACCELERATION) | LIA_DEPENDS(REACTION) |
                                               LIA_DEPENDS(QUANTITY),
                                           "a control", "E0151",
                                           "a control is a function of t, parameters and other "
                                           "controls; a law of the state is a 'let', or "
                                           "'control u = ... every 0.01' where it is sampled"};
static const LiaSetting sampled_setting = {LIA_DEPENDS(ACCELERATION) | LIA_DEPENDS(REACTION),
                                           "a sampled control", NULL, NULL};
static const LiaSetting every_setting = {UINT16_MAX & ~LIA_DEPENDS(PARAMETER),
                                         "the time between two samples", NULL, NULL};

static const LiaSetting body_setting = {LIA_DEPENDS(VELOCITY) | LIA_DEPENDS(ACCELERATION) |
                                            LIA_DEPENDS(REACTION) | LIA_DEPENDS(QUANTITY),
                                        "the definition of a body", "E0178",
                                        "a body is made of positions, time and parameters"};

static bool is_sampled(const LiaPhrase* phrase) { return phrase->every.end > phrase->every.begin; }

const LiaSetting* lia_definition_setting(const LiaDeclaration* declaration) {
    LiaKeyword keyword = declaration->keyword;
    return declaration->phrase->clause        ? &body_setting
           : keyword == LIA_KEYWORD_PARAMETER ? &parameter_setting
           : is_sampled(declaration->phrase)  ? &sampled_setting
           : keyword == LIA_KEYWORD_CONTROL   ? &control_setting
                                              : &lia_machine_free_setting;
}

static const LiaDeclaration* declaration_of(const LiaElaboration* e, uint32_t member) {
    return &e->declarations.items[e->members.items[member].declaration];
}

static const char* unit_text(const LiaUnitClause* unit) {
    return unit->given && !unit->wrong ? unit->text : NULL;
}

LiaUnit lia_definition_unit(const LiaUnitClause* unit, bool angle) {
    if (unit->given && !unit->wrong) {
        return unit->measure.unit;
    }
    return angle && !unit->given ? lia_unit_angle() : lia_unit_unknown();
}

static bool has_factor(const LiaUnitClause* unit) {
    return unit->given && !unit->wrong &&
           !(lia_number_equals(unit->measure.factor, 1) && unit->measure.pi_power == 0);
}

// Coordinates and controls are computed with as they are: their unit must be an SI unit.
static void check_si(LiaElaboration* e, const LiaUnitClause* unit, const char* what) {
    if (!has_factor(unit) || lia_context_said(e->context, unit->span, "E0171")) {
        return;
    }
    bool plain = lia_unit_is_plain(unit->measure.unit);
    lia_diag_error(e->context->diags, unit->span, "E0171", "%s is kept in SI units, not in %s",
                   what, unit->text);
    lia_diag_help(e->context->diags, "write 'in %s'; 'observe NAME = ... in %s' shows it in %s",
                  plain ? "rad" : lia_unit_text(e->context, unit->measure.unit), unit->text,
                  unit->text);
}

static void enter_coordinate(LiaElaboration* e, uint32_t id) {
    const LiaDeclaration* d = declaration_of(e, id);
    const LiaUnitClause* unit = &d->phrase->unit;
    LiaManifold manifold = lia_group_manifold(d->phrase->manifold);
    LiaMember* member = &e->members.items[id];
    member->slot = e->draft.coordinates.count;
    if (manifold > LIA_CIRCLE) {
        lia_group_enter(e, id);
    } else {
        const char* name = lia_scope_name(e, id);
        LiaCoordinate* coordinate = LIA_ADD(e->context, e->draft.coordinates);
        coordinate->name = name;
        coordinate->manifold = manifold;
        coordinate->unit = unit_text(unit);
        coordinate->span = d->head->name_span;
        LiaExpr term =
            lia_term_symbol(&e->work.terms, LIA_SYMBOL_POSITION, member->slot, d->head->name_span);
        LiaUnit of = lia_definition_unit(unit, manifold == LIA_CIRCLE);
        member->value = lia_value_scalar(term, of, d->head->name_span);
    }
    member->state = LIA_WORKED_OUT;
    bool plain = manifold != LIA_LINE && manifold != LIA_SPACE;
    if (plain && unit->given && !unit->wrong && !lia_unit_is_plain(unit->measure.unit)) {
        if (lia_context_said(e->context, unit->span, "E0171")) {
            return;
        }
        lia_diag_error(e->context->diags, unit->span, "E0171", "a coordinate on a %s is %s, not %s",
                       manifold == LIA_CIRCLE   ? "circle"
                       : manifold == LIA_SPHERE ? "sphere"
                                                : "rotation",
                       manifold == LIA_CIRCLE ? "an angle" : "without unit",
                       lia_unit_words(e->context, unit->measure.unit));
        lia_diag_help(e->context->diags, manifold == LIA_CIRCLE
                                             ? "write 'in rad', or make it a 'line'"
                                             : "leave the unit out");
        return;
    }
    check_si(e, unit, "a coordinate");
}

void lia_definition_enter(LiaElaboration* e, uint32_t id) {
    LiaMember* member = &e->members.items[id];
    const LiaDeclaration* d = declaration_of(e, id);
    switch (d->keyword) {
    case LIA_KEYWORD_COORDINATE:
        enter_coordinate(e, id);
        break;
    case LIA_KEYWORD_PARAMETER: {
        member->slot = e->draft.parameters.count;
        LiaParameter* parameter = LIA_ADD(e->context, e->draft.parameters);
        parameter->name = lia_scope_name(e, id);
        parameter->unit = unit_text(&d->phrase->unit);
        parameter->span = d->head->name_span;
        break;
    }
    case LIA_KEYWORD_CONTROL: {
        member->slot = e->draft.controls.count;
        LiaControl* control = LIA_ADD(e->context, e->draft.controls);
        control->name = lia_scope_name(e, id);
        control->unit = unit_text(&d->phrase->unit);
        control->span = d->head->name_span;
        check_si(e, &d->phrase->unit, "a control");
        break;
    }
    case LIA_KEYWORD_CONSTRAINT:
    case LIA_KEYWORD_CONTACT:
    case LIA_KEYWORD_JOINT:
    case LIA_KEYWORD_OPERATOR: {
        member->slot = e->draft.constraints.count;
        LiaConstraint* constraint = LIA_ADD(e->context, e->draft.constraints);
        constraint->name = lia_scope_name(e, id);
        break;
    }
    case LIA_KEYWORD_FORCE:
    case LIA_KEYWORD_MOMENT:
        member->slot = e->draft.forces.count;
        LIA_ADD(e->context, e->draft.forces)->name = lia_scope_name(e, id);
        break;
    case LIA_KEYWORD_SYMMETRY:
        member->slot = e->draft.symmetries.count;
        LIA_ADD(e->context, e->draft.symmetries)->name = lia_scope_name(e, id);
        break;
    case LIA_KEYWORD_EVENT:
        member->slot = e->draft.events.count;
        LIA_ADD(e->context, e->draft.events)->name = lia_scope_name(e, id);
        break;
    default:
        break;
    }
}

// value * factor * pi^k, so that the term keeps saying 30 in deg exactly.
static LiaValue times_measure(LiaElaboration* e, LiaValue value, const LiaMeasure* measure) {
    LiaValue factor = lia_value_literal(measure->factor, value.span);
    LiaValue scaled = lia_value_multiply(&e->work, &value, &factor, value.span);
    LiaExpr pi = lia_term_pi(&e->work.terms, value.span);
    LiaValue pi_value = lia_value_scalar(pi, lia_unit_number(), value.span);
    for (int k = 0; k < measure->pi_power; k++) {
        scaled = lia_value_multiply(&e->work, &scaled, &pi_value, value.span);
    }
    for (int k = 0; k > measure->pi_power; k--) {
        scaled = lia_value_divide(&e->work, &scaled, &pi_value, value.span);
    }
    return scaled;
}

static bool is_surely(const LiaValue* value, const LiaMeasure* measure, LiaElaboration* e) {
    LiaUnit unit;
    if (lia_unit_sum(measure->unit, value->unit, &unit)) {
        return true;
    }
    LiaValue expected = *value;
    expected.unit = measure->unit;
    lia_value_say_units(&e->work, &expected, value);
    return false;
}

LiaValue lia_definition_measure(LiaElaboration* e, LiaValue value, const LiaUnitClause* unit) {
    if (value.kind == LIA_VALUE_POISON || !unit->given) {
        return value;
    }
    if (unit->wrong || !is_surely(&value, &unit->measure, e)) {
        return lia_value_poison(value.span);
    }
    // What is known to be a length is in metres already; a plain number counts in the unit said.
    if (value.unit.state != LIA_UNIT_KNOWN && has_factor(unit)) {
        value = times_measure(e, value, &unit->measure);
    }
    value.unit = unit->measure.unit;
    return value;
}

static const LiaDefine* find_define(LiaElaboration* e, const char* name) {
    const LiaDefine* found = NULL;
    for (size_t i = 0; i < e->defines.count; i++) {
        if (strcmp(e->defines.list[i].name, name) == 0) {
            found = &e->defines.list[i];
            e->define_used[i] = true;
        }
    }
    return found;
}

static void take_parameter(LiaElaboration* e, uint32_t id, LiaValue value) {
    const LiaDeclaration* d = declaration_of(e, id);
    LiaMember* member = &e->members.items[id];
    LiaParameter* parameter = &e->draft.parameters.items[member->slot];
    LiaDiags* diags = e->context->diags;
    const LiaUnitClause* unit = &d->phrase->unit;
    const LiaDefine* define = find_define(e, parameter->name);
    member->value = lia_value_poison(d->head->name_span);
    if (value.kind == LIA_VALUE_NUMBER && !lia_value_is_scalar(&value)) {
        lia_diag_error(diags, value.span, "E0132", "a parameter must be a scalar, '%s' is %s",
                       parameter->name, lia_value_words(&e->work, &value));
        lia_diag_help(diags, "write 'let', or a family: parameter %s[i = 1..3] = ...",
                      parameter->name);
        return;
    }
    value = lia_definition_measure(e, value, unit);
    if (!lia_value_need_scalar(&e->work, &value, "a parameter")) {
        return;
    }
    if (define) {
        LiaValue given = lia_value_literal(lia_number_double(define->value), d->head->name_span);
        value = lia_definition_measure(e, given, unit);
    }
    parameter->factor = has_factor(unit) ? unit->measure.factor : lia_number_whole(1);
    parameter->pi_power = has_factor(unit) ? unit->measure.pi_power : 0;
    if (!lia_value_peek(&e->work, &value, &parameter->value) || !isfinite(parameter->value)) {
        lia_diag_error(diags, value.span, "E0158", "the value of '%s' is not a finite number",
                       parameter->name);
        return;
    }
    parameter->term = define ? (LiaExpr){0} : lia_value_at(&e->work, &value, 0);
    LiaExpr leaf =
        lia_term_parameter(&e->work.terms, member->slot, parameter->value, d->head->name_span);
    member->value = lia_value_scalar(leaf, lia_definition_unit(unit, false), d->head->name_span);
}

// A parameter of a control without a law. 0 stands for what nobody has said.
static LiaExpr control_parameter(LiaElaboration* e, const char* name, bool inner, LiaSpan span) {
    const LiaDefine* define = inner ? NULL : find_define(e, name);
    uint32_t slot = e->draft.parameters.count;
    LiaParameter* parameter = LIA_ADD(e->context, e->draft.parameters);
    *parameter =
        (LiaParameter){.name = name, .factor = lia_number_whole(1), .inner = inner, .span = span};
    parameter->value = define ? define->value : 0.0;
    LiaExpr zero = lia_term_whole(&e->work.terms, 0, span);
    e->draft.parameters.items[slot].term = define ? (LiaExpr){0} : zero;
    return lia_term_parameter(&e->work.terms, slot, define ? define->value : 0.0, span);
}

// c_0 + x (c_1 + x (c_2 + ...)), x = t - s
static LiaExpr open_control(LiaElaboration* e, LiaControl control, LiaSpan span) {
    LiaTerms* terms = &e->work.terms;
    LiaExpr c[LIA_CONTROL_TERMS];
    size_t size = strlen(control.name) + 16;
    for (int k = 0; k < LIA_CONTROL_TERMS; k++) {
        char* name = lia_context_keep(e->context, size);
        snprintf(name, size, k ? "%s.%d" : "%s", control.name, k);
        c[k] = control_parameter(e, name, k > 0 || control.every > 0.0, span);
    }
    char* name = lia_context_keep(e->context, size);
    snprintf(name, size, "%s.from", control.name);
    LiaExpr from = control_parameter(e, name, true, span);
    if (control.every > 0.0) return c[0];  // held
    LiaExpr t = lia_term_symbol(terms, LIA_SYMBOL_TIME, 0, span);
    LiaExpr x = lia_term_binary(terms, LIA_OP_SUB, t, from, span);
    LiaExpr sum = c[LIA_CONTROL_TERMS - 1];
    for (int k = LIA_CONTROL_TERMS - 2; k >= 0; k--) {
        sum = lia_term_binary(terms, LIA_OP_MUL, sum, x, span);
        sum = lia_term_binary(terms, LIA_OP_ADD, sum, c[k], span);
    }
    return sum;
}

// control u = e every T: e is its law, and between two samples it is a control without one.
static bool take_samples(LiaElaboration* e, uint32_t id, LiaValue law) {
    const LiaPhrase* phrase = declaration_of(e, id)->phrase;
    uint32_t bindings = lia_machine_bind_member(e, id);
    LiaValue every = lia_machine_run(e, phrase->every, &every_setting, bindings);
    e->machine.bindings.count = bindings;
    double T = 0.0;
    if (!lia_value_need_scalar(&e->work, &every, "the time between two samples")) return false;
    if (!lia_value_peek(&e->work, &every, &T) || !(T > 0.0 && isfinite(T))) {
        lia_diag_error(e->context->diags, phrase->every.span, "E0204",
                       "the time between two samples of a control is positive, this is %.6g", T);
        return false;
    }
    lia_value_decide(&e->work, &every, LIA_DECISION_VALUE);
    law = lia_definition_measure(e, law, &phrase->unit);
    if (!lia_value_need_scalar(&e->work, &law, "a control")) return false;
    LiaControl* control = &e->draft.controls.items[e->members.items[id].slot];
    control->law = lia_value_at(&e->work, &law, 0);
    control->every = T;
    return true;
}

static void take_control(LiaElaboration* e, uint32_t id, LiaValue value) {
    const LiaDeclaration* d = declaration_of(e, id);
    LiaMember* member = &e->members.items[id];
    bool sampled = is_sampled(d->phrase);
    if (sampled && !take_samples(e, id, value)) {
        e->members.items[id].value = lia_value_poison(d->head->name_span);
        return;
    }
    member = &e->members.items[id];
    d = declaration_of(e, id);
    if (d->phrase->open || sampled) {
        uint32_t slot = member->slot;
        LiaSpan span = d->head->name_span;
        e->draft.controls.items[slot].open = 1 + e->draft.parameters.count;
        LiaExpr term = open_control(e, e->draft.controls.items[slot], span);
        value = lia_value_scalar(term, lia_definition_unit(&d->phrase->unit, false), span);
        member = &e->members.items[id];
    }
    value = lia_definition_measure(e, value, &d->phrase->unit);
    member->value = lia_value_poison(d->head->name_span);
    if (!lia_value_need_scalar(&e->work, &value, "a control")) {
        return;
    }
    e->draft.controls.items[member->slot].term = lia_value_at(&e->work, &value, 0);
    LiaExpr leaf =
        lia_term_symbol(&e->work.terms, LIA_SYMBOL_CONTROL, member->slot, d->head->name_span);
    member->value =
        lia_value_scalar(leaf, lia_definition_unit(&d->phrase->unit, false), d->head->name_span);
}

void lia_definition_take(LiaElaboration* e, uint32_t id, LiaValue value) {
    const LiaDeclaration* d = declaration_of(e, id);
    switch (d->keyword) {
    case LIA_KEYWORD_PARAMETER:
        take_parameter(e, id, value);
        break;
    case LIA_KEYWORD_CONTROL:
        take_control(e, id, value);
        break;
    case LIA_KEYWORD_OBSERVE:  // shown in its unit, computed with in SI
        if (d->phrase->unit.given && value.kind != LIA_VALUE_POISON &&
            (d->phrase->unit.wrong || !is_surely(&value, &d->phrase->unit.measure, e))) {
            value = lia_value_poison(value.span);
        }
        e->members.items[id].value = value;
        break;
    default:
        value = lia_definition_measure(e, value, &d->phrase->unit);
        if (d->phrase->clause) {
            value = lia_body_check(e, d->phrase, value);
        }
        e->members.items[id].value = value;
        break;
    }
}

void lia_definition_check_defines(LiaElaboration* e) {
    for (size_t i = 0; i < e->defines.count; i++) {
        const char* name = e->defines.list[i].name;
        if (!isfinite(e->defines.list[i].value)) {
            lia_diag_error(e->context->diags, (LiaSpan){0, 0}, "E0128",
                           "-D %s: the value is not a finite number", name);
        }
        if (e->define_used[i]) {
            continue;
        }
        lia_diag_error(e->context->diags, (LiaSpan){0, 0}, "E0128",
                       "-D %s: the model has no parameter of that name", name);
        LiaNearest nearest = lia_nearest_begin(name);
        for (uint32_t k = 0; k < e->draft.parameters.count && k < 10000; k++) {
            lia_nearest_offer(&nearest, e->draft.parameters.items[k].name);
        }
        lia_nearest_say(&nearest, e->context->diags, NULL);
    }
}

static void list_observe(LiaElaboration* e, uint32_t id) {
    const LiaDeclaration* d = declaration_of(e, id);
    LiaValue value = e->members.items[id].value;
    if (value.kind == LIA_VALUE_POISON) {
        return;
    }
    if (value.kind != LIA_VALUE_NUMBER) {
        lia_diag_error(e->context->diags, d->phrase->right.span, "E0137",
                       "an observed quantity must be a number, this is %s",
                       lia_value_words(&e->work, &value));
        return;
    }
    const char* name = lia_scope_name(e, id);
    for (uint32_t i = 0; i < lia_value_count(&value); i++) {
        LiaExpr term = lia_value_at(&e->work, &value, i);
        LiaObserve* observe = LIA_ADD(e->context, e->draft.observes);
        observe->name = lia_labels_part(e, name, &value, i);
        observe->term = term;
        observe->unit =
            d->phrase->unit.given ? unit_text(&d->phrase->unit) : lia_labels_unit(e, &value, term);
        observe->scale = has_factor(&d->phrase->unit) ? 1.0 / d->phrase->unit.measure.value : 1.0;
        observe->span = d->phrase->span;
    }
}

static void list_let(LiaElaboration* e, uint32_t id) {
    const LiaDeclaration* d = declaration_of(e, id);
    LiaValue value = e->members.items[id].value;
    if (value.kind != LIA_VALUE_NUMBER) {
        return;  // one-forms and conditions are written out where they are used
    }
    uint32_t count = lia_value_count(&value);
    LiaExpr* terms = lia_context_keep(e->context, count * sizeof *terms);
    for (uint32_t i = 0; i < count; i++) {
        terms[i] = lia_value_at(&e->work, &value, i);
    }
    LiaLet* let = LIA_ADD(e->context, e->draft.lets);
    let->name = lia_scope_name(e, id);
    let->rows = (int)value.rows;
    let->cols = (int)value.cols;
    let->terms = terms;
    let->span = d->head->name_span;
}

// The values of sampled controls are columns of the output.
static void list_samples(LiaElaboration* e) {
    for (uint32_t i = 0; i < e->draft.controls.count; i++) {
        const LiaControl* u = &e->draft.controls.items[i];
        if (!(u->every > 0.0)) continue;
        LiaExpr term = lia_term_symbol(&e->work.terms, LIA_SYMBOL_CONTROL, i, u->span);
        *LIA_ADD(e->context, e->draft.observes) = (LiaObserve){
            .name = u->name, .term = term, .unit = u->unit, .scale = 1.0, .span = u->span};
    }
}

void lia_definition_lists(LiaElaboration* e) {
    list_samples(e);
    for (uint32_t i = 1; i < e->declarations.count; i++) {
        const LiaDeclaration d = e->declarations.items[i];
        for (uint32_t k = 0; k < d.count; k++) {
            if (d.keyword == LIA_KEYWORD_LET) {
                list_let(e, d.first + k);
            } else if (d.keyword == LIA_KEYWORD_OBSERVE) {
                list_observe(e, d.first + k);
            }
        }
    }
}
