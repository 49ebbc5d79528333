// Errata of the papers: each model shows that a printed formula fails and the corrected one holds.
//
//   # holds NAME [E]          |NAME| <= E at every sample                     (E: 1e-10)
//   # fails NAME [E]          |NAME| >= E at some sample                      (E: 1e-2)
//   # field holds FIELD NAME  the same of a part of the motion, at the start  (explain)
//   # field fails FIELD NAME
//   # run TEXT                the JSON of the run has this in it
//   # explain TEXT            the JSON of the explanation has this in it
//
// Every model is named in docs/errata.md, and every name there is a model.
// SPDX-License-Identifier: MIT
#include "support/cases.h"
#include "support/file.h"
#include "support/motion.h"
#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(bool ok, const char* file, const char* line, double x) {
    if (cases_count(ok)) return;
    printf("%s: '%.*s' is not so: %g\n", file, (int)strcspn(line, "\n"), line, x);
}

static double largest(const Motion* m, const char* name) {
    double most = 0.0;
    size_t rows = lia_trajectory_rows(m->t);
    for (size_t i = 0; i < rows; i++) {
        double x = fabs(motion_value(m, i, name));
        if (!(x <= most)) most = x;
    }
    return rows ? most : NAN;
}

static double field(const char* json, const char* part, const char* name) {
    char quoted[80];
    snprintf(quoted, sizeof quoted, "\"%s\": {", part);
    const char* at = strstr(json, quoted);
    snprintf(quoted, sizeof quoted, "\"%s\": ", name);
    at = at ? strstr(at, quoted) : NULL;
    return at ? strtod(at + strlen(quoted), NULL) : NAN;
}

static int look(const char* file, const char* line, const Motion* m, const char* run,
                const char* explained) {
    char name[64], part[64];
    double most = NAN, x;
    if (sscanf(line, "# holds %63s %lf", name, &most) >= 1) {
        x = largest(m, name);
        check(x <= (isnan(most) ? 1e-10 : most), file, line, x);
    } else if (sscanf(line, "# fails %63s %lf", name, &most) >= 1) {
        x = largest(m, name);
        check(x >= (isnan(most) ? 1e-2 : most), file, line, x);
    } else if (sscanf(line, "# field holds %63s %63s", part, name) == 2) {
        x = fabs(field(explained, part, name));
        check(x <= 1e-12, file, line, x);
    } else if (sscanf(line, "# field fails %63s %63s", part, name) == 2) {
        x = fabs(field(explained, part, name));
        check(x >= 1e-3, file, line, x);
    } else if (strncmp(line, "# run ", 6) == 0 || strncmp(line, "# explain ", 10) == 0) {
        bool of_run = line[2] == 'r';
        const char* text = line + (of_run ? 6 : 10);
        char wanted[200];
        snprintf(wanted, sizeof wanted, "%.*s", (int)strcspn(text, "\n"), text);
        check(strstr(of_run ? run : explained, wanted) != NULL, file, line, 0.0);
    } else {
        return 0;
    }
    return 1;
}

static void erratum(const char* path) {
    char* text = file_text(path);
    MotionOptions options = {0};
    Motion m = motion_of_file(path, &options);
    check(m.t && m.status == LIA_OK, path, "it runs", m.status);
    LiaExplainOptions at_start = {.format = LIA_EXPLAIN_JSON, .at_start = true};
    char* explained = m.system ? lia_explain(m.system, &at_start, m.diags) : NULL;
    char* run = m.t ? lia_output_json(m.t) : NULL;
    int count = 0;
    for (const char* line = text; line && run && explained;) {
        count += look(path, line, &m, run, explained);
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    check(count > 0, path, "it expects something", count);
    lia_free(run);
    lia_free(explained);
    motion_clear(&m);
    free(text);
}

int main(void) {
    char* page = file_text("docs/errata.md");
    DIR* folder = opendir(LIAISON_SOURCE_DIR "/tests/errata");
    int models = 0, named = 0;
    for (struct dirent* entry; folder && (entry = readdir(folder));) {
        const char* end = strrchr(entry->d_name, '.');
        char path[600];
        if (!end || strcmp(end, ".lia") != 0) continue;
        snprintf(path, sizeof path, "tests/errata/%s", entry->d_name);
        erratum(path);
        models++;
        check(page && strstr(page, entry->d_name), entry->d_name, "docs/errata.md names it", 0.0);
    }
    if (folder) closedir(folder);
    for (const char* at = page; at && (at = strstr(at, "(../tests/errata/")); at++) named++;
    check(named >= models, "docs/errata.md", "every erratum has its model", named);
    free(page);
    return cases_end() || models == 0;
}
