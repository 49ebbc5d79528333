// The least value of a function of one number between two others, by golden sections.
// SPDX-License-Identifier: MIT
#pragma once

/// Where f is least between a and b, after so many steps, each of which leaves 0.618 of what was
/// between. f has one minimum there, or one of them is found.
double lia_golden_section_least(double (*f)(void* context, double x), void* context, double a,
                                double b, int steps);
