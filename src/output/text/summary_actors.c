// Who acts: forces, powers and works of constraints, operators and forces.
// SPDX-License-Identifier: MIT
#include "lang/model.h"
#include "output/study/checked.h"
#include "output/text/summary_page.h"
#include <math.h>

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
    case LIA_LINE_EVENT:
        return "event";
    case LIA_LINE_PROJECTION:
        return "numerical";
    }
    return "";
}

static const LiaLedgerLine* find_line(const LiaTrajectory* motion,
                                      const LiaConstraintReport* constraint) {
    for (size_t i = 0; i < motion->ledger.count; i++) {
        if (motion->ledger.lines[i].line == constraint->constraint) return &motion->ledger.lines[i];
    }
    return NULL;
}

// In the digits that its rounding leaves.
static void add_known(const LiaSummaryPage* page, LiaText* cells, double x, double rounding,
                      double difference) {
    int digits = page->motion->check ? page->few : lia_summary_page_digits(x, rounding, page->few);
    lia_summary_page_known(page, cells, lia_summary_page_rounded(x, rounding), digits, difference,
                           0.0);
}

static void add_works(const LiaSummaryPage* page, LiaText* cells, const LiaLedgerLine* line) {
    if (!line) {
        lia_summary_page_nothing(page, cells);
        lia_summary_page_nothing(page, cells);
        return;
    }
    const LiaCheck* check = page->motion->check;
    size_t at = (size_t)(line - page->motion->ledger.lines);
    double power = check && !line->workless ? check->power[at] : 0.0;
    double work = check && !line->workless ? check->work[at] : 0.0;
    if (line->kind == LIA_LINE_PROJECTION) {  // what is rounding in both has no digits to agree in
        lia_summary_page_nothing(page, cells);
        lia_summary_page_cell(cells, line->work, page->narrow ? 1 : 2);
        lia_text_add(cells, lia_summary_page_with_differences(page) ? "\t" : "");
        return;
    }
    add_known(page, cells, line->workless ? 0.0 : line->power, line->power_rounding, power);
    add_known(page, cells, line->workless ? 0.0 : line->work, line->work_rounding, work);
}

// Who it is, and of which kind; where there is no room for that, the mark of a force that is not
// unique.
static void add_actor(const LiaSummaryPage* page, const char* name, const char* word, bool shared,
                      LiaText* cells) {
    const char* mark = shared ? lia_summary_page_not_unique(page) : "";
    lia_text_add(cells, "%s\t%s\t", name, page->narrow ? mark : *name ? word : "");
}

// A force in no more digits than the equations determine.
static void add_force(const LiaSummaryPage* page, const LiaConstraintReport* constraint,
                      LiaText* cells, size_t column) {
    int digits = page->few;
    double known = lia_digits_known(constraint->doubt);
    if (known < digits) digits = (int)known;
    if (digits > 0 || page->motion->check) {
        lia_summary_page_final(page, cells, column, digits > 0 ? digits : 1);
    } else {
        lia_text_add(cells, "~\t");
    }
}

// A constraint's forces, one line for each of its equations; its power and work in the first.
static void add_constraint(const LiaSummaryPage* page, size_t index, LiaText* cells) {
    const LiaTrajectory* motion = page->motion;
    const LiaConstraintReport* constraint = &motion->constraints.list[index];
    const char* kind = constraint->active    ? line_word(LIA_LINE_OPERATOR)
                       : constraint->contact ? "contact"
                                             : line_word(LIA_LINE_CONSTRAINT);
    bool first = true;
    for (size_t i = 0; i < motion->csv_count; i++) {
        const LiaColumn* column = &motion->columns[i];
        if (column->kind != LIA_COLUMN_FORCE || column->index != constraint->constraint) continue;
        add_actor(page, first ? constraint->name : "", kind, column->shared, cells);
        add_force(page, constraint, cells, i);
        add_works(page, cells, first ? find_line(motion, constraint) : NULL);
        bool said = column->shared && !page->narrow;
        const char* unit = column->unit && !page->narrow ? column->unit : NULL;
        lia_text_add(cells, "%s%s%s%s\n", unit ? "in " : "", unit ? unit : "",
                     unit && said ? ", " : "", said ? lia_summary_page_not_unique(page) : "");
        first = false;
    }
    if (first) {
        add_actor(page, constraint->name, kind, false, cells);
        lia_summary_page_nothing(page, cells);
        add_works(page, cells, find_line(motion, constraint));
        lia_text_add(cells, "\n");
    }
}

// Those who do something, and those who only hold: joints are many, and do not push a motor off the
// list.
void lia_summary_actors_add(LiaSummaryPage* page) {
    const LiaTrajectory* motion = page->motion;
    LiaText cells = {0};
    size_t count = 0, held = 0, degree = 0;
    lia_text_add(&cells, "\t\t");
    bool joules = motion->model->joules;
    lia_summary_page_heading(page, &cells,
                             (const char* const[]){"force", joules ? "power in W" : "power",
                                                   joules ? "work in J" : "work"},
                             3);
    for (size_t i = 0; i < motion->constraints.count; i++) {
        if ((motion->constraints.list[i].active ? count++ : held++) < LIA_SUMMARY_LINES_MOST) {
            add_constraint(page, i, &cells);
        } else {
            degree++;
        }
    }
    for (size_t i = 0; i < motion->ledger.count; i++) {
        const LiaLedgerLine* line = &motion->ledger.lines[i];
        bool told =
            line->kind == LIA_LINE_CONSTRAINT || line->kind == LIA_LINE_OPERATOR ||
            (line->kind == LIA_LINE_PROJECTION && fabs(line->work) <= motion->ledger.rounding);
        if (told) {
            continue;
        }
        if (count++ < LIA_SUMMARY_LINES_MOST) {
            add_actor(page, line->name, line_word(line->kind), false, &cells);
            lia_summary_page_nothing(page, &cells);
            add_works(page, &cells, line);
            lia_text_add(&cells, "\n");
        } else {
            degree++;
        }
    }
    if (count + held > 0) {
        lia_text_add(&cells, "energy\t%s\t", page->narrow ? "" : "change");
        lia_summary_page_nothing(page, &cells);
        lia_summary_page_nothing(page, &cells);
        double change = motion->ledger.end - motion->ledger.start;
        lia_summary_page_known(page, &cells,
                               lia_summary_page_rounded(change, motion->ledger.rounding), page->few,
                               motion->check ? motion->check->energy : NAN, 0.0);
        lia_text_add(&cells, "\n");
        lia_summary_page_section(page, "who acts");
        lia_summary_page_table(
            page, &cells, lia_summary_page_with_differences(page) ? "llplplpll" : "llpppl", true);
        lia_summary_page_rest(page, 0, degree, " (in the CSV)");
    }
    lia_text_clear(&cells);
}
