// The pseudo-Poisson tensor on D: the bracket of a system with ideal linear or affine constraints
// (Marle; van der Schaft and Maschke). With fields X_a that span ker A, and P_a = <p, X_a>, on D
//
//   {q^i, q^j} = 0,   {q^i, P_a} = X_a^i,   {P_a, P_b} = -<p, [X_a, X_b]>
//
// Let [X_a, X_b] = X part + rest, the rest orthogonal to ker A in the metric. Then
// {P_a, P_b} = -part P - <p, rest>. The last term depends on the place alone: it comes from terms
// of L linear in the velocities, and from the velocities that affine equations ask for by
// themselves.
//
// Jacobi's identity fails by Jac(P_a, P_b, q^i) = ((1 - Pi) [X_a, X_b])^i, Pi the projection onto
// ker A that is orthogonal in the metric: it holds if and only if the constraints, of affine ones
// the linear part, are holonomic. The motion is {., H} where all v are in ker A; else
// u = (1 - Pi) v is missing in q', and <p, D(X_a) u> + <D(p) X_a, u> in P_a' (p as a function of q
// and P).
// SPDX-License-Identifier: MIT
#pragma once
#include "geometry/admissible.h"
#include "geometry/geometry.h"

typedef struct LiaPseudoPoisson {
    bool known;
    const char* why;        // it is not; NULL: there is nothing to say
    uint32_t count, pairs;  // fields; pairs a < b of them, in order
    const char** field;     // "x' = cos(theta), y' = sin(theta)"; NULL: too long       (count)
    const char** bracket;   // {P_a, P_b} as a formula of P1, P2, ...; NULL: too long   (pairs)
    bool written;           // as formulas; not for attitudes and directions
    double* part;           // its coefficients of P1, P2, ... at the start     (pairs x count)
    double* constant;       // what it has beyond them there                    (pairs)
    double* jacobiator;     // of P_a, P_b and each coordinate, at the start    (pairs x n)
    double largest;         // Jacobiator at all samples, of the length of the bracket; 0: rounding
    bool poisson;           // it is none but for rounding
    bool motion;            // X_D = {., H}: all v are in ker A, at every sample
    double* missing;        // (1 - Pi) v at the start                                 (n)
} LiaPseudoPoisson;

/// `ideal`: all forces are along the equations. Memory from the arena; false if it is out.
bool lia_pseudo_poisson_make(LiaGeometry* geometry, const LiaSamples* samples, bool ideal,
                             LiaArena* arena, LiaPseudoPoisson* out);
