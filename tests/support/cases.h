// Cases of a test program without a framework: they are counted, and the closing line says how many.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

/// Count a case. Gives `ok`, so that a test can say what is wrong.
bool cases_count(bool ok);
/// The closing line, "N passed, N failed"; what main() returns: 0 where none failed.
int cases_end(void);
