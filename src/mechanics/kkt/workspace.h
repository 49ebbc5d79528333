// Workspace: all that changes while a system runs, in one block. Two threads may run one system with
// two workspaces. Letters are those of docs/notation.md.
//
// State first, then what is computed from it, in the order in which it is computed:
//   lia_workspace_load()        q, v, t into the series
//   lia_workspace_residuals()   phi, phi', psi
//   lia_workspace_factor()      M, J, Omega, K0 and its factors
//   lia_stage_accelerate()  a, mu, powers (order 0 of the series)
//   lia_stage_series()      all orders
// SPDX-License-Identifier: MIT
#pragma once
#include "base/watch.h"
#include "expr/tape/jet.h"
#include "mechanics/degree/forces.h"
#include "mechanics/kkt/saddle.h"
#include "mechanics/system.h"

typedef struct LiaDerivativeArray LiaDerivativeArray;  // derivative_array.h

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

// How far a workspace has come with the state in it; each function asserts the stage it needs.
typedef enum LiaWorkspaceStage {
    LIA_WORKSPACE_EMPTY,        // what is in the series belongs to no state, or to another one
    LIA_WORKSPACE_LOADED,       // load()
    LIA_WORKSPACE_RESIDUALS,    // residuals(); also matrices(), and factor() where K0 is singular
    LIA_WORKSPACE_FACTORED,     // factor(), or stage0() with a regular K0 kept from before
    LIA_WORKSPACE_ACCELERATED,  // accelerate(), and series() after it
} LiaWorkspaceStage;

typedef struct LiaWorkspace {
    const LiaSystem* system;
    const LiaDynamics* dynamics;
    int n, nf, nc;  // coordinates; unknown ones; rows of K0

    // state
    double t;        // time
    double* q;       // positions, driven ones included                 (n)
    double* v;       // velocities                                      (n)
    double* work;    // integral of each power since the start          (lines)
    double* level0;  // value of phi that is kept, where it is data     (nc)

    // from lia_workspace_residuals()
    double* phi;   // position residual of each row, 0 for kinematic ones   (nc)
    double* psi;   // velocity residual: psi, or d(phi)/dt            (nc)
    double* miss;  // from lia_project_scaled_residuals(): both, scaled       (nc)

    // from lia_workspace_factor()
    LiaSaddle saddle;  // M, J, Omega, K0 and its factors, by its method
    int* active;       // independent rows, which stand in K0             (nr <= nc)
    int nr;
    bool
        fine;  // lengths or velocities so small that what is rounding elsewhere is much: project always
    double
        blur;  // rounding moves the state by so much, relative, where a row is small or springs are stiff

    // from lia_stage_accelerate()
    double* gamma;      // J a + gamma = 0                                 (nc)
    double* p;          // momenta dL/dv                                   (n)
    double* a;          // accelerations                                   (n)
    double* mu;         // multipliers by row of the system                (rows)
    bool* unique;       // is the multiplier of a row unique?              (rows)
    double* other;      // where some are not: others with the same forces  (rows)
    int contradiction;  // 1 + row (of nc) that does not follow from the active ones but should; 0: none
    LiaWorkspaceStage stage;

    LiaForceState forces;  // how the forces are decided
    LiaJets jets;
    struct LiaUnknown {  // places of an unknown coordinate; registers of its changes   (nf)
        uint32_t q, v, a, change_q, change_v;
    } * unknown;
    struct LiaBalance {  // places of its momentum and of its force                     (nf)
        uint32_t p, G;
    } * balance;
    struct LiaRowSeries {  // places of the equation of a row and of its multiplier    (nc)
        uint32_t e, mu;
        bool geometric;
    } * equation;
    struct LiaStagePipeline* pipeline;  // from stage to stage in a large system; else NULL
    int refined;   // orders below this one are refined: some with rotations, none without
    double* b;     // right side and solution                         (nf + nc)
    double* rest;  // right side of the next stage, while the solution is put in place
    void* block;
} LiaWorkspace;

/// Make a workspace for series up to `order` (1: accelerations only). NULL if memory is out.
LiaWorkspace* lia_workspace_create(const LiaSystem* system, const LiaDynamics* dynamics, int order);
/// The same with M, J, Omega and K0 as full arrays, however large the system.
LiaWorkspace* lia_workspace_create_dense(const LiaSystem* system, const LiaDynamics* dynamics,
                                         int order);
void lia_workspace_destroy(LiaWorkspace* w);
/// Keep all that later calls depend on, to the last bit: the state, what was computed from it and what was chosen on the way. For a
/// reader the workspace was made for the same dynamics and order, with the same hidden equations attached.
void lia_workspace_keep(LiaWorkspace* w, LiaKeep* keep);

LiaEntries lia_workspace_M(const LiaWorkspace* w, int i);
LiaEntries lia_workspace_J(const LiaWorkspace* w, int c);
LiaEntries lia_workspace_Omega(const LiaWorkspace* w, int c);
/// Row c is of the model, not an equation that the program added itself (the length of a quaternion).
static inline bool lia_row_shown(const LiaWorkspace* w, int c) {
    uint32_t of = w->system->rows[w->dynamics->rows[c]].constraint;
    return !w->system->model->constraints[of].internal;
}
/// The entry of M in row and column i.
double lia_workspace_inertia(const LiaWorkspace* w, int i);

/// Put the state into the series. Driven coordinates are set from their laws, in w->q and w->v too
/// (a coordinate with a rate law keeps its q).
void lia_workspace_load(LiaWorkspace* w, int order);
void lia_workspace_residuals(LiaWorkspace* w);
/// Take the levels of equations written as (phi)' = 0 from the state in w.
void lia_workspace_levels(LiaWorkspace* w);
/// Choose the sides of formulas that are not analytic everywhere by a look ahead along the velocities, and keep
/// them from then on: a motion that starts at a corner goes to one side of it.
void lia_workspace_inspect(LiaWorkspace* w, double ahead);
/// The same sides as in another workspace of the system.
void lia_workspace_take_sides(LiaWorkspace* w, const LiaWorkspace* from);
/// Stage 0 with the unknowns at zero: what accelerate() reads. Part of factor(); alone where K0 is kept.
void lia_workspace_stage0(LiaWorkspace* w);
/// Stage 0, then M, J and Omega. Part of factor(); alone where K0 is not needed.
void lia_workspace_matrices(LiaWorkspace* w);
/// False if K0 is singular to working precision or not finite.
bool lia_workspace_factor(LiaWorkspace* w);
/// factor(), and what decides the forces. False if K0 is singular, or nothing does.
bool lia_workspace_decide(LiaWorkspace* w);
/// log2 |det K0|, after factor(); NAN where K0 is sparse.
double lia_workspace_size(const LiaWorkspace* w);
/// Units for the unknowns of K0 in which M and Omega are of size 1, into w->saddle.measure. After matrices().
void lia_scaling_by_inertia(LiaWorkspace* w);
/// The power of two next to x^exponent; 1 where x is no size.
double lia_scaling_unit(double x, double exponent);
/// 0 for a coordinate measured as a length, 1 for one whose natural size is 1.
int lia_scaling_kind(const LiaModel* model, int coordinate);
/// The inertia of a coordinate in the metric of a start: its own, unless that is none or there only by rounding, which would
/// give a metric in which the rank of the equations cannot be seen. `heaviest`: of all, by kind.
double lia_scaling_inertia(double own, int kind, const double heaviest[2]);
/// Solve K0 x = b in place, b of nf + nr numbers. After factor().
void lia_workspace_solve(const LiaWorkspace* w, double* b);
/// J a + gamma = 0 of all rows, into w->gamma, after matrices() or factor().
void lia_stage_gamma(LiaWorkspace* w);
/// Order 0: after load, residuals, factor.
void lia_stage_accelerate(LiaWorkspace* w);
/// Stages 1 .. order-1 after accelerate: v to `order`, q to `order` + 1, mu and powers to order - 1.
void lia_stage_series(LiaWorkspace* w, int order);
/// After load() and residuals(): dp/dt - G of the unknown coordinates with these accelerations (nf) and multipliers (rows),
/// and the sizes of the two.
void lia_dalembert_residual(LiaWorkspace* w, const double* a, const double* mu, double* defect,
                            double* size);
/// All of the above at order 0 in one call. False if K0 is singular.
bool lia_workspace_evaluate(LiaWorkspace* w);
/// Values of system->samples at the state, after accelerate; multipliers that are not unique become those
/// of least norm.
void lia_workspace_sample(LiaWorkspace* w, double* values);
/// The same with the multipliers as they are.
void lia_workspace_read_samples(LiaWorkspace* w, double* values);
/// In place of accelerate() and sample() where K0 is singular: what is made of accelerations and multipliers is NAN, all else is
/// as the state says.
void lia_workspace_sample_undetermined(LiaWorkspace* w, double* values);
/// After sample(), where a multiplier is not unique: the same values with the multipliers w->other, which give the same
/// motion, and these in w->mu. What changes is not unique. A second call brings the first multipliers back.
void lia_workspace_exchange(LiaWorkspace* w, double* values);

/// load, residuals, factor, and projection onto the admissible states along the directions the forces
/// have: positions first, then velocities; driven coordinates are not moved. Leaves the workspace
/// ready for accelerate(). *moved: size of the projection relative to the state; *energy: energy it
/// fed in (both may be NULL). False if K0 is singular or the projection does not settle.
bool lia_project_state(LiaWorkspace* w, int order, double* moved, double* energy);
/// The same where K0 alone decides the forces.
bool lia_project_direct(LiaWorkspace* w, int order, double* moved, double* energy);
/// The residuals of all rows, position or velocity, scaled by |row of J| times the size of the state, into w->miss.
/// Returns the largest.
double lia_project_scaled_residuals(LiaWorkspace* w);
/// The coupling number: smallest singular value of the product of J's and Omega's rows, both
/// orthonormal in the metric of M^-1. 1: ideal constraints; 0: an operator that cannot act. After factor(),
/// for a workspace of the full dynamics. NAN: not known (where the inertia is negative it has no meaning; or memory is out).
double lia_regularity(const LiaWorkspace* w);
/// The same by singular values, and by sparse elimination (regularity_sparse.c): the first for small systems, the second for
/// large ones.
double lia_regularity_dense(const LiaWorkspace* w);
double lia_regularity_sparse(const LiaWorkspace* w);
/// Weights of the rows of J in the metric M + J^T W J, which take the place of units, into W (nc). False if memory is out.
bool lia_regularity_row_weights(const LiaWorkspace* w, double* W);
/// Are the forces those of ideal constraints, row by row?
bool lia_regularity_sparse_is_ideal(const LiaWorkspace* w);

/// independent.c: choose the active rows: a largest set of rows of J that are independent (relative
/// distance of each from the span of those before above `margin`), `rank_most` at most. True if the set has changed.
bool lia_independent_select(LiaWorkspace* w, double margin, int rank_most);
/// Room for w->saddle.weight and what goes with it, if there is none yet. False if memory is out.
bool lia_independent_weigh(LiaWorkspace* w);
/// The square roots of the inertias, by which the columns of J are measured (nf). After matrices().
void lia_independent_columns(const LiaWorkspace* w, double* size);
/// A row of A (m x n) whose entries are all at most this is nothing but rounding beside the others: it is none.
double lia_independent_rounding(const double* A, int m, int n);
/// Has an active row become small beside the others of its constraint, so that another choice may be better?
bool lia_independent_faded(const LiaWorkspace* w);
/// min_norm.c: multipliers of least norm, which are unique, and others with the same forces, where rows depend on
/// each other.
void lia_min_norm_multipliers(LiaWorkspace* w);
/// min_norm_sparse.c: the same for large systems. False if it could not be done.
bool lia_min_norm_sparse(LiaWorkspace* w);
/// After least_norm(): which combinations of multipliers that are not unique are so all the same. `basis`
/// (room for nc x nc) gets one a row, in reduced row echelon form. Returns how many.
int lia_min_norm_combinations(const LiaWorkspace* w, double* basis);
/// min_norm_series.c: the same multipliers as series of `orders` coefficients, for the works. A step allocates only here, and only
/// where rows that do work depend on each other.
void lia_min_norm_series(LiaWorkspace* w, int orders);
/// A number between 1/2 and 1, the next of a fixed sequence that begins with *seed = 1.
double lia_min_norm_random(uint64_t* seed);
/// Rank of all rows of Omega. Where it is above nr the equations depend on each other but their forces do
/// not: which force acts is not decided.
int lia_independent_force_rank(const LiaWorkspace* w);

// Why K0 is singular, in words: see singular_report.c.
typedef struct LiaSingularReport {
    LiaText equations, forces, motion;  // "'a', 'b'"; the same of forces; "x, y"
    LiaText direction;                  // of the motion: " along x' = 2, y' = -1"
    const char* massless;               // the free body that moves, where it has no mass
    LiaSpan span;                       // of the first equation, or of the first coordinate
    int rank, size;                     // of K0 with all rows
    double margin;                      // its smallest singular value over the largest
} LiaSingularReport;
/// After factor(). False if memory is out. Release with lia_singular_report_clear().
bool lia_singular_report(const LiaWorkspace* w, LiaSingularReport* out);
void lia_singular_report_clear(LiaSingularReport* uncoupled);
/// As a clause: "the force of 'follow' moves x, and what 'follow' asks for is not coupled to that by inertia".
void lia_singular_report_say(const LiaSingularReport* uncoupled, LiaText* out);

/// zero_dynamics.c: how many numbers of the state all equations leave free, and the rate at which a small deviation grows
/// there, exp(rate t), by the motion linearised at the state in w (0: neither grows nor dies out). -1 where that
/// cannot be told. *drift: how fast the positions change, in parts of their size. Leaves the workspace as after
/// accelerate().
int lia_zero_dynamics(LiaWorkspace* w, double* rate, double* drift);

// --- stage.c, for relative_degree.c too

/// Stage k with the unknowns at zero; multipliers of hidden rows are left as they are.
void lia_stage_begin(LiaWorkspace* w, int k);
/// Solve for a[k], mu[k] of the active rows and correct the series.
void lia_stage_solve(LiaWorkspace* w, int k);
/// Forces of eliminated operators of order k.
void lia_stage_react(LiaWorkspace* w, int k);

// --- relative_degree.c, relative_degree_find.c

/// Is a row one of an operator?
bool lia_relative_degree_find_has_operators(const LiaWorkspace* w);
/// Find how often the equations of operators must be differentiated at the state in w (full K0 singular).
/// NULL with what is lacking.
LiaRelativeDegree* lia_relative_degree_find(LiaWorkspace* w, LiaRelativeDegreeLack* lack);
/// The same where forces that were found by one way are not decided by it at the state in w: together, by `least` more derivatives
/// or more. NULL if they are not decided so either.
LiaRelativeDegree* lia_relative_degree_find_deepen(LiaWorkspace* w, int least);
/// Move the state in w onto the equations of a start, forces decided together: those of the lowest depth first, from there to the
/// next. `fixed` as below.
bool lia_relative_degree_find_climb(LiaWorkspace* w, LiaRelativeDegree* degree, const bool* fixed,
                                    double* moved);
/// Room for so many rows. NULL if memory is out.
LiaRelativeDegree* lia_relative_degree_create(int count);
void lia_relative_degree_destroy(LiaRelativeDegree* degree);
/// Keep which they are; `rows` is the number of rows they are among. A reader gives *hidden = NULL and gets them, or NULL where
/// there are none, or what was read is wrong.
void lia_relative_degree_keep(LiaRelativeDegree** degree, LiaKeep* keep, uint32_t rows);
/// Let a workspace treat these rows as hidden ones. False if memory is out.
bool lia_relative_degree_attach(LiaWorkspace* w, const LiaRelativeDegree* degree);
/// Back to forces that K0 alone decides.
void lia_relative_degree_detach(LiaWorkspace* w);
/// Is row c one of those of w->forces?
bool lia_relative_degree_is(const LiaWorkspace* w, int c);
/// Trial forces that change some acceleration by as much as there is, or by 1. `plain` has room for nf.
void lia_relative_degree_choose_trials(LiaWorkspace* w, double* plain);
/// After factor(): w->forces.level.
void lia_relative_degree_levels(LiaWorkspace* w);
/// The same, and the matrix S. False if S is singular.
bool lia_relative_degree_residuals(LiaWorkspace* w);

// --- relative_degree_project.c

/// Move the state onto all levels; `fixed` (2 nf flags, positions then velocities) are kept, NULL: none.
/// Least change in units of the scales of q and v. Returns false if it does not settle.
bool lia_relative_degree_project(LiaWorkspace* w, int order, const bool* fixed, double* moved);
/// The same, whether forces are decided there or not.
bool lia_relative_degree_project_reach(LiaWorkspace* w, int order, const bool* fixed,
                                       double* moved);
/// The same for a start: where the way from the state leads nowhere, from places around it, to the nearest state that is found.
bool lia_relative_degree_project_seek(LiaWorkspace* w, const bool* fixed, double* moved);
/// From a state that satisfies all equations along them to the nearest to `target` (positions, then velocities of the unknown
/// coordinates).
bool lia_relative_degree_project_nearer(LiaWorkspace* w, const double* target, const bool* fixed);
/// How many equations are independent, of those for the state (and for forces, where these are decided together), as found last.
int lia_relative_degree_project_rank(const LiaWorkspace* w);
/// Release what is kept from one projection for the next.
void lia_relative_degree_project_forget(LiaWorkspace* w);
void lia_relative_degree_project_keep_slopes(LiaWorkspace* w, LiaKeep* keep);

// parameters.c
/// Exchange the parameters of a control without a law, LIA_CONTROL_PARAMETERS from `first` on, of a copy of a system: twice is back.
void lia_parameters_exchange(LiaSystem* system, uint32_t first, double* values);
/// Have a workspace of that system compute with them.
void lia_parameters_load(const LiaSystem* system, LiaWorkspace* w);
