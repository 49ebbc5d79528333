// A file that is written whole or not at all.
//
// Bytes go to a temporary name in the folder of the target; closing renames it. What goes wrong on the
// way leaves the target as it was and nothing else behind. What is not an ordinary file (a device, a
// pipe) is written in place, since a rename would replace it; "-" is standard output.
// SPDX-License-Identifier: MIT
#pragma once
#include "../base/text.h"
#include <stdbool.h>

typedef struct LiaOutputFile {
    LiaText text;     // add to it freely; lia_output_file_flush() now and then keeps it small
    int descriptor;   // -1: not open
    char* path;       // the target, symbolic links followed; NULL: written in place
    char* temporary;  // NULL: written in place
    int error;        // errno of what went wrong first; 0: nothing
} LiaOutputFile;

/// Begin to write. False, with errno set, where it cannot be written.
bool lia_output_file_open(LiaOutputFile* file, const char* path);
/// Hand the text on if there is much of it. Errors are kept for the close.
void lia_output_file_flush(LiaOutputFile* file);
/// Write the rest and put the file in its place. False, with errno set, if anything went wrong since
/// it was opened; then nothing is left behind.
bool lia_output_file_close(LiaOutputFile* file);
