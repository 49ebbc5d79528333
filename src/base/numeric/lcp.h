// The linear complementarity problem (LCP): w = M z + q, 0 <= w, 0 <= z, w.z = 0.
//
// Lemke's method with a lexicographic choice of pivots, so that it cannot cycle. The solution is
// refined on its basis; the residual is its certificate. Nothing is allocated: the caller lends
// work space.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum LiaLcpStatus {
    LIA_LCP_SOLVED,      // the residual is at most LIA_LCP_CERTIFICATE
    LIA_LCP_RAY,         // no solution found; M copositive-plus: there is none
    LIA_LCP_BUDGET,      // too many pivots
    LIA_LCP_INEXACT,     // a solution whose residual is above the certificate
    LIA_LCP_NOT_FINITE,  // M or q hold no numbers
} LiaLcpStatus;

typedef struct LiaLcp {
    int n;
    const double* M;  // n x n, by rows
    const double* q;  // n
    double* z;        // n: the solution, never negative
    double* w;        // n: never negative, 0 where z is not
    uint64_t cover;   // column of the artificial variable: 0 ones, else random from this seed
    double residual;  // of w = M z + q, each row relative to the sizes of its terms
    int pivots;
} LiaLcp;

/// Work space: so many doubles and ints for problems of size n, here and in lcp_unique.h.
size_t lia_lcp_work(int n);
size_t lia_lcp_index(int n);

/// Solve; z and w are set. The solution is a basic one: it has the least support, not the least
/// norm.
LiaLcpStatus lia_lcp_solve(LiaLcp* p, double* work, int* index);

/// Signs of p->z made exact, p->w and p->residual from them. `left`: scales of the rows of M.
void lia_lcp_certify(LiaLcp* p, const double* left);
