// Input: a whole file, or standard input, as one text.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct LiaFileId {  // which file that is, whatever the path to it
    bool known;             // an ordinary file; anything else is no file that could be lost
    dev_t device;
    ino_t number;
} LiaFileId;

/// The file with a closing NUL; "-" is standard input. Reading ends once more than `most` bytes
/// came, so that *length > most says that it is too long. NULL, with errno set, where it cannot be
/// read. To be freed. *file says which it was (may be NULL).
char* lia_input_read(const char* path, size_t most, size_t* length, LiaFileId* file);
/// How messages call it: the path, or "(standard input)".
const char* lia_input_name(const char* path);
/// The file that a descriptor is open on, or that a path leads to ("-": not known).
LiaFileId lia_input_id(int descriptor);
LiaFileId lia_input_id_at(const char* path);
/// Are both known, and the same?
bool lia_input_same(LiaFileId a, LiaFileId b);
