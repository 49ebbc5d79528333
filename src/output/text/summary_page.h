// What the parts of a summary share: the page, and the cells, tables and sentences it is made of.
// SPDX-License-Identifier: MIT
#pragma once
#include "motion/result/trajectory.h"

enum {
    LIA_SUMMARY_LINES_MOST = 12,  // of a list
    LIA_SUMMARY_DIGITS = 10,      // of a state
    LIA_SUMMARY_FEW = 7,          // of forces and works
};

typedef struct LiaSummaryPage {
    LiaText* out;
    const LiaTrajectory* motion;
    LiaTextStyle style;
    int width;  // of the terminal
    int digits, few;
    bool narrow;
} LiaSummaryPage;

/// Codes of a terminal; "" where there is no colour.
const char* lia_summary_page_ink(const LiaSummaryPage* page, const char* code);
const char* lia_summary_page_bold(const LiaSummaryPage* page);
const char* lia_summary_page_plain(const LiaSummaryPage* page);
/// A heading; the line that says how many of a list are not shown.
void lia_summary_page_section(LiaSummaryPage* page, const char* name);
void lia_summary_page_rest(LiaSummaryPage* page, size_t shown, size_t count, const char* where);
/// A sentence in lines that fit, the later ones set in by four more; the second clears its text.
void lia_summary_page_sentence(LiaSummaryPage* page, int indent, const char* text);
void lia_summary_page_end_sentence(LiaSummaryPage* page, int indent, LiaText* text);
size_t lia_summary_page_least(size_t a, size_t b);
/// Cells: a number; one with the digits that a second run confirms, and the difference; empty ones.
void lia_summary_page_cell(LiaText* cells, double x, int digits);
bool lia_summary_page_with_differences(const LiaSummaryPage* page);
void lia_summary_page_known(const LiaSummaryPage* page, LiaText* cells, double x, int digits,
                            double difference, double size);
void lia_summary_page_nothing(const LiaSummaryPage* page, LiaText* cells);
/// 0 where a number is not more than rounding.
double lia_summary_page_rounded(double x, double rounding);
void lia_summary_page_table(LiaSummaryPage* page, LiaText* cells, const char* align, bool heading);
/// " s" where it is known that times are in seconds.
const char* lia_summary_page_seconds(const LiaTrajectory* motion);
/// The column of the velocity of a position, csv_count: none; the final value of a column as a
/// cell.
size_t lia_summary_page_velocity_of(const LiaTrajectory* motion, const LiaColumn* position);
/// The digits of a number that is known to its rounding.
int lia_summary_page_digits(double x, double rounding, int most);
void lia_summary_page_final(const LiaSummaryPage* page, LiaText* cells, size_t column, int digits);
void lia_summary_page_heading(const LiaSummaryPage* page, LiaText* cells, const char* const* words,
                              int count);
const char* lia_summary_page_not_unique(const LiaSummaryPage* page);

/// The sections that are files of their own.
void lia_summary_actors_add(LiaSummaryPage* page);
void lia_summary_kept_add(LiaSummaryPage* page);
void lia_summary_jumps_add(LiaSummaryPage* page);

void lia_summary_modes_add(LiaSummaryPage* page);
