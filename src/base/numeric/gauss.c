// Gauss's nodes by Newton's method. See gauss.h.
// SPDX-License-Identifier: MIT
#include "base/numeric/gauss.h"
#include <math.h>

enum { STAGES = LIA_GAUSS_STAGES };

static const double PI = 3.14159265358979323846;

// P_0 .. P_count of Legendre at x.
static void legendre(double x, int count, double* P) {
    P[0] = 1.0, P[1] = x;
    for (int k = 1; k < count; k++) P[k + 1] = ((2 * k + 1) * x * P[k] - k * P[k - 1]) / (k + 1);
}

// With P_k on -1..1:  a_ij = b_j sum_k (2k + 1) P_k(x_j) int_0^c_i P_k,
// int P_k = (P_k+1 - P_k-1) / (2 (2k + 1)).
void lia_gauss_make(LiaGauss* rule) {
    double P[STAGES][STAGES + 2];
    for (int i = 0; i < STAGES; i++) {
        double z = -cos(PI * (i + 0.75) / (STAGES + 0.5)), slope = 1.0;
        for (int k = 0; k < 8; k++) {  // Newton's method doubles the digits: 8 are plenty
            legendre(z, STAGES, P[i]);
            slope = STAGES * (P[i][STAGES - 1] - z * P[i][STAGES]) / (1.0 - z * z);
            z -= P[i][STAGES] / slope;
        }
        legendre(z, STAGES + 1, P[i]);
        rule->node[i] = (1.0 + z) / 2.0;
        rule->weight[i] = 1.0 / ((1.0 - z * z) * slope * slope);
    }
    for (int i = 0; i < STAGES; i++) {
        for (int j = 0; j < STAGES; j++) {
            double sum = rule->node[i];
            for (int k = 1; k < STAGES; k++) {
                sum += P[j][k] * (P[i][k + 1] - P[i][k - 1]) / 2.0;
            }
            rule->collocation[i * STAGES + j] = rule->weight[j] * sum;
        }
    }
}
