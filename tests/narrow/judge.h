// A model with narrow features by both ways: the program as it is, and the second way (tests/second) with steps that
// cannot leap, twice, the second time with steps half as long.
// SPDX-License-Identifier: MIT
#pragma once
#include "support/motion.h"
#include <stdint.h>

#define VERDICTS(X)                                                                                \
    X(OK, "ok")                                                                                    \
    X(WRONG, "wrong")       /* done, without a word, and off by more than 1e-6 of scale */         \
    X(WARNED, "warned")     /* off, but a warning was given */                                     \
    X(STOPPED, "stopped")   /* ended before its time where the second way runs through */          \
    X(UNJUDGED, "unjudged") /* the second way does not agree with its half steps to 1e-8 */

typedef enum Verdict {
#define X(name, word) VERDICT_##name,
    VERDICTS(X)
#undef X
        VERDICT_COUNT
} Verdict;

typedef struct Judgement {
    Verdict verdict;
    double off;       // the largest difference, relative to its scale
    char where[320];  // and what differs, or what was said
    uint64_t steps;   // of the program
    double seconds;   // of the program, of the judge
    double seconds_judge;
} Judgement;

const char* verdict_word(Verdict verdict);

/// Judge a model text.
void judge_text(const char* text, Judgement* out);

/// Print the final numbers of the second way as lines `# expect NAME = VALUE +- ERROR`, ERROR being 1e-8 of scale and at
/// least ten times what half steps differ by. False if the second way cannot tell.
int judge_expect(const char* text);
