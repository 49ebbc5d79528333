// The Runge-Kutta method of Dormand and Prince of order 8 with step control, for the second way.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct Dop853 {
    size_t n;
    double tolerance;  // absolute and relative
    double shorter;    // steps so many times as long as the error allows; 0: 1
    double longest;    // no step is longer; 0: none is bound so
    int steps_most;    // more are not tried; 0: 200,000
    void* context;
    /// dy = f(t, y). False: not defined here; the step is made smaller.
    bool (*rate)(void* context, double t, const double* y, double* dy);
    /// Was the step whose stages were just evaluated too long, though its error may be small? It is
    /// halved then. Asked once for every step that is tried. NULL: never.
    bool (*too_long)(void* context);
    /// After each step; may change y. NULL: nothing is done. False ends the run.
    bool (*accept)(void* context, double t, double* y);
} Dop853;

/// From t to t1, forwards or backwards, y in place. False if it cannot be done.
bool dop853_run(const Dop853* problem, double t, double t1, double* y);

/// One step of length h from (t, y), k = f(t, y), without a look at its error. False: not defined.
bool dop853_step(const Dop853* problem, double t, const double* y, const double* k, double h,
                 double* next);
