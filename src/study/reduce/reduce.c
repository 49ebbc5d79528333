// liaison reduce: generators, the slice, the constants of the group. See reduce.h.
// SPDX-License-Identifier: MIT
#include "study/reduce/reduce.h"
#include "base/memory/call.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/reading/simplify.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double lia_reduce_value(const LiaReduce* x, LiaExpr f) {
    LiaValues values;
    if (!lia_evaluate_init(&values, x->g, &f, 1)) return NAN;
    const LiaExplanation* e = x->e;
    LiaSymbols at = {.t = e->t, .q = e->q, .v = e->v, .parameters = x->s->parameters};
    lia_evaluate_run(&values, &at);
    double value = lia_value(&values, f);
    lia_evaluate_clear(&values);
    return value;
}

LiaExpr lia_reduce_at_slice(const LiaReduce* x, LiaExpr f) {
    f = lia_diff_substitute(x->g, f, LIA_SYMBOL_VELOCITY, x->rate, x->s->n);
    return lia_diff_substitute(x->g, f, LIA_SYMBOL_POSITION, x->position, x->s->n);
}

LiaExpr lia_reduce_in_momenta(const LiaReduce* x, LiaExpr f) {
    LiaExpr* by = lia_memory_zeros(x->s->n + 1, sizeof *by);
    if (!by) {
        x->g->failed = true;
        return f;
    }
    for (uint32_t k = 0; k < x->n; k++) by[x->slots[k].coordinate] = x->V[k];
    f = lia_diff_substitute(x->g, lia_reduce_at_slice(x, f), LIA_SYMBOL_VELOCITY, by, x->s->n);
    free(by);
    return f;
}

// (a q_0 - a_0 q + q x a)_i of quaternions a and q, times a factor.
static LiaExpr vector_part(const LiaReduce* x, const LiaExpr* a, const LiaExpr* q, int axis,
                           LiaExpr factor) {
    LiaGraph* g = x->g;
    int i = axis + 1, j = i % 3 + 1, k = j % 3 + 1;
    LiaExpr sum = lia_graph_sub(g, lia_graph_mul(g, q[0], a[i]), lia_graph_mul(g, a[0], q[i]));
    sum = lia_graph_add(g, sum, lia_graph_mul(g, q[j], a[k]));
    sum = lia_graph_sub(g, sum, lia_graph_mul(g, q[k], a[j]));
    return lia_graph_mul(g, factor, sum);
}

// (a x b)_i
static LiaExpr cross_part(const LiaReduce* x, const LiaExpr* a, const LiaExpr* b, int i) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    return lia_graph_sub(x->g, lia_graph_mul(x->g, a[j], b[k]), lia_graph_mul(x->g, a[k], b[j]));
}

bool lia_reduce_is_direction(const LiaReduce* x, const LiaReduceSlot* slot) {
    return slot->rotation && x->m->groups[slot->rotation - 1].manifold == LIA_SPHERE;
}

static const LiaExpr* quaternion_of(const LiaReduce* x, const LiaReduceSlot* slot) {
    return x->s->q + x->m->groups[slot->rotation - 1].first;
}

void lia_reduce_by_slot(const LiaReduce* x, const LiaExpr* by_coordinate, LiaExpr* out) {
    LiaExpr half = lia_graph_rational(x->g, 1, 2);
    for (uint32_t k = 0; k < x->n; k++) {
        const LiaReduceSlot* slot = &x->slots[k];
        out[k] = by_coordinate[slot->coordinate];
        if (!slot->rotation) continue;
        uint32_t first = x->m->groups[slot->rotation - 1].first;
        const LiaExpr *of = by_coordinate + first, *q = quaternion_of(x, slot);
        out[k] = lia_reduce_is_direction(x, slot) ? cross_part(x, q, of, slot->axis)
                                                  : vector_part(x, of, q, slot->axis, half);
    }
}

// q' = (0, omega) q/2, or u' = omega x u of a direction, by the components of omega: row a, column
// j of the matrix.
LiaExpr lia_reduce_turning(const LiaReduce* x, const LiaReduceSlot* slot, int a, int j) {
    const LiaExpr* q = quaternion_of(x, slot);
    if (lia_reduce_is_direction(x, slot)) {
        if (a == j) return lia_graph_integer(x->g, 0);
        LiaExpr third = q[3 - a - j];
        return (j + 1) % 3 == a ? lia_graph_neg(x->g, third) : third;
    }
    LiaExpr half = lia_graph_rational(x->g, 1, 2), zero = lia_graph_integer(x->g, 0), f;
    int i = j + 1, k = i % 3 + 1, l = k % 3 + 1;
    if (a == 0) {
        f = lia_graph_neg(x->g, q[i]);
    } else if (a == i) {
        f = q[0];
    } else {
        f = a == k ? lia_graph_neg(x->g, q[l]) : a == l ? q[k] : zero;
    }
    return lia_graph_mul(x->g, half, f);
}

// --- what can be divided ------------------------------------------------------------------------

static LiaStatus refuse(const LiaReduce* x, LiaSpan span, const char* why) {
    lia_diag_error(x->diags, span, "E0373", "this system cannot be divided: %s", why);
    return LIA_MODEL;
}

static LiaStatus check_system(const LiaReduce* x) {
    const LiaModel* m = x->m;
    LiaSpan nowhere = {0, 0};
    if (x->s->phase.flow) return refuse(x, nowhere, "it is one of a phase space already");
    if (x->s->contact_count) return refuse(x, nowhere, "its contacts open and close");
    if (!x->e->geometry->quadratic)
        return refuse(x, m->energies[0].span,
                      "its Lagrangian is not quadratic in the velocities, so that these are no "
                      "formulas of momenta");
    LiaSpan later;
    if (lia_model_acts_later(m, &later))
        return refuse(x, later,
                      "this acts by events, or from outside, which a reduced model has not");
    for (uint32_t i = 0; i < m->coordinates_count; i++) {
        const LiaCoordinate* c = &m->coordinates[i];
        if (c->inner) return refuse(x, c->span, "where its shapes touch has no closed form");
    }
    return LIA_OK;
}

// --- generators ---------------------------------------------------------------------------------

// "spin" is the symmetry spin, or all members of the family.
static bool is_named(const char* symmetry, const char* name, size_t length) {
    if (strncmp(symmetry, name, length) != 0) return false;
    return symmetry[length] == '\0' || (symmetry[length] == '[' && !memchr(name, '[', length));
}

static LiaStatus add_named(LiaReduce* x, const char* name, size_t length) {
    const LiaModel* m = x->m;
    uint32_t before = x->count;
    for (uint32_t i = 0; i < m->symmetries_count; i++) {
        if (!is_named(m->symmetries[i].name, name, length)) continue;
        if (!x->e->classes.symmetries[i].first_type) {
            lia_diag_error(x->diags, m->symmetries[i].span, "E0370",
                           "'%s' is not of the first type: the system does not reduce by it",
                           m->symmetries[i].name);
            lia_diag_help(x->diags, "'liaison explain' says what of it is not invariant");
            return LIA_MODEL;
        }
        x->symmetry[x->count++] = i;
    }
    if (x->count > before) return LIA_OK;
    lia_diag_error(x->diags, (LiaSpan){0, 0}, "E0369", "the model has no symmetry '%.*s'",
                   (int)(length < 60 ? length : 60), name);
    lia_diag_help(x->diags,
                  m->symmetries_count ? "it has '%s'"
                                      : "write them into the model: 'symmetry turn: "
                                        "theta' = 1'",
                  m->symmetries_count ? m->symmetries[0].name : "");
    return LIA_MODEL;
}

static LiaStatus read_names(LiaReduce* x, const char* by) {
    LiaStatus status = LIA_OK;
    size_t most = strlen(by) + 1;
    x->symmetry = LIA_ARENA_NEW(x->arena, uint32_t, most * ((size_t)x->m->symmetries_count + 1));
    if (!x->symmetry) return LIA_MEMORY;
    while (status == LIA_OK && *by) {
        size_t length = 0;
        int depth = 0;
        while (by[length] && (by[length] != ',' || depth > 0)) {
            depth += (by[length] == '[') - (by[length] == ']');
            length++;
        }
        const char *begin = by, *end = by + length;
        while (begin < end && isspace((unsigned char)*begin)) begin++;
        while (begin < end && isspace((unsigned char)end[-1])) end--;
        status = add_named(x, begin, (size_t)(end - begin));
        by += length + (by[length] == ',');
    }
    for (uint32_t i = 0; status == LIA_OK && i < x->count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (x->symmetry[i] != x->symmetry[j]) continue;
            lia_diag_error(x->diags, (LiaSpan){0, 0}, "E0369", "'%s' is named twice",
                           x->m->symmetries[x->symmetry[i]].name);
            return LIA_MODEL;
        }
    }
    return status;
}

// "q[3]", "b.position.x" as names of the language.
static const char* plain_name(const LiaReduce* x, const char* before, const char* name) {
    char* text = (char*)lia_arena_printf(x->arena, "%s%s", before, name);
    size_t to = 0;
    for (size_t i = 0; text && text[i]; i++) {
        bool other = strchr("[],.()' ", text[i]) != NULL;
        if (other && (text[i + 1] == '\0' || (to > 0 && text[to - 1] == '_'))) continue;
        text[to++] = other ? '_' : text[i];
    }
    if (text) text[to] = '\0';
    return text;
}

// A coordinate without inertia that an operator sets as a function of time has no momentum: the
// function stands in its place. {0}: it is none.
static LiaExpr law_of(const LiaReduce* x, uint32_t coordinate) {
    const LiaDynamics* d = x->s->reduced;
    if (!lia_graph_is_zero(x->g, x->s->lagrange.p[coordinate])) return (LiaExpr){0};
    for (uint32_t k = 0; k < d->drive_count; k++) {
        const LiaRow* row = &x->s->rows[d->drive_row[k]];
        bool own = lia_expr_same(row->left, x->s->q[coordinate]);
        unsigned on = lia_graph_node(x->g, row->right)->depends;
        if (own && !(on & (LIA_DEPENDS(POSITION) | LIA_DEPENDS(VELOCITY)))) return row->right;
    }
    return (LiaExpr){0};
}

static bool make_slots(LiaReduce* x) {
    const LiaModel* m = x->m;
    x->slots = LIA_ARENA_NEW(x->arena, LiaReduceSlot, m->coordinates_count + 1);
    x->v = LIA_ARENA_NEW(x->arena, LiaExpr, m->coordinates_count + 1);
    x->p = LIA_ARENA_NEW(x->arena, LiaExpr, m->coordinates_count + 1);
    if (!x->slots || !x->v || !x->p) return false;
    for (uint32_t i = 0; i < m->coordinates_count; i++) {
        const LiaCoordinate* c = &m->coordinates[i];
        bool attitude = c->manifold == LIA_ROTATION, turns = attitude || c->manifold == LIA_SPHERE;
        const LiaGroup* group = c->group ? &m->groups[c->group - 1] : NULL;
        const char* name = plain_name(x, "", c->name);
        if (!name) return false;
        lia_graph_name(x->g, LIA_SYMBOL_POSITION, i, name);
        if (attitude && i == group->first) continue;  // w
        if (law_of(x, i).index) continue;
        LiaReduceSlot* slot = &x->slots[x->n];
        *slot = (LiaReduceSlot){.coordinate = i, .name = name};
        slot->rotation = turns ? c->group : 0;
        slot->axis = turns ? (int)(i - group->first) - attitude : 0;
        slot->momentum = plain_name(x, turns ? "M_" : "p_", turns ? group->name : c->name);
        if (!slot->momentum) return false;
        x->v[x->n] = x->s->v[i];
        x->p[x->n] = lia_graph_symbol(x->g, LIA_SYMBOL_MOMENTUM, i);
        const char* symbol =
            turns ? lia_arena_printf(x->arena, "%s.%c", slot->momentum, "xyz"[slot->axis])
                  : slot->momentum;
        if (!symbol) return false;
        lia_graph_name(x->g, LIA_SYMBOL_MOMENTUM, i, symbol);
        x->n++;
    }
    for (uint32_t i = 0; i < m->parameters_count; i++) {
        const char* name = plain_name(x, "", m->parameters[i].name);
        if (!name) return false;
        lia_graph_name(x->g, LIA_SYMBOL_PARAMETER, i, name);
    }
    return true;
}

// The turn e of a direction, u' = e x u, where its components do not depend on u; `by` the rate of
// u. The angular velocity u x u' has no part along u, and its momentum is that of e only while that
// of u along itself is zero.
static bool turn_of(const LiaReduce* x, const LiaExpr* u, const LiaExpr* by, LiaExpr e[3]) {
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        e[i] = lia_simplify(x->g, lia_diff(x->g, by[k], u[j]));  // (e x u)_k = e_i u_j - e_j u_i
        for (int a = 0; a < 3; a++) {
            LiaExpr slope = lia_simplify(x->g, lia_diff(x->g, e[i], u[a]));
            if (!lia_graph_is_zero(x->g, slope)) return false;
        }
    }
    for (int i = 0; i < 3; i++) {
        LiaExpr left = lia_graph_sub(x->g, by[i], cross_part(x, e, u, i));
        if (!lia_graph_is_zero(x->g, lia_simplify(x->g, left))) return false;
    }
    return true;
}

static bool make_generators(LiaReduce* x) {
    x->xi = LIA_ARENA_NEW(x->arena, LiaExpr, (size_t)x->count * x->n + 1);
    LiaExpr* xi = LIA_ARENA_NEW(x->arena, LiaExpr, x->s->n + 1);
    if (!x->xi || !xi) return false;
    for (uint32_t A = 0; A < x->count; A++) {
        if (!lia_geometry_generator(x->e->geometry, x->symmetry[A], xi)) return false;
        for (uint32_t k = 0; k < x->n; k++) {
            const LiaReduceSlot* slot = &x->slots[k];
            LiaExpr* out = &x->xi[(size_t)A * x->n + k];
            *out = xi[slot->coordinate];
            if (!slot->rotation) continue;
            uint32_t first = x->m->groups[slot->rotation - 1].first;
            const LiaExpr* q = quaternion_of(x, slot);
            LiaExpr two = lia_graph_integer(x->g, 2), e[3];
            if (!lia_reduce_is_direction(x, slot)) {
                *out = vector_part(x, xi + first, q, slot->axis, two);
            } else {
                bool turn = turn_of(x, q, xi + first, e);
                *out = turn ? e[slot->axis] : cross_part(x, q, xi + first, slot->axis);
            }
        }
    }
    return !x->g->failed;
}

// --- the slice ----------------------------------------------------------------------------------

static bool fix_slice(LiaReduce* x) {
    const LiaExplanation* e = x->e;
    x->position = LIA_ARENA_NEW(x->arena, LiaExpr, x->s->n + 1);
    x->rate = LIA_ARENA_NEW(x->arena, LiaExpr, x->s->n + 1);
    if (!x->position || !x->rate) return false;
    for (uint32_t i = 0; i < x->s->n; i++) {
        LiaExpr law = law_of(x, i);
        if (!law.index) continue;
        x->position[i] = law;
        x->rate[i] = lia_diff_rate(&x->e->geometry->rates, law);
    }
    for (uint32_t k = 0; k < x->n; k++) {
        const LiaReduceSlot* slot = &x->slots[k];
        if (!slot->rotation && slot->fixed) {
            x->position[slot->coordinate] = lia_graph_real(x->g, e->q[slot->coordinate]);
        }
        if (!slot->rotation || slot->axis != 0) continue;
        const LiaGroup* group = &x->m->groups[slot->rotation - 1];
        uint32_t first = group->first;
        for (uint32_t i = 0; i < group->count; i++) {
            LiaExpr sum = lia_graph_integer(x->g, 0);
            for (uint32_t j = 0; j < 3; j++) {
                LiaExpr turn = lia_reduce_turning(x, slot, (int)i, (int)j);
                sum = lia_graph_add(x->g, sum, lia_graph_mul(x->g, turn, x->v[k + j]));
            }
            x->rate[first + i] = sum;
        }
        for (uint32_t i = 0; slot->fixed && i < 4; i++) {
            x->position[first + i] = lia_graph_real(x->g, e->q[first + i]);
        }
    }
    return !x->g->failed;
}

// --- all of it ----------------------------------------------------------------------------------

static LiaStatus divide(LiaReduce* x, const LiaReduceOptions* options, LiaText* out) {
    LiaStatus status = check_system(x);
    if (status == LIA_OK) status = read_names(x, options->by);
    if (status != LIA_OK) return status;
    if (!make_slots(x) || !make_generators(x)) return LIA_MEMORY;
    status = lia_reduce_slice_choose(x);
    if (status == LIA_OK) status = lia_reduce_group_find(x);
    if (status == LIA_OK && !fix_slice(x)) status = LIA_MEMORY;
    if (status == LIA_OK) status = lia_reduce_formulas_make(x);
    if (status != LIA_OK) return status;
    bool written = lia_reduce_text_write(x, options->reconstruct, out);
    return written && !x->g->failed && !out->failed ? LIA_OK : LIA_MEMORY;
}

char* lia_reduce(const LiaSystem* system, const LiaReduceOptions* options, LiaDiags* diags) {
    if (!system || !options || !options->by || !diags) return NULL;
    if (!lia_call_knows(options->more)) return NULL;
    LiaCall call = lia_call_begin_work(diags);
    LiaExplanation e;
    LiaText out = {0};
    LiaExplanationAsk ask = {.at_start = true};
    LiaStatus status = lia_explanation_make(system, &ask, diags, &e);
    if (status == LIA_OK) {
        LiaReduce x = {.e = &e, .s = system, .m = system->model, .diags = diags};
        x.g = e.geometry->graph;
        x.arena = e.geometry->arena;
        status = divide(&x, options, &out);
    }
    lia_explanation_clear(&e);
    if (status != LIA_OK) lia_text_clear(&out);
    return lia_call_text(&call, &out);
}
