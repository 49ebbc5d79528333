// Two ways from a model to a motion, compared. See comparing.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "generator.h"
#include "lang/model.h"
#include "motion/result/trajectory.h"
#include "second.h"
#include "support/cases.h"
#include "support/motion.h"

enum { SAMPLES = 5, COORDINATES_MOST = 64, ROWS_MOST = 64, LINES_MOST = 64 };

// The numbers are the same under the sanitizers; these look at fewer random models and at every
// fifth file, the release build at all.
#if defined(__SANITIZE_ADDRESS__)
enum { MODELS = 120, FEW = 40, EVERY = 5 };
#else
enum { MODELS = 500, FEW = 160, EVERY = 1 };
#endif

// The largest difference found, relative to 1 + the size of the number, and where.
typedef struct Difference {
    double most;
    char where[160];
} Difference;

extern const MotionOptions comparing_as_usual, comparing_not_eliminated;

/// How many random models: LIAISON_MODELS in the environment for long campaigns.
uint64_t comparing_models(void);
void comparing_differ(Difference* d, double first, double second, const char* what,
                      const char* name, double t);
/// Follow the first way's samples with the second way, from the first way's start.
Difference comparing_both(const LiaTrajectory* first, const LiaModel* model, double tolerance);
/// A few in a hundred thousand random models lose their regularity on the way (J and Omega turn
/// away from each other): a verdict, not a disagreement.
bool comparing_lost_regularity(const Motion* m);
/// Both ways on one text. Returns what differs most; a text that does not run differs infinitely.
Difference comparing_run(const char* text, const MotionOptions* options, int* lost);
/// Says what is wrong and goes on; `failures` counts. The first text is shown in full.
void comparing_complain(const Difference* d, double most, const char* what, uint64_t seed,
                        const char* text, int* failures);
