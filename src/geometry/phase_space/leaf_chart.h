// Canonical coordinates of a leaf of V*M, the base kept, around one state.
//
// In the frame of the base (frame.h) with the lengths of all attitudes and directions, M has the
// coordinates (x, f): with p_j = <p, Z_j>
//   {x_i, p_j} = delta_ij, all other brackets 0, the functions f of the base are Casimirs,
// whether f are coordinates, functions of them or attitudes. A place (x, p) near the state belongs
// to the positions that keep f and all lengths, found by Newton's method in the pivots, and to the
// velocities that have these momenta and move the base by the state's Y.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/phase_space/fields.h"

typedef struct LiaLeafChart {
    LiaPhaseSpace* space;
    LiaFields fields;    // at the state, with this chart's fibre
    LiaFieldsBase base;  // asks for this chart at other states
    const char* why;     // there is none; NULL: memory is out
    // inside
    LiaValues values;     // of the functions and their gradients
    LiaExpr *left, *row;  // (nb), (nb x n)
    double* kept;         // the functions at the state; NAN: given by velocities     (nb)
} LiaLeafChart;

/// False with chart->why, or NULL where memory is out. Release with lia_leaf_chart_clear().
bool lia_leaf_chart_make(LiaPhaseSpace* space, const LiaFieldsBase* base,
                         const LiaFieldsState* state, LiaLeafChart* chart);
/// Positions and velocities of (x, p); what is not of the chart is that of its state. False where
/// there are none.                                                            (nx), (nx), (n), (n)
bool lia_leaf_chart_place(LiaLeafChart* chart, const double* x, const double* p, double* q,
                          double* v);
void lia_leaf_chart_clear(LiaLeafChart* chart);
