// The functions that the integrable part of the equations keeps, by quadrature.
//
// Around the start the leaves of the last distribution of the Lie flag, E, are graphs y = y(x): as
// many coordinates y as E has codimension, and on each leaf dy = Y(x, y) dx. A leaf is given by the
// y with which it meets x = x0, the x of the start: from any position (x, y) of it dy = Y dx is
// integrated along the straight way from x to x0. By Frobenius' theorem the way does not matter, so
// these y are functions of the position that every admissible motion keeps. That they stay what
// they are along a motion, another way on the same leaf, is looked at.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct LiaLeaf {
    bool known;
    uint32_t count;        // functions that are kept
    uint32_t* coordinate;  // y of each                                                  (count)
    double* value;         // on the leaf of the start: what they are there              (count)
    double* back;          // as found from the last position, by quadrature             (count)
    uint32_t positions;    // of the motion, from which they were found
    double t;              // the time of the last of them
    double drift;  // the largest change, of the function's value or the sum of |dy| on the way
} LiaLeaf;
