// The mechanics as formulas one reads: Hamiltonian, connection, equations of motion, forces.
//
// Everything is in the user's names and simplified (expr/reading/simplify.h). What has no formula
// that could be read (a metric that does not fall into blocks of at most 3, a formula of several
// lines) is {0}: it is there as numbers all the same (fields.h).
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/classification/classification.h"
#include "geometry/phase_space/phase_space.h"

enum { LIA_FORMULAS_SIZE = 16, LIA_FORMULA_LENGTH = 600 };  // coordinates; characters of a formula

typedef struct LiaFormulas {
    LiaArena* arena;
    bool available;  // n <= LIA_FORMULAS_SIZE
    LiaExpr* M;      // d2L/dv2                                               (n x n)
    LiaExpr* rest;   // M a = rest, constraint forces included               (n)
    // by row: a formula of the state (and of accelerations, for driven ones) (rows)
    LiaExpr* force;

    // quadratic L
    LiaExpr hamiltonian;  // H(q, p) on T*M
    LiaExpr* velocity;    // v(q, p); NULL: there is no formula                    (n)
    bool singular;        // g cannot be inverted: there is no H on T*M, only on V*M
    LiaExpr h0, K_Y;      // on V*M; Y is written s'
    LiaExpr *A, *Theta;   // kinetic connection (nx x ns) and metric on S (ns x ns)
    LiaExpr* momentum;    // p_a of the driven coordinates by p_x and s': the section chi    (ns)
    LiaExpr* F;           // curvature of A                                        (nx x ns x ns)
    LiaExpr* h;           // by constraint: Dazord's function, dh/dp_alpha = Y^alpha
} LiaFormulas;

/// The state, if q is not NULL, is where formulas of forces are compared with numbers before they
/// are shown. False if memory is out. Release with lia_formulas_clear().
bool lia_formulas_make(LiaPhaseSpace* space, const LiaClassification* classes, double t,
                       const double* q, const double* v, LiaFormulas* out);
void lia_formulas_clear(LiaFormulas* formulas);
