// Why K0 is singular, in words. See singular_report.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "mechanics/kkt/workspace.h"

// Why K0 is singular, in words.
typedef struct LiaSingularReport {
    LiaText equations, forces, motion;  // "'a', 'b'"; the same of forces; "x, y"
    LiaText direction;                  // of the motion: " along x' = 2, y' = -1"
    const char* massless;               // the free body that moves, where it has no mass
    LiaSpan span;                       // of the first equation, or of the first coordinate
    int rank, size;                     // of K0 with all rows
    double margin;                      // its smallest singular value over the largest
} LiaSingularReport;
/// After factor(). False if memory is out. Release with lia_singular_report_clear().
bool lia_singular_report(const LiaWorkspace* w, LiaSingularReport* out);
void lia_singular_report_clear(LiaSingularReport* uncoupled);
/// As a clause: "the force of 'follow' moves x, and what 'follow' asks for is not coupled to that
/// by inertia".
void lia_singular_report_say(const LiaSingularReport* uncoupled, LiaText* out);
