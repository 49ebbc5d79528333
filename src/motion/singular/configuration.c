// How a step goes with respect to singular configurations. See configuration.h.
// SPDX-License-Identifier: MIT
#include "motion/singular/configuration.h"

static double half(double h, double before) {
    (void)before;
    return 0.5 * h;
}

// Half of a step over a singular configuration would end next to it.
static double to_before(double h, double before) {
    (void)h;
    return before;
}

const LiaConfiguration lia_configuration_ordinary = {
    .ordinary = true,
    .shorter = half,
    .next = &lia_configuration_ordinary,
};

const LiaConfiguration lia_configuration_before = {
    .approaches = true,
    .shorter = half,
    .next = &lia_configuration_before,
};

const LiaConfiguration lia_configuration_over = {
    .shorter = to_before,
    .next = &lia_configuration_before,
};
