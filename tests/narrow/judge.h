// A model with narrow features by both ways: the program as it is, and the second way
// (tests/second) with steps that cannot leap, twice, the second time with steps half as long.
// SPDX-License-Identifier: MIT
#pragma once
#include "support/motion.h"
#include <stdint.h>

#define VERDICTS(X)                                                                                \
    X(OK, "ok")                                                                                    \
    X(WRONG, "wrong")       /* done, without a word, and off by more than 1e-6 of scale */         \
    X(WARNED, "warned")     /* off, but a warning was given */                                     \
    X(STOPPED, "stopped")   /* ended before its time where the second way runs through */          \
    X(UNJUDGED, "unjudged") /* the second way does not agree with its half steps to 1e-8 */        \
    X(UNREAD, "unread")     /* the text is no model: a mistake of the test */

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

/// Judge a model text. Between two of nine samples the judge makes at most so many steps, or does
/// not know; 0: as many as it takes.
void judge_text(const char* text, int steps_most, Judgement* out);

/// Print the final numbers of the second way as lines `# expect NAME = VALUE +- ERROR`, ERROR being
/// 1e-8 of scale and at least ten times what half steps differ by. False if the second way cannot
/// tell.
int judge_expect(const char* text);

/// Does the judge leap itself? How far its motion is away from one with no step longer than
/// `longest`, relative to scale; NAN: one of them cannot be made.
double judge_leaps(const char* text, double longest);
