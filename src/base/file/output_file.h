// A file that is written whole or not at all.
//
// Bytes go to a temporary name in the folder of the target; closing renames it. What goes wrong on
// the way leaves the target as it was and nothing else behind. What is not an ordinary file (a
// device, a pipe) is written in place, since a rename would replace it; "-" is standard output.
// Symbolic links are followed, also those that lead to a file that is not there yet.
//
// A program that is killed cannot clean up: its temporary file stays. It is locked while it is
// written, so that one that nobody has locked is known to be left over; the next file that is
// written to the same place clears it.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/file/input.h"
#include "base/memory/memory.h"
#include "base/text/text.h"
#include <stdbool.h>

typedef struct LiaOutputFile {
    LiaText text;     // add to it freely; lia_output_file_flush() now and then keeps it small
    int descriptor;   // -1: not open
    char* path;       // the target, symbolic links followed; NULL: written in place
    char* temporary;  // NULL: written in place
    int error;        // errno of what went wrong first; 0: nothing
    // set it where the file must outlive a power cut: then the close waits for the disk
    bool durable;
    LiaMemoryMark memory;  // when it was opened
} LiaOutputFile;

enum { LIA_READS_MOST = 6 };

typedef struct LiaReads {  // files that a result was made from: never replaced by it
    LiaFileId files[LIA_READS_MOST];
    size_t count;
} LiaReads;

void lia_output_file_spare(LiaReads* reads, LiaFileId file);

/// Begin to write. False, with errno set, where it cannot be written; EEXIST: it is one of `reads`
/// (may be NULL).
bool lia_output_file_open(LiaOutputFile* file, const char* path, const LiaReads* reads);
/// Hand the text on if there is much of it. Errors are kept for the close.
void lia_output_file_flush(LiaOutputFile* file);
/// Write the rest, so that only its name is missing. False, with errno set, if anything went wrong
/// since it was opened, and memory that was out anywhere is that too: what was to be written may
/// have been made without it.
bool lia_output_file_finish(LiaOutputFile* file);
/// Write the rest and put the file in its place. False, with errno set, if anything went wrong
/// since it was opened; then nothing is left behind. After lia_output_file_finish() it takes no
/// memory.
bool lia_output_file_close(LiaOutputFile* file);
/// Leave nothing of it behind.
void lia_output_file_drop(LiaOutputFile* file);
