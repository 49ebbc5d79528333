// Reading a trajectory. See liaison.h.
// SPDX-License-Identifier: MIT
#include "motion/result/trajectory.h"
#include "base/memory/memory.h"
#include "motion/result/dense_output.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lia_trajectory_destroy(LiaTrajectory* trajectory) {
    if (!trajectory) return;
    lia_arena_destroy(trajectory->arena);
    free(trajectory->rows.values);
    free(trajectory->rows.shared);
    free(trajectory->events.list);
    free(trajectory->jumps.list);
    lia_dense_output_destroy(trajectory->pieces);
    free(trajectory);
}

LiaSpent lia_trajectory_spent(const LiaTrajectory* trajectory) {
    static const char* const codes[] = {[LIA_SPENT_NOTHING] = "",
                                        [LIA_SPENT_INTERRUPT] = "interrupt",
                                        [LIA_SPENT_TIME] = "time",
                                        [LIA_SPENT_MEMORY] = "memory",
                                        [LIA_SPENT_STEPS] = "steps"};
    const char* code = trajectory ? trajectory->reason.code : NULL;
    for (int i = 0; code && trajectory->status == LIA_STOPPED && i <= LIA_SPENT_STEPS; i++) {
        if (strcmp(codes[i], code) == 0) return (LiaSpent)i;
    }
    return LIA_SPENT_NOTHING;
}

size_t lia_trajectory_rows(const LiaTrajectory* trajectory) {
    return trajectory ? trajectory->rows.count : 0;
}

size_t lia_trajectory_columns(const LiaTrajectory* trajectory) {
    return trajectory ? trajectory->csv_count : 0;
}

const char* lia_trajectory_column(const LiaTrajectory* trajectory, size_t column) {
    return trajectory && column < trajectory->csv_count ? trajectory->columns[column].name : NULL;
}

double lia_trajectory_value(const LiaTrajectory* trajectory, size_t row, size_t column) {
    bool there = trajectory && row < trajectory->rows.count && column < trajectory->csv_count;
    if (!there) return NAN;
    return trajectory->rows.values[row * trajectory->column_count + column];
}

static bool is_call(const char* name, const char* function, const char* argument) {
    size_t f = strlen(function), a = strlen(argument);
    return strncmp(name, function, f) == 0 && name[f] == '(' &&
           strncmp(name + f + 1, argument, a) == 0 && strcmp(name + f + 1 + a, ")") == 0;
}

bool lia_trajectory_final(const LiaTrajectory* t, const char* name, double* value) {
    if (!t || !name || !value) return false;
    for (size_t k = 0; k < t->csv_count; k++) {
        if (strcmp(t->columns[k].name, name) == 0) {
            *value = t->final.values[k];
            return true;
        }
    }
    for (size_t k = 0; k < t->ledger.count; k++) {
        if (is_call(name, "work", t->ledger.lines[k].name)) {
            *value = t->ledger.lines[k].work;
            return true;
        }
    }
    for (size_t k = 0; k < t->constraints.count; k++) {
        if (is_call(name, "residual", t->constraints.list[k].name)) {
            *value = t->constraints.list[k].residual;
            return true;
        }
    }
    for (size_t k = 0; k < t->conserved.count; k++) {
        if (strcmp(name, t->conserved.list[k].name) == 0) {
            *value = t->conserved.list[k].value;
            return true;
        }
    }
    if (strcmp(name, "balance") == 0) {
        *value = t->ledger.balance;
        return true;
    }
    if (strcmp(name, "regularity") == 0) {
        *value = t->regularity;
        return true;
    }
    return false;
}

const char* lia_trajectory_status(const LiaTrajectory* t) {
    if (!t) return NULL;
    return t->status == LIA_OK ? "done" : t->status == LIA_STOPPED ? "stopped" : "failed";
}

const char* lia_trajectory_reason(const LiaTrajectory* t) { return t ? t->reason.text : NULL; }
