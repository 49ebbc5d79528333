// Where an arrow stands. See arrow_places.h.
// SPDX-License-Identifier: MIT
#include "output/page/arrows/arrow_places.h"
#include "base/numeric/qr.h"
#include "base/numeric/thresholds.h"
#include <math.h>
#include <string.h>

enum { ROWS_MOST = 3 * LIA_INSTANTS * LIA_ACTED_MOST };

static const double FAR =
    3.0;  // lines farther from the carrier than this many times the picture are not drawn

static void cross(const double* a, const double* b, double* out) {
    for (int k = 0; k < 3; k++) {
        int u = (k + 1) % 3, w = (k + 2) % 3;
        out[k] = a[u] * b[w] - a[w] * b[u];
    }
}

static double length(const double* a) { return hypot(hypot(a[0], a[1]), a[2]); }

bool lia_arrow_places_wrench_is_force(const LiaCarriers* c, const LiaWrench* w) {
    for (size_t k = 0; k < c->instant_count; k++) {
        const double *F = w->F[k], *C = w->C[k];
        double f = length(F), moment = length(C);
        double along = F[0] * C[0] + F[1] * C[1] + F[2] * C[2];
        if (moment <= LIA_ARROW_MOMENT * w->strong * c->reach) continue;
        if (f <= LIA_ARROW_LITTLE * w->strong || moment > FAR * c->reach * f) return false;
        if (fabs(along) > LIA_ARROW_MOMENT * f * w->strong * c->reach) return false;
    }
    return w->strong > 0.0;
}

LiaWrench lia_arrow_places_wrench_about(const LiaCarriers* c, const LiaWrench* w, uint32_t on) {
    LiaWrench about = *w;
    about.on = on;
    for (size_t k = 0; k < c->instant_count; k++) {
        const double *from = lia_carriers_twists_instant(c, w->on, k),
                     *to = lia_carriers_twists_instant(c, on, k);
        double r[3] = {from[0] - to[0], from[1] - to[1], from[2] - to[2]}, moment[3];
        cross(r, w->F[k], moment);
        for (int j = 0; j < 3; j++) about.C[k][j] += moment[j];
    }
    return about;
}

bool lia_arrow_places_wrench_meets(const LiaCarriers* c, const LiaWrench* w, const LiaExpr* at) {
    double x[LIA_INSTANTS][3];
    if (!lia_scene_values(c->scene, at, 3, c->instants, c->instant_count, x[0])) return false;
    for (size_t k = 0; k < c->instant_count; k++) {
        const double* place = lia_carriers_twists_instant(c, w->on, k);
        double r[3] = {x[k][0] - place[0], x[k][1] - place[1], x[k][2] - place[2]}, moment[3];
        cross(r, w->F[k], moment);
        for (int j = 0; j < 3; j++) {
            if (!(fabs(moment[j] - w->C[k][j]) <= LIA_ARROW_MOMENT * w->strong * c->reach))
                return false;
        }
    }
    return true;
}

void lia_arrow_places_wrench_foot(const double* place, const double* F, const double* C,
                                  double* at) {
    double square = F[0] * F[0] + F[1] * F[1] + F[2] * F[2], offset[3];
    cross(F, C, offset);
    for (int k = 0; k < 3; k++) at[k] = place[k] + (square > 0.0 ? offset[k] / square : 0.0);
}

// --- the constant vector for which many equations hold

typedef struct Fit {
    double A[ROWS_MOST * 3], b[ROWS_MOST];
    int rows;
} Fit;

// The shortest u for which |A u - b| is least; how far off the worst equation is.
static double fit_solve(Fit* fit, double* u) {
    static const int most = ROWS_MOST;
    double A[ROWS_MOST * 3], b[ROWS_MOST], pivot[3], work[3 * ROWS_MOST + 4], worst = 0.0;
    int order[ROWS_MOST], index[ROWS_MOST];
    if (fit->rows > most) return INFINITY;
    memcpy(A, fit->A, (size_t)fit->rows * 3 * sizeof *A);
    memcpy(b, fit->b, (size_t)fit->rows * sizeof *b);
    LiaRows rows = {.m = fit->rows, .n = 3, .A = A, .pivot = pivot, .order = order};
    lia_qr_factor(&rows, LIA_ARROW_CUT, true);
    lia_qr_solve(&rows, b, u, work, index);
    for (int i = 0; i < fit->rows; i++) {
        const double* a = fit->A + 3 * (size_t)i;
        worst = fmax(worst, fabs(a[0] * u[0] + a[1] * u[1] + a[2] * u[2] - fit->b[i]));
    }
    return worst;
}

// The equation (R u) x F = C; R NULL: the identity.
static void fit_moment(Fit* fit, const double* R, const double* F, const double* C) {
    for (int k = 0; k < 3; k++) {  // row k of -[F]
        double row[3] = {0.0, 0.0, 0.0}, *out = fit->A + 3 * (size_t)fit->rows;
        row[(k + 1) % 3] = F[(k + 2) % 3];
        row[(k + 2) % 3] = -F[(k + 1) % 3];
        for (int j = 0; j < 3; j++) {
            out[j] = R ? row[0] * R[j] + row[1] * R[3 + j] + row[2] * R[6 + j] : row[j];
        }
        fit->b[fit->rows++] = C[k];
    }
}

static bool attitudes(const LiaCarriers* c, uint32_t carrier, double R[LIA_INSTANTS][9]) {
    const LiaExpr* turn = c->scene->carriers[carrier - 1].turn;
    return turn[0].index &&
           lia_scene_values(c->scene, turn, 9, c->instants, c->instant_count, R[0]);
}

// Rounding of a body's point is no length of it.
static double rounded(const LiaCarriers* c, double x) {
    double step = LIA_ARROW_MOMENT * c->reach;
    return fabs(x) < step ? 0.0 : x;
}

static void place_on(const LiaCarriers* c, uint32_t carrier, bool turned, const double* u,
                     LiaExpr* at) {
    LiaGraph* g = c->scene->graph;
    const LiaCarrier* body = &c->scene->carriers[carrier - 1];
    for (int i = 0; i < 3; i++) {
        at[i] = body->at[i];
        if (!turned) {
            at[i] = lia_graph_add(g, at[i], lia_graph_real(g, rounded(c, u[i])));
            continue;
        }
        for (int j = 0; j < 3; j++) {
            LiaExpr x = lia_graph_real(g, rounded(c, u[j]));
            at[i] = lia_graph_add(g, at[i], lia_graph_mul(g, body->turn[3 * i + j], x));
        }
    }
}

static bool fixed_to(const LiaCarriers* c, const LiaWrench* w, bool turned, LiaExpr* at) {
    double R[LIA_INSTANTS][9], u[3];
    Fit fit = {.rows = 0};
    if (turned && !attitudes(c, w->on, R)) return false;
    for (size_t k = 0; k < c->instant_count; k++) {
        fit_moment(&fit, turned ? R[k] : NULL, w->F[k], w->C[k]);
    }
    if (!(fit_solve(&fit, u) <= LIA_ARROW_MOMENT * w->strong * c->reach)) return false;
    if (!(length(u) <= FAR * c->reach)) return false;
    place_on(c, w->on, turned, u, at);
    return true;
}

bool lia_arrow_places_wrench_fixed(const LiaCarriers* c, const LiaWrench* w, LiaExpr* at) {
    return fixed_to(c, w, true, at);
}

bool lia_arrow_places_wrench_beside(const LiaCarriers* c, const LiaWrench* w, LiaExpr* at) {
    return fixed_to(c, w, false, at);
}

// v_i + w_i x (R u) = 0 for the coordinates that move.
bool lia_arrow_places_couple_pivot(const LiaCarriers* c, uint32_t on, uint32_t against,
                                   const bool* acts, LiaExpr* at) {
    double R[LIA_INSTANTS][9], u[3];
    Fit fit = {.rows = 0};
    if (!attitudes(c, on, R)) return false;
    for (size_t k = 0; k < c->instant_count; k++) {
        const double *a = lia_carriers_twists_instant(c, on, k),
                     *b = lia_carriers_twists_instant(c, against, k);
        for (uint32_t i = 0; i < c->n; i++) {
            double v[3], w[3];
            if (!acts[i]) continue;
            lia_carriers_twist_velocity(b, i, a, v);
            for (size_t j = 0; j < 3; j++) {
                v[j] = c->scale[i] * (v[j] - a[3 + 6 * i + j]);
                w[j] = -c->scale[i] * (a[6 + 6 * i + j] - b[6 + 6 * i + j]);
            }
            fit_moment(&fit, R[k], w, v);
        }
    }
    if (!(fit_solve(&fit, u) <= LIA_ARROW_MOMENT && length(u) <= FAR * c->reach)) return false;
    place_on(c, on, true, u, at);
    return true;
}
