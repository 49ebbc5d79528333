// Which formula of the model's text has no value at a state.
//
// What runs are derivatives, and one of them is the first to go wrong: 1/x, where the text says log(x). So the
// terms are evaluated once more as they were written. To blame is the first one, in the order of
// computation, that has no finite value though its arguments have. Branches of `if` that are not taken
// do not count, nor does what is known only along a motion (E', force(NAME)).
//
// Where a law of the time alone has a pole near an instant, it is looked for by Newton's rule in what a formula divides by.
//
// Where all have values and their derivatives are too large for numbers, to blame is the first one that is large, beside the
// largest of all, though its arguments are not: exp(1000*x), not x.
// SPDX-License-Identifier: MIT
#include "mechanics/assembly/domain.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/graph.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Evaluation {
    const LiaModel* model;
    double* value;
    bool* known;   // has a value, finite or not, that can be told here
    bool* wanted;  // the part in question is made of it
    double t;
    const double *parameters, *q, *v;  // q, v: NULL where what depends on them does not matter
    double most;             // largest value of all that is wanted, once it was looked for
    double *before, *after;  // values a little earlier and later, and by how much: for poles
    double aside, near;      // how far from t a pole may be
    // Is this term to blame, and not one of the `count` below it?
    bool (*blamed)(struct Evaluation* e, LiaTermId id, const LiaTermId* below, int count);
} Evaluation;

static const LiaOp function_ops[LIA_FUNCTION_COUNT] = {
#define LIA_FUNCTION(id, name, arity) [LIA_FUNCTION_##id] = LIA_OP_##id,
#include "lang/value/functions.def"
#undef LIA_FUNCTION
};

// What stands below a term, as far as its value needs it; returns how many.
static int arguments(const Evaluation* e, LiaTermId id, LiaTermId out[3]) {
    const LiaTerm* term = &e->model->terms[id];
    if (term->op == LIA_TERM_CONTROL) {
        out[0] = e->model->controls[term->index].term;
        return 1;
    }
    if (term->op < LIA_TERM_NEG) return 0;
    if (term->op == LIA_TERM_IF) {
        out[0] = term->a;
        if (!e->known[term->a]) return 1;
        out[1] = e->value[term->a] != 0.0 ? term->b : term->c;
        return 2;
    }
    const LiaTermId all[3] = {term->a, term->b, term->c};
    int count = 0;
    for (int i = 0; i < 3; i++) {
        if (all[i]) out[count++] = all[i];
    }
    return count;
}

static double combine(const Evaluation* e, const LiaTerm* term) {
    double a = e->value[term->a], b = e->value[term->b];
    switch ((LiaTermOp)term->op) {
    case LIA_TERM_NEG:
        return -a;
    case LIA_TERM_CALL:
        return lia_op_value(function_ops[term->function], a, b, 0.0);
    case LIA_TERM_IF:
        return a != 0.0 ? b : e->value[term->c];
    case LIA_TERM_NOT:
        return a == 0.0;
    default:
        return lia_term_combine((LiaTermOp)term->op, a, b);
    }
}

static void evaluate(Evaluation* e, LiaTermId id) {
    const LiaTerm* term = &e->model->terms[id];
    LiaTermId below[3];
    int count = arguments(e, id, below);
    e->known[id] = true;
    for (int i = 0; i < count; i++) e->known[id] = e->known[id] && e->known[below[i]];
    switch ((LiaTermOp)term->op) {
    case LIA_TERM_NUMBER:
        e->value[id] = term->number;
        break;
    case LIA_TERM_PI:
        e->value[id] = 3.14159265358979323846;
        break;
    case LIA_TERM_TIME:
        e->value[id] = e->t;
        break;
    case LIA_TERM_PARAMETER:
        e->value[id] = e->parameters[term->index];
        break;
    case LIA_TERM_COORDINATE:
        e->known[id] = e->q != NULL;
        if (e->q) e->value[id] = e->q[term->index];
        break;
    case LIA_TERM_VELOCITY:
        e->known[id] = e->v != NULL;
        if (e->v) e->value[id] = e->v[term->index];
        break;
    case LIA_TERM_CONTROL:
        e->value[id] = e->value[below[0]];
        break;
    case LIA_TERM_NONE:
    case LIA_TERM_ACCELERATION:
    case LIA_TERM_QUANTITY:
    case LIA_TERM_PRIME:
        e->known[id] = false;
        break;
    default:
        e->value[id] = combine(e, term);
    }
}

static bool has_no_value(Evaluation* e, LiaTermId id, const LiaTermId* below, int count) {
    bool sound = true;
    for (int i = 0; i < count; i++) sound = sound && isfinite(e->value[below[i]]);
    return e->known[id] && sound && !isfinite(e->value[id]);
}

static bool note_most(Evaluation* e, LiaTermId id, const LiaTermId* below, int count) {
    (void)below, (void)count;
    if (e->known[id]) e->most = fmax(e->most, fabs(e->value[id]));
    return false;
}

static bool becomes_large(Evaluation* e, LiaTermId id, const LiaTermId* below, int count) {
    double large = sqrt(e->most);
    bool small = count > 0;
    for (int i = 0; i < count; i++) small = small && fabs(e->value[below[i]]) <= large;
    return e->known[id] && small && fabs(e->value[id]) > large;
}

static bool is_largest(Evaluation* e, LiaTermId id, const LiaTermId* below, int count) {
    (void)below;
    return e->known[id] && count > 0 && fabs(e->value[id]) == e->most;
}

// The first term below the wanted ones that is to blame; 0: none.
static LiaTermId first_blamed(Evaluation* e) {
    LiaTermId found = 0;
    for (LiaTermId id = e->model->terms_count - 1; id > 0; id--) {
        if (!e->wanted[id]) continue;
        LiaTermId below[3];
        int count = arguments(e, id, below);
        for (int i = 0; i < count; i++) e->wanted[below[i]] = true;
        if (e->blamed(e, id, below, count)) found = id;
    }
    memset(e->wanted, 0, e->model->terms_count * sizeof *e->wanted);
    return found;
}

static void want_form(Evaluation* e, const LiaForm* form) {
    for (uint32_t i = 0; i < form->count; i++) {
        e->wanted[form->parts[i].coefficient] = true;
        e->wanted[form->parts[i].of] = true;
    }
}

static LiaTermId search_constraint(Evaluation* e, uint32_t i, LiaText* place) {
    const LiaConstraint* c = &e->model->constraints[i];
    if (c->internal || c->gap) return 0;  // a place of contact that is lost: said in other words
    for (uint32_t j = 0; j < c->equation_count; j++) {
        e->wanted[c->equations[j].left] = e->wanted[c->equations[j].right] = true;
    }
    for (uint32_t j = 0; j < c->form_count; j++) want_form(e, &c->forms[j]);
    LiaTermId found = first_blamed(e);
    if (found) lia_text_add(place, c->active ? " in the law of '%s'" : " in '%s'", c->name);
    return found;
}

// Part by part of the model, so that the part can be named.
static LiaTermId search(Evaluation* e, LiaText* place) {
    static const char* const kinds[] = {"Lagrangian", "kinetic energy", "potential"};
    const LiaModel* m = e->model;
    LiaTermId found = 0;
    for (uint32_t i = 0; i < m->energies_count; i++) {
        e->wanted[m->energies[i].term] = true;
        found = first_blamed(e);
        if (found) return lia_text_add(place, " in the %s", kinds[m->energies[i].kind]), found;
    }
    for (uint32_t i = 0; i < m->forces_count; i++) {
        want_form(e, &m->forces[i].form);
        found = first_blamed(e);
        if (found) return lia_text_add(place, " in '%s'", m->forces[i].name), found;
    }
    for (uint32_t i = 0; i < m->dissipations_count; i++) {
        e->wanted[m->dissipations[i].term] = true;
        found = first_blamed(e);
        if (found) return lia_text_add(place, " in the dissipation"), found;
    }
    for (uint32_t i = 0; i < m->constraints_count && !found; i++) {
        found = search_constraint(e, i, place);
    }
    return found;
}

void lia_domain_quote(const LiaModel* model, LiaSpan span, LiaText* out) {
    enum { MOST = 60 };
    const char* text = model->source.text;
    uint32_t end = span.begin;
    while (end < span.end && end < model->source.length && (unsigned char)text[end] >= ' ' &&
           text[end] != '#' && end - span.begin < MOST) {
        end++;
    }
    while (end > span.begin && ((unsigned char)text[end] & 0xC0) == 0x80) end--;
    lia_text_add(out, "'%.*s%s'", (int)(end - span.begin), text + span.begin,
                 end < span.end ? "..." : "");
}

static void say(const Evaluation* e, LiaTermId id, LiaText* why) {
    const LiaTerm* term = &e->model->terms[id];
    if (term->op == LIA_TERM_DIV && e->value[term->b] == 0.0) {
        lia_text_add(why, "it divides by zero");
    } else if (term->op == LIA_TERM_CALL && !term->b) {
        lia_text_add(why, "its argument is %.6g", e->value[term->a]);
    } else if (term->op == LIA_TERM_POW) {
        lia_text_add(why, "it is %.6g to the power of %.6g", e->value[term->a], e->value[term->b]);
        if (isinf(e->value[id]) && e->value[term->a] != 0.0) lia_text_add(why, ", too large");
    } else {
        lia_text_add(why, "it is too large");
    }
}

static bool begin(Evaluation* e) {
    uint32_t n = e->model->terms_count;
    e->value = lia_memory_zeros((size_t)n + 1, sizeof *e->value);
    e->known = lia_memory_zeros((size_t)n + 1, sizeof *e->known);
    e->wanted = lia_memory_zeros((size_t)n + 1, sizeof *e->wanted);
    if (!e->value || !e->known || !e->wanted) return false;
    for (LiaTermId id = 1; id < n; id++) evaluate(e, id);
    return true;
}

static void end(Evaluation* e) {
    free(e->value);
    free(e->known);
    free(e->wanted);
}

bool lia_domain_left(const LiaModel* model, const double* parameters, double t, const double* q,
                     const double* v, LiaText* what, LiaSpan* span) {
    Evaluation e = {.model = model, .t = t, .parameters = parameters, .q = q, .v = v};
    LiaText place = {0};
    e.blamed = has_no_value;
    LiaTermId found = begin(&e) ? search(&e, &place) : 0;
    if (found) {
        *span = model->terms[found].span;
        lia_domain_quote(model, *span, what);
        lia_text_add(what, "%s is not a number: ", place.data ? place.data : "");
        say(&e, found, what);
    }
    lia_text_clear(&place);
    end(&e);
    return found != 0;
}

bool lia_domain_law(const LiaModel* model, uint32_t constraint, const double* parameters, double t,
                    LiaText* what, LiaSpan* span) {
    Evaluation e = {.model = model, .t = t, .parameters = parameters};
    LiaText place = {0};
    e.blamed = has_no_value;
    LiaTermId found = begin(&e) ? search_constraint(&e, constraint, &place) : 0;
    if (found) {
        *span = model->terms[found].span;
        lia_domain_quote(model, *span, what);
        lia_text_add(what, ": ");
        say(&e, found, what);
    }
    lia_text_clear(&place);
    end(&e);
    return found != 0;
}

// --- poles -------------------------------------------------------------------------------------------

// What a formula must not have zero of, from the values of all terms: 1 where it has no such number.
static double critical(const LiaModel* model, const double* value, LiaTermId id) {
    const LiaTerm* term = &model->terms[id];
    double a = value[term->a], b = value[term->b];
    if (term->op == LIA_TERM_DIV) return b;
    if (term->op == LIA_TERM_POW) return b < 0.0 || b != floor(b) ? a : 1.0;
    if (term->op != LIA_TERM_CALL) return 1.0;
    switch ((LiaFunction)term->function) {
    case LIA_FUNCTION_TAN:
        return cos(a);
    case LIA_FUNCTION_LOG:
    case LIA_FUNCTION_SQRT:
        return a;
    case LIA_FUNCTION_ASIN:
    case LIA_FUNCTION_ACOS:
        return 1.0 - a * a;
    default:
        return 1.0;
    }
}

// Newton's step from t to the zero of a formula's critical number; INFINITY: none.
static double step_to_zero(const Evaluation* e, LiaTermId id) {
    double slope = critical(e->model, e->after, id) - critical(e->model, e->before, id);
    double step = -critical(e->model, e->value, id) * 2.0 * e->aside / slope;
    return isfinite(step) ? step : INFINITY;
}

// Does the time alone decide what must not be zero?
static bool is_timed(const LiaModel* model, LiaTermId id) {
    const LiaTerm* term = &model->terms[id];
    uint16_t has = model->terms[term->op == LIA_TERM_DIV ? term->b : term->a].has;
    if (term->op == LIA_TERM_POW) has |= model->terms[term->b].has;
    return !(has & ~(LIA_HAS_T | LIA_HAS_CONTROL));
}

static bool has_pole(Evaluation* e, LiaTermId id, const LiaTermId* below, int count) {
    (void)below, (void)count;
    return is_timed(e->model, id) && fabs(step_to_zero(e, id)) <= e->near;
}

static void evaluate_at(Evaluation* e, double t, double* value) {
    double* kept = e->value;
    e->t = t;
    e->value = value;
    for (LiaTermId id = 1; id < e->model->terms_count; id++) evaluate(e, id);
    e->value = kept;
}

// Values at t and at both sides of it.
static void look_around(Evaluation* e, double t) {
    evaluate_at(e, t - e->aside, e->before);
    evaluate_at(e, t + e->aside, e->after);
    evaluate_at(e, t, e->value);
}

enum {
    STEPS_MOST = 60
};  // halvings; a pole of higher order is neared by a constant part in each step

// Where a number is 0 from some time on, as max(0, 2 - t): the first such time between `from`, where it is not, and `to`.
static double find_first(Evaluation* e, LiaTermId id, double from, double to) {
    for (int k = 0; k < STEPS_MOST; k++) {
        double middle = from + (to - from) / 2.0;
        evaluate_at(e, middle, e->value);
        if (critical(e->model, e->value, id) == 0.0) {
            to = middle;
        } else {
            from = middle;
        }
    }
    return to;
}

static double find_zero(Evaluation* e, LiaTermId id) {
    double from = e->t, t = from;
    for (int k = 0; k < STEPS_MOST; k++) {
        double step = step_to_zero(e, id);
        if (!(fabs(t + step - from) <= 2.0 * e->near)) break;
        t += step;
        if (fabs(step) <= LIA_NEWTON_OF_TIME * fabs(t)) break;
        look_around(e, t);
    }
    if (critical(e->model, e->value, id) == 0.0 && t != from) t = find_first(e, id, from, t);
    return fabs(t) > LIA_ZERO_OF_TIME * e->near ? t : 0.0;
}

static const char* say_pole(const LiaTerm* term) {
    if (term->op == LIA_TERM_DIV) return "divides by zero";
    if (term->op == LIA_TERM_POW) return "is a power of zero";
    switch ((LiaFunction)term->function) {
    case LIA_FUNCTION_TAN:
        return "has a pole";
    case LIA_FUNCTION_LOG:
        return "has the argument 0";
    case LIA_FUNCTION_SQRT:
        return "has the argument 0, where it has no derivative,";
    default:
        return "comes to the end of its range, where it has no derivative,";
    }
}

bool lia_domain_pole(const LiaModel* model, const double* parameters, double t, double near,
                     LiaText* what, LiaSpan* span) {
    Evaluation e = {.model = model, .parameters = parameters, .near = near, .aside = 0.1 * near};
    size_t n = (size_t)model->terms_count + 1;
    LiaText place = {0};
    LiaTermId found = 0;
    e.before = lia_memory_zeros(n, sizeof *e.before);
    e.after = lia_memory_zeros(n, sizeof *e.after);
    e.blamed = has_pole;
    if (e.before && e.after && begin(&e)) {
        look_around(&e, t);
        found = search(&e, &place);
    }
    if (found) {
        *span = model->terms[found].span;
        lia_domain_quote(model, *span, what);
        lia_text_add(what, "%s %s at t = ", place.data ? place.data : "",
                     say_pole(&model->terms[found]));
        lia_text_add_short(what, find_zero(&e, found), 10);
    }
    lia_text_clear(&place);
    end(&e);
    free(e.before);
    free(e.after);
    return found != 0;
}

bool lia_domain_overflows(const LiaModel* model, const double* parameters, double t,
                          const double* q, const double* v, LiaText* what, LiaSpan* span) {
    Evaluation e = {.model = model, .t = t, .parameters = parameters, .q = q, .v = v};
    LiaText place = {0};
    LiaTermId found = 0;
    if (begin(&e)) {
        e.blamed = note_most;
        search(&e, &place);
        e.blamed = becomes_large;
        found = search(&e, &place);
        e.blamed = is_largest;
        if (!found) found = search(&e, &place);
    }
    if (found) {
        *span = model->terms[found].span;
        lia_domain_quote(model, *span, what);
        lia_text_add(what, "%s is %.3g, and its derivatives are too large for numbers",
                     place.data ? place.data : "", e.value[found]);
    }
    lia_text_clear(&place);
    end(&e);
    return found != 0;
}
