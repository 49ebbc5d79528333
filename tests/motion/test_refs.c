// Reference numbers: every model of tests/refs and examples runs four ways, with and without
// elimination of driven coordinates, by dense and by sparse algebra, and meets each of its
// expectations every time.
//
//   # expect NAME = VALUE +- ABS      at the end of the run
//   # expect status STATUS            done (also when nothing is said), stopped, failed
//   # expect reason TEXT              a part of the reason
//   # expect event NAME KIND N = T +- ABS     when the event of that kind happened for the N-th
//                                             time
//   # expect events NAME KIND = COUNT         how often
//
// Expectations hold with the tolerance that is written. All ways must give the same motion and
// forces with the smallest one, within 1e-12 of the size of each column. Sparse algebra rounds
// otherwise from the first step on, and a body that turns some hundred times answers that with as
// many times more. So a column that is further away is looked at again: each of the two may be off
// by the rounding of N steps, N 2^-53, times the condition of the motion (sensitivity.h), and by
// twenty times as much as the others at the very most.
//
// By law: motion/result/record.c: the table has the state at every sample
// By law: motion/result/record_columns.c: every name of the model has its column
// By law: motion/result/report.c: the ledger is closed, and residuals are rounding
// By law: motion/run/begin.c: a run begins in the state that its start says
// By law: motion/run/choices.c: what the program chose stands in the result
// By law: motion/run/step_series.c: series go as far as the tolerance asks
// SPDX-License-Identifier: MIT
#include "mechanics/test_hooks.h"
#include "motion/result/trajectory.h"
#include "support/cases.h"
#include "support/file.h"
#include "support/sensitivity.h"
#include <dirent.h>
#include <liaison/liaison.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(int ok, const char* file, const char* format, double x, double y,
                  const char* name) {
    if (cases_count(ok)) return;
    printf("%s: ", file);
    printf(format, name, x, y);
    printf("\n");
}

static const LiaRunOptions as_written = {.samples = 21},
                           finely = {.samples = 21, .tolerance = 1e-15};

static LiaTrajectory* run(const LiaSystem* system, LiaDiags* diags, const LiaRunOptions* options,
                          const char* path) {
    LiaTrajectory* out = NULL;
    if (system) lia_motion_run(system, options, diags, &out);
    if (!out) {
        char* text = lia_diags_text(diags);
        printf("%s: did not run\n%s\n", path, text);
        lia_free(text);
    }
    return out;
}

// When the event NAME of this kind happens for the n-th time; NAN: never. *count: how often in all.
static double event_time(const LiaTrajectory* t, const char* name, const char* kind, int n,
                         int* count) {
    double time = NAN;
    *count = 0;
    for (size_t i = 0; i < lia_trajectory_events(t); i++) {
        LiaOccurrenceInfo event;
        if (!lia_trajectory_event(t, i, &event, sizeof event)) continue;
        if (strcmp(event.name, name) != 0) continue;
        if (strcmp(lia_event_kind_text(event.kind), kind) != 0) continue;
        if (++*count == n) time = event.t;
    }
    return time;
}

// An expectation of events. False: the line is none.
static bool expect_event(const char* path, const char* line, const LiaTrajectory* t, int* count) {
    char name[64], kind[32];
    int n, found;
    double value, most;
    if (sscanf(line, "# expect events %63s %31s = %d", name, kind, &n) == 3) {
        event_time(t, name, kind, 0, &found);
        check(found == n, path, "%s: %g events of this kind, not %g", found, n, name);
    } else if (sscanf(line, "# expect event %63s %31s %d = %lf +- %lf", name, kind, &n, &value,
                      &most) == 5) {
        double time = event_time(t, name, kind, n, &found);
        check(fabs(time - value) <= most, path, "event %s is at %.17g, off by %.2e", time,
              time - value, name);
    } else {
        return false;
    }
    ++*count;
    return true;
}

static void expectations(const char* path, const char* text, const LiaTrajectory* t, int* count) {
    const char* status = "done";
    char wanted[64];
    for (const char* line = text; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
        char name[128];
        double value, most, got;
        if (expect_event(path, line, t, count)) continue;
        if (sscanf(line, "# expect status %63s", wanted) == 1) {
            status = wanted;
        } else if (strncmp(line, "# expect reason ", 16) == 0) {
            char part[256];
            snprintf(part, sizeof part, "%.*s", (int)strcspn(line + 16, "\r\n"), line + 16);
            const char* reason = lia_trajectory_reason(t);
            check(reason && strstr(reason, part), path, "reason is not '%s' (%g %g)", 0, 0, part);
        } else if (sscanf(line, "# expect %127[^=] = %lf +- %lf", name, &value, &most) == 3) {
            for (size_t n = strlen(name); n && name[n - 1] == ' '; n--) name[n - 1] = 0;
            ++*count;
            if (!lia_trajectory_final(t, name, &got)) {
                check(0, path, "there is no '%s' (%g %g)", 0, 0, name);
                continue;
            }
            check(fabs(got - value) <= most, path, "%s is %.17g, off by %.2e", got, got - value,
                  name);
        }
    }
    const char* got = lia_trajectory_status(t);
    check(strcmp(got, status) == 0, path, "status is %s (%g %g)", 0, 0, got);
}

static double largest(const LiaTrajectory* t, size_t column) {
    double most = 0.0;
    for (size_t r = 0; r < lia_trajectory_rows(t); r++)
        most = fmax(most, fabs(lia_trajectory_value(t, r, column)));
    return most;
}

// The largest number of a column, at least 1.
static double size_of(const LiaTrajectory* t, size_t column) {
    return fmax(1.0, largest(t, column));
}

// The energy is rounded by the size of what it is the sum of.
static double parts_of(const LiaTrajectory* t, size_t column) {
    double size = size_of(t, column);
    if (strcmp(lia_trajectory_column(t, column), "energy") != 0) return size;
    for (size_t c = 0; c < lia_trajectory_columns(t); c++) {
        const char* name = lia_trajectory_column(t, c);
        if (strcmp(name, "kinetic") == 0 || strcmp(name, "potential") == 0)
            size = fmax(size, largest(t, c));
    }
    return size;
}

static double distance(const LiaTrajectory* a, const LiaTrajectory* b, size_t column) {
    double away = 0.0;
    for (size_t r = 0; r < lia_trajectory_rows(a); r++) {
        double x = lia_trajectory_value(a, r, column), y = lia_trajectory_value(b, r, column);
        if (isnan(x) != isnan(y)) return INFINITY;
        away = fmax(away, fabs(x - y));
    }
    return away;
}

// One motion by the first of all ways, and how it answers changes of its start once somebody asks.
typedef struct First {
    const char* path;
    LiaModel* model;
    const LiaSystem* system;
    const LiaTrajectory* t;
    double* sensitivity;  // (columns)
} First;

static double condition(First* first, size_t column) {
    if (!first->sensitivity)
        first->sensitivity = sensitivity_of(first->t, first->model, first->system, &finely);
    return first->sensitivity ? first->sensitivity[column] : 0.0;
}

// How far sparse algebra may be away: never more than twenty times what the others may, however
// sensitive the motion is.
static double allowed_to_sparse(First* first, size_t column) {
    double size = size_of(first->t, column);
    double rounding = 2.0 * (double)first->t->effort.steps * 0x1p-53 * condition(first, column);
    return fmin(20e-12 * size, fmax(1e-12 * parts_of(first->t, column), rounding));
}

static void same_motion(First* first, const LiaTrajectory* other, bool other_algebra) {
    const LiaTrajectory* t = first->t;
    size_t columns = lia_trajectory_columns(t);
    if (lia_trajectory_rows(t) != lia_trajectory_rows(other) ||
        columns != lia_trajectory_columns(other)) {
        check(0, first->path, "%s: two ways have tables of different size (%g %g)", 0, 0, "");
        return;
    }
    for (size_t c = 0; c < columns; c++) {
        double away = distance(t, other, c), size = size_of(t, c), allowed = 1e-12 * size;
        if (away > allowed && other_algebra) allowed = allowed_to_sparse(first, c);
        check(away <= allowed, first->path, "%s: two ways differ by %.2e (size %.3g)", away, size,
              lia_trajectory_column(t, c));
    }
}

// The sanitizers run every second model the first way, and half of these one of the others too; the
// numbers are the same.
#if defined(__SANITIZE_ADDRESS__)
enum { SANITIZED = true };
#else
enum { SANITIZED = false };
#endif

static bool goes(int model, int way) { return !SANITIZED || way == 0 || way == 1 + model / 2 % 6; }

static void one_model(const char* path) {
    static int models;
    int model_number = models++;
    if (SANITIZED && model_number % 2 > 0) return;
    char* text = file_text(path);
    LiaDiags* diags = lia_diags_create();
    LiaModel* model = NULL;
    enum { WAYS = 4 };
    static const LiaTestHooks dense = {.algebra = LIA_ALGEBRA_DENSE};
    static const LiaTestHooks sparse = {.algebra = LIA_ALGEBRA_SPARSE};
    LiaSystem* systems[WAYS] = {NULL};
    if (!text || lia_model_parse(path, text, strlen(text), NULL, diags, &model) != LIA_OK) {
        char* said = lia_diags_text(diags);
        printf("%s: not read\n%s\n", path, said);
        lia_free(said);
        cases_count(false);
    } else {
        LiaTrajectory* finest[WAYS] = {NULL};
        int count = 0;
        for (int k = 0; k < WAYS; k++) {
            if (!goes(model_number, k)) continue;
            LiaSystemOptions options = {.no_eliminate = k % 2};
            lia_system_build(model, &options, diags, &systems[k]);
            if (systems[k]) systems[k]->hooks = k < 2 ? &dense : &sparse;
            LiaTrajectory* t = run(systems[k], diags, &as_written, path);
            finest[k] = run(systems[k], diags, &finely, path);
            if (t) expectations(path, text, t, &count);
            if (!t || !finest[k]) cases_count(false);
            lia_trajectory_destroy(t);
        }
        First first = {.path = path, .model = model, .system = systems[0], .t = finest[0]};
        for (int k = 1; k < WAYS; k++) {
            if (finest[0] && finest[k]) same_motion(&first, finest[k], k > 1);
        }
        free(first.sensitivity);
        check(count > 0, path, "%s no expectation in it (%g %g)", 0, 0, "there is");
        for (int k = 0; k < WAYS; k++) lia_trajectory_destroy(finest[k]);
    }
    for (int k = 0; k < WAYS; k++) lia_system_destroy(systems[k]);
    lia_model_destroy(model);
    lia_diags_destroy(diags);
    free(text);
}

// Every model of a folder, in the order of their names.
static void every_model(const char* folder) {
    struct dirent** names;
    char path[2048];
    int n = scandir(folder, &names, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        size_t length = strlen(names[i]->d_name);
        if (length > 4 && strcmp(names[i]->d_name + length - 4, ".lia") == 0) {
            snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
            one_model(path);
        }
        free(names[i]);
    }
    if (n >= 0) free(names);
}

int main(int argc, char** argv) {
    for (int i = 1; i < argc; i++) one_model(argv[i]);
    if (argc == 1) {
        every_model(LIAISON_SOURCE_DIR "/tests/refs");
        every_model(LIAISON_SOURCE_DIR "/tests/refs/contact");
        every_model(LIAISON_SOURCE_DIR "/tests/refs/large");
        every_model(LIAISON_SOURCE_DIR "/tests/refs/phase");
        struct dirent** names;
        char folder[1024];
        int n = scandir(LIAISON_SOURCE_DIR "/examples", &names, NULL, alphasort);
        for (int i = 0; i < n; i++) {
            snprintf(folder, sizeof folder, LIAISON_SOURCE_DIR "/examples/%s", names[i]->d_name);
            if (names[i]->d_name[0] != '.') every_model(folder);
            free(names[i]);
        }
        if (n >= 0) free(names);
    }
    return cases_end();
}
