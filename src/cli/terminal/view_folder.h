// The folder of a page that is opened in the browser.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Make one under $TMPDIR, and remove those without a page that nobody uses: left over from
/// programs that were killed. It is in use as long as this program lives. False, with errno set,
/// where none can be made; `place` is its path.
bool lia_view_folder(char* place, size_t size);
