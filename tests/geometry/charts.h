// The same system in other coordinates: a random diffeomorphism put into the text of a model.
//
// x = phi(u) is a chain of shears x_i = u_i + a sin(b u_j + c) + d u_j, which has an inverse in
// closed form. The new coordinates are declared, the old ones become definitions, generators of
// symmetries and the start are carried over.
// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { CHART_COORDINATES = 8, CHART_SYMMETRIES = 4 };

typedef struct ChartedSystem {
    const char* name;
    const char* coordinates;  // their names, with spaces; a name with * is a circle: "x y theta*"
    const char* body;         // statements without coordinates, symmetries, start and run
    // by coordinate, separated by commas: "1, 0, 0"
    const char* symmetry[CHART_SYMMETRIES];
    const char *start, *velocity;  // numbers
    const char* end;               // run and the like
} ChartedSystem;

/// The text of the model; seed 0: as it stands. Returns how many characters it has, at least `room`
/// if it does not fit.
size_t chart_text(const ChartedSystem* system, uint64_t seed, char* text, size_t room);
/// The same with other units: lengths of line coordinates (x = length x_), and masses, of any text.
size_t chart_lengths(const ChartedSystem* system, double length, char* text, size_t room);
size_t chart_masses(const char* from, double mass, char* text, size_t room);
