// How a step goes: through ordinary configurations, up to a point before a singular one, or over
// it. Steps begin as ordinary ones; lia_singular_step_find() chooses between the others.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

typedef struct LiaConfiguration {
    bool ordinary;    // the step ends on the clock, and is checked inside and by its energy
    bool approaches;  // it ends before a singular configuration
    /// The length after one, h, that was not good; `before`: a step that ends before the singular
    /// configuration.
    double (*shorter)(double h, double before);
    const struct LiaConfiguration* next;  // how that one goes
} LiaConfiguration;

extern const LiaConfiguration lia_configuration_ordinary, lia_configuration_before,
    lia_configuration_over;
