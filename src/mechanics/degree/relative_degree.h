// Operators that act through springs: equations of higher degree. See relative_degree.c; what
// decides the degrees: relative_degree_find.c; the projection: relative_degree_project.c,
// level_slopes.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

// Why operators cannot act even so.
typedef struct LiaRelativeDegreeLack {
    enum {
        LIA_LACK_ANYTHING,  // no operators, too many, the rest is singular by itself, memory
        LIA_LACK_FORCE,     // no derivative of the equation of `row` contains a force
        LIA_LACK_FORCES,    // there are fewer `forces` than `equations`
        LIA_LACK_MOTION,    // and so there are beyond what constraints ask for and hold
        LIA_LACK_STATE,     // no state was found that satisfies all derivatives up to `derivative`
        LIA_LACK_DECISION,  // no derivative decides all forces
    } kind;
    int row;  // of nc
    int derivative;
    int equations, forces;  // independent ones
} LiaRelativeDegreeLack;

/// Is a row one of an operator?
bool lia_relative_degree_find_has_operators(const LiaWorkspace* w);
/// Find how often the equations of operators must be differentiated at the state in w (full K0
/// singular). NULL with what is lacking.
LiaRelativeDegree* lia_relative_degree_find(LiaWorkspace* w, LiaRelativeDegreeLack* lack);
/// The same where forces that were found by one way are not decided by it at the state in w:
/// together, by `least` more derivatives or more. NULL if they are not decided so either.
LiaRelativeDegree* lia_relative_degree_find_deepen(LiaWorkspace* w, int least);
/// Move the state in w onto the equations of a start, forces decided together: those of the lowest
/// depth first, from there to the next. `fixed` as below.
bool lia_relative_degree_find_climb(LiaWorkspace* w, LiaRelativeDegree* degree, const bool* fixed,
                                    double* moved);
/// Room for so many rows. NULL if memory is out.
LiaRelativeDegree* lia_relative_degree_create(int count);
void lia_relative_degree_destroy(LiaRelativeDegree* degree);
/// The rows of `of`, which are rows of the dynamics `from`, among those of `to`; NULL where one of
/// them is not there. False if memory is out.
bool lia_relative_degree_among(const LiaRelativeDegree* of, const LiaDynamics* from,
                               const LiaDynamics* to, LiaRelativeDegree** out);
/// Keep which they are; `rows` is the number of rows they are among. A reader gives *hidden = NULL
/// and gets them, or NULL where there are none, or what was read is wrong.
void lia_relative_degree_keep(LiaRelativeDegree** degree, LiaKeep* keep, uint32_t rows);
/// Let a workspace treat these rows as hidden ones. False if memory is out.
bool lia_relative_degree_attach(LiaWorkspace* w, const LiaRelativeDegree* degree);
/// Back to forces that K0 alone decides.
void lia_relative_degree_detach(LiaWorkspace* w);
/// Is row c one of those of w->forces?
bool lia_relative_degree_is(const LiaWorkspace* w, int c);
/// Trial forces that change some acceleration by as much as there is, or by 1. `plain` has room for
/// nf.
void lia_relative_degree_choose_trials(LiaWorkspace* w, double* plain);
/// After factor(): w->forces.level.
void lia_relative_degree_levels(LiaWorkspace* w);
/// The same, and the matrix S. False if S is singular.
bool lia_relative_degree_residuals(LiaWorkspace* w);

// --- relative_degree_project.c

/// Move the state onto all levels; `fixed` (2 nf flags, positions then velocities) are kept, NULL:
/// none. Least change in units of the scales of q and v. Returns false if it does not settle.
bool lia_relative_degree_project(LiaWorkspace* w, int order, const bool* fixed, double* moved);
/// The same, whether forces are decided there or not.
bool lia_relative_degree_project_reach(LiaWorkspace* w, int order, const bool* fixed,
                                       double* moved);
/// The same for a start: where the way from the state leads nowhere, from places around it, to the
/// nearest state that is found.
bool lia_relative_degree_project_seek(LiaWorkspace* w, const bool* fixed, double* moved);
/// From a state that satisfies all equations along them to the nearest to `target` (positions, then
/// velocities of the unknown coordinates).
bool lia_relative_degree_project_nearer(LiaWorkspace* w, const double* target, const bool* fixed);
/// How many equations are independent, of those for the state (and for forces, where these are
/// decided together), as found last.
int lia_relative_degree_project_rank(const LiaWorkspace* w);

// --- level_slopes.c

/// Release what is kept from one projection for the next.
void lia_level_slopes_forget(LiaWorkspace* w);
void lia_level_slopes_keep(LiaWorkspace* w, LiaKeep* keep);

// --- within degree

/// Release what the method of w keeps, and forget the method.
void lia_relative_degree_forget(LiaWorkspace* w);
/// Parts of the methods of operators, which both have.
bool lia_relative_degree_project_method(LiaWorkspace* w, int order, double* moved, double* energy);
void lia_relative_degree_keep_forces(LiaWorkspace* w, LiaKeep* keep);
int lia_relative_degree_open_rank(LiaWorkspace* w);
double lia_relative_degree_hidden_blur(const LiaWorkspace* w);
/// Stages k .. last with the forces of hidden rows at zero from order k on, but for `unit` (-1:
/// none), which has its trial value at order k.
void lia_relative_degree_look_ahead(LiaWorkspace* w, int k, int last, int unit);
/// Is coefficient j of the equation of hidden row i another than `without`, by more than this part
/// of the terms it is made of? What is less than that is rounding, or has no hold yet.
bool lia_relative_degree_differs(const LiaWorkspace* w, int i, int j, double without, double part);
/// After factor(): the levels with all those forces at zero; `top` gets the coefficients of the
/// derivatives in which the forces appear.                                              (count)
void lia_relative_degree_plain(LiaWorkspace* w, double* top);
/// What force g changes these derivatives by, of the first `rows` of those rows; `zero` as above.
void lia_relative_degree_column(LiaWorkspace* w, int g, int rows, const double* zero,
                                double* column);
/// Has the force that was looked at last changed a lower derivative of one of the first `rows`?
/// 1 + that row of nc, or 0.
int lia_relative_degree_early(const LiaWorkspace* w, int rows);
