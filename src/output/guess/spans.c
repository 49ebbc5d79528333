// Springs, ropes and legs: lines between places whose distance a potential, a constraint or an operator has in it.
//
// The length of a difference, norm(A - B) or hypot(A.x - B.x, ..), or its square, dot(A - B, A - B), is looked for in
// these. Where the distance stays the same it is a rod.
// SPDX-License-Identifier: MIT
#include "../../base/memory.h"
#include "guess.h"
#include <stdlib.h>
#include <string.h>

enum { SPANS_MOST = 400 };

// x of x^2 or x*x; 0: no square.
static LiaTermId root_of(const LiaModel* m, LiaTermId id) {
    const LiaTerm *term = &m->terms[id], *power = &m->terms[term->b];
    bool square = term->op == LIA_TERM_POW && power->op == LIA_TERM_NUMBER && power->number == 2.0;
    return square || (term->op == LIA_TERM_MUL && term->a == term->b) ? term->a : 0;
}

static bool is_call(const LiaTerm* term, LiaFunction function) {
    return term->op == LIA_TERM_CALL && term->function == function;
}

// The numbers of which a term is the length or its square, 2 or 3: norm(v), x^2 + y^2, hypot(x, y, z); 0: none.
static int length_of(const LiaModel* m, LiaTermId id, LiaTermId* parts) {
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
        parts[i] = sum ? root_of(m, list[i]) : list[i];
        if (!parts[i]) return 0;
    }
    return count;
}

// Both ends of a difference; a number that is none ends at 0.
static bool ends_of(LiaGuess* guess, const LiaTermId* parts, int count, LiaExpr* a, LiaExpr* b) {
    bool some = false;
    for (int k = 0; k < 3; k++) {
        a[k] = b[k] = lia_guess_zero(guess);
        if (k >= count) continue;
        const LiaTerm* term = &guess->m->terms[parts[k]];
        bool positions = !(term->has & ~(LIA_HAS_T | LIA_HAS_Q | LIA_HAS_CONTROL));
        bool apart = term->op == LIA_TERM_SUB;
        some = some || apart;
        LiaTermId from = apart ? term->a : parts[k];
        if (!positions || !lia_scene_lower(guess->scene, &from, &a[k], 1)) return false;
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
    if (lia_guess_is_rigid(guess, p, q)) {
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
        int count = length_of(m, id, parts);
        if (count > 0 && ends_of(guess, parts, count, a, b)) {
            add_span(guess, a, b);
            spans++;
        }
        bool leaf = term->op <= LIA_TERM_QUANTITY || count > 0;
        if (!leaf) wanted[term->a] = wanted[term->b] = wanted[term->c] = true;
    }
    free(wanted);
}
