// Turns found by what they leave unchanged. See turns.h.
// SPDX-License-Identifier: MIT
#include "geometry/symmetry/turns.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/reading/formula_text.h"
#include "geometry/free_state.h"
#include "geometry/symmetry/relations.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINES_MOST = 16,   // lengths that are turned into each other
    ANGLES_MOST = 12,  // angles that are shifted
    TRIPLES_MOST = 6,  // angles among which those of an attitude are looked for
    TURNS_MOST = 12,
    SPARE = 4,
    STATES = 4,
    SAMPLES_MOST = 60,
};

typedef struct Turns {
    LiaJudge* j;
    LiaGeometry* y;
    LiaArena* arena;
    LiaTurns* out;
    const LiaSystem* s;
    size_t n, functions;  // L, and the equations
    LiaExpr* slope;       // of each by q and by v                           (functions x 2 n)
    LiaValues values;
    double* size;    // by node
    double *q, *v;   // a state
    LiaSum *by, *c;  // numbers of `slope`; of each generator                 (2 n), (unknowns)
    uint32_t lines, line[LINES_MOST], angles, angle[ANGLES_MOST];
} Turns;

static LiaSum zero_sum(void) { return (LiaSum){0.0, 0.0}; }

static void add_part(LiaSum* sum, LiaSum slope, double x) {
    sum->value += slope.value * x;
    sum->size += slope.size * fabs(x);
}

// The slopes of function f at the state, with the sizes of their terms.
static void load(Turns* k, size_t f) {
    for (size_t i = 0; i < 2 * k->n; i++) {
        LiaExpr e = k->slope[f * 2 * k->n + i];
        k->by[i] = (LiaSum){lia_value(&k->values, e), k->size[e.index]};
    }
}

static void evaluate(Turns* k, double t, const double* q, const double* v) {
    LiaSymbols at = {.t = t, .parameters = k->s->parameters, .q = q, .v = v};
    memmove(k->q, q, k->n * sizeof *q);
    memmove(k->v, v, k->n * sizeof *v);
    lia_evaluate_run(&k->values, &at);
    lia_sizes_run(&k->values, &(LiaSymbols){0}, k->size);
}

// A state that no constraint restricts.
static void go_anywhere(Turns* k, LiaAround around, uint64_t seed) {
    memcpy(k->q, around.q, k->n * sizeof *k->q);
    memcpy(k->v, around.v, k->n * sizeof *k->v);
    lia_free_state_make(k->s, seed, 1.0, k->q, k->v);
    evaluate(k, around.t0, k->q, k->v);
}

// --- in the plane -------------------------------------------------------------------------------

static size_t unknowns(const Turns* k) { return (size_t)k->lines * (k->lines - 1) / 2 + k->angles; }

// What each generator does to the function that was loaded, as one row.
static void add_row(Turns* k, LiaRelations* relations) {
    size_t n = k->n, count = 0;
    for (uint32_t a = 0; a < k->lines; a++) {
        for (uint32_t b = a + 1; b < k->lines; b++) {
            uint32_t i = k->line[a], l = k->line[b];
            LiaSum sum = zero_sum();
            add_part(&sum, k->by[i], -k->q[l]);
            add_part(&sum, k->by[l], k->q[i]);
            add_part(&sum, k->by[n + i], -k->v[l]);
            add_part(&sum, k->by[n + l], k->v[i]);
            k->c[count++] = sum;
        }
    }
    for (uint32_t a = 0; a < k->angles; a++) k->c[count++] = k->by[k->angle[a]];
    lia_relations_add(relations, k->c, 1);
}

static bool solve_plane(Turns* k, LiaAround around, LiaRelations* relations) {
    size_t count = unknowns(k), rows = k->functions - 1;
    double* ones = LIA_ARENA_NEW(k->arena, double, count + 1);
    for (size_t i = 0; ones && i < count; i++) ones[i] = 1.0;
    if (!ones || !lia_relations_init(relations, k->arena, count, ones)) return false;
    for (size_t state = 0; state < count + SPARE; state++) {
        go_anywhere(k, around, state + 1);
        load(k, 0);
        add_row(k, relations);
    }
    size_t wanted = rows ? count / rows + SPARE : 0;
    LiaSamples samples = {0};
    uint32_t most = (uint32_t)(wanted < SAMPLES_MOST ? wanted : SAMPLES_MOST);
    if (most && !lia_admissible_make(&k->j->z, k->arena, around, most, &samples)) return false;
    for (uint32_t e = 0; e < samples.count; e++) {
        evaluate(k, samples.t[e], samples.q + e * k->n, samples.v + e * k->n);
        for (size_t f = 1; f <= rows; f++) {
            load(k, f);
            add_row(k, relations);
        }
    }
    return lia_relations_solve(relations);
}

// --- as formulas --------------------------------------------------------------------------------

static LiaExpr* begin(Turns* k) {
    if (k->out->count == TURNS_MOST) return NULL;
    LiaExpr* xi = k->out->xi + k->out->count * k->n;
    for (size_t i = 0; i < k->n; i++) xi[i] = lia_graph_integer(k->y->graph, 0);
    return xi;
}

// The generator in words: x' = -y, y' = x, ...
static bool take(Turns* k, const LiaExpr* xi) {
    LiaText text = {0};
    for (size_t i = 0; i < k->n; i++) {
        if (lia_graph_is_zero(k->y->graph, xi[i])) continue;
        lia_text_add(&text, "%s%s' = ", text.length ? ", " : "", k->s->model->coordinates[i].name);
        lia_formula_text(k->y->graph, xi[i], &text);
    }
    bool ok = !text.failed && !k->y->graph->failed;
    const char* name =
        ok ? lia_arena_text(k->arena, text.data ? text.data : "", text.length) : NULL;
    lia_text_clear(&text);
    if (name) k->out->name[k->out->count++] = name;
    return name != NULL;
}

static void add_to(LiaGraph* g, LiaExpr* sum, double factor, LiaExpr of) {
    *sum = lia_graph_add(g, *sum, lia_graph_mul(g, lia_geometry_number(g, factor), of));
}

static bool take_plane(Turns* k, const double* c) {
    LiaGraph* g = k->y->graph;
    LiaExpr* xi = begin(k);
    size_t at = 0;
    bool turns = false;
    if (!xi) return true;
    for (uint32_t a = 0; a < k->lines; a++) {
        for (uint32_t b = a + 1; b < k->lines; b++, at++) {
            uint32_t i = k->line[a], l = k->line[b];
            if (c[at] == 0.0) continue;
            add_to(g, &xi[i], -c[at], k->s->q[l]);
            add_to(g, &xi[l], c[at], k->s->q[i]);
            turns = true;
        }
    }
    for (uint32_t a = 0; a < k->angles; a++, at++) xi[k->angle[a]] = lia_geometry_number(g, c[at]);
    return !turns || take(k, xi);
}

static size_t entries(const double* c, const double* less, double part, size_t count) {
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += fabs(c[i] - part * less[i]) > LIA_RELATION_ZERO;
    return sum;
}

// c without so much of another relation that fewer entries are left; false: there is nothing to
// gain.
static bool shorten(double* c, const double* other, size_t count) {
    size_t least = entries(c, other, 0.0, count);
    double best = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (c[i] == 0.0 || other[i] == 0.0) continue;
        size_t left = entries(c, other, c[i] / other[i], count);
        if (left < least) least = left, best = c[i] / other[i];
    }
    for (size_t i = 0; best != 0.0 && i < count; i++) {
        c[i] -= best * other[i];
        if (fabs(c[i]) <= LIA_RELATION_ZERO) c[i] = 0.0;
    }
    return best != 0.0;
}

// Relations that are short to read: each step takes entries away, so it ends.
static void shorten_all(LiaRelations* k) {
    bool gained = true;
    while (gained) {
        gained = false;
        for (uint32_t r = 0; r < k->found; r++) {
            for (uint32_t e = 0; e < k->found; e++)
                gained |= e != r && shorten(k->c + r * k->count, k->c + e * k->count, k->count);
        }
    }
}

static bool find_plane(Turns* k, LiaAround around) {
    LiaRelations relations;
    if (k->lines <= LIA_CANDIDATES_LINES) return true;
    k->c = LIA_ARENA_NEW(k->arena, LiaSum, unknowns(k) + 1);
    if (!k->c || !solve_plane(k, around, &relations)) return false;
    shorten_all(&relations);
    for (uint32_t r = 0; r < relations.found; r++) {
        if (!take_plane(k, relations.c + r * relations.count)) return false;
    }
    return true;
}

// --- in space -----------------------------------------------------------------------------------

// Three angles a, b, c, and one of the eight ways to write a turn in them.
typedef struct Triple {
    uint32_t a, b, c;
    double first, last;  // signs
    bool bryan;          // tan and 1/cos
} Triple;

// f(b) and its slope: cot or tan; 1/sin or 1/cos.
static void factors(const Triple* e, double b, double* f, double* slope) {
    double s = sin(b), c = cos(b);
    f[0] = e->first * (e->bryan ? s / c : c / s);
    slope[0] = e->first * (e->bryan ? 1.0 / (c * c) : -1.0 / (s * s));
    f[1] = e->last * (e->bryan ? 1.0 / c : 1.0 / s);
    slope[1] = e->last * (e->bryan ? s / (c * c) : -c / (s * s));
}

// xi(L) at the state that L was loaded at.
static LiaSum change(const Turns* k, const Triple* e) {
    double f[2], slope[2], s = sin(k->q[e->a]), c = cos(k->q[e->a]);
    double turns = k->v[e->a], leans = k->v[e->b];
    LiaSum sum = zero_sum();
    const LiaSum* v = k->by + k->n;
    factors(e, k->q[e->b], f, slope);
    add_part(&sum, k->by[e->b], c);
    add_part(&sum, k->by[e->a], s * f[0]);
    add_part(&sum, k->by[e->c], s * f[1]);
    add_part(&sum, v[e->b], -s * turns);
    add_part(&sum, v[e->a], c * turns * f[0] + s * slope[0] * leans);
    add_part(&sum, v[e->c], c * turns * f[1] + s * slope[1] * leans);
    return sum;
}

static LiaExpr wave(LiaGraph* g, LiaOp op, LiaExpr x) {
    return lia_graph_apply(g, op, x, (LiaExpr){0}, (LiaExpr){0});
}

static bool take_space(Turns* k, const Triple* e, bool quarter) {
    LiaGraph* g = k->y->graph;
    const LiaExpr* q = k->s->q;
    LiaExpr* xi = begin(k);
    if (!xi) return true;
    LiaExpr s = wave(g, LIA_OP_SIN, q[e->a]), c = wave(g, LIA_OP_COS, q[e->a]);
    LiaExpr sb = wave(g, LIA_OP_SIN, q[e->b]), cb = wave(g, LIA_OP_COS, q[e->b]);
    if (quarter) {
        LiaExpr was = s;
        s = c, c = lia_graph_neg(g, was);
    }
    LiaExpr over = e->bryan ? cb : sb, under = e->bryan ? sb : cb;
    LiaExpr first = lia_graph_div(g, lia_graph_mul(g, s, under), over);
    LiaExpr last = lia_graph_div(g, s, over);
    xi[e->b] = c;
    xi[e->a] = e->first < 0.0 ? lia_graph_neg(g, first) : first;
    xi[e->c] = e->last < 0.0 ? lia_graph_neg(g, last) : last;
    return take(k, xi);
}

// The way that leaves L unchanged at all states; `good` has a mark for each of the eight.
static Triple way(const Triple* of, int number) {
    Triple e = *of;
    e.first = number & 1 ? 1.0 : -1.0;
    e.last = number & 2 ? 1.0 : -1.0;
    e.bryan = (number & 4) != 0;
    return e;
}

static bool find_triple(Turns* k, LiaAround around, const Triple* of) {
    bool good[8] = {true, true, true, true, true, true, true, true}, any = true;
    for (uint32_t state = 0; any && state < STATES; state++) {
        go_anywhere(k, around, state + 1);
        load(k, 0);
        any = false;
        LiaSum alone = k->by[of->a];
        bool cyclic = fabs(alone.value) <= LIA_RELATION_NULL * alone.size;
        for (int number = 0; number < 8; number++) {
            Triple e = way(of, number);
            LiaSum sum = change(k, &e);
            bool zero = fabs(sum.value) <= LIA_RELATION_NULL * sum.size && sum.size > 0.0;
            good[number] = good[number] && cyclic && zero;
            any |= good[number];
        }
    }
    for (int number = 0; number < 8; number++) {
        Triple e = way(of, number);
        if (good[number] && (!take_space(k, &e, false) || !take_space(k, &e, true))) return false;
    }
    return true;
}

static bool find_space(Turns* k, LiaAround around) {
    uint32_t most = k->angles < TRIPLES_MOST ? k->angles : TRIPLES_MOST;
    for (uint32_t a = 0; a < most; a++) {
        for (uint32_t b = 0; b < most; b++) {
            for (uint32_t c = 0; c < most; c++) {
                Triple e = {k->angle[a], k->angle[b], k->angle[c], 1.0, 1.0, false};
                if (a != b && b != c && a != c && !find_triple(k, around, &e)) return false;
            }
        }
    }
    return true;
}

// --- polar coordinates --------------------------------------------------------------------------

static LiaSum shift(const Turns* k, uint32_t r, uint32_t a) {
    double s = sin(k->q[a]), c = cos(k->q[a]), length = k->q[r];
    double grows = k->v[r], turns = k->v[a];
    LiaSum sum = zero_sum();
    add_part(&sum, k->by[r], c);
    add_part(&sum, k->by[a], -s / length);
    add_part(&sum, k->by[k->n + r], -s * turns);
    add_part(&sum, k->by[k->n + a], -c * turns / length + s * grows / (length * length));
    return sum;
}

static bool take_shift(Turns* k, uint32_t r, uint32_t a, bool quarter) {
    LiaGraph* g = k->y->graph;
    const LiaExpr* q = k->s->q;
    LiaExpr* xi = begin(k);
    if (!xi) return true;
    LiaExpr s = wave(g, LIA_OP_SIN, q[a]), c = wave(g, LIA_OP_COS, q[a]);
    xi[r] = quarter ? s : c;
    xi[a] = quarter ? lia_graph_div(g, c, q[r]) : lia_graph_neg(g, lia_graph_div(g, s, q[r]));
    return take(k, xi);
}

static bool find_polar(Turns* k, LiaAround around) {
    for (uint32_t i = 0; i < k->lines; i++) {
        for (uint32_t e = 0; e < k->angles && e < TRIPLES_MOST; e++) {
            uint32_t r = k->line[i], a = k->angle[e];
            bool good = true;
            for (uint32_t state = 0; good && state < STATES; state++) {
                go_anywhere(k, around, state + 1);
                load(k, 0);
                LiaSum sum = shift(k, r, a), alone = k->by[a];
                good = fabs(alone.value) <= LIA_RELATION_NULL * alone.size && sum.size > 0.0 &&
                       fabs(sum.value) <= LIA_RELATION_NULL * sum.size;
            }
            if (good && (!take_shift(k, r, a, false) || !take_shift(k, r, a, true))) return false;
        }
    }
    return true;
}

// --- all of it ----------------------------------------------------------------------------------

static void choose(Turns* k) {
    uint32_t lines = 0;
    for (uint32_t i = 0; i < k->n; i++) {
        const LiaCoordinate* c = &k->s->model->coordinates[i];
        if (c->group || c->inner) continue;
        if (c->manifold == LIA_LINE && lines++ < LINES_MOST) k->line[k->lines++] = i;
        if (c->manifold == LIA_CIRCLE && k->angles < ANGLES_MOST) k->angle[k->angles++] = i;
    }
    if (lines > LINES_MOST) k->lines = 0;
}

static bool make_formulas(Turns* k) {
    LiaGraph* g = k->y->graph;
    size_t n = k->n, count = 1, room = (1 + (size_t)k->j->m) * 2 * n + 1;
    k->slope = LIA_ARENA_NEW(k->arena, LiaExpr, room);
    k->by = LIA_ARENA_NEW(k->arena, LiaSum, 2 * n + 1);
    k->q = LIA_ARENA_NEW(k->arena, double, 2 * n + 1);
    k->out->xi = LIA_ARENA_NEW(k->arena, LiaExpr, TURNS_MOST * n + 1);
    k->out->name = LIA_ARENA_NEW(k->arena, const char*, TURNS_MOST + 1);
    if (!k->slope || !k->by || !k->q || !k->out->xi || !k->out->name) return false;
    k->v = k->q + n;
    memcpy(k->slope, k->s->lagrange.dL_dq, n * sizeof *k->slope);
    memcpy(k->slope + n, k->s->lagrange.p, n * sizeof *k->slope);
    for (int r = 0; r < k->j->m; r++) {
        const LiaRow* row = &k->s->rows[k->j->row[r]];
        LiaExpr* to = k->slope + count * 2 * n;
        if (k->s->model->constraints[row->constraint].internal) continue;
        if (!lia_diff_gradient(g, row->equation, k->s->q, n, to)) return false;
        if (!lia_diff_gradient(g, row->equation, k->s->v, n, to + n)) return false;
        count++;
    }
    k->functions = count;
    return lia_evaluate_init(&k->values, g, k->slope, count * 2 * n);
}

bool lia_turns_find(LiaJudge* j, LiaArena* arena, LiaAround around, LiaTurns* out) {
    *out = (LiaTurns){0};
    Turns k = {.j = j, .y = j->geometry, .arena = arena, .out = out, .s = j->system};
    k.n = k.s->n;
    choose(&k);
    if (k.lines <= LIA_CANDIDATES_LINES && k.angles < 3 && (!k.lines || !k.angles)) return true;
    bool ok = make_formulas(&k);
    k.size = ok ? lia_memory_zeros(k.values.size + 1, sizeof *k.size) : NULL;
    ok = ok && k.size && find_plane(&k, around) && find_space(&k, around) && find_polar(&k, around);
    free(k.size);
    lia_evaluate_clear(&k.values);
    return ok;
}
