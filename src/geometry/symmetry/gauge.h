// Momenta that are constant though their coefficients depend on the position: gauge momenta
// (gauge_place.h).
//
// Looked for where the group of all combinations of the first type leaves at most one dimension of
// the positions, the shape s: the ball on a surface of revolution has two (Hermans). They are
// carried along the shape by a linear equation, and along a motion as a check: <p, Z> must be what
// it was.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/symmetry/gauge_place.h"

enum { LIA_GAUGE_POINTS = 4 };  // of the shape at which fields are shown, besides the start

typedef struct LiaGauge {
    bool known;
    const char* why;    // they are not known; NULL: there is nothing to look for
    uint32_t group;     // generators of the first type
    uint32_t shape;     // dimension of the positions beyond the orbits: 0 or 1
    uint32_t count;     // momenta
    uint32_t beyond;    // of them, those that no constant coefficients give
    double* z;          // at the start, by generator of the group          (count x group)
    double* c;          // the same by candidate                            (count x candidates)
    double *Z, *value;  // at the start: the fields, the momenta            (count x n), (count)
    double drift;       // of the momenta along a motion, of their terms
    double along;       // how long that was, in time
    uint32_t points;    // of the shape
    double *s, *q,
        *Z_s;     // length along h, positions, fields there   (points), (x n), (x count x n)
    bool affine;  // an equation does not admit rest: <p, Z> + f(s) is constant, f = 0 at the start
    double* f_s;  // f there                                  (points x count)
} LiaGauge;

/// Look for them from the state (t, q, v), the first of the samples. False if memory is out.
bool lia_gauge_find(LiaActions* actions, LiaArena* arena, const LiaSearch* search,
                    const LiaSamples* states, LiaGauge* out);
