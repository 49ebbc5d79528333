// Forces that a one-form speaks of. See spoken.h.
//
// The slope of a formula by a place is the adjoint of its nodes, which counts what goes through
// other places too. So the places are gone through from the last made to the first, and what the
// ones before did already is taken off:
//   F_P = df/dP - sum F_R dR/dP,    R made of P
// SPDX-License-Identifier: MIT
#include "output/page/arrows/spoken.h"
#include "base/numeric/thresholds.h"
#include "output/page/arrows/virtual_work.h"
#include <math.h>
#include <string.h>

typedef struct Speaker {
    const LiaCarriers* c;
    LiaGraph* g;
    const LiaSpeech* speech;
    const double* Q;
    double most;
} Speaker;

// The formulas of a place, or of its velocity.
static bool nodes_of(const Speaker* s, uint32_t place, bool rates, LiaExpr* nodes) {
    for (int k = 0; k < 3; k++) {
        LiaExpr at = s->c->scene->carriers[place - 1].at[k];
        nodes[k] = rates ? lia_diff_rate(&s->c->scene->rates, at) : at;
        if (!nodes[k].index) return false;
    }
    return true;
}

// sum of weights * d(of)/d(nodes), into F.
static bool add_slopes(const Speaker* s, const LiaExpr* of, const LiaExpr* weights, uint32_t count,
                       const LiaExpr* nodes, LiaExpr* F) {
    for (int k = 0; k < 3; k++) {  // one by one: nodes of one place may be made of each other
        LiaExpr slope;
        LiaNumber number;
        if (lia_graph_constant(s->g, nodes[k], &number)) continue;
        if (!lia_diff_pullback(s->g, (LiaWeightedSum){of, weights, count}, &nodes[k], 1, &slope))
            return false;
        F[k] = lia_graph_add(s->g, F[k], slope);
    }
    return true;
}

static bool slopes_of_speech(const Speaker* s, uint32_t place, LiaExpr* F) {
    for (int rates = 0; rates < 2; rates++) {
        LiaExpr of[LIA_SPOKEN_ROOTS], weights[LIA_SPOKEN_ROOTS], nodes[3];
        uint32_t count = 0;
        for (uint32_t i = 0; i < s->speech->count; i++) {
            if (s->speech->rates[i] != (rates == 1)) continue;
            of[count] = s->speech->of[i];
            weights[count++] = s->speech->weight[i];
        }
        if (count == 0 || !nodes_of(s, place, rates == 1, nodes)) continue;
        if (!add_slopes(s, of, weights, count, nodes, F)) return false;
    }
    return true;
}

// Take off what forces at places made of this one did already.
static bool take_off(const Speaker* s, const LiaSpoken* spoken, uint32_t place, LiaExpr* F) {
    LiaExpr nodes[3];
    if (!nodes_of(s, place, false, nodes)) return false;
    for (uint32_t i = 0; i < spoken->count; i++) {
        const LiaExpr* at = s->c->scene->carriers[spoken->at[i] - 1].at;
        LiaExpr minus[3];
        for (int k = 0; k < 3; k++) minus[k] = lia_graph_neg(s->g, spoken->F[i][k]);
        if (!add_slopes(s, at, minus, 3, nodes, F)) return false;
    }
    return true;
}

static bool is_some(const Speaker* s, const LiaExpr* F) {
    double f[LIA_INSTANTS][3];
    const LiaCarriers* c = s->c;
    if (!lia_scene_values(c->scene, F, 3, c->instants, c->instant_count, f[0])) return false;
    for (size_t k = 0; k < c->instant_count; k++) {
        double length = hypot(hypot(f[k][0], f[k][1]), f[k][2]);
        if (length > LIA_SPOKEN_NONE * s->most) return true;
    }
    return false;
}

static uint32_t last_node(const LiaCarriers* c, uint32_t place) {
    const LiaExpr* at = c->scene->carriers[place - 1].at;
    uint32_t last = 0;
    for (int k = 0; k < 3; k++) last = at[k].index > last ? at[k].index : last;
    return last;
}

static int coordinates_of(const LiaCarriers* c, uint32_t place) {
    int count = 0;
    for (uint32_t i = 0; i < c->n; i++) count += lia_carriers_move(c, place, i);
    return count;
}

// Which points are asked: those that are drawn and have a name, all that are drawn, all.
typedef enum Asked { NAMED, DRAWN, ALL } Asked;

// Points, those made last first; of those made at once the one that moves with fewer coordinates.
static uint32_t list_points(const LiaCarriers* c, Asked asked, uint32_t* points) {
    uint32_t count = 0;
    for (uint32_t p = 1; p <= c->scene->carrier_count; p++) {
        const LiaCarrier* carrier = &c->scene->carriers[p - 1];
        if (c->turns[p] || (asked != ALL && !carrier->drawn)) continue;
        if (asked == NAMED && !carrier->name) continue;
        uint32_t at = count++;
        for (; at > 0; at--) {
            uint32_t own = last_node(c, p), other = last_node(c, points[at - 1]);
            bool before = own > other || (own == other &&
                                          coordinates_of(c, p) < coordinates_of(c, points[at - 1]));
            if (!before) break;
            points[at] = points[at - 1];
        }
        points[at] = p;
    }
    return count;
}

static bool does_all(const Speaker* s, const LiaSpoken* spoken) {
    const LiaCarriers* c = s->c;
    double f[LIA_SPOKEN_MOST][LIA_INSTANTS][3], left[LIA_ACTED_MOST];
    for (uint32_t i = 0; i < spoken->count; i++) {
        bool known =
            lia_scene_values(c->scene, spoken->F[i], 3, c->instants, c->instant_count, f[i][0]);
        if (!known) return false;
    }
    for (size_t k = 0; k < c->instant_count; k++) {
        memcpy(left, s->Q + k * c->n, c->n * sizeof *left);
        for (uint32_t i = 0; i < spoken->count; i++) {
            const double* twists = lia_carriers_twists_instant(c, spoken->at[i], k);
            for (uint32_t j = 0; j < c->n; j++) {
                const double* v = twists + 3 + 6 * (size_t)j;
                left[j] -= f[i][k][0] * v[0] + f[i][k][1] * v[1] + f[i][k][2] * v[2];
            }
        }
        if (!(lia_virtual_work_sketch_length(c, left) <= LIA_WORK_EXACT * s->most)) return false;
    }
    return spoken->count > 0;
}

bool lia_spoken_find(const LiaCarriers* c, const LiaSpeech* speech, const double* Q,
                     LiaSpoken* spoken) {
    Speaker s = {.c = c, .g = c->scene->graph, .speech = speech, .Q = Q};
    for (size_t k = 0; k < c->instant_count; k++) {
        s.most = fmax(s.most, lia_virtual_work_sketch_length(c, Q + k * c->n));
    }
    if (!(s.most > 0.0) || speech->count == 0) return false;
    for (int asked = NAMED; asked <= ALL; asked++) {
        uint32_t points[LIA_CARRIERS_MOST], count = list_points(c, (Asked)asked, points);
        *spoken = (LiaSpoken){0};
        for (uint32_t i = 0; i < count && spoken->count < LIA_SPOKEN_MOST; i++) {
            LiaExpr* F = spoken->F[spoken->count];
            for (int k = 0; k < 3; k++) F[k] = lia_graph_integer(s.g, 0);
            bool known = slopes_of_speech(&s, points[i], F) && take_off(&s, spoken, points[i], F);
            if (known && is_some(&s, F)) spoken->at[spoken->count++] = points[i];
        }
        if (does_all(&s, spoken)) return true;
    }
    return false;
}
