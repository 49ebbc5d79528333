// What a second run said of the numbers of a motion. See checked.h.
// SPDX-License-Identifier: MIT
#include "output/study/checked.h"
#include "base/numeric/thresholds.h"
#include "output/text/escape.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char* const sizes[LIA_CHECK_SIZES] = {"1e-12", "1e-9", "1e-6", "1e-3", "1"};

// --- digits -------------------------------------------------------------------------------------

static bool same_text(double x, double y, int digits) {
    char a[400], b[400];
    snprintf(a, sizeof a, "%.*g", digits, x);
    snprintf(b, sizeof b, "%.*g", digits, y);
    return strcmp(a, b) == 0;
}

// The last digit stands for twice the difference at least; one less, if that is the digit in which
// the two differ.
int lia_checked_digits(double x, double difference, int most) {
    double d = fabs(difference);
    if (!(d > 0.0) || !isfinite(x)) return most;
    if (x == 0.0 || !isfinite(d)) return 0;
    double known = floor(floor(log10(fabs(x))) + 1.0 - log10(2.0 * d));
    if (known < 1.0) return 0;
    int digits = known < most ? (int)known : most;
    double y = x + difference;
    bool fewer = digits > 1 && !same_text(x, y, digits) && same_text(x, y, digits - 1);
    return fewer ? digits - 1 : digits;
}

void lia_checked_number(LiaText* out, double x, double difference, double size, int most) {
    int digits = lia_checked_digits(x, difference, most);
    if (isnan(x)) {
        lia_text_add(out, "-");
    } else if (digits > 0) {
        lia_text_add_short(out, x == 0 ? 0.0 : x, digits);  // no -0
    } else {
        lia_text_add(out, fabs(difference) <= LIA_CHECKED_LITTLE * size ? "0" : "~");
    }
}

void lia_checked_difference(LiaText* out, double difference) {
    double d = fabs(difference);
    if (isnan(d)) {
        lia_text_add(out, "-");
    } else if (d >= 9.5 && d < 9.5e5) {  // 30, not 3e+01
        double unit = pow(10.0, floor(log10(d)));
        lia_text_add_short(out, round(d / unit) * unit, 7);
    } else {
        lia_text_add_short(out, fabs(difference), 1);
    }
}

// --- words --------------------------------------------------------------------------------------

// "they differ by 1e-12 from t = 3.2 on, by 1e-9 from t = 11 on", in parts of the largest values
static void add_losses(const LiaCheck* check, LiaText* lines) {
    bool any = false;
    for (int k = 0; k < LIA_CHECK_SIZES; k++) {
        bool later = k + 1 < LIA_CHECK_SIZES && check->lost[k + 1] == check->lost[k];
        if (isnan(check->lost[k]) || later) continue;
        lia_text_add(lines, "%s by ", any ? "," : "they differ");
        lia_text_add(lines, "%s from t = ", sizes[k]);
        lia_text_add_short(lines, check->lost[k], 4);
        lia_text_add(lines, " on");
        any = true;
    }
    lia_text_add(lines, any ? ", relative to the largest values\n" : "");
}

static void add_within(const LiaCheck* check, LiaText* lines) {
    lia_text_add_short(lines, check->largest, 2);
    if (check->where) lia_text_add(lines, " of its largest value (%s)", check->where);
}

static void add_parting(const LiaCheck* check, LiaText* lines) {
    lia_text_add(lines, "the two runs part from t = ");
    lia_text_add_short(lines, check->parts, 4);
    lia_text_add(lines, " on, first in %s", check->first ? check->first : "?");
}

static void add_events(const LiaTrajectory* motion, LiaText* lines) {
    const LiaCheck* check = motion->check;
    double most = 0.0;
    if (motion->events.count == 0 && check->other_events == 0) return;
    if (check->events < motion->events.count || check->events < check->other_events) {
        lia_text_add(lines, "the events are not the same: %zu here, %zu in the second run",
                     motion->events.count, check->other_events);
        if (check->events > 0) lia_text_add(lines, "; the first %zu are", check->events);
        lia_text_add(lines, "\n");
        return;
    }
    for (size_t i = 0; i < check->events; i++) most = fmax(most, fabs(check->event[i]));
    lia_text_add(lines, "the same events, their times within ");
    lia_text_add_short(lines, most, 1);
    lia_text_add(lines, "\n");
}

static void add_verdict(const LiaTrajectory* motion, LiaText* lines) {
    const LiaCheck* check = motion->check;
    switch (check->verdict) {
    case LIA_CHECK_ROUNDING:
        if (check->largest == 0.0) {
            lia_text_add(lines, "the two runs agree to the last bit\n");
            break;
        }
        lia_text_add(lines, "the two runs agree to rounding: within ");
        lia_text_add_short(lines, check->largest, 2);
        lia_text_add(lines, " of the largest values\n");
        break;
    case LIA_CHECK_AGREES:
        lia_text_add(lines, "the two runs agree within ");
        add_within(check, lines);
        lia_text_add(lines, "\n");
        break;
    case LIA_CHECK_CHAOS:
        add_parting(check, lines);
        lia_text_add(lines, ": differences grow like exp(");
        lia_text_add_short(lines, check->rate, 2);
        lia_text_add(lines, " t), as in chaotic motion, whatever the steps\n");
        break;
    case LIA_CHECK_DIFFERS:
        if (!isnan(check->parts)) {
            add_parting(check, lines);
            lia_text_add(lines, ", by up to ");
            add_within(check, lines);
            lia_text_add(lines, ": the steps are too long for more digits\n");
        }
        break;
    case LIA_CHECK_ENDS:
        lia_text_add(lines, "the second run %s%s", check->reason ? "" : "is ", check->status);
        lia_text_add(lines, check->reason ? ": %s" : " at t = %s",
                     check->reason ? check->reason : "");
        if (!check->reason) lia_text_add_short(lines, check->t, 6);
        lia_text_add(lines, "\n");
        break;
    case LIA_CHECK_UNFINISHED:
        break;
    }
}

void lia_checked_sentences(const LiaTrajectory* motion, LiaText* lines) {
    const LiaCheck* check = motion->check;
    if (!check) return;
    if (check->verdict == LIA_CHECK_UNFINISHED) {
        lia_text_add(lines, check->steps > 0 ? "the second run was ended early, at t = "
                                             : "not checked: there was no second run");
        if (check->steps > 0) {
            lia_text_add_short(lines, check->t, 6);
            lia_text_add(lines, ": the numbers at the end are not checked");
        }
        lia_text_add(lines, "\n");
        if (!isnan(check->parts)) {
            add_parting(check, lines);
            lia_text_add(lines, "\n");
            add_losses(check, lines);
        }
        return;
    }
    bool half =
        (double)check->steps > 1.5 * (double)motion->effort.steps || motion->effort.steps < 8;
    lia_text_add(lines, "by a second run of order %d with %s: %llu for %llu\n", check->order,
                 half ? "steps half as long" : "other steps", (unsigned long long)check->steps,
                 (unsigned long long)motion->effort.steps);
    add_verdict(motion, lines);
    if (!isnan(check->parts)) add_losses(check, lines);
    add_events(motion, lines);
}

// --- JSON ---------------------------------------------------------------------------------------

static void add_columns(const LiaTrajectory* motion, const char* key, LiaColumnKind kind,
                        LiaColumnKind or_kind, LiaText* out) {
    bool first = true;
    lia_text_add(out, ",\n  \"%s\": {", key);
    for (size_t i = 0; i < motion->csv_count; i++) {
        const LiaColumn* column = &motion->columns[i];
        if (column->kind != kind && column->kind != or_kind) continue;
        lia_escape_member(out, &first, column->key, motion->check->difference[i]);
    }
    lia_text_add(out, "}");
}

// A list for each constraint, as its forces are.
static void add_forces(const LiaTrajectory* motion, LiaText* out) {
    bool first = true;
    const LiaColumn* before = NULL;
    lia_text_add(out, ",\n  \"force\": {");
    for (size_t i = 0; i < motion->csv_count; i++) {
        const LiaColumn* column = &motion->columns[i];
        if (column->kind != LIA_COLUMN_FORCE) continue;
        if (before && before->index == column->index) {
            lia_text_add(out, ", ");
        } else {
            lia_text_add(out, before ? "]" : "");
            lia_escape_key(out, &first, column->key);
            lia_text_add(out, "[");
        }
        lia_escape_number(out, motion->check->difference[i]);
        before = column;
    }
    lia_text_add(out, before ? "]}" : "}");
}

static void add_ledger(const LiaTrajectory* motion, const char* key, const double* differences,
                       LiaText* out) {
    bool first = true;
    lia_text_add(out, ",\n  \"%s\": {", key);
    for (size_t i = 0; i < motion->ledger.count; i++) {
        const LiaLedgerLine* line = &motion->ledger.lines[i];
        if (line->kind == LIA_LINE_PROJECTION) continue;
        lia_escape_member(out, &first, line->name, line->workless ? 0.0 : differences[i]);
    }
    lia_text_add(out, "}");
}

void lia_checked_json(const LiaTrajectory* motion, LiaText* out) {
    const LiaCheck* check = motion->check;
    bool first = true;
    if (!check) return;
    lia_escape_add(out,
                   ",\n \"check\": {\"verdict\": %s, \"order\": %d, \"steps\": %llu, \"t\": %g, "
                   "\"largest\": %g, \"parts\": %g, \"rate\": %g, \"lost\": {",
                   lia_trajectory_check(motion), check->order, (unsigned long long)check->steps,
                   check->t, check->largest, check->parts, check->rate);
    for (int k = 0; k < LIA_CHECK_SIZES; k++)
        lia_escape_member(out, &first, sizes[k], check->lost[k]);
    lia_text_add(out, "}");
    add_columns(motion, "state", LIA_COLUMN_POSITION, LIA_COLUMN_VELOCITY, out);
    add_columns(motion, "observe", LIA_COLUMN_OBSERVE, LIA_COLUMN_OBSERVE, out);
    add_forces(motion, out);
    add_ledger(motion, "power", check->power, out);
    add_ledger(motion, "work", check->work, out);
    lia_text_add(out, ",\n  \"events\": [");
    for (size_t i = 0; i < motion->events.count; i++) {
        lia_text_add(out, i > 0 ? ", " : "");
        lia_escape_number(out, check->event[i]);
    }
    lia_text_add(out, "], \"other_events\": %zu}", check->other_events);
}
