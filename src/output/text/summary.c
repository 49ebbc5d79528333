// The result of a run for people: what was run, what was chosen, where it ended, who acted and what it
// cost, what stayed as it was, and the verdict. A small model's summary fits a screen; long lists are cut.
// SPDX-License-Identifier: MIT
#include "base/memory/call.h"
#include "base/text/plain.h"
#include "lang/model.h"
#include "output/plot/figure.h"
#include "output/plot/label.h"
#include "output/plot/terminal.h"
#include "output/text/checked.h"
#include "output/text/ink.h"
#include "output/text/reason.h"
#include "output/text/table.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    LINES_MOST = 12,     // of a list
    OBSERVED_MOST = 30,  // of what somebody asked for
    PICTURES_MOST = 3,
    DIGITS = 10,       // of a state
    FEW = 7,           // of forces and works
    JUMPING_MOST = 6,  // velocities or impulses of one jump
    WIDTH_DEFAULT = 80,
    NARROW = 60,  // a terminal of fewer columns: fewer digits, fewer words
};

typedef struct Page {
    LiaText* out;
    const LiaTrajectory* motion;
    LiaTextStyle style;
    int width;  // of the terminal
    int digits, few;
    bool narrow;
} Page;

static const char* ink(const Page* page, const char* code) { return lia_ink(&page->style, code); }
static const char* bold(const Page* page) { return ink(page, LIA_INK_BOLD); }
static const char* dim(const Page* page) { return ink(page, LIA_INK_DIM); }
static const char* plain(const Page* page) { return ink(page, LIA_INK_PLAIN); }

static void begin_section(Page* page, const char* name) {
    lia_ink_section(page->out, &page->style, name);
}

static void add_rest(Page* page, size_t shown, size_t count, const char* where) {
    if (count > shown) {
        lia_text_add(page->out, "  %s... and %zu more%s%s\n", dim(page), count - shown, where,
                     plain(page));
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
static void add_sentence(Page* page, int indent, const char* text) {
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

static void end_sentence(Page* page, int indent, LiaText* text) {
    add_sentence(page, indent, text->data ? text->data : "");
    page->out->failed |= text->failed;
    lia_text_clear(text);
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

// A duration for people: 213 us, 4.1 ms, 2.5 s.
static void add_seconds(LiaText* out, double seconds) {
    double scale = seconds < 0.001 ? 1e6 : seconds < 1.0 ? 1e3 : 1.0;
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

static bool with_differences(const Page* page) { return page->motion->check && !page->narrow; }

// A number and, where there was a second run, only the digits that agree, and the difference in a column of its own.
static void add_known(const Page* page, LiaText* cells, double x, int digits, double difference,
                      double size) {
    if (!page->motion->check) {
        add_cell(cells, x, digits);
        return;
    }
    // what is shown as 0 is rounding, and so is what it differs by
    lia_checked_number(cells, x, x == 0.0 ? 0.0 : difference, size, digits);
    lia_text_add(cells, "\t");
    if (with_differences(page)) {
        lia_checked_difference(cells, difference);
        lia_text_add(cells, "\t");
    }
}

// Cells that stay empty.
static void add_nothing(const Page* page, LiaText* cells) {
    lia_text_add(cells, with_differences(page) ? "\t\t" : "\t");
}

// The same of a number that is nothing beside what it was summed of.
static double rounded(double x, double rounding) { return fabs(x) <= rounding ? 0.0 : x; }

static void print_table(Page* page, LiaText* cells, const char* align, bool heading) {
    lia_table_print(cells, align, heading, page->width, dim(page), plain(page), page->out);
    lia_text_clear(cells);
}

// " s" where it is known that times are in seconds.
static const char* seconds(const LiaTrajectory* motion) {
    return lia_figure_time_unit(motion->model) ? " s" : "";
}

static void add_head(Page* page) {
    const LiaTrajectory* motion = page->motion;
    const LiaModel* model = motion->model;
    LiaText how = {0};
    lia_text_add(&how, "%s%s%s", bold(page), model->name, plain(page));
    if (model->title) {
        lia_text_add(&how, ": ");
        lia_plain_add(&how, model->title, strlen(model->title), LIA_PLAIN_WORD);
    }
    end_sentence(page, 0, &how);
    lia_text_add(&how, "t = ");
    lia_text_add_short(&how, motion->t0, 10);
    lia_text_add(&how, "..");
    lia_text_add_short(&how, motion->t1, 10);
    lia_text_add(&how, "%s", seconds(motion));
    lia_text_add(&how, ", tolerance ");
    lia_text_add_short(&how, motion->tolerance, 3);
    if (motion->order > 0) {
        lia_text_add(&how, ", Taylor series of order %d", motion->order);
    }
    end_sentence(page, 2, &how);
    for (size_t i = 0; i < motion->choice_count; i++) {  // cut by kinds where they were made
        add_sentence(page, 2, motion->choices[i]);
    }
}

static double final_value(const LiaTrajectory* motion, size_t column) {
    if (!motion->final) return NAN;
    double rounding = motion->final_rounding ? motion->final_rounding[column] : 0.0;
    return rounded(motion->final[column], rounding);
}

// The column of the velocity of a position; csv_count: none.
static size_t velocity_of(const LiaTrajectory* motion, const LiaColumn* position) {
    size_t i = 0;
    for (; i < motion->csv_count; i++) {
        const LiaColumn* column = &motion->columns[i];
        if (column->kind == LIA_COLUMN_VELOCITY && column->index == position->index) break;
    }
    return i;
}

static void add_final(const Page* page, LiaText* cells, size_t column, int digits) {
    const LiaTrajectory* motion = page->motion;
    const LiaCheck* check = motion->check;
    bool there = column < motion->csv_count;
    add_known(page, cells, there ? final_value(motion, column) : NAN, digits,
              there && check ? check->difference[column] : NAN,
              there && check ? check->size[column] : 0.0);
}

// "\tposition\tvelocity", with room for differences
static void add_heading(const Page* page, LiaText* cells, const char* const* words, int count) {
    for (int i = 0; i < count; i++) {
        lia_text_add(cells, "%s%s", i > 0 ? "\t" : "", words[i]);
        if (with_differences(page)) lia_text_add(cells, "\t+-");
    }
    lia_text_add(cells, "\n");
}

static void add_state(Page* page) {
    const LiaTrajectory* motion = page->motion;
    LiaText title = {0}, cells = {0};
    lia_text_add(&title, "state at t = ");
    lia_checked_number(&title, motion->t, motion->check ? motion->check->end : NAN, 0.0, DIGITS);
    lia_text_add(&title, "%s", seconds(motion));
    lia_text_add(&cells, "\t");
    add_heading(page, &cells, (const char* const[]){"position", "velocity"}, 2);
    size_t count = 0;
    for (size_t i = 0; i < motion->csv_count; i++) {
        const LiaColumn* column = &motion->columns[i];
        if (column->kind == LIA_COLUMN_POSITION && count++ < LINES_MOST) {
            lia_text_add(&cells, "%s\t", column->name);
            add_final(page, &cells, i, page->digits);
            add_final(page, &cells, velocity_of(motion, column), page->digits);
            lia_text_add(&cells, "%s%s\n", column->unit ? "in " : "",
                         column->unit ? column->unit : "");
        }
    }
    if (count > 0) {
        begin_section(page, title.data ? title.data : "state");
        print_table(page, &cells, with_differences(page) ? "lplpll" : "lppl", true);
    }
    lia_text_clear(&title);
    lia_text_clear(&cells);
    add_rest(page, least(count, LINES_MOST), count, " (in the CSV)");
}

static const char* not_unique(const Page* page) { return page->narrow ? "*" : "not unique"; }

static void add_observed(Page* page) {
    const LiaTrajectory* motion = page->motion;
    LiaText cells = {0};
    size_t count = 0;
    for (size_t i = 0; i < motion->csv_count; i++) {
        const LiaColumn* column = &motion->columns[i];
        if (column->kind == LIA_COLUMN_OBSERVE && count++ < OBSERVED_MOST) {
            lia_text_add(&cells, "%s\t", column->name);
            add_final(page, &cells, i, page->digits);
            lia_text_add(&cells, "%s%s\t%s\n", column->unit ? "in " : "",
                         column->unit ? column->unit : "", column->shared ? not_unique(page) : "");
        }
    }
    if (count > 0) {
        begin_section(page, "observed");
    }
    print_table(page, &cells, with_differences(page) ? "lplll" : "lpll", false);
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

static void add_works(const Page* page, LiaText* cells, const LiaLedgerLine* line) {
    if (!line) {
        add_nothing(page, cells);
        add_nothing(page, cells);
        return;
    }
    const LiaCheck* check = page->motion->check;
    size_t at = (size_t)(line - page->motion->ledger);
    double power = check && !line->workless ? check->power[at] : 0.0;
    double work = check && !line->workless ? check->work[at] : 0.0;
    if (line->kind == LIA_LINE_PROJECTION) {  // what is rounding in both has no digits to agree in
        add_nothing(page, cells);
        add_cell(cells, line->work, page->narrow ? 1 : 2);
        lia_text_add(cells, with_differences(page) ? "\t" : "");
        return;
    }
    add_known(page, cells, line->workless ? 0.0 : rounded(line->power, line->power_rounding),
              page->few, power, 0.0);
    add_known(page, cells, line->workless ? 0.0 : rounded(line->work, line->work_rounding),
              page->few, work, 0.0);
}

// Who it is, and of which kind; where there is no room for that, the mark of a force that is not unique.
static void add_actor(const Page* page, const char* name, LiaLineKind kind, bool shared,
                      LiaText* cells) {
    const char* mark = shared ? not_unique(page) : "";
    lia_text_add(cells, "%s\t%s\t", name, page->narrow ? mark : *name ? line_word(kind) : "");
}

// A force in no more digits than the equations determine.
static void add_force(const Page* page, const LiaConstraintReport* constraint, LiaText* cells,
                      size_t column) {
    int digits = page->few;
    double known = lia_digits_known(constraint->doubt);
    if (known < digits) digits = (int)known;
    if (digits > 0 || page->motion->check) {
        add_final(page, cells, column, digits > 0 ? digits : 1);
    } else {
        lia_text_add(cells, "~\t");
    }
}

// A constraint's forces, one line for each of its equations; its power and work in the first.
static void add_constraint(const Page* page, size_t index, LiaText* cells) {
    const LiaTrajectory* motion = page->motion;
    const LiaConstraintReport* constraint = &motion->constraints[index];
    LiaLineKind kind = constraint->active ? LIA_LINE_OPERATOR : LIA_LINE_CONSTRAINT;
    bool first = true;
    for (size_t i = 0; i < motion->csv_count; i++) {
        const LiaColumn* column = &motion->columns[i];
        if (column->kind != LIA_COLUMN_FORCE || strcmp(column->key, constraint->name) != 0) {
            continue;
        }
        add_actor(page, first ? constraint->name : "", kind, column->shared, cells);
        add_force(page, constraint, cells, i);
        add_works(page, cells, first ? find_line(motion, constraint) : NULL);
        bool said = column->shared && !page->narrow;
        const char* unit = column->unit && !page->narrow ? column->unit : NULL;
        lia_text_add(cells, "%s%s%s%s\n", unit ? "in " : "", unit ? unit : "",
                     unit && said ? ", " : "", said ? not_unique(page) : "");
        first = false;
    }
    if (first) {
        add_actor(page, constraint->name, kind, false, cells);
        add_nothing(page, cells);
        add_works(page, cells, find_line(motion, constraint));
        lia_text_add(cells, "\n");
    }
}

// Those who do something, and those who only hold: joints are many, and do not push a motor off the list.
static void add_actors(Page* page) {
    const LiaTrajectory* motion = page->motion;
    LiaText cells = {0};
    size_t count = 0, held = 0, degree = 0;
    lia_text_add(&cells, "\t\t");
    bool joules = motion->model->joules;
    add_heading(page, &cells,
                (const char* const[]){"force", joules ? "power in W" : "power",
                                      joules ? "work in J" : "work"},
                3);
    for (size_t i = 0; i < motion->constraint_count; i++) {
        if ((motion->constraints[i].active ? count++ : held++) < LINES_MOST) {
            add_constraint(page, i, &cells);
        } else {
            degree++;
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
            add_actor(page, line->name, line->kind, false, &cells);
            add_nothing(page, &cells);
            add_works(page, &cells, line);
            lia_text_add(&cells, "\n");
        } else {
            degree++;
        }
    }
    if (count + held > 0) {
        lia_text_add(&cells, "energy\t%s\t", page->narrow ? "" : "change");
        add_nothing(page, &cells);
        add_nothing(page, &cells);
        double change = motion->energy_end - motion->energy_start;
        add_known(page, &cells, rounded(change, motion->energy_rounding), page->few,
                  motion->check ? motion->check->energy : NAN, 0.0);
        lia_text_add(&cells, "\n");
        begin_section(page, "who acts");
        print_table(page, &cells, with_differences(page) ? "llplplpll" : "llpppl", true);
        add_rest(page, 0, degree, " (in the CSV)");
    }
    lia_text_clear(&cells);
}

static void add_within(LiaText* cells, double x) {
    lia_text_add(cells, "within ");
    lia_text_add_short(cells, fabs(x), 2);
}

// An error that adds up: a run twice as long has twice as much of it.
static void add_growth(LiaText* cells, double growth) {
    if (growth == 0.0) return;
    lia_text_add(cells, ", grows by ");
    lia_text_add_short(cells, fabs(growth), 2);
    lia_text_add(cells, " a second");
}

static void add_constraints_kept(const Page* page, LiaText* cells) {
    const LiaTrajectory* motion = page->motion;
    const LiaConstraintReport* worst = &motion->constraints[0];
    for (size_t i = 1; i < motion->constraint_count; i++) {
        worst = motion->constraints[i].worst > worst->worst ? &motion->constraints[i] : worst;
    }
    lia_text_add(cells, "constraints\t\t");
    add_within(cells, worst->worst);
    if (worst->worst > 0 && motion->constraint_count > 1 && !page->narrow) {
        lia_text_add(cells, " (%s)", worst->name);
    }
    lia_text_add(cells, page->narrow ? "\nregularity\t\t" : ", regularity ");
    if (isnan(motion->regularity)) {
        lia_text_add(cells, "not known");
    } else {
        lia_text_add_short(cells, motion->regularity, 3);
    }
    lia_text_add(cells, "\n");
}

// Whose forces the equations do not decide, and which combinations of them they do.
static void add_not_unique(Page* page) {
    const LiaTrajectory* motion = page->motion;
    LiaText who = {0};
    for (size_t i = 0; i < motion->constraint_count; i++) {
        const LiaConstraintReport* constraint = &motion->constraints[i];
        if (!constraint->unique && !constraint->eliminated) {
            lia_text_add(&who, "%s '%s'", who.length > 0 ? "," : "the forces of", constraint->name);
        }
    }
    if (who.length > 0) {
        lia_text_add(&who, " are not unique%s: those of least norm are shown",
                     page->narrow ? " (*)" : "");
        end_sentence(page, 2, &who);
    }
    size_t shown = least(motion->combination_count, LINES_MOST);
    if (shown > 0) {
        lia_text_add(page->out, "  unique all the same:\n");
    }
    for (size_t i = 0; i < shown; i++) {
        LiaText sum = {0};
        lia_text_add(&sum, "%s = ", motion->combinations[i].formula);
        lia_text_add_short(&sum, motion->combinations[i].value, FEW);
        end_sentence(page, 4, &sum);
    }
    add_rest(page, shown, motion->combination_count, " unique combinations (in the JSON)");
}

// Where the equations determine few digits of forces and motion, however exact the steps are.
static void add_digits(Page* page) {
    const LiaTrajectory* motion = page->motion;
    const double few = 8.0;  // half of those that a number has
    LiaText text = {0};
    double known = lia_digits_known(motion->doubt);
    if (known < few) {
        lia_text_add(&text, "the equations determine %d digits of the motion", (int)known);
        end_sentence(page, 2, &text);
    }
    size_t count = 0;
    for (size_t i = 0; i < motion->constraint_count; i++) {
        const LiaConstraintReport* constraint = &motion->constraints[i];
        known = lia_digits_known(constraint->doubt);
        if (!(known < few) || count++ >= LINES_MOST) continue;
        lia_text_add(&text, "%s '%s' (%d)",
                     text.length ? "," : "known digits of forces:", constraint->name, (int)known);
    }
    if (count > LINES_MOST) lia_text_add(&text, ", and %zu more", count - LINES_MOST);
    if (count > 0) end_sentence(page, 2, &text);
}

// What should not change, and how well it did not.
static void add_kept(Page* page) {
    const LiaTrajectory* motion = page->motion;
    LiaText cells = {0};
    begin_section(page, "kept");
    size_t shown = least(motion->conserved_count, LINES_MOST);
    for (size_t i = 0; i < shown; i++) {
        lia_text_add(&cells, "%s\t", motion->conserved[i].name);
        double difference = NAN;
        lia_trajectory_difference(motion, motion->conserved[i].name, &difference);
        lia_checked_number(&cells, motion->conserved[i].value, difference, 0.0, page->digits);
        lia_text_add(&cells, "\t");
        add_within(&cells, motion->conserved[i].drift);
        add_growth(&cells, motion->conserved[i].growth);
        lia_text_add(&cells, "\n");
    }
    lia_text_add(&cells, "ledger\t\t");
    add_within(&cells, motion->balance);
    lia_text_add(&cells, "%s", page->narrow ? "" : " of max T + range of U");
    add_growth(&cells, motion->balance_growth);
    lia_text_add(&cells, "\n");
    if (motion->constraint_count > 0) {
        add_constraints_kept(page, &cells);
    }
    print_table(page, &cells, "lpl", false);
    add_rest(page, shown, motion->conserved_count, "");
    add_not_unique(page);
    add_digits(page);
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
        add_known(page, &cells, event->t, page->digits,
                  motion->check ? motion->check->event[i] : NAN, 0.0);
        lia_text_add(&cells, "%s%s\n",
                     event->direction > 0   ? "rising"
                     : event->direction < 0 ? "falling"
                                            : "touching",
                     event->stop ? ", stop" : "");
    }
    print_table(page, &cells, with_differences(page) ? "lrpll" : "lrpl", false);
    add_rest(page, shown, motion->event_count, "");
}

static void add_rest_of_list(LiaText* out, size_t count) {
    if (count > JUMPING_MOST) {
        lia_text_add(out, ", and %zu more", count - JUMPING_MOST);
    }
}

// "lift 1.5 kg*m/s (work 0.75), rod [1, 2]": an operator's impulse, or a constraint's.
static void add_impulse(const Page* page, const LiaJumpImpulse* impulse, LiaText* out) {
    lia_text_add(out, "'%s' %s", impulse->name, impulse->count > 1 ? "[" : "");
    for (uint32_t k = 0; k < impulse->count; k++) {
        lia_text_add(out, k > 0 ? ", " : "");
        lia_text_add_short(out, impulse->values[k] == 0 ? 0.0 : impulse->values[k], page->few);
    }
    lia_text_add(out, "%s%s%s", impulse->count > 1 ? "]" : "", impulse->unit ? " " : "",
                 impulse->unit ? impulse->unit : "");
    if (impulse->active || impulse->work != 0) {
        lia_text_add(out, " (work ");
        lia_text_add_short(out, impulse->work == 0 ? 0.0 : impulse->work, page->few);
        lia_text_add(out, ")");
    }
}

static void add_jump(Page* page, const LiaJump* jump) {
    LiaText text = {0};
    lia_text_add(&text, "t = ");
    lia_text_add_short(&text, jump->t, page->digits);
    lia_text_add(&text, ": ");
    for (size_t i = 0; i < least(jump->velocity_count, JUMPING_MOST); i++) {
        const LiaJumpVelocity* v = &jump->velocities[i];
        lia_text_add(&text, "%s%s from ", i > 0 ? ", " : "", v->column->name);
        lia_text_add_short(&text, v->before == 0 ? 0.0 : v->before, page->few);
        lia_text_add(&text, " to ");
        lia_text_add_short(&text, v->after == 0 ? 0.0 : v->after, page->few);
        lia_text_add(&text, "%s%s", v->column->unit ? " " : "",
                     v->column->unit ? v->column->unit : "");
    }
    add_rest_of_list(&text, jump->velocity_count);
    lia_text_add(&text, jump->impulse_count > 0 ? "; impulse of " : "");
    for (size_t i = 0; i < least(jump->impulse_count, JUMPING_MOST); i++) {
        lia_text_add(&text, i > 0 ? ", of " : "");
        add_impulse(page, &jump->impulses[i], &text);
    }
    add_rest_of_list(&text, jump->impulse_count);
    lia_text_add(&text, jump->unique ? "" : "; the impulses are not unique");
    end_sentence(page, 2, &text);
}

// Where the law of an operator has a corner, velocities jump.
static void add_jumps(Page* page) {
    const LiaTrajectory* motion = page->motion;
    if (motion->jump_count == 0) {
        return;
    }
    begin_section(page, "jumps of velocities");
    size_t shown = least(motion->jump_count, LINES_MOST);
    for (size_t i = 0; i < shown; i++) {
        add_jump(page, &motion->jumps[i]);
    }
    add_rest(page, shown, motion->jump_count, " (in the JSON)");
}

// What a second run said.
static void add_check(Page* page) {
    LiaText lines = {0};
    if (!page->motion->check) {
        return;
    }
    begin_section(page, "checked");
    lia_checked_sentences(page->motion, &lines);
    for (char* at = lines.data; at && *at;) {
        char* end = at + strcspn(at, "\n");
        bool more = *end != '\0';
        *end = '\0';
        add_sentence(page, 2, at);
        at = more ? end + 1 : end;
    }
    page->out->failed |= lines.failed;
    lia_text_clear(&lines);
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
    LiaText verdict = {0};
    lia_text_add(&verdict, "%s%s%s at t = ", ink(page, colour), lia_trajectory_status(motion),
                 plain(page));
    lia_checked_number(&verdict, motion->t, motion->check ? motion->check->end : NAN, 0.0, DIGITS);
    lia_text_add(&verdict, "%s", seconds(motion));
    if (motion->status == LIA_FAILED && motion->reason.code) {
        lia_text_add(&verdict, " with %s", motion->reason.code);
    }
    lia_text_add(&verdict, ": %llu step%s", (unsigned long long)motion->steps,
                 motion->steps == 1 ? "" : "s");
    if (motion->rejected > 0) {
        lia_text_add(&verdict, " (and %llu rejected)", (unsigned long long)motion->rejected);
    }
    lia_text_add(&verdict, " in ");
    add_seconds(&verdict, motion->seconds);
    lia_text_add(&verdict, ", set up in ");
    add_seconds(&verdict, motion->setup_seconds);
    lia_text_add(page->out, "\n");
    end_sentence(page, 0, &verdict);
    if (motion->status == LIA_STOPPED) {
        lia_reason_print(motion, page->out);
    }
}

char* lia_output_summary(const LiaTrajectory* trajectory, const LiaTextStyle* style) {
    if (!trajectory) return NULL;
    LiaCall call = lia_call_begin(NULL);
    LiaText out = {0};
    Page page = {.out = &out, .motion = trajectory, .style = style ? *style : (LiaTextStyle){0}};
    page.width = page.style.width > 0 ? page.style.width : WIDTH_DEFAULT;
    page.narrow = page.width < NARROW;
    page.digits = page.narrow ? 5 : DIGITS;
    page.few = page.narrow ? 4 : FEW;
    add_head(&page);
    add_state(&page);
    if (trajectory->row_count > 0) {  // a run that could not begin has a start and a verdict only
        add_observed(&page);
        add_actors(&page);
        add_kept(&page);
        add_events(&page);
        add_jumps(&page);
        add_check(&page);
        if (page.style.pictures) {
            add_pictures(&page);
        }
    }
    add_verdict(&page);
    lia_plain_make(&out, LIA_PLAIN_LINES | (page.style.colour ? LIA_PLAIN_COLOURS : 0));
    return lia_call_text(&call, &out);
}
