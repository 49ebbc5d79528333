// Workspace: all that changes while a system runs, in one block. Two threads may run one system
// with two workspaces. Letters are those of docs/notation.md.
//
// State first, then what is computed from it, in the order in which it is computed:
//   lia_workspace_put()         t, q, v
//   lia_workspace_load()        these into the series       } lia_workspace_update()
//   lia_workspace_residuals()   phi, phi', psi              }
//   lia_workspace_factor()      M, J, Omega, K0 and its factors
//   lia_stage_accelerate()      a, mu, powers (order 0 of the series)
//   lia_stage_series()      all orders
// SPDX-License-Identifier: MIT
#pragma once
#include "base/watch.h"
#include "expr/tape/jet.h"
#include "mechanics/degree/forces.h"
#include "mechanics/kkt/saddle.h"
#include "mechanics/system.h"

// How far a workspace has come with the state in it; each function asserts the stage it needs.
typedef enum LiaWorkspaceStage {
    LIA_WORKSPACE_EMPTY,        // what is in the series belongs to no state, or to another one
    LIA_WORKSPACE_LOADED,       // load()
    LIA_WORKSPACE_RESIDUALS,    // residuals(); also matrices(), and factor() where K0 is singular
    LIA_WORKSPACE_FACTORED,     // factor(), or stage0() with a regular K0 kept from before
    LIA_WORKSPACE_ACCELERATED,  // accelerate(), and series() after it
} LiaWorkspaceStage;

// What a projection onto the admissible states measures.
typedef struct LiaProjection {
    double* miss;  // lia_project_scaled_residuals(): of positions or velocities, scaled   (nc)
    // rounding moves the state by this, relative, where rows are small or springs stiff
    double blur;
    // lengths or velocities are so small that rounding elsewhere is much: always project
    bool fine;
} LiaProjection;

// Places in the series, and how their stages are solved.
typedef struct LiaSeriesPlaces {
    struct LiaUnknown {  // of an unknown coordinate; registers of its changes   (nf)
        uint32_t q, v, a, change_q, change_v;
    } * unknown;
    struct LiaBalance {  // of its momentum and of its force                     (nf)
        uint32_t p, G;
    } * balance;
    struct LiaRowSeries {  // of the equation of a row and of its multiplier     (nc)
        uint32_t e, mu;
        bool geometric;
    } * equation;
    struct LiaStagePipeline* pipeline;  // from stage to stage in a large system; else NULL
    int refined;   // orders below this one are refined: some with rotations, none without
    double* rest;  // right side of the next stage, while the solution is put in place
} LiaSeriesPlaces;

typedef struct LiaWorkspace {
    const LiaSystem* system;
    const LiaDynamics* dynamics;
    int n, nf, nc;  // coordinates; unknown ones; rows of K0

    // state
    double t;           // time
    double* q;          // positions, driven ones included                 (n)
    double* v;          // velocities                                      (n)
    double* work;       // integral of each power since the start          (lines)
    double* phi_start;  // value of phi that is kept, where it is data     (nc)

    // from lia_workspace_residuals()
    double* phi;  // position residual of each row, 0 for kinematic ones   (nc)
    double* psi;  // velocity residual: psi, or d(phi)/dt                  (nc)

    // from lia_workspace_factor()
    LiaSaddle saddle;      // M, J, Omega, K0 and its factors, by their method
    int* active;           // independent rows, which stand in K0        (nr <= nc)
    int nr;                // how many
    LiaForceState forces;  // how the forces are decided, by their method
    LiaProjection projection;

    // from lia_stage_accelerate()
    double* gamma;      // J a + gamma = 0                                 (nc)
    double* p;          // momenta dL/dv                                   (n)
    double* a;          // accelerations                                   (n)
    double* mu;         // multipliers by row of the system                (rows)
    bool* unique;       // is the multiplier of a row unique?              (rows)
    double* other;      // where some are not: others with the same forces (rows)
    int contradiction;  // 1 + row of nc that should follow from the active ones; 0: none

    LiaWorkspaceStage stage;
    LiaJets jets;            // all series
    LiaSeriesPlaces series;  // where the unknowns stand in them
    double* b;               // right side and solution                          (nf + nc)
    void* block;
} LiaWorkspace;

/// Make a workspace for series up to `order` (1: accelerations only). NULL if memory is out.
LiaWorkspace* lia_workspace_create(const LiaSystem* system, const LiaDynamics* dynamics, int order);
/// The same with M, J, Omega and K0 as full arrays, however large the system.
LiaWorkspace* lia_workspace_create_dense(const LiaSystem* system, const LiaDynamics* dynamics,
                                         int order);
void lia_workspace_destroy(LiaWorkspace* w);
/// Keep all that later calls depend on, to the last bit: the state, what was computed from it and
/// what was chosen on the way. For a reader the workspace was made for the same dynamics and order,
/// with the same hidden equations attached.
void lia_workspace_keep(LiaWorkspace* w, LiaKeep* keep);

LiaEntries lia_workspace_M(const LiaWorkspace* w, int i);
LiaEntries lia_workspace_J(const LiaWorkspace* w, int c);
LiaEntries lia_workspace_Omega(const LiaWorkspace* w, int c);
/// Row c is of the model, not an equation that the program added itself (the length of a
/// quaternion).
static inline bool lia_row_shown(const LiaWorkspace* w, int c) {
    uint32_t of = w->system->rows[w->dynamics->rows[c]].constraint;
    return !w->system->model->constraints[of].internal;
}
/// The place of a row of the system among those of w (of nc); -1: it is not there.
static inline int lia_workspace_row(const LiaWorkspace* w, uint32_t row) {
    for (int c = 0; c < w->nc; c++) {
        if (w->dynamics->rows[c] == row) return c;
    }
    return -1;
}
/// The entry of M in row and column i.
double lia_workspace_inertia(const LiaWorkspace* w, int i);

/// The state, without a look at it: nothing is loaded.
void lia_workspace_put(LiaWorkspace* w, double t, const double* q, const double* v);
/// Put the state into the series. Driven coordinates are set from their laws, in w->q and w->v too
/// (a coordinate with a rate law keeps its q). Order 0: for residuals() and values alone.
void lia_workspace_load(LiaWorkspace* w, int order);
void lia_workspace_residuals(LiaWorkspace* w);
/// Both.
void lia_workspace_update(LiaWorkspace* w, int order);
/// Take what equations written as (phi)' = 0 keep from the state in w.
void lia_workspace_take_phi_start(LiaWorkspace* w);
/// Twice the size of the energy that moves: v p, twice T of a quadratic Lagrangian. Of a phase
/// space the sum of |x dH/dx|, twice H where it is quadratic and no term of it is negative. After
/// accelerate.
double lia_workspace_twice_energy(const LiaWorkspace* w);
/// Choose the sides of formulas that are not analytic everywhere by a look ahead along the
/// velocities, and keep them from then on: a motion that starts at a corner goes to one side of it.
void lia_workspace_inspect(LiaWorkspace* w, double ahead);
/// The same sides as in another workspace of the system.
void lia_workspace_take_sides(LiaWorkspace* w, const LiaWorkspace* from);
/// Stage 0 with the unknowns at zero: what accelerate() reads. Part of factor(); alone where K0 is
/// kept.
void lia_workspace_stage0(LiaWorkspace* w);
/// Stage 0, then M, J and Omega. Part of factor(); alone where K0 is not needed.
void lia_workspace_matrices(LiaWorkspace* w);
/// False if K0 is singular to working precision or not finite.
bool lia_workspace_factor(LiaWorkspace* w);
/// factor(), and what decides the forces. False if K0 is singular, or nothing does.
bool lia_workspace_decide(LiaWorkspace* w);
/// log2 |det K0|, after factor().
double lia_workspace_size(LiaWorkspace* w);
/// Solve K0 x = b in place, b of nf + nr numbers. After factor().
void lia_workspace_solve(const LiaWorkspace* w, double* b);
/// The same; `careful`: to the last digit, where the pivots are not the best.
void lia_workspace_solve_with(const LiaWorkspace* w, double* b, bool careful);
/// Factor K0 of the active rows. Returns the smallest pivot.
double lia_workspace_factor_active(LiaWorkspace* w);
/// The same from now on in an order that keeps more digits, once accelerations have missed their
/// rows. False if there is none.
bool lia_workspace_factor_careful(LiaWorkspace* w);
/// All of the above at order 0 in one call. False if K0 is singular.
bool lia_workspace_evaluate(LiaWorkspace* w);
/// Values of observables.samples at the state, after accelerate; multipliers that are not unique
/// become those of least norm.
void lia_workspace_sample(LiaWorkspace* w, double* values);
/// The same with the multipliers as they are.
void lia_workspace_read_samples(LiaWorkspace* w, double* values);
/// In place of accelerate() and sample() where K0 is singular: what is made of accelerations and
/// multipliers is NAN, all else is as the state says.
void lia_workspace_sample_undetermined(LiaWorkspace* w, double* values);
/// After sample(), where a multiplier is not unique: the same values with the multipliers w->other,
/// which give the same motion, and these in w->mu. What changes is not unique. A second call brings
/// the first multipliers back.
void lia_workspace_exchange(LiaWorkspace* w, double* values);

// parameters.c
/// Exchange the parameters of a control without a law, LIA_CONTROL_PARAMETERS from `first` on, of a
/// copy of a system: twice is back.
void lia_parameters_exchange(LiaSystem* system, uint32_t first, double* values);
/// What follows from the parameters of the system that this is a mode of, which were exchanged.
/// False if memory is out.
bool lia_parameters_follow(LiaSystem* mode);
/// The unit of a parameter, in SI units.
double lia_parameters_unit(const LiaParameter* parameter);
/// Give `to`, a system of another text, the values of all parameters of `from` that it has, to the
/// last bit. LIA_MODEL where it cannot have one.
LiaStatus lia_parameters_take(LiaSystem* to, const LiaSystem* from, LiaDiags* diags);
/// Have a workspace of that system compute with them.
void lia_parameters_load(const LiaSystem* system, LiaWorkspace* w);
