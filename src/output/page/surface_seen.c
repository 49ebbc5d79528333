// How much of a surface is seen. See surface_seen.h.
// SPDX-License-Identifier: MIT
#include "output/page/surface_seen.h"
#include "base/numeric/thresholds.h"
#include <math.h>
#include <string.h>

enum {
    INSTANTS = 60,  // samples of the motion that are looked at
    SIDE = 9,       // points on the side of a box
    TRIES = 7,      // boxes
};

// --- functions of a place -----------------------------------------------------------------------

bool lia_surface_seen_function(LiaSurfaceFunction* f, LiaScene* scene, const LiaExpr* formulas,
                               int count) {
    *f = (LiaSurfaceFunction){.scene = scene, .count = count};
    memcpy(f->formula, formulas, (size_t)count * sizeof *formulas);
    return lia_evaluate_init(&f->values, scene->graph, formulas, (size_t)count);
}

void lia_surface_seen_at(LiaSurfaceFunction* f, const double* u, double* out) {
    LiaSymbols at = {.parameters = f->scene->system->parameters, .w = u};
    lia_evaluate_run(&f->values, &at);
    for (int i = 0; i < f->count; i++) out[i] = lia_value(&f->values, f->formula[i]);
}

double lia_surface_seen_value(LiaSurfaceFunction* f, double x, double y, double z) {
    const double u[3] = {x, y, z};
    double value = NAN;
    lia_surface_seen_at(f, u, &value);
    return value;
}

// --- where it is touched ------------------------------------------------------------------------

static void turn_back(const double* A, const double* centre, const double* P, double* u) {
    for (int i = 0; i < 3; i++) {
        u[i] = 0.0;
        for (int k = 0; k < 3; k++) u[i] += A[3 * k + i] * (P[k] - centre[k]);
    }
}

// Places of constraints along the motion, seen from the shape.
void lia_surface_seen_take(LiaScene* scene, const LiaSurfaceFrame* frame, const LiaExpr* at,
                           LiaSurfacePlaces* out) {
    LiaExpr wanted[15];
    double values[15 * INSTANTS];
    size_t rows[INSTANTS], instants = scene->rows < INSTANTS ? scene->rows : INSTANTS;
    memcpy(wanted, at, 3 * sizeof *at);
    memcpy(wanted + 3, frame->centre, sizeof frame->centre);
    for (int i = 0; i < 9; i++) {
        wanted[6 + i] =
            frame->turns ? frame->attitude[i] : lia_graph_integer(scene->graph, i % 4 == 0);
    }
    for (size_t k = 0; k < instants; k++)
        rows[k] = instants > 1 ? k * (scene->rows - 1) / (instants - 1) : 0;
    if (!lia_scene_values(scene, wanted, 15, rows, instants, values)) return;
    for (size_t k = 0; k < instants && out->count < LIA_SURFACE_PLACES_MOST; k++) {
        const double* x = values + 15 * k;
        double* u = out->u[out->count];
        turn_back(x + 6, x + 3, x, u);
        if (isfinite(u[0] + u[1] + u[2])) out->count++;
    }
}

void lia_surface_seen_take_all(LiaScene* scene, const LiaSurfaceFrame* frame,
                               LiaSurfacePlaces* out) {
    const LiaModel* m = scene->system->model;
    for (uint32_t i = 0; i < m->pictures.places_count; i++) {
        LiaExpr at[3];
        if (lia_scene_resolve(scene, m->pictures.places[i].at, at, 3))
            lia_surface_seen_take(scene, frame, at, out);
    }
}

void lia_surface_seen_keep_on(LiaSurfaceFunction* f, LiaSurfacePlaces* places) {
    double size = 0.0;
    size_t kept = 0;
    for (size_t i = 0; i < places->count; i++) {
        const double* u = places->u[i];
        double reach = 0.1 * (fabs(u[0]) + fabs(u[1]) + fabs(u[2]));
        for (int k = 0; k < 3; k++) {
            double v[3] = {u[0], u[1], u[2]};
            v[k] += reach;
            size = fmax(size, fabs(lia_surface_seen_value(f, v[0], v[1], v[2])));
        }
    }
    for (size_t i = 0; i < places->count; i++) {
        const double* u = places->u[i];
        if (!(fabs(lia_surface_seen_value(f, u[0], u[1], u[2])) <= LIA_SURFACE_ON * size)) continue;
        memmove(places->u[kept++], u, sizeof places->u[i]);
    }
    places->count = kept;
}

// --- how much of it is seen ---------------------------------------------------------------------

static bool is_outside(LiaSurfaceFunction* f, const LiaSurfaceRegion* r) {
    for (int face = 0; face < 6; face++) {
        int k = face / 2, a = (k + 1) % 3, b = (k + 2) % 3;
        for (int i = 0; i < SIDE * SIDE; i++) {
            double u[3];
            u[k] = face % 2 ? r->high[k] : r->low[k];
            u[a] = r->low[a] + (r->high[a] - r->low[a]) * (i % SIDE) / (SIDE - 1);
            u[b] = r->low[b] + (r->high[b] - r->low[b]) * (i / SIDE) / (SIDE - 1);
            if (!(lia_surface_seen_value(f, u[0], u[1], u[2]) > 0.0)) return false;
        }
    }
    return true;
}

LiaSurfaceRegion lia_surface_seen_region(LiaSurfaceFunction* f, const LiaSurfacePlaces* places,
                                         int vertical) {
    LiaSurfaceRegion r = {.axis = vertical};
    double size = 0.0, far = 0.0;
    for (int k = 0; k < 3; k++) {
        r.low[k] = INFINITY, r.high[k] = -INFINITY;
        for (size_t i = 0; i < places->count; i++) {
            r.low[k] = fmin(r.low[k], places->u[i][k]);
            r.high[k] = fmax(r.high[k], places->u[i][k]);
            far = fmax(far, fabs(places->u[i][k]));
        }
        r.middle[k] = 0.5 * (r.low[k] + r.high[k]);
        size = fmax(size, r.high[k] - r.low[k]);
    }
    size = size > LIA_SURFACE_REGION * far ? size : far > 0.0 ? far : 1.0;
    LiaSurfaceRegion box = r;
    double half = 0.08 * size;
    for (int i = 0; i < TRIES; i++, half *= 1.7) {
        for (int k = 0; k < 3; k++) box.low[k] = r.low[k] - half, box.high[k] = r.high[k] + half;
        if (!is_outside(f, &box)) continue;
        box.closed = true;
        box.axis = -1;
        return box;
    }
    for (size_t i = 0; i < places->count; i++) {
        int a = (vertical + 1) % 3, b = (vertical + 2) % 3;
        double away = vertical < 0
                          ? 0.0
                          : hypot(places->u[i][a] - r.middle[a], places->u[i][b] - r.middle[b]);
        r.radius = fmax(r.radius, away);
    }
    r.radius = 1.12 * r.radius + 0.12 * size;
    for (int k = 0; k < 3; k++) {
        bool across = vertical >= 0 && k != vertical;
        double low = across ? r.middle[k] - r.radius : r.low[k] - 0.2 * size;
        double high = across ? r.middle[k] + r.radius : r.high[k] + 0.12 * size;
        r.low[k] = low, r.high[k] = high;
    }
    return r;
}
