// Contacts of random systems: W = J M^-1 J^T from a random mass matrix and random directions, or
// from a given one; work space of exactly the size that is asked for.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/numeric/dense.h"
#include "motion/contact/friction/delassus.h"
#include "support/random.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 24, MOST_CONTACTS = 12 };

typedef struct System {
    LiaDelassus d;
    LiaContactRows contact[MOST_CONTACTS];
    double W[MOST_ROWS * MOST_ROWS], b[MOST_ROWS], slip[MOST_ROWS];
} System;

/// k contacts with one block of `dim` slip rows each (0: none), rows one after another.
static inline void system_begin(System* s, int k, int dim, double kinetic, double static_most) {
    memset(s, 0, sizeof *s);
    s->d = (LiaDelassus){.contacts = k, .rows = k * (1 + dim), .contact = s->contact, .W = s->W};
    s->d.b = s->b;
    s->d.slip = s->slip;
    for (int c = 0; c < k; c++) {
        s->contact[c].normal = c * (1 + dim);
        s->contact[c].blocks = dim > 0;
        s->contact[c].block[0] = (LiaFrictionBlock){
            .row = c * (1 + dim) + 1,
            .dimension = dim,
            .kinetic = kinetic,
            .static_most = static_most,
        };
    }
}

/// W = J M^-1 J^T of `free` degrees of freedom: here A A^T with A = J M^-1/2, and b in its range.
static inline void system_random(System* s, Random* r, int free) {
    int m = s->d.rows;
    double A[MOST_ROWS * MOST_ROWS] = {0}, x[MOST_ROWS] = {0};
    for (int i = 0; i < m * free; i++) A[i] = random_between(r, -1, 1);
    for (int i = 0; i < free; i++) x[i] = random_between(r, -1, 1);
    for (int i = 0; i < m; i++) {
        s->b[i] = 0.0;
        for (int k = 0; k < free; k++) s->b[i] += A[i * free + k] * x[k];
        for (int j = 0; j < m; j++) {
            s->W[i * m + j] = 0.0;
            for (int k = 0; k < free; k++) s->W[i * m + j] += A[i * free + k] * A[j * free + k];
        }
    }
}

/// W and b from directions J (rows x 6, of a body at its centre of mass: force, moment), its mass
/// and moments of inertia, and the free accelerations or velocities `free` (6).
static inline void system_body(System* s, const double* J, double mass, const double* inertia,
                               const double* free) {
    int m = s->d.rows;
    for (int i = 0; i < m; i++) {
        s->b[i] = 0.0;
        for (int k = 0; k < 6; k++) s->b[i] += J[i * 6 + k] * free[k];
        for (int j = 0; j < m; j++) {
            double sum = 0.0;
            for (int k = 0; k < 6; k++) {
                sum += J[i * 6 + k] * J[j * 6 + k] / (k < 3 ? mass : inertia[k - 3]);
            }
            s->W[i * m + j] = sum;
        }
    }
}

/// Row of J: the direction e at the point r of the body.
static inline void system_row(double* row, const double* e, const double* r) {
    memcpy(row, e, 3 * sizeof *row);
    row[3] = r[1] * e[2] - r[2] * e[1];
    row[4] = r[2] * e[0] - r[0] * e[2];
    row[5] = r[0] * e[1] - r[1] * e[0];
}

static inline double system_length(const double* x, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}
