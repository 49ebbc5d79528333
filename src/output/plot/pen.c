// The strokes an SVG file is made of. See pen.h.
// SPDX-License-Identifier: MIT
#include "output/plot/pen.h"
#include "output/plot/label.h"
#include "output/text/escape.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SQUEEZED = 0.75;  // letters that are narrower are not read with pleasure

static void add_hundredths(LiaText* out, long n) {
    long whole = labs(n) / 100, rest = labs(n) % 100;
    if (n < 0) {
        lia_text_add(out, "-");
    }
    if (whole != 0 || rest == 0) {
        lia_text_add(out, "%ld", whole);
    }
    if (rest % 10 != 0) {
        lia_text_add(out, ".%02ld", rest);
    } else if (rest != 0) {
        lia_text_add(out, ".%ld", rest / 10);
    }
}

void lia_pen_length(LiaText* out, double x) { add_hundredths(out, lround(x * 100)); }

void lia_pen_attribute(LiaText* out, const char* name, double x) {
    lia_text_add(out, " %s=\"", name);
    lia_pen_length(out, x);
    lia_text_add(out, "\"");
}

void lia_pen_begin_text(LiaText* out, const char* class, double x, double y) {
    lia_text_add(out, "  <text class=\"%s\"", class);
    lia_pen_attribute(out, "x", x);
    lia_pen_attribute(out, "y", y);
    lia_text_add(out, ">");
}

void lia_pen_fitted(LiaText* out, LiaFitted how, const char* text) {
    LiaText shown = {0};
    lia_label_shorten(text, how.size, how.room / SQUEEZED, &shown);
    const char* words = shown.data ? shown.data : "";
    lia_text_add(out, "  <text class=\"%s\"", how.class);
    lia_pen_attribute(out, "x", how.at.x);
    lia_pen_attribute(out, "y", how.at.y);
    if (lia_label_width(words, how.size) > how.room) {
        lia_pen_attribute(out, "textLength", how.room);
        lia_text_add(out, " lengthAdjust=\"spacingAndGlyphs\"");
    }
    lia_text_add(out, ">");
    if (strcmp(words, text) != 0) {
        lia_text_add(out, "<title>");
        lia_escape_xml(out, text);
        lia_text_add(out, "</title>");
    }
    lia_escape_xml(out, words);
    lia_text_add(out, "</text>\n");
    out->failed |= shown.failed;
    lia_text_clear(&shown);
}

void lia_pen_printed(LiaText* out, const char* label) {
    LiaText printed = {0};
    lia_label_print(label, &printed);
    lia_escape_xml(out, printed.data ? printed.data : "");
    lia_text_clear(&printed);
}

// Whole hundredths are added up, so relative coordinates do not drift.
void lia_pen_polyline(LiaText* out, const LiaPoint* points, size_t count) {
    long x = lround(points[0].x * 100), y = lround(points[0].y * 100);
    lia_text_add(out, "M");
    add_hundredths(out, x);
    lia_text_add(out, " ");
    add_hundredths(out, y);
    lia_text_add(out, "l");
    bool first = true;
    for (size_t i = 1; i < count; i++) {
        long dx = lround(points[i].x * 100) - x, dy = lround(points[i].y * 100) - y;
        if (dx == 0 && dy == 0 && !(first && i + 1 == count)) {
            continue;
        }
        lia_text_add(out, first || dx < 0 ? "" : " ");
        add_hundredths(out, dx);
        lia_text_add(out, dy < 0 ? "" : " ");
        add_hundredths(out, dy);
        x += dx;
        y += dy;
        first = false;
    }
}

void lia_pen_segment(LiaText* out, LiaPoint a, LiaPoint b) {
    lia_text_add(out, "M");
    lia_pen_length(out, a.x);
    lia_text_add(out, " ");
    lia_pen_length(out, a.y);
    lia_text_add(out, "L");
    lia_pen_length(out, b.x);
    lia_text_add(out, " ");
    lia_pen_length(out, b.y);
}
