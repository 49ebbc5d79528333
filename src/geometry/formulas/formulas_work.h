// What the files of the formulas share. Only they use this header.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/reading/simplify.h"
#include "geometry/formulas/formulas.h"

enum { LIA_FORMULAS_BLOCK = 3 };  // largest block of a matrix that is inverted as a formula

typedef struct LiaFormulasWork {
    LiaPhaseSpace* space;
    LiaGeometry* y;
    const LiaSystem* s;
    const LiaClassification* classes;
    LiaGraph* g;
    LiaFormulas* out;
    size_t n;
    LiaExpr *b, U;  // L = 1/2 v g v + b v - U        (n)
} LiaFormulasWork;
typedef LiaFormulasWork Work;

static inline LiaExpr* list(Work* k, size_t count) {
    return LIA_ARENA_NEW(k->out->arena, LiaExpr, count + 1);
}

static inline LiaExpr plus(Work* k, LiaExpr a, LiaExpr b) { return lia_graph_add(k->g, a, b); }
static inline LiaExpr minus(Work* k, LiaExpr a, LiaExpr b) { return lia_graph_sub(k->g, a, b); }
static inline LiaExpr times(Work* k, LiaExpr a, LiaExpr b) { return lia_graph_mul(k->g, a, b); }
static inline LiaExpr zero(Work* k) { return lia_graph_integer(k->g, 0); }
static inline LiaExpr half(Work* k, LiaExpr a) {
    return times(k, lia_graph_rational(k->g, 1, 2), a);
}
static inline LiaExpr tidy(Work* k, LiaExpr a) { return lia_simplify(k->g, a); }

// {0} where it is too long to be read.
static inline LiaExpr readable(Work* k, LiaExpr a) {
    if (!a.index) return a;
    a = tidy(k, a);
    return lia_simplify_length(k->g, a) <= LIA_FORMULA_LENGTH ? a : (LiaExpr){0};
}

// f with all symbols of a kind put to zero, except those of `kept` (NULL: none is).
static inline LiaExpr without(Work* k, LiaExpr f, LiaSymbolKind kind, const bool* kept) {
    LiaExpr by[LIA_FORMULAS_SIZE];
    for (size_t i = 0; i < k->n; i++) by[i] = kept && kept[i] ? (LiaExpr){0} : zero(k);
    return lia_diff_substitute(k->g, f, kind, by, k->n);
}

// formulas.c
/// The inverse of the matrix of the `count` indices `which` of an n x n matrix, by blocks that do
/// not couple. False where a block is too large or its determinant is zero.
bool lia_formulas_invert(Work* k, const LiaExpr* m, size_t stride, const uint32_t* which,
                         size_t count, LiaExpr* inverse);

// forces.c: the forces of driven coordinates; the multipliers; those that do not give the number of
// K0 left out
bool lia_forces_driven(Work* k);
bool lia_forces_multipliers(Work* k);
bool lia_forces_check(Work* k, double t, const double* q, const double* v);

// attitude_velocity.c
/// Formulas with the velocities of attitudes put in by their angular momenta p(R). False where
/// other velocities are left, or it is not known how.
bool lia_attitude_velocity_put(Work* k, int count, LiaExpr* Y);

// dazord.c: h of each constraint
bool lia_dazord_functions(Work* k);
