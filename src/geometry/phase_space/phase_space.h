// Phase space: the Legendre transformation both ways, V*M and its bracket.
//
// Coordinates are divided into the driven ones s (an eliminated operator sees to them) and the
// others x. V*M = T*M/(VM)^0 has the coordinates (x, s, p_x): the momenta of what is driven are
// forgotten, and
//   {f, h} = sum over x of  df/dx dh/dp - df/dp dh/dx,       s are Casimirs.
// The pairing <p, w> = sum p_i(q, v, t) w_i and its gradients give everything that is needed of the
// metric g = d2L/dv2 without ever writing its entries down:
//   d<p,w>/dv = g w,   d<p,w>/dq at (v, w) minus the same at (0, w) = v^T (dg/dq) w  (quadratic L).
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/geometry.h"

typedef struct LiaPhaseSpace {
    LiaGeometry* geometry;  // borrowed
    uint32_t n, nx, ns;
    uint32_t *x, *s;  // coordinates of each kind                  (nx), (ns)
    bool* driven;     //                                           (n)
    LiaExpr *pairing_q, *pairing_v, pairing_t;  // gradients of <p, w>    (n), (n), 1
    LiaValues values;                           // of these, of L, p, dL/dq, Q
    double *zero, *unit;                        // (n)
} LiaPhaseSpace;

/// NULL if memory is out.
LiaPhaseSpace* lia_phase_space_create(LiaGeometry* geometry);
/// NULL is allowed.
void lia_phase_space_destroy(LiaPhaseSpace* space);

/// p = dL/dv.                                                                      (n)
void lia_phase_space_momenta(LiaPhaseSpace* space, double t, const double* q, const double* v,
                             double* p);
/// g = d2L/dv2 at a state, row major.                                             (n x n)
void lia_phase_space_metric(LiaPhaseSpace* space, double t, const double* q, const double* v,
                            double* g);
typedef struct LiaUnknowns {
    const uint32_t* coordinate;
    uint32_t count;
} LiaUnknowns;

/// The inverse transformation: the velocities of the unknown coordinates such that their momenta
/// are those of p (by coordinate, n of them); the other velocities stand in v and are kept. v is
/// also the first guess. Newton; false where g of the unknown ones cannot be inverted or it does
/// not settle.
bool lia_phase_space_velocities(LiaPhaseSpace* space, double t, const double* q, const double* p,
                                LiaUnknowns of, double* v);
/// d<p, w>/dq at (q, v, w) into `slope` (n); gives d<p, w>/dt.
double lia_phase_space_pairing(LiaPhaseSpace* space, double t, const double* q, const double* v,
                               const double* w, double* slope);

/// The bracket of two formulas of t, positions and momenta (symbols geometry->p) on V*M.
LiaExpr lia_phase_space_bracket(LiaPhaseSpace* space, LiaExpr f, LiaExpr h);
