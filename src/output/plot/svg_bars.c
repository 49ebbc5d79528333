// Bars under the time axis. See svg_bars.h.
// SPDX-License-Identifier: MIT
#include "output/plot/svg_bars.h"
#include "output/plot/label.h"
#include "output/plot/pen.h"
#include "output/plot/theme.h"
#include <math.h>
#include <string.h>

enum {
    ROWS_MOST = 8,  // contacts that have a bar
    LINE = 16,      // height of a row
    BAR = 10,       // and of its bar
    KEY = 24,       // what the colours mean
};

static const double CLOSE = 0.75;  // pixels: lines nearer to each other are one

static const char* const words[] = {"closed", "sticks", "slides"};
enum { WORDS = sizeof words / sizeof *words };

typedef struct Row {
    const char* name;
    const LiaContactCourse* course;  // NULL: it is struck and never closed
} Row;

static bool is_mark(const LiaEventRecord* event, const char* name) {
    if (!name) return event->kind == LIA_EVENT_USER;
    return event->kind == LIA_EVENT_IMPACT && strcmp(event->name, name) == 0;
}

static bool has_row(const Row* rows, size_t count, const char* name) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].name, name) == 0) return true;
    }
    return false;
}

// The contacts that were closed, then those that were struck alone. All of them are counted.
static size_t list_rows(const LiaTrajectory* motion, Row rows[ROWS_MOST]) {
    size_t count = 0;
    for (size_t i = 0; i < motion->contacts.course_count && count < ROWS_MOST; i++)
        rows[count++] = (Row){motion->contacts.courses[i].name, &motion->contacts.courses[i]};
    for (size_t i = 0; i < motion->events.count && count < ROWS_MOST; i++) {
        const LiaEventRecord* event = &motion->events.list[i];
        if (event->kind == LIA_EVENT_IMPACT && !has_row(rows, count, event->name))
            rows[count++] = (Row){event->name, NULL};
    }
    return count;
}

static bool has_marks(const LiaTrajectory* motion, const char* name) {
    for (size_t i = 0; i < motion->events.count; i++) {
        if (is_mark(&motion->events.list[i], name)) return true;
    }
    return false;
}

double lia_svg_bars_height(const LiaFigure* figure) {
    Row rows[ROWS_MOST];
    if (!figure->over_time || figure->low > figure->high) return 0.0;
    size_t count = list_rows(figure->trajectory, rows);
    bool events = has_marks(figure->trajectory, NULL);
    if (count == 0 && !events) return 0.0;
    return (double)((count + events) * LINE) + (count > 0 ? KEY : 8.0);
}

static void add_box(LiaSvgDrawing* d, const char* class, double x, double y, double width) {
    lia_text_add(d->out, "  <rect class=\"%s\"", class);
    lia_pen_attribute(d->out, "x", x);
    lia_pen_attribute(d->out, "y", y);
    lia_pen_attribute(d->out, "width", width);
    lia_pen_attribute(d->out, "height", BAR);
    lia_text_add(d->out, "/>\n");
}

static void add_name(LiaSvgDrawing* d, double y, const char* name) {
    LiaText printed = {0};
    lia_label_print(name, &printed);
    LiaFitted how = {"end", {d->layout.left - 6, y + BAR - 1}, LIA_THEME_TEXT, d->layout.left - 10};
    lia_pen_fitted(d->out, how, printed.data ? printed.data : "");
    d->out->failed |= printed.failed;
    lia_text_clear(&printed);
}

// From one change of the mode to the next.
static void add_course(LiaSvgDrawing* d, double y, const LiaContactCourse* course) {
    for (size_t i = 0; i < course->count; i++) {
        double end = i + 1 < course->count ? course->changes[i + 1].t : d->figure->trajectory->t;
        double a = lia_layout_x(&d->layout, course->changes[i].t);
        double b = lia_layout_x(&d->layout, end), left = fmin(a, b), width = fabs(b - a);
        if (strcmp(course->changes[i].word, "open") == 0 || !isfinite(width)) continue;
        add_box(d, course->changes[i].word, left, y, fmax(width, 0.5));
    }
}

// A line across the bar for each of them.
static void add_marks(LiaSvgDrawing* d, double y, const char* name) {
    const LiaTrajectory* motion = d->figure->trajectory;
    double last = -INFINITY;
    bool any = false;
    for (size_t i = 0; i < motion->events.count; i++) {
        double x = lia_layout_x(&d->layout, motion->events.list[i].t);
        if (!is_mark(&motion->events.list[i], name) || !isfinite(x)) continue;
        if (fabs(x - last) < CLOSE) continue;
        lia_text_add(d->out, any ? "" : "  <path class=\"struck\" d=\"");
        lia_pen_segment(d->out, (LiaPoint){x, y - 1}, (LiaPoint){x, y + BAR + 1});
        last = x;
        any = true;
    }
    if (any) lia_text_add(d->out, "\"/>\n");
}

static double add_word(LiaSvgDrawing* d, double x, double y, const char* word) {
    lia_pen_begin_text(d->out, "key", x, y + BAR - 1);
    lia_text_add(d->out, "%s</text>\n", word);
    return x + lia_label_width(word, LIA_THEME_TEXT) + 18;
}

static void add_key(LiaSvgDrawing* d, double y, size_t rows) {
    const LiaTrajectory* motion = d->figure->trajectory;
    double x = d->layout.left;
    for (size_t k = 0; k < WORDS; k++) {
        bool used = false;
        for (size_t i = 0; i < motion->contacts.course_count && i < rows; i++) {
            const LiaContactCourse* course = &motion->contacts.courses[i];
            for (size_t c = 0; c < course->count; c++)
                used |= strcmp(course->changes[c].word, words[k]) == 0;
        }
        if (!used) continue;
        add_box(d, words[k], x, y, 16);
        x = add_word(d, x + 22, y, words[k]);
    }
    bool struck = false;
    for (size_t i = 0; i < motion->events.count; i++)
        struck |= motion->events.list[i].kind == LIA_EVENT_IMPACT;
    if (!struck) return;
    lia_text_add(d->out, "  <path class=\"struck\" d=\"");
    lia_pen_segment(d->out, (LiaPoint){x + 2, y - 1}, (LiaPoint){x + 2, y + BAR + 1});
    lia_text_add(d->out, "\"/>\n");
    add_word(d, x + 9, y, "impact");
}

void lia_svg_bars_add(LiaSvgDrawing* d, double top) {
    Row rows[ROWS_MOST];
    size_t count = list_rows(d->figure->trajectory, rows);
    for (size_t i = 0; i < count; i++, top += LINE) {
        add_name(d, top, rows[i].name);
        add_box(d, "mode", d->layout.left, top, d->layout.width);
        if (rows[i].course) add_course(d, top, rows[i].course);
        add_marks(d, top, rows[i].name);
    }
    if (has_marks(d->figure->trajectory, NULL)) {
        add_name(d, top, "events");
        add_box(d, "mode", d->layout.left, top, d->layout.width);
        add_marks(d, top, NULL);
        top += LINE;
    }
    if (count > 0) add_key(d, top + 4, count);
}
