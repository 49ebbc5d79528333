// An axis: the range shown, and ticks at numbers people like (1, 2, 5 times a power of ten).
//
// Labels are exact decimals made from whole numbers. Where they would be long, they are in units of
// 10^power, or relative to an offset: lia_axis_quantity() says so.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/text/text.h"
#include <stdbool.h>

typedef struct LiaAxis {
    double low, high;        // what is shown
    int mantissa, exponent;  // a step is mantissa 10^exponent; mantissa is 1, 2 or 5
    long long first;         // the first tick is at first steps from 0
    int count;               // ticks
    int power;               // labels are in units of 10^power
    long long offset;        // labels are relative to this many steps
} LiaAxis;

/// An axis for numbers from `low` to `high` with about `ticks` steps in the range (at most a
/// quarter more), widened by the fraction `padding` at both ends. Numbers that are equal up to
/// rounding get room around them; no numbers at all (low > high) give 0..1.
LiaAxis lia_axis_make(double low, double high, double padding, int ticks);
/// The same axis for the range `low` to `high`, as it is.
void lia_axis_stretch(LiaAxis* axis, double low, double high, int ticks);
/// Ticks as far apart as those of another axis.
void lia_axis_match(LiaAxis* axis, const LiaAxis* other);
/// Where a number stands: 0 at low, 1 at high.
double lia_axis_part(const LiaAxis* axis, double x);
double lia_axis_tick(const LiaAxis* axis, int i);
/// Label of tick i; `minus` is the sign to use ("-" or U+2212).
void lia_axis_label(const LiaAxis* axis, int i, const char* minus, LiaText* out);
/// Characters of the longest label.
size_t lia_axis_longest(const LiaAxis* axis);
/// What the labels are relative to. False, and 0, if they are not.
bool lia_axis_offset(const LiaAxis* axis, double* offset);
/// What the labels are: "x in m", "energy in 10^6 J", "energy - 1000 in J".
void lia_axis_quantity(const LiaAxis* axis, const char* label, const char* unit, LiaText* out);
