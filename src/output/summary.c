// The result of a run for people: what was run, what was chosen, where it ended, who acted and what it
// cost, what stayed as it was, and the verdict. A small model's summary fits a screen; long lists are cut.
// SPDX-License-Identifier: MIT
#include "../lang/model.h"
#include "figure.h"
#include "reason.h"
#include "table.h"
#include "terminal.h"
#include <math.h>
#include <string.h>

enum {
    LINES_MOST = 12,     // of a list
    OBSERVED_MOST = 30,  // of what somebody asked for
    PICTURES_MOST = 3,
    DIGITS = 10,  // of a state
    FEW = 7,      // of forces and works
};

typedef struct Page {
    LiaText* out;
    const LiaTrajectory* motion;
    LiaTextStyle style;
} Page;

static const char* ink(const Page* page, const char* code) {
    return page->style.colour ? code : "";
}
static const char* bold(const Page* page) { return ink(page, "\x1b[1m"); }
static const char* dim(const Page* page) { return ink(page, "\x1b[2m"); }
static const char* plain(const Page* page) { return ink(page, "\x1b[0m"); }

static void begin_section(Page* page, const char* name) {
    lia_text_add(page->out, "\n%s%s%s\n", bold(page), name, plain(page));
}

static void add_rest(Page* page, size_t shown, size_t count, const char* where) {
    if (count > shown) {
        lia_text_add(page->out, "  %s... and %zu more%s%s\n", dim(page), count - shown, where,
                     plain(page));
    }
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

// A duration for people: 213 us, 4.1 ms, 2.5 s.
static void add_seconds(LiaText* out, double seconds) {
    double scale = seconds < 1e-3 ? 1e6 : seconds < 1.0 ? 1e3 : 1.0;
    lia_text_add_short(out, seconds * scale, seconds < 100 ? 3 : 6);
    lia_text_add(out, scale == 1e6 ? " us" : scale == 1e3 ? " ms" : " s");
}

static void add_cell(LiaText* cells, double x, int digits) {
    if (isnan(x)) {
        lia_text_add(cells, "-");
    } else {
        lia_text_add_short(cells, x == 0 ? 0.0 : x, digits);  // no -0
    }
    lia_text_add(cells, "\t");
}

static void print_table(Page* page, LiaText* cells, const char* align, bool heading) {
    lia_table_print(cells, align, heading, dim(page), plain(page), page->out);
    lia_text_clear(cells);
}

static void add_head(Page* page) {
    const LiaTrajectory* motion = page->motion;
    const LiaModel* model = motion->model;
    lia_text_add(page->out, "%s%s%s", bold(page), model->name, plain(page));
    lia_text_add(page->out, "%s%s\n", model->title ? ": " : "", model->title ? model->title : "");
    lia_text_add(page->out, "  t = ");
    lia_text_add_short(page->out, motion->t0, 10);
    lia_text_add(page->out, "..");
    lia_text_add_short(page->out, motion->t1, 10);
    lia_text_add(page->out, ", tolerance ");
    lia_text_add_short(page->out, motion->tolerance, 3);
    if (motion->order > 0) {
        lia_text_add(page->out, ", Taylor series of order %d", motion->order);
    }
    lia_text_add(page->out, "\n");
    for (size_t i = 0; i < motion->choice_count; i++) {  // cut by kinds where they were made
        lia_text_add(page->out, "  %s\n", motion->choices[i]);
    }
}

static double final_value(const LiaTrajectory* motion, size_t column) {
    return motion->final ? motion->final[column] : NAN;
}

static double final_velocity(const LiaTrajectory* motion, const LiaColumn* position) {
    for (size_t i = 0; i < motion->csv_count; i++) {
        const LiaColumn* column = &motion->columns[i];
        if (column->kind == LIA_COLUMN_VELOCITY && column->index == position->index) {
            return final_value(motion, i);
        }
    }
    return NAN;
}

static void add_state(Page* page) {
    const LiaTrajectory* motion = page->motion;
    LiaText title = {0}, cells = {0};
    lia_text_add(&title, "state at t = ");
    lia_text_add_short(&title, motion->t, DIGITS);
    lia_text_add(&cells, "\tposition\tvelocity\n");
    size_t count = 0;
    for (size_t i = 0; i < motion->csv_count; i++) {
        const LiaColumn* column = &motion->columns[i];
        if (column->kind == LIA_COLUMN_POSITION && count++ < LINES_MOST) {
            lia_text_add(&cells, "%s\t", column->name);
            add_cell(&cells, final_value(motion, i), DIGITS);
            add_cell(&cells, final_velocity(motion, column), DIGITS);
            lia_text_add(&cells, "%s%s\n", column->unit ? "in " : "",
                         column->unit ? column->unit : "");
        }
    }
    if (count > 0) {
        begin_section(page, title.data ? title.data : "state");
        print_table(page, &cells, "lppl", true);
    }
    lia_text_clear(&title);
    lia_text_clear(&cells);
    add_rest(page, least(count, LINES_MOST), count, " (in the CSV)");
}

static const char NOT_UNIQUE[] = "not unique";

static void add_observed(Page* page) {
    const LiaTrajectory* motion = page->motion;
    LiaText cells = {0};
    size_t count = 0;
    for (size_t i = 0; i < motion->csv_count; i++) {
        const LiaColumn* column = &motion->columns[i];
        if (column->kind == LIA_COLUMN_OBSERVE && count++ < OBSERVED_MOST) {
            lia_text_add(&cells, "%s\t", column->name);
            add_cell(&cells, final_value(motion, i), DIGITS);
            lia_text_add(&cells, "%s%s\t%s\n", column->unit ? "in " : "",
                         column->unit ? column->unit : "", column->shared ? NOT_UNIQUE : "");
        }
    }
    if (count > 0) {
        begin_section(page, "observed");
    }
    print_table(page, &cells, "lpll", false);
    add_rest(page, least(count, OBSERVED_MOST), count, " (in the CSV)");
}

static const char* line_word(LiaLineKind kind) {
    switch (kind) {
    case LIA_LINE_CONSTRAINT:
        return "constraint";
    case LIA_LINE_OPERATOR:
        return "operator";
    case LIA_LINE_FORCE:
        return "force";
    case LIA_LINE_DISSIPATION:
        return "Rayleigh";
    case LIA_LINE_TIME:
        return "explicit";
    case LIA_LINE_PROJECTION:
        return "numerical";
    }
    return "";
}

static const LiaLedgerLine* find_line(const LiaTrajectory* motion,
                                      const LiaConstraintReport* constraint) {
    for (size_t i = 0; i < motion->ledger_count; i++) {
        const LiaLedgerLine* line = &motion->ledger[i];
        bool right = line->kind == (constraint->active ? LIA_LINE_OPERATOR : LIA_LINE_CONSTRAINT);
        if (right && strcmp(line->name, constraint->name) == 0) {
            return line;
        }
    }
    return NULL;
}

static void add_works(LiaText* cells, const LiaLedgerLine* line) {
    if (!line) {
        lia_text_add(cells, "\t\t");
        return;
    }
    if (line->kind == LIA_LINE_PROJECTION) {
        lia_text_add(cells, "\t");
    } else {
        add_cell(cells, line->workless ? 0.0 : line->power, FEW);
    }
    add_cell(cells, line->workless ? 0.0 : line->work, line->kind == LIA_LINE_PROJECTION ? 2 : FEW);
}

// A constraint's forces, one line for each of its equations; its power and work in the first.
static void add_constraint(const LiaTrajectory* motion, size_t index, LiaText* cells) {
    const LiaConstraintReport* constraint = &motion->constraints[index];
    lia_text_add(cells, "%s\t%s\t", constraint->name,
                 line_word(constraint->active ? LIA_LINE_OPERATOR : LIA_LINE_CONSTRAINT));
    bool first = true;
    for (size_t i = 0; i < motion->csv_count; i++) {
        const LiaColumn* column = &motion->columns[i];
        if (column->kind != LIA_COLUMN_FORCE || strcmp(column->key, constraint->name) != 0) {
            continue;
        }
        if (!first) {
            lia_text_add(cells, "\n\t\t");
        }
        add_cell(cells, final_value(motion, i), FEW);
        add_works(cells, first ? find_line(motion, constraint) : NULL);
        lia_text_add(cells, "%s", column->shared ? NOT_UNIQUE : "");
        first = false;
    }
    if (first) {
        lia_text_add(cells, "\t");
        add_works(cells, find_line(motion, constraint));
    }
    lia_text_add(cells, "\n");
}

// Those who do something, and those who only hold: joints are many, and do not push a motor off the list.
static void add_actors(Page* page) {
    const LiaTrajectory* motion = page->motion;
    LiaText cells = {0};
    size_t count = 0, held = 0, hidden = 0;
    lia_text_add(&cells, "\t\tforce\tpower\twork\n");
    for (size_t i = 0; i < motion->constraint_count; i++) {
        if ((motion->constraints[i].active ? count++ : held++) < LINES_MOST) {
            add_constraint(motion, i, &cells);
        } else {
            hidden++;
        }
    }
    for (size_t i = 0; i < motion->ledger_count; i++) {
        const LiaLedgerLine* line = &motion->ledger[i];
        bool told = line->kind == LIA_LINE_CONSTRAINT || line->kind == LIA_LINE_OPERATOR ||
                    (line->kind == LIA_LINE_PROJECTION && line->work == 0);
        if (told) {
            continue;
        }
        if (count++ < LINES_MOST) {
            lia_text_add(&cells, "%s\t%s\t\t", line->name, line_word(line->kind));
            add_works(&cells, line);
            lia_text_add(&cells, "\n");
        } else {
            hidden++;
        }
    }
    if (count + held > 0) {
        lia_text_add(&cells, "energy\tchange\t\t\t");
        add_cell(&cells, motion->energy_end - motion->energy_start, FEW);
        lia_text_add(&cells, "\n");
        begin_section(page, "who acts");
        print_table(page, &cells, "llpppl", true);
        add_rest(page, 0, hidden, " (in the CSV)");
    }
    lia_text_clear(&cells);
}

static void add_within(LiaText* cells, double x) {
    lia_text_add(cells, "within ");
    lia_text_add_short(cells, fabs(x), 2);
}

static void add_constraints_kept(const LiaTrajectory* motion, LiaText* cells) {
    const LiaConstraintReport* worst = &motion->constraints[0];
    for (size_t i = 1; i < motion->constraint_count; i++) {
        worst = motion->constraints[i].worst > worst->worst ? &motion->constraints[i] : worst;
    }
    lia_text_add(cells, "constraints\t\t");
    add_within(cells, worst->worst);
    if (worst->worst > 0 && motion->constraint_count > 1) {
        lia_text_add(cells, " (%s)", worst->name);
    }
    if (!isnan(motion->regularity)) {
        lia_text_add(cells, ", regularity ");
        lia_text_add_short(cells, motion->regularity, 3);
    }
    lia_text_add(cells, "\n");
}

// What should not change, and how well it did not.
static void add_kept(Page* page) {
    const LiaTrajectory* motion = page->motion;
    LiaText cells = {0};
    begin_section(page, "kept");
    size_t shown = least(motion->conserved_count, LINES_MOST);
    for (size_t i = 0; i < shown; i++) {
        lia_text_add(&cells, "%s\t", motion->conserved[i].name);
        add_cell(&cells, motion->conserved[i].value, DIGITS);
        add_within(&cells, motion->conserved[i].drift);
        lia_text_add(&cells, "\n");
    }
    lia_text_add(&cells, "ledger\t\t");
    add_within(&cells, motion->balance);
    lia_text_add(&cells, " of max T + range of U\n");
    if (motion->constraint_count > 0) {
        add_constraints_kept(motion, &cells);
    }
    print_table(page, &cells, "lpl", false);
    add_rest(page, shown, motion->conserved_count, "");
    for (size_t i = 0; i < motion->constraint_count; i++) {
        if (!motion->constraints[i].unique && !motion->constraints[i].eliminated) {
            lia_text_add(page->out,
                         "  the forces of '%s' are not unique: those of least norm are shown\n",
                         motion->constraints[i].name);
        }
    }
    shown = least(motion->combination_count, LINES_MOST);
    for (size_t i = 0; i < shown; i++) {
        lia_text_add(page->out, "  unique all the same: %s = ", motion->combinations[i].formula);
        lia_text_add_short(page->out, motion->combinations[i].value, FEW);
        lia_text_add(page->out, "\n");
    }
    add_rest(page, shown, motion->combination_count, " unique combinations (in the JSON)");
}

static void add_events(Page* page) {
    const LiaTrajectory* motion = page->motion;
    if (motion->event_count == 0) {
        return;
    }
    begin_section(page, "events");
    LiaText cells = {0};
    size_t shown = least(motion->event_count, LINES_MOST);
    for (size_t i = 0; i < shown; i++) {
        const LiaEventRecord* event = &motion->events[i];
        lia_text_add(&cells, "%s\tt =\t", event->name);
        add_cell(&cells, event->t, DIGITS);
        lia_text_add(&cells, "%s%s\n",
                     event->direction > 0   ? "rising"
                     : event->direction < 0 ? "falling"
                                            : "touching",
                     event->stop ? ", stop" : "");
    }
    print_table(page, &cells, "lrpl", false);
    add_rest(page, shown, motion->event_count, "");
}

static void add_pictures(Page* page) {
    size_t shown = 0, count = page->motion->model->plots_count;
    for (size_t i = 0; i < count && shown < PICTURES_MOST; i++) {
        LiaFigure figure;
        if (lia_figure_make(&figure, page->motion, i)) {
            lia_text_add(page->out, "\n");
            lia_terminal_picture(&figure, &page->style, page->out);
            lia_figure_clear(&figure);
            shown++;
        }
    }
    add_rest(page, shown, shown == PICTURES_MOST ? count : shown, " plots (in the SVG files)");
}

static void add_verdict(Page* page) {
    const LiaTrajectory* motion = page->motion;
    const char* colour = motion->status == LIA_OK        ? "\x1b[1;32m"
                         : motion->status == LIA_STOPPED ? "\x1b[1;33m"
                                                         : "\x1b[1;31m";
    lia_text_add(page->out, "\n%s%s%s at t = ", ink(page, colour), lia_trajectory_status(motion),
                 plain(page));
    lia_text_add_short(page->out, motion->t, DIGITS);
    if (motion->status == LIA_FAILED && motion->reason.code) {
        lia_text_add(page->out, " with %s", motion->reason.code);
    }
    lia_text_add(page->out, ": %llu step%s", (unsigned long long)motion->steps,
                 motion->steps == 1 ? "" : "s");
    if (motion->rejected > 0) {
        lia_text_add(page->out, " (and %llu rejected)", (unsigned long long)motion->rejected);
    }
    lia_text_add(page->out, " in ");
    add_seconds(page->out, motion->seconds);
    lia_text_add(page->out, ", set up in ");
    add_seconds(page->out, motion->setup_seconds);
    lia_text_add(page->out, "\n");
    if (motion->status == LIA_STOPPED) {
        lia_reason_print(motion, page->out);
    }
}

char* lia_output_summary(const LiaTrajectory* trajectory, const LiaTextStyle* style) {
    LiaText out = {0};
    Page page = {&out, trajectory, style ? *style : (LiaTextStyle){0}};
    add_head(&page);
    add_state(&page);
    if (trajectory->row_count > 0) {  // a run that could not begin has a start and a verdict only
        add_observed(&page);
        add_actors(&page);
        add_kept(&page);
        add_events(&page);
        if (page.style.pictures) {
            add_pictures(&page);
        }
    }
    add_verdict(&page);
    if (out.failed) {
        lia_text_clear(&out);
    }
    return out.data;
}
