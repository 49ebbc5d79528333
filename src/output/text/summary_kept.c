// What should not change, how well it did not, and the digits that are known.
// SPDX-License-Identifier: MIT
#include "lang/model.h"
#include "output/study/checked.h"
#include "output/text/summary_page.h"
#include <math.h>
#include <string.h>

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

static void add_constraints_kept(const LiaSummaryPage* page, LiaText* cells) {
    const LiaTrajectory* motion = page->motion;
    const LiaConstraintReport* worst = &motion->constraints.list[0];
    for (size_t i = 1; i < motion->constraints.count; i++) {
        worst =
            motion->constraints.list[i].worst > worst->worst ? &motion->constraints.list[i] : worst;
    }
    lia_text_add(cells, "constraints\t\t");
    add_within(cells, worst->worst);
    if (worst->worst > 0 && motion->constraints.count > 1 && !page->narrow) {
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
static void add_not_unique(LiaSummaryPage* page) {
    const LiaTrajectory* motion = page->motion;
    LiaText who = {0};
    for (size_t i = 0; i < motion->constraints.count; i++) {
        const LiaConstraintReport* constraint = &motion->constraints.list[i];
        if (!constraint->unique && !constraint->eliminated) {
            lia_text_add(&who, "%s '%s'", who.length > 0 ? "," : "the forces of", constraint->name);
        }
    }
    if (who.length > 0) {
        lia_text_add(&who, " are not unique%s: those of least norm are shown",
                     page->narrow ? " (*)" : "");
        lia_summary_page_end_sentence(page, 2, &who);
    }
    size_t shown =
        lia_summary_page_least(motion->constraints.combination_count, LIA_SUMMARY_LINES_MOST);
    if (shown > 0) {
        lia_text_add(page->out, "  unique all the same:\n");
    }
    for (size_t i = 0; i < shown; i++) {
        LiaText sum = {0};
        lia_text_add(&sum, "%s = ", motion->constraints.combinations[i].formula);
        lia_text_add_short(&sum, motion->constraints.combinations[i].value, LIA_SUMMARY_FEW);
        lia_summary_page_end_sentence(page, 4, &sum);
    }
    lia_summary_page_rest(page, shown, motion->constraints.combination_count,
                          " unique combinations (in the JSON)");
}

static const double few = 8.0;  // digits: half of those that a number has

// Where the equations determine few digits of forces and motion, however exact the steps are.
static void add_digits(LiaSummaryPage* page) {
    const LiaTrajectory* motion = page->motion;
    LiaText text = {0};
    double known = lia_digits_known(motion->doubt);
    if (known < few) {
        lia_text_add(&text, "the equations determine %d digits of the motion", (int)known);
        lia_summary_page_end_sentence(page, 2, &text);
    }
    size_t count = 0;
    for (size_t i = 0; i < motion->constraints.count; i++) {
        const LiaConstraintReport* constraint = &motion->constraints.list[i];
        known = lia_digits_known(constraint->doubt);
        if (!(known < few) || count++ >= LIA_SUMMARY_LINES_MOST) continue;
        lia_text_add(&text, "%s '%s' (%d)",
                     text.length ? "," : "known digits of forces:", constraint->name, (int)known);
    }
    if (count > LIA_SUMMARY_LINES_MOST)
        lia_text_add(&text, ", and %zu more", count - LIA_SUMMARY_LINES_MOST);
    if (count > 0) lia_summary_page_end_sentence(page, 2, &text);
}

// What should not change, and how well it did not.
void lia_summary_kept_add(LiaSummaryPage* page) {
    const LiaTrajectory* motion = page->motion;
    LiaText cells = {0};
    lia_summary_page_section(page, "kept");
    size_t shown = lia_summary_page_least(motion->conserved.count, LIA_SUMMARY_LINES_MOST);
    for (size_t i = 0; i < shown; i++) {
        lia_text_add(&cells, "%s\t", motion->conserved.list[i].name);
        double difference = NAN;
        lia_trajectory_difference(motion, motion->conserved.list[i].name, &difference);
        double value = lia_summary_page_rounded(motion->conserved.list[i].value,
                                                motion->conserved.list[i].rounding);
        lia_checked_number(&cells, value, value == 0.0 ? 0.0 : difference, 0.0, page->digits);
        lia_text_add(&cells, "\t");
        add_within(&cells, motion->conserved.list[i].drift);
        add_growth(&cells, motion->conserved.list[i].growth);
        lia_text_add(&cells, "\n");
    }
    lia_text_add(&cells, "ledger\t\t");
    add_within(&cells, motion->ledger.balance);
    static const char* const of[] = {" of max T + range of U", " of the largest work",
                                     " of the energy that counts as rest"};
    bool phase = motion->model->phase.is && motion->ledger.by == LIA_LEDGER_BY_ENERGIES;
    lia_text_add(&cells, "%s",
                 page->narrow ? ""
                 : phase      ? " of max |x dH/dx|/2"
                              : of[motion->ledger.by]);
    add_growth(&cells, motion->ledger.growth);
    // The ledger may close for a motion that is not the right one.
    double known = lia_digits_known(motion->doubt);
    if (known < few && motion->ledger.balance < motion->doubt)
        lia_text_add(&cells, ", of a motion that is known to %d digits", (int)known);
    lia_text_add(&cells, "\n");
    if (motion->constraints.count > 0) {
        add_constraints_kept(page, &cells);
    }
    lia_summary_page_table(page, &cells, "lpl", false);
    lia_summary_page_rest(page, shown, motion->conserved.count, "");
    add_not_unique(page);
    add_digits(page);
}
