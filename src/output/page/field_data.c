// Field pictures as numbers. See field_data.h.
// SPDX-License-Identifier: MIT
#include "output/page/field_data.h"
#include "base/memory/memory.h"
#include "output/page/packed.h"
#include "output/plot/curve.h"
#include "output/plot/figure.h"
#include "output/text/escape.h"
#include "study/curvature.h"
#include "study/distribution.h"
#include "study/plane.h"
#include <math.h>
#include <stdlib.h>

static const double SECONDS = 0.25;  // for each picture
static const double WIDE =
    560.0;  // pixels; strokes and curves are as dense as a picture this wide needs
static const double STROKE_EVERY = 30.0;      // pixels along the path
static const double THIN = 0.3, GRID = 4095;  // pixels; steps over a box
enum {
    COORDINATES_MOST = 40,  // matrices are dense here
    STROKES_MOST = 400,
    POINTS_MOST = 600,
    NODES = 41,
    F_BITS = 12,
};

typedef struct Fields {
    LiaText* out;
    const LiaTrajectory* run;
    bool any;
    bool failed;
} Fields;

static size_t column_of(const LiaTrajectory* run, LiaColumnKind kind, uint32_t coordinate) {
    for (size_t k = 0; k < run->column_count; k++) {
        if (run->columns[k].kind == kind && run->columns[k].index == coordinate) return k;
    }
    return 0;
}

static void begin(Fields* f, const char* kind) {
    lia_text_add(f->out, "%s\n {\"kind\": \"%s\"", f->any ? "," : "", kind);
    f->any = true;
}

static void leave_out(Fields* f, const char* kind, const char* names) {
    begin(f, kind);
    lia_text_add(f->out, ", \"left_out\": ");
    LiaText command = {0};
    lia_text_add(&command, "liaison picture FILE --%s %s", kind, names);
    lia_escape_json(f->out, command.data);
    lia_text_clear(&command);
    lia_text_add(f->out, "}");
}

static void add_box(LiaText* out, LiaBox box) {
    const double sides[] = {box.x_low, box.x_high, box.y_low, box.y_high};
    lia_text_add(out, ", \"box\": [");
    for (int i = 0; i < 4; i++) {
        lia_text_add(out, i > 0 ? ", " : "");
        lia_text_add_number(out, sides[i]);
    }
    lia_text_add(out, "]");
}

// The path of one column over another; false where it has no numbers.
static bool make_path(Fields* f, LiaFigure* figure, size_t x, size_t y) {
    if (!lia_figure_path(figure, f->run, x, y)) {
        f->failed = true;
        return false;
    }
    if (figure->low <= figure->high && figure->y_low <= figure->y_high) return true;
    lia_figure_clear(figure);
    return false;
}

static LiaBox box_of(const LiaFigure* f) { return (LiaBox){f->low, f->high, f->y_low, f->y_high}; }

// --- the distribution ---------------------------------------------------------------------------

// What is left at a sample, as numbers: a line of the plane, or a plane of the space where z is
// given. False: neither.
static bool add_stroke(Fields* f, LiaDistribution* d, uint32_t z, size_t row, bool first) {
    double direction[2], basis[2][3];
    bool plane = z != UINT32_MAX;
    int dimension = plane ? lia_distribution_in_space(d, row, z, basis)
                          : lia_distribution_at(d, row, direction);
    if (dimension != (plane ? 2 : 1)) return false;
    lia_text_add(f->out, "%s%zu", first ? "" : ", ", row);
    for (int i = 0; i < (plane ? 6 : 2); i++) {
        lia_text_add(f->out, ", %.6f", plane ? basis[i / 3][i % 3] : direction[i]);
    }
    return true;
}

// The directions at points of the path that are evenly spaced in the picture.
static void add_strokes(Fields* f, const LiaFigure* path, LiaDistribution* d, uint32_t z) {
    double width = path->high - path->low, height = path->y_high - path->y_low;
    double x_scale = width > 0.0 ? WIDE / width : 1.0;
    double y_scale = path->y_per_x > 0.0 ? x_scale * path->y_per_x
                     : height > 0.0      ? 0.6 * WIDE / height
                                         : 1.0;
    if (path->y_per_x > 0.0 && height * y_scale > WIDE) {
        double less = WIDE / (height * y_scale);
        x_scale *= less, y_scale *= less;
    }
    double walked = STROKE_EVERY, x0 = NAN, y0 = NAN;
    int count = 0;
    for (size_t row = 0; row < path->rows && count < STROKES_MOST; row++) {
        double x = x_scale * lia_figure_value(path, &path->x, row);
        double y = y_scale * lia_figure_value(path, &path->curves[0], row);
        double step = hypot(x - x0, y - y0);
        if (isfinite(step)) walked += step;
        x0 = x, y0 = y;
        if (!isfinite(x + y) || walked < STROKE_EVERY) continue;
        if (!add_stroke(f, d, z, row, count == 0)) continue;
        walked = 0.0;
        count++;
    }
}

static void add_distribution(Fields* f) {
    uint32_t x, y;
    LiaText why = {0};
    bool there =
        lia_plane_is_rolling(f->run->system) && lia_plane_distribution(f->run, &x, &y, &why);
    lia_text_clear(&why);
    if (!there) return;
    uint32_t z = lia_plane_third(f->run, x, y);
    size_t across = column_of(f->run, LIA_COLUMN_POSITION, x);
    size_t above = column_of(f->run, LIA_COLUMN_POSITION, y);
    LiaFigure path;
    LiaDistribution d;
    if (!make_path(f, &path, across, above)) return;
    if (lia_distribution_init(&d, f->run, x, y)) {
        begin(f, "distribution");
        lia_text_add(f->out, ", \"x\": %zu, \"y\": %zu", across, above);
        if (z != UINT32_MAX) {
            lia_text_add(f->out, ", \"z\": %zu", column_of(f->run, LIA_COLUMN_POSITION, z));
        }
        lia_text_add(f->out, ", \"%s\": [", z != UINT32_MAX ? "planes" : "strokes");
        add_strokes(f, &path, &d, z);
        lia_text_add(f->out, "]}");
        lia_distribution_clear(&d);
    } else {
        f->failed = true;
    }
    lia_figure_clear(&path);
}

// --- the portrait -------------------------------------------------------------------------------

// Points in pixels, as long as they are in the box or near it.
static size_t take_points(const LiaTrajectory* motion, size_t q, size_t v, LiaBox box,
                          LiaPoint* points) {
    size_t count = 0;
    for (size_t row = 0; row < motion->rows.count; row++) {
        const double* values = motion->rows.values + row * motion->column_count;
        double x = WIDE * (values[q] - box.x_low) / (box.x_high - box.x_low);
        double y = WIDE * (values[v] - box.y_low) / (box.y_high - box.y_low);
        if (!(x > -WIDE && x < 2 * WIDE && y > -WIDE && y < 2 * WIDE)) break;
        points[count++] = (LiaPoint){x, y};
    }
    return count > 1 ? lia_curve_thin(points, count, THIN, POINTS_MOST) : 0;
}

static void add_curves(Fields* f, const LiaPortrait* portrait, uint32_t coordinate, LiaBox box) {
    size_t q, v, most = 0;
    lia_portrait_columns(f->run, coordinate, &q, &v);
    for (size_t i = 0; i < portrait->count; i++) {
        most = portrait->motions[i]->rows.count > most ? portrait->motions[i]->rows.count : most;
    }
    LiaPoint* points = lia_memory_zeros(most + 1, sizeof *points);
    f->failed = f->failed || !points;
    bool first = true;
    for (size_t i = 0; points && i < portrait->count; i++) {
        size_t count = take_points(portrait->motions[i], q, v, box, points);
        if (count == 0) continue;
        lia_text_add(f->out, first ? "[" : ",\n  [");
        first = false;
        for (size_t k = 0; k < count; k++) {
            lia_text_add(f->out, "%s%ld,%ld", k > 0 ? "," : "", lround(points[k].x * GRID / WIDE),
                         lround(points[k].y * GRID / WIDE));
        }
        lia_text_add(f->out, "]");
    }
    free(points);
}

static void add_portrait(Fields* f) {
    uint32_t coordinate;
    LiaText why = {0};
    bool there = lia_plane_portrait(f->run, &coordinate, &why);
    lia_text_clear(&why);
    if (!there) return;
    size_t across = column_of(f->run, LIA_COLUMN_POSITION, coordinate);
    size_t above = column_of(f->run, LIA_COLUMN_VELOCITY, coordinate);
    const char* name = f->run->model->coordinates[coordinate].name;
    LiaFigure path;
    LiaPortrait portrait;
    if (!make_path(f, &path, across, above)) return;
    LiaBox box = lia_plane_around_portrait(f->run, coordinate, box_of(&path));
    lia_figure_clear(&path);
    if (!lia_portrait_make(f->run, coordinate, box, SECONDS, &portrait)) {
        f->failed = true;
        return;
    }
    if (portrait.cut) {
        leave_out(f, "portrait", name);
    } else {
        begin(f, "portrait");
        lia_text_add(f->out, ", \"x\": %zu, \"y\": %zu", across, above);
        add_box(f->out, box);
        lia_text_add(f->out, ", \"curves\": [");
        add_curves(f, &portrait, coordinate, box);
        lia_text_add(f->out, "]}");
    }
    lia_portrait_clear(&portrait);
}

// --- the curvature ------------------------------------------------------------------------------

static void add_map(Fields* f, const LiaCurvature* map) {
    LiaPacked packed = {0};
    if (!lia_packed_make(&packed, map->F, map->across * map->up, 1, F_BITS)) {
        f->failed = true;
        return;
    }
    LiaText* out = f->out;
    lia_escape_add(out, ", \"of\": %s, \"across\": %zu, \"up\": %zu, \"low\": ",
                   f->run->model->coordinates[map->component].name, map->across, map->up);
    lia_text_add_number(out, map->low);
    lia_text_add(out, ", \"high\": ");
    lia_text_add_number(out, map->high);
    double inside = lia_curvature_inside(f->run, map);
    if (!isnan(inside)) lia_text_add(out, ", \"inside\": ");
    if (!isnan(inside)) lia_text_add_number(out, inside);
    lia_text_add(out, ", \"packed\": {");
    lia_packed_describe(out, &packed);
    lia_text_add(out, "}, \"data\": \"");
    lia_packed_base64(out, packed.bytes, packed.size);
    lia_text_add(out, "\"}");
    lia_packed_clear(&packed);
}

static void add_curvature(Fields* f) {
    uint32_t a, b, component;
    LiaText why = {0};
    bool there = lia_plane_curvature(f->run, &a, &b, &component, &why);
    lia_text_clear(&why);
    if (!there) return;
    size_t across = column_of(f->run, LIA_COLUMN_POSITION, a);
    size_t above = column_of(f->run, LIA_COLUMN_POSITION, b);
    LiaFigure path;
    if (!make_path(f, &path, across, above)) return;
    LiaBox box = lia_plane_around_curvature(box_of(&path));
    lia_figure_clear(&path);
    LiaCurvature map = {.a = a,
                        .b = b,
                        .component = component,
                        .a_low = box.x_low,
                        .a_high = box.x_high,
                        .b_low = box.y_low,
                        .b_high = box.y_high,
                        .across = NODES,
                        .up = NODES,
                        .seconds = SECONDS};
    if (!lia_curvature_make(f->run, &map)) {
        f->failed = true;
        return;
    }
    if (map.cut) {
        const LiaCoordinate* q = f->run->model->coordinates;
        LiaText names = {0};
        lia_text_add(&names, "%s,%s", q[a].name, q[b].name);
        leave_out(f, "curvature", names.data ? names.data : "");
        lia_text_clear(&names);
    } else if (map.low <= map.high) {
        begin(f, "curvature");
        lia_text_add(f->out, ", \"x\": %zu, \"y\": %zu", across, above);
        add_box(f->out, box);
        add_map(f, &map);
    }
    lia_curvature_clear(&map);
}

bool lia_field_data_add(LiaText* out, const LiaTrajectory* run) {
    Fields f = {.out = out, .run = run};
    uint32_t n = run->model->coordinates_count;
    lia_text_add(out, "[");
    if (run->rows.count > 1 && n > 0 && n <= COORDINATES_MOST) {
        add_distribution(&f);
        add_portrait(&f);
        add_curvature(&f);
    }
    lia_text_add(out, "]");
    return !f.failed;
}
