// How much of a surface is seen: functions of a place, where a shape is touched, the region around.
//
// What is seen of an open surface is round about the places where it is touched: a cylinder along
// the vertical, or what of it is within a box. A closed one is sought in larger and larger boxes
// until all of their sides are outside.
// SPDX-License-Identifier: MIT
#pragma once
#include "output/page/scene.h"

enum { LIA_SURFACE_PLACES_MOST = 600 };

typedef struct LiaSurfaceFrame {
    LiaExpr centre[3], attitude[9];  // of the shape; {0} attitude: does not turn
    bool turns;
} LiaSurfaceFrame;

typedef struct LiaSurfaceFunction {
    LiaScene* scene;
    LiaValues values;
    LiaExpr formula[3];
    int count;
} LiaSurfaceFunction;

typedef struct LiaSurfaceRegion {
    double low[3], high[3];
    bool closed;
    int axis;                  // of the cylinder that cuts it; -1: none
    double middle[3], radius;  // of that cylinder
} LiaSurfaceRegion;

typedef struct LiaSurfacePlaces {
    double u[LIA_SURFACE_PLACES_MOST][3];  // in the axes of the shape
    size_t count;
} LiaSurfacePlaces;

/// Up to three functions of a place. False if memory is out; release with lia_evaluate_clear().
bool lia_surface_seen_function(LiaSurfaceFunction* f, LiaScene* scene, const LiaExpr* formulas,
                               int count);
void lia_surface_seen_at(LiaSurfaceFunction* f, const double* u, double* out);
double lia_surface_seen_value(LiaSurfaceFunction* f, double x, double y, double z);
/// Add places along the motion, seen from the shape; the places of all constraints.
void lia_surface_seen_take(LiaScene* scene, const LiaSurfaceFrame* frame, const LiaExpr* at,
                           LiaSurfacePlaces* out);
void lia_surface_seen_take_all(LiaScene* scene, const LiaSurfaceFrame* frame,
                               LiaSurfacePlaces* out);
/// Keep those on the surface: |f| relative to what f is around it.
void lia_surface_seen_keep_on(LiaSurfaceFunction* f, LiaSurfacePlaces* places);
/// What is shown of f = 0; `vertical` is an axis, or -1.
LiaSurfaceRegion lia_surface_seen_region(LiaSurfaceFunction* f, const LiaSurfacePlaces* places,
                                         int vertical);
