// The search for symmetries. See search.h.
// SPDX-License-Identifier: MIT
#include "geometry/symmetry/search.h"
#include "base/numeric/thresholds.h"
#include "geometry/classification/judge.h"
#include "geometry/sides.h"
#include "geometry/span.h"
#include "geometry/symmetry/relations.h"
#include "geometry/symmetry/turns.h"
#include <math.h>
#include <string.h>

enum {
    SEARCH_SIZE = 30,  // coordinates, at most
    SPARE = 6,         // states beyond the number of coefficients
    CONFIRMING = 6,    // states that confirm
    SPARE_FEW = 3,     // the same in haste: for a run, whose motion confirms too
    CONFIRMING_FEW = 2,
    CARRYING = 10,  // states at which it is asked what is carried along: many rows each
    SCALING = 3,    // states that say how large generators are
    DENOMINATOR_MOST = 12,
};

typedef struct Look {
    LiaJudge* j;
    LiaArena* arena;
    LiaSearch* out;
    LiaActions k;
    LiaSamples states;
    uint32_t finding;    // the first of them; the others confirm
    size_t count;        // candidates
    double* scale;       // of each, and of the energy last              (count + 1)
    LiaSum* rate;        // of the momenta, and of the energy last       (count + 1)
    double* value;       // <p, xi>, and the energy, at each state       (states x (count + 1))
    double* value_size;  // of their terms, the largest                  (count + 1)
    LiaRelations first, second, constant;
    LiaValues energy;
} Look;

// --- what a state says -------------------------------------------------------------------------

// xi(L) at a state that no constraint restricts; nearer and nearer where formulas have no value.
static bool look_anywhere(Look* x, uint32_t state) {
    for (double radius = 1.0; radius > LIA_SAMPLE_NEAREST; radius *= 0.5) {
        bool finite = true;
        lia_actions_look_anywhere(&x->k, &x->states, state, radius);
        for (size_t g = 0; g < x->count; g++) finite &= isfinite(x->k.change[g].value) != 0;
        if (finite) return true;
    }
    return false;
}

static void rates_of(Look* x) {
    const LiaActions* k = &x->k;
    for (size_t g = 0; g < x->count; g++) {
        x->rate[g].value = k->change[g].value + k->force[g].value + k->reaction[g].value;
        x->rate[g].size = k->change[g].size + k->force[g].size + k->reaction[g].size;
    }
    x->rate[x->count] = k->energy;
}

// Is the unit length of an attitude or a direction what this row keeps?
static bool internal(const Look* x, size_t row) {
    const LiaSystem* s = x->j->system;
    return s->model->constraints[s->rows[x->k.row[row]].constraint].internal;
}

// Momenta and energy at the state looked at last.
static void keep_values(Look* x, uint32_t state) {
    double* values = x->value + state * (x->count + 1);
    const LiaWorkspace* w = x->k.z->w;
    LiaSymbols at = {.t = w->t, .parameters = x->j->system->parameters, .q = w->q, .v = w->v};
    lia_evaluate_run(&x->energy, &at);
    for (size_t a = 0; a < x->count; a++) {
        values[a] = x->k.momentum[a].value;
        x->value_size[a] = fmax(x->value_size[a], x->k.momentum[a].size);
    }
    values[x->count] = lia_value(&x->energy, x->j->system->energy.total);
    x->value_size[x->count] = fmax(x->value_size[x->count], fabs(values[x->count]));
}

// Every condition as a row, given to `each` with the relations it belongs to.
typedef enum Problem { FIRST = 1, SECOND = 2, CONSTANT = 4 } Problem;
typedef void Each(Look* x, int problems, const LiaSum* sums, size_t stride);

static bool conditions(Look* x, uint32_t state, Each* each) {
    LiaActions* k = &x->k;
    size_t m = k->m, n = k->n;
    bool carries = state < CARRYING || (state >= x->finding && state < x->finding + SCALING);
    if (!lia_actions_look(k, &x->states, state, carries && !x->j->constants)) return false;
    keep_values(x, state);
    if (x->j->constants) {
        rates_of(x);
        if (k->solved) each(x, CONSTANT, x->rate, 1);
        return true;
    }
    each(x, FIRST | SECOND, k->change, 1);
    each(x, SECOND, k->force, 1);
    for (size_t r = 0; r < m; r++) {
        if (carries) each(x, FIRST, k->states + r, m);
        if (!internal(x, r)) each(x, SECOND, k->across + r, m);
    }
    for (size_t e = 0; carries && e < (m + 1) * n; e++) {
        each(x, FIRST, k->forms + e, (m + 1) * n);
    }
    rates_of(x);
    if (k->solved) each(x, CONSTANT, x->rate, 1);
    if (look_anywhere(x, state)) each(x, FIRST | SECOND, k->change, 1);
    return true;
}

static void add_row(Look* x, int problems, const LiaSum* sums, size_t stride) {
    if (problems & FIRST) lia_relations_add(&x->first, sums, stride);
    if (problems & SECOND) lia_relations_add(&x->second, sums, stride);
    if (problems & CONSTANT) lia_relations_add(&x->constant, sums, stride);
}

static void confirm_list(const Look* x, LiaFoundList* list, const LiaSum* sums, size_t stride) {
    for (uint32_t i = 0; i < list->count; i++) {
        LiaFound* f = &list->found[i];
        size_t count = x->count + (list == &x->out->constant);
        f->left = fmax(f->left, lia_relations_left(f->c, count, sums, stride));
        f->simple_left = fmax(f->simple_left, lia_relations_left(f->simple, count, sums, stride));
    }
}

static void confirm_row(Look* x, int problems, const LiaSum* sums, size_t stride) {
    LiaSearch* out = x->out;
    if (problems & FIRST) confirm_list(x, &out->first, sums, stride);
    if (problems & SECOND) confirm_list(x, &out->second, sums, stride);
    if (problems & CONSTANT) confirm_list(x, &out->constant, sums, stride);
}

// --- what was found ----------------------------------------------------------------------------

// <p, c xi> as a formula.
static LiaExpr combine(Look* x, const double* c) {
    LiaGraph* g = x->j->geometry->graph;
    const LiaSystem* s = x->j->system;
    LiaExpr sum = lia_graph_integer(g, 0);
    for (size_t i = 0; i < s->n; i++) {
        LiaExpr part = lia_graph_integer(g, 0);
        for (size_t a = 0; a < x->count; a++) {
            LiaExpr xi = x->out->candidates.xi[a * s->n + i];
            if (c[a] == 0.0 || lia_graph_is_zero(g, xi)) continue;
            part = lia_graph_add(g, part, lia_graph_mul(g, lia_geometry_number(g, c[a]), xi));
        }
        if (lia_graph_is_zero(g, part)) continue;
        sum = lia_graph_add(g, sum, lia_graph_mul(g, s->lagrange.p[i], part));
    }
    return sum;
}

// The same value at all states, but for rounding of its terms and of velocities that equations make
// zero.
static bool is_empty(const Look* x, const LiaFound* f) {
    double low = INFINITY, high = -INFINITY, size = 0.0, rounding = 0.0;
    for (uint32_t k = 0; k < x->states.count; k++) {
        const double* values = x->value + k * (x->count + 1);
        double sum = f->energy * values[x->count];
        for (size_t a = 0; a < x->count; a++) {
            sum += f->c[a] * values[a];
            size = fmax(size, fabs(f->c[a]) * x->value_size[a]);
            rounding = fmax(rounding, fabs(f->c[a]) * x->scale[a]);
        }
        low = fmin(low, sum), high = fmax(high, sum);
    }
    return !(high - low > LIA_IDENTITY * size + LIA_IDENTITY_LEAST * rounding);
}

// A fraction with a small denominator next to x, else x.
static double simple_number(double x) {
    for (int d = 1; d <= DENOMINATOR_MOST; d++) {
        double top = round(x * d);
        if (top != 0.0 && fabs(x * d - top) <= LIA_RELATION_NEARLY * fabs(top)) return top / d;
    }
    return x;
}

// The relations as they are, and with simple numbers in place of what is nearly one or nearly
// nothing.
static bool take_list(Look* x, const LiaRelations* from, LiaFoundList* list) {
    size_t n = from->count;
    list->found = LIA_ARENA_NEW(x->arena, LiaFound, from->found + 1);
    double* numbers = LIA_ARENA_NEW(x->arena, double, 2 * from->found * (x->count + 1) + 1);
    list->margin = from->margin;
    if (!list->found || !numbers) return false;
    for (uint32_t r = 0; r < from->found; r++) {
        double *c = numbers + 2 * r * (x->count + 1), *simple = c + x->count + 1, most = 0.0;
        memcpy(c, from->c + r * n, n * sizeof *c);
        for (size_t i = 0; i < n; i++) most = fmax(most, fabs(c[i]) * x->scale[i]);
        for (size_t i = 0; i < n; i++) {
            bool nothing = fabs(c[i]) * x->scale[i] < LIA_RELATION_NEARLY * most;
            simple[i] = nothing ? 0.0 : simple_number(c[i]);
        }
        list->found[list->count++] = (LiaFound){.c = c, .simple = simple, .value = NAN};
    }
    return true;
}

// What other states do not confirm is no relation; numbers that are as good and simpler are taken.
static void decide(LiaFoundList* list) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        LiaFound* f = &list->found[i];
        if (!(f->left <= LIA_RELATION_CONFIRMED)) continue;
        if (f->simple_left <= fmax(2.0 * f->left, LIA_RELATION_EXACT)) {
            f->c = f->simple, f->left = f->simple_left;
        }
        list->found[kept++] = *f;
    }
    list->count = kept;
}

// Fill in what is known of a relation.
static void describe(Look* x, LiaFound* f) {
    uint32_t terms = 0, last = 0;
    double size = 0.0;
    f->energy = f->c[x->count];
    for (size_t a = 0; a < x->count; a++) {
        if (f->c[a] == 0.0) continue;
        terms++, last = (uint32_t)a;
    }
    f->declared = terms == 1 && f->energy == 0.0 && last < x->out->candidates.declared;
    f->empty = is_empty(x, f);
    if (x->j->has_start) {
        f->value = 0.0;
        for (size_t a = 0; a <= x->count; a++) {
            f->value += f->c[a] * x->value[a];
            size += fabs(f->c[a]) * x->value_size[a];
        }
        if (fabs(f->value) <= LIA_IDENTITY_ROWS * size) f->value = 0.0;
    }
    f->momentum = combine(x, f->c);
}

// Rows that span what was taken so far; does c go beyond it?
static bool goes_beyond(const Look* x, double* rows, int* count, const double* c) {
    int n = (int)x->count;
    memcpy(rows + *count * n, c, (size_t)n * sizeof *c);
    for (int a = 0; a < n; a++) rows[*count * n + a] *= x->scale[a];
    if (lia_span_rank(*count + 1, n, rows) <= *count) return false;
    (*count)++;
    return true;
}

// Constant momenta beyond those of the second type, and the energy with momenta.
static bool divide_constants(Look* x) {
    LiaSearch* out = x->out;
    LiaFoundList all = out->constant;
    size_t n = x->count;
    double* rows = LIA_ARENA_NEW(x->arena, double, (2 * n + 2) * (n + 1) + 1);
    out->constant = out->moving = (LiaFoundList){.margin = all.margin};
    out->constant.found = LIA_ARENA_NEW(x->arena, LiaFound, all.count + 1);
    out->moving.found = LIA_ARENA_NEW(x->arena, LiaFound, all.count + 1);
    if (!rows || !out->constant.found || !out->moving.found) return false;
    int taken = 0;
    for (uint32_t i = 0; i < out->second.count; i++)
        goes_beyond(x, rows, &taken, out->second.found[i].c);
    for (uint32_t r = all.count; r-- > 0;) {
        LiaFound* f = &all.found[r];
        bool moves = false, energy = f->c[n] != 0.0;
        for (size_t a = 0; a < n; a++) moves |= f->c[a] != 0.0;
        if (!moves || (!energy && !goes_beyond(x, rows, &taken, f->c))) continue;
        describe(x, f);
        LiaFoundList* list = energy ? &out->moving : &out->constant;
        if (!f->empty) list->found[list->count++] = *f;
    }
    return true;
}

// Is a combination of the second type one of those of the first?
static bool compare_types(Look* x) {
    LiaSearch* out = x->out;
    int n = (int)x->count;
    double* rows = LIA_ARENA_NEW(x->arena, double, (size_t)(n + 2) * (size_t)(n + 1));
    if (!rows) return false;
    int taken = 0;
    for (uint32_t i = 0; i < out->first.count; i++) {
        out->first.found[i].first_type = true;
        goes_beyond(x, rows, &taken, out->first.found[i].c);
    }
    LiaFoundList* lists[2] = {&out->second, &out->constant};
    for (int l = 0; l < 2; l++) {
        for (uint32_t i = 0; i < lists[l]->count; i++) {
            int count = taken;
            lists[l]->found[i].first_type = !goes_beyond(x, rows, &count, lists[l]->found[i].c);
        }
    }
    return true;
}

// The largest dimension that those of the first type span, over the states.
static bool find_orbit(Look* x) {
    LiaSearch* out = x->out;
    size_t n = x->k.n, f = out->first.count;
    double* rows = LIA_ARENA_NEW(x->arena, double, f* n + 1);
    if (!rows) return false;
    for (uint32_t state = 0; state < x->states.count && state < SCALING; state++) {
        if (!lia_actions_look(&x->k, &x->states, state, false)) return false;
        for (size_t r = 0; r < f; r++) {
            for (size_t i = 0; i < n; i++) {
                double sum = 0.0;
                for (size_t a = 0; a < x->count; a++)
                    sum += out->first.found[r].c[a] * x->k.x[a * n + i];
                rows[r * n + i] = sum;
            }
        }
        int rank = lia_span_rank((int)f, (int)n, rows);
        if (rank < 0) return false;
        if ((uint32_t)rank > out->orbit) out->orbit = (uint32_t)rank;
    }
    uint32_t D = x->j->out->dimensions.D;
    out->quotient = D > out->orbit ? D - out->orbit : 0;
    return true;
}

// --- all of it ---------------------------------------------------------------------------------

// |xi| in the metric, times |v|: what momenta are of the size of.
static bool find_scales(Look* x) {
    size_t n = x->k.n, count = x->count;
    double speed = 0.0;
    for (uint32_t state = 0; state < x->states.count && state < SCALING; state++) {
        if (!lia_actions_look(&x->k, &x->states, state, false)) return false;
        const LiaWorkspace* w = x->k.z->w;
        double heaviest = 0.0;
        for (size_t i = 0; i < n; i++) heaviest = fmax(heaviest, fabs(w->saddle.M[i * n + i]));
        for (size_t a = 0; a <= count; a++) {
            const double* u = a < count ? x->k.x + a * n : w->v;
            double sum = 0.0, length = 0.0;
            for (size_t i = 0; i < n; i++) {
                length += u[i] * u[i];
                for (size_t e = 0; e < n; e++) sum += u[i] * w->saddle.M[i * n + e] * u[e];
            }
            sum = fmax(fabs(sum), LIA_INERTIA_NONE * heaviest * length);
            x->scale[a] = fmax(x->scale[a], sqrt(sum));
        }
    }
    speed = x->scale[count] > 0.0 ? x->scale[count] : 1.0;
    for (size_t a = 0; a <= count; a++) x->scale[a] *= speed;
    return true;
}

// Constant momenta alone.
static bool find_constants(Look* x) {
    LiaSearch* out = x->out;
    bool ok = lia_relations_init(&x->constant, x->arena, x->count + 1, x->scale);
    for (uint32_t state = 0; ok && state < x->finding; state++) ok = conditions(x, state, add_row);
    ok = ok && lia_relations_solve(&x->constant) && take_list(x, &x->constant, &out->constant);
    for (uint32_t state = x->finding; ok && state < x->states.count; state++)
        ok = conditions(x, state, confirm_row);
    if (ok) decide(&out->constant);
    return ok && divide_constants(x);
}

static bool find(Look* x) {
    size_t count = x->count;
    bool ok = lia_relations_init(&x->first, x->arena, count, x->scale) &&
              lia_relations_init(&x->second, x->arena, count, x->scale) &&
              lia_relations_init(&x->constant, x->arena, count + 1, x->scale);
    for (uint32_t state = 0; ok && state < x->finding; state++) ok = conditions(x, state, add_row);
    LiaSearch* out = x->out;
    ok = ok && lia_relations_solve(&x->first) && lia_relations_solve(&x->second) &&
         lia_relations_solve(&x->constant) && take_list(x, &x->first, &out->first) &&
         take_list(x, &x->second, &out->second) && take_list(x, &x->constant, &out->constant);
    for (uint32_t state = x->finding; ok && state < x->states.count; state++) {
        ok = conditions(x, state, confirm_row);
    }
    if (!ok) return false;
    decide(&out->first), decide(&out->second), decide(&out->constant);
    for (uint32_t i = 0; i < out->first.count; i++) describe(x, &out->first.found[i]);
    for (uint32_t i = 0; i < out->second.count; i++) describe(x, &out->second.found[i]);
    return divide_constants(x) && compare_types(x) && find_orbit(x);
}

static bool search(Look* x, double t, double length, const double* q, const double* v) {
    LiaJudge* j = x->j;
    LiaGeometry* y = j->geometry;
    LiaAround around = {t, t + length, q, v};
    LiaTurns turns;
    if (!lia_turns_find(j, x->arena, around, &turns)) return false;
    if (!lia_candidates_make(y, x->arena, around, &turns, &x->out->candidates)) return false;
    x->count = x->out->candidates.count;
    uint32_t confirming = j->constants ? CONFIRMING_FEW : CONFIRMING;
    uint32_t most = (uint32_t)x->count + (j->constants ? SPARE_FEW : SPARE) + confirming;
    if (x->count == 0) return true;
    if (!lia_admissible_make(&j->z, x->arena, around, most, &x->states)) return false;
    if (x->states.count < most) {
        x->out->why = "too few admissible states were found";
        return true;
    }
    if (!j->constants && !lia_sides_add(y, &j->z, x->arena, around, most, &x->states)) return false;
    x->scale = LIA_ARENA_NEW(x->arena, double, x->count + 2);
    x->rate = LIA_ARENA_NEW(x->arena, LiaSum, x->count + 2);
    x->value = LIA_ARENA_NEW(x->arena, double, (x->states.count + 1) * (x->count + 1));
    x->value_size = LIA_ARENA_NEW(x->arena, double, x->count + 2);
    if (!x->scale || !x->rate || !x->value || !x->value_size) return false;
    x->finding = x->states.count - confirming;
    x->out->states = x->states.count;
    x->out->confirmed = confirming;
    bool ok = lia_actions_init(&x->k, y, &j->z, x->out->candidates.xi, x->count, !j->constants) &&
              lia_evaluate_init(&x->energy, y->graph, &j->system->energy.total, 1) &&
              find_scales(x);
    if (ok && j->constants) {
        ok = find_constants(x);
    } else if (ok) {
        ok = find(x) && lia_gauge_find(&x->k, x->arena, x->out, &x->states, &j->out->gauge);
    }
    x->out->known = ok;
    return ok;
}

bool lia_search_make(LiaJudge* j, double t, double length, const double* q, const double* v) {
    LiaSearch* out = &j->out->search;
    *out = (LiaSearch){0};
    if (j->samples.count == 0) {
        out->why = "no admissible state was found";
        return true;
    }
    if (j->out->look.vanishing) {
        out->why = "the gradient of a constraint vanishes at the start";
        return true;
    }
    if (j->n > SEARCH_SIZE) {
        out->why = "there are too many coordinates";
        return true;
    }
    Look x = {.j = j, .arena = j->out->arena, .out = out};
    bool ok = search(&x, t, length, q, v);
    lia_actions_clear(&x.k);
    lia_evaluate_clear(&x.energy);
    return ok;
}
