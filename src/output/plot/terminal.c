// A figure as a small picture of characters.
//
// A cell holds a braille sign of 2 x 4 dots (U+2800 plus one bit per dot), which are about square,
// so a path to scale is to scale here too. Where the terminal is plain ASCII a cell is one mark.
// Curves are told apart by colour; without colour by a letter at some cells, in ASCII by the mark
// itself.
// SPDX-License-Identifier: MIT
#include "output/plot/terminal.h"
#include "base/memory/memory.h"
#include "base/numeric/thresholds.h"
#include "output/plot/axis.h"
#include "output/plot/label.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH_MOST = 72,  // cells of the picture, without the labels
    WIDTH_LEAST = 16,
    HEIGHT = 10,  // cells of a picture over t
    HEIGHT_STACKED = 6,
    PATH_MOST = 17,  // cells of a path
    PATH_LEAST = 4,
    LEGEND_MOST = 8,
};

typedef struct Cell {
    unsigned char dots;   // braille: one bit per dot; ASCII: not 0 if there is any
    unsigned char curve;  // whose, from 1; 0: empty
    unsigned char mark;   // instead of the dots: MARK_START, MARK_END or a letter
} Cell;

enum { MARK_START = 1, MARK_END = 2 };

typedef struct Picture {
    const LiaFigure* figure;
    const LiaTextStyle* style;
    size_t group;
    LiaAxis x, y;
    int width, height;  // in cells
    int across, down;   // dots in a cell
    Cell* cells;        // height x width
} Picture;

static const char* const colours[] = {"36", "33", "35", "32", "34", "31"};
static const char marks[] = "*+ox#@%&";

static const char* colour_of(size_t curve) {
    return colours[curve % (sizeof colours / sizeof *colours)];
}
static char mark_of(size_t curve) { return marks[curve % (sizeof marks - 1)]; }
static unsigned char letter_of(size_t curve) { return (unsigned char)('a' + curve % 26); }

static void add_sign(LiaText* out, unsigned code) {  // U+0800 .. U+FFFF
    char bytes[] = {(char)(0xE0 | code >> 12), (char)(0x80 | (code >> 6 & 0x3F)),
                    (char)(0x80 | (code & 0x3F))};
    lia_text_add_bytes(out, bytes, sizeof bytes);
}

static void add_repeated(LiaText* out, const char* sign, int count) {
    for (int i = 0; i < count; i++) {
        lia_text_add(out, "%s", sign);
    }
}

// --- drawing ------------------------------------------------------------------------------------

// A hair below the middle between two dots: what is constant up to rounding stays on one line.
static long nearest_dot(double x) { return (long)floor(x + 0.5 - LIA_TERMINAL_HAIR); }

static Cell* cell_at(Picture* picture, long x, long y) {
    long cx = x / picture->across, cy = y / picture->down;
    bool inside = x >= 0 && y >= 0 && cx < picture->width && cy < picture->height;
    return inside ? &picture->cells[cy * picture->width + cx] : NULL;
}

static void draw_dot(Picture* picture, long x, long y, size_t curve) {
    static const unsigned char bits[4][2] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    Cell* cell = cell_at(picture, x, y);
    if (cell) {
        cell->dots |= bits[y % picture->down][x % picture->across];
        cell->curve = (unsigned char)(curve % 255 + 1);
    }
}

// Where a sample is, in dots from the upper left corner; false if it is not a number.
static bool find_cell(const Picture* picture, const LiaSeries* series, size_t row, double* x,
                      double* y) {
    double u =
        lia_axis_part(&picture->x, lia_figure_value(picture->figure, &picture->figure->x, row));
    double v = lia_axis_part(&picture->y, lia_figure_value(picture->figure, series, row));
    *x = u * (picture->width * picture->across - 1);
    *y = (1.0 - v) * (picture->height * picture->down - 1);
    return isfinite(u) && isfinite(v);
}

static void draw_curve(Picture* picture, const LiaSeries* series) {
    size_t curve = (size_t)(series - picture->figure->curves);
    double x0 = 0, y0 = 0;
    bool joined = false;
    for (size_t row = 0; row < picture->figure->rows; row++) {
        double x1, y1;
        if (!find_cell(picture, series, row, &x1, &y1)) {
            joined = false;
            continue;
        }
        double length = joined ? fmax(fabs(x1 - x0), fabs(y1 - y0)) : 0.0;
        long steps = (long)ceil(length);
        for (long k = steps > 0 ? 1 : 0; k <= steps; k++) {
            double f = steps > 0 ? (double)k / (double)steps : 1.0;
            double x = joined ? x0 + f * (x1 - x0) : x1, y = joined ? y0 + f * (y1 - y0) : y1;
            draw_dot(picture, nearest_dot(x), nearest_dot(y), curve);
        }
        x0 = x1;
        y0 = y1;
        joined = true;
    }
}

static void put_mark(Picture* picture, const LiaSeries* series, size_t row, unsigned char mark) {
    double x, y;
    Cell* cell = find_cell(picture, series, row, &x, &y)
                     ? cell_at(picture, nearest_dot(x), nearest_dot(y))
                     : NULL;
    if (cell) {
        cell->mark = mark;
        cell->curve = (unsigned char)((size_t)(series - picture->figure->curves) % 255 + 1);
    }
}

static void draw_marks(Picture* picture, const LiaSeries* series, size_t in_group) {
    size_t rows = picture->figure->rows;
    if (rows == 0) {
        return;
    }
    if (!picture->figure->over_time) {
        put_mark(picture, series, 0, MARK_START);
        put_mark(picture, series, rows - 1, rows > 1 ? MARK_END : MARK_START);
    } else if (in_group > 1 && !picture->style->colour && !picture->style->ascii) {
        size_t curve = (size_t)(series - picture->figure->curves);
        for (size_t k = 0; k < 4; k++) {  // each curve's letters a little further on
            size_t row = (rows - 1) * (4 * k + 1 + curve % 4) / 17;
            put_mark(picture, series, row, letter_of(curve));
        }
    }
}

// --- layout -------------------------------------------------------------------------------------

static int clamp(double x, int low, int high) {
    return x < low ? low : x > high ? high : (int)lround(x);
}

// Labels of the x axis must not touch: fewer ticks where they are long.
static void choose_x_ticks(Picture* picture) {
    double low = picture->x.low, high = picture->x.high;
    for (int ticks = picture->width / 8 + 1; ticks > 1; ticks--) {
        lia_axis_stretch(&picture->x, low, high, ticks);
        if (((int)lia_axis_longest(&picture->x) + 3) * picture->x.count <= picture->width) {
            break;
        }
    }
}

static void lay_out(Picture* picture) {
    const LiaFigure* figure = picture->figure;
    double low, high;
    lia_figure_group_range(figure, picture->group, &low, &high);
    picture->height = figure->group_count > 1 ? HEIGHT_STACKED : HEIGHT;
    picture->across = picture->style->ascii ? 1 : 2;
    picture->down = picture->style->ascii ? 1 : 4;
    picture->x = lia_axis_make(figure->low, figure->high, 0.0, 4);
    picture->y = lia_axis_make(low, high, 0.0, (picture->height + 1) / 2);
    // Left of the cells stand the labels of y, on the right the name of x.
    LiaText name = {0};
    lia_axis_quantity(&picture->x, figure->x.label, figure->x.unit, &name);
    int beside =
        (int)lia_axis_longest(&picture->y) + (int)lia_label_length(name.data ? name.data : "") + 9;
    lia_text_clear(&name);
    int columns = picture->style->width > 0 ? picture->style->width : 80;
    picture->width = clamp(columns - beside, WIDTH_LEAST, WIDTH_MOST);
    if (figure->y_per_x > 0) {
        // A cell is twice as high as wide.
        double x_range = picture->x.high - picture->x.low;
        double y_range = figure->y_per_x * (picture->y.high - picture->y.low);
        double ratio = y_range / x_range / 2;
        picture->height = clamp(picture->width * ratio, PATH_LEAST, PATH_MOST);
        picture->width =
            clamp(fmin(picture->width, picture->height / ratio), WIDTH_LEAST, picture->width);
        double per_cell = fmax(x_range / picture->width, y_range / picture->height / 2);
        double x_more = (per_cell * picture->width - x_range) / 2;
        double y_more = (2 * per_cell * picture->height - y_range) / 2 / figure->y_per_x;
        lia_axis_stretch(&picture->x, picture->x.low - x_more, picture->x.high + x_more, 4);
        lia_axis_stretch(&picture->y, picture->y.low - y_more, picture->y.high + y_more,
                         (picture->height + 1) / 2);
    }
    choose_x_ticks(picture);
}

// --- text ---------------------------------------------------------------------------------------

static void add_coloured(Picture* picture, size_t curve, const char* text, LiaText* out) {
    if (picture->style->colour) {
        lia_text_add(out, "\x1b[%sm%s\x1b[0m", colour_of(curve), text);
    } else {
        lia_text_add(out, "%s", text);
    }
}

// "a energy  b power(twist) in W": how each curve looks, and what it is. On further lines where
// there is no room.
static void add_legend(Picture* picture, size_t in_group, LiaText* out) {
    const LiaFigure* figure = picture->figure;
    size_t shown = 0, most = (size_t)(picture->style->width > 0 ? picture->style->width : 80);
    size_t column = 2;
    lia_text_add(out, "  ");
    for (size_t i = 0; i < figure->count; i++) {
        const LiaSeries* series = &figure->curves[i];
        if (series->group != picture->group) {
            continue;
        }
        if (shown == LEGEND_MOST) {
            lia_text_add(out, " ... and %zu more", in_group - shown);
            break;
        }
        char sign[] = {(char)(picture->style->ascii ? mark_of(i) : letter_of(i)), ' ', '\0'};
        LiaText name = {0};
        if (shown + 1 == in_group || !figure->one_unit) {
            lia_axis_quantity(&picture->y, series->label, series->unit, &name);
        } else {
            lia_text_add(&name, "%s", series->label);
        }
        size_t room = lia_label_length(name.data ? name.data : "") + 3;
        bool breaks = shown > 0 && column + 2 + room > most;
        lia_text_add(out, "%s", breaks ? "\n  " : shown > 0 ? "  " : "");
        column = (breaks || shown == 0 ? 2 : column + 2) + room;
        if (in_group > 1 && picture->style->colour && !picture->style->ascii) {
            add_coloured(picture, i, "⠒⠒ ", out);
        } else if (in_group > 1) {
            add_coloured(picture, i, sign, out);
        }
        lia_text_add(out, "%s", name.data ? name.data : "");
        out->failed |= name.failed;
        lia_text_clear(&name);
        shown++;
    }
    lia_text_add(out, "\n");
}

static void add_cell(const Cell* cell, const LiaTextStyle* style, LiaText* out) {
    if (style->ascii) {
        char c = cell->mark == MARK_START ? 'o'
                 : cell->mark == MARK_END ? '@'
                                          : mark_of(cell->curve - 1u);
        lia_text_add(out, "%c", c);
    } else if (cell->mark == MARK_START) {
        lia_text_add(out, "○");
    } else if (cell->mark == MARK_END) {
        lia_text_add(out, "●");
    } else if (cell->mark) {
        lia_text_add(out, "%c", cell->mark);
    } else {
        add_sign(out, 0x2800u + cell->dots);
    }
}

// Cells of a row up to its last one that is not empty; colours change only where the curve does.
static void add_cells(const Picture* picture, int row, LiaText* out) {
    const Cell* cells = picture->cells + row * picture->width;
    int end = picture->width;
    while (end > 0 && cells[end - 1].curve == 0) {
        end--;
    }
    unsigned now = 0;
    for (int i = 0; i < end; i++) {
        if (cells[i].curve == 0) {
            lia_text_add(out, " ");
            continue;
        }
        if (picture->style->colour && cells[i].curve != now) {
            now = cells[i].curve;
            lia_text_add(out, "\x1b[%sm", colour_of(now - 1));
        }
        add_cell(&cells[i], picture->style, out);
    }
    if (now) {
        lia_text_add(out, "\x1b[0m");
    }
}

static int tick_cell(const LiaAxis* axis, int i, int cells, bool down) {
    double part = lia_axis_part(axis, lia_axis_tick(axis, i));
    int cell = (int)lround((down ? 1.0 - part : part) * (cells - 1));
    return cell < 0 ? 0 : cell >= cells ? cells - 1 : cell;
}

static void add_rows(Picture* picture, int margin, LiaText* out) {
    for (int row = 0; row < picture->height; row++) {
        LiaText label = {0};
        for (int i = 0; i < picture->y.count; i++) {
            if (tick_cell(&picture->y, i, picture->height, true) == row && label.length == 0) {
                lia_axis_label(&picture->y, i, "-", &label);
            }
        }
        const char* line =
            picture->style->ascii ? (label.length ? "+" : "|") : (label.length ? "┤" : "│");
        lia_text_add(out, "  %*s %s", margin, label.length ? label.data : "", line);
        add_cells(picture, row, out);
        lia_text_add(out, "\n");
        lia_text_clear(&label);
    }
}

static void add_x_axis(Picture* picture, int margin, LiaText* out) {
    bool ascii = picture->style->ascii;
    lia_text_add(out, "  %*s %s", margin, "", ascii ? "+" : "└");
    int at = 0;
    for (int i = 0; i < picture->x.count; i++) {
        int cell = tick_cell(&picture->x, i, picture->width, false);
        if (cell >= at) {
            add_repeated(out, ascii ? "-" : "─", cell - at);
            lia_text_add(out, "%s", ascii ? "+" : "┬");
            at = cell + 1;
        }
    }
    add_repeated(out, ascii ? "-" : "─", picture->width - at);
    lia_text_add(out, "\n  %*s  ", margin, "");
    at = 0;
    for (int i = 0; i < picture->x.count; i++) {
        LiaText label = {0};
        lia_axis_label(&picture->x, i, "-", &label);
        int length = (int)label.length,
            begin = tick_cell(&picture->x, i, picture->width, false) - length / 2;
        if (begin >= at || (i == 0 && at == 0)) {
            begin = begin < 0 ? 0 : begin;
            add_repeated(out, " ", begin - at);
            lia_text_add(out, "%s", label.data ? label.data : "");
            at = begin + length + 1;
            lia_text_add(out, " ");
        }
        lia_text_clear(&label);
    }
    LiaText name = {0};
    lia_axis_quantity(&picture->x, picture->figure->x.label, picture->figure->x.unit, &name);
    lia_text_add(out, " %s\n", name.data ? name.data : "");
    lia_text_clear(&name);
}

static void add_group(Picture* picture, LiaText* out) {
    const LiaFigure* figure = picture->figure;
    size_t in_group = 0;
    for (size_t i = 0; i < figure->count; i++) {
        in_group += figure->curves[i].group == picture->group;
    }
    for (int pass = 0; pass < 2; pass++) {  // marks over all curves
        for (size_t i = 0; i < figure->count; i++) {
            const LiaSeries* series = &figure->curves[i];
            if (series->group == picture->group && pass == 0) {
                draw_curve(picture, series);
            } else if (series->group == picture->group) {
                draw_marks(picture, series, in_group);
            }
        }
    }
    int margin = (int)lia_axis_longest(&picture->y);
    add_legend(picture, in_group, out);
    add_rows(picture, margin, out);
    add_x_axis(picture, margin, out);
}

void lia_terminal_picture(const LiaFigure* figure, const LiaTextStyle* style, LiaText* out) {
    for (size_t group = 0; group < figure->group_count; group++) {
        Picture picture = {.figure = figure, .style = style, .group = group};
        lay_out(&picture);
        picture.cells =
            lia_memory_zeros((size_t)(picture.width * picture.height), sizeof *picture.cells);
        if (!picture.cells) {
            out->failed = 1;
            return;
        }
        add_group(&picture, out);
        free(picture.cells);
    }
}
