// Forces of contacts where operators act through springs: the accelerations by a force lambda of
// another row, with the operators' forces mu that answer it. Along the motion
//
//   a = a0 + A lambda + B mu,     d^(base+shift) e/dt^(base+shift) = alpha + C lambda + S mu = 0
//
// (relative_degree.c), so that mu = -S^-1 (alpha + C lambda) and lambda brings (A - B S^-1 C). All
// of them are found by trial forces and looking ahead. That is the answer to impulses as well: they
// change the derivative before by the same C and S. No lower derivative may have lambda in it: it
// would ask for a state that jumps with lambda, and positions do not jump.
// SPDX-License-Identifier: MIT
#include "mechanics/degree/answers.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

LiaRelativeDegree* lia_answers_rows(const LiaWorkspace* w, const LiaRelativeDegree* of,
                                    const int* row, int count) {
    LiaRelativeDegree* h = lia_relative_degree_create(of->count + count);
    if (!h) return NULL;
    h->count = of->count + count;
    h->ahead = of->ahead;
    h->levels = of->levels;
    for (int i = 0; i < h->count; i++) {
        int c = i < of->count ? of->row[i] : row[i - of->count];
        bool geometric = w->system->rows[w->dynamics->rows[c]].geometric;
        h->row[i] = c;
        h->base[i] = i < of->count ? of->base[i] : geometric ? 2 : 1;
        h->shift[i] = i < of->count ? of->shift[i] : 0;
        if (i >= of->count) h->levels += h->base[i];
    }
    return h;
}

typedef struct Room {
    double* plain;  // accelerations without those forces                      (n)
    double* A;      // by each force of 1                                      (count x n)
    double* top;    // derivatives without them                                (count)
    double* C;      // what each force of 1 changes those of hidden rows by    (count x hidden)
    LiaLu S;
    void* block;
} Room;

static bool make_room(const LiaWorkspace* w, size_t hidden, Room* x) {
    size_t n = (size_t)w->n, count = (size_t)w->forces.degree->count;
    size_t doubles = n + count * n + count + count * hidden + hidden * hidden + 2 * hidden;
    x->block = lia_memory_zeros((doubles + 1) * sizeof(double) + (hidden + 1) * sizeof(int), 1);
    if (!x->block) return false;
    double* y = x->block;
    x->plain = y, y += n;
    x->A = y, y += count * n;
    x->top = y, y += count;
    x->C = y, y += count * hidden;
    x->S = (LiaLu){.n = (int)hidden, .A = y, .left = y + hidden * hidden};
    x->S.right = x->S.left + hidden;
    x->S.row = (int*)(x->S.right + hidden);
    return true;
}

static double acceleration(const LiaWorkspace* w, int i) {
    return lia_jet_coefficient(&w->jets, w->dynamics->tape->acceleration[i], 0);
}

static bool look(LiaWorkspace* w, Room* x, LiaAnswers* out) {
    int count = w->forces.degree->count, n = w->n, m = out->hidden;
    for (int g = 0; g < count; g++) w->forces.trial[g] = 1.0;
    lia_relative_degree_choose_trials(w, x->plain);
    lia_relative_degree_plain(w, x->top);
    for (int i = 0; i < n; i++) x->plain[i] = acceleration(w, i);
    for (int g = 0; g < count; g++) {
        double* A = x->A + (size_t)g * (size_t)n;
        lia_relative_degree_column(w, g, m, x->top, x->C + (size_t)g * (size_t)m);
        for (int i = 0; i < n; i++) A[i] = (acceleration(w, i) - x->plain[i]) / w->forces.trial[g];
        int early = g < m ? 0 : lia_relative_degree_early(w, m);
        if (!early) continue;
        out->given = g - m;
        out->row = early - 1;
        return false;
    }
    for (int g = 0; g < m; g++) {
        for (int i = 0; i < m; i++) x->S.A[i * m + g] = x->C[g * m + i];
    }
    return true;
}

// A coordinate whose motion operators prescribe has no answer: what is left of it is rounding.
static void answer(const Room* x, int n, int m, int given, double* by) {
    double* mu = x->C + (size_t)(m + given) * (size_t)m;
    lia_dense_lu_solve(&x->S, mu);
    for (int i = 0; i < n; i++) {
        double sum = x->A[(size_t)(m + given) * (size_t)n + (size_t)i], size = fabs(sum);
        for (int h = 0; h < m; h++) {
            double term = x->A[(size_t)h * (size_t)n + (size_t)i] * mu[h];
            sum -= term;
            size += fabs(term);
        }
        by[i] = fabs(sum) > LIA_FORCE_APPEARS_EARLY * size ? sum : 0.0;
    }
}

LiaAnswersFound lia_answers_find(LiaWorkspace* w, LiaAnswers* out) {
    int m = out->hidden, n = w->n;
    Room x;
    if (!make_room(w, (size_t)m, &x)) return LIA_ANSWERS_NO_MEMORY;
    LiaAnswersFound found = look(w, &x, out) ? LIA_ANSWERS_FOUND : LIA_ANSWERS_EARLY;
    if (found == LIA_ANSWERS_FOUND && !(lia_dense_lu_factor(&x.S, NULL) > LIA_S_SINGULAR))
        found = LIA_ANSWERS_NONE;
    for (int g = 0; found == LIA_ANSWERS_FOUND && g < w->forces.degree->count - m; g++)
        answer(&x, n, m, g, out->by + (size_t)g * (size_t)n);
    free(x.block);
    return found;
}
