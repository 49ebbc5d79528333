// Cases of a test program without a framework. See cases.h.
// SPDX-License-Identifier: MIT
#include "support/cases.h"
#include <stdio.h>

static int passed, failed;

bool cases_count(bool ok) {
    passed += ok;
    failed += !ok;
    return ok;
}

int cases_end(void) {
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
