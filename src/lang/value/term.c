// Terms: making them, folding numbers, and the values of constant ones.
// SPDX-License-Identifier: MIT
#include "lang/value/term.h"
#include "base/memory/memory.h"
#include "base/watch.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void lia_term_begin(LiaTerms* terms, LiaContext* context) {
    *terms = (LiaTerms){.context = context};
}

void lia_term_clear(LiaTerms* terms) {
    free(terms->items);
    free(terms->constants);
    terms->items = NULL;
    terms->constants = NULL;
    terms->count = terms->capacity = 0;
}

void lia_term_work(LiaTerms* terms, uint64_t steps) {
    if (lia_watch_asked_often()) lia_context_stop(terms->context);
    terms->steps += steps;
    if (terms->steps > LIA_LIMIT_STEPS) {
        lia_diag_error(terms->context->diags, terms->at, "E0191",
                       "spelling the model out takes more than %d operations, the limit",
                       LIA_LIMIT_STEPS);
        lia_context_stop(terms->context);
    }
}

static void grow(LiaTerms* terms) {
    uint32_t capacity = terms->capacity ? terms->capacity * 2 : 256;
    LiaTerm* items = lia_memory_resize(terms->items, capacity * sizeof *items);
    if (items) {
        terms->items = items;
    }
    double* constants = lia_memory_resize(terms->constants, capacity * sizeof *constants);
    if (constants) {
        terms->constants = constants;
    }
    if (!items || !constants) {
        lia_context_out_of_memory(terms->context);
    }
    terms->capacity = capacity;
    if (terms->count == 0) {
        terms->items[0] = (LiaTerm){0};
        terms->constants[0] = NAN;
        terms->count = 1;
    }
}

static LiaTermId add(LiaTerms* terms, const LiaTerm* term, double constant) {
    if (terms->count >= LIA_LIMIT_TERMS) {
        lia_diag_error(terms->context->diags, terms->at, "E0190",
                       "the model has more than %d terms, the limit", LIA_LIMIT_TERMS);
        lia_context_stop(terms->context);
    }
    if (terms->count == terms->capacity) {
        grow(terms);
    }
    lia_term_work(terms, 1);
    terms->items[terms->count] = *term;
    terms->constants[terms->count] = constant;
    return terms->count++;
}

static uint32_t number_slot(const LiaTerms* terms, const LiaExact* number) {
    uint64_t bits = 0;
    memcpy(&bits, &number->number, sizeof bits);
    uint64_t h = (bits ^ (uint64_t)number->den * 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u;
    uint32_t slot = (uint32_t)(h >> 32) & (terms->number_capacity - 1);
    for (;; slot = (slot + 1) & (terms->number_capacity - 1)) {
        uint32_t id = terms->numbers[slot];
        if (id == 0) {
            return slot;
        }
        const LiaTerm* term = &terms->items[id];
        if (memcmp(&term->number, &number->number, sizeof(double)) == 0 &&
            term->num == number->num && term->den == number->den) {
            return slot;
        }
    }
}

static void grow_numbers(LiaTerms* terms) {
    uint32_t* old = terms->numbers;
    uint32_t old_capacity = terms->number_capacity;
    terms->number_capacity = old_capacity ? old_capacity * 2 : 64;
    terms->numbers =
        lia_context_scratch(terms->context, terms->number_capacity * sizeof *terms->numbers);
    for (uint32_t i = 0; i < old_capacity; i++) {
        if (old[i] != 0) {
            const LiaTerm* term = &terms->items[old[i]];
            LiaExact number = {term->number, term->num, term->den};
            terms->numbers[number_slot(terms, &number)] = old[i];
        }
    }
}

LiaTermId lia_term_number(LiaTerms* terms, LiaExact number, LiaSpan span) {
    if (2 * (terms->number_count + 1) > terms->number_capacity) {
        grow_numbers(terms);
    }
    if (number.number == 0.0) {
        number = lia_exact_whole(0);  // no negative zero
    }
    uint32_t slot = number_slot(terms, &number);
    if (terms->numbers[slot] == 0) {
        LiaTerm term = {.op = LIA_TERM_NUMBER,
                        .number = number.number,
                        .num = number.num,
                        .den = number.den,
                        .span = span};
        terms->numbers[slot] = add(terms, &term, number.number);
        terms->number_count++;
    }
    return terms->numbers[slot];
}

LiaTermId lia_term_whole(LiaTerms* terms, int64_t n, LiaSpan span) {
    return lia_term_number(terms, lia_exact_whole(n), span);
}

LiaTermId lia_term_pi(LiaTerms* terms, LiaSpan span) {
    if (terms->pi == 0) {
        LiaTerm term = {.op = LIA_TERM_PI, .span = span};
        terms->pi = add(terms, &term, 3.14159265358979323846);
    }
    return terms->pi;
}

LiaTermId lia_term_time(LiaTerms* terms, LiaSpan span) {
    if (terms->time == 0) {
        LiaTerm term = {.op = LIA_TERM_TIME, .has = LIA_HAS_T, .span = span};
        terms->time = add(terms, &term, NAN);
    }
    return terms->time;
}

LiaTermId lia_term_parameter(LiaTerms* terms, uint32_t index, double value, LiaSpan span) {
    LiaTerm term = {.op = LIA_TERM_PARAMETER, .index = index, .span = span};
    return add(terms, &term, value);
}

LiaTermId lia_term_control(LiaTerms* terms, uint32_t index, LiaSpan span) {
    LiaTerm term = {
        .op = LIA_TERM_CONTROL, .has = LIA_HAS_T | LIA_HAS_CONTROL, .index = index, .span = span};
    return add(terms, &term, NAN);
}

LiaTermId lia_term_argument(LiaTerms* terms, uint32_t index, LiaSpan span) {
    LiaTerm term = {.op = LIA_TERM_ARGUMENT, .has = LIA_HAS_Q, .index = index, .span = span};
    return add(terms, &term, NAN);
}

static LiaMotionTerms* motion_of(LiaTerms* terms, uint32_t coordinate) {
    while (terms->motions.count <= coordinate) {
        (void)LIA_ADD(terms->context, terms->motions);
    }
    return &terms->motions.items[coordinate];
}

static LiaTermId leaf(LiaTerms* terms, LiaTermId* place, LiaTermOp op, uint16_t has, uint32_t index,
                      LiaSpan span) {
    if (*place == 0) {
        LiaTerm term = {.op = (uint8_t)op, .has = has, .index = index, .span = span};
        *place = add(terms, &term, NAN);
    }
    return *place;
}

LiaTermId lia_term_coordinate(LiaTerms* terms, uint32_t index, LiaSpan span) {
    LiaTermId* place = &motion_of(terms, index)->position;
    return leaf(terms, place, LIA_TERM_COORDINATE, LIA_HAS_Q, index, span);
}

LiaTermId lia_term_velocity(LiaTerms* terms, uint32_t index, LiaSpan span) {
    LiaTermId* place = &motion_of(terms, index)->velocity;
    return leaf(terms, place, LIA_TERM_VELOCITY, LIA_HAS_V, index, span);
}

LiaTermId lia_term_quantity(LiaTerms* terms, LiaQuantity quantity, uint32_t index, uint32_t part,
                            LiaSpan span) {
    uint16_t has = LIA_HAS_T | LIA_HAS_Q | LIA_HAS_V;
    has |= quantity >= LIA_QUANTITY_FORCE ? LIA_HAS_FORCE : LIA_HAS_QUANTITY;
    LiaTerm term = {.op = LIA_TERM_QUANTITY,
                    .function = (uint8_t)quantity,
                    .has = has,
                    .index = index,
                    .part = part,
                    .span = span};
    return add(terms, &term, NAN);
}

bool lia_term_exact(const LiaTerms* terms, LiaTermId a, LiaExact* out) {
    const LiaTerm* term = &terms->items[a];
    *out = (LiaExact){term->number, term->num, term->den};
    return term->op == LIA_TERM_NUMBER;
}

bool lia_term_is(const LiaTerms* terms, LiaTermId a, int64_t n) {
    LiaExact number;
    return lia_term_exact(terms, a, &number) && lia_exact_equals(number, n);
}

static double wrapped(double angle) {
    const double turn = 6.28318530717958647692;
    double rest = remainder(angle, turn);
    return rest <= -turn / 2 ? rest + turn : rest;
}

double lia_term_apply(LiaFunction function, double a, double b) {
    switch (function) {
    case LIA_FUNCTION_SIN:
        return sin(a);
    case LIA_FUNCTION_COS:
        return cos(a);
    case LIA_FUNCTION_TAN:
        return tan(a);
    case LIA_FUNCTION_ASIN:
        return asin(a);
    case LIA_FUNCTION_ACOS:
        return acos(a);
    case LIA_FUNCTION_ATAN:
        return atan(a);
    case LIA_FUNCTION_ATAN2:
        return atan2(a, b);
    case LIA_FUNCTION_SINH:
        return sinh(a);
    case LIA_FUNCTION_COSH:
        return cosh(a);
    case LIA_FUNCTION_TANH:
        return tanh(a);
    case LIA_FUNCTION_EXP:
        return exp(a);
    case LIA_FUNCTION_LOG:
        return log(a);
    case LIA_FUNCTION_SQRT:
        return sqrt(a);
    case LIA_FUNCTION_ABS:
        return fabs(a);
    case LIA_FUNCTION_SIGN:
        return a > 0 ? 1.0 : a < 0 ? -1.0 : a;
    case LIA_FUNCTION_MIN:
        return a < b ? a : b;
    case LIA_FUNCTION_MAX:
        return a > b ? a : b;
    case LIA_FUNCTION_HYPOT:
        return hypot(a, b);
    case LIA_FUNCTION_WRAP:
        return wrapped(a);
    case LIA_FUNCTION_COUNT:
        break;
    }
    return NAN;
}

double lia_term_combine(LiaTermOp op, double a, double b) {
    switch (op) {
    case LIA_TERM_ADD:
        return a + b;
    case LIA_TERM_SUB:
        return a - b;
    case LIA_TERM_MUL:
        return a * b;
    case LIA_TERM_DIV:
        return a / b;
    case LIA_TERM_POW:
        return pow(a, b);
    case LIA_TERM_LESS:
        return a < b;
    case LIA_TERM_LESS_EQUAL:
        return a <= b;
    case LIA_TERM_AND:
        return a != 0.0 && b != 0.0;
    case LIA_TERM_OR:
        return a != 0.0 || b != 0.0;
    default:
        return NAN;
    }
}

LiaTermId lia_term_negate(LiaTerms* terms, LiaTermId a, LiaSpan span) {
    LiaExact number;
    if (lia_term_exact(terms, a, &number)) {
        return lia_term_number(terms, lia_exact_negate(number), span);
    }
    const LiaTerm* of = &terms->items[a];
    if (of->op == LIA_TERM_NEG) {
        return of->a;
    }
    LiaTerm term = {.op = LIA_TERM_NEG, .has = of->has, .a = a, .span = span};
    return add(terms, &term, -terms->constants[a]);
}

// NUMBER op NUMBER; false where it is better left as written.
static bool fold(LiaTermOp op, LiaExact a, LiaExact b, LiaExact* out) {
    switch (op) {
    case LIA_TERM_ADD:
        *out = lia_exact_add(a, b);
        break;
    case LIA_TERM_SUB:
        *out = lia_exact_add(a, lia_exact_negate(b));
        break;
    case LIA_TERM_MUL:
        *out = lia_exact_multiply(a, b);
        break;
    case LIA_TERM_DIV:
        if (b.number == 0.0) {
            return false;
        }
        *out = lia_exact_divide(a, b);
        break;
    case LIA_TERM_POW:
        return lia_exact_power(a, b, out);
    default:
        return false;
    }
    return isfinite(out->number);
}

// a op b without the operation: x + 0, x*1, 0*x, ...; 0 where there is no such way.
static LiaTermId shortcut(LiaTerms* terms, LiaTermOp op, LiaTermId a, LiaTermId b, LiaSpan span) {
    switch (op) {
    case LIA_TERM_ADD:
        return lia_term_is(terms, a, 0) ? b : lia_term_is(terms, b, 0) ? a : 0;
    case LIA_TERM_SUB:
        if (lia_term_is(terms, b, 0)) {
            return a;
        }
        return lia_term_is(terms, a, 0) ? lia_term_negate(terms, b, span) : 0;
    case LIA_TERM_MUL:
        if (lia_term_is(terms, a, 0) || lia_term_is(terms, b, 1)) {
            return a;
        }
        if (lia_term_is(terms, b, 0) || lia_term_is(terms, a, 1)) {
            return b;
        }
        return lia_term_is(terms, a, -1)   ? lia_term_negate(terms, b, span)
               : lia_term_is(terms, b, -1) ? lia_term_negate(terms, a, span)
                                           : 0;
    case LIA_TERM_DIV:
    case LIA_TERM_POW:
        return lia_term_is(terms, b, 1) ? a : 0;
    default:
        return 0;
    }
}

LiaTermId lia_term_binary(LiaTerms* terms, LiaTermOp op, LiaTermId a, LiaTermId b, LiaSpan span) {
    LiaExact x, y, result;
    if (lia_term_exact(terms, a, &x) && lia_term_exact(terms, b, &y) && fold(op, x, y, &result)) {
        return lia_term_number(terms, result, span);
    }
    LiaTermId same = shortcut(terms, op, a, b, span);
    if (same != 0) {
        return same;
    }
    uint16_t has = terms->items[a].has | terms->items[b].has;
    LiaTerm term = {.op = (uint8_t)op, .has = has, .a = a, .b = b, .span = span};
    double constant = has ? NAN : lia_term_combine(op, terms->constants[a], terms->constants[b]);
    return add(terms, &term, constant);
}

LiaTermId lia_term_same(LiaTerms* terms, LiaTermId a, LiaSpan span) {
    LiaTerm term = {.op = LIA_TERM_ADD, .has = terms->items[a].has, .a = a, .span = span};
    term.b = lia_term_whole(terms, 0, span);
    return add(terms, &term, terms->constants[a]);
}

LiaTermId lia_term_not(LiaTerms* terms, LiaTermId a, LiaSpan span) {
    LiaTerm term = {.op = LIA_TERM_NOT, .has = terms->items[a].has, .a = a, .span = span};
    return add(terms, &term, terms->constants[a] == 0.0);
}

LiaTermId lia_term_if(LiaTerms* terms, LiaTermId c, LiaTermId a, LiaTermId b, LiaSpan span) {
    uint16_t has = terms->items[c].has | terms->items[a].has | terms->items[b].has;
    LiaTerm term = {.op = LIA_TERM_IF, .has = has, .a = c, .b = a, .c = b, .span = span};
    double constant = has                          ? NAN
                      : terms->constants[c] != 0.0 ? terms->constants[a]
                                                   : terms->constants[b];
    return add(terms, &term, constant);
}

LiaTermId lia_term_call(LiaTerms* terms, LiaFunction function, LiaTermId a, LiaTermId b,
                        LiaSpan span) {
    uint16_t has = terms->items[a].has | (b ? terms->items[b].has : 0);
    LiaTerm term = {.op = LIA_TERM_CALL,
                    .function = (uint8_t)function,
                    .has = has,
                    .a = a,
                    .b = b,
                    .span = span};
    double constant = NAN;
    if (!has) {
        constant = lia_term_apply(function, terms->constants[a], b ? terms->constants[b] : 0.0);
    }
    return add(terms, &term, constant);
}

LiaTermId lia_term_prime(LiaTerms* terms, LiaTermId a, LiaSpan span) {
    const LiaTerm of = terms->items[a];
    if (of.has == 0) {
        return lia_term_whole(terms, 0, span);
    }
    if (of.has & (LIA_HAS_A | LIA_HAS_FORCE)) {
        return 0;
    }
    switch (of.op) {
    case LIA_TERM_TIME:
        return lia_term_whole(terms, 1, span);
    case LIA_TERM_COORDINATE:
        return lia_term_velocity(terms, of.index, span);
    case LIA_TERM_VELOCITY: {
        LiaTermId* place = &motion_of(terms, of.index)->acceleration;
        return leaf(terms, place, LIA_TERM_ACCELERATION, LIA_HAS_A, of.index, span);
    }
    default:
        break;
    }
    uint16_t has = of.has;
    has |= of.has & LIA_HAS_Q ? LIA_HAS_V : 0;
    has |= of.has & LIA_HAS_V ? LIA_HAS_A : 0;
    LiaTerm term = {.op = LIA_TERM_PRIME, .has = has, .a = a, .span = span};
    return add(terms, &term, NAN);
}

// Visit the parameters of a small constant. False if it is not constant, or not small.
static bool visit_parameters(LiaTerms* terms, LiaTermId a, bool mark) {
    enum { MOST = 64 };
    LiaTermId todo[MOST];
    int count = 0, visited = 0;
    todo[count++] = a;
    while (count > 0) {
        const LiaTerm* term = &terms->items[todo[--count]];
        if (term->has || ++visited > MOST || count + 3 > MOST) {
            return false;
        }
        LiaTermId of[] = {term->a, term->b, term->c};
        for (int k = 0; k < 3; k++) {
            if (of[k]) {
                todo[count++] = of[k];
            }
        }
        if (term->op != LIA_TERM_PARAMETER) {
            continue;
        }
        while (terms->structural.count <= term->index) {
            *LIA_ADD(terms->context, terms->structural) = false;
        }
        if (mark) {
            terms->structural.items[term->index] = true;
        } else if (!terms->structural.items[term->index]) {
            return false;
        }
    }
    return true;
}

void lia_term_decide(LiaTerms* terms, LiaDecisionKind kind, const LiaTermId* of, uint32_t count,
                     LiaSpan span) {
    bool numbers = true;
    for (uint32_t i = 0; i < count; i++) {
        numbers = numbers && (of[i] == 0 || terms->items[of[i]].op == LIA_TERM_NUMBER);
        if (terms->items[of[i]].has) {
            return;
        }
    }
    if (numbers) {
        return;
    }
    LiaTermId* kept = lia_context_keep(terms->context, count * sizeof *kept);
    double* values = lia_context_keep(terms->context, count * sizeof *values);
    memcpy(kept, of, count * sizeof *kept);
    for (uint32_t i = 0; i < count; i++) {
        values[i] = terms->constants[of[i]];
    }
    *LIA_ADD(terms->context, terms->decisions) = (LiaDecision){kind, count, kept, values, span};
}

void lia_term_mark_structural(LiaTerms* terms, LiaTermId a) { visit_parameters(terms, a, true); }

bool lia_term_is_structural(LiaTerms* terms, LiaTermId a) {
    return visit_parameters(terms, a, false);
}
