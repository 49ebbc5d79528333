// Box: it touches with corners and edges, where it has no normal; no rolling of it is known here.
// SPDX-License-Identifier: MIT
#include "lang/bodies/surfaces/surface.h"

const LiaSurfaceWays lia_surface_box = {0};
