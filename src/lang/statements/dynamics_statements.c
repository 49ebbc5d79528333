// Mechanisms: energies, applied forces, constraints and operators, symmetries, events.
// SPDX-License-Identifier: MIT
#include "lang/bodies/rotation.h"
#include "lang/elaborate/elaborate.h"
#include <string.h>

enum { ALONG = LIA_DEPENDS(ACCELERATION) | LIA_DEPENDS(REACTION) };

static const LiaSetting lagrangian_setting = {ALONG | LIA_DEPENDS(QUANTITY), "the Lagrangian", NULL,
                                              NULL};
static const LiaSetting kinetic_setting = {ALONG | LIA_DEPENDS(QUANTITY), "the kinetic energy",
                                           NULL, NULL};
static const LiaSetting potential_setting = {ALONG | LIA_DEPENDS(QUANTITY), "the potential energy",
                                             NULL, NULL};
static const LiaSetting dissipation_setting = {ALONG | LIA_DEPENDS(QUANTITY), "the dissipation",
                                               NULL, NULL};
static const LiaSetting force_setting = {ALONG, "a force", NULL, NULL};
static const LiaSetting constraint_setting = {ALONG, "a constraint", NULL, NULL};
static const LiaSetting operator_setting = {ALONG, "an operator", NULL, NULL};

static const char units_help[] =
    "look at the units of its parameters; a number that stands for something with a unit is "
    "better a 'parameter ... in'";

// Energies add up to the Lagrangian. Two that are known to be of different units are pointed out;
// it is no error, for a number in one of them may stand for g or for a mass.
static void check_energy_unit(LiaElaboration* e, const LiaValue* value, const char* what) {
    LiaUnit unit;
    if (value->unit.state != LIA_UNIT_KNOWN) {
        return;
    }
    if (e->energy_unit.state != LIA_UNIT_KNOWN) {
        e->energy_unit = value->unit;
    } else if (!lia_unit_sum(e->energy_unit, value->unit, &unit)) {
        e->energies_differ = true;
        lia_diag_warning(
            e->context->diags, value->span, "W0107", "%s is %s, the energy above is %s", what,
            lia_unit_words(e->context, value->unit), lia_unit_words(e->context, e->energy_unit));
        lia_diag_help(e->context->diags, "%s", units_help);
    }
}

LiaUnit lia_dynamics_statements_joule(const LiaElaboration* e) {
    LiaMeasure joule;
    LiaUnit unit = e->energy_unit;
    bool sure = unit.state == LIA_UNIT_KNOWN && !e->energies_differ &&
                lia_unit_find_measure("J", &joule) && lia_unit_sum(joule.unit, unit, &unit);
    return sure ? unit : lia_unit_unknown();
}

// A force is a one-form: what it does along a displacement is an energy. A dissipation is a power.
// Where nothing in it knows of a mass (3*d(x), -0.2*x'*d(x)), a number stands for what does.
static void check_against(LiaElaboration* e, const LiaValue* value, LiaUnit wanted,
                          const char* what) {
    LiaUnit unit;
    if (value->unit.state != LIA_UNIT_KNOWN || value->unit.exponents[0] == 0 ||
        lia_unit_sum(wanted, value->unit, &unit)) {
        return;
    }
    lia_diag_warning(e->context->diags, value->span, "W0107", "%s is %s, the energies make it %s",
                     what, lia_unit_words(e->context, value->unit),
                     lia_unit_words(e->context, wanted));
    lia_diag_help(e->context->diags, "%s", units_help);
}

void lia_dynamics_statements_expect(LiaElaboration* e, const LiaValue* value, int kg, int m, int s,
                                    const char* what) {
    const int wanted[LIA_DIMENSIONS] = {kg, m, s};
    LiaUnit expected = {.state = LIA_UNIT_KNOWN};
    bool fits = value->kind != LIA_VALUE_NUMBER || value->unit.state != LIA_UNIT_KNOWN, all = true;
    for (int i = 0; i < LIA_DIMENSIONS; i++) {
        int16_t found = value->unit.exponents[i];
        expected.exponents[i] = (int16_t)(wanted[i] * LIA_EXPONENT_ONE);
        all = all && (found == expected.exponents[i] || found == 0);
    }
    if (fits || all) {
        return;
    }
    bool moment = kg == 1 && m == 2 && s == -2;  // an energy by its unit
    lia_diag_warning(e->context->diags, value->span, "W0107", "%s is %s, expected %s", what,
                     lia_unit_words(e->context, value->unit),
                     moment ? "a moment, in N*m" : lia_unit_words(e->context, expected));
}

void lia_dynamics_statements_add_energy(LiaElaboration* e, LiaEnergyKind kind,
                                        const LiaValue* value, const char* what, LiaSpan span) {
    check_energy_unit(e, value, what);
    LiaExpr term = lia_value_at(&e->work, value, 0);
    *LIA_ADD(e->context, e->draft.energies) = (LiaEnergy){kind, term, span};
}

void lia_dynamics_statements_energy(LiaElaboration* e, const LiaStatement* statement) {
    const LiaSetting* setting = statement->keyword == LIA_KEYWORD_HAMILTONIAN
                                    ? lia_phase_statements_setting(LIA_KEYWORD_HAMILTONIAN)
                                : statement->keyword == LIA_KEYWORD_KINETIC   ? &kinetic_setting
                                : statement->keyword == LIA_KEYWORD_POTENTIAL ? &potential_setting
                                : statement->keyword == LIA_KEYWORD_DISSIPATION
                                    ? &dissipation_setting
                                    : &lagrangian_setting;
    LiaCode code = statement->phrases[0].right;
    LiaValue value = lia_machine_run(e, code, setting, e->machine.bindings.count);
    if (!lia_value_need_scalar(&e->work, &value, setting->where)) {
        if (value.kind == LIA_VALUE_FORM) {
            lia_diag_help(e->context->diags, "a force is 'force NAME: -c*x'*d(x)'; a dissipation "
                                             "is c/2*x'^2");
        }
        return;
    }
    if (statement->keyword == LIA_KEYWORD_DISSIPATION) {
        LiaExpr term = lia_value_at(&e->work, &value, 0);
        *LIA_ADD(e->context, e->draft.dissipations) = (LiaDissipation){term, code.span};
        check_against(e, &value, lia_unit_per_second(lia_dynamics_statements_joule(e)),
                      "the dissipation");
        return;
    }
    LiaEnergyKind kind = statement->keyword == LIA_KEYWORD_KINETIC       ? LIA_KINETIC
                         : statement->keyword == LIA_KEYWORD_POTENTIAL   ? LIA_POTENTIAL
                         : statement->keyword == LIA_KEYWORD_HAMILTONIAN ? LIA_HAMILTONIAN
                                                                         : LIA_LAGRANGIAN;
    lia_dynamics_statements_add_energy(e, kind, &value, setting->where, code.span);
}

static void elaborate_force(LiaElaboration* e, uint32_t id, uint32_t bindings) {
    const LiaStatement* statement =
        e->declarations.items[e->members.items[id].declaration].statement;
    LiaDiags* diags = e->context->diags;
    LiaCode code = statement->phrases[0].right;
    const LiaSetting* setting =
        e->draft.phase.is ? lia_phase_statements_setting(LIA_KEYWORD_FORCE) : &force_setting;
    LiaValue value = lia_machine_run(e, code, setting, bindings);
    LiaForce acting = {0};
    if (statement->on.begin != statement->on.end) {
        value = lia_body_force(e, statement, &value, setting, bindings, &acting);
    }
    if (value.kind == LIA_VALUE_POISON) {
        return;
    }
    if (value.kind != LIA_VALUE_FORM || !lia_value_is_scalar(&value)) {
        lia_diag_error(diags, code.span, "E0169", "a force is a one-form, this is %s",
                       lia_value_words(&e->work, &value));
        lia_diag_help(diags, value.kind == LIA_VALUE_FORM
                                 ? "take the product with a vector: dot(F, d(r))"
                                 : "say along what it acts: F*d(x), dot(F, d(r)) for a vector, "
                                   "or on which body: '[0, 0, F] on BODY'");
        return;
    }
    if (!e->draft.phase.is) {
        check_against(e, &value, lia_dynamics_statements_joule(e), "the work of this force");
    }
    LiaForce* force = &e->draft.forces.items[e->members.items[id].slot];
    acting.name = force->name;
    *force = acting;
    force->span = statement->span;
    force->form = lia_forms_write(&e->work.forms, &e->work.terms, value.one, code.span);
}

typedef struct Equations {
    LIA_VECTOR(LiaEquation);
    LIA_VECTOR(LiaValue) lefts;   // as written: what an operator acts on
    LIA_VECTOR(LiaPlace) places;  // where they act
    bool turned;                  // one of them sets a rotation equal to another
    LiaUnit unit;   // of all of them, geometric ones per second; unknown where they differ
    LiaUnit shown;  // the same; where a side is of unknown unit (s = abs(t)), that of the other
} Equations;

// mu times the rate of the equation is a power: equations are compared on the level of velocities.
static void note_unit(LiaUnit* all, LiaUnit unit, bool moving, bool first) {
    if (!moving) {
        unit = lia_unit_per_second(unit);
    }
    if (first) {
        *all = unit;
    } else if (unit.state != all->state ||
               memcmp(unit.exponents, all->exponents, sizeof unit.exponents) != 0) {
        *all = lia_unit_unknown();
    }
}

// left = right, component by component; a plain 0 fits any shape.
static void add_equations(LiaElaboration* e, const LiaPhrase* phrase, const LiaSetting* setting,
                          uint32_t bindings, Equations* equations) {
    LiaWork* work = &e->work;
    LiaDiags* diags = e->context->diags;
    e->touching = 0;
    LiaValue left = lia_machine_run(e, phrase->left, setting, bindings);
    LiaValue right = lia_machine_run(e, phrase->right, setting, bindings);
    if (left.kind == LIA_VALUE_POISON || right.kind == LIA_VALUE_POISON) {
        return;
    }
    const LiaValue* odd = left.kind != LIA_VALUE_NUMBER    ? &left
                          : right.kind != LIA_VALUE_NUMBER ? &right
                                                           : NULL;
    if (odd) {
        lia_diag_error(diags, odd->span, "E0137", "an equation is between numbers, '%s' is %s",
                       lia_context_quote(e->context, odd->span), lia_value_words(work, odd));
        return;
    }
    bool same = left.rows == right.rows && left.cols == right.cols;
    if (!same && !lia_value_is_zero(&left) && !lia_value_is_zero(&right)) {
        lia_diag_error(diags, phrase->span, "E0135", "the left side is %s, the right side %s",
                       lia_value_words(work, &left), lia_value_words(work, &right));
        lia_diag_help(diags, "both sides of an equation have the same shape (or one is 0)");
        return;
    }
    LiaUnit unit;
    if (!lia_unit_sum(left.unit, right.unit, &unit)) {
        lia_value_say_units(work, &left, &right);
        return;
    }
    uint16_t has = lia_value_has(work, &left) | lia_value_has(work, &right);
    bool moving = (has & LIA_DEPENDS(VELOCITY)) != 0, first = equations->count == 0;
    LiaExpr trace = {0};
    note_unit(&equations->unit, unit, moving, first);
    LiaUnit one_side = left.unit.state == LIA_UNIT_UNKNOWN ? right.unit : left.unit;
    note_unit(&equations->shown, unit.state == LIA_UNIT_UNKNOWN ? one_side : unit, moving, first);
    *LIA_ADD(e->context, equations->lefts) = left;
    if (lia_rotation_is(work, &left) && lia_rotation_is(work, &right)) {
        // Nine equations of which three are independent: three that have the same solutions.
        left = lia_rotation_mismatch(work, &left, &right, &trace, phrase->span);
        right = lia_value_literal(lia_number_whole(0), phrase->span);
        equations->turned = true;
    }
    const LiaValue* larger = lia_value_is_scalar(&left) ? &right : &left;
    if (e->touching) {
        *LIA_ADD(e->context, equations->places) =
            (LiaPlace){.first = equations->count,
                       .count = lia_value_count(larger),
                       .at = {e->touched[0], e->touched[1], e->touched[2]}};
    }
    for (uint32_t i = 0; i < lia_value_count(larger); i++) {
        LiaExpr a = lia_value_at(work, &left, i), b = lia_value_at(work, &right, i);
        *LIA_ADD(e->context, *equations) = (LiaEquation){a, b, phrase->span, trace};
    }
}

typedef LIA_VECTOR(LiaForm) FormList;

// The forms of `force w1, w2` or `by w`; a vector of forms counts as its length.
static bool add_forms(LiaElaboration* e, LiaCode code, const LiaSetting* setting, uint32_t bindings,
                      FormList* forms) {
    LiaValue value = lia_machine_run(e, code, setting, bindings);
    if (value.kind == LIA_VALUE_POISON) {
        return false;
    }
    if (value.kind != LIA_VALUE_FORM) {
        lia_diag_error(e->context->diags, code.span, "E0169",
                       "the direction of a force is a one-form, '%s' is %s",
                       lia_context_quote(e->context, code.span), lia_value_words(&e->work, &value));
        lia_diag_help(e->context->diags, "write d(f) of a function, or virtual(e) of a velocity");
        return false;
    }
    for (uint32_t i = 0; i < lia_value_count(&value); i++) {
        LiaForm form = lia_forms_write(&e->work.forms, &e->work.terms,
                                       lia_value_at(&e->work, &value, i), code.span);
        *LIA_ADD(e->context, *forms) = form;
    }
    return true;
}

// An operator that prescribes a rotation acts on its angular velocity: three moments in space axes.
static void act_on_left(LiaElaboration* e, const Equations* equations, FormList* forms) {
    LiaWork* work = &e->work;
    for (uint32_t k = 0; k < equations->lefts.count; k++) {
        LiaValue left = equations->lefts.items[k];
        LiaSpan span = left.span;
        bool turns = lia_rotation_is(work, &left);
        left = turns ? lia_rotation_omega(work, &left, false, span) : left;
        bool moving = turns || (lia_value_has(work, &left) & LIA_DEPENDS(VELOCITY));
        for (uint32_t i = 0; i < lia_value_count(&left); i++) {
            LiaFormId form = lia_forms_of(&work->forms, &work->terms, lia_value_at(work, &left, i),
                                          moving, span);
            *LIA_ADD(e->context, *forms) = lia_forms_write(&work->forms, &work->terms, form, span);
        }
    }
}

// At least one equation must speak of the motion, if only as x - x does.
static bool speaks_of_motion(LiaElaboration* e, const Equations* equations) {
    const uint16_t motion = LIA_DEPENDS(POSITION) | LIA_DEPENDS(VELOCITY);
    if (e->work.terms.seen & motion) {
        return true;
    }
    for (uint32_t i = 0; i < equations->count; i++) {
        const LiaEquation* equation = &equations->items[i];
        uint16_t has = lia_term_has(&e->work.terms, equation->left) |
                       lia_term_has(&e->work.terms, equation->right);
        if (has & motion) {
            return true;
        }
    }
    return false;
}

// The unit of an impulse, mu times a second: the energy's by that of the rate of the equation.
static const char* impulse_unit(LiaElaboration* e, const Equations* equations) {
    LiaUnit unit = lia_unit_product(lia_dynamics_statements_joule(e), equations->shown, -1);
    if (unit.state != LIA_UNIT_KNOWN) {
        return NULL;
    }
    const char* text = lia_unit_text(e->context, unit);
    return lia_context_keep_list(e->context, text, strlen(text) + 1, 1);
}

static const char* force_unit(LiaElaboration* e, LiaUnit unit) {
    if (unit.state != LIA_UNIT_KNOWN) return NULL;
    const char* text = lia_unit_name(e->context, unit, false);
    return lia_context_keep_list(e->context, text, strlen(text) + 1, 1);
}

// One direction of force for each equation. False with an error said.
static bool check_forms(LiaElaboration* e, const LiaStatement* statement, uint32_t forms,
                        uint32_t equations) {
    if (statement->form_count == 0 || forms == equations) {
        return true;
    }
    LiaDiags* diags = e->context->diags;
    LiaSpan span = lia_context_join_spans(statement->forms[0].span,
                                          statement->forms[statement->form_count - 1].span);
    lia_diag_error(diags, span, "E0162", "%u one-form%s for %u equation%s", forms,
                   forms == 1 ? "" : "s", equations, equations == 1 ? "" : "s");
    lia_diag_help(diags, forms > equations && equations == 1
                             ? "each scalar equation needs one direction of force: a sum of "
                               "one-forms is one, 'd(x) + d(y)'"
                             : "each scalar equation needs one direction of force");
    return false;
}

// The units of the multipliers of the constraint in `slot`: a power by the rate of its equations.
static void give_units(LiaElaboration* e, uint32_t slot, const Equations* equations) {
    LiaConstraint* constraint = &e->draft.constraints.items[slot];
    LiaUnit power = lia_unit_per_second(lia_dynamics_statements_joule(e));
    e->force_units.items[slot] = lia_unit_product(power, equations->unit, -1);
    constraint->force_unit = force_unit(e, lia_unit_product(power, equations->shown, -1));
    constraint->impulse_unit = impulse_unit(e, equations);
}

static const LiaSetting* setting_of(const LiaElaboration* e, bool active) {
    if (e->draft.phase.is) return lia_phase_statements_setting(LIA_KEYWORD_CONSTRAINT);
    return active ? &operator_setting : &constraint_setting;
}

// Where the equations of the constraint in `slot` act.
static void keep_places(LiaElaboration* e, uint32_t slot, const Equations* equations) {
    for (uint32_t i = 0; i < equations->places.count; i++) {
        LiaPlace* place = LIA_ADD(e->context, e->draft.places);
        *place = equations->places.items[i];
        place->constraint = slot;
    }
}

static void elaborate_constraint(LiaElaboration* e, uint32_t id, uint32_t bindings) {
    const LiaDeclaration d = e->declarations.items[e->members.items[id].declaration];
    const LiaStatement* statement = d.statement;
    bool active = d.keyword == LIA_KEYWORD_OPERATOR;
    const LiaSetting* setting = setting_of(e, active);
    LiaDiags* diags = e->context->diags;
    Equations equations = {0};
    size_t errors = lia_diags_errors(diags);
    e->work.terms.seen = 0;
    for (uint32_t i = 0; i < statement->phrase_count; i++) {
        add_equations(e, &statement->phrases[i], setting, bindings, &equations);
    }
    bool good = lia_diags_errors(diags) == errors && equations.count > 0;
    if (good && !speaks_of_motion(e, &equations)) {
        lia_diag_error(diags, statement->phrases[0].span, "E0167",
                       "'%s' holds no coordinate and no velocity: it constrains nothing",
                       lia_scope_name(e, id));
        good = false;
    }
    FormList forms = {0};
    for (uint32_t i = 0; i < statement->form_count; i++) {
        good = add_forms(e, statement->forms[i], setting, bindings, &forms) && good;
    }
    if (good && active && equations.turned && statement->form_count == 0) {
        act_on_left(e, &equations, &forms);
    }
    if (!good || !check_forms(e, statement, forms.count, equations.count)) {
        return;
    }
    LiaEquation slip;
    const LiaRoughLaw* rough;
    if (!lia_friction_clauses_constraint(e, statement, bindings, equations.count, &slip, &rough)) {
        return;
    }
    if (rough) *LIA_ADD(e->context, equations) = slip;
    keep_places(e, e->members.items[id].slot, &equations);
    LiaConstraint* constraint = &e->draft.constraints.items[e->members.items[id].slot];
    while (e->force_units.count < e->draft.constraints.count) {
        *LIA_ADD(e->context, e->force_units) = lia_unit_unknown();
    }
    if (forms.count == 0) {
        give_units(e, e->members.items[id].slot, &equations);
    }
    constraint->active = active;
    constraint->rough = rough;
    constraint->rule = statement->chetaev ? LIA_RULE_CHETAEV
                       : forms.count > 0  ? LIA_RULE_GIVEN
                                          : LIA_RULE_DEFAULT;
    constraint->equations = lia_context_keep_list(e->context, equations.items, equations.count,
                                                  sizeof *equations.items);
    constraint->equation_count = equations.count;
    constraint->forms =
        lia_context_keep_list(e->context, forms.items, forms.count, sizeof *forms.items);
    constraint->form_count = forms.count;
    constraint->span = statement->span;
    constraint->name_span = d.head->name_span;
}

static void elaborate_event(LiaElaboration* e, uint32_t id, uint32_t bindings) {
    const LiaStatement* statement =
        e->declarations.items[e->members.items[id].declaration].statement;
    const LiaPhrase* phrase = &statement->phrases[0];
    e->work.terms.seen = 0;
    LiaValue left = lia_machine_run(e, phrase->left, &lia_machine_free_setting, bindings);
    LiaValue right = lia_machine_run(e, phrase->right, &lia_machine_free_setting, bindings);
    bool good = lia_value_need_scalar(&e->work, &left, "an event");
    good = lia_value_need_scalar(&e->work, &right, "an event") && good;
    if (!good) {
        return;
    }
    LiaUnit unit;
    if (!lia_unit_sum(left.unit, right.unit, &unit)) {
        lia_value_say_units(&e->work, &left, &right);
        return;
    }
    LiaExpr term = lia_term_binary(&e->work.terms, LIA_OP_SUB, lia_value_at(&e->work, &left, 0),
                                   lia_value_at(&e->work, &right, 0), phrase->span);
    if ((lia_term_has(&e->work.terms, term) | e->work.terms.seen) == 0) {
        lia_diag_error(e->context->diags, phrase->span, "E0167",
                       "'%s' holds nothing that changes: it never happens", lia_scope_name(e, id));
        return;
    }
    if (statement->event.stop && statement->event.set_count > 0) {
        lia_diag_error(e->context->diags, statement->span, "E0450",
                       "'%s' sets a state and stops the run: nobody would see what it sets",
                       lia_scope_name(e, id));
        lia_diag_help(e->context->diags, "leave out 'set ...', or 'stop'; an event of its own may "
                                         "stop the run later");
        return;
    }
    LiaEvent* event = &e->draft.events.items[e->members.items[id].slot];
    event->term = term;
    event->direction = statement->event.direction;
    event->stop = statement->event.stop;
    event->span = statement->span;
    lia_duration_sets(e, id, bindings);
}

void lia_dynamics_statements_declared(LiaElaboration* e, uint32_t declaration) {
    const LiaDeclaration d = e->declarations.items[declaration];
    for (uint32_t k = 0; k < d.count && !lia_context_enough(e->context); k++) {
        uint32_t id = d.first + k;
        uint32_t bindings = lia_machine_bind_member(e, id);
        switch (d.keyword) {
        case LIA_KEYWORD_FORCE:
        case LIA_KEYWORD_MOMENT:
            elaborate_force(e, id, bindings);
            break;
        case LIA_KEYWORD_CONSTRAINT:
        case LIA_KEYWORD_OPERATOR:
            elaborate_constraint(e, id, bindings);
            break;
        case LIA_KEYWORD_CONTACT:
            lia_contact_statement(e, id, bindings);
            break;
        case LIA_KEYWORD_JOINT:
            lia_joint_elaborate(e, id, bindings);
            break;
        case LIA_KEYWORD_SYMMETRY:
            lia_symmetry_statement(e, id, bindings);
            break;
        case LIA_KEYWORD_EVENT:
            elaborate_event(e, id, bindings);
            break;
        default:
            break;
        }
        if (d.keyword != LIA_KEYWORD_EVENT) lia_duration_take(e, id, bindings);
        e->machine.bindings.count = bindings;
    }
}
