// Which formula of the model's text has no value at a state.
//
// What runs are derivatives, and one of them is the first to go wrong: 1/x, where the text says
// log(x). So the formulas of the model are evaluated once more. To blame is the first one, in the
// order of computation, that has no finite value though its arguments have. Branches of `if` that
// are not taken do not count, nor does what is known only along a motion (E', force(NAME)).
//
// Where a law of the time alone has a pole near an instant, it is looked for by Newton's rule in
// what a formula divides by.
//
// Where all have values and their derivatives are too large for numbers, to blame is the first one
// that is large relative to the largest of all, though its arguments are not: exp(1000*x), not x.
// SPDX-License-Identifier: MIT
#include "mechanics/diagnosis/domain.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Evaluation {
    const LiaModel* model;
    const LiaGraph* g;
    double* value;  // by node; value[0] is 0
    bool* known;    // has a value, finite or not, that is known here
    bool* wanted;   // the part in question is made of it
    LiaSpan part;   // and its text
    double t;
    const double *parameters, *q, *v;  // q, v: NULL where what depends on them does not matter
    double most;             // largest value of all that is wanted, once it was looked for
    double *before, *after;  // values a little earlier and later, and by how much: for poles
    double aside, near;      // how far from t a pole may be
    // Is this node to blame, and not one of the `count` below it?
    bool (*blamed)(struct Evaluation* e, uint32_t node, const uint32_t* below, int count);
} Evaluation;

// What stands below a node, as far as its value needs it; returns how many.
static int arguments(const Evaluation* e, uint32_t node, uint32_t out[3]) {
    const LiaNode* n = &e->g->nodes[node];
    out[0] = n->a, out[1] = n->b, out[2] = n->c;
    if (n->op == LIA_OP_SYMBOL && n->symbol_kind == LIA_SYMBOL_CONTROL) {
        out[0] = e->model->controls[n->a].term.index;
        return 1;
    }
    if (n->op != LIA_OP_IF) return lia_op_arity((LiaOp)n->op);
    if (!e->known[n->a]) return 1;
    out[1] = e->value[n->a] != 0.0 ? n->b : n->c;
    return 2;
}

// The arguments of a node stand before it, the law of a control before its symbol.
static void evaluate(Evaluation* e, uint32_t node) {
    const LiaNode* n = &e->g->nodes[node];
    const LiaSymbols at = {.t = e->t, .parameters = e->parameters, .q = e->q, .v = e->v};
    uint32_t below[3];
    int count = arguments(e, node, below);
    bool control = n->op == LIA_OP_SYMBOL && n->symbol_kind == LIA_SYMBOL_CONTROL;
    e->value[node] =
        control ? e->value[below[0]] : lia_evaluate_node(e->g, (LiaExpr){node}, e->value, &at);
    e->known[node] = n->op != LIA_OP_SYMBOL || control || n->symbol_kind == LIA_SYMBOL_TIME ||
                     n->symbol_kind == LIA_SYMBOL_PARAMETER ||
                     (n->symbol_kind == LIA_SYMBOL_POSITION && e->q) ||
                     (n->symbol_kind == LIA_SYMBOL_VELOCITY && e->v);
    for (int i = 0; i < count; i++) e->known[node] = e->known[node] && e->known[below[i]];
}

static bool has_no_value(Evaluation* e, uint32_t node, const uint32_t* below, int count) {
    bool sound = true;
    for (int i = 0; i < count; i++) sound = sound && isfinite(e->value[below[i]]);
    return e->known[node] && sound && !isfinite(e->value[node]);
}

// A node that euler() was written out to.
static bool is_of_euler(const Evaluation* e, uint32_t node) {
    static const char word[] = "euler";
    const LiaSource* source = &e->model->text.source;
    const LiaWritten* written = lia_written_find(e->model, (LiaExpr){node}, e->part);
    return written && written->span.begin + sizeof word <= source->length &&
           memcmp(source->text + written->span.begin, word, sizeof word - 1) == 0;
}

// The angle of a vector that is 0; Euler angles where the second one is at the end of its range.
static bool has_no_angle(Evaluation* e, uint32_t node, const uint32_t* below, int count) {
    const LiaNode* n = &e->g->nodes[node];
    bool root = n->op == LIA_OP_HYPOT, angle = n->op == LIA_OP_ATAN2, choice = n->op == LIA_OP_IF;
    if (!root && !angle && !choice) return false;
    for (int i = 0; i < count; i++) {
        if (!e->known[below[i]]) return false;
    }
    double a = e->value[n->a], b = e->value[n->b];
    if (angle && a == 0.0 && b == 0.0) return true;
    if (!is_of_euler(e, node)) return false;
    return (choice && a != 0.0) || (root && hypot(a, b) <= LIA_EULER_ANGLES_LOST);
}

static bool note_most(Evaluation* e, uint32_t node, const uint32_t* below, int count) {
    (void)below, (void)count;
    if (e->known[node]) e->most = fmax(e->most, fabs(e->value[node]));
    return false;
}

static bool becomes_large(Evaluation* e, uint32_t node, const uint32_t* below, int count) {
    double large = sqrt(e->most);
    bool small = count > 0;
    for (int i = 0; i < count; i++) small = small && fabs(e->value[below[i]]) <= large;
    return e->known[node] && small && fabs(e->value[node]) > large;
}

static bool is_largest(Evaluation* e, uint32_t node, const uint32_t* below, int count) {
    (void)below;
    return e->known[node] && count > 0 && fabs(e->value[node]) == e->most;
}

// The first node below the wanted ones, which are those of a part of the model with this text,
// that is to blame; 0: none.
static uint32_t first_blamed(Evaluation* e, LiaSpan part) {
    uint32_t found = 0;
    e->part = part;
    e->wanted[0] = false;
    for (uint32_t node = e->g->count - 1; node > 0; node--) {
        if (!e->wanted[node]) continue;
        uint32_t below[3];
        int count = arguments(e, node, below);
        for (int i = 0; i < count; i++) e->wanted[below[i]] = true;
        if (e->blamed(e, node, below, count)) found = node;
    }
    memset(e->wanted, 0, e->g->count * sizeof *e->wanted);
    return found;
}

static void want_form(Evaluation* e, const LiaForm* form) {
    for (uint32_t i = 0; i < form->count; i++) {
        e->wanted[form->parts[i].coefficient.index] = true;
        e->wanted[form->parts[i].of.index] = true;
    }
}

static uint32_t search_constraint(Evaluation* e, uint32_t i, LiaText* where) {
    const LiaConstraint* c = &e->model->constraints[i];
    if (c->internal || c->gap) return 0;  // a place of contact that is lost: said in other words
    for (uint32_t j = 0; j < c->equation_count; j++) {
        e->wanted[c->equations[j].left.index] = e->wanted[c->equations[j].right.index] = true;
    }
    for (uint32_t j = 0; j < c->form_count; j++) want_form(e, &c->forms[j]);
    uint32_t found = first_blamed(e, c->span);
    if (found) lia_text_add(where, c->active ? " in the law of '%s'" : " in '%s'", c->name);
    return found;
}

const char* lia_domain_energy_word(LiaEnergyKind kind) {
    static const char* const words[] = {[LIA_LAGRANGIAN] = "Lagrangian",
                                        [LIA_KINETIC] = "kinetic energy",
                                        [LIA_POTENTIAL] = "potential",
                                        [LIA_HAMILTONIAN] = "Hamiltonian"};
    return words[kind];
}

// Part by part of the model, so that the part can be named.
static uint32_t search(Evaluation* e, LiaText* where) {
    const LiaModel* m = e->model;
    uint32_t found = 0;
    for (uint32_t i = 0; i < m->energies_count; i++) {
        e->wanted[m->energies[i].term.index] = true;
        found = first_blamed(e, m->energies[i].span);
        if (!found) continue;
        lia_text_add(where, " in the %s", lia_domain_energy_word(m->energies[i].kind));
        return found;
    }
    for (uint32_t i = 0; i < m->forces_count; i++) {
        want_form(e, &m->forces[i].form);
        found = first_blamed(e, m->forces[i].form.span);
        if (found) return lia_text_add(where, " in '%s'", m->forces[i].name), found;
    }
    for (uint32_t i = 0; i < m->dissipations_count; i++) {
        e->wanted[m->dissipations[i].term.index] = true;
        found = first_blamed(e, m->dissipations[i].span);
        if (found) return lia_text_add(where, " in the dissipation"), found;
    }
    for (uint32_t i = 0; i < m->constraints_count && !found; i++) {
        found = search_constraint(e, i, where);
    }
    return found;
}

void lia_domain_quote(const LiaModel* model, LiaSpan span, LiaText* out) {
    enum { MOST = 60 };
    const char* text = model->text.source.text;
    uint32_t end = span.begin;
    while (end < span.end && end < model->text.source.length && (unsigned char)text[end] >= ' ' &&
           text[end] != '#' && end - span.begin < MOST) {
        end++;
    }
    while (end > span.begin && ((unsigned char)text[end] & 0xC0) == 0x80) end--;
    lia_text_add(out, "'%.*s%s'", (int)(end - span.begin), text + span.begin,
                 end < span.end ? "..." : "");
}

// The text that wrote a node, quoted.
static const LiaWritten* quote(const Evaluation* e, uint32_t node, LiaText* what, LiaSpan* span) {
    const LiaWritten* written = lia_written_find(e->model, (LiaExpr){node}, e->part);
    *span = written ? written->span : e->part;
    lia_domain_quote(e->model, *span, what);
    return written;
}

static void say(const Evaluation* e, uint32_t node, const LiaWritten* written, LiaText* why) {
    const LiaNode* n = &e->g->nodes[node];
    int arity = lia_op_arity((LiaOp)n->op);
    double a = arity > 0 ? e->value[n->a] : 0.0, b = arity > 1 ? e->value[n->b] : 0.0;
    if (n->op == LIA_OP_DIV && b == 0.0) {
        lia_text_add(why, "it divides by zero");
    } else if (n->op == LIA_OP_LOG && written && written->op == LIA_OP_POW) {
        lia_text_add(why, "its base is %.6g", a);  // x^y is exp(y*log(x))
    } else if (arity == 1) {
        lia_text_add(why, "its argument is %.6g", a);
    } else if (n->op == LIA_OP_POW) {
        lia_text_add(why, "it is %.6g to the power of %.6g", a, b);
        if (isinf(e->value[node]) && a != 0.0) lia_text_add(why, ", too large");
    } else {
        lia_text_add(why, "it is too large");
    }
}

static Evaluation evaluation_at(const LiaModel* model, const LiaSymbols* at) {
    return (Evaluation){
        .model = model, .t = at->t, .parameters = at->parameters, .q = at->q, .v = at->v};
}

static bool begin(Evaluation* e) {
    e->g = e->model->graph;
    uint32_t n = e->g->count;
    e->value = lia_memory_zeros(n, sizeof *e->value);
    e->known = lia_memory_zeros(n, sizeof *e->known);
    e->wanted = lia_memory_zeros(n, sizeof *e->wanted);
    if (!e->value || !e->known || !e->wanted) return false;
    for (uint32_t node = 1; node < n; node++) evaluate(e, node);
    return true;
}

static void end(Evaluation* e) {
    free(e->value);
    free(e->known);
    free(e->wanted);
}

bool lia_domain_left(const LiaModel* model, const LiaSymbols* at, LiaText* what, LiaSpan* span) {
    Evaluation e = evaluation_at(model, at);
    LiaText where = {0};
    e.blamed = has_no_value;
    uint32_t found = begin(&e) ? search(&e, &where) : 0;
    if (found) {
        const LiaWritten* written = quote(&e, found, what, span);
        lia_text_add(what, "%s is not a number: ", where.data ? where.data : "");
        say(&e, found, written, what);
    }
    lia_text_clear(&where);
    end(&e);
    return found != 0;
}

bool lia_domain_angle(const LiaModel* model, const LiaSymbols* at, LiaText* what, LiaSpan* span) {
    Evaluation e = evaluation_at(model, at);
    LiaText where = {0};
    e.blamed = has_no_angle;
    uint32_t found = begin(&e) ? search(&e, &where) : 0;
    if (found) {
        quote(&e, found, what, span);
        lia_text_add(what, "%s %s", where.data ? where.data : "",
                     is_of_euler(&e, found)
                         ? "has no derivative: the second angle is at the end of its range, where "
                           "only the sum or the difference of the other two is known"
                         : "is no angle: both of its arguments are 0");
    }
    lia_text_clear(&where);
    end(&e);
    return found != 0;
}

bool lia_domain_law(const LiaModel* model, uint32_t constraint, const double* parameters, double t,
                    LiaText* what, LiaSpan* span) {
    Evaluation e = {.model = model, .t = t, .parameters = parameters};
    LiaText where = {0};
    e.blamed = has_no_value;
    uint32_t found = begin(&e) ? search_constraint(&e, constraint, &where) : 0;
    if (found) {
        const LiaWritten* written = quote(&e, found, what, span);
        lia_text_add(what, ": ");
        say(&e, found, written, what);
    }
    lia_text_clear(&where);
    end(&e);
    return found != 0;
}

// --- poles --------------------------------------------------------------------------------------

// What a formula must not have zero of, from the values of all nodes: 1 where it has no such
// number.
static double critical(const LiaGraph* g, const double* value, uint32_t node) {
    const LiaNode* n = &g->nodes[node];
    int arity = lia_op_arity((LiaOp)n->op);
    double a = arity > 0 ? value[n->a] : 0.0, b = arity > 1 ? value[n->b] : 0.0;
    switch ((LiaOp)n->op) {
    case LIA_OP_DIV:  // by u^3: u, whose zero is a simple one
        return g->nodes[n->b].op == LIA_OP_POW ? value[g->nodes[n->b].a] : b;
    case LIA_OP_POW:
        return b < 0.0 || b != floor(b) ? a : 1.0;
    case LIA_OP_TAN:
        return cos(a);
    case LIA_OP_LOG:
    case LIA_OP_SQRT:
        return a;
    case LIA_OP_ASIN:
    case LIA_OP_ACOS:
        return 1.0 - a * a;
    default:
        return 1.0;
    }
}

// Newton's step from t to the zero of a formula's critical number; INFINITY: none.
static double step_to_zero(const Evaluation* e, uint32_t node) {
    double slope = critical(e->g, e->after, node) - critical(e->g, e->before, node);
    double step = -critical(e->g, e->value, node) * 2.0 * e->aside / slope;
    return isfinite(step) ? step : INFINITY;
}

// Does the time alone decide what must not be zero?
static bool is_timed(const LiaGraph* g, const LiaNode* n) {
    if (lia_op_arity((LiaOp)n->op) == 0) return false;
    unsigned has = g->nodes[n->op == LIA_OP_DIV ? n->b : n->a].depends;
    if (n->op == LIA_OP_POW) has |= g->nodes[n->b].depends;
    return !(has & ~(unsigned)(LIA_DEPENDS(PARAMETER) | LIA_DEPENDS(TIME) | LIA_DEPENDS(CONTROL)));
}

static bool has_pole(Evaluation* e, uint32_t node, const uint32_t* below, int count) {
    (void)below, (void)count;
    return is_timed(e->g, &e->g->nodes[node]) && fabs(step_to_zero(e, node)) <= e->near;
}

static void evaluate_at(Evaluation* e, double t, double* value) {
    double* kept = e->value;
    e->t = t;
    e->value = value;
    for (uint32_t node = 1; node < e->g->count; node++) evaluate(e, node);
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

// Where a number is 0 from some time on, as max(0, 2 - t): the first such time between `from`,
// where it is not, and `to`.
static double find_first(Evaluation* e, uint32_t node, double from, double to) {
    for (int k = 0; k < STEPS_MOST; k++) {
        double middle = from + (to - from) / 2.0;
        evaluate_at(e, middle, e->value);
        if (critical(e->g, e->value, node) == 0.0) {
            to = middle;
        } else {
            from = middle;
        }
    }
    return to;
}

static double find_zero(Evaluation* e, uint32_t node) {
    double from = e->t, t = from;
    for (int k = 0; k < STEPS_MOST; k++) {
        double step = step_to_zero(e, node);
        if (!(fabs(t + step - from) <= 2.0 * e->near)) break;
        t += step;
        if (fabs(step) <= LIA_NEWTON_OF_TIME * fabs(t)) break;
        look_around(e, t);
    }
    if (critical(e->g, e->value, node) == 0.0 && t != from) t = find_first(e, node, from, t);
    return fabs(t) > LIA_ZERO_OF_TIME * e->near ? t : 0.0;
}

static const char* say_pole(const LiaNode* n, const LiaWritten* written) {
    if (written && written->op == LIA_OP_POW) return "is a power of zero";  // u^-3 is 1/u^3
    switch ((LiaOp)n->op) {
    case LIA_OP_DIV:
        return "divides by zero";
    case LIA_OP_POW:
        return "is a power of zero";
    case LIA_OP_TAN:
        return "has a pole";
    case LIA_OP_LOG:
        return "has the argument 0";
    case LIA_OP_SQRT:
        return "has the argument 0, where it has no derivative,";
    default:
        return "comes to the end of its range, where it has no derivative,";
    }
}

bool lia_domain_pole(const LiaModel* model, const double* parameters, double t, double near,
                     LiaText* what, LiaSpan* span) {
    Evaluation e = {.model = model, .parameters = parameters, .near = near, .aside = 0.1 * near};
    size_t n = model->graph->count;
    LiaText where = {0};
    uint32_t found = 0;
    e.before = lia_memory_zeros(n, sizeof *e.before);
    e.after = lia_memory_zeros(n, sizeof *e.after);
    e.blamed = has_pole;
    if (e.before && e.after && begin(&e)) {
        look_around(&e, t);
        found = search(&e, &where);
    }
    if (found) {
        const LiaWritten* written = quote(&e, found, what, span);
        lia_text_add(what, "%s %s at t = ", where.data ? where.data : "",
                     say_pole(&e.g->nodes[found], written));
        lia_text_add_short(what, find_zero(&e, found), 10);
    }
    lia_text_clear(&where);
    end(&e);
    free(e.before);
    free(e.after);
    return found != 0;
}

bool lia_domain_overflows(const LiaModel* model, const LiaSymbols* at, LiaText* what,
                          LiaSpan* span) {
    Evaluation e = evaluation_at(model, at);
    LiaText where = {0};
    uint32_t found = 0;
    if (begin(&e)) {
        e.blamed = note_most;
        search(&e, &where);
        e.blamed = becomes_large;
        found = search(&e, &where);
        e.blamed = is_largest;
        if (!found) found = search(&e, &where);
    }
    if (found) {
        quote(&e, found, what, span);
        lia_text_add(what, "%s is %.3g, and its derivatives are too large for numbers",
                     where.data ? where.data : "", e.value[found]);
    }
    lia_text_clear(&where);
    end(&e);
    return found != 0;
}
