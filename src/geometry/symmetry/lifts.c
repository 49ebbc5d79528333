// Generators by the velocities they mean. See lifts.h.
//
// Feet: phi(q, u) = 0 says where two shapes touch, u as many as there are equations. A generator
// that moves q moves u with it, dphi/du xi_u = -dphi/dq xi_q.
//
// Turns: omega = E(q) q' for an attitude A(q), column i of E the axial vector of dA/dq_i A^T.
// A turn about e is E xi = e, about an axis of the body E xi = A e. Its centre of mass r(q) moves
// by e, or stays, if coordinates that are not of the attitude move with it, dr/dk xi_k = e - dr/dq
// xi_q.
// SPDX-License-Identifier: MIT
#include "geometry/symmetry/lifts.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWNS_MOST = 12 };

// A x = b, of formulas: A (m x m), b (m) becomes x. Pivots are the largest at (t, q).
typedef struct Linear {
    LiaGraph* g;
    uint32_t m;
    LiaExpr *A, *b;
    LiaSymbols at;
} Linear;

static LiaExpr minus_part(LiaGraph* g, LiaExpr from, LiaExpr factor, LiaExpr of) {
    return lia_graph_sub(g, from, lia_graph_mul(g, factor, of));
}

static bool value_of(const Linear* e, LiaExpr f, double* value) {
    LiaValues values;
    if (!lia_evaluate_init(&values, e->g, &f, 1)) return false;
    lia_evaluate_run(&values, &e->at);
    *value = lia_value(&values, f);
    lia_evaluate_clear(&values);
    return true;
}

// The row from k on with the largest entry in column k; m where none has a value.
static bool pivot_of(const Linear* e, uint32_t k, uint32_t* row) {
    double most = LIA_SPAN_CUT;
    *row = e->m;
    for (uint32_t r = k; r < e->m; r++) {
        double x;
        if (!value_of(e, e->A[r * e->m + k], &x)) return false;
        if (fabs(x) > most) most = fabs(x), *row = r;
    }
    return true;
}

static bool solve(Linear* e, bool* regular) {
    uint32_t m = e->m;
    *regular = true;
    for (uint32_t k = 0; k < m; k++) {
        uint32_t row;
        if (!pivot_of(e, k, &row)) return false;
        if (row == m) {
            *regular = false;
            return true;
        }
        for (uint32_t i = 0; i <= m; i++) {
            LiaExpr* x = i < m ? &e->A[k * m + i] : &e->b[k];
            LiaExpr *y = i < m ? &e->A[row * m + i] : &e->b[row], kept = *x;
            *x = *y, *y = kept;
        }
        for (uint32_t r = 0; r < m; r++) {
            if (r == k || lia_graph_is_zero(e->g, e->A[r * m + k])) continue;
            LiaExpr part = lia_graph_div(e->g, e->A[r * m + k], e->A[k * m + k]);
            for (uint32_t i = k + 1; i < m; i++) {
                e->A[r * m + i] = minus_part(e->g, e->A[r * m + i], part, e->A[k * m + i]);
            }
            e->b[r] = minus_part(e->g, e->b[r], part, e->b[k]);
        }
    }
    for (uint32_t k = 0; k < m; k++) e->b[k] = lia_graph_div(e->g, e->b[k], e->A[k * m + k]);
    return !e->g->failed;
}

// --- feet ---------------------------------------------------------------------------------------

// The equations of one foot, and the inner coordinates in them.
typedef struct Foot {
    uint32_t rows, row[UNKNOWNS_MOST], unknowns, unknown[UNKNOWNS_MOST];
} Foot;

static bool find_foot(const LiaGeometry* y, uint32_t constraint, Foot* foot) {
    const LiaSystem* s = y->system;
    *foot = (Foot){0};
    for (uint32_t r = 0; r < s->row_count; r++) {
        if (s->rows[r].constraint != constraint) continue;
        if (foot->rows == UNKNOWNS_MOST) return false;
        foot->row[foot->rows++] = r;
    }
    for (uint32_t i = 0; i < s->n; i++) {
        bool met = false;
        if (!s->model->coordinates[i].inner) continue;
        for (uint32_t k = 0; k < foot->rows && !met; k++) {
            const LiaRow* row = &s->rows[foot->row[k]];
            for (uint32_t e = 0; e < row->entries; e++) met |= row->coordinate[e] == i;
        }
        if (!met) continue;
        if (foot->unknowns == UNKNOWNS_MOST) return false;
        foot->unknown[foot->unknowns++] = i;
    }
    return foot->rows == foot->unknowns;
}

static bool carry_foot(LiaGeometry* y, const Foot* foot, LiaSymbols at, LiaExpr* xi) {
    const LiaSystem* s = y->system;
    LiaGraph* g = y->graph;
    uint32_t m = foot->rows;
    LiaExpr A[UNKNOWNS_MOST * UNKNOWNS_MOST], b[UNKNOWNS_MOST];
    LiaExpr* slope = lia_memory_zeros((size_t)s->n + 1, sizeof *slope);
    bool ok = slope != NULL, regular = false;
    for (uint32_t r = 0; ok && r < m; r++) {
        ok = lia_diff_gradient(g, s->rows[foot->row[r]].equation, s->q, s->n, slope);
        for (uint32_t k = 0; ok && k < m; k++) A[r * m + k] = slope[foot->unknown[k]];
        b[r] = lia_graph_integer(g, 0);
        for (uint32_t i = 0; ok && i < s->n; i++) {
            if (s->model->coordinates[i].inner || lia_graph_is_zero(g, slope[i])) continue;
            b[r] = minus_part(g, b[r], slope[i], xi[i]);
        }
    }
    free(slope);
    ok = ok && solve(&(Linear){g, m, A, b, at}, &regular);
    for (uint32_t k = 0; ok && regular && k < m; k++) xi[foot->unknown[k]] = b[k];
    return ok;
}

bool lia_lifts_feet(LiaGeometry* y, double t, const double* q, LiaExpr* xi) {
    const LiaModel* model = y->system->model;
    LiaSymbols at = {.t = t, .parameters = y->system->parameters, .q = q};
    for (uint32_t c = 0; c < model->constraints_count; c++) {
        Foot foot;
        if (!model->constraints[c].foot || !find_foot(y, c, &foot)) continue;
        if (!carry_foot(y, &foot, at, xi)) return false;
    }
    return true;
}

// --- turns --------------------------------------------------------------------------------------

enum { PARTS_MOST = 8 };  // coordinates of one body

// The coordinates in `count` formulas, at most PARTS_MOST; more: PARTS_MOST + 1.
static uint32_t coordinates_in(const LiaGeometry* y, const LiaExpr* f, size_t count,
                               uint32_t* found) {
    const LiaSystem* s = y->system;
    const uint32_t* list;
    uint32_t number = 0, met = lia_below_roots(y->graph, f, count, LIA_DEPENDS(POSITION), &list);
    for (uint32_t i = 0; i < s->n; i++) {
        bool there = false;
        for (uint32_t k = 0; k < met && !there; k++) there = list[k] == s->q[i].index;
        if (!there) continue;
        if (number == PARTS_MOST) return PARTS_MOST + 1;
        found[number++] = i;
    }
    return number;
}

// The three coordinates of the attitude A (9 formulas); false where there are more or fewer, or
// they belong to a rotation of its own.
static bool find_angles(const LiaGeometry* y, const LiaExpr* A, uint32_t angle[3]) {
    uint32_t part[PARTS_MOST];
    if (coordinates_in(y, A, 9, part) != 3) return false;
    for (int i = 0; i < 3; i++) {
        const LiaCoordinate* c = &y->system->model->coordinates[part[i]];
        if (c->group || c->inner) return false;
        angle[i] = part[i];
    }
    return true;
}

// Formulas of a body in the geometry's graph; false where one has no value.
static bool resolve_all(LiaGeometry* y, const LiaExpr* from, size_t count, LiaExpr* to) {
    for (size_t e = 0; e < count; e++) {
        to[e] = from[e].index ? lia_resolve_term(y->resolver, from[e]) : (LiaExpr){0};
        if (!to[e].index) return false;
    }
    return true;
}

// The axial vector of dA/dq A^T.
static void axial(LiaGraph* g, const LiaExpr* slope, const LiaExpr* A, LiaExpr* out) {
    for (int axis = 0; axis < 3; axis++) {
        int row = (axis + 2) % 3, column = (axis + 1) % 3;
        out[axis] = lia_graph_integer(g, 0);
        for (int k = 0; k < 3; k++) {
            LiaExpr term = lia_graph_mul(g, slope[3 * row + k], A[3 * column + k]);
            out[axis] = lia_graph_add(g, out[axis], term);
        }
    }
}

bool lia_lifts_turn(LiaGeometry* y, uint32_t body, int axis, bool in_body, LiaExpr* xi,
                    bool* found) {
    const LiaBody* b = &y->system->model->pictures.bodies[body];
    LiaGraph* g = y->graph;
    LiaExpr A[9], E[9], to[3], one[3];
    uint32_t angle[3];
    *found = false;
    if (!resolve_all(y, b->attitude, 9, A)) return !g->failed;
    if (!find_angles(y, A, angle)) return !g->failed;
    for (int i = 0; i < 3; i++) {
        LiaExpr slope[9];
        for (int e = 0; e < 9; e++) slope[e] = lia_diff(g, A[e], y->system->q[angle[i]]);
        if (g->failed) return false;
        axial(g, slope, A, one);
        for (int k = 0; k < 3; k++) E[3 * k + i] = one[k];
        to[i] = in_body ? A[3 * i + axis] : lia_graph_integer(g, i == axis);
    }
    // Cramer's rule: which entries are pivots does not depend on the place
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        LiaExpr sum = lia_graph_integer(g, 0), det = sum;
        for (int r = 0; r < 3; r++) {
            int p = (r + 1) % 3, q = (r + 2) % 3;
            LiaExpr minor = lia_graph_sub(g, lia_graph_mul(g, E[3 * p + j], E[3 * q + k]),
                                          lia_graph_mul(g, E[3 * q + j], E[3 * p + k]));
            sum = lia_graph_add(g, sum, lia_graph_mul(g, minor, to[r]));
            det = lia_graph_add(g, det, lia_graph_mul(g, minor, E[3 * r + i]));
        }
        xi[angle[i]] = lia_graph_div(g, sum, det);
    }
    *found = !g->failed;
    return *found;
}

// --- places that stay ---------------------------------------------------------------------------

uint32_t lia_lifts_rotation(const LiaGeometry* y, uint32_t body) {
    const LiaModel* model = y->system->model;
    LiaExpr A[9];
    uint32_t part[PARTS_MOST];
    if (!resolve_all((LiaGeometry*)y, model->pictures.bodies[body].attitude, 9, A))
        return UINT32_MAX;
    if (coordinates_in(y, A, 9, part) != 4) return UINT32_MAX;
    for (uint32_t c = 0; c < model->groups_count; c++) {
        const LiaGroup* group = &model->groups[c];
        if (group->manifold == LIA_ROTATION && group->first == part[0] && part[3] == part[0] + 3)
            return c;
    }
    return UINT32_MAX;
}

// The coordinates of the place r that are none of the attitude A.
static uint32_t free_parts(const LiaGeometry* y, const LiaExpr* r, const LiaExpr* A,
                           uint32_t* moved) {
    uint32_t place[PARTS_MOST], turn[PARTS_MOST], count = 0;
    uint32_t places = coordinates_in(y, r, 3, place), turns = coordinates_in(y, A, 9, turn);
    if (places > PARTS_MOST || turns > PARTS_MOST) return 0;
    for (uint32_t i = 0; i < places; i++) {
        bool turned = y->system->model->coordinates[place[i]].inner;
        for (uint32_t k = 0; k < turns; k++) turned |= turn[k] == place[i];
        if (!turned) moved[count++] = place[i];
    }
    return count;
}

bool lia_lifts_move_place(LiaGeometry* y, LiaSymbols at, uint32_t body, int axis, LiaExpr* xi,
                          bool* found) {
    static const int skipped[3] = {2, 1, 0};  // which of three equations is left to the others
    const LiaSystem* s = y->system;
    const LiaBody* b = &s->model->pictures.bodies[body];
    LiaGraph* g = y->graph;
    LiaExpr r[3], A[9], rate[3];
    uint32_t moved[PARTS_MOST];
    *found = false;
    bool turns = resolve_all(y, b->attitude, 9, A);
    if (!resolve_all(y, b->position, 3, r)) return !g->failed;
    for (int e = 0; !turns && e < 9; e++) A[e] = lia_graph_integer(g, 0);  // a point
    uint32_t count = free_parts(y, r, A, moved);
    bool moves = false, regular = false;
    for (int k = 0; k < 3; k++) {
        rate[k] = lia_graph_integer(g, k == axis);
        for (uint32_t i = 0; i < s->n; i++)
            rate[k] = minus_part(g, rate[k], lia_diff(g, r[k], s->q[i]), xi[i]);
        moves |= !lia_graph_is_zero(g, rate[k]);
    }
    if (!moves || count == 0 || count > 3 || g->failed) return !g->failed;
    for (int pass = 0; pass < 3 && !regular; pass++) {
        LiaExpr J[9], x[3];
        uint32_t rows = 0;
        for (int k = 0; k < 3; k++) {
            bool taken = count == 3 || (count == 2 ? k != skipped[pass] : k == pass);
            for (uint32_t e = 0; taken && e < count; e++)
                J[rows * count + e] = lia_diff(g, r[k], s->q[moved[e]]);
            if (taken) x[rows++] = rate[k];
        }
        if (!solve(&(Linear){g, count, J, x, at}, &regular)) return false;
        for (uint32_t e = 0; regular && e < count; e++) xi[moved[e]] = x[e];
    }
    *found = regular;
    return !g->failed;
}
