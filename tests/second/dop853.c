// The Runge-Kutta method of Dormand and Prince of order 8. See dop853.h.
// Coefficients: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, 2nd edition,
// II.5.
// SPDX-License-Identifier: MIT
#include "dop853.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 12 };

// y_s = y + h sum_j A[s][j] k_j
static const double A[STAGES][STAGES - 1] = {
    {0.0},
    {0.05260015195876773},
    {0.0197250569845379, 0.0591751709536137},
    {0.02958758547680685, 0.0, 0.08876275643042054},
    {0.2413651341592667, 0.0, -0.8845494793282861, 0.924834003261792},
    {0.037037037037037035, 0.0, 0.0, 0.17082860872947386, 0.12546768756682242},
    {0.037109375, 0.0, 0.0, 0.17025221101954405, 0.06021653898045596, -0.017578125},
    {0.03709200011850479, 0.0, 0.0, 0.17038392571223998, 0.10726203044637328, -0.015319437748624402,
     0.008273789163814023},
    {0.6241109587160757, 0.0, 0.0, -3.3608926294469414, -0.868219346841726, 27.59209969944671,
     20.154067550477894, -43.48988418106996},
    {0.47766253643826434, 0.0, 0.0, -2.4881146199716677, -0.590290826836843, 21.230051448181193,
     15.279233632882423, -33.28821096898486, -0.020331201708508627},
    {-0.9371424300859873, 0.0, 0.0, 5.186372428844064, 1.0914373489967295, -8.149787010746927,
     -18.52006565999696, 22.739487099350505, 2.4936055526796523, -3.0467644718982196},
    {2.273310147516538, 0.0, 0.0, -10.53449546673725, -2.0008720582248625, -17.9589318631188,
     27.94888452941996, -2.8589982771350235, -8.87285693353063, 12.360567175794303,
     0.6433927460157636},
};
static const double B[STAGES] = {0.054293734116568765,
                                 0.0,
                                 0.0,
                                 0.0,
                                 0.0,
                                 4.450312892752409,
                                 1.8915178993145003,
                                 -5.801203960010585,
                                 0.3111643669578199,
                                 -0.1521609496625161,
                                 0.20136540080403034,
                                 0.04471061572777259};
static const double C[STAGES] = {0.0,
                                 0.05260015195876773,
                                 0.0789002279381516,
                                 0.1183503419072274,
                                 0.2816496580927726,
                                 0.3333333333333333,
                                 0.25,
                                 0.3076923076923077,
                                 0.6512820512820513,
                                 0.6,
                                 0.8571428571428571,
                                 1.0};
static const double E3[STAGES + 1] = {-0.18980075407240762,
                                      0.0,
                                      0.0,
                                      0.0,
                                      0.0,
                                      4.450312892752409,
                                      1.8915178993145003,
                                      -5.801203960010585,
                                      -0.4226823213237919,
                                      -0.1521609496625161,
                                      0.20136540080403034,
                                      0.02265179219836082,
                                      0.0};
static const double E5[STAGES + 1] = {0.01312004499419488,
                                      0.0,
                                      0.0,
                                      0.0,
                                      0.0,
                                      -1.2251564463762044,
                                      -0.4957589496572502,
                                      1.6643771824549864,
                                      -0.35032884874997366,
                                      0.3341791187130175,
                                      0.08192320648511571,
                                      -0.022355307863886294,
                                      0.0};

// The error of a step relative to the tolerance, from the formulas of order 5 and 3 (err < 1:
// good).
static double step_error(size_t n, const double* y, const double* next, double* const* k, double h,
                         double tolerance) {
    double e5 = 0.0, e3 = 0.0;
    for (size_t i = 0; i < n; i++) {
        double scale = tolerance * (1.0 + fmax(fabs(y[i]), fabs(next[i])));
        double a = 0.0, b = 0.0;
        for (int s = 0; s <= STAGES; s++) {
            a += E5[s] * k[s][i];
            b += E3[s] * k[s][i];
        }
        e5 += (a / scale) * (a / scale);
        e3 += (b / scale) * (b / scale);
    }
    double mixed = e5 + 0.01 * e3;
    return mixed > 0.0 ? fabs(h) * e5 / sqrt(mixed * (double)n) : 0.0;
}

// All stages of a step and the state after it; k[0] is known. False: not defined somewhere.
static bool make_step(const Dop853* problem, double t, const double* y, double h, double* const* k,
                      double* next) {
    size_t n = problem->n;
    for (int s = 1; s < STAGES; s++) {
        for (size_t i = 0; i < n; i++) {
            double sum = 0.0;
            for (int j = 0; j < s; j++) sum += A[s][j] * k[j][i];
            next[i] = y[i] + h * sum;
        }
        if (!problem->rate(problem->context, t + C[s] * h, next, k[s])) return false;
    }
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (int s = 0; s < STAGES; s++) sum += B[s] * k[s][i];
        next[i] = y[i] + h * sum;
    }
    return true;
}

bool dop853_step(const Dop853* problem, double t, const double* y, const double* k0, double h,
                 double* next) {
    size_t n = problem->n;
    double* block = calloc(STAGES * n, sizeof *block);
    if (!block) return false;
    double* k[STAGES];
    for (int s = 0; s < STAGES; s++) k[s] = block + (size_t)s * n;
    memcpy(k[0], k0, n * sizeof *k0);
    bool good = make_step(problem, t, y, h, k, next);
    free(block);
    return good;
}

bool dop853_run(const Dop853* problem, double t, double t1, double* y) {
    size_t n = problem->n;
    double* block = calloc((STAGES + 2) * n, sizeof *block);
    if (!block) return false;
    double* k[STAGES + 1];
    for (int s = 0; s <= STAGES; s++) k[s] = block + (size_t)s * n;
    double* next = block + (STAGES + 1) * n;
    const double safety = 0.9 * (problem->shorter > 0.0 ? problem->shorter : 1.0);
    const int steps_most = problem->steps_most ? problem->steps_most : 200000;
    const double growth = problem->too_long ? 2.0 : 6.0;
    double h = (t1 - t) / 100.0, sign = t1 >= t ? 1.0 : -1.0;
    bool good = problem->rate(problem->context, t, y, k[0]);
    for (int steps = 0; good && t != t1; steps++) {
        if (problem->longest > 0.0 && fabs(h) > problem->longest) h = sign * problem->longest;
        bool last = sign * (t + 1.000001 * h - t1) >= 0.0;
        if (last) h = t1 - t;
        if (steps > steps_most || fabs(h) < 1e-12 * fabs(t1)) {
            good = false;
            break;
        }
        double t_next = last ? t1 : t + h;
        bool defined = make_step(problem, t, y, h, k, next) &&
                       problem->rate(problem->context, t_next, next, k[STAGES]);
        double error = defined ? step_error(n, y, next, k, h, problem->tolerance) : INFINITY;
        bool too_long = problem->too_long && problem->too_long(problem->context);
        if (!(error < 1.0)) {
            h *= isfinite(error) ? fmax(0.2, safety * pow(error, -0.125)) : 0.1;
            continue;
        }
        if (too_long) {
            h *= 0.5;
            continue;
        }
        t = t_next;
        memcpy(y, next, n * sizeof *y);
        if (problem->accept) {
            good = problem->accept(problem->context, t, y) &&
                   problem->rate(problem->context, t, y, k[0]);
        } else {
            memcpy(k[0], k[STAGES], n * sizeof *y);
        }
        h *= error > 0.0 ? fmin(growth, fmax(0.3, safety * pow(error, -0.125))) : growth;
    }
    free(block);
    return good;
}
