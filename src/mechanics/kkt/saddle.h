// K0 = [M -Omega^T; J 0] and its blocks, by one of two methods: as full arrays (saddle_dense.c), or
// by its entries (saddle_sparse.c) where a system is so large that most of it is zero. The method
// is chosen where a workspace is made, by lia_workspace_create(), and nowhere else.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/numeric/dense.h"
#include "base/numeric/null_space.h"
#include "expr/tape/jet.h"
#include "mechanics/system.h"

// A row of M, J or Omega: entry k stands in column column[k], or in column k where `column` is
// NULL.
typedef struct LiaEntries {
    int count;
    const int* column;
    const double* value;
} LiaEntries;
static inline int lia_entry_column(const LiaEntries* e, int k) {
    return e->column ? e->column[k] : k;
}

typedef struct LiaSaddle LiaSaddle;
struct LiaWorkspace;

// Which rows of J, or of Omega, are asked for: see lia_independent_select().
typedef struct LiaRowChoice {
    LiaEntries (*row)(const struct LiaWorkspace* w, int c);
    const double* weight;  // of each row                             (nc)
    const double* size;    // square roots of the inertias            (nf)
    double* scratch;       // `choice_scratch` of the method
    double margin;         // relative distance from those before
    int rank_most;
} LiaRowChoice;

typedef struct LiaSaddleMethod {
    bool full;         // M, J and Omega stand as full arrays in LiaSaddle
    bool keeps_units;  // an order of elimination is found for units: those of last time come first
    /// Room for the blocks, for saddle->dynamics. False if memory is out: destroy() all the same.
    bool (*create)(LiaSaddle* saddle);
    void (*destroy)(LiaSaddle* saddle);
    /// Keep what later factorisations and solutions depend on.
    void (*keep)(LiaSaddle* saddle, LiaKeep* keep);
    LiaEntries (*M)(const LiaSaddle* saddle, int i);
    LiaEntries (*J)(const LiaSaddle* saddle, int c);
    LiaEntries (*Omega)(const LiaSaddle* saddle, int c);
    /// M and J from the lanes of one pass of probing; Omega from its registers.
    void (*take_columns)(LiaSaddle* saddle, const LiaJets* jets, const LiaProbes* p, uint32_t pass);
    void (*take_Omega)(LiaSaddle* saddle, const LiaJets* jets);
    /// K0 of the active rows, in the units saddle->measure where saddle->measured is set, and its
    /// factors; `sign` is that of Omega^T. Returns the smallest pivot, its column in
    /// saddle->weakest.
    double (*factor)(LiaSaddle* saddle, const int* active, int nr, double sign);
    /// The same in the order of the null-space method, always in these units: dearer, but rows that
    /// nearly depend on each other keep their digits. 0, and no factors, if memory is out.
    double (*factor_null_space)(LiaSaddle* saddle, const int* active, int nr, double sign);
    int null_space_most;  // unknowns for which that is affordable
    /// In these units. `careful`: to the last digit, where the pivots are not the best.
    void (*solve)(const LiaSaddle* saddle, double* b, bool careful);
    /// log2 |det K0|, in these units.
    double (*log2_determinant)(const LiaSaddle* saddle);
    /// Remember the pivots of K0; has one of them fallen below `part` of that since? True where
    /// that is not known.
    void (*mark_pivots)(LiaSaddle* saddle);
    bool (*pivot_fell)(const LiaSaddle* saddle, double part);
    /// What in J is nothing but rounding: see lia_independent_rounding().
    double (*J_rounding)(const LiaSaddle* saddle);
    /// The independent rows, marked in `taken` (nc). False if memory is out.
    bool (*independent)(const struct LiaWorkspace* w, const LiaRowChoice* choice, bool* taken);
    size_t (*choice_scratch)(const LiaDynamics* dynamics);
} LiaSaddleMethod;

struct LiaSaddle {
    const LiaSaddleMethod* method;
    const LiaDynamics* dynamics;
    // full arrays only
    double* M;      // d2L/dv2 of the unknown coordinates, row major   (nf x nf)
    double* J;      // gradient rows; stands after M                   (nc x nf)
    double* Omega;  // force directions, not J                         (nc x nf)
    double* K0;     // of the active rows, factored                    (nf+nr)^2
    LiaLu lu;
    LiaNullSpace null_space;           // the same factors in another order
    struct LiaSaddleEntries* entries;  // by entries only: saddle_sparse.h
    // with both methods
    double* measure;      // units of the unknowns of K0: scaling.c          (nf+nr)
    bool measured;        // K0 was factored in these units
    bool by_null_space;   // and in the order of the null-space method
    bool loses_digits;    // the usual order did: that of the null-space method comes first
    double pivot;         // smallest pivot of the scaled K0: 0 is singular
    int weakest;          // its column: an unknown (< nf) or a row
    double margin;        // a row nearer to the span of the others follows from them
    double pivot_chosen;  // the pivot when the active rows were chosen last
    double size_chosen;   // and log2 |det K0|, lia_workspace_size()
    double size;          // log2 |det K0| of these factors, where it is known already
    bool size_known;
    double* weight;  // size of each row relative to those of its constraint; then scratch   (nc)
    void* block;     // of the method
};

extern const LiaSaddleMethod lia_saddle_dense, lia_saddle_sparse;
