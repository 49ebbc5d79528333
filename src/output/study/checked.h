// What a second run said of the numbers of a motion: how many digits of them are known, in words,
// and as JSON.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/text/text.h"
#include "motion/result/trajectory.h"

/// How many digits of x can be shown, up to `most`, where another run gave x + difference; 0: none.
/// All, where the difference is not known (NAN).
int lia_checked_digits(double x, double difference, int most);
/// x in so many digits. Where there is none: 0 for a number that is small relative to the largest
/// `size` it had on its way, else "~".
void lia_checked_number(LiaText* out, double x, double difference, double size, int most);
/// The difference, in one digit; "-" where it is not known.
void lia_checked_difference(LiaText* out, double difference);
/// What the second run was and what it said: sentences, one a line.
void lia_checked_sentences(const LiaTrajectory* motion, LiaText* lines);
/// The member "check" of the result, with a comma before it; nothing where there was no second run.
void lia_checked_json(const LiaTrajectory* motion, LiaText* out);
