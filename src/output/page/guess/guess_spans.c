// Springs, ropes and legs: lines between places whose distance a potential, a constraint or an
// operator has in it.
//
// The length of a difference, norm(A - B) or hypot(A.x - B.x, ..), or its square, dot(A - B, A -
// B), is looked for in these. Where the distance stays the same it is a rod.
// SPDX-License-Identifier: MIT
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "output/page/guess/guess.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPANS_MOST = 400,
    RANK_KNOWN = 3,  // of the ends of a line: both are places that are known
    SUM_MOST = 64,   // terms of a sum at a time; of a longer one the rest is one term
};

// The numbers of which a formula is the length or its square, 2 or 3: norm(v), x^2 + y^2,
// hypot(x, y, z); 0: none.
static int length_of(LiaGuess* guess, LiaExpr f, LiaExpr* parts) {
    const LiaGraph* g = guess->m->graph;
    const LiaNode* both = lia_graph_node(g, f);
    if (both->op == LIA_OP_SQRT) both = &g->nodes[both->a];
    bool sum = both->op == LIA_OP_ADD;
    if (!sum && both->op != LIA_OP_HYPOT) return 0;
    // the graph has the summands in either order
    bool turned = sum && g->nodes[both->b].op == LIA_OP_ADD;
    uint32_t left = turned ? both->b : both->a, last = turned ? both->a : both->b;
    const LiaNode* first = &g->nodes[left];
    bool three = first->op == both->op;
    LiaExpr list[3] = {{three ? first->a : left}, {three ? first->b : last}, {last}};
    int count = three ? 3 : 2;
    for (int i = 0; i < count; i++) {
        parts[i] = sum ? lia_guess_masses_root(guess->m, list[i]) : list[i];
        if (!parts[i].index) return 0;
    }
    return count;
}

// How much a vector changes with those coordinates that move a point.
static bool is_free_of(LiaGuess* guess, const LiaExpr* P, const bool* moves) {
    double x[3 * (LIA_GUESS_INSTANTS + 1)];
    for (uint32_t i = 0; i < guess->s->n; i++) {
        LiaExpr d[3];
        if (!moves[i]) continue;
        for (int k = 0; k < 3; k++) d[k] = lia_diff(guess->g, P[k], guess->s->q[i]);
        if (!lia_scene_values(guess->scene, d, 3, guess->instants, guess->instant_count, x))
            return false;
        for (size_t k = 0; k < 3 * guess->instant_count; k++) {
            if (!(fabs(x[k]) <= LIA_GUESS_SLOPE)) return false;
        }
    }
    return true;
}

// A vector that is a place itself.
static bool is_place(LiaGuess* guess, const LiaExpr* v) {
    uint32_t before = guess->count;
    const LiaGuessPoint* point = lia_guess_point(guess, NULL, v);
    bool known = guess->count == before && point;
    guess->count = before;
    return known;
}

// Is a place still, or fixed to one that is known?
static bool is_held(LiaGuess* guess, const LiaExpr* at) {
    uint32_t before = guess->count;
    const LiaGuessPoint* point = lia_guess_point(guess, NULL, at);
    bool held = point && point->still;
    for (uint32_t i = 0; point && i < before && !held; i++) {
        held = lia_guess_rigid_is_rigid(guess, point, &guess->points[i]);
    }
    guess->count = before;
    return held;
}

static bool is_end(LiaGuess* guess, const LiaExpr* at) {
    return is_place(guess, at) || is_held(guess, at);
}

// v = +-(P - Q) with a place Q that is known: where P is a known place too, that is meant; else Q
// is a place with a name rather than a body, P being fixed to something. 0: P is no place.
static int rank_of(LiaGuess* guess, const LiaGuessPoint* Q, const LiaExpr* P) {
    if (is_place(guess, P)) return RANK_KNOWN;
    return !is_held(guess, P) ? 0 : Q->drawn ? 1 : 2;
}

// Are all coordinates that move a place among those of v?
static bool is_among(LiaGuess* guess, const LiaExpr* place, const bool* all, bool* own) {
    bool some = false;
    memset(own, 0, guess->s->n);
    lia_guess_depends(guess, place, 3, own);
    for (uint32_t i = 0; i < guess->s->n; i++) {
        if (own[i] && !all[i]) return false;
        some = some || own[i];
    }
    return some;
}

// The best Q, so that P no longer depends on what moves Q; its rank.
static int split(LiaGuess* guess, const LiaExpr* v, LiaExpr* a, LiaExpr* b) {
    uint32_t n = guess->s->n, count = guess->count;
    bool *all = lia_memory_zeros(2 * (size_t)n + 1, sizeof *all), *own = all + n;
    int best = 0;
    if (!all) return 0;
    lia_guess_depends(guess, v, 3, all);
    for (uint32_t q = 0; q < count; q++) {
        const LiaGuessPoint* Q = &guess->points[q];
        if (!is_among(guess, Q->at, all, own)) continue;
        for (int sign = -1; sign <= 1; sign += 2) {
            LiaExpr P[3];
            for (int k = 0; k < 3; k++) {
                P[k] = sign > 0 ? lia_graph_add(guess->g, Q->at[k], v[k])
                                : lia_graph_sub(guess->g, Q->at[k], v[k]);
            }
            int rank = is_free_of(guess, P, own) ? rank_of(guess, Q, P) : 0;
            if (rank <= best) continue;
            best = rank;
            memcpy(a, P, sizeof P);
            memcpy(b, Q->at, 3 * sizeof *b);
        }
    }
    free(all);
    return best;
}

// As split(), where the signs of the numbers are not known: a square has lost its own. Those with
// which both ends are known places are meant, else those of the formulas.
static bool split_signs(LiaGuess* guess, const LiaExpr* v, LiaExpr* a, LiaExpr* b) {
    int best = split(guess, v, a, b);
    for (int signs = 1; signs < 4 && best > 0 && best < RANK_KNOWN; signs++) {
        LiaExpr turned[3], A[3], B[3];
        for (int k = 0; k < 3; k++) {
            bool minus = k > 0 && signs >> (k - 1) & 1;
            turned[k] = minus ? lia_graph_neg(guess->g, v[k]) : v[k];
        }
        if (split(guess, turned, A, B) < RANK_KNOWN) continue;
        best = RANK_KNOWN;
        memcpy(a, A, sizeof A);
        memcpy(b, B, sizeof B);
    }
    return best > 0;
}

// Is it a number of a place as it stands, or 0?
static bool is_simple(const LiaGraph* g, LiaExpr f) {
    return lia_graph_node(g, f)->op == LIA_OP_CONST ||
           lia_graph_is_symbol(g, f, LIA_SYMBOL_POSITION) ||
           lia_graph_is_symbol(g, f, LIA_SYMBOL_PARAMETER);
}

static bool is_still(const LiaGraph* g, LiaExpr f) {
    return !(lia_graph_node(g, f)->depends & (LIA_DEPENDS(POSITION) | LIA_DEPENDS(TIME)));
}

// f = moves + stays, by the terms of the sum that f is.
static void part_still(LiaGraph* g, LiaExpr f, LiaExpr* moves, LiaExpr* stays) {
    struct {
        LiaExpr f;
        bool minus;
    } left[SUM_MOST] = {{f, false}};
    int count = 1;
    *moves = *stays = lia_graph_integer(g, 0);
    while (count > 0) {
        LiaExpr now = left[--count].f;
        bool minus = left[count].minus;
        const LiaNode n = *lia_graph_node(g, now);
        bool sum = n.op == LIA_OP_ADD || n.op == LIA_OP_SUB;
        if (sum && count + 2 <= SUM_MOST) {
            left[count].f = (LiaExpr){n.a};
            left[count++].minus = minus;
            left[count].f = (LiaExpr){n.b};
            left[count++].minus = minus != (n.op == LIA_OP_SUB);
        } else if (n.op == LIA_OP_NEG) {
            left[count].f = (LiaExpr){n.a};
            left[count++].minus = !minus;
        } else {
            LiaExpr* into = is_still(g, now) ? stays : moves;
            *into = minus ? lia_graph_sub(g, *into, now) : lia_graph_add(g, *into, now);
        }
    }
}

// From a place that stands still to one that is fixed to a known one: v = P - c, or c - P.
static bool from_still(LiaGuess* guess, const LiaExpr* v, LiaExpr* a, LiaExpr* b) {
    LiaExpr moves[3], stays[3];
    bool some = false;  // else it is a difference of places that move
    for (int k = 0; k < 3; k++) {
        part_still(guess->g, v[k], &moves[k], &stays[k]);
        some = some || !lia_graph_is_zero(guess->g, stays[k]);
    }
    if (!some) return false;
    for (int turned = 0; turned < 2; turned++) {
        for (int k = 0; k < 3; k++) {
            a[k] = turned ? lia_graph_neg(guess->g, moves[k]) : moves[k];
            b[k] = turned ? stays[k] : lia_graph_neg(guess->g, stays[k]);
        }
        if (is_end(guess, a)) return true;
    }
    return false;
}

// A difference as it is written.
static bool as_written(LiaGuess* guess, const LiaExpr* parts, int count, LiaExpr* a, LiaExpr* b) {
    const LiaGraph* g = guess->m->graph;
    bool some = false;
    for (int k = 0; k < 3; k++) {
        a[k] = b[k] = lia_guess_zero(guess);
        if (k >= count) continue;
        const LiaNode* n = lia_graph_node(g, parts[k]);
        bool apart = n->op == LIA_OP_SUB;
        if (!apart && !is_simple(g, parts[k])) return false;
        some = some || apart;
        LiaExpr from = apart ? (LiaExpr){n->a} : parts[k], to = {n->b};
        if (!lia_scene_resolve(guess->scene, &from, &a[k], 1)) return false;
        if (apart && !lia_scene_resolve(guess->scene, &to, &b[k], 1)) return false;
    }
    return some && is_end(guess, a) && is_end(guess, b);
}

// Both ends of a difference that is written as one, or of which a place with a name is an end, or
// one that stands still. How far a place is from the origin is no line, but a spring may be fixed
// there.
static bool ends_of(LiaGuess* guess, const LiaExpr* parts, int count, bool spring, LiaExpr* a,
                    LiaExpr* b) {
    LiaExpr v[3] = {lia_guess_zero(guess), lia_guess_zero(guess), lia_guess_zero(guess)};
    for (int k = 0; k < count; k++) {
        const LiaNode* n = lia_graph_node(guess->m->graph, parts[k]);
        bool positions = !(n->depends & ~LIA_DEPENDS_PLACE);
        if (!positions || !lia_scene_resolve(guess->scene, &parts[k], &v[k], 1)) return false;
    }
    if (is_place(guess, v)) {
        memcpy(a, v, sizeof v);
        for (int k = 0; k < 3; k++) b[k] = lia_guess_zero(guess);
        return spring;
    }
    return as_written(guess, parts, count, a, b) || from_still(guess, v, a, b) ||
           split_signs(guess, v, a, b);
}

// What a formula stands in.
enum { WANTED = 1, POTENTIAL = 2, SQUARED = 4 };

static void mark(const LiaModel* m, unsigned char* wanted) {
    for (uint32_t i = 0; i < m->energies_count; i++) {
        bool kinetic = m->energies[i].kind == LIA_KINETIC;
        wanted[m->energies[i].term.index] = kinetic ? WANTED : WANTED | POTENTIAL;
    }
    for (uint32_t i = 0; i < m->constraints_count; i++) {
        const LiaConstraint* c = &m->constraints[i];
        for (uint32_t k = 0; k < c->equation_count && !c->internal && !c->joint; k++) {
            wanted[c->equations[k].left.index] |= WANTED;
            wanted[c->equations[k].right.index] |= WANTED;
        }
    }
}

// The energy of a spring is the square of its length, or of how much longer it is than at rest.
static bool is_spring(const LiaModel* m, uint32_t node, unsigned char stands) {
    LiaOp op = (LiaOp)m->graph->nodes[node].op;
    bool length = op == LIA_OP_SQRT || op == LIA_OP_HYPOT;
    return (stands & POTENTIAL) && (!length || (stands & SQUARED));
}

static void add_span(LiaGuess* guess, const LiaExpr* a, const LiaExpr* b, bool spring) {
    uint32_t before = guess->count;
    LiaGuessPoint* p = lia_guess_point(guess, NULL, a);
    LiaGuessPoint* q = p ? lia_guess_point(guess, NULL, b) : NULL;
    if (!q || p == q || (p->still && q->still)) {
        guess->count = before;
        return;
    }
    p->shown = q->shown = true;
    uint32_t i = (uint32_t)(p - guess->points), k = (uint32_t)(q - guess->points);
    if (lia_guess_rigid_is_rigid(guess, p, q)) {
        lia_guess_rod(guess, i, k);
    } else {
        lia_guess_span(guess, i, k, spring);
    }
}

void lia_guess_spans(LiaGuess* guess) {
    const LiaModel* m = guess->m;
    unsigned char* wanted = lia_memory_zeros(m->graph->count, sizeof *wanted);
    uint32_t spans = 0;
    if (!wanted) {
        guess->scene->failed = true;
        return;
    }
    mark(m, wanted);
    for (uint32_t i = m->graph->count; i-- > 1 && spans < SPANS_MOST;) {
        const LiaNode* n = &m->graph->nodes[i];
        LiaExpr parts[3], a[3], b[3];
        if (!wanted[i]) continue;
        int count = length_of(guess, (LiaExpr){i}, parts);
        bool spring = is_spring(m, i, wanted[i]);
        if (count > 0 && ends_of(guess, parts, count, spring, a, b)) {
            add_span(guess, a, b, spring);
            spans++;
        }
        bool rate = lia_graph_is_symbol(m->graph, (LiaExpr){i}, LIA_SYMBOL_RATE);
        int arity = count > 0 ? 0 : rate ? 1 : lia_op_arity((LiaOp)n->op);
        const uint32_t of[3] = {n->a, n->b, n->c};
        bool square = lia_guess_masses_root(m, (LiaExpr){i}).index != 0;
        for (int k = 0; k < arity; k++) {
            wanted[of[k]] = (unsigned char)(wanted[of[k]] | wanted[i] | (square ? SQUARED : 0));
        }
    }
    free(wanted);
}
