// Numbers that agree, in tests of laws. A failure tells both.
// SPDX-License-Identifier: MIT
#pragma once
#include "support/motion.h"

/// |x - y| <= most.
void near(double x, double y, double most);
void near_as(double x, double y, double most, const char* what);
/// The motion of a model that runs to its end.
Motion run(const char* text);
/// All names, separated by spaces, agree in the motions of two models at all samples.
void same_motion(const char* a, const char* b, const char* names, double most);
/// All names, separated by spaces, are zero all along the motion of a model.
void all_zero(const char* text, const char* names, double most);
