// A model text, its system, and a workspace at a state that is none in particular.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"
#include <liaison/liaison.h>

typedef struct Built {
    LiaDiags* diags;
    LiaModel* model;
    LiaSystem* system;
    LiaWorkspace* w;  // of the full dynamics; NULL: none was asked for
} Built;

struct LiaTestHooks;
/// Fails the case where the text is not right. Order 0: no workspace. `hooks` may be NULL; they
/// hold while the workspace is made. q is 0.3, 0.5, ..., v is 0.7, 0.4, ... Release with
/// built_clear().
Built built_of(const char* text, int order, const struct LiaTestHooks* hooks);
void built_clear(Built* b);
/// Load, residuals, factor, accelerate. Fails the case where K0 is singular.
void built_accelerate(LiaWorkspace* w, int order);
/// The rows of M, J or Omega as a full array.
void built_dense(const LiaWorkspace* w, LiaEntries (*row)(const LiaWorkspace*, int), int rows,
                 double* out);
/// All that was said.
char* built_said(const LiaDiags* diags);
