// The samples of a motion as CSV: a header line, then one row per sample.
//
// Columns: t, positions, velocities, observables, forces, powers. Numbers read back as the same
// bits, with a point whatever the locale. What is not a number is written `nan`, `inf`, `-inf`: no
// field is ever empty, so tools that split at commas, strtod and pandas all read it. Lines end with
// LF. A motion that ended between two samples gets its last state as a last row. A number made of
// multipliers that are not unique is marked: after all other columns stands, for each column that
// has one, `unique(COLUMN)`, 1 where the number of the row is unique and 0 where it is one of many.
//
// Events are a file of their own: t, kind, name, direction, the impulse and the energy of a
// contact, then the state by its columns.
// SPDX-License-Identifier: MIT
#include "output/text/csv.h"
#include "output/text/escape.h"
#include <math.h>

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

// Done: the samples are what was asked for. Stopped or failed: what was reached is reported too.
static bool ends_between_samples(const LiaTrajectory* trajectory) {
    if (trajectory->status == LIA_OK || !trajectory->final.values) {
        return false;
    }
    size_t rows = trajectory->rows.count, columns = trajectory->column_count;
    return rows == 0 ||
           trajectory->rows.values[(rows - 1) * columns] != trajectory->final.values[0];
}

void lia_csv_write(const LiaTrajectory* trajectory, LiaOutputFile* file) {
    size_t columns = trajectory->column_count;
    const bool* shared = trajectory->rows.shared;
    add_header(&file->text, trajectory);
    for (size_t row = 0; row < trajectory->rows.count && !file->error; row++) {
        add_row(&file->text, trajectory, trajectory->rows.values + row * columns,
                shared ? shared + row * columns : NULL);
        lia_output_file_flush(file);
    }
    if (ends_between_samples(trajectory)) {
        add_row(&file->text, trajectory, trajectory->final.values, trajectory->final.shared);
    }
}

// --- events -------------------------------------------------------------------------------------

static bool is_state(const LiaColumn* column) {
    return column->kind == LIA_COLUMN_POSITION || column->kind == LIA_COLUMN_VELOCITY;
}

// So many components has the largest impulse.
static uint32_t impulse_width(const LiaTrajectory* trajectory) {
    uint32_t most = 0;
    for (size_t i = 0; i < trajectory->events.count; i++) {
        uint32_t count = trajectory->events.list[i].impulse_count;
        most = count > most ? count : most;
    }
    return most;
}

// Has an event one: by an impulse, or by what it set?
static bool has_energy(const LiaTrajectory* trajectory) {
    for (size_t i = 0; i < trajectory->events.count; i++) {
        const LiaEventRecord* event = &trajectory->events.list[i];
        if (event->impulse || event->energy != 0.0) return true;
    }
    return false;
}

static void add_events_header(LiaText* out, const LiaTrajectory* trajectory, uint32_t width) {
    lia_text_add(out, "t,kind,name,direction");
    for (uint32_t k = 0; k < width; k++) lia_text_add(out, k ? ",impulse[%u]" : ",impulse", k + 1);
    if (has_energy(trajectory)) lia_text_add(out, ",energy");
    for (size_t i = 0; i < trajectory->csv_count; i++) {
        if (!is_state(&trajectory->columns[i])) continue;
        lia_text_add_bytes(out, ",", 1);
        lia_escape_csv(out, trajectory->columns[i].name);
    }
    lia_text_add_bytes(out, "\n", 1);
}

static void add_event(LiaText* out, const LiaTrajectory* trajectory, const LiaEventRecord* event,
                      uint32_t width) {
    lia_text_add_number(out, event->t);
    lia_text_add(out, ",%s,", event->kind ? lia_event_kind_text(event->kind) : "user");
    lia_escape_csv(out, event->name);
    lia_text_add(out, ",%d", event->direction);
    for (uint32_t k = 0; k < width; k++) {
        lia_text_add_bytes(out, ",", 1);
        lia_text_add_number(out, k < event->impulse_count ? event->impulse[k] : 0.0);
    }
    if (has_energy(trajectory)) {
        lia_text_add_bytes(out, ",", 1);
        lia_text_add_number(out, event->energy);
    }
    size_t at = 0;
    for (size_t i = 0; i < trajectory->csv_count; i++) {
        if (!is_state(&trajectory->columns[i])) continue;
        lia_text_add_bytes(out, ",", 1);
        lia_text_add_number(out, event->state ? event->state[at] : NAN);
        at++;
    }
    lia_text_add_bytes(out, "\n", 1);
}

void lia_csv_write_events(const LiaTrajectory* trajectory, LiaOutputFile* file) {
    uint32_t width = impulse_width(trajectory);
    add_events_header(&file->text, trajectory, width);
    for (size_t i = 0; i < trajectory->events.count && !file->error; i++) {
        add_event(&file->text, trajectory, &trajectory->events.list[i], width);
        lia_output_file_flush(file);
    }
}
