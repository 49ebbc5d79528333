// The Jacobi identity of the brackets of a model, at samples: for each triple
//
//   {x, {y, z}} + {y, {z, x}} + {z, {x, y}} = 0,      {x, {y, z}} = sum over l of {x, l} d{y, z}/dl
//
// A bracket that fails it is no Poisson bracket ("almost Poisson"): the motion is defined, and H is
// kept, but Casimir functions and leaves need not exist. So it is a warning.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "mechanics/assembly/phase.h"
#include "mechanics/build.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES = 5,
    LOOKED = 400,  // phase variables: of more, the table of brackets would be large
};

typedef struct Entry {  // {first, second} and its derivatives by the variables
    uint32_t first, second;
    LiaExpr formula;
    LiaExpr* slope;  // (n)
} Entry;

typedef struct Jacobi {
    LiaSystem* s;
    uint32_t n, count;  // phase variables, entries
    Entry* entries;
    LiaExpr* roots;  // all formulas
    size_t root_count;
    LiaValues values;
    double* q;         // a sample                                     (coordinates)
    double* Lambda;    //                                              (n x n)
    double* sum;       // of one x: the defect by y and z              (n x n)
    double* size;      // what it is a part of                         (n x n)
    double* rounding;  // of every node: the sizes its rounding is a part of
    double worst;      // defect over size
    double defect;
    uint32_t triple[3];
    double at[3];  // these variables there
} Jacobi;

static bool make_entries(Jacobi* j, LiaResolver* resolver) {
    LiaSystem* s = j->s;
    const LiaModel* m = s->model;
    size_t n = j->n;
    j->entries = lia_memory_zeros(m->phase.brackets_count + 1, sizeof *j->entries);
    j->roots = lia_memory_zeros(m->phase.brackets_count * (n + 1) + 1, sizeof *j->roots);
    if (!j->entries || !j->roots) return false;
    for (uint32_t k = 0; k < m->phase.brackets_count; k++) {
        const LiaBracket* b = &m->phase.brackets[k];
        if (b->repeated) continue;
        Entry* entry = &j->entries[j->count++];
        *entry = (Entry){b->first, b->second, lia_resolve_term(resolver, b->term), NULL};
        if (!entry->formula.index) return false;
        j->roots[j->root_count++] = entry->formula;
        entry->slope = &j->roots[j->root_count];
        if (!lia_diff_gradient(s->graph, entry->formula, s->q, n, entry->slope)) return false;
        j->root_count += n;
    }
    return !s->graph->failed && lia_evaluate_init(&j->values, s->graph, j->roots, j->root_count);
}

// One term of the identity: {x, l} d{y, z}/dl, for one x.
static void add_term(Jacobi* j, uint32_t y, uint32_t z, double term) {
    j->sum[(size_t)y * j->n + z] += term;
    j->size[(size_t)y * j->n + z] += fabs(term);
}

static void add_entry(Jacobi* j, uint32_t x, const Entry* e, double sign) {
    uint32_t n = j->n, a = sign > 0.0 ? e->first : e->second, b = sign > 0.0 ? e->second : e->first;
    for (uint32_t l = 0; l < n; l++) {
        double slope = sign * lia_value(&j->values, e->slope[l]);
        if (slope == 0.0) continue;
        add_term(j, a, b, j->Lambda[(size_t)x * n + l] * slope);  // {x, {a, b}}
        for (uint32_t y = 0; y < n; y++) {
            double of = j->Lambda[(size_t)y * n + l] * slope;
            if (of == 0.0) continue;
            if (b == x) add_term(j, y, a, of);  // {y, {z, x}} with z = a
            if (a == x) add_term(j, b, y, of);  // {z, {x, y}} with y = b, and z is this one
        }
    }
}

// Values that are rounding of their own terms are 0: they would be taken for terms of the identity.
static void clean(Jacobi* j) {
    lia_sizes_run(&j->values, &(LiaSymbols){0}, j->rounding);
    for (size_t k = 0; k < j->root_count; k++) {
        uint32_t node = j->roots[k].index;
        if (fabs(j->values.value[node]) <= LIA_JACOBI_ROUNDING * j->rounding[node])
            j->values.value[node] = 0.0;
    }
}

static bool fill_Lambda(Jacobi* j) {
    memset(j->Lambda, 0, (size_t)j->n * j->n * sizeof *j->Lambda);
    for (uint32_t k = 0; k < j->count; k++) {
        const Entry* e = &j->entries[k];
        double value = lia_value(&j->values, e->formula);
        if (!isfinite(value)) return false;
        for (uint32_t l = 0; l < j->n; l++) {
            if (!isfinite(lia_value(&j->values, e->slope[l]))) return false;
        }
        j->Lambda[(size_t)e->first * j->n + e->second] = value;
        j->Lambda[(size_t)e->second * j->n + e->first] = -value;
    }
    return true;
}

static void look(Jacobi* j, uint32_t x) {
    size_t n = j->n;
    memset(j->sum, 0, n * n * sizeof *j->sum);
    memset(j->size, 0, n * n * sizeof *j->size);
    for (uint32_t k = 0; k < j->count; k++) {
        add_entry(j, x, &j->entries[k], 1.0);
        add_entry(j, x, &j->entries[k], -1.0);
    }
    for (uint32_t y = x + 1; y < n; y++) {
        for (uint32_t z = y + 1; z < n; z++) {
            double size = j->size[y * n + z], defect = fabs(j->sum[y * n + z]);
            if (!(size > 0.0) || !(defect / size > j->worst)) continue;
            j->worst = defect / size;
            j->defect = j->sum[y * n + z];
            uint32_t triple[3] = {x, y, z};
            for (int i = 0; i < 3; i++) {
                j->triple[i] = triple[i];
                j->at[i] = j->q[triple[i]];
            }
        }
    }
}

static bool is_in(const uint32_t* triple, uint32_t i) {
    return triple[0] == i || triple[1] == i || triple[2] == i;
}

// The last bracket of two of the three, where one is written.
static LiaSpan place_of(const Jacobi* j) {
    const LiaModel* m = j->s->model;
    LiaSpan span = m->phase.brackets[0].span;
    for (uint32_t k = 0; k < m->phase.brackets_count; k++) {
        const LiaBracket* b = &m->phase.brackets[k];
        if (is_in(j->triple, b->first) && is_in(j->triple, b->second)) span = b->span;
    }
    return span;
}

static void say(const Jacobi* j, LiaDiags* diags) {
    const LiaCoordinate* x = j->s->model->coordinates;
    const uint32_t* of = j->triple;
    lia_diag_warning(
        diags, place_of(j), "W0360",
        "this is no Poisson bracket: the Jacobi identity fails for %s, %s, %s, by %.3g "
        "(%.1g of its terms) at %s = %.3g, %s = %.3g, %s = %.3g",
        x[of[0]].name, x[of[1]].name, x[of[2]].name, j->defect, j->worst, x[of[0]].name, j->at[0],
        x[of[1]].name, j->at[1], x[of[2]].name, j->at[2]);
    lia_diag_help(diags,
                  "{%s, {%s, %s}} and the two that follow by turning the three add up to 0; "
                  "look for a sign, or a bracket that was left out",
                  x[of[0]].name, x[of[1]].name, x[of[2]].name);
}

bool lia_jacobi_check(LiaSystem* s, LiaDiags* diags) {
    const LiaModel* m = s->model;
    s->phase.jacobi = m->phase.brackets_count == 0 ? 0.0 : NAN;
    if (!m->phase.is || m->phase.brackets_count == 0) return true;
    Jacobi j = {.s = s, .n = lia_phase_variables(s)};
    if (j.n > LOOKED) {
        lia_system_choice(s, "the Jacobi identity is not checked: there are more than %d variables",
                          LOOKED);
        return true;
    }
    size_t square = (size_t)j.n * j.n + 1;
    double* block = lia_memory_zeros(3 * square + s->n, sizeof *block);
    LiaResolver* resolver = lia_resolve_create(s->graph, &s->rates, m, NULL, NULL);
    bool ok = block && resolver && make_entries(&j, resolver);
    if (ok) j.rounding = lia_memory_zeros(j.values.size + 1, sizeof *j.rounding);
    ok = ok && j.rounding;
    if (ok) {
        uint64_t random = 1;
        bool seen = false;
        j.Lambda = block, j.sum = block + square, j.size = block + 2 * square;
        j.q = block + 3 * square;
        for (int k = 0; k < SAMPLES; k++) {
            lia_phase_sample(s, j.q, &random);
            lia_evaluate_run(&j.values, &(LiaSymbols){.q = j.q, .parameters = s->parameters});
            clean(&j);
            if (!fill_Lambda(&j)) continue;
            seen = true;
            for (uint32_t x = 0; x < j.n; x++) look(&j, x);
        }
        if (seen) s->phase.jacobi = j.worst;
        if (j.worst > LIA_JACOBI_FAILS) say(&j, diags);
    }
    if (j.values.graph) lia_evaluate_clear(&j.values);
    lia_resolve_destroy(resolver);
    free(j.entries);
    free(j.roots);
    free(j.rounding);
    free(block);
    return ok;
}
