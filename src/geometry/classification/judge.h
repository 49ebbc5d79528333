// The parts of a classification, each in its own file, and what they share. Only geometry uses this
// header.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/admissible.h"
#include "geometry/classification/classification.h"
#include "geometry/reactions.h"

enum { LIA_JUDGE_SIZE = 120 };  // with more coordinates than this some verdicts are left open

typedef struct LiaJudge {
    LiaGeometry* geometry;
    const LiaSystem* system;
    LiaClassification* out;
    LiaAdmissible z;
    LiaSamples samples;
    bool has_start;  // the first of them is the start, or the state asked for
    int n, m;
    const uint32_t* row;  // rows of the full system                     (m)
    LiaExpr* left;        // d(left) of each row                         (m x n)
    LiaExpr* powers;      // of each ledger line that has no multiplier  (lines)
    LiaValues values;     // of both
    double* size;         // what the rounding of each is a part of, by node
    LiaReactions reactions;
    bool solved;     // at the sample looked at
    double *A, *A2;  // rows gathered                               (m x n)
    double* B;       // a metric                                    (n x n)
    // of the power of each constraint's force at the samples
    bool *gives, *takes;  // is it positive, negative somewhere?         (constraints)
    bool* pushes;  // is the power of an applied force, there or with opposite velocities? (lines)
    bool* acts;    // is its force more than rounding somewhere?  (constraints)
    bool moves;    // does energy change somewhere, by all powers together?
    bool operators_ideal;  // their forces together
    bool powers_known;     // at all samples
    // of the search constant momenta and moving energies alone, without their types
    bool constants;
} LiaJudge;

// lengths.c: the numbers of attitudes and directions, u with |u| = 1
/// Rows with their part along each u taken away: forms on the sphere, not on the space around it.
void lia_lengths_take_away(const LiaSystem* system, const double* q, int count, double* rows);
/// M, and kappa u u^T wherever there is no inertia along u; kappa is a moment of inertia that is
/// there.
void lia_lengths_add(const LiaSystem* system, const double* q, double* M);
/// Attitudes and directions u whose metric g has products of |u|' with other velocities, as of R*c:
/// L goes on beyond unit
/// length there.                                                                        (groups)
void lia_lengths_coupled(const LiaSystem* s, const double* q, const double* g, bool* length);

// kinds.c: each constraint by itself
void lia_kinds_read(LiaJudge* j, uint32_t constraint);
void lia_kinds_look(LiaJudge* j, uint32_t constraint);
/// All of them together, after each: ideal or not does not depend on how equations are divided
/// among statements.
void lia_kinds_look_together(LiaJudge* j);
/// No admissible state: what the form of the equations says.
void lia_kinds_leave_open(LiaJudge* j);
/// The rows of one constraint: [*first, *last).
void lia_kinds_rows(const LiaJudge* j, uint32_t constraint, int* first, int* last);
/// Coordinates that a joint has for itself: as many of its equations only say where these are.
uint32_t lia_kinds_own(const LiaConstraint* constraint);

// counts.c: ranks at the samples, and the dimensions that follow
typedef struct LiaCounts {
    int *rank, *alone;  // of the first c constraints; of each by itself  (constraints + 1)
    int geometric, passive_geometric, passive, forces;
    int base, beside;    // rank of df of the base; of df and the other passive equations together
    int rest_geometric;  // of passive geometric equations that are not of the base
    int at_start;        // passive geometric ones at the first sample
} LiaCounts;
bool lia_counts_init(LiaJudge* j, LiaCounts* counts);
bool lia_counts_look(LiaJudge* j, LiaCounts* counts);
void lia_counts_take(LiaJudge* j, const LiaCounts* counts);
/// Equations of unit lengths and of contact points: nobody's constraints.
uint32_t lia_counts_internal(const LiaJudge* j);
uint32_t lia_counts_own(const LiaJudge* j);

// vanishing.c
/// out->look.vanishing: whose gradient vanishes at the start. False if memory is out.
bool lia_vanishing_find(LiaJudge* j);

// one_system.c: all statements together as one map (Y, f, F), in Dazord's words
bool lia_one_system_look(LiaJudge* j);

// energy_law.c
void lia_energy_law_look(LiaJudge* j);
bool lia_energy_law_say(LiaJudge* j);

/// integrability.c: holonomic (with respect to all equations together) and whether left sides are
/// submersions. False if memory is out.
bool lia_integrability_judge(LiaJudge* j, const LiaSamples* samples);
/// symmetry.c: the symmetries of the model. False if memory is out.
bool lia_symmetry_judge(LiaJudge* j);
/// moment_map.c: the symmetries of the model as one group, after symmetry.c, with J at the state
/// (t, q, v). False if memory is out.
bool lia_moment_map_make(LiaJudge* j, double t, const double* q, const double* v);
/// search.c: combinations that are symmetries, looked for around the state (t, q, v). False if
/// memory is out.
bool lia_search_make(LiaJudge* j, double t, double length, const double* q, const double* v);
