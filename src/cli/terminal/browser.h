// The browser: something to show a file with.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

/// Open a file in the browser, without waiting for it. The command that does so, NULL if there is
/// none.
const char* lia_browser_open(const char* path);
