// The shortest step onto equations, for large systems. See min_norm_step.h.
// SPDX-License-Identifier: MIT
#include "mechanics/start/search/min_norm_step.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "mechanics/kkt/scaling.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool lia_min_norm_step_init(LiaMinNormStep* s, const LiaWorkspace* w, LiaMinNormAsked of) {
    int u = of.u, m = of.m;
    *s =
        (LiaMinNormStep){.u = u, .m = m, .unknown = of.unknown, .row = of.row, .weight = of.weight};
    size_t n = (size_t)w->n, N = (size_t)u + (size_t)m;
    s->block = lia_memory_zeros(
        (N + (size_t)u) * sizeof(double) + (n + N + 1) * sizeof(int) + (size_t)m + 1, 1);
    if (!s->block || !lia_sparse_lu_init(&s->lu, (int)N)) return false;
    s->b = s->block;
    s->unit = s->b + N;
    s->number = (int*)(s->unit + u);
    s->A.start = s->number + n;
    s->taken = (bool*)(s->A.start + N + 1);
    for (size_t i = 0; i < n; i++) s->number[i] = -1;
    for (int i = 0; i < u; i++) s->number[of.unknown[i]] = i;
    for (int c = 0; c < m; c++) s->taken[c] = true;
    return true;
}

void lia_min_norm_step_clear(LiaMinNormStep* s) {
    lia_sparse_lu_clear(&s->lu);
    lia_coo_clear(&s->sum);
    free(s->A.column);
    free(s->A.value);
    free(s->block);
}

// --- the metric ---------------------------------------------------------------------------------

static double own_inertia(const LiaMinNormStep* s, const LiaWorkspace* w, int i) {
    return lia_workspace_inertia(w, i) * s->weight[i] * s->weight[i];
}

// The length of a unit vector or quaternion has no inertia, and does not move: it gets that of its
// neighbours.
static void add_lengths(LiaMinNormStep* s, const LiaWorkspace* w) {
    const LiaSystem* system = w->system;
    for (int c = 0; c < w->nc; c++) {
        const LiaRow* row = &system->rows[w->dynamics->rows[c]];
        const LiaConstraint* constraint = &system->model->constraints[row->constraint];
        if (!constraint->internal || constraint->foot) continue;
        LiaEntries J = lia_workspace_J(w, c);
        double mass = 0.0;
        for (int k = 0; k < J.count; k++) {
            int i = lia_entry_column(&J, k);
            if (s->number[i] >= 0 && J.value[k] != 0.0)
                mass = fmax(mass, fabs(own_inertia(s, w, i)));
        }
        for (int k = 0; k < J.count; k++) {
            int i = s->number[lia_entry_column(&J, k)];
            for (int l = 0; i >= 0 && l < J.count; l++) {
                int j = s->number[lia_entry_column(&J, l)];
                if (j >= 0) lia_coo_add(&s->sum, i, j, mass * J.value[k] * J.value[l]);
            }
        }
    }
}

static bool add_metric(LiaMinNormStep* s, const LiaWorkspace* w) {
    double heaviest = 0.0;
    bool finite = true;
    for (int i = 0; i < s->u; i++) {
        LiaEntries M = lia_workspace_M(w, s->unknown[i]);
        for (int k = 0; k < M.count; k++) {
            int a = s->unknown[i], b = lia_entry_column(&M, k), j = s->number[b];
            if (j >= 0 && !(s->part && s->part[a] != s->part[b]))
                lia_coo_add(&s->sum, i, j, M.value[k] * s->weight[a] * s->weight[b]);
            finite &= isfinite(M.value[k]) != 0;
        }
        heaviest = fmax(heaviest, fabs(own_inertia(s, w, s->unknown[i])));
    }
    add_lengths(s, w);
    return finite && heaviest < INFINITY;
}

// An inertia that is none, or is there only by rounding, would give no metric.
static void mend_metric(LiaMinNormStep* s, const LiaModel* model) {
    double heaviest[2] = {0.0, 0.0};
    for (int pass = 0; pass < 2; pass++) {
        double most = fmax(heaviest[0], heaviest[1]);
        for (int i = 0; i < s->u; i++) {
            int kind = lia_scaling_kind(model, s->unknown[i]);
            double* own = NULL;
            for (int e = s->A.start[i]; e < s->A.start[i + 1]; e++) {
                if (s->A.column[e] == i) own = &s->A.value[e];
            }
            if (!own) continue;
            if (pass == 0) {
                heaviest[kind] = fmax(heaviest[kind], fabs(*own));
            } else if (model->coordinates[s->unknown[i]]
                           .inner) {  // follows the bodies, not its guess
                *own = LIA_INNER_INERTIA * (most > 0.0 ? most : 1.0);
            } else {
                *own = lia_scaling_inertia(*own, kind, heaviest);
            }
        }
    }
}

static bool same_group(const LiaMinNormStep* s, const LiaModel* model, int i, int k) {
    uint32_t group = model->coordinates[s->unknown[i]].group;
    return group && model->coordinates[s->unknown[k]].group == group;
}

// Inertias far from 1, or far from each other: coordinates are measured by them, so that the pivots
// tell the rank and not the units. The numbers of one rotation or direction have one unit.
static void choose_units(LiaMinNormStep* s, const LiaModel* model) {
    double most = 0.0, least = INFINITY;
    for (int i = 0, end; i < s->u; i = end) {
        double own = 0.0;
        for (end = i; end == i || (end < s->u && same_group(s, model, i, end)); end++) {
            for (int e = s->A.start[end]; e < s->A.start[end + 1]; e++) {
                if (s->A.column[e] == end) own = fmax(own, fabs(s->A.value[e]));
            }
        }
        for (int k = i; k < end; k++) s->unit[k] = own;
        most = fmax(most, own);
    }
    for (int i = 0; i < s->u; i++) least = s->unit[i] > 0.0 ? fmin(least, s->unit[i]) : least;
    bool far = most > 0.0 && (most < LIA_LIGHT_SYSTEM || least < LIA_INERTIAS_FAR * most);
    for (int i = 0; i < s->u; i++) {
        s->unit[i] = far ? lia_scaling_unit(s->unit[i], -0.5) : 1.0;
    }
}

static void take_units(LiaMinNormStep* s) {
    for (int r = 0; r < s->A.rows; r++) {
        double left = r < s->u ? s->unit[r] : 1.0;
        for (int e = s->A.start[r]; e < s->A.start[r + 1]; e++) {
            int k = s->A.column[e];
            s->A.value[e] *= k < s->u ? left * s->unit[k] : left;
        }
    }
}

// --- the solution -------------------------------------------------------------------------------

// Rows that depend on others are taken out. False if that changes nothing.
static bool select_rows(LiaMinNormStep* s, const LiaWorkspace* w) {
    s->sum.count = 0;
    for (int c = 0; c < s->m; c++) {
        LiaEntries J = lia_workspace_J(w, s->row[c]);
        double sum = 0.0;
        for (int pass = 0; pass < 2; pass++) {
            for (int k = 0; k < J.count; k++) {
                int i = s->number[lia_entry_column(&J, k)];
                if (i < 0) continue;
                if (pass == 0) sum += J.value[k] * J.value[k];
                if (pass == 1 && sum > 0.0) lia_coo_add(&s->sum, c, i, J.value[k] / sqrt(sum));
            }
        }
    }
    LiaElimination e = {0};
    LiaSparse rows = {.start = lia_memory_zeros(
                          (size_t)s->m + 1, sizeof *rows.start)};  // A stays: it may be solved with
    bool ok = rows.start && lia_coo_gather(&s->sum, s->m, s->u, &rows) &&
              lia_elimination_run(&rows, LIA_START_RANK_SPARSE, LIA_ROWS_BY_SIZE, &e);
    bool changed = false;
    int next = 0;
    bool* now = lia_memory_zeros((size_t)s->m + 1, sizeof *now);
    for (int k = 0; ok && now && k < e.rank; k++) now[e.row[k]] = true;
    for (; ok && now && next < s->m; next++) {
        changed |= now[next] != s->taken[next];
        s->taken[next] = now[next];
    }
    free(now);
    free(rows.start);
    free(rows.column);
    free(rows.value);
    lia_elimination_clear(&e);
    return ok && changed;
}

// [G J^T; J 0] of the rows taken, factored.
static double factor(LiaMinNormStep* s, const LiaWorkspace* w, bool* finite) {
    s->sum.count = 0;
    *finite = true;
    for (int i = 0; i < s->u; i++) lia_coo_add(&s->sum, i, i, s->plain ? 1.0 : 0.0);
    if (!s->plain) *finite = add_metric(s, w);
    int r = s->u;
    for (int c = 0; c < s->m; c++) {
        if (!s->taken[c]) continue;
        LiaEntries J = lia_workspace_J(w, s->row[c]);
        for (int k = 0; k < J.count; k++) {
            int i = s->number[lia_entry_column(&J, k)];
            if (i < 0) continue;
            lia_coo_add(&s->sum, i, r, J.value[k]);
            lia_coo_add(&s->sum, r, i, J.value[k]);
        }
        r++;
    }
    if (!lia_coo_gather(&s->sum, r, r, &s->A)) return 0.0;
    for (int i = 0; i < s->u; i++) s->unit[i] = 1.0;
    if (!s->plain) {
        mend_metric(s, w->system->model);
        choose_units(s, w->system->model);
        take_units(s);
    }
    if (!s->ordered) lia_sparse_lu_reset(&s->lu, r);
    s->ordered = true;
    return lia_sparse_lu_factor(&s->lu, &s->A, NULL);
}

static bool all_taken(const LiaMinNormStep* s) {
    for (int c = 0; c < s->m; c++) {
        if (!s->taken[c]) return false;
    }
    return true;
}

bool lia_min_norm_step_find(LiaMinNormStep* s, const LiaWorkspace* w, const double* b, double* y) {
    bool finite;
    // Rows that depended on others elsewhere need not do so here.
    if (!all_taken(s) && select_rows(s, w)) s->ordered = false;
    double pivot = factor(s, w, &finite);
    if (finite && !(pivot > LIA_START_FIRM) && select_rows(s, w)) {
        s->ordered = false;
        pivot = factor(s, w, &finite);
    }
    if (!(pivot > LIA_SINGULAR_PIVOT) && !s->plain) {  // M is no metric here
        s->plain = true;
        s->ordered = false;
        select_rows(s, w);
        pivot = factor(s, w, &finite);
    }
    if (!(pivot > LIA_SINGULAR_PIVOT)) return false;
    for (int i = 0; i < s->u; i++) s->b[i] = 0.0;
    int r = s->u;
    for (int c = 0; c < s->m; c++) {
        if (s->taken[c]) s->b[r++] = b[c];
    }
    lia_sparse_lu_refine(&s->lu, &s->A, s->b);
    for (int i = 0; i < s->u; i++) y[i] = s->b[i] * s->unit[i];
    return !s->sum.failed;
}
