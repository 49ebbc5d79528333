// Journeys: where the motion starts, how far it runs, what is drawn of it.
// SPDX-License-Identifier: MIT
#include "base/numeric/thresholds.h"
#include "lang/bodies/rotation.h"
#include "lang/elaborate/elaborate.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const LiaSetting start_setting = {UINT16_MAX, "a start value", "E0150",
                                         "a start value is made of numbers and parameters"};
static const LiaSetting run_setting = {UINT16_MAX, "'run'", "E0150",
                                       "it is made of numbers and parameters"};

enum { POSITION = 1, VELOCITY = 2, MOMENTUM = 4 };

// All values that a start needs, before it is taken.
typedef struct Beginning {
    const LiaPhrase* phrase;
    LiaTarget target;
    bool velocity;
} Beginning;

static bool check_unit(LiaElaboration* e, const Beginning* start, const LiaValue* value) {
    LiaUnit expected = e->members.items[start->target.member].value.unit, unit;
    if (start->phrase->turning) {
        expected = lia_rotation_unit();
    } else if (start->velocity) {
        expected = lia_unit_per_second(expected);
    }
    if (lia_unit_sum(expected, value->unit, &unit)) {
        const LiaPhrase* of =
            e->declarations.items[e->members.items[start->target.member].declaration].phrase;
        if (of && of->clause == LIA_CLAUSE_POSITION) {  // of a free body: no unit was said
            lia_dynamics_statements_expect(e, value, 0, 1, start->velocity ? -1 : 0,
                                           start->velocity ? "this velocity" : "this position");
        }
        return true;
    }
    LiaValue wanted = *value;
    wanted.unit = expected;
    lia_value_say_units(&e->work, &wanted, value);
    return false;
}

// Finite numbers; false with an error said.
static bool read_numbers(LiaElaboration* e, const Beginning* start, const LiaValue* value,
                         double* numbers) {
    bool good = lia_rotation_peek_numbers(&e->work, value, numbers);
    for (uint32_t i = 0; good && i < lia_value_count(value); i++) {
        good = isfinite(numbers[i]) != 0;
    }
    if (!good) {
        lia_diag_error(e->context->diags, value->span, "E0158",
                       "the start value of '%s%s' is not a finite number", start->target.name,
                       start->velocity ? "'" : "");
    }
    return good;
}

// Mark the coordinates as given; false with an error said where one is already.
static bool mark_given(LiaElaboration* e, const Beginning* start) {
    uint8_t which = start->velocity ? VELOCITY : POSITION;
    const LiaHead* head = &start->phrase->head;
    for (uint32_t i = 0; i < start->target.count; i++) {
        if (e->started[start->target.coordinate + i] & which) {
            if (!lia_context_said(e->context, head->span, "E0164")) {
                lia_diag_error(e->context->diags, head->span, "E0164",
                               "the start of '%s%s' is given twice", start->target.name,
                               start->velocity ? "'" : "");
            }
            return false;
        }
    }
    for (uint32_t i = 0; i < start->target.count; i++) {
        e->started[start->target.coordinate + i] |= which;
    }
    return true;
}

static void give(LiaElaboration* e, const Beginning* start, uint32_t i, LiaExpr term,
                 double number) {
    *LIA_ADD(e->context, e->draft.starts) = (LiaStart){
        start->target.coordinate + i, start->velocity, start->phrase->guess, term, number,
        start->phrase->span};
}

// A whole or half number of radians beyond a turn, on a circle and without a unit, was meant in
// degrees. What comes from an earlier run or from pi is no such number.
static void doubt_angle(LiaElaboration* e, const Beginning* start, const LiaValue* value,
                        double number) {
    const double turn = 6.283185307179586;
    bool plain = !start->phrase->unit.given &&
                 (value->unit.state == LIA_UNIT_NUMBER || value->unit.state == LIA_UNIT_UNKNOWN);
    if (start->target.manifold != LIA_CIRCLE || start->velocity || !plain) return;
    if (!(fabs(number) > turn) || fmod(number, 0.5) != 0.0) return;
    LiaDiags* diags = e->context->diags;
    lia_diag_warning(diags, value->span, "W0166", "'%s' starts at %.10g radians, %.1f turns",
                     start->target.name, number, number / turn);
    lia_diag_help(diags,
                  "degrees are written '%s %c %.10g in deg'; 'in rad' says that radians are "
                  "meant",
                  start->target.name, start->phrase->guess ? '~' : '=', number);
}

static void start_scalar(LiaElaboration* e, const Beginning* start, const LiaValue* value) {
    double number = 0.0;
    if (lia_value_need_scalar(&e->work, value, "a start value") && check_unit(e, start, value) &&
        read_numbers(e, start, value, &number) && mark_given(e, start)) {
        doubt_angle(e, start, value, number);
        give(e, start, 0, lia_value_at(&e->work, value, 0), number);
    }
}

// r = [..], u = [..], r' = [..]; omega(R) = [..] is kept as a spin.
static void start_vector(LiaElaboration* e, const Beginning* start, const LiaValue* value) {
    double numbers[3] = {0.0, 0.0, 0.0};
    if (!lia_body_need_vector(e, value, "this start value") || !check_unit(e, start, value) ||
        (!lia_value_is_zero(value) && !read_numbers(e, start, value, numbers)) ||
        !mark_given(e, start)) {
        return;
    }
    double length =
        sqrt(numbers[0] * numbers[0] + numbers[1] * numbers[1] + numbers[2] * numbers[2]);
    bool unit = start->target.manifold == LIA_SPHERE && !start->velocity;
    if (unit) lia_value_decide(&e->work, value, LIA_DECISION_VALUE);
    if (unit && (start->phrase->guess ? !(length > 0.0)
                                      : !(fabs(length - 1.0) <= LIA_UNIT_LENGTH_DEFECT))) {
        lia_diag_error(e->context->diags, value->span, "E0175",
                       "'%s' is on a sphere, a vector of length 1; this one has length %.6g",
                       start->target.name, length);
        lia_diag_help(e->context->diags, "write unit(...)");
        return;
    }
    if (start->phrase->turning) {
        LiaSpin* spin = LIA_ADD(e->context, e->draft.spins);
        spin->group = start->target.group - 1;
        spin->guess = start->phrase->guess;
        spin->body = start->phrase->turning == LIA_TURNING_BODY;
        memcpy(spin->value, numbers, sizeof numbers);
        for (uint32_t i = 0; i < 3 && !lia_value_is_zero(value); i++) {
            LiaExpr term = lia_value_at(&e->work, value, i);
            e->draft.spins.items[e->draft.spins.count - 1].term[i] = term;
        }
        spin->span = start->phrase->span;
        return;
    }
    for (uint32_t i = 0; i < 3; i++) {
        LiaExpr term = lia_value_at(&e->work, value, i);
        give(e, start, i, term, unit ? numbers[i] / length : numbers[i]);
    }
}

// R = matrix: all four numbers of its quaternion.
static void start_rotation(LiaElaboration* e, const Beginning* start, const LiaValue* value) {
    double A[9], q[4];
    if (value->kind != LIA_VALUE_NUMBER || value->rows != 3 || value->cols != 3) {
        lia_diag_error(e->context->diags, value->span, "E0174",
                       "'%s' is a rotation, a 3 x 3 matrix; this is %s", start->target.name,
                       lia_value_words(&e->work, value));
        lia_diag_help(e->context->diags, "write rotz(0), rotx(e)*rotz(e), quaternion(w, x, y, z)");
        return;
    }
    if (!read_numbers(e, start, value, A)) {
        return;
    }
    if (!(lia_rotation_defect(A) <= LIA_ROTATION_DEFECT)) {
        lia_rotation_say_none(&e->work, value, A);
        return;
    }
    if (!mark_given(e, start)) {
        return;
    }
    lia_value_decide(&e->work, value, LIA_DECISION_VALUE);
    lia_rotation_quaternion(A, q);
    for (uint32_t i = 0; i < 4; i++) {
        LiaExpr term = lia_term_number(&e->work.terms, lia_number_double(q[i]), value->span);
        give(e, start, i, term, q[i]);
    }
}

// A momentum that is a phase variable: its values.
static void start_phase(LiaElaboration* e, Beginning start, const LiaValue* value, size_t count) {
    double numbers[3] = {0.0, 0.0, 0.0};
    start.target.coordinate += e->draft.phase.positions;
    if (!lia_value_is_zero(value) && !read_numbers(e, &start, value, numbers)) return;
    if (!mark_given(e, &start)) return;
    for (uint32_t i = 0; i < count; i++) {
        LiaExpr term = lia_value_at(&e->work, value, lia_value_is_scalar(value) ? 0 : i);
        give(e, &start, i, term, numbers[i]);
    }
}

// Momenta are equations of the state at the start: p(x) = e, one for each number of x.
static void start_momentum(LiaElaboration* e, const Beginning* start, const LiaValue* value) {
    const LiaPhrase* phrase = start->phrase;
    LiaDiags* diags = e->context->diags;
    LiaValue momentum = lia_group_momentum(e, &start->target, phrase->head.span);
    LiaUnit unit;
    double numbers[3] = {0.0, 0.0, 0.0};
    if (phrase->guess && !e->draft.phase.canonical) {
        lia_diag_error(diags, phrase->head.span, "E0216", "a momentum is given, not guessed");
        lia_diag_help(diags, "give it with '=', or guess the velocity");
        return;
    }
    bool vector = !lia_value_is_scalar(&momentum);
    if (!(vector ? lia_body_need_vector(e, value, "this start value")
                 : lia_value_need_scalar(&e->work, value, "a start value"))) {
        return;
    }
    if (!lia_unit_sum(momentum.unit, value->unit, &unit)) {
        lia_value_say_units(&e->work, &momentum, value);
        return;
    }
    uint32_t count = lia_value_count(&momentum);
    if (e->draft.phase.canonical) {
        start_phase(e, *start, value, count);
        return;
    }
    if (!lia_value_is_zero(value) && !read_numbers(e, start, value, numbers)) return;
    LiaEquation* equations = lia_context_keep(e->context, count * sizeof *equations);
    for (uint32_t i = 0; i < count; i++) {
        LiaExpr left = lia_value_at(&e->work, &momentum, i);
        LiaExpr right = lia_value_at(&e->work, value, lia_value_is_scalar(value) ? 0 : i);
        equations[i] = (LiaEquation){.left = left, .right = right, .span = phrase->span};
    }
    size_t size = strlen(start->target.name) + 8;
    char* name = lia_context_keep(e->context, size);
    snprintf(name, size, "p(%s)", start->target.name);
    LiaConstraint* given = LIA_ADD(e->context, e->draft.phase.momenta);
    *given = (LiaConstraint){.name = name, .rule = LIA_RULE_CHETAEV};
    given->equations = equations;
    given->equation_count = count;
    given->span = given->name_span = phrase->span;
}

// The momentum of a coordinate is given once.
static bool momentum_is_new(LiaElaboration* e, const Beginning* start) {
    for (uint32_t i = 0; i < start->target.count; i++) {
        uint8_t* given = &e->started[start->target.coordinate + i];
        if (*given & MOMENTUM) {
            lia_diag_error(e->context->diags, start->phrase->head.span, "E0164",
                           "the start of 'p(%s)' is given twice", start->target.name);
            return false;
        }
        *given |= MOMENTUM;
    }
    return true;
}

// Of a phase variable its value is given: its rate follows, and it is no velocity's momentum.
static bool is_value(LiaElaboration* e, const LiaPhrase* phrase) {
    bool momentum = phrase->momentum && !e->draft.phase.canonical;
    if (!e->draft.phase.is || (phrase->head.primes == 0 && !momentum)) return true;
    lia_diag_error(e->context->diags, phrase->head.span, "E0362",
                   phrase->momentum
                       ? "a phase variable has no momentum of its own"
                       : "the rate of a phase variable follows from the brackets and the "
                         "Hamiltonian");
    lia_diag_help(e->context->diags, "give the values of the phase variables");
    return false;
}

static void add_start(LiaElaboration* e, void* of, const int64_t* at) {
    const LiaPhrase* phrase = of;
    const LiaHead* head = &phrase->head;
    LiaDiags* diags = e->context->diags;
    uint32_t bindings = e->machine.bindings.count - head->index_count;
    LiaValue value = lia_machine_run(e, phrase->right, &start_setting, bindings);
    if (head->symbol == e->given.t) {
        lia_diag_error(diags, head->span, "E0165", "the time is not a start value");
        lia_diag_help(diags, "say it in 'run t = 0..10'");
        return;
    }
    Beginning start = {.phrase = phrase, .velocity = head->primes == 1 || phrase->turning};
    start.target =
        lia_group_target(e, head, at, "only coordinates and velocities have start values");
    if (start.target.member != 0 && head->primes > 1) {
        lia_diag_error(diags, head->span, "E0163", "an acceleration has no start value");
        lia_diag_help(diags, "it follows from the forces");
        return;
    }
    value = lia_definition_measure(e, value, &phrase->unit);
    if (start.target.member == 0 || value.kind == LIA_VALUE_POISON || !is_value(e, phrase)) {
        return;
    }
    if (phrase->momentum && head->primes > 0) {
        lia_diag_error(diags, head->span, "E0163", "p() takes a coordinate, not a velocity");
        return;
    }
    if (phrase->momentum) {
        if (momentum_is_new(e, &start)) start_momentum(e, &start, &value);
        return;
    }
    if (start.velocity && !lia_group_check_turning(e, phrase, &start.target)) {
        return;
    }
    if (start.target.count == 1) {
        start_scalar(e, &start, &value);
    } else if (start.target.count == 4 && !start.velocity) {
        start_rotation(e, &start, &value);
    } else {
        start_vector(e, &start, &value);
    }
}

void lia_run_statements_start(LiaElaboration* e, const LiaStatement* statement) {
    if (!e->started) {
        e->started = lia_context_scratch(e->context, e->draft.coordinates.count + 1);
    }
    for (uint32_t i = 0; i < statement->phrase_count; i++) {
        LiaPhrase* phrase = &statement->phrases[i];
        lia_scope_walk(e, &phrase->head, e->machine.bindings.count, add_start, phrase);
    }
}

// A finite number; false with an error said.
static bool run_number(LiaElaboration* e, LiaCode code, const char* what, double* out,
                       LiaExpr* term) {
    LiaValue value = lia_machine_run(e, code, &run_setting, e->machine.bindings.count);
    if (!lia_value_need_scalar(&e->work, &value, what)) {
        return false;
    }
    if (!lia_value_peek(&e->work, &value, out) || !isfinite(*out)) {
        lia_diag_error(e->context->diags, code.span, "E0158", "%s is not a finite number", what);
        return false;
    }
    if (term) {
        *term = lia_value_at(&e->work, &value, 0);
    } else {
        lia_value_decide(&e->work, &value, LIA_DECISION_VALUE);
    }
    return true;
}

static bool is_given(LiaCode code) { return code.begin != code.end; }

static void say_run(LiaElaboration* e, LiaCode code, const char* message) {
    lia_diag_error(e->context->diags, code.span, "E0166", "%s", message);
}

void lia_run_statements_run(LiaElaboration* e, const LiaStatement* statement) {
    LiaRunStatement* run = &e->draft.run;
    run->span = statement->span;
    if (!is_given(statement->run.t0)) {
        lia_diag_error(e->context->diags, statement->span, "E0166", "'run' does not say how long");
        lia_diag_help(e->context->diags, "write 'run t = 0..10'");
        return;
    }
    run->given = run_number(e, statement->run.t0, "the start time", &run->t0, &run->t0_term);
    run->given =
        run_number(e, statement->run.t1, "the end time", &run->t1, &run->t1_term) && run->given;
    if (is_given(statement->run.tolerance) &&
        run_number(e, statement->run.tolerance, "the tolerance", &run->tolerance,
                   &run->tolerance_term) &&
        !(run->tolerance > 0.0 && run->tolerance < 1.0)) {
        say_run(e, statement->run.tolerance, "the tolerance must lie between 0 and 1");
    }
    double samples = 0.0;
    if (is_given(statement->run.samples) &&
        run_number(e, statement->run.samples, "the number of samples", &samples, NULL)) {
        if (!(samples >= 2.0 && samples <= 1e9) || samples != floor(samples)) {
            say_run(e, statement->run.samples,
                    "the number of samples must be a whole number from 2 to 1e9");
        } else {
            run->samples = (uint32_t)samples;
        }
    }
    if (is_given(statement->run.every) &&
        run_number(e, statement->run.every, "'every'", &run->every, &run->every_term)) {
        if (!(run->every > 0.0)) {
            say_run(e, statement->run.every, "the time between samples must be positive");
        } else if (run->given && fabs(run->t1 - run->t0) / run->every > 1e9) {
            say_run(e, statement->run.every, "these are more than 1e9 samples");
        }
    }
    if (is_given(statement->run.step_most) &&
        run_number(e, statement->run.step_most, "the longest step", &run->step_most,
                   &run->step_most_term) &&
        !(run->step_most > 0.0)) {
        say_run(e, statement->run.step_most, "the longest step must be positive");
    }
    if (is_given(statement->run.samples) && is_given(statement->run.every)) {
        say_run(e, statement->run.every,
                "'samples' and 'every' say the same thing: give one of them");
    }
}

// `plot NAME` of an observed quantity is drawn in the unit it is observed in.
static const LiaUnitClause* observed_unit(const LiaElaboration* e, LiaCode code) {
    const LiaSyntaxNode* node = &e->syntax->nodes.items[code.end - 1];  // the last: what it is
    if (node->kind != LIA_NODE_NAME && node->kind != LIA_NODE_MEMBER) {
        return NULL;
    }
    const LiaDeclaration* d =
        &e->declarations.items[e->context->names.items[node->symbol].declaration];
    return d->keyword == LIA_KEYWORD_OBSERVE && d->phrase && d->phrase->unit.given
               ? &d->phrase->unit
               : NULL;
}

typedef LIA_VECTOR(LiaCurve) Curves;

static bool add_curves(LiaElaboration* e, const LiaPhrase* phrase, Curves* curves) {
    LiaValue value =
        lia_machine_run(e, phrase->right, &lia_machine_free_setting, e->machine.bindings.count);
    if (value.kind == LIA_VALUE_POISON) {
        return false;
    }
    if (value.kind != LIA_VALUE_NUMBER) {
        lia_diag_error(
            e->context->diags, phrase->span, "E0137", "a curve is of numbers, '%s' is %s",
            lia_context_quote(e->context, phrase->span), lia_value_words(&e->work, &value));
        return false;
    }
    const LiaUnitClause* observed = observed_unit(e, phrase->right);
    if (observed && observed->measure.value != 1.0) {
        LiaValue scale =
            lia_value_literal(lia_number_double(1.0 / observed->measure.value), phrase->span);
        value = lia_value_multiply(&e->work, &value, &scale, phrase->span);
    }
    for (uint32_t i = 0; i < lia_value_count(&value); i++) {
        LiaExpr term = lia_value_at(&e->work, &value, i);
        if (observed) {
            *LIA_ADD(e->context, *curves) = (LiaCurve){
                term, lia_labels_part(e, lia_context_quote(e->context, phrase->span), &value, i),
                observed->text};
            continue;
        }
        LiaCurve curve = {
            term, lia_labels_part(e, lia_context_quote(e->context, phrase->span), &value, i),
            lia_labels_unit(e, &value, term)};
        *LIA_ADD(e->context, *curves) = curve;
    }
    return true;
}

void lia_run_statements_plot(LiaElaboration* e, const LiaStatement* statement) {
    Curves curves = {0};
    bool good = true;
    uint32_t over = 0;
    for (uint32_t i = 0; i < statement->phrase_count; i++) {
        good = add_curves(e, &statement->phrases[i], &curves) && good;
        over = i == 0 ? curves.count : over;
    }
    if (!good) {
        return;
    }
    if (statement->over && over != 1) {
        lia_diag_error(e->context->diags, statement->phrases[0].span, "E0132",
                       "what the curves are drawn over must be a scalar");
        return;
    }
    LiaPlot plot = {.span = statement->span};
    uint32_t first = 0;
    if (statement->over || curves.count > 1) {  // a single curve is drawn over t
        plot.x = curves.items[0];
        first = 1;
        if (lia_graph_is_symbol(e->work.terms.graph, plot.x.term, LIA_SYMBOL_TIME)) {
            plot.x.term = (LiaExpr){0};
        }
    } else {
        plot.x.label = "t";
    }
    uint32_t count = curves.count - first;
    LiaCurve* kept = lia_context_keep(e->context, (count + 1) * sizeof *kept);
    memcpy(kept, curves.items + first, count * sizeof *kept);
    plot.curves = kept;
    plot.count = count;
    *LIA_ADD(e->context, e->draft.plots) = plot;
}
