// The thresholds as constants: LIA_NAME for the row NAME of thresholds.def, which says what each is
// relative to and why it has that size.
// SPDX-License-Identifier: MIT
#pragma once
#include <float.h>

#define LIA_THRESHOLD(name, value, relative_to, why)                                               \
    static const double LIA_##name __attribute__((unused)) = (value);
#include "base/numeric/thresholds.def"
#undef LIA_THRESHOLD
