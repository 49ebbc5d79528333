// The command line that the benchmarks share. See options.h.
// SPDX-License-Identifier: MIT
#include "options.h"
#include <stdlib.h>
#include <string.h>

bool bench_options_read(BenchOptions* options, int argc, char** argv, double seconds) {
    *options = (BenchOptions){.seconds = seconds};
    for (int i = 1; i < argc; i++) {
        const char* value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--quick") == 0) {
            options->quick = true;
            continue;
        }
        if (!value) return false;
        if (strcmp(argv[i], "--only") == 0 && options->only_count < 16) {
            options->only[options->only_count++] = value;
        } else if (strcmp(argv[i], "--seconds") == 0) {
            options->seconds = atof(value);
        } else if (strcmp(argv[i], "--csv") == 0) {
            options->csv = value;
        } else {
            return false;
        }
        i++;
    }
    return true;
}

bool bench_options_want(const BenchOptions* options, const char* name) {
    for (int i = 0; i < options->only_count; i++) {
        if (strcmp(options->only[i], name) == 0) return true;
    }
    return options->only_count == 0;
}
