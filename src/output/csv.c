// The samples of a motion as CSV: a header line, then one row per sample.
//
// Columns: t, positions, velocities, observables, forces, powers. Numbers read back as the same bits,
// with a point whatever the locale. What is not a number is written `nan`, `inf`, `-inf`: no field is
// ever empty, so tools that split at commas, strtod and pandas all read it. Lines end with LF.
// A motion that ended between two samples gets its last state as a last row.
// SPDX-License-Identifier: MIT
#include "../motion/trajectory.h"
#include "escape.h"
#include "file.h"

static void add_row(LiaText* out, const double* row, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            lia_text_add_bytes(out, ",", 1);
        }
        lia_text_add_number(out, row[i]);
    }
    lia_text_add_bytes(out, "\n", 1);
}

// Done: the samples are what was asked for. Stopped or failed: what was reached is told too.
static bool ends_between_samples(const LiaTrajectory* trajectory) {
    if (trajectory->status == LIA_OK || !trajectory->final) {
        return false;
    }
    size_t rows = trajectory->row_count, columns = trajectory->column_count;
    return rows == 0 || trajectory->values[(rows - 1) * columns] != trajectory->final[0];
}

LiaStatus lia_output_csv(const LiaTrajectory* trajectory, const char* path) {
    LiaOutputFile file;
    if (!lia_output_file_open(&file, path)) {
        return LIA_FILE;
    }
    size_t count = trajectory->csv_count;
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            lia_text_add_bytes(&file.text, ",", 1);
        }
        lia_escape_csv(&file.text, trajectory->columns[i].name);
    }
    lia_text_add_bytes(&file.text, "\n", 1);
    for (size_t row = 0; row < trajectory->row_count && !file.error; row++) {
        add_row(&file.text, trajectory->values + row * trajectory->column_count, count);
        lia_output_file_flush(&file);
    }
    if (ends_between_samples(trajectory)) {
        add_row(&file.text, trajectory->final, count);
    }
    return lia_output_file_close(&file) ? LIA_OK : LIA_FILE;
}
