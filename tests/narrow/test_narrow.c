// Narrow features: a bump, a strip, a pulse, a pole that is thin against the run. Is the motion
// right, or does the program stop with the reason?
//
//   test_narrow                     all of `make test`: models and a few seeds
//   test_narrow --models [FILE...]  the models of tests/narrow/models against their expectations
//   test_narrow --seeds A..B        random models, judged by the second way: failures, and tables
//                                   of them
//   test_narrow --quick COUNT       the first so many that are quickly judged
//   test_narrow --leaps A..B        is the judge right? The second way against itself with short
//                                   steps
//   test_narrow --write SEED        the text of one of them
//   test_narrow --judge FILE        both ways on a model
//   test_narrow --expect FILE       what the second way says of a model, as lines `# expect`
//
// By law: motion/check/series_range.c: no feature that is narrower than a step is stepped over
// SPDX-License-Identifier: MIT
#include "campaign.h"
#include "generator.h"
#include "judge.h"
#include "models.h"
#include "support/cases.h"
#include "support/file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUICK = 200 };  // seeds of `make test`: the first that are quickly judged

static int usage(void) {
    fprintf(stderr, "test_narrow --models [FILE...] | --seeds A..B | --quick COUNT | --leaps A..B "
                    "| --write SEED | "
                    "--judge FILE | "
                    "--expect FILE\n");
    return 2;
}

static int judge_file(const char* path) {
    char* text = file_text(path);
    if (!text) return usage();
    Judgement j;
    judge_text(text, 0, &j);
    printf("%s: off by %.2e %s; %llu steps in %.3f s (judge %.3f s)\n", verdict_word(j.verdict),
           j.off, j.where, (unsigned long long)j.steps, j.seconds, j.seconds_judge);
    free(text);
    return j.verdict != VERDICT_OK;
}

static int expect_file(const char* path) {
    char* text = file_text(path);
    if (!text) return usage();
    int good = judge_expect(text);
    free(text);
    return !good;
}

static int write_seed(const char* seed) {
    Narrow n;
    narrow_make(strtoull(seed, NULL, 10), &n);
    printf("%s", n.text);
    narrow_clear(&n);
    return 0;
}

static int seeds(const char* range, int (*what)(uint64_t first, uint64_t last)) {
    unsigned long long first, last;
    if (sscanf(range, "%llu..%llu", &first, &last) != 2 || last < first) return usage();
    return what(first, last);
}

int main(int argc, char** argv) {
    if (argc > 1 && strcmp(argv[1], "--models") == 0) return models_run(argc - 2, argv + 2);
    if (argc == 3 && strcmp(argv[1], "--expect") == 0) return expect_file(argv[2]);
    if (argc == 3 && strcmp(argv[1], "--judge") == 0) return judge_file(argv[2]);
    if (argc == 3 && strcmp(argv[1], "--write") == 0) return write_seed(argv[2]);
    if (argc == 3 && strcmp(argv[1], "--seeds") == 0) return seeds(argv[2], campaign_run);
    if (argc == 3 && strcmp(argv[1], "--quick") == 0) return campaign_quick(atoi(argv[2]));
    if (argc == 3 && strcmp(argv[1], "--leaps") == 0)
        return seeds(argv[2], campaign_judge_the_judge);
    if (argc > 1) return usage();
    return models_run(0, NULL) | campaign_quick(QUICK / cases_every());
}
