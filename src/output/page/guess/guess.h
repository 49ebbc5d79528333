// Guess: shapes for a model that draws nothing, what a mechanician would sketch from its formulas.
//
//   pivots     the places about which coordinates turn a point: joints that nobody named
//   rigid      which places stay at the same distance, whatever the motion
//   masses     places in the kinetic energy
//   expanded   rods in a kinetic energy that is multiplied out
//   polar      points in polar coordinates
//   spans      springs, ropes and legs between them
//   bodies     by their shapes or their inertia
//   others     coordinates with no place: headings, attitudes, carts, dials
// SPDX-License-Identifier: MIT
#pragma once
#include "output/page/scene.h"

enum {
    LIA_GUESS_INSTANTS = 24,  // samples at which numbers are looked at
    LIA_GUESS_POINTS = 400    // no more than these
};

typedef struct LiaGuessPoint {
    const char* name;  // NULL: none
    LiaExpr at[3];
    bool mass;     // it has kinetic energy, or is asked for its velocity
    bool shown;    // else: a place with a name, to be used where it carries something
    bool drawn;    // a body, or as something else already
    bool still;    // does not move
    bool carried;  // its pivot was looked for
    int rods;
    LiaExpr turn[9];  // the attitude of a body; {0}: none
    double where[LIA_GUESS_INSTANTS + 1][3];
} LiaGuessPoint;

typedef struct LiaGuessRod {
    uint32_t a, b;  // points
    bool thin;      // a spring, a rope, a leg: as long as it is
    bool spring;
} LiaGuessRod;

typedef struct LiaGuess {
    LiaScene* scene;
    LiaGraph* g;
    const LiaModel* m;
    const LiaSystem* s;
    size_t instants[LIA_GUESS_INSTANTS + 1];
    size_t instant_count;
    LiaGuessPoint* points;
    uint32_t count;
    LiaGuessRod* rods;
    uint32_t rod_count;
    struct LiaFreedom* freedom;  // guess_rigid.c
    bool* fast;    // by coordinate: its velocity is squared in the kinetic energy    (n)
    bool* merged;  // by coordinate: it moves a place that is another's as well       (n)
    int lone;      // x, y (z) of the coordinates: 1 + the point, 0 none, -1 several
} LiaGuess;

// guess.c
static inline LiaExpr lia_guess_zero(const LiaGuess* guess) {
    return lia_graph_integer(guess->g, 0);
}
/// The point there, an old one where there is one; NULL where it is not known at all instants or
/// there are too many.
LiaGuessPoint* lia_guess_point(LiaGuess* guess, const char* name, const LiaExpr* at);
double lia_guess_distance(const double* a, const double* b);
/// Which coordinates formulas depend on: raises seen[i].
void lia_guess_depends(LiaGuess* guess, const LiaExpr* formulas, size_t count, bool* seen);
/// Do formulas change along the motion?
bool lia_guess_moves(LiaGuess* guess, const LiaExpr* formulas, size_t count);
void lia_guess_rod(LiaGuess* guess, uint32_t a, uint32_t b);
void lia_guess_span(LiaGuess* guess, uint32_t a, uint32_t b, bool spring);

// guess_pivots.c
/// Rods from every point shown to what carries it, and on to what carries that.
void lia_guess_pivots_carry(LiaGuess* guess);

// guess_rigid.c
/// Do two places stay at the same distance, not 0, in every admissible motion? b NULL: the origin.
bool lia_guess_rigid_is_rigid(LiaGuess* guess, const LiaGuessPoint* a, const LiaGuessPoint* b);
void lia_guess_rigid_clear(LiaGuess* guess);

// guess_masses.c
/// x of the formula x^2 of the model; {0}: no square.
LiaExpr lia_guess_masses_root(const LiaModel* model, LiaExpr f);
/// Places of the kinetic energy, and those with a name that may carry them.
void lia_guess_masses(LiaGuess* guess);
/// x, y (z) of the coordinates; `all`: without kinetic energy too.
void lia_guess_masses_plain(LiaGuess* guess, bool all);

// guess_expanded.c
/// Rods of a kinetic energy that is multiplied out; are there any?
bool lia_guess_expanded(LiaGuess* guess);

// guess_polar.c
/// Points whose kinetic energy is written in polar coordinates; are there any?
bool lia_guess_polar(LiaGuess* guess);

// guess_spans.c
/// Springs, ropes and legs.
void lia_guess_spans(LiaGuess* guess);

// guess_bodies.c
void lia_guess_bodies(LiaGuess* guess);
/// Once rods are known.
void lia_guess_bodies_draw(LiaGuess* guess);
/// The edges or radii of an item, as numbers.
void lia_guess_bodies_size(LiaGuess* guess, LiaSceneItem* item, double a, double b, double c);

// guess_coordinates.c
/// Carts for coordinates along which points are moved.
void lia_guess_coordinates_carts(LiaGuess* guess);
/// A cart where the point goes straight with one coordinate; false where it does not.
bool lia_guess_coordinates_cart(LiaGuess* guess, LiaSceneItem* item, const LiaExpr* at);
/// A heading for the one point of the plane; attitudes.
bool lia_guess_coordinates_heading(LiaGuess* guess, const LiaExpr* at);
void lia_guess_coordinates_groups(LiaGuess* guess);
/// What moves and is not seen: bars on the one point of the plane, dials and sliders.
void lia_guess_coordinates_instruments(LiaGuess* guess);
