// The files of a motion that belong together: its samples and events as CSV, and its pictures.
//
// Each is written under a temporary name first. Only when all are written, and memory was not out
// on the way, do they get their own names, which takes no memory: so there is never a part of them
// because memory was out for the rest.
// SPDX-License-Identifier: MIT
#include "base/memory/call.h"
#include "output/plot/figure.h"
#include "output/plot/svg.h"
#include "output/text/csv.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct Files {
    const LiaTrajectory* trajectory;
    LiaOutputFile* file;  // written, and not in their places yet
    LiaText* name;
    size_t count;
    int error;   // errno of what could not be written; 0: nothing
    char* list;  // room for the names
} Files;

// The next one, to be written to; NULL where it cannot be opened.
static LiaOutputFile* begin(Files* files) {
    LiaOutputFile* file = &files->file[files->count];
    const LiaText* name = &files->name[files->count];
    bool open = !name->failed && lia_output_file_open(file, name->data, &files->trajectory->reads);
    if (!open) files->error = name->failed ? ENOMEM : errno;
    return open ? file : NULL;
}

static void end(Files* files, LiaOutputFile* file) {
    if (lia_output_file_finish(file)) {
        files->count++;
    } else {
        lia_output_file_close(file);
        files->error = errno;
    }
}

static void write_samples(Files* files, const char* path) {
    lia_text_add(&files->name[files->count], "%s", path);
    LiaOutputFile* file = begin(files);
    if (!file) return;
    lia_csv_write(files->trajectory, file);
    end(files, file);
}

// STEM-events.csv, where something happened.
static void write_events(Files* files, const char* stem) {
    if (files->trajectory->events.count == 0) return;
    lia_text_add(&files->name[files->count], "%s-events.csv", stem);
    LiaOutputFile* file = begin(files);
    if (!file) return;
    lia_csv_write_events(files->trajectory, file);
    end(files, file);
}

static void write_pictures(Files* files, const char* stem) {
    size_t plots = files->trajectory->model->pictures.plots_count, drawn = 0;
    for (size_t i = 0; i < plots && !files->error; i++) {
        LiaFigure figure;
        if (!lia_figure_make(&figure, files->trajectory, i)) continue;
        drawn++;
        lia_text_add(&files->name[files->count], drawn == 1 ? "%s.svg" : "%s-%zu.svg", stem, drawn);
        LiaOutputFile* file = begin(files);
        if (file) {
            lia_svg_draw(&figure, NULL, &file->text);
            end(files, file);
        }
        lia_figure_clear(&figure);
    }
}

static void write_all(Files* files, const char* csv, const char* stem) {
    size_t most = files->trajectory->model->pictures.plots_count + 2, room = 1;
    files->file = lia_memory_zeros(most, sizeof *files->file);
    files->name = lia_memory_zeros(most, sizeof *files->name);
    if (!files->file || !files->name) return;
    if (csv) write_samples(files, csv);
    if (csv && stem && !files->error) write_events(files, stem);
    if (stem && !files->error) write_pictures(files, stem);
    for (size_t i = 0; i < files->count; i++) room += files->name[i].length + 1;
    files->list = lia_memory_zeros(room, 1);
}

// In their places, and noted in the list. Standard output has no name.
static size_t place_all(Files* files) {
    size_t placed = 0;
    for (size_t i = 0; i < files->count; i++) {
        const char* name = files->name[i].data;
        if (placed < i) {  // after one that failed there are no more, as in writing
            lia_output_file_drop(&files->file[i]);
            continue;
        }
        if (!lia_output_file_close(&files->file[i])) {
            files->error = errno;
            continue;
        }
        placed++;
        if (strcmp(name, "-") == 0) continue;
        if (*files->list) strcat(files->list, "\n");
        strcat(files->list, name);
    }
    return placed;
}

static void clear(Files* files) {
    size_t most = files->trajectory->model->pictures.plots_count + 2;
    for (size_t i = 0; files->name && i < most; i++) lia_text_clear(&files->name[i]);
    free(files->name);
    free(files->file);
}

LiaStatus lia_output_files(const LiaTrajectory* trajectory, const char* csv, const char* stem,
                           size_t* count, char** paths) {
    if (count) *count = 0;
    if (paths) *paths = NULL;
    if (!trajectory) return LIA_ARGUMENT;
    LiaCall call = lia_call_begin(NULL);
    Files files = {.trajectory = trajectory};
    write_all(&files, csv, stem);
    bool failed = lia_call_failed(&call);
    for (size_t i = 0; failed && i < files.count; i++) lia_output_file_drop(&files.file[i]);
    size_t placed = failed ? 0 : place_all(&files);
    clear(&files);
    if (count) *count = placed;
    if (failed || !paths) {
        free(files.list);
        files.list = NULL;
    }
    if (paths) *paths = files.list;
    errno = failed ? ENOMEM : files.error;
    return failed ? LIA_MEMORY : files.error ? LIA_FILE : LIA_OK;
}

LiaStatus lia_output_csv(const LiaTrajectory* trajectory, const char* path) {
    return path ? lia_output_files(trajectory, path, NULL, NULL, NULL) : LIA_ARGUMENT;
}

LiaStatus lia_output_svg(const LiaTrajectory* trajectory, const char* stem, size_t* count,
                         char** paths) {
    return lia_output_files(stem ? trajectory : NULL, NULL, stem, count, paths);
}
