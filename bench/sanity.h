// Quick checks of the references against each other and of liaison against them.
// SPDX-License-Identifier: MIT
#pragma once

/// Print a line for each check and "N passed, N failed"; the number of failures.
int bench_sanity(void);
