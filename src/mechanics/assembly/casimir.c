// Casimir functions of the brackets of a model: polynomials of the second degree at most, C with
// {x, C} = 0 for every x. They are kept whatever the Hamiltonian is, where no force acts. At
// samples,
//
//   Lambda(x) dC(x) = 0      for the coefficients of C: a kernel,
//
// of which those are taken whose differentials are independent, shortest first. What was found is
// verified at samples of its own. There may be others, of higher degree.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/qr.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "mechanics/assembly/phase.h"
#include "mechanics/build.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    VARIABLES_MOST = 12,   // the kernel has n (n + 3)/2 unknowns
    DENOMINATOR_MOST = 12  // of coefficients that are written as fractions
};

typedef struct Search {
    LiaSystem* s;
    int n, degree, terms;  // variables; of the polynomials; monomials
    LiaValues values;
    LiaExpr* entry;  // of each bracket, {0}: repeated                    (brackets)
    double* q;       // a sample                                          (coordinates)
    double* Lambda;  //                                                   (n x n)
    double* slope;   // of a polynomial, or of every monomial             (n x terms)
    double* rows;    // conditions on the coefficients
    double* kernel;  //                                                   (terms x terms)
    double* found;   // differentials of those that were taken, at one place   (n x n)
    int taken;
    LiaExpr* casimir;  // (n)
    uint64_t random;
} Search;

// Monomial k is x_a, or x_a x_b.
static void monomial(const Search* z, int k, int* a, int* b) {
    *b = -1;
    *a = k;
    if (k < z->n) return;
    k -= z->n;
    for (*a = 0; k >= z->n - *a; ++*a) k -= z->n - *a;
    *b = *a + k;
}

static void slopes_of(const Search* z) {
    int a, b;
    memset(z->slope, 0, (size_t)z->n * (size_t)z->terms * sizeof *z->slope);
    for (int k = 0; k < z->terms; k++) {
        monomial(z, k, &a, &b);
        z->slope[a * z->terms + k] += b < 0 ? 1.0 : z->q[b];
        if (b >= 0) z->slope[b * z->terms + k] += z->q[a];
    }
}

// A sample at which all brackets have values.
static bool draw(Search* z) {
    enum { TRIES = 8 };
    const LiaModel* m = z->s->model;
    size_t n = (size_t)z->n;
    for (int tries = 0; tries < TRIES; tries++) {
        lia_phase_sample(z->s, z->q, &z->random);
        lia_evaluate_run(&z->values, &(LiaSymbols){.q = z->q, .parameters = z->s->parameters});
        memset(z->Lambda, 0, n * n * sizeof *z->Lambda);
        bool good = true;
        for (uint32_t k = 0; k < m->phase.brackets_count; k++) {
            const LiaBracket* b = &m->phase.brackets[k];
            if (b->repeated) continue;
            double value = lia_value(&z->values, z->entry[k]);
            good = good && isfinite(value);
            z->Lambda[b->first * n + b->second] = value;
            z->Lambda[b->second * n + b->first] = -value;
        }
        if (good) return true;
    }
    return false;
}

// Lambda times the slopes of the monomials, row by row, each of length 1.
static void add_conditions(const Search* z, double* row) {
    for (int i = 0; i < z->n; i++, row += z->terms) {
        double size = 0.0;
        for (int k = 0; k < z->terms; k++) {
            row[k] = 0.0;
            for (int l = 0; l < z->n; l++) {
                row[k] += z->Lambda[i * z->n + l] * z->slope[l * z->terms + k];
            }
            size += row[k] * row[k];
        }
        size = sqrt(size);
        for (int k = 0; size > 0.0 && k < z->terms; k++) row[k] /= size;
    }
}

// The kernel in echelon form: each has a monomial of its own, with the coefficient 1.
static void echelon(const Search* z, int count) {
    int terms = z->terms, done = 0;
    for (int k = 0; k < terms && done < count; k++) {
        int best = done;
        for (int r = done; r < count; r++) {
            if (fabs(z->kernel[r * terms + k]) > fabs(z->kernel[best * terms + k])) best = r;
        }
        double pivot = z->kernel[best * terms + k];
        if (!(fabs(pivot) > LIA_CASIMIR_NONE)) continue;
        for (int j = 0; j < terms; j++) {
            double x = z->kernel[best * terms + j];
            z->kernel[best * terms + j] = z->kernel[done * terms + j];
            z->kernel[done * terms + j] = x / pivot;
        }
        for (int r = 0; r < count; r++) {
            double factor = r == done ? 0.0 : z->kernel[r * terms + k];
            for (int j = 0; factor != 0.0 && j < terms; j++) {
                z->kernel[r * terms + j] -= factor * z->kernel[done * terms + j];
            }
        }
        done++;
    }
}

// c as a fraction of small numbers, where it is one.
static LiaExpr coefficient(LiaGraph* g, double c) {
    for (int d = 1; d <= DENOMINATOR_MOST; d++) {
        double top = round(c * d);
        if (fabs(c * d - top) > LIA_CASIMIR_NONE * d) continue;
        return lia_graph_div(g, lia_graph_integer(g, (int64_t)top), lia_graph_integer(g, d));
    }
    return lia_graph_number(g, lia_number_double(c));
}

static LiaExpr polynomial(const Search* z, const double* c) {
    LiaGraph* g = z->s->graph;
    LiaExpr sum = lia_graph_integer(g, 0);
    int a, b;
    for (int k = 0; k < z->terms; k++) {
        if (fabs(c[k]) < LIA_CASIMIR_NONE) continue;
        monomial(z, k, &a, &b);
        LiaExpr term = z->s->q[a];
        if (b >= 0) term = lia_graph_mul(g, term, z->s->q[b]);
        if (b == a) term = lia_graph_pow(g, z->s->q[a], lia_graph_integer(g, 2));
        sum = lia_graph_add(g, sum, lia_graph_mul(g, coefficient(g, c[k]), term));
    }
    return sum;
}

// Does Lambda dC vanish at places where the coefficients were not found?
static bool holds(Search* z, LiaExpr C) {
    enum { PLACES = 3 };
    LiaExpr* slope = lia_memory_zeros((size_t)z->n + 1, sizeof *slope);
    LiaValues values = {0};
    bool good = slope && lia_diff_gradient(z->s->graph, C, z->s->q, (size_t)z->n, slope) &&
                lia_evaluate_init(&values, z->s->graph, slope, (size_t)z->n);
    for (int place = 0; good && place < PLACES; place++) {
        good = draw(z);
        lia_evaluate_run(&values, &(LiaSymbols){.q = z->q, .parameters = z->s->parameters});
        for (int i = 0; good && i < z->n; i++) {
            double sum = 0.0, size = 0.0;
            for (int l = 0; l < z->n; l++) {
                double term = z->Lambda[i * z->n + l] * lia_value(&values, slope[l]);
                sum += term;
                size += fabs(term);
            }
            good = fabs(sum) <= LIA_CASIMIR_NONE * size;
        }
    }
    if (values.graph) lia_evaluate_clear(&values);
    free(slope);
    return good;
}

// Its differential is independent of those that were taken? They are orthonormal.
static bool is_new(Search* z, const double* c) {
    double size = 0.0, left = 0.0, x[VARIABLES_MOST];
    for (int i = 0; i < z->n; i++) {
        x[i] = 0.0;
        for (int k = 0; k < z->terms; k++) x[i] += z->slope[i * z->terms + k] * c[k];
        size += x[i] * x[i];
    }
    for (int f = 0; f < z->taken; f++) {
        double along = 0.0;
        for (int i = 0; i < z->n; i++) along += x[i] * z->found[f * z->n + i];
        for (int i = 0; i < z->n; i++) x[i] -= along * z->found[f * z->n + i];
    }
    for (int i = 0; i < z->n; i++) left += x[i] * x[i];
    if (!(left > LIA_CASIMIR_APART * size)) return false;
    for (int i = 0; i < z->n; i++) z->found[z->taken * z->n + i] = x[i] / sqrt(left);
    return true;
}

// Polynomials of one degree. False if memory is out.
static bool search(Search* z, int degree) {
    z->degree = degree;
    z->terms = degree == 1 ? z->n : z->n * (z->n + 3) / 2;
    int places = z->terms / z->n + 3, m = 0;
    for (int place = 0; place < places && draw(z); place++, m += z->n) {
        slopes_of(z);
        add_conditions(z, z->rows + (size_t)m * (size_t)z->terms);
    }
    int* order = lia_memory_zeros((size_t)m + 1, sizeof *order);
    double* pivot = lia_memory_zeros((size_t)z->terms + 1, sizeof *pivot);
    bool good = order && pivot;
    if (good && m > z->terms) {
        LiaRows rows = {.m = m, .n = z->terms, .A = z->rows, .pivot = pivot, .order = order};
        lia_qr_factor(&rows, LIA_CASIMIR_RANK, false);
        int count = lia_qr_kernel(&rows, z->kernel);
        echelon(z, count);
        slopes_of(z);  // at the last place
        double* at = lia_memory_take((size_t)z->n * (size_t)z->terms * sizeof *at);
        good = at != NULL;
        if (good) memcpy(at, z->slope, (size_t)z->n * (size_t)z->terms * sizeof *at);
        for (int k = 0; good && k < count && z->taken < z->n; k++) {
            const double* c = z->kernel + (size_t)k * (size_t)z->terms;
            LiaExpr C = polynomial(z, c);
            if (!holds(z, C)) continue;
            memcpy(z->slope, at, (size_t)z->n * (size_t)z->terms * sizeof *at);
            if (is_new(z, c)) z->casimir[z->taken++] = C;
        }
        free(at);
    }
    free(order);
    free(pivot);
    return good && !z->s->graph->failed;
}

// The model with its Casimir functions where symmetries have their momenta: both are kept.
static bool give(const Search* z) {
    LiaSystem* s = z->s;
    LiaModel* own = LIA_ARENA_NEW(s->arena, LiaModel, 1);
    LiaSymmetry* list = LIA_ARENA_NEW(s->arena, LiaSymmetry, z->taken + 1);
    LiaExpr* momenta = LIA_ARENA_NEW(s->arena, LiaExpr, z->taken + 1);
    if (!own || !list || !momenta) return false;
    *own = *s->model;
    for (int k = 0; k < z->taken; k++) {
        list[k].name = lia_arena_printf(s->arena, "%d", k + 1);
        momenta[k] = z->casimir[k];
        if (!list[k].name) return false;
    }
    own->symmetries = list;
    own->symmetries_count = (uint32_t)z->taken;
    s->model = own;
    s->observables.momenta = momenta;
    return true;
}

static bool take_memory(Search* z, double** block, LiaExpr** entries) {
    size_t n = (size_t)z->n, terms = n * (n + 3) / 2;
    size_t rows = (terms / n + 3) * n;
    *block = lia_memory_zeros(z->s->n + n * n * 2 + n * terms + rows * terms + terms * terms + 1,
                              sizeof **block);
    *entries = lia_memory_zeros(z->s->model->phase.brackets_count + n + 1, sizeof **entries);
    if (!*block || !*entries) return false;
    z->q = *block;
    z->Lambda = z->q + z->s->n;
    z->found = z->Lambda + n * n;
    z->slope = z->found + n * n;
    z->rows = z->slope + n * terms;
    z->kernel = z->rows + rows * terms;
    z->entry = *entries;
    z->casimir = *entries + z->s->model->phase.brackets_count;
    return true;
}

bool lia_casimir_build(LiaSystem* s, LiaResolver* resolver) {
    const LiaModel* m = s->model;
    uint32_t n = lia_phase_variables(s);
    if (!m->phase.is || m->phase.brackets_count == 0 || n > VARIABLES_MOST) return true;
    Search z = {.s = s, .n = (int)n, .random = 1};
    double* block = NULL;
    LiaExpr* entries = NULL;
    bool good = take_memory(&z, &block, &entries);
    for (uint32_t k = 0; good && k < m->phase.brackets_count; k++) {
        if (!m->phase.brackets[k].repeated)
            z.entry[k] = lia_resolve_term(resolver, m->phase.brackets[k].term);
    }
    good = good && lia_evaluate_init(&z.values, s->graph, z.entry, m->phase.brackets_count);
    good = good && search(&z, 1) && search(&z, 2) && give(&z);
    if (z.values.graph) lia_evaluate_clear(&z.values);
    free(block);
    free(entries);
    return good;
}
