// Driven positions are set first: what an operator says of one coordinate is put there, before
// anything is looked for.
//
//   x = f           x alone on the left: f at the guesses of what it depends on
//   2 x - y = 0.3   one coordinate of the equation is open, the others are given or set: the value
//                   that solves it, if it stands there to the first power
//   R = matrix      a rotation likewise, if no other of the equation is open
//
// Where all that such a value depends on is given or set too, it stays: no other equation moves it.
// See search.h.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "mechanics/degree/relative_degree.h"
#include "mechanics/start/search/search.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const LiaRow* row_of(const LiaSearch* z, int c) {
    return &z->s->rows[z->w->dynamics->rows[c]];
}

static const LiaConstraint* constraint_of(const LiaSearch* z, int c) {
    return &z->s->model->constraints[row_of(z, c)->constraint];
}

// Does row c say where an operator puts something?
static bool is_asked(const LiaSearch* z, int c) {
    return constraint_of(z, c)->active && lia_search_row_counts(z, c, 0);
}

static bool is_open(const LiaSearch* z, int i) { return !z->given[0][i] && !z->driven.set[i]; }

// --- x = f --------------------------------------------------------------------------------------

typedef struct Law {
    int c, coordinate;  // row, and what stands alone on its left
    double guess;
    bool out;  // its value depends on itself, or is none
    bool changed;
} Law;

typedef struct Laws {
    Law* all;  // (count)
    int count;
    LiaValues values;  // of the right sides
} Laws;

// The first law of each coordinate that is not given. False if memory is out.
static bool find_laws(const LiaSearch* z, Laws* laws) {
    laws->all = lia_memory_zeros((size_t)z->nc + 1, sizeof *laws->all);
    bool* seen = lia_memory_zeros((size_t)z->n + 1, sizeof *seen);
    LiaExpr* roots = lia_memory_zeros((size_t)z->nc + 1, sizeof *roots);
    bool ok = laws->all && seen && roots;
    for (int c = 0; ok && c < z->nc; c++) {
        if (!is_asked(z, c) || row_of(z, c)->turn) continue;
        const LiaEquation* e = &constraint_of(z, c)->equations[row_of(z, c)->part];
        if (!lia_graph_is_symbol(z->s->model->graph, e->left, LIA_SYMBOL_POSITION)) continue;
        int i = (int)lia_graph_node(z->s->model->graph, e->left)->a;
        if (z->given[0][i] || seen[i]) continue;
        seen[i] = true;
        roots[laws->count] = row_of(z, c)->right;
        laws->all[laws->count++] = (Law){.c = c, .coordinate = i, .guess = z->w->q[i]};
    }
    ok = ok && lia_evaluate_init(&laws->values, z->s->graph, roots, (size_t)laws->count);
    free(seen);
    free(roots);
    return ok;
}

static void clear_laws(Laws* laws) {
    lia_evaluate_clear(&laws->values);
    free(laws->all);
}

// All of them once, from the values they had. Did any change?
static bool put_once(LiaSearch* z, Laws* laws) {
    bool any = false;
    lia_evaluate_run(&laws->values,
                     &(LiaSymbols){.t = z->w->t, .parameters = z->s->parameters, .q = z->w->q});
    for (int k = 0; k < laws->count; k++) {
        Law* law = &laws->all[k];
        double now = lia_value(&laws->values, row_of(z, law->c)->right);
        law->changed = !law->out && !(now == z->w->q[law->coordinate]);
        if (law->changed) z->w->q[law->coordinate] = now;
        any |= law->changed;
    }
    return any;
}

// Until nothing changes: laws that stand on each other take as many rounds. One that still changes
// then, or has no value, turns in a circle: it is left to the search.
static void put_laws(LiaSearch* z, Laws* laws) {
    for (bool again = true; again;) {
        bool changes = true;
        for (int round = 0; changes && round <= laws->count + 1; round++)
            changes = put_once(z, laws);
        again = changes;
        for (int k = 0; changes && k < laws->count; k++) {
            Law* law = &laws->all[k];
            law->out |= law->changed;
            z->w->q[law->coordinate] = law->guess;
        }
    }
}

// Is every other coordinate of row c given or set?
static bool alone_open(const LiaSearch* z, int c, int coordinate) {
    const LiaPattern* J = &z->w->dynamics->J;
    for (int e = J->start[c]; e < J->start[c + 1]; e++) {
        if (J->column[e] != coordinate && is_open(z, J->column[e])) return false;
    }
    return true;
}

// Has row c other coordinates than [first, first + count)? Else its law alone says where they are.
static bool has_others(const LiaSearch* z, int c, int first, int count) {
    const LiaPattern* J = &z->w->dynamics->J;
    for (int e = J->start[c]; e < J->start[c + 1]; e++) {
        if (J->column[e] < first || J->column[e] >= first + count) return true;
    }
    return false;
}

static void keep_laws(LiaSearch* z, const Laws* laws) {
    for (int k = 0; k < laws->count; k++) {
        int i = laws->all[k].coordinate;
        if (laws->all[k].out) continue;
        z->target[0][i] = z->w->q[i];
        if (has_others(z, laws->all[k].c, i, 1)) z->driven.by[i] = laws->all[k].c;
    }
    for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < laws->count; k++) {
            const Law* law = &laws->all[k];
            if (law->out || z->driven.set[law->coordinate]) continue;
            z->driven.set[law->coordinate] = alone_open(z, law->c, law->coordinate);
            more |= z->driven.set[law->coordinate];
        }
    }
}

// --- one open coordinate ------------------------------------------------------------------------

// The one open coordinate of row c; -1: there is none, or there are several.
static int one_open(const LiaSearch* z, int c) {
    const LiaPattern* J = &z->w->dynamics->J;
    int only = -1;
    for (int e = J->start[c]; e < J->start[c + 1]; e++) {
        if (!is_open(z, J->column[e])) continue;
        if (only >= 0) return -1;
        only = J->column[e];
    }
    return only;
}

static double slope_of(const LiaSearch* z, int c, int coordinate) {
    LiaEntries J = lia_workspace_J(z->w, c);
    for (int k = 0; k < J.count; k++) {
        if (lia_entry_column(&J, k) == coordinate) return J.value[k];
    }
    return 0.0;
}

// Row c is solved for its open coordinate i. Twice, for the last digits. Left as it was where the
// row is not of the first degree in it: which of several solutions is meant, the search decides.
static bool solve_for(LiaSearch* z, int c, int i) {
    double guess = z->w->q[i], slope = slope_of(z, c, i);
    bool ok = true;
    for (int pass = 0; ok && pass < 2 && z->w->phi[c] != 0.0; pass++) {
        double step = z->w->phi[c] / slope;
        ok = isfinite(step);
        if (!ok) break;
        z->w->q[i] -= step;
        lia_search_evaluate(z);
        ok = fabs(slope_of(z, c, i) - slope) <= LIA_DRIVEN_SOLVED * fabs(slope);
    }
    if (ok && lia_search_missed(z, c, 0) < LIA_DRIVEN_SOLVED) return true;
    z->w->q[i] = guess;
    lia_search_evaluate(z);
    return false;
}

// --- one open rotation --------------------------------------------------------------------------

// The one open rotation of the three rows from c on, as the first of its coordinates; -1: none, or
// something else is open.
static int one_open_rotation(const LiaSearch* z, int c) {
    const LiaModel* m = z->s->model;
    const LiaPattern* J = &z->w->dynamics->J;
    int only = -1;
    for (int e = J->start[c]; e < J->start[c + 3]; e++) {
        int i = J->column[e];
        if (!is_open(z, i)) continue;
        if (m->coordinates[i].manifold != LIA_ROTATION) return -1;
        int first = (int)m->groups[m->coordinates[i].group - 1].first;
        if (only >= 0 && first != only) return -1;
        only = first;
    }
    return only;
}

// q <- turn q, where turn is along (1, side tan(angle/2) n)
static void turn_by(double* q, const double* tangent, double side) {
    double x = side * tangent[0], y = side * tangent[1], z = side * tangent[2];
    double size = sqrt(1.0 + x * x + y * y + z * z);
    double p[4] = {q[0] - x * q[1] - y * q[2] - z * q[3], q[1] + x * q[0] + y * q[3] - z * q[2],
                   q[2] + y * q[0] + z * q[1] - x * q[3], q[3] + z * q[0] + x * q[2] - y * q[1]};
    for (int k = 0; k < 4; k++) q[k] = p[k] / size;
}

// The three rows from c on are 2 tan(angle/2) n of the turn from the right side to the left one:
// the rotation is turned back where it stands first on the left, on where it stands first on the
// right. False, and as it was, where it stands elsewhere.
static bool solve_rotation(LiaSearch* z, int c, int first) {
    double guess[4], *q = z->w->q + first;
    memcpy(guess, q, sizeof guess);
    for (int side = -1; side <= 1; side += 2) {
        double missed = 1.0;
        for (int pass = 0; pass < 3 && !(missed == 0.0); pass++) {
            double tangent[3];
            for (int k = 0; k < 3; k++) tangent[k] = z->w->phi[c + k] / 2.0;
            turn_by(q, tangent, side);
            lia_search_evaluate(z);
            missed = 0.0;
            for (int k = 0; k < 3; k++) {
                double of_row = lia_search_missed(z, c + k, 0);
                if (!(of_row <= missed)) missed = of_row;
            }
            if (!(missed < 1.0)) break;
        }
        if (missed < LIA_DRIVEN_SOLVED) return true;
        memcpy(q, guess, sizeof guess);
        lia_search_evaluate(z);
    }
    return false;
}

static bool begins_turn(const LiaSearch* z, int c) {
    uint32_t turn = row_of(z, c)->turn;
    return turn && c + 2 < z->nc && row_of(z, c + 2)->turn == turn &&
           (c == 0 || row_of(z, c - 1)->turn != turn);
}

// By row c.
static void set_coordinates(LiaSearch* z, int c, int first, int count) {
    for (int i = first; i < first + count; i++) {
        z->driven.set[i] = true;
        if (has_others(z, c, first, count)) z->driven.by[i] = c;
        z->target[0][i] = z->w->q[i];
    }
}

// What row c, or the rotation that begins there, leaves open. Was something set?
static bool set_open(LiaSearch* z, int c) {
    bool turn = begins_turn(z, c);
    if (!is_asked(z, c) || (row_of(z, c)->turn && !turn)) return false;
    int i = turn ? one_open_rotation(z, c) : one_open(z, c);
    if (i < 0 || !(turn ? solve_rotation(z, c, i) : solve_for(z, c, i))) return false;
    set_coordinates(z, c, i, turn ? 4 : 1);
    return true;
}

bool lia_start_driven_set(LiaSearch* z) {
    enum {
        ROUNDS_MOST = 32
    };  // equations that stand on each other; beyond that they are searched for
    Laws laws = {0};
    memset(z->driven.set, 0, (size_t)z->n * sizeof *z->driven.set);
    memcpy(z->driven.asked, z->target[0], (size_t)z->n * sizeof *z->driven.asked);
    for (int i = 0; i < z->n; i++) z->driven.by[i] = -1;
    if (!lia_relative_degree_find_has_operators(z->w)) return true;
    bool ok = find_laws(z, &laws);
    if (ok) {
        put_laws(z, &laws);
        keep_laws(z, &laws);
    }
    clear_laws(&laws);
    lia_search_evaluate(z);
    bool more = ok;
    for (int round = 0; more && round < ROUNDS_MOST && !lia_watch_asked(); round++) {
        more = false;
        for (int c = 0; c < z->nc; c++) more |= set_open(z, c);
    }
    return ok;
}
