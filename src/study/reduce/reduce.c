// liaison reduce: generators, the slice, the constants of the group. See reduce.h.
// SPDX-License-Identifier: MIT
#include "study/reduce/reduce.h"
#include "base/memory/call.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
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
        out[k] = vector_part(x, by_coordinate + first, quaternion_of(x, slot), slot->axis, half);
    }
}

// q' = (0, omega) q/2, by the components of omega: row a, column j of the matrix.
LiaExpr lia_reduce_turning(const LiaReduce* x, const LiaExpr* q, int a, int j) {
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

// --- what can be divided
// ------------------------------------------------------------------------------

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
    for (uint32_t i = 0; i < m->coordinates_count; i++) {
        const LiaCoordinate* c = &m->coordinates[i];
        if (c->inner) return refuse(x, c->span, "where its shapes touch has no closed form");
        if (c->manifold == LIA_SPHERE)
            return refuse(x, c->span, "directions (sphere) have no momenta of their own here");
    }
    return LIA_OK;
}

// --- generators
// -----------------------------------------------------------------------------------------

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

static bool make_slots(LiaReduce* x) {
    const LiaModel* m = x->m;
    x->slots = LIA_ARENA_NEW(x->arena, LiaReduceSlot, m->coordinates_count + 1);
    x->v = LIA_ARENA_NEW(x->arena, LiaExpr, m->coordinates_count + 1);
    x->p = LIA_ARENA_NEW(x->arena, LiaExpr, m->coordinates_count + 1);
    if (!x->slots || !x->v || !x->p) return false;
    for (uint32_t i = 0; i < m->coordinates_count; i++) {
        const LiaCoordinate* c = &m->coordinates[i];
        bool turns = c->manifold == LIA_ROTATION;
        const LiaGroup* group = c->group ? &m->groups[c->group - 1] : NULL;
        const char* name = plain_name(x, "", c->name);
        if (!name) return false;
        lia_graph_name(x->g, LIA_SYMBOL_POSITION, i, name);
        if (turns && i == group->first) continue;  // w
        LiaReduceSlot* slot = &x->slots[x->n];
        *slot = (LiaReduceSlot){.coordinate = i, .name = name};
        slot->rotation = turns ? c->group : 0;
        slot->axis = turns ? (int)(i - group->first) - 1 : 0;
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
            LiaExpr two = lia_graph_integer(x->g, 2);
            *out = vector_part(x, xi + first, quaternion_of(x, slot), slot->axis, two);
        }
    }
    return !x->g->failed;
}

// --- the slice
// --------------------------------------------------------------------------------------------

typedef struct Choice {
    double* a;   // generators at the start, brought to echelon form           (count x n)
    bool* done;  // this generator has its coordinate                          (count)
    uint32_t taken;
} Choice;

// The generator with the largest entry in a column, among those that are left. Entries that are the
// same everywhere come first.
static uint32_t best_row(const LiaReduce* x, const Choice* c, uint32_t column, double* size) {
    uint32_t best = x->count;
    *size = LIA_SLICE_LEAST;
    for (uint32_t A = 0; A < x->count; A++) {
        LiaNumber number;
        double entry = fabs(c->a[(size_t)A * x->n + column]);
        if (c->done[A] || !(entry > LIA_SLICE_LEAST)) continue;
        if (lia_graph_constant(x->g, x->xi[(size_t)A * x->n + column], &number))
            entry *= LIA_PIVOT_CONSTANT;
        if (entry <= *size) continue;
        *size = entry;
        best = A;
    }
    return best;
}

static void take_column(LiaReduce* x, Choice* c, uint32_t row, uint32_t column) {
    uint32_t n = x->n;
    double pivot = c->a[(size_t)row * n + column];
    for (uint32_t A = 0; A < x->count; A++) {
        double factor = A == row ? 0.0 : c->a[(size_t)A * n + column] / pivot;
        for (uint32_t k = 0; factor != 0.0 && k < n; k++) {
            c->a[(size_t)A * n + k] -= factor * c->a[(size_t)row * n + k];
        }
    }
    c->done[row] = true;
    x->slots[column].fixed = true;
    for (uint32_t k = 0; k < n; k++)
        x->across[(size_t)c->taken * n + k] = lia_graph_integer(x->g, k == column);
    x->fixed[c->taken++] = column;
}

static void take_scalars(LiaReduce* x, Choice* c) {
    for (;;) {
        uint32_t row = x->count, column = 0;
        double most = 0.0;
        for (uint32_t k = 0; k < x->n; k++) {
            double size;
            if (x->slots[k].rotation || x->slots[k].fixed) continue;
            uint32_t best = best_row(x, c, k, &size);
            if (best == x->count || !(size > most)) continue;
            most = size, row = best, column = k;
        }
        if (row == x->count) return;
        take_column(x, c, row, column);
    }
}

// A rotation is fixed as a whole, by three generators, or not at all.
static void take_rotations(LiaReduce* x, Choice* c) {
    for (uint32_t k = 0; k < x->n; k++) {
        if (!x->slots[k].rotation || x->slots[k].axis != 0 || c->taken + 3 > x->count) continue;
        Choice kept = *c;
        size_t size = (size_t)x->count * x->n * sizeof *c->a;
        double* a = lia_memory_take(size + 1);
        bool* done = lia_memory_take(x->count + 1);
        if (!a || !done) {
            x->g->failed = true;
        } else {
            memcpy(a, c->a, size);
            memcpy(done, c->done, x->count);
            uint32_t got = 0;
            for (uint32_t axis = 0; axis < 3; axis++) {
                double entry;
                uint32_t row = best_row(x, c, k + axis, &entry);
                if (row == x->count) break;
                take_column(x, c, row, k + axis);
                got++;
            }
            if (got < 3) {
                memcpy(c->a, a, size);
                memcpy(c->done, done, x->count);
                c->taken = kept.taken;
                for (uint32_t axis = 0; axis < 3; axis++) x->slots[k + axis].fixed = false;
            }
        }
        free(a);
        free(done);
    }
}

// y = alpha q of the quaternion q of a rotation from slot k on, where generator A turns it by
// omega: alpha is along (0, omega) q/2 at the start. Its differential by turns, and in numbers
// there.
static void take_function(LiaReduce* x, Choice* c, uint32_t A, uint32_t k) {
    uint32_t n = x->n, first = x->m->groups[x->slots[k].rotation - 1].first;
    const double *q = x->e->q + first, *omega = c->a + (size_t)A * n + k;
    double alpha[4] = {0}, dy[3], size = 0.0, zero = 0.0;
    for (int j = 0; j < 3; j++) {
        int i = j + 1, l = i % 3 + 1, m = l % 3 + 1;
        alpha[0] -= omega[j] * q[i], alpha[i] += omega[j] * q[0];
        alpha[m] += omega[j] * q[l], alpha[l] -= omega[j] * q[m];
    }
    for (int i = 0; i < 4; i++) size = hypot(size, alpha[i]);
    for (uint32_t e = 0; e < n; e++)
        x->across[(size_t)c->taken * n + e] = lia_graph_integer(x->g, 0);
    for (int j = 0; j < 3; j++) {
        LiaExpr* to = &x->across[(size_t)c->taken * n + k + (uint32_t)j];
        for (int i = 0; i < 4; i++) {
            LiaExpr part = lia_graph_real(
                x->g, fabs(alpha[i]) > LIA_SLICE_LEAST * size ? alpha[i] / size : zero);
            LiaExpr turn = lia_reduce_turning(x, x->s->q + first, i, j);
            *to = lia_graph_add(x->g, *to, lia_graph_mul(x->g, part, turn));
        }
        dy[j] = lia_reduce_value(x, *to);
    }
    double pivot = 0.0;
    for (int j = 0; j < 3; j++) pivot += dy[j] * omega[j];
    for (uint32_t other = 0; other < x->count; other++) {
        double along = 0.0;
        for (int j = 0; j < 3; j++) along += dy[j] * c->a[(size_t)other * n + k + (uint32_t)j];
        for (uint32_t e = 0; other != A && e < n; e++)
            c->a[(size_t)other * n + e] -= along / pivot * c->a[(size_t)A * n + e];
    }
    c->done[A] = true;
    x->fixed[c->taken++] = UINT32_MAX;
}

// Generators that are left and turn a rotation that stays: the longest turn first.
static void take_turns(LiaReduce* x, Choice* c) {
    for (;;) {
        uint32_t row = x->count, slot = 0;
        double most = LIA_SLICE_LEAST;
        for (uint32_t A = 0; A < x->count; A++) {
            for (uint32_t k = 0; k < x->n; k++) {
                const double* w = c->a + (size_t)A * x->n + k;
                const LiaReduceSlot* of = &x->slots[k];
                if (c->done[A] || !of->rotation || of->axis != 0 || of->fixed) continue;
                double size = hypot(w[0], hypot(w[1], w[2]));
                if (size > most) most = size, row = A, slot = k;
            }
        }
        if (row == x->count || x->g->failed) return;
        take_function(x, c, row, slot);
    }
}

static bool choose(LiaReduce* x, Choice* c, const double* values, bool rotations_first) {
    memcpy(c->a, values, (size_t)x->count * x->n * sizeof *values);
    memset(c->done, 0, x->count);
    c->taken = 0;
    for (uint32_t k = 0; k < x->n; k++) x->slots[k].fixed = false;
    if (rotations_first) take_rotations(x, c);
    take_scalars(x, c);
    take_rotations(x, c);
    if (!rotations_first) return c->taken == x->count;
    take_turns(x, c);
    return c->taken == x->count;
}

static LiaStatus choose_slice(LiaReduce* x) {
    size_t size = (size_t)x->count * x->n;
    double* values = LIA_ARENA_NEW(x->arena, double, size + 1);
    Choice c = {.a = LIA_ARENA_NEW(x->arena, double, size + 1),
                .done = LIA_ARENA_NEW(x->arena, bool, x->count + 1)};
    x->fixed = LIA_ARENA_NEW(x->arena, uint32_t, x->count + 3);
    x->across = LIA_ARENA_NEW(x->arena, LiaExpr, (size_t)(x->count + 3) * x->n + 1);
    if (!values || !c.a || !c.done || !x->fixed || !x->across) return LIA_MEMORY;
    for (size_t k = 0; k < size; k++) values[k] = lia_reduce_value(x, x->xi[k]);
    bool chosen = choose(x, &c, values, false) || choose(x, &c, values, true);
    if (x->g->failed) return LIA_MEMORY;
    if (chosen) return LIA_OK;
    lia_diag_error(x->diags, x->m->symmetries[x->symmetry[0]].span, "E0371",
                   "no coordinates tell the states of an orbit apart at the start: %u of %u "
                   "generators have none of their own",
                   x->count - c.taken, x->count);
    lia_diag_help(x->diags, "where the start is a fixed point, start elsewhere");
    return LIA_MODEL;
}

static bool fix_slice(LiaReduce* x) {
    const LiaExplanation* e = x->e;
    x->position = LIA_ARENA_NEW(x->arena, LiaExpr, x->s->n + 1);
    x->rate = LIA_ARENA_NEW(x->arena, LiaExpr, x->s->n + 1);
    if (!x->position || !x->rate) return false;
    LiaExpr half = lia_graph_rational(x->g, 1, 2);
    for (uint32_t k = 0; k < x->n; k++) {
        const LiaReduceSlot* slot = &x->slots[k];
        if (!slot->rotation && slot->fixed) {
            x->position[slot->coordinate] = lia_graph_real(x->g, e->q[slot->coordinate]);
        }
        if (!slot->rotation || slot->axis != 0) continue;
        uint32_t first = x->m->groups[slot->rotation - 1].first;
        const LiaExpr* q = x->s->q + first;
        LiaExpr w[4] = {lia_graph_integer(x->g, 0), x->v[k], x->v[k + 1], x->v[k + 2]}, dot = w[0];
        for (int i = 1; i <= 3; i++) {
            int j = i % 3 + 1, l = j % 3 + 1;
            // (0, omega) q/2
            LiaExpr sum = lia_graph_mul(x->g, w[i], q[0]);
            sum = lia_graph_add(x->g, sum, lia_graph_mul(x->g, w[j], q[l]));
            sum = lia_graph_sub(x->g, sum, lia_graph_mul(x->g, w[l], q[j]));
            x->rate[first + (uint32_t)i] = lia_graph_mul(x->g, half, sum);
            dot = lia_graph_sub(x->g, dot, lia_graph_mul(x->g, w[i], q[i]));
        }
        x->rate[first] = lia_graph_mul(x->g, half, dot);
        for (uint32_t i = 0; slot->fixed && i < 4; i++) {
            x->position[first + i] = lia_graph_real(x->g, e->q[first + i]);
        }
    }
    return !x->g->failed;
}

// --- all of it
// --------------------------------------------------------------------------------------------

static LiaStatus divide(LiaReduce* x, const LiaReduceOptions* options, LiaText* out) {
    LiaStatus status = check_system(x);
    if (status == LIA_OK) status = read_names(x, options->by);
    if (status != LIA_OK) return status;
    if (!make_slots(x) || !make_generators(x)) return LIA_MEMORY;
    status = choose_slice(x);
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
