// The curvature as colours, contours and a scale. See curvature_map.h.
// SPDX-License-Identifier: MIT
#include "output/plot/curvature_map.h"
#include "base/memory/memory.h"
#include "lang/model.h"
#include "output/plot/label.h"
#include "output/plot/pen.h"
#include "output/plot/theme.h"
#include <math.h>
#include <stdlib.h>

static const double NODE = 9.0, CELL = 3.0;  // pixels between nodes; of a cell
static const double BAR = 132.0, BAR_HEIGHT = 9.0, NUMBER = 58.0;  // the scale of colours
enum { SHADES = 40, BAR_CELLS = 88, CONTOURS = 14 };

// Green below zero, orange above, the paper itself at zero; what follows are the cells, up to
// "\"/>".
static void begin_shade(LiaText* out, int shade) {
    lia_text_add(out, "    <path class=\"f%d\" fill-opacity=\"%.3g\" d=\"", shade > 0 ? 4 : 2,
                 0.8 * abs(shade) / SHADES);
}

static void add_cell(LiaText* out, double x, double y, double width, double height) {
    lia_text_add(out, "M");
    lia_pen_length(out, x);
    lia_text_add(out, " ");
    lia_pen_length(out, y);
    lia_text_add(out, "h");
    lia_pen_length(out, width);
    lia_text_add(out, "v");
    lia_pen_length(out, height);
    lia_text_add(out, "h");
    lia_pen_length(out, -width);
    lia_text_add(out, "z");
}

static int shade_of(const LiaCurvatureMap* map, double F) {
    return isfinite(F) && map->size > 0.0 ? (int)lround(F / map->size * SHADES) : 0;
}

// Between the nodes, f and g from 0 to 1 over the whole map.
static double between(const LiaCurvature* map, double f, double g) {
    double x = f * (double)(map->across - 1), y = g * (double)(map->up - 1);
    size_t i = (size_t)fmin(fmax(x, 0.0), (double)(map->across - 2));
    size_t j = (size_t)fmin(fmax(y, 0.0), (double)(map->up - 2));
    const double* node = map->F + j * map->across + i;
    double u = x - (double)i, v = y - (double)j;
    return (1 - v) * ((1 - u) * node[0] + u * node[1]) +
           v * ((1 - u) * node[map->across] + u * node[map->across + 1]);
}

// The cells of one shade as few rectangles: as far to the right as it goes, then down.
static void add_shade(int* shades, int across, int up, int shade, const LiaLayout* layout,
                      LiaText* out) {
    bool begun = false;
    for (int j = 0; j < up; j++) {
        for (int i = 0; i < across; i++) {
            if (shades[j * across + i] != shade) continue;
            int width = 1, height = 1;
            while (i + width < across && shades[j * across + i + width] == shade) width++;
            for (bool same = true; same && j + height < up; height += same) {
                for (int k = 0; k < width && same; k++) {
                    same = shades[(j + height) * across + i + k] == shade;
                }
            }
            for (int k = 0; k < width * height; k++) {
                shades[(j + k / width) * across + i + k % width] = 0;
            }
            if (!begun) begin_shade(out, shade);
            begun = true;
            add_cell(out, layout->left + i * CELL, layout->panels[0].top + j * CELL, width * CELL,
                     height * CELL);
        }
    }
    if (begun) lia_text_add(out, "\"/>\n");
}

static bool add_cells(const LiaCurvatureMap* map, const LiaLayout* layout, LiaText* out) {
    const LiaPanel* panel = &layout->panels[0];
    int across = (int)ceil(layout->width / CELL), up = (int)ceil(panel->height / CELL);
    int* shades = lia_memory_zeros((size_t)across * (size_t)up + 1, sizeof *shades);
    if (!shades) return false;
    for (int k = 0; k < across * up; k++) {
        double f = fmin((k % across + 0.5) * CELL / layout->width, 1.0);
        double g = 1.0 - fmin((k / across + 0.5) * CELL / panel->height, 1.0);
        shades[k] = shade_of(map, between(&map->F, f, g));
    }
    lia_text_add(out, "  <g clip-path=\"url(#box)\" shape-rendering=\"crispEdges\">\n");
    for (int shade = -SHADES; shade <= SHADES; shade++) {
        if (shade != 0) add_shade(shades, across, up, shade, layout, out);
    }
    lia_text_add(out, "  </g>\n");
    free(shades);
    return true;
}

// Where the straight line between two nodes reaches the height.
static bool crossing(LiaPoint a, double F_a, LiaPoint b, double F_b, double height, LiaPoint* p) {
    if (!((F_a < height) != (F_b < height)) || !isfinite(F_a) || !isfinite(F_b)) return false;
    double f = (height - F_a) / (F_b - F_a);
    *p = (LiaPoint){a.x + f * (b.x - a.x), a.y + f * (b.y - a.y)};
    return true;
}

// Each cell is two triangles, so that no saddle is ambiguous.
static void add_contour(const LiaCurvature* map, const LiaLayout* layout, double height,
                        LiaText* out) {
    static const int triangles[2][3][2] = {{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}};
    double da = (map->a_high - map->a_low) / (double)(map->across - 1);
    double db = (map->b_high - map->b_low) / (double)(map->up - 1);
    for (size_t j = 0; j + 1 < map->up; j++) {
        for (size_t i = 0; i + 1 < map->across; i++) {
            for (int k = 0; k < 2; k++) {
                LiaPoint corner[3], met[3];
                double F[3];
                int count = 0;
                for (int c = 0; c < 3; c++) {
                    size_t x = i + (size_t)triangles[k][c][0], y = j + (size_t)triangles[k][c][1];
                    corner[c] = lia_layout_point(layout, map->a_low + (double)x * da,
                                                 map->b_low + (double)y * db);
                    F[c] = map->F[y * map->across + x];
                }
                for (int c = 0; c < 3; c++) {
                    int d = (c + 1) % 3;
                    count += crossing(corner[c], F[c], corner[d], F[d], height, &met[count]);
                }
                if (count == 2) lia_pen_segment(out, met[0], met[1]);
            }
        }
    }
}

static void add_contours(const LiaCurvatureMap* map, const LiaLayout* layout, LiaText* out) {
    LiaAxis heights = lia_axis_make(map->F.low, map->F.high, 0.0, CONTOURS);
    for (int i = 0; i < heights.count; i++) {
        double height = lia_axis_tick(&heights, i);
        bool zero = heights.first + i == 0;
        lia_text_add(out,
                     "  <path class=\"curve k6\" clip-path=\"url(#box)\" stroke-opacity=\"%s\" "
                     "style=\"stroke-width: %s\" d=\"",
                     zero ? ".8" : ".4", zero ? "1.2" : ".8");
        add_contour(&map->F, layout, height, out);
        lia_text_add(out, "\"/>\n");
    }
}

static void add_number(LiaText* out, double x, double y, double number) {
    LiaText text = {0};
    lia_text_add_short(&text, number, 3);
    lia_pen_begin_text(out, "end", x, y);
    lia_pen_printed(out, text.data ? text.data : "");
    lia_text_add(out, "</text>\n");
    lia_text_clear(&text);
}

// The scale of colours, on the line of the legend at the right: what, lowest, colours, highest.
static void add_bar(const LiaCurvatureMap* map, const LiaLayout* layout, LiaText* out) {
    double right = layout->left + layout->width, left = right - NUMBER - BAR;
    double y = layout->panels[0].legend_top;
    double low = fmin(map->F.low, 0.0), high = fmax(map->F.high, 0.0);
    lia_text_add(out, "  <g shape-rendering=\"crispEdges\">\n");
    for (int i = 0; i < BAR_CELLS; i++) {
        int shade = shade_of(map, low + (high - low) * (i + 0.5) / BAR_CELLS);
        if (shade == 0) continue;
        begin_shade(out, shade);
        add_cell(out, left + BAR * i / BAR_CELLS, y - BAR_HEIGHT, BAR / BAR_CELLS, BAR_HEIGHT);
        lia_text_add(out, "\"/>\n");
    }
    lia_text_add(out, "  </g>\n");
    add_number(out, right, y, high);
    add_number(out, left - 8, y, low);
    LiaText what = {0};
    lia_text_add(&what, "curvature F of ");
    lia_label_print(map->run->model->coordinates[map->F.component].name, &what);
    LiaPoint at = {left - NUMBER - 14, y};
    LiaFitted how = {"label end", at, LIA_THEME_LABEL, at.x - (right - LIA_CURVATURE_MAP_TAKEN)};
    lia_pen_fitted(out, how, what.data ? what.data : "");
    out->failed |= what.failed;
    lia_text_clear(&what);
}

bool lia_curvature_map_draw(void* context, const LiaLayout* layout, LiaText* out) {
    LiaCurvatureMap* map = context;
    const LiaPanel* panel = &layout->panels[0];
    map->F.a_low = layout->x.low, map->F.a_high = layout->x.high;
    map->F.b_low = panel->y.low, map->F.b_high = panel->y.high;
    map->F.across = (size_t)ceil(layout->width / NODE) + 1;
    map->F.up = (size_t)ceil(panel->height / NODE) + 1;
    if (!lia_curvature_make(map->run, &map->F)) return false;
    map->size = fmax(fabs(map->F.low), fabs(map->F.high));
    bool room = true;
    if (map->F.low <= map->F.high && map->size > 0.0) {
        room = add_cells(map, layout, out);
        add_contours(map, layout, out);
        add_bar(map, layout, out);
    }
    lia_curvature_clear(&map->F);
    return room;
}
