// Symmetric 3 x 3 matrices: principal values and axes. See eigen3.h.
// SPDX-License-Identifier: MIT
#include "base/numeric/eigen3.h"
#include <math.h>

enum { SWEEPS_MOST = 40 };  // it takes five

// Columns p and q turn into each other by the angle of (c, s).
static void turn_columns(double A[3][3], int p, int q, double c, double s) {
    for (int k = 0; k < 3; k++) {
        double x = A[k][p], y = A[k][q];
        A[k][p] = c * x - s * y;
        A[k][q] = s * x + c * y;
    }
}

static void turn_rows(double A[3][3], int p, int q, double c, double s) {
    for (int k = 0; k < 3; k++) {
        double x = A[p][k], y = A[q][k];
        A[p][k] = c * x - s * y;
        A[q][k] = s * x + c * y;
    }
}

void lia_eigen3_axes(double A[3][3], double V[3][3]) {
    for (int i = 0; V && i < 3; i++) {
        for (int j = 0; j < 3; j++) V[i][j] = i == j;
    }
    for (int sweep = 0; sweep < SWEEPS_MOST; sweep++) {
        for (int p = 0; p < 2; p++) {
            for (int q = p + 1; q < 3; q++) {
                if (A[p][q] == 0.0) continue;
                // the smaller of the two angles for which A[p][q] becomes 0: tan = t
                double theta = (A[q][q] - A[p][p]) / (2.0 * A[p][q]);
                double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
                double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
                turn_columns(A, p, q, c, s);
                turn_rows(A, p, q, c, s);
                if (V) turn_columns(V, p, q, c, s);
            }
        }
    }
}
