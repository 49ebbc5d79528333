// The curvature of the kinetic connection on a grid. See curvature.h.
// SPDX-License-Identifier: MIT
#include "study/curvature.h"
#include "base/clock.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "study/holonomy/transport.h"
#include "study/instant.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool drives(const LiaTrajectory* run, uint32_t coordinate, LiaText* why) {
    if (lia_connection_driver(run->system, coordinate) != UINT32_MAX) return true;
    lia_text_add(why, "no operator drives '%s': the connection is over what somebody moves",
                 run->model->coordinates[coordinate].name);
    return false;
}

bool lia_curvature_possible(const LiaTrajectory* run, uint32_t a, uint32_t b, LiaText* why) {
    const LiaSystem* s = run->system;
    if (a == b) {
        lia_text_add(why, "a curvature is over two coordinates, not one twice");
        return false;
    }
    if (!drives(run, a, why) || !drives(run, b, why)) return false;
    for (uint32_t r = 0; r < s->row_count; r++) {
        const LiaRow* row = &s->rows[r];
        const LiaConstraint* c = &s->model->constraints[row->constraint];
        if (c->active || row->identical) continue;
        if (row->geometric && (!c->internal || c->foot)) {
            lia_text_add(why,
                         "'%s' ties positions: the others cannot stay while '%s' and '%s' move",
                         c->name, s->model->coordinates[a].name, s->model->coordinates[b].name);
            return false;
        }
        if (!row->linear) {
            lia_text_add(why, "'%s' is not linear in the velocities: there is no connection",
                         c->name);
            return false;
        }
    }
    return true;
}

uint32_t lia_curvature_component(const LiaTrajectory* run, uint32_t a, uint32_t b) {
    LiaConnection c;
    uint32_t n = run->system->n, best = UINT32_MAX;
    double* x = lia_memory_zeros(5 * (size_t)n + 1, sizeof *x);
    if (!x || !lia_connection_init(&c, run->system, a, b)) {
        free(x);
        return best;
    }
    double t, *q = x, *v = x + n, *F = x + 2 * n, *most = x + 3 * n, *there = x + 4 * n;
    lia_instant_load(run, 0, &t, q, v);
    // A handful of places along the loop (at one alone it may vanish); the others stay, as in the
    // map.
    for (size_t k = 0; k < 7; k++) {
        double later;
        lia_instant_load(run, run->rows.count > 0 ? (run->rows.count - 1) * k / 7 : 0, &later,
                         there, v);
        q[a] = there[a], q[b] = there[b];
        if (!lia_connection_curvature(&c, t, q, F)) continue;
        for (uint32_t i = 0; i < n; i++) most[i] = fmax(most[i], fabs(F[i]));
    }
    for (int angles = 1; angles >= 0 && best == UINT32_MAX; angles--) {
        for (uint32_t i = 0; i < n; i++) {
            const LiaCoordinate* coordinate = &run->model->coordinates[i];
            bool fits = !coordinate->inner && (!angles || coordinate->manifold == LIA_CIRCLE);
            if (fits && most[i] > LIA_CURVATURE_FLAT &&
                (best == UINT32_MAX || most[i] > most[best]))
                best = i;
        }
    }
    lia_connection_clear(&c);
    free(x);
    return best;
}

bool lia_curvature_make(const LiaTrajectory* run, LiaCurvature* map) {
    LiaConnection c;
    uint32_t n = run->system->n;
    double* x = lia_memory_zeros(3 * (size_t)n + 1, sizeof *x);
    map->F = lia_memory_zeros(map->across * map->up + 1, sizeof *map->F);
    if (!x || !map->F || !lia_connection_init(&c, run->system, map->a, map->b)) {
        free(x);
        lia_curvature_clear(map);
        return false;
    }
    double t, *q = x, *F = x + 2 * n;
    lia_instant_load(run, 0, &t, q, x + n);
    map->low = INFINITY, map->high = -INFINITY;
    double begun = lia_clock_computed();
    for (size_t j = 0; j < map->up && !map->cut; j++) {
        map->cut = map->seconds > 0.0 && lia_clock_computed() - begun > map->seconds;
        for (size_t i = 0; i < map->across; i++) {
            double f = (double)i / (double)(map->across - 1), g = (double)j / (double)(map->up - 1);
            q[map->a] = map->a_low + f * (map->a_high - map->a_low);
            q[map->b] = map->b_low + g * (map->b_high - map->b_low);
            bool known = lia_connection_curvature(&c, t, q, F) && isfinite(F[map->component]);
            double value = known ? F[map->component] : NAN;
            map->F[j * map->across + i] = value;
            map->low = value < map->low ? value : map->low;
            map->high = value > map->high ? value : map->high;
        }
    }
    lia_connection_clear(&c);
    free(x);
    return true;
}

void lia_curvature_clear(LiaCurvature* map) {
    free(map->F);
    map->F = NULL;
}

// The laws of time of a and b return to where they began.
static bool is_closed(LiaTransport* x) {
    double s[2], end[2], rate[2];
    if (!lia_transport_law(x, x->t0, s, rate) || !lia_transport_law(x, x->t1, end, rate))
        return false;
    for (int k = 0; k < 2; k++) {
        if (!(fabs(end[k] - s[k]) <= LIA_LOOP_CLOSED * (1.0 + fabs(s[k])))) return false;
    }
    return true;
}

double lia_curvature_inside(const LiaTrajectory* run, const LiaCurvature* map) {
    LiaTransport x;
    size_t n = run->system->n;
    double inside = NAN;
    double* room = lia_memory_zeros(4 * n + 1, sizeof *room);
    bool made = room && run->rows.count > 1 &&
                lia_transport_init(&x, run->system, (uint32_t[]){map->a, map->b}, NULL, 2);
    if (made) {
        double *q = room, *area = room + 2 * n, *error = room + 3 * n;
        lia_instant_load(run, run->rows.count - 1, &x.t1, q, room + n);
        lia_instant_load(run, 0, &x.t0, q, room + n);
        x.q0 = q;
        int panels = LIA_AREA_PANELS / 2;  // a picture does not wait long
        bool known = is_closed(&x) && lia_transport_invariant(&x, map->component) &&
                     lia_transport_area(&x, panels, area, error);
        double v = area[map->component];
        if (known && error[map->component] <= LIA_LOOP_CLOSED * (1.0 + fabs(v))) inside = v;
        lia_transport_clear(&x);
    }
    free(room);
    return inside;
}
