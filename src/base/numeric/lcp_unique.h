// How many solutions has a linear complementarity problem?
// SPDX-License-Identifier: MIT
#pragma once
#include "base/numeric/lcp.h"

typedef enum LiaLcpUnique {
    LIA_LCP_UNIQUE,    // one solution
    LIA_LCP_W_UNIQUE,  // one w; z is not determined
    LIA_LCP_SEVERAL,   // solutions with different w
    LIA_LCP_OPEN,      // not decided: M is neither P nor positive semidefinite and n is large
} LiaLcpUnique;

/// Is the solution p->z, p->w the only one? Where only w is determined, z becomes the solution of
/// minimum norm. Work space as for lia_lcp_solve.
LiaLcpUnique lia_lcp_unique(LiaLcp* p, double* work, int* index);

enum {
    LIA_LCP_ENUMERATED = 12,  // largest n for enumeration
    LIA_LCP_SHOWN = 8,        // so many solutions are told apart, and no more are counted
};
/// Number of solutions with different w, by enumeration of all 2^n bases; at most LIA_LCP_SHOWN.
/// n <= LIA_LCP_ENUMERATED. `z` gets them, n numbers each. Solutions in bases that are singular are
/// counted if that of minimum norm in the basis is one.
int lia_lcp_unique_count(const LiaLcp* p, double* z, double* work, int* index);
