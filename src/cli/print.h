// What the program says: results on standard output, everything else on stderr.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

/// Write to standard output, all of it. Where that fails (a full disk, a reader that went away) it is
/// told on stderr, once, and false given.
bool lia_print_out(const char* format, ...) __attribute__((format(printf, 1, 2)));
/// A long text as it is.
bool lia_print_text(const char* text);
/// "liaison: ..." and a line end on stderr.
void lia_print_error(const char* format, ...) __attribute__((format(printf, 1, 2)));
/// What went wrong with a file, in the words of the system: "liaison: NAME: No such file or directory".
void lia_print_file_error(const char* name, int error);
