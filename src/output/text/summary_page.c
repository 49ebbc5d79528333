// Sections, sentences, tables and cells of a summary. See summary_page.h.
// SPDX-License-Identifier: MIT
#include "output/text/summary_page.h"
#include "lang/model.h"
#include "output/plot/figure.h"
#include "output/plot/label.h"
#include "output/study/checked.h"
#include "output/text/ink.h"
#include "output/text/table.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const char* lia_summary_page_ink(const LiaSummaryPage* page, const char* code) {
    return lia_ink(&page->style, code);
}
const char* lia_summary_page_bold(const LiaSummaryPage* page) {
    return lia_summary_page_ink(page, LIA_INK_BOLD);
}
static const char* dim(const LiaSummaryPage* page) {
    return lia_summary_page_ink(page, LIA_INK_DIM);
}
const char* lia_summary_page_plain(const LiaSummaryPage* page) {
    return lia_summary_page_ink(page, LIA_INK_PLAIN);
}

void lia_summary_page_section(LiaSummaryPage* page, const char* name) {
    lia_ink_section(page->out, &page->style, name);
}

void lia_summary_page_rest(LiaSummaryPage* page, size_t shown, size_t count, const char* where) {
    if (count > shown) {
        lia_text_add(page->out, "  %s... and %zu more%s%s\n", dim(page), count - shown, where,
                     lia_summary_page_plain(page));
    }
}

// How much room a word takes: colours take none.
static int room_of(const char* word) {
    int room = (int)lia_label_length(word);
    for (const char* at = strchr(word, '\x1b'); at; at = strchr(at + 1, '\x1b')) {
        room -= (int)strcspn(at, "m") + 1;
    }
    return room;
}

// A sentence in lines that fit, the later ones set in by four more.
void lia_summary_page_sentence(LiaSummaryPage* page, int indent, const char* text) {
    int column = 0;
    while (*text) {
        char word[256];
        size_t length = strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        int needed = room_of(word);
        bool breaks = column > 0 && column + 1 + needed > page->width;
        if (breaks) {
            lia_text_add(page->out, "\n");
        }
        int before = breaks ? indent + 4 : column == 0 ? indent : 1;
        lia_text_add(page->out, "%*s%.*s", before, "", (int)length, text);
        column = (breaks ? 0 : column) + before + needed;
        text += length + strspn(text + length, " ");
    }
    lia_text_add(page->out, "\n");
}

void lia_summary_page_end_sentence(LiaSummaryPage* page, int indent, LiaText* text) {
    lia_summary_page_sentence(page, indent, text->data ? text->data : "");
    page->out->failed |= text->failed;
    lia_text_clear(text);
}

size_t lia_summary_page_least(size_t a, size_t b) { return a < b ? a : b; }

void lia_summary_page_cell(LiaText* cells, double x, int digits) {
    if (isnan(x)) {
        lia_text_add(cells, "-");
    } else {
        lia_text_add_short(cells, x == 0 ? 0.0 : x, digits);  // no -0
    }
    lia_text_add(cells, "\t");
}

bool lia_summary_page_with_differences(const LiaSummaryPage* page) {
    return page->motion->check && !page->narrow;
}

// A number and, where there was a second run, only the digits that agree, and the difference in a
// column of its own.
void lia_summary_page_known(const LiaSummaryPage* page, LiaText* cells, double x, int digits,
                            double difference, double size) {
    if (!page->motion->check) {
        lia_summary_page_cell(cells, x, digits);
        return;
    }
    // what is shown as 0 is rounding, and so is what it differs by
    lia_checked_number(cells, x, x == 0.0 ? 0.0 : difference, size, digits);
    lia_text_add(cells, "\t");
    if (lia_summary_page_with_differences(page)) {
        lia_checked_difference(cells, difference);
        lia_text_add(cells, "\t");
    }
}

// Cells that stay empty.
void lia_summary_page_nothing(const LiaSummaryPage* page, LiaText* cells) {
    lia_text_add(cells, lia_summary_page_with_differences(page) ? "\t\t" : "\t");
}

// The same of a number that is nothing relative to what it was summed of.
double lia_summary_page_rounded(double x, double rounding) { return fabs(x) <= rounding ? 0.0 : x; }

void lia_summary_page_table(LiaSummaryPage* page, LiaText* cells, const char* align, bool heading) {
    lia_table_print(cells, align,
                    (LiaTableStyle){.heading = heading,
                                    .room = page->width,
                                    .begin = dim(page),
                                    .end = lia_summary_page_plain(page)},
                    page->out);
    lia_text_clear(cells);
}

// " s" where it is known that times are in seconds.
const char* lia_summary_page_seconds(const LiaTrajectory* motion) {
    return lia_figure_time_unit(motion->model) ? " s" : "";
}

static double final_value(const LiaTrajectory* motion, size_t column) {
    if (!motion->final.values) return NAN;
    double rounding = motion->final.rounding ? motion->final.rounding[column] : 0.0;
    return lia_summary_page_rounded(motion->final.values[column], rounding);
}

// The column of the velocity of a position; csv_count: none.
size_t lia_summary_page_velocity_of(const LiaTrajectory* motion, const LiaColumn* position) {
    size_t i = 0;
    for (; i < motion->csv_count; i++) {
        const LiaColumn* column = &motion->columns[i];
        if (column->kind == LIA_COLUMN_VELOCITY && column->index == position->index) break;
    }
    return i;
}

int lia_summary_page_digits(double x, double rounding, int most) {
    if (!(rounding > 0.0) || !(fabs(x) > rounding)) return most;
    double known = floor(log10(fabs(x) / rounding)) + 1.0;
    return known < most ? (int)known : most;
}

void lia_summary_page_final(const LiaSummaryPage* page, LiaText* cells, size_t column, int digits) {
    const LiaTrajectory* motion = page->motion;
    const LiaCheck* check = motion->check;
    bool there = column < motion->csv_count;
    if (there && motion->final.rounding && !check)
        digits = lia_summary_page_digits(motion->final.values[column],
                                         motion->final.rounding[column], digits);
    lia_summary_page_known(page, cells, there ? final_value(motion, column) : NAN, digits,
                           there && check ? check->difference[column] : NAN,
                           there && check ? check->size[column] : 0.0);
}

// "\tposition\tvelocity", with room for differences
void lia_summary_page_heading(const LiaSummaryPage* page, LiaText* cells, const char* const* words,
                              int count) {
    for (int i = 0; i < count; i++) {
        lia_text_add(cells, "%s%s", i > 0 ? "\t" : "", words[i]);
        if (lia_summary_page_with_differences(page)) lia_text_add(cells, "\t+-");
    }
    lia_text_add(cells, "\n");
}

const char* lia_summary_page_not_unique(const LiaSummaryPage* page) {
    return page->narrow ? "*" : "not unique";
}
