// Canonical coordinates of a leaf of V*M. See leaf_chart.h.
// SPDX-License-Identifier: MIT
#include "geometry/phase_space/leaf_chart.h"
#include "base/numeric/thresholds.h"
#include "geometry/phase_space/fields_work.h"
#include <math.h>
#include <string.h>

enum { NEWTON_MOST = 30 };

static bool is_unit(const LiaGroup* group) {
    return group->manifold == LIA_ROTATION || group->manifold == LIA_SPHERE;
}

static const LiaRow* row_of(const LiaLeafChart* c, uint32_t b) {
    return &c->space->geometry->system->rows[c->fields.frame.row[b]];
}

// The attitude or direction whose length is number l of the frame.
static const LiaGroup* group_of(const LiaLeafChart* c, size_t l) {
    const LiaModel* model = c->space->geometry->system->model;
    const double* u = c->fields.frame.F + (c->fields.frame.nb + l) * c->fields.n;
    for (uint32_t k = 0; k < model->groups_count; k++) {
        const LiaGroup* group = &model->groups[k];
        for (uint32_t i = 0; is_unit(group) && i < group->count; i++) {
            if (u[group->first + i] != 0.0) return group;
        }
    }
    return NULL;
}

// Is a function given by the velocities of it alone, so that it is kept only by coordinates that
// stay as they are?
static bool is_rate(const LiaLeafChart* c, uint32_t b) {
    const LiaGraph* g = c->space->geometry->graph;
    const LiaRow* row = row_of(c, b);
    return row->turn || (lia_graph_node(g, row->left)->depends & LIA_DEPENDS(VELOCITY)) != 0;
}

// Does keeping the function leave all coordinates it depends on as they are?
static bool stays(const LiaFrame* f, uint32_t b) {
    const double* F = f->F + (size_t)b * f->n;
    size_t rows = (size_t)f->nb + f->nl;
    for (uint32_t j = 0; j < f->nf; j++) {
        if (F[f->fibre[j]] != 0.0) return false;
        for (size_t r = 0; r < rows; r++) {
            if (F[f->pivot[r]] != 0.0 && f->P[j * rows + r] != 0.0) return false;
        }
    }
    return true;
}

static bool take_functions(LiaLeafChart* c) {
    const LiaFrame* f = &c->fields.frame;
    LiaGraph* g = c->space->geometry->graph;
    const LiaSystem* s = c->space->geometry->system;
    size_t n = f->n, nb = f->nb;
    c->left = LIA_ARENA_NEW(c->fields.arena, LiaExpr, nb + nb * n + 1);
    c->kept = LIA_ARENA_NEW(c->fields.arena, double, nb + 1);
    if (!c->left || !c->kept) return false;
    c->row = c->left + nb;
    LiaExpr zero = lia_graph_integer(g, 0);
    for (uint32_t b = 0; b < nb; b++) {
        bool rate = is_rate(c, b);
        if (rate && !stays(f, b)) {
            c->why = "the base is given by velocities that move coordinates of the fibre";
            return false;
        }
        c->left[b] = rate ? zero : row_of(c, b)->left;
        for (size_t i = 0; rate && i < n; i++) c->row[b * n + i] = zero;
        if (!rate && !lia_diff_gradient(g, c->left[b], s->q, n, c->row + b * n)) return false;
    }
    if (g->failed || !lia_evaluate_init(&c->values, g, c->left, nb + nb * n)) return false;
    const LiaFieldsState* at = &c->fields.state;
    lia_evaluate_run(&c->values,
                     &(LiaSymbols){.t = at->t, .parameters = s->parameters, .q = at->q});
    for (uint32_t b = 0; b < nb; b++)
        c->kept[b] = is_rate(c, b) ? NAN : lia_value(&c->values, c->left[b]);
    return true;
}

bool lia_leaf_chart_make(LiaPhaseSpace* space, const LiaFieldsBase* base,
                         const LiaFieldsState* state, LiaLeafChart* c) {
    const LiaModel* model = space->geometry->system->model;
    *c = (LiaLeafChart){.space = space, .base = *base};
    LiaArena* arena = space->geometry->arena;
    bool* length = LIA_ARENA_NEW(arena, bool, model->groups_count + 1);
    bool* pivot = LIA_ARENA_NEW(arena, bool, space->n + 1);
    if (!length || !pivot) return false;
    for (uint32_t i = 0; i < model->groups_count; i++) length[i] = is_unit(&model->groups[i]);
    c->base.length = length, c->base.pivot = NULL;
    if (!lia_fields_make(space, &c->base, state->t, state->q, state->v, &c->fields)) {
        c->why = c->fields.why;
        return false;
    }
    if (!c->fields.split) {
        c->why = c->fields.why;
        return false;
    }
    const LiaFrame* f = &c->fields.frame;
    for (uint32_t r = 0; r < f->nb + f->nl; r++) pivot[f->pivot[r]] = true;
    c->base.pivot = pivot;
    return take_functions(c);
}

// The rows of all functions and lengths at q, by pivot; -1 times what they miss into y. NAN entries
// where there are none.
static void rows_at(LiaLeafChart* c, const double* q, double* F, double* y) {
    const LiaFrame* f = &c->fields.frame;
    const LiaSystem* s = c->space->geometry->system;
    size_t n = f->n;
    lia_evaluate_run(
        &c->values,
        &(LiaSymbols){.t = c->fields.state.t, .parameters = s->parameters, .q = (double*)q});
    for (size_t b = 0; b < f->nb; b++) {
        bool rate = isnan(c->kept[b]);
        y[b] = rate ? 0.0 : c->kept[b] - lia_value(&c->values, c->left[b]);
        for (size_t i = 0; i < n; i++)
            F[b * n + i] = rate ? f->F[b * n + i] : lia_value(&c->values, c->row[b * n + i]);
    }
    for (size_t l = 0; l < f->nl; l++) {
        const LiaGroup* group = group_of(c, l);
        double *row = F + (f->nb + l) * n, over = 0.0;
        memset(row, 0, n * sizeof *row);
        for (size_t i = group->first; i < (size_t)group->first + group->count; i++) {
            row[i] = q[i];
            over += q[i] * q[i] - c->fields.state.q[i] * c->fields.state.q[i];
        }
        y[f->nb + l] = -0.5 * over;
    }
}

typedef struct Place {
    double *F, *y;           // rows, what they miss           ((nb + nl) x n), (nb + nl)
    double *B, *scales;      // of the pivots, factored
    double *Z, *G, *p, *gZ;  // of the fibre                   (nf x n), (nf x nf), (n), (n)
    double* g;
    int* exchanges;
} Place;

static bool make_room(Place* w, const LiaFrame* f, LiaArena* arena) {
    size_t n = f->n, rows = (size_t)f->nb + f->nl, nf = f->nf, most = rows > nf ? rows : nf;
    w->F = LIA_ARENA_NEW(arena, double, rows* n + 1);
    w->y = LIA_ARENA_NEW(arena, double, most + 1);
    w->B = LIA_ARENA_NEW(arena, double, rows* rows + 1);
    w->scales = LIA_ARENA_NEW(arena, double, 2 * most + 1);
    w->Z = LIA_ARENA_NEW(arena, double, nf* n + 1);
    w->G = LIA_ARENA_NEW(arena, double, nf* nf + 1);
    w->p = LIA_ARENA_NEW(arena, double, n + 1);
    w->gZ = LIA_ARENA_NEW(arena, double, n + 1);
    w->g = LIA_ARENA_NEW(arena, double, n* n + 1);
    w->exchanges = LIA_ARENA_NEW(arena, int, most + 1);
    return w->F && w->y && w->B && w->scales && w->Z && w->G && w->p && w->gZ && w->g &&
           w->exchanges;
}

static LiaLu factor_pivots(const LiaFrame* f, Place* w) {
    size_t rows = (size_t)f->nb + f->nl;
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < rows; c++) w->B[r * rows + c] = w->F[r * f->n + f->pivot[c]];
    }
    LiaLu lu = {(int)rows, w->B, w->exchanges, w->scales, w->scales + rows};
    if (rows > 0) lia_dense_lu_factor(&lu, NULL);
    return lu;
}

// The pivots that keep the functions and the lengths; w->F holds the rows there.
static bool keep_functions(LiaLeafChart* c, Place* w, double* q) {
    const LiaFrame* f = &c->fields.frame;
    size_t rows = (size_t)f->nb + f->nl;
    bool near = false;
    for (int step = 0; step < NEWTON_MOST; step++) {
        rows_at(c, q, w->F, w->y);
        LiaLu lu = factor_pivots(f, w);
        if (near || rows == 0) return true;
        lia_dense_lu_solve(&lu, w->y);
        near = true;
        for (size_t r = 0; r < rows; r++) {
            double* x = &q[f->pivot[r]];
            near = near && fabs(w->y[r]) <= LIA_LEAF_NEAR * (1.0 + fabs(*x));
            *x += w->y[r];
            if (!isfinite(*x)) return false;
        }
    }
    return false;
}

// v of the fibre such that <p, Z_j> is p_j.
static bool set_velocities(LiaLeafChart* c, Place* w, const double* p, const double* q, double* v) {
    const LiaFrame* f = &c->fields.frame;
    size_t n = f->n, rows = (size_t)f->nb + f->nl, nf = f->nf;
    double t = c->fields.state.t;
    LiaLu lu = factor_pivots(f, w);
    for (size_t j = 0; j < nf; j++) {
        double* Z = w->Z + j * n;
        for (size_t r = 0; r < rows; r++) w->y[r] = -w->F[r * n + f->fibre[j]];
        if (rows > 0) lia_dense_lu_solve(&lu, w->y);
        Z[f->fibre[j]] = 1.0;
        for (size_t r = 0; r < rows; r++) Z[f->pivot[r]] = w->y[r];
    }
    for (size_t r = 0; r < rows; r++) w->y[r] = r < f->nb ? c->fields.Y[r] : 0.0;
    if (rows > 0) lia_dense_lu_solve(&lu, w->y);
    memset(v, 0, n * sizeof *v);
    for (size_t r = 0; r < rows; r++) v[f->pivot[r]] = w->y[r];
    lia_phase_space_momenta(c->space, t, q, v, w->p);
    lia_phase_space_metric(c->space, t, q, v, w->g);
    for (size_t j = 0; j < nf; j++) {
        w->y[j] = p[j] - lia_fields_dot(n, w->p, w->Z + j * n);
        for (size_t i = 0; i < n; i++) w->gZ[i] = lia_fields_dot(n, w->g + i * n, w->Z + j * n);
        for (size_t i = 0; i < nf; i++) w->G[i * nf + j] = lia_fields_dot(n, w->gZ, w->Z + i * n);
    }
    LiaLu fibre = {(int)nf, w->G, w->exchanges, w->scales, w->scales + nf};
    if (nf > 0 && !(lia_dense_lu_factor(&fibre, NULL) > LIA_FIBRE_PIVOT)) return false;
    if (nf > 0) lia_dense_lu_solve(&fibre, w->y);
    for (size_t j = 0; j < nf; j++) {
        for (size_t i = 0; i < n; i++) v[i] += w->y[j] * w->Z[j * n + i];
    }
    return true;
}

bool lia_leaf_chart_place(LiaLeafChart* c, const double* x, const double* p, double* q, double* v) {
    const LiaFrame* f = &c->fields.frame;
    LiaArena* arena = lia_arena_create();
    Place w = {0};
    memcpy(q, c->fields.state.q, f->n * sizeof *q);
    for (uint32_t j = 0; j < f->nf; j++) q[f->fibre[j]] = x[j];
    bool good = arena && make_room(&w, f, arena) && keep_functions(c, &w, q) &&
                set_velocities(c, &w, p, q, v);
    lia_arena_destroy(arena);
    return good;
}

void lia_leaf_chart_clear(LiaLeafChart* c) {
    lia_evaluate_clear(&c->values);
    lia_fields_clear(&c->fields);
    *c = (LiaLeafChart){0};
}
