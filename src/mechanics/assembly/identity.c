// Formulas that cancel. See identity.h.
// SPDX-License-Identifier: MIT
#include "mechanics/assembly/identity.h"
#include "base/memory/memory.h"
#include "base/numeric/random.h"
#include "base/numeric/thresholds.h"
#include "expr/graph/evaluate.h"
#include "expr/reading/simplify.h"
#include <math.h>
#include <stdlib.h>

enum { STATES = 3 };

// Rounding of terms that are not zero themselves, at states drawn at random.
static bool cancels(const LiaSystem* s, LiaExpr f) {
    LiaValues values;
    uint64_t seed = 1;
    if (!lia_evaluate_init(&values, s->graph, &f, 1)) return false;
    double* at = lia_memory_take((2 * (size_t)s->n + values.size + 1) * sizeof *at);
    double* size = at ? at + 2 * (size_t)s->n : NULL;
    bool zero = at != NULL;
    for (int k = 0; zero && k < STATES; k++) {
        for (size_t i = 0; i < 2 * (size_t)s->n; i++) at[i] = lia_random_even(&seed);
        LiaSymbols state = {.t = 0.37 + k, .parameters = s->parameters, .q = at, .v = at + s->n};
        lia_evaluate_run(&values, &state);
        lia_sizes_run(&values, &(LiaSymbols){0}, size);
        zero = fabs(lia_value(&values, f)) <= LIA_IDENTITY_ROUNDING * size[f.index];
    }
    free(at);
    lia_evaluate_clear(&values);
    return zero;
}

bool lia_identity_holds(const LiaSystem* s, LiaExpr f) {
    if (!cancels(s, f)) return false;
    LiaGraph* g = lia_graph_copy(s->graph);
    bool zero = g && lia_graph_is_zero(g, lia_simplify(g, f));
    lia_graph_destroy(g);
    return zero;
}
