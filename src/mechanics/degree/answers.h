// How a system with operators that act through springs answers given forces: see answers.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/degree/relative_degree.h"

/// The rows of `of` and after them `count` others (of nc), whose forces are given. NULL if memory
/// is out.
LiaRelativeDegree* lia_answers_rows(const LiaWorkspace* w, const LiaRelativeDegree* of,
                                    const int* row, int count);

typedef enum LiaAnswersFound {
    LIA_ANSWERS_FOUND,
    LIA_ANSWERS_NONE,  // the forces of operators are not decided
    LIA_ANSWERS_EARLY,
    LIA_ANSWERS_NO_MEMORY,
} LiaAnswersFound;

typedef struct LiaAnswers {
    int hidden;  // rows of operators, the first of w->forces.degree
    double* by;  // accelerations by each given force of 1                     (given x n)
    int given;   // EARLY: the force that reaches what an operator governs before
    int row;     //        the operator's own does, and the row of that, of nc
} LiaAnswers;

/// After factor() of a workspace to which those rows are attached.
LiaAnswersFound lia_answers_find(LiaWorkspace* w, LiaAnswers* out);
