// Which plane a field picture is drawn in. See plane.h.
// SPDX-License-Identifier: MIT
#include "study/plane.h"
#include "base/memory/memory.h"
#include "study/curvature.h"
#include "study/distribution.h"
#include "study/portrait.h"
#include <math.h>
#include <stdlib.h>

enum { LOOKS = 200, PAIRS_OF = 12 };

// --- the distribution ---------------------------------------------------------------------------

static bool is_coordinate(const LiaModel* model, LiaExpr term, uint32_t* coordinate) {
    if (!lia_graph_is_symbol(model->graph, term, LIA_SYMBOL_POSITION)) return false;
    *coordinate = lia_graph_node(model->graph, term)->a;
    return true;
}

// The first `plot x, y` of two coordinates.
static bool is_plotted(const LiaModel* model, uint32_t* x, uint32_t* y) {
    for (uint32_t i = 0; i < model->pictures.plots_count; i++) {
        const LiaPlot* plot = &model->pictures.plots[i];
        if (plot->count > 0 && is_coordinate(model, plot->x.term, x) &&
            is_coordinate(model, plot->curves[0].term, y) && *x != *y) {
            return true;
        }
    }
    return false;
}

typedef struct Looks {
    int looked, lines, most;  // samples; those with a line; the largest dimension
} Looks;

// At one sample, in the plane (d->x, d->y).
static void look_at(LiaDistribution* d, size_t row, Looks* looks) {
    double direction[2];
    int dimension = lia_distribution_at(d, row, direction);
    looks->looked++;
    looks->lines += dimension == 1;
    looks->most = dimension > looks->most ? dimension : looks->most;
}

static Looks look_along(LiaDistribution* d) {
    size_t rows = d->trajectory->rows.count;
    Looks looks = {.most = -1};
    for (size_t row = 0; row < rows; row += rows / LOOKS + 1) look_at(d, row, &looks);
    return looks;
}

bool lia_plane_has_lines(const LiaTrajectory* run, uint32_t x, uint32_t y, LiaText* why) {
    LiaDistribution d;
    if (!lia_distribution_init(&d, run, x, y)) {
        lia_text_add(why, "memory is out");
        return false;
    }
    Looks looks = look_along(&d);
    const char *a = run->model->coordinates[x].name, *b = run->model->coordinates[y].name;
    if (looks.lines == 0 && d.m == 0) {
        lia_text_add(why, "there are no constraints: every direction is free");
    } else if (looks.lines == 0) {
        lia_text_add(why, "the constraints leave %s direction of the plane (%s, %s) free",
                     looks.most == 2 ? "every" : "no", a, b);
    }
    lia_distribution_clear(&d);
    return looks.lines > 0;
}

bool lia_plane_is_rolling(const LiaSystem* system) {
    for (uint32_t r = 0; r < system->row_count; r++) {
        const LiaRow* row = &system->rows[r];
        bool active = system->model->constraints[row->constraint].active;
        if (!row->geometric && !row->identical && !active) return true;
    }
    return false;
}

static bool is_shown(const LiaCoordinate* c) { return !c->inner && c->manifold != LIA_ROTATION; }

// Of the first coordinates the first two in whose plane there is a line along most of the run.
// Sample by sample: what the constraints leave is found once for all planes.
static bool find_pair(const LiaTrajectory* run, uint32_t* x, uint32_t* y) {
    const LiaModel* model = run->model;
    uint32_t n = model->coordinates_count < PAIRS_OF ? model->coordinates_count : PAIRS_OF;
    Looks looks[PAIRS_OF][PAIRS_OF] = {0};
    LiaDistribution d;
    if (!lia_distribution_init(&d, run, 0, 0)) return false;
    for (size_t row = 0; row < run->rows.count; row += run->rows.count / LOOKS + 1) {
        for (d.x = 0; d.x < n; d.x++) {
            for (d.y = d.x + 1; d.y < n && is_shown(&model->coordinates[d.x]); d.y++) {
                if (is_shown(&model->coordinates[d.y])) look_at(&d, row, &looks[d.x][d.y]);
            }
        }
    }
    lia_distribution_clear(&d);
    for (*x = 0; *x < n; ++*x) {
        for (*y = *x + 1; *y < n; ++*y) {
            if (2 * looks[*x][*y].lines > looks[*x][*y].looked) return true;
        }
    }
    return false;
}

bool lia_plane_distribution(const LiaTrajectory* run, uint32_t* x, uint32_t* y, LiaText* why) {
    if (is_plotted(run->model, x, y)) return lia_plane_has_lines(run, *x, *y, why);
    if (lia_plane_is_rolling(run->system) && find_pair(run, x, y)) return true;
    lia_text_add(why, "no plot line has one coordinate over another");
    return false;
}

uint32_t lia_plane_third(const LiaTrajectory* run, uint32_t x, uint32_t y) {
    const LiaModel* model = run->model;
    uint32_t n = model->coordinates_count, third = UINT32_MAX;
    int *planes = lia_memory_zeros((size_t)n + 1, sizeof *planes), looked = 0;
    LiaDistribution d = {0};
    bool ok = planes && lia_distribution_init(&d, run, x, y);
    for (size_t row = 0; ok && row < run->rows.count;
         row += run->rows.count / LOOKS + 1, looked++) {
        for (uint32_t z = 0; z < n; z++) {
            double basis[2][3];
            if (z == x || z == y || !is_shown(&model->coordinates[z])) continue;
            planes[z] += lia_distribution_in_space(&d, row, z, basis) == 2;
        }
    }
    for (uint32_t z = 0; ok && z < n && third == UINT32_MAX; z++) {
        bool driven = lia_connection_driver(run->system, z) != UINT32_MAX;
        if (!driven && 2 * planes[z] > looked) third = z;
    }
    lia_distribution_clear(&d);
    free(planes);
    return third;
}

// --- the portrait -------------------------------------------------------------------------------

bool lia_plane_portrait(const LiaTrajectory* run, uint32_t* coordinate, LiaText* why) {
    *coordinate = lia_portrait_coordinate(run);
    return lia_portrait_possible(run, *coordinate, why);
}

LiaBox lia_plane_around_portrait(const LiaTrajectory* run, uint32_t coordinate, LiaBox path) {
    bool turns = run->model->coordinates[coordinate].manifold == LIA_CIRCLE;
    double middle = 0.5 * (path.x_low + path.x_high), half = 0.8 * (path.x_high - path.x_low);
    half = fmax(half, turns ? 3.5 : half > 0.0 ? 0.0 : 1.0);
    double fast = 1.6 * fmax(fabs(path.y_low), fabs(path.y_high));
    fast = fast > 0.0 ? fast : 1.0;
    return (LiaBox){middle - half, middle + half, -fast, fast};
}

// --- the curvature ------------------------------------------------------------------------------

// The first two coordinates that operators drive.
static bool find_driven(const LiaSystem* system, uint32_t* out) {
    int count = 0;
    for (uint32_t i = 0; i < system->n && count < 2; i++) {
        if (lia_connection_driver(system, i) != UINT32_MAX) out[count++] = i;
    }
    return count == 2;
}

bool lia_plane_component(const LiaTrajectory* run, uint32_t a, uint32_t b, uint32_t* component,
                         LiaText* why) {
    if (!lia_curvature_possible(run, a, b, why)) return false;
    if (*component == UINT32_MAX) *component = lia_curvature_component(run, a, b);
    if (*component != UINT32_MAX) return true;
    lia_text_add(
        why, "the connection over '%s' and '%s' is flat along the run: loops leave nothing behind",
        run->model->coordinates[a].name, run->model->coordinates[b].name);
    return false;
}

bool lia_plane_curvature(const LiaTrajectory* run, uint32_t* a, uint32_t* b, uint32_t* component,
                         LiaText* why) {
    uint32_t driven[2];
    if (!find_driven(run->system, driven)) {
        lia_text_add(why, "a curvature is over two coordinates that operators drive");
        return false;
    }
    *a = driven[0], *b = driven[1], *component = UINT32_MAX;
    return lia_plane_component(run, *a, *b, component, why);
}

LiaBox lia_plane_around_curvature(LiaBox path) {
    double x = 0.35 * (path.x_high - path.x_low), y = 0.35 * (path.y_high - path.y_low);
    double least = fmax(x, y) > 0.0 ? 0.3 * fmax(x, y) : 0.5;
    x = fmax(x, least), y = fmax(y, least);
    return (LiaBox){path.x_low - x, path.x_high + x, path.y_low - y, path.y_high + y};
}
