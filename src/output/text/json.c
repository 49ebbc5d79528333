// The result of a motion as one JSON object. Keys and their order are a promise:
//
//   model status [reason] t steps seconds setup_seconds state observe force power work residual
//   balance balance_growth regularity digits unique [not_unique] [hidden] [remaining]
//   [combinations] conserved events [jumps] [start] [check]
//
// Numbers read back as the same bits; null stands for what is not a number. A force is a list, one
// number per scalar equation. `power` and `work` hold the lines of the ledger that have a name of
// the model's, and dissipation and time where there are such; what projections moved is in
// `balance`'s books only. Where multipliers are not unique, `not_unique` lists all that is made of
// them (forces, powers, works, what is observed), and `combinations` has those combinations of them
// that are unique, with their values. An event's direction is 1 rising, -1 falling, 0 touching. A
// jump has the velocities that jumped as [before, after], and impulses and their works as forces
// and works are given. `start` lists the values of the start that were chosen, a sentence each.
// `check` is what a second run said: its verdict, and the differences of all numbers at the end
// under the same keys as these.
// SPDX-License-Identifier: MIT
#include "base/memory/call.h"
#include "lang/model.h"
#include "motion/check/digits.h"
#include "motion/contact/impact/impact.h"
#include "motion/result/trajectory.h"
#include "output/study/checked.h"
#include "output/text/escape.h"
#include <math.h>

// Clock readings: digits beyond the sixth say nothing.
static void add_seconds(LiaText* out, double x) {
    if (isfinite(x)) {
        lia_text_add_short(out, x, 6);
    } else {
        lia_text_add_bytes(out, "null", 4);
    }
}

static void add_head(LiaText* out, const LiaTrajectory* trajectory) {
    lia_escape_add(out, "{\"model\": %s, \"status\": %s", trajectory->model->name,
                   lia_trajectory_status(trajectory));
    if (trajectory->status != LIA_OK) {
        const LiaReason* reason = &trajectory->reason;
        lia_escape_add(out, ", \"reason\": {\"code\": %s, \"text\": %s, \"t\": %g, \"line\": ",
                       reason->code, reason->text, reason->t);
        if (reason->line > 0) {
            lia_text_add(out, "%d", reason->line);
        } else {
            lia_text_add(out, "null");
        }
        if (reason->help) {
            lia_escape_add(out, ", \"help\": %s", reason->help);
        }
        lia_text_add(out, "}");
    }
    lia_escape_add(out, ", \"t\": %g, \"steps\": %llu, \"seconds\": ", trajectory->t,
                   (unsigned long long)trajectory->effort.steps);
    add_seconds(out, trajectory->effort.seconds);
    lia_text_add(out, ", \"setup_seconds\": ");
    add_seconds(out, trajectory->effort.setup_seconds);
}

// Positions first, then velocities, as they stand in `values`.
static double final_value(const LiaTrajectory* trajectory, size_t column) {
    return trajectory->final.values ? trajectory->final.values[column] : NAN;
}

static void add_columns(LiaText* out, const LiaTrajectory* trajectory, const char* key,
                        LiaColumnKind kind, LiaColumnKind or_kind) {
    lia_text_add(out, ",\n \"%s\": {", key);
    bool first = true;
    for (size_t i = 0; i < trajectory->column_count; i++) {
        const LiaColumn* column = &trajectory->columns[i];
        if (column->kind == kind || column->kind == or_kind) {
            lia_escape_member(out, &first, column->key, final_value(trajectory, i));
        }
    }
    lia_text_add(out, "}");
}

// Columns of one constraint stand side by side: one list.
static void add_forces(LiaText* out, const LiaTrajectory* trajectory) {
    lia_text_add(out, ",\n \"force\": {");
    bool first = true;
    const LiaColumn* before = NULL;
    for (size_t i = 0; i < trajectory->csv_count; i++) {
        const LiaColumn* column = &trajectory->columns[i];
        if (column->kind != LIA_COLUMN_FORCE) {
            continue;
        }
        if (before && before->index == column->index) {
            lia_text_add(out, ", ");
        } else {
            if (before) {
                lia_text_add(out, "]");
            }
            lia_escape_key(out, &first, column->key);
            lia_text_add(out, "[");
        }
        lia_escape_number(out, final_value(trajectory, i));
        before = column;
    }
    lia_text_add(out, before ? "]}" : "}");
}

static void add_ledger(LiaText* out, const LiaTrajectory* trajectory) {
    for (int work = 0; work <= 1; work++) {
        lia_text_add(out, "%s\"%s\": {", work ? ", " : ",\n ", work ? "work" : "power");
        bool first = true;
        for (size_t i = 0; i < trajectory->ledger.count; i++) {
            const LiaLedgerLine* line = &trajectory->ledger.lines[i];
            if (line->kind != LIA_LINE_PROJECTION) {
                double x = work ? line->work : line->power;
                lia_escape_member(out, &first, line->name, line->workless ? 0.0 : x);
            }
        }
        lia_text_add(out, "}");
    }
}

// Equations hidden in operators that act through springs; what servos leave free.
static void add_servos(LiaText* out, const LiaTrajectory* trajectory) {
    bool first = true;
    for (size_t i = 0; i < trajectory->constraints.count; i++) {
        const LiaConstraintReport* constraint = &trajectory->constraints.list[i];
        if (constraint->degree > 0) {
            lia_text_add(out, first ? ", \"hidden\": {" : "");
            lia_escape_key(out, &first, constraint->name);
            lia_text_add(out, "%u", constraint->degree);
        }
    }
    lia_text_add(out, first ? "" : "}");
    if (trajectory->servo.looked) {
        lia_escape_add(out, ", \"remaining\": {\"states\": %d, \"rate\": %g}",
                       trajectory->servo.remaining, trajectory->servo.rate);
    }
}

static void add_not_unique(LiaText* out, const LiaTrajectory* trajectory) {
    bool first = true;
    for (size_t i = 0; i < trajectory->column_count; i++) {
        const LiaColumn* column = &trajectory->columns[i];
        if (column->shared && column->kind != LIA_COLUMN_PLOT) {
            lia_text_add(out, first ? ", \"not_unique\": [" : ", ");
            lia_escape_json(out, column->name);
            first = false;
        }
    }
    lia_text_add(out, first ? "" : "]");
}

// Whole digits; null where they are not known.
static void add_digits(LiaText* out, const LiaTrajectory* trajectory) {
    lia_escape_add(out, ", \"digits\": {\"motion\": %g, \"force\": {",
                   lia_digits_known(trajectory->doubt));
    bool first = true;
    for (size_t i = 0; i < trajectory->constraints.count; i++) {
        lia_escape_member(out, &first, trajectory->constraints.list[i].name,
                          lia_digits_known(trajectory->constraints.list[i].doubt));
    }
    lia_text_add(out, "}}");
}

static void add_quality(LiaText* out, const LiaTrajectory* trajectory) {
    lia_text_add(out, ",\n \"residual\": {");
    bool first = true;
    for (size_t i = 0; i < trajectory->constraints.count; i++) {
        lia_escape_member(out, &first, trajectory->constraints.list[i].name,
                          trajectory->constraints.list[i].residual);
    }
    lia_escape_add(out, "}, \"balance\": %g, \"balance_growth\": %g, \"regularity\": %g",
                   trajectory->ledger.balance, trajectory->ledger.growth, trajectory->regularity);
    add_digits(out, trajectory);
    // An eliminated operator has no multiplier that could be one of many.
    lia_text_add(out, ", \"unique\": {");
    first = true;
    for (size_t i = 0; i < trajectory->constraints.count; i++) {
        const LiaConstraintReport* constraint = &trajectory->constraints.list[i];
        if (!constraint->eliminated) {
            lia_escape_key(out, &first, constraint->name);
            lia_text_add(out, constraint->unique ? "true" : "false");
        }
    }
    lia_text_add(out, "}");
    add_not_unique(out, trajectory);
    add_servos(out, trajectory);
    if (trajectory->constraints.combination_count == 0) {
        return;
    }
    lia_text_add(out, ", \"combinations\": {");
    first = true;
    for (size_t i = 0; i < trajectory->constraints.combination_count; i++) {
        lia_escape_member(out, &first, trajectory->constraints.combinations[i].formula,
                          trajectory->constraints.combinations[i].value);
    }
    lia_text_add(out, "}");
}

static void add_conserved(LiaText* out, const LiaTrajectory* trajectory) {
    lia_text_add(out, ",\n \"conserved\": {");
    bool first = true;
    for (size_t i = 0; i < trajectory->conserved.count; i++) {
        const LiaConserved* conserved = &trajectory->conserved.list[i];
        lia_escape_key(out, &first, conserved->name);
        lia_escape_add(out, "{\"value\": %g, \"drift\": %g, \"growth\": %g}", conserved->value,
                       conserved->drift, conserved->growth);
    }
    lia_text_add(out, "}");
}

static void add_event_impulse(LiaText* out, const LiaEventRecord* event) {
    lia_text_add(out, ", \"impulse\": [");
    for (uint32_t k = 0; k < event->impulse_count; k++) {
        lia_text_add(out, k > 0 ? ", " : "");
        lia_escape_number(out, event->impulse[k]);
    }
    lia_escape_add(out, "], \"energy\": %g", event->energy);
    if (event->kind == LIA_EVENT_IMPACT) lia_escape_add(out, ", \"lost\": %g", event->lost);
    if (event->law) lia_text_add(out, ", \"law\": \"%s\"", lia_impact_law_of(event->law));
}

// The modes of the contacts, in the order visited; a model without contacts has no such key.
static void add_modes(LiaText* out, const LiaTrajectory* trajectory) {
    if (trajectory->contacts.mode_count == 0) return;
    lia_text_add(out, ", \"modes\": [");
    for (size_t i = 0; i < trajectory->contacts.mode_count; i++) {
        const LiaModeRecord* mode = &trajectory->contacts.modes[i];
        lia_text_add(out, i > 0 ? ",\n  {\"mode\": " : "\n  {\"mode\": ");
        lia_escape_add(out, "%s, \"time\": %g, \"visits\": %llu}", mode->text, mode->time,
                       (unsigned long long)mode->visits);
    }
    lia_text_add(out, "], \"contacts\": {");
    for (size_t i = 0; i < trajectory->contacts.count; i++) {
        const LiaContactWorks* works = &trajectory->contacts.works[i];
        lia_text_add(out, i > 0 ? ", " : "");
        lia_escape_add(out, "%s: {\"impacts\": %g, \"between\": %g, ", works->name, works->impacts,
                       works->between);
        lia_escape_add(out, "\"lost\": {\"impacts\": %g, \"friction\": %g}, ", works->lost_impacts,
                       works->friction);
        lia_escape_add(out, "\"fed\": {\"impacts\": %g, \"between\": %g}}", works->fed_impacts,
                       works->fed);
    }
    lia_text_add(out, "}, \"fed_in_impacts\": {");
    bool first = true;
    for (size_t i = 0; i < trajectory->contacts.feed_count; i++)
        lia_escape_member(out, &first, trajectory->contacts.feeds[i].name,
                          trajectory->contacts.feeds[i].work);
    lia_text_add(out, "}");
}

static void add_event(LiaText* out, const LiaTrajectory* trajectory, const LiaEventRecord* event) {
    lia_escape_add(out, "{\"name\": %s, \"t\": %g, \"kind\": %s", event->name, event->t,
                   event->kind ? lia_event_kind_text(event->kind) : "user");
    if (!event->kind) lia_text_add(out, ", \"direction\": %d", event->direction);
    if (event->impulse) {
        add_event_impulse(out, event);
    } else if (!event->kind && event->energy != 0.0) {
        lia_escape_add(out, ", \"energy\": %g", event->energy);
    }
    lia_text_add(out, ", \"state\": {");
    bool first = true;
    size_t next = 0;
    for (size_t i = 0; i < trajectory->csv_count; i++) {
        const LiaColumn* column = &trajectory->columns[i];
        if (column->kind == LIA_COLUMN_POSITION || column->kind == LIA_COLUMN_VELOCITY) {
            lia_escape_member(out, &first, column->key, event->state ? event->state[next++] : NAN);
        }
    }
    lia_text_add(out, "}}");
}

static void add_events(LiaText* out, const LiaTrajectory* trajectory) {
    lia_text_add(out, ", \"events\": [");
    for (size_t i = 0; i < trajectory->events.count; i++) {
        lia_text_add(out, i > 0 ? ",\n  " : "\n  ");
        add_event(out, trajectory, &trajectory->events.list[i]);
    }
    lia_text_add(out, "]");
}

static void add_jump(LiaText* out, const LiaJump* jump) {
    lia_escape_add(out, "{\"t\": %g, \"velocity\": {", jump->t);
    bool first = true;
    for (size_t i = 0; i < jump->velocity_count; i++) {
        lia_escape_key(out, &first, jump->velocities[i].column->key);
        lia_escape_add(out, "[%g, %g]", jump->velocities[i].before, jump->velocities[i].after);
    }
    lia_text_add(out, "}, \"impulse\": {");
    first = true;
    for (size_t i = 0; i < jump->impulse_count; i++) {
        lia_escape_key(out, &first, jump->impulses[i].name);
        for (uint32_t k = 0; k < jump->impulses[i].count; k++) {
            lia_text_add(out, k > 0 ? ", " : "[");
            lia_escape_number(out, jump->impulses[i].values[k]);
        }
        lia_text_add(out, "]");
    }
    lia_text_add(out, "}, \"work\": {");
    first = true;
    for (size_t i = 0; i < jump->impulse_count; i++) {
        lia_escape_member(out, &first, jump->impulses[i].name, jump->impulses[i].work);
    }
    lia_text_add(out, "}, \"unique\": %s}", jump->unique ? "true" : "false");
}

// Where laws of operators have corners; a motion without jumps has no such key.
static void add_jumps(LiaText* out, const LiaTrajectory* trajectory) {
    if (trajectory->jumps.count == 0) {
        return;
    }
    lia_text_add(out, ", \"jumps\": [");
    for (size_t i = 0; i < trajectory->jumps.count; i++) {
        lia_text_add(out, i > 0 ? ",\n  " : "\n  ");
        add_jump(out, &trajectory->jumps.list[i]);
    }
    lia_text_add(out, "]");
}

static void add_chosen(LiaText* out, const LiaTrajectory* trajectory) {
    if (trajectory->choices.start_count == 0) {
        return;
    }
    lia_text_add(out, ",\n \"start\": [");
    for (size_t i = 0; i < trajectory->choices.start_count; i++) {
        lia_text_add(out, i > 0 ? ",\n  " : "\n  ");
        lia_escape_json(out, trajectory->choices.start[i]);
    }
    lia_text_add(out, "]");
}

char* lia_output_json(const LiaTrajectory* trajectory) {
    if (!trajectory) return NULL;
    LiaCall call = lia_call_begin(NULL);
    LiaText out = {0};
    add_head(&out, trajectory);
    add_columns(&out, trajectory, "state", LIA_COLUMN_POSITION, LIA_COLUMN_VELOCITY);
    add_columns(&out, trajectory, "observe", LIA_COLUMN_OBSERVE, LIA_COLUMN_OBSERVE);
    add_forces(&out, trajectory);
    add_ledger(&out, trajectory);
    add_quality(&out, trajectory);
    add_conserved(&out, trajectory);
    add_events(&out, trajectory);
    add_modes(&out, trajectory);
    add_jumps(&out, trajectory);
    add_chosen(&out, trajectory);
    lia_checked_json(trajectory, &out);
    lia_text_add(&out, "}");
    return lia_call_text(&call, &out);
}
