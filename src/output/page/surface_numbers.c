// A surface as numbers. See surface_numbers.h.
// SPDX-License-Identifier: MIT
#include "output/page/surface_numbers.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "output/page/packed.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    GRID = 30,   // cells along the longest side
    BITS = 13,   // of a packed number
    ROUND = 48,  // points round the axis
    HALF = 24,   // from pole to pole
};

static void add_list(LiaText* out, const char* key, const double* x, int count) {
    lia_text_add(out, "\"%s\": [", key);
    for (int i = 0; i < count; i++) {
        lia_text_add(out, i > 0 ? ", " : "");
        lia_text_add_number(out, x[i]);
    }
    lia_text_add(out, "]");
}

static bool add_packed(LiaText* out, const char* key, const double* x, size_t count) {
    LiaPacked packed = {0};
    if (!lia_packed_make(&packed, x, count, 1, BITS)) return false;
    lia_text_add(out, ", \"%s\": {", key);
    lia_packed_describe(out, &packed);
    lia_text_add(out, ", \"data\": \"");
    lia_packed_base64(out, packed.bytes, packed.size);
    lia_text_add(out, "\"}");
    lia_packed_clear(&packed);
    return true;
}

static bool keep_text(LiaScene* scene, LiaSceneItem* item, LiaText* text) {
    char* kept = text->failed ? NULL : LIA_ARENA_NEW(scene->arena, char, text->length + 1);
    if (kept) memcpy(kept, text->data, text->length + 1);
    item->surface = kept;
    lia_text_clear(text);
    return kept != NULL;
}

// Far from the surface the numbers do not matter: they are cut where a cell with a change of sign
// has none beyond.
static void clamp(double* f, const int* n) {
    double most = 0.0;
    int stride[3] = {1, n[0], n[0] * n[1]};
    for (int i = 0; i < n[0] * n[1] * n[2]; i++) {
        int at[3] = {i % n[0], i / n[0] % n[1], i / (n[0] * n[1])};
        for (int k = 0; k < 3; k++) {
            if (at[k] + 1 >= n[k]) continue;
            double a = f[i], b = f[i + stride[k]];
            if ((a < 0.0) != (b < 0.0)) most = fmax(most, fmax(fabs(a), fabs(b)));
        }
    }
    for (int i = 0; most > 0.0 && i < n[0] * n[1] * n[2]; i++) {
        if (isfinite(f[i])) f[i] = fmin(fmax(f[i], -2.0 * most), 2.0 * most);
    }
}

bool lia_surface_numbers_grid(LiaSurfaceFunction* f, const LiaSurfaceRegion* r,
                              LiaSceneItem* item) {
    int n[3];
    double longest = 0.0;
    for (int k = 0; k < 3; k++) longest = fmax(longest, r->high[k] - r->low[k]);
    if (!(longest > 0.0) || !isfinite(longest)) return false;
    for (int k = 0; k < 3; k++) {
        int cells = (int)ceil(GRID * ((r->high[k] - r->low[k]) / longest));
        n[k] = 1 + (cells < 10 ? 10 : cells);
    }
    size_t count = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    double* values = lia_memory_take(count * sizeof *values);
    if (!values) return false;
    for (size_t i = 0; i < count; i++) {
        size_t at[3] = {i % (size_t)n[0], i / (size_t)n[0] % (size_t)n[1],
                        i / (size_t)(n[0] * n[1])};
        double u[3];
        for (int k = 0; k < 3; k++) {
            u[k] = r->low[k] + (r->high[k] - r->low[k]) * (double)at[k] / (n[k] - 1);
        }
        values[i] = lia_surface_seen_value(f, u[0], u[1], u[2]);
    }
    clamp(values, n);
    LiaText text = {0};
    lia_text_add(&text, "{\"nodes\": [%d, %d, %d], ", n[0], n[1], n[2]);
    add_list(&text, "low", r->low, 3);
    lia_text_add(&text, ", ");
    add_list(&text, "high", r->high, 3);
    if (r->axis >= 0) {
        lia_text_add(&text, ", \"axis\": %d, \"radius\": ", r->axis);
        lia_text_add_number(&text, r->radius);
        lia_text_add(&text, ", ");
        add_list(&text, "middle", r->middle, 3);
    }
    bool good = add_packed(&text, "f", values, count);
    lia_text_add(&text, "}");
    free(values);
    if (good) return keep_text(f->scene, item, &text);
    lia_text_clear(&text);
    return false;
}

// Points of a convex surface over its normals: round about the axis, from one pole to the other.
bool lia_surface_numbers_points(LiaSurfaceFunction* f, LiaSceneItem* item) {
    enum { COUNT = (ROUND + 1) * (HALF + 1) };
    double points[3][COUNT], most = 0.0;
    for (int i = 0; i < COUNT; i++) {
        double turn = 2.0 * 3.14159265358979323846 * (i % (ROUND + 1)) / ROUND;
        double down = 3.14159265358979323846 * (i / (ROUND + 1)) / HALF;
        // where a support function is not smooth at the poles, a little next to them
        down = fmin(fmax(down, LIA_SURFACE_POLE), 3.14159265358979323846 - LIA_SURFACE_POLE);
        const double d[3] = {cos(turn) * sin(down), sin(turn) * sin(down), cos(down)};
        double p[3];
        lia_surface_seen_at(f, d, p);
        for (int k = 0; k < 3; k++) {
            points[k][i] = p[k];
            most = fmax(most, fabs(p[k]));
        }
    }
    LiaText text = {0};
    lia_text_add(&text, "{\"round\": %d, \"half\": %d, \"reach\": ", ROUND, HALF);
    lia_text_add_number(&text, most);
    bool good = add_packed(&text, "x", points[0], COUNT) &&
                add_packed(&text, "y", points[1], COUNT) &&
                add_packed(&text, "z", points[2], COUNT);
    lia_text_add(&text, "}");
    if (good) return keep_text(f->scene, item, &text);
    lia_text_clear(&text);
    return false;
}
