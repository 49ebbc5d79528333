// Scene: what of a motion can be drawn, and where it is at each sample.
//
// Items come from the `draw` lines of the model, or are guessed (guess.c); contacts and forces join
// them. Every length, place and attitude is a formula of the state; they are worked out along the
// samples, each distinct one once, and become columns besides those of the trajectory.
// SPDX-License-Identifier: MIT
#pragma once
#include "expr/graph/evaluate.h"
#include "mechanics/assembly/resolve.h"
#include "mechanics/system.h"
#include "motion/result/trajectory.h"

// Where the numbers of formulas stand: columns from 0, or -1 with a number. A turn is a quaternion.
typedef struct LiaSceneSampled {
    int size_at[3], at_at[3], to_at[3], turn_at[4], slide_at[3], value_at;
    double size_is[3], at_is[3], to_is[3], turn_is[4], slide_is[3], value_is;
} LiaSceneSampled;

typedef struct LiaSceneItem {
    // sphere, box, cylinder, disk, ellipsoid, cone, surface, segment, arrow, path, point, dial, ...
    const char* kind;
    const char* name;     // NULL: none
    const char* color;    // NULL: chosen by the page
    bool driven;          // moved by an operator
    bool trail;           // a point whose way is shown
    bool open;            // others are within, or it is a part of something larger
    const char* surface;  // numbers of a surface, as JSON; NULL: none
    uint32_t contact;     // of a force, or of a place where shapes touch: 1 + the contact; 0: none
    // of a force or couple: constraint, operator, applied, potential, dissipation; NULL: none
    const char* role;
    bool shared;  // then: one of many that could stand there
    bool part;    // then: drawn things cannot show all that it does
    // then: 1 + the carrier it acts on, and the one that the opposite acts on; 0: the ground
    uint32_t on, against;
    // numbers in place of formulas, one for each of lia_scene_all_rows(); NULL: none
    const double *at_given[3], *to_given[3];
    // formulas, {0}: not there; turn is a matrix, row major
    LiaExpr size[3], at[3], to[3], turn[9], value;
    LiaExpr slide[3];  // of a plane that moves in itself: from its place to its mark, else {0}
    LiaSceneSampled sampled;
} LiaSceneItem;

typedef struct LiaSceneImpact {
    size_t event;      // of the trajectory
    uint32_t contact;  // 1 + the contact that strikes
} LiaSceneImpact;

// What a force acts on: a point, a rod (to), a body (turn).
typedef struct LiaCarrier {
    const char* name;  // NULL: none
    LiaExpr at[3], to[3], turn[9];
    LiaExpr shown[3];  // where its arrows stand, if not at its place: instruments; {0}: there
    bool drawn;
} LiaCarrier;

typedef struct LiaScene {
    const LiaTrajectory* trajectory;  // borrowed
    const LiaSystem* system;
    LiaArena* arena;
    LiaGraph* graph;  // a copy of the system's
    LiaRates rates;
    LiaResolver* resolver;
    LiaSceneItem* items;
    uint32_t count, capacity;
    LiaCarrier* carriers;
    uint32_t carrier_count;
    const char** unplaced;  // who acts on nothing that is drawn
    uint32_t unplaced_count;
    bool guessed;             // there are no `draw` lines
    bool* driven;             // by coordinate: moved by an operator    (n)
    size_t rows;              // samples, and the last state where it is no sample
    LiaSceneImpact* impacts;  // whose states are the rows after the samples
    double* impact_rows;      // their columns                      (impact_count x columns)
    size_t impact_count;
    double** extra;  // columns after those of the trajectory, `rows` numbers each
    size_t extra_count, extra_capacity;
    LiaSceneItem lost;  // where an item goes that there is no memory for
    bool failed;        // memory was out
} LiaScene;

/// Find out what can be drawn. False if memory is out.
bool lia_scene_make(LiaScene* scene, const LiaTrajectory* trajectory);
void lia_scene_clear(LiaScene* scene);
/// Rows of samples and impacts.
static inline size_t lia_scene_all_rows(const LiaScene* scene) {
    return scene->rows + scene->impact_count;
}
/// The columns of a sample, of the last state, or of an impact.
const double* lia_scene_row(const LiaScene* scene, size_t row);
/// A new item of that kind; never NULL (where memory is out: one that is not kept).
LiaSceneItem* lia_scene_add(LiaScene* scene, const char* kind, const char* name);
/// Formulas of terms; false where one is not there.
bool lia_scene_resolve(LiaScene* scene, const LiaExpr* terms, LiaExpr* out, uint32_t count);
/// Are all coordinates that the formulas depend on, one or more, moved by operators?
bool lia_scene_is_driven(LiaScene* scene, const LiaExpr* formulas, size_t count);

// scene_values.c
/// Values of formulas at some samples: out[k * count + i] at sample samples[k]. False if memory is
/// out.
bool lia_scene_values(LiaScene* scene, const LiaExpr* formulas, size_t count, const size_t* samples,
                      size_t sample_count, double* out);
/// Up to which number each formula is rounding at the end; 0 where that is not known. False if
/// memory is out.
bool lia_scene_values_rounding(LiaScene* scene, const LiaExpr* formulas, size_t count, double* out);

// scene.c
/// z turned into the unit vector n.
void lia_scene_axis_to(const double* n, double V[3][3]);

// guess/guess.c
/// Shapes for a model without `draw` lines.
void lia_guess_scene(LiaScene* scene);
