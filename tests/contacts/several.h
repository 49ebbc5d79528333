// The impact of several contacts at once, some of them rough, in the plane: compression and
// restitution (Poisson), each with Coulomb's law at its end, by trying all modes.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

enum { SEVERAL_MOST = 3, SEVERAL_ROWS = 2 * SEVERAL_MOST };

typedef struct Several {
    int count;
    double W[SEVERAL_ROWS][SEVERAL_ROWS];  // rows: gap and slip of each contact in turn
    double u[SEVERAL_ROWS];                // velocities before
    double mu[SEVERAL_MOST], e[SEVERAL_MOST];
} Several;

/// The impulses. False: there are none, several, with which restitution differs, or some that feed
/// in energy.
bool several_impact(const Several* s, double* P);
