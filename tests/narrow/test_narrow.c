// Narrow features: a bump, a strip, a pulse, a pole that is thin against the run. Is the motion right, or does the program
// stop with the reason?
//
//   test_narrow --models           the models of tests/narrow/models against their expectations
//   test_narrow --expect FILE      what the second way says of a model, as lines `# expect`
//   test_narrow --judge FILE       both ways on a model
// SPDX-License-Identifier: MIT
#include "judge.h"
#include "models.h"
#include "support/file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int usage(void) {
    fprintf(stderr, "test_narrow --models [FILE...] | --expect FILE | --judge FILE\n");
    return 2;
}

static int judge_file(const char* path) {
    char* text = file_text(path);
    if (!text) return usage();
    Judgement j;
    judge_text(text, &j);
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

int main(int argc, char** argv) {
    if (argc > 1 && strcmp(argv[1], "--models") == 0) return models_run(argc - 2, argv + 2);
    if (argc == 3 && strcmp(argv[1], "--expect") == 0) return expect_file(argv[2]);
    if (argc == 3 && strcmp(argv[1], "--judge") == 0) return judge_file(argv[2]);
    if (argc > 1) return usage();
    printf("0 passed, 0 failed\n");
    return 77;
}
