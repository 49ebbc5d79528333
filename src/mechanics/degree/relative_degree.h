// What relative_degree.c and relative_degree_find.c share. What others need of them is in workspace.h.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

/// Release what the method of w keeps, and forget the method.
void lia_relative_degree_forget(LiaWorkspace* w);
/// Parts of the methods of operators, which both have.
bool lia_relative_degree_project_method(LiaWorkspace* w, int order, double* moved, double* energy);
void lia_relative_degree_keep_forces(LiaWorkspace* w, LiaKeep* keep);
/// Stages k .. last with the forces of hidden rows at zero from order k on, but for `unit` (-1: none),
/// which has its trial value at order k.
void lia_relative_degree_look_ahead(LiaWorkspace* w, int k, int last, int unit);
/// Is coefficient j of the equation of hidden row i another than `without`, by more than this part of the terms it is made of? What is
/// less than that is rounding, or has no hold yet.
bool lia_relative_degree_differs(const LiaWorkspace* w, int i, int j, double without, double part);
