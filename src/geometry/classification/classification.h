// What a system is: dimensions, the kind of each constraint, the energy law, the symmetries.
//
// Verdicts that are about all admissible states are looked at on samples of them (admissible.h),
// with numbers; whatever is decided by the form of an equation is decided there. The words are
// those of Marle (ideal, Chetaev, regular, types of symmetries) and Dazord (perfect, Hamiltonian,
// (H0), (H)).
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/geometry.h"
#include "geometry/integrability/flag.h"
#include "geometry/symmetry/gauge.h"
#include "geometry/symmetry/moment_map.h"
#include "geometry/symmetry/search.h"
#include "mechanics/degree/steady.h"

typedef enum LiaVerdict { LIA_NO, LIA_YES, LIA_UNKNOWN } LiaVerdict;
typedef enum LiaLinearity { LIA_LINEAR, LIA_AFFINE, LIA_NONLINEAR } LiaLinearity;

typedef enum LiaForceSpace {
    LIA_FORCE_IDEAL,    // spanned by the rows of J, which are those of an affine equation
    LIA_FORCE_CHETAEV,  // spanned by the rows of J, of an equation nonlinear in the velocities
    LIA_FORCE_GIVEN,    // anything else
} LiaForceSpace;

typedef struct LiaConstraintClass {
    const char* name;
    bool internal;    // the unit length of a rotation or a sphere: not the user's, never shown
    bool active;      // an operator, or a constraint with a control in it
    bool control;     // the latter
    bool eliminated;  // an operator whose coordinates are known beforehand
    bool geometric;   // no velocities in it
    LiaLinearity linearity;
    LiaForceSpace force;
    uint32_t equations;
    uint32_t independent;    // of all equations up to this one, those that this one adds
    uint32_t alone;          // of its own equations, those that do not follow from each other
    LiaVerdict holonomic;    // integrable together with all the others (Frobenius)
    LiaVerdict submersion;   // is the left side the velocity of a function f of the configuration?
    LiaVerdict perfect;      // Dazord: force directions = span of df
    LiaVerdict hamiltonian;  // Dazord: there is h with dh/dp_alpha = Y^alpha
    LiaVerdict H0;           // (H0): as many force directions as independent equations
    LiaVerdict H;     // (H): the admissible states are a graph over V*M, det(J M^-1 df^T) != 0
    bool workless;    // Omega v = 0 on admissible states
    bool unique;      // its multipliers are: no force of the others stands for its own
    uint32_t degree;  // its force appears only after this many more derivatives of its equation
} LiaConstraintClass;

typedef enum LiaInvariance {
    LIA_INVARIANT_NOT,
    LIA_INVARIANT_ADMISSIBLE,  // xi(L) = 0 on admissible states, and not on all of TM
    LIA_INVARIANT_EVERYWHERE,
} LiaInvariance;

typedef struct LiaSymmetryClass {
    const char* name;
    LiaExpr momentum;  // <p, xi>, in the geometry's graph
    LiaInvariance lagrangian;
    double lagrangian_defect;  // largest |xi(L)| where it is not rounding
    bool states_carried;       // the admissible states are carried along
    bool forces_carried;       // and so are the force directions and the applied forces
    bool forces_across;        // Omega xi = 0, Q xi = 0 on admissible states
    bool first_type;           // L everywhere, C and the forces are invariant: the system reduces
    bool second_type;          // L everywhere is, and Omega xi = 0: constant momentum (Prop. 5)
    bool constant;             // d<p, xi>/dt = 0, for whatever reason
    bool constant_here;        // the same on the side of corners on which the first state is
    double defect;             // largest |d<p, xi>/dt| on the samples; 0 where it is rounding
    // what is left, of 1, the terms that should cancel; 0 where it is rounding
    double states_defect, forces_defect, across_defect;
    uint32_t quotient;  // dimension of D by the action
} LiaSymmetryClass;

// Corners of formulas that states were looked for on both sides of.
typedef struct LiaCornerLook {
    uint32_t count, one_sided;  // all of them; those with states on one side alone
} LiaCornerLook;

typedef struct
    LiaRegularityLook {       // regularity on many admissible states, where that was asked for
    uint32_t count, failed;   // states; those where it fails
    double least, t, *q, *v;  // smallest coupling number met, and where             (n)
    const char* uncoupled;    // why it fails there; NULL: it does not
    const char* vanishing;    // the constraint whose gradient vanishes at the start; NULL: none
} LiaRegularityLook;

typedef enum LiaDazordWord {
    LIA_DAZORD_GENERAL,
    LIA_DAZORD_LINEAR,     // Y is linear in the velocities
    LIA_DAZORD_SEMI,       // Y depends on positions alone
    LIA_DAZORD_ALMOST,     // Y depends on the base alone (and on time)
    LIA_DAZORD_HOLONOMIC,  // Y = 0
} LiaDazordWord;

typedef struct LiaOneSystem {  // all statements together, as one map (Y, f, F)
    uint32_t equations;        // those whose left side is the velocity of a function
    const char* other;         // a statement whose left side is not; NULL: none
    LiaVerdict perfect, hamiltonian, H;
    LiaDazordWord word;
    bool without_velocities, at_rest, by_base;
    LiaVerdict submersion;  // are all left sides together one?
} LiaOneSystem;

typedef struct LiaDimensions {
    uint32_t M, S, C, D, W, VstarM;
    uint32_t leaves;  // of S: controls in kinematic constraints, whose values number the leaves C_s
    uint32_t base_rank;  // of S: independent functions on the left of the base's statements
    uint32_t lives;  // states the motion ranges over: those of V*M that passive constraints admit
} LiaDimensions;

// What servos leave free.
typedef struct LiaServoRest {
    int remaining;     // numbers of the state; -1: no servo, or not found
    double rate;       // a small deviation there grows like exp(rate t); NAN: not known
    LiaSteady steady;  // what the rate is known by
} LiaServoRest;

typedef struct LiaClassification {
    LiaArena* arena;
    LiaDimensions dimensions;
    uint32_t *base, base_count;      // rows of the system whose left sides are the base
    uint32_t positions, velocities;  // left to the motion
    uint32_t hidden;                 // equations of the state hidden in operators: so many fewer
    LiaOneSystem one;
    LiaFlag flag;  // of the distribution that all equations admit
    // 6k - l configurations and 12k - 2l - c kinematic states of k free bodies; k counts what M is
    // made of else too
    uint32_t l,
        l_at_start;  // independent passive geometric equations, most of them and at the start
    uint32_t c;      // independent passive kinematic ones besides them
    LiaConstraintClass* constraints;
    uint32_t constraint_count;
    // the forces of all statements, and of all operators, span what the gradients of their
    // equations span
    bool ideal_together;
    bool regular;
    double regularity;      // at the state asked for
    const char* uncoupled;  // why it is not regular: which force cannot act on what. NULL: it is
    LiaRegularityLook look;
    LiaServoRest servo;
    bool energy_conserved;
    const char* energy_law;  // one sentence
    bool* line_feeds;        // per ledger line of the system: does it move energy?
    LiaSymmetryClass* symmetries;
    uint32_t symmetry_count;
    LiaMomentMap moment_map;  // those that leave L unchanged, together
    LiaSearch search;         // combinations of them and of evident ones
    LiaGauge gauge;           // momenta with coefficients that depend on the position
    uint32_t samples;         // admissible states the verdicts were looked at on
    LiaCornerLook corners;
} LiaClassification;

/// Classify. The state (t, q, v) is where regularity is asked and around which the samples are; q
/// and v NULL: around zero. `ask` may be NULL. False if memory is out, or no admissible state was
/// found (samples is 0 then). Release with lia_classification_clear() in either case.
typedef struct LiaClassificationAsk {
    uint32_t look;  // on how many further states regularity is asked
    // statements whose left sides are the base; NULL: the operators (constraints)
    const bool* base;
} LiaClassificationAsk;
bool lia_classification_make(LiaGeometry* geometry, double t, const double* q, const double* v,
                             const LiaClassificationAsk* ask, LiaClassification* out);
void lia_classification_clear(LiaClassification* classification);
