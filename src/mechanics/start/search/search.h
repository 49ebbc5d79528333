// The nearest admissible state: what is given is kept, the other numbers come as near to their
// guesses as the equations let them, in the metric of M. First positions (level 0): what is driven
// is set, and only what equations connect with one that does not hold moves. Then velocities (level
// 1). start.c puts the questions.
//
//   search.c          the ways to the nearest place, and the choice between them
//   start_driven.c          driven positions, which are set first
//   connected.c       which positions move then
//   descent.c         Newton steps onto the equations, and along them towards the guess
//   downhill.c        where they lead nowhere: steps that go down in the squares of the residuals
//   nearer.c          whether there is a nearer place than the one they led to
//   nearer_chain.c    places to look from where equations of one unknown after another hold
//   metric.c          what "near" means, and the shortest step in that metric (min_norm_step.h
//                     where the system is sparse)
//   start_text.c      what is said of a start: its values, contradictions
//   start_choices.c   which values were chosen
//   start_singular.c  where K0 is singular there
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"
#include "mechanics/start/search/min_norm_step.h"
#include "mechanics/start/start.h"

// Positions to come back to                                                          (n)
typedef struct LiaKeptPositions {
    double* astray;   // on a branch of a joint that is not meant
    double* found;    // found by another way
    double* nearer;   // admissible ones, while nearer ones are looked for
    double* closest;  // where the equations missed by least of all states met, and by how much
    double missed;
    double began;  // by how much they missed where the last descent began; infinite: not by much
} LiaKeptPositions;

// Dense systems: the metric L L^T, and J L^-T = B = U diag(sv) V^T.
typedef struct LiaDenseMetric {
    double *L, *B, *sv, *U, *V, *scratch;
} LiaDenseMetric;

// Positions that operators put somewhere, before anything is looked for.
typedef struct LiaDrivenStart {
    bool* set;      // they stay there                                       (n)
    int* by;        // the row that put it there relative to others, -1: none (n)
    double* asked;  // the guesses as they were                              (n)
} LiaDrivenStart;

typedef struct LiaSearch {
    const LiaSystem* s;
    LiaWorkspace* w;  // full dynamics: every equation is a row
    int n, nc;

    // what is asked for, of positions and of velocities
    bool* given[2];     // kept                                                       (n)
    double* target[2];  // guesses                                                    (n)
    bool* guessed;      // positions whose guess was written down, not taken to be 0  (n)

    // which positions move
    LiaDrivenStart driven;
    int* part;    // the number of the set that equations connect it with, -1: it stays (n)
    bool apart;   // only these move, each set in its own block of the metric
    bool as_one;  // all positions that are not given moved, as one

    // the search that goes on: lia_search_find()
    int level;
    bool free_all;  // what is given may move too
    double* x;      // w->q or w->v
    int u, m;       // how many coordinates are unknown, how many equations count
    int* unknown;   // coordinates moved                                      (u)
    int* row;       // rows used                                              (m)
    // of each coordinate in the metric: 1, or small while it follows the guesses (n)
    double* weight;
    LiaMinNormStep* shortest;  // where the system is sparse
    bool doubt[2];  // of positions, of velocities: there may be nearer ones than were found
    bool nowhere;   // an equation has no value, or no gradient, at the guess: y = 1/x at x = 0

    LiaKeptPositions kept;

    // one step
    double* rhs;     // J y = rhs                                                     (m)
    double* y;       // of least norm                                                 (n)
    double* step;    // from here                                                     (u)
    double* before;  // the step before                                               (u)

    LiaDenseMetric dense;
    void* block;
} LiaSearch;

bool lia_search_init(LiaSearch* z, const LiaSystem* s);
void lia_search_clear(LiaSearch* z);

/// The equations and matrices in the state of w.
void lia_search_evaluate(LiaSearch* z);
/// Does row c matter on a level? Geometric ones for positions, all for velocities.
bool lia_search_row_counts(const LiaSearch* z, int c, int level);
/// Has row c about positions a value and a gradient in the state that was evaluated?
bool lia_search_row_has_value(const LiaSearch* z, int c);
/// The sum of the sizes of its gradient.
double lia_search_row_size(const LiaSearch* z, int c);
double lia_search_residual(const LiaSearch* z, int c, int level);
/// What row c misses by, scaled by the row and the size of the state.
double lia_search_missed(const LiaSearch* z, int c, int level);
/// May coordinate i move on the level of the search?
bool lia_search_moves(const LiaSearch* z, int i);
/// Does the inertia between two coordinates count in the metric?
bool lia_search_coupled(const LiaSearch* z, int i, int k);
/// The worst residual of a level, scaled by the row and the size of the state. NAN if one is.
double lia_search_worst(const LiaSearch* z, int level);

/// Are the axes of a joint opposite to each other in the state of w, or the sides of an equation
/// between rotations half a turn from each other?
bool lia_search_astray(const LiaSearch* z);

/// Go to the nearest admissible positions or velocities; `free_all` moves given values too. Returns
/// the worst scaled residual left.
double lia_search_find(LiaSearch* z, int level, bool free_all);
/// After lia_search_find() with a residual that is rounding: are there nearer ones? Goes there, and
/// says in z->doubt whether there may be more. Returns the worst scaled residual left.
double lia_search_nearer(LiaSearch* z, int level, double residual);
/// After lia_search_find() with a residual that is more: are there any, further away? Goes there.
/// Returns the worst scaled residual left.
double lia_search_further(LiaSearch* z, int level, double residual);

/// start_driven.c: set driven positions, which become their own guesses. False if memory is out.
bool lia_start_driven_set(LiaSearch* z);
/// connected.c: fill z->part; *mendable: every equation that does not hold has a coordinate that
/// may move. False if memory is out.
bool lia_connected_find(LiaSearch* z, bool* mendable);
/// After a search: positions that differ from their guesses by rounding are put there. False if
/// memory is out.
bool lia_connected_put_back(LiaSearch* z);

/// What one equation says of one coordinate alone is put there.
void lia_descent_put_single(LiaSearch* z);
/// Newton steps until they are rounding; `plain` ones are the shortest, without a pull to the
/// guess. Did they arrive?
bool lia_descent(LiaSearch* z, bool plain, double* residual);
/// From admissible positions along the equations to the nearest ones of this branch. They stay as
/// they were if that leads
/// nowhere: *nearest is false then. Returns the worst scaled residual left.
double lia_descent_come_nearer(LiaSearch* z, double residual, bool* nearest);

/// downhill.c: from places around the guess to where the squares of the residuals are least, until
/// that is an admissible and `good` place, and from there to the nearest; `upright`: axes of joints
/// are turned the way that is meant, too. Returns the worst scaled residual left; infinite: x is as
/// it was.
double lia_downhill_run(LiaSearch* z, bool upright, bool (*good)(const LiaSearch* z));

/// How far the unknown coordinates are from their guesses, relative to the largest of their kind.
double lia_search_moved(const LiaSearch* z);
/// nearer.c: searches from around the guess. Dense. Returns the worst scaled residual left;
/// infinite if memory is out.
double lia_nearer_around(LiaSearch* z);
/// The same where none was found, from further and further away.
double lia_nearer_far(LiaSearch* z);

/// y of least norm in the metric with J y = rhs, for the unknown coordinates and the rows used.
/// Dense.
void lia_metric_shortest(LiaSearch* z);
/// The metric L L^T in the state that was evaluated, and the same as a matrix into A (u x u) unless
/// that is NULL. Dense.
void lia_metric_take(LiaSearch* z, double* A);
/// The square of the distance of x from the guesses, in the metric of the kinetic energy there.
double lia_metric_distance(LiaSearch* z);

/// The start contradicts the equations of a level: say by how much, and what would be admissible.
/// Moves the state. Of a phase space: no rates keep the constraints.
bool lia_start_text_powerless(const LiaSearch* z, LiaDiags* diags);
void lia_start_text_contradiction(LiaSearch* z, int level, LiaDiags* diags);
/// "x = 1, y = 2, x' = 0": the state of w.
void lia_start_text_describe(const LiaSearch* z, LiaText* text);
/// "1, 0, 2": numbers up to `rounding` are 0.
void lia_start_text_add_list(LiaText* text, const double* x, uint32_t count, double rounding);
/// Write down what was chosen: values not given that came out other than their guess, each of them
/// into `all`; into `text` these too where they are few, else how many there are.
void lia_start_choices_note(const LiaSearch* z, LiaText* text, LiaText* all);
/// Angular velocities of the model, then those of a state to begin from (NULL: none).
void lia_start_spins_take(LiaSearch* z, const double* given_v);

/// Is K0 singular here and not at other admissible states? A straight rope carries no force across,
/// a bent one does: then the operator has no hold here, and no hidden equation mends that.
bool lia_start_singular_here_alone(LiaSearch* z);
/// Where K0 is singular because an operator acts through springs: onto the hidden equations as
/// well, or say what of the start contradicts them.
LiaStatus lia_start_singular_project(LiaSearch* z, LiaDiags* diags, const LiaStartState* start,
                                     LiaText* choices);
/// The state of w, which satisfies all other equations, is moved onto the hidden ones where there
/// are some; given values move too. False if that did not succeed.
bool lia_start_singular_move(LiaSearch* z);
