// Rows that depend on each other: the two methods of independent.c, for full arrays and for entries.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

bool lia_independent_dense_take(const LiaWorkspace* w, const LiaRowChoice* choice, bool* taken);
size_t lia_independent_dense_scratch(const LiaDynamics* d);
int lia_independent_dense_force_rank(const LiaWorkspace* w);

bool lia_independent_sparse_take(const LiaWorkspace* w, const LiaRowChoice* choice, bool* taken);
size_t lia_independent_sparse_scratch(const LiaDynamics* d);
int lia_independent_sparse_force_rank(const LiaWorkspace* w);
