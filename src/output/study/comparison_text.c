// Two motions side by side, for people. For programs: comparison_json.c.
// SPDX-License-Identifier: MIT
#include "base/memory/call.h"
#include "base/numeric/thresholds.h"
#include "base/text/plain.h"
#include "lang/model.h"
#include "output/plot/figure.h"
#include "output/plot/terminal.h"
#include "output/text/escape.h"
#include "output/text/ink.h"
#include "output/text/reason.h"
#include "output/text/table.h"
#include "study/compare.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINES_MOST = 12,  // of a list
    DIGITS = 7,
};

typedef struct Page {
    LiaText* out;
    const LiaComparison* comparison;
    LiaTextStyle style;
} Page;

static const char* ink(const Page* page, const char* code) { return lia_ink(&page->style, code); }

static void begin_section(Page* page, const char* name) {
    lia_ink_section(page->out, &page->style, name);
}

static void add_head(Page* page) {
    const LiaComparison* c = page->comparison;
    for (int side = 0; side < 2; side++) {
        lia_text_add(page->out, "%s%s%s", ink(page, "\x1b[1m"), c->label[side],
                     ink(page, "\x1b[0m"));
        lia_text_add(page->out, side == 0 ? " (a) and " : " (b)\n");
    }
    lia_text_add(page->out, "  t = ");
    lia_text_add_short(page->out, c->t0, 10);
    lia_text_add(page->out, "..");
    lia_text_add_short(page->out, c->motion[0]->t1, 10);
    lia_text_add(page->out, ", %zu common sample%s, tolerance ", c->samples,
                 c->samples == 1 ? "" : "s");
    lia_text_add_short(page->out, c->motion[0]->effort.tolerance, 3);
    if (c->motion[1]->effort.tolerance != c->motion[0]->effort.tolerance) {
        lia_text_add(page->out, " and ");
        lia_text_add_short(page->out, c->motion[1]->effort.tolerance, 3);
    }
    lia_text_add(page->out, "\n");
}

// What it comes to, in one sentence.
static void add_verdict(Page* page) {
    const LiaComparison* c = page->comparison;
    LiaText* out = page->out;
    const LiaDifference* first = c->first < c->count ? &c->differences[c->first] : NULL;
    const LiaDifference* most = c->largest < c->count ? &c->differences[c->largest] : NULL;
    lia_text_add(out, "\n  ");
    if (c->samples == 0) {
        lia_text_add(out, "there is not one instant at which both motions are known\n");
    } else if (!most) {
        lia_text_add(out, "they have no coordinate in common\n");
    } else if (first && first->first == c->t0) {
        lia_text_add(out, "they begin in different states: %s\n", first->name);
    } else if (first) {
        lia_text_add(out, "they part at t = ");
        lia_text_add_short(out, first->first, 6);
        lia_text_add(out, ", first in %s; %s differs most, by ", first->name, most->name);
        lia_text_add_short(out, most->largest / most->scale, 3);
        lia_text_add(out, " of its scale\n");
    } else if (most->largest == 0) {
        lia_text_add(out, "the same motion, to the last bit\n");
    } else {
        lia_text_add(out,
                     "the same motion: nothing of the state differs by more than 1e-6 of its scale "
                     "(%s most, by ",
                     most->name);
        lia_text_add_short(out, most->largest / most->scale, 2);
        lia_text_add(out, ")\n");
    }
}

static double relative(const LiaDifference* d) { return d->largest / d->scale; }

// Long lists show what differs most: the relative difference from which on something is shown.
static double shown_from(const LiaComparison* c, LiaColumnKind kind, LiaColumnKind or_kind) {
    double most[LINES_MOST];
    for (int k = 0; k < LINES_MOST; k++) {
        most[k] = -1.0;
    }
    for (size_t i = 0; i < c->count; i++) {
        double x = lia_compare_is_of(c, i, kind, or_kind) ? relative(&c->differences[i]) : -1.0;
        for (int k = 0; k < LINES_MOST && x >= 0; k++) {
            if (x > most[k]) {
                double smaller = most[k];
                most[k] = x;
                x = smaller;
            }
        }
    }
    return most[LINES_MOST - 1];
}

static void add_rows(Page* page, const char* title, LiaColumnKind kind, LiaColumnKind or_kind) {
    const LiaComparison* c = page->comparison;
    LiaText cells = {0};
    size_t count = 0, shown = 0;
    double from = shown_from(c, kind, or_kind);
    lia_text_add(&cells, "\tfrom t =\tlargest\tat t =\tof scale\tend of a\tend of b\n");
    for (size_t i = 0; i < c->count; i++) {
        const LiaDifference* d = &c->differences[i];
        if (!lia_compare_is_of(c, i, kind, or_kind)) {
            continue;
        }
        count++;
        if (relative(d) < from || shown == LINES_MOST) {
            continue;
        }
        shown++;
        lia_text_add(&cells, "%s\t", d->name);
        lia_table_number(&cells, d->first, 6);
        lia_table_number(&cells, d->largest, 4);
        lia_table_number(&cells, d->largest == 0 ? NAN : d->largest_t, 6);
        lia_table_number(&cells, relative(d), 2);
        lia_table_number(&cells, d->a, DIGITS);
        lia_table_number(&cells, d->b, DIGITS);
        const char* unit = c->columns[i]->unit;
        lia_text_add(&cells, "%s%s\n", unit ? "in " : "", unit ? unit : "");
    }
    if (count > 0) {
        begin_section(page, title);
        lia_table_inked(page->out, &page->style, &cells, "lppppppl");
        if (count > shown) {
            lia_text_add(page->out, "  ... and %zu that differ less (--json has all)\n",
                         count - shown);
        }
    }
    lia_text_clear(&cells);
}

static void add_works(Page* page) {
    const LiaComparison* c = page->comparison;
    LiaText cells = {0};
    size_t count = 0;
    lia_text_add(&cells, "\ta\tb\n");
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < c->motion[side]->ledger.count; i++) {
            const LiaLedgerLine* line = &c->motion[side]->ledger.lines[i];
            const LiaLedgerLine* other = lia_compare_line(c->motion[1 - side], line->name);
            bool told = line->kind == LIA_LINE_PROJECTION || (side == 1 && other);
            if (told || count++ >= LINES_MOST) {
                continue;
            }
            lia_text_add(&cells, "%s\t", line->name);
            lia_table_number(&cells, lia_compare_work(side == 0 ? line : other), DIGITS);
            lia_table_number(&cells, lia_compare_work(side == 0 ? other : line), DIGITS);
            lia_text_add(&cells, "\n");
        }
    }
    if (count > 0) {
        lia_text_add(&cells, "energy\t");
        for (int side = 0; side < 2; side++) {
            lia_table_number(&cells, c->motion[side]->ledger.end - c->motion[side]->ledger.start,
                             DIGITS);
        }
        lia_text_add(&cells, "change\n");
        begin_section(page, "work");
        lia_table_inked(page->out, &page->style, &cells, "lppl");
        if (count > LINES_MOST) {
            lia_text_add(page->out, "  ... and %zu more\n", count - LINES_MOST);
        }
    }
    lia_text_clear(&cells);
}

static const LiaConserved* find_conserved(const LiaTrajectory* motion, const char* name) {
    for (size_t i = 0; i < motion->conserved.count; i++) {
        if (strcmp(motion->conserved.list[i].name, name) == 0) {
            return &motion->conserved.list[i];
        }
    }
    return NULL;
}

static void add_kept_cell(LiaText* cells, const LiaConserved* conserved) {
    if (conserved) {
        lia_text_add_short(cells, conserved->value, DIGITS);
        lia_text_add(cells, " within ");
        lia_text_add_short(cells, conserved->drift, 2);
    } else {
        lia_text_add(cells, "-");
    }
    lia_text_add(cells, "\t");
}

static void add_kept(Page* page) {
    const LiaComparison* c = page->comparison;
    LiaText cells = {0};
    size_t count = 0;
    lia_text_add(&cells, "\ta\tb\n");
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < c->motion[side]->conserved.count; i++) {
            const LiaConserved* own = &c->motion[side]->conserved.list[i];
            const LiaConserved* other = find_conserved(c->motion[1 - side], own->name);
            if ((side == 1 && other) || count++ >= LINES_MOST) {
                continue;
            }
            lia_text_add(&cells, "%s\t", own->name);
            add_kept_cell(&cells, side == 0 ? own : other);
            add_kept_cell(&cells, side == 0 ? other : own);
            lia_text_add(&cells, "\n");
        }
    }
    begin_section(page, "kept");
    if (count > 0) {
        lia_table_inked(page->out, &page->style, &cells, "lll");
    } else {
        lia_text_add(page->out, "  neither keeps its energy or a momentum\n");
    }
    lia_text_clear(&cells);
}

static void add_alone(Page* page) {
    const LiaComparison* c = page->comparison;
    for (int side = 0; side < 2; side++) {
        size_t count = c->alone_count[side];
        if (count == 0) {
            continue;
        }
        lia_text_add(page->out, "  only %s has", side == 0 ? "a" : "b");
        for (size_t i = 0; i < count && i < LINES_MOST; i++) {
            lia_text_add(page->out, "%s %s", i > 0 ? "," : "", c->alone[side][i]);
        }
        if (count > LINES_MOST) {
            lia_text_add(page->out, " and %zu more", count - LINES_MOST);
        }
        lia_text_add(page->out, "\n");
    }
}

static void add_unique(Page* page) {
    const LiaComparison* c = page->comparison;
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < c->motion[side]->constraints.count; i++) {
            const LiaConstraintReport* constraint = &c->motion[side]->constraints.list[i];
            if (!constraint->unique && !constraint->eliminated) {
                lia_text_add(
                    page->out,
                    "  the forces of '%s' are not unique in %s: those of least norm are shown\n",
                    constraint->name, side == 0 ? "a" : "b");
            }
        }
    }
}

// How far apart the states are over time, as a power of ten: a motion that is drawn by hand.
static void add_picture(Page* page) {
    const LiaComparison* c = page->comparison;
    double most = 0.0;
    for (size_t i = 0; i < c->samples; i++) most = fmax(most, c->apart[i]);
    bool differs = c->largest < c->count && most > LIA_FIGURE_ROUNDING;  // else: of rounding
    double* values =
        differs && c->samples > 2 ? lia_memory_zeros(2 * c->samples, sizeof *values) : NULL;
    if (!values) {
        return;
    }
    for (size_t i = 0; i < c->samples; i++) {
        values[2 * i] = c->times[i];
        values[2 * i + 1] = c->apart[i] > 0 ? log10(fmax(c->apart[i], LIA_COMPARISON_FLOOR)) : NAN;
    }
    LiaTrajectory motion = {.rows.values = values, .rows.count = c->samples, .column_count = 2};
    LiaSeries curve = {.label = "log10 of the largest difference of the state, of its scale",
                       .column = 1};
    LiaFigure figure = {.trajectory = &motion,
                        .over_time = true,
                        .x = {.label = "t"},
                        .curves = &curve,
                        .count = 1,
                        .group_count = 1,
                        .one_unit = true,
                        .rows = c->samples,
                        .low = INFINITY,
                        .high = -INFINITY,
                        .y_low = INFINITY,
                        .y_high = -INFINITY};
    lia_figure_range(&figure, &figure.x, &figure.low, &figure.high);
    lia_figure_range(&figure, &curve, &figure.y_low, &figure.y_high);
    if (figure.low < figure.high && figure.y_low <= figure.y_high) {
        lia_text_add(page->out, "\n");
        lia_terminal_picture(&figure, &page->style, page->out);
    }
    free(values);
}

static void add_ends(Page* page) {
    const LiaComparison* c = page->comparison;
    lia_text_add(page->out, "\n");
    for (int side = 0; side < 2; side++) {
        const LiaTrajectory* motion = c->motion[side];
        const char* colour = motion->status == LIA_OK        ? "\x1b[1;32m"
                             : motion->status == LIA_STOPPED ? "\x1b[1;33m"
                                                             : "\x1b[1;31m";
        lia_text_add(page->out, "%s: %s%s%s at t = ", side == 0 ? "a" : "b", ink(page, colour),
                     lia_trajectory_status(motion), ink(page, "\x1b[0m"));
        lia_text_add_short(page->out, motion->t, 10);
        if (motion->status == LIA_FAILED && motion->reason.code) {
            lia_text_add(page->out, " with %s", motion->reason.code);
        }
        lia_text_add(page->out, ", %llu step%s, ledger within ",
                     (unsigned long long)motion->effort.steps,
                     motion->effort.steps == 1 ? "" : "s");
        lia_text_add_short(page->out, motion->ledger.balance, 2);
        lia_text_add(page->out, "\n");
        if (motion->status == LIA_STOPPED) {
            lia_reason_print(motion, page->out);
        }
    }
}

char* lia_output_compare(const LiaComparison* comparison, const LiaTextStyle* style) {
    if (!comparison) return NULL;
    LiaCall call = lia_call_begin(NULL);
    LiaText out = {0};
    Page page = {&out, comparison, style ? *style : (LiaTextStyle){0}};
    add_head(&page);
    add_verdict(&page);
    add_alone(&page);
    add_rows(&page, "state", LIA_COLUMN_POSITION, LIA_COLUMN_VELOCITY);
    add_rows(&page, "observed", LIA_COLUMN_OBSERVE, LIA_COLUMN_OBSERVE);
    add_rows(&page, "forces", LIA_COLUMN_FORCE, LIA_COLUMN_FORCE);
    add_unique(&page);
    add_works(&page);
    add_kept(&page);
    if (page.style.pictures) {
        add_picture(&page);
    }
    add_ends(&page);
    lia_plain_make(&out, LIA_PLAIN_LINES | (page.style.colour ? LIA_PLAIN_COLOURS : 0));
    return lia_call_text(&call, &out);
}
