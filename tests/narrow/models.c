// Models written by hand, with what is known of them.
//
//   # expect NAME = VALUE +- ERROR     at the end: a state, an observable, work(..)
//   # expect events NAME COUNT         how often
//   # expect event NAME at T           the next one of this name, within 1e-8 of the run
//   # expect status STATUS             done (also when nothing is said), stopped, failed
// SPDX-License-Identifier: MIT
#include "models.h"
#include "motion/result/trajectory.h"
#include "support/file.h"
#include "support/motion.h"
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Tally {
    int ok, wrong, stopped;
} Tally;

static void complain(char* said, size_t size, const char* name, double got, double wanted) {
    if (!said[0]) snprintf(said, size, "%s is %.12g, should be %.12g", name, got, wanted);
}

// The k-th time of an event, NAN if it did not come so often; *count is how often it came.
static double event_time(const LiaTrajectory* t, const char* name, int k, int* count) {
    double time = NAN;
    *count = 0;
    for (size_t i = 0; i < t->events.count; i++) {
        if (strcmp(t->events.list[i].name, name) != 0) continue;
        if ((*count)++ == k) time = t->events.list[i].t;
    }
    return time;
}

// How many lines `# expect event NAME at` stand before this one.
static int events_before(const char* text, const char* line, const char* name) {
    int count = 0;
    char start[160];
    size_t n = (size_t)snprintf(start, sizeof start, "# expect event %s at", name);
    for (const char* p = text; (p = strstr(p, start)) && p < line; p += n) count++;
    return count;
}

static void check_line(const char* text, const char* line, const LiaTrajectory* t, char* said,
                       size_t size) {
    char name[128];
    double value, most, got;
    int count, wanted;
    if (sscanf(line, "# expect events %127s %d", name, &wanted) == 2) {
        event_time(t, name, 0, &count);
        if (count != wanted) complain(said, size, name, count, wanted);
    } else if (sscanf(line, "# expect event %127s at %lf", name, &value) == 2) {
        got = event_time(t, name, events_before(text, line, name), &count);
        if (!(fabs(got - value) <= 1e-8 * fabs(t->t1 - t->t0)))
            complain(said, size, name, got, value);
    } else if (sscanf(line, "# expect %127[^=\n] = %lf +- %lf", name, &value, &most) == 3) {
        for (size_t n = strlen(name); n && name[n - 1] == ' '; n--) name[n - 1] = 0;
        if (!lia_trajectory_final(t, name, &got)) got = NAN;
        if (!(fabs(got - value) <= most)) complain(said, size, name, got, value);
    }
}

static void one_model(const char* path, Tally* tally) {
    char *text = file_text(path), said[256] = "", wanted[32] = "done";
    const LiaRunOptions options = {.samples = 9, .steps_most = 2000000};
    clock_t begun = clock();
    Motion m = motion_of(text ? text : "", &(MotionOptions){.quiet = 1, .run = options});
    double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    const char* name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const char* status = text ? strstr(text, "# expect status ") : NULL;
    if (status) sscanf(status, "# expect status %31s", wanted);
    if (!m.t || strcmp(lia_trajectory_status(m.t), wanted) != 0) {
        tally->stopped++;
        char* diagnosis = m.t ? NULL : lia_diags_text(m.diags);
        printf("stopped  %-32s t = %g: %s\n", name, m.t ? m.t->t : NAN,
               m.t ? lia_trajectory_reason(m.t) : diagnosis);
        lia_free(diagnosis);
    } else {
        for (const char* p = text; (p = strstr(p, "# expect ")); p++)
            check_line(text, p, m.t, said, sizeof said);
        said[0] ? tally->wrong++ : tally->ok++;
        printf("%-8s %-32s %s (%llu steps, %.2f s)\n", said[0] ? "wrong" : "ok", name, said,
               (unsigned long long)m.t->effort.steps, seconds);
    }
    motion_clear(&m);
    free(text);
}

int models_run(int count, char** paths) {
    Tally tally = {0};
    for (int i = 0; i < count; i++) one_model(paths[i], &tally);
    struct dirent** names;
    const char* folder = LIAISON_SOURCE_DIR "/tests/narrow/models";
    int n = count ? 0 : scandir(folder, &names, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char path[2048];
        size_t length = strlen(names[i]->d_name);
        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        if (length > 4 && strcmp(names[i]->d_name + length - 4, ".lia") == 0)
            one_model(path, &tally);
        free(names[i]);
    }
    if (n > 0) free(names);
    printf("%d ok, %d wrong, %d stopped\n", tally.ok, tally.wrong, tally.stopped);
    printf("%d passed, %d failed\n", tally.ok, tally.wrong + tally.stopped);
    return tally.wrong + tally.stopped > 0;
}
