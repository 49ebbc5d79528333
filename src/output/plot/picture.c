// Field pictures: what surrounds a motion, drawn under its path.
//
// The constraint distribution along a path, the phase portrait around one, the curvature of the
// kinetic connection under the loop of the operators. The path, its marks and the axes are those of
// every figure (svg.c); here are the layers under them.
// SPDX-License-Identifier: MIT
#include "base/memory/call.h"
#include "output/plot/curvature_map.h"
#include "output/plot/pen.h"
#include "output/plot/svg.h"
#include "study/distribution.h"
#include "study/plane.h"
#include "study/portrait.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double STROKE = 16.0, STROKE_EVERY = 46.0;  // half a stroke; from one to the next
static const double THIN = 0.08;                         // pixels: as in svg.c
enum { POINTS_MOST = 2000 };

typedef struct Picture {
    const LiaTrajectory* run;
    LiaFigure figure;
    LiaText* why;
    LiaMemoryMark memory;  // when the call began
} Picture;

static double pixels_per_x(const LiaLayout* layout) {
    return layout->width / (layout->x.high - layout->x.low);
}

static double pixels_per_y(const LiaLayout* layout) {
    const LiaPanel* panel = &layout->panels[0];
    return panel->height / (panel->y.high - panel->y.low);
}

static LiaPoint point_of_row(const LiaLayout* layout, const LiaFigure* figure, size_t row) {
    return lia_layout_point(layout, lia_figure_value(figure, &figure->x, row),
                            lia_figure_value(figure, &figure->curves[0], row));
}

static bool is_finite(LiaPoint p) { return isfinite(p.x) && isfinite(p.y); }

// --- the distribution ---------------------------------------------------------------------------

typedef struct Strokes {
    const LiaFigure* figure;
    LiaDistribution distribution;
} Strokes;

// A stroke where the shadow of ker J is a line, each so many pixels along the path.
static bool draw_strokes(void* context, const LiaLayout* layout, LiaText* out) {
    Strokes* strokes = context;
    const LiaFigure* figure = strokes->figure;
    double walked = STROKE_EVERY;
    LiaPoint before = {NAN, NAN};
    lia_text_add(out, "  <path class=\"curve k1\" clip-path=\"url(#box)\" stroke-opacity=\".45\" "
                      "style=\"stroke-width: 5\" d=\"");
    for (size_t row = 0; row < figure->rows; row++) {
        LiaPoint p = point_of_row(layout, figure, row);
        if (!is_finite(p)) continue;
        walked += is_finite(before) ? hypot(p.x - before.x, p.y - before.y) : 0.0;
        before = p;
        double direction[2];
        if (walked < STROKE_EVERY ||
            lia_distribution_at(&strokes->distribution, row, direction) != 1) {
            continue;
        }
        walked = 0.0;
        double x = direction[0] * pixels_per_x(layout), y = -direction[1] * pixels_per_y(layout);
        double f = STROKE / hypot(x, y);
        lia_pen_segment(out, (LiaPoint){p.x - f * x, p.y - f * y},
                        (LiaPoint){p.x + f * x, p.y + f * y});
    }
    lia_text_add(out, "\"/>\n");
    return true;
}

static LiaStatus draw_distribution(Picture* p, uint32_t x, uint32_t y, const char* path) {
    Strokes strokes = {.figure = &p->figure};
    if (!lia_distribution_init(&strokes.distribution, p->run, x, y)) return LIA_MEMORY;
    LiaLayer layer = {.note = "strokes: the directions that the constraints leave",
                      .context = &strokes,
                      .draw = draw_strokes};
    LiaStatus status = lia_svg_write(&p->figure, &layer, path, p->memory);
    lia_distribution_clear(&strokes.distribution);
    return status;
}

// --- the portrait -------------------------------------------------------------------------------

typedef struct Family {
    const LiaTrajectory* run;
    uint32_t coordinate;
    size_t q, v;  // columns
} Family;

static void add_motion(const Family* family, const LiaTrajectory* motion, const LiaLayout* layout,
                       LiaPoint* points, LiaText* out) {
    size_t count = 0;
    for (size_t row = 0; row < motion->rows.count; row++) {
        const double* values = motion->rows.values + row * motion->column_count;
        LiaPoint p = lia_layout_point(layout, values[family->q], values[family->v]);
        // Far outside the box a file would only carry large numbers.
        bool far = !is_finite(p) || fabs(p.x) > 4.0 * LIA_LAYOUT_WIDTH ||
                   fabs(p.y) > 4.0 * LIA_LAYOUT_WIDTH;
        if (far) break;
        points[count++] = p;
    }
    if (count < 2) return;
    lia_text_add(out, "    <path d=\"");
    lia_pen_polyline(out, points, lia_curve_thin(points, count, THIN, POINTS_MOST));
    lia_text_add(out, "\"/>\n");
}

// Where the motion goes: a small head at its start.
static void add_head(const Family* family, const LiaTrajectory* motion, const LiaLayout* layout,
                     LiaText* out) {
    if (motion->rows.count < 2 || motion->t < motion->t0) return;
    const double *a = motion->rows.values, *b = motion->rows.values + motion->column_count;
    LiaPoint p = lia_layout_point(layout, a[family->q], a[family->v]);
    LiaPoint next = lia_layout_point(layout, b[family->q], b[family->v]);
    double length = hypot(next.x - p.x, next.y - p.y);
    if (!(length > 0.1)) return;  // at rest
    double x = (next.x - p.x) / length, y = (next.y - p.y) / length;
    LiaPoint head[] = {{p.x + 4 * x, p.y + 4 * y},
                       {p.x - 4 * x - 3 * y, p.y - 4 * y + 3 * x},
                       {p.x - 4 * x + 3 * y, p.y - 4 * y - 3 * x}};
    lia_pen_polyline(out, head, 3);
    lia_text_add(out, "z");
}

static bool draw_family(void* context, const LiaLayout* layout, LiaText* out) {
    Family* family = context;
    const LiaAxis *x = &layout->x, *y = &layout->panels[0].y;
    LiaPortrait portrait;
    LiaBox box = {x->low, x->high, y->low, y->high};
    if (!lia_portrait_make(family->run, family->coordinate, box, 0.0, &portrait)) return false;
    size_t most = 0;
    for (size_t i = 0; i < portrait.count; i++) {
        most = portrait.motions[i]->rows.count > most ? portrait.motions[i]->rows.count : most;
    }
    LiaPoint* points = lia_memory_zeros(most + 1, sizeof *points);
    if (points) {
        lia_text_add(out, "  <g class=\"curve k6\" clip-path=\"url(#box)\" opacity=\".45\" "
                          "style=\"stroke-width: 1\">\n");
        for (size_t i = 0; i < portrait.count; i++) {
            add_motion(family, portrait.motions[i], layout, points, out);
        }
        lia_text_add(out, "  </g>\n  <path class=\"f6\" fill-opacity=\".6\" d=\"");
        for (size_t i = 0; i < portrait.count; i++) {
            add_head(family, portrait.motions[i], layout, out);
        }
        lia_text_add(out, "\"/>\n");
    }
    free(points);
    lia_portrait_clear(&portrait);
    return points != NULL;
}

static void widen(LiaFigure* f, LiaBox box) {
    lia_figure_widen(f, box.x_low, box.x_high, box.y_low, box.y_high);
}

static LiaBox box_of(const LiaFigure* f) { return (LiaBox){f->low, f->high, f->y_low, f->y_high}; }

static LiaStatus draw_portrait(Picture* p, uint32_t coordinate, const char* path) {
    Family family = {.run = p->run, .coordinate = coordinate};
    lia_portrait_columns(p->run, coordinate, &family.q, &family.v);
    widen(&p->figure, lia_plane_around_portrait(p->run, coordinate, box_of(&p->figure)));
    p->figure.y_per_x = 0.0;  // position and velocity have no scale in common
    LiaLayer layer = {.note = "thin: other starts", .context = &family, .draw = draw_family};
    return lia_svg_write(&p->figure, &layer, path, p->memory);
}

// --- the curvature ------------------------------------------------------------------------------

static LiaStatus draw_curvature(Picture* p, uint32_t a, uint32_t b, uint32_t component,
                                const char* path) {
    LiaFigure* f = &p->figure;
    widen(f, lia_plane_around_curvature(box_of(f)));
    LiaCurvatureMap map = {.run = p->run, .F = {.a = a, .b = b, .component = component}};
    double inside = lia_curvature_inside(p->run, &map.F);
    LiaText note = {0};
    lia_text_add(&note, "a small loop leaves minus F times its area");
    if (!isnan(inside)) lia_text_add(&note, "; this one, by the integral of F inside: ");
    if (!isnan(inside)) lia_text_add_short(&note, inside, 6);
    LiaLayer layer = {.note = note.data ? note.data : "",
                      .taken = LIA_CURVATURE_MAP_TAKEN,
                      .context = &map,
                      .draw = lia_curvature_map_draw};
    LiaStatus status = lia_svg_write(f, &layer, path, p->memory);
    if (note.failed) status = LIA_MEMORY;
    lia_text_clear(&note);
    return status;
}

// --- which coordinates --------------------------------------------------------------------------

enum { NAMES_MOST = 3 };

static bool find_coordinate(const LiaModel* model, const char* name, size_t length,
                            uint32_t* coordinate) {
    for (uint32_t i = 0; i < model->coordinates_count; i++) {
        const LiaCoordinate* c = &model->coordinates[i];
        if (!c->inner && strlen(c->name) == length && memcmp(c->name, name, length) == 0) {
            *coordinate = i;
            return true;
        }
    }
    return false;
}

// "x, y" as coordinates of the model. Returns how many, 0 with a reason where one is not there.
static size_t read_names(Picture* p, const char* names, uint32_t* out) {
    size_t count = 0;
    while (true) {
        names += strspn(names, " \t");
        size_t length = strcspn(names, ","), end = length;
        while (length > 0 && (names[length - 1] == ' ' || names[length - 1] == '\t')) length--;
        if (count == NAMES_MOST) {
            lia_text_add(p->why, "these are too many coordinates");
            return 0;
        }
        if (!find_coordinate(p->run->model, names, length, &out[count])) {
            lia_text_add(p->why, "the model has no coordinate '%.*s'", (int)length, names);
            return 0;
        }
        count++;
        if (names[end] == '\0') return count;
        names += end + 1;
    }
}

static size_t column_of(const LiaTrajectory* run, LiaColumnKind kind, uint32_t coordinate) {
    for (size_t k = 0; k < run->column_count; k++) {
        if (run->columns[k].kind == kind && run->columns[k].index == coordinate) return k;
    }
    return 0;
}

static LiaStatus make_path(Picture* p, LiaColumnKind up, uint32_t x, uint32_t y) {
    size_t across = column_of(p->run, LIA_COLUMN_POSITION, x), above = column_of(p->run, up, y);
    LiaFigure* f = &p->figure;
    if (!lia_figure_path(f, p->run, across, above)) return LIA_MEMORY;
    if (f->low <= f->high && f->y_low <= f->y_high) return LIA_OK;
    lia_text_add(p->why, "the motion has no numbers that can be drawn");
    return LIA_ARGUMENT;
}

// --- the three ----------------------------------------------------------------------------------

static LiaStatus distribution(Picture* p, const char* names, const char* path) {
    uint32_t c[NAMES_MOST];
    size_t count = names ? read_names(p, names, c) : 2;
    if (count != 2 || (names && c[0] == c[1])) {
        if (!p->why->length) lia_text_add(p->why, "a plane is of two coordinates: x,y");
        return LIA_ARGUMENT;
    }
    bool good = names ? lia_plane_has_lines(p->run, c[0], c[1], p->why)
                      : lia_plane_distribution(p->run, &c[0], &c[1], p->why);
    LiaStatus status = good ? make_path(p, LIA_COLUMN_POSITION, c[0], c[1]) : LIA_ARGUMENT;
    return status == LIA_OK ? draw_distribution(p, c[0], c[1], path) : status;
}

static LiaStatus portrait(Picture* p, const char* names, const char* path) {
    uint32_t c[NAMES_MOST];
    size_t count = names ? read_names(p, names, c) : 1;
    if (count > 1) lia_text_add(p->why, "a portrait is over one coordinate and its velocity");
    if (count != 1) return LIA_ARGUMENT;
    bool good = names ? lia_portrait_possible(p->run, c[0], p->why)
                      : lia_plane_portrait(p->run, &c[0], p->why);
    LiaStatus status = good ? make_path(p, LIA_COLUMN_VELOCITY, c[0], c[0]) : LIA_ARGUMENT;
    return status == LIA_OK ? draw_portrait(p, c[0], path) : status;
}

static LiaStatus curvature(Picture* p, const char* names, const char* path) {
    uint32_t c[NAMES_MOST] = {0, 0, UINT32_MAX};
    size_t count = names ? read_names(p, names, c) : 2;
    if (count < 2) {
        if (!p->why->length) {
            lia_text_add(p->why, "a curvature is over two coordinates that operators drive");
        }
        return LIA_ARGUMENT;
    }
    bool good = names ? lia_plane_component(p->run, c[0], c[1], &c[2], p->why)
                      : lia_plane_curvature(p->run, &c[0], &c[1], &c[2], p->why);
    LiaStatus status = good ? make_path(p, LIA_COLUMN_POSITION, c[0], c[1]) : LIA_ARGUMENT;
    return status == LIA_OK ? draw_curvature(p, c[0], c[1], c[2], path) : status;
}

LiaStatus lia_output_picture(const LiaTrajectory* trajectory, LiaPictureKind picture,
                             const char* names, const char* path, char** why) {
    if (why) *why = NULL;
    if (!trajectory || !path || (unsigned)picture > LIA_PICTURE_CURVATURE) return LIA_ARGUMENT;
    LiaText reason = {0};
    LiaCall call = lia_call_begin(NULL);
    Picture p = {.run = trajectory, .why = &reason, .memory = call.memory};
    LiaStatus status = LIA_ARGUMENT;
    if (trajectory->rows.count == 0 || trajectory->model->coordinates_count == 0) {
        lia_text_add(&reason, "there is no motion to draw");
    } else if (trajectory->model->phase.is) {
        lia_text_add(&reason, "the model is one of a phase space: there are no velocities to draw "
                              "over positions; 'plot x, y' draws one variable over another");
    } else if (picture == LIA_PICTURE_DISTRIBUTION) {
        status = distribution(&p, names, path);
    } else if (picture == LIA_PICTURE_PORTRAIT) {
        status = portrait(&p, names, path);
    } else {
        status = curvature(&p, names, path);
    }
    lia_figure_clear(&p.figure);
    bool failed = lia_call_failed(&call);
    if (failed || !why) lia_text_clear(&reason);
    if (why) *why = reason.data;
    return failed ? LIA_MEMORY : status;
}
