// The ledger closes: every example with an operator, over t = 0..100 at tolerance 1e-14, to 1e-12
// of (max T + range of U), both with and without elimination. Examples are found, not listed.
// SPDX-License-Identifier: MIT
#include "support/cases.h"
#include "support/motion.h"
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Does a line begin with this word?
static int has_statement(const char* path, const char* word) {
    FILE* f = fopen(path, "r");
    char line[4096];
    int found = 0;
    while (f && !found && fgets(line, sizeof line, f)) {
        size_t n = strlen(word);
        found = strncmp(line, word, n) == 0 && (line[n] == ' ' || line[n] == '\t');
    }
    if (f) fclose(f);
    return found;
}

static void ledger_closes(const char* path) {
    static const double until = 100.0;
    for (int way = 0; way < 2; way++) {
        MotionOptions options = {.no_eliminate = way,
                                 .run = {.until = &until, .tolerance = 1e-14, .samples = 101}};
        Motion m = motion_of_file(path, &options);
        double balance = m.t ? motion_final(&m, "balance") : NAN;
        // A motion may end earlier by an event of its own, but not fail.
        if (m.t && m.status == LIA_FAILED) {
            printf("%s ends at t = %g: %s\n", path, motion_final(&m, "t"),
                   lia_trajectory_reason(m.t));
        }
        bool good = m.t && (m.status == LIA_OK || m.status == LIA_STOPPED);
        if (!cases_count(good && balance <= 1e-12)) {
            printf("%s%s: status %d, balance %g\n", path, way ? ", nothing eliminated" : "",
                   m.status, balance);
        }
        motion_clear(&m);
    }
}

int main(void) {
    DIR* folder = opendir(LIAISON_SOURCE_DIR "/examples");
    int count = 0;
    for (struct dirent* entry; folder && (entry = readdir(folder));) {
        char path[800], full[1600];
        snprintf(path, sizeof path, "examples/%s/%s.lia", entry->d_name, entry->d_name);
        snprintf(full, sizeof full, "%s/%s", LIAISON_SOURCE_DIR, path);
        if (!has_statement(full, "operator")) continue;
        ledger_closes(path);
        count++;
    }
    if (folder) closedir(folder);
    printf("%d examples with an operator\n", count);
    return cases_end() || count < 4;
}
