// liaison: mechanical systems in which somebody acts on the constraints.
//
// The way of the data is the order of the calls: a text becomes a model, a model a system, a system
// a motion, a motion something to look at.
//
//     LiaDiags* diags = lia_diags_create();
//     LiaModel* model;  LiaSystem* system;  LiaTrajectory* motion;
//     if (lia_model_read("skater.lia", NULL, diags, &model) == LIA_OK &&
//         lia_system_build(model, NULL, diags, &system) == LIA_OK &&
//         lia_motion_run(system, NULL, diags, &motion) == LIA_OK) {
//         lia_output_csv(motion, "skater.csv");
//     }
//
// Who creates destroys. A model must outlive its systems, a system its motions. Nothing here prints
// or exits; what is wrong is said in the diagnostics and in the status. Models and systems are
// constant once made: several threads may run one system.
//
// Wrong arguments do no harm. A function that gives a status gives LIA_ARGUMENT for NULL where
// nothing says that it may be NULL, for numbers that are not finite or out of their range, for
// values that an enum does not have, and for a NULL array with a count; *out is NULL then, and
// nothing was done or said. A function that asks something of NULL gives 0, NULL, NAN or false; so
// does one that asks for an index out of range. Functions that destroy take NULL. Pointers that are
// not NULL must lead to what they say: that cannot be checked.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LIA_VERSION "0.1.0"

typedef enum LiaStatus {
#define LIA_STATUS(id, text) LIA_##id,
#include "status.def"
#undef LIA_STATUS
} LiaStatus;

/// LIA_VERSION of the library that is linked, which may be another than that of the header.
const char* lia_version(void);
/// Options are structs that may be all zero. Those of later versions take the place of `more`,
/// which must be zero: so a program that was compiled before goes on with a later library, and one
/// that asks an earlier library for what it does not know gets LIA_ARGUMENT (NULL from
/// lia_explain()).
enum { LIA_MORE = 8 };

/// The sentence that belongs to a status; "an unknown status" for one that is none. Never NULL.
const char* lia_status_text(LiaStatus status);
/// Release a text that a function of this header returned. NULL is allowed.
void lia_free(char* text);
/// A text of somebody else's (a name of a file, a title) as a terminal may show it: controls, marks
/// of direction and characters that are not seen become their numbers, <U+001B>; line feeds and
/// tabs too unless `lines`. Texts for people that come from this library are such already. Release
/// with lia_free(). NULL if memory is out.
char* lia_plain_text(const char* text, bool lines);
/// The same without memory: as much of it as has room in `shown`, with a closing NUL, `room` at
/// least 32. Returns what is left.
const char* lia_plain_some(const char* text, bool lines, char* shown, size_t room);

// --- budget: when to end early -----------------------------------------------------------------

typedef struct LiaBudget {
    double seconds;  // by the clock, from the call of lia_budget_set() on; 0: no limit
    uint64_t bytes;  // of memory that the library has in use; 0: no limit
    /// Not 0: end, say because a signal came. Looked at all the time, so that it must outlive the
    /// budget. NULL: never. For a flag that another thread raises: lia_interrupt_flag().
    const volatile int* interrupt;
    uint64_t more[LIA_MORE];
} LiaBudget;

typedef enum LiaSpent {  // why calls ended early
    LIA_SPENT_NOTHING,   // they did not
    LIA_SPENT_INTERRUPT,
    LIA_SPENT_TIME,
    LIA_SPENT_MEMORY,
    LIA_SPENT_STEPS,  // of a motion: `steps_most` of its options
} LiaSpent;

/// What the calls of this thread may spend from now on, until it is called again; NULL: no limits.
/// Once something is spent, and in calls that are under way within a fraction of a second, reading,
/// building, starting and explaining give LIA_STOPPED (or NULL) and nothing else; a motion ends in
/// the state that was reached. What was reached can always be written. LIA_ARGUMENT, and the budget
/// is as it was, if `seconds` is negative or not a number.
LiaStatus lia_budget_set(const LiaBudget* budget);
/// What of the budget was spent: why calls of this thread ended early.
LiaSpent lia_budget_spent(void);

// --- diagnostics -------------------------------------------------------------------------------

typedef struct LiaDiags LiaDiags;  // what is wrong in a model text, with its place

/// An empty list. NULL if memory is out.
LiaDiags* lia_diags_create(void);
void lia_diags_destroy(LiaDiags* diags);
/// How many there are, warnings included; how many of them are errors.
size_t lia_diags_count(const LiaDiags* diags);
size_t lia_diags_errors(const LiaDiags* diags);
/// All of them as text: file, line, column, the line underlined, the advice; "" if there are none.
/// Release with lia_free(). NULL if memory is out.
char* lia_diags_text(const LiaDiags* diags);

typedef enum LiaSeverity { LIA_ERROR, LIA_WARNING, LIA_NOTE } LiaSeverity;

// One diagnostic. Its texts live as long as the list, or until something is added to it.
typedef struct LiaMessageInfo {
    const char* code;  // "E0213"; docs/errors.md has an entry for each
    LiaSeverity severity;
    const char* message;  // a sentence
    const char* help;     // what to write instead; NULL: nothing to advise
    const char* file;     // the name of the text; NULL: there is none
    int line,
        column;     // where it begins, from 1, in characters; 0: it is about no place of the text
    size_t length;  // characters
} LiaMessageInfo;

/// One of them, counted from 0 in the order in which they were found. `size` is that of the struct,
/// see inventory.h. False beyond the last.
bool lia_diags_message(const LiaDiags* diags, size_t index, LiaMessageInfo* info, size_t size);

// --- model: what the text says -----------------------------------------------------------------

typedef struct LiaModel LiaModel;

typedef struct LiaDefine {  // a parameter's value from outside: -D NAME=VALUE
    const char* name;
    double value;  // finite
} LiaDefine;

typedef struct LiaDefines {
    const LiaDefine* list;
    size_t count;
} LiaDefines;

/// Read and check a model file; "-" reads standard input. `defines` NULL: there are none.
/// LIA_OK; LIA_MODEL with errors in the diagnostics; LIA_FILE with errno; LIA_STOPPED where the
/// budget is spent; LIA_MEMORY. There is a model only with LIA_OK.
LiaStatus lia_model_read(const char* path, const LiaDefines* defines, LiaDiags* diags,
                         LiaModel** out);
/// The same from a text in memory; `name` is what messages call it. The text need not end with a
/// NUL, and is not needed any more after the call.
LiaStatus lia_model_parse(const char* name, const char* text, size_t length,
                          const LiaDefines* defines, LiaDiags* diags, LiaModel** out);
void lia_model_destroy(LiaModel* model);
/// As the `model` line says, or by the name of the file. It lives as long as the model.
const char* lia_model_name(const LiaModel* model);

// --- system: the mechanics ---------------------------------------------------------------------

typedef struct LiaSystem LiaSystem;

typedef enum LiaForces {  // where the forces of a constraint act
    LIA_FORCES_IDEAL,     // along the gradient of left minus right
    LIA_FORCES_CHETAEV,   // the same, also where the equation is nonlinear in the velocities
    LIA_FORCES_GIVEN,     // as the forms of the model say
} LiaForces;

typedef struct LiaRuleChange {  // the same admissible states, other forces
    const char* constraint;     // a constraint or operator of the model, by its name
    LiaForces forces;
} LiaRuleChange;

typedef struct LiaSystemOptions {
    bool no_eliminate;  // keep driven coordinates as unknowns: the same motion by another way
    const LiaRuleChange* rules;  // instead of what the model says; NULL: as it says
    size_t rule_count;
    uint64_t more[LIA_MORE];
} LiaSystemOptions;

/// Derive the equations. `options` may be NULL. The model is borrowed and must outlive the system.
/// The diagnostics are those the model was read with, or new ones. LIA_OK, LIA_MODEL, LIA_STOPPED,
/// LIA_MEMORY; there is a system only with LIA_OK.
LiaStatus lia_system_build(const LiaModel* model, const LiaSystemOptions* options, LiaDiags* diags,
                           LiaSystem** out);
void lia_system_destroy(LiaSystem* system);

// --- motion ------------------------------------------------------------------------------------

typedef struct LiaTrajectory LiaTrajectory;
typedef struct LiaState LiaState;  // positions and velocities of a model at an instant

/// A state from a file that `run --json` wrote, or from any JSON object with names and numbers
/// under "state" (and "t"), or of such names alone; "-" reads standard input. `diags` are about
/// this file: not those of the model. LIA_MODEL if it is no such file or has names that the model
/// does not have; names that are missing are a warning. The model is borrowed and must outlive the
/// state.
LiaStatus lia_state_load(const char* path, const LiaModel* model, LiaDiags* diags, LiaState** out);
/// The same from a text in memory; `name` is what messages call it. There is a state only with
/// LIA_OK.
LiaStatus lia_state_parse(const char* name, const char* text, size_t length, const LiaModel* model,
                          LiaDiags* diags, LiaState** out);
/// The state in which a motion ended. NULL if memory is out.
LiaState* lia_state_of(const LiaTrajectory* trajectory);
void lia_state_destroy(LiaState* state);

typedef struct LiaProgress {
    double t, t0, t1;  // where the motion is
    uint64_t steps;
    double step;      // size of the last step
    double seconds;   // spent so far
    double residual;  // largest scaled constraint residual of the last step
    double stiff;     // rate of something small that decides the steps, in 1/s; 0: there is none
    double rate;      // of the fastest vibration, 2 pi times its frequency, in 1/s; an estimate
} LiaProgress;

typedef struct LiaRunOptions {
    const LiaState* from;  // begin here, at its time; works count from 0. NULL: as the model says
    const double* until;   // finite. NULL: as the model says
    double tolerance;  // taken as 1e-16 at least and 1e-2 at most. 0: as the model says, or 1e-12
    uint32_t samples;  // 0: as the model says, or 1001
    double every;      // 0: as the model says
    // no step is longer than this. 0: as the model says, or as long as the series allow
    double step_most;
    // steps are this part, up to 1, of those that the series allow: to check a run. 0: 1
    double step_part;
    int order;            // 2 to 60, less for very long or short runs. 0: chosen from the tolerance
    uint64_t steps_most;  // 0: no limit
    const char* checkpoint;  // a file from which the same run can go on; NULL: none is written
    // seconds between two of them; 0: 60. The first and the last are written in any case
    double checkpoint_every;
    // go on from such a file, of the same build, model and options; NULL: begin
    const char* resume;
    /// Called now and then while the motion is computed. NULL: not called.
    void (*progress)(void* context, const LiaProgress* progress);
    void* context;
    /// Looked at after every step: not 0 stops the run cleanly, and later what pictures of the
    /// trajectory compute, so that it must outlive the trajectory. NULL: never. For a flag that
    /// another thread raises: lia_interrupt_flag().
    const volatile int* interrupt;
    /// Keep the polynomials of every step in memory: lia_trajectory_at() then gives the state at
    /// any time. A step takes some 40 bytes for each coefficient of the series and coordinate.
    bool keep_steps;
    uint64_t more[LIA_MORE];
} LiaRunOptions;  // all zero: as the model says

/// Run the motion; `options` may be NULL. LIA_OK, LIA_STOPPED and LIA_FAILED all give a trajectory
/// with what was reached; LIA_MODEL (say, a start that contradicts the constraints), LIA_MEMORY,
/// and LIA_STOPPED where it was ended before the first step, give none. LIA_ARGUMENT also for a
/// state `from` of another model.
LiaStatus lia_motion_run(const LiaSystem* system, const LiaRunOptions* options, LiaDiags* diags,
                         LiaTrajectory** out);
/// The same, and once more with steps at most half as long and series of another order: what the
/// two runs differ in belongs to the trajectory, which is that of the first, and stands in the
/// summary and in the JSON. Where they differ by more than the tolerance explains, a warning
/// (W0414) is among the diagnostics. `steps_most` is for the first; the second may take four times
/// as many.
LiaStatus lia_motion_check(const LiaSystem* system, const LiaRunOptions* options, LiaDiags* diags,
                           LiaTrajectory** out);
/// Look for what the motion keeps though nobody named it: momenta and moving energies of evident
/// symmetries, functions that kinematic equations keep. Found at other states and confronted with
/// the motion, they stand with their drift among what is conserved, in the summary and in the JSON.
/// In small systems without contacts; in others nothing is looked for. LIA_MEMORY: the motion is as
/// it was.
LiaStatus lia_kept_find(LiaTrajectory* trajectory);
void lia_trajectory_destroy(LiaTrajectory* trajectory);

/// Rows are the samples, columns what stands in the CSV.
size_t lia_trajectory_rows(const LiaTrajectory* trajectory);
size_t lia_trajectory_columns(const LiaTrajectory* trajectory);
/// "t", "x", "x'", an observed name, "force(blade)", "power(twist)", ... NULL beyond the last.
const char* lia_trajectory_column(const LiaTrajectory* trajectory, size_t column);
/// NAN beyond the last row or column, and where there is no value.
double lia_trajectory_value(const LiaTrajectory* trajectory, size_t row, size_t column);
/// A number at the end of the motion by its name: a column, or work(NAME), residual(NAME), balance,
/// regularity, energy, kinetic, potential, momentum(NAME). False if there is none; then *value is
/// as it was.
bool lia_trajectory_final(const LiaTrajectory* trajectory, const char* name, double* value);
/// done, stopped or failed; the reason in words, or NULL where all went well.
const char* lia_trajectory_status(const LiaTrajectory* trajectory);
const char* lia_trajectory_reason(const LiaTrajectory* trajectory);
/// Of lia_motion_check(), in a word: "rounding" (the two runs agree to rounding), "agrees" (to 1e-6
/// of the largest values or better), "chaos" (they part, since differences grow exponentially),
/// "differs", "ends" (for different reasons), "unfinished" (there is no second run, or not all of
/// it). NULL for a motion that was not checked.
const char* lia_trajectory_check(const LiaTrajectory* trajectory);
/// From this time on the two differ by more than 1e-6; NAN: nowhere, or not checked.
double lia_trajectory_parting(const LiaTrajectory* trajectory);
/// The number of the second run minus that of the first at the end, by its name: a column,
/// work(NAME), momentum(NAME). NAN where the two did not end alike. False if there is none; then
/// *value is as it was.
bool lia_trajectory_difference(const LiaTrajectory* trajectory, const char* name, double* value);
/// What ended the motion early where that was a signal or a budget; LIA_SPENT_NOTHING where it was
/// neither.
LiaSpent lia_trajectory_spent(const LiaTrajectory* trajectory);

// --- study: motions side by side ---------------------------------------------------------------

typedef struct LiaComparison LiaComparison;

typedef struct LiaDifference {  // of a quantity that has the same name in two motions a and b
    const char* name;           // a column: "x", "x'", "energy", "force(blade)", "power(twist)"
    // the first sample at which they differ by more than 1e-6 of the scale; NAN: none
    double first;
    double largest, largest_t;  // largest distance, and when
    double start, end;          // b - a at the first and the last common sample
    double a, b;                // values at the last common sample
    double scale;               // largest size in both motions, or what is little for its kind
} LiaDifference;

/// Run two systems over the same time, the nearer end unless `options` say otherwise (may be NULL;
/// `from` is not for two), and compare all that has the same name. Each has the diagnostics of its
/// model; they may be the same. LIA_OK, LIA_STOPPED and LIA_FAILED (of either) give a comparison up
/// to where both got; LIA_STOPPED gives none where one did not begin.
LiaStatus lia_compare(const LiaSystem* a, const LiaSystem* b, const LiaRunOptions* options,
                      LiaDiags* diags_a, LiaDiags* diags_b, LiaComparison** out);
void lia_comparison_destroy(LiaComparison* comparison);
size_t lia_comparison_count(const LiaComparison* comparison);
/// NULL beyond the last.
const LiaDifference* lia_comparison_at(const LiaComparison* comparison, size_t i);
/// By its name; NULL if not both have it.
const LiaDifference* lia_comparison_find(const LiaComparison* comparison, const char* name);
/// The position or velocity in which they part first; NULL if they do not.
const LiaDifference* lia_comparison_part(const LiaComparison* comparison);
/// The motions themselves, 0 and 1; they live as long as the comparison. NULL for another side.
const LiaTrajectory* lia_comparison_motion(const LiaComparison* comparison, int side);

// --- study: what a loop leaves behind ----------------------------------------------------------

typedef struct LiaHolonomy LiaHolonomy;

typedef struct LiaHolonomyOptions {
    /// "s1 = cos(u), s2 = sin(u), u = 0..2*pi": what the coordinates of the base go through,
    /// instead of what their operators say; formulas of the parameter, or of t. NULL: the
    /// operators' own.
    const char* loop;
    const double* until;  // the time of the end, where the loop closes. NULL: as the model says
    double tolerance;     // of the motions; 0: 1e-15
    uint64_t more[LIA_MORE];
} LiaHolonomyOptions;  // all zero: as the model says

// What one loop changes of a coordinate of the fibre: by several ways. NAN: not known.
typedef struct LiaHolonomyPart {
    const char* name;         // of the coordinate
    double line, line_error;  // by the lift of the loop; change by the last refinement
    double area, area_error;  // minus the curvature integrated over the inside
    double dynamics;          // by a motion that begins without momentum
    double total;             // by the motion with the momentum of the model's start
    double dynamic;           // of that: the momentum over the inertia, integrated over the time
    double momentum;          // by connection and momentum equation, without momentum at first
} LiaHolonomyPart;

typedef struct LiaHolonomyTurn {  // what one loop turns an attitude by, by the lift
    const char* name;             // of the rotation
    double angle;                 // from 0 to pi
    double vector[3];             // axis times angle, in the body axes of the beginning
} LiaHolonomyTurn;

// What one loop moves the whole by, by the lift: a rigid motion g of the plane or of space that the
// connection is carried along by. k loops move it by g^k.
typedef struct LiaHolonomyMove {
    const char* group;  // "SE(2)", "SE(3)"; "SO(2)", "SO(3)": about the origin alone
    double angle;       // it turns by: in the plane of any size, in space from 0 to pi
    double axis[3];     // about this direction; NAN: it does not turn
    double centre[3];   // through this point, the nearest to the origin; NAN: it does not turn
    double along;       // and moves along the axis by this; NAN: it does not turn
    double shift[3];    // the origin moves by this
    // how far the fibre ends from g q0, relative: more than rounding, more happened
    double left;
    const char* plane[2];  // the coordinates of the plane: turned from the first to the second, the
                           // way of its angles; NULL: the axes x, y, z of space
} LiaHolonomyMove;

/// The holonomy of the kinetic connection along a closed curve of what operators drive. `options`
/// may be NULL. The diagnostics are new ones: what they say of a loop is about the text of the
/// model with the loop in it. LIA_OK, also where a lift does not exist or a motion ends early: that
/// is the answer then; LIA_MODEL where there is no loop or no connection; LIA_STOPPED; LIA_MEMORY.
/// There is an answer only with LIA_OK. The system must outlive it.
LiaStatus lia_holonomy(const LiaSystem* system, const LiaHolonomyOptions* options, LiaDiags* diags,
                       LiaHolonomy** out);
void lia_holonomy_destroy(LiaHolonomy* holonomy);
/// Coordinates of the fibre: all that are not driven.
size_t lia_holonomy_count(const LiaHolonomy* holonomy);
/// NULL beyond the last.
const LiaHolonomyPart* lia_holonomy_at(const LiaHolonomy* holonomy, size_t i);
/// Of attitudes in the fibre, from the first on; NULL beyond the last, and where there is no lift.
const LiaHolonomyTurn* lia_holonomy_turn(const LiaHolonomy* holonomy, size_t i);
/// NULL: no such group was found, or there is no lift.
const LiaHolonomyMove* lia_holonomy_move(const LiaHolonomy* holonomy);
/// When the lift ends early, since it runs away or is not determined; NAN: it does not.
double lia_holonomy_lift_end(const LiaHolonomy* holonomy);
/// Of the motion that begins without momentum: the largest part of its kinetic energy that momentum
/// of the fibre has. 0: the motion follows the connection. NAN: there is none.
double lia_holonomy_share(const LiaHolonomy* holonomy);

typedef struct LiaReduceOptions {
    const char* by;    // names of symmetries, separated by commas; of a family all members
    bool reconstruct;  // also what the group moves
    uint64_t more[LIA_MORE];
} LiaReduceOptions;

/// The system divided by a group of symmetries of the first type, as the text of a model of a phase
/// space, which can be read and run. NULL with diagnostics where it cannot be divided, NULL without
/// where memory is out or the budget is spent. Release with lia_free().
char* lia_reduce(const LiaSystem* system, const LiaReduceOptions* options, LiaDiags* diags);

// --- output ------------------------------------------------------------------------------------

typedef struct LiaTextStyle {
    bool colour;    // terminal colours
    int width;      // columns of the terminal; 0 or less: 80
    bool pictures;  // small plots
    bool ascii;     // nothing beyond ASCII: the terminal does not show UTF-8
} LiaTextStyle;

/// Could a result be written there? `reads` are paths of files that must not be replaced ("-": what
/// standard input comes from). LIA_OK, or LIA_FILE with errno: EEXIST says that it is one of them,
/// whatever the path to it.
LiaStatus lia_output_possible(const char* path, const char* const* reads, size_t read_count);
/// The samples as CSV, 17 digits. "-" is standard output. Written whole or not at all: after
/// LIA_FILE errno says why, and nothing is left behind. The files of the model and of its state are
/// never replaced: EEXIST.
LiaStatus lia_output_csv(const LiaTrajectory* trajectory, const char* path);
/// The result as one JSON object. Release with lia_free(). NULL if memory is out.
char* lia_output_json(const LiaTrajectory* trajectory);
/// The result for people; why a run failed is lia_output_reason(). `style` may be NULL: plain,
/// without pictures. Release with lia_free(). NULL if memory is out.
char* lia_output_summary(const LiaTrajectory* trajectory, const LiaTextStyle* style);
/// Why a run that is not done ended, as a diagnostic: file, line, the line underlined; "" for one
/// that is done. Release with lia_free(). NULL if memory is out.
char* lia_output_reason(const LiaTrajectory* trajectory);
/// The `plot` lines of the model as SVG files STEM.svg, STEM-2.svg, ... Returns how many were
/// written in *count (may be NULL); the paths are joined by newlines in *paths (may be NULL;
/// release with lia_free()).
LiaStatus lia_output_svg(const LiaTrajectory* trajectory, const char* stem, size_t* count,
                         char** paths);

/// Both: the CSV and the pictures of a motion, which belong together; either may be NULL. With
/// both, a motion with events gets them as STEM-events.csv as well. *count is how many files were
/// written (may be NULL), *paths as above. LIA_MEMORY: none of them was, and what stood there
/// before stands there still. LIA_FILE: those that could be written are there.
LiaStatus lia_output_files(const LiaTrajectory* trajectory, const char* csv, const char* stem,
                           size_t* count, char** paths);

typedef enum LiaPictureKind {  // what is drawn under the path of a motion
    // "x,y": the directions that the constraints leave, along the path of y over x
    LIA_PICTURE_DISTRIBUTION,
    // "x": motions from other starts in the plane (x, x'), one free degree of freedom
    LIA_PICTURE_PORTRAIT,
    // "a,b" or "a,b,x": curvature of the kinetic connection over two driven coordinates, of x
    LIA_PICTURE_CURVATURE,
} LiaPictureKind;

/// A field picture as an SVG file; "-" is standard output. `names` says of which coordinates, NULL:
/// chosen. LIA_ARGUMENT where the system has no such picture: then *why says so in words (may be
/// NULL; release with lia_free()). The system of the motion must be there still. LIA_FILE as for
/// lia_output_csv().
LiaStatus lia_output_picture(const LiaTrajectory* trajectory, LiaPictureKind picture,
                             const char* names, const char* path, char** why);

/// The motion as one page for a browser, with all it needs in it. `page` is the template that the
/// program brings along (`liaison` has it, made from the folder web), `length` its bytes. LIA_FILE
/// as for lia_output_csv(), and with EINVAL where the template is none.
LiaStatus lia_output_page(const LiaTrajectory* trajectory, const char* page, size_t length,
                          const char* path);
/// What such a page is given, as JSON: the model, the samples, the scene, the equations. Release
/// with lia_free(). NULL if memory is out.
char* lia_output_page_data(const LiaTrajectory* trajectory);

/// Two motions side by side, for people (`style` may be NULL) and as one JSON object. Release with
/// lia_free(). NULL if memory is out.
char* lia_output_compare(const LiaComparison* comparison, const LiaTextStyle* style);
char* lia_output_compare_json(const LiaComparison* comparison);

/// The holonomy of a loop, for people (`style` may be NULL) and as one JSON object. Release with
/// lia_free(). NULL if memory is out.
char* lia_output_holonomy(const LiaHolonomy* holonomy, const LiaTextStyle* style);
char* lia_output_holonomy_json(const LiaHolonomy* holonomy);

typedef enum LiaExplainFormat {
    LIA_EXPLAIN_TEXT,
    LIA_EXPLAIN_LATEX,
    LIA_EXPLAIN_JSON
} LiaExplainFormat;

typedef struct LiaExplainOptions {
    LiaExplainFormat format;
    bool at_start;  // also the motion at the start of the model: its field and where it comes from
    // the same at "t = 1, x = 2, x' = 3"; values not given are chosen. NULL: nowhere
    const char* at;
    uint32_t samples;    // regularity also on so many admissible states, chosen at random. 0: none
    LiaTextStyle style;  // of the text
    const char* base;  // names of the statements whose left sides are the base. NULL: the operators
    uint64_t more[LIA_MORE - 1];
} LiaExplainOptions;  // all zero: what the system is, as text

/// Say what a system is: dimensions, the kind of each constraint, regularity, the energy law,
/// symmetries, Hamiltonian, equations of motion, forces; with a state also the parts of the motion
/// there. `options` may be NULL. NULL with diagnostics where the state cannot be, NULL without
/// where memory is out or the budget is spent. Release with lia_free().
char* lia_explain(const LiaSystem* system, const LiaExplainOptions* options, LiaDiags* diags);

/// What stands at a border of the data's way: stage is lang, expr, mechanics or tape. `system` may
/// be NULL for lang. NULL for an unknown stage. Release with lia_free().
char* lia_dump(const LiaModel* model, const LiaSystem* system, const char* stage);

#ifdef __cplusplus
}
#endif

#include "allocator.h"  // IWYU pragma: export
#include "evaluate.h"
#include "interrupt.h"
#include "inventory.h"
#include "parameters.h"  // IWYU pragma: export
#include "run.h"         // IWYU pragma: export
#include "state.h"
#include "trajectory.h"
