// Contacts along a run: the mode that holds, what ends it, and what happens then.
//
// A mode says of every contact whether it is open, closed, sticks or slides, and of every statement
// that begins and ends by events whether it is on. It is a system of its
// own (mechanics/contact/contacts.c), and the run has a room for each one it has been in:
// workspaces, polynomials, noise. Between events the run is as it is without contacts.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/contact/contact_run.h"
#include "motion/contact/friction/delassus.h"

// What a run has for one mode. While the run is in it, the parts stand in the LiaRunner.
typedef struct LiaModeRoom {
    LiaContactMode* mode;             // of contacts, blocks, switches, rough constraints    (modes)
    LiaSystem* system;                // owned, but for the one the run begins with
    LiaWorkspace* probe;              // nothing eliminated, order 1; NULL: not yet
    LiaRelativeDegree* probe_degree;  // of it, where operators act through springs
    LiaWorkspace* given;  // the same with the forces of its contacts given: degree/answers.h
    LiaRelativeDegree* given_degree;
    bool made;  // the parts of the run below
    const LiaDynamics* dynamics;
    LiaWorkspace *w, *sampler, *full;
    LiaStep step;
    LiaEnclosure enclosure;
    LiaNoise* noise;
    LiaForwardError certainty;
    LiaImpulse impulse;
    LiaRelativeDegree* degree;
    LiaImpulse open_impulse;  // of a mode with all contacts open: at impacts
    uint64_t laws;            // of the controls it was loaded with: LiaControls.laws
    LiaAwake* awake;          // which of its watched formulas run; NULL: all (near.h)
    uint32_t* gap_at;         // with it: 1 + the place of a gap among them; 0: none      (contacts)
    double size_most;
    void* block;
    double time;      // spent in it
    uint64_t visits;  // how often it began
    uint64_t first;   // it was visited after so many others
} LiaModeRoom;

typedef struct LiaModeVisit {
    double t;       // it begins
    uint64_t mode;  // `first` of its room
} LiaModeVisit;

// Where several motions satisfy the laws of the contacts, and one of them was taken.
typedef struct LiaContactChoices {
    uint64_t count;
    double t;        // of the first one
    size_t contact;  // and a contact of it
} LiaContactChoices;

typedef struct LiaModeVisits {
    LiaModeVisit* visit;
    size_t count, capacity;
    LiaContactChoices choices;
} LiaModeVisits;

// What begins and ends at an instant: switches.c.
typedef struct LiaBeginning {
    LiaContactMode* open;     // all contacts open, switches as they are now           (modes)
    LiaContactMode* between;  // all contacts open, without what begins                (modes)
    bool* fired;              // events that happen                                    (events)
    bool* quiet;    // it was closed before: but for corners it gives nothing back     (contacts)
    bool forth;     // the mode with what begins is that of the run
    bool crossing;  // the corner that is crossed is the beginning of statements
} LiaBeginning;

// What is rounding of each contact, where a mode was looked for: of its gap, its normal force, and
// the acceleration of its gap                                                       (contacts)
typedef struct LiaContactRounding {
    double *gap, *force, *acceleration;
    double* slip;    // of each block of friction, by the place of its mode
    double* square;  // of the squares by which two components of friction are off their bound, too
    double* none;    // normal force of several components whose friction is nothing, so, too
    bool* still;     // the slip of a block was zero or rounding, by the place of its mode
} LiaContactRounding;

// A rough constraint where a mode is looked for: rough_modes.c.
typedef struct LiaRoughInstant {
    bool rests;   // its slip is zero
    bool stuck;   // and was so before, within its bound
    bool turned;  // its normal force has just become zero
    bool nought;  // the same, perhaps: no mode was found in which it is not zero at the instant
    bool loose;   // its friction has just reached its bound
    // where all components of N vanish: the mode it slides on in. |N| has no series at the instant
    LiaContactMode passes;  // LIA_MODE_OPEN: none
    double N, T;            // its forces before; the first of N where there is one
} LiaRoughInstant;

typedef struct LiaRough {
    LiaRoughInstant* at;            //                                (rough constraints)
    struct LiaRoughValues* values;  // rough_values.h
} LiaRough;

// Where a mode was looked for.
typedef struct LiaContactsFound {
    int negative;  // the watched formula that is, in the mode tried last; -1: none
    int jams;      // the contact that sliding presses together
    bool vain;     // slips that had just begun were followed in vain
    bool cut;      // another gap closed where slips had just begun: to be looked at again
    bool corner;   // it is one: gaps are those just after it
    bool settled;  // since then a formula went to another side, where the next step begins
} LiaContactsFound;

// Corners that were crossed with contacts that touch, each within an instant of the one before.
typedef struct LiaContactsCorners {
    bool crossed;  // and the next step begins there
    double t;      // of the last one
    uint64_t count;
} LiaContactsCorners;

// At the start of a run.
typedef struct LiaContactsStart {
    bool struck;  // something happens after the first sample: an impact, or
    bool waits;   // slips begin from rest
    bool looks;   // a mode is looked for before the first sample
} LiaContactsStart;

struct LiaContacts {
    LiaSystem* base;  // all contacts open, what begins and ends as at the start
    LiaModeRoom** rooms;
    size_t room_count, room_capacity;
    size_t now;     // the room of the run
    double since;   // when its mode began
    int* vanish;    // of each watched series: how many coefficients vanish where the step begins
    bool* fires;    // which of them have their root where the step ends
    bool* rests;    // of each block of friction, by the place of its mode: its slip is zero
    bool* touched;  // its gap was zero where a mode was looked for
    bool* leaves;   // and it grows from there
    LiaContactRounding rounding;
    double* accumulates;  // when its impacts are over; NAN: they do not accumulate    (contacts)
    LiaContactsFound found;
    LiaContactsStart start;
    struct LiaContactRowFormulas* formulas;  // contact_rows.h
    struct LiaNear* near;                    // near.h; NULL: all contacts are near
    LiaRough rough;
    LiaContactMode* wanted;  // room for one mode                                  (modes)
    LiaContactMode* trial;   // and another
    LiaBeginning begins;
    double t, *q, *v, *work;  // the instant at which a mode is looked for
    LiaStep last;             // the polynomials of the last step, while others are made
    LiaContactsCorners corners;
    uint64_t events;       // so far
    uint64_t visited;      // modes so far
    LiaModeVisits course;  // all of them, in the order of time
};

// modes.c
/// The contacts of a run, with nothing decided. LIA_OK also where there are none.
LiaStatus lia_modes_create(LiaRunner* run);
/// The room of a mode, made where there is none; without the parts of the run. NULL: memory is out.
LiaModeRoom* lia_modes_room(LiaRunner* run, const LiaContactMode* mode);
/// Its equations as numbers, with nothing eliminated, at the state of run->w. NULL: memory is out.
LiaWorkspace* lia_modes_probe(LiaRunner* run, LiaModeRoom* room);
/// The same with the forces of these rows given, where operators act through springs.
LiaWorkspace* lia_modes_given(LiaRunner* run, LiaModeRoom* room, const uint32_t* rows, int count);
/// The run goes on in this mode, from the state it has. False if memory is out.
bool lia_modes_enter(LiaRunner* run, const LiaContactMode* mode);
/// Room for one more visit of a mode; NULL: memory is out.
LiaModeVisit* lia_modes_add_visit(LiaContacts* contacts);
/// The mode the run is in begins.
void lia_modes_visit(LiaRunner* run);
/// The mode the run is in.
const LiaContactMode* lia_modes_now(const LiaRunner* run);

/// The room in which all contacts are open, and the switches as they are. NULL: memory is out.
LiaModeRoom* lia_modes_open(LiaRunner* run);

// gaps.c
typedef struct LiaGaps {
    double *value, *rounding;  // by contact
} LiaGaps;
/// Has the corner that is to be crossed been crossed too often at one instant? With a verdict then.
bool lia_gaps_caught(LiaRunner* run);
/// The gaps at the state of run->w. False if memory is out; clear it in any case.
bool lia_gaps_find(const LiaRunner* run, LiaGaps* out);
/// The same of contacts that are near, and of no others.
bool lia_gaps_find_near(const LiaRunner* run, LiaGaps* out);
void lia_gaps_clear(LiaGaps* gaps);

// contact_watch.c
/// No less is a leap, whatever the terms of a gap: rounding of positions.
double lia_gaps_least(const LiaRunner* run);
/// By how much a gap is below zero at least where it has leapt: more than rounding of its terms and
/// of the positions makes of it. Below 0: memory is out.
double lia_gaps_leap(const LiaRunner* run, const LiaGaps* gaps, uint32_t contact);
/// Has no gap leapt below zero over the corner? False where the motion ends.
bool lia_gaps_go_on(LiaRunner* run);
/// The run ends: the formula of a gap leapt below zero.
void lia_gaps_say_leap(LiaRunner* run, uint32_t contact);

// response.c
typedef struct LiaResponse {
    LiaDelassus at_rest;    // level of accelerations
    LiaDelassus at_impact;  // level of velocities
    uint32_t* touching;     // the contacts                          (contacts of the LiaDelassus)
    uint32_t* moved;        // scratch: the coordinates that a row moves                      (n)
    uint32_t* row;          // of the system, by row                 (rows)
    LiaContactRows* contact;
    double *W, *acceleration, *velocity, *slip, *noise_a, *noise_v;
    double direction;  // of time in the run: 1 or -1
    double* driven;    // part of the velocity that no coordinate moves, by row      (rows)
    double* gamma;     // of J a + gamma, their acceleration                         (rows)
    double* J;         //                                                            (rows x n)
    double* Omega;     // force directions                                           (rows x n)
    double* answer;    // accelerations by a unit force                              (rows x n)
    double* free;      // accelerations without contact forces                       (n)
    double* pull;      // what accelerates a contact that has parted back, at least  (contacts)
    void* block;
} LiaResponse;
typedef enum LiaResponseFound {
    LIA_RESPONSE_FOUND,
    LIA_RESPONSE_SINGULAR,
    LIA_RESPONSE_REFUSED,  // the verdict is given
    LIA_RESPONSE_NO_MEMORY
} LiaResponseFound;
// What speeds are measured by. One that moves a coordinate by its own size in the time of the run
// is rest, if nothing was faster; where the run is short, one that accelerations reach in that way.
typedef struct LiaSpeeds {
    const LiaRunner* run;
    const LiaWorkspace* w;
    double acceleration[2], velocity[2];  // the largest, of lengths and of angles
} LiaSpeeds;
/// At the state of a workspace with accelerations.
LiaSpeeds lia_response_speeds(const LiaRunner* run, const LiaWorkspace* w);
/// The largest speed of a coordinate that was met.
double lia_response_speed(const LiaSpeeds* speeds, uint32_t coordinate);
/// How the touching contacts (`touches`, by contact) answer forces, at the state of run->w.
LiaResponseFound lia_response_make(LiaRunner* run, const bool* touches, LiaResponse* out);
/// Where accelerations of gaps are next to nothing: what rounding of positions makes of them is
/// noise, too (balls that hang side by side).
LiaResponseFound lia_response_round(LiaRunner* run, const bool* touches, LiaResponse* response);
/// Has any of its contacts friction?
bool lia_response_has_friction(const LiaResponse* response);
void lia_response_clear(LiaResponse* response);

// contacts.c
enum { LIA_CONTACTS_OTHERS = 4 };  // roundings: a gap may follow from three that touch, as of a box
/// Which contacts touch at the state of run->w; `fired`: those whose gap has just become zero too.
/// False if memory is out.
bool lia_contacts_touching(LiaRunner* run, bool fired, bool* touches);
/// Is a touching contact approached?
bool lia_contacts_approached(const LiaResponse* response, int contact);
/// From the state in run->w to one in which a step can begin, over impacts where there are.
/// `tells`: what happens is recorded. False where the motion ends: there is a verdict, or memory is
/// out.
bool lia_contacts_pass(LiaRunner* run, bool fired, bool tells);

/// The polynomials of the last step are kept while others are made, or taken `back`.
void lia_contacts_keep_step(LiaRunner* run, bool back);
/// The same from a state in which contacts are open that were closed in `before`.
bool lia_contacts_pass_from(LiaRunner* run, LiaModeRoom* before, bool fired);

// watch.c
/// The watched formulas' signs just after where the series in run->step begin: the first that is
/// Is watched formula i a component of a slip that has two? `first`: the first of them.
bool lia_contact_watch_component(const LiaRunner* run, uint32_t i, bool* first);
/// negative, -1 if none is. How many coefficients vanish is kept for the root search.
int lia_contact_watch_admissible(LiaRunner* run);

typedef enum LiaTrial {
    LIA_TRIAL_GOOD,
    LIA_TRIAL_WRONG,
    LIA_TRIAL_JAMS,  // no forces do, since sliding presses a contact together: an impact ends that
    LIA_TRIAL_NO_MEMORY
} LiaTrial;

// decide.c
/// Which mode of the contacts goes on, at a state in which no contact is approached, with all else
/// as in begins.open: run->w is in it then. WRONG: there is none, or K0 is singular; where `says`
/// there is a verdict then.
LiaTrial lia_decide_mode(LiaRunner* run, const bool* touches, bool says);

// collide.c
/// The velocities after the impact of the touching contacts, by the answers that response.c has
/// made; `jam`: without approach, by sliding that presses one of them together. False where the
/// motion ends.
bool lia_collide(LiaRunner* run, LiaResponse* response, bool jam);
/// Contacts that others press together are pulled back by them too: into response->pull, where a
/// contact is so slow that it decides. False if memory is out.
bool lia_collide_find_pull(const LiaRunner* run, LiaResponse* response);
/// No impact ends that sliding presses this contact together.
void lia_collide_say_jam(LiaRunner* run, uint32_t contact);
/// Is the flight of a contact that separates with this speed lower than positions are rounded?
bool lia_collide_flight_is_rounding(const LiaRunner* run, const LiaResponse* response, int contact,
                                    double speed);

// contact_record.c
/// One more event of what has this name; `impulse` (count): NULL if there is none. False if memory
/// is out.
bool lia_contact_record_named(LiaRunner* run, LiaEventRecord event);
/// One more event of a contact. False if memory is out.
bool lia_contact_record(LiaRunner* run, LiaEventKind kind, uint32_t contact, double t);
