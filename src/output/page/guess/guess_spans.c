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

enum { SPANS_MOST = 400 };

static bool is_call(const LiaTerm* term, LiaFunction function) {
    return term->op == LIA_TERM_CALL && term->function == function;
}

// The numbers of which a term is the length or its square, 2 or 3: norm(v), x^2 + y^2, hypot(x, y,
// z); 0: none.
static int length_of(LiaGuess* guess, LiaTermId id, LiaTermId* parts) {
    const LiaModel* m = guess->m;
    const LiaTerm* term = &m->terms[id];
    if (is_call(term, LIA_FUNCTION_SQRT)) term = &m->terms[term->a];
    bool sum = term->op == LIA_TERM_ADD;
    if (!sum && !is_call(term, LIA_FUNCTION_HYPOT)) return 0;
    const LiaTerm* both = term;
    const LiaTerm* first = &m->terms[both->a];
    bool three = sum ? first->op == LIA_TERM_ADD : is_call(first, LIA_FUNCTION_HYPOT);
    LiaTermId list[3] = {three ? first->a : both->a, three ? first->b : both->b, both->b};
    int count = three ? 3 : 2;
    for (int i = 0; i < count; i++) {
        parts[i] = sum ? lia_guess_masses_root(guess, list[i]) : list[i];
        if (!parts[i]) return 0;
    }
    return count;
}

// How much a vector changes with those coordinates that move a point.
static bool is_free_of(LiaGuess* guess, const LiaExpr* P, const bool* moves) {
    double x[3 * (LIA_GUESS_LOOKS + 1)];
    for (uint32_t i = 0; i < guess->s->n; i++) {
        LiaExpr d[3];
        if (!moves[i]) continue;
        for (int k = 0; k < 3; k++) d[k] = lia_diff(guess->g, P[k], guess->s->q[i]);
        if (!lia_scene_values(guess->scene, d, 3, guess->looks, guess->look_count, x)) return false;
        for (size_t k = 0; k < 3 * guess->look_count; k++) {
            if (!(fabs(x[k]) <= LIA_GUESS_SLOPE)) return false;
        }
    }
    return true;
}

// A vector that is a place itself: how far it is from the origin is no line.
static bool is_place(LiaGuess* guess, const LiaExpr* v) {
    uint32_t before = guess->count;
    const LiaGuessPoint* point = lia_guess_point(guess, NULL, v);
    bool known = guess->count == before && point;
    guess->count = before;
    return known;
}

// v = +-(P - Q) with a place Q that is known: where P is a known place too, that is meant; else Q
// is a place with a name rather than a body, P being fixed to something.
static int rank_of(LiaGuess* guess, const LiaGuessPoint* Q, const LiaExpr* P) {
    return is_place(guess, P) ? 3 : Q->drawn ? 1 : 2;
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

// The best Q, so that P no longer depends on what moves Q.
static bool split(LiaGuess* guess, const LiaExpr* v, LiaExpr* a, LiaExpr* b) {
    uint32_t n = guess->s->n, count = guess->count;
    bool *all = lia_memory_zeros(2 * (size_t)n + 1, sizeof *all), *own = all + n;
    int best = 0;
    if (!all) return false;
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
    return best > 0;
}

// Is it a number of a place as it stands, or 0?
static bool is_simple(const LiaTerm* term) {
    return term->op == LIA_TERM_COORDINATE || term->op == LIA_TERM_NUMBER ||
           term->op == LIA_TERM_PARAMETER;
}

// Both ends of a difference that is written as one, or of which a place with a name is an end.
static bool ends_of(LiaGuess* guess, const LiaTermId* parts, int count, LiaExpr* a, LiaExpr* b) {
    bool some = false, plain = true;
    LiaExpr v[3] = {lia_guess_zero(guess), lia_guess_zero(guess), lia_guess_zero(guess)};
    for (int k = 0; k < count; k++) {
        const LiaTerm* term = &guess->m->terms[parts[k]];
        bool positions = !(term->has & ~(LIA_HAS_T | LIA_HAS_Q | LIA_HAS_CONTROL));
        if (!positions || !lia_scene_lower(guess->scene, &parts[k], &v[k], 1)) return false;
        plain = plain && (term->op == LIA_TERM_SUB || is_simple(term));
    }
    if (is_place(guess, v)) return false;
    if (!plain) return split(guess, v, a, b);
    for (int k = 0; k < 3; k++) {
        a[k] = b[k] = lia_guess_zero(guess);
        if (k >= count) continue;
        const LiaTerm* term = &guess->m->terms[parts[k]];
        bool apart = term->op == LIA_TERM_SUB;
        some = some || apart;
        LiaTermId from = apart ? term->a : parts[k];
        if (!lia_scene_lower(guess->scene, &from, &a[k], 1)) return false;
        if (apart && !lia_scene_lower(guess->scene, &term->b, &b[k], 1)) return false;
    }
    return some;
}

static void mark(const LiaModel* m, bool* wanted) {
    for (uint32_t i = 0; i < m->energies_count; i++) wanted[m->energies[i].term] = true;
    for (uint32_t i = 0; i < m->constraints_count; i++) {
        const LiaConstraint* c = &m->constraints[i];
        for (uint32_t k = 0; k < c->equation_count && !c->internal && !c->joint; k++) {
            wanted[c->equations[k].left] = wanted[c->equations[k].right] = true;
        }
    }
}

static void add_span(LiaGuess* guess, const LiaExpr* a, const LiaExpr* b) {
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
        lia_guess_span(guess, i, k);
    }
}

void lia_guess_spans(LiaGuess* guess) {
    const LiaModel* m = guess->m;
    bool* wanted = lia_memory_zeros(m->terms_count + 1, sizeof *wanted);
    uint32_t spans = 0;
    if (!wanted) {
        guess->scene->failed = true;
        return;
    }
    mark(m, wanted);
    for (LiaTermId id = m->terms_count; id-- > 1 && spans < SPANS_MOST;) {
        const LiaTerm* term = &m->terms[id];
        LiaTermId parts[3];
        LiaExpr a[3], b[3];
        if (!wanted[id]) continue;
        int count = length_of(guess, id, parts);
        if (count > 0 && ends_of(guess, parts, count, a, b)) {
            add_span(guess, a, b);
            spans++;
        }
        bool leaf = term->op <= LIA_TERM_QUANTITY || count > 0;
        if (!leaf) wanted[term->a] = wanted[term->b] = wanted[term->c] = true;
    }
    free(wanted);
}
