// LiaSystem: the mechanics of a model as formulas. The border between mechanics and motion.
//
//   M a + h = Q + Omega^T mu,     J a + gamma = 0          (design: one equation for everything)
//
// Here stand L, p = dL/dv, dL/dq, Q, the rows of constraint equations with their force directions
// Omega (given independently of J, always), the powers, and two ways to run them: `full`, in which
// every equation is a row of K0, and `reduced`, in which driven coordinates are known beforehand
// and equations whose rates follow from others stand aside: a kinematic row keeps their positions.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/diff.h"
#include "expr/graph/graph.h"
#include "expr/tape/tape.h"
#include "lang/model.h"
#include "mechanics/assembly/ledger.h"
#include "mechanics/dynamics/pattern.h"

typedef struct LiaRow {    // one scalar equation, left - right = 0
    uint32_t constraint;   // index into model->constraints
    uint32_t part;         // which equation of it
    LiaExpr left, right;   // as written
    LiaExpr equation;      // left - right: phi(q, t) or psi(q, v, t)
    LiaExpr rate;          // psi(q, v, t): of a geometric one the rate of phi  } for sizes
    LiaExpr acceleration;  // J a + gamma: the rate of that                     }
    bool geometric;        // no velocities
    bool integrated;       // written as (phi)' = 0: kept as phi = its value at the start
    bool linear;           // affine in the velocities (geometric ones are)
    bool steady;           // J is the same at all states
    bool ideal;            // Omega is the gradient of the equation, as a formula
    bool workless;         // its force does no work, whatever the motion
    uint32_t turn;         // 1 + its sign, one of three that set a rotation equal to another
    bool identical;        // holds identically, or is off in this mode: no row of K0, force 0
    bool by_mode;      // of a contact, or of what begins and ends: the mode says whether it holds
    bool follows;      // its rate follows from the other rows of its constraint
    LiaExpr position;  // kinematic: what it keeps of a row that follows; {0}: nothing
    uint32_t entries;  // of Omega that are other than zero
    uint32_t* coordinate;  // their coordinates, rising                    (entries)
    LiaExpr* Omega;        // force direction: lia_system_Omega()          (entries)
    LiaExpr* slope;        // with friction that is not linear in mu: what K0 has in its place, by
                           // multipliers that are known; NULL: Omega      (entries)
    LiaExpr Omega_v;       // Omega v: what mu is multiplied by in the power
    LiaSpan span;
} LiaRow;

// The equations of a joint hold on more than one branch (axes along each other, or opposite):
// `formula` is positive on the one that is meant. Those of rotations have no value where these are
// half a turn from each other, and nearly hold next to it: there it is 1 + 2 cos(angle), and far
// from 3.
typedef struct LiaBranchSign {
    uint32_t constraint;
    LiaExpr formula;
    bool turn;  // of an equation between rotations
} LiaBranchSign;

enum {
    LIA_CONTACT_BLOCKS = 3,     // of friction: slip, rolling, pivoting
    LIA_CONTACT_ROWS_MOST = 6,  // the gap, two of the slip, two of rolling, one of pivoting
};

typedef enum LiaFrictionKind {
    LIA_FRICTION_SLIP,
    LIA_FRICTION_ROLLING,
    LIA_FRICTION_PIVOTING,
} LiaFrictionKind;

// What friction of a contact acts against: velocities with one bound in common. The coefficients
// of a slip are numbers, of rolling and pivoting lengths.
typedef struct LiaFrictionFormulas {
    LiaFrictionKind kind;
    const char* name;  // of its events: of the slip that of the contact; "floor.rolling"
    uint32_t row;      // its first
    uint32_t rows;     // 1 or 2
    uint32_t place;    // of its mode among those of the system; of the first that of the contact
    LiaExpr kinetic, most;  // coefficients: of what slides; of what sticks
} LiaFrictionFormulas;

// A contact of the model as formulas.
typedef struct LiaContactFormulas {
    uint32_t constraint;
    uint32_t point;     // of those of the constraint
    const char* name;   // of the constraint, of several points with their number: "floor.3"
    uint32_t row;       // of its gap; those of its friction follow
    uint32_t rows;      // all of them
    uint32_t switched;  // 1 + its LiaSwitch; 0: it is always there
    LiaExpr restitution;
    uint32_t blocks;  // 0: without friction
    LiaFrictionFormulas block[LIA_CONTACT_BLOCKS];
} LiaContactFormulas;

// A constraint with friction that holds both ways: rough.c.
typedef struct LiaRoughFormulas {
    uint32_t constraint;
    const char* name;
    uint32_t row, rows;  // whose multipliers are its normal force; some may hold identically
    uint32_t normals;    // those that do not
    uint32_t slip;       // row of its slip
    LiaExpr friction, friction_static;
} LiaRoughFormulas;

// A statement that begins and ends by events.
typedef struct LiaSwitch {
    bool force;      // an applied force; else a constraint, an operator, a joint, a contact
    uint32_t index;  // into the model's list of these
    const char* name;
    LiaDuration duration;
    LiaExpr* Q;  // of a force                                           (n)
} LiaSwitch;

// What a contact, or a statement that begins and ends, does in a mode of the system.
typedef enum LiaContactMode {
    LIA_MODE_OPEN,           // no force; the gap is watched. A statement: it is off
    LIA_MODE_CLOSED,         // gap = 0, without friction. A statement: it is on
    LIA_MODE_STICK,          // gap = 0 and slip = 0
    LIA_MODE_FORWARD,        // gap = 0; it slides, slip > 0
    LIA_MODE_BACKWARD,       // slip < 0
    LIA_MODE_SLIDE,          // it slides along a slip of two components
    LIA_MODE_FORWARD_PULL,   // of a rough constraint: it slides forward, and its force is negative
    LIA_MODE_BACKWARD_PULL,  // backward
} LiaContactMode;

typedef enum LiaWatchKind {
    LIA_WATCH_GAP,     // of an open contact
    LIA_WATCH_NORMAL,  // force of a closed one
    LIA_WATCH_SLIP,    // of a sliding one: +-slip; of two components both, of any sign
    LIA_WATCH_BOUND,   // of a sticking one: how far the friction is from its bound
} LiaWatchKind;

enum {
    LIA_CONTACT_WATCHED = 3,  // formulas of one contact with one block of friction, at most
    LIA_BLOCK_WATCHED = 2,    // of each further block
    LIA_ROUGH_WATCHED = 2,    // of one rough constraint
};

// A formula that is never negative in a mode: where it becomes negative another mode begins.
typedef struct LiaWatched {
    LiaWatchKind kind;
    uint32_t contact;  // or, of a rough constraint, its number among these
    LiaExpr formula;
    bool rough;
    uint32_t block;  // of a contact: whose slip or bound
} LiaWatched;

// The multiplier of a row that is none of K0 but follows from others: friction of what slides.
typedef struct LiaFollowing {
    uint32_t row;
    LiaExpr formula;
} LiaFollowing;

// A line of the ledger: constraints in the order written, then forces, dissipation, explicit time.
typedef struct LiaPowerLine {
    LiaLineKind kind;
    uint32_t index;  // constraint or force
    const char* name;
    LiaExpr power;  // zero where it does no work, whatever the motion
    bool part;      // of the line of a constraint: what friction takes of it
} LiaPowerLine;

// What can be other than it was at the start of a step, by index and rising: of a system with many
// contacts most are open, and have no force and no power.
typedef struct LiaLive {
    uint32_t* rows;   // whose multiplier can be other than zero
    uint32_t* lines;  // of the ledger: with a power, or a work that formulas read
    uint32_t row_count, line_count;
} LiaLive;

// One way to run the system: which coordinates are driven, which rows stand in K0, and the tape.
typedef struct LiaDynamics {
    bool full;  // every equation is a row
    LiaDrive* drives;
    uint32_t drive_count;
    uint32_t* drive_row;  // the row each drive came from
    uint32_t* free;       // coordinates that are unknown                (nf)
    uint32_t nf;
    uint32_t* rows;  // rows of K0                                   (nc)
    uint32_t nc;
    LiaExpr* G;  // dL/dq + Q + Omega^T mu by coordinate         (n)
    LiaTape* tape;
    // registers of what the motion reads
    uint32_t* p;           // dL/dv                                        (n)
    uint32_t* G_register;  //                                              (n)
    uint32_t* equation;    // phi or psi                                   (nc)
    uint32_t* position;    // phi that a kinematic row keeps; 0: none      (nc)
    uint32_t* power;       // per ledger line
    uint32_t* event;       // per event
    uint32_t* watched;     // per formula that the mode watches
    uint32_t* following;   // per multiplier that follows
    LiaLive live;
    // what can be other than zero, by columns of `free`
    LiaPattern M, J, Omega;
    uint32_t* Omega_register;    // of each entry of Omega
    LiaProbes probe_v, probe_q;  // how M and J are found
    size_t* entry_at;            // of each entry of M, then J, in full arrays one after the other
    bool sparse;                 // K0 is large and has few entries
} LiaDynamics;

typedef struct LiaContactPointFormulas {  // of a foot of the model
    LiaExpr* guesses;
    LiaExpr gap, positive;  // positive {0}: none
} LiaContactPointFormulas;

// A formula of parameters alone by whose value something was decided.
typedef struct LiaPinned {
    LiaExpr expr;
    double value;
} LiaPinned;
typedef struct LiaPinnedList {
    LiaPinned* list;
    uint32_t count, capacity;
} LiaPinnedList;
typedef struct LiaOwnValues LiaOwnValues;  // parameters.c

// Formulas in which nothing is decided by the mode: modes are made from them.
typedef struct LiaAnyMode {
    LiaSwitch* switches;  // statements that begin and end
    uint32_t switch_count;
    uint32_t block_count;  // blocks of friction of contacts, but for the first of each
    LiaRow* rows;
    LiaExpr *samples, *events;
    LiaPowerLine* lines;
    LiaExpr* Q_always;    // Q without the forces that begin and end; NULL: there are none    (n)
    LiaExpr* sets;        // what events set
    uint32_t* first_set;  // of each event                               (events + 1)
    LiaExpr* laws;        // of sampled controls; {0} of others          (controls)
} LiaAnyMode;

// What a system was made from, and how.
typedef struct LiaSystemOrigin {
    LiaOwnValues* own;  // of a system whose parameters were set, or that is a copy; NULL: none
    bool is_copy;       // formulas and patterns belong to another system
    LiaPinnedList pinned;
    const char* variant;   // these rules, "follow=ideal"; NULL: all as the model says
    const char** choices;  // sentences for the summary
    uint32_t choice_count;
    double setup_seconds;
} LiaSystemOrigin;

typedef struct LiaEnergyFormulas {
    LiaExpr lagrangian, kinetic, potential, total;
    LiaExpr* statements;  // each energy statement by itself
    bool has_kinetic, has_potential;
} LiaEnergyFormulas;

// dp/dt = dL/dq + Q + Omega^T mu.                                          (n each)
typedef struct LiaLagrangeEquations {
    LiaExpr *p, *dL_dq, *Q;
    LiaExpr* P;     // p with what massless spins are given: dP/dt = G + lent
    LiaExpr* lent;  // NULL: nothing
} LiaLagrangeEquations;

// Of a model of a phase space.
typedef struct LiaPhaseFormulas {
    LiaExpr* flow;  // x' of each phase variable; NULL: the model has a Lagrangian    (n)
    double jacobi;  // what is left of Jacobi's identity, relative to its terms, at samples; NAN:
                    // not looked at
} LiaPhaseFormulas;

// Which of several solutions of the same equations is meant.
typedef struct LiaBranchFormulas {
    LiaBranchSign* signs;
    uint32_t sign_count;
    LiaContactPointFormulas* contact_points;
} LiaBranchFormulas;

// Multipliers that are not unique are as near to these as the equations allow: mu + slope (t -
// since). Only modes of contacts have some.
typedef struct LiaPreferred {
    double *mu, *slope;  // NULL: 0                                                        (rows)
    double since;
    bool inside;  // mu is off all bounds, as far as it can be
} LiaPreferred;

// What contacts do, and what has begun and not ended.
typedef struct LiaModeFormulas {
    const LiaSystem* base;  // of which this is a mode; NULL: it is none
    LiaContactMode* now;    // of each contact, of each switch, of each rough constraint: as at the
                            // start, all contacts open, unless this is a mode of another system
    LiaAnyMode* any;
    LiaWatched* watched;
    uint32_t watched_count;
    LiaFollowing* following;
    uint32_t following_count;
    LiaPreferred preferred;
} LiaModeFormulas;

// What is looked at along a motion.
typedef struct LiaObservables {
    LiaExpr* momenta;  // of each symmetry
    LiaExpr* events;   // left - right of each event
    LiaExpr* samples;  // what is computed at each sample: LiaSampleSlot
    uint32_t sample_count;
} LiaObservables;

struct LiaSystem {
    const LiaModel* model;  // borrowed, or a copy in the arena with other rules or values
    LiaSystemOrigin origin;
    LiaArena* arena;
    LiaGraph* graph;
    LiaRates rates;
    uint32_t n;          // coordinates
    double* parameters;  // values

    LiaExpr *q, *v;  // symbols                                     (n)
    LiaEnergyFormulas energy;
    LiaLagrangeEquations lagrange;
    LiaPhaseFormulas phase;
    LiaRow* rows;
    LiaExpr zero;  // the number 0
    uint32_t row_count;
    uint32_t* first_row;  // of each constraint                          (constraints + 1)
    LiaBranchFormulas branches;
    LiaContactFormulas* contacts;
    uint32_t contact_count;
    LiaRoughFormulas* rough;
    uint32_t rough_count;
    LiaExpr* rubbing;  // friction that is not linear in mu, a part of G; NULL: none        (n)
    LiaModeFormulas mode;
    LiaPowerLine* lines;
    uint32_t line_count;
    LiaObservables observables;

    LiaDynamics* full;
    LiaDynamics* plain;    // nothing is eliminated; rows that follow stand aside; may be == full
    LiaDynamics* reduced;  // may be == plain
    const struct LiaTestHooks* hooks;  // of tests; nothing else reads or sets it
};

// Places in system->observables.samples: the energies, the momentum of each symmetry, each
// `observe`, the curves of `plot` (for each plot its x axis where there is one, then its curves).
typedef enum LiaSampleSlot {
    LIA_SAMPLE_ENERGY,
    LIA_SAMPLE_KINETIC,
    LIA_SAMPLE_POTENTIAL,
    LIA_SAMPLE_MOMENTA,  // the first momentum
} LiaSampleSlot;
static inline uint32_t lia_sample_observe(const LiaModel* m, uint32_t observe) {
    return LIA_SAMPLE_MOMENTA + m->symmetries_count + observe;
}
static inline uint32_t lia_sample_curve(const LiaModel* m, uint32_t curve) {
    return lia_sample_observe(m, m->observes_count) + curve;
}
/// From what is computed to what is shown: energies as they are, an `observe` in its unit.
static inline double lia_sample_scale(const LiaModel* m, uint32_t slot) {
    uint32_t first = lia_sample_observe(m, 0);
    bool observed = slot >= first && slot < lia_sample_curve(m, 0);
    return observed ? m->observes[slot - first].scale : 1.0;
}

/// Rows of a contact that can move: the gap and those of its blocks.
static inline uint32_t lia_system_contact_rows(const LiaContactFormulas* c) {
    uint32_t rows = 1;
    for (uint32_t b = 0; b < c->blocks; b++) rows += c->block[b].rows;
    return rows;
}
/// The i-th of them.
static inline uint32_t lia_system_contact_row(const LiaContactFormulas* c, uint32_t i) {
    uint32_t b = 0;
    if (i == 0) return c->row;
    for (i--; i >= c->block[b].rows; b++) i -= c->block[b].rows;
    return c->block[b].row + i;
}
/// Numbers that are a mode: of contacts (the first block of each), of all further blocks, then of
/// switches and of rough constraints. Where the mode of switch k stands among them.
static inline uint32_t lia_system_switch_place(const LiaSystem* s, uint32_t k) {
    return s->contact_count + s->mode.any->block_count + k;
}
/// Where that of rough constraint k stands.
static inline uint32_t lia_system_rough_place(const LiaSystem* s, uint32_t k) {
    return lia_system_switch_place(s, s->mode.any->switch_count) + k;
}
/// How many there are.
static inline uint32_t lia_system_mode_count(const LiaSystem* s) {
    return lia_system_rough_place(s, s->rough_count);
}
/// Formulas that a mode watches, at most.
static inline uint32_t lia_system_watched_most(const LiaSystem* s) {
    return LIA_CONTACT_WATCHED * s->contact_count + LIA_BLOCK_WATCHED * s->mode.any->block_count +
           LIA_ROUGH_WATCHED * s->rough_count;
}
/// Is the statement of this switch on?
static inline bool lia_system_is_on(const LiaSystem* s, uint32_t k) {
    return s->mode.now[lia_system_switch_place(s, k)] != LIA_MODE_OPEN;
}
/// Is a constraint that begins and ends off?
static inline bool lia_system_is_off(const LiaSystem* s, uint32_t constraint) {
    if (!lia_model_begins_or_ends(s->model->constraints[constraint].duration)) return false;
    for (uint32_t k = 0; k < s->mode.any->switch_count; k++) {
        if (!s->mode.any->switches[k].force && s->mode.any->switches[k].index == constraint)
            return !lia_system_is_on(s, k);
    }
    return false;
}
/// Is contact k there: not one that has not begun, or has ended?
static inline bool lia_system_contact_is_on(const LiaSystem* s, uint32_t k) {
    uint32_t switched = s->contacts[k].switched;
    return switched == 0 || lia_system_is_on(s, switched - 1);
}

/// Is row r the slip of a rough constraint?
static inline bool lia_system_is_slip(const LiaSystem* s, size_t r) {
    const LiaRoughLaw* rough = s->model->constraints[s->rows[r].constraint].rough;
    return rough && s->rows[r].part == rough->slip;
}

/// What stands in `list`, by the entries of row r, for coordinate i.
static inline LiaExpr lia_system_entry(const LiaSystem* s, size_t r, size_t i,
                                       const LiaExpr* list) {
    const LiaRow* row = &s->rows[r];
    uint32_t from = 0, to = row->entries;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (row->coordinate[middle] == i) return list[middle];
        if (row->coordinate[middle] < i) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return s->zero;
}
/// The force direction of row r by coordinate i.
static inline LiaExpr lia_system_Omega(const LiaSystem* s, size_t r, size_t i) {
    return lia_system_entry(s, r, i, s->rows[r].Omega);
}
/// What K0 has of it.
static inline LiaExpr lia_system_slope(const LiaSystem* s, size_t r, size_t i) {
    return lia_system_entry(s, r, i, s->rows[r].slope ? s->rows[r].slope : s->rows[r].Omega);
}

/// A ledger line of an internal constraint (unit length), which does no work, or a part of another
/// line: never shown.
static inline bool lia_system_line_internal(const LiaSystem* s, uint32_t line) {
    return s->lines[line].part ||
           (line < s->model->constraints_count && s->model->constraints[line].internal);
}

/// Does a line of the ledger do no work, whatever the motion? What begins and ends does at
/// instants, or in other modes; what else holds takes part in its impulses.
static inline bool lia_system_workless(const LiaSystem* s, uint32_t line) {
    const LiaModel* m = s->model;
    LiaLineKind kind = s->lines[line].kind;
    if (kind == LIA_LINE_EVENT) return false;
    if (kind == LIA_LINE_FORCE &&
        lia_model_begins_or_ends(m->forces[s->lines[line].index].duration))
        return false;
    bool constraint = line < m->constraints_count && !m->constraints[line].internal;
    if (constraint && (m->constraints[line].contact || m->constraints[line].rough ||
                       s->mode.any->switch_count > 0))
        return false;
    return lia_graph_is_zero(s->graph, s->lines[line].power);
}

/// What the program knows by name: energy, p(x), force(NAME), ...; as a formula of `graph`, the
/// system's own or a copy of it. {0}: not known (yet).
LiaExpr lia_system_quantity(const LiaSystem* system, LiaGraph* graph,
                            const LiaQuantityNamed* quantity);

/// Does the system keep to what this header says? For assertions at the borders.
bool lia_system_invariants_hold(const LiaSystem* system);

/// Everything that is derived, as text: stage is expr, mechanics or tape. False for another stage.
bool lia_system_dump(const LiaSystem* system, const char* stage, LiaText* out);
