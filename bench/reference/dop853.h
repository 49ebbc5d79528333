// DOP853: the explicit Runge-Kutta method of order 8 of Dormand and Prince with the error
// estimators of orders 5 and 3 and the step control of Hairer, Norsett & Wanner, Solving Ordinary
// Differential Equations I, section II.5 and II.10. The coefficients are theirs.
//
// A template: the includer sets
//     DOP853_RUN   name of the function to make (a HandRun)
//     DOP853_DIM   dimension
//     DOP853_RHS   static void RHS(const double* data, Real t, const Real* y, Real* dy)
//     DOP853_START static void START(const double* data, Real* y)
// and gets a run in which dimension and right-hand side are known to the compiler.
// SPDX-License-Identifier: MIT
#include "hand.h"
#include "real.h"

#ifndef DOP853_TABLEAU
#define DOP853_TABLEAU
// clang-format off
static const Real dop853_c[12] = {
    REAL(0.0), REAL(0.0526001519587677318785587544488), REAL(0.0789002279381515978178381316732),
    REAL(0.118350341907227396726757197510), REAL(0.281649658092772603273242802490),
    REAL(0.333333333333333333333333333333), REAL(0.25), REAL(0.307692307692307692307692307692),
    REAL(0.651282051282051282051282051282), REAL(0.6), REAL(0.857142857142857142857142857142), REAL(1.0)};
static const Real dop853_a[12][11] = {
    {REAL(0.0)},
    {REAL(5.26001519587677318785587544488e-2)},
    {REAL(1.97250569845378994544595329183e-2), REAL(5.91751709536136983633785987549e-2)},
    {REAL(2.95875854768068491816892993775e-2), 0, REAL(8.87627564304205475450678981324e-2)},
    {REAL(2.41365134159266685502369798665e-1), 0, REAL(-8.84549479328286085344864962717e-1),
     REAL(9.24834003261792003115737966543e-1)},
    {REAL(3.7037037037037037037037037037e-2), 0, 0, REAL(1.70828608729473871279604482173e-1),
     REAL(1.25467687566822425016691814123e-1)},
    {REAL(3.7109375e-2), 0, 0, REAL(1.70252211019544039314978060272e-1),
     REAL(6.02165389804559606850219397283e-2), REAL(-1.7578125e-2)},
    {REAL(3.70920001185047927108779319836e-2), 0, 0, REAL(1.70383925712239993810214054705e-1),
     REAL(1.07262030446373284651809199168e-1), REAL(-1.53194377486244017527936158236e-2),
     REAL(8.27378916381402288758473766002e-3)},
    {REAL(6.24110958716075717114429577812e-1), 0, 0, REAL(-3.36089262944694129406857109825e0),
     REAL(-8.68219346841726006818189891453e-1), REAL(2.75920996994467083049415600797e1),
     REAL(2.01540675504778934086186788979e1), REAL(-4.34898841810699588477366255144e1)},
    {REAL(4.77662536438264365890433908527e-1), 0, 0, REAL(-2.48811461997166764192642586468e0),
     REAL(-5.90290826836842996371446475743e-1), REAL(2.12300514481811942347288949897e1),
     REAL(1.52792336328824235832596922938e1), REAL(-3.32882109689848629194453265587e1),
     REAL(-2.03312017085086261358222928593e-2)},
    {REAL(-9.3714243008598732571704021658e-1), 0, 0, REAL(5.18637242884406370830023853209e0),
     REAL(1.09143734899672957818500254654e0), REAL(-8.14978701074692612513997267357e0),
     REAL(-1.85200656599969598641566180701e1), REAL(2.27394870993505042818970056734e1),
     REAL(2.49360555267965238987089396762e0), REAL(-3.0467644718982195003823669022e0)},
    {REAL(2.27331014751653820792359768449e0), 0, 0, REAL(-1.05344954667372501984066689879e1),
     REAL(-2.00087205822486249909675718444e0), REAL(-1.79589318631187989172765950534e1),
     REAL(2.79488845294199600508499808837e1), REAL(-2.85899827713502369474065508674e0),
     REAL(-8.87285693353062954433549289258e0), REAL(1.23605671757943030647266201528e1),
     REAL(6.43392746015763530355970484046e-1)}};
static const Real dop853_b[12] = {
    REAL(5.42937341165687622380535766363e-2), 0, 0, 0, 0, REAL(4.45031289275240888144113950566e0),
    REAL(1.89151789931450038304281599044e0), REAL(-5.8012039600105847814672114227e0),
    REAL(3.1116436695781989440891606237e-1), REAL(-1.52160949662516078556178806805e-1),
    REAL(2.01365400804030348374776537501e-1), REAL(4.47106157277725905176885569043e-2)};
// b minus the weights of the embedded methods
static const Real dop853_e5[12] = {
    REAL(0.01312004499419488073250102996), 0, 0, 0, 0, REAL(-1.225156446376204440720569753),
    REAL(-0.4957589496572501915214079952), REAL(1.664377182454986536961530415),
    REAL(-0.3503288487499736816886487290), REAL(0.3341791187130174790297318841),
    REAL(0.08192320648511571246570742613), REAL(-0.02235530786388629525884427845)};
static const Real dop853_third[3] = {  // stages 0, 8, 11
    REAL(0.244094488188976377952755905512), REAL(0.733846688281611857341361741547),
    REAL(0.0220588235294117647058823529412)};
// clang-format on
#endif

void HAND(DOP853_RUN)(const double* data, double t_end, double tolerance, long double* result,
                      HandCount* count) {
    enum { n = DOP853_DIM };
    Real y[n], next[n], k[12][n];
    Real t = 0, tol = tolerance;
    *count = (HandCount){0};
    DOP853_START(data, y);
    DOP853_RHS(data, t, y, k[0]);
    count->evaluations = 1;

    // First step: small against the size of the motion, then adapted.
    Real size = 0, speed = 0;
    for (int i = 0; i < n; i++) {
        Real scale = tol + tol * fabs(y[i]);
        size += (y[i] / scale) * (y[i] / scale);
        speed += (k[0][i] / scale) * (k[0][i] / scale);
    }
    Real h = size > 0 && speed > 0 ? REAL(0.01) * sqrt(size / speed) : REAL(1e-6);
    h = smaller(h, smaller(pow(tol, REAL(0.125)), (Real)t_end));

    int rejected = 0;
    while (t < t_end) {
        int last = t + REAL(1.0000001) * h >= t_end;
        if (last) h = t_end - t;
            // The zeros of the tableau are left out; sums over j of a[s][j] k[j].
#define TERM(s, j) (dop853_a[s][j] * k[j][i])
#define STAGE(s, sum)                                                                              \
    for (int i = 0; i < n; i++) next[i] = y[i] + h * (sum);                                        \
    DOP853_RHS(data, t + dop853_c[s] * h, next, k[s]);
        STAGE(1, TERM(1, 0))
        STAGE(2, TERM(2, 0) + TERM(2, 1))
        STAGE(3, TERM(3, 0) + TERM(3, 2))
        STAGE(4, TERM(4, 0) + TERM(4, 2) + TERM(4, 3))
        STAGE(5, TERM(5, 0) + TERM(5, 3) + TERM(5, 4))
        STAGE(6, TERM(6, 0) + TERM(6, 3) + TERM(6, 4) + TERM(6, 5))
#define LATE(s) TERM(s, 0) + TERM(s, 3) + TERM(s, 4) + TERM(s, 5) + TERM(s, 6)
        STAGE(7, LATE(7))
        STAGE(8, LATE(8) + TERM(8, 7))
        STAGE(9, LATE(9) + TERM(9, 7) + TERM(9, 8))
        STAGE(10, LATE(10) + TERM(10, 7) + TERM(10, 8) + TERM(10, 9))
        STAGE(11, LATE(11) + TERM(11, 7) + TERM(11, 8) + TERM(11, 9) + TERM(11, 10))
#undef LATE
#undef STAGE
#undef TERM
        count->evaluations += 11;

        Real sum5 = 0, sum3 = 0;
        for (int i = 0; i < n; i++) {
#define WEIGHTED(w)                                                                                \
    (w[0] * k[0][i] + w[5] * k[5][i] + w[6] * k[6][i] + w[7] * k[7][i] + w[8] * k[8][i] +          \
     w[9] * k[9][i] + w[10] * k[10][i] + w[11] * k[11][i])
            Real slope = WEIGHTED(dop853_b);
            next[i] = y[i] + h * slope;
            Real scale = tol + tol * larger(fabs(y[i]), fabs(next[i]));
            Real e5 = WEIGHTED(dop853_e5) / scale;
            Real e3 = (slope - dop853_third[0] * k[0][i] - dop853_third[1] * k[8][i] -
                       dop853_third[2] * k[11][i]) /
                      scale;
#undef WEIGHTED
            sum5 += e5 * e5;
            sum3 += e3 * e3;
        }
        Real both = sum5 + REAL(0.01) * sum3;
        Real error = both > 0 ? h * sum5 / sqrt(both * n) : 0;
        Real factor = smaller(6, larger(REAL(1.0) / 3, REAL(0.9) * pow(error, REAL(-0.125))));
        if (error <= 1) {
            t = last ? (Real)t_end : t + h;
            for (int i = 0; i < n; i++) y[i] = next[i];
            DOP853_RHS(data, t, y, k[0]);
            count->evaluations++;
            count->steps++;
            if (rejected) factor = smaller(factor, 1);
            rejected = 0;
        } else {
            count->rejected++;
            rejected = 1;
        }
        h *= factor;
    }
    for (int i = 0; i < n; i++) result[i] = y[i];
}
#undef DOP853_RUN
#undef DOP853_DIM
#undef DOP853_RHS
#undef DOP853_START
