// The motion piece by piece: the polynomials of every step, kept in memory where that was asked
// for.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/runner.h"

typedef struct LiaPiece {
    double begin, end;  // from when to when it counts
    double t;           // its polynomials are of time minus t
} LiaPiece;

struct LiaPieces {
    uint32_t n, lines;
    int order, stride;
    LiaPiece* pieces;
    double* numbers;  // of each piece: q, v, works; (2 n + lines) x stride
    size_t count, capacity;
};

/// The step of the run, which goes to its t + h, or to the end of the run. False if memory is out.
bool lia_dense_output_add(LiaRunner* run, double h, bool to_end);
void lia_dense_output_destroy(LiaPieces* pieces);
