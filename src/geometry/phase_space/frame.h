// Coordinates adapted to a base, at one state.
//
// Let f be the functions of the base, F = df, and u the numbers of each attitude or direction of
// unit length that they depend on, or whose length the metric couples with other velocities:
// formulas such as R*c go on beyond unit length, and mean nothing there. Around the state M has the
// coordinates (x, f): as many of the model's coordinates, the `pivots`, are replaced by f (and by
// |u|), the others, x, stay. In them
//   Z_j = d/dx_j         spans VM = ker df:  e_j, and pivots moved so that f stays
//   E(c, a)              how the fields that are constant in (x, f) and equal a change along c:
//                        F E(c, a) = -D F[c] a, nothing but pivots in it
// so a derivative at constant components in (x, f) is one in the model's coordinates with a
// correction by E. Where the functions are coordinates, E = 0 and Z_j = e_j.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/numeric/dense.h"
#include "geometry/geometry.h"

// Which statements are the base: rows of the system.
typedef struct LiaFieldsBase {
    const uint32_t* row;
    uint32_t count;
    const bool*
        length;         // whose length is to be a function too; NULL: where that is needed (groups)
    const bool* pivot;  // the coordinates that the functions replace; NULL: the best       (n)
} LiaFieldsBase;

typedef struct LiaFrame {
    uint32_t n, nb, nl, nf;  // coordinates; functions; lengths; fibre
    uint32_t* row;           // of the system, whose left sides are the functions  (nb)
    uint32_t* fibre;         // coordinates x                                      (nf)
    double* F;               // df, then the lengths                               ((nb + nl) x n)
    double* P;               // the pivots' part of Z_j; its other part is e_j     (nf x (nb + nl))
    bool bent;               // E is not zero
    const char* why;         // there is no such frame
    // inside
    uint32_t* pivot;  //                                                   (nb + nl)
    double* T;        // second derivatives of the functions, symmetric    ((nb + nl) x n x n)
    LiaLu B;          // transposed F of the pivots, factored
    double* work;     // (n + nb + nl)
} LiaFrame;

/// The frame of the left sides of `rows` at (t, q, v): of rows that depend on each other as many as
/// are independent. False with frame->why, or NULL where memory is out.
bool lia_frame_make(LiaGeometry* geometry, LiaFieldsBase base, double t, const double* q,
                    LiaArena* arena, LiaFrame* frame);
/// <a, Z_j> of a covector a, and out += factor Z_j.
double lia_frame_along(const LiaFrame* frame, size_t j, const double* a);
void lia_frame_add(const LiaFrame* frame, size_t j, double factor, double* out);
/// E(., a) paired with a covector p: out[i] += <p, E(e_i, a)>.                          (n)
void lia_frame_bend(const LiaFrame* frame, const double* p, const double* a, double* out);
/// The second derivative of function b along c and a, D F_b[c] a.
double lia_frame_second(const LiaFrame* frame, uint32_t b, const double* c, const double* a);
