// Input: a whole file, or standard input, as one text.
// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>

/// The file with a closing NUL; "-" is standard input. Reading ends once more than `most` bytes came, so that
/// *length > most says that it is too long. NULL, with errno set, where it cannot be read. To be freed.
char* lia_input_read(const char* path, size_t most, size_t* length);
/// How messages call it: the path, or "(standard input)".
const char* lia_input_name(const char* path);
