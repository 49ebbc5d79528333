// Rows that depend on each other: which to keep in K0. See independent.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

/// Choose the active rows: a largest set of rows of J that are independent (relative distance of
/// each from the span of those before above `margin`), `rank_most` at most. True if the set has
/// changed.
bool lia_independent_select(LiaWorkspace* w, double margin, int rank_most);
/// Room for w->saddle.weight and what goes with it, if there is none yet. False if memory is out.
bool lia_independent_weigh(LiaWorkspace* w);
/// The square roots of the inertias, by which the columns of J are measured (nf). After matrices().
void lia_independent_columns(const LiaWorkspace* w, double* size);
/// A row of A (m x n) whose entries are all at most this may be nothing but rounding relative to
/// the others.
double lia_independent_rounding(const double* A, int m, int n);
/// Is row c of J none, given its largest entry and that rounding? One that is the same at all
/// states cannot have vanished: it is only written in a large unit.
bool lia_independent_none(const LiaWorkspace* w, int c, double entry, double rounding);
/// The same of the rows of a choice.
bool lia_independent_chosen_none(const LiaWorkspace* w, const LiaRowChoice* choice, int c,
                                 double entry, double rounding);
/// Has an active row become small relative to the others of its constraint, so that another choice
/// may be better?
bool lia_independent_faded(const LiaWorkspace* w);
/// Rank of all rows of Omega. Where it is above nr the equations depend on each other but their
/// forces do not: which force acts is not decided.
int lia_independent_force_rank(const LiaWorkspace* w);

// The two methods, for full arrays and for entries: see saddle.h.
bool lia_independent_dense_take(const LiaWorkspace* w, const LiaRowChoice* choice, bool* taken);
size_t lia_independent_dense_scratch(const LiaDynamics* d);

bool lia_independent_sparse_take(const LiaWorkspace* w, const LiaRowChoice* choice, bool* taken);
size_t lia_independent_sparse_scratch(const LiaDynamics* d);
