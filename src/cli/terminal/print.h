// What the program says: results on standard output, everything else on stderr.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

/// Write to standard output, all of it. Where that fails (a full disk) it is reported on stderr,
/// once, and false given. A reader that went away, as `head` does, is no fault: nothing is said.
bool lia_print_out(const char* format, ...) __attribute__((format(printf, 1, 2)));
/// A line that has names in it which somebody else may have given, without its line end: they
/// cannot make a second one.
bool lia_print_line(const char* format, ...) __attribute__((format(printf, 1, 2)));
/// A long text as it is: of the library, which has made it safe for terminals.
bool lia_print_text(const char* text);
/// A name that somebody else may have given. Takes no memory.
bool lia_print_name(const char* name);
/// "liaison: ..." and a line end on stderr; said also where memory is out.
void lia_print_error(const char* format, ...) __attribute__((format(printf, 1, 2)));
/// Diagnostics as the library renders them, on stderr; with colours where it is a terminal.
void lia_print_diagnostics(const char* text);
/// End as other programs do whose reader went away: by SIGPIPE. Does nothing if that did not
/// happen.
void lia_print_close(void);
/// What went wrong with a file, in the words of the system: "liaison: NAME: No such file or
/// directory". Of standard output whose reader went away nothing is said.
void lia_print_file_error(const char* name, int error);
