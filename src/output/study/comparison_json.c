// Two motions side by side, for programs. For people: comparison_text.c.
//
// The keys of the JSON and their order are a promise:
//
//   a b t0 t samples parts state observe force power work conserved only_a only_b
//
// `a` and `b` say what was run and how it ended. `parts` is null where nothing of the state differs
// by more than 1e-6 of its scale, else when and where it begins. Each quantity has first, largest,
// largest_t, start, end, scale, a, b: see LiaDifference. A force is a list, one object per scalar
// equation.
// SPDX-License-Identifier: MIT
#include "base/memory/call.h"
#include "base/numeric/thresholds.h"
#include "lang/model.h"
#include "output/text/escape.h"
#include "output/text/reason.h"
#include "study/compare.h"
#include <math.h>
#include <string.h>

static void add_side(LiaText* out, const LiaComparison* c, int side) {
    const LiaTrajectory* motion = c->motion[side];
    lia_text_add(out, "%s\"%s\": {\"model\": ", side == 0 ? "{" : ",\n ", side == 0 ? "a" : "b");
    lia_escape_add(out, "%s, \"label\": %s, \"status\": %s", motion->model->name, c->label[side],
                   lia_trajectory_status(motion));
    if (motion->status != LIA_OK) {
        lia_escape_add(out, ", \"reason\": {\"code\": %s, \"text\": %s, \"t\": %g, \"line\": %g}",
                       motion->reason.code, motion->reason.text, motion->reason.t,
                       motion->reason.line > 0 ? (double)motion->reason.line : NAN);
    }
    lia_escape_add(out, ", \"t\": %g, \"steps\": %llu, \"tolerance\": %g", motion->t,
                   (unsigned long long)motion->effort.steps, motion->effort.tolerance);
    lia_escape_add(out, ", \"balance\": %g, \"regularity\": %g}", motion->ledger.balance,
                   motion->regularity);
}

static void add_difference(LiaText* out, const LiaDifference* d) {
    lia_escape_add(out, "{\"first\": %g, \"largest\": %g, \"largest_t\": %g", d->first, d->largest,
                   d->largest_t);
    lia_escape_add(out, ", \"start\": %g, \"end\": %g, \"scale\": %g, \"a\": %g, \"b\": %g}",
                   d->start, d->end, d->scale, d->a, d->b);
}

static void add_differences(LiaText* out, const LiaComparison* c, const char* key,
                            LiaColumnKind kind, LiaColumnKind or_kind) {
    lia_text_add(out, ",\n \"%s\": {", key);
    bool first = true;
    for (size_t i = 0; i < c->count; i++) {
        if (lia_compare_is_of(c, i, kind, or_kind)) {
            lia_escape_key(out, &first, c->columns[i]->key);
            add_difference(out, &c->differences[i]);
        }
    }
    lia_text_add(out, "}");
}

// Equations of one constraint stand side by side: one list.
static void add_forces(LiaText* out, const LiaComparison* c) {
    lia_text_add(out, ",\n \"force\": {");
    bool first = true;
    const LiaColumn* before = NULL;
    for (size_t i = 0; i < c->count; i++) {
        const LiaColumn* column = c->columns[i];
        if (column->kind != LIA_COLUMN_FORCE) {
            continue;
        }
        bool same = before && before->index == column->index;
        if (before) {
            lia_text_add(out, "%s", same ? ", " : "]");
        }
        if (!same) {
            lia_escape_key(out, &first, column->key);
            lia_text_add(out, "[");
        }
        add_difference(out, &c->differences[i]);
        before = column;
    }
    lia_text_add(out, before ? "]}" : "}");
}

static void add_work_members(LiaText* out, const LiaComparison* c) {
    lia_text_add(out, ",\n \"work\": {");
    bool first = true;
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < c->motion[side]->ledger.count; i++) {
            const LiaLedgerLine* line = &c->motion[side]->ledger.lines[i];
            const LiaLedgerLine* other = lia_compare_line(c->motion[1 - side], line->name);
            if (line->kind == LIA_LINE_PROJECTION || (side == 1 && other)) {
                continue;
            }
            lia_escape_key(out, &first, line->name);
            lia_escape_add(out, "{\"a\": %g, \"b\": %g}",
                           lia_compare_work(side == 0 ? line : other),
                           lia_compare_work(side == 0 ? other : line));
        }
    }
    lia_text_add(out, "}");
}

static void add_conserved(LiaText* out, const LiaTrajectory* motion, const char* side) {
    lia_text_add(out, "\"%s\": {", side);
    bool first = true;
    for (size_t i = 0; i < motion->conserved.count; i++) {
        lia_escape_key(out, &first, motion->conserved.list[i].name);
        lia_escape_add(out, "{\"value\": %g, \"drift\": %g}", motion->conserved.list[i].value,
                       motion->conserved.list[i].drift);
    }
    lia_text_add(out, "}");
}

static void add_names(LiaText* out, const LiaComparison* c, int side) {
    lia_text_add(out, ", \"%s\": [", side == 0 ? "only_a" : "only_b");
    for (size_t i = 0; i < c->alone_count[side]; i++) {
        lia_text_add(out, "%s", i > 0 ? ", " : "");
        lia_escape_json(out, c->alone[side][i]);
    }
    lia_text_add(out, "]");
}

char* lia_output_compare_json(const LiaComparison* c) {
    if (!c) return NULL;
    LiaCall call = lia_call_begin(NULL);
    LiaText out = {0};
    add_side(&out, c, 0);
    add_side(&out, c, 1);
    lia_escape_add(&out, ",\n \"t0\": %g, \"t\": %g, \"samples\": %zu, \"parts\": ", c->t0, c->t,
                   c->samples);
    if (c->first < c->count) {
        lia_escape_add(&out, "{\"t\": %g, \"name\": %s}", c->differences[c->first].first,
                       c->differences[c->first].name);
    } else {
        lia_text_add(&out, "null");
    }
    add_differences(&out, c, "state", LIA_COLUMN_POSITION, LIA_COLUMN_VELOCITY);
    add_differences(&out, c, "observe", LIA_COLUMN_OBSERVE, LIA_COLUMN_OBSERVE);
    add_forces(&out, c);
    add_differences(&out, c, "power", LIA_COLUMN_POWER, LIA_COLUMN_POWER);
    add_work_members(&out, c);
    lia_text_add(&out, ",\n \"conserved\": {");
    add_conserved(&out, c->motion[0], "a");
    lia_text_add(&out, ", ");
    add_conserved(&out, c->motion[1], "b");
    lia_text_add(&out, "}");
    add_names(&out, c, 0);
    add_names(&out, c, 1);
    lia_text_add(&out, "}");
    return lia_call_text(&call, &out);
}
