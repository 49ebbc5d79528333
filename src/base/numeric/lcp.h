// The linear complementarity problem (LCP): w = M z + q, 0 <= w, 0 <= z, w.z = 0.
//
// Lemke's method with a lexicographic choice of pivots, so that it cannot cycle. The solution is
// refined on its basis; the residual is its certificate. Nothing is allocated: the caller lends
// work space.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

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
    double* z;        // n: the solution
    double* w;        // n: M z + q, exactly 0 where z is not
    double residual;  // largest violation, each relative to the sizes of its row's terms
    int pivots;
} LiaLcp;

/// Work space: so many doubles and ints for problems of size n, for each function of this file.
size_t lia_lcp_work(int n);
size_t lia_lcp_index(int n);

/// Solve; z and w are set. The solution is a basic one: it has the least support, not the least
/// norm.
LiaLcpStatus lia_lcp_solve(LiaLcp* p, double* work, int* index);

/// The residual of p->z, p->w: of w = M z + q, of the signs, and of w_i z_i = 0.
double lia_lcp_residual(const LiaLcp* p);

typedef enum LiaLcpUnique {
    LIA_LCP_UNIQUE,    // one solution
    LIA_LCP_W_UNIQUE,  // one w; z is not determined
    LIA_LCP_SEVERAL,   // solutions with different w
    LIA_LCP_OPEN,      // not decided: M is neither P nor positive semidefinite and n is large
} LiaLcpUnique;

/// Is the solution p->z, p->w the only one? Where only w is determined, z becomes the solution of
/// minimum norm.
LiaLcpUnique lia_lcp_unique(LiaLcp* p, double* work, int* index);

/// Largest n for lia_lcp_count.
enum { LIA_LCP_ENUMERATED = 12 };
/// Number of solutions with different w, by enumeration of all 2^n bases, n <= LIA_LCP_ENUMERATED.
/// `first` (may be NULL) gets z of up to `room` of them, n numbers each. p->z and p->w are scratch.
int lia_lcp_count(LiaLcp* p, double* first, int room, double* work, int* index);

/// Are all principal minors of the n x n matrix M positive (relative to its rows and columns)? Then
/// every q has one solution. -1: not decided (n is large and the symmetric part not definite).
int lia_lcp_is_P(int n, const double* M, double* work, int* index);
