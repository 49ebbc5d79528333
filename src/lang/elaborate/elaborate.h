// Elaboration: from statements to a LiaModel. The rooms, in the order of the work:
//   declarations.c         who declares what
//   scope.c                families written out into members
//   machine.c              runs the code of expressions; asks for the definitions it needs
//   definition.c           parameters, lets, controls, coordinates, observed quantities
//   group.c                coordinates of more than one number: space, sphere, rotation
//   body.c                 bodies: their parts, what is known of them, forces on them
//   body_energy.c          their energy, and gravity
//   joints/                joints between bodies, as constraints
//   surfaces/              shapes of bodies, and where two of them touch
//   dynamics_statements.c  energies, forces, constraints, operators, symmetries, events
//   run_statements.c       start, run, plot
//   drawing.c              draw
//   elaborate.c            the phases, and the finished model
// SPDX-License-Identifier: MIT
#pragma once
#include "lang/model.h"
#include "lang/syntax/syntax.h"
#include "lang/value/value.h"

enum { LIA_NOT_YET, LIA_IN_PROGRESS, LIA_WORKED_OUT };

typedef struct LiaDeclaration {
    LiaKeyword keyword;
    bool poisoned;  // did not parse, or is not in this version: its uses say nothing
    LiaSymbol symbol;
    const LiaHead* head;
    const LiaPhrase* phrase;  // the definition, where the statement has several
    const LiaStatement* statement;
    uint32_t next;                                            // of the same name
    uint8_t expanded;                                         // LIA_NOT_YET, ...
    uint32_t first, count;                                    // its members
    int64_t low[LIA_LIMIT_INDICES], high[LIA_LIMIT_INDICES];  // smallest and largest index
    uint32_t active;  // function: the definition that is calling it, + 1
} LiaDeclaration;

// One declared thing: a scalar name, or one member of a family.
typedef struct LiaMember {
    uint32_t declaration;
    uint8_t state;      // LIA_NOT_YET, ...
    const int64_t* at;  // its indices
    const char* name;   // "q[3]"; made when asked for
    uint32_t slot;      // its place in the list of the model it belongs to
    uint32_t group;     // coordinate of more than one number: 1 + its group
    uint32_t reaction;  // joint: 1 + its place in the list of reactions
    LiaValue value;     // what its name stands for
} LiaMember;

// Force and couple of a joint on its second body, by multiplier; in space axes.
typedef struct LiaReaction {
    const LiaValue *forces, *couples;
    uint32_t count;
    LiaValue place;  // where the forces act, and the couples are about
    uint32_t A, B;   // its bodies; 0: the ground
} LiaReaction;

// What may not stand in an expression, and how that is said.
typedef struct LiaSetting {
    uint16_t forbidden;    // LIA_DEPENDS() bits
    const char* where;     // "the kinetic energy"
    const char* code;      // if not NULL: said with this code ...
    const char* sentence;  // ... and this sentence
} LiaSetting;

typedef struct LiaBinding {
    LiaSymbol symbol;
    LiaValue value;
} LiaBinding;

typedef struct LiaFrame {
    uint32_t pc, end;
    uint32_t bindings;    // names from here on are visible
    uint32_t member;      // what is being defined; 0: none
    uint32_t function;    // declaration of the function being called; 0: none
    uint32_t owner;       // depth of the frame whose functions these are, + 1
    uint32_t was_active;  // what to put back into the function
    LiaSpan span;         // of the call
    const LiaSetting* setting;
} LiaFrame;

typedef struct LiaLoop {
    int64_t i, high;
    bool any;
    LiaValue total;
} LiaLoop;

typedef struct LiaBranch {
    int known;  // -1: both parts are taken
    LiaValue condition;
} LiaBranch;

// What becomes LiaPhaseParts of the model.
typedef struct LiaPhaseLists {
    bool is;
    bool canonical;      // of coordinates and their momenta p(x), which are coordinates too
    uint32_t positions;  // then: how many there are; p of coordinate i is coordinate positions + i
    LIA_VECTOR(LiaBracket) brackets;
    LIA_VECTOR(LiaConstraint) momenta;
} LiaPhaseLists;

// Names that the language gives.
typedef struct LiaGivenNames {
    LiaSymbol t, pi, energy, kinetic, potential, ground;
} LiaGivenNames;

// machine.c
typedef struct LiaMachine {
    LIA_VECTOR(LiaFrame) frames;
    LIA_VECTOR(LiaValue) stack;
    LIA_VECTOR(LiaBinding) bindings;
    LIA_VECTOR(LiaLoop) loops;
    LIA_VECTOR(LiaBranch) branches;
    uint32_t calls;  // of functions so far
} LiaMachine;

// What becomes the model.
typedef struct LiaDraft {
    LIA_VECTOR(LiaParameter) parameters;
    LIA_VECTOR(LiaCoordinate) coordinates;
    LIA_VECTOR(LiaGroup) groups;
    LIA_VECTOR(LiaControl) controls;
    LIA_VECTOR(LiaLet) lets;
    LIA_VECTOR(LiaEnergy) energies;
    LIA_VECTOR(LiaForce) forces;
    LIA_VECTOR(LiaDissipation) dissipations;
    LIA_VECTOR(LiaConstraint) constraints;
    LIA_VECTOR(LiaReaction) reactions;
    LIA_VECTOR(LiaContactPoint) contact_points;
    LIA_VECTOR(LiaSymmetry) symmetries;
    LIA_VECTOR(LiaEvent) events;
    LIA_VECTOR(LiaObserve) observes;
    LIA_VECTOR(LiaStart) starts;
    LIA_VECTOR(LiaSpin) spins;
    LIA_VECTOR(LiaPlot) plots;
    LIA_VECTOR(LiaDrawing) drawings;
    LIA_VECTOR(LiaBody) bodies;
    LIA_VECTOR(LiaPlace) places;
    LIA_VECTOR(LiaShape) shapes;
    LiaGravity gravity;
    LiaPhaseLists phase;
    LiaRunStatement run;
    const char* name;
    const char* title;
} LiaDraft;

typedef struct LiaElaboration {
    LiaWork work;
    LiaContext* context;
    LiaSyntax* syntax;
    LiaDefines defines;
    bool* define_used;

    LIA_VECTOR(LiaDeclaration) declarations;  // [0] is unused
    LIA_VECTOR(LiaMember) members;            // [0] is unused
    uint32_t* member_table;                   // hash of (name, indices)
    uint32_t member_table_size;
    uint32_t bounds_depth;
    LiaGivenNames given;

    LiaMachine machine;
    LIA_VECTOR(const struct LiaContact*) contacts;  // of joints of shapes; NULL: wrong
    uint32_t contact_depth;                         // contacts that wait for each other
    bool observing;  // force(), power(), work() are known from here on

    LiaDraft draft;
    LiaExpr touched[3];    // the place of the last velocity(B, P), or else of the first point(B, u)
    int touching;          // 0: none since it was looked at; 1: point; 2: velocity
    LiaUnit energy_unit;   // of the first energy whose unit is known
    bool energies_differ;  // another energy is of another unit
    LIA_VECTOR(LiaUnit) force_units;  // of the multipliers of each constraint, where known
    uint8_t* started;                 // by coordinate: 1 position, 2 velocity, 4 momentum given
} LiaElaboration;

// --- declarations.c, unknown_name.c

/// Enter all declarations; say what is declared twice or hides a built-in name.
void lia_declarations_enter(LiaElaboration* e);
/// "a constraint", "a coordinate".
const char* lia_declarations_words(LiaKeyword keyword);
/// Say that there is no such name, with the nearest there is.
void lia_unknown_name_say(LiaElaboration* e, LiaSymbol symbol, LiaSpan span, bool function);

// --- scope.c

/// Write the members of a declaration out. False: its bounds are wrong.
bool lia_scope_expand(LiaElaboration* e, uint32_t declaration);
/// The member symbol[at[0], ...]; 0 with an error said (or none, for what is poisoned).
uint32_t lia_scope_member(LiaElaboration* e, LiaSymbol symbol, const int64_t* at, uint32_t count,
                          LiaSpan span);
/// "q[3]"; lives as long as the model.
const char* lia_scope_name(LiaElaboration* e, uint32_t member);
/// Walk the index ranges of a head in ascending order, the last index fastest. `visit` finds the
/// index names bound and gets the indices; false if a bound is wrong or there are too many. Bounds
/// see the bindings from `visible` on.
typedef void (*LiaVisit)(LiaElaboration* e, void* of, const int64_t* at);
bool lia_scope_walk(LiaElaboration* e, const LiaHead* head, uint32_t visible, LiaVisit visit,
                    void* of);
/// Is there a statement of this kind that could not be read? What it should have said is not missed
/// as well.
bool lia_scope_failed(const LiaElaboration* e, LiaKeyword keyword);
/// Something with this unit.
const char* lia_scope_example(void* elaboration, LiaUnit unit);

// --- machine.c

extern const LiaSetting lia_machine_free_setting;  // anything may stand here
/// Run code; the bindings from `bindings` on are visible to it.
LiaValue lia_machine_run(LiaElaboration* e, LiaCode code, const LiaSetting* setting,
                         uint32_t bindings);
/// See to it that a member is defined.
void lia_machine_define(LiaElaboration* e, uint32_t member);
void lia_machine_bind(LiaElaboration* e, LiaSymbol symbol, LiaValue value);
/// Bind the index names of a member; gives the count of bindings before.
uint32_t lia_machine_bind_member(LiaElaboration* e, uint32_t member);

// --- function_call.c

/// Names in code that never ran (functions nobody calls).
void lia_function_call_check_names(LiaElaboration* e, LiaCode code, const LiaSymbol* known,
                                   uint32_t known_count);

// --- definition.c

/// What may stand in the definition of a parameter, let, control, observe or part of a body.
const LiaSetting* lia_definition_setting(const LiaDeclaration* declaration);
/// The declared unit; what is not said is unknown, or an angle.
LiaUnit lia_definition_unit(const LiaUnitClause* unit, bool angle);
/// Take the value of a definition: check it, and enter it into the model.
void lia_definition_take(LiaElaboration* e, uint32_t member, LiaValue value);
/// A place in the model's lists for a member that was just written out.
void lia_definition_enter(LiaElaboration* e, uint32_t member);
/// -D names that no parameter has.
void lia_definition_check_defines(LiaElaboration* e);
/// The value in SI units where a plain number is followed by `in unit`.
LiaValue lia_definition_measure(LiaElaboration* e, LiaValue value, const LiaUnitClause* unit);
void lia_definition_lists(LiaElaboration* e);

// --- group.c

// What stands on the left in `start` and `symmetry`.
typedef struct LiaTarget {
    uint32_t member;      // of the coordinate; 0: an error was said
    uint32_t coordinate;  // the first that is meant
    uint32_t count;       // 1; 3 or 4: all of a group
    LiaManifold manifold;
    uint32_t group;    // 1 + group; 0: none
    const char* name;  // "r.x", "b.position"
} LiaTarget;

LiaManifold lia_group_manifold(LiaManifoldWord word);
/// Coordinates for a member on space, sphere or rotation.
void lia_group_enter(LiaElaboration* e, uint32_t member);
/// The coordinates a head names; `only` says what else cannot stand there.
LiaTarget lia_group_target(LiaElaboration* e, const LiaHead* head, const int64_t* at,
                           const char* only);
/// omega(R) of a rotation, and R' of anything else; false with an error said.
bool lia_group_check_turning(LiaElaboration* e, const LiaPhrase* phrase, const LiaTarget* target);
/// p(x): dL/dx' component by component; of a rotation the angular momentum in space axes.
LiaValue lia_group_momentum(LiaElaboration* e, const LiaTarget* target, LiaSpan span);
/// The unit lengths, as constraints at the end of the list.
void lia_group_constraints(LiaElaboration* e);
/// A sphere has no place to start from that is better than others.
void lia_group_check_starts(LiaElaboration* e);

// --- body.c

/// b.position, b.velocity, ... of the body on the stack. False: run the node again.
bool lia_body_field(LiaElaboration* e, const LiaSyntaxNode* node);
/// velocity(b, P), point(b, u), axis(b, u). False: run the node again.
bool lia_body_call(LiaElaboration* e, const LiaSyntaxNode* node);
/// Is this what a mass, inertia, position, attitude can be? Poison with an error said, if not.
LiaValue lia_body_check(LiaElaboration* e, const LiaPhrase* phrase, LiaValue value);
/// The one-form of `e on BODY at e`; vector and place are entered into `out`.
LiaValue lia_body_force(LiaElaboration* e, const LiaStatement* statement, const LiaValue* force,
                        const LiaSetting* setting, uint32_t bindings, LiaForce* out);
/// Position and attitude of a body; the attitude of a point is POISON, and nothing is said.
LiaValue lia_body_position(LiaElaboration* e, const LiaValue* body);
LiaValue lia_body_attitude(LiaElaboration* e, const LiaValue* body);
/// A value of three numbers; false with an error said.
bool lia_body_need_vector(LiaElaboration* e, const LiaValue* value, const char* what);

/// A part of a body worked out; where it does not say it, what holds then (E0181 if nothing does).
LiaValue lia_body_part(LiaElaboration* e, uint32_t body, LiaClause clause, LiaSpan span);
/// The same inside the machine. False: its definition was begun, run the node again.
bool lia_body_use(LiaElaboration* e, uint32_t body, LiaClause clause, LiaSpan span, LiaValue* out);
bool lia_body_says(const LiaElaboration* e, uint32_t body, LiaClause clause);
/// The statement that declares a body.
const LiaStatement* lia_body_declared_by(const LiaElaboration* e, uint32_t body);
bool lia_body_has_mass(const LiaElaboration* e, uint32_t body);
/// Does a body say all it needs for what it says? False with an error said.
bool lia_body_check_complete(LiaElaboration* e, uint32_t body);
/// A body; false with an error said: "what a body".
bool lia_body_need(LiaElaboration* e, const LiaValue* value, const char* what);
/// A plain 0 as a vector of three.
LiaValue lia_body_vector(LiaElaboration* e, const LiaValue* value);

// --- body_energy.c, body_list.c

/// Kinetic energies and weights of all bodies.
void lia_body_energy_all(LiaElaboration* e);
/// I Omega in body axes; the inertia is a number, three moments or a matrix.
LiaValue lia_body_energy_spin(LiaElaboration* e, const LiaValue* inertia, const LiaValue* attitude,
                              LiaSpan span);
/// A joint acts here, with these forces and couples for its equations from `first` on; `opposite`:
/// they are those on the ground or on an outside body, and what is shown is what acts on the other.
void lia_body_list_place(LiaElaboration* e, uint32_t constraint, uint32_t first,
                         const LiaValue* place, const LiaReaction* reaction, bool opposite);
/// The bodies as they are listed in the model.
void lia_body_list_all(LiaElaboration* e);
/// The formulas of a value of `count` numbers; nothing of what is poisoned.
void lia_body_list_terms(LiaElaboration* e, const LiaValue* value, LiaExpr* out, uint32_t count);

// --- momentum.c

/// linear_momentum(A, B), angular_momentum(P, A, B), ... False: run the node again.
bool lia_momentum_call(LiaElaboration* e, const LiaSyntaxNode* node);

// --- statements/duration.c

/// from EVENT until EVENT, of a statement that was just elaborated.
void lia_duration_take(LiaElaboration* e, uint32_t member, uint32_t bindings);
/// What an event sets.
void lia_duration_sets(LiaElaboration* e, uint32_t member, uint32_t bindings);

// --- friction_clauses.c

// A velocity that friction acts against, in words.
typedef struct LiaSlipWords {
    const char* what;     // "a slip"
    uint32_t most;        // components
    const char* shape;    // what it is, after "a slip is"
    const char* meaning;  // what it says, after the same
    const char* help;
    const char* instead;  // of another shape: what to write; NULL: nothing to advise
} LiaSlipWords;

/// Is friction of a contact said, or resistance against rolling or pivoting?
bool lia_friction_clauses_rubs(const LiaStatement* statement);
/// Do they belong together? `slip_known`: it need not be said. False with an error said.
bool lia_friction_clauses_fit(LiaElaboration* e, const LiaStatement* statement, bool slip_known);
/// The components of a slip, each a velocity, as equations. POISON: an error was said.
LiaValue lia_friction_clauses_slip(LiaElaboration* e, LiaCode code, uint32_t bindings,
                                   const LiaSlipWords* words, LiaEquation* out);
/// The slip of a contact written as a formula, as equations. False with an error said.
bool lia_friction_clauses_contact(LiaElaboration* e, LiaCode code, uint32_t bindings,
                                  LiaEquation* out, uint32_t* count);
/// A number of the law: {0} where it is not said. Constants outside of 0 to `most` are errors.
LiaExpr lia_friction_clauses_law(LiaElaboration* e, LiaCode code, uint32_t bindings,
                                 const char* what, double most);
/// The friction of a constraint of so many equations, and its slip as one more; *out NULL: it has
/// none. False with an error said.
bool lia_friction_clauses_constraint(LiaElaboration* e, const LiaStatement* statement,
                                     uint32_t bindings, uint32_t normals, LiaEquation* slip,
                                     const LiaRoughLaw** out);
/// The same of a joint: its slip is added to its equations.
struct LiaJoint;
bool lia_friction_clauses_joint(LiaElaboration* e, const LiaStatement* statement,
                                struct LiaJoint* joint, uint32_t bindings, const LiaRoughLaw** out);

// --- resistance_clauses.c

/// Is `about` said where it must be, and not where it is known? False with an error said.
bool lia_resistance_clauses_fit(LiaElaboration* e, const LiaStatement* statement);
/// The angular velocities of a contact written as a formula, as equations after those of the slip,
/// and the lengths. `gap`: unit of the gap. False with an error said.
bool lia_resistance_clauses_take(LiaElaboration* e, const LiaStatement* statement,
                                 uint32_t bindings, LiaUnit gap, LiaContactLaw* law,
                                 LiaEquation* equations);
/// The lengths of a contact of shapes. False with an error said.
bool lia_resistance_clauses_lengths(LiaElaboration* e, const LiaStatement* statement,
                                    uint32_t bindings, LiaUnit gap, LiaContactLaw* law);

// --- contact_statement.c

/// contact NAME: gap, slip and their laws.
void lia_contact_statement(LiaElaboration* e, uint32_t member, uint32_t bindings);
/// impact: how impacts are decided.
void lia_contact_statement_impact(LiaElaboration* e, const LiaStatement* statement);

// --- joints/joint.c

/// The equations of a joint between its bodies.
void lia_joint_elaborate(LiaElaboration* e, uint32_t member, uint32_t bindings);
/// effort.c: reaction(J1, J2 on A, B), moment(J1, J2 on A, B at P).
void lia_effort_call(LiaElaboration* e, const LiaSyntaxNode* node);
/// reaction(NAME), or moment(NAME): force at the point of the second body and couple on it.
LiaValue lia_joint_reaction(LiaElaboration* e, uint32_t member, bool moment, LiaSpan span);

// --- phase_statements.c

/// Is the model one of a phase space? Statements that do not belong to such a model, or only to
/// one, are errors.
void lia_phase_statements_begin(LiaElaboration* e);
/// After all coordinates: the momenta p(x) of a model that has coordinates and a Hamiltonian.
void lia_phase_statements_momenta(LiaElaboration* e);
/// bracket {x, y} = e
void lia_phase_statements_bracket(LiaElaboration* e, const LiaStatement* statement);
/// What may stand in the Hamiltonian, a force, an equation of such a model.
const LiaSetting* lia_phase_statements_setting(LiaKeyword keyword);
/// The impulses of constraints, and the flow as an internal constraint.
void lia_phase_statements_end(LiaElaboration* e);

// --- dynamics_statements.c, run_statements.c

/// What a value of a body, a joint or a shape should be measured in: powers of kg, m, s. A warning
/// where its known unit is another one; what it does not speak of at all, a number may stand for.
void lia_dynamics_statements_expect(LiaElaboration* elaboration, const LiaValue* value, int kg,
                                    int m, int s, const char* what);
/// The unit of energies where it is sure: joule, else unknown. Others follow from it.
LiaUnit lia_dynamics_statements_joule(const LiaElaboration* e);
void lia_dynamics_statements_add_energy(LiaElaboration* e, LiaEnergyKind kind,
                                        const LiaValue* value, const char* what, LiaSpan span);

void lia_dynamics_statements_energy(LiaElaboration* e, const LiaStatement* statement);
void lia_dynamics_statements_declared(LiaElaboration* e, uint32_t declaration);
/// symmetry NAME: x' = e, ... (symmetry_statement.c).
void lia_symmetry_statement(LiaElaboration* e, uint32_t id, uint32_t bindings);
/// The name of component i of a value: "r.x", of longer vectors "r[1]", of matrices "R[1,2]", of
/// multipliers "force(c)[1]" (labels.c).
const char* lia_labels_part(LiaElaboration* e, const char* name, const LiaValue* value, uint32_t i);
/// The unit that a formula has, as text: "N*m"; NULL where it is not known.
const char* lia_labels_unit(LiaElaboration* e, const LiaValue* value, LiaExpr term);
void lia_run_statements_start(LiaElaboration* e, const LiaStatement* statement);
void lia_run_statements_run(LiaElaboration* e, const LiaStatement* statement);
void lia_run_statements_plot(LiaElaboration* e, const LiaStatement* statement);
/// constants.c: formulas of numbers and parameters that have no value are said.
void lia_constants_check(LiaElaboration* e);

// --- mention.c

/// Where names are mentioned and defined.
void lia_mention_list(LiaElaboration* e, LiaModel* model);

// --- symbol_names.c

/// The names under which the symbols of the graph are printed.
void lia_symbol_names_give(LiaElaboration* e, const LiaModel* model);

// --- elaborate.c

/// The finished model, or NULL where there were errors.
LiaModel* lia_elaborate(LiaElaboration* e);
