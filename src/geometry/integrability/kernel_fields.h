// Vector fields that span what linear and affine equations admit, as formulas.
//
// Row r is the form theta_r = A_r dq + c_r dt on M x R. As many coordinates as there are
// independent rows, the pivots, are solved for: X_j = e_j - (B^-1 A_j) in the pivots, for each
// other coordinate j. Time is never a pivot; it is left out where no form contains it.
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/geometry.h"

typedef struct LiaKernelFields {
    LiaGraph* graph;     // a copy of the geometry's: brackets are large
    uint32_t n, N;       // coordinates; with time, if it counts, n + 1
    bool time;           // it does
    uint32_t rows;       // independent forms
    uint32_t* row;       // of the system                                   (rows)
    uint32_t* pivot;     //                                                 (rows)
    LiaExpr *A, *theta;  // entries of all forms, and of the independent ones  (all x N), (rows x N)
    uint32_t used;       // the first of them; the others follow from these at admissible places
    uint32_t all;        // rows of the system that are no identities
    uint32_t* every;     // these                                           (all)
    uint32_t count;      // fields
    LiaExpr* X;          //                                                 (count x N)
    LiaArena* arena;
} LiaKernelFields;

/// The forms of all rows; `driftless`: of those that are no operator's, without the term c dt.
/// False if memory is out. All rows must be linear or affine. Release with
/// lia_kernel_fields_clear().
bool lia_kernel_fields_init(LiaKernelFields* k, const LiaGeometry* geometry, bool driftless);
/// The fields with pivots that are good at (t, q). False if the forms have no value there or memory
/// is out.
bool lia_kernel_fields_solve(LiaKernelFields* k, double t, const double* q,
                             const double* parameters);
void lia_kernel_fields_clear(LiaKernelFields* k);
