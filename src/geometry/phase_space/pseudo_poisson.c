// The pseudo-Poisson tensor. See pseudo_poisson.h.
// SPDX-License-Identifier: MIT
#include "geometry/phase_space/pseudo_poisson.h"
#include "base/numeric/dense.h"
#include "base/numeric/thresholds.h"
#include "expr/reading/formula_text.h"
#include "expr/reading/simplify.h"
#include "geometry/integrability/kernel_fields.h"
#include <math.h>
#include <string.h>

enum {
    SIZE_MOST = 16,     // coordinates
    FIELDS_MOST = 6,    // of the brackets that are made
    INVERTED_MOST = 3,  // fields for which G is inverted as formulas
    LENGTH_MOST = 200,  // characters of a formula
};

typedef struct Work {
    const LiaSystem* s;
    LiaKernelFields k;
    LiaArena* arena;
    LiaPseudoPoisson* out;
    size_t n, c, pairs;
    bool turns;      // there are attitudes or directions: nothing of it is written as formulas
    LiaExpr *X, *B;  // fields, their brackets                   (c x n), (pairs x n)
    LiaExpr *M, *p;  // the metric, the momenta dL/dv            (n x n), (n)
    LiaValues values;
    double *x, *b, *m, *momentum;  // the same as numbers
    double *G, *part, *rest;       // (c x c), (c), (n)
} Work;

// --- formulas ----------------------------------------------------------------------------------

static size_t formulas(const Work* w) { return (w->c + w->pairs + w->n + 1) * w->n; }

static LiaExpr product(LiaGraph* g, LiaExpr a, LiaExpr b) { return lia_graph_mul(g, a, b); }

// What an entry is divided by: -a/b or a/b; {0}: nothing.
static LiaExpr denominator(const LiaGraph* g, LiaExpr f) {
    const LiaNode* node = lia_graph_node(g, f);
    if (node->op == LIA_OP_NEG) node = lia_graph_node(g, (LiaExpr){node->a});
    return node->op == LIA_OP_DIV ? (LiaExpr){node->b} : (LiaExpr){0};
}

// The field times all that its entries are divided by, simplified.
static void clear_denominators(LiaGraph* g, LiaExpr* X, size_t n) {
    for (size_t i = 0; i < n; i++) X[i] = lia_simplify(g, X[i]);
    for (size_t i = 0; i < n; i++) {
        LiaExpr by = denominator(g, X[i]);
        if (!by.index) continue;
        for (size_t e = 0; e < n; e++) X[e] = lia_simplify(g, product(g, X[e], by));
    }
}

static bool bracket(Work* w, const LiaExpr* X, const LiaExpr* Y, LiaExpr* out) {
    LiaGraph* g = w->k.graph;
    LiaExpr* slope = LIA_ARENA_NEW(w->arena, LiaExpr, 2 * w->n + 1);
    if (!slope) return false;
    for (size_t i = 0; i < w->n; i++) {
        LiaExpr sum = lia_graph_integer(g, 0);
        if (!lia_diff_gradient(g, Y[i], w->s->q, w->n, slope) ||
            !lia_diff_gradient(g, X[i], w->s->q, w->n, slope + w->n)) {
            return false;
        }
        for (size_t e = 0; e < w->n; e++) {
            sum = lia_graph_add(g, sum, product(g, X[e], slope[e]));
            sum = lia_graph_sub(g, sum, product(g, Y[e], slope[w->n + e]));
        }
        out[i] = w->turns ? sum : lia_simplify(g, sum);
    }
    return !g->failed;
}

static bool make_formulas(Work* w) {
    LiaGraph* g = w->k.graph;
    size_t n = w->n, pair = 0;
    for (size_t a = 0; a < w->c; a++) {
        memcpy(w->X + a * n, w->k.X + a * w->k.N, n * sizeof *w->X);
        if (!w->turns) clear_denominators(g, w->X + a * n, n);
    }
    for (size_t a = 0; a < w->c; a++) {
        for (size_t b = a + 1; b < w->c; b++) {
            if (!bracket(w, w->X + a * n, w->X + b * n, w->B + pair++ * n)) return false;
        }
    }
    for (size_t i = 0; i < n; i++) {
        w->p[i] = w->s->lagrange.p[i];
        if (!lia_diff_gradient(g, w->p[i], w->s->v, n, w->M + i * n)) return false;
    }
    return lia_evaluate_init(&w->values, g, w->X, formulas(w));
}

// --- numbers -----------------------------------------------------------------------------------

static void evaluate(Work* w, double t, const double* q, const double* v) {
    LiaSymbols at = {.t = t, .parameters = w->s->parameters, .q = q, .v = v};
    lia_evaluate_run(&w->values, &at);
    for (size_t e = 0; e < formulas(w); e++) w->x[e] = lia_value(&w->values, w->X[e]);
}

static double metric(const Work* w, const double* a, const double* b) {
    double sum = 0.0;
    for (size_t i = 0; i < w->n; i++) {
        for (size_t e = 0; e < w->n; e++) sum += a[i] * w->m[i * w->n + e] * b[e];
    }
    return sum;
}

// G = X^T M X as L L^T. False where the metric is none on ker A.
static bool factor(Work* w) {
    for (size_t a = 0; a < w->c; a++) {
        for (size_t b = 0; b < w->c; b++)
            w->G[a * w->c + b] = metric(w, w->x + a * w->n, w->x + b * w->n);
    }
    return w->c > 0 && lia_dense_cholesky((int)w->c, w->G);
}

// u = X part + rest, rest orthogonal to ker A.
static void project(Work* w, const double* u) {
    for (size_t a = 0; a < w->c; a++) w->part[a] = metric(w, w->x + a * w->n, u);
    lia_dense_forward((int)w->c, w->G, w->part);
    lia_dense_backward((int)w->c, w->G, w->part);
    double whole = sqrt(fabs(metric(w, u, u)));
    for (size_t i = 0; i < w->n; i++) {
        double size = fabs(u[i]), heavy = sqrt(fabs(w->m[i * w->n + i]));
        w->rest[i] = u[i];
        for (size_t a = 0; a < w->c; a++) {
            double term = w->part[a] * w->x[a * w->n + i];
            w->rest[i] -= term;
            size += fabs(term);
        }
        bool nothing = heavy * fabs(w->rest[i]) <= LIA_IDENTITY * whole && heavy > 0.0;
        if (nothing || fabs(w->rest[i]) <= LIA_IDENTITY * size) w->rest[i] = 0.0;
    }
}

// -<p, rest>: what {P_a, P_b} is beyond the part that is linear in P.
static double constant(const Work* w) {
    double sum = 0.0, size = 0.0;
    for (size_t i = 0; i < w->n; i++) {
        sum -= w->momentum[i] * w->rest[i];
        size += fabs(w->momentum[i] * w->rest[i]);
    }
    return fabs(sum) > LIA_IDENTITY * size ? sum : 0.0;
}

// How long the rest is, of the length of u and of the fields it is a bracket of.
static double part_left(Work* w, const double* u, double least) {
    double whole = sqrt(fabs(metric(w, u, u))), left = sqrt(fabs(metric(w, w->rest, w->rest)));
    return left > LIA_IDENTITY * fmax(whole, least) ? left / fmax(whole, least) : 0.0;
}

// Fields are solved for with pivots that are good at the start; elsewhere one may vanish.
static bool has_fields(const Work* w) {
    bool finite = true;
    for (size_t e = 0; e < (w->c + w->pairs) * w->n; e++) finite &= isfinite(w->x[e]) != 0;
    return finite;
}

static void look(Work* w, const LiaSamples* samples, uint32_t k) {
    LiaPseudoPoisson* out = w->out;
    size_t n = w->n;
    const double* v = samples->v + k * n;
    evaluate(w, samples->t[k], samples->q + k * n, v);
    if (k > 0 && !has_fields(w)) return;
    if (!factor(w)) {
        out->known = false;
        out->why = "the metric is singular";
        return;
    }
    double least = 0.0;  // lengths of the fields
    for (size_t a = 0; a < w->c; a++)
        least = fmax(least, sqrt(fabs(metric(w, w->x + a * n, w->x + a * n))));
    for (size_t p = 0; p < w->pairs; p++) {
        const double* b = w->b + p * n;
        project(w, b);
        out->largest = fmax(out->largest, part_left(w, b, least));
        if (k > 0) continue;
        for (size_t a = 0; a < w->c; a++) out->part[p * w->c + a] = -w->part[a];
        memcpy(out->jacobiator + p * n, w->rest, n * sizeof *w->rest);
        out->constant[p] = constant(w);
    }
    project(w, v);
    bool missing = part_left(w, v, 0.0) > 0.0;
    if (missing) out->motion = false;
    if (k == 0 && missing) memcpy(out->missing, w->rest, n * sizeof *w->rest);
}

// --- text --------------------------------------------------------------------------------------

static const char* text_of(Work* w, LiaText* text) {
    const char* copy = text->length <= LENGTH_MOST && text->data
                           ? lia_arena_text(w->arena, text->data, text->length)
                           : NULL;
    lia_text_clear(text);
    return copy;
}

static const char* field_text(Work* w, size_t a) {
    LiaText text = {0};
    for (size_t i = 0; i < w->n; i++) {
        LiaExpr f = w->X[a * w->n + i];
        if (lia_graph_is_zero(w->k.graph, f)) continue;
        lia_text_add(&text, "%s%s' = ", text.length ? ", " : "", w->s->model->coordinates[i].name);
        lia_formula_text(w->k.graph, f, &text);
    }
    return text_of(w, &text);
}

// The determinant of a matrix of at most INVERTED_MOST rows.
static LiaExpr determinant(LiaGraph* g, const LiaExpr* m, size_t size) {
    if (size == 1) return m[0];
    LiaExpr sum = lia_graph_integer(g, 0);
    for (size_t c = 0; c < size; c++) {
        LiaExpr minor[4];
        size_t count = 0;
        for (size_t e = size; e < size * size; e++) {
            if (e % size != c) minor[count++] = m[e];
        }
        LiaExpr term = product(g, m[c], determinant(g, minor, size - 1));
        sum = c % 2 ? lia_graph_sub(g, sum, term) : lia_graph_add(g, sum, term);
    }
    return sum;
}

static LiaExpr metric_formula(Work* w, const LiaExpr* a, const LiaExpr* b) {
    LiaGraph* g = w->k.graph;
    LiaExpr sum = lia_graph_integer(g, 0);
    for (size_t i = 0; i < w->n; i++) {
        for (size_t e = 0; e < w->n; e++)
            sum = lia_graph_add(g, sum, product(g, product(g, a[i], w->M[i * w->n + e]), b[e]));
    }
    return lia_simplify(g, sum);
}

// The coefficients -(G^-1 X^T M [X_a, X_b]) of P, by Cramer's rule.
static void bracket_parts(Work* w, size_t p, LiaExpr* part) {
    LiaGraph* g = w->k.graph;
    size_t c = w->c;
    LiaExpr G[INVERTED_MOST * INVERTED_MOST], other[INVERTED_MOST * INVERTED_MOST];
    for (size_t e = 0; e < c * c; e++)
        G[e] = metric_formula(w, w->X + e / c * w->n, w->X + e % c * w->n);
    LiaExpr whole = determinant(g, G, c);
    for (size_t a = 0; a < c; a++) {
        memcpy(other, G, c * c * sizeof *G);
        for (size_t e = 0; e < c; e++)
            other[e * c + a] = metric_formula(w, w->X + e * w->n, w->B + p * w->n);
        part[a] = lia_graph_neg(g, lia_graph_div(g, determinant(g, other, c), whole));
        part[a] = lia_simplify(g, part[a]);
    }
}

// -<p, rest> as a formula, p at the velocities that the equations ask for by themselves: the field
// along time, or 0 where they are linear.
static LiaExpr bracket_constant(Work* w, size_t p, const LiaExpr* part) {
    LiaGraph* g = w->k.graph;
    LiaExpr sum = lia_graph_integer(g, 0), drift[SIZE_MOST];
    for (size_t i = 0; i < w->n; i++)
        drift[i] = w->k.time ? w->k.X[w->c * w->k.N + i] : lia_graph_integer(g, 0);
    for (size_t i = 0; i < w->n; i++) {
        LiaExpr rest = w->B[p * w->n + i];
        for (size_t a = 0; a < w->c; a++)
            rest = lia_graph_add(g, rest, product(g, part[a], w->X[a * w->n + i]));
        LiaExpr at = lia_diff_substitute(g, w->p[i], LIA_SYMBOL_VELOCITY, drift, w->n);
        sum = lia_graph_sub(g, sum, product(g, at, rest));
    }
    return lia_simplify(g, sum);
}

static const char* bracket_text(Work* w, size_t p) {
    LiaGraph* g = w->k.graph;
    if (w->c > INVERTED_MOST) return NULL;
    LiaExpr part[INVERTED_MOST];
    LiaText text = {0};
    bracket_parts(w, p, part);
    for (size_t a = 0; a < w->c; a++) {
        if (lia_graph_is_zero(g, part[a])) continue;
        lia_text_add(&text, text.length ? " + (" : "(");
        lia_formula_text(g, part[a], &text);
        lia_text_add(&text, ")*P%zu", a + 1);
    }
    LiaExpr beyond = bracket_constant(w, p, part);
    if (!lia_graph_is_zero(g, beyond)) {
        lia_text_add(&text, text.length ? " + (" : "");
        bool alone = text.length == 0;
        lia_formula_text(g, beyond, &text);
        if (!alone) lia_text_add(&text, ")");
    }
    if (text.length == 0) lia_text_add(&text, "0");
    return text_of(w, &text);
}

// --- all of it ---------------------------------------------------------------------------------

static const char* obstacle(const LiaGeometry* y, bool ideal, bool* any) {
    const LiaSystem* s = y->system;
    *any = false;
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaRow* row = &s->rows[r];
        if (row->identical || s->model->constraints[row->constraint].internal) continue;
        *any = true;
        if (!row->linear) return "an equation is not linear in the velocities";
    }
    if (!*any) return NULL;
    if (!ideal) return "a force is not along its equation";
    if (!y->quadratic) return "L is not quadratic in the velocities";
    return s->n > SIZE_MOST ? "there are too many coordinates" : NULL;
}

static bool has_turns(const LiaModel* model) {
    bool any = false;
    for (uint32_t c = 0; c < model->groups_count; c++)
        any |= model->groups[c].manifold != LIA_SPACE;
    return any;
}

static bool make_room(Work* w) {
    LiaPseudoPoisson* out = w->out;
    size_t n = w->n, c = w->c, pairs = w->pairs, all = formulas(w);
    w->X = LIA_ARENA_NEW(w->arena, LiaExpr, all + 1);
    w->x = LIA_ARENA_NEW(w->arena, double, all + 1);
    w->G = LIA_ARENA_NEW(w->arena, double, (c * c) + 1);
    w->part = LIA_ARENA_NEW(w->arena, double, c + 1);
    w->rest = LIA_ARENA_NEW(w->arena, double, n + 1);
    out->field = LIA_ARENA_NEW(w->arena, const char*, c + 1);
    out->bracket = LIA_ARENA_NEW(w->arena, const char*, pairs + 1);
    out->part = LIA_ARENA_NEW(w->arena, double, (pairs * c) + 1);
    out->constant = LIA_ARENA_NEW(w->arena, double, pairs + 1);
    out->jacobiator = LIA_ARENA_NEW(w->arena, double, (pairs * n) + 1);
    out->missing = LIA_ARENA_NEW(w->arena, double, n + 1);
    if (!w->X || !w->x || !w->G || !w->part || !w->rest || !out->field || !out->bracket ||
        !out->part || !out->constant || !out->jacobiator || !out->missing) {
        return false;
    }
    w->B = w->X + c * n, w->M = w->B + pairs * n, w->p = w->M + n * n;
    w->b = w->x + c * n, w->m = w->b + pairs * n, w->momentum = w->m + n * n;
    return true;
}

static bool make(Work* w, const LiaSamples* samples) {
    LiaPseudoPoisson* out = w->out;
    if (!lia_kernel_fields_solve(&w->k, samples->t[0], samples->q, w->s->parameters)) {
        out->why = "the equations have no value at the start";
        return !w->k.graph->failed;
    }
    w->c = 0;  // the field along time, where there is one, is the last
    while (w->c < w->k.count && w->c + w->k.rows < w->n) w->c++;
    if (w->c > FIELDS_MOST) {
        out->why = "there are too many fields";
        return true;
    }
    w->pairs = w->c * (w->c - (w->c > 0)) / 2;
    out->count = (uint32_t)w->c, out->pairs = (uint32_t)w->pairs;
    if (!make_room(w) || !make_formulas(w)) return false;
    out->known = w->c > 0, out->motion = true;
    for (uint32_t k = 0; out->known && k < samples->count; k++) look(w, samples, k);
    out->poisson = out->largest == 0.0;
    out->written = out->known && !w->turns;
    for (size_t a = 0; out->written && a < w->c; a++) out->field[a] = field_text(w, a);
    for (size_t p = 0; out->written && p < w->pairs; p++) out->bracket[p] = bracket_text(w, p);
    return !w->k.graph->failed;
}

bool lia_pseudo_poisson_make(LiaGeometry* y, const LiaSamples* samples, bool ideal, LiaArena* arena,
                             LiaPseudoPoisson* out) {
    bool any;
    *out = (LiaPseudoPoisson){0};
    out->why = obstacle(y, ideal, &any);
    if (out->why || !any || samples->count == 0) return true;
    Work w = {.s = y->system, .arena = arena, .out = out, .n = y->system->n};
    w.turns = has_turns(y->system->model);
    bool ok = lia_kernel_fields_init(&w.k, y, false) && make(&w, samples);
    lia_evaluate_clear(&w.values);
    lia_kernel_fields_clear(&w.k);
    return ok;
}
