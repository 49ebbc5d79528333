// An axis: nice ticks and their labels.
//
//   step = m 10^e, m in {1, 2, 5}, the smallest with at most 5/4 `ticks` steps in the range
//   tick = k m 10^e, k whole; its label is the decimal k m with the point put in: no rounding
//   anywhere
//
// Numbers beyond 1e290 or a range below 1e-290 cannot be drawn to scale in doubles; callers leave
// the first out, the second counts as one number.
// SPDX-License-Identifier: MIT
#include "output/plot/axis.h"
#include "base/numeric/thresholds.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const long long STEPS_MOST =
    100000;  // farther from 0, labels are differences from an offset

// x = n 10^e, correctly rounded as long as n and the power are exact.
static double decimal(long long n, int e) {
    return e >= 0 ? (double)n * pow(10.0, e) : (double)n / pow(10.0, -e);
}

static double size_of(double low, double high) { return fmax(fabs(low), fabs(high)); }

static void choose_step(LiaAxis* axis, int ticks) {
    double raw = (axis->high - axis->low) / (ticks < 1 ? 1 : ticks);
    int e = (int)floor(log10(raw));
    double m = raw / pow(10.0, e);
    axis->mantissa = m <= 1.25 ? 1 : m <= 2.5 ? 2 : m <= 6.25 ? 5 : 10;
    axis->exponent = e;
    if (axis->mantissa == 10) {
        axis->mantissa = 1;
        axis->exponent++;
    }
}

// The roundest number that is at most `reach` away from k.
static long long round_near(long long k, long long reach) {
    for (long long unit = 1000000000000000; unit > 1; unit /= 10) {
        long long round = (k + (k < 0 ? -unit : unit) / 2) / unit * unit;
        if (round != 0 && llabs(round - k) <= reach) {
            return round;
        }
    }
    return k;
}

static void choose_ticks(LiaAxis* axis) {
    double step = decimal(axis->mantissa, axis->exponent);
    axis->first = (long long)ceil(axis->low / step - LIA_AXIS_SLACK);
    long long last = (long long)floor(axis->high / step + LIA_AXIS_SLACK);
    axis->count = last < axis->first ? 0 : (int)(last - axis->first + 1);

    bool far_from_zero = llabs(axis->first) > STEPS_MOST || llabs(last) > STEPS_MOST;
    axis->offset =
        far_from_zero ? round_near(axis->first + (last - axis->first) / 2, axis->count) : 0;
    long long far = llabs(axis->first - axis->offset), far_last = llabs(last - axis->offset);
    double largest = decimal((far > far_last ? far : far_last) * axis->mantissa, axis->exponent);
    axis->power = 0;
    if (largest > 0 && (largest >= LIA_AXIS_LABEL_MOST || largest < LIA_AXIS_LABEL_LEAST)) {
        axis->power = 3 * (int)floor((log10(largest) + LIA_AXIS_SLACK) / 3.0);
    }
}

void lia_axis_stretch(LiaAxis* axis, double low, double high, int ticks) {
    axis->low = low;
    axis->high = high;
    choose_step(axis, ticks);
    choose_ticks(axis);
}

void lia_axis_match(LiaAxis* axis, const LiaAxis* other) {
    axis->mantissa = other->mantissa;
    axis->exponent = other->exponent;
    choose_ticks(axis);
}

LiaAxis lia_axis_make(double low, double high, double padding, int ticks) {
    LiaAxis axis = {0};
    if (!(low <= high)) {
        low = 0.0;
        high = 1.0;
        padding = 0.0;
    }
    double size = size_of(low, high), range = high - low;
    if (range <= LIA_AXIS_EQUAL * size || range < LIA_AXIS_TINY) {
        double middle = low + range / 2, room = size < LIA_AXIS_TINY ? 1.0 : size / 10;
        low = middle - room;
        high = middle + room;
    } else {
        low -= padding * range;
        high += padding * range;
    }
    lia_axis_stretch(&axis, low, high, ticks);
    return axis;
}

double lia_axis_part(const LiaAxis* axis, double x) {
    return (x - axis->low) / (axis->high - axis->low);
}

double lia_axis_tick(const LiaAxis* axis, int i) {
    return decimal((axis->first + i) * axis->mantissa, axis->exponent);
}

void lia_axis_label(const LiaAxis* axis, int i, const char* minus, LiaText* out) {
    long long n = (axis->first + i - axis->offset) * axis->mantissa;
    int decimals = axis->power - axis->exponent;  // digits of n after the point
    if (n < 0) {
        lia_text_add_bytes(out, minus, strlen(minus));
        n = -n;
    }
    char digits[64];
    int length = snprintf(digits, sizeof digits, "%0*lld", decimals > 0 ? decimals + 1 : 1, n);
    if (decimals > 0) {
        lia_text_add_bytes(out, digits, (size_t)(length - decimals));
        lia_text_add(out, ".%s", digits + length - decimals);
        return;
    }
    lia_text_add_bytes(out, digits, (size_t)length);
    for (int k = decimals; k < 0 && n != 0; k++) {
        lia_text_add_bytes(out, "0", 1);
    }
}

bool lia_axis_offset(const LiaAxis* axis, double* offset) {
    *offset = decimal(axis->offset * axis->mantissa, axis->exponent);
    return axis->offset != 0;
}

void lia_axis_quantity(const LiaAxis* axis, const char* label, const char* unit, LiaText* out) {
    lia_text_add(out, "%s", label);
    double offset = 0.0;
    if (lia_axis_offset(axis, &offset)) {
        lia_text_add(out, offset < 0 ? " + " : " - ");
        lia_text_add_short(out, fabs(offset), 15);
    }
    if (unit || axis->power != 0) {
        lia_text_add(out, " in ");
    }
    if (axis->power != 0) {
        lia_text_add(out, "10^%d%s", axis->power, unit ? " " : "");
    }
    lia_text_add(out, "%s", unit ? unit : "");
}

size_t lia_axis_longest(const LiaAxis* axis) {
    size_t longest = 0;
    for (int i = 0; i < axis->count; i++) {
        LiaText label = {0};
        lia_axis_label(axis, i, "-", &label);
        longest = label.length > longest ? label.length : longest;
        lia_text_clear(&label);
    }
    return longest;
}
