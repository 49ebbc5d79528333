// Whole files as texts.
// SPDX-License-Identifier: MIT
#pragma once

/// The file with a closing NUL; a path that does not begin with '/' is one of the source tree. NULL
/// if it cannot be read. Release with lia_free().
char* file_text(const char* path);
