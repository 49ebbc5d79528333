// LiaModel: what a model text says, checked and spelled out. The border between lang and mechanics.
//
// Names are resolved, families are written out, vectors are taken apart into scalars, functions are
// inlined, shapes and units are checked. What is left are formulas in one graph
// (expr/graph/graph.h). They are shared, never copied: `let r[i] = r[i-1] + ...` stays as long as
// it was written. Controls, quantities such as energy or force(NAME), and E' are open symbols,
// d(f) and virtual(e) marked: mechanics takes formulas from here into a graph of its own and
// works them out (assembly/resolve). The graph is const.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/file/input.h"
#include "base/file/sha256.h"
#include "base/memory/arena.h"
#include "base/text/diag.h"
#include "expr/graph/graph.h"
#include "lang/model_pictures.h"
#include <liaison/liaison.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum LiaQuantity {
    LIA_QUANTITY_ENERGY,     // v dL/dv - L
    LIA_QUANTITY_KINETIC,    // sum of the `kinetic` statements
    LIA_QUANTITY_POTENTIAL,  // sum of the `potential` statements
    LIA_QUANTITY_MOMENTUM,   // momentum(SYMMETRY): index into model->symmetries
    LIA_QUANTITY_P,          // p(x): index into model->coordinates
    // force(NAME): index into model->constraints, `part` counts equations from 0
    LIA_QUANTITY_FORCE,
    LIA_QUANTITY_POWER,  // power(NAME) of a constraint or operator: index into model->constraints
    LIA_QUANTITY_WORK,   // work(NAME)
    LIA_QUANTITY_FORCE_POWER,  // power(NAME) of an applied force: index into model->forces
    LIA_QUANTITY_FORCE_WORK,   // work(NAME) of an applied force
} LiaQuantity;

typedef struct LiaQuantityNamed {
    LiaQuantity kind;
    uint32_t index, part;
} LiaQuantityNamed;

// What the text wrote: an operation, and a formula that came of it. Equal formulas are one node:
// it stands here once for each place of the text that wrote it.
typedef struct LiaWritten {
    LiaExpr node;
    LiaOp op;
    LiaSpan span;
} LiaWritten;

// Where the text mentions a name, or defines it: then the span is that of the statement.
typedef struct LiaMention {
    LiaSpan span;
    uint32_t name;
    bool defined;
} LiaMention;

// A one-form: sum of coefficient * d(of) or coefficient * virtual(of).
typedef struct LiaFormPart {
    LiaExpr coefficient;
    LiaExpr of;
    bool is_virtual;  // virtual(e): the linear part of e in the velocities; else d(f)
    LiaSpan span;
} LiaFormPart;
typedef struct LiaForm {
    const LiaFormPart* parts;
    uint32_t count;
    LiaSpan span;
} LiaForm;

typedef struct LiaParameter {
    const char* name;  // "m", or "m[2]" in a family
    double value;      // in SI units; command line overrides applied
    LiaExpr term;      // the defining expression (0 where the command line gave the value)
    const char* unit;  // as written, NULL if not said
    LiaNumber factor;  // a plain number counts as so much in SI units, times pi^pi_power
    int pi_power;
    bool inner;       // of a control without a law: not the user's
    bool structural;  // bounds or indices are made of it: another value is another model
    LiaSpan span;     // of the name
} LiaParameter;

// A coordinate of more than one number: space (x, y, z), sphere (a unit vector), rotation (a unit
// quaternion w, x, y, z, body to space). Its numbers are coordinates of the model one after the
// other; the unit length is an internal constraint. No attitude is singular, and nothing else has
// to know.
typedef struct LiaGroup {
    const char* name;       // "g", "b[2].attitude"
    LiaManifold manifold;   // SPACE, SPHERE or ROTATION
    uint32_t first, count;  // coordinates; 3, 3 or 4
    const char* unit;       // as written, NULL if not said
    LiaSpan span;
} LiaGroup;

typedef struct LiaCoordinate {
    const char* name;      // "x", "q[3]", "r.x", "g.w"
    LiaManifold manifold;  // of the group, for one that belongs to a group
    uint32_t group;        // 1 + index into model->groups; 0: none
    bool inner;   // of a LiaContactPoint, or an impulse: without mass, held by equations, not shown
    double rest;  // where it starts if nothing is said: 0; 1 for the w of a rotation
    const char* unit;  // as written, NULL if not said
    LiaSpan span;
} LiaCoordinate;

typedef struct LiaControl {
    const char* name;
    LiaExpr term;   // of t and parameters (and other controls)
    uint32_t open;  // without a law, or sampled: 1 + the first of the LIA_CONTROL_PARAMETERS it is
                    // made of; else 0
    LiaExpr law;    // of a sampled one: what it is set to at t0, t0 + every, ..; {0}: it is none
    double every;   // then
    const char* unit;
    LiaSpan span;
} LiaControl;

// A control without a law is c_0 + c_1 (t - s) + c_2 (t - s)^2 + ... : parameters c_0, which has
// the name of the control, c_1, ..., s.
enum { LIA_CONTROL_PARAMETERS = LIA_CONTROL_TERMS + 1 };

// `let`, kept for `liaison dump` and for equations in the user's names.
typedef struct LiaLet {
    const char* name;
    int rows, cols;        // 1 x 1: scalar; n x 1: vector
    const LiaExpr* terms;  // row major
    LiaSpan span;
} LiaLet;

typedef enum LiaEnergyKind {
    LIA_LAGRANGIAN,
    LIA_KINETIC,
    LIA_POTENTIAL,
    LIA_HAMILTONIAN
} LiaEnergyKind;
typedef struct LiaEnergy {
    LiaEnergyKind kind;
    LiaExpr term;
    LiaSpan span;  // of the expression
} LiaEnergy;

// {first, second} = term of two phase variables, which are coordinates of the model.
typedef struct LiaBracket {
    uint32_t first, second;
    LiaExpr term;
    LiaSpan span;
    bool repeated;  // {second, first} stands before: the same once more
} LiaBracket;

// When a statement acts. One with `from` is off at the start.
typedef struct LiaDuration {
    uint32_t from, until;  // 1 + events by which it begins and ends; 0: none
} LiaDuration;

typedef struct LiaForce {
    const char* name;
    LiaDuration duration;
    LiaForm form;
    LiaExpr vector[3];  // on a body, for pictures: the force, in space axes, at `at`; or the moment
    LiaExpr at[3];
    bool moment;
    LiaSpan span;
} LiaForce;

typedef struct LiaDissipation {
    LiaExpr term;
    LiaSpan span;
} LiaDissipation;

typedef enum LiaForceRule {
    // nothing said: constraint: ideal; operator: along the gradient of the left side
    LIA_RULE_DEFAULT,
    LIA_RULE_CHETAEV,  // `force chetaev`
    LIA_RULE_GIVEN,    // `force w1, w2` or `by w`
} LiaForceRule;

typedef struct LiaEquation {  // one scalar equation left = right
    LiaExpr left, right;
    LiaSpan span;
    LiaExpr turn;  // one of three that set a rotation A equal to another, B: trace A B^T; 0: none
} LiaEquation;

// What is known of a constraint that was written as a joint.
typedef struct LiaJointFacts {
    const char* kind;       // "revolute"
    uint32_t taken;         // of them, by its equations without velocities
    uint32_t own;           // coordinates of its own, inner ones, that as many equations determine
    uint32_t freedom;       // parameters of the pair without it: 6, of a point 3
    uint32_t velocities;    // left to the pair; fewer than parameters where it rolls
    const char* bodies[2];  // "ground", "b[2]"
    const LiaExpr* signs;   // positive on the branch of the equations that is meant
    uint32_t sign_count;
} LiaJointFacts;

// A contact: its first equation is gap = 0, the others are slip = 0, then those of the angular
// velocities of rolling and of pivoting. It holds one way: gap >= 0. Of a contact with several
// points (the corners of a box) these equations stand there for each point.
typedef struct LiaContactLaw {
    LiaExpr restitution, friction, friction_static;  // {0}: not said
    LiaExpr rolling, pivoting;                       // lengths
    uint32_t slips, rolls, pivots;                   // equations of each: 0, 1 or 2
    uint32_t points;                                 // 1, or as many as may touch
    const char* const* names;                        // of several points, "floor.3"; else NULL
    LiaSpan restitution_span, friction_span, static_span;
} LiaContactLaw;

/// Equations of one point: the gap and all that friction acts against.
static inline uint32_t lia_contact_law_rows(const LiaContactLaw* law) {
    return 1 + law->slips + law->rolls + law->pivots;
}

// Friction of a constraint that holds both ways: its last equation is slip = 0.
typedef struct LiaRoughLaw {
    LiaExpr friction, friction_static;  // static {0}: not said
    uint32_t normals, slip;  // so many first equations have the normal force; that of the slip
} LiaRoughLaw;

typedef struct LiaConstraint {
    const char* name;
    LiaDuration duration;
    bool active;       // `operator`
    bool internal;     // the unit length of a sphere or rotation, or a foot: never shown
    bool foot;         // then: where two shapes touch
    bool flow;         // then: x' = {x, H} + ... of every phase variable x
    uint32_t impulse;  // of a phase space: 1 + the inner coordinate whose rate is its first force
    LiaForceRule rule;
    const LiaJointFacts* joint;    // NULL: not a joint
    const LiaContactLaw* contact;  // NULL: not a contact
    const LiaRoughLaw* rough;      // NULL: without friction, or a contact
    const LiaEquation* equations;
    uint32_t equation_count;
    const LiaForm* forms;  // GIVEN: as many as equations
    uint32_t form_count;
    uint32_t gap;        // 1 + the equation that says that two shapes touch; 0: none
    bool gap_rough;      // it is a length only near 0
    uint32_t gap_count;  // how many equations say it: 3 for the tips of cones
    bool gap_follows;    // its rate follows from the other equations: it holds positions alone
    const LiaExpr* positions;  // then, by equation: the share N_i gap that it keeps; 0: none
    const char* impulse_unit;  // of its multipliers times a second; NULL if not known
    const char* force_unit;    // of its multipliers; NULL if not known
    LiaSpan span;              // of the whole statement
    LiaSpan name_span;         // of the name
} LiaConstraint;

// Where two shapes touch, where that has no closed form: coordinates without mass and as many
// equations.
typedef struct LiaContactPoint {
    uint32_t constraint;     // its equations
    uint32_t first, count;   // its coordinates
    const LiaExpr* guesses;  // where they may be, given the bodies                    (count)
    bool unit;               // the first three are a unit vector
    LiaExpr gap;             // how far the shapes are apart
    bool least;  // of several solutions that of the smallest gap is meant; else of the largest
    LiaExpr positive;  // positive at the solution that is meant; 0: nothing
    bool nearest;  // one coordinate, the parameter of a curve: where the gap, a square, is smallest
} LiaContactPoint;

typedef struct LiaSymmetryPart {
    uint32_t coordinate;
    LiaExpr term;  // the generator's component
} LiaSymmetryPart;
typedef struct LiaSymmetry {
    const char* name;
    const LiaSymmetryPart* parts;
    uint32_t count;
    LiaSpan span;
} LiaSymmetry;

// What an event sets: a coordinate, or its velocity.
typedef struct LiaSet {
    uint32_t coordinate;
    bool velocity;
    LiaExpr term;  // of the state before
    LiaSpan span;
} LiaSet;

typedef struct LiaEvent {
    const char* name;
    LiaExpr term;   // left - right
    int direction;  // +1 rising, -1 falling, 0 both
    bool stop;
    bool switches;  // something begins or ends by it
    const LiaSet* sets;
    uint32_t set_count;
    uint32_t joint;  // of `leaves`: 1 + its constraint
    // of a joint of shapes: "the end of the cylinder of 'drum'"; NULL: an event of the model
    const char* leaves;
    bool flat;  // then: two disks come to lie in one plane
    LiaSpan span;
} LiaEvent;

typedef struct LiaObserve {
    const char* name;  // vectors: "r.x", "r.y", "r.z", longer ones "r[4]"
    LiaExpr term;
    const char* unit;  // as written, or what its formula has; NULL if that is not known
    double scale;      // the column is term * scale (1 unless the unit has a factor: deg, mm)
    LiaSpan span;
} LiaObserve;

typedef struct LiaStart {
    uint32_t coordinate;
    bool velocity;  // x' rather than x
    bool guess;     // x ~ e
    LiaExpr term;   // of parameters only
    double value;
    LiaSpan span;
} LiaStart;

// start omega(R) = e: the angular velocity of a rotation, in space axes unless `body`.
typedef struct LiaSpin {
    uint32_t group;
    bool guess;
    bool body;        // Omega(R): in body axes
    LiaExpr term[3];  // of parameters only; 0: the number 0
    double value[3];
    LiaSpan span;
} LiaSpin;

// How impacts are decided: `impact`.
typedef enum LiaRestitution {
    LIA_RESTITUTION_DEFAULT,  // Newton's without friction, Stronge's with it, several: Poisson's
    LIA_RESTITUTION_NEWTON,
    LIA_RESTITUTION_POISSON,
    LIA_RESTITUTION_STRONGE,
} LiaRestitution;

typedef struct LiaImpactRule {
    LiaRestitution restitution;
    bool sequential;  // one contact after another
    bool said;
} LiaImpactRule;

typedef struct LiaRunStatement {
    LiaImpactRule impact;
    bool given;
    double t0, t1;
    double tolerance;                                                      // 0: not said
    uint32_t samples;                                                      // 0: not said
    double every;                                                          // 0: not said
    double step_most;                                                      // 0: not said
    LiaExpr t0_term, t1_term, tolerance_term, every_term, step_most_term;  // 0: not said
    LiaSpan span;
} LiaRunStatement;

// What was decided by a value that is made of parameters. With other values the same has to come
// out, or the model is another one.
typedef enum LiaDecisionKind {
    LIA_DECISION_VALUE,    // the number itself was used
    LIA_DECISION_SIGN,     // it is positive, zero or negative
    LIA_DECISION_INERTIA,  // it is the inertia of a body: one, three or nine numbers
} LiaDecisionKind;
typedef struct LiaDecision {
    LiaDecisionKind kind;
    uint32_t count;
    const LiaExpr* terms;
    const double* values;  // when the model was read
    LiaSpan span;
} LiaDecision;

#define LIA_LIST(type, name)                                                                       \
    const type* name;                                                                              \
    uint32_t name##_count

// Of a model of a phase space, and of momenta at the start.
typedef struct LiaPhaseParts {
    bool is;  // the model is one of a phase space: coordinates are phase variables
    LIA_LIST(LiaBracket, brackets);
    LIA_LIST(LiaConstraint, momenta);  // start p(x) = e, as equations; of any model
} LiaPhaseParts;

// The text that was read.
typedef struct LiaModelText {
    LiaSource source;  // copied; the spans speak of it
    LiaFileId file;    // that it was read from; not known: a text in memory, a pipe
    LiaDigest digest;  // of the text and the values from outside
    LIA_LIST(LiaWritten, written);
    LIA_LIST(LiaMention, mentions);
} LiaModelText;

// What is known of the state at the start; momenta: see LiaPhaseParts.
typedef struct LiaModelStart {
    LIA_LIST(LiaStart, values);
    LIA_LIST(LiaSpin, spins);
} LiaModelStart;

// What plots, pictures and pages show.
typedef struct LiaModelPictures {
    LIA_LIST(LiaPlot, plots);
    LIA_LIST(LiaDrawing, drawings);
    LIA_LIST(LiaBody, bodies);
    LIA_LIST(LiaPlace, places);
    LIA_LIST(LiaShape, shapes);
    LiaGravity gravity;
} LiaModelPictures;

struct LiaModel {
    LiaArena* arena;
    LiaModelText text;
    const char* name;   // `model NAME`, or the file's name without folder and .lia
    const char* title;  // NULL if not said
    double seconds;     // spent on reading and checking

    const LiaGraph* graph;                   // all formulas; LiaExpr is an index into it
    LIA_LIST(LiaQuantityNamed, quantities);  // by number of the symbols QUANTITY and REACTION
    LIA_LIST(LiaParameter, parameters);
    LIA_LIST(LiaCoordinate, coordinates);
    LIA_LIST(LiaGroup, groups);
    LIA_LIST(LiaControl, controls);
    LIA_LIST(LiaLet, lets);
    LIA_LIST(LiaEnergy, energies);
    LIA_LIST(LiaForce, forces);
    LIA_LIST(LiaDissipation, dissipations);
    LIA_LIST(LiaConstraint,
             constraints);  // passive ones and operators in the order written, internal ones last
    LIA_LIST(LiaContactPoint, contact_points);
    LIA_LIST(LiaSymmetry, symmetries);
    LIA_LIST(LiaEvent, events);
    LIA_LIST(LiaObserve, observes);
    LiaModelStart start;
    LiaPhaseParts phase;
    LiaModelPictures pictures;
    LIA_LIST(LiaDecision, decisions);
    bool joules;  // the energies are known to be in J
    LiaRunStatement run;
};

/// Does the motion change at this event, other than by ending?
static inline bool lia_model_acts(const LiaEvent* event) {
    return event->switches || event->set_count > 0;
}
/// Does an event set a state?
static inline bool lia_model_sets_states(const LiaModel* model) {
    for (uint32_t e = 0; e < model->events_count; e++) {
        if (model->events[e].set_count > 0) return true;
    }
    return false;
}
static inline bool lia_model_begins_or_ends(LiaDuration duration) {
    return duration.from || duration.until;
}
/// What acts by events or from outside, and is not seen in the equations at the start: the name of
/// a statement that begins or ends, of an event that sets a state, of a control. NULL: nothing
/// does.
static inline const char* lia_model_acts_later(const LiaModel* model, LiaSpan* span) {
    for (uint32_t i = 0; i < model->constraints_count; i++) {
        *span = model->constraints[i].span;
        if (lia_model_begins_or_ends(model->constraints[i].duration))
            return model->constraints[i].name;
    }
    for (uint32_t i = 0; i < model->forces_count; i++) {
        *span = model->forces[i].span;
        if (lia_model_begins_or_ends(model->forces[i].duration)) return model->forces[i].name;
    }
    for (uint32_t i = 0; i < model->controls_count; i++) {
        *span = model->controls[i].span;
        if (model->controls[i].open) return model->controls[i].name;
    }
    for (uint32_t i = 0; i < model->events_count; i++) {
        *span = model->events[i].span;
        if (model->events[i].set_count > 0) return model->events[i].name;
    }
    return NULL;
}
/// What a formula depends on: LIA_DEPENDS() bits.
static inline uint16_t lia_model_depends(const LiaModel* model, LiaExpr formula) {
    return lia_graph_node(model->graph, formula)->depends;
}
/// Is it a coordinate, or the velocity of one? Which: the `a` of its node.
static inline bool lia_model_is_coordinate(const LiaModel* model, LiaExpr formula) {
    return lia_graph_is_symbol(model->graph, formula, LIA_SYMBOL_POSITION) ||
           lia_graph_is_symbol(model->graph, formula, LIA_SYMBOL_VELOCITY);
}
/// The values of a model after its parameters were changed: `own` has lists of its own of
/// parameters, starts and spins, in which a parameter that was set has no term. `values`: by node
/// of the graph, all of them are written. False with an error where the model would be another one,
/// or something has no value (revalue.c).
bool lia_revalue(LiaModel* own, double* values, LiaDiags* diags);
/// Parse and check a text. On errors returns false, *out is NULL and `diags` says what is wrong;
/// all errors of the text are reported. Text and name are copied.
bool lia_lang_parse(const char* name, const char* text, size_t length, const LiaDefines* defines,
                    LiaDiags* diags, LiaModel** out);
/// Where the text wrote a formula: within `part`, the text of a statement, or else within a
/// definition that it mentions, or else first. NULL: nowhere, it is a symbol or a number.
const LiaWritten* lia_written_find(const LiaModel* model, LiaExpr formula, LiaSpan part);
/// Does the model keep to what this header says? For assertions at the borders.
bool lia_model_invariants_hold(const LiaModel* model);
void lia_lang_destroy(LiaModel* model);
/// The model spelled out: `liaison dump --stage=lang`.
void lia_lang_dump(const LiaModel* model, LiaText* out);
