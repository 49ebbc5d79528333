// Rows that depend on each other: which to keep in K0.
//
// All rows are kept for residuals. Independent ones are selected by orthogonalisation with
// pivoting, or by sparse elimination where there are many; the others follow from them. What their
// multipliers mean then: min_norm.c.
// SPDX-License-Identifier: MIT
#include "mechanics/kkt/independent.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

double lia_independent_rounding(const double* A, int m, int n) {
    double most = 0.0;
    for (size_t i = 0; i < (size_t)m * (size_t)n; i++) most = fmax(most, fabs(A[i]));
    return LIA_ENTRY_ROUNDING * most;
}

bool lia_independent_none(const LiaWorkspace* w, int c, double entry, double rounding) {
    return entry <= (w->system->rows[w->dynamics->rows[c]].steady ? 0.0 : rounding);
}

bool lia_independent_chosen_none(const LiaWorkspace* w, const LiaRowChoice* choice, int c,
                                 double entry, double rounding) {
    bool same = choice->row == lia_workspace_J || w->system->rows[w->dynamics->rows[c]].ideal;
    return same ? lia_independent_none(w, c, entry, rounding) : entry <= rounding;
}

// The square roots of the inertias that measure the columns. The quaternion of a rotation has none
// along itself, so that each of its numbers has none at some attitude: its coordinates, which stand
// side by side, share the largest of theirs.
void lia_independent_columns(const LiaWorkspace* w, double* size) {
    const LiaModel* model = w->system->model;
    for (int k = 0, end; k < w->nf; k = end) {
        uint32_t group = model->coordinates[w->dynamics->free[k]].group;
        double mass = 0.0;
        for (end = k; end < w->nf; end++) {
            if (end > k && (!group || model->coordinates[w->dynamics->free[end]].group != group))
                break;
            mass = fmax(mass, lia_workspace_inertia(w, end));
        }
        for (int i = k; i < end; i++) size[i] = mass > 0.0 ? sqrt(mass) : 1.0;
    }
}

// Size of each row, in units of sqrt(M), over that of the largest of the same constraint. The rows
// of a vector equation have one unit: where they say the same, as sin(theta) f = 0 and cos(theta) f
// = 0, the larger one says it better. Those of a joint of bodies are lengths and angles, of unit
// size each: none is larger.
static void row_weights(const LiaWorkspace* w, double* weight, double* size) {
    int nc = w->nc;
    lia_independent_columns(w, size);
    for (int c = 0; c < nc; c++) {
        LiaEntries J = lia_workspace_J(w, c);
        double sum = 0.0;
        for (int k = 0; k < J.count; k++) {
            double x = J.value[k] / size[lia_entry_column(&J, k)];
            sum += x * x;
        }
        weight[c] = sqrt(sum);
    }
    for (int c = 0, end; c < nc; c = end) {
        uint32_t constraint = w->system->rows[w->dynamics->rows[c]].constraint;
        double most = 0.0;
        for (end = c; end < nc; end++) {
            if (w->system->rows[w->dynamics->rows[end]].constraint != constraint) break;
            most = fmax(most, weight[end]);
        }
        const LiaConstraint* of = &w->system->model->constraints[constraint];
        bool alike = !of->joint || of->gap;
        for (int i = c; i < end; i++) weight[i] = alike && most > 0.0 ? weight[i] / most : 1.0;
    }
}

bool lia_independent_faded(const LiaWorkspace* w) {
    if (!w->saddle.weight) return false;
    row_weights(w, w->saddle.weight, w->saddle.weight + w->nc);
    for (int r = 0; r < w->nr; r++) {
        if (w->saddle.weight[w->active[r]] < LIA_WEIGHT_FADED) return true;
    }
    return false;
}

// The weights, sizes of columns, and what the method needs.
static size_t weight_numbers(const LiaWorkspace* w) {
    return (size_t)w->nc + (size_t)w->nf + w->saddle.method->choice_scratch(w->dynamics);
}

bool lia_independent_weigh(LiaWorkspace* w) {
    size_t bytes = weight_numbers(w) * sizeof(double) + (size_t)w->nc + 1;
    if (!w->saddle.weight) w->saddle.weight = lia_memory_zeros(bytes, 1);
    return w->saddle.weight != NULL;
}

bool lia_independent_select(LiaWorkspace* w, double margin, int rank_most) {
    int nf = w->nf, nc = w->nc;
    size_t numbers = weight_numbers(w);
    if (!lia_independent_weigh(w)) return false;
    double *weight = w->saddle.weight, *size = weight + nc;
    bool* taken = (bool*)(weight + numbers);
    LiaRowChoice choice = {lia_workspace_J, weight, size, size + nf, margin, rank_most};
    memset(taken, 0, (size_t)nc * sizeof *taken);
    row_weights(w, weight, size);
    if (!w->saddle.method->independent(w, &choice, taken)) return false;
    int rank = 0;
    for (int c = 0; c < nc; c++) rank += taken[c];
    bool changed = rank != w->nr;
    int at = 0;
    for (int c = 0; c < nc; c++) {
        if (!taken[c]) continue;
        if (at < w->nr && w->active[at] != c) changed = true;
        w->active[at++] = c;
    }
    w->nr = rank;
    return changed;
}

// Counted as the rows are, so that ideal forces are as many.
int lia_independent_force_rank(const LiaWorkspace* w) {
    size_t nc = (size_t)w->nc, numbers = weight_numbers(w);
    double* weight = lia_memory_zeros(numbers * sizeof(double) + nc + 1, 1);
    if (!weight) return 0;
    double* size = weight + nc;
    bool* taken = (bool*)(weight + numbers);
    LiaRowChoice choice = {lia_workspace_Omega, weight,           size,
                           size + w->nf,        w->saddle.margin, (int)nc};
    row_weights(w, weight, size);
    bool known = w->saddle.method->independent(w, &choice, taken);
    int rank = 0;
    for (size_t c = 0; known && c < nc; c++) rank += taken[c];
    free(weight);
    return rank;
}
