// The curvature of the kinetic connection as a map of colours and contours, under a loop.
// SPDX-License-Identifier: MIT
#pragma once
#include "output/plot/layout.h"
#include "study/curvature.h"

enum { LIA_CURVATURE_MAP_TAKEN = 440 };  // pixels of the line of the legend: its scale

typedef struct LiaCurvatureMap {
    const LiaTrajectory* run;
    LiaCurvature F;
    double size;  // largest |F|: full colour
} LiaCurvatureMap;

/// Draw a LiaCurvatureMap as a layer (svg.h). False if memory is out.
bool lia_curvature_map_draw(void* context, const LiaLayout* layout, LiaText* out);
