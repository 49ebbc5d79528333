// The samples of a motion as CSV: a header line, then one row per sample.
//
// Columns: t, positions, velocities, observables, forces, powers. Numbers read back as the same
// bits, with a point whatever the locale. What is not a number is written `nan`, `inf`, `-inf`: no
// field is ever empty, so tools that split at commas, strtod and pandas all read it. Lines end with
// LF. A motion that ended between two samples gets its last state as a last row. A number made of
// multipliers that are not unique is marked: behind all other columns stands, for each column that
// has one, `unique(COLUMN)`, 1 where the number of the row is unique and 0 where it is one of many.
// SPDX-License-Identifier: MIT
#include "output/text/csv.h"
#include "output/text/escape.h"

// `shared`: which numbers of the row are not unique; NULL: all are.
static void add_row(LiaText* out, const LiaTrajectory* trajectory, const double* row,
                    const bool* shared) {
    for (size_t i = 0; i < trajectory->csv_count; i++) {
        if (i > 0) {
            lia_text_add_bytes(out, ",", 1);
        }
        lia_text_add_number(out, row[i]);
    }
    for (size_t i = 0; i < trajectory->csv_count; i++) {
        if (trajectory->columns[i].shared) {
            lia_text_add(out, shared && shared[i] ? ",0" : ",1");
        }
    }
    lia_text_add_bytes(out, "\n", 1);
}

static void add_header(LiaText* out, const LiaTrajectory* trajectory) {
    for (size_t i = 0; i < trajectory->csv_count; i++) {
        if (i > 0) {
            lia_text_add_bytes(out, ",", 1);
        }
        lia_escape_csv(out, trajectory->columns[i].name);
    }
    for (size_t i = 0; i < trajectory->csv_count; i++) {
        if (trajectory->columns[i].shared) {
            LiaText name = {0};
            lia_text_add(&name, "unique(%s)", trajectory->columns[i].name);
            lia_text_add_bytes(out, ",", 1);
            lia_escape_csv(out, name.data ? name.data : "");
            lia_text_clear(&name);
        }
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

void lia_csv_write(const LiaTrajectory* trajectory, LiaOutputFile* file) {
    size_t columns = trajectory->column_count;
    const bool* shared = trajectory->shared;
    add_header(&file->text, trajectory);
    for (size_t row = 0; row < trajectory->row_count && !file->error; row++) {
        add_row(&file->text, trajectory, trajectory->values + row * columns,
                shared ? shared + row * columns : NULL);
        lia_output_file_flush(file);
    }
    if (ends_between_samples(trajectory)) {
        add_row(&file->text, trajectory, trajectory->final, trajectory->final_shared);
    }
}
