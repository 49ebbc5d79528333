// The result of a run for people: what was run, what was chosen, where it ended, who acted and what
// it cost, what stayed as it was, and the verdict. A small model's summary fits a screen; long
// lists are cut.
// SPDX-License-Identifier: MIT
#include "base/memory/call.h"
#include "base/text/plain.h"
#include "lang/model.h"
#include "output/plot/figure.h"
#include "output/plot/label.h"
#include "output/plot/terminal.h"
#include "output/study/checked.h"
#include "output/text/ink.h"
#include "output/text/reason.h"
#include "output/text/summary_page.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    OBSERVED_MOST = 30,  // of what somebody asked for
    EVENTS_LAST = 4,     // of a long list: the last ones
    PICTURES_MOST = 3,
    WIDTH_DEFAULT = 80,
    NARROW = 60,  // a terminal of fewer columns: fewer digits, fewer words
};

static void add_head(LiaSummaryPage* page) {
    const LiaTrajectory* motion = page->motion;
    const LiaModel* model = motion->model;
    LiaText how = {0};
    lia_text_add(&how, "%s%s%s", lia_summary_page_bold(page), model->name,
                 lia_summary_page_plain(page));
    if (model->title) {
        lia_text_add(&how, ": ");
        lia_plain_add(&how, model->title, strlen(model->title), LIA_PLAIN_WORD);
    }
    lia_summary_page_end_sentence(page, 0, &how);
    lia_text_add(&how, "t = ");
    lia_text_add_short(&how, motion->t0, 10);
    lia_text_add(&how, "..");
    lia_text_add_short(&how, motion->t1, 10);
    lia_text_add(&how, "%s", lia_summary_page_seconds(motion));
    lia_text_add(&how, ", tolerance ");
    lia_text_add_short(&how, motion->effort.tolerance, 3);
    if (motion->effort.order > 0) {
        lia_text_add(&how, ", Taylor series of order %d", motion->effort.order);
    }
    lia_summary_page_end_sentence(page, 2, &how);
    for (size_t i = 0; i < motion->choices.count; i++) {  // cut by kinds where they were made
        lia_summary_page_sentence(page, 2, motion->choices.sentences[i]);
    }
}

static void add_state(LiaSummaryPage* page) {
    const LiaTrajectory* motion = page->motion;
    LiaText title = {0}, cells = {0};
    bool phase = motion->model->phase.is;
    const char* const heading[] = {phase ? "value" : "position", phase ? "rate" : "velocity"};
    lia_text_add(&title, "state at t = ");
    lia_checked_number(&title, motion->t, motion->check ? motion->check->end : NAN, 0.0,
                       LIA_SUMMARY_DIGITS);
    lia_text_add(&title, "%s", lia_summary_page_seconds(motion));
    lia_text_add(&cells, "\t");
    lia_summary_page_heading(page, &cells, heading, 2);
    size_t count = 0;
    for (size_t i = 0; i < motion->csv_count; i++) {
        const LiaColumn* column = &motion->columns[i];
        if (column->kind == LIA_COLUMN_POSITION && count++ < LIA_SUMMARY_LINES_MOST) {
            lia_text_add(&cells, "%s\t", column->name);
            lia_summary_page_final(page, &cells, i, page->digits);
            lia_summary_page_final(page, &cells, lia_summary_page_velocity_of(motion, column),
                                   page->digits);
            lia_text_add(&cells, "%s%s\n", column->unit ? "in " : "",
                         column->unit ? column->unit : "");
        }
    }
    if (count > 0) {
        lia_summary_page_section(page, title.data ? title.data : "state");
        lia_summary_page_table(page, &cells,
                               lia_summary_page_with_differences(page) ? "lplpll" : "lppl", true);
    }
    lia_text_clear(&title);
    lia_text_clear(&cells);
    lia_summary_page_rest(page, lia_summary_page_least(count, LIA_SUMMARY_LINES_MOST), count,
                          " (in the CSV)");
}

static void add_observed(LiaSummaryPage* page) {
    const LiaTrajectory* motion = page->motion;
    LiaText cells = {0};
    size_t count = 0;
    for (size_t i = 0; i < motion->csv_count; i++) {
        const LiaColumn* column = &motion->columns[i];
        if (column->kind == LIA_COLUMN_OBSERVE && count++ < OBSERVED_MOST) {
            lia_text_add(&cells, "%s\t", column->name);
            lia_summary_page_final(page, &cells, i, page->digits);
            lia_text_add(&cells, "%s%s\t%s\n", column->unit ? "in " : "",
                         column->unit ? column->unit : "",
                         column->shared ? lia_summary_page_not_unique(page) : "");
        }
    }
    if (count > 0) {
        lia_summary_page_section(page, "observed");
    }
    lia_summary_page_table(page, &cells, lia_summary_page_with_differences(page) ? "lplll" : "lpll",
                           false);
    lia_summary_page_rest(page, lia_summary_page_least(count, OBSERVED_MOST), count,
                          " (in the CSV)");
}

static void add_event(LiaSummaryPage* page, size_t i, LiaText* cells) {
    const LiaTrajectory* motion = page->motion;
    const LiaEventRecord* event = &motion->events.list[i];
    lia_text_add(cells, "%s\tt =\t", event->name);
    lia_summary_page_known(page, cells, event->t, page->digits,
                           motion->check ? motion->check->event[i] : NAN, 0.0);
    lia_text_add(cells, "%s%s\n",
                 event->kind            ? lia_event_kind_text(event->kind)
                 : event->direction > 0 ? "rising"
                 : event->direction < 0 ? "falling"
                                        : "touching",
                 event->stop ? ", stop" : "");
}

// The first ones and the last ones: how it began, and what it came to.
static void add_events(LiaSummaryPage* page) {
    const LiaTrajectory* motion = page->motion;
    size_t count = motion->events.count, first = count;
    if (count == 0) return;
    lia_summary_page_section(page, "events");
    LiaText cells = {0};
    if (count > LIA_SUMMARY_LINES_MOST) first = LIA_SUMMARY_LINES_MOST - EVENTS_LAST;
    for (size_t i = 0; i < first; i++) add_event(page, i, &cells);
    if (count > first) {
        lia_text_add(&cells, "...\t\t");
        lia_summary_page_nothing(page, &cells);
        lia_text_add(&cells, "and %zu more\n", count - first - EVENTS_LAST);
        for (size_t i = count - EVENTS_LAST; i < count; i++) add_event(page, i, &cells);
    }
    lia_summary_page_table(page, &cells, lia_summary_page_with_differences(page) ? "lrpll" : "lrpl",
                           false);
}

// What a second run said.
static void add_check(LiaSummaryPage* page) {
    LiaText lines = {0};
    if (!page->motion->check) {
        return;
    }
    lia_summary_page_section(page, "checked");
    lia_checked_sentences(page->motion, &lines);
    for (char* at = lines.data; at && *at;) {
        char* end = at + strcspn(at, "\n");
        bool more = *end != '\0';
        *end = '\0';
        lia_summary_page_sentence(page, 2, at);
        at = more ? end + 1 : end;
    }
    page->out->failed |= lines.failed;
    lia_text_clear(&lines);
}

static void add_pictures(LiaSummaryPage* page) {
    size_t shown = 0, count = page->motion->model->pictures.plots_count;
    for (size_t i = 0; i < count && shown < PICTURES_MOST; i++) {
        LiaFigure figure;
        if (lia_figure_make(&figure, page->motion, i)) {
            lia_text_add(page->out, "\n");
            lia_terminal_picture(&figure, &page->style, page->out);
            lia_figure_clear(&figure);
            shown++;
        }
    }
    lia_summary_page_rest(page, shown, shown == PICTURES_MOST ? count : shown,
                          " plots (in the SVG files)");
}

// A duration for people: 213 us, 4.1 ms, 2.5 s.
static void add_seconds(LiaText* out, double seconds) {
    double scale = seconds < 0.001 ? 1e6 : seconds < 1.0 ? 1e3 : 1.0;
    lia_text_add_short(out, seconds * scale, seconds < 100 ? 3 : 6);
    lia_text_add(out, scale == 1e6 ? " us" : scale == 1e3 ? " ms" : " s");
}

static void add_verdict(LiaSummaryPage* page) {
    const LiaTrajectory* motion = page->motion;
    const char* colour = motion->status == LIA_OK        ? "\x1b[1;32m"
                         : motion->status == LIA_STOPPED ? "\x1b[1;33m"
                                                         : "\x1b[1;31m";
    LiaText verdict = {0};
    lia_text_add(&verdict, "%s%s%s at t = ", lia_summary_page_ink(page, colour),
                 lia_trajectory_status(motion), lia_summary_page_plain(page));
    lia_checked_number(&verdict, motion->t, motion->check ? motion->check->end : NAN, 0.0,
                       LIA_SUMMARY_DIGITS);
    lia_text_add(&verdict, "%s", lia_summary_page_seconds(motion));
    if (motion->status == LIA_FAILED && motion->reason.code) {
        lia_text_add(&verdict, " with %s", motion->reason.code);
    }
    lia_text_add(&verdict, ": %llu step%s", (unsigned long long)motion->effort.steps,
                 motion->effort.steps == 1 ? "" : "s");
    if (motion->effort.rejected > 0) {
        lia_text_add(&verdict, " (and %llu rejected)", (unsigned long long)motion->effort.rejected);
    }
    lia_text_add(&verdict, " in ");
    add_seconds(&verdict, motion->effort.seconds);
    lia_text_add(&verdict, ", set up in ");
    add_seconds(&verdict, motion->effort.setup_seconds);
    lia_text_add(page->out, "\n");
    lia_summary_page_end_sentence(page, 0, &verdict);
    if (motion->status == LIA_STOPPED) {
        lia_reason_print(motion, page->out);
    }
}

char* lia_output_summary(const LiaTrajectory* trajectory, const LiaTextStyle* style) {
    if (!trajectory) return NULL;
    LiaCall call = lia_call_begin(NULL);
    LiaText out = {0};
    LiaSummaryPage page = {
        .out = &out, .motion = trajectory, .style = style ? *style : (LiaTextStyle){0}};
    page.width = page.style.width > 0 ? page.style.width : WIDTH_DEFAULT;
    page.narrow = page.width < NARROW;
    page.digits = page.narrow ? 5 : LIA_SUMMARY_DIGITS;
    page.few = page.narrow ? 4 : LIA_SUMMARY_FEW;
    add_head(&page);
    add_state(&page);
    if (trajectory->rows.count > 0) {  // a run that could not begin has a start and a verdict only
        add_observed(&page);
        lia_summary_actors_add(&page);
        lia_summary_kept_add(&page);
        add_events(&page);
        lia_summary_modes_add(&page);
        lia_summary_jumps_add(&page);
        add_check(&page);
        if (page.style.pictures) {
            add_pictures(&page);
        }
    }
    add_verdict(&page);
    lia_plain_make(&out, LIA_PLAIN_LINES | (page.style.colour ? LIA_PLAIN_COLOURS : 0));
    return lia_call_text(&call, &out);
}
