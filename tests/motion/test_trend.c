// A walk is told from a drift, by tables of which it is known what they are.
//
// Tests: motion/check/trend.c
// SPDX-License-Identifier: MIT
#include "motion/check/trend.h"
#include "motion/runner.h"
#include "support/cases.h"
#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

enum { ROWS = 1001, COLUMNS = 3 };  // t, energy, a work

typedef struct Table {
    double values[ROWS * COLUMNS];
    LiaColumn columns[COLUMNS];
    LiaTrajectory out;
    uint64_t seed;
} Table;

static double chance(Table* table) {  // between -1 and 1
    table->seed = table->seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(table->seed >> 11) / 4503599627370496.0 - 1.0;
}

static void begin(Table* table, uint64_t seed) {
    table->seed = seed * 7919 + 1;
    table->columns[0].kind = LIA_COLUMN_TIME;
    table->columns[1].kind = LIA_COLUMN_OBSERVE;
    table->columns[2].kind = LIA_COLUMN_WORK;
    table->out = (LiaTrajectory){.columns = table->columns,
                                 .column_count = COLUMNS,
                                 .csv_count = 2,
                                 .rows.values = table->values,
                                 .rows.count = ROWS,
                                 .t0 = 5.0};
    for (size_t r = 0; r < ROWS; r++) {
        table->values[r * COLUMNS] = 5.0 + 2.0 * (double)r;
        table->values[r * COLUMNS + 1] = table->values[r * COLUMNS + 2] = 0.0;
    }
}

static void a_random_walk_is_no_trend(void) {
    Table table;
    int called = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        begin(&table, seed);
        double x = 0.5;
        for (size_t r = 0; r < ROWS; r++)
            table.values[r * COLUMNS + 1] = x += 1e-16 * chance(&table);
        called += lia_trend(&table.out, 1, false, 0.0) != 0.0;
    }
    assert_true(called <= 4);  // one in a hundred
}

static void what_comes_at_the_beginning_only_is_no_trend(void) {
    Table table;
    begin(&table, 3);
    for (size_t r = 0; r < ROWS; r++)
        table.values[r * COLUMNS + 1] = 1.0 + 1e-11 * (1.0 - exp(-(double)r / 20.0));
    assert_true(lia_trend(&table.out, 1, false, 0.0) == 0.0);
}

static void a_drift_in_noise_is_measured(void) {
    Table table;
    for (uint64_t seed = 0; seed < 50; seed++) {
        begin(&table, seed);
        double x = 0.0;
        for (size_t r = 0; r < ROWS; r++) {
            double* row = table.values + r * COLUMNS;
            x += 1e-13 * chance(&table);
            row[1] = 3.0 + 1e-12 * chance(&table) + x - 1e-13 * (row[0] - 5.0);
        }
        double slope = lia_trend(&table.out, 1, false, 1e-11);
        assert_true(fabs(slope + 1e-13) < 2e-14);
        assert_true(lia_trend(&table.out, 1, false, 1e-9) == 0.0);  // not worth a word
    }
}

static void works_explain_a_change(void) {
    Table table;
    begin(&table, 1);
    for (size_t r = 0; r < ROWS; r++) {
        double* row = table.values + r * COLUMNS;
        row[2] = 1e-3 * row[0];
        row[1] = row[2] + 1e-9 * row[0];
    }
    assert_true(fabs(lia_trend(&table.out, 1, false, 0.0) - 1e-3) < 2e-9);
    assert_true(fabs(lia_trend(&table.out, 1, true, 0.0) - 1e-9) < 1e-12);
}

static void few_samples_tell_nothing(void) {
    Table table;
    begin(&table, 1);
    for (size_t r = 0; r < ROWS; r++) table.values[r * COLUMNS + 1] = (double)r;
    table.out.rows.count = 127;
    assert_true(lia_trend(&table.out, 1, false, 0.0) == 0.0);
    table.out.rows.count = 128;
    assert_true(fabs(lia_trend(&table.out, 1, false, 0.0) - 0.5) < 1e-12);
}

int main(void) {
    const TestCase tests[] = {
        TEST(a_random_walk_is_no_trend),    TEST(what_comes_at_the_beginning_only_is_no_trend),
        TEST(a_drift_in_noise_is_measured), TEST(works_explain_a_change),
        TEST(few_samples_tell_nothing),
    };
    return TESTS_RUN(tests);
}
