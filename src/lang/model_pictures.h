// What a model says for plots, pictures and pages; parts of LiaModel (lang/model.h).
// SPDX-License-Identifier: MIT
#pragma once
#include "base/text/diag.h"
#include "expr/graph/graph.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct LiaCurve {
    LiaExpr term;
    const char* label;  // as written
    const char* unit;   // NULL if unknown
} LiaCurve;
typedef struct LiaPlot {
    LiaCurve x;  // term 0: over t
    const LiaCurve* curves;
    uint32_t count;
    LiaSpan span;
} LiaPlot;

// What `draw` says; rows of drawings.def. Lengths and places may change along the motion.
typedef enum LiaDrawingKind {
#define LIA_DRAWING(id, word, fewest, most, usage) LIA_DRAWING_##id,
#include "lang/statements/drawing.def"
#undef LIA_DRAWING
    LIA_DRAWING_COUNT
} LiaDrawingKind;

typedef struct LiaDrawing {
    LiaDrawingKind kind;
    const char* name;     // "wheel[2]"; NULL: not said
    LiaExpr size[3];      // radius; three edges; radius and height
    LiaExpr place[3];     // the centre; where a segment begins; the point of a path
    LiaExpr end[3];       // of a segment or an arrow
    LiaExpr attitude[9];  // row major; 0: does not turn
    const char* color;    // NULL: chosen by the page
    LiaSpan span;
} LiaDrawing;

// A body, for pictures: its energies and forces stand with all others.
typedef struct LiaBody {
    const char* name;
    bool free;            // its position and attitude are coordinates of its own
    LiaExpr mass;         // 0: an outside body
    LiaExpr inertia[9];   // row major, body axes; 0: a point, or an outside body
    LiaExpr position[3];  //
    LiaExpr attitude[9];  // row major; 0: a point
    LiaSpan span;
} LiaBody;

// What a body looks like where a joint of shapes said so, for pictures.
typedef struct LiaShape {
    const char* word;     // "sphere", "disk", "cylinder", "cone", "ellipsoid", "box", "plane", ...
    const char* body;     // its name; NULL: the ground
    LiaExpr centre[3];    // in space axes
    LiaExpr attitude[9];  // row major, with how the shape is turned in the body; 0: does not turn
    LiaExpr axis[3];      // in these axes; 0: none
    LiaExpr size[3];      // radius; radius and height; half angle; three semi-axes or edges
    LiaExpr function[3];  // in these axes, of the symbols DISPLACEMENT: f, negative inside, of a
                          // "surface"; the point whose normal they are, of a "support"
    bool hollow;          // the other body is within
} LiaShape;

// Where a constraint acts: velocity(A, P) = velocity(B, P) at P, point(A, u) = point(B, w) there, a
// joint at its point. Its multipliers are a force there: the sum of mu times `forces`, or mu itself
// where there are three.
typedef struct LiaPlace {
    uint32_t constraint;
    uint32_t first, count;  // its equations
    LiaExpr at[3];
    const LiaExpr* forces;   // three for each equation; NULL: the unit vectors
    const LiaExpr* couples;  // likewise; NULL: none
} LiaPlace;

typedef struct LiaGravity {
    double value[3];   // at t = 0; all 0 where there is none
    LiaExpr terms[3];  // 0: none, or not constant
} LiaGravity;
